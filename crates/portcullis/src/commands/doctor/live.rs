//! The proof on the real client: it is started without a person, in a private home, against a model of our own that asks
//! for one command, with the gate put in by `install`. Whether the command ran is seen by the file that it would leave.

use std::path::Path;
use std::time::Duration;

use portcullis_gate::store::{DecisionCounts, Store};
use serde_json::json;

use super::super::install::Standing;
use super::clients::{self, Client};
use super::model::Model;
use super::sandbox::{Ended, Sandbox};
use super::{Health, Row};
use crate::agents;
use crate::output;

/// The longest that one run of a client takes.
const LONGEST: Duration = Duration::from_mins(2);
/// The longest that `install` or `--version` take.
const SHORT: Duration = Duration::from_secs(20);
/// The longest that is shown of what a client says.
const LONGEST_LINE: usize = 120;
/// What the model asks for, and what the file is called that shows that it ran.
const COMMAND: &str = "touch marker.txt";
const MARKER: &str = "marker.txt";

/// Hooks that fail do so only where a call is asked about; for everything else they are silent.
const CRASHES: &str =
    "#!/bin/sh\ncase $(cat) in *'\"PreToolUse\"'*|*'\"BeforeTool\"'*|*tool.execute.before*) exit 1;; esac\n";
const DIES: &str = "#!/bin/sh\ncase $(cat) in *'\"PreToolUse\"'*|*'\"BeforeTool\"'*|*tool.execute.before*) \
                    kill -KILL $$;; esac\n";
const HANGS: &str = "#!/bin/sh\ncase $(cat) in *'\"PreToolUse\"'*|*'\"BeforeTool\"'*|*tool.execute.before*) \
                     exec sleep 60;; esac\n";

/// What the hook does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hook {
    Denies,
    Allows,
    Crashes,
    IsKilled,
    IsMissing,
    Hangs,
}

impl Hook {
    const ALL: [Hook; 6] =
        [Hook::Denies, Hook::Allows, Hook::Crashes, Hook::IsKilled, Hook::IsMissing, Hook::Hangs];

    const fn name(self) -> &'static str {
        match self {
            Hook::Denies => "live: deny",
            Hook::Allows => "live: allow",
            Hook::Crashes => "live: hook crashes",
            Hook::IsKilled => "live: hook killed",
            Hook::IsMissing => "live: hook missing",
            Hook::Hangs => "live: hook hangs",
        }
    }
}

/// What became of one run.
struct Run {
    /// Whether the command ran.
    ran: bool,
    /// Whether the client was asked to run it.
    asked: bool,
    /// Whether it had no tool for it.
    not_offered: bool,
    /// What the gate decided.
    decided: DecisionCounts,
    ended: Ended,
}

/// Starts the client once for each thing a hook can do.
pub(super) fn rows(agent: &Standing) -> Vec<Row> {
    let Some(client) = clients::of(agent.name) else {
        let found = "cannot be proven here: there is no way to start it with a model of our own";
        return vec![Row::new(agent.name, "live", Health::Note, found)];
    };
    let Some(program) = &agent.program else {
        let found = "not proven: its program is not on the PATH of this shell";
        return vec![Row::new(agent.name, "live", Health::Note, found)];
    };
    let mut rows = vec![version(agent, program)];
    if agents::named(agent.name).is_none() {
        let found = "not proven: this version of portcullis cannot answer this agent";
        rows.push(Row::new(agent.name, "live", Health::Doubtful, found).fix("update portcullis"));
        return rows;
    }
    for hook in Hook::ALL {
        // Whoever waits for a client wants to see that something happens.
        if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            output::status(&format!("{}: {}", agent.title, hook.name()));
        }
        rows.push(match run(client, program, hook) {
            Ok(run) => judged(agent, client, hook, &run),
            Err(why) => Row::new(agent.name, hook.name(), Health::Doubtful, format!("not proven: {why}")),
        });
    }
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        output::status("");
    }
    rows
}

fn version(agent: &Standing, program: &Path) -> Row {
    let asked = Sandbox::new().and_then(|sandbox| {
        let mut command = sandbox.command(program);
        command.arg("--version");
        sandbox.run(command, SHORT)
    });
    let asked = asked.ok().filter(|ended| ended.code == Some(0));
    match asked.and_then(|ended| version_in(&ended.output)) {
        Some(version) => Row::new(agent.name, "version", Health::Good, version),
        None => Row::new(agent.name, "version", Health::Doubtful, "it does not say which version it is"),
    }
}

/// The line that holds a version: warnings may stand before it.
fn version_in(output: &str) -> Option<String> {
    let is_version = |word: &str| {
        let word = word.trim_start_matches('v');
        word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.')
    };
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let versioned = lines().find(|line| line.split_whitespace().any(is_version));
    versioned.or_else(|| lines().next()).map(short)
}

