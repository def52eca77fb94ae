//! Command lines the slow way: which guards touch them, and whether allow rules cover them (SPEC R3–R5, R9, R10).
//!
//! What a command does, and what a program is for, is taken from the reader; everything about rules is not.

use std::cell::Cell;

use portcullis_decide::facts::PathKind;
use portcullis_decide::path::absolute;
use portcullis_decide::rules::{List, Match, is_dangerous};
use portcullis_decide::view::{Access, PathUse, View};
use portcullis_decide::{Context, Mode, Tool};
use portcullis_shell::{Argument, Command, Effects, Reading, Span, Why, nature};

use super::super::generator::{Case, HOME};
use super::paths;
use super::rules::{About, Line, Said};
use super::text::{ANY, BORDER, HOLE, compare};

/// Words that a rule may have in mind, joined with borders.
fn joined(words: &[(String, bool)]) -> String {
    let shown = words.iter().map(|(text, literal)| {
        let hole = HOLE.to_string();
        if *literal { text.clone() } else { text.replace(['*', '?', '['], &hole) }
    });
    shown.collect::<Vec<_>>().join(&BORDER.to_string())
}

fn argument(word: &Argument) -> (String, bool) {
    (word.text.clone(), word.literal)
}

fn as_written(command: &Command) -> String {
    let first = (command.word.clone(), command.program.is_some());
    joined(&[vec![first], command.arguments.iter().map(argument).collect()].concat())
}

/// Every way to see the command that a deny or ask rule may have in mind (R5).
fn disguises(command: &Command) -> Vec<String> {
    let known = command.program.is_some();
    let name = (command.program.clone().unwrap_or_else(|| command.word.clone()), known);
    let arguments: Vec<(String, bool)> = command.arguments.iter().map(argument).collect();
    let verbs = command.verbs.iter().filter_map(|at| arguments.get(*at)).cloned();
    let after = command.verbs.last().map_or(0, |last| last + 1);
    let rest = arguments.iter().skip(after).cloned();
    let set =
        command.assignments.iter().map(|(name, value)| (format!("{name}={}", value.text), value.literal));
    vec![
        joined(&[vec![name.clone()], arguments.clone()].concat()),
        as_written(command),
        joined(&std::iter::once(name.clone()).chain(verbs).chain(rest).collect::<Vec<_>>()),
        joined(&set.chain([name]).chain(arguments).collect::<Vec<_>>()),
    ]
}

/// Whether a rule's line means these words (R3).
pub(crate) fn means(line: &Line, words: &str) -> Match {
    if !line.more {
        return compare(&line.pattern, words);
    }
    let longer = compare(&format!("{}{BORDER}{ANY}", line.pattern), words);
    let alone = if line.pattern.contains(ANY) { Match::No } else { compare(&line.pattern, words) };
    longer.max(alone)
}

/// Whether a deny or ask rule touches the line, surely or perhaps (R1, R4, R5, R9).
pub(crate) fn touches(rule: &Line, view: &View, reading: &Reading) -> Match {
    if rule.text == view.line.trim() {
        return Match::Yes;
    }
    if reading.refused().is_some() {
        let parts = view.line.split([';', '&', '|', '\n', '(', ')', '{', '}', '`']);
        let mut parts =
            parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(&BORDER.to_string()));
        return if parts.any(|part| means(rule, &part) == Match::Yes) { Match::Yes } else { Match::Unclear };
    }
    let sure = reading.commands.iter().flat_map(disguises).map(|words| means(rule, &words)).max();
    let doubt = reading.unclear.iter().any(|doubt| could_be_anything(doubt.why));
    let given = reading.commands.iter().any(|command| may_run(rule, command));
    sure.unwrap_or(Match::No).max(if doubt || given { Match::Unclear } else { Match::No })
}

/// Whether the command runs, for all that is known, a command that it is given and that the rule means: in
/// its last words, or in one word that holds several.
fn may_run(rule: &Line, command: &Command) -> bool {
    let runs = Effects::EXECUTES.and(Effects::UNKNOWN).and(Effects::PRIVILEGE);
    let words: Vec<(String, bool)> = command.arguments.iter().map(argument).collect();
    let tails = (0..words.len()).filter_map(|from| words.get(from..)).map(joined);
    let inner =
        words.iter().map(|(text, _)| text.split_whitespace().collect::<Vec<_>>().join(&BORDER.to_string()));
    let file = command.effects.meets(Effects::PROJECT_CODE);
    let given = |words: &String| {
        let first = words.split(BORDER).next().unwrap_or_default();
        command.effects.meets(runs) || (file && first.contains('/'))
    };
    tails.chain(inner).filter(given).any(|words| means(rule, &words) != Match::No)
}

