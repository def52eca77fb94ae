//! The one pass over the text: at each word it asks whether a token begins there, whether the word names a
//! secret, and whether a program is named that takes one as an option.

use std::ops::Range;

use super::Find;
use super::bytes::{at, has_digit, is_name, is_quote, looks_random, part, rest, skip};
use super::names::{self, Weight};
use super::{headers, literal, options, prefixes, values};

/// All that was found, in the order of the text; finds may overlap.
pub(super) fn scan(text: &[u8]) -> Vec<Find> {
    let mut pass = Pass { text, finds: Vec::new(), outer: 0, optioned: 0, env: false };
    let mut place = 0;
    while place < text.len() {
        place = pass.step(place);
    }
    if pass.env {
        let found = environment(text);
        pass.finds.extend(found);
    }
    pass.finds
}

/// The tokens alone, told by how they begin: for text that was put together from pieces.
pub(super) fn tokens(text: &[u8]) -> Vec<Find> {
    let mut finds = Vec::new();
    let mut place = 0;
    while place < text.len() {
        let begins = at(text, place).is_ascii_alphanumeric()
            && !place.checked_sub(1).is_some_and(|before| at(text, before).is_ascii_alphanumeric());
        match begins.then(|| prefixes::token_at(text, place)).flatten() {
            Some((end, kind)) => {
                finds.push(Find { span: place..end, kind });
                place = end;
            }
            None => place += 1,
        }
    }
    finds
}

struct Pass<'t> {
    text: &'t [u8],
    finds: Vec<Find>,
    /// The quote that is open, or 0.
    outer: u8,
    /// Up to where a program's options were looked at.
    optioned: usize,
    /// Whether a file of environment variables is named.
    env: bool,
}

impl Pass<'_> {
    /// Looks at what begins at `place`, and says where to go on.
    fn step(&mut self, place: usize) -> usize {
        let byte = at(self.text, place);
        if is_name(byte) {
            if byte == b'-' && rest(self.text, place).starts_with(b"-----BEGIN ") {
                return self.private_key(place);
            }
            return self.word(place);
        }
        if byte == b':' && rest(self.text, place).starts_with(b"://") {
            if let Some((span, kind)) = headers::address(self.text, place) {
                let end = span.end;
                self.finds.push(Find { span, kind });
                return end;
            }
            return place + 3;
        }
        if byte == b'@'
            && [b"@tcp(".as_slice(), b"@unix("].iter().any(|it| rest(self.text, place).starts_with(it))
        {
            let found = headers::data_source(self.text, place);
            self.finds.extend(found.map(|span| Find { span, kind: "url-password" }));
        }
        if is_quote(byte) {
            self.quote(place, byte);
        }
        place + 1
    }

    /// Follows quotes roughly: an apostrophe inside a word opens nothing.
    fn quote(&mut self, place: usize, byte: u8) {
        let before = place.checked_sub(1).map_or(0, |before| at(self.text, before));
        if self.outer == byte {
            self.outer = 0;
        } else if self.outer == 0 && before != b'\\' && !(byte == b'\'' && before.is_ascii_alphanumeric()) {
            self.outer = byte;
        }
    }

    fn word(&mut self, start: usize) -> usize {
        let (mut end, mut window, mut hinted) = (start, 0_u32, false);
        let mut boundary = true;
        while is_name(at(self.text, end)) {
            let byte = at(self.text, end);
            let begins = boundary && byte.is_ascii_alphanumeric();
            if let Some((token, kind)) = begins.then(|| prefixes::token_at(self.text, end)).flatten() {
                self.finds.push(Find { span: end..token, kind });
                return token;
            }
            boundary = !byte.is_ascii_alphanumeric();
            window = window << 8 | u32::from(byte.to_ascii_lowercase());
            hinted |= names::hints(window);
            self.env |= window == u32::from_be_bytes(*b".env");
            end += 1;
        }
        let short = end - start < 24 && start >= self.optioned;
        if let Some(options) = short.then(|| options::scan(self.text, start..end, self.outer)).flatten() {
            self.optioned = options.end;
            self.finds.extend(options.finds);
        }
        if hinted { self.named(start..end) } else { end }
    }

    /// A word that may be the name of a secret.
    fn named(&mut self, name: Range<usize>) -> usize {
        let Some(meaning) = names::meaning(part(self.text, name.clone())) else { return name.end };
        let found = match meaning.weight {
            Weight::Authorization => headers::authorization(self.text, &name),
            Weight::Cookie => headers::cookie(self.text, &name),
            Weight::Strong | Weight::Medium | Weight::Weak => {
                // A token inside a name is found by the name; one that says what it is should say so.
                values::secret(self.text, name.clone(), meaning, self.outer)
            }
        };
        let Some(span) = found else { return name.end };
        let end = span.end;
        let told = prefixes::token_at(self.text, span.start).filter(|(token, _)| *token == end);
        self.finds.push(Find { span, kind: told.map_or(meaning.kind, |(_, kind)| kind) });
        end
    }

    /// A private key, from its first line to its last. Only what is a key is taken: a text that says no more
    /// than how keys begin hides nothing.
    fn private_key(&mut self, start: usize) -> usize {
        let text = self.text;
        let near = part(text, start..text.len().min(start + 80));
        let head =
            near.windows(5).skip(10).position(|window| window == b"-----").map(|found| start + found + 15);
        let Some(head) = head.filter(|head| part(text, start..*head).windows(7).any(|it| it == b"PRIVATE"))
        else {
            return start + 5;
        };
        let (mut place, mut body) = (head, 0);
        loop {
            place = skip(text, place, |byte| {
                byte.is_ascii_whitespace() || is_quote(byte) || matches!(byte, b'\\' | b'+' | b',')
            });
            place += usize::from(at(text, place) == b'n' && at(text, place.saturating_sub(1)) == b'\\');
            place += usize::from(at(text, place) == b'r' && at(text, place.saturating_sub(1)) == b'\\');
            if rest(text, place).starts_with(b"\\n") {
                continue;
            }
            let end =
                skip(text, place, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
            let closing = rest(text, end).starts_with(b"-----END")
                || rest(
                    text,
                    skip(text, end, |byte| byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'n' | b'r')),
                )
                .starts_with(b"-----END");
            if let Some(after) = key_header(text, place) {
                place = after;
                continue;
            }
            if end - place < 16 && !closing || end == place {
                break;
            }
            (place, body) = (end, body + end - place);
        }
        let tail = rest(text, place).starts_with(b"-----END");
        let end = if tail {
            skip(text, skip(text, place + 5, |byte| !matches!(byte, b'-' | b'\n')), |byte| byte == b'-')
        } else {
            place
        };
        if body < 16 {
            return head;
        }
        let trailing = part(text, head..end)
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace() || is_quote(**byte))
            .count();
        self.finds.push(Find { span: start..end - trailing, kind: "private-key" });
        end - trailing
    }
}

