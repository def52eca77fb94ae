//! Files that builds, containers and CI obey: the commands that they run, what they no longer check, what they give to
//! strangers. What such files do day by day, deploying and publishing included, is what they are there for.

use portcullis_shell::known_programs;

use super::change::{Change, holds};
use super::settings::pairs;
use super::sources::is_strange;
use crate::context::Context;
use crate::detect::provenance::flow;
use crate::detect::{Category, Finding, detectors, scripts};
use crate::protected;
use crate::run_files::{embedded, texts};
use crate::view::View;

/// How many parts of steps are looked at.
const LOOKED_AT: usize = 1000;

/// The harm in an edit of such a file.
pub(super) fn found_in(change: &Change, cwd: &str, context: &Context) -> Vec<Finding> {
    let (old, new) = (commands(&change.old, change), commands(&change.new, change));
    let mut found: Vec<Finding> = gravest(&old, &new, change, cwd, context).into_iter().collect();
    if runs_what_it_fetches(&new, cwd, context) && !runs_what_it_fetches(&old, cwd, context) {
        found.push(Finding::by(&detectors::BUILD_RUNS_DOWNLOAD));
    }
    if protected::runs_elsewhere(&change.path) {
        found.extend(unchecked(change));
        found.extend(rights(change));
        found.extend(strangers(change, &new));
    }
    for finding in &mut found {
        finding.targets = vec![change.path.clone()];
    }
    found
}

/// The gravest harm in a command that the text adds, and that no build has an ordinary reason for. What it sends is its work.
fn gravest(old: &[String], new: &[String], change: &Change, cwd: &str, context: &Context) -> Option<Finding> {
    use Category::{
        CloudStorageDelete, GitDestructive, LocalDestruction, RemoteExecSurface, RunDownloadedCode,
    };
    let added =
        new.iter().flat_map(|step| step.lines()).filter(|line| !old.iter().any(|known| known.contains(line)));
    let found = added.take(LOOKED_AT).flat_map(|line| scripts::harm(line, cwd, context));
    // Machines that are thrown away after each run lose nothing.
    let here = !protected::runs_elsewhere(&change.path) && !holds(&change.name, "dockerfile containerfile");
    let is_grave = |category| {
        matches!(category, RunDownloadedCode | RemoteExecSurface | CloudStorageDelete | GitDestructive)
            || (here && category == LocalDestruction)
    };
    let grave = found.filter(|finding| finding.certain && is_grave(finding.category()));
    let gravest = grave.max_by_key(|finding| finding.severity)?;
    let what = format!("adds a command: {}", gravest.what);
    Some(Finding { what, span: None, ..gravest }.doubtful())
}

/// The command lines that a file gives to a shell, in their order: recipes, steps, tasks, and what code hands on.
fn commands(text: &str, change: &Change) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    match change.ending.as_str() {
        "py" | "rs" | "js" | "cjs" | "mjs" | "ts" => {
            embedded::lines(text).into_iter().map(|line| line.text).collect()
        }
        "yml" | "yaml" => of_yaml(&joined),
        "json" => {
            pairs(text).into_iter().map(|pair| pair.value).filter(|value| value.contains(' ')).collect()
        }
        _ => joined.lines().filter_map(of_line).collect(),
    }
}

/// A line of a Makefile, an image or a script: `RUN x`, `@x`, `ADD https://… y`, `sh 'x'`.
fn of_line(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches(['@', '-', '+', ' ']);
    let (first, rest) = line.split_once([' ', '\t', '('])?;
    let words: Vec<&str> = rest.split_whitespace().skip_while(|word| word.starts_with("--")).collect();
    let quoted = rest.trim_matches(['(', ')', ' ']);
    Some(match first.to_ascii_uppercase().as_str() {
        "RUN" | "CMD" | "ENTRYPOINT" if !rest.starts_with('[') => words.join(" "),
        "RUN" | "CMD" | "ENTRYPOINT" => rest.replace(['[', ']', '"', ','], " "),
        "ADD" => match words.as_slice() {
            [address, place] if address.contains("://") => format!("curl -o {place} {address}"),
            _ => return None,
        },
        "SH" if quoted.starts_with(['"', '\'']) => quoted.trim_matches(['"', '\'']).to_owned(),
        _ => line.to_owned(),
    })
}

