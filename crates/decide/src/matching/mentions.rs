//! Words of a command that may name files, where the reader does not list the files that the program touches.

use portcullis_shell::{Argument, Command, Effects, Span};

use super::anchors::anchors;
use super::computed;
use super::hits::Strongest;
use crate::call::ToolCall;
use crate::context::Context;
use crate::glob::{self, Match};
use crate::rules::{List, Rule, Specifier, Target};
use crate::ruling::Part;
use crate::run_files::given::{self, is_text_alone};
use crate::run_files::stdin_code;
use crate::view::{Access, PathUse, View, in_span};

/// Changes files.
const CHANGES: Effects =
    Effects::WRITES.and(Effects::DELETES).and(Effects::DISCARDS).and(Effects::PERMISSIONS);

/// Puts files where an option says.
const PUTS: Effects =
    CHANGES.and(Effects::REPOSITORY).and(Effects::INSTALLS_NAMED).and(Effects::INSTALLS_DECLARED);

/// May open any file that it is given.
const OPENS: Effects = Effects::EXECUTES
    .and(Effects::PROJECT_CODE)
    .and(Effects::UNKNOWN)
    .and(Effects::SENDS_DATA)
    .and(Effects::NETWORK_WRITE)
    .and(Effects::PUBLISHES)
    .and(Effects::SYSTEM);

/// A stretch of a word that may name a file.
struct Mention {
    text: String,
    literal: bool,
    span: Span,
    changes: bool,
    /// Whether it may be a folder that something is put into.
    folder: bool,
}

impl Mention {
    fn new(text: &str, word: &Argument, changes: bool) -> Mention {
        Mention { text: text.to_owned(), literal: word.literal, span: word.span, changes, folder: false }
    }

