//! Group commit: jobs that come while one group is written are made durable together, as the next group.
//!
//! Whoever has time writes: a caller that can block writes its own job and those that came meanwhile, so a lone call
//! is never handed to another thread; callers that must not block leave theirs to a thread that waits for them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::Store;
use super::error::StoreError;
use super::ledger::Ledger;

/// The most jobs in one transaction: later ones must not wait for ever.
const MOST: usize = 256;

/// Tells whoever waits for a job how it ended; called only after the commit, with the error of that if it failed.
type Release = Box<dyn FnOnce(Option<StoreError>)>;
/// A job gets the transaction, or hears why there is none.
type Job = Box<dyn FnOnce(Result<&Ledger<'_>, StoreError>) -> Release + Send>;

/// Writes for many at once.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    waiting: Mutex<Waiting>,
    /// Somebody left a job for the thread.
    left: Condvar,
    store: Mutex<Store>,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    stopped: bool,
}

/// The promise of an answer.
#[derive(Debug)]
#[must_use]
pub(crate) struct Receipt<T>(oneshot::Receiver<Result<T, StoreError>>);

impl<T> Receipt<T> {
    /// Waits until the job is durable. Not for use inside an async runtime.
    ///
    /// # Errors
    /// If the job failed or could not be made durable.
    pub(crate) fn wait(self) -> Result<T, StoreError> {
        // FAIL-CLOSED(writer-gone): no answer is not an answer.
        self.0.blocking_recv().unwrap_or(Err(StoreError::Stopped))
    }

    /// Waits until the job is durable.
    ///
    /// # Errors
    /// If the job failed or could not be made durable.
    pub(crate) async fn durable(self) -> Result<T, StoreError> {
        // FAIL-CLOSED(writer-gone): no answer is not an answer.
        self.0.await.unwrap_or(Err(StoreError::Stopped))
    }
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(crate) fn start(store: Store) -> Result<Writer, StoreError> {
        let shared =
            Arc::new(Shared { waiting: Mutex::default(), left: Condvar::new(), store: Mutex::new(store) });
        let thread = std::thread::Builder::new().name("audit".to_owned());
        let served = Arc::clone(&shared);
        let thread = thread.spawn(move || served.serve());
        let thread =
            thread.map_err(|error| StoreError::Refused(format!("cannot start a thread: {error}")))?;
        Ok(Writer { shared, thread: Some(thread) })
    }

    /// Hands over a job. Its answer comes when everything that it wrote is durable. A job that fails leaves
    /// nothing behind and does not hurt the others.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Receipt<T> {
        let (answer, receipt) = oneshot::channel();
        // Whoever asked may have gone; the record stays.
        self.leave(work, move |result| drop(answer.send(result)));
        Receipt(receipt)
    }

    /// The same with a word of one's own when the job is durable or failed; it is called by the thread that wrote.
    pub(crate) fn leave<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
        told: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) {
        self.shared.add(job(work, told));
        self.shared.left.notify_one();
    }

    /// The same for a caller that may block: it writes the job itself, unless somebody is writing, who then takes it
    /// along. `told` is called when the job is durable or failed, perhaps by another thread.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
        told: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) {
        self.shared.add(job(work, told));
        self.shared.write_waiting();
    }

    #[cfg(test)]
    /// Finishes what was handed over, and ends.
    pub(crate) fn stop(self) {
        drop(self);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.left.notify_one();
        // The thread itself may be the last that held the writer; it ends by itself.
        let other = |thread: &JoinHandle<()>| thread.thread().id() != std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(other) {
            drop(thread.join());
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, job: Job) {
        self.lock().jobs.push_back(job);
    }

    fn next_group(&self) -> Vec<Job> {
        let mut waiting = self.lock();
        let most = waiting.jobs.len().min(MOST);
        waiting.jobs.drain(..most).collect()
    }

    /// What the thread does until the writer goes.
    fn serve(&self) {
        let mut waiting = self.lock();
        loop {
            if waiting.jobs.is_empty() {
                if waiting.stopped {
                    return;
                }
                waiting = self.left.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(waiting);
            let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            self.write_group(store);
            waiting = self.lock();
        }
    }

    /// Writes what waits, unless somebody else is writing. Who writes looks again when the store is free, and leaves to
    /// the thread what came meanwhile: a caller has its own work to do.
    fn write_waiting(&self) {
        match self.store.try_lock() {
            Ok(store) => self.write_group(store),
            Err(TryLockError::Poisoned(poisoned)) => self.write_group(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => return,
        }
        if !self.lock().jobs.is_empty() {
            self.left.notify_one();
        }
    }

    /// Writes one group, and tells once others can use the store.
    fn write_group(&self, mut store: MutexGuard<'_, Store>) {
        let jobs = self.next_group();
        // Somebody else was faster.
        if jobs.is_empty() {
            return;
        }
        let releases = write(&mut store, jobs);
        drop(store);
        for release in releases {
            // A caller that breaks off over its answer must not keep the others from theirs.
            drop(catch_unwind(AssertUnwindSafe(release)));
        }
    }
}

fn job<T: Send + 'static>(
    work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
    told: impl FnOnce(Result<T, StoreError>) + Send + 'static,
) -> Job {
    Box::new(move |ledger| {
        let result = ledger.and_then(|ledger| attempt(ledger, work));
        Box::new(move |trouble| {
            told(match (result, trouble) {
                (Ok(_), Some(trouble)) => Err(trouble),
                (result, _) => result,
            });
        })
    })
}

/// Writes a group. Nobody is told anything before it is durable: what comes back does that.
fn write(store: &mut Store, jobs: Vec<Job>) -> Vec<Box<dyn FnOnce()>> {
    let mut releases: Vec<Release> = Vec::with_capacity(jobs.len());
    let mut jobs = jobs.into_iter();
    let written = store.commit(|ledger| {
        for job in jobs.by_ref() {
            releases.push(job(Ok(ledger)));
            if !ledger.stands() {
                return Err(StoreError::Refused("the disk ended the transaction".to_owned()));
            }
        }
        Ok(())
    });
    let trouble = written.err();
    if let Some(trouble) = &trouble {
        // Jobs that were not begun any more hear the same.
        releases.extend(jobs.map(|job| job(Err(trouble.clone()))));
    }
    releases
        .into_iter()
        .map(|release| {
            let trouble = trouble.clone();
            Box::new(move || release(trouble)) as Box<dyn FnOnce()>
        })
        .collect()
}

fn attempt<T>(
    ledger: &Ledger<'_>,
    work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(|| ledger.apart(work))).unwrap_or_else(|_| {
        // FAIL-CLOSED(panic): a job that broke off has written nothing.
        Err(StoreError::Refused("the record broke off because of a mistake in portcullis".to_owned()))
    })
}
