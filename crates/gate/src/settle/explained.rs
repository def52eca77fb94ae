//! What judges thought, in the words of a trace.

use portcullis_classify::judge::Verdict;
use portcullis_classify::stages::{Outcome as Said, StageRecord};

/// What the built-in judge thought of a call that a model is asked about.
pub(super) fn heard(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Allow { why } => format!("would allow: {why}"),
        Verdict::Block(finding) => format!("would block: {}: {}", finding.category().title(), finding.what),
        Verdict::Forbidden { words } => format!("would block: the user said \"{words}\""),
        Verdict::Ask { why, .. } => format!("would ask: {why}"),
    }
}

/// What a stage said and took, in one line.
pub(super) fn seen(record: &StageRecord) -> String {
    let word = match &record.outcome {
        Said::Allow => "does not block".to_owned(),
        Said::Block { .. } => "blocks".to_owned(),
        Said::Failed(failure) => failure.to_string(),
    };
    let usage = &record.usage;
    let cost = record.cost.map_or_else(String::new, |cost| {
        format!(", ${}.{:06}", cost / 1_000_000_000, cost % 1_000_000_000 / 1000)
    });
    format!(
        "{word} ({}, {} tokens in, {} of them cached, {} out{cost}, {} ms)",
        record.model,
        usage.input,
        usage.cached,
        usage.output,
        record.micros / 1000
    )
}
