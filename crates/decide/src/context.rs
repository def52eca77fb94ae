//! Everything besides the call that a ruling depends on: plain data, brought by the caller.

use std::borrow::Cow;
use std::sync::Arc;

use crate::denials::Denials;
use crate::facts::Facts;
use crate::mode::Mode;
use crate::path::Platform;
use crate::rules::{Extra, Rules};
use crate::session::SessionFacts;

/// What a ruling depends on besides the call.
#[derive(Clone, Debug)]
pub struct Context {
    /// The mode in force.
    pub mode: Mode,
    /// The rules in force; many calls share them.
    pub rules: Arc<Rules>,
    /// The trusted directories, absolute; the first is the root that was fixed when the session began (T1).
    pub roots: Vec<String>,
    /// The home directory, absolute.
    pub home: String,
    /// How the file system names files.
    pub platform: Platform,
    /// Whether the file system ignores case.
    pub fold_case: bool,
    /// The shell that runs the commands.
    pub dialect: portcullis_shell::Dialect,
    /// Whether the shell of one command goes on in the next: its variables, functions and aliases (R12). A host that
    /// starts another one for each says so.
    pub keeps_shell: bool,
    /// How long a command line may be, in characters; files that are run may be longer.
    pub longest_line: usize,
    /// What is known about the world.
    pub facts: Facts,
    /// What the session did before.
    pub session: SessionFacts,
    /// When the session began, in milliseconds since 1970: what changed since is not known to be the user's.
    pub began: Option<u64>,
    /// The session's denials.
    pub denials: Denials,
    /// Switches from the settings.
    pub switches: Switches,
    /// The gate's own parts, which no agent may change (S5).
    pub gate: Arc<GateParts>,
    /// Microseconds since any fixed moment; decide has no clock of its own.
    pub clock: fn() -> u64,
}

/// What belongs to the gate itself (S5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateParts {
    /// Its folders, files and programs, absolute.
    pub paths: Vec<String>,
    /// Its processes.
    pub processes: Vec<u32>,
    /// Whether a person answers questions at a terminal now.
    pub attended: bool,
}

impl GateParts {
    /// The usual folders for a home directory.
    #[must_use]
    pub fn usual(home: &str) -> GateParts {
        let home = home.trim_end_matches('/');
        let paths =
            ["/.config/portcullis", "/.local/state/portcullis"].map(|folder| format!("{home}{folder}"));
        GateParts {
            paths: paths.into_iter().chain(["/etc/portcullis".to_owned()]).collect(),
            ..GateParts::default()
        }
    }
}

/// Switches from the settings.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Switches {
    /// Nobody can be asked (M1).
    pub avoid_prompts: bool,
    /// Plan mode may do what bypass mode may.
    pub bypass_available: bool,
    /// Bypass mode is forbidden (M3).
    pub bypass_disabled: bool,
    /// Auto mode is forbidden (M3).
    pub auto_disabled: bool,
    /// In auto mode the classifier may answer what an ask rule asks (F11).
    pub classify_ask_rules: bool,
    /// PowerShell takes part in auto mode (P4).
    pub powershell_auto: bool,
    /// Which further allow rules are set aside in auto mode (D1).
    pub extra_dangerous: Extra,
    /// Settings could not be read whole: whatever a lost deny or ask rule could have meant is asked.
    pub rules_incomplete: bool,
}

impl Context {
    /// A context without rules or facts, for a project and a home directory.
    #[must_use]
    pub fn new(root: impl Into<String>, home: impl Into<String>) -> Context {
        let home = home.into();
        Context {
            mode: Mode::Default,
            rules: Arc::default(),
            roots: vec![root.into()],
            gate: Arc::new(GateParts::usual(&home)),
            home,
            platform: Platform::Unix,
            fold_case: false,
            dialect: portcullis_shell::Dialect::Bash,
            keeps_shell: true,
            longest_line: portcullis_shell::Limits::default().characters,
            facts: Facts::none(),
            session: SessionFacts::default(),
            began: None,
            denials: Denials::default(),
            switches: Switches::default(),
            clock: || 0,
        }
    }

    /// The mode that counts: one that is forbidden counts as the default (M3).
    #[must_use]
    pub fn effective_mode(&self) -> Mode {
        match self.mode {
            Mode::Bypass if self.switches.bypass_disabled => Mode::Default,
            Mode::Auto if self.switches.auto_disabled => Mode::Default,
            mode @ (Mode::Default
            | Mode::AcceptEdits
            | Mode::Plan
            | Mode::Auto
            | Mode::DontAsk
            | Mode::Bypass) => mode,
        }
    }

    /// The directory that relative rules start from.
    pub(crate) fn root(&self) -> &str {
        self.roots.first().map_or("/", String::as_str)
    }

    pub(crate) fn absolute(&self, path: &str, cwd: &str) -> String {
        crate::path::absolute(path, cwd, &self.home, self.platform)
    }

    /// A directory that the caller gave, in its one spelling.
    pub(crate) fn as_absolute<'c>(&self, path: &'c str) -> Cow<'c, str> {
        let plain = self.platform == Platform::Unix
            && path.starts_with('/')
            && !path.contains("/.")
            && !path.contains("//");
        if plain { Cow::Borrowed(path) } else { Cow::Owned(self.absolute(path, "/")) }
    }

    /// Whether an absolute path lies in a trusted directory, as text.
    pub(crate) fn is_trusted(&self, path: &str) -> bool {
        self.roots.iter().any(|root| crate::path::is_within(path, &self.as_absolute(root)))
    }
}
