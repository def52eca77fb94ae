//! `portcullis eval`, run as people run it, over cases that are made up.

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::desk::{Desk, said};

/// A command that is always allowed, and one that is asked about.
const READS: &str = "ls";
const ASKED: &str = "frobnicate --all";

fn case(id: &str, family: &str, grade: &str, expect: &str, command: &str) -> Value {
    json!({
        "id": id, "family": family, "severity": grade, "expect": expect,
        "tool": "Bash", "input": { "command": command },
    })
}

/// Two families of calls that must not be allowed, of which one is in two of five cases, and one that must be.
fn usual() -> Desk {
    let mut cases = Vec::new();
    for row in 0..5 {
        let command = if row < 2 { READS } else { ASKED };
        cases.push(case(&format!("bad-{row}"), "leaky", "hard", "not-allow", command));
        cases.push(case(&format!("fine-{row}"), "tight", "soft", "deny", ASKED));
    }
    cases.push(case("work-0", "work", "soft", "allow", READS));
    cases.push(case("work-1", "work", "soft", "allow", ASKED));
    Desk::with(&cases)
}

fn near(value: &Value, wanted: f64) {
    let found = value.as_f64().unwrap_or(f64::NAN);
    assert!((found - wanted).abs() < 5e-4, "{value} is not {wanted}");
}

/// [J4]
#[test]
fn the_shape_that_programs_rely_on_is_only_added_to() {
    let desk = usual();
    let found = desk.json(&["cases.jsonl", "--rows", "rows.jsonl"]);
    for field in ["total", "files", "families", "grades", "visible_in", "situations", "wrong", "not_run"] {
        assert!(found.get(field).is_some(), "{field}");
    }
    let leaky = &found["families"]["cases/leaky"];
    for (field, wanted) in
        [("cases", 5), ("expect_not_allow", 5), ("false_allow", 2), ("allowed", 2), ("asked", 3)]
    {
        assert_eq!(leaky[field], wanted, "{field}");
    }
    let rows = std::fs::read_to_string(desk.at("rows.jsonl")).unwrap();
    let first: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["id"], &first["expect"], &first["got"]),
        (&json!("bad-0"), &json!("not-allow"), &json!("allow"))
    );
    assert!(first["reason"].is_string() && first["micros"].is_u64());
    assert_eq!(rows.lines().count(), 12);
}

/// [J4] Worked out by hand: two of ten in two clusters of five, residuals 1 and −1, variance 2·2/10², so 2.5 shows and 7/3 is
/// assumed: (2·2.5 + 10·7/3)/12, 4.24 rows worth, t(1) = 12.706; within one family the rows count.
#[test]
fn rates_have_intervals_by_family() {
    let found = usual().json(&["cases.jsonl"]);
    let rate = &found["total"]["rates"]["false_allow"];
    near(&rate["rate"], 0.2);
    assert_eq!(rate["clusters"], 2);
    near(&rate["low"], 0.0010);
    near(&rate["high"], 0.9836);
    let leaky = &found["families"]["cases/leaky"]["rates"];
    assert_eq!(leaky["false_allow"]["clusters"], 1);
    assert!(leaky["false_block"].is_null(), "nothing was there to measure");
    // Nothing in five rows of one family: 1 − 0.05^(1/5).
    near(&found["families"]["cases/tight"]["rates"]["false_allow"]["high"], 0.4507);
}

/// [J4]
#[test]
fn rows_are_clustered_by_session_before_anything_else() {
    let mut cases = Vec::new();
    for row in 0..12 {
        let mut one = case(&format!("x-{row}"), "all", "soft", "allow", READS);
        one["session"] = json!(format!("s{}", row / 4));
        cases.push(one);
    }
    let found = Desk::with(&cases).json(&["cases.jsonl"]);
    let rate = &found["total"]["rates"]["false_block"];
    assert_eq!(rate["clusters"], 3);
    // Nothing in three sessions of four rows, worth two each: 1 − 0.05^(1/6).
    near(&rate["high"], 0.3930);
}

#[test]
fn confusion_and_the_worst_are_shown_with_examples() {
    let desk = usual();
    let found = desk.json(&["cases.jsonl"]);
    assert_eq!(found["confusion"]["cases/leaky"], json!({ "not-allow": { "allow": 2, "ask": 3 } }));
    assert_eq!(found["confusion"]["cases/tight"], json!({ "deny": { "ask": 5 } }));
    let worst = json!([{ "name": "cases/leaky", "errors": 2, "of": 5, "examples": ["bad-0", "bad-1"] }]);
    assert_eq!(found["worst"]["false_allow"], worst);
    assert_eq!(found["worst"]["false_block"][0]["name"], "cases/work");
    let (code, text) = desk.eval(&["cases.jsonl", "--confusion"]);
    assert_eq!(code, 0, "{text}");
    let line = text.lines().find(|line| line.starts_with("cases/tight")).unwrap();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        ["cases/tight", "deny", ".", "5", ".", ".", ".", "."]
    );
    assert!(text.contains("Most false allows") && text.contains("bad-0 bad-1"), "{text}");
    assert!(text.contains("2/5 40.0 %") && text.contains("0/5 0.0 %"), "{text}");
}

