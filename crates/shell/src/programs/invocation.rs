//! Goes through the words of one command with the program's table in hand.

mod arity;

use smallvec::SmallVec;

use super::address;
use super::objects;
use super::option_words::{self, Entry, Value};
pub(crate) use super::outcome::{Outcome, Run, Use, is_connection};
pub(crate) use super::table::{Invocation, Seen};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

/// Programs whose plug-ins, apps or configuration with code are loaded first, whatever is asked of them.
const LOADS_BEFORE_HELP: &[&str] = &["flake8", "pylint", "mocha", "ava", "tap", "flask", "celery"];

/// Runs or installs what it is given.
const RUNS: Effects = Effects::EXECUTES.and(Effects::PROJECT_CODE).and(Effects::INSTALLS_NAMED);

impl<'t, 'a> Invocation<'t, 'a> {
    /// Sorts the words, and says in `out` what the command does.
    pub(crate) fn examine(
        program: &'t str,
        spec: &'static Spec,
        words: &'a [Argument<'a>],
        out: &mut Outcome<'a>,
    ) {
        let mut invocation = Invocation {
            program,
            words,
            chain: SmallVec::from_slice(&[spec]),
            options: SmallVec::new(),
            operands: SmallVec::new(),
            split: SmallVec::new(),
            first_operand: words.len(),
            ended: false,
            dangerous: None,
            any_option: None,
        };
        invocation.sort(out);
        if let Some(word) = invocation.any_option.filter(|_| invocation.lacks_verb()) {
            // `--*` is for the options of sub-commands.
            invocation.unknown(word, out);
        }
        if out.modes.iter().any(|mode| out.modes.first() != Some(mode)) {
            // Which of them is in force differs by program and version.
            let span = words.first().map(|word| word.span).unwrap_or_default();
            out.doubt(Why::UnknownOption, format!("{program} with several modes"), span);
        }
        // Help is only help where nothing else is asked for.
        out.help &= invocation.operands.is_empty() && out.effects.is_harmless();
        if out.help && invocation.loads_before_help() {
            out.help = false;
            out.add(Effects::PROJECT_CODE);
        }
        if !out.help {
            out.add(invocation.last().does);
            invocation.apply_operands(out);
        }
        let before = out.effects;
        for level in invocation.chain.clone() {
            if let Some(check) = level.check {
                check(&invocation, out);
            }
        }
        if out.effects.meets(Effects::EXECUTES) && !before.meets(Effects::EXECUTES) {
            // Code among the words is as good as an option that takes code.
            out.by_options.add(Effects::EXECUTES);
        }
        if !out.help && invocation.operands.iter().any(|word| objects::holds_secret(program, word)) {
            out.add(Effects::SECRETS);
        }
        if out.effects.meets(Effects::NETWORK_READ) && invocation.carries() {
            // What is only known at run time can be anything of this machine.
            out.add(Effects::SENDS_DATA);
        }
        if out.effects.meets(RUNS) {
            // An address among the operands of what runs or installs something: that is what is run.
            let remote =
                |index: &usize| words.get(*index).and_then(Argument::known).is_some_and(address::has_scheme);
            let named: SmallVec<[usize; 2]> = out.operands.iter().copied().filter(remote).collect();
            out.steered.extend(named);
        }
        out.conclude();
    }

    /// Whether the program loads code or configuration of the project even to print help.
    fn loads_before_help(&self) -> bool {
        let builds =
            self.program == "zig" && self.chain.len() > 1 && self.last().does.meets(Effects::PROJECT_CODE);
        builds || LOADS_BEFORE_HELP.contains(&self.program)
    }

    /// Whether the program does something by its sub-commands only, and none was named.
    fn lacks_verb(&self) -> bool {
        self.chain.len() == 1
            && self.chain.iter().any(|spec| !spec.verbs.is_empty() && spec.does.is_harmless())
    }

    /// Whether a word that may leave the machine is only known at run time.
    fn carries(&self) -> bool {
        let values = self.options.iter().filter_map(|seen| seen.value);
        self.operands
            .iter()
            .copied()
            .chain(values)
            .any(|word| !word.literal && !word.numeric && !word.glob && word.choices.is_empty())
    }

    /// The table of the innermost sub-command.
    pub(crate) fn last(&self) -> &'static Spec {
        self.chain.last().copied().unwrap_or(&NOTHING)
    }

    /// Whether an option was given under one of these names.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|seen| names.contains(&seen.name))
    }

    /// The value of the last option given under one of these names.
    pub(crate) fn value(&self, names: &[&str]) -> Option<Argument<'a>> {
        self.options.iter().rev().find(|seen| names.contains(&seen.name)).and_then(|seen| seen.value)
    }

    fn sort(&mut self, out: &mut Outcome<'a>) {
        let mut index = 0;
        while let Some(word) = self.words.get(index).copied() {
            index += 1;
            let style = self.last().style;
            if self.ended || style == Style::Raw {
                self.operand(word, index, out);
            } else if word.known() == Some("--") {
                self.ended = true;
                if style == Style::Stops {
                    self.take_rest(index, out);
                    return;
                }
            } else if word.prefix().len() > 1 && word.prefix().starts_with('-') {
                let next = self.words.get(index).copied();
                let taken = self.option(word, next, out);
                out.values.extend(index..index + taken);
                if std::mem::take(&mut out.steering) {
                    out.steered.push(index - 1);
                }
                index += taken;
            } else {
                self.operand(word, index, out);
                if style == Style::Stops && !self.operands.is_empty() {
                    self.take_rest(index, out);
                    return;
                }
            }
        }
    }

    fn take_rest(&mut self, index: usize, out: &mut Outcome<'a>) {
        out.operands.extend(index..self.words.len());
        self.first_operand = self.first_operand.min(index);
        self.operands.extend(self.words.iter().skip(index).copied());
    }

    fn operand(&mut self, word: Argument<'a>, next_index: usize, out: &mut Outcome<'a>) {
        let spec = self.last();
        if self.operands.is_empty() && !spec.verbs.is_empty() {
            let verb = word.known().filter(|_| !self.ended).and_then(|name| spec.verb(name));
            if let Some(verb) = verb {
                // Some programs note a version or help option here and run the sub-command all the same.
                out.help = false;
                out.verbs.push(next_index.saturating_sub(1));
                self.dangerous = None;
                self.chain.push(verb);
                return;
            }
            if spec.operands == Operands::None {
                let why = if word.literal { Why::UnknownCommand } else { Why::UnclearCommand };
                out.doubt(why, format!("{} {}", self.program, word.text), word.span);
            }
        } else if spec.operands == Operands::None && spec.style != Style::Raw && spec.check.is_none() {
            out.doubt(Why::UnknownOperand, word.text, word.span);
        }
        if word.may_dash && !self.ended && self.has_dangerous_option() {
            out.doubt(Why::MaybeOption, word.text, word.span);
        }
        let index = next_index.saturating_sub(1);
        self.first_operand = self.first_operand.min(index);
        self.operands.push(word);
        out.operands.push(index);
    }

    /// Whether some option of the program does more than read. A word that might be an option is
    /// harmless only where there is none.
    fn has_dangerous_option(&mut self) -> bool {
        if let Some(known) = self.dangerous {
            return known;
        }
        let found =
            self.in_force().any(|spec| spec.check.is_some() || option_words::has_dangerous(spec.options));
        self.dangerous = Some(found);
        found
    }

    /// The tables whose options are recognised here, the innermost first.
    fn in_force(&self) -> impl Iterator<Item = &'static Spec> {
        let last = self.chain.len().saturating_sub(1);
        self.chain
            .iter()
            .enumerate()
            .rev()
            .filter(move |(index, spec)| *index == last || !spec.options_end_at_verb)
            .map(|(_, spec)| *spec)
    }

    /// Handles a word that begins with a dash; says how many further words belong to it.
    fn option(&mut self, word: Argument<'a>, next: Option<Argument<'a>>, out: &mut Outcome<'a>) -> usize {
        match self.last().style {
            Style::SingleDash => self.word_option(word, next, out),
            Style::Named if let Some((entry, end)) = self.single_dash(word) => {
                let attached = (end < word.text.len()).then(|| word.after(end + 1));
                self.apply(&entry, attached, next, out)
            }
            Style::Named | Style::Exact | Style::Gnu | Style::Stops | Style::Raw => {
                if word.prefix().starts_with("--") {
                    self.long_option(word, next, out)
                } else {
                    self.short_options(word, next, out)
                }
            }
        }
    }

    fn word_option(
        &mut self,
        word: Argument<'a>,
        next: Option<Argument<'a>>,
        out: &mut Outcome<'a>,
    ) -> usize {
        let body = word.prefix().trim_start_matches('-');
        let (name, attached) = split_value(word, body);
        let complete = word.literal || attached.is_some();
        let entry = self.in_force().find_map(|spec| option_words::word_option(spec.options, name));
        match entry.filter(|_| complete) {
            Some(entry) => self.apply(&entry, attached, next, out),
            None if is_help(name) && word.literal && attached.is_none() => {
                out.help = true;
                0
            }
            None => self.unknown(word, out),
        }
    }

    /// The option that a word with a single dash names, and where its name ends.
    fn single_dash(&self, word: Argument<'a>) -> Option<(Entry, usize)> {
        let body = word.prefix();
        let end = body.find([':', '=']).unwrap_or(body.len());
        let name = body.get(..end).filter(|name| name.len() > 2 && !name.starts_with("--"))?;
        let long = format!("-{name}");
        let entry = self.in_force().find_map(|spec| option_words::long_option(spec.options, &long))?;
        (word.literal || end < body.len()).then_some((entry, end))
    }

    fn long_option(
        &mut self,
        word: Argument<'a>,
        next: Option<Argument<'a>>,
        out: &mut Outcome<'a>,
    ) -> usize {
        let (name, attached) = split_value(word, word.prefix());
        if !word.literal && attached.is_none() {
            return self.unknown(word, out);
        }
        let exact = self.in_force().find_map(|spec| option_words::long_option(spec.options, name));
        match exact.or_else(|| self.abbreviation(name)) {
            Some(entry) => self.apply(&entry, attached, next, out),
            None if is_help(name.trim_start_matches('-')) && attached.is_none() && self.knows_help(name) => {
                out.help = true;
                0
            }
            None if self.in_force().any(|spec| option_words::long_option(spec.options, "--*").is_some()) => {
                self.any_option = Some(word);
                0
            }
            None => self.unknown(word, out),
        }
    }

    /// The option that `name` abbreviates. Where it could be several, all must take a value alike and
    /// one that does harm stands for them.
    fn abbreviation(&self, name: &str) -> Option<Entry> {
        let gnu = self.in_force().any(|spec| spec.style == Style::Gnu);
        let mut candidates = self.in_force().flat_map(|spec| option_words::abbreviated(spec.options, name));
        let first = candidates.next().filter(|_| gnu && name.len() > 2)?;
        let mut chosen = first;
        for other in candidates {
            if other.value != chosen.value {
                return None;
            }
            if !other.is_harmless() {
                chosen = other;
            }
        }
        Some(chosen)
    }

    fn short_options(
        &mut self,
        word: Argument<'a>,
        next: Option<Argument<'a>>,
        out: &mut Outcome<'a>,
    ) -> usize {
        let letters = word.prefix();
        for (at, letter) in letters.char_indices().skip(1) {
            let found = self.in_force().find_map(|spec| option_words::short_option(spec.options, letter));
            let Some(entry) = found else {
                let number =
                    letters.get(at..).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
                let numbers = self.in_force().any(|spec| option_words::takes_number(spec.options));
                return if number && numbers && word.literal { 0 } else { self.unknown(word, out) };
            };
            let end = at + letter.len_utf8();
            let attached = (end < word.text.len()).then(|| word.after(end));
            match entry.value {
                Value::No => {
                    self.apply(&entry, None, None, out);
                }
                Value::Attached | Value::Required => return self.apply(&entry, attached, next, out),
            }
        }
        if word.literal { 0 } else { self.unknown(word, out) }
    }

    fn apply(
        &mut self,
        entry: &Entry,
        attached: Option<Argument<'a>>,
        next: Option<Argument<'a>>,
        out: &mut Outcome<'a>,
    ) -> usize {
        let (value, consumed) = match (entry.value, attached) {
            (Value::No, None) => (None, 0),
            (Value::No, Some(value)) => {
                out.doubt(Why::UnknownOption, entry.name, value.span);
                (None, 0)
            }
            (Value::Attached, attached) => (attached, 0),
            (Value::Required, Some(value)) => (Some(value), 0),
            (Value::Required, None) => {
                if let Some(word) = next {
                    self.option_or_value(entry, word, out);
                }
                (next, usize::from(next.is_some()))
            }
        };
        if let Some(value) = value.filter(|value| value.many) {
            self.split.push(value);
            if self.has_dangerous_option() {
                // If the value vanishes or splits, the words after it mean something else.
                out.doubt(Why::MaybeOption, value.text, value.span);
            }
        }
        self.options.push(Seen { name: entry.name, value });
        out.option(entry, value);
        consumed
    }

    fn unknown(&mut self, word: Argument<'a>, out: &mut Outcome<'a>) -> usize {
        out.doubt(Why::UnknownOption, format!("{} {}", self.program, word.text), word.span);
        0
    }

    /// Programs that run what follows hand `--help` on to it; after a sub-command `--version` is
    /// more often an option with a value.
    fn knows_help(&self, name: &str) -> bool {
        if name == "--version" && self.chain.len() > 1 {
            return false;
        }
        self.operands.is_empty() || !matches!(self.last().operands, Operands::Code | Operands::Command(_))
    }

    /// A value that splits brings operands that nobody has seen.
    fn apply_split(&self, out: &mut Outcome<'a>) {
        for value in self.split.iter().copied() {
            match self.last().operands {
                Operands::Text => {}
                Operands::None => out.doubt(Why::UnknownOperand, value.text, value.span),
                Operands::Read | Operands::TextThenRead => out.reads(value),
                Operands::Write | Operands::ReadThenWrite | Operands::Copy => out.writes(value),
                Operands::Delete => out.deletes(value),
                Operands::Move => {
                    out.deletes(value);
                    out.writes(value);
                }
                Operands::Url => out.fetches(value),
                Operands::Command(_) => out.doubt(Why::UnclearCommand, value.text, value.span),
                Operands::Code => out.executes(),
                Operands::Effect(effects) => out.add(effects),
            }
        }
    }

    fn apply_operands(&mut self, out: &mut Outcome<'a>) {
        let spec = self.last();
        let last = self.operands.len().saturating_sub(1);
        for (index, operand) in self.operands.iter().copied().enumerate() {
            match spec.operands {
                Operands::None | Operands::Text => {}
                Operands::Read => out.reads(operand),
                Operands::Write => out.writes(operand),
                Operands::Delete => out.deletes(operand),
                Operands::Copy if index < last => out.reads(operand),
                Operands::Move if index < last => out.deletes(operand),
                Operands::Copy | Operands::Move => out.writes(operand),
                Operands::TextThenRead if index == 0 && !operand.many => {}
                Operands::TextThenRead => out.reads(operand),
                Operands::ReadThenWrite if index == 0 && !operand.many => out.reads(operand),
                Operands::ReadThenWrite => out.writes(operand),
                Operands::Url => out.fetches(operand),
                Operands::Command(_) => {}
                Operands::Code => out.executes(),
                Operands::Effect(effects) => out.add(effects),
            }
        }
        self.apply_split(out);
        if let Operands::Command(skip) = spec.operands {
            let before = self.operands.iter().take(usize::from(skip));
            for word in before.filter(|word| word.many) {
                out.doubt(Why::UnclearCommand, word.text, word.span);
            }
            let command = self.words.get(self.first_operand + usize::from(skip)..).unwrap_or_default();
            if !command.is_empty() {
                out.runs.push(Run::Words(command));
            }
        }
    }
}

/// What stands for a program without a table.
static NOTHING: Spec = Spec::new("", Effects::UNKNOWN);

fn is_help(name: &str) -> bool {
    name == "help" || name == "version"
}

/// Splits `name=value`.
fn split_value<'b, 'a>(word: Argument<'a>, head: &'b str) -> (&'b str, Option<Argument<'a>>) {
    match head.split_once('=') {
        Some((name, value)) => {
            let known = word.prefix().len() - value.len();
            (name, Some(word.after(known)))
        }
        None => (head, None),
    }
}
