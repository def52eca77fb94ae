//! Edits of files that builds, containers and CI obey: command lines that harm, checks that are switched off, rights that
//! are given, packages that come from an address. What such files do day by day, deploying and publishing included, is
//! what they are there for.

use super::{infrastructure, node_packages, steps, workflows};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Category, Detector, Finding, detectors, edits, scripts};
use crate::protected;
use crate::run_files::embedded;
use crate::view::{Access, View};

/// The harm in an edit of such a file.
pub(in crate::detect) fn of_edit(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let path = view.paths.iter().find(|path| path.access == Access::Write);
    let Some(path) = path.map(|path| path.path.as_str()).filter(|path| protected::runs_later(path)) else {
        return Vec::new();
    };
    let (old, new) = edits::texts(call);
    let mut found: Vec<Finding> = of_lines(&old, &new, path, &call.cwd, context).into_iter().collect();
    let runs = |text: &str| steps::run_what_they_fetch(&steps::of(text, path), &call.cwd, context);
    if runs(&new) && !runs(&old) {
        found.push(Finding::by(&detectors::BUILD_RUNS_DOWNLOAD));
    }
    if protected::runs_elsewhere(path) {
        found.extend(switched_off(&old, &new));
        found.extend(given(&old, &new));
        found.extend(workflows::gained(&old, &new, path));
    }
    found.extend(opened(&old, &new, path));
    found.extend(other_package(&old, &new, path));
    if path.ends_with("package.json") && node_packages::runs_on_install(&old, &new) {
        found.push(Finding::by(&detectors::INSTALL_SCRIPT));
    }
    for finding in &mut found {
        finding.targets = vec![path.to_owned()];
    }
    found
}

/// What no build has an ordinary reason for. What it sends is its work.
const GRAVE: &[Category] = &[
    Category::RunDownloadedCode,
    Category::RemoteExecSurface,
    Category::CloudStorageDelete,
    Category::GitDestructive,
];

/// The gravest harm in a command line that the text adds.
fn of_lines(old: &str, new: &str, path: &str, cwd: &str, context: &Context) -> Option<Finding> {
    let known = command_lines(old, path);
    let added = command_lines(new, path).into_iter().filter(|line| !known.contains(line));
    let found = added.flat_map(|line| scripts::harm(&line, cwd, context));
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    // Machines that are thrown away after each run lose nothing.
    let here = !protected::runs_elsewhere(path) && !name.contains("dockerfile") && name != "containerfile";
    let is_grave =
        |category: &Category| GRAVE.contains(category) || (here && *category == Category::LocalDestruction);
    let grave = found.filter(|finding| finding.certain && is_grave(&finding.category()));
    let gravest = grave.max_by_key(|finding| finding.severity)?;
    let what = format!("adds a command: {}", gravest.what);
    Some(Finding { what, span: None, ..gravest }.doubtful())
}

/// The command lines in a file of a build: recipes, steps, tasks, and what code hands on.
fn command_lines(text: &str, path: &str) -> Vec<String> {
    const KEYS: &[&str] = &["run:", "script:", "command:", "RUN ", "CMD "];
    let ending = path.rsplit('.').next().unwrap_or_default();
    if matches!(ending, "py" | "rs" | "js" | "cjs" | "mjs" | "ts") {
        return embedded::lines(text).into_iter().map(|line| line.text).collect();
    }
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().flat_map(|line| {
        let line = line.trim();
        if ending == "json" {
            return quoted_values(line);
        }
        let line = line.strip_prefix("- ").unwrap_or(line).trim_start_matches(['@', '-', '+']);
        let line = KEYS.iter().find_map(|key| line.strip_prefix(key)).unwrap_or(line).trim();
        vec![line.to_owned()]
    });
    lines.filter(|line| line.contains(' ')).chain(steps::of(text, path)).collect()
}

/// The texts in quotes that follow a colon, in a line of JSON.
fn quoted_values(line: &str) -> Vec<String> {
    let parts = line.split("\": \"").flat_map(|part| part.split("\":\"")).skip(1);
    parts.filter_map(|part| Some(part.split_once('"')?.0.replace("\\\"", "\""))).collect()
}

/// Words of which a text has fewer than before, where the second has not become rarer with them: what is gone as a whole
/// is no check that is switched off.
static GONE: &[(&str, &str, &Detector)] = &[
    ("needs:", "runs-on:", &detectors::CI_CONDITION_REMOVED),
    ("environment:", "runs-on:", &detectors::APPROVAL_STEP_REMOVED),
    ("when: manual", "script:", &detectors::APPROVAL_STEP_REMOVED),
    ("github.ref ==", "runs-on:", &detectors::CI_CONDITION_REMOVED),
];

