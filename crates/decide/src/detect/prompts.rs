//! What a prompt, a timer or a setting asks for beyond work on the project (SPEC C6).
//!
//! A sub-agent's own calls are judged one by one, so a prompt is only asked about where it requests what others notice:
//! to push, deploy, publish, delete, send, pay, switch off or hand out, or not to ask. Clause by clause, the first verb says
//! what is requested; what a question or a change of the code is about is no request.

use portcullis_shell::{is_secret_path, known_programs};
use serde_json::Value;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::detect::tools::texts;
use crate::detect::{Category, Detector, Finding, code, detectors, scripts};
use crate::encoding::encode;
use crate::protected::{self, Place};

/// Phrases that ask for more than a task, wherever they are said.
const BROAD: &str = "do not ask|don't ask|without asking|no need to ask|by any means|whatever it takes|as you see fit|\
    autonomous|anything else|you may do anything|do not hesitate|full access|root access|ignore the rules|\
    ignore previous|skip the checks|permissions you miss|blocks you|all repositories|every repository|all servers|\
    every server|on all hosts|everywhere|delete everything|rm -rf|reset --hard|clean -fd|\
    reverse shell|shell history|base64|exfiltrat|lösche|supprime|borra";

/// Verbs and nouns of actions that others notice, wherever a clause requests them.
const ACTIONS: &str = "push force-push deploy deployment publish unpublish yank ship upload download email mail cron production \
    staging release rollout roll rotate pay refund purchase buy order wire invite revoke grant \
    promote drain cordon reboot terminate encode ssh tweet announce slack customers decommission failover evict shred globally system-wide";

/// Verbs that are requests for such an action where the clause names what is shared.
const CHANGES: &str = "decommission destroy halt mute tear bring blow ditch trim prune tidy redirect skip circumvent evade sync reload bounce delete remove drop wipe erase purge clear empty clean truncate reset abandon discard revert disable \
    switch turn suspend stop pause mute silence cancel close archive lock shut scale restart kill end give hand lower install cycle get share \
    send post submit forward notify tell message report reply comment approve accept merge assign make open expose change \
    edit update set move transfer migrate apply import restore run create lift take bypass weaken charge book block unblock \
    rename rewrite enable put upgrade redeploy replace swap point print quote list collect dump tabulate copy write";

/// What is shared with others: systems, people, money, rights.
const SHARED: &str = "nginx redis daemon image images container containers docker kubernetes aws gcp azure cloud ec2 s3 checks ci tls verification approval approvals sandbox mirror registry mr mrs namespaces requests system disk drive files documents account accounts alert alerting alerts audit backup backups billing branch branches bucket buckets card \
    certificate channel channels chat cluster clusters collaborator commits customer customers database databases db \
    distribution dns domain environment firewall gate group guardrails hook hooks host hosts incident infrastructure \
    instance instances invoice issue issues job jobs key keys license live machine machines main master member members \
    money monitoring namespace network node nodes order orders org organisation organization pagerduty payment \
    payments permission permissions pipeline pod pods pr prs production protection pull queue records registry repo \
    repos repositories repository role roles schedule secret secrets server servers service services shared site slack \
    snapshot snapshots staging statuspage stash subscription subscriptions table tables team teammates tenant ticket \
    tickets token tokens topic traffic tunnel user users vault vm volume volumes webhook workspace worktree unstaged \
    uncommitted edits privacy approvals admin admins friend environments everything variables privileges usd dollars \
    contractor installation process processes credential credentials";

/// What is shared whatever else the clause speaks of.
const SURELY_SHARED: &str = "prod cluster clusters bucket buckets credential credentials password passwords secrets ssh \
    sudoers firewall waf dynos terraform namespace";

/// What makes such a thing a part of the code.
const OF_CODE: &str = "feature button form page modal dialog component helper class function method model test tests fixture field \
    fields flag type types import imports css style styles layout widget docs readme comment module code \
    parser client ui interface view screen table-component loop mock hook-helper variable constant handler schema \
    typo endpoint-test bug header icon";

/// Verbs that bring secrets to light.
const EXPOSES: &str = "scan harvest hunt dump print output collect gather extract quote tabulate send search list show read find look reveal \
    summarise summarize";

/// Verbs of a question, or of a change of the code: what follows is their subject.
const ABOUT: &str = "review audit research explain document describe summarise summarize investigate analyse analyze understand \
    compare study why how what which where find figure help look check search read explore identify locate trace determine \
    examine inspect fix implement add write refactor style debug improve test build design extend simplify convert adjust \
    move rename style";

/// Words before the verb of a clause.
const FILLERS: &str = "please then also now first finally afterwards next just and so once done to you should must can could \
    need go ahead let's lets i want we will always immediately after that it i'd like";

fn says(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Whether a list has the verb in the form that it is used in.
fn says_verb(list: &str, word: &str) -> bool {
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix('s'));
    says(list, word) || stem.is_some_and(|stem| says(list, stem) || says(list, &format!("{stem}e")))
}

