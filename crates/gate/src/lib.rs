//! A permission gate for AI agents, for programs that embed one: give it tool calls, get allow, deny or ask, on the record.
//!
//! `portcullis-decide` says what the rules say about a call; `portcullis-classify` judges what they leave open. This crate
//! does everything around them: it reads settings and knows where each value came from, looks up files, links and git
//! configuration, runs the user's hooks, asks a model or a person, and writes each answer to an audit log before it gives it.
//! Whatever goes wrong on the way makes the answer stricter, never looser.
//!
//! ```no_run
//! use portcullis_decide::ToolCall;
//! use portcullis_gate::{Gate, Options, Enforced, Request};
//! use serde_json::json;
//!
//! # async fn run_tool() -> Result<(), Box<dyn std::error::Error>> {
//! let gate = Gate::open(Options::of_process())?; // once; cheap to clone
//!
//! let call = ToolCall::new("Bash", json!({ "command": "git push" }), "/home/dev/proj");
//! let answer = gate.judge(Request::new("my-agent", call)).await;
//! match answer.enforced {
//!     Enforced::Allow | Enforced::Nothing => { /* run the tool */ }
//!     Enforced::Deny => println!("not run: {}", answer.ruling.message()),
//!     Enforced::Ask => println!("ask your user: {}", answer.ruling.message()),
//! }
//! # Ok(()) }
//! ```
//!
//! # How the parts fit
//!
//! [`Gate::judge`] takes a [`Request`]: a call, the agent that makes it, its [`Conversation`], and which [`People`] can be
//! asked. It loads the [`settings`] of the call's project, looks up facts about the [`world`], asks the user's [`hooks`], and
//! lets `portcullis_decide::decide` rule. What that leaves open, a judge answers ([`settle`]); what still needs a person goes
//! into a [`race`] between the people in [`approvals`], hooks and a classifier. Then the [`store`] takes the record, and only
//! when that is durable does the [`Answer`] leave.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`settings`] | settings with the origin of every value, trust of project files, import from Claude Code |
//! | [`store`] | sessions, grants, and the audit log as a hash chain that can be verified and exported |
//! | [`approvals`] | requests that wait for a person, and the person's answers |
//! | [`admin`] | locking and pausing the gate, and recording what loosens it |
//! | [`hooks`] | the user's own programs that are asked before a call |
//! | [`settle`] | the judges of auto mode: the built-in one and the model, and how their answers become rulings |
//! | [`pipeline`] | the order of one call without a store or people, for tools such as replay and evaluation |
//! | [`world`] | facts about files, links and git that a decision needs |
//! | [`race`] | who answers an open question first, as a pure state machine |
//! | [`policy_test`] | tests of a policy, written as Markdown |
//! | [`verdicts`] | what judging cost: counts, tokens and money by day, agent and model |
//! | [`remote`] | settings fetched from an address |
//! | [`strict_json`] | JSON from outside, refused where two parsers could disagree |
//!
//! To embed the gate, start with [`Gate`] and [`Request`]; `crates/gate/examples/agent_loop.rs` is a whole agent loop. To decide without a
//! store or people, start with [`pipeline`].

pub mod admin;
pub mod approvals;
mod day;
mod error;
mod files;
mod gate;
pub mod hooks;
pub mod pipeline;
pub mod policy_test;
mod problem;
pub mod race;
pub mod remote;
pub mod settings;
pub mod settle;
mod span;
pub mod store;
pub mod strict_json;
pub mod verdicts;
mod with_origin;
pub mod world;

pub use error::GateError;
pub use gate::{
    Answer, Changes, Conversation, Enforced, Gate, HostPrompt, Options, OwnCall, People, Request,
    UnrecordedAnswer, calendar_ms,
};
