//! The walk (SPEC F): one call, step by step, in the order of the specification.
//!
//! Every step leaves its line in the trace. Denies leave the walk where they are found; asks are kept, and
//! only a deny overrules them.

mod fast_path;
mod input;
pub mod suggest;

use std::borrow::Cow;
use std::ops::ControlFlow::{self, Break, Continue};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::detect;
use crate::facts::Question;
use crate::matching::{self, hits};
use crate::mode::Mode;
use crate::read_only::{self, Proof};
use crate::rules::List;
use crate::ruling::{Check, Decision, Reason, Ruling, Step, ToolReason, Trace};
use crate::safety;
use crate::self_protection;
use crate::view::{View, directories, project_files};
use crate::{cover, run_files};

/// Decides about a call: allow, deny or ask, with the reason and the trace. It never fails and never waits.
pub fn decide(call: &ToolCall, context: &Context) -> Ruling {
    decide_with_view(call, &View::of(call, context), context)
}

/// As [`decide()`], for callers that have the call's view already. The view must have been made with this context.
pub fn decide_with_view(call: &ToolCall, view: &View, context: &Context) -> Ruling {
    let mut walk = Walk { call, view, context, trace: Trace::default(), began: (context.clock)() };
    let (decision, reason) = match walk.run() {
        Break(answer) => answer,
        Continue(never) => match never {},
    };
    let ruling = Ruling { decision, reason, trace: walk.trace };
    match call.carried() {
        Some(carried) => with_carried(ruling, decide(&carried, context)),
        None => ruling,
    }
}

/// R7b: what a tool nobody knows carries is judged as well, and only ever makes the answer stricter. That nothing decided
/// about the command says nothing: about the tool itself something may.
fn with_carried(ruling: Ruling, carried: Ruling) -> Ruling {
    let decided =
        !matches!(carried.reason, Reason::NoRule | Reason::WorkingDirectory { .. } | Reason::Mode(_));
    let stricter = match (&ruling.decision, &carried.decision) {
        (Decision::Deny { .. }, _) | (_, Decision::Allow { .. }) => false,
        (Decision::Allow { .. } | Decision::Ask { .. }, Decision::Deny { .. }) => decided,
        (Decision::Allow { .. }, Decision::Ask { .. }) => decided,
        (Decision::Ask { .. }, Decision::Ask { pending_classifier_check, .. }) => {
            decided && !pending_classifier_check
        }
    };
    if !stricter {
        return ruling;
    }
    let mut trace = ruling.trace;
    trace.steps.extend(carried.trace.steps);
    Ruling { trace, ..carried }
}

/// What has to be known about the world before the call can be judged, and is not known yet. Add the answers to
/// [`Context::facts`] and ask again until nothing is left: what a script imports is only known once the script has
/// been read.
#[must_use]
pub fn questions(call: &ToolCall, context: &Context) -> Vec<Question> {
    let view = View::of(call, context);
    let mut asked: Vec<Question> =
        call.carried().map_or_else(Vec::new, |carried| questions(&carried, context));
    let mut ask = |question: Question| {
        if !context.facts.knows(&question) && !asked.contains(&question) {
            asked.push(question);
        }
    };
    for path in &view.paths {
        let known = path.path.split(['*', '?', '[']).next().unwrap_or_default();
        let folder =
            known.rsplit_once('/').map_or("/", |(folder, _)| if folder.is_empty() { "/" } else { folder });
        ask(Question::Path(if path.literal { path.path.clone() } else { folder.to_owned() }));
    }
    for climb in view.paths.iter().flat_map(|path| &path.through) {
        ask(Question::Path(climb.place.clone()));
    }
    matching::whole_folders::questions(call, &view, context).into_iter().for_each(&mut ask);
    self_protection::questions(&view).for_each(&mut ask);
    run_files::files_to_read(call, &view, context).into_iter().map(Question::Text).for_each(&mut ask);
    for command in view.reading.iter().flat_map(|reading| &reading.commands) {
        for path in safety::links(command, &view) {
            ask(Question::Path(context.absolute(path, &call.cwd)));
        }
        for path in detect::checked_out(command, call, context) {
            ask(Question::Path(path));
        }
        for directory in directories(command, call, context).unwrap_or_default() {
            if command.program.as_deref() == Some("git") {
                ask(Question::Repository(directory.clone()));
            }
            if command.effects.meets(portcullis_shell::Effects::PUSHES) {
                ask(Question::Branch(directory.clone()));
            }
            if command.effects.meets(portcullis_shell::Effects::OBEYS_PROJECT) {
                ask(Question::Present(directory.clone(), project_files::obeyed(command)));
            }
            ask(Question::Path(directory));
        }
    }
    asked
}

type Answer = (Decision, Reason);

/// Cannot be: the walk always ends with an answer.
enum Never {}

