//! Commands that stand in the words of another command, which may run them (SPEC R4, R5): `frob --do=rm`.

use portcullis_shell::{Command, Dialect, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::fed;
use crate::glob::Match;
use crate::matching::{Strongest, means, part};
use crate::rules::{List, Pattern, Rule, Words};
use crate::spellings::spellings;
use crate::view::View;

/// Words of other languages that a command stands behind: `spawn rm x`, sed's `1e rm x`.
const STARTERS: &[&str] = &["spawn", "shell", ".shell", ".system", "system", "exec", "run", "e"];

/// A program that runs what it is given may run the rest of the line, or a line that is one of its words.
pub(crate) fn rules<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    command: &Command,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let runs = command.effects.meets(Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PRIVILEGE));
    // A file of the project that is run: `bash ./deploy.sh`.
    let file = command.effects.meets(Effects::PROJECT_CODE);
    // A program by a new name: `cp /bin/rm x`.
    let copies = command.own.meets(Effects::WRITES);
    let at = || Some(part(view, command.span));
    for (index, argument) in command.arguments.iter().enumerate() {
        let text = argument.text.as_str();
        if !(runs || (file && text.contains(['/', '='])) || (copies && text.contains("bin/"))) {
            continue;
        }
        for start in starts(text) {
            let inner: Vec<&str> = start.split_whitespace().collect();
            let Some((written, after)) = inner.split_first() else { continue };
            let first = base_name(written);
            let mut rules = context.rules.commands(list, &call.tool, first).peekable();
            if rules.peek().is_none() {
                continue;
            }
            let further = command.arguments.get(index + 1..).unwrap_or_default();
            let all = [first, written].map(|name| {
                let own: Vec<&str> = std::iter::once(name).chain(after.iter().copied()).collect();
                [Words::plain(&own), Words::of(name, further.iter())]
            });
            let all = all.as_flattened();
            for rule in rules {
                let names = rule.pattern().into_iter().flat_map(Pattern::by_any_name);
                let met = names.flat_map(|name| all.iter().map(|words| name.matches(words))).max();
                found.add(rule, met.unwrap_or(Match::No).min(Match::Unclear), at);
            }
        }
        if runs {
            code(list, call, text, context, &mut |rule| found.add(rule, Match::Unclear, at));
        }
    }
    for word in fed::code_of(command, view, call, context) {
        code(list, call, &word.text, context, &mut |rule| found.add(rule, Match::Unclear, at));
    }
    // `PAGER='rm x' man ls`, `export PAGER='rm x'`
    let given = command.assignments.iter().map(|(_, value)| value.text.as_str());
    let named = command.arguments.iter().filter_map(|word| set_to(&word.text));
    for value in given.chain(named).filter(|_| command.effects.meets(Effects::ENVIRONMENT)) {
        code(list, call, value, context, &mut |rule| found.add(rule, Match::Unclear, at));
    }
}

/// What a variable is set to.
fn set_to(word: &str) -> Option<&str> {
    let (name, value) = word.split_once('=')?;
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_').then_some(value)
}

/// Where a command may start in a word: at its beginning, behind a sign, behind the letter of an option.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    // `alias.x=!curl y` starts what stands behind the sign.
    let code = text.rsplit('!').next().unwrap_or(text);
    // `--extcmd=rm`, `CC='rm x'`: what stands behind the sign is the command.
    let first = code.split_whitespace().next().unwrap_or_default();
    let attached = first.rfind('=').and_then(|at| code.trim_start().get(at + 1..));
    // `--rm` is a word of its own.
    let glued = code.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    std::iter::once(code).chain(attached).chain(glued)
}

/// Rules for commands that stand in code, of a shell or of another language.
fn code<'r>(list: List, call: &ToolCall, text: &str, context: &'r Context, add: &mut dyn FnMut(&'r Rule)) {
    let known =
        |name: &str| !name.is_empty() && context.rules.commands(list, &call.tool, name).next().is_some();
    let apart = |sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.'));
    // Reading costs much, and most of a long text names no program that a rule is about.
    let speaks = |piece: &str| piece.split(apart).any(known);
    if !speaks(text) {
        return;
    }
    // `["git", "push"]` is one line.
    let joined = text.replace(['"', '\'', ',', '[', ']'], " ");
    let ends = |sign: char| {
        matches!(sign, '(' | ')' | '[' | ']' | '{' | '}' | ';' | '|' | '&' | '\n' | '`' | '!' | '=')
    };
    let quoted = text.split(|sign| ends(sign) || matches!(sign, '"' | '\''));
    let pieces = std::iter::once(text).chain(quoted).chain(joined.split(ends));
    for piece in pieces.filter(|piece| speaks(piece)) {
        let piece = piece.trim();
        let (first, rest) = piece.split_once(' ').unwrap_or((piece, ""));
        let starter = STARTERS.contains(&first.trim_start_matches(|sign: char| sign.is_ascii_digit()));
        for rule in spoken(list, call, if starter { rest } else { piece }, context) {
            add(rule);
        }
    }
}

/// Rules that mean a command of a line.
fn spoken<'r>(list: List, call: &ToolCall, line: &str, context: &'r Context) -> Vec<&'r Rule> {
    let reading = portcullis_shell::read(line, Dialect::Bash);
    let mut found = Vec::new();
    for command in &reading.commands {
        let Some(program) = command.program.as_deref() else { continue };
        let spelled = spellings(command, call, context);
        let rules = context.rules.commands(list, &call.tool, program);
        found.extend(rules.filter(|rule| means(rule, command, &spelled, call) != Match::No));
    }
    found
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
