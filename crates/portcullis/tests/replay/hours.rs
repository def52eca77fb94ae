//! How long the work took.

use super::*;

/// A line of a Claude Code session that was written at `minute` past one.
fn at(minute: u32, mut line: Value) -> Value {
    *line.get_mut("timestamp").unwrap() = json!(format!("2026-10-14T13:{minute:02}:00.000Z"));
    line
}

/// Whatever the agent writes shows that it works; what runs side by side is one person's hour.
#[test]
fn an_hour_of_work_is_an_hour() {
    let machine = Machine::new();
    let mut values = vec![at(0, claude("assistant", &used("a")))];
    values.extend(
        (1..59).map(|minute| at(minute, claude("assistant", &json!([{"type": "text", "text": "hm"}])))),
    );
    values.push(at(59, claude("assistant", &used("b"))));
    let main = machine.write("main.jsonl", lines(&values));
    let aside = lines(&values).replace("\"a\"", "\"c\"").replace("\"b\"", "\"d\"");
    let aside = machine.write("aside.jsonl", aside);
    let seconds = |found: &Replayed| found.summary["worked_seconds"].as_u64().unwrap();
    let (main, aside) = (main.to_str().unwrap(), aside.to_str().unwrap());
    let alone = machine.replay(&[main]);
    assert_eq!((seconds(&alone), alone.rows.len()), (59 * 60, 2));
    let both = machine.replay(&[main, aside]);
    assert_eq!((seconds(&both), both.rows.len()), (59 * 60, 4));
    assert!(both.summary["asked_an_hour"].as_f64().unwrap() > 4.0);
    // A copy of it says nothing new.
    let twice = machine.replay(&[main, main]);
    assert_eq!((twice.rows.len(), &twice.summary["repeated"]), (2, &json!(2)));
    let (_, text) = machine.text(&[main, main]);
    assert!(text.contains("2 calls of earlier recordings came again and count once"), "{text}");
}

/// Two calls of one second are no rate.
#[test]
fn a_moment_of_work_gives_no_rate() {
    let machine = Machine::new();
    let call = |time: u64| json!({"tool": "Bash", "input": {"command": "touch x"}, "time": time});
    let file = machine.write("short.jsonl", lines(&[call(1_791_982_800_000), call(1_791_982_800_900)]));
    let found = machine.replay(&[file.to_str().unwrap()]);
    assert_eq!((&found.summary["asked_an_hour"], &found.summary["ask"]["calls"]), (&Value::Null, &json!(2)));
}
