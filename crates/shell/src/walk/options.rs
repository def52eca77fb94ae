//! `set` and `shopt`: options of the shell, some of which change what the rest of the line means.

use crate::argument::Argument;
use crate::effects::Effects;
use crate::programs::invocation::Outcome;
use crate::unclear::Why;

/// The options that scripts begin with.
pub(super) fn is_usual(word: &Argument<'_>) -> bool {
    const NAMES: &[&str] = &["pipefail", "errexit", "nounset", "xtrace", "--"];
    let letters =
        |text: &str| text.starts_with(['-', '+']) && text.bytes().skip(1).all(|byte| b"euxo".contains(&byte));
    word.known().is_some_and(|text| NAMES.contains(&text) || letters(text))
}

/// Whether a command that fails ends the shell from here on: `set -e`, `set -euo pipefail`. Nothing where the words leave
/// that as it was.
pub(super) fn ends_on_failure(words: &[Argument<'_>]) -> Option<bool> {
    let letters = |text: &str| text.starts_with('-') && text.contains('e') && !text.starts_with("--");
    let named = |word: &Argument<'_>| word.known() == Some("errexit");
    if words.iter().any(|word| !is_usual(word) || word.text.starts_with('+')) {
        return Some(false);
    }
    let told = words.iter().any(|word| word.known().is_some_and(letters) || named(word));
    told.then_some(true)
}

pub(super) fn set_options<'a>(name: &str, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
    out.add(Effects::SHELL_STATE);
    if name == "set" && words.is_empty() {
        // It prints every variable with its value.
        out.add(Effects::SECRETS);
    }
    let risky = [
        "expand_aliases",
        "extglob",
        "extdebug",
        "sourcepath",
        "functrace",
        "lastpipe",
        "histexpand",
        "history",
        "keyword",
        "physical",
        "cdable_vars",
        "autocd",
        "braceexpand",
        "xpg_echo",
    ];
    for word in words {
        match word.known() {
            Some("--" | "-") if name == "set" => break,
            Some(text) if text.starts_with("-A") || text.starts_with("+A") || text == "posix" => {
                out.doubt(Why::NotModelled, text, word.span);
            }
            Some("allexport") => out.add(Effects::ENVIRONMENT),
            Some(text) if name == "set" && text.starts_with('-') && text.contains(['H', 'P', 'k']) => {
                out.doubt(Why::NotModelled, text, word.span);
            }
            Some(text) if name == "set" && text.starts_with('-') && text.contains('a') => {
                out.add(Effects::ENVIRONMENT);
            }
            Some(text) if risky.contains(&text) => {
                out.doubt(Why::NotModelled, text, word.span);
            }
            Some(_) => {}
            None => out.doubt(Why::MaybeOption, word.text, word.span),
        }
    }
}
