//! Whether the user asked for exactly this (SPEC C17): one request has a verb that fits what the command does, names every
//! literal target as what it is done to, and says nothing that the command does not do.

use portcullis_decide::detect::{Finding, Severity};
use portcullis_decide::view::{Access, View};
use portcullis_shell::{Command, Placement, Span, Why};

use super::act::Act;
use super::options::{self, gives_due_rights, says};
use super::requests::{Part, Request, is_held, is_leading, requests};
use super::text::{find, is_ideograph, is_name, plain};
use super::words::{
    Action, DESTINATION, ENVIRONMENTS, GENITIVE, IDLE, KINDS, LOCAL, OBLIQUE, PRONOUNS, REFS, SCOPES,
    UNNAMED, nouns,
};
use crate::transcript::Transcript;

/// What the last thing a person said asks for, beside a call.
pub(crate) struct Asked<'v> {
    view: &'v View,
    turn: String,
    requests: Vec<Request>,
    /// Whether the line is written out in a request.
    written: bool,
}

impl<'v> Asked<'v> {
    pub(crate) fn new(view: &'v View, transcript: &Transcript) -> Asked<'v> {
        let turn = transcript.human_turns().last().unwrap_or_default();
        Asked {
            view,
            requests: requests(turn),
            written: is_written_out(turn, view.line.trim()),
            turn: plain(turn),
        }
    }

    /// Whether what the finding is about is asked for.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        if finding.severity == Severity::Hard {
            return false;
        }
        if self.written {
            return true;
        }
        let verbs = nouns("CategoryVerbs").filter(|line| line.label == format!("{:?}", finding.category()));
        let verbs: Vec<&str> = verbs.flat_map(|line| line.words()).collect();
        match self.command_of(finding) {
            Some(command) => self.asks_for(command, &verbs, true),
            None => self.names_all(finding, &verbs),
        }
    }

    /// Whether everything that the line does is asked for.
    pub(crate) fn covers_line(&self) -> bool {
        if self.written {
            return true;
        }
        let of_program =
            |why: Why| matches!(why, Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand);
        let Some(reading) =
            self.view.reading.as_ref().filter(|it| it.unclear.iter().all(|doubt| of_program(doubt.why)))
        else {
            return false;
        };
        let named = |path: &str| {
            says(&self.turn.replace(['\'', '"', '`', '.', ','], " "), path) || names(&self.turn, path)
        };
        let mut redirects = self.view.paths.iter().filter(|path| path.redirect && path.path != "/dev/null");
        let mut acting = reading.commands.iter().filter(|it| !it.effects.is_harmless()).peekable();
        redirects.all(|path| named(&path.named.to_lowercase()))
            && acting.peek().is_some()
            && acting.all(|command| gives_due_rights(command, reading) || self.asks_for(command, &[], false))
    }

    /// The parts of the line that findings are about, and `sudo` around them where nobody else may do it.
    pub(crate) fn spans<'f>(&self, findings: impl Iterator<Item = &'f Finding>) -> Vec<Span> {
        let mut spans: Vec<Span> = findings.filter_map(|finding| finding.span).collect();
        let Some(reading) = &self.view.reading else { return spans };
        let due = reading.commands.iter().filter(|it| gives_due_rights(it, reading));
        let around: Vec<Span> =
            due.map(|it| it.span).filter(|it| spans.iter().any(|span| is_within(*span, *it))).collect();
        spans.extend(around);
        spans
    }

    /// The command that the finding is about; what runs another one for it stands before it.
    fn command_of(&self, finding: &Finding) -> Option<&'v Command> {
        let commands = || self.view.reading.iter().flat_map(|reading| &reading.commands);
        let exact = commands().filter(|command| Some(command.span) == finding.span).last();
        let around = || {
            let within = |command: &&Command| finding.span.is_some_and(|span| is_within(span, command.span));
            commands().filter(within).min_by_key(|it| it.span.end - it.span.start)
        };
        exact.or_else(around)
    }

    /// Whether a request without a command names every target of the finding.
    fn names_all(&self, finding: &Finding, verbs: &[&str]) -> bool {
        let root = |target: &str| {
            target.rsplit_once("/proj/").map_or(target.to_owned(), |(_, path)| path.to_owned())
        };
        self.requests.iter().any(|request| {
            request.parts.iter().enumerate().any(|(at, part)| {
                let leads =
                    |verb: &&str| find(&part.words, verb).is_some_and(|at| is_leading(&part.words, at, &[]));
                let named = |target: &String| {
                    let target = root(target).to_lowercase();
                    let file = target.rsplit('/').next().unwrap_or_default();
                    names(&part.words, &target) || names(&part.words, file)
                };
                request.asks_now(at, false)
                    && verbs.iter().any(|verb| leads(&verb))
                    && !finding.targets.is_empty()
                    && finding.targets.iter().all(named)
                    && !is_held(&part.words, 0)
            })
        })
    }

    fn asks_for(&self, command: &'v Command, verbs: &[&'static str], found: bool) -> bool {
        // What `sudo` is due for is asked for by its own words.
        let command = self.inner(command);
        let Some(mut act) = Act::of(command) else { return false };
        if act.actions.is_empty() && act.own.is_empty() {
            act.also = verbs.to_vec();
        }
        let read = |path: &&portcullis_decide::view::PathUse| {
            path.redirect
                && path.access == Access::Read
                && path.span.is_some_and(|span| is_within(span, command.span))
        };
        let fed =
            self.view.paths.iter().filter(read).all(|path| names(&self.turn, &path.named.to_lowercase()));
        let here = command
            .directory
            .as_ref()
            .is_none_or(|it| names(&self.turn, it.rsplit('/').next().unwrap_or(it)));
        let plain = here
            && fed
            && command.placement != Placement::Piped
            && command.assignments.is_empty()
            && command
                .arguments
                .iter()
                .all(|word| word.literal || word.span.of(&self.view.line) == word.text)
            && !command.span.of(&self.view.line).contains("<<")
            && self.stands_alone(command);
        let known = found || !command.verbs.is_empty() || !command.operands.is_empty();
        plain
            && !self.is_elsewhere(&act)
            && self.requests.iter().any(|request| {
                let asking = Asking { act: &act, request, known };
                (0..request.parts.len()).any(|at| asking.asks(at, command))
            })
    }

    fn inner(&self, command: &'v Command) -> &'v Command {
        let Some(reading) = self.view.reading.as_ref().filter(|reading| gives_due_rights(command, reading))
        else {
            return command;
        };
        let mut inner = reading
            .commands
            .iter()
            .filter(|it| it.placement == Placement::Wrapped && is_within(it.span, command.span));
        inner.next().unwrap_or(command)
    }

    /// Whether the line is nothing but this command, others joined by `&&`, and `sudo` where it is due.
    fn stands_alone(&self, command: &Command) -> bool {
        let own = command.span.of(&self.view.line).trim();
        let due = self.view.reading.as_ref().is_some_and(|reading| {
            let mut around = reading
                .commands
                .iter()
                .filter(|it| is_within(command.span, it.span) && !std::ptr::eq(*it, command));
            around.all(|it| gives_due_rights(it, reading))
        });
        let mut parts = self
            .view
            .line
            .split("&&")
            .flat_map(|part| [part.trim(), part.trim().trim_start_matches("sudo ")]);
        due && parts.any(|part| {
            part.strip_prefix(own)
                .is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['>', '<', '2', '&']))
        })
    }

    /// Whether anything in the turn speaks of another place.
    fn is_elsewhere(&self, act: &Act) -> bool {
        let host = |token: &str| {
            token.starts_with(|it: char| it.is_ascii_lowercase())
                && token.bytes().all(|it| it.is_ascii_alphanumeric())
                && token.bytes().any(|it| it.is_ascii_digit())
                && token.len() < 12
                && !token.starts_with('v')
        };
        let region = |token: &str| {
            let parts: Vec<&str> = token.split('-').collect();
            matches!(parts.as_slice(), [place, _, .., number] if place.len() == 2 && number.len() == 1 && number.bytes().all(|it| it.is_ascii_digit()))
        };
        let tool = |part: &Part| {
            let mut words = part.words.split_whitespace();
            words.next() == Some("use")
                && !words.any(|token| token.len() > 2 && !IDLE.has(token) && act.knows(token))
                && !part.words.contains(" this ")
        };
        self.requests.iter().flat_map(|request| &request.parts).any(|part| {
            let strange =
                |token: &str| (host(token) || region(token) || ENVIRONMENTS.has(token)) && !act.knows(token);
            tool(part) || part.words.split_whitespace().any(strange)
        })
    }
}

