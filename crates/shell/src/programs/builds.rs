//! Build tools and task runners. They run what the project's files say, so even a dry run or a list of
//! tasks is code of the project; what lies outside the project is code given to them.

use super::builds_checks::{
    boost_or_store, builds_elsewhere, commands_of_sbt, goals, mise_exec, targets, tasks_of_gradle,
};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, PROJECT, PUBLISHES, READS, SECRETS, SYSTEM, WRITES,
    first_task, installs, is_local, stays, task, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

const MISE: &[Spec] = &[
    Spec::new("run r", PROJECT)
        .style(Style::Stops)
        .options("-frnSqpa -C=dir -j= -s=exec -t=!installs-named -o= --force --raw --dry-run --silent --quiet --jobs= --shell=exec --tool=!installs-named --output= --timings --no-timings --cd=dir --continue-on-error --no-cache --no-deps --skip-deps --fresh-env")
        .operands(Operands::Text)
        .check(targets),
    Spec::new("exec x", PROJECT)
        .options("-C=dir -c=exec -j= -q --command=exec --cd=dir --jobs= --raw --no-prepare --fresh-env")
        .operands(Operands::Text)
        .check(mise_exec),
    Spec::new("tasks t task", PROJECT).options("-xJ --extended --json --hidden --global --local --no-header --sort= --sort-order= --all --name-only").operands(Operands::Text).verbs(&[
        verb("ls list info deps validate", PROJECT, "-xJ --extended --json --hidden --dot --compact --global --local --no-header --all --sort="),
        Spec::new("run r", PROJECT).style(Style::Stops).options("-frnSqp --*").operands(Operands::Text).check(first_task),
        verb("add edit", WRITES, "-p --path --*"),
    ]),
    verb("ls list current where which doctor env e bin-paths outdated latest ls-remote search tool config cfg settings deactivate activate hook-env hook-not-found alias backends registry plugins completion fmt prune-list version-check watch w en shell sh shell-alias direnv generate g sync link mcp lsp edit tokens token lock prepare oci", PROJECT,
         "-JcgilqpsDh=? --json --current --global --installed --local --missing --prefix= --no-header --prunable --outdated --dotenv --shell=exec --plugin --version --names --urls --core --user --all --bump --*")
        .check(|invocation, out| {
            let words = || invocation.operands.iter().filter_map(Argument::known);
            if words().any(|word| matches!(word, "set" | "unset" | "add" | "generate" | "rm" | "remove" | "update" | "install" | "uninstall")) || invocation.has(&["--write"]) {
                out.add(WRITES);
            }
        }),
    verb("help", READS, ""),
    verb("version v", PROJECT, "-J --json"),
    verb("set unset unuse rm remove trust untrust fmt local global implode", WRITES, "-gcfaip=? --*"),
    Spec::new("install i", NONE).options("-fvnj=? --force --verbose --jobs= --raw --dry-run --yes").operands(Operands::Text).check(installs),
    verb("use u", NAMED.and(WRITES), "-fgenpyt=? --*"),
    verb("upgrade up reshim bootstrap", DECLARED, "-ibnjxl=? --*"),
    verb("install-into plugin self-update", NAMED, "--*"),
    verb("uninstall prune cache", DELETES, "-an --*"),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("make gmake bmake mingw32-make nmake remake", PROJECT)
        .options(
            "-bBdeikmnpqrRsStwL -v!help -h!help -E=exec -C=dir -fI=!steers -oW= -jlO=? --always-make --directory=dir --debug=? --environment-overrides --eval=exec --file=!steers --makefile=!steers --include-dir=!steers \
             --ignore-errors --jobs=? --keep-going --load-average=? --max-load=? --check-symlink-times --just-print --dry-run --recon --old-file= --assume-old= --output-sync=? --print-data-base \
             --question --no-builtin-rules --no-builtin-variables --silent --quiet --no-silent --stop --no-keep-going --touch --trace --print-directory --no-print-directory \
             --what-if= --new-file= --assume-new= --warn-undefined-variables --shuffle=?",
        )
        .operands(Operands::Text)
        .check(targets)
        .examples(&[
            ("make --version", "reads"),
            ("make -n test", "project-code"),
            ("make test V=1", "project-code"),
            ("make -j8 all", "project-code"),
            ("make -C /tmp/other test", "project-code executes"),
            ("make -C sub test", "project-code"),
            ("make -f /tmp/Makefile", "project-code executes"),
            ("make --eval='$(shell touch x)'", "project-code executes"),
            ("make SHELL=/tmp/x", "project-code executes"),
            ("make X='$(shell id)'", "project-code executes"),
            ("make deploy", "project-code publishes"),
        ]),
    Spec::new("ninja samu", PROJECT)
        .options("-nvdwk=? -C=dir -fjlt= --quiet --verbose")
        .operands(Operands::Text)
        .check(targets)
        .examples(&[("ninja --version", "reads"), ("ninja -C build test", "project-code"), ("ninja -C /tmp/x", "project-code executes")]),
    Spec::new("cmake ccmake cpack", NONE)
        .style(Style::Stops)
        .options("-SBGTACDUW=? -P= -N -E -L -h!help --preset= --build --install --open --workflow --find-package --fresh --log-level= --trace --*")
        .operands(Operands::Text)
        .check(|invocation, out| {
            // What it tells goes to a file where one is named.
            let asks = match invocation.words.first().and_then(Argument::known) {
                Some("--help" | "-h" | "--version" | "--list-presets") => invocation.words.len() == 1,
                Some("--help-command" | "--help-module") => invocation.words.len() == 2,
                Some(_) | None => false,
            };
            match (asks, invocation.has(&["P", "E"])) {
                _ if out.help || asks => out.add(READS),
                (_, true) => out.executes(),
                (_, false) => out.add(PROJECT.and(WRITES)),
            }
            // `-j$(nproc)`
            let counts = |word: &Argument<'_>| word.counted && matches!(word.text, "*" | "-j*");
            if !out.help && invocation.operands.iter().any(|word| !is_local(*word) && !counts(word)) && !asks {
                out.executes();
            }
        })
        .examples(&[
            ("cmake --version", "reads"),
            ("cmake --version F", "project-code writes"),
            ("cmake -S . -B build", "project-code writes"),
            ("cmake --build build -j8", "project-code writes"),
            ("cmake -P x.cmake", "executes"),
            ("cmake -E rm x", "executes"),
            ("cmake /tmp/evil", "project-code writes executes"),
        ]),
    Spec::new("ctest", PROJECT)
        .options("-NVQF -jREIULCTMSDAO=? --output-on-failure --test-dir=dir --build-and-test --rerun-failed --preset= --timeout= --verbose --*")
        .operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["--test-dir"]))
        .examples(&[("ctest --version", "reads"), ("ctest --output-on-failure", "project-code"), ("ctest --test-dir /tmp/x", "project-code executes")]),
    Spec::new("meson", PROJECT)
        .options("-C=dir -D= -v!help --*")
        .verbs(&[
            verb("setup configure compile test dist install introspect rewrite devenv format fmt subprojects", PROJECT.and(WRITES), "-C=dir -Djv=? --*"),
            verb("init", WRITES, "--*"),
            verb("wrap", NAMED, "--*"),
            verb("help", READS, ""),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["C"]))
        .examples(&[("meson --version", "reads"), ("meson setup build", "project-code writes"), ("meson wrap install zlib", "installs-named")]),
    Spec::new("bazel bazelisk blaze buck buck2 pants please plz", PROJECT)
        .style(Style::Stops)
        .options("-hv --version --help --bazelrc=exec --output_base= --*")
        .verbs(&[
            Spec::new("run", PROJECT).style(Style::Stops).options("-cj=? --remote_executor= --bes_backend= --remote_cache= --*").operands(Operands::Text).check(|invocation, out| {
                first_task(invocation, out);
                builds_elsewhere(invocation, out);
            }),
            verb("version help", PROJECT, "--*"),
            verb("clean shutdown kill", DELETES, "--*"),
            verb("*", PROJECT, "-cjk=? --run_under=exec --remote_executor= --bes_backend= --remote_cache= --*").check(builds_elsewhere),
        ])
        .examples(&[("bazel --version", "project-code"), ("bazel build //...", "project-code"), ("bazel run //x:deploy -- --help", "project-code publishes"), ("bazel clean", "deletes"), ("bazel build --bes_backend=grpcs://x.example //...", "project-code network-write"), ("bazel test --remote_cache=grpc://localhost:9092 //...", "project-code"), ("bazel run --remote_executor grpcs://x.example //x", "project-code network-write")]),
    Spec::new("just", PROJECT)
        .style(Style::Stops)
        .options("-lnqvu -h!help -V!help -c=exec -f= -d=dir -s= --list --list-submodules --summary --show= --dump --dump-format= --evaluate --variables --dry-run --choose --chooser=exec --shell=exec --shell-arg=exec --shell-command --clear-shell-args \
                  --justfile= --working-directory=dir --dotenv-path=read --dotenv-filename= --set= --unstable --quiet --verbose --yes --fmt!writes --check --init!writes --edit!executes --command=exec --color= --highlight --no-deps --groups --unsorted --changelog!help --completions= --man")
        .operands(Operands::Text)
        .check(targets)
        .examples(&[("just --version", "reads"), ("just --list", "project-code"), ("just --evaluate", "project-code"), ("just test --help", "project-code"), ("just -c 'sh'", "project-code executes"), ("just -f /tmp/justfile x", "project-code executes")]),
    Spec::new("skaffold", PROJECT)
        .style(Style::Stops)
        .options("-h!help --*")
        .verbs(&[
            verb("run deploy apply delete", PROJECT.and(Effects::NETWORK_WRITE), "--*"),
            verb("version help schema completion", READS, "--*"),
            verb("*", PROJECT, "--*"),
        ])
        .examples(&[("skaffold run", "project-code network-write"), ("skaffold build", "project-code"), ("skaffold version", "reads")]),
    Spec::new("task go-task tusk mask invoke inv fab doit duty poe rake lage wireit npm-run-all run-s run-p earthly dagger tilt", PROJECT)
        .style(Style::Stops)
        .options("-lagnspvTPWDGN -h!help -d=dir -tfCjoxr=? -e=exec -E=exec --list --list-all --summary --status --dry --dry-run --watch --silent --verbose --parallel --force --yes --json --taskfile= --dir=dir --concurrency= --output= --tasks --all --rakefile= --trace --init!writes --execute=exec --execute-continue=exec --require=exec --*")
        .operands(Operands::Text)
        .check(targets)
        .examples(&[("task --version", "reads"), ("task --list", "project-code"), ("rake test", "project-code"), ("rake -e 'x'", "project-code executes"), ("task -d /tmp/x y", "project-code executes")]),
    // These load the project's file before they print help.
    Spec::new("thor jake grunt gulp waf scons premake5 xmake bjam", PROJECT)
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(targets)
        .examples(&[("scons --help", "project-code"), ("gulp deploy", "project-code publishes")]),
    Spec::new("b2", PROJECT)
        .style(Style::Raw)
        .operands(Operands::Text)
        .check(boost_or_store)
        .examples(&[
            ("b2 toolset=gcc install", "project-code"),
            ("b2 rm --recursive --versions x", "network-write sends-data"),
            ("b2 ls b2://x", "network-read"),
        ]),
    Spec::new("mise rtx", PROJECT)
        .style(Style::Stops)
        .options("-qvy -h!help -V!help -C=dir -E= --cd=dir --env= --quiet --silent --verbose --yes --jobs= --raw --no-config --no-env --no-hooks --locked")
        .verbs(MISE)
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["C", "--cd"]);
            if invocation.chain.len() == 1 {
                first_task(invocation, out);
            }
        })
        .examples(&[
            ("mise --version", "reads"),
            ("mise run test", "project-code"),
            ("mise run test:integration -- -run X -v --help", "project-code"),
            ("mise run test ./cmd/...", "project-code"),
            ("mise run deploy:prod", "project-code publishes"),
            ("mise -C /tmp/x run test", "project-code executes"),
            ("mise exec -- go test", "project-code"),
            ("mise x node@20 -- node -v", "project-code installs-named"),
            ("mise ls", "project-code"),
            ("mise tasks ls", "project-code"),
            ("mise settings set x y", "project-code writes"),
            ("mise install", "installs-declared"),
            ("mise install node@20", "installs-named"),
            ("mise use -g node@20", "installs-named writes"),
            ("mise trust", "writes"),
            ("mise build", "project-code"),
        ]),
    Spec::new("direnv", READS)
        .style(Style::Stops)
        .verbs(&[
            verb("status version help stdlib hook", READS, "--json"),
            verb("fetchurl", FETCHES.and(WRITES), ""),
            verb("allow permit grant deny block revoke prune edit reload", Effects::PERMISSIONS.and(PROJECT), ""),
            Spec::new("exec", EXECUTES).style(Style::Stops).operands(Operands::Command(1)),
            verb("export dump log watch*", EXECUTES, ""),
        ])
        .examples(&[("direnv status", "reads"), ("direnv exec . ls", "executes"), ("direnv allow", "permissions project-code")]),
    Spec::new("ant", PROJECT).style(Style::Raw).check(|invocation, out| super::languages_checks::asks_or(invocation, out, NONE))
        .examples(&[("ant test", "project-code")]),
    Spec::new("gradle gradlew", PROJECT)
        .options("-aimqswhv? -xcMF=? -PD=?property -b= -p=dir -g= -I=exec --version --help --init-script=exec --include-build=!steers --build-file= --project-dir=dir --settings-file= --tests= --exclude-task= --task= --console= --warning-mode= --max-workers= --dependency-verification= --*")
        .operands(Operands::Text)
        .check(tasks_of_gradle)
        .examples(&[("gradle --version", "project-code"), ("gradlew test --tests X", "project-code"), ("gradle -I /tmp/x.gradle build", "project-code executes"), ("gradle publish", "project-code publishes"), ("gradle publishReleaseBundle", "project-code publishes"), ("gradle publishToMavenLocal", "project-code"), ("gradle jib", "project-code publishes"), ("gradle jibDockerBuild", "project-code"), ("gradle dockerPush", "project-code publishes"), ("gradle --dependency-verification off build", "project-code installs-named"), ("gradle --dependency-verification=strict build", "project-code")]),
    Spec::new("mvn mvnw mvnd", PROJECT)
        .style(Style::Named)
        .options(
            "-BcCeNoqrUvVXh -D=?property -bPT= -fs=!steers -l=write -t=exec --am --amd --cpu --emp=!secrets --ep=!secrets --fae --ff --fn --gs=!steers --gt=exec --llr --npr --npu --nsu --ntp --pl= --rf= --up \
             --version --help --file=!steers --settings=!steers --global-settings=!steers --toolchains=exec --global-toolchains=exec --log-file=write --batch-mode --quiet --offline --errors --debug --builder= --projects= --also-make \
             --also-make-dependents --resume --resume-from= --threads= --activate-profiles= --define=property --fail-at-end --fail-fast --fail-never --update-snapshots --no-snapshot-updates --no-transfer-progress \
             --non-recursive --strict-checksums --lax-checksums --show-version --color= --*",
        )
        .operands(Operands::Text)
        .check(goals)
        .examples(&[("mvn -q -o -pl service -am test", "project-code"), ("mvn -ntp -T 1C -fae verify", "project-code"), ("mvn -gs /tmp/s.xml test", "project-code executes"), ("mvn -zap test", "project-code unknown"), ("mvn --version", "project-code"), ("mvn -q test -Dtest=X", "project-code"), ("mvn deploy", "project-code publishes"), ("mvn jib:build", "project-code publishes"), ("mvn jib:dockerBuild", "project-code"), ("mvn -f /tmp/pom.xml test", "project-code executes"), ("mvn exec:exec -Dexec.executable=rm", "project-code executes"), ("mvn exec:java", "project-code"), ("mvn dependency:get -Dartifact=x:y:1", "project-code installs-named"), ("mvn dependency:tree", "project-code"), ("mvn scm:checkin -Dmessage=x", "project-code pushes"), ("mvn org.evil:evil-plugin:1.0:run", "project-code installs-named"), ("mvn org.apache.maven.plugins:maven-dependency-plugin:tree", "project-code")]),
    Spec::new("sbt sbtn", PROJECT)
        .style(Style::Named)
        .options(
            "-DJ=? -vdVh -C --batch --client --no-colors --no-share --mem= --jvm-debug= --timings --traces --warn --error --info --debug --version --help --color=? --supershell=? --no-server --server \
             --java-home=exec --sbt-jar=exec --sbt-launch-dir=exec --sbt-dir=exec --sbt-boot=exec --ivy=exec --sbt-cache=exec --sbt-create!writes --script-version --numeric-version",
        )
        .verbs(LANGUAGE_BUILDS)
        .operands(Operands::Text)
        .check(commands_of_sbt)
        .examples(&[
            ("sbt test", "project-code"),
            ("sbt -Dk=v test", "project-code"),
            ("sbt -batch 'testOnly *X'", "project-code"),
            ("sbt -Dsbt.boot.properties=x test", "project-code executes"),
            ("sbt -J-javaagent:x.jar test", "project-code executes"),
            ("sbt -sbt-jar x.jar test", "project-code executes"),
            ("sbt 'eval 1'", "project-code executes"),
            ("sbt 'compile; set x := 1'", "project-code executes"),
            ("sbt -frob test", "project-code unknown"),
            ("sbt publish", "publishes"),
        ]),
    Spec::new("lein mill boot scala-cli bloop mix rebar3", PROJECT)
        .style(Style::Stops)
        .options("-qvhV --version --help --*")
        .verbs(LANGUAGE_BUILDS)
        .operands(Operands::Text)
        .check(first_task)
        .examples(&[
            ("mix --version", "project-code"),
            ("mix test test/a_test.exs:3", "project-code"),
            ("mix deps.get", "installs-declared"),
            ("mix hex.publish", "publishes"),
            ("mix cmd ls", "project-code"),
            ("mix run -e 'IO.puts(1)'", "project-code executes"),
            ("mix run priv/repo/seeds.exs", "project-code"),
        ]),
    Spec::new("stack cabal gleam dune esy spago elm spin", PROJECT)
        .style(Style::Stops)
        .options("-qv -hV!help --*")
        .verbs(LANGUAGE_BUILDS)
        .operands(Operands::Text)
        .check(first_task)
        .examples(&[("stack --version", "reads"), ("cabal build", "project-code"), ("cabal install", "installs-declared"), ("cabal install evil", "installs-named"), ("stack exec -- ls", "executes")]),
    Spec::new("dotnet", READS)
        .style(Style::Stops)
        .options("-d -h!help --info --list-sdks --list-runtimes --diagnostics --roll-forward= --fx-version= --additional-deps=exec --additionalprobingpath=exec --depsfile=exec --runtimeconfig=exec")
        .verbs(DOTNET)
        .operands(Operands::Code)
        .examples(&[
            ("dotnet --info", "reads"),
            ("dotnet --version", "reads"),
            ("dotnet build -c Release", "project-code"),
            ("dotnet test --filter X", "project-code"),
            ("dotnet restore", "installs-declared"),
            ("dotnet add package X", "installs-named writes"),
            ("dotnet nuget push x.nupkg", "publishes"),
            ("dotnet ef database update", "project-code network-write"),
            ("dotnet x.dll", "reads executes"),
            ("dotnet build /p:PreBuildEvent=x", "project-code executes"),
            ("dotnet build /p:Version=1", "project-code"),
            ("dotnet build -warnaserror -nologo", "project-code"),
            ("dotnet build -property:PreBuildEvent=x", "project-code executes"),
            ("dotnet build -logger:evil.dll -frob", "project-code"),
        ]),
    Spec::new("msbuild xbuild nant fake cake devenv", PROJECT).style(Style::Raw).examples(&[("msbuild x.sln", "project-code")]),
    Spec::new("nuget", READS)
        .verbs(&[
            verb("push delete setapikey", PUBLISHES, "--*"),
            verb("restore", DECLARED, "--*"),
            verb("install update", NAMED, "--*"),
            verb("list search", FETCHES, ""),
            verb("pack spec sources config add init locals", WRITES, "--*"),
            verb("help verify", READS, ""),
        ])
        .examples(&[("nuget help", "reads"), ("nuget push x", "publishes"), ("nuget restore", "installs-declared")]),
    Spec::new("pre-commit prek", READS)
        .options("-h!help -V!help -c= --config= --color=")
        .verbs(&[
            verb("run try-repo hook-impl", PROJECT, "-avso=? -c= --all-files --files --hook-stage= --from-ref= --to-ref= --source= --origin= --show-diff-on-failure --verbose --config= --*"),
            verb("install init-templatedir migrate-config uninstall", WRITES, "-ft=? -c= --*"),
            verb("install-hooks", DECLARED, "-c="),
            verb("autoupdate auto-update", FETCHES.and(WRITES), "-j= -c= --bleeding-edge --freeze --repo="),
            verb("clean gc", DELETES, ""),
            verb("help sample-config", READS, ""),
            Spec::new("validate-config validate-manifest", READS).operands(Operands::Read),
        ])
        .operands(Operands::None)
        .check(|invocation, out| stays(invocation, out, &["c", "--config"]))
        .examples(&[("pre-commit --version", "reads"), ("pre-commit help", "reads"), ("pre-commit validate-manifest x", "reads"), ("pre-commit run --files foo.py", "project-code"), ("pre-commit install", "writes"), ("pre-commit autoupdate", "network-read writes"), ("pre-commit run -c /tmp/x", "project-code executes")]),
    Spec::new("husky lefthook lint-staged overcommit simple-git-hooks", PROJECT)
        .style(Style::Stops)
        .options("-h!help -fv --*")
        .verbs(&[verb("install uninstall init add set dump", WRITES, "-f --*"), verb("run", PROJECT, "-f --*")])
        .operands(Operands::Text)
        .examples(&[("husky install", "writes"), ("lefthook run pre-commit", "project-code"), ("lint-staged", "project-code")]),
    Spec::new("lerna nx turbo rush moon lage-run ultra wsrun", PROJECT)
        .options("-h!help -tpcFd=? --filter= --scope= --parallel=? --cwd=dir --target= --targets= --projects= --base= --head= --*")
        .verbs(&[
            verb("publish release", PUBLISHES, "--*"),
            verb("version", WRITES.and(Effects::REPOSITORY).and(Effects::PUSHES), "--*"),
            verb("bootstrap install link", DECLARED, "--*"),
            verb("add", NAMED, "--*"),
            Spec::new("exec", EXECUTES).operands(Operands::Text).options("--scope= --*"),
            verb("clean reset prune unlink", DELETES, "-y --*"),
            verb("init create generate g migrate import format format:write", WRITES.and(PROJECT), "--*"),
            verb("login connect telemetry logout", SECRETS.and(WRITES), "--*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["--cwd"]);
            if invocation.chain.len() == 1 && !out.help {
                invocation.operands.iter().for_each(|operand| task(*operand, out));
            }
        })
        .examples(&[("nx --version", "reads"), ("turbo run build --filter=x", "project-code"), ("lerna publish", "publishes"), ("nx run app:deploy", "project-code publishes"), ("nx reset", "deletes")]),
    Spec::new("changeset", PROJECT.and(WRITES))
        .verbs(&[
            verb("status", PROJECT, "--since= --verbose --output=write"),
            verb("init add version pre", PROJECT.and(WRITES), "--empty --open --snapshot --*"),
            verb("publish", PUBLISHES, "--otp= --tag= --*"),
            verb("tag", Effects::REPOSITORY, ""),
        ])
        .examples(&[("changeset --help", "reads"), ("changeset status", "project-code"), ("changeset publish", "publishes")]),
    Spec::new("semantic-release release-it standard-version np goreleaser release-please auto git-cliff-release", PUBLISHES)
        .options("-h!help -d --dry-run --snapshot --clean --ci --*")
        .operands(Operands::Text)
        .examples(&[("semantic-release", "publishes"), ("goreleaser --version", "reads"), ("goreleaser release --clean", "publishes")]),
    Spec::new("twine", READS)
        .verbs(&[
            verb("upload register", PUBLISHES, "-rups=? --*"),
            Spec::new("check", READS).options("--strict").operands(Operands::Read),
        ])
        .examples(&[("twine check dist/x.whl", "reads"), ("twine upload dist/x.whl", "publishes")]),
    Spec::new("asdf", READS)
        .verbs(&[
            verb("current where which list list-all latest info version help shimversions", READS, "--no-header"),
            Spec::new("plugin plugin-list plugin-add plugin-remove", NAMED.and(EXECUTES)).options("--urls --refs --all").operands(Operands::Text),
            Spec::new("install", NONE).options("--keep-download").operands(Operands::Text).check(installs),
            verb("uninstall", DELETES, ""),
            verb("global local set shell reshim update", WRITES, "-uph --home --parent"),
            Spec::new("exec", NONE).style(Style::Stops).operands(Operands::Command(0)),
            verb("env", PROJECT, ""),
        ])
        .examples(&[("asdf current", "reads"), ("asdf install", "installs-declared"), ("asdf install nodejs 20", "installs-named"), ("asdf exec ls", "")]),
    Spec::new("prisma drizzle-kit knex sequelize sequelize-cli typeorm flyway liquibase", PROJECT)
        .options("-h!help -v!help --schema= --config= --*")
        .verbs(&[
            verb("generate validate format version debug check export introspect history current heads show branches", PROJECT, "--*"),
            verb("help", READS, ""),
            verb("migrate:make seed:make migration:create migration:generate seed:generate", PROJECT.and(WRITES), "-nx=? --name= --knexfile= --cwd= --extension= --stub= --env= --migrations-directory=")
                .check(|invocation, out| stays(invocation, out, &["--knexfile", "--cwd", "--stub", "--migrations-directory"])),
            verb("*", PROJECT.and(Effects::NETWORK_WRITE), "-nmf=? --*"),
        ])
        .examples(&[("prisma --version", "reads"), ("prisma generate", "project-code"), ("prisma migrate reset --force", "project-code network-write"), ("knex migrate:make add_x", "project-code writes"), ("knex migrate:latest", "project-code network-write"), ("knex migrate:make --cwd /tmp x", "project-code writes executes")]),
    Spec::new("docker-slim nixpacks pack buildpacks ko jib", PROJECT.and(WRITES)).style(Style::Raw).check(|_, out| out.add(SYSTEM))
        .examples(&[("ko build", "project-code writes system")]),
];

