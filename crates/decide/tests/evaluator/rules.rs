//! Rules as their text says (SPEC R2, R3, R6, R7), taken apart without the parser under test.

use portcullis_decide::Tool;
use portcullis_decide::rules::List;

use super::super::generator::Written;
use super::text::{ANY, BORDER, starred};

/// One rule.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) list: List,
    /// The canonical name of the tool; may hold `*`.
    pub(crate) tool: String,
    pub(crate) about: About,
    pub(crate) written: Written,
}

/// What a rule is about.
#[derive(Clone, Debug)]
pub(crate) enum About {
    Whole,
    Command(Line),
    Prompt,
    Path(String),
    Domain(String),
    Name(String),
    Parameter(String, String),
    Broken(String),
}

/// A rule's command line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// As written.
    pub(crate) text: String,
    /// What stands before a trailing ` *` or `:*`, or all of it.
    pub(crate) pattern: String,
    /// Whether such a star is there.
    pub(crate) more: bool,
}

impl Line {
    fn new(text: &str) -> Line {
        let text = text.trim();
        let body = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *"));
        let pattern = words(body.map_or(text, str::trim_end));
        Line { text: text.to_owned(), pattern, more: body.is_some() }
    }

    pub(crate) fn has_star(&self) -> bool {
        self.more || self.pattern.contains(ANY)
    }

    /// The whole words before the first star.
    pub(crate) fn spelled(&self) -> Vec<&str> {
        let known = self.pattern.split(ANY).next().unwrap_or_default();
        let mut words: Vec<&str> = known.split(BORDER).collect();
        if self.pattern.contains(ANY) {
            words.pop();
        }
        words
    }
}

/// The words of a rule, with borders between them; quotes hold words together.
fn words(text: &str) -> String {
    let mut found = String::new();
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let pairs = text.matches(character).count() % 2 == 0;
        match character {
            '\\' if matches!(characters.peek(), Some('*' | '\\')) => found.extend(characters.next()),
            '\'' | '"' if quote == Some(character) => quote = None,
            '\'' | '"' if quote.is_none() && pairs => quote = Some(character),
            '*' => found.push(ANY),
            ' ' | '\t' if quote.is_none() => {
                if !found.ends_with(BORDER) {
                    found.push(BORDER);
                }
            }
            _ => found.push(character),
        }
    }
    found
}

/// Every rule of the case; those of sources and lists alike.
pub(crate) fn all(rules: &[Written]) -> Vec<Said> {
    rules.iter().map(said).collect()
}

fn said(rule: &Written) -> Said {
    let Written { list, text, source: _ } = rule;
    let (tool, about) = understood(text, *list).unwrap_or_else(|| {
        let inside = text.split_once('(').map_or(text.as_str(), |(_, inside)| inside);
        let inside = inside.trim_end_matches(')').trim_end_matches(":*").trim_matches(['*', ' ']);
        ("*".to_owned(), About::Broken(inside.to_owned()))
    });
    Said { list: *list, tool, about, written: rule.clone() }
}

fn understood(text: &str, list: List) -> Option<(String, About)> {
    let (name, inside) = match text.split_once('(') {
        Some((name, inside)) => (name, Some(inside.strip_suffix(')')?)),
        None => (text, None),
    };
    let tool = Tool::named(name).name().to_owned();
    let known = Tool::NAMES.contains(&tool.as_str());
    if name.is_empty()
        || inside == Some("")
        || (!known && Tool::NAMES.iter().any(|other| other.eq_ignore_ascii_case(name)))
    {
        return None;
    }
    let one_server = name.strip_suffix("__*").is_some_and(|server| !server.contains('*'));
    if list == List::Allow && name.contains('*') && !one_server {
        return None;
    }
    let inside = inside.filter(|inside| *inside != "*");
    let Some(inside) = inside else { return Some((tool, About::Whole)) };
    let about = match Tool::named(&tool) {
        Tool::Bash | Tool::PowerShell if inside.starts_with("prompt:") => About::Prompt,
        Tool::Bash | Tool::PowerShell => About::Command(Line::new(inside)),
        tool if tool.reads_files() || tool.edits_files() => About::Path(inside.to_owned()),
        Tool::WebFetch if inside.starts_with("domain:") => {
            About::Domain(inside.trim_start_matches("domain:").to_lowercase())
        }
        Tool::Skill => About::Name(inside.to_owned()),
        Tool::Agent if !inside.contains(':') => About::Name(inside.to_owned()),
        _ => {
            let (name, value) = inside.split_once(':').filter(|_| list != List::Allow)?;
            About::Parameter(name.to_owned(), value.to_owned())
        }
    };
    Some((tool, about))
}

impl Said {
    /// Whether it is about this tool as a whole.
    pub(crate) fn is_about_all_of(&self, tool: &Tool) -> bool {
        if !matches!(self.about, About::Whole) {
            return false;
        }
        let name = tool.name();
        let edits = tool.edits_files() && self.tool == "Edit";
        let reads = tool.reads_files() && self.tool == "Read" && self.list != List::Allow;
        let pattern = self.list != List::Allow
            && super::text::compare(&starred(&self.tool), name) == portcullis_decide::rules::Match::Yes;
        self.tool == name || edits || reads || pattern || self.is_about_the_server_of(tool)
    }

    /// `mcp__server` and `mcp__server__*`. Where the server's name could end in two places, a guard means both
    /// and an approval neither.
    fn is_about_the_server_of(&self, tool: &Tool) -> bool {
        let Tool::Mcp(name) = tool else { return false };
        let server = self.tool.strip_suffix("__*").unwrap_or(&self.tool);
        let sure = name.matches("__").count() == 2;
        let inside = name.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"));
        inside && server.len() > "mcp__".len() && (sure || self.list != List::Allow)
    }
}
