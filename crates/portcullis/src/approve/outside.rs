//! The person's own editor, for inputs that are too long for a line.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;

/// Lets the editor change the text; the error says why it could not.
pub(crate) fn edit(state: &Path, text: &str) -> Result<String, String> {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let named = named.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let mut words = named.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let path = state.join(format!("edit-{}.txt", std::process::id()));
    let told = |error: std::io::Error| format!("cannot edit it: {error}");
    let mut options = std::fs::OpenOptions::new();
    // It was somebody's command: nobody else may read it, and nobody may have put another file there.
    drop(std::fs::remove_file(&path));
    let mut file = options.write(true).create_new(true).mode(0o600).open(&path).map_err(told)?;
    file.write_all(text.as_bytes()).map_err(told)?;
    drop(file);
    let ended = Command::new(program).args(words).arg(&path).status();
    let edited = std::fs::read_to_string(&path);
    drop(std::fs::remove_file(&path));
    let status = ended.map_err(|error| format!("cannot start `{program}`: {error}; set EDITOR"))?;
    if !status.success() {
        return Err(format!("`{program}` did not end well; nothing was sent"));
    }
    let edited = edited.map_err(told)?;
    // Editors end a file with a line end that nobody typed.
    let plain = edited.strip_suffix('\n').filter(|_| !text.ends_with('\n')).unwrap_or(&edited).to_owned();
    if plain == text { Err("nothing was changed".to_owned()) } else { Ok(plain) }
}
