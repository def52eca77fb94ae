//! The classifier against a real server with a real, very small model: `scripts/model-server test` starts one.
//!
//! Such a model judges nothing; what is shown is that a real server takes the requests, that the second stage is
//! served from the first one's cache, and that an answer which is none blocks.
#![expect(clippy::unwrap_used, reason = "a test that cannot reach its server must stop")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says why")]

#[expect(dead_code, reason = "other tests use more of it")]
mod support;

use portcullis_classify::client::{Client, deadline_after};
use portcullis_classify::failure::Failure;
use portcullis_classify::policy::{AutoModeLists, Policy};
use portcullis_classify::prompt::{Prompt, Stage, Surroundings};
use portcullis_classify::request::{Case, Limits, ProjectFile, Request, STOP_SEQUENCE};
use portcullis_classify::settings::{Api, Budgets, ClassifierSettings};
use portcullis_classify::stages::{Outcome, classify};
use std::time::Duration;
use support::{framed, run, settings};

/// A slow machine reads two thousand tokens in a minute.
const PATIENCE: Duration = Duration::from_mins(20);

/// Where the server is, or the reason why there is nothing to test.
fn server() -> Option<String> {
    let address = std::env::var("PORTCULLIS_MODEL_SERVER").ok();
    if address.is_none() {
        println!(
            "skipped: PORTCULLIS_MODEL_SERVER is not set; `scripts/model-server test` starts a server and sets it"
        );
    }
    address
}

fn real(api: Api, server: &str) -> ClassifierSettings {
    let base_url = match api {
        Api::Anthropic => server.to_owned(),
        Api::OpenAi => format!("{server}/v1"),
    };
    ClassifierSettings {
        // llama.cpp holds one model and answers under its file's name.
        also_answers_as: vec!["*".into()],
        budgets: Budgets { second: 64, ..Budgets::default() },
        ..settings(api, &base_url, PATIENCE)
    }
}

/// The instructions, with a directory of their own so that no other test has warmed the cache for them.
fn prompt(cwd: &str) -> Prompt {
    let one = |text: &str| Some(vec![text.to_owned()]);
    let lists = AutoModeLists {
        environment: one("The machine is a developer's own."),
        allow: one("Running the tests of the project."),
        soft_deny: one("Pushing to the default branch."),
        hard_deny: Some(Vec::new()),
    };
    let surroundings = Surroundings { cwd: cwd.to_owned(), ..Surroundings::default() };
    Prompt::new(Policy::effective(&lists), &surroundings).unwrap()
}

fn instructions() -> [ProjectFile; 1] {
    [ProjectFile { path: "AGENTS.md".into(), text: "Run the tests before you commit.".into() }]
}

/// [C9] [C14] [C16]
#[test]
fn the_second_stage_is_served_from_the_first_ones_cache() {
    let Some(server) = server() else { return };
    for api in [Api::Anthropic, Api::OpenAi] {
        let settings = real(api, &server);
        let client = Client::new(&settings, None).unwrap();
        let cwd = format!("/home/{api:?}/{}", std::process::id());
        let (prompt, framed, instructions) = (prompt(&cwd), framed(), instructions());
        let usage = |stage: Stage, stop: Option<&'static str>| {
            let case = Case { instructions: &instructions, framed: &framed };
            let limits = Limits { tokens: 16, temperature: Some(0.0), stop };
            let request = Request::new(&prompt, case, stage, limits);
            run(client.send(&request, deadline_after(PATIENCE))).result.unwrap().usage
        };
        let first = usage(Stage::First, Some(STOP_SEQUENCE));
        let second = usage(Stage::Second, None);
        assert!(first.input > 500 && first.output > 0, "{api:?}: {first:?}");
        // A word takes a token at least, so the shared part is no longer than this.
        let words = Stage::First.suffix().split_whitespace().count() as u64;
        let shared = first.input - words;
        assert!(first.cached < shared * 3 / 4, "{api:?}: the cache was warm: {first:?}");
        println!("{api:?}: first {first:?}, second {second:?}, at most {shared} shared");
        assert!(
            second.cached * 100 >= shared * 95,
            "{api:?}: {} of {shared} tokens were cached",
            second.cached
        );
    }
}

/// [C1] [C11]
#[test]
fn an_answer_that_is_none_blocks() {
    let Some(server) = server() else { return };
    for api in [Api::Anthropic, Api::OpenAi] {
        let settings = real(api, &server);
        let client = Client::new(&settings, None).unwrap();
        let case = Case { instructions: &instructions(), framed: &framed() };
        let judged = run(classify(&client, &settings, &prompt("/home/dev/proj"), case, None));
        println!("{api:?}: {judged:?}");
        for stage in &judged.stages {
            let reached = match &stage.outcome {
                Outcome::Failed(failure) => matches!(failure, Failure::Unparseable(_)),
                Outcome::Allow | Outcome::Block { .. } => true,
            };
            assert!(reached && stage.usage.input > 500 && stage.attempts == 1, "{api:?}: {stage:?}");
        }
        assert!(judged.outcome != Outcome::Allow, "{api:?}: {judged:?}");
        assert_eq!(judged.stages.len(), 2, "{api:?}: {judged:?}");
    }
}

/// [C11] The name under which llama.cpp answers is not the one that was asked for.
#[test]
fn another_models_answer_is_none() {
    let Some(server) = server() else { return };
    let settings = ClassifierSettings { also_answers_as: Vec::new(), ..real(Api::Anthropic, &server) };
    let client = Client::new(&settings, None).unwrap();
    let case = Case { instructions: &instructions(), framed: &framed() };
    let judged = run(classify(&client, &settings, &prompt("/home/dev/proj"), case, None));
    let Outcome::Failed(failure) = judged.outcome else { unreachable!("{judged:?}") };
    assert_eq!(failure.name(), "unparseable-other-model");
}
