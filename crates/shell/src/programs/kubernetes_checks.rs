//! What the tables of the cluster tools cannot say: which objects hold secrets, and what runs in a pod.

use super::invocation::{Invocation, Outcome, Run};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) const EXECUTES_THERE: Effects = Effects::NETWORK_WRITE.and(Effects::EXECUTES);

pub(super) const CHANGES: Effects = Effects::NETWORK_WRITE;

/// Whether a resource argument (`pods,secrets`, `secret/x`, `secrets.v1.`) names secrets.
fn names_secrets(argument: &Argument<'_>) -> bool {
    argument.text.to_ascii_lowercase().split(',').any(|part| {
        let kind = part.split(['/', '.']).next().unwrap_or_default();
        kind == "secret" || kind == "secrets"
    })
}

/// A template's own text is printed, so that a file that is named as one is shown.
pub(super) fn template_file<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let Some(format) = invocation.value(&["o", "--output"]) else { return };
    // `-o=KIND=FILE`
    let format = if format.prefix().starts_with('=') { format.after(1) } else { format };
    let kind = format.prefix().split('=').next().unwrap_or_default();
    if !(kind.ends_with("-file") || kind == "templatefile") {
        return;
    }
    if format.prefix().len() > kind.len() {
        out.reads(format.after(kind.len() + 1));
    } else if let Some(file) = invocation.value(&["--template"]) {
        out.reads(file);
    }
}

/// Secrets may be counted and named, but neither printed nor gathered from another namespace.
pub(super) fn secret_objects(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if let Some(path) = invocation.value(&["--raw"]) {
        let text = path.known().map(str::to_ascii_lowercase);
        if text.as_deref().is_none_or(|text| text.contains("secret") || text.contains('%')) {
            out.add(Effects::SECRETS);
        }
        if text.is_some_and(|text| text.contains("/proxy")) {
            out.doubt(Why::NotModelled, path.text, path.span);
        }
    }
    let format = invocation.value(&["o", "--output"]);
    let short = |argument: Argument<'_>| matches!(argument.known(), Some("wide" | "name"));
    let full = format.is_some_and(|format| !short(format)) || invocation.has(&["--template"]);
    let unclear = invocation.operands.first().is_none_or(|kind| kind.known().is_none());
    let secrets = invocation.operands.iter().any(names_secrets);
    let whole =
        invocation.operands.len() == 1 && invocation.operands.iter().all(|kind| !kind.text.contains('/'));
    let elsewhere = invocation.has(&["A", "--all-namespaces", "n", "--namespace"]);
    if (full && (secrets || (unclear && !invocation.has(&["--raw"])))) || (secrets && whole && elsewhere) {
        out.add(Effects::SECRETS);
    }
}

/// As data, a release is shown with its values and manifests.
pub(super) fn whole_release(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.value(&["o", "--output"]).is_some_and(|format| format.known() != Some("table")) {
        out.add(Effects::SECRETS);
    }
}

/// `--dry-run` asks for a rehearsal unless its value says otherwise.
pub(super) fn rehearsal(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let plain = out.effects.without(CHANGES.and(Effects::HARMLESS)).is_empty();
    let asked = invocation.has(&["--dry-run"])
        && invocation
            .value(&["--dry-run"])
            .is_none_or(|value| matches!(value.known(), Some("client" | "server" | "true")));
    out.dry |= plain && asked;
}

pub(super) fn in_pod<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = invocation.words;
    match words.iter().position(|word| word.known() == Some("--")).and_then(|at| words.get(at + 1..)) {
        Some(command) if !command.is_empty() => out.runs.push(Run::Words(command)),
        Some(_) | None if out.help => {}
        Some(_) | None => out.add(EXECUTES_THERE),
    }
}
