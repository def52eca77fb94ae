//! What the tables of interpreters cannot say: what is run, and where it comes from.

use super::invocation::{Invocation, Outcome};
use super::languages::ASKS;
use super::local::{
    EXECUTES, NAMED, NONE, PROJECT, READS, SECRETS, WRITES, interpreter, is_local, runs_as, script, stays,
};
use super::table::{Operands, Spec};
use crate::argument::Argument;
use crate::effects::Effects;

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
    "unittest",
    "doctest",
    "nose",
    "nose2",
    "pre_commit",
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
    "trace",
    "cProfile",
    "profile",
    "pdb",
    "timeit",
    "manage",
];

/// Modules of the standard library whose effect is known.
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
        .operands(Operands::Text),
    Spec::new("py_compile", WRITES).options("-q --quiet").operands(Operands::Read),
    Spec::new("tabnanny", READS).options("-vq").operands(Operands::Read),
    Spec::new("ast", READS).options("-h!help -am= -i= --mode= --no-type-comments --include-attributes --indent=").operands(Operands::Read),
    Spec::new("tokenize", READS).options("-h!help -e --exact").operands(Operands::Read),
    Spec::new("calendar", READS).options("-Lwlseftmc= --type= --css=").operands(Operands::Text),
    Spec::new("platform this", READS).operands(Operands::Text),
    Spec::new("site", READS).options("--user-base --user-site"),
    Spec::new("sysconfig", READS).options("--generate-posix-vars!writes"),
    Spec::new("zipfile", WRITES).options("-c -e -l -t --create --extract --list --test").operands(Operands::Text),
    Spec::new("tarfile", WRITES).options("-c -e -l -t -v --create --extract --list --test").operands(Operands::Text),
    Spec::new("gzip base64 uu quopri", WRITES).options("-d -e -u -t --fast --best --decompress").operands(Operands::Text),
];

pub(super) fn python<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["m"]) || out.effects.meets(EXECUTES) {
        interpreter(invocation, out);
        return;
    }
    let attached = invocation.value(&["m"]);
    let module = attached.or(invocation.operands.first().copied()).and_then(|module| module.known());
    let rest = if attached.is_some() { invocation.first_operand } else { invocation.first_operand + 1 };
    let Some(module) = module else { return out.executes() };
    // A file of that name in the current directory comes before the library's own module.
    let beside = if invocation.has(&["I", "P"]) { NONE } else { PROJECT };
    if PROGRAM_MODULES.contains(&module) {
        runs_as(module, usize::from(attached.is_none()), invocation, out);
        out.add(if module == "pip" { beside } else { PROJECT });
        return;
    }
    let known = MODULES.iter().find(|spec| spec.each_name().any(|name| name == module));
    match known.filter(|_| !invocation.has(&["W", "X"])) {
        Some(spec) => {
            Invocation::examine(spec.names, spec, invocation.words.get(rest..).unwrap_or_default(), out);
            // Its own help is drawn above; the module that gives it still comes from somewhere.
            out.help = false;
            out.add(beside);
        }
        None if PROJECT_MODULES.contains(&module) => out.add(PROJECT),
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
