//! What the tables of build tools cannot say: which words are code, and which places lie outside the project.

use super::invocation::{Invocation, Outcome, Run};
use super::local::{NAMED, stays, task};
use crate::argument::Argument;
use crate::effects::Effects;

/// Options that name the directory or the file a runner works with.
const PLACES: &[&str] = &[
    "C",
    "f",
    "d",
    "S",
    "b",
    "p",
    "--directory",
    "--file",
    "--makefile",
    "--justfile",
    "--working-directory",
    "--taskfile",
    "--dir",
    "--rakefile",
    "--build-file",
    "--project-dir",
    "--cd",
    "--cwd",
    "--include-dir",
    "I",
    "--settings-file",
    "--init-script",
    "s",
    "--settings",
    "--gs",
    "--global-settings",
    "--root",
];

/// Properties of sbt that only say what its output looks like.
const PLAIN_PROPERTIES: &[&str] =
    &["sbt.color", "sbt.ci", "sbt.log.noformat", "sbt.supershell", "sbt.progress"];

/// The commands of sbt: each word is one, or several with `;` between them. Some are code, and some properties name
/// where code comes from.
pub(super) fn commands_of_sbt<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    targets(invocation, out);
    let code = |line: &Argument<'_>| {
        line.text.split(';').any(|command| {
            let command = command.trim_start_matches([' ', '\t', '~', '+']);
            let name = command.split([' ', '\t', '"']).next().unwrap_or_default();
            matches!(
                name,
                "eval"
                    | "set"
                    | "apply"
                    | "consoleProject"
                    | "sh"
                    | "alias"
                    | "onFailure"
                    | "reboot"
                    | "<"
                    | "addPluginSbtFile"
            ) || name.starts_with(['<', '!', '-', '@'])
        })
    };
    let matters = |value: &str| {
        let name = value.split('=').next().unwrap_or_default();
        ["sbt.", "ivy.", "coursier.", "java.", "jdk.", "sun."].iter().any(|family| name.starts_with(family))
            && !PLAIN_PROPERTIES.contains(&name)
    };
    // Sizes of memory and stack only: an agent or a file of options is code.
    let size = |value: &str| {
        ["-Xmx", "-Xms", "-Xss", "-XX:MaxMetaspaceSize="].iter().any(|start| value.starts_with(start))
    };
    let told =
        invocation.options.iter().any(|seen| match (seen.name, seen.value.map(|value| value.known())) {
            ("D", Some(value)) => value.is_none_or(matters),
            ("J", Some(value)) => !value.is_some_and(size),
            _ => false,
        });
    if told || invocation.operands.iter().any(code) {
        out.executes();
    }
}

/// A runner's targets; `NAME=value` words set variables of the build file.
/// Two programs have this name: one builds, and one keeps files in a store.
pub(super) fn boost_or_store<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const STORE: &[&str] = &[
        "account",
        "bucket",
        "file",
        "key",
        "replication",
        "rm",
        "sync",
        "ls",
        "upload-file",
        "upload-unbound-stream",
        "download-file",
        "delete-bucket",
        "delete-file-version",
        "delete-key",
        "hide-file",
        "create-bucket",
        "update-bucket",
        "copy-file-by-id",
        "cancel-all-unfinished-large-files",
        "cancel-large-file",
        "authorize-account",
        "clear-account",
        "create-key",
        "list-buckets",
        "list-keys",
        "get-bucket",
        "get-file-info",
        "version",
    ];
    let words = || invocation.words.iter().filter_map(Argument::known);
    let stored = words().any(|word| word.starts_with("b2://") || word.starts_with("b2id://"));
    match words().next() {
        Some("ls" | "list-buckets" | "get-bucket" | "get-file-info") => out.effects = Effects::NETWORK_READ,
        Some(first) if stored || STORE.contains(&first) => {
            out.effects = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
        }
        Some(_) | None => targets(invocation, out),
    }
}

pub(super) fn targets<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(invocation, out, PLACES);
    if out.help {
        return;
    }
    if invocation.program.ends_with("make") && asks_for_help(invocation) {
        out.effects = Effects::READS;
        return;
    }
    for operand in &invocation.operands {
        if sets_code(*operand) {
            out.executes();
        }
        task(*operand, out);
    }
    let indices = out.operands.iter().copied().zip(&invocation.operands);
    let steered = indices.filter(|(_, word)| assigns_freely(word)).map(|(index, _)| index);
    out.steered.extend(steered.collect::<Vec<_>>());
}

