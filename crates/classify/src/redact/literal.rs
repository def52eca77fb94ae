//! Whether a value is a secret written out: references such as `$TOKEN`, placeholders, types, paths and prose
//! are not.

use super::bytes::{at, has_digit, has_letter, holds, is_name, looks_random, rest, skip};
use super::names::Weight;

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Joint {
    /// `NAME=value`.
    Tight,
    /// `name = value`, `name := value`, `"name" => value`.
    Spaced,
    /// `name: value`.
    Colon,
    /// `--name value`.
    Option,
    /// `name value`.
    Blank,
    /// `"name", "value"` and `name("value")`.
    Argument,
    /// `<name>value<`.
    Markup,
    /// `${NAME:-value}`.
    Fallback,
}

/// One value, and what is known about it.
pub(super) struct Asked<'t> {
    pub(super) value: &'t [u8],
    pub(super) joint: Joint,
    /// Whether it stands in quotes.
    pub(super) quoted: bool,
    /// The byte behind it.
    pub(super) follows: u8,
    pub(super) name: &'t [u8],
    /// Whether a login stands before it, as in `.netrc`.
    pub(super) after_login: bool,
}

impl Asked<'_> {
    pub(super) fn is_secret(&self, weight: Weight, whole_line: &dyn Fn() -> bool) -> bool {
        let value = self.value;
        if !is_literal(value) || is_filler(value) || value.eq_ignore_ascii_case(self.name) {
            return false;
        }
        if is_place(value) || !self.quoted && (self.follows == b'(' || is_reference(value)) {
            return false;
        }
        if self.joint == Joint::Option && value.first() == Some(&b'-') {
            return false;
        }
        match weight {
            Weight::Strong => self.is_password(whole_line),
            Weight::Medium => self.is_token(),
            Weight::Weak => self.is_bare_key(),
            Weight::Authorization | Weight::Cookie => false,
        }
    }

    fn is_password(&self, whole_line: &dyn Fn() -> bool) -> bool {
        let value = self.value;
        if value.contains(&b' ') {
            return self.quoted && !is_prose(value);
        }
        match self.joint {
            Joint::Argument => {
                let constant = !self.name.iter().any(u8::is_ascii_lowercase) && !is_upper_name(value);
                self.quoted && (constant || is_token_like(value))
            }
            // In `.netrc`, a login stands before it.
            Joint::Blank if self.after_login => true,
            Joint::Blank if self.quoted && self.is_constant() => !is_upper_name(value),
            Joint::Blank => {
                value.len() >= 6
                    && has_letter(value)
                    && has_digit(value)
                    && !is_upper_name(value)
                    && !is_words(value)
            }
            Joint::Option => !value.starts_with(b"id=") && !value.starts_with(b"type="),
            Joint::Markup | Joint::Fallback => true,
            Joint::Tight if !self.quoted => {
                let code = matches!(self.follows, b')' | b',') && is_identifier(value) && !has_digit(value);
                let counted = self.name == b"pass" && !has_letter(value);
                !code && !counted && (has_letter(value) || value.len() >= 4)
            }
            Joint::Spaced | Joint::Colon if !self.quoted => {
                let odd =
                    !is_identifier(value) && (has_digit(value) || value.len() >= 8) && has_letter(value);
                let plain = value.len() >= 3 && !matches!(self.follows, b';' | b',' | b')' | b'.');
                odd || plain && whole_line()
            }
            Joint::Tight | Joint::Spaced | Joint::Colon => has_letter(value) || value.len() >= 4,
        }
    }

    fn is_token(&self) -> bool {
        let value = self.value;
        if value.contains(&b' ') {
            // A scheme and its token.
            let last = value.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
            return self.quoted && value.split(|byte| *byte == b' ').count() == 2 && is_token_like(last);
        }
        match self.joint {
            Joint::Blank => {
                let least = if self.is_constant() { 8 } else { 12 };
                value.len() >= least && is_token_like(value) && has_digit(value)
            }
            Joint::Argument => self.quoted && value.len() >= 16 && is_token_like(value),
            Joint::Tight | Joint::Spaced | Joint::Colon | Joint::Option | Joint::Markup | Joint::Fallback => {
                let upper = self.name.iter().all(|byte| !byte.is_ascii_lowercase());
                let blunt = upper
                    && self.joint == Joint::Tight
                    && value.len() >= 8
                    && value.iter().all(u8::is_ascii_alphabetic);
                let code = !self.quoted
                    && self.joint != Joint::Option
                    && is_identifier(value)
                    && matches!(self.follows, b'.' | b')' | b',' | b';');
                is_token_like(value) && !(code && value.len() < 16) || blunt
            }
        }
    }

    /// Whether the name is that of a constant or of a variable of the environment.
    fn is_constant(&self) -> bool {
        self.name.contains(&b'_') && !self.name.iter().any(u8::is_ascii_lowercase)
    }

    fn is_bare_key(&self) -> bool {
        let value = self.value;
        let plain = |byte: &u8| is_name(*byte) || matches!(byte, b'+' | b'/' | b'=' | b'%');
        let hash = value.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
        let joined = matches!(self.joint, Joint::Tight | Joint::Spaced | Joint::Colon);
        let mixed = value.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase);
        joined
            && value.len() >= 20
            && value.iter().all(plain)
            && !hash
            && mixed
            && has_digit(value)
            && !has_words(value)
    }
}

