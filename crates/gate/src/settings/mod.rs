//! Settings: where each value comes from, which one is in force, and what is wrong with the files.
//!
//! [`load`] reads every source for the project in [`Places`]: the administrator's and the user's files, the
//! project's, fetched settings, the command line, and the session's. It never fails: the result holds what could be
//! read, and the [`Problem`]s. Where a deny or ask rule may have been lost, every call it could have meant is asked
//! about. Nothing from a project loosens anything before a person trusts the file (see [`trust`]).
//!
//! ```
//! use portcullis_gate::settings::{Overrides, Places, load};
//! use std::path::Path;
//!
//! let overrides = Overrides { deny: vec!["Bash(git push:*)".to_owned()], ..Overrides::default() };
//! let loaded = load(&Places::none(Path::new("/home/dev/proj")), &overrides);
//! assert!(!loaded.has_errors());
//! assert_eq!(loaded.settings.rules()[0].origin.to_string(), "the command line");
//! ```

mod add;
mod detectors;
mod edit;
mod fetched;
mod find;
pub mod import;
mod jsonc;
mod keep;
mod kept;
mod keys;
mod last_good;
mod merge;
mod mode;
mod places;
mod read;
mod schema;
mod session_mode;
mod status;
#[cfg(test)]
mod tests;
mod tighten;
pub mod trust;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

use portcullis_decide::path::{Platform, absolute, is_within};
use portcullis_decide::rules::{Extra, Rules, Source};
use portcullis_decide::{Context, Mode};

pub use crate::problem::{Problem, Severity};
pub use add::{add_rule, rule_file};
pub(crate) use detectors::level;
pub(crate) use fetched::check_document;
pub use find::find_project;
pub use keep::LogRetention;
pub(crate) use kept::Kept;
pub use mode::set_default_mode;
pub use places::Places;
pub use schema::schema;
pub use session_mode::{SessionMode, session_mode, set_session_mode};
pub use status::{FoundValue, InactiveRule, ValueStatus};
pub use values::{AskRules, AutoMode, Classifier, IronGate, Settings, Stages};

pub use crate::with_origin::WithOrigin;

use crate::hooks::Hooks;
use fetched::Address;
use last_good::Shelf;
use read::Sheet;

/// Settings from the command line and from the session, which come before those in files.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Further settings files; the last has precedence.
    pub settings: Vec<PathBuf>,
    /// Allow rules.
    pub allow: Vec<String>,
    /// Ask rules.
    pub ask: Vec<String>,
    /// Deny rules.
    pub deny: Vec<String>,
    /// The mode.
    pub mode: Option<Mode>,
    /// The mode chosen for the session; the command line's has precedence.
    pub session: Option<SessionMode>,
    /// Allow rules that a person gave for the session.
    pub session_rules: Vec<String>,
    /// A file to read instead of the user's settings, to see what it would change.
    pub in_place_of_user: Option<PathBuf>,
}

/// The settings in force, and the problems with their files.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings in force.
    pub settings: Settings,
    /// The problems, most serious first.
    pub problems: Vec<Problem>,
    /// The rules that count, ready to be looked up.
    rules: Arc<Rules>,
    /// Whether the file system may be looked at.
    hermetic: bool,
}

/// The user's settings, or the file that stands in their place.
fn user_sheet(places: &Places, overrides: &Overrides, shelf: &Shelf) -> Option<Sheet> {
    match &overrides.in_place_of_user {
        Some(file) => find::in_place_of_user(places, file, shelf),
        None => find::user(places, shelf),
    }
}

