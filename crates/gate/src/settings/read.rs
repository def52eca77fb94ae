//! One settings file: which of its values can be understood, each with its place, and what is wrong.
//!
//! Whether a value counts is not decided here. What is lost of a deny or ask list is said, so that the
//! calls it could have meant are asked about.

use portcullis_decide::Mode;
use portcullis_decide::rules::{BrokenRule, List, Origin, Rule, Source, Specifier};
use serde_json::Value;

use super::detectors;
use super::jsonc::{self, Broken, Kind, Member, Node, Place};
use super::keep::{self, LogRetention};
use super::keys::{self, Giver, Key, Shape};
use crate::problem::{Problem, Severity};

/// Whose file it is: in Claude Code's own, keys that mean nothing here are no mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Portcullis,
    ClaudeCode,
}

/// A file, or the command line, as far as it could be understood.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) source: Source,
    /// The file, as it is shown.
    pub(crate) file: Option<String>,
    /// What `/path` in a rule starts from; nothing means the trusted root.
    pub(crate) base: Option<String>,
    /// Whether what loosens may count: for files that a repository can bring, whether they are trusted.
    pub(crate) trusted: bool,
    pub(crate) entries: Vec<Entry>,
    /// A deny or ask rule may have been lost.
    pub(crate) incomplete: bool,
    pub(crate) problems: Vec<Problem>,
}

/// One value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    pub(crate) place: Place,
    /// The rules, for lists of rules.
    pub(crate) rules: Vec<Rule>,
    /// The places of a list's texts.
    pub(crate) places: Vec<Place>,
}

impl Sheet {
    /// A sheet without anything in it.
    pub(crate) fn new(source: Source, file: Option<String>, base: Option<String>) -> Sheet {
        Sheet {
            source,
            file,
            base,
            trusted: true,
            entries: Vec::new(),
            incomplete: false,
            problems: Vec::new(),
        }
    }

    /// Takes in the text of a file. What is broken as a whole goes on guarding, as far as it can be read.
    pub(crate) fn take(&mut self, bytes: &[u8], dialect: Dialect) {
        if let Err(broken) = self.read(bytes, dialect) {
            self.take_broken(broken);
        }
    }

    /// Takes in the text of a file, unless it is broken as a whole.
    pub(crate) fn read(&mut self, bytes: &[u8], dialect: Dialect) -> Result<(), Broken> {
        let text = String::from_utf8_lossy(bytes);
        if let Some(place) = text.find('\u{fffd}').filter(|_| std::str::from_utf8(bytes).is_err()) {
            let line = text.get(..place).unwrap_or_default().lines().count().max(1);
            let place = Place { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 };
            let problem = "the file is not UTF-8; save it as UTF-8".to_owned();
            return Err(Broken { place, problem, guards: jsonc::guards(&text) });
        }
        match jsonc::parse(&text)? {
            Node { kind: Kind::Object(members), .. } => {
                self.members(&members, "", KeyStatus::Counts, dialect);
                Ok(())
            }
            other => {
                let problem = format!("the file holds {}; it should hold an object, `{{ … }}`", other.name());
                Err(Broken { place: other.place, problem, guards: Vec::new() })
            }
        }
    }

    /// Takes in what is left of a broken file.
    pub(crate) fn take_broken(&mut self, broken: Broken) {
        let count = match broken.guards.len() {
            0 => String::new(),
            kept => format!("only the {kept} deny and ask rules that could be read count, and "),
        };
        let message = format!("{}; until this is fixed, {count}every call is asked about", broken.problem);
        // FAIL-CLOSED(broken-settings): what cannot be read may have been a deny rule.
        self.lost(broken.place, message);
        self.take_guards(broken.guards);
    }

    /// Takes in an earlier version of a file that is broken now. What guards in the broken one guards too.
    pub(crate) fn take_last(
        &mut self,
        broken: Broken,
        last: &[u8],
        date: &str,
        dialect: Dialect,
    ) -> Result<(), Broken> {
        if self.read(last, dialect).is_err() {
            return Err(broken);
        }
        let message = format!("{}; the version of {date} is in force", broken.problem);
        self.problem(broken.place, message, Severity::Error);
        self.take_guards(broken.guards);
        Ok(())
    }

    fn take_guards(&mut self, guards: Vec<jsonc::Guard>) {
        for guard in guards {
            let name = if guard.list == List::Deny { "permissions.deny" } else { "permissions.ask" };
            let Some(key) = keys::key(name) else { continue };
            let rule = self.rule(&guard.text, guard.list, guard.place);
            let value = Value::Array(vec![Value::String(guard.text)]);
            let (place, rules) = (guard.place, vec![rule]);
            self.entries.push(Entry { key, value, place, rules, places: vec![place] });
        }
    }

