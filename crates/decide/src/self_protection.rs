//! Self-protection (SPEC S5): refuses every call that would change the gate itself, in every mode.
//!
//! The gate's parts are its settings, state and socket, its programs wherever they lie, its processes, and the hook
//! entries in agents' settings. No rule, mode, judge or approval lets an agent change them; people use their own terminal.

mod agent_settings;
mod lines;
mod processes;

use portcullis_shell::{Argument, Command, Effects, Reading};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::glob::{self, Match, Sign};
use crate::path::is_within;
use crate::protected::{self, Place};
use crate::ruling::{Check, Part, Reason};
use crate::run_files::texts;
use crate::safety;
use crate::view::path_resolution;
use crate::view::{Access, PathUse, View};

pub(crate) use agent_settings::questions;

/// The name of the program.
const PROGRAM: &str = "portcullis";
/// What its small sister, which agents start before every call, is called behind that name.
const HOOK: &str = "-hook";
/// The name of its socket, wherever the state folder lies.
const SOCKET: &str = "portcullis.sock";

/// Commands that only show something.
const LOOKS: &[&str] = &[
    "auto-mode",
    "check",
    "doctor",
    "eval",
    "explain",
    "grants",
    "help",
    // Anybody may lock.
    "lock",
    "log",
    "mode",
    "programs",
    "read",
    "replay",
    "rules",
    "schema",
    "settings",
    "stats",
    "status",
    "test",
];
/// Commands by which people tell the gate something.
const TELLS: &[&str] = &[
    "allow",
    "approve",
    "grants",
    "hook",
    "import",
    "install",
    "learn",
    "mode",
    "pause",
    "serve",
    "trust",
    "uninstall",
    "unlock",
];

/// Why the call is refused, if it would change the gate.
pub(crate) fn refused(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    changed_path(view, context)
        .or_else(|| agent_settings::changed(call, view, context))
        .or_else(|| in_line(call, view, context))
        .or_else(|| in_files(call, view, context))
        .or_else(|| in_fields(call, context))
}

/// Fields of tools that run code, or that change the agent's own settings.
fn in_fields(call: &ToolCall, context: &Context) -> Option<Reason> {
    let carries = matches!(call.tool, Tool::Mcp(_)) && call.carried().is_some();
    let runs = carries || matches!(call.tool, Tool::Repl | Tool::Unknown(_));
    if !runs && call.tool != Tool::Config {
        return None;
    }
    let text = call.input.to_string();
    let switches = !runs && agent_settings::speaks_of_hooks(&text);
    let names = runs && (in_code(&text, context) || says_command(&text));
    (names || switches).then(|| reason("it would change Portcullis itself", None))
}

/// Whether text that the session writes into a file names a part of the gate: then the file is not run.
pub(crate) fn names_gate(text: &str, context: &Context) -> bool {
    in_code(text, context) || says_command(text) || processes::kills_in_code(text, context)
}

/// The same for the files that the line runs: the session's own, and those of unknown origin.
fn in_files(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    texts::strange_texts(call, view, context).into_iter().find_map(|file| {
        let inner = |text: &String| {
            let (line, inner) = texts::as_line(text, &call.cwd, context);
            let view = View::of(&line, &inner);
            changed_path(&view, &inner).or_else(|| in_line(&line, &view, &inner)).is_some()
        };
        (names_gate(&file.text, context) || file.lines.iter().any(inner))
            .then(|| reason(&format!("`{}` reaches into Portcullis itself", file.path), None))
    })
}

/// The same for a command line alone.
fn in_line(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let reading = view.reading.as_ref()?;
    let speaks = |command: &&Command| tells(command) || connects(command) || runs(command, &view.line);
    if let Some(command) = reading.commands.iter().find(speaks) {
        let part = Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) };
        return Some(reason(&format!("`{}` speaks to Portcullis itself", part.text), Some(part)));
    }
    if let Some(command) = processes::acted_on(reading, view, context) {
        let part = Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) };
        return Some(reason(&format!("`{}` reaches a process of Portcullis", part.text), Some(part)));
    }
    if let Some(why) = lines::reaches(reading, call, view, context) {
        return Some(reason(why, None));
    }
    let mut words = safety::protected_words(reading, view, call, context);
    let word = words.find_map(|(place, word)| (place == Place::Own).then_some(word));
    let word = word.or_else(|| named_in_words(reading, call, context))?;
    let part = Part { text: word.span.of(&view.line).to_owned(), span: Some(word.span) };
    Some(reason(&format!("`{}` names a part of Portcullis", part.text), Some(part)))
}

fn reason(what: &str, part: Option<Part>) -> Reason {
    let detail = format!("{what}; no agent may change it, people use a terminal of their own");
    Reason::Safety { check: Check::SelfProtection, detail, classifier_approvable: false, part }
}