const DOTNET: &[Spec] = &[
    Spec::new("run watch", PROJECT).style(Style::Stops).options("-cfrpv=? --project= --configuration= --framework= --no-build --no-restore --launch-profile= --verbosity= --file= --*").operands(Operands::Text)
        .check(|invocation, out| stays(invocation, out, &["--project", "--file"])),
    verb("build test vstest msbuild publish pack build-server list user-secrets sln solution fsi workload-list", PROJECT, "-cforavptnlsdmi=? --configuration= --filter= --logger= --output=write --warnaserror=? --warnasmessage=? --nologo --restore=? --graph=? --maxcpucount=? --property=? --target=? --verbosity=? --nodereuse=? --nr=? --detailedsummary --ds --clp=? --consoleloggerparameters=? --tl=? --terminallogger=? --interactive=? --bl=?!writes --binarylogger=?!writes --*")
        .style(Style::Named)
        .check(|invocation, out| {
            let sets_a_step = |word: &Argument<'_>| {
                let text = word.prefix().to_ascii_lowercase();
                ["/p:", "-p:", "--property:", "-property:", "/property:", "--p:"].iter().any(|start| text.starts_with(start)) && text.contains("event=")
            };
            let runs = |word: &Argument<'_>| matches!(word.known(), Some("fsi" | "user-secrets"));
            if invocation.words.iter().any(|word| runs(word) || sets_a_step(word)) {
                out.executes();
            }
        }),
    verb("format", PROJECT.and(WRITES), "-v=? --verify-no-changes --severity= --*"),
    verb("clean", DELETES, "-cfrov=? --*"),
    verb("restore", DECLARED, "-srv=? --*"),
    verb("add", NAMED.and(WRITES), "-vsfn=? --*"),
    verb("remove reference new", WRITES, "-no=? --*"),
    verb("package", NAMED.and(WRITES), "--*"),
    Spec::new("tool", NONE).options("-g --global --tool-path= --local").verbs(&[
        verb("list search", FETCHES, "-g --global --local --tool-path= --take= --skip= --prerelease --detail --format="),
        verb("install update", NAMED, "-g --version= --*"),
        verb("restore", DECLARED, "--*"),
        verb("uninstall", DELETES, "--*"),
        verb("run execute exec", PROJECT, "--*"),
    ]),
    Spec::new("nuget", NONE).verbs(&[
        verb("push delete", PUBLISHES, "-ks=? --*"),
        verb("list", READS, "--format= --configfile="),
        verb("why", PROJECT, "--*"),
        verb("locals", DELETES, "-cl --clear --list --*"),
        verb("add update remove enable disable sign trust verify config", WRITES, "--*"),
    ]),
    verb("workload sdk", NAMED.and(SYSTEM), "--*"),
    verb("dev-certs", SECRETS.and(SYSTEM), "--*"),
    Spec::new("ef", PROJECT).verbs(&[
        verb("migrations dbcontext", PROJECT.and(WRITES), "-pscov=? --*"),
        verb("database", PROJECT.and(Effects::NETWORK_WRITE), "-pscfv=? --*"),
    ]),
    verb("help", READS, ""),
    Spec::new("exec", EXECUTES).style(Style::Stops).operands(Operands::Code),
];

/// Sub-commands that the build tools of several languages share.
const LANGUAGE_BUILDS: &[Spec] = &[
    verb(
        "publish hex.publish upload sdist-upload deploy release publishSigned publishLocal",
        PUBLISHES,
        "-d --*",
    ),
    verb("install", NONE, "--*").check(installs),
    verb("deps.get deps.compile deps.update get-deps update", DECLARED, "--*"),
    verb("archive.install escript.install add", NAMED, "--*"),
    verb("clean deps.clean purge distclean", DELETES, "--*"),
    verb("format", WRITES, "--check-formatted --dry-run --*"),
    verb("new init", WRITES, "--*"),
    Spec::new("cmd", PROJECT).style(Style::Stops).options("--*").operands(Operands::Command(0)),
    Spec::new("run", PROJECT)
        .style(Style::Stops)
        .options("-e=exec --eval=exec --*")
        .operands(Operands::Text)
        .check(first_task),
    verb("repl ghci console script eval exec runghc runhaskell", EXECUTES, "-e=exec --*")
        .operands(Operands::Code),
    verb("help", PROJECT, ""),
];
