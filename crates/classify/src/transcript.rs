//! The conversation as a judge sees it (SPEC C2): what users said and what the agent did.
//!
//! The types cannot hold the agent's prose or what tools returned.

use portcullis_decide::ToolCall;

/// Who wrote a turn in the user's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A person typed it: it carries authority.
    Human,
    /// No person wrote it (a hook, another agent, a scheduled task): it carries none.
    Other(String),
}

/// One line of the conversation.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A turn in the user's place.
    User {
        /// Its words.
        text: String,
        /// Who wrote it.
        origin: Origin,
    },
    /// Something the agent did.
    Call(ToolCall),
}

/// A conversation, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// Its lines.
    pub entries: Vec<Entry>,
    /// How many lines of the source were not understood and left out.
    pub skipped: usize,
}

impl Transcript {
    /// Adds something a person typed.
    pub fn push_human(&mut self, text: impl Into<String>) {
        self.entries.push(Entry::User { text: text.into(), origin: Origin::Human });
    }

    /// Adds a call.
    pub fn push_call(&mut self, call: ToolCall) {
        self.entries.push(Entry::Call(call));
    }

    /// What people typed, oldest first.
    pub fn human_turns(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::User { text, origin: Origin::Human } => Some(text.as_str()),
            Entry::User { .. } | Entry::Call(_) => None,
        })
    }

    /// What the agent did, oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Call(call) => Some(call),
            Entry::User { .. } => None,
        })
    }
}
