//! What may be written into a list of files that nobody has spelled out: plain words, into sources and prose alone.

use portcullis_shell::{Command, Effects, Reading};

use crate::detect::provenance::flow;

/// Endings of sources and prose. What tells a program what to do may end in any other: `json`, `yml`, `toml`, `txt`, `sh`.
const SOURCES: &[&str] = words!(
    "ts tsx mts js jsx mjs py pyi rs go rb java kt swift c h cc cpp hpp cs php scala ex erl hs ml lua dart vue \
     svelte css scss less html md mdx rst adoc"
);

/// Kinds of files as `rg` calls them that hold nothing but those.
const KINDS: &[&str] = words!("ts typescript js py python rust go c cpp css html md markdown php swift");

/// `*.ts`, `src/*_test.go`, `*.{ts,tsx}`: whatever it is that is found, it ends so.
fn ends_as_source(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or_default();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let several = ending.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"*_-.".contains(&byte);
    stem.contains('*')
        && !stem.starts_with('.')
        && stem.bytes().all(plain)
        && several.unwrap_or(ending).split(',').all(|ending| SOURCES.contains(&ending))
}

/// Whether all that the command lists are sources and prose, by how their names end.
pub(super) fn lists_sources(command: &Command, places: &[&str]) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    match command.program.as_deref() {
        Some("git") => !places.is_empty() && places.iter().all(|place| ends_as_source(place)),
        Some("find") => finds_sources(&words),
        Some("grep") => {
            let included: Vec<&str> =
                words.iter().filter_map(|word| word.strip_prefix("--include=")).collect();
            // With that letter it goes through links.
            let strays = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('R');
            !included.is_empty()
                && included.iter().all(|pattern| ends_as_source(pattern))
                && !words.iter().any(strays)
        }
        Some("rg") => {
            let limits = limits(&words);
            let strays = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('L');
            let wanted = || limits.iter().filter(|(_, value)| !value.starts_with('!'));
            let known = |(kind, value): &(bool, &str)| {
                if *kind { KINDS.contains(value) } else { ends_as_source(value) }
            };
            wanted().next().is_some() && wanted().all(known) && !words.iter().any(strays)
        }
        _ => false,
    }
}

/// Endings of what is only ever compiled: no hook, task or settings file of a tool is called so.
const COMPILED: &[&str] = words!("go rs java kt swift c h cc cpp hpp cs scala hs ml dart");