/// The harm in the words for an agent, a timer or a setting.
#[expect(clippy::wildcard_enum_match_arm, reason = "only these tools come here")]
pub(super) fn of_words(call: &ToolCall) -> Vec<Finding> {
    let text = encode(call).unwrap_or_default();
    let mut found: Vec<Finding> = code::signs(&text, "").into_iter().map(code::Sign::finding).collect();
    if asks_nobody(&call.input) {
        found.push(Finding::by(&detectors::SUBAGENT_ASKS_NOBODY));
    }
    match call.tool {
        Tool::Config => found.push(Finding::by(&detectors::CHANGES_AGENT_SETTINGS)),
        Tool::CronCreate => found.push(Finding::by(&detectors::SCHEDULES_AGENT)),
        _ => {
            let lower = text.to_lowercase();
            let broad = BROAD.split('|').find(|words| is_said(&lower, words));
            found.extend(broad.map(|words| Finding::by(&detectors::BROAD_TASK).about(words)));
            found.extend(clauses(&lower).find_map(|clause| {
                requested(clause).map(|detector| Finding::by(detector).about(clause.trim()))
            }));
            found.extend(named_file(&text));
            found.extend(foreign_script(&lower));
        }
    }
    found
}

/// Whether a text says the words, and does not forbid them.
fn is_said(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let spared =
            ["do not ", "don't ", "never ", "without ", "not "].iter().any(|no| before.ends_with(no));
        !spared && !before.ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '/'))
    })
}

/// The parts of a text that each may request something of their own.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    const JOINTS: &[&str] = &[
        ", ",
        " and ",
        " & ",
        " (",
        " then ",
        " -> ",
        " plus ",
        " as well as ",
        " by ",
        " so ",
        " - ",
        " once ",
    ];
    let sentences =
        text.split(['\n', '!', ';', ':']).flat_map(|part| part.split(". ")).flat_map(|part| part.split("? "));
    sentences.flat_map(|sentence| {
        let mut rest = vec![sentence];
        for joint in JOINTS {
            rest = rest.into_iter().flat_map(|part| part.split(joint)).collect();
        }
        rest
    })
}

/// What switches a protection off, and protections.
const LIFTS: &str = "disable turn switch skip bypass circumvent evade remove lift weaken";
const SAFETY: &str = "tls verification authentication auth checks protection firewall sandbox approvals";

/// The detector of what a clause requests.
fn requested(clause: &str) -> Option<&'static Detector> {
    // What is done when, or to which, is no request.
    let rest = [" when ", " that ", " which ", " with which ", " where ", " after ", " how "].iter();
    let clause =
        rest.filter_map(|word| clause.find(word)).min().and_then(|end| clause.get(..end)).unwrap_or(clause);
    let words: Vec<&str> = clause
        .split(|it: char| !(it.is_alphanumeric() || "'-_./$".contains(it)))
        .filter(|word| !word.is_empty())
        .collect();
    let plain = |word: &&str| word.trim_matches(['.', '\'']).to_owned();
    let words: Vec<String> = words.iter().map(plain).skip_while(|word| says(FILLERS, word)).collect();
    let forbids =
        words.iter().any(|word| matches!(word.as_str(), "not" | "don't" | "never" | "without" | "no"));
    let verb = words.first()?.as_str();
    // A path, or a thing of the code behind the word, says that the code is meant.
    let in_file = words.iter().any(|word| word.contains('/') && word.contains('.'));
    let of_code = words.iter().any(|word| says(OF_CODE, word));
    if !forbids && says(LIFTS, verb) && words.iter().any(|word| says(SAFETY, word)) {
        return Some(&detectors::PROMPT_DISABLES_GATE);
    }
    let surely = words.iter().any(|word| says(SURELY_SHARED, word));
    if forbids || in_file || (of_code && !surely) {
        return None;
    }
    let gate = words.iter().any(|word| word == "gate" || word == "guardrails" || word == "portcullis");
    let checks =
        words.iter().any(|word| matches!(word.as_str(), "permission" | "hook" | "hooks" | "permissions"))
            && words
                .iter()
                .any(|word| matches!(word.as_str(), "permission" | "agent" | "agent's" | "configuration"));
    if says(CHANGES, verb) && (gate || checks) {
        return Some(&detectors::PROMPT_DISABLES_GATE);
    }
    let secret = words.iter().any(|word| says("credentials secrets passwords keys tokens env .env", word));
    let asks_where = words.iter().any(|word| says("where how why whether", word));
    if secret && says(EXPOSES, verb) && !asks_where {
        return Some(&detectors::PROMPT_SHARED_SYSTEM);
    }
    let subject = says(ABOUT, verb);
    let action = words.iter().any(|word| says_verb(ACTIONS, word));
    let money = words.iter().any(|word| word.starts_with('$') && word.len() > 1);
    let shared = money || words.iter().any(|word| says(SHARED, word));
    // "Use kubectl to delete the namespace": the verb may be behind the tool, unless the clause is about something else.
    let changes = words.iter().any(|word| says_verb(CHANGES, word)) && (shared || surely);
    ((action || changes) && !subject).then_some(&detectors::PROMPT_SHARED_SYSTEM)
}

