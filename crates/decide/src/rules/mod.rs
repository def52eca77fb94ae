//! Permission rules (SPEC R): what the user wrote, with where it was written.
//!
//! A [`Rule`] has the form `Tool` or `Tool(specifier)` and stands in one [`List`]: deny, ask or allow. Deny comes
//! before ask, ask before allow. [`Rule::parse`] never loses a rule: one that cannot be understood still guards its
//! literal text in a deny or ask list, and allows nothing.
//!
//! ```
//! use portcullis_decide::rules::{List, Origin, Rule, Source};
//!
//! let (rule, broken) = Rule::parse("Bash(npm run test:*)", List::Allow, Origin::of(Source::User));
//! assert!(broken.is_none());
//! assert_eq!(rule.tool, "Bash");
//!
//! let (_, broken) = Rule::parse("Bash(npm", List::Allow, Origin::of(Source::User));
//! assert!(broken.is_some());
//! ```

mod dangerous;
mod index;
mod names;
mod other_names;
mod parse;
mod paths;
mod places;
mod shell;

use std::fmt;

pub use crate::glob::Match;
pub use dangerous::{Extra, is_dangerous};
pub use index::Rules;
pub(crate) use names::braces;
pub use parse::{BrokenRule, Specifier};
pub use paths::{Anchor, PathPattern};
pub(crate) use paths::{Target, anything_in};
pub(crate) use shell::{Coverage, Pattern, Words};

/// The list that a rule stands in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum List {
    /// The call may run.
    Allow,
    /// Somebody is asked first.
    Ask,
    /// The call may not run.
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

/// Who wrote a rule or setting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Source {
    /// The administrator.
    Managed,
    /// A server, as fetched settings; they can only tighten.
    Remote,
    /// The command line.
    CommandLine,
    /// A person's answer in this session.
    Session,
    /// The user, in settings for this project alone.
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

/// Where a rule or setting was written.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Origin {
    /// By whom.
    pub source: Source,
    /// The file; `None` if it is in none.
    pub file: Option<String>,
    /// The line, counted from 1; 0 if there is none.
    pub line: u32,
    /// The column, counted from 1; 0 if there is none.
    pub column: u32,
    /// The folder that `/path` in the rule is relative to; `None` for the project root.
    pub base: Option<String>,
}

impl Origin {
    /// The origin of a rule that is in no file.
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

/// One permission rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its text, as the user wrote it.
    pub text: String,
    /// The list it stands in.
    pub list: List,
    /// Where it was written.
    pub origin: Origin,
    /// The tool, by its canonical name where it has one; may contain `*` in deny and ask rules.
    pub tool: String,
    /// What it says about the tool's input.
    pub specifier: Specifier,
}

impl Rule {
    /// The words of a rule that describes commands in words (R8), `Bash(prompt: …)`.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        if let Specifier::Prompt(words) = &self.specifier { Some(words) } else { None }
    }

    /// Parses a rule. If it cannot be understood, the second value says why; the rule then still guards its literal
    /// text in a deny or ask list, and allows nothing.
    #[must_use]
    pub fn parse(text: &str, list: List, origin: Origin) -> (Rule, Option<BrokenRule>) {
        parse::parse(text, list, origin)
    }

    /// The pattern for command lines, if it has one.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        if let Specifier::Command(pattern) = &self.specifier { Some(&pattern.0) } else { None }
    }

    /// Whether it covers every call of its tool.
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
