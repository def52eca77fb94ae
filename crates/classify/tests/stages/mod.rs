//! Runs a line of a `stages` block: a scripted server answers, and what it was asked is written in the words of the
//! page.

use crate::act::act;
use crate::page::{Line, unescaped};
use crate::support::{Server, judge, settings};
use crate::verdict;
use portcullis_classify::prompt::Stage;
use portcullis_classify::settings::{Api, ClassifierSettings, StageMode};
use serde_json::Value;
use std::time::Duration;

/// However busy the machine is, a server that answers does so in this time.
const LONG: Duration = Duration::from_mins(1);

/// A reply that never comes. On a busy machine the time may be over before the request is there.
const SILENCE: &str = "!silence";

/// Says what is wrong with a line, if anything is, in either language that servers speak.
pub(crate) fn run(line: &Line) -> Result<(), String> {
    let [verdict, requests, answers] = line.columns()?;
    let answers = answers.split(" | ").map(unescaped).collect::<Result<Vec<String>, String>>()?;
    let wanted: Vec<&str> = requests.split(" | ").collect();
    if wanted.len() != answers.len() {
        return Err("a line has as many requests as answers".to_owned());
    }
    for api in [Api::Anthropic, Api::OpenAi] {
        let (said, seen) = ask(line, api, answers.clone())?;
        let early = answers.last().is_some_and(|last| last == SILENCE) && seen.len() < wanted.len();
        if said != verdict || !early && seen != wanted {
            return Err(format!("{api:?}: the verdict is {said} after {}", seen.join(" | ")));
        }
    }
    Ok(())
}

/// The verdict and the requests it took.
fn ask(line: &Line, api: Api, answers: Vec<String>) -> Result<(String, Vec<String>), String> {
    let server = Server::listening(move |number, heard, stream| {
        // A request that nobody foresaw is counted; what it is told does not matter.
        act(answers.get(number).map_or("!500", String::as_str), api, heard, stream);
    });
    let base_url = match api {
        Api::Anthropic => server.base_url.clone(),
        Api::OpenAi => format!("{}/v1", server.base_url),
    };
    let mut settings = settings(api, &base_url, LONG);
    for (word, value) in &line.settings {
        set(&mut settings, word, value).ok_or_else(|| format!("`{word} {value}` sets nothing"))?;
    }
    let said = verdict(&judge(&settings).outcome);
    let seen = server.bodies.lock().unwrap().iter().map(|body| asked(api, body)).collect();
    Ok((said, seen))
}

/// Does what a line at the margin says.
fn set(settings: &mut ClassifierSettings, word: &str, value: &str) -> Option<()> {
    let budgets = &mut settings.budgets;
    match word {
        "mode" => settings.mode = StageMode::named(value)?,
        "model" => value.clone_into(&mut settings.model),
        "always-thinks" => settings.always_thinks = Some(value.parse().ok()?),
        "timeout" => settings.timeout = Duration::from_secs(value.parse().ok()?),
        "temperature" if value == "none" => settings.temperature = None,
        "temperature" => settings.temperature = Some(value.parse().ok()?),
        "first-tokens" => budgets.first = value.parse().ok()?,
        "fast-tokens" => budgets.fast = value.parse().ok()?,
        "second-tokens" => budgets.second = value.parse().ok()?,
        "thinking-tokens" => budgets.thinking = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

/// A request in the words of the page: the stage by its suffix, the tokens, the stop sequence, the temperature.
fn asked(api: Api, body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    let (text, stop, tokens) = match api {
        Api::Anthropic => {
            let blocks = body.pointer("/messages").and_then(Value::as_array).and_then(|all| all.last());
            let text = blocks.and_then(|message| message["content"].as_array()?.last()?["text"].as_str());
            (text, &body["stop_sequences"], &body["max_tokens"])
        }
        Api::OpenAi => {
            let last = body.pointer("/messages").and_then(Value::as_array).and_then(|all| all.last());
            let renamed = &body["max_completion_tokens"];
            let tokens = if renamed.is_null() { &body["max_tokens"] } else { renamed };
            (last.and_then(|message| message["content"].as_str()), &body["stop"], tokens)
        }
    };
    let text = text.unwrap_or_default();
    let stage = [Stage::First, Stage::Second].into_iter().find(|stage| text.ends_with(stage.suffix()));
    let mut words = vec![stage.map_or("neither", Stage::name).to_owned(), tokens.to_string()];
    match stop.as_array().map(Vec::as_slice) {
        Some([sequence]) if sequence == "</block>" => words.push("stop".to_owned()),
        Some(_) => words.push(format!("stop={stop}")),
        None => {}
    }
    if let Some(temperature) = body["temperature"].as_f64() {
        words.push(format!("t{temperature}"));
    }
    // C10: a model that always thinks is given room, and is not told to stop thinking.
    for field in ["thinking", "reasoning", "reasoning_effort"] {
        if !body[field].is_null() {
            words.push(format!("{field}={}", body[field]));
        }
    }
    words.join(" ")
}
