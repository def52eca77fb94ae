//! Whether allow rules cover a whole call (SPEC F9, R4–R6, R10): every part of it, and no more than they say.

mod addresses;
mod bounds;
mod purpose;
pub(crate) mod wrapped;

use portcullis_shell::{Command, Effects, Placement, Reading, Why, nature};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::glob::Match;
use crate::matching::hits::could_run_anything;
use crate::matching::names::is_like;
use crate::matching::permitted::{edit_permitted, is_acceptable_edit, may_read, path_rule};
use crate::matching::whole_tool;
use crate::mode::Mode;
use crate::read_only;
use crate::rules::{Coverage, List, Pattern, Rule, Specifier, Words, is_dangerous};
use crate::ruling::{Part, PartResult, Reason};
use crate::run_files::stdin_code::runs_what_it_is_fed;
use crate::run_files::variables::sets_nothing_that_matters;
use crate::view::{Access, View, project_files, trusted, within};
use crate::web::{self, Host};
use addresses::same_addresses;
use purpose::{within_cmdlet, within_nature};
use wrapped::inner_pattern;

/// The rules that together allow the whole call, if they do.
pub(crate) fn allowing(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    if view.lifts_isolation || view.odd_field.is_some() {
        return None;
    }
    let whole = whole_tool(List::Allow, call, context).filter(|rule| in_force(rule, context));
    match (&view.reading, &call.tool) {
        (Some(reading), _) => shell(call, view, reading, whole, context),
        (None, Tool::WebFetch) => host(view, whole, context),
        (None, tool) if tool.edits_files() || tool.reads_files() => {
            let trusted = || view.paths.iter().all(|path| trusted::is_inside(path, context));
            whole.filter(|_| trusted()).map(by_rule).or_else(|| files(view, context))
        }
        // An approval is for the definition it was given for (R13).
        (None, Tool::Mcp(_)) if context.facts.definition_changed => None,
        (None, _) => whole.map(by_rule).or_else(|| named(call, view, context)),
    }
}

fn by_rule(rule: &Rule) -> Reason {
    Reason::Rule {
        rule: rule.text.clone(),
        list: rule.list,
        origin: rule.origin.clone(),
        clear: true,
        part: None,
    }
}

/// Rules that are dangerous in auto mode are set aside there (D1).
fn in_force(rule: &Rule, context: &Context) -> bool {
    context.effective_mode() != Mode::Auto || !is_dangerous(rule, context.switches.extra_dangerous)
}

fn named(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let name = view.name.as_deref()?;
    let mut rules =
        context.rules.details(List::Allow, call.tool.name()).filter(|rule| in_force(rule, context));
    rules
        .find(
            |rule| matches!(&rule.specifier, Specifier::Name(wanted) if is_like(wanted, name) == Match::Yes),
        )
        .map(by_rule)
}

/// A rule for all hosts means public ones; this machine and its network must be named.
fn host(view: &View, whole: Option<&Rule>, context: &Context) -> Option<Reason> {
    let first = one_host(view.host.as_ref()?, whole, context)?;
    // Where it leads on to must be allowed as well (R13).
    match &context.facts.redirect {
        Some(next) => one_host(&web::host(next), whole, context).map(|_| first),
        None => Some(first),
    }
}

fn one_host(host: &Host, whole: Option<&Rule>, context: &Context) -> Option<Reason> {
    let resolved = |name: &str| {
        let known = context.facts.addresses.iter().filter(|(host, _)| host == name);
        known
            .map(|(_, address)| web::host(&format!("http://{address}/")))
            .all(|host| matches!(host, Host::Public(_)))
    };
    match host {
        Host::Unclear => None,
        Host::Public(host) if !resolved(host) => domain(host, context, true).map(by_rule),
        Host::Public(host) => whole.or_else(|| domain(host, context, false)).map(by_rule),
        Host::Private(host) => domain(host, context, true).map(by_rule),
    }
}

fn domain<'c>(host: &str, context: &'c Context, by_name: bool) -> Option<&'c Rule> {
    context.rules.domains(List::Allow, host).find(|rule| match &rule.specifier {
        Specifier::Domain(pattern) if by_name => pattern.names(host),
        Specifier::Domain(pattern) => pattern.matches(host),
        Specifier::Whole
        | Specifier::Command(_)
        | Specifier::Prompt(_)
        | Specifier::Path(_)
        | Specifier::Name(_)
        | Specifier::Parameter { .. }
        | Specifier::Broken(_) => false,
    })
}

fn files(view: &View, context: &Context) -> Option<Reason> {
    let mut last = None;
    for path in &view.paths {
        last = Some(path_rule(path, context)?);
    }
    last.map(by_rule)
}

