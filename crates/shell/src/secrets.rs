//! Files that hold credentials, by their usual names.
//!
//! Knows names only; it never looks at a file.

mod names;

use names::{ENDINGS, NAMES, is_data, is_kept, is_key, is_stage};

/// Directories whose content is secret.
const FOLDERS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".mozilla",
    ".thunderbird",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".oci",
    "gcloud",
    "keychains",
    "keyrings",
    ".keychain",
    "glab-cli",
    ".vault",
    ".1password",
    "1password",
    "doctl",
];

/// Files in those directories that are not.
const PLAIN: &[&str] = &["known_hosts"];

/// Names that are ordinary in a project and hold credentials only at the end of such a path, or, where the last
/// part is `*`, anywhere below.
const PLACES: &[&[&str]] = &[
    &[".m2", "settings.xml"],
    &[".m2", "settings-security.xml"],
    &[".bundle", "config"],
    &[".dbt", "profiles.yml"],
    &["huggingface", "token"],
    &[".config", "github-copilot", "*"],
    &[".config", "op", "*"],
    &["etc", "wireguard", "*"],
    &["networkmanager", "system-connections", "*"],
    &["ssh", "ssh_host_*_key"],
];

/// Files of a home directory.
const HOME_NAMES: &[&str] = &[".yarnrc.yml", ".claude.json"];

/// Files of a browser's profile.
const BROWSER_NAMES: &[&str] = &["cookies", "local state"];
const BROWSERS: &[&str] = &["chrome", "chromium", "brave", "edge", "firefox", "mozilla", "opera", "vivaldi"];

/// How the names of files end that show how one with credentials is written, and hold none.
const SAMPLES: &[&str] = &[".example", ".sample", ".template", ".dist", ".tmpl", ".tpl"];

/// Whether the file name is that of a sample without secrets, such as `.env.example`.
#[must_use]
pub fn is_sample(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with(".env") && SAMPLES.iter().any(|ending| name.ends_with(ending))
}

/// Whether `path` usually holds credentials. If `exact` is false, `*`, `?` and `[…]` in the path are wildcards, and a
/// path that could match counts.
#[must_use]
pub fn is_secret_path(path: &str, exact: bool) -> bool {
    // A path of which nothing is known names nothing; nor does what a process substitution hands over.
    if !exact && matches!(path, "*" | "/dev/fd/*") {
        return false;
    }
    // Every such place has a letter in its name; numbers are common words.
    if exact && !path.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let lower = path.to_ascii_lowercase();
    if !lower.contains('\\') {
        return is_secret(&lower, exact);
    }
    // Windows separates with it; a pattern may have it before any character.
    is_secret(&lower.replace('\\', "/"), exact) || (!exact && is_secret(&lower.replace('\\', ""), exact))
}

fn is_secret(path: &str, exact: bool) -> bool {
    let parts = normal(path);
    let Some((name, folders)) = parts.split_last() else { return false };
    let absolute = path.starts_with('/');
    if in_secret_folder(folders, exact) && !PLAIN.contains(name) {
        return true;
    }
    (absolute && (is_process_state(&parts, exact) || is_mounted(&parts) || is_keyboard(&parts)))
        || is_secret_name(name, exact)
        || (FOLDERS.contains(name) && name.starts_with('.'))
        || PLACES.iter().any(|place| lies_in(&parts, place, exact))
        || (is_home(folders, absolute) && is_among(name, HOME_NAMES, exact))
        || (is_among(name, BROWSER_NAMES, exact)
            && folders.iter().any(|part| BROWSERS.iter().any(|browser| part.contains(browser))))
        || (folders.iter().any(|part| matches!(*part, "secrets" | ".secrets")) && is_kept(name))
        || (!exact && reaches_hidden_folder(folders, absolute))
}

/// The parts of the path without empty ones, `.` and what `..` takes back.
fn normal(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts
}

fn in_secret_folder(folders: &[&str], exact: bool) -> bool {
    folders.iter().any(|part| is_among(part, FOLDERS, exact))
}

