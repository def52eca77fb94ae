//! The system calls that no confined command may make.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

/// Refused whatever their arguments are: mounts, namespaces, the kernel itself, and ways around every other wall.
const REFUSED: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_mbind,
];

/// Every flag of `clone` and `unshare` that makes a namespace; `CLONE_NEWTIME` has no place in `clone`.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// `CLONE_NEWTIME`, for `unshare` alone.
const NEW_TIME: u64 = 0x80;

/// Calls of the x32 variant have this bit in their number; none of them is needed.
const FOREIGN: u32 = 0x4000_0000;

/// The programs, in the order in which they have to be put in force.
pub(super) fn programs() -> Result<Vec<BpfProgram>, String> {
    let told = |error: seccompiler::BackendError| error.to_string();
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(told)?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let mut refuse = |call: i64, cases: Vec<Vec<SeccompCondition>>| -> Result<(), String> {
        let cases = cases.into_iter().map(SeccompRule::new).collect::<Result<Vec<_>, _>>().map_err(told)?;
        rules.insert(call, cases);
        Ok(())
    };
    let spaces: Vec<u64> = NAMESPACES.iter().filter_map(|flag| u64::try_from(*flag).ok()).collect();
    let with =
        |flags: &[u64]| flags.iter().map(|flag| Ok(vec![has(0, *flag)?])).collect::<Result<Vec<_>, _>>();
    refuse(libc::SYS_clone, with(&spaces).map_err(told)?)?;
    refuse(libc::SYS_unshare, with(&[spaces, vec![NEW_TIME]].concat()).map_err(told)?)?;
    // Typing into the terminal that the command was started from.
    let typing = [0x5412, 0x541C].map(|request| is(1, request).map(|condition| vec![condition]));
    refuse(libc::SYS_ioctl, typing.into_iter().collect::<Result<_, _>>().map_err(told)?)?;
    let families = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    let other = families.into_iter().map(|family| is_not(0, u64::try_from(family).unwrap_or_default()));
    let other = other.collect::<Result<Vec<_>, _>>().map_err(told)?;
    let netlink = vec![
        is(0, u64::try_from(libc::AF_NETLINK).unwrap_or_default()).map_err(told)?,
        is_not(2, u64::try_from(libc::NETLINK_ROUTE).unwrap_or_default()).map_err(told)?,
    ];
    refuse(libc::SYS_socket, vec![other, netlink])?;
    let refused = filter(rules, libc::EPERM, arch)?;
    // Its flags are in memory, where no filter sees them; programs fall back to `clone`.
    let newer = filter(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS, arch)?;
    Ok(vec![without_foreign_calls(refused), newer])
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
    arch: TargetArch,
) -> Result<BpfProgram, String> {
    let errno = SeccompAction::Errno(u32::try_from(errno).unwrap_or(1));
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, errno, arch).map_err(|error| error.to_string())?;
    filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())
}

/// Puts three instructions before a program: load the number, and refuse it if the bit is set.
fn without_foreign_calls(program: BpfProgram) -> BpfProgram {
    let refuse = u32::from(SeccompAction::Errno(u32::try_from(libc::ENOSYS).unwrap_or(1)));
    let step = |code: u16, jf: u8, k: u32| sock_filter { code, jt: 0, jf, k };
    // `ld [0]`, `jge FOREIGN` or skip one, `ret`.
    let mut whole = vec![step(0x20, 0, 0), step(0x35, 1, FOREIGN), step(0x06, 0, refuse)];
    whole.extend(program);
    whole
}

fn has(argument: u8, flag: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)
}

fn is(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}
