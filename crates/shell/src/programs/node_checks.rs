//! What the tables of the package managers cannot say: which scripts and tools they run.

use super::invocation::{Invocation, Outcome};
use super::local::{
    DECLARED, EXECUTES, NAMED, NONE, PROJECT, READS, SECRETS, SYSTEM, WRITES, first_task, installs,
    interpreter, runs_as, script, stays,
};
use super::node_tools::by_name;
use crate::argument::Argument;
use crate::effects::Effects;

/// Options that name the project's directory or its settings.
pub(super) const PLACES: &[&str] =
    &["--prefix", "--cwd", "C", "--dir", "--userconfig", "--globalconfig", "c", "--config"];

/// Tools that a project declares and `npx` finds in it; they are not fetched.
const LOCAL_TOOLS: &[&str] = &[
    "tsc",
    "tsgo",
    "tsx",
    "ts-node",
    "eslint",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "prettier",
    "playwright",
    "cypress",
    "biome",
    "@biomejs/biome",
    "turbo",
    "nx",
    "next",
    "nuxt",
    "nuxi",
    "vite",
    "astro",
    "svelte-kit",
    "svelte-check",
    "vue-tsc",
    "ng",
    "webpack",
    "rollup",
    "esbuild",
    "swc",
    "tsup",
    "tsdown",
    "tailwindcss",
    "postcss",
    "babel",
    "stylelint",
    "markdownlint",
    "markdownlint-cli2",
    "oxlint",
    "xo",
    "standard",
    "knip",
    "depcheck",
    "madge",
    "commitlint",
    "lint-staged",
    "husky",
    "lerna",
    "changeset",
    "storybook",
    "prisma",
    "drizzle-kit",
    "knex",
    "typedoc",
    "nyc",
    "c8",
    "karma",
    "rimraf",
    "shx",
    "concurrently",
    "npm-run-all",
    "run-s",
    "run-p",
    "cross-env",
    "nodemon",
    "graphql-codegen",
    "expo",
    "react-native",
    "remix",
    "gatsby",
    "parcel",
    "rspack",
    "rsbuild",
    "docusaurus",
    "vitepress",
    "cspell",
    "publint",
    "attw",
    "size-limit",
    "api-extractor",
    "bun",
    "semantic-release",
    "release-it",
    "dprint",
    "tslint",
    "react-scripts",
    "vue-cli-service",
    "ncc",
    "sass",
    "svgo",
    "tsd",
    "node",
];

/// `npx`, `bunx` and their like.
pub(super) fn package_runner<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    stays(invocation, out, &["--prefix", "--cwd", "C", "--dir"]);
    let Some(first) = invocation.operands.first().copied() else {
        if !out.help {
            out.executes();
        }
        return;
    };
    let named = invocation.has(&["p", "--package"]);
    let Some(name) = first.known() else { return out.add(NAMED.and(EXECUTES)) };
    let version = name.get(1..).and_then(|rest| rest.find('@')).map(|at| at + 1);
    let bare = name.get(..version.unwrap_or(name.len())).unwrap_or(name);
    out.add(if version.is_none() && !named && LOCAL_TOOLS.contains(&bare) {
        PROJECT
    } else {
        NAMED.and(EXECUTES)
    });
    let program = if bare == "@biomejs/biome" { "biome" } else { bare };
    if super::find(program).is_some() {
        runs_as(program, 1, invocation, out);
    }
}

/// Runs a script of package.json; without a name it lists them.
pub(super) fn runs_script<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    super::destinations::carried(invocation, out);
    stays(invocation, out, PLACES);
    match invocation.operands.first() {
        None => out.add(READS),
        Some(name) => {
            out.add(PROJECT);
            first_task(invocation, out);
            if invocation.program != "npm" {
                by_name(invocation, out);
            }
            if name.prefix().starts_with(['/', '~', '.']) {
                script(*name, out);
            }
        }
    }
}

pub(super) fn installs_here(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    stays(invocation, out, &["--userconfig", "--globalconfig"]);
    installs(invocation, out);
    if invocation.has(&["g", "--global"]) {
        out.add(NAMED.and(SYSTEM));
    }
}