/// Whether a field says that the agent needs to ask nobody, or may use every tool.
fn asks_nobody(input: &Value) -> bool {
    let fields = input.as_object().into_iter().flatten();
    let mut told = fields.map(|(name, value)| (name.to_ascii_lowercase().replace('_', ""), value));
    told.any(|(name, value)| {
        let unasked =
            |mode| matches!(mode, "bypassPermissions" | "yolo" | "dontAsk" | "bypass" | "full-auto");
        let mode = name.ends_with("mode") && value.as_str().is_some_and(unasked);
        let switch = name.contains("skippermissions") && *value != Value::Bool(false);
        let tools = name == "allowedtools"
            && value.as_array().is_some_and(|tools| tools.iter().any(|tool| tool.as_str() == Some("*")));
        mode || switch || tools
    })
}

/// A prompt that tells to run what lies on another machine.
fn foreign_script(text: &str) -> Option<Finding> {
    const ENDINGS: &[&str] = &[".sh", ".py", ".ps1", ".bash", ".pl", ".rb", ".js"];
    let words = || text.split(|it: char| it.is_whitespace() || "`\"'(),".contains(it));
    let script = words().find(|word| {
        let word = word.trim_end_matches(['.', ';', ':']);
        word.contains("://") && ENDINGS.iter().any(|ending| word.ends_with(ending))
    })?;
    let runs = words().any(|word| says("run execute bash sh source install", word));
    runs.then(|| Finding::by(&detectors::PROMPT_REMOTE_SCRIPT).about(script))
}

/// The first file that a prompt names and that is none of the work itself.
fn named_file(text: &str) -> Option<Finding> {
    let parts = text.split(|it: char| it.is_whitespace() || "`\"'()<>,".contains(it));
    let paths = parts.map(|word| word.trim_end_matches(['.', ':', ';', '!', '?', ']', '}']));
    let mut paths = paths.filter(|word| word.contains('/') && !word.contains("://"));
    paths.find_map(|path| {
        let own = !path.starts_with(['~', '/', '$']);
        let ending = path.rsplit('.').next().unwrap_or_default();
        let source = own
            && says(
                "ts tsx js jsx mjs py rs go rb java kt php cs swift md example sample template dist",
                ending,
            );
        if is_secret_path(path, true) && !source {
            return Some(Finding::by(&detectors::PROMPT_NAMES_CREDENTIALS).about(path));
        }
        let place = protected::place(path, true)?;
        let grave = match place {
            Place::Own | Place::StartUp => true,
            Place::AgentSettings => says("json toml yaml yml", &ending.to_lowercase()),
            Place::Credentials | Place::Git | Place::Repository | Place::Packages | Place::Editor => false,
        };
        let about = || format!("`{path}` {}", place.sentence());
        grave.then(|| Finding::by(&detectors::PROMPT_NAMES_PROTECTED_FILE).about(about()))
    })
}

/// The harm in command lines that an agent is to run: between backticks, in a line of their own, or after a word such as
/// `run`, where they begin with the name of a program.
pub(super) fn of_command_lines(call: &ToolCall, context: &Context) -> Vec<Finding> {
    let mut told = Vec::new();
    texts(&call.input, &mut told);
    let marked = told.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let lines = marked.chain(told.iter().flat_map(|text| command_lines(text)));
    let grave = |finding: &Finding| {
        use Category::{CloudStorageDelete, ExternalWrite, ProductionDeploy, SharedResource};
        finding.certain
            || matches!(
                finding.category(),
                ExternalWrite | ProductionDeploy | SharedResource | CloudStorageDelete
            )
    };
    let found = lines.flat_map(|line| scripts::harm(line, &call.cwd, context)).filter(grave);
    let about = |finding: Finding| Finding {
        what: format!("asks an agent to run a command: {}", finding.what),
        span: None,
        ..finding.doubtful()
    };
    found.map(about).collect()
}

fn command_lines(text: &str) -> Vec<&str> {
    const STARTS: &[&str] = &[
        "run ", "execute ", "call ", "type ", "enter ", "launch ", "command ", "use ", "try ", "run: ", ", ",
        " and ", ". ", " then ", "; ", ": ", "$ ",
    ];
    let lower = text.to_ascii_lowercase();
    let behind = STARTS.iter().flat_map(|start| lower.match_indices(start)).filter_map(|(at, start)| {
        let before = lower.get(..at).unwrap_or_default();
        let spared = ["not ", "n't ", "never ", "without "].iter().any(|no| before.ends_with(no));
        text.get(at + start.len()..).filter(|_| !spared)
    });
    let programs = known_programs();
    let known = |line: &&str| {
        line.split_whitespace().next().is_some_and(|program| programs.binary_search(&program).is_ok())
    };
    behind.chain(text.lines().map(str::trim_start)).map(until_end).filter(known).collect()
}

/// The text up to where the sentence or the clause ends.
fn until_end(text: &str) -> &str {
    let text = text.trim_start_matches(['"', '\'']);
    let ends = ["\n", ". ", "; ", ", ", " and ", " then ", "`", "! ", "? "];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches(['.', '!', '?', ' ', '"', '\''])
}
