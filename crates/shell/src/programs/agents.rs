//! Programs that coding agents use on themselves: other agents, their worktrees, their browser, their proxy.

use super::github_checks as check;
use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;
use crate::unclear::Why;

const READS: Effects = Effects::READS;
const WRITES: Effects = Effects::WRITES;
const EXECUTES: Effects = Effects::EXECUTES;
const REPOSITORY: Effects = Effects::REPOSITORY;
const INTERACTS: Effects = Effects::NETWORK_WRITE;

/// A verb whose options are not listed because none makes it harmless.
const fn does(names: &'static str, effects: Effects) -> Spec {
    Spec::new(names, effects).style(Style::Raw).operands(Operands::Text).check(check::help)
}

/// Runs the rest of the line as a command.
const fn runs(names: &'static str) -> Spec {
    Spec::new(names, Effects::NONE).style(Style::Stops).operands(Operands::Command(0)).check(needs_command)
}

fn needs_command<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.runs.is_empty() && !out.help && matches!(invocation.last().operands, Operands::Command(_)) {
        let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
        out.doubt(Why::UnclearCommand, invocation.program, span);
    }
}

/// What the proxy does itself; every other word is a program whose output it shortens.
const PROXY: &[Spec] = &[
    runs("proxy run err test summary"),
    Spec::new("gain discover learn session cc-economics hook-audit deps version help verify", READS)
        .options(
            "-pgHqdwmaF -tslf= --project --graph --history --quota --tier= --daily --weekly --monthly --all --format= --failures \
             --limit= --since= --output= --min-confidence= --min-occurrences= --filter= --require-all",
        )
        .operands(Operands::Text),
    Spec::new("read smart log json", READS)
        .options("-nv -lmd= --level= --max-lines= --tail-lines= --line-numbers --depth= --model= --schema --keys-only")
        .operands(Operands::Read),
    Spec::new("env", READS.and(Effects::SECRETS)).options("-f= --filter= --show-all"),
    Spec::new("config", READS).options("--create!writes"),
    Spec::new("rewrite", READS).style(Style::Raw).operands(Operands::Text),
    Spec::new("lint format prettier tsc next", Effects::PROJECT_CODE).style(Style::Raw).operands(Operands::Text),
    does("init trust untrust hook telemetry", WRITES.and(Effects::SYSTEM)),
];

/// What the gate shows about itself; everything else it does is for people.
const GATE: &[Spec] = &[
    Spec::new("check explain", READS)
        .options(
            "--mode= --session= --cwd= --settings=read --allow= --ask= --deny= --transcript=read --shell= --input-json --json-input \
             --json --batch --id= --record!writes",
        )
        .operands(Operands::Text),
    Spec::new("settings rules", READS).options("--json --project= --settings=read").operands(Operands::Text),
    Spec::new("log", READS)
        .options(
            "-f --follow --json --tool= --session= --agent= --rule= --since= --until= --decision= --kind= --limit= --export=write",
        )
        .verbs(&[
            Spec::new("verify", READS).options("--json").operands(Operands::Read),
            Spec::new("diff", READS).options("--json --since= --until= --tool= --session= --agent= --rule="),
            does("prune", Effects::DELETES.and(WRITES)),
        ]),
    Spec::new("stats programs schema status", READS).options("--json --days="),
    Spec::new("read", READS).options("--shell= --json --limit=").operands(Operands::Text),
    Spec::new("test", READS).options("--filter= --json").operands(Operands::Read),
    // `--model` sends what was recorded to a model, so it is left out.
    Spec::new("replay", READS)
        .options(
            "--format= --mode= --cwd= --settings=read --allow= --ask= --deny= --shell= --compare=read --only= --quiet --json",
        )
        .operands(Operands::Read),
    Spec::new("eval", READS)
        .options(
            "--mode= --blind --json --rows=write --list --confusion --html=write --against=read --max-false-allow= \
             --max-false-block= --upper-ends --allow= --ask= --deny=",
        )
        .operands(Operands::Read),
    Spec::new("learn", READS)
        .options("--times= --sessions= --refusals= --unanswered= --since= --project= --settings=read --json --write!writes --yes=!writes --to="),
    Spec::new("mode", READS).options("--session= --json --project= --settings=read").operands(Operands::Effect(WRITES)),
    Spec::new("grants", READS).options("--json --revoke=!writes"),
    Spec::new("auto-mode", READS).verbs(&[Spec::new("defaults config", READS).options("--json --project= --settings=read")]),
    does("allow approve pause trust serve hook import install uninstall", WRITES.and(Effects::SYSTEM)),
];

const CLAUDE: &str = "-cd -v!help -p!executes -rn= --print!executes --continue --debug=? --verbose --output-format= --input-format= --json-schema= \
    --include-partial-messages --replay-user-messages --model= --fallback-model= --resume=? --session-id= --fork-session \
    --allowedTools= --allowed-tools= --disallowedTools= --disallowed-tools= --tools= --permission-mode= \
    --permission-prompt-tool= --dangerously-skip-permissions --allow-dangerously-skip-permissions --mcp-config= \
    --strict-mcp-config --system-prompt= --append-system-prompt= --system-prompt-file=read --append-system-prompt-file=read \
    --settings= --setting-sources= --add-dir= --agent= --agents= --plugin-dir= --ide --max-turns= --max-budget-usd= \
    --effort= --betas= --chrome --no-chrome --disable-slash-commands --no-session-persistence --safe-mode --worktree=? \
    --tmux=? --file= --from-pr=?";

