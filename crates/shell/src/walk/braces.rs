//! Brace expansion: `{a,b}` and `{1..3}` become several words before anything else is expanded.

use bumpalo::Bump;
use smallvec::SmallVec;

use crate::syntax::tree::Part;

/// More words than this are not worth following.
const MAX_WORDS: usize = 64;

/// Words with more parts than this are not expanded.
const MAX_PARTS: usize = 256;

type Parts<'a> = SmallVec<[Part<'a>; 8]>;

/// The words that a word with braces becomes; nothing if there are too many to follow.
pub(super) fn expand<'a>(parts: &[Part<'a>], arena: &'a Bump) -> Option<Vec<&'a [Part<'a>]>> {
    if parts.len() > MAX_PARTS {
        return None;
    }
    let mut finished: Vec<&'a [Part<'a>]> = Vec::new();
    let mut waiting: Vec<Parts<'a>> = vec![parts.iter().copied().collect()];
    let mut steps = 0;
    while let Some(word) = waiting.pop() {
        steps += 1;
        if finished.len() + waiting.len() > MAX_WORDS || steps > 4 * MAX_WORDS {
            return None;
        }
        match first_group(&word) {
            None => finished.push(arena.alloc_slice_copy(&word)),
            Some((open, close)) => {
                let inside = word.get(open + 1..close).unwrap_or_default();
                let alternatives = alternatives(inside, arena)?;
                for alternative in alternatives.into_iter().rev() {
                    let mut next: Parts<'a> = word.iter().take(open).copied().collect();
                    next.extend(alternative);
                    next.extend(word.iter().skip(close + 1).copied());
                    waiting.push(next);
                }
            }
        }
    }
    Some(finished)
}

/// Whether the sequences in a word stand for more words than any machine should make.
pub(super) fn is_endless(parts: &[Part<'_>]) -> bool {
    let sizes =
        parts.iter().filter_map(|part| if let Part::Literal(text) = part { size(text) } else { None });
    sizes.fold(1_u128, u128::saturating_mul) > 1_000_000
}

/// How many words `1..9` stands for; as many as can be counted where the numbers are too long to read.
fn size(text: &str) -> Option<u128> {
    let (from, rest) = text.split_once("..")?;
    let to = rest.split("..").next().unwrap_or_default();
    let digits = |text: &str| {
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(from) || !digits(to) {
        return None;
    }
    let count = from.parse::<i128>().ok().zip(to.parse::<i128>().ok()).map(|(from, to)| from.abs_diff(to));
    Some(count.unwrap_or(u128::MAX).saturating_add(1))
}

/// The mark that a part is, if it is one.
fn mark<'a>(part: &Part<'a>) -> Option<&'a str> {
    if let Part::Brace(text) = part { Some(text) } else { None }
}

/// The first group that closes and holds a comma or a sequence.
fn first_group(parts: &[Part<'_>]) -> Option<(usize, usize)> {
    let mut open: SmallVec<[(usize, bool); 8]> = SmallVec::new();
    for (at, part) in parts.iter().enumerate() {
        match mark(part) {
            Some("{") => open.push((at, false)),
            Some(",") => open.last_mut().into_iter().for_each(|group| group.1 = true),
            Some("}") => {
                let Some((start, comma)) = open.pop() else { continue };
                if comma || is_sequence(parts.get(start + 1..at).unwrap_or_default()) {
                    return Some((start, at));
                }
            }
            Some(_) | None => {}
        }
    }
    None
}

fn is_sequence(inside: &[Part<'_>]) -> bool {
    matches!(inside, [Part::Literal(text)] if text.contains(".."))
        || inside.len() > 1
            && inside.iter().any(|part| matches!(part, Part::Literal(text) if text.contains("..")))
}

fn alternatives<'a>(inside: &[Part<'a>], arena: &'a Bump) -> Option<Vec<Parts<'a>>> {
    let mut depth = 0_usize;
    let mut found: Vec<Parts<'a>> = vec![Parts::new()];
    let mut commas = false;
    for part in inside {
        match mark(part) {
            Some(",") if depth == 0 => {
                commas = true;
                found.push(Parts::new());
                continue;
            }
            Some("{") => depth += 1,
            Some("}") => depth = depth.saturating_sub(1),
            Some(_) | None => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(*part);
        }
    }
    if commas { Some(found) } else { sequence(inside, arena) }
}

/// `1..5` or `a..e`, with an optional step.
fn sequence<'a>(inside: &[Part<'a>], arena: &'a Bump) -> Option<Vec<Parts<'a>>> {
    let [Part::Literal(text)] = inside else { return None };
    let mut bounds = text.split("..");
    let (from, to, step) = (bounds.next()?, bounds.next()?, bounds.next());
    if let (Ok(from), Ok(to)) = (from.parse::<i32>(), to.parse::<i32>()) {
        let step = step.map_or(Some(1), |step| step.parse::<i32>().ok())?.unsigned_abs().max(1);
        let count = from.abs_diff(to) / step + 1;
        if count as usize > MAX_WORDS || bounds.next().is_some() {
            return None;
        }
        let step = i32::try_from(step).ok()?;
        let direction = if from <= to { step } else { -step };
        return (0..i32::try_from(count).ok()?)
            .map(|index| {
                let number = from.checked_add(direction.checked_mul(index)?)?;
                let text = arena.alloc_str(&number.to_string());
                Some(Parts::from_slice(&[Part::Literal(text)]))
            })
            .collect();
    }
    let (first, last) = (from.bytes().next()?, to.bytes().next()?);
    if from.len() != 1
        || to.len() != 1
        || step.is_some()
        || !first.is_ascii_alphabetic()
        || !last.is_ascii_alphabetic()
    {
        return None;
    }
    let letters = first.min(last)..=first.max(last);
    Some(
        letters
            .map(|letter| {
                Parts::from_slice(&[Part::Literal(arena.alloc_str(&char::from(letter).to_string()))])
            })
            .collect(),
    )
}
