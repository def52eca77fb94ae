//! A process.

use std::path::{Path, PathBuf};

/// A process, as the kernel shows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    /// When it began, in clock ticks since the machine started: with the number it names one process only.
    pub(crate) start: u64,
    /// The name that the process gave itself or got from its file.
    pub(crate) name: String,
    /// The file that it runs, where that can be seen.
    pub(crate) executable: Option<PathBuf>,
    /// Whether that file belongs to the system, so that nobody but root can have put it there.
    pub(crate) is_system: bool,
    /// Whether it runs as root in every respect.
    pub(crate) is_root: bool,
    /// Who it runs as.
    pub(crate) user: u32,
    /// The number of its terminal; 0 without one.
    pub(crate) terminal: u32,
    /// The first words of its command line.
    pub(crate) words: Vec<String>,
}

impl Process {
    /// The name of its program, from the file where that can be seen.
    pub(crate) fn program(&self) -> &str {
        let file = self.executable.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        file.map_or(&*self.name, |name| name.strip_suffix(" (deleted)").unwrap_or(name))
    }

    /// Its terminal as people name it.
    pub(crate) fn terminal_name(&self) -> String {
        let major = (self.terminal >> 8) & 0xff;
        let minor = (self.terminal & 0xff) | ((self.terminal >> 12) & 0xf_ff00);
        match major {
            0 => String::new(),
            136..144 => format!("/dev/pts/{}", minor + (major - 136) * 256),
            4 => format!("/dev/tty{minor}"),
            _ => format!("terminal {major}:{minor}"),
        }
    }
}
