//! Cargo, the Rust compiler, rustup and what cargo's sub-commands do.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, DELETES, EXECUTES, FETCHES, NAMED, NONE, OBEYS, PROJECT, PUBLISHES, READS, SECRETS, SYSTEM,
    WRITES, stays, verb,
};
use super::table::{Operands, Spec, Style};

/// Options that choose packages, features, profiles and output of a build.
macro_rules! build {
    ($shorts:literal, $longs:literal) => {
        concat!("-rqv -jpF= ", $shorts, "--package= --workspace --all --exclude= --lib --bins --bin= --examples --example= --tests --test= --benches --bench= --all-targets \
             --features= --all-features --no-default-features --release --profile= --jobs= --keep-going --target= --target-dir=write --artifact-dir=write --out-dir=write \
             --message-format= --build-plan --unit-graph --future-incompat-report --manifest-path= --lockfile-path= --ignore-rust-version --locked --offline --frozen \
             --timings=?!writes ", $longs)
    };
}

fn elsewhere(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    // A toolchain can be a directory, whose cargo is then run.
    if invocation
        .words
        .iter()
        .any(|word| word.prefix().starts_with('+') && (!word.literal || word.text.contains('/')))
    {
        out.executes();
    }
    stays(invocation, out, &["C", "--manifest-path", "--path"]);
}

/// `--check` may stand before or after `--`.
fn fmt(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let checks = invocation.words.iter().any(|word| word.known() == Some("--check"));
    if !out.help {
        out.add(if checks { READS.and(OBEYS) } else { PROJECT.and(WRITES) });
    }
}

fn install(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    match (invocation.has(&["--list"]), invocation.value(&["--path"])) {
        // Even a list is made with the project's own configuration in force.
        (true, _) => out.add(PROJECT),
        (false, Some(path)) if super::local::is_local(path) => out.add(PROJECT.and(WRITES)),
        (false, Some(_) | None) => out.add(NAMED),
    }
}