/// Whether the rule may mean a command by another name of it, or by words behind options. That is not modelled.
pub(crate) fn has_other_names(rule: &Line, reading: &Reading) -> bool {
    let spelled = rule.text.split_whitespace().count();
    reading.commands.iter().any(|command| {
        let program = command.program.as_deref().unwrap_or_default();
        let renames =
            |word: &str| matches!(word, "npm" | "npx" | "yarn" | "pnpm" | "bun" | "docker" | "pip3");
        // A program that is not known may run one that is among its words.
        let given = command.arguments.iter().map(|word| word.text.as_str());
        let by_name = given.chain(Some(program)).any(|word| renames(word) && rule.text.starts_with(word));
        let further = !command.verbs.is_empty() && spelled > command.verbs.len() + 1;
        by_name || (rule.text.starts_with(program) && further)
    })
}

pub(crate) fn could_be_anything(why: Why) -> bool {
    !matches!(why, Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand | Why::MaybeOption)
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn of_command<'v>(view: &'v View, command: &Command) -> Vec<&'v PathUse> {
    view.paths.iter().filter(|path| path.span.is_none_or(|span| within(span, command.span))).collect()
}

/// All that the slow rules need to know about a line.
pub(crate) struct Told<'a> {
    pub(crate) case: &'a Case,
    pub(crate) context: &'a Context,
    pub(crate) view: &'a View,
    pub(crate) reading: &'a Reading,
    pub(crate) rules: &'a [Said],
    /// Set where an answer would depend on something that is not modelled.
    pub(crate) unsure: &'a Cell<bool>,
}

