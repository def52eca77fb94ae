//! What a command may touch, as plain data; nothing here knows how that is held.

use serde::{Deserialize, Serialize};

/// What a command may write, read and reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// Which of the three envelopes.
    pub kind: Kind,
    /// Folders that the person works in: written in `project`, read in `reads`.
    pub trusted: Vec<String>,
    /// Further folders and files that may be written.
    pub writable: Vec<String>,
    /// Further folders and files that may be read.
    pub readable: Vec<String>,
    /// Hosts that may be reached; nothing else outside can be.
    pub hosts: Vec<Host>,
    /// Programs whose caches in the home folder may be written.
    pub caches: Vec<String>,
    /// What may happen to repositories in the trusted folders.
    pub git: Git,
    /// The gate's own folders: never visible.
    pub own: Vec<String>,
    /// The gate's own programs: they can be run, and not changed.
    pub own_programs: Vec<String>,
    /// Variables that are passed on although their names look like secrets.
    pub passed_variables: Vec<String>,
    /// How much may be used.
    pub limits: Limits,
}

/// The three envelopes, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Writes nothing but a private temporary folder.
    Reads,
    /// Writes the trusted folders and the session's temporary folder.
    Project,
    /// Everything but the gate.
    Open,
}

/// What may happen to the repositories in the trusted folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Git {
    /// All of `.git` is read-only.
    Read,
    /// Objects, references, logs, index and messages are writable; configuration and hooks are not.
    Work,
}

/// A host by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The name in lower case.
    pub name: String,
    /// A port besides 80 and 443.
    pub port: Option<u16>,
    /// Whether a person's settings named it, so that it may lie in a private network.
    pub private: bool,
}

/// How much a session may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processes and threads at once.
    pub processes: u64,
    /// Data of one process, in MiB.
    pub memory: u64,
    /// Temporary files of the session, in MiB.
    pub temporary: u64,
    /// One file, in MiB.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { processes: 4096, memory: 16 << 10, temporary: 2 << 10, file: 16 << 10 }
    }
}

impl Kind {
    /// The word that stands for it on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Reads => "reads",
            Kind::Project => "project",
            Kind::Open => "open",
        }
    }

    /// The envelope that a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Kind> {
        [Kind::Reads, Kind::Project, Kind::Open].into_iter().find(|kind| kind.word() == word)
    }
}

impl Host {
    /// Reads `name` or `name:port`; addresses are no names.
    ///
    /// # Errors
    /// If it is neither.
    pub fn read(text: &str) -> Result<Host, String> {
        let (name, port) = text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
        let port = match port.map(str::parse::<u16>) {
            None => None,
            Some(Ok(port)) if port > 0 => Some(port),
            Some(_) => return Err(format!("`{text}` has no usable port")),
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let label = |part: &str| {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            !part.is_empty() && part.len() < 64 && part.bytes().all(fits) && !part.starts_with('-')
        };
        // A last label of digits makes it an address in one of its many spellings.
        let last = name.rsplit('.').next().unwrap_or_default();
        let address = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
        if name.len() > 253 || address || !name.split('.').all(label) {
            return Err(format!("`{text}` is not the name of a host"));
        }
        if name == "localhost" || name.ends_with(".localhost") {
            return Err("`localhost` is the session's own, and needs no name".to_owned());
        }
        Ok(Host { name, port, private: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [K5]
    #[test]
    fn a_host_is_a_name_and_never_an_address() {
        let read = |text: &str| Host::read(text).map(|host| (host.name, host.port)).ok();
        assert_eq!(read("Registry.npmjs.ORG"), Some(("registry.npmjs.org".to_owned(), None)));
        assert_eq!(read("git.example.com:22"), Some(("git.example.com".to_owned(), Some(22))));
        assert_eq!(read("example.com."), Some(("example.com".to_owned(), None)));
        for text in [
            "127.0.0.1",
            "0x7f.1",
            "2130706433",
            "a.0x7f000001",
            "::1",
            "[::1]",
            "",
            ".",
            "a..b",
            "-a.b",
            "a b",
            "a/b",
            "localhost",
            "x.localhost",
            "a:0",
            "a:99999",
            "a:b",
            "*.example.com",
            "a\nb",
            "1.2.3.4:80",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
