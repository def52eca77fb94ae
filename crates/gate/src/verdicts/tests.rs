//! Records of verdicts on a disk that is made up.

use std::os::unix::fs::PermissionsExt;

use super::*;

const NOON: u64 = 1_794_744_000_000;
const DAY: u64 = 86_400_000;

fn verdict(time: u64, layer: &str, decision: &str) -> Verdict {
    let (layer, decision) = (layer.to_owned(), decision.to_owned());
    Verdict { time, agent: "claude-code".to_owned(), layer, decision, micros: 5, ..Verdict::default() }
}

fn file(verdicts: &Verdicts, time: u64) -> PathBuf {
    verdicts.file(Day::of_millis(time))
}

/// [C16]
#[test]
fn verdicts_come_back_as_sums() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = Verdicts::in_state(folder.path());
    verdicts.record(&verdict(NOON, "read-only", "allow")).unwrap();
    verdicts.record(&verdict(NOON + DAY, "read-only", "allow")).unwrap();
    let model = Verdict {
        model: Some("m".to_owned()),
        stage: Some("1".to_owned()),
        tokens_in: 100,
        tokens_out: 5,
        tokens_cached: 90,
        cost_micros: Some(12),
        ..verdict(NOON + DAY, "classifier", "deny")
    };
    verdicts.record(&model).unwrap();
    verdicts.record(&Verdict { cost_micros: None, ..model }).unwrap();
    let tally = verdicts.tally(Day::of_millis(NOON), Day::of_millis(NOON + DAY)).unwrap();
    assert_eq!((tally.all.count, tally.all.allow, tally.all.deny, tally.unreadable), (4, 2, 2, 0));
    assert_eq!(
        (tally.all.tokens_in, tally.all.tokens_cached, tally.all.cost_micros, tally.all.unpriced),
        (200, 180, 12, 1)
    );
    let names = |group| {
        tally.by(group).into_iter().map(|(name, sums)| format!("{name} {}", sums.count)).collect::<Vec<_>>()
    };
    assert_eq!(names(Group::Day), ["2026-11-15 1", "2026-11-16 3"]);
    assert_eq!(names(Group::Layer), ["classifier 2", "read-only 2"]);
    assert_eq!(names(Group::Model), ["m 2"]);
    let later = verdicts.tally(Day::of_millis(NOON + DAY), Day::of_millis(NOON + DAY)).unwrap();
    assert_eq!(later.all.count, 3);
}

/// [C16]
#[test]
fn records_are_private_and_broken_lines_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = Verdicts::in_state(folder.path());
    verdicts.record(&verdict(NOON, "a", "allow")).unwrap();
    let path = file(&verdicts, NOON);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(path.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let mut text = std::fs::read(&path).unwrap();
    text.extend(b"nonsense\n{\"time\":1}\n\xff\xfe\n{\"time\":17,\"agent\":\"cut o");
    std::fs::write(&path, text).unwrap();
    verdicts.record(&verdict(NOON, "b", "ask")).unwrap();
    let tally = verdicts.tally(Day::of_millis(NOON), Day::of_millis(NOON)).unwrap();
    assert_eq!((tally.all.count, tally.all.ask, tally.unreadable), (2, 1, 4));
}

/// [C16]
#[test]
fn old_days_are_forgotten_and_other_files_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = Verdicts::in_state(folder.path());
    let old = NOON - DAY * (u64::from(KEPT_DAYS) + 1);
    let kept = NOON - DAY * u64::from(KEPT_DAYS);
    verdicts.record(&verdict(old, "a", "allow")).unwrap();
    verdicts.record(&verdict(kept, "a", "allow")).unwrap();
    let notes = file(&verdicts, old).with_file_name("a-note.jsonl");
    std::fs::write(&notes, "x").unwrap();
    verdicts.record(&verdict(NOON, "a", "allow")).unwrap();
    assert!(!file(&verdicts, old).exists() && file(&verdicts, kept).exists() && notes.exists());
}

/// [C16]
#[test]
fn several_writers_do_not_mix_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = Verdicts::in_state(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let verdicts = &verdicts;
            scope.spawn(move || {
                for _ in 0..100 {
                    let one = Verdict {
                        session: Some("s".repeat(500)),
                        ..verdict(NOON, &format!("w{writer}"), "allow")
                    };
                    verdicts.record(&one).unwrap();
                }
            });
        }
    });
    let tally = verdicts.tally(Day::of_millis(NOON), Day::of_millis(NOON)).unwrap();
    assert_eq!((tally.all.count, tally.unreadable, tally.by(Group::Layer).len()), (800, 0, 8));
}

/// A link in the place of the file would let lines be written elsewhere.
#[test]
fn a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let verdicts = Verdicts::in_state(folder.path());
    std::fs::create_dir_all(&verdicts.folder).unwrap();
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), file(&verdicts, NOON)).unwrap();
    assert!(verdicts.record(&verdict(NOON, "a", "allow")).is_err());
    assert!(!folder.path().join("elsewhere").exists());
}
