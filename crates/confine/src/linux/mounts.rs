//! Carries out the mounts of a plan.
//!
//! Every path is opened component by component, and no symbolic link is followed: commands of the same session may have
//! put some into its temporary folder. What was opened is what is mounted.

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use nix::mount::MsFlags;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, StatVfsMountFlags, fstatvfs, mkdirat, openat, openat2};
use rustix::io::Errno;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, UnmountFlags, move_mount, open_tree, unmount};

use crate::steps::{Access, Covered, Mount};

/// Where the host's tree is while a view is built.
const HOST: &str = "/.host";

/// What covers things: an empty folder, an empty file, and new files before they are in place.
const OWN: &str = "/.confine";

/// A view that is being built. The root is a file system of its own, with the host's tree in a folder.
pub(super) struct View {
    host: OwnedFd,
    root: OwnedFd,
    /// Whether others build on it: nothing can be mounted over a file that has no name any more.
    is_base: bool,
}

/// Leaves the host's tree for an empty one, in a mount namespace that was just made.
pub(super) fn begin() -> Result<View, String> {
    let told = |what: &str| {
        let what = what.to_owned();
        move |error: nix::errno::Errno| format!("{what}: {}", error.desc())
    };
    let none = None::<&str>;
    nix::mount::mount(none, "/", none, MsFlags::MS_PRIVATE | MsFlags::MS_REC, none)
        .map_err(told("private mounts"))?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    nix::mount::mount(Some("portcullis"), "/tmp", Some("tmpfs"), flags, Some("mode=0755,size=16m"))
        .map_err(told("a file system in memory"))?;
    let io = |error: std::io::Error| format!("the new root: {error}");
    std::env::set_current_dir("/tmp").map_err(io)?;
    std::fs::create_dir("/tmp/.host").map_err(io)?;
    rustix::process::pivot_root(".", ".host").map_err(|error| format!("the new root: {error}"))?;
    std::env::set_current_dir("/").map_err(io)?;
    std::fs::create_dir_all(format!("{OWN}/folder")).map_err(io)?;
    std::fs::write(format!("{OWN}/file"), "").map_err(io)?;
    View::open().map(|view| View { is_base: true, ..view })
}

impl View {
    /// The view of this process, which has the host's tree in its folder.
    pub(super) fn open() -> Result<View, String> {
        let open = |path: &str| {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            openat(CWD, path, flags, Mode::empty()).map_err(|error| format!("`{path}`: {error}"))
        };
        Ok(View { host: open(HOST)?, root: open("/")?, is_base: false })
    }

    /// Carries out the steps.
    pub(super) fn apply(&self, steps: &[Mount]) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    /// Detaches the host's tree; from here on there is no way back to it.
    pub(super) fn finish(self) -> Result<(), String> {
        let root = self.root;
        drop(self.host);
        remount(&root, MsFlags::MS_RDONLY).map_err(|error| format!("`/`: {error}"))?;
        unmount(HOST, UnmountFlags::DETACH).map_err(|error| format!("the host's tree: {error}"))
    }

    fn step(&self, step: &Mount) -> Result<(), String> {
        let done = match step {
            Mount::Folder(at) => self.target(at, true).map(drop),
            Mount::Link(at, to) => return self.link(at, to),
            Mount::Temporary(at, size, mode) => return self.temporary(at, *size, *mode),
            Mount::Bind(from, at, access) => self.bind(from, at, *access),
            Mount::Seal(at) => self.seal(at),
            Mount::Hide(at, covered) => self.hide(at, *covered),
            Mount::Text(at, text) => return self.text(at, text),
            Mount::Processes => return self.processes(),
            Mount::Devices => return self.devices(),
        };
        let at = match step {
            Mount::Folder(at) | Mount::Link(at, _) | Mount::Temporary(at, ..) | Mount::Bind(_, at, _) => at,
            Mount::Seal(at) | Mount::Hide(at, _) | Mount::Text(at, _) => at,
            Mount::Processes | Mount::Devices => "/",
        };
        done.map_err(|error| format!("`{at}`: {error}"))
    }

