//! Rules that name a program together with the one that starts it (SPEC R3): `npx tsc:*`, `sudo frob status`. What they say of
//! the program itself is what is left of them without the words before it.

use portcullis_shell::Command;

use crate::rules::Pattern;

/// What a rule for `outer` says of the command that `outer` starts; nothing where it does not name that command, or where
/// the words of the two do not stand one behind the other.
pub(crate) fn inner_pattern(rule: &Pattern, outer: &Command, inner: &Command) -> Option<Pattern> {
    let at = outer.arguments.len().checked_sub(inner.arguments.len() + 1)?;
    let (before, rest) = outer.arguments.split_at_checked(at)?;
    let (program, own) = rest.split_first()?;
    let same = own.iter().zip(&inner.arguments).all(|(a, b)| a.text == b.text && a.literal == b.literal);
    if !same || program.text != inner.word || !program.literal {
        return None;
    }
    let words = std::iter::once(&outer.word).chain(before.iter().map(|word| &word.text));
    let words: Vec<&String> = words.chain([&inner.word]).collect();
    let named = rule.leading().get(..words.len())?;
    // As written, so that no quote stands for a blank.
    let mut written = rule.raw().split_whitespace();
    let plain = words.iter().take(at + 1).all(|word| written.next() == Some(word.as_str()));
    let rest: Vec<&str> = written.collect();
    (plain && named.iter().eq(words)).then(|| Pattern::new(&rest.join(" ")))
}
