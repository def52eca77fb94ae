//! What is known about files, links, git and scripts. Nothing is looked up here.
//!
//! The caller answers the [`Question`]s of [`questions`](crate::questions) and adds each [`Answer`] to [`Facts`].
//! What is not answered is not known, and what is not known is never allowed by a proof.
//!
//! ```
//! use portcullis_decide::facts::{Answer, Facts, PathFact, Question};
//!
//! let mut facts = Facts::none();
//! facts.add(Question::Path("/p/a.rs".into()), Answer::Path(PathFact::plain("/p/a.rs")));
//! assert!(facts.path("/p/a.rs").is_some());
//! assert!(facts.path("/p/b.rs").is_none());
//! ```

use std::collections::BTreeMap;

use crate::path::is_within;

/// A question about the world that only the caller can answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Question {
    /// What is at this absolute path, and where links lead.
    Path(String),
    /// Which commands the repository of this directory configures git to run, with all includes.
    Repository(String),
    /// Which of these names exist in this directory or above it.
    Present(String, Vec<String>),
    /// The content of the file at this absolute path, which a command may run.
    Text(String),
    /// The branch that a push from this directory updates.
    Branch(String),
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// To [`Question::Path`].
    Path(PathFact),
    /// To [`Question::Repository`]: the configured keys that name a command, such as `core.fsmonitor`.
    Repository(Vec<String>),
    /// To [`Question::Present`]: the paths found.
    Present(Vec<String>),
    /// To [`Question::Text`]; and to [`Question::Branch`]: the branch, `HEAD` where it is ambiguous, empty where it
    /// is unknown.
    Text(String),
    /// To [`Question::Text`], with the origin of the file.
    File(FileText),
}

/// The content of a file that a command may run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileText {
    /// The whole content, or why it is not known.
    pub text: Result<String, Unread>,
    /// Whether it is the user's own code: tracked by git, and unchanged since the session started (P0).
    pub settled: bool,
}

/// Why a file could not be read completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It does not exist.
    Missing,
    /// It is too long.
    TooLong,
    /// It is not text.
    NotText,
    /// It is a compiled program.
    Program,
    /// It is a pipe, a device or a folder, or may not be read.
    Closed,
}

impl Unread {
    /// The reason as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Unread::Missing => "is not there to be read",
            Unread::TooLong => "is too long to be read whole",
            Unread::NotText => "is not text",
            Unread::Program => "is a compiled program",
            Unread::Closed => "cannot be read",
        }
    }
}

/// What is at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathFact {
    /// The path with all links followed. For what does not exist, the resolved parent and the name.
    pub resolved: String,
    /// What is there.
    pub kind: PathKind,
    /// Whether the file has a further hard link.
    pub shared: bool,
}

impl PathFact {
    /// An ordinary file at `path` itself.
    #[must_use]
    pub fn plain(path: &str) -> PathFact {
        PathFact { resolved: path.to_owned(), kind: PathKind::File, shared: false }
    }
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Nothing.
    Missing,
    /// A device, a pipe or a socket.
    Special,
}

/// Everything that is known about the world.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    answers: BTreeMap<Question, Answer>,
    /// Paths without an answer are regular files, directories have nothing special: for made-up worlds.
    pub plain_world: bool,
    /// In a made-up world, the directory outside of which repositories are unknown.
    pub plain_root: Option<String>,
    /// The call was made in the past: a missing file says nothing, as it may have been deleted since.
    pub replayed: bool,
    /// The definition of the MCP tool is not the one that was approved (R13).
    pub definition_changed: bool,
    /// The address that the fetched one was seen to redirect to (R13).
    pub redirect: Option<String>,
    /// Hosts and the addresses that they were seen to resolve to (R13).
    pub addresses: Vec<(String, String)>,
}

impl Facts {
    /// No facts.
    #[must_use]
    pub fn none() -> Facts {
        Facts::default()
    }

    /// A world without links, repository configuration or project files, but for what is added.
    #[must_use]
    pub fn plain() -> Facts {
        Facts { plain_world: true, ..Facts::default() }
    }

    /// Adds an answer.
    pub fn add(&mut self, question: Question, answer: Answer) {
        self.answers.insert(question, answer);
    }

    /// Whether a question has an answer.
    #[must_use]
    pub fn knows(&self, question: &Question) -> bool {
        self.plain_world || self.answers.contains_key(question)
    }

