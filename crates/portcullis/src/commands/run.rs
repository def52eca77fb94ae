//! `portcullis run` and `ps`: the face of the small program that starts commands inside an envelope (SPEC J11, K9).

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::output::visible;

/// The code of a command that was not started because it could not be confined.
const NOT_CONFINED: u8 = 126;

/// What the command may touch, and the command.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    /// What the command may touch: nothing but reading, the project, or everything but the gate.
    #[arg(long, value_name = "ENVELOPE", value_parser = ["reads", "project", "open"])]
    envelope: Option<String>,
    /// A host that it may reach, with a port besides 80 and 443 if it needs one.
    #[arg(long = "host", value_name = "NAME[:PORT]")]
    hosts: Vec<String>,
    /// A further folder or file that it may write.
    #[arg(long = "write", value_name = "PATH")]
    writable: Vec<OsString>,
    /// A further folder or file that it may read.
    #[arg(long = "read", value_name = "PATH")]
    readable: Vec<OsString>,
    /// A program whose caches it may write; those that the command names are known.
    #[arg(long = "cache", value_name = "PROGRAM")]
    caches: Vec<String>,
    /// What may happen in `.git`; as much as the command's own words need, if it is not said.
    #[arg(long, value_name = "ACCESS", value_parser = ["read", "work"])]
    git: Option<String>,
    /// A variable to pass on although its name looks like that of a secret.
    #[arg(long = "env", value_name = "NAME")]
    variables: Vec<String>,
    /// Run in a session that other commands share: background processes and ports stay.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// End a new session with this process; with the agent, if it is not said.
    #[arg(long, value_name = "PID", requires = "session")]
    until: Option<String>,
    /// End a session, and say what was found in it.
    #[arg(long, value_name = "ID", exclusive = true)]
    end: Option<String>,
    /// Say what the envelope means, and start nothing.
    #[arg(long)]
    explain: bool,
    /// With --explain: the same as a profile for macOS.
    #[arg(long, requires = "explain")]
    seatbelt: bool,
    /// The command and its words.
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Nothing to choose.
#[derive(clap::Args)]
pub(crate) struct ListArguments {}

/// Becomes the program that starts commands.
pub(crate) fn run(arguments: &RunArguments) -> ExitCode {
    let mut words: Vec<OsString> = Vec::new();
    let mut add = |name: &str, value: OsString| words.extend([OsString::from(name), value]);
    let single = [
        ("--envelope", &arguments.envelope),
        ("--git", &arguments.git),
        ("--session", &arguments.session),
        ("--until", &arguments.until),
        ("--end", &arguments.end),
    ];
    for (name, value) in single {
        if let Some(value) = value {
            add(name, value.into());
        }
    }
    for (name, values) in
        [("--host", &arguments.hosts), ("--cache", &arguments.caches), ("--env", &arguments.variables)]
    {
        for value in values {
            add(name, value.into());
        }
    }
    for (name, values) in [("--write", &arguments.writable), ("--read", &arguments.readable)] {
        for value in values {
            add(name, value.clone());
        }
    }
    let switches = [("--explain", arguments.explain), ("--seatbelt", arguments.seatbelt)];
    words.extend(switches.into_iter().filter(|(_, given)| *given).map(|(name, _)| OsString::from(name)));
    words.push("--".into());
    words.extend(arguments.command.iter().cloned());
    become_runner(&words)
}

/// Lists what runs in sessions.
pub(crate) fn list(_: &ListArguments) -> ExitCode {
    become_runner(&["--ps".into()])
}

/// The program that starts commands, which lies beside this one.
pub(crate) fn runner() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.parent()?.join("portcullis-run");
    beside.is_file().then_some(beside)
}

fn become_runner(words: &[OsString]) -> ExitCode {
    let why = match runner() {
        Some(program) => Command::new(&program).args(words).exec().to_string(),
        None => "`portcullis-run` is not beside this program; install both".to_owned(),
    };
    // FAIL-CLOSED(no-runner): the command is not started otherwise.
    writeln!(std::io::stderr(), "portcullis: not confined: {}", visible(&why)).unwrap_or_default();
    ExitCode::from(NOT_CONFINED)
}
