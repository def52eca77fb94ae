//! The value of `$x` and `${x…}`, and the code that some of their forms can run.

use super::Walker;
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::syntax::tree::{Operation, Parameter, Part, Quoting, Word};
use crate::unclear::Why;
use crate::variables;

impl<'a> Walker<'a> {
    /// What is known of an expansion; walks everything that evaluating it would run.
    pub(super) fn parameter(&mut self, parameter: &Parameter<'a>, quoting: Quoting) -> Argument<'a> {
        if let Some(subscript) = parameter.subscript {
            self.subscript(parameter.name, &subscript);
        }
        let unknown = Argument { many: quoting == Quoting::Bare, ..Argument::unknown(parameter.span) };
        let named = self.value_of(parameter, quoting);
        if parameter.indirect {
            match named.known().filter(|name| is_plain_name(name)) {
                Some(name) => {
                    let telling = self.knowledge.is_telling(name) || variables::is_telling(name);
                    self.telling |= telling && shows(parameter);
                }
                None => self.doubt(Why::UnclearCode, parameter.name, parameter.span),
            }
        }
        let value = if parameter.indirect { unknown } else { named };
        let changed = self.operation(parameter, value, unknown);
        let one = matches!(parameter.operation, Operation::Length) || !is_several(parameter);
        if one {
            changed
        } else {
            let printed = changed.printed;
            Argument { glob: true, many: true, may_dash: true, choices: &[], printed, ..unknown }
        }
    }

    /// The value after what the braces do to it.
    fn operation(
        &mut self,
        parameter: &Parameter<'a>,
        value: Argument<'a>,
        unknown: Argument<'a>,
    ) -> Argument<'a> {
        match parameter.operation {
            Operation::Value => value,
            Operation::Length => Argument { numeric: true, may_dash: false, ..unknown },
            Operation::Names => unknown,
            Operation::Alternative(word) | Operation::Assign(word) => {
                let other = self.expand_one(&word);
                if matches!(parameter.operation, Operation::Assign(_)) {
                    self.assign(parameter.name, unknown);
                }
                let safe = !other.may_dash
                    && !other.text.starts_with('-')
                    && !value.may_dash
                    && !value.text.starts_with('-');
                let several = other.many;
                Argument {
                    may_dash: !safe,
                    numeric: other.numeric && value.numeric,
                    glob: several,
                    many: unknown.many || several,
                    ..unknown
                }
            }
            Operation::RemoveSuffix(word) => {
                let ending = self.expand_one(&word);
                let dash = value.may_dash || value.possible().any(|text| text.starts_with('-'));
                let shape = value.shape.and_then(|shape| shape.without(ending.known()?));
                Argument { may_dash: dash, shape, ..unknown }
            }
            Operation::RemovePrefix(word) | Operation::Change(word) => {
                self.expand_one(&word);
                unknown
            }
            Operation::Substring(expression) => {
                self.arithmetic(expression);
                unknown
            }
            Operation::Transform(letter) => {
                if !matches!(letter, "Q" | "E" | "U" | "u" | "L" | "a" | "A" | "K" | "k") {
                    self.doubt(Why::UnclearCode, parameter.name, parameter.span);
                }
                unknown
            }
        }
    }

    fn value_of(&mut self, parameter: &Parameter<'a>, quoting: Quoting) -> Argument<'a> {
        let unknown = Argument { many: quoting == Quoting::Bare, ..Argument::unknown(parameter.span) };
        if parameter.subscript.is_some() {
            let printed = self.variable(parameter.name).and_then(|all| all.printed);
            return Argument { glob: true, many: true, printed, ..unknown };
        }
        let shows = shows(parameter);
        self.telling |= self.knowledge.is_telling(parameter.name) && shows;
        if let Some(value) = self.variable(parameter.name) {
            return Argument { span: parameter.span, ..value };
        }
        if self.knowledge.assigns(parameter.name) {
            return unknown;
        }
        self.telling |= variables::is_telling(parameter.name) && shows;
        match parameter.name {
            "HOME" => Argument::literal("~", parameter.span),
            "PWD" if self.state.directory().is_none() => Argument::literal(".", parameter.span),
            "?" | "#" | "$" | "PPID" => Argument { numeric: true, may_dash: false, many: false, ..unknown },
            // Before anything ran in the background it is empty.
            "!" => Argument { numeric: true, may_dash: false, ..unknown },
            "LINENO" | "RANDOM" | "SECONDS" | "UID" | "EUID" | "BASHPID" | "EPOCHSECONDS" => {
                let many = unknown.many && self.dialect != Dialect::Bash;
                Argument { numeric: true, may_dash: false, many, ..unknown }
            }
            "@" | "*" => Argument { glob: true, many: true, ..unknown },
            _ => unknown,
        }
    }

    /// What is known of a variable here, given everything the line does to it.
    pub(super) fn variable(&mut self, name: &str) -> Option<Argument<'a>> {
        let value = self.state.variable(name).and_then(|value| self.knowledge.weigh(name, value))?;
        let exact = value.literal || value.numeric || !value.choices.is_empty();
        let told = value.shape.is_some() || value.printed.is_some();
        self.found.relied |= exact || told || !value.may_dash;
        // What a word nearly is holds where it stands, not for a variable that may get another value.
        Some(Argument { nearly: None, prelude: false, ..value })
    }

    /// Evaluating a subscript of an ordinary array is arithmetic.
    pub(super) fn subscript(&mut self, name: &str, subscript: &Word<'a>) {
        if matches!(subscript.parts, [Part::Literal("@" | "*")]) {
            return;
        }
        if self.state.is_associative(name) {
            self.expand_one(subscript);
            return;
        }
        self.arithmetic_parts(subscript.parts, subscript.span);
    }
}

/// Whether the value of the variable is part of what comes out.
fn shows(parameter: &Parameter<'_>) -> bool {
    !matches!(
        parameter.operation,
        Operation::Length | Operation::Names | Operation::Alternative(_) | Operation::Assign(_)
    )
}

/// Whether quotes do not make one word of it: all arguments, all of an array, all names, or whatever a name in a
/// variable stands for.
fn is_several(parameter: &Parameter<'_>) -> bool {
    let whole =
        parameter.subscript.is_some_and(|word| !matches!(word.parts, [Part::Literal(text)] if *text != "@"));
    parameter.name == "@" || whole || parameter.indirect || matches!(parameter.operation, Operation::Names)
}

/// A variable name, or one with a number as subscript.
pub(super) fn is_plain_name(text: &str) -> bool {
    let (name, subscript) = text.split_once('[').unwrap_or((text, "0]"));
    let index = subscript.strip_suffix(']').unwrap_or("x");
    let start = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    start
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !index.is_empty()
        && (index.bytes().all(|byte| byte.is_ascii_digit()) || matches!(index, "@" | "*"))
}
