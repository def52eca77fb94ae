//! Literal requests (SPEC C17, C19): a verb that fits the command, and its target by name, in one sentence of the person.
//!
//! Text that the agent makes up for the call (titles, bodies, messages) need not be named. What a verb is done to is not
//! what follows "on", "from" or "to": who wants `x` rebased on `main` and force-pushed does not want `main` pushed.

mod nouns;
mod segments;
mod wanted;
mod words;

use portcullis_decide::detect::{Finding, Severity};
use portcullis_decide::view::View;
use portcullis_shell::{Command, Placement, Why};

use super::consent_options;
use super::grammar::text::{Sentence, sentences};
use super::grammar::verbs::Deed;
use super::granted::{command_of, is_within};
use super::non_requests::without_quotes;
use super::requests::requests;
use super::settled::is_database;
use super::words::names;
use crate::transcript::Transcript;
pub(super) use nouns::step;
use segments::{acted_on, segments};
use wanted::Wanted;
use words::{ENVIRONMENTS, PLACES};

/// Whether the last thing a person said asks for what the finding is about.
pub(crate) fn asks(finding: &Finding, view: &View, transcript: &Transcript) -> bool {
    let within = |command: &&Command| finding.span.is_some_and(|span| is_within(span, command.span));
    let inner = || {
        view.reading
            .iter()
            .flat_map(|reading| &reading.commands)
            .filter(within)
            .min_by_key(|it| it.span.end - it.span.start)
    };
    let command = command_of(finding, view).or_else(inner);
    finding.severity == Severity::Soft && command.is_some_and(|command| asks_for(command, view, transcript))
}

/// Whether the person asks for what the command does, but to something else than it does it to.
pub(crate) fn contradicts(finding: &Finding, view: &View, transcript: &Transcript) -> bool {
    let Some(turn) = transcript.human_turns().last() else { return false };
    let Some(wanted) = command_of(finding, view).and_then(Wanted::of) else { return false };
    let said = sentences(&without_quotes(turn));
    let parts: Vec<Vec<String>> = said.iter().map(segments).collect();
    if parts.iter().flatten().any(|part| wanted.leaves_out(part, view)) {
        return true;
    }
    let asking = parts.iter().flat_map(|parts| {
        parts.iter().enumerate().filter(|(_, part)| wanted.verb(part).is_some()).map(|(at, part)| {
            let own = acted_on(part, &wanted.objects, false);
            let earlier = parts.get(..at).unwrap_or_default().iter().rev();
            let back = earlier.map(|it| acted_on(it, &wanted.objects, true)).find(|it| !it.is_empty());
            if own.is_empty() { back.unwrap_or_default() } else { own }
        })
    });
    let mut asked = asking.filter(|objects| !objects.is_empty()).peekable();
    let meant = |objects: &Vec<String>| wanted.objects.iter().any(|object| objects.contains(object));
    wanted.is_aimed()
        && !wanted.objects.is_empty()
        && asked.peek().is_some()
        && !asked.any(|objects| meant(&objects))
}

/// Whether it asks for everything that the line does.
pub(crate) fn asks_for_line(view: &View, transcript: &Transcript) -> bool {
    let Some(reading) =
        view.reading.as_ref().filter(|it| it.unclear.iter().all(|doubt| is_of_program(doubt.why)))
    else {
        return false;
    };
    let mut acting = reading.commands.iter().filter(|it| !it.effects.is_harmless()).peekable();
    acting.peek().is_some() && acting.all(|command| asks_for(command, view, transcript))
}

fn asks_for(command: &Command, view: &View, transcript: &Transcript) -> bool {
    let Some(turn) = transcript.human_turns().last() else { return false };
    let Some(wanted) = Wanted::of(command) else { return false };
    let named = !wanted.objects.is_empty()
        || wanted.deed == Deed::Open
        || wanted.others.iter().any(|it| it != "localhost");
    let plain = named
        && command.directory.is_none()
        && command.assignments.is_empty()
        && !matches!(command.placement, Placement::Piped)
        && command.arguments.iter().all(|word| word.literal)
        && (is_unnamed(command) || names(&super::grammar::text::plain(turn), &command.word))
        && (!command.verbs.is_empty() || !command.operands.is_empty() || is_database(&command.word))
        && stands_alone(command, view);
    // What is told, quoted, taken back or has to wait asks for nothing.
    let asked: Vec<String> = requests(turn).iter().map(|clauses| clauses.join(" ")).collect();
    let heard = |sentence: &Sentence| asked.iter().any(|said| wanted.is_in(said, sentence));
    let said = sentences(&without_quotes(turn));
    plain
        && !is_elsewhere_in_turn(&said, view)
        && said.iter().any(|sentence| heard(sentence) && wanted.is_asked_in(sentence, command, view))
}

/// Whether only what the program is or does is not known, and not what it is given.
const fn is_of_program(why: Why) -> bool {
    matches!(why, Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand)
}

/// Whether people do not say the program when they ask for what everybody does with it.
fn is_unnamed(command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    command.word == program
        && (super::exclusive_request::UNNAMED.contains(&program)
            || matches!(program, "rm" | "unlink" | "rmdir"))
}

/// Whether the line is nothing but this command, others joined by `&&`, and `sudo` where it is due.
fn stands_alone(command: &Command, view: &View) -> bool {
    let own = command.span.of(&view.line).trim();
    let due = view.reading.as_ref().is_some_and(|reading| {
        let mut around = reading
            .commands
            .iter()
            .filter(|it| is_within(command.span, it.span) && !std::ptr::eq(*it, command));
        around.all(|it| consent_options::gives_due_rights(it, reading))
    });
    let mut parts = view.line.split("&&").map(str::trim);
    let alone = parts.any(|part| part == own || (part.strip_prefix("sudo ") == Some(own) && due));
    alone && due && !view.paths.iter().any(|path| path.redirect && path.path != "/dev/null")
}

/// Whether anything in the turn speaks of another place, or of another way.
fn is_elsewhere_in_turn(said: &[Sentence], view: &View) -> bool {
    let line = format!(" {} ", view.line.to_lowercase());
    let own = |token: &str| line.contains(token.trim_end_matches('/').trim_start_matches('#'));
    let host = |token: &str| {
        let letters = token.chars().next().is_some_and(|it| it.is_ascii_lowercase());
        letters
            && token.bytes().all(|it| it.is_ascii_alphanumeric())
            && token.bytes().any(|it| it.is_ascii_digit())
            && token.len() < 12
            && !token.starts_with('v')
    };
    said.iter().flat_map(segments).any(|segment| {
        let mut tokens = segment.split_whitespace();
        let strange = |token: &str| {
            !own(token) && (host(token) || PLACES.contains(&token) || ENVIRONMENTS.contains(&token))
        };
        let uses = segment.trim_start().starts_with("use ")
            && !tokens.clone().skip(1).any(|token| own(token) && token.len() > 3);
        uses || tokens.any(strange)
    })
}
