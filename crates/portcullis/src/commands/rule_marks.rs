//! What is odd about a rule beside the others: double, shadowed, dangerous, or never of any effect.
//!
//! Only what is certain is marked; nothing here changes what counts.

use portcullis_decide::facts::Facts;
use portcullis_decide::rules::{Extra, List, Rule, Rules, Specifier, is_dangerous};
use portcullis_decide::{Context, Tool, ToolCall, decide};
use serde_json::json;

/// Something odd about a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// The name that programs use.
    pub(crate) kind: &'static str,
    /// For people.
    pub(crate) why: String,
}

/// The marks of the rule at `index`.
pub(crate) fn marks(rules: &[Rule], index: usize, extra: Extra) -> Vec<Mark> {
    let Some(rule) = rules.get(index) else { return Vec::new() };
    let mut marks = Vec::new();
    let mut mark = |kind, why: String| marks.push(Mark { kind, why });
    let twin = rules.iter().take(index).find(|other| other.list == rule.list && other.text == rule.text);
    if let Some(twin) = twin {
        mark("duplicate", format!("stands in {} too", twin.origin));
    }
    match (&rule.specifier, rule.list) {
        (Specifier::Broken(_), List::Allow) => {
            mark("never", "is not understood, so it approves nothing".to_owned());
        }
        (Specifier::Broken(_), List::Ask | List::Deny) => {
            mark("broken", "is not understood, so it guards its literal text only".to_owned());
        }
        (_, List::Allow) if never_allows(rule) => {
            mark("never", "no command that it could mean is allowed by it".to_owned());
        }
        (_, _) => {}
    }
    if let Some(other) = rules.iter().find(|other| other.list > rule.list && beats(other, rule)) {
        mark(
            "shadowed",
            format!("the {} rule `{other}` in {} always comes first", other.list.name(), other.origin),
        );
    }
    if is_dangerous(rule, extra) {
        mark("dangerous", "lets nearly anything run; set aside in auto mode".to_owned());
    }
    marks
}

/// Whether every call that `rule` means is meant by `other` too.
fn beats(other: &Rule, rule: &Rule) -> bool {
    if !names(&other.tool, &rule.tool) {
        return false;
    }
    match (&other.specifier, &rule.specifier) {
        (Specifier::Broken(_), _) | (_, Specifier::Broken(_)) => false,
        (Specifier::Whole, _) => true,
        (_, Specifier::Whole) => false,
        (Specifier::Command(_), Specifier::Command(_)) => covers_command(inner(other), inner(rule)),
        (Specifier::Path(_), Specifier::Path(_)) => covers_path(inner(other), inner(rule)),
        (Specifier::Domain(_), Specifier::Domain(_)) => covers_domain(inner(other), inner(rule)),
        (_, _) => inner(other) == inner(rule),
    }
}

/// Whether the name, `*` and server names included, stands for the tool.
fn names(pattern: &str, tool: &str) -> bool {
    let server = pattern.strip_suffix("__*").unwrap_or(pattern);
    let below = tool.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"));
    pattern == tool
        || pattern == "*"
        || (pattern.starts_with("mcp__") && !server.contains('*') && below)
        || (pattern == "mcp__*" && tool.starts_with("mcp__"))
}

/// What stands in the parentheses, or behind the colon.
fn inner(rule: &Rule) -> &str {
    let text = rule.text.as_str();
    match text.split_once('(') {
        Some((_, rest)) => rest.strip_suffix(')').unwrap_or(rest),
        None => text.split_once(':').map_or("", |(_, rest)| rest),
    }
}

/// A command pattern without the wildcard at its end.
fn body(pattern: &str) -> (&str, bool) {
    let pattern = pattern.trim();
    match pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *")) {
        Some(body) => (body.trim_end(), true),
        None => (pattern, false),
    }
}

fn covers_command(wider: &str, pattern: &str) -> bool {
    if wider == pattern {
        return true;
    }
    let ((wider, more), (body, _)) = (body(wider), body(pattern));
    let longer = body.strip_prefix(wider).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    more && !wider.contains('*') && longer
}

