//! Paths the slow way: which rules mean them, which are trusted, protected, secret or too much to delete
//! (SPEC R6, S1, S2, S4, P5).
//!
//! Knows only the protected and run-later names that the generator uses; which paths hold credentials is
//! taken from the reader. Rules against paths that are not fully known are not modelled: such cases are
//! left out.

use portcullis_decide::facts::PathKind;
use portcullis_decide::path::{absolute, is_within};
use portcullis_decide::rules::{List, Match};
use portcullis_decide::view::{Access, PathUse, View};
use portcullis_decide::{Context, Tool, ToolCall};

use portcullis_shell::Effects;

use super::super::generator::HOME;
use super::rules::{About, Said};
use super::text::{compare, starred};

/// Protected names, and whether the classifier may clear a write there.
const PROTECTED: &[(&str, bool)] = &[
    (".portcullis", false),
    (".claude", false),
    (".codex", false),
    (".gemini", false),
    (".cursor", false),
    (".bashrc", false),
    (".zshrc", false),
    (".profile", false),
    (".ssh", false),
    (".netrc", false),
    (".aws", false),
    (".git", true),
    (".gitconfig", true),
    (".husky", true),
    (".vscode", true),
    (".npmrc", true),
    (".cargo", true),
];

/// Project files that make later commands run something.
const RUN_LATER: &[&str] = &["package.json", "Makefile", "build.rs", "ci.yml"];

/// The path by its name, and where it leads if that is known.
fn names(path: &PathUse, context: &Context) -> Vec<String> {
    let fact = context.facts.path(&path.path).filter(|_| path.literal);
    let mut all = vec![path.path.clone()];
    all.extend(fact.map(|fact| fact.resolved));
    // Where links that the line makes lead is taken from the view.
    all.extend(path.also.iter().cloned());
    all
}

/// Whether a rule for `Read` or `Edit` is about uses of this kind.
pub(crate) fn governs(rule: &Said, path: &PathUse, tool: &Tool) -> bool {
    let edits = Tool::named(&rule.tool).edits_files();
    let writes = path.access != Access::Read;
    // What may not be read may not be written either; and what other tools do with a file is not known.
    let either = rule.list == List::Ask && matches!(tool, Tool::Mcp(_) | Tool::Unknown(_));
    edits == writes || (writes && (rule.list == List::Deny || either))
}

/// Whether a deny or ask rule means the path.
pub(crate) fn guards(rule: &Said, path: &PathUse, call: &ToolCall, context: &Context) -> Match {
    let About::Path(pattern) = &rule.about else { return Match::No };
    let starts =
        if is_relative(pattern) { vec![root(context), call.cwd.clone()] } else { vec![root(context)] };
    let means = |name: &String| starts.iter().any(|start| fits(pattern, name, start, Depth::AnyFolder));
    let edits = Tool::named(&rule.tool).edits_files();
    let searched = path.searched && (!edits || path.access != Access::Read);
    let there = |start: &String| {
        let plain = |part: &&str| !part.contains(['*', '?', '[', '{']);
        let rest = pattern.trim_start_matches("./").trim_start_matches(['/', '~']);
        let named: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).take_while(plain).collect();
        let root = match pattern {
            _ if pattern.starts_with("//") => "",
            _ if pattern.starts_with("~/") => HOME,
            _ => start.as_str(),
        };
        let place = format!("{}/{}", root.trim_end_matches('/'), named.join("/"));
        let fact = context.facts.path(place.trim_end_matches('/'));
        path.access != Access::Read || fact.is_none_or(|fact| fact.kind != PathKind::Missing)
    };
    let below = searched && starts.iter().any(|start| lies_below(pattern, start, &path.path) && there(start));
    if !governs(rule, path, &call.tool) {
        return if below { Match::Unclear } else { Match::No };
    }
    if names(path, context).iter().any(means) {
        Match::Yes
    } else if below || (path.literal && context.facts.path(&path.path).is_none()) {
        Match::Unclear
    } else {
        Match::No
    }
}

/// Whether a guarding pattern means the path by this name.
pub(crate) fn means(pattern: &str, path: &str, call: &ToolCall, context: &Context) -> bool {
    let here = [root(context), call.cwd.clone()];
    let starts = if is_relative(pattern) { &here[..] } else { &here[..1] };
    starts.iter().any(|start| fits(pattern, path, start, Depth::AnyFolder))
}

