//! Programs that run another program given on their command line.
//!
//! Their own effects are theirs alone; the program they run is examined as a command of its own.

use super::invocation::{Invocation, Outcome, Run};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::printed::Printed;
use crate::span::Span;
use crate::unclear::Why;

const fn wrapper(names: &'static str, does: Effects, skip: u8) -> Spec {
    Spec::new(names, does).style(Style::Stops).operands(Operands::Command(skip))
}

pub(super) const TABLE: &[Spec] = &[
    wrapper("timeout gtimeout", Effects::NONE, 1)
        .options("-fpv -k= -s= --foreground --preserve-status --verbose --kill-after= --signal=")
        .examples(&[("timeout 5 ls", ""), ("timeout -s KILL 5 rm x", ""), ("timeout --unknown 5 ls", "unknown")]),
    wrapper("nice gnice", Effects::NONE, 0)
        .options("-# -n= --adjustment=")
        .examples(&[("nice -n 5 ls", ""), ("nice -5 ls", ""), ("nice --odd ls", "unknown")]),
    wrapper("nohup", Effects::NONE, 0).examples(&[("nohup ls", ""), ("nohup --odd ls", "unknown")]),
    wrapper("stdbuf gstdbuf", Effects::NONE, 0)
        .options("-ioe= --input= --output= --error=")
        .examples(&[("stdbuf -oL ls", ""), ("stdbuf --odd ls", "unknown")]),
    wrapper("setsid", Effects::NONE, 0)
        .options("-cfw --ctty --fork --wait")
        .examples(&[("setsid -w ls", ""), ("setsid --odd ls", "unknown")]),
    wrapper("ionice", Effects::NONE, 0)
        .options("-t -cn= -pPu=!system --class= --classdata= --ignore --pid=!system --pgid=!system --uid=!system")
        .examples(&[("ionice -c 3 ls", ""), ("ionice -c3 -p 12", "system")]),
    wrapper("taskset", Effects::NONE, 1)
        .options("-ac -p!system --all-tasks --cpu-list --pid!system")
        .check(other_process)
        .examples(&[("taskset -c 0 ls", ""), ("taskset 0x1 ls", ""), ("taskset -p 0x1 12", "system")]),
    wrapper("chrt", Effects::NONE, 1)
        .options("-abdfimorRv -p!system -DPT= --all-tasks --batch --deadline --fifo --idle --other --rr --max --pid!system --sched-period= --sched-runtime= --sched-deadline=")
        .check(other_process)
        .examples(&[("chrt -f 5 ls", ""), ("chrt -p 12", "system")]),
    wrapper("time gtime", Effects::READS, 0)
        .options("-apqvV -f= -o=write --append --format= --output=write --portability --quiet --verbose")
        .examples(&[("/usr/bin/time -p ls", "reads"), ("/usr/bin/time -o out ls", "reads writes")]),
    wrapper("numactl unbuffer rlwrap catchsegv eatmydata torsocks proxychains proxychains4 faketime xvfb-run dbus-run-session unshare nsenter firejail bwrap setarch linux32 linux64 cgexec", Effects::UNKNOWN, 0)
        .examples(&[("unbuffer ls", "unknown"), ("unshare -r ls", "unknown")]),
    wrapper("chroot", Effects::PRIVILEGE, 1)
        .options("--groups= --userspec= --skip-chdir")
        .examples(&[("chroot /mnt ls", "privilege")]),
    wrapper("sudo", Effects::PRIVILEGE, 0)
        .options("-AbBEHiknNPsSKlv -CDghpRrtTuU= -V!help -e!writes --askpass --background --preserve-env=? --login --shell --non-interactive --stdin --user= --group= --host= --prompt= --chdir= --set-home --edit!writes --list --validate --reset-timestamp --remove-timestamp")
        .check(assignments_first)
        .examples(&[("sudo -u postgres ls", "privilege"), ("sudo -n true", "privilege"), ("sudo --odd ls", "privilege unknown")]),
    wrapper("doas", Effects::PRIVILEGE, 0)
        .options("-Lns -aCu=")
        .check(assignments_first)
        .examples(&[("doas ls", "privilege"), ("doas -u x ls", "privilege")]),
    wrapper("pkexec", Effects::PRIVILEGE, 0)
        .options("-u= --user= --disable-internal-agent --keep-cwd")
        .examples(&[("pkexec --user root ls", "privilege")]),
    Spec::new("env genv", Effects::NONE)
        .style(Style::Stops)
        .options("-i0v -u= -C=dir -S= -P=!environment --ignore-environment --null --debug --unset= --chdir=dir --split-string= --block-signal=? --default-signal=? --ignore-signal=? --list-signal-handling")
        .operands(Operands::Text)
        .check(env)
        .examples(&[("env", "reads secrets"), ("env LANG=C ls", ""), ("env LD_PRELOAD=x ls", "environment"), ("env -i ls", "")]),
    Spec::new("watch", Effects::NONE)
        .style(Style::Stops)
        .options("-bcCdegtprwx -n= -q= -s= --beep --color --no-color --differences=? --errexit --chgexit --interval= --exec --precise --no-rerun --no-title --no-wrap --equexit=")
        .operands(Operands::Text)
        .check(watch)
        .examples(&[("watch -n 1 'ls | wc -l'", ""), ("watch --odd ls", "unknown")]),
    Spec::new("flock", Effects::NONE)
        .style(Style::Stops)
        .options("-enosux -E= -w= --exclusive --nonblock --nb --no-fork --shared --unlock --timeout= --wait= --conflict-exit-code= --close --verbose")
        .operands(Operands::Text)
        .check(flock)
        .examples(&[("flock /tmp/lock ls", "writes"), ("flock 9", "")]),
    Spec::new("xargs gxargs", Effects::NONE)
        .style(Style::Stops)
        .options("-0rtx -op!unknown -a=read -dEIJLnPRsS= -eil=? --null --open-tty!unknown --interactive!unknown --no-run-if-empty --verbose --exit --arg-file=read --delimiter= --eof=? --replace=? --max-lines=? --max-args= --max-procs= --max-chars= --process-slot-var=!environment --show-limits")
        .operands(Operands::Text)
        .check(xargs)
        .examples(&[("xargs ls", ""), ("xargs -n1 -P4 cat", ""), ("xargs", "unknown"), ("xargs -p rm", "unknown"), ("xargs --odd ls", "unknown"), ("xargs -n1 -I{} echo {}", ""), ("xargs -I \"$M\" echo x", "unknown")]),
    Spec::new("parallel sem", Effects::EXECUTES)
        .style(Style::Raw)
        .check(super::parallel::check)
        .examples(&[
            ("parallel rm ::: a b", "executes"),
            ("parallel -j4 --bar 'wc -l {}' ::: a b", "executes"),
            ("parallel", "executes unknown"),
            ("parallel --frob rm ::: a", "executes unknown"),
            ("parallel -I% 'wc %' ::: a", "executes unknown"),
        ]),
];

