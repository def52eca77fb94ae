//! What the effects of a command are called.

use portcullis_shell::Effects;

/// What effects mean, for people: the gravest of them.
pub(super) fn deed(effects: Effects) -> &'static str {
    const DEEDS: &[(Effects, &str)] = &[
        (Effects::PRIVILEGE, "runs with the rights of another user"),
        (Effects::SYSTEM, "changes the state of the machine"),
        (Effects::SECRETS, "shows credentials"),
        (Effects::PUBLISHES, "publishes for others"),
        (Effects::DISCARDS, "throws work away"),
        (Effects::INSTALLS_NAMED, "installs packages that the project does not declare"),
    ];
    DEEDS
        .iter()
        .find(|(effect, _)| effects.meets(*effect))
        .map_or("does more than ordinary work", |(_, deed)| deed)
}
