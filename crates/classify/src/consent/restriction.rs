//! What a person rules out (SPEC C19): a restricting word, and the actions and places that its clause names.

use super::calls::{acting, joined, kinds};
use super::content::{content, every_kind, objects, qualities, runs_of, shows_in_names, verbs};
use super::cues::{Cue, cues, seen_first};
use super::directed::{Directed, directed, is_english, is_imperative, is_told_to};
use super::file_kinds::kept_places;
use super::text::{Clause, Sentence, find_any, is_ideograph, is_name, tokens};
use super::words::{
    Action, IDIOMS, INSTEAD, LIMITS, LOCAL, MUST, NOBODY, OPENERS, PRONOUNS, REFS, REST, RUNNING, UNCHANGED,
    UNIVERSAL, WEAK,
};

/// What is ruled out.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// Every change.
    Change,
    /// Actions, to what is named or described; where nothing is, all of the kind.
    Actions { kinds: Vec<Action>, names: Vec<String>, described: Vec<String> },
    /// Changes of places.
    Places(Vec<String>),
    /// Changes of all other places.
    Outside(Vec<String>),
    /// Commands that have to do with these words.
    Words(Vec<String>),
    /// Something that nothing here is tied to.
    Untied,
}

/// A restriction in a person's words.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    /// The sentence.
    pub(super) sentence: String,
    pub(super) what: What,
    /// Whether the words surely restrict; otherwise a person is asked about what they could mean.
    pub(super) sure: bool,
    /// What was asked for since: names for which it does not hold any more.
    pub(super) lifted: Vec<String>,
    /// Whether the user said something since: what it only could mean is settled by that.
    pub(super) settled: bool,
}

impl Restriction {
    fn new(sentence: &Sentence, what: What, sure: bool) -> Restriction {
        Restriction { sentence: sentence.text.clone(), what, sure, lifted: Vec::new(), settled: false }
    }
}

/// The restrictions of a sentence; what it refers to may stand in the one before it.
pub(super) fn restrictions(sentence: &Sentence, before: Option<&Sentence>) -> Vec<Restriction> {
    let mut found = Vec::new();
    let kinds = seen_first(sentence);
    if !kinds.is_empty() {
        let what = What::Actions { kinds, names: Vec::new(), described: Vec::new() };
        found.push(Restriction::new(sentence, what, true));
    }
    for (index, clause) in sentence.clauses.iter().enumerate() {
        let words = IDIOMS.without(&clause.words);
        for (at, cue) in cues(&words) {
            let part = Part { sentence, before, index, words: &words, at };
            if let Some((what, sure)) = part.ruled_out(cue, clause) {
                found.push(Restriction::new(sentence, what, sure));
            }
        }
    }
    found
}

/// The names that a clause has for places, branches and the like.
pub(super) fn names_of(clause: &Clause) -> Vec<String> {
    let refs = clause.tokens().filter(|token| REFS.has(token)).map(str::to_owned);
    let names = clause.names().into_iter().filter(|name| joined(name).is_empty());
    names.chain(refs).collect()
}

/// A cue in its clause.
struct Part<'s> {
    sentence: &'s Sentence,
    before: Option<&'s Sentence>,
    index: usize,
    words: &'s str,
    at: usize,
}