/// Where a header of a private key ends; nothing if none begins here.
fn key_header(text: &[u8], place: usize) -> Option<usize> {
    let names = [b"Proc-Type: ".as_slice(), b"DEK-Info: ", b"Version: ", b"Comment: "];
    let name = names.iter().find(|name| rest(text, place).starts_with(name))?;
    Some(skip(text, place + name.len(), |byte| is_name(byte) || matches!(byte, b',' | b' ')))
}

/// Values in a file of environment variables, which is named somewhere in the text: all that are not plainly
/// harmless.
fn environment(text: &[u8]) -> Vec<Find> {
    let sample =
        [b".env.example".as_slice(), b".env.sample", b".env.template", b".env.dist", b".envrc.example"];
    let named = text.windows(4).enumerate().any(|(place, window)| {
        let bounded = !is_name(at(text, place + 4)) || matches!(at(text, place + 4), b'.' | b'r');
        let before = place.checked_sub(1).map_or(0, |before| at(text, before));
        window == b".env"
            && bounded
            && !before.is_ascii_alphanumeric()
            && before != b')'
            && before != b']'
            && !sample.iter().any(|name| rest(text, place).starts_with(name))
    });
    let mut finds = Vec::new();
    let mut place = 0;
    while named && place < text.len() {
        let end =
            skip(text, place, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        let before = place.checked_sub(1).map_or(b'\n', |before| at(text, before));
        let begins = before.is_ascii_whitespace() || is_quote(before) || before == b'n';
        if end - place < 2 || !begins || at(text, end) != b'=' {
            place = end.max(place + 1);
            continue;
        }
        let quote = Some(at(text, end + 1)).filter(|byte| is_quote(*byte));
        let start = end + 1 + usize::from(quote.is_some());
        let stop = skip(text, start, |byte| match quote {
            Some(quote) => byte != quote && byte != b'\n',
            None => {
                !byte.is_ascii_whitespace()
                    && !is_quote(byte)
                    && !matches!(byte, b'\\' | b';' | b'&' | b'|' | b')')
            }
        });
        if is_private(part(text, start..stop)) {
            let span = values::visible_part(text, start..stop);
            finds.extend(span.map(|span| Find { span, kind: "env-value" }));
        }
        place = stop.max(place + 1);
    }
    finds
}

/// Whether a value of the environment may be a secret.
fn is_private(value: &[u8]) -> bool {
    let kinds = |piece: &[u8]| {
        has_digit(piece)
            && piece.iter().any(u8::is_ascii_lowercase)
            && piece.iter().any(u8::is_ascii_uppercase)
    };
    let rooted = value.first().is_some_and(|byte| matches!(byte, b'/' | b'.' | b'~'));
    let path = value.contains(&b'/') && !value.split(|byte| *byte == b'/').any(kinds);
    let address = rooted || path || value.windows(3).any(|window| window == b"://");
    let host =
        value.contains(&b'.') && value.iter().all(|byte| is_name(*byte) || *byte == b':') && value.len() < 40;
    value.len() >= 8
        && looks_random(value)
        && has_digit(value)
        && !address
        && !host
        && literal::is_literal(value)
        || value.len() >= 24 && looks_random(value) && !address && literal::is_literal(value)
}
