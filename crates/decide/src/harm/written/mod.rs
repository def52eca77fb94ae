//! Scripts that a session or a line writes: their text, and what it does when it is run. Whoever writes a script and runs
//! it could have run its lines, so they are judged alike.

pub(super) mod embedded;
pub(super) mod notebooks;
pub(super) mod planted;
pub(crate) mod recipes;
pub(crate) mod scripts;

use portcullis_shell::{Command, PatchChange, Reading};
use serde_json::json;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::harm::{Category, Finding, code, edits, ordinary};
use crate::patches;
use crate::view::{Access, PathUse, View};

/// Whether the file is for a shell, by its name or its first line.
pub(crate) fn is_shell_script(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let told = first.starts_with("#!");
    matches!(name.rsplit('.').next(), Some("sh" | "bash" | "zsh" | "ksh"))
        || (told && first.split(['/', ' ']).any(|part| matches!(part.trim_end(), "sh" | "bash" | "zsh" | "dash" | "ksh")))
        // A file that says nothing about itself is run by the shell that starts it.
        || (!told && !name.contains('.'))
}

/// Who reads a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// A shell.
    Shell,
    /// The program of another language.
    Language,
    /// A program that runs the cells of a notebook.
    Notebook,
    /// Nobody that is known: it may be data for what runs.
    Data,
}

/// Endings of files with code that starts programs by calls, whatever the language.
const ENDINGS: &[&str] = &[
    "py", "js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx", "rb", "rake", "gemspec", "php", "pl", "pm",
    "lua", "go", "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm", "java", "kt", "kts", "swift", "ex", "exs",
    "erl", "jl", "r", "rs", "cs", "fsx", "scala", "sc", "sbt", "zig", "gradle", "groovy", "nim", "nims",
    "nimble", "cr", "dart", "hs", "ml", "clj", "tcl", "cmake", "d", "v",
];
/// Names of such files that say nothing by an ending.
const NAMES: &[&str] = &[
    "rakefile",
    "gemfile",
    "vagrantfile",
    "podfile",
    "fastfile",
    "capfile",
    "guardfile",
    "thorfile",
    "jenkinsfile",
    "sconstruct",
    "wscript",
    "snakefile",
    "cmakelists.txt",
];

/// Who reads the file, by its name or its first line; nothing where it is no script.
pub(crate) fn reader(path: &str, text: &str) -> Option<Reader> {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    if NAMES.contains(&name.as_str()) {
        return Some(Reader::Language);
    }
    if notebooks::is_notebook(path) {
        return Some(Reader::Notebook);
    }
    if is_shell_script(path, text) {
        return Some(Reader::Shell);
    }
    let first = text.lines().next().filter(|first| first.starts_with("#!")).unwrap_or_default();
    let told = first.rsplit(['/', ' ']).next().is_some_and(code::is_language);
    let named = name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    (told || named).then_some(Reader::Language)
}

/// The harm in a script, whoever reads it.
pub(super) fn harm_for(reader: Reader, text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    match reader {
        Reader::Shell => harm(text, cwd, context),
        Reader::Notebook => notebooks::harm_in(text, cwd, context),
        Reader::Data => Vec::new(),
        Reader::Language => {
            let mut found = crate::harm::in_text(text);
            if code::destroys_in_file(text, context) || embedded::empties_home(text) {
                found.push(Finding::destruction());
            }
            found.extend(embedded::lines(text).iter().flat_map(|line| harm(&line.text, cwd, context)));
            if edits::obeys::is_obedient(text, "") {
                let what = "what somebody sends is run";
                found.push(Finding::new(Category::RemoteExecSurface, what).doubtful());
            }
            found
        }
    }
}

/// A file that a call writes, with the text that it puts there.
pub(crate) struct Written {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Whether that is all that the file holds.
    pub(crate) whole: bool,
}

