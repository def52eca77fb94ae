//! Which commands git is told to run by the repository that a folder lies in (SPEC P7).
//!
//! The user's own configuration is not looked at: it is the user's. What the repository's files include
//! is looked at wherever it lies, and every condition of an include counts as met.

use std::path::{Path, PathBuf};

use super::git_config::{self, Setting};
use crate::files::{self, Content};

/// How deep includes may go; git's own limit.
const MAX_DEPTH: usize = 10;
/// How many files are read for one repository.
const MAX_FILES: usize = 200;
/// How deep the repositories of submodules may lie.
const MODULE_DEPTH: usize = 6;

/// Whether the environment tells git to use another repository or other settings.
pub(super) fn is_moved() -> bool {
    ["GIT_DIR", "GIT_COMMON_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

/// The names of the keys that make git run something in `folder`; none outside of any repository, nothing
/// where it cannot be told.
pub(super) fn commands(folder: &Path, home: &Path) -> Option<Vec<String>> {
    let folder = folder.canonicalize().ok()?;
    if !folder.is_dir() {
        return None;
    }
    let mut survey = Survey { home, found: Vec::new(), files: 0 };
    for place in folder.ancestors() {
        let repository = survey.repository_at(place)?;
        if repository {
            break;
        }
    }
    survey.found.sort();
    survey.found.dedup();
    Some(survey.found)
}

struct Survey<'h> {
    home: &'h Path,
    found: Vec<String>,
    files: usize,
}

impl Survey<'_> {
    /// Looks at a folder as git does when it looks for a repository; says whether one is there.
    fn repository_at(&mut self, place: &Path) -> Option<bool> {
        let marker = place.join(".git");
        match marker.metadata() {
            Ok(found) if found.is_dir() => {
                self.git_folder(&marker)?;
                // Git passes over a folder of this name that is no repository; its settings count all the same.
                if is_git_folder(&marker) {
                    return Some(true);
                }
            }
            Ok(found) if found.is_file() => {
                let text = text(&marker)?;
                let target = text.strip_prefix("gitdir:")?.trim();
                self.git_folder(&place.join(target))?;
                return Some(true);
            }
            Ok(_) => return None,
            Err(error) if files::is_missing(&error) => {}
            Err(_) => return None,
        }
        if is_git_folder(place) {
            // A folder that looks like a bare repository is one.
            self.git_folder(place)?;
            return Some(true);
        }
        Some(false)
    }

    fn git_folder(&mut self, folder: &Path) -> Option<()> {
        let common = match files::read(&folder.join("commondir")) {
            Content::Missing => folder.to_path_buf(),
            Content::Bytes(bytes) => folder.join(String::from_utf8(bytes).ok()?.trim_end()),
            Content::Unreadable(_) => return None,
        };
        self.config(&common.join("config"), 0)?;
        self.config(&folder.join("config.worktree"), 0)?;
        if folder != common {
            self.config(&common.join("config.worktree"), 0)?;
        }
        // The one hook that runs when nothing but the index is refreshed.
        if common.join("hooks/post-index-change").symlink_metadata().is_ok() {
            self.found.push("hooks/post-index-change".to_owned());
        }
        self.modules(&common.join("modules"), 0)
    }

    /// `git status` and `git diff` also look into submodules, with the settings of those.
    fn modules(&mut self, folder: &Path, depth: usize) -> Option<()> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if files::is_missing(&error) => return Some(()),
            Err(_) => return None,
        };
        if depth > MODULE_DEPTH {
            return None;
        }
        for entry in entries {
            let path = entry.ok()?.path();
            if !path.is_dir() {
                continue;
            }
            if is_git_folder(&path) {
                self.config(&path.join("config"), 0)?;
                self.modules(&path.join("modules"), depth + 1)?;
            } else {
                self.modules(&path, depth + 1)?;
            }
        }
        Some(())
    }

    fn config(&mut self, path: &Path, depth: usize) -> Option<()> {
        self.files += 1;
        if depth > MAX_DEPTH || self.files > MAX_FILES {
            return None;
        }
        let bytes = match files::read(path) {
            Content::Missing => return Some(()),
            Content::Bytes(bytes) => bytes,
            Content::Unreadable(_) if depth > 0 => {
                self.found.push("include.path (unreadable)".to_owned());
                return Some(());
            }
            Content::Unreadable(_) => return None,
        };
        // Bytes that are no text can still stand in a value; they change no key.
        for setting in git_config::parse(&String::from_utf8_lossy(&bytes))? {
            if matches!(setting.section.as_str(), "include" | "includeif") && setting.key == "path" {
                self.include(path, setting.value.as_deref()?, depth)?;
            } else if names_a_command(&setting) {
                self.found.push(setting.name());
            }
        }
        Some(())
    }

    fn include(&mut self, from: &Path, target: &str, depth: usize) -> Option<()> {
        let target: PathBuf = match target.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None if target.starts_with('~') || target.starts_with("%(") => {
                self.found.push("include.path (unreadable)".to_owned());
                return Some(());
            }
            None => from.parent()?.join(target),
        };
        self.config(&target, depth + 1)
    }
}

