//! Whether the user asked for exactly this (SPEC C17): the deed and every target, in a human's own words.

use portcullis_decide::detect::{Category, Finding, Severity};
use portcullis_decide::view::{Access, View};
use portcullis_shell::{Command, Effects, Placement, Reading, Span};

use super::command_words::{goes_on, is_kind_said};
use super::other_target::{is_elsewhere, is_other_scope};
use super::requests::{VERBS, asked_rests, asks_for, is_asked, requests};
use super::settled::settled;
use super::spoken::own_words;
use super::steps::{TAKES_AWAY, says_step};
use super::words::{names, places};
use super::{consent_options, scope, target};
use crate::transcript::Transcript;

/// Words with which people ask for something to be brought to others.
const BRINGS: &[&str] = &[
    "deploy",
    "roll out",
    "roll it out",
    "rollout",
    "apply",
    "promote",
    "release",
    "publish",
    "roll back",
    "rollback",
    "ship",
    "try it in",
];

/// Words with which people ask for a deed of each kind.
pub(crate) const fn deeds(category: Category) -> &'static [&'static str] {
    match category {
        Category::GitDestructive | Category::CloudStorageDelete => &[
            "delete", "remove", "drop", "force", "empty", "mirror", "destroy", "lösch", "entfern", "borra",
            "elimina", "supprime", "删除",
        ],
        Category::PushDefaultBranch => &["push", "merge", "land"],
        Category::ProductionDeploy => BRINGS,
        Category::RemoteShellWrite => &["restart", "run ", "copy", "install", "update", "start"],
        Category::BlindPatch => &["apply", "check it out", "check out", "run "],
        Category::GrantPermissions => &["give", "grant", "share", "add ", "invite", "make "],
        Category::WeakenTlsAuth => &["allow", "disable", "skip", "turn off", "ignore"],
        Category::DisableSecurity => &["disable", "turn off", "switch off", "stub", "allow"],
        Category::BroadAgent => &["agent", "have ", "start"],
        Category::OtherProcesses => {
            &["stop", "kill", "restart", "reload", "close", "cancel", "end ", "terminate", "signal"]
        }
        Category::SharedResource => {
            &["set ", "change", "update", "delete", "release", "close", "clear", "flush"]
        }
        Category::LocalDestruction => {
            &["delete", "remove", "wipe", "can go", "prune", "lösch", "borra", "supprime"]
        }
        Category::ExposeService => &["tunnel", "expose", "public url", "open "],
        Category::CredentialSearch => &["use ", "read ", "show "],
        Category::Persistence => &["set up", "install", "add ", "create", "write"],
        Category::ExternalWrite => &[
            "post", "send", "remove", "delete", "comment", "add ", "move", "tell", "create", "open ",
            "update", "write", "reply", "publish",
        ],
        Category::Impersonation => &["sign", "write"],
        Category::RealWorldTransaction => {
            &["buy", "book", "order", "pay", "reserva", "bestell", "kauf", "purchase"]
        }
        Category::BypassReview => &["skip", "skipped", "update", "approve", "merge", "no-verify"],
        Category::DiscardWork => &[
            "discard",
            "remove",
            "throw",
            "reset",
            "take theirs",
            "revert",
            "drop",
            "restore",
            "hard reset",
            "hard-reset",
        ],
        Category::SupplyChain => &["set ", "use ", "add ", "install", "point"],
        Category::RunDownloadedCode
        | Category::LogTampering
        | Category::RemoteExecSurface
        | Category::CredentialLeak
        | Category::Exfiltration
        | Category::SelfModification => &[],
    }
}

/// Parts of names that people leave out.
const UNSAID: &[&str] = &[
    "origin",
    "refs",
    "heads",
    "tags",
    "repos",
    "collaborators",
    "https:",
    "http:",
    "",
    ".",
    "..",
    "home",
    "api",
    "HEAD",
    "~",
    "users",
    "github.com",
    "head",
];

