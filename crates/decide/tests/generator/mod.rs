//! Makes cases: a call, the rules in force, the mode and what is known of the world.
//!
//! Everything is a choice from a list, so that a case that breaks a law shrinks to a short one. Knows nothing
//! of how rulings are made.

pub(crate) mod harm;
pub(crate) mod lines;
pub(crate) mod pools;

use std::fmt;

use portcullis_decide::facts::{Answer, Facts, PathFact, PathKind, Question};
use portcullis_decide::rules::{Extra, List, Origin, Rule, Rules, Source};
use portcullis_decide::session::SessionFacts;
use portcullis_decide::{Context, Mode, Switches, ToolCall};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use pools::{ADDRESSES, COMMAND_RULES, OTHER_RULES, PATH_RULES, PATHS};

/// The trusted root of every case.
pub(crate) const ROOT: &str = "/home/dev/proj";
/// The home directory of every case.
pub(crate) const HOME: &str = "/home/dev";

const SOURCES: &[Source] =
    &[Source::Managed, Source::CommandLine, Source::Session, Source::Local, Source::Project, Source::User];

/// A rule as a person writes it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) list: List,
    pub(crate) text: String,
    pub(crate) source: Source,
}

impl Written {
    pub(crate) fn parse(&self) -> Rule {
        Rule::parse(&self.text, self.list, Origin::of(self.source)).0
    }
}

/// What is known of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// Every path is a plain file.
    Plain,
    /// Some folders of the project are links: `link` leads to `/etc`, `git-link` to `.git`, `safe-link` to `docs`.
    Links,
    /// The repository tells git to run programs.
    Configured,
    /// Nothing is known.
    Dark,
}

impl World {
    fn facts(self) -> Facts {
        let mut facts = if self == World::Dark { Facts::none() } else { Facts::plain() };
        let mut link = |from: &str, to: &str| {
            let fact = PathFact { resolved: to.to_owned(), kind: PathKind::Directory, shared: false };
            facts.add(Question::Path(format!("{ROOT}/{from}")), Answer::Path(fact));
        };
        if self == World::Links {
            link("link", "/etc");
            link("git-link", "/home/dev/proj/.git");
            link("safe-link", "/home/dev/proj/docs");
        }
        if self == World::Configured {
            for directory in [ROOT, "/home/dev/proj/src", "/tmp"] {
                let keys = Answer::Repository(vec!["core.fsmonitor".to_owned()]);
                facts.add(Question::Repository(directory.to_owned()), keys);
            }
        }
        facts
    }
}

/// A call and all that its ruling depends on.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) tool: String,
    pub(crate) input: Value,
    pub(crate) cwd: &'static str,
    pub(crate) rules: Vec<Written>,
    pub(crate) mode: Mode,
    pub(crate) switches: Switches,
    pub(crate) world: World,
    pub(crate) session: SessionFacts,
}

impl Case {
    pub(crate) fn call(&self) -> ToolCall {
        ToolCall::new(&self.tool, self.input.clone(), self.cwd)
    }

    pub(crate) fn context(&self) -> Context {
        let mut context = Context::new(ROOT, HOME);
        context.mode = self.mode;
        context.rules = Rules::new(self.rules.iter().map(Written::parse).collect()).into();
        context.switches = self.switches.clone();
        context.facts = self.world.facts();
        context.session = self.session.clone();
        context
    }

    /// The same case with another command line.
    pub(crate) fn with_line(&self, line: &str) -> Case {
        Case { tool: "Bash".to_owned(), input: json!({ "command": line }), ..self.clone() }
    }

    pub(crate) fn with_mode(&self, mode: Mode) -> Case {
        Case { mode, ..self.clone() }
    }

    pub(crate) fn with_rules(&self, rules: Vec<Written>) -> Case {
        Case { rules, ..self.clone() }
    }

    pub(crate) fn with_rule(&self, rule: Written) -> Case {
        let mut changed = self.clone();
        changed.rules.push(rule);
        changed
    }
}

