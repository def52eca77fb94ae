//! `portcullis auto-mode`: the lists that calls are judged by in auto mode, as built in and as in force, and what is
//! weak about the user's own entries (SPEC C8). It only shows; no model is asked and nothing is changed.

mod judges;
mod view;

use std::io::IsTerminal;
use std::process::ExitCode;

use portcullis_classify::critique::{Finding, Weakness, critique};
use portcullis_classify::policy::{Author, AutoModeLists, DEFAULTS, List, Policy, PolicyRule};
use portcullis_decide::rules::Origin;
use portcullis_gate::settings::{AutoMode, Loaded, WithOrigin};
use portcullis_gate::settle::auto_mode_lists;
use serde_json::{Value, json};

use self::judges::Judges;
use self::view::{Look, Own};
use super::{problems, project::Project, settings};
use crate::output;

/// Something is weak, or broken.
const WEAK: u8 = 1;

/// What to show.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Print the built-in lists.
    Defaults(Form),
    /// Print the lists in force, with where your own entries stand, and who judges; exits 1 when settings are broken.
    Config(OfProject),
    /// Say what is weak about your own entries; exits 1 when something is.
    Critique(OfProject),
}

#[derive(clap::Args)]
struct Form {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct OfProject {
    #[command(flatten)]
    project: Project,
    #[command(flatten)]
    form: Form,
}

/// Shows what was asked for.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let look = if std::io::stdout().is_terminal() { Look::Screen } else { Look::Lines };
    match &arguments.what {
        What::Defaults(form) => defaults(form, look),
        What::Config(of) => loaded(of, |loaded| config(loaded, &of.form, look)),
        What::Critique(of) => loaded(of, |loaded| criticise(loaded, &of.form)),
    }
}

fn loaded(of: &OfProject, show: impl FnOnce(&Loaded) -> ExitCode) -> ExitCode {
    match of.project.load() {
        Ok(loaded) => show(&loaded),
        Err(message) => output::fail(&message),
    }
}

fn defaults(form: &Form, look: Look) -> ExitCode {
    let policy = Policy::built_in();
    if form.json {
        return output::print_json(&policy.to_json());
    }
    let lists = List::ALL.map(|list| Section::new(list, &policy, &AutoMode::default()));
    output::print(&view::lists(&lists, look))
}

fn config(loaded: &Loaded, form: &Form, look: Look) -> ExitCode {
    let auto = &loaded.settings.auto_mode;
    let policy = Policy::effective(&auto_mode_lists(&loaded.settings));
    let sections = List::ALL.map(|list| Section::new(list, &policy, auto));
    let judges = Judges::of(&loaded.settings);
    let written = if form.json {
        let mut value: serde_json::Map<String, Value> =
            sections.iter().map(|section| (section.list.key().to_owned(), section.as_json())).collect();
        value.insert("classifier".to_owned(), judges.as_json());
        value.insert("problems".to_owned(), problems::as_json(&loaded.problems));
        output::print_json(&Value::Object(value))
    } else {
        let mut text = problems::lines(&loaded.problems);
        text.push_str(&view::lists(&sections, look));
        text.push_str(&view::judges(&judges));
        if sections.iter().any(Section::is_changed) {
            text.push_str(&view::who_reads(&judges));
        }
        output::print(&text)
    };
    or_weak(written, loaded.has_errors())
}

/// A list that could not be read has not been found good.
fn criticise(loaded: &Loaded, form: &Form) -> ExitCode {
    let own = auto_mode_lists(&loaded.settings);
    let weak: Vec<Weak> = critique(&own)
        .into_iter()
        .map(|finding| Weak::new(finding, &own, &loaded.settings.auto_mode))
        .collect();
    let written = if form.json {
        output::print_json(&json!({
            "findings": weak.iter().map(Weak::as_json).collect::<Vec<_>>(),
            "problems": problems::as_json(&loaded.problems),
        }))
    } else {
        let mut text = problems::lines(&loaded.problems);
        if own == AutoModeLists::default() {
            text.push_str(&view::weaknesses(&weak, Own::None));
        } else {
            text.push_str(&view::weaknesses(&weak, Own::Some));
            text.push_str(&view::who_reads(&Judges::of(&loaded.settings)));
        }
        output::print(&text)
    };
    or_weak(written, loaded.has_errors() || !weak.is_empty())
}

fn or_weak(written: ExitCode, weak: bool) -> ExitCode {
    if written == ExitCode::SUCCESS && weak { ExitCode::from(WEAK) } else { written }
}

