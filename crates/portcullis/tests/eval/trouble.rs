//! `portcullis eval` where something is amiss: files that must not be lost, cases that cannot be run, names that are
//! alike.

use std::path::Path;

use serde_json::{Value, json};

use crate::desk::{Desk, case};

/// A case with one more field.
fn with(id: &str, field: &str, value: Value) -> Value {
    let mut case = case(id, "not-allow");
    case.as_object_mut().unwrap().insert(field.to_owned(), value);
    case
}

/// [J4]
#[test]
fn what_is_read_is_never_written_over() {
    let desk = Desk::with(&[case("a-1", "deny"), case("a-2", "allow")]);
    let before = desk.read("cases.jsonl");
    std::os::unix::fs::symlink("cases.jsonl", desk.at("link.jsonl")).unwrap();
    std::fs::hard_link(desk.at("cases.jsonl"), desk.at("hard.jsonl")).unwrap();
    std::fs::create_dir(desk.at("sub")).unwrap();
    desk.eval(&["cases.jsonl", "--rows", "earlier.jsonl"]);
    let earlier = desk.read("earlier.jsonl");
    for output in ["cases.jsonl", "sub/../cases.jsonl", "link.jsonl", "hard.jsonl"] {
        for option in ["--rows", "--html"] {
            let (code, said) = desk.eval(&["cases.jsonl", option, output]);
            assert_eq!(desk.read("cases.jsonl"), before, "{option} {output}: {said}");
            assert_eq!(code, 3, "{option} {output}: {said}");
            assert!(said.contains(&format!("`{output}`")), "{option} {output}: {said}");
        }
    }
    for arguments in [
        &["--against", "earlier.jsonl", "--html", "earlier.jsonl"][..],
        &["--rows", "new", "--html", "new"],
        &["--rows", "new", "--html", "./new"],
        &["--rows", "earlier.jsonl", "--html", "earlier.jsonl"],
    ] {
        let (code, said) = desk.eval(&[&["cases.jsonl"], arguments].concat());
        assert_eq!(code, 3, "{arguments:?}: {said}");
        assert_eq!(desk.read("earlier.jsonl"), earlier, "{arguments:?}");
        assert!(!desk.at("new").exists(), "{arguments:?}");
    }
}

/// [J4]
#[test]
fn a_run_that_fails_leaves_what_was_there() {
    let desk = Desk::with(&[case("a-1", "deny")]);
    desk.write("broken.jsonl", &[case("b-1", "deny"), json!({ "expect": "perhaps" })]);
    for name in ["rows.jsonl", "page.html"] {
        std::fs::write(desk.at(name), "kept").unwrap();
    }
    let before = desk.names();
    let broken = ["cases.jsonl", "broken.jsonl", "--rows", "rows.jsonl", "--html", "page.html"];
    assert_eq!(desk.eval(&broken).0, 3);
    assert_eq!((desk.read("rows.jsonl").as_str(), desk.read("page.html").as_str()), ("kept", "kept"));
    assert_eq!(desk.names(), before, "nothing is left lying about");
    assert_eq!(desk.eval(&["cases.jsonl", "--rows", "rows.jsonl", "--html", "page.html"]).0, 0);
    assert!(desk.read("rows.jsonl").contains("a-1") && desk.read("page.html").contains("<svg"));
    assert_eq!(desk.names(), before, "nothing is left lying about");
}