impl Part<'_> {
    fn ruled_out(&self, cue: Cue, clause: &Clause) -> Option<(What, bool)> {
        match cue {
            Cue::ReadOnly => self.read_only(clause),
            Cue::Except => Some(self.except(clause)),
            Cue::Only => self.only(clause),
            Cue::Not => self.not(clause),
            Cue::Stays => self.stays(clause),
            Cue::Waits | Cue::Asks => self.waits(cue, clause),
            Cue::Own => self.own(clause),
            Cue::Skips => self.skips(),
        }
    }

    /// "Skip the test run": what people leave out are runs of something.
    fn skips(&self) -> Option<(What, bool)> {
        let kinds = runs_of(self.behind());
        let what = What::Actions { kinds, names: Vec::new(), described: Vec::new() };
        let head = self.words.get(..self.at).unwrap_or_default();
        let led = head.ends_with(" and ")
            || head.ends_with(" und ")
            || tokens(head).all(|(_, word)| OPENERS.has(word));
        led.then_some((what, false))
    }

    /// "Read-only for now", and no "read-only replica".
    fn read_only(&self, clause: &Clause) -> Option<(What, bool)> {
        let places = clause.names();
        if !places.is_empty() {
            return Some((What::Places(places), true));
        }
        let mut behind =
            self.behind().split_whitespace().skip(if self.behind().starts_with("read only") { 2 } else { 1 });
        let next = behind.next().unwrap_or_default();
        let ends = [
            "", "for", "please", "now", "this", "today", "mode", "only", "and", "bitte", "pour", "por",
            "ahora", "primero",
        ];
        let ideographs = self.behind().chars().any(is_ideograph);
        (ends.contains(&next) || ideographs).then_some((What::Change, true))
    }

    fn has(&self, cue: Cue) -> bool {
        cues(self.words).iter().any(|(_, other)| *other == cue)
    }

    /// The actions that the clause names: those behind the cue, or else before it.
    fn kinds(&self) -> Vec<Action> {
        let all = acting(self.words);
        if let Some(stopped) = self.stopped() {
            return acting(&format!(" {stopped} ")).into_iter().map(|(_, kind)| kind).collect();
        }
        let behind: Vec<(usize, Action)> = all.iter().filter(|(at, _)| *at > self.at).copied().collect();
        let behind = if is_english(self.words, self.at) { verbs(self.words, &behind) } else { behind };
        let named = if behind.is_empty() { all } else { behind };
        named.into_iter().map(|(_, kind)| kind).collect()
    }

    /// What follows "stop" or "quit": nothing else is stopped.
    fn stopped(&self) -> Option<&str> {
        let mut tokens = self.behind().split_whitespace();
        tokens.next().filter(|token| matches!(*token, "stop" | "quit"))?;
        tokens.next()
    }

    /// The places that the clause names; where it names none, those of its neighbours that name nothing else.
    fn places(&self, clause: &Clause) -> Vec<String> {
        let own = clause.names();
        if !own.is_empty() {
            return own;
        }
        let rest = self.sentence.clauses.get(self.index + 1..).unwrap_or_default();
        let listed = rest.iter().take_while(|it| acting(&it.words).is_empty() && cues(&it.words).is_empty());
        let listed: Vec<String> = listed.flat_map(Clause::names).collect();
        // "dist/ is still needed, so please keep it"
        let refers = PRONOUNS.first(self.words);
        let before = self.sentence.clauses.get(..self.index).unwrap_or_default();
        // "src/a.ts: don't change"
        let headed = before.last().filter(|it| it.tokens().all(is_name)).map(Clause::names);
        if let Some(headed) = headed.filter(|names| listed.is_empty() && !names.is_empty()) {
            return headed;
        }
        if !listed.is_empty() || refers.is_none() {
            return listed;
        }
        let before: Vec<String> = before.iter().flat_map(Clause::names).collect();
        if !before.is_empty() {
            return before;
        }
        self.before.iter().flat_map(|it| &it.clauses).flat_map(Clause::names).collect()
    }

    fn except(&self, clause: &Clause) -> (What, bool) {
        let mut places = self.places(clause);
        let behind: Vec<String> =
            places.iter().filter(|place| self.behind().contains(place.as_str())).cloned().collect();
        if !behind.is_empty() {
            places = behind;
        }
        let inverted = self.has(Cue::Not) || self.has(Cue::Only);
        match (places.is_empty(), inverted) {
            // "Install httpx instead of requests"
            (true, _) if INSTEAD.is_in(self.words) => (What::Places(Vec::new()), false),
            (true, _) => (What::Places(content(self.behind())), false),
            (false, true) => (What::Outside(places), !NOBODY.is_in(self.words)),
            (false, false) => (What::Places(places), true),
        }
    }

    fn only(&self, clause: &Clause) -> Option<(What, bool)> {
        let theirs = ["only i ", "only we "].iter().any(|own| self.behind().starts_with(own));
        if self.has(Cue::Except) || theirs {
            return None;
        }
        let mut places = self.places(clause);
        let rest = REST.is_in(self.words);
        if places.is_empty() && rest {
            places = self.sentence.clauses.iter().flat_map(Clause::names).collect();
        }
        if !places.is_empty() {
            return is_told_to(self.words).then_some((What::Outside(places), true));
        }
        if let Some(at) = LIMITS.first(self.words) {
            let words = content(self.words.get(at..).unwrap_or_default());
            return (!words.is_empty()).then_some((What::Outside(words), false));
        }
        let named = kinds(self.words);
        let edits = acting(self.words).iter().any(|(_, kind)| *kind == Action::Edit);
        let kept = kept_places(self.words);
        if edits && !kept.is_empty() && is_told_to(self.words) {
            return Some((What::Outside(kept), false));
        }
        // "Format only the changed files": nothing here tells which those are.
        let first = tokens(self.words).find(|(_, token)| !OPENERS.has(token)).map(|(at, _)| at);
        let mut before = acting(self.words);
        before.retain(|(at, kind)| *at < self.at && *kind != Action::Edit);
        let asked = before.iter().any(|(at, _)| Some(*at) == first);
        if before.len() > 1 {
            before.retain(|(_, kind)| *kind != Action::Run);
        }
        if asked && tokens(self.behind()).count() > 1 {
            let kinds = before.into_iter().map(|(_, kind)| kind).collect();
            let described = content(self.behind());
            return Some((What::Actions { kinds, names: Vec::new(), described }, false));
        }
        let reads = named.iter().any(|(_, kind)| *kind == Action::Read);
        (reads && acting(self.words).is_empty()).then_some((What::Change, false))
    }

    fn not(&self, clause: &Clause) -> Option<(What, bool)> {
        let directed = directed(self.words, self.at)?;
        if self.has(Cue::Except) {
            return None;
        }
        let kinds = self.kinds();
        let behind = self.behind();
        let acts_behind = !acting(behind).is_empty();
        let mut names = names_of(clause);
        let named_behind: Vec<String> =
            names.iter().filter(|name| behind.contains(name.as_str())).cloned().collect();
        if acts_behind || !named_behind.is_empty() {
            names = named_behind;
        }
        if kinds.is_empty() && self.stopped().is_some() {
            return None;
        }
        if kinds.is_empty() {
            // In other languages nothing tells an order from a remark but the action it names.
            let words = content(behind);
            let orders = directed == Directed::Order;
            if orders && !names.is_empty() && names.iter().all(|name| is_name(name)) {
                return Some((What::Places(names), false));
            }
            let object = behind.split_once(' ').map_or("", |(_, object)| object);
            if orders && (UNIVERSAL.is_in(object) && is_english(self.words, self.at) || is_imperative(behind))
            {
                return Some((What::Change, false));
            }
            let untied = words.is_empty() && is_english(self.words, self.at);
            return (orders && (untied || !words.is_empty()))
                .then_some((if untied { What::Untied } else { What::Words(words) }, false));
        }
        // "Nobody but me changes it": about whom, and about what else, is not said to the agent.
        let sure = directed == Directed::Order && !NOBODY.is_in(self.words);
        let special = runs_of(behind);
        if kinds == [Action::Run] && names.is_empty() && !special.is_empty() {
            return Some((What::Actions { kinds: special, names, described: Vec::new() }, sure));
        }
        if kinds.iter().all(|kind| matches!(kind, Action::Edit | Action::Migrate | Action::Test)) {
            let mut places = self.places(clause);
            if places.is_empty() {
                places = kept_places(self.words);
            }
            if !places.is_empty() {
                return Some((What::Places(places), sure));
            }
        }
        let described = if is_english(self.words, self.at) {
            let verbs = verbs(behind, &acting(behind));
            objects(behind, &verbs)
        } else {
            qualities(self.words)
        };
        Some((What::Actions { kinds, names, described }, sure))
    }

    fn stays(&self, clause: &Clause) -> Option<(What, bool)> {
        let cue = self.words.get(self.at..).unwrap_or_default();
        let weak = WEAK.has(cue);
        let next = cue.split_whitespace().nth(1).unwrap_or_default();
        if cue.starts_with("leave ") && matches!(next, "a" | "an" | "some" | "me" | "us") {
            return None;
        }
        if RUNNING.is_in(self.words) {
            let (kinds, described) = (vec![Action::Stop, Action::Restart], Vec::new());
            return Some((What::Actions { kinds, names: Vec::new(), described }, true));
        }
        if LOCAL.first(cue).is_some() && clause.names().is_empty() {
            let kinds = vec![Action::Push, Action::Publish, Action::Send];
            return Some((What::Actions { kinds, names: Vec::new(), described: Vec::new() }, false));
        }
        let mut places = self.places(clause);
        if !places.is_empty() && LIMITS.is_in(self.words) {
            return Some((What::Outside(places), true));
        }
        if places.is_empty() && (!weak || UNCHANGED.is_in(cue)) {
            places = kept_places(self.words);
        }
        if !places.is_empty() {
            return Some((What::Places(places), true));
        }
        let kinds: Vec<Action> = self.kinds().into_iter().filter(|kind| *kind != Action::Edit).collect();
        let ties = |kind: &Action| !weak || matches!(kind, Action::Branch | Action::Git);
        if !kinds.is_empty() && kinds.iter().all(ties) {
            return Some((What::Actions { kinds, names: Vec::new(), described: Vec::new() }, true));
        }
        let refs: Vec<String> = names_of(clause);
        if weak && UNCHANGED.is_in(cue) && !acting(self.words).is_empty() {
            return None;
        }
        if !refs.is_empty() {
            return Some((
                What::Actions { kinds: vec![Action::Run], names: refs, described: Vec::new() },
                true,
            ));
        }
        let own = content(self.words);
        if own.iter().any(|word| shows_in_names(word)) {
            return Some((What::Places(own), false));
        }
        let words: Vec<String> = self.sentence.clauses.iter().flat_map(|it| content(&it.words)).collect();
        // "It has to stay as it is": nothing says what, so it could be anything.
        let ordered = MUST.is_in(self.words) || self.words.trim_start().starts_with(cue.trim());
        let what = if ordered && UNCHANGED.is_in(cue) { What::Change } else { What::Places(words) };
        Some((what, false))
    }

    fn waits(&self, cue: Cue, clause: &Clause) -> Option<(What, bool)> {
        // "Do not ask for confirmation."
        let negated = cues(self.words).iter().any(|(at, other)| *other == Cue::Not && *at < self.at);
        if cue == Cue::Asks && negated {
            return None;
        }
        let mut kinds = if cue == Cue::Asks { every_kind(self.sentence) } else { self.kinds() };
        let universal = self.sentence.clauses.iter().any(|it| UNIVERSAL.is_in(&it.words));
        if universal
            && self
                .sentence
                .clauses
                .iter()
                .any(|it| acting(&it.words).iter().any(|(_, kind)| *kind == Action::Edit))
        {
            return Some((What::Change, false));
        }
        kinds.retain(|kind| *kind != Action::Edit);
        if kinds.is_empty() {
            kinds = every_kind(self.sentence);
        }
        if kinds.is_empty() {
            return Some((What::Change, false));
        }
        Some((What::Actions { kinds, names: names_of(clause), described: Vec::new() }, true))
    }

    fn own(&self, clause: &Clause) -> Option<(What, bool)> {
        if ["need you ", "want you ", "ask you ", "let you ", "expect you "]
            .iter()
            .any(|it| self.words.contains(it))
        {
            return None;
        }
        let places = clause.names();
        let mut kinds = self.kinds();
        let refers = PRONOUNS
            .first(self.words)
            .or_else(|| find_any(self.words, &["this", "mine", "nobody else", "my job", "moi"]));
        if kinds.is_empty() && places.is_empty() && refers.is_some() {
            kinds = every_kind(self.sentence);
        }
        let only_edits = kinds.iter().all(|kind| *kind == Action::Edit);
        if only_edits && !places.is_empty() {
            return Some((What::Places(places), true));
        }
        if only_edits {
            let words = content(self.words);
            let edits = !kinds.is_empty();
            let what = if words.is_empty() && edits { What::Change } else { What::Places(words) };
            return Some((what, false));
        }
        Some((What::Actions { kinds, names: Vec::new(), described: Vec::new() }, true))
    }

    fn behind(&self) -> &str {
        self.words.get(self.at..).unwrap_or_default()
    }
}
