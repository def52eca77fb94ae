//! What reading a command line found: the commands, the files, and every doubt.

use crate::effects::Effects;
use crate::patch::PatchedFile;
use crate::span::Span;
use crate::unclear::Unclear;

/// What a command line would do, as far as its text tells.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Every simple command, at any depth, in the order they stand.
    pub commands: Vec<Command>,
    /// What the shell itself does: assignments, and redirects of whole groups and loops.
    pub shell: Effects,
    /// The files they touch.
    pub files: Files,
    /// Everything that could not be known.
    pub unclear: Vec<Unclear>,
    /// The directory the shell is left in, where the line has changed it; written as in [`Command::directory`].
    pub directory: Option<String>,
}

/// The files that a line touches.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Files that are read.
    pub read: Vec<FileUse>,
    /// Files that are created or changed.
    pub written: Vec<FileUse>,
    /// Files that are removed or moved away.
    pub deleted: Vec<FileUse>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the file")]
pub struct FileUse {
    /// Its path, relative to the directory the line starts in; `~` is the home directory.
    pub path: String,
    /// Whether that is its exact path; otherwise `*` stands for what is not known.
    pub literal: bool,
    /// Whether the unknown part comes only from file name expansion: an existing name, without `..`.
    pub glob: bool,
    /// Whether it lies at any depth below the folder before its last name, and may begin with a dot.
    pub deep: bool,
    /// Whether the shell opens it for a redirect, not the program.
    pub redirect: bool,
    /// Where the line names it.
    pub span: Span,
}

/// One simple command.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program's name without its directory; nothing if it is only known at run time.
    pub program: Option<String>,
    /// The first word as the shell would see it.
    pub word: String,
    /// The words after it.
    pub arguments: Vec<Argument>,
    /// Variables set only for this command.
    pub assignments: Vec<(String, Argument)>,
    /// Where it stands.
    pub placement: Placement,
    /// Which of the arguments name a sub-command (`2` for `push` in `git -C dir push`).
    pub verbs: Vec<usize>,
    /// Which of them are operands: neither options nor their values (`1` for `x` in `curl -s x`). Empty where the
    /// program is not one we know.
    pub operands: Vec<usize>,
    /// Which of them are the value of the option before them (`1` for `x` in `curl -H x`).
    pub values: Vec<usize>,
    /// The directory it works in, where the line or an option has changed it: one path, several with ` | `
    /// between them, or `*` if that cannot be known.
    pub directory: Option<String>,
    /// What it does, redirects and assignments included.
    pub effects: Effects,
    /// What the program itself does, without what the shell opens or sets for it.
    pub own: Effects,
    /// What of that its options add.
    pub by_options: Effects,
    /// The files of the patch that it applies, where it is the edit command of agents.
    pub patched: Vec<PatchedFile>,
    /// The part of the line.
    pub span: Span,
}

/// One word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its value, or a pattern in which `*` stands for what is not known.
    pub text: String,
    /// Whether the program gets exactly `text`.
    pub literal: bool,
    /// Whether it could become no word, or several.
    pub several: bool,
    /// All that it can be, where that is one of a few known texts (`for f in a b`); empty otherwise.
    pub choices: Vec<String>,
    /// The part of the line.
    pub span: Span,
}

/// Where a command stands in the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// On its own, or in a list or group.
    Direct,
    /// Reads what another command writes.
    Piped,
    /// In `( … )`.
    Subshell,
    /// In `$( … )` or backticks.
    Substitution,
    /// In `<( … )` or `>( … )`.
    Process,
    /// In the body of a function that the line defines.
    Function,
    /// In the body of a loop or branch.
    Branch,
    /// After a wrapper such as `env` or `xargs`, or in `find -exec`.
    Wrapped,
    /// In text that is evaluated: `sh -c`, `eval`, `trap`, an alias.
    Evaluated,
    /// In a here-document that a shell reads.
    HereDocument,
    /// After `coproc`.
    Coprocess,
}

impl Placement {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Placement::Direct => "direct",
            Placement::Piped => "piped",
            Placement::Subshell => "subshell",
            Placement::Substitution => "substitution",
            Placement::Process => "process",
            Placement::Function => "function",
            Placement::Branch => "branch",
            Placement::Wrapped => "wrapped",
            Placement::Evaluated => "evaluated",
            Placement::HereDocument => "here-document",
            Placement::Coprocess => "coprocess",
        }
    }
}

impl Reading {
    /// Whether running the line surely leaves no trace: all its commands only read, and nothing about
    /// it is unclear.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        self.unclear.is_empty() && self.effects().is_harmless()
    }

    /// Whether the line surely leaves no trace in a directory that has none of the [`obeyed files`](Self::obeyed_files):
    /// files with which a project tells some programs to run its own code.
    #[must_use]
    pub fn only_reads_unless_told(&self) -> bool {
        self.unclear.is_empty() && self.effects().without(Effects::OBEYS_PROJECT).is_harmless()
    }

    /// The files that, in the directory or above it, can make a command of the line run other code.
    #[must_use]
    pub fn obeyed_files(&self) -> Vec<&'static str> {
        let obeying = self.commands.iter().filter(|command| command.effects.meets(Effects::OBEYS_PROJECT));
        obeying
            .flat_map(|command| crate::programs::obeyed_files(command.program.as_deref().unwrap_or_default()))
            .copied()
            .collect()
    }

    /// What all its commands do together.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.commands.iter().fold(self.shell, |all, command| all.and(command.effects))
    }

    /// Why the line could not be read at all, if so.
    #[must_use]
    pub fn refused(&self) -> Option<&Unclear> {
        self.unclear.iter().find(|unclear| unclear.why.is_refusal())
    }
}
