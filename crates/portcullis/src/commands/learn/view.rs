//! What was learnt, for people and for programs.

use std::collections::BTreeSet;

use portcullis_decide::rules::List;
use serde_json::{Value, json};

use super::Lesson;
use super::propose::Proposal;
use crate::commands::log::view;
use crate::moment;
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, visible};

/// How many entries are named as examples.
const EXAMPLES: usize = 3;
/// How much of a call is shown.
const WIDTH: usize = 90;

/// The figures for people.
pub(super) fn as_text(lesson: &Lesson) -> String {
    let history = &lesson.history;
    let Some(first) = history.first_ms else {
        return "the log has no entries to learn from\n".to_owned();
    };
    let mut text = format!(
        "The log reaches back to {} UTC: {} entries, {} questions to people.\n",
        moment::short(first),
        history.entries,
        history.questions()
    );
    if history.left_out > 0 {
        append(
            &mut text,
            format_args!("{WARM}{} calls were too many to compare with{WARM:#}\n", history.left_out),
        );
    }
    for (list, title) in [(List::Allow, "Always approved"), (List::Deny, "Always refused")] {
        let mut proposals = lesson.proposals.rules.iter().filter(|it| it.list == list).peekable();
        if proposals.peek().is_none() {
            append(&mut text, format_args!("\n{STRONG}{title}{STRONG:#}: nothing often enough\n"));
            continue;
        }
        append(&mut text, format_args!("\n{STRONG}{title}{STRONG:#}\n"));
        text.extend(proposals.map(proposal));
    }
    if !lesson.proposals.dropped.is_empty() {
        append(&mut text, format_args!("\n{STRONG}Approved often, and not proposed{STRONG:#}\n"));
        for dropped in &lesson.proposals.dropped {
            let (what, why) =
                (view::shortened(&dropped.what, WIDTH), view::shortened(&dropped.why, 2 * WIDTH));
            append(
                &mut text,
                format_args!("  {:>5} ×  {what}\n            {DIM}{why}{DIM:#}\n", dropped.count),
            );
        }
    }
    if !lesson.idle.is_empty() {
        append(
            &mut text,
            format_args!("\n{STRONG}Rules that decided nothing since {}{STRONG:#}\n", moment::short(first)),
        );
        for idle in &lesson.idle {
            let (rule, origin) = (visible(&idle.rule), visible(&idle.origin));
            append(&mut text, format_args!("  {:<5}  {rule}  {DIM}{origin}{DIM:#}\n", idle.list.name()));
        }
        text.push_str("  A deny or ask rule may guard against what has not happened yet.\n");
    }
    if let Some(first) = lesson.proposals.rules.first() {
        append(
            &mut text,
            format_args!(
                "\nNothing is written. {STRONG}portcullis learn --yes {}{STRONG:#} writes one rule, \
                 {STRONG}portcullis learn --write{STRONG:#} asks about each.\n",
                first.id
            ),
        );
    }
    text
}

/// One proposal, with what speaks for it and what else it would do.
pub(super) fn proposal(proposal: &Proposal) -> String {
    let (style, answered, against) = match proposal.list {
        List::Allow => (CALM, "approved", "never refused"),
        List::Ask | List::Deny => (LOUD, "refused", "never approved"),
    };
    let evidence = &proposal.evidence;
    let entries: Vec<String> = evidence.entries.iter().take(EXAMPLES).map(u64::to_string).collect();
    let mut text = format!(
        "  {DIM}{}{DIM:#}  {style}{}{style:#}  {STRONG}{}{STRONG:#}\n            {answered} {} times in {} sessions, {} to {}, {against}; \
         such as entries {}\n",
        proposal.id,
        proposal.list.name(),
        visible(&proposal.rule),
        evidence.entries.len(),
        evidence.sessions.len(),
        moment::short(evidence.first_ms.unwrap_or_default()),
        moment::short(evidence.last_ms),
        entries.join(" ")
    );
    append(&mut text, format_args!("            answered by {}\n", some_of(&evidence.by)));
    append(&mut text, format_args!("            in {}\n", some_of(&proposal.places)));
    if proposal.unanswered > 0 {
        append(
            &mut text,
            format_args!(
                "            {WARM}{} questions without a known answer{WARM:#}\n",
                proposal.unanswered
            ),
        );
    }
    append(&mut text, format_args!("            it {}\n", visible(&proposal.means)));
    let word = if proposal.list == List::Allow { "allow" } else { "deny" };
    if proposal.also.is_empty() {
        append(
            &mut text,
            format_args!("            {DIM}no other call in the log is changed by it{DIM:#}\n"),
        );
    } else {
        append(&mut text, format_args!("            of the other calls in the log it would {word}:\n"));
        for call in &proposal.also {
            append(&mut text, format_args!("              {}\n", view::shortened(call, WIDTH)));
        }
    }
    text
}

/// The first of them, and how many more there are.
fn some_of(all: &BTreeSet<String>) -> String {
    let some: Vec<String> = all.iter().take(EXAMPLES).map(|it| view::shortened(it, WIDTH)).collect();
    let more = all.len().saturating_sub(some.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", some.join(", "))
}

/// The same for programs.
pub(super) fn as_json(lesson: &Lesson) -> Value {
    let history = &lesson.history;
    let one = |it: &Proposal| {
        json!({
            "id": it.id,
            "list": it.list.name(),
            "rule": it.rule,
            "count": it.evidence.entries.len(),
            "sessions": it.evidence.sessions.len(),
            "by": it.evidence.by,
            "first": it.evidence.first_ms.map(moment::stamp),
            "last": moment::stamp(it.evidence.last_ms),
            "entries": it.evidence.entries,
            "unanswered": it.unanswered,
            "places": it.places,
            "means": it.means,
            "also": it.also,
        })
    };
    json!({
        "log": {
            "entries": history.entries,
            "questions": history.questions(),
            "first": history.first_ms.map(moment::stamp),
            "last": history.first_ms.map(|_| moment::stamp(history.last_ms)),
            "not_compared": history.left_out,
        },
        "proposals": lesson.proposals.rules.iter().map(one).collect::<Vec<_>>(),
        "dropped": lesson.proposals.dropped.iter().map(|it| json!({
            "what": it.what, "count": it.count, "why": it.why,
        })).collect::<Vec<_>>(),
        "idle": lesson.idle.iter().map(|it| json!({
            "rule": it.rule, "list": it.list.name(), "origin": it.origin,
        })).collect::<Vec<_>>(),
    })
}