/// A case as one reads it: only what differs from the usual.
impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{} {}", self.tool, self.input)?;
        for rule in &self.rules {
            writeln!(formatter, "  {} {} ({})", rule.list.name(), rule.text, rule.source.name())?;
        }
        let switches = &self.switches;
        let named = [
            (switches.avoid_prompts, "avoid_prompts"),
            (switches.bypass_available, "bypass_available"),
            (switches.bypass_disabled, "bypass_disabled"),
            (switches.auto_disabled, "auto_disabled"),
            (switches.classify_ask_rules, "classify_ask_rules"),
            (switches.powershell_auto, "powershell_auto"),
            (switches.extra_dangerous == Extra::SetAside, "extra_dangerous"),
            (switches.rules_incomplete, "rules_incomplete"),
            (self.session.shell_changed, "shell_changed"),
            (self.session.build_changed, "build_changed"),
        ];
        let on: Vec<&str> = named.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect();
        write!(formatter, "  mode {} cwd {} world {:?} {}", self.mode, self.cwd, self.world, on.join(" "))
    }
}

/// Any case.
pub(crate) fn case() -> impl Strategy<Value = Case> {
    let facts = (modes(), switches(), worlds(), sessions());
    (calls(), directories(), facts).prop_flat_map(|((tool, input), cwd, (mode, switches, world, session))| {
        let line = input.get("command").and_then(Value::as_str).unwrap_or("ls");
        proptest::collection::vec(rule(line), 0..5).prop_map(move |rules| Case {
            tool: tool.clone(),
            input: input.clone(),
            cwd,
            rules,
            mode,
            switches: switches.clone(),
            world,
            session: session.clone(),
        })
    })
}

/// A case with a command line for Bash.
pub(crate) fn shell_case() -> impl Strategy<Value = Case> {
    (case(), lines::line()).prop_map(|(case, line)| case.with_line(&line))
}

pub(crate) fn modes() -> impl Strategy<Value = Mode> {
    select(Mode::ALL)
}

fn worlds() -> impl Strategy<Value = World> {
    prop_oneof![
        6 => Just(World::Plain),
        3 => Just(World::Links),
        1 => Just(World::Configured),
        1 => Just(World::Dark)
    ]
}

fn directories() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(ROOT), 1 => Just("/home/dev/proj/src"), 1 => Just("/tmp")]
}

/// On once in eight times.
fn seldom() -> impl Strategy<Value = bool> {
    prop_oneof![7 => Just(false), 1 => Just(true)]
}

fn sessions() -> impl Strategy<Value = SessionFacts> {
    (seldom(), seldom()).prop_map(|(shell_changed, build_changed)| SessionFacts {
        shell_changed,
        build_changed,
        ..SessionFacts::default()
    })
}

pub(crate) fn switches() -> impl Strategy<Value = Switches> {
    let modes = (seldom(), seldom(), seldom(), seldom());
    let others = (seldom(), seldom(), seldom(), seldom());
    (modes, others).prop_map(|(modes, others)| Switches {
        avoid_prompts: modes.0,
        bypass_available: modes.1,
        bypass_disabled: modes.2,
        auto_disabled: modes.3,
        classify_ask_rules: others.0,
        powershell_auto: others.1,
        extra_dangerous: if others.2 { Extra::SetAside } else { Extra::Keep },
        rules_incomplete: others.3 && modes.0,
    })
}

/// A rule of any list.
pub(crate) fn rule(line: &str) -> impl Strategy<Value = Written> + use<> {
    let lists = select(&[List::Allow, List::Allow, List::Ask, List::Deny][..]);
    (lists, rule_text(line), select(SOURCES)).prop_map(|(list, text, source)| Written { list, text, source })
}

/// A rule of one list.
pub(crate) fn rule_of(list: List) -> impl Strategy<Value = Written> {
    (rule_text("ls"), select(SOURCES)).prop_map(move |(text, source)| Written { list, text, source })
}

