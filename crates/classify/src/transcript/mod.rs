//! Conversations as judges see them (SPEC C2): what users said and what the agent did.
//!
//! A [`Transcript`] cannot hold the agent's prose or the results of tools, so neither can influence a judge.
//! [`Transcript::read`] parses the files of each supported [`Format`]; [`Followed`] reads one that grows,
//! [`Recorded`] a long one piece by piece. [`canonical_calls`] translates an agent's tool calls.

mod audit_log;
mod claude_code;
mod codex;
mod fields;
mod follow;
mod frame;
mod gemini;
mod lines;
mod machine;
mod opencode;
mod own_names;
mod patch;
mod plain;
mod qwen;
mod recorded;
mod seen;
mod servers;
mod tools;

use std::io::BufRead;
use std::sync::LazyLock;

use portcullis_decide::ToolCall;
use serde_json::Value;

pub use follow::Followed;
pub use frame::{Layout, TooLong, escape};
pub use lines::ReadError;
pub use machine::typed;
pub use own_names::Agent;
pub use recorded::{Moment, Passage, Recorded};
pub use tools::{canonical_calls, own_input};

/// Who wrote a turn with the role of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A person typed it: it has authority.
    Human,
    /// A program wrote it (a hook, another agent, a timer): it has none.
    Other(String),
}

impl Origin {
    /// Whether a person wrote it, or nothing shows yet that none did.
    #[must_use]
    pub fn may_be_human(&self) -> bool {
        match self {
            Origin::Human => true,
            Origin::Other(who) => who == codex::UNPROVEN,
        }
    }
}

/// An entry of a conversation.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A turn with the role of the user.
    User {
        /// Its text.
        text: String,
        /// Who wrote it.
        origin: Origin,
    },
    /// A tool call of the agent.
    Call(ToolCall),
}

/// A conversation, oldest entry first.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Its entries.
    pub entries: Vec<Entry>,
    /// The number of lines that were not understood and left out.
    pub skipped: usize,
    /// The session that started this one, if the file names it.
    pub parent: Option<String>,
}

/// The format of a transcript file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Told from the first lines.
    #[default]
    Detect,
    /// `{"user": text, "origin"?}` and `{"tool", "input"}`, one a line or in one list.
    Plain,
    /// The session files of Claude Code.
    ClaudeCode,
    /// The rollout files of Codex.
    Codex,
    /// The chat files of Gemini CLI.
    Gemini,
    /// The session files of Qwen Code.
    Qwen,
    /// Messages of `OpenCode` with their parts.
    OpenCode,
    /// The gate's own log, as `log --json` and `log --export` write it.
    AuditLog,
}

/// What takes in one value after the other.
trait Reader: Send {
    /// Takes in a value; says whether it was understood.
    fn take(&mut self, value: Value, transcript: &mut Transcript) -> bool;

    /// Completes what was taken in so far, as if nothing followed.
    fn end(&self, _transcript: &mut Transcript) {}

    /// Whether what `end` does holds whatever follows.
    fn is_settled(&self) -> bool {
        true
    }
}

impl Format {
    /// The format that a first value shows, if it shows one.
    fn shown_by(value: &Value) -> Option<Format> {
        let has = |field: &str| value.get(field).is_some();
        if audit_log::AuditLog::wrote(value) {
            Some(Format::AuditLog)
        } else if has("user") || has("tool") && has("input") {
            Some(Format::Plain)
        } else if has("payload") && has("type") {
            Some(Format::Codex)
        } else if has("info") && (has("parts") || has("messages")) || has("messageID") || has("sessionID") {
            Some(Format::OpenCode)
        } else if has("sessionId") && (has("projectHash") || has("messages"))
            || has("$set")
            || has("toolCalls")
        {
            Some(Format::Gemini)
        } else if qwen::Qwen::wrote(value) {
            Some(Format::Qwen)
        } else if has("type")
            && (has("uuid") || has("sessionId") || has("message") || has("leafUuid") || has("messageId"))
        {
            Some(Format::ClaudeCode)
        } else {
            None
        }
    }

    fn reader(self, cwd: &str) -> Box<dyn Reader> {
        match self {
            Format::Plain | Format::Detect => Box::new(plain::Plain::new(cwd)),
            Format::ClaudeCode => Box::new(claude_code::ClaudeCode::new(cwd)),
            Format::Codex => Box::new(codex::Codex::new(cwd)),
            Format::Gemini => Box::new(gemini::Gemini::new(cwd)),
            Format::Qwen => Box::new(qwen::Qwen::new(cwd)),
            Format::OpenCode => Box::new(opencode::OpenCode::new(cwd)),
            Format::AuditLog => Box::new(audit_log::AuditLog::new(cwd)),
        }
    }

    /// Whether one value can hold a list of messages.
    const fn holds_messages(self) -> bool {
        match self {
            Format::Gemini | Format::OpenCode => true,
            Format::Detect
            | Format::Plain
            | Format::ClaudeCode
            | Format::Codex
            | Format::Qwen
            | Format::AuditLog => false,
        }
    }
}

impl Transcript {
    /// A conversation without entries.
    #[must_use]
    pub fn empty() -> &'static Transcript {
        static EMPTY: LazyLock<Transcript> = LazyLock::new(Transcript::default);
        &EMPTY
    }

    /// Reads a conversation. Calls that do not say where they were made were made in `cwd`. What is not
    /// understood is left out and counted; no more than one line is kept in mind.
    ///
    /// # Errors
    /// If the source cannot be read to its end, or is one value of more than 64 MiB.
    pub fn read(reader: impl BufRead, format: Format, cwd: &str) -> Result<Transcript, ReadError> {
        let mut recorded = Recorded::new(reader, format, cwd);
        let mut transcript = Transcript::default();
        while let Some(passage) = recorded.next_passage()? {
            transcript.entries.extend(passage.entries);
        }
        transcript.skipped = recorded.skipped();
        transcript.parent = recorded.parent().map(str::to_owned);
        Ok(recorded.as_of_now(&mut transcript).into_owned())
    }

    /// Reads the entries of a plain conversation from JSON values.
    #[must_use]
    pub fn from_entries(entries: &[Value], cwd: &str) -> Transcript {
        let mut transcript = Transcript::default();
        let mut taker = plain::Plain::new(cwd);
        for value in entries {
            let understood = taker.take(value.clone(), &mut transcript);
            transcript.skipped += usize::from(!understood);
        }
        transcript
    }

    /// Adds a turn that a program wrote.
    pub fn push_other(&mut self, text: impl Into<String>, from: impl Into<String>) {
        self.entries.push(Entry::User { text: text.into(), origin: Origin::Other(from.into()) });
    }

    /// Adds a turn that a person typed.
    pub fn push_human(&mut self, text: impl Into<String>) {
        self.entries.push(Entry::User { text: text.into(), origin: Origin::Human });
    }

    /// Adds a call.
    pub fn push_call(&mut self, call: ToolCall) {
        self.entries.push(Entry::Call(call));
    }

    /// The turns that people typed, oldest first.
    pub fn human_turns(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::User { text, origin: Origin::Human } => Some(text.as_str()),
            Entry::User { .. } | Entry::Call(_) => None,
        })
    }

    /// The calls of the agent, oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Call(call) => Some(call),
            Entry::User { .. } => None,
        })
    }
}
