//! Words that are computed in the line and go to another machine: where they come from says whether anything of this
//! machine is in them.

pub(in crate::harm) mod assigned;

use assigned::{is_set_once, sets_otherwise};
use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Why};

use crate::harm::reach::connections;
use crate::view::{Access, View};

/// Programs that ask a service about things by their number or name.
const ASKS: &[&str] = &["gh", "glab", "npm", "pnpm"];

/// Whether the command only asks a service, with words that the service itself or git's own names gave: the service has
/// them already, or gets them with any push.
pub(in crate::harm) fn is_asked_back(command: &Command, view: &View, reading: &Reading) -> bool {
    if connections::asks_database(command, view, reading) || connections::asks_cluster(command, view, reading)
    {
        return true;
    }
    let asks = command.program.as_deref().is_some_and(|name| ASKS.contains(&name));
    asks && only_asks(command, reading)
        && !carries(command)
        && !goes_elsewhere(command, view)
        && !asks_variables(command)
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
pub(in crate::harm) fn is_plain_request(command: &Command, view: &View, reading: &Reading) -> bool {
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
        && !takes_file_in(view)
        && lists_are_public(view, reading)
        && !reading.effects().meets(Effects::SECRETS)
        && tells
}

/// Whether nothing but a question is seen in it. A word that could turn into an option is no more than doubtful here.
pub(in crate::harm) fn only_asks(command: &Command, reading: &Reading) -> bool {
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
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    let lists_requests = (words.next(), words.next()) == (Some("pr"), Some("list"));
    let sends = |word: &Argument| {
        let name = word.text.split('=').next().unwrap_or_default();
        let long =
            ["--field", "--raw-field", "--input", "--form", "--header", "--hostname", "--body", "--registry"];
        long.contains(&name)
            || (word.text.starts_with('-')
                && !word.text.starts_with("--")
                && word.text.get(1..2).is_some_and(|letter| {
                    // The head of a request to merge; of a bare call, a header.
                    matches!(letter, "f" | "F" | "b") || (letter == "H" && !lists_requests)
                }))
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
    let sends = |text: &str| text.starts_with('-') && text.contains(['d', 'F', 'T', 'X', 'K', '*']);
    !sends(&word.text) && !word.choices.iter().any(|choice| sends(choice))
}

/// Variables that only say how an answer looks.
const LOOKS: &[&str] = &[
    "NO_COLOR",
    "CLICOLOR",
    "TERM",
    "LANG",
    "LC_ALL",
    "GH_PAGER",
    "PAGER",
    "GH_NO_UPDATE_NOTIFIER",
    "GH_PROMPT_DISABLED",
];

/// Whether it may be another service than the usual one that is asked: by a variable, an address, or a repository with a
/// host before it.
fn goes_elsewhere(command: &Command, view: &View) -> bool {
    const HOSTS: &[&str] =
        &["gh_host", "gh_repo", "gh_config", "gh_enterprise", "gitlab_", "gl_host", "npm_config", "_proxy"];
    const USUAL: &[&str] = &["https://github.com/", "https://api.github.com/", "https://gitlab.com/"];
    let line = view.line.to_ascii_lowercase();
    let foreign = |text: &str| {
        if text.contains("://") || text.starts_with("//") {
            return !USUAL.iter().any(|usual| text.starts_with(usual));
        }
        let value = text.strip_prefix("-R").unwrap_or(text);
        let value = value.strip_prefix("--repo").unwrap_or(value).trim_start_matches('=');
        let host = value.split('/').next().unwrap_or_default();
        let named = host.contains('.') && !host.starts_with('.') && host != "github.com";
        (named && value.matches('/').count() > 1) || value.contains('@')
    };
    let set = |(name, _): &(String, Argument)| !LOOKS.contains(&name.as_str());
    command.assignments.iter().any(set)
        || HOSTS.iter().any(|name| line.contains(name))
        || command
            .arguments
            .iter()
            .any(|word| foreign(&word.text) || word.choices.iter().any(|choice| foreign(choice)))
}

/// `glab api projects/1/variables`: the values of what the builds of a project keep secret.
fn asks_variables(command: &Command) -> bool {
    let names = |text: &str| text.split(['/', '?']).any(|part| part == "variables");
    command.program.as_deref() == Some("glab")
        && command
            .arguments
            .iter()
            .any(|word| names(&word.text) || word.choices.iter().any(|choice| names(choice)))
}

/// Whether the shell itself opens a file for reading: what is in it may be in any word behind.
pub(in crate::harm) fn takes_file_in(view: &View) -> bool {
    let dense: String = view.line.chars().filter(|it| !it.is_whitespace()).collect();
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    read.any(|path| !path.path.starts_with("/dev/")) || dense.contains("$(<") || dense.contains("`<")
}

/// Whether what a loop reads, line by line, holds nothing private of this machine.
fn lists_are_public(view: &View, reading: &Reading) -> bool {
    let mut all = reading.commands.iter().enumerate();
    all.all(|(at, command)| {
        let reads = matches!(command.program.as_deref(), Some("read" | "mapfile" | "readarray"));
        let before = crate::harm::origins::origin::pipeline(&reading.commands, at);
        !reads || before.iter().filter(|other| other.span != command.span).all(|other| is_public(other, view))
    })
}

/// Whether the value of the word comes from the service or from git.
pub(in crate::harm) fn is_given_back(word: &Argument, view: &View, reading: &Reading) -> bool {
    if !word.choices.is_empty() {
        return true;
    }
    let text = word.span.of(&view.line);
    // Names of files, put behind it by a pattern, are this machine's.
    let around = match (text.find("$("), text.rfind(')')) {
        (Some(open), Some(close)) => {
            [text.get(..open).unwrap_or_default(), text.get(close..).unwrap_or_default()]
        }
        _ => [text, ""],
    };
    let pattern = around.iter().any(|part| part.contains(['*', '[']));
    if pattern || takes_file_in(view) || text.contains("$((") {
        return false;
    }
    let within = |command: &&Command| crate::reads::within(command.span, word.span);
    let mut own = reading.commands.iter().filter(within).peekable();
    if own.peek().is_some() {
        return own.all(|command| gives_names(command, view)) && variables(text).is_empty();
    }
    // Another variable of the line could be a part of what is in this one.
    let names = variables(&view.line);
    let mut inside = reading.commands.iter().filter(|command| is_inside(command, reading));
    !variables(text).is_empty()
        && !sets_otherwise(reading)
        && names.iter().all(|name| !name.is_empty() && is_set_once(name, view, reading))
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
    let pipeline = at.map_or(&[][..], |at| crate::harm::origins::origin::pipeline(&reading.commands, at));
    pipeline.first().is_some_and(|first| first.placement == Placement::Substitution)
}

/// Whether the command prints names and numbers of commits, branches, requests and runs.
fn gives_names(command: &Command, view: &View) -> bool {
    if reads_file(command, view) || !command.arguments.iter().all(|word| word.literal) {
        return false;
    }
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    match command.program.as_deref() {
        Some("git") => names_commits(command),
        Some("gh" | "glab") => {
            command.own.without(Effects::NETWORK_READ).is_harmless()
                && !goes_elsewhere(command, view)
                && tells_numbers(command)
        }
        Some("kubectl" | "oc") => connections::tells_names(command),
        // It can print the environment, and text of its own.
        Some("jq") => {
            command.placement == Placement::Piped
                && words.all(|word| {
                    if word.starts_with('-') {
                        matches!(word, "-r" | "-c" | "-e" | "-rc" | "-re")
                    } else {
                        is_plain_query(word)
                    }
                })
        }
        Some("head" | "tail" | "cut" | "tr" | "sort" | "uniq") => command.placement == Placement::Piped,
        _ => false,
    }
}

/// Whether git is told to print names and hashes alone: no paths, messages or changes.
fn names_commits(command: &Command) -> bool {
    const PICKS: &[&str] = &[
        "-n",
        "--max-count",
        "--reverse",
        "--count",
        "--all",
        "--first-parent",
        "--no-merges",
        "--merges",
        "--since",
        "--until",
        "--author",
        "--grep",
        "--",
    ];
    const TURNS: &[&str] =
        &["--short", "--verify", "--abbrev-ref", "--symbolic-full-name", "-q", "--quiet", "--"];
    const DESCRIBES: &[&str] =
        &["--tags", "--always", "--abbrev", "--long", "--all", "--exact-match", "--match", "--first-parent"];
    let texts: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let Some(verb) = command.verbs.first() else { return false };
    let (before, behind) = texts.split_at(*verb);
    let name = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
    let options = || behind.iter().filter(|word| word.starts_with('-'));
    let only = |known: &[&str]| options().all(|word| known.contains(&name(word).as_str()));
    let number = |word: &str| {
        let digits = word.trim_start_matches("-n").trim_start_matches('-');
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let hash = |word: &str| {
        matches!(
            word.strip_prefix("--format=").or_else(|| word.strip_prefix("--pretty=")),
            Some("%H" | "%h" | "format:%H" | "format:%h")
        )
    };
    let picks = |word: &&&str| number(word) || PICKS.contains(&name(word).as_str());
    let plain = before.iter().all(|word| !word.starts_with('-') || matches!(*word, "-C" | "--no-pager"));
    plain
        && match behind.first().copied() {
            Some("rev-parse") => only(TURNS),
            Some("describe") => only(DESCRIBES),
            Some("merge-base") => only(&["--fork-point", "--octopus", "--all"]),
            Some("symbolic-ref") => only(&["--short", "-q", "--quiet"]),
            Some("branch") => behind == ["branch", "--show-current"],
            Some("rev-list") => options().all(|word| picks(&word)),
            Some("log") => {
                options().any(|word| hash(word)) && options().all(|word| hash(word) || picks(&word))
            }
            _ => false,
        }
}

/// Whether a query only picks from what comes in: it adds no text, and does not ask for the environment.
fn is_plain_query(query: &str) -> bool {
    let compared = query.replace("==", "").replace("!=", "");
    let plain = |it: char| it.is_ascii_alphanumeric() || "_.[]|() \"-".contains(it);
    compared.chars().all(plain) && !query.contains("env") && !query.contains("input")
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
    let once = words().filter(|word| matches!(*word, "-q" | "--jq")).count() < 2;
    // Written together with its name, or as a form to fill in, a query is not looked at.
    let glued = |word: &str| {
        let short = word.starts_with('-') && !word.starts_with("--") && word != "-q";
        (short && word.contains(['q', 't'])) || word.starts_with("--jq=") || word.starts_with("--templ")
    };
    let safe = |list: &str| list.split(',').all(|field| FIELDS.contains(&field));
    let last = |query: &str| query.rsplit('.').next().is_some_and(|field| FIELDS.contains(&field));
    let plain = picked.is_none_or(|(_, query)| is_plain_query(query));
    once && plain
        && !words().any(glued)
        && (asked.is_some_and(|(_, list)| safe(list)) || picked.is_some_and(|(_, query)| last(query)))
}

/// Whether what the command prints holds nothing private of this machine.
fn is_public(command: &Command, view: &View) -> bool {
    const NAMES: &[&str] = &[
        "git", "gh", "glab", "curl", "wget", "jq", "date", "seq", "head", "tail", "cut", "tr", "sort",
        "uniq", "echo", "printf", "npm", "grep", "sed", "awk",
    ];
    // What git keeps: settings, and what is in files.
    const KEPT: &[&str] = &[
        "config",
        "show",
        "diff",
        "cat-file",
        "remote",
        "blame",
        "grep",
        "stash",
        "archive",
        "format-patch",
        "-p",
        "-u",
        "--patch",
        "--patch-with-stat",
    ];
    let says = |known: &[&str]| command.arguments.iter().any(|word| known.contains(&word.text.as_str()));
    let name = command.program.as_deref().unwrap_or_default();
    let tells = match name {
        "git" => !says(KEPT),
        "node" => asks_own_name(command),
        name => NAMES.contains(&name),
    };
    tells && !reads_file(command, view)
}

/// `node -p "require('./package.json').version"`
fn asks_own_name(command: &Command) -> bool {
    command.arguments.iter().all(|word| {
        matches!(word.text.as_str(), "-p" | "-e" | "-pe")
            || (word.literal
                && word.text.starts_with("require(")
                && word.text.contains("package.json")
                && !word.text.contains(['+', ',', ';', '[', '`'])
                && word.text.matches('(').count() == 1)
    })
}

fn reads_file(command: &Command, view: &View) -> bool {
    let mut read =
        view.paths.iter().filter(|path| path.access == Access::Read && path.span != Some(command.span));
    read.any(|path| path.span.is_some() && crate::reads::in_span(path, command))
}
