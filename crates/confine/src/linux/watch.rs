//! Watches trusted folders for protected names that appear, moves them out, and says what it found.
//!
//! This runs outside, with the user's rights, on folders that a confined command can change at any time: everything is
//! opened below the trusted folder without following a symbolic link.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, openat, openat2, renameat, statat};
use rustix::io::Errno;

use crate::facts::{Project, is_within, parent};
use crate::scan;
use crate::tables::{is_dependencies, is_protected, is_protected_in_git};

/// What is watched, what was there, and what was found since.
pub(super) struct Watch {
    inotify: OwnedFd,
    folders: BTreeMap<i32, String>,
    watched: BTreeSet<String>,
    roots: Vec<String>,
    repositories: BTreeSet<String>,
    known: BTreeMap<String, Identity>,
    quarantine: PathBuf,
    moved: usize,
    reports: Vec<String>,
    /// Whether something protected was removed or replaced outside, so that nothing holds its name any more.
    lost: bool,
    /// Whether folders appeared, or more happened than was told: a look at everything is due.
    unsure: bool,
}

/// Which file or folder it is: another one by the same name is another.
type Identity = (u64, u64);

impl Watch {
    /// Watches nothing yet; what is found goes into this folder.
    pub(super) fn new(quarantine: PathBuf) -> Result<Watch, String> {
        let flags = CreateFlags::CLOEXEC | CreateFlags::NONBLOCK;
        Ok(Watch {
            inotify: inotify::init(flags).map_err(|error| format!("watching files: {error}"))?,
            folders: BTreeMap::new(),
            watched: BTreeSet::new(),
            roots: Vec::new(),
            repositories: BTreeSet::new(),
            known: BTreeMap::new(),
            quarantine,
            moved: 0,
            reports: Vec::new(),
            lost: false,
            unsure: false,
        })
    }

    /// What to wait for.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }

    /// Watches further folders, and says what is protected in them now.
    pub(super) fn add(&mut self, roots: &[String]) -> Result<Project, String> {
        let mut trouble = None;
        let project = scan::project(roots, |folder| {
            if let Err(error) = self.watch(folder) {
                trouble = Some(format!("watching `{folder}`: {error}"));
            }
        })?;
        // FAIL-CLOSED(not-watched): the limit of watches, most likely.
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        for repository in &project.repositories {
            self.watch(&repository.folder)
                .map_err(|error| format!("watching `{}`: {error}", repository.folder))?;
            self.repositories.insert(repository.folder.clone());
            let inside = repository.names.keys().filter(|name| is_protected_in_git(name));
            inside.for_each(|name| self.remember(format!("{}/{name}", repository.folder)));
        }
        project.protected.keys().for_each(|path| self.remember(path.clone()));
        for root in roots {
            if !self.roots.contains(root) {
                self.roots.push(root.clone());
            }
        }
        Ok(project)
    }

    /// What was made for this command, as the folders that a repository did not have, is no surprise.
    pub(super) fn remember(&mut self, path: String) {
        if let Some(identity) = identity(&path) {
            self.known.entry(path).or_insert(identity);
        }
    }

