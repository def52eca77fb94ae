//! Words of a command that may name files, where the reader does not list the files that the program touches.

use portcullis_shell::{Argument, Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::fed;
use crate::glob::{self, Match};
use crate::matching::{Strongest, anchors};
use crate::reads;
use crate::rules::{List, Rule, Specifier, Target};
use crate::ruling::Part;
use crate::view::{Access, View};

/// Changes files.
const CHANGES: Effects =
    Effects::WRITES.and(Effects::DELETES).and(Effects::DISCARDS).and(Effects::PERMISSIONS);

/// May open any file that it is given.
const OPENS: Effects = Effects::EXECUTES
    .and(Effects::PROJECT_CODE)
    .and(Effects::UNKNOWN)
    .and(Effects::SENDS_DATA)
    .and(Effects::NETWORK_WRITE)
    .and(Effects::PUBLISHES);

/// A stretch of a word that may name a file.
struct Mention<'v> {
    text: &'v str,
    word: &'v Argument,
    changes: bool,
}

/// Rules for files that are mentioned so: `gofmt -w locked/a.go`, `curl -F f=@secret.txt`. Whether they are touched
/// cannot be told (R6).
pub(crate) fn rules<'r>(
    list: List,
    view: &View,
    call: &ToolCall,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    for edit in [false, true].into_iter().filter(|edit| context.rules.any_path(list, *edit).is_some()) {
        for command in view.reading.iter().flat_map(|reading| &reading.commands) {
            let fed = fed::code_of(command, view, call, context);
            let mut mentions = mentions(command, view);
            mentions.extend(fed.iter().flat_map(of_code));
            mentions.retain(|mention| !edit || mention.changes);
            let folders = if mentions.is_empty() { Vec::new() } else { folders(command, call, context) };
            let guarded = mentions.iter().find_map(|mention| {
                let rule = guarding(list, edit, mention, &folders, call, context)?;
                Some((rule, mention.word.span))
            });
            if let Some((rule, span)) = guarded {
                let part = Part { text: span.of(&view.line).to_owned(), span: Some(span) };
                return found.add(rule, Match::Unclear, || Some(part));
            }
        }
    }
}

/// Where the command may run.
fn folders(command: &Command, call: &ToolCall, context: &Context) -> Vec<String> {
    let folders = command.directory.as_deref().unwrap_or(".").split(" | ");
    let known = folders.map(|folder| if folder == "*" { "." } else { folder });
    known.map(|folder| context.absolute(folder, &call.cwd)).collect()
}

/// A rule that means the file, if it is one.
fn guarding<'r>(
    list: List,
    edit: bool,
    mention: &Mention<'_>,
    folders: &[String],
    call: &ToolCall,
    context: &'r Context,
) -> Option<&'r Rule> {
    let literal = mention.word.literal;
    let mut paths = folders.iter().map(|folder| context.absolute(mention.text, folder));
    paths.find_map(|path| {
        let starts = |rule, anchor| anchors(rule, anchor, call, context);
        let target =
            Target { path: &path, literal, glob: !literal, deep: false, fold_case: context.fold_case };
        let guards = |rule: &&Rule| {
            let Specifier::Path(pattern) = &rule.specifier else { return false };
            // Whoever means everything means no file by its name.
            if pattern.names_everything() {
                return false;
            }
            let mut starts = anchors(rule, pattern.anchor, call, context);
            starts.any(|anchor| pattern.guards(target, &anchor) != Match::No)
        };
        if literal {
            context.rules.paths(list, edit, &path).find(guards)
        } else {
            context.rules.paths_like(list, edit, &path, starts).find(guards)
        }
    })
}

