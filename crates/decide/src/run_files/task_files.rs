//! Files that say what a build or a task runner starts: recipes of a Makefile, scripts of a `package.json`, commands of a
//! Taskfile. Their lines are for a shell, each under the name of a task; whoever runs the task runs them, and those of
//! the tasks that it needs.

use portcullis_shell::{Command, Effects};
use serde_json::Value;

use crate::protected;

/// A task of such a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Task {
    /// What it is called; nothing where it runs whatever is asked for.
    names: Vec<String>,
    /// The tasks that run with it.
    needs: Vec<String>,
    /// What it runs.
    lines: String,
}

/// How a file names its tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name with a colon at the margin, and lines below it that are not at the margin.
    Recipes,
    /// Members of an object.
    Members,
    /// Keys below `tasks:`.
    Keys,
}

fn kind(path: &str) -> Option<Kind> {
    let name = file_name(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    match name.as_str() {
        "makefile" | "gnumakefile" | "justfile" | ".justfile" => Some(Kind::Recipes),
        "package.json" | "composer.json" | "deno.json" => Some(Kind::Members),
        _ if matches!(ending, Some("mk" | "make" | "just")) || name.starts_with("makefile.") => {
            Some(Kind::Recipes)
        }
        _ if name.starts_with("taskfile.") => Some(Kind::Keys),
        _ => None,
    }
}

fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// Whether the file holds tasks that are run by their names.
pub(crate) fn holds_tasks(path: &str) -> bool {
    kind(path).is_some()
}

fn tasks(path: &str, text: &str) -> Vec<Task> {
    let told = match kind(path) {
        Some(Kind::Recipes) => recipes(text),
        Some(Kind::Members) => members(text),
        Some(Kind::Keys) => keys(text),
        None => Vec::new(),
    };
    if told.iter().any(|task| !task.names.is_empty()) {
        return told;
    }
    // A part of a file does not tell which task it belongs to.
    let lines = match kind(path) {
        Some(Kind::Recipes) => text.lines().map(|line| as_shell(line, &[])).collect::<Vec<_>>().join("\n"),
        Some(Kind::Members | Kind::Keys) | None => quoted(text).join("\n"),
    };
    vec![Task { lines, ..Task::default() }]
}

/// The texts in quotes that are more than a word, and lines of a list.
fn quoted(text: &str) -> Vec<String> {
    let unescaped = text.replace("\\\"", "\u{1}");
    let inside = unescaped.split(['"', '\'']).skip(1).step_by(2);
    let inside = inside.filter(|part| part.contains(' ')).map(|part| part.replace('\u{1}', "\""));
    let listed = text.lines().filter_map(|line| line.trim_start().strip_prefix("- ")).map(plain_step);
    inside.chain(listed).collect()
}

/// `cmd: "x"` without its key and quotes.
fn plain_step(step: &str) -> String {
    let keyed = ["cmd:", "sh:", "run:", "|"].iter().find_map(|key| step.trim_start().strip_prefix(key));
    keyed.unwrap_or(step).trim().trim_matches(['"', '\'']).to_owned()
}

/// What begins a command that runs when the file is read.
const READ_TIME: &[&str] = &["$(shell ", "!=", ":= `"];

/// The recipes of a Makefile or justfile. What is filled in when it is read runs with every target.
fn recipes(text: &str) -> Vec<Task> {
    let joined = text.replace("\\\n", " ");
    let values = definitions(&joined);
    let mut found: Vec<Task> = Vec::new();
    let mut always = Task::default();
    for line in joined.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(task) = found.last_mut() {
                let line = as_shell(line, &values);
                // `$(MAKE) x`
                if ["MAKE ", "make ", "just "].iter().any(|again| line.starts_with(again)) {
                    task.needs.extend(line.split_whitespace().map(str::to_owned));
                }
                task.lines.push_str(&(line + "\n"));
            }
            continue;
        }
        if let Some((_, run)) = READ_TIME.iter().find_map(|start| line.split_once(start)) {
            always.lines.push_str(&(as_shell(run.trim_end_matches([')', '`']), &values) + "\n"));
        }
        if definition(line).is_some() || line.starts_with('#') {
            continue;
        }
        if let Some((names, rest)) = line.split_once(':') {
            let (needs, run) = rest.split_once(';').unwrap_or((rest, ""));
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            found.push(Task {
                // A pattern may be any target.
                names: if names.contains('%') { Vec::new() } else { words(&as_shell(names, &values)) },
                needs: words(needs),
                lines: as_shell(run, &values) + "\n",
            });
        }
    }
    if let Some((_, goal)) = values.iter().find(|(name, _)| *name == ".DEFAULT_GOAL") {
        found.sort_by_key(|task| !task.names.iter().any(|name| name == goal));
    }
    if !always.lines.is_empty() {
        found.push(always);
    }
    found
}

