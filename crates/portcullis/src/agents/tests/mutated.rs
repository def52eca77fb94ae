//! What is broken on the way is a no in the client's own form, with the exit code that it takes for one.

use serde_json::{Value, json};

use super::{around, asks, recorded, understood};
use crate::host_event;
use crate::strict_json::MAX_CALL;

/// A generator that gives the same numbers every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(most.max(1)).unwrap()).unwrap()
    }
}

/// What follows the opening brace of a line.
fn inside(line: &str) -> &str {
    line.strip_prefix('{').unwrap()
}

/// One of the ways in which an input breaks.
fn broken(dice: &mut Dice, kind: usize, line: &str, value: &Value) -> Vec<u8> {
    match kind {
        0 => line.as_bytes()[..dice.below(line.trim_end().len())].to_vec(),
        1 => {
            let names: Vec<&String> = value.as_object().unwrap().keys().collect();
            let again = json!(names[dice.below(names.len())]);
            format!("{{{again}:\"other\",{}", inside(line)).into_bytes()
        }
        2 => {
            let depth = 200 + dice.below(20_000);
            format!("{{\"more\":{}{},{}", "[".repeat(depth), "]".repeat(depth), inside(line)).into_bytes()
        }
        3 => {
            let mut value = value.clone();
            let needed: Vec<&str> =
                ["hook_event_name", "event", "tool_name", "tool_input", "session_id", "conversation_id"]
                    .into_iter()
                    .filter(|name| value.get(name).is_some())
                    .collect();
            let wrong = [json!(7), json!(["x"]), json!(true), json!({ "a": 1 }), json!("odd")];
            let name = needed[dice.below(needed.len())];
            // An object is right where one is wanted, and a text where one is.
            let most = if name == "tool_input" { 3 } else { 4 };
            value[name] = wrong[dice.below(most)].clone();
            value.to_string().into_bytes()
        }
        _ => format!("{{\"more\":\"{}\",{}", "x".repeat(MAX_CALL), inside(line)).into_bytes(),
    }
}

/// [J6], [F12], [A3]
#[test]
fn broken_inputs_are_a_no_in_the_clients_form() {
    let calls: Vec<_> = recorded().into_iter().filter(|(_, _, value)| asks(value)).collect();
    let mut dice = Dice(0x5eed_1234_abcd_0001);
    for round in 0..1000 {
        let (adapter, line, value) = &calls[dice.below(calls.len())];
        let kind = round % 5;
        let bytes = broken(&mut dice, kind, line, value);
        let Err(why) = host_event::read(adapter, &bytes, &around()) else {
            panic!("{}: kind {kind} was understood: {}", adapter.name, String::from_utf8_lossy(&bytes))
        };
        let reply = (adapter.deny)(&why);
        assert_eq!(reply.code, 2, "{}", adapter.name);
        assert_eq!(understood(adapter.name, &reply), "deny", "{}", adapter.name);
        assert!(!reply.stderr.is_empty() && !reply.stdout.contains(char::is_control), "{}", adapter.name);
    }
}

/// [J6]
#[test]
fn unknown_events_are_a_no_and_notes_never_are() {
    for (adapter, _, value) in recorded() {
        let name = if value.get("event").is_some() { "event" } else { "hook_event_name" };
        let mut other = value.clone();
        other[name] = json!("SomethingNew");
        assert!(
            host_event::read(adapter, other.to_string().as_bytes(), &around()).is_err(),
            "{}",
            adapter.name
        );
        if !asks(&value) {
            let mut odd = value.clone();
            odd["tool_input"] = json!("odd");
            odd["cwd"] = json!(7);
            let read = host_event::read(adapter, odd.to_string().as_bytes(), &around());
            assert!(read.is_ok(), "{}: a no would stop more than the call: {odd}", adapter.name);
        }
    }
}
