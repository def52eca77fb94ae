//! A command that the user asks for by the name of the program and by every word of it, though what the program does is not
//! known here (SPEC C17).

use portcullis_decide::View;
use portcullis_shell::{Command, Placement, Reading, Why};

use super::consent::RUNS;
use super::elsewhere::{is_brought_elsewhere, is_elsewhere, is_other_scope};
use super::manner;
use super::object;
use super::requests::{asked_rests, words};
use super::scope::{is_milder, meant};
use super::words::names;

/// Words for taking away that people use for one another.
const AWAY: &[&str] = &["delete", "remove", "rm", "destroy", "del"];

/// Words that act, where they are a sub-command.
const ACTS: &[&str] = &[
    "drop",
    "stop",
    "start",
    "restart",
    "reload",
    "publish",
    "unpublish",
    "revoke",
    "purge",
    "disable",
    "enable",
    "kill",
];

/// Whether a sentence asks for the only command of the line by name.
pub(super) fn asks(sentences: &[Vec<String>], view: &View) -> bool {
    let Some(reading) = &view.reading else { return false };
    let [command] = reading.commands.as_slice() else { return false };
    is_plain(command, reading, view) && sentences.iter().any(|clauses| is_named(clauses, command, reading))
}

/// Whether nothing stands in the line but a program and its words.
fn is_plain(command: &Command, reading: &Reading, view: &View) -> bool {
    let unknown = |why: &Why| matches!(why, Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand);
    reading.unclear.iter().all(|doubt| unknown(&doubt.why))
        && command.placement == Placement::Direct
        && command.assignments.is_empty()
        && command.word == command.program.as_deref().unwrap_or_default()
        && command.arguments.iter().all(|word| word.literal)
        && !view.paths.iter().any(|path| path.redirect)
        && !view.line.contains("<<")
}

fn is_named(clauses: &[String], command: &Command, reading: &Reading) -> bool {
    let said = clauses.join(" ");
    let meant = meant(&said);
    let program = command.program.as_deref().unwrap_or_default().to_lowercase();
    let plain = command.arguments.iter().map(|word| word.text.to_lowercase());
    let plain: Vec<String> = plain.filter(|word| !word.starts_with('-')).collect();
    let says = |word: &String| {
        let away = AWAY.contains(&word.as_str()) && AWAY.iter().any(|other| names(meant, other));
        away || names(meant, word)
    };
    // What its options do is not known of a program that is not known.
    let spelled = |word: &str| !word.starts_with('-') || manner::is_spelled(word, &said);
    !plain.is_empty()
        && is_done_by(&program, meant, &plain)
        && plain.iter().all(says)
        && command.arguments.iter().all(|word| spelled(&word.text))
        && is_verb_fitting(clauses, &said, command, &plain, &program)
        && manner::narrows_nothing(&said, reading)
        && manner::is_said(command, &said)
        && !is_elsewhere(meant, command)
        && !is_brought_elsewhere(meant, command)
        && !is_other_scope(&said, command)
        && !is_milder(&said, &command_line(command))
}

fn command_line(command: &Command) -> String {
    let words: Vec<String> = command.arguments.iter().map(|word| word.text.to_lowercase()).collect();
    words.join(" ")
}

/// Whether the sentence names the program. Who wants all processes of a name to end need not say by which program.
fn is_done_by(program: &str, said: &str, plain: &[String]) -> bool {
    let all = |name: &String| {
        ["processes", "instances"].iter().any(|noun| names(said, &format!("all {name} {noun}")))
    };
    names(said, program) || (matches!(program, "pkill" | "killall") && matches!(plain, [name] if all(name)))
}

/// Whether the sentence asks for it: to run the program, or in the program's own word for what is named.
fn is_verb_fitting(
    clauses: &[String],
    said: &str,
    command: &Command,
    plain: &[String],
    program: &str,
) -> bool {
    let first = plain.iter().take(3).flat_map(|word| word.split(':'));
    let ends = matches!(program, "pkill" | "killall").then_some("kill");
    let own: Vec<&str> = first
        .chain(ends)
        .filter(|word| ACTS.contains(word) || AWAY.contains(word))
        .flat_map(|word| if AWAY.contains(&word) { AWAY.to_vec() } else { vec![word] })
        .collect();
    let rests = own.iter().flat_map(|verb| clauses.iter().flat_map(|clause| asked_rests(clause, verb)));
    let rests: Vec<&str> = rests.collect();
    if rests.is_empty() {
        let runs = RUNS.iter().flat_map(|verb| asked_rests(said, verb));
        return runs.into_iter().any(|rest| is_in_order(rest, program, command));
    }
    rests.iter().any(|rest| object::fits_words(rest, said, command))
}

/// Words that stand between a program and what it is to do, in a sentence.
const BETWEEN: &[&str] = &["the", "exactly", "this", "on", "to", "with", "command", "and", "process", "pid"];

/// Whether the sentence goes on with the program and its words, one after the other, and then with nothing that is more.
fn is_in_order(rest: &str, program: &str, command: &Command) -> bool {
    let at = rest
        .find(program)
        .filter(|at| words(rest.get(..*at).unwrap_or_default()).all(|it| BETWEEN.contains(&it)));
    let after = at.and_then(|at| rest.get(at + program.len()..));
    after.is_some_and(|after| goes_on(after, command, &["please", "now", "and", "then"]))
}

/// Whether the text goes on with the words of the command, in their order, and then ends or goes on with one of `ends`: in
/// "kubectl delete pod x hangs" nobody asks for anything.
pub(super) fn goes_on(text: &str, command: &Command, ends: &[&str]) -> bool {
    let mut told = text.split_whitespace();
    let trim = |word: &str| word.trim_matches(|it: char| "\"'`,;:.!?()*".contains(it)).to_owned();
    let wanted = command.arguments.iter().map(|word| word.text.to_lowercase());
    let same = |word: &str, wanted: &str| word == wanted || (AWAY.contains(&word) && AWAY.contains(&wanted));
    let mut over = false;
    for wanted in wanted.filter(|word| !word.starts_with('-')) {
        let next =
            told.by_ref().find(|word| !BETWEEN.contains(&trim(word).as_str()) && !word.starts_with('-'));
        let Some(next) = next.filter(|word| same(&trim(word), &wanted)) else { return false };
        over = next.ends_with(['.', ',', ';', '!', ')', '`', '"']);
    }
    let mut rest = told.skip_while(|word| word.starts_with('-'));
    over || rest.next().is_none_or(|word| ends.contains(&trim(word).as_str()))
}
