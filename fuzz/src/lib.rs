//! What must hold for a reading of any bytes whatever: it comes back, its places are in the line, it is not
//! much larger than the line, and it is the same the second time.

pub mod reference_reply;

use portcullis_shell::{Dialect, Limits, Reading, Span, read_bytes};

/// The reader may take this many steps for each byte, and this many more.
const STEPS_PER_BYTE: usize = 64;
const STEPS: usize = 4096;

/// Commands, words, files and doubts that one step may leave behind.
const MOST_PER_STEP: usize = 4;

/// Reads the bytes and checks what must hold.
pub fn check(line: &[u8], dialect: Dialect) {
    let reading = read_bytes(line, dialect, Limits::default());
    check_places(line, &reading);
    check_size(line, &reading);
    if reading.only_reads() {
        assert!(reading.unclear.is_empty() && reading.refused().is_none());
        assert!(std::str::from_utf8(line).is_ok(), "bytes that are not text look harmless");
    }
    let again = read_bytes(line, dialect, Limits::default());
    assert_eq!(format!("{reading:?}"), format!("{again:?}"), "the same line reads in two ways");
}

fn check_places(line: &[u8], reading: &Reading) {
    let text = std::str::from_utf8(line).ok();
    let check = |what: &str, span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && end <= line.len(), "{what}: {span:?} in {} bytes", line.len());
        if let Some(text) = text {
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{what}: {span:?} cuts a character");
        }
    };
    for command in &reading.commands {
        check("command", command.span);
        command.arguments.iter().for_each(|argument| check("argument", argument.span));
        command.assignments.iter().for_each(|(_, value)| check("assignment", value.span));
    }
    let files = [&reading.files.read, &reading.files.written, &reading.files.deleted];
    files.into_iter().flatten().for_each(|file| check("file", file.span));
    reading.unclear.iter().for_each(|unclear| check("doubt", unclear.span));
}

fn check_size(line: &[u8], reading: &Reading) {
    let files = reading.files.read.len() + reading.files.written.len() + reading.files.deleted.len();
    let arguments: usize = reading.commands.iter().map(|command| command.arguments.len()).sum();
    let found = reading.commands.len() + reading.unclear.len() + files + arguments;
    let most = MOST_PER_STEP * (STEPS_PER_BYTE * line.len() + STEPS);
    assert!(found <= most, "{found} findings in {} bytes", line.len());
}
