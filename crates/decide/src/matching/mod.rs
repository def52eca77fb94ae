//! Whether a deny or ask rule touches a call (SPEC R1, R4–R7): any part of it, however it is spelled.
//!
//! The strongest answer over all rules counts, never the first: an Unclear must not hide a later Yes.

pub(crate) mod anchors;
mod computed;
pub(crate) mod copies;
mod destinations;
mod field_rules;
pub(crate) mod hits;
mod meaning;
pub(crate) mod mentions;
pub(crate) mod names;
mod nested_commands;
pub(crate) mod permitted;
mod skipped;
mod spellings;
pub(crate) mod whole_folders;

use portcullis_shell::{Command, Reading};

use anchors::anchors;
use hits::{Hit, Strongest, could_run_anything, part, path_part};
use meaning::means;
use names::servers;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::glob::{self, Match};
use crate::rules::{List, Pattern, Rule, Specifier, Target, Words};
use crate::run_files::{stdin_code, texts};
use crate::view::path_resolution;
use crate::view::{Access, PathUse, View};
use spellings::{aliases, spellings, without_version};

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
    whole_folders::rules(list, call, view, context, &mut found);
    unseen_paths(list, view, context, &mut found);
    mentions::rules(list, view, call, context, &mut found);
    destinations::fetched(list, view, context, &mut found);
    destinations::rules(list, view, call, context, &mut found);
    field_rules::details(list, call, view, context, &mut found);
    field_rules::broken(list, call, context, &mut found);
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
    let texts = texts::shell_texts(call, view, context);
    let hits = texts.into_iter().filter_map(|(text, settled)| {
        let (line, inner) = texts::as_line(&text, &call.cwd, context);
        let hit = touching(list, &line, &View::of(&line, &inner), context)?;
        (hit.clear || !settled).then_some(Hit { part: None, ..hit })
    });
    hits.reduce(|first, second| if second.clear && !first.clear { second } else { first })
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
    for name in copies::names(command, view, call, context) {
        by_earlier_name(list, call, view, command, &name, context, found);
    }
    nested_commands::rules(list, call, view, command, context, found);
}

/// Rules for the program by the name that it had before it was copied.
fn by_earlier_name<'r>(
    list: List,
    call: &ToolCall,
    view: &View,
    command: &Command,
    name: &str,
    context: &'r Context,
    found: &mut Strongest<'r>,
) {
    let at = || Some(part(view, command.span));
    if name == "*" {
        return context.rules.all_commands(list, &call.tool).take(1).for_each(|rule| {
            found.add(rule, Match::Unclear, at);
        });
    }
    let words = [Words::with_program(name, command)];
    for rule in context.rules.commands(list, &call.tool, name) {
        found.add(rule, means(rule, command, &words, call), at);
    }
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
        whole_folders::below(list, path, call, context, found);
    }
}

/// What may run any command may open any file (R5), and so may a line that is too long to be read (R9).
fn unseen_paths<'r>(list: List, view: &View, context: &'r Context, found: &mut Strongest<'r>) {
    let doubts = view.reading.iter().flat_map(|reading| &reading.unclear);
    let doubt = doubts.into_iter().find(|doubt| could_run_anything(doubt)).map(|doubt| doubt.span);
    let Some(span) = doubt.or_else(|| stdin_code::unseen(view).map(|command| command.span)) else { return };
    let of_content = [false, true].into_iter().filter_map(|edit| context.rules.any_path(list, edit));
    let of_tool = ["Read", "Edit"].into_iter().flat_map(|tool| context.rules.whole(list, tool));
    if let Some(rule) = of_content.chain(of_tool).next() {
        found.add(rule, Match::Unclear, || Some(part(view, span)));
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
    let names = path_resolution::names(path, context);
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
