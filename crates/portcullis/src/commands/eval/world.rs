//! The made-up world of a case, and what the gate says there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use portcullis_decide::facts::{Answer, Facts, PathFact, PathKind, Question};
use portcullis_decide::path::{Platform, absolute};
use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
use portcullis_decide::{Context, Decision, Mode, Reason, ToolCall};
use portcullis_gate::pipeline::{self, Input as Judged, Reviewer, World};
use serde_json::{Map, Value};

use super::case::{Case, HOME, Input};
use super::outcome::Got;
use super::score::Answered;
use super::{classifier, files, hook, sequence, shapes};

/// Rules that are added to every case.
pub(super) struct ExtraRules<'a> {
    pub(super) allow: &'a [String],
    pub(super) ask: &'a [String],
    pub(super) deny: &'a [String],
}

impl ExtraRules<'_> {
    /// Says no where one cannot be understood: it would pass for a rule that changes nothing.
    pub(super) fn check(&self) -> Result<(), String> {
        for (texts, list) in [(self.allow, List::Allow), (self.ask, List::Ask), (self.deny, List::Deny)] {
            for text in texts {
                if let (_, Some(problem)) = Rule::parse(text, list, Origin::of(Source::CommandLine)) {
                    return Err(format!("--{} `{text}`: {problem}", list.name()));
                }
            }
        }
        Ok(())
    }
}

/// What the gate says about the case.
pub(super) fn answer(case: &Case, mode: Mode, extra: &ExtraRules<'_>) -> Answered {
    if let Some(why) = not_expressible(case) {
        return Answered { got: Got::NotRun, reason: why, micros: 0, pending: false };
    }
    let context = match context(case, mode, extra) {
        Ok(context) => context,
        Err(problem) => return Answered { got: Got::NotRun, reason: problem, micros: 0, pending: false },
    };
    let began = Instant::now();
    // FAIL-CLOSED(eval-panic): a panic is counted as a crash and never as an allow.
    let ruling = catch_unwind(AssertUnwindSafe(|| judge(case, context)));
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    match ruling {
        Ok((got, reason, pending)) => {
            // Reasons quote the call, and go to screens, files and pages.
            let reason = portcullis_classify::redact(&reason).into_owned();
            Answered { got, reason, micros, pending }
        }
        Err(_) => Answered { got: Got::Crash, reason: "it panicked".to_owned(), micros, pending: false },
    }
}

/// Why a case cannot be run: it needs a layer that is not there yet.
fn not_expressible(case: &Case) -> Option<String> {
    if case.world.get("classifier").is_some_and(|word| word != "unavailable" && word != "off") {
        return Some("needs the classifier".to_owned());
    }
    if case.tool.starts_with('@') {
        let input = match &case.input {
            Input::Value(value) => Some(value),
            Input::Raw(_) => None,
        };
        // A case that tests nothing would pass for one that is answered rightly.
        if let Some(why) = shapes::tests_nothing(&case.tool, input) {
            return Some(why);
        }
    }
    let unknown =
        sequence::steps(case).any(|(tool, _)| tool.starts_with('@') && !sequence::is_known_act(tool));
    (case.tool == "@sequence" && unknown).then(|| "needs an act that is not known".to_owned())
}

fn judge(case: &Case, mut context: Context) -> (Got, String, bool) {
    if let (Input::Value(input), true) = (&case.input, case.tool.starts_with('@')) {
        let (got, reason) = match case.tool.as_str() {
            "@classifier-output" => classifier::reply(input),
            "@transcript" => classifier::transcript(case, input),
            "@handback" => classifier::handback(case, input, &context, &classifier::conversation(case)),
            _ => return sequence::judge(case, context),
        };
        return (got, reason, false);
    }
    for event in &case.earlier {
        let name = event.get("tool").and_then(Value::as_str);
        if let (Some(name), Some(input)) = (name, event.get("input")) {
            let call = ToolCall::new(name, input.clone(), case.cwd.clone());
            // What a recorded session kept of its shell is not known; its files and reads are.
            let shell_changed = context.session.shell_changed;
            context.session = context.session.clone().after(&call, &context);
            context.session.shell_changed = shell_changed;
        }
    }
    let input = match &case.input {
        Input::Value(value) => value.clone(),
        // FAIL-CLOSED(malformed-json): what is not one JSON value is no valid input.
        Input::Raw(text) => crate::strict_json::parse(text.as_bytes()).unwrap_or(Value::Null),
    };
    let call = ToolCall::new(&case.tool, input, case.cwd.clone());
    let (hooks, talk) = (hook::verdict_of(&case.world, &call), classifier::conversation(case));
    let reviewer = if case.judged { Reviewer::BuiltIn } else { Reviewer::Nobody };
    let input = Judged { hooks: &hooks, transcript: &talk, reviewer, ..Judged::of(&call, World::Given) };
    let mut ruling = pipeline::run(&input, &mut context).ruling;
    let pending = pipeline::is_open(&ruling);
    let undecided = matches!(ruling.reason, Reason::NoRule) && !ruling.decision.is_allow();
    if undecided && hook::speculated(&call, context.effective_mode(), &case.world) {
        ruling.decision = Decision::Allow { updated_input: None };
    }
    (Got::of(&ruling.decision), format!("{}: {}", ruling.reason.word(), ruling.message()), pending)
}

