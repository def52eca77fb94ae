//! Claude Code: hooks in `settings.json`. It goes on when a hook does not answer in time, unless it runs in `dontAsk` and
//! the hook grants.

use serde_json::json;

use super::super::hooks_json::{HookEntries, Setting, When};
use super::super::site::Site;
use super::{Agent, Content, Target, grouped};

pub(super) const AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    programs: &["claude"],
    folder: |site| site.folder(Some("CLAUDE_CONFIG_DIR"), ".claude"),
    files,
    notes,
};

const ASKED: [&str; 2] = ["PreToolUse", "PermissionRequest"];
const TOLD: [&str; 7] = [
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionDenied",
    "UserPromptSubmit",
    "SessionStart",
    "SubagentStart",
    "SubagentStop",
];

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("settings.json");
    let managed = (
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    );
    let mut settings = vec![Setting { path: &["disableAllHooks"], value: json!(false), when: When::There }];
    if site.strict {
        settings.push(Setting {
            path: &["permissions", "defaultMode"],
            value: json!("dontAsk"),
            when: When::Stricter,
        });
    }
    let entries = grouped(site, AGENT.name, &ASKED, &TOLD, false);
    let hooks = HookEntries { agent: AGENT.name, entries, settings };
    let path = site.file(&user, ".claude/settings.json", Some(managed))?;
    Ok(vec![Target { path, content: Content::Hooks(hooks) }])
}

fn notes(site: &Site) -> Vec<String> {
    vec![if site.strict {
        "it runs in `dontAsk`: what the gate does not grant is denied, also when the gate cannot answer"
            .to_owned()
    } else {
        "a hook that is missing, crashes or is killed denies; after its timeout it goes on: `--strict` sets \
         `permissions.defaultMode` to `dontAsk`, so that only what the gate grants is done"
            .to_owned()
    }]
}
