//! Judges the files that a line runs by their text (SPEC P0).

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::code::opaque;
use crate::detect::scripts;
use crate::detect::{Category, Finding, Severity, code};
use crate::run_files;
use crate::run_files::texts::shell_lines;
use crate::view::{Reader, RunFile, View};

/// The harm in what the line runs. A project's own scripts are only asked for certain harm: what they do besides is what
/// they are there for. Everything else is judged as if its lines were the command.
pub(in crate::detect) fn run(call: &ToolCall, view: &View, context: &Context) -> Vec<Finding> {
    let found = run_files::of_view(call, view, context).iter().flat_map(|file| {
        let text = file.text.as_deref().unwrap_or_default();
        let found = if file.settled {
            gravest(file, text, call, context).into_iter().collect()
        } else {
            // What a task or a test clears away in the project is its own.
            let cleared = |finding: &Finding| {
                finding.category() == Category::LocalDestruction
                    && finding.severity == Severity::Soft
                    && !finding.certain
                    && (file.tasks || !file.direct)
            };
            let found = if file.tasks {
                let lines = shell_lines(file, text);
                lines.iter().flat_map(|line| scripts::harm(line, &call.cwd, context)).collect()
            } else {
                scripts::harm_for(file.reader, text, &call.cwd, context)
            };
            found.into_iter().filter(|finding| !cleared(finding)).collect::<Vec<_>>()
        };
        found.into_iter().map(move |finding| Finding {
            what: format!("runs `{}`: {}", file.path, finding.what),
            span: Some(file.span),
            ..finding
        })
    });
    found.collect()
}

/// Why what the line runs is no ordinary work on the project: it could not be read, hides what it does, or does what would
/// not be ordinary in the line itself.
pub(in crate::detect) fn unusual(call: &ToolCall, view: &View, context: &Context) -> Option<String> {
    let files = run_files::of_view(call, view, context);
    files.iter().filter(|file| !file.settled).find_map(|file| {
        let text = match &file.text {
            Ok(text) => text,
            Err(why) => return Some(format!("it runs `{}`, which {why}", file.path)),
        };
        let session = &context.session;
        let edited = session.written.contains(&file.path) && !session.created.contains(&file.path);
        let whole = file.direct && !edited;
        let why = if whole && !file.tasks {
            scripts::unusual_for(file.reader, &file.path, text, &call.cwd, context)
        } else {
            None
        };
        let why = why.or_else(|| {
            opaque::hides(text)
                .map(str::to_owned)
                .filter(|_| matches!(file.reader, Reader::Language | Reader::Notebook))
        });
        let which = if file.reader == Reader::Language { "whose code" } else { "in which" };
        Some(format!("it runs `{}`, {which} {}", file.path, why?))
    })
}

/// The gravest certain harm in the user's own file.
fn gravest(file: &RunFile, text: &str, call: &ToolCall, context: &Context) -> Option<Finding> {
    let mut found = crate::detect::in_text(text);
    if file.reader == Reader::Shell {
        found.extend(scripts::harm(text, &call.cwd, context));
    }
    let certain = found.into_iter().filter(|finding| finding.certain && shows_in_files(finding));
    let destroys = || code::destroys_in_file(text, context).then(Finding::destruction);
    certain.max_by_key(|it| it.severity).or_else(destroys)
}

/// Whether a project's own scripts have no ordinary reason for it. What they delete or change in the project, and
/// where they deploy, is what they are there for; whoever runs such a task is judged by its name.
fn shows_in_files(finding: &Finding) -> bool {
    finding.severity == Severity::Hard
        || matches!(finding.category(), Category::Persistence | Category::GitDestructive)
}
