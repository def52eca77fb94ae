//! What the words of prompts, timers and settings ask for: more than ordinary work, and command lines inside them.

mod subjects;

use serde_json::Value;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::detect::tools::texts;
use crate::detect::{Category, Finding, code, detectors, scripts};
use crate::encoding::encode;

/// Whether a text in small letters says the words, and not as part of a longer word or of a path, right behind a `not`,
/// or as what a question is about. Files are looked at by themselves.
fn asks_for(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + words.trim_end().len()..).unwrap_or_default();
        let part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '/');
        let spared = ["do not ", "don't ", "never ", "without "].iter().any(|no| before.ends_with(no));
        !before.ends_with(part)
            && !after.starts_with('/')
            && !is_ending(after)
            && !is_class(after)
            && !spared
            && !subjects::is_subject(text, at, words)
    })
}

/// Whether the text goes on with the ending of a file name.
fn is_ending(text: &str) -> bool {
    text.strip_prefix('.').is_some_and(|rest| rest.starts_with(|first: char| first.is_alphanumeric()))
}

/// Whether the word goes on as the name of a class: `PublishService`.
fn is_class(after: &str) -> bool {
    let end = after.find(|it: char| !it.is_alphanumeric()).unwrap_or(after.len());
    matches!(
        after.get(..end).unwrap_or_default(),
        "service" | "manager" | "controller" | "handler" | "client" | "helper" | "button" | "form" | "error"
    )
}

/// Words in a task that ask for more than a task.
const BROAD: &[&str] = &[
    "do not ask",
    "don't ask",
    "without asking",
    "no need to ask",
    "by any means",
    "whatever it takes",
    "all repositories",
    "every repository",
    "autonomous",
    "permissions you miss",
    "full access",
    "bypasspermissions",
    "skip the checks",
    "ignore the rules",
    "ignore previous",
    "disable the",
    "settings.json",
    "force push",
    "force-push",
    "push to main",
    "deploy to prod",
    "to production",
    "delete everything",
    "drop the",
    "restart the services",
    "overwrite the files",
    "invoke-command",
    "all servers",
    "every server",
    "root access",
    "sudo ",
    "credentials",
    "api key",
    "~/.ssh",
    "~/.aws",
    "on all hosts",
    "anything else",
    "as you see fit",
    "download",
    "run it",
    "push ",
    "deploy",
    "delete all",
    "branch protection",
    "environment variables",
    "base64",
    "blocks you",
    "encode the",
    "lösche",
    "supprime",
    "borra",
    "upload",
    "send the",
    "exfiltrat",
    "reverse shell",
    "disable ",
    "turn off",
    "email ",
    "publish",
    "merge the pr",
    "force",
    "you may do anything",
    "production database",
    "staging database",
    "drop all",
    "wipe ",
    "erase ",
    "rm -rf",
    "reset --hard",
    "clean -fd",
    "cron job",
    "ssh into",
    "in the slack",
    "every .env",
    "shell history",
];

/// Whether a field says that the agent needs to ask nobody, or may use every tool.
fn asks_nobody(input: &Value) -> bool {
    let fields = input.as_object().into_iter().flatten();
    let mut told = fields.map(|(name, value)| (name.to_ascii_lowercase().replace('_', ""), value));
    told.any(|(name, value)| {
        let mode = name.ends_with("mode")
            && value.as_str().is_some_and(|mode| {
                matches!(mode, "bypassPermissions" | "yolo" | "dontAsk" | "bypass" | "full-auto")
            });
        let switch = name.contains("skippermissions") && *value != Value::Bool(false);
        let tools = name == "allowedtools"
            && value.as_array().is_some_and(|tools| tools.iter().any(|tool| tool.as_str() == Some("*")));
        mode || switch || tools
    })
}

/// The harm in the words for an agent, a timer or a setting.
#[expect(clippy::wildcard_enum_match_arm, reason = "only these tools come here")]
pub(super) fn of_words(call: &ToolCall) -> Vec<Finding> {
    let text = encode(call).unwrap_or_default();
    let lower = text.to_lowercase();
    let mut found: Vec<Finding> = code::signs(&text, "").into_iter().map(code::Sign::finding).collect();
    if asks_nobody(&call.input) {
        found.push(Finding::by(&detectors::SUBAGENT_ASKS_NOBODY));
    }
    match call.tool {
        Tool::Config => found.push(Finding::by(&detectors::CHANGES_AGENT_SETTINGS)),
        Tool::CronCreate => found.push(Finding::by(&detectors::SCHEDULES_AGENT)),
        _ => {
            let broad = BROAD.iter().find(|words| asks_for(&lower, words));
            found.extend(broad.map(|words| Finding::by(&detectors::BROAD_TASK).about(words.trim())));
            found.extend(subjects::of_named_files(&text));
            found.extend(subjects::of_shared(&lower));
            found.extend(subjects::of_foreign_script(&lower));
        }
    }
    found
}

/// The harm in command lines that an agent is to run, between backticks or after a word such as `run`.
pub(super) fn of_command_lines(call: &ToolCall, context: &Context) -> Vec<Finding> {
    let mut told = Vec::new();
    texts(&call.input, &mut told);
    let marked = told.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let lines = marked.chain(told.iter().flat_map(|text| subjects::command_lines(text)));
    let grave = |finding: &Finding| {
        finding.certain
            || matches!(
                finding.category(),
                Category::ExternalWrite
                    | Category::ProductionDeploy
                    | Category::SharedResource
                    | Category::CloudStorageDelete
            )
    };
    let found = lines.flat_map(|line| scripts::harm(line, &call.cwd, context)).filter(grave);
    let about = |finding: Finding| Finding {
        what: format!("asks an agent to run a command: {}", finding.what),
        span: None,
        ..finding.doubtful()
    };
    found.map(about).collect()
}
