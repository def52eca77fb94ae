//! Decides whether an agent's tool call may run: allow, deny or ask, with the reason and every step on the way.
//!
//! This crate is the policy engine of Portcullis and nothing else. [`decide()`] is a pure function of a [`ToolCall`] and a
//! [`Context`]: it reads no file, clock, environment or network and never waits, so the same inputs always give the same
//! [`Ruling`]. It returns a ruling and never an error; what cannot be known for certain is asked about, never allowed.
//!
//! ```
//! use portcullis_decide::facts::Facts;
//! use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
//! use portcullis_decide::{Context, Decision, ToolCall, decide};
//! use serde_json::json;
//!
//! let (rule, broken) = Rule::parse("Bash(git push:*)", List::Deny, Origin::of(Source::User));
//! assert!(broken.is_none());
//! let mut context = Context::new("/home/dev/proj", "/home/dev");
//! context.rules = Rules::new(vec![rule]).into();
//! context.facts = Facts::plain(); // a file system without links or surprises; see `facts`
//!
//! let bash = |command| ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
//! assert!(decide(&bash("git status"), &context).decision.is_allow());
//!
//! let ruling = decide(&bash("cd src && git push origin main"), &context);
//! assert!(matches!(ruling.decision, Decision::Deny { .. }));
//! assert_eq!(ruling.reason.word(), "deny-rule");
//! for step in &ruling.trace.steps {
//!     println!("{}: {}", step.step, step.outcome);
//! }
//! ```
//!
//! # How the parts fit
//!
//! A caller makes a [`Context`] from its settings, asks [`questions`] what else has to be known about files, links and git
//! for this call, adds the answers to [`Context::facts`], and calls [`decide()`]. The engine reads the call into a
//! [`view::View`] (commands, paths, hosts), then takes a fixed order of steps: validity of the input, deny rules,
//! self-protection, ask rules, safety checks, the proof that a call only reads, allow rules, the mode. A [`Decision::Ask`] with `pending_classifier_check` is left to a judge; the crates
//! `portcullis-classify` and `portcullis-gate` supply one.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`rules`] | permission rules such as `Bash(git push:*)`, their sources, and which are dangerous |
//! | [`facts`] | questions about the world that the caller answers: links, git configuration, scripts |
//! | [`view`] | what a call touches: its command line as it was read, its paths and how each is used |
//! | [`detect`] | detectors of harm, their categories, and the findings in a call |
//! | [`session`] | what earlier calls of a session leave behind, and the counters of denials |
//! | [`reason`] | the parts of a [`Reason`]: which check, which part of a command |
//! | [`suggest`] | rules to offer a person who is asked again and again |
//! | [`path`] | paths as text, on Unix and Windows |
//!
//! Start with [`decide()`], then [`Reason`] and [`facts`]. To judge calls of a real agent, with settings, a store and people
//! to ask, use `portcullis-gate`.

mod call;
mod context;
mod cover;
mod decide;
mod denials;
pub mod detect;
mod detector;
mod edited;
mod encoding;
pub mod facts;
mod glob;
mod matching;
mod mode;
pub mod path;
mod protected;
mod read_only;
pub mod rules;
mod ruling;
mod run_files;
mod safety;
mod self_protection;
pub mod session;
mod session_facts;
pub mod view;
mod web;

pub use call::{Tool, ToolCall};
pub use context::{Context, GateParts, Switches};
pub use decide::{decide, decide_with_view, questions, suggest};
pub use mode::{Mode, UnknownMode};
pub use ruling::{Decision, Reason, Ruling, Step, Trace};

/// What a [`Reason`] is made of: safety checks, the tool's own reasons, and the parts of a compound command.
pub mod reason {
    pub use crate::ruling::{Check, Part, PartResult, ToolReason};
}
