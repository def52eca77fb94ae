//! The rules a model judges by, as data (SPEC C6–C8): what it blocks, what is always fine, and what it may take for
//! granted about where it is. The built-in texts are in `policy/*.md`; the user's sentences are put in their place
//! or around them. It reads no settings and trusts no project file: whoever calls gives lists that may count.

use portcullis_decide::detect::{Category, Severity};

/// In a user's list, the place where the built-in list is inserted.
pub const DEFAULTS: &str = "$defaults";

const BLOCK: &str = include_str!("policy/block.md");
const ALLOW: &str = include_str!("policy/allow.md");
const ENVIRONMENT: &str = include_str!("policy/environment.md");

/// The user's sentences in the setting `autoMode`. `None` means the built-in list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AutoModeLists {
    /// Facts about the surroundings.
    pub environment: Option<Vec<String>>,
    /// What is fine.
    pub allow: Option<Vec<String>>,
    /// What is blocked unless the user explicitly asked for it.
    pub soft_deny: Option<Vec<String>>,
    /// What is blocked whatever was asked for.
    pub hard_deny: Option<Vec<String>>,
}

/// The lists of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// `environment`
    Environment,
    /// `allow`
    Allow,
    /// `soft_deny`
    SoftDeny,
    /// `hard_deny`
    HardDeny,
}

impl List {
    /// All of them, in the order people read them.
    pub const ALL: [List; 4] = [List::Environment, List::Allow, List::SoftDeny, List::HardDeny];

    /// Its key in the settings.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            List::Environment => "environment",
            List::Allow => "allow",
            List::SoftDeny => "soft_deny",
            List::HardDeny => "hard_deny",
        }
    }
}

impl AutoModeLists {
    /// The user's sentences for a list.
    #[must_use]
    pub fn get(&self, list: List) -> Option<&[String]> {
        match list {
            List::Environment => self.environment.as_deref(),
            List::Allow => self.allow.as_deref(),
            List::SoftDeny => self.soft_deny.as_deref(),
            List::HardDeny => self.hard_deny.as_deref(),
        }
    }
}

/// Who wrote a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// It is built in.
    BuiltIn,
    /// The user, in the settings.
    User,
}

/// One rule, exception or fact of a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyRule {
    /// Its id, which the model's answers name.
    pub id: String,
    /// Its title for people; empty for the user's own sentences.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Who wrote it.
    pub author: Author,
}

/// The lists in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Facts about the surroundings.
    pub environment: Vec<PolicyRule>,
    /// What is fine.
    pub allow: Vec<PolicyRule>,
    /// What is blocked unless the user explicitly asked for it.
    pub soft_deny: Vec<PolicyRule>,
    /// What is blocked whatever was asked for.
    pub hard_deny: Vec<PolicyRule>,
}

impl Policy {
    /// The built-in lists.
    #[must_use]
    pub fn built_in() -> Policy {
        Policy::effective(&AutoModeLists::default())
    }

    /// The lists in force with the user's sentences.
    #[must_use]
    pub fn effective(lists: &AutoModeLists) -> Policy {
        let splice = |list: List| match lists.get(list) {
            None => built_in(list),
            Some(sentences) => spliced(list, sentences),
        };
        Policy {
            environment: splice(List::Environment),
            allow: splice(List::Allow),
            soft_deny: splice(List::SoftDeny),
            hard_deny: splice(List::HardDeny),
        }
    }

    /// One of the lists.
    #[must_use]
    pub fn list(&self, list: List) -> &[PolicyRule] {
        match list {
            List::Environment => &self.environment,
            List::Allow => &self.allow,
            List::SoftDeny => &self.soft_deny,
            List::HardDeny => &self.hard_deny,
        }
    }

    /// The block rule with this id.
    #[must_use]
    pub fn block_rule(&self, id: &str) -> Option<&PolicyRule> {
        self.hard_deny.iter().chain(&self.soft_deny).find(|rule| rule.id == id)
    }

    /// The lists as JSON, for people and programs.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let rule = |rule: &PolicyRule| {
            let author = match rule.author {
                Author::BuiltIn => "built-in",
                Author::User => "user",
            };
            serde_json::json!({"id": rule.id, "title": rule.title, "text": rule.text, "author": author})
        };
        let list = |list: List| (list.key().to_owned(), self.list(list).iter().map(rule).collect());
        serde_json::Value::Object(List::ALL.into_iter().map(list).collect())
    }
}

fn built_in(list: List) -> Vec<PolicyRule> {
    match list {
        List::Environment => facts(),
        List::Allow => sections(ALLOW).filter_map(exception).collect(),
        List::SoftDeny => block_rules(Severity::Soft),
        List::HardDeny => block_rules(Severity::Hard),
    }
}

