//! The JSON Schema of the settings, made from the table of keys; editors complete and check with it.

use portcullis_decide::Mode;
use portcullis_decide::detect::{Level, detectors};
use portcullis_decide::rules::List;
use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Shape};

/// What a rule looks like; whether it is understood is said when it is read.
const RULE: &str = r"^[^\s()][^\s()]*(\([\s\S]+\)|[\s\S]*)$";

/// The JSON Schema (2020-12) of a settings file, for editors.
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
        "log" => "The audit log.",
        "remoteConfig" => "Settings that are fetched.",
        _ => "Settings that belong together.",
    }
}

/// Every detector with the levels that it may be given.
fn levels() -> Value {
    let each = detectors().map(|detector| {
        let levels = Level::ALL.into_iter().filter(|level| detector.may_be(*level)).map(Level::name);
        let levels: Vec<&str> = levels.collect();
        (detector.id.to_owned(), json!({ "enum": levels, "description": detector.summary() }))
    });
    let properties: Map<String, Value> = each.collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
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
        Shape::Detectors => levels(),
        Shape::Text => json!({ "type": "string" }),
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::Count => json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000 }),
        Shape::Temperature => json!({ "type": "number", "minimum": 0, "maximum": 2 }),
        Shape::Seconds => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 3600 }),
        Shape::Keep => json!({
            "type": "object",
            "properties": {
                "age": { "type": "string", "pattern": "^[0-9]+[dw]$" },
                "size": { "type": "string", "pattern": "^[0-9]+(MB|GB)$" },
            },
            "additionalProperties": false,
        }),
        Shape::Raw => json!({}),
    };
    if let Some(object) = property.as_object_mut() {
        object.insert("description".to_owned(), format!("{} {}", key.about, key.givers()).into());
        let example = serde_json::from_str::<Value>(key.example).unwrap_or_default();
        object.insert("examples".to_owned(), json!([example]));
    }
    property
}

#[cfg(test)]
mod tests {
    use super::*;
    use portcullis_decide::rules::{Origin, Rule, Source};

    /// As much of JSON Schema as ours uses; a keyword it does not know fails the test.
    fn valid(value: &Value, schema: &Value, root: &Value) -> bool {
        schema.as_object().unwrap().iter().all(|(keyword, expected)| match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "examples" => true,
            "$ref" => {
                let name = expected.as_str().unwrap().strip_prefix("#").unwrap();
                valid(value, root.pointer(name).unwrap(), root)
            }
            "type" => match expected.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "number" => value.is_number(),
                "integer" => value.is_i64() || value.is_u64(),
                other => panic!("{other}"),
            },
            "enum" => expected.as_array().unwrap().contains(value),
            "pattern" => value
                .as_str()
                .is_none_or(|text| regex::Regex::new(expected.as_str().unwrap()).unwrap().is_match(text)),
            "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
            "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > expected.as_f64().unwrap()),
            "minimum" => value.as_f64().is_none_or(|number| number >= expected.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= expected.as_f64().unwrap()),
            "uniqueItems" => value.as_array().is_none_or(|items| {
                items.iter().enumerate().all(|(index, item)| !items[..index].contains(item))
            }),
            "items" => value.as_array().into_iter().flatten().all(|item| valid(item, expected, root)),
            "properties" => value
                .as_object()
                .into_iter()
                .flatten()
                .all(|(name, inner)| expected.get(name).is_none_or(|schema| valid(inner, schema, root))),
            "additionalProperties" => value
                .as_object()
                .is_none_or(|object| object.keys().all(|name| schema["properties"].get(name).is_some())),
            other => panic!("{other}"),
        })
    }

    fn accepts(text: &str) -> bool {
        valid(&serde_json::from_str(text).unwrap(), &schema(), &schema())
    }

    #[test]
    fn good_settings_are_valid() {
        for text in [
            "{}",
            r#"{"$schema": "x", "permissions": {"allow": ["Bash(echo (x))", "BashTool:rm -rf *", "mcp__a__*"]}}"#,
            r#"{"permissions": {"defaultMode": "auto", "disableAutoMode": true}, "classifier": {"timeout": 2.5, "temperature": 0.3}}"#,
            r#"{"hooks": {"PreToolUse": [{"matcher": "*"}]}, "enforce": false}"#,
        ] {
            assert!(accepts(text), "{text}");
        }
    }

    #[test]
    fn bad_settings_are_not() {
        for text in [
            "[]",
            r#"{"permission": {}}"#,
            r#"{"permissions": {"deny": "Bash"}}"#,
            r#"{"permissions": {"deny": [{"tool": "Bash"}]}}"#,
            r#"{"permissions": {"deny": [""]}}"#,
            r#"{"permissions": {"deny": ["(rm)"]}}"#,
            r#"{"permissions": {"defaultMode": "yolo"}}"#,
            r#"{"classifier": {"timeout": 0}}"#,
            r#"{"classifier": {"firstTokens": 0}}"#,
            r#"{"classifier": {"window": 1.5}}"#,
            r#"{"classifier": {"temperature": -0.1}}"#,
            r#"{"classifier": {"temperature": 2.5}}"#,
            r#"{"autoMode": {"allow": [""]}}"#,
        ] {
            assert!(!accepts(text), "{text}");
        }
    }

    #[test]
    fn every_key_is_in_it_with_words_and_a_valid_example() {
        let schema = schema();
        for key in KEYS {
            let path = format!("/properties/{}", key.name.replace('.', "/properties/"));
            let property = schema.pointer(&path).unwrap();
            assert!(property["description"].as_str().unwrap().len() > 20, "{}", key.name);
            assert!(valid(&property["examples"][0], property, &schema), "{}", key.name);
        }
        let leaves = |(name, value): (&String, &Value)| {
            let is_key = KEYS.iter().any(|key| key.name == name);
            value["properties"].as_object().filter(|_| !is_key).map_or(1, serde_json::Map::len)
        };
        let count: usize = schema["properties"].as_object().unwrap().iter().map(leaves).sum();
        assert_eq!(count, KEYS.len() + 1);
    }

    #[test]
    fn the_rules_it_shows_are_understood() {
        for example in schema()["$defs"]["rule"]["examples"].as_array().unwrap() {
            let (_, broken) = Rule::parse(example.as_str().unwrap(), List::Allow, Origin::of(Source::User));
            assert_eq!(broken, None);
        }
    }
}
