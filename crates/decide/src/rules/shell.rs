//! Rules for command lines (SPEC R3, R5): patterns over words, not over text.
//!
//! A blank in a rule stands for the border between two words, so `git status` is never met by a program that
//! is called `git status`.

use std::sync::OnceLock;

use portcullis_shell::{Argument, Command};

use super::other_names;
use crate::glob::{self, Match, Sign};

/// The pattern of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The text as written, for commands that equal it.
    raw: String,
    signs: Vec<Sign>,
    /// Ends with ` *` or `:*`: any further words, or none if that is the only wildcard.
    more: bool,
    /// The whole words before the first wildcard.
    leading: Vec<String>,
    wild: bool,
    /// Whether the rule denies or asks.
    guards: bool,
    /// The same by other names. Most rules meet no command that they could mean, so it is made when one does.
    others: OnceLock<Vec<Pattern>>,
    /// The same in lower case, made when a shell asks for it that does not care.
    lowered: OnceLock<Box<Pattern>>,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Pattern {
        let text = text.trim();
        let (body, more) = match text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")) {
            Some(body) => (body.trim_end(), true),
            None => (text, false),
        };
        let signs = signs(body);
        let first_star = signs.iter().position(|sign| *sign == Sign::Any);
        let known = signs.get(..first_star.unwrap_or(signs.len())).unwrap_or_default();
        let mut leading: Vec<String> = known.split(|sign| *sign == Sign::Gap).map(spelled).collect();
        if first_star.is_some() {
            // The word that runs into the wildcard is not whole.
            leading.pop();
        }
        Pattern {
            raw: text.to_owned(),
            wild: more || first_star.is_some(),
            more,
            leading,
            signs,
            guards: false,
            others: OnceLock::new(),
            lowered: OnceLock::new(),
        }
    }

    /// The pattern of a rule that denies or asks, which means what it names by other names as well.
    pub(crate) fn guarding(text: &str) -> Pattern {
        Pattern { guards: true, ..Pattern::new(text) }
    }

    /// The pattern, and the same by other names.
    pub(crate) fn by_any_name(&self) -> impl Iterator<Item = &Pattern> {
        let make = || other_names::of(&self.raw).iter().map(|text| Pattern::new(text)).collect();
        let others = self.guards.then(|| self.others.get_or_init(make));
        std::iter::once(self).chain(others.into_iter().flatten())
    }

    /// The programs that a command it means may begin with, and a few more; none where it does not say.
    pub(crate) fn programs(&self) -> Vec<&str> {
        let Some(program) = self.leading.first() else { return Vec::new() };
        if self.guards { other_names::programs(program) } else { vec![program] }
    }

    /// The text as written.
    pub(crate) fn raw(&self) -> &str {
        &self.raw
    }

    /// Whether it has no wildcard.
    pub(crate) fn is_exact(&self) -> bool {
        !self.wild
    }

    /// The words that a command must begin with.
    pub(crate) fn leading(&self) -> &[String] {
        &self.leading
    }

    /// The beginning of the address that a wildcard stands behind: `https://example.com/` of `curl
    /// https://example.com/*`.
    pub(crate) fn address_start(&self) -> Option<&str> {
        let before = self.raw.split('*').next().filter(|before| before.len() < self.raw.len())?;
        before.rsplit(' ').next().filter(|word| word.contains("://"))
    }

    /// The beginnings of paths that a wildcard stands behind: `build/` of `rm build/*`.
    pub(crate) fn path_starts(&self) -> Vec<&str> {
        let text = self.raw.strip_suffix(":*").unwrap_or(&self.raw);
        let starts = text.split_whitespace().filter_map(|word| word.split_once('*')).map(|(start, _)| start);
        let values = starts.map(|start| {
            let option = start.starts_with('-').then(|| start.split_once('=')).flatten();
            option.map_or(start, |(_, value)| value)
        });
        values.filter(|start| start.contains('/')).collect()
    }

    /// Whether it begins with a wildcard, so that it spells out no program.
    pub(crate) fn starts_open(&self) -> bool {
        self.signs.first() == Some(&Sign::Any)
    }

    /// How many words it has.
    pub(crate) fn word_count(&self) -> usize {
        self.raw.split_whitespace().count()
    }

    /// The same pattern in lower case.
    pub(crate) fn lowered(&self) -> &Pattern {
        let make = || Box::new(Pattern { guards: self.guards, ..Pattern::new(&self.raw.to_lowercase()) });
        self.lowered.get_or_init(make)
    }

    /// Whether a command with these words is meant.
    pub(crate) fn matches(&self, words: &Words) -> Match {
        if !self.more {
            return glob::matches(&self.signs, &words.signs);
        }
        if glob::differ_early(&self.signs, &words.signs) {
            return Match::No;
        }
        let mut longer = self.signs.clone();
        longer.extend([Sign::Gap, Sign::Any]);
        let with_more = glob::matches(&longer, &words.signs);
        // `git status *` also means `git status`; `git * main *` does not mean `git x main`.
        let alone = if self.signs.contains(&Sign::Any) {
            Match::No
        } else {
            glob::matches(&self.signs, &words.signs)
        };
        with_more.max(alone)
    }

    /// Whether plain text, cut at every separator, has a command like this: for lines that cannot be read.
    pub(crate) fn in_raw_text(&self, line: &str) -> bool {
        line.split([';', '&', '|', '\n', '(', ')', '{', '}', '`']).any(|part| {
            let words: Vec<&str> = part.split_whitespace().collect();
            !words.is_empty() && words.len() < 1000 && self.matches(&Words::plain(&words)) == Match::Yes
        })
    }
}

