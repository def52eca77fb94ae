//! Arithmetic: bash evaluates the value of every name in it again, and a value such as `a[$(cmd)]` runs
//! a command. Only numbers that the line itself has set are safe.

use super::Walker;
use crate::argument::Argument;
use crate::span::Span;
use crate::syntax::tree::{Arithmetic, Part, Quoting};
use crate::unclear::Why;

impl<'a> Walker<'a> {
    pub(super) fn arithmetic(&mut self, expression: &Arithmetic<'a>) {
        self.arithmetic_parts(expression.parts, expression.span);
    }

    /// Walks the expansions of an expression and checks that every value in it is a number.
    pub(super) fn arithmetic_parts(&mut self, parts: &[Part<'a>], span: Span) {
        for part in parts {
            match part {
                Part::Literal(text)
                | Part::Quoted(text)
                | Part::Glob(text)
                | Part::Brace(text)
                | Part::Tilde(text) => {
                    self.arithmetic_text(text, span);
                }
                Part::Parameter(parameter, _) => {
                    let value = self.parameter(parameter, Quoting::Double);
                    self.require_number(value, parameter.name, parameter.span);
                }
                Part::Command(script, _, at) => {
                    let value = self.substitution(script, *at);
                    self.require_number(value, "", *at);
                }
                Part::Arithmetic(inner, _) => self.arithmetic(inner),
                Part::Process(_) | Part::Array(_) | Part::Subscript(_) | Part::Unknown => {
                    self.doubt(Why::Arithmetic, "", span);
                }
            }
        }
    }

    fn require_number(&mut self, value: Argument<'a>, name: &str, span: Span) {
        if !value.numeric {
            self.doubt(Why::Arithmetic, name, span);
        }
    }

    /// Names in the text are variables, whose values are evaluated in turn.
    fn arithmetic_text(&mut self, text: &'a str, span: Span) {
        let changes = text.contains('=') || text.contains("++") || text.contains("--");
        let mut rest = text;
        while let Some(start) =
            rest.find(|character: char| character.is_ascii_alphanumeric() || character == '_')
        {
            let (_, from) = rest.split_at(start);
            let end = from.find(|character: char| {
                !(character.is_ascii_alphanumeric()
                    || character == '_'
                    || character == '#'
                    || character == '@')
            });
            let (name, after) = from.split_at(end.unwrap_or(from.len()));
            rest = after;
            if name.starts_with(|character: char| character.is_ascii_digit()) {
                continue;
            }
            let assigned = assigns(after);
            let numeric = self.variable(name).is_some_and(|value| value.numeric);
            let builtin = matches!(name, "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID")
                && !self.knowledge.assigns(name);
            if after.trim_start().starts_with('[') || !(numeric || builtin || assigned) {
                self.doubt(Why::Arithmetic, name, span);
            }
            if assigned || (numeric && changes) {
                self.assign(name, Argument { numeric: true, may_dash: false, ..Argument::unknown(span) });
            }
        }
    }
}

/// Whether `= …` follows, and not a comparison.
fn assigns(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with('=') && !after.starts_with("==")
}
