//! What the tables of checkers, debuggers and devices cannot say: which of their words are commands, and which only tell.

use super::invocation::{Invocation, Outcome, Run};
use super::local::{FETCHES, PROJECT, READS, is_local, operands_stay, stays};
use super::table::{Operands, Spec};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::Why;

const SEARCH: &str = "-plABrC= -c=read -h!help --pattern= --lang= --rewrite= --selector= --strictness= --json=? --color= --heading= --globs= --no-ignore= --threads= --follow --after= --before= --context= --config=read --debug-query=?";
/// The sub-commands of ast-grep; the first is also what it does without one.
static SEARCHES: [Spec; 3] = [
    Spec::new("run", PROJECT).options(SEARCH).operands(Operands::Read),
    Spec::new("scan", PROJECT)
        .options(
            "-rc=read -h!help --rule=read --config=read --inline-rules= --report-style= --error=? --warning=? --info=? --hint=? --off=? --filter= --globs= --json=? --color= --no-ignore= --threads= --follow --format=",
        )
        .operands(Operands::Read),
    Spec::new("test", PROJECT).options("-c=read -tf= -h!help --config=read --test-dir= --filter= --skip-snapshot-tests --include-off"),
];

/// `ast-grep [run|scan|test]`.
pub(super) fn search<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = invocation.words;
    let verb = words.first().and_then(Argument::known);
    let [run, others @ ..] = &SEARCHES;
    let named = |spec: &&'static super::table::Spec| Some(spec.names) == verb;
    let (spec, own) = match (verb, others.iter().find(named)) {
        (Some("run"), _) => (run, words.get(1..).unwrap_or_default()),
        (_, Some(spec)) => (spec, words.get(1..).unwrap_or_default()),
        (_, None) => (run, words),
    };
    Invocation::examine(invocation.program, spec, own, out);
}

/// `sg` is ast-grep by a short name, or runs a command under another group: `sg docker 'rm x'`.
pub(super) fn search_or_group<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let pattern = |word: &Argument<'_>| {
        word.known().is_some_and(|text| matches!(text, "-p" | "--pattern") || text.starts_with("--pattern="))
    };
    if invocation.words.iter().any(pattern) {
        search(invocation, out);
    } else {
        out.add(Effects::PRIVILEGE.and(Effects::EXECUTES));
    }
}

/// `old=a.txt`: the name of a file stands behind a label.
pub(super) fn labelled<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(word) = invocation.operands.iter().find(|word| !word.literal || word.text.contains('=')) {
        out.doubt(Why::UnknownOperand, word.text, word.span);
    }
}

/// Schemas come from the usual place, from the project, or from a public address.
pub(super) fn schemas<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for place in invocation.options.iter().filter(|seen| seen.name == "schema-location") {
        let Some(place) = place.value else { continue };
        let public = place.known().is_some_and(|text| text.starts_with("https://raw.githubusercontent.com/"));
        if !public && !is_local(place) {
            out.doubt(Why::UnknownOption, place.text, place.span);
        }
    }
}

/// What is found are credentials; only when asked does the program show or write them down.
pub(super) fn shows_findings<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let told = invocation.has(&["v", "--verbose", "r", "--report-path"]);
    let hidden = invocation.has(&["--redact"])
        && invocation.value(&["--redact"]).is_none_or(|share| share.known() == Some("100"));
    if told && !hidden {
        out.add(Effects::SECRETS);
    }
}

/// With `--sql` the statements are printed, not run.
pub(super) fn only_prints<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["--sql"]) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// Commands of a device that only tell. Their words are joined and read by the shell there.
pub(super) fn on_device<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let plain =
        |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte));
    let words: Option<Vec<&str>> =
        invocation.operands.iter().map(|word| word.known().filter(|text| plain(text))).collect();
    let package = |word: &&str| word.contains('.') && !word.starts_with('-');
    let tells = words.is_some_and(|words| match words.as_slice() {
        ["getprop"] | ["getprop" | "pidof", _] | ["screencap", "-p"] => true,
        ["dumpsys", service, rest @ ..] => {
            let shown = matches!(
                *service,
                "activity"
                    | "meminfo"
                    | "package"
                    | "window"
                    | "cpuinfo"
                    | "battery"
                    | "gfxinfo"
                    | "display"
                    | "input"
            );
            shown && rest.len() < 2 && rest.iter().all(package)
        }
        _ => false,
    });
    if tells {
        out.add(READS.and(FETCHES));
    } else {
        let span = invocation.operands.first().map(|word| word.span).unwrap_or_default();
        out.doubt(Why::UnknownCommand, format!("{} on a device", invocation.program), span);
    }
}

/// What firmware tools make without touching a device.
const MADE: &[&str] = &[
    "all",
    "build",
    "app",
    "bootloader",
    "partition-table",
    "reconfigure",
    "size",
    "size-components",
    "size-files",
    "buildprog",
    "checkprogsize",
    "compiledb",
    "ram_report",
    "rom_report",
];

