//! What a command does and to what, and whether a sentence asks for just that.

use portcullis_decide::view::View;
use portcullis_shell::{Command, Effects};

use super::super::consent_options;
use super::super::grammar::cues::{Cue, cues, without_idioms};
use super::super::grammar::text::{Sentence, find, is_ideograph, is_name, sentences};
use super::super::grammar::verbs::{Deed, VERBS};
use super::super::other_target::{is_elsewhere, is_other_scope};
use super::super::scope::is_milder;
use super::super::settled::{is_database, statement};
use super::super::target;
use super::super::words::names;
use super::nouns::{DATABASE, ISSUE, NOUNS, Noun, RELEASE, REQUEST, TABLE, TEXTS, VALUED, noun_of, step};
use super::segments::{acted_on, is_asking, is_polite, segments};
use super::words::{CLUSTER, CONDITIONS, ENVIRONMENTS, IDLE, REPORTS};

/// What a command does, and to what.
pub(super) struct Wanted {
    pub(super) deed: Deed,
    /// What it is done to.
    pub(super) objects: Vec<String>,
    /// Values of its options: where, for whom, to how many.
    pub(super) others: Vec<String>,
    /// The word that its program has for what it is done to.
    noun: Option<Noun>,
}

impl Wanted {
    pub(super) fn of(command: &Command) -> Option<Wanted> {
        let program = command.program.as_deref()?.to_lowercase();
        let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
        let mut deed = program.split('.').find_map(step);
        let cluster = matches!(program.as_str(), "kubectl" | "oc")
            && words.iter().any(|word| matches!(*word, "-f" | "-k" | "-l"));
        if command.own.meets(Effects::PRIVILEGE) || cluster {
            return None;
        }
        let mut objects = Vec::new();
        let mut others = Vec::new();
        let mut plain = Vec::new();
        let mut before = "";
        for (at, word) in words.iter().copied().enumerate() {
            let option = std::mem::replace(&mut before, word);
            let value = command.values.contains(&at)
                || TEXTS.contains(&option)
                || (VALUED.contains(&option) && program != "rm")
                || (option.starts_with("--") && !option.contains('=') && consent_options::is_naming(option));
            if is_database(&program) && matches!(option, "-c" | "-e") {
                let said = statement(word)?;
                deed = step(said.first()?);
                objects.extend(said.last().cloned());
            } else if TEXTS.contains(&option) {
            } else if value || (is_database(&program) && matches!(option, "-d" | "-D" | "-h")) {
                others.push(word.to_owned());
            } else if let Some((_, value)) = word.split_once('=').filter(|_| word.starts_with('-')) {
                others.push(value.to_owned());
            } else if !word.starts_with('-') {
                plain.push(word);
            }
        }
        for word in plain {
            if let Some(found) = step(word).filter(|_| deed.is_none() && objects.is_empty()) {
                deed = Some(found);
            } else if !(objects.is_empty() && NOUNS.contains(&word.to_lowercase().as_str())) {
                objects.push(word.to_owned());
            }
        }
        let deed = of_git(&program, &words).or(deed)?;
        if deed == Deed::Deprecate {
            objects.truncate(1);
        }
        // `git push origin branch`: the remote is no object.
        objects.retain(|object| object != "origin");
        let objects: Vec<String> = objects.iter().flat_map(|object| pieces(object, &program)).collect();
        let noun = noun_of(&program, &words);
        Some(Wanted { deed, objects, others, noun })
    }
}

/// Nouns without which a name could be that of something else.
fn must_be_said(noun: Noun, deed: Deed) -> bool {
    noun == TABLE || noun == ISSUE || noun == RELEASE || (noun == REQUEST && deed != Deed::Merge)
}

