//! A ruling for people: one word, why, the part it is about, and what would change it.

use portcullis_decide::reason::Part;
use portcullis_decide::rules::Origin;
use portcullis_decide::{Decision, Reason, Ruling, ToolCall};
use portcullis_shell::Span;

use super::asked::Answered;
use super::read_view::{self, append};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, visible};

/// The whole answer.
pub(crate) fn render(answered: &Answered) -> String {
    let mut text = headline(&answered.ruling);
    let call = answered.call.as_ref().map(|(call, _)| call);
    text.push_str(&about(&answered.ruling.reason, call));
    // A rule settles only what no rule settled yet; what a check or another rule asks it cannot.
    let open = matches!(answered.ruling.reason, Reason::NoRule | Reason::WorkingDirectory { .. });
    if let Decision::Ask { suggestions, .. } = &answered.ruling.decision
        && open
    {
        text.push_str(&suggested(suggestions));
    }
    text
}

/// One word and one sentence.
pub(crate) fn headline(ruling: &Ruling) -> String {
    let (word, style) = match ruling.decision {
        Decision::Allow { .. } => ("ALLOW", CALM.bold()),
        Decision::Deny { .. } => ("DENY", LOUD),
        Decision::Ask { .. } => ("ASK", WARM.bold()),
    };
    format!("{style}{word}{style:#}  {}\n", one_line(&ruling.message()))
}

/// The part of the call that the reason is about, and where its rule stands.
pub(crate) fn about(reason: &Reason, call: Option<&ToolCall>) -> String {
    let mut text = String::new();
    let line = call.filter(|call| call.tool.is_shell()).and_then(|call| call.text("command"));
    if let Some((line, span)) = line.zip(span(reason)) {
        text.push_str(&read_view::marked(line, span));
    }
    for (rule, origin) in rules(reason) {
        let rule = one_line(rule);
        append(
            &mut text,
            format_args!(
                "  {DIM}rule{DIM:#}  {STRONG}{rule}{STRONG:#} in {}\n",
                one_line(&origin.to_string())
            ),
        );
    }
    text
}

fn span(reason: &Reason) -> Option<Span> {
    let of = |part: &Option<Part>| part.as_ref().and_then(|part| part.span);
    match reason {
        Reason::Rule { part, .. } | Reason::Safety { part, .. } => of(part),
        Reason::Parts(parts) => parts.iter().find(|part| !part.allowed).and_then(|part| part.part.span),
        Reason::Mode(_)
        | Reason::Classifier { .. }
        | Reason::Hook { .. }
        | Reason::Tool(_)
        | Reason::WorkingDirectory { .. }
        | Reason::FastPath(_)
        | Reason::Human { .. }
        | Reason::Limit(_)
        | Reason::Unavailable(_)
        | Reason::Invalid(_)
        | Reason::NoRule => None,
    }
}

fn rules(reason: &Reason) -> Vec<(&str, &Origin)> {
    match reason {
        Reason::Rule { rule, origin, .. } => vec![(rule, origin)],
        Reason::Parts(parts) => parts
            .iter()
            .filter_map(|part| part.rule.as_ref())
            .map(|(rule, origin)| (rule.as_str(), origin))
            .collect(),
        Reason::Mode(_)
        | Reason::Classifier { .. }
        | Reason::Hook { .. }
        | Reason::Safety { .. }
        | Reason::Tool(_)
        | Reason::WorkingDirectory { .. }
        | Reason::FastPath(_)
        | Reason::Human { .. }
        | Reason::Limit(_)
        | Reason::Unavailable(_)
        | Reason::Invalid(_)
        | Reason::NoRule => Vec::new(),
    }
}

fn suggested(rules: &[String]) -> String {
    let mut text = String::new();
    for (index, rule) in rules.iter().enumerate() {
        let shown = one_line(rule);
        let lead = if index == 0 { "to allow this next time, add" } else { "and" };
        append(&mut text, format_args!("  {DIM}{lead}{DIM:#} {STRONG}{shown}{STRONG:#}"));
        if index == 0 {
            let quoted = shown.replace('\'', r"'\''");
            append(
                &mut text,
                format_args!(
                    " {DIM}to `permissions.allow` in your settings; to try it first: --allow '{quoted}'{DIM:#}"
                ),
            );
        }
        text.push('\n');
    }
    text
}

/// Text that cannot break out of its line.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', "⏎")
}
