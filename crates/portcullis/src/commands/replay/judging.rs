//! What a policy makes of the calls of a session: the order of one call as the gate has it (SPEC F0), without the
//! parts that run programs, ask people or write something down.

use std::rc::Rc;
use std::time::Instant;

use portcullis_classify::framed::Framed;
use portcullis_classify::policy::Policy as Lists;
use portcullis_classify::prompt::{Prompt, Stage};
use portcullis_classify::request::{Case, Limits, Request};
use portcullis_classify::transcript::Transcript;
use portcullis_decide::session::{Denials, Outcome, SessionFacts};
use portcullis_decide::{Context, Decision, Mode, Reason, Ruling, ToolCall};
use portcullis_gate::hooks::{HookEvent, Hooks};
use portcullis_gate::pipeline::{self, Input, World, guarded, plain, refuse};
use portcullis_gate::settings::Loaded;
use portcullis_gate::settle::{Model, ModelEnvironment, Settled, auto_mode_lists};
use portcullis_gate::world::{project_instructions, surroundings};

use super::layer::Layer;
use crate::judge::{self, Judge, MoreRules};
use crate::strict_json::{MAX_CALL, Refused};

/// Tokens of the conversation that a model is shown unless a setting says otherwise.
const WINDOW: u64 = 60_000;

/// Bytes to a token, in halves, as the classifier reckons when it fills that window.
const HALF_BYTES_PER_TOKEN: u64 = 5;

/// Who may be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// Nobody outside this process.
    Nobody,
    /// The model that is configured.
    Model,
}

/// Settings under which sessions are replayed.
pub(super) struct Policy {
    pub(super) judge: Judge,
    asking: Asking,
}

/// The model in the settings.
enum Reviewer {
    /// There is none.
    None,
    /// There is one, and it is not asked.
    Silent,
    /// There is one to ask.
    Asked(Box<Model>),
}

/// A session under one policy.
pub(super) struct Standing {
    settings: Rc<Loaded>,
    root: String,
    facts: SessionFacts,
    denials: Denials,
    hooks: Hooks,
    reviewer: Reviewer,
    /// Bytes of a request to a classifier without conversation and action; known once it is needed.
    frame: Option<usize>,
}

/// What a call gets.
pub(super) struct Ruled {
    /// allow, ask, deny, or escalate: a model would be asked, and was not.
    pub(super) decision: &'static str,
    pub(super) layer: Layer,
    pub(super) ruling: Ruling,
    pub(super) micros: u64,
    /// Bytes of the first request to a classifier that was not needed.
    pub(super) spared: Option<usize>,
    /// Whether hooks of the user would have been asked first.
    pub(super) hooked: bool,
}

/// A call with what came before it.
pub(super) struct Met<'a> {
    pub(super) call: &'a ToolCall,
    pub(super) talk: &'a Transcript,
    /// Whether words of people are missing from it.
    pub(super) incomplete: bool,
    /// Bytes of its input.
    pub(super) size: usize,
    /// Bytes that a model would be shown of conversation and call.
    pub(super) shown: usize,
    /// Whether what a command sets in its shell is still there in the next one.
    pub(super) keeps_shell: bool,
}

impl Policy {
    pub(super) const fn new(judge: Judge, asking: Asking) -> Policy {
        Policy { judge, asking }
    }

    /// How many bytes of a conversation a model is shown.
    pub(super) fn room(&self) -> usize {
        let window = self.judge.loaded.settings.classifier.window.as_ref().map_or(WINDOW, |it| it.value);
        usize::try_from(window.saturating_mul(HALF_BYTES_PER_TOKEN) / 2).unwrap_or(usize::MAX)
    }

    /// A session that begins in `root`.
    pub(super) fn begin(&self, root: &str) -> Standing {
        let settings = self.judge.settings(root, &MoreRules::default());
        // Without a place for them no diagnostics are written.
        let model = Model::configured(&settings.settings, &ModelEnvironment::of_process(None));
        let reviewer = match (model, self.asking) {
            (None, _) => Reviewer::None,
            (Some(_), Asking::Nobody) => Reviewer::Silent,
            (Some(model), Asking::Model) => Reviewer::Asked(Box::new(model)),
        };
        let (hooks, _) = Hooks::from_settings(&settings.settings.hooks);
        Standing {
            settings,
            root: root.to_owned(),
            facts: SessionFacts::default(),
            denials: Denials::default(),
            hooks,
            reviewer,
            frame: None,
        }
    }
}