/// What the last thing a person said asks for, sentence by sentence.
pub(crate) fn asked(transcript: &Transcript) -> Vec<Vec<String>> {
    transcript.human_turns().last().map(requests).unwrap_or_default()
}

/// Whether what is asked for is exactly this deed: one sentence names it, every target and every
/// option that matters.
pub(crate) fn is_given(
    finding: &Finding,
    view: &View,
    asked: &[Vec<String>],
    root: &str,
    turn: &Turn,
) -> bool {
    if finding.severity == Severity::Hard {
        return false;
    }
    let command = command_of(finding, view);
    // In people's words only where they say nothing else.
    let settled = command.filter(|_| turn.nothing_else).map(|command| settled(finding, command));
    let finding = settled.as_ref().unwrap_or(finding);
    // "All but one" is not all.
    if turn.holds_back && command.is_some_and(|it| it.arguments.iter().any(|word| word.text == "--all")) {
        return false;
    }
    let own = if turn.nothing_else { own_words(finding, view) } else { &[] };
    asked.iter().any(|clauses| {
        let asked = |clause: &String| deeds(finding.category()).iter().any(|deed| names_deed(clause, deed));
        let said = clauses.join(" ");
        let meant = |clause: &String| {
            asked(clause) || names_step(clause, finding) || names_verb(clause, &said, finding, view)
        };
        // In the command's own word, it is done where the command does it.
        let spoken = |clause: &String| {
            own.iter().any(|word| asks_for(clause, word))
                && !turn.holds_back
                && !command.is_some_and(|it| is_elsewhere(&said, it))
        };
        (clauses.iter().any(meant) || clauses.iter().any(spoken))
            && !command.is_some_and(|command| is_other_place(&said, finding, command))
            && command.is_none_or(|command| says_verb_of_unit(&said, command))
            && finding.steps.iter().all(|step| says_step(&said, step, finding))
            && scope::is_meant(clauses, &said, finding, view, root, own)
            && !thing(finding, view).is_some_and(|thing| is_only_place(&said, &thing))
            && view.reading.as_ref().is_none_or(|reading| {
                let about = reading
                    .commands
                    .iter()
                    .filter(|command| finding.span.is_some_and(|span| is_within(span, command.span)));
                consent_options::narrows_nothing(&said, reading)
                    && about
                        .into_iter()
                        .filter(|it| !(turn.nothing_else && consent_options::gives_due_rights(it, reading)))
                        .all(|it| consent_options::is_said(it, &said) && is_fed_as_said(it, view, &said))
            })
    })
}

/// Whether the sentence says what is done to a unit: who restarts it does not freeze, mask or revert it.
fn says_verb_of_unit(said: &str, command: &Command) -> bool {
    let verb = command.arguments.iter().find(|word| !word.text.starts_with('-'));
    command.program.as_deref() != Some("systemctl") || verb.is_none_or(|verb| names(said, &verb.text))
}

/// What the last turn of a person is like, beside what it asks for.
pub(crate) struct Turn {
    /// Something is held back or forbidden.
    pub(crate) holds_back: bool,
    /// It is about the line alone.
    pub(crate) nothing_else: bool,
}

/// The command that the finding is about; what runs another one for it stands before it.
pub(crate) fn command_of<'v>(finding: &Finding, view: &'v View) -> Option<&'v Command> {
    let mut commands = view.reading.iter().flat_map(|reading| &reading.commands);
    commands.rfind(|command| Some(command.span) == finding.span)
}

/// Whether the sentence speaks of another namespace, region or account, or of services of another machine.
fn is_other_place(said: &str, finding: &Finding, command: &Command) -> bool {
    let services = finding.category() == Category::OtherProcesses && is_elsewhere(said, command);
    services || is_other_scope(said, command)
}

