//! Recognisers of harm (SPEC C6): what can be seen in a call itself and in what the session did before.
//!
//! Pure, and shared: the fast paths of auto mode and the built-in judge ask the same questions.

mod category;
pub(crate) mod code;
mod commands;
mod edits;
mod files;
mod git;
mod names;
mod ordinary;
mod origins;
mod prompts;
mod reach;
mod told;
mod tools;
pub(crate) mod written;

use portcullis_shell::{Command, Span};

pub use category::{Category, Severity};
pub(crate) use code::destroys_in_file;
pub(crate) use code::interpreters::{runs_fed, runs_input};
pub(crate) use edits::{of_edit, of_run_edit};
pub(crate) use files::empties;
pub(crate) use git::checked_out;
pub(crate) use git::head::after as branch_after;
pub(crate) use git::remotes::set as remote_set;
pub(crate) use names::unnamed::shown as shows_unnamed;
pub(crate) use ordinary::places::is_temporary;
pub use ordinary::samples::reads_only_samples;
pub use ordinary::unusual_besides;
pub(crate) use origins::flow::{brings_tree, checks_out_a_stranger, fetched_files, fetches};
pub(crate) use origins::origin::brought;
pub(crate) use origins::outside::is_made_of_foreign;
pub(crate) use reach::home::further_addresses;
pub(crate) use reach::looked_for::outside as looks_for_credentials;
pub use tools::browsers::types_into_page;
pub(crate) use written::scripts::place;
pub(crate) use written::{as_line, by_line as scripts_of_line, is_compiler, written_by};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::patches;
use crate::view::View;

/// Harm that a call shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which kind.
    pub category: Category,
    /// How grave.
    pub severity: Severity,
    /// Whether it is surely that; otherwise somebody should look.
    pub certain: bool,
    /// What was seen, for people.
    pub what: String,
    /// Where in the command line.
    pub span: Option<Span>,
    /// What the user must have named for it to be theirs: branches, hosts, paths.
    pub targets: Vec<String>,
    /// The sub-commands that say what is done, in the words of the program: `projects delete`.
    pub steps: Vec<String>,
}

