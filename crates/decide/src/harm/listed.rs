//! Lists of the project's files that are handed to formatters and linters.

use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Why};

use super::{origin, places};
use crate::call::ToolCall;
use crate::context::Context;
use crate::view::View;

/// Programs none of whose options writes, sends or runs anything beyond the files that are named: whatever a file is
/// called. Those that run the project's code all the same stand behind them.
const TAKERS: &[&str] = &[
    "black",
    "isort",
    "clang-format",
    "shfmt",
    "rustfmt",
    "yapf",
    "autopep8",
    "djlint",
    "shellcheck",
    "prettier",
    "eslint",
    "stylelint",
];

/// Words beside the names that name no file and load nothing.
const PLAIN: &[&str] = &[
    "--write",
    "--check",
    "--fix",
    "--diff",
    "--list-different",
    "--quiet",
    "--in-place",
    "--ignore-unknown",
    "--no-error-on-unmatched-pattern",
    "-c",
    "-d",
    "-i",
    "-l",
    "-q",
    "-s",
    "-w",
    "-u",
    "--",
];

/// Whether all that is unknown about the command are the names of files of the project.
pub(super) fn takes_project_files(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    let takes = command.program.as_deref().is_some_and(|name| TAKERS.contains(&name));
    let mut doubts = reading.unclear.iter().filter(|doubt| crate::reads::within(doubt.span, command.span));
    let at = reading.commands.iter().position(|other| std::ptr::eq(other, command));
    takes
        && command.arguments.iter().all(|word| !word.literal || PLAIN.contains(&word.text.as_str()))
        && !command.word.contains('/')
        && doubts.all(|doubt| doubt.why == Why::MaybeOption)
        && context.session.fetched.is_empty()
        && at.is_some_and(|at| lists(at, command, view, reading).all_ours(call, context))
}

/// The commands that the names come from.
struct Lists<'r>(Vec<&'r Command>);

/// What stands in the substitutions of the command, or before the `xargs` that starts it.
fn lists<'r>(at: usize, command: &Command, view: &View, reading: &'r Reading) -> Lists<'r> {
    let all = &reading.commands;
    let inside =
        |other: &&Command| other.span != command.span && crate::reads::within(other.span, command.span);
    if command.placement != Placement::Wrapped {
        // Every unknown word must be filled in there, and nowhere else.
        let filled = |word: &Argument| {
            word.literal || (word.text == "*" && word.span.of(&view.line).starts_with("$("))
        };
        let whole = command.arguments.iter().all(filled);
        return Lists(if whole { all.iter().filter(inside).collect() } else { Vec::new() });
    }
    let wraps = |other: &Command| {
        other.span == command.span && other.program.as_deref() == Some("xargs") && hands_on_plainly(other)
    };
    // Nothing stands between `xargs` and what it starts.
    let Some(feeder) = at.checked_sub(1).filter(|before| all.get(*before).is_some_and(wraps)) else {
        return Lists(Vec::new());
    };
    let fed = origin::pipeline(all, feeder).iter().filter(|other| other.span != command.span);
    Lists(fed.collect())
}

/// `xargs -0 -n 1`: nothing but how many names are handed on at once.
fn hands_on_plainly(xargs: &Command) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = xargs.arguments.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        let plain = match word {
            "-0" | "-r" | "-0r" | "-r0" | "--no-run-if-empty" | "--null" => true,
            "-n" | "-P" => words.next().is_some_and(number),
            _ if word.starts_with('-') => {
                word.strip_prefix("-n").or_else(|| word.strip_prefix("-P")).is_some_and(number)
            }
            // The program; what follows is its own.
            _ => return true,
        };
        if !plain {
            return false;
        }
    }
    false
}

impl Lists<'_> {
    /// Whether each of them tells names of the project's files, or picks among them.
    fn all_ours(&self, call: &ToolCall, context: &Context) -> bool {
        let ours = |command: &&Command| {
            let here = crate::reads::directories(command, call, context)
                .is_some_and(|all| all.iter().all(|place| places::is_ours(place, context)));
            // A function of that name does not read by itself.
            let literal =
                command.own.meets(Effects::READS) && command.arguments.iter().all(|word| word.literal);
            here && literal
                && command.assignments.is_empty()
                && (names(command, call, context) || picks(command))
        };
        let named = self.0.iter().any(|command| names(command, call, context));
        named && self.0.iter().all(ours)
    }
}

/// Options that choose names and change none of them.
const LISTING: &[&str] =
    &["-z", "-m", "-o", "-c", "--modified", "--others", "--cached", "--exclude-standard", "--"];
const COMPARING: &[&str] = &["--name-only", "-z", "--cached", "--staged", "--"];
const FINDING: &[&str] = &[
    "-name",
    "-iname",
    "-type",
    "-path",
    "-not",
    "-o",
    "-or",
    "-a",
    "-and",
    "-print",
    "-print0",
    "-maxdepth",
    "-mindepth",
    "-prune",
];

/// `git ls-files`, `git diff --name-only`, `find src -name '*.py'`
fn names(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let inside = |word: &&&str| places::is_ours(&context.absolute(word, &call.cwd), context);
    let chooses = |known: &[&str], word: &str| {
        let filter = word.starts_with("--diff-filter=");
        let outside = word.starts_with(['/', '.', '~']) || word.contains("/..");
        if word.starts_with('-') { filter || known.contains(&word) } else { !outside }
    };
    match (command.program.as_deref(), words.as_slice()) {
        (Some("git"), ["ls-files", rest @ ..]) => rest.iter().all(|word| chooses(LISTING, word)),
        (Some("git"), ["diff", rest @ ..]) => {
            rest.contains(&"--name-only") && rest.iter().all(|word| chooses(COMPARING, word))
        }
        (Some("find"), rest) => {
            let places =
                rest.iter().take_while(|word| !word.starts_with(['-', '(', '!'])).collect::<Vec<_>>();
            let tests = || rest.iter().filter(|word| word.starts_with('-'));
            !places.is_empty() && places.iter().all(inside) && tests().all(|word| FINDING.contains(word))
        }
        _ => false,
    }
}

/// What chooses among lines and changes none of them.
fn picks(command: &Command) -> bool {
    let chooses = |word: &str| matches!(word, "-v" | "-E" | "-i" | "-F" | "-z" | "-n" | "-u");
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    let piped = command.placement == Placement::Piped;
    match command.program.as_deref() {
        Some("grep") => {
            let (options, patterns): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('-'));
            piped && patterns.len() == 1 && options.into_iter().all(chooses)
        }
        Some("sort" | "uniq") => piped && words.all(chooses),
        _ => false,
    }
}
