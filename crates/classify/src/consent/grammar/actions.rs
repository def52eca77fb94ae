//! Kinds of action, the words for them in the languages that people write to agents in, and which calls are of a kind.

use std::sync::LazyLock;

use portcullis_decide::view::{Access, View};
use portcullis_decide::{Tool, ToolCall};
use portcullis_shell::{Command, Effects};

use super::action_words::WORDS;
use super::table::Table;
use super::text::{is_name, tokens};

/// What can be asked for or ruled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Kind {
    Push,
    Commit,
    Amend,
    Branch,
    Tag,
    Stash,
    Rebase,
    Merge,
    Git,
    Forge,
    Delete,
    Discard,
    Install,
    Publish,
    Send,
    Stop,
    Restart,
    Start,
    Run,
    Test,
    Format,
    Migrate,
    Edit,
    NewFile,
    Privilege,
    Read,
    /// Whatever goes through the network.
    Network,
}

/// The kinds that a clause names, each with its first place.
pub(in super::super) fn kinds(words: &str) -> Vec<(usize, Kind)> {
    let mut found = each_kind(words);
    // "Avoid git stash" is about stashing.
    let starts: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
    let narrowed = |at: usize| starts.contains(&(at + "git ".len()));
    let mut seen: Vec<Kind> = Vec::new();
    found.retain(|(at, kind)| {
        let again = seen.contains(kind) || (*kind == Kind::Git && narrowed(*at));
        seen.push(*kind);
        !again
    });
    found
}

/// Every word for an action, in its place. Those that are part of a name (`migrations/`, `test_push.py`) name no action.
pub(in super::super) fn each_kind(words: &str) -> Vec<(usize, Kind)> {
    let mut found = Vec::new();
    TABLE.each(words, is_name, |at, _, kind| found.push((at, kind)));
    for (at, token) in tokens(words).filter(|(_, token)| token.contains('/')) {
        found.extend(joined(token).into_iter().map(|kind| (at, kind)));
    }
    found.sort_by_key(|(at, _)| *at);
    found
}

static TABLE: LazyLock<Table<Kind>> = LazyLock::new(|| {
    Table::new(WORDS.iter().flat_map(|(kind, words)| words.iter().map(move |word| (*word, *kind))))
});

/// The kinds of actions that a word joins: "do not commit/push".
pub(in super::super) fn joined(word: &str) -> Vec<Kind> {
    let mut kinds = Vec::new();
    if !word.contains('/') {
        return kinds;
    }
    for part in word.split('/') {
        let before = kinds.len();
        TABLE.each(part, |_| false, |_, _, kind| kinds.push(kind));
        if kinds.len() == before {
            return Vec::new();
        }
    }
    kinds
}

/// Whether a call is of a kind.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds are told by their commands")]
pub(in super::super) fn is_of(kind: Kind, call: &ToolCall, view: &View) -> bool {
    let writes = || view.paths.iter().any(|path| path.access != Access::Read);
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    match kind {
        Kind::Edit => {
            (call.tool.edits_files() || writes() || commands().any(rewrites)) || is_named_tool(call, kind)
        }
        Kind::NewFile => {
            call.tool == Tool::Write || commands().any(|it| it.program.as_deref() == Some("touch"))
        }
        Kind::Test | Kind::Read => false,
        Kind::Migrate => {
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
fn is_named_tool(call: &ToolCall, kind: Kind) -> bool {
    let (Tool::Mcp(name) | Tool::Unknown(name)) = &call.tool else { return false };
    let words = format!(" {} ", name.to_lowercase().replace(['_', '-', '.'], " "));
    kinds(&words).iter().any(|(_, named)| *named == kind)
}

/// Sub-commands of git for a kind.
#[expect(clippy::wildcard_enum_match_arm, reason = "git has no sub-command of its own for the others")]
const fn git_verbs(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Push => &["push"],
        Kind::Commit => &["commit", "merge", "cherry-pick", "revert", "am"],
        Kind::Branch => &["branch", "checkout", "switch", "worktree"],
        Kind::Tag => &["tag"],
        Kind::Stash => &["stash"],
        Kind::Rebase => &["rebase"],
        Kind::Merge => &["merge", "pull"],
        Kind::Delete => &["rm", "clean"],
        Kind::Discard => &["reset", "restore", "checkout", "clean", "revert", "stash"],
        _ => &[],
    }
}

/// What a command of a kind has for an effect.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others have no effect of their own")]
const fn effects(kind: Kind) -> Effects {
    match kind {
        Kind::Push => Effects::PUSHES,
        Kind::Delete => Effects::DELETES.and(Effects::DISCARDS),
        Kind::Discard => Effects::DISCARDS,
        Kind::Install => Effects::INSTALLS_NAMED,
        Kind::Publish => Effects::PUBLISHES.and(Effects::NETWORK_WRITE),
        Kind::Send => Effects::NETWORK_WRITE.and(Effects::SENDS_DATA).and(Effects::PUSHES),
        Kind::Network => Effects::NETWORK_READ
            .and(Effects::NETWORK_WRITE)
            .and(Effects::SENDS_DATA)
            .and(Effects::PUSHES)
            .and(Effects::INSTALLS_NAMED)
            .and(Effects::INSTALLS_DECLARED),
        Kind::Stop => Effects::KILLS,
        Kind::Restart => Effects::KILLS.and(Effects::SYSTEM),
        Kind::Privilege => Effects::PRIVILEGE,
        _ => Effects::NONE,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told by effects and git's sub-commands")]
fn does(kind: Kind, command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let verb =
        command.verbs.first().and_then(|at| command.arguments.get(*at)).map_or("", |word| word.text.as_str());
    let says = |words: &[&str]| command.arguments.iter().any(|word| words.contains(&word.text.as_str()));
    let git = program == "git";
    // What is moved is not deleted.
    let moves = kind == Kind::Delete && matches!(program, "mv" | "rename");
    let own = (command.own.meets(effects(kind)) && !moves) || (git && git_verbs(kind).contains(&verb));
    own || match kind {
        Kind::Amend => git && says(&["--amend", "--fixup", "rebase", "filter-branch"]),
        Kind::Git => git,
        Kind::Forge => matches!(program, "gh" | "glab" | "hub" | "tea"),
        Kind::Install => says(&["install", "add", "update", "upgrade", "i"]) && command.own.meets(INSTALLS),
        Kind::Start => {
            is_container_tool(program) && says(&["up", "run", "start", "restart", "create", "compose"])
                || says(&["start", "serve", "dev", "up", "runserver"])
        }
        Kind::Stop => is_container_tool(program) && says(&["stop", "kill", "down", "rm"]),
        Kind::Restart => is_container_tool(program) && says(&["restart", "up", "stop", "kill", "down", "rm"]),
        Kind::Format => {
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
        Kind::Run => !command.effects.is_harmless() || command.program.is_none(),
        _ => false,
    }
}

fn is_container_tool(program: &str) -> bool {
    matches!(program, "docker" | "docker-compose" | "podman" | "podman-compose" | "nerdctl")
}

const INSTALLS: Effects = Effects::INSTALLS_NAMED.and(Effects::INSTALLS_DECLARED).and(Effects::PROJECT_CODE);
