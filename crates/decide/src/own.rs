//! Doors to the gate itself (SPEC W1, S1): its socket, its commands, its process. Approving needs a person, so an
//! agent that goes there in a person's place is asked about in every mode, and no judge clears it.

use portcullis_shell::{Argument, Command, Effects, Reading};

use crate::protected::Place;
use crate::ruling::{Check, Part, Reason};
use crate::view::View;

/// The name of the program.
const PROGRAM: &str = "portcullis";
/// What its small sister, which agents start before every call, is called behind that name.
const HOOK: &str = "-hook";
/// The name of its socket, wherever the state folder lies.
const SOCKET: &str = "portcullis.sock";

/// Commands that only show something.
const LOOKS: &[&str] = &[
    "auto-mode",
    "check",
    "doctor",
    "eval",
    "explain",
    "grants",
    "help",
    "log",
    "mode",
    "programs",
    "read",
    "replay",
    "rules",
    "schema",
    "settings",
    "stats",
    "status",
    "test",
];
/// Commands by which people tell the gate something.
const TELLS: &[&str] = &[
    "allow",
    "approve",
    "grants",
    "hook",
    "import",
    "install",
    "learn",
    "mode",
    "pause",
    "serve",
    "trust",
    "uninstall",
];

/// The first command of a line that goes to the gate in a person's place.
pub(crate) fn reached(reading: &Reading, view: &View) -> Option<Reason> {
    let command = reading
        .commands
        .iter()
        .find(|command| tells(command) || ends(command) || connects(command) || runs(command, &view.line))?;
    let part = Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) };
    let detail = format!("`{}` speaks to Portcullis itself, which is for people", part.text);
    let classifier_approvable = Place::Own.classifier_approvable();
    Some(Reason::Safety { check: Check::ProtectedWrite, detail, classifier_approvable, part: Some(part) })
}

/// `portcullis allow 17`: the gate is told to trust, allow, forget or stand aside.
fn tells(command: &Command) -> bool {
    match command.program.as_deref().and_then(|name| name.strip_prefix(PROGRAM)) {
        Some("") => {}
        // It only hands over calls, and says of them what a person answered: nothing of it is for looking.
        Some(HOOK) => return true,
        Some(_) | None => return false,
    }
    let changes = Effects::WRITES.and(Effects::DELETES).and(Effects::SYSTEM).and(Effects::EXECUTES);
    let verb = command.arguments.iter().find(|word| !word.text.starts_with('-'));
    // What the table does not know about a command that shows something is only unknown.
    let looks = |verb: &Argument| verb.literal && LOOKS.contains(&verb.text.as_str());
    command.own.meets(changes) || verb.is_some_and(|verb| !looks(verb))
}

/// `pkill portcullis`.
fn ends(command: &Command) -> bool {
    command.own.meets(Effects::KILLS) && command.arguments.iter().any(|word| says(&word.text, PROGRAM))
}

/// A connection to the socket, or to one that may be it.
fn connects(command: &Command) -> bool {
    let talks = Effects::NETWORK_READ
        .and(Effects::NETWORK_WRITE)
        .and(Effects::SENDS_DATA)
        .and(Effects::EXECUTES)
        .and(Effects::UNKNOWN);
    command.own.meets(talks)
        && (command.arguments.iter().any(|word| says(&word.text, SOCKET)) || may_be_ours(command))
}

/// A Unix socket whose name is only known at run time.
fn may_be_ours(command: &Command) -> bool {
    let unclear = |word: &Argument| !word.literal;
    match command.program.as_deref() {
        Some("curl") => {
            let follows = command.arguments.windows(2).any(|pair| match pair {
                [option, value] => option.text == "--unix-socket" && unclear(value),
                _ => false,
            });
            let glued = |word: &Argument| unclear(word) && word.text.starts_with("--unix-socket=");
            follows || command.arguments.iter().any(glued)
        }
        Some("nc" | "ncat" | "netcat" | "nc.openbsd") => {
            let unix = |word: &Argument| word.text == "--unixsock" || is_short(&word.text, 'U');
            command.arguments.iter().any(unix) && command.arguments.iter().any(unclear)
        }
        Some("socat") => {
            let unix = |word: &Argument| unclear(word) && says(&word.text, "unix");
            command.arguments.iter().any(|word| unix(word) || (unclear(word) && word.text.starts_with('*')))
        }
        _ => false,
    }
}

fn is_short(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

/// Code or keys that say one of the gate's commands, or name its socket: `tmux send-keys 'portcullis allow 3'`.
fn runs(command: &Command, line: &str) -> bool {
    if !command.own.meets(Effects::EXECUTES.and(Effects::UNKNOWN)) {
        return false;
    }
    // The code may come from the words or, for an interpreter, from anywhere in the line.
    let words = command.arguments.iter().map(|word| word.text.as_str());
    words.chain([line]).any(|text| says(text, SOCKET) || says_command(text))
}

fn says(text: &str, name: &str) -> bool {
    text.to_ascii_lowercase().contains(name)
}

/// Whether a command that people give the gate stands in the text, in any quoting: `['portcullis', 'allow']`.
fn says_command(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.split(PROGRAM).skip(1).any(|rest| {
        let rest = rest.strip_prefix(HOOK).unwrap_or(rest);
        let after = rest.trim_start_matches(|it: char| it.is_whitespace() || "'\",[]()\\".contains(it));
        let gap = rest.len() - after.len();
        let word: String = after.chars().take_while(char::is_ascii_lowercase).collect();
        gap > 0 && TELLS.contains(&word.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [W1]
    #[test]
    fn commands_are_found_in_code_and_not_in_other_words() {
        for text in [
            "portcullis allow 17",
            "subprocess.run(['portcullis', 'allow', '17'])",
            "exec(\"/usr/bin/portcullis\", \"pause\")",
            "PORTCULLIS  Serve --stop",
            "portcullis-hook hook generic",
            "['portcullis-hook', 'hook', agent]",
        ] {
            assert!(says_command(text), "{text}");
        }
        for text in [
            "portcullis-allow",
            "portcullis check x",
            "portcullisallow",
            "import portcullis",
            "portcullis-hook.rs",
            "portcullis-hooked allow",
        ] {
            assert!(!says_command(text), "{text}");
        }
    }
}
