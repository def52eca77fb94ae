//! The only place that prints: colour for terminals, plain text for pipes.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

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

/// Shows how far a long run is, in place of what was shown before.
pub(crate) fn status(text: &str) {
    let mut stream = anstream::stderr().lock();
    drop(write!(stream, "\r\x1b[K{text}").and_then(|()| stream.flush()));
}

/// Says what went wrong and what to do.
pub(crate) fn fail(message: &str) -> ExitCode {
    let mut stream = anstream::stderr().lock();
    // Nothing is left to do where not even the message can be written.
    drop(writeln!(stream, "{LOUD}error:{LOUD:#} {message}"));
    ExitCode::from(ERROR)
}

/// Shows help on request, and usage errors with the code for errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let asked = !error.use_stderr();
    drop(error.print());
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
