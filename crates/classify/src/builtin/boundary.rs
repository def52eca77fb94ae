//! Boundaries that the user stated ("don't push"): they hold until the user lifts them (SPEC C17).

use portcullis_decide::{Access, ToolCall, View};
use portcullis_shell::Effects;

use super::requests::is_asked;
use super::words::{Mood, may_forbid, names, sentences};
use crate::transcript::Transcript;

/// A deed that people forbid: its words, and what calls do it.
struct Deed {
    words: &'static [&'static str],
    effects: Effects,
    /// A git sub-command that does it.
    verb: &'static str,
}

const DEEDS: &[Deed] = &[
    Deed {
        words: &["push", "pushen", "pushear", "pousse", "推送"], effects: Effects::PUSHES, verb: "push"
    },
    Deed { words: &["commit", "committe", "提交"], effects: Effects::NONE, verb: "commit" },
    Deed {
        words: &[
            "delete", "deleting", "remove ", "removing", "lösch", "borres", "borrar", "supprime", "删除",
            "deletion",
        ],
        effects: Effects::DELETES.and(Effects::DISCARDS),
        verb: "rm",
    },
    Deed {
        words: &["install", "dependenc", "new package", "instal"],
        effects: Effects::INSTALLS_NAMED,
        verb: "",
    },
    Deed {
        words: &["deploy", "roll out", "rollout", "publish", "release", "ship it", "veröffentlich"],
        effects: Effects::PUBLISHES.and(Effects::NETWORK_WRITE),
        verb: "",
    },
    Deed {
        words: &[
            "network",
            "upload",
            "send ",
            "leave this machine",
            "stay on this machine",
            "internet",
            "online",
        ],
        effects: Effects::NETWORK_WRITE.and(Effects::SENDS_DATA).and(Effects::PUSHES),
        verb: "",
    },
    Deed { words: &["restart", "kill", "stop the"], effects: Effects::KILLS.and(Effects::SYSTEM), verb: "" },
    Deed { words: &["sudo", "root"], effects: Effects::PRIVILEGE, verb: "" },
];

/// Words that forbid changing something that is named.
const CHANGES: &[&str] = &[
    "touch",
    "change",
    "modify",
    "edit",
    "hands off",
    "leave",
    "overwrite",
    "write",
    "alone",
    "finger weg",
    "ändern",
    "anfassen",
    "toques",
    "modifi",
    "touche",
    "动",
    "改",
    "rename",
    "move",
];

/// The boundary that the call crosses, in the user's words.
pub(super) fn crossed(call: &ToolCall, view: &View, transcript: &Transcript) -> Option<String> {
    let mut bans: Vec<(String, Ban)> = Vec::new();
    for turn in transcript.human_turns() {
        // As long as nothing is forbidden, there is nothing to lift.
        if bans.is_empty() && !may_forbid(turn) {
            continue;
        }
        for (mood, sentence) in sentences(turn) {
            match mood {
                Mood::Ban => bans.extend(banned(&sentence).map(|ban| (sentence.trim().to_owned(), ban))),
                // Asking for the deed itself lifts the ban, for what is asked.
                Mood::Request => bans.retain_mut(|(_, ban)| !ban.is_lifted_by(&sentence)),
                Mood::Question => {}
            }
        }
    }
    let broken = bans.into_iter().find(|(_, ban)| ban.forbids(call, view));
    broken.map(|(sentence, _)| sentence)
}

enum Ban {
    Deed {
        deed: &'static Deed,
        /// What the user named; without a name it is forbidden altogether.
        objects: Vec<String>,
        /// What the user asked for later.
        lifted: Vec<String>,
    },
    Place(String),
}

/// Words after a deed that name what every such deed is about.
const USUAL: &[&str] = &[
    "remote", "upstream", "origin", "work", "commit", "commits", "result", "results", "fix", "all", "again",
    "up", "back", "local", "when", "done", "ready", "once", "if", "tests", "pass", "go", "ahead", "then",
    "directly", "straight", "away", "after", "thanks", "thank", "ok", "okay", "is", "was", "be", "can",
    "may",
];

