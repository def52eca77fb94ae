//! The execution oracle for deny rules: lines that push, run a program, read, write or connect although a rule forbids it, in
//! every spelling and carrier that is known here. Each line is judged in the mode that allows everything else; those that
//! are allowed are run in a throw-away folder, and one that has the effect fails the test.
//!
//! `PORTCULLIS_SEED` chooses the lines beyond the listed ones, `PORTCULLIS_ORACLE_CASES` how many there are, and
//! `PORTCULLIS_ORACLE_ALL=1` runs the refused lines as well and lists those without any effect.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "what cannot be set up must stop the run")]
#![cfg(unix)]

mod sandbox;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
use portcullis_decide::{Context, Decision, Mode, ToolCall, decide};
use portcullis_gate::world::look_up;
use sandbox::{Folder, Template};
use serde_json::json;

const LINES: &str = include_str!("lines.txt");
const DEFAULT_SEED: u64 = 20_261;
const DEFAULT_CASES: usize = 300;

/// Structure around a line.
const LAYERS: &[&str] = &[
    "@L",
    "true; @L",
    "true && { @L\n}",
    "( @L\n)",
    "if true; then @L\nfi",
    "for i in 1; do @L\ndone",
    "f() { @L\n}; f",
    "case a in a) @L\n;; esac",
    "! { @L\n}",
    "{ @L\n} 2> /dev/null",
    "{ @L\n} | cat",
    "bash << 'LAYER'\n@L\nLAYER",
    "bash <(cat << 'LAYER'\n@L\nLAYER\n)",
    "eval \"$(cat << 'LAYER'\n@L\nLAYER\n)\"",
];

/// What a rule forbids, and how a line that does it shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Family {
    Push,
    Mark,
    Secret,
    Locked,
    Host,
}

impl Family {
    const ALL: [Family; 5] = [Family::Push, Family::Mark, Family::Secret, Family::Locked, Family::Host];

    const fn section(self) -> &'static str {
        match self {
            Family::Push => "[push]",
            Family::Mark => "[mark]",
            Family::Secret => "[secret]",
            Family::Locked => "[locked]",
            Family::Host => "[host]",
        }
    }

    const fn rule(self) -> &'static str {
        match self {
            Family::Push => "Bash(git push:*)",
            Family::Mark => "Bash(mark:*)",
            Family::Secret => "Read(secret/**)",
            Family::Locked => "Edit(locked/**)",
            Family::Host => "WebFetch(domain:127.0.0.1)",
        }
    }

    /// A command that stands in carriers.
    const fn command(self) -> &'static str {
        match self {
            Family::Push => "git push origin HEAD:x",
            Family::Mark => "mark a",
            Family::Secret => "cat secret/key",
            Family::Locked => "touch locked/a",
            Family::Host => "curl -s 127.0.0.1:@P",
        }
    }

    fn happened(self, folder: &Folder, printed: &str) -> bool {
        match self {
            Family::Push => folder.was_pushed(),
            Family::Mark => folder.is_marked(),
            Family::Secret => folder.shows_secret(printed),
            Family::Locked => folder.is_locked_changed(),
            Family::Host => folder.was_connected(),
        }
    }
}

fn section(name: &str) -> Vec<String> {
    let below =
        LINES.lines().skip_while(|line| *line != name).skip(1).take_while(|line| !line.starts_with('['));
    below.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// `\n` stands for the end of a line where a here-document needs one.
fn with_lines(carrier: &str) -> String {
    if carrier.contains("<<'END'") || carrier.contains("<< 'END'") {
        carrier.replace("\\n", "\n")
    } else {
        carrier.to_owned()
    }
}

/// Every line once, every carrier with every command, then mixtures.
fn cases(count: usize, seed: u64) -> Vec<(Family, String)> {
    let carriers: Vec<String> = section("[carriers]").iter().map(|carrier| with_lines(carrier)).collect();
    let mut found = Vec::new();
    for family in Family::ALL {
        found.extend(section(family.section()).into_iter().map(|line| (family, line)));
        // What reads and writes is carried by every third only: how a text is run does not depend on it.
        let step = if matches!(family, Family::Push | Family::Mark) { 1 } else { 3 };
        let some = carriers.iter().step_by(step);
        found.extend(some.map(|carrier| (family, carrier.replace("@C", family.command()))));
    }
    let listed = found.clone();
    let mut state = seed;
    let mut roll = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % bound
    };
    while found.len() < listed.len() + count {
        let (family, line) = &listed[roll(listed.len())];
        let layers = [LAYERS[roll(LAYERS.len())], LAYERS[roll(LAYERS.len())]];
        let nested = layers.iter().filter(|layer| layer.contains("LAYER")).count() > 1;
        let layers = if nested { &layers[..1] } else { &layers[..] };
        found.push((*family, layers.iter().fold(line.clone(), |line, layer| layer.replace("@L", &line))));
    }
    found
}

