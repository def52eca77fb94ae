//! Attempts to get out of an envelope, each judged by what is different outside afterwards.
//!
//! Where an attempt can be made without an envelope, it is, and has to work there: one that never works proves nothing.

#![allow(missing_docs, reason = "a test")]
#![allow(clippy::panic, clippy::indexing_slicing, clippy::print_stdout, reason = "a test")]
#![allow(clippy::similar_names, clippy::type_complexity, reason = "tables of words")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]
#![cfg(target_os = "linux")]

mod attempts;
mod sessions;
mod world;

use std::sync::Mutex;
use std::time::Instant;

use attempts::{Attempt, Free};
use world::{Who, World, is_root};

/// Says what is not tried here, where nobody can miss it.
fn skipped(why: &str) {
    println!("skipped: {why}");
    std::io::Write::write_all(&mut std::io::stderr(), format!("skipped: {why}\n").as_bytes()).ok();
}

/// Whether this machine can confine at all, as this user.
fn can_confine(who: Who) -> bool {
    let world = World::new(who);
    let tried = world.confined("--envelope project", "true");
    if tried.status.success() {
        return true;
    }
    skipped(&format!("all attempts as {who:?}: {}", String::from_utf8_lossy(&tried.stderr).trim()));
    // Where it is known that it works, this must not be passed over.
    assert!(std::env::var_os("PORTCULLIS_MUST_CONFINE").is_none(), "this machine has to confine");
    false
}

fn python() -> bool {
    std::process::Command::new("/usr/bin/env")
        .args(["python3", "-c", "0"])
        .status()
        .is_ok_and(|status| status.success())
}

fn try_all(attempts: &[Attempt]) {
    let everybody = if is_root() { vec![Who::Root, Who::User] } else { vec![Who::User] };
    if !is_root() {
        skipped("attempts as root: the test does not run as root");
    }
    let python = python();
    let mut wanted = Vec::new();
    for who in everybody.into_iter().filter(|who| can_confine(*who)) {
        for attempt in attempts {
            if attempt.script.contains("python3") && !python {
                skipped(&format!("{}: there is no python3", attempt.name));
            } else {
                wanted.push((who, attempt));
            }
        }
    }
    // Most of the time goes into waiting for processes.
    let wanted = Mutex::new(wanted.into_iter());
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((who, attempt)) = wanted.lock().unwrap().next() else { return };
                    let found = tried(who, attempt);
                    failed.lock().unwrap().extend(found);
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// What is wrong about one attempt: it got out, or it proves nothing.
fn tried(who: Who, attempt: &Attempt) -> Vec<String> {
    let mut failed = Vec::new();
    let began = Instant::now();
    let mut world = World::new(who);
    let output = world.confined(attempt.envelope, attempt.script);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let effects = world.effects(&output);
    if std::env::var_os("ESCAPES_TALK").is_some() {
        println!("{} as {who:?}, {:?}: {effects:?} {said}", attempt.name, began.elapsed());
    }
    if !effects.is_empty() {
        failed.push(format!("{} as {who:?}: {}\n{said}", attempt.name, effects.join("; ")));
    }
    if said.contains("not confined") && !attempt.script.contains("$RUN") {
        failed.push(format!("{} as {who:?} was not tried: {said}", attempt.name));
    }
    let works = match attempt.free {
        Free::Works => true,
        Free::ForRoot => who == Who::Root,
        Free::NotTried => false,
    };
    if works {
        let mut world = World::new(who);
        let output = world.free(attempt.script);
        let effects = world.effects(&output);
        end_all(&world);
        if effects.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            failed.push(format!(
                "{} as {who:?} has no effect without an envelope either: {said}",
                attempt.name
            ));
        }
    }
    failed
}

/// Ends what an attempt without an envelope left behind.
fn end_all(world: &World) {
    for line in world.marked_numbers() {
        std::process::Command::new("kill").args(["-9", &line]).status().ok();
    }
}

/// [K1, K2]
#[test]
fn files_outside_stay_as_they_are_and_secrets_stay_secret() {
    try_all(attempts::FILES);
}

/// [K2]
#[test]
fn what_is_protected_in_a_project_stays_as_it_is() {
    try_all(attempts::PROTECTED);
}

/// [K1]
#[test]
fn the_kernel_and_other_processes_are_out_of_reach() {
    try_all(attempts::SYSTEM);
}

/// [K5]
#[test]
fn no_socket_outside_is_reached() {
    try_all(attempts::NETWORK);
}

/// [K2]
#[test]
fn the_narrowest_and_the_widest_envelope_hold_what_they_say() {
    try_all(attempts::NARROW_AND_WIDE);
}

#[test]
fn there_are_enough_attempts_and_each_has_a_name() {
    let all = [
        attempts::FILES,
        attempts::PROTECTED,
        attempts::SYSTEM,
        attempts::NETWORK,
        attempts::NARROW_AND_WIDE,
    ];
    let names: std::collections::BTreeSet<(&str, &str)> =
        all.iter().flat_map(|list| list.iter()).map(|attempt| (attempt.envelope, attempt.name)).collect();
    let count: usize = all.iter().map(|list| list.len()).sum();
    assert_eq!(names.len(), count);
    assert!(count >= 100, "{count}");
}
