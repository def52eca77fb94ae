//! The walk of the specification (SPEC F1–F10, M, P), slow and obvious: every rule is tried, everything is
//! gathered, the strictest wins.
//!
//! Written from the specification's text. Taken from the crates under test: the reading of a line and what
//! programs are for (`portcullis-shell`), which paths a call names (`View`), the flags of tools, what is known
//! (`Facts`) and which rules are dangerous. Where the specification leaves open which of several equally strict
//! reasons is named, each of them is right.

pub(crate) mod commands;
mod mentions;
pub(crate) mod paths;
pub(crate) mod rules;
pub(crate) mod text;

use std::cell::Cell;

use portcullis_decide::rules::{List, Match};
use portcullis_decide::view::{Access, PathUse, View};
use portcullis_decide::{Context, Mode, Tool, ToolCall};
use portcullis_shell::{Argument, Effects, Place, Why};
use serde_json::Value;

use super::generator::Case;
use commands::Told;
use rules::{About, Said};
use text::{compare, starred};

/// What the specification says about a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) decision: &'static str,
    /// Any of these names the reason.
    pub(crate) reasons: Vec<&'static str>,
}

fn verdict(decision: &'static str, reason: &'static str) -> Verdict {
    Verdict { decision, reasons: vec![reason] }
}

/// Something that asks, and whether in auto mode the classifier may answer.
struct Asks {
    reason: &'static str,
    reviewable: bool,
}

struct Judge<'a> {
    case: &'a Case,
    call: ToolCall,
    context: Context,
    view: View,
    rules: Vec<Said>,
    unsure: Cell<bool>,
}

/// The verdict; nothing for a case that is not modelled.
pub(crate) fn judge(case: &Case) -> Option<Verdict> {
    let (call, context) = (case.call(), case.context());
    if is_invalid(&call) {
        return Some(verdict("deny", "invalid"));
    }
    let view = View::of(&call, &context);
    let rules = rules::all(&case.rules);
    let judge = Judge { case, call, context, view, rules, unsure: Cell::new(false) };
    let verdict = judge.is_modelled().then(|| judge.verdict());
    verdict.filter(|_| !judge.unsure.get())
}

/// F12, for the tools that the generator calls wrongly.
fn is_invalid(call: &ToolCall) -> bool {
    let needed = match &call.tool {
        Tool::Bash | Tool::PowerShell => "command",
        Tool::Read | Tool::Write | Tool::Edit | Tool::MultiEdit => "file_path",
        Tool::WebFetch => "url",
        Tool::Agent => "prompt",
        _ => return false,
    };
    call.text(needed).is_none()
}

