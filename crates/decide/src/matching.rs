//! Whether a deny or ask rule touches a call (SPEC R1, R4–R7): any part of it, however it is spelled.
//!
//! The strongest answer over all rules counts, never the first: an Unclear must not hide a later Yes.

use std::borrow::Cow;

use portcullis_shell::{Command, Reading, Unclear, Why};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::destinations;
use crate::fields;
use crate::glob::{self, Match};
use crate::handed;
use crate::leads;
use crate::mentions;
use crate::rules::{Anchor, List, Pattern, Rule, Specifier, Target, Words};
use crate::ruling::{Part, Reason};
use crate::skipped;
use crate::spellings::{aliases, spellings, without_version};
use crate::view::{Access, PathUse, View};
use crate::web::{self, Host};

/// A rule that touches the call, surely or perhaps.
pub(crate) struct Hit<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) clear: bool,
    pub(crate) part: Option<Part>,
}

impl Hit<'_> {
    pub(crate) fn reason(&self) -> Reason {
        Reason::Rule {
            rule: self.rule.text.clone(),
            list: self.rule.list,
            origin: self.rule.origin.clone(),
            clear: self.clear,
            part: self.part.clone(),
        }
    }
}

/// The strongest hit so far.
#[derive(Default)]
pub(crate) struct Strongest<'r>(Option<Hit<'r>>);

impl<'r> Strongest<'r> {
    pub(crate) fn add(&mut self, rule: &'r Rule, found: Match, part: impl FnOnce() -> Option<Part>) {
        let better = match (&self.0, found) {
            (_, Match::No) => false,
            (None, _) => true,
            (Some(hit), Match::Yes) => !hit.clear,
            (Some(_), Match::Unclear) => false,
        };
        if better {
            self.0 = Some(Hit { rule, clear: found == Match::Yes, part: part() });
        }
    }

    fn is_clear(&self) -> bool {
        self.0.as_ref().is_some_and(|hit| hit.clear)
    }
}

/// The rule of `list` that is about the whole tool, if there is one (F1, F2).
pub(crate) fn whole_tool<'r>(list: List, call: &ToolCall, context: &'r Context) -> Option<&'r Rule> {
    let rules = &context.rules;
    let name = call.tool.name();
    let beside = if call.tool.edits_files() {
        Some("Edit")
    } else {
        (call.tool.reads_files() && list != List::Allow).then_some("Read")
    };
    // Under the name that the host has for it a shell tool can be forbidden, not allowed: it runs any command.
    let called = call.called.as_deref().filter(|_| list != List::Allow);
    let exact = rules.whole(list, name).next();
    let exact = exact.or_else(|| called.and_then(|called| rules.whole(list, called).next()));
    let exact = exact.or_else(|| beside.and_then(|beside| rules.whole(list, beside).next()));
    let exact = exact.or_else(|| {
        let Tool::Mcp(name) = &call.tool else { return None };
        let mut names = servers(name, list).into_iter().flat_map(|server| [format!("{server}__*"), server]);
        names.find_map(|name| rules.whole(list, &name).next())
    });
    exact.or_else(|| {
        rules.named_by_pattern(list).next()?;
        let signs: Vec<glob::Sign> = glob::signs(name, false).collect();
        rules.named_by_pattern(list).find(|rule| {
            let pattern: Vec<glob::Sign> = glob::signs(&rule.tool, true).collect();
            glob::matches(&pattern, &signs) == Match::Yes
        })
    })
}

/// The servers that an MCP name can mean. `mcp__git__hub__delete` can be of `git` or of `git__hub`: whoever
/// denies one means both, whoever allows one cannot be sure.
pub(crate) fn servers(name: &str, list: List) -> Vec<String> {
    let rest = name.strip_prefix("mcp__").unwrap_or_default();
    let splits: Vec<usize> = rest.match_indices("__").map(|(at, _)| at).collect();
    if list == List::Allow && splits.len() != 1 {
        return Vec::new();
    }
    splits.into_iter().filter_map(|at| rest.get(..at)).map(|server| format!("mcp__{server}")).collect()
}

