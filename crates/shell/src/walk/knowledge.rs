//! What the whole line does to its variables, gathered before any of it is relied on.
//!
//! A trap, a loop, a function or an `eval` can give a variable a value long before or after the place
//! where it stands. So a value counts only together with every other value the line gives that name.

use bumpalo::Bump;

use super::patterns;
use super::state::{is_same, meet};
use crate::argument::Argument;

/// How many names are followed; a line that sets more gets no knowledge of any.
const MAX_NAMES: usize = 64;

/// Names that the shell itself sets: what a line assigns to them may be gone the next moment.
const SET_BY_SHELL: &[&str] = &[
    "REPLY",
    "MAPFILE",
    "OPTARG",
    "OPTIND",
    "_",
    "COPROC",
    "PIPESTATUS",
    "FUNCNAME",
    "DIRSTACK",
    "GROUPS",
    "SHELLOPTS",
    "MATCH",
    "match",
    "mbegin",
    "mend",
    "reply",
    "argv",
    "status",
    "pipestatus",
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "HISTCMD",
    "EPOCHSECONDS",
    "PWD",
    "OLDPWD",
];

/// Names whose values are taken for granted where the line does not set them.
const PRESUMED: &[&str] = &["HOME", "PWD", "OLDPWD", "UID", "EUID", "PPID", "BASHPID"];

#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the line")]
pub(super) struct Knowledge<'a> {
    /// Every name that gets a value anywhere, all its values in one, and whether there is more than one.
    names: Vec<(&'a str, Argument<'a>, bool)>,
    /// Names that get the value of a variable with a telling name.
    telling: Vec<&'a str>,
    /// A value that the line itself sets was taken as known.
    pub(super) relied: bool,
    /// Nothing can be said about any variable.
    pub(super) hopeless: bool,
    /// `IFS` is set somewhere: how unquoted values split is not followed.
    pub(super) splitting_changed: bool,
    /// An option changes which files a pattern finds.
    pub(super) patterns_changed: bool,
    /// A variable is declared as integer somewhere: assignments are arithmetic.
    pub(super) integers: bool,
    /// The directory changes in a loop, function or trap: it is not known in any of them.
    pub(super) directory_moves: bool,
    /// The directory changes anywhere in the line: what runs at another time than where it stands may run in any.
    pub(super) moves: bool,
    /// Something runs at another time than where it stands: a function or a trap.
    pub(super) runs_later: bool,
    /// Code that is not seen runs in this shell: it may give any variable another value.
    pub(super) forgets: bool,
}

impl<'a> Knowledge<'a> {
    /// Whether the line must be walked again with this in mind: it relied on a value that it sets itself,
    /// or it sets something that changes what other words mean.
    pub(super) fn matters(&self) -> bool {
        let flags = self.hopeless
            || self.directory_moves
            || (self.moves && self.runs_later)
            || self.integers
            || self.splitting_changed
            || self.patterns_changed;
        let presumed = |name: &str| SET_BY_SHELL.contains(&name) || PRESUMED.contains(&name);
        flags || self.relied || !self.telling.is_empty() || self.names.iter().any(|(name, ..)| presumed(name))
    }

    /// Notes that `name` gets `value` somewhere.
    pub(super) fn assigned(&mut self, name: &'a str, value: Argument<'a>, arena: &'a Bump) {
        self.splitting_changed |= name == "IFS";
        self.patterns_changed |= patterns::is_variable(name);
        if let Some((_, known, several)) = self.names.iter_mut().find(|(known, ..)| *known == name) {
            *known = meet(*known, value, arena);
            *several = true;
        } else if self.names.len() < MAX_NAMES {
            self.names.push((name, value, false));
        } else {
            self.hopeless = true;
        }
    }

    /// Notes that `name` gets the value of a variable with a telling name.
    pub(super) fn tells(&mut self, name: &'a str) {
        if !self.telling.contains(&name) && self.telling.len() < MAX_NAMES {
            self.telling.push(name);
        }
    }

    pub(super) fn is_telling(&self, name: &str) -> bool {
        self.telling.contains(&name)
    }

    pub(super) fn assigns(&self, name: &str) -> bool {
        self.hopeless || self.names.iter().any(|(known, ..)| *known == name)
    }

    /// Whether the variable keeps the one value it gets, whenever it is looked at after that.
    pub(super) fn is_settled(&self, name: &str) -> bool {
        let several = self.names.iter().any(|(known, _, several)| *known == name && *several);
        !self.hopeless && !self.forgets && !several
    }

    /// What a value that was followed to here is worth, given everything else the line does.
    pub(super) fn weigh(&self, name: &str, here: Argument<'a>) -> Option<Argument<'a>> {
        if self.hopeless || SET_BY_SHELL.contains(&name) || name.starts_with("BASH_") {
            return None;
        }
        let known = here.literal || here.numeric || here.shape.is_some() || !here.choices.is_empty();
        match self.names.iter().find(|(known, ..)| *known == name) {
            Some((_, all, true)) if known => Some(*all),
            Some((_, all, true)) => Some(Argument { printed: here.printed.and(all.printed), ..here }),
            Some(_) | None => Some(here),
        }
    }

    /// Adds what another walk found; says whether that was anything new.
    pub(super) fn learn(&mut self, other: &Knowledge<'a>, arena: &'a Bump) -> bool {
        let before = self.clone();
        for (name, value, several) in &other.names {
            if let Some((_, known, mine)) = self.names.iter_mut().find(|(known, ..)| known == name) {
                *known = meet(*known, *value, arena);
                *mine |= several;
            } else {
                self.names.push((name, *value, *several));
            }
        }
        for name in &other.telling {
            self.tells(name);
        }
        self.hopeless |= other.hopeless || self.names.len() > MAX_NAMES;
        self.splitting_changed |= other.splitting_changed;
        self.patterns_changed |= other.patterns_changed;
        self.integers |= other.integers;
        self.directory_moves |= other.directory_moves;
        self.moves |= other.moves;
        self.runs_later |= other.runs_later;
        self.forgets |= other.forgets;
        !self.equals(&before)
    }

    fn equals(&self, other: &Knowledge<'a>) -> bool {
        let flags = |all: &Knowledge<'a>| {
            let meanings = (all.splitting_changed, all.patterns_changed, all.integers);
            (all.hopeless, meanings, all.directory_moves, all.moves && all.runs_later, all.forgets)
        };
        flags(self) == flags(other)
            && self.telling == other.telling
            && self.names.len() == other.names.len()
            && self
                .names
                .iter()
                .zip(&other.names)
                .all(|((_, one, several), (_, two, many))| several == many && is_same(one, two))
    }
}
