//! What could not be known, as a value: never dropped, never taken for a "no".

use std::fmt;

use crate::span::Span;

/// Why something is unclear.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Why {
    /// The line is longer than the limit.
    TooLong,
    /// Nested deeper than the limit.
    TooDeep,
    /// More work than the budget.
    TooMuch,
    /// Bytes that are not text, or characters that hide what the line says.
    Hidden,
    /// The shell itself would reject this.
    Syntax,
    /// Means something else, or nothing, in this dialect.
    Dialect,
    /// The word that names the program is only known when it runs.
    UnclearCommand,
    /// The program or sub-command is in no table.
    UnknownCommand,
    /// The option is in no table.
    UnknownOption,
    /// An operand that the program's table does not expect.
    UnknownOperand,
    /// A word that is only known at run time could be an option.
    MaybeOption,
    /// Text that is evaluated as code is only known at run time.
    UnclearCode,
    /// Arithmetic on a value that could hold code.
    Arithmetic,
    /// An earlier part of the line changed what this means.
    Changed,
    /// A construct whose effect is not modelled.
    NotModelled,
}

impl Why {
    /// The name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Why::TooLong => "too-long",
            Why::TooDeep => "too-deep",
            Why::TooMuch => "too-much",
            Why::Hidden => "hidden",
            Why::Syntax => "syntax",
            Why::Dialect => "dialect",
            Why::UnclearCommand => "unclear-command",
            Why::UnknownCommand => "unknown-command",
            Why::UnknownOption => "unknown-option",
            Why::UnknownOperand => "unknown-operand",
            Why::MaybeOption => "maybe-option",
            Why::UnclearCode => "unclear-code",
            Why::Arithmetic => "arithmetic",
            Why::Changed => "changed",
            Why::NotModelled => "not-modelled",
        }
    }

    /// Whether the line could not be read at all.
    #[must_use]
    pub const fn is_refusal(self) -> bool {
        matches!(self, Why::TooLong | Why::TooDeep | Why::TooMuch | Why::Hidden)
    }

    const fn sentence(self) -> &'static str {
        match self {
            Why::TooLong => "longer than the limit",
            Why::TooDeep => "nested deeper than the limit",
            Why::TooMuch => "needs more work than the limit allows",
            Why::Hidden => "holds characters that hide what it says",
            Why::Syntax => "the shell would reject this",
            Why::Dialect => "means something else in this shell",
            Why::UnclearCommand => "which program runs is only known at run time",
            Why::UnknownCommand => "what this program does is not known",
            Why::UnknownOption => "what this option does is not known",
            Why::UnknownOperand => "what this operand does is not known",
            Why::MaybeOption => "could turn into an option at run time",
            Why::UnclearCode => "runs text that is only known at run time",
            Why::Arithmetic => "arithmetic on a value that could hold code",
            Why::Changed => "an earlier part of the line changes what this means",
            Why::NotModelled => "what this does is not modelled",
        }
    }
}

/// Something unclear in a line, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unclear {
    /// The reason.
    pub why: Why,
    /// The word of the line, or the message of the parser.
    pub detail: String,
    /// The part of the line.
    pub span: Span,
}

impl Unclear {
    pub(crate) fn new(why: Why, detail: impl Into<String>, span: Span) -> Unclear {
        Unclear { why, detail: detail.into(), span }
    }
}

impl fmt::Display for Unclear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.why.sentence())?;
        if self.detail.is_empty() { Ok(()) } else { write!(formatter, ": {}", self.detail) }
    }
}
