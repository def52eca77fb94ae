//! What the tables of container engines cannot say: the daemon asked, variables shown or set, and rights given.

use super::invocation::{Invocation, Outcome};
use super::shapes::{change, help_at_end};
use super::table::Spec;
use crate::effects::Effects;
use crate::unclear::Why;

/// A daemon elsewhere gets what the client knows; one of this machine is no news.
pub(super) fn daemon(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let Some(host) = invocation.value(&["H", "--host"]) else { return };
    let near = ["unix://", "npipe://", "tcp://localhost:", "tcp://127.0.0.1:"];
    if !host.known().is_some_and(|address| near.iter().any(|start| address.starts_with(start))) {
        out.add(Effects::SENDS_DATA);
    }
}

/// Resolved configuration holds what the file of variables holds.
pub(super) fn shows_environment<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(file) = invocation.value(&["--env-file"]) {
        out.reads(file);
    }
    let names = ["--services", "--volumes", "--images", "--profiles", "--hash", "--networks", "--models"];
    let quiet = invocation.has(&["q", "--quiet"]) && !invocation.has(&["--environment"]);
    if !quiet && !invocation.has(&names) {
        out.add(Effects::SECRETS);
    }
}

/// A format that asks for the environment, or for what holds it as a whole.
pub(super) fn tells_environment(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let Some(format) = invocation.value(&["f", "--format"]) else { return };
    let tells = |text: &str| {
        let whole = |at: usize| {
            let after = text.get(at + "Config".len()..).unwrap_or_default();
            !text.get(..at).is_some_and(|before| before.ends_with("Host")) && !after.starts_with('.')
        };
        text.contains("Env") || text.match_indices("Config").any(|(at, _)| whole(at))
    };
    if format.known().is_none_or(tells) {
        out.add(Effects::SECRETS);
    }
}

/// Variables are set for the program inside.
pub(super) fn sets_variables(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let program = invocation.operands.get(1).and_then(crate::argument::Argument::known);
    let matters = |text: &str| {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        crate::variables::matters(name, value, program)
    };
    let mut set = invocation.options.iter().filter(|seen| matches!(seen.name, "e" | "--env"));
    if set.any(|seen| seen.value.is_none_or(|value| value.known().is_none_or(matters))) {
        out.add(Effects::ENVIRONMENT);
    }
}

/// Builds what the project says, and may send it to a registry by the same command.
pub(super) const fn builds(names: &'static str) -> Spec {
    change(names, Effects::PROJECT_CODE).check(may_push)
}

/// A build that sends its image to a registry: `--push`, or an output that is one.
fn may_push<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    help_at_end(invocation, out);
    leaves_files(invocation, out);
    let frees = |text: &str| text.contains("security.insecure") || text.contains("network.host");
    if invocation.words.iter().any(|word| frees(word.prefix())) {
        out.add(Effects::PRIVILEGE);
    }
    let pushes = |text: &str| {
        matches!(text, "--push" | "--push=true" | "--push=1")
            || text.contains("type=registry")
            || text.contains("push=true")
    };
    if !out.help && invocation.words.iter().any(|word| word.known().is_some_and(pushes)) {
        out.add(Effects::PUBLISHES);
    }
}

/// What a build leaves as files: `-o folder`, `--output=type=local,dest=folder`.
fn leaves_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut before = "";
    for word in invocation.words {
        let text = word.prefix();
        let value =
            if matches!(before, "-o" | "--output") { Some(text) } else { text.strip_prefix("--output=") };
        let place = value.and_then(|value| match value.split_once("dest=") {
            Some((_, place)) => Some(place),
            None => (!value.contains('=')).then_some(value),
        });
        if let Some(place) = place {
            out.writes(word.after(text.len() - place.len()));
        }
        before = text;
    }
}

/// Options that give a container the rights of the machine.
pub(super) fn rights(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let alone = invocation.operands.len() == 1;
    let mut before = "";
    for word in &invocation.operands {
        let Some(text) = word.known() else {
            out.doubt(Why::UnclearCode, word.text, word.span);
            return;
        };
        if alone && text == "--help" {
            out.help = true;
        }
        let mounts =
            matches!(before, "-v" | "--volume") && (text.starts_with("/:") || text.contains("docker.sock"));
        let host =
            ["--pid=host", "--userns=host", "--ipc=host", "--cap-add", "--device", "--volume=/:", "-v/:"];
        let whole_disk = matches!(before, "--mount")
            && ["src=/", "source=/"]
                .iter()
                .any(|from| text.split(',').any(|part| part == *from) || text.contains("docker.sock"));
        if mounts || whole_disk || text == "--privileged" || host.iter().any(|start| text.starts_with(start))
        {
            out.add(Effects::PRIVILEGE);
        }
        before = text;
    }
}
