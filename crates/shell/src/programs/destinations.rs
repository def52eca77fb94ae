//! Where builders put what they make, and whether they empty that folder first.

use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;

/// Options that name the folder.
const FOLDERS: &[&str] = &[
    "--outDir",
    "--out-dir",
    "--outdir",
    "--output",
    "--output-path",
    "--dist-dir",
    "--dest",
    "--destination",
    "--site-dir",
    "--dest-dir",
    "--output-dir",
    "--distDir",
    "--out",
    "o",
];

/// Options that empty the folder before anything is put there.
const EMPTIES: &[&str] = &[
    "--emptyOutDir",
    "--cleanDestinationDir",
    "--clean",
    "--empty-out-dir",
    "--output-clean",
    "--delete-dir-on-start",
];

/// Builders that empty the folder unasked, and where they put things if nothing is said.
const ALWAYS: &[&str] = &["jekyll", "mkdocs", "mdbook", "vitepress", "docusaurus"];
const USUAL: &[&str] = &["public", "_site", "site", "book", "docs/public"];

/// What `-d FOLDER` names for builders of sites.
fn after_short<'a>(invocation: &Invocation<'_, 'a>) -> Option<Argument<'a>> {
    let site = matches!(
        invocation.program,
        "hugo" | "jekyll" | "mkdocs" | "mdbook" | "zola" | "tsup" | "tsdown" | "babel" | "swc"
    );
    let letter = if invocation.program == "zola" { "-o" } else { "-d" };
    let at = invocation.words.iter().position(|word| site && word.prefix().starts_with(letter))?;
    let word = invocation.words.get(at)?;
    if word.prefix() == letter { invocation.words.get(at + 1).copied() } else { Some(word.after(2)) }
}

/// A folder that `-d` names is written.
pub(super) fn short<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(folder) = after_short(invocation) {
        out.writes(folder);
    }
}

/// A folder that is emptied loses all it holds.
pub(super) fn emptied<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !ALWAYS.contains(&invocation.program) && !invocation.words.iter().any(empties) {
        return;
    }
    let folder = invocation.value(FOLDERS).or_else(|| after_short(invocation));
    let usual = |folder: &Argument<'_>| {
        folder
            .known()
            .is_some_and(|path| USUAL.contains(&path.trim_start_matches("./").trim_end_matches('/')))
    };
    if let Some(folder) = folder.filter(|folder| !usual(folder)) {
        out.deletes(folder);
    }
}

fn empties(word: &Argument<'_>) -> bool {
    let (name, value) = word.text.split_once('=').unwrap_or((word.text, "true"));
    EMPTIES.contains(&name) && value != "false"
}

/// Options that a script of the project hands on to a builder: a folder elsewhere that is to be emptied.
pub(super) fn carried<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.words.iter().any(empties) {
        return;
    }
    for (index, word) in invocation.words.iter().enumerate() {
        let (name, value) = word.prefix().split_once('=').unwrap_or((word.prefix(), ""));
        if !name.starts_with('-') || !(FOLDERS.contains(&name) || name == "-d") {
            continue;
        }
        let attached = word.prefix().len() > name.len() && !value.is_empty();
        let folder = if attached {
            Some(word.after(name.len() + 1))
        } else {
            invocation.words.get(index + 1).copied()
        };
        if let Some(folder) =
            folder.filter(|folder| folder.text.starts_with(['~', '/']) || folder.text.contains(".."))
        {
            out.deletes(folder);
        }
    }
}
