//! Which rules people's answers speak for. One answer that speaks against a rule is enough to drop it.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_decide::{List, Origin, Rule, Source, decide};
use portcullis_gate::{not_offered, settles, with_rule};
use sha2::{Digest, Sha256};

use super::forms;
use super::history::{Answers, Seen};
use super::past::{Open, Past};
use crate::judge::guarded;
use crate::output::append;

/// What has to be reached.
pub(super) struct Bar {
    pub(super) times: u64,
    pub(super) sessions: u64,
    pub(super) refusals: u64,
    pub(super) unanswered: u64,
}

/// A rule that could be written.
pub(super) struct Proposal {
    /// The same for the same rule, whenever it is asked for.
    pub(super) id: String,
    pub(super) list: List,
    pub(super) rule: String,
    /// The answers that speak for it.
    pub(super) evidence: Answers,
    /// Questions among them whose answers are not known.
    pub(super) unanswered: u64,
    /// Where they were given.
    pub(super) places: BTreeSet<String>,
    /// What it means, in words.
    pub(super) means: String,
    /// Other calls of the log that would get another answer by it: tool and text.
    pub(super) also: Vec<String>,
}

/// How many other calls are named.
const MOST_ALSO: usize = 5;

/// All proposals: allows first, the best founded first among each.
pub(super) fn all(past: &Past<'_>, bar: &Bar) -> Vec<Proposal> {
    let mut allows = allows(past, bar);
    let mut denies = denies(past, bar);
    for list in [&mut allows, &mut denies] {
        list.sort_by(|one, other| {
            (other.evidence.count(), &one.rule).cmp(&(one.evidence.count(), &other.rule))
        });
    }
    allows.extend(denies);
    allows
}

fn allows(past: &Past<'_>, bar: &Bar) -> Vec<Proposal> {
    let mut shapes: BTreeMap<&str, Vec<&Open<'_>>> = BTreeMap::new();
    for open in past.open.iter().filter(|open| open.is_asked && open.seen.approved.count() > 0) {
        // Only what one rule settles by itself: each further rule would allow more than was approved.
        let alone = |rule: &&String| settles(&open.seen.call, &open.context, rule);
        if let Some(rule) = open.offered.iter().find(alone) {
            shapes.entry(rule).or_default().push(open);
        }
    }
    shapes.into_iter().flat_map(|(offered, calls)| narrowest(past, bar, offered, &calls)).collect()
}

/// Rules for exact commands where those were approved often enough themselves, else one rule for all of them.
fn narrowest(past: &Past<'_>, bar: &Bar, offered: &str, calls: &[&Open<'_>]) -> Vec<Proposal> {
    let enough = |calls: &[&Open<'_>]| {
        let approved = together(calls, |seen| &seen.approved);
        approved.count() >= bar.times && sessions(&approved) >= bar.sessions
    };
    let mut exact: Vec<(String, Vec<&Open<'_>>)> = forms::by_text(calls).into_iter().collect();
    exact.retain(|(_, same)| enough(same));
    let is_exact =
        |open: &Open<'_>| forms::exact(open).is_some_and(|rule| exact.iter().any(|it| it.0 == rule));
    let rest: Vec<&Open<'_>> = calls.iter().copied().filter(|open| !is_exact(open)).collect();
    if enough(&rest) {
        let rule = forms::common(offered, &rest);
        if let Some(wide) = allow(past, bar, rule, &rest) {
            return vec![wide];
        }
    }
    exact.into_iter().filter_map(|(rule, same)| allow(past, bar, rule, &same)).collect()
}

/// The proposal of an allow rule; nothing where anything speaks against it.
fn allow(past: &Past<'_>, bar: &Bar, rule: String, calls: &[&Open<'_>]) -> Option<Proposal> {
    let by_rule = |open: &&Open<'_>| {
        // FAIL-CLOSED(learn-panic): what cannot be judged speaks against the rule.
        guarded(|| settles(&open.seen.call, &open.context, &rule), |_| true)
    };
    if not_offered(&rule).is_some() || !calls.iter().all(by_rule) {
        return None;
    }
    let would: Vec<&Open<'_>> = past.open.iter().filter(by_rule).collect();
    let unanswered: u64 = would.iter().map(|open| open.seen.unanswered.count()).sum();
    let refused = would.iter().any(|open| open.seen.refused.count() > 0);
    let harmful = would.iter().any(|open| open.harm.is_some());
    // FAIL-CLOSED(learn-silence): a question without a known answer may have been a no.
    if refused || harmful || unanswered > bar.unanswered {
        return None;
    }
    let others: Vec<&Open<'_>> = would.into_iter().filter(|open| open.seen.approved.count() == 0).collect();
    Some(Proposal {
        id: id(List::Allow, &rule),
        list: List::Allow,
        evidence: together(calls, |seen| &seen.approved),
        unanswered,
        places: places(calls),
        means: format!("allows {}", forms::in_words(&rule)),
        also: named(&others),
        rule,
    })
}

