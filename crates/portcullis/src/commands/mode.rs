//! `portcullis mode`: shows the mode that is in force and who chose it, or chooses one (SPEC M3).

use std::process::ExitCode;

use portcullis_decide::Mode;
use portcullis_decide::rules::Source;
use portcullis_gate::settings::{
    FoundValue, Loaded, Overrides, Places, ValueStatus, load, session_mode, set_default_mode,
    set_session_mode,
};
use serde_json::{Value, json};

use super::{project::Project, settings::origin};
use crate::output::{self, DIM, STRONG, WARM, append, visible};
use crate::person;

/// Which mode, and for what.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The mode to choose: default, acceptEdits, plan, auto, dontAsk or bypassPermissions.
    mode: Option<Mode>,
    /// Only for this session; without it, for every session that starts.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[command(flatten)]
    project: Project,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows or chooses the mode.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match answer(arguments) {
        Ok(report) if arguments.json => output::print_json(&report.as_json()),
        Ok(report) => output::print(&report.as_text()),
        Err(message) => output::fail(&visible(&message)),
    }
}

fn answer(arguments: &Arguments) -> Result<Report, String> {
    let places = arguments.project.places()?;
    let written = match arguments.mode {
        Some(mode) => Some((mode, choose(arguments, &places, mode)?)),
        None => None,
    };
    let loaded = loaded(&places, arguments.session.as_deref())?;
    Ok(Report::new(&loaded, written))
}

/// The settings, with the mode that was chosen for a session.
pub(super) fn loaded(places: &Places, session: Option<&str>) -> Result<Loaded, String> {
    let session = session.map(|session| session_mode(places, session)).transpose();
    let session = session.map_err(|error| error.to_string())?.flatten();
    Ok(load(places, &Overrides { session, ..Overrides::default() }))
}

/// Writes the mode down, and says where.
fn choose(arguments: &Arguments, places: &Places, mode: Mode) -> Result<String, String> {
    let before = load(places, &Overrides::default());
    if let Some(why) = before.settings.refuses(mode) {
        return Err(why);
    }
    let was = before.settings.mode.as_ref().map_or(Mode::Default, |mode| mode.value);
    let for_whom = arguments.session.as_ref().map(|session| format!("session {session}"));
    let did = format!("chose the mode {mode} for {}", for_whom.as_deref().unwrap_or("all sessions"));
    let input = json!({ "mode": mode.name(), "was": was.name(), "session": arguments.session });
    person::record(&places.state, "mode", &did, input)?;
    let file = match &arguments.session {
        Some(session) => set_session_mode(places, session, mode).map(|chosen| chosen.file),
        None => set_default_mode(places, mode),
    };
    Ok(file.map_err(|error| error.to_string())?.display().to_string())
}

/// What is in force, what else is set, and what was written.
struct Report {
    mode: Mode,
    /// What gives the mode that is in force.
    in_force: Option<FoundValue>,
    /// What is set too, and does not count.
    others: Vec<FoundValue>,
    /// Why the mode has no effect although it is set.
    refused: Option<String>,
    written: Option<(Mode, String)>,
}

impl Report {
    fn new(loaded: &Loaded, written: Option<(Mode, String)>) -> Report {
        let mode = loaded.settings.mode.as_ref().map_or(Mode::Default, |mode| mode.value);
        let values =
            loaded.settings.values().into_iter().filter(|shown| shown.key == "permissions.defaultMode");
        let (in_force, others): (Vec<FoundValue>, Vec<FoundValue>) =
            values.partition(|shown| shown.status == ValueStatus::InForce);
        let refused = loaded.settings.refuses(mode);
        Report { mode, in_force: in_force.into_iter().next(), others, refused, written }
    }

    /// Those who would count before whoever gave the mode.
    fn overriders(&self) -> Vec<&'static str> {
        let from = self.in_force.as_ref().map_or(Source::User, |shown| shown.origin.source);
        let all = [
            (Source::Managed, "the managed settings"),
            (Source::CommandLine, "`--mode` of a command"),
            (Source::Session, "`portcullis mode MODE --session ID`"),
            (Source::Local, "trusted local project settings"),
            (Source::Project, "trusted project settings"),
        ];
        all.iter().filter(|(source, _)| *source < from).map(|(_, words)| *words).collect()
    }

    /// Why the mode that was written does not count, if it does not.
    fn without_effect(&self) -> Option<String> {
        let (mode, _) = self.written.as_ref()?;
        let stronger = self.in_force.as_ref().filter(|_| *mode != self.mode)?;
        Some(format!("`{}` in {} counts first", self.mode, stronger.origin))
    }

    fn as_text(&self) -> String {
        let mut text = String::new();
        if let Some((mode, file)) = &self.written {
            append(&mut text, format_args!("{STRONG}{mode}{STRONG:#} is written to {}\n", visible(file)));
            if let Some(why) = self.without_effect() {
                append(&mut text, format_args!("{WARM}it has no effect here:{WARM:#} {}\n", visible(&why)));
            }
            return text;
        }
        append(&mut text, format_args!("mode           {STRONG}{}{STRONG:#}\n", self.mode));
        let from = self.in_force.as_ref().map(|shown| visible(&shown.origin.to_string()));
        let from = from.unwrap_or_else(|| "nothing is set; this is the built-in mode".to_owned());
        append(&mut text, format_args!("from           {from}\n"));
        if let Some(why) = &self.refused {
            append(&mut text, format_args!("{WARM}no effect{WARM:#}      {}\n", visible(why)));
        }
        let overriders = self.overriders();
        let by = if overriders.is_empty() { "nothing".to_owned() } else { overriders.join(", ") };
        append(&mut text, format_args!("overridden by  {by}; a host's plan mode tightens it\n"));
        for shown in &self.others {
            let (value, place) = (visible(&shown.value.to_string()), visible(&shown.origin.to_string()));
            append(
                &mut text,
                format_args!("{DIM}also set       {value} in {place}: {}{DIM:#}\n", shown.status.reason()),
            );
        }
        text
    }

    fn as_json(&self) -> Value {
        let other = |shown: &FoundValue| json!({ "mode": shown.value, "origin": origin(&shown.origin), "standing": shown.status.name() });
        json!({
            "mode": self.mode.name(),
            "origin": self.in_force.as_ref().map(|shown| origin(&shown.origin)),
            "refused": self.refused,
            "overridden_by": self.overriders(),
            "others": self.others.iter().map(other).collect::<Vec<_>>(),
            "written": self.written.as_ref().map(|(mode, file)| json!({ "mode": mode.name(), "file": file })),
            "without_effect": self.without_effect(),
        })
    }
}
