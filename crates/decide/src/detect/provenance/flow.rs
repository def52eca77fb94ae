//! Where things come from and where they go: what is downloaded and run, what is read and sent.

use portcullis_shell::{Argument, Command, Effects, Placement, Reading};

use super::origin;
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, code::framework_shells, detectors, remote::home};
use crate::run_files::interpreters::{self, Given};
use crate::view::{Access, View};

/// Programs that bring something from elsewhere.
pub(crate) fn fetches(command: &Command) -> bool {
    const NAMES: &[&str] = &[
        "curl", "wget", "wget2", "aria2c", "axel", "http", "https", "xh", "fetch", "lftp", "ftp", "sftp",
        "scp", "lynx", "w3m", "nc", "ncat", "netcat", "dig", "host", "nslookup", "drill",
    ];
    let says = |wanted: &str| command.arguments.iter().any(|word| word.text == wanted);
    let forge = command.program.as_deref() == Some("gh")
        && ["api", "download", "gist", "diff"].iter().any(|verb| says(verb));
    // What is decoded was hidden, wherever it came from.
    let decodes = match command.program.as_deref() {
        Some("openssl") => says("-d"),
        Some("xxd") => says("-r") || says("-revert"),
        Some("base64" | "base32" | "gpg") => {
            says("-d") || says("-D") || says("--decode") || says("--decrypt")
        }
        _ => false,
    };
    let brings = command.program.as_deref().is_some_and(|name| NAMES.contains(&name));
    forge || decodes || takes_from_bucket(command) || (brings && !home::stays_home(command))
}

/// `aws s3 cp s3://bucket/x .`, `gsutil cp gs://bucket/x .`: from there to here, and not the other way.
fn takes_from_bucket(command: &Command) -> bool {
    const NAMES: &[&str] = &["aws", "gsutil", "gcloud", "s3cmd", "s5cmd", "azcopy"];
    let mut operands = command.arguments.iter().filter(|word| !word.text.starts_with('-')).rev();
    let remote = |word: &Argument| word.text.contains("://");
    command.program.as_deref().is_some_and(|name| NAMES.contains(&name))
        && operands.next().is_some_and(|last| !remote(last))
        && operands.any(remote)
}

/// Shells and interpreters that run what they are given.
fn runs_text(command: &Command) -> bool {
    const NAMES: &[&str] = words!(
        "sh bash zsh dash ksh fish ash source . eval powershell pwsh perl osascript busybox sudo doas"
    );
    command.program.as_deref().is_some_and(|name| NAMES.contains(&name) || interpreters::is_language(name))
}

/// The files that the command puts what it fetches into, as the line names them.
pub(crate) fn fetched_files(command: &Command) -> Vec<String> {
    if !fetches(command) {
        return Vec::new();
    }
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    // curl prints what it fetches, unless an option says otherwise.
    let takes_remote_names = command.program.as_deref() != Some("curl") || words.iter().any(names_by_remote);
    let mut files = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if matches!(*word, "-o" | "--output" | "-O" | "--output-document") {
            files.extend(words.get(index + 1).map(|name| (*name).to_owned()));
        }
        let long = word.strip_prefix("--output=").or_else(|| word.strip_prefix("--output-document="));
        files.extend(long.map(str::to_owned));
        let remote_name =
            word.contains("://") || (word.contains('.') && word.contains('/') && !word.starts_with('-'));
        if remote_name && takes_remote_names {
            let name =
                word.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            files.extend((!name.is_empty()).then(|| name.to_owned()));
        }
    }
    files
}

/// Whether an option of curl makes it write files named like what it fetches; what is not known may be one.
fn names_by_remote(word: &&str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.starts_with("remote-") || long.contains('*'),
        None => (word.starts_with('-') && word.contains(['O', 'J', '*'])) || word.starts_with('*'),
    }
}

