//! Stands in for the settings until they are loaded from files: only what the command line says counts.

use std::path::{Path, PathBuf};

use portcullis_decide::{Context, List, Mode, Origin, Rule, Rules, Source, ToolCall};

/// Where settings are looked for.
pub(crate) struct Places;

impl Places {
    /// The places of this user.
    pub(crate) fn from_environment(_project: &Path) -> Places {
        Places
    }

}

/// What the command line adds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overrides {
    pub(crate) settings: Vec<PathBuf>,
    pub(crate) allow: Vec<String>,
    pub(crate) ask: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) mode: Option<Mode>,
}

/// Something wrong with the settings.
pub(crate) struct Problem {
    pub(crate) message: String,
}

/// What was loaded.
pub(crate) struct Loaded {
    rules: Vec<Rule>,
    mode: Option<Mode>,
    pub(crate) problems: Vec<Problem>,
}

/// Loads the settings.
pub(crate) fn load(_places: &Places, overrides: &Overrides) -> Loaded {
    let mut loaded = Loaded { rules: Vec::new(), mode: overrides.mode, problems: Vec::new() };
    for file in &overrides.settings {
        loaded.problems.push(Problem { message: format!("`{}` is not read yet", file.display()) });
    }
    let lists = [(List::Allow, &overrides.allow), (List::Ask, &overrides.ask), (List::Deny, &overrides.deny)];
    for (list, texts) in lists {
        for text in texts {
            let (rule, broken) = Rule::parse(text, list, Origin::of(Source::CommandLine));
            loaded.rules.push(rule);
            loaded.problems.extend(broken.map(|broken| Problem { message: broken.to_string() }));
        }
    }
    loaded
}

impl Loaded {
    /// What a ruling depends on.
    pub(crate) fn context(&self, root: &str, home: &str) -> Context {
        let mut context = Context::new(root, home);
        context.mode = self.mode.unwrap_or_default();
        context.rules = Rules::new(self.rules.clone());
        context
    }
}

/// Answers what has to be known about the world.
pub(crate) fn look_up(_call: &ToolCall, context: &mut Context) {
    context.facts = portcullis_decide::Facts::plain();
}
