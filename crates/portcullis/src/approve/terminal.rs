//! The terminal: taken over while the approver shows, and given back however it ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, Frame};
use tokio::signal::unix::{SignalKind, signal};

use super::keys::Key;

/// How often it is looked whether the terminal is still there.
const LOOK: Duration = Duration::from_secs(1);
/// How long the program has to end by itself.
const LAST: Duration = Duration::from_millis(500);

/// What came from the terminal.
pub(crate) enum Heard {
    Key(Key),
    Nothing,
    /// The program is to end.
    Stop,
}

/// The screen and the keys.
pub(crate) struct Terminal {
    screen: DefaultTerminal,
    stopped: Arc<AtomicBool>,
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn told(error: io::Error) -> String {
    format!("cannot use the terminal: {error}; try `portcullis approve --plain`")
}

impl Terminal {
    /// Takes the terminal over. A panic gives it back before anything is said about it.
    pub(crate) fn open() -> Result<Terminal, String> {
        let stopped = Arc::new(AtomicBool::new(false));
        watch(Arc::clone(&stopped));
        let screen = ratatui::try_init().map_err(told)?;
        let terminal = Terminal { screen, stopped };
        // Pasted text must not be taken for keys: every letter of it would be an answer.
        execute!(io::stdout(), EnableBracketedPaste).map_err(told)?;
        Ok(terminal)
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), String> {
        self.screen.draw(draw).map(drop).map_err(told)
    }

    /// Waits for a key.
    pub(crate) fn hear(&self, longest: Duration) -> Result<Heard, String> {
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(Heard::Stop);
        }
        if !event::poll(longest).map_err(told)? {
            return Ok(Heard::Nothing);
        }
        Ok(match event::read().map_err(told)? {
            Event::Key(pressed) => key(pressed).map_or(Heard::Nothing, Heard::Key),
            Event::Paste(text) => Heard::Key(Key::Paste(text)),
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Resize(..) => Heard::Nothing,
        })
    }

    /// Gives the terminal to another program for a while.
    pub(crate) fn aside<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, String> {
        give_back();
        let done = work();
        self.screen = ratatui::try_init().map_err(told)?;
        execute!(io::stdout(), EnableBracketedPaste).map_err(told)?;
        self.screen.clear().map_err(told)?;
        Ok(done)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back() {
    // Nothing is left to do where the terminal has gone.
    drop(execute!(io::stdout(), DisableBracketedPaste));
    drop(ratatui::try_restore());
}

/// Notes the signals that end programs, and a terminal that is gone, so that the terminal is given back first. Whoever
/// reads keys never hears of a terminal that went away, and an approver without a person would keep requests waiting: so
/// the program ends here if it does not end by itself.
fn watch(stopped: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Without it a signal ends the program as it always does.
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
            let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = kinds.map(signal) else { return };
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                _ = hangup.recv() => {}
                () = gone() => {}
            }
            stopped.store(true, Ordering::Relaxed);
            tokio::time::sleep(LAST).await;
            give_back();
            std::process::exit(0);
        });
    });
}

/// Comes back when there is no terminal any more.
async fn gone() {
    while rustix::termios::tcgetattr(io::stdin()).is_ok() {
        tokio::time::sleep(LOOK).await;
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys mean nothing here")]
fn key(pressed: KeyEvent) -> Option<Key> {
    if pressed.kind == KeyEventKind::Release {
        return None;
    }
    if pressed.modifiers.contains(KeyModifiers::CONTROL) {
        return match pressed.code {
            KeyCode::Char('c') => Some(Key::Leave),
            KeyCode::Char('u') => Some(Key::Clear),
            KeyCode::Char('a') => Some(Key::Home),
            KeyCode::Char('e') => Some(Key::End),
            KeyCode::Char('h') => Some(Key::Backspace),
            _ => None,
        };
    }
    // A letter with Alt is what a cut escape sequence looks like.
    if pressed.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    match pressed.code {
        KeyCode::Char(character) => Some(Key::Char(character)),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Escape),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::Left => Some(Key::Left),
        KeyCode::Right => Some(Key::Right),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Home => Some(Key::Home),
        KeyCode::End => Some(Key::End),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Delete => Some(Key::Delete),
        KeyCode::Tab => Some(Key::Tab),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_keys_are_letters() {
        let pressed = |code, modifiers| key(KeyEvent::new(code, modifiers));
        assert_eq!(pressed(KeyCode::Char('o'), KeyModifiers::NONE), Some(Key::Char('o')));
        assert_eq!(pressed(KeyCode::Char('o'), KeyModifiers::ALT), None);
        assert_eq!(pressed(KeyCode::Char('o'), KeyModifiers::CONTROL), None);
        assert_eq!(pressed(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Leave));
    }
}
