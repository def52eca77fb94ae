//! Programs that take a secret as an option or an operand whose name does not say so: one flat table.

use std::ops::Range;

use super::Find;
use super::bytes::{Pairs, at, has_letter, is_blank, is_quote, part, rest, skip};
use super::literal::is_literal;
use super::values::visible_part;

/// How an option of a program holds a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The next word, or what is attached to the option.
    Next,
    /// Only what is attached: the next word is something else.
    Attached,
    /// `user:secret` or `user%secret`: what follows the sign.
    Pair(u8),
    /// `name=secret`: what follows the sign.
    Given,
    /// The word after so many operands.
    Operand(usize),
    /// The words after `echo`, piped into it.
    Piped,
}

/// A program, a word that has to stand in its line (or nothing), an option, and how it holds a secret.
type Row = (&'static str, &'static str, &'static str, Form);

const ROWS: &[Row] = &[
    ("curl", "", "-u", Form::Pair(b':')),
    ("curl", "", "--user", Form::Pair(b':')),
    ("curl", "", "-U", Form::Pair(b':')),
    ("curl", "", "--proxy-user", Form::Pair(b':')),
    ("curl", "", "-E", Form::Pair(b':')),
    ("curl", "", "--cert", Form::Pair(b':')),
    ("curl", "", "-b", Form::Given),
    ("curl", "", "--oauth2-bearer", Form::Next),
    ("curl", "", "--pass", Form::Next),
    ("http", "", "-a", Form::Pair(b':')),
    ("http", "", "--auth", Form::Pair(b':')),
    ("https", "", "-a", Form::Pair(b':')),
    ("xh", "", "-a", Form::Pair(b':')),
    ("mysql", "", "-p", Form::Attached),
    ("mysqldump", "", "-p", Form::Attached),
    ("mysqladmin", "", "-p", Form::Attached),
    ("mysqlimport", "", "-p", Form::Attached),
    ("mysqlshow", "", "-p", Form::Attached),
    ("mysqlsh", "", "-p", Form::Attached),
    ("mariadb", "", "-p", Form::Attached),
    ("mariadb-dump", "", "-p", Form::Attached),
    ("mariadb-admin", "", "-p", Form::Attached),
    ("sshpass", "", "-p", Form::Next),
    ("docker", "login", "-p", Form::Next),
    ("podman", "login", "-p", Form::Next),
    ("nerdctl", "login", "-p", Form::Next),
    ("buildah", "login", "-p", Form::Next),
    ("helm", "login", "-p", Form::Next),
    ("oras", "login", "-p", Form::Next),
    ("az", "login", "-p", Form::Next),
    ("oc", "login", "-p", Form::Next),
    ("argocd", "login", "--password", Form::Next),
    ("skopeo", "", "--creds", Form::Pair(b':')),
    ("skopeo", "", "--src-creds", Form::Pair(b':')),
    ("skopeo", "", "--dest-creds", Form::Pair(b':')),
    ("redis-cli", "", "-a", Form::Next),
    ("mongo", "", "-p", Form::Next),
    ("mongosh", "", "-p", Form::Next),
    ("mongodump", "", "-p", Form::Next),
    ("mongorestore", "", "-p", Form::Next),
    ("sqlcmd", "", "-P", Form::Next),
    ("bcp", "", "-P", Form::Next),
    ("sqlplus", "", "", Form::Pair(b'/')),
    ("ldapsearch", "", "-w", Form::Next),
    ("ldapmodify", "", "-w", Form::Next),
    ("ldapadd", "", "-w", Form::Next),
    ("ldapdelete", "", "-w", Form::Next),
    ("ldappasswd", "", "-w", Form::Next),
    ("ldapwhoami", "", "-w", Form::Next),
    ("smbclient", "", "-U", Form::Pair(b'%')),
    ("rpcclient", "", "-U", Form::Pair(b'%')),
    ("htpasswd", "", "-b", Form::Operand(3)),
    ("htpasswd", "", "-bc", Form::Operand(3)),
    ("htpasswd", "", "-cb", Form::Operand(3)),
    ("htpasswd", "", "-bB", Form::Operand(3)),
    ("htpasswd", "", "-nb", Form::Operand(2)),
    ("htpasswd", "", "-nbB", Form::Operand(2)),
    ("openssl", "", "-k", Form::Next),
    ("openssl", "", "-K", Form::Next),
    ("openssl", "", "-passin", Form::Pair(b':')),
    ("openssl", "", "-passout", Form::Pair(b':')),
    ("openssl", "", "-pass", Form::Pair(b':')),
    ("zip", "", "-P", Form::Next),
    ("unzip", "", "-P", Form::Next),
    ("7z", "", "-p", Form::Attached),
    ("7za", "", "-p", Form::Attached),
    ("7zz", "", "-p", Form::Attached),
    ("rar", "", "-p", Form::Attached),
    ("unrar", "", "-p", Form::Attached),
    ("useradd", "", "-p", Form::Next),
    ("usermod", "", "-p", Form::Next),
    ("xfreerdp", "", "/p:", Form::Attached),
    ("rdesktop", "", "-p", Form::Next),
    ("lftp", "", "-u", Form::Pair(b',')),
    ("ncftp", "", "-p", Form::Next),
    ("snmpwalk", "", "-A", Form::Next),
    ("snmpwalk", "", "-X", Form::Next),
    ("snmpget", "", "-A", Form::Next),
    ("wpa_passphrase", "", "", Form::Operand(2)),
    ("vault", "login", "", Form::Operand(2)),
    ("gh", "secret", "-b", Form::Next),
    ("gh", "secret", "--body", Form::Next),
    ("kubectl", "secret", "--from-literal", Form::Given),
    ("oc", "secret", "--from-literal", Form::Given),
    ("fly", "secrets", "", Form::Given),
    ("flyctl", "secrets", "", Form::Given),
    ("doppler", "secrets", "", Form::Given),
    ("heroku", "config:set", "", Form::Given),
    ("supabase", "secrets", "", Form::Given),
    ("echo", "--password-stdin", "", Form::Piped),
    ("echo", "--stdin", "", Form::Piped),
    ("echo", "-S", "", Form::Piped),
    ("echo", "chpasswd", "", Form::Piped),
    ("echo", "--with-token", "", Form::Piped),
    ("echo", "--passphrase-fd", "", Form::Piped),
    ("printf", "--password-stdin", "", Form::Piped),
    ("printf", "-S", "", Form::Piped),
    ("printf", "chpasswd", "", Form::Piped),
    ("printf", "--with-token", "", Form::Piped),
];

#[expect(clippy::indexing_slicing, reason = "worked out by the compiler, which would refuse a wrong index")]
const PROGRAMS: Pairs = {
    let (mut pairs, mut index) = (Pairs::NONE, 0);
    while index < ROWS.len() {
        pairs = pairs.with(ROWS[index].0);
        index += 1;
    }
    pairs
};

/// What was found in the line of a program.
pub(super) struct Options {
    pub(super) finds: Vec<Find>,
    /// Up to where was looked.
    pub(super) end: usize,
}

/// The secrets among the options of the program named at `name`; nothing if it is not in the table.
pub(super) fn scan(text: &[u8], name: Range<usize>, outer: u8) -> Option<Options> {
    let program = part(text, name.clone());
    if !PROGRAMS.may_hold(at(program, 0), at(program, 1)) {
        return None;
    }
    let rows = || ROWS.iter().filter(|row| row.0.as_bytes() == program);
    rows().next()?;
    let (words, end) = words(text, name.end, outer);
    let line = part(text, name.end..line_end(text, end, outer));
    let mut finds = Vec::new();
    for row in rows().filter(|row| row.1.is_empty() || has_word(line, row.1)) {
        take(text, &words, row, &mut finds);
    }
    Some(Options { finds, end })
}

fn take(text: &[u8], words: &[Range<usize>], row: &Row, finds: &mut Vec<Find>) {
    let (_, _, option, form) = *row;
    let mut add = |span: Option<Range<usize>>| {
        finds.extend(span.map(|span| Find { span, kind: "password" }));
    };
    let operands = || words.iter().filter(|word| at(text, word.start) != b'-');
    match form {
        Form::Operand(place) => {
            if option.is_empty() || words.iter().any(|word| part(text, (*word).clone()) == option.as_bytes())
            {
                add(operands().nth(place - 1).and_then(|word| written_out(text, inner(text, word), 0)));
            }
        }
        Form::Piped => operands().for_each(|word| add(written_out(text, inner(text, word), b':'))),
        Form::Given | Form::Pair(_) if option.is_empty() => {
            operands().for_each(|word| add(by_form(text, inner(text, word), form)));
        }
        Form::Given | Form::Pair(_) | Form::Next | Form::Attached => {
            for (index, word) in words.iter().enumerate() {
                let Some(attached) = part(text, word.clone()).strip_prefix(option.as_bytes()) else {
                    continue;
                };
                let long = option.starts_with("--");
                let span = match attached.first() {
                    None if form == Form::Attached => None,
                    None => words.get(index + 1).map(|next| inner(text, next)),
                    Some(b'=') if long => Some(inner(text, &(word.start + option.len() + 1..word.end))),
                    Some(_) if long => None,
                    Some(_) => Some(inner(text, &(word.start + option.len()..word.end))),
                };
                add(span.and_then(|span| by_form(text, span, form)));
            }
        }
    }
}

fn by_form(text: &[u8], span: Range<usize>, form: Form) -> Option<Range<usize>> {
    let sign = match form {
        Form::Pair(sign) => sign,
        Form::Given => b'=',
        Form::Next | Form::Attached | Form::Operand(_) | Form::Piped => return written_out(text, span, 0),
    };
    let found = part(text, span.clone()).iter().position(|byte| *byte == sign)?;
    let open = span.start + found + 1;
    written_out(text, inner(text, &(open..span.end)), 0)
}

/// The secret, if it is written out; only what follows `sign`, where there is one in it.
fn written_out(text: &[u8], span: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let value = part(text, span.clone());
    let skipped = value.iter().position(|byte| sign != 0 && *byte == sign).map_or(0, |found| found + 1);
    let span = span.start + skipped..span.end;
    let value = part(text, span.clone());
    let marked = value.first().is_some_and(|byte| matches!(byte, b'-' | b'<' | b'[' | b'@' | b'/'));
    let plain = has_letter(value) || value.len() >= 4;
    (!marked && plain && is_literal(value)).then(|| visible_part(text, span))?
}

/// A word without the quotes around it.
fn inner(text: &[u8], word: &Range<usize>) -> Range<usize> {
    let (first, last) = (at(text, word.start), at(text, word.end.saturating_sub(1)));
    if is_quote(first) && first == last && word.len() >= 2 {
        word.start + 1..word.end - 1
    } else {
        word.clone()
    }
}

/// The words up to the end of the command, and where that is.
fn words(text: &[u8], start: usize, outer: u8) -> (Vec<Range<usize>>, usize) {
    let mut words = Vec::new();
    let mut place = start;
    loop {
        place = skip(text, place, is_blank);
        if rest(text, place).starts_with(b"\\\n") {
            place += 2;
            continue;
        }
        let end = word_end(text, place, outer);
        if end == place {
            return (words, place);
        }
        words.push(place..end);
        place = end;
    }
}

fn word_end(text: &[u8], start: usize, outer: u8) -> usize {
    let mut place = start;
    while place < text.len() {
        match at(text, place) {
            byte if byte.is_ascii_whitespace() || matches!(byte, b';' | b'|' | b'&' | b'(' | b')' | b'`') => {
                break;
            }
            b'\\' if matches!(at(text, place + 1), b'\n' | b'n' | b'"') => break,
            b'\\' => place += 2,
            byte if is_quote(byte) && byte == outer => break,
            byte if is_quote(byte) => place = skip(text, place + 1, |inner| inner != byte) + 1,
            _ => place += 1,
        }
    }
    place.min(text.len())
}

/// Where the line of the command ends, with what it is piped into.
fn line_end(text: &[u8], place: usize, outer: u8) -> usize {
    let near = part(text, 0..text.len().min(place + 256));
    skip(near, place, |byte| !matches!(byte, b'\n' | b';') && (outer == 0 || byte != outer))
}

fn has_word(line: &[u8], word: &str) -> bool {
    line.split(|byte| is_blank(*byte)).any(|it| it == word.as_bytes())
}
