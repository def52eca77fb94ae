//! Command lines of the form `PROGRAM GROUP… VERB --option value…`, whose options are far too many to list.

use smallvec::SmallVec;

use crate::argument::Argument;

/// The words that lead to what is done.
#[derive(Default)]
pub(super) struct Path<'a> {
    pub(super) words: SmallVec<[&'a str; 8]>,
    /// The word after which nothing is known: only known at run time, or an option that may or may not take it.
    pub(super) unclear: Option<Argument<'a>>,
}

/// Collects the words that stand before the first option whose form is not known. `valued` and `flags` are the options
/// that may stand between them, with and without a value.
pub(super) fn path<'a>(words: &[Argument<'a>], valued: &[&str], flags: &[&str]) -> Path<'a> {
    let mut path = Path::default();
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        if !word.prefix().starts_with('-') {
            let Some(text) = word.known().filter(|text| !text.is_empty()) else {
                path.unclear = Some(word);
                return path;
            };
            path.words.push(text);
            continue;
        }
        let name = name_of(word.prefix());
        let attached = name.len() < word.prefix().len();
        let value_follows = !attached && valued.contains(&name);
        let value_is_one = !value_follows || rest.next().is_some_and(|value| !value.many);
        let known_form = attached || value_follows || flags.contains(&name);
        if !known_form || !value_is_one || (!word.literal && !attached) {
            path.unclear = Some(word);
            return path;
        }
    }
    path
}

/// An option's name without a value attached by `=`.
pub(super) fn name_of(word: &str) -> &str {
    word.split('=').next().unwrap_or_default()
}

/// Whether some word is this option or could be short for it.
pub(super) fn gives(words: &[Argument<'_>], option: &str) -> bool {
    words.iter().any(|word| {
        let name = name_of(word.prefix());
        name.len() > 3 && name.starts_with("--") && option.starts_with(name)
    })
}

/// Whether some word is exactly this option.
pub(super) fn has(words: &[Argument<'_>], option: &str) -> bool {
    words.iter().any(|word| name_of(word.prefix()) == option)
}

/// The value of an option that is spelled out and given once: of several, also abbreviated ones, the last counts.
pub(super) fn value<'a>(words: &[Argument<'a>], option: &str) -> Option<Argument<'a>> {
    let short_for = |word: &Argument<'a>| {
        let name = name_of(word.prefix());
        name.len() > 2 && option.starts_with(name)
    };
    if words.iter().filter(|word| short_for(word)).count() > 1 {
        return None;
    }
    let at = words.iter().position(|word| name_of(word.prefix()) == option)?;
    let word = words.get(at)?;
    let name = name_of(word.prefix());
    if name.len() < word.prefix().len() {
        Some(word.after(name.len() + 1))
    } else {
        words.get(at + 1).copied()
    }
}

/// Whether the last word asks for help and cannot be the value of an option.
pub(super) fn asks_help(words: &[Argument<'_>]) -> bool {
    let mut ending = words.iter().rev();
    let asks = ending.next().is_some_and(|word| {
        word.known() == Some("--help") || (words.len() == 1 && word.known() == Some("-h"))
    });
    let handed_on = words.iter().any(|word| word.known() == Some("--"));
    !handed_on
        && asks
        && ending.next().is_none_or(|before| before.known().is_some_and(|text| !text.starts_with('-')))
}

/// Whether a word starts with one of these.
pub(super) fn starts(word: &str, with: &[&str]) -> bool {
    with.iter().any(|start| word.starts_with(start))
}
