//! Words that may name a guarded file, the slow way (SPEC R6).

use portcullis_decide::path::absolute;
use portcullis_decide::view::{Access, View};
use portcullis_decide::{Context, ToolCall};
use portcullis_shell::{Command, Effects};

use super::super::generator::HOME;
use super::paths;
use super::rules::{About, Said};

/// Whether the rule is about a file that is named by a word of a command whose files are not listed.
pub(crate) fn may_mean(rule: &Said, view: &View, call: &ToolCall, context: &Context) -> bool {
    let About::Path(pattern) = &rule.about else { return false };
    let everything =
        pattern.trim_start_matches(['~', '.', '/']).split('/').all(|part| matches!(part, "*" | "**"));
    let edits = rule.tool == "Edit" || rule.tool == "Write";
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    !everything
        && commands.into_iter().any(|command| {
            let changing = changes(command, view);
            let kinds = [
                Effects::EXECUTES,
                Effects::PROJECT_CODE,
                Effects::UNKNOWN,
                Effects::SENDS_DATA,
                Effects::NETWORK_WRITE,
                Effects::PUBLISHES,
            ];
            let opening = has(command, &kinds);
            let named = |(text, whole): (String, bool)| {
                // Of a program that is not known it is not known either whether it only reads.
                let code =
                    (!whole && command.own.meets(Effects::EXECUTES)) || command.own.meets(Effects::UNKNOWN);
                let shaped =
                    text.contains('/') || text.contains('.') || (changing && !is_git_branch(command));
                let folders = command.directory.clone().unwrap_or_default().replace('*', ".");
                let mut folders = folders.split(" | ").map(|folder| at(folder, &call.cwd, context));
                let meant =
                    folders.any(|folder| paths::means(pattern, &at(&text, &folder, context), call, context));
                !text.is_empty() && shaped && meant && (!edits || changing || code)
            };
            (changing || opening) && !says_only(command) && words(command).into_iter().any(named)
        })
}

fn has(command: &Command, effects: &[Effects]) -> bool {
    effects.iter().any(|effect| command.own.meets(*effect))
}

/// Whether it changes files and none is listed but those of redirects.
fn changes(command: &Command, view: &View) -> bool {
    let inside =
        |span: portcullis_shell::Span| command.span.start <= span.start && span.end <= command.span.end;
    let listed = view
        .paths
        .iter()
        .any(|path| path.access != Access::Read && !path.redirect && path.span.is_none_or(inside));
    let kinds = [Effects::WRITES, Effects::DELETES, Effects::DISCARDS, Effects::PERMISSIONS];
    !listed && has(command, &kinds)
}

fn says_only(command: &Command) -> bool {
    ["echo", "printf", ":", "true", "false"].contains(&command.word.as_str())
}

fn is_git_branch(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at)).map(|verb| verb.text.as_str());
    command.program.as_deref() == Some("git")
        && verb.is_some_and(|verb| !["restore", "clean", "mv"].contains(&verb))
}

/// Each word, whole and in the pieces that paths are made of.
fn words(command: &Command) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (index, word) in command.arguments.iter().enumerate() {
        if command.verbs.contains(&index) || word.text.contains("://") || !word.literal {
            continue;
        }
        found.push((word.text.clone(), true));
        let mut piece = String::new();
        let mut before = ' ';
        for character in word.text.chars().chain(Some(' ')) {
            if character.is_alphanumeric() || "._-~/\\".contains(character) {
                piece.push(character);
                continue;
            }
            let of_value = piece.starts_with('.') && [')', ']'].contains(&before);
            if !piece.starts_with('-') && !of_value {
                found.push((piece.clone(), false));
            }
            piece.clear();
            before = character;
        }
        if word.text.starts_with('-') && !word.text.starts_with("--") {
            found.push((word.text.chars().skip(2).collect(), false));
        }
    }
    found
}

fn at(path: &str, folder: &str, context: &Context) -> String {
    absolute(path, folder, HOME, context.platform)
}
