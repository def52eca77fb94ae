//! The shells of frameworks (`manage.py shell`, `rails console`, `artisan tinker`): interpreters of code or statements
//! that work on whatever data the project is set up for, and read what they are fed.

use portcullis_shell::{Command, Placement, Reading};

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

/// Whether the command is the shell of a framework.
fn is_shell(command: &Command) -> bool {
    let own = std::iter::once(command.word.as_str());
    let words: Vec<&str> = own.chain(command.arguments.iter().map(|word| word.text.as_str())).collect();
    words.iter().enumerate().any(|(at, word)| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let verb = words.iter().skip(at + 1).find(|word| !word.starts_with('-'));
        let known = SHELLS.iter().find(|(known, _)| *known == name);
        known.zip(verb).is_some_and(|((_, verbs), verb)| verbs.contains(verb))
    })
}

/// Whether what comes in is data for a script or for code of the line, and not itself run.
pub(in crate::detect) fn takes_data(command: &Command) -> bool {
    const RUNS: &[&str] = phrases!(
        "exec|eval|compile|system|popen|subprocess|pickle|marshal|spawn|child_process|new function|vm.|yaml.load|unsafe"
    );
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
    const FIRST: &[&str] =
        words!("update delete drop alter create grant revoke truncate insert replace merge copy load");
    let lower = text.to_lowercase();
    lower.split(';').any(|part| {
        let first = part.split_whitespace().next().unwrap_or_default();
        FIRST.contains(&first)
            && part.split_whitespace().count() > 1
            && !portcullis_shell::sql_only_looks(part)
    })
}

/// Whether a database is given something, among the words, that is not known to look only.
pub(super) fn tells_database(command: &Command) -> bool {
    const TASKS: &[&str] = words!("db:query dbal:run-sql doctrine:query:sql sql:query");
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    let database =
        is_shell(command) && words.iter().any(|word| matches!(*word, "dbshell" | "dbconsole" | "db"));
    let brings = |option: &str| TASKS.contains(&option) || (database && matches!(option, "-c" | "--command"));
    let behind = pairs.filter(|(option, _)| brings(option)).map(|(_, text)| *text);
    let attached = words.iter().filter(|_| database).filter_map(|word| word.strip_prefix("--command="));
    behind.chain(attached).any(|text| !portcullis_shell::sql_only_looks(text))
}

/// Whether such a shell reads what the line gives it: text, a file, or what another command prints.
pub(in crate::detect) fn is_fed(command: &Command, view: &View, reading: &Reading) -> bool {
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    let file = read.any(|path| in_span(path, command) && path.path != "/dev/null");
    let mut around = reading.commands.iter().filter(|outer| within(command.span, outer.span));
    let piped = around.any(|outer| outer.placement == Placement::Piped);
    is_shell(command) && !has_code(command) && (file || piped || view.line.contains("<<"))
}

/// Whether the code is among the words: then nothing is read. To some, `-e` names the surroundings in which they work.
fn has_code(command: &Command) -> bool {
    let own = std::iter::once(command.word.as_str());
    let mut words = own.chain(command.arguments.iter().map(|it| it.text.as_str()));
    let surroundings = words.any(|word| matches!(word.rsplit('/').next(), Some("rails" | "hanami")));
    command.arguments.iter().any(|word| {
        let name = word.text.split('=').next().unwrap_or_default();
        matches!(name, "-c" | "--command" | "--execute" | "--eval") || (name == "-e" && !surroundings)
    })
}
