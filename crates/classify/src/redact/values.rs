//! Where the value of a name stands: behind which sign, in which quotes, up to where.

use std::ops::Range;

use super::bytes::{at, is_blank, is_name, is_quote, part, rest, skip};
use super::literal::{Asked, Joint, is_literal, is_place, is_token_like};
use super::names::{Meaning, Weight};

/// How much of a value is looked at before it is believed.
const LOOK: usize = 512;

/// A value as it is written.
#[derive(Clone, Debug)]
struct Written {
    span: Range<usize>,
    quoted: bool,
}

/// The secret that the name in `name` is given, if it is one. `outer` is the quote that is open around it.
pub(super) fn secret(text: &[u8], name: Range<usize>, meaning: Meaning, outer: u8) -> Option<Range<usize>> {
    let (joint, place) = joint(text, &name)?;
    // A quote right behind the name is the one that was opened before it.
    let outer = if at(text, name.end) == outer { 0 } else { outer };
    if meaning.weight == Weight::Medium && at(text, skip(text, place, is_blank)) == b'(' {
        return second_of_pair(text, place);
    }
    let mut written = written(text, place, joint, outer)?;
    if !written.quoted && part(text, written.span.clone()).ends_with(b":") {
        written.span.end -= 1;
    }
    let value = part(text, written.span.start..written.span.end.min(written.span.start + LOOK));
    // Keys are found by how they begin, to their last line.
    if value.starts_with(b"-----BEGIN ") {
        return None;
    }
    // A comma without a blank behind it joins settings; one with a blank joins arguments.
    let follows = match (at(text, written.span.end), at(text, written.span.end + 1)) {
        (b',', next) if next.is_ascii_alphanumeric() => 0,
        (byte, _) => byte,
    };
    let near = part(text, name.start.saturating_sub(80)..name.start);
    let after_login = joint == Joint::Blank && near.windows(6).any(|window| window == b"login ");
    let (quoted, name_text) = (written.quoted, part(text, name.clone()));
    let asked = Asked { value, joint, quoted, follows, name: name_text, after_login };
    let whole_line = || is_whole_line(text, &name, &written.span);
    if asked.is_secret(meaning.weight, &whole_line) {
        // It is believed: now it may be read to its end.
        if !written.quoted && written.span.len() >= LOOK {
            written.span.end = ends(text, written.span.end, joint, outer);
        }
        return visible_part(text, written.span);
    }
    (!written.quoted && matches!(joint, Joint::Tight | Joint::Spaced | Joint::Colon))
        .then(|| literal_behind(text, written.span.end))
        .flatten()
}

/// What follows a name, and where its value begins.
pub(super) fn joint(text: &[u8], name: &Range<usize>) -> Option<(Joint, usize)> {
    let closed = skip(part(text, 0..text.len().min(name.end + 6)), name.end, |byte| {
        is_quote(byte) || matches!(byte, b'\\' | b']' | b'`')
    });
    let quoted = closed > name.end;
    if let Some(place) = value_word(text, closed) {
        return Some((Joint::Colon, place));
    }
    let next = skip(text, closed, is_blank);
    let before = name.start.checked_sub(1).map_or(0, |before| at(text, before));
    let braced = before == b'{' && name.start.checked_sub(2).is_some_and(|dollar| at(text, dollar) == b'$');
    match (at(text, next), at(text, next + 1)) {
        (b':', b'-' | b'=') if braced => Some((Joint::Fallback, next + 2)),
        (b'-', _) if braced && next == name.end => Some((Joint::Fallback, next + 1)),
        (b'=', b'=' | b'>') => Some((Joint::Spaced, skip(text, next, |byte| matches!(byte, b'=' | b'>')))),
        (b'=', after) => {
            let tight = next == name.end && !is_blank(after) && !quoted;
            Some((if tight { Joint::Tight } else { Joint::Spaced }, next + 1))
        }
        (b':', b'=') => Some((Joint::Spaced, next + 2)),
        (b':', b':' | b'/') => None,
        (b':', _) => Some((Joint::Colon, next + 1)),
        (b'+' | b'?', b'=') => Some((Joint::Spaced, next + 2)),
        (b'<', b'-') if next > name.end => Some((Joint::Spaced, next + 2)),
        (b'<', b'<') if at(text, next + 2) == b'<' => Some((Joint::Spaced, next + 3)),
        (b'>', _) if before == b'<' => Some((Joint::Markup, next + 1)),
        (b'%', b'3') if at(text, next + 2).eq_ignore_ascii_case(&b'd') => Some((Joint::Tight, next + 3)),
        (b',', _) if quoted => Some((Joint::Argument, next + 1)),
        (b'(', _) => Some((Joint::Argument, next + 1)),
        // The end of a path is the name of a file.
        (_, _) if before == b'/' || part(text, name.clone()).contains(&b'.') => None,
        (_, _) if next > closed && !quoted => {
            let option = at(text, name.start) == b'-';
            Some((if option { Joint::Option } else { Joint::Blank }, next))
        }
        (_, _) => None,
    }
}