fn spelled(signs: &[Sign]) -> String {
    signs
        .iter()
        .map(|sign| match sign {
            Sign::Char(character) => *character,
            Sign::Gap => ' ',
            Sign::Any => '*',
        })
        .collect()
}

/// The signs of a rule's text: blanks are borders, `*` is any text, quotes group, a backslash takes the
/// next character as it is.
fn signs(text: &str) -> Vec<Sign> {
    let balanced = |quote: char| text.chars().filter(|found| *found == quote).count() % 2 == 0;
    let quotes: Vec<char> = ['\'', '"'].into_iter().filter(|quote| balanced(*quote)).collect();
    let mut signs = Vec::with_capacity(text.len());
    let mut open = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if matches!(characters.peek(), Some('*' | '\\')) => {
                signs.extend(characters.next().map(Sign::Char));
            }
            quote if open == Some(quote) => open = None,
            quote if open.is_none() && quotes.contains(&quote) => open = Some(quote),
            '*' => signs.push(Sign::Any),
            ' ' | '\t' if open.is_none() => {
                if signs.last() != Some(&Sign::Gap) {
                    signs.push(Sign::Gap);
                }
            }
            _ => signs.push(Sign::Char(character)),
        }
    }
    signs
}

/// The words of a command as rules see them.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    signs: Vec<Sign>,
}

impl Words {
    /// The first word as it is written, then the arguments.
    pub(crate) fn as_written(command: &Command) -> Words {
        let mut words = Words { signs: Vec::with_capacity(32) };
        words.push(&command.word, command.program.is_some());
        command.arguments.iter().for_each(|argument| words.add(argument));
        words
    }

    /// The program without its directory, then the arguments.
    pub(crate) fn plainly(command: &Command) -> Words {
        let mut words = Words { signs: Vec::with_capacity(32) };
        words.push(command.program.as_deref().unwrap_or(&command.word), command.program.is_some());
        command.arguments.iter().for_each(|argument| words.add(argument));
        words
    }

    /// A program by another of its names, then the arguments.
    pub(crate) fn with_program(name: &str, command: &Command) -> Words {
        let mut words = Words { signs: Vec::with_capacity(32) };
        words.push(name, true);
        command.arguments.iter().for_each(|argument| words.add(argument));
        words
    }

