//! Text against patterns, the slow way: every possibility is tried.

use std::collections::HashMap;

use portcullis_decide::rules::Match;

/// In a pattern: any text.
pub(crate) const ANY: char = '\u{e000}';
/// In a text: a part that is not known.
pub(crate) const HOLE: char = '\u{e001}';
/// Between two words.
pub(crate) const BORDER: char = '\u{e002}';

/// Whether the pattern means the text, whatever its holes hold; could mean it; or cannot.
pub(crate) fn compare(pattern: &str, text: &str) -> Match {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    if tries(&pattern, &text, false, &mut HashMap::new()) {
        Match::Yes
    } else if tries(&pattern, &text, true, &mut HashMap::new()) {
        Match::Unclear
    } else {
        Match::No
    }
}

type Known = HashMap<(usize, usize), bool>;

/// `generous`: a hole may turn out to be whatever the pattern wants.
fn tries(pattern: &[char], text: &[char], generous: bool, known: &mut Known) -> bool {
    let at = (pattern.len(), text.len());
    if let Some(answer) = known.get(&at) {
        return *answer;
    }
    let answer = match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((&ANY, rest)), Some((_, later))) => {
            tries(rest, text, generous, known) || tries(pattern, later, generous, known)
        }
        (Some((&ANY, rest)), None) => tries(rest, text, generous, known),
        (wanted, Some((&HOLE, later))) if generous => {
            let one_more = wanted.is_some_and(|(_, rest)| tries(rest, text, generous, known));
            one_more || tries(pattern, later, generous, known)
        }
        (Some((wanted, rest)), Some((found, later))) => {
            wanted == found && tries(rest, later, generous, known)
        }
        (None, Some(_)) | (Some(_), None) => false,
    };
    known.insert(at, answer);
    answer
}

/// `*` in a name as any text.
pub(crate) fn starred(text: &str) -> String {
    text.replace('*', &ANY.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_only_surely_meant_by_a_star() {
        let hole = format!("git{BORDER}{HOLE}");
        assert_eq!(compare(&format!("git{BORDER}{ANY}"), &hole), Match::Yes);
        assert_eq!(compare(&format!("git{BORDER}push"), &hole), Match::Unclear);
        assert_eq!(compare("rm", &hole), Match::No);
    }
}