/// The files that the call writes and whose text shows.
pub(crate) fn written_by(call: &ToolCall, view: &View) -> Vec<Written> {
    if call.tool.edits_files() {
        let path = view.paths.iter().find(|path| path.access == Access::Write);
        let text = edits::texts(call).1;
        let whole = call.tool == Tool::Write;
        let file = path.map(|path| Written { path: path.path.clone(), text, whole });
        return file.into_iter().collect();
    }
    let Some(reading) = view.reading.as_ref().filter(|_| call.tool == Tool::Bash) else { return Vec::new() };
    let printed = printed_by_line(view, reading).into_iter();
    let printed = printed.map(|(path, text)| Written { path, text, whole: true });
    printed.chain(patched_by_line(view, reading)).collect()
}

/// The harm in text for a shell, as if it were the line.
pub(crate) fn harm(text: &str, cwd: &str, context: &Context) -> Vec<Finding> {
    let (line, inner) = as_line(text, cwd, context);
    crate::harm::findings(&line, &View::of(&line, &inner), &inner)
}

/// Why a script does no ordinary work; what harm there is, is told by [`harm_for`].
pub(super) fn unusual_for(
    reader: Reader,
    path: &str,
    text: &str,
    cwd: &str,
    context: &Context,
) -> Option<String> {
    match reader {
        Reader::Shell => unusual(text, cwd, context),
        Reader::Notebook => unusual(&notebooks::shell_lines(text), cwd, context),
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
        crate::harm::findings(&line, &view, &inner).iter().filter_map(|found| found.span).collect();
    ordinary::unusual_deed(&line, &view, &inner, &told)
}

/// The longest script that is read, in characters.
const LONGEST_SCRIPT: usize = 1 << 20;

pub(crate) fn as_line(text: &str, cwd: &str, context: &Context) -> (ToolCall, Context) {
    // Files that the file runs are not followed: one look ahead is enough to tell.
    let facts = context.facts.without_texts();
    let inner = Context { facts, longest_line: LONGEST_SCRIPT, ..context.clone() };
    (ToolCall::new("Bash", json!({ "command": text }), cwd.to_owned()), inner)
}

/// The files whose text has to be known to say what the line runs.
pub(super) fn files_to_read(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Vec<String> {
    crate::run_files::files(call, view, reading, context).1
}

/// The files that the line writes, with the text that it puts there, as far as it shows.
pub(crate) fn by_line(view: &View, reading: &Reading) -> Vec<(String, String)> {
    let patched = patched_by_line(view, reading).into_iter().map(|written| (written.path, written.text));
    printed_by_line(view, reading).into_iter().chain(patched).collect()
}

/// What patches in the line put into files.
fn patched_by_line(view: &View, reading: &Reading) -> Vec<Written> {
    let files = patches::files(reading).filter(|file| file.change != PatchChange::Delete);
    let written = files.flat_map(|file| {
        let name = file.moved.as_ref().unwrap_or(&file.path);
        let places =
            view.paths.iter().filter(move |path| path.access == Access::Write && path.named == *name);
        let whole = file.change == PatchChange::Add;
        places.map(move |path| Written { path: path.path.clone(), text: file.new.clone(), whole })
    });
    written.collect()
}

/// The files that the line writes by redirects, with the text that it puts there.
fn printed_by_line(view: &View, reading: &Reading) -> Vec<(String, String)> {
    let written = view.paths.iter().filter(|path| path.access == Access::Write && path.literal);
    let texts = written.filter_map(|path| {
        let writer = reading.commands.iter().rposition(|command| crate::reads::in_span(path, command))?;
        let (before, rest) = reading.commands.split_at_checked(writer)?;
        let own = rest.first().and_then(|command| text_of(command, &view.line));
        // What a compiler makes is none of the text before it.
        let compiles = rest.first().is_some_and(is_compiler);
        // `cat <<EOF | tee x.sh`
        let fed = || before.last().filter(|_| !compiles).and_then(|command| text_of(command, &view.line));
        Some((path.path.clone(), own.or_else(fed)?))
    });
    texts.collect()
}

pub(crate) fn is_compiler(command: &Command) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    matches!(
        name,
        "rustc"
            | "gcc"
            | "g++"
            | "cc"
            | "c++"
            | "clang"
            | "clang++"
            | "tcc"
            | "ghc"
            | "runghc"
            | "swiftc"
            | "zig"
            | "javac"
            | "java"
            | "kotlinc"
            | "kotlin"
            | "ocaml"
            | "nim"
            | "crystal"
            | "scala"
            | "scalac"
            | "dmd"
            | "dart"
            | "groovy"
            | "go"
    )
}

/// The programs that the line compiles from sources that it writes, with the text of those.
pub(crate) fn compiled(
    view: &View,
    reading: &Reading,
    fresh: &[(String, String)],
    place: impl Fn(&str, &Command) -> String,
) -> Vec<(String, String)> {
    let compilers = reading.commands.iter().filter(|command| is_compiler(command));
    let made = compilers.flat_map(|command| {
        let sources = command.arguments.iter().map(|word| place(&word.text, command));
        let sources: Vec<String> = sources.collect();
        let texts: Vec<&str> =
            fresh.iter().filter(|(path, _)| sources.contains(path)).map(|(_, text)| text.as_str()).collect();
        let text = texts.join("\n");
        let outputs = view.paths.iter().filter(|path| {
            path.access == Access::Write && path.literal && crate::reads::in_span(path, command)
        });
        outputs.filter(|_| !text.is_empty()).map(|path| (path.path.clone(), text.clone())).collect::<Vec<_>>()
    });
    made.collect()
}

/// The texts of the line that the command is handed: a document below it, or what the command before it prints.
pub(super) fn fed_to(command: &Command, view: &View, reading: &Reading) -> Vec<String> {
    let own = document(command, &view.line);
    let before = reading.commands.iter().take_while(|other| other.span != command.span).last();
    let printed = before.filter(|_| command.placement == portcullis_shell::Placement::Piped);
    own.or_else(|| printed.and_then(|before| text_of(before, &view.line))).into_iter().collect()
}

/// Whether the line shows the code that the command is given on its input.
pub(super) fn is_fed_known_text(command: &Command, view: &View, reading: &Reading) -> bool {
    let read = |path: &&PathUse| path.access == Access::Read && path.redirect && path.literal;
    let redirected = view.paths.iter().filter(read).any(|path| crate::reads::in_span(path, command));
    redirected || !fed_to(command, view, reading).is_empty()
}

/// What a command prints of its own: its words, or the document that stands below it.
fn text_of(command: &Command, line: &str) -> Option<String> {
    match command.program.as_deref() {
        Some("echo" | "printf") => {
            let words = command.arguments.iter().filter(|word| !word.text.starts_with('-'));
            let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
            Some(words.join(" ").replace("\\n", "\n").replace("\\t", "\t").replace("%s", ""))
        }
        _ => document(command, line),
    }
}

/// The text of a here-document of the command.
fn document(command: &Command, line: &str) -> Option<String> {
    let (_, after) = command.span.of(line).split_once("<<")?;
    if let Some(text) = after.strip_prefix('<') {
        return Some(text.trim().trim_matches(['\'', '"']).to_owned());
    }
    let mark = after.trim_start_matches(['-', '~', ' ', '\t', '\'', '"', '\\']);
    let mark = mark.split(|end: char| !(end.is_alphanumeric() || end == '_' || end == '-')).next()?;
    let start = usize::try_from(command.span.start).ok()?;
    let (_, below) = line.get(start..)?.split_once('\n')?;
    let body = below.lines().take_while(|text| text.trim_start_matches('\t') != mark);
    Some(body.collect::<Vec<_>>().join("\n"))
}