/// The rule of `list` that touches the call's content, if there is one (F4, F6).
pub(crate) fn touching<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    context: &'r Context,
) -> Option<Hit<'r>> {
    let mut found = Strongest::default();
    if let Some(reading) = &view.reading {
        commands(list, call, view, reading, context, &mut found);
    }
    for path in &view.paths {
        if found.is_clear() {
            break;
        }
        paths(list, path, call, context, &mut found);
    }
    unseen_paths(list, view, context, &mut found);
    mentions::rules(list, view, call, context, &mut found);
    hosts(list, view, context, &mut found);
    destinations::rules(list, view, call, context, &mut found);
    fields::details(list, call, view, context, &mut found);
    fields::broken(list, call, context, &mut found);
    found.0
}

/// The rule of `list` that touches what the call runs from files (P0). Of the user's own files only what is clear counts:
/// what may be meant in a tracked script would be asked about with every run.
pub(crate) fn in_files<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    context: &'r Context,
) -> Option<Hit<'r>> {
    context.rules.all().iter().find(|rule| rule.list == list)?;
    let texts = crate::harm::shell_texts_run(call, view, context);
    let hits = texts.into_iter().filter_map(|(text, settled)| {
        let (line, inner) = crate::harm::as_line(&text, &call.cwd, context);
        let hit = touching(list, &line, &View::of(&line, &inner), context)?;
        (hit.clear || !settled).then_some(Hit { part: None, ..hit })
    });
    hits.reduce(|first, second| if second.clear && !first.clear { second } else { first })
}

/// Of two hits the clear one; of equals the first.
pub(crate) fn stronger<'r>(first: Option<Hit<'r>>, second: Option<Hit<'r>>) -> Option<Hit<'r>> {
    match (first, second) {
        (Some(first), Some(second)) if second.clear && !first.clear => Some(second),
        (Some(first), _) => Some(first),
        (None, second) => second,
    }
}

fn commands<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let rules = &context.rules;
    let mut any = rules.all_commands(list, &call.tool).peekable();
    let Some(first) = any.peek().copied() else { return };
    if reading.refused().is_some() {
        // A limit never skips a rule: the raw text is looked at instead.
        for rule in any {
            let mut names = rule.pattern().into_iter().flat_map(Pattern::by_any_name);
            if names.any(|pattern| pattern.in_raw_text(&view.line)) {
                return found.add(rule, Match::Yes, || None);
            }
        }
        return found.add(first, Match::Unclear, || None);
    }
    // A rule that is the whole line means it, whatever the line is made of.
    if let Some(rule) = rules.spelled_out(list, &call.tool, &view.line).next() {
        return found.add(rule, Match::Yes, || None);
    }
    for command in &reading.commands {
        command_rules(list, call, view, command, context, found);
        if found.is_clear() {
            return;
        }
    }
    if let Some(doubt) = reading.unclear.iter().find(|doubt| could_run_anything(doubt)) {
        found.add(first, Match::Unclear, || Some(part(view, doubt.span)));
    }
}

fn command_rules<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    command: &Command,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let program = command.program.as_deref().unwrap_or(&command.word);
    let at = || Some(part(view, command.span));
    let mut words: Option<Vec<Words>> = None;
    let mut check = |rule: &'r Rule, found: &mut Strongest<'r>| {
        let spellings = words.get_or_insert_with(|| spellings(command, call, context));
        found.add(rule, means(rule, command, spellings, call), at);
    };
    for rule in context.rules.commands(list, &call.tool, program) {
        check(rule, found);
    }
    if command.word != program {
        for rule in context.rules.commands(list, &call.tool, &command.word) {
            check(rule, found);
        }
    }
    if let Some((name, value)) = command.assignments.first() {
        let first = format!("{name}={}", value.text);
        for rule in context.rules.commands(list, &call.tool, &first) {
            check(rule, found);
        }
    }
    for alias in aliases(command, call) {
        for rule in context.rules.commands(list, &call.tool, alias) {
            check(rule, found);
        }
    }
    if command.program.is_none() {
        for rule in context.rules.all_commands(list, &call.tool) {
            check(rule, found);
        }
    }
    if let Some(named) = without_version(command) {
        command_rules(list, call, view, &named, context, found);
    }
    handed::rules(list, call, view, command, context, found);
}