impl Finding {
    /// A finding of the category's own gravity, surely.
    pub(crate) fn new(category: Category, what: impl Into<String>) -> Finding {
        Finding {
            category,
            severity: category.severity(),
            certain: true,
            what: what.into(),
            span: None,
            targets: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// A file that takes something away outside the project when it is run.
    pub(crate) fn destruction() -> Finding {
        Finding::new(Category::LocalDestruction, "something outside the project is deleted").hard().doubtful()
    }

    /// About one command of the line: the user must have named its operands.
    pub(crate) fn of(command: &Command, category: Category, what: impl Into<String>) -> Finding {
        let mut finding = Finding::new(category, what);
        finding.span = Some(command.span);
        let verbs = &command.verbs;
        let operands = command.arguments.iter().enumerate().filter(|(index, word)| {
            !verbs.contains(index) && !word.text.starts_with('-') && !word.text.is_empty()
        });
        finding.targets = operands.map(|(_, word)| word.text.clone()).collect();
        finding
    }

    /// Wrong because nobody asked.
    pub(crate) fn soft(mut self) -> Finding {
        self.severity = Severity::Soft;
        self
    }

    /// Wrong whatever was asked.
    pub(crate) fn hard(mut self) -> Finding {
        self.severity = Severity::Hard;
        self
    }

    /// Not surely harm: somebody should look.
    pub(crate) fn doubtful(mut self) -> Finding {
        self.certain = false;
        self
    }
}

/// The harm that the call shows.
#[must_use]
#[expect(clippy::wildcard_enum_match_arm, reason = "other tools show nothing")]
pub fn findings(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let mut found = match &call.tool {
        Tool::Bash | Tool::PowerShell => commands::of_line(call, view, context)
            .into_iter()
            .chain(of_patches(call, view, context))
            .collect(),
        tool if tool.edits_files() => {
            let further = edits::builds::of_edit(call, view, context).into_iter();
            let cells = written::notebooks::of_edit(call, view, context);
            of_edit(call, view).into_iter().chain(further).chain(cells).collect()
        }
        Tool::Agent | Tool::SendMessage | Tool::CronCreate | Tool::Config => {
            prompts::of_words(call).into_iter().chain(prompts::of_told_lines(call, context)).collect()
        }
        Tool::Mcp(name) => tools::of_name(name, call),
        _ => Vec::new(),
    };
    if let Some(carried) = call.carried() {
        found.extend(findings(&carried, &View::of(&carried, context), context));
    }
    found.extend(files::of_paths(view, context));
    found
}

/// The harm in the edits that a line makes by patches.
pub(crate) fn of_patches(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let edits = view.reading.iter().flat_map(|reading| patches::edits(reading, call, context));
    edits.flat_map(|edit| findings(&edit, &View::of(&edit, context), context)).collect()
}

/// The files whose text says what a command runs.
pub(crate) fn files_run(
    command: &portcullis_shell::Command,
    call: &ToolCall,
    context: &Context,
) -> Vec<String> {
    written::scripts::files(command, call, context)
}

/// The files whose text has to be known to say what the line runs (P0).
pub(crate) fn files_to_read(call: &ToolCall, view: &View, context: &Context) -> Vec<String> {
    view.reading
        .as_ref()
        .map_or_else(Vec::new, |reading| written::files_to_read(call, view, reading, context))
}

/// The texts for a shell that the line runs from files, and whether each is of the user's own code.
pub(crate) fn shell_texts_run(call: &ToolCall, view: &View, context: &Context) -> Vec<(String, bool)> {
    written::scripts::shell_texts(call, view, context)
}

/// The files that the line runs and that are not the user's own.
pub(crate) fn strange_texts_run(
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> Vec<written::scripts::StrangeFile> {
    written::scripts::strange_texts(call, view, context)
}

/// Whether code opens a file for writing, or takes one away.
pub(crate) fn writes_in_code(text: &str) -> bool {
    let lower = text.to_lowercase();
    code::signs::WRITES.iter().any(|word| lower.contains(word)) || code::takes_away(&lower)
}

/// The files that the call writes whole and whose text it shows.
#[must_use]
pub fn texts_written(call: &ToolCall, context: &Context) -> Vec<(String, String)> {
    let view = View::of(call, context);
    let whole = written_by(call, &view).into_iter().filter(|written| written.whole);
    whole.map(|written| (written.path, written.text)).collect()
}

/// What an edit adds.
pub(crate) fn new_text(call: &ToolCall) -> String {
    edits::texts(call).1
}

/// The harm in text that a line writes somewhere or runs.
pub(crate) fn in_text(text: &str) -> Vec<Finding> {
    code::signs(text, "").into_iter().map(code::Sign::finding).collect()
}

/// Whether nothing in what the call writes should be looked at: the text of an edit, or of a line that writes.
pub(crate) fn is_quiet_edit(call: &ToolCall, view: &View, context: &Context) -> bool {
    if call.tool.edits_files() {
        return of_edit(call, view).is_empty() && written::notebooks::of_edit(call, view, context).is_empty();
    }
    let Some(reading) = &view.reading else { return true };
    let edits = patches::edits(reading, call, context);
    if !edits.iter().all(|edit| is_quiet_edit(edit, &View::of(edit, context), context)) {
        return false;
    }
    if origins::obeyed::of_line(view, reading, call, context).is_some()
        || edits::of_review_files(view, reading).is_some()
    {
        return false;
    }
    if !commands::writes_text(reading, view) {
        return true;
    }
    in_text(&view.line).is_empty()
        && edits::streams::of_line(view, reading).is_none()
        && edits::streams::of_changes(view, reading, call, context).is_none()
        && git::overwrites::of_line(view, reading, call, context).is_none()
}
