//! Places that are the project's own by what a line says of them, and those that are not.

use portcullis_shell::{Command, Effects, Reading};

use super::places;
use crate::context::Context;
use crate::run_files::interpreters::{self, Given};
use crate::view::{Access, PathUse, View};

/// The folder in which a pattern finds those that a loop goes through: `packages` of `packages/*`, `.` of `./*`. What is
/// not known at all begins with `*`.
pub(super) fn found_below(place: &str) -> Option<&str> {
    let at = place.find(['*', '?'])?;
    let (folder, _) = place.get(..at)?.rsplit_once('/')?;
    let others = ["node_modules", "vendor", "third_party", "target", "dist", "build"];
    let plain = !folder.is_empty() && !place.starts_with(['/', '~']) && !place.contains("..");
    (plain && !place.split('/').any(|part| others.contains(&part))).then_some(folder)
}

/// Whether what runs in the folders of a loop may have been put there: by the line, by the session, or by its path.
pub(super) fn is_filled(command: &Command, view: &View, reading: &Reading, context: &Context) -> bool {
    let enters = |other: &Command| {
        other.program.as_deref() == Some("cd") && other.arguments.iter().any(|word| !word.literal)
    };
    let fetches = |other: &Command| {
        other.program.as_deref() == Some("git") && other.effects.meets(Effects::NETWORK_READ)
    };
    reading.commands.iter().any(enters)
        && (command.word.contains('/')
            || view.paths.iter().any(|it| it.access == Access::Write && !is_aside(it))
            || reading.commands.iter().any(fetches)
            || !context.session.fetched.is_empty())
}

/// Where output goes that nothing in the project obeys.
fn is_aside(path: &PathUse) -> bool {
    path.literal && (places::is_temporary(&path.path) || path.path == "/dev/null")
}

/// Whether the line writes into a new folder, or a file of which a part of the name is not known, and runs something there
/// or something that is only known at run time: what it wrote is not followed.
pub(super) fn runs_unseen(view: &View, reading: &Reading) -> bool {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    let written = |it: &&PathUse| it.access == Access::Write && it.glob && places::is_temporary(&it.path);
    let rests: Vec<&str> =
        view.paths.iter().filter(written).filter_map(|it| Some(it.path.split_once('*')?.1)).collect();
    let below = rests.iter().any(|rest| rest.contains('/'));
    let beside = rests.iter().any(|rest| !rest.is_empty());
    // Code that is written out runs nothing else.
    let told = |it: &Command| matches!(interpreters::given(it), Given::Code(code) if !code.is_empty());
    let there = |it: &Command| {
        let unknown = |word: &str| word.contains('*');
        it.arguments.iter().any(|word| !word.literal)
            || unknown(&it.word)
            || it.directory.as_deref().is_some_and(unknown)
    };
    reading
        .commands
        .iter()
        .filter(|it| it.own.meets(runs) && there(it))
        .any(|it| below || (beside && !told(it)))
}