/// Whether a word gives a variable of the build file a value that could be a program, an option or a place.
fn assigns_freely(word: &Argument<'_>) -> bool {
    const SWITCHES: &[&str] = &["", "true", "false", "yes", "no", "on", "off"];
    let Some((name, value)) = word.text.split_once('=') else { return false };
    let plain = SWITCHES.contains(&value) || value.bytes().all(|byte| byte.is_ascii_digit());
    !matches!(name, "V" | "VERBOSE" | "Q") && !(word.literal && (plain || is_compiler(value)))
}

/// A usual compiler with options that only say how good and how strict it is: `gcc -O2`.
fn is_compiler(value: &str) -> bool {
    const NAMES: &[&str] = &["cc", "gcc", "clang", "c++", "g++", "clang++"];
    let mut words = value.split_ascii_whitespace();
    words.next().is_some_and(|name| NAMES.contains(&name))
        && words.all(|word| {
            ["-O", "-g", "-W", "-std="].iter().any(|start| word.starts_with(start)) && !word.contains(',')
        })
}

/// `make --help deploy`: it tells how it is called and ends, whatever goal is named. What a word sets is run before.
fn asks_for_help(invocation: &Invocation<'_, '_>) -> bool {
    let help = |word: &Argument<'_>| matches!(word.known(), Some("--help" | "-h" | "--version"));
    let plain = |word: &Argument<'_>| word.literal && !word.text.starts_with('-') && !word.text.contains('=');
    let (help, others): (Vec<_>, Vec<_>) = invocation.words.iter().partition(|word| help(word));
    !help.is_empty() && others.into_iter().all(plain)
}

/// Whether a word assigns something that the build would run.
fn sets_code(operand: Argument<'_>) -> bool {
    let Some((name, value)) = operand.prefix().split_once('=') else {
        return !operand.literal && operand.many;
    };
    let name = name.trim_end_matches([':', '+', '?', '!']);
    let program = matches!(
        name,
        "SHELL"
            | ".SHELLFLAGS"
            | "MAKEFLAGS"
            | "GNUMAKEFLAGS"
            | "MAKEFILES"
            | "MAKE"
            | "BASH_ENV"
            | "ENV"
            | "PATH"
            | "LD_PRELOAD"
    );
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+,:/@= ".contains(&byte));
    // Where an installation goes to look at it.
    let staged = matches!(name, "DESTDIR" | "PREFIX" | "prefix") && value.starts_with("/tmp/");
    program || !operand.literal || !plain || (value.starts_with('/') && !staged) || value.contains("..")
}

/// Goals of Maven that run a program, take in code that the project does not declare, or commit and send.
pub(super) fn goals<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    targets(invocation, out);
    for goal in invocation.operands.iter().filter_map(Argument::known) {
        let parts: Vec<&str> = goal.split(':').collect();
        match parts.as_slice() {
            ["exec", "exec"] => out.executes(),
            ["dependency", "get"] => out.add(NAMED),
            ["scm", "checkin" | "tag" | "branch"] => out.add(Effects::PUSHES),
            [group, _, _, ..] if !group.starts_with("org.apache.maven") => out.add(NAMED),
            _ => {}
        }
    }
}

/// Packages that nobody compares with what the project says they are.
pub(super) fn tasks_of_gradle<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    targets(invocation, out);
    if invocation.value(&["--dependency-verification"]).is_some_and(|mode| mode.known() != Some("strict")) {
        out.add(NAMED);
    }
}

/// Sources, commands and what they print go to the machines that build or keep records.
pub(super) fn builds_elsewhere(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let services = ["--remote_executor", "--bes_backend", "--remote_cache"];
    let near = |address: &str| address.contains("://localhost") || address.contains("://127.0.0.1");
    if invocation.value(&services).is_some_and(|service| !service.known().is_some_and(near)) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// `mise exec TOOLS -- COMMAND`.
pub(super) fn mise_exec<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let tools = invocation.words.iter().skip(1).take_while(|word| word.known() != Some("--"));
    if tools.clone().any(|word| !word.prefix().starts_with('-')) {
        out.add(NAMED);
    }
    let command = invocation.words.get(tools.count() + 2..).unwrap_or_default();
    if !command.is_empty() {
        out.runs.push(Run::Words(command));
    }
}
