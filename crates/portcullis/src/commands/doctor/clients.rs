//! How each client is told about a model of our own, started without a person, and asked for a shell command; and what
//! was measured of it when its hook fails (`docs/evidence/compatibility.md`).

use serde_json::{Value, json};

use super::model::Script;
use super::sandbox::Sandbox;

/// A client that can be started here.
pub(super) struct Client {
    /// The agent's name.
    pub(super) name: &'static str,
    /// Settings that have to be there before the gate is put in: files below the home, and their texts.
    pub(super) settings: fn(url: &str) -> Vec<(&'static str, String)>,
    /// What stands behind the program's name. It runs everything that its hook does not stop.
    pub(super) arguments: &'static [&'static str],
    /// What makes it start a hook that it was not told to trust; nothing where trust is not asked for.
    pub(super) trusting: Option<&'static str>,
    /// Variables.
    pub(super) variables: fn(&Sandbox, url: &str) -> Vec<(&'static str, String)>,
    /// How it is asked to run a command.
    pub(super) script: fn(command: &str) -> Script,
    /// The file below the home that says how long a hook may take.
    pub(super) hooks: &'static str,
    /// Whether it was measured that a call runs whose hook does not answer in the client's own time.
    pub(super) goes_on_after_timeout: bool,
}

/// The client of an agent; nothing where it cannot be started here.
pub(super) fn of(agent: &str) -> Option<&'static Client> {
    ALL.iter().find(|client| client.name == agent)
}

static ALL: [Client; 6] = [CLAUDE_CODE, CODEX, GEMINI, QWEN, COPILOT, OPENCODE];

const CLAUDE_CODE: Client = Client {
    name: "claude-code",
    settings: |_| Vec::new(),
    arguments: &["-p", "go", "--permission-mode", "bypassPermissions", "--output-format", "json"],
    trusting: None,
    variables: |_, url| {
        let on = [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
            // Without it, it does not start for an administrator in this mode.
            "IS_SANDBOX",
        ];
        let mut variables: Vec<_> = on.iter().map(|name| (*name, "1".to_owned())).collect();
        variables.push(("ANTHROPIC_BASE_URL", url.to_owned()));
        variables.push(("ANTHROPIC_API_KEY", "dummy".to_owned()));
        variables
    },
    script: |command| vec![("Bash", json!({"command": command, "description": "a step of the proof"}))],
    hooks: ".claude/settings.json",
    goes_on_after_timeout: true,
};

const CODEX: Client = Client {
    name: "codex",
    settings: |url| {
        let text = format!(
            "model = \"scripted\"\nmodel_provider = \"loop\"\ncheck_for_update_on_startup = false\n\
             [model_providers.loop]\nname = \"loop\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n\
             env_key = \"LOOP_KEY\"\nsupports_websockets = false\n\
             [analytics]\nenabled = false\n[feedback]\nenabled = false\n[otel]\nexporter = \"none\"\n"
        );
        vec![(".codex/config.toml", text)]
    },
    arguments: &["exec", "--skip-git-repo-check", "--json", "-s", "workspace-write", "go"],
    trusting: Some("--dangerously-bypass-hook-trust"),
    variables: |sandbox, _| {
        let home = sandbox.home().join(".codex").display().to_string();
        vec![("CODEX_HOME", home), ("LOOP_KEY", "dummy".to_owned())]
    },
    script: |command| {
        vec![
            ("exec_command", json!({"cmd": command})),
            ("shell_command", json!({"command": command})),
            ("shell", json!({"command": ["bash", "-c", command]})),
        ]
    },
    hooks: ".codex/hooks.json",
    goes_on_after_timeout: true,
};

const GEMINI: Client = Client {
    name: "gemini",
    settings: |_| vec![(".gemini/settings.json", quiet("gemini-api-key").to_string())],
    arguments: &[
        "-m",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "--output-format",
        "stream-json",
        "-p",
        "go",
    ],
    trusting: None,
    variables: |_, url| {
        vec![
            ("GEMINI_API_KEY", "dummy".to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", url.to_owned()),
            ("GEMINI_TELEMETRY_ENABLED", "false".to_owned()),
            ("GEMINI_CLI_NO_RELAUNCH", "true".to_owned()),
        ]
    },
    script: shell_of_gemini,
    hooks: ".gemini/settings.json",
    goes_on_after_timeout: true,
};

const QWEN: Client = Client {
    name: "qwen",
    settings: |_| vec![(".qwen/settings.json", quiet("openai").to_string())],
    arguments: &["--approval-mode", "yolo", "--output-format", "stream-json", "-p", "go"],
    trusting: None,
    variables: |_, url| {
        vec![
            ("OPENAI_API_KEY", "dummy".to_owned()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("OPENAI_MODEL", "scripted".to_owned()),
        ]
    },
    script: shell_of_gemini,
    hooks: ".qwen/settings.json",
    goes_on_after_timeout: true,
};

const COPILOT: Client = Client {
    name: "copilot",
    settings: |_| Vec::new(),
    arguments: &["-p", "go", "--allow-all-tools"],
    trusting: None,
    variables: |sandbox, url| {
        vec![
            ("COPILOT_HOME", sandbox.home().join(".copilot").display().to_string()),
            ("COPILOT_OFFLINE", "true".to_owned()),
            ("COPILOT_AUTO_UPDATE", "false".to_owned()),
            ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
            ("COPILOT_PROVIDER_API_KEY", "dummy".to_owned()),
            ("COPILOT_MODEL", "scripted".to_owned()),
        ]
    },
    script: |command| vec![("bash", json!({"command": command, "description": "a step of the proof"}))],
    hooks: ".copilot/hooks/portcullis.json",
    goes_on_after_timeout: true,
};

const OPENCODE: Client = Client {
    name: "opencode",
    settings: |url| {
        let provider = json!({
            "npm": "@ai-sdk/openai-compatible", "name": "loop", "models": {"scripted": {"name": "scripted"}},
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "dummy"},
        });
        let settings = json!({
            "model": "loop/scripted", "provider": {"loop": provider}, "share": "disabled", "autoupdate": false,
        });
        vec![(".config/opencode/opencode.json", settings.to_string())]
    },
    arguments: &["run", "--format", "json", "go"],
    trusting: None,
    variables: |_, _| {
        let off = [
            "OPENCODE_DISABLE_AUTOUPDATE",
            "OPENCODE_DISABLE_MODELS_FETCH",
            "OPENCODE_DISABLE_LSP_DOWNLOAD",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        ];
        off.iter().map(|name| (*name, "1".to_owned())).collect()
    },
    script: |command| vec![("bash", json!({"command": command, "description": "a step of the proof"}))],
    hooks: ".config/opencode/plugin/portcullis.js",
    goes_on_after_timeout: false,
};

/// Settings that Gemini CLI and its relatives share: nothing is reported, updated or asked about.
fn quiet(key: &str) -> Value {
    json!({
        "security": {"auth": {"selectedType": key}, "folderTrust": {"enabled": false}},
        "general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false}, "tools": {"toolSearch": {"enabled": false}},
    })
}

fn shell_of_gemini(command: &str) -> Script {
    let input = json!({"command": command, "description": "a step of the proof", "is_background": false});
    vec![("run_shell_command", input)]
}