impl Told<'_> {
    /// Whether rules allow the whole line (R4).
    pub(crate) fn is_allowed(&self) -> bool {
        let unreadable = |why: Why| why.is_refusal() || matches!(why, Why::Syntax | Why::Dialect);
        if self.reading.unclear.iter().any(|doubt| unreadable(doubt.why)) || self.view.line.trim().is_empty()
        {
            return false;
        }
        let tool = Tool::named(&self.case.tool);
        if self.in_force().any(|rule| rule.is_about_all_of(&tool)) {
            return true;
        }
        if self.context.session.shell_changed {
            return false;
        }
        if self.lines().any(|line| !line.has_star() && line.text == self.view.line.trim()) {
            return true;
        }
        let shell = self.reading.shell.without(Effects::SHELL_STATE).without(Effects::WRITES);
        let claimed = |span: Span| self.reading.commands.iter().any(|command| within(span, command.span));
        let stray = self.reading.unclear.iter().any(|doubt| !claimed(doubt.span));
        let redirects = self.view.paths.iter().filter(|path| path.redirect);
        let may_open = |path: &PathUse| match path.access {
            Access::Read => self.may_read(path),
            Access::Write | Access::Delete => self.may_edit(path),
        };
        let commands = &self.reading.commands;
        let by_rule = |command: &Command| self.is_covered(command);
        shell.is_harmless()
            && !stray
            && redirects.into_iter().all(may_open)
            && commands.iter().all(|command| by_rule(command) || self.passes_by_itself(command))
            && (commands.iter().any(by_rule) || (!commands.is_empty() && self.writes_by_redirect()))
    }

    fn writes_by_redirect(&self) -> bool {
        self.view.paths.iter().any(|path| path.redirect && path.access != Access::Read)
    }

    /// Whether the file may be read: it is trusted, or a rule means it.
    fn may_read(&self, path: &PathUse) -> bool {
        paths::is_inside(path, self.context) || paths::is_allowed(self.rules, path, self.context)
    }

    /// Allow rules that count: in auto mode not the dangerous ones (D1).
    pub(crate) fn in_force(&self) -> impl Iterator<Item = &Said> {
        let auto = self.context.effective_mode() == Mode::Auto;
        let extra = self.context.switches.extra_dangerous;
        let allows = self.rules.iter().filter(|rule| rule.list == List::Allow);
        allows.filter(move |rule| !auto || !is_dangerous(&rule.written.parse(), extra))
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        let tool = &self.case.tool;
        self.in_force().filter_map(move |rule| match &rule.about {
            About::Command(line) if rule.tool == *tool => Some(line),
            _ => None,
        })
    }

    /// Whether one rule means the command as it is written, and no more than it says.
    fn is_covered(&self, command: &Command) -> bool {
        let words = as_written(command);
        let project = command.effects.meets(Effects::PROJECT_CODE);
        let git = command.program.as_deref() == Some("git");
        let at_home = !((project || git) && self.is_elsewhere(command))
            && !(project && self.context.session.build_changed);
        command.program.is_some()
            && Told::sets_harmless_variables(command)
            && at_home
            && self.lines().any(|line| {
                let all_spelled = line.more && line.spelled().len() > command.arguments.len();
                means(line, &words) == Match::Yes
                    && if !line.has_star() || all_spelled {
                        !self.doubts(command).any(could_be_anything)
                    } else {
                        self.is_known(command) && self.does_no_more(line, command)
                    }
            })
    }

    fn doubts(&self, command: &Command) -> impl Iterator<Item = Why> {
        let span = command.span;
        self.reading.unclear.iter().filter(move |doubt| within(doubt.span, span)).map(|doubt| doubt.why)
    }

    /// Nothing is doubted, but what a program does that nobody knows: the rule names it.
    fn is_known(&self, command: &Command) -> bool {
        let strange = command.program.as_deref().is_some_and(|program| nature(program, &[]).is_none());
        self.doubts(command).all(|why| strange && why == Why::UnknownCommand)
    }

    /// R10: a wildcard stands for no more than what the spelled words are for. What options and the words of
    /// a rule add, and what a group of sub-commands stands for as a whole, is not modelled.
    fn does_no_more(&self, line: &Line, command: &Command) -> bool {
        let program = command.program.as_deref().unwrap_or_default();
        let start = line.text.split_once('*').and_then(|(before, _)| before.rsplit(' ').next());
        let start = start.filter(|word| word.contains("://"));
        if start.is_some() || line.spelled().iter().any(|word| word.contains("://")) {
            // Which words are addresses, and what they send, is not modelled.
            self.unsure.set(true);
            return false;
        }
        let verbs =
            command.verbs.iter().filter_map(|at| command.arguments.get(*at)).map(|word| word.text.as_str());
        let verbs: Vec<&str> = verbs.collect();
        let spelled = line.spelled();
        // Where no program is spelled out, reading is all that is meant.
        let strange = nature(program, &[]).is_none() && command.arguments.len() == 1;
        let one_option = strange && line.text.split_whitespace().count() == 2;
        if line.pattern.starts_with(ANY) && !command.own.is_harmless() && !one_option {
            return false;
        }
        let named = command.verbs.iter().take_while(|at| **at + 1 < spelled.len()).count();
        let Some(base) = nature(program, verbs.get(..named).unwrap_or_default()) else { return true };
        let own_checks = Effects::HARMLESS.and(Effects::SECRETS).and(Effects::IF_FILES_SAY_SO);
        let extra = command.own.without(base.does).without(own_checks);
        let files = Effects::WRITES.and(Effects::DELETES);
        let by_options = !command.by_options.without(Effects::READS).is_empty();
        let spells_options = spelled.iter().any(|word| word.starts_with('-'));
        if base.open || base.group || by_options || spells_options || !extra.without(files).is_empty() {
            self.unsure.set(true);
            return false;
        }
        let own_paths = of_command(self.view, command);
        let own_paths = || own_paths.iter().copied().filter(|path| !path.redirect);
        let mut read = own_paths().filter(|path| path.access == Access::Read);
        let mut changed = own_paths().filter(|path| path.access != Access::Read).peekable();
        if extra.is_empty() {
            return read.all(|path| self.may_read(path))
                && changed.all(|path| paths::is_inside(path, self.context) || self.may_edit(path));
        }
        changed.peek().is_some() && changed.all(|path| self.may_edit(path))
    }

    /// Whether the file may be edited: by a rule, or because the mode accepts it.
    pub(crate) fn may_edit(&self, path: &PathUse) -> bool {
        let accepted =
            self.context.effective_mode() == Mode::AcceptEdits && paths::is_plain_edit(path, self.context);
        let whole = self
            .in_force()
            .any(|rule| matches!(rule.about, About::Whole) && matches!(rule.tool.as_str(), "Edit" | "Write"));
        accepted
            || paths::is_allowed(self.rules, path, self.context)
            || (whole && paths::is_inside(path, self.context))
    }

    /// Whether the command needs no rule: it only reads, or only starts another.
    fn passes_by_itself(&self, command: &Command) -> bool {
        let name = command.program.as_deref().unwrap_or_default();
        let starter = ["timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin"].contains(&name);
        let other = ["env", "xargs", "sudo", "doas", "watch", "setsid", "ionice", "flock", "bash", "sh"]
            .contains(&name);
        let reads = || {
            self.doubts(command).next().is_none()
                && self.is_reading(command)
                && of_command(self.view, command)
                    .iter()
                    .all(|path| path.access != Access::Read || self.may_read(path))
        };
        Told::sets_harmless_variables(command)
            && ((starter && command.effects.is_harmless()) || (!other && reads()))
    }

    fn is_reading(&self, command: &Command) -> bool {
        command.effects.without(Effects::IF_FILES_SAY_SO).is_harmless()
            && !self.context.session.shell_changed
            && self.obeys_nobody(command)
            && !self.makes_one(command)
            && !self.is_elsewhere(command)
    }

    /// F7a, P7: whether the whole line surely only reads; if so, whether only in trusted places.
    pub(crate) fn only_reads(&self) -> Option<bool> {
        let reads = self.reading.unclear.is_empty()
            && self.reading.effects().without(Effects::IF_FILES_SAY_SO).is_harmless()
            && !self.context.session.shell_changed
            && self.reading.commands.iter().all(|command| self.obeys_nobody(command))
            && !self.reading.commands.iter().any(|command| self.makes_one(command));
        let inside = self.view.paths.iter().all(|path| path.access != Access::Read || self.may_read(path))
            && !self.reading.commands.iter().any(|command| self.is_elsewhere(command));
        reads.then_some(inside)
    }

    /// The directories it may work in; nothing where that is not known.
    fn directories(&self, command: &Command) -> Option<Vec<String>> {
        let written = command.directory.as_deref().unwrap_or(".");
        if written.contains('*') {
            return None;
        }
        let place = |place: &str| absolute(place, self.case.cwd, HOME, self.context.platform);
        Some(written.split(" | ").map(place).collect())
    }

    /// Whether a file may be missing that the command would make.
    fn makes_one(&self, command: &Command) -> bool {
        command.effects.meets(Effects::CREATES_MISSING)
            && of_command(self.view, command)
                .iter()
                .filter(|path| path.access == Access::Read && !path.redirect)
                .any(|path| {
                    !path.literal
                        || self
                            .context
                            .facts
                            .path(&path.path)
                            .is_none_or(|fact| fact.kind == PathKind::Missing)
                })
    }

    fn is_elsewhere(&self, command: &Command) -> bool {
        let moves = matches!(command.program.as_deref(), Some("cd" | "pushd" | "popd"));
        self.directories(command).is_none_or(|places| {
            !moves && !places.iter().all(|place| paths::leads_inside(place, self.context))
        })
    }

    /// P7: no file of the repository makes it run something else.
    fn obeys_nobody(&self, command: &Command) -> bool {
        let reads = Effects::READS.and(Effects::NETWORK_READ);
        let git = command.program.as_deref() == Some("git") && command.effects.meets(reads);
        let told = command.effects.meets(Effects::OBEYS_PROJECT);
        let quiet = |place: &String| {
            let names = portcullis_shell::obeyed_files(command.program.as_deref().unwrap_or_default());
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            (!git || self.context.facts.repository(place).is_some_and(|keys| keys.is_empty()))
                && (!told || self.context.facts.present(place, &names).is_some_and(|found| found.is_empty()))
        };
        (!git && !told) || self.directories(command).is_some_and(|places| places.iter().all(quiet))
    }

    /// R5: assignments that change nothing about what runs.
    fn sets_harmless_variables(command: &Command) -> bool {
        const NAMES: &[&str] =
            &["NODE_ENV", "LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "TERM", "CI", "RUST_LOG"];
        command.assignments.iter().all(|(name, _)| NAMES.contains(&name.as_str()) || name.starts_with("LC_"))
    }

    /// M: whether acceptEdits mode takes the line as a simple change of files.
    pub(crate) fn changes_files_simply(&self) -> bool {
        const SIMPLE: &[&str] =
            &["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed", "tee", "ln", "truncate"];
        let files = Effects::HARMLESS.and(Effects::WRITES).and(Effects::DELETES);
        let simple = |command: &Command| {
            let name = command.program.as_deref().unwrap_or_default();
            Told::sets_harmless_variables(command)
                && command.effects.without(files).is_empty()
                && self.obeys_nobody(command)
                && !self.is_elsewhere(command)
                && (SIMPLE.contains(&name) || command.own.is_harmless())
        };
        self.reading.unclear.is_empty()
            && !self.context.session.shell_changed
            && self.reading.shell.without(files).is_empty()
            && self.reading.commands.iter().all(simple)
            && self.view.paths.iter().all(|path| match path.access {
                Access::Read => paths::is_inside(path, self.context),
                Access::Write | Access::Delete => paths::is_plain_edit(path, self.context),
            })
    }
}
