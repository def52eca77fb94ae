//! What a call touches, in the terms of rules and checks: commands, paths, hosts, names.
//!
//! [`View::of`] reads a call once; [`decide_with_view`](crate::decide_with_view), detectors and judges then look at
//! the same [`View`].

pub(crate) mod changes;
mod links;
pub(crate) mod named;
pub(crate) mod patches;
pub(crate) mod path_resolution;
mod path_use;
pub(crate) mod project_files;
mod run_file;
mod searches;
mod spans;
pub(crate) mod trusted;

use std::borrow::Cow;
use std::sync::OnceLock;

use portcullis_shell::{Command, Dialect, Effects, FileUse, Limits, Reading};
use serde_json::Value;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::path::Platform;
use crate::web::{self, Host};

pub(crate) use path_use::plain;
pub use path_use::{Access, Climb, PathUse};
pub(crate) use run_file::{Reader, RunFile};
pub(crate) use spans::{directories, in_span, within};

use path_use::{climbs, is_open_file};
use searches::takes_whole_folders;

/// What a call touches.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The command line as the shell reader understood it.
    pub reading: Option<Reading>,
    /// The command line.
    pub line: String,
    /// All paths.
    pub paths: Vec<PathUse>,
    /// The host of an address.
    pub(crate) host: Option<Host>,
    /// The name of the sub-agent or skill.
    pub name: Option<String>,
    /// Whether the call asks to run outside the sandbox (T6).
    pub lifts_isolation: bool,
    /// A field with an effect on the others that is not modelled.
    pub odd_field: Option<String>,
    /// The files that the line runs, once somebody asked for them.
    pub(crate) run: OnceLock<Vec<RunFile>>,
}

/// Fields that move a command to another place or take its fences away.
const MOVING_FIELDS: &[&str] =
    &["cwd", "workdir", "working_directory", "directory", "dir", "env", "environment"];

/// Flags that lift isolation.
const LIFTING_FIELDS: &[&str] = &[
    "dangerouslyDisableSandbox",
    "dangerously_disable_sandbox",
    "with_escalated_permissions",
    "sandbox_permissions",
];

