//! Where the files of a line come from. What is copied, moved, linked or printed from a place that is neither the
//! project's nor made by the session stays code from elsewhere, under whatever name it lies in the project.

use portcullis_shell::{Command, Placement, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::git::is_shared_branch;
use crate::detect::{Certainty, Detector, detectors, files, routine::places};
use crate::facts::PathKind;
use crate::path::is_within;
use crate::protected;
use crate::run_files::executed::runs;
use crate::session_facts::{SessionFacts, Taint};
use crate::view::{Access, PathUse, View};

/// Programs that put what they are given under its own name where the target is a folder.
const COPIERS: &[&str] = &["cp", "mv", "ln", "install", "rsync", "ditto"];

/// The files and folders that the line brings in, with what is to be known about them when they are run.
pub(crate) fn brought(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
    session: &SessionFacts,
) -> Vec<Taint> {
    let mut found: Vec<Taint> = Vec::new();
    for (index, command) in reading.commands.iter().enumerate() {
        let targets: Vec<&PathUse> = named(view, command).filter(|it| it.access == Access::Write).collect();
        if targets.is_empty() {
            continue;
        }
        let known = Known { view, context, session, line: &found };
        let fed = pipeline(&reading.commands, index);
        let read = fed.iter().flat_map(|command| named(view, command));
        let sources: Vec<(&PathUse, Taint)> = read
            .filter(|it| it.access != Access::Write)
            .filter_map(|source| Some((source, known.origin(source)?)))
            .collect();
        if fed.iter().any(|command| shows_other_revision(command, session)) {
            let runnable = targets.iter().filter(|target| runs(&target.path));
            found.extend(runnable.map(|target| Taint {
                alone: !protected::runs_later(&target.path),
                path: target.path.clone(),
                ..taint(&detectors::RUNS_FILE_OF_OTHER_BRANCH, "it is taken from another branch".to_owned())
            }));
            continue;
        }
        for (source, origin) in &sources {
            for target in targets.iter().filter(|target| target.path != source.path) {
                let paths = names_after(command, source, target, call, context);
                let program = is_program(source, context);
                let runnable = paths.into_iter().filter(|path| program || runs(path));
                // A build reads its own files unasked; any other is what it is called.
                let taints = runnable.map(|path| Taint {
                    alone: !protected::runs_later(&path),
                    path,
                    task: None,
                    ..origin.clone()
                });
                found.extend(taints);
            }
        }
    }
    found
}

/// Whether the place is neither the project's, nor the machine's own, nor made by the session.
pub(crate) fn is_elsewhere(path: &str, context: &Context, session: &SessionFacts) -> bool {
    let made = session.created.iter().any(|known| is_within(path, known));
    !made && !places::is_ours(path, context) && !files::is_system(path) && !is_within(path, "/dev")
}

/// Whether the command reads a file from elsewhere that the line does not write itself.
pub(super) fn reads_elsewhere(command: &Command, view: &View, context: &Context) -> bool {
    let written = |it: &PathUse| view.paths.iter().any(|to| to.access == Access::Write && to.path == it.path);
    let mut read = named(view, command).filter(|it| it.access == Access::Read);
    read.any(|it| is_elsewhere(&it.path, context, &context.session) && !written(it))
}

/// Whether a program of the machine, or something that is only known at run time: under another name it does what it
/// always did, and nothing in the line tells what that is.
fn is_program(source: &PathUse, context: &Context) -> bool {
    const FOLDERS: &[&str] = &["bin", "sbin", "libexec", "MacOS"];
    let installed = source.path.split('/').any(|folder| FOLDERS.contains(&folder));
    let running = is_within(&source.path, "/proc");
    running
        || (installed && files::is_system(&source.path) && !places::is_ours(&source.path, context))
        || (!source.literal && !source.glob && source.named.starts_with('*'))
}

/// The files that the words of the command name.
fn named<'v>(view: &'v View, command: &'v Command) -> impl Iterator<Item = &'v PathUse> {
    view.paths.iter().filter(|path| crate::view::in_span(path, command))
}

/// `git show other:x.sh`: a file as a branch has it that is neither checked out nor the one that all build from.
pub(in crate::detect) fn shows_other_revision(command: &Command, session: &SessionFacts) -> bool {
    let mut words = command.arguments.iter().map(|word| word.text.as_str());
    let other = |word: &str| {
        let revision = word.split_once(':').map_or("", |(revision, _)| revision);
        let name = revision.split(['~', '^', '@']).next().unwrap_or_default();
        let hash = name.len() > 6 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let version = name.trim_start_matches('v').starts_with(|first: char| first.is_ascii_digit());
        let shared = is_shared_branch(name.strip_prefix("origin/").unwrap_or(name));
        let own = session.branch.as_deref() == Some(name);
        let known = hash || version || shared || own || matches!(name, "" | "HEAD" | "stash");
        !known && !word.starts_with('-')
    };
    command.program.as_deref() == Some("git")
        && matches!(words.next(), Some("show" | "cat-file"))
        && words.any(other)
}

/// The command at `index` with those whose output it reads.
pub(in crate::detect) fn pipeline(commands: &[Command], index: usize) -> &[Command] {
    let until = commands.get(..=index).unwrap_or_default();
    let first = until.iter().rposition(|command| command.placement != Placement::Piped).unwrap_or(0);
    until.get(first..).unwrap_or_default()
}

/// What is known of files before a command of the line runs.
struct Known<'a> {
    view: &'a View,
    context: &'a Context,
    session: &'a SessionFacts,
    line: &'a [Taint],
}

