//! Servers, workers and notebooks that run the project's own code.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, EXECUTES, NAMED, PROJECT, READS, REMOTE, WRITES, operands_stay, script, stays, verb,
};
use super::table::{Operands, Spec, Style};

/// Options that name code or configuration.
const CODE: &[&str] = &[
    "A",
    "c",
    "--app",
    "--app-dir",
    "--chdir",
    "--config",
    "--env-file",
    "--log-config",
    "--pythonpath",
    "--reload-dir",
    "--workdir",
];

/// Options of gunicorn with which code comes from somewhere else, or variables change what runs.
const LOADS: &[&str] =
    &["-e", "--env", "--logger-class", "--log-config-json", "--paste", "--setup", "--worker-tmp-dir"];

/// Code lies in the project, and who is elsewhere cannot reach the server. All words are looked at: options may follow
/// the script, and many are not listed.
fn stays_here(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays(invocation, out, CODE);
    for word in invocation.words {
        let text = word.known().unwrap_or("*");
        let (option, value) = text.split_once('=').unwrap_or((text, text));
        let value = value.rsplit('=').next().unwrap_or(value);
        if is_open(value) || (LISTENS.contains(&option) && option != text && !is_near(value)) {
            out.add(REMOTE);
        }
        let led = value != option && value.starts_with(['/', '~', '.']) && !value.starts_with("./");
        if led || LOADS.contains(&option) || text.contains('(') || is_module_of_system(text) {
            out.executes();
        }
    }
    let mut pairs = invocation.words.iter().zip(invocation.words.iter().skip(1));
    let listens = |name: Option<&str>| name.is_some_and(|name| LISTENS.contains(&name));
    if pairs.any(|(option, value)| listens(option.known()) && !value.known().is_some_and(is_near)) {
        out.add(REMOTE);
    }
}

/// Options that say where a server listens, or to whom a worker talks.
const LISTENS: &[&str] = &[
    "-b",
    "--address",
    "--bind",
    "--broker",
    "--host",
    "--insecure-bind",
    "--ip",
    "--listen",
    "--quic-bind",
    "--result-backend",
    "--server.address",
];

/// Whether the word names all addresses of the machine.
fn is_open(text: &str) -> bool {
    let host = text.trim_start_matches("tcp:").trim_start_matches("http://");
    matches!(host, "0" | "0.0.0.0" | "::" | "[::]" | "*")
        || ["0.0.0.0:", "[::]:", "*:", "interface=0"].iter().any(|start| host.contains(start))
}

/// Whether the address is one of this machine alone.
fn is_near(text: &str) -> bool {
    let host = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split('/').next().unwrap_or(host);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    matches!(host, "127.0.0.1" | "localhost" | "[::1]" | "unix") || text == "::1" || text.starts_with("unix:")
}

/// `os:system` as the program to serve.
fn is_module_of_system(text: &str) -> bool {
    ["os:", "subprocess:", "shutil:", "pty:"].iter().any(|module| text.starts_with(module))
}

fn serves(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays_here(invocation, out);
    if !out.help {
        operands_stay(invocation, out);
    }
}

/// The first operand is a file of code; what follows is given to it.
fn serves_script<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays_here(invocation, out);
    if let (false, Some(file)) = (out.help, invocation.operands.first()) {
        script(*file, out);
    }
}

/// A setting of any part of it may name code, folders and addresses: `--ServerApp.ip=`.
fn plain_options(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    serves(invocation, out);
    let dotted =
        |text: &str| text.starts_with("--") && text.split('=').next().is_some_and(|name| name.contains('.'));
    if invocation.words.iter().any(|word| word.known().is_some_and(|text| dotted(text) || text == "--post")) {
        out.executes();
    }
}

