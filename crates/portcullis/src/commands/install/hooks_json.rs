//! Entries for hooks in a JSON file that belongs to somebody else. Adding them only puts text between what is there; they
//! are taken out of the concrete syntax tree, so that comments and order of everything else stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

use super::json_text::{self, Edited};
use super::site::is_ours;

/// What shall stand in the file.
pub(super) struct HookEntries {
    /// Whose hooks: what stands after `portcullis hook`.
    pub(super) agent: &'static str,
    /// Events, each with the entry that is added to its list.
    pub(super) entries: Vec<(&'static str, Value)>,
    /// Values without which the entries would have no effect, or not the right one.
    pub(super) settings: Vec<Setting>,
}

/// One value.
pub(super) struct Setting {
    /// The names that lead to it.
    pub(super) path: &'static [&'static str],
    /// What it shall be.
    pub(super) value: Value,
    /// When it is written.
    pub(super) when: When,
}

/// When a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Whatever stands there.
    Always,
    /// Whatever stands there, and it makes the agent stricter: it only goes where it is known that it came with us.
    Stricter,
    /// Only where nothing stands there.
    Missing,
    /// Only where something else stands there.
    There,
}

impl HookEntries {
    /// The file with our entries, and none of ours that are out of date. An empty text is an empty file.
    pub(super) fn put_in(&self, text: &str) -> Result<String, String> {
        let text = &json_text::with_a_value(text)?;
        let root = parsed(text)?;
        if self.is_in(&root)? {
            return Ok(text.to_owned());
        }
        let object = root.object_value().ok_or("the file should hold an object")?;
        let text = if self.remove_entries(&object, None)? { root.to_string() } else { text.to_owned() };
        self.check(&object)?;
        let mut edited = Edited(text);
        for (event, entry) in &self.entries {
            if edited.has(&["hooks", event]) {
                edited.append(&["hooks", event], None, entry)?;
            } else {
                edited.set(&["hooks", event], &Value::Array(vec![entry.clone()]))?;
            }
        }
        for setting in &self.settings {
            if !setting.stands_in(&object)? {
                edited.set(setting.path, &setting.value)?;
            }
        }
        Ok(edited.0)
    }

    /// The file without anything of ours, or nothing where nothing else is left of it. `original` is the file before we
    /// came, where it is known.
    pub(super) fn take_out(&self, text: &str, original: Option<&str>) -> Result<Option<String>, String> {
        let root = parsed(text)?;
        let Some(object) = root.object_value() else { return Ok(Some(text.to_owned())) };
        let original = original.and_then(value);
        if !self.remove_entries(&object, original.as_ref())? {
            return Ok(Some(text.to_owned()));
        }
        for setting in &self.settings {
            setting.take_out(&object, original.as_ref())?;
        }
        let nothing_left = original.is_none() && object.properties().is_empty();
        Ok((!nothing_left).then(|| root.to_string()))
    }

    /// Whether anything of ours stands in the file.
    pub(super) fn is_known(&self, text: &str) -> bool {
        value(text).is_some_and(|value| value.get("hooks").is_some_and(|hooks| self.holds_ours(hooks)))
    }

    /// Whether entries can be added: every list is one, and stands there once.
    fn check(&self, object: &CstObject) -> Result<(), String> {
        let Some(hooks) = only(object, "hooks")? else { return Ok(()) };
        let hooks = hooks.object_value().ok_or("`hooks` should hold an object")?;
        for (event, _) in &self.entries {
            if only(&hooks, event)?.is_some_and(|list| list.array_value().is_none()) {
                return Err(format!("`hooks.{event}` should hold a list"));
            }
        }
        Ok(())
    }

    /// Whether all that is wanted stands there, once, and nothing of ours that is not wanted.
    fn is_in(&self, root: &CstRootNode) -> Result<bool, String> {
        let Some(object) = root.object_value() else { return Ok(false) };
        let Some(hooks) = only(&object, "hooks")?.and_then(|property| property.object_value()) else {
            return Ok(false);
        };
        for property in hooks.properties() {
            let name = property.decoded_name().unwrap_or_default();
            only(&hooks, &name)?;
            let wanted: Vec<_> =
                self.entries.iter().filter(|(event, _)| *event == name).map(|(_, entry)| entry).collect();
            let found: Vec<_> = property
                .array_value()
                .map(|list| list.elements().iter().filter_map(CstNode::to_serde_value).collect())
                .unwrap_or_default();
            let ours: Vec<&Value> = found.iter().filter(|entry| self.holds_ours(entry)).collect();
            if ours != wanted {
                return Ok(false);
            }
        }
        let every_event = self.entries.iter().all(|(event, _)| hooks.get(event).is_some());
        let mut settings_stand = true;
        for setting in &self.settings {
            settings_stand &= setting.stands_in(&object)?;
        }
        Ok(every_event && settings_stand)
    }

