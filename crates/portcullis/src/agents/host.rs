//! What the hosts have in common that took over the form of Claude Code's hooks: where a call, its session, its
//! conversation and its sub-agent stand in what they say.

use portcullis_classify::judge::Handback;
use portcullis_classify::transcript::{Agent, Format, canonical_calls};
use portcullis_decide::Tool;
use portcullis_gate::{Conversation, HostPrompt, People};
use serde_json::Value;

use super::{Calls, Event, Fields, ProcessContext, request};

/// One of these hosts.
pub(super) struct Host {
    /// The name of its adapter.
    pub(super) name: &'static str,
    /// Whose names its tools have.
    pub(super) tools: Agent,
    /// How it writes its conversations down.
    pub(super) talk: Format,
    /// Who can be asked when a call leaves a question.
    pub(super) people: People,
}

impl Host {
    /// The calls it is about to make.
    pub(super) fn calls(&self, fields: &Fields<'_>, around: &ProcessContext) -> Result<Calls, String> {
        self.named_calls(fields.needed("tool_name")?, fields, around)
    }

    /// The same for a tool whose name is known from elsewhere.
    pub(super) fn named_calls(
        &self,
        name: &str,
        fields: &Fields<'_>,
        around: &ProcessContext,
    ) -> Result<Calls, String> {
        let input = fields.object("tool_input")?;
        let cwd = fields.needed("cwd")?;
        let session = Some(fields.needed("session_id")?);
        let mut requests = Vec::new();
        for mut call in canonical_calls(self.tools, name, input.clone(), cwd) {
            call.id = fields.text("tool_use_id")?.map(str::to_owned);
            call.agent = fields.text("agent_id")?.map(str::to_owned);
            let mut request = request(self.name, call, session, around);
            request.people = self.people;
            request.host_mode = fields.text("permission_mode")?.map(str::to_owned);
            request.model = fields.text("model")?.map(str::to_owned);
            if let Some(path) = fields.path("transcript_path")? {
                request.conversation = Conversation::File(path, self.talk);
            }
            requests.push(request);
        }
        Ok(Calls::in_terms_of(requests, self.tools, name, input))
    }

    /// A prompt. One that is not understood is passed over: it could only have made the gate stricter, and hosts would
    /// refuse the whole prompt.
    pub(super) fn said(&self, fields: &Fields<'_>) -> Event {
        said(self.name, fields, "session_id", self.talk)
    }

    /// A call that was made; one that started a sub-agent brings what that hands back.
    pub(super) fn done(&self, fields: &Fields<'_>, around: &ProcessContext) -> Event {
        match self.calls(fields, around) {
            Ok(calls) => reported(calls, fields),
            Err(why) => Event::Unread(why),
        }
    }
}

/// What a user typed, in a session that this field names. What a sub-agent is told, another agent wrote.
pub(super) fn said(agent: &str, fields: &Fields<'_>, session: &str, format: Format) -> Event {
    let text = |name: &str| fields.text(name).ok().flatten().filter(|text| !text.is_empty());
    let by_agent = ["agent_id", "parent_agent_id", "parent_id", "parent_conversation_id"];
    let (Some(session), Some(words)) = (text(session), text("prompt")) else { return Event::Nothing };
    if by_agent.iter().any(|name| text(name).is_some()) {
        return Event::Nothing;
    }
    let talk =
        text("transcript_path").map_or(Conversation::None, |path| Conversation::File(path.into(), format));
    Event::Said(HostPrompt {
        session: session.to_owned(),
        agent: agent.to_owned(),
        words: words.to_owned(),
        conversation: talk,
    })
}

/// What was done, with the report of a sub-agent where it was one.
pub(super) fn reported(mut calls: Calls, fields: &Fields<'_>) -> Event {
    let starts_agent = calls.requests.first().is_some_and(|request| request.call.tool == Tool::Agent);
    let Some(request) = calls.requests.pop_if(|_| starts_agent) else { return Event::Done(calls.requests) };
    let handback = Handback {
        task: request.call.text("prompt").unwrap_or_default().to_owned(),
        calls: Vec::new(),
        report: report(fields.value("tool_response").or(fields.value("tool_result"))),
    };
    Event::HandedBack(Box::new(request), Box::new(handback))
}

/// All text in what a sub-agent answered.
fn report(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) => {
            values.iter().map(|value| report(Some(value))).collect::<Vec<_>>().join("\n")
        }
        Some(Value::Object(fields)) => {
            ["content", "text", "result", "output", "llmContent", "text_result_for_llm"]
                .iter()
                .filter_map(|name| fields.get(*name).map(|value| report(Some(value))))
                .collect::<Vec<_>>()
                .join("\n")
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => String::new(),
    }
}
