//! Where we are: the user's home, the project, and the program that agents shall start.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use portcullis_gate::{Places, find_project};

/// Whose settings are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The user's.
    User,
    /// The project's.
    Project,
    /// The administrator's.
    Managed,
}

/// What every agent's entry is made from.
pub(super) struct Site {
    /// Whose settings are meant.
    pub(super) scope: Scope,
    /// Whether the agent shall do only what the gate grants.
    pub(super) strict: bool,
    /// Home, project and the folder for what is remembered.
    pub(super) places: Places,
    program: PathBuf,
}

impl Site {
    /// Looks at the environment.
    pub(super) fn here(scope: Scope, strict: bool) -> Result<Site, String> {
        let here =
            std::env::current_dir().map_err(|error| format!("cannot tell the working directory: {error}"))?;
        let own = std::env::current_exe()
            .map_err(|error| format!("cannot tell where this program lies: {error}"))?;
        let program = hook_program(&own);
        if program.to_str().is_none() {
            return Err(format!("the path of this program is not UTF-8: {}", program.display()));
        }
        Ok(Site { scope, strict, places: Places::from_environment(&find_project(&here)), program })
    }

    /// The path of the program that agents shall start.
    pub(super) fn program(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    /// What an agent's shell shall run.
    pub(super) fn command(&self, agent: &str) -> String {
        format!("{} hook {agent}", quoted(&self.program()))
    }

    /// A folder that an agent lets the environment choose, else one in the home folder.
    pub(super) fn folder(&self, variable: Option<&str>, usual: &str) -> PathBuf {
        let given = variable.and_then(std::env::var_os).map(PathBuf::from).filter(|path| path.is_absolute());
        given.unwrap_or_else(|| self.places.home.join(usual))
    }

    /// A file of the agent: in its own folder, in the project, or where its administrator's settings lie.
    pub(super) fn file(
        &self,
        user: &Path,
        project: &str,
        managed: Option<(&str, &str)>,
    ) -> Result<PathBuf, String> {
        match (self.scope, managed) {
            (Scope::User, _) => Ok(user.to_path_buf()),
            (Scope::Project, _) => Ok(self.places.project.join(project)),
            (Scope::Managed, Some((linux, macos))) => {
                Ok(PathBuf::from(if cfg!(target_os = "macos") { macos } else { linux }))
            }
            (Scope::Managed, None) => Err("it has no settings of an administrator".to_owned()),
        }
    }
}

/// What agents shall start: the small program that lies beside this one, which is there sooner; else this one.
pub(crate) fn hook_program(own: &Path) -> PathBuf {
    let small = own.with_file_name("portcullis-hook");
    let usable = small.metadata().is_ok_and(|seen| seen.is_file() && seen.permissions().mode() & 0o111 != 0);
    if usable { small } else { own.to_path_buf() }
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Whether a command is one that this program once wrote for the agent, here or from another folder.
pub(super) fn is_ours(command: &str, agent: &str) -> bool {
    let Some(program) = command.strip_suffix(&format!(" hook {agent}")) else { return false };
    let word = program.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')).unwrap_or(program);
    let name = word.rsplit('/').next().unwrap_or(word);
    // One word only: `echo x; portcullis` is somebody else's.
    (word.len() != program.len() || !program.contains(char::is_whitespace)) && name.starts_with("portcullis")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_from_the_shell_as_they_were() {
        assert_eq!(quoted("/usr/bin/portcullis"), "/usr/bin/portcullis");
        for word in ["/a b/portcullis", "/it's/portcullis", "/$HOME/`id`/portcullis", "", "/ä/portcullis"] {
            let shell = std::process::Command::new("sh")
                .arg("-c")
                .arg(format!("printf %s {}", quoted(word)))
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(shell.stdout).unwrap(), word);
        }
    }

    #[test]
    fn agents_start_the_small_program_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (own, small) = (folder.path().join("portcullis"), folder.path().join("portcullis-hook"));
        assert_eq!(hook_program(&own), own);
        std::fs::write(&small, "").unwrap();
        assert_eq!(hook_program(&own), own, "it cannot be started");
        std::fs::set_permissions(&small, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(hook_program(&own), small);
    }

    #[test]
    fn only_our_own_commands_are_ours() {
        assert!(is_ours("/usr/bin/portcullis hook codex", "codex"));
        assert!(is_ours("'/a b/portcullis' hook codex", "codex"));
        assert!(is_ours("portcullis hook codex", "codex"));
        assert!(is_ours("/usr/bin/portcullis-hook hook codex", "codex"));
        for other in [
            "/usr/bin/portcullis hook gemini",
            "/usr/bin/other hook codex",
            "echo; portcullis hook codex",
            "portcullis hook codex --now",
            "portcullis",
            "",
        ] {
            assert!(!is_ours(other, "codex"), "{other}");
        }
    }
}