    fn into_folder(self) -> Mention {
        Mention { folder: true, ..self }
    }
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
            if let Some(rule) =
                context.rules.any_path(list, edit).filter(|_| makes_up_names(command, edit, view))
            {
                let part = Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) };
                return found.add(rule, Match::Unclear, || Some(part));
            }
            let fed = stdin_code::code_of(command, view, call, context);
            let mut mentions = mentions(command, view);
            mentions.extend(given(command, view));
            mentions.extend(own_folder(command, view));
            mentions.extend(fed.iter().flat_map(of_code));
            mentions.retain(|mention| !edit || mention.changes);
            let folders = if mentions.is_empty() { Vec::new() } else { folders(command, call, context) };
            let guarded = mentions.iter().find_map(|mention| {
                let rule = guarding(list, edit, mention, &folders, call, context)?;
                Some((rule, mention.span))
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
    mention: &Mention,
    folders: &[String],
    call: &ToolCall,
    context: &'r Context,
) -> Option<&'r Rule> {
    let literal = mention.literal;
    let paths = folders.iter().map(|folder| context.absolute(&mention.text, folder));
    // What is put into a folder has a name of its own.
    let within = |path: String| {
        let inside = mention.folder.then(|| format!("{}/new", path.trim_end_matches('/')));
        std::iter::once(path).chain(inside)
    };
    paths.flat_map(within).find_map(|path| {
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
fn mentions(command: &Command, view: &View) -> Vec<Mention> {
    let changing = command.own.meets(PUTS);
    let changes = (command.own.meets(CHANGES) && !lists_changes(command, view)) || edits_in_place(command);
    if is_text_alone(command) || !(changing || command.own.meets(OPENS) || adds_to_index(command)) {
        return Vec::new();
    }
    // Of a program that is not known it is not known either whether it only reads.
    let unknown = command.own.meets(Effects::UNKNOWN);
    let opens = command.own.meets(OPENS) || adds_to_index(command);
    let mut found = Vec::new();
    let mut before = "";
    for (index, word) in command.arguments.iter().enumerate() {
        let left_out = leaves_out(command, before) || leaves_out(command, &word.text);
        before = &word.text;
        if left_out || command.verbs.contains(&index) {
            continue;
        }
        // `--backup-dir=x`, `-T x`: a place of its own, unless the reader knows what it is for.
        let option = changing
            && is_value(command, index)
            && !is_listed_word(word, view)
            && !(names_branches(command) && is_short_value(command, index));
        if !(option || changes || opens) {
            continue;
        }
        if let Some(path) = local_file(&word.text) {
            found.push(Mention::new(path, word, false));
            continue;
        }
        if word.text.contains("://") {
            // An address in code is not all of it.
            found.extend(of_code(word).filter(|_| command.own.meets(Effects::EXECUTES)));
            continue;
        }
        let whole = computed::whole_texts(&word.text).filter(|_| command.own.meets(Effects::EXECUTES));
        let whole = whole.as_deref().into_iter().flat_map(spellings);
        for text in std::iter::once(word.text.as_str()).chain(spellings(&word.text)).chain(whole) {
            // In code that is run, a file that is named may be changed too.
            let code = text.len() < word.text.len() && command.own.meets(Effects::EXECUTES);
            let known = text.trim_matches(|character| glob::is_wild(character) || character == '/');
            // A plain word is a file only where words are files: `npm run build` names no folder.
            let path = text.contains(['/', '.']) || option || (changes && !names_branches(command));
            // Of an option only its value is a name, and letters may all be options.
            let bare = (text.starts_with('-') || is_cluster(&word.text)) && !text.contains(['/', '.']);
            if path && !bare && !known.is_empty() {
                let mention = Mention::new(text, word, changes || code || option || unknown);
                found.push(if option { mention.into_folder() } else { mention });
            }
        }
    }
    found
}

/// The path of an address of this machine: `file:///x`.
fn local_file(word: &str) -> Option<&str> {
    let (scheme, path) = word.split_at_checked("file:".len())?;
    let path = path.strip_prefix("//").unwrap_or(path);
    // `file://localhost/x`
    let host = path.find('/').filter(|at| path.get(..*at) == Some("localhost"));
    scheme.eq_ignore_ascii_case("file:").then(|| host.and_then(|at| path.get(at..)).unwrap_or(path))
}

/// Whether a command opens files whose names the line makes up: of awk the reader lists those that are spelled out.
fn makes_up_names(command: &Command, edit: bool, view: &View) -> bool {
    let local = |word: &Argument| !word.literal && local_file(&word.text).is_some();
    if !edit && command.arguments.iter().any(local) {
        return true;
    }
    let awk = matches!(command.program.as_deref(), Some("awk" | "gawk" | "mawk" | "nawk"));
    let made_up = if edit {
        command.own.meets(Effects::WRITES) && !lists_changes(command, view)
    } else {
        command.own.meets(Effects::UNKNOWN)
    };
    awk && made_up
}

/// Whether a word is the value of an option, or an option with its value.
fn is_value(command: &Command, index: usize) -> bool {
    let word = command.arguments.get(index).map_or("", |word| word.text.as_str());
    let attached = word.starts_with('-') && (word.contains('=') || !word.starts_with("--"));
    let before =
        index.checked_sub(1).and_then(|at| command.arguments.get(at)).map_or("", |word| word.text.as_str());
    let option = if attached { word.split('=').next().unwrap_or_default() } else { before };
    (attached || command.values.contains(&index)) && !is_prose_option(option)
}

/// Whether a word is short options, or one with its value.
fn is_cluster(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--")
}

/// Whether a word is the value of a short option before it: `git checkout -b topic`.
fn is_short_value(command: &Command, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|at| command.arguments.get(at));
    before.is_some_and(|word| is_cluster(&word.text))
        && command.verbs.first().is_some_and(|verb| *verb < index)
}

/// Whether the value of an option is words for people, or data.
fn is_prose_option(option: &str) -> bool {
    const PROSE: &[&str] =
        &["--message", "--title", "--body", "--notes", "--subject", "--description", "--data"];
    let cluster = option.starts_with('-') && !option.starts_with("--") && option.ends_with(['m', 'd']);
    cluster || PROSE.iter().any(|prose| option.starts_with(prose))
}

/// Whether a language goes through files and writes them back: `ruby -i -pe … FILE`.
fn edits_in_place(command: &Command) -> bool {
    let language = matches!(command.program.as_deref(), Some("ruby" | "perl"));
    let short = |word: &str| word.starts_with('-') && !word.starts_with("--");
    language
        && command.arguments.iter().any(|word| {
            short(&word.text) && word.text.split(['e', '.']).next().is_some_and(|flags| flags.contains('i'))
        })
}

/// Whether the reader lists the word among the files that are changed.
fn is_listed_word(word: &Argument, view: &View) -> bool {
    let within = |span: Span| word.span.start <= span.start && span.end <= word.span.end;
    let listed = |path: &PathUse| path.access != Access::Read && path.span.is_some_and(within);
    view.paths.iter().any(|path| listed(path) && word.text.ends_with(&path.named))
}

/// What may be named by variables and settings that the command is given: `GIT_INDEX_FILE=x`, `PAGER='cat x'`.
fn given(command: &Command, view: &View) -> Vec<Mention> {
    /// Of a plain word only the name of the variable says that it may be a file.
    const PLACES: &[&str] = &[
        "DIR", "PATH", "FILE", "HOME", "TREE", "TARGET", "PREFIX", "CACHE", "OUT", "TRACE", "LOG", "HIST",
        "INDEX", "DEST", "ROOT", "TMP", "TEMP", "DATA", "FLAGS", "OPT", "BIN", "COVERAGE", "ENV",
    ];
    let mut found = Vec::new();
    for (name, value) in given::values(command, &view.line) {
        let name = name.to_ascii_uppercase();
        let place = PLACES.iter().any(|place| name.contains(place)) && name != "NODE_ENV";
        for text in std::iter::once(value.text.as_str()).chain(spellings(&value.text)) {
            let known = text.trim_matches(|character| glob::is_wild(character) || character == '/');
            if !known.is_empty() && (text.contains(['/', '.']) || place) {
                found.push(Mention::new(text, &value, true).into_folder());
            }
        }
    }
    found
}

/// The folder that a command changes something in without naming it: `git -C locked commit`.
fn own_folder(command: &Command, view: &View) -> Option<Mention> {
    let changes = command.own.meets(CHANGES.and(Effects::REPOSITORY)) && !lists_changes(command, view);
    command.directory.as_ref().filter(|_| changes)?;
    let folder =
        Mention { text: ".".to_owned(), literal: true, span: command.span, changes: true, folder: true };
    Some(folder)
}

/// What may name a file in code that is run: it may be changed, too.
fn of_code(word: &Argument) -> impl Iterator<Item = Mention> {
    let names = word.text.split_whitespace().flat_map(spellings).filter(|text| text.contains(['/', '.']));
    let known = |text: &&str| text.contains(char::is_alphanumeric);
    names.filter(known).map(move |text| Mention::new(text, word, true))
}

/// Whether the reader lists what the command changes, beside its redirects.
pub(super) fn lists_changes(command: &Command, view: &View) -> bool {
    // In text that is evaluated, all commands stand in one place.
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let alone = commands.filter(|other| other.span == command.span).count() == 1;
    let names = |path: &PathUse| command.arguments.iter().any(|word| word.text.contains(&path.named));
    view.paths.iter().any(|path| {
        path.access != Access::Read && !path.redirect && in_span(path, command) && (alone || names(path))
    })
}

/// Whether words may be branches as well.
fn names_branches(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
    command.program.as_deref() == Some("git")
        && verb.is_some_and(|verb| !matches!(verb.text.as_str(), "restore" | "clean" | "mv"))
}

/// Whether git takes in what its words name, to be shown later.
fn adds_to_index(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
    command.program.as_deref() == Some("git")
        && verb.is_some_and(|verb| matches!(verb.text.as_str(), "add" | "stage"))
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
