//! Several who write at once.

use std::collections::HashSet;
use std::sync::{Arc, Barrier};

use super::super::writer::Receipt;
use super::super::{Filter, Ledger, Store, StoreError, Writer};
use super::*;

/// Holds the thread with a job, so that those handed over until the sender is used become one group.
fn holding(writer: &Writer) -> (Receipt<()>, std::sync::mpsc::Sender<()>) {
    let (open, gate) = std::sync::mpsc::channel();
    let (begun, wait) = std::sync::mpsc::channel();
    let held = writer.submit(move |_| {
        begun.send(()).unwrap();
        gate.recv().unwrap();
        Ok(())
    });
    wait.recv().unwrap();
    (held, open)
}

/// [N3], [A1]
#[test]
fn several_at_once_lose_nothing_and_give_no_number_twice() {
    const EACH: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    // All find no database and make it at the same moment.
    let start = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let (state, start) = (state.clone(), Arc::clone(&start));
            std::thread::spawn(move || {
                start.wait();
                let mut numbers = Vec::new();
                for number in 0..EACH {
                    // Opened anew each time, as a process that is started for every call does.
                    let mut store = Store::open(&state).unwrap();
                    let record = record(&format!("s{thread}"), &format!("ls {number}"));
                    numbers.push(store.commit(|ledger| ledger.append(&record)).unwrap().seq);
                }
                numbers
            })
        })
        .collect();
    let numbers: Vec<u64> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let unique: HashSet<u64> = numbers.iter().copied().collect();
    assert_eq!((numbers.len(), unique.len()), (4 * EACH, 4 * EACH));
    let whole = verified(&state);
    assert!(matches!(whole, Verified::Whole { entries: 160, .. }), "{whole:?}");
}

