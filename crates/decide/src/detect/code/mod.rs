//! Signs of harm in code and configuration: what an edit adds, what a script does, what an interpreter is given.
//!
//! Works on the text, whatever the language. A sign is a set of words that together say what happens; single
//! words only make somebody look.

pub(super) mod actions;
mod database_hosts;
pub(super) mod framework_shells;
pub(super) mod loading;
mod loading_names;
pub(super) mod opaque;
pub(super) mod signs;
pub(super) mod variable_reads;

use portcullis_shell::{Command, Effects};

use crate::context::Context;
use crate::detect::{Detector, Finding};
use crate::path::is_within;
use actions::Language;
use signs::{PATTERNS, Pattern, Scope, WRITES};

/// What a sign says.
pub(crate) struct Sign {
    pub(crate) detector: &'static Detector,
}

impl Sign {
    /// The sign as a finding.
    pub(crate) fn finding(self) -> Finding {
        Finding::by(self.detector)
    }
}

/// The signs in `text`, without those that `before` had too.
pub(crate) fn signs(text: &str, before: &str) -> Vec<Sign> {
    // Every line ends with a blank, so that a command at its end is a word of its own too.
    let prepared = |text: &str| {
        without_counts(&variable_reads::without(&text.to_lowercase())).replace('\n', " \n") + " "
    };
    let (text, before) = (prepared(text), prepared(before));
    let hits = |pattern: &Pattern, text: &str| {
        let has = |text: &str| pattern.groups.iter().all(|group| group.iter().any(|word| says(text, word)));
        // Most signs are nowhere in the text at all, and looking there once is cheaper than in every line.
        has(text)
            && match pattern.scope {
                Scope::Text => true,
                Scope::Line => text.split_inclusive('\n').any(|line| has(line) && !is_remark(line)),
            }
    };
    let found = PATTERNS.iter().filter(|pattern| hits(pattern, &text) && !hits(pattern, &before));
    found.map(|pattern| Sign { detector: pattern.detector }).collect()
}

/// The text without the names under which the tokens of a model are counted: those open nothing.
fn without_counts(text: &str) -> String {
    const COUNTED: &[&str] = &["input", "output", "max", "prompt", "completion", "total", "num", "reasoning"];
    COUNTED.iter().fold(text.to_owned(), |text, counted| text.replace(&format!("{counted}_tokens"), counted))
}

/// Whether the text holds the word. One that ends with a blank is a command and a word of its own: `func ` holds no
/// `nc `.
fn says(text: &str, word: &str) -> bool {
    // `run.profiles=local` is no file of that name.
    if word == ".profile" {
        return text.match_indices(word).any(|(at, _)| {
            let part = |it: char| it.is_alphanumeric() || it == '_';
            // `users[0].profile`
            let closed = |it: char| part(it) || matches!(it, ')' | ']');
            let before = text.get(..at).unwrap_or_default();
            let behind = text.get(at + word.len()..).unwrap_or_default();
            !before.ends_with(closed) && !behind.starts_with(part)
        });
    }
    let call = matches!(word, "exec(" | "eval(");
    let command = word.ends_with(' ') && word.starts_with(|first: char| first.is_ascii_alphanumeric());
    if !command && !call {
        return text.contains(word);
    }
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        before.is_none_or(|before| !(before.is_alphanumeric() || matches!(before, '_' | '-' | '.')))
    })
}

/// A line that only says something.
fn is_remark(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["//", "# ", "* ", "<!--"].iter().any(|sign| line.starts_with(sign));
    // `* a */ code()`, and the path `//bin/nc`.
    let ends =
        ["*/", "-->"].iter().any(|end| line.split_once(end).is_some_and(|(_, rest)| !rest.trim().is_empty()));
    let first = line.split_whitespace().next().unwrap_or_default();
    let path = first.strip_prefix("//").is_some_and(|rest| rest.contains('/') && !rest.starts_with('/'));
    starts && !ends && !path && !line.contains("http")
}

/// Options of go that name a program to run the tools or the tests with.
pub(super) fn names_a_runner(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    matches!(name, "-exec" | "--exec" | "-toolexec" | "--toolexec")
}

