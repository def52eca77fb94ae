//! One name in a rule for paths: `*`, `?`, sets of characters, and the names that braces stand for.

use crate::path::fold;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Char(char),
    One,
    Many,
    /// A set such as `[0-9]`: a bit for each character of ASCII; the others are in it if it is negated.
    Set(u128, bool),
}

/// What the tokens spell out, if they do.
pub(super) fn literal(tokens: &[Token]) -> Option<String> {
    tokens
        .iter()
        .map(|token| match token {
            Token::Char(character) => Some(*character),
            Token::One | Token::Many | Token::Set(..) => None,
        })
        .collect()
}

/// The names that braces stand for: `a.{b,c}` is `a.b` and `a.c`. No more than anybody would write.
pub(crate) fn braces(name: &str) -> Vec<String> {
    const MOST: usize = 64;
    let mut done: Vec<String> = Vec::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        let inner = next.split_once('}').and_then(|(before, after)| {
            before.rsplit_once('{').map(|(start, choices)| (start, choices, after))
        });
        match inner {
            Some((start, choices, after)) if open.len() + done.len() < MOST => {
                open.extend(choices.split(',').map(|choice| format!("{start}{choice}{after}")));
            }
            // More than that may be anything.
            Some((start, _, after)) => open.push(format!("{start}*{after}")),
            None => done.push(next),
        }
    }
    done
}

/// A name taken apart; whether it may hold sets of characters is said.
pub(super) fn tokens(name: &str, sets: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        tokens.push(match character {
            '\\' if matches!(characters.peek(), Some('*' | '?' | '\\')) => {
                Token::Char(characters.next().unwrap_or('\\'))
            }
            '*' => Token::Many,
            '?' => Token::One,
            '[' if sets => match set(&characters.clone().collect::<String>()) {
                Some((token, length)) => {
                    characters.by_ref().take(length).for_each(drop);
                    token
                }
                None => Token::Char(character),
            },
            _ => Token::Char(character),
        });
    }
    tokens
}

/// The set that begins behind `[`, and how many characters it has with its `]`.
fn set(text: &str) -> Option<(Token, usize)> {
    let negated = text.starts_with(['!', '^']);
    let skipped = usize::from(negated);
    let all: Vec<char> = text.chars().skip(skipped).collect();
    // A `]` that comes first is a member.
    let end = all.iter().skip(1).position(|character| *character == ']')? + 1;
    let members = all.get(..end)?;
    let mut bits = 0_u128;
    let mut add = |from: char, to: char| {
        for code in (u32::from(from)..=u32::from(to)).filter(|code| *code < 128) {
            bits |= 1 << code;
        }
    };
    let mut rest = members;
    while let [first, ..] = rest {
        rest = match rest {
            [from, '-', to, after @ ..] => {
                add(*from, *to);
                after
            }
            [_, after @ ..] => {
                add(*first, *first);
                after
            }
            [] => rest,
        };
    }
    let bits = if negated { !bits } else { bits };
    // Of the others it is not known which are in it.
    let others = negated || !members.iter().all(char::is_ascii);
    Some((Token::Set(bits, others), skipped + end + 1))
}

fn holds(bits: u128, others: bool, character: char) -> bool {
    let code = u32::from(character);
    if code < 128 { bits & (1 << code) != 0 } else { others }
}

/// Whether the tokens stand for the name.
pub(super) fn matches_name(tokens: &[Token], name: &str, fold_case: bool) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut t, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        let same = match (tokens.get(t), name.get(n)) {
            (Some(Token::Many), _) => {
                back = Some((t, n));
                t += 1;
                continue;
            }
            (Some(Token::One), _) => true,
            (Some(Token::Char(wanted)), Some(found)) => {
                wanted == found || (fold_case && fold(*wanted) == fold(*found))
            }
            (Some(Token::Set(bits, others)), Some(found)) => {
                let cases = [*found, found.to_ascii_lowercase(), found.to_ascii_uppercase()];
                let cases = cases.iter().take(if fold_case { 3 } else { 1 });
                cases.into_iter().any(|found| holds(*bits, *others, *found))
            }
            (None, _) | (_, None) => false,
        };
        if same {
            t += 1;
            n += 1;
        } else if let Some((star, taken)) = back {
            back = Some((star, taken + 1));
            t = star + 1;
            n = taken + 1;
        } else {
            return false;
        }
    }
    tokens.get(t..).unwrap_or_default().iter().all(|token| *token == Token::Many)
}
