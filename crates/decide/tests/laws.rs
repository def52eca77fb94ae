//! Laws that every ruling keeps, tried on random calls, rules, modes and worlds.
//!
//! `PORTCULLIS_LAW_CASES` says how often each law is tried, `PORTCULLIS_SEED` on which cases; without it
//! every run tries the same ones.
#![expect(clippy::disallowed_methods, reason = "how many cases are tried is said in the environment")]

mod generator;

use generator::harm::{CATASTROPHES, PROTECTED, VEILED_WRITES, WORDY_WRITES, WRITES};
use generator::lines::{SPELLINGS, evaluated, line, respelled, simple};
use generator::pools::{DEFERRALS, EVALUATIONS, OPEN, WRAPPINGS};
use generator::{Case, ROOT, World, Written, calls, case, rule_of, rule_text, shell_case};
use portcullis_decide::rules::{List, Origin, Rule, Source, is_dangerous};
use portcullis_decide::session::{CONSECUTIVE_LIMIT, Denials, Next, Outcome, SessionFacts, TOTAL_LIMIT};
use portcullis_decide::{Decision, Mode, Ruling, Switches, Tool, ToolCall, decide};
use portcullis_shell::{Dialect, Effects, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};

/// How often each law is tried.
const TRIES: u32 = 10_000;

fn config() -> Config {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let tries = number("PORTCULLIS_LAW_CASES").and_then(|tries| u32::try_from(tries).ok());
    Config {
        cases: tries.unwrap_or(TRIES),
        rng_seed: RngSeed::Fixed(number("PORTCULLIS_SEED").unwrap_or(1)),
        max_shrink_iters: 4_000,
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..Config::default()
    }
}

fn ruling(case: &Case) -> Ruling {
    decide(&case.call(), &case.context())
}

/// How strict an answer is: deny over ask over allow.
fn strictness(decision: &Decision) -> u8 {
    match decision {
        Decision::Allow { .. } => 0,
        Decision::Ask { .. } => 1,
        Decision::Deny { .. } => 2,
    }
}

fn shown(ruling: &Ruling) -> String {
    format!("{} ({}: {})", ruling.decision.name(), ruling.reason.word(), ruling.message())
}

/// The second ruling is at least as strict as the first.
fn never_looser(first: &Case, second: &Case) -> Result<(), TestCaseError> {
    let (before, after) = (ruling(first), ruling(second));
    prop_assert!(
        strictness(&before.decision) <= strictness(&after.decision),
        "{first:?}\n  gets {}\n{second:?}\n  gets {}",
        shown(&before),
        shown(&after)
    );
    Ok(())
}

/// The decision and the kind of reason.
fn answer(case: &Case) -> (&'static str, &'static str) {
    let ruling = ruling(case);
    (ruling.decision.name(), ruling.reason.word())
}

fn never_allowed(case: &Case) -> Result<(), TestCaseError> {
    let ruling = ruling(case);
    prop_assert!(!ruling.decision.is_allow(), "{case:?}\n  gets {}", shown(&ruling));
    Ok(())
}

