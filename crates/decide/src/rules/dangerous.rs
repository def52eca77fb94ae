//! Allow rules that would let anything through, set aside while auto mode is on (SPEC D1).
//!
//! Nothing is removed: whoever matches rules in auto mode passes these over, so leaving auto restores them.

use portcullis_shell::{Dialect, Effects, Placement, nature, read};

use super::{List, Rule, Specifier};
use crate::call::Tool;

/// Whether auto mode also sets aside allow rules for powerful programs that do not run arbitrary code
/// (`dangerousRules`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extra {
    /// No: only rules that allow arbitrary code are set aside.
    #[default]
    Keep,
    /// Yes: also those for `gh`, `curl`, `git` and cloud command lines.
    SetAside,
}

/// Programs that run what they are given, or whose ordinary operands are code.
const RUNNERS: &[&str] = &[
    ".",
    "R",
    "Rscript",
    "ash",
    "awk",
    "babel-node",
    "bash",
    "bun",
    "bunx",
    "busybox",
    "coffee",
    "csh",
    "dash",
    "deno",
    "doas",
    "ed",
    "elvish",
    "emacs",
    "env",
    "esno",
    "eval",
    "ex",
    "exec",
    "expect",
    "fish",
    "gawk",
    "gdb",
    "gmake",
    "guile",
    "irb",
    "jiti",
    "julia",
    "just",
    "ksh",
    "lua",
    "luajit",
    "make",
    "mawk",
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
    "powershell",
    "pwsh",
    "py",
    "python",
    "racket",
    "rake",
    "raku",
    "ruby",
    "runghc",
    "sbcl",
    "screen",
    "sh",
    "source",
    "sqlite3",
    "ssh",
    "su",
    "sudo",
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
    "vite-node",
    "watch",
    "xargs",
    "xonsh",
    "yash",
    "zsh",
    "zx",
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
                && (first_is(&pattern.0, |name| POWERSHELL.contains(&name.to_lowercase().as_str()))
                    || runs_anything(pattern.0.lowered().leading(), extra))
        }
        (_, _) => false,
    }
}

/// Whether what a rule allows that begins with these words could run anything: by the program itself, or by one that it starts.
fn runs_anything(leading: &[String], extra: Extra) -> bool {
    let Some((_, rest)) = leading.split_first() else {
        // The wildcard comes before the first word ends: `*`, `py*`.
        return true;
    };
    let behind = (1..=rest.len()).filter_map(|at| leading.get(at..));
    // Behind another program they are a verb and a folder.
    let word = |words: &&[String]| words.first().is_some_and(|it| matches!(it.as_str(), "exec" | "."));
    let behind = behind.filter(|words| !word(words));
    let suspects: Vec<&[String]> = behind.filter(|words| runs_by_itself(words, Extra::Keep)).collect();
    let handed = || suspects.iter().any(|words| is_handed(leading, leading.len() - words.len()));
    runs_by_itself(leading, extra) || handed() || (!suspects.is_empty() && is_started(leading, &suspects))
}

/// Whether the word at this place is a program by what stands before it, though nobody knows what that does: `opam exec -- python`.
fn is_handed(leading: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| leading.get(before)).map(String::as_str);
    let manager = leading.first().is_some_and(|first| matches!(first.as_str(), "yarn" | "pnpm" | "bun"));
    matches!(before, Some("--" | "exec" | "dlx" | "x")) || (manager && at == 1)
}

/// Whether the line starts one of the programs: `uv run python`, `timeout 5 node`, but not `docker pull python`.
fn is_started(leading: &[String], programs: &[&[String]]) -> bool {
    let plain =
        |word: &String| word.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_./:=@+,%".contains(&it));
    let line = leading.join(" ");
    let reading = read(&line, Dialect::Bash);
    let mut started = reading.commands.iter().filter(|command| command.placement == Placement::Wrapped);
    // What cannot be read as it stands may start anything.
    !leading.iter().all(plain)
        || started.any(|command| programs.iter().any(|words| words.first() == Some(&command.word)))
}

/// Whether the program that the words begin with runs what stands behind them.
fn runs_by_itself(leading: &[String], extra: Extra) -> bool {
    let Some((first, rest)) = leading.split_first() else { return false };
    let name = first.rsplit('/').next().unwrap_or(first);
    let verbs = RUNNING_VERBS.iter().filter(|(program, _)| *program == name).flat_map(|(_, verbs)| *verbs);
    let verbs: Vec<&str> = verbs.copied().collect();
    let told = without_options(rest);
    let runs_by_verb = !verbs.is_empty()
        && if told.is_empty() {
            // `npm *` can be `npm run`; `npm run test` as a prefix only adds arguments to one script.
            matches!(name, "npm" | "yarn" | "pnpm" | "bun")
        } else {
            told.iter().all(|verb| verbs.contains(verb))
        };
    is_runner(name)
        || runs_by_verb
        || runs_by_nature(name, rest)
        || (extra == Extra::SetAside && EXTRA.contains(&name))
}

/// The words that are neither options nor the values of such as say where to work: `run` of `--prefix web run --silent`.
fn without_options(words: &[String]) -> Vec<&str> {
    const PLACES: &[&str] = &["--prefix", "--filter", "-F", "-C", "--dir", "--cwd", "--workspace", "-w"];
    let mut told = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if PLACES.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            told.push(word);
        }
    }
    told
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
