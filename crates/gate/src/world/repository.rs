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
/// How many settings in the environment are looked at.
const MAX_GIVEN: usize = 20;
/// How deep the repositories of submodules may lie.
const MODULE_DEPTH: usize = 6;

/// Whether the environment tells git to use another repository or other settings.
pub(super) fn is_moved() -> bool {
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    ["GIT_DIR", "GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS"].iter().any(|name| variable(name).is_some())
        || is_configured(variable)
}

/// Whether variables give git settings that could do more than make it stricter. Copilot CLI starts everything with
/// one that does not.
fn is_configured(variable: impl Fn(&str) -> Option<String>) -> bool {
    let Some(count) = variable("GIT_CONFIG_COUNT") else { return false };
    let strict = |number: usize| {
        let key = variable(&format!("GIT_CONFIG_KEY_{number}"));
        key.is_some_and(|key| key.eq_ignore_ascii_case("safe.bareRepository"))
    };
    count.parse::<usize>().map_or(true, |count| count > MAX_GIVEN || !(0..count).all(strict))
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

/// The keys in the text of a git configuration that name a command to run. Includes count, and so does text that is
/// not valid configuration.
#[must_use]
pub fn command_keys(text: &str) -> Vec<String> {
    let Some(settings) = git_config::parse(text) else { return vec!["(not readable)".to_owned()] };
    let includes = |setting: &Setting| matches!(setting.section.as_str(), "include" | "includeif");
    settings
        .iter()
        .filter(|setting| includes(setting) || names_a_command(setting))
        .map(Setting::name)
        .collect()
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
        ("hook" | "tar", true, "command") | ("imap", _, "tunnel") => true,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(config: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        make(&folder.path().join(".git"), config);
        folder
    }

    fn make(git: &Path, config: &str) {
        std::fs::create_dir_all(git.join("objects")).unwrap();
        std::fs::create_dir_all(git.join("refs")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(git.join("config"), config).unwrap();
    }

    fn look(folder: &Path) -> Option<Vec<String>> {
        commands(folder, Path::new("/nowhere"))
    }

    #[expect(clippy::unnecessary_wraps, reason = "compared with what may be nothing")]
    fn keys(names: &[&str]) -> Option<Vec<String>> {
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// [P7], [G1]
    #[test]
    fn settings_in_the_environment_count_unless_they_only_make_git_stricter() {
        let given = |pairs: &[(&str, &str)]| {
            let pairs: Vec<(String, String)> =
                pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            is_configured(move |name| {
                pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            })
        };
        let (count, first, second) = ("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_KEY_1");
        assert!(!given(&[]));
        assert!(!given(&[(count, "1"), (first, "safe.bareRepository")]));
        assert!(given(&[(count, "1"), (first, "core.fsmonitor")]));
        assert!(given(&[(count, "2"), (first, "safe.bareRepository"), (second, "core.pager")]));
        assert!(given(&[(count, "2"), (first, "safe.bareRepository")]), "one is not told");
        assert!(given(&[(count, "99999999999"), (first, "safe.bareRepository")]));
        assert!(given(&[(count, "x")]));
    }

    /// [P7]
    #[test]
    fn ordinary_settings_name_no_command() {
        let folder = repository(
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tfsmonitor = true\n\
             [remote \"origin\"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
             [remote \"scp\"]\n\turl = git@example.com:a/b.git\n\
             [branch \"main\"]\n\tremote = origin\n[alias]\n\tst = status\n[pager]\n\tlog = false\n",
        );
        let below = folder.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        assert_eq!(look(&below), keys(&[]));
    }

    /// [P7]
    #[test]
    fn every_key_that_runs_something_is_named() {
        for (config, name) in [
            ("[core]\nfsmonitor = ./x", "core.fsmonitor"),
            ("[CORE]\nPager = x", "core.pager"),
            ("[core]\nsshCommand = x", "core.sshcommand"),
            ("[core]\nhooksPath = x", "core.hookspath"),
            ("[core]\nalternateRefsCommand = x", "core.alternaterefscommand"),
            ("[pager]\nlog = x", "pager.log"),
            ("[diff]\nexternal = x", "diff.external"),
            ("[diff \"a\"]\ntextconv = x", "diff.a.textconv"),
            ("[merge \"a\"]\ndriver = x", "merge.a.driver"),
            ("[filter \"a\"]\nprocess = x", "filter.a.process"),
            ("[gpg \"ssh\"]\nprogram = x", "gpg.ssh.program"),
            ("[credential \"https://a\"]\nhelper = x", "credential.https://a.helper"),
            ("[alias]\nx = !sh", "alias.x"),
            ("[remote \"o\"]\nurl = ext::sh -c x", "remote.o.url"),
            ("[url \"ext::sh\"]\ninsteadOf = https://", "url.ext::sh.insteadof"),
            ("[submodule \"s\"]\nupdate = !x", "submodule.s.update"),
            ("[trailer \"t\"]\ncmd = x", "trailer.t.cmd"),
            ("[uploadpack]\npackObjectsHook = x", "uploadpack.packobjectshook"),
            ("[difftool \"d\"]\ncmd = x", "difftool.d.cmd"),
            ("[sendemail]\ntoCmd = x", "sendemail.tocmd"),
            ("[hook \"h\"]\ncommand = x", "hook.h.command"),
        ] {
            assert_eq!(look(repository(config).path()), keys(&[name]), "{config}");
        }
    }

    /// [P7]
    #[test]
    fn includes_are_followed_whatever_their_condition() {
        let folder =
            repository("[includeIf \"gitdir:/never/\"]\npath = ../more\n[include]\npath = missing\n");
        std::fs::write(folder.path().join("more"), "[include]\npath = even").unwrap();
        std::fs::write(folder.path().join("even"), "[diff]\nexternal = x").unwrap();
        assert_eq!(look(folder.path()), keys(&["diff.external"]));
        std::fs::remove_file(folder.path().join("even")).unwrap();
        std::fs::create_dir(folder.path().join("even")).unwrap();
        assert_eq!(look(folder.path()), keys(&["include.path (unreadable)"]));
        std::fs::write(folder.path().join("more"), "[include]\npath = more").unwrap();
        assert_eq!(look(folder.path()), None, "includes that go round in a circle");
    }

    /// [P7]
    #[test]
    fn a_folder_that_looks_like_a_bare_repository_is_one() {
        let folder = repository("");
        make(&folder.path().join("docs"), "[core]\nfsmonitor = ./x");
        assert_eq!(look(folder.path()), keys(&[]));
        assert_eq!(look(&folder.path().join("docs")), keys(&["core.fsmonitor"]));
    }

    /// [P7]
    #[test]
    fn worktrees_and_submodules_bring_their_settings() {
        let folder = repository("[core]\nfsmonitor = ./x");
        let linked = folder.path().join(".git/worktrees/w");
        std::fs::create_dir_all(&linked).unwrap();
        std::fs::write(linked.join("commondir"), "../..\n").unwrap();
        std::fs::write(linked.join("HEAD"), "ref: refs/heads/w\n").unwrap();
        std::fs::write(linked.join("config.worktree"), "[core]\npager = x").unwrap();
        let tree = tempfile::tempdir().unwrap();
        std::fs::write(tree.path().join(".git"), format!("gitdir: {}\n", linked.display())).unwrap();
        assert_eq!(look(tree.path()), keys(&["core.fsmonitor", "core.pager"]));

        let outer = repository("");
        make(&outer.path().join(".git/modules/a/b"), "[core]\nfsmonitor = ./x");
        assert_eq!(look(outer.path()), keys(&["core.fsmonitor"]));
    }

    /// [P7]
    #[test]
    fn what_cannot_be_told_is_not_told() {
        assert_eq!(look(repository("[core").path()), None);
        assert_eq!(look(Path::new("/nowhere/at/all")), None);
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(look(folder.path()), keys(&[]), "outside of any repository nothing is told");
        std::fs::write(folder.path().join(".git"), "nonsense").unwrap();
        assert_eq!(look(folder.path()), None);
    }

    /// [P7]
    #[test]
    fn the_hook_that_reading_runs_is_named() {
        let folder = repository("");
        std::fs::create_dir(folder.path().join(".git/hooks")).unwrap();
        std::fs::write(folder.path().join(".git/hooks/post-index-change"), "").unwrap();
        assert_eq!(look(folder.path()), keys(&["hooks/post-index-change"]));
    }
}
