//! Shells run by the line: `sh -c TEXT`, `bash FILE`, `zsh <<EOF`.

use super::{Input, Walker, patterns};
use crate::argument::Argument;
use crate::dialect::{Dialect, Language, language};
use crate::effects::Effects;
use crate::programs::invocation::Outcome;
use crate::reading::Placement;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// What the words of a shell's command line ask for.
#[derive(Default)]
struct Asked<'a> {
    code: Option<Argument<'a>>,
    script: Option<Argument<'a>>,
    check_only: bool,
    help: bool,
    standard_input: bool,
}

/// Handles the command if it is a shell.
pub(super) fn shell<'a>(
    walker: &mut Walker<'a>,
    name: &str,
    words: &'a [Argument<'a>],
    out: &mut Outcome<'a>,
) -> bool {
    let Some(language) = language(name) else { return false };
    let asked = options(words, out);
    let Language::Known(dialect) = language else {
        out.add(if asked.help { Effects::READS } else { Effects::EXECUTES });
        return true;
    };
    let mut given = leading(words).iter();
    walker.found.patterns_changed |= given.any(|word| patterns::changes(word, dialect));
    if matches!(walker.input, Input::Unknown(_)) && walker.placement == Placement::Piped && !asked.help {
        // Whatever its options say, a shell that is fed by another command is not taken for harmless.
        out.add(Effects::EXECUTES);
        let span = words.first().map(|word| word.span).unwrap_or_default();
        out.unclear.push(Unclear::new(Why::UnclearCode, "a shell is fed by another command", span));
    }
    if asked.help || asked.check_only {
        out.add(Effects::READS);
        asked.script.into_iter().for_each(|script| out.reads(script));
        return true;
    }
    if let Some(code) = asked.code {
        run(walker, code, Placement::Evaluated, dialect);
    } else if let Some(script) = asked.script.filter(|_| !asked.standard_input) {
        out.add(runs_file(&script));
        out.reads(script);
    } else {
        match walker.input {
            Input::Text(text) => {
                let shares = std::mem::replace(&mut walker.shares_script, true);
                // Nobody below is given the text that is run here, but all of them could read it.
                let input = std::mem::replace(&mut walker.input, Input::Inherited);
                run(walker, text, Placement::HereDocument, dialect);
                walker.input = input;
                walker.shares_script = shares;
            }
            Input::Inherited => out.add(Effects::EXECUTES),
            Input::Unknown(_) => out.doubt(Why::UnclearCode, "a shell runs what it reads", Span::default()),
        }
    }
    true
}

/// A new shell starts with nothing of this one's variables but what is exported.
fn run<'a>(walker: &mut Walker<'a>, code: Argument<'a>, placement: Placement, dialect: Dialect) {
    walker.isolated(placement, |walker| {
        walker.state.new_process();
        walker.evaluate(code, placement, dialect);
    });
}

/// Running a file of the project, or one from anywhere else.
pub(super) fn runs_file(file: &Argument<'_>) -> Effects {
    file.known().map_or(Effects::EXECUTES, runs_path)
}

/// What version managers install in the home directory for the shell to read: it sets paths and defines functions of
/// theirs, and goes nowhere.
const PRELUDES: &[&str] = &[
    "~/.cargo/env",
    "~/.nvm/nvm.sh",
    "~/.local/bin/env",
    "~/.asdf/asdf.sh",
    "~/.sdkman/bin/sdkman-init.sh",
    "~/.rvm/scripts/rvm",
    "~/.ghcup/env",
    "~/.deno/env",
];

/// Whether the file is one that a version manager installs in the home directory for the shell to source, such as
/// `~/.cargo/env`: it sets paths and defines the manager's functions.
#[must_use]
pub fn is_prelude(file: &str) -> bool {
    PRELUDES.contains(&file)
}