/// Whether the rule means the command, by any of its names and theirs.
pub(crate) fn means(rule: &Rule, command: &Command, spellings: &[Words], call: &ToolCall) -> Match {
    let Some(pattern) = rule.pattern() else { return Match::No };
    let lowered = (call.tool == Tool::PowerShell).then(|| pattern.lowered());
    let patterns = lowered.unwrap_or(pattern).by_any_name();
    let likely = patterns.enumerate().filter(|(at, pattern)| *at == 0 || could_mean(pattern, command));
    let found = likely.map(|(_, pattern)| {
        let spelled = spellings.iter().map(|words| pattern.matches(words)).max().unwrap_or(Match::No);
        spelled.max(skipped::matches(pattern, command, lowered.is_some()))
    });
    found.max().unwrap_or(Match::No)
}

/// Whether the command may have the second word of another name: a quick look before a thorough one. It stands behind the
/// program or is the sub-command, so that nothing behind a known sub-command can be it.
fn could_mean(pattern: &Pattern, command: &Command) -> bool {
    let end = command.verbs.iter().min().map_or(command.arguments.len(), |verb| verb + 1);
    let front = command.arguments.get(..end).unwrap_or(&command.arguments);
    let has = |word: &str| front.iter().any(|it| !it.literal || it.text.eq_ignore_ascii_case(word));
    pattern.leading().get(1).is_none_or(|word| has(word))
}

/// Whether, for all that is known, the doubt could be any command.
pub(crate) fn could_run_anything(doubt: &Unclear) -> bool {
    match doubt.why {
        Why::UnclearCommand
        | Why::UnclearCode
        | Why::Arithmetic
        | Why::Syntax
        | Why::Dialect
        | Why::Changed
        | Why::NotModelled
        | Why::TooLong
        | Why::TooDeep
        | Why::TooMuch
        | Why::Hidden => true,
        Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand | Why::MaybeOption => false,
    }
}

pub(crate) fn part(view: &View, span: portcullis_shell::Span) -> Part {
    Part { text: span.of(&view.line).to_owned(), span: Some(span) }
}

fn paths<'r>(list: List, path: &PathUse, call: &ToolCall, context: &'r Context, found: &mut Strongest<'r>) {
    // What may not be read may not be written either.
    let writing = path.access != Access::Read;
    if call.tool.is_shell() {
        // A rule for the whole tool means the files that a command opens, too (R6).
        let tools: &[&str] = match path.access {
            Access::Read => &["Read"],
            Access::Write => &["Edit", "Write"],
            Access::Delete => &["Edit"],
        };
        for rule in tools.iter().flat_map(|tool| context.rules.whole(list, tool)) {
            found.add(rule, Match::Yes, || Some(path_part(path)));
        }
    }
    // Of other tools it is not known whether they read or write.
    let either = list == List::Ask && matches!(call.tool, Tool::Mcp(_) | Tool::Unknown(_));
    for edit in [true, false] {
        let applies = edit == writing || (writing && !edit && (list == List::Deny || either));
        if applies && context.rules.any_path(list, edit).is_some() {
            path_rules(list, edit, path, call, context, found);
        }
    }
    if path.searched && list != List::Allow {
        for name in leads::names(path, context).all {
            below(list, &name, path, call, context, found);
        }
    }
}

/// Rules that guard a part of a folder that is taken as a whole, by this name of it.
fn below<'r>(
    list: List,
    folder: &str,
    path: &PathUse,
    call: &ToolCall,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    // Whoever only looks through a folder does not change what it holds.
    for edit in [false, true].into_iter().filter(|edit| !edit || path.access != Access::Read) {
        let starts = |rule, anchor| anchors(rule, anchor, call, context);
        for rule in context.rules.paths_below(list, edit, folder, starts) {
            let Specifier::Path(pattern) = &rule.specifier else { continue };
            let mut starts = anchors(rule, pattern.anchor, call, context);
            if starts.any(|anchor| pattern.lies_below(folder, &anchor, context.fold_case)) {
                found.add(rule, Match::Unclear, || Some(path_part(path)));
            }
        }
    }
}

/// What may run any command may open any file (R5), and so may a line that is too long to be read (R9).
fn unseen_paths<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let doubts = view.reading.iter().flat_map(|reading| &reading.unclear);
    let Some(doubt) = doubts.into_iter().find(|doubt| could_run_anything(doubt)) else { return };
    let of_content = [false, true].into_iter().filter_map(|edit| context.rules.any_path(list, edit));
    let of_tool = ["Read", "Edit"].into_iter().flat_map(|tool| context.rules.whole(list, tool));
    if let Some(rule) = of_content.chain(of_tool).next() {
        found.add(rule, Match::Unclear, || Some(part(view, doubt.span)));
    }
}

