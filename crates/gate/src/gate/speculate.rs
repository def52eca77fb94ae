//! Verdicts of the command classifier that are asked for while the agent still speaks (SPEC H3).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_classify::command::CommandMatch;
use portcullis_decide::{Reason, ToolCall};
use tokio::sync::oneshot;

use super::case::Case;
use super::request::Request;
use super::{Gate, clock};
use crate::race::{Key, Speculation, Taken, Ticket};
use crate::settle::Model;

/// How many verdicts are kept, and for how long.
const MOST: usize = 256;
const KEPT_MS: u64 = 120_000;

/// Verdicts in advance, and who waits for those that are on their way.
pub(crate) struct Advance(Mutex<Inside>);

struct Inside {
    table: Speculation<CommandMatch>,
    waiting: HashMap<Ticket, oneshot::Sender<CommandMatch>>,
}

impl Default for Advance {
    fn default() -> Advance {
        Advance(Mutex::new(Inside { table: Speculation::new(MOST, KEPT_MS), waiting: HashMap::new() }))
    }
}

impl Advance {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn now() -> u64 {
    clock::micros() / 1000
}

impl Gate {
    /// Starts to classify a command that will probably be called. The result is kept silently, and the first request
    /// for the same call takes it.
    pub async fn speculate(&self, request: Request) {
        let gate = self.clone();
        let case = tokio::task::spawn_blocking(move || gate.case(request)).await;
        let Ok(Ok(case)) = case else { return };
        let Some((model, words)) = self.command_classifier(&case, &Reason::NoRule) else { return };
        let Some(key) = key(&case) else { return };
        let Some(ticket) = self.inside.advance.lock().table.begin(now(), key) else { return };
        let said = model.match_command(&words, &case.request.call).await;
        let kept = match said {
            CommandMatch::Failed(_) => None,
            CommandMatch::Matches { .. } | CommandMatch::No => Some(said),
        };
        let mut inside = self.inside.advance.lock();
        let wanted = inside.table.finish(now(), ticket, kept);
        if let (Some(waiter), Some(said)) = (inside.waiting.remove(&ticket), wanted) {
            // Whoever waited may have gone; an unused verdict is dropped.
            drop(waiter.send(said));
        }
    }

    /// The classifier's word: one that was asked for before, or a new one.
    pub(crate) async fn matched(
        &self,
        key: Option<Key>,
        model: &Arc<Model>,
        words: Vec<String>,
        call: &ToolCall,
    ) -> CommandMatch {
        if let Some(waiter) = key.and_then(|key| self.claimed(&key)) {
            match waiter {
                Claimed::Done(said) => return said,
                Claimed::Running(receiver) => {
                    if let Ok(said) = receiver.await {
                        return said;
                    }
                }
            }
        }
        model.match_command(&words, call).await
    }

    fn claimed(&self, key: &Key) -> Option<Claimed> {
        let mut inside = self.inside.advance.lock();
        match inside.table.take(now(), key) {
            Taken::Nothing => None,
            Taken::Done(said) => Some(Claimed::Done(said)),
            Taken::Running(ticket) => {
                let (sender, receiver) = oneshot::channel();
                inside.waiting.insert(ticket, sender);
                Some(Claimed::Running(receiver))
            }
        }
    }
}

/// What a verdict about this case is kept under.
pub(crate) fn key(case: &Case) -> Option<Key> {
    Key::of(&case.request.call, case.context.effective_mode(), case.binding())
}

enum Claimed {
    Done(CommandMatch),
    Running(oneshot::Receiver<CommandMatch>),
}
