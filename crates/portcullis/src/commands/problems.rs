//! What is wrong with the settings, as lines for people and as JSON.

use portcullis_gate::settings::{Problem, Severity};
use serde_json::{Value, json};

use crate::output::{DIM, LOUD, WARM, visible};

/// One line for each problem.
pub(crate) fn lines(problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let style = match problem.severity {
            Severity::Error => LOUD,
            Severity::Warning => WARM,
            Severity::Note => DIM,
        };
        format!("{style}{}:{style:#} {}\n", problem.severity.name(), visible(&problem.to_string()))
    };
    problems.iter().map(line).collect()
}

/// The problems for programs.
pub(crate) fn as_json(problems: &[Problem]) -> Value {
    let one = |problem: &Problem| {
        json!({
            "severity": problem.severity.name(),
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "message": problem.message,
        })
    };
    problems.iter().map(one).collect()
}
