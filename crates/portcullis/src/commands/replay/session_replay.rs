//! One recorded session on its way through the gate.

use std::io::BufRead;

use portcullis_classify::transcript::{Entry, Format, Layout, Recorded};
use portcullis_decide::ToolCall;

use super::conversation::{self, Conversation};
use super::judging::{Met, Policy, Ruled, Standing};
use super::work::{LONGEST_PAUSE_MS, Work};
use crate::commands::log::view;

/// How many sessions of one recording are followed at once; of more, the one that was silent longest is forgotten.
const MOST_SESSIONS: usize = 256;

/// How much of a call is kept to be shown.
const SHOWN: usize = 400;

/// The policies that calls are judged under.
pub(super) struct Policies {
    pub(super) first: Policy,
    /// The one that it is compared with.
    pub(super) other: Option<Policy>,
}

/// A session: what was said, and what each policy makes of it.
struct Course {
    conversation: Conversation,
    /// Where it began (T1).
    root: Option<String>,
    standings: Option<(Standing, Option<Standing>)>,
    last_ms: Option<u64>,
}

/// The sessions of one recording: one, except for the gate's own log.
pub(super) struct Courses<'p> {
    policies: &'p Policies,
    /// The one that spoke last is the last.
    running: Vec<(Option<String>, Course)>,
    /// How many sessions there were.
    pub(super) begun: u64,
    /// The directory that the recording names before anything is said or done.
    began_at: Option<String>,
}

/// What a call was, and what it gets.
pub(super) struct Row {
    pub(super) tool: String,
    /// What it is about, without credentials and in one line.
    pub(super) text: String,
    pub(super) id: Option<String>,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) time_ms: Option<u64>,
    pub(super) ruled: Ruled,
    /// The same under the policy that is compared with.
    pub(super) other: Option<Ruled>,
}

/// Where a line of the recording stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) time_ms: Option<u64>,
    pub(super) cwd: Option<&'a str>,
}

impl<'p> Courses<'p> {
    pub(super) const fn new(policies: &'p Policies) -> Courses<'p> {
        Courses { policies, running: Vec::new(), begun: 0, began_at: None }
    }

    /// Takes in what was said or done; a call is judged.
    pub(super) fn take<R: BufRead>(
        &mut self,
        entry: Entry,
        place: Place<'_>,
        recorded: &Recorded<R>,
        work: &mut Work,
    ) -> Option<Row> {
        let policies = self.policies;
        let course = self.course(&entry, recorded.format());
        course.is_at(place, work);
        let size = conversation::size(&entry);
        let shown = Layout::JsonLines.shown_bytes(&entry);
        let row = match &entry {
            Entry::User { .. } => None,
            Entry::Call(call) => {
                let mut call = call.clone();
                call.cwd = policies.first.judge.absolute(&call.cwd);
                Some(course.judge(&call, place, (size, shown), policies, recorded))
            }
        };
        course.conversation.add(entry, size, shown);
        row
    }

    /// Notes when a line was written that says nothing to a judge: a result or the agent's prose is work, too.
    pub(super) fn hear(&mut self, place: Place<'_>, work: &mut Work) {
        // Where a recording mixes sessions, such a line is of none of them.
        match self.running.iter_mut().find(|(id, _)| id.is_none()) {
            Some((_, course)) => course.is_at(place, work),
            None if self.began_at.is_none() => self.began_at = place.cwd.map(str::to_owned),
            None => {}
        }
    }

    /// The session that an entry belongs to.
    fn course(&mut self, entry: &Entry, format: Option<Format>) -> &mut Course {
        // Only the gate's own log mixes sessions; elsewhere an id changes when a session is taken up again.
        let id = match entry {
            Entry::Call(call) if format == Some(Format::AuditLog) => call.session.clone(),
            Entry::Call(_) | Entry::User { .. } => None,
        };
        if let Some(at) = self.running.iter().position(|(known, _)| *known == id) {
            let found = self.running.remove(at);
            self.running.push(found);
        } else {
            if self.running.len() >= MOST_SESSIONS {
                self.running.remove(0);
            }
            self.begun += 1;
            let conversation = Conversation::new(self.policies.first.room());
            let root = self.began_at.clone().filter(|_| id.is_none());
            self.running.push((id, Course { conversation, root, standings: None, last_ms: None }));
        }
        let at = self.running.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "something was put there just now")]
        &mut self.running[at].1
    }
}

impl Course {
    /// Notes where and when the session is, and the time at work since it was last heard of.
    fn is_at(&mut self, place: Place<'_>, work: &mut Work) {
        if self.root.is_none() {
            self.root = place.cwd.map(str::to_owned);
        }
        let Some(now) = place.time_ms else { return };
        if let Some(before) = self.last_ms.replace(now) {
            work.add((before.min(now), now.min(before.saturating_add(LONGEST_PAUSE_MS))));
        }
    }

    fn judge<R: BufRead>(
        &mut self,
        call: &ToolCall,
        place: Place<'_>,
        (size, shown): (usize, usize),
        policies: &Policies,
        recorded: &Recorded<R>,
    ) -> Row {
        // A call may be made elsewhere than where the session began.
        let root = self.root.get_or_insert_with(|| policies.first.judge.cwd());
        let begin = || (policies.first.begin(root), policies.other.as_ref().map(|other| other.begin(root)));
        let (standing, other_standing) = self.standings.get_or_insert_with(begin);
        let (incomplete, before) = (self.conversation.has_lost_words, self.conversation.shown());
        let talk = recorded.as_of_now(&mut self.conversation.kept);
        let shown = before.saturating_add(shown);
        let keeps_shell = recorded.format().is_none_or(keeps_shell);
        let met = Met { call, talk: &talk, incomplete, size, shown, keeps_shell };
        let ruled = standing.judge(&met, &policies.first);
        let other = other_standing.as_mut().zip(policies.other.as_ref());
        let other = other.map(|(standing, policy)| standing.judge(&met, policy));
        Row {
            tool: call.tool.name().to_owned(),
            text: view::shortened(&view::call(&call.input), SHOWN),
            id: call.id.clone(),
            session: call.session.clone(),
            agent: call.agent.clone(),
            time_ms: place.time_ms,
            ruled,
            other,
        }
    }
}

/// Whether the agents that write this form run a command in the shell of an earlier one.
const fn keeps_shell(format: Format) -> bool {
    match format {
        Format::ClaudeCode | Format::Codex | Format::Gemini | Format::Qwen | Format::OpenCode => false,
        Format::Detect | Format::Plain | Format::AuditLog => true,
    }
}

impl Row {
    /// Whether the other policy rules otherwise; not, where there is none.
    pub(super) fn differs(&self) -> bool {
        self.other.as_ref().is_some_and(|other| other.decision != self.ruled.decision)
    }
}
