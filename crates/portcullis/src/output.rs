//! The only place that prints: colour for terminals, plain text for pipes.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use portcullis_classify::{redact, redact_json};
use portcullis_gate::settings::{Loaded, Severity};
use serde_json::Value;

/// Errors, usage errors included, end with this code.
pub(crate) const ERROR: u8 = 3;

/// Headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// What leaves no trace.
pub(crate) const CALM: Style = AnsiColor::Green.on_default();
/// What changes something.
pub(crate) const WARM: Style = AnsiColor::Yellow.on_default();
/// What cannot be told.
pub(crate) const LOUD: Style = AnsiColor::Red.on_default().bold();
/// What is only an aside.
pub(crate) const DIM: Style = Style::new().dimmed();

/// Writes text to standard output. A reader that went away ends the program quietly.
pub(crate) fn print(text: &str) -> ExitCode {
    let mut stream = anstream::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write the answer: {error}")),
    }
}

/// Writes part of a longer text; breaks off, with the code to end with, where nobody reads any more.
pub(crate) fn print_more(text: &str) -> ControlFlow<ExitCode> {
    let mut stream = anstream::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(ExitCode::SUCCESS),
        Err(error) => ControlFlow::Break(fail(&format!("cannot write the answer: {error}"))),
    }
}

/// Lets `write` put data for programs on standard output, as it is.
pub(crate) fn plain<T>(write: impl FnOnce(&mut dyn Write) -> Result<T, String>) -> Result<T, String> {
    write(&mut io::BufWriter::new(io::stdout().lock()))
}

/// One JSON value and a line end. What would hide text on a screen is written as an escape.
pub(crate) fn json_line(value: &Value) -> String {
    let mut text = String::new();
    for character in value.to_string().chars() {
        if portcullis_shell::hides_text(character) || (character.is_control() && character != '\n') {
            // Such a character can only stand in a string, where this is another spelling of it.
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                text.extend([format!("\\u{unit:04x}")]);
            }
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

/// Writes one JSON value and a line end, at once.
pub(crate) fn print_json(value: &Value) -> ExitCode {
    let text = json_line(value);
    let mut stream = io::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write the answer: {error}")),
    }
}

/// Writes what was found about a call, without the credentials that may stand in it (C18).
pub(crate) fn print_call(text: &str) -> ExitCode {
    print(&redact(text))
}

/// The same as JSON.
pub(crate) fn print_call_json(value: &Value) -> ExitCode {
    print_json(&redact_json(value))
}

/// Says what is wrong with the settings, and whether something in them is broken.
pub(crate) fn problems(loaded: &Loaded) -> bool {
    let mut stream = anstream::stderr().lock();
    for problem in &loaded.problems {
        let style = match problem.severity {
            Severity::Error => LOUD,
            Severity::Warning => WARM,
            Severity::Note => DIM,
        };
        let name = problem.severity.name();
        drop(writeln!(stream, "{style}{name}:{style:#} {}", visible(&problem.to_string())));
    }
    loaded.has_errors()
}

/// Shows how far a long run is, in place of what was shown before; an empty text only takes that away. Nothing where
/// nobody looks, or the terminal cannot go back to the beginning of a line.
pub(crate) fn status(text: &str) {
    if let Some(columns) = columns() {
        let mut stream = io::stderr().lock();
        drop(stream.write_all(status_line(text, columns).as_bytes()).and_then(|()| stream.flush()));
    }
}

/// How wide the terminal is that errors go to; nothing where there is none that can show a line again.
pub(crate) fn columns() -> Option<usize> {
    use std::io::IsTerminal;
    /// As wide as terminals are that do not say.
    const USUAL: usize = 80;
    let term = std::env::var_os("TERM").filter(|term| !term.is_empty() && term != "dumb");
    if term.is_none() || !io::stderr().is_terminal() {
        return None;
    }
    let told = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
    Some(if told == 0 { USUAL } else { told })
}

/// How wide a table may be: as wide as the terminal it goes to, or as it likes.
pub(crate) fn room() -> usize {
    let told = rustix::termios::tcgetwinsize(io::stdout()).map_or(0, |size| usize::from(size.ws_col));
    if told == 0 { usize::MAX } else { told }
}

/// The line from its beginning, one column short of the edge, where terminals begin another. Blanks take away what was
/// there before, for they need no escapes.
fn status_line(text: &str, columns: usize) -> String {
    use unicode_width::UnicodeWidthChar;
    let mut room = columns.saturating_sub(1);
    let mut line = String::from("\r");
    for character in visible(text).replace('\n', " ").chars() {
        let width = character.width().unwrap_or(0);
        if width > room {
            break;
        }
        room -= width;
        line.push(character);
    }
    line.push_str(&" ".repeat(room));
    if text.is_empty() {
        line.push('\r');
    }
    line
}

/// Says what went wrong and what to do. What stands in it may come from anywhere.
pub(crate) fn fail(message: &str) -> ExitCode {
    let mut stream = anstream::stderr().lock();
    // Nothing is left to do where not even the message can be written.
    drop(writeln!(stream, "{LOUD}error:{LOUD:#} {}", visible(message)));
    ExitCode::from(ERROR)
}

/// Asks a person yes or no; nothing where no person sits at the terminal.
pub(crate) fn agreed(question: &str) -> Option<bool> {
    use std::io::IsTerminal;
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut stream = anstream::stderr().lock();
    write!(stream, "{STRONG}{question}{STRONG:#} [y/N] ").and_then(|()| stream.flush()).ok()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).ok()?;
    Some(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Shows help on request, and usage errors with the code for errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let asked = !error.use_stderr();
    let harmless = |word: std::ffi::OsString| word.to_str().is_some_and(|word| visible(word) == word);
    if asked || std::env::args_os().all(harmless) {
        drop(error.print());
    } else {
        // A word would work on the terminal, and cannot be told from the colours of the message: then rather none.
        let plain = visible(&error.render().to_string());
        drop(anstream::stderr().lock().write_all(plain.as_bytes()));
    }
    if asked { ExitCode::SUCCESS } else { ExitCode::from(ERROR) }
}

/// Text with every character that a terminal would act on shown as an escape.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if portcullis_shell::hides_text(character) || (character.is_control() && character != '\n') {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The same for what must stay on its line: a field that could end it could also write the next one.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}

/// Adds to a text that is being put together.
pub(crate) fn append(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.push_str(&part.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_fills_the_line_but_for_its_last_column() {
        assert_eq!(status_line("ab", 6), "\rab   ");
        assert_eq!(status_line("abcdef", 6), "\rabcde");
        assert_eq!(status_line("", 4), "\r   \r");
        // Two columns each.
        assert_eq!(status_line("日本語", 6), "\r日本 ");
        assert_eq!(status_line("a\nb\u{1b}", 20), format!("\ra b\\u{{1b}}{}", " ".repeat(10)));
        assert_eq!(status_line("a", 0), "\r");
    }
}
