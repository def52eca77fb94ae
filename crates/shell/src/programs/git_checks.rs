//! What the tables of git cannot say: settings given on the line, and sub-commands whose meaning hangs
//! on how many operands there are.

use super::git_settings::{self, Setting};
use super::github_checks::needs_verb;
use super::invocation::{Invocation, Outcome};
use super::option_words;
use super::table::Style;
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

/// Options that stand before the sub-command and take the next word.
const TAKES_WORD: &[&str] = &[
    "-c",
    "-C",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
    "--super-prefix",
    "--attr-source",
];

/// What stands before the sub-command. Further on `-c` and `-C` are options of the sub-command.
pub(super) fn globals<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    needs_verb(invocation, out);
    let first = invocation.operands.first().and_then(Argument::known);
    if invocation.last().style == Style::Raw && invocation.operands.len() == 1 && first == Some("--help") {
        out.help = true;
    }
    let (mut settings, mut directories, mut at) = (0, 0, 0);
    while let Some(word) = invocation.words.get(at) {
        let name = word.prefix();
        if !name.starts_with('-') {
            break;
        }
        at += 1;
        let whole = word.literal && TAKES_WORD.contains(&name);
        let value = if whole { invocation.words.get(at).copied() } else { None };
        at += usize::from(whole);
        if name == "-C" || name == "--git-dir" || name.starts_with("--git-dir=") {
            directories += 1;
        }
        if name.starts_with("-c") {
            settings += 1;
            let value = value.unwrap_or_else(|| word.after(2));
            setting(value, out);
        }
    }
    if directories > 1 || strays(invocation, settings, directories, at) {
        // The reader knows one directory only; a second one leads to a repository it has not looked at.
        let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
        out.doubt(Why::UnknownOption, "git -c/-C", span);
    }
    let runs = invocation.options.iter().any(|seen| seen.name == "--exec-path" && seen.value.is_some());
    if runs {
        still_happens(out);
    }
}

/// Whether a letter of git itself stands after a sub-command (at `verb`) that has no such option: there it means
/// something else. `git log -h` is the one form in which it does not.
fn strays(invocation: &Invocation<'_, '_>, settings: usize, directories: usize, verb: usize) -> bool {
    let own = |letter| {
        invocation.chain.iter().skip(1).any(|spec| option_words::short_option(spec.options, letter).is_some())
    };
    let more = |name: &str, letter: char, before: usize| {
        !own(letter) && invocation.options.iter().filter(|seen| seen.name == name).count() > before
    };
    let only_help = invocation.words.len() == verb + 2;
    more("c", 'c', settings)
        || more("C", 'C', directories)
        || (invocation.chain.len() > 1 && (more("v", 'v', 0) || (!only_help && more("h", 'h', 0))))
}

/// Neither `--help` nor `--dry-run` keeps git from running what a setting names.
fn still_happens(out: &mut Outcome<'_>) {
    out.add(Effects::EXECUTES);
    out.help = false;
    out.dry = false;
}

/// A setting `key=value` given on the line.
fn setting<'a>(argument: Argument<'a>, out: &mut Outcome<'a>) {
    let (key, value) = match argument.prefix().split_once('=') {
        Some((key, value)) => (key, argument.literal.then_some(value)),
        None => (argument.prefix(), argument.literal.then_some("true")),
    };
    let complete = argument.literal || argument.prefix().contains('=');
    match git_settings::judge(key, value) {
        Setting::Harmless if complete => {}
        Setting::Runs => still_happens(out),
        Setting::Harmless | Setting::Unknown => {
            out.doubt(Why::UnknownOption, format!("git -c {}", argument.text), argument.span);
        }
    }
}

/// Settings that a clone starts with.
pub(super) fn clone<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for seen in invocation.options.iter().filter(|seen| seen.name == "--config" || seen.name == "c") {
        if let Some(value) = seen.value {
            setting(value, out);
        }
    }
    remote(invocation, out);
    if let Some(directory) = invocation.operands.get(1) {
        out.writes(*directory);
    }
}

/// The remote is the first operand: a name, a path or an address.
pub(super) fn remote<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(first) = invocation.operands.first() {
        contacted(*first, out);
    }
}

pub(super) fn request_pull<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(second) = invocation.operands.get(1) {
        contacted(*second, out);
    }
}

fn contacted<'a>(remote: Argument<'a>, out: &mut Outcome<'a>) {
    let text = remote.prefix();
    let helper = text
        .split_once("::")
        .is_some_and(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    let web =
        ["http://", "https://", "ftp://", "ftps://", "file://"].iter().any(|scheme| text.starts_with(scheme));
    if helper {
        out.add(Effects::EXECUTES);
    } else if web || !remote.literal {
        out.fetches(remote);
    }
}