/// Words that change or take away what a project's own database holds.
const CHANGES_DATA: &[&str] =
    words!("delete destroy truncate update( update! update_all save( save! flush superuser");

/// What code does that a framework of the project is given on its command line (`rails runner 'User.destroy_all'`,
/// `manage.py shell -c …`), beyond ordinary work: it works on whatever data the project is set up for.
pub(super) fn acts_in_framework(command: &Command, context: &Context) -> Option<&'static str> {
    let runs = Effects::PROJECT_CODE.and(Effects::EXECUTES).and(Effects::UNKNOWN);
    if !command.own.meets(runs) {
        return None;
    }
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let brings = |word: &str| matches!(word, "-c" | "-e" | "--eval" | "--execute" | "--command" | "runner");
    let next = words().zip(words().skip(1)).filter(|(before, _)| brings(before)).map(|(_, text)| text);
    let attached = words().filter_map(|word| word.split_once('=')).filter(|(name, _)| brings(name));
    let told = next.chain(attached.map(|(_, text)| text)).filter(|text| is_code(text)).find_map(|text| {
        let changes = || changes_data(text).then_some("changes data");
        let tells = || tells_secrets(text).then_some("shows a secret");
        let reaches = || reaches_out(command, text).then_some("reaches out");
        acts(text, Language::of(command), context).or_else(changes).or_else(tells).or_else(reaches)
    });
    let parts = || words().flat_map(|word| word.split(['"', '\'']));
    let quoted = || parts().filter(|part| part.trim_start().starts_with(char::is_alphabetic));
    let stated = || {
        (words().any(framework_shells::is_statement) || quoted().any(framework_shells::is_statement))
            .then_some("changes data")
    };
    let asked = || framework_shells::tells_database(command).then_some("changes data");
    told.or_else(stated).or_else(asked)
}

/// Whether code for a framework reaches other machines, or takes up its surroundings.
pub(super) fn reaches_out(command: &Command, text: &str) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    loading::reaches_out(loading::language_of(program), text) || variable_reads::takes_environment(text)
}

/// Whether the text asks a framework for what it keeps secret.
pub(super) fn tells_secrets(text: &str) -> bool {
    const KEPT: &[&str] =
        &[".credentials", "secret_key", "app_key", "api_key", "settings.databases", "secrets."];
    let lower = variable_reads::without(&text.to_lowercase());
    KEPT.iter().any(|word| lower.contains(word))
}

/// Whether the text changes or takes away what a project's own database holds.
pub(super) fn changes_data(text: &str) -> bool {
    let lower = text.to_lowercase();
    CHANGES_DATA.iter().any(|word| lower.contains(word))
}

/// Whether a word is code and no name or sentence: it calls, assigns, or asks something for a part of it.
fn is_code(text: &str) -> bool {
    let part = |pair: &str| pair.ends_with(|last: char| last.is_alphabetic());
    text.contains(['(', ';', '=', '!'])
        || text.match_indices('.').any(|(at, _)| text.get(at..at + 2).is_some_and(part))
}

/// Why code that is run, in the line or from a file, is not ordinary work on the project.
pub(super) fn unusual_code(program: &str, code: &str, context: &Context) -> Option<&'static str> {
    let reaches = || loading::reaches_out(program, code).then_some("reaches other machines or programs");
    let environment = || variable_reads::takes_environment(code).then_some("reads the environment");
    reaches().or_else(environment).or_else(|| acts(code, Language::of_program(program), context))
}

/// The interpreter of a file, by its first line or its ending.
pub(super) fn language_of_file(path: &str, text: &str) -> &'static str {
    let first = text.lines().next().filter(|first| first.starts_with("#!")).unwrap_or_default();
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    let says = |name: &str| first.contains(name);
    match ending {
        "py" | "pyw" => "python",
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx" => "node",
        "rb" | "rake" => "ruby",
        "pl" | "pm" => "perl",
        "php" => "php",
        "lua" => "lua",
        _ if says("python") => "python",
        _ if says("node") || says("deno") || says("bun") => "node",
        _ if says("perl") => "perl",
        _ if says("php") => "php",
        // The widest tables: what is no other language is judged as if anything could mean anything.
        _ => "ruby",
    }
}

