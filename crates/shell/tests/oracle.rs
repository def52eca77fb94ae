//! The execution oracle: plants commands that write a file in every construct of the shell, runs the
//! lines under the real shell, and fails if one wrote although the reading said that it only reads.
//!
//! `PORTCULLIS_SEED` chooses the lines, `PORTCULLIS_ORACLE_CASES` how many there are, and
//! `PORTCULLIS_ORACLE_DEAD=1` lists the templates whose planted command never ran.
#![expect(clippy::disallowed_methods, reason = "the oracle runs lines under real shells")]
#![cfg(unix)]

mod generator;
mod sandbox;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use generator::options::OptionLines;
use generator::{Case, Generator, Language};
use portcullis_shell::{Dialect, Effects, Reading, read};

const DEFAULT_SEED: u64 = 20_260;
const DEFAULT_CASES: usize = 5_000;

/// How many lines are shown of each kind of failure.
const SHOWN: usize = 200;

/// The least share of planted commands that must really have run, in percent.
const EFFECTIVE: usize = 60;

/// The least share of harmless lines that must be found harmless, in percent.
const PROVEN: usize = 95;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn cases() -> usize {
    usize::try_from(setting("PORTCULLIS_ORACLE_CASES", DEFAULT_CASES as u64)).unwrap_or(DEFAULT_CASES)
}

fn generator(language: Language) -> Generator {
    let in_folder = |program: &str| program.starts_with("./") || sandbox::installed(program).is_some();
    Generator::new(setting("PORTCULLIS_SEED", DEFAULT_SEED), language, in_folder)
}

/// Whether a rule that forbids the planted command could see it: it is named, its file is, or there is doubt.
fn visible(reading: &Reading, case: &Case) -> bool {
    let environment = Effects::HARMLESS.and(Effects::ENVIRONMENT);
    // In the line the name may be spelled with escapes; what the line was made of says it plainly.
    let says = |name: &&str| case.line.contains(*name) || case.trail.iter().any(|part| part.contains(*name));
    let changes_environment = ["PATH", "path", "ENV", "alias", "hash", "BASH_", "CMD"].iter().any(says);
    let expected = if changes_environment { Effects::HARMLESS } else { environment };
    !reading.unclear.is_empty()
        || reading.files.written.iter().any(|file| file.path.contains(&case.marker))
        || reading.commands.iter().any(|command| !command.effects.without(expected).is_empty())
        || !reading.shell.without(expected).is_empty()
}

fn show(kind: &str, case: &Case, reading: &Reading) -> String {
    let commands: Vec<String> =
        reading.commands.iter().map(|command| format!("{} [{}]", command.word, command.effects)).collect();
    format!(
        "{kind}: {:?}\n    from {:?}\n    commands {commands:?}, shell [{}], unclear {:?}",
        case.line, case.trail, reading.shell, reading.unclear
    )
}

/// What came of one shell's cases.
#[derive(Default)]
struct Findings {
    failures: Vec<String>,
    /// Templates and leaves with a failure of their own: more lines made with them add nothing.
    culprits: BTreeSet<&'static str>,
    repeated: usize,
    ran: usize,
    transparent: usize,
    with_twin: usize,
    /// Templates, and how often the command planted in them ran.
    templates: BTreeMap<&'static str, usize>,
}

impl Findings {
    fn add(&mut self, case: &Case, wrote: bool, dialect: Dialect) {
        self.ran += usize::from(wrote);
        for template in &case.trail {
            *self.templates.entry(template).or_default() += usize::from(wrote);
        }
        if let Some(twin) = &case.twin {
            self.with_twin += 1;
            self.transparent += usize::from(read(twin, dialect).only_reads());
        }
        let reading = read(&case.line, dialect);
        if wrote && reading.only_reads() {
            self.fail("WROTE BUT ONLY READS", case, &reading);
        } else if wrote && !visible(&reading, case) {
            self.fail("WROTE UNSEEN", case, &reading);
        }
    }

    fn fail(&mut self, kind: &str, case: &Case, reading: &Reading) {
        if case.trail.iter().any(|template| self.culprits.contains(template)) {
            self.repeated += 1;
            return;
        }
        self.failures.push(show(kind, case, reading));
        // A line with one template shows which one is to blame; `touch` itself never is.
        if case.trail.len() <= 2 {
            self.culprits.extend(case.trail.last());
        }
    }

    fn dead(&self) -> Vec<&'static str> {
        self.templates.iter().filter(|(_, ran)| **ran == 0).map(|(template, _)| *template).collect()
    }
}

/// Runs the planted cases under one shell.
fn examine(shell: &[&str], dialect: Dialect, language: Language, count: usize) -> std::io::Result<Findings> {
    let generator = generator(language);
    let cases: Vec<Case> = (0..count.max(generator.sweep())).map(|number| generator.case(number)).collect();
    let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
    let wrote = sandbox::run(shell, &lines)?;
    let mut findings = Findings::default();
    for (case, wrote) in cases.iter().zip(wrote) {
        findings.add(case, wrote, dialect);
    }
    Ok(findings)
}