const BROWSER: &str = "-fi -p= --session= --session-name= --json --full --headed --annotate --debug --cdp= --auto-connect --profile= --state=read \
    --headers= --executable-path=exec --args=!executes --extension=!executes --init-script=!executes --user-agent= --proxy= --proxy-bypass= --provider= \
    --device= --allow-file-access!secrets --ignore-https-errors --color-scheme= --config=!unknown --timeout= --engine= \
    --content-boundaries --max-output= --allowed-domains= --no-auto-dialog";

const AGENT_BROWSER: &[Spec] = &[
    Spec::new("snapshot get is console errors diff highlight session skills dashboard-status", READS)
        .options("-cdsC= --compact --interactive --depth= --selector= --clear --full --json --cursor --urls")
        .operands(Operands::Text),
    Spec::new("wait", READS).options("--load= --text= --url= --fn=!executes --timeout= --state= --download=write").operands(Operands::Text),
    Spec::new("open goto navigate", Effects::SYSTEM).operands(Operands::Url),
    Spec::new(
        "click dblclick fill type press key keydown keyup hover focus check uncheck select drag upload scroll scrollintoview find \
         mouse tab window frame dialog back forward reload set keyboard swipe tap inspect batch",
        INTERACTS,
    )
    .options("--exact --name= --new-tab")
    .operands(Operands::Text),
    does("eval", EXECUTES.and(INTERACTS)),
    Spec::new("screenshot pdf", WRITES).options("--screenshot-dir=write --screenshot-quality= --screenshot-format=").operands(Operands::Write),
    does("download record trace profiler har", WRITES),
    does("network", INTERACTS),
    does("cookies storage state auth clipboard", Effects::SECRETS.and(WRITES)),
    does("close quit exit", Effects::KILLS),
    does("install upgrade", Effects::INSTALLS_NAMED),
    does("connect stream dashboard device doctor", Effects::SYSTEM),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("portcullis", READS).options("-hV!help").verbs(GATE).examples(&[
        ("portcullis check Bash 'rm x'", "reads"),
        ("portcullis check --record Bash ls", "reads writes"),
        ("portcullis log --json --limit 5", "reads"),
        ("portcullis log verify", "reads"),
        ("portcullis log prune --keep 30d", "writes deletes"),
        ("portcullis mode", "reads"),
        ("portcullis mode auto", "reads writes"),
        ("portcullis grants", "reads"),
        ("portcullis grants --revoke 1", "reads writes"),
        ("portcullis auto-mode critique", "reads unknown"),
        ("portcullis replay --quiet session.jsonl", "reads"),
        ("portcullis replay --model session.jsonl", "reads unknown"),
        ("portcullis eval --json --html report.html cases.jsonl", "reads writes"),
        ("portcullis learn --json", "reads"),
        ("portcullis learn --yes 1", "reads writes"),
        ("portcullis allow 17", "writes system"),
        ("portcullis approve", "writes system"),
        ("portcullis serve --stop", "writes system"),
        ("portcullis frobnicate", "reads unknown"),
    ]),
    Spec::new("rtk", Effects::NONE)
        .style(Style::Stops)
        .options("-vu -hV!help --verbose --ultra-compact --skip-env")
        .operands(Operands::Command(0))
        .verbs(PROXY)
        .check(needs_command)
        .examples(&[
            ("rtk --version", "reads"),
            ("rtk git status", ""),
            ("rtk proxy ls", ""),
            ("rtk proxy", "unknown"),
            ("rtk", "unknown"),
            ("rtk gain --history", "reads"),
            ("rtk read src/main.rs", "reads"),
            ("rtk init -g", "writes system"),
            ("rtk lint bun run lint", "project-code"),
        ]),
    Spec::new("claude", EXECUTES)
        .options(CLAUDE)
        .operands(Operands::Text)
        .verbs(&[
            // Listing its servers starts them to see whether they answer.
            does("mcp", EXECUTES.and(WRITES)),
            Spec::new("config", READS).verbs(&[Spec::new("list ls get", READS).options("-g --global").operands(Operands::Text), does("set add remove rm", WRITES)]),
            Spec::new("plugin plugins", READS).verbs(&[
                Spec::new("list", READS).options("--json --available"),
                Spec::new("validate", READS).operands(Operands::Read),
                does("install i update enable disable uninstall remove marketplace", Effects::INSTALLS_NAMED.and(WRITES)),
            ]),
            Spec::new("auth", READS).verbs(&[Spec::new("status", READS).options("--json --text"), does("login logout", Effects::SYSTEM)]),
            does("setup-token", Effects::SECRETS),
            does("update upgrade install migrate-installer", Effects::INSTALLS_NAMED),
            does("doctor", EXECUTES),
        ])
        .examples(&[
            ("claude --version", "reads"),
            ("claude -v", "reads"),
            ("claude -p 'say hello'", "executes"),
            ("claude mcp list", "executes writes"),
            ("claude config get theme", "reads"),
            ("claude update", "installs-named"),
        ]),
    Spec::new("codex", EXECUTES)
        .options(
            "-hV!help -mcpsaCi= --model= --config= --profile= --sandbox= --ask-for-approval= --cd=dir --image=read --full-auto \
             --dangerously-bypass-approvals-and-sandbox --search --oss --add-dir= --enable= --disable= --no-alt-screen",
        )
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("mcp", READS).verbs(&[
                Spec::new("list get", READS).options("--json").operands(Operands::Text),
                does("add remove login logout", WRITES),
            ]),
            Spec::new("features", READS).verbs(&[Spec::new("list", READS), does("enable disable", WRITES)]),
            Spec::new("login", Effects::SYSTEM)
                .options("--api-key= --with-api-key --device-auth")
                .verbs(&[Spec::new("status", READS)]),
            Spec::new("completion help", READS).operands(Operands::Text),
            does("logout", Effects::SYSTEM),
            does("apply a", WRITES),
            does("exec e resume fork review cloud sandbox debug app app-server mcp-server execpolicy proto generate-ts", EXECUTES),
            does("update", Effects::INSTALLS_NAMED),
        ])
        .examples(&[
            ("codex --version", "reads"),
            ("codex mcp list", "reads"),
            ("codex exec 'fix it'", "executes"),
            ("codex sandbox rm -rf x", "executes"),
        ]),
    does(
        "gemini opencode aider cursor-agent amp copilot goose droid crush qwen kiro-cli auggie cline plandex llm ollama-chat",
        EXECUTES.and(Effects::SENDS_DATA),
    )
    .examples(&[("gemini --help", "reads"), ("aider x.py", "executes sends-data")]),
    Spec::new("workmux", READS)
        .options("-hV!help")
        .verbs(&[
            Spec::new("list ls status capture wait path changelog docs completions", READS)
                .options(
                    "-n= --lines= --json --pr!network-read --git --status= --timeout= --any --pane= --all --shell= --merged --format=",
                )
                .operands(Operands::Text),
            does("add new", REPOSITORY.and(WRITES).and(EXECUTES)),
            does("open send run dashboard resurrect sandbox sidebar coordinator last-agent last-done", EXECUTES),
            does("merge", REPOSITORY.and(Effects::DELETES)),
            does("remove rm", REPOSITORY.and(Effects::DELETES).and(Effects::DISCARDS)),
            does("close", Effects::KILLS),
            does("rename", REPOSITORY),
            does("init setup claude config set-window-status sync-files reap-agents", WRITES),
            does("update", Effects::INSTALLS_NAMED),
        ])
        .examples(&[
            ("workmux status a b", "reads"),
            ("workmux capture a -n 40", "reads"),
            ("workmux add a -b -P p.md", "repository writes executes"),
            ("workmux send a -f x", "executes"),
            ("workmux rm a", "repository deletes discards"),
        ]),
    Spec::new("entire", READS)
        .options("-h!help --no-pager")
        .verbs(&[
            Spec::new("status explain version activity search help completion", READS)
                .options(
                    "-srv -cn= --verbose --checkpoint= --session= --commit= --short --full --raw-transcript --detailed --json --limit= \
                     --search-all --transcript --generate!executes --force --page=",
                )
                .operands(Operands::Text),
            Spec::new("checkpoint checkpoints cp session sessions", READS).verbs(&[
                Spec::new("list ls info current show explain search tokens", READS)
                    .options("-sr -n= --json --limit= --session= --all --short --full --transcript --no-pager --generate!executes")
                    .operands(Operands::Text),
                does("fix stop adopt attach resume", REPOSITORY),
                does("rewind reset clean cleanup delete", REPOSITORY.and(Effects::DISCARDS)),
            ]),
            does("enable disable configure agent hooks attach resume doctor migrate", REPOSITORY.and(WRITES)),
            does("rewind reset clean", REPOSITORY.and(Effects::DISCARDS)),
            does("login logout auth telemetry", Effects::SYSTEM),
            does("dispatch review investigate trace", EXECUTES),
        ])
        .examples(&[
            ("entire explain -c abc --no-pager", "reads"),
            ("entire session list --json", "reads"),
            ("entire enable --help", "reads"),
            ("entire enable --local-dev", "repository writes"),
            ("entire rewind --to x", "repository discards"),
        ]),
    Spec::new("agent-browser", READS).options(BROWSER).verbs(AGENT_BROWSER).examples(&[
        ("agent-browser --session x snapshot -i", "reads"),
        ("agent-browser skills get core --full", "reads"),
        ("agent-browser open https://example.com", "system network-read"),
        ("agent-browser click @e3", "network-write"),
        ("agent-browser screenshot /tmp/a.png", "writes"),
        ("agent-browser eval 'document.cookie'", "executes network-write"),
        ("agent-browser cookies", "secrets writes"),
    ]),
];
