//! What the tables of interpreters cannot say: what is run, and where it comes from.

use super::invocation::{Invocation, Outcome, Run};
use super::local::{
    EXECUTES, NAMED, NONE, PROJECT, READS, SECRETS, WRITES, interpreter, is_local, operands_stay, runs_as,
    script, stays,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::span::Span;

/// Words that make a compiler or interpreter print its version or help, whatever its option style.
pub(super) const ASKS: &[&str] = &["-version", "--version", "-V", "-h", "-help", "--help"];

/// For programs with options of their own kind: harmless when only the version is asked for.
pub(super) fn asks_or(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>, does: Effects) {
    let asks = |word: &Argument<'_>| word.known().is_some_and(|text| ASKS.contains(&text));
    let only_asks = !invocation.words.is_empty() && invocation.words.iter().all(asks);
    out.add(if only_asks { READS } else { does });
}

/// Modules of Python that are programs with a table of their own.
const PROGRAM_MODULES: &[&str] = &[
    "pip",
    "pytest",
    "tox",
    "nox",
    "coverage",
    "mypy",
    "pylint",
    "flake8",
    "ruff",
    "black",
    "isort",
    "autopep8",
    "yapf",
    "bandit",
    "behave",
    "pyright",
    "twine",
    "virtualenv",
    "pipx",
    "uv",
    "poetry",
    "pdm",
    "hatch",
    "pipenv",
    "yamllint",
    "codespell",
];

/// Modules that run code of the project.
const PROJECT_MODULES: &[&str] = &[
    "nose",
    "nose2",
    "build",
    "sphinx",
    "sphinx.cmd.build",
    "mkdocs",
    "django",
    "flask",
    "uvicorn",
    "gunicorn",
    "hypercorn",
    "trial",
    "celery",
    "alembic",
    "fastapi",
    "streamlit",
    "jupyter",
    "nbconvert",
    "compileall",
    "pyflakes",
    "pycodestyle",
    "pydocstyle",
    "vulture",
    "radon",
    "mutmut",
    "pyinstaller",
    "PyInstaller",
    "cython",
    "maturin",
    "setuptools_scm",
    "grpc_tools.protoc",
    "manage",
];

/// Modules of the standard library whose effect is known.
/// Pages that only this machine reaches, or a folder of the project that is there to be looked at.
fn serves(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let bound = invocation.value(&["b", "--bind"]).and_then(|host| host.known());
    let folder = invocation.value(&["d", "--directory"]).and_then(|folder| folder.known());
    let below =
        folder.is_some_and(|it| !it.is_empty() && !it.starts_with(['/', '.', '~']) && !it.contains(".."));
    let runs = invocation.has(&["--cgi"]);
    if !runs && (matches!(bound, Some("127.0.0.1" | "localhost" | "::1")) || (bound.is_none() && below)) {
        out.effects = out.effects.without(Effects::NETWORK_WRITE).and(Effects::PROJECT_CODE);
    }
}

static MODULES: &[Spec] = &[
    Spec::new("json.tool", READS)
        .options(
            "-h!help --sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent --compact",
        )
        .operands(Operands::ReadThenWrite),
    Spec::new("venv", WRITES)
        .options("-h!help --system-site-packages --symlinks --copies --clear!deletes --upgrade --without-pip --prompt= \
                  --upgrade-deps!installs-named --without-scm-ignore-files")
        .operands(Operands::Write),
    Spec::new("ensurepip", NAMED).options("-vU --upgrade --user --root= --altinstall --default-pip"),
    Spec::new("http.server", Effects::NETWORK_WRITE)
        .options("-h!help -b= -d=dir -p= --bind= --directory=dir --protocol= --cgi!executes")
        .operands(Operands::Text)
        .check(serves),
    Spec::new("py_compile", WRITES).options("-q --quiet").operands(Operands::Read),
    Spec::new("tabnanny", READS).options("-vq").operands(Operands::Read),
    Spec::new("ast", READS).options("-h!help -am= -i= --mode= --no-type-comments --include-attributes --indent=").operands(Operands::Read),
    Spec::new("tokenize", READS).options("-h!help -e --exact").operands(Operands::Read),
    Spec::new("calendar", READS).options("-Lwlseftmc= --type= --css=").operands(Operands::Text),
    Spec::new("platform this", READS).operands(Operands::Text),
    Spec::new("site", READS).options("--user-base --user-site"),
    Spec::new("sysconfig", READS).options("--generate-posix-vars!writes"),
    Spec::new("zipfile tarfile", READS)
        .options("-celtv --create --extract --list --test --verbose --filter= --metadata-encoding=")
        .operands(Operands::Text)
        .check(archive),
    Spec::new("timeit", EXECUTES).style(Style::Stops).options("-pvc -nrus= --*").operands(Operands::Text),
    Spec::new("pdb", PROJECT).style(Style::Stops).options("-h!help -c=exec -m= --command=exec -p=!system").check(profiled),
    Spec::new("debugpy", PROJECT)
        .style(Style::Stops)
        .options("-h!help -m= -c=exec --listen= --connect= --wait-for-client --log-to=write --log-to-stderr --pid=!system --*")
        .check(debugged),
    Spec::new("cProfile profile", PROJECT).style(Style::Stops).options("-h!help -o=write -s= -m= --outfile=write --sort=").check(profiled),
    Spec::new("trace", PROJECT)
        .style(Style::Stops)
        .options("-tclrTmsgR -f= -C=write --count --trace --listfuncs --report --trackcalls --missing --summary --timing --no-report --file= --coverdir=write --ignore-dir= --ignore-module= --module!executes")
        .check(profiled),
    Spec::new("unittest", PROJECT)
        .options("-vqfbc -kspt= -h!help --start-directory= --top-level-directory= --pattern= --durations= --*")
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["s", "t", "--start-directory", "--top-level-directory"]);
            operands_stay(invocation, out);
        }),
    Spec::new("doctest", PROJECT).options("-vf -o= --verbose --fail-fast --option=").operands(Operands::Text).check(operands_stay),
    Spec::new("gzip base64 uu quopri", WRITES).options("-d -e -u -t --fast --best --decompress").operands(Operands::Text),
];