fn facts() -> Vec<PolicyRule> {
    let fact = |(number, text): (usize, &str)| PolicyRule {
        id: format!("environment-{}", number + 1),
        title: String::new(),
        text: text.to_owned(),
        author: Author::BuiltIn,
    };
    ENVIRONMENT.lines().filter_map(|line| line.strip_prefix("- ")).enumerate().map(fact).collect()
}

fn exception((heading, text): (&str, &str)) -> Option<PolicyRule> {
    let (id, title) = heading.split_once(" | ")?;
    Some(PolicyRule {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        author: Author::BuiltIn,
    })
}

/// Names, titles and severities are those of the categories; only the texts are here.
fn block_rules(severity: Severity) -> Vec<PolicyRule> {
    let of = |category: &&Category| category.severity() == severity;
    let rule = |category: &Category| PolicyRule {
        id: category.id().to_owned(),
        title: category.title().to_owned(),
        text: sections(BLOCK).find(|(id, _)| *id == category.id()).map_or("", |(_, text)| text).to_owned(),
        author: Author::BuiltIn,
    };
    Category::ALL.iter().filter(of).map(rule).collect()
}

/// The headings of a data file, each with the text under it.
fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.split("## ")
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, text)| (heading.trim(), text.trim()))
}

fn spliced(list: List, sentences: &[String]) -> Vec<PolicyRule> {
    let mut rules = Vec::new();
    let mut spliced = false;
    for (position, sentence) in sentences.iter().enumerate() {
        let text = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        if text == DEFAULTS {
            if !spliced {
                rules.extend(built_in(list));
            }
            spliced = true;
        } else if !text.is_empty() {
            let id = format!("user-{}-{}", list.key().replace('_', "-"), position + 1);
            rules.push(PolicyRule { id, title: String::new(), text, author: Author::User });
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C6]
    #[test]
    fn every_category_has_a_text_and_every_text_a_category() {
        let ids: Vec<&str> = sections(BLOCK).map(|(id, _)| id).collect();
        let categories: Vec<&str> = Category::ALL.iter().map(|category| category.id()).collect();
        assert_eq!(ids, categories);
        let policy = Policy::built_in();
        assert_eq!(policy.soft_deny.len() + policy.hard_deny.len(), Category::ALL.len());
        for rule in policy.soft_deny.iter().chain(&policy.hard_deny) {
            assert!(rule.text.len() > 80, "{} says little", rule.id);
            assert!(!rule.text.contains('\n') && !rule.text.contains('<'), "{}", rule.id);
        }
    }

    /// [C7]
    #[test]
    fn the_exceptions_are_the_seven_of_the_contract() {
        let ids: Vec<String> = Policy::built_in().allow.into_iter().map(|rule| rule.id).collect();
        let expected = [
            "test-artefacts",
            "project-work",
            "read-only",
            "declared-dependencies",
            "toolchain-setup",
            "task-credentials",
            "push-working-branch",
        ];
        assert_eq!(ids, expected);
    }

    /// [C8]
    #[test]
    fn defaults_are_spliced_in_place() {
        let lists = AutoModeLists {
            soft_deny: Some(vec![
                "Never touch\n the wiki".into(),
                DEFAULTS.into(),
                "No releases".into(),
                " ".into(),
            ]),
            ..AutoModeLists::default()
        };
        let policy = Policy::effective(&lists);
        let built_in = Policy::built_in();
        assert_eq!(policy.soft_deny.len(), built_in.soft_deny.len() + 2);
        assert_eq!(policy.soft_deny[0].text, "Never touch the wiki");
        assert_eq!(policy.soft_deny[0].id, "user-soft-deny-1");
        assert_eq!(policy.soft_deny[1..=built_in.soft_deny.len()], built_in.soft_deny);
        assert_eq!(policy.soft_deny.last().unwrap().id, "user-soft-deny-3");
        assert_eq!(policy.hard_deny, built_in.hard_deny);
        assert!(
            policy.block_rule("user-soft-deny-3").is_some() && policy.block_rule("project-work").is_none()
        );
    }

    /// [C8]
    #[test]
    fn without_the_mark_a_list_replaces_the_built_in_one() {
        let lists = AutoModeLists {
            allow: Some(vec!["Restart the staging server".into()]),
            hard_deny: Some(Vec::new()),
            ..AutoModeLists::default()
        };
        let policy = Policy::effective(&lists);
        assert_eq!(policy.allow.len(), 1);
        assert!(policy.hard_deny.is_empty());
    }

    /// [C8]
    #[test]
    fn the_json_has_every_list() {
        let json = Policy::built_in().to_json();
        for list in List::ALL {
            assert!(json[list.key()].as_array().is_some_and(|list| !list.is_empty()), "{}", list.key());
        }
        assert_eq!(json["soft_deny"][0]["id"], "git-destructive");
    }
}
