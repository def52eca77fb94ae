//! The table of settings: one line for each key says what it holds, who may give it and how several
//! sources meet. Reading, merging and the schema all go by this table, so they cannot disagree.

use portcullis_decide::rules::{List, Source};

/// What a setting holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A list of rules.
    Rules(List),
    /// The name of a mode.
    Mode,
    /// A list of folders.
    Folders,
    /// `"disable"` or `true`: can only be switched on.
    Switch,
    /// `true` or `false`.
    Flag,
    /// Some text.
    Text,
    /// A list of texts.
    Texts,
    /// One of these words; the last is the strictest where that matters.
    Choice(&'static [&'static str]),
    /// A number of seconds above zero.
    Seconds,
    /// A whole number above zero.
    Count,
    /// A number from 0 to 2.
    Temperature,
    /// How long the log is kept.
    Keep,
    /// Levels of detectors, by id.
    Detectors,
    /// Anything; read by who uses it.
    Raw,
}

/// Who may give a setting (R11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Giver {
    /// Every source: it can only tighten.
    Anyone,
    /// Every source, but files that a repository can bring only once they are trusted.
    AfterTrust,
    /// Not the files that a repository can bring.
    Owner,
    /// The user's and the managed settings.
    UserOrManaged,
    /// The managed settings.
    Managed,
}

/// How the values of several sources meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meet {
    /// The one of the highest source counts.
    First,
    /// All count together.
    Join,
    /// The strictest counts, whoever gave it.
    Strictest,
}

/// Settings of which a stricter value may be fetched (C13).
const WEIGHED: [&str; 4] =
    ["classifier.ironGate", "classifier.mode", "classifier.timeout", "classifier.model"];

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) giver: Giver,
    pub(crate) meet: Meet,
    /// One sentence for people and editors.
    pub(crate) about: &'static str,
    /// A value as JSON.
    pub(crate) example: &'static str,
}

impl Key {
    /// Whether a source may give it at all.
    pub(crate) fn accepts(&self, source: Source) -> bool {
        match (self.giver, source) {
            (_, Source::Remote) => self.may_be_fetched(),
            (Giver::Anyone | Giver::AfterTrust, _) => true,
            (Giver::Owner, Source::Local | Source::Project) => false,
            (Giver::Owner, Source::Managed | Source::CommandLine | Source::Session | Source::User) => true,
            (Giver::UserOrManaged, Source::Managed | Source::User) => true,
            (Giver::Managed, Source::Managed) => true,
            (Giver::UserOrManaged | Giver::Managed, _) => false,
        }
    }

    /// Whether what is fetched may give it: only what can be compared, so that it can only tighten (C13).
    fn may_be_fetched(&self) -> bool {
        self.giver == Giver::Anyone || self.is_weighed()
    }

    /// Whether a fetched value is weighed against the one in force; only a stricter one counts.
    pub(crate) fn is_weighed(&self) -> bool {
        WEIGHED.contains(&self.name)
    }

    /// Who may give it, in words.
    pub(crate) const fn givers(&self) -> &'static str {
        match self.giver {
            Giver::Anyone => "Counts from every source.",
            Giver::AfterTrust => "From project and local files only after `portcullis trust`.",
            Giver::Owner => "Never read from project or local files.",
            Giver::UserOrManaged => "Read from user and managed settings only.",
            Giver::Managed => "Read from managed settings only.",
        }
    }

    /// Whether losing it could let something through that the user forbade.
    pub(crate) const fn guards(&self) -> bool {
        matches!(self.shape, Shape::Rules(List::Deny | List::Ask) | Shape::Switch | Shape::Raw)
    }
}

macro_rules! keys {
    ($($name:literal $shape:expr, $giver:ident $meet:ident $about:literal $example:literal;)*) => {
        /// Every setting there is.
        pub(crate) const KEYS: &[Key] = &[$(Key {
            name: $name,
            shape: $shape,
            giver: Giver::$giver,
            meet: Meet::$meet,
            about: $about,
            example: $example,
        }),*];
    };
}

