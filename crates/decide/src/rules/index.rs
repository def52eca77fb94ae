//! All rules in force, found by tool and leading word, so that thousands cost no more than those that could match.

use std::borrow::Cow;
use std::collections::HashMap;

use super::paths::Anchor;
use super::places::Places;
use super::{List, Rule, Specifier};
use crate::call::Tool;

/// All rules in force, indexed so that thousands cost no more than those that could match.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    given: Vec<Rule>,
    allow: Index,
    ask: Index,
    deny: Index,
}

/// The rules of one list. Positions in `Rules::given`.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Whole-tool rules, by the tool's name.
    whole: HashMap<String, Vec<usize>>,
    /// Whole-tool rules with `*` in the name.
    named_by_pattern: Vec<usize>,
    bash: Commands,
    powershell: Commands,
    read: Places,
    edit: Places,
    /// By what the host must end with; the empty text holds the others.
    domains: HashMap<String, Vec<usize>>,
    all_domains: Vec<usize>,
    /// Names and parameters, by tool.
    details: HashMap<String, Vec<usize>>,
    /// The same for tools with `*` in the name.
    details_by_pattern: Vec<usize>,
    prompts: Vec<usize>,
    broken: Vec<usize>,
}

#[derive(Clone, Debug, Default)]
struct Commands {
    by_word: HashMap<String, Vec<usize>>,
    wild: Vec<usize>,
    /// By the whole text, for lines that are spelled out.
    by_text: HashMap<String, Vec<usize>>,
    /// All of them, in the order they were given.
    all: Vec<usize>,
}

/// Whether the name has a `*` that is more than "all tools of this server".
fn names_several(tool: &str) -> bool {
    let server = tool.strip_prefix("mcp__").and_then(|rest| rest.strip_suffix("__*"));
    let one_server = server.is_some_and(|server| !server.is_empty() && !server.contains('*'));
    tool.contains('*') && !one_server
}

/// What commands are found by: the program without its folder, since one file has many names.
fn key(word: &str) -> String {
    word.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(word).to_lowercase()
}

impl Rules {
    /// Indexes these rules. Their order does not matter.
    #[must_use]
    pub fn new(rules: Vec<Rule>) -> Rules {
        let mut all = Rules { given: rules, ..Rules::default() };
        for position in 0..all.given.len() {
            all.add(position);
        }
        all
    }

    /// All rules, in the order given.
    #[must_use]
    pub fn all(&self) -> &[Rule] {
        &self.given
    }

    fn add(&mut self, position: usize) {
        let Some(rule) = self.given.get(position) else { return };
        let index = match rule.list {
            List::Allow => &mut self.allow,
            List::Ask => &mut self.ask,
            List::Deny => &mut self.deny,
        };
        let tool = Tool::named(&rule.tool);
        match &rule.specifier {
            Specifier::Broken(_) => index.broken.push(position),
            Specifier::Prompt(_) => index.prompts.push(position),
            Specifier::Whole if names_several(&rule.tool) => {
                index.named_by_pattern.push(position);
            }
            Specifier::Whole => index.whole.entry(rule.tool.clone()).or_default().push(position),
            Specifier::Command(pattern) => {
                let commands = if tool == Tool::PowerShell { &mut index.powershell } else { &mut index.bash };
                commands.all.push(position);
                commands.by_text.entry(pattern.0.raw().to_owned()).or_default().push(position);
                let programs = pattern.0.programs();
                if programs.is_empty() {
                    commands.wild.push(position);
                }
                for program in programs {
                    // PowerShell does not care about case.
                    commands.by_word.entry(key(program)).or_default().push(position);
                }
            }
            Specifier::Path(pattern) => {
                let places = if tool.edits_files() { &mut index.edit } else { &mut index.read };
                places.add(position, rule, pattern);
            }
            Specifier::Domain(pattern) => {
                index.all_domains.push(position);
                let end = pattern.needed_end().unwrap_or_default();
                index.domains.entry(end.to_owned()).or_default().push(position);
            }
            Specifier::Name(_) | Specifier::Parameter { .. } if rule.tool.contains('*') => {
                index.details_by_pattern.push(position);
            }
            Specifier::Name(_) | Specifier::Parameter { .. } => {
                index.details.entry(rule.tool.clone()).or_default().push(position);
            }
        }
    }

    const fn list(&self, list: List) -> &Index {
        match list {
            List::Allow => &self.allow,
            List::Ask => &self.ask,
            List::Deny => &self.deny,
        }
    }

    fn at<'r>(&'r self, positions: &'r [usize]) -> impl Iterator<Item = &'r Rule> {
        positions.iter().filter_map(|position| self.given.get(*position))
    }

    /// The rules of a list that name the whole tool.
    pub(crate) fn whole(&self, list: List, name: &str) -> impl Iterator<Item = &Rule> {
        self.at(self.list(list).whole.get(name).map_or(&[], Vec::as_slice))
    }

    /// The whole-tool rules of a list with `*` in the name.
    pub(crate) fn named_by_pattern(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.at(&self.list(list).named_by_pattern)
    }

