//! Servers, workers and notebooks that run the project's own code.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, EXECUTES, NAMED, PROJECT, READS, REMOTE, WRITES, operands_stay, script, stays, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;

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

/// Options that say where a server listens.
const LISTENS: &[&str] = &["b", "h", "--address", "--bind", "--host", "--ip", "--server.address"];

/// Code lies in the project, and who is elsewhere cannot reach the server.
fn stays_here(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays(invocation, out, CODE);
    let mut told = invocation.options.iter().filter(|seen| LISTENS.contains(&seen.name));
    if told.any(|seen| seen.value.is_some_and(is_open)) {
        out.add(REMOTE);
    }
}

/// Whether others than this machine may connect there.
fn is_open(address: Argument<'_>) -> bool {
    let Some(text) = address.known() else { return true };
    let host = text.rsplit_once(':').map_or(text, |(host, _)| host);
    !matches!(host, "127.0.0.1" | "localhost" | "[::1]" | "unix") && text != "::1"
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

/// `run app.py` and its like.
const fn of_script(names: &'static str) -> Spec {
    Spec::new(names, PROJECT)
        .style(Style::Stops)
        .options("-p= -h= --host= --port= --address= --server.port= --server.address= --server.headless= --headless --reload --watch --debug --*")
        .operands(Operands::Text)
        .check(serves_script)
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new("uvicorn gunicorn hypercorn daphne waitress-serve granian", PROJECT)
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
            verb("worker beat flower events status inspect report list result", PROJECT, "-lcQPns= -EBD -f=write --loglevel= --logfile=write --pidfile=write --concurrency= --queues= --pool= --hostname= --*"),
            Spec::new("shell", EXECUTES),
            verb("*", PROJECT.and(REMOTE), "--*"),
        ])
        .check(stays_here)
        .examples(&[
            ("celery -A proj worker -l info", "project-code"),
            ("celery -A proj purge -f", "project-code network-write unknown"),
            ("celery -A proj control shutdown", "project-code network-write"),
            ("celery -A /tmp/x worker", "project-code executes"),
        ]),
    Spec::new("streamlit chainlit fastapi marimo panel", PROJECT)
        .options("--version!help --help!help --log_level=")
        .verbs(&[
            of_script("run dev serve edit"),
            verb("version docs help hello", READS, ""),
            Spec::new("*", EXECUTES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("streamlit run app.py", "project-code"),
            ("streamlit run app.py --server.port 8502", "project-code"),
            ("streamlit run https://x.test/app.py", "project-code executes"),
            ("fastapi dev main.py", "project-code"),
            ("fastapi dev /tmp/main.py", "project-code executes"),
            ("fastapi deploy", "executes"),
        ]),
    Spec::new("jupyter", READS)
        .options("--version!help --help!help --paths --config-dir --data-dir --runtime-dir --json")
        .verbs(&[
            verb("nbconvert execute run", PROJECT.and(WRITES), "-y --to= --output=write --output-dir=write --execute --inplace --stdout --clear-output --no-input --config= --*").check(serves),
            verb("notebook lab server", PROJECT, "-y --no-browser --port= --ip= --config= --notebook-dir=dir --*").check(serves),
            Spec::new("*", EXECUTES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("jupyter --version", "reads"),
            ("jupyter nbconvert --to script nb.ipynb", "project-code writes"),
            ("jupyter nbconvert --config=/tmp/x.py nb.ipynb", "project-code writes executes"),
            ("jupyter lab --no-browser", "project-code"),
            ("jupyter lab --ip=0.0.0.0", "project-code network-write"),
            ("jupyter kernelspec install /tmp/k", "executes"),
        ]),
    Spec::new("rails", PROJECT)
        .style(Style::Stops)
        .options("--version!help --help!help")
        .verbs(&[
            verb("server s", PROJECT, "-pPucedC= -b= --port= --binding= --environment= --daemon --pid=write --*").check(|invocation, out| {
                let mut told = invocation.options.iter().filter(|seen| matches!(seen.name, "b" | "--binding"));
                if told.any(|seen| seen.value.is_some_and(is_open)) {
                    out.add(REMOTE);
                }
            }),
            Spec::new("console c dbconsole db", EXECUTES).style(Style::Raw).operands(Operands::Text),
            Spec::new("new", NAMED.and(WRITES)).style(Style::Raw).operands(Operands::Text),
            Spec::new("*", PROJECT).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[
            ("rails --version", "reads"),
            ("rails server -p 3001", "project-code"),
            ("rails s -b 0.0.0.0", "project-code network-write"),
            ("rails test test/models", "project-code"),
            ("rails db:migrate", "project-code"),
            ("rails runner 'User.delete_all'", "project-code"),
            ("rails console", "executes"),
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
