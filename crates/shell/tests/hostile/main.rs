//! Text made to break the reader: each must come back in bounded time and memory, on a small stack, and
//! must not look harmless.
//!
//! Time is only compared with that of a plain line in the same run, never with a clock on the wall.
#![expect(clippy::disallowed_methods, reason = "the test starts itself anew and keeps the time")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its work fails the test")]

mod shapes;

use std::thread;
use std::time::{Duration, Instant};

use portcullis_shell::{Dialect, Limits, Reading, Why, hides_text, read, read_bytes, read_within};
use shapes::{BREADTH, CLOSED, OPENERS};

/// Less than any platform gives a thread.
const STACK: usize = 1 << 20;

/// How much longer than a plain line of the same length hostile text may take. Generous: other work may
/// share the machine. The slopes are measured in `crates/shell/examples/speed.rs`.
const MAX_RATIO: u32 = 200;

const LIMIT: usize = 10_000;

/// For text far beyond the usual limit, so that the other limits have to hold.
const NO_LIMIT: Limits = Limits { characters: usize::MAX };

fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// The time that a plain line of 10,000 characters takes; the best of a few, but not nothing.
fn plain_time() -> Duration {
    let line: String = "ls -l; ".chars().cycle().take(LIMIT).collect();
    let once = || {
        let start = Instant::now();
        assert!(read(&line, Dialect::Bash).refused().is_none());
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap().max(Duration::from_micros(200))
}

/// Whether the reader says that it could not follow the line.
fn refuses(reading: &Reading) -> bool {
    reading.unclear.iter().any(|unclear| {
        reading.refused().is_some() || matches!(unclear.why, Why::Syntax | Why::Dialect | Why::NotModelled)
    })
}

/// Roughly what a reading takes in memory.
fn size(reading: &Reading) -> usize {
    let commands = reading.commands.iter().map(|command| {
        let directory = command.directory.as_ref().map_or(0, String::len);
        256 + directory
            + command.word.len()
            + command.arguments.iter().map(|argument| 48 + argument.text.len()).sum::<usize>()
    });
    let files = [&reading.files.read, &reading.files.written, &reading.files.deleted];
    let files = files.into_iter().flatten().map(|file| 48 + file.path.len());
    commands.chain(files).chain(reading.unclear.iter().map(|unclear| 48 + unclear.detail.len())).sum()
}

/// Reads `line` in every dialect on a small stack, and checks time and memory.
fn survive(name: &str, line: &str, limits: Limits, plain: Duration) -> Reading {
    on_small_stack(|| {
        for dialect in [Dialect::Sh, Dialect::Zsh] {
            drop(read_within(line, dialect, limits));
        }
        let start = Instant::now();
        let reading = read_within(line, Dialect::Bash, limits);
        let time = start.elapsed();
        let share = u32::try_from(line.len().div_ceil(LIMIT)).unwrap();
        assert!(
            time <= plain * MAX_RATIO * share,
            "{name}: {time:?} for {} bytes; a plain line takes {plain:?}",
            line.len()
        );
        assert!(size(&reading) <= 4096 * (line.len() + 1024), "{name}: {} bytes of reading", size(&reading));
        reading
    })
}

#[test]
fn a_hundred_thousand_unclosed_openers_are_unclear() {
    let plain = plain_time();
    for (name, opener) in OPENERS {
        let long = opener.repeat(100_000);
        assert!(!survive(name, &long, NO_LIMIT, plain).unclear.is_empty(), "{name}");
        let short: String = long.chars().take(LIMIT).collect();
        assert!(!survive(name, &short, Limits::default(), plain).unclear.is_empty(), "{name}");
        let few = opener.repeat(3);
        assert!(!survive(name, &few, Limits::default(), plain).only_reads(), "{name}: {few:?}");
    }
}

#[test]
fn a_hundred_thousand_closed_levels_are_refused() {
    let plain = plain_time();
    for (name, open, inside, close) in CLOSED {
        for (levels, limits) in
            [(100_000, NO_LIMIT), (LIMIT / (open.len() + close.len()) - 1, Limits::default())]
        {
            let line = format!("{}{inside}{}", open.repeat(levels), close.repeat(levels));
            let reading = survive(name, &line, limits, plain);
            assert!(reading.refused().is_some(), "{name}: {levels} levels: {:?}", reading.unclear.first());
        }
    }
}

#[test]
fn wide_lines_are_read_whole_or_refused() {
    let plain = plain_time();
    for (name, unit, end, commands) in BREADTH {
        for (count, limits) in [(10_000, NO_LIMIT), ((LIMIT - end.len()) / unit.len(), Limits::default())] {
            let line = format!("{}{end}", unit.repeat(count));
            let reading = survive(name, &line, limits, plain);
            let whole = reading.commands.len() >= count * commands;
            assert!(
                whole || refuses(&reading),
                "{name}: {} commands of {count} units",
                reading.commands.len()
            );
        }
    }
}

#[test]
fn nested_code_is_refused_at_the_limit() {
    let plain = plain_time();
    for (name, line) in shapes::nested_code() {
        for reading in [survive(name, &line, NO_LIMIT, plain), survive(name, &line, Limits::default(), plain)]
        {
            assert!(!reading.only_reads(), "{name}");
            assert!(refuses(&reading), "{name}: {:?}", reading.unclear.first());
        }
    }
}

#[test]
fn a_hundred_megabytes_are_refused_at_once() {
    let plain = plain_time();
    for unit in ["a", "(", "é", "$(", "\n", "a && "] {
        let line = unit.repeat(100_000_000 / unit.len());
        let start = Instant::now();
        let reading = read(&line, Dialect::Bash);
        assert_eq!(reading.refused().map(|unclear| unclear.why), Some(Why::TooLong));
        assert!(start.elapsed() <= plain * MAX_RATIO);
    }
}

#[test]
fn text_that_hides_something_is_refused() {
    let hidden = [
        "\0",
        "\r",
        "\x1b[2K",
        "\x07",
        "\x08",
        "\x7f",
        "\u{85}",
        "\u{a0}",
        "\u{ad}",
        "\u{200b}",
        "\u{200d}",
        "\u{202e}",
        "\u{2066}",
        "\u{feff}",
        "\u{e0041}",
    ];
    for mark in hidden {
        for line in [
            format!("ls {mark}"),
            format!("{mark}ls"),
            format!("l{mark}s"),
            format!("echo '{mark}'"),
            format!("ls # {mark}"),
        ] {
            for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::PowerShell] {
                let reading = read(&line, dialect);
                assert_eq!(reading.refused().map(|unclear| unclear.why), Some(Why::Hidden), "{line:?}");
                assert!(reading.commands.is_empty() && !reading.only_reads(), "{line:?}");
            }
        }
    }
    assert!(!hides_text('é') && !hides_text('日') && !hides_text('\n') && !hides_text('\t'));
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    for bytes in
        [&b"ls \xff"[..], b"\xc0\xaf", b"ls\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"echo '\x80'", b"ls \xc3"]
    {
        for dialect in [Dialect::Bash, Dialect::PowerShell] {
            let reading = read_bytes(bytes, dialect, Limits::default());
            assert_eq!(reading.refused().map(|unclear| unclear.why), Some(Why::Hidden), "{bytes:?}");
        }
    }
}

#[test]
fn ten_thousand_characters_are_read_and_one_more_is_not() {
    for letter in ["a", "é", "日"] {
        let line = format!("echo {}", letter.repeat(LIMIT - 5));
        assert_eq!(line.chars().count(), LIMIT);
        assert!(read(&line, Dialect::Bash).unclear.is_empty(), "{letter}");
        let reading = read(&format!("{line}{letter}"), Dialect::Bash);
        assert_eq!(reading.refused().map(|unclear| unclear.why), Some(Why::TooLong), "{letter}");
    }
}

#[test]
fn a_hundred_levels_are_read_and_one_more_is_not() {
    let nested = |levels: usize| format!("{}:{}", "echo $(".repeat(levels), ")".repeat(levels));
    let reading = on_small_stack(|| read(&nested(100), Dialect::Bash));
    assert!(reading.refused().is_none(), "{:?}", reading.refused());
    assert_eq!(reading.commands.len(), 101);
    let reading = on_small_stack(|| read(&nested(101), Dialect::Bash));
    assert_eq!(reading.refused().map(|unclear| unclear.why), Some(Why::TooDeep));
}

#[test]
fn no_opener_nests_deeper_than_a_hundred_levels() {
    for (name, open, inside, close) in CLOSED {
        let nested = |levels: usize| format!("{}{inside}{}", open.repeat(levels), close.repeat(levels));
        let accepted =
            |levels: usize| on_small_stack(|| read(&nested(levels), Dialect::Bash).refused().is_none());
        assert!(!accepted(101), "{name}");
        let most = (1..=101).take_while(|levels| accepted(*levels)).count();
        println!("{name:<24} {most:>4} levels");
        assert!(most >= 20, "{name}: only {most} levels");
    }
}