fn path_rules<'r>(
    list: List,
    edit: bool,
    path: &PathUse,
    call: &ToolCall,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let names = leads::names(path, context);
    for name in names.all.iter().map(String::as_str) {
        // A path that is spelled out, though it may not be what it seems, is looked up by its names.
        let spelled = path.literal || (!path.deep && !name.contains(glob::is_wild));
        if !path.literal && !path.glob {
            // Whatever else it may be, any of these rules may mean it.
            if let Some(rule) = context.rules.any_path(list, edit) {
                found.add(rule, Match::Unclear, || Some(path_part(path)));
            }
            if !spelled {
                continue;
            }
        }
        let (literal, glob, deep) = (path.literal, path.glob, path.deep);
        let target = Target { path: name, literal, glob, deep, fold_case: context.fold_case };
        let starts = |rule, anchor| anchors(rule, anchor, call, context);
        let mut compare = |rule: &'r Rule| {
            let Specifier::Path(pattern) = &rule.specifier else { return };
            for anchor in starts(rule, pattern.anchor) {
                found.add(rule, pattern.guards(target, &anchor), || Some(path_part(path)));
            }
        };
        if spelled {
            context.rules.paths(list, edit, name).for_each(&mut compare);
        } else {
            // What is found at any depth may be in a folder that only the rule names.
            let wide = name.rsplit_once('/').filter(|_| deep).map(|(folder, _)| format!("{folder}/*"));
            let name = wide.as_deref().unwrap_or(name);
            context.rules.paths_like(list, edit, name, starts).for_each(&mut compare);
        }
    }
    if names.open {
        // Where the path leads is not known: any of these rules may be about it.
        if let Some(rule) = context.rules.any_path(list, edit) {
            found.add(rule, Match::Unclear, || Some(path_part(path)));
        }
    }
}

fn path_part(path: &PathUse) -> Part {
    Part { text: path.named.clone(), span: path.span }
}

/// Where a guarding rule may start from: relative ones from the root and from the working directory.
pub(crate) fn anchors<'c>(
    rule: &'c Rule,
    anchor: Anchor,
    call: &'c ToolCall,
    context: &'c Context,
) -> impl Iterator<Item = Cow<'c, str>> {
    let first = anchor_of(rule, anchor, context);
    let elsewhere = anchor == Anchor::Here && call.cwd != first;
    let second = elsewhere.then(|| context.as_absolute(&call.cwd));
    std::iter::once(first).chain(second)
}

/// What the rule's pattern starts from.
pub(crate) fn anchor_of<'c>(rule: &'c Rule, anchor: Anchor, context: &'c Context) -> Cow<'c, str> {
    context.as_absolute(match anchor {
        Anchor::Root => "/",
        Anchor::Home => &context.home,
        Anchor::Base => rule.origin.base.as_deref().unwrap_or_else(|| context.root()),
        Anchor::Here => context.root(),
    })
}

fn hosts<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let Some(first) = &view.host else { return };
    one_host(list, first, context, found);
    if let Some(next) = &context.facts.redirect {
        one_host(list, &web::host(next), context, found);
    }
}

fn one_host<'r>(list: List, host: &Host, context: &'r Context, found: &mut Strongest<'r>) {
    match host {
        Host::Unclear => {
            for rule in context.rules.all_domains(list) {
                found.add(rule, Match::Unclear, || None);
            }
        }
        Host::Public(host) | Host::Private(host) => {
            for rule in context.rules.domains(list, host) {
                let Specifier::Domain(pattern) = &rule.specifier else { continue };
                found.add(rule, pattern.guards(host), || None);
            }
        }
    }
}

/// Whether a name fits a pattern; a trailing ` *` also means the name alone.
pub(crate) fn is_like(pattern: &str, name: &str) -> Match {
    let signs: Vec<glob::Sign> = glob::signs(name, false).collect();
    let whole: Vec<glob::Sign> = glob::signs(pattern, true).collect();
    let alone = pattern.strip_suffix(" *").is_some_and(|start| start == name);
    Match::from_known(alone || glob::matches(&whole, &signs) == Match::Yes)
}
