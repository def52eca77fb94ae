//! What the tools of a project are to run or to load from outside the project.

use portcullis_shell::{Argument, Command, Effects};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{code, routine::places};
use crate::path::is_within;
use crate::run_files::executed;
use crate::view::{Access, PathUse, View};

/// Parts of option names whose value is run.
const RUNS_VALUE: &[&str] = words!(
    "exec tool plugin launcher init-script loader require import preload wrapper runner hook compiler \
     shell editor pager command rcfile startup"
);

/// Parts of option names that only say where a tool puts what it makes.
const PUTS: &[&str] =
    words!("out report log cache tmp dest prefix profile trace xml html result artifact cov target");
/// Options of single tools, or of one of their tasks, that do the same by names that say nothing of it.
const OUTPUTS: &[(&str, &str, &str)] = &[
    ("webpack", "", "--json"),
    ("webpack-cli", "", "--json"),
    ("nx", "graph", "--file"),
    ("madge", "", "--image"),
];
/// Endings of files that tools look at or write, and never run.
const RECORDS: &[&str] =
    words!("md txt rst csv tsv log html css svg png jpg gif pdf diff patch out prof lcov db sqlite");

/// Whether a project's tool is to run something from outside the project.
pub(in crate::detect) fn runs_outside(
    command: &Command,
    view: &View,
    call: &ToolCall,
    context: &Context,
) -> bool {
    runs_value_from_outside(command, call, context) || takes_outside_in(command, view, call, context)
}

/// An option whose name says that its value is run.
fn runs_value_from_outside(command: &Command, call: &ToolCall, context: &Context) -> bool {
    if !command.own.meets(Effects::PROJECT_CODE.and(Effects::EXECUTES).and(Effects::UNKNOWN)) {
        return false;
    }
    let outside = |value: &str| {
        let path = value.trim_start_matches("file://");
        let open = path == "*" || climbs_from_anywhere(path);
        open || leads_out(path) && {
            let path = executed::place(path, command, call, context);
            let system = ["/usr/", "/bin/", "/opt/homebrew/"].iter().any(|folder| path.starts_with(folder));
            !system && !context.is_trusted(&path) && !context.session.created.contains(&path)
        }
    };
    let tells = |name: &str| RUNS_VALUE.iter().any(|part| name.to_ascii_lowercase().contains(part));
    // The settings of php can name a file that runs before any other: `-d auto_prepend_file=x`.
    let configures = command.program.as_deref() == Some("php");
    let single = |name: &str| {
        matches!(name, "-I" | "-L" | "-r" | "-p" | "-exec" | "-vettool" | "-toolexec")
            || (configures && matches!(name, "-c" | "-d"))
    };
    command.arguments.iter().enumerate().any(|(index, word)| {
        let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
        // `-r/tmp/x.js`
        let glued = name.strip_prefix("-r").or_else(|| name.strip_prefix("-I")).filter(|_| value.is_empty());
        if glued.is_some_and(outside) {
            return true;
        }
        let next = command.arguments.get(index + 1).map_or("", |next| next.text.as_str());
        let value = if value.is_empty() { next } else { value };
        let value = value.rsplit('=').next().unwrap_or(value);
        name.starts_with('-') && (tells(name) || single(name)) && outside(value)
    })
}

