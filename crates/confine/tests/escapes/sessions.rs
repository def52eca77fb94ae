//! Sessions, exit codes, inherited descriptors and refusals: what one line of bash in one envelope cannot show.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::world::{SECRET, Who, World, is_root};
use crate::{can_confine, skipped};

fn everybody() -> Vec<Who> {
    let all = if is_root() { vec![Who::Root, Who::User] } else { vec![Who::User] };
    all.into_iter().filter(|who| can_confine(*who)).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the program itself with these words.
fn runner(world: &World, words: &[&str]) -> Output {
    let mut command = world.command(world.path("bin/portcullis-run").to_str().unwrap());
    command.args(words);
    world.run(&command)
}

/// [J11]
#[test]
fn a_command_ends_as_it_would_without_an_envelope() {
    for who in everybody() {
        let world = World::new(who);
        let code = |words: &[&str]| runner(&world, words).status;
        assert_eq!(code(&["--", "true"]).code(), Some(0));
        assert_eq!(code(&["--", "bash", "-c", "exit 7"]).code(), Some(7));
        assert_eq!(code(&["--", "no-such-program"]).code(), Some(127));
        assert_eq!(code(&["--", "./README"]).code(), Some(126));
        let signal = std::os::unix::process::ExitStatusExt::signal;
        assert_eq!(signal(&code(&["--", "bash", "-c", "kill -TERM $$"])), Some(15));
        assert_eq!(signal(&code(&["--", "bash", "-c", "kill -KILL $$"])), Some(9));
        let said = runner(&world, &["--", "bash", "-c", "echo out; echo err >&2; cat"]);
        assert_eq!((text(&said.stdout), text(&said.stderr)), ("out\n".to_owned(), "err\n".to_owned()));
    }
}

/// [J11, K7]
#[test]
fn what_cannot_be_confined_is_not_started() {
    for who in everybody() {
        let world = World::new(who);
        let home = world.path("home");
        let outside = world.path("outside");
        let cases: &[(&[&str], &std::path::Path, &[(&str, &str)])] = &[
            (&["--envelope", "wide", "--", "touch", "started"], &outside, &[]),
            (&["--nonsense", "--", "touch", "started"], &outside, &[]),
            (&["--host", "127.0.0.1", "--", "touch", "started"], &outside, &[]),
            (&["--write", "/no/such", "--", "touch", "started"], &outside, &[]),
            (&["--write", "/etc", "--", "touch", "started"], &outside, &[]),
            (&["--write", "/", "--", "touch", "started"], &outside, &[]),
            (&["--session", "../x", "--", "touch", "started"], &outside, &[]),
            (&["--", "touch", "started"], &home, &[]),
            (&["--", "touch", "started"], std::path::Path::new("/"), &[]),
            (&["--", "touch", "started"], std::path::Path::new("/etc"), &[]),
            (&["--", "touch", "started"], &outside, &[("HOME", "/no/such")]),
            (&["--", "touch", "started"], &outside, &[("HOME", "")]),
            (&["--", "git", "config", "a.b", "c"], &world.path("home/project"), &[]),
        ];
        for (words, folder, variables) in cases {
            let mut command = world.command(world.path("bin/portcullis-run").to_str().unwrap());
            command.args(*words).current_dir(folder).envs(variables.iter().copied());
            let done = world.run(&command);
            assert_eq!(done.status.code(), Some(126), "{words:?} in {}", folder.display());
            let said = text(&done.stderr);
            assert!(said.starts_with("portcullis: not confined: "), "{words:?}: {said}");
            assert!(!folder.join("started").exists());
        }
    }
}

/// [K5]
#[test]
fn descriptors_of_the_caller_do_not_reach_the_command() {
    for who in everybody() {
        let world = World::new(who);
        let line = "exec 9< ~/.ssh/id 8< ~/.ssh 7< ~; exec \"$RUN\" -- bash -c 'cat <&9; cat /proc/self/fd/9; \
                    cat /proc/self/fd/8/id; cat /dev/fd/7/.ssh/id; ls -l /proc/self/fd'";
        let done = world.free(line);
        assert!(!text(&done.stdout).contains(SECRET), "{}", text(&done.stdout));
        assert!(!text(&done.stdout).contains(".ssh"), "{}", text(&done.stdout));
        let folder = world.free("\"$RUN\" -- cat < ~/.ssh");
        assert_eq!(folder.status.code(), Some(126), "{}", text(&folder.stderr));
        // One that it was given as its input is its input, and no more.
        let file = world.free("\"$RUN\" -- bash -c 'cat; echo x > /proc/self/fd/0' < ~/other/notes");
        assert!(text(&file.stdout).contains(SECRET));
        assert_eq!(std::fs::read_to_string(world.path("home/other/notes")).unwrap().trim(), SECRET);
    }
}

/// [K9]
#[test]
fn commands_of_a_session_share_processes_ports_and_temporary_files() {
    for who in everybody() {
        let world = World::new(who);
        let run = |words: &[&str]| runner(&world, &[&["--session", "s", "--"], words].concat());
        let first = run(&[
            "bash",
            "-c",
            "sleep 200 >/dev/null 2>&1 & echo $! > /tmp/number; echo hello > /tmp/shared; python3 -m http.server 18123 --bind 127.0.0.1 >/dev/null 2>&1 & sleep 0.5",
        ]);
        assert!(first.status.success(), "{}", text(&first.stderr));
        assert!(world.left_over().iter().any(|line| line.contains("sleep")), "it stays");
        assert_eq!(text(&run(&["cat", "/tmp/shared"]).stdout), "hello\n");
        let listed = runner(&world, &["--ps"]);
        assert!(text(&listed.stdout).contains("sleep 200"), "{}", text(&listed.stdout));
        let asked = run(&[
            "python3",
            "-c",
            "import urllib.request as u; print(u.urlopen('http://127.0.0.1:18123/README').status)",
        ]);
        assert_eq!(text(&asked.stdout), "200\n", "{}", text(&asked.stderr));
        assert!(reached_from_outside(18123), "the port is reachable from outside");
        assert!(
            run(&["bash", "-c", "kill $(cat /tmp/number)"]).status.success(),
            "kill works across commands"
        );
        let ended = runner(&world, &["--end", "s"]);
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        assert!(world.left_over().is_empty(), "{:?}", world.left_over());
        assert!(!text(&runner(&world, &["--ps"]).stdout).contains("sleep"));
    }
}

fn reached_from_outside(port: u16) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(5) {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            let mut answer = String::new();
            stream.set_read_timeout(Some(Duration::from_secs(2))).ok();
            stream.write_all(b"GET /README HTTP/1.0\r\n\r\n").ok();
            stream.read_to_string(&mut answer).ok();
            if answer.contains("hello") {
                return true;
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// [K9]
#[test]
fn a_session_ends_with_its_agent_and_with_its_warden() {
    for who in everybody() {
        let world = World::new(who);
        let line = "sleep 1 & \"$RUN\" --session e --until $! -- bash -c 'setsid -f sleep 300 >/dev/null 2>&1'; echo $?; wait";
        let done = world.free(line);
        assert_eq!(text(&done.stdout), "0\n", "{}", text(&done.stderr));
        assert!(world.left_over().is_empty(), "{:?}", world.left_over());
        // The warden is killed: nothing inside outlives it.
        assert!(
            runner(&world, &["--session", "k", "--", "bash", "-c", "setsid -f sleep 300 >/dev/null 2>&1"])
                .status
                .success()
        );
        let listed = text(&runner(&world, &["--ps"]).stdout);
        let rows = listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let row = rows.into_iter().find(|row| row.contains(&"sleep")).unwrap();
        // Process 1 is its parent, and the warden that of process 1.
        let warden = parent_of(&parent_of(row[1]));
        assert!(std::process::Command::new("kill").args(["-9", &warden]).status().unwrap().success());
        assert!(world.left_over().is_empty(), "{:?}", world.left_over());
    }
}

fn parent_of(number: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().to_owned()
}

/// [K9]
#[test]
fn a_command_dies_with_the_process_that_waits_for_it() {
    for who in everybody() {
        let world = World::new(who);
        let done = world.free("\"$RUN\" -- sleep 300 & sleep 1; kill -9 $!; wait $!; echo $?");
        assert_eq!(text(&done.stdout), "137\n");
        assert!(world.left_over().is_empty(), "{:?}", world.left_over());
        let stopped = world.free("\"$RUN\" -- bash -c 'trap \"echo heard; exit 3\" TERM; sleep 30 & wait' & sleep 1; kill -TERM $!; wait $!; echo $?");
        assert_eq!(text(&stopped.stdout), "heard\n3\n", "{}", text(&stopped.stderr));
    }
}

/// [K9]
#[test]
fn commands_of_one_session_do_not_look_into_each_other() {
    for who in everybody() {
        let world = World::new(who);
        let run = |words: &[&str]| {
            runner(&world, &[&["--session", "l", "--env", "DEPLOY_TOKEN", "--"], words].concat())
        };
        run(&["bash", "-c", "sleep 200 >/dev/null 2>&1 & echo $! > /tmp/number"]);
        let looked = runner(
            &world,
            &[
                "--session",
                "l",
                "--",
                "bash",
                "-c",
                "n=$(cat /tmp/number); cat /proc/$n/environ; cat /proc/$n/mem; ls -l /proc/$n/fd /proc/$n/cwd; kill -0 $n && echo there",
            ],
        );
        assert!(!text(&looked.stdout).contains(SECRET));
        assert!(text(&looked.stdout).contains("there"), "{}", text(&looked.stderr));
        runner(&world, &["--end", "l"]);
    }
}

/// [K2]
#[test]
fn links_that_an_earlier_command_left_lead_nowhere() {
    for who in everybody() {
        let world = World::new(who);
        let shared = world.path("outside/folder").to_str().unwrap().to_owned();
        // The folder's path lies in the session's own /tmp; an earlier command puts a link in its way.
        let top = world.path("").to_str().unwrap().trim_end_matches('/').to_owned();
        let plant =
            format!("rm -rf {top}/outside; mkdir -p {top}; ln -s /etc {top}/outside; mkdir -p /tmp/x");
        runner(&world, &["--session", "t", "--", "bash", "-c", &plant]);
        let joined = runner(
            &world,
            &[
                "--session",
                "t",
                "--write",
                &shared,
                "--",
                "bash",
                "-c",
                "echo x > /etc/confine-test; echo started",
            ],
        );
        assert!(!std::path::Path::new("/etc/confine-test").exists());
        let told = text(&joined.stderr);
        assert!(joined.status.code() == Some(126) || told.contains("Read-only"), "{told}");
        runner(&world, &["--end", "t"]);
    }
}

/// [K2]
#[test]
fn new_protected_files_of_background_processes_are_moved_and_reported_too() {
    for who in everybody() {
        let world = World::new(who);
        let run = |line: &str| runner(&world, &["--session", "b", "--", "bash", "-c", line]);
        run("(sleep 0.5; mkdir .vscode; echo x > .vscode/tasks.json) >/dev/null 2>&1 &");
        let folder = world.path("home/project/.vscode");
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!folder.exists());
        let next = run("true");
        assert!(text(&next.stderr).contains("was new and is protected"), "{}", text(&next.stderr));
        runner(&world, &["--end", "b"]);
    }
}

/// [K2]
#[test]
fn a_protected_file_that_is_replaced_outside_stops_what_could_now_write_it() {
    for who in everybody() {
        let world = World::new(who);
        let file = world.path("home/project/.mcp.json");
        let line = "for i in $(seq 100); do sleep 0.05; echo x > .mcp.json; done 2>/dev/null; echo went on";
        let done = std::thread::scope(|scope| {
            let running = scope.spawn(|| runner(&world, &["--", "bash", "-c", line]));
            std::thread::sleep(Duration::from_secs(1));
            // As an editor saves: a new file in the place of the old one.
            let new = world.path("home/project/.mcp.json.new");
            std::fs::write(&new, "{\"by\": \"a person\"}\n").unwrap();
            std::fs::rename(&new, &file).unwrap();
            running.join().unwrap()
        });
        assert!(!text(&done.stdout).contains("went on"), "it was stopped");
        assert!(text(&done.stderr).contains("replaced from outside"), "{}", text(&done.stderr));
    }
}

/// [K2]
#[test]
fn ordinary_work_in_a_project_goes_on_as_usual() {
    for who in everybody() {
        let world = World::new(who);
        let git = "git init -q -b main . 2>/dev/null; git config user.name a; git config user.email b@c";
        assert!(world.free(git).status.success());
        let lines = [
            "git status --short",
            "git add README",
            "git commit -q -m one",
            "git checkout -q -b other",
            "git tag t",
            "git gc -q",
        ];
        for line in lines {
            let words: Vec<&str> = ["--"].into_iter().chain(line.split(' ')).collect();
            let done = runner(&world, &words);
            assert!(done.status.success(), "{line}: {}", text(&done.stderr));
        }
        let log = runner(&world, &["--", "git", "log", "--oneline"]);
        assert!(text(&log.stdout).contains("one"), "{}", text(&log.stderr));
        let build = "mkdir -p src/a; echo 'all: out' > Makefile; printf 'out:\\n\\techo built > out\\n' >> Makefile; make -s && cat out && mv src src2 && rm -r src2";
        let built = runner(&world, &["--", "bash", "-c", build]);
        assert_eq!(text(&built.stdout), "built\n", "{}", text(&built.stderr));
        assert_eq!(std::fs::read_to_string(world.path("home/project/out")).unwrap(), "built\n");
        if std::path::Path::new("/usr/bin/python3").exists() {
            let venv = runner(
                &world,
                &[
                    "--",
                    "bash",
                    "-c",
                    "/usr/bin/python3 -m venv --without-pip v && v/bin/python -c 'print(6*7)'",
                ],
            );
            assert_eq!(text(&venv.stdout), "42\n", "{}", text(&venv.stderr));
        } else {
            skipped("a virtual environment: there is no /usr/bin/python3");
        }
    }
}