fn run(client: &Client, program: &Path, hook: Hook) -> Result<Run, String> {
    let sandbox = Sandbox::new()?;
    let model = Model::start((client.script)(COMMAND))?;
    let url = model.url();
    for (file, text) in (client.settings)(&url) {
        sandbox.write(file, &text)?;
    }
    put_gate_in(client, &sandbox, hook)?;
    let mut command = sandbox.command(program);
    let trusting = client.trusting.filter(|_| hook == Hook::Hangs);
    command.args(client.arguments.iter().take(1)).args(trusting);
    command.args(client.arguments.iter().skip(1)).envs((client.variables)(&sandbox, &url));
    let ended = sandbox.run(command, LONGEST)?;
    Ok(Run {
        ran: sandbox.work().join(MARKER).exists(),
        asked: model.has_asked(),
        not_offered: model.was_not_offered(),
        decided: Store::open_read_only(&sandbox.state())
            .and_then(|store| store.decided_since(0))
            .unwrap_or_default(),
        ended,
    })
}

/// Has `install` put the gate in, with a policy for the one command; then lets the hook fail where it shall.
fn put_gate_in(client: &Client, sandbox: &Sandbox, hook: Hook) -> Result<(), String> {
    let list = if hook == Hook::Denies { "deny" } else { "allow" };
    let policy = json!({"permissions": {list: ["Bash(touch:*)"]}});
    sandbox.write(".config/portcullis/settings.json", &policy.to_string())?;
    sandbox.bring_gate()?;
    let mut command = sandbox.command(&sandbox.gate());
    command.args(["install", client.name, "--yes"]);
    let ended = sandbox.run(command, SHORT)?;
    if ended.code != Some(0) {
        return Err(format!("`install` failed in a fresh home: {}", last_line(&ended.output)));
    }
    match hook {
        Hook::Denies | Hook::Allows => Ok(()),
        Hook::Crashes => sandbox.replace_gate(CRASHES),
        Hook::IsKilled => sandbox.replace_gate(DIES),
        Hook::IsMissing => sandbox.remove_gate(),
        Hook::Hangs => {
            sandbox.replace_gate(HANGS)?;
            shorten(client, sandbox)
        }
    }
}

/// Makes the host wait only a moment.
fn shorten(client: &Client, sandbox: &Sandbox) -> Result<(), String> {
    let path = sandbox.home().join(client.hooks);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let names = ["\"timeout\": ", "\"timeoutSec\": ", "SECONDS_FOR_A_CALL = "];
    let short = names.iter().fold(text.clone(), |text, name| shortened(&text, name));
    if short == text {
        return Err("the time that the host waits could not be shortened".to_owned());
    }
    sandbox.write(client.hooks, &short)
}

/// The text with a short time behind each `name` that waits as long as a call may take.
fn shortened(text: &str, name: &str) -> String {
    let mut parts = text.split(name);
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        short.push_str(name);
        short.push_str(match part.strip_suffix(rest) {
            Some("600") => "3",
            Some("600000") => "3000",
            Some(other) => other,
            None => "",
        });
        short.push_str(rest);
    }
    short
}

/// What a run shows.
fn judged(agent: &Standing, client: &Client, hook: Hook, run: &Run) -> Row {
    let row = |health, found: &str| Row::new(agent.name, hook.name(), health, found);
    let fails = !matches!(hook, Hook::Denies | Hook::Allows);
    if !run.asked && !run.ran && fails && !run.ended.was_late {
        return row(Health::Note, "the client does not get as far as the call");
    }
    if !run.asked && !run.ran {
        let why = match (run.not_offered, run.ended.was_late) {
            (true, _) => "it offered no tool for shell commands".to_owned(),
            (false, true) => "it did not come to an end".to_owned(),
            (false, false) => format!("it did not ask the model; it said: {}", last_line(&run.ended.output)),
        };
        return row(Health::Doubtful, &format!("not proven: {why}"));
    }
    match hook {
        Hook::Denies => denied(agent, hook, run),
        Hook::Allows => allowed(agent, hook, run),
        Hook::Crashes | Hook::IsKilled | Hook::IsMissing if run.ran => {
            row(Health::Bad, "the command RAN, although the installed command ends with a deny").fix(
                "this version of the client does not honour the gate: do not use it, and please report it",
            )
        }
        Hook::Crashes | Hook::IsKilled | Hook::IsMissing => row(Health::Good, "the call is denied"),
        Hook::Hangs => match (run.ran, client.goes_on_after_timeout) {
            (true, true) => {
                row(Health::Note, "the call runs after the client's own timeout, as measured before")
            }
            (true, false) => row(Health::Doubtful, "the call runs; the versions that were measured deny it")
                .fix("see docs/evidence/compatibility.md, and do not rely on this agent when its hook hangs"),
            (false, false) => row(Health::Good, "the call is denied"),
            (false, true) => row(Health::Good, "the call is denied; the versions that were measured run it"),
        },
    }
}