    /// The rules for command lines that begin with `word`, or that do not say with which.
    pub(crate) fn commands(&self, list: List, tool: &Tool, word: &str) -> impl Iterator<Item = &Rule> {
        let commands = self.command_index(list, tool);
        let key = if commands.by_word.is_empty() { String::new() } else { key(word) };
        let begin = |word: &str| commands.by_word.get(word).map_or(&[][..], Vec::as_slice);
        // `git-push` is `git push`.
        let group = if key.starts_with("git-") { begin("git") } else { &[] };
        self.at(begin(&key)).chain(self.at(group)).chain(self.at(&commands.wild))
    }

    /// The rules whose text is the whole line.
    pub(crate) fn spelled_out(&self, list: List, tool: &Tool, line: &str) -> impl Iterator<Item = &Rule> {
        let commands = self.command_index(list, tool);
        self.at(commands.by_text.get(line.trim()).map_or(&[], Vec::as_slice))
    }

    /// All rules for command lines, in the order they were given.
    pub(crate) fn all_commands(&self, list: List, tool: &Tool) -> impl Iterator<Item = &Rule> {
        self.at(&self.command_index(list, tool).all)
    }

    fn command_index(&self, list: List, tool: &Tool) -> &Commands {
        let index = self.list(list);
        if *tool == Tool::PowerShell { &index.powershell } else { &index.bash }
    }

    const fn places(&self, list: List, writing: bool) -> &Places {
        let index = self.list(list);
        if writing { &index.edit } else { &index.read }
    }

    /// The rules for paths that could mean a path that is spelled out.
    pub(crate) fn paths(&self, list: List, writing: bool, path: &str) -> impl Iterator<Item = &Rule> {
        self.taken(self.places(list, writing).named(path))
    }

    /// The rules for paths that could mean one of the files that the shell finds for `path`; `anchors` says
    /// where a rule may start from.
    pub(crate) fn paths_like<'r, 'c, A, I>(
        &'r self,
        list: List,
        writing: bool,
        path: &str,
        anchors: A,
    ) -> impl Iterator<Item = &'r Rule>
    where
        A: Fn(&'r Rule, Anchor) -> I,
        I: Iterator<Item = Cow<'c, str>>,
    {
        let starts = |position, anchor| self.at_position(position, anchor, &anchors);
        self.taken(self.places(list, writing).like(path, starts))
    }

    /// The rules for paths that name a place below the folder.
    pub(crate) fn paths_below<'r, 'c, A, I>(
        &'r self,
        list: List,
        writing: bool,
        folder: &str,
        anchors: A,
    ) -> impl Iterator<Item = &'r Rule>
    where
        A: Fn(&'r Rule, Anchor) -> I,
        I: Iterator<Item = Cow<'c, str>>,
    {
        let starts = |position, anchor| self.at_position(position, anchor, &anchors);
        self.taken(self.places(list, writing).below(folder, starts))
    }

    /// Where the rule at a position may start from.
    fn at_position<'r, 'c, A, I>(
        &'r self,
        position: usize,
        anchor: Anchor,
        anchors: &A,
    ) -> impl Iterator<Item = Cow<'c, str>>
    where
        A: Fn(&'r Rule, Anchor) -> I,
        I: Iterator<Item = Cow<'c, str>>,
    {
        self.given.get(position).into_iter().flat_map(move |rule| anchors(rule, anchor))
    }

    fn taken(&self, positions: Vec<usize>) -> impl Iterator<Item = &Rule> {
        positions.into_iter().filter_map(|position| self.given.get(position))
    }

    /// The first rule for paths, if the list has one.
    pub(crate) fn any_path(&self, list: List, writing: bool) -> Option<&Rule> {
        self.at(self.places(list, writing).all()).next()
    }

    /// The rules for hosts that could mean `host`.
    pub(crate) fn domains<'r>(&'r self, list: List, host: &str) -> impl Iterator<Item = &'r Rule> {
        let domains = &self.list(list).domains;
        let mut found: Vec<usize> = domains.get("").into_iter().flatten().copied().collect();
        let mut end = host;
        loop {
            found.extend(domains.get(end).into_iter().flatten());
            match end.split_once('.') {
                Some((_, rest)) => end = rest,
                None => break,
            }
        }
        found.into_iter().filter_map(|position| self.given.get(position))
    }

    /// All rules for hosts.
    pub(crate) fn all_domains(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.at(&self.list(list).all_domains)
    }

    /// The rules that name a sub-agent, a skill or a field of the tool's input.
    pub(crate) fn details(&self, list: List, tool: &str) -> impl Iterator<Item = &Rule> {
        self.at(self.list(list).details.get(tool).map_or(&[], Vec::as_slice))
    }

    /// The same for tools with `*` in the name.
    pub(crate) fn details_by_pattern(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.at(&self.list(list).details_by_pattern)
    }

    /// The rules of a list that describe commands in words (R8).
    pub fn prompts(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.at(&self.list(list).prompts)
    }

    /// The rules that could not be understood.
    pub(crate) fn broken(&self, list: List) -> impl Iterator<Item = &Rule> {
        self.at(&self.list(list).broken)
    }
}
