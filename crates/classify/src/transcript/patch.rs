//! Patches in the form that Codex and `OpenCode` apply, as the edits they make.

use serde_json::{Value, json};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The edits of a patch; nothing if it is not one, or holds a line that is not understood.
pub(super) fn calls(text: &str) -> Option<Vec<(&'static str, Value)>> {
    let mut lines = text.trim().lines();
    if lines.next()?.trim() != BEGIN {
        return None;
    }
    let mut files: Vec<File> = Vec::new();
    for line in lines {
        if line.trim() == END || line.trim() == "*** End of File" {
            continue;
        }
        match header(line) {
            Head::None => files.last_mut()?.line(line)?,
            Head::Of("Add File", path) => files.push(File::new(Kind::Add, path)),
            Head::Of("Update File", path) => files.push(File::new(Kind::Update, path)),
            Head::Of("Delete File", path) => files.push(File::new(Kind::Delete, path)),
            Head::Of("Move to", path) => files.last_mut()?.moved = Some(path.to_owned()),
            Head::Of(..) | Head::Unclear => return None,
        }
    }
    (!files.is_empty()).then(|| files.into_iter().flat_map(File::calls).collect())
}

/// What a line is to those who apply patches.
enum Head<'l> {
    /// A line of a file.
    None,
    /// What is done, and to which path.
    Of(&'l str, &'l str),
    /// One takes it for a head and another for something else: with blanks before it, or a second colon.
    Unclear,
}

fn header(line: &str) -> Head<'_> {
    const HEADS: &[&str] = &["Add File", "Update File", "Delete File", "Move to"];
    let head = line.trim_start().strip_prefix("***").and_then(|head| head.split_once(':'));
    let Some((what, path)) = head else { return Head::None };
    let drive = matches!(path.trim().as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let colons = path.matches(':').count();
    if line.starts_with("*** ") && path.starts_with(' ') && colons == usize::from(drive) {
        Head::Of(what.trim_start(), path.trim())
    } else if HEADS.contains(&what.trim()) || line.starts_with("***") {
        Head::Unclear
    } else {
        Head::None
    }
}

/// A patch that a command line applies.
pub(super) struct Applied {
    /// Whether the line does nothing else.
    pub(super) whole: bool,
    /// The folder it goes to first.
    pub(super) folder: Option<String>,
    /// The edits.
    pub(super) edits: Vec<(&'static str, Value)>,
}

/// The patches that a command line applies; nothing if there is none that can be read.
pub(super) fn of_command(command: &str) -> Option<Applied> {
    if !command.contains("apply_patch") && !command.contains("applypatch") {
        return None;
    }
    if let Some(applied) = whole(command) {
        return Some(applied);
    }
    let mut edits = Vec::new();
    let mut rest = command;
    while let Some((_, from)) = rest.split_once(BEGIN) {
        let (inside, after) = from.split_once(END)?;
        edits.extend(calls(&format!("{BEGIN}{inside}{END}"))?);
        rest = after;
    }
    (!edits.is_empty()).then_some(Applied { whole: false, folder: None, edits })
}

/// `[cd FOLDER && ]apply_patch <<'WORD'`, the patch, `WORD`, and nothing else: what Codex takes for a call of its own
/// tool. In a here-document without quotes the shell would still replace things.
fn whole(command: &str) -> Option<Applied> {
    let (head, body) = command.trim().split_once('\n')?;
    let (folder, head) = match head.split_once("&&") {
        Some((cd, head)) => (Some(plain_word(cd.trim().strip_prefix("cd ")?.trim())?), head.trim()),
        None => (None, head.trim()),
    };
    let (program, word) = head.split_once("<<")?;
    if !matches!(program.trim(), "apply_patch" | "applypatch") {
        return None;
    }
    let word = word.trim();
    let bare = ['\'', '"'].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
    let quoted = bare.is_some();
    let end = plain_word(bare.unwrap_or(word))?;
    let (patch, last) = body.rsplit_once('\n')?;
    let replaced = !quoted && patch.contains(['$', '`', '\\']);
    if last != end || patch.lines().any(|line| line == end) || replaced {
        return None;
    }
    Some(Applied { whole: true, folder, edits: calls(patch)? })
}

/// A word in which a shell changes nothing.
fn plain_word(word: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    (!word.is_empty() && !word.starts_with('-') && word.chars().all(plain)).then(|| word.to_owned())
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
        match self.kind {
            // Only these lines are the file's; any other may be the head of something else.
            Kind::Add if !line.starts_with('+') => return line.trim().is_empty().then_some(()),
            Kind::Delete => return line.trim().is_empty().then_some(()),
            Kind::Add | Kind::Update => {}
        }
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

/// A word as a shell reads it back.
pub(super) fn quoted(word: &str) -> String {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'=' | b',' | b'+' | b'@' | b'%')
    };
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
