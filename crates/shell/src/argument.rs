//! One word of a command as the program would get it, as far as that can be known.

use crate::printed::Printed;
use crate::span::Span;

/// A word after expansion. When it is not literal, `text` is a pattern in which `*` stands for
/// whatever could not be known (and for globs).
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the word")]
pub(crate) struct Argument<'a> {
    pub(crate) text: &'a str,
    /// The program gets exactly `text`.
    pub(crate) literal: bool,
    /// It, or one of the words it splits into, could begin with a dash without `text` saying so.
    pub(crate) may_dash: bool,
    /// It could become no word, or several.
    pub(crate) many: bool,
    /// It is known to be a whole number.
    pub(crate) numeric: bool,
    /// All that is not known of it are whole numbers: `$i,+5p`.
    pub(crate) counted: bool,
    /// It is what a version manager prints for the shell, and nothing else.
    pub(crate) prelude: bool,
    /// Comes only from file name expansion: each word is the name of an existing file.
    pub(crate) glob: bool,
    /// Found by a search for names like this, at any depth below the folder before the last `*`.
    pub(crate) found: Option<&'a str>,
    /// The commands that print what is not known of it: a line of theirs, or a word of one.
    pub(crate) printed: Option<Printed>,
    /// What is known of it in quotes, where it is the name of a file.
    pub(crate) shape: Option<Shape<'a>>,
    /// What it is, as a pattern that leads nowhere else, unless a program that makes a new file could not make it:
    /// `$(mktemp -d)/x`, `x$i`.
    pub(crate) nearly: Option<&'a str>,
    /// The values it can have, where there are only a few (`for f in a b c`).
    pub(crate) choices: &'a [&'a str],
    pub(crate) span: Span,
}

/// The name of a file that a pattern finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape<'a> {
    pub(crate) pattern: &'a str,
    /// It could also be empty, so only alone it is no other file.
    pub(crate) maybe_empty: bool,
}

impl<'a> Shape<'a> {
    /// The shape without an ending that every such name has; never a name that leads elsewhere.
    pub(crate) fn without(self, ending: &str) -> Option<Shape<'a>> {
        let pattern = self.pattern.strip_suffix(ending)?;
        let name = pattern.rsplit('/').next()?;
        let plain =
            !ending.contains(['/', '*', '?', '[', '\\']) && !name.is_empty() && !name.starts_with(['.', '[']);
        (plain && !self.maybe_empty).then_some(Shape { pattern, ..self })
    }
}

impl<'a> Argument<'a> {
    pub(crate) fn literal(text: &'a str, span: Span) -> Argument<'a> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        Argument {
            text,
            literal: true,
            may_dash: false,
            many: false,
            numeric,
            counted: false,
            prelude: false,
            glob: false,
            found: None,
            printed: None,
            shape: None,
            nearly: None,
            choices: &[],
            span,
        }
    }

    /// Nothing is known about it but that it is one word.
    pub(crate) fn unknown(span: Span) -> Argument<'a> {
        Argument {
            text: "*",
            literal: false,
            may_dash: true,
            many: false,
            numeric: false,
            counted: false,
            prelude: false,
            glob: false,
            found: None,
            printed: None,
            shape: None,
            nearly: None,
            choices: &[],
            span,
        }
    }

    /// The value, where it is exactly known.
    pub(crate) fn known(&self) -> Option<&'a str> {
        self.literal.then_some(self.text)
    }

    /// What it surely begins with.
    pub(crate) fn prefix(&self) -> &'a str {
        if self.literal {
            return self.text;
        }
        let end = self.text.find(['*', '?', '[']).unwrap_or(self.text.len());
        self.text.get(..end).unwrap_or_default()
    }

    /// The part after `at` bytes, as an argument of its own (an attached option value).
    pub(crate) fn after(&self, at: usize) -> Argument<'a> {
        let text = self.text.get(at..).unwrap_or_default();
        if self.literal {
            Argument::literal(text, self.span)
        } else {
            Argument { text, prelude: false, printed: None, shape: None, nearly: None, choices: &[], ..*self }
        }
    }

    /// Every text it could be, as far as known: its value, its few values, or its pattern.
    pub(crate) fn possible(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let single = self.choices.is_empty().then_some(self.text);
        single.into_iter().chain(self.choices.iter().copied())
    }
}
