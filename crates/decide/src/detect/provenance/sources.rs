//! Commands that change where a project's packages come from, or what runs when they are installed.

use portcullis_shell::Command;

use crate::context::Context;
use crate::detect::{Finding, detectors, scripts};

/// Sub-commands that name another source, or add to the project what no file of it declares.
const SOURCES: &[(&str, &[&str])] = &[
    ("poetry", &["source", "add"]),
    ("dotnet", &["nuget", "add", "source"]),
    ("dotnet", &["nuget", "update", "source"]),
    ("helm", &["repo", "add"]),
    ("git", &["submodule", "add"]),
    ("git", &["submodule", "set-url"]),
    ("swift", &["package", "add-dependency"]),
];

/// Tasks that the package manager runs by itself.
const BY_ITSELF: &[&str] = &["preinstall", "install", "postinstall", "prepare", "prepublish", "prepack"];

/// Another source of packages, as far as the command itself says so.
pub(in crate::detect) fn changed(command: &Command, cwd: &str, context: &Context) -> Vec<Finding> {
    let Some(program) = command.program.as_deref() else { return Vec::new() };
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    // Options may be anywhere: `npm --silent pkg set`.
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let follows = |wanted: &[&str]| plain.windows(wanted.len()).any(|part| part == wanted);
    let named = SOURCES.iter().any(|(name, verbs)| *name == program && follows(verbs));
    let of_go = program == "go"
        && ((follows(&["mod", "edit"]) && words.iter().any(takes_other_module)
            || follows(&["mod", "edit"]) && words.contains(&"-replace"))
            || (follows(&["env"]) && words.contains(&"-w")));
    if named || of_go {
        return vec![Finding::on(&detectors::OTHER_PACKAGE_SOURCE, command)];
    }
    let after = |verb: &str| plain.iter().position(|word| *word == verb).and_then(|at| plain.get(at + 1..));
    let set: Vec<(&str, &str)> = match (program, after("pkg"), after("set-script")) {
        ("npm" | "pnpm", Some(["set", fields @ ..]), _) => {
            fields.iter().filter_map(|field| field.split_once('=')).collect()
        }
        ("npm", _, Some([task, line, ..])) => vec![(task, line)],
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (field, value) in set {
        let task = field.strip_prefix("scripts.").or_else(|| (!field.contains('.')).then_some(field));
        if field.to_ascii_lowercase().contains("dependencies") {
            found.push(Finding::on(&detectors::SETS_DEPENDENCY, command));
        } else if task.is_some_and(|task| BY_ITSELF.contains(&task)) {
            found.push(Finding::on(&detectors::SETS_INSTALL_SCRIPT, command));
        }
        if task.is_some() {
            found.extend(scripts::harm(value, cwd, context).into_iter().map(|finding| Finding {
                span: Some(command.span),
                what: format!("sets a package script: {}", finding.what),
                ..finding
            }));
        }
    }
    found
}

/// `-replace=a=example.com/b`, `-require=a@v1`; a folder beside the module is no other place.
fn takes_other_module(word: &&str) -> bool {
    let option = word.trim_start_matches('-');
    let replaced = option.strip_prefix("replace=").and_then(|rest| rest.split_once('='));
    option.starts_with("require=") || replaced.is_some_and(|(_, to)| !to.starts_with('.'))
}