impl View {
    /// Reads what `call` touches.
    #[must_use]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other tools name nothing that rules or checks look at"
    )]
    pub fn of(call: &ToolCall, context: &Context) -> View {
        let mut view = View { lifts_isolation: asks_to_lift_isolation(call), ..View::default() };
        match &call.tool {
            Tool::Bash | Tool::PowerShell => view.shell(call, context),
            tool if tool.edits_files() => view.files(call, context, Access::Write),
            tool if tool.reads_files() => view.searched_files(call, context),
            Tool::WebFetch => view.host = Some(web::host(call.text("url").unwrap_or_default())),
            Tool::Agent | Tool::Skill => view.name = names(call).into_iter().next(),
            Tool::Mcp(_) | Tool::Unknown(_) => view.named_files(call, context),
            _ => {}
        }
        view
    }

    fn shell(&mut self, call: &ToolCall, context: &Context) {
        let line = call.text("command").unwrap_or_default();
        let reading = read(line, call, context);
        line.clone_into(&mut self.line);
        let lists = [
            (&reading.files.read, Access::Read),
            (&reading.files.written, Access::Write),
            (&reading.files.deleted, Access::Delete),
        ];
        for (files, access) in lists {
            self.paths.extend(files.iter().map(|file| from_shell(file, access, call, context)));
            // Where only the directory is not known, the one that the call starts in is the likeliest.
            self.paths.extend(files.iter().filter_map(|file| at_home(file, access, call, context)));
        }
        // A command that was moved by `cd` looks at the directory it is in.
        let moved = reading.commands.iter().filter(|command| command.own.meets(Effects::READS));
        for command in moved {
            for place in searches::folders(command) {
                let mut folder = plain(place, Access::Read, call, context);
                folder.span = Some(command.span);
                self.paths.push(folder);
            }
        }
        // A field that moves the command: its paths are meant from there.
        for folder in MOVING_FIELDS.iter().filter_map(|field| call.text(field)) {
            let moved = ToolCall { cwd: context.absolute(folder, &call.cwd), ..call.clone() };
            for (files, access) in lists {
                self.paths.extend(files.iter().map(|file| from_shell(file, access, &moved, context)));
            }
        }
        self.paths.extend(patches::changed(line, &reading, call, context));
        self.paths.extend(searches::own_folders(&self.paths, &reading, call, context));
        self.paths.extend(searches::narrowed(&self.paths, &reading, call, context));
        for path in &mut self.paths {
            let whole = is_taken_whole(path, &reading);
            path.searched = path.access == Access::Delete || whole;
            // A pattern for dot files may find the folder above.
            path.glob &= !(whole && path.path.rsplit('/').next().is_some_and(could_climb));
            climb_from_folder(path, &reading, line, call, context);
        }
        links::follow(&mut self.paths, &reading, call, context);
        self.reading = Some(reading);
        self.odd_field = odd_field(call);
    }

    fn files(&mut self, call: &ToolCall, context: &Context, access: Access) {
        for named in named::paths(call) {
            self.paths.push(plain(&named, access, call, context));
        }
    }

    fn searched_files(&mut self, call: &ToolCall, context: &Context) {
        self.files(call, context, Access::Read);
        if matches!(call.tool, Tool::Grep | Tool::Glob) {
            if self.paths.is_empty() {
                self.paths.push(plain(".", Access::Read, call, context));
            }
            self.paths.iter_mut().for_each(|path| path.searched = true);
            if call.tool == Tool::Grep {
                let only = call.text("glob").unwrap_or_default();
                self.paths.extend(searches::named_by_glob(only, &self.paths, call, context));
            }
            // A glob pattern can climb out of the directory it starts in.
            let pattern = call.text("pattern").filter(|_| call.tool == Tool::Glob).unwrap_or_default().trim();
            if may_start_anywhere(pattern) {
                self.odd_field = Some("pattern".to_owned());
            }
            if pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..") {
                let folder = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
                self.paths.push(plain(folder, Access::Read, call, context));
            }
        }
    }

    /// Other tools may name files too; whether they write is not known, so it is assumed.
    fn named_files(&mut self, call: &ToolCall, context: &Context) {
        for named in named::paths_anywhere(call, context) {
            let mut path = plain(&named, Access::Write, call, context);
            path.searched = true;
            self.paths.push(path);
        }
    }
}

/// Whether a pattern leads elsewhere behind its first wildcard, or in its alternatives: `*/../../x`, `{src,/etc}/*`.
fn may_start_anywhere(pattern: &str) -> bool {
    let wild = pattern.find(['*', '?', '[', '{', '(']).and_then(|at| pattern.get(at..)).unwrap_or_default();
    let alternatives = wild.split_once(['{', '(']).map_or("", |(_, inside)| inside);
    let start = |part: &str| part.starts_with(['/', '~', '\\']);
    pattern.starts_with('\\')
        || wild.contains("..")
        || (!alternatives.is_empty() && alternatives.split([',', '|', '{', '(']).any(start))
}

/// The shell that reads the call's command line: that of the context, unless the call names a known one.
#[must_use]
pub fn dialect(call: &ToolCall, context: &Context) -> Dialect {
    if call.tool == Tool::PowerShell {
        return Dialect::PowerShell;
    }
    call.text("shell").and_then(usual_shell).unwrap_or(context.dialect)
}

/// The language of a shell that lies where shells lie. Any other program of that name can do anything.
fn usual_shell(program: &str) -> Option<Dialect> {
    let name = ["/bin/", "/usr/bin/"].iter().find_map(|folder| program.strip_prefix(folder));
    match name.unwrap_or(program) {
        "bash" => Some(Dialect::Bash),
        "sh" | "dash" => Some(Dialect::Sh),
        "zsh" => Some(Dialect::Zsh),
        _ => None,
    }
}

