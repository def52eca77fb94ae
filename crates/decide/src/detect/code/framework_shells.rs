//! The shells of frameworks (`manage.py shell`, `rails console`, `artisan tinker`): interpreters of code or statements
//! that work on whatever data the project is set up for, and read what they are fed.

use portcullis_shell::{Command, Placement, Reading};

use super::actions::Language;
use crate::context::Context;
use crate::detect::{code, provenance::origin};
use crate::run_files::interpreters::{Given, given, is_language};
use crate::view::{Access, View};
use crate::view::{in_span, within};

/// Programs and scripts of frameworks, with their commands that read code or statements.
const SHELLS: &[(&str, &[&str])] = &[
    ("manage.py", &["shell", "shell_plus", "dbshell"]),
    ("django-admin", &["shell", "shell_plus", "dbshell"]),
    ("django", &["shell", "dbshell"]),
    ("rails", &["console", "c", "dbconsole", "db"]),
    ("artisan", &["tinker", "db"]),
    ("flask", &["shell"]),
    ("ace", &["repl"]),
    ("hanami", &["console", "db"]),
    ("yii", &["shell"]),
    ("wp", &["shell"]),
];

/// Pairs of words with which a statement, or one inside it, changes what a database holds.
const CHANGES: &[[&str; 2]] = &[
    ["delete", "from"],
    ["insert", "into"],
    ["replace", "into"],
    ["merge", "into"],
    ["load", "data"],
    ["truncate", "table"],
    ["truncate", "only"],
];

/// What is dropped, altered or created.
const KINDS: &[&str] = &[
    "table",
    "database",
    "schema",
    "index",
    "view",
    "column",
    "user",
    "role",
    "sequence",
    "materialized",
    "function",
    "procedure",
    "trigger",
    "type",
    "extension",
    "policy",
    "constraint",
    "owned",
];

/// First words that may hold another statement.
const HOLDERS: &[&str] = &["with", "explain", "begin", "do", "select"];

/// Commands of the shells of databases that run programs, or read and write files.
const OWN: &[&str] = &[
    ".shell",
    ".system",
    ".sh",
    ".sy",
    ".read",
    ".import",
    ".load",
    ".open",
    ".output",
    ".once",
    ".restore",
    "\\copy",
    "\\i",
    "\\ir",
    "\\o",
    "\\w",
    "\\g",
    "\\gexec",
    "\\setenv",
    "\\lo_import",
];

/// Whether the command is the shell of a framework.
pub(super) fn is_shell(command: &Command) -> bool {
    let words: Vec<&str> = std::iter::once(command.word.as_str())
        .chain(command.arguments.iter().map(|word| word.text.as_str()))
        .collect();
    words.iter().enumerate().any(|(at, word)| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let verb = words.iter().skip(at + 1).find(|word| !word.starts_with('-'));
        let known = SHELLS.iter().find(|(known, _)| *known == name);
        known.zip(verb).is_some_and(|((_, verbs), verb)| verbs.contains(verb))
    })
}

/// Whether what comes in is data for a script or for code of the line, and not itself run.
pub(in crate::detect) fn takes_data(command: &Command) -> bool {
    const RUNS: &[&str] = &[
        "exec",
        "eval",
        "compile",
        "system",
        "popen",
        "subprocess",
        "pickle",
        "marshal",
        "spawn",
        "child_process",
        "new function",
        "vm.",
        "yaml.load",
        "unsafe",
    ];
    let program = command.program.as_deref().unwrap_or_default();
    let plain = |code: &str| {
        // A pattern that is compiled and a text that is read as a value run nothing.
        let lower = code.to_lowercase().replace("re.compile(", "").replace("literal_eval(", "");
        !code.is_empty() && !RUNS.iter().any(|word| lower.contains(word))
    };
    is_language(program)
        && !is_shell(command)
        && match given(command) {
            Given::Script(script) => script != "-" && !script.starts_with("/dev/"),
            Given::Code(code) => plain(&code),
            Given::Input | Given::Unknown => false,
        }
}

/// Whether a word is a statement that changes data.
pub(super) fn is_statement(text: &str) -> bool {
    let lower = without_remarks(&text.to_lowercase()).replace(['(', ')'], " ");
    lower.split(';').any(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let second = words.get(1).copied().unwrap_or_default();
        let says = |word: &str| words.iter().skip(2).any(|it| *it == word);
        let pair = |pair: &[&str]| CHANGES.iter().any(|change| pair == change);
        match first {
            "update" => says("set"),
            "truncate" => words.len() == 2 || second.ends_with(',') || pair(&[first, second]),
            "drop" | "alter" | "create" => KINDS.contains(&second),
            "delete" => says("from") || second == "from",
            "grant" => says("to"),
            "revoke" => says("from"),
            "copy" => says("to") || says("from"),
            _ if HOLDERS.contains(&first) => words.windows(2).any(pair),
            _ => {
                pair(&[first, second])
                    || (OWN.contains(&first) && !second.is_empty())
                    || first.starts_with("\\!")
            }
        }
    })
}

