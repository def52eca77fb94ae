//! What today's rules give the calls of the log, and which rules would settle those that are still asked about.

use portcullis_decide::detect::findings;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Decision, Mode, ToolCall, decide};
use portcullis_gate::pipeline::{self, Input, World, guarded};
use portcullis_gate::settings::Overrides;
use portcullis_shell::Dialect;

use super::history::{History, Seen};
use super::reach::Reach;
use crate::judge::{Judge, MoreRules, Seat};

/// Calls that are not allowed today, with what holds for them.
pub(super) struct Past<'h> {
    pub(super) open: Vec<Open<'h>>,
    /// Calls that are allowed today, whoever allowed them.
    pub(super) allowed: Vec<Open<'h>>,
}

/// A call as it stands today.
pub(super) struct Open<'h> {
    pub(super) seen: &'h Seen,
    pub(super) context: Context,
    /// The rules that a person would be offered for it; none where it is not asked about.
    pub(super) offered: Vec<String>,
    /// Whether it would be asked about.
    pub(super) is_asked: bool,
    /// Harm that it shows, which no proposal passes over.
    pub(super) harm: Option<String>,
    /// What it reaches.
    pub(super) reach: Reach,
}

impl<'h> Past<'h> {
    pub(super) fn of(history: &'h History) -> Result<Past<'h>, String> {
        let judge = judge()?;
        let mut past = Past { open: Vec::new(), allowed: Vec::new() };
        for seen in history.calls.values() {
            let settings = judge.settings(&seen.call.cwd, &MoreRules::default());
            // Rules are for what is not settled otherwise, whatever mode is chosen today.
            let mut context = judge.context(&settings, &seen.call.cwd, Some(Mode::Default));
            let decision = pipeline::judge(&Input::of(&seen.call, World::Past), &mut context).ruling.decision;
            let (is_asked, offered) = match decision {
                Decision::Ask { suggestions, .. } => (true, suggestions),
                Decision::Deny { .. } => (false, Vec::new()),
                Decision::Allow { .. } => {
                    past.allowed.push(Open::of(seen, context));
                    continue;
                }
            };
            past.open.push(Open { offered, is_asked, ..Open::of(seen, context).with_harm() });
        }
        Ok(past)
    }
}

impl<'h> Open<'h> {
    /// A call for which nothing is offered.
    fn of(seen: &'h Seen, context: Context) -> Open<'h> {
        let reach = Reach::of(&View::of(&seen.call, &context));
        Open { seen, offered: Vec::new(), is_asked: false, harm: None, reach, context }
    }

    fn with_harm(self) -> Open<'h> {
        Open { harm: harm(&self.seen.call, &self.context), ..self }
    }

    /// The text that rules for its tool speak about.
    pub(super) fn command(&self) -> Option<&str> {
        self.seen.call.tool.is_shell().then(|| self.seen.call.text("command")).flatten()
    }
}

fn judge() -> Result<Judge, String> {
    let here =
        std::env::current_dir().map_err(|error| format!("cannot tell the current directory: {error}"))?;
    let home = std::env::home_dir().filter(|home| home.is_absolute()).unwrap_or_else(|| "/".into());
    let seat = Seat {
        root: None,
        here: here.display().to_string(),
        home: home.display().to_string(),
        dialect: Dialect::Bash,
    };
    Ok(Judge::open(seat, Overrides::default()))
}

/// What speaks against ever allowing the call by a rule that nobody thought of: harm that can be seen, and edits that
/// auto mode would not let pass by itself, because they make later commands run something (P5).
fn harm(call: &ToolCall, context: &Context) -> Option<String> {
    let view = View::of(call, context);
    if let Some(finding) = findings(call, &view, context).first() {
        return Some(finding.sentence());
    }
    let auto = Context { mode: Mode::Auto, ..context.clone() };
    let passes = || decide(call, &auto).decision.is_allow();
    let is_edit = call.tool.edits_files();
    (is_edit && !guarded(passes, |_| false)).then(|| "an edit that is not ordinary work".to_owned())
}