/// Whether what spells out the command speaks of another place than the one the line goes to: who wants it run "in staging"
/// has not asked for it anywhere else.
pub(crate) fn is_for_elsewhere(finding: &Finding, view: &View, asked: &[Vec<String>]) -> bool {
    let Some(command) = command_of(finding, view) else { return false };
    let program = command.program.as_deref().unwrap_or_default().to_lowercase();
    let line = view.line.trim().to_lowercase();
    let place = |clause: &&String| {
        ["in ", "on ", "at ", "for ", "inside "].iter().any(|it| clause.trim_start().starts_with(it))
    };
    let elsewhere = |said: &str| {
        is_other_place(said, finding, command) || !scope::is_here(said, finding, command, &view.line)
    };
    // Where the line itself is said, what is said elsewhere is about something else.
    let spelled = |clause: &String| clause.contains(&line);
    if asked.iter().flatten().any(spelled) {
        return asked.iter().filter(|clauses| clauses.iter().any(spelled)).any(|clauses| {
            let about = clauses.iter().filter(|clause| spelled(clause) || place(clause));
            elsewhere(&about.map(String::as_str).collect::<Vec<_>>().join(" "))
        });
    }
    asked.iter().map(|clauses| clauses.join(" ")).any(|said| names(&said, &program) && elsewhere(&said))
}

/// What is taken away, in the words of the command: `namespace` in `kubectl delete namespace x`, `group` in
/// `az group delete`, `bucket` in `delete-bucket`.
fn thing(finding: &Finding, view: &View) -> Option<String> {
    if finding.category() != Category::CloudStorageDelete {
        return None;
    }
    let step = finding.steps.iter().rev().find(|step| !TAKES_AWAY.contains(&step.as_str()));
    let of_steps = step.and_then(|step| step.rsplit('-').next());
    let command = command_of(finding, view);
    let first = || {
        let words = command?.arguments.iter().enumerate();
        let mut words = words.filter(|(at, _)| command.is_some_and(|it| !it.verbs.contains(at)));
        words.next().map(|(_, word)| word.text.as_str()).filter(|word| !word.starts_with('-'))
    };
    // A name of two letters is that of a service: `aws s3 rm`.
    of_steps.or_else(first).filter(|thing| thing.len() > 2).map(str::to_lowercase)
}

/// Words that say where something is.
const WHERE: &[&str] = &[
    "in", "inside", "within", "under", "of", "into", "from", "on", "at", "off", "out", "von", "de", "im",
    "aus",
];

/// Whether a sentence names the thing only as the place of another: "the pod web in the namespace shop".
fn is_only_place(said: &str, thing: &str) -> bool {
    let thing = thing.strip_suffix('s').unwrap_or(thing);
    let words: Vec<&str> = said.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let mut named = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.strip_suffix('s').unwrap_or(word) == thing)
        .peekable();
    named.peek().is_some()
        && named.all(|(at, _)| {
            let before = words.get(at.saturating_sub(3)..at).unwrap_or_default();
            before.iter().any(|word| WHERE.contains(word))
        })
}

/// Whether what the command is fed was named: a file by its name; other commands and text stand in no request.
fn is_fed_as_said(command: &Command, view: &View, said: &str) -> bool {
    let mut files = view.paths.iter().filter(|path| {
        path.redirect
            && path.access == Access::Read
            && path.span.is_some_and(|span| is_within(span, command.span))
    });
    command.placement != Placement::Piped
        && !command.span.of(&view.line).contains("<<")
        && files.all(|path| names(said, &path.named.to_lowercase()))
}

/// Whether a clause names what the steps do in the program's own word: `stop` in `stop-instance`.
fn names_step(clause: &str, finding: &Finding) -> bool {
    let verb = finding.steps.last().and_then(|step| step.split('-').next());
    verb.is_some_and(|verb| verb.len() > 3 && places(clause, verb).into_iter().any(|at| is_asked(clause, at)))
}

