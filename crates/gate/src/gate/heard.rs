//! The user's words outside the transcript (SPEC C19): prompts that the host reports, and those of the session that
//! started this one.
//!
//! Hosts report a prompt before its first call, when most have not written their transcript yet, and some never write
//! one that can be read. So prompts are kept with the session. Any program of the user could report one: a reported
//! prompt can forbid, and allows nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use portcullis_classify::redact;
use portcullis_classify::transcript::{Format, Transcript, typed};

use super::Gate;
use super::request::{Conversation, Request};
use crate::settle::OutsideWords;
use crate::store::SessionRow;

/// How many prompts of a session are kept, and how long each may be.
const MOST_PROMPTS: usize = 64;
const LONGEST_PROMPT: usize = 64 << 10;
/// How far up the line of sessions is gone.
const MOST_PARENTS: usize = 8;
/// How many folders are looked through for the conversation of a parent.
const MOST_FOLDERS: usize = 1000;

/// A prompt of the user, as the host reports it before the session's next call.
#[derive(Clone, Debug)]
pub struct HostPrompt {
    /// The session it was typed in.
    pub session: String,
    /// The agent's name.
    pub agent: String,
    /// The prompt.
    pub words: String,
    /// Where the session's transcript is.
    pub conversation: Conversation,
}

impl Gate {
    /// Keeps a prompt that the host reports, with its session, without credentials. Text that no person typed is
    /// ignored.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn note_prompt(&self, said: &HostPrompt) -> Result<(), String> {
        let Some(words) = typed(&said.words) else { return Ok(()) };
        let words = redact(&shortened(&words)).into_owned();
        let (id, agent, path) = (said.session.clone(), said.agent.clone(), path_of(&said.conversation));
        let now = (self.inside.options.now)();
        let written = self.store_mut(move |ledger| {
            let known = ledger.session(&id)?;
            let mut row =
                known.unwrap_or_else(|| SessionRow { id, agent, created: now, ..SessionRow::default() });
            if row.prompts.last() != Some(&words) {
                row.prompts.push(words);
            }
            row.prompts_lost |= row.prompts.len() > MOST_PROMPTS;
            let old = row.prompts.len().saturating_sub(MOST_PROMPTS);
            row.prompts.drain(..old);
            row.transcript_path = path.or(row.transcript_path.take());
            row.last = now;
            ledger.put_session(&row)
        });
        written.map_err(|error| {
            self.failed("prompt-not-noted");
            error.to_string()
        })
    }

    /// What the user is known to have said besides what stands in the conversation.
    pub(super) fn outside_words(
        &self,
        request: &Request,
        row: &SessionRow,
        talk: &Transcript,
        problem: Option<&str>,
    ) -> OutsideWords {
        let parent = request.parent.clone().or_else(|| row.parent.clone()).or_else(|| talk.parent.clone());
        // What a sub-agent is told, the agent that started it wrote.
        let own: &[String] = if parent.is_some() { &[] } else { &row.prompts };
        let (mut before, after) = beside(talk, own);
        let mut next = parent;
        for _ in 0..MOST_PARENTS {
            let Some(id) = next.filter(|id| *id != row.id) else { break };
            let (said, above) = self.said_to(&id, request);
            before.splice(0..0, said);
            next = above;
        }
        let heard = talk.human_turns().next().is_some() || !before.is_empty() || !after.is_empty();
        let unread = match &request.conversation {
            // Whoever hands a conversation over has read it.
            Conversation::Given(_) => None,
            _ if heard && !(row.prompts_lost && talk.entries.is_empty()) => None,
            _ if heard => Some("the user's earlier words are no longer kept".to_owned()),
            Conversation::None => Some("nothing of the conversation can be read".to_owned()),
            Conversation::File(..) => Some(match problem {
                Some(why) => format!("the conversation cannot be read ({why})"),
                None => "the conversation holds nothing that a person said".to_owned(),
            }),
        };
        OutsideWords { before, after, unread }
    }

    /// What a person said in a session that started another one, and which session started it in turn.
    fn said_to(&self, id: &str, child: &Request) -> (Vec<String>, Option<String>) {
        let row = self.session(id).ok().flatten();
        let format =
            if let Conversation::File(_, format) = &child.conversation { *format } else { Format::Detect };
        let path = row.as_ref().and_then(|row| row.transcript_path.clone()).map(PathBuf::from);
        let path = path.or_else(|| rollout(&child.conversation, id));
        let talk =
            path.map(|path| self.inside.talks.read(&path, format, &child.call.cwd).0).unwrap_or_default();
        let mut said: Vec<String> = talk.human_turns().map(str::to_owned).collect();
        if let Some(row) = &row {
            let (before, after) = beside(&talk, &row.prompts);
            said.splice(0..0, before);
            said.extend(after);
        }
        (said, row.and_then(|row| row.parent).or(talk.parent))
    }
}

