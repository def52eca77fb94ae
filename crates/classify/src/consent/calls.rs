//! Which actions words speak of, and which calls are of a kind.

use portcullis_decide::view::{Access, View};
use portcullis_decide::{Tool, ToolCall};
use portcullis_shell::{Command, Effects};

use super::text::{is_name, tokens};
use super::words::{Action, NAMING_ACTIONS};

/// The kinds that a clause names, each with its first place.
pub(super) fn kinds(words: &str) -> Vec<(usize, Action)> {
    let mut found = each_kind(words);
    // "Avoid git stash" is about stashing.
    let starts: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
    let narrowed = |at: usize| starts.contains(&(at + "git ".len()));
    let mut seen: Vec<Action> = Vec::new();
    found.retain(|(at, kind)| {
        let again = seen.contains(kind) || (*kind == Action::Git && narrowed(*at));
        seen.push(*kind);
        !again
    });
    found
}

/// The kinds that do something.
pub(super) fn acting(words: &str) -> Vec<(usize, Action)> {
    let mut found = kinds(words);
    found.retain(|(_, kind)| !matches!(kind, Action::Read | Action::Test));
    found
}

/// Every word for an action, in its place. Those that are part of a name (`migrations/`, `test_push.py`) name no action.
pub(super) fn each_kind(words: &str) -> Vec<(usize, Action)> {
    let mut found = Vec::new();
    NAMING_ACTIONS.each(words, is_name, |at, _, kind| found.push((at, kind)));
    for (at, token) in tokens(words).filter(|(_, token)| token.contains('/')) {
        found.extend(joined(token).into_iter().map(|kind| (at, kind)));
    }
    found.sort_by_key(|(at, _)| *at);
    found
}

/// The kinds of actions that a word joins: "do not commit/push".
pub(super) fn joined(word: &str) -> Vec<Action> {
    let mut kinds = Vec::new();
    if !word.contains('/') {
        return kinds;
    }
    for part in word.split('/') {
        let before = kinds.len();
        NAMING_ACTIONS.each(part, |_| false, |_, _, kind| kinds.push(kind));
        if kinds.len() == before {
            return Vec::new();
        }
    }
    kinds
}

/// Whether a call is of a kind.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds are told by their commands")]
pub(super) fn is_of(kind: Action, call: &ToolCall, view: &View) -> bool {
    let writes = || view.paths.iter().any(|path| path.access != Access::Read);
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    match kind {
        Action::Edit => {
            (call.tool.edits_files() || writes() || commands().any(rewrites)) || is_named_tool(call, kind)
        }
        Action::NewFile => {
            call.tool == Tool::Write || commands().any(|it| it.program.as_deref() == Some("touch"))
        }
        Action::Read => false,
        Action::Migrate => {
            let line = view.line.to_lowercase();
            ["migrat", "upgrade head", "flyway", "liquibase", "db push", "schema:update"]
                .iter()
                .any(|word| line.contains(word))
        }
        _ => commands().any(|command| does(kind, command)) || is_named_tool(call, kind),
    }
}

/// Whether a command changes files, or is told to bring them up to date.
fn rewrites(command: &Command) -> bool {
    let told = ["-u", "--update", "--updateSnapshot", "--write", "--fix", "--in-place", "--snapshot-update"];
    // `git push -u` updates no file.
    let runs = command.own.meets(Effects::PROJECT_CODE);
    command.own.meets(Effects::WRITES)
        || (runs && command.arguments.iter().any(|word| told.contains(&word.text.as_str())))
}

/// A tool of another program that carries the word in its name.
fn is_named_tool(call: &ToolCall, kind: Action) -> bool {
    let (Tool::Mcp(name) | Tool::Unknown(name)) = &call.tool else { return false };
    let words = format!(" {} ", name.to_lowercase().replace(['_', '-', '.'], " "));
    kinds(&words).iter().any(|(_, named)| *named == kind)
}

