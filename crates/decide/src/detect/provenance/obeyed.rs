//! Downloads onto files that builds, CI services or agents obey: they are as good as run.

use portcullis_shell::{Command, Effects, Reading};

use super::flow::{fetched_files, fetched_here, fetches};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors};
use crate::protected;
use crate::view::{Access, PathUse, View};
use crate::view::{in_span, within};

/// A download onto a file that is obeyed.
pub(in crate::detect) fn of_line(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let commands = &reading.commands;
    let fetched = fetched_here(call, view, reading, context);
    let known = |path: &PathUse| path.access != Access::Write && fetched.contains(&path.path);
    let brings = |command: &Command| {
        let own = view.paths.iter().filter(|path| in_span(path, command)).any(known);
        own || fetches(command) || copies_from_elsewhere(command)
    };
    let fetching = commands.iter().any(fetches);
    let unpacked = commands
        .iter()
        .find(|it| unpacks(it) && (fetching || !fetched.is_empty()) && is_into_root(it, call, context));
    // What the line redirects while something is fetched may be what was fetched.
    let mut printed =
        view.paths.iter().filter(|path| fetching && path.redirect && path.access == Access::Write);
    let printed = printed.find(|path| context.is_trusted(&path.path) && is_obeyed(&path.path));
    let printed = printed.and_then(|path| Some((commands.iter().find(|it| fetches(it))?, path.path.clone())));
    let found = commands.iter().find_map(|command| {
        // What is piped on, put in words or grouped with the download is made of it.
        let around = |other: &Command| within(other.span, command.span) || within(command.span, other.span);
        let piped = command.placement == portcullis_shell::Placement::Piped && commands.iter().any(fetches);
        if !brings(command) && !piped && !commands.iter().any(|other| fetches(other) && around(other)) {
            return None;
        }
        let folder = copies_from_elsewhere(command);
        let written = view.paths.iter().filter(|path| path.access == Access::Write && in_span(path, command));
        let written = written.flat_map(|path| {
            // What is copied into a folder lies in it.
            let inside = folder.then(|| format!("{}/x", path.path.trim_end_matches('/')));
            std::iter::once(path.path.clone()).chain(inside)
        });
        let places = |name: String| {
            let folders = command.directory.as_deref().unwrap_or(&call.cwd).split(" | ");
            folders
                .map(|folder| context.absolute(&name, &context.absolute(folder, &call.cwd)))
                .collect::<Vec<_>>()
        };
        let named = own_names(command).into_iter().flat_map(places);
        let path = written.chain(named).find(|path| context.is_trusted(path) && is_obeyed(path));
        path.map(|path| (command, path))
    });
    let (command, path) =
        found.or(printed).or_else(|| unpacked.map(|command| (command, context.root().to_owned())))?;
    Some(Finding::on(&detectors::DOWNLOAD_ONTO_OBEYED_FILE, command).about(path))
}

/// Whether the command unpacks an archive: over whatever lies there.
fn unpacks(command: &Command) -> bool {
    const NAMES: &[&str] = words!("tar bsdtar gtar unzip 7z 7za 7zz cpio pax");
    command.program.as_deref().is_some_and(|name| NAMES.contains(&name)) && command.own.meets(Effects::WRITES)
}

fn is_into_root(command: &Command, call: &ToolCall, context: &Context) -> bool {
    const OPTIONS: &[&str] = words!("-C --directory --cd -d");
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    let folder = pairs.rev().find(|(name, _)| OPTIONS.contains(name)).map_or(".", |(_, folder)| *folder);
    let here = context.absolute(command.directory.as_deref().unwrap_or("."), &call.cwd);
    context.roots.contains(&context.absolute(folder, &here))
}

/// `scp host:a .`, `git clone`
fn copies_from_elsewhere(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("scp" | "rsync" | "sftp"))
        || command.arguments.iter().any(|word| word.text == "clone")
}

/// Whether builds, CI services or agents do what the file says.
fn is_obeyed(path: &str) -> bool {
    const TOLD: &[&str] = words!(
        "claude.md claude.local.md agents.md gemini.md skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules"
    );
    let lower = path.to_lowercase();
    TOLD.contains(&lower.rsplit('/').next().unwrap_or_default())
        || protected::runs_later(path)
        || protected::place(path, true).is_some()
}

/// The names under which a command puts what it fetches, where the line does not say them.
fn own_names(command: &Command) -> Vec<String> {
    const FOLDERS: &[&str] = words!("--output-dir -P --directory-prefix -d --dir -D");
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let value = |names: &[&str]| {
        let pairs = words.iter().zip(words.iter().skip(1));
        let next = pairs.filter(|(name, _)| names.contains(*name)).map(|(_, value)| (*value).to_owned());
        let glued = words.iter().filter_map(|word| {
            let rest = names.iter().find_map(|name| word.strip_prefix(name))?;
            let rest = if word.starts_with("--") { rest.strip_prefix('=')? } else { rest };
            (!rest.is_empty()).then(|| rest.to_owned())
        });
        next.chain(glued).collect::<Vec<_>>()
    };
    let program = command.program.as_deref().unwrap_or_default();
    let fetching = fetches(command);
    // What the server or a release calls it may be anything.
    let by_server = |word: &&str| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        ["--content-disposition", "--trust-server-names", "--remote-header-name"].contains(word)
            || (program == "curl" && letters.contains('J'))
    };
    let mut names = fetched_files(command);
    if fetching && words.iter().any(by_server) {
        names.push("CLAUDE.md".to_owned());
    }
    if program == "gh" && words.contains(&"download") {
        names.extend(value(&["-p", "--pattern"]).into_iter().chain(["x".to_owned()]));
    }
    if copies_from_elsewhere(command) {
        let remote =
            words.iter().filter_map(|word| word.split_once(':').filter(|(host, _)| !host.contains('/')));
        names.extend(
            remote
                .filter_map(|(_, path)| path.rsplit('/').next())
                .filter(|it| !it.is_empty())
                .map(str::to_owned),
        );
    }
    names.extend(value(&["--out", "-o"]).into_iter().filter(|_| fetching));
    let folders: Vec<String> = value(FOLDERS).into_iter().filter(|_| fetching).collect();
    let inside = folders
        .iter()
        .flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")))
        .collect::<Vec<_>>();
    if fetching || copies_from_elsewhere(command) {
        names.into_iter().chain(inside).collect()
    } else {
        Vec::new()
    }
}
