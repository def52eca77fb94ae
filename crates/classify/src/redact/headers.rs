//! Headers and addresses that carry credentials: `Authorization`, `Cookie`, and what stands before an `@`.

use std::ops::Range;

use super::bytes::{at, has_digit, has_letter, is_blank, is_quote, looks_random, part, rest, skip};
use super::literal::Joint;
use super::literal::is_literal;
use super::values::{joint, visible_part};

/// What stands before the secret in an `Authorization` header.
const SCHEMES: &[&str] = &[
    "basic",
    "bearer",
    "token",
    "digest",
    "negotiate",
    "apikey",
    "api-key",
    "ssws",
    "key",
    "bot",
    "oauth",
    "hawk",
    "aws4-hmac-sha256",
    "sharedkey",
    "sharedaccesssignature",
    "genie",
    "splunk",
    "private-token",
    "ntlm",
];

/// The secret of an `Authorization` header whose name is `name`.
pub(super) fn authorization(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let start = header_start(text, name)?;
    let end = header_end(text, start);
    let word = skip(text, start, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let scheme = SCHEMES.iter().any(|scheme| part(text, start..word).eq_ignore_ascii_case(scheme.as_bytes()));
    if scheme && is_blank(at(text, word)) {
        let from = skip(text, word, is_blank);
        return (from < end && is_literal(part(text, from..end))).then(|| visible_part(text, from..end))?;
    }
    // A shell would run what stands in backticks.
    if start.checked_sub(1).is_some_and(|before| at(text, before) == b'`') {
        return None;
    }
    // Without a scheme, the header's value is one word; anything else is prose or code.
    let end = skip(part(text, 0..end), start, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b',' | b')' | b';')
    });
    let value = part(text, start..end);
    let token = value.len() >= 8 && looks_random(value) && is_literal(value) && !value.contains(&b'(');
    token.then(|| visible_part(text, start..end))?
}

/// The value of a `Cookie` header, or of an option of that name: pairs of a name and a value. What is no such pair
/// is not hidden, since behind a semicolon a shell would run it.
pub(super) fn cookie(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let start = header_start(text, name)?;
    let mut end = pair_end(text, start)?;
    while at(text, end) == b';' {
        let Some(next) = pair_end(text, skip(text, end + 1, is_blank)) else { break };
        end = next;
    }
    let value = part(text, start..end);
    let secret = value.splitn(2, |byte| *byte == b'=').nth(1).unwrap_or_default();
    (secret.len() >= 4 && is_literal(secret)).then(|| visible_part(text, start..end))?
}

fn pair_end(text: &[u8], start: usize) -> Option<usize> {
    let sign = skip(text, start, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let inside = |byte: u8| {
        !byte.is_ascii_whitespace() && !is_quote(byte) && !matches!(byte, b';' | b'\\' | b'`' | b'|' | b'&')
    };
    (sign > start && at(text, sign) == b'=').then(|| skip(text, sign + 1, inside))
}

fn header_start(text: &[u8], name: &Range<usize>) -> Option<usize> {
    let (joint, place) = joint(text, name)?;
    if matches!(joint, Joint::Blank | Joint::Argument | Joint::Markup) && !is_quote(at(text, place)) {
        return None;
    }
    let start = skip(text, place, is_blank);
    let start = start + usize::from(at(text, start) == b'f' && is_quote(at(text, start + 1)));
    let opens = |byte: u8| is_quote(byte) || matches!(byte, b'\\' | b'`');
    Some(skip(part(text, 0..text.len().min(start + 6)), start, opens))
}

fn header_end(text: &[u8], start: usize) -> usize {
    let end = skip(text, start, |byte| !is_quote(byte) && !matches!(byte, b'\n' | b'\r' | b'`'));
    end - part(text, start..end).iter().rev().take_while(|byte| matches!(byte, b'\\' | b' ')).count()
}

/// The credentials in the address whose `://` stands at `sign`.
pub(super) fn address(text: &[u8], sign: usize) -> Option<(Range<usize>, &'static str)> {
    let start = sign + 3;
    let inside = |byte: u8| {
        !byte.is_ascii_whitespace() && !is_quote(byte) && !matches!(byte, b'<' | b'>' | b'`' | b'|' | b'\\')
    };
    let end = skip(text, start, |byte| inside(byte) && byte != b'/' && byte != b'?' && byte != b'#');
    let mut user = part(text, start..end).iter().rposition(|byte| *byte == b'@').map(|found| start + found);
    let colon = part(text, start..user.unwrap_or(end))
        .iter()
        .position(|byte| *byte == b':')
        .map(|found| start + found);
    if user.is_none() {
        // A password with a slash in it: what follows the colon is no port.
        let after = colon.map_or(&[] as &[u8], |colon| part(text, colon + 1..end));
        if after.is_empty() || !has_letter(after) || !has_digit(after) && after.len() < 6 {
            return webhook(text, start, end);
        }
        let word = skip(part(text, 0..text.len().min(end + 256)), end, inside);
        user = part(text, end..word).iter().position(|byte| *byte == b'@').map(|found| end + found);
    }
    let Some(user) = user else { return webhook(text, start, end) };
    if let Some(colon) = colon.filter(|colon| *colon < user) {
        let secret = part(text, colon + 1..user);
        let marked = secret.first() == Some(&b'<')
            || secret.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'));
        return (!marked && is_literal(secret))
            .then(|| Some((visible_part(text, colon + 1..user)?, "url-password")))?;
    }
    let name = part(text, start..user);
    (name.len() >= 16 && looks_random(name) && is_literal(name)).then_some((start..user, "url-token"))
}

/// The password of `user:secret@tcp(host)`, whose `@` stands at `sign`.
pub(super) fn data_source(text: &[u8], sign: usize) -> Option<Range<usize>> {
    let near = part(text, sign.saturating_sub(128)..sign);
    let inside = |byte: &&u8| !byte.is_ascii_whitespace() && !is_quote(**byte);
    let length = near.iter().rev().take_while(inside).count();
    let colon = part(text, sign - length..sign).iter().position(|byte| *byte == b':')?;
    let span = sign - length + colon + 1..sign;
    is_literal(part(text, span.clone())).then(|| visible_part(text, span))?
}

/// Addresses that are secrets themselves: whoever knows them may write there.
fn webhook(text: &[u8], start: usize, host_end: usize) -> Option<(Range<usize>, &'static str)> {
    const HOOKS: &[(&str, &str)] = &[
        ("hooks.slack.com", "/services/"),
        ("hooks.slack.com", "/workflows/"),
        ("discord.com", "/api/webhooks/"),
        ("discordapp.com", "/api/webhooks/"),
        ("api.telegram.org", "/bot"),
        ("hooks.zapier.com", "/hooks/catch/"),
    ];
    let host = part(text, start..host_end);
    let known = HOOKS
        .iter()
        .find(|(name, path)| host == name.as_bytes() && rest(text, host_end).starts_with(path.as_bytes()));
    let office = host.ends_with(b".webhook.office.com") && rest(text, host_end).starts_with(b"/webhookb2/");
    let path = known.map_or(if office { "/webhookb2/" } else { "" }, |(_, path)| path);
    if path.is_empty() {
        return None;
    }
    let from = host_end + path.len();
    let end = skip(text, from, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b':' | b'@' | b'+' | b'=')
    });
    (end - from >= 16).then_some((from..end, "webhook"))
}
