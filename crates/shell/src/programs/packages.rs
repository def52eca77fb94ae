//! Package managers of the system and of languages without a module of their own.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, PROJECT, PUBLISHES, READS, REMOTE, SECRETS, SYSTEM,
    WRITES, first_task, stays, verb,
};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

const INSTALLS: Effects = NAMED.and(SYSTEM);
const REMOVES: Effects = DELETES.and(SYSTEM);

/// A simulation is harmless unless an option sets configuration, which can name programs to run.
fn simulates(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let asked = invocation.has(&["s", "--simulate", "--just-print", "--dry-run", "--recon", "--no-act"]);
    if asked && !out.effects.meets(EXECUTES) {
        out.dry = true;
    }
}

const APT: &[Spec] = &[
    verb("list search show showsrc showpkg policy depends rdepends madison pkgnames stats dump dumpavail unmet dotty xvcg changelog help check version why why-not versions", READS.and(FETCHES),
        "-aftniq --installed --upgradable --upgradeable --manual-installed --all-versions --names-only --full --recurse --important --no-pre-depends --no-depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances --generate"),
    verb("install reinstall build-dep satisfy upgrade full-upgrade dist-upgrade safe-upgrade dselect-upgrade", INSTALLS,
        "-ydfmbPsVuqt=? --no-install-recommends --install-recommends --install-suggests --only-upgrade --reinstall --allow-downgrades --allow-unauthenticated --allow-change-held-packages --fix-broken --fix-missing --download-only --no-upgrade --yes --assume-yes --assume-no --force-yes --no-download --print-uris --show-upgraded --ignore-hold --default-release= --trivial-only --with-new-pkgs --*")
        .check(simulates),
    verb("remove purge autoremove autopurge", REMOVES, "-ys --purge --yes --auto-remove --assume-yes --*").check(simulates),
    verb("clean autoclean auto-clean distclean dist-clean", REMOVES, "-s").check(simulates),
    verb("update modernize-sources edit-sources markauto unmarkauto hold unhold gencaches forget-new keep-all", SYSTEM.and(FETCHES), "-yqs --*"),
    verb("download source indextargets", WRITES.and(FETCHES), "-bdt=? --download-only --compile!project-code --build!project-code --only-source --*"),
];

fn rpm(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if out.help {
        return;
    }
    let asks = invocation.has(&[
        "q",
        "V",
        "K",
        "--query",
        "--verify",
        "--checksig",
        "--querytags",
        "--showrc",
        "--eval",
    ]);
    let removes = invocation.has(&["e", "--erase"]);
    out.add(match (asks, removes) {
        (true, false) => READS,
        (_, true) => REMOVES,
        (false, false) => INSTALLS,
    });
}

fn pacman(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if out.help {
        return;
    }
    let changes =
        invocation.has(&["y", "u", "w", "c", "--refresh", "--sysupgrade", "--downloadonly", "--clean"]);
    let shows =
        invocation.has(&["s", "i", "l", "g", "p", "--search", "--info", "--list", "--groups", "--print"]);
    let asks = invocation.has(&["Q", "T", "--query", "--deptest"])
        || invocation.has(&["F", "--files"]) && !invocation.has(&["y", "--refresh"]);
    let removes = invocation.has(&["R", "--remove"]);
    let sync = invocation.has(&["S", "--sync"]);
    out.add(match (asks && !sync && !removes, removes, sync && shows && !changes) {
        (true, _, _) => READS,
        (false, true, _) => REMOVES,
        (false, false, true) => READS.and(FETCHES),
        (false, false, false) => INSTALLS,
    });
}

/// `bundle exec CMD`; the gems of the project are loaded.
fn bundle_exec<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    super::local::runs_operands(invocation, out);
}

const DNF: &[Spec] = &[
    verb(
        "list search info provides whatprovides repolist repoinfo repoquery repository-packages updateinfo check check-update check-upgrade deplist history-list alias-list help leaves advisory changelog",
        READS.and(FETCHES),
        "-qvyC46a --all --installed --available --updates --upgrades --extras --obsoletes --recent --enabled --disabled --requires --provides --whatrequires= --whatprovides= --whatdepends= --deplist --resolve --recursive --tree --queryformat= --qf= --location --latest-limit= --arch= --userinstalled --duplicates --unneeded --file= --showduplicates --summary --security --bugfix",
    ),
    verb(
        "install reinstall upgrade update upgrade-minimal downgrade distro-sync dist-upgrade swap groupinstall localinstall builddep build-dep group module environment system-upgrade offline copr do dup patch",
        INSTALLS,
        "-yqvbn=? --*",
    ),
    verb("remove erase autoremove clean groupremove purge rm", REMOVES, "-yq --*"),
    verb(
        "makecache config-manager history versionlock mark needs-restarting shell alias repo",
        SYSTEM,
        "-yq --*",
    ),
    verb("download reposync debuginfo-install", WRITES.and(FETCHES), "--*"),
];

