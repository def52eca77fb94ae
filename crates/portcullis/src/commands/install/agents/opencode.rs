//! `OpenCode`: a plugin that asks the gate before every tool and throws unless the answer is a clear yes.

use serde_json::json;

use super::super::site::Site;
use super::{Agent, Content, Target};

pub(super) const AGENT: Agent = Agent {
    name: "opencode",
    title: "OpenCode",
    programs: &["opencode"],
    folder: |site| site.folder(Some("XDG_CONFIG_HOME"), ".config").join("opencode"),
    files,
    notes: |_| vec!["the plugin refuses the call whenever the gate gives no clear yes".to_owned()],
};

const PLUGIN: &str = include_str!("opencode_plugin.js");

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let user = (AGENT.folder)(site).join("plugin/portcullis.js");
    let path = site.file(&user, ".opencode/plugin/portcullis.js", None)?;
    // A JSON string is a JavaScript string.
    let text = PLUGIN.replace("\"@PROGRAM@\"", &json!(site.program()).to_string());
    Ok(vec![Target { path, content: Content::Whole(text) }])
}
