//! What reaches another machine by fetching from it: a body, a host that is there to catch what it is sent, and data
//! that is hidden in an address.

use portcullis_shell::{acts, catches};

use crate::call::ToolCall;

/// A fetch that does more than fetch: another method, or something to send along.
pub(in crate::detect) fn sends_with(call: &ToolCall) -> Option<String> {
    let method = call.text("method").unwrap_or("GET").to_ascii_uppercase();
    let sends =
        ["body", "data", "payload", "form", "json"].iter().any(|field| call.input.get(field).is_some());
    (sends || !matches!(method.as_str(), "GET" | "HEAD")).then(|| "it sends something".to_owned())
}

/// Whether the address itself carries something to somebody.
pub(in crate::detect) fn carries(call: &ToolCall) -> Option<String> {
    let url = call.text("url")?;
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    if catches(url) {
        return Some("the address is there to catch what it is sent".to_owned());
    }
    if acts(url) {
        return Some("something happens when the address is fetched".to_owned());
    }
    let hidden = rest.split(['/', '?', '&', '=', '#']).any(hides_text);
    if hidden {
        return Some("something is hidden in the address".to_owned());
    }
    names_people(rest).then(|| "the address carries data of several people".to_owned())
}

/// Whether an address holds several addresses of people: nobody looks a page up by those.
fn names_people(rest: &str) -> bool {
    let (_, query) = rest.split_once(['?', '#']).unwrap_or(("", ""));
    let plain = crate::view::named::decoded(query);
    let people = plain.split(['@']).skip(1).filter(|host| {
        let end =
            host.find(|it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-'))).unwrap_or(host.len());
        host.get(..end).is_some_and(|host| host.trim_end_matches('.').contains('.'))
    });
    people.count() >= 2
}

/// Whether a part of an address is text in base64: nobody asks a page for that.
fn hides_text(value: &str) -> bool {
    let plain = crate::view::named::decoded(value);
    let plain = plain.trim_end_matches('=');
    if plain.len() < 24 {
        return false;
    }
    let mut bits = 0_u32;
    let mut known = 0_u32;
    let mut text = Vec::new();
    for byte in plain.bytes() {
        let Some(digit) = base64_digit(byte) else { return false };
        bits = ((bits << 6) | digit) & 0xffff;
        known += 6;
        if known >= 8 {
            known -= 8;
            text.push((bits >> known) & 0xff);
        }
    }
    text.iter().all(|byte| matches!(byte, 9 | 10 | 13 | 32..=126))
}

fn base64_digit(byte: u8) -> Option<u32> {
    match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
