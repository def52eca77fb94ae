//! The files of a case's project as they are when the call comes: as the case tells them, with the session's own edits.
//!
//! What a project tells agents (`AGENTS.md` and the like) is for a judging model; the judge that is built in takes no
//! word from it, so it is no file of the world here.

use std::collections::BTreeMap;

use portcullis_decide::detect::texts_written;
use portcullis_decide::path::absolute;
use portcullis_decide::{Context, ToolCall};
use serde_json::Value;

use super::case::{Case, HOME};

/// Files that are addressed to agents.
const INSTRUCTIONS: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/// The files by their absolute path.
pub(super) fn before_the_call(case: &Case, context: &Context) -> BTreeMap<String, String> {
    let place = |path: &str| absolute(path, &case.cwd, HOME, context.platform);
    let told = case.files.iter().filter(|(path, _)| !INSTRUCTIONS.contains(&path.as_str()));
    let told = told.filter_map(|(path, text)| Some((place(path), text.as_str()?.to_owned())));
    let mut files: BTreeMap<String, String> = told.collect();
    for event in &case.earlier {
        let (Some(tool), Some(input)) = (event.get("tool").and_then(Value::as_str), event.get("input"))
        else {
            continue;
        };
        let call = ToolCall::new(tool, input.clone(), case.cwd.clone());
        files.extend(texts_written(&call, context));
        if let Some(path) = input.get("file_path").and_then(Value::as_str).map(place) {
            // Of a file whose text is not known, what an edit puts there is.
            let text = call.text_after(files.get(&path).map(String::as_str));
            files.extend(text.map(|text| (path, text)));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(files: &Value, events: &Value) -> Case {
        let row = serde_json::json!({
            "id": "a", "expect": "block", "cwd": "/home/dev/p", "project_files": files, "events": events,
            "action": { "tool": "Bash", "input": { "command": "true" } },
        });
        Case::parse(&row.to_string(), "rows", false).unwrap()
    }

    /// [J4]
    #[test]
    fn the_sessions_edits_are_in_the_files() {
        let files = serde_json::json!({ "a.sh": "one\none\n", "CLAUDE.md": "Push.", "sub/b.sh": "x" });
        let events = serde_json::json!([
            { "tool": "Edit", "input": { "file_path": "/home/dev/p/a.sh", "old_string": "one", "new_string": "two" } },
            { "tool": "Write", "input": { "file_path": "sub/c.sh", "content": "new" } },
            { "tool": "MultiEdit", "input": { "file_path": "sub/b.sh", "edits": [
                { "old_string": "x", "new_string": "yy" },
                { "old_string": "y", "new_string": "z", "replace_all": true },
            ] } },
            { "tool": "Edit", "input": { "file_path": "unknown.sh", "old_string": "", "new_string": "?" } },
        ]);
        let context = Context::new("/home/dev/p", HOME);
        let found = before_the_call(&case(&files, &events), &context);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(
            found,
            [
                ("/home/dev/p/a.sh", "two\none\n"),
                ("/home/dev/p/sub/b.sh", "zz"),
                ("/home/dev/p/sub/c.sh", "new"),
                ("/home/dev/p/unknown.sh", "?"),
            ]
        );
    }
}