/// Modules that are programs under another name.
const RENAMED_MODULES: &[(&str, &str)] = &[
    ("awscli", "aws"),
    ("ansible", "ansible"),
    ("ansible.cli.playbook", "ansible-playbook"),
    ("ansible.cli.adhoc", "ansible"),
    ("huggingface_hub.commands.huggingface_cli", "huggingface-cli"),
    ("pre_commit", "pre-commit"),
];

/// `-l` and `-t` only look; the others name what they write: `-c ARCHIVE FILES…`, `-e ARCHIVE FOLDER`.
fn archive<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let extracts = invocation.has(&["e", "--extract"]);
    let creates = invocation.has(&["c", "--create"]);
    let written = match (extracts, creates) {
        (true, _) => 1,
        (_, true) => 0,
        _ => invocation.operands.len(),
    };
    if extracts || creates {
        out.add(WRITES);
    }
    for (index, file) in invocation.operands.iter().enumerate() {
        if index == written { out.writes(*file) } else { out.reads(*file) }
    }
}

/// What runs a script, or another module, under its eyes.
fn profiled<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let module = invocation.words.iter().position(|word| word.known() == Some("-m"));
    match module.filter(|_| invocation.has(&["m"]) && invocation.program != "trace") {
        Some(at) => {
            let rest = invocation.words.get(at..).unwrap_or_default();
            let mut command = vec![Argument::literal("python3", Span::default())];
            command.extend(rest.iter().copied());
            out.runs.push(Run::Words(out.arena.alloc_slice_copy(&command)));
        }
        None if out.help => {}
        None if invocation.operands.is_empty() => out.add(PROJECT),
        None => interpreter(invocation, out),
    }
}

/// Whoever reaches a debugger tells the program what to do.
fn debugged<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    profiled(invocation, out);
    let own = |place: &str| {
        let host = place.rsplit_once(':').map_or("", |(host, _)| host);
        matches!(host, "" | "localhost" | "127.0.0.1")
    };
    if invocation.value(&["--listen", "--connect"]).is_some_and(|place| !place.known().is_some_and(own)) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// `setup.py` builds, and sends what it built, by the same command.
fn sends_package(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let mut words = invocation.operands.iter().filter_map(Argument::known);
    let setup = words.next().is_some_and(|script| script.rsplit('/').next() == Some("setup.py"));
    if setup && words.any(|word| matches!(word, "upload" | "register")) {
        out.add(Effects::PUBLISHES);
    }
}

