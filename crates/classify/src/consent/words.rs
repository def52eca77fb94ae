//! The word lists: verbs, cues and nouns in seven languages, from the text files in `words/`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::{Table, is_ideograph};

macro_rules! actions {
    ($($name:ident),* $(,)?) => {
        /// What can be asked for or forbidden.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(super) enum Action { $($name),* }

        impl Action {
            /// The action that a heading names.
            pub(super) fn named(heading: &str) -> Option<Action> {
                match heading {
                    $(stringify!($name) => Some(Action::$name),)*
                    _ => None,
                }
            }
        }
    };
}

actions! {
    Push, Commit, Amend, Branch, Tag, Stash, Rebase, Merge, Git, Forge, Delete, Empty, Discard, Install, Publish,
    Send, Comment, Open, Close, Stop, Restart, Start, Run, Test, Build, Format, Migrate, Scale, Set, Grant, Edit,
    NewFile, Network, Privilege, Read,
}

/// A line of a word list: its label (a language, or what the words are for) and its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) label: &'static str,
    text: &'static str,
}

impl Line {
    pub(super) fn words(self) -> impl Iterator<Item = &'static str> {
        words(self.text)
    }

    /// The words of the label, where it has several.
    pub(super) fn labels(self) -> impl Iterator<Item = &'static str> {
        words(self.label)
    }
}

fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    // Quotation marks keep a blank at the end of a word.
    text.split(',').map(|word| word.trim().trim_matches('"')).filter(|word| !word.is_empty())
}

type Lists = HashMap<&'static str, Vec<Line>>;

static VERBS: LazyLock<Lists> = LazyLock::new(|| lists(include_str!("words/verbs.txt")));
static CUES: LazyLock<Lists> = LazyLock::new(|| lists(include_str!("words/cues.txt")));
static NOUNS: LazyLock<Lists> = LazyLock::new(|| lists(include_str!("words/nouns.txt")));

/// A heading stands at the left edge, its lines are indented: a label, two blanks, words.
fn lists(text: &'static str) -> Lists {
    let mut lists = Lists::new();
    let mut heading = "";
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match line.strip_prefix("  ") {
            None => heading = line,
            Some(line) => {
                let (label, text) = line.split_once("  ").unwrap_or((line, ""));
                lists.entry(heading).or_default().push(Line { label, text });
            }
        }
    }
    lists
}

/// The lines under a heading of the nouns.
pub(super) fn nouns(heading: &str) -> impl Iterator<Item = Line> {
    NOUNS.get(heading).into_iter().flatten().copied()
}

/// Every word under the headings of the cues, with the value for its heading.
pub(super) fn cues<T: Copy>(of: &[(T, &str)]) -> Table<T> {
    let lines = |heading: &str| CUES.get(heading).into_iter().flatten().copied().collect::<Vec<_>>();
    Table::new(of.iter().flat_map(|(value, heading)| {
        lines(heading).into_iter().flat_map(Line::words).map(|word| (word, *value))
    }))
}

/// The words of one class.
pub(super) struct List(Table<()>);

impl List {
    fn under(lists: &Lists, heading: &str) -> List {
        let lines = lists.get(heading).into_iter().flatten();
        List(Table::new(lines.flat_map(|line| line.words()).map(|word| (word, ()))))
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        let mut whole = false;
        // Chinese and Japanese words are found anywhere in a run of characters.
        let open = !word.starts_with(is_ideograph);
        self.0.each(word, |_| false, |at, length, ()| whole |= at == 0 && (open || length == word.len()));
        whole
    }

    /// The first place in a text where one of them stands.
    pub(super) fn first(&self, text: &str) -> Option<usize> {
        self.span(text).map(|(at, _)| at)
    }

    /// The first place in a text where one of them stands, and its length.
    pub(super) fn span(&self, text: &str) -> Option<(usize, usize)> {
        let mut first: Option<(usize, usize)> = None;
        self.0.each(
            text,
            |_| false,
            |at, length, ()| {
                first = Some(first.map_or((at, length), |known| known.min((at, length))));
            },
        );
        first
    }

    /// Whether one of them stands in a text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.first(text).is_some()
    }

    /// The text without them.
    pub(super) fn without(&self, text: &str) -> String {
        let mut kept = text.to_owned();
        while let Some((at, length)) = self.span(&kept) {
            kept.replace_range(at..at + length, "");
        }
        kept
    }
}

