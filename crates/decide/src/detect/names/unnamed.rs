//! Files that are shown without being named in the line: what a list, a search or a substitution hands to `cat`.
//!
//! The reader does not know such names. Where the line speaks of credentials, looks at what is hidden or outside the
//! project, or puts names together, credentials can be among them, and somebody should look.

use portcullis_shell::{Argument, Command, Placement, is_secret_path};

use crate::detect::{Finding, detectors};
use crate::view::{Access, View};

/// Programs that show, or put elsewhere, what is in the files they are given.
const SHOWS: &[&str] = words!(
    "cat bat batcat head tail less more nl tac rev base64 base32 xxd od hexdump hd strings grep egrep fgrep rg ag ack zgrep \
     zcat sed awk gawk cut sort uniq paste fold fmt pr column jq yq cp install diff tee openssl tar zip expand unexpand comm \
     join dd python python3 node ruby perl php"
);

/// Programs that write a text so that it no longer says what it was.
const DISGUISES: &[&str] = words!("base64 base32 xxd rev openssl basenc");

/// A command that shows files whose names are not spelled out, where credentials may be among them.
pub(crate) fn shown(view: &View) -> Option<Finding> {
    let commands = &view.reading.as_ref()?.commands;
    let command = commands.iter().find(|command| {
        let shows = command.program.as_deref().is_some_and(|name| SHOWS.contains(&name));
        let open = command.arguments.iter().any(is_open) || is_fed_open(command, view);
        (shows || takes_in(command, view)) && open && !only_names(command)
    })?;
    let sources =
        commands.iter().filter(|other| other.span != command.span || other.placement != command.placement);
    let list = reads_list(view);
    // Searching all of a project is ordinary, and so is looking at what was found.
    let searched = command.program.as_deref().is_some_and(|name| name.ends_with("grep") || name == "rg");
    let secret = list
        || sources.into_iter().any(|from| may_name_secrets(from, searched))
        || speaks_of_secrets(&view.line)
        || spells(&view.line);
    secret.then(|| Finding::on(&detectors::UNNAMED_SECRET_FILES, command))
}

/// Whether nothing at all is known of the word.
fn is_open(word: &Argument) -> bool {
    let text = word.text.trim_start_matches("if=");
    let unknown = text.contains('*') && text.chars().all(|it| matches!(it, '*' | '/'));
    !word.literal && word.choices.is_empty() && unknown
}

/// `echo "$(< $f)"`: what is in the file becomes part of the word.
fn takes_in(command: &Command, view: &View) -> bool {
    let dense: String =
        command.span.of(&view.line).chars().filter(|it| !it.is_whitespace() && *it != '"').collect();
    dense.contains("$(<$")
}

/// `cat < "$f"`
fn is_fed_open(command: &Command, view: &View) -> bool {
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    read.any(|path| {
        let open = path.named.contains('*') && path.named.chars().all(|it| matches!(it, '*' | '/'));
        open && !path.literal && crate::view::in_span(path, command)
    })
}

/// `grep -l`: it tells which files, and not what is in them.
fn only_names(command: &Command) -> bool {
    let search = command.program.as_deref().is_some_and(|name| name.ends_with("grep") || name == "rg");
    let names = |word: &Argument| {
        let short =
            word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        let plain = short.bytes().all(|it| b"rRlLiIwEFsZcqn".contains(&it));
        (plain && short.contains(['l', 'L', 'c', 'q'])) || word.text == "--files-with-matches"
    };
    search && command.arguments.iter().any(names)
}

