//! Packages that come from somewhere else after an edit: from an address instead of a registry, from another repository,
//! under another one's name, or with another hash.

use super::node_packages;
use crate::detect::{Finding, detectors};

/// Registries that packages usually come from, as lock files name them.
const REGISTRIES: &[&str] = &[
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "files.pythonhosted.org",
    "pypi.org",
    "rubygems.org",
    "index.crates.io",
];

/// A package that no longer comes from a registry, in a file that says which packages a project uses.
pub(super) fn moved(old: &str, new: &str, path: &str) -> Option<Finding> {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let left = replaced(&old, &new).or_else(|| rehosted(&old, &new));
    let left = left.or_else(|| {
        let known = origins(&old, path);
        origins(&new, path).into_iter().find(|origin| !known.contains(origin))
    });
    if let Some(name) = left {
        return Some(Finding::by(&detectors::NON_REGISTRY_SOURCE).about(name));
    }
    is_exchanged(&old, &new).then(|| Finding::by(&detectors::LOCKFILE_TAMPERING))
}

/// A package that had a version and now has an address, or is another one under its name.
fn replaced(old: &str, new: &str) -> Option<String> {
    let other = |line: &str| has_address(line) || line.contains("package = \"");
    let registered: Vec<String> =
        old.lines().filter(|line| !other(line) && has_version(line)).filter_map(package).collect();
    let mut added = new.lines().filter(|line| other(line) && !old.contains(line.trim()));
    added.find_map(|line| package(line).filter(|name| registered.contains(name)))
}

/// Whether a line takes something from a repository or by an address.
fn has_address(line: &str) -> bool {
    const WORDS: &[&str] =
        &["git+", "git =", "git=", "git:", "github:", "gitlab:", "bitbucket:", "@ http", "url =", "tarball"];
    WORDS.iter().any(|word| line.contains(word)) && !line.trim_start().starts_with('#')
}

fn has_version(line: &str) -> bool {
    line.contains(|it: char| it.is_ascii_digit())
        || line.trim_start().starts_with("gem ")
        || line.contains('*')
}

/// The name of the package that a line is about.
fn package(line: &str) -> Option<String> {
    if let Some((_, egg)) = line.split_once("#egg=") {
        return Some(egg.split(|it: char| !is_name(it)).next().unwrap_or_default().to_owned());
    }
    let line = line.trim().trim_start_matches("- ");
    let line = line.strip_prefix("gem ").unwrap_or(line).trim_start_matches(['"', '\'', '(']);
    let name = line.split(|it: char| !is_name(it)).next().filter(|name| !name.is_empty())?;
    Some(name.replace('_', "-"))
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_' | '.')
}

/// The repositories, addresses and folders that a text, in small letters, takes packages from.
fn origins(text: &str, path: &str) -> Vec<String> {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    // What a package of npm says about itself has addresses too.
    if file == "package.json" {
        return Vec::new();
    }
    // Elsewhere a path is one to look at, to write or to keep.
    let lists = file.rsplit('.').next() == Some("toml")
        || ["gemfile", "podfile", "pubspec.yaml", "mix.exs"].contains(&file.as_str());
    let mut found = Vec::new();
    let mut below_git = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        found.extend(line.split("git+").skip(1).map(place));
        found.extend(Some(line).filter(|line| line.starts_with("http")).map(place));
        found.extend(line.split(" @ http").skip(1).map(|rest| place(&format!("http{rest}"))));
        found.extend(line.split(" @ file:").skip(1).map(place));
        found.extend(of_file(line, &file));
        for forge in ["github:", "gitlab:", "bitbucket:"] {
            let named = line.split(forge).skip(1).map(|rest| rest.trim_start_matches([' ', '"', '\'']));
            let pair = |rest| place(rest).splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
            found.extend(named.map(|rest| format!("{forge}{}", pair(rest))));
        }
        found.extend(values_of(line, "git").map(place));
        found.extend(
            values_of(line, "path").filter(|value| lists && value.starts_with(['/', '~'])).map(place),
        );
        let listed = match file.as_str() {
            "package.swift" => line.contains(".package("),
            "composer.json" => true,
            _ => below_git,
        };
        found.extend(values_of(line, "url").filter(|_| listed).map(place));
        if file == "gemfile.lock" {
            found.extend(values_of(line, "remote").map(place));
        }
        below_git = line == "git:" || (below_git && !line.starts_with("url"));
    }
    found.retain(|origin| {
        let host = origin.split('/').next().unwrap_or_default();
        !origin.ends_with('/') && !REGISTRIES.contains(&host)
    });
    found
}

/// What only the lines of one kind of file say: a registry of another name, another package in the place of one, a file.
fn of_file(line: &str, file: &str) -> Option<String> {
    match file {
        "cargo.toml" => values_of(line, "registry").next().map(|name| place(&format!("registry/{name}"))),
        "pnpm-workspace.yaml" => {
            let (_, value) = line.split_once(": ")?;
            node_packages::is_address(value.trim_matches(['"', '\''])).then(|| format!("package/{value}"))
        }
        _ => (line.starts_with('/') && file.rsplit('.').next() == Some("txt")).then(|| place(line)),
    }
}

/// The values that a line gives to a key: `git = "…"`, `git: '…'`, `:git => "…"`, `"url": "…"`, `git '…' do`.
fn values_of<'l>(line: &'l str, key: &str) -> impl Iterator<Item = &'l str> {
    line.match_indices(key).filter_map(move |(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        let after = line.get(at + key.len()..)?;
        let value = after.trim_start_matches(['"', '\'', ' ', '=', ':', '>']);
        // `serde.git = "…"`
        let part = before == Some('.') && after.trim_start().starts_with('=');
        let own = part || before.is_none_or(|it| !(is_name(it) || it == '/'));
        let given =
            after.get(..after.len() - value.len()).is_some_and(|signs| signs.contains(['=', ':', ' ']));
        (own && given).then_some(value)
    })
}