/// Whether the command prints what such a manager wants the shell to run: where its programs lie.
pub(super) fn prints_prelude(words: &[&str]) -> bool {
    matches!(
        words,
        ["pyenv" | "rbenv" | "nodenv" | "jenv" | "goenv", "init", "-"]
            | ["pyenv" | "rbenv" | "nodenv" | "goenv", "init", "-", "bash" | "zsh" | "sh" | "--no-rehash"]
            | ["pyenv", "init", "--path"]
            | ["pyenv", "virtualenv-init", "-"]
            | ["opam" | "fnm", "env"]
            | ["opam", "config", "env"]
            | ["fnm", "env", "--use-on-cd" | "--shell=bash" | "--shell=zsh"]
            | ["brew" | "/opt/homebrew/bin/brew" | "/usr/local/bin/brew", "shellenv"]
            | ["mise", "activate", "bash" | "zsh"]
            | ["conda" | "mamba", "shell.bash" | "shell.zsh", "hook"]
    )
}

/// The same for a path; one that climbs above where it starts leads anywhere.
pub(super) fn runs_path(path: &str) -> Effects {
    let mut depth = 0_i64;
    let climbs = path.split('/').any(|part| {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        depth < 0
    });
    if climbs || path.starts_with(['/', '~']) { Effects::EXECUTES } else { Effects::PROJECT_CODE }
}

/// Options under which a line means something else than it says.
const ODD: &[&str] = &[
    "shwordsplit",
    "globsubst",
    "globdots",
    "posix",
    "keyword",
    "histexpand",
    "history",
    "physical",
    "cdable_vars",
    "autocd",
    "expand_aliases",
    "extdebug",
    "extglob",
    "braceexpand",
    "lastpipe",
    "sourcepath",
    "xpg_echo",
];

fn options<'a>(words: &'a [Argument<'a>], out: &mut Outcome<'a>) -> Asked<'a> {
    let mut asked = Asked::default();
    let mut wants_code = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            if word.may_dash {
                out.doubt(Why::MaybeOption, word.text, word.span);
            }
            operand(&mut asked, wants_code, *word);
            break;
        };
        match text {
            "--help" | "--version" => asked.help = true,
            "--login" | "--norc" | "--noprofile" | "--posix" | "--restricted" | "--noediting"
            | "--verbose" | "--no-rcs" | "-f" | "--pretty-print" => {}
            "-o" | "+o" | "-O" | "+O" => {
                // `+o noexec` takes an earlier `-n` back.
                let value = words.next().and_then(Argument::known);
                if value.is_none_or(|value| value.contains("exec") || ODD.contains(&value)) {
                    out.doubt(Why::UnknownOption, text, word.span);
                }
            }
            "--" | "-" => {
                words.next().into_iter().for_each(|word| operand(&mut asked, wants_code, *word));
                break;
            }
            _ if text.starts_with("--") => out.doubt(Why::UnknownOption, text, word.span),
            _ if text.starts_with(['-', '+']) && text.len() > 1 => {
                wants_code |= text.starts_with('-') && text.contains('c');
                if text.contains('n') {
                    asked.check_only = text.starts_with('-');
                }
                asked.standard_input |= text.contains('s');
                let named = if text.ends_with('o') { words.next().map(Argument::known) } else { None };
                let odd = named.is_some_and(|name| name.is_none_or(|name| ODD.contains(&name)));
                if odd || (text.starts_with('-') && text.contains(['H', 'P', 'k', 'y'])) {
                    out.doubt(Why::UnknownOption, text, word.span);
                }
            }
            _ => {
                operand(&mut asked, wants_code, *word);
                break;
            }
        }
    }
    if wants_code && asked.code.is_none() {
        out.doubt(Why::UnclearCode, "-c without text", Span::default());
    }
    asked
}

/// The options before the first operand, with the names that `-o` and `-O` take.
fn leading<'a>(words: &'a [Argument<'a>]) -> &'a [Argument<'a>] {
    let mut takes_name = false;
    let end = words.iter().position(|word| {
        let option = word.prefix().starts_with(['-', '+']);
        let named = std::mem::replace(&mut takes_name, option && word.text.ends_with(['o', 'O']));
        !option && !named
    });
    words.get(..end.unwrap_or(words.len())).unwrap_or_default()
}

fn operand<'a>(asked: &mut Asked<'a>, wants_code: bool, word: Argument<'a>) {
    if wants_code { asked.code = Some(word) } else { asked.script = Some(word) }
}