struct Walk<'a> {
    call: &'a ToolCall,
    view: &'a View,
    context: &'a Context,
    trace: Trace,
    began: u64,
}

/// An ask that was kept, and who may answer it.
struct Asked {
    reason: Reason,
    /// Whether, in auto mode, the fast paths and the classifier may answer it.
    reviewable: bool,
}

impl Walk<'_> {
    fn run(&mut self) -> ControlFlow<Answer, Never> {
        self.validate()?;
        self.deny_whole_tool()?;
        let asked_whole = self.ask_whole_tool();
        let view = self.view;
        let perhaps_denied = self.deny_content(view)?;
        self.self_protection(view)?;
        let interaction = self.interaction();
        let asked_content = self.ask_content(view);
        let safety = self.safety(view);
        let settings = self.incomplete_settings();
        let asked = [perhaps_denied, interaction, safety, asked_content, asked_whole, settings];
        let asked = asked.into_iter().flatten().reduce(gravest);
        let proof = read_only::proof(self.call, view, self.context);
        if asked.is_none() {
            self.only_reads(view, &proof)?;
            self.bypass()?;
            self.plan(view)?;
            self.allow_rules(view)?;
            self.accept_edits(view)?;
        } else {
            self.plan_with_question(asked.as_ref(), view, &proof)?;
        }
        let asked = asked.unwrap_or_else(|| Asked { reason: undecided(&proof), reviewable: true });
        self.meet_mode(asked, view, &proof)
    }

    fn note(&mut self, step: &'static str, outcome: impl Into<Cow<'static, str>>) {
        let micros = (self.context.clock)().saturating_sub(self.began);
        self.trace.steps.push(Step { step, outcome: outcome.into(), micros });
    }

    /// F12: what is no valid input is denied before anything else looks at it.
    fn validate(&mut self) -> ControlFlow<Answer> {
        let Some(problem) = input::invalid(self.call) else {
            self.note("F12 input", "valid");
            return Continue(());
        };
        // FAIL-CLOSED(invalid-input): a call that is not understood does not run.
        self.note("F12 input", format!("not valid: {problem}"));
        Break(deny(format!("the call is not valid: {problem}"), Reason::Invalid(problem)))
    }

    fn deny_whole_tool(&mut self) -> ControlFlow<Answer> {
        let Some(rule) = matching::whole_tool(List::Deny, self.call, self.context) else {
            self.note("F1 deny rules for the tool", "none");
            return Continue(());
        };
        let reason = hits::Hit { rule, clear: true, part: None }.reason();
        self.note("F1 deny rules for the tool", format!("`{rule}` denies it"));
        Break(deny(reason.sentence(), reason))
    }

    fn ask_whole_tool(&mut self) -> Option<Asked> {
        let rule = matching::whole_tool(List::Ask, self.call, self.context);
        self.note(
            "F2 ask rules for the tool",
            rule.map_or(Cow::Borrowed("none"), |rule| format!("`{rule}` asks; remembered").into()),
        );
        let reason = hits::Hit { rule: rule?, clear: true, part: None }.reason();
        Some(Asked { reason, reviewable: self.context.switches.classify_ask_rules })
    }

    /// F3, F4: deny rules for the content. One that may apply asks a person, in every mode (R1).
    fn deny_content(&mut self, view: &View) -> ControlFlow<Answer, Option<Asked>> {
        let hit = matching::touching(List::Deny, self.call, view, self.context);
        let hit = hits::stronger(hit, matching::in_files(List::Deny, self.call, view, self.context));
        match hit {
            Some(hit) if hit.clear => {
                self.note("F4 deny rules for the content", format!("`{}` denies it", hit.rule));
                let reason = hit.reason();
                Break(deny(reason.sentence(), reason))
            }
            Some(hit) => {
                self.note("F4 deny rules for the content", format!("`{}` may mean it", hit.rule));
                Continue(Some(Asked { reason: hit.reason(), reviewable: false }))
            }
            None => {
                self.note("F4 deny rules for the content", "none");
                Continue(None)
            }
        }
    }

    /// S5: nothing lets an agent change the gate, not even a person's yes to its call.
    fn self_protection(&mut self, view: &View) -> ControlFlow<Answer> {
        let Some(reason) = self_protection::refused(self.call, view, self.context) else {
            self.note("S5 self-protection", "silent");
            return Continue(());
        };
        self.note("S5 self-protection", reason.sentence());
        Break(deny(reason.sentence(), reason))
    }

    fn interaction(&mut self) -> Option<Asked> {
        let needed = self.call.tool.needs_interaction();
        self.note("F5 interaction", if needed { "only a person can answer" } else { "none needed" });
        needed.then_some(Asked { reason: Reason::Tool(ToolReason::NeedsInteraction), reviewable: false })
    }

    fn ask_content(&mut self, view: &View) -> Option<Asked> {
        let hit = matching::touching(List::Ask, self.call, view, self.context);
        let hit = hits::stronger(hit, matching::in_files(List::Ask, self.call, view, self.context));
        let outcome = hit
            .as_ref()
            .map(|hit| format!("`{}` {}", hit.rule, if hit.clear { "asks" } else { "may mean it" }));
        self.note("F6 ask rules for the content", outcome.map_or(Cow::Borrowed("none"), Cow::Owned));
        let hit = hit?;
        let reviewable = hit.clear && self.context.switches.classify_ask_rules;
        Some(Asked { reason: hit.reason(), reviewable })
    }

    fn safety(&mut self, view: &View) -> Option<Asked> {
        let found = safety::check(self.call, view, self.context);
        let outcome = found.as_ref().map(Reason::sentence);
        self.note("F7 safety checks", outcome.map_or(Cow::Borrowed("silent"), Cow::Owned));
        let reason = found?;
        let reviewable = matches!(reason, Reason::Safety { classifier_approvable: true, .. });
        Some(Asked { reason, reviewable })
    }

    /// Where settings could not be read whole, a deny or ask rule may have been lost.
    fn incomplete_settings(&mut self) -> Option<Asked> {
        if !self.context.switches.rules_incomplete || self.call.tool.is_irrelevant() {
            return None;
        }
        // FAIL-CLOSED(broken-settings): what a lost rule could have meant is asked.
        let problem =
            "the settings could not be read whole; a rule may be missing (see `portcullis settings`)";
        self.note("F7 settings", problem);
        Some(Asked { reason: Reason::Unavailable(problem.to_owned()), reviewable: false })
    }

    fn only_reads(&mut self, view: &View, proof: &Proof) -> ControlFlow<Answer> {
        let powershell_in_auto = self.call.tool == Tool::PowerShell
            && self.context.effective_mode() == Mode::Auto
            && !self.context.switches.powershell_auto;
        let inside = *proof == Proof::Inside && !powershell_in_auto;
        if inside || (self.call.tool.is_irrelevant() && !view.lifts_isolation) {
            let reason = if inside { ToolReason::ReadOnly } else { ToolReason::NoEffect };
            self.note("F7a reading", Reason::Tool(reason).sentence());
            return Break(allow(Reason::Tool(reason)));
        }
        let outcome = match proof {
            Proof::Inside => Cow::Borrowed("PowerShell is not reviewed in auto mode"),
            Proof::Outside(path) => {
                format!("only reads, but `{path}` is outside the trusted directories").into()
            }
            Proof::No => Cow::Borrowed("not proven to only read"),
        };
        self.note("F7a reading", outcome);
        Continue(())
    }

    fn bypass(&mut self) -> ControlFlow<Answer> {
        let mode = self.context.effective_mode();
        let plan_too = mode == Mode::Plan
            && self.context.switches.bypass_available
            && !self.context.switches.bypass_disabled;
        if mode == Mode::Bypass || plan_too {
            self.note("F8 bypass", "allowed by the mode");
            return Break(allow(Reason::Mode(Mode::Bypass)));
        }
        self.note("F8 bypass", "not this mode");
        Continue(())
    }

    /// F8b: plan mode reads, plans and asks; it changes nothing, allow rules or not.
    fn plan(&mut self, view: &View) -> ControlFlow<Answer> {
        if self.context.effective_mode() != Mode::Plan {
            return Continue(());
        }
        let by_rule =
            self.call.tool.passes_plan_by_rule() && cover::allowing(self.call, view, self.context).is_some();
        if self.call.tool.passes_plan() || by_rule {
            self.note("F8b plan", "may pass");
            return Break(allow(Reason::Mode(Mode::Plan)));
        }
        self.note("F8b plan", "only reading passes");
        Break(deny(Reason::Mode(Mode::Plan).sentence(), Reason::Mode(Mode::Plan)))
    }

    /// In plan mode a question is put to a person only where plan mode would let the call through.
    fn plan_with_question(
        &mut self,
        asked: Option<&Asked>,
        view: &View,
        proof: &Proof,
    ) -> ControlFlow<Answer> {
        let bypass = self.context.switches.bypass_available && !self.context.switches.bypass_disabled;
        if self.context.effective_mode() != Mode::Plan || bypass {
            return Continue(());
        }
        let catastrophe = asked
            .is_some_and(|asked| matches!(asked.reason, Reason::Safety { check: Check::Catastrophe, .. }));
        let by_rule = || {
            self.call.tool.passes_plan_by_rule() && cover::allowing(self.call, view, self.context).is_some()
        };
        let passes = self.call.tool.passes_plan() || *proof == Proof::Inside || by_rule();
        if passes && !catastrophe {
            return Continue(());
        }
        self.note("F8b plan", "only reading passes");
        Break(deny(Reason::Mode(Mode::Plan).sentence(), Reason::Mode(Mode::Plan)))
    }

    fn allow_rules(&mut self, view: &View) -> ControlFlow<Answer> {
        let Some(reason) = cover::allowing(self.call, view, self.context) else {
            self.note("F9 allow rules", "none covers the whole call");
            return Continue(());
        };
        self.note("F9 allow rules", reason.sentence());
        Break(allow(reason))
    }

    fn accept_edits(&mut self, view: &View) -> ControlFlow<Answer> {
        if self.context.effective_mode() != Mode::AcceptEdits {
            return Continue(());
        }
        if fast_path::acceptable(self.call, view, self.context) {
            self.note("F10 acceptEdits", "an edit inside the trusted directories");
            return Break(allow(Reason::Tool(ToolReason::AcceptedEdit)));
        }
        self.note("F10 acceptEdits", "not a plain edit inside the trusted directories");
        Continue(())
    }

    /// F10: whatever is left meets the mode.
    fn meet_mode(&mut self, asked: Asked, view: &View, proof: &Proof) -> ControlFlow<Answer, Never> {
        if self.context.effective_mode() == Mode::Auto && asked.reviewable {
            self.auto(asked, view, proof)
        } else {
            self.settle_with_person(asked, view)
        }
    }

    /// F10b: the fast paths, then the classifier.
    fn auto(&mut self, asked: Asked, view: &View, proof: &Proof) -> ControlFlow<Answer, Never> {
        if self.call.tool == Tool::PowerShell && !self.context.switches.powershell_auto {
            self.note("P4 PowerShell", "goes to a person without the setting `powershellAutoMode`");
            return self.settle_with_person(asked, view);
        }
        // What a safety check asked about is reviewed, never waved through (S4).
        let from_safety = matches!(asked.reason, Reason::Safety { .. });
        let fast = if from_safety { None } else { fast_path::find(self.call, view, proof, self.context) };
        if let Some(path) = fast {
            self.note("F10b fast paths", path);
            return Break(allow(Reason::FastPath(path)));
        }
        self.note("F10b fast paths", "none; the classifier reviews it");
        let message = format!("needs a review: {}", asked.reason.sentence());
        let suggestions = suggest::rules(self.call, view, self.context);
        Break((Decision::Ask { message, suggestions, pending_classifier_check: true }, asked.reason))
    }

    /// F10a, F10c, F10d: a person, where there is one.
    fn settle_with_person(&mut self, asked: Asked, view: &View) -> ControlFlow<Answer, Never> {
        let mode = self.context.effective_mode();
        if mode == Mode::DontAsk {
            self.note("F10a dontAsk", "denied instead of asking");
            let message = format!("{}: {}", Reason::Mode(mode).sentence(), asked.reason.sentence());
            return Break(deny(message, asked.reason));
        }
        let plan = mode == Mode::Plan && !self.context.switches.bypass_available;
        let catastrophe = matches!(asked.reason, Reason::Safety { check: Check::Catastrophe, .. });
        if plan && catastrophe {
            return Break(deny(asked.reason.sentence(), asked.reason));
        }
        if self.context.switches.avoid_prompts {
            // FAIL-CLOSED(no-prompt): where nobody can be asked the answer is no.
            self.note("F10c no prompts", "denied: nobody can be asked");
            let message = format!("nobody can be asked: {}", asked.reason.sentence());
            return Break(deny(message, asked.reason));
        }
        self.note("F10d ask", asked.reason.sentence());
        let suggestions = suggest::rules(self.call, view, self.context);
        let message = asked.reason.sentence();
        Break((Decision::Ask { message, suggestions, pending_classifier_check: false }, asked.reason))
    }
}

/// Of two asks the one that fewer may answer; of equals the first.
fn gravest(first: Asked, second: Asked) -> Asked {
    if first.reviewable && !second.reviewable { second } else { first }
}

fn undecided(proof: &Proof) -> Reason {
    match proof {
        Proof::Outside(path) => Reason::WorkingDirectory { path: path.clone() },
        Proof::Inside | Proof::No => Reason::NoRule,
    }
}

fn allow(reason: Reason) -> Answer {
    (Decision::Allow { updated_input: None }, reason)
}

fn deny(message: String, reason: Reason) -> Answer {
    (Decision::Deny { message, stop: false }, reason)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// [C5] Without the question no script of the project is ever read.
    #[test]
    fn what_a_line_runs_is_asked_for() {
        let call =
            ToolCall::new("Bash", json!({ "command": "bash tools/setup.sh && make && npm test" }), "/p");
        let asked = questions(&call, &Context::new("/p", "/home/dev"));
        for path in ["/p/tools/setup.sh", "/p/Makefile", "/p/package.json"] {
            assert!(asked.contains(&Question::Text(path.to_owned())), "{path}");
        }
    }
}