impl Standing {
    /// Judges a call, and goes on as if whoever was asked had agreed: the recording goes on too.
    pub(super) fn judge(&mut self, met: &Met<'_>, policy: &Policy) -> Ruled {
        let began = Instant::now();
        let mut context = policy.judge.context(&self.settings, &self.root, None);
        context.session = self.facts.clone();
        context.denials = self.denials;
        context.keeps_shell = met.keeps_shell;
        // Nobody sits in front of a sub-agent (H5).
        context.switches.avoid_prompts = met.call.agent.is_some();
        let judgement = || self.ruled(met, &mut context);
        let settled = guarded(judgement, |ruling| plain(ruling, self.denials));
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let hooked = self.hooks.concern(HookEvent::PreToolUse, &met.call.tool);
        let layer = Layer::of(settled.layer, &settled.ruling);
        let (decision, layer) = if settled.unanswered {
            ("escalate", Layer::Model)
        } else {
            (settled.ruling.decision.name(), layer)
        };
        self.go_on(met.call, &settled, &context);
        let is_spared =
            context.effective_mode() == Mode::Auto && layer.spares_a_classifier() && decision != "ask";
        let spared = is_spared.then(|| self.frame(&context).saturating_add(met.shown));
        Ruled { decision, layer, ruling: settled.ruling, micros, spared, hooked }
    }

    fn ruled(&self, met: &Met<'_>, context: &mut Context) -> Settled {
        if met.size > MAX_CALL {
            // FAIL-CLOSED(unreadable-call): as live, where such a call is not read at all.
            return plain(judge::unreadable(&Refused::TooLong), self.denials);
        }
        let sub_agent = met.call.agent.as_ref().and_then(|_| self.settings.worker_refusal(&met.call.tool));
        if let Some(reason) = sub_agent {
            return plain(refuse("H5 sub-agent", reason), self.denials);
        }
        let input = Input {
            transcript: met.talk,
            strictness: pipeline::strictness(&self.settings.settings, !met.incomplete),
            reviewer: match &self.reviewer {
                Reviewer::None => pipeline::Reviewer::BuiltIn,
                Reviewer::Silent => pipeline::Reviewer::CertainOnly,
                Reviewer::Asked(model) => pipeline::Reviewer::Model(model),
            },
            ..Input::of(met.call, World::Past)
        };
        pipeline::judge(&input, context)
    }

    /// What the session knows after the call. A call that is denied is not made.
    fn go_on(&mut self, call: &ToolCall, settled: &Settled, context: &Context) {
        self.denials = match settled.ruling.decision {
            Decision::Allow { .. } | Decision::Deny { .. } => settled.denials,
            Decision::Ask { .. } => settled.denials.after(Outcome::Allowed).0,
        };
        if !matches!(settled.ruling.decision, Decision::Deny { .. }) {
            let facts = std::mem::take(&mut self.facts);
            self.facts = facts.after(call, context);
        }
    }

    /// Bytes of what a classifier is told before the conversation and after it.
    fn frame(&mut self, context: &Context) -> usize {
        if let Some(known) = self.frame {
            return known;
        }
        let lists = Lists::effective(&auto_mode_lists(&self.settings.settings));
        let prompt = Prompt::new(lists, &surroundings(&self.root, context));
        let instructions = project_instructions(context);
        let framed = Framed {
            opening: String::new(),
            entries: Vec::new(),
            action: String::new(),
            closing: String::new(),
        };
        let bytes = prompt.map_or(0, |prompt| {
            let case = Case { instructions: &instructions, framed: &framed };
            let limits = Limits { tokens: 0, temperature: None, stop: None };
            let request = Request::new(&prompt, case, Stage::First, limits);
            let blocks = request.messages.iter().flatten().chain([&request.system]);
            blocks.map(|block| block.text.len()).sum()
        });
        self.frame = Some(bytes);
        bytes
    }
}

impl Ruled {
    /// Why, in one sentence.
    pub(super) fn why(&self) -> String {
        let ruling = &self.ruling;
        match (&ruling.decision, &ruling.reason) {
            (_, Reason::Classifier { reason, .. } | Reason::Limit(reason)) => reason.clone(),
            (Decision::Allow { .. }, reason) => reason.sentence(),
            (Decision::Ask { .. } | Decision::Deny { .. }, _) if self.decision == "escalate" => {
                ruling.reason.sentence()
            }
            (Decision::Ask { .. } | Decision::Deny { .. }, _) => ruling.message(),
        }
    }
}
