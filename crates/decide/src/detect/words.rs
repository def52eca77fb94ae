//! Lists of words, each written as one text: `words!("a b c")` is `&["a", "b", "c"]`, and `phrases!("a b|c")` is
//! `&["a b", "c"]`.

/// A list of words without blanks, which are written between them.
macro_rules! words {
    ($text:literal) => {{
        const WORDS: &[&str] =
            &$crate::detect::words::split::<{ $crate::detect::words::count($text, b' ') }>($text, b' ');
        WORDS
    }};
}

/// A list of words with blanks in them, with `|` between them.
macro_rules! phrases {
    ($text:literal) => {{
        const PHRASES: &[&str] =
            &$crate::detect::words::split::<{ $crate::detect::words::count($text, b'|') }>($text, b'|');
        PHRASES
    }};
}

/// How many words the text has.
pub(in crate::detect) const fn count(text: &str, mark: u8) -> usize {
    let mut rest = text.as_bytes();
    let mut count = 1;
    while let [first, tail @ ..] = rest {
        if *first == mark {
            count += 1;
        }
        rest = tail;
    }
    count
}

/// The words between the marks.
#[expect(clippy::indexing_slicing, reason = "the compiler runs it, and stops where it goes wrong")]
pub(in crate::detect) const fn split<const COUNT: usize>(
    text: &'static str,
    mark: u8,
) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let mut rest = text.as_bytes();
    let mut at = 0;
    while at < COUNT {
        let mut end = 0;
        while end < rest.len() && rest[end] != mark {
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        if let Ok(word) = std::str::from_utf8(word) {
            words[at] = word;
        }
        if let [_, tail @ ..] = after {
            rest = tail;
        }
        at += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    /// [C6]
    #[test]
    fn lists_are_split_at_their_marks() {
        assert_eq!(words!("a b"), ["a", "b"]);
        assert_eq!(phrases!("rm |a b|c"), ["rm ", "a b", "c"]);
    }
}
