//! What scripts do that a session or a line writes and runs. Whoever writes a script and runs it could have run its lines,
//! so they are judged alike.

pub(crate) mod executed;
pub(super) mod notebooks;
pub(super) mod planted;

use crate::context::Context;
use crate::detect::{Finding, code, detectors, edits, routine};
use crate::run_files::embedded;
use crate::run_files::notebooks::shell_lines;
use crate::run_files::texts::as_line;
use crate::view::{Reader, View};

/// The harm in a script, whoever reads it.
pub(super) fn harm_for(reader: Reader, text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    match reader {
        Reader::Shell => harm(text, cwd, context),
        Reader::Notebook => notebooks::harm_in(text, cwd, context),
        Reader::Data => Vec::new(),
        Reader::Language => {
            let mut found = crate::detect::in_text(text);
            if code::destroys_in_file(text, context) || embedded::empties_home(text) {
                found.push(Finding::destruction());
            }
            found.extend(embedded::lines(text).iter().flat_map(|line| harm(&line.text, cwd, context)));
            if edits::runs_input(text) {
                found.push(Finding::by(&detectors::EXECUTES_REQUEST_INPUT).doubtful());
            }
            found
        }
    }
}

/// The harm in text for a shell, as if it were the line.
pub(crate) fn harm(text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    let (line, inner) = as_line(text, cwd, context);
    crate::detect::findings(&line, &View::of(&line, &inner), &inner)
}

/// Why a script does no ordinary work; what harm there is, [`harm_for`] says.
pub(super) fn unusual_for(
    reader: Reader,
    path: &str,
    text: &str,
    cwd: &str,
    context: &Context,
) -> Option<String> {
    match reader {
        Reader::Shell => unusual(text, cwd, context),
        Reader::Notebook => unusual(&shell_lines(text), cwd, context),
        Reader::Data => None,
        // Code in a file is judged as code in the line is.
        Reader::Language => {
            code::unusual_code(code::language_of_file(path, text), text, context).map(str::to_owned)
        }
    }
}

fn unusual(text: &str, cwd: &str, context: &Context) -> Option<String> {
    let (line, inner) = as_line(text, cwd, context);
    let view = View::of(&line, &inner);
    let told: Vec<_> =
        crate::detect::findings(&line, &view, &inner).iter().filter_map(|found| found.span).collect();
    routine::unusual_deed(&line, &view, &inner, &told)
}