fn context(case: &Case, mode: Mode, extra: &ExtraRules<'_>) -> Result<Context, String> {
    let mut context = Context::new(case.cwd.clone(), HOME);
    context.mode = match &case.mode {
        Some(name) => name.parse().map_err(|error| format!("{error}"))?,
        None => mode,
    };
    if case.shell.as_deref() == Some("zsh") {
        context.dialect = portcullis_shell::Dialect::Zsh;
    }
    let flag = |name: &str| case.world.get(name).is_some_and(|value| value.as_bool() == Some(true));
    if case.world.get("platform").and_then(Value::as_str) == Some("windows") {
        context.platform = Platform::Windows;
        context.fold_case = true;
    }
    context.fold_case |= flag("case_insensitive");
    context.switches.avoid_prompts = flag("headless");
    context.facts = facts(case, &context);
    let mut rules = Written::default();
    rules.lists(&case.rules, Source::User);
    rules.strings(extra.allow, List::Allow);
    rules.strings(extra.ask, List::Ask);
    rules.strings(extra.deny, List::Deny);
    settings(&case.world, &mut rules, &mut context);
    project_settings(case, &mut rules, &mut context);
    context.switches.rules_incomplete = rules.incomplete;
    context.rules = Rules::new(rules.rules).into();
    Ok(context)
}

/// Settings that the case gives a source. Those a repository brings can only tighten (R11).
fn settings(world: &Map<String, Value>, rules: &mut Written, context: &mut Context) {
    let sources = [
        ("managed", Source::Managed),
        ("user", Source::User),
        ("project", Source::Project),
        ("local", Source::Local),
        ("cli", Source::CommandLine),
        ("session", Source::Session),
    ];
    for (name, source) in sources {
        if let Some(lists) = world.get("rules_by_source").and_then(|all| all.get(name)) {
            rules.lists(lists, source);
        }
        if let Some(settings) = world.get(&format!("settings_{name}")) {
            rules.lists(settings.get("permissions").unwrap_or(&Value::Null), source);
            forbid(settings, context);
        }
    }
    if let Some(policy) = world.get("policy") {
        rules.lists(policy.get("permissions").unwrap_or(&Value::Null), Source::Managed);
        forbid(policy, context);
        if policy.get("allowManagedPermissionRulesOnly").and_then(Value::as_bool) == Some(true) {
            rules.rules.retain(|rule| rule.origin.source == Source::Managed);
        }
    }
}

/// The settings file that the project of the case brings: it can only tighten (R11).
fn project_settings(case: &Case, rules: &mut Written, context: &mut Context) {
    for name in [".portcullis/settings.json", ".portcullis/settings.local.json"] {
        let text = case.files.get(name).and_then(Value::as_str);
        let settings: Value = text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        rules.lists(settings.get("permissions").unwrap_or(&Value::Null), Source::Project);
        forbid(&settings, context);
    }
}

/// Modes that some settings forbid.
fn forbid(settings: &Value, context: &mut Context) {
    let set = |name: &str| {
        let inner = settings.get("permissions").and_then(|permissions| permissions.get(name));
        settings.get(name).or(inner).is_some_and(|value| value == "disable" || value.as_bool() == Some(true))
    };
    context.switches.bypass_disabled |= set("disableBypassPermissionsMode");
    context.switches.auto_disabled |= set("disableAutoMode");
}

#[derive(Default)]
struct Written {
    rules: Vec<Rule>,
    /// A deny or ask entry was lost.
    incomplete: bool,
}

impl Written {
    fn lists(&mut self, lists: &Value, source: Source) {
        let repository = matches!(source, Source::Project | Source::Local);
        for list in [List::Allow, List::Ask, List::Deny] {
            if repository && list == List::Allow {
                continue;
            }
            for entry in lists.get(list.name()).and_then(Value::as_array).into_iter().flatten() {
                match entry.as_str() {
                    Some(text) => self.rules.push(Rule::parse(text, list, Origin::of(source)).0),
                    None => self.incomplete |= list != List::Allow,
                }
            }
        }
    }

    fn strings(&mut self, texts: &[String], list: List) {
        self.rules
            .extend(texts.iter().map(|text| Rule::parse(text, list, Origin::of(Source::CommandLine)).0));
    }
}

/// The files, links and repository configuration that the case describes; everything else is plain.
fn facts(case: &Case, context: &Context) -> Facts {
    let mut facts = Facts::plain();
    facts.plain_root = Some(absolute(&case.cwd, "/", HOME, context.platform));
    let text = |name: &str| case.world.get(name).and_then(Value::as_str);
    facts.definition_changed = text("mcp_hash_approved") != text("mcp_hash_now");
    facts.redirect = text("redirect").map(str::to_owned);
    for (host, number) in case.world.get("dns").and_then(Value::as_object).into_iter().flatten() {
        facts.addresses.extend(number.as_str().map(|address| (host.clone(), address.to_owned())));
    }
    for (path, written) in case.world.get("fs").and_then(Value::as_object).into_iter().flatten() {
        let place = |path: &str, from: &str| absolute(path, from, HOME, context.platform);
        let named = place(path, &case.cwd);
        let folder = named.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
        let text = written.as_str().unwrap_or_default();
        let what = if let Some(target) = text.strip_prefix("-> ") {
            PathFact { resolved: place(target, &folder), kind: PathKind::File, shared: false }
        } else if text.starts_with("=> ") {
            PathFact { shared: true, ..PathFact::plain(&named) }
        } else {
            repository(&named, text, &mut facts);
            PathFact::plain(&named)
        };
        facts.add(Question::Path(named), Answer::Path(what));
    }
    for (path, text) in files::before_the_call(case, context) {
        repository(&path, &text, &mut facts);
        facts.add(Question::Text(path), Answer::Text(text));
    }
    facts
}

/// What a repository's configuration in the case tells git to run.
fn repository(path: &str, content: &str, facts: &mut Facts) {
    let Some(root) = path.strip_suffix("/.git/config") else { return };
    let keys = portcullis_gate::world::command_keys(content);
    facts.add(Question::Repository(root.to_owned()), Answer::Repository(keys));
}
