//! What people and programs see of the status.

use portcullis_decide::rules::Source;
use portcullis_gate::settings::Severity;
use portcullis_gate::store::DecisionCounts;
use serde_json::{Value, json};

use super::super::install::{Place, Standing, State};
use super::super::pause::length;
use super::super::{problems, settings::origin};
use super::{Counts, Daemon, Status, Unread};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, visible};
use portcullis_client::VERSION;

/// One line.
pub(super) fn line(status: &Status) -> String {
    let mut parts = vec![status.mode.name().to_owned()];
    parts.push(match &status.today {
        Ok(decided) => {
            let DecisionCounts { allow, deny, ask, abandoned } = decided.unwrap_or_default();
            let lost = if abandoned == 0 { String::new() } else { format!(" {abandoned} abandoned") };
            format!("{allow} allow {deny} deny {ask} ask{lost}")
        }
        Err(_) => "log unreadable".to_owned(),
    });
    if status.log_damage.is_some() {
        parts.push("log damaged".to_owned());
    }
    parts.push(format!("{} waiting", status.waiting()));
    if status.lock.is_some() {
        parts.push("locked".to_owned());
    }
    if let Some(pause) = &status.pause {
        parts.push(format!("paused {}", length(pause.until.saturating_sub(status.now_ms) / 1000)));
    }
    if !status.is_enforced() {
        parts.push("not enforced".to_owned());
    }
    if let Daemon::Broken(_) = status.daemon {
        parts.push("daemon broken".to_owned());
    }
    match errors(status) {
        0 => {}
        1 => parts.push("1 problem".to_owned()),
        several => parts.push(format!("{several} problems")),
    }
    parts.join(" · ") + "\n"
}

fn errors(status: &Status) -> usize {
    status.loaded.problems.iter().filter(|problem| problem.severity == Severity::Error).count()
}

/// One screen.
pub(super) fn screen(status: &Status) -> String {
    let mut text = problems::lines(&status.loaded.problems);
    mode_row(&mut text, status);
    if let Some(lock) = &status.lock {
        row(&mut text, "locked", &format!("{WARM}{}{WARM:#}", visible(&lock.message())));
    }
    if let Some(pause) = &status.pause {
        let left = length(pause.until.saturating_sub(status.now_ms) / 1000);
        let told = format!("by {} for another {left}; nothing is enforced", visible(&pause.who));
        row(&mut text, "paused", &format!("{WARM}{told}{WARM:#}"));
    }
    rules_rows(&mut text, status);
    agents_rows(&mut text, &status.agents);
    let today = match &status.today {
        Ok(None) => format!("{DIM}nothing was decided yet{DIM:#}"),
        Ok(Some(DecisionCounts { allow, deny, ask, abandoned })) => {
            let lost = if *abandoned == 0 { String::new() } else { format!(", {abandoned} abandoned") };
            format!(
                "{CALM}{allow} allow{CALM:#}, {LOUD}{deny} deny{LOUD:#}, {WARM}{ask} ask{lost}{WARM:#}  {DIM}{} UTC{DIM:#}",
                status.day
            )
        }
        Err(why) => format!("{LOUD}the log cannot be read:{LOUD:#} {}", visible(why)),
    };
    row(&mut text, "today", &today);
    if let Some(why) = &status.log_damage {
        row(&mut text, "log", &format!("{LOUD}not whole:{LOUD:#} {}; `portcullis log verify`", visible(why)));
    }
    if let Some(unread) = status.unread.first() {
        let (count, agent, why) = (status.unread.len(), visible(&unread.agent), visible(&unread.why));
        let told = format!(
            "{WARM}not in {count} of today's sessions:{WARM:#} {agent}: {why}; what its user may have forbidden is asked about"
        );
        row(&mut text, "heard", &told);
    }
    let waiting = match (&status.daemon, status.waiting()) {
        (Daemon::Down, _) => format!("0  {DIM}no daemon runs; the hook judges by itself{DIM:#}"),
        (Daemon::Broken(why), _) => format!("{LOUD}the daemon:{LOUD:#} {}", visible(why)),
        (Daemon::Up(said), count) => {
            let style = if count == 0 { anstyle::Style::new() } else { WARM };
            format!("{style}{count}{style:#}  {DIM}{}{DIM:#}", visible(&about(said)))
        }
    };
    row(&mut text, "waiting", &waiting);
    text
}

fn row(text: &mut String, name: &str, value: &str) {
    append(text, format_args!("{name:<9}{value}\n"));
}

fn mode_row(text: &mut String, status: &Status) {
    let settings = &status.loaded.settings;
    let from = settings.mode.as_ref().map_or_else(
        || "nothing is set; this is the built-in mode".to_owned(),
        |mode| visible(&mode.origin.to_string()),
    );
    row(text, "mode", &format!("{STRONG}{}{STRONG:#}  {DIM}{from}{DIM:#}", status.mode));
    if let Some(why) = settings.refuses(status.mode) {
        row(text, "", &format!("{WARM}no effect: {}{WARM:#}", visible(&why)));
    }
    if !status.is_enforced() {
        row(
            text,
            "",
            &format!("{WARM}`enforce` is false: calls are judged and written down, not held{WARM:#}"),
        );
    }
}

