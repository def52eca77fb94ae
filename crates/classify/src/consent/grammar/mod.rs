//! A small grammar of what people write to agents: sentences, clauses, names, kinds of action, and the function words that
//! restrict. Its tables are closed classes of words; nothing in it is about a single command or a single sentence.

mod action_words;
pub(super) mod actions;
mod cue_words;
pub(super) mod cues;
pub(super) mod file_kinds;
mod table;
pub(super) mod text;
pub(super) mod verbs;