/// A check of CI that the edit lets pass, or that is no longer asked.
fn switched_off(old: &str, new: &str) -> Option<Finding> {
    if old.trim().is_empty() {
        return None;
    }
    let more = |word: &str| count(new, word) > count(old, word);
    let fewer = |word: &str| count(new, word) < count(old, word);
    let ignored = new.lines().any(|line| {
        let checked = ["||", "; true", "; exit 0", "| true"].iter().find_map(|end| line.split_once(end));
        checked.is_some_and(|(check, _)| {
            old.lines().any(|known| known.trim_end() == check.trim_end() && !check.trim().is_empty())
        })
    });
    let unseen = ["continue-on-error: true", "continue-on-error: ${{ true", "set +e", "if: ${{ false"];
    if ignored || unseen.iter().any(|word| more(word)) {
        return Some(Finding::by(&detectors::CI_FAILURE_IGNORED));
    }
    if fewer("pull_request") && more("workflow_dispatch") {
        return Some(Finding::by(&detectors::PULL_REQUEST_TRIGGER_REMOVED));
    }
    if pins(new) < pins(old) && count(new, "@") >= count(old, "@") {
        return Some(Finding::by(&detectors::ACTION_UNPINNED));
    }
    let gone = GONE.iter().find(|(word, whole, _)| fewer(word) && !fewer(whole));
    gone.map(|(.., detector)| Finding::by(detector))
}

fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

/// How many actions are named by the hash of what they do.
fn pins(text: &str) -> usize {
    let hash = |rest: &&str| {
        let name = rest.split(|end: char| !end.is_ascii_alphanumeric()).next().unwrap_or_default();
        name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    text.split('@').skip(1).filter(hash).count()
}

/// Rights that a workflow gets, and machines of one's own that it starts on by itself.
fn given(old: &str, new: &str) -> Option<Finding> {
    const RIGHTS: &[&str] = &[
        "contents: write",
        "id-token: write",
        "packages: write",
        "actions: write",
        "secrets: write",
        "deployments: write",
        "permissions: write-all",
    ];
    let (old, new) = (&single_blanks(old), &single_blanks(new));
    // A workflow that is written whole may have had them before, unless strangers can start it.
    let known = !old.trim().is_empty() || new.contains("pull_request_target");
    if known && RIGHTS.iter().any(|right| count(new, right) > count(old, right)) {
        return Some(Finding::by(&detectors::WORKFLOW_WRITE_PERMISSIONS));
    }
    let has = |word: &str| new.contains(word);
    (has("self-hosted") && has("schedule:")).then(|| Finding::by(&detectors::SCHEDULED_SELF_HOSTED_RUNNER))
}

/// The text with one blank where a line has several.
fn single_blanks(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

/// A container that gets the whole machine.
fn opened(old: &str, new: &str, path: &str) -> Option<Finding> {
    const MOUNTS: &[&str] =
        &["docker.sock", "source: /\n", "- /:/", "- '/:/", "- \"/:/", "['/:/", "[\"/:/", "pid: host"];
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let composed = name.contains("compose");
    let mounts = MOUNTS.iter().any(|mount| count(new, mount) > count(old, mount));
    (composed && mounts).then(|| Finding::by(&detectors::CONTAINER_HOST_MOUNT))
}

/// A package that is named by an address, or a module that takes the place of another.
fn other_package(old: &str, new: &str, path: &str) -> Option<Finding> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut added = new.lines().filter(|line| !old.contains(line.trim()));
    let foreign = match name {
        "package.json" => node_packages::named_elsewhere(old, new),
        "go.mod" => {
            added.any(|line| line.split_once("=>").is_some_and(|(_, to)| !to.trim_start().starts_with('.')))
        }
        _ => {
            let base = other_base(old, new, name)?;
            return Some(Finding::by(&detectors::OTHER_OWNER).about(base));
        }
    };
    foreign.then(|| Finding::by(&detectors::NON_REGISTRY_SOURCE).about(name))
}

/// The base of an image that has the same name as before and another owner.
fn other_base(old: &str, new: &str, name: &str) -> Option<String> {
    let bases = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.trim().to_lowercase().strip_prefix("from ").map(str::to_owned));
        lines
            .filter_map(|line| line.split(' ').find(|word| !word.starts_with("--")).map(str::to_owned))
            .collect()
    };
    if !name.to_lowercase().contains("dockerfile") {
        return None;
    }
    let known = bases(old);
    bases(new).into_iter().find(|base| {
        let (owner, name) = infrastructure::owner_and_name(base);
        let same = known.iter().map(|base| infrastructure::owner_and_name(base)).find(|(_, it)| *it == name);
        same.is_some_and(|(known, _)| known != owner)
    })
}

/// Whether a line, in small letters, is where a build lists the places that packages come from; `inside` says whether
/// the line before it did.
pub(super) fn lists_sources(line: &str, inside: bool) -> bool {
    const BEGINS: &[&str] =
        &["repository>", "maven {", "maven{", "maven(", "\"repositories\"", "<add key=", "<packagesources"];
    const ENDS: &[&str] = &["</repositor", "</pluginrepositor", "]", "}", "</packagesources"];
    let line = line.trim();
    let begins = BEGINS.iter().any(|word| line.contains(word) && !line.contains(&format!("</{word}")));
    let table = line.starts_with("[[") && ["index", "source"].iter().any(|word| line.contains(word));
    begins || table || (inside && !line.starts_with('[') && !ENDS.iter().any(|word| line.starts_with(word)))
}
