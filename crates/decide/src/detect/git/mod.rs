//! What a git command does to branches, history and work that is nowhere else.

pub(super) mod head;
pub(super) mod overwrites;
pub(super) mod remotes;
pub(super) mod worktrees;

use portcullis_shell::{Argument, Command, Effects, Placement, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::Finding;
use crate::detect::detectors::{self as list, GIT_ADD_SECRETS};
use crate::facts::PathKind;

/// Whether other people build or deploy from a branch of this name.
pub(crate) fn is_shared_branch(name: &str) -> bool {
    const NAMES: &[&str] = words!(
        "main master trunk develop dev development production prod staging stable live release deploy \
         gh-pages default next preview"
    );
    // `heads/main` is as good as the whole name.
    let name = name.trim_start_matches("refs/").trim_start_matches("heads/").to_ascii_lowercase();
    let first = name.split('/').next().unwrap_or_default();
    NAMES.contains(&name.as_str())
        || matches!(first, "release" | "releases" | "deploy" | "hotfix" | "production")
}

/// The words after the sub-command.
pub(super) fn operands<'c>(command: &'c Command, verb: &str) -> Option<Vec<&'c portcullis_shell::Argument>> {
    let at = *command.verbs.first()?;
    let named = command.arguments.get(at).is_some_and(|word| word.text == verb);
    named.then(|| command.arguments.iter().skip(at + 1).collect())
}

