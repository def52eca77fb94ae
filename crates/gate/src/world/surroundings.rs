//! Where the agent works, as a judging model is told (SPEC C5): the repository's remotes and branches.

use std::path::{Path, PathBuf};

use portcullis_classify::prompt::Surroundings;
use portcullis_decide::Context;

use super::git_config::{self, Setting};
use crate::files::{self, Content};

/// Where a call is made, for the prompt of a model: directories, remotes and branches. What cannot be read is left
/// out.
#[must_use]
pub fn surroundings(cwd: &str, context: &Context) -> Surroundings {
    let mut found =
        Surroundings { cwd: cwd.to_owned(), trusted: context.roots.clone(), ..Surroundings::default() };
    let Some(checkout) = Checkout::around(Path::new(cwd)) else { return found };
    for setting in checkout.settings.iter().flatten() {
        if setting.section != "remote" || setting.key != "url" {
            continue;
        }
        if let (Some(name), Some(url)) = (&setting.subsection, &setting.value) {
            found.remotes.push((name.clone(), without_password(url)));
        }
    }
    found.branch = checkout.branch;
    found.default_branch = checkout.default_branch;
    found
}

/// The branch that a push from the folder takes, where its name on the other side is the same and nobody calls it the
/// default.
pub(super) fn pushed_branch(place: &Path) -> Option<String> {
    let checkout = Checkout::around(place)?;
    let name = checkout.branch?;
    let elsewhere = checkout.settings?.iter().any(|setting| {
        let value = setting.value.as_deref().unwrap_or_default();
        match (setting.section.as_str(), setting.key.as_str()) {
            ("branch", "merge") => {
                setting.subsection.as_deref() == Some(&name) && value != format!("refs/heads/{name}")
            }
            // What another file says is not looked at here.
            ("remote", "push") | ("push", "default") | ("include" | "includeif", _) => true,
            _ => false,
        }
    });
    (!elsewhere && checkout.default_branch.as_ref() != Some(&name)).then_some(name)
}

/// What a work tree has checked out, and what its repository says.
struct Checkout {
    branch: Option<String>,
    /// The branch that the remote calls its default.
    default_branch: Option<String>,
    settings: Option<Vec<Setting>>,
}

impl Checkout {
    /// The work tree that `place` lies in.
    fn around(place: &Path) -> Option<Checkout> {
        let folder = place.ancestors().find_map(git_folder)?;
        let common = text(&folder.join("commondir")).map_or(folder.clone(), |path| folder.join(path.trim()));
        let default = text(&common.join("refs/remotes/origin/HEAD"));
        Some(Checkout {
            branch: text(&folder.join("HEAD")).and_then(|head| branch(&head)),
            default_branch: default
                .and_then(|head| Some(head.trim().strip_prefix("ref: refs/remotes/origin/")?.to_owned())),
            settings: text(&common.join("config")).and_then(|config| git_config::parse(&config)),
        })
    }
}

/// The git folder of a work tree, if `place` is the top of one.
pub(super) fn git_folder(place: &Path) -> Option<PathBuf> {
    let marker = place.join(".git");
    if marker.is_dir() {
        return Some(marker);
    }
    let target = text(&marker)?;
    Some(place.join(target.strip_prefix("gitdir:")?.trim()))
}

fn branch(head: &str) -> Option<String> {
    Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
}

fn text(path: &Path) -> Option<String> {
    match files::read(path) {
        Content::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Content::Missing | Content::Unreadable(_) => None,
    }
}

/// An address as it may be shown: names and passwords in it stay here.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = authority.rsplit('@').next().unwrap_or_default();
    path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C5] [C18]
    #[test]
    fn remotes_and_branch_are_told_and_passwords_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        std::fs::create_dir_all(git.join("refs/remotes/origin")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/fix/a\n").unwrap();
        std::fs::write(git.join("refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/main\n").unwrap();
        let config = "[remote \"origin\"]\n\turl = https://user:secret@example.com/a/b.git\n";
        std::fs::write(git.join("config"), config).unwrap();
        let cwd = folder.path().join("src");
        std::fs::create_dir(&cwd).unwrap();
        let found = surroundings(cwd.to_str().unwrap(), &Context::new("/p", "/h"));
        assert_eq!(found.branch.as_deref(), Some("fix/a"));
        assert_eq!(found.default_branch.as_deref(), Some("main"));
        assert_eq!(found.remotes, [("origin".to_owned(), "https://example.com/a/b.git".to_owned())]);
    }

    /// [C17]
    #[test]
    fn a_push_takes_the_branch_that_is_checked_out_unless_settings_say_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        std::fs::create_dir_all(git.join("refs/remotes/origin")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/fix/a\n").unwrap();
        let pushed = |config: &str| {
            std::fs::write(git.join("config"), config).unwrap();
            pushed_branch(&folder.path().join("src"))
        };
        assert_eq!(pushed("").as_deref(), Some("fix/a"));
        assert_eq!(pushed("[branch \"fix/a\"]\n\tmerge = refs/heads/fix/a\n").as_deref(), Some("fix/a"));
        assert_eq!(pushed("[branch \"fix/a\"]\n\tmerge = refs/heads/main\n"), None);
        assert_eq!(pushed("[push]\n\tdefault = upstream\n"), None);
        assert_eq!(pushed("[include]\n\tpath = ../more\n"), None);
        assert_eq!(pushed("[remote \"origin\"]\n\tpush = HEAD:main\n"), None);
        std::fs::write(git.join("refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/fix/a\n").unwrap();
        assert_eq!(pushed(""), None);
        std::fs::write(git.join("HEAD"), "0123456789012345678901234567890123456789\n").unwrap();
        assert_eq!(pushed(""), None);
    }

    #[test]
    fn outside_of_a_repository_nothing_is_made_up() {
        let folder = tempfile::tempdir().unwrap();
        let found = surroundings(folder.path().to_str().unwrap(), &Context::new("/p", "/h"));
        assert!(found.remotes.is_empty() && found.branch.is_none());
    }
}