fn shell(
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    whole: Option<&Rule>,
    context: &Context,
) -> Option<Reason> {
    let unreadable = |why: Why| why.is_refusal() || matches!(why, Why::Syntax | Why::Dialect);
    if reading.unclear.iter().any(|doubt| unreadable(doubt.why)) || view.line.trim().is_empty() {
        return None;
    }
    if let Some(rule) = whole {
        return Some(by_rule(rule));
    }
    if context.session.shell_changed {
        return None;
    }
    if let Some(rule) = spelled_out(call, view, context) {
        return Some(by_rule(rule));
    }
    let state = Effects::SHELL_STATE.and(Effects::WRITES);
    if !reading.shell.without(state).is_harmless() || !redirects_permitted(view, context) {
        return None;
    }
    let mut parts = Vec::with_capacity(reading.commands.len());
    for command in &reading.commands {
        let rule = covering(command, call, view, reading, context);
        let harmless = rule.is_none() && passes_by_itself(command, call, view, context);
        if rule.is_none() && !harmless {
            return None;
        }
        parts.push(PartResult {
            part: Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) },
            rule: rule.map(|rule| (rule.text.clone(), rule.origin.clone())),
            note: if harmless { "only reads" } else { "allowed by a rule" },
            allowed: true,
        });
    }
    if stray_doubts(reading) {
        return None;
    }
    let writes = view.paths.iter().any(|path| path.redirect && path.access != Access::Read);
    conclude(parts, writes)
}

/// One part speaks for itself; several are listed.
fn conclude(parts: Vec<PartResult>, writes: bool) -> Option<Reason> {
    match parts.as_slice() {
        [PartResult { rule: Some((rule, origin)), .. }] => Some(Reason::Rule {
            rule: rule.clone(),
            list: List::Allow,
            origin: origin.clone(),
            clear: true,
            part: None,
        }),
        [] => None,
        // Without a rule there is nothing to cover, unless a rule or the mode let the shell write.
        several if !writes && several.iter().all(|part| part.rule.is_none()) => None,
        _ => Some(Reason::Parts(parts)),
    }
}

/// The rule whose text is the whole line.
fn spelled_out<'c>(call: &ToolCall, view: &View, context: &'c Context) -> Option<&'c Rule> {
    let mut rules = context.rules.spelled_out(List::Allow, &call.tool, &view.line);
    rules.find(|rule| in_force(rule, context) && rule.pattern().is_some_and(Pattern::is_exact))
}

/// Doubts that belong to no command, so that no rule can have meant them.
fn stray_doubts(reading: &Reading) -> bool {
    let claimed = |span| reading.commands.iter().any(|command| within(span, command.span));
    reading.unclear.iter().any(|doubt| !claimed(doubt.span))
}

/// The rule that covers one command.
fn covering<'c>(
    command: &Command,
    call: &ToolCall,
    view: &View,
    reading: &Reading,
    context: &'c Context,
) -> Option<&'c Rule> {
    command.program.as_ref()?;
    if !sets_nothing_that_matters(command) || opens_connection(command) {
        return None;
    }
    let mut words = Words::as_written(command);
    if call.tool == Tool::PowerShell {
        words.lower();
    }
    let covers = |pattern: &Pattern| {
        let lowered = (call.tool == Tool::PowerShell).then(|| pattern.lowered());
        match lowered.unwrap_or(pattern).covers(command, &words) {
            Coverage::No => false,
            Coverage::Exact => {
                runs_at_home(command, call, context)
                    && no_grave_doubt(command, reading)
                    && !runs_what_it_is_fed(command, view)
            }
            Coverage::Wild => {
                runs_at_home(command, call, context)
                    && no_doubt(command, view, reading)
                    && same_addresses(pattern, command)
                    && bounds::stays_within(pattern, command, call, view, context)
                    && within_nature(command, pattern.leading(), view, context)
                    && (call.tool != Tool::PowerShell
                        || within_cmdlet(command, pattern.leading(), view, context))
            }
        }
    };
    let rules = context.rules.commands(List::Allow, &call.tool, &command.word);
    let mut rules = rules.filter(|rule| in_force(rule, context));
    let own = rules.find(|rule| rule.pattern().is_some_and(&covers));
    // What one command starts has its span; what runs for it elsewhere in the line has another.
    let starts = |outer: &&Command| outer.span == command.span;
    let wrapped = command.placement == Placement::Wrapped;
    let mut outer = reading.commands.iter().filter(|_| wrapped).filter(starts);
    own.or_else(|| {
        outer.find_map(|outer| {
            let inner = |rule: &Rule| inner_pattern(rule.pattern()?, outer, command);
            let rules = context.rules.commands(List::Allow, &call.tool, &outer.word);
            let mut rules = rules.filter(|rule| in_force(rule, context));
            rules.find(|rule| inner(rule).is_some_and(|pattern| covers(&pattern)))
        })
    })
}

