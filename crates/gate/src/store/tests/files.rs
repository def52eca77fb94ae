//! Files that are not as they should be.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::super::{Store, StoreError};
use super::*;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn append(state: &Path) -> Result<u64, StoreError> {
    Store::open(state)?.commit(|ledger| ledger.append(&record("s", "ls"))).map(|entry| entry.seq)
}

#[test]
fn every_file_is_private() {
    let (_folder, state) = filled(1);
    assert_eq!(mode(&state), 0o700);
    let store = Store::open(&state).unwrap();
    for entry in std::fs::read_dir(&state).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    assert!(std::fs::read_dir(&state).unwrap().count() >= 3);
    drop(store);
    std::fs::set_permissions(state.join("portcullis.db"), std::fs::Permissions::from_mode(0o644)).unwrap();
    append(&state).unwrap();
    assert_eq!(mode(&state.join("portcullis.db")), 0o600);
}

/// [A3]
#[test]
fn what_others_could_have_changed_is_refused() {
    for path in ["", "portcullis.db"] {
        let (_folder, state) = filled(1);
        let path = state.join(path);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o722)).unwrap();
        let refused = append(&state).unwrap_err();
        assert!(matches!(refused, StoreError::Unusable { .. }), "{refused}");
    }
}

/// [A3]
#[test]
fn a_link_in_the_place_of_a_file_is_refused() {
    for name in ["portcullis.db", "audit.head"] {
        let (folder, state) = filled(1);
        let moved = folder.path().join("elsewhere");
        std::fs::rename(state.join(name), &moved).unwrap();
        symlink(&moved, state.join(name)).unwrap();
        assert!(append(&state).is_err(), "{name}");
    }
    // Links on the way to the folder are the user's own affair.
    let (folder, state) = filled(1);
    symlink(&state, folder.path().join("link")).unwrap();
    assert_eq!(append(&folder.path().join("link")).unwrap(), 2);
}

/// [A3]
#[test]
fn a_database_that_is_damaged_says_so_and_what_to_do() {
    let (_folder, state) = filled(3);
    let file = state.join("portcullis.db");
    std::fs::write(&file, vec![7; 8192]).unwrap();
    drop(std::fs::remove_file(state.join("portcullis.db-wal")));
    let refused = append(&state).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    assert!(refused.to_string().contains("portcullis.db"));
    // As the message says.
    for name in ["portcullis.db", "portcullis.db-wal", "portcullis.db-shm", "audit.head"] {
        drop(std::fs::remove_file(state.join(name)));
    }
    assert_eq!(append(&state).unwrap(), 1);
}

/// [A1], [A3]
#[test]
fn a_database_that_is_gone_or_empty_begins_no_new_chain() {
    for size in [None, Some(0)] {
        let (_folder, state) = filled(3);
        for name in ["portcullis.db", "portcullis.db-wal", "portcullis.db-shm"] {
            drop(std::fs::remove_file(state.join(name)));
        }
        if size.is_some() {
            std::fs::write(state.join("portcullis.db"), "").unwrap();
        }
        for _ in 0..2 {
            let refused = append(&state).unwrap_err();
            assert!(matches!(refused, StoreError::CutTail { expected: 3, found: 0, .. }), "{refused}");
            let looked = Store::open_read_only(&state).err();
            assert!(matches!(looked, Some(StoreError::CutTail { expected: 3, .. })), "{looked:?}");
        }
    }
}

