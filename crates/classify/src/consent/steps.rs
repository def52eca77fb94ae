//! Whether the user said what the sub-commands of a program say (SPEC C17), in its words or in people's.

use portcullis_decide::detect::Finding;

use super::words::names;

/// Words for taking away; who asks for it in one of them means all of them.
pub(super) const TAKES_AWAY: &[&str] =
    &["delete", "remove", "rm", "rb", "destroy", "terminate", "purge", "drop", "wipe", "empty"];

/// Whether the user said what a step says, in other words at most for taking away. Where the operation names the
/// thing, the service it belongs to may go unsaid.
pub(super) fn says_step(said: &str, step: &str, finding: &Finding) -> bool {
    let says = |part: &str| {
        let singular = part.strip_suffix('s').unwrap_or(part);
        let away = TAKES_AWAY.contains(&part) && TAKES_AWAY.iter().any(|word| names(said, word));
        away || names(said, part)
            || names(said, singular)
            || names(said, &format!("{part}s"))
            || is_contraction(said, part)
    };
    let service = match finding.steps.as_slice() {
        [service, operation] => service == step && operation.contains('-'),
        _ => false,
    };
    service || is_called(said, step) || step.split(['-', '_', ':']).all(says)
}

/// What services are called that the program only gives letters for.
fn is_called(said: &str, step: &str) -> bool {
    const CALLED: &[(&str, &[&str])] =
        &[("acr", &["container registry"]), ("apim", &["api management service", "api management instance"])];
    CALLED.iter().any(|(short, called)| *short == step && called.iter().any(|name| names(said, name)))
}

/// `webapp` for "web application", `apim` for "API management".
fn is_contraction(said: &str, part: &str) -> bool {
    /// What the second word is cut short to.
    const SHORT: &[(&str, &str)] =
        &[("app", "application"), ("m", "management"), ("config", "configuration")];
    /// Words that may follow: another noun would say that the thing is something else.
    const AFTER: &[&str] = &["in", "from", "with", "called", "named", "and", "at", "of", "use"];
    let words: Vec<&str> = said.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.windows(2).enumerate().any(|(at, pair)| {
        let [first, second] = pair else { return false };
        let rest = part.strip_prefix(first).filter(|rest| first.len() > 2 && !rest.is_empty());
        let joined = rest.is_some_and(|rest| {
            rest == *second || SHORT.iter().any(|(short, long)| *short == rest && second == long)
        });
        joined && words.get(at + 2).is_none_or(|next| AFTER.contains(next) || names_nothing(next))
    })
}

/// Whether the word is a name that somebody gave, and none of the language.
fn names_nothing(word: &str) -> bool {
    const NOUNS: &[&str] = &[
        "setting",
        "settings",
        "key",
        "keys",
        "secret",
        "secrets",
        "firewall",
        "page",
        "slot",
        "log",
        "logs",
        "plan",
        "user",
        "users",
        "rule",
        "rules",
        "policy",
        "service",
        "server",
        "domain",
        "certificate",
        "function",
        "code",
        "test",
        "tests",
    ];
    !NOUNS.contains(&word)
}
