//! One call from start to finish: settings with their origins, trust of project files, and the facts about the
//! world that a ruling needs.
//!
//! Everything that `portcullis-decide` may not do happens here: files are read and written down, nothing else
//! is. What could not be read makes an answer stricter, never looser.
//!
//! ```no_run
//! use std::path::Path;
//! use portcullis_decide::{ToolCall, decide};
//! use portcullis_gate::{Overrides, Places, load, look_up};
//! use serde_json::json;
//!
//! let places = Places::from_environment(Path::new("/home/dev/proj"));
//! let loaded = load(&places, &Overrides::default());
//! let mut context = loaded.context("/home/dev/proj", "/home/dev");
//! let call = ToolCall::new("Bash", json!({ "command": "git status" }), "/home/dev/proj");
//! look_up(&call, &mut context);
//! println!("{}", decide(&call, &context).decision.name());
//! ```

mod error;
mod files;
mod gate;
pub mod hooks;
pub mod policy_test;
mod problem;
pub mod race;
mod remote;
mod sessions;
mod settings;
mod settle;
mod span;
mod store;
pub mod strict_json;
mod verdicts;
mod world;

pub use error::GateError;
pub use gate::{
    Action, Answer, Approvals, Changes, Choice, Gate, HumanAnswer, Judged, Lock, NotTaken, Options, OwnCall,
    Parked, Pause, People, Request, Talk, Told, calendar_ms, call_hash, gate_parts, lock, locked,
    not_offered, pause, paused, record_action, resume, unlock, with_rule, worker_refusal,
};
pub use problem::{Problem, Severity};
pub use remote::{Refreshed, refresh_remote, refresh_remote_now};
pub use sessions::{SessionMode, session_mode, set_session_mode};
pub use settings::{
    AskRules, AutoMode, Classifier, Import, Imported, IronGate, Keep, Loaded, Loosened, Overrides, Placed,
    Places, Review, SetAside, Settings, Shown, Stages, Standing, Trusted, add_rule, find_project, forget,
    import_claude_code, load, loosened_by, rule_file, schema, set_default_mode, trust, trusted_files,
};
pub use settle::{
    FailureCounters, Hearing, Layer, Model, ModelEnvironment, Settled, classifier_settings, lists, tokens,
};
pub use store::{
    Bad, Decided, Entry, Filter, Grant, GrantState, Ledger, Pruned, Receipt, Record, SessionRow, Store,
    StoreError, Tip, Verified, Writer, verify_export,
};
pub use verdicts::{Day, Group, KEPT_DAYS, Sums, Tally, Verdict, Verdicts};
pub use world::{command_keys, look_up, project_instructions, surroundings};
