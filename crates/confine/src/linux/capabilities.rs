//! The rights of a process within its user namespace: kept across one start of our own program, then given up for good.

use std::io;

use rustix::thread::{
    CapabilitySet, CapabilitySets, capability_is_in_bounding_set, clear_ambient_capability_set,
    configure_capability_in_ambient_set, remove_capability_from_bounding_set, set_capabilities,
};

/// What is needed to build what a command sees.
const NEEDED: [CapabilitySet; 6] = [
    CapabilitySet::SYS_ADMIN,
    CapabilitySet::NET_ADMIN,
    CapabilitySet::NET_BIND_SERVICE,
    CapabilitySet::SETPCAP,
    CapabilitySet::SYS_CHROOT,
    CapabilitySet::SYS_RESOURCE,
];

/// Lets the next program that is started have what it needs, and no more.
pub(super) fn keep_for_start() -> io::Result<()> {
    let needed = NEEDED.into_iter().fold(CapabilitySet::empty(), CapabilitySet::union);
    let sets = CapabilitySets { effective: needed, permitted: needed, inheritable: needed };
    set_capabilities(None, sets)?;
    for capability in NEEDED {
        configure_capability_in_ambient_set(capability, true)?;
    }
    Ok(())
}

/// Gives up everything, so that no program that is started later gets any of it back.
pub(super) fn give_up() -> io::Result<()> {
    /// More than any kernel has; the first unknown one ends the list.
    const MOST: u32 = 64;
    for number in 0..MOST {
        let Some(capability) = 1_u64.checked_shl(number).map(CapabilitySet::from_bits_retain) else { break };
        match capability_is_in_bounding_set(capability) {
            Ok(true) => remove_capability_from_bounding_set(capability)?,
            Ok(false) => {}
            Err(_) => break,
        }
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}
