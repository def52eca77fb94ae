//! Everything that one judgement depends on, gathered before it begins.

use std::path::Path;
use std::sync::Arc;

use portcullis_classify::judge::Strictness;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::session::SessionFacts;
use portcullis_decide::view::View;
use portcullis_decide::{Context, Mode, Reason, Switches, Tool};
use sha2::{Digest, Sha256};

use super::request::{Conversation, People, Request};
use super::{Gate, heard};
use crate::error::GateError;
use crate::pipeline;
use crate::settings::{Loaded, Overrides, Places, find_project, session_mode};
use crate::settle::OutsideWords;
use crate::store::{SessionRow, hex};

/// The longest name of a session that is taken.
const LONGEST_ID: usize = 512;

/// One call with all that its judgement depends on.
pub(crate) struct Case {
    pub(crate) request: Request,
    pub(crate) settings: Arc<Loaded>,
    pub(crate) context: Context,
    /// The session as it was when the judgement began.
    pub(crate) row: SessionRow,
    pub(crate) talk: Transcript,
    /// Why the conversation cannot be relied on.
    pub(crate) talk_problem: Option<String>,
    /// What else the user is known to have said.
    pub(crate) outside_words: OutsideWords,
    /// The input that a hook gave the call in place of the one that was sent (T5).
    pub(crate) changed: Option<serde_json::Value>,
    /// The grant that clears the call (A5).
    pub(crate) grant: Option<i64>,
    /// What the call touches, as the walk saw it.
    pub(crate) view: View,
}

/// Why a case cannot be put together.
pub(crate) enum Refusal {
    /// The request itself is wrong (F12).
    Invalid(String),
    /// Something that is needed does not work (A3).
    Unavailable(String),
}

impl Refusal {
    pub(crate) fn reason(self) -> Reason {
        match self {
            Refusal::Invalid(problem) => Reason::Invalid(problem),
            Refusal::Unavailable(problem) => Reason::Unavailable(problem),
        }
    }
}

impl Gate {
    /// Gathers what the judgement of a request depends on.
    pub(crate) fn case(&self, request: Request) -> Result<Case, Refusal> {
        validate(&request).map_err(Refusal::Invalid)?;
        let session = request.session();
        let known = self.session(&session).map_err(|error| Refusal::Unavailable(error.to_string()))?;
        // A prompt that the host told of is not yet a call.
        let fresh = known.as_ref().is_none_or(|row| !row.begun);
        let mut row = match known {
            Some(row) if row.begun => row,
            Some(SessionRow { prompts, prompts_lost, created, .. }) => {
                SessionRow { created, prompts, prompts_lost, ..self.new_session(&session, &request) }
            }
            None => self.new_session(&session, &request),
        };
        let settings = self.settings_for(&row).map_err(|error| Refusal::Unavailable(error.to_string()))?;
        let mut context = settings.context(&row.root, &self.home());
        context.dialect = request.dialect.unwrap_or(self.inside.options.dialect);
        context.keeps_shell = request.keeps_shell;
        context.clock = super::clock::micros;
        context.mode = mode(&settings, &request);
        context.denials = row.denials;
        context.began = Some(row.created);
        context.gate = self.parts();
        context.switches.avoid_prompts = self.nobody_to_ask(&request, &row);
        let (talk, talk_problem) =
            if needs_talk(&context, fresh) { self.talk_of(&request) } else { (Transcript::default(), None) };
        if fresh {
            // A session that is met halfway has a past.
            row.facts = talk.calls().fold(SessionFacts::default(), |facts, call| facts.after(call, &context));
        }
        context.session = row.facts.clone();
        let outside_words = match context.effective_mode() {
            Mode::Auto => self.outside_words(&request, &row, &talk, talk_problem.as_deref()),
            Mode::Default | Mode::AcceptEdits | Mode::Plan | Mode::DontAsk | Mode::Bypass => {
                OutsideWords::default()
            }
        };
        row.transcript_path = heard::path_of(&request.conversation).or(row.transcript_path.take());
        row.unread.clone_from(&outside_words.unread);
        Ok(Case {
            request,
            settings,
            context,
            row,
            talk,
            talk_problem,
            outside_words,
            changed: None,
            grant: None,
            view: View::default(),
        })
    }

    /// The conversation that a request is part of, and why it cannot be relied on, if it cannot.
    fn talk_of(&self, request: &Request) -> (Transcript, Option<String>) {
        match &request.conversation {
            Conversation::None => (Transcript::default(), None),
            Conversation::Given(talk) => (talk.clone(), None),
            Conversation::File(path, format) => self.inside.talks.read(path, *format, &request.call.cwd),
        }
    }

    /// Where the settings of a session lie.
    pub(crate) fn places_of(&self, row: &SessionRow) -> Places {
        let project = find_project(Path::new(&row.root));
        Places { project, ..self.inside.options.places.clone() }
    }

