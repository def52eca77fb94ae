//! What fzf is told to do: commands behind previews and key bindings.

use super::invocation::{Invocation, Outcome, Run};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::unclear::Why;

pub(super) fn check_fzf<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for seen in &invocation.options {
        match (seen.name, seen.value) {
            ("--preview", Some(command)) => runs_template(command, out),
            ("--bind", Some(bindings)) => check_bindings(bindings, out),
            _ => {}
        }
    }
}

/// A command in which fzf puts the chosen line, quoted, for each placeholder.
fn runs_template<'a>(command: Argument<'a>, out: &mut Outcome<'a>) {
    let Some(text) = command.known() else {
        out.executes();
        return;
    };
    // Inside quotes the quoting of fzf comes undone, so a line could hold commands.
    let simple = !text.contains('{') || !text.contains(['"', '\'', '\\', '$', '`', '<']);
    match text.split('{').skip(1).map(placeholder).collect::<Option<Vec<_>>>() {
        Some(rests) if simple => {
            let mut script = String::from(text.split('{').next().unwrap_or_default());
            for rest in rests {
                script.push_str("\"$fzf\"");
                script.push_str(rest);
            }
            let script = Argument::literal(out.arena.alloc_str(&script), command.span);
            out.runs.push(Run::Script(script, Dialect::Bash));
        }
        Some(_) | None => out.executes(),
    }
}

/// What follows a placeholder that becomes one quoted word: `{}`, `{q}`, `{n}`, `{2}`, `{-1}`, `{f}`.
fn placeholder(after_brace: &str) -> Option<&str> {
    let (inside, rest) = after_brace.split_once('}')?;
    let field = inside.trim_start_matches(['-', 's']);
    let known = matches!(inside, "" | "q" | "n" | "f")
        || field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    known.then_some(rest)
}

/// Actions without an argument, or whose argument is text, that only move about or change the view.
const FZF_ACTIONS: &[&str] = &[
    "abort",
    "accept",
    "accept-non-empty",
    "accept-or-print-query",
    "backward-char",
    "backward-delete-char",
    "backward-delete-char/eof",
    "backward-kill-subword",
    "backward-kill-word",
    "backward-subword",
    "backward-word",
    "beginning-of-line",
    "bell",
    "best",
    "cancel",
    "change-border-label",
    "change-footer",
    "change-ghost",
    "change-header",
    "change-header-label",
    "change-input-label",
    "change-list-label",
    "change-multi",
    "change-nth",
    "change-pointer",
    "change-preview-label",
    "change-preview-window",
    "change-prompt",
    "change-query",
    "clear-multi",
    "clear-query",
    "clear-screen",
    "clear-selection",
    "close",
    "delete-char",
    "delete-char/eof",
    "deselect",
    "deselect-all",
    "disable-raw",
    "disable-search",
    "down",
    "down-match",
    "down-selected",
    "enable-raw",
    "enable-search",
    "end-of-line",
    "exclude",
    "exclude-multi",
    "first",
    "forward-char",
    "forward-subword",
    "forward-word",
    "half-page-down",
    "half-page-up",
    "hide-header",
    "hide-input",
    "hide-preview",
    "ignore",
    "jump",
    "jump-accept",
    "kill-line",
    "kill-subword",
    "kill-word",
    "last",
    "next-selected",
    "next-history",
    "offset-down",
    "offset-middle",
    "offset-up",
    "page-down",
    "page-up",
    "pos",
    "prev-history",
    "prev-selected",
    "previous-history",
    "preview-bottom",
    "preview-down",
    "preview-half-page-down",
    "preview-half-page-up",
    "preview-page-down",
    "preview-page-up",
    "preview-top",
    "preview-up",
    "print",
    "print-query",
    "put",
    "rebind",
    "refresh-preview",
    "replace-query",
    "search",
    "select",
    "select-all",
    "show-header",
    "show-input",
    "show-preview",
    "top",
    "toggle",
    "toggle-all",
    "toggle-bind",
    "toggle-header",
    "toggle-hscroll",
    "toggle-in",
    "toggle-input",
    "toggle-multi-line",
    "toggle-out",
    "toggle-preview",
    "toggle-preview-wrap",
    "toggle-raw",
    "toggle-search",
    "toggle-sort",
    "toggle-track",
    "toggle-track-current",
    "toggle-wrap",
    "toggle+down",
    "toggle+up",
    "track",
    "track-current",
    "unbind",
    "unix-line-discard",
    "unix-word-rubout",
    "untrack-current",
    "up",
    "up-match",
    "up-selected",
    "yank",
];

/// Actions whose argument is a command; what it prints becomes text or the list, nothing more.
const FZF_COMMANDS: &[&str] = &[
    "preview",
    "change-preview",
    "reload",
    "reload-sync",
    "transform-query",
    "transform-prompt",
    "transform-header",
    "transform-footer",
    "transform-border-label",
    "transform-preview-label",
    "transform-list-label",
    "transform-input-label",
    "transform-header-label",
    "transform-ghost",
    "transform-nth",
    "transform-pointer",
    "transform-search",
];

/// `KEY:ACTION[+ACTION…][,KEY:…]`
fn check_bindings<'a>(bindings: Argument<'a>, out: &mut Outcome<'a>) {
    let Some(text) = bindings.known() else {
        out.executes();
        return;
    };
    let mut rest = text;
    while let Some((_, actions)) = rest.split_once(':') {
        rest = actions;
        loop {
            let length = rest
                .find([
                    ':', '(', '[', '{', '<', '~', '!', '@', '#', '$', '%', '^', '&', '*', ';', '/', '|', '+',
                    ',',
                ])
                .unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            let opening = after.chars().next();
            let (argument, next) = match opening {
                Some(':') => (after.get(1..), ""),
                Some('(') => match after.split_once(')') {
                    Some((inside, next)) => (inside.get(1..), next),
                    None => (Some(after), ""),
                },
                Some('+' | ',') | None => (None, after),
                Some(_) => (Some(after), ""),
            };
            action(name, argument, bindings, out);
            rest = next.strip_prefix('+').unwrap_or(next);
            if !next.starts_with('+') {
                break;
            }
        }
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    if !rest.is_empty() {
        out.doubt(Why::UnknownOperand, rest, bindings.span);
    }
}

fn action<'a>(name: &str, argument: Option<&'a str>, bindings: Argument<'a>, out: &mut Outcome<'a>) {
    if FZF_ACTIONS.contains(&name) {
        return;
    }
    let runs = ["execute", "become", "transform", "reload", "preview", "change-preview", "bg-"];
    match argument.filter(|argument| FZF_COMMANDS.contains(&name) && !argument.contains(['(', ')'])) {
        Some(command) => runs_template(Argument::literal(command, bindings.span), out),
        None if runs.iter().any(|start| name.starts_with(start)) => out.executes(),
        None => out.doubt(Why::UnknownOperand, format!("fzf action {name}"), bindings.span),
    }
}