    /// Takes our entries out of every list; says whether there were any. What is empty then goes too, unless it was
    /// there before us.
    fn remove_entries(&self, object: &CstObject, original: Option<&Value>) -> Result<bool, String> {
        let Some(property) = only(object, "hooks")? else { return Ok(false) };
        let Some(hooks) = property.object_value() else { return Ok(false) };
        let before = original.and_then(|value| value.get("hooks"));
        let mut removed = false;
        for event in hooks.properties() {
            let Some(list) = event.array_value() else { continue };
            if !self.remove_from(&list) {
                continue;
            }
            removed = true;
            let name = event.decoded_name().unwrap_or_default();
            if list.elements().is_empty() && before.is_none_or(|before| before.get(&name).is_none()) {
                event.remove();
            }
        }
        if removed && hooks.properties().is_empty() && before.is_none() {
            property.remove();
        }
        Ok(removed)
    }

    fn remove_from(&self, list: &CstArray) -> bool {
        let mut removed = false;
        for element in list.elements() {
            if element.to_serde_value().is_some_and(|entry| self.holds_ours(&entry)) {
                element.remove();
                removed = true;
            }
        }
        removed
    }

    /// Whether a command of ours stands anywhere in the value.
    fn holds_ours(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => is_ours(text, self.agent),
            Value::Array(values) => values.iter().any(|value| self.holds_ours(value)),
            Value::Object(fields) => fields.values().any(|value| self.holds_ours(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

impl Setting {
    fn stands_in(&self, object: &CstObject) -> Result<bool, String> {
        let found = self.found(object)?.and_then(|property| property.value()?.to_serde_value());
        Ok(match (found, self.when) {
            (Some(_), When::Missing) | (None, When::There) => true,
            (Some(value), When::Always | When::Stricter | When::There) => value == self.value,
            (None, When::Always | When::Stricter | When::Missing) => false,
        })
    }

    fn found(&self, object: &CstObject) -> Result<Option<CstObjectProp>, String> {
        let Some((last, groups)) = self.path.split_last() else { return Ok(None) };
        let mut object = object.clone();
        for group in groups {
            let Some(property) = only(&object, group)? else { return Ok(None) };
            object = property.object_value().ok_or_else(|| format!("`{group}` should hold an object"))?;
        }
        only(&object, last)
    }

    /// Puts back what stood there, where it still is what we made it.
    fn take_out(&self, object: &CstObject, original: Option<&Value>) -> Result<(), String> {
        let Some(property) = self.found(object)? else { return Ok(()) };
        let value = property.value().and_then(|value| value.to_serde_value());
        if value.as_ref() != Some(&self.value) {
            return Ok(());
        }
        let pointer = format!("/{}", self.path.join("/"));
        match original.map(|original| original.pointer(&pointer)) {
            Some(Some(before)) if *before != self.value => property.set_value(input(before)),
            Some(Some(_)) => {}
            // A value that only matters where hooks are does not keep a file of our own alive.
            Some(None) => property.remove(),
            None if self.when == When::Missing && object.properties().len() > 1 => {}
            None if matches!(self.when, When::There | When::Stricter) => {}
            None => property.remove(),
        }
        if let [group, _] = self.path
            && let Some(property) = only(object, group)?
            && property.object_value().is_some_and(|object| object.properties().is_empty())
            && original.is_none_or(|original| original.get(*group).is_none())
        {
            property.remove();
        }
        Ok(())
    }
}

/// The property of that name. Twice the same name is an error: readers differ in which one counts.
fn only(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, String> {
    let mut found = object.properties().into_iter().filter(|it| it.decoded_name().as_deref() == Some(name));
    let first = found.next();
    if found.next().is_some() {
        return Err(format!("`{name}` stands there twice; which one counts cannot be told"));
    }
    Ok(first)
}

/// What a text says, without its comments.
pub(super) fn value(text: &str) -> Option<Value> {
    parsed(text).ok().and_then(|root| root.to_serde_value())
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entries() -> HookEntries {
        let entry =
            json!({"matcher": ".*", "hooks": [{"type": "command", "command": "/x/portcullis hook codex"}]});
        HookEntries {
            agent: "codex",
            entries: vec![("PreToolUse", entry.clone()), ("SessionStart", entry)],
            settings: vec![
                Setting { path: &["disableAllHooks"], value: json!(false), when: When::There },
                Setting {
                    path: &["permissions", "defaultMode"],
                    value: json!("dontAsk"),
                    when: When::Always,
                },
            ],
        }
    }

    /// Settings as people write them: every way of laying out the same few keys.
    struct Writer(u64);

    impl Writer {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }

        fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
            choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
        }

        fn space(&mut self) -> &'static str {
            self.pick(&["", "", " ", "\n", "\r\n", "\n\t", "\n    ", "  ", " /* a, b */ ", " // }]\n"])
        }

        fn list(&mut self, depth: u32) -> String {
            let items: Vec<_> = (0..self.below(3)).map(|_| self.value(depth)).collect();
            let comma = self.pick(&[",", " , ", ",\n"]);
            format!("[{}{}{}]", self.space(), items.join(comma), self.space())
        }

        fn value(&mut self, depth: u32) -> String {
            match self.below(if depth == 0 { 3 } else { 5 }) {
                0 => "true".to_owned(),
                1 => self.pick(&["1", "-2.50", "\"x\"", "\"\\u0041\\n{\"", "null"]).to_owned(),
                2 => "\"/x/other hook codex\"".to_owned(),
                3 => self.list(depth - 1),
                _ => self.object(&["a", "b", "c", "d"], depth - 1),
            }
        }

        fn object(&mut self, names: &[&str], depth: u32) -> String {
            let mut parts = Vec::new();
            for name in names {
                if self.below(2) == 0 {
                    let value = match *name {
                        "hooks" => self.object(&["Stop", "PreToolUse", "SessionStart"], 1),
                        "Stop" | "PreToolUse" | "SessionStart" => self.list(2),
                        "disableAllHooks" => self.pick(&["true", "false"]).to_owned(),
                        "permissions" => self.object(&["allow", "defaultMode"], 1),
                        _ => self.value(depth),
                    };
                    parts.push(format!("{}\"{name}\"{}:{}{value}", self.space(), self.space(), self.space()));
                }
            }
            format!("{{{}{}}}", parts.join(","), self.space())
        }
    }

    fn is_part_of(before: &str, after: &str) -> bool {
        let mut rest = after.chars();
        before.chars().all(|letter| rest.any(|other| other == letter))
    }

    /// [G3] Whatever the layout: every byte stays in its order, a second time changes nothing, and taking out leaves
    /// the meaning as it was, whether or not the file from before is known.
    #[test]
    fn every_other_byte_stays() {
        for seed in 0..4_000 {
            let mut writer = Writer(seed);
            let names = ["model", "hooks", "env", "disableAllHooks", "permissions", "z"];
            let before = writer.object(&names, 2) + writer.pick(&["", "\n", "\r\n"]);
            let meaning = value(&before).unwrap();
            // A value that is changed cannot keep its bytes.
            let changed = meaning.get("disableAllHooks") == Some(&json!(true))
                || meaning.pointer("/permissions/defaultMode").is_some();
            let after = entries().put_in(&before).unwrap();
            assert!(changed || is_part_of(&before, &after), "{seed}:\n{before}\n---\n{after}");
            assert_eq!(entries().put_in(&after).unwrap(), after, "{seed}");
            assert!(entries().is_known(&after) && !entries().is_known(&before), "{seed}");
            let back = entries().take_out(&after, Some(&before)).unwrap().unwrap();
            assert_eq!(value(&back).unwrap(), meaning, "{seed}:\n{before}\n---\n{back}");
        }
    }

    #[test]
    fn what_is_out_of_date_is_replaced() {
        let old = r#"{"hooks": {"PreToolUse": [{"hooks": [{"command": "/old/portcullis hook codex"}]}, {"hooks": [{"command": "mine"}]}]}}"#;
        let after = entries().put_in(old).unwrap();
        assert!(
            !after.contains("/old/") && after.contains("mine") && after.matches("/x/portcullis").count() == 2
        );
    }

    #[test]
    fn what_cannot_be_understood_is_an_error() {
        for text in
            ["{", "[]", "1", r#"{"hooks": []}"#, r#"{"hooks": {"PreToolUse": {}}}"#, r#"{"permissions": 1}"#]
        {
            assert!(entries().put_in(text).is_err(), "{text}");
        }
        // Readers differ in which of two equal names counts, so that the gate could be in the one that does not.
        for text in [r#"{"hooks": {}, "hooks": {}}"#, r#"{"hooks": {"PreToolUse": [], "PreToolUse": []}}"#] {
            assert!(entries().put_in(text).unwrap_err().contains("twice"), "{text}");
        }
    }
}