fn text(path: &Path) -> Option<String> {
    match files::read(path) {
        Content::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Content::Missing | Content::Unreadable(_) => None,
    }
}

fn is_git_folder(folder: &Path) -> bool {
    let head = folder.join("HEAD").symlink_metadata().is_ok();
    let linked = folder.join("commondir").symlink_metadata().is_ok();
    head && (linked || (folder.join("objects").exists() && folder.join("refs").exists()))
}

/// Whether the key makes git run a program that its value names.
fn names_a_command(setting: &Setting) -> bool {
    let value = setting.value.as_deref().unwrap_or("true");
    let (section, key) = (setting.section.as_str(), setting.key.as_str());
    match (section, setting.subsection.is_some(), key) {
        // With a truth value it is git's own, or off.
        ("core", false, "fsmonitor") | ("pager", _, _) => !is_truth_value(value),
        ("core", false, "pager" | "editor" | "sshcommand" | "askpass" | "hookspath" | "gitproxy") => true,
        ("core", false, "alternaterefscommand") | ("sequence", false, "editor") => true,
        ("diff", false, "external") | ("diff", true, "command" | "textconv") => true,
        ("difftool" | "mergetool" | "browser" | "man" | "web", _, "cmd" | "path") => true,
        ("web" | "help", _, "browser") | ("instaweb", _, "browser" | "httpd") => true,
        ("guitool", true, "cmd") | ("merge", true, "driver") => true,
        ("filter", true, "clean" | "smudge" | "process") => true,
        ("gpg", _, "program" | "defaultkeycommand") | ("credential", _, "helper") => true,
        ("trailer", true, "command" | "cmd") | ("interactive", false, "difffilter") => true,
        ("remote", true, "uploadpack" | "receivepack" | "vcs") => true,
        ("remote", true, "url" | "pushurl") => runs_transport(value),
        // The subsection of `url` is the address that takes the place of another.
        ("url", true, _) => setting.subsection.as_deref().is_some_and(runs_transport),
        ("submodule", true, "url") => runs_transport(value),
        ("submodule", true, "update") | ("alias", _, _) => value.trim_start().starts_with('!'),
        ("protocol", _, "allow") => value == "always",
        ("uploadpack", _, "packobjectshook") | ("gc", _, "recentobjectshook") => true,
        ("hook", true, "command") | ("tar", true, "command") | ("imap", _, "tunnel") => true,
        ("sendemail", _, "smtpserver") => value.starts_with('/'),
        ("sendemail", _, _) => key.ends_with("cmd"),
        ("lfs", true, "path" | "clean" | "smudge") => true,
        (_, _, _) => false,
    }
}

fn is_truth_value(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    matches!(lower.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off")
        || lower.parse::<i64>().is_ok()
}

/// `ext::` runs a command; `name::address` runs `git-remote-name`.
fn runs_transport(address: &str) -> bool {
    let name = address.split_once("::").map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && !name.contains(['/', ':', '[', '@']))
}
