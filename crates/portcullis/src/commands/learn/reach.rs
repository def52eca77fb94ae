//! What a call reaches, in the terms that allow rules speak.

use portcullis_decide::view::View;

/// What a call reaches, in the terms that allow rules speak.
pub(super) struct Reach {
    /// The first words of its commands.
    pub(super) programs: Vec<String>,
    /// The files that it uses, and whether that is all of their names.
    pub(super) paths: Vec<(String, bool)>,
}

impl Reach {
    pub(super) fn of(view: &View) -> Reach {
        let commands = view.reading.iter().flat_map(|reading| &reading.commands);
        Reach {
            programs: commands.map(|command| command.word.clone()).collect(),
            paths: view.paths.iter().map(|path| (path.path.clone(), path.literal)).collect(),
        }
    }
}