/// `name: X` and `value: y` beside each other, as in Kubernetes, in lists of variables and in XML.
fn value_word(text: &[u8], place: usize) -> Option<usize> {
    let near = part(text, 0..text.len().min(place + 64));
    let word =
        skip(near, place, |byte| is_blank(byte) || is_quote(byte) || matches!(byte, b',' | b'\n' | b'\\'));
    if !rest(text, word).get(..5)?.eq_ignore_ascii_case(b"value") || word == place {
        return None;
    }
    let sign = skip(near, word + 5, |byte| is_blank(byte) || is_quote(byte) || byte == b'\\');
    matches!(at(text, sign), b':' | b'=').then_some(sign + 1)
}

fn written(text: &[u8], place: usize, joint: Joint, outer: u8) -> Option<Written> {
    let mut start = if joint == Joint::Tight { place } else { skip(text, place, is_blank) };
    // A block of YAML begins on the next line.
    if matches!(at(text, start), b'|' | b'>') {
        let line = skip(text, start, |byte| matches!(byte, b'|' | b'>' | b'-' | b'+'));
        if at(text, line) != b'\n' {
            return None;
        }
        start = skip(text, line + 1, is_blank);
    }
    if joint == Joint::Colon {
        start = typed(text, start).unwrap_or(start);
    }
    let marked = skip(part(text, 0..text.len().min(start + 2)), start, |byte| {
        matches!(byte, b'b' | b'B' | b'r' | b'R' | b'f' | b'F' | b'u' | b'L' | b'@' | b'$')
    });
    let opened = if is_quote(at(text, marked)) { marked } else { start };
    let escapes = skip(part(text, 0..text.len().min(opened + 8)), opened, |byte| byte == b'\\') - opened;
    let quote = at(text, opened + escapes);
    // The quote that is open around the name ends its value before it begins.
    if is_quote(quote) && (quote != outer || escapes > 0) {
        return Some(quoted(text, opened, escapes, quote, outer));
    }
    if quote == b'`' {
        return template(text, opened, joint);
    }
    let end = ends(part(text, 0..text.len().min(start + LOOK)), start, joint, outer);
    (end > start).then_some(Written { span: start..end, quoted: false })
}

