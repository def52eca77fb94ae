//! Which processes a command ends: those of the line itself and the project's own services, or others.

use portcullis_shell::{Argument, Command};

/// Whether nothing ends but what the line or the project started.
pub(super) fn are_own(command: &Command, line: &str) -> bool {
    are_jobs(command, line) || are_services(command)
}

/// Whether the processes are those of the line or of the shell's own jobs.
fn are_jobs(command: &Command, line: &str) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    // After the signal, a number with a dash in front is a group of processes.
    let first = command.arguments.first().map_or("", |word| word.text.as_str());
    let signal = match first {
        "-s" | "-n" => 2,
        text if text.starts_with('-') && text != "--" => 1,
        _ => 0,
    };
    let mut targets = command.arguments.iter().skip(signal).peekable();
    let job = |word: &Argument| {
        let raw = word.span.of(line).trim_matches('"');
        let name = raw.trim_start_matches(['$', '{']).trim_end_matches('}');
        let part = |it: char| it.is_alphanumeric() || it == '_';
        let own = line.split_once(&format!("{name}=$!")).is_some_and(|(before, after)| {
            let whole = !before.ends_with(part)
                && !after.starts_with(part)
                && raw.starts_with('$')
                && !name.is_empty();
            whole && !["read ", "for ", "((", ". ./", "source ", "eval "].iter().any(|way| line.contains(way))
        });
        word.text.starts_with('%') || raw == "$!" || (own && line.matches(&format!("{name}=")).count() == 1)
    };
    program == "kill" && targets.peek().is_some() && targets.all(job)
}

/// Whether `docker compose` stops what the project's own file describes; what it stores stays.
pub(super) fn are_services(command: &Command) -> bool {
    const PLAIN_OPTIONS: &[&str] = &["-t", "--timeout", "--remove-orphans"];
    let mut words = command.arguments.iter().map(|word| word.text.as_str()).peekable();
    let compose = match command.program.as_deref() {
        Some("docker") => words.next() == Some("compose"),
        Some("docker-compose") => true,
        Some(_) | None => false,
    };
    let stops = matches!(words.next(), Some("down" | "stop" | "restart" | "kill"));
    compose && stops && words.all(|word| !word.starts_with('-') || PLAIN_OPTIONS.contains(&word))
}
