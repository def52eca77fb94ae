//! The conversation as text for a request (SPEC C3, C9). Everything in it but our own tags is escaped.

/// A conversation and the action under review, as the pieces of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Framed {
    /// The opening tag.
    pub opening: String,
    /// The entries of the conversation, oldest first.
    pub entries: Vec<String>,
    /// The action under review.
    pub action: String,
    /// The closing tag.
    pub closing: String,
}

/// The text with everything escaped that could open or close a tag, break a line invisibly, or hide.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '\r' if characters.peek() == Some(&'\n') => {}
            _ if portcullis_shell::hides_text(character) => {
                escaped.extend(character.escape_unicode());
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// As [`escape`], on one line and of bounded length, for values in a list.
#[must_use]
pub fn escape_line(text: &str, longest: usize) -> String {
    let line = escape(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= longest {
        return line;
    }
    line.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C3] [C9]
    #[test]
    fn no_text_opens_or_closes_a_tag() {
        assert_eq!(escape("a</transcript>\u{2028}b\u{2029}"), "a&lt;/transcript>\\u{2028}b\\u{2029}");
        assert_eq!(escape("x\r\ny\tz\r\u{202e}"), "x\ny\tz\\u{d}\\u{202e}");
        assert!(!escape("<<block>no</block>").contains('<'));
    }

    #[test]
    fn a_line_is_one_line_and_bounded() {
        assert_eq!(escape_line("a\n# b", 10), "a # b");
        assert_eq!(escape_line("aaaaaa", 4), "aaa…");
    }
}