/// Whether enough of the value is written out: `$TOKEN`, `${TOKEN}` and `{token}` only say where it is.
pub(super) fn is_literal(value: &[u8]) -> bool {
    if is_crypt(value) {
        return true;
    }
    let mut left = 0;
    let mut place = 0;
    while place < value.len() {
        match (at(value, place), at(value, place + 1)) {
            (b'$' | b'#', b'{') | (b'{', _) => place = skip(value, place, |byte| byte != b'}') + 1,
            (b'$', b'(') => place = skip(value, place, |byte| byte != b')') + 1,
            (b'$', next) if next == b'_' || next.is_ascii_alphabetic() => {
                place = skip(value, place + 1, |byte| byte == b'_' || byte.is_ascii_alphanumeric());
            }
            (byte, _) => {
                left += usize::from(byte.is_ascii_alphanumeric() || byte >= 0x80);
                place += 1;
            }
        }
    }
    let references = value.iter().any(|byte| matches!(byte, b'$' | b'{'));
    if references { left >= 4 } else { left >= 1 }
}

/// `$2b$…`, `$6$…`: a password's hash.
fn is_crypt(value: &[u8]) -> bool {
    let end = skip(value, 1, |byte| byte.is_ascii_alphanumeric());
    at(value, 0) == b'$' && (2..=10).contains(&end) && at(value, end) == b'$' && value.len() > 16
}

/// Words that stand where a value would, and types.
const FILLERS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nil",
    "undefined",
    "yes",
    "no",
    "on",
    "off",
    "required",
    "optional",
    "string",
    "str",
    "int",
    "integer",
    "bool",
    "boolean",
    "bytes",
    "any",
    "number",
    "object",
    "text",
    "secretstr",
    "varchar",
    "unknown",
    "empty",
    "missing",
    "invalid",
    "valid",
    "set",
    "unset",
    "not",
    "is",
    "and",
    "or",
    "for",
    "the",
    "a",
    "in",
    "to",
    "of",
    "from",
    "with",
    "via",
    "expired",
    "never",
    "always",
    "prompt",
    "stdin",
    "env",
    "file",
    "here",
    "char",
    "const",
    "let",
    "self",
    "this",
    "new",
    "await",
    "func",
    "function",
    "lambda",
    "if",
    "else",
    "return",
];