/// The files that this line or the session before it fetched, absolute.
pub(in crate::detect) fn fetched_here(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Vec<String> {
    let mut fetched: Vec<String> = reading
        .commands
        .iter()
        .flat_map(fetched_files)
        .map(|name| context.absolute(&name, &call.cwd))
        .collect();
    if reading.commands.iter().any(fetches) {
        // What the line writes while something is fetched may be what was fetched.
        let written = view.paths.iter().filter(|path| path.access == Access::Write);
        fetched.extend(written.map(|path| path.path.clone()));
    }
    for command in reading.commands.iter().filter(|command| command.own.meets(Effects::NETWORK_READ)) {
        let printed = view.paths.iter().filter(|path| path.redirect && path.access == Access::Write);
        let printed = printed.filter(|path| crate::view::in_span(path, command));
        fetched.extend(printed.map(|path| path.path.clone()));
    }
    fetched.extend(context.session.fetched.iter().cloned());
    fetched
}

/// What is downloaded and run, in this line or before it.
pub(in crate::detect) fn downloaded(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &Context,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let fetching = reading.commands.iter().any(fetches);
    let fetched = fetched_here(call, view, reading, context);
    let inside = fetched
        .iter()
        .any(|path| fetching && context.is_trusted(path) && crate::run_files::executed::runs(path));
    let brings_code = inside || brings_tree(view, reading, &fetched, call, context);
    for (index, command) in reading.commands.iter().enumerate() {
        let named = || {
            let mut fed = origin::pipeline(&reading.commands, index).iter();
            fed.any(|command| names_one_of(command, &fetched, call, view, context))
        };
        let foreign = || {
            let mut fed = origin::pipeline(&reading.commands, index).iter();
            fed.any(|command| origin::reads_elsewhere(command, view, context))
        };
        if applies_patch(command) {
            let finding = Finding::on(&detectors::APPLIES_UNSEEN_PATCH, command);
            if fetching && command.placement == Placement::Piped {
                found.push(finding);
            } else if named() || foreign() {
                found.push(finding.doubtful());
            }
        }
        let data = framework_shells::takes_data(command);
        let loads = fetching
            && command.placement == Placement::Piped
            && command.own.meets(Effects::PROJECT_CODE)
            && !data;
        let blind = loads
            || fetching
                && !data
                && runs_text(command)
                && command.effects.meets(Effects::UNKNOWN.and(Effects::EXECUTES))
                && (command.placement == Placement::Piped || !reading.unclear.is_empty());
        let installs = || command.own.meets(Effects::INSTALLS_DECLARED) && named();
        let builds = command.own.meets(Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED));
        let built = (brings_code && builds) || installs();
        if built {
            found.push(Finding::on(&detectors::BUILDS_WITH_DOWNLOAD, command));
        }
        if blind || runs_one_of(command, &fetched, call, context) {
            found.push(Finding::on(&detectors::RUNS_DOWNLOAD, command));
        }
    }
    found
}

/// `git apply`, `git am`, `patch`
fn applies_patch(command: &Command) -> bool {
    let applies = |word: &Argument| matches!(word.text.as_str(), "apply" | "am");
    match command.program.as_deref() {
        Some("patch") => true,
        Some("git") => command.arguments.iter().any(applies),
        _ => false,
    }
}

/// Whether one of the files is named by the command, or is its input.
fn names_one_of(
    command: &Command,
    files: &[String],
    call: &ToolCall,
    view: &View,
    context: &Context,
) -> bool {
    let mut words = command.arguments.iter().map(|word| context.absolute(&word.text, &call.cwd));
    let mut read = view.paths.iter().filter(|path| path.access == Access::Read);
    words.any(|path| files.contains(&path))
        || read.any(|path| crate::view::in_span(path, command) && files.contains(&path.path))
}

/// Whether the line unpacks or clones code from elsewhere, so that what runs after it may be that code.
pub(crate) fn brings_tree(
    view: &View,
    reading: &Reading,
    fetched: &[String],
    call: &ToolCall,
    context: &Context,
) -> bool {
    reading.commands.iter().any(|command| {
        let name = command.program.as_deref().unwrap_or_default();
        let says = |wanted: &str| command.arguments.iter().any(|word| word.text == wanted);
        let unpacks = matches!(
            name,
            "tar" | "bsdtar" | "unzip" | "7z" | "gunzip" | "base64" | "xxd" | "openssl" | "cp" | "mv"
        );
        let from = |word: &Argument| {
            let path = context.absolute(&word.text, &call.cwd);
            fetched.contains(&path) && crate::run_files::executed::runs(&path)
        };
        let archive = matches!(name, "tar" | "bsdtar" | "unzip" | "7z")
            && command.own.meets(Effects::WRITES)
            && view.paths.iter().any(|path| {
                path.access == Access::Read
                    && crate::view::in_span(path, command)
                    && origin::is_elsewhere(&path.path, context, &context.session)
            });
        let remote = |word: &Argument| {
            word.text.split_once(':').is_some_and(|(host, _)| !host.contains('/') && host.len() > 1)
        };
        let fetched_head =
            name == "git" && command.arguments.iter().any(|word| word.text.contains("FETCH_HEAD"));
        fetched_head
            || (matches!(name, "docker" | "podman" | "kubectl") && says("cp"))
            || (name == "npm" && says("pack") && !packs_itself(command))
            || archive
            || (matches!(name, "git" | "gh" | "glab" | "hg" | "fossil") && says("clone"))
            || (name == "svn" && ["checkout", "co", "export"].iter().any(|verb| says(verb)))
            || (name == "gh" && says("download"))
            || (matches!(name, "scp" | "rsync") && command.arguments.iter().any(remote))
            || (unpacks
                && (command.arguments.iter().any(from)
                    || (command.placement == Placement::Piped && reading.commands.iter().any(fetches))))
    })
}

