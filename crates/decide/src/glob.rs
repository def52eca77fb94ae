//! Patterns with `*`, matched against text of which parts may not be known.
//!
//! Three answers: the pattern surely matches, surely does not, or it depends on what is not known.

/// Whether a rule matches, in three values (SPEC R1), ordered by strictness: for a deny rule `Yes` beats `Unclear`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Match {
    /// It surely does not.
    No,
    /// It depends on something unknown, such as the value of a variable.
    Unclear,
    /// It surely does.
    Yes,
}

impl Match {
    /// `Yes` or `No`.
    #[must_use]
    pub const fn from_known(holds: bool) -> Match {
        if holds { Match::Yes } else { Match::No }
    }
}

/// One step of a pattern, or of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// This character.
    Char(char),
    /// The border between two words.
    Gap,
    /// In a pattern: any text. In a text: an unknown part.
    Any,
}

/// Whether `pattern` matches `text`.
pub(crate) fn matches(pattern: &[Sign], text: &[Sign]) -> Match {
    if differ_early(pattern, text) {
        return Match::No;
    }
    if surely(pattern, text) {
        return Match::Yes;
    }
    let known = !text.contains(&Sign::Any);
    if known || !could(pattern, text) { Match::No } else { Match::Unclear }
}

/// Whether the two differ before either has a part that may be anything: most rules and commands do, and nothing behind
/// it can bring them together.
pub(crate) fn differ_early(pattern: &[Sign], text: &[Sign]) -> bool {
    let both = pattern.iter().zip(text).find(|(sign, found)| sign != found || **sign == Sign::Any);
    both.is_some_and(|(sign, found)| *sign != Sign::Any && *found != Sign::Any)
}

/// Whether the pattern matches whatever the unknown parts of the text are: an unknown part is only matched
/// by `*`. Goes back to the last `*` alone, so the work is at most the product of the lengths.
fn surely(pattern: &[Sign], text: &[Sign]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while t < text.len() {
        match (pattern.get(p), text.get(t)) {
            (Some(Sign::Any), _) => {
                back = Some((p, t));
                p += 1;
            }
            (Some(sign), Some(found)) if sign == found => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star, taken)) = back else { return false };
                back = Some((star, taken + 1));
                p = star + 1;
                t = taken + 1;
            }
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|sign| *sign == Sign::Any)
}

/// Whether some text in place of the unknown parts would be matched.
fn could(pattern: &[Sign], text: &[Sign]) -> bool {
    // reach[p]: the first p signs of the pattern can stand for the text so far.
    let mut reach = vec![false; pattern.len() + 1];
    if let Some(first) = reach.first_mut() {
        *first = true;
    }
    skip_stars(pattern, &mut reach);
    let mut next = vec![false; reach.len()];
    for found in text {
        next.fill(false);
        for (p, _) in reach.iter().enumerate().filter(|(_, reached)| **reached) {
            match (found, pattern.get(p)) {
                // The unknown part can take up everything that is left of the pattern, or less.
                (Sign::Any, _) => next.iter_mut().skip(p).for_each(|reached| *reached = true),
                (_, Some(Sign::Any)) => mark(&mut next, p),
                (found, Some(sign)) if sign == found => mark(&mut next, p + 1),
                _ => {}
            }
        }
        skip_stars(pattern, &mut next);
        std::mem::swap(&mut reach, &mut next);
        if !reach.contains(&true) {
            return false;
        }
    }
    reach.last().copied().unwrap_or(false)
}

fn mark(reach: &mut [bool], at: usize) {
    if let Some(slot) = reach.get_mut(at) {
        *slot = true;
    }
}

/// A `*` may stand for nothing.
fn skip_stars(pattern: &[Sign], reach: &mut [bool]) {
    for (p, sign) in pattern.iter().enumerate() {
        if *sign == Sign::Any && reach.get(p) == Some(&true) {
            mark(reach, p + 1);
        }
    }
}

/// The signs of a text in which `*` is a wildcard if `wild`.
pub(crate) fn signs(text: &str, wild: bool) -> impl Iterator<Item = Sign> + '_ {
    text.chars()
        .map(move |character| if wild && character == '*' { Sign::Any } else { Sign::Char(character) })
}

/// Whether the shell takes the character of a path for a wildcard.
pub(crate) const fn is_wild(character: char) -> bool {
    matches!(character, '*' | '?' | '[')
}

/// Whether a name with wildcards could stand for `name`.
pub(crate) fn could_be(part: &str, name: &str) -> bool {
    let part: Vec<Sign> =
        part.chars().map(|it| if is_wild(it) { Sign::Any } else { Sign::Char(it) }).collect();
    let name: Vec<Sign> = signs(name, false).collect();
    matches(&name, &part) != Match::No
}

/// The text with all that stands in brackets as one wildcard: `[ab]` and `[[:alpha:]]` are a choice of
/// characters and no part of a name. What lies between two of them is taken in: it may find too much.
pub(crate) fn without_brackets(text: &str) -> String {
    let name = |part: &str| {
        let ends = part.find('[').zip(part.rfind(']')).filter(|(open, close)| open < close);
        let around = ends.and_then(|(open, close)| part.get(..open).zip(part.get(close + 1..)));
        around.map_or_else(|| part.to_owned(), |(before, after)| format!("{before}?{after}"))
    };
    text.split('/').map(name).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: Match) {
        let pattern: Vec<Sign> = signs(pattern, true).collect();
        // In these texts `?` is an unknown part.
        let text: Vec<Sign> =
            text.chars().map(|sign| if sign == '?' { Sign::Any } else { Sign::Char(sign) }).collect();
        assert_eq!(matches(&pattern, &text), expected, "{pattern:?} {text:?}");
    }

    #[test]
    fn known_text_gets_a_clear_answer() {
        check("rm*", "rm -rf", Match::Yes);
        check("*main", "push main", Match::Yes);
        check("a*b*c", "axxbxxc", Match::Yes);
        check("a*b*c", "axxcxxb", Match::No);
        check("", "", Match::Yes);
        check("*", "", Match::Yes);
        check("a", "*", Match::No);
    }

    #[test]
    fn what_stands_in_brackets_is_no_part_of_a_name() {
        for (text, plain) in [
            ("a/b[cd]e/f", "a/b?e/f"),
            ("[!a]x[[:alpha:]]", "?"),
            ("a[]b]c", "a?c"),
            ("a[b/c]d", "a[b/c]d"),
            ("a]b[", "a]b["),
        ] {
            assert_eq!(without_brackets(text), plain);
        }
        assert!(could_be("d?v", "dev") && could_be("*", "x") && !could_be("d?", "ex"));
    }

    #[test]
    fn an_unknown_part_is_only_surely_matched_by_a_star() {
        check("git *", "git ?", Match::Yes);
        check("git push", "git ?", Match::Unclear);
        check("git push", "git ?x", Match::No);
        check("git push*", "g?", Match::Unclear);
        check("rm", "l?", Match::No);
        check("a*z", "a?y", Match::No);
    }
}