fn other_process<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["p", "--pid"]) {
        out.runs.clear();
    }
}

/// `NAME=value` words before the command; the rest is the command.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "busybox"];

fn after_assignments<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) -> &'a [Argument<'a>] {
    let count = words.iter().take_while(|word| word.prefix().contains('=')).count();
    let (assignments, rest) = words.split_at(count);
    let rest = match rest.split_first() {
        Some((dashes, rest)) if dashes.known() == Some("--") => rest,
        Some(_) | None => rest,
    };
    let program = rest.first().and_then(Argument::known);
    for (name, value) in assignments.iter().filter_map(|word| {
        word.prefix().split_once('=').map(|(name, value)| (name, word.literal.then_some(value)))
    }) {
        if crate::variables::matters(name, value, program) {
            out.add(Effects::ENVIRONMENT);
        }
        let shell = program.is_some_and(|name| SHELLS.contains(&name.rsplit('/').next().unwrap_or(name)));
        if shell && matches!(name, "HOME" | "PWD" | "OLDPWD" | "CDPATH" | "IFS") {
            // The code that follows means other files by its words.
            out.doubt(Why::Changed, name, Span::default());
        }
    }
    rest
}

fn words_from<'a>(invocation: &Invocation<'_, 'a>) -> &'a [Argument<'a>] {
    invocation.words.get(invocation.first_operand..).unwrap_or_default()
}

fn assignments_first<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = words_from(invocation);
    let rest = after_assignments(words, out);
    if rest.len() < words.len() {
        out.runs.clear();
        out.runs.push(Run::Words(rest));
    }
}

fn env<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = words_from(invocation);
    let lines = invocation.options.iter().filter(|seen| matches!(seen.name, "S" | "--split-string"));
    if lines.count() > 1 {
        // The first becomes words, among which the next is something else.
        return out.doubt(Why::UnclearCommand, "env -S", Span::default());
    }
    if let Some(line) = invocation.value(&["S", "--split-string"]) {
        let plain = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _./=:@%+,-".contains(&byte))
        };
        let Some(text) = line.known().filter(|text| plain(text)) else {
            // It has a language of its own: escapes, quotes, variables.
            out.runs.push(Run::Script(line, Dialect::Sh));
            return out.doubt(Why::UnclearCode, line.text, line.span);
        };
        let split =
            text.split(' ').filter(|word| !word.is_empty()).map(|word| Argument::literal(word, line.span));
        words = out.arena.alloc_slice_copy(&split.chain(words.iter().copied()).collect::<Vec<_>>());
    }
    let rest = after_assignments(words, out);
    if rest.is_empty() {
        // Printing the whole environment prints whatever tokens are in it.
        out.add(Effects::READS.and(Effects::SECRETS));
    } else {
        out.runs.push(Run::Words(rest));
    }
}

