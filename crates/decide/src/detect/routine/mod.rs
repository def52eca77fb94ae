//! Ordinary work on a project (SPEC C7): what the built-in judge lets pass when it sees no harm in it.
//!
//! A list of what is ordinary, not of what is dangerous: what is not known to be ordinary is asked.

mod file_lists;
mod fresh;
mod list_edits;
pub(super) mod places;
mod processes;
mod project_paths;
pub(super) mod samples;
mod setups;
pub(super) mod tasks;
mod variables;

use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Span, Unclear, Why};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::detect::code::actions::Language;
use crate::detect::commands::{gives_little, takes_away};
use crate::detect::remote::addresses::{carries, sends_with};
use crate::detect::remote::home::{connects_home, stays_home};
use crate::detect::{
    code, code::framework_shells, code::loading, code::variable_reads, effect_labels, git, git::worktrees,
    names::numbered, provenance::origin, provenance::outside, remote::services, scripts,
};
use crate::path::is_within;
use crate::run_files::executed;
use crate::run_files::interpreters::{self, Given};
use crate::run_files::written::is_fed_known_text;
use crate::view::{Access, PathUse, View};

/// What ordinary commands do, without a further look.
const PLAIN: Effects = Effects::HARMLESS
    .and(Effects::WRITES)
    .and(Effects::PROJECT_CODE)
    .and(Effects::INSTALLS_DECLARED)
    .and(Effects::REPOSITORY)
    .and(Effects::IF_FILES_SAY_SO);

/// What is looked at more closely before it counts; deletions are judged by their places.
const LOOKED_AT: Effects = Effects::ENVIRONMENT
    .and(Effects::EXECUTES)
    .and(Effects::UNKNOWN)
    .and(Effects::PUSHES)
    .and(Effects::PERMISSIONS)
    .and(Effects::NETWORK_WRITE)
    .and(Effects::SENDS_DATA)
    .and(Effects::KILLS)
    .and(Effects::DELETES);

/// Why the call is not routine project work, ignoring the parts of the command line at `cleared`. `None` if it is
/// routine.
#[must_use]
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is not ordinary")]
pub fn unusual_besides(call: &ToolCall, view: &View, context: &Context, cleared: &[Span]) -> Option<String> {
    if view.lifts_isolation {
        return Some("it asks to run without isolation".to_owned());
    }
    if let Some(field) = &view.odd_field {
        return Some(format!("the field `{field}` changes where or how it runs"));
    }
    match &call.tool {
        Tool::Bash => unusual_line(call, view, context, cleared),
        tool if tool.edits_files() => unusual_path(view, context, cleared, |_| false),
        tool if tool.reads_files() => None,
        Tool::WebSearch | Tool::ToolSearch | Tool::BashOutput | Tool::TaskOutput | Tool::KillShell => None,
        Tool::WebFetch => unusual_address(view).or_else(|| sends_with(call)).or_else(|| carries(call)),
        Tool::SendMessage | Tool::Agent => None,
        Tool::Mcp(name) => crate::detect::tools::unusual(name, call),
        tool => Some(format!("{} is not among the tools that are judged without a person", tool.name())),
    }
}

fn unusual_line(call: &ToolCall, view: &View, context: &Context, cleared: &[Span]) -> Option<String> {
    let reading = view.reading.as_ref()?;
    if context.session.redefined {
        return Some("an earlier command changed what names mean".to_owned());
    }
    let shell = reading.shell.without(PLAIN).without(Effects::ENVIRONMENT);
    if !shell.is_empty() {
        return Some(format!("the line itself {}", effect_labels::deed(shell)));
    }
    if variables::moves_programs(reading, &view.line) {
        return Some("the line itself changes where programs are found".to_owned());
    }
    let line = Line { call, view, context, reading };
    line.doubt()
        .or_else(|| unusual_deed(call, view, context, cleared))
        .or_else(|| scripts::executed::unusual(call, view, context))
}