/// Words after a deed that name nothing.
const EMPTY: &[&str] = &[
    "it",
    "them",
    "this",
    "that",
    "anything",
    "nothing",
    "any",
    "yet",
    "please",
    "now",
    "the",
    "a",
    "an",
    "to",
    "my",
    "our",
    "your",
    "on",
    "in",
    "of",
    "for",
    "with",
    "files",
    "file",
    "stuff",
    "things",
    "changes",
    "code",
    "branch",
    "branches",
    "new",
    "else",
    "other",
    "or",
    "and",
    "machine",
    "here",
    "there",
    "from",
    "packages",
    "package",
    "dependencies",
    "everything",
    "anywhere",
    "out",
    "until",
    "before",
    "without",
    "me",
    "i",
    "we",
    "you",
    "say",
    "so",
    "asking",
];

/// What the user says the deed is about; nothing where it is forbidden altogether.
fn objects(sentence: &str, deed: &Deed) -> Vec<String> {
    let after = deed.words.iter().filter_map(|word| {
        let at = sentence.find(word)? + word.trim_end().len();
        sentence.get(at..)
    });
    named(after.min_by_key(|rest| rest.len()).unwrap_or_default())
}

/// The words that name something; the rest of the deed's own word is none of them (`pushing`).
fn named(rest: &str) -> Vec<String> {
    let end = rest.find(|it: char| !it.is_alphanumeric());
    let rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    let plain = |word: &str| {
        word.trim_matches(|it: char| !(it.is_alphanumeric() || "/_-.".contains(it)))
            .trim_end_matches('.')
            .to_owned()
    };
    rest.split_whitespace()
        .map(plain)
        .filter(|word| word.len() > 1 && !EMPTY.contains(&word.as_str()))
        .collect()
}

/// What a request asks the deed for, if it asks for it at all.
fn asked(sentence: &str, deed: &Deed) -> Option<Vec<String>> {
    let places = deed.words.iter().flat_map(|word| {
        let at = sentence.match_indices(word).map(|(at, _)| at);
        at.filter(|at| is_asked(sentence, *at)).map(|at| at + word.trim_end().len())
    });
    let rest = sentence.get(places.min()?..)?;
    Some(named(rest).into_iter().filter(|word| !USUAL.contains(&word.as_str())).collect())
}

/// What a sentence forbids.
fn banned(sentence: &str) -> impl Iterator<Item = Ban> {
    let deeds = DEEDS.iter().filter(|deed| deed.words.iter().any(|word| sentence.contains(word)));
    let changes = CHANGES.iter().any(|word| sentence.contains(word));
    let place = |word: &&str| word.len() > 2 && (word.contains('/') || word.trim_matches('.').contains('.'));
    let trim = |word: &str| {
        word.trim_matches(|it: char| "\"'`,;:!?()".contains(it)).trim_end_matches('.').to_owned()
    };
    let words = sentence.split_whitespace().filter(|_| changes).filter(place).map(trim).map(Ban::Place);
    let deeds = deeds.map(|deed| Ban::Deed { deed, objects: objects(sentence, deed), lifted: Vec::new() });
    deeds.chain(words).collect::<Vec<_>>().into_iter()
}

/// Words with which people ask for a file to be changed.
const EDITS: &[&str] = &[
    "touch",
    "change",
    "modify",
    "edit",
    "overwrite",
    "write",
    "rename",
    "move",
    "update",
    "fix",
    "add",
    "remove",
    "delete",
    "set",
    "put",
    "replace",
    "adapt",
    "adjust",
    "ändere",
    "cambia",
    "改",
];

impl Ban {
    /// Whether nothing is left of the ban after this request.
    fn is_lifted_by(&mut self, sentence: &str) -> bool {
        match self {
            Ban::Deed { deed, lifted, .. } => {
                let Some(objects) = asked(sentence, deed) else { return false };
                let all = objects.is_empty();
                lifted.extend(objects);
                all
            }
            Ban::Place(place) => {
                // The place has to be what is asked to be changed, not only named beside it.
                let asks = |word: &str| {
                    let mut at = sentence.match_indices(word).filter(|(at, _)| is_asked(sentence, *at));
                    at.any(|(at, _)| {
                        let rest = sentence.get(at..).unwrap_or_default();
                        names(rest.split(" and ").next().unwrap_or_default(), place)
                    })
                };
                EDITS.iter().any(|word| asks(word))
            }
        }
    }

