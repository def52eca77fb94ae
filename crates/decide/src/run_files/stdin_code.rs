//! Texts of a line that one of its commands runs as code: what it is fed, and what the line writes into a file that the
//! command runs. Rules look at them as at code among the words of a command (SPEC R4, R5).

use portcullis_shell::{Argument, Command, Dialect, Effects, Placement, Reading};

use super::executed;
use super::given;
use super::interpreters::{runs_fed, runs_input};
use super::written::by_line;
use crate::call::ToolCall;
use crate::context::Context;
use crate::view::{Access, View, in_span};

/// The texts that the command runs, each as a word of it.
pub(crate) fn code_of(command: &Command, view: &View, call: &ToolCall, context: &Context) -> Vec<Argument> {
    let Some(reading) = &view.reading else { return Vec::new() };
    let runs = Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PROJECT_CODE).and(Effects::PRIVILEGE);
    let written = by_line(view, reading);
    let handed = written.iter().filter(|(path, _)| is_handed(path, command, view, call, context));
    let mut texts: Vec<String> = handed.map(|(_, text)| text.clone()).collect();
    let word = |text| Argument {
        text,
        literal: true,
        several: false,
        choices: Vec::new(),
        printed: None,
        span: command.span,
    };
    if !command.own.meets(runs) {
        return texts.into_iter().map(word).collect();
    }
    if takes_code(command) {
        texts.extend(feeding(command, reading).flat_map(printed));
        texts.extend(view.line.split("<<").skip(1).map(str::to_owned));
    }
    let files = executed::files(command, call, context);
    if is_made(&files, view) {
        // In text that is evaluated, all commands stand in one place, and which of them wrote the file cannot be told.
        let before = reading.commands.iter().take_while(|other| !std::ptr::eq(*other, command));
        texts.extend(before.filter(|other| prints_words(other)).flat_map(printed));
    }
    texts.extend(written.into_iter().filter(|(path, _)| files.contains(path)).map(|(_, text)| text));
    texts.into_iter().map(word).collect()
}

/// Whether a command is handed a file that the line writes, and may run it: the file is its program, comes in as code, is
/// one of its words, or a variable or setting names it or its folder.
fn is_handed(path: &str, command: &Command, view: &View, call: &ToolCall, context: &Context) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if command.word == name {
        return true;
    }
    let place = |word: &str| executed::place(word, command, call, context);
    let given = given::values(command, &view.line).into_iter().any(|(_, value)| {
        value.text.split([':', ' ', '=']).any(|part| part.ends_with(name) || place(part) == folder)
    });
    let runs = command.own.meets(Effects::EXECUTES.and(Effects::UNKNOWN));
    let redirected = || {
        view.paths
            .iter()
            .any(|it| it.redirect && it.access == Access::Read && it.path == path && in_span(it, command))
    };
    given || (runs && (redirected() || command.arguments.iter().any(|word| word.text.ends_with(name))))
}

/// Whether the line writes one of these files.
fn is_made(files: &[String], view: &View) -> bool {
    view.paths.iter().any(|path| path.access == Access::Write && files.contains(&path.path))
}

/// Whether all that a command prints is among its words, and known.
fn prints_words(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("echo" | "printf"))
        && command.arguments.iter().all(|word| word.literal)
}

/// Whether the command may run what comes in: by its nature, or because a word of it says where its code comes from.
fn takes_code(command: &Command) -> bool {
    command.own.meets(Effects::UNKNOWN.and(Effects::PRIVILEGE)) || runs_input(command) || names_input(command)
}

/// Whether a word stands for what comes in, or for the output of a command in the line.
fn names_input(command: &Command) -> bool {
    let mut words = command.arguments.iter();
    words.any(|word| {
        let attached = word.text.starts_with('-') && word.text.ends_with('-') && word.text != "--";
        attached || word.text.contains("/dev/stdin") || is_substituted(word)
    })
}

/// Whether a word is the output of a command: `<(…)`.
fn is_substituted(word: &Argument) -> bool {
    !word.literal && word.text.contains("/dev/fd/")
}

/// The commands whose output the command gets.
fn feeding<'r>(command: &'r Command, reading: &'r Reading) -> impl Iterator<Item = &'r Command> {
    let within = |other: &Command| {
        other.placement == Placement::Process
            && command.span.start <= other.span.start
            && other.span.end <= command.span.end
    };
    let before = reading.commands.iter().take_while(|other| !std::ptr::eq(*other, command));
    // `tee >(bash)` is fed by what stands before it.
    let fed = matches!(command.placement, Placement::Piped | Placement::Process);
    before.filter(move |other| fed || within(other))
}

/// What a command may print of its own words: all of them, and without the first, which may be a format.
fn printed(command: &Command) -> Vec<String> {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let whole = words.join(" ");
    let without_format = words.get(1..).unwrap_or_default().join(" ");
    let lines = whole.replace("\\n", "\n").replace("\\t", "\t");
    let mut texts = vec![without_format, lines, whole];
    texts.extend(words.into_iter().map(str::to_owned));
    texts.dedup();
    texts
}

/// Whether the command runs the output of a command whose text the line does not show: `bash <(make-it)`.
pub(crate) fn runs_unseen(command: &Command, view: &View) -> bool {
    let Some(reading) = &view.reading else { return false };
    let runs = Effects::EXECUTES.and(Effects::PROJECT_CODE);
    let mut before = "";
    let named = command.arguments.iter().any(|word| {
        let script = matches!(before, "" | "-f" | "--file");
        // Behind options stands the script as well.
        before = if word.text.starts_with('-') && before.is_empty() && !is_file_option(&word.text) {
            ""
        } else {
            &word.text
        };
        script && is_substituted(word)
    });
    command.own.meets(runs) && named && !feeding(command, reading).all(prints_words)
}

/// The first command that runs what the line does not show.
pub(crate) fn unseen(view: &View) -> Option<&Command> {
    view.reading.iter().flat_map(|reading| &reading.commands).find(|command| runs_unseen(command, view))
}

/// Whether the next word is a file of code.
fn is_file_option(word: &str) -> bool {
    matches!(word, "-f" | "--file")
}

/// Whether the command runs what it reads, and the line may give it something: no word of a rule spells that out.
pub(crate) fn runs_what_it_is_fed(command: &Command, view: &View) -> bool {
    if !view.line.contains(['<', '|']) {
        return false;
    }
    // By its words alone, for what is fed may say what it does.
    let words = command.arguments.iter().map(|word| word.text.as_str());
    let words: Vec<&str> = std::iter::once(command.word.as_str()).chain(words).collect();
    let alone = portcullis_shell::read(&words.join(" "), Dialect::Bash);
    let by_words = alone.commands.last().map_or(command.own, |alone| alone.own);
    let own = by_words.and(command.own);
    // What names the package that it fetches runs that, and what comes in is data for it.
    own.meets(Effects::EXECUTES) && !own.meets(Effects::INSTALLS_NAMED) && runs_fed(command, own)
}