/// What is read in a transaction cannot change before it is written back. [N3]
#[test]
fn counters_do_not_forget() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_path_buf();
    drop(Store::open(&state).unwrap());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let state = state.clone();
            std::thread::spawn(move || {
                let mut store = Store::open(&state).unwrap();
                for _ in 0..25 {
                    store
                        .commit(|ledger| {
                            let mut row = ledger.session("s")?.unwrap_or_default();
                            row.id = "s".to_owned();
                            row.denials.total += 1;
                            ledger.put_session(&row)
                        })
                        .unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let row = Store::open_read_only(&state).unwrap().session("s").unwrap().unwrap();
    assert_eq!(row.denials.total, 100);
}

/// [A1]
#[test]
fn a_group_is_written_together_and_a_failing_job_hurts_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_path_buf();
    let writer = Writer::start(Store::open(&state).unwrap()).unwrap();
    let (first, open) = holding(&writer);
    let good: Vec<_> = (0..10)
        .map(|number| writer.submit(move |ledger| ledger.append(&record("s", &format!("{number}")))))
        .collect();
    let failing = writer.submit(|ledger| {
        ledger.append(&record("s", "never"))?;
        Err::<(), _>(StoreError::Refused("on purpose".to_owned()))
    });
    let breaking = writer.submit(|ledger| -> Result<(), StoreError> {
        ledger.append(&record("s", "never"))?;
        panic!("on purpose")
    });
    let after = writer.submit(|ledger| ledger.append(&record("s", "after")));
    open.send(()).unwrap();
    assert!(first.wait().is_ok());
    let numbers: Vec<u64> = good.into_iter().map(|receipt| receipt.wait().unwrap().seq).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    assert_eq!(failing.wait(), Err(StoreError::Refused("on purpose".to_owned())));
    assert!(breaking.wait().is_err());
    assert_eq!(after.wait().unwrap().seq, 11);
    let whole = verified(&state);
    assert!(matches!(whole, Verified::Whole { entries: 11, .. }), "{whole:?}");
    let mut commands = Vec::new();
    Store::open_read_only(&state)
        .unwrap()
        .entries(&Filter::default(), |entry| {
            commands.push(entry.record.input["command"].as_str().unwrap().to_owned());
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert!(!commands.contains(&"never".to_owned()));
}

/// [A1], [A3]
#[test]
fn nobody_is_told_before_the_group_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_path_buf();
    let writer = Writer::start(Store::open(&state).unwrap()).unwrap();
    let (first, open) = holding(&writer);
    let well = writer.submit(|ledger| ledger.append(&record("s", "ls")));
    // The commit of this group fails: a reference from one table to another does not hold.
    let spoiling = writer.submit(|ledger| {
        ledger.execute("PRAGMA defer_foreign_keys = ON")?;
        ledger.execute(
            "CREATE TABLE a (x PRIMARY KEY); CREATE TABLE b (y REFERENCES a (x)); INSERT INTO b VALUES (1)",
        )
    });
    open.send(()).unwrap();
    assert!(first.wait().is_ok());
    assert!(well.wait().is_err() && spoiling.wait().is_err(), "a success that is not there");
    assert_eq!(Store::open_read_only(&state).unwrap().entry(1).unwrap(), None);
    assert_eq!(writer.submit(|ledger| ledger.append(&record("s", "ls"))).wait().unwrap().seq, 1);
}

/// A database that cannot be had is an error for all who wait, and the thread goes on. [A3]
#[test]
fn all_who_wait_hear_of_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_path_buf();
    let store = Store::open(&state).unwrap();
    store.connection.busy_timeout(std::time::Duration::from_millis(20)).unwrap();
    let writer = Writer::start(store).unwrap();
    let other = rusqlite::Connection::open(state.join("portcullis.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let receipts: Vec<_> =
        (0..5).map(|_| writer.submit(|ledger| ledger.append(&record("s", "ls")))).collect();
    for receipt in receipts {
        assert!(matches!(receipt.wait(), Err(StoreError::Busy { .. })));
    }
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(writer.submit(|ledger| ledger.append(&record("s", "ls"))).wait().unwrap().seq, 1);
}

#[test]
fn stopping_finishes_what_was_handed_over() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Writer::start(Store::open(folder.path()).unwrap()).unwrap();
    let receipts: Vec<_> =
        (0..300).map(|_| writer.submit(|ledger| ledger.append(&record("s", "ls")))).collect();
    writer.stop();
    assert!(receipts.into_iter().all(|receipt| receipt.wait().is_ok()));
    assert!(matches!(verified(folder.path()), Verified::Whole { entries: 300, .. }));
}

/// Callers that write themselves take along what others left, and everybody is told once. [A1], [N3]
#[test]
fn whoever_has_time_writes_for_all() {
    const EACH: usize = 100;
    let folder = tempfile::tempdir().unwrap();
    let writer = Arc::new(Writer::start(Store::open(folder.path()).unwrap()).unwrap());
    let (told, heard) = std::sync::mpsc::channel();
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let (writer, told) = (Arc::clone(&writer), told.clone());
            std::thread::spawn(move || {
                for number in 0..EACH {
                    let record = record(&format!("s{thread}"), &format!("ls {number}"));
                    let job = move |ledger: &Ledger<'_>| ledger.append(&record);
                    let told = told.clone();
                    if number % 5 == 0 {
                        told.send(writer.submit(job).wait().unwrap().seq).unwrap();
                    } else {
                        writer.write(job, move |written| told.send(written.unwrap().seq).unwrap());
                    }
                }
            })
        })
        .collect();
    drop(told);
    let numbers: Vec<u64> = heard.iter().collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let unique: HashSet<u64> = numbers.iter().copied().collect();
    assert_eq!((numbers.len(), unique.len()), (4 * EACH, 4 * EACH));
    assert!(matches!(verified(folder.path()), Verified::Whole { entries: 400, .. }));
}

/// [A1], [A3]
#[test]
fn a_caller_that_breaks_off_over_its_answer_hurts_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Writer::start(Store::open(folder.path()).unwrap()).unwrap();
    let (first, open) = holding(&writer);
    writer.write(|ledger| ledger.append(&record("s", "ls")), |_| panic!("on purpose"));
    let after = writer.submit(|ledger| ledger.append(&record("s", "ls")));
    open.send(()).unwrap();
    assert!(first.wait().is_ok());
    assert_eq!(after.wait().unwrap().seq, 2);
    // A caller may write again while it is told.
    let (told, heard) = std::sync::mpsc::channel();
    let writer = Arc::new(writer);
    let again = Arc::clone(&writer);
    writer.write(
        |ledger| ledger.append(&record("s", "ls")),
        move |_| told.send(again.submit(|ledger| ledger.append(&record("s", "ls"))).wait()).unwrap(),
    );
    assert_eq!(heard.recv().unwrap().unwrap().seq, 4);
}

#[tokio::test]
async fn receipts_can_be_awaited() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Writer::start(Store::open(folder.path()).unwrap()).unwrap();
    assert_eq!(writer.submit(|ledger| ledger.append(&record("s", "ls"))).durable().await.unwrap().seq, 1);
}