/// Firmware is built in the project; what writes to a device is not known.
pub(super) fn firmware<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(
        invocation,
        out,
        &["C", "--project-dir", "d", "s", "--source-dir", "--build-dir", "B", "c", "--project-conf"],
    );
    let targets =
        invocation.options.iter().filter(|seen| matches!(seen.name, "t" | "--target" | "T" | "--test-item"));
    let mut targets: Vec<Argument<'a>> = targets.filter_map(|seen| seen.value).collect();
    if invocation.program == "idf.py" {
        targets.extend(invocation.operands.iter().copied());
    } else {
        operands_stay(invocation, out);
        let odd =
            |word: &Argument<'a>| word.text.starts_with('-') && word.text.contains(['/', '~', '$', '`', ';']);
        if invocation.operands.iter().any(|word| odd(word) || word.text.contains("CMAKE_")) {
            out.executes();
        }
    }
    if let Some(target) =
        targets.iter().find(|target| !target.known().is_some_and(|name| MADE.contains(&name)))
    {
        out.doubt(Why::UnknownOperand, target.text, target.span);
    }
}

/// Each word is a command line that is run many times.
pub(super) fn timed<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.help {
        return;
    }
    let around = ["s", "p", "c", "--setup", "--prepare", "--cleanup", "--conclude", "--reference"];
    let around =
        invocation.options.iter().filter(|seen| around.contains(&seen.name)).filter_map(|seen| seen.value);
    let lines: Vec<Argument<'a>> = around.chain(invocation.operands.iter().copied()).collect();
    if invocation.operands.is_empty() {
        out.executes();
    }
    out.runs.extend(lines.into_iter().map(|line| Run::Script(line, Dialect::Sh)));
}

/// What a debugger is told that only runs the program or shows where it stands.
const TOLD: &[&str] = &[
    "run",
    "r",
    "start",
    "bt",
    "bt full",
    "backtrace",
    "backtrace full",
    "where",
    "thread apply all bt",
    "thread apply all bt full",
    "thread apply all backtrace",
    "info threads",
    "info registers",
    "info locals",
    "info args",
    "info frame",
    "info sharedlibrary",
    "info source",
    "info signals",
    "list",
    "disassemble",
    "continue",
    "c",
    "finish",
    "next",
    "step",
    "up",
    "down",
    "quit",
    "q",
    "bt all",
    "thread backtrace",
    "thread backtrace all",
    "thread list",
    "register read",
    "frame info",
    "process launch",
    "set pagination off",
    "set confirm off",
    "set print pretty on",
    "set debuginfod enabled off",
];

fn only_tells(command: &str) -> bool {
    let place = ["break ", "b ", "tbreak "].iter().find_map(|start| command.strip_prefix(start));
    let plain =
        |place: &str| place.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte));
    TOLD.contains(&command) || place.is_some_and(|place| !place.is_empty() && plain(place))
}

/// `gdb -batch -ex run -ex bt --args ./x`, `lldb -b -o run -- ./x`: the program is run, and nothing else.
pub(super) fn debugger<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = invocation.words;
    if let [only] = words
        && matches!(only.known(), Some("--version" | "-v" | "--help"))
    {
        return out.add(READS);
    }
    let (mut at, mut batch, mut told) = (0, false, true);
    let command: &[Argument<'a>] = loop {
        let Some(word) = words.get(at) else { break &[] };
        at += 1;
        match word.known() {
            Some("-batch" | "--batch" | "-b") => batch = true,
            Some("-q" | "-quiet" | "--quiet" | "-nx" | "--nx" | "-n" | "-nh")
                if invocation.program == "gdb" => {}
            Some("-ex" | "--ex" | "--eval-command" | "-o" | "--one-line") => {
                told &= words.get(at).and_then(Argument::known).is_some_and(only_tells);
                at += 1;
            }
            Some("--args" | "-args") if invocation.program == "gdb" => {
                break words.get(at..).unwrap_or_default();
            }
            Some("--") => break words.get(at..).unwrap_or_default(),
            Some(text) if !text.starts_with('-') => break words.get(at - 1..).unwrap_or_default(),
            Some(_) | None => told = false,
        }
    };
    let own = |program: &Argument<'a>| is_local(*program) && program.text.contains('/');
    if !(batch && told && command.first().is_some_and(own)) {
        let plain = ["-batch", "--batch", "-b", "-q", "-quiet", "--quiet", "-nx", "--nx", "-n", "-nh"];
        let options = words.iter().enumerate().filter(|(_, word)| {
            word.prefix().starts_with('-') && !word.known().is_some_and(|text| plain.contains(&text))
        });
        out.steered.extend(options.map(|(index, _)| index));
        return out.executes();
    }
    out.add(PROJECT);
    out.runs.push(Run::Words(command));
}

/// The file's own loader is run, as if the file were.
pub(super) fn loads<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for file in &invocation.operands {
        if is_local(*file) {
            out.add(PROJECT);
            out.reads(*file);
        } else {
            out.executes();
        }
    }
}

/// A process of this machine by its number; anything else may be another machine or a file.
pub(super) fn own_process(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if !invocation.operands.iter().all(|word| word.numeric) {
        out.executes();
    }
}

/// Only a rehearsal or a list runs no job.
pub(super) fn rehearses<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["n", "l", "g", "--dryrun", "--list", "--graph"]) || out.help {
        out.add(PROJECT);
    } else {
        out.doubt(Why::UnknownCommand, "act", Span::default());
    }
}
