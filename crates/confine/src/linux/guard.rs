//! The second wall: Landlock says once more where may be written, and keeps commands of a session out of each other.

use std::os::fd::AsFd;

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat};

use crate::envelope::Kind;
use crate::plan::Plan;

/// What every kernel that is supported knows: moving between folders and truncation.
const LEAST: ABI = ABI::V3;

/// The newest rights that are asked for where the kernel knows them.
const NEWEST: ABI = ABI::V7;

/// Restricts this process, and whatever it starts, for good.
pub(super) fn restrict(plan: &Plan) -> Result<(), String> {
    let told = |error: landlock::RulesetError| format!("Landlock: {error}");
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))
        .map_err(told)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))
        .map_err(told)?;
    if plan.kind == Kind::Open {
        // It shares the machine's network, and with it sockets that have no path.
        ruleset = ruleset
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::AbstractUnixSocket)
            .map_err(told)?
            .set_compatibility(CompatLevel::BestEffort);
    }
    let mut created = ruleset.create().map_err(told)?;
    let everything = AccessFs::from_all(NEWEST);
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    created = below(created, "/", AccessFs::from_read(NEWEST))?;
    for path in &plan.writable {
        created = below(created, path, everything & !devices)?;
    }
    created = below(
        created,
        "/dev",
        AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::WriteFile | AccessFs::IoctlDev,
    )?;
    created = below(created, "/proc", AccessFs::from_read(NEWEST) | AccessFs::WriteFile)?;
    created = standard_streams(created)?;
    match created.restrict_self().map_err(told)?.ruleset {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        RulesetStatus::NotEnforced => Err("Landlock is not in this kernel, or switched off".to_owned()),
    }
}

fn below(created: RulesetCreated, path: &str, access: BitFlags<AccessFs>) -> Result<RulesetCreated, String> {
    let Ok(file) = PathFd::new(path) else { return Ok(created) };
    let folder = fstat(&file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
    let access = if folder { access } else { access & AccessFs::from_file(NEWEST) };
    created.add_rule(PathBeneath::new(file, access)).map_err(|error| format!("Landlock: `{path}`: {error}"))
}

/// Files that the caller opened as standard streams may be opened again by way of `/dev/stdin` and the like.
fn standard_streams(mut created: RulesetCreated) -> Result<RulesetCreated, String> {
    let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    for stream in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
        let (Ok(stat), Ok(flags)) = (fstat(stream), fcntl_getfl(stream)) else { continue };
        let access = match flags & OFlags::RWMODE {
            OFlags::WRONLY => AccessFs::WriteFile | AccessFs::Truncate,
            OFlags::RDWR => AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate,
            _ => AccessFs::ReadFile.into(),
        };
        let terminal = FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice;
        let access = if terminal { access | AccessFs::IoctlDev } else { access };
        if matches!(FileType::from_raw_mode(stat.st_mode), FileType::RegularFile | FileType::CharacterDevice)
        {
            let access = if terminal { access & !BitFlags::from(AccessFs::Truncate) } else { access };
            created = created
                .add_rule(PathBeneath::new(stream, access))
                .map_err(|error| format!("Landlock: a standard stream: {error}"))?;
        }
    }
    Ok(created)
}
