//! Rules for a place inside a folder that a command goes through, changes or takes away as a whole: `grep -r x .`, `git clean`.

use portcullis_shell::{Command, Effects};

use super::anchors::anchors;
use super::hits::{Strongest, path_part};
use super::mentions::lists_changes;
use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::{PathKind, Question};
use crate::glob::Match;
use crate::rules::{List, Rule, Specifier};
use crate::view::{Access, PathUse, View, in_span, path_resolution, plain};

/// Changes files.
const CHANGES: Effects = Effects::WRITES.and(Effects::DELETES).and(Effects::DISCARDS);

/// Runs or installs something: which files that changes is not a matter of the folder.
const BUILDS: Effects = Effects::PROJECT_CODE
    .and(Effects::INSTALLS_DECLARED)
    .and(Effects::INSTALLS_NAMED)
    .and(Effects::EXECUTES)
    .and(Effects::UNKNOWN);

const UNPACKS: &[&str] = &["tar", "bsdtar", "gtar", "unzip", "7z", "7za", "7zz", "cpio", "pax", "patch"];

/// The most places that are looked up; what was not looked up counts as present.
const MOST_PLACES: usize = 32;

/// Rules for places inside the folders that commands change without listing what they change.
pub(super) fn rules<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    if list == List::Allow || context.rules.any_path(list, true).is_none() {
        return;
    }
    for folder in changed(call, view, context) {
        for (rule, _) in guarded(list, true, &folder, call, context) {
            found.add(rule, Match::Unclear, || Some(path_part(&folder)));
        }
    }
}

/// Rules that guard a part of a folder that is taken as a whole. A place that is known not to exist is no part of it.
pub(super) fn below<'r>(
    list: List,
    path: &PathUse,
    call: &ToolCall,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    for (rule, place) in all_guarded(list, path, call, context) {
        let missing = || context.facts.path(&place).is_some_and(|fact| fact.kind == PathKind::Missing);
        if path.access != Access::Read || !missing() {
            found.add(rule, Match::Unclear, || Some(path_part(path)));
        }
    }
}

/// The same for both kinds of rules. Whoever only looks through a folder does not change what it holds.
fn all_guarded<'r>(
    list: List,
    path: &PathUse,
    call: &ToolCall,
    context: &'r Context,
) -> Vec<(&'r Rule, String)> {
    let kinds = [false, true].into_iter().filter(|edit| !edit || path.access != Access::Read);
    kinds.flat_map(|edit| guarded(list, edit, path, call, context)).collect()
}

/// The rules for places inside a folder, each with the part of its pattern that is spelled out.
fn guarded<'r>(
    list: List,
    edit: bool,
    path: &PathUse,
    call: &ToolCall,
    context: &'r Context,
) -> Vec<(&'r Rule, String)> {
    let mut found = Vec::new();
    for folder in path_resolution::names(path, context).all {
        let starts = |rule, anchor| anchors(rule, anchor, call, context);
        for rule in context.rules.paths_below(list, edit, &folder, starts) {
            let Specifier::Path(pattern) = &rule.specifier else { continue };
            let mut starts = anchors(rule, pattern.anchor, call, context);
            let anchor = starts.find(|anchor| pattern.lies_below(&folder, anchor, context.fold_case));
            found.extend(anchor.map(|anchor| {
                let place = format!("{}/{}", anchor.trim_end_matches('/'), pattern.start());
                (rule, place.trim_end_matches('/').to_owned())
            }));
        }
    }
    found
}

/// What has to be looked up: whether the places are there that rules guard inside folders that the call goes through.
pub(crate) fn questions(call: &ToolCall, view: &View, context: &Context) -> Vec<Question> {
    let searched = view.paths.iter().filter(|path| path.searched && path.access == Access::Read);
    let places = searched.flat_map(|path| {
        [List::Deny, List::Ask].into_iter().flat_map(|list| all_guarded(list, path, call, context))
    });
    places.map(|(_, place)| Question::Path(place)).take(MOST_PLACES).collect()
}

/// The folders in which commands change files that the reader does not list.
fn changed(call: &ToolCall, view: &View, context: &Context) -> Vec<PathUse> {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let unlisted = commands.filter(|command| {
        (command.own.meets(CHANGES) && !lists_changes(command, view)) || stashes_new_files(command)
    });
    unlisted.flat_map(|command| folders(command, call, view, context)).collect()
}

fn folders(command: &Command, call: &ToolCall, view: &View, context: &Context) -> Vec<PathUse> {
    let whole =
        |path: PathUse| PathUse { access: Access::Delete, searched: true, span: Some(command.span), ..path };
    let place = |place: &str| whole(plain(place, Access::Delete, call, context));
    let read = view.paths.iter().filter(|path| {
        path.access == Access::Read
            && !path.redirect
            && path.span != Some(command.span)
            && in_span(path, command)
    });
    let mut found: Vec<PathUse> = read.cloned().map(whole).collect();
    let unpacks = unpacks(command);
    let files = Effects::READS.and(Effects::DISCARDS);
    if command.own.meets(BUILDS) || !(unpacks || command.own.meets(files) || stashes_new_files(command)) {
        return found;
    }
    if found.is_empty() && !unpacks && !stashes_new_files(command) {
        let words = command.operands.iter().filter_map(|index| command.arguments.get(*index));
        found.extend(words.filter(|word| word.literal).map(|word| place(&word.text)));
    }
    if found.is_empty() || unpacks {
        let places = command.directory.as_deref().unwrap_or(".").split(" | ");
        found.extend(places.filter(|folder| *folder != "*").map(place));
    }
    found
}

/// Whether the command writes what the file that it reads says, below the folder that it is in.
fn unpacks(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
    UNPACKS.contains(&name)
        || (name == "git" && verb.is_some_and(|verb| matches!(verb.text.as_str(), "apply" | "am")))
}

/// Whether git puts files away that it does not know yet: `git stash -u`.
fn stashes_new_files(command: &Command) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let all =
        |word: &str| matches!(word, "--include-untracked" | "--all") || is_cluster_with(word, &['u', 'a']);
    command.program.as_deref() == Some("git")
        && words().any(|word| word == "stash")
        && !words().any(|word| matches!(word, "show" | "list" | "pop" | "apply" | "drop"))
        && words().any(all)
}

fn is_cluster_with(word: &str, letters: &[char]) -> bool {
    word.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(letters))
}