/// Sub-commands of git for a kind.
#[expect(clippy::wildcard_enum_match_arm, reason = "git has no sub-command of its own for the others")]
const fn git_verbs(kind: Action) -> &'static [&'static str] {
    match kind {
        Action::Push => &["push"],
        Action::Commit => &["commit", "merge", "cherry-pick", "revert", "am"],
        Action::Branch => &["branch", "checkout", "switch", "worktree"],
        Action::Tag => &["tag"],
        Action::Stash => &["stash"],
        Action::Rebase => &["rebase"],
        Action::Merge => &["merge", "pull"],
        Action::Delete => &["rm", "clean"],
        Action::Discard => &["reset", "restore", "checkout", "clean", "revert", "stash"],
        _ => &[],
    }
}

/// What a command of a kind has for an effect.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others have no effect of their own")]
const fn effects(kind: Action) -> Effects {
    match kind {
        Action::Push => Effects::PUSHES,
        Action::Delete => Effects::DELETES.and(Effects::DISCARDS),
        Action::Discard => Effects::DISCARDS,
        Action::Install => Effects::INSTALLS_NAMED,
        Action::Publish => Effects::PUBLISHES.and(Effects::NETWORK_WRITE),
        Action::Send => Effects::NETWORK_WRITE.and(Effects::SENDS_DATA).and(Effects::PUSHES),
        Action::Network => Effects::NETWORK_READ
            .and(Effects::NETWORK_WRITE)
            .and(Effects::SENDS_DATA)
            .and(Effects::PUSHES)
            .and(Effects::INSTALLS_NAMED)
            .and(Effects::INSTALLS_DECLARED),
        Action::Stop => Effects::KILLS,
        Action::Restart => Effects::KILLS.and(Effects::SYSTEM),
        Action::Privilege => Effects::PRIVILEGE,
        _ => Effects::NONE,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told by effects and git's sub-commands")]
fn does(kind: Action, command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let verb =
        command.verbs.first().and_then(|at| command.arguments.get(*at)).map_or("", |word| word.text.as_str());
    let says = |words: &[&str]| command.arguments.iter().any(|word| words.contains(&word.text.as_str()));
    let git = program == "git";
    // What is moved is not deleted.
    let moves = kind == Action::Delete && matches!(program, "mv" | "rename");
    let own = (command.own.meets(effects(kind)) && !moves) || (git && git_verbs(kind).contains(&verb));
    own || match kind {
        Action::Amend => git && says(&["--amend", "--fixup", "rebase", "filter-branch"]),
        Action::Git => git,
        Action::Forge => matches!(program, "gh" | "glab" | "hub" | "tea"),
        Action::Install => says(&["install", "add", "update", "upgrade", "i"]) && command.own.meets(INSTALLS),
        Action::Start => {
            is_container_tool(program) && says(&["up", "run", "start", "restart", "create", "compose"])
                || says(&["start", "serve", "dev", "up", "runserver"])
        }
        Action::Stop => is_container_tool(program) && says(&["stop", "kill", "down", "rm"]),
        Action::Restart => {
            is_container_tool(program) && says(&["restart", "up", "stop", "kill", "down", "rm"])
        }
        Action::Test | Action::Build => {
            let word = if kind == Action::Test { ["test", "jest"] } else { ["build", "compile"] };
            let named = |text: &str| word.iter().any(|word| text.to_lowercase().contains(word));
            named(program) || command.arguments.iter().take(3).any(|word| named(&word.text))
        }
        Action::Format => {
            let tools = [
                "prettier",
                "black",
                "gofmt",
                "rustfmt",
                "isort",
                "biome",
                "ruff",
                "eslint",
                "clang-format",
                "autopep8",
                "yapf",
            ];
            let told = says(&["fmt", "format", "--fix", "prettier", "black", "lint:fix"]) || says(&tools);
            tools.contains(&program) || told
        }
        Action::Run => !command.effects.is_harmless() || command.program.is_none(),
        _ => false,
    }
}

fn is_container_tool(program: &str) -> bool {
    matches!(program, "docker" | "docker-compose" | "podman" | "podman-compose" | "nerdctl")
}

const INSTALLS: Effects = Effects::INSTALLS_NAMED.and(Effects::INSTALLS_DECLARED).and(Effects::PROJECT_CODE);
