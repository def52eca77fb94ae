//! The text of a rule (SPEC R2): `Tool`, `Tool(specifier)` or `Tool:specifier`.

use std::fmt;

use super::paths::PathPattern;
use super::shell::Pattern;
use super::{List, Origin, Rule};
use crate::call::Tool;
use crate::web::DomainPattern;

/// What a rule says about the input of its tool.
#[derive(Clone, Debug)]
pub enum Specifier {
    /// Nothing: it covers every call of the tool.
    Whole,
    /// A pattern for the command line.
    Command(CommandPattern),
    /// A description of commands in words, which only the classifier can match (R8).
    Prompt(String),
    /// A path pattern, as in `Read(…)` and `Edit(…)`.
    Path(PathPattern),
    /// A host, as in `WebFetch(domain:…)`.
    Domain(DomainPattern),
    /// The name of a sub-agent or skill; `*` is any text.
    Name(String),
    /// A field of the input and its value; `*` is any text. For deny and ask rules only.
    Parameter {
        /// The field.
        name: String,
        /// Its value.
        value: String,
    },
    /// It could not be understood: guards this text, allows nothing.
    Broken(String),
}

/// A pattern for command lines; `*` is any text.
#[derive(Clone, Debug)]
pub struct CommandPattern(pub(crate) Pattern);

/// A rule that could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenRule {
    /// Its text.
    pub rule: String,
    /// Where it was written.
    pub origin: Origin,
    /// What is wrong, and what to write instead.
    pub problem: String,
    /// Where in the text, in characters from its start.
    pub at: usize,
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the rule `{}` in {}: {}", self.rule, self.origin, self.problem)
    }
}

/// Rules longer than this are refused: no command line or path is.
const MAX_RULE: usize = 10_000;

pub(super) fn parse(text: &str, list: List, origin: Origin) -> (Rule, Option<BrokenRule>) {
    let (tool, specifier) = match understand(text, list) {
        Ok(understood) => understood,
        Err((problem, at)) => {
            let broken = BrokenRule { rule: text.to_owned(), origin: origin.clone(), problem, at };
            let rule = Rule {
                text: text.to_owned(),
                list,
                origin,
                tool: "*".to_owned(),
                specifier: Specifier::Broken(guarded(text)),
            };
            return (rule, Some(broken));
        }
    };
    (Rule { text: text.to_owned(), list, origin, tool, specifier }, None)
}

type Problem = (String, usize);

fn understand(text: &str, list: List) -> Result<(String, Specifier), Problem> {
    if text.len() > MAX_RULE {
        return Err((format!("it is longer than {MAX_RULE} characters"), 0));
    }
    let (name, specifier) = split(text)?;
    let known = Tool::named(name);
    let tool =
        if let Tool::Unknown(name) = &known { checked_name(name, list)? } else { known.name().to_owned() };
    let specifier = match specifier {
        None | Some("*") => Specifier::Whole,
        // Every command, with or without arguments.
        Some(":*" | "*:*") if list != List::Allow => Specifier::Whole,
        Some(":*") => return Err(("no command stands before `:*`".to_owned(), text.len())),
        Some(specifier) => specify(&tool, specifier, list, text.len() - specifier.len() - 1)?,
    };
    Ok((tool, specifier))
}

/// The tool's name and what stands in the parentheses.
fn split(text: &str) -> Result<(&str, Option<&str>), Problem> {
    if text.is_empty() || text.trim() != text {
        return Err(("a rule is a tool's name, with a specifier in parentheses if need be".to_owned(), 0));
    }
    let Some(open) = text.find('(') else {
        // `mcp__` names may hold a colon; `Tool:specifier` is for the tools we know.
        return match text.split_once(':') {
            Some((name, specifier)) if known(name) && !specifier.is_empty() => Ok((name, Some(specifier))),
            Some((name, _)) if known(name) => Err(("nothing follows the colon".to_owned(), text.len())),
            _ => Ok((text, None)),
        };
    };
    let (name, rest) = text.split_at(open);
    if let Some((before, _)) = name.split_once(':').filter(|(before, _)| known(before)) {
        return Ok((before, text.get(before.len() + 1..)));
    }
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        _ if name.is_empty() => Err(("the tool's name is missing before `(`".to_owned(), 0)),
        None => Err(("the closing `)` is missing at the end".to_owned(), text.len())),
        Some("") => {
            Err(("nothing stands between the parentheses; write the tool's name alone".to_owned(), open))
        }
        Some(inner) => Ok((name, Some(inner))),
    }
}

fn known(name: &str) -> bool {
    !matches!(Tool::named(name), Tool::Unknown(_) | Tool::Mcp(_))
}

/// The name of a tool that is not in our table.
fn checked_name(name: &str, list: List) -> Result<String, Problem> {
    if let Some(meant) = Tool::NAMES.iter().find(|tool| tool.eq_ignore_ascii_case(name)) {
        return Err((format!("there is no tool `{name}`; did you mean `{meant}`?"), 0));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'*');
    if !name.bytes().all(plain) {
        return Err((format!("`{name}` is not the name of a tool"), 0));
    }
    let server_wide = name.strip_prefix("mcp__").is_some_and(|rest| {
        rest.strip_suffix("__*").is_some_and(|server| !server.is_empty() && !server.contains('*'))
    });
    if list == List::Allow && name.contains('*') && !server_wide {
        let problem = "an allow rule may have `*` in the tool's name only as `mcp__<server>__*`";
        return Err((problem.to_owned(), name.find('*').unwrap_or_default()));
    }
    Ok(name.to_owned())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "tools without a form of their own take parameters")]