/// What the commands of a line do that is not ordinary, as far as it can be told.
pub(super) fn unusual_deed(
    call: &ToolCall,
    view: &View,
    context: &Context,
    cleared: &[Span],
) -> Option<String> {
    let reading = view.reading.as_ref()?;
    let line = Line { call, view, context, reading };
    let mut open = reading.commands.iter().filter(|command| !cleared.contains(&command.span));
    let strange = open.find_map(|command| line.unusual(command));
    // The files of a list are the project's, though which they are is not known.
    let listed = || reading.commands.iter().filter(|command| line.takes_files(command));
    let filled = |it: &PathUse| it.named == "*" && !it.redirect && !it.literal && !it.glob;
    let known = |it: &PathUse| filled(it) && listed().any(|command| crate::view::in_span(it, command));
    let unseen = || project_paths::runs_unseen(view, reading).then(|| "it may run what it wrote".to_owned());
    strange.or_else(unseen).or_else(|| unusual_path(view, context, cleared, known))
}

/// A place that ordinary work does not write to or delete.
fn unusual_path(
    view: &View,
    context: &Context,
    cleared: &[Span],
    known: impl Fn(&PathUse) -> bool,
) -> Option<String> {
    let covered = |span: Span| cleared.iter().any(|part| crate::view::within(span, *part));
    let touched = view.paths.iter().filter(|path| path.access != Access::Read);
    // Where the output of a command goes is not part of its deed.
    let open = touched.filter(|path| path.redirect || !path.span.is_some_and(covered));
    open.into_iter().find_map(|path| match path.access {
        Access::Read => None,
        Access::Write | Access::Delete if places::is_behind_own_link(path, view) => {
            Some(format!("`{}` lies behind a link that the line makes", path.named))
        }
        Access::Write if places::is_workplace(path, context) || known(path) => None,
        Access::Write if worktrees::is_beside(path, view, context) => None,
        Access::Write => Some(format!("`{}` lies outside the project", path.named)),
        Access::Delete if places::may_go(path, view, context) => None,
        Access::Delete => Some(format!("`{}` was not made in this session", path.named)),
    })
}

fn unusual_address(view: &View) -> Option<String> {
    let host = view.host.as_ref()?;
    (!host.is_public()).then(|| "the address is not a public host".to_owned())
}

/// A command line under the eye.
struct Line<'a> {
    call: &'a ToolCall,
    view: &'a View,
    context: &'a Context,
    reading: &'a Reading,
}

