//! Detectors of harm (SPEC C6): what a call itself shows, and what the session did before.
//!
//! [`findings`] returns the [`Finding`]s in a call; each names its [`Detector`], whose [`Category`], [`Severity`] and
//! documentation users see. [`detectors`] lists all of them. The fast paths of auto mode and the built-in judge ask
//! the same questions, so both live here.

#[macro_use]
mod words;

mod code;
mod commands;
mod detectors;
mod edits;
mod effect_labels;
mod files;
mod git;
mod names;
mod prompts;
mod provenance;
mod remote;
mod routine;
mod scripts;
mod tools;

use std::collections::BTreeMap;

use portcullis_shell::{Command, Span};

pub(crate) use code::destroys_in_file;
pub(crate) use detectors::of_category;
pub use detectors::{detector, detectors};
pub(crate) use edits::{of_edit, of_run_edit};
pub(crate) use files::empties;
pub(crate) use git::checked_out;
pub(crate) use git::head::after as branch_after;
pub(crate) use git::remotes::set as remote_set;
pub(crate) use names::unnamed::shown as shows_unnamed;
pub(crate) use provenance::flow::{brings_tree, checks_out_a_stranger, fetched_files, fetches};
pub(crate) use provenance::origin::brought;
pub(crate) use provenance::outside::is_made_of_foreign;
pub(crate) use remote::home::further_addresses;
pub(crate) use remote::looked_for::outside as looks_for_credentials;
pub(crate) use routine::places::may_have_been_there;
pub use routine::samples::reads_only_samples;
pub use routine::unusual_besides;
pub use tools::browsers::types_into_page;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
pub use crate::detector::{Category, Certainty, Detector, Example, Level, Severity};
pub use crate::run_files::written::texts_written;
use crate::view::View;
use crate::view::patches;

/// Harm that a detector found in a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The detector.
    pub detector: &'static Detector,
    /// The severity in this call.
    pub severity: Severity,
    /// Whether it is certain; otherwise somebody should look.
    pub certain: bool,
    /// What was found, for people.
    pub what: String,
    /// The part of the command line.
    pub span: Option<Span>,
    /// What the user must have named to have asked for it: branches, hosts, paths.
    pub targets: Vec<String>,
    /// The sub-commands that say what is done, such as `projects delete`.
    pub steps: Vec<String>,
}