/// One of the lists, each entry with where it stands.
struct Section<'p> {
    list: List,
    /// The user's own entries have an origin.
    entries: Vec<(&'p PolicyRule, Option<Origin>)>,
    base: Base,
    /// Where the user's lists stand.
    origins: Vec<Origin>,
}

/// What became of the built-in list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// It counts.
    Kept,
    /// The user's list stands in its place.
    Replaced,
}

impl<'p> Section<'p> {
    fn new(list: List, policy: &'p Policy, auto: &AutoMode) -> Section<'p> {
        let parts = parts(auto, list);
        let entry = |rule: &'p PolicyRule| (rule, position(rule).and_then(|at| place(&parts, at)).cloned());
        let mut sentences = parts.iter().flat_map(|part| &part.value);
        let kept = parts.is_empty() || sentences.any(|text| text.trim() == DEFAULTS);
        Section {
            list,
            entries: policy.list(list).iter().map(entry).collect(),
            base: if kept { Base::Kept } else { Base::Replaced },
            origins: parts.iter().map(|part| part.origin.clone()).collect(),
        }
    }

    fn is_changed(&self) -> bool {
        !self.origins.is_empty()
    }

    fn as_json(&self) -> Value {
        let entry = |(rule, origin): &(&PolicyRule, Option<Origin>)| {
            json!({
                "id": rule.id,
                "title": rule.title,
                "text": rule.text,
                "author": if origin.is_some() { "user" } else { "built-in" },
                "origin": origin.as_ref().map(settings::origin),
            })
        };
        json!({
            "built_in": match self.base { Base::Kept => "kept", Base::Replaced => "replaced" },
            "origins": self.origins.iter().map(settings::origin).collect::<Vec<_>>(),
            "entries": self.entries.iter().map(entry).collect::<Vec<_>>(),
        })
    }
}

/// The user's lists of one kind, in the order in which they are put together.
fn parts(auto: &AutoMode, list: List) -> Vec<&WithOrigin<Vec<String>>> {
    match list {
        List::Environment => auto.environment.iter().collect(),
        List::Allow => auto.allow.iter().collect(),
        List::SoftDeny => auto.soft_deny.iter().collect(),
        List::HardDeny => auto.hard_deny.iter().collect(),
    }
}

/// Where the entry at this position of the joined lists stands.
fn place<'a>(parts: &[&'a WithOrigin<Vec<String>>], at: usize) -> Option<&'a Origin> {
    let mut places = parts.iter().flat_map(|part| std::iter::repeat_n(&part.origin, part.value.len()));
    places.nth(at)
}

/// The position of the user's own entry; its id ends with it, counted from 1.
fn position(rule: &PolicyRule) -> Option<usize> {
    match rule.author {
        Author::User => rule.id.rsplit('-').next()?.parse::<usize>().ok()?.checked_sub(1),
        Author::BuiltIn => None,
    }
}

/// A weakness with its sentence and where it stands.
struct Weak {
    finding: Finding,
    sentence: Option<String>,
    origin: Option<Origin>,
}

impl Weak {
    fn new(finding: Finding, own: &AutoModeLists, auto: &AutoMode) -> Weak {
        let at = finding.entry;
        let sentence = at.and_then(|at| own.get(finding.list)?.get(at).cloned());
        let parts = parts(auto, finding.list);
        let origin = match at {
            Some(at) => place(&parts, at).cloned(),
            None => parts.first().map(|part| part.origin.clone()),
        };
        Weak { finding, sentence, origin }
    }

    fn as_json(&self) -> Value {
        json!({
            "list": self.finding.list.key(),
            "entry": self.finding.entry.map(|at| at + 1),
            "weakness": name(self.finding.weakness),
            "message": self.finding.message,
            "sentence": self.sentence,
            "origin": self.origin.as_ref().map(settings::origin),
        })
    }
}

/// The name that programs use.
const fn name(weakness: Weakness) -> &'static str {
    match weakness {
        Weakness::DefaultsMissing => "defaults-missing",
        Weakness::DefaultsTwice => "defaults-twice",
        Weakness::Empty => "empty",
        Weakness::TooBroad => "too-broad",
        Weakness::Vague => "vague",
        Weakness::NamesNothing => "names-nothing",
        Weakness::TooLong => "too-long",
        Weakness::Duplicate => "duplicate",
        Weakness::Contradiction => "contradiction",
        Weakness::AddressesClassifier => "addresses-classifier",
        Weakness::HiddenText => "hidden-text",
        Weakness::WrongList => "wrong-list",
    }
}
