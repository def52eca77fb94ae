//! The slow, obvious reader of a model's answer, to compare the real one with (SPEC C11).

/// How the answer was asked for and how it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Stage 1 with a stop sequence, which was hit.
    FirstHit,
    /// Stage 1 with or without a stop sequence, which was not hit.
    First,
    /// Stage 2.
    Second,
}

/// `Some(false)` for "do not block", `Some(true)` for "block", `None` for everything else.
#[must_use]
pub fn read(text: &str, asked: Asked) -> Option<bool> {
    let blank = |c: char| " \t\n\r\u{c}".contains(c);
    let mut text = text.trim_start_matches(blank).to_owned();
    let has_tag = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.match_indices('<').any(|(at, _)| {
            let name = lower[at + 1..].trim_start_matches(|c: char| c == '/' || c.is_whitespace());
            ["block", "reason", "thinking"].iter().any(|tag| name.starts_with(tag))
        })
    };
    if asked == Asked::Second && text.starts_with("<thinking>") {
        let end = text.find("</thinking>")?;
        if has_tag(&text["<thinking>".len()..end]) {
            return None;
        }
        text = text[end + "</thinking>".len()..].trim_start_matches(blank).to_owned();
    }
    if asked == Asked::FirstHit && (text == "<block>no" || text == "<block>yes") {
        return Some(text == "<block>yes");
    }
    let text = text.trim_end_matches(blank);
    if text == "<block>no</block>" || text == "<block>yes</block>" {
        return Some(text == "<block>yes</block>");
    }
    let rest = text.strip_prefix("<block>yes</block>")?.trim_start_matches(blank);
    let said = rest.strip_prefix("<reason>")?.strip_suffix("</reason>")?;
    (!has_tag(said)).then_some(true)
}