impl Finding {
    /// As the detector has it: for what no single command of a line does.
    pub(crate) fn by(detector: &'static Detector) -> Finding {
        Finding {
            detector,
            severity: detector.severity,
            certain: detector.certainty == Certainty::Certain,
            what: detector.message.to_owned(),
            span: None,
            targets: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// About one command of the line: the user must have named its operands.
    pub(crate) fn on(detector: &'static Detector, command: &Command) -> Finding {
        let mut finding = Finding::by(detector);
        if finding.what.contains("{program}") {
            let name = command.program.as_deref().map_or("a command".to_owned(), |name| format!("`{name}`"));
            finding.what = finding.what.replace("{program}", &name);
        }
        finding.at(command)
    }

    /// With the command where it was seen, whose operands the user must have named.
    fn at(mut self, command: &Command) -> Finding {
        self.span = Some(command.span);
        let verbs = &command.verbs;
        let operands = command.arguments.iter().enumerate().filter(|(index, word)| {
            !verbs.contains(index) && !word.text.starts_with('-') && !word.text.is_empty()
        });
        self.targets = operands.map(|(_, word)| word.text.clone()).collect();
        self
    }

    /// With what it is about in place of `{}` in the message.
    pub(crate) fn about(mut self, detail: impl std::fmt::Display) -> Finding {
        self.what = self.what.replacen("{}", &detail.to_string(), 1);
        self
    }

    /// Code that deletes something outside the project when it is run.
    pub(crate) fn destruction() -> Finding {
        Finding::by(&detectors::CODE_DELETES_OUTSIDE)
    }

    /// The category of harm.
    #[must_use]
    pub fn category(&self) -> Category {
        self.detector.category
    }

    /// Category and finding in one line, for people: `Destructive git: …`.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.category().title(), self.what)
    }

    /// Wrong because nobody asked.
    pub(crate) fn soft(mut self) -> Finding {
        self.severity = Severity::Soft;
        self
    }

    /// As the user's settings have its detector; nothing where they switch it off.
    fn at_level(mut self, levels: &BTreeMap<String, Level>) -> Option<Finding> {
        match levels.get(self.detector.id) {
            None => {}
            Some(Level::Off) => return None,
            Some(Level::Ask) => self.certain = false,
            Some(Level::Deny) => (self.certain, self.severity) = (true, Severity::Hard),
        }
        Some(self)
    }

    /// Not surely harm: somebody should look.
    pub(crate) fn doubtful(mut self) -> Finding {
        self.certain = false;
        self
    }
}

/// All harm that detectors find in the call, as the user's settings have it.
#[must_use]
pub fn findings(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let found = every_finding(call, view, context).into_iter();
    found.filter_map(|finding| finding.at_level(&context.detectors)).collect()
}

/// The harm that the call shows and that the user's settings pass over (L3).
#[must_use]
pub fn switched_off(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    if !context.detectors.values().any(|level| *level == Level::Off) {
        return Vec::new();
    }
    let is_off = |finding: &Finding| context.detectors.get(finding.detector.id) == Some(&Level::Off);
    every_finding(call, view, context).into_iter().filter(is_off).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other tools show nothing")]
fn every_finding(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let mut found = match &call.tool {
        Tool::Bash | Tool::PowerShell => commands::of_line(call, view, context)
            .into_iter()
            .chain(of_patches(call, view, context))
            .collect(),
        tool if tool.edits_files() => {
            let further = edits::of_build_edit(call, view, context).into_iter();
            let cells = scripts::notebooks::of_edit(call, view, context);
            of_edit(call, view).into_iter().chain(further).chain(cells).collect()
        }
        Tool::Agent | Tool::SendMessage | Tool::CronCreate | Tool::Config => {
            prompts::of_words(call).into_iter().chain(prompts::of_command_lines(call, context)).collect()
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

/// The finding for a credential in text that goes to others. The caller has found the credential.
#[must_use]
pub fn secret_handed_over() -> Finding {
    Finding::by(&detectors::IN_OUTGOING_TEXT)
}

/// The harm in the edits that a line makes by patches.
pub(crate) fn of_patches(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let edits = view.reading.iter().flat_map(|reading| patches::edits(reading, call, context));
    edits.flat_map(|edit| findings(&edit, &View::of(&edit, context), context)).collect()
}

/// Whether code opens a file for writing, or takes one away.
pub(crate) fn writes_in_code(text: &str) -> bool {
    let lower = text.to_lowercase();
    code::signs::WRITES.iter().any(|word| lower.contains(word)) || code::takes_away(&lower)
}

/// The harm in text that a line writes somewhere or runs.
pub(crate) fn in_text(text: &str) -> Vec<Finding> {
    code::signs(text, "").into_iter().map(code::Sign::finding).collect()
}

/// Whether nothing in what the call writes should be looked at: the text of an edit, or of a line that writes.
pub(crate) fn is_quiet_edit(call: &ToolCall, view: &View, context: &Context) -> bool {
    if call.tool.edits_files() {
        return of_edit(call, view).is_empty() && scripts::notebooks::of_edit(call, view, context).is_empty();
    }
    let Some(reading) = &view.reading else { return true };
    let edits = patches::edits(reading, call, context);
    if !edits.iter().all(|edit| is_quiet_edit(edit, &View::of(edit, context), context)) {
        return false;
    }
    if provenance::obeyed::of_line(view, reading, call, context).is_some()
        || edits::of_review_files(view, reading).is_some()
    {
        return false;
    }
    if !commands::writes_text(reading, view) {
        return true;
    }
    in_text(&view.line).is_empty()
        && edits::of_line(view, reading).is_none()
        && edits::of_changes(view, reading, call, context).is_none()
        && git::overwrites::of_line(view, reading, call, context).is_none()
}