/// Verbs of programs that people say as they are: `twine upload`, `docker push`, `git clean`.
const SPOKEN: &[(Category, &[&str], &[&str])] = &[
    (Category::ProductionDeploy, &["upload", "push"], &["upload", "push"]),
    (Category::DiscardWork, &["delete", "clean"], &["clean"]),
];

/// Whether a clause asks for what the command does, in its own word. What git cleans away must be called untracked.
fn names_verb(clause: &str, said: &str, finding: &Finding, view: &View) -> bool {
    let command = command_of(finding, view);
    let first = command.and_then(|command| command.arguments.iter().find(|word| !word.text.starts_with('-')));
    let Some(verb) = first.map(|word| word.text.as_str()) else { return false };
    SPOKEN.iter().any(|(category, spoken, verbs)| {
        let own = *category != Category::ProductionDeploy || names_deed(clause, verb);
        *category == finding.category()
            && verbs.contains(&verb)
            && own
            && spoken.iter().any(|deed| names_deed(clause, deed))
            && (verb != "clean" || names(said, "untracked"))
    })
}

pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Words for deeds that are nouns as well: nobody who writes a rollback plan asks for a rollback.
const NOUNS_TOO: &[&str] = &["roll", "rollback", "rollout", "terminate"];

/// Whether a clause holds the deed at the beginning of a word, and not as something that has happened.
fn names_deed(clause: &str, deed: &str) -> bool {
    clause.match_indices(deed).any(|(at, _)| {
        let before = clause.get(..at).and_then(|head| head.chars().next_back());
        let begins = before.is_none_or(|it| !it.is_alphanumeric() || (!it.is_ascii() && !deed.is_ascii()));
        let word = clause.get(at..).unwrap_or_default().split(|it: char| !it.is_alphanumeric()).next();
        let past = word.is_some_and(|word| word.ends_with("ed") && !deed.trim().ends_with(word));
        // A verb asks where it leads: nobody who fixes the push handler asks for a push.
        let leads = deed.split_whitespace().next().unwrap_or_default();
        let asks = !(VERBS.contains(&deed.trim()) || NOUNS_TOO.contains(&leads)) || is_asked(clause, at);
        begins && !past && asks
    })
}

/// Whether the last thing a person said spells out the whole command line, or every word of it that matters.
pub(crate) fn spells_out(view: &View, transcript: &Transcript, asked: &[Vec<String>]) -> bool {
    let Some(turn) = transcript.human_turns().last() else { return false };
    spells_line(turn, view.line.trim())
        || view.reading.as_ref().is_some_and(|it| spells_words(asked, it, view))
}

/// Stands for the line where it is looked for.
const LINE: &str = "\u{fffc}";

/// Words after which the line is over: what follows them is no part of it.
const AFTER: &[&str] = &[
    "and", "then", "to", "in", "for", "on", "before", "after", "so", "please", "now", "first", "again",
    "but", "if", "when", "as", "because", "once", "until", "while", "here", "there", "it", "i", "we", "it's",
    "this", "that",
];

/// Whether a clause asks to run the line, as it is written.
fn spells_line(turn: &str, line: &str) -> bool {
    if line.len() < 5 {
        return false;
    }
    let whole = |at: &usize| {
        let before = turn.get(..*at).and_then(|head| head.chars().next_back());
        let rest = turn.get(at + line.len()..).unwrap_or_default();
        let blank =
            rest.trim_start_matches(['.', ',', ';', ':', '!', '?', ')', '`', '\'', '"', '*', '”', '“']);
        let ends = rest.is_empty()
            || (blank.len() < rest.len() && (blank.is_empty() || blank.starts_with(char::is_whitespace)));
        let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        let goes_on = rest.starts_with('\n')
            || (rest.starts_with(' ')
                && AFTER.contains(&next.trim_end_matches(|it: char| !it.is_alphanumeric())));
        before.is_none_or(|it| it.is_whitespace() || "\"'`(“„*:".contains(it)) && (ends || goes_on)
    };
    let mut found = turn.match_indices(line).map(|(at, _)| at).filter(whole);
    found.any(|at| {
        let (head, tail) =
            (turn.get(..at).unwrap_or_default(), turn.get(at + line.len()..).unwrap_or_default());
        let marked = format!("{head}{LINE}{tail}");
        requests(&marked).iter().flatten().any(|clause| {
            let Some(at) = clause.find(LINE) else { return false };
            let alone = clause.get(at + LINE.len()..).is_some_and(|rest| {
                let mut words = rest.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
                words.next().is_none_or(|word| matches!(word, "please" | "now" | "again" | "and" | "then"))
            });
            let runs = |verb: &&str| {
                places(clause, verb).into_iter().any(|verb| verb < at && is_asked(clause, verb))
            };
            RUNS.iter().any(runs) || (alone && is_asked(clause, at))
        })
    })
}

