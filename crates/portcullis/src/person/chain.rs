//! Whether a chain of processes is a person's: a plain function of what is known about them (SPEC A7).

use super::known::{self, Seat};
use super::process::Process;

/// For how many seconds an agent that has ended still counts: what it left behind may only now begin to work.
pub(crate) const LINGERS_SECONDS: u64 = 60 * 60;

/// An agent that made calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) pid: u32,
    pub(crate) start: u64,
    pub(crate) name: String,
    /// Whether it still runs.
    pub(crate) lives: bool,
}

/// Says why a chain of processes, the asking one first, is not a person's; nothing if it is.
pub(crate) fn refusal(chain: &[Process], agents: &[Seen]) -> Option<String> {
    let Some((asking, top)) = chain.first().zip(chain.last()) else {
        return Some("nothing is known about the process".to_owned());
    };
    if asking.terminal == 0 {
        return Some("it has no terminal; run it in a terminal of your own".to_owned());
    }
    if let Some(agent) = chain.iter().find(|process| is_agent(process, agents)) {
        return Some(format!("an agent runs it (`{}`, process {})", agent.program(), agent.pid));
    }
    // A parent is older than its child; otherwise its number was given to another process meanwhile.
    let in_order = chain
        .iter()
        .zip(chain.iter().skip(1))
        .all(|(child, parent)| child.parent == parent.pid && parent.start <= child.start);
    if !in_order || top.parent != 0 {
        return Some("it cannot be told who started it".to_owned());
    }
    match seat(chain) {
        Ok((seat, process)) => too_young(seat, process, agents),
        Err(why) => Some(why),
    }
}

fn is_agent(process: &Process, agents: &[Seen]) -> bool {
    known::is_agent(process)
        || agents.iter().any(|agent| (agent.pid, agent.start) == (process.pid, process.start))
}

/// Where a chain begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Login,
    Program,
    /// The first process of a container, which inherits the orphans of all others.
    Container,
}

/// The process at which somebody sits, and of what kind it is.
fn seat(chain: &[Process]) -> Result<(Start, &Process), String> {
    let (Some(asking), Some((top, rest))) = (chain.first(), chain.split_last()) else {
        return Err("nothing is known about the process".to_owned());
    };
    // Nobody inside of a container can start a process without a parent.
    if top.pid != 1 {
        return if top.terminal == 0 { Err(unknown(top)) } else { Ok((Start::Login, top)) };
    }
    if top.terminal != 0 {
        let same = asking.terminal == top.terminal;
        return if same { Ok((Start::Container, top)) } else { Err(orphaned(top)) };
    }
    let mut below = rest.iter().rev().skip_while(|process| known::is_supervisor(process)).peekable();
    let Some(mut first) = below.next() else { return Err(orphaned(top)) };
    match known::seat(first) {
        None => Err(unknown(first)),
        Some(Seat::Program) => Ok((Start::Program, first)),
        Some(Seat::Login) => {
            // A service that lets people in is old; the login is the last process of it before the user's own.
            while let Some(next) = below.next_if(|next| known::seat(next) == Some(Seat::Login)) {
                first = next;
            }
            Ok((Start::Login, first))
        }
    }
}

fn unknown(process: &Process) -> String {
    format!(
        "it was started by `{}` (process {}), which is no login, terminal program or multiplexer of this system",
        process.program(),
        process.pid
    )
}

fn orphaned(top: &Process) -> String {
    format!("whoever started it has ended, and `{}` took it over", top.program())
}

fn too_young(start: Start, process: &Process, agents: &[Seen]) -> Option<String> {
    let counts = |agent: &&Seen| match start {
        // Somebody proved who they are; what an ended agent left behind could not.
        Start::Login => agent.lives && agent.start <= process.start,
        Start::Program => agent.start <= process.start,
        // An orphan of an agent looks like what the person at the first process started.
        Start::Container => agent.lives,
    };
    let agent = agents.iter().find(counts)?;
    let (name, number) = (&agent.name, agent.pid);
    Some(match start {
        Start::Container => format!("the agent `{name}` (process {number}) is still running; end it first"),
        Start::Login | Start::Program => format!(
            "`{}` (process {}) was started after the agent `{name}` (process {number}); use a terminal that was open \
             before it, or end the agent and log in again",
            process.program(),
            process.pid
        ),
    })
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