fn planted(
    name: &str,
    shell: &[&str],
    dialect: Dialect,
    language: Language,
    count: usize,
) -> Option<Findings> {
    let missing =
        [name, "bash", "timeout", "setsid"].into_iter().find(|program| sandbox::installed(program).is_none());
    if let Some(program) = missing {
        report(&format!("{name}: skipped, {program} is not installed"));
        return None;
    }
    let start = Instant::now();
    let findings = match examine(shell, dialect, language, count) {
        Ok(findings) => findings,
        Err(error) => {
            report(&format!("{name}: the lines could not be run: {error}"));
            return Some(Findings { failures: vec![error.to_string()], ..Findings::default() });
        }
    };
    let total = count.max(generator(language).sweep());
    report(&format!(
        "{name}: seed {}, {total} lines in {:.1?}; the planted command ran in {}; {} of {} lines with a harmless command instead only read; {} failures, {} more with the same templates",
        setting("PORTCULLIS_SEED", DEFAULT_SEED),
        start.elapsed(),
        findings.ran,
        findings.transparent,
        findings.with_twin,
        findings.failures.len(),
        findings.repeated,
    ));
    if setting("PORTCULLIS_ORACLE_DEAD", 0) == 1 {
        findings.dead().iter().for_each(|template| report(&format!("  never ran: {template:?}")));
    }
    findings.failures.iter().take(SHOWN).for_each(|failure| report(failure));
    Some(findings)
}

#[expect(clippy::print_stderr, reason = "a test reports on standard error")]
fn report(text: &str) {
    eprintln!("{text}");
}

#[test]
fn no_line_that_writes_under_bash_is_said_to_only_read() {
    let Some(findings) = planted("bash", &["bash", "-c"], Dialect::Bash, Language::Bash, cases()) else {
        return;
    };
    let total = cases().max(generator(Language::Bash).sweep());
    assert!(findings.ran * 100 >= total * EFFECTIVE, "only {} of {total} planted commands ran", findings.ran);
    assert!(findings.failures.is_empty(), "{} failures", findings.failures.len());
}

#[test]
fn no_line_that_writes_under_a_posix_shell_is_said_to_only_read() {
    let Some(findings) = planted("dash", &["dash", "-c"], Dialect::Sh, Language::Bash, cases() / 4) else {
        return;
    };
    assert!(findings.failures.is_empty(), "{} failures", findings.failures.len());
}

#[test]
fn no_line_that_writes_under_zsh_is_said_to_only_read() {
    let Some(findings) = planted("zsh", &["zsh", "-fc"], Dialect::Zsh, Language::Zsh, cases() / 4) else {
        return;
    };
    assert!(findings.failures.is_empty(), "{} failures", findings.failures.len());
}

#[test]
fn text_that_is_only_data_neither_runs_nor_is_doubted() {
    if ["bash", "timeout", "setsid"].iter().any(|program| sandbox::installed(program).is_none()) {
        return report("data: skipped, bash, timeout or setsid is not installed");
    }
    let generator = generator(Language::Bash);
    let cases: Vec<Case> =
        (0..cases().div_ceil(5).max(400)).map(|number| generator.data_case(number)).collect();
    let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
    let wrote = sandbox::run(&["bash", "-c"], &lines).expect("the lines can be run");
    let (mut doubted, mut by_leaf) = (0, BTreeMap::new());
    for (case, wrote) in cases.iter().zip(wrote) {
        assert!(!wrote, "data was run: {:?}", case.line);
        let reading = read(&case.line, Dialect::Bash);
        if !reading.only_reads() {
            doubted += 1;
            by_leaf
                .entry(case.trail.first().copied().unwrap_or_default())
                .or_insert_with(|| show("DOUBTED", case, &reading));
        }
    }
    report(&format!("data: {} lines, {doubted} of them doubted", cases.len()));
    for shown in by_leaf.values() {
        report(shown);
    }
    assert!(
        (cases.len() - doubted) * 100 >= cases.len() * PROVEN,
        "{doubted} of {} harmless lines are not found to only read",
        cases.len()
    );
}

/// Runs a line among files of every kind, and says so if one of them is left changed.
const AMONG_FILES: &str = r#"
cp -p ../kit/* .
timeout -k 1 1.5 bash -c "$1"
wait
diff -rq ../kit . >../$$.changes
grep -q -e '^Files' -e '^Only in ../kit' ../$$.changes && touch CHANGED
cd ../kit && names=(*) && cd "$OLDPWD" && rm -f "${names[@]}"
"#;

#[test]
fn no_order_of_options_hides_what_writes() {
    if ["bash", "timeout", "setsid"].iter().any(|program| sandbox::installed(program).is_none()) {
        return report("options: skipped, bash, timeout or setsid is not installed");
    }
    let start = Instant::now();
    let made =
        OptionLines::new(setting("PORTCULLIS_SEED", DEFAULT_SEED), |name| sandbox::installed(name).is_some());
    // Each line takes as long as ten of the others.
    let total = if cases() > DEFAULT_CASES { cases() } else { cases() / 8 };
    let lines: BTreeSet<String> = (0..total).map(|number| made.line(number)).collect();
    let lines: Vec<String> =
        lines.into_iter().filter(|line| read(line, Dialect::Bash).only_reads()).collect();
    let wrote = sandbox::run(&["bash", "-c", AMONG_FILES, "bash"], &lines).expect("the lines can be run");
    let failures: Vec<&String> =
        lines.iter().zip(wrote).filter(|(_, wrote)| *wrote).map(|(line, _)| line).collect();
    report(&format!(
        "options: {total} lines in {:.1?}; {} of them only read, {} of those left a trace",
        start.elapsed(),
        lines.len(),
        failures.len()
    ));
    failures.iter().take(SHOWN).for_each(|line| report(&format!("WROTE BUT ONLY READS: {line}")));
    assert!(failures.is_empty(), "{} failures", failures.len());
}