/// A field that changes where or how the line is run.
fn odd_field(call: &ToolCall) -> Option<String> {
    let given = |field: &str| call.input.get(field).filter(|value| !value.is_null());
    let moves = MOVING_FIELDS.iter().find(|field| call.input.get(**field).is_some()).copied();
    let shell = given("shell").filter(|shell| shell.as_str().and_then(usual_shell).is_none());
    // What is typed into a running program is read by that program.
    let typed =
        call.text("command").is_some_and(|line| !line.is_empty()) && call.input.get("session_id").is_some();
    moves.or(shell.map(|_| "shell")).or(typed.then_some("session_id")).map(str::to_owned)
}

/// What the call says is the name of the sub-agent or skill: one, if it is valid.
pub(crate) fn names(call: &ToolCall) -> Vec<String> {
    let fields: &[&str] =
        if call.tool == Tool::Skill { &["name", "skill", "command"] } else { &["subagent_type", "type"] };
    let mut found: Vec<String> = Vec::new();
    for text in fields.iter().filter_map(|field| call.text(field)) {
        let name = text.trim();
        // A skill is also called as a person would type it.
        let name = name.strip_prefix('/').filter(|_| call.tool == Tool::Skill).unwrap_or(name);
        if !name.is_empty() && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// Whether the command that names the path goes through all that lies below it.
fn is_taken_whole(path: &PathUse, reading: &Reading) -> bool {
    let mut naming = commands_of(path, reading);
    naming.any(takes_whole_folders)
}

/// The commands whose words the path stands in.
fn commands_of<'r>(path: &PathUse, reading: &'r Reading) -> impl Iterator<Item = &'r Command> {
    let span = path.span;
    let mine = move |command: &&Command| {
        span.is_some_and(|span| command.span.start <= span.start && span.end <= command.span.end)
    };
    reading.commands.iter().filter(mine)
}

/// The reader takes `..` in a folder that the line went to as text; the system does not, where that folder is a
/// link: `cd link && cat ../x`.
fn climb_from_folder(path: &mut PathUse, reading: &Reading, line: &str, call: &ToolCall, context: &Context) {
    let Some(word) = path.span.map(|span| span.of(line)).filter(|word| word.contains("..")) else { return };
    let folders = commands_of(path, reading).filter_map(|command| command.directory.as_deref());
    let more: Vec<Climb> = folders
        .flat_map(|folder| folder.split(" | "))
        .flat_map(|folder| {
            let words = word.split([' ', '\t', '\'', '"', '=', '<', '>']);
            let relative = words.filter(|word| word.contains("..") && !word.starts_with(['/', '~']));
            relative.flat_map(move |word| climbs(&format!("{folder}/{word}"), call, context))
        })
        .collect();
    path.through.extend(more);
}

fn from_shell(file: &FileUse, access: Access, call: &ToolCall, context: &Context) -> PathUse {
    // PowerShell separates names with either sign, on every system.
    let file = &FileUse { path: separated(&file.path, call).into_owned(), ..file.clone() };
    // A drive is a drive, also where PowerShell runs on another system.
    let drive = call.tool == Tool::PowerShell
        && matches!(file.path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let path = if drive {
        crate::path::absolute(&file.path, "/", &context.home, Platform::Windows)
    } else {
        context.absolute(&settled_home(&file.path, call, context), &call.cwd)
    };
    // Whose home it is, the shell looks up.
    let elsewhere = call.tool != Tool::PowerShell && other_home(&file.path).is_some();
    let path = if file.literal { path } else { crate::glob::without_brackets(&path) };
    let may_climb = path.rsplit('/').skip(1).any(could_climb);
    PathUse {
        path,
        named: file.path.clone(),
        through: climbs(&file.path, call, context),
        access,
        literal: file.literal && !elsewhere && !(access == Access::Write && is_open_file(&file.path, access)),
        glob: file.glob && !elsewhere && !may_climb,
        deep: file.deep,
        redirect: file.redirect,
        searched: false,
        printed: file.printed.filter(|_| !elsewhere),
        span: Some(file.span),
        also: Vec::new(),
    }
}

fn separated<'p>(path: &'p str, call: &ToolCall) -> Cow<'p, str> {
    if call.tool == Tool::PowerShell && path.contains('\\') {
        Cow::Owned(path.replace('\\', "/"))
    } else {
        Cow::Borrowed(path)
    }
}

