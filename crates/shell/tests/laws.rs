//! Laws of reading that hold for every line: wrapping, splitting and respelling a command never makes it
//! look more harmless, and nothing makes the reader fall over.
#![cfg(unix)]

#[expect(dead_code, reason = "the laws need only the lines, the oracle also where they came from")]
mod generator;

use std::sync::LazyLock;

use generator::{Dice, Generator, Language, tables, words};
use portcullis_shell::{Dialect, Reading, Span, read};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// How often each law is tried.
const TRIES: u32 = 10_000;

const DIALECTS: [Dialect; 3] = [Dialect::Bash, Dialect::Sh, Dialect::Zsh];

static EVERYDAY: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| tables::lines(include_str!("generator/templates/everyday.txt")));

/// What shells give a meaning.
const PIECES: &str = concat!(
    "$( ${ $(( ` )) ) } ( { ' \" \\ ; ;; & && | || < << <<< <<- > >> >& <( >( [[ ]] [ ] ! # $ $' $\" = += ~ * ? @ :- := : / % ^ , .. - -- ",
    "a x 1 EOF if then fi for in do done while case esac function select time coproc eval ls cat rm x=1 a[ trap é \u{1f600}",
);

/// How many different generated lines there are.
const LINES: usize = 1_000_000;

static GENERATOR: LazyLock<Generator> = LazyLock::new(|| Generator::new(7, Language::Bash, |_| true));

/// Ways to write the same command with something around it; `@` stands for it.
const WRAPPINGS: [&str; 22] = [
    "( @\n)",
    "{ @\n}",
    "echo $(@\n)",
    "echo \"$(@\n)\"",
    "cat <(@\n)",
    "env @",
    "timeout 5 @",
    "nice @",
    "nohup @",
    "command @",
    "! @",
    "time @",
    "if true; then @\nfi",
    "if false; then :; else @\nfi",
    "while true; do @\nbreak; done",
    "for i in 1; do @\ndone",
    "case a in a) @\n;; esac",
    "true; @",
    "true && @",
    "@\ntrue",
    "# a comment\n@",
    "f() { @\n}; f",
];

/// Ways to write a command as one quoted word; `@` stands for that word.
const EVALUATIONS: [&str; 6] =
    ["sh -c @", "bash -c @", "eval @", "bash <<<@", "env bash -lc @", "timeout 5 sh -c @"];

/// A command of the pool, or a generated one.
fn command() -> impl Strategy<Value = String> {
    let everyday =
        (0..EVERYDAY.len()).prop_map(|at| EVERYDAY.get(at).copied().unwrap_or_default().to_owned());
    let generated = (0..LINES).prop_map(|number| {
        let case = if number % 4 == 0 { GENERATOR.data_case(number) } else { GENERATOR.case(number) };
        case.line
    });
    prop_oneof![3 => everyday, 1 => generated]
}

/// Text made of what shells give a meaning.
fn soup() -> impl Strategy<Value = String> {
    let pieces: Vec<&'static str> =
        PIECES.split(' ').chain([" ", "\n", "\t", "sh -c ", "declare -i ", "read "]).collect();
    proptest::collection::vec(proptest::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![2 => soup(), 1 => any::<String>(), 1 => "[ -~\n]{0,80}", 1 => command()]
}

fn only_reads(line: &str) -> bool {
    read(line, Dialect::Bash).only_reads()
}

fn programs(reading: &Reading) -> Vec<String> {
    reading.commands.iter().map(|command| command.word.clone()).collect()
}

/// The command with `mark` taken for its text, as it is.
fn wrapped(form: &str, command: &str) -> String {
    form.replace('@', command)
}

fn spans(reading: &Reading) -> Vec<Span> {
    let files = [&reading.files.read, &reading.files.written, &reading.files.deleted];
    let commands = reading.commands.iter().flat_map(|command| {
        std::iter::once(command.span).chain(command.arguments.iter().map(|argument| argument.span))
    });
    let files = files.into_iter().flatten().map(|file| file.span);
    commands.chain(files).chain(reading.unclear.iter().map(|unclear| unclear.span)).collect()
}

proptest! {
    #![proptest_config(Config { cases: TRIES, max_shrink_iters: 2_000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn wrapping_never_makes_a_command_harmless(command in command(), form in 0..WRAPPINGS.len()) {
        let line = wrapped(WRAPPINGS[form], &command);
        prop_assert!(only_reads(&command) || !only_reads(&line), "{command:?} does more than read, {line:?} does not");
    }

    #[test]
    fn evaluating_never_makes_a_command_harmless(command in command(), form in 0..EVALUATIONS.len()) {
        let line = wrapped(EVALUATIONS[form], &words::single_quoted(&command));
        prop_assert!(only_reads(&command) || !only_reads(&line), "{command:?} does more than read, {line:?} does not");
    }

    #[test]
    fn respelling_never_makes_a_command_harmless(command in command(), seed in any::<u64>()) {
        let line = words::respell(&command, &mut Dice::new(seed));
        prop_assert!(only_reads(&command) || !only_reads(&line), "{command:?} does more than read, {line:?} does not");
    }

    #[test]
    fn two_commands_only_read_if_both_do(first in 0..EVERYDAY.len(), second in 0..EVERYDAY.len(), link in 0..3_usize) {
        let (first, second) = (EVERYDAY[first], EVERYDAY[second]);
        let link = if first.contains('\n') || first.ends_with('&') { "\n" } else { [";", "\n", "&&"][link] };
        let line = format!("{first}{link}{second}");
        let both = only_reads(first) && only_reads(second);
        prop_assert!(both || !only_reads(&line), "{line:?} only reads, its halves do not");
    }

    #[test]
    fn the_commands_of_two_lines_are_those_of_each(first in 0..EVERYDAY.len(), second in 0..EVERYDAY.len()) {
        let (first, second) = (EVERYDAY[first], EVERYDAY[second]);
        let mut expected = programs(&read(first, Dialect::Bash));
        expected.extend(programs(&read(second, Dialect::Bash)));
        let line = format!("{first}\n{second}");
        prop_assert_eq!(programs(&read(&line, Dialect::Bash)), expected, "{:?}", line);
    }

    #[test]
    fn reading_is_total_and_repeatable(text in any_text(), dialect in 0..DIALECTS.len()) {
        let dialect = DIALECTS[dialect];
        let (once, again) = (read(&text, dialect), read(&text, dialect));
        prop_assert_eq!(format!("{once:?}"), format!("{again:?}"));
    }

    #[test]
    fn spans_lie_inside_the_line_and_between_characters(text in any_text(), dialect in 0..DIALECTS.len()) {
        for span in spans(&read(&text, DIALECTS[dialect])) {
            let (start, end) = (span.start as usize, span.end as usize);
            prop_assert!(start <= end && end <= text.len(), "{span:?} in {text:?}");
            prop_assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?} in {text:?}");
        }
    }
}
