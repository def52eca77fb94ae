//! What the daemon does for the log from time to time, away from every call.

use std::time::{Duration, Instant};

use portcullis_gate::Gate;

use crate::spool;

/// How often notes of hooks are looked for.
const NOTES: Duration = Duration::from_secs(5);
/// How often it is looked whether old entries are to go.
const RETENTION: Duration = Duration::from_hours(1);

/// Goes on until it is aborted.
pub(super) async fn run(gate: Gate) {
    let mut retained: Option<Instant> = None;
    loop {
        let due = retained.is_none_or(|last| last.elapsed() >= RETENTION);
        let working = gate.clone();
        let work = tokio::task::spawn_blocking(move || {
            spool::take_over(&working);
            if due {
                // What cannot go now goes later; `doctor` and `log verify` say what is wrong with the log.
                drop(working.retain());
            }
        });
        drop(work.await);
        if due {
            retained = Some(Instant::now());
        }
        tokio::time::sleep(NOTES).await;
    }
}