/// Reads all settings for the project in `places`.
#[must_use]
pub fn load(places: &Places, overrides: &Overrides) -> Loaded {
    let hermetic = places.is_none();
    let shelf = if hermetic { Shelf::none() } else { Shelf::in_state(&places.state) };
    let mut sheets = if hermetic { Vec::new() } else { find::managed(places, &shelf) };
    let user = if hermetic { None } else { user_sheet(places, overrides, &shelf) };
    let reads_claude_code = reads_claude_code(sheets.iter().chain(&user));
    let address = Address::of(sheets.iter().chain(&user));
    sheets.extend(if hermetic { None } else { address.sheet(&places.state) });
    sheets.extend(command_line(overrides, &shelf));
    sheets.extend(overrides.session.as_ref().map(session));
    sheets.extend(session_rules(overrides));
    if !hermetic {
        sheets.extend(find::project(places, reads_claude_code, &shelf));
        sheets.extend(user);
        sheets.extend(reads_claude_code.then(|| find::claude_code_user(places, &shelf)).flatten());
    }
    let mut problems: Vec<Problem> =
        sheets.iter_mut().flat_map(|sheet| std::mem::take(&mut sheet.problems)).collect();
    let settings = merge::merge(&sheets);
    problems.extend(settings.notes());
    problems.extend(Hooks::from_settings(&settings.hooks).1);
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
    let rules = Arc::new(Rules::new(settings.rules().to_vec()));
    Loaded { settings, problems, rules, hermetic }
}

fn command_line(overrides: &Overrides, shelf: &Shelf) -> Vec<Sheet> {
    let mut given = Sheet::new(Source::CommandLine, None, None);
    given.take_texts("permissions.allow", &overrides.allow);
    given.take_texts("permissions.ask", &overrides.ask);
    given.take_texts("permissions.deny", &overrides.deny);
    if let Some(mode) = overrides.mode {
        given.take_mode(mode);
    }
    std::iter::once(given)
        .chain(overrides.settings.iter().rev().map(|path| find::named(path, shelf)))
        .collect()
}

fn session(chosen: &SessionMode) -> Sheet {
    let mut sheet = Sheet::new(Source::Session, Some(chosen.file.display().to_string()), None);
    sheet.take_mode(chosen.mode);
    sheet
}

fn session_rules(overrides: &Overrides) -> Option<Sheet> {
    let mut sheet = Sheet::new(Source::Session, None, None);
    sheet.take_texts("permissions.allow", &overrides.session_rules);
    (!overrides.session_rules.is_empty()).then_some(sheet)
}

fn reads_claude_code<'s>(sheets: impl Iterator<Item = &'s Sheet>) -> bool {
    let mut entries = sheets.flat_map(|sheet| &sheet.entries);
    entries.find(|entry| entry.key.name == "readClaudeCode").is_some_and(|entry| entry.value == true)
}

impl Loaded {
    /// Whether a file is broken.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// The context that settings give to a decision: rules, mode, trusted directories and switches. Facts about the
    /// world and the session are for the caller to add.
    #[must_use]
    pub fn context(&self, root: &str, home: &str) -> Context {
        let settings = &self.settings;
        let mut context = Context::new(root, home);
        context.fold_case = cfg!(target_os = "macos");
        context.mode = settings.mode.as_ref().map_or(Mode::Default, |mode| mode.value);
        context.rules = Arc::clone(&self.rules);
        context.roots = self.roots(root, home);
        context.switches.bypass_disabled = settings.bypass_disabled.is_some();
        context.switches.auto_disabled = settings.auto_disabled.is_some();
        context.switches.classify_ask_rules =
            settings.auto_mode.ask_rules.as_ref().is_some_and(|it| it.value == AskRules::Classify);
        context.switches.powershell_auto = settings.powershell_auto.as_ref().is_some_and(|it| it.value);
        context.switches.extra_dangerous =
            settings.dangerous_rules.as_ref().map_or(Extra::Keep, |extra| extra.value);
        context.switches.rules_incomplete = settings.incomplete;
        context.detectors = Arc::new(settings.detectors.clone());
        context
    }

    /// The trusted directories as they are named and where they lead.
    fn roots(&self, root: &str, home: &str) -> Vec<String> {
        let mut roots = vec![absolute(root, "/", home, Platform::Unix)];
        for folder in &self.settings.additional_directories {
            let folder = absolute(&folder.value, root, home, Platform::Unix);
            // A folder inside another adds nothing, and where a link in it leads must not be trusted.
            if !roots.iter().any(|known| is_within(&folder, known)) {
                roots.push(folder);
            }
        }
        if !self.hermetic {
            let lead = |root: &String| Some(std::fs::canonicalize(root).ok()?.to_str()?.to_owned());
            for place in roots.clone().iter().filter_map(lead) {
                if place != "/" && !roots.iter().any(|known| is_within(&place, known)) {
                    roots.push(place);
                }
            }
        }
        roots
    }
}
