//! Allow rules that would let anything through, set aside while auto mode is on (SPEC D1).
//!
//! Nothing is removed: whoever matches rules in auto mode passes these over, so leaving auto restores them.

use portcullis_shell::{Effects, nature};

use super::{List, Rule, Specifier};
use crate::call::Tool;

/// Whether programs that change much, but do not run arbitrary code, are set aside too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extra {
    /// No.
    #[default]
    Keep,
    /// `gh`, `curl`, `git`, cloud command lines: yes.
    SetAside,
}

/// Programs that run what they are given, or whose ordinary operands are code.
const RUNNERS: &[&str] = &[
    "ash",
    "awk",
    "bash",
    "bunx",
    "busybox",
    "bun",
    "csh",
    "dash",
    "deno",
    "doas",
    "ed",
    "elvish",
    "emacs",
    "env",
    "eval",
    "ex",
    "exec",
    "expect",
    "fish",
    "gawk",
    "gdb",
    "irb",
    "julia",
    "just",
    "ksh",
    "lua",
    "luajit",
    "make",
    "mawk",
    "gmake",
    "nawk",
    "node",
    "nodejs",
    "npx",
    "nu",
    "nvim",
    "osascript",
    "parallel",
    "perl",
    "php",
    "pipx",
    "pkexec",
    "pnpx",
    "pwsh",
    "powershell",
    "python",
    "R",
    "rake",
    "Rscript",
    "ruby",
    "screen",
    "sh",
    "source",
    "sqlite3",
    "ssh",
    "sudo",
    "su",
    "task",
    "tclsh",
    "tcsh",
    "tmux",
    "ts-node",
    "tsx",
    "uvx",
    "vi",
    "view",
    "vim",
    "watch",
    "xargs",
    "xonsh",
    "yash",
    "zsh",
    ".",
];