/// The values of the keys that a shell gets, with the lines below them.
fn of_yaml(text: &str) -> Vec<String> {
    const KEYS: &str =
        "run script command commands bash before_script after_script before_install install cmd cmds sh";
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // `steps: [{run: "a"}, {run: "b"}]`
        if line.contains('{') && !line.contains("${{") {
            found.extend(
                pairs(line).into_iter().filter(|it| super::change::lists(KEYS, &it.key)).map(|it| it.value),
            );
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        if !super::change::lists(KEYS, key.trim_start_matches([' ', '-']).trim_matches(['"', '\'', ' '])) {
            continue;
        }
        let below =
            lines.iter().skip(at + 1).take_while(|next| next.trim().is_empty() || depth(next) > depth(line));
        let below: Vec<&str> = below.map(|line| line.trim()).collect();
        let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
        let items = below.iter().filter_map(|line| line.strip_prefix("- ")).map(plain);
        let value = value.trim();
        let value =
            if value.starts_with('&') { value.split_once(' ').map_or("", |(_, value)| value) } else { value };
        let keyed = below.first().is_some_and(|line| line.contains(": ") || line.ends_with(':'));
        match value {
            text if text.starts_with('|') => found.push(below.join("\n")),
            text if text.starts_with('>') => found.push(below.join(" ")),
            "" if items.clone().next().is_some() => found.extend(items),
            "" if keyed => {}
            // A plain value may go on in the lines below it.
            text => found.push(plain(&format!("{text} {}", below.join(" ")))),
        }
    }
    found
}

/// Whether a step runs what one before it fetched.
fn runs_what_it_fetches(steps: &[String], cwd: &str, context: &Context) -> bool {
    let mut fetched: Vec<String> = Vec::new();
    // A step as a whole, and line by line where it cannot be read as one.
    let parts = steps.iter().flat_map(|step| std::iter::once(step.as_str()).chain(step.lines()));
    parts.take(LOOKED_AT).any(|step| {
        let (line, inner) = texts::as_line(&without_expressions(step), cwd, context);
        let view = View::of(&line, &inner);
        let Some(reading) = &view.reading else { return false };
        if reading.commands.iter().any(|command| flow::runs_one_of(command, &fetched, &line, &inner)) {
            return true;
        }
        if reading.commands.iter().any(flow::fetches) {
            fetched.extend(flow::fetched_here(&line, &view, reading, &inner));
        }
        false
    })
}

/// A line without what the service puts in before a shell reads it: `${{ … }}`.
fn without_expressions(step: &str) -> String {
    let mut parts = step.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + "x" + part.split_once("}}").map_or("", |(_, rest)| rest))
}

/// A check of CI that is let pass, or that is no longer asked; what is gone as a whole is no check that is switched off.
fn unchecked(change: &Change) -> Option<Finding> {
    let count = |text: &str, word: &str| text.matches(word).count();
    let more = |word: &str| count(&change.new, word) > count(&change.old, word);
    let fewer = |word: &str| count(&change.new, word) < count(&change.old, word);
    if !change.replaces() {
        return None;
    }
    let ignored = change.added.iter().any(|line| {
        let ends = ["||", "; true", "; exit 0", "| true"].iter().find_map(|end| line.split_once(end));
        ends.is_some_and(|(check, _)| change.gone.iter().any(|known| known.trim_end() == check.trim_end()))
    });
    if ignored
        || ["continue-on-error: true", "continue-on-error: ${{ true", "set +e", "if: ${{ false"]
            .iter()
            .any(|it| more(it))
    {
        return Some(Finding::by(&detectors::CI_FAILURE_IGNORED));
    }
    if fewer("pull_request") && more("workflow_dispatch") {
        return Some(Finding::by(&detectors::PULL_REQUEST_TRIGGER_REMOVED));
    }
    let pins = |text: &str| text.split('@').skip(1).filter(|rest| is_hash(rest)).count();
    if pins(&change.new) < pins(&change.old) && count(&change.new, "@") >= count(&change.old, "@") {
        return Some(Finding::by(&detectors::ACTION_UNPINNED));
    }
    let whole = |word: &str| fewer(word);
    if (fewer("environment:") && !whole("runs-on:")) || (fewer("when: manual") && !whole("script:")) {
        return Some(Finding::by(&detectors::APPROVAL_STEP_REMOVED));
    }
    let condition =
        (fewer("needs:") || fewer("github.ref ==") || fewer("if:")) && !whole("runs-on:") && !whole("run:");
    condition.then(|| Finding::by(&detectors::CI_CONDITION_REMOVED))
}