/// Words with which people ask for a program to be run.
pub(crate) const RUNS: &[&str] = &[
    "run", "rerun", "re-run", "execute", "use", "try", "start", "call", "invoke", "launch", "issue", "type",
    "führe", "starte", "ejecuta", "corre", "usa", "exécute", "lance", "utilise", "运行", "执行", "実行",
];

/// Whether sentences ask for every command of the line, word by word.
fn spells_words(sentences: &[Vec<String>], reading: &Reading, view: &View) -> bool {
    if !reading.unclear.is_empty() || reading.commands.is_empty() {
        return false;
    }
    let told: Vec<(String, &Vec<String>)> =
        sentences.iter().map(|clauses| (clauses.join(" "), clauses)).collect();
    let redirects = view.paths.iter().filter(|path| path.redirect);
    let mut redirects = redirects.map(|path| path.named.to_lowercase());
    redirects.all(|path| path == "/dev/null" || told.iter().any(|(said, _)| names(said, &path)))
        && reading.commands.iter().all(|command| {
            told.iter().any(|(said, clauses)| {
                spells_command(said, clauses, command)
                    && consent_options::narrows_nothing(said, reading)
                    && consent_options::is_said(command, said)
                    && !command.span.of(&view.line).contains("<<")
            })
        })
}

fn spells_command(said: &str, clauses: &[String], command: &Command) -> bool {
    let mut words = command.arguments.iter().filter(|word| !word.text.starts_with('-'));
    let first = words.clone().next().map(|word| word.text.to_lowercase()).unwrap_or_default();
    let program = command.program.as_deref().unwrap_or_default().to_lowercase();
    // Who asks for a package need not say which program brings it.
    let installs = command.own.meets(Effects::INSTALLS_NAMED) && matches!(first.as_str(), "install" | "add");
    let verbs = RUNS.iter().copied().chain([first.as_str()]);
    let asked = verbs.filter(|verb| !verb.is_empty()).any(|verb| {
        let asks = |clause: &String| places(clause, verb).into_iter().any(|at| is_asked(clause, at));
        clauses.iter().any(asks)
    });
    // Led by the program itself, the sentence is the command and tells nothing of it.
    let is_command =
        |rest: &str| goes_on(rest, command, AFTER) || goes_on(rest, command, &["everything", "all"]);
    let asked = asked || asked_rests(said, &program).into_iter().any(is_command);
    // `delete namespace x`, `group delete`
    let mut next = words.clone().map(|word| word.text.to_lowercase());
    let thing = next.find(|word| !TAKES_AWAY.contains(&word.as_str()));
    let takes_away = words.clone().any(|word| TAKES_AWAY.contains(&word.text.to_lowercase().as_str()));
    let acts = takes_away || first == "apply";
    !first.is_empty()
        && asked
        && (!acts || is_done_to(clauses, said, &program, &first, command))
        && !(takes_away && thing.is_some_and(|thing| is_only_place(said, &thing)))
        && (installs || names(said, &program))
        && words.all(|word| {
            word.literal && names(said, &word.text.to_lowercase()) || is_kind_said(said, word, command)
        })
}

