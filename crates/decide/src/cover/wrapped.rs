//! Rules that name a program together with the one that starts it (SPEC R3): `npx tsc:*`, `sudo frob status`. What they say of
//! the program itself is what is left of them without the words before it.

use portcullis_shell::Command;

use crate::rules::Pattern;

/// How many words stand between a program and the one that it starts; nothing where the words of the two do not stand one
/// behind the other.
pub(crate) fn words_before(outer: &Command, inner: &Command) -> Option<usize> {
    let at = outer.arguments.len().checked_sub(inner.arguments.len() + 1)?;
    let (program, own) = outer.arguments.get(at..)?.split_first()?;
    let same = own.iter().zip(&inner.arguments).all(|(a, b)| a.text == b.text && a.literal == b.literal);
    (same && program.text == inner.word && program.literal).then_some(at)
}

/// What a rule for `outer` says of the command that `outer` starts; nothing where it does not name that command.
pub(crate) fn inner_pattern(rule: &Pattern, outer: &Command, inner: &Command) -> Option<Pattern> {
    let at = words_before(outer, inner)?;
    let words =
        std::iter::once(&outer.word).chain(outer.arguments.iter().take(at + 1).map(|word| &word.text));
    let words: Vec<&String> = words.collect();
    let named = rule.leading().get(..words.len())?;
    // As written, so that no quote stands for a blank.
    let mut written = rule.raw().split_whitespace();
    let plain = words.iter().take(at + 1).all(|word| written.next() == Some(word.as_str()));
    let rest: Vec<&str> = written.collect();
    (plain && named.iter().eq(words)).then(|| Pattern::new(&rest.join(" ")))
}

#[cfg(test)]
mod tests {
    use portcullis_shell::{Dialect, read};

    use super::*;

    fn command(line: &str) -> Command {
        read(line, Dialect::Bash).commands.first().expect("a command").clone()
    }

    fn left(rule: &str, outer: &Command, inner: &Command) -> Option<String> {
        inner_pattern(&Pattern::new(rule), outer, inner).map(|pattern| pattern.raw().to_owned())
    }

    /// [R3]
    #[test]
    fn the_rest_of_a_rule_is_for_the_started_program() {
        let outer = command("npx tsc a");
        assert_eq!(left("npx tsc:*", &outer, &command("tsc a")).as_deref(), Some("tsc:*"));
        assert_eq!(left("npx tsc a", &outer, &command("tsc a")).as_deref(), Some("tsc a"));
        assert_eq!(left("npx:*", &outer, &command("tsc a")), None, "it names no program");
        assert_eq!(left("npx tsx:*", &outer, &command("tsc a")), None, "it names another");
        assert_eq!(left("'npx' tsc:*", &outer, &command("tsc a")), None, "it is not written plainly");
    }

    /// [R3]
    #[test]
    fn the_words_of_both_must_be_the_same() {
        let outer = command("npx tsc a");
        assert_eq!(left("npx tsc:*", &outer, &command("tsc b")), None, "another word");
        assert_eq!(left("npx tsc:*", &outer, &command("tsc a b")), None, "more words");
        assert_eq!(left("npx tsx:*", &outer, &command("tsx a")), None, "another program");
        let mut open = command("tsc a");
        open.arguments.iter_mut().for_each(|word| word.literal = false);
        assert_eq!(left("npx tsc:*", &outer, &open), None, "what is not known");
        let mut unknown = command("npx tsc a");
        unknown.arguments.iter_mut().take(1).for_each(|word| word.literal = false);
        assert_eq!(left("npx tsc:*", &unknown, &command("tsc a")), None, "a program that is not known");
    }
}