/// What may name a file among the words of a command that touches more than the reader lists.
fn mentions<'v>(command: &'v Command, view: &View) -> Vec<Mention<'v>> {
    let changes = command.own.meets(CHANGES) && !is_listed(command, view);
    if is_text_alone(command) || !(changes || command.own.meets(OPENS)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut before = "";
    for (index, word) in command.arguments.iter().enumerate() {
        let left_out = leaves_out(command, before) || leaves_out(command, &word.text);
        before = &word.text;
        if left_out || command.verbs.contains(&index) {
            continue;
        }
        if word.text.contains("://") {
            // An address in code is not all of it.
            found.extend(of_code(word).filter(|_| command.own.meets(Effects::EXECUTES)));
            continue;
        }
        for text in std::iter::once(word.text.as_str()).chain(spellings(&word.text)) {
            // In code that is run, a file that is named may be changed too.
            let code = text.len() < word.text.len() && command.own.meets(Effects::EXECUTES);
            let known = text.trim_matches(|character| glob::is_wild(character) || character == '/');
            // A plain word is a file only where words are files: `npm run build` names no folder.
            let path = text.contains(['/', '.']) || (changes && !names_branches(command));
            if path && !known.is_empty() {
                found.push(Mention { text, word, changes: changes || code });
            }
        }
    }
    found
}

/// What may name a file in code that is run: it may be changed, too.
fn of_code(word: &Argument) -> impl Iterator<Item = Mention<'_>> {
    let names = word.text.split_whitespace().flat_map(spellings).filter(|text| text.contains(['/', '.']));
    let known = |text: &&str| text.contains(char::is_alphanumeric);
    names.filter(known).map(move |text| Mention { text, word, changes: true })
}

/// Whether the reader lists what the command changes, beside its redirects.
fn is_listed(command: &Command, view: &View) -> bool {
    view.paths
        .iter()
        .any(|path| path.access != Access::Read && !path.redirect && reads::in_span(path, command))
}

/// Whether all that the command does with its words is to print them.
fn is_text_alone(command: &Command) -> bool {
    // In another folder lies another program.
    matches!(command.word.as_str(), "echo" | "printf" | ":" | "true" | "false")
}

/// Whether words may be branches as well.
fn names_branches(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
    command.program.as_deref() == Some("git")
        && verb.is_some_and(|verb| !matches!(verb.text.as_str(), "restore" | "clean" | "mv"))
}

/// Whether an option says what is to be left alone: `--exclude=.git`, `find -path ./.git -prune`. Only options
/// can: a file may be called `exclude`.
pub(crate) fn leaves_out(command: &Command, word: &str) -> bool {
    let long = word.starts_with("--") && (word.contains("exclude") || word.contains("ignore"));
    let short = match command.program.as_deref() {
        // Without a word that leaves out, a name is what is looked for.
        Some("find") => matches!(word, "-path" | "-name" | "-not" | "!") && spares(command),
        Some("zip" | "du") => word == "-x",
        _ => false,
    };
    long || short
}

/// Whether `find` leaves anything out.
fn spares(command: &Command) -> bool {
    command.arguments.iter().any(|word| matches!(word.text.as_str(), "-prune" | "-not" | "!"))
}

/// The paths that a word may stand for: the value glued to a short option, and every stretch of it that can
/// be a path, as in code.
pub(crate) fn spellings(word: &str) -> impl Iterator<Item = &str> {
    let glued = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    let path_like = |character: char| {
        character.is_alphanumeric() || matches!(character, '.' | '_' | '-' | '~' | '/' | '\\')
    };
    let mut before = ' ';
    let pieces = word.split_inclusive(move |character| !path_like(character)).filter_map(move |part| {
        let piece = part.trim_end_matches(|character| !path_like(character));
        // `user(x).profile`: a name of what a call gives back.
        let of_value = matches!(before, ')' | ']') && piece.starts_with('.');
        before = part.chars().next_back().unwrap_or(' ');
        (!of_value && !piece.starts_with('-')).then_some(piece)
    });
    let address = word.contains("://");
    glued.into_iter().chain(pieces).filter(move |_| !address)
}
