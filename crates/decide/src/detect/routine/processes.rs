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
        word.text.starts_with('%') || raw == "$!" || is_last_process(raw, line)
    };
    program == "kill" && targets.peek().is_some() && targets.all(job)
}

/// Whether a word is a variable to which the line gives the number of its own last process, and nothing else.
fn is_last_process(word: &str, line: &str) -> bool {
    const OTHER_WAYS: &[&str] = &[
        "read ",
        "printf -v",
        "mapfile ",
        "getopts ",
        "declare ",
        "local ",
        "eval ",
        "source ",
        ". ./",
        ". /",
        "+=",
        "((",
        "let ",
    ];
    let name = word.strip_prefix('$').unwrap_or_default();
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let set = format!("{name}=");
    // The name of another variable may end like this one's.
    let apart = |(at, _): &(usize, &str)| {
        let before = line.get(..*at).and_then(|text| text.chars().next_back());
        before.is_none_or(|before| !(before.is_alphanumeric() || before == '_'))
    };
    let places = line.match_indices(set.as_str()).filter(apart);
    let mut values = places.filter_map(|(at, found)| line.get(at + found.len()..)).peekable();
    let own = |after: &str| {
        let rest = after.trim_start_matches('"').strip_prefix("$!");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ';', '"', '\n', '&']))
    };
    let other = OTHER_WAYS.iter().any(|way| line.contains(way)) || line.contains(&format!("for {name} "));
    plain && !other && values.peek().is_some() && values.all(own)
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