macro_rules! lists {
    ($file:ident: $($name:ident $heading:literal),* $(,)?) => {
        $(pub(super) static $name: LazyLock<List> = LazyLock::new(|| List::under(&$file, $heading));)*
    };
}

lists! { CUES:
    IDIOMS "Idioms", BEFORE "Before", SHOWS "Shows", CONDITIONS "Conditions", LEADING_CONDITIONS "LeadingConditions",
    OWN_TIMES "OwnTimes", REPORTS "Reports", NOBODY "Nobody", TAKES_BACK "TakesBack", LEAD "Lead", WISH "Wish",
    QUESTION "Question", POLITE "Polite", PERSONS "Persons", BECAUSE "Because",
    PRONOUNS "Pronouns", OBLIQUE "Oblique", DESTINATION "Destination", HERE "Here", GENITIVE "Genitive", SCOPES "Scopes",
    ENVIRONMENTS "Environments", REFS "Refs", WEAK "Weak", UNCHANGED "Unchanged", LOCAL "Local",
    LIMITS "Limits", MUST "Must", REST "Rest", UNIVERSAL "Universal", IMPERATIVE "Imperative",
    ENGLISH "English", REMARKS "Remarks", FORBIDS "Forbids", OPENERS "Openers", MODALS "Modals",
    RUNNING "Running", INSTEAD "Instead", SUBORDINATES "Subordinates", QUALITIES "Qualities",
    SHOWN_IN_NAMES "ShownInNames", LIFT_LEAD "LiftLead", WORKS "Works", FOLDERS "Folders",
    ARTICLES "Articles", FILES "Files",
}

lists! { NOUNS:
    KINDS "Kinds", UNNAMED "Unnamed", DATABASES "Databases", TEXTS "Texts", MILD "Mild", NAMING "Naming",
}

/// Words that stand beside one another in a list without commas.
fn loose(heading: &'static str) -> List {
    let lines = CUES.get(heading).into_iter().flatten();
    let words = lines.flat_map(|line| line.text.split([' ', ','])).filter(|word| !word.is_empty());
    List(Table::new(words.map(|word| (word, ()))))
}

/// Words that say nothing of what is meant.
pub(super) static IDLE: LazyLock<List> = LazyLock::new(|| loose("Idle"));

/// What says nothing in a run of Chinese or Japanese characters.
pub(super) static IDLE_RUNS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| CUES.get("IdleRuns").into_iter().flatten().flat_map(|line| line.words()).collect());

/// Words that say nothing about what a restriction means.
pub(super) static FUNCTION: LazyLock<List> = LazyLock::new(|| loose("Function"));

/// A verb in a form that asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verb {
    pub(super) action: Action,
    pub(super) language: &'static str,
    pub(super) form: &'static str,
}

fn verb_lines() -> impl Iterator<Item = (Action, Line)> {
    let actions = VERBS.iter().filter_map(|(heading, lines)| Some((Action::named(heading)?, lines)));
    actions.flat_map(|(action, lines)| lines.iter().map(move |line| (action, *line)))
}

/// The verbs in the forms that ask.
pub(super) static ASKING: LazyLock<Table<Verb>> = LazyLock::new(|| {
    Table::new(verb_lines().flat_map(|(action, line)| {
        let forms = words(line.text.split('|').next().unwrap_or_default());
        forms.map(move |form| (form, Verb { action, language: line.label, form }))
    }))
});

/// The words that speak of an action, nouns and verbs alike.
pub(super) static NAMING_ACTIONS: LazyLock<Table<Action>> = LazyLock::new(|| {
    Table::new(verb_lines().flat_map(|(action, line)| {
        words(line.text.split_once('|').map_or("", |(_, named)| named)).map(move |word| (word, action))
    }))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_is_known_and_every_list_has_words() {
        for heading in VERBS.keys() {
            assert!(Action::named(heading).is_some(), "{heading}");
        }
        for lines in [&VERBS, &CUES, &NOUNS].into_iter().flat_map(|file| file.values()).flatten() {
            assert!(!lines.text.trim().is_empty(), "{lines:?}");
        }
    }
}
