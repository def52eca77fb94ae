//! Verdicts of the command classifier that were asked for before anybody needed them (SPEC H3).
//!
//! A plain table: it says whether to start, keeps what came back, and hands each result out once, to the question that
//! is the same in everything the answer depends on. It starts nothing and cancels nothing.

use std::collections::VecDeque;

use portcullis_decide::{Mode, Tool, ToolCall};

/// Everything that a classifier verdict about a command depends on: two calls with the same key get the same verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    session: String,
    agent: Option<String>,
    input: String,
    cwd: String,
    mode: Mode,
    rules: String,
}

impl Key {
    /// The key of a call; nothing if no verdict about it is asked for in advance: only shell commands are, and not in
    /// modes in which the classifier judges anyway or nobody is asked. A call without a session has nobody to keep it for.
    ///
    /// `rules` stands for the rules and settings in force: any change of them must change it.
    #[must_use]
    pub fn of(call: &ToolCall, mode: Mode, rules: impl Into<String>) -> Option<Key> {
        let wanted = match mode {
            Mode::Default | Mode::AcceptEdits => call.tool == Tool::Bash,
            Mode::Auto | Mode::Bypass | Mode::Plan | Mode::DontAsk => false,
        };
        let session = call.session.clone().filter(|_| wanted)?;
        Some(Key {
            session,
            agent: call.agent.clone(),
            // The whole input, not the command alone: other fields change how it runs.
            input: call.input.to_string(),
            cwd: call.cwd.clone(),
            mode,
            rules: rules.into(),
        })
    }
}

/// A verdict that was asked for and is on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Ticket(u64);

/// The result of [`Speculation::take`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken<V> {
    /// No verdict was asked for: ask now.
    Nothing,
    /// The verdict. It is no longer in the table.
    Done(V),
    /// It is on its way: [`Speculation::finish`] returns it instead of keeping it.
    Running(Ticket),
}

/// A table of classifier verdicts that were asked for before anybody needed them (H3). Each is used once.
#[derive(Clone, Debug)]
pub struct Speculation<V> {
    limit: usize,
    keep_ms: u64,
    next: u64,
    /// Oldest first.
    entries: VecDeque<Entry<V>>,
}

#[derive(Clone, Debug)]
struct Entry<V> {
    ticket: Ticket,
    key: Key,
    since: u64,
    state: State<V>,
}

#[derive(Clone, Debug)]
enum State<V> {
    /// Not back yet.
    Running,
    /// Not back yet, and somebody waits for it.
    Claimed,
    /// Back, and nobody has asked.
    Done(V),
}

impl<V> Speculation<V> {
    /// A table of at most `limit` entries, each kept for `keep_ms` milliseconds.
    #[must_use]
    pub const fn new(limit: usize, keep_ms: u64) -> Speculation<V> {
        Speculation { limit, keep_ms, next: 0, entries: VecDeque::new() }
    }

    /// Whether to ask for a verdict now: `Some` ticket if so. The same question is not asked twice. If the table is
    /// full, the oldest entry that nobody waits for is dropped.
    pub fn begin(&mut self, now_ms: u64, key: Key) -> Option<Ticket> {
        self.expire(now_ms);
        if self.entries.iter().any(|entry| entry.key == key) {
            return None;
        }
        if self.entries.len() >= self.limit {
            let unclaimed = |entry: &Entry<V>| !matches!(entry.state, State::Claimed);
            let oldest = self.entries.iter().position(unclaimed)?;
            self.entries.remove(oldest);
        }
        let ticket = Ticket(self.next);
        self.next = self.next.wrapping_add(1);
        self.entries.push_back(Entry { ticket, key, since: now_ms, state: State::Running });
        Some(ticket)
    }

    /// Stores a verdict that came back, or `None` if none did. Returns it if somebody waits for it.
    pub fn finish(&mut self, now_ms: u64, ticket: Ticket, verdict: Option<V>) -> Option<V> {
        self.expire(now_ms);
        let at = self.entries.iter().position(|entry| entry.ticket == ticket)?;
        let entry = self.entries.remove(at)?;
        let verdict = verdict?;
        match entry.state {
            State::Claimed => Some(verdict),
            State::Running => {
                self.entries.insert(at, Entry { state: State::Done(verdict), ..entry });
                None
            }
            // A ticket is good for one verdict.
            State::Done(_) => None,
        }
    }

