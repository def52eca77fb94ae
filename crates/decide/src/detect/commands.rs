//! Harm that shows in a command line: what each command does, and what they do together.

use portcullis_shell::{Command, Effects, Placement, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::remote::home::stays_home;
use crate::detect::{
    Detector, Finding, code, code::framework_shells, detectors, edits, git, git::overwrites, git::remotes,
    names::unnamed, provenance::applied, provenance::flow, provenance::mirrors, provenance::obeyed,
    provenance::outputs, provenance::sources, remote::local_control_apis, remote::looked_for,
    remote::services, remote::switches, remote::tool_redirection, routine::samples, routine::tasks, scripts,
    scripts::planted,
};
use crate::view::View;

/// The harm in a command line.
pub(super) fn of_line(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let Some(reading) = &view.reading else { return Vec::new() };
    let mut found = flow::downloaded(call, view, reading, context);
    found.extend(obeyed::of_line(view, reading, call, context));
    found.extend(edits::of_review_files(view, reading));
    found.extend(unnamed::shown(view));
    found.extend(flow::unseen(reading, context));
    found.extend(planted::of_line(call, view, reading, context));
    found.extend(scripts::executed::run(call, view, context));
    found.extend(looked_for::outside(view, context));
    found.extend(edits::of_changes(view, reading, call, context));
    found.extend(overwrites::of_line(view, reading, call, context));
    found.extend(applied::of_line(view, reading, call, context));
    for command in &reading.commands {
        found.extend(sources::changed(command, &call.cwd, context));
        found.extend(planted::compiled_input(command, view, call, context));
        found.extend(of_command(command, view, reading, call, context));
    }
    // What a line writes into a file is read as an edit would be.
    if runs_given_code(reading, view) || writes_text(reading, view) {
        // What `printf` is given has signs of its own for the ends of lines and for tabs.
        let text = view.line.replace("\\n", "\n").replace("\\t", "\t");
        if !runs_given_code(reading, view) && edits::writes_prose(view) {
            found.extend(edits::of_prose(view, &text));
        } else {
            let plain = code::signs(&view.line, "").into_iter().chain(code::signs(&text, ""));
            found.extend(plain.map(code::Sign::finding));
        }
        if code::destroys_outside(&text, context) && runs_given_code(reading, view) {
            found.push(Finding::destruction());
        }
        if writes_text(reading, view) {
            found.extend(edits::of_line(view, reading));
        }
    }
    found
}

/// Whether the line brings code of its own to something that runs it.
fn runs_given_code(reading: &Reading, view: &View) -> bool {
    let writes_script = writes_text(reading, view);
    reading.commands.iter().any(|command| {
        command.effects.meets(Effects::EXECUTES.and(Effects::UNKNOWN))
            || (writes_script && command.own.meets(Effects::PROJECT_CODE))
            || framework_shells::is_fed(command, view, reading)
    })
}

/// Whether the line writes text of its own into a file.
pub(crate) fn writes_text(reading: &Reading, view: &View) -> bool {
    const WRITERS: &[&str] = words!("sed perl tee patch awk gawk install git dd sponge split ed ex");
    // `cp /dev/stdin Makefile`
    let fed = |command: &Command| command.arguments.iter().any(|word| word.text == "/dev/stdin");
    let redirected = view.paths.iter().any(|path| path.redirect && path.access != crate::view::Access::Read);
    redirected
        || reading.commands.iter().any(|command| {
            let name = command.program.as_deref().unwrap_or_default();
            (WRITERS.contains(&name) || fed(command)) && command.own.meets(Effects::WRITES)
        })
}

/// The harm in one command.
fn of_command(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    if command.effects.is_harmless()
        && !command.effects.meets(Effects::NETWORK_READ)
        && command.assignments.is_empty()
        && hides_traces(command).is_none()
    {
        return found;
    }
    found.extend(git::harm(command, reading, call, context));
    found.extend(further(command, view, call, context));
    if found.is_empty() {
        found.extend(remotes::harm(command, context));
    }
    found.extend(services::of_command(command));
    if !services::is_rehearsal(command) && !services::is_daily(command) {
        found.extend(flow::sent(command, view, reading));
    }
    found.extend(of_options(command));
    found.extend(local_control_apis::of_command(command));
    found.extend(switches::of_command(command));
    found.extend(tasks::named_harm(command));
    found.extend(tasks::reaches_production(command));
    found.extend(skips_hooks(command));
    found.extend(gives_rights(command, view));
    let effects = command.own;
    let mut add = |detector: &'static Detector| {
        if found.is_empty() {
            found.push(Finding::on(detector, command));
        }
    };
    if let Some(detector) = hides_traces(command) {
        add(detector);
    }
    let side = git::side_taken(command).is_some();
    if effects.meets(Effects::DISCARDS) && !side && !git::only_switches(command, call, context) {
        add(&detectors::DISCARD_CHANGES);
        // A word that is only known at run time need not be the one that destroys.
        if command.arguments.iter().any(|word| !word.literal) {
            found = found.into_iter().map(Finding::doubtful).collect();
        }
        return found;
    }
    if effects.meets(Effects::PUBLISHES) && !services::is_rehearsal(command) {
        add(&detectors::PUBLISH);
    }
    if effects.meets(Effects::SECRETS) && !samples::shows(command, view, context) {
        add(&detectors::SHOW_CREDENTIALS);
    }
    let acts =
        effects.meets(Effects::NETWORK_WRITE) && writes_for_sure(command) && !services::is_daily(command);
    if acts && !stays_home(command) && !services::is_rehearsal(command) {
        add(&detectors::REMOTE_CHANGE);
    }
    found
}

