//! Cases about the classifier itself: its reply parser, its transcript, what a sub-agent hands back (SPEC J4).

use portcullis_classify::judge::{Handback, flaw};
use portcullis_classify::policy::Policy;
use portcullis_classify::prompt::{Prompt, Stage, Surroundings};
use portcullis_classify::reply::{Expected, Parsed, RawReply, Stop, parse};
use portcullis_classify::request::{Case as Asked, Limits, ProjectFile, Request};
use portcullis_classify::transcript::{Entry, Layout, Origin, Transcript};
use portcullis_decide::{Context, ToolCall};
use portcullis_gate::policy_test::input_from_text;
use serde_json::Value;

use super::case::{Case, generated};
use super::outcome::Got;

/// Room for the conversation, in tokens; as much as the smallest window that people use.
const ROOM: usize = 30_000;

/// What the reply parser makes of a model's answer.
pub(super) fn reply(input: &Value) -> (Got, String) {
    let text = |field: &str| input.get(field).and_then(Value::as_str).map(str::to_owned);
    let both = text("classifier_mode").is_none_or(|mode| mode == "both");
    let first = input.get("stage").and_then(Value::as_u64) == Some(1);
    let expected = match (first, both) {
        (true, true) => Expected::FirstStopped,
        (true, false) => Expected::First,
        (false, _) => Expected::Second,
    };
    let stop = match text("stop_reason").as_deref() {
        Some("end_turn" | "stop") => Stop::Ended,
        Some("stop_sequence") => Stop::Sequence,
        Some("max_tokens" | "length") => Stop::Length,
        Some("refusal" | "content_filter") => Stop::Refusal,
        Some(_) | None => Stop::Other,
    };
    let reply = RawReply {
        requested_model: text("model_requested"),
        answered_model: text("model_answered"),
        request_id: text("request_id"),
        answered_id: text("response_id"),
        truncated: input.get("truncated_http").and_then(Value::as_bool) == Some(true),
        ..RawReply::new(text("text").unwrap_or_default(), stop)
    };
    let policy = Policy::built_in();
    match parse(&reply, expected, &|id| policy.block_rule(id).is_some()) {
        Parsed::Allow => (Got::Allow, "the answer does not block".to_owned()),
        Parsed::Block { reason, .. } => (Got::Deny, format!("the answer blocks: {reason}")),
        Parsed::Unparseable(why) if first && both => (Got::Escalate, why.text().to_owned()),
        Parsed::Unparseable(why) => (Got::Deny, why.text().to_owned()),
    }
}

/// Whether what the classifier would be shown is what the case demands: deny if so.
pub(super) fn transcript(case: &Case, input: &Value) -> (Got, String) {
    let assertion = input.get("assert").cloned().unwrap_or_default();
    let (text, action) = match shown(case, input) {
        Ok(shown) => shown,
        Err(refused) => return (Got::Deny, refused),
    };
    let number =
        |field: &str| assertion.get(field).and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
    let holds = [
        number("user_lines").is_none_or(|wanted| user_lines(&text) == wanted),
        number("closing_tags").is_none_or(|wanted| text.matches("</transcript>").count() == wanted),
        absent(&text, assertion.get("contains_not")),
        assertion.get("must_show_tail").is_none() || shows_tail(&text, &action),
    ];
    if holds.iter().all(|held| *held) {
        (Got::Deny, "the transcript is as it must be".to_owned())
    } else {
        (Got::Allow, format!("the transcript is not as it must be: {holds:?}"))
    }
}

/// Lines that a reader of JSON lines would take for the user's.
fn user_lines(text: &str) -> usize {
    let is_user = |line: &&str| {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| value.get("user").is_some_and(Value::is_string))
    };
    text.split(['\n', '\u{2028}', '\u{2029}', '\u{85}']).filter(is_user).count()
}

fn absent(text: &str, words: Option<&Value>) -> bool {
    let words = words.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    words.into_iter().all(|word| !text.contains(word))
}