/// A process's environment or memory. `/dev/fd` leads into `/proc`, so that `/dev/fd/..` does as well.
fn is_process_state(parts: &[&str], exact: bool) -> bool {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let state = |name: &str| ["environ", "mem"].iter().any(|known| could_be(name, known, exact));
    let direct = parts.len() == 3 || !is_bare(last);
    (could_be(first, "proc", exact) && parts.len() > 2 && direct && state(last))
        || (could_be(first, "dev", exact) && parts.len() == 2 && !is_bare(last) && state(last))
}

fn is_mounted(parts: &[&str]) -> bool {
    matches!(parts, ["run", "secrets", _, ..] | ["var", "run", "secrets", _, ..])
}

/// Where every key that somebody presses can be read.
fn is_keyboard(parts: &[&str]) -> bool {
    matches!(parts, ["dev", "input", _, ..])
}

/// Whether the parts are a home directory.
fn is_home(parts: &[&str], absolute: bool) -> bool {
    match parts {
        [only] => (absolute && *only == "root") || (!absolute && (only.starts_with('~') || *only == "*")),
        [above, _] => absolute && matches!(*above, "home" | "users"),
        _ => false,
    }
}

/// `~/.*/x`: a pattern for hidden folders of a home directory finds those with keys in them.
fn reaches_hidden_folder(folders: &[&str], absolute: bool) -> bool {
    folders.split_last().is_some_and(|(last, before)| {
        is_home(before, absolute) && last.starts_with('.') && is_wild(last) && could_be(last, ".ssh", false)
    }) || folders.split_last().is_some_and(|(_, before)| reaches_hidden_folder(before, absolute))
}

/// Whether the path ends in `place`, or lies below it where that ends in `*`.
fn lies_in(parts: &[&str], place: &[&str], exact: bool) -> bool {
    let fits_one = |part: &str, name: &str| name == "*" || wild_match(name, part) || names(part, name, exact);
    let all_fit = |window: &[&str]| window.iter().zip(place).all(|(part, name)| fits_one(part, name));
    let mut windows = parts.windows(place.len());
    if place.last() == Some(&"*") { windows.any(all_fit) } else { windows.next_back().is_some_and(all_fit) }
}

/// Whether a directory holds credentials among other files, so that reading all of it reads them.
#[must_use]
pub fn holds_secrets(path: &str) -> bool {
    let lower = path.to_ascii_lowercase().replace('\\', "/");
    let parts = normal(&lower);
    let absolute = lower.starts_with('/');
    match parts.as_slice() {
        [] => absolute,
        ["etc" | "home" | "users" | "proc" | "run"] if absolute => true,
        [home @ .., ".config"] => is_home(home, absolute) && home.first() != Some(&"*"),
        // A word only known at run time could be any directory; most are not.
        parts => is_home(parts, absolute) && parts != ["*"],
    }
}

fn is_secret_name(name: &str, exact: bool) -> bool {
    if name.is_empty() {
        return false;
    }
    let env_file = name.strip_prefix(".env").is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with(['.', '-', '_', '~'])
            || (!exact && rest.starts_with(['*', '?', '[']))
    });
    let named = name.strip_prefix("credentials").is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let ending = ENDINGS.iter().any(|end| ends_like(name, end, exact)) && !name.ends_with(".pub.pem");
    // What a shell finds with such a pattern begins with a dot.
    let hidden = !exact && name.starts_with('.') && is_wild(name) && could_be(name, ".env", false);
    env_file
        || named
        || ending
        || hidden
        || is_among(name, NAMES, exact)
        || is_key(name)
        || is_data(name)
        || is_stage(name)
}

/// Whether the name ends so, or as a pattern could. A `*` alone says nothing about the ending.
fn ends_like(name: &str, ending: &str, exact: bool) -> bool {
    if exact || !is_wild(name) || name.ends_with(ending) {
        return name.ends_with(ending);
    }
    let Some((_, kind)) = name.rsplit_once('.') else { return false };
    let literal = letters(kind);
    (literal > 1 || (literal == 1 && !kind.contains('*')))
        && ending
            .rsplit_once('.')
            .is_some_and(|(before, wanted)| before.is_empty() && wild_match(kind, wanted))
}

/// Whether a part of a path is one of these names, or as a pattern could be.
fn is_among(part: &str, known: &[&str], exact: bool) -> bool {
    if exact {
        return known.contains(&part);
    }
    let marks = marks(part);
    says_enough(part, &marks) && known.iter().any(|known| fits(part, &marks, known))
}

