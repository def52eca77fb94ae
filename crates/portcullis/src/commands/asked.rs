//! The call and the world as the command line describes them, for `check` and `explain`.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use portcullis_classify::failure::Failure;
use portcullis_classify::stages::StageRecord;
use portcullis_classify::transcript::{Format, Transcript};
use portcullis_decide::path::{Platform, absolute};
use portcullis_decide::{Context, Mode, Ruling, ToolCall};
use portcullis_gate::policy_test::input_from_text;
use portcullis_gate::settings::{Overrides, Places, session_mode};
use portcullis_shell::Dialect;
use serde_json::Value;

use crate::judge::{self, Judge, Judged, Seat};
use crate::strict_json::{self, MAX_CALL, Refused};

/// Which call.
#[derive(clap::Args)]
pub(crate) struct Call {
    /// The tool: `Bash`, `Edit`, `mcp__server__tool` …
    tool: Option<String>,
    /// Its input: the command, path, address or prompt, or a JSON object; `-` reads it from standard input.
    input: Option<OsString>,
    /// Take INPUT as JSON even for a shell, where a brace begins a command.
    #[arg(long, visible_alias = "json-input")]
    input_json: bool,
}

/// In which world.
#[derive(clap::Args)]
pub(crate) struct World {
    #[command(flatten)]
    in_force: InForce,
    /// The session whose mode counts where no other is given.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What was said and done before: a transcript of Claude Code, Codex, Gemini CLI or `OpenCode`, or JSON lines
    /// of `{"user": …}` and `{"tool": …, "input": …}`.
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
}

/// Which policy is in force, and where.
#[derive(clap::Args, Default)]
pub(crate) struct InForce {
    /// The mode: default, acceptEdits, plan, auto, dontAsk or bypassPermissions.
    #[arg(long)]
    mode: Option<Mode>,
    /// The working directory, which is also the trusted one; the current one if not given.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// A settings file to use as well.
    #[arg(long, value_name = "FILE")]
    settings: Vec<PathBuf>,
    /// A rule for what may run, as `Bash(git status:*)`.
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// A rule for what to ask about.
    #[arg(long, value_name = "RULE")]
    ask: Vec<String>,
    /// A rule for what may not run.
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// The shell that runs the commands of `Bash`.
    #[arg(long, value_enum, default_value_t = Shell::Bash)]
    shell: Shell,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Shell {
    #[default]
    Bash,
    Sh,
    Zsh,
}

/// A call that was judged.
pub(crate) struct Answered {
    /// The call; nothing where it could not be read.
    pub(crate) call: Option<(ToolCall, Context)>,
    /// What it gets.
    pub(crate) ruling: Ruling,
    /// The requests that a model was asked with.
    pub(crate) stages: Vec<StageRecord>,
    /// Why the model gave no verdict.
    pub(crate) failure: Option<Failure>,
}

impl World {
    /// The world of a call that was made before: its directory and its session, with today's settings.
    pub(crate) fn of_past(cwd: &str, session: &str) -> World {
        World {
            in_force: InForce {
                cwd: Some(PathBuf::from(cwd)).filter(|cwd| cwd.is_absolute()),
                ..InForce::default()
            },
            session: Some(session.to_owned()).filter(|session| !session.is_empty()),
            transcript: None,
        }
    }

    /// What was said and done before. The error is one of usage.
    pub(crate) fn transcript(&self, cwd: &str) -> Result<Transcript, String> {
        let Some(path) = &self.transcript else { return Ok(Transcript::default()) };
        let shown = path.display();
        let file = std::fs::File::open(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let read = Transcript::read(std::io::BufReader::new(file), Format::Detect, cwd);
        let talk = read.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        // Words that are not understood may have forbidden something: better no answer than one without them.
        if talk.entries.is_empty() && talk.skipped > 0 {
            return Err(format!(
                "`{shown}` is no conversation in a known form: none of its lines is understood"
            ));
        }
        Ok(talk)
    }

    /// The session that was named.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Loads the settings. The error is one of usage.
    pub(crate) fn open(&self) -> Result<Judge, String> {
        let (seat, mut overrides) = self.in_force.read()?;
        let places = Places::from_environment(Path::new(seat.root.as_ref().unwrap_or(&seat.here)));
        // FAIL-CLOSED(broken-session): a mode that cannot be read back is not taken to be any other.
        let session = self.session.as_deref().map(|session| session_mode(&places, session)).transpose();
        overrides.session = session.map_err(|error| error.to_string())?.flatten();
        Ok(Judge::open(seat, overrides))
    }
}

impl InForce {
    /// Loads the settings. The error is one of usage.
    pub(crate) fn open(&self) -> Result<Judge, String> {
        let (seat, overrides) = self.read()?;
        Ok(Judge::open(seat, overrides))
    }