    fn watch(&mut self, folder: &str) -> Result<(), Errno> {
        let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::DELETE | WatchFlags::MOVED_FROM;
        let flags = flags | WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW | WatchFlags::EXCL_UNLINK;
        match inotify::add_watch(&self.inotify, folder, flags) {
            Ok(number) => {
                self.folders.insert(number, folder.to_owned());
                self.watched.insert(folder.to_owned());
                Ok(())
            }
            // Gone again, or nobody's to read.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes in what happened since.
    pub(super) fn look(&mut self) {
        let mut events = Vec::new();
        let mut space = [MaybeUninit::uninit(); 16 << 10];
        {
            let mut reader = inotify::Reader::new(&self.inotify, &mut space);
            while let Ok(event) = reader.next() {
                let name = event.file_name().and_then(|name| name.to_str().ok()).map(str::to_owned);
                events.push((event.wd(), event.events(), name));
            }
        }
        for (number, what, name) in events {
            if what.contains(ReadFlags::QUEUE_OVERFLOW) {
                self.unsure = true;
            } else if let (Some(folder), Some(name)) = (self.folders.get(&number).cloned(), name) {
                self.happened(&folder, &name, what);
            }
        }
    }

    fn happened(&mut self, folder: &str, name: &str, what: ReadFlags) {
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        if what.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
            self.lost |= self.known.contains_key(&path);
            return;
        }
        if self.is_new(folder, name, &path) {
            self.put_away(&path);
        } else if what.contains(ReadFlags::ISDIR) && !is_dependencies(name) && !is_protected(name) {
            self.new_folder(&path);
        }
    }

    /// Whether a name is protected and was not there before.
    fn is_new(&mut self, folder: &str, name: &str, path: &str) -> bool {
        let in_git = self.repositories.contains(folder);
        let protected = if in_git {
            is_protected_in_git(name) && name.strip_suffix(".lock").is_none()
        } else {
            is_protected(name)
        };
        if !protected {
            return false;
        }
        match self.known.get(path) {
            None => true,
            Some(known) => {
                // Somebody outside put another in its place: inside nothing holds it any more.
                self.lost |= identity(path).is_some_and(|now| now != *known);
                false
            }
        }
    }

    /// A folder that appeared may be full already.
    fn new_folder(&mut self, path: &str) {
        self.unsure = true;
        let root = vec![path.to_owned()];
        let mut folders = Vec::new();
        let found = scan::project(&root, |folder| folders.push(folder.to_owned()));
        for folder in &folders {
            self.watch(folder).ok();
        }
        // What came between the two looks.
        let again = scan::project(&root, |_| {});
        for project in [found, again].into_iter().flatten() {
            for path in project.protected.keys() {
                if !self.known.contains_key(path) {
                    self.put_away(path);
                }
            }
        }
    }

    /// What is certain once a command has ended, without a look at everything where nothing asks for one.
    pub(super) fn settle(&mut self) {
        self.look();
        if self.unsure { self.scan() } else { self.look_at_known() }
    }

    /// Looks at everything once more: certain where nothing runs any longer.
    pub(super) fn scan(&mut self) {
        self.unsure = false;
        self.look_at_known();
        let roots = self.roots.clone();
        match scan::project(&roots, |_| {}) {
            Ok(project) => {
                let repositories = self.repositories.clone();
                for folder in repositories {
                    for (name, path) in names(&folder) {
                        if self.is_new(&folder, &name, &path) {
                            self.put_away(&path);
                        }
                    }
                }
                let new: Vec<String> =
                    project.protected.into_keys().filter(|path| !self.known.contains_key(path)).collect();
                for path in &new {
                    self.put_away(path);
                }
            }
            Err(why) => self.reports.push(format!("new protected files were not looked for: {why}")),
        }
    }

    fn look_at_known(&mut self) {
        let changed = self.known.iter().filter(|(path, was)| identity(path) != Some(**was));
        let changed: Vec<String> = changed.map(|(path, _)| path.clone()).collect();
        for path in changed {
            self.lost = true;
            self.reports.push(format!(
                "`{path}` was removed or replaced from outside while a command ran: look at it"
            ));
            match identity(&path) {
                Some(now) => drop(self.known.insert(path, now)),
                None => drop(self.known.remove(&path)),
            }
        }
    }

    /// Moves something out of the project, without following any link.
    fn put_away(&mut self, path: &str) {
        let Some((root, folder, name)) = self.in_its_root(path) else { return };
        let Ok(folder_file) = below(&root, &folder) else { return };
        if statat(&folder_file, &name, AtFlags::SYMLINK_NOFOLLOW).is_err() {
            return;
        }
        self.moved += 1;
        let file = format!("{}-{}", self.moved, name.trim_start_matches('.'));
        let whole = self.quarantine.join(&file);
        let outside = std::fs::create_dir_all(&self.quarantine).map_err(|_| Errno::IO).and_then(|()| {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::PATH;
            let quarantine = openat(CWD, &self.quarantine, flags, Mode::empty())?;
            renameat(&folder_file, &name, &quarantine, &file)
        });
        let report = if outside.is_ok() {
            format!("`{path}` was new and is protected: moved to `{}`", whole.display())
        } else {
            // Another file system, most likely: a name that nothing obeys does as well.
            let inert = format!("quarantined-{}-{file}", std::process::id());
            match renameat(&folder_file, &name, &folder_file, &inert) {
                Ok(()) => format!("`{path}` was new and is protected: renamed to `{inert}`"),
                Err(Errno::NOENT) => return,
                Err(error) => {
                    format!(
                        "`{path}` is new and protected, and could not be moved away ({error}): look at it"
                    )
                }
            }
        };
        self.reports.push(report);
    }

    fn in_its_root(&self, path: &str) -> Option<(String, String, String)> {
        let name = path.rsplit('/').next()?.to_owned();
        let folder = parent(path)?;
        let roots = self.roots.iter().chain(&self.repositories);
        let root = roots.filter(|root| is_within(folder, root)).max_by_key(|root| root.len())?;
        let rest = folder.strip_prefix(root.trim_end_matches('/'))?.trim_start_matches('/').to_owned();
        Some((root.clone(), rest, name))
    }

    /// What was found since the last time.
    pub(super) fn reports(&mut self) -> Vec<String> {
        std::mem::take(&mut self.reports)
    }

    /// Keeps reports that nobody waits for beside what was moved away.
    pub(super) fn write_down(&mut self) {
        let lines = self.reports();
        if !lines.is_empty() && std::fs::create_dir_all(&self.quarantine).is_ok() {
            drop(std::fs::write(self.quarantine.join("report.txt"), lines.join("\n") + "\n"));
        }
    }

    /// Whether a name lost what held it since the last time.
    pub(super) fn lost(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }
}

fn names(folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.map(|name| (name.clone(), format!("{folder}/{name}"))).collect()
}

fn identity(path: &str) -> Option<Identity> {
    let path = CString::new(path).ok()?;
    statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| (stat.st_dev, stat.st_ino))
}

/// Opens a folder below another one.
fn below(root: &str, folder: &str) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::PATH;
    let root = openat(CWD, root, flags, Mode::empty())?;
    let folder = if folder.is_empty() { "." } else { folder };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(root, folder, flags, Mode::empty(), resolve)
}
