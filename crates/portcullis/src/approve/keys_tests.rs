use serde_json::{Value, json};

use super::choosing::Choosing;
use super::keys::{Act, App, Key, Screen, Taken};
use super::queue::tests::item;

/// Long after anything came up.
const LATER: u64 = 10_000;

fn with(commands: &[&str]) -> App {
    let mut app = App::new();
    let items = (1..).zip(commands).map(|(number, command)| item(&format!("a-{number}"), command));
    app.on_list(items.collect(), 0);
    app
}

fn press(app: &mut App, keys: &[Key]) -> Vec<Act> {
    keys.iter().flat_map(|key| app.on_key(key, LATER)).collect()
}

fn letters(app: &mut App, text: &str) -> Vec<Act> {
    text.chars().flat_map(|letter| app.on_key(&Key::Char(letter), LATER)).collect()
}

fn answer(id: &str, body: Value) -> Vec<Act> {
    vec![Act::Answer { id: id.to_owned(), body }]
}

fn choosing(app: &App) -> &Choosing {
    let Screen::Choosing(choosing) = &app.screen else { panic!("no choice: {:?}", app.screen) };
    choosing
}

/// [H6]
#[test]
fn each_answer_has_its_key() {
    assert_eq!(letters(&mut with(&["x"]), "o"), answer("a-1", json!({ "answer": "once" })));
    assert_eq!(letters(&mut with(&["x"]), "n"), answer("a-1", json!({ "answer": "no" })));
    let mut app = with(&["x"]);
    assert_eq!(letters(&mut app, "mnot now"), []);
    let said = json!({ "answer": "no", "message": "not now" });
    assert_eq!(press(&mut app, &[Key::Enter]), answer("a-1", said));
    let mut app = with(&["git push"]);
    assert_eq!(letters(&mut app, "e -n"), []);
    let changed = json!({ "answer": "once", "input": { "command": "git push -n" } });
    assert_eq!(press(&mut app, &[Key::Enter]), answer("a-1", changed));
    let mut app = with(&["x"]);
    letters(&mut app, "s");
    assert_eq!(press(&mut app, &[Key::Enter]), answer("a-1", json!({ "answer": "session" })));
    assert_eq!(letters(&mut with(&[]), "osanme"), [], "nothing waits");
    assert_eq!(letters(&mut with(&["x"]), "q"), [Act::Leave]);
    assert_eq!(press(&mut with(&["x"]), &[Key::Char('m'), Key::Leave]), [Act::Leave]);
}

/// [H6]
#[test]
fn always_writes_the_chosen_rule_to_the_chosen_place() {
    let mut app = with(&["git push"]);
    letters(&mut app, "a");
    let acts = press(&mut app, &[Key::Down, Key::Tab, Key::Enter]);
    let body = json!({ "answer": "always", "rule": "Bash(git push:*)", "source": "local" });
    assert_eq!(acts, answer("a-1", body));
    let mut app = with(&["git push"]);
    letters(&mut app, "a");
    press(&mut app, &[Key::Down, Key::Down, Key::Down, Key::Clear]);
    assert_eq!(press(&mut app, &[Key::Enter]), [], "an empty rule is none");
    assert!(choosing(&app).problem.is_some());
    letters(&mut app, "Bash(git push origin:*)");
    let body = json!({ "answer": "always", "rule": "Bash(git push origin:*)", "source": "user" });
    assert_eq!(press(&mut app, &[Key::Enter]), answer("a-1", body));
}

/// [H6]
#[test]
fn a_rule_that_is_not_taken_stays_on_the_screen_with_the_reason() {
    let mut app = with(&["python3 x.py"]);
    letters(&mut app, "a");
    press(&mut app, &[Key::Enter]);
    app.on_answered("a-1", Taken::Refused("would let almost anything run".to_owned()));
    assert_eq!(choosing(&app).problem.as_deref(), Some("would let almost anything run"));
    press(&mut app, &[Key::Enter]);
    app.on_answered("a-1", Taken::Yes);
    assert_eq!(app.screen, Screen::Requests);
}

