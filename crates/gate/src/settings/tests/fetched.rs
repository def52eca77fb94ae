//! What settings from elsewhere can change.

use super::*;

/// What counts of the classifier's settings where the user says one thing and a fetched document another, and whether
/// the fetched value does.
fn tightened(user: &serde_json::Value, fetched: &serde_json::Value) -> (Classifier, ValueStatus) {
    let machine = Machine::new();
    let url = "https://settings.example.com/portcullis.json";
    machine.write(USER, &json!({ "remoteConfig": { "url": url }, "classifier": user }).to_string());
    let document = json!({ "classifier": fetched }).to_string();
    let kept = json!({ "url": url, "fetched": 1, "document": document, "failed": null });
    machine.write("home/.local/state/portcullis/remote.json", &kept.to_string());
    let settings = machine.load().settings;
    let shown = settings.values();
    let of_remote = shown.iter().find(|it| it.origin.source == Source::Remote).unwrap();
    let in_force = |it: &&FoundValue| it.key == of_remote.key && it.status == ValueStatus::InForce;
    assert_eq!(shown.iter().filter(in_force).count(), 1, "{user} {fetched}");
    (settings.classifier, of_remote.status)
}

/// [C13]
#[test]
fn a_fetched_value_counts_only_where_it_is_stricter() {
    use ValueStatus::{InForce, OnlyTightens, Overridden};
    let of = |word: Option<&str>, name: &str| word.map_or(json!({}), |word| json!({ name: word }));
    for (user, fetched, expected, standing) in [
        (None, "fast", Stages::Fast, InForce),
        (None, "thinking", Stages::Thinking, InForce),
        (None, "both", Stages::Both, InForce),
        (Some("both"), "fast", Stages::Fast, InForce),
        (Some("both"), "both", Stages::Both, Overridden),
        (Some("fast"), "fast", Stages::Fast, Overridden),
        (Some("fast"), "both", Stages::Fast, OnlyTightens),
        (Some("fast"), "thinking", Stages::Fast, OnlyTightens),
        (Some("thinking"), "both", Stages::Thinking, OnlyTightens),
        (Some("thinking"), "fast", Stages::Thinking, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&of(user, "mode"), &json!({ "mode": fetched }));
        assert_eq!((classifier.mode.unwrap().value, stands), (expected, standing), "{user:?} {fetched}");
    }
    for (user, fetched, expected, standing) in [
        (None, "closed", IronGate::Closed, InForce),
        (Some("open"), "closed", IronGate::Closed, InForce),
        (Some("closed"), "closed", IronGate::Closed, Overridden),
        (Some("closed"), "open", IronGate::Closed, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&of(user, "ironGate"), &json!({ "ironGate": fetched }));
        assert_eq!((classifier.iron_gate.unwrap().value, stands), (expected, standing), "{user:?} {fetched}");
    }
    for (user, fetched, expected, standing) in [
        (json!({}), 5, 5.0, InForce),
        (json!({ "timeout": 20 }), 5, 5.0, InForce),
        (json!({ "timeout": 20 }), 20, 20.0, Overridden),
        (json!({ "timeout": 20 }), 21, 20.0, OnlyTightens),
    ] {
        let (classifier, stands) = tightened(&user, &json!({ "timeout": fetched }));
        let timeout = classifier.timeout.unwrap().value;
        assert!(
            (timeout - expected).abs() < f64::EPSILON && stands == standing,
            "{user} {fetched}: {timeout}"
        );
    }
}

/// [C13] A fetched model is asked only where the agent's own would be; it makes nobody ask one.
#[test]
fn a_fetched_model_stands_in_for_the_agents_own_only() {
    let (classifier, standing) = tightened(&json!({}), &json!({ "model": "theirs" }));
    assert_eq!((classifier.model, standing), (None, ValueStatus::InForce));
    assert_eq!(classifier.in_agents_place.unwrap().value, "theirs");
    let (classifier, standing) = tightened(&json!({ "model": "mine" }), &json!({ "model": "theirs" }));
    assert_eq!((classifier.model.unwrap().value.as_str(), standing), ("mine", ValueStatus::OnlyTightens));
    assert_eq!(classifier.in_agents_place, None);
}
