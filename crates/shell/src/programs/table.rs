//! The form in which programs are described: options, operands, sub-commands and what they do.
//!
//! A table says what is *known*. Whatever it does not list is not harmless: an option or sub-command
//! without an entry makes the command's effect unknown.
//!
//! # Options
//! One string, words separated by blanks, short options first:
//!
//! | word | meaning |
//! | --- | --- |
//! | `-abc` | the flags `-a`, `-b`, `-c`: harmless, no value, may be clustered |
//! | `-n=` | takes a value, attached (`-n5`) or as the next word; `-nk=` says it of both |
//! | `-i=?` | takes a value only when attached |
//! | `-#` | a number as an option (`head -5`) |
//! | `--name`, `--name=`, `--name=?` | the same for long options; `=?` only as `--name=value` |
//! | `--*` | any other long option is data (cloud command lines with hundreds of filters) |
//! | `=read` `=write` `=delete` | the value is a file that is read, written, deleted |
//! | `=dir` | the value is the directory the program works in |
//! | `=exec` | the value is a command or code that the program runs |
//! | `=send` | the value, or the file it names, is sent out |
//! | `=url` | the value is fetched |
//! | `=list` | the value is a file that names the files to be read, one on each line |
//! | `=property` | the value is `KEY=VALUE`; a value that is a path or an address steers, as `!steers` does |
//! | `=config` | the value is a settings file, or a setting `KEY=VALUE`, which can make the program do more than read |
//! | `!effect` | using the option has this effect (`-i!writes`); several may follow each other |
//! | `!help` | prints help or a version and does nothing else |
//! | `!dry` | nothing is changed when this option is given |
//! | `!real` | something is changed with this option, `!dry` or not |
//! | `!steers` | puts other code, or another place, where the command would have its own: a rule must spell it out |
//! | `!mode:name` | chooses what the program does; where two different modes stand, which one counts is not known |
//!
//! `--help` and `--version` are known everywhere unless the program takes code or a command.

use smallvec::SmallVec;

use super::outcome::Outcome;
use crate::argument::Argument;
use crate::effects::Effects;

/// What a program (or one of its sub-commands) accepts and does.
#[derive(Clone, Copy)]
pub(crate) struct Spec {
    /// Names separated by blanks; in sub-commands a trailing `*` matches any ending.
    pub(crate) names: &'static str,
    /// What it does whenever it runs.
    pub(crate) does: Effects,
    pub(crate) options: &'static str,
    pub(crate) operands: Operands,
    pub(crate) verbs: &'static [Spec],
    pub(crate) style: Style,
    /// Its own options stand before the sub-command and mean nothing after it (`git -C`).
    pub(crate) options_end_at_verb: bool,
    /// For what a table cannot say, such as a script language given as an argument.
    pub(crate) check: Option<Check>,
    /// Command lines with the effects they must be found to have; tests read them.
    #[cfg(test)]
    pub(crate) examples: &'static [(&'static str, &'static str)],
}

pub(crate) type Check = for<'t, 'a> fn(&Invocation<'t, 'a>, &mut Outcome<'a>);

/// An option that was given, by the name the table has for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: Option<Argument<'a>>,
}

