//! Downloads onto files that builds, CI services or agents obey: they are as good as run.

use portcullis_shell::{Argument, Command, Effects, Reading};

use super::flow::{fetched_files, fetched_here, fetches};
use super::origin;
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors};
use crate::protected;
use crate::view::{Access, PathUse, View};
use crate::view::{in_span, within};

/// Programs that write under the names of what they fetch.
const BY_REMOTE_NAME: &[&str] = &["wget", "wget2", "curl", "aria2c", "axel", "scp", "rsync", "sftp"];

/// Short options of wget that take a value.
const OF_WGET: &[char] =
    &['O', 'o', 'a', 'e', 'i', 't', 'T', 'w', 'Q', 'P', 'U', 'l', 'A', 'R', 'D', 'I', 'X', 'B'];

/// A download onto a file that is obeyed.
pub(in crate::detect) fn of_line(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let commands = &reading.commands;
    let earlier =
        |path: &PathUse| path.access != Access::Write && context.session.fetched.contains(&path.path);
    let brings = commands.iter().any(|command| fetches(command) || brings_folder(command))
        || view.paths.iter().any(earlier)
        || (commands.iter().any(unpacks) && !context.session.fetched.is_empty());
    if !brings {
        return None;
    }
    let fetched = fetched_here(call, view, reading, context);
    let meant = |path: &String| context.is_trusted(path) && is_obeyed(path);
    let found = commands.iter().enumerate().find_map(|(index, command)| {
        let own = own_names(command).into_iter().flat_map(|name| places(&name, command, call, context));
        let written = view.paths.iter().filter(|path| path.access == Access::Write && in_span(path, command));
        let fed = is_fed(index, reading, view, &fetched);
        let written = written.filter(|_| fed).flat_map(|path| {
            // What is copied into a folder lies in it.
            let inside = brings_folder(command).then(|| format!("{}/x", path.path.trim_end_matches('/')));
            std::iter::once(path.path.clone()).chain(inside)
        });
        let over = places(unpacks_into(command), command, call, context);
        let over = over.into_iter().find(|folder| fed && unpacks(command) && context.roots.contains(folder));
        written.chain(own).find(meant).or(over).map(|path| (command, path))
    });
    let (command, path) = found.or_else(|| {
        let grouped = view.paths.iter().filter(|path| path.access == Access::Write && path.redirect);
        let grouped = grouped.filter(|path| is_grouped(path, reading, view)).map(|path| path.path.clone());
        let path = grouped.into_iter().find(meant)?;
        commands.iter().find(|command| fetches(command)).map(|command| (command, path))
    })?;
    Some(Finding::on(&detectors::DOWNLOAD_ONTO_OBEYED_FILE, command).about(path))
}

/// `{ curl …; } > file`: no single command writes it, or one that only passes on what comes in.
fn is_grouped(path: &PathUse, reading: &Reading, view: &View) -> bool {
    let mut around = reading.commands.iter().filter(|command| in_span(path, command)).peekable();
    let passes = |command: &Command| matches!(command.program.as_deref(), Some("cat" | "exec" | "tee"));
    let text = view.line.contains("<<");
    around.peek().is_none() || around.any(|command| !text && (passes(command) || command.program.is_none()))
}

/// Whether the command unpacks an archive: over whatever lies there.
fn unpacks(command: &Command) -> bool {
    const NAMES: &[&str] = &["tar", "bsdtar", "gtar", "unzip", "7z", "7za", "7zz", "cpio", "pax"];
    let known = command.program.as_deref().is_some_and(|name| NAMES.contains(&name));
    known && command.own.meets(Effects::WRITES)
}

/// The folder that an archive is unpacked into.
fn unpacks_into(command: &Command) -> &str {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let folders = values(&words, &["-C", "--directory", "--cd", "-d"]);
    folders.last().copied().unwrap_or(".")
}

/// Where the name may lie: the line may have gone to one of several folders.
fn places(name: &str, command: &Command, call: &ToolCall, context: &Context) -> Vec<String> {
    let folders = command.directory.as_deref().unwrap_or(&call.cwd).split(" | ");
    folders.map(|folder| context.absolute(name, &context.absolute(folder, &call.cwd))).collect()
}

/// Whether the command puts what it brings into a folder, under names of its own.
fn brings_folder(command: &Command) -> bool {
    let clones = command.arguments.iter().any(|word| word.text == "clone");
    copies_from_elsewhere(command) || clones
}

/// Whether what the command writes may be what was fetched: by its pipe, in its words, or in a file that it reads.
fn is_fed(index: usize, reading: &Reading, view: &View, fetched: &[String]) -> bool {
    let Some(command) = reading.commands.get(index) else { return false };
    let before = origin::pipeline(&reading.commands, index);
    let piped = before.iter().any(fetches) || brings_folder(command);
    let inside = |other: &&Command| other.span != command.span && within(other.span, command.span);
    let substituted = reading.commands.iter().filter(inside).any(fetches);
    let open = command.arguments.iter().any(|word| !word.literal);
    let passed = |path: &PathUse| in_span(path, command) || before.iter().any(|other| in_span(path, other));
    let mut read = view.paths.iter().filter(|path| path.access != Access::Write && passed(path));
    piped || substituted || open || read.any(|path| fetched.contains(&path.path))
}