const CARGO: &[Spec] = &[
    Spec::new("build b check c clippy doc d rustc rustdoc bench miri llvm-cov tarpaulin hack udeps careful expand bloat size nm objdump readobj llvm-lines zigbuild xbuild flamegraph criterion mutants kani semver-checks public-api rdme asm geiger auditable pgo show-asm apk ndk lipo cinstall cbuild ctest wasi component contract tauri leptos dylint msrv", PROJECT)
        .options(build!("", "--fix!writes --allow-dirty --allow-staged --allow-no-vcs --no-deps --document-private-items --open --no-run --no-fail-fast --print= --crate-type= --*"))
        .operands(Operands::Text)
        .check(elsewhere),
    Spec::new("test t nextest insta", PROJECT)
        .options(build!("-E= -P= ", "--doc --no-run --no-fail-fast --filterset= --test-threads= --nocapture --no-capture --status-level= --run-ignored= --fail-fast --retries= --partition= --review=?!writes --accept!writes --*"))
        .operands(Operands::Text)
        .check(elsewhere),
    Spec::new("run r make just auditable-run watch shuttle lambda bacon", PROJECT)
        .style(Style::Stops)
        .options(build!("-x= -w= -i= -s=exec ", "--shell=exec --exec= --watch= --ignore= --clear --*"))
        .operands(Operands::Text)
        .check(|invocation, out| {
            elsewhere(invocation, out);
            super::local::first_task(invocation, out);
        }),
    // An alias by custom: all its words, a help option too, go to a program of the project.
    Spec::new("xtask xt dev", PROJECT).style(Style::Raw).operands(Operands::Text),
    Spec::new("fmt", NONE).options("-p= -q -v --all --check --package= --manifest-path= --message-format= --quiet --verbose").operands(Operands::Text).check(fmt),
    Spec::new("fix upgrade sort machete shear set-version", PROJECT.and(WRITES)).options(build!("-a -n -i -w ", "--edition --edition-idioms --allow-dirty --allow-staged --allow-no-vcs --broken-code --with-metadata --fix --check --*")).operands(Operands::Text).check(elsewhere),
    Spec::new("tree metadata pkgid read-manifest verify-project config outdated deny audit vet depgraph modules about license features whatfeatures crev report info-project minimal-versions spellcheck deps-list workspaces release-plan", PROJECT)
        .options(build!("-e= -i= -d -R -f= -D= ", "--depth= --duplicates --invert= --edges= --prefix= --no-dedupe --format= --charset= --prune= --no-deps --format-version= --filter-platform= --root --id= --json --*"))
        .operands(Operands::Text)
        .check(elsewhere),
    // Settings of the project can name a registry and the program that knows its credentials.
    Spec::new("locate-project", READS.and(OBEYS)).options("-qv --workspace --message-format= --manifest-path=read"),
    verb("search", FETCHES.and(OBEYS), "-q --limit= --index=url --registry= --quiet --verbose --color="),
    verb("info", FETCHES.and(OBEYS), "-qv --index=url --registry= --quiet --verbose --color= --frozen --locked --offline"),
    verb("help version", READS, "-v"),
    Spec::new("add", NONE)
        .options("-nqv -Fp= --dev --build --target= --features= --no-default-features --default-features --optional --no-optional --public --no-public --rename= --path= --base= --git=!installs-named --branch= --tag= --rev= --registry=!installs-named --package= --manifest-path= --lockfile-path= --dry-run --ignore-rust-version --locked --offline --frozen")
        .operands(Operands::Text)
        .check(|_, out| out.add(NAMED.and(WRITES))),
    verb("remove rm", WRITES, "-pnq=? --dev --build --target= --package= --manifest-path= --dry-run --locked --offline"),
    verb("update generate-lockfile", PROJECT.and(WRITES), "-pwrn=? --recursive --precise= --workspace --aggressive --breaking --dry-run --package= --manifest-path= --locked --offline --quiet --verbose").check(elsewhere),
    verb("fetch", DECLARED, "-q --target= --manifest-path= --locked --offline --frozen --quiet --verbose").check(elsewhere),
    verb("vendor", DECLARED.and(WRITES), "-s= --sync= --no-delete --respect-source-config --versioned-dirs --manifest-path= --locked --offline").check(elsewhere),
    verb("new init generate", WRITES, "-qf --bin --lib --edition= --name= --vcs= --registry= --git=!executes --*"),
    Spec::new("install binstall", NONE)
        .options(build!("-fy ", "--version= --vers= --git=!installs-named --branch= --tag= --rev= --path= --root= --list --force --no-track --debug --index= --registry= --dry-run --no-confirm --*"))
        .operands(Operands::Text)
        .check(install),
    Spec::new("install-update quickinstall", NAMED).options("-aflig= --all --list --force --git").operands(Operands::Text),
    verb("uninstall", DELETES, "-pq=? --package= --bin= --root= --quiet"),
    verb("clean sweep cache", DELETES, "-prq=? --package= --release --profile= --doc --target= --target-dir=delete --manifest-path= --dry-run --workspace --*"),
    verb("package", PROJECT.and(WRITES), "-lpF=? --list --no-verify --no-metadata --allow-dirty --manifest-path= --package= --exclude= --workspace --*").check(elsewhere),
    verb("publish", PUBLISHES, "-npFj=? --*"),
    verb("release smart-release dist workspaces-publish", PUBLISHES, "-xpv=? --*"),
    verb("yank", PUBLISHES, "--vers= --version= --undo --index= --registry= --*"),
    verb("owner", FETCHES.and(OBEYS), "-ar=!network-write!permissions -l --add=!network-write!permissions --remove=!network-write!permissions --list --index=url --registry= --token="),
    verb("login", SECRETS.and(WRITES), "--registry= --*"),
    verb("logout", WRITES, "--registry="),
    verb("sqlx diesel", PROJECT, "--*"),
    verb("fuzz", PROJECT, "-j= --*"),
];

/// The sub-commands stand directly after `cargo`, or after the toolchain.
const TOOLCHAIN: Spec = Spec::new("+*", READS).options("--version!help").verbs(CARGO);

/// A cargo command with either.
const CARGO_AND_TOOLCHAIN: &[Spec] = &with_toolchain();

const fn with_toolchain() -> [Spec; CARGO.len() + 1] {
    let mut verbs = [TOOLCHAIN; CARGO.len() + 1];
    let mut rest = CARGO;
    let mut at = 0;
    while let Some((first, others)) = rest.split_first() {
        if let Some(place) = verbs.split_at_mut(at).1.first_mut() {
            *place = *first;
        }
        rest = others;
        at += 1;
    }
    verbs
}