/// What names of the file mean.
pub(crate) fn definitions(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter_map(definition).collect()
}

/// `NAME := value`
fn definition(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_start_matches("export ").trim_end_matches([':', '?', '+', ' ', '\t']).trim_start();
    let whole = !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || "_-.".contains(it));
    whole.then(|| (name, value.trim().trim_matches(['"', '\''])))
}

/// A line of a recipe as a shell gets it. What nobody set there is a word of its own, unless it is the home directory.
pub(crate) fn as_shell(line: &str, values: &[(&str, &str)]) -> String {
    const DEEP: usize = 4;
    let mut line = line.trim().trim_start_matches(['@', '-', '+', ' ']).to_owned();
    for _ in 0..DEEP {
        line = filled(&line, values);
    }
    line.replace("$$", "$")
}

fn filled(line: &str, values: &[(&str, &str)]) -> String {
    let mut found = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['$', '{']) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        found.push_str(before);
        let closed = [("$$", ""), ("$(shell ", ""), ("{{", "}}"), ("$(", ")"), ("${", "}")];
        let Some((open, close)) = closed.iter().find(|(open, _)| from.starts_with(open)) else {
            found.push_str(from.get(..1).unwrap_or_default());
            rest = from.get(1..).unwrap_or_default();
            continue;
        };
        let inner = from.get(open.len()..).unwrap_or_default();
        if close.is_empty() {
            // What the shell fills in itself.
            found.push_str(if *open == "$$" { "$$" } else { "$$(" });
            rest = inner;
            continue;
        }
        let (name, after) = inner.split_once(close).unwrap_or((inner, ""));
        found.push_str(&value_of(name.trim(), values));
        rest = after;
    }
    found + rest
}

fn value_of(name: &str, values: &[(&str, &str)]) -> String {
    if name == "HOME" || name.contains("'HOME'") || name.contains("\"HOME\"") || name.starts_with("home_dir")
    {
        return "$$HOME".to_owned();
    }
    let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    let word = || name.chars().filter(|it| it.is_alphanumeric() || *it == '_').collect();
    value.unwrap_or_else(word)
}

