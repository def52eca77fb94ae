//! Which rules people's answers speak for. One answer that speaks against a rule is enough to drop it.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_decide::rules::List;
use portcullis_decide::suggest::{shape, unsuitable_program};
use portcullis_decide::view::View;
use portcullis_gate::approvals::not_offered;
use sha2::{Digest, Sha256};

use super::forms;
use super::history::{Answers, Seen};
use super::past::{Open, Past};
use super::trial::Trial;
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

/// What was approved often enough, and is not proposed.
pub(super) struct Dropped {
    /// The rule, or the call where no rule is narrow enough.
    pub(super) what: String,
    pub(super) count: u64,
    pub(super) why: String,
}

/// What answers speak for, and what they would if nothing spoke against it.
#[derive(Default)]
pub(super) struct Proposals {
    pub(super) rules: Vec<Proposal>,
    pub(super) dropped: Vec<Dropped>,
}

/// How many other calls are named.
const MOST_ALSO: usize = 5;

/// All proposals: allows first, the best founded first among each.
pub(super) fn all(past: &Past<'_>, bar: &Bar) -> Proposals {
    let Proposals { rules: mut allows, dropped } = allows(past, bar);
    let mut denies = denies(past, bar);
    for list in [&mut allows, &mut denies] {
        list.sort_by(|one, other| {
            (other.evidence.count(), &one.rule).cmp(&(one.evidence.count(), &other.rule))
        });
    }
    allows.extend(denies);
    Proposals { rules: allows, dropped }
}

fn allows(past: &Past<'_>, bar: &Bar) -> Proposals {
    let mut shapes: BTreeMap<&str, Vec<&Open<'_>>> = BTreeMap::new();
    let mut shapeless: BTreeMap<String, Vec<&Open<'_>>> = BTreeMap::new();
    for open in past.open.iter().filter(|open| open.is_asked && open.seen.approved.count() > 0) {
        // Only what one rule settles by itself: each further rule would allow more than was approved.
        let alone = |rule: &&String| {
            forms::can_mean(rule, open) && Trial::of(rule, List::Allow).is_some_and(|it| it.settles(open))
        };
        match open.offered.iter().find(alone) {
            Some(rule) => shapes.entry(rule).or_default().push(open),
            None => shapeless.entry(shown(open)).or_default().push(open),
        }
    }
    let mut proposals = Proposals::default();
    for (offered, calls) in shapes {
        narrowest(past, bar, (offered, &calls), &mut proposals);
    }
    for (what, calls) in shapeless.into_iter().filter(|(_, calls)| bar.is_reached(calls)) {
        let why = "no rule that is narrow enough settles it".to_owned();
        proposals.dropped.push(Dropped { what, count: approvals(&calls).count(), why });
    }
    proposals
}

impl Bar {
    /// Whether people approved these calls often enough.
    fn is_reached(&self, calls: &[&Open<'_>]) -> bool {
        let approved = approvals(calls);
        approved.count() >= self.times && sessions(&approved) >= self.sessions
    }
}

/// Rules for exact commands where those were approved often enough themselves, and one rule for all the others.
fn narrowest(past: &Past<'_>, bar: &Bar, shape: (&str, &[&Open<'_>]), proposals: &mut Proposals) {
    let (offered, calls) = shape;
    let (mut habits, mut rest) = (Vec::new(), calls.to_vec());
    for same in forms::by_command(calls).into_iter().filter(|same| bar.is_reached(same)) {
        let rule = same.first().and_then(|open| forms::exact(open));
        // What no rule can spell is no reason for one that means more.
        if rule.is_none() && forms::is_wide(offered) {
            let what = same.first().map(|open| shown(open)).unwrap_or_default();
            let why = "it is one command, and a rule cannot spell it without meaning more".to_owned();
            proposals.dropped.push(Dropped { what, count: approvals(&same).count(), why });
        } else if rule.is_none() {
            continue;
        }
        rest.retain(|open| !same.iter().any(|it| std::ptr::eq(*it, *open)));
        habits.extend(rule.map(|rule| (rule, same)));
    }
    if bar.is_reached(&rest)
        && let Some(wide) = proposals.take(allow(past, bar, &forms::common(offered, &rest), &rest))
    {
        // It means the exact commands too if they begin alike; then they need no rules of their own.
        let trial = Trial::of(&wide, List::Allow);
        let is_meant = |open: &&Open<'_>| trial.as_ref().is_some_and(|it| it.settles(open));
        habits.retain(|(_, same)| !same.iter().all(is_meant));
    }
    for (rule, same) in habits {
        proposals.take(allow(past, bar, &rule, &same));
    }
}