/// Whether a tool that runs the project's code is given a file from elsewhere that it does not just write: a task file, a
/// configuration, a list of sources. Of what it runs, only the first word is its own: the others are handed on to a
/// program of the project.
fn takes_outside_in(command: &Command, view: &View, call: &ToolCall, context: &Context) -> bool {
    // Without a table for it, every word is one for a program of the project.
    let unsorted = command.operands.is_empty() && command.values.is_empty() && command.verbs.is_empty();
    if !command.own.meets(Effects::PROJECT_CODE) || (unsorted && command.word.contains('/')) {
        return false;
    }
    let foreign = |text: &str| leads_out(text) && is_foreign(text, command, view, call, context);
    let holds_foreign = |value: &str| value.split([',', ':', '=', ' ']).any(foreign);
    let program = command.program.as_deref().unwrap_or_default();
    let first = command.arguments.first().map_or("", |word| word.text.as_str());
    let does = |task: &str| task.is_empty() || task == first;
    let puts = |name: &str| {
        let lower = name.to_ascii_lowercase();
        name == "-o"
            || PUTS.iter().any(|part| lower.contains(part))
            || OUTPUTS.iter().any(|(tool, task, option)| *tool == program && *option == name && does(task))
    };
    let looked_at = |word: &Argument| {
        let mut read = view.paths.iter().filter(|path| path.access == Access::Read);
        !command.own.meets(Effects::EXECUTES) && read.any(|path| path.span == Some(word.span))
    };
    let (mut before, mut target) = ("", false);
    let own = command.arguments.iter().take_while(|word| word.text != "--").enumerate();
    own.into_iter().any(|(index, word)| {
        let text = word.text.as_str();
        let option = std::mem::replace(&mut before, if text.contains('=') { "" } else { text });
        let operand = command.operands.contains(&index);
        // The module that python is to run is a task like any other.
        if command.verbs.contains(&index) || (target && operand) || option == "-m" {
            return false;
        }
        if text.starts_with('-') {
            let glued = text.split_at_checked(2).filter(|(_, rest)| leads_out(rest));
            let (name, value) = glued.or_else(|| text.split_once('=')).unwrap_or_default();
            return holds_foreign(value) && !puts(name);
        }
        let follows_option = option.starts_with('-');
        if follows_option && (!operand || puts(option)) {
            return holds_foreign(text) && !puts(option);
        }
        target = true;
        foreign(text) && crate::run_files::executed::runs(text) && !looked_at(word)
    })
}

/// Whether a name may lead out of the project: it begins at the top or at the home directory, or goes up.
fn leads_out(text: &str) -> bool {
    let up = text.split('/').any(|part| part == "..");
    up || text.starts_with("~/") || (text.starts_with('/') && !text.starts_with("//"))
}

/// Whether a name goes up from where is only known at run time: `$x/../y`.
fn climbs_from_anywhere(text: &str) -> bool {
    text.split_once("/..").is_some_and(|(before, _)| before.contains('*'))
}

/// Whether a file is neither the project's nor made by the session or the line, and more than a record.
fn is_foreign(text: &str, command: &Command, view: &View, call: &ToolCall, context: &Context) -> bool {
    let path = executed::place(text, command, call, context);
    let made = context.session.created.iter().any(|made| is_within(&path, made))
        && !context.session.fetched.contains(&path);
    let record = RECORDS.contains(&path.rsplit('.').next().unwrap_or_default());
    let elsewhere = places::is_temporary(&path) || code::is_foreign(&path, false, context);
    let far = elsewhere && !context.is_trusted(&path) && !made && !is_written(&path, view);
    (far || climbs_from_anywhere(text)) && !record
}

/// Whether the line writes the file, and does not just fetch it.
fn is_written(path: &str, view: &View) -> bool {
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    let fetched = |written: &PathUse| {
        let mut fetching = commands().filter(|command| command.own.meets(Effects::NETWORK_READ));
        fetching.any(|command| crate::view::in_span(written, command))
    };
    view.paths.iter().any(|it| it.access == Access::Write && it.path == path && !fetched(it))
}

/// Whether what is written is made of a file from elsewhere: then it is no more the project's than that.
pub(crate) fn is_made_of_foreign(path: &PathUse, view: &View, call: &ToolCall, context: &Context) -> bool {
    let mut naming = view.reading.iter().flat_map(|reading| &reading.commands);
    naming.any(|command| {
        let foreign = |text: &str| leads_out(text) && is_foreign(text, command, view, call, context);
        crate::view::in_span(path, command) && command.arguments.iter().any(|word| foreign(&word.text))
    })
}