/// What can be asked of the store without building anything.
const NIX_QUERIES: &[&str] = &[
    "--references",
    "--requisites",
    "-R",
    "--referrers",
    "--referrers-closure",
    "--deriver",
    "-d",
    "--valid-derivers",
    "--graph",
    "--tree",
    "--binding",
    "-b",
    "--hash",
    "--size",
    "--roots",
    "--outputs",
    "--resolve",
    "--use-output",
    "-u",
    "--include-outputs",
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("gem", READS)
        .options("-hv!help --verbose --quiet --silent --norc --config-file=exec --backtrace --debug")
        .verbs(&[
            verb("list query search environment env contents dependency which info specification sources-list outdated stale help lock check unpack-list rdoc-list open-list", READS.and(FETCHES),
                "-alrbdeniqv=? --local --remote --both --all --versions --details --exact --installed --prerelease --no-versions --pipe --reverse-dependencies --clear-sources --version= --platform= --lib-only --prefix --all-versions --ruby --yaml --marshal"),
            verb("install i update", INSTALLS, "-vgNPfEibn=? --*"),
            verb("uninstall cleanup", DELETES, "-axInDfv=? --*"),
            verb("push yank owner signin signout", PUBLISHES, "-khoagr=? --*"),
            verb("build fetch unpack generate_index mirror", WRITES, "-oCvr=? --*"),
            verb("sources", READS, "-lu -ar=!system -c!system --list --add=!system --remove=!system --clear-all!system --update"),
            verb("pristine rebuild rdoc cert setup", WRITES, "--*"),
            verb("exec open edit server", EXECUTES.and(NAMED), "--*"),
        ])
        .examples(&[("gem list", "reads network-read"), ("gem install rails", "installs-named system"), ("gem push x.gem", "publishes"), ("gem sources --add http://x", "reads system"), ("gem uninstall x", "deletes")]),
    Spec::new("bundle bundler", NONE)
        .style(Style::Stops)
        .options("-v!help -h!help -r= --no-color --retry= --verbose --gemfile=")
        .verbs(&[
            Spec::new("exec e", PROJECT).style(Style::Stops).options("--keep-file-descriptors --gemfile=").operands(Operands::Text).check(bundle_exec),
            verb("install i lock cache package update check show list info outdated viz platform env doctor open clean-list licenses gem-list pristine", DECLARED, "-jPwd=? --local --path= --deployment --without= --with= --frozen --gemfile= --all --group= --source= --strict --conservative --name-only --paths --*")
                .style(Style::Exact)
                .check(|invocation, out| {
                    let asks = ["show", "list", "info", "outdated", "viz", "platform", "env", "doctor", "check", "licenses"];
                    if invocation.words.iter().any(|word| word.known().is_some_and(|text| asks.contains(&text))) {
                        // The Gemfile is Ruby and is run to answer.
                        out.effects = out.effects.without(DECLARED).and(PROJECT);
                    }
                }),
            verb("add", NAMED, "-vgsr=? --*"),
            verb("remove clean", WRITES.and(DELETES), "--*"),
            verb("init gem binstubs inject", WRITES, "--*"),
            verb("config", READS, "--local --global --parseable").verbs(&[verb("list", READS, ""), verb("get", READS, ""), verb("set unset", WRITES, "--local --global")]).operands(Operands::Text)
                .check(|invocation, out| if invocation.operands.len() > 1 { out.add(WRITES) }),
            verb("console", EXECUTES, ""),
            verb("plugin", INSTALLS, "--*"),
            verb("help version", READS, ""),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["--gemfile"]);
            match (invocation.chain.len(), invocation.operands.is_empty(), out.help) {
                (1, true, false) => out.add(DECLARED),
                (1, false, false) => out.add(PROJECT),
                (_, _, _) => {}
            }
        })
        .examples(&[("bundle --version", "reads"), ("bundle install", "installs-declared"), ("bundle", "installs-declared"), ("bundle exec rspec --help", "project-code"), ("bundle list", "project-code"), ("bundle add rails", "installs-named"), ("bundle config set x y", "writes"), ("bundle outdated", "project-code")]),
    Spec::new("composer", PROJECT)
        .options("-qnvVh -d=dir --help --quiet --no-interaction --no-plugins --no-scripts --no-cache --working-dir=dir --ansi --no-ansi --profile --version --verbose")
        .verbs(&[
            verb("install i dump-autoload dumpautoload", DECLARED, "-oaW --*"),
            verb("update u upgrade reinstall bump", DECLARED, "-wWim --*"),
            verb("require r", NAMED, "-wWo --*"),
            verb("remove rm uninstall", WRITES.and(DELETES), "-wW --*"),
            verb("show info outdated why why-not depends prohibits licenses validate status diagnose audit check-platform-reqs fund suggests browse home search about help list", PROJECT, "-aDilmoNPstfrT=? --*"),
            Spec::new("run run-script exec", PROJECT).style(Style::Stops).options("-l --dev --no-dev --timeout= --list --*").operands(Operands::Text).check(first_task),
            verb("create-project global self-update selfupdate", NAMED.and(EXECUTES), "--*"),
            verb("clear-cache clearcache cc", DELETES, ""),
            verb("init archive config", WRITES, "--*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            stays(invocation, out, &["d", "--working-dir"]);
            if invocation.chain.len() == 1 {
                first_task(invocation, out);
            }
        })
        .examples(&[("composer install", "installs-declared"), ("composer require x/y", "installs-named"), ("composer show", "project-code"), ("composer test", "project-code"), ("composer -d /tmp/x install", "installs-declared executes")]),
    Spec::new("apt apt-get apt-cache aptitude", READS)
        .options("-qyfmbds -vh!help -o=exec -c=exec -t= -a= --quiet --yes --assume-yes --option=exec --config-file=exec --simulate --just-print --dry-run --recon --no-act --target-release= --host-architecture= --no-color")
        .verbs(APT)
        .examples(&[
            ("apt list --installed", "reads network-read"),
            ("apt-cache policy curl", "reads network-read"),
            ("apt show curl", "reads network-read"),
            ("apt-get install -y curl", "installs-named system"),
            ("apt-get update", "system network-read"),
            ("apt-get -s install curl", "reads"),
            ("apt-get -s install -o X::Pre-Invoke=x curl", "installs-named system executes"),
            ("apt remove curl", "deletes system"),
            ("apt-get download curl", "writes network-read"),
            ("apt-get -o X=y update", "system network-read executes"),
        ]),
    Spec::new("dpkg", READS)
        .options(
            "-lsLSpIcCfWB -irPA -xXe!writes --list --status --listfiles --search --print-avail --get-selections --print-architecture --print-foreign-architectures --audit --compare-versions --verify --info --contents --field --show --predep-package --yet-to-unpack --force-help --no-pager --assert-support-predepends \
             --assert-multi-arch --install!installs-named!system --unpack!installs-named!system --configure!system --remove!deletes!system --purge!deletes!system --set-selections!system --clear-selections!system --update-avail!system --merge-avail!system --clear-avail!system --add-architecture!system \
             --remove-architecture!system --triggers-only!system --extract!writes --control!writes --vextract!writes --build!writes --fsys-tarfile --root= --admindir= --instdir= --log=write --pre-invoke=exec --post-invoke=exec --status-logger=exec --dry-run --simulate --no-act",
        )
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.has(&["i", "A"]) {
                out.add(INSTALLS);
            }
            if invocation.has(&["r", "P"]) {
                out.add(REMOVES);
            }
            if invocation.has(&["B"]) {
                out.add(WRITES);
            }
            // `dpkg -x PACKAGE FOLDER`
            if invocation.has(&["x", "X", "e", "--extract", "--vextract", "--control"]) {
                invocation.operands.iter().skip(1).for_each(|folder| out.writes(*folder));
            }
        })
        .examples(&[("dpkg -l curl", "reads"), ("dpkg -S /bin/ls", "reads"), ("dpkg --print-architecture", "reads"), ("dpkg -i x.deb", "reads installs-named system"), ("dpkg --purge x", "reads deletes system"), ("dpkg --pre-invoke=x -i y", "reads installs-named system executes")]),
    Spec::new("dpkg-query apt-file apt-mark apt-config dpkg-deb apt-key add-apt-repository dpkg-reconfigure tasksel", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            let first = invocation.words.first().and_then(Argument::known).unwrap_or_default();
            let letters = ["-W", "-l", "-s", "-L", "-S", "-p", "-c", "-I", "-f", "--show", "--list", "--status", "--listfiles", "--search", "--contents", "--info", "--field", "--control-path", "--version", "--help", "-h"];
            let asks = match invocation.program {
                "dpkg-query" | "dpkg-deb" => letters.contains(&first) || first.starts_with("-f=") || first.starts_with("--showformat="),
                "apt-mark" => matches!(first, "showauto" | "showmanual" | "showhold" | "showinstall" | "showremove" | "showpurge" | "minimize-manual-list"),
                "apt-file" => matches!(first, "search" | "find" | "list" | "show"),
                "apt-config" => first == "dump" && invocation.words.iter().skip(1).all(|word| word.known().is_some_and(|text| text == "--empty" || text.starts_with("--format="))),
                _ => first == "--help",
            };
            out.add(if asks { READS } else { SYSTEM });
        })
        .examples(&[("dpkg-query -W curl", "reads"), ("apt-mark showmanual", "reads"), ("apt-mark hold x", "system"), ("apt-config dump", "reads"), ("apt-config -c ./x dump", "system"), ("add-apt-repository ppa:x/y", "system"), ("dpkg-deb -x a.deb d", "system")]),
    Spec::new("dnf dnf5 yum microdnf tdnf zypper", READS)
        .options("-qvyC46nxR -c=exec -hV!help --quiet --verbose --assumeyes --assumeno --enablerepo= --disablerepo= --repo= --repoid= --releasever= --installroot= --config=exec --setopt=exec --nogpgcheck --refresh --cacheonly --color= --exclude= --best --nobest --allowerasing --non-interactive --no-refresh --no-gpg-checks --debuglevel=")
        .verbs(DNF)
        .examples(&[("dnf list --installed", "reads network-read"), ("dnf install -y curl", "installs-named system"), ("yum remove x", "deletes system"), ("dnf --setopt=x=y list", "reads network-read executes")]),
    Spec::new("rpm rpm2cpio rpmbuild rpmkeys", NONE)
        .options("-qaipflcdsRvVKeUFtghLW -ED=exec --query --verify --checksig --erase --install --upgrade --freshen --import!system --all --file --package --list --info --configfiles --docfiles --requires --provides --whatrequires= --whatprovides= --changelog --scripts --queryformat= --qf= --last --state --dump --nodeps --force --nosignature --nodigest --querytags --showrc \
                  --eval=exec --define=exec --undefine= --pipe=exec --rcfile=exec --macros=exec --load=exec --root= --dbpath= --quiet --verbose --hash --test --nogpg --conflicts --obsoletes --recommends --suggests --triggers --filetriggers --group= --rebuilddb!system --initdb!system --setperms!permissions --setugids!permissions --restore!writes")
        .operands(Operands::Text)
        .check(rpm)
        .examples(&[("rpm -qa", "reads"), ("rpm -qf /bin/ls", "reads"), ("rpm -q --scripts x", "reads"), ("rpm -ivh x.rpm", "installs-named system"), ("rpm -e x", "deletes system"), ("rpm --eval '%(id)'", "reads executes")]),
    Spec::new("pacman yay paru pamac", NONE)
        .options("-QSRUTFDsilgpkmnoetduycwqvxabrf -hV!help --query --sync --remove --upgrade --files --deptest --database --search --info --list --groups --print --refresh --sysupgrade --clean --downloadonly --noconfirm --needed --deps --explicit --foreign --native --unrequired --upgrades --owns --check --quiet --recursive --cascade --nosave --asdeps --asexplicit --overwrite= \
                  --ignore= --color= --print-format= --config=exec --root= --dbpath= --cachedir= --gpgdir= --hookdir=exec --arch= --noscriptlet --noprogressbar --verbose --debug --disable-download-timeout")
        .operands(Operands::Text)
        .check(pacman)
        .examples(&[("pacman -Q", "reads"), ("pacman -Qi bash", "reads"), ("pacman -Ss bash", "reads network-read"), ("pacman -Syu", "installs-named system"), ("pacman -S bash", "installs-named system"), ("pacman -Rns bash", "deletes system"), ("pacman -Ssy x", "installs-named system")]),
    Spec::new("apk", READS)
        .options("-qvUfi -pX= -V!help -h!help --quiet --verbose --update-cache --root= --repository= --allow-untrusted --no-cache --no-progress --arch= --keys-dir= --repositories-file= --force --interactive --print-arch")
        .verbs(&[
            verb("info list search policy dot stats version manifest verify", READS.and(FETCHES), "-adewLPrRsStvIuoqmlx=? --all --description --installed --contents --depends --provides --rdepends --size --webpage --who-owns --available --upgradable --exact --origin"),
            verb("add upgrade fix", INSTALLS, "-ltusa=? --virtual= --no-cache --update-cache --upgrade --latest --available --*"),
            verb("del cache", REMOVES, "-r --purge --rdepends"),
            verb("update", SYSTEM.and(FETCHES), ""),
            verb("fetch index", WRITES.and(FETCHES), "-Rlo=? --*"),
            verb("audit", READS, "--*"),
        ])
        .examples(&[("apk info", "reads network-read"), ("apk add curl", "installs-named system"), ("apk del curl", "deletes system")]),
    Spec::new("snap flatpak", READS)
        .options("-vh!help --version --verbose --user --system --installation= --app --runtime")
        .verbs(&[
            verb("list find info search remotes remote-ls remote-info history ps services changes tasks interfaces connections known version whoami model warnings logs help document-list documents document-info permissions permission-show config", READS.and(FETCHES), "-adnumirclo=? --all --verbose --columns= --show-details --updates --cached --show-ref --show-metadata --show-permissions --abs-time"),
            verb("install refresh update upgrade download try mask", INSTALLS, "-yu --*"),
            verb("remove uninstall", REMOVES, "-y --*"),
            Spec::new("run shell enter", EXECUTES).style(Style::Stops).operands(Operands::Text).options("--*"),
            verb("kill", Effects::KILLS, ""),
            verb("get", READS, "-dl"),
            verb("start stop restart set unset enable disable connect disconnect revert alias unalias prefer switch wait watch abort ack remote-add remote-delete remote-modify override make-current repair permission-set permission-remove permission-reset document-export document-unexport login logout create-cohort save restore forget pin unpin", SYSTEM, "--*"),
            verb("build build-init build-finish build-export build-bundle build-sign build-update-repo export-file pack", PROJECT.and(WRITES), "--*"),
        ])
        .examples(&[("snap list", "reads network-read"), ("snap install x --classic", "installs-named system"), ("flatpak run x", "executes"), ("snap remove x", "deletes system")]),
    Spec::new("nix", PROJECT)
        .style(Style::Stops)
        .options("-vLf=? -h!help --extra-experimental-features= --experimental-features= --option=exec --offline --refresh --impure --verbose --quiet --*")
        .verbs(&[
            verb("build develop eval flake fmt repl search path-info derivation log why-depends print-dev-env bundle config show-config registry doctor hash key nar realisation store daemon edit help help-stores", PROJECT, "-fcAiEoprsj=? --command=exec --expr=exec --*"),
            Spec::new("run shell", EXECUTES.and(NAMED)).style(Style::Stops).operands(Operands::Text).options("-c=exec --command=exec --*"),
            verb("profile env upgrade-nix", INSTALLS, "--*"),
            verb("copy", Effects::SENDS_DATA.and(REMOTE), "--*"),
        ])
        .examples(&[("nix --version", "reads"), ("nix build", "project-code"), ("nix run nixpkgs#x", "executes installs-named"), ("nix profile install x", "installs-named system")]),
    Spec::new("nix-env nix-shell nix-build nix-store nix-collect-garbage nix-channel nix-instantiate nixos-rebuild home-manager darwin-rebuild nix-copy-closure nix-prefetch-url guix cachix devbox devenv-nix", NONE)
        .style(Style::Raw)
        .check(|invocation, out| {
            let first = invocation.words.first().and_then(Argument::known).unwrap_or_default();
            let asks = matches!((invocation.program, first), (_, "--version" | "--help") | ("nix-env", "-q" | "--query" | "--list-generations") | ("nix-channel", "--list") | ("guix", "describe" | "search" | "show"));
            let queries = invocation.program == "nix-store" && matches!(first, "-q" | "--query") && invocation.words.iter().skip(1).all(|word| {
                !word.prefix().starts_with('-') && !word.may_dash || word.known().is_some_and(|text| NIX_QUERIES.contains(&text))
            });
            out.add(match invocation.program {
                _ if queries => READS,
                _ if asks && invocation.words.len() <= 2 => READS,
                "nix-shell" | "devbox" | "devenv-nix" => EXECUTES.and(PROJECT),
                "nix-build" | "nix-instantiate" => PROJECT,
                "nix-collect-garbage" => REMOVES,
                "nix-copy-closure" | "cachix" => Effects::SENDS_DATA.and(REMOTE),
                _ => INSTALLS,
            });
        })
        .examples(&[("nix-env -q", "reads"), ("nix-store -q --references /nix/store/x", "reads"), ("nix-store --query --force-realise x", "installs-named system"), ("nix-store --delete x", "installs-named system"), ("nix-env -i x", "installs-named system"), ("nix-shell -p x --run y", "executes project-code"), ("nix-collect-garbage -d", "deletes system")]),
    Spec::new("choco chocolatey winget scoop", READS)
        .options("-yrvfdl -h!help --yes --verbose --limit-output --source= --accept-source-agreements --accept-package-agreements --disable-interactivity")
        .verbs(&[
            verb("list search find info show outdated status help which home prefix cat checkup features-list", READS.and(FETCHES), "-leaqnst=? --id= --name= --exact --versions --count= --local-only --all --query= --tag= --moniker="),
            verb("install upgrade update add reinstall configure import download", INSTALLS, "-ygeisnv=? --*"),
            verb("uninstall remove rm cleanup cache reset", REMOVES, "-ynx --*"),
            verb("push", PUBLISHES, "--*"),
            verb("apikey setapikey", SECRETS.and(WRITES), "--*"),
            verb("new pack template export hash", WRITES, "--*"),
            verb("source sources feature features config pin unpin settings bucket alias hold unhold shim validate depends virustotal", SYSTEM, "--*"),
        ])
        .examples(&[("winget list", "reads network-read"), ("choco install x -y", "installs-named system"), ("scoop uninstall x", "deletes system")]),
    Spec::new("port", READS)
        .options("-vdqncfkopstuyN -h!help")
        .verbs(&[
            verb("list search info installed contents deps rdeps dependents outdated provides echo variants version livecheck notes platform file dir work url usage help cat homepage", READS, ""),
            verb("install upgrade selfupdate sync reclaim select activate deactivate setrequested unsetrequested load unload reload", INSTALLS, "--*"),
            verb("uninstall clean", REMOVES, "--*"),
            verb("edit build test configure patch extract fetch checksum destroot lint mirror", EXECUTES.and(WRITES), "--*"),
        ])
        .examples(&[("port installed", "reads"), ("port install x", "installs-named system")]),
    Spec::new("cpan cpanm luarocks opam pear pecl raco ghcup sdk tlmgr vcpkg conan arduino-cli pod carthage mint fisher omf antigen zinit xcodes mas rosdep esp-idf hex pkgx pkg_add pkg_info dnf-automatic emerge xbps-install xbps-query eopkg urpmi slackpkg swupd", NONE)
        .style(Style::Stops)
        .options("-nqvfiSlLrEUtasM=? -h!help -e=exec --*")
        .verbs(&[
            verb("list ls search info show help which version current", READS.and(FETCHES), "-alis --installed --all --json --available --short --porcelain"),
            verb("outdated doc lint dependencies status path env", PROJECT, "--*"),
            verb("install i upgrade update add reinstall pin init setup use default switch selfupdate get setup-list bootstrap sync download", INSTALLS, "-yfn=? --*"),
            verb("uninstall remove rm purge delete clean flush", REMOVES, "-yf --*"),
            verb("exec", EXECUTES, "--*").style(Style::Stops),
            verb("publish upload push trunk", PUBLISHES, "--*"),
            verb("build make test compile pack new create write_rockspec init-project", PROJECT.and(WRITES), "--*"),
        ])
        .operands(Operands::Text)
        .check(|invocation, out| {
            if invocation.chain.len() > 1 || out.help {
                return;
            }
            out.add(match invocation.program {
                "pkg_info" | "xbps-query" => READS,
                _ => INSTALLS,
            });
        })
        .examples(&[("opam list", "reads network-read"), ("cpanm Moose", "installs-named system"), ("pod install", "installs-named system"), ("luarocks upload x", "publishes"), ("sdk current java", "reads network-read"), ("mas list", "reads network-read")]),
];
