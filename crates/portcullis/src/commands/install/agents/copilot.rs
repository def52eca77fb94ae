//! Copilot CLI: a file of our own in its folder of hooks. Events are written in Pascal case: in camel case it does
//! not read the deny form that the other agents share.

use serde_json::{Map, Value, json};

use super::super::site::Site;
use super::{Agent, Content, SECONDS_FOR_A_CALL, SECONDS_FOR_A_NOTE, Target};

pub(super) const AGENT: Agent = Agent {
    name: "copilot",
    title: "Copilot CLI",
    programs: &["copilot"],
    folder: |site| site.folder(Some("COPILOT_HOME"), ".copilot"),
    files,
    notes: |_| {
        vec![
            "a hook that is missing, crashes or is killed denies; one that hangs leaves the call to Copilot, so do not start \
             it with `--allow-all-tools`: the gate grants what it allows"
                .to_owned(),
        ]
    },
};

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("hooks/portcullis.json");
    let path = site.file(&user, ".github/hooks/portcullis.json", None)?;
    let (for_calls, for_notes) = (site.call_command(AGENT.name), site.note_command(AGENT.name));
    let entry =
        |command: &str, seconds: u32| json!([{"type": "command", "bash": command, "timeoutSec": seconds}]);
    let mut hooks = Map::new();
    hooks.insert("PreToolUse".to_owned(), entry(&for_calls, SECONDS_FOR_A_CALL));
    for event in ["PostToolUse", "UserPromptSubmit", "SessionStart"] {
        hooks.insert(event.to_owned(), entry(&for_notes, SECONDS_FOR_A_NOTE));
    }
    let text = format!("{:#}\n", json!({"version": 1, "hooks": Value::Object(hooks)}));
    Ok(vec![Target { path, content: Content::Whole(text) }])
}
