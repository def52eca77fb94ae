//! Entries for hooks in a JSON file that belongs to somebody else. They are added and taken out in the concrete syntax
//! tree, so that comments, order, indentation and line ends of everything else stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

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
    /// Only where nothing stands there.
    Missing,
    /// Only where something else stands there.
    There,
}

impl HookEntries {
    /// The file with our entries, and none of ours that are out of date. An empty text is an empty file.
    pub(super) fn put_in(&self, text: &str) -> Result<String, String> {
        let root = parsed(text)?;
        if self.is_in(&root)? {
            return Ok(text.to_owned());
        }
        let object = object_of(&root)?;
        self.remove_entries(&object, None)?;
        let hooks = only(&object, "hooks")?;
        let hooks = match hooks {
            Some(property) => property.object_value().ok_or("`hooks` should hold an object")?,
            None => object.object_value_or_set("hooks"),
        };
        for (event, entry) in &self.entries {
            let list = match only(&hooks, event)? {
                Some(property) => {
                    property.array_value().ok_or_else(|| format!("`hooks.{event}` should hold a list"))?
                }
                None => hooks.array_value_or_set(event),
            };
            list.ensure_multiline();
            list.append(input(entry));
        }
        for setting in &self.settings {
            setting.put_in(&object)?;
        }
        Ok(root.to_string())
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
            (Some(value), When::Always | When::There) => value == self.value,
            (None, When::Always | When::Missing) => false,
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

    fn put_in(&self, object: &CstObject) -> Result<(), String> {
        if self.stands_in(object)? {
            return Ok(());
        }
        if let Some(property) = self.found(object)? {
            property.set_value(input(&self.value));
            return Ok(());
        }
        let Some((last, groups)) = self.path.split_last() else { return Ok(()) };
        let mut object = object.clone();
        for group in groups {
            object = object.object_value_or_set(group);
        }
        object.append(last, input(&self.value));
        Ok(())
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
            None if self.when == When::There => {}
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

/// The object of the file. A file without any value gets one.
fn object_of(root: &CstRootNode) -> Result<CstObject, String> {
    let object = root.object_value_or_create().ok_or("the file should hold an object")?;
    if object.properties().is_empty() {
        object.ensure_multiline();
    }
    Ok(object)
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
