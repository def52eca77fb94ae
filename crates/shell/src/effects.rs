//! Effects of commands, as a small set. Whether an effect is permitted is not said here.

use std::fmt;

/// A set of effects that a command has: reads, writes, deletes, executes, …
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Effects(u32);

/// Each effect: its constant, the name that people, tables and JSON use, and what it means.
macro_rules! effects {
    ($($bit:literal $constant:ident $name:literal $meaning:literal)*) => {
        impl Effects {
            $(#[doc = $meaning] pub const $constant: Effects = Effects(1 << $bit);)*
            /// Every effect with its name and meaning, in the order they are shown.
            pub const ALL: &'static [(Effects, &'static str, &'static str)] =
                &[$((Effects::$constant, $name, $meaning),)*];
        }
    };
}

effects! {
    0 READS "reads" "Reads files or state of this machine."
    1 NETWORK_READ "network-read" "Fetches something over the network without changing it there."
    2 SHELL_STATE "shell-state" "Changes only the shell itself: directory, local variables, options."
    3 WRITES "writes" "Creates or changes files."
    4 DELETES "deletes" "Removes files."
    5 EXECUTES "executes" "Runs code that is given to it: a script, a command string, a downloaded program."
    6 PROJECT_CODE "project-code" "Runs code of the project: build, test, task runner, linter plug-ins."
    7 INSTALLS_DECLARED "installs-declared" "Installs dependencies that the project declares."
    8 INSTALLS_NAMED "installs-named" "Installs packages named on the command line."
    9 REPOSITORY "repository" "Changes the local repository: index, commits, branches, stashes."
    10 DISCARDS "discards" "Throws away work that was not committed, or history."
    11 PUSHES "pushes" "Pushes commits or tags to a remote."
    12 PUBLISHES "publishes" "Publishes a package, an image, a release or a deployment."
    13 NETWORK_WRITE "network-write" "Changes something on another machine or service."
    14 SENDS_DATA "sends-data" "Sends local data to another machine."
    15 PERMISSIONS "permissions" "Changes permissions, ownership, users or access."
    16 KILLS "kills" "Ends processes."
    17 SYSTEM "system" "Changes the state of the machine: services, devices, configuration."
    18 PRIVILEGE "privilege" "Runs with the rights of another user."
    19 SECRETS "secrets" "Shows credentials, keys or tokens."
    20 ENVIRONMENT "environment" "Sets variables that can change what programs do."
    21 UNKNOWN "unknown" "Not known to us."
    22 OBEYS_PROJECT "obeys-project" "Only reads, unless a file of the project makes it run other code."
    23 CREATES_MISSING "creates-missing" "Only reads, unless a file that it opens is not there: then it makes one."
}

impl Effects {
    /// The empty set.
    pub const NONE: Effects = Effects(0);
    /// The effects that leave no trace on this machine or any other.
    pub const HARMLESS: Effects = Effects(Self::READS.0 | Self::NETWORK_READ.0 | Self::SHELL_STATE.0);

    /// The effects that depend on files of the project, and are usually none. Whoever can look at the files decides.
    pub const IF_FILES_SAY_SO: Effects = Effects(Self::OBEYS_PROJECT.0 | Self::CREATES_MISSING.0);

    /// The union of both sets.
    #[must_use]
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// The set without `other`.
    #[must_use]
    pub const fn without(self, other: Effects) -> Effects {
        Effects(self.0 & !other.0)
    }

    /// Adds `other` to the set.
    pub const fn add(&mut self, other: Effects) {
        self.0 |= other.0;
    }

    /// Whether every effect of `other` is in the set.
    #[must_use]
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets share an effect.
    #[must_use]
    pub const fn meets(self, other: Effects) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every effect in the set is [harmless](Effects::HARMLESS).
    #[must_use]
    pub const fn is_harmless(self) -> bool {
        self.without(Self::HARMLESS).is_empty()
    }

    /// The names of the effects in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter(move |(effect, ..)| self.meets(*effect)).map(|(_, name, _)| *name)
    }

    /// The effect with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Effects> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(effect, ..)| *effect)
    }
}

impl fmt::Debug for Effects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.names()).finish()
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().enumerate() {
            formatter.write_str(if index == 0 { "" } else { " " })?;
            formatter.write_str(name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_effects() {
        for (effect, name, _) in Effects::ALL {
            assert_eq!(Effects::named(name), Some(*effect));
        }
        assert_eq!(Effects::named("nothing"), None);
    }

    #[test]
    fn harmless_is_what_leaves_no_trace() {
        assert!(Effects::READS.and(Effects::NETWORK_READ).is_harmless());
        assert!(!Effects::READS.and(Effects::WRITES).is_harmless());
        assert!(Effects::NONE.is_harmless());
    }
}
