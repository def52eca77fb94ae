//! Chains that are made up: whose each of them is.

use std::path::PathBuf;

use super::*;

/// A process that began at this tick; `path` is what it runs, empty where that cannot be seen.
fn process(pid: u32, start: u64, path: &str) -> Process {
    let name = known::base(path).to_owned();
    let system = path.starts_with("/usr/");
    Process {
        pid,
        start,
        words: vec![path.to_owned()],
        executable: Some(PathBuf::from(path)),
        is_system: system,
        user: 1000,
        terminal: 34_816,
        name,
        ..Process::default()
    }
}

/// A process of root, whose file others cannot see.
fn root(pid: u32, start: u64, name: &str) -> Process {
    Process { pid, start, name: name.to_owned(), is_root: true, is_system: true, ..Process::default() }
}

/// Links each process to the next.
fn chain(processes: &[Process]) -> Vec<Process> {
    let parents = processes.iter().skip(1).map(|process| process.pid).chain([0]);
    processes.iter().cloned().zip(parents).map(|(process, parent)| Process { parent, ..process }).collect()
}

fn agent(pid: u32, start: u64) -> Seen {
    Seen { pid, start, name: "x-agent".to_owned(), lives: true }
}

fn init() -> Process {
    root(1, 1, "systemd")
}

fn own() -> Process {
    process(900, 900, "/usr/bin/portcullis")
}

fn shell() -> Process {
    process(800, 800, "/usr/bin/bash")
}

fn is_person(processes: &[Process], agents: &[Seen]) -> bool {
    refusal(&chain(processes), agents).is_none()
}

fn refused(processes: &[Process], agents: &[Seen], part: &str) {
    let why = refusal(&chain(processes), agents).unwrap_or_default();
    assert!(why.contains(part), "`{why}` does not say `{part}`");
}

/// [A7]
#[test]
fn people_sit_at_logins_terminals_and_multiplexers() {
    let ssh = [
        process(700, 700, "/usr/lib/openssh/sshd-session"),
        root(600, 600, "sshd-session"),
        root(50, 50, "sshd"),
    ];
    let user = process(40, 40, "/usr/lib/systemd/systemd");
    for above in [
        vec![root(600, 600, "login")],
        ssh.to_vec(),
        vec![process(600, 600, "/usr/bin/tmux")],
        vec![process(600, 600, "/usr/libexec/gnome-terminal-server"), user.clone()],
        vec![process(600, 600, "/usr/bin/kitty"), process(500, 500, "/usr/bin/gnome-shell"), user],
    ] {
        let all = [vec![own(), shell()], above, vec![init()]].concat();
        assert!(is_person(&all, &[]), "{all:?}");
        assert!(is_person(&all, &[agent(850, 850)]), "an agent that began later, elsewhere: {all:?}");
    }
}

/// [A7] `script`, `expect`, a terminal made by a program: the chain leads to the agent all the same.
#[test]
fn whatever_an_agent_starts_is_the_agents() {
    let login = [root(300, 300, "login"), init()];
    let agents = [agent(500, 500)];
    let x = process(500, 500, "/opt/x/x-agent");
    for between in [
        vec![],
        vec![shell(), process(700, 700, "/usr/bin/script")],
        vec![process(700, 700, "/usr/bin/python3")],
        vec![process(700, 700, "/usr/bin/tmux")],
        vec![process(700, 700, "/home/dev/sshd")],
    ] {
        let all = [vec![own()], between, vec![x.clone()], login.to_vec()].concat();
        refused(&all, &agents, "an agent runs it");
    }
    let claude = process(500, 500, "/home/dev/.local/bin/claude");
    refused(&[&[own(), shell(), claude], &login[..]].concat(), &[], "an agent runs it");
    let mut node = process(500, 500, "/usr/bin/node");
    node.words.push("/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js".to_owned());
    refused(&[&[own(), shell(), node], &login[..]].concat(), &[], "an agent runs it");
    assert!(is_person(&[&[own(), shell(), process(500, 501, "/opt/x/x-agent")], &login[..]].concat(), &[]));
}

