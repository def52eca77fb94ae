//! The made-up world of a block: what its directive lines say about rules, mode, directories and files.

use std::sync::Arc;

use portcullis_classify::judge::Strictness;
use portcullis_classify::transcript::{Entry, Origin as Author, Transcript};
use portcullis_decide::detect::texts_written;
use portcullis_decide::facts::{Answer, Facts, FileText, PathFact, PathKind, Question, Unread};
use portcullis_decide::path::{Platform, absolute, is_within};
use portcullis_decide::rules::{Extra, List, Origin, Rule, Rules, Source};
use portcullis_decide::{Context, Mode, ToolCall, questions};
use portcullis_shell::Dialect;

use super::hook::MadeUpHooks;
use crate::hooks::HookVerdict;
use crate::settings::level;
use crate::settle::OutsideWords;

/// How often what is known may lead to another question.
const ROUNDS: usize = 4;

const ROOT: &str = "/home/dev/proj";
const HOME: &str = "/home/dev";

/// What the directives said so far.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Without rules and facts, which are added for each case.
    context: Context,
    rules: Vec<Rule>,
    cwd: Option<String>,
    links: Facts,
    /// Directories, and the keys that name a command for git there and below.
    repositories: Vec<(String, String)>,
    /// Directories, and the names of files in them.
    present: Vec<(String, String)>,
    /// The built-in judge answers, with this conversation.
    judge: Option<(Strictness, Transcript)>,
    /// What else the user is known to have said.
    outside_words: OutsideWords,
    hooks: MadeUpHooks,
}

impl World {
    /// A project without rules, links or configuration, in default mode.
    pub(super) fn plain() -> World {
        World {
            context: Context::new(ROOT, HOME),
            rules: Vec::new(),
            cwd: None,
            links: Facts::plain(),
            repositories: Vec::new(),
            present: Vec::new(),
            judge: None,
            outside_words: OutsideWords::default(),
            hooks: MadeUpHooks::default(),
        }
    }

    /// The working directory.
    pub(super) fn cwd(&self) -> String {
        let root = self.context.roots.first().cloned().unwrap_or_default();
        self.cwd.clone().unwrap_or(root)
    }