    /// The settings in force for a session.
    pub(crate) fn settings_for(&self, row: &SessionRow) -> Result<Arc<Loaded>, GateError> {
        let places = self.places_of(row);
        // FAIL-CLOSED(broken-session): a mode that cannot be read back is not taken to be any other.
        let mut chosen = session_mode(&places, &row.id)?;
        if let (None, Some(parent)) = (&chosen, &row.parent) {
            chosen = session_mode(&places, parent)?;
        }
        let overrides = Overrides {
            session: chosen,
            session_rules: row.rules.clone(),
            ..self.inside.options.overrides.clone()
        };
        Ok(self.inside.settings.get(&places, &overrides))
    }

    /// Whether nobody can be asked (M1, H5): a caller without people, or a background agent, and no approver.
    pub(super) fn nobody_to_ask(&self, request: &Request, row: &SessionRow) -> bool {
        let waiting = self.inside.approvals.is_attended();
        match request.people {
            People::Nobody => true,
            People::Approver => !waiting,
            People::Host => is_worker(request, row) && !waiting,
        }
    }

    fn new_session(&self, id: &str, request: &Request) -> SessionRow {
        let now = (self.inside.options.now)();
        SessionRow {
            id: id.to_owned(),
            agent: request.agent.clone(),
            // The root is fixed when the session begins (T1).
            root: request.root.clone().unwrap_or_else(|| request.call.cwd.clone()),
            parent: request.parent.clone(),
            created: now,
            last: now,
            begun: true,
            ..SessionRow::default()
        }
    }

    pub(crate) fn home(&self) -> String {
        self.inside.options.places.home.to_string_lossy().into_owned()
    }
}

impl Case {
    /// What an answer holds for besides the call itself: a verdict that comes after any of it changed is dropped
    /// (R12).
    pub(crate) fn binding(&self) -> String {
        let context = &self.context;
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        };
        add(context.mode.name());
        context.roots.iter().for_each(|root| add(root));
        for rule in context.rules.all() {
            add(rule.list.name());
            add(&rule.text);
            add(&rule.origin.to_string());
        }
        // Whether somebody sits at an approver says nothing about what is right.
        let switches = Switches { avoid_prompts: false, ..context.switches.clone() };
        add(&format!("{switches:?}"));
        context.detectors.iter().for_each(|(id, level)| add(&format!("{id} {}", level.name())));
        // What the user says meanwhile may forbid the call.
        self.outside_words.after.iter().for_each(|words| add(words));
        hex(&hash.finalize())
    }

    /// How much the built-in judge lets pass.
    pub(crate) fn strictness(&self) -> Strictness {
        pipeline::strictness(&self.settings.settings, self.talk_problem.is_none())
    }

    /// Where the conversation is written down, if that is known.
    pub(crate) fn transcript_path(&self) -> Option<String> {
        match &self.request.conversation {
            Conversation::File(path, _) => path.to_str().map(str::to_owned),
            Conversation::None | Conversation::Given(_) => None,
        }
    }

    /// Whether what is decided is also done (M4).
    pub(crate) fn is_enforced(&self) -> bool {
        self.settings.settings.enforce.as_ref().is_none_or(|enforce| enforce.value)
    }
}

/// M3: the mode is ours; what the host says counts where it tightens, or where the user honours it.
fn mode(settings: &Loaded, request: &Request) -> Mode {
    let own = settings.settings.mode.as_ref().map_or(Mode::Default, |mode| mode.value);
    let Some(host) = request.host_mode.as_deref() else { return own };
    let honoured = settings.settings.honour_host_mode.as_ref();
    let honoured = honoured.is_some_and(|agents| agents.value.contains(&request.agent));
    match host.parse::<Mode>() {
        Ok(Mode::Plan) => Mode::Plan,
        Ok(mode) if honoured => mode,
        Ok(_) | Err(_) => own,
    }
}

/// F12: what every request has to have, before anything else is done with it.
fn validate(request: &Request) -> Result<(), String> {
    let call = &request.call;
    let named = |what: &str, text: &str| {
        let odd = text.is_empty() || text.len() > LONGEST_ID || text.chars().any(char::is_control);
        if odd { Err(format!("the {what} is empty, too long or not plain text")) } else { Ok(()) }
    };
    named("session", &request.session())?;
    named("agent", &request.agent)?;
    call.agent.as_deref().map_or(Ok(()), |worker| named("sub-agent", worker))?;
    if let Tool::Unknown(name) | Tool::Mcp(name) = &call.tool {
        named("tool", name)?;
    }
    let absolute = |path: &str| path.starts_with('/') && !path.contains('\0');
    if !absolute(&call.cwd) || !request.root.as_deref().is_none_or(absolute) {
        return Err("the working directory is not an absolute path".to_owned());
    }
    if !call.input.is_object() {
        return Err("the input is not an object".to_owned());
    }
    Ok(())
}

/// Whether the conversation has to be read: judges do, and so does a session that is met halfway.
fn needs_talk(context: &Context, fresh: bool) -> bool {
    fresh || context.effective_mode() == Mode::Auto
}

/// Whether a call is one of a sub-agent.
pub(crate) fn is_worker(request: &Request, row: &SessionRow) -> bool {
    request.call.agent.is_some() || row.parent.is_some()
}
