//! Says allow, deny or ask about a tool call, and why.
//!
//! A pure function: a call and what is known go in, a ruling with its reason and its trace comes out. There
//! are no files, clock, environment, network or waiting here; what has to be known about the world is asked
//! for with [`questions`] and brought back as [`Facts`]. What cannot be told is never allowed by a rule.
//!
//! ```
//! use portcullis_decide::{Context, Facts, ToolCall, decide};
//! use serde_json::json;
//!
//! let mut context = Context::new("/home/dev/proj", "/home/dev");
//! context.facts = Facts::plain();
//! let call = ToolCall::new("Bash", json!({ "command": "git status" }), "/home/dev/proj");
//! assert!(decide(&call, &context).decision.is_allow());
//! ```

mod addresses;
mod bounds;
mod call;
mod context;
mod cover;
mod critical;
mod decide;
mod denials;
mod destinations;
mod edited;
mod encoding;
mod erase;
mod facts;
mod fast_path;
mod fed;
mod fields;
mod glob;
mod handed;
mod harm;
mod input;
mod leads;
mod matching;
mod mentions;
mod mode;
mod named;
mod patches;
mod path;
mod protected;
mod reads;
mod rules;
mod ruling;
mod run_files;
mod safety;
mod searches;
mod self_protection;
mod session;
mod session_json;
mod skipped;
mod spellings;
mod suggest;
mod variables;
mod view;
mod web;
mod wrapped;

pub use call::{TOOLS, Tool, ToolCall};
pub use context::{Context, GateParts, Switches};
pub use decide::{decide, questions};
pub use denials::{CONSECUTIVE_LIMIT, Denials, Next, Outcome, TOTAL_LIMIT};
pub use edited::text_after;
pub use encoding::encode;
pub use facts::{Answer, Facts, FileText, PathFact, PathKind, Question, Unread};
pub use glob::Match;
pub use harm::{
    Category, Finding, Severity, findings, reads_only_samples, texts_written, types_into_page,
    unusual_besides,
};
pub use leads::Climb;
pub use mode::{Mode, UnknownMode};
pub use path::{Platform, absolute, is_within};
pub use rules::{
    Anchor, BrokenRule, Extra, List, Origin, PathPattern, Rule, Rules, Source, Specifier, is_dangerous,
};
pub use ruling::{Check, Decision, Part, PartResult, Reason, Ruling, Step, ToolReason, Trace};
pub use session::{Names, SessionFacts, Taint};
pub use suggest::{no_habit, shape};
pub use view::{Access, PathUse, View, dialect};
