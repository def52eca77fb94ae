//! Group commit: a thread that owns the store, takes whatever jobs are waiting, and makes them durable together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
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

/// The thread that writes.
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// The promise of an answer.
#[derive(Debug)]
#[must_use]
pub struct Receipt<T>(oneshot::Receiver<Result<T, StoreError>>);

impl<T> Receipt<T> {
    /// Waits until the job is durable. Not for use inside an async runtime.
    ///
    /// # Errors
    /// If the job failed or could not be made durable.
    pub fn wait(self) -> Result<T, StoreError> {
        // FAIL-CLOSED(writer-gone): no answer is not an answer.
        self.0.blocking_recv().unwrap_or(Err(StoreError::Stopped))
    }

    /// Waits until the job is durable.
    ///
    /// # Errors
    /// If the job failed or could not be made durable.
    pub async fn durable(self) -> Result<T, StoreError> {
        // FAIL-CLOSED(writer-gone): no answer is not an answer.
        self.0.await.unwrap_or(Err(StoreError::Stopped))
    }
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(store: Store) -> Result<Writer, StoreError> {
        let (jobs, waiting) = channel();
        let thread = std::thread::Builder::new().name("audit".to_owned());
        let thread = thread.spawn(move || serve(store, &waiting));
        let thread =
            thread.map_err(|error| StoreError::Refused(format!("cannot start a thread: {error}")))?;
        Ok(Writer { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands over a job. Its answer comes when everything that it wrote is durable. A job that fails leaves
    /// nothing behind and does not hurt the others.
    pub fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Receipt<T> {
        let (answer, receipt) = oneshot::channel();
        let job: Job = Box::new(move |ledger| {
            let result = ledger.and_then(|ledger| attempt(ledger, work));
            Box::new(move |trouble| {
                let result = match (result, trouble) {
                    (Ok(_), Some(trouble)) => Err(trouble),
                    (result, _) => result,
                };
                // Whoever asked may have gone; the record stays.
                drop(answer.send(result));
            })
        });
        if let Some(jobs) = &self.jobs {
            // A thread that has ended drops the job and with it the promise.
            drop(jobs.send(job));
        }
        Receipt(receipt)
    }

    /// Finishes what was handed over, and ends.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn serve(mut store: Store, waiting: &Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let jobs: Vec<Job> = std::iter::once(first).chain(waiting.try_iter().take(MOST - 1)).collect();
        write(&mut store, jobs);
    }
}

/// Writes a group. Nobody is told anything before it is durable.
fn write(store: &mut Store, jobs: Vec<Job>) {
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
    for release in releases {
        release(trouble.clone());
    }
    if let Some(trouble) = trouble {
        // Jobs that were not begun any more hear the same.
        for job in jobs {
            job(Err(trouble.clone()))(None);
        }
    }
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
