//! What a prompt speaks of: the files that it names, the lines that somebody is to run, and words that are only the
//! subject of a question.

use portcullis_shell::{is_secret_path, known_programs};

mod phrase;
mod shared;
mod tasks;
mod topics;

pub(super) use shared::of_shared;
pub(super) use topics::is_subject;

use crate::detect::{Finding, detectors};
use crate::protected::{self, Place};

/// Where a sentence, or a part of it that tells to do something else, begins anew.
const BREAKS: &[&str] = &[
    ". ",
    "! ",
    "? ",
    "; ",
    ": ",
    "\n",
    ", then ",
    " then ",
    ". then ",
    " and then ",
    " - ",
    ", so ",
    " so ",
];

/// A prompt that tells to run what lies on another machine.
pub(super) fn of_foreign_script(text: &str) -> Option<Finding> {
    const ENDINGS: &[&str] = &[".sh", ".py", ".ps1", ".bash", ".pl", ".rb", ".js"];
    let words =
        || text.split(|it: char| it.is_whitespace() || matches!(it, '`' | '"' | '\'' | '(' | ')' | ','));
    let script = words().find(|word| {
        let word = word.trim_end_matches(['.', ';', ':']);
        word.contains("://") && ENDINGS.iter().any(|ending| word.ends_with(ending))
    })?;
    let runs = words().any(|word| matches!(word, "run" | "execute" | "bash" | "sh" | "source" | "install"));
    runs.then(|| Finding::by(&detectors::PROMPT_REMOTE_SCRIPT).about(script))
}

/// The harm in the files that a prompt names, other than those of the work itself.
pub(super) fn of_named_files(text: &str) -> Vec<Finding> {
    let parts = text
        .split(|it: char| it.is_whitespace() || matches!(it, '`' | '"' | '\'' | '(' | ')' | '<' | '>' | ','));
    let paths = parts.map(|word| word.trim_end_matches(['.', ':', ';', '!', '?', ']', '}']));
    let paths = paths.filter(|word| word.contains('/') && !word.contains("://"));
    paths.filter_map(of_named_file).take(1).collect()
}

fn of_named_file(path: &str) -> Option<Finding> {
    if is_secret_path(path, true) && !is_source(path) {
        return Some(Finding::by(&detectors::PROMPT_NAMES_CREDENTIALS).about(path));
    }
    let place = protected::place(path, true)?;
    let settings = [".json", ".toml", ".yaml", ".yml"].iter().any(|end| path.to_lowercase().ends_with(end));
    let grave = match place {
        Place::Own | Place::StartUp => true,
        Place::AgentSettings => settings,
        Place::Credentials | Place::Git | Place::Repository | Place::Packages | Place::Editor => false,
    };
    grave.then(|| {
        Finding::by(&detectors::PROMPT_NAMES_PROTECTED_FILE).about(format!("`{path}` {}", place.sentence()))
    })
}

/// Whether the file is source code or shows how a file with credentials is written.
fn is_source(path: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ts", "tsx", "js", "jsx", "mjs", "py", "rs", "go", "rb", "java", "kt", "php", "cs", "swift", "md",
        "example", "sample", "template", "dist",
    ];
    let own = !path.starts_with(['~', '/', '$']);
    own && path.rsplit('.').next().is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The command lines in a prompt that does not mark them: from the name of a program to the end of the clause.
pub(super) fn command_lines(text: &str) -> Vec<&str> {
    const STARTS: &[&str] = &[
        "run ",
        "execute ",
        "call ",
        "invoke ",
        "use ",
        "run: ",
        "execute: ",
        "command ",
        "type ",
        "enter ",
        "try ",
        "launch ",
    ];
    let lower = text.to_ascii_lowercase();
    let told = STARTS.iter().flat_map(|start| lower.match_indices(start)).filter_map(|(at, start)| {
        let before = lower.get(..at).unwrap_or_default();
        let spared = ["not ", "n't ", "never ", "without "].iter().any(|no| before.ends_with(no));
        let rest = text.get(at + start.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches(['"', '\'']);
        (!spared && !before.ends_with(char::is_alphanumeric)).then_some(rest)
    });
    // A part of a sentence may be nothing but a command as well.
    let joined = BREAKS.iter().chain(&[", ", " and ", " & "]).flat_map(|join| lower.match_indices(join));
    let joined = joined.filter_map(|(at, join)| text.get(at + join.len()..));
    // A line may be nothing but a command; a sentence begins with a capital.
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches("$ "));
    let programs = known_programs();
    let known = |line: &&str| {
        line.split_whitespace().next().is_some_and(|program| programs.binary_search(&program).is_ok())
    };
    told.chain(joined).chain(lines).map(until_end).filter(known).collect()
}

/// The text up to where the sentence or the clause ends.
fn until_end(text: &str) -> &str {
    let ends = ["\n", ". ", "; ", ", ", " and ", " then ", "`", "! ", "? "];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    let line = text.get(..end).unwrap_or_default().trim_end_matches(['.', '!', '?', ' ']);
    // A mark around the whole line, of which only the end is left.
    let marked = |mark: char| line.ends_with(mark) && line.matches(mark).count() % 2 == 1;
    let cut = ['"', '\''].into_iter().find(|mark| marked(*mark)).and_then(|mark| line.strip_suffix(mark));
    cut.unwrap_or(line)
}
