//! `portcullis trust`: shows what a project's file would loosen, and trusts exactly that content.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_gate::GateError;
use portcullis_gate::settings::Places;
use portcullis_gate::settings::trust::{self, Loosened, Preview};

use super::{problems, project::Project};
use crate::output::{self, CALM, DIM, LOUD, STRONG, WARM, append, visible};
use crate::person;

/// The user said no.
const REFUSED: u8 = 1;

/// What to trust.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A settings file of a project, or the project's folder; by default the project here.
    path: Option<PathBuf>,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
    /// List what is trusted.
    #[arg(long, conflicts_with_all = ["forget", "yes"])]
    list: bool,
    /// Trust no longer.
    #[arg(long, conflicts_with = "yes")]
    forget: bool,
    #[command(flatten)]
    project: Project,
}

/// Trusts; exits 1 when the user says no.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let places = match arguments.project.places() {
        Ok(places) => places,
        Err(message) => return output::fail(&message),
    };
    let done = if arguments.list {
        list(&places)
    } else if arguments.forget {
        forget_all(&places, &files(arguments, &places))
    } else {
        trust_all(&places, &files(arguments, &places), arguments.yes)
    };
    done.unwrap_or_else(|error| output::fail(&error.to_string()))
}

/// The file that is named, or those of the project.
fn files(arguments: &Arguments, places: &Places) -> Vec<PathBuf> {
    match &arguments.path {
        Some(path) if !path.is_dir() => vec![path.clone()],
        Some(path) => existing(&Places { project: path.clone(), ..places.clone() }),
        None => existing(places),
    }
}

fn existing(places: &Places) -> Vec<PathBuf> {
    let files = places.project_files().into_iter().map(|(_, path)| path);
    files.filter(|path| path.symlink_metadata().is_ok()).collect()
}

fn list(places: &Places) -> Result<ExitCode, GateError> {
    let trusted = trust::list(places)?;
    if trusted.is_empty() {
        return Ok(output::print("no file is trusted\n"));
    }
    let line = |file: &portcullis_gate::settings::trust::Trusted| {
        let changed =
            trust::preview(Path::new(&file.file)).map_or(true, |review| review.sha256 != file.sha256);
        let state = if changed { format!("  {WARM}changed since{WARM:#}") } else { String::new() };
        let hash: String = file.sha256.chars().take(12).collect();
        format!("{DIM}{hash}{DIM:#}  {}{state}\n", visible(&file.file))
    };
    Ok(output::print(&trusted.iter().map(line).collect::<String>()))
}

fn forget_all(places: &Places, files: &[PathBuf]) -> Result<ExitCode, GateError> {
    let mut text = String::new();
    for file in files {
        let what = if trust::forget(places, file)? { "is trusted no longer" } else { "was not trusted" };
        append(&mut text, format_args!("`{}` {what}\n", visible(&file.display().to_string())));
    }
    if files.is_empty() {
        text.push_str("the project has no settings files\n");
    }
    Ok(output::print(&text))
}

fn trust_all(places: &Places, files: &[PathBuf], yes: bool) -> Result<ExitCode, GateError> {
    if files.is_empty() {
        let folder = visible(&places.project.display().to_string());
        return Ok(output::print(&format!("`{folder}` has no settings files; there is nothing to trust\n")));
    }
    let mut refused = false;
    for file in files {
        let review = trust::preview(file)?;
        let written = output::print(&shown(&review));
        if written != ExitCode::SUCCESS {
            return Ok(written);
        }
        if review.loosened.is_empty() {
            continue;
        }
        let agreed = yes
            || match output::agreed("trust this content?") {
                Some(agreed) => agreed,
                None => {
                    return Ok(output::fail(
                        "nobody can be asked here; run it in a terminal, or add `--yes`",
                    ));
                }
            };
        if agreed {
            let file = review.file.display().to_string();
            let input = serde_json::json!({ "file": file, "sha256": review.sha256 });
            if let Err(why) = person::record(&places.state, "trust", &format!("trusted `{file}`"), input) {
                return Ok(output::fail(&visible(&why)));
            }
            // What was shown is trusted, not what the file may hold by now.
            review.record(places)?;
            let done = format!("{CALM}trusted{CALM:#} {}\n\n", visible(&review.file.display().to_string()));
            let written = output::print(&done);
            if written != ExitCode::SUCCESS {
                return Ok(written);
            }
        }
        refused |= !agreed;
    }
    Ok(if refused { ExitCode::from(REFUSED) } else { ExitCode::SUCCESS })
}

fn shown(review: &Preview) -> String {
    let file = visible(&review.file.display().to_string());
    let mut text = problems::lines(&review.problems);
    if review.loosened.is_empty() {
        return text + &format!("{STRONG}{file}{STRONG:#} loosens nothing; it needs no trust\n");
    }
    append(&mut text, format_args!("{STRONG}{file}{STRONG:#} would loosen\n"));
    for one in &review.loosened {
        append(
            &mut text,
            format_args!("  {:<35} {}{}\n", one.key, visible(&one.value.to_string()), remark(one)),
        );
    }
    text
}

fn remark(one: &Loosened) -> String {
    let at = format!("  {DIM}line {}{DIM:#}", one.origin.line);
    match (one.never, one.dangerous) {
        (true, _) => format!("{at}  {DIM}has no effect: a project may not choose this mode{DIM:#}"),
        (false, true) => format!("{at}  {LOUD}lets nearly anything run{LOUD:#}"),
        (false, false) => at,
    }
}
