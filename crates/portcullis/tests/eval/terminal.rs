//! What `portcullis eval` sends to a terminal: nothing that files or arguments say works on it, and the line that shows
//! how far it is fits and goes away. `script` of util-linux is the terminal.

use serde_json::{Value, json};

use crate::desk::{Desk, case};

/// What a terminal of so many columns is sent.
fn typed(desk: &Desk, words: &str, columns: usize, variables: &[(&str, &str)]) -> String {
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let line = format!("stty cols {columns}; {} eval {words}", program.display());
    let mut command = desk.prepared("script");
    let output = command.args(["-qec", &line, "/dev/null"]).envs(variables.iter().copied()).output();
    String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
}

/// What is left on a terminal of so many columns.
fn screen(sent: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut column) = (0, 0);
    let mut characters = sent.chars();
    while let Some(character) = characters.next() {
        match character {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1b' => {
                // Up to the letter that ends the sequence.
                let end = characters.find(char::is_ascii_alphabetic);
                if end == Some('K') {
                    lines.get_mut(row).unwrap().truncate(column);
                }
            }
            shown => {
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                if lines.len() <= row {
                    lines.resize(row + 1, Vec::new());
                }
                let line = lines.get_mut(row).unwrap();
                line.resize(line.len().max(column + 1), ' ');
                *line.get_mut(column).unwrap() = shown;
                column += 1;
            }
        }
        if lines.len() <= row {
            lines.resize(row + 1, Vec::new());
        }
    }
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

/// [J4]
#[test]
fn nothing_from_files_or_arguments_reaches_a_terminal_raw() {
    let hostile = "\u{1b}[2J\u{1b}]0;pwn\u{7}\u{202e}";
    let desk = Desk::with(&[case("a-1", "deny")]);
    desk.write("expect.jsonl", &[json!({ "expect": hostile, "tool": "Bash", "input": {} })]);
    desk.write("got.jsonl", &[json!({ "id": "a-1", "expect": "deny", "got": hostile })]);
    desk.write("twice.jsonl", &[1, 2].map(|_| json!({ "id": hostile, "expect": "deny", "got": "ask" })));
    let mut odd = case(hostile, "deny");
    odd.as_object_mut().unwrap().insert("ctx".to_owned(), json!({ hostile: 1 }));
    desk.write("key.jsonl", &[odd]);
    desk.write(&format!("name{hostile}.jsonl"), &[case("a-1", "deny"), json!({})]);
    desk.write(
        "json.jsonl",
        &[json!({ "id": hostile, "expect": "allow", "tool": hostile, "input": { "x": hostile } })],
    );
    let colour = [("TERM", "xterm"), ("CLICOLOR_FORCE", "1")];
    for words in [
        "expect.jsonl",
        "key.jsonl",
        "cases.jsonl --against got.jsonl",
        "cases.jsonl --against twice.jsonl",
        "name*.jsonl",
        "cases.jsonl --max-false-allow $'\\e[2J\\e]0;pwn\\a\\u202e'",
        "cases.jsonl --max-false-allow $'pwn\\e[2J'",
        "cases.jsonl --max-false-allow $'\\e[2J\\e]0;pwn\\a\\u202e=1%'",
        "cases.jsonl --rows $'no/\\e[2J\\e]0;pwn\\a\\u202e'",
        "$'no/\\e[2J\\e]0;pwn\\a\\u202e'",
        "json.jsonl --list",
        "json.jsonl --json",
    ] {
        let variables = [&colour[..], &[("SHELL", "/bin/bash"), ("LC_ALL", "C.UTF-8")]].concat();
        let sent = typed(&desk, words, 200, &variables);
        assert!(sent.contains("pwn") || sent.contains("is not a rate"), "{words}: {sent:?}");
        for raw in ["\u{1b}[2J", "\u{1b}]", "\u{7}", "\u{202e}"] {
            assert!(!sent.contains(raw), "{words}: {raw:?} in {sent:?}");
        }
    }
}

/// [J4]
#[test]
fn the_line_that_shows_how_far_it_is_fits_and_goes_away() {
    let desk = Desk::with(&[]);
    let cases: Vec<Value> = (0..1001).map(|row| case(&format!("a-{row}"), "deny")).collect();
    let name = "a-name-that-is-far-too-long-for-a-narrow-terminal";
    desk.write(&format!("{name}.jsonl"), &cases);
    let words = format!("{name}.jsonl");
    for variables in [
        &[("TERM", "xterm")][..],
        &[("TERM", "xterm"), ("NO_COLOR", "1")],
        &[("TERM", "xterm"), ("CLICOLOR", "0")],
    ] {
        for columns in [20, 40, 100] {
            let sent = typed(&desk, &words, columns, variables);
            let counted = if columns == 100 { "1000 cases" } else { "a-name" };
            assert!(sent.contains(counted), "{variables:?}: {sent:?}");
            let lines = screen(&sent, columns);
            assert!(lines.first().unwrap().starts_with("family"), "{variables:?} {columns}: {lines:#?}");
            assert!(
                !lines.iter().any(|line| line.contains("00 cases")),
                "{variables:?} {columns}: {lines:#?}"
            );
        }
    }
    for variables in [&[("TERM", "dumb")][..], &[]] {
        let sent = typed(&desk, &words, 100, variables);
        assert!(sent.contains("family") && !sent.contains("00 cases"), "{variables:?}: {sent:?}");
    }
    // An error stands on a line of its own.
    desk.write("bad.jsonl", &[&cases[..600], &[json!({})]].concat());
    let sent = typed(&desk, "bad.jsonl", 60, &[("TERM", "xterm"), ("NO_COLOR", "1")]);
    let lines = screen(&sent, 60);
    assert!(lines.first().unwrap().starts_with("error:"), "{lines:#?}");
}
