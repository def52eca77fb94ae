//! Everything besides the call that a ruling depends on: plain data, supplied by the caller.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::denials::Denials;
use crate::detector::Level;
use crate::facts::Facts;
use crate::mode::Mode;
use crate::path::Platform;
use crate::rules::{Extra, Rule, Rules};
use crate::session_facts::SessionFacts;

/// Everything besides the call that a ruling depends on. [`Context::new`] has no rules and knows nothing; set the
/// fields.
#[derive(Clone, Debug)]
pub struct Context {
    /// The mode of the session.
    pub mode: Mode,
    /// The rules in force, shared by many calls.
    pub rules: Arc<Rules>,
    /// The trusted directories, absolute. The first is the project root, fixed when the session started (T1).
    pub roots: Vec<String>,
    /// The home directory, absolute.
    pub home: String,
    /// The platform, for the form of paths.
    pub platform: Platform,
    /// Whether the file system ignores case.
    pub fold_case: bool,
    /// The shell that runs commands.
    pub dialect: portcullis_shell::Dialect,
    /// Whether one shell runs all commands of the session, so that variables, functions and aliases live on (R12).
    pub keeps_shell: bool,
    /// The greatest length of a command line, in characters; files that are run may be longer.
    pub longest_line: usize,
    /// What is known about files, links and git; see [`questions`](crate::questions).
    pub facts: Facts,
    /// What earlier calls of the session did.
    pub session: SessionFacts,
    /// When the session started, in milliseconds since 1970. Files changed since may not be the user's.
    pub began: Option<u64>,
    /// The session's denial counters.
    pub denials: Denials,
    /// Switches from the settings.
    pub switches: Switches,
    /// The levels that settings give to detectors, by id (L3).
    pub detectors: Arc<BTreeMap<String, Level>>,
    /// The gate's own parts, which no agent may change (S5).
    pub gate: Arc<GateParts>,
    /// A clock in microseconds since any fixed moment, for the trace.
    pub clock: fn() -> u64,
}

/// The files and processes of the gate itself, which self-protection guards (S5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateParts {
    /// Its folders, files and programs, absolute.
    pub paths: Vec<String>,
    /// Its process ids.
    pub processes: Vec<u32>,
    /// Whether a person is answering questions at a terminal now.
    pub attended: bool,
}

impl GateParts {
    /// The default folders under a home directory.
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

/// Switches from the settings and the session.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Switches {
    /// Nobody can be asked (M1): what would be asked is denied.
    pub avoid_prompts: bool,
    /// Bypass mode is available to the session, so plan mode may do what bypass mode may.
    pub bypass_available: bool,
    /// Bypass mode is disabled (M3).
    pub bypass_disabled: bool,
    /// Auto mode is disabled (M3).
    pub auto_disabled: bool,
    /// In auto mode a judge may answer ask rules (F11).
    pub classify_ask_rules: bool,
    /// PowerShell commands can be allowed in auto mode (P4).
    pub powershell_auto: bool,
    /// Which allow rules auto mode sets aside besides the always dangerous ones (D1).
    pub extra_dangerous: Extra,
    /// Settings could not be read completely: whatever a lost deny or ask rule could have meant is asked about.
    pub rules_incomplete: bool,
}

impl Context {
    /// A context without rules and facts, for a project root and a home directory.
    #[must_use]
    pub fn new(root: impl Into<String>, home: impl Into<String>) -> Context {
        let home = home.into();
        Context {
            mode: Mode::Default,
            rules: Arc::default(),
            roots: vec![root.into()],
            detectors: Arc::default(),
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

    /// The mode in force: one that is disabled counts as the default mode (M3).
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

    /// The same context with one more rule.
    #[must_use]
    pub fn with_rule(&self, rule: Rule) -> Context {
        let rules: Vec<Rule> = self.rules.all().iter().cloned().chain([rule]).collect();
        Context { rules: Rules::new(rules).into(), ..self.clone() }
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
