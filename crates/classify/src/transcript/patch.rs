//! Patches in the form that Codex and `OpenCode` apply, as the edits they make.

use serde_json::{Value, json};

use super::tools::quoted;

/// The edits of a patch; nothing if it is not one, or holds a line that is not understood.
pub(super) fn calls(text: &str) -> Option<Vec<(&'static str, Value)>> {
    let mut lines = text.trim().lines();
    if lines.next()?.trim() != "*** Begin Patch" {
        return None;
    }
    let mut files: Vec<File> = Vec::new();
    for line in lines {
        if line.trim() == "*** End Patch" || line.trim() == "*** End of File" {
            continue;
        }
        match line.strip_prefix("*** ").and_then(|head| head.split_once(": ")) {
            Some(("Add File", path)) => files.push(File::new(Kind::Add, path)),
            Some(("Update File", path)) => files.push(File::new(Kind::Update, path)),
            Some(("Delete File", path)) => files.push(File::new(Kind::Delete, path)),
            Some(("Move to", path)) => files.last_mut()?.moved = Some(path.to_owned()),
            Some(_) => return None,
            None => files.last_mut()?.line(line)?,
        }
    }
    (!files.is_empty()).then(|| files.into_iter().flat_map(File::calls).collect())
}

enum Kind {
    Add,
    Update,
    Delete,
}

struct File {
    kind: Kind,
    path: String,
    moved: Option<String>,
    /// What was there, and what is there now; one pair for each place.
    places: Vec<(String, String)>,
}

impl File {
    fn new(kind: Kind, path: &str) -> File {
        File { kind, path: path.trim().to_owned(), moved: None, places: Vec::new() }
    }

    fn line(&mut self, line: &str) -> Option<()> {
        if line.starts_with("@@") {
            self.places.push((String::new(), String::new()));
            return Some(());
        }
        if self.places.is_empty() {
            self.places.push((String::new(), String::new()));
        }
        let (old, new) = self.places.last_mut()?;
        let (sign, text) = match line.split_at_checked(1) {
            Some((sign, text)) => (sign, text),
            None => (" ", ""),
        };
        match sign {
            "+" => add(new, text),
            "-" => add(old, text),
            " " => {
                add(old, text);
                add(new, text);
            }
            _ => return None,
        }
        Some(())
    }

    fn calls(self) -> Vec<(&'static str, Value)> {
        let path = self.path;
        let mut calls = match self.kind {
            Kind::Add => {
                let content: String = self.places.iter().map(|(_, new)| new.as_str()).collect();
                vec![("Write", json!({ "file_path": path, "content": content }))]
            }
            Kind::Delete => vec![("Bash", json!({ "command": format!("rm -- {}", quoted(&path)) }))],
            Kind::Update => {
                let trimmed = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
                let edits: Vec<Value> = self
                    .places
                    .iter()
                    .map(|(old, new)| json!({ "old_string": trimmed(old), "new_string": trimmed(new) }))
                    .collect();
                vec![("MultiEdit", json!({ "file_path": path, "edits": edits }))]
            }
        };
        if let Some(moved) = self.moved {
            let command = format!("mv -- {} {}", quoted(&path), quoted(moved.trim()));
            calls.push(("Bash", json!({ "command": command })));
        }
        calls
    }
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
