//! Variables and options that point a whole tool at another machine, at production, or at another model.

use portcullis_shell::{Argument, Command};

use crate::detect::{Finding, detectors as list, routine::tasks};
use crate::view::View;

/// Verbs of a composition that change what runs.
const CHANGES: &[&str] = words!("up down stop rm restart kill start create run exec pause push deploy scale");

/// Beginnings of names of variables that agents and the gate obey.
const OWN: &[&str] =
    &["PORTCULLIS_", "CLAUDE_CODE_", "CLAUDE_CONFIG", "CODEX_HOME", "GEMINI_CLI_", "OPENCODE_"];

/// Beginnings of names of variables for the model that answers an agent: it sees everything, and decides what to do.
const ANSWERS: &[&str] =
    words!("ANTHROPIC_ OPENAI_ GEMINI_ GOOGLE_GEMINI_ AZURE_OPENAI_ MISTRAL_ OPENROUTER_ CLAUDE_");

/// What the variables and options of the command redirect.
pub(in crate::detect) fn of_command(command: &Command, view: &View) -> Option<Finding> {
    let set = variables(command);
    own(command, &set).or_else(|| composed(command, &set, view)).or_else(|| tunnelled(command))
}

/// `npx expo start --tunnel`, `python -m pyftpdlib`: what is here can be reached from elsewhere.
fn tunnelled(command: &Command) -> Option<Finding> {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let expo = command.program.as_deref() == Some("expo") || words().any(|word| word == "expo");
    let tunnel = words().any(|word| matches!(word, "--tunnel" | "--tunnel=true" | "--host=tunnel"))
        || words().zip(words().skip(1)).any(|pair| pair == ("--host", "tunnel"));
    let serves = words().any(|word| word.ends_with("pyftpdlib") || word.ends_with("uploadserver"));
    let python =
        command.program.as_deref().is_some_and(|name| name.starts_with("python") || name.starts_with("uv"));
    if expo && tunnel {
        Some(Finding::on(&list::TUNNEL, command).doubtful())
    } else {
        (serves && python).then(|| Finding::on(&list::FILE_SERVER, command))
    }
}

/// The variables that the command runs with or exports.
fn variables(command: &Command) -> Vec<(String, String)> {
    let assigned = command.assignments.iter().map(|(name, value)| (name.clone(), value.text.clone()));
    let exports =
        matches!(command.program.as_deref(), Some("export" | "declare" | "typeset" | "env" | "setx" | "set"));
    let words = command.arguments.iter().filter(|_| exports).filter_map(|word: &Argument| {
        let (name, value) = word.text.split_once('=')?;
        let plain = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        plain.then(|| (name.to_owned(), value.to_owned()))
    });
    assigned.chain(words).collect()
}

/// `export PORTCULLIS_DISABLE=1`, `codex mcp add x -- npx y`
fn own(command: &Command, set: &[(String, String)]) -> Option<Finding> {
    let gate =
        set.iter().any(|(name, _)| OWN.iter().any(|start| name.to_ascii_uppercase().starts_with(start)));
    if gate {
        return Some(Finding::on(&list::AGENT_ENVIRONMENT, command));
    }
    let address = |value: &str| value.contains("://") && !crate::web::is_loopback(value);
    let answers = set.iter().any(|(name, value)| {
        let upper = name.to_ascii_uppercase();
        let place = ["_URL", "_BASE", "_ENDPOINT", "_HOST", "_PROXY"].iter().any(|end| upper.ends_with(end));
        ANSWERS.iter().any(|start| upper.starts_with(start)) && place && address(value)
    });
    if answers {
        return Some(Finding::on(&list::MODEL_ENDPOINT, command));
    }
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let agent = matches!(
        command.program.as_deref(),
        Some(
            "claude"
                | "codex"
                | "gemini"
                | "qwen"
                | "copilot"
                | "opencode"
                | "goose"
                | "cursor-agent"
                | "cursor"
                | "code"
                | "amp"
                | "droid"
        )
    );
    let adds = words().any(|word| {
        matches!(word, "add" | "add-json" | "add-from-claude-desktop" | "enable" | "install" | "link")
    });
    let tools = words().any(|word| matches!(word, "mcp" | "extensions" | "extension" | "plugin" | "hooks"))
        || words().any(|word| word == "--add-mcp");
    if agent && tools && (adds || words().any(|word| word == "--add-mcp")) {
        return Some(Finding::on(&list::ADD_AGENT_TOOLS, command));
    }
    None
}