/// Whether builds, CI services or agents do what the file says.
fn is_obeyed(path: &str) -> bool {
    const TOLD: &[&str] = &[
        "claude.md",
        "claude.local.md",
        "agents.md",
        "gemini.md",
        "skill.md",
        "copilot-instructions.md",
        ".cursorrules",
        ".windsurfrules",
        ".clinerules",
    ];
    let lower = path.to_lowercase();
    TOLD.contains(&lower.rsplit('/').next().unwrap_or_default())
        || protected::runs_later(path)
        || protected::place(path, true).is_some()
}

/// `scp host:a .`
fn copies_from_elsewhere(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("scp" | "rsync" | "sftp"))
}

/// The names under which a command puts what it fetches, where the line does not say them.
fn own_names(command: &Command) -> Vec<String> {
    let name = command.program.as_deref().unwrap_or_default();
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let folder = folder(name, &words);
    if name == "gh" && words.contains(&"download") {
        let patterns = values(&words, &["-p", "--pattern"]);
        let fixed = patterns.iter().filter(|pattern| !pattern.contains('*'));
        return fixed.copied().chain(["x"]).map(|file| format!("{folder}{file}")).collect();
    }
    if !BY_REMOTE_NAME.contains(&name) || names_output(name, &words) {
        return Vec::new();
    }
    if words.iter().any(|word| is_named_by_server(name, word)) {
        // It may be called anything.
        return vec![format!("{folder}CLAUDE.md")];
    }
    let whole = words.iter().any(|word| matches!(*word, "-nH" | "--no-host-directories"));
    let kept = words.iter().filter(|word| whole && word.contains("://")).map(|address| {
        let path = address.splitn(4, '/').nth(3).unwrap_or_default();
        if path.ends_with('/') { format!("{path}x") } else { path.to_owned() }
    });
    let copied = command.arguments.iter().filter(|_| copies_from_elsewhere(command)).filter_map(remote_name);
    let given = values(&words, &["--out", "-o"]).into_iter().map(str::to_owned);
    let given = given.filter(|_| matches!(name, "aria2c" | "axel"));
    let names = fetched_files(command).into_iter().chain(kept).chain(copied).chain(given);
    names.map(|file| format!("{folder}{file}")).collect()
}

/// `host:dir/CLAUDE.md`
fn remote_name(word: &Argument) -> Option<String> {
    let (host, path) = word.text.split_once(':')?;
    let name = path.rsplit('/').next().unwrap_or_default();
    (!host.contains('/') && !name.is_empty()).then(|| name.to_owned())
}

/// The folder that an option names, with a stroke at its end.
fn folder(name: &str, words: &[&str]) -> String {
    let options: &[&str] = match name {
        "curl" => &["--output-dir"],
        "wget" | "wget2" => &["-P", "--directory-prefix"],
        "aria2c" => &["-d", "--dir"],
        "gh" => &["-D", "--dir"],
        _ => &[],
    };
    let last = values(words, options).last().copied();
    last.map_or_else(String::new, |folder| format!("{}/", folder.trim_end_matches('/')))
}

/// The values of the options, in the next word or attached.
fn values<'w>(words: &[&'w str], options: &[&str]) -> Vec<&'w str> {
    let next = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| options.contains(*word));
    let next = next.map(|(_, value)| *value);
    next.chain(options.iter().flat_map(|option| attached(words, option))).collect()
}

/// `-Pdir`, `--dir=dir`
fn attached<'w>(words: &[&'w str], option: &str) -> Vec<&'w str> {
    let value = |word: &&'w str| {
        let rest = word.strip_prefix(option)?;
        let rest = if option.starts_with("--") { rest.strip_prefix('=')? } else { rest };
        (!rest.is_empty()).then_some(rest)
    };
    words.iter().filter_map(value).collect()
}

/// Whether an option of wget says where all goes.
fn names_output(name: &str, words: &[&str]) -> bool {
    let letter = |word: &str| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.and_then(|letters| letters.chars().find(|it| OF_WGET.contains(it))) == Some('O')
    };
    matches!(name, "wget" | "wget2")
        && words.iter().any(|word| word.starts_with("--output-d") || letter(word))
}

/// Whether the answer of the server says what the file is called.
fn is_named_by_server(name: &str, word: &str) -> bool {
    let long = ["--content-disposition", "--trust-server-names", "--remote-header-name"];
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    long.contains(&word) || (name == "curl" && letters.is_some_and(|letters| letters.contains('J')))
}