/// What a worker is told to throw away, or to ask others for.
fn works(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays_here(invocation, out);
    let away = |text: &str| matches!(text, "--purge" | "--discard");
    if invocation.words.iter().any(|word| word.known().is_some_and(away)) {
        out.add(REMOTE);
    }
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new("uvicorn gunicorn hypercorn", PROJECT)
        .options(
            "-wktneu= -p=write -bc= -D --host= --bind= --port= --workers= --worker-class= --reload --factory --preload --app-dir= --chdir= --config= --env-file= \
             --pythonpath= --log-config= --log-level= --reload-dir= --pid=write --access-logfile=write --error-logfile=write --log-file=write --timeout= --threads= --version!help --help!help --*",
        )
        .operands(Operands::Text)
        .check(serves)
        .examples(&[
            ("uvicorn --version", "reads"),
            ("uvicorn app.main:app --reload --port 8000", "project-code"),
            ("uvicorn app:app --host 0.0.0.0", "project-code network-write"),
            ("uvicorn app:app --app-dir /tmp/x", "project-code executes"),
            ("gunicorn -w 4 -b 127.0.0.1:8000 app:app", "project-code"),
            ("gunicorn -b :8000 app:app", "project-code network-write"),
            ("gunicorn -c /tmp/evil.py app:app", "project-code executes"),
        ]),
    Spec::new("flask", PROJECT)
        .options("-Ae= --app= --env-file= --debug --no-debug --version!help --help!help")
        .verbs(&[
            verb("run", PROJECT, "-hp= --host= --port= --reload --no-reload --debugger --no-debugger --with-threads --debug --cert= --key= --extra-files= --exclude-patterns=")
                .check(stays_here),
            verb("routes", PROJECT, "-s= --sort= --all-methods"),
            Spec::new("shell", EXECUTES),
            verb("db", PROJECT.and(REMOTE), "--*"),
            verb("*", PROJECT, "--*"),
        ])
        .check(stays_here)
        .examples(&[
            ("flask run", "project-code"),
            ("flask --app src/app run --debug", "project-code"),
            ("flask --app /tmp/evil run", "project-code executes"),
            ("flask run --host=0.0.0.0", "project-code network-write"),
            ("flask db upgrade", "project-code network-write"),
            ("flask shell", "executes"),
        ]),
    Spec::new("celery", PROJECT)
        .options("-Ab= -Cq --app= --broker= --result-backend= --loader= --config= --workdir= --version!help --help!help")
        .verbs(&[
            verb("worker beat events status list", PROJECT, "-lcQPns= -EBD -f=write --loglevel= --logfile=write --pidfile=write --concurrency= --queues= --pool= --hostname= --*")
                .check(works),
            Spec::new("shell", EXECUTES),
            verb("*", PROJECT.and(REMOTE), "--*"),
        ])
        .check(works)
        .examples(&[
            ("celery -A proj worker -l info", "project-code"),
            ("celery -A proj worker --purge", "project-code network-write"),
            ("celery -A proj --broker=redis://prod.test worker", "project-code network-write"),
            ("celery -A proj --broker=redis://localhost:6379/0 worker", "project-code"),
            ("celery -A proj purge -f", "project-code network-write unknown"),
            ("celery -A proj inspect conf", "project-code network-write"),
            ("celery -A proj control shutdown", "project-code network-write"),
            ("celery -A /tmp/x worker", "project-code executes"),
        ]),
    Spec::new("streamlit", PROJECT)
        .options("--version!help --help!help --log_level=")
        .verbs(&[
            Spec::new("run", PROJECT)
                .options("--server.port= --server.address= --server.headless= --*")
                .operands(Operands::Text)
                .check(serves_script),
            verb("version docs help hello", READS, ""),
            Spec::new("*", EXECUTES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("streamlit run app.py", "project-code"),
            ("streamlit run app.py --server.port 8502", "project-code"),
            ("streamlit run app.py --server.address 0.0.0.0", "project-code network-write"),
            ("streamlit run https://x.test/app.py", "project-code executes"),
        ]),
    Spec::new("fastapi", PROJECT)
        .options("--version!help --help!help")
        .verbs(&[
            Spec::new("dev", PROJECT)
                .options("--host= --port= --reload --no-reload --root-path= --app= --*")
                .operands(Operands::Text)
                .check(serves_script),
            Spec::new("*", EXECUTES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("fastapi dev main.py", "project-code"),
            ("fastapi dev main.py --host 0.0.0.0", "project-code network-write"),
            ("fastapi dev /tmp/main.py", "project-code executes"),
            ("fastapi deploy", "executes"),
            ("fastapi run main.py", "executes"),
        ]),
    Spec::new("jupyter", READS)
        .options("--version!help --help!help --paths --config-dir --data-dir --runtime-dir --json")
        .verbs(&[
            verb("nbconvert execute run", PROJECT.and(WRITES), "-y --to= --output=write --output-dir=write --execute --inplace --stdout --clear-output --no-input --config= --*")
                .check(plain_options),
            verb("notebook lab server", PROJECT, "-y --no-browser --port= --ip= --config= --notebook-dir=dir --*").check(plain_options),
            Spec::new("*", EXECUTES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("jupyter --version", "reads"),
            ("jupyter nbconvert --to script nb.ipynb", "project-code writes"),
            ("jupyter nbconvert --config=/tmp/x.py nb.ipynb", "project-code writes executes"),
            ("jupyter lab --no-browser", "project-code"),
            ("jupyter lab --ip=0.0.0.0", "project-code network-write"),
            ("jupyter lab --ServerApp.ip=127.0.0.1", "project-code executes"),
            ("jupyter kernelspec install /tmp/k", "executes"),
        ]),
    // Tasks of any name are the project's; what is not listed is unknown, above all code for `runner`.
    Spec::new("rails", PROJECT)
        .style(Style::Stops)
        .options("--version!help --help!help")
        .verbs(&[
            verb("server s", PROJECT, "-pPuedC= -b= --port= --environment= --daemon --pid=write --*").check(stays_here),
            verb(
                "routes generate g stats notes about middleware zeitwerk:check assets:precompile db:migrate db:migrate:status db:create db:test:prepare db:version tmp:clear",
                PROJECT,
                "-bdnvfeps=? --*",
            )
            .check(|invocation, out| {
                operands_stay(invocation, out);
                if invocation.words.iter().any(|word| word.known().is_none_or(|text| text.contains("VERSION="))) {
                    out.add(REMOTE);
                }
            }),
            // The name of a test may look like a path: `-n /refund/`.
            verb("test t test:all test:system", PROJECT, "-bdvf -nesc= --name= --seed= --environment= --*").check(operands_stay),
            Spec::new("new", NAMED.and(WRITES)).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("rails --version", "reads"),
            ("rails server -p 3001", "project-code"),
            ("rails s -b 0.0.0.0", "project-code network-write"),
            ("rails test test/models", "project-code"),
            ("rails test test/a_test.rb -n /refund/", "project-code"),
            ("rails db:migrate", "project-code"),
            ("rails db:migrate VERSION=0", "project-code network-write"),
            ("rails new blog", "installs-named writes"),
        ]),
    Spec::new("pip-compile pip-sync", DECLARED.and(WRITES))
        .options(
            "-qvUn -P= -o=write -ifc=!installs-named -h!help --output-file=write --upgrade --upgrade-package= --resolver= --generate-hashes --no-header --no-annotate --annotate --strip-extras \
             --no-strip-extras --allow-unsafe --extra= --all-extras --no-emit-index-url --quiet --verbose --dry-run --index-url=!installs-named --extra-index-url=!installs-named \
             --find-links=!installs-named --trusted-host=!installs-named --version!help --help!help",
        )
        .operands(Operands::Read)
        .check(|invocation, out| {
            let named = |text: &str| text == "-" || text.contains('@') || text.contains("://");
            if invocation.words.iter().any(|word| word.known().is_none_or(named)) {
                out.add(NAMED);
            }
            if !out.help {
                operands_stay(invocation, out);
            }
        })
        .examples(&[
            ("pip-compile --version", "reads"),
            ("pip-compile requirements.in", "reads installs-declared writes"),
            ("pip-compile -i https://x.test/simple requirements.in", "reads installs-declared installs-named writes"),
            ("pip-compile /tmp/requirements.in", "reads installs-declared writes executes"),
        ]),
];
