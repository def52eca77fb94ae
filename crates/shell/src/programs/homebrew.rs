//! Homebrew.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, OBEYS, PROJECT, READS, REMOTE, SYSTEM, WRITES, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

const INSTALLS: Effects = NAMED.and(SYSTEM);
const REMOVES: Effects = DELETES.and(SYSTEM);

/// Most of these can be asked to change nothing, but Homebrew may first update itself.
const BREW: &[Spec] = &[
    verb("info abv", READS.and(FETCHES), "--analytics --days= --category= --github --fetch-manifest --json=? --installed --eval-all --all --variations --formula --formulae --cask --casks --sizes").check(loads),
    verb("list ls", READS, "-1lrt --full-name --versions --multiple --pinned --installed-on-request --installed-as-dependency --poured-from-bottle --built-from-source --formula --formulae --cask --casks"),
    verb("search -S", READS.and(FETCHES), "--formula --formulae --cask --casks --desc --eval-all --pull-request --open --closed --archlinux --debian --fedora --fink --macports --opensuse --repology --ubuntu --alpine"),
    verb("deps", READS, "-n1 --topological --direct --declared --union --full-name --include-implicit --include-build --include-optional --include-test --include-requirements --skip-recommended --installed --missing --eval-all --all --for-each --tree --prune --graph --dot --annotate --arch= --os= --HEAD --formula --formulae --cask --casks").check(loads),
    verb("uses", READS, "--recursive --installed --missing --eval-all --all --include-build --include-optional --include-test --include-implicit --skip-recommended --formula --formulae --cask --casks").check(loads),
    verb("outdated", READS, "-g --formula --formulae --cask --casks --json=? --fetch-HEAD --greedy --greedy-latest --greedy-auto-updates"),
    verb("leaves", READS, "-rp --installed-on-request --installed-as-dependency"),
    verb("desc", READS, "-snd --search --name --description --eval-all --formula --formulae --cask --casks").check(|invocation, out| if !invocation.has(&["s", "n", "d", "--search", "--name", "--description"]) { loads(invocation, out) }),
    verb("cat", READS, "--formula --formulae --cask --casks").check(loads),
    verb("log", READS, "-p1 -n= --patch --stat --oneline --max-count= --formula --formulae --cask --casks").check(loads),
    verb("missing", READS, "--hide="),
    verb("options", READS, "--compact --installed --eval-all --command=").check(loads),
    verb("home homepage docs", FETCHES, "--formula --formulae --cask --casks").check(loads),
    verb("config", READS, ""),
    verb("doctor dr", READS, "-D --list-checks --audit-debug"),
    verb("commands", READS, "--include-aliases"),
    verb("command which-formula formulae casks shellenv help which-update-list source", READS, ""),
    verb("tap-info", READS, "--installed --json=?"),
    verb("livecheck unbottled formula-analytics contributions", READS.and(FETCHES), "-n --tap= --eval-all --installed --newer-only --json --resources --formula --formulae --cask --casks --full-name --extract-plist --autobump").check(loads),
    verb("readall typecheck tests audit linkage irb sh ruby test rubocop prof debugger vendor-gems tc", PROJECT.and(EXECUTES), "-en=? --*"),
    verb("fetch", WRITES.and(FETCHES), "-fsv --os= --arch= --bottle-tag= --HEAD --retry --deps --build-from-source --build-bottle --force-bottle --formula --formulae --cask --casks --force"),
    verb("install reinstall upgrade instal postinstall post_install", INSTALLS, "-dfvqnsiHgK --*"),
    verb("update up update-reset update-if-needed vendor-install", SYSTEM.and(FETCHES), "-fvd --*"),
    verb("uninstall remove rm autoremove untap cleanup", REMOVES, "-fnsd --*"),
    verb("link ln unlink pin unpin migrate switch developer analytics completions gist-logs-off postgresql-upgrade-database tab trust untrust", SYSTEM, "-fn --*"),
    Spec::new("tap", READS).options("-f --full --shallow --force-auto-update!system --custom-remote!system --repair!system --list-pinned --eval-all --force --quiet").operands(Operands::Effect(INSTALLS)),
    verb("tap-new create edit extract bottle style bump-revision generate-cask-api generate-formula-api unpack generate-man-completions update-license-data update-maintainers update-sponsors update-test bump-unversioned-casks", WRITES.and(EXECUTES), "--*"),
    verb("bump bump-formula-pr bump-cask-pr pr-automerge pr-publish pr-pull pr-upload dispatch-build-bottle release", REMOTE.and(WRITES), "-n --*"),
    verb("gist-logs", Effects::SENDS_DATA.and(REMOTE), "-np --*"),
    Spec::new("services", SYSTEM).options("--json --all --file= --sudo-service-user=").verbs(&[
        // Looking also sets the service manager up where it is missing.
        verb("list ls info i", SYSTEM, "--json --all"),
        verb("start run restart launch load s r", SYSTEM, "--all --file= --sudo-service-user= --max-wait= --no-wait --keep"),
        verb("stop kill cleanup clean unload rm k t u", SYSTEM.and(Effects::KILLS), "--all --no-wait --max-wait= --keep"),
    ]),
    Spec::new("bundle", DECLARED.and(SYSTEM)).options("-gfv --file= --global --verbose --no-upgrade --upgrade --force --no-lock --cleanup!deletes --all --formula --cask --tap --mas --vscode").verbs(&[
        verb("install upgrade", DECLARED.and(SYSTEM), "--*"),
        // A Brewfile is Ruby.
        verb("check list", READS.and(OBEYS), "--all --formula --formulae --brews --cask --casks --tap --taps --mas --vscode --no-upgrade --whalebrew"),
        verb("dump", WRITES, "--describe --no-restart --*"),
        verb("cleanup", REMOVES, "--zap --*"),
        verb("add remove", WRITES, "--*"),
        verb("exec sh env edit", EXECUTES, "--*").style(Style::Stops),
    ]),
    verb("nodenv-sync rbenv-sync pyenv-sync setup-ruby install-bundler-gems", INSTALLS, "--*"),
    verb("mcp-server", EXECUTES, ""),
];

