//! Judges for auto mode: shown a call and its conversation, each says whether to block the call.
//!
//! There are two judges. The [built-in one](judge) needs no model and never waits: it blocks what detectors recognise as harm,
//! lets routine project work pass, and asks about the rest, guided by what the user asked for and forbade. The
//! model-backed one, the classifier, asks a language model in one or two stages. Only an explicit "do not block" of
//! a model allows; every failure, silence or ambiguity blocks (SPEC C1).
//!
//! ```
//! use portcullis_classify::judge::{Strictness, Verdict, judge};
//! use portcullis_classify::transcript::Transcript;
//! use portcullis_decide::facts::Facts;
//! use portcullis_decide::view::View;
//! use portcullis_decide::{Context, Mode, ToolCall, decide};
//! use serde_json::json;
//!
//! let mut context = Context::new("/home/dev/proj", "/home/dev");
//! context.mode = Mode::Auto;
//! context.facts = Facts::plain();
//! let call = ToolCall::new("Bash", json!({ "command": "git push --force origin main" }), "/home/dev/proj");
//!
//! let mut transcript = Transcript::default();
//! transcript.push_human("Fix the failing test.");
//! let view = View::of(&call, &context);
//! let reason = decide(&call, &context).reason; // why the rules left it open
//! let verdict = judge(&call, &view, &context, &transcript, &reason, Strictness::Balanced);
//! let Verdict::Block(finding) = verdict else { panic!("nobody asked for it: {verdict:?}") };
//! assert_eq!(finding.detector.id, "git/push-force");
//! ```
//!
//! # How the parts fit
//!
//! The built-in judge is [`judge::judge`]. The classifier goes through these modules, in order:
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`transcript`] | conversations of each agent, read into what users said and what the agent did |
//! | [`policy`] | the rules that a model judges by, with the user's own sentences |
//! | [`prompt`], [`framed`], [`request`] | the system prompt, the conversation as text, and the request made of both |
//! | [`settings`], `client` | which model, and sending it a request |
//! | [`reply`] | strict parsing of its answer |
//! | `stages` | one or two requests, and the verdict that comes of them |
//! | [`failure`] | what each failure leads to |
//!
//! Beside them, `command` matches commands with rules in words, [`critique`] finds weaknesses in the user's sentences, `dump`
//! keeps exchanges for diagnosis, and [`redact()`] takes credentials out of text before a model, a log or a screen gets it.
//!
//! Without the feature `model` there is no HTTP client: `client`, `command`, `dump` and `stages` are missing, and nothing can
//! leave the machine. How a verdict becomes a ruling is said in `portcullis-gate`.

#[cfg(feature = "model")]
pub mod client;
#[cfg(feature = "model")]
pub mod command;
mod consent;
pub mod critique;
#[cfg(feature = "model")]
pub mod dump;
pub mod failure;
pub mod framed;
mod handback;
pub mod judge;
pub mod policy;
pub mod prompt;
mod reason;
mod redact;
pub mod reply;
pub mod request;
pub mod settings;
#[cfg(feature = "model")]
pub mod stages;
mod strict;
pub mod transcript;

pub use reason::one_line;
pub use redact::{redact, redact_json};
pub use strict::{strict_from_slice, strict_from_str};