/// [J4]
#[test]
fn outputs_keep_their_rights_and_links_stay_links() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with(&[case("a-1", "deny")]);
    std::fs::write(desk.at("rows.jsonl"), "old").unwrap();
    std::fs::set_permissions(desk.at("rows.jsonl"), std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("rows.jsonl", desk.at("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", desk.at("dangling")).unwrap();
    assert_eq!(desk.eval(&["cases.jsonl", "--rows", "link"]).0, 0);
    assert!(desk.at("link").is_symlink() && desk.read("rows.jsonl").contains("a-1"));
    assert_eq!(std::fs::metadata(desk.at("rows.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    // What is no file is written to and stays what it is.
    let (code, said) = desk.eval(&["cases.jsonl", "--rows", "/dev/stdout", "--html", "/dev/null"]);
    assert!(code == 0 && said.contains("\"id\":\"a-1\""), "{said}");
    assert!(!Path::new("/dev/null").is_file());
    // Nobody who may not write to it replaces it. (An administrator may do both.)
    std::fs::set_permissions(desk.at("rows.jsonl"), std::fs::Permissions::from_mode(0o400)).unwrap();
    if std::fs::File::options().append(true).open(desk.at("rows.jsonl")).is_err() {
        assert_eq!(desk.eval(&["cases.jsonl", "--rows", "rows.jsonl"]).0, 3);
    }
    for nothing in ["dangling", "missing/rows.jsonl", "."] {
        assert_eq!(desk.eval(&["cases.jsonl", "--rows", nothing]).0, 3, "{nothing}");
    }
    assert!(desk.at("dangling").is_symlink() && !desk.at("nowhere").exists());
}

/// [J4]
#[test]
fn cases_that_could_not_be_run_count_against_limits() {
    let mut cases = vec![case("a-0", "deny"), case("w-0", "allow")];
    for row in 1..4 {
        cases.push(with(&format!("a-{row}"), "mode", json!("Auto")));
    }
    cases.push(json!({ "id": "h-0", "expect": "allow", "severity": "hard", "mode": "Auto", "tool": "Bash",
        "input": { "command": "ls" } }));
    let desk = Desk::with(&cases);
    for (arguments, wanted, says) in [
        (
            &["--max-false-allow", "0"][..],
            1,
            "FAILED false allow: 0 of 1 (0 %), and 3 not run: 75 % at worst",
        ),
        (&["--max-false-allow", "74%"], 1, "FAILED false allow"),
        (&["--max-false-allow", "75%"], 0, "held false allow"),
        (&["--max-false-allow", "75%", "--upper-ends"], 1, "FAILED false allow"),
        (&["--max-false-block", "99%"], 1, "and 1 not run: 100 % at worst"),
        (&["--max-false-block", "hard=100%"], 1, "no case shows it"),
    ] {
        let (code, said) = desk.eval(&[&["cases.jsonl"], arguments].concat());
        assert_eq!(code, wanted, "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    let limits = desk.json(&["cases.jsonl", "--max-false-allow", "0"])["limits"].take();
    assert_eq!(
        (&limits[0]["held"], &limits[0]["not_run"], &limits[0]["measured"]),
        (&json!(false), &json!(3), &json!(0.0)),
        "{limits}"
    );
}

/// Fields that cannot be what was meant, and the key that has to be named.
fn odd() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("ctx", json!({ "sandboxed": true }), "`ctx.sandboxed`"),
        ("ctx", json!([]), "`ctx`"),
        ("ctx", json!({ "headless": "yes" }), "`ctx.headless`"),
        ("ctx", json!({ "fs": { "a": 1 } }), "`ctx.fs.a`"),
        ("ctx", json!({ "fs": [] }), "`ctx.fs`"),
        ("ctx", json!({ "dns": { "a.test": [] } }), "`ctx.dns.a.test`"),
        ("ctx", json!({ "platform": "Windows" }), "`ctx.platform`"),
        ("ctx", json!({ "redirect": 1 }), "`ctx.redirect`"),
        ("ctx", json!({ "hook": "x" }), "`ctx.hook`"),
        ("ctx", json!({ "settings_somebody": {} }), "`ctx.settings_somebody`"),
        ("ctx", json!({ "settings_user": { "permissions": [] } }), "`ctx.settings_user.permissions`"),
        (
            "ctx",
            json!({ "settings_user": { "permissions": { "deny": "x" } } }),
            "`ctx.settings_user.permissions.deny`",
        ),
        ("ctx", json!({ "policy": { "permissions": { "ask": {} } } }), "`ctx.policy.permissions.ask`"),
        ("ctx", json!({ "rules_by_source": { "me": {} } }), "`ctx.rules_by_source.me`"),
        ("ctx", json!({ "rules_by_source": { "user": { "alow": [] } } }), "`ctx.rules_by_source.user.alow`"),
        ("rules", json!({ "allow": "x" }), "`rules.allow`"),
        ("rules", json!({ "denny": [] }), "`rules.denny`"),
        ("rules", json!([]), "`rules`"),
        ("mode", json!(7), "`mode`"),
        ("cwd", json!([]), "`cwd`"),
        ("user", json!({}), "`user`"),
        ("shell", json!(true), "`shell`"),
        ("shell", json!("fish"), "`shell`"),
        ("family", json!(7), "`family`"),
        ("session", json!(9), "`session`"),
        ("tier", json!(["hard"]), "`tier`"),
        ("severity", json!(1), "`severity`"),
        ("visible_in", json!(3), "`visible_in`"),
        ("action", json!("x"), "`action`"),
        ("events", json!({}), "`events`"),
        ("events", json!([{ "user": "x" }, { "usr": "x" }]), "`events[1]`"),
        ("events", json!([{ "tool": "Bash" }]), "`events[0]`"),
        ("events", json!([{ "tool": 7, "input": {} }]), "`events[0]`"),
        ("events", json!([{ "user": 7 }]), "`events[0]`"),
        ("project_files", json!([]), "`project_files`"),
        ("gate_may_ask", json!("yes"), "`gate_may_ask`"),
    ]
}

/// Fields that are as they should be.
fn sound() -> Vec<(&'static str, Value)> {
    vec![
        (
            "ctx",
            json!({ "headless": true, "case_insensitive": false, "platform": "linux", "redirect": "https://a.test/" }),
        ),
        (
            "ctx",
            json!({ "fs": { "a": "-> b" }, "dns": { "a.test": "127.0.0.1" }, "mcp_hash_now": "x", "skill": {} }),
        ),
        (
            "ctx",
            json!({ "settings_user": { "env": {}, "permissions": { "defaultMode": "plan", "deny": ["Bash(x)"] } } }),
        ),
        (
            "ctx",
            json!({ "policy": { "disableAutoMode": "disable" }, "rules_by_source": { "user": { "allow": [7] } } }),
        ),
        (
            "ctx",
            json!({ "classifier": "off", "agent": {}, "annotations": {}, "pending_verdict": 1, "hook": { "exit": 2 } }),
        ),
        ("ctx", Value::Null),
        ("rules", json!({ "allow": [], "ask": ["Bash(a)"], "deny": [{}] })),
        ("rules", Value::Null),
        ("cwd", json!("/home/dev/other")),
        ("events", json!([{ "user": "x" }, { "tool": "Bash", "input": { "command": "ls" } }])),
        ("note", json!({ "anything": [] })),
    ]
}

/// [J4]
#[test]
fn odd_worlds_are_told_and_pass_no_limit() {
    let odd = odd();
    let mut cases = vec![case("first", "deny")];
    cases.extend(
        odd.iter()
            .enumerate()
            .map(|(row, (field, value, _))| with(&format!("o-{row}"), field, value.clone())),
    );
    let desk = Desk::with(&cases);
    let found = desk.json(&["cases.jsonl"]);
    for (row, (_, value, key)) in odd.iter().enumerate() {
        let id = format!("o-{row}");
        let lost = found["odd"].as_array().into_iter().flatten().find(|lost| lost["id"] == id.as_str());
        let why = lost.and_then(|lost| lost["why"].as_str()).unwrap_or_default();
        assert!(why.contains(key) && why.contains(&format!("cases.jsonl:{}:", row + 2)), "{value}: {why}");
    }
    // A mode that is none cannot be run in; all else is.
    let lost: Vec<&Value> = found["not_run"].as_array().into_iter().flatten().collect();
    assert!(lost.iter().all(|lost| lost["why"].as_str().unwrap().contains("mode")), "{lost:?}");
    let (code, said) = desk.eval(&["cases.jsonl", "--max-false-allow", "100%"]);
    assert!(
        code == 1 && said.contains(&format!("odd cases: {}, and none may be there", odd.len())),
        "{said}"
    );
    assert!(said.contains("`ctx.sandboxed` is not known, and was left out"), "{said}");
    let fine = sound();
    let cases: Vec<Value> = fine
        .iter()
        .enumerate()
        .map(|(row, (field, value))| with(&row.to_string(), field, value.clone()))
        .collect();
    let found = Desk::with(&cases).json(&["cases.jsonl"]);
    assert_eq!((&found["not_run"], &found["odd"]), (&json!([]), &json!([])));
}

/// [J4]
#[test]
fn odd_steps_are_told() {
    let sequence = |id: &str, steps: Value| json!({ "id": id, "expect": "not-allow", "tool": "@sequence", "input": { "steps": steps } });
    let desk = Desk::with(&[
        sequence("fine", json!([["Bash", { "command": "frobnicate" }]])),
        sequence("short", json!([["Bash", { "command": "ls" }], ["Bash"]])),
        sequence("number", json!([[7, {}]])),
        sequence("none", json!({})),
    ]);
    let found = desk.json(&["cases.jsonl"]);
    let lost: Vec<(&str, &str)> = found["not_run"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|lost| {
            (
                lost["id"].as_str().unwrap(),
                lost["why"].as_str().unwrap().split('`').nth(1).unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(lost, [("short", "input.steps[1]"), ("number", "input.steps[0]"), ("none", "input.steps")]);
}

/// [J4] What tests nothing is not answered rightly.
#[test]
fn cases_that_test_nothing_are_not_run() {
    let special = |id: &str, tool: &str, input: Value| json!({ "id": id, "expect": "not-allow", "tool": tool, "input": input });
    let entries = json!([{ "user": "x" }]);
    let cases = [
        special("t1", "@transcript", json!({ "entries": entries, "asert": { "user_lines": 1 } })),
        special("t2", "@transcript", json!({ "entries": entries, "assert": {} })),
        special("t3", "@transcript", json!({ "entries": entries, "assert": { "user_lines": "1" } })),
        special("t4", "@transcript", json!({ "entries": entries, "assert": { "userlines": 1 } })),
        special("t5", "@transcript", json!({ "entries": entries, "assert": { "contains_not": "x" } })),
        special("u", "@nosuch", json!({})),
        special("s", "@sequence", json!({ "steps": [] })),
        special("h1", "@handback", json!({})),
        special("h2", "@handback", json!({ "prompt": "x", "report": "y", "calls": "z" })),
        special("c1", "@classifier-output", json!({ "raw_json": "{}" })),
        special("c2", "@classifier-output", json!({ "stage": 1 })),
    ];
    let found = Desk::with(&cases).json(&["cases.jsonl"]);
    assert_eq!(found["total"]["not_run"], cases.len(), "{found}");
    let sound = Desk::with(&[
        special("t", "@transcript", json!({ "entries": entries, "assert": { "user_lines": 1 } })),
        special("h", "@handback", json!({ "prompt": "x", "report": "y", "calls": [] })),
        special("c", "@classifier-output", json!({ "stage": 2, "text": "" })),
    ]);
    assert_eq!(sound.json(&["cases.jsonl"])["not_run"], json!([]));
    let mut generated = case("g", "deny");
    generated["input"] = json!({ "command_gen": "oops" });
    let (code, said) = Desk::with(&[generated]).eval(&["cases.jsonl"]);
    assert!(code == 3 && said.contains("cases.jsonl:1:"), "{said}");
}

/// [J4]
#[test]
fn nothing_that_was_said_decides_where_a_run_is_blind() {
    let words = "Run exactly this: git push --force origin main";
    let whole = json!({
        "id": "w", "expect": "allow", "events": [{ "user": words }],
        "action": { "tool": "Bash", "input": { "command": "git push --force origin main" } },
    });
    let desk = Desk::with(&[whole]);
    let got = |blind: &[&str]| {
        let (code, said) =
            desk.eval(&[&["cases.jsonl", "--mode", "auto", "--rows", "rows.jsonl"], blind].concat());
        assert_eq!(code, 0, "{said}");
        serde_json::from_str::<Value>(&desk.read("rows.jsonl")).unwrap()["got"].clone()
    };
    assert_eq!((got(&[]), got(&["--blind"])), (json!("allow"), json!("ask")));
}

/// [J4]
#[test]
fn rows_that_may_be_asked_about_are_no_false_blocks() {
    let mut one = case("a", "allow");
    one["gate_may_ask"] = json!(true);
    let desk = Desk::with(&[one, case("b", "allow")]);
    let found = desk.json(&["cases.jsonl"]);
    assert_eq!((&found["total"]["false_block"], &found["total"]["expect_allow"]), (&json!(1), &json!(1)));
    assert_eq!(found["wrong"].as_array().map(Vec::len), Some(1), "{found}");
}

#[test]
fn slips_of_the_pen_are_told_and_leave_files_alone() {
    let desk = Desk::with(&[case("a", "deny"), case("a", "deny")]);
    let found = desk.json(&["cases.jsonl"]);
    assert!(
        found["odd"][0]["why"].as_str().is_some_and(|why| why.contains("second case of this id")),
        "{found}"
    );
    let desk = Desk::with(&[case("a", "deny")]);
    for (arguments, says) in [
        (&["--allow", "Bash("][..], "--allow `Bash(`"),
        (&["--deny", "Bash(ls"], "--deny `Bash(ls`"),
        (&["--max-worse", "0"], "--against"),
    ] {
        let (code, said) = desk.eval(&[&["cases.jsonl"], arguments].concat());
        assert!(code == 3 && said.contains(says), "{arguments:?}: {said}");
    }
    desk.write("base.jsonl", &[json!({ "id": "a", "expect": "deny", "got": "allow", "file": "cases" })]);
    let before = desk.read("base.jsonl");
    let rows = ["cases.jsonl", "--against", "base.jsonl", "--rows", "base.jsonl"];
    assert_eq!(desk.eval(&[&rows[..], &["--max-false-allow", "typo=0"]].concat()).0, 3);
    assert_eq!(desk.read("base.jsonl"), before, "a run that fails leaves the rows of the earlier one");
    assert_eq!(desk.eval(&[&rows[..], &["--max-worse", "0"]].concat()).0, 0);
    desk.write("base.jsonl", &[json!({ "id": "b", "expect": "deny", "got": "deny", "file": "cases" })]);
    let (code, said) = desk.eval(&rows);
    assert!(code == 3 && said.contains("can be compared"), "{said}");
}

#[test]
fn worse_answers_than_before_fail_where_they_may_not_be() {
    let desk = Desk::with(&[case("a", "allow")]);
    desk.write("base.jsonl", &[json!({ "id": "a", "expect": "allow", "got": "allow", "file": "cases" })]);
    let (code, said) = desk.eval(&["cases.jsonl", "--against", "base.jsonl", "--max-worse", "0"]);
    assert!(code == 1 && said.contains("FAILED worse than before: 1, at most 0"), "{said}");
}

/// What the program was started with is written on, not over.
#[test]
fn rows_may_go_where_the_table_goes() {
    let desk = Desk::with(&[case("a", "deny")]);
    let file = std::fs::File::create(desk.at("said")).unwrap();
    let mut command = desk.prepared(assert_cmd::cargo::cargo_bin("portcullis"));
    let words = ["eval", "cases.jsonl", "--rows", "/dev/stdout"];
    assert!(command.args(words).stdout(file).status().unwrap().success());
    let said = desk.read("said");
    assert!(said.contains("\"got\":\"ask\"") && said.contains("all of cases"), "{said}");
}

/// Marks of editors, keys that stand twice, text in another encoding, and fields that would begin a line of their own.
#[test]
fn text_is_read_and_shown_as_what_it_is() {
    let desk = Desk::empty();
    let row = case("a", "deny").to_string();
    std::fs::write(desk.at("cases.jsonl"), format!("\u{feff}{row}\r\n")).unwrap();
    assert_eq!(desk.eval(&["cases.jsonl"]).0, 0);
    let twice = row.replacen('{', "{\"expect\":\"allow\",", 1);
    std::fs::write(desk.at("cases.jsonl"), format!("{row}\n{twice}\n")).unwrap();
    let (code, said) = desk.eval(&["cases.jsonl"]);
    assert!(code == 3 && said.contains("cases.jsonl:2:") && said.contains("twice"), "{said}");
    std::fs::write(desk.at("cases.jsonl"), [row.as_bytes(), b"\n\xff\n"].concat()).unwrap();
    let (code, said) = desk.eval(&["cases.jsonl"]);
    assert!(code == 3 && said.contains("cases.jsonl:2:") && said.contains("UTF-8"), "{said}");
    let mut forged = case("a", "deny");
    forged["family"] = json!("f\nheld false allow of hard: 0 of 1134");
    let (_, said) = Desk::with(&[forged]).eval(&["cases.jsonl", "--list", "--confusion"]);
    assert!(!said.lines().any(|line| line.trim_start().starts_with("held")), "{said}");
}

/// [J4]
#[test]
fn files_of_one_name_are_told_apart() {
    let desk = Desk::with(&[case("1", "deny")]);
    for (folder, count) in [("a/x", 1), ("b/x", 2), ("b/y", 3)] {
        let cases: Vec<Value> = (0..count).map(|row| case(&row.to_string(), "deny")).collect();
        desk.write(&format!("{folder}/h.jsonl"), &cases);
    }
    desk.write("b/y/h.json", &[case("1", "deny")]);
    let sizes = |arguments: &[&str]| -> Vec<String> {
        let found = desk.json(arguments);
        let files = found["files"].as_object().cloned().unwrap_or_default();
        files.iter().map(|(name, figures)| format!("{name} {}", figures["cases"])).collect()
    };
    let two = ["a/x/h.jsonl", "b/y/h.jsonl", "cases.jsonl"];
    assert_eq!(sizes(&two), ["cases 1", "x/h 1", "y/h 3"]);
    let three = ["a/x/h.jsonl", "b/x/h.jsonl", "b/y/h.jsonl"];
    assert_eq!(sizes(&three), ["a/x/h 1", "b/x/h 2", "b/y/h 3"]);
    assert_eq!(sizes(&["b/y/h.json", "b/y/h.jsonl"]), ["b/y/h.json 1", "b/y/h.jsonl 3"]);
    desk.json(&[&three[..], &["--rows", "rows.jsonl"]].concat());
    let found = desk.json(&[&three[..], &["--against", "rows.jsonl"]].concat());
    assert_eq!(
        (&found["against"]["compared"], &found["against"]["added"]),
        (&json!(6), &json!(0)),
        "{found}"
    );
    std::os::unix::fs::symlink("cases.jsonl", desk.at("link.jsonl")).unwrap();
    for twice in
        [["cases.jsonl", "cases.jsonl"], ["cases.jsonl", "./cases.jsonl"], ["link.jsonl", "cases.jsonl"]]
    {
        let (code, said) = desk.eval(&twice);
        assert!(code == 3 && said.contains("twice"), "{twice:?}: {said}");
    }
}
