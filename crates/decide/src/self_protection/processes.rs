//! Commands that end, stop, trace or limit a process of the gate, or type into a terminal where a person answers it.

use portcullis_shell::{Command, Effects, Reading};

use super::PROGRAM;
use crate::context::Context;
use crate::path::is_within;
use crate::view::View;

/// Programs that take hold of a running process without ending it.
const TRACERS: &[&str] = &[
    "gdb",
    "gdbserver",
    "lldb",
    "strace",
    "ltrace",
    "dtrace",
    "bpftrace",
    "reptyr",
    "gcore",
    "prlimit",
    "taskset",
    "renice",
    "chrt",
    "ionice",
    "choom",
    "criu",
    "nsenter",
    "injcode",
    "rr",
];

/// Programs that choose processes by their names.
const SELECTORS: &[&str] =
    &["pkill", "pgrep", "killall", "pidof", "skill", "killall5", "systemctl", "launchctl"];

/// The command of the line that acts on a process of the gate, as far as the line says which one.
pub(super) fn acted_on<'r>(reading: &'r Reading, view: &View, context: &Context) -> Option<&'r Command> {
    let acts = |command: &&Command| {
        command.own.meets(Effects::KILLS)
            || command.program.as_deref().is_some_and(|it| TRACERS.contains(&it))
    };
    let typing = reading.commands.iter().find(|command| context.gate.attended && types(command));
    let runs = Effects::EXECUTES.and(Effects::UNKNOWN);
    let coded = || {
        reading.commands.iter().find(|command| {
            let kills = |text: &str| kills_in_code(text, context);
            let through = |text: &str| {
                let pid = text.strip_prefix("/proc/").and_then(|rest| rest.split('/').next());
                pid.and_then(|pid| pid.parse().ok()).is_some_and(|pid| context.gate.processes.contains(&pid))
            };
            let words =
                || command.arguments.iter().map(|word| word.text.as_str()).chain([command.word.as_str()]);
            (command.own.meets(runs) && words().any(kills))
                || (!command.own.is_harmless() && words().any(through))
        })
    };
    typing.or_else(coded).or_else(|| {
        let acting = reading.commands.iter().find(acts)?;
        let asks = |command: &Command| command.program.as_deref() == Some(PROGRAM);
        let selects = reading.commands.iter().any(|command| selects(command, context) || asks(command));
        let opens =
            view.paths.iter().any(|path| context.gate.paths.iter().any(|own| is_within(&path.path, own)));
        (selects || opens).then_some(acting)
    })
}

/// Whether the words of the command mean a process of the gate: by its number, or by a pattern that finds its name.
fn selects(command: &Command, context: &Context) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let acts = command.own.meets(Effects::KILLS) || TRACERS.contains(&name) || SELECTORS.contains(&name);
    let filters = matches!(name, "grep" | "egrep" | "rg" | "awk" | "gawk" | "sed");
    command.arguments.iter().any(|word| {
        let text = word.text.to_lowercase();
        let number = |part: &str| part.parse::<u32>().is_ok_and(|pid| context.gate.processes.contains(&pid));
        let pid = text.split(|it: char| !it.is_ascii_digit()).any(number);
        // Every process, or every one of a user.
        let user = matches!(name, "pkill" | "killall" | "skill")
            && matches!(text.as_str(), "-u" | "-U" | "--user" | "--euid");
        let all =
            (name == "kill" && text == "-1" && command.arguments.len() > 1) || name == "killall5" || user;
        (acts && (pid || all)) || ((acts || filters) && finds_gate(&text, filters))
    })
}

/// Whether a pattern finds the gate's daemon: `portc`, `[p]ortcullis`, `port.*lis`, `serve`.
pub(super) fn finds_gate(pattern: &str, filters: bool) -> bool {
    const DAEMON: &str = "portcullis serve";
    if pattern.starts_with('-') {
        return false;
    }
    let runs: Vec<&str> =
        pattern.split(|it: char| !it.is_alphanumeric()).filter(|run| !run.is_empty()).collect();
    let length = |runs: &[&str]| runs.iter().map(|run| run.len()).sum::<usize>();
    let mut rest = DAEMON;
    let mut found: Vec<&str> = Vec::new();
    for run in &runs {
        if let Some(at) = rest.find(run) {
            rest = rest.get(at + run.len()..).unwrap_or_default();
            found.push(run);
        }
    }
    // Whoever filters a list of processes may spell out more than the name.
    length(&found) >= 4 && (found.len() == runs.len() || filters || pattern.contains(PROGRAM))
}

/// Whether code ends a process of the gate: by its number, or by a name that it looks for.
pub(super) fn kills_in_code(text: &str, context: &Context) -> bool {
    let lower = text.to_lowercase();
    if !["kill", "sigterm", "sigstop", "terminate", "ptrace"].iter().any(|word| lower.contains(word)) {
        return false;
    }
    let numbers =
        || lower.split(|it: char| !it.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
    let named = lower.contains("portcul") || lower.contains("tcullis");
    named || numbers().any(|number| context.gate.processes.contains(&number))
}

/// Whether the command types into another terminal: a multiplexer or a window gets keys.
fn types(command: &Command) -> bool {
    let says = |words: &[&str]| command.arguments.iter().any(|word| words.contains(&word.text.as_str()));
    match command.program.as_deref() {
        Some("tmux") => says(&[
            "send-keys",
            "send",
            "send-prefix",
            "paste-buffer",
            "pasteb",
            "pipe-pane",
            "pipep",
            "run-shell",
        ]),
        Some("screen") => says(&["stuff", "paste", "readbuf", "-X"]),
        Some("zellij") => says(&["write", "write-chars", "run"]),
        Some("wezterm" | "kitty" | "kitten") => says(&["send-text", "send-key"]),
        Some("xdotool" | "ydotool" | "wtype" | "dotool") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S5]
    #[test]
    fn a_pattern_that_finds_the_gate_is_seen_and_others_are_not() {
        for pattern in [
            "portcullis",
            "portc",
            "[p]ortcullis",
            "port.*lis",
            "cullis serve",
            "portcullis-hook",
            "^portcullis$",
        ] {
            assert!(finds_gate(pattern, true), "{pattern}");
        }
        for pattern in
            ["node", "vite --port 3000", "python serve.py", "lis", "-9", "export", "report", "vite serve"]
        {
            assert!(!finds_gate(pattern, false), "{pattern}");
        }
    }
}
