//! One call from start to finish, through the library.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

mod hooks;
#[path = "../house/mod.rs"]
mod house;
mod people;
mod sessions;
mod written;

use std::path::Path;
use std::time::Duration;

use house::{House, rules};
use portcullis_classify::transcript::{Agent, Format};
use portcullis_decide::Decision;
use portcullis_decide::rules::Source;
use portcullis_gate::admin::{Lock, Pause, lock, pause, unlock};
use portcullis_gate::approvals::{AnswerRejected, Choice, HumanAnswer};
use portcullis_gate::settings::set_session_mode;
use portcullis_gate::store::{Filter, Record, Verified};
use portcullis_gate::{
    Answer, Changes, Conversation, Enforced, Gate, Options, OwnCall, People, Request, calendar_ms,
};
use serde_json::{Value, json};

fn auto() -> Value {
    json!({ "permissions": { "defaultMode": "auto" } })
}

fn records(gate: &Gate, filter: &Filter) -> Vec<(u64, Record)> {
    let mut found = Vec::new();
    gate.with_store(|store| {
        store.entries(filter, |entry| {
            found.push((entry.seq, entry.record));
            std::ops::ControlFlow::Continue(())
        })
    })
    .unwrap();
    found
}

fn steps(answer: &Answer) -> Vec<&str> {
    answer.ruling.trace.steps.iter().map(|step| step.step).collect()
}

fn says(choice: Choice) -> HumanAnswer {
    HumanAnswer {
        choice,
        message: None,
        input: None,
        rule: None,
        source: Source::User,
        who: "dev".to_owned(),
        place: "test".to_owned(),
    }
}

/// Judges a call while a person is there who gives `answer` to whatever waits.
fn answered(house: &House, request: Request, answer: HumanAnswer) -> (Answer, Vec<Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gate = house.gate();
        gate.approvals().attend();
        let person = gate.clone();
        let answering = tokio::spawn(async move {
            let mut shown = Vec::new();
            loop {
                for parked in person.approvals().waiting().1 {
                    shown.push(parked.shown.clone());
                    person.approvals().answer(&parked.id, answer.clone()).unwrap();
                }
                if !shown.is_empty() {
                    return shown;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let answer = gate.judge(request).await;
        let shown = if answering.is_finished() { answering.await.unwrap() } else { Vec::new() };
        (answer, shown)
    })
}

/// Settings with a program of the user that answers questions.
fn answering_with(command: &str, permissions: &Value) -> Value {
    let hook = json!({ "type": "command", "command": command });
    json!({ "permissions": permissions, "hooks": { "PermissionRequest": [{ "matcher": "Bash", "hooks": [hook] }] } })
}

fn request_decision(decision: &Value) -> String {
    let said =
        json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } });
    format!("echo '{said}'")
}
