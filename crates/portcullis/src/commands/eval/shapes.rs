//! What a case may hold: a field that is not known, or is not what it should be, would change nothing and pass for
//! measured.

use serde_json::{Map, Value};

/// Who a case can give rules and settings to.
const SOURCES: [&str; 6] = ["managed", "user", "project", "local", "cli", "session"];
const LISTS: [&str; 3] = ["allow", "ask", "deny"];
const PLATFORMS: [&str; 5] = ["linux", "macos", "darwin", "unix", "windows"];

const SHELLS: [&str; 3] = ["bash", "sh", "zsh"];

/// What is wrong with the fields of a case, where something is.
pub(super) fn problem(row: &Map<String, Value>) -> Option<String> {
    row.iter().find_map(|(name, value)| field(name, value).err())
}

/// Why a case about something else than a call would test nothing.
pub(super) fn tests_nothing(tool: &str, input: Option<&Value>) -> Option<String> {
    let Some(input) = input else { return Some(format!("`{tool}` must have an object as its input")) };
    let checked = match tool {
        "@sequence" => steps(input),
        "@transcript" => transcript(input),
        "@handback" => handback(input),
        "@classifier-output" => {
            check("input.text", input.get("text").is_some_and(Value::is_string), "a text")
        }
        _ => Err(format!("`{tool}` is not known")),
    };
    checked.err()
}

/// What a transcript is made of, and what is demanded of it.
fn transcript(input: &Value) -> Checked {
    let entries = input.get("entries").unwrap_or(&Value::Null);
    items("input.entries", entries, "an object", Value::is_object)?;
    let demanded = input.get("assert").unwrap_or(&Value::Null);
    each("input.assert", demanded, |(path, name, value)| match name {
        "user_lines" | "closing_tags" => check(path, value.is_u64(), "a number"),
        "contains_not" => items(path, value, "a text", Value::is_string),
        "must_show_tail" => check(path, value.as_bool() == Some(true), "true"),
        _ => unknown(path),
    })?;
    check("input.assert", demanded.as_object().is_some_and(|it| !it.is_empty()), "more than nothing")
}

/// What a sub-agent was told, did and says.
fn handback(input: &Value) -> Checked {
    let of = |field: &str| input.get(field).unwrap_or(&Value::Null);
    check("input.prompt", of("prompt").is_string(), "a text")?;
    check("input.report", of("report").is_string(), "a text")?;
    items("input.calls", of("calls"), "a tool and its input", |call| {
        call.get("tool").is_some_and(Value::is_string) && call.get("input").is_some()
    })
}

type Checked = Result<(), String>;

/// Fields that nothing reads are notes for people; `null` is as good as none.
fn field(name: &str, value: &Value) -> Checked {
    match name {
        _ if value.is_null() => Ok(()),
        "ctx" => each(name, value, world),
        "rules" => lists(name, value),
        "cwd" | "user" | "mode" | "id" | "family" | "category" | "session" | "tier" | "severity"
        | "soft_or_hard" | "visible_in" => check(name, value.is_string(), "a text"),
        "shell" => one_of(name, value, &SHELLS),
        "action" => check(name, value.is_object(), "an object"),
        "events" => items(name, value, "what the user said, or a tool with its input", |event| {
            let call = event.get("tool").is_some_and(Value::is_string) && event.get("input").is_some();
            call || event.get("user").is_some_and(Value::is_string)
        }),
        "project_files" => each(name, value, text),
        "gate_may_ask" => check(name, value.is_boolean(), "true or false"),
        _ => Ok(()),
    }
}

/// What happens in a session of several steps.
fn steps(input: &Value) -> Checked {
    let steps = input.get("steps").unwrap_or(&Value::Null);
    check("input.steps", steps.as_array().is_none_or(|steps| !steps.is_empty()), "more than nothing")?;
    items("input.steps", steps, "a tool or an act, and its input", |step| {
        step.get(0).is_some_and(Value::is_string) && step.get(1).is_some()
    })
}

/// A list, and what each of its items must be.
fn items(path: &str, value: &Value, wanted: &str, holds: fn(&Value) -> bool) -> Checked {
    let Some(list) = value.as_array() else { return check(path, false, "a list") };
    let mut all = list.iter().enumerate();
    all.try_for_each(|(at, item)| check(&format!("{path}[{at}]"), holds(item), wanted))
}

/// Where a field stands, its own name, and what it holds.
type Field<'a> = (&'a str, &'a str, &'a Value);

/// One fact about the world.
fn world((path, name, value): Field<'_>) -> Checked {
    match name {
        "fs" | "dns" => each(path, value, text),
        "case_insensitive" | "headless" => check(path, value.is_boolean(), "true or false"),
        "redirect" | "classifier" => check(path, value.is_string(), "a text"),
        "platform" => one_of(path, value, &PLATFORMS),
        "hook" | "speculative" => check(path, value.is_object(), "an object"),
        "rules_by_source" => {
            each(
                path,
                value,
                |(path, source, value)| {
                    if SOURCES.contains(&source) { lists(path, value) } else { unknown(path) }
                },
            )
        }
        "policy" => settings(path, value),
        // What the gate is told nothing of: it must not matter.
        "agent" | "annotations" | "pending_verdict" | "skill" => Ok(()),
        _ if name.starts_with("mcp_") => Ok(()),
        _ => match name.strip_prefix("settings_") {
            Some(source) if SOURCES.contains(&source) => settings(path, value),
            Some(_) | None => unknown(path),
        },
    }
}

/// A settings file, which may hold much that matters to nobody here.
fn settings(path: &str, value: &Value) -> Checked {
    check(path, value.is_object(), "an object")?;
    let Some(permissions) = value.get("permissions") else { return Ok(()) };
    each(&format!("{path}.permissions"), permissions, |(path, name, value)| {
        check(path, !LISTS.contains(&name) || value.is_array(), "a list")
    })
}

/// Lists of rules. What stands in them may be wrong: then it is lost, as in a settings file.
fn lists(path: &str, value: &Value) -> Checked {
    each(path, value, |(path, name, value)| {
        if LISTS.contains(&name) { check(path, value.is_array(), "a list") } else { unknown(path) }
    })
}

/// An object, and what holds for each of its fields.
fn each(path: &str, value: &Value, inner: fn(Field<'_>) -> Checked) -> Checked {
    let Some(fields) = value.as_object() else { return check(path, false, "an object") };
    fields.iter().try_for_each(|(name, value)| inner((&format!("{path}.{name}"), name, value)))
}

fn one_of(path: &str, value: &Value, known: &[&str]) -> Checked {
    let is_known = value.as_str().is_some_and(|word| known.contains(&word));
    check(path, is_known, &format!("one of {}", known.join(", ")))
}

fn text((path, _, value): Field<'_>) -> Checked {
    check(path, value.is_string(), "a text")
}

fn check(path: &str, holds: bool, wanted: &str) -> Checked {
    if holds { Ok(()) } else { Err(format!("`{path}` must be {wanted}")) }
}

fn unknown(path: &str) -> Checked {
    Err(format!("`{path}` is not known"))
}
