//! Lists of the project's files that are handed to formatters, linters and plain substitutions.

use portcullis_shell::{Argument, Command, Effects, Placement, Printed, Reading, Why};

use super::list_edits;
use super::places;
use crate::call::ToolCall;
use crate::context::Context;
use crate::path::is_within;
use crate::protected;
use crate::run_files::interpreters::{self, Given};
use crate::view::{Access, View};

/// Programs none of whose options writes, sends or runs anything beyond the files that are named: whatever a file is
/// called. Those that run the project's code all the same stand behind them.
const TAKERS: &[&str] = words!(
    "black isort clang-format shfmt rustfmt yapf autopep8 djlint shellcheck prettier eslint stylelint gofmt \
     ruff"
);

/// Words beside the names that name no file and load nothing.
const PLAIN: &[&str] = words!(
    "--write --check --fix --diff --list-different --quiet --in-place --ignore-unknown \
     --no-error-on-unmatched-pattern -c -d -i -l -q -s -w -u -- check format"
);

/// Whether all that is unknown about the command are the names of files of the project.
pub(in crate::detect) fn takes_project_files(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    let name = command.program.as_deref().unwrap_or_default();
    let rewrites = matches!(name, "sed" | "perl");
    let plain = |word: &Argument| !word.literal || PLAIN.contains(&word.text.as_str());
    let takes = if rewrites {
        list_edits::is_plain_substitution(command) && !list_edits::brings_names(reading)
    } else {
        TAKERS.contains(&name) && command.arguments.iter().all(plain)
    };
    let mut doubts = reading.unclear.iter().filter(|doubt| crate::view::within(doubt.span, command.span));
    takes
        && !command.word.contains('/')
        && doubts.all(|doubt| doubt.why == Why::MaybeOption)
        && context.session.fetched.is_empty()
        && !holds_odd_names(view, context)
        && is_here(command, call, context)
        && {
            let lists = lists(command, reading);
            lists.all_ours(call, context) && (!rewrites || lists.may_be_written(name == "sed", call, context))
        }
}

/// Whether all that is unknown about a command that runs none of them are names found in a folder of the project: with that
/// before them, they are no options.
pub(in crate::detect) fn is_given_files(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    let mut doubts = reading.unclear.iter().filter(|doubt| crate::view::within(doubt.span, command.span));
    let beyond = command.own.without(Effects::WRITES).without(Effects::UNKNOWN);
    let writes = command.own.meets(Effects::WRITES);
    let told = matches!(interpreters::given(command), Given::Code(code) if list_edits::only_parses(&code));
    // What is written into files without a name is looked at more closely.
    ((beyond.is_harmless() && !writes) || told)
        && !command.word.contains('/')
        && doubts.all(|doubt| doubt.why == Why::MaybeOption)
        && context.session.fetched.is_empty()
        && !holds_odd_names(view, context)
        && is_here(command, call, context)
        && {
            let lists = lists(command, reading);
            lists.all_ours(call, context) && lists.are_deep(call, context)
        }
}

/// Whether the session or the line made a file whose name would be read as an option, or brought in those of others.
fn holds_odd_names(view: &View, context: &Context) -> bool {
    let session = &context.session;
    let odd = |path: &str| path.contains("/-") || path.contains(" -") || path.contains('\n');
    let mut written = view.paths.iter().filter(|path| path.access != Access::Read);
    session.strange
        || session.stranger
        || session.written.iter().any(|path| odd(path))
        || written.any(|path| odd(&path.path))
}

/// Whether the command works in the project.
fn is_here(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let places = crate::view::directories(command, call, context);
    places.is_some_and(|all| all.iter().all(|place| places::is_ours(place, context)))
}

/// The commands that the names come from.
struct Lists<'r>(Vec<&'r Command>);

