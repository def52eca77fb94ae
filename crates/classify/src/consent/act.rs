//! What a command does and to what, in the words that people have for it.

use portcullis_shell::Command;

use super::text::find;
use super::words::{ASKING, Action, DATABASES, KINDS, Line, MILD, NAMING, TEXTS, nouns};

/// What a command does, and to what.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) program: String,
    /// What it does.
    pub(super) actions: Vec<Action>,
    /// The words that its sub-commands have for it.
    pub(super) own: Vec<String>,
    /// Verbs for what was found in it, where it has none itself.
    pub(super) also: Vec<&'static str>,
    /// The kind of thing that it does it to, by its sub-commands.
    pub(super) kind: Option<String>,
    /// What it is done to.
    pub(super) objects: Vec<String>,
    /// Values of its options: where, for whom, to how many.
    pub(super) values: Vec<String>,
    /// What people call what it works on, beside its own words.
    pub(super) nouns: Vec<&'static str>,
    /// All its words, and their parts.
    pub(super) line: String,
}

impl Act {
    pub(super) fn of(command: &Command) -> Option<Act> {
        let mut program = command.program.as_deref()?.to_lowercase();
        if matches!(program.as_str(), "npx" | "bunx") {
            program = command.arguments.first()?.text.to_lowercase();
        }
        let mut act = Act {
            actions: Vec::new(),
            own: Vec::new(),
            also: Vec::new(),
            kind: None,
            objects: Vec::new(),
            values: Vec::new(),
            nouns: Vec::new(),
            line: line(&program, command),
            program,
        };
        let mut plain = act.sort(command)?;
        if let Some((action, _)) = act.program.split('.').find_map(|part| Some((step(part)?, part))) {
            act.actions = action;
        } else {
            act.take_step(&mut plain, command);
        }
        act.of_git(command);
        // `git push origin branch`: the remote is no object.
        plain.retain(|word| word != "origin");
        let pieces: Vec<String> = plain.iter().flat_map(|word| pieces(word, &act.program)).collect();
        act.objects.extend(pieces);
        if act.own.iter().any(|word| word == "deprecate") {
            act.objects.truncate(2);
        }
        act.nouns = nouns_of(&act);
        Some(act)
    }