    /// A program and the arguments that are left of a command.
    pub(crate) fn of<'c>(name: &str, arguments: impl Iterator<Item = &'c Argument>) -> Words {
        let mut words = Words { signs: Vec::with_capacity(32) };
        words.push(name, true);
        arguments.for_each(|argument| words.add(argument));
        words
    }

    /// The program, its sub-commands, and what follows them: without the options in between.
    pub(crate) fn by_verbs(command: &Command) -> Option<Words> {
        let (first, last) = (*command.verbs.first()?, *command.verbs.last()?);
        if first == 0 && last + 1 == command.verbs.len() {
            return None;
        }
        let mut words = Words { signs: Vec::with_capacity(32) };
        words.push(command.program.as_deref()?, true);
        for verb in command.verbs.iter().filter_map(|index| command.arguments.get(*index)) {
            words.add(verb);
        }
        command.arguments.iter().skip(last + 1).for_each(|argument| words.add(argument));
        Some(words)
    }

    /// The variables that are set for it, then the command as it is written.
    pub(crate) fn with_assignments(command: &Command) -> Option<Words> {
        command.assignments.first()?;
        let mut words = Words { signs: Vec::with_capacity(32) };
        for (name, value) in &command.assignments {
            words.push(&format!("{name}={}", value.text), value.literal);
        }
        words.push(&command.word, command.program.is_some());
        command.arguments.iter().for_each(|argument| words.add(argument));
        Some(words)
    }

    /// Every letter in lower case, for shells that do not care.
    pub(crate) fn lower(&mut self) {
        for sign in &mut self.signs {
            if let Sign::Char(character) = sign {
                character.make_ascii_lowercase();
            }
        }
    }

    /// Words that are known.
    pub(crate) fn plain(words: &[&str]) -> Words {
        let mut all = Words { signs: Vec::new() };
        for word in words {
            all.push(word, true);
        }
        all
    }

    fn add(&mut self, argument: &Argument) {
        self.push(&argument.text, argument.literal);
    }

    fn push(&mut self, text: &str, literal: bool) {
        if !self.signs.is_empty() {
            self.signs.push(Sign::Gap);
        }
        if literal {
            return self.signs.extend(text.chars().map(Sign::Char));
        }
        let text = glob::without_brackets(text);
        let sign = |it: char| if glob::is_wild(it) { Sign::Any } else { Sign::Char(it) };
        self.signs.extend(text.chars().map(sign));
    }
}

/// How far an allow rule covers a command it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coverage {
    /// Not at all.
    No,
    /// Only this: no wildcard was used.
    Exact,
    /// By a wildcard.
    Wild,
}

impl Pattern {
    /// How far an allow rule with this pattern covers the command: as it is written, nothing looked through.
    pub(crate) fn covers(&self, command: &Command, words: &Words) -> Coverage {
        match self.matches(words) {
            Match::No | Match::Unclear => Coverage::No,
            Match::Yes if self.is_exact() => Coverage::Exact,
            // The rule spells out all there is.
            Match::Yes if self.more && self.leading.len() > command.arguments.len() => Coverage::Exact,
            Match::Yes => Coverage::Wild,
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_shell::{Dialect, read};

    use super::*;

    fn check(rule: &str, line: &str, expected: Match) {
        let reading = read(line, Dialect::Bash);
        let command = reading.commands.first().expect("a command");
        assert_eq!(Pattern::new(rule).matches(&Words::as_written(command)), expected, "{rule} / {line}");
    }

    /// [R3]
    #[test]
    fn a_star_at_the_end_begins_at_a_word() {
        check("git status:*", "git status", Match::Yes);
        check("git status:*", "git status -s", Match::Yes);
        check("git status *", "git   status  -s", Match::Yes);
        check("git status:*", "git statusx", Match::No);
        check("npm run test:*", "npm run test:unit", Match::No);
        check("npm run test*", "npm run test:unit", Match::Yes);
        check("git * main", "git push origin main", Match::Yes);
        check("git * main *", "git push main", Match::No);
        check("* --version", "node --version", Match::Yes);
        check("npm test", "npm test x", Match::No);
    }

    /// [R3]
    #[test]
    fn words_are_compared_whole() {
        check("git status", "'git status'", Match::No);
        check("git commit -m 'a b'", "git commit -m \"a b\"", Match::Yes);
        check("git commit -m a b", "git commit -m 'a b'", Match::No);
        check("echo \\*", "echo '*'", Match::Yes);
        check("echo \\*", "echo x", Match::No);
    }

    #[test]
    fn what_is_not_known_is_unclear() {
        check("git push:*", "git $verb", Match::Unclear);
        check("git push:*", "git status $x", Match::No);
        check("git:*", "git $verb", Match::Yes);
    }
}