/// The text without what is between `/*` and `*/`.
fn without_remarks(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        found.push(' ');
        found.push_str(part.split_once("*/").map_or(part, |(_, rest)| rest));
    }
    found
}

/// Whether a database is given something, among the words, that is not known to look only.
pub(super) fn tells_database(command: &Command) -> bool {
    const TASKS: &[&str] = &["db:query", "dbal:run-sql", "doctrine:query:sql", "sql:query"];
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let task = words.iter().position(|word| TASKS.contains(word));
    let told = task.and_then(|at| words.iter().skip(at + 1).find(|word| !word.starts_with('-')));
    let pairs = words.iter().zip(words.iter().skip(1));
    let behind = pairs.filter(|(option, _)| matches!(**option, "-c" | "--command")).map(|(_, text)| text);
    let attached = words.iter().filter_map(|word| word.strip_prefix("--command="));
    let mut given = behind.copied().chain(attached).filter(|_| is_database(command));
    told.is_some_and(|text| !looks(text)) || given.any(|text| !looks(text))
}

/// Whether the shell is one of the project's database.
fn is_database(command: &Command) -> bool {
    let verb = |word: &str| matches!(word, "dbshell" | "dbconsole" | "db");
    is_shell(command) && command.arguments.iter().any(|word| verb(&word.text))
}

/// Whether a text only asks a database: a query, or a command of its shell that lists tables.
fn looks(text: &str) -> bool {
    let lists = ["\\d", "\\l", ".tables", ".schema"].iter().any(|start| text.trim_start().starts_with(start));
    (lists && !text.contains(['\n', ';', '|', '!'])) || portcullis_shell::sql_only_looks(text)
}

/// Whether such a shell reads what the line gives it: text, a file, or what another command prints.
pub(in crate::detect) fn is_fed(command: &Command, view: &View, reading: &Reading) -> bool {
    is_shell(command)
        && !has_code(command)
        && (reads_file(command, view) || is_piped(command, reading) || view.line.contains("<<"))
}

/// What such a shell is fed that is more than looking at data.
pub(in crate::detect) fn fed(
    command: &Command,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Option<&'static str> {
    if !is_fed(command, view, reading) {
        return None;
    }
    if reads_file(command, view) || (is_piped(command, reading) && !fed_by_text(command, reading)) {
        return Some("runs what it is fed");
    }
    code::acts(&view.line, Language::of_input(command, &view.line), context)
        .or_else(|| (code::changes_data(&view.line) || has_statement(&view.line)).then_some("changes data"))
        .or_else(|| (is_database(command) && is_told(command, reading)).then_some("changes data"))
        .or_else(|| code::reaches_out(command, &view.line).then_some("reaches out"))
        .or_else(|| code::tells_secrets(&view.line).then_some("shows a secret"))
}

/// Whether the code is among the words: then nothing is read.
fn has_code(command: &Command) -> bool {
    // To these `-e` names the surroundings in which they work.
    let words =
        || std::iter::once(command.word.as_str()).chain(command.arguments.iter().map(|it| it.text.as_str()));
    let named = |word: &str| matches!(word.rsplit('/').next(), Some("rails" | "hanami"));
    let surroundings = words().any(named);
    let brings = |word: &str| match word {
        "-e" => !surroundings,
        word => matches!(word, "-c" | "--command" | "--execute" | "--eval"),
    };
    command.arguments.iter().any(|word| brings(word.text.split('=').next().unwrap_or_default()))
}

fn has_statement(line: &str) -> bool {
    line.split(['\'', '"', '\n', '|']).any(is_statement)
}

fn reads_file(command: &Command, view: &View) -> bool {
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    read.any(|path| in_span(path, command) && path.path != "/dev/null")
}

/// Whether the command, or what it is wrapped in, reads what another one prints.
fn is_piped(command: &Command, reading: &Reading) -> bool {
    let mut around = reading.commands.iter().filter(|outer| within(command.span, outer.span));
    around.any(|outer| outer.placement == Placement::Piped)
}

/// Whether a text that comes in is not known to look only.
fn is_told(command: &Command, reading: &Reading) -> bool {
    let mut said = said_before(command, reading).iter().map(|says| {
        let words = says.arguments.iter().map(|word| word.text.as_str());
        words.filter(|word| !word.starts_with('-')).collect::<Vec<_>>().join(" ")
    });
    said.any(|text| !looks(&text))
}

/// Whether all that comes in is text of the line.
fn fed_by_text(command: &Command, reading: &Reading) -> bool {
    let before = said_before(command, reading);
    let says = |command: &Command| {
        matches!(command.program.as_deref(), Some("echo" | "printf"))
            && command.arguments.iter().all(|word| word.literal)
    };
    !before.is_empty() && before.iter().all(says)
}

/// The commands whose output comes in.
fn said_before<'r>(command: &Command, reading: &'r Reading) -> &'r [Command] {
    let at = reading
        .commands
        .iter()
        .position(|outer| within(command.span, outer.span) && outer.placement == Placement::Piped);
    let pipeline = at.map_or(&[][..], |at| origin::pipeline(&reading.commands, at));
    pipeline.split_last().map_or(&[][..], |(_, before)| before)
}
