//! The command's own word in the user's mouth (SPEC C17): who says "drain node-3" means `kubectl drain node-3`.

use portcullis_decide::detect::{Category, Finding};
use portcullis_decide::view::View;
use portcullis_shell::Command;

use super::granted::command_of;
use super::settled::{is_database, statement};

/// Words of sub-commands, and how people ask for them.
const SPOKEN: &[(&str, &[&str])] = &[
    ("deallocate", &["deallocate"]),
    ("stop", &["stop"]),
    ("start", &["start"]),
    ("restart", &["restart"]),
    ("reboot", &["reboot"]),
    ("scale", &["scale"]),
    ("cordon", &["cordon"]),
    ("uncordon", &["uncordon"]),
    ("taint", &["taint"]),
    ("set", &["set the image", "set image", "update the image", "update image"]),
    ("deprecate", &["deprecate"]),
];

/// The same for what takes something away.
const AWAY: &[(&str, &[&str])] = &[
    ("unpublish", &["unpublish"]),
    ("yank", &["yank"]),
    ("drain", &["drain"]),
    ("purge", &["purge"]),
    ("revoke", &["revoke"]),
    ("truncate", &["truncate"]),
    ("delete", &["delete", "remove"]),
    ("remove", &["delete", "remove"]),
    ("destroy", &["destroy", "delete"]),
    ("drop", &["drop", "destroy", "delete"]),
];

/// The words with which people ask for what the command of the finding does.
pub(super) fn own_words(finding: &Finding, view: &View) -> &'static [&'static str] {
    let Some(command) = command_of(finding, view) else { return &[] };
    let changes = matches!(
        finding.category(),
        Category::CloudStorageDelete | Category::SharedResource | Category::ProductionDeploy
    );
    let known = |step: &String| SPOKEN.iter().chain(AWAY).find(|(word, _)| word == step);
    let step = steps(command).filter(|_| changes).find_map(|step| known(&step));
    step.map_or(&[], |(_, spoken)| *spoken)
}

/// The parts of the words that say what is done: those before the options, or those of a statement.
fn steps(command: &Command) -> impl Iterator<Item = String> {
    let program = command.program.as_deref().unwrap_or_default();
    let first = command.arguments.iter().take_while(|word| !word.text.starts_with('-')).take(3);
    let told = command.arguments.iter().filter(|_| is_database(program));
    let told = told.filter_map(|word| statement(&word.text)?.first().cloned());
    let plain =
        first.flat_map(|word| word.text.split(['-', '_', ':']).map(str::to_lowercase).collect::<Vec<_>>());
    told.chain(plain).collect::<Vec<_>>().into_iter()
}

/// Whether the first word says what is done and to what: `purge_queue`, `apps:destroy`.
pub(super) fn is_joined_step(target: &str, command: &Command) -> bool {
    let first = command.arguments.first().is_some_and(|word| word.text == target);
    let parts: Vec<&str> = target.split(['_', ':']).collect();
    let acts = |part: &&str| AWAY.iter().any(|(word, _)| word == part);
    let plain = |part: &&str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_lowercase());
    first && parts.len() == 2 && parts.iter().any(acts) && parts.iter().all(plain)
}