/// Moves everything into the database itself.
fn checkpoint(state: &Path) {
    let connection = rusqlite::Connection::open(state.join("portcullis.db")).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// [A1]
#[test]
fn a_database_that_was_cut_short_is_found() {
    let (_folder, state) = filled(200);
    checkpoint(&state);
    let file = std::fs::OpenOptions::new().write(true).open(state.join("portcullis.db")).unwrap();
    let length = file.metadata().unwrap().len();
    file.set_len(length / 2 / 4096 * 4096).unwrap();
    let found = Store::open_read_only(&state).and_then(|store| store.verify());
    assert!(matches!(found, Ok(Verified::Damaged(_)) | Err(StoreError::Damaged { .. })), "{found:?}");
}

/// Recent writes that broke off are gone as if they had never been, and the head tells. [A1]
#[test]
fn a_torn_log_of_recent_writes_is_a_cut_end() {
    let (_folder, state) = filled(5);
    let wal = std::fs::OpenOptions::new().write(true).open(state.join("portcullis.db-wal")).unwrap();
    let length = wal.metadata().unwrap().len();
    assert!(length > 8192, "the test needs recent writes: {length}");
    wal.set_len(length - 5000).unwrap();
    // The index of the recent writes belongs to the memory of processes that have ended.
    std::fs::remove_file(state.join("portcullis.db-shm")).unwrap();
    assert_eq!(bad(&state), Some(5));
    assert!(matches!(append(&state), Err(StoreError::CutTail { expected: 5, found: 4, .. })));
}

/// Every single byte of the texts is covered. [A1]
#[test]
fn a_flipped_bit_in_the_file_is_found() {
    let (_folder, state) = filled(20);
    checkpoint(&state);
    let file = state.join("portcullis.db");
    let whole = std::fs::read(&file).unwrap();
    let needle = b"\"ls 13\"";
    let at = whole.windows(needle.len()).position(|window| window == needle).unwrap();
    for offset in 0..needle.len() {
        let mut changed = whole.clone();
        changed[at + offset] ^= 1;
        std::fs::write(&file, changed).unwrap();
        assert_eq!(bad(&state), Some(14), "byte {offset}");
    }
    std::fs::write(&file, whole).unwrap();
    assert_eq!(bad(&state), None);
}

/// [A3]
#[test]
fn a_newer_form_is_left_alone() {
    let (_folder, state) = filled(1);
    tamper(&state, "PRAGMA user_version = 99");
    for refused in [append(&state).err(), Store::open_read_only(&state).err()] {
        assert!(matches!(refused, Some(StoreError::Newer { found: 99, .. })), "{refused:?}");
    }
}

/// [A3]
#[test]
fn a_locked_database_is_an_error_and_the_next_call_works() {
    let (_folder, state) = filled(1);
    let mut store = Store::open(&state).unwrap();
    store.connection.busy_timeout(std::time::Duration::from_millis(20)).unwrap();
    let other = rusqlite::Connection::open(state.join("portcullis.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap_err();
    assert!(matches!(refused, StoreError::Busy { .. }), "{refused}");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap().seq, 2);
}

/// [A3]
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    // Below a file there is no folder, whoever asks; the superuser could write to a read-only one.
    assert!(append(&file.join("state")).is_err());
    if !rustix::process::geteuid().is_root() {
        let state = folder.path().join("state");
        std::fs::create_dir(&state).unwrap();
        std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o500)).unwrap();
        assert!(append(&state).is_err());
    }
}

/// What is written to a file that was moved away would be lost to everybody else. [A3]
#[test]
fn a_database_that_was_moved_away_is_not_written_to() {
    let (_folder, state) = filled(1);
    let mut store = Store::open(&state).unwrap();
    std::fs::rename(state.join("portcullis.db"), state.join("old.db")).unwrap();
    let refused = store.commit(|ledger| ledger.append(&record("s", "ls"))).unwrap_err();
    assert!(matches!(refused, StoreError::Unusable { .. }), "{refused}");
}

#[test]
fn looking_does_not_make_a_store() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join("none")] {
        assert!(matches!(Store::open_read_only(&path), Err(StoreError::Missing(_))));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Every process that starts reads the log of recent writes: it must stay short although none of them stays.
#[test]
fn recent_writes_do_not_pile_up() {
    let (_folder, state) = filled(0);
    for _ in 0..200 {
        append(&state).unwrap();
    }
    let length = state.join("portcullis.db-wal").metadata().unwrap().len();
    assert!(length < 2 * super::super::LONG_WAL, "{length}");
    assert!(matches!(verified(&state), Verified::Whole { entries: 200, .. }));
}