/// [N4]
#[test]
fn the_third_no_offers_a_deny_rule() {
    let mut app = App::new();
    let mut refused = item("a-1", "git push");
    refused.refused = 2;
    refused.deny_rule = Some("Bash(git push:*)".to_owned());
    app.on_list(vec![refused.clone()], 0);
    assert_eq!(letters(&mut app, "n"), answer("a-1", json!({ "answer": "no" })));
    app.on_answered("a-1", Taken::Yes);
    app.on_list(Vec::new(), 0);
    assert_eq!(letters(&mut app, "ox"), [], "another key decides nothing");
    assert_eq!(letters(&mut app, "y"), [Act::WriteDeny("Bash(git push:*)".to_owned())]);
    app.on_list(vec![refused], 0);
    letters(&mut app, "n");
    assert_eq!(letters(&mut app, "n"), [], "declined");
    assert_eq!(app.screen, Screen::Requests);
}

/// [H6]: whoever presses a key means what they saw.
#[test]
fn a_key_that_was_meant_for_another_request_does_nothing() {
    let mut app = App::new();
    app.on_list(vec![item("a-1", "ls"), item("a-2", "rm x")], 0);
    app.on_list(vec![item("a-2", "rm x")], 20_000);
    assert_eq!(app.on_key(&Key::Char('o'), 20_400), []);
    assert!(app.note.is_some());
    assert_eq!(app.on_key(&Key::Char('o'), 20_600), answer("a-2", json!({ "answer": "once" })));
    app.on_list(vec![item("a-2", "rm x"), item("a-3", "y")], 30_000);
    assert_eq!(app.on_key(&Key::Char('o'), 30_001).len(), 1, "the one that is looked at stayed");
    assert_eq!(app.on_key(&Key::Paste("ooo".to_owned()), 40_000), [], "pasted text answers nothing");
}

/// [H1]
#[test]
fn what_is_settled_elsewhere_closes_its_dialog_and_sends_nothing() {
    for letter in ["m", "s", "a", "e"] {
        let mut app = with(&["x"]);
        letters(&mut app, letter);
        app.on_list(vec![item("a-9", "other")], 0);
        assert_eq!(app.screen, Screen::Requests, "{letter}");
        assert_eq!(press(&mut app, &[Key::Enter]), [], "{letter}");
    }
    let mut app = with(&["x"]);
    app.on_lost("the daemon went away".to_owned(), LATER);
    assert_eq!(letters(&mut app, "o"), []);
}

/// [T5]
#[test]
fn long_inputs_are_edited_outside_and_confirmed() {
    let mut app = with(&["a\nb"]);
    assert_eq!(letters(&mut app, "e"), [Act::EditOutside("a\nb".to_owned())]);
    app.on_edited("a-1", Ok("a\nc".to_owned()));
    assert_eq!(letters(&mut app, "o"), [], "only y or Enter confirms");
    let body = json!({ "answer": "once", "input": { "command": "a\nc" } });
    assert_eq!(letters(&mut app, "y"), answer("a-1", body));
    app.on_edited("a-1", Err("vi ended with 1".to_owned()));
    assert_eq!((app.screen.clone(), app.note.as_deref()), (Screen::Requests, Some("vi ended with 1")));
}

/// [H6]
#[test]
fn without_a_proposal_the_exact_command_is_where_typing_begins() {
    let offered = |command: &str| {
        let mut app = App::new();
        let mut bare = item("a-1", command);
        bare.suggestions.clear();
        app.on_list(vec![bare], 0);
        letters(&mut app, "a");
        choosing(&app).rule()
    };
    assert_eq!(offered("make test").as_deref(), Some("Bash(make test)"));
    assert_eq!(offered("make *").as_deref(), Some(""), "a wildcard is not the exact command");
    assert_eq!(offered("a\nb").as_deref(), Some(""));
}
