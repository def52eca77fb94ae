//! Commands that go through whole folders, and the files that they are narrowed to.

use portcullis_shell::{Command, Reading};

use super::path_use::{Access, PathUse, plain};
use super::spans::in_span;
use crate::call::ToolCall;
use crate::context::Context;
use crate::glob;
use crate::rules::braces;

/// Whether a command goes through all that lies below the folders that it is given.
pub(crate) fn takes_whole_folders(command: &Command) -> bool {
    const ALWAYS: &[&str] = &[
        "rg", "ag", "ack", "rgrep", "tar", "bsdtar", "gtar", "zip", "rsync", "7z", "7za", "7zz", "du", "pax",
        "ditto",
    ];
    const WHEN_TOLD: &[&str] = &[
        "grep", "egrep", "fgrep", "zgrep", "bzgrep", "xzgrep", "ugrep", "ug", "diff", "cp", "scp", "chmod",
        "chown", "chgrp", "rm",
    ];
    let name = command.program.as_deref().unwrap_or_default();
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    if name == "git" {
        // What is looked for in files, or compared, without the repository's own list of them.
        let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
        return verb.is_some_and(|verb| verb.text == "grep") || words().any(|word| word == "--no-index");
    }
    ALWAYS.contains(&name) || (WHEN_TOLD.contains(&name) && words().any(|word| says_whole(name, word)))
}

/// Whether a word tells a program to take whole folders; long options may be cut short.
fn says_whole(program: &str, word: &str) -> bool {
    let copies = matches!(program, "cp" | "scp");
    if word.starts_with("--") {
        let long = ["--recursive", "--dereference-recursive"];
        let cut = |option: &str, least: usize| word.len() >= least && option.starts_with(word);
        return long.iter().any(|option| cut(option, 4))
            || (copies && cut("--archive", 4))
            || word.ends_with("=recurse");
    }
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.contains(['r', 'R']) || (copies && letters.contains('a')) || word == "recurse"
}

/// The folders that a command may run in, where the line went to them; what is not known is left out.
pub(crate) fn folders(command: &Command) -> impl Iterator<Item = &str> {
    let all = command.directory.iter().flat_map(|place| place.split(" | "));
    all.filter(|place| !place.contains('*'))
}

/// Commands that take whole folders and name none take the one that they are in: `rg x`, `grep -r x`.
pub(crate) fn own_folders(
    paths: &[PathUse],
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Vec<PathUse> {
    const SEARCH: &[&str] =
        &["rg", "ag", "ack", "rgrep", "grep", "egrep", "fgrep", "ugrep", "ug", "zgrep", "git"];
    let nameless = reading.commands.iter().filter(|command| {
        let names = |path: &PathUse| {
            let own = path
                .span
                .is_some_and(|span| command.span.start <= span.start && span.end <= command.span.end);
            own && !path.redirect && path.span != Some(command.span)
        };
        let searches = command.program.as_deref().is_some_and(|name| SEARCH.contains(&name));
        searches && takes_whole_folders(command) && !paths.iter().any(names)
    });
    let known = nameless.flat_map(|command| {
        let here = command.directory.is_none().then_some(".");
        let places = here.into_iter().chain(folders(command));
        places.map(|place| PathUse { span: Some(command.span), ..plain(place, Access::Read, call, context) })
    });
    known.collect()
}

/// The files that a search is told to look at alone: `grep -r x --include=.env`, `rg x -g .env`.
pub(crate) fn narrowed(
    paths: &[PathUse],
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Vec<PathUse> {
    let mut found = Vec::new();
    for command in &reading.commands {
        for (pattern, span) in patterns(command) {
            let own = paths.iter().filter(|path| in_span(path, command) && path.access == Access::Read);
            let folders: Vec<PathUse> = own.filter(|path| path.literal).cloned().collect();
            let named = named_by_glob(pattern, &folders, call, context);
            found.extend(named.into_iter().map(|path| PathUse { span: Some(span), ..path }));
        }
    }
    found
}

/// The patterns for file names among the words of a search.
fn patterns(command: &Command) -> Vec<(&str, portcullis_shell::Span)> {
    let (long, short): (&[&str], Option<&str>) = match command.program.as_deref() {
        Some("grep" | "egrep" | "fgrep" | "rgrep" | "zgrep" | "ugrep" | "ug") => (&["--include"], None),
        Some("rg") => (&["--glob", "--iglob"], Some("-g")),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut words = command.arguments.iter();
    while let Some(word) = words.next() {
        let (name, value) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        // Long options may be cut short.
        let is_long = name.len() > "--in".len() && long.iter().any(|option| option.starts_with(name));
        let glued = short.and_then(|short| word.text.strip_prefix(short));
        let value = match glued {
            Some("") => words.next().map(|next| next.text.as_str()),
            Some(glued) => Some(glued),
            None if is_long => value.or_else(|| words.next().map(|next| next.text.as_str())),
            None => None,
        };
        found.extend(value.map(|value| (value, word.span)));
    }
    found
}

/// The files at any depth below the folders that a search is narrowed to, where the pattern begins like their name.
pub(crate) fn named_by_glob(
    patterns: &str,
    folders: &[PathUse],
    call: &ToolCall,
    context: &Context,
) -> Vec<PathUse> {
    let here = [plain(".", Access::Read, call, context)];
    let folders = if folders.is_empty() { &here } else { folders };
    let alternatives = patterns.split_whitespace().flat_map(braces);
    let single = alternatives.flat_map(|all| all.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = single.filter_map(|pattern| {
        let name = pattern.rsplit('/').next().unwrap_or_default().to_owned();
        (!pattern.starts_with('!') && !name.is_empty() && !name.starts_with(glob::is_wild)).then_some(name)
    });
    names
        .flat_map(|name| {
            folders.iter().map(move |folder| PathUse {
                path: format!("{}/{name}", folder.path.trim_end_matches('/')),
                named: name.clone(),
                literal: false,
                glob: true,
                // A wildcard of a deep name would cross folders; rules for deeper ones see the folder itself.
                deep: !name.contains(glob::is_wild),
                searched: false,
                ..folder.clone()
            })
        })
        .collect()
}