    /// Takes in rules and a mode from the command line.
    pub(crate) fn take_texts(&mut self, name: &str, texts: &[String]) {
        let (Some(key), false) = (keys::key(name), texts.is_empty()) else { return };
        let items = texts.iter().map(|text| Node { place: Place::default(), kind: Kind::Text(text.clone()) });
        let list = Node { place: Place::default(), kind: Kind::List(items.collect()) };
        self.entry(key, &list);
    }

    pub(crate) fn take_mode(&mut self, mode: Mode) {
        let Some(key) = keys::key("permissions.defaultMode") else { return };
        let kind = Kind::Text(mode.name().to_owned());
        self.entry(key, &Node { place: Place::default(), kind });
    }

    fn members(&mut self, members: &[Member], group: &str, standing: KeyStatus, dialect: Dialect) {
        for (index, member) in members.iter().enumerate() {
            let again = members.iter().skip(index + 1).find(|later| later.key == member.key);
            if let Some(later) = again {
                let message = format!("`{}` comes twice; keep one of them", member.key);
                // FAIL-CLOSED(broken-settings): which of the two counts is told in more than one way.
                self.lost(later.place, message);
            }
            let standing = if again.is_some() { KeyStatus::Repeated } else { standing };
            let name = if group.is_empty() { member.key.clone() } else { format!("{group}.{}", member.key) };
            match (keys::key(&name), &member.value.kind) {
                // Claude Code runs the hooks of its own settings itself, and one of them may be this program.
                (Some(key), _) if dialect == Dialect::ClaudeCode && key.name == "hooks" => {}
                (Some(key), _) => {
                    // Of a key that comes twice the last counts, but what guards goes on guarding.
                    if standing == KeyStatus::Counts || key.guards() {
                        self.entry(key, &member.value);
                    }
                }
                (None, Kind::Object(inner)) if keys::is_group(&name) => {
                    self.members(inner, &name, standing, dialect);
                }
                (None, Kind::Null) if keys::is_group(&name) => {}
                (None, _) if keys::is_group(&name) => {
                    let message = format!(
                        "`{name}` holds {}; it should hold an object, `{{ … }}`",
                        member.value.name()
                    );
                    self.lost(member.value.place, message);
                }
                (None, _) if dialect == Dialect::ClaudeCode || name == "$schema" => {}
                (None, _) => self.unknown(member, group, &name),
            }
        }
    }

    fn unknown(&mut self, member: &Member, group: &str, name: &str) {
        let meant = keys::nearest(group, &member.key);
        let misplaced = group.is_empty() && matches!(member.key.as_str(), "allow" | "ask" | "deny");
        match (meant, misplaced) {
            (_, true) => {
                let message = format!(
                    "`{name}` belongs inside `permissions`: {{\"permissions\": {{\"{name}\": […]}}}}"
                );
                self.lost(member.place, message);
            }
            // A slip in the name of a list that guards loses the list.
            (Some(meant @ ("deny" | "ask" | "permissions")), false) => {
                let message = format!("there is no setting `{name}`; did you mean `{meant}`?");
                self.lost(member.place, message);
            }
            (Some(meant), false) => {
                let message = format!("there is no setting `{name}`; did you mean `{meant}`?");
                self.problem(member.place, message, Severity::Warning);
            }
            (None, false) => {
                let message = format!("there is no setting `{name}`; it has no effect");
                self.problem(member.place, message, Severity::Warning);
            }
        }
    }

