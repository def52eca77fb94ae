//! Variables that a command may be given and still be what a rule means (SPEC R5).

use portcullis_shell::Command;

/// Whether every variable that is set for the command is harmless.
pub(crate) fn sets_nothing_that_matters(command: &Command) -> bool {
    command.assignments.iter().all(|(name, value)| is_harmless_variable(name, &value.text, value.literal))
}

/// Variables whose value changes nothing about what runs (R5).
pub(crate) fn is_harmless_variable(name: &str, value: &str, literal: bool) -> bool {
    const NAMES: &[&str] = &[
        "NODE_ENV",
        "LANG",
        "LANGUAGE",
        "TZ",
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CARGO_TERM_COLOR",
        "TERM",
        "COLUMNS",
        "LINES",
        "CI",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "PYTHONUNBUFFERED",
        "PYTHONDONTWRITEBYTECODE",
        "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS",
    ];
    let pager = matches!(name, "GIT_PAGER" | "PAGER") && literal && matches!(value, "cat" | "");
    NAMES.contains(&name) || name.starts_with("LC_") || pager
}