/// What a command does to work that exists only here, where it reads from and writes to, and which tools it redirects.
fn further(command: &Command, view: &View, call: &ToolCall, context: &Context) -> Option<Finding> {
    overwrites::of_command(command)
        .or_else(|| looked_for::linked(command, context))
        .or_else(|| overwrites::claims(command, &view.line))
        .or_else(|| mirrors::of_command(command, call, context))
        .or_else(|| outputs::of_command(command, call, context))
        .or_else(|| tool_redirection::of_command(command, view))
}

/// `touch -t`, `SetFile -m`: the time of a file no longer says when it was changed. `history -c`: what was done is forgotten.
fn hides_traces(command: &Command) -> Option<&'static Detector> {
    use detectors::{CLEAR_HISTORY, FORGED_TIMESTAMP};

    let short = |text: &str, letters: &[char]| {
        text.starts_with('-') && !text.starts_with("--") && text.contains(letters)
    };
    let long = |text: &str| ["--date", "--reference", "--time"].iter().any(|name| text.starts_with(name));
    let any = |fits: &dyn Fn(&str) -> bool| command.arguments.iter().any(|word| fits(&word.text));
    let (detector, hides) = match command.program.as_deref()? {
        "touch" => (&FORGED_TIMESTAMP, any(&|text| short(text, &['t', 'r', 'd']) || long(text))),
        "SetFile" => (&FORGED_TIMESTAMP, any(&|text| short(text, &['m', 'd']))),
        "history" => (&CLEAR_HISTORY, any(&|text| short(text, &['c', 'd', 'w']))),
        "unset" => (&CLEAR_HISTORY, any(&|text| text.starts_with("HIST") || text.starts_with("PORTCULLIS"))),
        _ => return None,
    };
    hides.then_some(detector)
}

/// A statement with which somebody becomes more than they were, in a database that is a file.
fn gives_rights(command: &Command, view: &View) -> Option<Finding> {
    const RIGHTS: &[&str] = &["admin", "superuser", "staff", "role"];
    if !matches!(command.program.as_deref()?, "sqlite3" | "sqlite" | "duckdb") {
        return None;
    }
    let gives = |text: &str| {
        let lower = text.to_lowercase();
        let set = lower.split_once("update ").and_then(|(_, rest)| rest.split_once(" set "));
        let fields =
            set.into_iter().flat_map(|(_, set)| set.split(',')).filter_map(|it| it.split('=').next());
        fields.into_iter().any(|field| RIGHTS.iter().any(|word| field.contains(word)))
    };
    // What it reads from standard input is part of the line, too.
    let fed = command.placement == Placement::Piped || view.line.contains("<<");
    (command.arguments.iter().any(|word| gives(&word.text)) || (fed && gives(&view.line)))
        .then(|| Finding::on(&detectors::DATABASE_ROLE_UPDATE, command))
}

/// `chmod +x` and modes that give nobody else the right to write.
pub(super) fn gives_little(command: &Command) -> bool {
    let modes = [
        "+x", "u+x", "a+x", "+r", "u+w", "644", "755", "600", "700", "640", "750", "0644", "0755", "0600",
        "0700", "-w", "go-w",
    ];
    let first = command.arguments.iter().find(|word| !word.text.starts_with('-') || word.text == "-w");
    let copied = command.arguments.iter().any(|word| word.text.starts_with("--ref"));
    command.program.as_deref() == Some("chmod")
        && !copied
        && first.is_some_and(|mode| modes.contains(&mode.text.as_str()))
}

/// Whether a sub-command takes something away that is not a file the reader sees.
pub(super) fn takes_away(command: &Command) -> bool {
    const WORDS: &[&str] = words!("delete remove revoke logout unlink purge destroy uninstall forget reset");
    let named = command.verbs.iter().filter_map(|at| command.arguments.get(*at));
    let first = command.arguments.iter().filter(|word| !word.text.starts_with('-')).take(2);
    let acts = !command.own.is_harmless() && command.program.as_deref() != Some("git");
    acts && command.own.meets(Effects::WRITES.and(Effects::UNKNOWN))
        && !command.own.meets(Effects::PROJECT_CODE)
        && named.chain(first).any(|word| WORDS.contains(&word.text.as_str()))
}