pub(super) fn python<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["m"]) || out.effects.meets(EXECUTES) {
        interpreter(invocation, out);
        sends_package(invocation, out);
        return;
    }
    let attached = invocation.value(&["m"]);
    let module = attached.or(invocation.operands.first().copied()).and_then(|module| module.known());
    let rest = if attached.is_some() { invocation.first_operand } else { invocation.first_operand + 1 };
    let Some(module) = module else { return out.executes() };
    // A file of that name in the current directory comes before the library's own module.
    let beside = if invocation.has(&["I", "P"]) { NONE } else { PROJECT };
    let renamed = RENAMED_MODULES.iter().find(|(name, _)| *name == module).map(|(_, program)| *program);
    if let Some(program) = renamed.or_else(|| PROGRAM_MODULES.iter().copied().find(|name| *name == module)) {
        runs_as(program, usize::from(attached.is_none()), invocation, out);
        out.add(if module == "pip" { beside } else { PROJECT });
        return;
    }
    let known = MODULES.iter().find(|spec| spec.each_name().any(|name| name == module));
    let harmless = |spec: &Spec| !spec.does.meets(PROJECT.and(EXECUTES));
    match known.filter(|spec| !harmless(spec) || !invocation.has(&["W", "X"])) {
        Some(spec) => {
            Invocation::examine(module, spec, invocation.words.get(rest..).unwrap_or_default(), out);
            // Its own help is drawn above; the module that gives it still comes from somewhere.
            out.help = false;
            out.add(beside);
        }
        None if PROJECT_MODULES.contains(&module) => {
            out.add(PROJECT);
            if super::find(module).is_some() {
                runs_as(module, usize::from(attached.is_none()), invocation, out);
            }
        }
        None => out.executes(),
    }
}

/// Options of node that load a module before the script.
const NODE_PRELOADS: &[&str] = &["r", "--require", "--import", "--loader", "--experimental-loader"];

pub(super) fn node<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let file = invocation.operands.first().copied();
    if let (2, Some(file), true) = (invocation.words.len(), file, invocation.has(&["c", "--check"])) {
        return out.reads(file);
    }
    stays(invocation, out, NODE_PRELOADS);
    if invocation.has(&["--test", "--run"]) && !out.help {
        out.add(PROJECT);
        super::local::operands_stay(invocation, out);
        return;
    }
    interpreter(invocation, out);
}

pub(super) fn php<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let changed = invocation.has(&["d", "c", "z", "B", "E", "R", "r", "F"]);
    if invocation.has(&["l", "s", "w"]) && !changed {
        return invocation.operands.iter().for_each(|file| out.reads(*file));
    }
    let asks = invocation.has(&["i", "m", "--ini", "--ri", "--rf", "--rc", "--re", "--rz"]);
    if asks && !changed && invocation.operands.is_empty() {
        // phpinfo prints the whole environment.
        return out.add(if invocation.has(&["i"]) { READS.and(SECRETS) } else { READS });
    }
    match invocation.value(&["f"]) {
        Some(file) => script(file, out),
        None if invocation.has(&["S"]) => out.add(PROJECT),
        None => interpreter(invocation, out),
    }
}

/// `-v` prints the version and goes on with the script, if there is one.
pub(super) fn ruby<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(invocation, out, &["C", "I"]);
    let plain = invocation.options.len() == 1 && !out.effects.meets(EXECUTES);
    match invocation.operands.first() {
        None if plain && invocation.has(&["v"]) => out.add(READS),
        Some(file) if plain && invocation.has(&["c"]) => out.reads(*file),
        Some(_) | None => interpreter(invocation, out),
    }
}

pub(super) fn java<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation.words.iter();
    let asks = |text: &str| {
        ASKS.contains(&text) || matches!(text, "-fullversion" | "-X" | "--list-modules" | "-showversion")
    };
    if !invocation.words.is_empty() && invocation.words.iter().all(|word| word.known().is_some_and(asks)) {
        return out.add(READS);
    }
    if invocation.words.iter().any(|word| {
        word.prefix().starts_with("-agent")
            || word.prefix().starts_with("-XX:On")
            || word.prefix().starts_with("-XX:Flags")
            || word.prefix().starts_with("-Xrun")
            || word.prefix().starts_with("-javaagent")
            || word.prefix().starts_with('@')
    }) {
        return out.executes();
    }
    while let Some(word) = words.next() {
        match word.known() {
            Some("-jar") => {
                return match words.next() {
                    Some(file) => script(*file, out),
                    None => out.executes(),
                };
            }
            Some(
                "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path" | "--add-modules"
                | "--add-opens",
            ) => {
                words.next();
            }
            Some(text) if text.starts_with('-') && text != "-" => {}
            Some(text) if text.contains(".java") && is_local(*word) => return script(*word, out),
            Some(_) | None => return out.executes(),
        }
    }
    out.executes();
}
