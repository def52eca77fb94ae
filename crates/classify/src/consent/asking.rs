//! Whether one request asks for one command: its verb fits, it names what the command is done to, and all its words are the
//! command's, mean the same, or say nothing of their own.

use portcullis_shell::Command;

use super::act::{Act, is_said};
use super::cues::cues;
use super::options::{self, says};
use super::requests::{Part, Request, is_held, is_leading};
use super::roles::{direct, is_named, roles};
use super::text::{find, is_ideograph, is_name, names};
use super::words::{ASKING, Action, DESTINATION, IDLE, IDLE_RUNS, LEAD, LOCAL, PRONOUNS, REFS, UNNAMED};

/// A request beside a command.
pub(super) struct Asking<'a> {
    pub(super) act: &'a Act,
    pub(super) request: &'a Request,
    /// Whether it is known what the command does, so that its own words may ask for it.
    pub(super) known: bool,
}

impl Asking<'_> {
    /// Whether the part of the request asks for the command.
    pub(super) fn asks(&self, at: usize, command: &Command) -> bool {
        let Some(part) = self.request.parts.get(at) else { return false };
        let free = self.act.is_free();
        if !self.request.asks_now(at, free) {
            return false;
        }
        let (group, start) = self.group(at);
        let spelled = self.is_spelled(part, &group);
        let Some(verb) = self.verb(part).or(spelled) else { return false };
        let all = self.request.words();
        let (head, rest) = group.split_at_checked(start + verb).unwrap_or((&group, ""));
        let led = head.split_whitespace().all(|word| LEAD.has(word) || self.is_explained(word));
        let explained = free || (led && self.is_explained(rest));
        if is_held(&group, start + verb) || !explained || !options::are_said(self.act, command, &all) {
            return false;
        }
        if spelled.is_some() {
            let before: String = self.request.parts.iter().take(at).map(|part| part.words.as_str()).collect();
            let said = before + &group;
            return in_order(command, &group)
                && self.act.values.iter().chain(&self.act.objects).all(|name| is_named(name, &group))
                && self.act.own.iter().chain(&self.act.kind).all(|word| is_said(word, &said));
        }
        let short = self.act.program.split('-').next().unwrap_or_default();
        let beside = all.replacen(
            part.words.get(verb..).and_then(|it| it.split(' ').next()).unwrap_or_default(),
            "",
            1,
        );
        let spoken =
            |words: &str| words.split(['/', ' ']).any(|word| word == self.act.program || word == short);
        let program = || spoken(&all);
        let whole = spoken(&beside) && self.act.program != "git";
        let named = !self.act.objects.is_empty() || !self.act.values.is_empty() || free || whole;
        let back = self.back(at);
        let said = format!("{back}{group}");
        self.known
            && named
            && (UNNAMED.has(&self.act.program) || program())
            && !self.is_other_side(&said)
            && (!self.act.must_say_kind() || self.act.kind.as_ref().is_none_or(|kind| is_said(kind, &said)))
            && self.act.values.iter().all(|value| is_named(value, &all))
            && self.is_done_to(&group, &part.words, &back)
    }

    /// The part with those that go on with it: lists, places, and a place that was said before.
    fn group(&self, at: usize) -> (String, usize) {
        let parts = &self.request.parts;
        let mut group = String::new();
        let places = parts.get(..at).unwrap_or_default().iter().rev().take_while(|part| part.places);
        for part in places {
            group.push_str(&part.words);
        }
        let start = group.len();
        group.extend(parts.get(at).map(|part| part.words.as_str()));
        for part in parts.get(at + 1..).unwrap_or_default() {
            // "All but one" is not all.
            let takes_out = part.words.starts_with(" but ") && cues(&part.words).is_empty();
            let goes_on = part.verbs.is_empty()
                && !part.remark
                && (part.places || takes_out || self.is_explained(&part.words));
            if !goes_on {
                break;
            }
            group.push_str(&part.words);
        }
        (group, start)
    }

    /// What was named before, where the part only refers to it.
    fn back(&self, at: usize) -> String {
        let before = self.request.parts.get(..at).unwrap_or_default();
        let named = |part: &&Part| !direct(self.act, &part.words, true).is_empty();
        before.iter().rev().find(named).map(|part| part.words.clone()).unwrap_or_default()
    }

    /// Where a verb of the part asks for what the command does.
    fn verb(&self, part: &Part) -> Option<usize> {
        let known = part.verbs.iter().find(|(_, verb)| self.fits(verb.action)).map(|(at, _)| *at);
        let own = || {
            let words: Vec<&str> = self.act.line.split(' ').collect();
            let line = words;
            let leading =
                |word: &str| find(&part.words, word).filter(|at| is_leading(&part.words, *at, &line));
            let words = self.act.own.iter().map(String::as_str).chain(self.act.also.iter().copied());
            words.filter(|word| word.len() > 2).find_map(leading)
        };
        if part.remark { None } else { known.or_else(own) }
    }

    /// Whether an action is what the command does; who empties a bucket deletes what is in it.
    fn fits(&self, action: Action) -> bool {
        let empties = action == Action::Empty
            && self.act.actions.contains(&Action::Delete)
            && says(&self.act.line, "s3");
        empties || self.act.actions.contains(&action)
    }

    /// Whether the part spells the command: a verb for running it, or nothing before its name, and every word of it.
    fn is_spelled(&self, part: &Part, group: &str) -> Option<usize> {
        let runs = part.verbs.iter().find(|(_, verb)| verb.action == Action::Run).map(|(at, _)| *at);
        let itself = |word: &str| {
            self.act.knows(word)
                || word.starts_with('-')
                || matches!(word, "please" | "now" | "again" | "and" | "with" | "the")
        };
        let first = group.split_whitespace().next() == Some(self.act.program.as_str())
            && group.split_whitespace().all(itself);
        let named = says(group, &self.act.program) || names(group, &self.act.program);
        if part.remark { None } else { runs.or(first.then_some(0)).filter(|_| named) }
    }

    /// Whether every word is one of the command, means one, or says nothing of its own.
    fn is_explained(&self, words: &str) -> bool {
        let verb = |token: &str| {
            let mut own = false;
            ASKING.each(
                words,
                |_| false,
                |at, length, verb| {
                    let fits = self.fits(verb.action) || matches!(verb.action, Action::Run | Action::Push);
                    own |= fits
                        && words
                            .get(at..at + length)
                            .is_some_and(|form| form.split(' ').any(|it| it == token));
                },
            );
            own || self.act.also.iter().any(|also| also.split(' ').any(|it| it == token))
                || self.act.own.iter().any(|own| own.split(' ').any(|it| it == token))
        };
        let version = |token: &str| {
            self.act.actions.contains(&Action::Publish)
                && token.trim_start_matches('v').starts_with(|it: char| it.is_ascii_digit())
        };
        let own = |token: &str| version(token) || IDLE.has(token) || self.act.knows(token) || verb(token);
        let phrases = self.act.nouns.iter().filter(|noun| noun.contains(' '));
        let rest = phrases.fold(words.to_owned(), |words, noun| words.replace(noun, ""));
        rest.split_whitespace().all(|token| {
            if token.chars().any(is_ideograph) { self.is_run_explained(token) } else { own(token) }
        })
    }

    /// Whether a run of characters without blanks has nothing but such words.
    fn is_run_explained(&self, run: &str) -> bool {
        let mut known: Vec<&str> = IDLE_RUNS.iter().chain(&self.act.nouns).copied().collect();
        ASKING.each(run, |_| false, |_, _, verb| known.extend(self.fits(verb.action).then_some(verb.form)));
        ASKING.each(
            run,
            |_| false,
            |_, _, verb| known.extend((verb.action == Action::Run).then_some(verb.form)),
        );
        let mut rest = run;
        while !rest.is_empty() {
            let longest = known.iter().filter(|word| rest.starts_with(**word)).map(|word| word.len()).max();
            let Some(length) = longest.filter(|length| *length > 0) else { return false };
            rest = rest.get(length..).unwrap_or_default();
        }
        true
    }

    /// Whether something on this machine is meant, and the command goes to another, or the other way round.
    fn is_other_side(&self, said: &str) -> bool {
        let far = ["remote", "origin", "both", "distante", "remota", "remoto", "远程", "リモート"]
            .iter()
            .any(|word| find(said, word).is_some());
        let pushes = says(&self.act.line, "push");
        let git = self.act.program == "git" && self.act.actions == [Action::Delete];
        let near = LOCAL.is_in(said) || find(said, "here").is_some();
        git && ((pushes && near && !far) || (!pushes && far && !near))
    }

    /// Whether all objects are what the verb is done to.
    fn is_done_to(&self, group: &str, part: &str, back: &str) -> bool {
        let objects = &self.act.objects;
        if !self.act.is_aimed() {
            let from = |name: &String| {
                roles(self.act, group, false)
                    .iter()
                    .any(|(it, near)| it == name && !near.is_empty() && !DESTINATION.has(near.trim()))
            };
            let pushes = self.act.actions.contains(&Action::Push) || says(&self.act.line, "push");
            let back = |name: &String| !(pushes && REFS.has(name)) && refers(group) && is_named(name, back);
            return objects
                .iter()
                .all(|name| (is_named(name, group) || back(name)) && !(pushes && from(name)));
        }
        let own = direct(self.act, group, false);
        if objects.is_empty() {
            return self.act.values.is_empty()
                || self.act.values.iter().any(|value| own.contains(&value.to_lowercase()));
        }
        // What a word of the command is done to stands first; what it is done with is named.
        if self.act.actions.is_empty() {
            return objects.first().is_some_and(|it| own.contains(it))
                && objects.iter().all(|name| is_named(name, part));
        }
        if !own.is_empty() {
            return objects.iter().all(|object| own.contains(object));
        }
        let other = group.split_whitespace().any(|token| is_name(token) || REFS.has(token));
        let before = direct(self.act, back, true);
        // Nothing that is only referred to clears what is done to a branch that others build from.
        !other && objects.iter().all(|object| before.contains(object) && !REFS.has(object))
    }
}

fn refers(group: &str) -> bool {
    group.split_whitespace().any(|token| PRONOUNS.has(token))
}

/// Whether the words of the command that are said stand in its order.
fn in_order(command: &Command, words: &str) -> bool {
    let place = |word: &str| words.split(' ').position(|it| it == word);
    let said = command
        .arguments
        .iter()
        .filter(|word| !word.text.starts_with('-'))
        .filter_map(|word| place(&word.text.to_lowercase()));
    said.collect::<Vec<_>>().is_sorted()
}
