//! `portcullis import`: takes over what another agent's settings say, keeping what is there.

use std::path::Path;
use std::process::ExitCode;

use portcullis_gate::settings::import::{Import, Imported, from_claude_code};
use serde_json::json;

use super::{problems, project::Project};
use crate::output::{self, CALM, DIM, STRONG, append, visible};
use crate::person;

/// What to take over.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Whose settings.
    #[arg(long, value_enum, default_value_t = From::ClaudeCode)]
    from: From,
    /// Show what would be taken over, and write nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    project: Project,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum From {
    ClaudeCode,
}

/// Shows and writes.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let places = match arguments.project.places() {
        Ok(places) => places,
        Err(message) => return output::fail(&message),
    };
    let found = match arguments.from {
        From::ClaudeCode => from_claude_code(&places),
    };
    let import = match found {
        Ok(import) => import,
        Err(error) => return output::fail(&error.to_string()),
    };
    let writes = !arguments.dry_run && !import.taken.is_empty();
    if let Some(Err(error)) = writes.then(|| write(&places.state, &import)) {
        return output::fail(&visible(&error));
    }
    output::print(&shown(&import, arguments.dry_run))
}

/// Records it, then writes it.
fn write(state: &Path, import: &Import) -> Result<(), String> {
    let keys: Vec<&str> = import.taken.iter().map(|one| one.key).collect();
    let did = format!("took over settings from `{}`", import.from.display());
    person::record(state, "import", &did, json!({ "to": import.to.display().to_string(), "keys": keys }))?;
    import.write().map_err(|error| error.to_string())
}

fn shown(import: &Import, dry_run: bool) -> String {
    let mut text = problems::lines(&import.problems);
    let from = visible(&import.from.display().to_string());
    let to = visible(&import.to.display().to_string());
    for one in &import.taken {
        append(&mut text, format_args!("{CALM}+{CALM:#} {}\n", line(one)));
    }
    for one in &import.kept {
        append(
            &mut text,
            format_args!("{DIM}= {}  there already, or set to something else{DIM:#}\n", line(one)),
        );
    }
    let count = import.taken.len();
    let done = match (count, dry_run) {
        (0, _) => format!("nothing to take over from {from}\n"),
        (_, true) => format!("{STRONG}{count}{STRONG:#} would be taken over from {from} into {to}\n"),
        (_, false) => format!("{STRONG}{count}{STRONG:#} taken over from {from} into {to}\n"),
    };
    text + &done
}

fn line(one: &Imported) -> String {
    format!("{:<35} {}", one.key, visible(&one.value.to_string()))
}
