//! What users set single detectors to: the setting `detectors` (SPEC L3).

use std::collections::BTreeMap;

use portcullis_decide::detect::{Detector, Level, Severity, detector, detectors};
use portcullis_decide::rules::Source;
use serde_json::Value;

/// What the setting should look like.
pub(super) const EXPECTED: &str = "an object such as `{\"git/push-shared-branch\": \"ask\"}`";

/// The level that a source gives a detector.
pub(crate) fn level(id: &str, word: &str, source: Source) -> Result<Level, String> {
    let Some(known) = detector(id) else {
        let hint = nearest(id).map_or(String::new(), |it| format!(" did you mean `{}`?", it.id));
        return Err(format!("there is no detector `{id}`;{hint} `portcullis detectors` lists them"));
    };
    let Some(level) = Level::named(word) else {
        return Err(format!("`{id}` is set to `\"off\"`, `\"ask\"` or `\"deny\"`"));
    };
    let repository = matches!(source, Source::Local | Source::Project | Source::Remote);
    if repository && level != Level::Deny {
        return Err(format!("`{id}`: only user, command-line and managed settings may set it to `{word}`"));
    }
    if level == Level::Off && !matches!(source, Source::User | Source::Managed) {
        return Err(format!("`{id}`: only user and managed settings may switch a detector off"));
    }
    if !known.may_be(level) {
        let usual = known.usual_level().name();
        return Err(format!("`{id}` recognises hard harm, so it stays at `\"{usual}\"` or stricter"));
    }
    Ok(level)
}

/// Takes in the levels of a further source; the one before counts, but a deny of any source counts always.
pub(super) fn join(levels: &mut BTreeMap<String, Level>, value: &Value) {
    let named = value.as_object().into_iter().flatten();
    let named = named.filter_map(|(id, word)| Some((id, Level::named(word.as_str()?)?)));
    for (id, level) in named {
        let before = levels.entry(id.clone()).or_insert(level);
        if level == Level::Deny {
            *before = level;
        }
    }
}

/// The detector whose name has most in common with an id.
fn nearest(id: &str) -> Option<&'static Detector> {
    let name = id.rsplit('/').next().unwrap_or_default();
    let parts = || name.split('-').filter(|part| part.len() > 2);
    let shared = |known: &Detector| parts().filter(|part| known.id.contains(part)).count();
    let best = detectors().max_by_key(|known| (shared(known), known.severity == Severity::Soft))?;
    (shared(best) > 0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// [L3]
    #[test]
    fn only_the_user_loosens_and_hard_detectors_only_get_stricter() {
        let set = |id: &str, word: &str, source| level(id, word, source).map_err(|_| ());
        assert_eq!(set("git/push-force", "off", Source::User), Ok(Level::Off));
        assert_eq!(set("git/push-force", "off", Source::Managed), Ok(Level::Off));
        assert_eq!(set("git/push-force", "ask", Source::CommandLine), Ok(Level::Ask));
        for (word, source) in [
            ("off", Source::CommandLine),
            ("off", Source::Project),
            ("ask", Source::Local),
            ("ask", Source::Remote),
            ("allow", Source::User),
        ] {
            assert_eq!(set("git/push-force", word, source), Err(()), "{word} {source:?}");
        }
        assert_eq!(set("git/push-force", "deny", Source::Project), Ok(Level::Deny));
        let hard = detectors().find(|it| it.usual_level() == Level::Deny).unwrap();
        assert_eq!(set(hard.id, "off", Source::Managed), Err(()));
        assert_eq!(set(hard.id, "ask", Source::User), Err(()));
        assert_eq!(set(hard.id, "deny", Source::User), Ok(Level::Deny));
        assert!(level("git/force-push", "off", Source::User).unwrap_err().contains("`git/push-force`"));
    }

    /// [L3] [R1]
    #[test]
    fn the_first_source_counts_unless_one_denies() {
        let mut levels = BTreeMap::new();
        join(&mut levels, &json!({ "a": "ask", "b": "off" }));
        join(&mut levels, &json!({ "a": "off", "b": "deny" }));
        assert_eq!((levels["a"], levels["b"]), (Level::Ask, Level::Deny));
    }
}