    fn bind(&self, from: &str, at: &str, access: Access) -> Result<(), Errno> {
        let source = plain(&self.host, from)?;
        let target = self.target(at, is_folder(&source)?)?;
        let flags = if access == Access::Read { MsFlags::MS_RDONLY } else { MsFlags::empty() };
        put(&source, &target, flags | MsFlags::MS_NOSUID)
    }

    fn seal(&self, at: &str) -> Result<(), Errno> {
        let target = match plain(&self.root, at) {
            Ok(target) => target,
            // Where nobody can go nobody can write.
            Err(Errno::NOENT | Errno::ACCESS) => return Ok(()),
            Err(error) => return Err(error),
        };
        match remount(&target, MsFlags::MS_RDONLY) {
            // It is no mount of its own yet.
            Err(Errno::INVAL) => put(&target, &target, MsFlags::MS_RDONLY),
            done => done,
        }
    }

    fn hide(&self, at: &str, covered: Covered) -> Result<(), Errno> {
        let target = match plain(&self.root, at) {
            Ok(target) => target,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
            Err(error) => return Err(error),
        };
        let name = match covered {
            Covered::Folder => "folder",
            Covered::File => "file",
        };
        let source = plain(&self.root, &format!("{OWN}/{name}"))?;
        put(&source, &target, MsFlags::MS_RDONLY)
    }

    fn link(&self, at: &str, to: &str) -> Result<(), String> {
        let told = |error: Errno| format!("`{at}`: {error}");
        let (folder, name) = at.rsplit_once('/').unwrap_or(("", at));
        let folder = self.target(if folder.is_empty() { "/" } else { folder }, true).map_err(told)?;
        match rustix::fs::symlinkat(to, &folder, name) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(told(error)),
        }
    }

    fn temporary(&self, at: &str, size: u64, mode: u32) -> Result<(), String> {
        let target = self.target(at, true).map_err(|error| format!("`{at}`: {error}"))?;
        // Small files cost the kernel more than their size says.
        let options = format!("size={size}m,nr_inodes={},mode={mode:o}", size.saturating_mul(256));
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        nix::mount::mount(
            Some("portcullis"),
            Path::new(&by_descriptor(&target)),
            Some("tmpfs"),
            flags,
            Some(options.as_str()),
        )
        .map_err(|error| format!("`{at}`: {}", error.desc()))
    }

    fn text(&self, at: &str, text: &str) -> Result<(), String> {
        let told = |error: Errno| format!("`{at}`: {error}");
        let own = plain(&self.root, OWN).map_err(told)?;
        let name = format!("text{}-{}", at.replace('/', "-"), rustix::process::getpid().as_raw_nonzero());
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&own, &name, flags, Mode::from_raw_mode(0o644)).map_err(told)?;
        std::io::Write::write_all(&mut std::fs::File::from(file), text.as_bytes())
            .map_err(|error| format!("`{at}`: {error}"))?;
        let source = plain(&self.root, &format!("{OWN}/{name}")).map_err(told)?;
        let target = self.target(at, false).map_err(told)?;
        put(&source, &target, MsFlags::MS_RDONLY).map_err(told)?;
        if self.is_base {
            return Ok(());
        }
        rustix::fs::unlinkat(&own, &name, rustix::fs::AtFlags::empty()).map_err(told)
    }

    fn processes(&self) -> Result<(), String> {
        let target = self.target("/proc", true).map_err(|error| format!("`/proc`: {error}"))?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
        nix::mount::mount(Some("proc"), Path::new(&by_descriptor(&target)), Some("proc"), flags, None::<&str>)
            .map_err(|error| {
                let hint = "parts of the host's /proc are covered, as in a container without \
                            `--security-opt systempaths=unconfined`";
                format!("`/proc`: {} ({hint})", error.desc())
            })
    }

    fn devices(&self) -> Result<(), String> {
        self.temporary("/dev", 1, 0o755)?;
        for name in ["null", "zero", "full", "random", "urandom", "tty"] {
            let path = format!("/dev/{name}");
            self.device(&path).map_err(|error| format!("`{path}`: {error}"))?;
        }
        self.temporary("/dev/shm", 1024, 0o1777)?;
        let terminals = self.target("/dev/pts", true).map_err(|error| format!("`/dev/pts`: {error}"))?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
        let options = Some("newinstance,ptmxmode=0666,mode=0620");
        nix::mount::mount(
            Some("devpts"),
            Path::new(&by_descriptor(&terminals)),
            Some("devpts"),
            flags,
            options,
        )
        .map_err(|error| format!("`/dev/pts`: {}", error.desc()))?;
        let links = [
            ("fd", "/proc/self/fd"),
            ("stdin", "fd/0"),
            ("stdout", "fd/1"),
            ("stderr", "fd/2"),
            ("ptmx", "pts/ptmx"),
        ];
        links.into_iter().try_for_each(|(name, to)| self.link(&format!("/dev/{name}"), to))
    }

    fn device(&self, path: &str) -> Result<(), Errno> {
        let source = plain(&self.host, path)?;
        let target = self.target(path, false)?;
        put(&source, &target, MsFlags::MS_NOSUID)
    }

    /// The place at a path, made if it is not there. Links on the way are refused.
    fn target(&self, at: &str, folder: bool) -> Result<OwnedFd, Errno> {
        match plain(&self.root, at) {
            Err(Errno::NOENT) => {}
            found => return found,
        }
        let mut parts = at.split('/').filter(|part| !part.is_empty()).peekable();
        let mut current = plain(&self.root, "/")?;
        while let Some(part) = parts.next() {
            let last = parts.peek().is_none();
            let made = if last && !folder {
                let flags =
                    OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                openat(&current, part, flags, Mode::from_raw_mode(0o644)).map(drop)
            } else {
                mkdirat(&current, part, Mode::from_raw_mode(0o755))
            };
            match made {
                Ok(()) | Err(Errno::EXIST | Errno::ROFS) => {}
                Err(error) => return Err(error),
            }
            current = plain(&current, part)?;
        }
        Ok(current)
    }
}

