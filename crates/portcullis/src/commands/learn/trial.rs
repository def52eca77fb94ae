//! One more rule, tried on many calls of the log.
//!
//! The rules that it joins are put in order once for all calls that share them, and calls that an allow rule of its form
//! cannot be about are passed over.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_decide::{Context, List, Origin, Rule, Rules, Source, decide};
use portcullis_gate::with_rule;

use super::past::Open;
use crate::judge::guarded;

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
        may_be_about(&self.rule.text, open)
            && guarded(|| decide(&open.seen.call, &self.around(open)).decision.is_allow(), |_| true)
    }

    /// Whether the call would be denied if there were this deny rule, too.
    pub(super) fn denies(&self, open: &Open<'_>) -> bool {
        let decision = guarded(|| decide(&open.seen.call, &self.around(open)), |ruling| ruling).decision;
        decision.name() == "deny"
    }

    fn around(&self, open: &Open<'_>) -> Context {
        let join = || with_rule(&open.context, self.rule.clone()).rules;
        let mut joined = self.joined.borrow_mut();
        let address = Arc::as_ptr(&open.context.rules).addr();
        let rules = Arc::clone(joined.entry(address).or_insert_with(join));
        Context { rules, ..open.context.clone() }
    }
}

/// Whether an allow rule can make a difference to the call. Only what is sure not to is passed over: another file, another
/// program, another tool.
fn may_be_about(rule: &str, open: &Open<'_>) -> bool {
    let (tool, inner) = rule.split_once('(').unwrap_or((rule, ""));
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    match tool {
        "Bash" => {
            let first = inner.split([' ', ':']).next().unwrap_or_default();
            // Quotes and escapes are for the reader of rules.
            let is_spelled = !first.contains(['\'', '"', '\\', '*']);
            !is_spelled
                || open.programs.iter().any(|program| program == first)
                || open.command() == Some(inner)
        }
        "Read" | "Edit" => match inner.strip_prefix('/').filter(|path| path.starts_with('/')) {
            Some(path) => open.paths.iter().any(|(used, literal)| {
                let below =
                    used.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                below || !literal
            }),
            None => true,
        },
        _ => open.seen.call.tool.is_shell() || open.seen.call.tool.name() == tool,
    }
}
