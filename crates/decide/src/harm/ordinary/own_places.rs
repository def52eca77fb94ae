//! Places that are the project's own by what a line says of them, and those that are not.

use portcullis_shell::{Command, Effects, Reading};

use super::places;
use crate::call::ToolCall;
use crate::context::Context;
use crate::harm::code::interpreters::{self, Given};
use crate::view::{Access, PathUse, View};

/// `cd "$(git rev-parse --show-toplevel)"`: the line goes nowhere but to the top of the repository it stands in.
pub(super) fn is_top(
    command: &Command,
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> bool {
    const TOP: &str = "$(git rev-parse --show-toplevel)";
    let moves =
        |other: &&Command| matches!(other.program.as_deref(), Some("cd" | "pushd" | "popd" | "chdir"));
    let to_top = |other: &Command| match other.arguments.as_slice() {
        [word] => {
            // A function of that name may print anything.
            let asks =
                |it: &Command| crate::reads::within(it.span, word.span) && it.own.meets(Effects::READS);
            word.span.of(&view.line).trim_matches('"') == TOP && reading.commands.iter().any(asks)
        }
        _ => false,
    };
    // What is wrapped stands where its wrapper does, and either may go elsewhere.
    let around = reading.commands.iter().filter(|other| other.span == command.span);
    let mut words = around.flat_map(|other| &other.arguments).map(|word| word.text.as_str());
    let named = words.any(|word| {
        let path = word.split_once('=').map_or(word, |(_, path)| path);
        word == "-C" || word.contains("..") || path.starts_with(['/', '~'])
    });
    let mut moving = reading.commands.iter().filter(moves).peekable();
    let led = view.line.contains("GIT_") || view.line.contains("CDPATH");
    let inside = context.roots.iter().any(|root| context.as_absolute(root) == call.cwd);
    inside && !named && !led && moving.peek().is_some() && moving.all(to_top)
}

/// The folder in which a pattern finds those that a loop goes through: `packages` of `packages/*`, `.` of `./*`. What is
/// not known at all begins with `*`.
pub(super) fn found_below(place: &str) -> Option<&str> {
    let at = place.find(['*', '?'])?;
    let (folder, _) = place.get(..at)?.rsplit_once('/')?;
    let others = ["node_modules", "vendor", "third_party", "target", "dist", "build"];
    let plain = !folder.is_empty() && !place.starts_with(['/', '~']) && !place.contains("..");
    (plain && !place.split('/').any(|part| others.contains(&part))).then_some(folder)
}

/// Whether what runs in the folders of a loop may have been put there: by the line, by the session, or by its path.
pub(super) fn is_filled(command: &Command, view: &View, reading: &Reading, context: &Context) -> bool {
    let enters = |other: &Command| {
        other.program.as_deref() == Some("cd") && other.arguments.iter().any(|word| !word.literal)
    };
    let fetches = |other: &Command| {
        other.program.as_deref() == Some("git") && other.effects.meets(Effects::NETWORK_READ)
    };
    reading.commands.iter().any(enters)
        && (command.word.contains('/')
            || view.paths.iter().any(|it| it.access == Access::Write && !is_aside(it))
            || reading.commands.iter().any(fetches)
            || !context.session.fetched.is_empty())
}

/// Where output goes that nothing in the project obeys.
fn is_aside(path: &PathUse) -> bool {
    path.literal && (places::is_temporary(&path.path) || path.path == "/dev/null")
}

/// `. ./env.sh && make test`: nothing leads elsewhere but what a file of the project may do, as any of its scripts may.
pub(super) fn only_loads(view: &View, reading: &Reading, call: &ToolCall, context: &Context) -> bool {
    let loads = |it: &&Command| matches!(it.program.as_deref(), Some("source" | "."));
    let moves = |it: &Command| {
        matches!(it.program.as_deref(), None | Some("cd" | "chdir" | "pushd" | "popd" | "eval"))
    };
    let own = |it: &Command| {
        // A name alone is looked for where programs are.
        let file = it.arguments.first().filter(|word| word.literal && word.text.contains('/'));
        let path = file.map(|word| context.absolute(&word.text, &call.cwd));
        let session = &context.session;
        path.is_some_and(|path| {
            places::is_ours(&path, context)
                && !session.written.contains(&path)
                && !session.fetched.contains(&path)
        })
    };
    let written = view.paths.iter().any(|it| it.access != Access::Read && !it.path.starts_with("/dev/"));
    let mut loading = reading.commands.iter().filter(loads).peekable();
    loading.peek().is_some() && loading.all(own) && !written && !reading.commands.iter().any(moves)
}

/// Whether the line writes into a new folder, or a file of which a part of the name is not known, and runs something there
/// or something that is only known at run time: what it wrote is not followed.
pub(super) fn runs_unseen(view: &View, reading: &Reading) -> bool {
    let runs = Effects::PROJECT_CODE.and(Effects::INSTALLS_DECLARED).and(Effects::EXECUTES);
    let written = |it: &&PathUse| it.access == Access::Write && it.glob && places::is_temporary(&it.path);
    let rests: Vec<&str> =
        view.paths.iter().filter(written).filter_map(|it| Some(it.path.split_once('*')?.1)).collect();
    let below = rests.iter().any(|rest| rest.contains('/'));
    let beside = rests.iter().any(|rest| !rest.is_empty());
    // Code that is written out runs nothing else.
    let told = |it: &Command| matches!(interpreters::given(it), Given::Code(code) if !code.is_empty());
    let there = |it: &Command| {
        let unknown = |word: &str| word.contains('*');
        it.arguments.iter().any(|word| !word.literal)
            || unknown(&it.word)
            || it.directory.as_deref().is_some_and(unknown)
    };
    reading
        .commands
        .iter()
        .filter(|it| it.own.meets(runs) && there(it))
        .any(|it| below || (beside && !told(it)))
}