fn covers_path(wider: &str, pattern: &str) -> bool {
    let folder = wider.strip_suffix("/**");
    wider == pattern
        || folder.is_some_and(|folder| !folder.contains('*') && pattern.starts_with(&format!("{folder}/")))
}

fn covers_domain(wider: &str, pattern: &str) -> bool {
    let (wider, pattern) = (wider.to_lowercase(), pattern.to_lowercase());
    let below = wider.split_once("*.").is_some_and(|(_, host)| pattern.ends_with(&format!(".{host}")));
    wider == pattern || below
}

/// Whether the commands that an allow rule spells out are asked about all the same: they delete what must
/// not be deleted, or the pattern spans several commands.
fn never_allows(rule: &Rule) -> bool {
    if rule.tool != Tool::Bash.name() || !matches!(rule.specifier, Specifier::Command(_)) {
        return false;
    }
    let (body, more) = body(inner(rule));
    let compound = ["&&", "||", ";", "|"].iter().any(|sign| body.contains(sign));
    if body.contains('*') || (more && !compound) {
        return false;
    }
    let mut context = Context::new("/project", "/home/user");
    context.facts = Facts::plain();
    context.rules = Rules::new(vec![rule.clone()]).into();
    let samples = [body.to_owned(), format!("{body} x")];
    let mut samples = samples.iter().take(if more { 2 } else { 1 });
    samples.all(|line| {
        let call = ToolCall::new("Bash", json!({ "command": line }), "/project");
        !decide(&call, &context).decision.is_allow()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use portcullis_decide::rules::{Origin, Source};

    fn check(rules: &[(List, &str)]) -> Vec<&'static str> {
        let rules: Vec<Rule> =
            rules.iter().map(|(list, text)| Rule::parse(text, *list, Origin::of(Source::User)).0).collect();
        marks(&rules, rules.len() - 1, Extra::Keep).into_iter().map(|mark| mark.kind).collect()
    }

    #[test]
    fn a_stricter_rule_that_means_as_much_shadows() {
        use List::{Allow, Ask, Deny};
        for (stricter, rule) in [
            ((Deny, "Bash"), (Allow, "Bash(ls:*)")),
            ((Ask, "Bash(git:*)"), (Allow, "Bash(git status)")),
            ((Deny, "Bash(git push *)"), (Ask, "Bash(git push origin:*)")),
            ((Deny, "mcp__github"), (Allow, "mcp__github__get_issue")),
            ((Deny, "Read(~/.ssh/**)"), (Allow, "Read(~/.ssh/id.pub)")),
            ((Deny, "WebFetch(domain:*.example.com)"), (Allow, "WebFetch(domain:a.Example.com)")),
            ((Deny, "*"), (Allow, "Read")),
        ] {
            assert_eq!(check(&[stricter, rule]), ["shadowed"], "{stricter:?} {rule:?}");
        }
        for (stricter, rule) in [
            ((Deny, "Bash(git push:*)"), (Allow, "Bash(git:*)")),
            ((Deny, "Bash(git pu:*)"), (Allow, "Bash(git push)")),
            ((Deny, "Bash(ls)"), (Allow, "Bash(ls:*)")),
            ((Deny, "mcp__github"), (Allow, "mcp__githubs__x")),
            ((Allow, "Bash(ls:*)"), (Deny, "Bash(ls:*)")),
        ] {
            assert_eq!(check(&[stricter, rule]), Vec::<&str>::new(), "{stricter:?} {rule:?}");
        }
    }

    #[test]
    fn rules_without_effect_are_marked() {
        use List::{Allow, Deny};
        assert_eq!(check(&[(Allow, "Bash(ls"), (Allow, "Bash(ls")]), ["duplicate", "never"]);
        assert_eq!(check(&[(Deny, "Bash(ls")]), ["broken"]);
        assert_eq!(check(&[(Allow, "Bash(rm -rf /)")]), ["never"]);
        assert_eq!(check(&[(Allow, "Bash(npm run test)")]), Vec::<&str>::new());
        assert_eq!(check(&[(Allow, "Bash(python:*)")]), ["dangerous"]);
    }
}