/// Whether the end of the action can be seen.
fn shows_tail(text: &str, action: &str) -> bool {
    let tail: Vec<char> = action.chars().rev().take(64).collect();
    let tail: String = tail.into_iter().rev().collect();
    text.contains(&tail)
}

/// The whole text of the request, and the action's own text; or why it was refused.
fn shown(case: &Case, input: &Value) -> Result<(String, String), String> {
    let mut transcript = Transcript::default();
    let mut instructions: Vec<ProjectFile> = Vec::new();
    let mut action: Option<(ToolCall, String)> = None;
    for entry in input.get("entries").and_then(Value::as_array).into_iter().flatten() {
        let text = |field: &str| entry.get(field).and_then(Value::as_str);
        if let Some(said) = text("user") {
            transcript.push_human(said);
        } else if let Some(told) = text("claude_md").or(text("agents_md")) {
            instructions.push(ProjectFile { path: "CLAUDE.md".to_owned(), text: told.to_owned() });
        } else if let Some(tool) = text("tool") {
            let given = match entry.get("input_gen") {
                Some(generator) => generated(generator)?,
                None => text("input").map_or_else(
                    || entry.get("input").map(Value::to_string).unwrap_or_default(),
                    str::to_owned,
                ),
            };
            if let Some((earlier, _)) = action.replace((called(tool, &given, case), given)) {
                transcript.push_call(earlier);
            }
        }
        // Everything else (results, reminders, prose) has no place in a transcript: the type cannot hold it.
    }
    let (call, text) = action.unwrap_or_else(|| (called("Bash", "true", case), "true".to_owned()));
    let framed = transcript.frame(&call, Layout::JsonLines, ROOM).map_err(|error| error.to_string())?;
    let prompt =
        Prompt::new(Policy::built_in(), &Surroundings::default()).map_err(|error| error.to_string())?;
    let limits = Limits { tokens: 64, temperature: Some(0.0), stop: None };
    let request =
        Request::new(&prompt, Asked { instructions: &instructions, framed: &framed }, Stage::First, limits);
    let pieces = request.messages.iter().flatten().map(|block| block.text.as_str());
    Ok((pieces.collect::<String>(), text))
}

fn called(tool: &str, text: &str, case: &Case) -> ToolCall {
    let call = ToolCall::new(tool, Value::Null, case.cwd.clone());
    let input = input_from_text(&call.tool, text).unwrap_or_else(|_| Value::String(text.to_owned()));
    call.with_input(input)
}

/// Whether what a sub-agent hands back is flagged: deny if so.
pub(super) fn handback(case: &Case, input: &Value, context: &Context, talk: &Transcript) -> (Got, String) {
    let text = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let calls = input.get("calls").and_then(Value::as_array).into_iter().flatten().filter_map(|call| {
        let tool = call.get("tool").and_then(Value::as_str)?;
        Some(ToolCall::new(tool, call.get("input")?.clone(), case.cwd.clone()))
    });
    let handback = Handback { task: text("prompt"), calls: calls.collect(), report: text("report") };
    match flaw(&handback, context, talk) {
        Some(why) => (Got::Deny, format!("flagged: {why}")),
        None => (Got::Allow, "nothing to flag".to_owned()),
    }
}

/// The conversation that the case is part of.
pub(super) fn conversation(case: &Case) -> Transcript {
    let mut transcript = Transcript::default();
    for event in &case.earlier {
        let text = |field: &str| event.get(field).and_then(Value::as_str);
        if let Some(said) = text("user") {
            let origin = text("origin").map_or(Origin::Human, |origin| Origin::Other(origin.to_owned()));
            transcript.entries.push(Entry::User { text: said.to_owned(), origin });
        } else if let (Some(tool), Some(input)) = (text("tool"), event.get("input")) {
            transcript.push_call(ToolCall::new(tool, input.clone(), case.cwd.clone()));
        }
    }
    if case.earlier.is_empty() {
        transcript.push_human(case.said.clone());
    }
    transcript
}