/// Whether the shell opens a connection for the command: `> /dev/tcp/host/80`. No words of a rule show that.
fn opens_connection(command: &Command) -> bool {
    let connection = Effects::NETWORK_READ.and(Effects::NETWORK_WRITE).and(Effects::SENDS_DATA);
    command.effects.without(command.own).meets(connection)
}

/// Code of a project is only covered where the project is trusted, and as the user knew it.
fn runs_at_home(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let runs_project = command.effects.meets(Effects::PROJECT_CODE);
    let obeys = runs_project || command.program.as_deref() == Some("git");
    let elsewhere = obeys && trusted::outside_directory(command, call, context).is_some();
    let rewritten = runs_project && context.session.build_changed;
    !elsewhere && !rewritten
}

/// Whether nothing about the command is doubted, but that the program is not one we know, or the one that it starts, which is
/// looked at by itself.
fn no_doubt(command: &Command, view: &View, reading: &Reading) -> bool {
    let unknown_program = command.program.as_deref().is_some_and(|program| nature(program, &[]).is_none());
    let started = |word: &str| {
        let mut others = reading.commands.iter().filter(|other| other.span == command.span);
        others
            .any(|other| other.placement == Placement::Wrapped && other.word == word && command.word != word)
    };
    let doubts = reading.unclear.iter().filter(|doubt| within(doubt.span, command.span));
    doubts.into_iter().all(|doubt| {
        doubt.why == Why::UnknownCommand && (unknown_program || started(doubt.span.of(&view.line)))
    })
}

/// What a rule spells out may be strange, but not open: it must not run what is only known at run time.
fn no_grave_doubt(command: &Command, reading: &Reading) -> bool {
    let doubts = reading.unclear.iter().filter(|doubt| within(doubt.span, command.span));
    !doubts.into_iter().any(could_run_anything)
}

/// Whether a command passes without a rule: it only reads, or it only starts another command.
fn passes_by_itself(command: &Command, call: &ToolCall, view: &View, context: &Context) -> bool {
    const LOOKED_THROUGH: &[&str] =
        &["timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "noglob"];
    // A shell that is given a string is not one of them either: what it runs is not what the rule shows.
    const NOT_LOOKED_THROUGH: &[&str] = &[
        "env", "xargs", "sudo", "doas", "watch", "setsid", "ionice", "flock", "bash", "sh", "zsh", "dash",
        "ksh", "fish", "su",
    ];
    let name = command.program.as_deref().unwrap_or_default();
    let assigned = sets_nothing_that_matters(command);
    if LOOKED_THROUGH.contains(&name) && command.effects.is_harmless() {
        return assigned;
    }
    assigned && !NOT_LOOKED_THROUGH.contains(&name) && read_only::part_reads(command, call, view, context)
}

/// Whether every file that the shell opens may be edited or read: a rule for a command means no file that it
/// does not name.
fn redirects_permitted(view: &View, context: &Context) -> bool {
    view.paths.iter().filter(|path| path.redirect).all(|path| match path.access {
        Access::Read => may_read(path, context),
        Access::Write | Access::Delete => edit_permitted(path, context),
    })
}

/// Whether the line only reads and changes files by simple means, all inside the project (acceptEdits).
pub(crate) fn is_simple_file_command(call: &ToolCall, view: &View, context: &Context) -> bool {
    const SIMPLE: &[&str] = &["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed", "tee", "ln", "truncate"];
    const PATCHES: &[&str] = &["apply_patch", "applypatch"];
    let Some(reading) = &view.reading else { return false };
    let files = Effects::HARMLESS.and(Effects::WRITES).and(Effects::DELETES);
    let simple = |command: &Command| {
        let name = command.program.as_deref().unwrap_or_default();
        let assigned = sets_nothing_that_matters(command);
        // Only a redirect writes: the program itself reads.
        let harmless = command.own.is_harmless();
        assigned
            && command.effects.without(files).is_empty()
            && project_files::obeys_nobody(command, call, context)
            && trusted::outside_directory(command, call, context).is_none()
            && (SIMPLE.contains(&name) || PATCHES.contains(&name) || harmless)
    };
    reading.unclear.is_empty()
        && !context.session.shell_changed
        && reading.shell.without(files).is_empty()
        && reading.commands.iter().all(simple)
        && view.paths.iter().all(|path| match path.access {
            Access::Read => trusted::is_inside(path, context),
            Access::Write | Access::Delete => is_acceptable_edit(path, context),
        })
}