/// What inline code does beyond ordinary work on the project, if anything.
pub(super) fn acts(text: &str, language: Language, context: &Context) -> Option<&'static str> {
    let lower = text.to_lowercase();
    if let Some(what) = actions::found(&lower, language) {
        return Some(what);
    }
    if database_hosts::connects(&lower) {
        return Some("connects");
    }
    let ends = |rest: &'_ str| rest.find(['"', '\'', '`', ' ', '\n', ')', '<', '>']).unwrap_or(rest.len());
    let address = lower
        .split("://")
        .skip(1)
        .any(|rest| !crate::web::is_loopback(rest.get(..ends(rest)).unwrap_or(rest)));
    let named = lower.contains("http://") || lower.contains("https://") || lower.contains("ftp://");
    if named && address {
        return Some("names another machine");
    }
    let home = [
        "expanduser",
        "path.home",
        "homedir()",
        "env['home']",
        "env.home",
        "getenv(\"home",
        "env[\"home",
        "dir.home",
    ];
    let read =
        lower.contains("open(") && (lower.contains("environ['home") || lower.contains("environ[\"home"));
    if read || home.iter().any(|word| lower.contains(word)) {
        return Some("reaches into the home directory");
    }
    let writes = WRITES.iter().any(|word| lower.contains(word));
    let mut paths = absolute_paths(text);
    paths.any(|path| is_foreign(path, writes, context)).then_some("reaches outside the project")
}

/// Stretches of the text that name a place from the root or the home directory.
pub(super) fn absolute_paths(text: &str) -> impl Iterator<Item = &str> {
    let part = |character: char| character.is_alphanumeric() || "/._-~+@".contains(character);
    text.split(move |character| !part(character)).filter(|piece| {
        (piece.starts_with('/') || piece.starts_with("~/")) && piece.len() >= 2 && !piece.starts_with("//")
    })
}

/// Whether the path leads to where people's things and records lie, or to what is secret.
pub(super) fn is_foreign(path: &str, writes: bool, context: &Context) -> bool {
    let full = context.absolute(path, "/");
    let known = context.is_trusted(&full)
        || crate::detect::routine::places::is_temporary(&full)
        || full.starts_with("/dev/");
    // Tools live in some folders and are only looked at there; in the others lie people's things and records.
    let tools = ["/usr", "/opt", "/bin", "/sbin", "/lib", "/proc", "/sys", "/run"];
    let theirs = [
        "/etc", "/root", "/home", "/Users", "/var", "/boot", "/srv", "/mnt", "/media", "/Library", "/System",
    ];
    let within = |folders: &[&str]| folders.iter().any(|folder| is_within(&full, folder));
    let secret = portcullis_shell::is_secret_path(&full, true);
    secret || (!known && (within(&theirs) || (writes && within(&tools))))
}

/// Words that take something away, in any language.
const TAKES: &[&str] = &[
    "rm -r", "rm -f", "remove", "unlink", "rmtree", "rm_rf", "rm_r", "delete", "truncate", "rmsync", "rmdir",
    "\"-rf\"", "'-rf'", "shred", "rimraf", "wipe", "mkfs",
];

/// Whether code, in small letters, takes something away.
pub(super) fn takes_away(lower: &str) -> bool {
    TAKES.iter().any(|word| lower.contains(word))
}

/// The same for a whole file: only what one line says belongs together, and a first line that names the interpreter says
/// nothing.
pub(crate) fn destroys_in_file(text: &str, context: &Context) -> bool {
    let says =
        |line: &str| !line.starts_with("#!") && !line.trim_start().to_ascii_lowercase().starts_with("shell");
    text.lines().any(|line| says(line) && destroys_outside(line, context))
}

/// Whether the text takes something away that lies outside the project.
pub(crate) fn destroys_outside(text: &str, context: &Context) -> bool {
    let lower = text.to_lowercase();
    TAKES.iter().any(|word| lower.contains(word))
        && absolute_paths(text).any(|path| is_foreign(path, true, context))
}