/// A request beside a command.
struct Asking<'a> {
    act: &'a Act,
    request: &'a Request,
    /// Whether it is known what the command does, so that its own words may ask for it.
    known: bool,
}

impl Asking<'_> {
    /// Whether the part of the request asks for the command.
    fn asks(&self, at: usize, command: &Command) -> bool {
        let Some(part) = self.request.parts.get(at) else { return false };
        let free = self.act.is_free();
        if !self.request.asks_now(at, free) {
            return false;
        }
        let (group, start) = self.group(at);
        let spelled = self.is_spelled(part, &group);
        let Some(verb) = self.verb(part).or(spelled) else { return false };
        let all = self.request.words();
        let rest = group.get(start + verb..).unwrap_or_default();
        let explained =
            free || self.is_explained(rest) && self.is_explained(group.get(..start).unwrap_or_default());
        if is_held(&group, start + verb) || !explained || !options::are_said(self.act, command, &all) {
            return false;
        }
        if spelled.is_some() {
            let before: String = self.request.parts.iter().take(at).map(|part| part.words.as_str()).collect();
            let said = before + &group;
            return in_order(command, &group)
                && self
                    .act
                    .values
                    .iter()
                    .chain(&self.act.objects)
                    .all(|name| self.act.is_named(name, &group))
                && self.act.own.iter().chain(&self.act.kind).all(|word| self.act.is_said(word, &said));
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
            && (!self.act.must_say_kind()
                || self.act.kind.as_ref().is_none_or(|kind| self.act.is_said(kind, &said)))
            && self.act.values.iter().all(|value| self.act.is_named(value, &all))
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
            let takes_out = part.words.starts_with(" but ") && super::cues::cues(&part.words).is_empty();
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
        let named = |part: &&Part| !self.direct(&part.words, true).is_empty();
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
            super::words::ASKING.each(
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
        rest.split_whitespace().all(|token| token.chars().any(is_ideograph) || own(token))
            && self.is_of_itself(words)
    }

    /// Whether what belongs to a name is what the command works on: in 删除 shop 的备份 the backup goes, and not the shop.
    fn is_of_itself(&self, words: &str) -> bool {
        let mut tokens = words.split_whitespace().peekable();
        while let Some(token) = tokens.next() {
            let named = self.act.objects.iter().any(|object| object == token);
            let belongs = tokens.peek().and_then(|next| next.strip_prefix(['的', 'の']));
            let known = |rest: &str| {
                rest.is_empty() || self.act.nouns.iter().any(|noun| rest.contains(noun)) || KINDS.is_in(words)
            };
            if named && belongs.is_some_and(|rest| !known(rest)) {
                return false;
            }
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
                self.roles(group, false)
                    .iter()
                    .any(|(it, near)| it == name && !near.is_empty() && !DESTINATION.has(near.trim()))
            };
            let pushes = self.act.actions.contains(&Action::Push) || says(&self.act.line, "push");
            let before = |name: &String| !pushes && self.refers(group) && self.act.is_named(name, back);
            return objects
                .iter()
                .all(|name| (self.act.is_named(name, group) || before(name)) && !(pushes && from(name)));
        }
        let own = self.direct(group, false);
        if objects.is_empty() {
            return self.act.values.is_empty()
                || self.act.values.iter().any(|value| own.contains(&value.to_lowercase()));
        }
        // What a word of the command is done to stands first; what it is done with is named.
        if self.act.actions.is_empty() {
            return objects.first().is_some_and(|it| own.contains(it))
                && objects.iter().all(|name| self.act.is_named(name, part));
        }
        if !own.is_empty() {
            return objects.iter().all(|object| own.contains(object));
        }
        let other = group.split_whitespace().any(|token| is_name(token) || REFS.has(token));
        let before = self.direct(back, true);
        !other && objects.iter().all(|object| before.contains(object))
    }

    fn refers(&self, group: &str) -> bool {
        group.split_whitespace().any(|token| PRONOUNS.has(token))
    }

    /// The names that stand as what something is done to.
    fn direct(&self, words: &str, back: bool) -> Vec<String> {
        let direct = self.roles(words, back).into_iter().filter(|(_, near)| near.is_empty());
        direct.map(|(name, _)| name).collect()
    }

    /// The names in the words, each with the preposition that it depends on.
    fn roles(&self, words: &str, back: bool) -> Vec<(String, String)> {
        let tokens: Vec<&str> = words.split_whitespace().collect();
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let bare = token.trim_end_matches('/').trim_start_matches('#').trim_end_matches("'s");
            let number = !bare.is_empty() && bare.bytes().all(|it| it.is_ascii_digit());
            let known =
                self.act.objects.iter().chain(&self.act.values).any(|object| object.to_lowercase() == bare);
            if !(known || is_name(token) || number || REFS.has(bare)) {
                continue;
            }
            let before = |steps: usize| {
                at.checked_sub(steps).and_then(|at| tokens.get(at)).copied().unwrap_or_default()
            };
            let passed = |word: &str| ARTICLES.contains(&word) || SCOPES.has(word);
            let steps = (1..=3).find(|steps| !passed(before(*steps))).unwrap_or(4);
            let near = before(steps);
            let after = tokens.get(at + 1).copied().unwrap_or_default();
            let genitive = (back || SCOPES.has(before(1))) && GENITIVE.has(near);
            let cjk = ["到", "在", "从", "往"].iter().any(|it| near.ends_with(it))
                || (["から", "に", "へ", "で", "上"].iter().any(|it| after.starts_with(it))
                    && !after.starts_with("に対"));
            let oblique = (OBLIQUE.has(near) && !GENITIVE.has(near)) || genitive || cjk;
            let near = match (near, after) {
                (near, after) if near.ends_with('到') || after.starts_with(['に', 'へ']) => {
                    "到 ".to_owned()
                }
                (near, _) if oblique => format!("{near} "),
                _ => String::new(),
            };
            let parts = bare
                .split('@')
                .chain(bare.split_once('/').filter(|(kind, _)| KINDS.has(kind)).map(|(_, name)| name))
                .filter(|part| *part != bare && !part.is_empty());
            found.extend(parts.map(|part| (part.to_owned(), near.clone())));
            found.push((bare.to_owned(), near));
        }
        found
    }
}

