//! The processes of a session, as they are seen from outside.

use std::path::Path;

use super::wire::Process;

/// Every process in a process namespace, which is named as links in `/proc` name it.
pub(super) fn running(wanted: &Path) -> Vec<Process> {
    let space = |number: &str| std::fs::read_link(format!("/proc/{number}/ns/pid")).ok();
    let status = |number: &str| std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(outside) = number.parse::<i32>() else { continue };
        let text = status(&number);
        let inside =
            field(&text, "NSpid:").and_then(|numbers| numbers.split_whitespace().last()?.parse().ok());
        let same = space(&number).is_some_and(|space| space == wanted);
        if let (true, Some(inside)) = (same, inside) {
            found.push(Process { outside, inside, seconds: age(&number), command: command(&number, &text) });
        }
    }
    found.sort_by_key(|process| process.inside);
    found
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

fn command(number: &str, status: &str) -> String {
    let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&line).replace('\0', " ");
    let words = words.trim();
    if words.is_empty() { field(status, "Name:").unwrap_or("?").to_owned() } else { words.to_owned() }
}

/// How long it has run; the folder of a process is made with it.
fn age(number: &str) -> u64 {
    let made = std::fs::metadata(format!("/proc/{number}")).and_then(|folder| folder.modified());
    made.ok().and_then(|made| made.elapsed().ok()).map_or(0, |age| age.as_secs())
}
