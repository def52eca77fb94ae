//! Import of the user's Claude Code settings.
//!
//! Rules and folders are added, other values only where none is set. Nothing is removed, and comments stay.

use std::path::PathBuf;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::find;
use super::jsonc;
use super::keys::{Giver, Meet};
use super::last_good::Shelf;
use super::places::Places;
use crate::error::GateError;
use crate::files::{self, Content};
use crate::problem::Problem;

/// A planned import: what would be taken over, and the file that would result.
#[derive(Clone, Debug)]
pub struct Import {
    /// The file it comes from.
    pub from: PathBuf,
    /// The file it goes to.
    pub to: PathBuf,
    /// The values that are taken over.
    pub taken: Vec<Imported>,
    /// The values that are there already, or set to something else.
    pub kept: Vec<Imported>,
    /// Problems with the imported file.
    pub problems: Vec<Problem>,
    text: String,
}

/// One value of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The setting.
    pub key: &'static str,
    /// Its value; for a list, one item.
    pub value: Value,
}

/// Plans the import of the user's Claude Code settings. Nothing is written until [`Import::write`].
///
/// # Errors
/// If either file is there and cannot be read.
pub fn from_claude_code(places: &Places) -> Result<Import, GateError> {
    let (from, to) = (places.claude_code_settings(), places.user_settings());
    let sheet = find::claude_code_user(places, &Shelf::none())
        .ok_or_else(|| GateError::unreadable(&from, "there is no such file"))?;
    if sheet.incomplete {
        let first = sheet.problems.first().map_or_else(String::new, ToString::to_string);
        return Err(GateError::unreadable(&from, &first));
    }
    let before = match files::read(&to) {
        Content::Missing => "{}\n".to_owned(),
        Content::Unreadable(why) => return Err(GateError::unreadable(&to, &why)),
        Content::Bytes(bytes) => {
            String::from_utf8(bytes).map_err(|_| GateError::unreadable(&to, "it is not UTF-8"))?
        }
    };
    let broken =
        |line, column, problem| GateError::Broken { file: to.display().to_string(), line, column, problem };
    jsonc::parse(&before).map_err(|it| broken(it.place.line, it.place.column, it.problem))?;
    let root =
        CstRootNode::parse(&before, &ParseOptions::default()).map_err(|it| broken(1, 1, it.to_string()))?;
    let object =
        root.object_value().ok_or_else(|| broken(1, 1, "the file should hold an object".to_owned()))?;
    let (mut taken, mut kept) = (Vec::new(), Vec::new());
    for entry in
        sheet.entries.iter().filter(|entry| entry.key.giver != Giver::Managed && entry.key.name != "hooks")
    {
        let key = entry.key.name;
        let items = match (&entry.value, entry.key.meet) {
            (Value::Array(items), Meet::Join) => items.clone(),
            (value, _) => vec![value.clone()],
        };
        for value in items {
            let added = add(&object, key, &value, entry.key.meet)?;
            if added { &mut taken } else { &mut kept }.push(Imported { key, value });
        }
    }
    Ok(Import { from, to, taken, kept, problems: sheet.problems, text: root.to_string() })
}

impl Import {
    /// The resulting settings file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the user's settings file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self) -> Result<(), GateError> {
        files::write_over(&self.to, self.text.as_bytes()).map_err(|error| GateError::write(&self.to, error))
    }
}

/// Adds a value; says whether it was not there before.
fn add(root: &CstObject, key: &str, value: &Value, meet: Meet) -> Result<bool, GateError> {
    let wrong = |name: &str| GateError::Unreadable {
        file: "the user's settings".to_owned(),
        why: format!("`{name}` does not hold what it should"),
    };
    let (object, name) = match key.split_once('.') {
        Some((group, name)) => (root.object_value_or_create(group).ok_or_else(|| wrong(group))?, name),
        None => (root.clone(), key),
    };
    if meet != Meet::Join {
        if object.get(name).is_some() {
            return Ok(false);
        }
        object.append(name, input(value));
        return Ok(true);
    }
    let list = object.array_value_or_create(name).ok_or_else(|| wrong(key))?;
    let known = list.elements().iter().any(|item| {
        item.as_string_lit().and_then(|text| text.decoded_value().ok()).is_some_and(|text| *value == text)
    });
    if !known {
        list.ensure_multiline();
        list.append(input(value));
    }
    Ok(!known)
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
