//! The command line of `portcullis-run`, which is that of `portcullis run`.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::envelope::{Envelope, Git, Host, Kind, Limits};
use crate::git_line::{Needs, needs};
use crate::messages::{complain, not_confined};
use crate::places::{own, own_programs, real};
use crate::request::Request;

/// Short help.
const USAGE: &str = "usage: portcullis run [OPTION]… -- COMMAND…

  --envelope reads|project|open   what the command may touch (default: project)
  --host NAME[:PORT]              a host that it may reach; may be repeated
  --write PATH                    a further folder or file that it may write; may be repeated
  --read PATH                     a further folder or file that it may read; may be repeated
  --cache PROGRAM                 a program whose caches it may write; may be repeated
  --git read|work                 what may happen in `.git` (default: what the command's own words need)
  --env NAME                      a variable to pass on although it looks like a secret; may be repeated
  --session ID                    run in a session that other commands share
  --until PID                     end a new session with this process (default: the agent)
  --explain                       say what the envelope means, and start nothing
  --seatbelt                      with --explain: the same as a profile for macOS
  --ps                            list what runs in sessions
  --end ID                        end a session
  --probe                         prove on this machine what is held
";

/// What a command line means.
#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    Run(Box<Request>),
    Explain(Box<Request>, Shape),
    List,
    End(String),
    Probe,
    Help,
}

/// How an envelope is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Words,
    Seatbelt,
}

/// Runs the program; what it is told is on its command line.
#[must_use]
pub fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    #[cfg(target_os = "linux")]
    if let Some((first, rest)) = words.split_first()
        && let Some(code) = first.to_str().and_then(|name| crate::linux::part(name, rest))
    {
        return code;
    }
    let read = read(&words).and_then(Given::meaning);
    match read {
        Ok(Meaning::Help) => print(USAGE),
        Ok(Meaning::Run(request)) => run(&request),
        Ok(Meaning::Explain(request, shape)) => explain(&request, shape),
        Ok(Meaning::List) => list(),
        Ok(Meaning::End(name)) => end(&name),
        Ok(Meaning::Probe) => probe(),
        // FAIL-CLOSED(not-confined): a command line that is not understood starts nothing.
        Err(why) => not_confined(&why),
    }
}

/// The options as they were given.
#[derive(Default)]
struct Given {
    kind: Option<Kind>,
    git: Option<Git>,
    hosts: Vec<Host>,
    writable: Vec<String>,
    readable: Vec<String>,
    caches: Vec<String>,
    variables: Vec<String>,
    session: Option<String>,
    until: Option<i32>,
    explain: Option<Shape>,
    other: Option<Meaning>,
    command: Vec<OsString>,
}

fn read(words: &[OsString]) -> Result<Given, String> {
    let mut given = Given::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" {
            given.command = words.cloned().collect();
            break;
        }
        if !text.starts_with('-') {
            given.command = std::iter::once(word).chain(words).cloned().collect();
            break;
        }
        let (name, attached) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
        let mut value = || {
            let next =
                attached.clone().or_else(|| words.next().and_then(|word| word.to_str().map(str::to_owned)));
            next.ok_or_else(|| format!("`{name}` needs a value"))
        };
        match name {
            "--envelope" => {
                let word = value()?;
                given.kind =
                    Some(Kind::from_word(&word).ok_or_else(|| format!("there is no envelope `{word}`"))?);
            }
            "--git" => given.git = Some(git(&value()?)?),
            "--host" => given.hosts.push(Host::read(&value()?)?),
            "--write" => given.writable.push(whole(&value()?)?),
            "--read" => given.readable.push(whole(&value()?)?),
            "--cache" => given.caches.push(value()?),
            "--env" => given.variables.push(value()?),
            "--session" => given.session = Some(value()?),
            "--until" => given.until = Some(number(&value()?)?),
            "--explain" => given.explain = Some(given.explain.unwrap_or(Shape::Words)),
            "--seatbelt" => given.explain = Some(Shape::Seatbelt),
            "--ps" => given.other = Some(Meaning::List),
            "--end" => given.other = Some(Meaning::End(value()?)),
            "--probe" => given.other = Some(Meaning::Probe),
            "--help" | "-h" => given.other = Some(Meaning::Help),
            _ => return Err(format!("there is no option `{name}`; `--help` lists them")),
        }
    }
    Ok(given)
}

fn git(word: &str) -> Result<Git, String> {
    match word {
        "read" => Ok(Git::Read),
        "work" => Ok(Git::Work),
        _ => Err(format!("`--git` is `read` or `work`, not `{word}`")),
    }
}

fn number(word: &str) -> Result<i32, String> {
    word.parse().ok().filter(|number| *number > 1).ok_or_else(|| format!("`{word}` is no process"))
}

/// A path without links, from the working directory.
fn whole(path: &str) -> Result<String, String> {
    let found = std::fs::canonicalize(path).map_err(|error| format!("`{path}`: {error}"))?;
    found.into_os_string().into_string().map_err(|_| format!("`{path}` is not text"))
}

