//! Whether allow rules cover a whole call (SPEC F9, R4–R6, R10): every part of it, and no more than they say.

use std::borrow::Cow;

use portcullis_shell::{Command, Effects, Nature, Placement, Reading, Why, nature};

use crate::addresses::same_addresses;
use crate::bounds;
use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::fed::runs_what_it_is_fed;
use crate::glob::Match;
use crate::matching::{anchor_of, is_like, whole_tool};
use crate::mode::Mode;
use crate::path::is_doubtful;
use crate::protected;
use crate::reads;
use crate::rules::{Coverage, List, Pattern, Rule, Specifier, Target, Words, anything_in, is_dangerous};
use crate::ruling::{Part, PartResult, Reason};
use crate::variables::sets_nothing_that_matters;
use crate::view::{Access, PathUse, View};
use crate::web::{self, Host};
use crate::wrapped::inner_pattern;

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
            let trusted = || view.paths.iter().all(|path| reads::is_inside(path, context));
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

/// The allow rule that means the path: as it is named, and where it leads.
pub(crate) fn path_rule<'c>(path: &PathUse, context: &'c Context) -> Option<&'c Rule> {
    if is_doubtful(&path.named, context.platform) || reads::climbs_through_link(path, context) {
        return None;
    }
    let fact = if path.literal { Some(context.facts.path(&path.path)?) } else { None };
    if path.access != Access::Read && fact.as_ref().is_some_and(|fact| fact.shared) {
        // The same file has another name, which the rule may not mean.
        return None;
    }
    let resolved = fact.map_or_else(|| path.path.clone(), |fact| fact.resolved);
    if !path.literal && !path.glob {
        // What is not known may lead out of every folder that a rule names.
        return None;
    }
    let rule_for = |name: &str| {
        let writing = path.access != Access::Read;
        // A pattern is only allowed with the folder that it stays in.
        let looked_up = if path.literal { Cow::Borrowed(name) } else { Cow::Owned(anything_in(name)) };
        context.rules.paths(List::Allow, writing, &looked_up).find(|rule| {
            let Specifier::Path(pattern) = &rule.specifier else { return false };
            let (literal, glob, deep) = (path.literal, path.glob, path.deep);
            let target = Target { path: name, literal, glob, deep, fold_case: false };
            pattern.allows(target, &anchor_of(rule, pattern.anchor, context)) == Match::Yes
        })
    };
    let named = rule_for(&path.path)?;
    if resolved == path.path { Some(named) } else { rule_for(&resolved).map(|_| named) }
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
    let claimed = |span| reading.commands.iter().any(|command| reads::within(span, command.span));
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
    if !sets_nothing_that_matters(command) {
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

/// Code of a project is only covered where the project is trusted, and as the user knew it.
fn runs_at_home(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let runs_project = command.effects.meets(Effects::PROJECT_CODE);
    let obeys = runs_project || command.program.as_deref() == Some("git");
    let elsewhere = obeys && reads::outside_directory(command, call, context).is_some();
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
    let doubts = reading.unclear.iter().filter(|doubt| reads::within(doubt.span, command.span));
    doubts.into_iter().all(|doubt| {
        doubt.why == Why::UnknownCommand && (unknown_program || started(doubt.span.of(&view.line)))
    })
}

/// What a rule spells out may be strange, but not open: it must not run what is only known at run time.
fn no_grave_doubt(command: &Command, reading: &Reading) -> bool {
    let doubts = reading.unclear.iter().filter(|doubt| reads::within(doubt.span, command.span));
    !doubts.into_iter().any(crate::matching::could_run_anything)
}

/// Whether the command does nothing but what the words that the rule spells out are for (R10).
fn within_nature(command: &Command, spelled: &[String], view: &View, context: &Context) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let verbs = command.verbs.iter().filter_map(|index| command.arguments.get(*index));
    let verbs: Vec<&str> = verbs.map(|word| word.text.as_str()).collect();
    let named = command.verbs.iter().take_while(|index| **index + 1 < spelled.len()).count();
    // A program that we do not know does whatever it does; the user allowed it by name.
    let Some(base) = nature(program, verbs.get(..named).unwrap_or_default()) else { return true };
    let own = nature(program, &verbs).unwrap_or(base);
    let mut extra = command.own.without(Effects::HARMLESS).without(covered_effects(program, base, own));
    extra.add(command.by_options.without(covered_options(base, own)));
    extra = extra.without(spelled_effects(spelled));
    // Reading credentials and obeying the project have their own checks.
    extra = extra.without(Effects::SECRETS).without(Effects::OBEYS_PROJECT);
    let mine = |path: &&PathUse| !path.redirect && reads::in_span(path, command);
    let changed: Vec<&PathUse> =
        view.paths.iter().filter(mine).filter(|path| path.access != Access::Read).collect();
    // What lies outside is not meant, unless a rule for reading means it (R6).
    let read = view.paths.iter().filter(mine).filter(|path| path.access == Access::Read);
    let foreign = read.into_iter().any(|path| !reads::may_read(path, context));
    let files = Effects::WRITES.and(Effects::DELETES);
    if foreign {
        return false;
    }
    if !extra.is_empty() {
        // Writing is not what it is for: then each file must be named, and one that may be edited.
        let only_files = extra.without(files).is_empty() && !changed.is_empty();
        return only_files && changed.iter().all(|path| edit_permitted(path, context));
    }
    changed.iter().all(|path| reads::is_inside(path, context) || edit_permitted(path, context))
}

