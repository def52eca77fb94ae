//! Writing a rule that a person gave to the settings (SPEC H6). Everything else in the file stays as it is.

use std::path::PathBuf;

use jsonc_parser::cst::CstInputValue;
use portcullis_decide::rules::{List, Source};

use super::edit;
use super::places::Places;
use super::trust;
use crate::error::GateError;
use crate::files;

/// The file that new rules for a source are written to; `None` if people write no rules there.
#[must_use]
pub fn rule_file(places: &Places, source: Source) -> Option<PathBuf> {
    match source {
        Source::User => Some(places.user_settings()),
        Source::Local => Some(places.project.join(".portcullis/settings.local.json")),
        Source::Project => Some(places.project.join(".portcullis/settings.json")),
        Source::Managed | Source::Remote | Source::CommandLine | Source::Session => None,
    }
}

/// Adds a rule to the user's or the project's settings, and returns the file. Comments and layout stay. A project
/// file that was trusted, or is new, is trusted with the new rule, because a person just gave it.
///
/// # Errors
/// If the file cannot be read or written, or is no place for rules.
pub fn add_rule(places: &Places, source: Source, list: List, rule: &str) -> Result<PathBuf, GateError> {
    let Some(file) = rule_file(places, source) else {
        let why = "a rule can be written to user, local or project settings";
        return Err(GateError::unreadable(&places.user_settings(), why));
    };
    let there = edit::content(&file)?;
    let trusted = there
        .as_ref()
        .is_none_or(|text| source == Source::User || trust::is_trusted(places, &file, text.as_bytes()));
    let before = there.unwrap_or_else(|| "{}\n".to_owned());
    let (root, group) = edit::opened(&file, &before)?;
    let wrong = |name: &str| edit::wrong(&file, &format!("`{name}` does not hold what it should"));
    let rules = group.array_value_or_create(list.name()).ok_or_else(|| wrong(list.name()))?;
    let known = rules.elements().iter().any(|item| {
        item.as_string_lit().and_then(|text| text.decoded_value().ok()).is_some_and(|text| text == rule)
    });
    if !known {
        rules.ensure_multiline();
        rules.append(CstInputValue::String(rule.to_owned()));
        let after = root.to_string();
        files::write_over(&file, after.as_bytes()).map_err(|error| GateError::write(&file, error))?;
        if trusted && source != Source::User {
            trust::trust(places, &file)?;
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Overrides, load};

    fn places(folder: &std::path::Path) -> Places {
        let at = |name: &str| folder.join(name);
        let places = Places {
            home: at("home"),
            config: at("config"),
            state: at("state"),
            managed: at("managed"),
            project: at("proj"),
        };
        std::fs::create_dir_all(places.project.join(".portcullis")).unwrap();
        places
    }

    fn allows(places: &Places) -> Vec<String> {
        let loaded = load(places, &Overrides::default());
        loaded.settings.rules().iter().map(|rule| rule.text.clone()).collect()
    }

    /// [H6]
    #[test]
    fn a_rule_is_added_once_and_comments_stay() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        std::fs::create_dir_all(&places.config).unwrap();
        std::fs::write(
            places.user_settings(),
            "{\n  // mine\n  \"permissions\": { \"deny\": [\"Bash(curl:*)\"] }\n}\n",
        )
        .unwrap();
        for _ in 0..2 {
            add_rule(&places, Source::User, List::Allow, "Bash(git push:*)").unwrap();
        }
        let text = std::fs::read_to_string(places.user_settings()).unwrap();
        assert!(text.contains("// mine") && text.matches("git push").count() == 1, "{text}");
        assert_eq!(allows(&places).len(), 2);
    }

    /// [H6], [R11]
    #[test]
    fn a_rule_in_a_project_file_counts_and_brings_nothing_else_into_force() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        add_rule(&places, Source::Local, List::Allow, "Bash(npm test)").unwrap();
        assert_eq!(allows(&places), ["Bash(npm test)"]);
        let untrusted = places.project.join(".portcullis/settings.json");
        std::fs::write(&untrusted, r#"{"permissions":{"allow":["Bash(make:*)"]}}"#).unwrap();
        add_rule(&places, Source::Project, List::Allow, "Bash(npm run build)").unwrap();
        assert_eq!(allows(&places), ["Bash(npm test)"], "a file that nobody trusted stays untrusted");
    }

    /// [H6]
    #[test]
    fn a_broken_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        std::fs::create_dir_all(&places.config).unwrap();
        std::fs::write(places.user_settings(), "{ \"permissions\": ").unwrap();
        assert!(add_rule(&places, Source::User, List::Allow, "Bash(ls)").is_err());
        assert_eq!(std::fs::read_to_string(places.user_settings()).unwrap(), "{ \"permissions\": ");
    }
}
