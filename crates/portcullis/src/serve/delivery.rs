//! Whether an answer really reached the hook that asked for it (SPEC A8).
//!
//! A hook confirms an answer with one byte on the connection it came on. Where that byte does not come, the entry of the
//! log that the answer rests on gets a second one that says so. Which of the two happened is decided once: before an
//! answer is given up, the connection is closed for reading, and a hook whose confirmation is refused does not print.

use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use portcullis_client::CONFIRMED;
use portcullis_gate::Gate;
use rustix::net::{RecvFlags, recv};

/// How long a hook may take to confirm an answer.
const LONGEST: Duration = Duration::from_secs(10);
/// How often connections are looked at that have not confirmed yet.
const STEP: Duration = Duration::from_millis(250);
/// After how many unconfirmed answers they are looked at without waiting.
const MANY: usize = 64;
/// The most answers that wait for their confirmation; the oldest gives way.
const MOST: usize = 256;

/// Answers that were written and not yet confirmed.
pub(super) struct Deliveries {
    gate: Gate,
    unconfirmed: Mutex<VecDeque<Unconfirmed>>,
    /// Whether somebody comes to look at them.
    watched: AtomicBool,
    runtime: tokio::runtime::Handle,
}

struct Unconfirmed {
    stream: UnixStream,
    entries: Vec<u64>,
    since: Instant,
}

/// What is known of an answer.
#[derive(PartialEq, Eq, Debug, Clone, Copy)]
enum Fate {
    Taken,
    Abandoned,
    Open,
}

impl Deliveries {
    /// Belongs to the runtime that it is made in.
    pub(super) fn new(gate: Gate) -> Arc<Deliveries> {
        Arc::new(Deliveries {
            gate,
            unconfirmed: Mutex::default(),
            watched: AtomicBool::new(false),
            runtime: tokio::runtime::Handle::current(),
        })
    }

    /// Writes an answer; notes it as abandoned if that fails.
    pub(super) fn send(
        self: &Arc<Deliveries>,
        mut stream: UnixStream,
        answer: &[u8],
        entries: Vec<u64>,
        confirms: bool,
    ) {
        if stream.write_all(answer).is_err() {
            // Nothing can be confirmed any more that arrived in part.
            drop(stream.shutdown(Shutdown::Both));
            return self.gate.abandoned(entries);
        }
        if confirms {
            self.expect(stream, entries);
        }
    }

    /// Waits for the confirmation of an answer that was written.
    pub(super) fn expect(self: &Arc<Deliveries>, stream: UnixStream, entries: Vec<u64>) {
        if stream.set_nonblocking(true).is_err() {
            drop(stream.shutdown(Shutdown::Both));
            return self.gate.abandoned(entries);
        }
        let mut unconfirmed = self.lock();
        unconfirmed.push_back(Unconfirmed { stream, entries, since: Instant::now() });
        let many = unconfirmed.len() >= MANY;
        drop(unconfirmed);
        if many {
            self.look(Instant::now());
        }
        self.watch();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Unconfirmed>> {
        self.unconfirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody looks from time to time as long as there is something to look at; nobody waits for it.
    fn watch(self: &Arc<Deliveries>) {
        if self.watched.swap(true, Ordering::SeqCst) {
            return;
        }
        let deliveries = Arc::clone(self);
        self.runtime.spawn(async move {
            while !deliveries.lock().is_empty() {
                tokio::time::sleep(STEP).await;
                deliveries.look(Instant::now());
            }
            deliveries.watched.store(false, Ordering::SeqCst);
            // One may have come between the look and the word that nobody looks.
            if !deliveries.lock().is_empty() {
                deliveries.watch();
            }
        });
    }

    /// Takes away what is decided.
    fn look(&self, now: Instant) {
        let mut waiting = self.lock();
        let mut over = waiting.len().saturating_sub(MOST);
        let mut abandoned = Vec::new();
        waiting.retain(|one| {
            let late = over > 0 || now.saturating_duration_since(one.since) > LONGEST;
            let fate = fate(&one.stream, late);
            match fate {
                Fate::Open => return true,
                Fate::Taken => {}
                Fate::Abandoned => abandoned.extend(&one.entries),
            }
            over = over.saturating_sub(1);
            false
        });
        drop(waiting);
        if !abandoned.is_empty() {
            self.gate.abandoned(abandoned);
        }
    }

    /// Waits for the confirmations that are still missing, but not for ever.
    pub(super) async fn finish(&self, longest: Duration) {
        let end = Instant::now() + longest;
        self.look(Instant::now());
        while !self.lock().is_empty() && Instant::now() < end {
            tokio::time::sleep(STEP).await;
            self.look(Instant::now());
        }
        // FAIL-CLOSED(unconfirmed): what is not confirmed by now cannot be confirmed any more.
        self.look(Instant::now() + LONGEST + LONGEST);
    }
}

/// Whether the hook at the other end took its answer. One that is late is given up.
fn fate(stream: &UnixStream, late: bool) -> Fate {
    match confirmation(stream) {
        Fate::Open if late => {
            // From here on the hook's confirmation fails; one that came before is still found.
            drop(stream.shutdown(Shutdown::Read));
            if confirmation(stream) == Fate::Taken { Fate::Taken } else { Fate::Abandoned }
        }
        fate @ (Fate::Open | Fate::Taken | Fate::Abandoned) => fate,
    }
}

fn confirmation(stream: &UnixStream) -> Fate {
    let mut byte = [0];
    match recv(stream, &mut byte, RecvFlags::DONTWAIT) {
        Ok((1.., _)) if byte == [CONFIRMED] => Fate::Taken,
        Ok(_) => Fate::Abandoned,
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Fate::Open,
        Err(_) => Fate::Abandoned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [A8] attack-L1
    #[test]
    fn an_answer_is_either_confirmed_or_abandoned_and_never_both() {
        let (daemon, mut hook) = UnixStream::pair().unwrap();
        assert_eq!(fate(&daemon, false), Fate::Open);
        hook.write_all(&[CONFIRMED]).unwrap();
        assert_eq!(fate(&daemon, false), Fate::Taken);

        let (daemon, mut hook) = UnixStream::pair().unwrap();
        hook.write_all(&[CONFIRMED]).unwrap();
        drop(hook);
        assert_eq!(fate(&daemon, true), Fate::Taken, "it came in time, whenever it is looked at");

        let (daemon, hook) = UnixStream::pair().unwrap();
        drop(hook);
        assert_eq!(fate(&daemon, false), Fate::Abandoned, "the hook is gone");

        let (daemon, mut hook) = UnixStream::pair().unwrap();
        assert_eq!(fate(&daemon, true), Fate::Abandoned, "too late");
        assert!(hook.write_all(&[CONFIRMED]).is_err(), "the hook learns that, and does not print");
    }
}
