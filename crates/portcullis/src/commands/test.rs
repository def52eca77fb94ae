//! `portcullis test`: runs the tests of a policy that stand in Markdown pages.

use std::path::PathBuf;
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
    /// Markdown pages with fenced `portcullis` blocks.
    #[arg(required = true, value_name = "FILE.md")]
    pages: Vec<PathBuf>,
    /// Run only the lines whose heading or text holds this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the pages; exits 0 when every line holds, 1 when one does not, 3 when a page cannot be read.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let cases = match cases(&arguments.pages) {
        Ok(cases) => cases,
        Err(message) => return output::fail(&message),
    };
    let wanted = |case: &Case| {
        let holds = |filter: &String| case.heading.contains(filter) || case.text.contains(filter);
        arguments.filter.as_ref().is_none_or(holds)
    };
    let ran: Vec<(Case, Ruling)> =
        cases.into_iter().filter(wanted).map(|case| (case.clone(), case.run())).collect();
    if ran.is_empty() {
        return output::fail("no line was tested; a test is an indented line in a fenced `portcullis` block");
    }
    let failed: Vec<&(Case, Ruling)> = ran.iter().filter(|(case, ruling)| !case.is_met_by(ruling)).collect();
    let written = if arguments.json {
        output::print_json(&as_json(&ran, &failed))
    } else {
        output::print(&render(ran.len(), &failed))
    };
    if written != ExitCode::SUCCESS || failed.is_empty() { written } else { ExitCode::from(FAILED) }
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
