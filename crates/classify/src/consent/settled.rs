//! What the user must have named, in the way people name it (SPEC C17): the queue and not its address, the unit and not its
//! file, the words of a statement one by one.

use portcullis_decide::detect::Finding;
use portcullis_shell::Command;

use super::other_target::is_account;
use super::spoken;

/// The finding with its targets as people name them. Words that say what is done become steps.
pub(super) fn settled(finding: &Finding, command: &Command) -> Finding {
    let mut settled = finding.clone();
    settled.targets.clear();
    for target in &finding.targets {
        // Alone it has to be named itself: `rails db:drop`.
        if finding.targets.len() > 1 && spoken::is_joined_step(target, command) {
            settled.steps.push(target.to_lowercase());
        } else {
            settled.targets.extend(named(target, command));
        }
    }
    for step in &mut settled.steps {
        // Who administers a pool of users deletes a user.
        if let Some(plain) = step.strip_prefix("admin-") {
            *step = plain.to_owned();
        }
    }
    settled
}

/// Kinds of things in a cluster that need not be said, for what is only done to such things.
const KINDS: &[(&[&str], &[&str])] = &[
    (&["scale", "restart"], &["deployment", "deployments", "deploy"]),
    (&["drain", "cordon", "uncordon", "taint"], &["node", "nodes"]),
];

fn named(target: &str, command: &Command) -> Vec<String> {
    let program = command.program.as_deref().unwrap_or_default();
    let says = |verb: &&str| command.arguments.iter().take(2).any(|word| word.text == *verb);
    if matches!(program, "kubectl" | "oc") {
        let kinds = KINDS.iter().find(|(verbs, _)| verbs.iter().any(&says));
        let of_kind = |kind: &str| kinds.is_some_and(|(_, kinds)| kinds.contains(&kind));
        if of_kind(target) {
            return Vec::new();
        }
        if let Some((kind, name)) = target.split_once('/')
            && of_kind(kind)
        {
            return vec![name.to_owned()];
        }
        // Both what is set and what it is set to.
        if let Some((name, value)) = target.split_once('=')
            && says(&"set")
        {
            return vec![name.to_owned(), value.to_owned()];
        }
    }
    // It is asked for by every word for taking away.
    let deletes = matches!(target.to_ascii_lowercase().as_str(), "del" | "unlink");
    if deletes && matches!(program, "redis-cli" | "valkey-cli") {
        return Vec::new();
    }
    // What is uploaded by custom is what was built.
    if program == "twine" && target == "dist/*" {
        return vec![program.to_owned()];
    }
    let unit = target.strip_suffix(".service").filter(|_| matches!(program, "systemctl" | "service"));
    if let Some(words) = statement(target).filter(|_| is_database(program)) {
        return words;
    }
    vec![unit.or_else(|| short_name(target)).unwrap_or(target).to_owned()]
}

/// How people call what has a long name in a cloud.
pub(super) fn short_name(target: &str) -> Option<&str> {
    queue(target).or_else(|| resource(target))
}

/// The name in the address of a queue: `https://sqs.eu-west-1.amazonaws.com/123456789012/jobs`.
fn queue(target: &str) -> Option<&str> {
    let (host, path) = target.strip_prefix("https://sqs.")?.split_once('/')?;
    let (account, name) = path.split_once('/')?;
    let plain = !name.contains('/') && is_account(account) && host.ends_with(".amazonaws.com");
    plain.then_some(name)
}

/// What an ARN names beyond the service, the region and the account: `arn:aws:sns:eu-west-1:123456789012:orders`.
fn resource(target: &str) -> Option<&str> {
    let mut parts = target.strip_prefix("arn:aws:")?.splitn(4, ':');
    let (_service, _region, account, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    is_account(account).then_some(name)
}

/// Programs that are given statements.
pub(super) fn is_database(program: &str) -> bool {
    matches!(program, "psql" | "mysql" | "mariadb")
}

/// The words of one plain statement that drops or empties one thing.
pub(super) fn statement(text: &str) -> Option<Vec<String>> {
    let lower = text.trim().trim_end_matches(';').to_lowercase();
    let words: Vec<&str> =
        lower.split_whitespace().filter(|word| !matches!(*word, "if" | "exists")).collect();
    let plain = |word: &&str| word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let drops = matches!(words.as_slice(), ["drop", "table" | "database" | "schema" | "view" | "index", _]);
    let empties = matches!(words.as_slice(), ["truncate", _] | ["truncate", "table", _]);
    let fits = (drops || empties) && words.iter().all(plain);
    fits.then(|| {
        words.iter().filter(|word| !empties || **word != "table").map(|word| (*word).to_owned()).collect()
    })
}
