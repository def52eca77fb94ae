//! What the person's keys do: a state machine without screen, clock or socket. It is told what happened and says what
//! to do.

use serde_json::{Value, json};

use super::choosing::{Choosing, Lasting, Offer};
use super::editor::Editor;
use super::queue::{Looked, Queue, Waiting};

/// How long keys for another request than the one before are passed over: they were meant for that one.
const SURPRISE_MS: u64 = 500;
/// The longest text that is edited in one line of the screen.
const ONE_LINE: usize = 300;

/// A key, whatever the terminal calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Char(char),
    /// Text that came at once and is no answer to anything.
    Paste(String),
    Enter,
    Escape,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Backspace,
    Delete,
    Tab,
    /// The line is emptied.
    Clear,
    /// The program is left.
    Leave,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Act {
    /// Give the daemon this answer.
    Answer { id: String, body: Value },
    /// Write a deny rule to the user's settings (N4).
    WriteDeny(String),
    /// Let the person's own editor change this text.
    EditOutside(String),
    /// End.
    Leave,
}

/// What is on the screen besides the request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Screen {
    /// Only the requests.
    Requests,
    /// What the agent is told with a no.
    Message {
        id: String,
        line: Editor,
    },
    Choosing(Choosing),
    /// The input is changed.
    Change {
        id: String,
        line: Editor,
        problem: Option<String>,
    },
    /// A changed input that came back from the person's editor waits for their yes.
    Changed {
        id: String,
        text: String,
    },
    /// Whether to write a deny rule.
    OfferDeny {
        rule: String,
    },
    Help,
}

/// All that the approver knows.
pub(crate) struct App {
    pub(crate) queue: Queue,
    pub(crate) screen: Screen,
    /// Lines of the request that are scrolled away.
    pub(crate) scroll: usize,
    /// What happened last.
    pub(crate) note: Option<String>,
    /// Why the daemon is not there.
    pub(crate) lost: Option<String>,
    /// When another request came before the person's eyes by itself.
    surprised: u64,
}

/// Whether an answer was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Taken {
    Yes,
    /// Not this way; it waits still.
    Refused(String),
    /// It does not wait any more, or nobody could be told.
    Failed(String),
}

impl App {
    pub(crate) fn new() -> App {
        App {
            queue: Queue::default(),
            screen: Screen::Requests,
            scroll: 0,
            note: None,
            lost: Some("looking for the daemon".to_owned()),
            surprised: 0,
        }
    }

    /// The daemon told what waits.
    pub(crate) fn on_list(&mut self, items: Vec<Waiting>, now: u64) {
        self.lost = None;
        if self.queue.replace(items) == Looked::AtAnother {
            self.surprised = now;
            self.scroll = 0;
        }
        let about = match &self.screen {
            Screen::Message { id, .. } | Screen::Change { id, .. } | Screen::Changed { id, .. } => Some(id),
            Screen::Choosing(choosing) => Some(&choosing.id),
            Screen::Requests | Screen::OfferDeny { .. } | Screen::Help => None,
        };
        if let Some(id) = about.filter(|id| self.queue.find(id).is_none()).cloned() {
            self.note = Some(format!("{id} does not wait any more; nothing was sent"));
            self.screen = Screen::Requests;
        }
    }

    /// The daemon is gone, and with it everything that waited.
    pub(crate) fn on_lost(&mut self, why: String, now: u64) {
        self.on_list(Vec::new(), now);
        self.lost = Some(why);
    }

    /// The daemon took an answer, or did not.
    pub(crate) fn on_answered(&mut self, id: &str, taken: Taken) {
        match taken {
            Taken::Yes => self.note = Some(format!("{id} is answered")),
            Taken::Failed(why) => self.note = Some(format!("{id}: {why}")),
            Taken::Refused(why) => match &mut self.screen {
                Screen::Choosing(choosing) if choosing.id == id => choosing.problem = Some(why),
                Screen::Change { id: changed, problem, .. } if changed == id => *problem = Some(why),
                Screen::Requests
                | Screen::Message { .. }
                | Screen::Choosing(_)
                | Screen::Change { .. }
                | Screen::Changed { .. }
                | Screen::OfferDeny { .. }
                | Screen::Help => self.note = Some(format!("{id}: {why}")),
            },
        }
        if let Screen::Choosing(choosing) = &self.screen
            && choosing.id == id
            && choosing.problem.is_none()
        {
            self.screen = Screen::Requests;
        }
    }