/// A part of the gate among the paths that the call writes, deletes or moves.
fn changed_path(view: &View, context: &Context) -> Option<Reason> {
    let mut touched = view.paths.iter().filter(|path| path.access != Access::Read);
    let path = touched.find(|path| is_own(path, context))?;
    let part = Part { text: path.named.clone(), span: path.span };
    Some(reason(&format!("`{}` belongs to Portcullis itself", path.named), Some(part)))
}

/// Whether the path is, could be, or takes away a part of the gate.
fn is_own(path: &PathUse, context: &Context) -> bool {
    path_resolution::names(path, context).all.iter().any(|name| {
        protected::place(name, path.literal) == Some(Place::Own)
            || is_program(name)
            || context.gate.paths.iter().any(|own| meets(name, own, path, context))
    })
}

/// Whether a file of a folder for programs is called like one of the gate's: found first, it would run in its place.
fn is_program(name: &str) -> bool {
    let (folder, file) = name.rsplit_once('/').unwrap_or_default();
    folder.ends_with("/bin") && file.strip_prefix(PROGRAM).is_some_and(|rest| rest.is_empty() || rest == HOOK)
}

/// Whether a name is a part of the gate, lies in one, or is deleted together with one.
fn meets(name: &str, own: &str, path: &PathUse, context: &Context) -> bool {
    let fold = |text: &str| if context.fold_case { text.to_lowercase() } else { text.to_owned() };
    let (name, own) = (fold(name), fold(own));
    // Losing the home directory or what lies above it is a catastrophe, which has a check of its own.
    let above = path.access == Access::Delete && !is_within(&fold(&context.home), &name);
    if path.literal {
        return is_within(&name, &own) || (above && is_within(&own, &name));
    }
    if !path.glob {
        return false;
    }
    // A pattern that ends at the home directory or above it is a catastrophe, too.
    let below_home = name.split('/').count() > fold(&context.home).trim_end_matches('/').split('/').count();
    let (mut pattern, mut parts) = (name.split('/'), own.split('/'));
    loop {
        match (pattern.next(), parts.next()) {
            (None, Some(_)) => return above && below_home,
            (_, None) => return true,
            (Some(pattern), Some(part)) if part_matches(pattern, part) => {}
            (Some(_), Some(_)) => return false,
        }
    }
}

/// Whether a name with wildcards finds this one. Without a dot of its own a pattern finds no hidden name.
fn part_matches(pattern: &str, part: &str) -> bool {
    if part.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<Sign> = glob::signs(pattern, true).collect();
    let part: Vec<Sign> = glob::signs(part, false).collect();
    glob::matches(&pattern, &part) == Match::Yes
}

/// A word of a command that does more than read, and that names a part of the gate by its whole path.
fn named_in_words<'r>(reading: &'r Reading, call: &ToolCall, context: &Context) -> Option<&'r Argument> {
    let acting = reading.commands.iter().filter(|command| !command.own.is_harmless());
    let mut words = acting.flat_map(|command| command.arguments.iter().map(move |word| (command, word)));
    words.find_map(|(command, word)| {
        let names = |text: &str| {
            let path = context.absolute(text, &call.cwd);
            text.contains('/') && context.gate.paths.iter().any(|own| is_within(&path, own))
        };
        let runs = command.own.meets(Effects::EXECUTES.and(Effects::UNKNOWN));
        let coded = runs && in_code(&word.text, context);
        (coded || crate::matching::mentions::spellings(&word.text).any(names)).then_some(word)
    })
}

/// Names of the gate's files that mean nothing else wherever they lie.
const OWN_FILES: &[&str] = &["portcullis.sock", "portcullis.db", "audit.head"];

/// Whether code names a part of the gate in its texts, in one piece or put together from neighbouring ones.
fn in_code(text: &str, context: &Context) -> bool {
    let lower = text.to_lowercase();
    if !lower.contains("cullis")
        && !lower.contains("portcu")
        && !OWN_FILES.iter().any(|it| lower.contains(it))
    {
        return false;
    }
    let folders: Vec<String> =
        context.gate.paths.iter().map(|own| tail(own, context).to_lowercase()).collect();
    let names = |text: &str| {
        folders.iter().any(|folder| text.contains(folder.as_str()))
            || OWN_FILES.iter().any(|file| text.contains(file))
            || ["state/portcullis", "config/portcullis", "/.portcullis/"].iter().any(|it| text.contains(it))
    };
    let texts: Vec<&str> = quoted(&lower);
    let joined = |between: &str| texts.join(between);
    names(&lower) || names(&joined("/")) || names(&joined(""))
}