/// The scripts of a `package.json`, or the tasks of a `deno.json`, with what runs around them.
fn members(text: &str) -> Vec<Task> {
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let objects = ["scripts", "tasks"].iter().filter_map(|key| file.get(key)?.as_object());
    let scripts: Vec<(&String, String)> = objects
        .flatten()
        .map(|(name, run)| {
            let lines = run.as_array().into_iter().flatten().chain([run]).filter_map(Value::as_str);
            (name, lines.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    let task = |(name, lines): &(&String, String)| {
        let around = ["pre", "post"].iter().filter_map(|part| name.strip_prefix(part));
        let installs = matches!(name.as_str(), "preinstall" | "postinstall" | "prepare" | "post-install-cmd");
        let names = around.chain([name.as_str()]).chain(installs.then_some("install"));
        // `npm run a && npm run b`
        let runs = ["run", "yarn", "pnpm", "bun", "@"].iter().any(|word| lines.contains(word));
        let needs = lines.split([' ', '@', '"', '\'']).filter(|word| runs && *word != name.as_str());
        Task {
            names: names.map(str::to_owned).collect(),
            needs: needs.map(str::to_owned).collect(),
            lines: lines.clone(),
        }
    };
    scripts.iter().map(task).collect()
}

/// The tasks of a Taskfile.
fn keys(text: &str) -> Vec<Task> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let below = text.lines().skip_while(|line| line.trim_end() != "tasks:").skip(1);
    let below: Vec<&str> = below.filter(|line| !line.trim().is_empty()).collect();
    let margin = below.first().map_or(0, |line| depth(line));
    let mut found: Vec<Task> = Vec::new();
    // Values that commands give are asked for before any task.
    let filled_in = text.lines().take_while(|line| line.trim_end() != "tasks:");
    let filled_in = filled_in.filter_map(|line| line.trim().strip_prefix("sh:")).map(plain_step);
    let always = filled_in.collect::<Vec<_>>().join("\n");
    for line in below {
        let (key, rest) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
        if depth(line) == margin {
            let lines = quoted(rest).join("\n") + "\n" + &plain_step(rest) + "\n";
            found.push(Task {
                names: vec![key.trim_matches(['"', '\'']).to_owned()],
                lines,
                needs: Vec::new(),
            });
        } else if let Some(task) = found.last_mut() {
            let named = rest.split(|it: char| !(it.is_alphanumeric() || "-_:".contains(it)));
            if matches!(key.trim_start_matches("- "), "task" | "deps") {
                task.needs.extend(named.map(str::to_owned));
            } else {
                let step = plain_step(line.trim().trim_start_matches("- "));
                let step = value_filled(&step);
                task.lines.push_str(&(quoted(line).join("\n") + "\n" + &step + "\n"));
            }
        }
    }
    if !always.is_empty() {
        found.push(Task { lines: always, ..Task::default() });
    }
    found
}

fn value_filled(step: &str) -> String {
    filled(step.strip_prefix("cmds:").unwrap_or(step), &[]).replace("$$", "$")
}

/// Programs that obey files which no word of their line names: by whole names, and by endings.
const OBEYED: &[(&[&str], &[&str], &[&str])] = &[
    (&["make", "gmake", "remake", "bmake"], &["makefile", "gnumakefile"], &["mk", "make"]),
    (&["just"], &["justfile", ".justfile"], &["just"]),
    (&["task", "go-task"], &["taskfile.yml", "taskfile.yaml", "taskfile.dist.yml"], &[]),
    (&["npm", "yarn", "pnpm", "bun", "node"], &["package.json"], &[]),
    (&["composer"], &["composer.json"], &[]),
    (&["deno"], &["deno.json"], &[]),
    (&["rake", "rails"], &["rakefile"], &["rake"]),
    (&["bundle", "gem"], &["gemfile"], &["gemspec"]),
    (&["cmake", "ctest", "ninja"], &["cmakelists.txt"], &["cmake"]),
    (&["gradle", "gradlew"], &["build.gradle", "build.gradle.kts", "settings.gradle"], &["gradle", "kts"]),
    (&["mix"], &[], &["exs"]),
    (&["zig"], &["build.zig"], &[]),
    (&["cargo"], &["build.rs"], &[]),
    (&["sbt"], &[], &["sbt"]),
    (&["swift"], &["package.swift"], &[]),
    (&["nimble", "nim"], &[], &["nimble", "nims"]),
    (&["invoke", "inv"], &["tasks.py"], &[]),
    (&["fab"], &["fabfile.py"], &[]),
    (&["nox"], &["noxfile.py"], &[]),
    (&["scons"], &["sconstruct"], &[]),
    (&["snakemake"], &["snakefile"], &[]),
    (&["vagrant"], &["vagrantfile"], &[]),
    (&["pod"], &["podfile"], &[]),
    (&["fastlane"], &["fastfile"], &[]),
    (&["thor"], &["thorfile"], &[]),
];

/// The files that a command obeys without naming them, where it runs tasks or tests.
pub(crate) fn obeyed_names(command: &Command) -> Vec<String> {
    let program = command.program.as_deref().unwrap_or_default();
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).take(4).collect();
    let tests = |word: &str| matches!(word, "pytest" | "py.test");
    if tests(program) || words.iter().any(|word| tests(word)) {
        return ["conftest.py", "tests/conftest.py", "test/conftest.py"].map(str::to_owned).into();
    }
    let started = |names: &[&str]| names.contains(&program) || words.iter().any(|word| names.contains(word));
    let rows = OBEYED.iter().filter(|(programs, ..)| started(programs));
    rows.flat_map(|(_, names, _)| names.iter().flat_map(|name| spelled(name))).collect()
}

/// The names as they are usually spelled: tables compare in small letters.
fn spelled(name: &str) -> [String; 3] {
    let (first, rest) = name.split_at(1);
    let capital = format!("{}{rest}", first.to_uppercase());
    let own =
        [("gnumakefile", "GNUmakefile"), ("cmakelists.txt", "CMakeLists.txt"), ("sconstruct", "SConstruct")];
    let own = own.iter().find(|(small, _)| *small == name).map_or(name, |(_, own)| own);
    [name.to_owned(), capital, own.to_owned()]
}

/// The lines of a file that a command runs: the tasks that it asks for, what they need, and what runs with every task.
pub(crate) fn lines_for(command: &Command, path: &str, text: &str) -> String {
    let tasks = tasks(path, text);
    let first = tasks.iter().position(|task| task.names.iter().any(|name| !name.starts_with('.')));
    let mut asked: Vec<bool> = tasks
        .iter()
        .enumerate()
        .map(|(index, task)| {
            let by_name = task.names.iter().any(|name| asks_for(command, name));
            task.names.is_empty() || by_name || (first == Some(index) && asks_for(command, ""))
        })
        .collect();
    while let Some(index) = tasks.iter().enumerate().position(|(index, task)| {
        let needed = |(at, other): (usize, &Task)| {
            asked.get(at) == Some(&true) && other.needs.iter().any(|need| task.names.contains(need))
        };
        asked.get(index) == Some(&false) && tasks.iter().enumerate().any(needed)
    }) {
        if let Some(asked) = asked.get_mut(index) {
            *asked = true;
        }
    }
    let lines = tasks.iter().zip(asked).filter(|(_, asked)| *asked).map(|(task, _)| task.lines.as_str());
    lines.collect::<Vec<_>>().join("\n")
}

/// Tools that build and run the sources of a project, by their endings.
const RUN_SOURCES: &[(&str, &[&str])] = &[
    ("cargo", &["rs"]),
    ("go", &["go"]),
    ("dotnet", &["cs", "fs"]),
    ("gradle", &["java", "kt"]),
    ("gradlew", &["java", "kt"]),
    ("mvn", &["java", "kt"]),
    ("sbt", &["scala"]),
    ("swift", &["swift"]),
    ("dart", &["dart"]),
    ("flutter", &["dart"]),
    ("zig", &["zig"]),
    ("mix", &["ex"]),
    ("crystal", &["cr"]),
];

/// Words that have the tests of a project run.
const TESTERS: &[&str] = &[
    "test",
    "tests",
    "t",
    "vitest",
    "jest",
    "mocha",
    "ava",
    "jasmine",
    "pytest",
    "py.test",
    "rspec",
    "phpunit",
    "pest",
    "unittest",
    "nextest",
    "tox",
    "nox",
    "playwright",
    "cypress",
    "karma",
    "busted",
    "check",
    "minitest",
];

/// Whether the command runs the file without naming it.
pub(crate) fn obeys(command: &Command, path: &str) -> bool {
    let name = file_name(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let program = command.program.as_deref().unwrap_or_default();
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    // `bundle exec rake`
    let started = |names: &[&str]| {
        let behind = words.iter().take(3).any(|word| names.contains(word));
        names.contains(&program) || (behind && matches!(program, "bundle" | "uv" | "poetry" | "npx" | "mise"))
    };
    let by_rule = OBEYED.iter().any(|(programs, names, endings)| {
        started(programs) && (names.contains(&name.as_str()) || endings.contains(&ending))
    });
    let runs = words.iter().any(|word| matches!(*word, "run" | "test" | "bench" | "nextest"));
    let by_source =
        runs && RUN_SOURCES.iter().any(|(tool, endings)| *tool == program && endings.contains(&ending));
    // Settings that are code.
    let builds = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    let by_settings = command.own.meets(builds)
        && protected::runs_later(path)
        && matches!(ending, "js" | "cjs" | "mjs" | "ts" | "mts" | "py" | "rs");
    by_rule || by_source || by_settings || (is_test(path) && tests(program, &words, ending))
}

fn is_test(path: &str) -> bool {
    let name = file_name(path);
    let folders = ["/test/", "/tests/", "/__tests__/", "/spec/", "/e2e/"];
    ["test", "spec", "jest"].iter().any(|word| name.contains(word))
        || folders.iter().any(|folder| path.contains(folder))
}

/// Whether the tests of the project run, and not only some that are named.
fn tests(program: &str, words: &[&str], ending: &str) -> bool {
    let says = |word: &str| TESTERS.contains(&word) || word.starts_with("test:");
    let some = words.iter().any(|word| word.rsplit_once('.').is_some_and(|(_, its)| its == ending));
    !some && (says(program) || words.iter().any(|word| says(word)))
}

/// Options of task runners that take a value.
const WITH_VALUE: &[&str] =
    &["-f", "-C", "-I", "-d", "--file", "--directory", "--justfile", "--dir", "--prefix", "-w"];

/// Whether the words of the command ask for the task; an empty name is the one that runs if none is asked for.
pub(crate) fn asks_for(command: &Command, task: &str) -> bool {
    let mut before = "";
    let words = command.arguments.iter().map(|word| word.text.as_str());
    let named = words.filter(|word| {
        let value = WITH_VALUE.contains(&std::mem::replace(&mut before, *word));
        !value && !word.starts_with('-') && !word.contains('=')
    });
    let named: Vec<&str> = named.collect();
    let says = |names: &[&str]| named.iter().any(|word| names.contains(word) || word.contains('*'));
    match task {
        "" => named.is_empty(),
        "install" => named.is_empty() || says(&["i", "ci", "add", "install", "update", "up"]),
        "test" => says(&["test", "t", "tst"]),
        task => says(&[task]),
    }
}