/// What git does beyond the word of the sub-command.
fn of_git(program: &str, words: &[&str]) -> Option<Deed> {
    let has =
        |options: &[&str]| words.iter().any(|word| options.iter().any(|option| word.starts_with(option)));
    let verb = words.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    if program != "git" {
        return None;
    }
    match verb {
        "push" if has(&["-d", "--delete", ":"]) => Some(Deed::Delete),
        "push" if has(&["-f", "--force", "+"]) => Some(Deed::Force),
        "branch" | "tag" if has(&["-d", "-D", "--delete"]) => Some(Deed::Delete),
        "stash" if words.contains(&"drop") => Some(Deed::Delete),
        _ => None,
    }
}

/// How people name what a command spells: `deployment/api` is `api`, `HEAD:main` is `main`, `dir/` is `dir`.
fn pieces(object: &str, program: &str) -> Vec<String> {
    let lower = object.to_lowercase();
    let plain = lower.trim_start_matches('+');
    if let Some((_, name)) = plain.split_once('/').filter(|(kind, _)| NOUNS.contains(kind)) {
        return vec![name.to_owned()];
    }
    if let Some((from, to)) = plain.split_once(':').filter(|_| program == "git") {
        let from = Some(from).filter(|from| !matches!(*from, "" | "head" | "refs/heads")).map(str::to_owned);
        return from.into_iter().chain([to.trim_start_matches("refs/heads/").to_owned()]).collect();
    }
    if let Some((name, version)) = plain
        .rsplit_once('@')
        .filter(|(name, version)| !name.is_empty() && !version.starts_with('{') && program != "git")
    {
        return vec![name.to_owned(), version.to_owned()];
    }
    vec![plain.trim_end_matches('/').to_owned()]
}

impl Wanted {
    pub(super) fn is_asked_in(&self, sentence: &Sentence, command: &Command, view: &View) -> bool {
        let words: String = sentence.clauses.iter().map(|clause| clause.words.as_str()).collect();
        let words = words.replace("  ", " ");
        let has = |list: &[&str]| list.iter().any(|word| find(&words, word).is_some());
        let starts = |list: &[&str]| {
            sentence
                .clauses
                .iter()
                .any(|clause| clause.tokens().next().is_some_and(|first| list.contains(&first)))
        };
        let quoted = sentence.text.contains(['"', '“', '„', '«', '「']);
        let free = matches!(self.deed, Deed::Comment | Deed::Open);
        if (quoted || has(REPORTS) || has(CONDITIONS)) && !free || starts(&["si", "se", "if", "unless"]) {
            return false;
        }
        if sentence.question && !is_polite(&words) {
            return false;
        }
        // Whoever stands before a colon, a dash or in brackets may be somebody else.
        let led = [": ", " - ", "(", "[", "–", "—"].iter().any(|mark| sentence.text.contains(mark));
        if led && !free {
            return false;
        }
        let line = format!(" {} ", view.line.to_lowercase().replace(['/', ':', '=', '"', '\'', ','], " "));
        let segments = segments(sentence);
        // "At the customer's, …"
        let placed = segments.first().is_some_and(|first| {
            ["at ", "on ", "from ", "in ", "over ", "via "]
                .iter()
                .any(|word| first.trim_start().starts_with(word))
        });
        if placed && !free {
            return false;
        }
        let asked = segments.iter().enumerate().any(|(at, segment)| {
            let earlier = segments.get(..at).unwrap_or_default();
            self.is_asked_by(segment, earlier, &line, &|word| target::is_thing(command, word, &words))
        });
        let noun = self.noun.filter(|noun| must_be_said(noun, self.deed));
        let kind = noun.is_none_or(|noun| noun.iter().any(|word| words.contains(word)));
        asked && kind && self.is_all_named(&words) && self.is_here(&words, &segments, command, view)
    }

