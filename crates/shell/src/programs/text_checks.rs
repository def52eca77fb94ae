//! What the tables of text programs cannot say: output files, commands inside scripts, pagers.

use super::archives_checks::writes_unless_dash;
use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

/// A pager's `+` gives it a command; only those that move about are harmless.
pub(super) fn check_iconv<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    writes_unless_dash(invocation, &["o", "--output"], out);
}

/// Options count from where they stand: only before every file do these keep all of them as they are.
pub(super) fn check_dos2unix<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let first = invocation.words.first().and_then(Argument::known).unwrap_or_default();
    let info = first.strip_prefix("-i").or_else(|| first.strip_prefix("--info"));
    let shows = info.is_some_and(|flags| flags.bytes().all(|flag| !flag.is_ascii_uppercase()))
        || matches!(first, "-O" | "--to-stdout");
    if shows && !invocation.has(&["n", "o", "--newfile", "--oldfile"]) {
        out.dry = true;
    }
}

pub(super) fn check_less<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for operand in &invocation.operands {
        let Some(command) = operand.prefix().strip_prefix('+') else {
            out.reads(*operand);
            continue;
        };
        let command = command.trim_start_matches('+');
        let moves = command.is_empty()
            || matches!(command, "F" | "G" | "g" | "<" | ">")
            || command.trim_end_matches(['g', 'G', 'p', '%']).bytes().all(|byte| byte.is_ascii_digit())
            || (command.starts_with(['/', '?']) && !command.contains(['\n', '\r', '!', '|', '^']));
        if !operand.literal || !moves {
            out.executes();
        }
    }
}

/// A page is a name or, with a slash or `-l`, a file.
pub(super) fn check_man<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let local = invocation.has(&["l", "--local-file"]);
    invocation
        .operands
        .iter()
        .filter(|page| local || page.text.contains('/'))
        .for_each(|page| out.reads(*page));
    // The pager is a command line of its own; these by their bare names only show what they get.
    let shows = |pager: &str| matches!(pager, "cat" | "more" | "less" | "head" | "tail" | "col");
    let mut pagers = invocation.options.iter().filter(|seen| matches!(seen.name, "P" | "--pager"));
    if pagers.any(|seen| !seen.value.and_then(|value| value.known()).is_some_and(shows)) {
        out.executes();
    }
}

/// tree takes the value of each letter from the words behind the cluster: `-Io x out`. Only a level may be attached.
pub(super) fn check_tree<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for word in invocation.words {
        let Some(letters) = word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            continue;
        };
        let Some(at) = letters.find(['H', 'I', 'P', 'T', 'L', 'o']) else { continue };
        let attached = letters.get(at + 1..).unwrap_or_default();
        let level = letters.get(at..).is_some_and(|rest| rest.starts_with('L'))
            && attached.bytes().all(|digit| digit.is_ascii_digit());
        if !attached.is_empty() && !level {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
    }
}

/// A formatter can be told to write its style sheet.
pub(super) fn check_pygmentize<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let settings = invocation.options.iter().filter(|seen| matches!(seen.name, "O" | "P"));
    if settings.filter_map(|seen| seen.value).any(|value| !value.literal || value.text.contains("file")) {
        out.add(Effects::WRITES);
    }
}

/// The variables that are named are shown.
pub(super) fn check_envsubst<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let names = invocation.operands.iter().flat_map(|word| {
        word.text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
    });
    if names.into_iter().any(crate::variables::is_telling) {
        out.add(Effects::SECRETS);
    }
}

/// `!` runs a command, unless it begins a comparison; `?` runs a line of input. Without a program
/// everything comes from the input.
pub(super) fn check_dc<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let programs = invocation.options.iter().filter(|seen| matches!(seen.name, "e" | "--expression"));
    let mut given = out.help;
    for program in programs.filter_map(|seen| seen.value) {
        given = true;
        let text = program.text.replace("!<", "").replace("!>", "").replace("!=", "");
        // `a` makes a character of a number, even one that is forbidden; behind these it is the name of a register.
        let registers = ['s', 'l', 'S', 'L', '<', '>', '=', ':', ';'];
        let made = program.text.match_indices('a').any(|(at, _)| {
            let before = program.text.get(..at).and_then(|head| head.chars().next_back());
            !before.is_some_and(|before| registers.contains(&before))
        });
        if !program.literal || made || text.contains(['!', '?']) {
            out.executes();
        }
    }
    if !given || !invocation.operands.is_empty() {
        out.executes();
    }
}

/// `-o` and `--output` name a file for scc and cloc, a format for tokei.
pub(super) fn check_counters<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.program == "tokei" {
        out.effects = out.effects.without(Effects::WRITES);
        out.writes_nothing();
    } else if let Some(file) = invocation.value(&["--output"]) {
        out.writes(file);
    }
}

const XXD_FLAGS: &[&str] = &[
    "a",
    "autoskip",
    "b",
    "bits",
    "C",
    "capitalize",
    "d",
    "e",
    "E",
    "EBCDIC",
    "h",
    "help",
    "i",
    "include",
    "p",
    "ps",
    "plain",
    "postscript",
    "t",
    "u",
    "upper",
    "v",
    "version",
];

const XXD_VALUES: &[&str] = &[
    "c",
    "cols",
    "g",
    "group",
    "groupsize",
    "l",
    "len",
    "length",
    "n",
    "name",
    "o",
    "offset",
    "R",
    "s",
    "seek",
    "skip",
];

/// xxd looks at the first letter of an option only; `-ps` is one option, not two.
pub(super) fn check_xxd<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation.words.iter();
    let mut operands = 0;
    while let Some(word) = words.next() {
        let text = word.prefix();
        let name = text.trim_start_matches('-');
        if text.len() < 2 || !text.starts_with('-') {
            if word.may_dash {
                out.doubt(Why::MaybeOption, word.text, word.span);
            }
            operands += 1;
            if operands == 1 && !word.many {
                out.reads(*word);
            } else {
                out.writes(*word);
            }
        } else if matches!(name, "r" | "revert") {
            // Writes the bytes that a dump describes.
            out.add(Effects::WRITES);
        } else if XXD_VALUES.contains(&name) {
            words.next();
        } else if !word.literal || !(XXD_FLAGS.contains(&name) || attached_number(name)) {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
    }
}

fn attached_number(name: &str) -> bool {
    let number =
        name.strip_prefix(['c', 'g', 'l', 's', 'o']).unwrap_or_default().trim_start_matches(['+', '-']);
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x')
        && number.starts_with(|digit: char| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;

    #[test]
    fn numbers_attach_to_the_letters_of_xxd() {
        assert!(attached_number("c12") && attached_number("s0x30") && attached_number("s-4"));
        assert!(!attached_number("ps") && !attached_number("c") && !attached_number("r"));
    }

    #[test]
    fn an_unclear_pager_command_is_not_harmless() {
        let arena = bumpalo::Bump::new();
        let unclear =
            Argument { text: "+*", literal: false, ..Argument::unknown(crate::span::Span::default()) };
        let mut out = Outcome::new(&arena);
        let spec = super::super::find("less").expect("a table");
        Invocation::examine("less", spec, arena.alloc_slice_copy(&[unclear]), &mut out);
        assert!(!out.effects.is_harmless());
    }
}