/// The end of a path that says what it is wherever the home directory lies.
fn tail<'p>(own: &'p str, context: &Context) -> &'p str {
    own.strip_prefix(context.home.as_str())
        .filter(|_| context.home.len() > 1)
        .unwrap_or(own)
        .trim_start_matches('/')
}

/// The texts in quotes.
fn quoted(code: &str) -> Vec<&str> {
    code.split(['"', '\'', '`']).skip(1).step_by(2).collect()
}

/// `portcullis allow 17`: a command that loosens the gate or starts it.
fn tells(command: &Command) -> bool {
    match command.program.as_deref().and_then(|name| name.strip_prefix(PROGRAM)) {
        Some("") => {}
        // It only hands over calls, and says of them what a person answered: nothing of it is for looking.
        Some(HOOK) => return true,
        Some(_) | None => return false,
    }
    if command.assignments.iter().any(|(name, _)| name.starts_with("LD_") || name.starts_with("DYLD_")) {
        return true;
    }
    let changes = Effects::WRITES.and(Effects::DELETES).and(Effects::SYSTEM).and(Effects::EXECUTES);
    let verb = command.arguments.iter().find(|word| !word.text.starts_with('-'));
    // What the table does not know about a command that shows something is only unknown.
    let looks = |verb: &Argument| verb.literal && LOOKS.contains(&verb.text.as_str());
    command.own.meets(changes) || verb.is_some_and(|verb| !looks(verb))
}

/// A connection to the socket, or to one that may be it.
fn connects(command: &Command) -> bool {
    let talks = Effects::NETWORK_READ
        .and(Effects::NETWORK_WRITE)
        .and(Effects::SENDS_DATA)
        .and(Effects::EXECUTES)
        .and(Effects::UNKNOWN);
    command.own.meets(talks)
        && (command.arguments.iter().any(|word| says(&word.text, SOCKET)) || may_be_ours(command))
}

/// A Unix socket whose name is only known at run time.
fn may_be_ours(command: &Command) -> bool {
    let unclear = |word: &Argument| !word.literal;
    match command.program.as_deref() {
        Some("curl") => {
            let follows = command.arguments.windows(2).any(|pair| match pair {
                [option, value] => option.text == "--unix-socket" && unclear(value),
                _ => false,
            });
            let glued = |word: &Argument| unclear(word) && word.text.starts_with("--unix-socket=");
            follows || command.arguments.iter().any(glued)
        }
        Some("nc" | "ncat" | "netcat" | "nc.openbsd") => {
            let unix = |word: &Argument| word.text == "--unixsock" || is_short(&word.text, 'U');
            command.arguments.iter().any(unix) && command.arguments.iter().any(unclear)
        }
        Some("socat") => {
            let unix = |word: &Argument| unclear(word) && says(&word.text, "unix");
            command.arguments.iter().any(|word| unix(word) || (unclear(word) && word.text.starts_with('*')))
        }
        _ => false,
    }
}

fn is_short(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

/// Code or keys that say one of the gate's commands, or name its socket: `tmux send-keys 'portcullis allow 3'`.
fn runs(command: &Command, line: &str) -> bool {
    if !command.own.meets(Effects::EXECUTES.and(Effects::UNKNOWN)) {
        return false;
    }
    // The code may come from the words or, for an interpreter, from anywhere in the line.
    let words = command.arguments.iter().map(|word| word.text.as_str());
    words.chain([line]).any(|text| says(text, SOCKET) || says_command(text))
}

fn says(text: &str, name: &str) -> bool {
    text.to_ascii_lowercase().contains(name)
}

/// Whether a command that people give the gate stands in the text, in any quoting: `['portcullis', 'allow']`.
fn says_command(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.split(PROGRAM).skip(1).any(|rest| {
        let rest = rest.strip_prefix(HOOK).unwrap_or(rest);
        let after = rest.trim_start_matches(|it: char| it.is_whitespace() || "'\",[]()\\".contains(it));
        let gap = rest.len() - after.len();
        let word: String = after.chars().take_while(char::is_ascii_lowercase).collect();
        gap > 0 && TELLS.contains(&word.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [W1]
    #[test]
    fn commands_are_found_in_code_and_not_in_other_words() {
        for text in [
            "portcullis allow 17",
            "subprocess.run(['portcullis', 'allow', '17'])",
            "exec(\"/usr/bin/portcullis\", \"pause\")",
            "PORTCULLIS  Serve --stop",
            "portcullis-hook hook generic",
            "['portcullis-hook', 'hook', agent]",
        ] {
            assert!(says_command(text), "{text}");
        }
        for text in [
            "portcullis-allow",
            "portcullis check x",
            "portcullisallow",
            "import portcullis",
            "portcullis-hook.rs",
            "portcullis-hooked allow",
        ] {
            assert!(!says_command(text), "{text}");
        }
    }
}
