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
        "hugo" | "jekyll" | "mkdocs" | "mdbook" | "tsup" | "tsdown" | "babel" | "swc"
    );
    let at = invocation.words.iter().position(|word| site && word.prefix().starts_with("-d"))?;
    let word = invocation.words.get(at)?;
    if word.prefix() == "-d" { invocation.words.get(at + 1).copied() } else { Some(word.after(2)) }
}

/// A folder that `-d` names is written.
pub(super) fn short<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(folder) = after_short(invocation) {
        out.writes(folder);
    }
}

/// A folder that is emptied loses all it holds.
pub(super) fn emptied<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let empties = |word: &Argument<'_>| {
        let (name, value) = word.text.split_once('=').unwrap_or((word.text, "true"));
        EMPTIES.contains(&name) && value != "false"
    };
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