/// Whether the line is allowed under the rule where everything else is.
fn is_allowed(family: Family, line: &str, folder: &Folder) -> bool {
    let (root, home) = (folder.work(), folder.home());
    let mut context = Context::new(root.clone(), home);
    context.mode = Mode::Bypass;
    let (rule, broken) = Rule::parse(family.rule(), List::Deny, Origin::of(Source::User));
    assert!(broken.is_none(), "{broken:?}");
    context.rules = Rules::new(vec![rule]).into();
    let call = ToolCall::new("Bash", json!({ "command": line }), root);
    look_up(&call, &mut context);
    matches!(decide(&call, &context).decision, Decision::Allow { .. })
}

#[derive(Default)]
struct Findings {
    failures: Vec<String>,
    idle: Vec<String>,
    allowed: usize,
    ran: usize,
    by_family: BTreeMap<Family, usize>,
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[expect(clippy::print_stderr, reason = "a test reports on standard error")]
fn report(text: &str) {
    eprintln!("{text}");
}

#[test]
fn no_line_that_does_what_a_rule_forbids_is_allowed() {
    let Some(template) = Template::new() else {
        return report("denied: skipped, bash, timeout, setsid or git is not installed");
    };
    let count =
        usize::try_from(number("PORTCULLIS_ORACLE_CASES", DEFAULT_CASES as u64)).unwrap_or(DEFAULT_CASES);
    let all = number("PORTCULLIS_ORACLE_ALL", 0) == 1;
    let cases = cases(count, number("PORTCULLIS_SEED", DEFAULT_SEED));
    let findings = Mutex::new(Findings::default());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((family, line)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let folder = template.folder(*family == Family::Host);
            let line = line.replace("@P", &folder.port().to_string());
            let allowed = is_allowed(*family, &line, &folder);
            if !allowed && !all {
                continue;
            }
            let printed = folder.run(&line);
            let happened = family.happened(&folder, &printed);
            let mut found = findings.lock().expect("no other thread has failed");
            found.ran += 1;
            found.allowed += usize::from(allowed);
            *found.by_family.entry(*family).or_default() += usize::from(happened);
            if happened && allowed {
                found.failures.push(format!("{family:?} under `{}`: {line}", family.rule()));
            } else if !happened && all {
                found.idle.push(format!("{family:?}: {line}"));
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let found = findings.into_inner().expect("no thread has failed");
    report(&format!(
        "denied: {} lines, {} run, {} allowed, effects by family {:?}, {} allowed with the effect",
        cases.len(),
        found.ran,
        found.allowed,
        found.by_family,
        found.failures.len(),
    ));
    found.idle.iter().for_each(|line| report(&format!("  no effect: {line}")));
    assert!(found.failures.is_empty(), "allowed, and it happened:\n{}", found.failures.join("\n"));
}

#[test]
fn the_oracle_sees_each_effect() {
    let Some(template) = Template::new() else {
        return report("denied: skipped, bash, timeout, setsid or git is not installed");
    };
    for family in Family::ALL {
        let folder = template.folder(family == Family::Host);
        assert!(!family.happened(&folder, &folder.run("true")), "{family:?} shows without its cause");
        let command =
            if family == Family::Host { "echo x > /dev/tcp/127.0.0.1/@P" } else { family.command() };
        let line = command.replace("@P", &folder.port().to_string());
        assert!(family.happened(&folder, &folder.run(&line)), "{family:?} does not show: {line}");
    }
}
