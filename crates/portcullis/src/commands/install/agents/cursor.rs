//! Cursor: `hooks.json` with flat entries; `failClosed` makes a hook that fails a denial. Not proven here: Cursor has
//! no package that a test could install; the form is that of its documentation.

use serde_json::{Value, json};

use super::super::hooks_json::{HookEntries, Setting, When};
use super::super::site::Site;
use super::{Agent, Content, SECONDS_FOR_A_CALL, SECONDS_FOR_A_NOTE, Target};

pub(super) const AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    programs: &["cursor", "cursor-agent"],
    folder: |site| site.folder(None, ".cursor"),
    files,
    notes: |_| {
        vec![
            "`failClosed` is set: a hook that crashes, hangs or says nothing denies the call".to_owned(),
            "not proven with the real program; restart Cursor and look under Settings > Hooks".to_owned(),
        ]
    },
};

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("hooks.json");
    let managed = ("/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json");
    let (for_calls, for_notes) = (site.call_command(AGENT.name), site.note_command(AGENT.name));
    let asked = |event: &'static str| -> (&'static str, Value) {
        (event, json!({"command": for_calls, "timeout": SECONDS_FOR_A_CALL, "failClosed": true}))
    };
    let told = |event: &'static str| -> (&'static str, Value) {
        (event, json!({"command": for_notes, "timeout": SECONDS_FOR_A_NOTE}))
    };
    let mut entries = vec![asked("preToolUse"), asked("subagentStart")];
    entries.extend(["postToolUse", "beforeSubmitPrompt", "sessionStart", "subagentStop"].map(told));
    let settings = vec![Setting { path: &["version"], value: json!(1), when: When::Missing }];
    let hooks = HookEntries { agent: AGENT.name, entries, settings };
    let path = site.file(&user, ".cursor/hooks.json", Some(managed))?;
    Ok(vec![Target { path, content: Content::Hooks(hooks) }])
}
