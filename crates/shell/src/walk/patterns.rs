//! Options and variables with which a pattern finds other files than usual: dot files, names in any case.

use crate::argument::Argument;
use crate::dialect::Dialect;

/// Whether `set` or `shopt` with these words may change what patterns find.
pub(super) fn changed_by(words: &[Argument<'_>], dialect: Dialect) -> bool {
    let mut options = words.iter().take_while(|word| !matches!(word.known(), Some("--" | "-")));
    options.any(|word| changes(word, dialect))
}

/// Whether a command of zsh sets its options.
pub(super) fn is_command(name: &str) -> bool {
    matches!(name, "setopt" | "unsetopt" | "emulate")
}

/// Whether a word among the options of a shell, `set` or `shopt` may change what patterns find.
pub(super) fn changes(word: &Argument<'_>, dialect: Dialect) -> bool {
    let Some(text) = word.known() else { return true };
    // zsh has a letter for `globdots`.
    let letter =
        dialect == Dialect::Zsh && text.starts_with('-') && !text.starts_with("--") && text.contains('4');
    letter || is_about_patterns(text)
}

/// Whether an option of this name is about patterns. zsh cares neither for case nor for `_`, and takes names for
/// long options.
fn is_about_patterns(name: &str) -> bool {
    let plain: String = name.chars().filter(|sign| !matches!(sign, '_' | '-')).collect();
    let plain = plain.to_ascii_lowercase();
    let known = [
        "glob",
        "noglob",
        "nullglob",
        "nonullglob",
        "cshnullglob",
        "failglob",
        "globstar",
        "globasciiranges",
    ];
    (plain.contains("glob") || plain.contains("brace")) && !known.contains(&plain.as_str())
}

/// Whether the word gives a value to a variable that changes what patterns find: `env BASHOPTS=dotglob`.
pub(super) fn sets_variable(word: &Argument<'_>) -> bool {
    let name = word.prefix().split_once('=').map(|(name, _)| name);
    name.is_some_and(is_variable)
}

/// Whether the variable changes what patterns find. With the first they find dot files, the others hold options.
pub(super) fn is_variable(name: &str) -> bool {
    matches!(name, "GLOBIGNORE" | "BASHOPTS" | "options")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn options_about_patterns_are_told_from_others() {
        let changed = |text: &str, dialect| changes(&Argument::literal(text, Span::default()), dialect);
        for name in ["dotglob", "nocaseglob", "GLOB_DOTS", "--globdots", "extendedglob", "nobraceexpand"] {
            assert!(changed(name, Dialect::Bash), "{name}");
        }
        for name in ["nullglob", "failglob", "globstar", "noglob", "pipefail", "-euo", "-4"] {
            assert!(!changed(name, Dialect::Bash), "{name}");
        }
        assert!(changed("-4", Dialect::Zsh));
        assert!(changes(&Argument::unknown(Span::default()), Dialect::Bash));
    }

    #[test]
    fn variables_that_change_patterns_are_known() {
        for (text, known) in
            [("GLOBIGNORE=x", true), ("BASHOPTS=", true), ("GLOB=x", false), ("GLOBIGNORE", false)]
        {
            assert_eq!(sets_variable(&Argument::literal(text, Span::default())), known, "{text}");
        }
    }
}