/// `grep -rl x --include='*.go' .`: wherever in the project they lie, what is found is only compiled.
pub(super) fn lists_compiled(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let compiled =
        |pattern: &str| pattern.strip_prefix("*.").is_some_and(|ending| COMPILED.contains(&ending));
    // What is found begins with the place, which is no option.
    let placed = words.iter().any(|word| matches!(*word, "." | "./"));
    let wanted: Vec<&str> = match command.program.as_deref() {
        Some("grep") => words.iter().filter_map(|word| word.strip_prefix("--include=")).collect(),
        Some("rg") => limits(&words).into_iter().filter(|(kind, _)| !kind).map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    let kinds = limits(&words).into_iter().any(|(kind, _)| kind);
    placed && !kinds && !wanted.is_empty() && wanted.iter().all(|pattern| compiled(pattern))
}

/// Folders in which nothing but sources, tests and texts lies.
const FOLDERS: &[&str] = words!("src lib libs test tests spec specs docs internal pkg cmd include");

/// `rg -l old src`, `grep -rl old src`: whatever it is called, what lies there is no more than the project's sources.
pub(super) fn looks_into_sources(command: &Command, places: &[&str]) -> bool {
    let searches = matches!(command.program.as_deref(), Some("grep" | "rg"));
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    // Through links, into what is hidden, into all that is left out of the repository.
    let strays = |word: &str| {
        let short = word.starts_with('-') && !word.starts_with("--");
        short && word.contains(['R', 'u', '.', 'L'])
    };
    let within = |place: &&str| {
        let folder = place.trim_start_matches("./");
        folder.split('/').any(|part| FOLDERS.contains(&part))
            && folder.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/".contains(&byte))
    };
    // Where some kinds of files are asked for, those say what is found.
    let limited = |word: &str| {
        let name = word.split('=').next().unwrap_or_default();
        matches!(name, "-t" | "--type" | "-g" | "--glob" | "--include" | "--exclude" | "-T" | "--iglob")
    };
    searches
        && !words().any(|word| strays(word) || limited(word))
        && !places.is_empty()
        && places.iter().all(within)
}

/// `-name '*.ts' -o -name '*.tsx'`: each way to be found asks for such a name, before anything is printed.
fn finds_sources(words: &[&str]) -> bool {
    let tests = words.iter().position(|word| word.starts_with(['-', '(', '!'])).unwrap_or(words.len());
    let tests = words.get(tests..).unwrap_or_default();
    let inner = match tests {
        [inner @ .., "-print" | "-print0"] => inner,
        all => all,
    };
    let denies = |word: Option<&&str>| matches!(word, Some(&("-not" | "!")));
    let odd = inner.iter().enumerate().any(|(at, word)| match *word {
        "-print" | "-print0" | "," => true,
        "(" => at.checked_sub(1).is_some_and(|before| denies(inner.get(before))),
        "-path" => !at.checked_sub(1).is_some_and(|before| denies(inner.get(before))),
        _ => false,
    });
    let named = |way: &[&str]| {
        way.windows(2).enumerate().any(|(at, pair)| {
            let without = at.checked_sub(1).is_some_and(|before| denies(way.get(before)));
            !without && matches!(pair, ["-name" | "-iname", pattern] if ends_as_source(pattern))
        })
    };
    !odd && inner.split(|word| matches!(*word, "-o" | "-or")).all(named)
}

/// What `-t ts` and `-g '*.ts'` say, and whether it is a kind.
fn limits<'w>(words: &[&'w str]) -> Vec<(bool, &'w str)> {
    let said = |(at, word): (usize, &&'w str)| {
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (*word, None),
        };
        let kind = matches!(name, "-t" | "--type");
        let chooses = kind || matches!(name, "-g" | "--glob");
        chooses.then(|| (kind, glued.or_else(|| words.get(at + 1).copied()).unwrap_or_default()))
    };
    words.iter().enumerate().filter_map(said).collect()
}

/// The words of a search without those that limit it to some kinds of files.
pub(super) fn without_limits<'w>(program: &str, words: &[&'w str]) -> Vec<&'w str> {
    let mut rest = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split('=').next().unwrap_or_default() {
            "-t" | "--type" | "-g" | "--glob" if program == "rg" => {
                if !word.contains('=') {
                    words.next();
                }
            }
            _ => rest.push(*word),
        }
    }
    rest
}

/// `grep '\.ts$'`: of the lines only those are left that end so.
pub(super) fn leaves_sources(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let pattern = match words.as_slice() {
        [pattern] | ["-E", pattern] => *pattern,
        _ => return false,
    };
    let ending = pattern.strip_prefix("\\.").and_then(|rest| rest.strip_suffix('$')).unwrap_or_default();
    let several = ending.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    command.program.as_deref() == Some("grep")
        && several.unwrap_or(ending).split('|').all(|ending| SOURCES.contains(&ending))
}