/// Where a conversation is written down.
pub(super) fn path_of(talk: &Conversation) -> Option<String> {
    match talk {
        Conversation::File(path, _) => path.to_str().map(str::to_owned),
        Conversation::None | Conversation::Given(_) => None,
    }
}

/// The prompts that do not stand in the conversation: those before the last one that does, and those after it.
fn beside(talk: &Transcript, prompts: &[String]) -> (Vec<String>, Vec<String>) {
    if prompts.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let turns: Vec<String> = talk.human_turns().map(|turn| plain(&redact(turn))).collect();
    // Each stands in a turn of its own, in their order; what an agent adds to a prompt stands beside it in the turn.
    let mut left = turns.as_slice();
    let mut holds = |words: &String| {
        let words = plain(words);
        let in_turn = |turn: &String| turn.starts_with(words.as_str()) || turn.ends_with(words.as_str());
        let found = left.iter().position(in_turn);
        left = found.and_then(|at| left.get(at + 1..)).unwrap_or(left);
        found.is_some()
    };
    let held: Vec<bool> = prompts.iter().map(&mut holds).collect();
    let last = held.iter().rposition(|held| *held).map_or(0, |at| at + 1);
    let missing = prompts.iter().zip(held).enumerate().filter(|(_, (_, held))| !held);
    let (before, after): (Vec<_>, Vec<_>) = missing.partition(|(at, _)| *at < last);
    let words =
        |all: Vec<(usize, (&String, bool))>| all.into_iter().map(|(_, (words, _))| words.clone()).collect();
    (words(before), words(after))
}

/// A text with one blank wherever there are any.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is kept of a long prompt: its beginning and its end.
fn shortened(words: &str) -> String {
    if words.len() <= LONGEST_PROMPT {
        return words.to_owned();
    }
    let half = LONGEST_PROMPT / 2;
    let (head, tail) = (words.floor_char_boundary(half), words.ceil_char_boundary(words.len() - half));
    let part = |range: Option<&str>| range.unwrap_or_default().to_owned();
    format!("{}\n{}", part(words.get(..head)), part(words.get(tail..)))
}

/// Where Codex wrote down the session of this name: beside that of the sub-agent, or in the folder of another day.
fn rollout(talk: &Conversation, id: &str) -> Option<PathBuf> {
    let Conversation::File(child, Format::Codex) = talk else { return None };
    let usual = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if id.len() < 8 || !id.bytes().all(usual) {
        return None;
    }
    let ending = format!("-{id}.jsonl");
    let here = child.parent()?;
    if let Some(found) = ends_with(here, &ending).1 {
        return Some(found);
    }
    let root = here.ancestors().find(|folder| folder.file_name() == Some(OsStr::new("sessions")))?;
    let mut folders = vec![root.to_path_buf()];
    for _ in 0..MOST_FOLDERS {
        let (inner, found) = ends_with(&folders.pop()?, &ending);
        if found.is_some() {
            return found;
        }
        folders.extend(inner);
    }
    None
}