    fn entry(&mut self, key: &'static Key, node: &Node) {
        if node.kind == Kind::Null {
            return;
        }
        let entry =
            Entry { key, value: node.to_json(), place: node.place, rules: Vec::new(), places: Vec::new() };
        match (key.shape, &node.kind) {
            (Shape::Rules(list), _) => self.rules(key, list, node),
            (Shape::Mode, Kind::Text(text)) => match text.parse::<Mode>() {
                Ok(mode) => self.entries.push(Entry { value: mode.name().into(), ..entry }),
                Err(unknown) => self.wrong_mode(key, node, &unknown.to_string()),
            },
            (Shape::Mode, _) => self.wrong_mode(key, node, &wrong(key, node, "the name of a mode")),
            (Shape::Folders | Shape::Texts, Kind::List(items)) => self.texts(key, node, items),
            (Shape::Raw, _) => self.raw(entry, node),
            (Shape::Detectors, Kind::Object(members)) => self.levels(entry, node, members),
            (Shape::Detectors, _) => {
                self.problem(node.place, wrong(key, node, detectors::EXPECTED), Severity::Error);
            }
            (Shape::Keep, _)
                if LogRetention::from_json(&entry.value).is_some() && node.repeated().is_none() =>
            {
                self.entries.push(entry);
            }
            (Shape::Keep, _) => {
                self.problem(node.place, wrong(key, node, keep::EXPECTED), Severity::Error);
            }
            (Shape::Flag, Kind::Bool(_)) | (Shape::Text, Kind::Text(_)) => self.entries.push(entry),
            (Shape::Switch, Kind::Bool(false)) => {}
            (Shape::Switch, kind) => {
                if !matches!(kind, Kind::Bool(true)) && *kind != Kind::Text("disable".to_owned()) {
                    let message =
                        wrong(key, node, "`\"disable\"` or `true`") + "; it is taken as `\"disable\"`";
                    self.problem(node.place, message, Severity::Error);
                }
                self.entries.push(Entry { value: Value::Bool(true), ..entry });
            }
            (Shape::Choice(words), Kind::Text(text)) if words.contains(&text.as_str()) => {
                self.entries.push(entry);
            }
            (Shape::Choice(words), _) => {
                let words = words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(" or ");
                self.problem(node.place, wrong(key, node, &words), Severity::Error);
            }
            (Shape::Seconds | Shape::Count | Shape::Temperature, kind) => match number(key.shape, kind) {
                Ok(()) => self.entries.push(entry),
                Err(expected) => self.problem(node.place, wrong(key, node, expected), Severity::Error),
            },
            (Shape::Folders | Shape::Texts, _) => {
                self.problem(node.place, wrong(key, node, "a list of texts"), Severity::Error);
            }
            // Whose rules count is not known then.
            (Shape::Flag, _) if key.giver == Giver::Managed => {
                self.lost(node.place, wrong(key, node, "`true` or `false`"));
            }
            (Shape::Flag, _) => {
                self.problem(node.place, wrong(key, node, "`true` or `false`"), Severity::Error);
            }
            (Shape::Text, _) => self.problem(node.place, wrong(key, node, "text"), Severity::Error),
        }
    }

    /// What detectors are set to; what is wrong is left out.
    fn levels(&mut self, entry: Entry, node: &Node, members: &[Member]) {
        if let Some(member) = node.repeated() {
            let message = format!("`{}` comes twice in `{}`; keep one of them", member.key, entry.key.name);
            self.problem(member.place, message, Severity::Error);
        }
        let mut kept = serde_json::Map::new();
        for member in members {
            let word = if let Kind::Text(word) = &member.value.kind { word.as_str() } else { "" };
            match detectors::level(&member.key, word, self.source) {
                Ok(level) => drop(kept.insert(member.key.clone(), level.name().into())),
                Err(message) => self.problem(member.place, message, Severity::Error),
            }
        }
        self.entries.push(Entry { value: Value::Object(kept), ..entry });
    }

    /// A value that others read; they cannot see what it loses to a key that stands twice.
    fn raw(&mut self, entry: Entry, node: &Node) {
        if let Some(member) = node.repeated() {
            let message = format!("`{}` comes twice in `{}`; keep one of them", member.key, entry.key.name);
            // FAIL-CLOSED(broken-settings): of two only one would count, and the other may have been a guard.
            self.lost(member.place, message);
        }
        self.entries.push(entry);
    }

    /// A mode that is not understood counts as `default`: one from a lower source could be looser.
    fn wrong_mode(&mut self, key: &'static Key, node: &Node, message: &str) {
        self.problem(node.place, message.to_owned(), Severity::Error);
        let value = Value::from(Mode::Default.name());
        self.entries.push(Entry { key, value, place: node.place, rules: Vec::new(), places: Vec::new() });
    }

    fn rules(&mut self, key: &'static Key, list: List, node: &Node) {
        let one = std::slice::from_ref(node);
        let items = match &node.kind {
            Kind::List(items) => items.as_slice(),
            Kind::Text(_) if list != List::Allow => {
                self.problem(node.place, wrong(key, node, "a list of rules"), Severity::Error);
                one
            }
            Kind::Text(_) | Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Object(_) => {
                self.lost_from(list, node.place, wrong(key, node, "a list of rules"));
                return;
            }
        };
        let mut rules = Vec::new();
        for item in items {
            match &item.kind {
                Kind::Text(text) => rules.push(self.rule(text, list, item.place)),
                Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::List(_) | Kind::Object(_) => {
                    let message = format!("a rule is text such as \"Bash(git push:*)\", not {}", item.name());
                    self.lost_from(list, item.place, message);
                }
            }
        }
        let places =
            rules.iter().map(|rule| Place { line: rule.origin.line, column: rule.origin.column }).collect();
        let value = rules.iter().map(|rule| Value::from(rule.text.clone())).collect();
        self.entries.push(Entry { key, value, place: node.place, rules, places });
    }

