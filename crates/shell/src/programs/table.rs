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
//! | `!effect` | using the option has this effect (`-i!writes`); several may follow each other |
//! | `!help` | prints help or a version and does nothing else |
//! | `!dry` | nothing is changed when this option is given |
//!
//! `--help` and `--version` are known everywhere unless the program takes code or a command.

use super::invocation::{Invocation, Outcome};
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

/// What an option's entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The option as the table spells it: `--name`, or the letter alone for a short option.
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    /// What follows the name in the table: value kind and effects.
    suffix: &'static str,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    No,
    Attached,
    Required,
}

/// What the value of an option is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Data,
    Read,
    Write,
    Delete,
    Directory,
    Execute,
    Send,
    Url,
    /// The table has a word that is not one of ours; a test keeps this from shipping.
    Unknown,
}

impl Entry {
    fn new(name: &'static str, suffix: &'static str) -> Entry {
        let value = match suffix.as_bytes() {
            [b'=', b'?', ..] => Value::Attached,
            [b'=', ..] => Value::Required,
            _ => Value::No,
        };
        Entry { name, value, suffix }
    }

    /// What the option's value is.
    pub(crate) fn kind(&self) -> Kind {
        let word = self.suffix.split('!').next().unwrap_or_default();
        match word.trim_start_matches('=').trim_start_matches('?') {
            "" => Kind::Data,
            "read" => Kind::Read,
            "write" => Kind::Write,
            "delete" => Kind::Delete,
            "dir" => Kind::Directory,
            "exec" => Kind::Execute,
            "send" => Kind::Send,
            "url" => Kind::Url,
            _ => Kind::Unknown,
        }
    }

    /// The marks that follow a `!`: effect names, `help`, `dry`.
    pub(crate) fn marks(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.suffix.split('!').skip(1)
    }

    /// Whether giving the option can do no harm, whatever its value.
    pub(crate) fn is_harmless(&self) -> bool {
        let kind_harmless = matches!(self.kind(), Kind::Data | Kind::Read | Kind::Directory);
        kind_harmless
            && self.marks().all(|mark| {
                mark == "help" || mark == "dry" || Effects::named(mark).is_some_and(Effects::is_harmless)
            })
    }
}

/// Every entry of an option string.
#[cfg(test)]
pub(crate) fn entries(options: &'static str) -> Vec<Entry> {
    let mut found = Vec::new();
    for word in options.split_ascii_whitespace() {
        let (name, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        let flags = if name.starts_with("--") { "" } else { name.strip_prefix('-').unwrap_or_default() };
        if flags.is_empty() {
            found.push(Entry::new(name, suffix));
        }
        for (at, flag) in flags.char_indices() {
            found.push(Entry::new(flags.get(at..at + flag.len_utf8()).unwrap_or_default(), suffix));
        }
    }
    found
}

/// Whether some option does more than read.
pub(crate) fn has_dangerous(options: &'static str) -> bool {
    options.split_ascii_whitespace().any(|word| {
        let (name, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        !suffix.is_empty() && !Entry::new(name, suffix).is_harmless()
    })
}

/// Whether `-5` is an option.
pub(crate) fn takes_number(options: &'static str) -> bool {
    options.split_ascii_whitespace().any(|word| word == "-#")
}

/// The entry of a long option, dashes included, spelled out.
pub(crate) fn long_option(options: &'static str, name: &str) -> Option<Entry> {
    for start in memchr::memmem::find_iter(options.as_bytes(), name.as_bytes()) {
        let boundary = start == 0 || options.as_bytes().get(start - 1) == Some(&b' ');
        let Some(rest) = options.get(start..).filter(|_| boundary) else { continue };
        let word = rest.split(' ').next().unwrap_or_default();
        let (found, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        if found == name {
            return Some(Entry::new(found, suffix));
        }
    }
    None
}

/// The entries of which `name` could be an abbreviation.
pub(crate) fn abbreviated(options: &'static str, name: &str) -> impl Iterator<Item = Entry> {
    options.split_ascii_whitespace().filter(move |word| word.starts_with(name)).map(|word| {
        let (found, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        Entry::new(found, suffix)
    })
}

/// The entry of a short option. Its name is the letter alone.
pub(crate) fn short_option(options: &'static str, flag: char) -> Option<Entry> {
    for word in options.split_ascii_whitespace() {
        let body = word.strip_prefix('-')?;
        if body.starts_with('-') {
            return None;
        }
        let (flags, suffix) = body.split_at(body.find(['=', '!']).unwrap_or(body.len()));
        if let Some(at) = flags.find(flag).filter(|_| flag != '#') {
            return Some(Entry::new(flags.get(at..at + flag.len_utf8())?, suffix));
        }
    }
    None
}

/// The entry of an option of the single-dash style, its name without dashes.
pub(crate) fn word_option(options: &'static str, name: &str) -> Option<Entry> {
    options.split_ascii_whitespace().find_map(|word| {
        let body = word.trim_start_matches('-');
        let (found, suffix) = body.split_at(body.find(['=', '!']).unwrap_or(body.len()));
        (found == name).then(|| Entry::new(found, suffix))
    })
}
