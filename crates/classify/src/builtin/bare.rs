//! Deeds that have no object to name (SPEC C17): the machine goes down, the work tree is swept. There the sentence has to
//! consist of nothing but words for this very deed.

use portcullis_decide::{Finding, View};
use portcullis_shell::Command;

use super::consent::{command_of, is_within};
use super::heard::{holds_back, quote_marks};
use super::manner::gives_due_rights;
use super::requests::{asks_for, requests, words};
use super::words::plain;
use crate::transcript::Transcript;

/// A deed without an object, and the words it is asked for in.
struct Bare {
    /// The commands that do it; `+N` stands for so many minutes.
    commands: &'static [&'static str],
    verbs: &'static [&'static str],
    /// Of each of these one word has to be said.
    needs: &'static [&'static [&'static str]],
    /// What else may be said.
    more: &'static [&'static str],
    /// The machine is meant. Whatever else is said in the whole turn could tell of another one.
    machine: bool,
}

const MACHINE: &[&str] = &["machine", "box", "computer", "system", "host", "laptop", "workstation", "pc"];
const CHANGES: &[&str] = &["changes", "edits", "modifications"];
const MINE: &[&str] = &["all", "my", "uncommitted", "local"];
const UNTRACKED: &[&str] = &["untracked"];
const FILES: &[&str] = &["files", "folders", "directories", "everything"];
const TREE: &[&str] =
    &["in", "from", "git", "repo", "repository", "project", "working", "tree", "worktree", "and", "files"];

const BARE: &[Bare] = &[
    Bare {
        commands: &["reboot", "systemctl reboot", "shutdown -r now", "shutdown -r +N"],
        verbs: &["reboot"],
        needs: &[],
        more: MACHINE,
        machine: true,
    },
    Bare {
        commands: &["reboot", "systemctl reboot", "shutdown -r now", "shutdown -r +N"],
        verbs: &["restart"],
        needs: &[MACHINE],
        more: &[],
        machine: true,
    },
    Bare {
        commands: &["poweroff", "systemctl poweroff", "shutdown now", "shutdown -h now", "shutdown -h +N"],
        verbs: &["shut down", "power off", "turn off", "switch off", "shutdown", "poweroff"],
        needs: &[MACHINE],
        more: &[],
        machine: true,
    },
    Bare {
        commands: &["halt", "systemctl halt"],
        verbs: &["halt"],
        needs: &[MACHINE],
        more: &[],
        machine: true,
    },
    Bare {
        commands: &["shutdown -c"],
        verbs: &["cancel", "abort"],
        needs: &[&["shutdown", "reboot"]],
        more: &["pending", "scheduled", "planned"],
        machine: true,
    },
    Bare {
        commands: &["git reset --hard", "git reset --hard HEAD"],
        verbs: &["discard", "throw away", "drop", "revert", "undo", "reset"],
        needs: &[CHANGES, MINE],
        more: TREE,
        machine: false,
    },
    Bare {
        commands: &["git checkout -- .", "git checkout .", "git restore ."],
        verbs: &["discard", "throw away", "drop", "revert", "undo", "reset"],
        needs: &[CHANGES, MINE],
        more: &["in", "from", "git", "repo", "repository", "project", "working", "tree", "unstaged"],
        machine: false,
    },
    Bare {
        commands: &["git clean -f", "git clean -fd", "git clean -df", "git clean -f -d"],
        verbs: &["clean", "clean up", "delete", "remove", "discard", "wipe"],
        needs: &[UNTRACKED, FILES],
        more: TREE,
        machine: false,
    },
    Bare {
        commands: &["git clean -fdx", "git clean -xdf", "git clean -fxd", "git clean -fx", "git clean -xf"],
        verbs: &["clean", "clean up", "delete", "remove", "discard", "wipe"],
        needs: &[UNTRACKED, FILES, &["ignored", "gitignored"]],
        more: TREE,
        machine: false,
    },
    Bare {
        commands: &["cargo publish"],
        verbs: &["publish", "release"],
        needs: &[&["crate", "crates.io"]],
        more: &["to", "package"],
        machine: false,
    },
    Bare {
        commands: &["git stash drop"],
        verbs: &["drop", "delete", "remove", "discard"],
        needs: &[&["stash"]],
        more: &["last", "latest", "newest", "git"],
        machine: false,
    },
    Bare {
        commands: &["git stash clear"],
        verbs: &["drop", "delete", "remove", "discard", "clear"],
        needs: &[&["stashes"], &["all"]],
        more: &["git"],
        machine: false,
    },
];

