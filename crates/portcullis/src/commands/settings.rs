//! `portcullis settings`: every value that was found, where it stands and whether it counts.

use std::process::ExitCode;

use portcullis_classify::redact;
use portcullis_decide::rules::Origin;
use portcullis_gate::remote::{Refreshed, refresh_now};
use portcullis_gate::settings::{FoundValue, Loaded, ValueStatus};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::{problems, project::Project};
use crate::output::{self, DIM, STRONG, append, visible};

/// Something is broken.
const BROKEN: u8 = 1;

/// The widest that a value is shown in a table; `--json` shows all of it.
const VALUE_WIDTH: usize = 60;

/// What to show.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    project: Project,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(clap::Subcommand)]
enum What {
    /// Fetch the settings from `remoteConfig.url` now; exits 1 when that fails.
    Refresh,
}

/// Shows the settings; exits 1 when something in them is broken.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let loaded = match arguments.project.load() {
        Ok(loaded) => loaded,
        Err(message) => return output::fail(&message),
    };
    if let Some(What::Refresh) = arguments.what {
        return refresh(&arguments.project, &loaded);
    }
    let text = if arguments.json { format!("{}\n", as_json(&loaded)) } else { as_table(&loaded) };
    let written = output::print(&text);
    if written == ExitCode::SUCCESS && loaded.has_errors() { ExitCode::from(BROKEN) } else { written }
}

/// Fetches the settings that are to be fetched.
fn refresh(project: &Project, loaded: &Loaded) -> ExitCode {
    let places = match project.places() {
        Ok(places) => places,
        Err(message) => return output::fail(&message),
    };
    let settings = &loaded.settings;
    let url = settings.remote_config_url.as_ref().map(|url| redact(&url.value).into_owned());
    let url = visible(&url.unwrap_or_default());
    match refresh_now(&places, settings, super::stats::now() / 1000) {
        Refreshed::NotConfigured => output::print(
            "nothing is fetched: `remoteConfig.url` is not set in your user or the managed settings\n",
        ),
        Refreshed::Fetched | Refreshed::Fresh => output::print(&format!("fetched from {url}\n")),
        Refreshed::Failed(why) => {
            let why = visible(&why);
            let text = format!("not fetched from {url}: {why}; what was fetched before stays in force\n");
            let written = output::print(&text);
            if written == ExitCode::SUCCESS { ExitCode::from(BROKEN) } else { written }
        }
    }
}

fn as_json(loaded: &Loaded) -> Value {
    let one = |shown: &FoundValue| {
        json!({
            "key": shown.key,
            "value": shown.value,
            "origin": origin(&shown.origin),
            "standing": shown.status.name(),
        })
    };
    json!({
        "incomplete": loaded.settings.incomplete,
        "values": loaded.settings.values().iter().map(one).collect::<Vec<_>>(),
        "problems": problems::as_json(&loaded.problems),
    })
}

/// Where something stands, for programs.
pub(crate) fn origin(origin: &Origin) -> Value {
    json!({
        "source": origin.source.name(),
        "file": origin.file,
        "line": origin.line,
        "column": origin.column,
    })
}

fn as_table(loaded: &Loaded) -> String {
    let mut text = problems::lines(&loaded.problems);
    let mut values = loaded.settings.values();
    if values.is_empty() {
        return text + "nothing is set; every call that is not proven to only read is asked about\n";
    }
    if !text.is_empty() {
        text.push('\n');
    }
    // Values of one key stand together, those that count first.
    values.sort_by_key(|shown| (shown.key, shown.status != ValueStatus::InForce));
    let key_width = values.iter().map(|shown| shown.key.width()).max().unwrap_or_default();
    let mut last = "";
    for shown in &values {
        let key = if shown.key == last { "" } else { shown.key };
        last = shown.key;
        row(&mut text, key, key_width, shown);
    }
    text
}

fn row(text: &mut String, key: &str, key_width: usize, shown: &FoundValue) {
    let counts = shown.status == ValueStatus::InForce;
    let style = if counts { anstyle::Style::new() } else { DIM };
    let place = visible(&shown.origin.to_string());
    let why = if counts { String::new() } else { format!("; no effect: {}", shown.status.reason()) };
    let items = shown.value.as_array().filter(|items| !items.is_empty());
    let lines: Vec<String> =
        items.map_or_else(|| vec![short(&shown.value)], |items| items.iter().map(short).collect());
    for (index, line) in lines.iter().enumerate() {
        let key = if index == 0 { key } else { "" };
        let pad = " ".repeat(key_width.saturating_sub(key.width()));
        let fill = " ".repeat(VALUE_WIDTH.min(30).saturating_sub(line.width()));
        let end = if index == 0 { format!("{fill}  {DIM}{place}{why}{DIM:#}") } else { String::new() };
        append(text, format_args!("{STRONG}{key}{STRONG:#}{pad}  {style}{line}{style:#}{end}\n"));
    }
}

fn short(value: &Value) -> String {
    let text = visible(&value.to_string());
    if text.chars().count() <= VALUE_WIDTH {
        return text;
    }
    text.chars().take(VALUE_WIDTH.saturating_sub(1)).chain(['…']).collect()
}
