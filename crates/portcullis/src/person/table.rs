//! The commands that loosen something or could, in one table (SPEC A7).

use clap::ArgMatches;
use clap::parser::ValueSource;

/// When a command needs a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    /// It only shows or starts something.
    Nobody,
    /// Always.
    Person,
    /// Only with one of these arguments or sub-commands.
    PersonWith(&'static [&'static str]),
    /// Unless one of these arguments makes it only show or tighten.
    PersonUnless(&'static [&'static str]),
}

/// Every command. One that is not listed needs a person.
const COMMANDS: &[(&str, Needs)] = &[
    ("allow", Needs::Person),
    ("approve", Needs::Person),
    ("auto-mode", Needs::PersonUnless(&["defaults", "config", "critique"])),
    ("check", Needs::Nobody),
    ("detectors", Needs::Nobody),
    ("doctor", Needs::Nobody),
    ("eval", Needs::Nobody),
    ("explain", Needs::Nobody),
    ("grants", Needs::Nobody),
    ("hook", Needs::Nobody),
    ("import", Needs::PersonUnless(&["dry_run"])),
    ("install", Needs::PersonUnless(&["dry_run"])),
    ("learn", Needs::PersonWith(&["write", "yes"])),
    ("lock", Needs::PersonWith(&["lift"])),
    ("log", Needs::Nobody),
    ("mode", Needs::PersonWith(&["mode"])),
    ("pause", Needs::PersonUnless(&["show", "end"])),
    ("programs", Needs::Nobody),
    ("ps", Needs::Nobody),
    ("read", Needs::Nobody),
    ("replay", Needs::Nobody),
    ("rules", Needs::Nobody),
    ("run", Needs::Nobody),
    ("schema", Needs::Nobody),
    ("serve", Needs::PersonWith(&["stop"])),
    ("settings", Needs::Nobody),
    ("stats", Needs::Nobody),
    ("status", Needs::Nobody),
    ("test", Needs::Nobody),
    ("trust", Needs::PersonUnless(&["list", "forget"])),
    ("uninstall", Needs::PersonUnless(&["dry_run"])),
    ("unlock", Needs::Person),
];

/// Whether a command line needs a person: the name of the command, and what was given to it.
pub(crate) fn is_required(name: &str, given: &ArgMatches) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| is_given(given, name));
    match COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, needs)| *needs) {
        Some(Needs::Nobody) => false,
        Some(Needs::PersonWith(names)) => has(names),
        Some(Needs::PersonUnless(names)) => !has(names),
        Some(Needs::Person) | None => true,
    }
}

/// Whether this is `install --yes`, for which nobody has to be asked where there is nothing yet.
pub(crate) fn is_first_install(name: &str, given: &ArgMatches) -> bool {
    name == "install" && is_given(given, "yes")
}

/// Whether an argument was typed, or a sub-command of that name.
fn is_given(given: &ArgMatches, name: &str) -> bool {
    let known = given.ids().any(|id| id.as_str() == name);
    let typed = known && given.value_source(name) == Some(ValueSource::CommandLine);
    typed || given.subcommand_name() == Some(name)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Program;

    fn asked(line: &str) -> bool {
        let found = Program::command().try_get_matches_from(line.split(' ')).unwrap();
        let (name, given) = found.subcommand().unwrap();
        is_required(name, given)
    }

    /// [A7]
    #[test]
    fn every_command_is_in_the_table_and_the_table_names_no_other() {
        let program = Program::command();
        let mut verbs: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        verbs.sort_unstable();
        let listed: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, verbs);
        for (name, needs) in COMMANDS {
            let (Needs::PersonWith(names) | Needs::PersonUnless(names)) = needs else { continue };
            let verb = program.find_subcommand(name).unwrap();
            for wanted in *names {
                let argument = verb.get_arguments().any(|it| it.get_id() == wanted);
                assert!(argument || verb.find_subcommand(wanted).is_some(), "{name} has no `{wanted}`");
            }
        }
    }

    /// [A7]
    #[test]
    fn a_command_that_nobody_listed_needs_a_person() {
        let given = clap::Command::new("x").no_binary_name(true).get_matches_from(Vec::<String>::new());
        assert!(is_required("a-command-of-tomorrow", &given));
    }

    /// [A7]
    #[test]
    fn what_loosens_needs_a_person_and_what_shows_does_not() {
        for line in [
            "portcullis mode auto",
            "portcullis mode default --session s",
            "portcullis trust",
            "portcullis trust --yes",
            "portcullis pause --for 10m",
            "portcullis allow 3",
            "portcullis approve --plain",
            "portcullis install --yes",
            "portcullis uninstall codex",
            "portcullis import",
            "portcullis learn --write",
            "portcullis serve --stop",
            "portcullis lock --lift",
            "portcullis unlock",
        ] {
            assert!(asked(line), "{line}");
        }
        for line in [
            "portcullis mode",
            "portcullis mode --session s --json",
            "portcullis trust --list",
            "portcullis trust --forget",
            "portcullis pause --show",
            "portcullis pause --end",
            "portcullis grants",
            "portcullis grants --revoke 1",
            "portcullis install --dry-run",
            "portcullis import --dry-run",
            "portcullis learn",
            "portcullis serve",
            "portcullis lock --reason odd",
            "portcullis rules",
            "portcullis auto-mode config",
            "portcullis log verify",
        ] {
            assert!(!asked(line), "{line}");
        }
    }
}