/// The text of a rule; sometimes one that spells out `line`.
pub(crate) fn rule_text(line: &str) -> impl Strategy<Value = String> + use<> {
    let command = select(COMMAND_RULES).prop_map(|text| format!("Bash({text})"));
    let paths = (select(&["Read", "Edit", "Read", "Edit", "Write"][..]), select(PATH_RULES))
        .prop_map(|(tool, text)| format!("{tool}({text})"));
    let others = select(OTHER_RULES).prop_map(str::to_owned);
    let spelled = Just(format!("Bash({line})"));
    prop_oneof![8 => command, 4 => paths, 4 => others, 1 => spelled]
}

/// A tool and its input.
pub(crate) fn calls() -> impl Strategy<Value = (String, Value)> {
    let shell = lines::line().prop_map(|line| ("Bash", json!({ "command": line })));
    let named = |pair: (&'static str, Value)| (pair.0.to_owned(), pair.1);
    prop_oneof![
        6 => shell.prop_map(named),
        3 => file_calls().prop_map(named),
        3 => other_calls().prop_map(named),
    ]
}

fn file_calls() -> impl Strategy<Value = (&'static str, Value)> {
    const CONTENTS: &[&str] = &["let a = 1;", "requests.get(url, verify=False)", "curl x | sh"];
    let path = || select(PATHS);
    let content = || select(CONTENTS);
    prop_oneof![
        (path(), content()).prop_map(|(path, text)| {
            ("Edit", json!({ "file_path": path, "old_string": "a", "new_string": text }))
        }),
        (path(), content()).prop_map(|(path, text)| ("Write", json!({ "file_path": path, "content": text }))),
        (path(), content()).prop_map(|(path, text)| {
            let edits = json!([{ "old_string": "a", "new_string": text }]);
            ("MultiEdit", json!({ "file_path": path, "edits": edits }))
        }),
        path().prop_map(|path| ("NotebookEdit", json!({ "notebook_path": path, "new_source": "x" }))),
        path().prop_map(|path| ("Read", json!({ "file_path": path }))),
        path().prop_map(|path| ("Grep", json!({ "pattern": "x", "path": path }))),
        select(&["src/**", "**/*.rs", "/etc/*", "../x"][..])
            .prop_map(|pattern| ("Glob", json!({ "pattern": pattern }))),
    ]
}

fn other_calls() -> impl Strategy<Value = (&'static str, Value)> {
    const PLAIN: &[&str] = &[
        "TodoWrite",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "AskUserQuestion",
        "EnterPlanMode",
        "ExitPlanMode",
        "TeamCreate",
        "Sleep",
        "REPL",
        "Config",
        "CronCreate",
        "SendMessage",
        "KillShell",
        "Strange",
        "mcp__github__get_issue",
        "mcp__github__delete_repo",
        "mcp__git__hub__delete",
    ];
    const LINES: &[&str] = &["Get-ChildItem", "Remove-Item a.txt", "iex $x", "Get-Content src/main.rs"];
    prop_oneof![
        3 => select(PLAIN).prop_map(|tool| (tool, json!({}))),
        2 => select(ADDRESSES).prop_map(|url| ("WebFetch", json!({ "url": url }))),
        1 => Just(("WebSearch", json!({ "query": "secret of rust" }))),
        1 => select(&["reviewer", "worker", "x"][..])
            .prop_map(|name| ("Agent", json!({ "subagent_type": name, "prompt": "do", "model": "opus" }))),
        1 => select(&["deploy", "deploy prod", "x"][..]).prop_map(|name| ("Skill", json!({ "name": name }))),
        1 => select(PATHS).prop_map(|path| ("mcp__files__write", json!({ "path": path }))),
        1 => select(LINES).prop_map(|line| ("PowerShell", json!({ "command": line }))),
        1 => select(pools::COMMANDS).prop_map(|line| {
            ("Bash", json!({ "command": line, "dangerouslyDisableSandbox": true }))
        }),
        1 => select(pools::COMMANDS).prop_map(|line| ("Bash", json!({ "command": line, "cwd": "/tmp" }))),
        1 => select(&["Bash", "Read", "WebFetch", "Agent"][..]).prop_map(|tool| (tool, json!({ "x": 1 }))),
    ]
}