impl Proposals {
    /// Takes in what was found; the rule, if it is proposed.
    fn take(&mut self, found: Result<Proposal, Dropped>) -> Option<String> {
        match found {
            Ok(proposal) => {
                let rule = proposal.rule.clone();
                self.rules.push(proposal);
                Some(rule)
            }
            Err(dropped) => {
                self.dropped.push(dropped);
                None
            }
        }
    }
}

/// The proposal of an allow rule, or the rule with what speaks against it.
fn allow(past: &Past<'_>, bar: &Bar, rule: &str, calls: &[&Open<'_>]) -> Result<Proposal, Dropped> {
    let dropped = |why| Dropped { what: rule.to_owned(), count: approvals(calls).count(), why };
    unopposed(past, bar, rule, calls).map_err(dropped)
}

/// The proposal of an allow rule, or what speaks against it.
fn unopposed(past: &Past<'_>, bar: &Bar, rule: &str, calls: &[&Open<'_>]) -> Result<Proposal, String> {
    if let Some(why) = not_offered(rule) {
        return Err(format!("it {why}"));
    }
    let Some(trial) = Trial::of(rule, List::Allow) else {
        return Err("it cannot be understood as a rule".to_owned());
    };
    if let Some(program) = calls.iter().find_map(|open| unsuitable_program(&open.seen.call, &open.context)) {
        return Err(format!(
            "`{program}` runs what it is given, or takes something away: each time is a question of its own"
        ));
    }
    let by_rule = |open: &&Open<'_>| trial.settles(open);
    if !calls.iter().all(by_rule) {
        return Err("it would not settle all of them".to_owned());
    }
    let would: Vec<&Open<'_>> = past.open.iter().filter(by_rule).collect();
    if let Some(open) = would.iter().find(|open| open.seen.refused.count() > 0) {
        return Err(format!("somebody said no to `{}`", shown(open)));
    }
    if let Some((open, harm)) = would.iter().find_map(|open| Some((open, open.harm.as_ref()?))) {
        return Err(format!("it would allow `{}`: {harm}", shown(open)));
    }
    let unanswered: u64 = would.iter().map(|open| open.seen.unanswered.count()).sum();
    // FAIL-CLOSED(learn-silence): a question without a known answer may have been a no.
    if unanswered > bar.unanswered {
        return Err(format!("{unanswered} of the questions have no known answer (see --unanswered)"));
    }
    let others: Vec<&Open<'_>> = would.into_iter().filter(|open| open.seen.approved.count() == 0).collect();
    Ok(Proposal {
        id: id(List::Allow, rule),
        list: List::Allow,
        evidence: approvals(calls),
        unanswered,
        places: places(calls),
        means: format!("allows {}", forms::in_words(rule)),
        also: named(&others),
        rule: rule.to_owned(),
    })
}

fn approvals(calls: &[&Open<'_>]) -> Answers {
    together(calls, |seen| &seen.approved)
}

fn denies(past: &Past<'_>, bar: &Bar) -> Vec<Proposal> {
    let mut shapes: BTreeMap<String, Vec<&Open<'_>>> = BTreeMap::new();
    for open in past.open.iter().filter(|open| open.is_asked && open.seen.refused.count() > 0) {
        // A deny may be wider than an allow: what was refused again and again is told by its program and sub-command.
        let call = &open.seen.call;
        let shape = Some(shape(call, &View::of(call, &open.context))).filter(|rule| rule.contains('('));
        let shape = shape.or_else(|| open.offered.first().cloned()).or_else(|| forms::exact(open));
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
    if refused.count() < bar.refusals {
        return None;
    }
    let trial = Trial::of(&rule, List::Deny)?;
    let denied = |open: &&Open<'_>| trial.denies(open);
    let would: Vec<&Open<'_>> = past.open.iter().chain(&past.allowed).filter(denied).collect();
    if would.iter().any(|open| open.seen.approved.count() > 0) || !calls.iter().all(denied) {
        return None;
    }
    // Whatever it was that became of them: another answer is another answer.
    let is_other = |open: &&Open<'_>| !calls.iter().any(|it| std::ptr::eq(*it, *open));
    let others: Vec<&Open<'_>> = would.into_iter().filter(is_other).collect();
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

/// A call by its text.
fn shown(open: &Open<'_>) -> String {
    let call = &open.seen.call;
    format!("{} {}", call.tool.name(), crate::commands::log::view::call(&call.input))
}

/// Some of the calls by their text, and how many more there are.
fn named(calls: &[&Open<'_>]) -> Vec<String> {
    let all: BTreeSet<String> = calls.iter().map(|open| shown(open)).collect();
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