/// A place as it is compared: without a scheme, a user, a revision and the ending of repositories.
fn place(address: &str) -> String {
    let ends =
        |it: char| it.is_whitespace() || matches!(it, '"' | '\'' | ',' | '}' | ')' | ']' | '#' | '?' | ';');
    let whole = address.split(ends).next().unwrap_or_default();
    let rest = whole.split_once("://").map_or(whole, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default().replacen(':', "/", 1);
    let path = path.split('@').next().unwrap_or_default().trim_end_matches('/');
    format!("{host}/{}", path.strip_suffix(".git").unwrap_or(path))
}

/// The same package of a lock file at another host: the rest of its address is the same.
fn rehosted(old: &str, new: &str) -> Option<String> {
    REGISTRIES.iter().find_map(|registry| {
        let mut parts = old.split(registry).skip(1).filter_map(|rest| rest.strip_prefix('/'));
        parts.find_map(|rest| {
            let end =
                rest.find(|it: char| !(is_name(it) || matches!(it, '/' | '@' | '+'))).unwrap_or(rest.len());
            let name = rest.get(..end).filter(|name| name.len() > 1)?;
            let kept = new.contains(&format!("{registry}/{name}"));
            let behind = format!("/{name}");
            let mut hosts = new.split(&behind).filter(|before| before.len() < new.len());
            let elsewhere = hosts.any(|before| {
                let host = before.rsplit(|it: char| !(is_name(it) || it == ':')).next().unwrap_or_default();
                host.contains('.') && !REGISTRIES.contains(&host)
            });
            (!kept && elsewhere).then(|| name.split('/').next().unwrap_or_default().to_owned())
        })
    })
}

/// Whether a lock file exchanges one package for another, or the hash of a version that stays the same.
fn is_exchanged(old: &str, new: &str) -> bool {
    let (were, are) = (archives(old), archives(new));
    let lost = were.iter().any(|name| !are.contains(name));
    if lost && are.iter().any(|name| !were.contains(name)) {
        return true;
    }
    let ((rest, before), (kept, after)) = (without_hashes(old), without_hashes(new));
    rest.trim() == kept.trim() && before != after
}

/// The names of the packages whose archives a text takes from a registry: `https://…/lodash/-/lodash-4.17.21.tgz`.
fn archives(text: &str) -> Vec<&str> {
    let before = text.split("/-/").collect::<Vec<_>>();
    let named = before.len().saturating_sub(1);
    before
        .into_iter()
        .take(named)
        .filter_map(|part| Some(part.rsplit_once("://")?.1.split_once('/')?.1))
        .collect()
}

/// A text without its hashes, and those.
fn without_hashes(text: &str) -> (String, Vec<String>) {
    const SIGNS: &[&str] =
        &["sha512-", "sha384-", "sha256-", "sha1-", "sha256:", "sha512:", "h1:", "checksum=\""];
    let mut hashes = Vec::new();
    let mut rest = String::new();
    for word in text.replace("checksum = ", "checksum=").split_inclusive([' ', '\n', ',']) {
        let at = SIGNS.iter().filter_map(|sign| word.find(sign)).min();
        rest.push_str(at.and_then(|at| word.get(..at)).unwrap_or(word));
        hashes.extend(at.and_then(|at| word.get(at..)).map(|hash| hash.trim().to_owned()));
    }
    (rest, hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn a_package_that_leaves_its_registry_is_seen() {
        for (path, old, new) in [
            ("Cargo.toml", "serde = \"1.0\"", "serde = { git = \"https://github.com/evil/serde\" }"),
            ("Cargo.toml", "", "[patch.crates-io]\nserde = { git = \"https://github.com/evil/serde\" }"),
            ("requirements.txt", "requests==2.31.0", "requests @ git+https://github.com/evil/requests"),
            ("requirements.txt", "requests==2.31.0", "git+https://github.com/evil/requests#egg=requests"),
            ("Gemfile", "gem 'rails', '~> 7.0'", "gem 'rails', git: 'https://github.com/evil/rails'"),
            ("package-lock.json", "registry.npmjs.org/lodash", "npm.evil.com/lodash"),
        ] {
            assert!(moved(old, new, path).is_some(), "{new}");
        }
        for (path, old, new) in [
            ("Cargo.toml", "serde = \"1.0\"", "serde = \"1.1\""),
            (
                "Cargo.toml",
                "serde = { git = \"https://github.com/a/serde\", rev = \"1\" }",
                "serde = \"1.0\"",
            ),
            ("requirements.txt", "requests==2.31.0", "requests==2.32.0"),
            (
                "package-lock.json",
                "registry.npmjs.org/lodash/-/lodash-1.tgz",
                "registry.npmjs.org/lodash/-/lodash-2.tgz",
            ),
        ] {
            assert!(moved(old, new, path).is_none(), "{new}");
        }
    }

    /// [P5]
    #[test]
    fn a_place_is_the_same_at_any_revision() {
        for address in [
            "https://github.com/a/b",
            "ssh://git@github.com/a/b.git",
            "https://github.com/a/b.git@v1#x",
            "git@github.com:a/b",
        ] {
            assert_eq!(place(address), "github.com/a/b", "{address}");
        }
    }
}