    /// Takes one directive line; `at` is where it stands.
    pub(super) fn direct(&mut self, line: &str, at: Origin) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if let Some(source) = word.strip_suffix(':') {
            return self.direct(rest, Origin { source: source_named(source)?, ..at });
        }
        match (word, rest) {
            ("allow", rule) => self.rule(rule, List::Allow, at),
            ("ask", rule) => self.rule(rule, List::Ask, at),
            ("deny", rule) => self.rule(rule, List::Deny, at),
            ("broken", rule) => self.broken_rule(rule, at),
            ("mode", name) => {
                name.parse::<Mode>().map(|mode| self.context.mode = mode).map_err(|it| it.to_string())
            }
            ("root" | "home" | "cwd" | "add-dir", path) => self.directory(word, path),
            ("shell", name) => self.shell(name),
            ("link", arrow) => self.link(arrow, "->"),
            ("hardlink", arrow) => self.link(arrow, "=>"),
            ("missing", path) => self.missing(path),
            ("git-config", key) => named(key, word).map(|key| self.repositories.push((self.cwd(), key))),
            ("present", name) => named(name, word).map(|name| self.present.push((self.cwd(), name))),
            ("holds", file) => self.holds(file, true),
            ("untracked", file) => self.holds(file, false),
            ("unread", file) => self.unread(file),
            ("on", branch) => {
                let folder = self.cwd();
                self.context.facts.add(Question::Branch(folder), Answer::Text(branch.to_owned()));
                Ok(())
            }
            ("redirect", url) => named(url, word).map(|url| self.context.facts.redirect = Some(url)),
            ("address", pair) => self.address(pair),
            ("session", what) => self.session(what),
            ("hook", what) => self.hooks.direct(what, &at),
            ("detector", set) => self.detector(set, &at),
            ("judge", "balanced") => self.judge(Strictness::Balanced),
            ("judge", "strict") => self.judge(Strictness::Strict),
            ("said", words) => self.said(words, Author::Human),
            ("said-by", words) => {
                let (who, words) =
                    words.split_once(' ').ok_or("`said-by` takes who said it, and the words")?;
                self.said(words, Author::Other(who.to_owned()))
            }
            ("parent-said", words) => self.outside_words(|heard| heard.before.push(words.to_owned())),
            ("prompt", words) => self.outside_words(|heard| heard.after.push(words.to_owned())),
            ("unheard", why) if !why.is_empty() => {
                self.outside_words(|heard| heard.unread = Some(why.to_owned()))
            }
            ("did", call) => self.did(call),
            ("platform", "windows") => {
                self.context.platform = Platform::Windows;
                Ok(())
            }
            (switch, "") => self.switch(switch),
            _ => Err(format!("`{line}` is no directive; a case begins with blanks")),
        }
    }

    /// L3: what settings make of a detector.
    fn detector(&mut self, set: &str, at: &Origin) -> Result<(), String> {
        let (id, word) = set.split_once(' ').ok_or("`detector` takes an id and off, ask or deny")?;
        let level = level(id, word.trim(), at.source)?;
        Arc::make_mut(&mut self.context.detectors).insert(id.to_owned(), level);
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "every directive answers alike")]
    fn judge(&mut self, strictness: Strictness) -> Result<(), String> {
        let talk = self.judge.take().map(|(_, talk)| talk).unwrap_or_default();
        self.judge = Some((strictness, talk));
        Ok(())
    }

    fn talk(&mut self) -> Result<&mut Transcript, String> {
        let talk = self.judge.as_mut().map(|(_, talk)| talk);
        talk.ok_or_else(|| "only a judge hears it; write `judge balanced` or `judge strict` first".to_owned())
    }

    fn said(&mut self, words: &str, origin: Author) -> Result<(), String> {
        self.talk()?.entries.push(Entry::User { text: words.to_owned(), origin });
        Ok(())
    }

    fn outside_words(&mut self, change: impl FnOnce(&mut OutsideWords)) -> Result<(), String> {
        self.talk()?;
        change(&mut self.outside_words);
        Ok(())
    }

    /// An earlier call of the session: `did Bash  git switch -c fix`.
    fn did(&mut self, call: &str) -> Result<(), String> {
        let (tool, input) =
            call.split_once("  ").ok_or("`did` takes a tool and its input, two blanks in between")?;
        let call = ToolCall::new(tool, serde_json::Value::Null, self.cwd());
        let json = input.trim_start().starts_with("{\"");
        let input = input.trim();
        let input =
            if json { super::input_from_json(input)? } else { super::input_from_text(&call.tool, input)? };
        let call = call.with_input(input);
        if let Some(path) = call.text("file_path").or_else(|| call.text("notebook_path")) {
            let path = absolute(path, &call.cwd, &self.context.home, self.context.platform);
            let text = call.text_after(self.context.facts.text(&path));
            self.context.facts.add(Question::Text(path), Answer::Text(text.unwrap_or_default()));
        }
        for (path, text) in texts_written(&call, &self.context) {
            self.context.facts.add(Question::Text(path), Answer::Text(text));
        }
        self.context.session = self.context.session.clone().after(&call, &self.context);
        self.talk()?.push_call(call);
        Ok(())
    }

    /// What the hooks say about a call.
    pub(super) fn hook_verdict(&self, call: &ToolCall) -> HookVerdict {
        self.hooks.verdict(call)
    }

    /// The conversation, where the built-in judge answers.
    pub(super) fn judged(&self) -> Option<(Strictness, Transcript)> {
        self.judge.clone()
    }

    /// What that judge hears beside it.
    pub(super) fn heard_beside(&self) -> OutsideWords {
        self.outside_words.clone()
    }

    fn rule(&mut self, text: &str, list: List, at: Origin) -> Result<(), String> {
        let (rule, broken) = Rule::parse(text, list, at);
        self.rules.push(rule);
        broken
            .map_or(Ok(()), |broken| Err(format!("the rule `{text}` is not understood: {}", broken.problem)))
    }

    /// A rule that is not understood, knowingly: to test what it still guards.
    fn broken_rule(&mut self, text: &str, at: Origin) -> Result<(), String> {
        let (list, text) = text.split_once(' ').unwrap_or((text, ""));
        let lists = [List::Allow, List::Ask, List::Deny];
        let list = lists.into_iter().find(|known| known.name() == list);
        let list = list.ok_or("`broken` is followed by `allow`, `ask` or `deny` and the rule")?;
        let (rule, broken) = Rule::parse(text.trim(), list, at);
        self.rules.push(rule);
        broken.map_or_else(
            || Err(format!("the rule `{text}` is understood; write it without `broken`")),
            |_| Ok(()),
        )
    }

    fn directory(&mut self, which: &str, path: &str) -> Result<(), String> {
        let path = absolute(&named(path, which)?, &self.cwd(), &self.context.home, self.context.platform);
        match which {
            "home" => self.context.home = path,
            "cwd" => self.cwd = Some(path),
            "add-dir" => self.context.roots.push(path),
            _ => match self.context.roots.first_mut() {
                Some(root) => *root = path,
                None => self.context.roots.push(path),
            },
        }
        Ok(())
    }

    /// A file and what is written in it: `holds run.sh curl example.com | sh`, with `\n` and `\t` for line ends and tabs.
    fn holds(&mut self, file: &str, settled: bool) -> Result<(), String> {
        let (name, text) = file.split_once(' ').ok_or("`holds` takes a file and what is written in it")?;
        let path = absolute(name, &self.cwd(), &self.context.home, self.context.platform);
        let text = text.replace("\\n", "\n").replace("\\t", "\t");
        self.context.facts.add(Question::Text(path), Answer::File(FileText { text: Ok(text), settled }));
        Ok(())
    }

    /// A file that cannot be read whole: `unread big.sh too-long`.
    fn unread(&mut self, file: &str) -> Result<(), String> {
        let (name, why) = file.split_once(' ').ok_or("`unread` takes a file and why")?;
        let why = match why.trim() {
            "missing" => Unread::Missing,
            "too-long" => Unread::TooLong,
            "not-text" => Unread::NotText,
            "closed" => Unread::Closed,
            _ => return Err(format!("`{why}` is no reason; say missing, too-long, not-text or closed")),
        };
        let path = absolute(name, &self.cwd(), &self.context.home, self.context.platform);
        self.context
            .facts
            .add(Question::Text(path), Answer::File(FileText { text: Err(why), settled: false }));
        Ok(())
    }

    fn shell(&mut self, name: &str) -> Result<(), String> {
        self.context.dialect = match name {
            "bash" => Dialect::Bash,
            "sh" => Dialect::Sh,
            "zsh" => Dialect::Zsh,
            _ => return Err(format!("there is no shell `{name}`; there are bash, sh and zsh")),
        };
        Ok(())
    }

    /// `link PATH -> TARGET`, `hardlink PATH => TARGET`; a target that ends with `/` is a directory.
    fn link(&mut self, text: &str, arrow: &str) -> Result<(), String> {
        let (path, target) = text.split_once(arrow).ok_or(format!("a link is `PATH {arrow} TARGET`"))?;
        let cwd = self.cwd();
        let place = |path: &str| absolute(path.trim(), &cwd, &self.context.home, self.context.platform);
        let kind = if target.ends_with('/') { PathKind::Directory } else { PathKind::File };
        let shared = arrow == "=>";
        let resolved = if shared { place(path) } else { place(target) };
        self.links.add(Question::Path(place(path)), Answer::Path(PathFact { resolved, kind, shared }));
        Ok(())
    }

    /// `missing PATH`: nothing is there.
    fn missing(&mut self, path: &str) -> Result<(), String> {
        let path = absolute(&named(path, "missing")?, &self.cwd(), &self.context.home, self.context.platform);
        let fact = PathFact { kind: PathKind::Missing, ..PathFact::plain(&path) };
        self.links.add(Question::Path(path), Answer::Path(fact));
        Ok(())
    }

    /// `address HOST = ADDRESS`: what the host was seen to stand for.
    fn address(&mut self, text: &str) -> Result<(), String> {
        let (host, address) = text.split_once(" = ").ok_or("an address is `HOST = ADDRESS`")?;
        self.context.facts.addresses.push((host.trim().to_owned(), address.trim().to_owned()));
        Ok(())
    }

    fn session(&mut self, what: &str) -> Result<(), String> {
        match what {
            "shell-changed" => self.context.session.shell_changed = true,
            "build-changed" => self.context.session.build_changed = true,
            _ => {
                return Err(format!(
                    "`{what}` is nothing that a session did; there are shell-changed and build-changed"
                ));
            }
        }
        Ok(())
    }

    fn switch(&mut self, name: &str) -> Result<(), String> {
        let switches = &mut self.context.switches;
        match name {
            "headless" => switches.avoid_prompts = true,
            "bypass-available" => switches.bypass_available = true,
            "disable-bypass" => switches.bypass_disabled = true,
            "disable-auto" => switches.auto_disabled = true,
            "classify-ask-rules" => switches.classify_ask_rules = true,
            "powershell-auto" => switches.powershell_auto = true,
            "dangerous-extended" => switches.extra_dangerous = Extra::SetAside,
            "settings-incomplete" => switches.rules_incomplete = true,
            "definition-changed" => self.context.facts.definition_changed = true,
            "fold-case" => self.context.fold_case = true,
            "new-shells" => self.context.keeps_shell = false,
            _ => return Err(format!("`{name}` is no directive; a case begins with blanks")),
        }
        Ok(())
    }

    /// Everything that a ruling about `call` depends on.
    pub(super) fn context(&self, call: &ToolCall) -> Context {
        let mut context = self.context.clone();
        context.rules = Rules::new(self.rules.clone()).into();
        for _ in 0..ROUNDS {
            let asked = questions(call, &context);
            if asked.is_empty() {
                break;
            }
            // Pages say what is written in files where it matters; all others are the user's own.
            for question in asked.into_iter().filter(|question| !matches!(question, Question::Text(_))) {
                let answer = self.answer(&question);
                context.facts.add(question, answer);
            }
        }
        context.facts.plain_world = true;
        context
    }

    fn answer(&self, question: &Question) -> Answer {
        let below = |directory: &str, entries: &[(String, String)]| -> Vec<(String, String)> {
            entries.iter().filter(|(place, _)| is_within(directory, place)).cloned().collect()
        };
        match question {
            Question::Path(path) => {
                Answer::Path(self.links.path(path).unwrap_or_else(|| PathFact::plain(path)))
            }
            Question::Repository(directory) => {
                let found = below(directory, &self.repositories);
                Answer::Repository(found.into_iter().map(|(_, key)| key).collect())
            }
            Question::Text(_) | Question::Branch(_) => Answer::Text(String::new()),
            Question::Present(directory, names) => {
                let found =
                    below(directory, &self.present).into_iter().filter(|(_, name)| names.contains(name));
                let mut found: Vec<String> = found.map(|(place, name)| format!("{place}/{name}")).collect();
                // `FILE:WORD` is a file in which the word stands.
                found.extend(names.iter().filter_map(|name| {
                    let (file, word) = name.split_once(':')?;
                    let path = format!("{directory}/{file}");
                    self.context.facts.text(&path).is_some_and(|text| text.contains(word)).then_some(path)
                }));
                Answer::Present(found)
            }
        }
    }
}

fn named(text: &str, directive: &str) -> Result<String, String> {
    if text.is_empty() { Err(format!("`{directive}` is followed by a name")) } else { Ok(text.to_owned()) }
}

fn source_named(name: &str) -> Result<Source, String> {
    let sources = [
        Source::Managed,
        Source::Remote,
        Source::CommandLine,
        Source::Session,
        Source::Local,
        Source::Project,
        Source::User,
    ];
    let known = sources.into_iter().find(|source| source.name() == name);
    known.ok_or_else(|| {
        let names = sources.map(Source::name).join(", ");
        format!("`{name}` is no source of rules; the sources are {names}")
    })
}
