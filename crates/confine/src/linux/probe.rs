//! Proves on this machine, as this user, that each part of an envelope holds.

/// One part, and whether it holds here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Which part.
    pub part: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// What was seen, or how to get what is missing.
    pub said: String,
}

/// Tries everything in a folder of its own.
#[must_use]
pub fn probe() -> Vec<Proof> {
    Vec::new()
}

/// How to get user namespaces on a machine that refuses them.
pub(super) fn way_out() -> &'static str {
    let is = |path: &str, value: &str| std::fs::read_to_string(path).is_ok_and(|text| text.trim() == value);
    if is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        "AppArmor restricts them: allow this program in a profile with `userns,`"
    } else if is("/proc/sys/user/max_user_namespaces", "0") {
        "`sysctl user.max_user_namespaces` is 0"
    } else if is("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        "`sysctl kernel.unprivileged_userns_clone` is 0"
    } else {
        "inside a container or another sandbox they are often refused"
    }
}
