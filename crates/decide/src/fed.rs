//! Texts of a line that one of its commands runs as code: what it is fed, and what the line writes into a file that the
//! command runs. Rules look at them as at code among the words of a command (SPEC R4, R5).

use portcullis_shell::{Argument, Command, Dialect, Effects, Placement};

use crate::call::ToolCall;
use crate::context::Context;
use crate::harm;
use crate::view::View;

/// The texts that the command runs, each as a word of it.
pub(crate) fn code_of(command: &Command, view: &View, call: &ToolCall, context: &Context) -> Vec<Argument> {
    let Some(reading) = &view.reading else { return Vec::new() };
    let runs = Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PROJECT_CODE);
    if !command.own.meets(runs) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    if harm::runs_input(command) {
        let before = reading.commands.iter().take_while(|other| other.span != command.span);
        let printed = before.flat_map(|other| &other.arguments).map(|word| word.text.clone());
        texts.extend(printed.filter(|_| command.placement == Placement::Piped));
        texts.extend(view.line.split("<<").skip(1).map(str::to_owned));
    }
    let written = harm::scripts_of_line(view, reading);
    if !written.is_empty() {
        let files = harm::files_run(command, call, context);
        texts.extend(written.into_iter().filter(|(path, _)| files.contains(path)).map(|(_, text)| text));
    }
    let word =
        |text| Argument { text, literal: true, several: false, choices: Vec::new(), span: command.span };
    texts.into_iter().map(word).collect()
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
    own.meets(Effects::EXECUTES) && !own.meets(Effects::INSTALLS_NAMED) && harm::runs_fed(command, own)
}