keys! {
    "permissions.allow" Shape::Rules(List::Allow), AfterTrust Join
        "Calls that may run without asking."
        r#"["Bash(npm run test:*)", "Edit(/src/**)", "WebFetch(domain:docs.rs)"]"#;
    "permissions.ask" Shape::Rules(List::Ask), Anyone Join
        "Calls that a person is asked about, in every mode."
        r#"["Bash(git push:*)"]"#;
    "permissions.deny" Shape::Rules(List::Deny), Anyone Join
        "Calls that never run. Nobody can allow what any source denies."
        r#"["Bash(curl:*)", "Read(~/.ssh/**)"]"#;
    "permissions.defaultMode" Shape::Mode, AfterTrust First
        "What a call gets that no rule decides. Project files cannot choose auto or bypassPermissions."
        r#""default""#;
    "permissions.additionalDirectories" Shape::Folders, AfterTrust Join
        "Folders that are trusted beside the project's own."
        r#"["../docs", "~/notes"]"#;
    "permissions.disableBypassPermissionsMode" Shape::Switch, Anyone Strictest
        "Forbids the mode bypassPermissions."
        r#""disable""#;
    "permissions.disableAutoMode" Shape::Switch, Anyone Strictest
        "Forbids the mode auto."
        r#""disable""#;
    "disableBypassPermissionsMode" Shape::Switch, Anyone Strictest
        "The same as `permissions.disableBypassPermissionsMode`."
        r#""disable""#;
    "disableAutoMode" Shape::Switch, Anyone Strictest
        "The same as `permissions.disableAutoMode`."
        r#""disable""#;
    "allowManagedPermissionRulesOnly" Shape::Flag, Managed First
        "Only the rules of the managed settings count."
        "true";
    "enforce" Shape::Flag, UserOrManaged First
        "With `false` every call is judged and recorded, and the agent is told nothing."
        "true";
    "honourHostMode" Shape::Texts, UserOrManaged First
        "Agents whose own mode is obeyed even where it loosens."
        r#"["claude-code"]"#;
    "autoMode.environment" Shape::Texts, Owner First
        "Sentences that tell the classifier what belongs to you. `$defaults` stands for the built-in list."
        r#"["$defaults", "Source control: github.example.com/acme"]"#;
    "autoMode.allow" Shape::Texts, Owner First
        "Sentences for what the classifier should let pass. `$defaults` stands for the built-in list."
        r#"["$defaults"]"#;
    "autoMode.soft_deny" Shape::Texts, Owner Join
        "Sentences for what the classifier blocks unless you asked for it. `$defaults` stands for the built-in list."
        r#"["$defaults", "Never touch the staging database"]"#;
    "autoMode.hard_deny" Shape::Texts, Owner Join
        "Sentences for what the classifier always blocks. `$defaults` stands for the built-in list."
        r#"["$defaults"]"#;
    "autoMode.askRules" Shape::Choice(&["classify", "human"]), Owner First
        "Who answers an ask rule in auto mode: a person (`human`, the default) or the classifier."
        r#""human""#;
    "autoMode.strict" Shape::Flag, Owner First
        "Whether the built-in judge passes only what is proven harmless."
        "false";
    "classifier.mode" Shape::Choice(&["both", "fast", "thinking"]), Owner First
        "Which stages of the classifier run."
        r#""both""#;
    "classifier.model" Shape::Text, Owner First
        "The model that classifies."
        r#""small-model""#;
    "classifier.ironGate" Shape::Choice(&["open", "closed"]), UserOrManaged First
        "What happens where the model cannot be reached: `closed` denies, `open` asks."
        r#""closed""#;
    "classifier.timeout" Shape::Seconds, Owner First
        "Seconds that the classifier may take."
        "30";
    "classifier.api" Shape::Choice(&["anthropic", "openai"]), Owner First
        "Which language the model's server speaks: Anthropic Messages or OpenAI chat completions."
        r#""openai""#;
    "classifier.baseUrl" Shape::Text, Owner First
        "Where the model's server is."
        r#""http://127.0.0.1:8080/v1""#;
    "classifier.keyEnv" Shape::Text, Owner First
        "The environment variable that holds the key for the model's server; an empty name for a server that needs none."
        r#""OPENAI_API_KEY""#;
    "classifier.answersAs" Shape::Texts, Owner First
        "Other names under which the server answers for the model; `*` for a server that holds only one."
        r#"["*"]"#;
    "classifier.alwaysThinks" Shape::Flag, Owner First
        "Whether the model always thinks before it answers, and needs more tokens for that."
        "true";
    "classifier.sendTemperature" Shape::Flag, Owner First
        "Whether requests name a temperature; some models take none."
        "true";
    "classifier.temperature" Shape::Temperature, Owner First
        "The temperature that requests name; 0 if nothing is said."
        "0";
    "classifier.firstTokens" Shape::Count, Owner First
        "Tokens that the first stage may answer with before a second one."
        "64";
    "classifier.fastTokens" Shape::Count, Owner First
        "Tokens that the first stage may answer with where it runs alone."
        "256";
    "classifier.secondTokens" Shape::Count, Owner First
        "Tokens that the second stage may answer with."
        "4096";
    "classifier.thinkingTokens" Shape::Count, Owner First
        "Tokens on top for a model that always thinks."
        "2048";
    "classifier.window" Shape::Count, Owner First
        "Tokens of the conversation that the model is shown at most."
        "60000";
    "classifier.transcript" Shape::Choice(&["jsonl", "text"]), Owner First
        "How the conversation is written down for the model."
        r#""jsonl""#;
    "classifier.proxy" Shape::Text, Owner First
        "The proxy on the way to the model's server; `none` for no proxy. Without it the environment says."
        r#""http://proxy.example.com:3128""#;
    "classifier.caFile" Shape::Text, Owner First
        "A file of further certificates to trust on the way to the model's server."
        r#""/etc/ssl/acme/ca.pem""#;
    "remoteConfig.url" Shape::Text, UserOrManaged First
        "An address that serves settings as JSON: https, or http on this machine. What it says can only tighten."
        r#""https://settings.example.com/portcullis.json""#;
    "powershellAutoMode" Shape::Flag, Owner First
        "Whether PowerShell takes part in auto mode."
        "false";
    "dangerousRules" Shape::Choice(&["standard", "extended"]), Anyone Strictest
        "Which allow rules are set aside in auto mode; `extended` adds gh, curl, wget, git, kubectl and cloud programs."
        r#""extended""#;
    "commandClassifier" Shape::Flag, Owner First
        "Whether commands are classified while a person is asked."
        "true";
    "workerAllowedTools" Shape::Texts, Owner First
        "Tools that background agents may use."
        r#"["Read", "Grep", "Glob"]"#;
    "readClaudeCode" Shape::Flag, UserOrManaged First
        "Whether the settings of Claude Code are read too."
        "true";
    "detectors" Shape::Detectors, Anyone Join
        "Which detectors of auto mode are off, only ask, or deny; projects can only deny, and hard detectors can only be made stricter."
        r#"{"git/push-shared-branch": "ask"}"#;
    "log.keep" Shape::Keep, UserOrManaged First
        "How much of the audit log is kept: by `age`, by `size`, or both. Without it everything is kept."
        r#"{"age": "90d", "size": "500MB"}"#;
    "hooks" Shape::Raw, Owner Join
        "Programs that are asked before a call or a dialog."
        r#"{"PreToolUse": []}"#;
}

