//! What a deletion takes (SPEC S2): whether a pattern or a search means everything in a folder, and programs
//! that empty folders and disks in ways of their own.

use portcullis_shell::{Argument, Command};

/// Whether a name with wildcards means all that a folder holds, or nearly: `*`, `.*`, `?*`, `[a-z]*`.
pub(crate) fn means_everything(name: &str) -> bool {
    let mut rest = name.trim_start_matches('.');
    if matches!(name, "{,.}*") {
        return true;
    }
    let mut any = false;
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '*' => {
                any = true;
                rest.get(1..).unwrap_or_default()
            }
            '?' => rest.get(1..).unwrap_or_default(),
            // The first `]` behind `[` or `[!` is a member.
            '[' => match rest.get(2..).and_then(|inner| inner.split_once(']')) {
                Some((_, after)) => after,
                None => return false,
            },
            _ => return false,
        };
    }
    any
}

/// Whether `find` deletes only what a test lets through. Every branch needs a test: one without takes all that
/// the others leave.
pub(crate) fn is_sifted(command: &Command) -> bool {
    if command.program.as_deref() != Some("find") {
        return false;
    }
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let negated = |pair: &[&str]| matches!(pair, ["!" | "-not", "(" | "\\("]);
    if words.windows(2).any(negated) {
        return false;
    }
    words.split(|word| matches!(*word, "-o" | "-or" | ",")).all(has_test)
}

/// Whether the words hold a test that lets only some files through.
fn has_test(words: &[&str]) -> bool {
    const BY_NAME: &[&str] =
        &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"];
    const OTHERS: &[&str] =
        &["-empty", "-newer", "-size", "-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin"];
    words.iter().enumerate().any(|(index, word)| {
        let before = index.checked_sub(1).and_then(|before| words.get(before));
        let value = words.get(index + 1).copied().unwrap_or_default();
        let narrow = !value.chars().all(|character| "*?./".contains(character));
        let not = matches!(before, Some(&("!" | "-not")));
        !not && (OTHERS.contains(word) || (BY_NAME.contains(word) && narrow))
    })
}

/// The words of a command that names folders to be emptied, without being a program for files only: `npx rimraf
/// dir`, `rsync --delete empty/ dir`.
pub(crate) fn emptied(command: &Command) -> &[Argument] {
    const REMOVERS: &[&str] =
        &["rimraf", "del", "del-cli", "trash", "trash-cli", "trash-put", "srm", "rmtree", "purge"];
    const RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "uvx", "gio", "rclone"];
    let words = command.arguments.as_slice();
    let name = command.program.as_deref().unwrap_or_default();
    let remover = |word: &str| REMOVERS.contains(&word.split('@').next().unwrap_or_default());
    if remover(name) {
        return words;
    }
    if RUNNERS.contains(&name) {
        let at = words.iter().position(|word| remover(&word.text));
        return at.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    }
    // What is not at the source is deleted at the target, which stands last.
    let mirrors = name == "rsync" && words.iter().any(|word| word.text.starts_with("--del"));
    let last = words.len().saturating_sub(1);
    if mirrors { words.get(last..).unwrap_or_default() } else { &[] }
}

/// Whether the command makes a disk forget what is on it, wherever it names the disk.
pub(crate) fn wipes_disks(command: &Command) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.to_ascii_lowercase());
    let says = |known: &[&str]| words().any(|word| known.contains(&word.as_str()));
    match command.program.as_deref().unwrap_or_default() {
        "blkdiscard" => !says(&["--help", "-h", "--version", "-v"]),
        "cryptsetup" => says(&["luksformat", "lukserase", "erase", "reencrypt"]),
        "nvme" => says(&["format", "sanitize", "write-zeroes", "delete-ns"]),
        "hdparm" => {
            words().any(|word| word.starts_with("--security-erase") || word == "--trim-sector-ranges")
        }
        "diskutil" => words().any(|word| {
            let known =
                ["erase", "secureerase", "zerodisk", "randomdisk", "partitiondisk", "deletecontainer"];
            known.iter().any(|start| word.starts_with(start)) || word == "deletevolume"
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S2]
    #[test]
    fn a_pattern_without_letters_means_everything() {
        for name in ["*", ".*", "**", "{,.}*", "?*", ".??*", "[a-z]*", "[!x]*", ".[!.]*", "[]x]*"] {
            assert!(means_everything(name), "{name}");
        }
        for name in ["*.log", "a*", "?", "[a-z]", "x[ab]*", "[a*", ""] {
            assert!(!means_everything(name), "{name}");
        }
    }
}