    /// Whether a segment asks for the deed, and for it to be done to the object.
    fn is_asked_by(
        &self,
        segment: &str,
        earlier: &[String],
        line: &str,
        things: &dyn Fn(&str) -> bool,
    ) -> bool {
        let Some(verb) = self.verb(segment) else { return false };
        if !self.says_nothing_else(segment, line, things) || earlier.last().is_some_and(|it| leads_on(it)) {
            return false;
        }
        let restricted = cues(&without_idioms(segment));
        let held = restricted.iter().any(|(at, cue)| match cue {
            Cue::Except | Cue::Asks | Cue::Waits => true,
            Cue::Not => *at < verb,
            Cue::ReadOnly | Cue::Only | Cue::Stays | Cue::Own => false,
        });
        if held {
            return false;
        }
        if !self.is_aimed() {
            let named =
                |part: &str| self.objects.iter().all(|object| names(part, object) || has_token(part, object));
            return named(segment);
        }
        let own = acted_on(segment, &self.objects, false);
        if !own.is_empty() {
            return self.objects.iter().all(|object| own.contains(object));
        }
        if mentions(segment) {
            return false;
        }
        let before =
            earlier.iter().rev().map(|it| acted_on(it, &self.objects, true)).find(|it| !it.is_empty());
        before.is_some_and(|before| self.objects.iter().all(|object| before.contains(object)))
    }

    /// Whether a request is that of the sentence: it has its verb.
    pub(super) fn is_in(&self, asked: &str, sentence: &Sentence) -> bool {
        let asked = sentences(asked);
        let verbs = |it: &Sentence| segments(it).iter().any(|segment| self.verb(segment).is_some());
        asked.iter().any(verbs) && verbs(sentence)
    }

    /// Whether a part asks for this with a name that the line leaves out: an address, or the only thing that is meant.
    pub(super) fn leaves_out(&self, part: &str, view: &View) -> bool {
        let runs = || VERBS.iter().filter(|(deed, _)| *deed == Deed::Run).flat_map(|(_, forms)| *forms);
        let asks = self.verb(part).is_some()
            || runs().any(|form| find(part, form).is_some_and(|at| is_asking(part, at, form)));
        if !asks || matches!(self.deed, Deed::Open | Deed::Comment) {
            return false;
        }
        let line = view.line.to_lowercase();
        let held = |name: &str| line.contains(name.trim_end_matches('/').trim_end_matches('\''));
        let named: Vec<&str> = part.split_whitespace().filter(|token| is_name(token)).collect();
        let missing = || named.iter().filter(|name| !held(name));
        let only = cues(part).iter().any(|(_, cue)| *cue == Cue::Only) || find(part, "just").is_some();
        missing().any(|name| name.contains("://"))
            || (only && missing().next().is_some())
            || (self.deed == Deed::Publish && missing().any(|name| name.starts_with('@')))
    }

    /// Whether every word of the part is the verb, a word of the command or what it is about, or says nothing of its own.
    fn says_nothing_else(&self, segment: &str, line: &str, things: &dyn Fn(&str) -> bool) -> bool {
        let free = matches!(self.deed, Deed::Comment | Deed::Open);
        if free && self.noun != Some(RELEASE) {
            return true;
        }
        let remote = line.contains(" push ");
        let known = |token: &str| {
            let bare = token.trim_end_matches('/').trim_start_matches('#').trim_end_matches("'s");
            let parts = || bare.split(['/', ':', '=']).filter(|part| !part.is_empty());
            let local = matches!(
                bare,
                "local" | "locally" | "lokal" | "lokale" | "lokalen" | "locale" | "本地" | "ローカル"
            );
            let far =
                matches!(bare, "remote" | "origin" | "distante" | "remota" | "remoto" | "远程" | "リモート");
            (local && !remote)
                || (far && remote)
                || IDLE.split_whitespace().any(|word| word == bare)
                || bare.chars().any(is_ideograph)
                || (!bare.is_empty()
                    && parts().all(|part| names(line, part) || names(line, part.trim_end_matches('s'))))
                || self
                    .noun
                    .is_some_and(|noun| noun.contains(&bare) || (noun == TABLE && DATABASE.contains(&bare)))
                || (self.noun.is_none() && !CLUSTER.contains(&bare) && things(bare))
        };
        let own = |deed: &Deed| {
            *deed == self.deed
                || matches!((self.deed, deed), (Deed::Force, Deed::Push) | (Deed::Publish, Deed::Deploy))
        };
        let forms =
            VERBS.iter().filter(|(deed, _)| own(deed) || *deed == Deed::Run).flat_map(|(_, forms)| *forms);
        let verbs: Vec<&str> = forms.flat_map(|form| form.split(' ')).collect();
        let mut unknown = segment.split_whitespace().filter(|token| !known(token) && !verbs.contains(token));
        unknown.next().is_none()
    }