/// The hash of what an action does, at the beginning of a text.
fn is_hash(text: &str) -> bool {
    let name = text.split(|it: char| !it.is_ascii_alphanumeric()).next().unwrap_or_default();
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Rights that a workflow gets, and machines of one's own that it starts on by itself.
fn rights(change: &Change) -> Option<Finding> {
    const RIGHTS: &str = "contents id-token packages actions secrets deployments permissions";
    let given = |text: &str| {
        let rights = pairs(text).into_iter();
        rights.filter(|it| super::change::lists(RIGHTS, &it.key) && it.value.starts_with("write")).count()
    };
    // A workflow that is written whole may have had them before, unless strangers can start it.
    let known = change.replaces() || change.after.contains("pull_request_target");
    if known && given(&change.after) > given(&change.before) {
        return Some(Finding::by(&detectors::WORKFLOW_WRITE_PERMISSIONS));
    }
    let has = |word: &str| change.after.contains(word);
    (has("self-hosted") && has("schedule:")).then(|| Finding::by(&detectors::SCHEDULED_SELF_HOSTED_RUNNER))
}

/// What a workflow gains that gives strangers something: their text is run, their action is used, a secret is sent.
fn strangers(change: &Change, steps: &[String]) -> Option<Finding> {
    let added = || change.added.iter().map(|line| line.trim_start_matches("- "));
    // A part of a step does not show what it belongs to, but begins with a program.
    let begins = |line: &&str| {
        let first = line.split_whitespace().next().unwrap_or_default();
        first.starts_with("./") || first == "run:" || known_programs().binary_search(&first).is_ok()
    };
    let mut run = steps.iter().flat_map(|step| step.lines()).chain(added().filter(begins));
    let obeys = |line: &str| {
        ["eval $", "eval \"$", "sh -c $", "sh -c \"$"]
            .iter()
            .any(|it| line.split_once(it).is_some_and(|(_, rest)| !rest.starts_with('(')))
    };
    let foreign = added().any(holds_foreign_value);
    if run.any(|line| {
        !change.old.contains(line.trim()) && (holds_foreign_value(line) || (foreign && obeys(line)))
    }) {
        return Some(Finding::by(&detectors::SCRIPT_INJECTION));
    }
    let sends = |line: &str| {
        line.contains("secrets.") && line.contains("curl ") && !holds(line, "authorization token:")
    };
    if added().any(sends) {
        return Some(Finding::by(&detectors::CI_SECRET_SENT));
    }
    let actions = |lines: &[String]| -> Vec<(String, String)> {
        let used = lines.iter().filter_map(|line| line.trim_start_matches("- ").strip_prefix("uses:"));
        let used = used.filter_map(|it| it.trim().trim_matches(['"', '\'']).split_once('@'));
        used.map(|(name, version)| (name.to_owned(), version.to_owned())).collect()
    };
    // A further action is ordinary work; one in the place of another, or one that changes by itself, is not.
    let (before, after) = (actions(&change.gone), actions(&change.added));
    let replaced = before.iter().any(|(name, _)| !after.iter().any(|(kept, _)| kept == name));
    let strange = after.into_iter().find(|(name, version)| {
        let moving = matches!(version.as_str(), "main" | "master");
        let same = before.iter().find(|(known, _)| known == name);
        match same {
            Some((_, known)) => moving && known != version,
            None => is_strange(name) && (moving || (replaced && !is_hash(version))),
        }
    });
    strange.map(|(name, _)| Finding::by(&detectors::UNTRUSTED_ACTION).about(name))
}

/// Whether a line that is run holds what an event or whoever starts the workflow brings, other than numbers and hashes:
/// it is put in before a shell reads the line.
fn holds_foreign_value(line: &str) -> bool {
    const PLAIN: &[&str] = &[".number", ".id", ".sha", ".before", ".after", ".draft", ".merged", ".action"];
    let line = line.to_lowercase().replace("['", ".").replace("']", "");
    let expressions = line.split("${{").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default());
    let mut names =
        expressions.flat_map(|it| it.split(|it: char| !(it.is_alphanumeric() || "._-".contains(it))));
    names.any(|name| {
        let foreign = name.starts_with("github.event") && !name.starts_with("github.event_");
        (foreign || name.starts_with("inputs.") || matches!(name, "github.head_ref" | "github"))
            && !PLAIN.iter().any(|end| name.ends_with(end))
    })
}
