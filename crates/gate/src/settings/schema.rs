//! The JSON Schema of the settings, made from the table of keys; editors complete and check with it.

use portcullis_decide::{List, Mode};
use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Shape};

/// What a rule looks like; whether it is understood is said when it is read.
const RULE: &str = r"^[^\s()][^\s()]*(\([\s\S]+\)|[\s\S]*)$";

/// The JSON Schema (2020-12) of a settings file.
#[must_use]
pub fn schema() -> Value {
    let mut properties = Map::new();
    properties
        .insert("$schema".to_owned(), json!({ "type": "string", "description": "The schema editors use." }));
    for key in KEYS {
        match key.name.split_once('.') {
            None => {
                properties.insert(key.name.to_owned(), property(key));
            }
            Some((group, name)) => {
                let entry = properties.entry(group).or_insert_with(|| {
                    json!({
                        "type": "object",
                        "description": about_group(group),
                        "properties": {},
                        "additionalProperties": false,
                    })
                });
                if let Some(inner) = entry.get_mut("properties").and_then(Value::as_object_mut) {
                    inner.insert(name.to_owned(), property(key));
                }
            }
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Portcullis settings",
        "description": "JSON with comments. Deny beats ask, ask beats allow, whatever the source.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": {
            "rule": {
                "type": "string",
                "pattern": RULE,
                "description": "`Tool` or `Tool(specifier)`. In commands `*` is any text and a trailing ` *` or `:*` any further words. Paths are as in gitignore: `//p` from the root, `~/p` from home, `/p` from the settings' base, `p` from the working directory.",
                "examples": [
                    "Bash(npm run test:*)",
                    "Bash(git push *)",
                    "Read(~/.ssh/**)",
                    "Edit(/src/**)",
                    "WebFetch(domain:example.com)",
                    "mcp__github__*",
                    "Agent(reviewer)",
                    "Bash(prompt: run the tests)",
                ],
            },
        },
    })
}

fn about_group(group: &str) -> &'static str {
    match group {
        "permissions" => "Rules, the mode and the trusted folders.",
        "autoMode" => "What the classifier is told in auto mode.",
        "classifier" => "How the model that classifies is asked.",
        "remoteConfig" => "Settings that are fetched.",
        _ => "Settings that belong together.",
    }
}

fn property(key: &Key) -> Value {
    let mut property = match key.shape {
        Shape::Rules(List::Allow | List::Ask | List::Deny) => {
            json!({ "type": "array", "items": { "$ref": "#/$defs/rule" }, "uniqueItems": true })
        }
        Shape::Mode => {
            let mut names: Vec<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
            names.extend(["bypass", "manual"]);
            json!({ "enum": names })
        }
        Shape::Folders | Shape::Texts => {
            json!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
        }
        Shape::Switch => json!({ "enum": ["disable", true, false] }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::Seconds => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 3600 }),
        Shape::Raw => json!({}),
    };
    if let Some(object) = property.as_object_mut() {
        object.insert("description".to_owned(), format!("{} {}", key.about, key.givers()).into());
        let example = serde_json::from_str::<Value>(key.example).unwrap_or_default();
        object.insert("examples".to_owned(), json!([example]));
    }
    property
}