fn specify(tool: &str, text: &str, list: List, at: usize) -> Result<Specifier, Problem> {
    match Tool::named(tool) {
        Tool::Bash | Tool::PowerShell => Ok(match text.strip_prefix("prompt:") {
            Some(words) => Specifier::Prompt(words.trim().to_owned()),
            None if list == List::Allow => Specifier::Command(CommandPattern(Pattern::new(text))),
            None => Specifier::Command(CommandPattern(Pattern::guarding(text))),
        }),
        tool if tool.reads_files() || tool.edits_files() => PathPattern::parse(text, list != List::Allow)
            .map(Specifier::Path)
            .map_err(|problem| (problem, at)),
        Tool::WebFetch => match text.strip_prefix("domain:") {
            Some(host) => {
                DomainPattern::parse(host.trim()).map(Specifier::Domain).map_err(|problem| (problem, at))
            }
            None => parameter(text, list, at, "WebFetch(domain:example.com)"),
        },
        Tool::Skill => Ok(Specifier::Name(text.to_owned())),
        Tool::Agent if !text.contains(':') => Ok(Specifier::Name(text.to_owned())),
        _ => parameter(text, list, at, "Tool(parameter:value)"),
    }
}

fn parameter(text: &str, list: List, at: usize, form: &str) -> Result<Specifier, Problem> {
    let Some((name, value)) = text.split_once(':') else {
        return Err((format!("the specifier is not understood; the form is `{form}`"), at));
    };
    if list == List::Allow {
        return Err(("a parameter can be named in deny and ask rules only".to_owned(), at));
    }
    Ok(Specifier::Parameter { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// What a broken rule still guards: its text without the tool's name, parentheses and wildcards at the end.
fn guarded(text: &str) -> String {
    let inner = text.split_once('(').map_or(text, |(_, inner)| inner);
    let inner = inner.trim_end_matches(')').trim_end_matches(":*").trim_matches(['*', ' ']);
    let inner = inner.trim_start_matches('!');
    // No call spells `domain:`, and an address names its host in many ways.
    if let Some(host) = inner.strip_prefix("domain:") {
        let host = host.split_once("://").map_or(host, |(_, host)| host).trim();
        return host.split(['/', '?', '#']).next().unwrap_or_default().trim_matches(['*', '.']).to_owned();
    }
    // A path is seldom spelled with the way up that the rule has.
    match inner.rsplit_once("../") {
        Some((_, rest)) => format!("/{}", rest.trim_matches('/')),
        None => inner.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;

    fn check(text: &str, list: List) -> Result<(String, String), String> {
        let (rule, broken) = Rule::parse(text, list, Origin::of(Source::User));
        assert_eq!(rule.to_string(), text, "a rule prints as it was written");
        match broken {
            Some(broken) => Err(broken.problem),
            None => Ok((
                rule.tool,
                format!("{:?}", rule.specifier).split(['(', ' ']).next().unwrap_or("").to_owned(),
            )),
        }
    }

    /// [R2], [R7], [R8]
    #[test]
    fn rules_are_understood_by_their_form() {
        for (text, tool, specifier) in [
            ("Bash", "Bash", "Whole"),
            ("Bash(*)", "Bash", "Whole"),
            ("Bash(git status:*)", "Bash", "Command"),
            ("BashTool:rm -rf *", "Bash", "Command"),
            ("Bash(prompt: run the tests)", "Bash", "Prompt"),
            ("Bash(echo (x))", "Bash", "Command"),
            ("Read(~/.ssh/**)", "Read", "Path"),
            ("Write(src/**)", "Write", "Path"),
            ("WebFetch(domain:Example.COM)", "WebFetch", "Domain"),
            ("Task(reviewer)", "Agent", "Name"),
            ("Agent(model:opus)", "Agent", "Parameter"),
            ("Skill(deploy *)", "Skill", "Name"),
            ("mcp__github", "mcp__github", "Whole"),
            ("mcp__github__*", "mcp__github__*", "Whole"),
            ("mcp__*", "mcp__*", "Whole"),
            ("*", "*", "Whole"),
        ] {
            assert_eq!(check(text, List::Deny), Ok((tool.to_owned(), specifier.to_owned())), "{text}");
        }
    }

    /// [R2]
    #[test]
    fn what_is_not_understood_is_said() {
        for text in
            ["", "Bash(", "Bash(rm", "(rm)", "Bash()", " Bash", "bash(rm:*)", "Wéb", "WebFetch(example.com)"]
        {
            assert!(check(text, List::Deny).is_err(), "{text}");
        }
        for text in ["*", "mcp__*", "Agent(model:opus)"] {
            assert!(check(text, List::Allow).is_err(), "{text}");
        }
        assert!(check("mcp__github__*", List::Allow).is_ok());
    }
}
