//! Words that are computed in the line and go to another machine: where they come from says whether anything of this
//! machine is in them.

use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Why};

use crate::view::{Access, View};

/// Programs that ask a service about things by their number or name.
const ASKS: &[&str] = &["gh", "glab", "npm", "pnpm"];

/// Whether the command only asks a service, with words that the service itself or git's own names gave: the service has
/// them already, or gets them with any push.
pub(super) fn is_asked_back(command: &Command, view: &View, reading: &Reading) -> bool {
    let asks = command.program.as_deref().is_some_and(|name| ASKS.contains(&name));
    asks && only_asks(command, reading)
        && !carries(command)
        && command.placement != Placement::Piped
        && !is_open_endpoint(command)
        && command
            .arguments
            .iter()
            .filter(|word| !word.literal)
            .all(|word| is_given_back(word, view, reading))
}

/// `gh api $x`: what is asked is not known at all.
fn is_open_endpoint(command: &Command) -> bool {
    let api = command.arguments.first().is_some_and(|word| word.text == "api");
    api && command.arguments.iter().any(|word| !word.literal && word.text.starts_with('*'))
}

/// Whether the command is a plain request whose address has an unknown part, in a line that takes nothing of this machine
/// up: not surely harm.
pub(super) fn is_plain_request(command: &Command, view: &View, reading: &Reading) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let fetches = matches!(name, "curl" | "wget") && command.arguments.iter().all(asks_only);
    let operand = |at: usize| command.operands.contains(&at);
    let in_address = command.arguments.iter().enumerate().all(|(at, word)| word.literal || operand(at));
    let asks = ASKS.contains(&name) && !carries(command);
    let tells =
        reading.commands.iter().filter(|other| is_inside(other, reading)).all(|other| is_public(other, view));
    only_asks(command, reading)
        && ((fetches && in_address) || asks)
        && command.placement != Placement::Piped
        && !reading.effects().meets(Effects::SECRETS)
        && tells
}

/// Whether nothing but a question is seen in it. A word that could turn into an option is no more than doubtful here.
fn only_asks(command: &Command, reading: &Reading) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let first = command.arguments.first().map(|word| word.text.as_str());
    if matches!(name, "npm" | "pnpm") {
        return matches!(first, Some("view" | "info" | "show"));
    }
    let mut doubts = reading.unclear.iter().filter(|doubt| crate::reads::within(doubt.span, command.span));
    let only_words = doubts.all(|doubt| doubt.why == Why::MaybeOption);
    let mut beyond = command.own.without(Effects::NETWORK_READ).without(Effects::SENDS_DATA);
    if only_words {
        beyond = beyond.without(Effects::UNKNOWN);
    }
    if matches!(name, "curl" | "wget") {
        beyond = beyond.without(Effects::NETWORK_WRITE).without(Effects::WRITES);
    }
    beyond.is_harmless()
}

/// Whether an option sends more than a question.
fn carries(command: &Command) -> bool {
    let sends = |word: &Argument| {
        let name = word.text.split('=').next().unwrap_or_default();
        let long =
            ["--field", "--raw-field", "--input", "--form", "--header", "--hostname", "--body", "--registry"];
        long.contains(&name)
            || (word.text.starts_with('-')
                && !word.text.starts_with("--")
                && word.text.get(1..2).is_some_and(|letter| matches!(letter, "f" | "F" | "H" | "b")))
    };
    command.arguments.iter().any(sends)
}

/// Whether a word of curl or wget is no option that sends something or names a method.
fn asks_only(word: &Argument) -> bool {
    let long =
        ["--data", "--form", "--upload", "--json", "--request", "--post", "--body", "--method", "--config"];
    if word.text.starts_with("--") {
        return !long.iter().any(|start| word.text.starts_with(start));
    }
    !word.text.starts_with('-') || !word.text.contains(['d', 'F', 'T', 'X', 'K', '*'])
}