/// One command, its words sorted into options and operands.
pub(crate) struct Invocation<'t, 'a> {
    /// The program's name without its directory.
    pub(crate) program: &'t str,
    /// All words after the program.
    pub(crate) words: &'a [Argument<'a>],
    /// The program's table, then that of each sub-command.
    pub(crate) chain: SmallVec<[&'static Spec; 4]>,
    pub(crate) options: SmallVec<[Seen<'a>; 8]>,
    pub(crate) operands: SmallVec<[Argument<'a>; 8]>,
    /// Values of options that may become several words: what follows the first is an operand.
    pub(super) split: SmallVec<[Argument<'a>; 2]>,
    /// Where in `words` the first operand stands.
    pub(crate) first_operand: usize,
    /// `--` was given.
    pub(crate) ended: bool,
    /// Whether some option in force does more than read, once that was asked.
    pub(super) dangerous: Option<bool>,
    /// An option that only `--*` describes.
    pub(super) any_option: Option<Argument<'a>>,
}

/// How a program reads its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// `-ab`, `--name value`, `--name=value`, anywhere on the line, spelled out.
    Exact,
    /// The same, and long options may be abbreviated (`getopt_long`, argparse).
    Gnu,
    /// As `Exact`, but options end at the first operand.
    Stops,
    /// `-name value` or `-name=value`, one or two dashes, no clusters (Go flags, openssl).
    SingleDash,
    /// As `Exact`, and `-name`, `-name:value` are `--name` where the table has that (Maven, sbt, dotnet).
    Named,
    /// Options are not recognised at all; `check` reads the words (echo, test, find, dd).
    Raw,
}

/// What the words that are not options mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operands {
    /// There are none; one that stands there anyway makes the effect unknown.
    None,
    /// Data: text, numbers, names, revisions, patterns, identifiers.
    Text,
    /// Files that are read.
    Read,
    /// Files that are written or created.
    Write,
    /// Files that are deleted.
    Delete,
    /// All but the last are read, the last is written (`cp`).
    Copy,
    /// All but the last are moved away, the last is written (`mv`).
    Move,
    /// The first is text, the others are read (`grep`).
    TextThenRead,
    /// The first is read, the second is written (`uniq`).
    ReadThenWrite,
    /// Addresses that are fetched.
    Url,
    /// A program and its arguments, after this many other operands (`timeout 5 CMD`).
    Command(u8),
    /// Code or a script that is run.
    Code,
    /// Having any operand at all has this effect (`hostname NEW`).
    Effect(Effects),
}

impl Spec {
    /// A program, or several names of one, that does `does` whenever it runs.
    pub(crate) const fn new(names: &'static str, does: Effects) -> Spec {
        Spec {
            names,
            does,
            options: "",
            operands: Operands::None,
            verbs: &[],
            style: Style::Exact,
            options_end_at_verb: false,
            check: None,
            #[cfg(test)]
            examples: &[],
        }
    }

    pub(crate) const fn options(mut self, options: &'static str) -> Spec {
        self.options = options;
        self
    }

    pub(crate) const fn operands(mut self, operands: Operands) -> Spec {
        self.operands = operands;
        self
    }

    /// The sub-commands. With `Operands::None` any other word is an unknown sub-command.
    pub(crate) const fn verbs(mut self, verbs: &'static [Spec]) -> Spec {
        self.verbs = verbs;
        self
    }

    pub(crate) const fn style(mut self, style: Style) -> Spec {
        self.style = style;
        self
    }

    pub(crate) const fn options_end_at_verb(mut self) -> Spec {
        self.options_end_at_verb = true;
        self
    }

    pub(crate) const fn check(mut self, check: Check) -> Spec {
        self.check = Some(check);
        self
    }

    /// Command lines and the effects they must have (`"reads"`, `"writes deletes"`).
    #[cfg(test)]
    pub(crate) const fn examples(mut self, examples: &'static [(&'static str, &'static str)]) -> Spec {
        self.examples = examples;
        self
    }

    /// Outside tests the examples are not compiled in.
    #[cfg(not(test))]
    pub(crate) const fn examples(self, _: &'static [(&'static str, &'static str)]) -> Spec {
        self
    }

    /// The names, one by one.
    pub(crate) fn each_name(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split_ascii_whitespace()
    }

    /// The sub-command called `word`: the exact name first, then the patterns in their order.
    pub(crate) fn verb(&self, word: &str) -> Option<&'static Spec> {
        let exact = self.verbs.iter().find(|verb| verb.each_name().any(|name| name == word));
        exact.or_else(|| {
            self.verbs.iter().find(|verb| {
                verb.each_name()
                    .any(|name| name.strip_suffix('*').is_some_and(|start| word.starts_with(start)))
            })
        })
    }
}
