//! Places that are the project's own by what a line says of them, and those that are not.

use portcullis_shell::{Command, Effects, Reading};

use super::places;
use crate::run_files::interpreters::{self, Given};
use crate::view::{Access, PathUse, View};

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
