//! One call, judged with the settings in force: what a command line or a batch line says becomes a ruling.
//!
//! Whatever goes wrong on the way is a deny with its reason, never silence and never an allow.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use portcullis_classify::failure::Failure;
use portcullis_classify::stages::StageRecord;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::path::{Platform, absolute};
use portcullis_decide::{Context, Mode, Reason, Ruling, ToolCall};
use portcullis_gate::pipeline::{self, Input, Reviewer, World, guarded, refuse};
use portcullis_gate::settings::{Loaded, Overrides, Places, find_project, load};
use portcullis_gate::settle::ModelEnvironment;
use portcullis_shell::Dialect;

use crate::strict_json::Refused;

/// The settings in force, and where calls are made.
pub(crate) struct Judge {
    seat: Seat,
    overrides: Overrides,
    /// What was loaded for the project that the program was started in.
    pub(crate) loaded: Rc<Loaded>,
    project: PathBuf,
    /// What was loaded for other projects that calls were made in.
    others: RefCell<HashMap<PathBuf, Rc<Loaded>>>,
}

/// Where calls are made.
pub(crate) struct Seat {
    /// The directory that was named for all calls: it is trusted, wherever they work.
    pub(crate) root: Option<String>,
    /// Where the program was started.
    pub(crate) here: String,
    /// The home directory.
    pub(crate) home: String,
    /// The shell that would run commands.
    pub(crate) dialect: Dialect,
}

/// How many other projects are kept in mind.
const MAX_PROJECTS: usize = 64;

/// Rules that come with one call.
#[derive(Default)]
pub(crate) struct MoreRules {
    /// May run.
    pub(crate) allow: Vec<String>,
    /// Ask first.
    pub(crate) ask: Vec<String>,
    /// May not run.
    pub(crate) deny: Vec<String>,
}

impl Judge {
    /// Loads the settings.
    pub(crate) fn open(seat: Seat, overrides: Overrides) -> Judge {
        let project = find_project(Path::new(seat.root.as_ref().unwrap_or(&seat.here)));
        let loaded = Rc::new(load(&Places::from_environment(&project), &overrides));
        Judge { seat, overrides, loaded, project, others: RefCell::default() }
    }

    /// The directory in which calls are made that name none.
    pub(crate) fn cwd(&self) -> String {
        self.seat.root.clone().unwrap_or_else(|| self.seat.here.clone())
    }

    /// `path` as an absolute one.
    pub(crate) fn absolute(&self, path: &str) -> String {
        absolute(path, &self.cwd(), &self.seat.home, Platform::Unix)
    }

    /// The settings for calls in `cwd`, with rules that come with one call: each project's own rules count
    /// where it is worked in, and added rules count no more than those of the command line.
    pub(crate) fn settings(&self, cwd: &str, added: &MoreRules) -> Rc<Loaded> {
        let named = self.seat.root.as_ref().map(|_| self.project.clone());
        let project = named.unwrap_or_else(|| find_project(Path::new(cwd)));
        if !added.is_empty() {
            let mut overrides = self.overrides.clone();
            overrides.allow.extend_from_slice(&added.allow);
            overrides.ask.extend_from_slice(&added.ask);
            overrides.deny.extend_from_slice(&added.deny);
            return Rc::new(load(&Places::from_environment(&project), &overrides));
        }
        if project == self.project {
            return Rc::clone(&self.loaded);
        }
        let mut others = self.others.borrow_mut();
        if others.len() >= MAX_PROJECTS {
            others.clear();
        }
        let load = || Rc::new(load(&Places::from_environment(&project), &self.overrides));
        Rc::clone(others.entry(project.clone()).or_insert_with(load))
    }

    /// What a ruling about a call in `cwd` depends on.
    pub(crate) fn context(&self, settings: &Loaded, cwd: &str, mode: Option<Mode>) -> Context {
        // Without a project of its own, the first working directory is the trusted one (T1).
        let root = self.seat.root.as_deref().unwrap_or(cwd);
        let mut context = settings.context(root, &self.seat.home);
        context.dialect = self.seat.dialect;
        context.clock = microseconds;
        context.mode = mode.unwrap_or(context.mode);
        context.gate = Arc::new(Places::from_environment(Path::new(cwd)).gate_parts());
        context
    }
}

impl MoreRules {
    fn is_empty(&self) -> bool {
        self.allow.is_empty() && self.ask.is_empty() && self.deny.is_empty()
    }
}

/// Judges the call, with what the world is like and what was said and done before it.
pub(crate) fn judge(call: &ToolCall, context: &mut Context, settings: &Loaded, talk: &Transcript) -> Judged {
    let judgement = || {
        for earlier in talk.calls() {
            context.session = context.session.clone().after(earlier, context);
        }
        let state = Places::from_environment(Path::new(&call.cwd)).state;
        let environment = ModelEnvironment::of_process(Some(state.join("auto-mode")));
        let input = Input {
            transcript: talk,
            strictness: pipeline::strictness(&settings.settings, true),
            reviewer: Reviewer::Configured(&settings.settings, &environment),
            ..Input::of(call, World::Now)
        };
        let settled = pipeline::judge(&input, context);
        Judged { ruling: settled.ruling, stages: settled.stages, failure: settled.failure }
    };
    guarded(judgement, Judged::plain)
}

/// A ruling, and what a model was asked for it.
pub(crate) struct Judged {
    /// The ruling.
    pub(crate) ruling: Ruling,
    /// The requests, in order.
    pub(crate) stages: Vec<StageRecord>,
    /// Why it gave no verdict.
    pub(crate) failure: Option<Failure>,
}

impl Judged {
    /// Without a model.
    pub(crate) fn plain(ruling: Ruling) -> Judged {
        Judged { ruling, stages: Vec::new(), failure: None }
    }
}

/// The ruling about a call that could not be read.
pub(crate) fn unreadable(refused: &Refused) -> Ruling {
    // FAIL-CLOSED(unreadable-call): what cannot be read is not known to be harmless.
    let reason = match refused {
        Refused::TooLong => Reason::Limit(refused.to_string()),
        Refused::Malformed(problem) => Reason::Invalid(problem.clone()),
    };
    refuse("F12 input", reason)
}

/// Microseconds since the first question.
fn microseconds() -> u64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    u64::try_from(BEGAN.get_or_init(Instant::now).elapsed().as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [F12]
    #[test]
    fn a_judgement_that_breaks_off_is_a_deny() {
        let ruling = guarded(|| panic!("on purpose"), |ruling| ruling);
        assert_eq!((ruling.decision.name(), ruling.reason.word()), ("deny", "unavailable"));
        assert_eq!(ruling.trace.steps.len(), 1);
    }

    /// [R9]
    #[test]
    fn what_cannot_be_read_is_a_deny() {
        for (refused, word) in
            [(Refused::TooLong, "limit"), (Refused::Malformed("it is not UTF-8 text".to_owned()), "invalid")]
        {
            let ruling = unreadable(&refused);
            assert_eq!((ruling.decision.name(), ruling.reason.word()), ("deny", word));
        }
    }
}