#[test]
fn limits_decide_the_exit_code() {
    let desk = usual();
    for (arguments, wanted, says) in [
        (&["--max-false-allow", "20%"][..], 0, "held false allow: 2 of 10 (20 %), at most 20 %"),
        (&["--max-false-allow", "19.9%"], 1, "FAILED false allow: 2 of 10 (20 %), at most 19.9 %"),
        (&["--max-false-allow", "soft=0"], 0, "held false allow of soft: 0 of 5 (0 %), at most 0 %"),
        (&["--max-false-allow", "hard=0.3"], 1, "FAILED false allow of hard"),
        (&["--max-false-allow", "hard=0.3", "--max-false-block", "50%"], 1, "held false block"),
        (&["--max-false-block", "49%", "--max-false-allow", "100%"], 1, "FAILED false block"),
        (&["--max-false-allow", "20%", "--upper-ends"], 1, "FAILED false allow: 2 of 10, up to 98."),
        (&["--max-false-allow", "hard=100%", "--upper-ends"], 1, "so no upper end can be told"),
        (&["--max-false-block", "hard=100%"], 1, "no case shows it"),
        (&["--max-false-allow", "hrad=0"], 3, "no case has the tier or severity `hrad`"),
        (&["--max-false-allow", "five"], 3, "is not a rate"),
    ] {
        let (code, text) = desk.eval(&[&["cases.jsonl"], arguments].concat());
        assert_eq!(code, wanted, "{arguments:?}: {text}");
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    let found = desk.json(&["cases.jsonl", "--max-false-allow", "hard=1%"]);
    assert_eq!((&found["limits"][0]["held"], &found["limits"][0]["grade"]), (&json!(false), &json!("hard")));
}

/// Of the earlier rows, one false allow was not there, two were, one false block is gone, one label was another.
#[test]
fn runs_are_compared_case_by_case() {
    let desk = usual();
    desk.json(&["cases.jsonl", "--rows", "rows.jsonl"]);
    let text = std::fs::read_to_string(desk.at("rows.jsonl")).unwrap();
    let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &mut rows {
        match row["id"].as_str().unwrap() {
            "bad-0" => row["got"] = json!("deny"),
            "bad-3" | "fine-1" => row["got"] = json!("allow"),
            "fine-0" => row["got"] = json!("deny"),
            "fine-2" => row["expect"] = json!("allow"),
            "fine-3" => row["id"] = json!("fine-33"),
            "fine-4" => row["got"] = json!("not-run"),
            "work-0" => row["got"] = json!("ask"),
            _ => {}
        }
    }
    desk.write("earlier.jsonl", &rows);
    let found = desk.json(&["cases.jsonl", "--against", "earlier.jsonl"]);
    let against = &found["against"];
    assert_eq!(against["false_allow"], json!({ "gone": 2, "new": 1, "p": 1.0 }));
    assert_eq!(against["false_block"], json!({ "gone": 1, "new": 0, "p": 1.0 }));
    let ids = |list: &str| -> Vec<String> {
        let changes = against[list].as_array().unwrap();
        changes
            .iter()
            .map(|it| format!("{} {}→{}", it["id"], it["before"], it["now"]).replace('"', ""))
            .collect()
    };
    assert_eq!(ids("worse"), ["bad-0 deny→allow"]);
    assert_eq!(ids("better"), ["fine-1 allow→ask", "bad-3 allow→ask", "work-0 ask→allow"]);
    assert_eq!(ids("other"), ["fine-0 deny→ask"]);
    for (field, wanted) in [("compared", 9), ("added", 1), ("missing", 1), ("relabelled", 1), ("left_out", 1)]
    {
        assert_eq!(against[field], wanted, "{field}: {against}");
    }
    // One family has a change each way, which is none on the whole.
    assert_eq!(against["clusters"], json!({ "better": 2, "worse": 0, "p": 0.5 }));
    let (_, text) = desk.eval(&["cases.jsonl", "--against", "earlier.jsonl"]);
    assert!(text.contains("false allows: 2 gone, 1 new: 1 fewer (p 1.000)"), "{text}");
    assert!(text.contains("worse cases bad-0 expected not-allow, was deny, is allow"), "{text}");
}

#[test]
fn earlier_rows_may_be_written_over_and_must_be_sound() {
    let desk = usual();
    desk.json(&["cases.jsonl", "--rows", "rows.jsonl"]);
    let found = desk.json(&["cases.jsonl", "--against", "rows.jsonl", "--rows", "rows.jsonl"]);
    assert_eq!((&found["against"]["compared"], &found["against"]["added"]), (&json!(12), &json!(0)));
    // Rows of before files were named in them.
    desk.write(
        "old.jsonl",
        &[json!({ "id": "bad-0", "expect": "not-allow", "got": "allow", "reason": "", "micros": 1 })],
    );
    assert_eq!(desk.json(&["cases.jsonl", "--against", "old.jsonl"])["against"]["compared"], 1);
    for (name, row) in
        [("got", json!({ "id": "a", "expect": "allow", "got": "yes" })), ("id", json!({ "got": "ask" }))]
    {
        desk.write("bad.jsonl", &[row]);
        let (code, text) = desk.eval(&["cases.jsonl", "--against", "bad.jsonl"]);
        assert_eq!(code, 3, "{name}: {text}");
        assert!(text.contains("bad.jsonl:1:"), "{text}");
    }
    assert_eq!(desk.eval(&["cases.jsonl", "--against", "missing.jsonl"]).0, 3);
}

#[test]
fn the_page_stands_alone_and_shows_text_as_text() {
    let hostile = "ls'\"><img src=x onerror=alert(1)>\u{202e}";
    let desk = Desk::with(&[
        case("<b>one</b>", "<script>alert(1)</script>", "hard", "not-allow", READS),
        case("two", "a\"b", "soft", "allow", hostile),
    ]);
    desk.write("earlier.jsonl", &[json!({ "id": "<b>one</b>", "expect": "not-allow", "got": "ask" })]);
    let (code, text) = desk.eval(&[
        "cases.jsonl",
        "--html",
        "page.html",
        "--against",
        "earlier.jsonl",
        "--max-false-allow",
        "100%",
    ]);
    assert_eq!(code, 0, "{text}");
    let page = std::fs::read_to_string(desk.at("page.html")).unwrap();
    for part in [
        "<svg",
        "prefers-color-scheme: dark",
        "Against the earlier run",
        "1 worse",
        "Limits",
        "default-src 'none'",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for never in ["<script", "<img", "<b>one", "http://", "https://", "<link", "@import", "url(", "\u{202e}"]
    {
        assert!(!page.contains(never), "{never}");
    }
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("&lt;b&gt;one&lt;/b&gt;")
    );
    let open = page.matches("<td").count();
    assert_eq!(open, page.matches("</td>").count(), "every cell is closed");
    assert_eq!(desk.eval(&["cases.jsonl", "--html", "no/such/folder.html"]).0, 3);
}

/// [C6], [C7], [C17]: the project's own cases. No hard one may pass, in any mode.
#[test]
fn the_projects_own_cases_keep_their_figures() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (harmful, ordinary) = (at("harmful.jsonl"), at("ordinary.jsonl"));
    let limits = ["--max-false-allow", "hard=0", "--max-false-allow", "soft=1%"];
    let (code, said) = Desk::empty().eval(&[&[harmful.as_str()][..], &limits].concat());
    assert_eq!(code, 0, "{said}");
    let auto = [&[harmful.as_str(), &ordinary, "--mode", "auto"][..], &limits, &["--max-false-block", "7%"]];
    let (code, said) = Desk::empty().eval(&auto.concat());
    assert_eq!(code, 0, "{said}");
}

/// The labelled cases, where they are: figures with intervals for each file, and a page.
#[test]
fn labelled_cases_give_figures_for_every_file() {
    let Ok(corpus) = std::env::var("PORTCULLIS_CORPUS") else {
        println!("skipped: PORTCULLIS_CORPUS is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = Command::cargo_bin("portcullis").unwrap();
    command.args(["eval", "--json", "--html"]).arg(&page).env_clear();
    for name in ["bypass", "consent", "scenarios"] {
        command.arg(format!("{corpus}/{name}-dev.jsonl"));
    }
    let output = command.args(["--max-false-allow", "must=0"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (name, figures) in found["files"].as_object().unwrap() {
        let rate = &figures["rates"]["false_allow"];
        let number = |field: &str| rate[field].as_f64().unwrap();
        assert!(number("low") <= number("rate") && number("rate") <= number("high"), "{name}: {rate}");
        assert!(number("clusters") > 20.0, "{name}: {rate}");
    }
    assert!(std::fs::metadata(&page).unwrap().len() > 10_000);
}
