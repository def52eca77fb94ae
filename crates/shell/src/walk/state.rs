//! What the line has changed so far: variables, directory, functions, aliases.
//!
//! Where two ways lead to one place their states are joined, and what differs becomes unknown.

use bumpalo::Bump;
use smallvec::SmallVec;

use crate::argument::Argument;
use crate::span::Span;

/// How many variables are followed; a line that sets more gets no knowledge of the others.
const MAX_VARIABLES: usize = 64;

/// How many values a variable may have before it counts as unknown.
pub(super) const MAX_CHOICES: usize = 64;

/// How many directories a command may run in before that counts as unknown.
const MAX_DIRECTORIES: usize = 8;

/// Builtins that POSIX puts before functions.
const SPECIAL: &[&str] = &[
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift",
    "source", "times", "trap", "unset",
];

#[derive(Clone, Debug, Default)]
pub(super) struct State<'a> {
    variables: SmallVec<[(&'a str, Argument<'a>); 4]>,
    functions: Functions<'a>,
    aliases: SmallVec<[&'a str; 2]>,
    /// Names declared as associative arrays, whose subscripts are plain text.
    associative: SmallVec<[&'a str; 2]>,
    /// Where commands run: any of these, relative to the start. Empty: the start itself.
    directories: SmallVec<[&'a str; 2]>,
    directory_unknown: bool,
    /// Where a `cd` that succeeded leads, to one of these; counts for what follows `&&`.
    entered: SmallVec<[&'a str; 2]>,
    /// Nothing follows: the shell has ended on this way.
    ended: bool,
    /// `set -e`: a plain command that fails ends the shell.
    pub(super) ends_on_failure: bool,
}

/// Names that the line defines as functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions<'a> {
    /// They may be functions here.
    maybe: SmallVec<[&'a str; 2]>,
    /// They are, whichever way led here.
    surely: SmallVec<[&'a str; 2]>,
}

impl<'a> State<'a> {
    pub(super) fn size(&self) -> usize {
        1 + self.variables.len()
    }

    pub(super) fn variable(&self, name: &str) -> Option<Argument<'a>> {
        self.variables.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    pub(super) fn set(&mut self, name: &'a str, value: Argument<'a>) {
        if let Some(slot) = self.variables.iter_mut().find(|(known, _)| *known == name) {
            slot.1 = value;
        } else if self.variables.len() < MAX_VARIABLES {
            self.variables.push((name, value));
        }
    }

    /// The variable has a value now that is not known.
    pub(super) fn forget(&mut self, name: &'a str) {
        self.set(name, Argument { many: true, ..Argument::unknown(Span::default()) });
    }

    /// Nothing that was known about variables and directory holds any longer.
    pub(super) fn forget_all(&mut self) {
        self.forget_variables();
        self.lose_directory();
    }

    /// Nothing is known about variables: another shell starts. It has only the functions that were exported.
    pub(super) fn new_process(&mut self) {
        self.forget_variables();
        self.doubt_functions();
    }

    pub(super) fn forget_variables(&mut self) {
        for (_, value) in &mut self.variables {
            *value = Argument { many: true, ..Argument::unknown(Span::default()) };
        }
    }

    /// Nothing is known about variables but for what `keeps` says.
    pub(super) fn forget_variables_but(&mut self, keeps: impl Fn(&str, &Argument<'a>) -> bool) {
        for (name, value) in &mut self.variables {
            if !keeps(name, value) {
                *value = Argument { many: true, ..Argument::unknown(Span::default()) };
            }
        }
    }

    pub(super) fn define_function(&mut self, name: &'a str) {
        let Functions { maybe, surely } = &mut self.functions;
        if !maybe.contains(&name) {
            maybe.push(name);
        }
        // In POSIX mode these builtins run all the same.
        if !SPECIAL.contains(&name) && !surely.contains(&name) {
            surely.push(name);
        }
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.maybe.contains(&name)
    }

    pub(super) fn is_surely_function(&self, name: &str) -> bool {
        self.functions.surely.contains(&name)
    }

    /// Functions may be gone, or not have been defined after all.
    pub(super) fn doubt_functions(&mut self) {
        self.functions.surely.clear();
    }

    pub(super) fn functions(&self) -> Functions<'a> {
        self.functions.clone()
    }

    /// What was not defined before may not be now either.
    pub(super) fn doubt_new_functions(&mut self, before: &Functions<'a>) {
        self.functions.surely.retain(|name| before.surely.contains(name));
    }

    /// For what runs programs only: functions are not seen there.
    pub(super) fn take_functions(&mut self) -> Functions<'a> {
        std::mem::take(&mut self.functions)
    }

    pub(super) fn restore_functions(&mut self, functions: Functions<'a>) {
        self.functions = functions;
    }

    pub(super) fn define_alias(&mut self, name: &'a str) {
        if self.aliases.len() < MAX_VARIABLES {
            self.aliases.push(name);
        }
    }

    /// Past the limit any name may be one.
    pub(super) fn is_alias(&self, name: &str) -> bool {
        self.aliases.len() >= MAX_VARIABLES || self.aliases.contains(&name)
    }

    /// Only a name that was nothing before surely becomes one.
    pub(super) fn declare_associative(&mut self, name: &'a str) {
        if self.variable(name).is_none() {
            self.associative.push(name);
        }
    }

    pub(super) fn doubt_arrays(&mut self) {
        self.associative.clear();
    }

    pub(super) fn is_associative(&self, name: &str) -> bool {
        self.associative.contains(&name)
    }

    /// `cd target`: what follows runs there, or, if it fails, where it was.
    pub(super) fn enter(&mut self, target: Argument<'a>, arena: &'a Bump) {
        let found = target.shape.filter(|shape| !shape.maybe_empty).map(|shape| shape.pattern);
        let paths: SmallVec<[&'a str; 2]> = match (target.known(), found) {
            (Some(path), _) => SmallVec::from_slice(&[path]),
            // A folder that a pattern finds, and what is below it.
            (None, Some(pattern)) if is_found_below(pattern, target.many) => SmallVec::from_slice(&[pattern]),
            (None, _) => SmallVec::from_slice(target.choices),
        };
        let here = if self.directory_unknown { None } else { Some(self.directories.clone()) };
        let rooted = paths.iter().all(|path| path.starts_with(['/', '~']));
        let bases: SmallVec<[&'a str; 2]> = match &here {
            Some(several) if !several.is_empty() && !rooted => several.clone(),
            None if !rooted => {
                self.directory_unknown = true;
                return;
            }
            Some(_) | None => SmallVec::from_slice(&[""]),
        };
        let mut joined: SmallVec<[&'a str; 2]> = SmallVec::new();
        for path in bases.iter().flat_map(|base| paths.iter().map(|path| join(base, path, arena))) {
            if !joined.contains(&path) {
                joined.push(path);
            }
        }
        if joined.len() > MAX_DIRECTORIES && bases.len() > 1 {
            return self.lose_directory();
        }
        // What is only known at run time, leads back or is an option may lead anywhere.
        self.directory_unknown = joined.is_empty() || paths.iter().any(|path| path.starts_with(['-', '+']));
        let mut all = here.unwrap_or_default();
        if all.is_empty() {
            all.push("");
        }
        for path in &joined {
            if !all.contains(path) {
                all.push(path);
            }
        }
        self.entered = joined;
        self.directories = all;
        self.directory_unknown |= self.directories.len() > MAX_DIRECTORIES;
    }

    pub(super) fn lose_directory(&mut self) {
        self.directory_unknown = true;
        self.entered.clear();
    }

    /// What follows `&&` runs where the `cd` before it went.
    pub(super) fn succeeded(&mut self) {
        let entered = std::mem::take(&mut self.entered);
        if !entered.is_empty() {
            self.directories = entered;
        }
    }

    /// The shell ends here.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Whether the shell has ended, and what ends it.
    pub(super) fn end_of_shell(&self) -> (bool, bool) {
        (self.ended, self.ends_on_failure)
    }

    /// That is as it was: a text that may not have run says nothing about it.
    pub(super) fn end_as(&mut self, (ended, ends_on_failure): (bool, bool)) {
        self.ended = ended;
        self.ends_on_failure &= ends_on_failure;
    }

    /// The folder that was entered is known to be there, so that nothing is left of where the line was.
    pub(super) fn surely_entered(&mut self, known: &[&str]) {
        if !self.directory_unknown
            && !self.entered.is_empty()
            && self.entered.iter().all(|path| known.contains(path))
        {
            self.directories = self.entered.clone();
        }
    }

    /// What follows `;` runs wherever that was.
    pub(super) fn moved_on(&mut self) {
        self.entered.clear();
    }

    /// Where commands run now; `None` if that is where the line started.
    pub(super) fn directory(&self) -> Option<String> {
        match self.directories.as_slice() {
            _ if self.directory_unknown => Some(String::from("*")),
            [] => None,
            [""] => None,
            several => Some(
                several
                    .iter()
                    .map(|path| match *path {
                        "" => String::from("."),
                        // What a pattern finds here is not any folder at all.
                        path if path.starts_with(PATTERN) => format!("./{path}"),
                        path => path.to_owned(),
                    })
                    .collect::<Vec<_>>()
                    .join(" | "),
            ),
        }
    }

    /// The paths that `path` can mean, and whether they are exact.
    pub(super) fn locate(&self, path: &str, mut found: impl FnMut(String, bool)) {
        if path.starts_with(['/', '~']) {
            return found(path.to_owned(), true);
        }
        if self.directory_unknown {
            return found(format!("*/{path}"), false);
        }
        if self.directories.is_empty() {
            return found(path.to_owned(), true);
        }
        for directory in &self.directories {
            found(join_owned(directory, path), !directory.contains(PATTERN));
        }
    }

    /// The state where this one and `other` meet.
    pub(super) fn join(&mut self, other: &State<'a>, arena: &'a Bump) {
        if other.ended {
            return self.doubt_new_functions(&other.functions);
        }
        if self.ended {
            let functions = std::mem::replace(self, other.clone()).functions;
            return self.doubt_new_functions(&functions);
        }
        self.ends_on_failure &= other.ends_on_failure;
        for (name, value) in &mut self.variables {
            *value = match other.variable(name) {
                Some(theirs) => meet(*value, theirs, arena),
                None => Argument { many: true, ..Argument::unknown(Span::default()) },
            };
        }
        for (name, _) in &other.variables {
            if self.variable(name).is_none() {
                self.forget(name);
            }
        }
        self.associative.retain(|name| other.associative.contains(name));
        self.join_directories(other);
        if self.entered != other.entered {
            self.entered.clear();
        }
        self.functions.surely.retain(|name| other.functions.surely.contains(name));
        for name in &other.functions.maybe {
            if !self.functions.maybe.contains(name) {
                self.functions.maybe.push(name);
            }
        }
        for alias in &other.aliases {
            if !self.aliases.contains(alias) {
                self.aliases.push(alias);
            }
        }
    }

    fn join_directories(&mut self, other: &State<'a>) {
        self.directory_unknown |= other.directory_unknown;
        if self.directories.is_empty() && other.directories.is_empty() {
            return;
        }
        for directory in if other.directories.is_empty() { &[""][..] } else { other.directories.as_slice() } {
            if self.directories.is_empty() {
                self.directories.push("");
            }
            if !self.directories.contains(directory) {
                self.directories.push(directory);
            }
        }
        self.directory_unknown |= self.directories.len() > MAX_DIRECTORIES;
    }
}

/// A value that is either of the two.
pub(super) fn meet<'a>(one: Argument<'a>, other: Argument<'a>, arena: &'a Bump) -> Argument<'a> {
    if is_same(&one, &other) {
        return one;
    }
    let exact = |value: &Argument<'a>| value.literal || !value.choices.is_empty();
    if exact(&one) && exact(&other) {
        let mut texts: Vec<&'a str> = one.possible().chain(other.possible()).collect();
        texts.sort_unstable();
        texts.dedup();
        if texts.len() <= MAX_CHOICES {
            return of_choices(arena.alloc_slice_copy(&texts), one.span);
        }
    }
    Argument {
        many: one.many || other.many || !(one.numeric && other.numeric),
        numeric: one.numeric && other.numeric,
        may_dash: may_begin_with_dash(&one) || may_begin_with_dash(&other),
        printed: one.printed.zip(other.printed).and_then(|(one, other)| one.or(other)),
        ..Argument::unknown(one.span)
    }
}

/// Whether the same is known of both.
pub(super) fn is_same(one: &Argument<'_>, other: &Argument<'_>) -> bool {
    let facts =
        |value: &Argument<'_>| (value.literal, value.may_dash, value.many, value.numeric, value.counted);
    facts(one) == facts(other)
        && one.text == other.text
        && one.shape == other.shape
        && one.printed == other.printed
        && one.choices == other.choices
}

fn may_begin_with_dash(value: &Argument<'_>) -> bool {
    value.may_dash || value.possible().any(|text| text.starts_with('-'))
}

/// A value that is one of a few known ones.
pub(super) fn of_choices<'a>(choices: &'a [&'a str], span: Span) -> Argument<'a> {
    if let [single] = choices {
        return Argument::literal(single, span);
    }
    let numeric = choices.iter().all(|text| Argument::literal(text, span).numeric);
    let may_dash = choices.iter().any(|text| text.starts_with('-'));
    Argument { may_dash, numeric, choices, ..Argument::unknown(span) }
}

const PATTERN: [char; 2] = ['*', '?'];

/// Whether all that the pattern finds lies in the folder before it, and is a folder: `packages/*/`, `*/`.
fn is_found_below(pattern: &str, several: bool) -> bool {
    let rooted = pattern.starts_with(['/', '~', '-', '+']);
    let hidden = |part: &str| part.starts_with('.') && part.len() > 1;
    // Of the name of a folder here, the first word could be an option of `cd`.
    let led = !pattern.starts_with(PATTERN) || (pattern.ends_with('/') && !several);
    led && !rooted && !pattern.contains(['{', '(', '[', '\\']) && !pattern.split('/').any(hidden)
}

fn join<'a>(base: &'a str, path: &'a str, arena: &'a Bump) -> &'a str {
    arena.alloc_str(&join_owned(base, path))
}

/// `path` seen from `base`, with `.` and `..` worked out as far as the text allows.
pub(super) fn join_owned(base: &str, path: &str) -> String {
    let absolute = path.starts_with(['/', '~']);
    let (start, rest) = if absolute { (path, "") } else { (base, path) };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(rest.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.starts_with('~')) => {
                {
                    parts.pop();
                };
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if start.starts_with('/') { format!("/{joined}") } else { joined }
}
