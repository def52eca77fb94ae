//! What reading a command line found: the commands, the files, and every doubt.

use crate::effects::Effects;
use crate::patch::PatchedFile;
use crate::printed::Printed;
use crate::span::Span;
use crate::unclear::Unclear;

/// What a command line would do, as far as its text says.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Every simple command, at any depth, in order.
    pub commands: Vec<Command>,
    /// The effects of the shell itself: assignments, and redirects of groups and loops.
    pub shell: Effects,
    /// The files that the commands use.
    pub files: Files,
    /// Everything that is unclear.
    pub unclear: Vec<Unclear>,
    /// The directory of the shell after the line, if the line changed it; written as in [`Command::directory`].
    pub directory: Option<String>,
}

/// The files that a line uses.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Files that are read.
    pub read: Vec<FileUse>,
    /// Files that are created or changed.
    pub written: Vec<FileUse>,
    /// Files that are removed or moved away.
    pub deleted: Vec<FileUse>,
}

/// One use of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the file")]
pub struct FileUse {
    /// Its path, relative to the directory the line starts in; `~` is the home directory.
    pub path: String,
    /// Whether the path is known completely; otherwise `*` stands for the unknown part.
    pub literal: bool,
    /// Whether the unknown part comes only from file name expansion: an existing name, without `..`.
    pub glob: bool,
    /// Whether it can be at any depth below its folder, hidden files included.
    pub deep: bool,
    /// Whether the shell opens it for a redirect, not the program.
    pub redirect: bool,
    /// The commands that print what is not known of it: a line of theirs, or a word of one.
    pub printed: Option<Printed>,
    /// Where the line names it.
    pub span: Span,
}

/// One simple command.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program's name without its directory; `None` if it is known only at run time.
    pub program: Option<String>,
    /// The first word, as the shell sees it.
    pub word: String,
    /// The other words.
    pub arguments: Vec<Argument>,
    /// Variables set only for this command.
    pub assignments: Vec<(String, Argument)>,
    /// Where it is in the line.
    pub placement: Placement,
    /// The indexes of arguments that name a sub-command (`2` for `push` in `git -C dir push`).
    pub verbs: Vec<usize>,
    /// The indexes of operands, which are neither options nor their values (`1` for `x` in `curl -s x`). Empty for
    /// unknown programs.
    pub operands: Vec<usize>,
    /// The indexes of values of the option before them (`1` for `x` in `curl -H x`).
    pub values: Vec<usize>,
    /// The indexes of arguments that replace the code or place that the command would use by default: `-f other.mk`.
    pub steered: Vec<usize>,
    /// The directory it works in, if the line or an option changes it: one path, several separated by ` | `, or `*`
    /// if unknown.
    pub directory: Option<String>,
    /// All its effects, redirects and assignments included.
    pub effects: Effects,
    /// The effects of the program alone, without redirects and assignments.
    pub own: Effects,
    /// The effects that its options add.
    pub by_options: Effects,
    /// The files of the patch that it applies, if it is the `apply_patch` command of agents.
    pub patched: Vec<PatchedFile>,
    /// The commands whose output is its whole standard input.
    pub fed_by: Option<Printed>,
    /// The part of the line.
    pub span: Span,
}

/// One word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its value; `*` stands for an unknown part unless `literal` is set.
    pub text: String,
    /// Whether the value is known completely.
    pub literal: bool,
    /// Whether it can become no word, or several.
    pub several: bool,
    /// All possible values, if they are few and known (`for f in a b`); empty otherwise.
    pub choices: Vec<String>,
    /// The commands that print what is not known of it: a line of theirs, or a word of one.
    pub printed: Option<Printed>,
    /// The part of the line.
    pub span: Span,
}

impl Printed {
    /// The commands themselves.
    pub fn of(self, reading: &Reading) -> impl Iterator<Item = &Command> {
        let [first, second] = self.rows;
        let rows = if first == second { vec![first] } else { vec![first, second] };
        rows.into_iter().flat_map(|row| reading.commands.get(row.from..row.until).unwrap_or_default())
    }
}

/// Where a command is in the line.
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
    /// Whether running the line surely leaves no trace: every command only reads, and nothing is unclear.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        self.unclear.is_empty() && self.effects().is_harmless()
    }

    /// Whether the line surely leaves no trace in a directory that has none of the [`obeyed files`](Self::obeyed_files),
    /// with which a project tells some programs to run its own code, and where the files that it reads are there.
    #[must_use]
    pub fn only_reads_unless_told(&self) -> bool {
        self.unclear.is_empty() && self.effects().without(Effects::IF_FILES_SAY_SO).is_harmless()
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

    /// The effects of all commands together.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.commands.iter().fold(self.shell, |all, command| all.and(command.effects))
    }

    /// Why the line could not be read at all; `None` if it could.
    #[must_use]
    pub fn refused(&self) -> Option<&Unclear> {
        self.unclear.iter().find(|unclear| unclear.why.is_refusal())
    }
}