/// Whether the command runs one of the files.
pub(in crate::detect) fn runs_one_of(
    command: &Command,
    files: &[String],
    call: &ToolCall,
    context: &Context,
) -> bool {
    if files.is_empty() {
        return false;
    }
    let known = |text: &str| {
        let path = context.absolute(text, &call.cwd);
        let own = |file: &&String| crate::run_files::executed::runs(file);
        files.iter().filter(own).any(|file| *file == path || path.starts_with(&format!("{file}/")))
    };
    if command.word.contains('/') && known(&command.word) {
        return true;
    }
    // What an interpreter is given to run is run, whatever it is called.
    if let Given::Script(script) = interpreters::given(command)
        && runs_text(command)
        && files.contains(&context.absolute(&script, &call.cwd))
    {
        return true;
    }
    let runs = command.own.meets(Effects::PROJECT_CODE.and(Effects::EXECUTES).and(Effects::UNKNOWN));
    runs && runs_text(command)
        && command.arguments.iter().any(|word| !word.text.starts_with('-') && known(&word.text))
}

/// What local data goes to another machine.
pub(in crate::detect) fn sent(command: &Command, view: &View, reading: &Reading) -> Option<Finding> {
    if !command.own.meets(Effects::SENDS_DATA) || home::stays_home(command) {
        return None;
    }
    let name = command.program.as_deref().unwrap_or_default();
    let mut reads = view.paths.iter().filter(|path| path.access == Access::Read);
    let file = reads.any(|path| crate::view::in_span(path, command));
    let fed = command.placement == Placement::Piped || command.arguments.iter().any(|word| !word.literal);
    let secrets = reading.effects().meets(Effects::SECRETS);
    let finding = |detector| Finding::on(detector, command);
    // Words that are filled in while the line runs may hold anything, also nothing of this machine.
    let filled_in = fed && command.placement != Placement::Piped;
    // Another forge is asked for something.
    let rest = command.own.without(Effects::SENDS_DATA).without(Effects::NETWORK_READ);
    let rest = if filled_in { rest.without(Effects::UNKNOWN) } else { rest };
    let asks = matches!(name, "gh" | "glab") && rest.is_harmless();
    // A script of the project says whom a load is put on.
    let loads = matches!(name, "k6" | "artillery") && command.arguments.iter().all(|word| word.literal);
    // A file may be named by what fills in a word of a question to a forge, as in `git -C app branch`.
    let shown = file && !(asks && filled_in);
    Some(if !shown && !secrets && (asks || filled_in) {
        finding(&detectors::SENDS_LOCAL_DATA).doubtful()
    } else if loads && !secrets && !fed {
        finding(&detectors::LOAD_TEST)
    } else if file || fed || secrets {
        finding(&detectors::SENDS_LOCAL_DATA)
    } else {
        finding(&detectors::CHANGES_REMOTE)
    })
}

/// Whether the command brings somebody else's changes into the project.
pub(crate) fn checks_out_a_stranger(command: &Command) -> bool {
    let says = |wanted: &str| command.arguments.iter().any(|word| word.text == wanted);
    matches!(command.program.as_deref(), Some("gh" | "glab" | "hub" | "tea"))
        && says("checkout")
        && (says("pr") || says("mr"))
}

/// Code of somebody else that is run before anybody has read it.
pub(in crate::detect) fn unseen(reading: &Reading, context: &Context) -> Option<Finding> {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED);
    let brought = reading.commands.iter().position(checks_out_a_stranger);
    let from = brought.or_else(|| (context.session.strange || context.session.stranger).then_some(0))?;
    let runner = reading.commands.iter().skip(from).find(|command| command.own.meets(runs))?;
    Some(Finding::on(&detectors::RUNS_UNREAD_CHANGES, runner))
}

/// `npm pack` without a name packs the project; with one it fetches a package.
fn packs_itself(command: &Command) -> bool {
    command.operands.iter().filter_map(|at| command.arguments.get(*at)).all(|word| word.text == ".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// [R12]
    #[test]
    fn what_is_only_printed_leaves_no_file() {
        for (line, expected) in [
            ("curl -s https://x.test/api/summary", &[][..]),
            ("curl -sSL https://x.test/a.sh", &[]),
            ("curl -sSLO https://x.test/a.sh", &["a.sh"]),
            ("curl --remote-name-all https://x.test/a.sh", &["a.sh"]),
            ("curl -o b.sh https://x.test/a.sh", &["b.sh"]),
            ("curl $OPTIONS https://x.test/a.sh", &["a.sh"]),
            ("wget https://x.test/a.sh", &["a.sh"]),
        ] {
            let call = ToolCall::new("Bash", json!({ "command": line }), "/p");
            let view = View::of(&call, &Context::new("/p", "/home/dev"));
            let reading = view.reading.unwrap();
            let files: Vec<String> = reading.commands.iter().flat_map(fetched_files).collect();
            assert!(expected.iter().all(|name| files.iter().any(|file| file == name)), "{line}: {files:?}");
            assert!(!expected.is_empty() || files.is_empty(), "{line}: {files:?}");
        }
    }
}