/// `watch` hands its words to a shell, joined, unless told to run them as they are.
fn watch<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = words_from(invocation);
    if invocation.has(&["x", "--exec"]) {
        return out.runs.push(Run::Words(words));
    }
    shell_words(words, out);
}

fn shell_words<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
    let Some(first) = words.first() else { return };
    let span = words.iter().fold(first.span, |span, word| span.to(word.span));
    if words.iter().all(|word| word.literal) {
        let joined = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        out.runs.push(Run::Script(Argument::literal(out.arena.alloc_str(&joined), span), Dialect::Sh));
    } else {
        out.doubt(Why::UnclearCode, first.text, span);
    }
}

/// `flock FILE COMMAND…`, `flock FILE -c TEXT`, `flock DESCRIPTOR`.
fn flock<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let Some((file, rest)) = words_from(invocation).split_first() else { return };
    if !file.numeric || !rest.is_empty() {
        out.writes(*file);
    }
    match rest {
        [] => {}
        [option, text] if matches!(option.known(), Some("-c" | "--command")) => {
            out.runs.push(Run::Script(*text, Dialect::Sh));
        }
        words => out.runs.push(Run::Words(words)),
    }
}

/// `xargs COMMAND…`: words from its input are added at the end, put where a mark stands, or both.
///
/// Which of several `-I`, `-n` and `-L` counts differs between the implementations and their versions (GNU puts the
/// text in its place with `-n1 -I{}`, older ones add it at the end), so a mark is one wherever it was ever given.
fn xargs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = words_from(invocation);
    let Some(first) = words.first() else {
        return out.doubt(Why::UnknownOperand, "xargs without a command", Span::default());
    };
    let given = invocation.options.iter().filter(|seen| matches!(seen.name, "I" | "J" | "i" | "--replace"));
    let given: Vec<Option<Argument<'a>>> = given.map(|seen| seen.value).collect();
    let mut marks = Vec::with_capacity(given.len());
    for value in given.iter().copied() {
        match value.map_or(Some("{}"), |value| value.known()) {
            Some(mark) if !mark.is_empty() => marks.push(mark),
            // Any part of any word may be the mark.
            Some(_) | None => out.doubt(Why::UnclearCode, "xargs with a mark that is not known", first.span),
        }
    }
    let marked = |word: &Argument<'a>| marks.iter().any(|mark| word.text.contains(mark));
    // A later `-n` or `-L` may take the mark back, and a mark that is not used takes nothing away.
    let grouped = invocation.has(&["n", "L", "l", "--max-args", "--max-lines"]);
    let printed = handed_on(invocation, out);
    let adds = grouped || marks.len() != 1 || !words.iter().any(marked);
    let mut command: Vec<Argument<'a>> = words
        .iter()
        .map(|word| marks.iter().fold(*word, |word, mark| replaced(&word, mark, printed, out)))
        .collect();
    if adds {
        command.push(Argument { many: true, printed, ..Argument::unknown(first.span) });
    }
    out.runs.push(Run::Words(out.arena.alloc_slice_copy(&command)));
}

/// The commands whose lines `xargs` hands on: it reads no other list, and cuts them where lines and words end.
fn handed_on<'a>(invocation: &Invocation<'_, 'a>, out: &Outcome<'a>) -> Option<Printed> {
    const COUNTS: &[&str] = &["n", "P", "L", "l", "--max-args", "--max-lines", "--max-procs"];
    let other = invocation.has(&["a", "--arg-file", "d", "--delimiter"]);
    let mut counts = invocation.options.iter().filter(|seen| COUNTS.contains(&seen.name));
    let counted = counts.all(|seen| seen.value.is_none_or(|value| value.numeric));
    out.fed_by.filter(|_| !other && counted)
}

/// The word with the mark taken for text that is not known.
fn replaced<'a>(
    word: &Argument<'a>,
    mark: &str,
    printed: Option<Printed>,
    out: &Outcome<'a>,
) -> Argument<'a> {
    if !word.text.contains(mark) {
        return *word;
    }
    let text = out.arena.alloc_str(&word.text.replace(mark, "*"));
    Argument {
        text,
        literal: false,
        numeric: false,
        glob: false,
        found: None,
        // One name, in a word that is known but for it.
        printed: printed.filter(|_| word.literal && word.text.matches(mark).count() == 1),
        shape: None,
        nearly: None,
        counted: false,
        choices: &[],
        may_dash: word.may_dash || text.starts_with('*'),
        ..*word
    }
}