/// The setting of this name.
pub(crate) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Whether settings are grouped under this name.
pub(crate) fn is_group(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The setting or group below `group` that is spelled most like `name`, if any is close.
pub(crate) fn nearest(group: &str, name: &str) -> Option<&'static str> {
    let below = KEYS.iter().filter_map(|key| {
        let rest =
            if group.is_empty() { Some(key.name) } else { key.name.strip_prefix(group)?.strip_prefix('.') };
        rest.and_then(|rest| rest.split('.').next())
    });
    let lower = name.to_lowercase();
    let scored = below.map(|known| (distance(&lower, &known.to_lowercase()), known));
    let limit = 1 + name.chars().count() / 4;
    scored.filter(|(score, _)| *score <= limit).min().map(|(_, known)| known)
}

/// How many characters have to change.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, left) in from.chars().take(64).enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        let mut next = vec![before];
        for (right, above) in to.iter().zip(row.iter().skip(1)) {
            let cost = usize::from(left != *right);
            before = (diagonal + cost).min(before + 1).min(above + 1);
            next.push(before);
            diagonal = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_key_that_was_meant() {
        assert_eq!(nearest("permissions", "dney"), Some("deny"));
        assert_eq!(nearest("permissions", "denny"), Some("deny"));
        assert_eq!(nearest("permissions", "Deny"), Some("deny"));
        assert_eq!(nearest("", "permission"), Some("permissions"));
        assert_eq!(nearest("", "honorHostMode"), Some("honourHostMode"));
        assert_eq!(nearest("", "statusLine"), None);
    }

    /// [R11], [C8]
    #[test]
    fn a_repository_cannot_give_what_only_its_owner_may() {
        for name in
            ["autoMode.allow", "hooks", "classifier.model", "enforce", "honourHostMode", "readClaudeCode"]
        {
            let key = key(name).unwrap();
            assert!(!key.accepts(Source::Project) && !key.accepts(Source::Local), "{name}");
            assert!(key.accepts(Source::User) && key.accepts(Source::Managed), "{name}");
        }
        assert!(!key("allowManagedPermissionRulesOnly").unwrap().accepts(Source::User));
    }

    #[test]
    fn examples_are_json() {
        for key in KEYS {
            assert!(serde_json::from_str::<serde_json::Value>(key.example).is_ok(), "{}", key.name);
        }
    }
}