/// Whether a command looks at what is hidden, left out of the repository or outside the project, or makes up names.
fn may_name_secrets(from: &Command, searched: bool) -> bool {
    const PARTS: &[&str] = words!(
        "env cred creds credential credentials secret secrets pem rsa passw passwd password passwords key"
    );
    const SOUGHT: &[&str] = words!("api_key apikey secret password passwd token credential");
    // What is started for each of the files found is a command of its own.
    let own = |word: &&str| !matches!(*word, "-x" | "-X" | "--exec" | "-exec");
    let words = || from.arguments.iter().map(|word| word.text.as_str()).take_while(own);
    let bare = || {
        let plain =
            words().map(|word| word.replace(['\\', '^', '$', '.', '*', '(', ')'], "").to_ascii_lowercase());
        plain.into_iter().any(|word| word.split('|').any(|part| PARTS.contains(&part)))
    };
    let sought = || words().any(|word| SOUGHT.iter().any(|part| word.to_ascii_lowercase().contains(part)));
    let piped = matches!(from.placement, Placement::Piped | Placement::Wrapped);
    let short = |letters: &[char]| {
        words().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letters))
    };
    let says = |list: &[&str]| words().any(|word| list.contains(&word));
    let home = words().any(|word| portcullis_shell::holds_secrets(word) || word.contains("/.config"));
    match from.program.as_deref().unwrap_or_default() {
        "ls" | "dir" => short(&['a', 'A', 'f']) || says(&["--all", "--almost-all"]) || home,
        "grep" | "egrep" | "fgrep" => bare() || (!piped && sought()),
        // A list of names that somebody else wrote.
        "cat" | "sed" | "awk" | "sort" | "head" | "tail" | "cut" | "cp" | "mv" if !piped => {
            from.arguments.iter().any(|word| {
                word.literal
                    && !word.text.starts_with('-')
                    && word.text.contains(|it: char| it.is_alphabetic())
            })
        }
        "locate" | "mlocate" | "plocate" | "shopt" | "setopt" => true,
        "fd" | "fdfind" | "rg" | "ag" if bare() || home => true,
        "fd" | "fdfind" | "rg" | "ag" => {
            short(&['H', 'u']) || says(&["--hidden", "--unrestricted", "--no-ignore", "-."])
        }
        "find" | "gfind" => {
            let tests = words().zip(words().skip(1)).filter(|(test, value)| {
                let kind = test.ends_with("name") || test.ends_with("path") || test.ends_with("regex");
                kind && !value.trim_matches(['*', '.', '/', '?']).is_empty()
            });
            let named = tests.count() > 0;
            let here = says(&["."]) || !words().any(|word| !word.starts_with('-'));
            home || (here && !named && !searched)
                || words().any(|word| word.starts_with('.') && word.len() > 2 && !word.contains('/'))
        }
        "git" => {
            says(&["--others", "--no-index", "check-ignore"])
                || words().any(|word| word.starts_with("--ignored"))
                || (says(&["ls-files"]) && short(&['o', 'i']))
        }
        "echo" | "printf" => words().any(|word| {
            word.contains(".%") || (word.contains('\\') && word.contains(|it: char| it.is_ascii_digit()))
        }),
        "xargs" => short(&['a']) || words().any(|word| word.starts_with("--arg-f")),
        name => DISGUISES.contains(&name) && from.placement != Placement::Direct,
    }
}

/// `while read f; do cat $f; done < names`: a list that the line did not write itself.
fn reads_list(view: &View) -> bool {
    let written = |path: &str| view.paths.iter().any(|it| it.access == Access::Write && it.path == path);
    let mut read =
        view.paths.iter().filter(|path| path.redirect && path.access == Access::Read && path.literal);
    read.any(|path| !path.path.starts_with("/dev/") && !written(&path.path))
}

/// Whether a word of the line names a place of credentials.
fn speaks_of_secrets(line: &str) -> bool {
    let plain = line.replace("\\n", " ").replace(['\\', '^', '$'], "");
    let mut parts = plain.split(|it: char| it.is_whitespace() || "|(){}<>;'\"=,".contains(it));
    parts.any(|part| {
        let hidden = matches!(part, ".*" | ".[!.]*" | ".??*");
        hidden
            || (part.len() > 2
                && !part.starts_with(['-', ':', '!'])
                && !part.starts_with(".*")
                && is_secret_path(part, false))
    })
}

/// `f=.e; f=${f}nv; cat $f`: the name of something hidden, made out of parts.
fn spells(line: &str) -> bool {
    line.contains("${")
        && line.split('=').skip(1).any(|value| {
            let value = value.trim_start_matches(['"', '\'']);
            value
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_alphanumeric()))
        })
}