impl Given {
    fn meaning(self) -> Result<Meaning, String> {
        if let Some(other) = self.other {
            return Ok(other);
        }
        if self.command.is_empty() && self.explain.is_none() {
            return Err("no command is named; `--help` says how".to_owned());
        }
        let words: Vec<String> =
            self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let kind = self.kind.unwrap_or(Kind::Project);
        let git = match (self.git, needs(&words)) {
            (_, Needs::Configuration) if kind == Kind::Project => {
                return Err(
                    "it changes git's configuration, which is read-only in `project`: it would be half done"
                        .to_owned(),
                );
            }
            (Some(git), _) => git,
            (None, Needs::This(git)) => git,
            (None, Needs::Configuration) => Git::Read,
        };
        let envelope = Envelope {
            kind,
            trusted: if kind == Kind::Open { Vec::new() } else { vec![trusted()?] },
            writable: self.writable,
            readable: self.readable,
            hosts: self.hosts,
            caches: if kind == Kind::Project { [self.caches, programs(&words)].concat() } else { Vec::new() },
            git,
            own: real(own()),
            own_programs: real(own_programs()),
            passed_variables: self.variables,
            limits: Limits::default(),
        };
        let request =
            Box::new(Request { envelope, session: self.session, until: self.until, command: self.command });
        Ok(match self.explain {
            Some(shape) => Meaning::Explain(request, shape),
            None => Meaning::Run(request),
        })
    }
}

/// The repository of the working directory, else that directory itself.
fn trusted() -> Result<String, String> {
    let directory = std::env::current_dir().map_err(|error| format!("the working directory: {error}"))?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let below_home = |folder: &&Path| home.as_deref().is_none_or(|home| !home.starts_with(folder));
    let repository = directory.ancestors().take_while(below_home).find(|folder| folder.join(".git").exists());
    whole(
        repository
            .unwrap_or(&directory)
            .to_str()
            .ok_or_else(|| "the working directory is not text".to_owned())?,
    )
}

/// The programs whose caches a command may write: those it names, in a command string of a shell as well.
fn programs(words: &[String]) -> Vec<String> {
    let split =
        |char: char| char.is_whitespace() || matches!(char, ';' | '&' | '|' | '(' | ')' | '/' | '"' | '\'');
    let known = |word: &&str| crate::tables::CACHES.iter().any(|(programs, _)| programs.contains(word));
    let mut found: Vec<String> =
        words.iter().flat_map(|word| word.split(split)).filter(known).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(target_os = "linux")]
fn run(request: &Request) -> ExitCode {
    crate::linux::run(request)
}

#[cfg(not(target_os = "linux"))]
fn run(request: &Request) -> ExitCode {
    drop(explain(request, Shape::Words));
    not_confined("envelopes are not enforced here; only Linux holds them so far")
}

fn explain(request: &Request, shape: Shape) -> ExitCode {
    let explained = || {
        let directory = std::env::current_dir().map_err(|error| format!("the working directory: {error}"))?;
        let mut facts = crate::scan::facts(&request.envelope, &directory, crate::scan::Extent::Whole)?;
        if request.envelope.kind == Kind::Project {
            let folders = [request.envelope.trusted.clone(), request.envelope.writable.clone()].concat();
            facts.project = crate::scan::project(&folders, |_| {})?;
        }
        let plan = crate::plan(&request.envelope, &facts)?;
        Ok::<String, String>(match shape {
            Shape::Words => crate::explain(&request.envelope, &facts, &plan),
            Shape::Seatbelt => crate::seatbelt(&request.envelope, &facts),
        })
    };
    match explained() {
        Ok(text) => print(&text),
        Err(why) => not_confined(&why),
    }
}

#[cfg(target_os = "linux")]
fn list() -> ExitCode {
    match crate::linux::sessions::running() {
        Ok(sessions) => {
            let mut text = String::from("SESSION          PID    INSIDE  SECONDS  COMMAND\n");
            for (name, processes) in sessions {
                for process in processes {
                    let command: String = process.command.chars().filter(|char| !char.is_control()).collect();
                    let row = format!(
                        "{name:<16} {:<6} {:<7} {:<8} {command}\n",
                        process.outside, process.inside, process.seconds
                    );
                    text.push_str(&row);
                }
            }
            print(&text)
        }
        Err(why) => fail(&why),
    }
}

#[cfg(target_os = "linux")]
fn end(name: &str) -> ExitCode {
    match crate::linux::sessions::end(name) {
        Ok(lines) => {
            for line in &lines {
                complain(line);
            }
            ExitCode::SUCCESS
        }
        Err(why) => fail(&why),
    }
}

#[cfg(target_os = "linux")]
fn probe() -> ExitCode {
    let proofs = crate::probe();
    let mut text = String::new();
    for proof in &proofs {
        let word = if proof.holds { "holds" } else { "FAILS" };
        text.extend([word, "  ", proof.part, ": ", &proof.said, "\n"]);
    }
    let code = print(&text);
    if proofs.iter().all(|proof| proof.holds) { code } else { ExitCode::FAILURE }
}

#[cfg(not(target_os = "linux"))]
fn list() -> ExitCode {
    fail("there are no sessions here: envelopes are not enforced")
}

#[cfg(not(target_os = "linux"))]
fn end(_name: &str) -> ExitCode {
    list()
}

#[cfg(not(target_os = "linux"))]
fn probe() -> ExitCode {
    fail("envelopes are not enforced here; only Linux holds them so far")
}

fn fail(why: &str) -> ExitCode {
    complain(why);
    ExitCode::FAILURE
}

fn print(text: &str) -> ExitCode {
    let mut out = std::io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
