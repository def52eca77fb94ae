//! What each known cmdlet does and which parameters of it are understood.
//!
//! A cmdlet or parameter that is not here is not known; nothing is guessed from a verb.

use super::cmdlet::Cmdlet;
use super::cmdlets_changing::CHANGING;
use super::cmdlets_reading::READING;

/// What is done with the value of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A switch: no value.
    Switch,
    /// A value that does nothing by itself.
    Plain,
    /// Paths that are read.
    Read,
    /// Paths that are written.
    Write,
    /// Paths that are removed.
    Delete,
    /// Paths that are written under another name and removed.
    Move,
    /// A place that is looked at but of which nothing is shown.
    Place,
    /// The name of a variable that is set.
    Variable,
    /// Text that is run.
    Code,
    /// A program that is run.
    Program,
    /// An address that is fetched.
    Address,
    /// Data that leaves the machine.
    Sent,
}

/// Splits an entry of a parameter list into its name and what its value is.
pub(super) fn role(entry: &str) -> (&str, Role) {
    let roles = [
        ('=', Role::Plain),
        ('<', Role::Read),
        ('>', Role::Write),
        ('!', Role::Delete),
        ('~', Role::Move),
        ('@', Role::Place),
        ('$', Role::Variable),
        ('^', Role::Code),
        ('&', Role::Program),
        ('#', Role::Address),
        ('+', Role::Sent),
    ];
    for (mark, role) in roles {
        if let Some(name) = entry.strip_suffix(mark) {
            return (name, role);
        }
    }
    (entry, Role::Switch)
}

/// Parameters that every cmdlet has.
pub(super) const COMMON: &str = "Verbose vb Debug db ErrorAction= ea= WarningAction= wa= InformationAction= infa= \
    ProgressAction= proga= OutBuffer= ob= ErrorVariable$ ev$ WarningVariable$ wv$ InformationVariable$ iv$ \
    OutVariable$ ov$ PipelineVariable$ pv$ WhatIf wi Confirm cf";

/// The cmdlet called `name`, in any case.
pub(super) fn find(name: &str) -> Option<&'static Cmdlet> {
    [READING, CHANGING].into_iter().flatten().find(|cmdlet| cmdlet.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_a_parameter_and_no_name_stands_twice() {
        let all: Vec<&Cmdlet> = [READING, CHANGING].into_iter().flatten().collect();
        for cmdlet in &all {
            for position in cmdlet.positions.split_whitespace() {
                let name = position.trim_end_matches('*');
                let known = cmdlet.parameters.split_whitespace().any(|entry| role(entry).0 == name);
                assert!(known, "{} {position}", cmdlet.name);
            }
            assert_eq!(all.iter().filter(|other| other.name == cmdlet.name).count(), 1, "{}", cmdlet.name);
        }
        assert!(READING.iter().all(|cmdlet| cmdlet.effects.is_harmless()));
    }
}