/// What a wildcard behind these words stands for.
fn covered_effects(program: &str, base: Nature, own: Nature) -> Effects {
    let all = Effects::ALL.iter().fold(Effects::NONE, |all, (effect, ..)| all.and(*effect));
    // Work that is thrown away does not come back: a rule that means that must spell it out.
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT).and(Effects::PRIVILEGE).and(Effects::DISCARDS);
    if base.open {
        return all.without(never);
    }
    if !base.group {
        // A script of the project is code like any other to what runs code.
        let runs = base.runs_code && base.does.meets(Effects::EXECUTES);
        return base.does.and(if runs { Effects::PROJECT_CODE } else { Effects::NONE });
    }
    // What `npm` runs is the project's; what sub-commands of git run is any program that the line names.
    let runs = program != "git" && (own.open || own.does.meets(Effects::EXECUTES));
    all.without(never).without(if runs { Effects::NONE } else { Effects::EXECUTES })
}

/// What the words of the rule do by themselves: whoever writes `git reset --hard *` means it.
fn spelled_effects(spelled: &[String]) -> Effects {
    if !spelled.iter().skip(1).any(|word| word.starts_with('-')) {
        return Effects::NONE;
    }
    let reading = portcullis_shell::read(&spelled.join(" "), portcullis_shell::Dialect::Bash);
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT);
    reading
        .commands
        .first()
        .map_or(Effects::NONE, |command| command.own.and(command.by_options).without(never))
}

/// What options may add without the rule spelling them out: nothing that runs code, opens a connection, or
/// writes where the command does not do so by itself.
fn covered_options(base: Nature, own: Nature) -> Effects {
    let all = Effects::ALL.iter().fold(Effects::NONE, |all, (effect, ..)| all.and(*effect));
    let elsewhere = Effects::EXECUTES
        .and(Effects::NETWORK_READ)
        .and(Effects::NETWORK_WRITE)
        .and(Effects::SENDS_DATA)
        .and(Effects::WRITES)
        .and(Effects::DELETES);
    let by_nature =
        if own.runs_code { own.does.and(Effects::EXECUTES) } else { own.does.without(Effects::EXECUTES) };
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT).and(Effects::PRIVILEGE);
    if base.open || base.group {
        return all.without(never).without(elsewhere).and(by_nature).and(Effects::READS);
    }
    base.does.without(Effects::EXECUTES).and(by_nature).and(Effects::READS).and(Effects::SHELL_STATE)
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
    assigned && !NOT_LOOKED_THROUGH.contains(&name) && reads::part_reads(command, call, view, context)
}

/// Whether every file that the shell opens may be edited or read: a rule for a command means no file that it
/// does not name.
fn redirects_permitted(view: &View, context: &Context) -> bool {
    view.paths.iter().filter(|path| path.redirect).all(|path| match path.access {
        Access::Read => reads::may_read(path, context),
        Access::Write | Access::Delete => edit_permitted(path, context),
    })
}

/// Whether the file may be edited without asking: by a rule, or because the mode accepts edits.
pub(crate) fn edit_permitted(path: &PathUse, context: &Context) -> bool {
    let mode = context.effective_mode() == Mode::AcceptEdits && is_acceptable_edit(path, context);
    let whole = || {
        let mut rules = ["Edit", "Write"].into_iter().flat_map(|tool| context.rules.whole(List::Allow, tool));
        rules.next().is_some() && reads::is_inside(path, context)
    };
    mode || path_rule(path, context).is_some() || whole()
}

/// Whether acceptEdits mode takes the edit: a file of the project that nothing runs by itself.
pub(crate) fn is_acceptable_edit(path: &PathUse, context: &Context) -> bool {
    let fact = if path.literal { context.facts.path(&path.path) } else { None };
    let shared = fact.as_ref().is_some_and(|fact| fact.shared);
    let spellings = [Some(path.path.as_str()), fact.as_ref().map(|fact| fact.resolved.as_str())];
    let mut spellings = spellings.into_iter().flatten();
    let is_root = context.roots.iter().any(|root| context.absolute(root, "/") == path.path);
    reads::is_inside(path, context)
        && !is_root
        && !shared
        && spellings
            .all(|name| protected::place(name, path.literal).is_none() && !protected::runs_elsewhere(name))
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
            && reads::obeys_nobody(command, call, context)
            && reads::outside_directory(command, call, context).is_none()
            && (SIMPLE.contains(&name) || PATCHES.contains(&name) || harmless)
    };
    reading.unclear.is_empty()
        && !context.session.shell_changed
        && reading.shell.without(files).is_empty()
        && reading.commands.iter().all(simple)
        && view.paths.iter().all(|path| match path.access {
            Access::Read => reads::is_inside(path, context),
            Access::Write | Access::Delete => is_acceptable_edit(path, context),
        })
}