impl Judge<'_> {
    /// Rules against paths that are not fully known are left out.
    fn is_modelled(&self) -> bool {
        let about_paths = self.rules.iter().any(|rule| matches!(rule.about, About::Path(_)));
        !about_paths || self.view.paths.iter().all(|path| path.literal)
    }

    fn verdict(&self) -> Verdict {
        let all = |list: List| {
            self.rules.iter().any(move |rule| rule.list == list && rule.is_about_all_of(&self.call.tool))
        };
        let denied = self.touched(List::Deny);
        if all(List::Deny) || denied == Match::Yes {
            return verdict("deny", "deny-rule");
        }
        let mut asks: Vec<Asks> = Vec::new();
        let mut ask = |found: bool, reason: &'static str, reviewable: bool| {
            if found {
                asks.push(Asks { reason, reviewable });
            }
        };
        let classify = self.context.switches.classify_ask_rules;
        let asked = self.touched(List::Ask);
        ask(denied == Match::Unclear, "unclear", false);
        ask(self.call.tool.needs_interaction(), "interaction", false);
        ask(asked == Match::Unclear, "unclear", false);
        ask(asked == Match::Yes || all(List::Ask), "ask-rule", classify);
        for (reason, reviewable) in self.safety() {
            ask(true, reason, reviewable);
        }
        let lost = self.context.switches.rules_incomplete && !self.call.tool.is_irrelevant();
        ask(lost, "unavailable", false);
        if asks.is_empty() { self.unasked() } else { self.asked(&asks) }
    }

    /// F7a–F10 for a call that nothing asked about.
    fn unasked(&self) -> Verdict {
        let mode = self.context.effective_mode();
        let reading = self.reading();
        let unready = self.call.tool == Tool::PowerShell
            && mode == Mode::Auto
            && !self.context.switches.powershell_auto;
        if reading == Some(true) && !unready {
            return verdict("allow", "read-only");
        }
        if self.call.tool.is_irrelevant() && !self.view.lifts_isolation {
            return verdict("allow", "no-effect");
        }
        if mode == Mode::Bypass || (mode == Mode::Plan && self.may_bypass()) {
            return verdict("allow", "mode");
        }
        if mode == Mode::Plan {
            return verdict(if self.passes_plan() { "allow" } else { "deny" }, "mode");
        }
        if self.is_allowed() {
            // Where the mode lets the shell write and the rest only reads, the mode may be named as well.
            let by_mode = mode == Mode::AcceptEdits && self.view.reading.is_some();
            let reasons = if by_mode { vec!["allow-rule", "accepted-edit"] } else { vec!["allow-rule"] };
            return Verdict { decision: "allow", reasons };
        }
        if mode == Mode::AcceptEdits && self.is_accepted_edit() {
            return verdict("allow", "accepted-edit");
        }
        let reason = if reading == Some(false) { "working-directory" } else { "no-rule" };
        self.met_by_mode(&[Asks { reason, reviewable: true }])
    }

    fn asked(&self, asks: &[Asks]) -> Verdict {
        let plan = self.context.effective_mode() == Mode::Plan && !self.may_bypass();
        if plan && !self.may_be_asked_in_plan(asks) {
            return verdict("deny", "mode");
        }
        self.met_by_mode(asks)
    }

    fn met_by_mode(&self, asks: &[Asks]) -> Verdict {
        let mode = self.context.effective_mode();
        let reasons = |open: bool| -> Vec<&'static str> {
            asks.iter().filter(|ask| open || !ask.reviewable).map(|ask| ask.reason).collect()
        };
        let unready = self.call.tool == Tool::PowerShell && !self.context.switches.powershell_auto;
        let reviewable = asks.iter().all(|ask| ask.reviewable);
        if mode == Mode::Auto && reviewable && !unready {
            let safety = asks.iter().any(|ask| SAFETY.contains(&ask.reason));
            if !safety && self.has_fast_path() {
                return verdict("allow", "fast-path");
            }
            return Verdict { decision: "ask", reasons: reasons(true) };
        }
        let denied = mode == Mode::DontAsk || self.context.switches.avoid_prompts;
        Verdict { decision: if denied { "deny" } else { "ask" }, reasons: reasons(reviewable) }
    }

    fn may_bypass(&self) -> bool {
        self.context.switches.bypass_available && !self.context.switches.bypass_disabled
    }

    /// F8b, beyond reading.
    fn passes_plan(&self) -> bool {
        let by_rule = matches!(self.call.tool, Tool::WebFetch | Tool::Agent) && self.is_allowed();
        by_rule
            || matches!(
                self.call.tool,
                Tool::TodoWrite
                    | Tool::TaskCreate
                    | Tool::TaskGet
                    | Tool::TaskUpdate
                    | Tool::TaskList
                    | Tool::TaskStop
                    | Tool::AskUserQuestion
                    | Tool::EnterPlanMode
                    | Tool::ExitPlanMode
                    | Tool::WebSearch
            )
    }

    /// A question is put to a person only where plan mode would let the call through; S2 is denied.
    fn may_be_asked_in_plan(&self, asks: &[Asks]) -> bool {
        let grave = asks.iter().any(|ask| ask.reason == "catastrophic-deletion");
        !grave && (self.passes_plan() || self.reading() == Some(true))
    }

    /// R1: the strongest answer that any rule of the list gives about the content.
    fn touched(&self, list: List) -> Match {
        let rules = self.rules.iter().filter(|rule| rule.list == list);
        rules.map(|rule| self.touch(rule)).max().unwrap_or(Match::No)
    }

    fn touch(&self, rule: &Said) -> Match {
        let same_tool = Tool::named(&rule.tool) == self.call.tool;
        let known = |holds: bool| Match::from_known(holds);
        match &rule.about {
            About::Whole => {
                let opened = known(self.call.tool.is_shell() && self.opens_files_of(&rule.tool));
                let unseen = matches!(rule.tool.as_str(), "Read" | "Edit") && self.may_open_anything();
                opened.max(if unseen { Match::Unclear } else { Match::No })
            }
            About::Prompt => Match::No,
            About::Command(line) => match &self.view.reading {
                Some(reading) if same_tool => {
                    let found = commands::touches(line, &self.view, reading);
                    if found != Match::Yes && commands::has_other_names(line, reading) {
                        self.unsure.set(true);
                    }
                    found
                }
                _ => Match::No,
            },
            About::Path(_) => self.touched_path(rule),
            About::Domain(domain) if same_tool => match host(self.call.text("url").unwrap_or_default()) {
                Some((host, _)) => known(is_host(domain, &host)),
                None => Match::Unclear,
            },
            About::Domain(_) => {
                // Where a command goes is not modelled.
                let elsewhere = self.view.line.contains(['$', '@', ':', '*']) || self.is_fed_code();
                if self.call.tool.is_shell() && elsewhere {
                    self.unsure.set(true);
                }
                if self.may_open_anything() { Match::Unclear } else { Match::No }
            }
            About::Name(name) => {
                let unnamed = (self.call.tool == Tool::Agent).then_some("general-purpose");
                let given = self.view.name.as_deref().or(unnamed);
                known(same_tool && given.is_some_and(|it| is_like(name, it)))
            }
            About::Parameter(name, value) => {
                let text = self.call.input.get(name).filter(|_| same_tool).and_then(Value::as_str);
                known(text.is_some_and(|text| is_like(value, text)))
            }
            About::Broken(text) => {
                let values = self.call.fields().into_iter().flat_map(|fields| fields.values());
                let mut texts = values.filter_map(Value::as_str);
                let low = text.to_lowercase();
                let pieces: Vec<&str> = low.split('*').collect();
                let all = |value: &str| pieces.iter().all(|piece| value.to_lowercase().contains(piece));
                let meant = text.is_empty() || texts.any(all);
                if meant { Match::Unclear } else { Match::No }
            }
        }
    }

    fn touched_path(&self, rule: &Said) -> Match {
        let mentioned = mentions::may_mean(rule, &self.view, &self.call, &self.context);
        let each = self.view.paths.iter();
        let found = each
            .map(|path| paths::guards(rule, path, &self.call, &self.context))
            .max()
            .unwrap_or(Match::No)
            .max(if self.may_open_anything() || mentioned { Match::Unclear } else { Match::No });
        if found == Match::No && (self.is_fed_code() || self.sets_variables() || self.changes_unlisted()) {
            self.unsure.set(true);
        }
        found
    }

    /// Whether a command may run what another one prints, or a here-document. What that names is not modelled.
    fn is_fed_code(&self) -> bool {
        let runs = Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PROJECT_CODE);
        let mut commands = self.view.reading.iter().flat_map(|reading| &reading.commands);
        self.view.line.contains(['|', '<']) && commands.any(|command| command.own.meets(runs))
    }

    /// Whether a command changes files that it does not name. Which places in its folder that means is not modelled.
    fn changes_unlisted(&self) -> bool {
        let changes = Effects::WRITES.and(Effects::DELETES).and(Effects::DISCARDS);
        let mut commands = self.view.reading.iter().flat_map(|reading| &reading.commands);
        let listed = |path: &PathUse| path.access != Access::Read && !path.redirect;
        commands.any(|command| command.own.meets(changes)) && !self.view.paths.iter().any(listed)
    }

    /// Whether the line sets variables for programs. What their values name is not modelled.
    fn sets_variables(&self) -> bool {
        let mut commands = self.view.reading.iter().flat_map(|reading| &reading.commands);
        let sets = |word: &Argument| word.text.contains('=');
        commands.any(|command| !command.assignments.is_empty() || command.arguments.iter().any(sets))
    }

    /// R5, R9: what may be any command may open any file and go to any host.
    fn may_open_anything(&self) -> bool {
        let doubts = self.view.reading.iter().flat_map(|reading| &reading.unclear);
        doubts.into_iter().any(|doubt| commands::could_be_anything(doubt.why))
    }

    /// R6: a command that reads or writes files does what the tool does.
    fn opens_files_of(&self, tool: &str) -> bool {
        self.view.paths.iter().any(|path| match path.access {
            Access::Read => tool == "Read",
            Access::Write => matches!(tool, "Edit" | "Write"),
            Access::Delete => tool == "Edit",
        })
    }

    /// F7: every safety check that has something to say, and whether the classifier may clear it.
    fn safety(&self) -> Vec<(&'static str, bool)> {
        let mut found = Vec::new();
        let reading = self.view.reading.as_ref();
        if paths::catastrophe(&self.view, self.case.cwd, &self.context) {
            found.push(("catastrophic-deletion", false));
        }
        if reading.and_then(|reading| reading.refused()).is_some_and(|doubt| doubt.why == Why::Hidden) {
            found.push(("hidden-text", false));
        }
        let configures = reading.into_iter().flat_map(|reading| &reading.commands).any(|command| {
            let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
            command.program.as_deref() == Some("git")
                && verb.is_some_and(|verb| verb.text == "config")
                && !command.effects.is_harmless()
        });
        if let Some(approvable) =
            paths::protected(&self.view, self.case.cwd, &self.context).or(configures.then_some(true))
        {
            found.push(("protected-write", approvable));
        }
        if paths::reads_credentials(&self.view, &self.context) {
            found.push(("credentials", true));
        }
        found
    }

    fn told<'s>(&'s self, reading: &'s portcullis_shell::Reading) -> Told<'s> {
        let Judge { case, context, view, rules, unsure, .. } = self;
        Told { case, context, view, reading, rules, unsure }
    }

    /// F7a: whether it surely only reads; if so, whether only in trusted places.
    fn reading(&self) -> Option<bool> {
        if self.view.lifts_isolation || self.view.odd_field.is_some() {
            return None;
        }
        if self.call.tool.reads_files() {
            return Some(self.view.paths.iter().all(|path| paths::is_inside(path, &self.context)));
        }
        self.told(self.view.reading.as_ref()?).only_reads()
    }

    /// F9: whether allow rules cover the whole call.
    fn is_allowed(&self) -> bool {
        if self.view.lifts_isolation || self.view.odd_field.is_some() {
            return false;
        }
        let tool = &self.call.tool;
        let nothing = portcullis_shell::Reading::default();
        let told = self.told(self.view.reading.as_ref().unwrap_or(&nothing));
        let whole = told.in_force().any(|rule| rule.is_about_all_of(tool));
        if self.view.reading.is_some() {
            return told.is_allowed();
        }
        if tool.edits_files() || tool.reads_files() {
            let inside = self.view.paths.iter().all(|path| paths::is_inside(path, &self.context));
            let each = || {
                !self.view.paths.is_empty()
                    && self.view.paths.iter().all(|path| paths::is_allowed(&self.rules, path, &self.context))
            };
            return (whole && inside) || each();
        }
        if *tool == Tool::WebFetch {
            let Some((host, public)) = host(self.call.text("url").unwrap_or_default()) else { return false };
            let domain = |rule: &Said| match &rule.about {
                About::Domain(domain) if public => is_host(domain, &host),
                About::Domain(domain) => *domain == host,
                _ => false,
            };
            return (whole && public) || told.in_force().any(domain);
        }
        let named = |rule: &Said| match &rule.about {
            About::Name(name) => {
                Tool::named(&rule.tool) == *tool
                    && self.view.name.as_deref().is_some_and(|it| is_like(name, it))
            }
            _ => false,
        };
        whole || told.in_force().any(named)
    }

    /// M: whether acceptEdits mode allows it.
    fn is_accepted_edit(&self) -> bool {
        if self.view.lifts_isolation || self.view.odd_field.is_some() || self.view.paths.is_empty() {
            return false;
        }
        if self.call.tool.edits_files() {
            return self.view.paths.iter().all(|path| paths::is_plain_edit(path, &self.context));
        }
        let told = self.view.reading.as_ref().map(|reading| self.told(reading));
        self.call.tool == Tool::Bash && told.is_some_and(|told| told.changes_files_simply())
    }

    /// Whether the file only gets another name.
    fn is_moved(&self, path: &PathUse) -> bool {
        let commands = self.view.reading.iter().flat_map(|reading| &reading.commands);
        let mut mine = commands.filter(|command| {
            path.span.is_some_and(|span| command.span.start <= span.start && span.end <= command.span.end)
        });
        mine.any(|command| command.program.as_deref() == Some("mv"))
    }

    /// P1, P5–P7; P2–P4 were met before.
    fn has_fast_path(&self) -> bool {
        if self.call.tool.is_irrelevant() {
            return true;
        }
        if self.view.lifts_isolation {
            return false;
        }
        let mut changed = self.view.paths.iter().filter(|path| path.access != Access::Read);
        // Prose may say what code should not do.
        let ending = |path: &PathUse| matches!(path.path.rsplit('.').next(), Some("md" | "txt"));
        let prose = self.view.paths.iter().any(ending);
        let says = |sign: &str| self.call.input.to_string().contains(sign);
        let harmful = (says("| sh") || says("verify=False")) && !prose;
        let edit = self.is_accepted_edit()
            && !changed.any(|path| {
                (path.access == Access::Delete && !self.is_moved(path)) || paths::runs_later(path)
            })
            && !(harmful && self.call.tool.edits_files())
            // What a line writes somewhere is read as an edit would be.
            && !(self.call.tool.is_shell() && ((says("| sh") && says("curl")) || says("| curl")));
        let reads = self.reading().is_some();
        let safe = self.call.tool.is_safe() && (reads || !self.call.tool.reads_files());
        edit || safe || (self.call.tool.is_shell() && reads)
    }
}

const SAFETY: &[&str] = &["catastrophic-deletion", "hidden-text", "protected-write", "credentials"];

/// The host of a plain address, and whether it is public.
fn host(url: &str) -> Option<(String, bool)> {
    let lower = url.to_lowercase();
    let rest = lower.strip_prefix("https://").or(lower.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let name = authority.split(':').next()?.to_owned();
    let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || ".-".contains(character));
    match portcullis_shell::place(&lower) {
        Place::Public if plain && !authority.contains('@') => Some((name, true)),
        Place::Local | Place::Metadata if plain && !authority.contains('@') => Some((name, false)),
        _ => None,
    }
}

/// R7: `*` is every host, `*.h` whatever lies below `h`.
fn is_host(domain: &str, host: &str) -> bool {
    let below = domain.strip_prefix('*').filter(|rest| rest.starts_with('.'));
    domain == "*" || domain == host || below.is_some_and(|rest| host.ends_with(rest))
}

/// A name with `*` for any text; a trailing ` *` may be missing.
fn is_like(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix(" *") == Some(name) || compare(&starred(pattern), name) == Match::Yes
}
