//! Rules (SPEC R): what the user wrote, kept with where it was written.

mod dangerous;
mod index;
mod names;
mod other_names;
mod paths;
mod places;
mod shell;
mod text;

use std::fmt;

pub use dangerous::{Extra, is_dangerous};
pub use index::Rules;
pub(crate) use names::braces;
pub use paths::{Anchor, PathPattern};
pub(crate) use paths::{Target, anything_in};
pub(crate) use shell::{Coverage, Pattern, Words};
pub use text::{BrokenRule, Specifier};

/// The three lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum List {
    /// May run.
    Allow,
    /// Ask first.
    Ask,
    /// May not run.
    Deny,
}

impl List {
    /// The name that settings use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            List::Allow => "allow",
            List::Ask => "ask",
            List::Deny => "deny",
        }
    }
}

/// Who wrote a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Source {
    /// The administrator.
    Managed,
    /// What was fetched from the address in the settings; it can only tighten.
    Remote,
    /// The command line.
    CommandLine,
    /// An answer given in this session.
    Session,
    /// The project's settings of this user.
    Local,
    /// The project.
    Project,
    /// The user.
    User,
}

impl Source {
    /// The name that people and programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Managed => "managed",
            Source::Remote => "remote",
            Source::CommandLine => "command-line",
            Source::Session => "session",
            Source::Local => "local",
            Source::Project => "project",
            Source::User => "user",
        }
    }
}

/// Where a rule was written.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Origin {
    /// By whom.
    pub source: Source,
    /// In which file.
    pub file: Option<String>,
    /// On which line, counted from 1; 0 if there is none.
    pub line: u32,
    /// In which column, counted from 1; 0 if there is none.
    pub column: u32,
    /// What `/path` in the rule starts from; nothing means the trusted root.
    pub base: Option<String>,
}

impl Origin {
    /// A rule that stands in no file.
    #[must_use]
    pub const fn of(source: Source) -> Origin {
        Origin { source, file: None, line: 0, column: 0, base: None }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.source {
            Source::Managed => "the managed settings",
            Source::Remote => "the fetched settings",
            Source::CommandLine => "the command line",
            Source::Session => "this session",
            Source::Local => "your local project settings",
            Source::Project => "the project settings",
            Source::User => "your user settings",
        };
        formatter.write_str(name)?;
        match (&self.file, self.line) {
            (Some(file), 0) => write!(formatter, " ({file})"),
            (Some(file), line) => write!(formatter, " ({file}:{line}:{})", self.column),
            (None, _) => Ok(()),
        }
    }
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// As the user wrote it.
    pub text: String,
    /// Which list it stands in.
    pub list: List,
    /// Where.
    pub origin: Origin,
    /// The tool it names, canonical where it is one of ours; may hold `*` in deny and ask rules.
    pub tool: String,
    /// What it says about the input.
    pub specifier: Specifier,
}

impl Rule {
    /// The words of a rule that describes calls instead of spelling them (R8).
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        if let Specifier::Prompt(words) = &self.specifier { Some(words) } else { None }
    }

    /// Reads a rule. One that cannot be understood comes back with what is wrong; the rule it returns then
    /// still guards its literal text in a deny or ask list, and approves nothing.
    #[must_use]
    pub fn parse(text: &str, list: List, origin: Origin) -> (Rule, Option<BrokenRule>) {
        text::parse(text, list, origin)
    }

    /// The pattern for command lines, if it has one.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        if let Specifier::Command(pattern) = &self.specifier { Some(&pattern.0) } else { None }
    }

    /// Whether it is about the whole tool, whatever its input.
    #[must_use]
    pub fn is_whole_tool(&self) -> bool {
        matches!(self.specifier, Specifier::Whole)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [R8]
    #[test]
    fn rules_in_words_are_told_from_others() {
        let rule = |text: &str| Rule::parse(text, List::Allow, Origin::of(Source::User)).0;
        let (whole, exact, words) =
            (rule("Bash"), rule("Bash(npm test)"), rule("Bash(prompt: run the tests)"));
        assert_eq!(words.words(), Some("run the tests"));
        assert_eq!(exact.words(), None);
        assert!(whole.is_whole_tool());
        assert!(!exact.is_whole_tool());
        let rules = Rules::new(vec![whole, exact, words]);
        assert_eq!(rules.all().len(), 3);
        let described: Vec<&str> = rules.prompts(List::Allow).filter_map(Rule::words).collect();
        assert_eq!(described, ["run the tests"]);
    }
}