    /// Whether it matters what the verb is done to, beside what is named.
    pub(super) fn is_aimed(&self) -> bool {
        matches!(
            self.deed,
            Deed::Delete
                | Deed::Empty
                | Deed::Force
                | Deed::Discard
                | Deed::Stop
                | Deed::Close
                | Deed::Merge
                | Deed::Restart
        )
    }

    /// Where a verb asks for the deed.
    pub(super) fn verb(&self, segment: &str) -> Option<usize> {
        let fits = |deed: Deed| {
            deed == self.deed
                || matches!((self.deed, deed), (Deed::Publish, Deed::Deploy) | (Deed::Open, Deed::Publish))
        };
        let forms = VERBS.iter().filter(|(deed, _)| fits(*deed)).flat_map(|(_, forms)| *forms);
        forms.filter_map(|form| find(segment, form).filter(|at| is_asking(segment, *at, form))).min()
    }

    fn is_all_named(&self, words: &str) -> bool {
        let said = |name: &String| {
            let lower = name.to_lowercase();
            let lower = lower.trim_end_matches('/');
            let token = |token: &str| token.trim_end_matches('/') == lower;
            matches!(lower, "head" | "" | "localhost" | "127.0.0.1")
                || names(words, lower)
                || words.split_whitespace().any(token)
        };
        self.objects.iter().chain(&self.others).all(said)
    }

    /// Whether the sentence speaks of no other place than the command does, and of all that its options change.
    fn is_here(&self, words: &str, segments: &[String], command: &Command, view: &View) -> bool {
        let line = format!(" {} ", view.line.to_lowercase());
        let free = matches!(self.deed, Deed::Comment | Deed::Open);
        let mut places =
            words.split_whitespace().filter(|token| token.contains("://") || ENVIRONMENTS.contains(token));
        let asking = segments.iter().filter(|segment| self.verb(segment).is_some());
        let elsewhere = !free && asking.into_iter().any(|segment| is_elsewhere(segment, command));
        places.all(|token| line.contains(token.trim_end_matches('/')))
            && !elsewhere
            && !is_other_scope(words, command)
            && !is_milder(words, &line)
            && view.reading.as_ref().is_some_and(|reading| consent_options::narrows_nothing(words, reading))
            && consent_options::is_said(command, &in_english(words))
    }
}

/// The words with the English ones for the verbs that they have in other languages, for what options say.
fn in_english(words: &str) -> String {
    let mut said = words.to_owned();
    let told = VERBS.iter().filter(|(_, forms)| forms.iter().any(|form| find(words, form).is_some()));
    for (_, forms) in told {
        said.extend(forms.first().into_iter().flat_map(|form| [form, " "]));
    }
    for token in words.split_whitespace().filter(|token| is_number(token)) {
        said.extend(["to ", token, " "]);
    }
    // Where nothing else is said, the database is the one of this machine.
    said + "localhost 127.0.0.1 "
}

fn has_token(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|token| token.trim_end_matches('/').trim_start_matches('#') == name)
}

/// Whether a part ends in a verb that the next one may go on with: "write a script to stop" and "restart nginx".
fn leads_on(part: &str) -> bool {
    let tokens: Vec<&str> = part.split_whitespace().collect();
    let verbs = VERBS.iter().flat_map(|(_, forms)| *forms);
    let verbs: Vec<&str> = verbs.copied().collect();
    tokens.windows(2).any(|pair| matches!(pair, ["to" | "should" | "must" | "will", verb] if verbs.contains(verb) || *verb == "check"))
}

pub(super) fn is_number(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|it| it.is_ascii_digit())
}

/// Whether a segment names anything.
fn mentions(segment: &str) -> bool {
    segment.split_whitespace().any(is_name)
}
