//! Where we are: the user's home, the project, and the program that agents shall start.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use portcullis_gate::settings::{Places, find_project};

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

    /// What an agent shall run before a call. Agents run the call when a hook is missing, cannot be started or is killed;
    /// so a shell waits for it and ends with the exit code that all of them take for a deny.
    pub(super) fn call_command(&self, agent: &str) -> String {
        // FAIL-CLOSED(no-hook): a hook that is not there has not said yes.
        self.command(agent, "{ echo portcullis gave no ruling: denied >&2; exit 2; }")
    }

    /// What an agent shall run where it only reports something. Some agents refuse the user's whole prompt when such a hook
    /// fails; exit code 1 is a warning to all of them, and what the gate does not know makes it stricter.
    pub(super) fn note_command(&self, agent: &str) -> String {
        self.command(agent, "exit 1")
    }

    /// It is a program with its arguments, not a line for one kind of shell: some agents use the user's own shell, some
    /// may use none.
    fn command(&self, agent: &str, without_answer: &str) -> String {
        format!("{}{without_answer}' {}", command_start(agent), quoted(&self.program()))
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

/// A word as it was before it was quoted; nothing where it is more than one word.
fn unquoted(word: &str) -> Option<String> {
    let Some(inner) = word.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) else {
        return (!word.contains(|letter: char| letter.is_whitespace() || letter == '\''))
            .then(|| word.to_owned());
    };
    let parts: Vec<_> = inner.split(r"'\''").collect();
    parts.iter().all(|part| !part.contains('\'')).then(|| parts.join("'"))
}

/// How a command begins, up to what is done without an answer.
fn command_start(agent: &str) -> String {
    format!("/bin/sh -c '\"$0\" hook {agent} || ")
}

/// The program that a command starts, where it is one that `install` once wrote for the agent, here or from another
/// folder.
pub(crate) fn program_in(command: &str, agent: &str) -> Option<PathBuf> {
    let word = match command.strip_prefix(&command_start(agent)) {
        // The script ends at the first quote; another version may have another one.
        Some(rest) => rest.split_once('\'')?.1.strip_prefix(' ')?,
        // As older versions wrote it.
        None => command.strip_suffix(&format!(" hook {agent}"))?,
    };
    // One word only: `echo x; portcullis` is somebody else's.
    let program = unquoted(word)?;
    let name = program.rsplit('/').next()?;
    name.starts_with("portcullis").then(|| PathBuf::from(&program))
}

/// Whether a command is one that `install` once wrote for the agent.
pub(super) fn is_ours(command: &str, agent: &str) -> bool {
    program_in(command, agent).is_some()
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

    /// What a host gets from the command before calls, whose hook is this script; nothing where there is no hook.
    fn asked(shell: &[&str], script: Option<(&str, u32)>) -> (Option<i32>, String, String) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("it's \"$HOME\"/portcullis-hook");
        std::fs::create_dir(program.parent().unwrap()).unwrap();
        if let Some((script, mode)) = script {
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let places = Places::from_environment(folder.path());
        let site = Site { scope: Scope::User, strict: false, places, program: program.clone() };
        assert_eq!(program_in(&site.note_command("codex"), "codex").as_ref(), Some(&program));
        let command = site.call_command("codex");
        assert_eq!(program_in(&command, "codex"), Some(program));
        let (first, rest) = shell.split_first().unwrap();
        let ended = std::process::Command::new(first).args(rest).arg(command).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ended.status.code(), text(ended.stdout), text(ended.stderr))
    }

    /// [A3]: client-D4
    #[test]
    fn a_hook_that_gives_no_answer_ends_with_the_code_for_a_deny() {
        let shells = ["sh", "bash", "zsh", "fish"].into_iter();
        for shell in shells.filter(|shell| super::super::on_path(shell).is_some()) {
            for (script, mode) in
                [("kill -KILL $$", 0o755), ("exit 1", 0o755), ("exit 137", 0o755), ("", 0o644)]
            {
                let (code, _, errors) = asked(&[shell, "-c"], Some((script, mode)));
                assert_eq!(code, Some(2), "{shell}: {script}");
                assert!(errors.contains("portcullis gave no ruling: denied"), "{shell}: {script}: {errors}");
            }
            let (code, _, errors) = asked(&[shell, "-c"], None);
            assert_eq!(code, Some(2), "{shell}: {errors}");
        }
    }

    /// [A3]: client-D10
    #[test]
    fn an_answer_of_the_hook_stays_as_it_is() {
        let (code, said, errors) = asked(&["sh", "-c"], Some(("echo '{\"a\": 1}'", 0o755)));
        assert_eq!((code, said.as_str(), errors.as_str()), (Some(0), "{\"a\": 1}\n", ""));
        // What the hook said about itself stays in front.
        let (code, said, errors) = asked(&["sh", "-c"], Some(("echo {}; echo why >&2; exit 2", 0o755)));
        assert_eq!((code, said.as_str()), (Some(2), "{}\n"));
        assert!(errors.starts_with("why\n"), "{errors}");
        let (_, said, _) = asked(&["sh", "-c"], Some(("echo \"$@\"", 0o755)));
        assert_eq!(said, "hook codex\n");
        let (_, said, _) = asked(&["sh", "-c"], Some(("cat", 0o755)));
        assert_eq!(said, "", "it reads the host's input");
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
        assert!(is_ours(r#"/bin/sh -c '"$0" hook codex || exit 2' /usr/bin/portcullis-hook"#, "codex"));
        assert!(is_ours(r#"/bin/sh -c '"$0" hook codex || exit 2' '/a b/portcullis'"#, "codex"));
        for other in [
            "/usr/bin/portcullis hook gemini",
            "/usr/bin/other hook codex",
            "echo; portcullis hook codex",
            "portcullis hook codex --now",
            "'/x' '/portcullis' hook codex",
            r#"/bin/sh -c '"$0" hook codex || exit 2' /usr/bin/other"#,
            r#"/bin/sh -c '"$0" hook codex || exit 2' /usr/bin/portcullis more"#,
            r#"/bin/sh -c '"$0" hook codex || exit 2' x /portcullis"#,
            r#"/bin/sh -c '"$0" hook gemini || exit 2' /usr/bin/portcullis"#,
            r#"/bin/sh -c '"$0" hook codex || '; rm /portcullis"#,
            "portcullis",
            "",
        ] {
            assert!(!is_ours(other, "codex"), "{other}");
        }
    }
}
