//! Runs every line of `spec/classifier-model.md` and its regressions as a test of its own, and checks that together they
//! leave nothing out.
//!
//! Its `portcullis` blocks are run with those of the other pages.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a page that cannot be read, or a server that does not start, must stop the run"
)]

mod act;
mod page;
mod stages;
#[expect(dead_code, reason = "other tests use more of it")]
mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Line, unescaped};
use portcullis_classify::failure::{Audience, Consequence, Failure, IronGate};
use portcullis_classify::policy::Policy;
use portcullis_classify::reply::{Expected, Parsed, RawReply, Stop, Unparseable, parse};
use portcullis_classify::stages::Outcome;

/// Says what is wrong with the page as a whole, if anything is.
type Check = fn(&[Line]) -> Result<(), String>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let lines: Vec<Line> = page::lines().into_iter().filter(|line| line.block != "portcullis").collect();
    let whole: [(&str, Check); 3] = [
        ("every way not to be an answer has a line", every_way_not_to_be_an_answer),
        ("every failure has one line for each case", every_failure_once),
        ("a line that does not hold is seen", what_does_not_hold_is_seen),
    ];
    let mut trials = Vec::new();
    for (name, check) in whole {
        let lines = lines.clone();
        trials.push(Trial::test(name, move || check(&lines).map_err(Failed::from)));
    }
    trials.extend(lines.into_iter().map(|line| {
        let name = format!("{}:{} {}: {}", line.page, line.number, line.heading, line.text);
        Trial::test(name, move || run(&line).map_err(Failed::from))
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Says what is wrong with a line, if anything is.
fn run(line: &Line) -> Result<(), String> {
    match line.block.as_str() {
        "reply" => reply(line),
        "reason" => reason(line),
        "stages" => stages::run(line),
        "failure" => failure(line),
        other => Err(format!("nobody runs blocks of `{other}`")),
    }
}

/// An outcome in the words of the page.
fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Allow => "allow".to_owned(),
        Outcome::Block { policy, .. } => block(policy.as_deref()),
        Outcome::Failed(Failure::Unparseable(why)) => unparseable(*why),
        Outcome::Failed(failure) => format!("failed[{}]", failure.name()),
    }
}

fn block(policy: Option<&str>) -> String {
    policy.map_or_else(|| "block".to_owned(), |id| format!("block[{id}]"))
}

fn unparseable(why: Unparseable) -> String {
    format!("unparseable[{}]", why.name().trim_start_matches("unparseable-"))
}

fn reply(line: &Line) -> Result<(), String> {
    let [wanted, stage, end, text] = line.columns()?;
    let expected = match stage.as_str() {
        "both-1" => Expected::FirstStopped,
        "fast" => Expected::First,
        "both-2" | "thinking" => Expected::Second,
        other => return Err(format!("`{other}` is no stage")),
    };
    let said = match read(&raw(&end, &unescaped(&text)?)?, expected) {
        Parsed::Allow => "allow".to_owned(),
        Parsed::Block { policy, .. } => block(policy.as_deref()),
        Parsed::Unparseable(why) => unparseable(why),
    };
    if said == wanted { Ok(()) } else { Err(format!("it is read as {said}")) }
}

fn read(reply: &RawReply, expected: Expected) -> Parsed {
    let policy = Policy::built_in();
    parse(reply, expected, &|id| policy.block_rule(id).is_some())
}

/// A reply that ended so: the reason, then what else is known about it, divided by commas.
fn raw(end: &str, text: &str) -> Result<RawReply, String> {
    let mut parts = end.split(',');
    let stop = match parts.next() {
        Some("ended") => Stop::Ended,
        Some("sequence") => Stop::Sequence,
        Some("length") => Stop::Length,
        Some("refusal") => Stop::Refusal,
        Some("other") => Stop::Other,
        Some(_) | None => return Err(format!("`{end}` is no way to end")),
    };
    let mut reply = RawReply::new(text, stop);
    for part in parts {
        let (what, value) = part.split_once('=').unwrap_or((part, ""));
        let value = Some(value.to_owned());
        match what {
            "cut-off" => reply.truncated = true,
            "asked" => reply.requested_model = value,
            "answered" => reply.answered_model = value,
            "request" => reply.request_id = value,
            "answers" => reply.answered_id = value,
            other => return Err(format!("`{other}` says nothing about a reply")),
        }
    }
    Ok(reply)
}

fn reason(line: &Line) -> Result<(), String> {
    let [wanted, said] = line.columns()?;
    let text = format!("<block>yes</block><reason>{}</reason>", unescaped(&said)?);
    match read(&RawReply::new(text, Stop::Ended), Expected::Second) {
        Parsed::Block { reason, .. } if reason == unescaped(&wanted)? => Ok(()),
        other @ (Parsed::Allow | Parsed::Block { .. } | Parsed::Unparseable(_)) => Err(format!("{other:?}")),
    }
}

fn failure(line: &Line) -> Result<(), String> {
    let row = line.failure()?;
    let failure = named(&row.name).ok_or_else(|| format!("`{}` is no failure", row.name))?;
    for gate in &row.gates {
        for audience in &row.audiences {
            let position = if gate == "open" { IronGate::Open } else { IronGate::Closed };
            let there = if audience == "person" { Audience::Person } else { Audience::Nobody };
            let consequence = match failure.consequence(position, there) {
                Consequence::Deny => "deny",
                Consequence::Ask => "ask",
                Consequence::Stop => "stop",
            };
            if consequence != row.consequence {
                return Err(format!("with the gate {gate} and {audience} there it is {consequence}"));
            }
        }
    }
    let counted = !failure.is_unavailable();
    if counted == row.counted { Ok(()) } else { Err(format!("counted: {counted}")) }
}

fn named(name: &str) -> Option<Failure> {
    failures().find(|failure| failure.name() == name)
}

fn failures() -> impl Iterator<Item = Failure> {
    Failure::ALL.iter().copied().chain(Unparseable::ALL.iter().map(|why| Failure::Unparseable(*why)))
}

/// [C11]
fn every_way_not_to_be_an_answer(lines: &[Line]) -> Result<(), String> {
    for why in Unparseable::ALL {
        let wanted = format!("{}  ", unparseable(*why));
        if !lines.iter().any(|line| line.block == "reply" && line.text.starts_with(&wanted)) {
            return Err(format!("no reply is {}", wanted.trim()));
        }
    }
    Ok(())
}

/// [C12]
fn every_failure_once(lines: &[Line]) -> Result<(), String> {
    let rows = lines.iter().filter(|line| line.block == "failure").map(Line::failure);
    let rows = rows.collect::<Result<Vec<_>, String>>()?;
    for failure in failures() {
        for gate in ["closed", "open"] {
            for audience in ["person", "nobody"] {
                let here = |row: &&page::FailureRow| {
                    row.name == failure.name()
                        && row.gates.iter().any(|it| it == gate)
                        && row.audiences.iter().any(|it| it == audience)
                };
                let count = rows.iter().filter(here).count();
                if count != 1 {
                    return Err(format!(
                        "{count} lines say what {} does, {gate}, {audience}",
                        failure.name()
                    ));
                }
            }
        }
    }
    Ok(())
}

/// A page that nobody reads would pass as well.
fn what_does_not_hold_is_seen(lines: &[Line]) -> Result<(), String> {
    for block in ["reply", "reason", "stages", "failure"] {
        if !lines.iter().any(|line| line.block == block) {
            return Err(format!("the page has no line of `{block}`"));
        }
    }
    let wrong = "\
```reply
  allow  fast  ended  <block>yes</block>
  block[git-destructive]  fast  ended  <block>yes</block>
  unparseable[empty]  fast  ended  hm
```
```reason
  Deletes it.  Keeps it.
```
```stages
mode fast
  block  first 256 t0  <block>no</block>
  allow  first 255 t0  <block>no</block>
  allow  first 256 t0 | first 256 t0  <block>no</block> | <block>no</block>
```
```failure
  ask  not-counted  closed  person  timeout
  deny  counted  closed  person  timeout
```
";
    let passed: Vec<String> = page::read("wrong.md", wrong)
        .iter()
        .filter(|line| run(line).is_ok())
        .map(|line| line.text.clone())
        .collect();
    if passed.is_empty() { Ok(()) } else { Err(format!("these hold: {passed:?}")) }
}