/// A file or folder outside the project that a command is given and may change: it writes, and does not say where.
pub(in crate::detect) fn rewrites(command: &Command, view: &View, context: &Context) -> Option<String> {
    let mut named = view.paths.iter().filter(|path| !path.redirect && crate::view::in_span(path, command));
    // What a database prints into a file says nothing about the database.
    let database = matches!(command.program.as_deref(), Some("sqlite3" | "sqlite" | "duckdb"));
    let says = |path: &PathUse| path.access != Access::Read;
    if !command.own.meets(Effects::WRITES) || (!database && named.clone().any(says)) {
        return None;
    }
    named.find(|path| !places::is_workplace(path, context)).map(|path| path.named.clone())
}

/// `tar cf all.tar ../..`: a folder around the project, the home directory or everything is put into one place, with
/// whatever lies there.
pub(in crate::detect) fn gathers_around(command: &Command, view: &View, context: &Context) -> bool {
    const GATHERERS: &[&str] = &["tar", "bsdtar", "gtar", "zip", "7z", "7za", "7zz", "cp", "rsync", "ditto"];
    let home = context.absolute("~", "/");
    let around = |folder: &str| {
        let above = |place: &str| is_within(&context.as_absolute(place), folder);
        above(&home) || (!context.is_trusted(folder) && context.roots.iter().any(|root| above(root)))
    };
    let whole = |path: &PathUse| {
        let folder = path.path.trim_end_matches(['*', '.']).trim_end_matches('/');
        let folder = if folder.is_empty() { "/" } else { folder };
        // What is only known at run time leads out where it climbs.
        let climbs = || path.span.is_some_and(|span| span.of(&view.line).contains("/.."));
        if path.literal || path.glob { around(folder) } else { climbs() }
    };
    let mut taken = view.paths.iter().filter(|path| path.access == Access::Read && !path.redirect);
    command.program.as_deref().is_some_and(|name| GATHERERS.contains(&name))
        && taken.any(|path| crate::view::in_span(path, command) && whole(path))
}

/// An address that a program is to run or install from.
pub(in crate::detect) fn runs_address(command: &Command) -> bool {
    let runs = Effects::PROJECT_CODE
        .and(Effects::EXECUTES)
        .and(Effects::INSTALLS_NAMED)
        .and(Effects::INSTALLS_DECLARED);
    // Only what runs first says that it is a test: a further word may be anything.
    let mut first = command.arguments.iter().filter(|word| !word.text.starts_with('-')).take(1);
    let tests =
        first.any(|word| matches!(word.text.as_str(), "test" | "playwright" | "cypress" | "lighthouse"));
    // deno runs the tests at an address.
    let fetches = command.program.as_deref() == Some("deno");
    command.own.meets(runs)
        && (fetches || !tests)
        && command.arguments.iter().any(|word| {
            let text = word.text.as_str();
            let address = ["http://", "https://", "git+", "git@", "ssh://", "git://", "github:", "gitlab:"]
                .iter()
                .any(|start| text.starts_with(start))
                || (fetches && ["npm:", "jsr:"].iter().any(|start| text.starts_with(start)));
            address && !crate::web::is_loopback(text)
        })
}

/// `cargo install --root`, `npm install -g`, `pip install --user`.
pub(in crate::detect) fn installs_for_all(command: &Command) -> bool {
    const OPTIONS: &[&str] =
        words!("-g --global --user --root --prefix --target --system --break-system-packages");
    let installs =
        command.arguments.iter().any(|word| matches!(word.text.as_str(), "install" | "i" | "add" | "link"));
    installs
        && command.arguments.iter().any(|word| {
            let plain = word.text.split('=').next().unwrap_or_default();
            OPTIONS.contains(&plain)
        })
}