/// `sed -i 's/a/b/g'`: nothing but plain words for text that is found. Into how many files they go is not known, nor what
/// stands around them there; so they must be no code.
pub(super) fn is_plain_substitution(command: &Command) -> bool {
    const OPTIONS: &[&str] = &["-i", "-E", "-r", "-e", "-i.bak", "-i.orig", "-Ei", "-iE", "--in-place", ""];
    const OF_PERL: &[&str] = words!("-pi -pie -i -pe -p -e -pi.bak -0pi -0777pi");
    let words = || command.arguments.iter().filter(|word| word.literal).map(|word| word.text.as_str());
    if command.program.as_deref() == Some("perl") {
        let edits = words().any(|word| word.starts_with('-') && word.contains('i'));
        return edits
            && words().all(|word| OF_PERL.contains(&word) || (word.starts_with('s') && is_inert(word)));
    }
    let beyond = command.own.without(Effects::WRITES).without(Effects::UNKNOWN);
    beyond.is_harmless() && words().all(|word| OPTIONS.contains(&word) || puts_plain_words(word))
}

/// The same for perl, where a pattern can hold code and take in variables.
fn is_inert(script: &str) -> bool {
    let taken = script.match_indices('$').any(|(at, _)| {
        let behind = script.get(at + 1..).and_then(|rest| rest.chars().next());
        !matches!(behind, Some('/' | '|' | '#' | ')'))
    });
    !taken && !script.contains(['@', '`', '{', '%']) && !script.contains("(?") && puts_plain_words(script)
}

/// `s/a/b/g`, with a `b` of plain words; a call may become another call.
fn puts_plain_words(script: &str) -> bool {
    let Some(delimiter) = script.strip_prefix('s').and_then(|rest| rest.chars().next()) else { return false };
    let mut escaped = false;
    let parts: Vec<&str> = script
        .split(|it| {
            let ends = it == delimiter && !escaped;
            escaped = it == '\\' && !escaped;
            ends
        })
        .collect();
    let plain = |it: char| it.is_alphanumeric() || "_.-/:@ ".contains(it);
    let [_, found, text, flags] = parts.as_slice() else { return false };
    let called = text.strip_suffix('(').filter(|name| found.ends_with('(') && !runs_something(name));
    "/|#,:@%!".contains(delimiter)
        && !script.contains('\n')
        && called.unwrap_or(text).chars().all(plain)
        && flags.chars().all(|it| "gI".contains(it) || it.is_ascii_digit())
}

/// Whether a call of this name may start a program or run a text.
fn runs_something(name: &str) -> bool {
    const RUNS: &[&str] = words!("system exec eval popen spawn shell run call load require");
    let lower = name.to_lowercase();
    RUNS.iter().any(|word| lower.contains(word))
}

/// Whether code only looks whether a file can be read as what it should be: every word of it is known, and none prints,
/// writes or loads anything.
pub(super) fn only_parses(code: &str) -> bool {
    const KNOWN: &[&str] = words!(
        "JSON parse readFileSync process argv utf8 json sys load open const fs for of line split if trim t \
     startsWith continue"
    );
    // What is loaded besides would run.
    const LOADED: &[&str] = &[
        "require('fs')",
        "require(\"fs\")",
        "import json,sys",
        "import json, sys",
        "import sys,json",
        "\\r",
        "\\n",
    ];
    let code = LOADED.iter().fold(code.to_owned(), |code, known| code.replace(known, " "));
    let mut words = code.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty());
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    !code.is_empty()
        && words.all(|word| KNOWN.contains(&word) || number(word))
        && !code.contains(['\\', '`', '$'])
}

/// Whether the line itself makes links or brings in files of others, whose names may be anything. What `git mv` moves lies
/// in the project before and after.
pub(super) fn brings_names(reading: &Reading) -> bool {
    reading.commands.iter().any(|command| {
        let first = command.verbs.first().and_then(|at| command.arguments.get(*at));
        let verb = first.map_or("", |word| word.text.as_str());
        match command.program.as_deref() {
            Some("ln" | "tar" | "bsdtar" | "unzip" | "7z" | "cpio" | "rsync" | "cp" | "mv" | "patch") => true,
            Some("git") => matches!(verb, "pull" | "clone" | "am" | "apply" | "submodule" | "merge"),
            _ => flow::checks_out_a_stranger(command) || flow::fetches(command),
        }
    })
}
