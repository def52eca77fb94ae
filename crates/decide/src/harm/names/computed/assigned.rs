//! Variables that a line sets itself: only what is set in one place, in any case, before it is used, is known to hold what
//! a substitution printed. All else may come from the environment.

use portcullis_shell::Reading;

use crate::view::View;

/// Whether a command of the line could set any variable, without `name=`.
pub(super) fn sets_otherwise(reading: &Reading) -> bool {
    const SETS: &[&str] = &[
        "read",
        "mapfile",
        "readarray",
        "source",
        ".",
        "eval",
        "declare",
        "typeset",
        "getopts",
        "unset",
        "let",
        "printf",
        "trap",
        "set",
    ];
    reading.commands.iter().any(|command| command.program.as_deref().is_none_or(|name| SETS.contains(&name)))
}

/// Whether the line speaks of the variable in one place alone but for its uses, and sets it there, in any case and for
/// all that follows, to what one substitution prints and nothing else.
pub(super) fn is_set_once(name: &str, view: &View, reading: &Reading) -> bool {
    let line = view.line.as_str();
    let part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let places = line.match_indices(name).filter_map(|(at, _)| {
        let before = line.get(..at)?;
        let after = line.get(at + name.len()..)?;
        let used = before.ends_with('$') || (before.ends_with("${") && after.starts_with('}'));
        let other = before.ends_with(part) || after.starts_with(part);
        (!used && !other && !is_told(at, view, reading)).then_some((before, after))
    });
    let places: Vec<(&str, &str)> = places.collect();
    let [(before, after)] = places.as_slice() else { return false };
    // In a comment, in the background, behind a line that goes on, or in a text that is handed over, it would set nothing.
    let apart = line.contains(['#', '\n']) || line.replace("&&", "").replace(">&", "").contains('&');
    let used_before = super::variables(before).iter().any(|used| used == name);
    !apart
        && !used_before
        && !line.contains("<<")
        && is_always_reached(before, after)
        && is_one_substitution(after)
}

/// Where the substitution stands that the variable is set to, once and in any case.
pub(in crate::harm) fn substitution_of(name: &str, view: &View, reading: &Reading) -> Option<(u32, u32)> {
    let line = view.line.as_str();
    let set = [format!("{name}=$("), format!("{name}=\"$(")];
    let (at, head) = set.iter().find_map(|head| line.find(head.as_str()).map(|at| (at, head)))?;
    if sets_otherwise(reading) || !is_set_once(name, view, reading) {
        return None;
    }
    let start = at + head.len();
    let mut depth = 1_u32;
    let close = line.get(start..)?.char_indices().find(|(_, it)| {
        match it {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some((u32::try_from(start).ok()?, u32::try_from(start + close.0).ok()?))
}

/// Whether the place lies in a plain text that `echo` prints.
fn is_told(at: usize, view: &View, reading: &Reading) -> bool {
    let Ok(at) = u32::try_from(at) else { return false };
    let told = reading.commands.iter().filter(|command| command.program.as_deref() == Some("echo"));
    told.flat_map(|command| &command.arguments).any(|word| {
        let text = word.span.of(&view.line);
        let inside = word.span.start <= at && at < word.span.end;
        inside && !text.contains(['=', ';', '&', '|', '(', '`', '{', '\n'])
    })
}

/// Whether nothing before it can keep an assignment from being made, or keep it to itself.
fn is_always_reached(before: &str, after: &str) -> bool {
    const BINDS: &[&str] = &[
        "if", "then", "else", "elif", "do", "while", "until", "for", "case", "select", "function", "{", "[[",
        "return", "exit", "break", "continue",
    ];
    let blank = |it: char| it == ' ' || it == '\t';
    let text = before.trim_end_matches(blank);
    let text = text.strip_suffix("export").unwrap_or(text).trim_end_matches(blank);
    let count = |sign: char| text.matches(sign).count();
    // With one kind of quotes alone, an even number of them says that all are closed.
    let unquoted = count('"') % 2 == 0 && count('\'') % 2 == 0 && (count('"') == 0 || count('\'') == 0);
    let closed = unquoted && count('(') == count(')') && !text.contains(['\\', '`']);
    let bound =
        text.split(|it: char| it.is_whitespace() || ";&|()".contains(it)).any(|it| BINDS.contains(&it));
    let chained = text.ends_with("&&") && !after.contains([';', '\n']) && !after.contains("||");
    closed && !bound && (text.is_empty() || text.ends_with([';', '\n']) || chained)
}

/// `=$(…)` or `="$(…)"`, and then the end of the command.
fn is_one_substitution(after: &str) -> bool {
    let quoted = after.starts_with("=\"$(");
    let Some(inner) = after.strip_prefix("=$(").or_else(|| after.strip_prefix("=\"$(")) else { return false };
    let mut depth = 1_u32;
    let close = inner.char_indices().find(|(_, it)| {
        match it {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let rest = close.and_then(|(at, _)| inner.get(at + 1..));
    let rest = if quoted { rest.and_then(|rest| rest.strip_prefix('"')) } else { rest };
    rest.map(|rest| rest.trim_start_matches([' ', '\t']))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '\n']) || rest.starts_with("&&"))
}
