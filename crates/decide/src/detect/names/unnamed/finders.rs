//! What programs that look for files search for, and whether credentials can be among it.

use portcullis_shell::{Command, is_secret_path};

use super::{is_bare_secret, speaks_of_secrets};

/// What fd searches for: by its pattern, by an ending, or all that is hidden.
pub(super) fn finds_hidden(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let until = words.iter().position(|word| matches!(*word, "-x" | "-X" | "--exec" | "--exec-batch"));
    let words = words.get(..until.unwrap_or(words.len())).unwrap_or_default();
    let endings =
        words.iter().zip(words.iter().skip(1)).filter(|(before, _)| matches!(**before, "-e" | "--extension"));
    let endings: Vec<&&str> = endings.map(|(_, ending)| ending).collect();
    let short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(['H', 'u']);
    let hidden = words.iter().any(|word| short(word) || matches!(*word, "--hidden" | "--unrestricted"));
    let named = words.iter().filter(|word| !word.starts_with('-'));
    let wide = |word: &&str| portcullis_shell::holds_secrets(word) && word.starts_with(['/', '~']);
    let pairs = words.iter().zip(words.iter().skip(1));
    let kinds: Vec<&&str> = pairs
        .filter(|(before, _)| matches!(**before, "-t" | "--type" | "-d" | "--max-depth" | "-E" | "--exclude"))
        .map(|(_, value)| value)
        .collect();
    let mut pattern = named.clone().filter(|word| !endings.contains(word) && !kinds.contains(word));
    let first = pattern.next().copied();
    let all = endings.is_empty() && first.is_none_or(|pattern| matches!(pattern, "." | "" | ".*"));
    let sought = first.is_some_and(|pattern| is_bare_secret(pattern) && !pattern.contains("env"));
    let dotted =
        |pattern: &str| pattern.starts_with("^\\.") || pattern.starts_with("^.") || is_bare_secret(pattern);
    endings.iter().any(|ending| is_secret_path(&format!("x.{}", ending.trim_start_matches('.')), true))
        || words.iter().any(|word| speaks_of_secrets(word))
        || sought
        || (hidden && first.is_some_and(dotted))
        || (all && (hidden || named.clone().any(wide)))
}

/// `find ~ -type f`: all that lies in a home directory, or all of the project with what is hidden in it. What is left out
/// does not say what is found.
pub(super) fn wanders(command: &Command, searched: bool) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    let tests = words.iter().enumerate().filter(|(at, test)| {
        let names = ["name", "path", "regex"].iter().any(|kind| test.ends_with(kind));
        let left_out = matches!(word(at.checked_sub(1)), "!" | "-not") || word(Some(at + 2)) == "-prune";
        test.starts_with('-') && names && !left_out
    });
    let values: Vec<&str> = tests.map(|(at, _)| word(Some(at + 1))).collect();
    let hidden = values.iter().any(|value| value.starts_with('.') && is_secret_path(value, false));
    // A test that all names pass is none.
    let tested = values.iter().any(|value| !value.trim_matches(['*', '.', '/', '?']).is_empty());
    let starts = || words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    let home = |start: &str| portcullis_shell::holds_secrets(start) || is_secret_path(start, false);
    let wide = starts().any(|start| home(start) || start.contains("/.config/"));
    let here = starts().next().is_none() || starts().any(|start| matches!(*start, "." | "./"));
    let loose = wide && !searched && values.iter().any(|value| is_loose(value));
    hidden || loose || (!tested && (wide || (here && !searched)))
}

/// Whether a pattern fits much else than what is looked for: `c*`, or an ending that credentials have as well.
fn is_loose(pattern: &str) -> bool {
    const KINDS: &[&str] =
        &["json", "yml", "yaml", "toml", "conf", "cfg", "ini", "txt", "xml", "db", "properties"];
    let kind = pattern.strip_prefix("*.");
    let letters = pattern.chars().filter(char::is_ascii_alphanumeric).count();
    kind.is_some_and(|kind| KINDS.contains(&kind)) || (pattern.contains('*') && kind.is_none() && letters < 3)
}
