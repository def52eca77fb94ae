//! The scripts that measure, where something is missing.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::desk::{Desk, case};

/// Scripts that measure say what they lack, in words.
#[test]
fn scripts_say_what_they_lack() {
    let desk = Desk::empty();
    for (name, text) in [("text", "no figures"), ("list", "[]"), ("lacking", r#"{ "rules": [] }"#)] {
        std::fs::write(desk.at(name), text).unwrap();
    }
    for name in ["benign-dev", "danger-dev", "static-dev"] {
        desk.write(&format!("cases/{name}.jsonl"), &[case("a", "deny")]);
    }
    std::fs::write(desk.at("cases/static-dev.jsonl"), "{\n").unwrap();
    desk.write("short/benign-dev.jsonl", &[case("a", "deny"), json!({ "id": "b" })]);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let program = assert_cmd::cargo::cargo_bin("portcullis");
    let peers = |corpus: &str, more: &str| {
        let folder = desk.at("peers");
        format!(
            "PORTCULLIS_CORPUS={corpus} {}/compare-peers --only none --folder {} {more}",
            scripts.display(),
            folder.display()
        )
    };
    let ours = format!("--program {}", program.display());
    let growth = |from: &str| format!("{}/growth --from {from}", scripts.display());
    for (line, says) in [
        (peers("nowhere", &format!("rulings {ours}")), "nowhere"),
        (peers("cases", &format!("rulings {ours}")), "static-dev.jsonl:1"),
        (peers("short", &format!("rulings {ours}")), "benign-dev.jsonl:2"),
        (peers("cases", "rulings --program no/such/program"), "no/such/program"),
        (peers("cases", "cost --program no/such/program"), "no/such/program"),
        (peers("cases", &format!("ruling {ours}")), "ruling"),
        (growth("nowhere"), "nowhere"),
        (growth("text"), "`text`"),
        (growth("list"), "`list`"),
        (growth("lacking"), "`lacking`"),
    ] {
        let output = Command::new("bash")
            .current_dir(desk.folder.path())
            .args(["-c", &line])
            .env("HOME", desk.folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && !said.contains("Traceback") && said.contains(says),
            "{line}: {said}"
        );
    }
}
