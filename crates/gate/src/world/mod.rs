//! Facts about the world that a decision needs: links, files, scripts, and what git is configured to run.
//!
//! [`look_up`] answers the questions of [`portcullis_decide::questions`] for a call and adds the answers to its
//! context. Nothing is guessed: a question that cannot be answered for certain gets no answer, and what is not known
//! is never allowed by a proof.

mod git_config;
mod instructions;
mod repository;
mod surroundings;
mod tracked;

pub use instructions::project_instructions;
pub use repository::command_keys;
use surroundings::pushed_branch;
pub use surroundings::surroundings;

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use portcullis_decide::facts::{Answer, FileText, PathFact, PathKind, Question, Unread};
use portcullis_decide::{Context, ToolCall, questions};
use tracked::Indexes;

use crate::files::{self, Content, is_missing};

/// How often it is asked again what a call needs: what a script imports is only known when it was read.
const ROUNDS: usize = 6;

/// The most links that are followed one after another where a path does not exist.
const MAX_LINKS: usize = 40;

/// Looks up every fact that has to be known before `call` can be judged, until no new question comes up, and adds
/// them to `context`.
pub fn look_up(call: &ToolCall, context: &mut Context) {
    let mut indexes = Indexes::default();
    for _ in 0..ROUNDS {
        let asked = questions(call, context);
        let reads = asked.iter().any(|question| matches!(question, Question::Text(_)));
        for question in asked {
            if let Some(answer) = answer(&question, context, &mut indexes) {
                context.facts.add(question, answer);
            }
        }
        // Only what is written in files brings up more.
        if !reads {
            break;
        }
    }
}

fn answer(question: &Question, context: &Context, indexes: &mut Indexes) -> Option<Answer> {
    match question {
        Question::Path(path) => path_fact(Path::new(path)).map(Answer::Path),
        Question::Present(folder, names) => present(Path::new(folder), names).map(Answer::Present),
        Question::Text(path) => Some(Answer::File(file_text(Path::new(path), context.began, indexes))),
        // Where the environment names another repository, this one says nothing.
        Question::Repository(_) | Question::Branch(_) if repository::is_moved() => None,
        Question::Branch(folder) => {
            Some(Answer::Text(pushed_branch(Path::new(folder)).unwrap_or_else(|| "HEAD".to_owned())))
        }
        Question::Repository(folder) => {
            repository::commands(Path::new(folder), Path::new(&context.home)).map(Answer::Repository)
        }
    }
}

/// What is written in a file that may be run, and whether it is the user's: tracked, and as it was when the session
/// began, at `began` in milliseconds since 1970.
fn file_text(path: &Path, began: Option<u64>, indexes: &mut Indexes) -> FileText {
    let unread = |why: Unread| FileText { text: Err(why), settled: false };
    let text = match files::read(path) {
        Content::Missing => return unread(Unread::Missing),
        Content::Unreadable(_) if files::begins(path).is_some_and(|bytes| is_program(&bytes)) => {
            Err(Unread::Program)
        }
        Content::Unreadable(_) if files::begins(path).is_some() => Err(Unread::TooLong),
        Content::Unreadable(_) => Err(Unread::Closed),
        Content::Bytes(bytes) if is_program(&bytes) => Err(Unread::Program),
        Content::Bytes(bytes) => String::from_utf8(bytes).map_err(|_| Unread::NotText),
    };
    // Neither a copy nor a clock that is set back hides a change: the moment of it is the kernel's.
    let unchanged = path.metadata().is_ok_and(|it| {
        let changed = it.ctime().saturating_mul(1000).saturating_add(it.ctime_nsec() / 1_000_000);
        began.is_none_or(|began| u64::try_from(changed).is_ok_and(|changed| changed <= began))
    });
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    FileText { text, settled: unchanged && indexes.tracks(&real) }
}

