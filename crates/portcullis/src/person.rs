//! Whether a person sits at the terminal, and who (SPEC A5, W1). What only people may do asks here first.

use std::io::IsTerminal;

/// Somebody at a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Person {
    /// Their name.
    pub(crate) who: String,
    /// Where they sit.
    pub(crate) place: String,
}

/// Variables that agents set for the commands they run.
const AGENTS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "OPENCODE",
    "COPILOT_AGENT",
    "CURSOR_AGENT",
    "GOOSE_TERMINAL",
    "AGENT",
];

/// The person at the terminal; the error says why nobody is taken to be there.
pub(crate) fn present() -> Result<Person, String> {
    if let Some(agent) = AGENTS.iter().find(|name| std::env::var_os(name).is_some()) {
        return Err(format!("this works only for a person, and `{agent}` says that an agent runs it"));
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err("this works only for a person at a terminal; run it in a terminal of your own".to_owned());
    }
    Ok(Person { who: who(), place: place() })
}

/// The user's name as the environment has it, with the number that cannot be made up.
pub(crate) fn who() -> String {
    let number = rustix::process::getuid().as_raw();
    let named = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    let plain = |name: &String| !name.is_empty() && name.len() <= 64 && !name.chars().any(char::is_control);
    match named.filter(plain) {
        Some(name) => format!("{name} (uid {number})"),
        None => format!("uid {number}"),
    }
}

/// Their terminal; empty where there is none.
pub(crate) fn place() -> String {
    let name = rustix::termios::ttyname(std::io::stdin(), Vec::new()).ok();
    name.and_then(|name| name.into_string().ok()).unwrap_or_default()
}
