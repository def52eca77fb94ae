//! `portcullis check --batch`: one JSON line in, one JSON line out, in order (SPEC J1).
//!
//! A line that cannot be read is answered too, with a deny: whoever waits for an answer gets one.

use std::io::{self, BufRead, Read};
use std::process::ExitCode;

use portcullis_classify::transcript::Transcript;
use portcullis_decide::{Mode, Ruling, ToolCall};
use portcullis_gate::pipeline::guarded;
use portcullis_gate::settings::{Loaded, Severity};
use serde_json::{Map, Value, json};

use crate::judge::{self, Judge, MoreRules};
use crate::output;
use crate::strict_json::{self, MAX_CALL, Refused};

/// Fields that a line may have; others are named in the answer, so that a misspelt one is seen.
const FIELDS: &[&str] = &["id", "tool", "input", "cwd", "mode", "rules", "transcript"];

/// Answers every line of standard input; exits 0 when each of them was a call.
pub(crate) fn run(judge: &Judge, trouble: bool) -> ExitCode {
    let mut input = io::stdin().lock();
    let mut sound = !trouble;
    loop {
        let line = match next_line(&mut input) {
            Ok(None) => break,
            Ok(Some(line)) => line,
            Err(error) => return output::fail(&format!("cannot read standard input: {error}")),
        };
        let (answer, was_json) = answer(&line, judge);
        sound &= was_json;
        let written = output::print_call_json(&answer);
        if written != ExitCode::SUCCESS {
            return written;
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::from(output::ERROR) }
}

/// The next line that is not blank, without its end. Of one that is too long only the beginning is kept.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let most = u64::try_from(MAX_CALL).unwrap_or(u64::MAX).saturating_add(2);
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else {
            skip_line(input)?;
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Some(line));
        }
    }
}

/// Reads on to the end of the line and keeps nothing.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let held = input.fill_buf()?;
        let (used, done) = match held.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (held.len(), held.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// The answer to one line, and whether the line was JSON.
fn answer(line: &[u8], judge: &Judge) -> (Value, bool) {
    let value = match strict_json::parse(line) {
        Ok(value) => value,
        Err(refused) => return (judge::unreadable(&refused).to_json(), false),
    };
    let (ruling, problems) = match asked(&value, judge) {
        Ok(asked) => guarded(|| judged(&asked, judge), |ruling| (ruling, Vec::new())),
        Err(problem) => (judge::unreadable(&Refused::Malformed(problem)), Vec::new()),
    };
    (labelled(&ruling, &value, &problems), true)
}

fn judged(asked: &Asked, judge: &Judge) -> (Ruling, Vec<String>) {
    let settings = judge.settings(&asked.call.cwd, &asked.rules);
    let mut context = judge.context(&settings, &asked.call.cwd, asked.mode);
    let ruling = judge::judge(&asked.call, &mut context, &settings, &asked.talk).ruling;
    (ruling, broken_rules(&settings, judge))
}

/// What is wrong with the settings for this line, beside what was said when the program started.
fn broken_rules(settings: &Loaded, judge: &Judge) -> Vec<String> {
    let known = &judge.loaded.problems;
    let fresh = settings.problems.iter().filter(|problem| !known.contains(problem));
    fresh.filter(|problem| problem.severity == Severity::Error).map(ToString::to_string).collect()
}

/// What one line asks.
struct Asked {
    call: ToolCall,
    mode: Option<Mode>,
    rules: MoreRules,
    talk: Transcript,
}

fn asked(line: &Value, judge: &Judge) -> Result<Asked, String> {
    let fields = line.as_object().ok_or("the line is not a JSON object")?;
    let tool = text(fields, "tool")?.ok_or("the field `tool` is missing")?;
    let input = fields.get("input").ok_or("the field `input` is missing")?;
    let cwd = text(fields, "cwd")?.map_or_else(|| judge.cwd(), |path| judge.absolute(path));
    let mode = match text(fields, "mode")? {
        Some(name) => Some(name.parse::<Mode>().map_err(|error| error.to_string())?),
        None => None,
    };
    let rules = match fields.get("rules") {
        None | Some(Value::Null) => MoreRules::default(),
        Some(Value::Object(lists)) => rules(lists)?,
        Some(_) => return Err("the field `rules` is not an object".to_owned()),
    };
    let talk = match fields.get("transcript") {
        None | Some(Value::Null) => Transcript::default(),
        Some(Value::Array(entries)) => Transcript::from_entries(entries, &cwd),
        Some(_) => return Err("the field `transcript` is not a list".to_owned()),
    };
    Ok(Asked { call: ToolCall::new(tool, input.clone(), cwd), mode, rules, talk })
}

fn text<'v>(fields: &'v Map<String, Value>, name: &str) -> Result<Option<&'v str>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("the field `{name}` is not text")),
    }
}

/// Lists of rules. A list with another name would be a guard that silently does nothing, so it is an error.
fn rules(lists: &Map<String, Value>) -> Result<MoreRules, String> {
    let mut more = MoreRules::default();
    for (name, list) in lists {
        let target = match name.as_str() {
            "allow" => &mut more.allow,
            "ask" => &mut more.ask,
            "deny" => &mut more.deny,
            _ => return Err(format!("there is no list `{name}`; there are allow, ask and deny")),
        };
        let texts = list.as_array().ok_or_else(|| format!("the list `{name}` is not a list"))?;
        for text in texts {
            let text = text.as_str().ok_or_else(|| format!("the list `{name}` holds what is not text"))?;
            target.push(text.to_owned());
        }
    }
    Ok(more)
}

/// The ruling with the line's id in front; then the fields that nobody looked at, and what is wrong with rules.
fn labelled(ruling: &Ruling, line: &Value, problems: &[String]) -> Value {
    let mut answer = Map::new();
    if let Some(id) = line.get("id") {
        answer.insert("id".to_owned(), id.clone());
    }
    if let Value::Object(fields) = ruling.to_json() {
        answer.extend(fields);
    }
    let given = line.as_object().map(|fields| fields.keys().map(String::as_str).collect::<Vec<_>>());
    let ignored: Vec<&str> =
        given.unwrap_or_default().into_iter().filter(|name| !FIELDS.contains(name)).collect();
    if !ignored.is_empty() {
        answer.insert("ignored".to_owned(), json!(ignored));
    }
    if !problems.is_empty() {
        answer.insert("problems".to_owned(), json!(problems));
    }
    Value::Object(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_line_ends_whatever_their_length() {
        let mut text = vec![b'x'; MAX_CALL + 5];
        text.extend(b"\n\n  \nnext\nlast");
        let mut input = text.as_slice();
        let first = next_line(&mut input).unwrap().unwrap();
        assert!(first.len() > MAX_CALL && strict_json::parse(&first) == Err(Refused::TooLong));
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"next");
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"last");
        assert!(next_line(&mut input).unwrap().is_none());
    }
}