/// Words that change nothing about what is asked for.
const IDLE: &[&str] = &[
    "the",
    "this",
    "my",
    "all",
    "of",
    "please",
    "now",
    "right",
    "immediately",
    "again",
    "just",
    "then",
    "yes",
    "ok",
    "okay",
    "sure",
    "go",
    "ahead",
    "and",
    "can",
    "could",
    "you",
    "local",
    "uncommitted",
    "thanks",
    "for",
    "me",
    "everything",
    "also",
    "on",
    "use",
    "exactly",
    "with",
    "sudo",
];

/// What people add where something cannot be undone.
const ASSURES: &str = "i know it cannot be undone";

/// Whether the last thing that a person said asks for the deed of the finding, and for nothing that could be another.
pub(super) fn is_asked_for(finding: &Finding, view: &View, transcript: &Transcript) -> bool {
    let (Some(command), Some(turn)) = (command_of(finding, view), transcript.human_turns().last()) else {
        return false;
    };
    let Some(reading) = &view.reading else { return false };
    // What runs it may give it rights, and only those that it takes.
    let mut around =
        reading.commands.iter().filter(|it| !std::ptr::eq(*it, command) && is_within(command.span, it.span));
    if !around.all(|it| gives_due_rights(it, reading)) {
        return false;
    }
    let Some((line, minutes)) = told(command) else { return false };
    BARE.iter().filter(|bare| bare.commands.contains(&line.as_str())).any(|bare| {
        let turn = plain(turn).replace(ASSURES, " ");
        let in_turn = !bare.machine || bare.is_all(&turn, minutes.as_deref());
        in_turn
            && !holds_back(&turn)
            && quote_marks(&turn) == 0
            && requests(&turn).iter().any(|clauses| bare.is_said(clauses, minutes.as_deref()))
    })
}

/// The command in one line, and the minutes it waits. Nothing where it works elsewhere, or is given variables.
fn told(command: &Command) -> Option<(String, Option<String>)> {
    let here = command.directory.is_none() && command.assignments.is_empty();
    let mut line = command.program.clone().filter(|_| here)?;
    let mut minutes = None;
    for word in &command.arguments {
        let waits = word.text.strip_prefix('+').filter(|rest| rest.bytes().all(|it| it.is_ascii_digit()));
        minutes = waits.map(str::to_owned).or(minutes);
        line.push(' ');
        line.push_str(waits.map_or(word.text.as_str(), |_| "+N"));
        word.literal.then_some(())?;
    }
    Some((line, minutes))
}

impl Bare {
    /// Whether one sentence asks for the deed, and consists of nothing else.
    fn is_said(&self, clauses: &[String], minutes: Option<&str>) -> bool {
        let said = clauses.join(" ");
        let asks = |clause: &String| self.verbs.iter().any(|verb| asks_for(clause, verb));
        let needed = |group: &&[&str]| words(&said).any(|word| group.contains(&word));
        let waits = minutes.is_none_or(|minutes| {
            let told: Vec<&str> = words(&said).collect();
            let fits = |in_time: &[&str]| matches!(in_time, ["in", number, "minute" | "minutes"] if *number == minutes);
            told.windows(3).any(fits)
        });
        clauses.iter().any(asks) && self.needs.iter().all(needed) && waits && self.is_all(&said, minutes)
    }

    /// Whether the text has no word that is not about the deed.
    fn is_all(&self, text: &str, minutes: Option<&str>) -> bool {
        let own = |word: &str| {
            let verb = self.verbs.iter().any(|verb| verb.split(' ').any(|part| part == word));
            let time =
                minutes == Some(word) || (minutes.is_some() && ["in", "minute", "minutes"].contains(&word));
            let needed = self.needs.iter().any(|group| group.contains(&word));
            verb || time || needed || self.more.contains(&word) || IDLE.contains(&word)
        };
        words(text).all(own)
    }
}