fn rustc<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let asks = |text: &str| {
        ["-V", "-vV", "-Vv", "-v", "--version", "--verbose", "--help", "-h"].contains(&text)
            || text.starts_with('+') && !text.contains('/')
    };
    let explains = |text: &str| {
        // `--print cfg=FILE` writes that file.
        ["--print", "--explain"].iter().any(|option| {
            text.strip_prefix(option).is_some_and(|rest| plain(rest.strip_prefix('=').unwrap_or(rest)))
        })
    };
    let words = || invocation.words.iter();
    if !invocation.words.is_empty() && words().all(|word| word.known().is_some_and(asks)) {
        return out.add(READS);
    }
    // The values of `--print cfg` and `--explain E0001`.
    let valued = words().any(|word| matches!(word.known(), Some("--print" | "--explain")));
    let mut others = words().filter(|word| !word.known().is_some_and(|text| asks(text) || explains(text)));
    let value = others.next();
    let is_value = value.is_none_or(|word| valued && word.known().is_some_and(plain));
    if is_value && others.next().is_none() && !invocation.words.is_empty() {
        // A toolchain file of the project decides which compiler answers. For its version that is accepted.
        return out.add(READS.and(PROJECT));
    }
    out.add(WRITES.and(PROJECT));
    super::compilers::outputs(invocation, out, &["-o", "--out-dir"]);
    let runs = |start: &str| {
        ["@", "-Zcodegen-backend", "-Clinker", "-Zunstable"].iter().any(|given| start.starts_with(given))
    };
    if invocation
        .words
        .iter()
        .any(|word| runs(word.prefix()) || word.known().is_some_and(|text| text.starts_with("linker=")))
    {
        out.executes();
    }
}

