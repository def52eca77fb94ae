//! Test runners, linters, formatters and bundlers. Those whose configuration is plain data only read;
//! those that load plug-ins or configuration written as code run code of the project.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DELETES, EXECUTES, FETCHES, NAMED, OBEYS, PROJECT, PUBLISHES, READS, WRITES, first_task, operands_stay,
    stays, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;

/// Options that name configuration or plug-ins.
const CONFIG: &[&str] = &[
    "c",
    "--config",
    "--rulesdir",
    "--plugin",
    "--resolve-plugins-relative-to",
    "--parser",
    "--config-file",
    "--rootdir",
    "--root",
    "--rootDir",
    "--setupFiles",
    "--setupFilesAfterEnv",
    "--globalSetup",
    "--require",
    "r",
    "--rcfile",
    "--project",
    "--load-plugins",
    "--custom-formatter",
    "--format-module",
    "--confcutdir",
    "--load",
    "--import",
    "--configuration",
    "--bootstrap",
    "--cwd",
    "--dir",
    "--prefix",
];

pub(super) fn config_stays(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays(invocation, out, CONFIG);
}

fn tests(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    config_stays(invocation, out);
    if !out.help {
        operands_stay(invocation, out);
    }
}

/// Formatters that write unless they are asked to check or to show.
fn writes_unless<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>, shows: &[&str]) {
    if !invocation.has(shows) && !out.help {
        out.add(WRITES);
    }
}