/// Whether a part of a path is `known`, or as a pattern could be.
fn names(part: &str, known: &str, exact: bool) -> bool {
    is_among(part, &[known], exact)
}

/// A pattern reaches a secret name when it names part of it; a bare `*` or `*.ending` does not count as naming.
fn says_enough(pattern: &str, marks: &[Mark]) -> bool {
    !pattern.starts_with("*.") && certain(marks) >= 2
}

fn could_be(pattern: &str, name: &str, exact: bool) -> bool {
    if exact { pattern == name } else { wild_match(pattern, name) }
}

fn is_wild(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether nothing in the pattern is a certain character.
fn is_bare(pattern: &str) -> bool {
    letters(pattern) == 0
}

/// How many characters of the pattern are certain.
fn letters(pattern: &str) -> usize {
    certain(&marks(pattern))
}

fn certain(marks: &[Mark]) -> usize {
    marks.iter().filter(|mark| matches!(mark, Mark::Is(_))).count()
}

/// One place of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Is(u8),
    One,
    Any,
}

fn marks(pattern: &str) -> Vec<Mark> {
    let mut found = Vec::with_capacity(pattern.len());
    let mut rest = pattern.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (mark, length) = match first {
            b'*' => (Mark::Any, 0),
            b'?' => (Mark::One, 0),
            b'[' => bracket(after).unwrap_or((Mark::Is(b'['), 0)),
            byte => (Mark::Is(*byte), 0),
        };
        found.push(mark);
        rest = after.get(length..).unwrap_or_default();
    }
    found
}

/// What a bracket expression stands for, given what follows its `[`, and its length. Of several characters it
/// does not matter here which they are.
fn bracket(after: &[u8]) -> Option<(Mark, usize)> {
    if let [byte, b']', ..] = after
        && !matches!(byte, b'!' | b'^' | b'[' | b']')
    {
        return Some((Mark::Is(*byte), 2));
    }
    let mut at = usize::from(matches!(after.first(), Some(b'!' | b'^')));
    // Here a `]` is one of the characters.
    at += usize::from(after.get(at) == Some(&b']'));
    loop {
        match (after.get(at)?, after.get(at + 1)) {
            (b']', _) => return Some((Mark::One, at + 1)),
            (b'[', Some(kind @ (b':' | b'.' | b'='))) => {
                let inside = after.get(at + 2..)?;
                let end = inside
                    .windows(2)
                    .position(|pair| pair.first() == Some(kind) && pair.last() == Some(&b']'));
                at += end.map_or(1, |end| end + 4);
            }
            _ => at += 1,
        }
    }
}

/// `*` any text, `?` and a bracket one character.
fn wild_match(pattern: &str, text: &str) -> bool {
    could_begin_and_end(pattern, text) && marks_match(&marks(pattern), text)
}

/// The same for a pattern whose marks are known.
fn fits(pattern: &str, marks: &[Mark], text: &str) -> bool {
    could_begin_and_end(pattern, text) && marks_match(marks, text)
}

fn could_begin_and_end(pattern: &str, text: &str) -> bool {
    // Most differ in their first or last character.
    let (ours, theirs) = (pattern.as_bytes(), text.as_bytes());
    let differ = |one: Option<&u8>, other: Option<&u8>| {
        one != other && !matches!(one, Some(b'*' | b'?' | b'[' | b']'))
    };
    !differ(ours.first(), theirs.first()) && !differ(ours.last(), theirs.last())
}