    /// The same with another file in the place of those that were named, else of the user's own settings.
    pub(crate) fn open_with(&self, file: &Path) -> Result<Judge, String> {
        let (seat, mut overrides) = self.read()?;
        if overrides.settings.is_empty() {
            overrides.in_place_of_user = Some(file.to_path_buf());
        } else {
            overrides.settings = vec![file.to_path_buf()];
        }
        Ok(Judge::open(seat, overrides))
    }

    fn read(&self) -> Result<(Seat, Overrides), String> {
        let here =
            std::env::current_dir().map_err(|error| format!("cannot tell the current directory: {error}"))?;
        let here = text_of(here)?;
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let home = text_of(home.unwrap_or_else(|| PathBuf::from("/")))?;
        let root = match &self.cwd {
            Some(path) => Some(absolute(&text_of(path.clone())?, &here, &home, Platform::Unix)),
            None => None,
        };
        let overrides = Overrides {
            settings: self.settings.clone(),
            allow: self.allow.clone(),
            ask: self.ask.clone(),
            deny: self.deny.clone(),
            mode: self.mode,
            ..Overrides::default()
        };
        let dialect = match self.shell {
            Shell::Bash => Dialect::Bash,
            Shell::Sh => Dialect::Sh,
            Shell::Zsh => Dialect::Zsh,
        };
        Ok((Seat { root, here, home, dialect }, overrides))
    }
}

impl Call {
    /// Judges the call. A call that cannot be read is denied; the error is one of usage.
    pub(crate) fn judge(&self, judge: &Judge, world: &World) -> Result<Answered, String> {
        let (Some(tool), Some(input)) = (&self.tool, &self.input) else {
            return Err("name the tool and its input, as in `portcullis check Bash 'git push'`".to_owned());
        };
        let bytes = if input == "-" { from_standard_input()? } else { input.as_bytes().to_vec() };
        let cwd = judge.cwd();
        let mut call = ToolCall::new(tool, Value::Null, cwd.clone());
        match self.understand(&call, bytes) {
            Ok(input) => call = call.with_input(input?),
            Err(refused) => {
                let ruling = judge::unreadable(&refused);
                return Ok(Answered { call: None, ruling, stages: Vec::new(), failure: None });
            }
        }
        let mut context = judge.context(&judge.loaded, &cwd, None);
        let talk = world.transcript(&cwd)?;
        let Judged { ruling, stages, failure } = judge::judge(&call, &mut context, &judge.loaded, &talk);
        Ok(Answered { call: Some((call, context)), ruling, stages, failure })
    }

    /// The input; refused where it is not one, and an error where plain text says nothing to this tool.
    fn understand(&self, call: &ToolCall, bytes: Vec<u8>) -> Result<Result<Value, String>, Refused> {
        if bytes.len() > MAX_CALL {
            return Err(Refused::TooLong);
        }
        if self.input_json || (bytes.starts_with(b"{") && !call.tool.is_shell()) {
            return strict_json::parse(&bytes).map(Ok);
        }
        let text =
            String::from_utf8(bytes).map_err(|_| Refused::Malformed("it is not UTF-8 text".to_owned()))?;
        Ok(input_from_text(&call.tool, &text))
    }
}

fn from_standard_input() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // One more than may be, to see that it is too much.
    let most = u64::try_from(MAX_CALL).unwrap_or(u64::MAX).saturating_add(2);
    let input = std::io::stdin().lock();
    input
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read standard input: {error}"))?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(bytes)
}

fn text_of(path: PathBuf) -> Result<String, String> {
    path.into_os_string()
        .into_string()
        .map_err(|path| format!("the path `{}` is not UTF-8 text", path.display()))
}