/// Whether allow rules mean the path, by its name and where it leads.
pub(crate) fn is_allowed(rules: &[Said], path: &PathUse, context: &Context) -> bool {
    let known = !path.literal || context.facts.path(&path.path).is_some();
    let writes = path.access != Access::Read;
    let allowed = |name: &String| {
        rules.iter().any(|rule| match &rule.about {
            About::Path(pattern) => {
                rule.list == List::Allow
                    && Tool::named(&rule.tool).edits_files() == writes
                    && fits(pattern, name, &root(context), Depth::Anchored)
            }
            _ => false,
        })
    };
    known && names(path, context).iter().all(allowed)
}

fn root(context: &Context) -> String {
    context.roots.first().cloned().unwrap_or_default()
}

fn is_relative(pattern: &str) -> bool {
    !pattern.starts_with(['/', '~'])
}

/// Where `folder/**` without a leading `./` begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Anchored,
    AnyFolder,
}

/// Whether a gitignore pattern means the absolute path.
fn fits(pattern: &str, path: &str, start: &str, depth: Depth) -> bool {
    let (start, rest) = match pattern {
        _ if pattern.starts_with("//") => ("/", pattern),
        _ if pattern.starts_with("~/") => (HOME, pattern.trim_start_matches('~')),
        _ => (start, pattern.trim_start_matches("./")),
    };
    let segments: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let start = start.trim_end_matches('/');
    let Some(below) = path.strip_prefix(start).filter(|below| below.is_empty() || below.starts_with('/'))
    else {
        return false;
    };
    let names: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    let loose = is_relative(pattern) && !pattern.starts_with("./");
    let one_name = loose && segments.len() == 1 && segments != ["**"];
    let one_folder =
        loose && segments.len() == 2 && segments.ends_with(&["**"]) && !segments.starts_with(&["**"]);
    let floating = one_name || (one_folder && depth == Depth::AnyFolder);
    let last = if floating { names.len() } else { 0 };
    // Whoever takes a folder as a whole takes what a guard of `folder/**` means.
    let whole = segments.split_last().filter(|(last, _)| **last == "**");
    let whole = whole.filter(|_| depth == Depth::AnyFolder).map(|(_, rest)| rest);
    (0..=last).any(|from| {
        let names = names.get(from..).unwrap_or_default();
        covers(&segments, names) || whole.is_some_and(|folder| covers(folder, names))
    })
}

/// Whether the segments stand for the names, or for a folder above them.
fn covers(segments: &[&str], names: &[&str]) -> bool {
    match (segments.split_first(), names.split_first()) {
        (None, _) => true,
        (Some((&"**", [])), names) => names.is_some(),
        (Some((&"**", rest)), Some((_, later))) => covers(rest, names) || covers(segments, later),
        (Some((&"**", rest)), None) => covers(rest, names),
        (Some((segment, rest)), Some((name, later))) => is_name(segment, name) && covers(rest, later),
        (Some(_), None) => false,
    }
}

/// Whether a name with `*` and `?` stands for a name.
fn is_name(segment: &str, name: &str) -> bool {
    // Each `?` is some character: all are tried.
    match segment.split_once('?') {
        None => compare(&starred(segment), name) == Match::Yes,
        Some((before, after)) => {
            name.chars().any(|character| is_name(&format!("{before}{character}{after}"), name))
        }
    }
}

/// Whether the place that the pattern spells out lies below the folder, so that a search there sees it.
fn lies_below(pattern: &str, start: &str, folder: &str) -> bool {
    let (start, rest) = match pattern {
        _ if pattern.starts_with("//") => ("", pattern),
        _ if pattern.starts_with("~/") => (HOME, pattern.trim_start_matches('~')),
        _ => (start, pattern.trim_start_matches("./")),
    };
    let segments: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    if segments.iter().all(|segment| ["*", "**"].contains(segment)) {
        // It means all there is.
        return is_within(start, folder) || is_within(folder, start);
    }
    let loose = is_relative(pattern) && !pattern.starts_with("./");
    if loose && segments.len() == 1 && segments != ["**"] {
        // Meant at any depth, so it is no place of its own.
        return false;
    }
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (start, folder) = (parts(start), parts(folder));
    let same = |(part, name): (&String, &String)| could_agree(part, name);
    if segments.starts_with(&["**"]) || !folder.iter().zip(&start).all(same) {
        return false;
    }
    match folder.get(start.len()..).filter(|inner| !inner.is_empty()) {
        Some(inner) => goes_on(&segments, inner),
        None => segments.first().is_some_and(|first| !first.contains(['*', '?'])),
    }
}