/// Linear apart from one restart position.
fn marks_match(pattern: &[Mark], text: &str) -> bool {
    let text = text.as_bytes();
    let (mut at, mut position) = (0, 0);
    let mut restart: Option<(usize, usize)> = None;
    while let Some(byte) = text.get(position) {
        match pattern.get(at) {
            Some(Mark::Any) => {
                restart = Some((at + 1, position));
                at += 1;
            }
            Some(Mark::One) => {
                at += 1;
                position += 1;
            }
            Some(Mark::Is(wanted)) if wanted == byte => {
                at += 1;
                position += 1;
            }
            Some(Mark::Is(_)) | None => {
                let Some((after, from)) = restart else { return false };
                restart = Some((after, from + 1));
                at = after;
                position = from + 1;
            }
        }
    }
    pattern.iter().skip(at).all(|mark| *mark == Mark::Any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_known_by_their_place() {
        for path in [
            "~/.ssh/id_rsa",
            "/home/dev/.aws/credentials",
            ".env",
            "app/.env.production",
            "/etc/shadow",
            "~/.netrc",
            "server.key",
            "~/.config/gcloud/x.json",
            "/proc/1/environ",
            "~/.ssh/config",
            "~/.SSH/ID_RSA",
            "//proc/self/environ",
            "/./proc/self/environ",
            "/dev/fd/../environ",
            "src/../.env",
            "C:\\Users\\me\\.ssh\\id_rsa",
            "prod.env",
            ".env-prod",
            ".env~",
            "/etc/shadow-",
            "/etc/ssh/ssh_host_rsa_key",
            "~/.m2/settings.xml",
            "~/.yarnrc.yml",
            "/home/me/.claude.json",
            "~/.bundle/config",
            "~/.config/op/config",
            "~/.config/github-copilot/hosts.json",
            "/etc/wireguard/wg0.conf",
            "~/.config/google-chrome/Default/Cookies",
            "prod.tfvars",
        ] {
            assert!(is_secret_path(path, true), "{path}");
        }
        for path in [
            "src/environment.rs",
            ".environment",
            "~/.ssh/known_hosts",
            "Cargo.toml",
            "docs/keys.md",
            "-",
            "settings.xml",
            ".yarnrc.yml",
            "config",
            "src/cookies",
            "/etc/ssh/ssh_host_rsa_key.pub",
            "op/config",
            "/proc/1/status",
            "~/.ssh/../notes.txt",
        ] {
            assert!(!is_secret_path(path, true), "{path}");
        }
    }

    #[test]
    fn keys_stages_and_folders_of_secrets_are_known_by_their_names() {
        for path in [
            "gcp-key.json",
            "keys/prod.key.json",
            "env.production",
            "deploy/env-staging",
            "secrets/db",
            "config/secrets/db.yaml",
            ".secrets/api",
        ] {
            assert!(is_secret_path(path, true), "{path}");
        }
        for path in [
            "package.json",
            "keyboard.json",
            "src/keys.ts",
            "public-key.json",
            "turnkey.json",
            "env.ts",
            "env.d.ts",
            "env.example",
            "src/secrets/names.rs",
            "secrets/README.md",
            "secrets",
            "src/secrets.py",
        ] {
            assert!(!is_secret_path(path, true), "{path}");
        }
    }

    #[test]
    fn a_pattern_that_names_part_of_a_secret_reaches_it() {
        for path in [
            "~/.ssh/*",
            "~/.s*h/id_rsa",
            "*/.env",
            ".en?",
            ".env?",
            "~/.ssh/id_*",
            ".netr*",
            ".[e]nv",
            ".?nv",
            ".*nv",
            ".??*",
            "server.ke?",
            "~/.ne[]t]rc",
            "~/.ne[[:alpha:]]rc",
            "~/.ne[!a]rc",
            "~/.*/*",
            "/root/.?*/x",
            "/home/me/.*/a/b",
            "/proc/self/env*",
            "/pro?/self/environ",
            "/proc/*/environ",
            "/proc/self/*",
            "/etc/wire*/*",
            ".e\\nv",
        ] {
            assert!(is_secret_path(path, false), "{path}");
        }
        for path in [
            "*",
            "src/*.rs",
            "*.json",
            "*/Cargo.toml",
            "/proc/*/status",
            "/proc/1/fd/*",
            "src/.*/x",
            "*.p*",
            "[a-z]*",
        ] {
            assert!(!is_secret_path(path, false), "{path}");
        }
    }

    #[test]
    fn some_directories_hold_secrets_among_other_things() {
        for path in
            ["/", "~", "~/", "/home", "/home/me/", "/root", "/etc", "~/.config", "//etc/.", "/Users/me"]
        {
            assert!(holds_secrets(path), "{path}");
        }
        for path in [".", "src", "/etc/nginx", "~/src", "*", "/usr/share", "/home/me/src", ".config"] {
            assert!(!holds_secrets(path), "{path}");
        }
    }
}
