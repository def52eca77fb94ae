//! Commands that switch later commands to another cluster, project, stage or account.

use portcullis_shell::Command;

use crate::detect::{Finding, detectors, routine::tasks};

/// When a switch should be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    /// Whatever it leads to.
    Always,
    /// Unless what it leads to is near, by its name.
    Away,
    /// If what it leads to is called production.
    Production,
    /// Unless what is set says nothing about whom the tool reaches.
    Setting,
}

use When::{Always, Away, Production, Setting};

/// Programs, the words that switch, and when that matters. A word that ends with `/` is the beginning of one.
const SWITCHES: &[(&[&str], &[&str], When)] = &[
    (&["kubectl", "oc"], &["config", "use-context"], Away),
    (&["kubectl", "oc"], &["config", "use"], Away),
    (&["kubectl", "oc"], &["config", "set", "current-context"], Away),
    (&["kubectl", "oc"], &["config", "set"], Always),
    (&["kubectl", "oc"], &["config", "set-context"], Production),
    (&["kubectl", "oc"], &["config", "set-credentials"], Always),
    (&["kubectl", "oc"], &["config", "set-cluster"], Always),
    (&["oc"], &["project"], Production),
    (&["oc"], &["login"], Always),
    (&["kubectx"], &[], Away),
    (&["kubens"], &[], Production),
    (&["argocd"], &["context"], Away),
    (&["gcloud"], &["config", "set", "project"], Away),
    (&["gcloud"], &["config", "set", "core/project"], Away),
    (&["gcloud"], &["config", "set", "account"], Always),
    (&["gcloud"], &["config", "set", "core/account"], Always),
    (&["gcloud"], &["config", "set", "auth/"], Always),
    (&["gcloud"], &["config", "set", "proxy/"], Always),
    (&["gcloud"], &["config", "set", "api_endpoint_overrides/"], Always),
    (&["gcloud"], &["config", "configurations", "activate"], Away),
    (&["gcloud"], &["auth", "activate-service-account"], Always),
    (&["gcloud"], &["auth", "login"], Always),
    (&["az"], &["account", "set"], Away),
    (&["az"], &["cloud", "set"], Away),
    (&["az"], &["configure"], Production),
    (&["az"], &["config", "set"], Production),
    (&["aws"], &["configure", "set"], Setting),
    (&["aws"], &["configure", "import"], Always),
    (&["aws"], &["configure", "sso"], Always),
    (&["aws"], &["eks", "update-kubeconfig"], Away),
    (&["aws"], &["sso", "login"], Production),
    (&["terraform", "tofu", "terragrunt"], &["workspace", "select"], Away),
    (&["pulumi"], &["login"], Always),
    (&["pulumi"], &["stack", "select"], Production),
    (&["heroku"], &["git:remote"], Away),
    (&["fly", "flyctl"], &["auth", "login"], Always),
    (&["firebase"], &["use"], Away),
    (&["doctl"], &["auth", "switch"], Away),
    (&["doctl"], &["auth", "init"], Always),
    (&["hcloud"], &["context", "use"], Away),
    (&["supabase"], &["link"], Away),
    (&["railway"], &["link"], Away),
    (&["vercel", "netlify"], &["switch"], Away),
    (
        &["wrangler", "stripe", "az", "heroku", "vercel", "netlify", "firebase", "supabase"],
        &["login"],
        Always,
    ),
    (&["linode-cli"], &["configure"], Always),
    (&["serverless", "sls"], &["config", "credentials"], Always),
];

/// Words of names for what is this machine's own, or there to be tried out.
const NEAR: &[&str] = words!(
    "local localhost dev develop development test testing sandbox stage staging minikube kind k3d k3s \
     microk8s desktop colima orbstack emulator"
);

/// Words of names for what others rely on.
const RELIED_ON: &[&str] = &["prod", "production", "prd", "live"];

/// Settings of a tool that say nothing about whom it reaches.
const TASTES: &[&str] = &["region", "output", "cli_pager", "cli_auto_prompt", "cli_timestamp_format"];

/// A switch to somewhere or somebody else.
pub(in crate::detect) fn of_command(command: &Command) -> Option<Finding> {
    let program = command.program.as_deref()?;
    let steps = command
        .arguments
        .iter()
        .enumerate()
        .filter(|(index, word)| !word.text.starts_with('-') && !command.values.contains(index));
    let steps: Vec<(usize, &str)> = steps.map(|(index, word)| (index, word.text.as_str())).collect();
    let mut switches = SWITCHES.iter().filter(|(programs, ..)| programs.contains(&program));
    let (start, when) = switches.find_map(|(_, words, when)| Some((end_of(words, &steps)?, when)))?;
    let targets: Vec<&str> =
        command.arguments.iter().skip(start).filter_map(|word| target(&word.text)).collect();
    let among =
        |list: &[&str]| targets.iter().flat_map(|text| names(text)).any(|it| list.contains(&it.as_str()));
    let matters = match when {
        Always => true,
        Away => !targets.is_empty() && (among(RELIED_ON) || !among(NEAR)),
        Production => among(RELIED_ON),
        Setting => !is_taste(&targets),
    };
    matters.then(|| Finding::on(&detectors::SWITCH_TARGET, command))
}

/// Where the words that switch end. Several may have others between them, such as values of options that are not known;
/// one alone must come first.
fn end_of(words: &[&str], steps: &[(usize, &str)]) -> Option<usize> {
    let fits = |said: &str, known: &str| said == known || (known.ends_with('/') && said.starts_with(known));
    let mut rest = steps.iter();
    let mut end = 0;
    for known in words {
        let (index, _) = if words.len() == 1 {
            rest.next().filter(|(_, said)| fits(said, known))?
        } else {
            rest.find(|(_, said)| fits(said, known))?
        };
        end = index + 1;
    }
    Some(end)
}

/// The words of a name without numbers at their ends: `prod2`, `PROD`.
fn names(text: &str) -> impl Iterator<Item = String> {
    let words = tasks::words(text).into_iter().chain(tasks::words(&text.to_lowercase()));
    words.map(|word| word.trim_end_matches(|it: char| it.is_ascii_digit()).to_owned())
}

/// What a word after the switch names: itself, or the value of an option. A mere `-` is where one was before.
fn target(text: &str) -> Option<&str> {
    if text.starts_with('-') && text != "-" {
        text.split_once('=').map(|(_, value)| value)
    } else {
        Some(text)
    }
}

/// `aws configure set region eu-west-1`, also for one profile: `profile.dev.region`.
fn is_taste(targets: &[&str]) -> bool {
    targets.first().is_some_and(|name| TASTES.contains(&name.rsplit('.').next().unwrap_or_default()))
}
