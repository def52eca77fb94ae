//! How far a long replay is, for people who wait.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use portcullis_classify::transcript::Moment;
use unicode_width::UnicodeWidthStr;

use crate::moment;
use crate::output;

/// What takes less shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is shown again.
const RATE: Duration = Duration::from_millis(200);
/// How wide the bar is.
const WIDTH: u64 = 30;

/// A source that counts what was read of it.
pub(super) struct Counted<R> {
    source: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Counted<R> {
    pub(super) fn new(source: R) -> (Counted<R>, Rc<Cell<u64>>) {
        let read = Rc::new(Cell::new(0));
        (Counted { source, read: Rc::clone(&read) }, read)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.set(self.read.get().saturating_add(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }
}

/// A bar on standard error, in a terminal and only after a while.
pub(super) struct Progress {
    name: String,
    size: Option<u64>,
    read: Rc<Cell<u64>>,
    next: Option<Instant>,
    drawn: bool,
}

impl Progress {
    pub(super) fn new(name: &str, size: Option<u64>, read: Rc<Cell<u64>>) -> Progress {
        let next = output::columns().map(|_| Instant::now() + PATIENCE);
        let name = crate::commands::log::view::shortened(name, 40);
        Progress { name, size, read, next, drawn: false }
    }

    /// Shows how far it is, if it is time.
    pub(super) fn show(&mut self, calls: u64) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + RATE);
        self.drawn = true;
        output::status(&self.line(calls, output::columns().unwrap_or(usize::MAX)));
    }

    /// Takes the bar away, so that something else can be shown.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            output::status("");
        }
    }

    /// In a narrow terminal what changes comes first, and there is no bar.
    fn line(&self, calls: u64, columns: usize) -> String {
        let (name, read) = (&self.name, self.read.get());
        let Some(size) = self.size.filter(|size| *size > 0) else {
            return format!("{name}: {} MB, {calls} calls", read >> 20);
        };
        let done = read.min(size);
        let full = done.saturating_mul(WIDTH) / size;
        let part = |count: u64, mark: &str| mark.repeat(usize::try_from(count).unwrap_or_default());
        let bar = format!("{}{}", part(full, "█"), part(WIDTH - full, "░"));
        let figures = format!("{} %, {calls} calls", done.saturating_mul(100) / size);
        let whole = format!("{name}: {bar} {figures}");
        if whole.width() < columns { whole } else { format!("{figures}: {name}") }
    }
}

/// A moment in milliseconds since 1970; nothing where it cannot be read.
pub(super) fn millis(written: &Moment) -> Option<u64> {
    /// Smaller numbers are seconds: in milliseconds they would lie before 1973.
    const SECONDS: u64 = 100_000_000_000;
    match written {
        Moment::Millis(number) if *number < SECONDS => Some(number.saturating_mul(1000)),
        Moment::Millis(number) => Some(*number),
        Moment::Text(text) => moment::date(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(read: u64, size: Option<u64>, calls: u64, columns: usize) -> String {
        Progress::new("a", size, Rc::new(Cell::new(read))).line(calls, columns)
    }

    #[test]
    fn the_bar_is_full_at_the_end_and_never_longer() {
        assert_eq!(line(0, Some(10), 0, 80), format!("a: {} 0 %, 0 calls", "░".repeat(30)));
        assert_eq!(line(99, Some(10), 2, 80), format!("a: {} 100 %, 2 calls", "█".repeat(30)));
        assert_eq!(line(5 << 20, None, 2, 80), "a: 5 MB, 2 calls");
        assert_eq!(line(5, Some(0), 2, 80), "a: 0 MB, 2 calls");
    }

    #[test]
    fn without_room_for_the_bar_the_figures_come_first() {
        let width = line(5, Some(10), 2, 80).width();
        assert!(line(5, Some(10), 2, width + 1).contains('█'));
        assert_eq!(line(5, Some(10), 2, width), "50 %, 2 calls: a");
    }

    #[test]
    fn moments_are_read_in_every_form() {
        assert_eq!(millis(&Moment::Millis(1_794_767_872)), Some(1_794_767_872_000));
        assert_eq!(millis(&Moment::Millis(1_794_767_872_000)), Some(1_794_767_872_000));
        let text = Moment::Text("2026-11-15T18:37:52.123Z".to_owned());
        assert_eq!(millis(&text), Some(1_794_767_872_123));
        assert_eq!(millis(&Moment::Text("2h".to_owned())), None);
    }
}