fn rules_rows(text: &mut String, status: &Status) {
    let count = |counts: &Counts| format!("{} deny, {} ask, {} allow", counts.deny, counts.ask, counts.allow);
    let mut name = "rules";
    for (source, counts) in &status.rules {
        row(text, name, &format!("{:<13}{}", source.name(), count(counts)));
        name = "";
    }
    if status.rules.is_empty() {
        row(text, name, &format!("{DIM}none{DIM:#}"));
    }
    let aside = status.loaded.settings.inactive_rules().len();
    if aside > 0 {
        row(text, "", &format!("{DIM}{aside} without effect; `portcullis rules` says why{DIM:#}"));
    }
}

fn agents_rows(text: &mut String, agents: &[Standing]) {
    let mut name = "agents";
    for agent in agents.iter().filter(|agent| agent.is_here || agent.is_gated()) {
        row(text, name, &format!("{:<13}{}", agent.title, gate(agent)));
        name = "";
    }
    if name == "agents" {
        row(text, name, &format!("{DIM}none was found here{DIM:#}"));
    }
}

/// Whether an agent asks the gate, in words.
fn gate(agent: &Standing) -> String {
    let mut words: Vec<String> = agent.places.iter().filter_map(place).collect();
    if !agent.is_gated() {
        words.insert(0, format!("{WARM}not gated{WARM:#}  {DIM}portcullis install {}{DIM:#}", agent.name));
    }
    words.join("; ")
}

fn place(place: &Place) -> Option<String> {
    let scope = place.scope;
    match &place.state {
        State::In => Some(format!("{CALM}gated{CALM:#} ({scope})")),
        State::Changed(files) => {
            Some(format!("{WARM}not as installed{WARM:#} ({scope}: {})", visible(files)))
        }
        State::Unreadable(why) => Some(format!("{LOUD}{scope}:{LOUD:#} {}", visible(why))),
        State::Out => None,
    }
}

/// What a daemon says about itself.
fn about(said: &Value) -> String {
    let version = said.get("version").and_then(Value::as_str).unwrap_or("?");
    let seconds = said.get("seconds").and_then(Value::as_u64).unwrap_or_default();
    let other = if version == VERSION { "" } else { ", and this program is another version: restart it" };
    let attended = said.get("attended").and_then(Value::as_bool).unwrap_or_default();
    let people = if attended { ", somebody watches" } else { "" };
    format!("daemon {version} since {}{people}{other}", length(seconds))
}

/// For programs.
pub(super) fn as_json(status: &Status) -> Value {
    let settings = &status.loaded.settings;
    let rule = |(source, counts): &(Source, Counts)| json!({ "source": source.name(), "deny": counts.deny, "ask": counts.ask, "allow": counts.allow });
    let (today, unreadable) = match &status.today {
        Ok(decided) => {
            let DecisionCounts { allow, deny, ask, abandoned } = decided.unwrap_or_default();
            let day = status.day.to_string();
            (json!({ "day": day, "allow": allow, "deny": deny, "ask": ask, "abandoned": abandoned }), None)
        }
        Err(why) => (Value::Null, Some(why)),
    };
    json!({
        "version": VERSION,
        "mode": {
            "mode": status.mode.name(),
            "origin": settings.mode.as_ref().map(|mode| origin(&mode.origin)),
            "refused": settings.refuses(status.mode),
        },
        "enforced": status.is_enforced(),
        "lock": status.lock.as_ref().map(|lock| json!({ "who": lock.who, "place": lock.place, "reason": lock.reason })),
        "pause": status.pause.as_ref().map(|pause| json!({ "until": pause.until, "who": pause.who, "place": pause.place })),
        "rules": status.rules.iter().map(rule).collect::<Vec<_>>(),
        "rules_without_effect": settings.inactive_rules().len(),
        "agents": status.agents.iter().map(agent_json).collect::<Vec<_>>(),
        "today": today,
        "log_problem": unreadable.or(status.log_damage.as_ref()),
        "unread": status.unread.iter().map(unread_json).collect::<Vec<_>>(),
        "waiting": status.waiting(),
        "daemon": match &status.daemon {
            Daemon::Down => Value::Null,
            Daemon::Up(said) => said.clone(),
            Daemon::Broken(why) => json!({ "problem": why }),
        },
        "problems": problems::as_json(&status.loaded.problems),
    })
}

fn unread_json(unread: &Unread) -> Value {
    json!({ "agent": unread.agent, "session": unread.session, "why": unread.why })
}

fn agent_json(agent: &Standing) -> Value {
    let place = |place: &Place| {
        let about = match &place.state {
            State::Changed(what) | State::Unreadable(what) => Some(what),
            State::In | State::Out => None,
        };
        json!({ "scope": place.scope, "state": place.state.name(), "about": about, "strict": place.is_strict })
    };
    json!({
        "name": agent.name,
        "here": agent.is_here,
        "gated": agent.is_gated(),
        "places": agent.places.iter().map(place).collect::<Vec<_>>(),
    })
}