/// Variables that say what a composition is made of.
const COMPOSE_VARIABLES: &[&str] =
    &["COMPOSE_FILE", "COMPOSE_PROFILES", "COMPOSE_PROJECT_NAME", "COMPOSE_ENV_FILES"];

/// Whether the engine at this address is another machine's; without a scheme it is one of the network.
fn away(value: &str) -> bool {
    let near = ["unix://", "npipe://", "fd://", "/"].iter().any(|start| value.starts_with(start));
    let address = if value.contains("://") { value.to_owned() } else { format!("tcp://{value}") };
    !value.is_empty() && !near && !crate::web::is_loopback(&address)
}

/// The values that the line gives a variable, wherever it does.
fn set_in<'l>(line: &'l str, name: &str) -> impl Iterator<Item = &'l str> {
    let rests = line.match_indices(name).filter_map(|(at, _)| line.get(at + name.len()..)?.strip_prefix('='));
    let values = rests.filter_map(|rest| {
        rest.trim_start_matches(['"', '\'']).split([' ', '"', '\'', ';', '&', '\n']).next()
    });
    values.collect::<Vec<_>>().into_iter()
}

/// The values of options: `-f a`, `--file=a`, `-fa`.
fn values<'w>(words: &[&'w str], names: &[&str]) -> impl Iterator<Item = &'w str> {
    let next = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(name, _)| names.contains(name))
        .map(|(_, value)| *value);
    let glued = words.iter().filter_map(|word| {
        names.iter().find_map(|name| {
            let rest = word.strip_prefix(name)?;
            if name.starts_with("--") {
                rest.strip_prefix('=')
            } else {
                Some(rest).filter(|rest| !rest.is_empty())
            }
        })
    });
    next.chain(glued).collect::<Vec<_>>().into_iter()
}

/// `DOCKER_HOST=ssh://prod docker compose down`, `docker compose -f docker-compose.prod.yml up -d`
fn composed(command: &Command, set: &[(String, String)], view: &View) -> Option<Finding> {
    let program = command.program.as_deref()?;
    let docker = matches!(program, "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose");
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    if !docker || !words.iter().any(|word| CHANGES.contains(word) || *word == "compose") {
        return None;
    }
    let changes = words.iter().any(|word| CHANGES.contains(word));
    let hosts = set
        .iter()
        .filter(|(name, _)| name == "DOCKER_HOST" || name == "CONTAINER_HOST")
        .map(|(_, value)| value.as_str());
    // What comes before the verb is for the engine itself.
    let engine: Vec<&str> =
        words.iter().copied().take_while(|word| !CHANGES.contains(word) && *word != "compose").collect();
    let mut far = hosts.chain(values(&engine, &["-H", "--host"]));
    // The line may have set it before, for all that follows.
    let exported = || set_in(&view.line, "DOCKER_HOST").any(away);
    if changes && (far.any(away) || exported()) {
        return Some(Finding::on(&list::REMOTE_DOCKER, command));
    }
    let names = |text: &str| {
        tasks::words(text).iter().any(|word| matches!(word.as_str(), "prod" | "production" | "live"))
    };
    let files = values(&words, &["-f", "--file", "--env-file", "--profile", "-p", "--project-name"])
        .chain(values(&engine, &["--context", "-c"]));
    let listed = set
        .iter()
        .filter(|(name, _)| COMPOSE_VARIABLES.contains(&name.as_str()))
        .map(|(_, value)| value.as_str());
    let exported = COMPOSE_VARIABLES.iter().flat_map(|name| set_in(&view.line, name));
    let runs = words.iter().any(|word| CHANGES.contains(word) && *word != "create" && *word != "push");
    let production = runs && files.chain(listed).chain(exported).any(names);
    production.then(|| Finding::on(&list::COMPOSE_PRODUCTION, command))
}
