//! Codex: `hooks.json`, and trust in it in `config.toml`. A hook that is not trusted is passed over without a word.

use super::super::hooks_json::HookEntries;
use super::super::site::{Scope, Site};
use super::{Agent, Content, Target, grouped};

pub(super) const AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
    programs: &["codex"],
    folder: |site| site.folder(Some("CODEX_HOME"), ".codex"),
    files,
    notes,
};

const ASKED: [&str; 2] = ["PreToolUse", "PermissionRequest"];
const TOLD: [&str; 5] = ["PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart", "SubagentStop"];

fn files(site: &Site) -> Result<Vec<Target>, String> {
    let folder = (AGENT.folder)(site);
    let entries = grouped(site, AGENT.name, &ASKED, &TOLD, false);
    let hooks = HookEntries { agent: AGENT.name, entries, settings: Vec::new() };
    let managed = ("/etc/codex/hooks.json", "/etc/codex/hooks.json");
    let path = site.file(&folder.join("hooks.json"), ".codex/hooks.json", Some(managed))?;
    let mut targets = vec![Target { path, content: Content::Hooks(hooks) }];
    // The administrator's hooks need no trust; a project's are trusted in the user's own file, as Codex does it.
    if site.scope != Scope::Managed {
        targets.push(Target { path: folder.join("config.toml"), content: Content::CodexTrust });
    }
    Ok(targets)
}

fn notes(site: &Site) -> Vec<String> {
    let moved = "Codex passes over a hook that it does not trust, without a word: after moving or editing entries in \
                 `hooks.json`, run `portcullis install codex` again, or trust them with `/hooks` in Codex";
    let mut notes = match site.scope {
        Scope::Managed => Vec::new(),
        Scope::User | Scope::Project => vec![moved.to_owned()],
    };
    if site.scope == Scope::Project {
        notes.push("Codex reads a project's hooks only where the project itself is trusted, and trust in the hooks is \
                    this user's alone"
            .to_owned());
    }
    notes.push("a hook that is missing, crashes or is killed denies; after its timeout it goes on, inside its own sandbox".to_owned());
    notes
}