pub(super) const TABLE: &[Spec] = &[
    Spec::new("cargo", READS)
        .options("-qv -V!help -h!help -Z=!project-code -C=dir!project-code --quiet --verbose --color= --list!project-code --explain=!project-code --config=exec --locked --offline --frozen")
        .verbs(CARGO_AND_TOOLCHAIN)
        .check(elsewhere)
        .examples(&[
            ("cargo --version", "reads"),
            ("cargo +nightly --version", "reads"),
            ("cargo --list", "reads project-code"),
            ("cargo help build", "reads"),
            ("cargo build --help", "reads"),
            ("cargo build --release -j 4", "project-code"),
            ("cargo +nightly build", "project-code"),
            ("cargo check -p a", "project-code"),
            ("cargo test -- --nocapture --help", "project-code"),
            ("cargo run -- --help", "project-code"),
            ("cargo run x --help", "project-code"),
            ("cargo clippy --all-targets -- -D warnings", "project-code"),
            ("cargo clippy --fix", "project-code writes"),
            ("cargo build --config build.rustc-wrapper=x", "project-code executes"),
            ("cargo test --manifest-path /tmp/evil/Cargo.toml", "project-code executes"),
            ("cargo --list -Z unstable-options -C /tmp/evil run", "project-code executes"),
            ("cargo fmt", "project-code writes"),
            ("cargo fmt --all -- --check", "reads obeys-project"),
            ("cargo tree --depth 2", "project-code"),
            ("cargo metadata --format-version 1", "project-code"),
            ("cargo search serde --limit 5", "network-read obeys-project"),
            ("cargo info serde", "network-read obeys-project"),
            ("cargo add serde", "installs-named writes"),
            ("cargo rm serde", "writes"),
            ("cargo update -p serde", "project-code writes"),
            ("cargo fetch", "installs-declared"),
            ("cargo install ripgrep", "installs-named"),
            ("cargo install --path .", "project-code writes"),
            ("cargo install --list", "project-code"),
            ("cargo uninstall ripgrep", "deletes"),
            ("cargo clean", "deletes"),
            ("cargo publish --dry-run", "publishes"),
            ("cargo yank --undo crate@1", "publishes"),
            ("cargo login", "secrets writes"),
            ("cargo new x", "writes"),
            ("cargo owner --list x", "network-read obeys-project"),
            ("cargo owner --add me x", "network-read network-write permissions obeys-project"),
            ("cargo xtask --help", "project-code"),
            ("cargo +/tmp/evil --version", "executes"),
            ("cargo nextest run -E 'test(x)'", "project-code"),
            ("cargo frobnicate", "unknown reads"),
        ]),
    Spec::new("rustc clippy-driver rustdoc", NONE).style(Style::Raw).check(rustc).examples(&[
        ("rustc --version", "reads"),
        ("rustc -vV", "reads"),
        ("rustc --print sysroot", "reads project-code"),
        ("rustc --print=cfg", "reads project-code"),
        ("rustc --print=cfg=/tmp/x", "writes project-code"),
        ("rustc --print cfg=x", "writes project-code"),
        ("rustc --explain E0382", "reads project-code"),
        ("rustc a.rs", "writes project-code"),
        ("rustc -Clinker=./x a.rs", "writes project-code executes"),
        ("rustc --print cfg a.rs", "writes project-code"),
    ]),
    // Like cargo and rustc it is found by way of a toolchain file of the project.
    Spec::new("rustfmt", READS.and(PROJECT))
        .options("-lqv -h!help -V!help --check --emit= --backup --config= --config-path=read --edition= --style-edition= --color= --files-with-diff --quiet --verbose --print-config= --unstable-features --skip-children --file-lines= --error-on-unformatted")
        .operands(Operands::Read)
        .check(|invocation, out| {
            let shows = invocation.has(&["--check"]) || invocation.value(&["--emit"]).and_then(|value| value.known()) == Some("stdout");
            if invocation.has(&["--print-config", "--backup"]) || !shows && !invocation.operands.is_empty() && !out.help {
                out.add(WRITES);
            }
        })
        .examples(&[("rustfmt --version", "reads"), ("rustfmt --check a.rs", "reads project-code"), ("rustfmt a.rs", "reads writes project-code"), ("rustfmt --emit stdout a.rs", "reads project-code")]),
    Spec::new("rustup", READS)
        .options("-qv -V!help -h!help --quiet --verbose")
        .verbs(&[
            Spec::new("show", READS).options("-v --verbose").verbs(&[verb("active-toolchain home profile", READS, "-v --verbose")]),
            verb("which doc help completions", READS, "--toolchain= --path --book --std --*"),
            verb("check", FETCHES, "--no-self-update"),
            Spec::new("toolchain", NONE).verbs(&[
                verb("list", READS, "-vq --verbose --quiet"),
                verb("install add update", NAMED.and(SYSTEM), "-ct=? --profile= --component= --target= --no-self-update --force --*"),
                verb("uninstall remove", DELETES.and(SYSTEM), ""),
                verb("link", SYSTEM, ""),
            ]),
            Spec::new("target component", NONE).verbs(&[
                verb("list", READS, "-q --toolchain= --installed --quiet"),
                verb("add install", NAMED.and(SYSTEM), "--toolchain= --target="),
                verb("remove uninstall", DELETES.and(SYSTEM), "--toolchain= --target="),
            ]),
            Spec::new("override", NONE).verbs(&[verb("list", READS, ""), verb("set unset add remove", WRITES, "--path= --nonexistent")]),
            verb("install update upgrade", NAMED.and(SYSTEM), "-ct=? --no-self-update --force --profile= --component= --target= --*"),
            verb("default set", SYSTEM, ""),
            Spec::new("run", NONE).style(Style::Stops).options("--install!installs-named").operands(Operands::Command(1)),
            verb("self", NAMED.and(SYSTEM), "-y"),
            verb("uninstall", DELETES.and(SYSTEM), ""),
        ])
        .examples(&[
            ("rustup show", "reads"),
            ("rustup toolchain list", "reads"),
            ("rustup target list --installed", "reads"),
            ("rustup which rustc", "reads"),
            ("rustup update", "installs-named system"),
            ("rustup target add wasm32-wasip1", "installs-named system"),
            ("rustup run nightly cargo build", ""),
            ("rustup default nightly", "system"),
        ]),
    Spec::new("cargo-nextest cargo-clippy cargo-fmt cargo-audit cargo-deny bacon trunk wasm-pack maturin cross evcxr dx trunk-dev wasm-bindgen", PROJECT)
        .style(Style::Stops)
        .options("-h!help -V!help -jp=? --*")
        .operands(Operands::Text)
        .check(|invocation, out| {
            super::local::first_task(invocation, out);
            if invocation.program == "evcxr" {
                out.add(EXECUTES);
            }
        })
        .examples(&[("wasm-pack build", "project-code"), ("maturin publish", "project-code publishes"), ("cross --version", "reads")]),
];
