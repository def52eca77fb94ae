//! The folders of settings and state, and the files in them that loading looks at.

use std::path::{Path, PathBuf};

use portcullis_decide::rules::Source;

/// The folders of settings and state, and the project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The user's home directory.
    pub home: PathBuf,
    /// The folder of the user's settings, usually `~/.config/portcullis`.
    pub config: PathBuf,
    /// The folder of the gate's state, usually `~/.local/state/portcullis`.
    pub state: PathBuf,
    /// The folder of the administrator's settings, usually `/etc/portcullis`.
    pub managed: PathBuf,
    /// The project folder.
    pub project: PathBuf,
}

impl Places {
    /// The folders of the user that runs this program, for a project.
    #[must_use]
    pub fn from_environment(project: &Path) -> Places {
        let home =
            std::env::home_dir().filter(|home| home.is_absolute()).unwrap_or_else(|| PathBuf::from("/"));
        let folder = |variable: &str, usual: &str| {
            let given = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            given.unwrap_or_else(|| home.join(usual)).join("portcullis")
        };
        Places {
            config: folder("XDG_CONFIG_HOME", ".config"),
            state: folder("XDG_STATE_HOME", ".local/state"),
            managed: PathBuf::from("/etc/portcullis"),
            project: project.to_path_buf(),
            home,
        }
    }

    /// No folders: only files that the command line names are read.
    #[must_use]
    pub fn none(project: &Path) -> Places {
        let nowhere = PathBuf::new();
        Places {
            home: nowhere.clone(),
            config: nowhere.clone(),
            state: nowhere.clone(),
            managed: nowhere,
            project: project.to_path_buf(),
        }
    }

    /// Whether this is [`Places::none`].
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.config.as_os_str().is_empty() && self.managed.as_os_str().is_empty()
    }

    /// The user's settings file.
    #[must_use]
    pub fn user_settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// The settings files that a project can have, with the source of each.
    #[must_use]
    pub fn project_files(&self) -> Vec<(Source, PathBuf)> {
        let file = |source, folder: &str, name: &str| (source, self.project.join(folder).join(name));
        vec![
            file(Source::Local, ".portcullis", "settings.local.json"),
            file(Source::Local, ".claude", "settings.local.json"),
            file(Source::Project, ".portcullis", "settings.json"),
            file(Source::Project, ".claude", "settings.json"),
        ]
    }

    /// Every file and folder that loading looks at, there or not.
    pub(crate) fn read_files(&self) -> Vec<PathBuf> {
        let drop_ins = self.managed.join("settings.d");
        let mut files = vec![
            self.managed.join("settings.json"),
            self.user_settings(),
            self.claude_code_settings(),
            ledger_file(&self.state),
            fetched_file(&self.state),
        ];
        files.extend(self.project_files().into_iter().map(|(_, path)| path));
        files.extend(std::fs::read_dir(&drop_ins).into_iter().flatten().flatten().map(|entry| entry.path()));
        files.push(drop_ins);
        files
    }

    /// Claude Code's settings file of the user.
    #[must_use]
    pub fn claude_code_settings(&self) -> PathBuf {
        self.home.join(".claude/settings.json")
    }
}

/// Where what is trusted is written down.
pub(crate) fn ledger_file(state: &Path) -> PathBuf {
    state.join("trust.json")
}

/// Where what was fetched is kept.
pub(crate) fn fetched_file(state: &Path) -> PathBuf {
    state.join("remote.json")
}
