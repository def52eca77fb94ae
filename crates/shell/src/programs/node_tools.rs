//! Tools that projects of JavaScript declare and that run other commands, or do what a command of the shell does.

use super::invocation::{Invocation, Outcome, Run};
use super::local::{DELETES, NONE, PROJECT, installs, runs_as};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("rimraf premove", DELETES)
        .options("-rfgGv -h!help --glob=? --no-glob --preserve-root --no-preserve-root --impl= --max-retries= --retry-delay= --backoff= --verbose")
        .operands(Operands::Delete)
        .examples(&[("rimraf dist", "deletes"), ("rimraf --no-glob ../x", "deletes"), ("rimraf --version", "reads")]),
    Spec::new("shx", NONE)
        .style(Style::Stops)
        .options("-s --silent")
        .operands(Operands::Command(0))
        .examples(&[("shx rm -rf src", ""), ("shx --frob ls", "unknown")]),
    Spec::new("concurrently conc", PROJECT)
        .options(
            "-krgiP -hvV!help -ncpsmlt= --kill-others --kill-others-on-fail --raw --group --names= --name-separator= --success= --prefix= --prefix-colors= --prefix-length= \
             --pad-prefix --timestamp-format= --timings --passthrough-arguments --max-processes= --restart-tries= --restart-after= --kill-signal= --kill-timeout= --hide= --handle-input \
             --default-input-target= --no-color --teardown=exec",
        )
        .operands(Operands::Text)
        .check(each_runs)
        .examples(&[("concurrently npm:dev 'tsc -w'", "project-code"), ("concurrently -n a,b 'ls' 'pwd'", "project-code"), ("concurrently --teardown x ls", "project-code executes")]),
    Spec::new("nyc c8", PROJECT)
        .style(Style::Stops)
        .options(
            "-a -rnxeiot= --reporter= --report-dir=write --reports-dir=write --temp-dir=write --temp-directory=write --include= --exclude= --extension= --require= --cwd=dir --nycrc-path= --config= --src= \
             --lines= --branches= --functions= --statements= --all --clean=? --check-coverage --per-file --100 --silent --source-map=? --instrument=? --show-process-tree --*",
        )
        .verbs(&[Spec::new("report check-coverage merge instrument", PROJECT).options("-rt= --reporter= --*").operands(Operands::Text)])
        .operands(Operands::Command(0))
        .check(super::linters::config_stays)
        .examples(&[("nyc --reporter text mocha", "project-code"), ("c8 -r html report", "project-code"), ("nyc --require /tmp/x.js mocha", "project-code executes")]),
    Spec::new("gh-pages", PROJECT.and(Effects::NETWORK_WRITE))
        .style(Style::Raw)
        .examples(&[("gh-pages -d dist", "project-code network-write")]),
    Spec::new("expo", PROJECT)
        .options("-h!help -v!help --*")
        .verbs(&[Spec::new("install add", PROJECT).options("--*").operands(Operands::Text).check(installs)])
        .operands(Operands::Text)
        .examples(&[("expo start", "project-code"), ("expo install", "project-code installs-declared"), ("expo install x", "project-code installs-named")]),
    Spec::new("hardhat", PROJECT)
        .options("-h!help --network= --*")
        .operands(Operands::Text)
        .check(reaches_a_network)
        .examples(&[("hardhat test", "project-code"), ("hardhat run x --network localhost", "project-code"), ("hardhat run x --network mainnet", "project-code network-write")]),
];

/// Networks other than those on this machine belong to everybody.
fn reaches_a_network(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let own = |name: &str| matches!(name, "localhost" | "hardhat" | "local" | "development");
    if invocation.value(&["--network"]).is_some_and(|network| !network.known().is_some_and(own)) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// Each word is a command line of its own, or names a script of the project (`npm:dev`).
fn each_runs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let is_script = |text: &str| {
        ["npm:", "pnpm:", "yarn:", "bun:", "node:", "deno:"].iter().any(|runner| text.starts_with(runner))
    };
    for line in invocation.operands.iter().filter(|line| !is_script(line.prefix())) {
        out.runs.push(Run::Script(*line, Dialect::Sh));
    }
}

/// Tools that reach services or run what they are told; package managers run them by their name alone.
const ACTING: &[&str] = &[
    "vercel",
    "netlify",
    "wrangler",
    "firebase",
    "supabase",
    "serverless",
    "sls",
    "cdk",
    "claude",
    "codex",
    "gemini",
    "prisma",
    "drizzle-kit",
    "knex",
    "sequelize",
    "typeorm",
    "tsx",
    "ts-node",
    "rimraf",
    "shx",
    "concurrently",
    "nyc",
    "c8",
    "semantic-release",
    "release-it",
    "np",
    "changeset",
    "gh-pages",
    "expo",
    "hardhat",
];

/// `yarn vercel --prod`: a word that is no sub-command names a script of the project or one of its tools.
pub(super) fn by_name<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let name = invocation.operands.first().and_then(Argument::known);
    if let Some(tool) = name.and_then(|name| ACTING.iter().find(|tool| **tool == name)) {
        runs_as(tool, 1, invocation, out);
    }
}