    /// The person's editor ended.
    pub(crate) fn on_edited(&mut self, id: &str, text: Result<String, String>) {
        self.screen = Screen::Requests;
        match text {
            Ok(text) => match self.queue.find(id).map(|item| item.edited(&text)) {
                Some(Ok(_)) => self.screen = Screen::Changed { id: id.to_owned(), text },
                Some(Err(why)) => self.note = Some(why),
                None => self.note = Some(format!("{id} does not wait any more; nothing was sent")),
            },
            Err(why) => self.note = Some(why),
        }
    }

    /// A key was pressed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
    pub(crate) fn on_key(&mut self, key: &Key, now: u64) -> Vec<Act> {
        if *key == Key::Leave {
            return vec![Act::Leave];
        }
        match std::mem::replace(&mut self.screen, Screen::Requests) {
            Screen::Requests => self.on_requests(key, now),
            Screen::Message { id, line } => self.on_message(key, id, line),
            Screen::Choosing(choosing) => self.on_choosing(key, choosing),
            Screen::Change { id, line, .. } => self.on_change(key, id, line),
            Screen::Changed { id, text } => self.on_changed(key, id, text),
            Screen::OfferDeny { rule } => match key {
                Key::Char('y' | 'Y') => vec![Act::WriteDeny(rule)],
                Key::Char('n' | 'N') | Key::Escape => Vec::new(),
                _ => {
                    self.screen = Screen::OfferDeny { rule };
                    Vec::new()
                }
            },
            Screen::Help => Vec::new(),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
    fn on_requests(&mut self, key: &Key, now: u64) -> Vec<Act> {
        match key {
            Key::Char('q') => return vec![Act::Leave],
            Key::Char('?') => self.screen = Screen::Help,
            Key::Up | Key::Char('k') => self.look(Queue::up),
            Key::Down | Key::Char('j') => self.look(Queue::down),
            Key::PageDown | Key::Char(' ') => self.scroll = self.scroll.saturating_add(5),
            Key::PageUp | Key::Char('b') => self.scroll = self.scroll.saturating_sub(5),
            Key::Home => self.scroll = 0,
            Key::End => self.scroll = usize::MAX / 2,
            Key::Char(letter @ ('o' | 's' | 'a' | 'n' | 'm' | 'e')) => return self.on_answer(*letter, now),
            _ => {}
        }
        Vec::new()
    }

    fn look(&mut self, go: fn(&mut Queue)) {
        go(&mut self.queue);
        self.scroll = 0;
        self.note = None;
    }

    fn on_answer(&mut self, letter: char, now: u64) -> Vec<Act> {
        let Some(item) = self.queue.selected().cloned() else { return Vec::new() };
        if now < self.surprised.saturating_add(SURPRISE_MS) {
            self.note = Some("another request came up just now; look, and answer again".to_owned());
            return Vec::new();
        }
        self.note = None;
        match letter {
            'o' => return vec![Act::Answer { id: item.id, body: json!({ "answer": "once" }) }],
            'n' => return self.no(&item, None),
            'm' => self.screen = Screen::Message { id: item.id, line: Editor::default() },
            's' => self.screen = Screen::Choosing(Choosing::of(&item, Lasting::Session)),
            'a' => self.screen = Screen::Choosing(Choosing::of(&item, Lasting::Always)),
            _ => return self.edit(&item),
        }
        Vec::new()
    }

    fn no(&mut self, item: &Waiting, message: Option<String>) -> Vec<Act> {
        if let Some(rule) = item.deny_rule.clone() {
            self.screen = Screen::OfferDeny { rule };
        }
        let body = match message {
            Some(message) => json!({ "answer": "no", "message": message }),
            None => json!({ "answer": "no" }),
        };
        vec![Act::Answer { id: item.id.clone(), body }]
    }

    fn edit(&mut self, item: &Waiting) -> Vec<Act> {
        match item.editable() {
            None => {
                let why = "it holds a credential that is not shown, so it cannot be edited here";
                self.note = Some(why.to_owned());
            }
            Some(text) if text.contains('\n') || text.chars().count() > ONE_LINE => {
                return vec![Act::EditOutside(text)];
            }
            Some(text) => {
                self.screen =
                    Screen::Change { id: item.id.clone(), line: Editor::with(&text), problem: None };
            }
        }
        Vec::new()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
    fn on_message(&mut self, key: &Key, id: String, mut line: Editor) -> Vec<Act> {
        match key {
            Key::Escape => Vec::new(),
            Key::Enter => match self.queue.find(&id).cloned() {
                Some(item) => self.no(&item, Some(line.text())),
                None => Vec::new(),
            },
            key => {
                typed(&mut line, key);
                self.screen = Screen::Message { id, line };
                Vec::new()
            }
        }
    }

    fn on_change(&mut self, key: &Key, id: String, mut line: Editor) -> Vec<Act> {
        if *key == Key::Escape {
            return Vec::new();
        }
        let mut problem = None;
        if *key == Key::Enter {
            match self.queue.find(&id).map(|item| item.edited(&line.text())) {
                Some(Ok(input)) => {
                    return vec![Act::Answer { id, body: json!({ "answer": "once", "input": input }) }];
                }
                Some(Err(why)) => problem = Some(why),
                None => return Vec::new(),
            }
        } else {
            typed(&mut line, key);
        }
        self.screen = Screen::Change { id, line, problem };
        Vec::new()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
    fn on_changed(&mut self, key: &Key, id: String, text: String) -> Vec<Act> {
        match key {
            Key::Escape | Key::Char('n' | 'N') => Vec::new(),
            Key::Enter | Key::Char('y' | 'Y') => match self.queue.find(&id).map(|item| item.edited(&text)) {
                Some(Ok(input)) => {
                    vec![Act::Answer { id, body: json!({ "answer": "once", "input": input }) }]
                }
                Some(Err(_)) | None => Vec::new(),
            },
            _ => {
                self.screen = Screen::Changed { id, text };
                Vec::new()
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
    fn on_choosing(&mut self, key: &Key, mut choosing: Choosing) -> Vec<Act> {
        let typing = choosing.offer() == Some(&Offer::Typed);
        let mut acts = Vec::new();
        match key {
            Key::Escape => return Vec::new(),
            Key::Up => choosing.at = choosing.at.saturating_sub(1),
            Key::Down => {
                choosing.at = choosing.at.saturating_add(1).min(choosing.offers.len().saturating_sub(1));
            }
            Key::Tab if choosing.lasting == Lasting::Always => choosing.shelf = choosing.shelf.next(),
            Key::Enter => match choosing.rule() {
                Some(rule) if rule.is_empty() => choosing.problem = Some("type a rule first".to_owned()),
                rule => {
                    choosing.problem = None;
                    acts.push(Act::Answer { id: choosing.id.clone(), body: choosing.body(rule) });
                }
            },
            key if typing => typed(&mut choosing.typed, key),
            _ => {}
        }
        // It stays open until the daemon has taken the rule.
        self.screen = Screen::Choosing(choosing);
        acts
    }
}

/// A key in a line.
fn typed(line: &mut Editor, key: &Key) {
    match key {
        Key::Char(character) => line.insert(character.encode_utf8(&mut [0; 4])),
        Key::Paste(text) => line.insert(text),
        Key::Left => line.left(),
        Key::Right => line.right(),
        Key::Home => line.home(),
        Key::End => line.end(),
        Key::Backspace => line.backspace(),
        Key::Delete => line.delete(),
        Key::Clear => line.clear(),
        Key::Enter
        | Key::Escape
        | Key::Up
        | Key::Down
        | Key::PageUp
        | Key::PageDown
        | Key::Tab
        | Key::Leave => {}
    }
}
