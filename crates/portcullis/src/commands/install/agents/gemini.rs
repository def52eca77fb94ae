//! Gemini CLI: hooks in `settings.json`, time in milliseconds.

use serde_json::json;

use super::super::hooks_json::{HookEntries, Setting, When};
use super::super::site::Site;
use super::{Agent, Content, Target, grouped};

pub(super) const AGENT: Agent = Agent {
    name: "gemini",
    title: "Gemini CLI",
    programs: &["gemini"],
    folder: |site| site.folder(None, ".gemini"),
    files,
    notes: |_| {
        vec!["a hook that is missing, crashes or is killed denies; after its timeout it goes on".to_owned()]
    },
};

const ASKED: [&str; 1] = ["BeforeTool"];
const TOLD: [&str; 3] = ["AfterTool", "BeforeAgent", "SessionStart"];

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("settings.json");
    let managed = ("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json");
    let entries = grouped(site, AGENT.name, &ASKED, &TOLD, true);
    let settings =
        vec![Setting { path: &["hooksConfig", "enabled"], value: json!(true), when: When::Always }];
    let hooks = HookEntries { agent: AGENT.name, entries, settings };
    let path = site.file(&user, ".gemini/settings.json", Some(managed))?;
    Ok(vec![Target { path, content: Content::Hooks(hooks) }])
}
