//! The approver in the terminal (SPEC H6): a person sees what waits and answers.
//!
//! `keys` is what the person's keys mean, `queue` what waits, `body` what is told about a request, `view` the screen,
//! `poll` the way to the daemon, `plain` the same in lines of text. Here they are put together.

mod body;
mod choosing;
mod editor;
mod keys;
#[cfg(test)]
mod keys_tests;
mod outside;
mod plain;
mod poll;
mod queue;
mod terminal;
mod view;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use portcullis_decide::rules::{List, Source};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::{Places, add_rule};

use body::Letters;
use choosing::Shelf;
use keys::{Act, App, Screen};
use poll::News;
use terminal::{Heard, Terminal};
use view::Look;

pub(crate) use plain::run as run_plain;

/// How long a key is waited for before the screen is drawn again.
const STEP: Duration = Duration::from_millis(100);

/// Shows what waits until the person leaves.
pub(crate) fn run() -> Result<(), String> {
    let places = Places::from_environment(Path::new("/"));
    let (sender, news) = mpsc::channel();
    poll::follow(places.clone(), sender.clone());
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let look = Look { letters: Letters::of_environment(), colour };
    let terminal = Terminal::open()?;
    Approver { places, sender, news, app: App::new(), look, terminal }.run()
}

struct Approver {
    places: Places,
    sender: Sender<News>,
    news: Receiver<News>,
    app: App,
    look: Look,
    terminal: Terminal,
}

impl Approver {
    fn run(mut self) -> Result<(), String> {
        loop {
            self.hear_news();
            let (app, look) = (&mut self.app, self.look);
            self.terminal.draw(|frame| view::draw(frame, app, calendar_ms(), look))?;
            let key = match self.terminal.hear(STEP)? {
                Heard::Key(key) => key,
                Heard::Nothing => continue,
                Heard::Stop => return Ok(()),
            };
            // What came meanwhile comes first: the key is for what is there now, or for nothing.
            self.hear_news();
            for act in self.app.on_key(&key, calendar_ms()) {
                if act == Act::Leave {
                    return Ok(());
                }
                self.obey(act)?;
            }
        }
    }

    fn hear_news(&mut self) {
        while let Ok(news) = self.news.try_recv() {
            let now = calendar_ms();
            match news {
                News::List(items) => self.app.on_list(items, now),
                News::Lost(why) => self.app.on_lost(why, now),
                News::Answered { id, taken } => self.app.on_answered(&id, taken),
                News::Note(note) => self.app.note = Some(note),
            }
        }
    }

    fn obey(&mut self, act: Act) -> Result<(), String> {
        match act {
            Act::Answer { id, body } => {
                let file = self.file(&id);
                let state = self.places.state.clone();
                poll::answer(state, id, body, file, self.sender.clone());
            }
            Act::WriteDeny(rule) => {
                let written = add_rule(&self.places, Source::User, List::Deny, &rule);
                self.app.note = Some(match written {
                    Ok(file) => format!("{rule} is denied from now on, by {}", file.display()),
                    Err(error) => error.to_string(),
                });
            }
            Act::EditOutside(text) => {
                let Some(id) = self.app.queue.selected().map(|item| item.id.clone()) else {
                    return Ok(());
                };
                let state = self.places.state.clone();
                let edited = self.terminal.aside(|| outside::edit(&state, &text))?;
                self.hear_news();
                self.app.on_edited(&id, edited);
            }
            Act::Leave => {}
        }
        Ok(())
    }

    /// Where the rule that is being chosen is going to stand.
    fn file(&self, id: &str) -> String {
        let chosen = match &self.app.screen {
            Screen::Choosing(choosing) => choosing.shelf,
            Screen::Requests
            | Screen::Message { .. }
            | Screen::Change { .. }
            | Screen::Changed { .. }
            | Screen::OfferDeny { .. }
            | Screen::Help => Shelf::User,
        };
        self.app.queue.find(id).map(|item| chosen.file(item).to_owned()).unwrap_or_default()
    }
}