/// Whether a sentence that has the sub-command as its own verb means what the command does it to; right behind the
/// program it is no verb of the sentence.
fn is_done_to(clauses: &[String], said: &str, program: &str, first: &str, command: &Command) -> bool {
    let rests: Vec<&str> = clauses
        .iter()
        .flat_map(|clause| {
            let of_sentence = |at: &usize| {
                let head = clause.get(..*at).unwrap_or_default().trim_end();
                is_asked(clause, *at) && !head.ends_with(program)
            };
            let at = places(clause, first).into_iter().filter(of_sentence);
            at.filter_map(|at| clause.get(at..)).map(scope::after_word).collect::<Vec<_>>()
        })
        .collect();
    rests.is_empty() || rests.iter().any(|rest| target::fits_words(rest, said, command))
}

/// Whether a sentence names every target, and at least one.
pub(crate) fn names_all(turn: &str, finding: &Finding, root: &str) -> bool {
    // The other side is the usual one, and so is where one stands.
    let usual = |target: &&String| matches!(target.as_str(), "origin" | "HEAD");
    let mut targets = finding.targets.iter().filter(|target| !usual(target)).peekable();
    targets.peek().is_some() && targets.all(|target| names_target(turn, target, root))
}

/// Whether a sentence names a target: of a path every part that people do not leave out, and at least one.
fn names_target(turn: &str, target: &str, root: &str) -> bool {
    let target = target.strip_prefix(root).or_else(|| target.strip_prefix("./")).unwrap_or(target);
    let target = target.trim_start_matches('/').to_lowercase();
    // A value counts, not the name it is given to.
    let value = target.split_once('=').map_or(target.as_str(), |(_, value)| value);
    let mut parts = value.split(['/', ':']).filter(|part| !UNSAID.contains(part)).peekable();
    // `deployment/api`: at the end it is the name itself.
    let last = value.rsplit(['/', ':']).find(|part| !matches!(*part, "" | "." | "head"));
    names(turn, &target)
        || (parts.peek().is_some()
            && last.is_none_or(|part| names(turn, part))
            && parts.all(|part| names(turn, part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(category: Category, targets: &[&str], said: &str) -> bool {
        let mut transcript = Transcript::default();
        transcript.push_human(said);
        let finding = Finding {
            detector: portcullis_decide::detect::detectors().find(|it| it.category == category).unwrap(),
            severity: Severity::Soft,
            certain: true,
            what: String::new(),
            span: None,
            targets: targets.iter().map(|target| (*target).to_owned()).collect(),
            steps: Vec::new(),
        };
        is_given(
            &finding,
            &View::default(),
            &asked(&transcript),
            "/p",
            &Turn { holds_back: false, nothing_else: false },
        )
    }

    /// [C17]
    #[test]
    fn consent_names_the_deed_and_every_target() {
        let push = Category::PushDefaultBranch;
        assert!(given(push, &["origin", "main"], "Fix the typo and push it to main."));
        assert!(!given(push, &["origin", "main"], "Fix the typo."));
        assert!(!given(push, &["origin", "main"], "Should I push to main?"));
        assert!(!given(push, &["origin", "main"], "Do not push to main."));
        assert!(!given(push, &["origin", "release"], "Push it to main."));
        let delete = Category::GitDestructive;
        assert!(given(delete, &["origin", "a/x", "a/y"], "Delete a/x and a/y on origin, please."));
        assert!(!given(delete, &["origin", "a/x", "a/y", "a/z"], "Delete a/x and a/y on origin, please."));
        assert!(!given(delete, &["origin"], "Delete the old ones."));
        assert!(given(delete, &["refs/heads/old/login"], "Delete login, the branch below old."));
        assert!(!given(delete, &["refs/heads/old/login"], "Delete the old branch."));
    }
}
