//! Whether a request has the command line as it is written (SPEC C17): "run `make deploy`".

use super::requests::{Request, is_held, is_leading, requests};
use super::text::{find, is_ideograph};
use super::words::{Action, ENVIRONMENTS, IDLE};

/// Stands for the line where it is looked for.
const LINE: &str = "the_line_itself";

/// Whether a request has the line as it is written, behind a verb for running it or alone.
pub(super) fn is_written_out(turn: &str, line: &str) -> bool {
    if line.len() < 5 {
        return false;
    }
    let whole = |at: &usize| {
        let before = turn.get(..*at).and_then(|head| head.chars().next_back());
        let rest = turn.get(at + line.len()..).unwrap_or_default();
        let blank = rest.trim_start_matches([
            '.', ',', ';', ':', '!', '?', ')', '`', '\'', '"', '*', '”', '“', '。', '」',
        ]);
        let closed = blank.len() < rest.len();
        let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        let goes_on = rest.starts_with('\n')
            || (rest.starts_with(' ') && IDLE.has(next.trim_end_matches(['.', ',', '!'])));
        before.is_none_or(|it| it.is_whitespace() || is_ideograph(it) || "\"'`(“„*:「".contains(it))
            && (rest.is_empty() || closed || goes_on)
    };
    let places: Vec<usize> = turn.match_indices(line).map(|(at, _)| at).filter(whole).collect();
    places.into_iter().any(|at| {
        let (head, tail) =
            (turn.get(..at).unwrap_or_default(), turn.get(at + line.len()..).unwrap_or_default());
        requests(&format!("{head} {LINE} {tail}")).iter().any(is_run)
    })
}

/// Whether a request is to run the line, here and now.
fn is_run(request: &Request) -> bool {
    let elsewhere = request
        .parts
        .iter()
        .flat_map(|part| part.words.split_whitespace())
        .any(|token| ENVIRONMENTS.has(token));
    !elsewhere
        && request.parts.iter().enumerate().any(|(at, part)| {
            let Some(place) = find(&part.words, LINE) else { return false };
            let behind = part.words.get(place + LINE.len()..).unwrap_or_default();
            let alone =
                is_leading(&part.words, place, &[]) && behind.split_whitespace().all(|word| IDLE.has(word));
            let runs = part.verbs.iter().any(|(_, verb)| verb.action == Action::Run);
            let idle = behind.split_whitespace().all(|word| {
                IDLE.has(word)
                    || word.chars().any(is_ideograph)
                    || matches!(word, "aus" | "command" | "first")
            });
            request.asks_now(at, false)
                && !part.remark
                && (alone || (runs && idle))
                && !is_held(&part.words, place)
        })
}