    /// Takes out the values of options; what is left are sub-commands and operands.
    fn sort(&mut self, command: &Command) -> Option<Vec<String>> {
        let database = DATABASES.has(&self.program);
        let mut plain = Vec::new();
        let mut option = "";
        for (at, word) in command.arguments.iter().map(|word| word.text.as_str()).enumerate() {
            let before = std::mem::replace(&mut option, word);
            let value = command.values.contains(&at) || is_naming(&self.program, before);
            if database && matches!(before, "-c" | "-e") {
                let said = statement(word)?;
                self.actions = step(said.first()?)?;
                self.kind = said.get(1).filter(|_| said.len() > 2).cloned();
                self.objects.extend(said.last().cloned());
            } else if TEXTS.has(before) {
            } else if value && !word.starts_with('-') {
                self.values.push(word.to_owned());
            } else if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with('-')) {
                if !TEXTS.has(name) && !MILD.has(name) {
                    self.values.push(value.to_owned());
                }
            } else if !word.starts_with('-') {
                plain.push(word.to_owned());
            }
        }
        Some(plain)
    }

    /// Takes the sub-command that says what is done out of the words, and those that say to what kind of thing.
    fn take_step(&mut self, plain: &mut Vec<String>, command: &Command) {
        let acts = |word: &String| parts(word).find_map(|part| Some((step(part)?, part.to_owned())));
        let known = |at: usize| {
            command
                .verbs
                .iter()
                .any(|verb| command.arguments.get(*verb).is_some_and(|it| Some(&it.text) == plain.get(at)))
        };
        let cluster = matches!(self.program.as_str(), "kubectl" | "oc");
        let first = usize::from(plain.first().is_some_and(|word| word == "rollout"));
        let at = if cluster { Some(first) } else { plain.iter().position(|word| acts(word).is_some()) };
        // `docker rm`, `kubectl drain`: a sub-command that no table has is its own word.
        let at = at.or_else(|| (0..plain.len()).rfind(|at| known(*at)));
        let Some((at, word)) = at.and_then(|at| Some((at, plain.get(at)?.clone()))) else { return };
        let found = acts(&word);
        let verb = found.as_ref().map_or(word.as_str(), |(_, part)| part.as_str());
        if self.actions.is_empty() {
            self.actions = found.as_ref().map(|(actions, _)| actions.clone()).unwrap_or_default();
        }
        self.own.push(verb.to_owned());
        let rest: Vec<&str> = parts(&word).filter(|part| *part != verb && *part != "admin").collect();
        if self.program == "service" {
            self.objects.extend(plain.drain(..at));
            plain.clear();
            return;
        }
        let before = at.checked_sub(1).and_then(|at| plain.get(at)).cloned();
        let kind = (!rest.is_empty()).then(|| rest.join("-")).or(before);
        let behind = plain.iter().skip(at + 1).take_while(|word| KINDS.has(&word.to_lowercase())).count();
        // The last word is a name, whatever it is called.
        let behind = behind.min(plain.len().saturating_sub(at + 2));
        let kind = kind.filter(|kind| kind != "rollout");
        self.kind = self.kind.take().or(kind).or_else(|| plain.get(at + 1).filter(|_| behind > 0).cloned());
        plain.drain(..=at + behind);
    }

    /// What git does beyond the word of the sub-command.
    fn of_git(&mut self, command: &Command) {
        let words = || command.arguments.iter().map(|word| word.text.as_str());
        let has =
            |options: &[&str]| words().any(|word| options.iter().any(|option| word.starts_with(option)));
        let verb = self.own.first().cloned().unwrap_or_default();
        if self.program != "git" {
            return;
        }
        self.kind = None;
        let deletes = match verb.as_str() {
            "push" => has(&["-d", "--delete", ":"]),
            "branch" | "tag" => has(&["-d", "-D", "--delete"]),
            "stash" => words().any(|word| word == "drop"),
            _ => false,
        };
        if deletes {
            self.actions = vec![Action::Delete];
            self.own.clear();
        }
        if verb == "clean" {
            self.actions = vec![Action::Delete, Action::Discard];
            self.kind = Some("untracked".to_owned());
        }
    }

    /// Whether it matters that the verb is done to the object, and not to something beside it.
    pub(super) fn is_aimed(&self) -> bool {
        let aimed = |action: &Action| {
            matches!(
                action,
                Action::Delete
                    | Action::Empty
                    | Action::Stop
                    | Action::Close
                    | Action::Merge
                    | Action::Restart
            )
        };
        // Whatever lies untracked in a folder is what is cleaned.
        if self.kind.as_deref() == Some("untracked") {
            return false;
        }
        self.actions.is_empty() || self.actions.iter().any(aimed) || self.is_forced()
    }

    /// Whether it pushes by force.
    pub(super) fn is_forced(&self) -> bool {
        self.actions.contains(&Action::Push)
            && self
                .line
                .split(' ')
                .any(|word| word == "-f" || word.starts_with("--force") || word.starts_with('+'))
    }

    /// Whether what it is called with is written by the agent.
    pub(super) fn is_free(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Comment | Action::Open))
            && self.kind.as_deref() != Some("release")
    }

    /// Whether people have to say what kind of thing they mean.
    pub(super) fn must_say_kind(&self) -> bool {
        let takes = |action: &Action| matches!(action, Action::Delete | Action::Close);
        let empties = self.actions.contains(&Action::Empty) && !DATABASES.has(&self.program);
        self.actions.iter().any(takes)
            || empties
            || self.kind.as_deref() == Some("untracked")
            || (self.actions.contains(&Action::Stop) && self.kind.is_some())
    }
}

/// The words of the program and its arguments, each also in its parts, one blank around each.
fn line(program: &str, command: &Command) -> String {
    let mut line = format!(" {program} {} ", command.word.replace(['/', '-'], " "));
    for word in &command.arguments {
        let text = word.text.to_lowercase();
        let parts =
            text.replace(['/', ':', '=', '-', '_', '@', '"', '\'', ',', ';'], " ").replace(".service", "");
        line.extend([text.as_str(), " ", parts.as_str(), " "]);
    }
    line
}

/// What a sub-command does.
pub(super) fn step(word: &str) -> Option<Vec<Action>> {
    let word = word.to_lowercase();
    let found: Vec<Action> = nouns("Steps")
        .filter(|line| line.words().any(|step| step == word))
        .filter_map(|line| Action::named(line.label))
        .collect();
    (!found.is_empty()).then_some(found)
}

fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split(['-', '_', ':']).filter(|part| !part.is_empty())
}

/// How people name what a command spells: `deployment/api` is `api`, `HEAD:main` is `main`, `dir/` is `dir`.
fn pieces(object: &str, program: &str) -> Vec<String> {
    let lower = object.to_lowercase();
    let plain = lower.trim_start_matches('+').trim_start_matches("./");
    if let Some((_, name)) = plain.split_once('/').filter(|(kind, _)| KINDS.has(kind)) {
        return vec![name.to_owned()];
    }
    if let Some((from, to)) = plain
        .split_once(':')
        .filter(|_| program == "git" && !plain.contains(['@', ' ']) && !plain.contains("//"))
    {
        let to = to.trim_start_matches("refs/heads/").trim_start_matches("refs/tags/");
        let from = Some(from).filter(|from| !matches!(*from, "" | "head" | "refs/heads"));
        return from.map(str::to_owned).into_iter().chain([to.to_owned()]).collect();
    }
    let versioned =
        |(name, version): &(&str, &str)| !name.is_empty() && !version.starts_with('{') && !name.contains(':');
    if let Some((name, version)) = plain.rsplit_once('@').filter(versioned).filter(|_| program != "git") {
        return vec![name.to_owned(), version.to_owned()];
    }
    if let Some((name, value)) = plain.split_once('=') {
        return vec![name.to_owned(), value.to_owned()];
    }
    let unit = plain.strip_suffix(".service").filter(|_| matches!(program, "systemctl" | "service"));
    vec![unit.unwrap_or(plain).trim_end_matches('/').to_owned()]
}