/// Words between a preposition and its noun.
const ARTICLES: &[&str] = &[
    "the", "my", "our", "branch", "branche", "rama", "den", "dem", "die", "das", "la", "le", "el", "o", "a",
];

impl Act {
    /// Whether words have a name, not as a part of a longer one.
    pub(super) fn is_named(&self, name: &str, words: &str) -> bool {
        let lower = name.to_lowercase();
        let name = lower.trim_end_matches('/');
        matches!(name, "head" | "" | "localhost" | "127.0.0.1")
            || names(words, name)
            || words
                .split_whitespace()
                .any(|token| token.trim_end_matches('/').trim_start_matches('#') == name)
            || words
                .split_whitespace()
                .any(|token| token.split_once('/').is_some_and(|(kind, it)| KINDS.has(kind) && it == name))
    }
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

pub(super) fn is_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether `text` holds `word` not as a part of a longer name.
pub(super) fn names(text: &str, word: &str) -> bool {
    let part = |character: char| {
        (character.is_alphanumeric() && !is_ideograph(character)) || matches!(character, '_' | '-' | '/')
    };
    let whole = |(start, _): (usize, &str)| {
        let end = start + word.len();
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let mut behind = text.get(end..).unwrap_or_default().chars();
        let after = behind.next();
        let dotted = after == Some('.') && behind.next().is_some_and(char::is_alphanumeric);
        before.is_none_or(|it| !part(it) && it != '.') && after.is_none_or(|it| !part(it)) && !dotted
    };
    !word.is_empty() && text.match_indices(word).any(whole)
}

/// Stands for the line where it is looked for.
const LINE: &str = "the_line_itself";

/// Whether a request has the line as it is written, behind a verb for running it or alone.
fn is_written_out(turn: &str, line: &str) -> bool {
    if line.len() < 5 {
        return false;
    }
    let whole = |at: &usize| {
        let before = turn.get(..*at).and_then(|head| head.chars().next_back());
        let rest = turn.get(at + line.len()..).unwrap_or_default();
        let blank = rest.trim_start_matches([
            '.', ',', ';', ':', '!', '?', ')', '`', '\'', '"', '*', '”', '“', '。', '」',
        ]);
        let closed = blank.len() < rest.len();
        let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        let goes_on = rest.starts_with('\n')
            || (rest.starts_with(' ') && IDLE.has(next.trim_end_matches(['.', ',', '!'])));
        before.is_none_or(|it| it.is_whitespace() || is_ideograph(it) || "\"'`(“„*:「".contains(it))
            && (rest.is_empty() || closed || goes_on)
    };
    let places: Vec<usize> = turn.match_indices(line).map(|(at, _)| at).filter(whole).collect();
    places.into_iter().any(|at| {
        let (head, tail) =
            (turn.get(..at).unwrap_or_default(), turn.get(at + line.len()..).unwrap_or_default());
        requests(&format!("{head} {LINE} {tail}")).iter().any(is_run)
    })
}

/// Whether a request is to run the line, here and now.
fn is_run(request: &Request) -> bool {
    let elsewhere = request
        .parts
        .iter()
        .flat_map(|part| part.words.split_whitespace())
        .any(|token| ENVIRONMENTS.has(token));
    !elsewhere
        && request.parts.iter().enumerate().any(|(at, part)| {
            let Some(place) = find(&part.words, LINE) else { return false };
            let behind = part.words.get(place + LINE.len()..).unwrap_or_default();
            let alone =
                is_leading(&part.words, place, &[]) && behind.split_whitespace().all(|word| IDLE.has(word));
            let runs = part.verbs.iter().any(|(_, verb)| verb.action == Action::Run);
            let idle = behind.split_whitespace().all(|word| {
                IDLE.has(word)
                    || word.chars().any(is_ideograph)
                    || matches!(word, "aus" | "command" | "first")
            });
            request.asks_now(at, false)
                && !part.remark
                && (alone || (runs && idle))
                && !is_held(&part.words, place)
        })
}