fn denied(agent: &Standing, hook: Hook, run: &Run) -> Row {
    let row = |health, found: &str| Row::new(agent.name, hook.name(), health, found);
    let fix = "this version of the client does not honour the gate: do not use it, and please report it";
    match (run.ran, run.decided.deny) {
        (false, 1..) => row(Health::Good, "the gate denied, and the command did not run"),
        (false, 0) => row(Health::Bad, "the command did not run, but the gate did not decide that")
            .fix("run `portcullis doctor` after updating portcullis and the client"),
        (true, 1..) => row(Health::Bad, "the gate denied, and the command RAN").fix(fix),
        (true, 0) => row(Health::Bad, "the command RAN, and the gate was not asked").fix(fix),
    }
}

fn allowed(agent: &Standing, hook: Hook, run: &Run) -> Row {
    let row = |health, found: &str| Row::new(agent.name, hook.name(), health, found);
    match (run.ran, run.decided.allow) {
        (true, 1..) => row(Health::Good, "the gate allowed, and the command ran"),
        (true, 0) => row(Health::Bad, "the command ran, and the gate was not asked")
            .fix("this version of the client does not honour the gate: do not use it, and please report it"),
        (false, 0) => row(Health::Bad, "the command did not run, and the gate did not decide that")
            .fix("run `portcullis doctor` after updating portcullis and the client"),
        (false, 1..) => {
            let said = last_line(&run.ended.output);
            row(Health::Bad, &format!("the gate allowed, and the command did not run: {said}"))
                .fix("the client refuses what the gate allows; see docs/agents.md")
        }
    }
}

/// The last thing that was printed, short enough for a row.
fn last_line(output: &str) -> String {
    let line = output.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    short(line)
}

fn short(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_for_a_call_is_shortened() {
        let text =
            r#"{"timeout": 600, "a": {"timeout": 60, "b": 600}, "c": {"timeout": 600000}, "timeout": 60000}"#;
        let short =
            r#"{"timeout": 3, "a": {"timeout": 60, "b": 600}, "c": {"timeout": 3000}, "timeout": 60000}"#;
        assert_eq!(shortened(text, "\"timeout\": "), short);
        assert_eq!(
            shortened("const SECONDS_FOR_A_CALL = 600;", "SECONDS_FOR_A_CALL = "),
            "const SECONDS_FOR_A_CALL = 3;"
        );
    }

    #[test]
    fn a_version_is_found_behind_warnings() {
        let codex = "WARNING: proceeding, even though there are no aliases\n\ncodex-cli 0.169.0\n";
        assert_eq!(version_in(codex).as_deref(), Some("codex-cli 0.169.0"));
        assert_eq!(
            version_in("GitHub Copilot CLI 1.0.102.\n").as_deref(),
            Some("GitHub Copilot CLI 1.0.102.")
        );
        assert_eq!(version_in("\n nightly \n").as_deref(), Some("nightly"));
        assert_eq!(version_in(" \n"), None);
    }

    fn shown(hook: Hook, ran: bool, decided: DecisionCounts) -> Health {
        let ended = Ended { code: Some(0), was_late: false, output: String::new() };
        let run = Run { ran, asked: true, not_offered: false, decided, ended };
        let agent =
            Standing { name: "codex", title: "Codex", is_here: true, program: None, places: Vec::new() };
        judged(&agent, clients::of("codex").unwrap(), hook, &run).health
    }

    /// [G4] A deny is proven only where the gate gave it and the command did not run.
    #[test]
    fn nothing_but_a_decision_of_the_gate_is_a_proof() {
        let (none, deny) =
            (DecisionCounts::default(), DecisionCounts { deny: 1, ..DecisionCounts::default() });
        let allow = DecisionCounts { allow: 1, ..DecisionCounts::default() };
        assert_eq!(shown(Hook::Denies, false, deny), Health::Good);
        assert_eq!(shown(Hook::Denies, false, none), Health::Bad);
        assert_eq!(shown(Hook::Denies, true, deny), Health::Bad);
        assert_eq!(shown(Hook::Denies, true, none), Health::Bad);
        assert_eq!(shown(Hook::Allows, true, allow), Health::Good);
        assert_eq!(shown(Hook::Allows, true, none), Health::Bad);
        assert_eq!(shown(Hook::Allows, false, allow), Health::Bad);
    }

    /// [A3], [G4] Only a hook that hangs may end in a call that runs, where the client cannot be told otherwise.
    #[test]
    fn a_hook_that_gives_no_answer_has_to_deny() {
        let none = DecisionCounts::default();
        for hook in [Hook::Crashes, Hook::IsKilled, Hook::IsMissing] {
            assert_eq!(shown(hook, false, none), Health::Good, "{}", hook.name());
            assert_eq!(shown(hook, true, none), Health::Bad, "{}", hook.name());
        }
        assert_eq!(shown(Hook::Hangs, true, none), Health::Note);
        assert_eq!(shown(Hook::Hangs, false, none), Health::Good);
    }
}
