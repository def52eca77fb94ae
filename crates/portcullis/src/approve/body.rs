//! What a person is told about one request: lines of marked text, the same for the screen and for plain lines.
//! Whatever would hide or move text is shown as an escape (S3).

use super::queue::{Mark, Waiting};

/// How a piece of text is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    Plain,
    Strong,
    /// A part of the command that the question is about.
    Risky,
    Dim,
}

/// A piece of a line.
pub(crate) type Piece = (String, Tone);
/// A line, as long as it may be.
pub(crate) type Row = Vec<Piece>;

/// Which characters the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Letters {
    All,
    Ascii,
}

impl Letters {
    /// By the locale of the environment.
    pub(crate) fn of_environment() -> Letters {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let name = value.unwrap_or_default().to_ascii_lowercase();
        if name.contains("utf-8") || name.contains("utf8") { Letters::All } else { Letters::Ascii }
    }

    /// Text with nothing in it that a terminal would act on or cannot show.
    pub(crate) fn shown(self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        for character in text.chars() {
            self.push(&mut shown, character);
        }
        shown
    }

    fn push(self, shown: &mut String, character: char) {
        let hides = portcullis_shell::hides_text(character) || character.is_control();
        if hides || (self == Letters::Ascii && !character.is_ascii()) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
}

/// The text with its marked parts, line by line.
pub(crate) fn marked(text: &str, marks: &[Mark], letters: Letters) -> Vec<Row> {
    let mut rows = vec![Row::new()];
    for (at, character) in text.char_indices() {
        if character == '\n' {
            rows.push(Row::new());
            continue;
        }
        let risky = marks.iter().any(|mark| (mark.start..mark.end).contains(&at));
        let tone = if risky { Tone::Risky } else { Tone::Plain };
        let Some(row) = rows.last_mut() else { continue };
        match row.last_mut() {
            Some((piece, known)) if *known == tone => letters.push(piece, character),
            _ => {
                let mut piece = String::new();
                letters.push(&mut piece, character);
                row.push((piece, tone));
            }
        }
    }
    rows
}

/// All about a request, the command first.
pub(crate) fn rows(item: &Waiting, now: u64, letters: Letters) -> Vec<Row> {
    let mut rows = vec![heading(item, letters)];
    rows.extend(call(item, letters));
    let mut say = |text: String, tone: Tone| rows.push(vec![(letters.shown(&text), tone)]);
    say(String::new(), Tone::Plain);
    say(format!("Why it is asked: {}", item.message), Tone::Plain);
    for mark in &item.marks {
        match item.subject().and_then(|(_, text)| text.get(mark.start..mark.end)) {
            Some(part) if !part.is_empty() => say(format!("  `{part}`: {}", mark.why), Tone::Plain),
            Some(_) | None => say(format!("  {}", mark.why), Tone::Plain),
        }
    }
    match item.suggestions.first() {
        Some(rule) => say(format!("Always would write `{rule}` to {}", item.files.user), Tone::Plain),
        None => say("No rule is proposed; for always, type one.".to_owned(), Tone::Plain),
    }
    let (waited, left) = (now.saturating_sub(item.since), item.deadline.saturating_sub(now));
    say(format!("It waits for {} and is denied in {}.", length(waited), length(left)), Tone::Plain);
    if item.refused > 0 {
        say(format!("Calls like it were refused here before: {}.", item.refused), Tone::Plain);
    }
    say(format!("in {} (session {}, mode {})", item.cwd, item.session, item.mode), Tone::Dim);
    say("How it was decided:".to_owned(), Tone::Dim);
    for (step, outcome) in &item.trace {
        say(format!("  {step}: {outcome}"), Tone::Dim);
    }
    rows
}

fn heading(item: &Waiting, letters: Letters) -> Row {
    let worker = item.worker.as_ref().map(|worker| format!(" (sub-agent {worker})")).unwrap_or_default();
    let who = format!(" by {}{worker}", item.agent);
    vec![
        (letters.shown(&format!("{} {}", item.id, item.tool)), Tone::Strong),
        (letters.shown(&who), Tone::Dim),
    ]
}

/// Every field of the call, the one that it is about first.
fn call(item: &Waiting, letters: Letters) -> Vec<Row> {
    let mut rows = Vec::new();
    let subject = item.subject();
    if let Some((name, text)) = subject {
        let marks: &[Mark] = if name == "command" { &item.marks } else { &[] };
        rows.extend(marked(text, marks, letters).into_iter().map(indented));
        let lines = text.matches('\n').count() + 1;
        if lines > 1 {
            rows.push(vec![(format!("({lines} lines)"), Tone::Dim)]);
        }
    }
    for (name, value) in item.input.iter().filter(|(name, _)| subject.is_none_or(|(known, _)| known != *name))
    {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut parts = marked(&text, &[], letters);
        if let ([row], true) = (parts.as_mut_slice(), text.len() < 60) {
            row.insert(0, (letters.shown(&format!("{name}: ")), Tone::Dim));
            rows.append(&mut parts);
        } else {
            rows.push(vec![(letters.shown(&format!("{name}:")), Tone::Dim)]);
            rows.extend(parts.into_iter().map(indented));
        }
    }
    rows
}

fn indented(mut row: Row) -> Row {
    row.insert(0, ("  ".to_owned(), Tone::Plain));
    row
}

/// A time span for people.
pub(crate) fn length(millis: u64) -> String {
    let seconds = millis / 1000;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::tests::item;
    use super::*;
    use serde_json::json;

    fn text(rows: &[Row]) -> String {
        let line = |row: &Row| row.iter().map(|(text, _)| text.as_str()).collect::<String>();
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// [S3]
    #[test]
    fn what_hides_text_is_shown_as_an_escape_inside_its_mark() {
        let command = "git push\u{202e}x\r\u{1b}[2J\nü";
        let marks = [Mark { start: 4, end: 12, why: String::new() }];
        let rows = marked(command, &marks, Letters::Ascii);
        assert_eq!(text(&rows), "git push\\u{202e}x\\u{d}\\u{1b}[2J\n\\u{fc}");
        let risky: Vec<&str> = rows
            .iter()
            .flatten()
            .filter(|(_, tone)| *tone == Tone::Risky)
            .map(|(text, _)| text.as_str())
            .collect();
        assert_eq!(risky, ["push\\u{202e}x"]);
        assert_eq!(text(&marked("ü", &[], Letters::All)), "ü");
    }

    /// [S3], [T4]
    #[test]
    fn nothing_that_is_told_can_hide_anything() {
        let mut call = item("a-1", "x");
        let evil = "\u{1b}[2J\u{202e}\u{200b}";
        call.input.insert(evil.to_owned(), json!({ "deep": evil }));
        call.message = evil.to_owned();
        call.cwd = evil.to_owned();
        call.agent = evil.to_owned();
        call.worker = Some(evil.to_owned());
        call.trace = vec![(evil.to_owned(), evil.to_owned())];
        call.suggestions = vec![evil.to_owned()];
        for mark in &mut call.marks {
            mark.why = evil.to_owned();
            mark.end = 999;
        }
        let told = text(&rows(&call, 2_000_000, Letters::All));
        assert!(!told.chars().any(|it| it != '\n' && (it.is_control() || portcullis_shell::hides_text(it))));
        assert!(told.contains("\\u{202e}"));
    }

    #[test]
    fn a_request_is_told_in_full() {
        let told = text(&rows(&item("a-1", "git push origin main"), 1_065_000, Letters::All));
        for part in [
            "a-1 Bash by claude-code",
            "  git push origin main",
            "Why it is asked: no rule covers `git push`",
            "  `git push`: External writes nobody asked for",
            "Always would write `Bash(git push)` to /home/dev/.config/portcullis/settings.json",
            "It waits for 1 min 5 s and is denied in 7 min 55 s.",
            "F1 deny rules: none",
        ] {
            assert!(told.contains(part), "{part} in\n{told}");
        }
    }
}