    fn rule(&mut self, text: &str, list: List, place: Place) -> Rule {
        let (rule, broken) = Rule::parse(text, list, self.origin(place));
        if let Some(BrokenRule { problem, at, .. }) = broken {
            // The place of the mistake inside the quotes.
            let inside = u32::try_from(at).unwrap_or_default().saturating_add(1);
            let column = if place.column == 0 { 0 } else { place.column.saturating_add(inside) };
            let guarded = matches!(&rule.specifier, Specifier::Broken(guarded) if !guarded.trim().is_empty());
            let effect = match (list, guarded) {
                (List::Allow, _) => "it approves nothing",
                (List::Ask | List::Deny, true) => "it guards its literal text only",
                (List::Ask | List::Deny, false) => "every call is asked about until it is fixed",
            };
            self.incomplete |= list != List::Allow && !guarded;
            let message = format!("the {} rule `{text}` is not understood: {problem}; {effect}", list.name());
            self.problem(Place { line: place.line, column }, message, Severity::Error);
        }
        rule
    }

    fn texts(&mut self, key: &'static Key, node: &Node, items: &[Node]) {
        let mut kept = Vec::new();
        let mut places = Vec::new();
        for item in items {
            match &item.kind {
                Kind::Text(text) if !text.is_empty() && !text.contains('\0') => {
                    kept.push(Value::from(text.clone()));
                    places.push(item.place);
                }
                Kind::Text(_)
                | Kind::Null
                | Kind::Bool(_)
                | Kind::Number(_)
                | Kind::List(_)
                | Kind::Object(_) => {
                    let message = format!("an item of `{}` is not text; it has no effect", key.name);
                    self.problem(item.place, message, Severity::Error);
                }
            }
        }
        self.entries.push(Entry { key, value: kept.into(), place: node.place, rules: Vec::new(), places });
    }

    /// Where something of this sheet stands.
    pub(crate) fn origin(&self, place: Place) -> Origin {
        Origin {
            source: self.source,
            file: self.file.clone(),
            line: place.line,
            column: place.column,
            base: self.base.clone(),
        }
    }

    pub(crate) fn problem(&mut self, place: Place, message: String, severity: Severity) {
        let (file, Place { line, column }) = (self.file.clone(), place);
        self.problems.push(Problem { file, line, column, message, severity });
    }

    /// A problem that may have cost a deny or ask rule.
    pub(crate) fn lost(&mut self, place: Place, message: String) {
        self.incomplete = true;
        self.problem(place, message, Severity::Error);
    }

    fn lost_from(&mut self, list: List, place: Place, message: String) {
        self.incomplete |= list != List::Allow;
        self.problem(place, message, Severity::Error);
    }
}

/// Whether a key is the last of its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyStatus {
    Counts,
    Repeated,
}

/// Whether a number is one that the setting takes; if not, what it should be.
fn number(shape: Shape, kind: &Kind) -> Result<(), &'static str> {
    let given = if let Kind::Number(number) = kind { Some(number) } else { None };
    let within = |takes: &dyn Fn(f64) -> bool| given.and_then(serde_json::Number::as_f64).is_some_and(takes);
    let whole = given.and_then(serde_json::Number::as_u64);
    let (good, expected) = match shape {
        Shape::Seconds => (within(&|it| it > 0.0 && it <= 3600.0), "a number of seconds up to 3600"),
        Shape::Temperature => (within(&|it| (0.0..=2.0).contains(&it)), "a number from 0 to 2"),
        Shape::Count => {
            (whole.is_some_and(|it| (1..=1_000_000).contains(&it)), "a whole number up to 1000000")
        }
        Shape::Rules(_) | Shape::Mode | Shape::Folders | Shape::Switch | Shape::Flag => (false, "no number"),
        Shape::Text | Shape::Texts | Shape::Choice(_) => (false, "no number"),
        Shape::Keep | Shape::Raw | Shape::Detectors => (false, "no number"),
    };
    if good { Ok(()) } else { Err(expected) }
}

fn wrong(key: &Key, node: &Node, expected: &str) -> String {
    match &node.kind {
        Kind::Text(text) => format!("`{}` is `\"{text}\"`; it should be {expected}", key.name),
        Kind::Bool(value) => format!("`{}` is `{value}`; it should be {expected}", key.name),
        Kind::Number(number) => format!("`{}` is `{number}`; it should be {expected}", key.name),
        Kind::Null | Kind::List(_) | Kind::Object(_) => {
            format!("`{}` is {}; it should be {expected}", key.name, node.name())
        }
    }
}