/// The folders in a folder, and the file whose name ends so.
fn ends_with(folder: &Path, ending: &str) -> (Vec<PathBuf>, Option<PathBuf>) {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.ends_with(ending)) {
            return (folders, Some(entry.path()));
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders.sort();
    (folders, None)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gate::house::House;

    fn house() -> House {
        House::new(&json!({ "permissions": { "defaultMode": "auto" } }))
    }

    fn told(house: &House, request: &Request) -> String {
        house.gate.judge_blocking(request).enforced.name().to_owned()
    }

    fn say(house: &House, session: &str, words: &str) {
        let (session, agent) = (session.to_owned(), "test".to_owned());
        house
            .gate
            .note_prompt(&HostPrompt {
                session,
                agent,
                words: words.to_owned(),
                conversation: Conversation::None,
            })
            .unwrap();
    }

    fn push(house: &House) -> Request {
        house.call("Bash", json!({ "command": "git push origin topic" }))
    }

    /// [C19] client-D8
    #[test]
    fn a_prompt_that_was_told_of_binds_from_the_first_call() {
        let house = house();
        say(&house, "s1", "Fix the tests, and do not push anything.");
        assert_eq!(told(&house, &push(&house)), "deny");
        assert_eq!(told(&house, &house.call("Bash", json!({ "command": "npm test" }))), "allow");
        say(&house, "s1", "<task-notification>done</task-notification>");
        say(&house, "s1", "Now push it.");
        assert_eq!(told(&house, &push(&house)), "ask");
        let row = house.gate.session("s1").unwrap().unwrap();
        assert_eq!((row.prompts.len(), row.root.is_empty()), (2, false));
    }

    /// [C2], [C19] What stands in the conversation as well is not heard twice, so that consent there is the last word.
    #[test]
    fn a_prompt_that_the_conversation_holds_is_not_heard_twice() {
        let mut talk = Transcript::default();
        talk.push_human("Fix  the\ntests. [Image #1]");
        talk.push_human("Now push it to main.");
        let prompts: Vec<String> = ["Fix the tests.", "Look at @a.rs", "Now push it to main.", "And wait."]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(beside(&talk, &prompts), (vec![prompts[1].clone()], vec![prompts[3].clone()]));
        assert_eq!(beside(&talk, &prompts[..3]), (vec![prompts[1].clone()], Vec::new()));
        let again = ["Fix the tests.", "Now push it to main.", "Fix the tests."].map(str::to_owned);
        assert_eq!(beside(&talk, &again), (Vec::new(), vec![again[2].clone()]), "it was said again");
        assert_eq!(beside(&Transcript::default(), &prompts), (Vec::new(), prompts));
    }

    /// [T1], [C19] What comes before the first call says neither where the session is nor what may be done.
    #[test]
    fn a_prompt_neither_sets_the_root_nor_allows_anything() {
        let house = house();
        say(&house, "s1", "Force-push main to origin.");
        let force = house.call("Bash", json!({ "command": "git push --force origin main" }));
        assert_ne!(told(&house, &force), "allow");
        let row = house.gate.session("s1").unwrap().unwrap();
        assert_eq!(row.root, force.call.cwd);
    }

    /// [C19] client-D7
    #[test]
    fn where_nothing_can_be_read_what_is_often_forbidden_is_asked_about() {
        let house = house();
        for talk in
            [Conversation::None, Conversation::File("/nowhere/at/all.jsonl".into(), Format::ClaudeCode)]
        {
            let about = format!("{talk:?}");
            assert_eq!(
                told(&house, &Request { conversation: talk.clone(), ..push(&house) }),
                "ask",
                "{about}"
            );
            let test = house.call("Bash", json!({ "command": "npm test" }));
            assert_eq!(told(&house, &Request { conversation: talk, ..test }), "allow", "{about}");
        }
        assert!(house.gate.session("s1").unwrap().unwrap().unread.is_some());
        let mut given = Transcript::default();
        given.push_human("Fix the tests.");
        assert_eq!(
            told(&house, &Request { conversation: Conversation::Given(given), ..push(&house) }),
            "allow"
        );
        assert!(house.gate.session("s1").unwrap().unwrap().unread.is_none());
    }

    /// [C19] client-D5 The child's own prompt was written by the agent that started it.
    #[test]
    fn a_sub_agent_is_under_the_boundaries_of_whoever_started_it() {
        let house = house();
        say(&house, "top", "Do not push anything.");
        let middle =
            Request { parent: Some("top".to_owned()), ..house.call("Bash", json!({ "command": "ls" })) };
        assert_eq!(told(&house, &middle), "allow");
        let mut below = push(&house);
        below.call.session = Some("below".to_owned());
        below.parent = Some("s1".to_owned());
        say(&house, "below", "Push it to origin.");
        assert_eq!(told(&house, &below), "deny");
    }

    /// [C19] client-D5
    #[test]
    fn a_rollout_names_the_session_that_started_it() {
        let house = house();
        let folder = tempfile::tempdir().unwrap();
        let day = |name: &str| folder.path().join("sessions/2026/11").join(name);
        for name in ["17", "18"] {
            std::fs::create_dir_all(day(name)).unwrap();
        }
        let parent = "01a1ef24-c02d-7341-bbd2-295be475bcd2";
        let said = r#"{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"Do not push anything."}}"#;
        std::fs::write(
            day("17").join(format!("rollout-2026-11-17T14-52-05-{parent}.jsonl")),
            format!("{said}\n"),
        )
        .unwrap();
        let forms = [
            json!({ "id": "c", "cwd": "/p", "parent_thread_id": parent }),
            json!({ "id": "c", "cwd": "/p", "source": { "subagent": { "thread_spawn": { "parent_thread_id": parent, "depth": 1 } } } }),
        ];
        for (number, meta) in forms.iter().enumerate() {
            let child = day("18").join(format!("rollout-2026-11-18T14-52-05-child{number}.jsonl"));
            let meta = json!({ "timestamp": "t", "type": "session_meta", "payload": meta });
            let task = json!({ "timestamp": "t", "type": "event_msg", "payload": { "type": "user_message", "message": "Push it." } });
            // The last line may not be written whole yet.
            for end in ["\n", "\n{\"timest"] {
                std::fs::write(&child, format!("{meta}\n{task}{end}")).unwrap();
                let mut request = push(&house);
                request.call.session = Some(format!("child{number}"));
                request.conversation = Conversation::File(child.clone(), Format::Codex);
                assert_eq!(told(&house, &request), "deny", "{meta}");
            }
        }
    }
}
