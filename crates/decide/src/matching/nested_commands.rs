//! Commands that stand in the words of another command, which may run them (SPEC R4, R5): `frob --do=rm`.

use portcullis_shell::{Argument, Command, Dialect, Effects};

use super::computed;
use super::hits::{Strongest, part};
use super::meaning::means;
use super::spellings::spellings;
use crate::call::ToolCall;
use crate::context::Context;
use crate::glob::Match;
use crate::rules::{List, Pattern, Rule, Words};
use crate::run_files::given;
use crate::run_files::interpreters::is_inline_code;
use crate::run_files::stdin_code;
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
    let runs = command.effects.meets(Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PRIVILEGE))
        || is_renamed(command)
        || (command.effects.meets(Effects::PROJECT_CODE) && command.word.contains('/'));
    // A file of the project that is run: `bash ./deploy.sh`.
    let file = command.effects.meets(Effects::PROJECT_CODE);
    // A program by a new name: `cp /bin/rm x`.
    let copies = command.own.meets(Effects::WRITES);
    let at = || Some(part(view, command.span));
    for (index, argument) in command.arguments.iter().enumerate() {
        let text = argument.text.as_str();
        // `tox exec -- rm a`; alone or as a value, a word is only a name: `npm test -- rm`, `pytest -k rm x`.
        let line =
            text.contains(' ') || (index + 1 < command.arguments.len() && !command.values.contains(&index));
        if !(runs || (file && (line || text.contains(['/', '=']))) || (copies && text.contains("bin/"))) {
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
    for word in stdin_code::code_of(command, view, call, context) {
        code(list, call, &word.text, context, &mut |rule| found.add(rule, Match::Unclear, at));
    }
    // `PAGER='rm x' man ls`, `export PAGER='rm x'`, `git -c core.pager='rm x' log`
    for (_, value) in given::values(command, &view.line) {
        code(list, call, &value.text, context, &mut |rule| found.add(rule, Match::Unclear, at));
    }
    fed_unseen(list, call, view, command, context, found);
    settings(list, call, view, command, context, found);
}

/// Rules for what a command runs that is made up where it is run: any of them may be meant.
fn fed_unseen<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    command: &Command,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    if context.rules.all_commands(list, &call.tool).next().is_none() {
        return;
    }
    let made_up = || {
        let fed = stdin_code::code_of(command, view, call, context);
        let inline = command.arguments.iter().filter(|_| is_inline_code(command));
        inline.chain(&fed).any(|word| computed::starts_program(&word.text))
    };
    if stdin_code::runs_unseen(command, view) || made_up() {
        for rule in context.rules.all_commands(list, &call.tool).take(1) {
            found.add(rule, Match::Unclear, || Some(part(view, command.span)));
        }
    }
}

/// Whether the program is started under another name, which some programs go by: `exec -a rm busybox x`.
fn is_renamed(command: &Command) -> bool {
    let first = command.arguments.first().map_or("", |word| word.text.as_str());
    command.program.as_deref() == Some("exec") && first.starts_with('-') && first.contains('a')
}

/// Settings from elsewhere: files of git's configuration that the line names, and settings that are not spelled out.
const FOREIGN: &[&str] = &["GIT_CONFIG", "HOME", "XDG_CONFIG_HOME"];

/// Rules for what git's settings in the line make of a sub-command: `git -c alias.p=push p`.
fn settings<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    command: &Command,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let all = given::values(command, &view.line);
    let at = || Some(part(view, command.span));
    let is_file = |name: &str, value: &Argument| {
        value.text != "/dev/null"
            && (name.starts_with("GIT_CONFIG") || name.to_ascii_lowercase().starts_with("include"))
    };
    // What a file says, or is said for later, may name any program.
    if all.iter().any(|(name, value)| is_file(name, value) && name != "GIT_CONFIG_NOSYSTEM") {
        for rule in context.rules.all_commands(list, &call.tool).take(1) {
            found.add(rule, Match::Unclear, at);
        }
    }
    if command.program.as_deref() != Some("git") || !command.own.meets(Effects::UNKNOWN) {
        return;
    }
    let foreign = |name: &str| FOREIGN.iter().any(|start| name.starts_with(start));
    let open = all.iter().any(|(name, value)| foreign(name) || !value.literal);
    let resolved = resolved(command, &all);
    for rule in context.rules.commands(list, &call.tool, "git") {
        let names = || rule.pattern().into_iter().flat_map(Pattern::by_any_name);
        let met = resolved.iter().flat_map(|words| names().map(move |name| name.matches(words))).max();
        found.add(rule, met.unwrap_or(Match::No).max(if open { Match::Unclear } else { Match::No }), at);
    }
}

/// The command with its sub-command replaced by what the settings say that it stands for.
fn resolved(command: &Command, settings: &[(String, Argument)]) -> Option<Words> {
    /// An alias may stand for another one.
    const LONGEST: usize = 10;
    let meaning = |verb: &str| {
        let named = settings.iter().rev().find(|(key, _)| {
            let name = key.split_once('.').filter(|(section, _)| section.eq_ignore_ascii_case("alias"));
            name.is_some_and(|(_, name)| name.eq_ignore_ascii_case(verb))
        });
        named.map(|(_, value)| value.text.as_str())
    };
    let position = command.arguments.iter().position(|word| meaning(&word.text).is_some())?;
    let mut verb = command.arguments.get(position)?.text.as_str();
    let mut words: Vec<&str> = Vec::new();
    for _ in 0..LONGEST {
        let Some(text) = meaning(verb) else { break };
        let mut parts = text.split_whitespace();
        verb = parts.next()?;
        words.splice(0..0, parts);
    }
    words.insert(0, verb);
    let further = command.arguments.iter().skip(position + 1).map(|word| word.text.as_str());
    let all: Vec<&str> = std::iter::once("git").chain(words).chain(further).collect();
    Some(Words::plain(&all))
}

/// Where a command may start in a word: at its beginning, behind a sign, behind the letter of an option.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    // `alias.x=!curl y` starts what stands behind the sign.
    let code = text.rsplit('!').next().unwrap_or(text);
    // `--extcmd=rm`, `CC='rm x'`, `EXEC:rm x`: what stands behind the sign is the command.
    let first = code.split_whitespace().next().unwrap_or_default();
    let attached = first.rfind(['=', ':']).and_then(|at| code.trim_start().get(at + 1..));
    // `--rm` is a word of its own.
    let glued = code.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    // `ProxyCommand rm x`
    let behind = code.split_once(' ').map(|(_, rest)| rest);
    std::iter::once(code).chain(attached).chain(glued).chain(behind)
}

/// Rules for commands that stand in code, of a shell or of another language.
fn code<'r>(list: List, call: &ToolCall, text: &str, context: &'r Context, add: &mut dyn FnMut(&'r Rule)) {
    let known =
        |name: &str| !name.is_empty() && context.rules.commands(list, &call.tool, name).next().is_some();
    let apart = |sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.'));
    // Reading costs much, and most of a long text names no program that a rule is about.
    let speaks = |piece: &str| piece.split(apart).any(known);
    let whole = computed::whole_texts(text);
    if !speaks(text) && !whole.as_deref().is_some_and(speaks) {
        return;
    }
    if let Some(whole) = &whole {
        code(list, call, whole, context, add);
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
