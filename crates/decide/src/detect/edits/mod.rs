//! Harm in the text of an edit (SPEC P5): what it takes away is compared with what it adds, on lines and names, in any
//! language.

mod change;
mod code_sinks;
mod infrastructure;
mod instructions;
mod kinds;
mod line_edits;
mod passwords;
mod rights;
mod settings;
mod sources;
mod weakened;
mod workflows;

use portcullis_shell::Reading;

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Category, Finding, code, detectors};
use crate::protected;
use crate::view::{Access, View};
use change::Change;
use kinds::{is_instruction, is_prose, is_review_file, is_sample, is_test_file};

pub(super) use code_sinks::runs_input;
pub(super) use line_edits::{of_changes, of_line, of_text};

/// The harm in what an edit adds and takes away.
pub(crate) fn of_edit(call: &ToolCall, view: &View) -> Vec<Finding> {
    written(view).map_or_else(Vec::new, |path| found_in(&Change::of(call, path), &call.cwd, Effect::Anywhere))
}

/// The part of it that is done when the file is run: a check that is gone from a program harms nobody who tests it.
pub(crate) fn of_run_edit(call: &ToolCall, view: &View) -> Vec<Finding> {
    written(view).map_or_else(Vec::new, |path| found_in(&Change::of(call, path), &call.cwd, Effect::WhenRun))
}

/// Edits of files that builds, containers and CI obey: what they run, and what they no longer check.
pub(super) fn of_build_edit(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let path = written(view).filter(|path| protected::runs_later(path));
    path.map_or_else(Vec::new, |path| workflows::found_in(&Change::of(call, path), &call.cwd, context))
}

fn written(view: &View) -> Option<&str> {
    view.paths.iter().find(|path| path.access == Access::Write).map(|path| path.path.as_str())
}

/// Which harm counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// What the program does to others, too.
    Anywhere,
    /// Only what is done when the file is run here.
    WhenRun,
}

fn found_in(change: &Change, cwd: &str, effect: Effect) -> Vec<Finding> {
    let path = change.path.as_str();
    // What the folders above the project are called says nothing about the file.
    let inner = path.strip_prefix(cwd).unwrap_or(path);
    let runs = protected::runs_later(path);
    if is_sample(inner) && !runs {
        return Vec::new();
    }
    if is_prose(path) {
        return in_prose(change);
    }
    let mut found: Vec<Finding> =
        code::signs(&change.new, &change.old).into_iter().map(code::Sign::finding).collect();
    found.extend(weakened::found_in(change, inner, effect, runs));
    found.extend(settings::weakened(change));
    // Whoever runs a program that obeys others is judged by what it runs.
    let obeys = |finding: &Finding| finding.detector == &detectors::RUNS_REMOTE_INPUT;
    found.extend(code_sinks::added(change).into_iter().filter(|it| effect == Effect::Anywhere || !obeys(it)));
    found.extend(infrastructure::opened(change));
    found.extend(sources::moved(change));
    found.extend(instructions::gained(&change.old, &change.new).filter(|_| is_instruction(path)));
    found.extend(line_edits::results_written(change));
    if is_review_file(path) {
        found.push(Finding::by(&detectors::REVIEWERS_CHANGED));
    }
    if is_test_file(inner) && !runs {
        let grave = |category: Category| {
            matches!(
                category,
                Category::RemoteExecSurface | Category::RunDownloadedCode | Category::Exfiltration
            )
        };
        found.retain(|finding| finding.certain && grave(finding.category()));
        found.extend(weakened::tests_emptied(change));
    }
    found.extend(weakened::tests_skipped(change));
    for finding in &mut found {
        finding.targets = vec![path.to_owned()];
    }
    found
}

/// The harm in what people read: only a secret itself has no place there. Agents do what their files tell them to.
fn in_prose(change: &Change) -> Vec<Finding> {
    use Category::{Exfiltration, RemoteExecSurface, RunDownloadedCode, SelfModification};
    let instruction = is_instruction(&change.path);
    let is_order = |finding: &Finding| {
        matches!(finding.category(), RunDownloadedCode | RemoteExecSurface | Exfiltration | SelfModification)
    };
    let signs = code::signs(&change.new, &change.old).into_iter().map(code::Sign::finding);
    let counts = |finding: &Finding| {
        finding.detector == &detectors::WRITES_SECRET || (instruction && is_order(finding))
    };
    let signs = signs.filter(counts).map(|it| if is_order(&it) { it.doubtful() } else { it });
    let orders = instructions::gained(&change.old, &change.new).filter(|_| instruction);
    signs.chain(orders).chain(instructions::approval_claimed(&change.old, &change.new)).collect()
}

/// Whether all that a line writes is for people to read.
pub(super) fn writes_prose(view: &View) -> bool {
    let mut written = view.paths.iter().filter(|path| path.access != Access::Read).peekable();
    written.peek().is_some() && written.all(|path| path.literal && is_prose(&path.path))
}

/// The harm in such a line: what it says is read by people, or by agents.
pub(super) fn of_prose(view: &View, line: &str) -> Vec<Finding> {
    let written = view.paths.iter().filter(|path| path.access != Access::Read);
    written.flat_map(|path| in_prose(&Change::new(&path.path, "", line))).collect()
}

/// The harm in changing who must look at changes: `: > CODEOWNERS`, `cp a CODEOWNERS`, `git mv CODEOWNERS b`.
pub(super) fn of_review_files(view: &View, reading: &Reading) -> Option<Finding> {
    let mut changed = view.paths.iter().filter(|path| path.access != Access::Read);
    let written = changed.find(|path| is_review_file(&path.path)).map(|path| path.path.clone());
    let moved = reading.commands.iter().find_map(|command| {
        let words = || command.arguments.iter().map(|word| word.text.as_str());
        let git = command.program.as_deref() == Some("git") && words().next() == Some("mv");
        let copies = matches!(command.program.as_deref(), Some("cp" | "mv" | "install" | "rsync" | "ln"));
        let folder = copies && words().next_back().is_some_and(|to| to == "." || to.ends_with('/'));
        words().find(|word| (git || folder) && is_review_file(word)).map(str::to_owned)
    });
    written.or(moved).map(|path| {
        let mut finding = Finding::by(&detectors::REVIEWERS_CHANGED);
        finding.targets = vec![path];
        finding
    })
}
