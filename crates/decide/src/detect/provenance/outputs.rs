//! Tools that put what they make outside the project, where somebody's own files lie.

use portcullis_shell::{Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors, routine::places};
use crate::path::is_within;
use crate::run_files::executed;

/// Programs whose last operand is what they write.
const LAST: &[&str] = words!(
    "ffmpeg avconv sox convert magick gm composite montage sass lessc stylus sphinx-build cwebp dwebp lame \
     flac pdftotext pdftoppm qpdf svgexport inkscape"
);
/// Programs that change every file that they are given.
const IN_PLACE: &[&str] =
    words!("mogrify exiftool jpegoptim optipng pngquant oxipng jpegtran dos2unix unix2dos svgo");
/// Parts of names of options whose value is where something is put.
const PUTS: &[&str] = &["out", "report", "dest", "directory-prefix"];

/// What the command puts elsewhere.
pub(in crate::detect) fn of_command(
    command: &Command,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let acts = Effects::WRITES.and(Effects::PROJECT_CODE).and(Effects::EXECUTES).and(Effects::UNKNOWN);
    let program = command.program.as_deref()?;
    if !command.own.meets(acts) && !command.own.meets(Effects::INSTALLS_NAMED) {
        return None;
    }
    let away = |text: &str| is_away(text, command, call, context);
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    // `npx sass in.scss out.css`
    let tool = |list: &[&str]| {
        let runner = matches!(
            program,
            "npx" | "pnpx" | "bunx" | "pnpm" | "yarn" | "npm" | "uvx" | "uv" | "python" | "python3"
        );
        list.contains(&program) || (runner && words.iter().take(3).any(|word| list.contains(word)))
    };
    let last = tool(LAST) && words.last().is_some_and(|word| away(word));
    let all = tool(IN_PLACE) && words.iter().any(|word| !word.starts_with('-') && away(word));
    let named = words.iter().enumerate().any(|(index, word)| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let short = matches!(name, "-o" | "-P")
            && matches!(program, "wget" | "cwebp" | "protoc" | "pandoc" | "gcc" | "clang");
        let puts = name.starts_with("--") && PUTS.iter().any(|part| name.contains(part));
        let value = if value.is_empty() { words.get(index + 1).copied().unwrap_or_default() } else { value };
        (short || puts) && value.split(':').any(away)
    });
    (last || all || named || installs(command, call, context))
        .then(|| Finding::on(&detectors::OUTPUT_OUTSIDE_PROJECT, command))
}

/// Whether a place lies outside the project, and neither where things are put for a while nor where the session put some.
fn is_away(text: &str, command: &Command, call: &ToolCall, context: &Context) -> bool {
    let leads = text.starts_with("~/")
        || text == "~"
        || text.starts_with("../")
        || (text.starts_with('/') && !text.starts_with("//"));
    leads && {
        let path = executed::place(text, command, call, context);
        let stored = path.contains("/.cache/") || path.starts_with("/dev/");
        let made = context.session.created.iter().any(|made| is_within(&path, made));
        !context.is_trusted(&path) && !places::is_temporary(&path) && !stored && !made
    }
}

/// `cmake --install build`, `ninja -C build install`: to where the programs of this machine are, unless an option says
/// otherwise.
fn installs(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let installs = match command.program.as_deref().unwrap_or_default() {
        "cmake" => {
            words().any(|word| word == "--install")
                || words().any(|word| word == "--target") && words().any(|word| word == "install")
        }
        "meson" | "ninja" | "samu" => words().any(|word| word == "install"),
        _ => false,
    };
    let prefix = words().zip(words().skip(1)).find(|(name, _)| matches!(*name, "--prefix" | "--destdir"));
    let prefix =
        prefix.map(|(_, value)| value).or_else(|| words().find_map(|word| word.strip_prefix("--prefix=")));
    let set =
        command.assignments.iter().find(|(name, _)| name == "DESTDIR").map(|(_, value)| value.text.as_str());
    let near = |place: &str| !is_away(place, command, call, context);
    installs && !prefix.or(set).is_some_and(near) && !words().any(|word| matches!(word, "-n" | "--dry-run"))
}
