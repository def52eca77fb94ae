//! What a git command line does to the repository's own folder: nothing, work, or a change of configuration.

use crate::envelope::Git;

/// Sub-commands that write objects, references, the index or logs, and no configuration.
const WORK: &[&str] = &[
    "add",
    "am",
    "apply",
    "bisect",
    "branch",
    "checkout",
    "cherry-pick",
    "commit",
    "commit-tree",
    "fetch",
    "gc",
    "hash-object",
    "merge",
    "mktree",
    "mv",
    "notes",
    "pack-refs",
    "prune",
    "pull",
    "push",
    "read-tree",
    "rebase",
    "reflog",
    "repack",
    "replace",
    "rerere",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "status",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "write-tree",
];

/// Sub-commands that write configuration or hooks, so that they would be half done.
const CONFIGURES: &[&str] =
    &["clone", "init", "init-db", "maintenance", "remote", "sparse-checkout", "submodule", "worktree", "lfs"];

/// What these sub-commands only show.
const SHOWS: &[(&str, &[&str])] = &[
    ("remote", &["show", "get-url", "-v", "--verbose"]),
    ("submodule", &["status", "summary", "foreach"]),
    ("worktree", &["list"]),
    ("lfs", &["ls-files", "status"]),
];

/// What a command line needs of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// This much.
    This(Git),
    /// Configuration, which cannot be written.
    Configuration,
}

/// What a command needs; one that is not git needs to read.
pub(crate) fn needs(command: &[String]) -> Needs {
    let mut words = command.iter().map(String::as_str);
    let program = words.next().unwrap_or_default();
    if program.rsplit('/').next() != Some("git") {
        return Needs::This(Git::Read);
    }
    let mut words = words.peekable();
    while let Some(option) = words.next_if(|word| word.starts_with('-')) {
        if matches!(option, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path") {
            words.next();
        }
    }
    let Some(name) = words.next() else { return Needs::This(Git::Read) };
    let rest: Vec<&str> = words.collect();
    let has = |wanted: &[&str]| rest.iter().any(|word| wanted.contains(word));
    let configures = match name {
        "config" => {
            !has(&["--get", "--get-all", "--get-regexp", "--list", "-l", "get", "list", "--show-origin"])
        }
        "branch" => has(&[
            "-m",
            "-M",
            "--move",
            "-c",
            "-C",
            "--copy",
            "-u",
            "--set-upstream-to",
            "--unset-upstream",
            "-t",
            "--track",
            "--edit-description",
        ]),
        "push" => has(&["-u", "--set-upstream"]),
        "clone" => false,
        name => CONFIGURES.contains(&name) && !shows(name, &rest),
    };
    match (configures, WORK.contains(&name)) {
        (true, _) => Needs::Configuration,
        (false, true) => Needs::This(Git::Work),
        (false, false) => Needs::This(Git::Read),
    }
}

fn shows(name: &str, rest: &[&str]) -> bool {
    let known = SHOWS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, words)| words);
    match rest.first() {
        Some(first) => known.contains(first),
        // Without a word they list.
        None => !matches!(name, "init" | "init-db"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [K2]
    #[test]
    fn only_git_commands_that_write_may_write_and_none_may_configure() {
        let needs = |line: &str| needs(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for line in [
            "npm test",
            "git",
            "git log",
            "git diff --stat",
            "git config --get user.name",
            "git remote -v",
            "git worktree list",
        ] {
            assert_eq!(needs(line), Needs::This(Git::Read), "{line}");
        }
        for line in [
            "git status",
            "git -C sub add .",
            "/usr/bin/git commit -m x",
            "git -c a.b=c rebase main",
            "git branch new",
        ] {
            assert_eq!(needs(line), Needs::This(Git::Work), "{line}");
        }
        for line in [
            "git config user.name x",
            "git submodule add u",
            "git branch -m new",
            "git push -u origin x",
            "git init",
            "git remote add a b",
        ] {
            assert_eq!(needs(line), Needs::Configuration, "{line}");
        }
    }
}
