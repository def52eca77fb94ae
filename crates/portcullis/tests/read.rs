//! `portcullis read` as other programs use it (SPEC J3): shapes, exit codes, bad input.
#![expect(clippy::unwrap_used, reason = "a test that cannot run its program must stop")]

use assert_cmd::Command;
use serde_json::Value;

fn read(arguments: &[&str]) -> (i32, Value) {
    let output =
        Command::cargo_bin("portcullis").unwrap().args(["read", "--json"]).args(arguments).output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

fn read_bytes(input: Vec<u8>) -> (i32, Value) {
    let output = Command::cargo_bin("portcullis")
        .unwrap()
        .args(["read", "--json", "-"])
        .write_stdin(input)
        .output()
        .unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

#[test]
fn j3_a_line_that_only_reads() {
    let (code, answer) = read(&["git log --oneline | head -5"]);
    assert_eq!(code, 0);
    assert_eq!(answer["only_reads"], true);
    assert_eq!(answer["commands"][0]["program"], "git");
    assert_eq!(answer["commands"][0]["args"][1], "--oneline");
    assert_eq!(answer["commands"][1]["placement"], "piped");
    assert_eq!(answer["commands"][1]["span"], serde_json::json!([20, 27]));
    assert_eq!(answer["commands"][1]["effects"][0], "reads");
}

#[test]
fn j3_files_and_effects() {
    let (code, answer) = read(&["cd src && cp a b && rm c > log"]);
    assert_eq!(code, 0);
    assert_eq!(answer["only_reads"], false);
    assert_eq!(answer["files"]["read"], serde_json::json!(["src/a"]));
    assert_eq!(answer["files"]["written"], serde_json::json!(["src/b", "src/log"]));
    assert_eq!(answer["files"]["deleted"], serde_json::json!(["src/c"]));
}

#[test]
fn j3_what_is_unclear_has_a_reason_and_a_place() {
    let (code, answer) = read(&["$TOOL --version"]);
    assert_eq!(code, 1);
    assert_eq!(answer["only_reads"], false);
    assert_eq!(answer["commands"][0]["program"], Value::Null);
    assert_eq!(answer["unclear"][0]["span"], serde_json::json!([0, 5]));
    assert!(answer["unclear"][0]["reason"].as_str().unwrap().contains("run time"));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let deep = "(".repeat(100_000);
    let long = "ls -la; ".repeat(2_000);
    for input in [
        vec![b'l', b's', 0xff],
        b"ls\0x".to_vec(),
        "ls \u{202e}x".into(),
        deep.into_bytes(),
        long.into_bytes(),
        vec![b'a'; 8 << 20],
    ] {
        let (code, answer) = read_bytes(input);
        assert_eq!(code, 2);
        assert_eq!(answer["only_reads"], false);
        assert!(!answer["unclear"][0]["reason"].as_str().unwrap().is_empty());
    }
    let (code, answer) = read_bytes(Vec::new());
    assert_eq!((code, &answer["commands"]), (0, &serde_json::json!([])));
}

#[test]
fn usage_errors_have_the_code_of_errors() {
    for arguments in [&["read"][..], &["read", "--shell", "tcsh", "ls"], &["frobnicate"], &[]] {
        let output = Command::cargo_bin("portcullis").unwrap().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
    let help = Command::cargo_bin("portcullis").unwrap().arg("--help").output().unwrap();
    assert_eq!(help.status.code(), Some(0));
}

#[test]
fn hidden_characters_are_shown_as_escapes() {
    let output =
        Command::cargo_bin("portcullis").unwrap().args(["read", "ls \u{1b}[31m\u{202e}x"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\u{202e}') && !text.contains("\u{1b}[31m"), "{text:?}");
    assert!(text.contains("cannot read this"));
}

#[test]
fn a_file_of_the_project_takes_the_proof_away() {
    let folder = std::env::temp_dir().join(format!("portcullis-read-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let run = || {
        let output = Command::cargo_bin("portcullis")
            .unwrap()
            .current_dir(&folder)
            .args(["read", "--json", "yarn list"])
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["only_reads"].clone()
    };
    assert_eq!(run(), true);
    std::fs::write(folder.join(".yarnrc.yml"), "yarnPath: ./evil.cjs\n").unwrap();
    assert_eq!(run(), false);
    std::fs::remove_dir_all(&folder).unwrap();
}
