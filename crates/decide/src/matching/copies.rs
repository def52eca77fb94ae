//! Programs under a name that the line or the session gave them: `cp /usr/bin/git g; ./g push` (SPEC R5, R12).

use portcullis_shell::{Command, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;
use crate::session_facts::RenamedProgram;
use crate::view::{Access, PathUse, View, directories, in_span};

/// Programs that give a file another name, or put its bytes elsewhere.
const COPIERS: &[&str] =
    &["cp", "gcp", "ln", "link", "mv", "install", "ginstall", "dd", "rsync", "ditto", "tee"];

/// The names that the program of a command had before the line or the session renamed or copied it.
pub(crate) fn names(command: &Command, view: &View, call: &ToolCall, context: &Context) -> Vec<String> {
    let Some(reading) = view.reading.as_ref().filter(|_| command.word.contains('/')) else {
        return Vec::new();
    };
    let folders = directories(command, call, context).unwrap_or_default();
    let places: Vec<String> = folders.iter().map(|folder| context.absolute(&command.word, folder)).collect();
    let all = of_line(view, reading)
        .into_iter()
        .map(|(copied, _)| copied)
        .chain(context.session.copies.iter().cloned());
    let here = |copied: &RenamedProgram| {
        copied.place == "*" || places.iter().any(|place| is_within(place, &copied.place))
    };
    let own = command.program.as_deref().unwrap_or_default();
    let mut found: Vec<String> =
        all.filter(here).map(|copied| copied.name).filter(|name| name != own).collect();
    found.sort();
    found.dedup();
    found
}

/// What the line copies, links, moves or prints into files, each with where it came from.
pub(crate) fn of_line(view: &View, reading: &Reading) -> Vec<(RenamedProgram, String)> {
    let mut found = Vec::new();
    for command in &reading.commands {
        let mine = |path: &&PathUse| path.span.is_some() && in_span(path, command);
        let copies = command.program.as_deref().is_some_and(|name| COPIERS.contains(&name));
        let made = view.paths.iter().filter(mine).filter(|path| path.access == Access::Write);
        for made in made.filter(|path| copies || path.redirect) {
            let sources = view.paths.iter().filter(mine).filter(|path| path.access != Access::Write);
            for source in sources {
                let name = source.path.rsplit('/').next().unwrap_or_default();
                let name = if source.literal { name } else { "*" };
                let copy = RenamedProgram { place: made.path.clone(), name: name.to_owned() };
                found.push((copy, source.path.clone()));
            }
        }
    }
    found
}
