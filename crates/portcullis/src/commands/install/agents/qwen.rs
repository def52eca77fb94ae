//! Qwen Code: hooks in `settings.json`. New versions count a timeout in seconds and still take large numbers for
//! milliseconds; old ones know only milliseconds. So milliseconds mean the same to all of them.

use serde_json::json;

use super::super::hooks_json::{HookEntries, Setting, When};
use super::super::site::Site;
use super::{Agent, Content, Target, grouped};

pub(super) const AGENT: Agent = Agent {
    name: "qwen",
    title: "Qwen Code",
    programs: &["qwen"],
    folder: |site| site.folder(None, ".qwen"),
    files,
    notes: |_| {
        vec!["a hook that is missing, crashes or is killed denies; after its timeout it goes on".to_owned()]
    },
};

const ASKED: [&str; 2] = ["PreToolUse", "PermissionRequest"];
const TOLD: [&str; 6] = [
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SessionStart",
    "SubagentStart",
    "SubagentStop",
];

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("settings.json");
    let managed = ("/etc/qwen-code/settings.json", "/Library/Application Support/QwenCode/settings.json");
    let entries = grouped(site, AGENT.name, &ASKED, &TOLD, true);
    let settings = vec![Setting { path: &["disableAllHooks"], value: json!(false), when: When::There }];
    let hooks = HookEntries { agent: AGENT.name, entries, settings };
    let path = site.file(&user, ".qwen/settings.json", Some(managed))?;
    Ok(vec![Target { path, content: Content::Hooks(hooks) }])
}