    fn forbids(&self, call: &ToolCall, view: &View) -> bool {
        match self {
            Ban::Deed { deed, objects, lifted } => {
                view.reading.iter().flat_map(|reading| &reading.commands).any(|command| {
                    let told = command.span.of(&view.line).to_lowercase();
                    let says = |object: &String| told.contains(object.as_str());
                    // Without the name of a branch, a push may go to any.
                    let bare = deed.verb == "push" && command.arguments.len() <= 2;
                    let meant = objects.is_empty() || bare || objects.iter().any(says);
                    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
                    let git = command.program.as_deref() == Some("git");
                    meant
                        && !lifted.iter().any(says)
                        && (command.own.meets(deed.effects)
                            || (git && verb.is_some_and(|verb| verb.text == deed.verb)))
                })
            }
            Ban::Place(place) => {
                let named = format!(
                    "/{}",
                    place.trim_end_matches('/').trim_start_matches("./").trim_start_matches('/')
                );
                let whole = format!("{}{named}", call.cwd.to_lowercase());
                let mut touched = view.paths.iter().filter(|path| path.access != Access::Read);
                let edits = call.tool.edits_files() || call.tool.is_shell();
                edits
                    && touched.any(|path| {
                        let lower = path.path.to_lowercase();
                        // A folder that is taken away takes what lies in it along.
                        let folder = path.access == Access::Delete && whole.starts_with(&format!("{lower}/"));
                        folder || lower.contains(&named)
                    })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_decide::Context;
    use serde_json::json;

    use super::*;

    fn crosses(said: &[&str], command: &str) -> bool {
        let mut transcript = Transcript::default();
        for turn in said {
            transcript.push_human(*turn);
        }
        let call = ToolCall::new("Bash", json!({ "command": command }), "/p");
        let view = View::of(&call, &Context::new("/p", "/home/u"));
        crossed(&call, &view, &transcript).is_some()
    }

    /// [C17]
    #[test]
    fn a_boundary_holds_until_it_is_lifted() {
        assert!(crosses(&["Fix it, but don't push."], "git push origin fix"));
        assert!(crosses(&["Fix it, but don't push.", "Looks good?"], "git push origin fix"));
        assert!(!crosses(&["Fix it, but don't push.", "Good. Push it now."], "git push origin fix"));
        assert!(!crosses(&["Fix it, but don't push."], "git commit -m fix"));
        assert!(crosses(&["Do not touch config/local.yaml."], "cp a.yaml config/local.yaml"));
        assert!(!crosses(&["Do not touch config/local.yaml."], "cp a.yaml config/dev.yaml"));
        assert!(!crosses(&["Commit but don't push."], "git commit -m x"));
        assert!(!crosses(&["Don't push to main."], "git push origin feat/x"));
        assert!(crosses(&["Don't push to main."], "git push origin main"));
        assert!(!crosses(&["Don't remove the old endpoint."], "rm -rf dist"));
        assert!(!crosses(&["Install httpx instead of requests."], "pip install httpx"));
        assert!(!crosses(&["Stop the dev server."], "kill %1"));
        assert!(crosses(&["Bitte nichts löschen, nicht pushen."], "git push"));
        assert!(crosses(&["Don\u{2019}t push."], "git push origin fix"));
        assert!(crosses(&["Do not push. Fix the push handler."], "git push origin fix"));
        assert!(crosses(&["Don't push.", "Push to main."], "git push origin fix"));
        assert!(!crosses(&["Don't push.", "Push to main."], "git push origin main"));
        assert!(crosses(&["Do not touch a.yml. Read a.yml and fix b.yml."], "cp x a.yml"));
        assert!(!crosses(&["Do not touch a.yml.", "Change a.yml."], "cp x a.yml"));
        assert!(crosses(&["Stop pushing."], "git push origin fix"));
        assert!(!crosses(&["Stop the server and push."], "git push origin fix"));
    }
}