/// Any JSON, up to some depth, often with the fields that tools look at.
fn any_json() -> impl Strategy<Value = Value> {
    const FIELDS: &[&str] = &[
        "command",
        "file_path",
        "path",
        "paths",
        "url",
        "pattern",
        "prompt",
        "subagent_type",
        "edits",
        "notebook_path",
        "timeout",
        "cwd",
        "Command",
        "dangerouslyDisableSandbox",
        "x",
    ];
    let texts = prop_oneof![any::<String>(), line(), "[ -~\n]{0,60}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        texts.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let fields = proptest::collection::vec((select(FIELDS), inner.clone()), 0..5);
        prop_oneof![
            1 => proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            4 => fields.prop_map(|fields| {
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

/// A write to a protected place by one tool or another.
fn protected_call() -> impl Strategy<Value = (&'static str, Value)> {
    let by_tool = (select(PROTECTED), 0..5_usize).prop_map(|(path, tool)| match tool {
        0 => ("Edit", json!({ "file_path": path, "old_string": "a", "new_string": "b" })),
        1 => ("Write", json!({ "file_path": path, "content": "b" })),
        2 => ("MultiEdit", json!({ "file_path": path, "edits": [] })),
        3 => ("NotebookEdit", json!({ "notebook_path": path, "new_source": "b" })),
        _ => ("mcp__files__write", json!({ "path": path })),
    });
    let by_line = (select(PROTECTED), select(WRITES))
        .prop_map(|(path, form)| ("Bash", json!({ "command": form.replace('@', path) })));
    let veiled = select(VEILED_WRITES).prop_map(|line| ("Bash", json!({ "command": line })));
    prop_oneof![2 => by_tool, 6 => by_line, 1 => veiled]
}

/// Whether the command works on the shell that runs it, so that something around it changes what it does, or
/// begins with an assignment, so that nothing can stand directly before it.
fn is_bound_to_its_shell(command: &str) -> bool {
    let first = command.split(' ').next().unwrap_or_default();
    matches!(first, "cd" | "export") || first.contains('=')
}

proptest! {
    #![proptest_config(config())]

    /// [R1]
    #[test]
    fn another_deny_rule_never_loosens(case in case(), rule in rule_of(List::Deny)) {
        never_looser(&case, &case.with_rule(rule))?;
    }

    /// [R1]
    #[test]
    fn another_ask_rule_never_loosens(case in case(), rule in rule_of(List::Ask)) {
        never_looser(&case, &case.with_rule(rule))?;
    }

    /// [R1]
    #[test]
    fn a_lost_allow_rule_never_loosens(case in case(), rule in rule_of(List::Allow)) {
        never_looser(&case.with_rule(rule), &case)?;
    }

    /// [R11]
    #[test]
    fn deny_and_ask_rules_of_a_project_only_tighten(
        case in case(),
        texts in proptest::collection::vec((any::<bool>(), rule_text("ls")), 1..4),
    ) {
        let mut more = case.clone();
        more.rules.extend(texts.into_iter().map(|(deny, text)| {
            let list = if deny { List::Deny } else { List::Ask };
            Written { list, text, source: Source::Project }
        }));
        never_looser(&case, &more)?;
    }

    /// [R1]
    #[test]
    fn the_order_of_rules_never_matters(case in case(), seed in any::<u64>()) {
        let mut rules = case.rules.clone();
        rules.sort_by_key(|rule| (rule.text.len() as u64 + 1).wrapping_mul(seed | 1).rotate_left(17));
        let shuffled = case.with_rules(rules);
        prop_assert_eq!(answer(&case), answer(&shuffled), "{:?}\n{:?}", case, shuffled);
        let reversed = case.with_rules(case.rules.iter().rev().cloned().collect());
        prop_assert_eq!(answer(&case), answer(&reversed), "{:?}\n{:?}", case, reversed);
    }

    /// [R1]
    #[test]
    fn the_source_of_a_rule_never_matters(case in case(), turn in 1..6_usize) {
        const SOURCES: [Source; 6] =
            [Source::Managed, Source::CommandLine, Source::Session, Source::Local, Source::Project, Source::User];
        let mut moved = case.clone();
        for rule in &mut moved.rules {
            let at = SOURCES.iter().position(|source| *source == rule.source).unwrap_or_default();
            rule.source = SOURCES[(at + turn) % SOURCES.len()];
        }
        prop_assert_eq!(answer(&case), answer(&moved), "{:?}\n{:?}", case, moved);
    }

    /// [T3], [A1]: what is written down can be made again.
    #[test]
    fn a_ruling_repeats_exactly(case in case()) {
        let (once, again) = (ruling(&case), ruling(&case));
        prop_assert_eq!(&once.decision, &again.decision, "{:?}", case);
        prop_assert_eq!(&once.reason, &again.reason, "{:?}", case);
    }

    /// [F10a]
    #[test]
    fn dont_ask_never_asks(case in case()) {
        let case = case.with_mode(Mode::DontAsk);
        prop_assert_ne!(ruling(&case).decision.name(), "ask", "{:?}", case);
    }

    /// [M1], [F10c]
    #[test]
    fn who_avoids_prompts_is_only_referred_to_the_classifier(case in case()) {
        let mut case = case;
        case.switches.avoid_prompts = true;
        if let Decision::Ask { pending_classifier_check, .. } = ruling(&case).decision {
            let auto = case.context().effective_mode() == Mode::Auto;
            prop_assert!(auto && pending_classifier_check, "{case:?}");
        }
    }

    /// [S1]
    #[test]
    fn a_protected_place_is_never_written_without_a_person(case in case(), call in protected_call()) {
        let (tool, input) = call;
        let case = Case { tool: tool.to_owned(), input, cwd: ROOT, world: World::Links, ..case };
        never_allowed(&case)?;
    }

    /// [S2]
    #[test]
    fn a_catastrophe_is_never_allowed(case in case(), line in select(CATASTROPHES)) {
        let case = Case { cwd: ROOT, ..case.with_line(line) };
        never_allowed(&case)?;
        let headless = case.switches.avoid_prompts;
        let strict = matches!(case.context().effective_mode(), Mode::DontAsk | Mode::Plan) || headless;
        if strict && !case.switches.bypass_available {
            let ruling = ruling(&case);
            prop_assert_eq!(ruling.decision.name(), "deny", "{:?}", case);
        }
        if let Decision::Ask { pending_classifier_check, .. } = ruling(&case).decision {
            prop_assert!(!pending_classifier_check, "the classifier may not clear {case:?}");
        }
    }

    /// [R1], [R5]
    #[test]
    fn what_is_not_known_is_never_allowed_past_a_rule(
        case in case(),
        line in select(OPEN),
        rule in select(generator::pools::COMMAND_RULES),
        list in select(&[List::Ask, List::Deny][..]),
    ) {
        let rule = Written { list, text: format!("Bash({rule})"), source: Source::User };
        never_allowed(&case.with_line(line).with_rule(rule))?;
    }

    /// [R1], [R9]
    #[test]
    fn what_is_not_known_is_never_allowed_by_a_rule(
        case in case(),
        line in select(OPEN),
        rules in proptest::collection::vec(select(generator::pools::COMMAND_RULES), 1..6),
    ) {
        let written = |text: &str| Written { list: List::Allow, text: format!("Bash({text})"), source: Source::User };
        let rules = rules.into_iter().map(written).collect();
        never_allowed(&case.with_line(line).with_rules(rules).with_mode(Mode::Default))?;
    }

    /// [R3]
    #[test]
    fn a_deny_rule_that_spells_out_the_line_denies_it(case in shell_case()) {
        let text = case.input.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
        prop_assume!(text.trim() == text && !text.contains('\n'));
        let rule = Written { list: List::Deny, text: format!("Bash({text})"), source: Source::User };
        let case = case.with_rule(rule);
        prop_assert_eq!(ruling(&case).decision.name(), "deny", "{:?}", case);
    }

    /// [R4], [R5]
    #[test]
    fn something_around_a_command_never_loosens(case in case(), command in simple(), form in 0..WRAPPINGS.len()) {
        prop_assume!(!is_bound_to_its_shell(&command));
        let plain = case.with_line(&command);
        never_looser(&plain, &plain.with_line(&WRAPPINGS[form].replace('@', &command)))?;
    }

    /// [R4], [R12]
    #[test]
    fn running_a_command_later_never_allows_it(case in case(), command in simple(), form in 0..DEFERRALS.len()) {
        prop_assume!(!is_bound_to_its_shell(&command) && !command.contains('\''));
        if !ruling(&case.with_line(&command)).decision.is_allow() {
            never_allowed(&case.with_line(&DEFERRALS[form].replace('@', &command)))?;
        }
    }

    /// [R4], [R5]
    #[test]
    fn evaluating_a_command_never_loosens(case in case(), command in simple(), form in 0..EVALUATIONS.len()) {
        prop_assume!(!is_bound_to_its_shell(&command));
        let plain = case.with_line(&command);
        never_looser(&plain, &plain.with_line(&evaluated(&command, EVALUATIONS[form])))?;
    }

    /// [R5]
    #[test]
    fn another_spelling_of_a_program_never_loosens(case in case(), command in simple(), way in 0..SPELLINGS) {
        let plain = case.with_line(&command);
        never_looser(&plain, &plain.with_line(&respelled(&command, way)))?;
    }

    /// [R4]
    #[test]
    fn a_second_command_never_loosens(case in case(), first in simple(), second in simple(), link in 0..4_usize) {
        prop_assume!(!is_bound_to_its_shell(&first));
        let both = format!("{first}{}{second}", [" && ", "; ", " | ", "\n"][link]);
        never_looser(&case.with_line(&first), &case.with_line(&both))?;
        if link != 2 {
            never_looser(&case.with_line(&second), &case.with_line(&both))?;
        }
    }

    /// [F12], [T4], [A3]
    #[test]
    fn any_input_gets_a_ruling(case in case(), tool in prop_oneof![any::<String>(), calls().prop_map(|call| call.0)], input in any_json()) {
        let case = Case { tool, input, ..case };
        let ruling = ruling(&case);
        prop_assert!(!ruling.trace.steps.is_empty(), "{case:?}");
        prop_assert!(!ruling.message().is_empty() && !ruling.reason.sentence().is_empty(), "{case:?}");
        prop_assert!(ruling.to_json().is_object());
    }

    /// [R9], [A3]
    #[test]
    fn any_command_gets_a_ruling(case in case(), bytes in proptest::collection::vec(any::<u8>(), 0..200), times in 1..200_usize) {
        let text = String::from_utf8_lossy(&bytes).repeat(times);
        let ruling = ruling(&case.with_line(&text));
        prop_assert!(!ruling.trace.steps.is_empty() && !ruling.message().is_empty());
    }

    /// [F8b]
    #[test]
    fn plan_mode_changes_nothing(case in case()) {
        let mut case = case.with_mode(Mode::Plan);
        case.switches.bypass_available = false;
        let found = ruling(&case);
        let tool = Tool::named(&case.tool);
        if found.decision.is_allow() {
            let by_rule = matches!(tool, Tool::WebFetch | Tool::Agent);
            let planning = tool.reads_files() || tool.is_irrelevant() || by_rule
                || matches!(tool, Tool::WebSearch | Tool::TaskCreate | Tool::TaskUpdate | Tool::TaskStop);
            let reads = match (&tool, case.input.get("command").and_then(Value::as_str)) {
                (Tool::Bash, Some(line)) => {
                    let effects = read(line, Dialect::Bash).effects();
                    effects.without(Effects::IF_FILES_SAY_SO).is_harmless()
                }
                (Tool::PowerShell, Some(line)) => read(line, Dialect::PowerShell).only_reads(),
                _ => false,
            };
            prop_assert!(planning || reads, "{case:?}\n  gets {}", shown(&found));
        }
    }

    /// [M2], [D1]
    #[test]
    fn dangerous_rules_do_nothing_in_auto_and_are_back_afterwards(case in case()) {
        let plain = Case { switches: Switches { auto_disabled: false, ..case.switches.clone() }, ..case };
        let call = plain.call();
        let mut context = plain.with_mode(Mode::Default).context();
        let before = decide(&call, &context);
        context.mode = Mode::Auto;
        let in_auto = decide(&call, &context);
        context.mode = Mode::Default;
        let after = decide(&call, &context);
        prop_assert_eq!(&before.decision, &after.decision);
        prop_assert_eq!(&before.reason, &after.reason);
        let extra = plain.switches.extra_dangerous;
        let kept = plain.rules.iter().filter(|rule| !is_dangerous(&rule.parse(), extra)).cloned().collect();
        let without = plain.with_mode(Mode::Auto).with_rules(kept);
        prop_assert_eq!(
            (in_auto.decision.name(), in_auto.reason.word()), answer(&without), "{:?}", plain.with_mode(Mode::Auto)
        );
    }

    /// [M]
    #[test]
    fn what_one_mode_allows_wider_modes_allow(case in case()) {
        let allows = |mode: Mode| ruling(&case.with_mode(mode)).decision.is_allow();
        if allows(Mode::DontAsk) {
            prop_assert!(allows(Mode::Default), "{:?} in dontAsk, not in default", case);
        }
        if allows(Mode::Default) {
            for wider in [Mode::AcceptEdits, Mode::Bypass, Mode::DontAsk] {
                prop_assert!(allows(wider), "{:?} in default, not in {}", case, wider);
            }
        }
        let dangerous = case.rules.iter().any(|rule| is_dangerous(&rule.parse(), case.switches.extra_dangerous));
        if allows(Mode::Default) && !dangerous && case.tool != "PowerShell" {
            prop_assert!(allows(Mode::Auto), "{:?} in default, not in auto", case);
        }
    }

    /// [N1], [N2]
    #[test]
    fn denials_are_counted(outcomes in proptest::collection::vec(0..4_usize, 0..80)) {
        const OUTCOMES: [Outcome; 4] = [Outcome::Allowed, Outcome::Blocked, Outcome::Unavailable, Outcome::Refused];
        let mut denials = Denials::default();
        let mut seen: Vec<Outcome> = Vec::new();
        for outcome in outcomes.into_iter().map(|at| OUTCOMES[at]) {
            seen.push(outcome);
            let (after, next) = denials.after(outcome);
            let blocks = |part: &[Outcome]| part.iter().filter(|seen| **seen == Outcome::Blocked).count();
            let since = seen.iter().rposition(|seen| *seen == Outcome::Allowed).map_or(0, |at| at + 1);
            let (row, all) = (blocks(&seen[since..]), blocks(&seen));
            prop_assert_eq!((after.consecutive as usize, after.total as usize), (row, all), "{:?}", seen);
            let full = row >= CONSECUTIVE_LIMIT as usize || all >= TOTAL_LIMIT as usize;
            let expected = if outcome == Outcome::Blocked && full { Next::Escalate } else { Next::Continue };
            prop_assert_eq!(next, expected, "{:?}", seen);
            denials = after;
        }
    }

    /// [R2]
    #[test]
    fn a_rule_prints_as_it_was_written(text in prop_oneof![any::<String>(), rule_text("ls"), "[A-Za-z_*]{0,12}[(:]?[ -~]{0,30}"], list in 0..3_usize) {
        let list = [List::Allow, List::Ask, List::Deny][list];
        let (rule, _) = Rule::parse(&text, list, Origin::of(Source::User));
        prop_assert_eq!(rule.to_string(), text);
    }

    /// [R2]
    #[test]
    fn any_rule_can_meet_any_call(case in case(), text in prop_oneof![any::<String>(), "[A-Za-z_*]{0,12}[(:]?[ -~]{0,30}"], list in 0..3_usize) {
        let list = [List::Allow, List::Ask, List::Deny][list];
        let written = Written { list, text, source: Source::User };
        let more = case.with_rule(written);
        match list {
            List::Allow => never_looser(&more, &case)?,
            List::Ask | List::Deny => never_looser(&case, &more)?,
        }
    }
}

/// Which of the lines that write to `path` are allowed in bypass mode.
fn allowed_writes(path: &str) -> Vec<String> {
    let lines = WORDY_WRITES.iter().map(|form| form.replace('@', path));
    lines.filter(|line| ruling(&plain(line, Mode::Bypass)).decision.is_allow()).collect()
}

/// [S1]
#[test]
fn a_protected_place_among_the_words_is_seen() {
    for path in [".git/config", "~/.bashrc", ".claude/settings.json"] {
        assert_eq!(allowed_writes(path), Vec::<String>::new());
    }
}

/// [S1]
#[test]
fn a_link_to_a_protected_place_among_the_words_is_seen() {
    assert_eq!(allowed_writes("git-link/config"), Vec::<String>::new());
}

/// A command line without rules in a world with links.
fn plain(line: &str, mode: Mode) -> Case {
    Case {
        tool: "Bash".to_owned(),
        input: json!({ "command": line }),
        cwd: ROOT,
        rules: Vec::new(),
        mode,
        switches: Switches::default(),
        world: World::Links,
        session: SessionFacts::default(),
    }
}

/// A call that cannot even be spoken about gets an answer too.
#[test]
fn odd_calls_get_a_ruling() {
    for (tool, input) in [("", json!(null)), ("Bash", json!("ls")), ("\0", json!([1])), ("mcp__", json!({}))]
    {
        let call = ToolCall::new(tool, input, "");
        let ruling = decide(&call, &plain("", Mode::Bypass).context());
        assert!(!ruling.trace.steps.is_empty() && !ruling.message().is_empty(), "{tool:?}");
    }
}