/// Variables and options that make git skip the hooks of the repository, or commit as somebody else.
fn skips_hooks(command: &Command) -> Option<Finding> {
    let git = command.program.as_deref() == Some("git");
    let skips = git
        && command.assignments.iter().any(|(name, _)| {
            matches!(name.as_str(), "HUSKY" | "SKIP" | "LEFTHOOK" | "PRE_COMMIT_ALLOW_NO_CONFIG")
        });
    if skips {
        return Some(Finding::on(&detectors::SKIP_HOOKS, command));
    }
    let other = git
        && command.arguments.iter().any(|word| {
            word.text.starts_with("--author")
                || word.text.starts_with("user.name=")
                || word.text.starts_with("user.email=")
        });
    other.then(|| Finding::on(&detectors::COMMIT_AS_OTHER, command))
}

/// A plain fetch of an odd address is no write.
fn writes_for_sure(command: &Command) -> bool {
    !matches!(command.program.as_deref(), Some("curl" | "wget" | "http" | "https" | "xh" | "git"))
        || command.own.meets(Effects::SENDS_DATA)
}

/// Options that mean the same in most programs.
const OPTIONS: &[(&[&str], &Detector)] = &[
    (
        words!("-k --insecure --no-check-certificate --no-verify-ssl --ssl-no-revoke http.sslVerify=false"),
        &detectors::NO_TLS_VERIFY,
    ),
    (
        &["StrictHostKeyChecking=no", "-oStrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"],
        &detectors::NO_HOST_KEY_CHECK,
    ),
    (
        words!("--index-url --extra-index-url -i --registry --trusted-host --find-links --repository-url"),
        &detectors::OTHER_INDEX,
    ),
    (
        words!(
            "--dangerously-skip-permissions --yolo --dangerously-bypass-approvals-and-sandbox \
             --allow-all-tools bypassPermissions --approval-mode=yolo"
        ),
        &detectors::UNATTENDED_AGENT,
    ),
];

/// Where an option of the list means something else: kustomizations, links in saved pages.
const OTHERWISE: &[(&str, &str)] = &[("kubectl", "-k"), ("oc", "-k"), ("wget", "-k")];

/// Whether a word follows the name of the package that a runner starts (`npx svgo -i a.svg`): it is for the
/// package, unless it names an address.
fn is_the_packages(command: &Command, index: usize) -> bool {
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at)).map(|word| word.text.as_str());
    let runner = matches!(
        (command.program.as_deref(), verb),
        (Some("npx" | "pnpx" | "bunx" | "uvx"), _)
            | (Some("pnpm" | "yarn"), Some("dlx"))
            | (Some("bun"), Some("x"))
            | (Some("pipx"), Some("run"))
    );
    let address =
        |at: usize| command.arguments.get(at).is_some_and(|word| !word.literal || word.text.contains("//"));
    runner
        && command.operands.first().is_some_and(|package| index > *package)
        && !address(index)
        && !address(index + 1)
}

fn of_options(command: &Command) -> Option<Finding> {
    let name = command.program.as_deref()?;
    let connects = Effects::NETWORK_READ
        .and(Effects::NETWORK_WRITE)
        .and(Effects::SENDS_DATA)
        .and(Effects::INSTALLS_DECLARED)
        .and(Effects::INSTALLS_NAMED);
    let agent = matches!(
        name,
        "claude"
            | "codex"
            | "gemini"
            | "qwen"
            | "copilot"
            | "opencode"
            | "goose"
            | "cursor-agent"
            | "aider"
            | "droid"
            | "amp"
    );
    let installs = command.effects.meets(Effects::INSTALLS_DECLARED.and(Effects::INSTALLS_NAMED));
    let (_, detector) = OPTIONS.iter().find(|(words, detector)| {
        let fits = if **detector == detectors::UNATTENDED_AGENT {
            agent
        } else if **detector == detectors::OTHER_INDEX {
            installs
        } else {
            command.effects.meets(connects) && !stays_home(command) && !installs
        };
        fits && command.arguments.iter().enumerate().any(|(index, word)| {
            if OTHERWISE.contains(&(name, word.text.as_str())) || is_the_packages(command, index) {
                return false;
            }
            let plain = word.text.split('=').next().unwrap_or_default();
            let long = word.text.starts_with("--");
            // A beginning of a name is as good as the whole, and letters can be joined: `curl -sk`.
            let cut = |known: &&str| plain.len() > 6 && known.starts_with("--") && known.starts_with(plain);
            let letters = word.text.strip_prefix('-').filter(|_| name == "curl" && !long);
            let joined = |known: &&str| {
                let letter = known.strip_prefix('-').filter(|letter| letter.len() == 1);
                letters.zip(letter).is_some_and(|(letters, letter)| {
                    letters.contains(letter) && letters.bytes().all(|it| b"sSkLfvgiIN#".contains(&it))
                })
            };
            words.contains(&word.text.as_str())
                || (long && (words.contains(&plain) || words.iter().any(cut)))
                || words.iter().any(joined)
        })
    })?;
    Some(Finding::on(detector, command))
}