/// Whether the bytes begin a compiled program.
fn is_program(bytes: &[u8]) -> bool {
    const MAGIC: &[&[u8]] =
        &[b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xcf", b"\0asm", b"MZ"];
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// Whether it is an open file of whoever looks, and no name of a file.
fn is_own_stream(path: &Path) -> bool {
    let number = path.strip_prefix("/dev/fd").ok().and_then(Path::to_str);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        || ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|stream| path == Path::new(stream))
}

/// Links that lead somewhere else for every process.
const OWN_LINKS: &[&str] = &[
    "/dev/fd",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/proc/self/cwd",
    "/proc/self/root",
    "/proc/self/fd",
    "/proc/self/exe",
    "/proc/self/task",
    "/proc/self/map_files",
    "/proc/thread-self",
];

/// What is at `path` and where it leads; nothing if that cannot be told.
fn path_fact(path: &Path) -> Option<PathFact> {
    if !path.is_absolute() {
        return None;
    }
    // What these lead to depends on the process that looks, and that would be this one.
    if is_own_stream(path) {
        return Some(PathFact {
            resolved: path.to_str()?.to_owned(),
            kind: PathKind::Special,
            shared: false,
        });
    }
    if OWN_LINKS.iter().any(|link| path.starts_with(link)) {
        return None;
    }
    let resolved = resolve(path, MAX_LINKS)?;
    let (kind, shared) = match resolved.symlink_metadata() {
        Ok(found) if found.is_dir() => (PathKind::Directory, false),
        Ok(found) if found.is_file() => (PathKind::File, found.nlink() > 1),
        // What was a plain end a moment ago is a link now: nothing can be said about it.
        Ok(found) if found.is_symlink() => return None,
        Ok(_) => (PathKind::Special, false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (PathKind::Missing, false),
        Err(_) => return None,
    };
    Some(PathFact { resolved: resolved.to_str()?.to_owned(), kind, shared })
}

/// The path with every link followed, also where its end does not exist yet: a file written there would be
/// made where the last link points.
fn resolve(path: &Path, links: usize) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(resolved) => return Some(resolved),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) => return None,
    }
    let (parent, name) = (path.parent()?, path.file_name()?);
    let parent = resolve(parent, links.checked_sub(1)?)?;
    let here = parent.join(name);
    match here.read_link() {
        Ok(target) if climbs(&target) => None,
        Ok(target) => resolve(&parent.join(target), links.checked_sub(1)?),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput) => {
            Some(here)
        }
        Err(_) => None,
    }
}

/// Whether `..` comes after a name that does not exist: where that leads is not known yet.
fn climbs(target: &Path) -> bool {
    let mut named = false;
    target.components().any(|part| match part {
        std::path::Component::Normal(_) => {
            named = true;
            false
        }
        std::path::Component::ParentDir => named,
        std::path::Component::CurDir | std::path::Component::RootDir | std::path::Component::Prefix(_) => {
            false
        }
    })
}

/// Which of the names exist in the folder or above it, by its name and by where it leads.
fn present(folder: &Path, names: &[String]) -> Option<Vec<String>> {
    let mut folders: BTreeSet<PathBuf> = folder.ancestors().map(Path::to_path_buf).collect();
    folders.extend(folder.canonicalize().ok()?.ancestors().map(Path::to_path_buf));
    let mut found = Vec::new();
    for (path, word) in folders.iter().flat_map(|folder| {
        names.iter().map(|name| {
            let (name, word) = name.split_once(':').unwrap_or((name, ""));
            (folder.join(name), word)
        })
    }) {
        match path.symlink_metadata() {
            Ok(_) if says_nothing_of(&path, word) => {}
            Ok(_) => found.push(path.to_str()?.to_owned()),
            Err(error) if is_missing(&error) => {}
            Err(_) => return None,
        }
    }
    Some(found)
}