/// A push to an address instead of a configured remote can carry the repository anywhere.
pub(super) fn push<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let target = invocation.value(&["--repo"]).or(invocation.operands.first().copied());
    if let Some(target) = target {
        let text = target.prefix();
        if text.contains("::") {
            out.add(Effects::EXECUTES);
        }
        if !target.literal || text.contains([':', '/', '\\']) {
            out.add(Effects::SENDS_DATA);
        }
    }
    let rewrites =
        invocation.operands.iter().skip(1).any(|refspec| refspec.text.starts_with(['+', ':', '*']));
    if rewrites {
        out.add(Effects::DISCARDS);
    }
}

/// Content of a file that usually holds credentials is shown.
pub(super) fn content<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const SUMMARIES: &[&str] = &[
        "--stat",
        "--name-only",
        "--name-status",
        "--numstat",
        "--shortstat",
        "--summary",
        "--quiet",
        "--raw",
    ];
    const PATCHES: &[&str] = &[
        "p",
        "u",
        "U",
        "W",
        "L",
        "m",
        "--patch",
        "--unified",
        "--patch-with-stat",
        "--patch-with-raw",
        "--function-context",
        "--binary",
        "--cc",
        "--dd",
        "--remerge-diff",
        "--diff-merges",
        "--word-diff",
        "--word-diff-regex",
        "--color-words",
        "--inter-hunk-context",
    ];
    // Before the sub-command `-c` has a value and means something else.
    let combined = invocation.options.iter().any(|seen| seen.name == "c" && seen.value.is_none());
    let patch = combined || invocation.has(PATCHES);
    let lists = |name: &str| matches!(name, "log" | "list" | "reflog" | "visualize");
    let log = invocation.chain.iter().skip(1).any(|spec| spec.each_name().any(lists));
    let quiet = !patch && (log || invocation.has(SUMMARIES));
    if quiet {
        return;
    }
    if invocation.operands.iter().any(is_secret) {
        out.add(Effects::SECRETS);
    }
    named_files(&invocation.operands, out);
    // `-L 1,20:FILE` shows the lines of a file.
    let lines = invocation.options.iter().filter(|seen| seen.name == "L").filter_map(|seen| seen.value);
    let lines: Vec<Argument<'a>> = lines.filter(|value| value.text.contains(':')).collect();
    if lines.iter().any(is_secret) {
        out.add(Effects::SECRETS);
    }
    named_files(&lines, out);
}

/// `PATH` and `REVISION:PATH` show a file, and what may be either counts as one.
pub(super) fn named_files<'a>(operands: &[Argument<'a>], out: &mut Outcome<'a>) {
    for operand in operands {
        let Some(text) = operand.known() else { continue };
        let path = text.rsplit(':').next().unwrap_or(text);
        // `:x` is the file in the index; other signs behind the colon make a pattern of it.
        let pattern = text.strip_prefix(':').is_some_and(|rest| rest.starts_with(['!', '^', '(', '/']));
        if !path.is_empty() && !pattern {
            out.reads(Argument::literal(path, operand.span));
        }
    }
}

/// Where there is a display this is gitk, unless options for `git log` follow.
pub(super) fn visualize<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let verb = |word: &&Argument<'_>| matches!(word.known(), Some("visualize" | "view"));
    let next = invocation.words.iter().skip_while(|word| !verb(word)).nth(1);
    if !next.is_some_and(|word| word.prefix().starts_with('-')) {
        out.executes();
    }
    content(invocation, out);
}

/// An archive may be made by another machine.
pub(super) fn archive<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(remote) = invocation.value(&["--remote"]) {
        contacted(remote, out);
        // The settings of that repository name commands for the formats, and one on this machine runs them here.
        out.executes();
    }
    content(invocation, out);
}

/// Whether `PATH` or `REVISION:PATH` is where credentials are usually kept.
pub(super) fn is_secret(operand: &Argument<'_>) -> bool {
    let exact = operand.literal || !operand.choices.is_empty();
    operand.possible().any(|text| {
        let path = text.rsplit(':').next().unwrap_or(text);
        // Git has wildcards of its own, whatever the shell left of them; one that names no ending finds dot files.
        let wild = path.contains(['*', '?', '[']);
        let hidden = wild && path.strip_prefix('*').is_some_and(|end| end.len() > 1 && ".env".ends_with(end));
        hidden || secrets::is_secret_path(path, exact && !wild)
    })
}

/// Git compares two files without a repository when told to, and by itself when they lie outside it.
pub(super) fn diff<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let anywhere = invocation.has(&["--no-index"]);
    for operand in &invocation.operands {
        if anywhere
            || operand.text.starts_with(['/', '~'])
            || operand.text.split('/').any(|part| part == "..")
        {
            out.reads(*operand);
        }
    }
    content(invocation, out);
}

pub(super) fn grep<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let pattern_first = !invocation.has(&["e", "f"]);
    for operand in invocation.operands.iter().skip(usize::from(pattern_first)) {
        if invocation.has(&["--no-index"]) {
            out.reads(*operand);
        } else if is_secret(operand) {
            out.add(Effects::SECRETS);
        }
    }
    named_files(invocation.operands.get(usize::from(pattern_first)..).unwrap_or_default(), out);
}