fn is_filler(value: &[u8]) -> bool {
    let first = at(value, 0);
    let same = value.iter().all(|byte| *byte == first) && !first.is_ascii_alphanumeric();
    let lead =
        [b"your".as_slice(), b"my-", b"xxx", b"replace", b"...", b"***", b"todo", b"insert", b"placeholder"];
    let leads =
        lead.iter().any(|lead| value.get(..lead.len()).is_some_and(|it| it.eq_ignore_ascii_case(lead)));
    let percent = value.len() > 2 && first == b'%' && value.last() == Some(&b'%');
    let listed = FILLERS.iter().any(|filler| value.eq_ignore_ascii_case(filler.as_bytes()));
    same || leads && !(value.len() >= 16 && has_digit(value))
        || percent
        || listed
        || matches!(first, b'<' | b'!' if has_tag(value))
}

/// `<password>` and `!ref`.
fn has_tag(value: &[u8]) -> bool {
    value.last() == Some(&b'>') || value.starts_with(b"!") && !has_digit(value)
}

/// A path or an address: where something is, not what it is.
pub(super) fn is_place(value: &[u8]) -> bool {
    let rooted = [b"/".as_slice(), b"./", b"../", b"~/", b"C:\\"].iter().any(|root| value.starts_with(root));
    let wordy = value.split(|byte| *byte == b'/').all(|piece| piece.len() < 24 || !has_digit(piece));
    rooted
        && wordy
        && !value.contains(&b'+')
        && !value.contains(&b'=')
        && value.iter().skip(1).any(|byte| matches!(byte, b'/' | b'.' | b'-' | b'_'))
        || value.windows(3).any(|window| window == b"://")
}

/// `self.password`, `process.env.TOKEN`, `config::PASSWORD`.
fn is_reference(value: &[u8]) -> bool {
    let pieces = value.split(|byte| matches!(byte, b'.' | b':'));
    value.contains(&b'.')
        && pieces.clone().count() > 1
        && pieces.clone().all(|piece| piece.is_empty() || is_identifier(piece) && piece.len() < 24)
        && !value.iter().all(u8::is_ascii_digit)
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() < 3
}

fn is_identifier(value: &[u8]) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    value.iter().all(word) && !at(value, 0).is_ascii_digit()
}

/// `DB_PASSWORD_V2`: the name of a variable.
fn is_upper_name(value: &[u8]) -> bool {
    value.contains(&b'_')
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && value.split(|byte| *byte == b'_').all(|piece| piece.len() < 14)
}

pub(super) fn is_token_like(value: &[u8]) -> bool {
    let printed = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'(' | b'"');
    value.len() >= 8
        && value.iter().all(printed)
        && looks_random(value)
        && !is_upper_name(value)
        && !is_words(value)
        && !value.ends_with(b":")
}

/// `my-key-v2`: words and small numbers, joined.
fn is_words(value: &[u8]) -> bool {
    let mut pieces = value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b','));
    let plain = |piece: &[u8]| {
        let digits = piece.iter().filter(|byte| byte.is_ascii_digit()).count();
        let head = skip(piece, 0, |byte| byte.is_ascii_lowercase());
        let capital = at(piece, 0).is_ascii_uppercase() && rest(piece, 1).iter().all(u8::is_ascii_lowercase);
        piece.len() < 13
            && (capital
                || head + digits == piece.len() && digits < 4 && (head == 0 || head > 1 || digits < 2))
    };
    pieces.clone().count() > 1 && pieces.all(plain)
}

/// Whether a piece of the value is a long word of small letters.
fn has_words(value: &[u8]) -> bool {
    let mut pieces = value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/'));
    pieces.clone().count() > 2
        && pieces.any(|piece| piece.len() >= 4 && piece.iter().all(u8::is_ascii_lowercase))
}

/// A sentence about a secret, not a secret of several words.
fn is_prose(value: &[u8]) -> bool {
    let about =
        [b"password".as_slice(), b"passphrase", b"secret", b"token", b" key", b"your ", b"must ", b"should "];
    let stop = value.last().is_some_and(|byte| matches!(byte, b'.' | b'?' | b':' | b'!'));
    stop && !has_digit(value) || about.iter().any(|word| holds(value, word))
}