    /// What is at `path`, if known.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<PathFact> {
        if self.answers.is_empty() {
            return self.plain_world.then(|| PathFact::plain(path));
        }
        match self.answers.get(&Question::Path(path.to_owned())) {
            Some(Answer::Path(fact)) => Some(fact.clone()),
            Some(Answer::Repository(_) | Answer::Present(_) | Answer::Text(_) | Answer::File(_)) => None,
            None if self.plain_world => Some(self.through_links(path)),
            None => None,
        }
    }

    /// Whether a folder is known to be at `path`. In a made-up world it is, unless said otherwise.
    #[must_use]
    pub fn is_folder(&self, path: &str) -> bool {
        self.path(path).is_some_and(|fact| match fact.kind {
            PathKind::Directory => true,
            PathKind::File => self.plain_world,
            PathKind::Missing | PathKind::Special => false,
        })
    }

    /// The git configuration keys that name a command in `directory`, if known.
    #[must_use]
    pub fn repository(&self, directory: &str) -> Option<Vec<String>> {
        match self.answers.get(&Question::Repository(directory.to_owned())) {
            Some(Answer::Repository(keys)) => Some(keys.clone()),
            Some(Answer::Path(_) | Answer::Present(_) | Answer::Text(_) | Answer::File(_)) => None,
            None => (self.plain_world
                && self.plain_root.as_ref().is_none_or(|root| is_within(directory, root)))
            .then(Vec::new),
        }
    }

    /// Which of `names` exist in `directory` or above it, if known.
    #[must_use]
    pub fn present(&self, directory: &str, names: &[String]) -> Option<Vec<String>> {
        match self.answers.get(&Question::Present(directory.to_owned(), names.to_vec())) {
            Some(Answer::Present(found)) => Some(found.clone()),
            Some(Answer::Path(_) | Answer::Repository(_) | Answer::Text(_) | Answer::File(_)) => None,
            None => self.plain_world.then(|| self.made_up(directory, names)),
        }
    }

    /// The content of the file at `path`, if known.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.answers.get(&Question::Text(path.to_owned())) {
            Some(Answer::Text(text)) => Some(text),
            Some(Answer::File(file)) => file.text.as_deref().ok(),
            Some(Answer::Path(_) | Answer::Repository(_) | Answer::Present(_)) | None => None,
        }
    }

    /// The file at `path`, if it was asked for. A text without an origin is the user's own.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<FileText> {
        match self.answers.get(&Question::Text(path.to_owned())) {
            Some(Answer::Text(text)) => Some(FileText { text: Ok(text.clone()), settled: true }),
            Some(Answer::File(file)) => Some(file.clone()),
            Some(Answer::Path(_) | Answer::Repository(_) | Answer::Present(_)) | None => None,
        }
    }

    /// The branch that a push from `directory` updates, if known.
    #[must_use]
    pub fn branch(&self, directory: &str) -> Option<&str> {
        match self.answers.get(&Question::Branch(directory.to_owned())) {
            Some(Answer::Text(name)) => Some(name.as_str()).filter(|name| !name.is_empty()),
            Some(Answer::Path(_) | Answer::Repository(_) | Answer::Present(_) | Answer::File(_)) | None => {
                None
            }
        }
    }

    /// The same facts without the text of any file.
    #[must_use]
    pub(crate) fn without_texts(&self) -> Facts {
        let mut facts = self.clone();
        facts.answers.retain(|question, _| !matches!(question, Question::Text(_)));
        facts
    }

    /// In a made-up world the files are those whose text is told.
    fn made_up(&self, directory: &str, names: &[String]) -> Vec<String> {
        let told = self.answers.iter().filter_map(|(question, answer)| match (question, answer) {
            (Question::Text(path), Answer::Text(text)) if !text.is_empty() => Some((path, text)),
            (Question::Text(_) | Question::Path(_) | Question::Repository(_), _) => None,
            (Question::Present(..) | Question::Branch(_), _) => None,
        });
        let found = |(path, text): &(&String, &String)| {
            path.rsplit_once('/').is_some_and(|(folder, name)| {
                names.iter().any(|known| {
                    let (known, word) = known.split_once(':').unwrap_or((known, ""));
                    known == name && text.contains(word)
                }) && is_within(directory, if folder.is_empty() { "/" } else { folder })
            })
        };
        told.filter(found).map(|(path, _)| path.clone()).collect()
    }

    /// In a made-up world a link above the path changes where it leads, too.
    fn through_links(&self, path: &str) -> PathFact {
        let mut at = path;
        while let Some((parent, _)) = at.rsplit_once('/').filter(|(parent, _)| !parent.is_empty()) {
            if let Some(Answer::Path(fact)) = self.answers.get(&Question::Path(parent.to_owned())) {
                let rest = path.get(parent.len()..).unwrap_or_default();
                return PathFact::plain(&format!("{}{rest}", fact.resolved.trim_end_matches('/')));
            }
            at = parent;
        }
        PathFact::plain(path)
    }
}