/// The words of one plain statement that drops or empties one thing.
pub(super) fn statement(text: &str) -> Option<Vec<String>> {
    let lower = text.trim().trim_end_matches(';').to_lowercase();
    let words: Vec<&str> =
        lower.split_whitespace().filter(|word| !matches!(*word, "if" | "exists")).collect();
    let plain = |word: &&str| word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let drops = matches!(words.as_slice(), ["drop", "table" | "database" | "schema" | "view" | "index", _]);
    let empties = matches!(words.as_slice(), ["truncate", _] | ["truncate", "table", _]);
    ((drops || empties) && words.iter().all(plain)).then(|| words.into_iter().map(str::to_owned).collect())
}

/// Whether an option names something by its value.
pub(super) fn is_naming(program: &str, option: &str) -> bool {
    let short =
        || nouns("NamingShort").filter(|line| line.labels().any(|it| it == program)).flat_map(Line::words);
    let end = option.trim_start_matches('-').rsplit('-').next().unwrap_or_default();
    let long = option.starts_with("--") || (option.starts_with('-') && option.len() > 2);
    (long && !option.contains('=') && NAMING.has(&end.to_lowercase())) || short().any(|it| it == option)
}

fn nouns_of(act: &Act) -> Vec<&'static str> {
    let line = act.line.to_lowercase();
    let said = |label: &str| find(&line, label).is_some();
    nouns("Nouns").filter(|row| row.labels().any(said)).flat_map(Line::words).collect()
}

impl Act {
    /// Whether a word is one of the command's, or means one.
    pub(super) fn knows(&self, word: &str) -> bool {
        let bare = word.trim_end_matches('/').trim_start_matches('#').trim_end_matches("'s");
        let one = |part: &str| {
            let singular = part.strip_suffix('s').unwrap_or(part);
            self.line.split(' ').any(|own| {
                own == part || (part.len() > 2 && (own == singular || own.strip_suffix('s') == Some(part)))
            })
        };
        let noun = |part: &str| {
            self.nouns.contains(&part) || part.strip_suffix('s').is_some_and(|one| self.nouns.contains(&one))
        };
        let name = |part: &str| !part.is_empty() && (one(part) || noun(part));
        !bare.is_empty()
            && (name(bare) || bare.split(['/', ':', '=', '-', '@']).filter(|part| !part.is_empty()).all(name))
    }
}

/// Whether words say a word of the command: as it is, in the singular or the plural, in its parts, or by another noun.
pub(super) fn is_said(word: &str, words: &str) -> bool {
    let word = word.to_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    let joined: String = words.split_whitespace().collect::<Vec<_>>().join("");
    let spoken = |form: &str| {
        words
            .split(|it: char| !it.is_alphanumeric())
            .any(|it| it == form || it.strip_suffix('s') == Some(form))
    };
    let kind = step(&word).is_none();
    let same = nouns("Nouns").filter(|row| row.labels().any(|it| it == word || it == singular));
    spoken(singular)
        || spoken(&word)
        || (word.len() > 5 && joined.contains(singular))
        || parts(&word).all(|part| parts(&word).count() > 1 && spoken(part.strip_suffix('s').unwrap_or(part)))
        || kind && same.flat_map(Line::words).any(|noun| find(words, noun).is_some() || spoken(noun))
        || is_verb_said(&word, words)
}

/// Whether the sub-command is said by a verb of any language that means it.
fn is_verb_said(word: &str, words: &str) -> bool {
    let Some(actions) = step(word) else { return false };
    let mut said = false;
    ASKING.each(words, |_| false, |_, _, verb| said |= actions.contains(&verb.action));
    said
}

#[cfg(test)]
mod tests {
    use portcullis_shell::{Dialect, read};

    use super::*;

    fn act(line: &str) -> Act {
        let reading = read(line, Dialect::Bash);
        Act::of(reading.commands.first().unwrap()).unwrap()
    }

    /// [C17]
    #[test]
    fn a_command_says_what_it_does_to_what() {
        let push = act("git push origin HEAD:main");
        assert_eq!((push.actions, push.objects), (vec![Action::Push], vec!["main".to_owned()]));
        let delete = act("aws s3api delete-bucket --bucket shop");
        assert_eq!((delete.kind.as_deref(), delete.values), (Some("bucket"), vec!["shop".to_owned()]));
        let restart = act("kubectl rollout restart deployment/web -n shop");
        assert_eq!((restart.actions, restart.objects), (vec![Action::Restart], vec!["web".to_owned()]));
        let create = act("gh pr create --title x --body y");
        assert!(create.is_free() && create.objects.is_empty() && create.values.is_empty());
    }
}