/// The name after the tilde where a path starts in a home or folder that the shell looks up, and what follows.
fn other_home(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.strip_prefix('~')?.split_once('/').unwrap_or((path.strip_prefix('~')?, ""));
    (!name.is_empty()).then_some((name, rest))
}

/// `~dev/x` and `~+/x` by the likeliest folder: the home of that name, the working directory.
fn settled_home<'p>(path: &'p str, call: &ToolCall, context: &Context) -> Cow<'p, str> {
    let Some((name, rest)) = other_home(path) else { return Cow::Borrowed(path) };
    let home = context.absolute("~", "/");
    if name == "+" {
        Cow::Owned(format!("{}/{rest}", call.cwd))
    } else if home.rsplit('/').next() == Some(name) {
        Cow::Owned(format!("{home}/{rest}"))
    } else {
        Cow::Borrowed(path)
    }
}

/// Whether a name with wildcards could be `..`: older shells find that as well.
fn could_climb(name: &str) -> bool {
    name.starts_with('.') && name.contains(crate::glob::is_wild) && crate::glob::could_be(name, "..")
}

/// Reads the line; once more where a `cd` that fails would lead it out of the project, and the folder is known to be
/// there.
fn read(line: &str, call: &ToolCall, context: &Context) -> Reading {
    let dialect = dialect(call, context);
    let limits = Limits { characters: context.longest_line };
    let reading = portcullis_shell::read_within(line, dialect, limits);
    let places = || reading.commands.iter().filter_map(|command| command.directory.as_deref());
    let climbs = |place: &str| place.contains(" | ") && place.split(" | ").any(|it| it.starts_with(".."));
    // What the line takes away or puts elsewhere is no longer there.
    let moves = |command: &Command| {
        let name = command.program.as_deref();
        let renames = matches!(name, None | Some("mv" | "rename" | "ln" | "mount" | "umount" | "rsync"));
        let switches = name == Some("git") && !command.own.is_harmless();
        renames || switches || command.own.meets(Effects::DELETES)
    };
    if !places().any(climbs) || reading.commands.iter().any(moves) {
        return reading;
    }
    let parts = places().flat_map(|place| place.split(" | "));
    let there = |place: &&str| {
        let plain = !place.starts_with(['/', '~', '.']) && !place.contains(['*', '?']);
        plain && context.facts.is_folder(&context.absolute(place, &call.cwd))
    };
    let folders: Vec<String> = parts.filter(there).map(str::to_owned).collect();
    if folders.is_empty() {
        return reading;
    }
    portcullis_shell::read_among(line, dialect, limits, &folders)
}

/// What a path is in the call's own directory, where the line leaves open which directory it is in.
fn at_home(file: &FileUse, access: Access, call: &ToolCall, context: &Context) -> Option<PathUse> {
    let rest = file.path.strip_prefix("*/").filter(|_| !file.literal && !file.glob)?;
    if rest.contains(['*', '?', '[', '|']) {
        return None;
    }
    let mut path = plain(rest, access, call, context);
    path.redirect = file.redirect;
    path.span = Some(file.span);
    Some(path)
}

pub(crate) fn asks_to_lift_isolation(call: &ToolCall) -> bool {
    let on = |value: &Value| match value {
        Value::Bool(on) => *on,
        Value::String(text) => !matches!(text.as_str(), "" | "false" | "use_default"),
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => true,
    };
    LIFTING_FIELDS.iter().filter_map(|field| call.input.get(*field)).any(on)
}
