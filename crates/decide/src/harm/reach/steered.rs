//! Variables and options that steer a whole tool: at another machine, at production, or at whoever answers an agent.

use portcullis_shell::{Argument, Command};

use crate::harm::{Category, Finding, ordinary::tasks};
use crate::view::View;

/// Verbs of a composition that change what runs.
const CHANGES: &[&str] = &[
    "up", "down", "stop", "rm", "restart", "kill", "start", "create", "run", "exec", "pause", "push",
    "deploy", "scale",
];

/// Beginnings of names of variables that agents and the gate obey.
const OWN: &[&str] =
    &["PORTCULLIS_", "CLAUDE_CODE_", "CLAUDE_CONFIG", "CODEX_HOME", "GEMINI_CLI_", "OPENCODE_"];

/// Whoever answers an agent is told everything, and tells it what to do.
const ANSWERS: &[&str] = &[
    "ANTHROPIC_",
    "OPENAI_",
    "GEMINI_",
    "GOOGLE_GEMINI_",
    "AZURE_OPENAI_",
    "MISTRAL_",
    "OPENROUTER_",
    "CLAUDE_",
];

/// What the variables and options of the command steer.
pub(in crate::harm) fn of_command(command: &Command, view: &View) -> Option<Finding> {
    let set = variables(command);
    own(command, &set).or_else(|| composed(command, &set, view)).or_else(|| tunnelled(command))
}

/// `npx expo start --tunnel`: what runs here can be reached from everywhere.
fn tunnelled(command: &Command) -> Option<Finding> {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let expo = command.program.as_deref() == Some("expo") || words().any(|word| word == "expo");
    let tunnel = words().any(|word| matches!(word, "--tunnel" | "--host=tunnel"))
        || words().zip(words().skip(1)).any(|pair| pair == ("--host", "tunnel"));
    let serves = words().any(|word| word.ends_with("pyftpdlib") || word.ends_with("uploadserver"));
    let python =
        command.program.as_deref().is_some_and(|name| name.starts_with("python") || name.starts_with("uv"));
    ((expo && tunnel) || (serves && python)).then(|| {
        Finding::of(command, Category::ExposeService, "what runs here can be reached from elsewhere")
            .doubtful()
    })
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
    let about = |what: &str| Some(Finding::of(command, Category::SelfModification, what).doubtful());
    let gate =
        set.iter().any(|(name, _)| OWN.iter().any(|start| name.to_ascii_uppercase().starts_with(start)));
    if gate {
        return about("it sets what an agent or the gate obeys");
    }
    let address = |value: &str| value.contains("://") && !crate::web::is_loopback(value);
    let answers = set.iter().any(|(name, value)| {
        let upper = name.to_ascii_uppercase();
        let place = ["_URL", "_BASE", "_ENDPOINT", "_HOST", "_PROXY"].iter().any(|end| upper.ends_with(end));
        ANSWERS.iter().any(|start| upper.starts_with(start)) && place && address(value)
    });
    if answers {
        return about("it changes who answers an agent");
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
        return about("it gives an agent further tools");
    }
    None
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
    let away = |value: &str| {
        let near = ["unix://", "npipe://", "fd://"].iter().any(|start| value.starts_with(start));
        value.contains("://") && !near && !crate::web::is_loopback(value)
    };
    let hosts = set
        .iter()
        .filter(|(name, _)| name == "DOCKER_HOST" || name == "CONTAINER_HOST")
        .map(|(_, value)| value.as_str());
    let options = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(name, _)| matches!(**name, "-H" | "--host" | "--context" | "-c"));
    let told =
        options.map(|(_, value)| *value).chain(words.iter().filter_map(|word| word.strip_prefix("--host=")));
    let mut far = hosts.chain(told);
    let about = |category, what: &str| Some(Finding::of(command, category, what).doubtful());
    if changes && far.any(away) {
        return about(Category::SharedResource, "it changes what runs on another machine");
    }
    // The line may have set it before, for all that follows.
    let exported = view.line.split("DOCKER_HOST=").skip(1).any(|rest| {
        let value = rest
            .trim_start_matches(['"', '\''])
            .split([' ', '"', '\'', ';', '&', '\n'])
            .next()
            .unwrap_or_default();
        away(value)
    });
    if changes && exported {
        return about(Category::SharedResource, "it changes what runs on another machine");
    }
    let names = |text: &str| {
        tasks::words(text).iter().any(|word| matches!(word.as_str(), "prod" | "production" | "live"))
    };
    let files = words.iter().zip(words.iter().skip(1)).filter(|(name, _)| {
        matches!(**name, "-f" | "--file" | "--env-file" | "--profile" | "-p" | "--project-name")
    });
    let files =
        files.map(|(_, value)| *value).chain(words.iter().filter_map(|word| word.strip_prefix("--file=")));
    let listed = set
        .iter()
        .filter(|(name, _)| name == "COMPOSE_FILE" || name == "COMPOSE_PROFILES")
        .map(|(_, value)| value.as_str());
    let runs = words.iter().any(|word| CHANGES.contains(word) && *word != "create" && *word != "push");
    if runs && files.chain(listed).any(names) {
        return about(
            Category::ProductionDeploy,
            "it changes what runs in production, by the name of its file",
        );
    }
    None
}