/// A formula is Ruby that is run when it is loaded: one given as a file or from elsewhere is code that is given.
fn loads(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let own = |name: &str| {
        ["homebrew/core/", "homebrew/cask/"]
            .iter()
            .find_map(|tap| name.strip_prefix(tap))
            .unwrap_or(name)
            .to_owned()
    };
    let named = |word: &Argument<'_>| {
        !word.possible().any(|name| own(name).contains(['/', '\\', '*']) || name.contains(".rb"))
    };
    if !invocation.operands.iter().all(named) {
        out.executes();
    }
}

/// `brew --prefix python` and its like take names; any other first word is a sub-command.
fn places(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let asks =
        invocation.has(&["--cache", "--prefix", "--cellar", "--caskroom", "--repository", "--repo", "--env"]);
    if let (1, Some(first), false) = (invocation.chain.len(), invocation.operands.first(), asks) {
        out.doubt(Why::UnknownCommand, format!("{} {}", invocation.program, first.text), first.span);
    }
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new("brew", READS)
        .options("-qvds -h!help --quiet --verbose --debug --cache --prefix --cellar --caskroom --repository --repo --config --env --installed --unbrewed --taps --build-from-source --bottle-tag= --os= --arch= --cask --casks --force-bottle --formula --formulae --HEAD --shell= --plain")
        .verbs(BREW)
        .operands(Operands::Text)
        .check(places)
        .examples(&[
            ("brew --prefix", "reads"),
            ("brew --cache -s python", "reads"),
            ("brew info --json=v2 python", "reads network-read"),
            ("brew list --versions", "reads"),
            ("brew deps --tree python", "reads"),
            ("brew search /python/", "reads network-read"),
            ("brew outdated --greedy", "reads"),
            ("brew install --help", "reads"),
            ("brew install --cask firefox", "installs-named system"),
            ("brew upgrade", "installs-named system"),
            ("brew uninstall --force python", "deletes system"),
            ("brew cleanup -n", "deletes system"),
            ("brew services list", "system"),
            ("brew services restart postgresql", "system"),
            ("brew services kill postgresql", "system kills"),
            ("brew tap", "reads"),
            ("brew tap homebrew/cask", "reads installs-named system"),
            ("brew tap --repair", "reads system"),
            ("brew bundle", "installs-declared system"),
            ("brew bundle list --all", "reads obeys-project"),
            ("brew bundle check --file=./Brewfile", "reads obeys-project"),
            ("brew info ./x.rb", "reads network-read executes"),
            ("brew cat user/tap/x", "reads executes"),
            ("brew deps homebrew/core/python", "reads"),
            ("brew bundle exec ls", "executes"),
            ("brew test python", "project-code executes"),
            ("brew gist-logs -p python", "sends-data network-write"),
            ("brew edit python", "writes executes"),
            ("brew update", "system network-read"),
            ("brew fetch python", "writes network-read"),
            ("brew frobnicate", "unknown reads"),
        ]),
];
