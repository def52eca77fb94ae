//! `portcullis test`: runs policy tests written in Markdown.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_decide::Ruling;
use portcullis_gate::policy_test::{Case, found, parse};
use serde_json::{Value, json};

use super::check_view::one_line;
use super::read_view::append;
use crate::output::{self, CALM, DIM, LOUD, STRONG};

/// At least one line does not hold.
const FAILED: u8 = 1;

/// Which pages.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Markdown pages with fenced `portcullis` blocks, or folders of such pages.
    #[arg(required_unless_present = "find", value_name = "FILE.md")]
    pages: Vec<PathBuf>,
    /// List the lines whose text holds this, with their places, and run none. Without pages: those below `spec` and
    /// `tests/regressions`.
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
    /// Run only the lines whose heading or text holds this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write one line for each test: the page, the test, and its ruling with every step of the walk.
    #[arg(long, value_name = "OUT.jsonl")]
    rulings: Option<PathBuf>,
}

/// Runs the pages; exits 0 when every line holds, 1 when one does not, 3 when a page cannot be read.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let cases = match pages(arguments).and_then(|pages| cases(&pages)) {
        Ok(cases) => cases,
        Err(message) => return output::fail(&message),
    };
    if let Some(text) = &arguments.find {
        return output::print(&matches(&cases, text));
    }
    let wanted = |case: &Case| {
        let holds = |filter: &String| case.heading.contains(filter) || case.text.contains(filter);
        arguments.filter.as_ref().is_none_or(holds)
    };
    let ran: Vec<(Case, Ruling)> =
        cases.into_iter().filter(wanted).map(|case| (case.clone(), case.run())).collect();
    if ran.is_empty() {
        return output::fail("no line was tested; a test is an indented line in a fenced `portcullis` block");
    }
    if let Some(Err(message)) = arguments.rulings.as_ref().map(|path| write_rulings(path, &ran)) {
        return output::fail(&message);
    }
    let failed: Vec<&(Case, Ruling)> = ran.iter().filter(|(case, ruling)| !case.is_met_by(ruling)).collect();
    let written = if arguments.json {
        output::print_json(&as_json(&ran, &failed))
    } else {
        output::print(&render(ran.len(), &failed))
    };
    if written != ExitCode::SUCCESS || failed.is_empty() { written } else { ExitCode::from(FAILED) }
}

/// The pages that were named, and those in folders that were named: of these, the ones that have tests.
fn pages(arguments: &Arguments) -> Result<Vec<PathBuf>, String> {
    let usual = ["spec", "tests/regressions"].map(PathBuf::from);
    let named = if arguments.pages.is_empty() { &usual[..] } else { &arguments.pages };
    let mut found = Vec::new();
    for page in named {
        if page.is_dir() {
            in_folder(page, &mut found)
                .map_err(|error| format!("cannot read `{}`: {error}", page.display()))?;
        } else {
            found.push(page.clone());
        }
    }
    Ok(found)
}

fn in_folder(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            in_folder(&path, found)?;
        } else if path.extension().is_some_and(|it| it == "md") && has_tests(&path)? {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a page of a folder has tests: others are only read.
fn has_tests(page: &Path) -> std::io::Result<bool> {
    Ok(std::fs::read_to_string(page)?.lines().any(|line| line == "```portcullis"))
}

/// The lines that hold a text, with their places.
fn matches(cases: &[Case], text: &str) -> String {
    let mut shown = String::new();
    let mut count = 0_usize;
    for case in cases.iter().filter(|case| case.text.contains(text)) {
        count = count.saturating_add(1);
        append(
            &mut shown,
            format_args!("{DIM}{}:{}{DIM:#}  {}\n", one_line(&case.file), case.line, one_line(&case.text)),
        );
    }
    append(&mut shown, format_args!("{STRONG}{count} lines{STRONG:#} of {}\n", cases.len()));
    shown
}

fn cases(pages: &[PathBuf]) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut problems = Vec::new();
    for page in pages {
        let name = page.display().to_string();
        match std::fs::read_to_string(page) {
            Ok(text) => match parse(&name, &text) {
                Ok(found) if found.is_empty() => problems.push(format!("`{name}` tests nothing")),
                Ok(found) => cases.extend(found),
                Err(errors) => {
                    problems.extend(errors.iter().map(|error| output::visible(&error.to_string())));
                }
            },
            Err(error) => problems.push(format!("cannot read `{name}`: {error}")),
        }
    }
    if problems.is_empty() { Ok(cases) } else { Err(problems.join("\n       ")) }
}

fn render(count: usize, failed: &[&(Case, Ruling)]) -> String {
    let mut text = String::new();
    for (case, ruling) in failed {
        append(
            &mut text,
            format_args!(
                "{LOUD}{}:{}{LOUD:#} {DIM}{}{DIM:#}\n  {}\n  wanted {STRONG}{}{STRONG:#}, got {STRONG}{}{STRONG:#}: {}\n\n",
                one_line(&case.file),
                case.line,
                one_line(&case.heading),
                one_line(&case.text),
                one_line(&case.wanted()),
                found(ruling),
                one_line(&ruling.message()),
            ),
        );
    }
    let passed = count.saturating_sub(failed.len());
    let style = if failed.is_empty() { CALM } else { LOUD };
    append(&mut text, format_args!("{style}{passed} of {count} hold{style:#}\n"));
    text
}

/// Without times, so that two runs of one policy are equal to the byte.
fn write_rulings(path: &Path, ran: &[(Case, Ruling)]) -> Result<(), String> {
    let lines = ran.iter().map(|(case, ruling)| {
        let mut ruling = ruling.clone();
        ruling.trace.steps.iter_mut().for_each(|step| step.micros = 0);
        let row =
            json!({ "file": case.file, "line": case.line, "case": case.text, "ruling": ruling.to_json() });
        format!("{row}\n")
    });
    std::fs::write(path, lines.collect::<String>())
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn as_json(ran: &[(Case, Ruling)], failed: &[&(Case, Ruling)]) -> Value {
    let failures = failed.iter().map(|(case, ruling)| {
        json!({
            "file": case.file,
            "line": case.line,
            "heading": case.heading,
            "case": case.text,
            "wanted": { "decision": case.expected.word(), "reason": case.reason },
            "got": ruling.to_json(),
        })
    });
    json!({
        "ran": ran.len(),
        "passed": ran.len().saturating_sub(failed.len()),
        "failed": failed.len(),
        "failures": failures.collect::<Vec<_>>(),
    })
}
