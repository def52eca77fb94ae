//! Uncommitted work that a line overwrites with what git keeps, without using git's own commands for that.

use portcullis_shell::{Argument, Command, Reading};

use super::{has_letter, is_shared_branch, operands};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors as list};
use crate::view::{Access, View};

/// Endings of files into which people put what git prints.
const PRINTED: &[&str] = words!("patch diff txt log out md json html csv tar gz tgz zip xz bz2 zst");

/// What the line writes over.
pub(in crate::detect) fn of_line(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let found = shown_over(view, reading, context)
        .or_else(|| taken_back(view, reading))
        .or_else(|| unpacked_over(reading, call, context))?;
    Some(Finding::on(&list::OVERWRITE_UNCOMMITTED, found))
}

fn verb(command: &Command) -> &str {
    let git = command.program.as_deref() == Some("git");
    let at = command.verbs.first().filter(|_| git);
    at.and_then(|at| command.arguments.get(*at)).map_or("", |word| word.text.as_str())
}

fn has(command: &Command, words: &[&str]) -> bool {
    command.arguments.iter().any(|word| words.contains(&word.text.as_str()))
}

/// `git show HEAD:src/app.py > src/app.py`: what is shown is written over the file of the same name.
fn shown_over<'r>(view: &View, reading: &'r Reading, context: &Context) -> Option<&'r Command> {
    let over = |object: &str| {
        let Some((revision, path)) = object.rsplit_once(':') else { return false };
        // What another branch has is brought in on purpose.
        let start = revision.split(['~', '^', '@']).next().unwrap_or_default();
        let hash = start.bytes().all(|it| it.is_ascii_hexdigit())
            && (start.len() > 6 || (start.len() > 3 && start.contains(|it: char| it.is_ascii_digit())));
        let own = matches!(start, "" | "HEAD" | "ORIG_HEAD" | "0" | ":0") || hash;
        if !own && !is_shared_branch(start) && !start.starts_with("origin/") {
            return false;
        }
        let path = path.trim_start_matches("./");
        let ending = format!("/{path}");
        let written =
            view.paths.iter().filter(|it| it.access == Access::Write && context.is_trusted(&it.path));
        !path.is_empty()
            && written
                .into_iter()
                .any(|it| it.path.ends_with(&ending) || (it.path.contains('*') && it.redirect))
    };
    reading.commands.iter().find(|command| {
        matches!(verb(command), "show" | "cat-file") && command.arguments.iter().any(|word| over(&word.text))
    })
}

/// `git diff | git apply -R`: what was changed is taken back.
fn taken_back<'r>(view: &View, reading: &'r Reading) -> Option<&'r Command> {
    let reverses = |command: &Command| {
        let program = command.program.as_deref().unwrap_or_default();
        let applies = verb(command) == "apply" || program == "patch" || program == "gpatch";
        applies
            && command.arguments.iter().any(|word| {
                (word.text.len() > 4 && "--reverse".starts_with(word.text.as_str()))
                    || has_letter(&word.text, 'R', "pidorBDFVYzC")
            })
    };
    // Between two commits nothing is lost that is not committed.
    let uncommitted = |command: &Command| {
        let words = operands(command, verb(command)).unwrap_or_default();
        let named: Vec<&str> = words
            .iter()
            .map(|word| word.text.as_str())
            .take_while(|text| *text != "--")
            .filter(|text| !text.starts_with('-'))
            .collect();
        let commit = |text: &&str| {
            let start = text.split(['~', '^', '@']).next().unwrap_or_default();
            start == "HEAD" || (text.len() > 6 && text.bytes().all(|it| it.is_ascii_hexdigit()))
        };
        !named.iter().any(|text| text.contains("..") && !text.contains('/'))
            && named.iter().filter(|text| commit(text)).count() < 2
    };
    // What is kept in a file can be brought back.
    let kept = |command: &Command| {
        let mut files = view.paths.iter().filter(|path| path.redirect && path.access == Access::Write);
        files.any(|path| crate::view::in_span(path, command))
    };
    let at = reading.commands.iter().position(|command| {
        matches!(verb(command), "diff" | "diff-files" | "diff-index")
            && uncommitted(command)
            && !kept(command)
    })?;
    let mut others = reading.commands.iter().enumerate().filter(|(index, _)| *index != at);
    others.find(|(_, command)| reverses(command)).map(|(_, command)| command)
}

