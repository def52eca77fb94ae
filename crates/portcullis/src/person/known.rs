//! Names of programs: those that people sit at, those that start others, and agents.

use super::process::Process;

/// Programs that let somebody in who proved who they are; they run as root.
const LOGINS: &[&str] = &[
    "sshd",
    "sshd-session",
    "sshd-auth",
    "login",
    "dropbear",
    "gdm",
    "gdm3",
    "gdm-session-worker",
    "lightdm",
    "sddm",
    "sddm-helper",
    "greetd",
    "ly",
    "ly-dm",
    "xdm",
    "xrdp",
    "xrdp-sesman",
    "tailscaled",
    "cockpit-session",
    "kmscon",
    // What WSL puts above every console.
    "SessionLeader",
];

/// Terminal programs. Terminals inside editors are not among them: agents of the editor type into those as well.
const TERMINALS: &[&str] = &[
    "alacritty",
    "blackbox",
    "contour",
    "cool-retro-term",
    "deepin-terminal",
    "foot",
    "ghostty",
    "gnome-terminal-server",
    "kgx",
    "kitty",
    "konsole",
    "lxterminal",
    "mate-terminal",
    "ptyxis",
    "ptyxis-agent",
    "qterminal",
    "rio",
    "roxterm",
    "rxvt",
    "sakura",
    "st",
    "terminology",
    "tilda",
    "tilix",
    "urxvt",
    "urxvtd",
    "wezterm-gui",
    "xfce4-terminal",
    "xterm",
    "yakuake",
];

/// Programs that keep terminals open while nobody looks.
const MULTIPLEXERS: &[&str] =
    &["tmux", "screen", "zellij", "dtach", "abduco", "mosh-server", "wezterm-mux-server"];

/// Programs that start a terminal when somebody presses a key or a button.
const DESKTOPS: &[&str] = &[
    "Hyprland",
    "awesome",
    "bspwm",
    "cinnamon",
    "cinnamon-session-binary",
    "cosmic-comp",
    "cosmic-session",
    "dwm",
    "fluxbox",
    "gnome-session-binary",
    "gnome-shell",
    "i3",
    "kwin_wayland",
    "labwc",
    "lxqt-session",
    "mate-session",
    "niri",
    "openbox",
    "plasmashell",
    "qtile",
    "river",
    "startplasma-wayland",
    "startplasma-x11",
    "sway",
    "xfce4-panel",
    "xfce4-session",
];

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "busybox"];

/// Programs that only start another one.
const WRAPPERS: &[&str] =
    &["env", "timeout", "nice", "ionice", "stdbuf", "nohup", "setsid", "time", "chrt", "taskset"];

/// Programs that run what stands in a file: whose it is, the file says.
const INTERPRETERS: &[&str] = &["node", "nodejs", "bun", "deno", "MainThread"];

/// Programs of agents.
const AGENTS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "opencode",
    "cursor",
    "cursor-agent",
    "goose",
    "goosed",
    "aider",
    "amp",
    "crush",
    "droid",
];

/// Packages of agents that an interpreter runs.
const PACKAGES: &[&str] = &[
    "/@anthropic-ai/",
    "/@openai/codex",
    "/@google/gemini-cli",
    "/@qwen-code/",
    "/@github/copilot",
    "/opencode-ai",
    "/cursor-agent",
];

/// What a chain of processes may begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seat {
    /// Somebody proved who they are to a program of root.
    Login,
    /// A program of the user: a terminal, a multiplexer or a desktop.
    Program,
}

/// What kind of seat a process is; nothing for all others.
pub(crate) fn seat(process: &Process) -> Option<Seat> {
    if process.is_root && process.is_system && is_one_of(process, LOGINS) {
        return Some(Seat::Login);
    }
    let known = [TERMINALS, MULTIPLEXERS, DESKTOPS].iter().any(|names| is_one_of(process, names));
    (known && process.is_system).then_some(Seat::Program)
}

/// Whether a process only keeps the services of a user or of the machine.
pub(crate) fn is_supervisor(process: &Process) -> bool {
    process.is_system && matches!(process.program(), "systemd" | "(sd-pam)")
}

/// Whether the name says that it is an agent. A name can be changed: this only ever refuses.
pub(crate) fn is_agent(process: &Process) -> bool {
    let named = |name: &str| AGENTS.contains(&name);
    let first = process.words.first().map_or("", |word| base(word));
    if named(&process.name) || named(process.program()) || named(first) {
        return true;
    }
    let runs = |name: &str| INTERPRETERS.contains(&name) || name.starts_with("python");
    let interpreted = runs(process.program()) || runs(&process.name);
    let script = process.words.iter().skip(1).find(|word| !word.starts_with('-'));
    interpreted
        && script.is_some_and(|word| PACKAGES.iter().any(|part| word.contains(part)) || named(base(word)))
}

/// Whether a process only passes a hook on: a shell that was started for it or that somebody types in, or a wrapper.
/// A shell that runs a script is a program of its own.
pub(crate) fn passes_on(process: &Process) -> bool {
    let name = process.program();
    if WRAPPERS.contains(&name) {
        return true;
    }
    let clustered = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let rest = process.words.get(1..).unwrap_or_default();
    SHELLS.contains(&name) && (rest.iter().any(clustered) || rest.iter().all(|word| word.starts_with('-')))
}

fn is_one_of(process: &Process, names: &[&str]) -> bool {
    names.contains(&process.program())
}

pub(crate) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