/// Whether a file can be read whole and `word` does not stand in it.
fn says_nothing_of(path: &Path, word: &str) -> bool {
    !word.is_empty()
        && matches!(files::read(path), Content::Bytes(bytes) if !String::from_utf8_lossy(&bytes).contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        (folder, path)
    }

    fn fact(path: &Path) -> (String, PathKind, bool) {
        let fact = path_fact(path).unwrap();
        (fact.resolved, fact.kind, fact.shared)
    }

    fn text(path: &Path) -> String {
        path.to_str().unwrap().to_owned()
    }

    /// [R6]
    #[test]
    fn links_are_followed_also_where_nothing_is_yet() {
        let (_keep, at) = folder();
        std::fs::create_dir(at.join("real")).unwrap();
        std::fs::write(at.join("real/file"), "x").unwrap();
        symlink("real", at.join("link")).unwrap();
        symlink("real/new", at.join("dangling")).unwrap();
        symlink("loop", at.join("loop")).unwrap();
        assert_eq!(fact(&at.join("link")), (text(&at.join("real")), PathKind::Directory, false));
        assert_eq!(fact(&at.join("link/file")), (text(&at.join("real/file")), PathKind::File, false));
        assert_eq!(fact(&at.join("link/a/b")), (text(&at.join("real/a/b")), PathKind::Missing, false));
        assert_eq!(fact(&at.join("dangling")), (text(&at.join("real/new")), PathKind::Missing, false));
        assert_eq!(path_fact(&at.join("loop")), None);
        assert_eq!(path_fact(&at.join("real/file/below")), None);
        assert_eq!(path_fact(Path::new("relative")), None);
    }

    /// [R6]
    #[test]
    fn a_dangling_link_that_climbs_is_not_known() {
        let (_keep, at) = folder();
        symlink("none/../../x", at.join("link")).unwrap();
        assert_eq!(path_fact(&at.join("link")), None);
    }

    #[test]
    fn a_second_name_and_a_pipe_are_seen() {
        let (_keep, at) = folder();
        std::fs::write(at.join("one"), "x").unwrap();
        std::fs::hard_link(at.join("one"), at.join("two")).unwrap();
        assert_eq!(fact(&at.join("two")), (text(&at.join("two")), PathKind::File, true));
        assert_eq!(fact(Path::new("/dev/null")), ("/dev/null".to_owned(), PathKind::Special, false));
        // Whatever this process has open, another one has something else there.
        let open = std::fs::File::open(at.join("one")).unwrap();
        let stream = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
        assert_eq!(fact(Path::new(&stream)), (stream.clone(), PathKind::Special, false));
        for path in ["/proc/self/cwd/x", "/dev/fd/3/etc/hosts", "/dev/fd", "/dev/stdin/x"] {
            assert_eq!(path_fact(Path::new(path)), None, "{path}");
        }
    }

    /// [P7]
    #[test]
    fn names_are_looked_for_above_and_behind_links() {
        let (_keep, at) = folder();
        std::fs::create_dir_all(at.join("real/deep")).unwrap();
        std::fs::write(at.join("real/.yarnrc"), "").unwrap();
        symlink("real/deep", at.join("link")).unwrap();
        let names = vec![".yarnrc".to_owned(), ".pnp".to_owned()];
        assert_eq!(present(&at.join("link"), &names), Some(vec![text(&at.join("real/.yarnrc"))]));
        assert_eq!(present(&at, &names), Some(Vec::new()));
        assert_eq!(present(&at.join("none"), &names), None);
    }

    #[test]
    fn what_a_call_needs_is_looked_up() {
        let (_keep, at) = folder();
        std::fs::write(at.join("a"), "").unwrap();
        let mut context = Context::new(text(&at), "/nowhere");
        let call = ToolCall::new("Read", serde_json::json!({ "file_path": text(&at.join("a")) }), text(&at));
        look_up(&call, &mut context);
        assert!(portcullis_decide::decide(&call, &context).decision.is_allow());
        assert!(questions(&call, &context).is_empty());
    }
}
