//! The `portcullis` program: reads its command line and hands over to one command.

mod agents;
mod approve;
mod commands;
mod daemon;
mod host_event;
mod judge;
mod log_entry;
mod moment;
mod output;
mod person;
mod serve;
mod spool;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use portcullis_gate::strict_json;

/// A permission gate for AI agents.
#[derive(Parser)]
#[command(name = "portcullis", version, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Say what a call would get: allow, deny or ask, and why.
    Check(commands::check::Arguments),
    /// Show step by step why a call gets what it gets.
    Explain(commands::explain::Arguments),
    /// Run the tests of a policy that stand in Markdown pages.
    Test(commands::test::Arguments),
    /// Show what a shell command would do: its programs, files and effects, and what cannot be told.
    Read(commands::read::Arguments),
    /// List the kinds of harm that auto mode recognises, or explain one of them.
    Detectors(commands::detectors::Arguments),
    /// List the programs whose options and effects are known.
    Programs(commands::programs::Arguments),
    /// Run recorded sessions through the gate: what each call would get, from whom and why.
    Replay(commands::replay::Arguments),
    /// Run labelled cases and show how often the gate is right.
    Eval(commands::eval::Arguments),
    /// Show every setting, where it stands and whether it counts; what is broken comes first.
    Settings(commands::settings::Arguments),
    /// List the rules by source, and say which are dangerous, double, shadowed or without effect.
    Rules(commands::rules::Arguments),
    /// Show what a project's settings would loosen, and trust exactly that content.
    Trust(commands::trust::Arguments),
    /// Show the mode in force and who chose it, or choose one.
    Mode(commands::mode::Arguments),
    /// Show the lists that calls are judged by in auto mode, and what is weak about your own.
    AutoMode(commands::auto_mode::Arguments),
    /// Show what verdicts there were, who gave them and what they cost.
    Stats(commands::stats::Arguments),
    /// Show on one screen what is in force: mode, rules, agents, today's decisions, and who waits.
    Status(commands::status::Arguments),
    /// Check that the gate works here, and prove on the installed agents that a deny blocks.
    Doctor(commands::doctor::Arguments),
    /// Answer an agent before it makes a call; agents start this themselves.
    Hook {
        /// Which agent.
        agent: std::ffi::OsString,
    },
    /// Run the daemon: for models, approvals and many sessions at once.
    Serve(commands::serve::Arguments),
    /// Answer what agents ask, in a terminal: once, for the session, always, no, or with a changed input.
    Approve(commands::approve::Arguments),
    /// Clear a past refusal for the same input.
    Allow(commands::allow::Arguments),
    /// Enforce nothing for a while; only for a person at a terminal.
    Pause(commands::pause::Arguments),
    /// Deny everything until a person lifts it; anybody may lock.
    Lock(commands::lock::Arguments),
    /// Lift a lock; only for a person at a terminal.
    Unlock,
    /// Show what was decided and why, follow it, export it, and check that nothing of it was changed.
    Log(commands::log::Arguments),
    /// List what people let pass after it was refused, and take it back.
    Grants(commands::grants::Arguments),
    /// Propose rules from what people approved and refused, and show rules that never decide anything.
    Learn(commands::learn::Arguments),
    /// Make agents ask the gate before they act: shows the change to their settings, then writes it.
    Install(commands::install::InstallArguments),
    /// Take the gate out of agents' settings again, and leave them as they were.
    Uninstall(commands::install::Arguments),
    /// Take over the settings of another agent, keeping what is there.
    Import(commands::import::Arguments),
    /// Run a command inside an envelope that the kernel holds: what it may write, read and reach.
    Run(commands::run::RunArguments),
    /// List what runs in the sessions of confined commands.
    Ps(commands::run::ListArguments),
    /// Print the JSON Schema of the settings, for editors.
    Schema(commands::schema::Arguments),
}

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "hook") {
        let rest: Vec<std::ffi::OsString> = words.collect();
        // People who ask for help get it; agents get an answer, without a parser in between.
        if !rest.iter().any(|word| word == "--help" || word == "-h") {
            return commands::hook::run(&rest);
        }
    }
    // A write over a limit of file sizes is an error like any other, not the end of the program.
    drop(portcullis_client::survive_file_limit());
    let given = match Program::command().try_get_matches() {
        Ok(given) => given,
        Err(error) => return output::usage(&error),
    };
    let program = match Program::from_arg_matches(&given) {
        Ok(program) => program,
        Err(error) => return output::usage(&error),
    };
    // The one place where it is looked whether somebody may do this; commands rely on it.
    let (name, arguments) = given.subcommand().unwrap_or(("", &given));
    if let Err(why) = person::required(name, arguments) {
        return output::fail(&output::visible(&why));
    }
    run(program.command)
}

fn run(command: Verb) -> ExitCode {
    match command {
        Verb::Check(arguments) => commands::check::run(&arguments),
        Verb::Explain(arguments) => commands::explain::run(&arguments),
        Verb::Test(arguments) => commands::test::run(&arguments),
        Verb::Read(arguments) => commands::read::run(&arguments),
        Verb::Detectors(arguments) => commands::detectors::run(&arguments),
        Verb::Programs(arguments) => commands::programs::run(&arguments),
        Verb::Replay(arguments) => commands::replay::run(&arguments),
        Verb::Eval(arguments) => commands::eval::run(&arguments),
        Verb::Settings(arguments) => commands::settings::run(&arguments),
        Verb::Rules(arguments) => commands::rules::run(&arguments),
        Verb::Trust(arguments) => commands::trust::run(&arguments),
        Verb::Mode(arguments) => commands::mode::run(&arguments),
        Verb::AutoMode(arguments) => commands::auto_mode::run(&arguments),
        Verb::Stats(arguments) => commands::stats::run(&arguments),
        Verb::Status(arguments) => commands::status::run(&arguments),
        Verb::Doctor(arguments) => commands::doctor::run(&arguments),
        Verb::Hook { agent } => commands::hook::run(&[agent]),
        Verb::Serve(arguments) => commands::serve::run(&arguments),
        Verb::Approve(arguments) => commands::approve::run(&arguments),
        Verb::Allow(arguments) => commands::allow::run(&arguments),
        Verb::Pause(arguments) => commands::pause::run(&arguments),
        Verb::Lock(arguments) => commands::lock::run(&arguments),
        Verb::Unlock => commands::lock::unlock(),
        Verb::Log(arguments) => commands::log::run(&arguments),
        Verb::Grants(arguments) => commands::grants::run(&arguments),
        Verb::Learn(arguments) => commands::learn::run(&arguments),
        Verb::Install(arguments) => commands::install::install(&arguments),
        Verb::Uninstall(arguments) => commands::install::uninstall(&arguments),
        Verb::Import(arguments) => commands::import::run(&arguments),
        Verb::Run(arguments) => commands::run::run(&arguments),
        Verb::Ps(arguments) => commands::run::list(&arguments),
        Verb::Schema(arguments) => commands::schema::run(&arguments),
    }
}
