//! Packages that came from a registry and come from somewhere else after an edit.

use super::{Category, Finding};

/// Registries that packages usually come from, as they stand in lock files.
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
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let name =
        replaced(&old, &new).or_else(|| patched(&old, &new, &file)).or_else(|| rehosted(&old, &new))?;
    let what = format!("`{name}` no longer comes from a registry");
    Some(Finding::new(Category::SupplyChain, what).doubtful())
}

/// A package that had a version and now has an address.
fn replaced(old: &str, new: &str) -> Option<String> {
    let registered: Vec<String> =
        old.lines().filter(|line| !has_address(line) && has_version(line)).filter_map(package).collect();
    let mut added = new.lines().filter(|line| has_address(line) && !old.contains(line.trim()));
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

/// `[patch.crates-io]`: what follows takes the place of packages of a registry.
fn patched(old: &str, new: &str, file: &str) -> Option<String> {
    let table = |text: &str| {
        let mut inside = false;
        text.lines().find_map(|line| {
            let line = line.trim();
            if line.starts_with('[') {
                inside = line.starts_with("[patch.") || line == "[replace]";
                return None;
            }
            (inside && has_address(line)).then(|| package(line)).flatten()
        })
    };
    table(new).filter(|_| file == "cargo.toml" && table(old).is_none())
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
}