/// Whether the names use up some of the segments and leave others.
fn goes_on(segments: &[&str], names: &[String]) -> bool {
    match (segments.split_first(), names.split_first()) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some((&"**", rest)), Some((_, later))) => goes_on(segments, later) || goes_on(rest, names),
        (Some((segment, rest)), Some((name, later))) => could_agree(segment, name) && goes_on(rest, later),
    }
}

/// Whether some name fits both, each of which may have `*`, `?` and sets.
fn could_agree(one: &str, other: &str) -> bool {
    let wild = |text: &str| text.starts_with(['*', '?', '[']);
    let rest = |text: &str| text.chars().skip(1).collect::<String>();
    match (one.chars().next(), other.chars().next()) {
        (None, None) => true,
        _ if wild(one) => {
            could_agree(&rest(one), other) || (!other.is_empty() && could_agree(one, &rest(other)))
        }
        _ if wild(other) => could_agree(other, one),
        (Some(left), Some(right)) => left == right && could_agree(&rest(one), &rest(other)),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Whether the path surely lies in the trusted directory, by name and where it leads.
pub(crate) fn is_inside(path: &PathUse, context: &Context) -> bool {
    if path.path.starts_with("/dev/") {
        return ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"]
            .contains(&path.path.as_str());
    }
    if path.literal {
        return leads_inside(&path.path, context);
    }
    let known = path.path.split(['*', '?', '[']).next().unwrap_or_default();
    let folder = known.rsplit_once('/').map_or("", |(folder, _)| folder);
    path.glob && leads_inside(if folder.is_empty() { "/" } else { folder }, context)
}

/// Whether an absolute path is trusted, and what it leads to as well.
pub(crate) fn leads_inside(path: &str, context: &Context) -> bool {
    let trusted = |path: &str| context.roots.iter().any(|root| is_within(path, root));
    trusted(path) && context.facts.path(path).is_some_and(|fact| trusted(&fact.resolved))
}

/// S1: whether a write there asks, and whether the classifier may clear all of it.
pub(crate) fn protected(view: &View, cwd: &str, context: &Context) -> Option<bool> {
    written_places(view, context)
        .or_else(|| climbs_in_the_dark(view, cwd, context).then_some(true))
        .or_else(|| named_places(view, cwd, context))
}

/// Whether something is written above a folder of which it is not known where it leads.
fn climbs_in_the_dark(view: &View, cwd: &str, context: &Context) -> bool {
    let written = |path: &&PathUse| path.access != Access::Read && (path.literal || path.glob);
    let dark = context.facts.path(cwd).is_none();
    view.paths.iter().filter(written).any(|path| path.named.starts_with("..")) && dark
}

/// Whether a command that writes or runs something has a protected place among its words.
fn named_places(view: &View, cwd: &str, context: &Context) -> Option<bool> {
    let acts = Effects::WRITES.and(Effects::DELETES).and(Effects::EXECUTES).and(Effects::UNKNOWN);
    let acts = acts.and(Effects::PERMISSIONS);
    // Where the line writes to a place that is not known, any of its words may name it.
    let somewhere = view.paths.iter().any(|path| path.access != Access::Read && !path.literal && !path.glob);
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let words = commands
        .filter(|command| somewhere || command.own.meets(acts))
        .flat_map(|command| &command.arguments);
    // In code a path can stand anywhere in a word.
    let odd = |character: char| !character.is_alphanumeric() && !"._-~/".contains(character);
    let words = words.filter(|word| word.literal && !word.text.contains("://"));
    let mut texts = words.flat_map(|word| {
        let glued =
            word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
        word.text.split(odd).filter(|piece| !piece.starts_with('-')).chain(glued)
    });
    texts.find_map(|text| place(&absolute(text, cwd, HOME, context.platform), true))
}

fn written_places(view: &View, context: &Context) -> Option<bool> {
    let written = view.paths.iter().filter(|path| path.access != Access::Read);
    let all = written
        .flat_map(|path| names(path, context).into_iter().filter_map(|name| place(&name, path.literal)));
    all.reduce(|first, second| first && second)
}

/// Whether the path is protected, and if so whether the classifier may clear a write to it.
fn place(path: &str, literal: bool) -> Option<bool> {
    let parts: Vec<String> = path.split('/').map(str::to_lowercase).collect();
    let known = PROTECTED.iter().find(|(name, _)| parts.iter().any(|part| part == name));
    let own = path.contains("/.config/portcullis/");
    let secret = portcullis_shell::is_secret_path(path, literal) && !path.contains("/.env");
    known.map(|(_, approvable)| *approvable).or((own || secret).then_some(false))
}

/// Whether acceptEdits mode takes an edit of the path.
pub(crate) fn is_plain_edit(path: &PathUse, context: &Context) -> bool {
    let all = names(path, context);
    is_inside(path, context)
        && !context.roots.contains(&path.path)
        && all.iter().all(|name| place(name, path.literal).is_none() && !name.contains("/.github/workflows/"))
}

pub(crate) fn runs_later(path: &PathUse) -> bool {
    path.path.rsplit('/').next().is_some_and(|name| RUN_LATER.contains(&name))
}

/// S2: whether something is deleted that could take everything.
pub(crate) fn catastrophe(view: &View, cwd: &str, context: &Context) -> bool {
    let deleted = view.paths.iter().filter(|path| path.access == Access::Delete);
    deleted.into_iter().any(|path| takes_everything(path, view, cwd, context))
}

fn takes_everything(path: &PathUse, view: &View, cwd: &str, context: &Context) -> bool {
    if is_sifted(path, view) && context.roots.iter().any(|root| is_within(&path.path, root)) {
        return false;
    }
    if path.literal {
        let fact = context.facts.path(&path.path).filter(|fact| fact.kind == PathKind::Directory);
        return holds_much(&path.path, cwd, context)
            || fact.is_some_and(|fact| holds_much(&fact.resolved, cwd, context));
    }
    if path.named.starts_with('*') && !path.glob {
        // Nothing is known of where it begins.
        let names = path.named.split('/').filter(|name| !["", ".", "*"].contains(name));
        let rest: Vec<&str> = names.collect();
        return takes_folders(path, view)
            && (rest.is_empty() || [["etc"], ["usr"], ["home"], ["var"]].iter().any(|top| rest == top));
    }
    let (folder, last) = path.path.rsplit_once('/').unwrap_or_default();
    let folder = if folder.is_empty() { "/" } else { folder };
    let leads = context.facts.path(folder).is_none_or(|fact| holds_much(&fact.resolved, cwd, context));
    (folder == "/" || (["*", ".*", "**"].contains(&last) && takes_folders(path, view)))
        && (holds_much(folder, cwd, context) || leads)
}

/// Whether `find` deletes only what a test lets through.
fn is_sifted(path: &PathUse, view: &View) -> bool {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut mine = commands.filter(|command| {
        path.span.is_some_and(|span| command.span.start <= span.start && span.end <= command.span.end)
    });
    mine.any(|command| {
        command.program.as_deref() == Some("find")
            && command.arguments.iter().any(|word| word.text == "-name")
    })
}

fn takes_folders(path: &PathUse, view: &View) -> bool {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut mine = commands.filter(|command| {
        path.span.is_none_or(|span| command.span.start <= span.start && span.end <= command.span.end)
    });
    mine.any(|command| {
        let recursive = |text: &str| {
            text == "--recursive"
                || (text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R']))
        };
        command.program.as_deref() != Some("rm") || command.arguments.iter().any(|word| recursive(&word.text))
    })
}

/// The root, what lies directly in it, system folders, homes, and whatever holds the home or the project.
fn holds_much(path: &str, cwd: &str, context: &Context) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let kept = [HOME, cwd].into_iter().chain(context.roots.iter().map(String::as_str));
    let system = ["usr", "etc", "bin", "sbin", "lib", "boot", "sys", "proc", "home", "var"];
    match parts.as_slice() {
        ["tmp", _, ..] => false,
        [] | [_] => true,
        [first, _] if system.contains(first) => true,
        _ => kept.into_iter().any(|place| is_within(place, path)),
    }
}

/// S4: whether a place of credentials is read.
pub(crate) fn reads_credentials(view: &View, context: &Context) -> bool {
    let effects = view.reading.as_ref().map(portcullis_shell::Reading::effects).unwrap_or_default();
    let read = view
        .paths
        .iter()
        .filter(|path| path.access == Access::Read || (path.searched && view.reading.is_none()));
    let mut named = read.flat_map(|path| {
        let literal = path.literal;
        let holds = path.searched && view.reading.is_none() && portcullis_shell::holds_secrets(&path.path);
        names(path, context)
            .into_iter()
            .map(move |name| holds || portcullis_shell::is_secret_path(&name, literal))
    });
    effects.meets(portcullis_shell::Effects::SECRETS) || named.any(|secret| secret)
}