/// What prints the words of the command that are not spelled out; nothing where one of them comes from elsewhere.
fn lists<'r>(command: &Command, reading: &'r Reading) -> Lists<'r> {
    let open = command.arguments.iter().filter(|word| !word.literal);
    let told: Option<Vec<Printed>> = open.map(|word| word.printed.filter(|_| word.text == "*")).collect();
    Lists(told.unwrap_or_default().into_iter().flat_map(|printed| printed.of(reading)).collect())
}

impl Lists<'_> {
    /// Whether each of them tells names of the project's files, or picks among them.
    fn all_ours(&self, call: &ToolCall, context: &Context) -> bool {
        let ours = |command: &&Command| {
            // A function of that name does not read by itself.
            let literal =
                command.own.meets(Effects::READS) && command.arguments.iter().all(|word| word.literal);
            is_here(command, call, context)
                && literal
                && command.assignments.is_empty()
                && (names(command, call, context) || (command.fed_by.is_some() && picks(command)))
        };
        let named = self.0.iter().any(|command| names(command, call, context));
        named && self.0.iter().all(ours)
    }

    /// Whether the names are those of sources, and none of them leads elsewhere or was chosen by others. Where they are
    /// opened as they are called, by a program that is not said to take them `whole`, only their ending tells that none of them is a command.
    fn may_be_written(&self, whole: bool, call: &ToolCall, context: &Context) -> bool {
        let mut naming = self.0.iter().filter(|command| names(command, call, context));
        // Whatever one search finds goes through what leaves only sources; another one would go past it.
        let left = naming.clone().count() == 1
            && self.0.first().is_some_and(|first| names(first, call, context))
            && self.0.iter().any(|command| list_edits::leaves_sources(command));
        let settled = naming.all(|command| {
            let places = places_of(command);
            let leads = |place: &&str| {
                let path = context.absolute(place, &call.cwd);
                let mut made = context.session.written.iter();
                place.ends_with('/') || made.any(|made| is_within(&path, made))
            };
            let into_sources = whole && list_edits::looks_into_sources(command, &places);
            (left || into_sources || list_edits::lists_sources(command, &places)) && !places.iter().any(leads)
        });
        let compiled = |command: &&Command| list_edits::lists_compiled(command) || picks(command);
        settled && (self.are_deep(call, context) || self.0.iter().all(compiled))
    }

    /// Whether the names are those of files in folders of sources: none that the project, its tools or the agent obey.
    fn are_deep(&self, call: &ToolCall, context: &Context) -> bool {
        let mut naming = self.0.iter().filter(|command| names(command, call, context));
        naming.all(|command| {
            let places = places_of(command);
            let deep = |place: &&str| {
                let path = context.absolute(place, &call.cwd);
                let folder = place.split(['*', '?', '[']).next().unwrap_or_default();
                let inner = folder.trim_start_matches("./").trim_end_matches('/');
                let whole = folder.len() == place.len() || folder.contains('/');
                whole
                    && !inner.is_empty()
                    // To git that is anything but a folder.
                    && !inner.starts_with(':')
                    && !inner.contains("..")
                    && !inner.split('/').any(|part| part.starts_with('.'))
                    && !protected::runs_later(&path)
                    && !path.rsplit('/').next().unwrap_or_default().contains(".json")
            };
            !places.is_empty() && places.iter().all(deep)
        })
    }
}

/// Where a search looks.
fn places_of(command: &Command) -> Vec<&str> {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let behind = |words: &[&str]| words.iter().position(|word| *word == "--").map(|at| at + 1);
    let operands = |from: usize| -> Vec<&str> {
        let all = command.arguments.iter().skip(from).map(|word| word.text.as_str());
        all.filter(|word| !word.starts_with('-')).collect()
    };
    match (command.program.as_deref(), words.as_slice()) {
        (Some("git"), ["ls-files", ..]) => operands(1),
        (Some("git"), words) => behind(words).map(operands).unwrap_or_default(),
        (Some("find"), words) => {
            let tests = words.iter().position(|word| word.starts_with(['-', '(', '!']));
            let count = tests.unwrap_or(words.len());
            operands(0).into_iter().take(count).collect()
        }
        // The first names what is looked for.
        (Some(program @ ("grep" | "rg")), words) => {
            let words = list_edits::without_limits(program, words);
            words.into_iter().filter(|word| !word.starts_with('-')).skip(1).collect()
        }
        _ => Vec::new(),
    }
}