/// Opens what is at a path below a folder, if no part of the path is a symbolic link.
fn plain(folder: &OwnedFd, path: &str) -> Result<OwnedFd, Errno> {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() { "." } else { path };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(folder, path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty(), resolve)
}

fn is_folder(file: &OwnedFd) -> Result<bool, Errno> {
    let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(file)?.st_mode);
    Ok(kind == rustix::fs::FileType::Directory)
}

/// Mounts a copy of one place over another.
fn put(source: &OwnedFd, target: &OwnedFd, flags: MsFlags) -> Result<(), Errno> {
    let whole = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let whole = whole | OpenTreeFlags::AT_EMPTY_PATH | OpenTreeFlags::AT_RECURSIVE;
    let copy = open_tree(source, "", whole)?;
    let by_descriptors = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(&copy, "", target, "", by_descriptors)?;
    if flags.is_empty() { Ok(()) } else { remount(&copy, flags) }
}

/// Changes the flags of a mount. Those that it has already are repeated: the kernel does not let them be taken off.
fn remount(mount: &OwnedFd, flags: MsFlags) -> Result<(), Errno> {
    let known = fstatvfs(mount)?.f_flag;
    let pairs = [
        (StatVfsMountFlags::RDONLY, MsFlags::MS_RDONLY),
        (StatVfsMountFlags::NOSUID, MsFlags::MS_NOSUID),
        (StatVfsMountFlags::NODEV, MsFlags::MS_NODEV),
        (StatVfsMountFlags::NOEXEC, MsFlags::MS_NOEXEC),
        (StatVfsMountFlags::NOATIME, MsFlags::MS_NOATIME),
        (StatVfsMountFlags::NODIRATIME, MsFlags::MS_NODIRATIME),
        (StatVfsMountFlags::RELATIME, MsFlags::MS_RELATIME),
    ];
    let kept = pairs.into_iter().filter(|(known_as, _)| known.contains(*known_as)).map(|(_, flag)| flag);
    let all = kept.fold(flags | MsFlags::MS_BIND | MsFlags::MS_REMOUNT, |all, flag| all | flag);
    let none = None::<&str>;
    nix::mount::mount(none, Path::new(&by_descriptor(mount)), none, all, none)
        .map_err(|error| Errno::from_raw_os_error(error as i32))
}

/// The path of an open file, for calls that know no descriptors.
fn by_descriptor(file: &OwnedFd) -> String {
    format!("{HOST}/proc/self/fd/{}", file.as_raw_fd())
}