impl Known<'_> {
    /// Where the file comes from, if that is elsewhere.
    fn origin(&self, source: &PathUse) -> Option<Taint> {
        let mut tainted = self.line.iter().chain(&self.session.tainted);
        if let Some(taint) = tainted.find(|taint| is_within(&source.path, &taint.path)) {
            return Some(taint.clone());
        }
        if self.session.fetched.contains(&source.path) {
            return Some(taint(&detectors::RUNS_DOWNLOAD, "it was downloaded".to_owned()));
        }
        let mut written = self.view.paths.iter().filter(|it| it.access == Access::Write);
        let made = written.any(|it| it.path == source.path && it.span != source.span);
        let foreign =
            is_program(source, self.context) || is_elsewhere(&source.path, self.context, self.session);
        (!made && foreign)
            .then(|| taint(&detectors::RUNS_FOREIGN_COPY, format!("it comes from `{}`", source.named)))
    }
}

fn taint(detector: &'static Detector, what: String) -> Taint {
    Taint {
        path: String::new(),
        detector,
        severity: detector.severity,
        what,
        certain: detector.certainty == Certainty::Certain,
        alone: true,
        task: None,
    }
}

/// What the source may be called where the command puts it.
fn names_after(
    command: &Command,
    source: &PathUse,
    target: &PathUse,
    call: &ToolCall,
    context: &Context,
) -> Vec<String> {
    let copies = command.program.as_deref().is_some_and(|name| COPIERS.contains(&name));
    if target.redirect || !copies {
        return vec![target.path.clone()];
    }
    let name = source.named.rsplit('/').next().unwrap_or_default();
    if name.is_empty() || name == "." || name.contains(crate::glob::is_wild) {
        // All that lies there, under names that are not shown; of a pattern, only what is run counts.
        return if runs(name) { vec![target.path.clone()] } else { Vec::new() };
    }
    let inside = format!("{}/{name}", target.path.trim_end_matches('/'));
    let folder = target.named.ends_with('/')
        || is_within(&call.cwd, &target.path)
        || context.facts.path(&target.path).is_some_and(|fact| fact.kind == PathKind::Directory);
    if folder { vec![inside] } else { vec![inside, target.path.clone()] }
}