/// Sub-commands that do.
const RUNNING_VERBS: &[(&str, &[&str])] = &[
    ("npm", &["run", "run-script", "rum", "urn", "exec", "x", "explore", "start", "init", "create"]),
    ("yarn", &["run", "exec", "dlx", "node", "create"]),
    ("pnpm", &["run", "exec", "dlx", "create"]),
    ("bun", &["run", "x", "create"]),
    ("docker", &["run", "exec", "compose", "container"]),
    ("podman", &["run", "exec", "compose", "container"]),
    ("nerdctl", &["run", "exec"]),
    ("kubectl", &["exec", "run", "debug"]),
    ("oc", &["exec", "run", "debug", "rsh"]),
    ("cargo", &["run", "install"]),
    ("go", &["run", "generate"]),
    ("uv", &["run", "tool"]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("bundle", &["exec"]),
    ("mise", &["exec", "run", "x"]),
    ("direnv", &["exec"]),
    ("devbox", &["run"]),
    ("nix", &["run", "shell", "develop"]),
    ("conda", &["run"]),
    ("composer", &["exec", "run-script"]),
    ("dotnet", &["run", "script", "exec"]),
    ("swift", &["run"]),
    ("gradle", &["run"]),
];

/// What is set aside only by a setting.
const EXTRA: &[&str] = &["gh", "curl", "wget", "git", "kubectl", "aws", "gcloud", "gsutil"];

const POWERSHELL: &[&str] = &[
    "pwsh",
    "powershell",
    "cmd",
    "wsl",
    "iex",
    "invoke-expression",
    "icm",
    "invoke-command",
    "start-process",
    "saps",
    "start",
    "start-job",
    "sajb",
    "start-threadjob",
    "register-objectevent",
    "register-engineevent",
    "&",
    ".",
    "invoke-item",
    "ii",
    "new-object",
    "add-type",
    "set-alias",
    "new-alias",
    "invoke-webrequest",
    "iwr",
    "irm",
    "invoke-restmethod",
];

/// Whether the rule is set aside in auto mode.
#[must_use]
pub fn is_dangerous(rule: &Rule, extra: Extra) -> bool {
    if rule.list != List::Allow {
        return false;
    }
    match (Tool::named(&rule.tool), &rule.specifier) {
        (Tool::Agent, _) => true,
        (Tool::Bash | Tool::PowerShell | Tool::Repl, Specifier::Whole) => true,
        (Tool::Bash, Specifier::Command(pattern)) => {
            !pattern.0.is_exact() && runs_anything(pattern.0.leading(), extra)
        }
        (Tool::PowerShell, Specifier::Command(pattern)) => {
            !pattern.0.is_exact()
                && first_is(&pattern.0, |name| {
                    POWERSHELL.contains(&name.to_lowercase().as_str()) || is_runner(name)
                })
        }
        (_, _) => false,
    }
}

/// Programs that start another one with the words behind them, whatever it is.
const STARTERS: &[&str] = &[
    "timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "noglob", "setsid", "ionice",
    "flock", "watch",
];

fn runs_anything(leading: &[String], extra: Extra) -> bool {
    let Some((first, rest)) = leading.split_first() else {
        // The wildcard comes before the first word ends: `*`, `py*`.
        return true;
    };
    let name = first.rsplit('/').next().unwrap_or(first);
    let verbs: Vec<&str> = RUNNING_VERBS
        .iter()
        .filter(|(program, _)| *program == name)
        .flat_map(|(_, verbs)| *verbs)
        .copied()
        .collect();
    let runs = |verb: &String| verbs.contains(&verb.as_str());
    let runs_by_verb = !verbs.is_empty()
        && match rest {
            // `npm *` can be `npm run`; `npm run test` as a prefix only adds arguments to one script.
            [] => matches!(name, "npm" | "yarn" | "pnpm" | "bun"),
            rest => rest.len() == 1 && rest.iter().any(runs),
        };
    is_runner(name)
        || runs_by_verb
        || runs_by_nature(name, rest)
        || (extra == Extra::SetAside && EXTRA.contains(&name))
        || ((!verbs.is_empty() || STARTERS.contains(&name))
            && !names_script(name, rest)
            && starts_anything(rest, runs, extra))
}

/// `npm run watch`, `cargo run`: what stands behind it is the project's own and no program of that name.
fn names_script(name: &str, rest: &[String]) -> bool {
    const OWN: &[&str] =
        &["npm", "yarn", "pnpm", "bun", "cargo", "go", "swift", "gradle", "dotnet", "mise", "composer"];
    let verb = rest
        .first()
        .is_some_and(|verb| matches!(verb.as_str(), "run" | "run-script" | "create" | "generate"));
    OWN.contains(&name) && verb
}

/// Whether a program stands behind the one that starts it which runs what it is given: `uv run python`, `timeout 5 node`.
fn starts_anything(rest: &[String], runs: impl Fn(&String) -> bool, extra: Extra) -> bool {
    let from = rest.iter().take_while(|word| runs(word)).count();
    let places = from..rest.len();
    places.filter_map(|at| rest.get(at..)).any(|behind| {
        let verb = behind.first().is_some_and(|word| matches!(word.as_str(), "exec" | "run"));
        !verb && runs_anything(behind, extra)
    })
}

/// Whether the reader knows the program, or its sub-command, as one for running what it is given, or as another user. Behind
/// further words a wildcard only adds to one such thing.
fn runs_by_nature(name: &str, verbs: &[String]) -> bool {
    let verbs: Vec<&str> = verbs.iter().map(String::as_str).collect();
    nature(name, &verbs).is_some_and(|it| {
        let interprets = it.open && it.runs_code && verbs.is_empty();
        !it.group && (interprets || it.does.meets(Effects::EXECUTES.and(Effects::PRIVILEGE)))
    })
}

fn first_is(pattern: &super::Pattern, holds: impl Fn(&str) -> bool) -> bool {
    pattern.leading().first().is_none_or(|first| holds(first))
}

/// A runner by its name, or by its name with a version: `python3.12`.
fn is_runner(name: &str) -> bool {
    let plain = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.' || last == '-');
    RUNNERS.contains(&name) || RUNNERS.contains(&plain)
}

#[cfg(test)]
mod tests {
    use super::super::{Origin, Source};
    use super::*;

    fn dangerous(text: &str) -> bool {
        let (rule, broken) = Rule::parse(text, List::Allow, Origin::of(Source::User));
        assert_eq!(broken, None, "{text}");
        is_dangerous(&rule, Extra::Keep)
    }

    /// [D1]
    #[test]
    fn rules_that_let_anything_run_are_dangerous() {
        for text in [
            "Bash",
            "Bash(*)",
            "Bash(py*)",
            "Bash(python:*)",
            "Bash(python3.12 *)",
            "Bash(npm run:*)",
            "Bash(npx:*)",
            "Bash(docker run:*)",
            "Bash(sudo *)",
            "Bash(make:*)",
            "Bash(hyperfine:*)",
            "Bash(runuser:*)",
            "Bash(opam exec:*)",
            "Bash(/usr/bin/mongosh:*)",
            "Bash(pypy3:*)",
            "Agent",
            "Agent(reviewer)",
            "PowerShell(iex:*)",
            "PowerShell(Start-Process *)",
        ] {
            assert!(dangerous(text), "{text}");
        }
    }

    /// [D1]
    #[test]
    fn rules_for_one_thing_are_not() {
        for text in [
            "Bash(npm run test)",
            "Bash(npm run test:*)",
            "Bash(git:*)",
            "Bash(find:*)",
            "Bash(tar:*)",
            "Bash(python3 -m pytest)",
            "Bash(opam exec -- dune:*)",
            "Bash(opam:*)",
            "Bash(hyperfine x)",
            "Bash(cargo test:*)",
            "Bash(npm install:*)",
            "Bash(timeout:*)",
            "Bash(mytool:*)",
            "Bash(ls:*)",
            "Read",
            "PowerShell(Get-ChildItem:*)",
            "WebFetch",
        ] {
            assert!(!dangerous(text), "{text}");
        }
        let (rule, _) = Rule::parse("Bash(git:*)", List::Allow, Origin::of(Source::User));
        assert!(is_dangerous(&rule, Extra::SetAside));
    }
}
