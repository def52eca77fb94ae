//! Cases of several steps in one session: calls, answers of a person, and changes of the world (SPEC J4).

use std::sync::Arc;

use portcullis_decide::facts::{Answer, PathFact, Question};
use portcullis_decide::path::{absolute, is_within};
use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
use portcullis_decide::session::SessionFacts;
use portcullis_decide::{Context, Decision, Ruling, ToolCall, decide};
use serde_json::Value;

use super::case::{Case, HOME, Input};
use super::outcome::Got;

/// Its steps: the tool or the act, and its input.
pub(super) fn steps(case: &Case) -> impl Iterator<Item = (&str, &Value)> {
    let value = match &case.input {
        Input::Value(value) => Some(value),
        Input::Raw(_) => None,
    };
    let steps = value.and_then(|value| value.get("steps")).and_then(Value::as_array);
    steps.into_iter().flatten().filter_map(|step| {
        let step = step.as_array()?;
        Some((step.first()?.as_str()?, step.get(1)?))
    })
}

/// Whether a step is an act that is known.
pub(super) fn is_known_act(tool: &str) -> bool {
    matches!(tool, "@approve-always" | "@approve-once" | "@swap")
}

/// One step after the other in the same session; the strictest answer to a call counts.
pub(super) fn judge(case: &Case, context: Context) -> (Got, String, bool) {
    let mut session = Session {
        rules: context.rules.clone(),
        context,
        cwd: case.cwd.clone(),
        always: Vec::new(),
        once: Vec::new(),
    };
    let mut strictest = (Got::Allow, String::new(), false);
    for (tool, input) in steps(case) {
        match tool {
            "@approve-always" => session.approve(input, Approval::Always),
            "@approve-once" => session.approve(input, Approval::Once),
            "@swap" => session.swap(input),
            _ => {
                let ruling = session.call(tool, input);
                let got = Got::of(&ruling.decision);
                if got > strictest.0 {
                    strictest = (got, format!("{}: {}", ruling.reason.word(), ruling.message()), false);
                }
            }
        }
    }
    strictest
}

#[derive(Clone, Copy, PartialEq)]
enum Approval {
    Always,
    Once,
}

struct Session {
    context: Context,
    /// The rules of the case, without those that approvals added.
    rules: std::sync::Arc<Rules>,
    cwd: String,
    /// Rules that a person wrote down, each for the project it was given in.
    always: Vec<(String, String)>,
    /// Calls that a person let pass once, each with what the session had done until then.
    once: Vec<(ToolCall, SessionFacts)>,
}

impl Session {
    /// A call as a step has it. A step may say where it works.
    fn step(&self, tool: &str, input: &Value) -> ToolCall {
        let mut input = input.clone();
        let place = input.as_object_mut().and_then(|fields| fields.shift_remove("cwd"));
        let place = place.as_ref().and_then(Value::as_str).map(str::to_owned);
        ToolCall::new(tool, input, place.unwrap_or_else(|| self.cwd.clone()))
    }

    /// What holds for a call: the rules of the case, and those written down for the project it works in.
    fn context_for(&self, call: &ToolCall) -> Context {
        let mut context = self.context.clone();
        let here = self.always.iter().filter(|(folder, _)| is_within(&call.cwd, folder));
        let added = here.map(|(_, rule)| Rule::parse(rule, List::Allow, Origin::of(Source::Local)).0);
        context.rules = Rules::new(self.rules.all().iter().cloned().chain(added).collect()).into();
        context
    }

    fn call(&mut self, tool: &str, input: &Value) -> Ruling {
        let call = self.step(tool, input);
        let context = self.context_for(&call);
        let mut ruling = decide(&call, &context);
        // A person's yes is for this call in this place, once, and never beats a deny.
        let same = |(approved, _): &(ToolCall, SessionFacts)| {
            approved.tool == call.tool && approved.input == call.input && approved.cwd == call.cwd
        };
        if let (Decision::Ask { .. }, Some(at)) = (&ruling.decision, self.once.iter().position(same)) {
            let (_, seen) = self.once.remove(at);
            if seen == context.session {
                ruling.decision = Decision::Allow { updated_input: None };
            }
        }
        if ruling.decision.is_allow() {
            self.context.session = self.context.session.clone().after(&call, &self.context);
            self.cwd = self.context.session.directory.clone().unwrap_or_else(|| self.cwd.clone());
        }
        ruling
    }

    /// A person lets a call pass that would be asked about.
    fn approve(&mut self, input: &Value, approval: Approval) {
        let mut input = input.clone();
        let tool = input.as_object_mut().and_then(|fields| fields.shift_remove("tool"));
        let call = self.step(tool.as_ref().and_then(Value::as_str).unwrap_or("Bash"), &input);
        let context = self.context_for(&call);
        match (decide(&call, &context).decision, approval) {
            (Decision::Ask { suggestions, .. }, Approval::Always) => {
                self.always.extend(suggestions.into_iter().map(|rule| (call.cwd.clone(), rule)));
            }
            (Decision::Ask { .. }, Approval::Once) => self.once.push((call, context.session)),
            (Decision::Allow { .. } | Decision::Deny { .. }, Approval::Always | Approval::Once) => {}
        }
    }

    /// Somebody changes the world behind the session's back: what was approved before was another thing.
    fn swap(&mut self, change: &Value) {
        self.once.clear();
        let text = |names: &[&str]| names.iter().find_map(|name| change.get(*name).and_then(Value::as_str));
        if change.as_object().is_some_and(|fields| fields.keys().any(|name| name.starts_with("mcp"))) {
            self.context.facts.definition_changed = true;
        }
        let Some(path) = text(&["path", "file_path", "file", "link"]) else { return };
        let place = |path: &str, from: &str| absolute(path, from, HOME, self.context.platform);
        let named = place(path, &self.cwd);
        let target = text(&["to", "target", "content"]).unwrap_or_default();
        let folder = named.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
        let resolved =
            target.strip_prefix("-> ").map_or_else(|| named.clone(), |target| place(target, &folder));
        let fact = PathFact { resolved, ..PathFact::plain(&named) };
        self.context.facts.add(Question::Path(named.clone()), Answer::Path(fact));
        Arc::make_mut(&mut self.context.session.written).push(named);
    }
}