    /// Takes what there is for this question.
    pub fn take(&mut self, now_ms: u64, key: &Key) -> Taken<V> {
        self.expire(now_ms);
        let Some(at) = self.entries.iter().position(|entry| entry.key == *key) else { return Taken::Nothing };
        let Some(entry) = self.entries.remove(at) else { return Taken::Nothing };
        match entry.state {
            State::Done(verdict) => Taken::Done(verdict),
            State::Running => {
                let ticket = entry.ticket;
                self.entries.insert(at, Entry { state: State::Claimed, ..entry });
                Taken::Running(ticket)
            }
            State::Claimed => {
                self.entries.insert(at, entry);
                Taken::Nothing
            }
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Drops what is too old. Whatever still runs for it goes on, and its result is not kept.
    fn expire(&mut self, now_ms: u64) {
        let keep = self.keep_ms;
        self.entries.retain(|entry| now_ms.saturating_sub(entry.since) < keep);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(command: &str, cwd: &str, session: &str) -> ToolCall {
        let mut call = ToolCall::new("Bash", json!({ "command": command }), cwd);
        call.session = Some(session.to_owned());
        call
    }

    fn key(command: &str, cwd: &str, session: &str, rules: &str) -> Key {
        Key::of(&call(command, cwd, session), Mode::Default, rules).unwrap()
    }

    /// [H3]
    #[test]
    fn a_verdict_is_for_one_question_only() {
        let asked = key("touch x", "/p", "s", "r");
        let others = [
            key("touch y", "/p", "s", "r"),
            key("touch x", "/other", "s", "r"),
            key("touch x", "/p", "t", "r"),
            key("touch x", "/p", "s", "q"),
            Key::of(&call("touch x", "/p", "s"), Mode::AcceptEdits, "r").unwrap(),
        ];
        let mut table = Speculation::new(8, 1000);
        let ticket = table.begin(0, asked.clone()).unwrap();
        assert_eq!(table.begin(0, asked.clone()), None, "nothing is asked twice");
        assert_eq!(table.finish(1, ticket, Some("allow")), None);
        for other in &others {
            assert_eq!(table.take(2, other), Taken::Nothing, "{other:?}");
        }
        assert_eq!(table.take(2, &asked), Taken::Done("allow"));
        assert_eq!(table.take(2, &asked), Taken::Nothing, "a verdict is used once");
    }

    /// [H3]
    #[test]
    fn a_verdict_on_its_way_goes_to_the_one_who_waits() {
        let asked = key("touch x", "/p", "s", "r");
        let mut table = Speculation::new(8, 1000);
        let ticket = table.begin(0, asked.clone()).unwrap();
        assert!(!table.is_empty());
        assert_eq!(table.take(1, &asked), Taken::Running(ticket));
        assert_eq!(table.take(1, &asked), Taken::Nothing, "only one waits for it");
        assert_eq!(table.finish(2, ticket, Some("allow")), Some("allow"));
        assert_eq!(table.finish(2, ticket, Some("allow")), None);
        assert!(table.is_empty());
    }

    /// [H3]
    #[test]
    fn errors_are_silent_and_old_results_go() {
        let asked = key("touch x", "/p", "s", "r");
        let mut table = Speculation::new(8, 1000);
        let ticket = table.begin(0, asked.clone()).unwrap();
        assert_eq!(table.finish(1, ticket, None), None);
        assert_eq!(table.take(1, &asked), Taken::Nothing);
        let ticket = table.begin(1, asked.clone()).unwrap();
        assert_eq!(table.finish(2, ticket, Some("allow")), None);
        assert_eq!(table.take(1001, &asked), Taken::Nothing, "kept no longer than said");
        let late = table.begin(2000, asked.clone()).unwrap();
        assert_eq!(table.finish(3001, late, Some("allow")), None);
        assert_eq!(table.take(3001, &asked), Taken::Nothing, "what comes back too late is dropped");
    }

    /// [H3]
    #[test]
    fn the_table_stays_small() {
        let mut table = Speculation::new(2, 1000);
        let keys = ["a", "b", "c"].map(|command| key(command, "/p", "s", "r"));
        let [first, second, third] = keys.clone().map(|key| table.begin(0, key));
        assert_eq!(table.len(), 2);
        assert_eq!(table.finish(1, first.unwrap(), Some("a")), None);
        assert_eq!(table.take(1, &keys[0]), Taken::Nothing, "the oldest made room");
        assert_eq!(table.take(1, &keys[1]), Taken::Running(second.unwrap()));
        assert_eq!(table.take(1, &keys[2]), Taken::Running(third.unwrap()));
        assert_eq!(table.begin(1, key("d", "/p", "s", "r")), None, "what is waited for makes no room");
    }

    /// [H3]
    #[test]
    fn nothing_is_asked_for_where_nobody_would_need_it() {
        for mode in [Mode::Auto, Mode::Bypass, Mode::Plan, Mode::DontAsk] {
            assert_eq!(Key::of(&call("ls", "/p", "s"), mode, "r"), None, "{mode}");
        }
        assert_eq!(
            Key::of(&ToolCall::new("Bash", json!({ "command": "ls" }), "/p"), Mode::Default, "r"),
            None
        );
        let mut read = call("ls", "/p", "s");
        read.tool = Tool::Read;
        assert_eq!(Key::of(&read, Mode::Default, "r"), None);
    }
}
