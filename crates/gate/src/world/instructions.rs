//! Files of the project that are addressed to the agent (SPEC C9): shown to a judging model as untrusted text.

use std::path::Path;

use portcullis_classify::request::ProjectFile;
use portcullis_decide::Context;

use crate::files::{self, Content};

/// Names of such files, at the top of the project.
const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/// The project's files addressed to agents, such as `CLAUDE.md` and `AGENTS.md`; those that cannot be read are left
/// out.
#[must_use]
pub fn project_instructions(context: &Context) -> Vec<ProjectFile> {
    let Some(root) = context.roots.first() else { return Vec::new() };
    let read = |name: &&str| {
        let Content::Bytes(bytes) = files::read(&Path::new(root).join(name)) else { return None };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(ProjectFile { path: (*name).to_owned(), text: portcullis_classify::redact(&text).into_owned() })
    };
    NAMES.iter().filter_map(read).collect()
}