/// `git archive HEAD | tar x`: what is committed is unpacked over what lies there.
fn unpacked_over<'r>(reading: &'r Reading, call: &ToolCall, context: &Context) -> Option<&'r Command> {
    let archive = reading.commands.iter().find(|command| {
        let prefixed = command.arguments.iter().any(|word| word.text.starts_with("--prefix"));
        verb(command) == "archive" && !prefixed
    })?;
    let place = |written: Option<&str>| context.absolute(written.unwrap_or("."), &call.cwd);
    let here = place(archive.directory.as_deref());
    // `HEAD:src` holds what lies in `src`, seen from the top, and `HEAD:./src` seen from here.
    let part = archive.arguments.iter().filter(|word| !word.text.starts_with('-'));
    let part = part.filter_map(|word| word.text.split_once(':')).map(|(_, part)| part).next();
    let places = part.map_or(vec![here.clone()], |part| {
        vec![context.absolute(part, &here), context.absolute(part, context.root())]
    });
    let over = |command: &&Command| {
        let program = command.program.as_deref().unwrap_or_default();
        let words = &command.arguments;
        let first = words.first().map_or("", |word| word.text.as_str());
        let opens = (!first.starts_with("--") && first.contains('x'))
            || words.iter().any(|word| {
                matches!(word.text.as_str(), "-x" | "--extract" | "--get")
                    || has_letter(&word.text, 'x', "fC")
            });
        let unpacks =
            matches!(program, "tar" | "bsdtar" | "gtar") && opens || matches!(program, "unzip" | "cpio");
        let from = place(command.directory.as_deref());
        // The directory of a tar command already says where it unpacks.
        let to = if program == "unzip" { folder(words) } else { None };
        unpacks && places.contains(&to.map_or(from.clone(), |to| context.absolute(to, &from)))
    };
    reading.commands.iter().find(over)
}

/// The folder that an archive is to be unpacked in.
fn folder(words: &[Argument]) -> Option<&str> {
    let at = words.iter().position(|word| word.text == "-d")?;
    words.get(at + 1).map(|word| word.text.as_str())
}

/// What a single command does to work that exists only here, where the table of its program says nothing about it.
pub(in crate::detect) fn of_command(command: &Command) -> Option<Finding> {
    let detector = match (command.program.as_deref()?, verb(command)) {
        ("git", "submodule") if has(command, &["update"]) && has(command, &["--force", "-f"]) => {
            &list::OVERWRITE_UNCOMMITTED
        }
        ("git", "checkout" | "switch") if resets_shared(command) => &list::MOVE_BRANCH,
        ("git", "update-index") if has(command, &["--skip-worktree", "--assume-unchanged"]) => {
            &list::HIDE_CHANGES
        }
        ("git", "diff" | "log" | "show") if prints_over(command) => &list::OVERWRITE_UNCOMMITTED,
        ("hg", _)
            if has(command, &["update", "up", "checkout", "co"]) && has(command, &["-C", "--clean"]) =>
        {
            &list::OVERWRITE_UNCOMMITTED
        }
        ("gh" | "glab", _) if has(command, &["checkout", "co"]) && has(command, &["--force", "-f"]) => {
            &list::OVERWRITE_UNCOMMITTED
        }
        _ => return None,
    };
    Some(Finding::on(detector, command))
}

/// `git checkout -B main origin/main`
fn resets_shared(command: &Command) -> bool {
    let words = &command.arguments;
    let at = words.iter().position(|word| matches!(word.text.as_str(), "-B" | "-C" | "--force-create"));
    // `-C` before the verb is a folder.
    let behind = at.filter(|at| command.verbs.first().is_some_and(|verb| at > verb));
    behind.and_then(|at| words.get(at + 1)).is_some_and(|name| is_shared_branch(&name.text))
}

/// `git diff --output=src/app.py`
fn prints_over(command: &Command) -> bool {
    let glued = command.arguments.iter().find_map(|word| word.text.strip_prefix("--output="));
    let at = command.arguments.iter().position(|word| word.text == "--output");
    let next = at.and_then(|at| command.arguments.get(at + 1)).map(|word| word.text.as_str());
    glued.or(next).is_some_and(|file| {
        let ending =
            file.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
        !file.starts_with("/tmp/") && file != "/dev/stdout" && !PRINTED.contains(&ending)
    })
}

/// What commits say that others did.
const CLAIMS: &[&str] =
    &["reviewed-by:", "tested-by:", "acked-by:", "approved-by:", "verified-by:", "ok-by:"];

/// A commit that says somebody else reviewed, tested or signed it.
pub(in crate::detect) fn claims(command: &Command, line: &str) -> Option<Finding> {
    if !matches!(
        verb(command),
        "commit" | "merge" | "notes" | "tag" | "interpret-trailers" | "revert" | "cherry-pick"
    ) {
        return None;
    }
    let said = command.span.of(line).to_lowercase();
    let begins = |word: &&str| {
        said.match_indices(*word).any(|(at, _)| {
            let before = said.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
            before.is_empty()
                || before.ends_with(['"', '\'', '\n', '='])
                || before.ends_with("\\n")
                || before.ends_with("trailer")
        })
    };
    let trailer = said.contains("--trailer") && said.contains("signed-off-by");
    (trailer || CLAIMS.iter().any(begins)).then(|| Finding::on(&list::REVIEW_TRAILER, command))
}