/// What the one word of `git checkout WORD` is, should it be a file and not a branch: its paths in every directory that
/// the command may run in.
pub(crate) fn checked_out(command: &Command, call: &ToolCall, context: &Context) -> Vec<String> {
    let plain = |word: &Argument| {
        // A pattern finds files that nobody named.
        word.literal && !word.text.starts_with(['-', ':']) && !word.text.contains(['*', '?', '[', '\\'])
    };
    let git = command.program.as_deref() == Some("git") && command.own.meets(Effects::DISCARDS);
    match operands(command, "checkout").as_deref() {
        Some([word]) if git && plain(word) => {
            let places = crate::view::directories(command, call, context).unwrap_or_default();
            places.iter().map(|place| context.absolute(&word.text, place)).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// Whether `git checkout WORD` goes to a branch: there is no file of that name. Where nothing is known of files, the
/// name has to look like one.
pub(super) fn only_switches(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let paths = checked_out(command, call, context);
    let missing = |path: &String| {
        let fact = context.facts.path(path);
        fact.is_some_and(|fact| fact.kind == PathKind::Missing)
    };
    let named = || command.arguments.last().is_some_and(|word| is_branch_name(&word.text));
    !paths.is_empty() && (paths.iter().all(missing) || (context.facts.plain_world && named()))
}

/// Names that hardly any file has.
fn is_branch_name(name: &str) -> bool {
    const KINDS: &[&str] = &["feature", "feat", "fix", "bugfix", "hotfix", "chore", "dependabot", "renovate"];
    let version = name.strip_prefix('v').is_some_and(|rest| {
        rest.contains('.') && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let kind = name.split_once('/').is_some_and(|(kind, rest)| {
        let bot = matches!(kind, "dependabot" | "renovate");
        KINDS.contains(&kind) && !rest.is_empty() && !rest.ends_with('/') && (bot || !rest.contains('.'))
    });
    version || kind
}

/// What a push sends where.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the push")]
pub(super) struct Push {
    /// The remote, if it is named.
    pub(super) remote: Option<String>,
    /// The branches on the other side; `HEAD` where the current one is meant.
    pub(super) branches: Vec<String>,
    /// It overwrites or deletes on the other side.
    pub(super) destroys: bool,
    /// Every branch or tag goes.
    pub(super) everything: bool,
    /// Nothing is sent.
    pub(super) dry: bool,
    /// An option or a word that is not understood.
    pub(super) odd: bool,
}

/// What `git push` does, if the command is one.
pub(super) fn push(command: &Command) -> Option<Push> {
    if command.program.as_deref() != Some("git") {
        return None;
    }
    let words = operands(command, "push")?;
    let mut push = Push {
        remote: None,
        branches: Vec::new(),
        destroys: false,
        everything: false,
        dry: false,
        odd: false,
    };
    let mut tags = false;
    for word in words {
        let text = word.text.as_str();
        if !word.literal {
            push.odd = true;
            continue;
        }
        match text {
            "-u" | "--set-upstream" | "-q" | "--quiet" | "-v" | "--verbose" | "--progress"
            | "--no-progress" | "--porcelain" | "--follow-tags" | "--atomic" | "--thin" => {}
            "-n" | "--dry-run" => push.dry = true,
            "-f" | "--force" | "-d" | "--delete" | "--mirror" | "--prune" | "--force-if-includes" => {
                push.destroys = true;
            }
            "--all" | "--branches" => push.everything = true,
            "--tags" => tags = true,
            _ if text.starts_with("--force-with-lease") => push.destroys = true,
            _ if text.starts_with('-') => push.odd = true,
            _ if push.remote.is_none() => push.remote = Some(text.to_owned()),
            // `tag v1`, and a pattern for all branches.
            "tag" => push.everything = true,
            _ if text.contains('*') => push.everything = true,
            _ => {
                push.destroys |= text.starts_with('+') || text.starts_with(':');
                let target = text.rsplit(':').next().unwrap_or(text);
                // `refs/for/main%submit` is a review that nobody holds.
                let submitted =
                    target.split_once('%').filter(|(_, said)| said.split(',').any(|it| it == "submit"));
                let target = submitted.map_or(target, |(branch, _)| branch.trim_start_matches("refs/for/"));
                push.branches.push(target.trim_start_matches('+').to_owned());
            }
        }
    }
    push.everything |= tags;
    Some(push)
}

/// Whether a push only adds to branches that nobody else builds from.
pub(super) fn push_is_plain(
    command: &Command,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    let Some(push) = push(command) else { return false };
    if push.dry {
        return !push.odd;
    }
    // Without a branch, or with `HEAD`, it is the current one that goes: known only where the session made it.
    let current =
        || head::at(command, reading, call, context).is_some_and(|branch| !is_shared_branch(&branch));
    let plain = |branch: &String| match branch.as_str() {
        "HEAD" | "@" => current(),
        name => !is_shared_branch(name) && !name.starts_with("refs/tags"),
    };
    let named = if push.branches.is_empty() { current() } else { push.branches.iter().all(plain) };
    named && !push.destroys && !push.everything && !push.odd
}

/// What a git command does that somebody should know about.
pub(super) fn harm(
    command: &Command,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    if command.program.as_deref() != Some("git") {
        return None;
    }
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let verb =
        command.verbs.first().and_then(|at| command.arguments.get(*at)).map_or("", |word| word.text.as_str());
    if let Some(push) = push(command).filter(|push| !push.dry) {
        return push_harm(&push, command, head::at(command, reading, call, context));
    }
    let skips = |word: &str| word == "--no-verify" || (verb == "commit" && has_letter(word, 'n', "mFCct"));
    let no_hooks = |word: &str| word.to_ascii_lowercase().starts_with("core.hookspath=");
    if words().any(|word| skips(word) || no_hooks(word)) {
        return Some(Finding::on(&list::SKIP_HOOKS, command));
    }
    if matches!(verb, "am" | "apply") && shows_its_patch(command, call) {
        return None;
    }
    verb_harm(command, verb)
}

/// `git apply - <<'EOF'`: the patch is part of the line, as it is.
fn shows_its_patch(command: &Command, call: &ToolCall) -> bool {
    let line = call.text("command").unwrap_or_default();
    let mark = command.span.of(line).split_once("<<").map(|(_, mark)| mark.trim_start_matches(['-', ' ']));
    command.placement != Placement::Piped && mark.is_some_and(|mark| mark.starts_with(['\'', '"', '\\']))
}

/// Whether a cluster of short options has the letter, before one that takes the rest as its value.
fn has_letter(word: &str, letter: char, valued: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    letters.chars().take_while(|other| !valued.contains(*other)).any(|other| other == letter)
}

/// `git tag -fa v1`, `git tag -d v1`
fn moves_tag(command: &Command) -> bool {
    command
        .arguments
        .iter()
        .any(|word| ['d', 'f'].iter().any(|letter| has_letter(&word.text, *letter, "mFun")))
}

/// Whether the word names a repository by its place, not by a name that was given to it.
fn is_place(word: &str) -> bool {
    let host = word.split_once(':').is_some_and(|(host, _)| host.contains(['.', '@']) && !host.contains('/'));
    word.contains("://") || word.starts_with("git@") || host
}

fn push_harm(push: &Push, command: &Command, current: Option<String>) -> Option<Finding> {
    if push.destroys {
        return Some(Finding::on(&list::PUSH_FORCE, command));
    }
    let own = |branch: &String| matches!(branch.as_str(), "HEAD" | "@");
    let of_head = push.branches.is_empty() || push.branches.iter().any(own);
    if (of_head && current.is_some_and(|branch| is_shared_branch(&branch)))
        || push.branches.iter().any(|branch| is_shared_branch(branch))
    {
        return Some(Finding::on(&list::PUSH_SHARED_BRANCH, command));
    }
    let unchecked = command.arguments.iter().any(|word| word.text == "--no-verify");
    unchecked.then(|| Finding::on(&list::SKIP_HOOKS, command))
}

/// `git add .env`, `git add -f .`: credentials come in, by their name or with what is ignored and comes in unseen.
fn adds_kept_out(command: &Command, verb: &str) -> bool {
    let sets_aside = |text: &str| {
        let ignores = text.to_ascii_lowercase().starts_with("core.excludesfile=");
        ignores || (text.len() > 2 && "--force".starts_with(text)) || has_letter(text, 'f', "")
    };
    let says = |fits: &dyn Fn(&str) -> bool| command.arguments.iter().any(|word| fits(&word.text));
    let forced = if verb == "update-index" { says(&|text| text == "--add") } else { says(&sets_aside) };
    let listed = says(&|text| text == "--stdin" || text.starts_with("--pathspec-f"));
    let words = operands(command, verb).unwrap_or_default();
    let mut named =
        words.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-')).peekable();
    let secret = |text: &str| {
        let named = portcullis_shell::is_secret_path(text, !text.contains(['*', '?', '[']));
        named && !portcullis_shell::is_sample(text)
    };
    let seen = |text: &str| {
        let whole = text.split('/').all(|part| matches!(part, "" | "." | ".."));
        // Of a pattern, and of what is filled in, the ending has to be known.
        let ending = text.rsplit(['*', '?', ']']).next().unwrap_or_default();
        let open = text.contains(['*', '?', '[']) && !(ending.starts_with('.') && ending.len() > 1);
        !whole && !open && !text.starts_with(':')
    };
    let unseen = listed || named.peek().is_none() || named.clone().any(|text| !seen(text));
    (forced && unseen) || named.any(secret)
}

/// `git fetch origin +main:main`: what is committed here alone is no longer on the branch.
fn overwrites_branches(command: &Command) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let all = words().any(|text| text == "--force" || has_letter(text, 'f', "jo"));
    let lost = |text: &str| {
        let target = text.split_once(':').map_or("", |(_, target)| target);
        let copies = ["refs/remotes/", "refs/pull/"].iter().any(|place| target.starts_with(place));
        is_shared_branch(target) || (target.contains('*') && !copies)
    };
    words().any(|text| (all || text.starts_with('+')) && lost(text))
}

fn verb_harm(command: &Command, verb: &str) -> Option<Finding> {
    let has = |words: &[&str]| command.arguments.iter().any(|word| words.contains(&word.text.as_str()));
    let discards = command.own.meets(Effects::DISCARDS);
    let detector = match verb {
        "pull" | "fetch" | "subtree" if command.arguments.iter().any(|word| is_place(&word.text)) => {
            &list::PULL_FROM_URL
        }
        "fetch" | "pull" if overwrites_branches(command) => &list::FETCH_OVER_BRANCH,
        "read-tree" if has(&["--reset", "-u"]) => &list::OVERWRITE_UNCOMMITTED,
        "update-ref" if has(&["--stdin", "-d"]) => &list::MOVE_BRANCH,
        "remote" if has(&["set-url"]) => &list::REMOTE_SET_URL,
        "remote" if has(&["add"]) => &list::REMOTE_ADD,
        "remote" if has(&["remove", "rm"]) => &list::REMOTE_REMOVE,
        "tag" if has(&["--delete", "--force"]) || moves_tag(command) => &list::MOVE_TAG,
        "add" | "stage" | "update-index" if adds_kept_out(command, verb) => &GIT_ADD_SECRETS,
        "checkout" | "restore" if side_taken(command) == Some(Side::OfSources) => &list::CHECKOUT_OURS_THEIRS,
        "worktree" if has(&["-f", "--force"]) => &list::DISCARD_CHANGES,
        "am" | "apply" if has(&["-"]) => &list::APPLY_UNSEEN_PATCH,
        "branch" if discards => &list::DELETE_BRANCH,
        "filter-branch" | "filter-repo" | "reflog" | "gc" | "update-ref" | "push" | "replace" if discards => {
            &list::REWRITE_HISTORY
        }
        _ => return None,
    };
    Some(Finding::on(detector, command))
}

/// Of which files one side of a merge is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::detect) enum Side {
    /// Files that a package manager makes anew.
    OfLocks,
    /// Any other.
    OfSources,
}

/// Files in which package managers write down what they chose.
const LOCKS: &[&str] = words!(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb Cargo.lock \
     poetry.lock uv.lock pdm.lock Pipfile.lock Gemfile.lock composer.lock go.sum flake.lock mix.lock \
     pubspec.lock Podfile.lock packages.lock.json"
);

/// `git checkout --theirs FILE`: of files with conflicts one side is taken; nothing else may be asked for.
pub(super) fn side_taken(command: &Command) -> Option<Side> {
    let words = operands(command, "checkout").or_else(|| operands(command, "restore"))?;
    let (options, named): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.text.starts_with('-'));
    let known = |option: &str| matches!(option, "--ours" | "--theirs" | "--" | "-q" | "--quiet");
    let asked = options.iter().any(|option| matches!(option.text.as_str(), "--ours" | "--theirs"));
    let plain = options.iter().all(|option| known(&option.text)) && named.iter().all(|word| word.literal);
    if !asked || !plain || named.is_empty() {
        return None;
    }
    let lock = |text: &str| LOCKS.contains(&text.rsplit('/').next().unwrap_or_default());
    let locks = named.iter().all(|word| lock(&word.text));
    Some(if locks { Side::OfLocks } else { Side::OfSources })
}
