//! `export`, `declare`, `local`, `readonly`: assignments that are also commands.

use super::Walker;
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::programs::invocation::Outcome;
use crate::unclear::Why;
use crate::variables;

impl<'a> Walker<'a> {
    pub(super) fn declare(&mut self, name: &str, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        let mut exports = name == "export";
        let mut options = true;
        for word in words {
            let whole = self.declaring || !word.many;
            let Some(text) = word.known().or_else(|| assignment_of(word)).filter(|_| whole) else {
                out.doubt(Why::Changed, word.text, word.span);
                continue;
            };
            if options && text.starts_with(['-', '+']) && text.len() > 1 {
                exports |= text.starts_with('-') && text.contains('x');
                // Outside of functions `local` fails.
                let declares = matches!(name, "declare" | "typeset") || !self.inside.is_empty();
                self.attributes(text, words, *word, declares, out);
                continue;
            }
            options = false;
            match text.split_once('=') {
                Some((variable, value)) => {
                    let appends = variable.ends_with('+');
                    let variable = variable.trim_end_matches('+');
                    if word.literal && value.starts_with('(') {
                        out.doubt(Why::NotModelled, "an array given as text", word.span);
                    }
                    let value = if word.literal && !appends {
                        Argument::literal(value, word.span)
                    } else {
                        Argument { many: true, ..Argument::unknown(word.span) }
                    };
                    self.declared(variable, value, exports, out);
                }
                None => out.add(exported(text, None, exports)),
            }
        }
        out.add(Effects::SHELL_STATE);
        if options {
            // Without a name it prints every variable with its value.
            out.add(Effects::SECRETS);
        }
    }

    fn declared(&mut self, name: &'a str, value: Argument<'a>, exports: bool, out: &mut Outcome<'a>) {
        if !super::parameter::is_plain_name(name) {
            return out.doubt(Why::Arithmetic, name, value.span);
        }
        let name = name.split('[').next().unwrap_or_default();
        out.add(exported(name, value.known(), exports));
        self.assign_for_good(name, value, out);
    }

    fn attributes(
        &mut self,
        text: &str,
        words: &'a [Argument<'a>],
        word: Argument<'a>,
        declares: bool,
        out: &mut Outcome<'a>,
    ) {
        if self.dialect == Dialect::Zsh && text.contains(['E', 'F', 'T']) {
            // Numbers are expressions, and tied variables change one another.
            out.doubt(Why::Arithmetic, text, word.span);
        }
        if text.contains('p') && words.iter().any(|word| variables::is_telling(word.text)) {
            out.add(Effects::SECRETS);
        }
        if text.contains('n') && text.starts_with('-') {
            out.doubt(Why::NotModelled, "a name reference", word.span);
        }
        self.found.integers |= text.contains('i') && text.starts_with('-');
        // The value changes when it is assigned.
        self.found.hopeless |= text.contains(['l', 'u', 'c']) && text.starts_with('-');
        if declares && text == "-A" && words.first().is_some_and(|first| first.known() == Some("-A")) {
            for word in words.iter().filter(|word| !word.text.starts_with('-')) {
                self.state.declare_associative(word.prefix().split('=').next().unwrap_or_default());
            }
        }
    }
}

/// What exporting a variable does.
fn exported(name: &str, value: Option<&str>, exports: bool) -> Effects {
    if exports && !variables::is_harmless(name, value) { Effects::ENVIRONMENT } else { Effects::SHELL_STATE }
}

/// The known beginning of a word whose value is not known: `name=`.
fn assignment_of<'a>(word: &Argument<'a>) -> Option<&'a str> {
    let (name, _) = word.prefix().split_once('=')?;
    word.prefix().get(..=name.len())
}