/// An operand names a new branch unless something asks for a list.
pub(super) fn branch<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const LISTS: &[&str] = &[
        "l",
        "--list",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--show-current",
    ];
    let lists = invocation.has(LISTS) && !invocation.has(&["--no-list"]);
    if !invocation.operands.is_empty() && !lists {
        out.add(Effects::REPOSITORY);
    }
}

pub(super) fn tag<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const LISTS: &[&str] = &[
        "l",
        "n",
        "v",
        "--list",
        "--verify",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
    ];
    if !invocation.operands.is_empty() && !invocation.has(LISTS) {
        out.add(Effects::REPOSITORY);
    }
}

pub(super) fn symbolic_ref<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if several(invocation, 1) {
        out.add(Effects::REPOSITORY);
    }
}

/// Whether there are, or could be, more operands than `limit`.
pub(super) fn several(invocation: &Invocation<'_, '_>, limit: usize) -> bool {
    invocation.operands.len() > limit || invocation.operands.iter().any(|operand| operand.many)
}

/// The old form with three trees prints; the new one stores the merged tree.
pub(super) fn merge_tree<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let old = invocation.operands.len() == 3 && !invocation.operands.iter().any(|operand| operand.many);
    if !old && !invocation.has(&["--trivial-merge"]) {
        out.add(Effects::REPOSITORY);
    }
}

pub(super) fn replace<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let listed = invocation.has(&["l", "--list"]) || invocation.words.len() == 1;
    if !listed {
        out.add(Effects::REPOSITORY);
    }
}

/// A single word is a branch or a path; only what cannot well be a path merely switches.
pub(super) fn checkout<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let tracks = invocation.has(&["t", "--track"]) && invocation.operands.len() < 2;
    let new_branch = tracks || invocation.has(&["b", "B", "--orphan", "d", "--detach"]);
    let from_list = invocation.has(&["--pathspec-from-file"]);
    if new_branch && !invocation.ended && !from_list {
        return;
    }
    if from_list {
        out.add(Effects::DISCARDS);
    }
    let switches = match invocation.operands.as_slice() {
        [] => true,
        [only] => !invocation.ended && only.known().is_some_and(is_revision),
        [_, ..] => false,
    };
    if !switches {
        out.add(Effects::DISCARDS);
    }
}

fn is_revision(word: &str) -> bool {
    const BRANCHES: &[&str] =
        &["-", "@", "main", "master", "develop", "dev", "trunk", "staging", "production", "HEAD", "gh-pages"];
    let remote = ["origin/", "upstream/", "HEAD~", "HEAD^", "@{"].iter().any(|start| word.starts_with(start));
    let commit = (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    BRANCHES.contains(&word) || remote || commit
}

/// Without `--worktree`, `--staged` only takes back what was added.
pub(super) fn restore<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["S", "--staged"]) || invocation.has(&["W", "--worktree"]) {
        out.add(Effects::DISCARDS);
    }
}

pub(super) fn rm<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["--cached"]) {
        for operand in &invocation.operands {
            out.deletes(*operand);
        }
    }
}

pub(super) fn clean<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["n", "--dry-run"]) && !invocation.has(&["f", "i", "--force", "--interactive"]) {
        out.dry = true;
    }
}

pub(super) fn apply<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows =
        invocation.has(&["--stat", "--numstat", "--summary", "--check"]) && !invocation.has(&["--apply"]);
    if !shows {
        out.add(Effects::WRITES.and(Effects::REPOSITORY));
    }
}

pub(super) fn format_patch<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["--stdout"]) {
        out.add(Effects::WRITES);
    }
    content(invocation, out);
}

/// The first operand is the file that the rest is packed into.
pub(super) fn bundle_create<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(file) = invocation.operands.first() {
        out.writes(*file);
    }
}

pub(super) fn merge_file<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["p", "--stdout"]) {
        out.add(Effects::WRITES);
    }
}

pub(super) fn gc<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let prune = invocation.value(&["--prune"]);
    if prune.is_some_and(|when| when.known() != Some("never")) {
        out.add(Effects::DISCARDS);
    }
}

/// Where the packed objects go: to standard output, or to a file.
pub(super) fn pack_objects<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["--stdout"]) {
        out.add(Effects::WRITES);
    }
}

/// Plumbing whose options are not all listed: those that name a program are.
pub(super) fn transport<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const RUN: &[&str] = &[
        "--exec",
        "--upload-pack",
        "--smtp-server",
        "--sendmail-cmd",
        "--to-cmd",
        "--cc-cmd",
        "--header-cmd",
    ];
    let runs = |word: &Argument<'_>| RUN.iter().any(|name| word.text.starts_with(name));
    if invocation.operands.iter().any(runs) {
        out.add(Effects::EXECUTES);
    }
}

/// The first operand is a directory that is created.
pub(super) fn creates_first<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(folder) = invocation.operands.first() {
        out.writes(*folder);
    }
}