/// Whether the value of the word comes from the service or from git.
fn is_given_back(word: &Argument, view: &View, reading: &Reading) -> bool {
    if !word.choices.is_empty() {
        return true;
    }
    let text = word.span.of(&view.line);
    let within = |command: &&Command| crate::reads::within(command.span, word.span);
    let mut own = reading.commands.iter().filter(within).peekable();
    if own.peek().is_some() {
        return own.all(|command| gives_names(command, view)) && variables(text).is_empty();
    }
    let names = variables(text);
    let substituted = |name: &String| {
        [format!("{name}=$("), format!("{name}=\"$(")].iter().any(|start| view.line.contains(start.as_str()))
    };
    let mut inside = reading.commands.iter().filter(|command| is_inside(command, reading));
    !names.is_empty()
        && names.iter().all(|name| !name.is_empty() && substituted(name))
        && view.line.matches('=').count() >= names.len()
        && inside.all(|command| gives_names(command, view))
}

/// The names of the variables in the text; an empty one for what is no plain variable.
fn variables(text: &str) -> Vec<String> {
    let parts = text.split('$').skip(1).filter(|rest| !rest.starts_with('('));
    parts
        .map(|rest| {
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            rest.chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect()
        })
        .collect()
}

/// Whether the command stands in a substitution, or in a pipeline of one.
fn is_inside(command: &Command, reading: &Reading) -> bool {
    if command.placement != Placement::Piped {
        return command.placement == Placement::Substitution;
    }
    let at = reading.commands.iter().position(|other| std::ptr::eq(other, command));
    let pipeline = at.map_or(&[][..], |at| super::origin::pipeline(&reading.commands, at));
    pipeline.first().is_some_and(|first| first.placement == Placement::Substitution)
}

/// Whether the command prints names and numbers of commits, branches, requests and runs.
fn gives_names(command: &Command, view: &View) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let says = |wanted: &str| words().any(|word| word == wanted);
    if reads_file(command, view) || !command.arguments.iter().all(|word| word.literal) {
        return false;
    }
    match command.program.as_deref() {
        Some("git") => {
            let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
            match verb.map(|word| word.text.as_str()) {
                Some("rev-parse" | "merge-base" | "rev-list" | "describe" | "symbolic-ref") => true,
                Some("branch") => says("--show-current"),
                Some("log") => words().any(|word| {
                    word.split_once('=')
                        .is_some_and(|(_, format)| matches!(format, "%H" | "%h" | "format:%H" | "format:%h"))
                }),
                _ => false,
            }
        }
        Some("gh" | "glab") => {
            command.own.without(Effects::NETWORK_READ).is_harmless() && tells_numbers(command)
        }
        Some("jq" | "head" | "tail" | "cut" | "tr" | "sort" | "uniq") => {
            command.placement == Placement::Piped
        }
        _ => false,
    }
}

/// Whether the command is told to print numbers and hashes alone: titles and names are chosen by others, and could turn
/// into options.
fn tells_numbers(command: &Command) -> bool {
    const FIELDS: &[&str] = &[
        "number",
        "databaseId",
        "id",
        "oid",
        "sha",
        "headRefOid",
        "headSha",
        "mergeCommit",
        "check_suite_id",
    ];
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let mut pairs = words().zip(words().skip(1));
    let asked = pairs.clone().find(|(name, _)| *name == "--json");
    let picked = pairs.find(|(name, _)| matches!(*name, "-q" | "--jq"));
    let safe = |list: &str| list.split(',').all(|field| FIELDS.contains(&field));
    let last = |query: &str| query.rsplit('.').next().is_some_and(|field| FIELDS.contains(&field));
    asked.is_some_and(|(_, list)| safe(list)) || picked.is_some_and(|(_, query)| last(query))
}

/// Whether what the command prints holds nothing private of this machine.
fn is_public(command: &Command, view: &View) -> bool {
    const NAMES: &[&str] = &[
        "git", "gh", "glab", "curl", "wget", "jq", "date", "seq", "head", "tail", "cut", "tr", "sort",
        "uniq", "node", "echo", "printf", "npm", "grep", "sed", "awk",
    ];
    !reads_file(command, view)
        && command.program.as_deref().is_some_and(|name| NAMES.contains(&name))
        && !(command.program.as_deref() == Some("git")
            && command
                .arguments
                .iter()
                .any(|word| matches!(word.text.as_str(), "config" | "show" | "diff" | "cat-file" | "remote")))
}

fn reads_file(command: &Command, view: &View) -> bool {
    let mut read =
        view.paths.iter().filter(|path| path.access == Access::Read && path.span != Some(command.span));
    read.any(|path| path.span.is_some() && crate::reads::in_span(path, command))
}
