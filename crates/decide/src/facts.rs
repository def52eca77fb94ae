//! What is known about the world. Nothing is looked up here: the caller answers the questions of
//! [`crate::questions`], and what is not answered is not known.

use std::collections::BTreeMap;

use crate::path::is_within;

/// Something that has to be known about the world.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Question {
    /// What this absolute path is, and where it leads.
    Path(String),
    /// What git is told by the repository that this directory lies in, includes and all.
    Repository(String),
    /// Which of these names exist in this directory or above it.
    Present(String, Vec<String>),
    /// What is written in the file at this absolute path, which a command may run.
    Text(String),
    /// Which branch a push from this directory takes.
    Branch(String),
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// To [`Question::Path`].
    Path(PathFact),
    /// To [`Question::Repository`]: the keys in force that name a command, `core.fsmonitor` and the like.
    Repository(Vec<String>),
    /// To [`Question::Present`]: the paths found.
    Present(Vec<String>),
    /// To [`Question::Text`], and the name for [`Question::Branch`]: `HEAD` where that is not clear, nothing where it is
    /// not told.
    Text(String),
    /// To [`Question::Text`], with where the file comes from.
    File(FileText),
}

/// A file that a command may run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileText {
    /// All that is written in it, or why that is not known.
    pub text: Result<String, Unread>,
    /// Whether it is the user's code: tracked, and unchanged since the session began (P0).
    pub settled: bool,
}

/// Why a file could not be read whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// There is none.
    Missing,
    /// It is longer than what is read.
    TooLong,
    /// It is not text.
    NotText,
    /// It is a compiled program.
    Program,
    /// It is a pipe, a device, a folder, or may not be read.
    Closed,
}

impl Unread {
    /// What is the matter with it.
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

/// What a path is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathFact {
    /// The path with every link followed; for what does not exist, its parent's with the name added.
    pub resolved: String,
    /// What is there.
    pub kind: PathKind,
    /// Whether the file has another name elsewhere (a hard link).
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
    /// A file.
    File,
    /// A directory.
    Directory,
    /// Nothing yet.
    Missing,
    /// A device, a pipe or a socket.
    Special,
}

/// Everything that is known.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    answers: BTreeMap<Question, Answer>,
    /// Paths nobody asked about are plain files, directories without surprises: for worlds that are made up.
    pub plain_world: bool,
    /// In a made-up world, repositories outside this directory are not known.
    pub plain_root: Option<String>,
    /// The call was made earlier, and files may be gone since: one that is missing says nothing.
    pub replayed: bool,
    /// The definition of the MCP tool is not the one that was approved (R13).
    pub definition_changed: bool,
    /// Where the address that is fetched was seen to lead on to (R13).
    pub redirect: Option<String>,
    /// Addresses that hosts were seen to stand for (R13).
    pub addresses: Vec<(String, String)>,
}

impl Facts {
    /// Nothing is known.
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

    /// Whether the question has an answer.
    #[must_use]
    pub fn knows(&self, question: &Question) -> bool {
        self.plain_world || self.answers.contains_key(question)
    }

    /// What `path` is, if known.
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

    /// Whether a folder is known to be at `path`. In a made-up world it is, unless nothing is there.
    #[must_use]
    pub fn is_folder(&self, path: &str) -> bool {
        self.path(path).is_some_and(|fact| match fact.kind {
            PathKind::Directory => true,
            PathKind::File => self.plain_world,
            PathKind::Missing | PathKind::Special => false,
        })
    }

    /// The keys that name a command for git in `directory`, if known.
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

    /// What is written in the file at `path`, if known.
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

    /// Which branch a push from `directory` takes, if that was told.
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
            (Question::Text(path), Answer::Text(text)) if !text.is_empty() => Some(path),
            (Question::Text(_) | Question::Path(_) | Question::Repository(_), _) => None,
            (Question::Present(..) | Question::Branch(_), _) => None,
        });
        let found = |path: &&String| {
            path.rsplit_once('/').is_some_and(|(folder, name)| {
                names.iter().any(|known| known == name)
                    && is_within(directory, if folder.is_empty() { "/" } else { folder })
            })
        };
        told.filter(found).cloned().collect()
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
