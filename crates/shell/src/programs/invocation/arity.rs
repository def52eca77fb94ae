//! Words behind an option that takes a value in some versions of a program and none in others.

use super::{Invocation, Outcome};
use crate::argument::Argument;
use crate::programs::option_words::{self, Entry, Value};
use crate::programs::table::Style;
use crate::unclear::Why;

impl<'a> Invocation<'_, 'a> {
    /// A value that looks like an option is one to a version or parser that gives the option before it no value. Only a
    /// flag without effects is harmless both ways.
    pub(super) fn option_or_value(&mut self, entry: &Entry, word: Argument<'a>, out: &mut Outcome<'a>) {
        let looks = word.prefix().strip_prefix('-').is_some_and(|rest| {
            !rest.is_empty()
                && !rest.starts_with(|first: char| first.is_ascii_digit() || first.is_whitespace())
        });
        let certain = entry.name.len() == 1 && self.has_one_parser();
        if looks
            && entry.is_harmless()
            && !certain
            && self.has_dangerous_option()
            && !self.is_plain_flag(word)
        {
            out.doubt(Why::MaybeOption, word.text, word.span);
        }
    }

    /// Whether the short options of the program are the same in all its versions, with one parser for them.
    fn has_one_parser(&self) -> bool {
        const NAMES: &[&str] = &["git", "curl", "ssh", "scp"];
        NAMES.contains(&self.program)
    }

    /// Whether the word, read as an option, is one that takes no value and has no effect.
    fn is_plain_flag(&self, word: Argument<'a>) -> bool {
        // No option of one word has a blank in its name: the program would refuse it.
        let name = word.prefix().split('=').next().unwrap_or_default();
        if self.last().style == Style::SingleDash && name.contains(char::is_whitespace) {
            return true;
        }
        let Some(text) = word.known() else { return false };
        let harmless =
            |entry: Option<Entry>| entry.is_some_and(|it| it.value == Value::No && it.is_harmless());
        if self.last().style == Style::SingleDash {
            let name = text.trim_start_matches('-');
            return harmless(self.in_force().find_map(|spec| option_words::word_option(spec.options, name)));
        }
        if text.starts_with("--") {
            return harmless(self.in_force().find_map(|spec| option_words::long_option(spec.options, text)));
        }
        text.chars().skip(1).all(|letter| {
            harmless(self.in_force().find_map(|spec| option_words::short_option(spec.options, letter)))
        })
    }
}
