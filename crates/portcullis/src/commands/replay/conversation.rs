//! The conversation before a call, as much of it as judges look at.
//!
//! What people typed is kept whole up to a limit far above what is typed in a session; of the rest the newest is kept,
//! as much as a model would be shown.

use portcullis_classify::transcript::{Entry, Layout, Transcript};

/// How many bytes of people's words are kept.
const MOST_WORDS: usize = 1 << 20;

/// What an entry takes beside its text.
const OVERHEAD: usize = 256;

/// A conversation of bounded size.
pub(super) struct Conversation {
    pub(super) kept: Transcript,
    /// Bytes of people's words, and of the rest.
    words: usize,
    rest: usize,
    /// Bytes of the rest that are kept at least.
    room: usize,
    /// Bytes that a model would be shown of what is kept.
    shown: usize,
    /// Whether words of people had to be left out.
    pub(super) has_lost_words: bool,
}

impl Conversation {
    /// An empty one, with so much room for what is not people's words.
    pub(super) fn new(room: usize) -> Conversation {
        let kept = Transcript::default();
        Conversation { kept, words: 0, rest: 0, room, shown: 0, has_lost_words: false }
    }

    /// Bytes that a model would be shown of it.
    pub(super) fn shown(&self) -> usize {
        self.shown.min(self.room.saturating_add(self.words))
    }

    /// Adds an entry; `size` is what its text takes.
    pub(super) fn add(&mut self, entry: Entry, size: usize, shown: usize) {
        let size = size.saturating_add(OVERHEAD);
        *(if is_human(&entry) { &mut self.words } else { &mut self.rest }) += size;
        self.shown += shown;
        self.kept.entries.push(entry);
        if self.words > MOST_WORDS || self.rest > self.room.saturating_mul(2) {
            self.forget();
        }
    }

    /// Forgets the oldest, much at once, so that it is seldom done.
    fn forget(&mut self) {
        let mut too_many_words =
            self.words.saturating_sub(if self.words > MOST_WORDS { MOST_WORDS / 2 } else { self.words });
        let mut too_much = self.rest.saturating_sub(self.room);
        let (mut words, mut rest, mut shown) = (0, 0, 0);
        let mut has_lost_words = self.has_lost_words;
        self.kept.entries.retain(|entry| {
            let size = size(entry).saturating_add(OVERHEAD);
            let human = is_human(entry);
            let surplus = if human { &mut too_many_words } else { &mut too_much };
            if *surplus > 0 {
                *surplus = surplus.saturating_sub(size);
                has_lost_words |= human;
                return false;
            }
            *(if human { &mut words } else { &mut rest }) += size;
            shown += Layout::JsonLines.shown_bytes(entry);
            true
        });
        (self.words, self.rest, self.shown) = (words, rest, shown);
        // FAIL-CLOSED(unread-conversation): words that are not there any more may have forbidden something.
        self.has_lost_words = has_lost_words;
    }
}

/// How many bytes an entry's text takes.
pub(super) fn size(entry: &Entry) -> usize {
    match entry {
        Entry::User { text, .. } => text.len(),
        Entry::Call(call) => call.input.to_string().len(),
    }
}

fn is_human(entry: &Entry) -> bool {
    matches!(entry, Entry::User { origin, .. } if origin.may_be_human())
}

#[cfg(test)]
mod tests {
    use super::*;
    use portcullis_classify::transcript::Origin;
    use portcullis_decide::ToolCall;
    use serde_json::json;

    fn bytes(talk: &Conversation) -> usize {
        talk.kept.entries.iter().map(|entry| size(entry) + OVERHEAD).sum()
    }

    fn add(talk: &mut Conversation, entry: Entry) {
        let (size, shown) = (size(&entry), Layout::JsonLines.shown_bytes(&entry));
        talk.add(entry, size, shown);
    }

    #[test]
    fn it_does_not_grow_with_the_session() {
        let room = 100_000;
        let mut talk = Conversation::new(room);
        let mut largest = 0;
        add(&mut talk, Entry::User { text: "never push".to_owned(), origin: Origin::Human });
        for number in 0..50_000 {
            let call = ToolCall::new("Bash", json!({ "command": format!("echo {number}") }), "/p");
            add(&mut talk, Entry::Call(call));
            if number % 500 == 0 {
                largest = largest.max(bytes(&talk));
            }
        }
        assert!(largest > room / 2 && largest <= 2 * room + 4 * OVERHEAD, "{largest}");
        assert_eq!(talk.kept.human_turns().collect::<Vec<_>>(), ["never push"]);
        assert!(!talk.has_lost_words);
        assert!(talk.shown() > 1000 && talk.shown() <= room + talk.words);
    }

    /// [A3]
    #[test]
    fn words_that_had_to_go_are_noticed() {
        let mut talk = Conversation::new(1000);
        for number in 0..400 {
            let text = format!("{number} {}", "word ".repeat(1000));
            add(&mut talk, Entry::User { text, origin: Origin::Human });
        }
        assert!(talk.has_lost_words && bytes(&talk) <= MOST_WORDS);
        assert!(talk.kept.human_turns().last().is_some_and(|turn| turn.starts_with("399 ")));
    }
}