/// [A7] `setsid`, `nohup`, a process that forks twice: whoever started it is gone.
#[test]
fn orphans_are_nobody() {
    refused(&[own(), init()], &[], "no login");
    refused(&[own(), process(700, 700, "/usr/bin/script"), init()], &[], "no login");
    refused(&[own(), shell(), init()], &[], "no login");
    refused(&[own(), process(700, 700, "/home/dev/bin/tmux"), init()], &[], "no login");
    let user = process(40, 40, "/usr/lib/systemd/systemd");
    refused(&[own(), shell(), user.clone(), init()], &[], "no login");
    refused(&[own(), shell(), process(600, 600, "/usr/share/code/code"), user, init()], &[], "no login");
    let cron = root(60, 60, "cron");
    refused(&[own(), shell(), cron, init()], &[], "no login");
    let reaper = Process { terminal: 0, ..process(1, 1, "/usr/bin/sleep") };
    refused(&[own(), reaper], &[], "no login");
}

/// [A7] `tmux new -d`, `ssh localhost`: the seat is younger than the agent.
#[test]
fn a_seat_that_is_younger_than_an_agent_is_nobodys() {
    let tmux = [own(), shell(), process(600, 600, "/usr/bin/tmux"), init()];
    refused(&tmux, &[agent(500, 500)], "started after the agent");
    refused(&tmux, &[agent(600, 600)], "an agent runs it");
    refused(&tmux, &[Seen { lives: false, ..agent(500, 500) }], "started after the agent");
    let ssh = [own(), shell(), root(600, 600, "sshd-session"), root(50, 50, "sshd"), init()];
    refused(&ssh, &[agent(500, 500)], "started after the agent");
    assert!(is_person(&ssh, &[Seen { lives: false, ..agent(500, 500) }]), "a login after the agent ended");
}

/// [A7]
#[test]
fn a_number_that_was_given_anew_breaks_the_chain() {
    let tmux = process(600, 850, "/usr/bin/tmux");
    refused(&[own(), shell(), tmux, init()], &[], "cannot be told");
    let mut cut = chain(&[own(), shell(), root(600, 600, "login"), init()]);
    cut.pop();
    assert!(refusal(&cut, &[]).is_some());
    assert!(refusal(&[], &[]).is_some());
}

/// [A7]
#[test]
fn without_a_terminal_nobody_is_there() {
    let alone = Process { terminal: 0, ..own() };
    refused(&[alone, shell(), root(600, 600, "login"), init()], &[], "no terminal");
}

/// [A7]
#[test]
fn in_a_container_the_first_process_is_the_login() {
    let first = process(1, 1, "/usr/bin/bash");
    assert!(is_person(&[own(), first.clone()], &[]));
    refused(&[own(), first.clone()], &[agent(500, 500)], "is still running");
    let elsewhere = Process { terminal: 34_817, ..own() };
    refused(&[elsewhere, process(700, 700, "/usr/bin/script"), first], &[], "has ended");
    let entered = process(700, 700, "/usr/bin/bash");
    assert!(is_person(&[own(), entered.clone()], &[]));
    refused(&[own(), entered.clone()], &[agent(500, 500)], "started after the agent");
    refused(&[own(), Process { terminal: 0, ..entered }], &[], "no login");
}

/// [A7] The agent is the nearest ancestor of a hook that is not the shell started for it.
#[test]
fn shells_for_a_hook_only_pass_it_on() {
    let with = |path: &str, words: &[&str]| {
        let mut process = process(5, 5, path);
        process.words.extend(words.iter().map(|word| (*word).to_owned()));
        known::passes_on(&process)
    };
    assert!(with("/usr/bin/sh", &["-c", "portcullis hook claude-code"]));
    assert!(with("/usr/bin/bash", &["-lc", "portcullis hook codex"]));
    assert!(with("/usr/bin/zsh", &[]) && with("/usr/bin/timeout", &["60", "portcullis-hook"]));
    assert!(!with("/usr/bin/bash", &["agent.sh"]));
    assert!(!with("/usr/bin/python3", &["agent.py"]));
}
