//! Goose: a plugin folder of our own; `on_failure` makes a hook that gives no decision a denial. Not proven here: Goose
//! has no package that a test could install; the form is that of its documentation.

use serde_json::{Map, Value, json};

use super::super::site::Site;
use super::{Agent, Content, SECONDS_FOR_A_CALL, SECONDS_FOR_A_NOTE, Target};

pub(super) const AGENT: Agent = Agent {
    name: "goose",
    title: "Goose",
    programs: &["goose"],
    folder: |site| site.folder(Some("XDG_CONFIG_HOME"), ".config").join("goose"),
    files,
    notes: |_| {
        vec![
            "`on_failure` is set to `block`: a hook that gives no decision denies the call".to_owned(),
            "not proven with the real program; needs Goose 1.38 or newer".to_owned(),
        ]
    },
};

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = site.folder(None, ".agents/plugins/portcullis");
    let folder = site.file(&user, ".agents/plugins/portcullis", None)?;
    let (for_calls, for_notes) = (site.call_command(AGENT.name), site.note_command(AGENT.name));
    let mut hooks = Map::new();
    hooks.insert(
        "PreToolUse".to_owned(),
        json!([{"hooks": [{"type": "command", "command": for_calls, "timeout": SECONDS_FOR_A_CALL, "on_failure": "block"}]}]),
    );
    for event in ["PostToolUse", "UserPromptSubmit", "SessionStart"] {
        let hook = json!({"type": "command", "command": for_notes, "timeout": SECONDS_FOR_A_NOTE});
        hooks.insert(event.to_owned(), json!([{"hooks": [hook]}]));
    }
    let about = json!({
        "name": "portcullis",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Asks the permission gate before every tool call",
    });
    let whole = |name: &str, value: &Value| Target {
        path: folder.join(name),
        content: Content::Whole(format!("{value:#}\n")),
    };
    Ok(vec![whole("plugin.json", &about), whole("hooks/hooks.json", &json!({"hooks": Value::Object(hooks)}))])
}