/// Options that choose names and change none of them.
const LISTING: &[&str] = words!("-z -m -o -c --modified --others --cached --exclude-standard --");
const COMPARING: &[&str] = words!("--name-only -z --cached --staged --");
const FINDING: &[&str] =
    words!("-name -iname -type -path -not -o -or -a -and -print -print0 -maxdepth -mindepth -prune");

/// Letters of `grep` and `rg` that choose lines and files, one of which says that names are printed.
fn searches(word: &str) -> bool {
    const LONG: &[&str] =
        words!("--include --exclude --exclude-dir --files-with-matches --recursive --ignore-case --null");
    match word.strip_prefix("--") {
        Some(_) => LONG.contains(&word.split('=').next().unwrap_or_default()),
        None => word.bytes().skip(1).all(|letter| b"rRlLiIwEFsZ".contains(&letter)),
    }
}

/// `git ls-files`, `git diff --name-only`, `find src -name '*.py'`, `grep -rl old src`
fn names(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let inside = |word: &&&str| places::is_ours(&context.absolute(word, &call.cwd), context);
    let tells = |words: &[&str]| {
        let short =
            |word: &&str| !word.starts_with("--") && word.starts_with('-') && word.contains(['l', 'L']);
        words.iter().any(|word| short(word) || *word == "--files-with-matches")
    };
    let chooses = |known: &[&str], word: &str| {
        let filter = word.starts_with("--diff-filter=");
        let outside = word.starts_with(['/', '.', '~']) || word.contains("/..");
        if word.starts_with('-') { filter || known.contains(&word) } else { !outside }
    };
    match (command.program.as_deref(), words.as_slice()) {
        (Some("git"), ["ls-files", rest @ ..]) => rest.iter().all(|word| chooses(LISTING, word)),
        (Some("git"), ["diff", rest @ ..]) => {
            rest.contains(&"--name-only") && rest.iter().all(|word| chooses(COMPARING, word))
        }
        (Some("find"), rest) => {
            let places =
                rest.iter().take_while(|word| !word.starts_with(['-', '(', '!'])).collect::<Vec<_>>();
            let tests = || rest.iter().filter(|word| word.starts_with('-'));
            !places.is_empty() && places.iter().all(inside) && tests().all(|word| FINDING.contains(word))
        }
        (Some("git"), ["grep", rest @ ..]) => {
            tells(rest)
                && rest.iter().all(|word| !word.contains("..") && !word.starts_with(['/', '~']))
                && rest.iter().all(|word| *word == "--" || !word.starts_with('-') || searches(word))
        }
        (Some(program @ ("grep" | "rg")), words) => {
            let rest = list_edits::without_limits(program, words);
            let options = || rest.iter().filter(|word| word.starts_with('-'));
            let places = rest.iter().filter(|word| !word.starts_with('-')).skip(1).collect::<Vec<_>>();
            command.placement != Placement::Piped
                && tells(&rest)
                && !places.is_empty()
                && places.iter().all(inside)
                && options().all(|word| searches(word))
        }
        _ => false,
    }
}

/// What chooses among lines and changes none of them.
fn picks(command: &Command) -> bool {
    let chooses = |word: &str| matches!(word, "-v" | "-E" | "-i" | "-F" | "-z" | "-n" | "-u");
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    let piped = command.placement == Placement::Piped;
    match command.program.as_deref() {
        Some("grep") => {
            let (options, patterns): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('-'));
            piped && patterns.len() == 1 && options.into_iter().all(chooses)
        }
        Some("sort" | "uniq") => piped && words.all(chooses),
        _ => false,
    }
}
