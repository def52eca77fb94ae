//! `portcullis read`: what the reader sees in a command line, for people and for programs (SPEC J3).

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use portcullis_shell::{Argument, Command, Dialect, Effects, FileUse, Limits, Reading, Span, read_bytes};
use serde_json::{Value, json};

use super::read_view;
use crate::output;

/// A command was found that cannot be read as a whole.
const UNCLEAR: u8 = 1;
/// The line was refused before it was read.
const REFUSED: u8 = 2;

/// The most that is taken from standard input; no shell accepts a longer command line.
const MAX_INPUT: u64 = 4 << 20;

/// What to read and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The command line; `-` reads it from standard input.
    command: OsString,
    /// The shell that would run it.
    #[arg(long, value_enum, default_value_t = Shell::Bash)]
    shell: Shell,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Refuse lines longer than this many characters.
    #[arg(long, default_value_t = Limits::default().characters, value_name = "CHARACTERS")]
    limit: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Shell {
    Bash,
    Sh,
    Zsh,
    Powershell,
}

/// Reads the line; exits 0 when all of it was understood, 1 when something is unclear, 2 when it was refused.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let line = match line(arguments) {
        Ok(line) => line,
        Err(message) => return output::fail(&message),
    };
    let dialect = match arguments.shell {
        Shell::Bash => Dialect::Bash,
        Shell::Sh => Dialect::Sh,
        Shell::Zsh => Dialect::Zsh,
        Shell::Powershell => Dialect::PowerShell,
    };
    let reading = read_bytes(&line, dialect, Limits { characters: arguments.limit });
    let text = String::from_utf8_lossy(&line);
    // Where the program stands cannot be told in a directory that is gone; then anything may be obeyed.
    let told = match std::env::current_dir() {
        Ok(here) => told_by(&reading, &here),
        Err(_) => vec![String::from(".")],
    };
    let answer = if arguments.json {
        format!("{}\n", as_json(&reading, &told))
    } else {
        read_view::render(&text, &reading, &told)
    };
    let written = output::print(&answer);
    if written != ExitCode::SUCCESS {
        return written;
    }
    match (reading.refused(), reading.unclear.is_empty()) {
        (Some(_), _) => ExitCode::from(REFUSED),
        (None, false) => ExitCode::from(UNCLEAR),
        (None, true) => ExitCode::SUCCESS,
    }
}

fn line(arguments: &Arguments) -> Result<Vec<u8>, String> {
    if arguments.command != "-" {
        return Ok(arguments.command.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    input
        .take(MAX_INPUT)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read standard input: {error}"))?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(bytes)
}

/// The files in a directory or above it that can make a command of the line run other code, and those that it would make
/// because they are not there.
pub(crate) fn told_by(reading: &Reading, here: &Path) -> Vec<String> {
    let found = reading.obeyed_files().into_iter().flat_map(|name| {
        // What stands behind a colon must stand in the file; that is not looked at here.
        let name = name.split(':').next().unwrap_or_default();
        here.ancestors().map(move |folder| folder.join(name))
    });
    let obeyed = found.filter(|path| path.symlink_metadata().is_ok());
    let creates = reading.effects().meets(Effects::CREATES_MISSING);
    let read = reading.files.read.iter().filter(|_| creates).map(|file| here.join(&file.path));
    let missing = read.filter(|path| path.symlink_metadata().is_err());
    obeyed.chain(missing).map(|path| path.display().to_string()).collect()
}

/// The shape that other programs rely on (J3).
pub(crate) fn as_json(reading: &Reading, told: &[String]) -> Value {
    json!({
        "only_reads": reading.only_reads() || (reading.only_reads_unless_told() && told.is_empty()),
        "told_by": told,
        "effects": reading.effects().names().collect::<Vec<_>>(),
        "commands": reading.commands.iter().map(command).collect::<Vec<_>>(),
        "files": {
            "read": paths(&reading.files.read),
            "written": paths(&reading.files.written),
            "deleted": paths(&reading.files.deleted),
        },
        "unclear": reading.unclear.iter().map(|unclear| json!({
            "reason": unclear.to_string(),
            "kind": unclear.why.name(),
            "span": span(unclear.span),
        })).collect::<Vec<_>>(),
    })
}

fn command(command: &Command) -> Value {
    json!({
        "program": command.program,
        "args": command.arguments.iter().map(argument).collect::<Vec<_>>(),
        "assignments": command.assignments.iter().map(|(name, value)| json!({
            "name": name,
            "value": value.text,
            "literal": value.literal,
        })).collect::<Vec<_>>(),
        "placement": command.placement.name(),
        "directory": command.directory,
        "span": span(command.span),
        "effects": command.effects.names().collect::<Vec<_>>(),
    })
}

/// A word the program gets exactly is a string; any other is a pattern in which `*` stands for the unknown.
fn argument(argument: &Argument) -> Value {
    if argument.literal { json!(argument.text) } else { json!({ "unclear": argument.text }) }
}

fn span(span: Span) -> Value {
    json!([span.start, span.end])
}

fn paths(files: &[FileUse]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}
