//! What a detector is: a kind of harm that can be recognised in a call, with its name, its reason and its examples.
//!
//! Detectors are data. They are listed in `detect/detectors/`, one file for each group of ids; what finds them in a call
//! names the detector it found. Ids are stable: settings, logs and policies name them.

mod category;

pub use category::{Category, Severity};

/// Recognises one kind of harm in calls: an entry in the list of all detectors, with the name, documentation and
/// examples that users see.
///
/// ```
/// let detector = portcullis_decide::detect::detector("git/push-force").unwrap();
/// assert_eq!(detector.group(), "git");
/// assert!(!detector.hits.is_empty());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Detector {
    /// Group and name: `git/push-force`. It never changes once shipped.
    pub id: &'static str,
    /// The kind of harm.
    pub category: Category,
    /// Whether the user's explicit word clears it.
    pub severity: Severity,
    /// Whether a finding is certain.
    pub certainty: Certainty,
    /// What the call does, for people: `{program}` stands for the name of the command, in backticks.
    pub message: &'static str,
    /// Markdown: what it recognises in one line, then why that matters and what it does not see.
    pub doc: &'static str,
    /// Calls that it recognises.
    pub hits: &'static [Example],
    /// Calls that look alike and are passed over.
    pub passes: &'static [Example],
}

/// How certain a detector's findings are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// What it recognises also has harmless uses: somebody should look.
    Possible,
    /// It recognises nothing else.
    Certain,
}

/// The level that settings give to a detector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Its findings are ignored.
    Off,
    /// Its findings are asked about.
    Ask,
    /// Its findings are denied, whoever asked for them.
    Deny,
}

impl Level {
    /// All levels, the loosest first.
    pub const ALL: [Level; 3] = [Level::Off, Level::Ask, Level::Deny];

    /// The word for it in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Ask => "ask",
            Level::Deny => "deny",
        }
    }

    /// The level with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == word)
    }
}

/// A call as an example of what a detector recognises or does not.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// A command line.
    Line(&'static str),
    /// An edit of a file: path, old text, new text.
    Edit(&'static str, &'static str, &'static str),
    /// A new file: path and text.
    Write(&'static str, &'static str),
    /// Any other tool, with its input as JSON.
    Tool(&'static str, &'static str),
    /// Calls of one session; the last one is the example.
    Session(&'static [Example]),
}

impl Detector {
    /// The part of the id before the slash.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The first line of its documentation.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.doc.lines().next().unwrap_or_default().trim()
    }

    /// The level without settings, in auto mode without a model.
    #[must_use]
    pub const fn usual_level(&self) -> Level {
        match (self.severity, self.certainty) {
            (Severity::Hard, Certainty::Certain) => Level::Deny,
            (Severity::Soft, _) | (Severity::Hard, Certainty::Possible) => Level::Ask,
        }
    }

    /// Whether settings may give it this level: hard harm can only be made stricter (L3).
    #[must_use]
    pub fn may_be(&self, level: Level) -> bool {
        self.severity == Severity::Soft || level >= self.usual_level()
    }

    /// Its documentation after the first line.
    #[must_use]
    pub fn details(&self) -> &'static str {
        self.doc.split_once('\n').map_or("", |(_, rest)| rest).trim()
    }
}

/// Two detectors are the same if they have one id.
impl PartialEq for Detector {
    fn eq(&self, other: &Detector) -> bool {
        self.id == other.id
    }
}

impl Eq for Detector {}

impl Certainty {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Possible => "possible",
            Certainty::Certain => "certain",
        }
    }
}
