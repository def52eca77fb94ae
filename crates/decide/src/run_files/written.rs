//! The texts that a call puts into files or hands to a command, as far as they show.

use portcullis_shell::{Command, PatchChange, Reading};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::edited;
use crate::view::{Access, PathUse, View, in_span, patches};

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
        let text = edited::texts(call).1;
        let whole = call.tool == Tool::Write;
        let file = path.map(|path| Written { path: path.path.clone(), text, whole });
        return file.into_iter().collect();
    }
    let Some(reading) = view.reading.as_ref().filter(|_| call.tool == Tool::Bash) else { return Vec::new() };
    let printed = printed_by_line(view, reading).into_iter();
    let printed = printed.map(|(path, text)| Written { path, text, whole: true });
    printed.chain(patched_by_line(view, reading)).collect()
}

/// The files that the call writes completely, each with its new text.
#[must_use]
pub fn texts_written(call: &ToolCall, context: &Context) -> Vec<(String, String)> {
    let view = View::of(call, context);
    let whole = written_by(call, &view).into_iter().filter(|written| written.whole);
    whole.map(|written| (written.path, written.text)).collect()
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
        let writer = reading.commands.iter().rposition(|command| in_span(path, command))?;
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
        let outputs = view
            .paths
            .iter()
            .filter(|path| path.access == Access::Write && path.literal && in_span(path, command));
        outputs.filter(|_| !text.is_empty()).map(|path| (path.path.clone(), text.clone())).collect::<Vec<_>>()
    });
    made.collect()
}

/// The texts of the line that the command is handed: a document below it, or what the command before it prints.
pub(crate) fn fed_to(command: &Command, view: &View, reading: &Reading) -> Vec<String> {
    let own = document(command, &view.line);
    let before = reading.commands.iter().take_while(|other| other.span != command.span).last();
    let printed = before.filter(|_| command.placement == portcullis_shell::Placement::Piped);
    own.or_else(|| printed.and_then(|before| text_of(before, &view.line))).into_iter().collect()
}

/// Whether the line shows the code that the command is given on its input.
pub(crate) fn is_fed_known_text(command: &Command, view: &View, reading: &Reading) -> bool {
    let read = |path: &&PathUse| path.access == Access::Read && path.redirect && path.literal;
    let redirected = view.paths.iter().filter(read).any(|path| in_span(path, command));
    redirected || !fed_to(command, view, reading).is_empty()
}

/// What a command prints of its own: its words, or the document below it.
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
