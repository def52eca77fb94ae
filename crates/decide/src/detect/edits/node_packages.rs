//! What a `package.json`, or a part of one, says about where its packages come from.

use serde_json::{Map, Value};

/// Whether a package comes from a place that the old text did not name: an address, a repository, another package's name, a
/// folder outside.
pub(super) fn named_elsewhere(old: &str, new: &str) -> bool {
    let known = entries(old);
    let mut added = entries(new).into_iter().filter(|entry| !known.contains(entry));
    added.any(|entry| {
        let registered = known.iter().any(|it| it.name == entry.name && is_version(&it.source));
        let among_packages = entry.listed || registered;
        is_address(&entry.source)
            || (among_packages && is_web(&entry.source))
            || is_short(&entry.source, &entry.name, among_packages)
    })
}

/// Whether a text gains a command that runs wherever the package is installed, and that is no usual tool's.
pub(super) fn runs_on_install(old: &str, new: &str) -> bool {
    const TOOLS: &[&str] = &[
        "husky",
        "prisma",
        "patch-package",
        "lefthook",
        "simple-git-hooks",
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "nuxt",
        "svelte-kit",
        "electron-builder",
        "playwright",
        "is-ci",
        "npx",
    ];
    let known: Vec<(String, String)> = hooks(old).collect();
    let mut added = hooks(new).filter(|hook| !known.contains(hook));
    added.any(|(_, command)| {
        let first = command.split(' ').next().unwrap_or_default();
        !TOOLS.contains(&first)
    })
}

fn hooks(text: &str) -> impl Iterator<Item = (String, String)> {
    let names = ["preinstall", "install", "postinstall"].iter();
    names.flat_map(move |name| {
        let parts = text.split(&format!("\"{name}\"")).skip(1).map(str::to_owned).collect::<Vec<_>>();
        parts.into_iter().filter_map(move |rest| {
            let mut quoted = rest.split('"');
            let colon = quoted.next()?;
            (colon.trim() == ":").then(|| ((*name).to_owned(), quoted.next().unwrap_or_default().to_owned()))
        })
    })
}

/// A name and the source that it is given; whether it is listed among packages.
#[derive(PartialEq)]
struct Entry {
    name: String,
    source: String,
    listed: bool,
}

/// Parts of a package that speak of other packages.
fn is_list(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with("dependencies") || matches!(lower.as_str(), "overrides" | "resolutions" | "catalog")
}

/// What a package, or a part of one, says about others.
fn entries(text: &str) -> Vec<Entry> {
    let mut found = Vec::new();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(package)) => in_fields(&package, false, &mut found),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) | Err(_) => {
            in_lines(text, &mut found);
        }
    }
    found
}

fn in_fields(fields: &Map<String, Value>, listed: bool, found: &mut Vec<Entry>) {
    for (name, value) in fields {
        if let Value::Object(inner) = value {
            in_fields(inner, listed || is_list(name), found);
        } else if let (true, Value::String(source)) = (listed, value) {
            found.push(Entry { name: name.clone(), source: source.clone(), listed });
        }
    }
}

/// The same for a part that is no whole.
fn in_lines(text: &str, found: &mut Vec<Entry>) {
    const OTHERS: &[&str] =
        &["url", "homepage", "repository", "bugs", "funding", "author", "$schema", "license"];
    let mut depth = 0_usize;
    for part in text.split_inclusive(['{', '}', ',', '\n']) {
        let quoted: Vec<&str> = part.split('"').collect();
        if let [_, name, colon, source, ..] = quoted.as_slice()
            && colon.trim() == ":"
            && !OTHERS.contains(name)
        {
            found.push(Entry { name: (*name).to_owned(), source: (*source).to_owned(), listed: depth > 0 });
        }
        let opened = quoted.get(1).filter(|_| part.ends_with('{')).copied();
        if opened.is_some_and(|name| depth > 0 || is_list(name)) {
            depth += 1;
        }
        depth = depth.saturating_sub(usize::from(part.ends_with('}')));
    }
}

/// A version of the package that the name says.
fn is_version(source: &str) -> bool {
    let plain = source.trim_start_matches(['^', '~', '=', '>', '<', ' ', 'v']);
    plain.starts_with(|it: char| it.is_ascii_digit() || it == '*') || matches!(plain, "latest" | "next")
}

fn is_web(source: &str) -> bool {
    ["http://", "https://"].iter().any(|start| source.to_ascii_lowercase().starts_with(start))
}

/// `github:a/b`, `git+https://…`, `https://….tgz`, `npm:other@1`, `file:/…`
pub(super) fn is_address(source: &str) -> bool {
    const STARTS: &[&str] = &["github:", "gitlab:", "bitbucket:", "gist:", "git+", "git:", "git@", "ssh:"];
    const ARCHIVES: &[&str] = &[".tgz", ".tar.gz", ".git"];
    let lower = source.trim().to_ascii_lowercase();
    let outside = ["file:", "link:", "portal:"].iter().filter_map(|start| lower.strip_prefix(start));
    STARTS.iter().any(|start| lower.starts_with(start))
        || (is_web(&lower) && ARCHIVES.iter().any(|ending| lower.ends_with(ending)))
        || lower.strip_prefix("npm:").is_some_and(|other| !is_version(other))
        || outside.into_iter().any(|path| path.starts_with(['/', '~']))
}

/// `a/b`, which is short for a repository of GitHub where a package is expected.
fn is_short(source: &str, name: &str, among_packages: bool) -> bool {
    let (repository, _) = source.split_once('#').unwrap_or((source, ""));
    let Some((owner, rest)) = repository.split_once('/') else { return false };
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '~', '@'])
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    plain(owner) && plain(rest) && (among_packages || rest == name)
}