/// A text of JavaScript in backticks. A shell would run what stands in them: only what can be nothing but a token
/// is one.
fn template(text: &[u8], opened: usize, joint: Joint) -> Option<Written> {
    let near = part(text, 0..text.len().min(opened + LOOK));
    let close = skip(near, opened + 1, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let value = part(text, opened + 1..close);
    let joined = matches!(joint, Joint::Spaced | Joint::Colon | Joint::Argument);
    let token = joined && at(near, close) == b'`' && value.len() >= 16 && is_token_like(value);
    token.then_some(Written { span: opened + 1..close, quoted: true })
}

/// Where a value without quotes ends.
fn ends(text: &[u8], start: usize, joint: Joint, outer: u8) -> usize {
    match joint {
        Joint::Markup => skip(text, start, |byte| !matches!(byte, b'<' | b'\n')),
        Joint::Fallback => skip(text, start, |byte| !matches!(byte, b'}' | b'\n' | b'"')),
        Joint::Tight | Joint::Spaced | Joint::Colon | Joint::Option | Joint::Blank | Joint::Argument => {
            bare(text, start, outer)
        }
    }
}

/// `name: Type = "value"`: where the value begins.
fn typed(text: &[u8], start: usize) -> Option<usize> {
    let near = part(text, 0..text.len().min(start + 48));
    let end = skip(near, start, |byte| {
        is_name(byte) || matches!(byte, b'&' | b'\'' | b'[' | b']' | b'<' | b'>' | b'|' | b' ' | b'?')
    });
    if at(near, end) != b'=' || end == start || at(near, end + 1) == b'=' {
        return None;
    }
    let value = skip(near, end + 1, is_blank);
    is_quote(at(near, value)).then_some(value)
}

/// A text in quotes, with everything that a shell would join to it.
fn quoted(text: &[u8], opened: usize, escapes: usize, quote: u8, outer: u8) -> Written {
    let inner = opened + escapes + 1;
    let mut close = inner;
    loop {
        close = skip(text, close, |byte| byte != quote);
        let behind = part(text, inner..close).iter().rev().take_while(|byte| **byte == b'\\').count();
        let closes = behind <= escapes && (behind == 0 || escapes > 0) || escapes == 0 && behind % 2 == 0;
        if close >= text.len() || closes {
            close -= if escapes > 0 { behind.min(close - inner) } else { 0 };
            break;
        }
        close += 1;
    }
    let after = (close + escapes + 1).min(text.len());
    let next = at(text, after);
    if is_quote(next) && next != outer || next.is_ascii_alphanumeric() {
        let joined = bare(part(text, 0..text.len().min(after + LOOK)), after, outer);
        if joined > after {
            return Written { span: opened..joined, quoted: true };
        }
    }
    Written { span: inner..close.max(inner), quoted: true }
}

/// Where a word without quotes around it ends; quotes inside it belong to it.
fn bare(text: &[u8], start: usize, outer: u8) -> usize {
    let mut place = start;
    loop {
        let byte = at(text, place);
        let next = at(text, place + 1);
        match byte {
            0 if place >= text.len() => return place.min(text.len()),
            b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'`' => {
                return place;
            }
            _ if byte.is_ascii_whitespace() => return place,
            b'$' if next == b'(' => return place,
            b'$' if next == b'{' => place = skip(text, place, |byte| byte != b'}') + 1,
            b',' if is_quote(next) || next.is_ascii_whitespace() || next == 0 => return place,
            b',' if at(text, skip(text, place + 1, |byte| is_name(byte) && byte != b'-')) == b'=' => {
                return place;
            }
            b'\\' if matches!(next, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'\n' | 0) => return place,
            b'\\' => place += 2,
            b'"' | b'\'' if byte == outer => return place,
            b'"' | b'\'' => {
                let close = skip(text, place + 1, |inner| inner != byte && inner != b'\n');
                if at(text, close) != byte {
                    return place;
                }
                place = close + 1;
            }
            _ => place += 1,
        }
    }
}

/// Whether the line holds nothing but the name and its value, as in YAML and INI files.
fn is_whole_line(text: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let near = part(text, name.start.saturating_sub(80)..name.start);
    let before = near.iter().rev().take_while(|byte| **byte != b'\n');
    let clear = before.clone().all(|byte| is_blank(*byte) || is_quote(*byte) || *byte == b'-');
    let after = skip(text, value.end, |byte| is_blank(byte) || is_quote(byte));
    clear && (after >= text.len() || matches!(at(text, after), b'\n' | b'\r'))
}

/// The value without what would run: a substitution stays where a reader can see it, and so does a command.
pub(super) fn visible_part(text: &[u8], span: Range<usize>) -> Option<Range<usize>> {
    let value = part(text, span.clone());
    // No secret but a key goes over several lines, and keys are found by how they begin.
    let line = value.iter().position(|byte| *byte == b'\n').unwrap_or(value.len());
    let value = part(value, 0..line);
    let substitution = value.windows(2).position(|window| window == b"$(");
    let backtick = value.iter().position(|byte| *byte == b'`');
    let mut end = value.len().min(substitution.unwrap_or(usize::MAX)).min(backtick.unwrap_or(usize::MAX));
    let blank = value.iter().position(u8::is_ascii_whitespace);
    let operator = |byte: &u8| matches!(byte, b'|' | b';' | b'&' | b'<' | b'>');
    if let Some(blank) = blank.filter(|_| value.iter().any(operator)) {
        end = end.min(blank);
    }
    (end > 0).then_some(span.start..span.start + end)
}

/// `('user', 'secret')`: the second of two texts.
fn second_of_pair(text: &[u8], place: usize) -> Option<Range<usize>> {
    let near = part(text, 0..text.len().min(place + 200));
    let mut place = skip(near, place, |byte| is_blank(byte) || byte == b'(');
    let mut second = None;
    for _ in 0..2 {
        let quote = at(near, place);
        let close = skip(near, place + 1, |byte| byte != quote);
        if !is_quote(quote) || at(near, close) != quote {
            return None;
        }
        second = Some(place + 1..close);
        place = skip(near, close + 1, |byte| is_blank(byte) || byte == b',');
    }
    let second = second.filter(|span| is_literal(part(text, span.clone())) && span.len() >= 4)?;
    visible_part(text, second)
}

/// A secret in quotes behind a call or an `||`: `getenv("X") or "s3cr3t"`.
fn literal_behind(text: &[u8], place: usize) -> Option<Range<usize>> {
    let line = skip(part(text, 0..text.len().min(place + 120)), place, |byte| !matches!(byte, b'\n' | b';'));
    let mut place = place;
    for _ in 0..4 {
        let open = skip(part(text, 0..line), place, |byte| !is_quote(byte));
        let quote = at(text, open);
        let close = skip(text, open + 1, |byte| byte != quote && byte != b'\n');
        if open >= line || at(text, close) != quote {
            return None;
        }
        let value = part(text, open + 1..close);
        if value.len() >= 12
            && is_token_like(value)
            && is_literal(value)
            && !is_place(value)
            && !value.contains(&b'/')
        {
            return visible_part(text, open + 1..close);
        }
        place = close + 1;
    }
    None
}