const RUFF: &[Spec] = &[
    Spec::new("check lint", READS)
        .options(
            "-eqsv -nw -o=write --fix!writes --fix-only!writes --no-fix --unsafe-fixes --no-unsafe-fixes --diff --show-fixes --no-show-fixes --watch --output-format= --output-file=write --target-version= --preview --no-preview \
             --config=config --isolated --extension= --statistics --add-noqa=?!writes --show-files --show-settings --select= --ignore= --extend-select= --extend-ignore= --per-file-ignores= --extend-per-file-ignores= \
             --fixable= --unfixable= --extend-fixable= --exclude= --extend-exclude= --respect-gitignore --no-respect-gitignore --force-exclude --no-force-exclude --no-cache --cache-dir=write --stdin-filename= \
             --exit-zero --exit-non-zero-on-fix --ignore-noqa --line-length= --dummy-variable-rgx= --verbose --quiet --silent",
        )
        .operands(Operands::Read)
        .check(|invocation, out| {
            // `fix = true` in the project's settings.
            if !invocation.has(&["--no-fix", "--diff", "--isolated", "--show-files", "--show-settings"]) {
                out.add(OBEYS);
            }
        }),
    Spec::new("format", READS)
        .options("-eqsv --check --diff --range= --exit-non-zero-on-format --config=config --isolated --target-version= --preview --no-preview --exclude= --extension= --respect-gitignore --no-respect-gitignore --force-exclude --no-cache --cache-dir=write --stdin-filename= --line-length= --output-format=")
        .operands(Operands::Read)
        .check(|invocation, out| writes_unless(invocation, out, &["--check", "--diff"])),
    verb("rule linter version help config", READS, "-v --all --output-format= --output="),
    Spec::new("analyze", READS).options("--direction= --detect-string-imports --preview --python= --config=read").verbs(&[
        Spec::new("graph", READS).options("--direction= --detect-string-imports --preview --python= --config=read --exclude= --output-format=").operands(Operands::Read),
    ]),
    verb("clean", DELETES, ""),
    verb("server", READS, "--preview"),
    verb("generate-shell-completion", READS, ""),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("pytest py.test", PROJECT)
        .options(
            "-xvqslhV -kmrnWD= -pco=!steers --help --version --basetemp=!deletes!writes --junitxml=write --junit-xml=write --cov-report= --cov=? --cov-config= --pastebin=!sends-data --log-file=write --report-log=write --result-log=write --html=write --json-report-file=write \
             --rootdir=dir --confcutdir=!steers --pyargs!steers --ignore= --ignore-glob= --deselect= --tb= --maxfail= --durations= --durations-min= --numprocesses= --dist= --timeout= --import-mode= --override-ini=!steers --log-level= --log-cli-level= --color= --capture= --show-capture= \
             --cache-clear!deletes --cache-show=? --snapshot-update!writes --*",
        )
        .operands(Operands::Text)
        .check(tests)
        .examples(&[
            ("pytest --version", "project-code"),
            ("pytest -x -k foo tests/test_a.py::test_b", "project-code"),
            ("pytest -n 4 --cov=src", "project-code"),
            ("pytest /tmp/evil_test.py", "project-code executes"),
            ("pytest -c /tmp/evil.ini", "project-code executes"),
            ("pytest --junitxml=out.xml", "project-code writes"),
            ("pytest --pastebin=all", "project-code sends-data"),
        ]),
    Spec::new("tox nox", PROJECT).options("-aplqvrRh -esfkctnxj= --help --version --list --sessions= --noxfile= --recreate --parallel=? --*").operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["c", "f", "--noxfile", "--conf", "--root", "--workdir"]))
        .examples(&[("tox -e py311 -- -x", "project-code"), ("nox -s lint", "project-code"), ("tox -c /tmp/tox.ini", "project-code executes")]),
    Spec::new("coverage coverage3", READS)
        .options("-h!help --rcfile=")
        .verbs(&[
            Spec::new("run", PROJECT).style(Style::Stops).options("-apL -m -h!help --append --branch --concurrency= --context= --data-file=write --include= --omit= --parallel-mode --pylib --rcfile= --source= --timid")
                .operands(Operands::Text).check(|invocation, out| if !invocation.has(&["m"]) { operands_stay(invocation, out) }),
            verb("report debug", PROJECT, "-mi --contexts= --data-file= --fail-under= --format= --ignore-errors --include= --omit= --precision= --rcfile= --show-missing --skip-covered --skip-empty --sort= --quiet"),
            verb("html xml json lcov annotate combine", PROJECT.and(WRITES), "-aiqd=? -o=write --keep --*"),
            verb("erase", DELETES, "--data-file= --rcfile="),
            verb("help", READS, ""),
        ])
        .examples(&[("coverage --version", "reads"), ("coverage run -m pytest -x", "project-code"), ("coverage report -m", "project-code"), ("coverage html", "project-code writes"), ("coverage erase", "deletes")]),
    Spec::new("behave unit2 nosetests nose2 trial stestr testr green ward robot locust mutmut", PROJECT)
        .style(Style::Stops)
        .options("-vqxfs -tknioD=? -h!help --*")
        .operands(Operands::Text)
        .check(tests)
        .examples(&[("behave --version", "reads"), ("nosetests tests", "project-code"), ("robot /tmp/x", "project-code executes")]),
    Spec::new("jest vitest mocha ava tap karma cypress playwright wtr web-test-runner jasmine qunit uvu testcafe nightwatch wdio storybook test-storybook vitest-run bats", PROJECT)
        .options(
            "-biouwflgjxRFs -tpnkGV=? -c= -r= -h!help -v!help --config= --coverage=? --watch=? --watchAll=? --run --reporter= --project= --testNamePattern= --testPathPattern= --testPathPatterns= --outputFile=write --outputFile.json=write --coverageDirectory=write --updateSnapshot!writes --update!writes --update-snapshots=?!writes \
             --grep= --timeout= --require= --setupFiles= --globalSetup= --rootDir= --root= --dir= --import= --loader= --spec= --workers= --shard= --retries= --*",
        )
        .verbs(&[
            verb("install install-deps", NAMED, "--with-deps!system --force --dry-run --only-shell --*"),
            verb("uninstall", DELETES, "--all"),
            verb("codegen open cr screenshot pdf show-trace ui", PROJECT, "-obts=? --*"),
        ])
        .operands(Operands::Text)
        .check(tests)
        .examples(&[
            ("jest --version", "reads"),
            ("jest -t foo src/a.test.ts", "project-code"),
            ("vitest run --reporter=dot", "project-code"),
            ("playwright test --grep x", "project-code"),
            ("playwright install chromium", "installs-named"),
            ("jest --config /tmp/x.js", "project-code executes"),
            ("mocha /tmp/evil.js", "project-code executes"),
        ]),
    Spec::new("phpunit pest paratest phpstan psalm phpcs phpmd codecept behat infection rector phpcbf php-cs-fixer rspec minitest cucumber rubocop standardrb reek brakeman sorbet srb steep guard ex_unit credo dialyzer ktlint detekt checkstyle spotbugs swiftlint swiftformat scalafmt scalafix busted luacheck stylua hlint ormolu fourmolu cljfmt clj-kondo", PROJECT)
        .options("-vqnldPpAa -tefm=? -rI=?!steers -o=write -c= -h!help -V!help --config= --configuration= --bootstrap=!steers --require=!steers --out=write --filter= --format= --testdox --auto-correct!writes --autocorrect!writes --fix!writes --write!writes --*")
        .operands(Operands::Text)
        .check(|invocation, out| {
            config_stays(invocation, out);
            let rewrites = matches!(invocation.program, "phpcbf" | "php-cs-fixer" | "rector" | "swiftformat" | "stylua" | "scalafmt" | "scalafix");
            let shows = invocation.has(&["--dry-run", "--check", "--lint", "--test"]);
            if rewrites && !shows && !out.help || invocation.has(&["A", "a"]) && invocation.program.starts_with(['r', 's']) {
                out.add(WRITES);
            }
        })
        .examples(&[("phpunit --version", "reads"), ("rspec spec/a_spec.rb:3", "project-code"), ("rubocop -A", "project-code writes"), ("rubocop", "project-code"), ("phpstan analyse -c /tmp/x.neon", "project-code executes"), ("php-cs-fixer fix src", "project-code writes")]),
    Spec::new("mypy dmypy pyright basedpyright pylint flake8 pyre pytype ty pyrefly pycodestyle pydocstyle pyflakes vulture radon xenon bandit safety semgrep interrogate darglint import-linter lint-imports deptry pyroma check-manifest", PROJECT)
        .options("-vqrlipn -cmftoPELksxj=? -h!help --config-file= --rcfile= --config= --load-plugins=!steers --init-hook=exec --project= --install-types!installs-named --html-report=write --xml-report=write --junit-xml=write --output=write --autofix!writes --fix!writes --*")
        .operands(Operands::Read)
        .check(|invocation, out| {
            config_stays(invocation, out);
        })
        .examples(&[("mypy --version", "reads"), ("flake8 --version", "project-code"), ("mypy src --strict", "reads project-code"), ("pylint src", "reads project-code"), ("mypy --install-types", "project-code installs-named"), ("flake8 --config /tmp/x", "project-code executes"), ("bandit -r src", "reads project-code")]),
    Spec::new("ruff", READS)
        .options("-qsv -hV!help --config=config --isolated --verbose --quiet --silent --color=")
        .verbs(RUFF)
        .examples(&[
            ("ruff", "reads"),
            ("ruff check --config ruff.toml src", "reads obeys-project"),
            ("ruff check --fix", "reads writes obeys-project"),
            ("ruff check --no-fix", "reads"),
            ("ruff check --unsafe-fixes", "reads obeys-project"),
            ("ruff format src/", "reads writes"),
            ("ruff format --check src/", "reads"),
            ("ruff rule E501", "reads"),
            ("ruff clean", "deletes"),
        ]),
    Spec::new("black", READS)
        .options(
            "-qvSC -ltWc= -hV!help --check --diff --color --no-color --code= --line-length= --target-version= --pyi --ipynb --python-cell-magics= --skip-source-first-line --skip-string-normalization --skip-magic-trailing-comma \
             --preview --unstable --enable-unstable-feature= --fast --safe --required-version= --exclude= --extend-exclude= --force-exclude= --stdin-filename= --include= --workers= --quiet --verbose --config=read --line-ranges= --no-cache",
        )
        .operands(Operands::Read)
        .check(|invocation, out| writes_unless(invocation, out, &["--check", "--diff", "c", "--code"]))
        .examples(&[("black --check .", "reads"), ("black --diff x.py", "reads"), ("black --check --diff", "reads"), ("black src/", "reads writes"), ("black --line-length 100 .", "reads writes")]),
    Spec::new("isort", READS)
        .options(
            "-cdqve -lwmpofnbstri=? -hV!help --check --check-only --diff --stdout --show-files --show-config --show-settings --profile= --line-length= --settings-path=read --settings-file=read --sp=read --config-root= --resolve-all-configs \
             --atomic --skip= --skip-glob= --extend-skip= --filename= --gitignore --filter-files --known-first-party= --known-third-party= --py= --float-to-top --force-single-line-imports --multi-line= --trailing-comma --quiet --verbose --color --jobs=",
        )
        .operands(Operands::Read)
        .check(|invocation, out| {
            // `-dt` and its like are options of their own, not clusters.
            // Behind `--` there are only files.
            let mut options = invocation.words.iter().map(Argument::known).take_while(|word| *word != Some("--"));
            let shows = options.any(|word| matches!(word, Some("-c" | "-d")));
            if !shows {
                writes_unless(invocation, out, &["--check", "--check-only", "--diff", "--stdout", "--show-files", "--show-config", "--show-settings"]);
            }
        })
        .examples(&[("isort -c", "reads"), ("isort a.py -- -c", "reads writes"), ("isort -dt .", "reads writes"), ("isort --diff file.py", "reads"), ("isort .", "reads writes"), ("isort --profile black .", "reads writes")]),
    Spec::new("autopep8 yapf docformatter autoflake pyupgrade add-trailing-comma", READS)
        .options("-vqrapmd -i!writes -ejls= --in-place!writes --recursive --diff --quiet --parallel --check --style= --no-local-style --exclude= --max-line-length= --aggressive --ignore= --select= --list-fixes --verbose --remove-all-unused-imports --remove-unused-variables --imports= --expand-star-imports --ignore-init-module-imports --wrap-summaries= --wrap-descriptions= --py3-plus --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus")
        .operands(Operands::Read)
        .check(|invocation, out| {
            let prints = matches!(invocation.program, "autopep8" | "yapf" | "docformatter" | "autoflake") && !invocation.has(&["i"]);
            if !prints && !out.help {
                out.add(WRITES);
            }
            if invocation.program == "autoflake" {
                out.add(OBEYS);
            }
        })
        .examples(&[("yapf --diff a.py", "reads"), ("autopep8 -i a.py", "reads writes"), ("yapf -i a.py", "reads writes"), ("pyupgrade a.py", "reads writes")]),
    Spec::new("eslint tslint stylelint markdownlint markdownlint-cli2 standard xo oxlint jshint jscpd knip depcheck madge ts-prune dependency-cruiser depcruise publint attw size-limit commitlint textlint remark htmlhint sass-lint tsd dtslint linthtml solhint solium cspell alex ls-lint syncpack sherif manypkg", PROJECT)
        .options(
            "-qdwitV -cfse= -h!help -v!help -o=write --fix!writes --fix-dry-run --fix-type= --write!writes --output-file=write --config= --plugin= --parser= --rulesdir= --resolve-plugins-relative-to= --ext= --format= --max-warnings= --ignore-path= --ignore-pattern= --rule= \
             --cache --cache-location=write --no-eslintrc --quiet --custom-formatter= --init!executes --allow-remove-files!deletes --*",
        )
        .operands(Operands::Read)
        .check(config_stays)
        .examples(&[("eslint --version", "reads"), ("eslint src --ext .ts", "reads project-code"), ("eslint --fix src", "reads project-code writes"), ("eslint -c /tmp/x.js src", "reads project-code executes"), ("stylelint '**/*.css'", "reads project-code")]),
    Spec::new("prettier prettierd dprint", PROJECT)
        .options("-cluw -h!help --check --list-different --write!writes --config= --plugin= --no-config --ignore-path= --parser= --stdin-filepath= --log-level= --loglevel= --ignore-unknown --no-error-on-unmatched-pattern --cache --*")
        .verbs(&[verb("fmt", PROJECT.and(WRITES), "-c= --*"), verb("check output-file-paths", PROJECT, "-c= --*")])
        .operands(Operands::Read)
        .check(|invocation, out| {
            stays(invocation, out, &["--config", "--plugin"]);
            if invocation.has(&["w"]) {
                out.add(WRITES);
            }
        })
        .examples(&[("prettier --version", "reads"), ("prettier --check src", "reads project-code"), ("prettier --write src", "reads project-code writes"), ("prettier --plugin /tmp/x.js a", "reads project-code executes")]),
    Spec::new("biome rome", PROJECT)
        .options("-hV!help --config-path= --write!writes --apply!writes --apply-unsafe!writes --fix!writes --unsafe --verbose --colors= --max-diagnostics= --reporter= --*")
        .verbs(&[
            verb("check lint format ci search explain rage", PROJECT, "--write!writes --fix!writes --apply!writes --apply-unsafe!writes --unsafe --only= --skip= --changed --staged --since= --*").operands(Operands::Read),
            verb("init migrate start stop clean upgrade", WRITES, "--*"),
            verb("version help", READS, ""),
        ])
        .check(|invocation, out| stays(invocation, out, &["--config-path"]))
        .examples(&[("biome --version", "reads"), ("biome check src/a.ts", "reads project-code"), ("biome check --write src", "reads project-code writes"), ("biome format --write src/a.ts", "reads project-code writes")]),
    Spec::new("tsc tsgo vue-tsc ngc glint", PROJECT)
        .options("-bwpdmtfi=? -vh!help --noEmit=? --outDir=write --outFile=write --declarationDir=write --tsBuildInfoFile=write --generateTrace=write --generateCpuProfile=write --init!writes --project= --showConfig --listFiles --*")
        .operands(Operands::Read)
        .check(|invocation, out| {
            let silent = invocation.has(&["--noEmit", "--showConfig"]) || invocation.words.iter().any(|word| word.known() == Some("--noEmit"));
            if !silent && !out.help && !invocation.words.iter().any(|word| word.known() == Some("--listFilesOnly")) {
                out.add(WRITES);
            }
        })
        .examples(&[("tsc --version", "reads"), ("tsc --noEmit", "project-code"), ("tsc -p tsconfig.json", "reads project-code writes"), ("tsc --noEmit --module ESNext a.ts", "reads project-code"), ("tsc -b", "project-code writes")]),
    Spec::new("swc esbuild rollup webpack webpack-cli vite next nuxt nuxi astro svelte-kit svelte-check ng parcel tsup tsdown unbuild rspack rsbuild rolldown remix react-scripts vue-cli-service gatsby metro react-native ionic cap vitepress docusaurus eleventy gridsome hexo microbundle preconstruct snowpack babel sass postcss tailwindcss lessc stencil wmr ncc pkg nexe electron electron-builder electron-forge wxt plasmo typedoc jsdoc api-extractor storybook-build graphql-codegen openapi-typescript orval relay-compiler svgo terser uglifyjs html-minifier workbox purgecss", PROJECT)
        .options("-wvmspdijtTHl=? -c= -h!help -o=write --out-dir=write --outDir=write --outdir=write --outfile=write --output=write --output-path=write --dist-dir=write --distDir=write --out=write --dest=write --config= --plugin= --require= --watch=? --port= --host=?!network-write --onSuccess=exec --on-success=exec --*")
        .verbs(&[
            verb("deploy publish release", PUBLISHES, "--*"),
            verb("add", NAMED.and(WRITES), "--*"),
            verb("new generate g init create", PROJECT.and(WRITES), "-dsg=? --*"),
            verb("info", PROJECT, "--*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            config_stays(invocation, out);
            super::destinations::short(invocation, out);
            super::destinations::emptied(invocation, out);
        })
        .examples(&[("vite build --outDir dist --emptyOutDir", "project-code writes deletes"), ("vite --version", "reads"), ("vite build", "project-code"), ("next dev -p 3001", "project-code"), ("webpack --config /tmp/x.js", "project-code executes"), ("ng deploy", "publishes"), ("esbuild a.ts --outfile=b.js", "project-code writes")]),
    Spec::new("shellcheck", READS)
        .options("-ax -C=? -efioPsSW= -V!help --check-sourced --color=? --include= --exclude= --format= --list-optional --norc --rcfile=read --enable= --source-path= --shell= --severity= --wiki-link-count= --external-sources --extended-analysis=")
        .operands(Operands::Read)
        .examples(&[("shellcheck -x a.sh", "reads"), ("shellcheck --frob a.sh", "reads unknown")]),
    Spec::new("shfmt", READS)
        .style(Style::SingleDash)
        .options("-l=? -d=? -s=? -p=? -mn=? -f=? -i= -ln= -bn=? -ci=? -sr=? -kp=? -fn=? -tojson=? -w=?!writes -list=? -diff=? -simplify=? -minify=? -find=? -language-dialect= -posix=? -filename= -indent= -binary-next-line=? -case-indent=? -space-redirects=? -keep-padding=? -func-next-line=? -to-json=? -from-json=? -write=?!writes -apply-ignore=?")
        .operands(Operands::Read)
        .examples(&[("shfmt -d a.sh", "reads"), ("shfmt -l .", "reads"), ("shfmt -w a.sh", "reads writes"), ("shfmt -i 2 -d a.sh", "reads")]),
    Spec::new("dotenv-linter", READS)
        .options("-qr -e= -hV!help --quiet --recursive --exclude= --skip= --no-color --not-check-updates")
        .operands(Operands::Read)
        .verbs(&[Spec::new("fix f", WRITES).options("-qr --no-backup").operands(Operands::Write)])
        .examples(&[("dotenv-linter", "reads"), ("dotenv-linter f", "writes")]),
    Spec::new("editorconfig-checker ec", READS)
        .style(Style::SingleDash)
        .options("-h!help -help!help -version!help -v -verbose -debug -dry-run -no-color -ignore-defaults -exclude= -config=read -format= -init!writes")
        .operands(Operands::Read)
        .examples(&[("ec -exclude x", "reads"), ("ec -init", "reads writes")]),
    Spec::new("lychee", READS.and(FETCHES).and(OBEYS))
        .options("-qvnE -hV!help -c=read -o=write --config=read --output=write --verbose --quiet --no-progress --offline --exclude= --exclude-path= --include= --format= --mode= --timeout= --max-retries= --max-concurrency= --accept= --include-fragments --cache!writes --dump --hidden --no-ignore")
        .operands(Operands::Read)
        .examples(&[("lychee README.md", "reads network-read obeys-project"), ("lychee --output out.md README.md", "reads network-read writes obeys-project")]),
    // What checks with plug-ins that its settings name, and what rewrites the workflows.
    Spec::new("v8r", FETCHES.and(PROJECT)).options("-h!help --*").operands(Operands::Read).examples(&[("v8r a.json", "reads network-read project-code")]),
    Spec::new("pinact", FETCHES.and(WRITES)).options("-hv!help --*").operands(Operands::Text).examples(&[("pinact run", "network-read writes"), ("pinact init", "network-read writes")]),
    Spec::new("hadolint yamllint jsonlint typos vale markdown-link-check taplo checkmake sqlfluff djlint gitlint proselint write-good zizmor ghalint", READS)
        .options(
            "-vqslw -cftdeIkpi=? -hV!help --config=read --config-file=read --config-data= --format= --strict --no-color --verbose --quiet --ignore= --list-files --failure-threshold= --no-fail --trusted-registry= --color --oneline --debug \
             --exclude= --diff --locale= --type-list --files --dump-config=write --brief --sort --hidden --minAlertLevel= --output= --no-exit --no-wrap --glob= --filter= --ext= \
             --write-changes!writes --in-place!writes --fix!writes --write!writes --init-config!writes",
        )
        .operands(Operands::Read)
        .check(|invocation, out| {
            let fetching = matches!(invocation.program, "markdown-link-check" | "zizmor");
            let runs = matches!(invocation.program, "sqlfluff" | "djlint" | "tflint" | "gitlint" | "vale");
            if fetching {
                out.add(FETCHES);
            }
            if runs && !out.help && invocation.has(&["c", "--config", "--config-file"]) {
                stays(invocation, out, &["c", "--config", "--config-file"]);
            }
            let plug_ins = matches!(invocation.program, "sqlfluff" | "djlint" | "tflint" | "gitlint");
            let rewrites = matches!(invocation.program, "typos") && invocation.has(&["w"]) || matches!(invocation.program, "jsonlint") && invocation.has(&["i"]);
            if plug_ins && !out.help {
                out.add(PROJECT);
            }
            let fixes = invocation.operands.first().and_then(Argument::known).is_some_and(|first| matches!(first, "fix" | "format" | "fmt" | "sync" | "run"));
            if rewrites || fixes && !out.help {
                out.add(WRITES);
            }
        })
        .examples(&[
            ("yamllint .", "reads"),
            ("hadolint Dockerfile", "reads"),
            ("typos --write-changes", "reads writes"),
            ("jsonlint -i a.json", "reads writes"),
            ("sqlfluff fix a.sql", "reads writes project-code"),
        ]),
    Spec::new("actionlint github-actionlint", READS)
        .style(Style::SingleDash)
        .options("-color=? -no-color=? -oneline=? -verbose=? -debug=? -ignore= -format= -config-file=read -init-config=?!writes -stdin-filename= -shellcheck=exec -pyflakes=exec")
        .operands(Operands::Read)
        .examples(&[("actionlint .github/workflows/a.yml", "reads"), ("actionlint -shellcheck=./evil a.yml", "reads executes")]),
    Spec::new("codespell", READS)
        .options("-dcfH -SLIDBixCAqr= -hV!help -w!writes --write-changes!writes --skip= --ignore-words-list= --ignore-words=read --dictionary=read --builtin= --check-filenames --check-hidden --count --context= --quiet-level= --exclude-file=read --config=read --toml=read --disable-colors --interactive=!writes --summary --ignore-regex= --uri-ignore-words-list= --regex=")
        .operands(Operands::Read)
        .check(|invocation, out| out.add(if invocation.has(&["i"]) { WRITES } else { OBEYS }))
        .examples(&[("codespell src", "reads obeys-project"), ("codespell -w src", "reads writes obeys-project")]),
    Spec::new("cross-env cross-env-shell dotenv env-cmd dotenvx doppler-run wait-on start-server-and-test chokidar watchexec entr nodemon-exec", EXECUTES)
        .style(Style::Stops)
        .options("-fewoprcd=? --*")
        .operands(Operands::Text)
        .examples(&[("cross-env NODE_ENV=test jest", "executes"), ("watchexec ls", "executes")]),
    Spec::new("sphinx-build mkdocs mdbook jekyll hugo zola pdoc pydoc doxygen asciidoctor antora sphinx-autobuild sphinx-apidoc", PROJECT)
        .options("-abcdDEnoWTqjv=? -h!help --destination=write --site-dir=write --dest-dir=write --output-dir=write --*")
        .verbs(&[
            verb("gh-deploy deploy publish", PUBLISHES, "--*"),
            verb("new init", WRITES, "--*"),
            verb("clean", DELETES, "--*"),
            verb("build", PROJECT.and(WRITES), "-dcbf=? --*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            first_task(invocation, out);
            super::destinations::short(invocation, out);
            super::destinations::emptied(invocation, out);
        })
        .examples(&[("hugo -d out --cleanDestinationDir", "project-code writes deletes"), ("hugo -d public --cleanDestinationDir", "project-code writes"), ("mkdocs --version", "reads"), ("hugo build", "project-code writes"), ("mkdocs gh-deploy", "publishes"), ("sphinx-build docs out", "project-code")]),
];