impl Line<'_> {
    /// Something about the line that cannot be told, and matters.
    fn doubt(&self) -> Option<String> {
        let doubt = self.reading.unclear.iter().find(|doubt| !self.is_bearable(doubt))?;
        Some(format!("part of it cannot be told: {}", doubt.detail))
    }

    /// An option or operand that a task runner or build tool hands on, or a program of the project itself.
    fn is_bearable(&self, doubt: &Unclear) -> bool {
        let mut around =
            self.reading.commands.iter().filter(|command| crate::view::within(doubt.span, command.span));
        match doubt.why {
            Why::UnknownCommand => around.any(|command| self.is_own_work(command)),
            Why::UnknownOption | Why::UnknownOperand | Why::MaybeOption => around.any(|command| {
                command.own.meets(Effects::PROJECT_CODE)
                    || self.is_own_work(command)
                    || (doubt.why == Why::MaybeOption && self.is_given_files(command))
            }),
            Why::TooLong
            | Why::TooDeep
            | Why::TooMuch
            | Why::Hidden
            | Why::Syntax
            | Why::Dialect
            | Why::UnclearCommand
            | Why::UnclearCode
            | Why::Arithmetic
            | Why::Changed
            | Why::NotModelled => false,
        }
    }

    /// Why this command is not ordinary.
    fn unusual(&self, command: &Command) -> Option<String> {
        let Some(program) = command.program.as_deref() else {
            return Some("which program runs is only known at run time".to_owned());
        };
        let rest = self.beyond_plain(command);
        let named = |what: &str| Some(format!("`{program}` {what}"));
        if variables::sets_the_scene(command, self.context) && !self.has_fresh_home(command) {
            return named("runs with variables that change what programs do");
        }
        let inline = code::acts_in_framework(command, self.context).is_some()
            || framework_shells::is_fed(command, self.view, self.reading);
        if (rest.meets(Effects::EXECUTES) && self.runs_odd_code(command)) || inline {
            return named("runs code that is not the project's own");
        }
        if rest.meets(Effects::UNKNOWN) && !self.is_own_work(command) {
            return named("is not a program whose work is known");
        }
        if rest.meets(Effects::PUSHES) && !git::push_is_plain(command, self.reading, self.call, self.context)
        {
            return named("pushes, and to which branch is not clear");
        }
        if rest.meets(Effects::PERMISSIONS) && !gives_little(command) {
            return named("changes permissions");
        }
        let elsewhere = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
        let harmless = || {
            services::is_rehearsal(command)
                || services::is_daily(command)
                || stays_home(command)
                || connects_home(command, &self.view.line)
        };
        if rest.meets(elsewhere) && !harmless() {
            return named("changes or sends something elsewhere");
        }
        let taken_in = outside::runs_outside(command, self.view, self.call, self.context);
        let told = self.is_told_foreign_code(command);
        if (taken_in && !self.configures_project(command)) || told || outside::runs_address(command) {
            return named("runs something from outside the project");
        }
        let unseen = numbered::acts_unseen(command, self.reading);
        if unseen || self.works_elsewhere(command) || self.runs_through_link(command) {
            return named("works in a place that is not the project's");
        }
        let rewritten = outside::rewrites(command, self.view, self.context);
        if let Some(path) = rewritten.filter(|_| !self.takes_files(command)) {
            return named(&format!("may change `{path}`, which lies outside the project"));
        }
        if outside::gathers_around(command, self.view, self.context) {
            return named("takes in all that lies around the project");
        }
        if takes_away(command) {
            return named("takes something away");
        }
        if outside::installs_for_all(command) {
            return named("installs a program outside the project");
        }
        if rest.meets(Effects::KILLS) && !processes::are_own(command, &self.view.line) {
            return named("ends processes");
        }
        let left = rest.without(LOOKED_AT);
        if left.is_empty() { self.deletes_unseen(command) } else { named(effect_labels::deed(left)) }
    }

    /// What the command does beyond what ordinary commands do.
    fn beyond_plain(&self, command: &Command) -> Effects {
        let mut rest = command.effects.without(PLAIN);
        let lock = git::side_taken(command) == Some(git::Side::OfLocks);
        if lock || git::only_switches(command, self.call, self.context) {
            rest = rest.without(Effects::DISCARDS);
        }
        if samples::shows(command, self.view, self.context) {
            rest = rest.without(Effects::SECRETS);
        }
        if self.is_given_files(command) {
            rest = rest.without(Effects::UNKNOWN);
        }
        // A plain substitution is all the code that there is.
        if rest.meets(Effects::EXECUTES)
            && command.program.as_deref() == Some("perl")
            && self.takes_files(command)
        {
            rest = rest.without(Effects::EXECUTES);
        }
        rest
    }

    fn takes_files(&self, command: &Command) -> bool {
        file_lists::takes_project_files(command, self.view, self.reading, self.call, self.context)
    }

    fn is_given_files(&self, command: &Command) -> bool {
        self.takes_files(command)
            || file_lists::is_given_files(command, self.view, self.reading, self.call, self.context)
    }

    /// A deletion whose place the reader does not know.
    fn deletes_unseen(&self, command: &Command) -> Option<String> {
        let mut deleted = self.view.paths.iter().filter(|path| path.access == Access::Delete);
        let seen = deleted.any(|path| crate::view::in_span(path, command));
        let name = command.program.as_deref().unwrap_or_default();
        // What a build tool cleans is what it built.
        let mut named = command.arguments.iter().filter(|word| !word.text.starts_with('-')).take(1);
        let mut verbs = command.verbs.iter().filter_map(|at| command.arguments.get(*at));
        let says = |word: &Argument| word.text == "clean";
        let cleans = name != "git" && (named.any(says) || verbs.any(says));
        let named = seen || cleans || processes::are_services(command);
        (command.own.meets(Effects::DELETES) && !named).then(|| format!("`{name}` deletes what is not named"))
    }

    /// Whether code that is given to the command is more than the project's own.
    fn runs_odd_code(&self, command: &Command) -> bool {
        let program = command.program.as_deref().unwrap_or_default();
        if self.is_own_program(command) && !command.by_options.meets(Effects::EXECUTES) {
            return false;
        }
        if self.configures_project(command) || self.sets_up(command) {
            return false;
        }
        let shell = matches!(program, "sh" | "bash" | "zsh" | "dash" | "ksh");
        if let (true, Given::Script(script)) = (shell, interpreters::given(command)) {
            return !self.is_own_script(&script, command);
        }
        let through = command.arguments.iter().any(|word| code::names_a_runner(&word.text));
        if !interpreters::is_language(program) || through || command.own.meets(Effects::INSTALLS_NAMED) {
            return true;
        }
        // Nobody sees what is typed into a console, or comes from a program whose output is not known (P0).
        if interpreters::waits_for_code(command) && !is_fed_known_text(command, self.view, self.reading) {
            return true;
        }
        let given = interpreters::given(command);
        match &given {
            Given::Script(script) if !self.is_own_script(script, command) => return true,
            Given::Unknown => return true,
            Given::Input if self.reads_foreign() => return true,
            Given::Code(code) if self.reaches_out(code) => return true,
            // What else stands in the line is judged by itself.
            Given::Code(code) if !code.is_empty() => {
                let own = interpreters::told_with(command, code, &self.view.line);
                return loading::reaches_out(program, &own)
                    || variable_reads::takes_environment(&own)
                    || code::acts(&own, Language::of(command), self.context).is_some()
                    || code::opaque::hides(code).is_some();
            }
            Given::Script(_) | Given::Input | Given::Code(_) => {}
        }
        let language = Language::of_input(command, &self.view.line);
        let piped = command.placement == Placement::Piped || self.view.line.contains("<<");
        let fed = (given == Given::Input && piped) || interpreters::has_glued_code(command);
        let text = &self.view.line;
        (fed && (loading::reaches_out(program, text) || variable_reads::takes_environment(text)))
            || code::acts(text, language, self.context).is_some()
    }

    /// Whether a script lies in the project, or was made by the session or by this line.
    fn is_own_script(&self, script: &str, command: &Command) -> bool {
        let path = executed::place(script, command, self.call, self.context);
        let session = &self.context.session;
        let made = session.created.contains(&path) || self.writes(&path);
        // Of a file whose name is not known it is not known what the line wrote into it.
        let unseen = script.starts_with('*') || (path.contains('*') && made);
        (places::is_ours(&path, self.context) || made) && !unseen && !session.fetched.contains(&path)
    }

    /// Whether the line reads a file that is not the project's: it may be what an interpreter is fed.
    fn reads_foreign(&self) -> bool {
        let session = &self.context.session;
        let mut read = self.view.paths.iter().filter(|path| path.access == Access::Read);
        let strays = |it: &PathUse| {
            let own = places::is_ours(&it.path, self.context) || session.created.contains(&it.path);
            !own || session.fetched.contains(&it.path)
        };
        let mut shown = self.reading.commands.iter();
        read.any(strays) || shown.any(|command| origin::shows_other_revision(command, session))
    }

    /// Whether code loads a file that anybody may have put there, or names one above the project or with secrets in it.
    fn reaches_out(&self, code: &str) -> bool {
        const LOADS: &[&str] =
            phrases!("require|import|exec(|load|source(|include|runpy|dofile|do '|do \"|sys.path");
        let own = |path: &str| self.context.session.created.iter().any(|it| it == path) || self.writes(path);
        let foreign = |path: &str| places::is_temporary(path) && !own(path);
        let loads = LOADS.iter().any(|word| code.contains(word)) && code::absolute_paths(code).any(foreign);
        let mut texts = code.split(['\'', '"', '`']).skip(1);
        loads
            || texts.any(|text| {
                let climbs = text.starts_with("../") && !text.contains(char::is_whitespace);
                let out = || !self.context.is_trusted(&self.context.absolute(text, &self.call.cwd));
                (climbs && out())
                    || (text.starts_with(".env") && portcullis_shell::is_secret_path(text, true))
            })
    }

    /// Whether the line itself writes the file, and not from one that comes from elsewhere.
    fn writes(&self, path: &str) -> bool {
        let foreign = |it: &PathUse| outside::is_made_of_foreign(it, self.view, self.call, self.context);
        let mut written = self.view.paths.iter().filter(|it| it.access == Access::Write);
        written.any(|it| it.path == path && !foreign(it))
    }

    /// Whether the command runs code in a place that is neither the project's nor made by the session.
    fn works_elsewhere(&self, command: &Command) -> bool {
        let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
        // What the project built is its own wherever it works.
        let built = command.word.starts_with('/') && self.is_own_program(command);
        let acts = command.own.meets(runs) && !built;
        let git = command.own.meets(Effects::REPOSITORY) || command.program.as_deref() == Some("git");
        let places = command.directory.as_deref().unwrap_or(&self.call.cwd);
        (git || acts)
            && places.split(" | ").any(|place| {
                let path = self.context.absolute(place, &self.call.cwd);
                let within = |known: &str| is_within(&path, known);
                let made = self.context.session.created.iter().any(|known| within(known))
                    || self.view.paths.iter().any(|it| it.access == Access::Write && within(&it.path));
                let ours = !place.contains('*')
                    && (places::is_ours(&path, self.context) || self.surrounds(&path, command));
                // Keeping a repository elsewhere is ordinary, unless anybody may have put it there.
                let strange = places::is_temporary(&path) && !self.reads_plainly(command, &path);
                // What a loop runs in several folders may have been put there by the line.
                let kept = |it: &PathUse| {
                    it.access == Access::Write && !places::is_temporary(&it.path) && it.path != "/dev/null"
                };
                let fetched = self.reading.commands.iter().any(|it| it.own.meets(Effects::NETWORK_READ));
                let loops = acts && places.contains(" | ");
                let filled =
                    loops && (fetched || command.word.contains('/') || self.view.paths.iter().any(kept));
                filled || (!ours && !made && (acts || strange))
            })
    }

    /// Whether git only reads a repository whose settings are known to name no command.
    fn reads_plainly(&self, command: &Command, folder: &str) -> bool {
        let settings = self.context.facts.repository(folder);
        command.own.is_harmless() && settings.is_some_and(|commands| commands.is_empty())
    }

    /// Whether a file that the command runs lies in the project only by its name.
    fn runs_through_link(&self, command: &Command) -> bool {
        let strays = |path: &str| self.context.is_trusted(path) && !places::is_ours(path, self.context);
        let program =
            command.word.contains('/') && strays(&self.context.absolute(&command.word, &self.call.cwd));
        let mut read = self.view.paths.iter().filter(|path| path.access == Access::Read && !path.redirect);
        let mut script = || read.any(|path| crate::view::in_span(path, command) && strays(&path.path));
        command.own.meets(Effects::PROJECT_CODE.and(Effects::EXECUTES)) && (program || script())
    }

    /// Whether what runs is the project's own work: an interpreter or the tool of a service that is kept in the
    /// project (`.venv/bin/python`, `node_modules/.bin/vercel`) does what it is told all the same.
    fn is_own_work(&self, command: &Command) -> bool {
        let name = command.program.as_deref().unwrap_or_default();
        let served = services::is_known(name) && !services::is_word(&command.word, name);
        self.is_own_program(command) && !interpreters::is_language(name) && !served
    }

    /// Whether the program is one of the project, by its path.
    fn is_own_program(&self, command: &Command) -> bool {
        let word = &command.word;
        let pathed = word.contains('/') && !word.contains(['*', '?', '[']);
        pathed && {
            let path = executed::place(word, command, self.call, self.context);
            // The project's own, or what the session or this line built.
            let own = places::is_ours(&path, self.context)
                || self.context.session.created.contains(&path)
                || self.writes(&path);
            own && !self.context.session.fetched.contains(&path)
        }
    }
}