/// A key that holds a credential, or could.
pub(super) fn config_get(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let secret = |word: &Argument<'_>| {
        word.known().is_none_or(|key| {
            ["auth", "token", "password", "username", "email", "cert", "key", "otp", "//"]
                .iter()
                .any(|part| key.to_ascii_lowercase().contains(part))
        })
    };
    if invocation.operands.iter().any(secret) {
        out.add(SECRETS);
    }
}

/// Whether this names a package of the registry. Anything else can be a repository, whose scripts are run once it is
/// fetched, even just to look at it.
fn is_registered(word: &Argument<'_>) -> bool {
    word.known().is_some_and(|text| {
        let name =
            text.strip_prefix('@').and_then(|scoped| scoped.split_once('/')).map_or(text, |(_, name)| name);
        !name.contains(['/', ':', '\\']) && !name.starts_with(['.', '~'])
    })
}

pub(super) fn describes(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    // The first names the package, the others its fields.
    if invocation.operands.first().is_some_and(|word| word.known() != Some(".") && !is_registered(word)) {
        out.add(NAMED.and(EXECUTES));
    }
}

/// Two packages of the registry are only fetched; the project itself is packed first, which runs its scripts.
pub(super) fn compares(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let sides =
        || invocation.options.iter().filter(|seen| seen.name == "--diff").filter_map(|seen| seen.value);
    let own = |word: Argument<'_>| word.known().is_some_and(super::local::is_own_directory);
    if sides().filter(is_registered).count() < 2 {
        out.add(PROJECT);
    }
    if !sides().all(|side| is_registered(&side) || own(side)) {
        out.add(NAMED.and(EXECUTES));
    }
}

/// Writes unless it only shows.
pub(super) fn version<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.operands.is_empty()
        || invocation.has(&["--new-version", "--patch", "--minor", "--major", "--prerelease", "--deferred"])
    {
        out.add(WRITES.and(Effects::REPOSITORY).and(PROJECT));
    } else {
        out.add(READS);
    }
}

/// `yarn workspace NAME COMMAND…` is yarn again.
pub(super) fn workspace<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>, skip: usize) {
    if invocation.operands.len() > skip {
        runs_as("yarn", skip, invocation, out);
    }
}

pub(super) fn bun<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    super::destinations::carried(invocation, out);
    stays(invocation, out, &["--cwd", "--preload", "r", "--config", "c"]);
    if invocation.chain.len() > 1 {
        return;
    }
    match invocation.operands.first() {
        // `bun --filter pkg build` runs a script of the package.
        Some(_) => first_task(invocation, out),
        None if invocation.words.is_empty() => return out.add(READS),
        None => {}
    }
    interpreter(invocation, out);
}

/// Another program of this name rules the work of a cluster: `yarn application -kill x`.
fn rules_cluster(invocation: &Invocation<'_, '_>) -> bool {
    const VERBS: &[&str] = &[
        "application",
        "app",
        "applicationattempt",
        "container",
        "rmadmin",
        "schedulerconf",
        "scmadmin",
        "daemonlog",
        "jar",
        "node",
        "queue",
        "cluster",
        "resourcemanager",
        "nodemanager",
    ];
    let words = || invocation.words.iter().map(|word| word.text);
    let told = |word: &str| word.len() > 2 && word.starts_with('-') && !word.starts_with("--");
    words().next().is_some_and(|first| VERBS.contains(&first)) && words().nth(1).is_some_and(told)
}

pub(super) fn yarn<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    super::destinations::carried(invocation, out);
    if rules_cluster(invocation) {
        return out.add(Effects::NETWORK_WRITE);
    }
    stays(invocation, out, &["--cwd", "--use-yarnrc"]);
    // Yarn is often a file of the project, which it runs even to print its version or help.
    let helps = out.help;
    out.help = false;
    if invocation.chain.len() > 1 {
        let runs = helps || matches!(invocation.last().names, "run" | "version");
        return out.add(if runs { PROJECT } else { NONE });
    }
    if invocation.has(&["v", "h", "--version", "--help"]) || !invocation.operands.is_empty() {
        out.add(PROJECT);
        first_task(invocation, out);
        by_name(invocation, out);
    } else {
        out.add(DECLARED);
    }
}
