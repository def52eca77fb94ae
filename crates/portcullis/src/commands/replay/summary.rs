//! What a replay comes to: figures of fixed size, whatever the number of calls.

use std::collections::BTreeMap;

use portcullis_classify::transcript::Format;
use serde_json::{Value, json};

use super::judging::Ruled;
use super::layer::{LAYERS, Layer};
use super::session_replay::Row;
use super::times::Times;
use super::work::{LONGEST_PAUSE_MS, Work, real};

/// Rulings, from loose to strict.
pub(super) const DECISIONS: [&str; 4] = ["allow", "escalate", "ask", "deny"];

/// Characters to a token, as people reckon.
pub(super) const CHARACTERS_PER_TOKEN: u64 = 4;

/// How many recordings are named one by one.
const MOST_FILES: usize = 100;

/// The figures of a replay.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) calls: u64,
    pub(super) sessions: u64,
    /// Calls by ruling and layer.
    settled: BTreeMap<(&'static str, Layer), u64>,
    pub(super) times: Times,
    /// Classifier calls that were not needed, and the characters of their first requests.
    pub(super) spared: u64,
    pub(super) spared_characters: u64,
    pub(super) work: Work,
    /// Calls that stood in an earlier recording already.
    pub(super) repeated: u64,
    /// Lines that were not understood.
    pub(super) skipped: u64,
    /// Calls that hooks would have been asked about.
    pub(super) hooked: u64,
    pub(super) files: Vec<Recording>,
    /// Calls by what they get under both policies, where that differs; nothing without a comparison.
    pub(super) changes: Option<BTreeMap<(&'static str, &'static str), u64>>,
}

/// What one recording was.
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) format: Option<Format>,
    pub(super) calls: u64,
    pub(super) skipped: u64,
}

impl Summary {
    pub(super) fn new(compares: bool) -> Summary {
        Summary { changes: compares.then(BTreeMap::new), ..Summary::default() }
    }

    pub(super) fn add(&mut self, row: &Row) {
        self.calls += 1;
        let Ruled { decision, layer, micros, spared, hooked, .. } = &row.ruled;
        *self.settled.entry((decision, *layer)).or_default() += 1;
        self.times.add(*micros);
        if let Some(bytes) = spared {
            self.spared += 1;
            let bytes = u64::try_from(*bytes).unwrap_or(u64::MAX);
            self.spared_characters = self.spared_characters.saturating_add(bytes);
        }
        self.hooked += u64::from(*hooked);
        if let (Some(changes), Some(other)) = (&mut self.changes, &row.other)
            && other.decision != *decision
        {
            *changes.entry((decision, other.decision)).or_default() += 1;
        }
    }

    pub(super) fn file(&mut self, recording: Recording) {
        self.skipped = self.skipped.saturating_add(recording.skipped);
        if self.files.len() < MOST_FILES {
            self.files.push(recording);
        }
    }

    /// Calls with this ruling.
    pub(super) fn ruled(&self, decision: &str) -> u64 {
        self.settled.iter().filter(|((ruled, _), _)| *ruled == decision).map(|(_, count)| count).sum()
    }

    /// Calls with this ruling, by layer.
    pub(super) fn layers(&self, decision: &'static str) -> impl Iterator<Item = (Layer, u64)> + '_ {
        LAYERS.iter().filter_map(move |layer| Some((*layer, *self.settled.get(&(decision, *layer))?)))
    }

    /// How often an hour a person would be asked.
    pub(super) fn prompts_an_hour(&self) -> Option<f64> {
        Some(real(self.ruled("ask")) / self.work.hours()?)
    }

    /// About how many tokens the classifier calls would have taken that were not needed.
    pub(super) const fn spared_tokens(&self) -> u64 {
        self.spared_characters / CHARACTERS_PER_TOKEN
    }

    /// How many calls another policy rules otherwise.
    pub(super) fn changed(&self) -> u64 {
        self.changes.iter().flat_map(BTreeMap::values).sum()
    }

    /// Calls with this ruling under the policy that is compared with.
    pub(super) fn other_ruled(&self, decision: &str) -> u64 {
        let changes = self.changes.iter().flatten();
        let (mut gained, mut lost) = (0, 0);
        for ((from, to), calls) in changes {
            gained += if *to == decision { *calls } else { 0 };
            lost += if *from == decision { *calls } else { 0 };
        }
        self.ruled(decision).saturating_add(gained).saturating_sub(lost)
    }

    /// How often an hour a person would be asked under that policy.
    pub(super) fn other_prompts_an_hour(&self) -> Option<f64> {
        Some(real(self.other_ruled("ask")) / self.work.hours()?)
    }

    /// The last line for programs.
    pub(super) fn as_json(&self) -> Value {
        let by = |decision: &'static str| {
            let layers: serde_json::Map<String, Value> =
                self.layers(decision).map(|(layer, count)| (layer.name().to_owned(), json!(count))).collect();
            let count = self.ruled(decision);
            json!({ "calls": count, "share": share(count, self.calls), "layers": layers })
        };
        let files = self.files.iter().map(|file| {
            let format = file.format.map(format_name);
            json!({ "file": file.name, "format": format, "calls": file.calls, "skipped": file.skipped })
        });
        let mut value = json!({ "summary": {
            "calls": self.calls,
            "sessions": self.sessions,
            "allow": by("allow"),
            "escalate": by("escalate"),
            "ask": by("ask"),
            "deny": by("deny"),
            "worked_seconds": self.work.total_ms().map(|worked| worked / 1000),
            "longest_pause_seconds": LONGEST_PAUSE_MS / 1000,
            "asked_an_hour": self.prompts_an_hour(),
            "micros": { "p50": self.times.at(50), "p99": self.times.at(99), "most": self.times.most() },
            "classifier_calls_saved": self.spared,
            "characters_saved": self.spared_characters,
            "tokens_saved": self.spared_tokens(),
            "hooks_not_run": self.hooked,
            "skipped": self.skipped,
            "repeated": self.repeated,
            "files": files.collect::<Vec<_>>(),
        }});
        if let (Some(changes), Some(fields)) =
            (&self.changes, value.get_mut("summary").and_then(Value::as_object_mut))
        {
            let kinds =
                changes.iter().map(|((from, to), count)| json!({ "from": from, "to": to, "calls": count }));
            fields.insert("changed".to_owned(), json!(self.changed()));
            fields.insert("changes".to_owned(), kinds.collect());
            let mut other: serde_json::Map<String, Value> = DECISIONS
                .iter()
                .map(|decision| ((*decision).to_owned(), json!(self.other_ruled(decision))))
                .collect();
            other.insert("asked_an_hour".to_owned(), json!(self.other_prompts_an_hour()));
            fields.insert("other".to_owned(), Value::Object(other));
        }
        value
    }
}

/// The name of a format, as `--format` takes it.
pub(super) const fn format_name(format: Format) -> &'static str {
    match format {
        Format::Detect => "unknown",
        Format::Plain => "plain",
        Format::ClaudeCode => "claude-code",
        Format::Codex => "codex",
        Format::Gemini => "gemini",
        Format::Qwen => "qwen",
        Format::OpenCode => "opencode",
        Format::AuditLog => "audit",
    }
}

/// A part of a whole, from 0 to 1.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}
