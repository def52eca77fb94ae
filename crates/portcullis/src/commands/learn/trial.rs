//! One more rule, tried on many calls of the log.
//!
//! The rules that it joins are put in order once for all calls that share them, and calls that an allow rule of its form
//! cannot be about are passed over.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
use portcullis_decide::{Context, ToolCall, decide};
use portcullis_gate::pipeline::guarded;

use super::past::Open;
use super::reach::Reach;

/// A rule on trial.
pub(super) struct Trial {
    rule: Rule,
    /// The rules with this one among them, by the address of those without it: the calls hold them all the while.
    joined: RefCell<BTreeMap<usize, Arc<Rules>>>,
}

impl Trial {
    /// Nothing where the text is no rule.
    pub(super) fn of(text: &str, list: List) -> Option<Trial> {
        let (rule, broken) = Rule::parse(text, list, Origin::of(Source::Session));
        broken.is_none().then(|| Trial { rule, joined: RefCell::default() })
    }

    /// Whether the call would be allowed if there were this allow rule, too.
    pub(super) fn settles(&self, open: &Open<'_>) -> bool {
        // FAIL-CLOSED(learn-panic): what cannot be judged counts as allowed, so that all that speaks against it counts.
        may_be_about(&self.rule.text, &open.seen.call, &open.reach)
            && guarded(|| decide(&open.seen.call, &self.around(open)).decision.is_allow(), |_| true)
    }

    /// Whether the call would be denied if there were this deny rule, too.
    pub(super) fn denies(&self, open: &Open<'_>) -> bool {
        let decision = guarded(|| decide(&open.seen.call, &self.around(open)), |ruling| ruling).decision;
        decision.name() == "deny"
    }

    fn around(&self, open: &Open<'_>) -> Context {
        let join = || open.context.with_rule(self.rule.clone()).rules;
        let mut joined = self.joined.borrow_mut();
        let address = Arc::as_ptr(&open.context.rules).addr();
        let rules = Arc::clone(joined.entry(address).or_insert_with(join));
        Context { rules, ..open.context.clone() }
    }
}

/// Whether an allow rule can make a difference to the call. Only what is sure not to is passed over: another file, another
/// program, another tool.
fn may_be_about(rule: &str, call: &ToolCall, reach: &Reach) -> bool {
    let (tool, inner) = rule.split_once('(').unwrap_or((rule, ""));
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    match tool {
        "Bash" => {
            let first = inner.split([' ', ':']).next().unwrap_or_default();
            // Quotes and escapes are for the reader of rules.
            let is_spelled = !first.contains(['\'', '"', '\\', '*']);
            let is_line = call.text("command").is_some_and(|line| line.trim() == inner);
            !is_spelled || is_line || reach.programs.iter().any(|program| program == first)
        }
        "Read" | "Edit" => match inner.strip_prefix('/').filter(|path| path.starts_with('/')) {
            Some(path) => reach.paths.iter().any(|(used, literal)| {
                let rest = used.strip_prefix(path);
                !literal || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }),
            None => true,
        },
        _ => call.tool.is_shell() || call.tool.name() == tool,
    }
}

#[cfg(test)]
mod tests {
    use portcullis_decide::view::View;

    use super::*;
    use serde_json::json;

    /// [H6] What is passed over is never seen to speak against a rule.
    #[test]
    fn only_what_a_rule_cannot_mean_is_passed_over() {
        let about = |rule: &str, tool: &str, input: serde_json::Value| {
            let call = ToolCall::new(tool, input, "/srv/proj");
            let view = View::of(&call, &Context::new("/srv/proj", "/home/dev"));
            may_be_about(rule, &call, &Reach::of(&view))
        };
        let bash = |rule: &str, command: &str| about(rule, "Bash", json!({ "command": command }));
        for (rule, command) in [
            ("Bash(cargo test:*)", "cd x && c\"argo\" test"),
            ("Bash(cargo)", "cargo"),
            ("Bash(x=1 a)", " x=1 a "),
            ("Bash('a b' c)", "ls"),
            ("Bash(\"a b\" c)", "ls"),
            ("Bash(a* c)", "ls"),
            ("Edit(//srv/x)", "echo a > /srv/x/y"),
            ("Edit(//srv/x)", "echo a > /srv/x"),
            ("Edit(//srv/x)", "echo a > $Y"),
            ("Edit(x)", "ls"),
            ("Edit(/x)", "ls"),
            ("WebFetch(domain:a.example)", "curl https://a.example"),
        ] {
            assert!(bash(rule, command), "{rule} {command}");
        }
        for (rule, command) in [
            ("Bash(cargo test:*)", "ls cargo"),
            ("Edit(//srv/x)", "echo a > /srv/xy"),
            ("Read(//srv/x)", "ls"),
        ] {
            assert!(!bash(rule, command), "{rule} {command}");
        }
        assert!(about("Skill(a)", "Skill", json!({ "skill": "a" })));
        assert!(!about("Skill(a)", "Read", json!({ "file_path": "/srv/x" })));
        assert!(about("Read(//srv/x)", "Read", json!({ "file_path": "/srv/x" })));
        assert!(!about("Read(//srv/x)", "Read", json!({ "file_path": "/srv" })));
    }
}
