//! GNU parallel: builds shell lines from its words and from what it is given, and runs them.
//!
//! Without `-q` the words are joined and read by a shell once more, so they are code, not arguments.

use super::invocation::{Invocation, Outcome, Run};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::span::Span;
use crate::unclear::Why;

/// Options that change nothing about which lines are run.
const FLAGS: &str = "-k --keep-order --bar --eta --progress --dry-run --dryrun -q --quote -0 --null -m -X --xargs -u \
    --ungroup --line-buffer --linebuffer --lb --tag --will-cite --no-notice -v -t --verbose --silent -r \
    --no-run-if-empty --group --link --xapply --shuf";

/// The same with a value.
const WITH_VALUE: &str = "-j --jobs -P --max-procs -n --max-args -N --max-replace-args -L --max-lines --delay \
    --timeout --retries --joblog --results --load --memfree --nice --halt --halt-on-error --tagstring -d --delimiter";

/// How many values are gone through one by one.
const MAX_VALUES: usize = 16;

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Where the command begins; an option that is not known may change what stands for a value.
fn after_options<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) -> &'a [Argument<'a>] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
        at += 1;
        let name = word.text.split('=').next().unwrap_or_default();
        let attached = name.len() < word.text.len();
        // `-j4`, `-j+0`, `-j50%`
        let short = word.text.get(..2).filter(|letter| {
            !word.text.starts_with("--") && word.text.len() > 2 && listed(WITH_VALUE, letter)
        });
        match word.known() {
            Some(text) if listed(FLAGS, text) => {}
            Some(_) if short.is_some() || (attached && listed(WITH_VALUE, name)) => {}
            Some(text) if listed(WITH_VALUE, text) => at += 1,
            Some(_) | None => out.doubt(Why::UnknownOption, format!("parallel {}", word.text), word.span),
        }
    }
    words.get(at..).unwrap_or_default()
}

/// The values after a single `:::`, where all of them are spelled out.
fn values<'a>(sources: &'a [Argument<'a>]) -> Option<&'a [Argument<'a>]> {
    let (mark, values) = sources.split_first()?;
    let plain = values.iter().all(|value| value.literal && !value.text.starts_with(":::"));
    (mark.known() == Some(":::") && plain && (1..=MAX_VALUES).contains(&values.len())).then_some(values)
}

pub(super) fn check<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = after_options(invocation.words, out);
    let end = words.iter().position(|word| word.text.starts_with(":::")).unwrap_or(words.len());
    let (command, sources) = words.split_at_checked(end).unwrap_or((words, &[]));
    let quoted = invocation.words.iter().any(|word| matches!(word.known(), Some("-q" | "--quote")));
    match (command, values(sources)) {
        ([], Some(values)) => {
            out.runs.extend(values.iter().map(|line| Run::Script(*line, Dialect::Bash)));
        }
        ([], None) => out.doubt(Why::UnclearCommand, "parallel runs the lines it is given", Span::default()),
        (command, Some(values)) if command.iter().all(|word| word.literal) => {
            for value in values {
                with(command, *value, quoted, out);
            }
        }
        (command, Some(_) | None) => with_unknown(command, quoted, out),
    }
}

/// Runs the command with one value in its place.
fn with<'a>(command: &'a [Argument<'a>], value: Argument<'a>, quoted: bool, out: &mut Outcome<'a>) {
    let marked = command.iter().any(|word| word.text.contains('{'));
    let odd = |word: &Argument<'a>| word.text.replace("{}", "").contains('{');
    if command.iter().any(odd) {
        return with_unknown(command, quoted, out);
    }
    let put = |word: &Argument<'a>| {
        let text = word.text.replace("{}", value.text);
        Argument::literal(out.arena.alloc_str(&text), word.span)
    };
    let mut words: Vec<Argument<'a>> = command.iter().map(put).collect();
    words.extend((!marked).then_some(value));
    let words = out.arena.alloc_slice_copy(&words);
    if quoted {
        return out.runs.push(Run::Words(words));
    }
    let line = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let line = Argument::literal(out.arena.alloc_str(&line), value.span);
    out.runs.push(Run::Script(line, Dialect::Bash));
}

/// Runs the command with something in its place that is only known at run time.
fn with_unknown<'a>(command: &'a [Argument<'a>], quoted: bool, out: &mut Outcome<'a>) {
    let marked = |word: &Argument<'a>| word.text.contains('{');
    let plain = |word: &Argument<'a>| {
        word.literal
            && word.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./=:@%+,-{}".contains(&byte))
    };
    if let Some(word) = command.iter().find(|word| !quoted && !plain(word)) {
        out.doubt(Why::UnclearCode, word.text, word.span);
    }
    let incoming = |span: Span| Argument { many: true, ..Argument::unknown(span) };
    let mut words: Vec<Argument<'a>> =
        command.iter().map(|word| if marked(word) { incoming(word.span) } else { *word }).collect();
    if let Some(last) = command.last().filter(|_| !command.iter().any(marked)) {
        words.push(incoming(last.span));
    }
    out.runs.push(Run::Words(out.arena.alloc_slice_copy(&words)));
}