fn denies(past: &Past<'_>, bar: &Bar) -> Vec<Proposal> {
    let mut shapes: BTreeMap<String, Vec<&Open<'_>>> = BTreeMap::new();
    for open in past.open.iter().filter(|open| open.is_asked && open.seen.refused.count() > 0) {
        let shape = open.offered.first().cloned().or_else(|| forms::exact(open));
        if let Some(shape) = shape {
            shapes.entry(shape).or_default().push(open);
        }
    }
    let mut proposals = Vec::new();
    for (offered, calls) in shapes {
        let texts = forms::by_text(&calls);
        let only = texts
            .keys()
            .next()
            .filter(|_| texts.len() == 1 && calls.iter().all(|it| forms::exact(it).is_some()));
        let rule = only.cloned().unwrap_or_else(|| forms::common(&offered, &calls));
        proposals.extend(deny(past, bar, rule, &calls));
    }
    proposals
}

/// The proposal of a deny rule; nothing where people said yes to something that it would deny.
fn deny(past: &Past<'_>, bar: &Bar, rule: String, calls: &[&Open<'_>]) -> Option<Proposal> {
    let refused = together(calls, |seen| &seen.refused);
    let (parsed, broken) = Rule::parse(&rule, List::Deny, Origin::of(Source::User));
    if refused.count() < bar.refusals || broken.is_some() {
        return None;
    }
    let denied = |open: &&Open<'_>| {
        let context = with_rule(&open.context, parsed.clone());
        let decision = guarded(|| decide(&open.seen.call, &context), |ruling| ruling).decision;
        decision.name() == "deny"
    };
    let would: Vec<&Open<'_>> = past.open.iter().chain(&past.allowed).filter(denied).collect();
    if would.iter().any(|open| open.seen.approved.count() > 0) || !calls.iter().all(denied) {
        return None;
    }
    let others: Vec<&Open<'_>> = would.into_iter().filter(|open| open.seen.allowed > 0).collect();
    Some(Proposal {
        id: id(List::Deny, &rule),
        list: List::Deny,
        evidence: refused,
        unanswered: calls.iter().map(|open| open.seen.unanswered.count()).sum(),
        places: places(calls),
        means: format!("denies {}", denied_in_words(&rule)),
        also: named(&others),
        rule,
    })
}

/// A deny looks through wrappers and other disguises (R5), so it means more than an allow of the same text.
fn denied_in_words(rule: &str) -> String {
    let inner = rule.split_once('(').map_or(rule, |(_, inner)| inner.trim_end_matches(')'));
    match (rule.starts_with("Bash("), inner.strip_suffix(":*")) {
        (true, Some(words)) => format!("`{words}` with any words after it, however it is wrapped or quoted"),
        (true, None) => "this command, however it is wrapped or quoted".to_owned(),
        (false, _) => forms::in_words(rule),
    }
}

fn together(calls: &[&Open<'_>], side: fn(&Seen) -> &Answers) -> Answers {
    let mut all = Answers::default();
    for open in calls {
        all.merge(side(open.seen));
    }
    all.entries.sort_unstable();
    all
}

fn sessions(answers: &Answers) -> u64 {
    u64::try_from(answers.sessions.len()).unwrap_or(u64::MAX)
}

fn places(calls: &[&Open<'_>]) -> BTreeSet<String> {
    calls.iter().map(|open| open.seen.call.cwd.clone()).collect()
}

/// Some of the calls by their text, and how many more there are.
fn named(calls: &[&Open<'_>]) -> Vec<String> {
    let shown = |open: &&&Open<'_>| {
        let call = &open.seen.call;
        format!("{} {}", call.tool.name(), crate::commands::log::view::call(&call.input))
    };
    let all: BTreeSet<String> = calls.iter().map(|open| shown(&open)).collect();
    let more = all.len().saturating_sub(MOST_ALSO);
    let mut some: Vec<String> = all.into_iter().take(MOST_ALSO).collect();
    if more > 0 {
        some.push(format!("and {more} more"));
    }
    some
}

fn id(list: List, rule: &str) -> String {
    let hash = Sha256::digest(format!("{} {rule}", list.name()));
    let mut id = String::new();
    for byte in hash.iter().take(4) {
        append(&mut id, format_args!("{byte:02x}"));
    }
    id
}
