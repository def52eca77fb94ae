//! The approver in lines of text, for screen readers and terminals that cannot do more: each request is printed once,
//! and a letter answers it.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};

use portcullis_decide::rules::{List, Source};
use portcullis_gate::calendar_ms;
use portcullis_gate::settings::{Places, add_rule};
use serde_json::{Value, json};

use super::body::{self, Letters};
use super::keys::Taken;
use super::poll::{self, News};
use super::queue::Waiting;
use crate::output;

/// The person left, or nobody reads.
type Over = ControlFlow<ExitCode>;

/// Prints what waits and reads answers until the person leaves.
pub(crate) fn run() -> ExitCode {
    let places = Places::from_environment(Path::new("/"));
    let (sender, news) = mpsc::channel();
    poll::follow(places.clone(), sender);
    let mut lines = Lines { places, news, letters: Letters::of_environment(), asked: BTreeSet::new() };
    match lines.run() {
        ControlFlow::Break(code) => code,
        ControlFlow::Continue(()) => ExitCode::SUCCESS,
    }
}

struct Lines {
    places: Places,
    news: Receiver<News>,
    letters: Letters,
    /// Requests that were put before the person.
    asked: BTreeSet<String>,
}

impl Lines {
    fn run(&mut self) -> Over {
        self.say("Requests are printed here when a person has to answer. Ctrl-C leaves.")?;
        let mut lost = None;
        loop {
            // What waits now is the newest list; the ones before it are over.
            let Ok(first) = self.news.recv() else { return ControlFlow::Continue(()) };
            let newest = self.news.try_iter().last().unwrap_or(first);
            match newest {
                News::List(items) => {
                    if lost.take().is_some() {
                        self.say("The daemon is there.")?;
                    }
                    let new = items.into_iter().find(|item| !self.asked.contains(&item.id));
                    if let Some(item) = new {
                        self.asked.insert(item.id.clone());
                        self.ask(&item)?;
                        // The list may have changed while the person was thinking.
                        self.news.try_iter().for_each(drop);
                    }
                }
                News::Lost(why) => {
                    // Another daemon counts from the beginning.
                    self.asked.clear();
                    if lost.as_ref() != Some(&why) {
                        self.say(&why)?;
                    }
                    lost = Some(why);
                }
                News::Answered { .. } | News::Note(_) => {}
            }
        }
    }

    fn say(&self, text: &str) -> Over {
        output::print_more(&format!("{}\n", self.letters.shown(text)))
    }

    fn read(&self, prompt: &str) -> ControlFlow<ExitCode, String> {
        output::print_more(&format!("{} ", self.letters.shown(prompt)))?;
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => ControlFlow::Continue(line.trim().to_owned()),
            Ok(_) | Err(_) => ControlFlow::Break(ExitCode::SUCCESS),
        }
    }

    /// Puts one request before the person until it is answered or left.
    fn ask(&self, item: &Waiting) -> Over {
        for row in body::rows(item, calendar_ms(), self.letters) {
            let line: String = row.into_iter().map(|(text, _)| text).collect();
            output::print_more(&format!("{line}\n"))?;
        }
        loop {
            let letter = self.read(
                "Answer: o once, s session, a always, n no, m no with a message, e edit, l later, q leave:",
            )?;
            let body = match letter.as_str() {
                "o" => Some(json!({ "answer": "once" })),
                "s" => Some(json!({ "answer": "session" })),
                "n" => Some(json!({ "answer": "no" })),
                "m" => Some(json!({ "answer": "no", "message": self.read("Tell the agent:")? })),
                "a" => self.always(item)?,
                "e" => self.edited(item)?,
                "l" => return self.say("It goes on waiting."),
                "q" => return ControlFlow::Break(ExitCode::SUCCESS),
                _ => None,
            };
            let Some(body) = body else { continue };
            match self.give(item, &body) {
                Taken::Yes => {
                    self.say("Answered.")?;
                    return if matches!(letter.as_str(), "n" | "m") {
                        self.offer(item)
                    } else {
                        Over::Continue(())
                    };
                }
                Taken::Refused(why) => self.say(&format!("Not taken: {why}"))?,
                Taken::Failed(why) => return self.say(&why),
            }
        }
    }

    fn give(&self, item: &Waiting, body: &Value) -> Taken {
        poll::give(&self.places.state, &item.id, body)
    }

    fn always(&self, item: &Waiting) -> ControlFlow<ExitCode, Option<Value>> {
        for (number, rule) in (1..).zip(&item.suggestions) {
            self.say(&format!("  {number}: {rule}"))?;
        }
        let typed = self.read("Number or text of the rule, empty to go back:")?;
        let numbered = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let rule = match numbered {
            Some(at) => item.suggestions.get(at).cloned(),
            None => Some(typed).filter(|typed| !typed.is_empty()),
        };
        let Some(rule) = rule else { return ControlFlow::Continue(None) };
        let files = &item.files;
        self.say(&format!("  u: {}\n  l: {}\n  p: {}", files.user, files.local, files.project))?;
        let source = match self.read("Which file, empty to go back:")?.as_str() {
            "u" => "user",
            "l" => "local",
            "p" => "project",
            _ => return ControlFlow::Continue(None),
        };
        ControlFlow::Continue(Some(json!({ "answer": "always", "rule": rule, "source": source })))
    }

    fn edited(&self, item: &Waiting) -> ControlFlow<ExitCode, Option<Value>> {
        let Some(text) = item.editable() else {
            self.say("It holds a credential that is not shown, so it cannot be edited here.")?;
            return ControlFlow::Continue(None);
        };
        let input = super::outside::edit(&self.places.state, &text).and_then(|text| item.edited(&text));
        match input {
            Ok(input) => {
                self.say(&format!("Allow this instead, once: {input}"))?;
                let agreed = self.read("y or n:")? == "y";
                let body = json!({ "answer": "once", "input": input });
                ControlFlow::Continue(agreed.then_some(body))
            }
            Err(why) => {
                self.say(&why)?;
                ControlFlow::Continue(None)
            }
        }
    }

    /// N4: the third no to one shape.
    fn offer(&self, item: &Waiting) -> Over {
        let Some(rule) = &item.deny_rule else { return ControlFlow::Continue(()) };
        let agreed =
            self.read(&format!("You refused calls like this three times. Deny `{rule}` always? y or n:"))?;
        if agreed != "y" {
            return ControlFlow::Continue(());
        }
        match add_rule(&self.places, Source::User, List::Deny, rule) {
            Ok(file) => self.say(&format!("{rule} is denied from now on, by {}", file.display())),
            Err(error) => self.say(&error.to_string()),
        }
    }
}
