//! What the tables of the hosting services' programs cannot say, above all whether an API call only asks.

use super::invocation::{Invocation, Outcome};
use super::shapes::is_telling;
use super::table::Operands;
use crate::argument::Argument;
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::Why;

/// A verb whose options are not listed prints help only when that is the first thing asked.
pub(super) fn help<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let first = invocation.operands.first().and_then(Argument::known);
    if invocation.operands.len() == 1 && matches!(first, Some("--help" | "-h")) {
        out.help = true;
    }
}

/// A word after `--` is not looked up as a sub-command, and nothing else may stand there.
pub(super) fn needs_verb<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let spec = invocation.last();
    if let Some(word) =
        invocation.operands.first().filter(|_| !spec.verbs.is_empty() && spec.operands == Operands::None)
    {
        out.doubt(Why::UnknownCommand, word.text, word.span);
    }
}

/// A jq filter can print the environment, where tokens are kept.
pub(super) fn filters<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    needs_verb(invocation, out);
    asks_usual_host(invocation, out);
    for filter in invocation.options.iter().filter(|seen| seen.name == "q" || seen.name == "--jq") {
        let Some(filter) = filter.value else { continue };
        if reads_environment(filter.text) {
            out.add(Effects::SECRETS);
        }
        if !filter.literal {
            out.doubt(Why::UnclearCode, filter.text, filter.span);
        }
    }
}

/// A repository with a host before it, or an address: the service there is asked, and the credential for it goes along.
pub(super) fn asks_usual_host<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let options = invocation.options.iter().filter(|seen| matches!(seen.name, "R" | "--repo"));
    let mut repositories = options.filter_map(|seen| seen.value);
    let about_repository = invocation.chain.iter().any(|level| level.each_name().any(|name| name == "repo"));
    // A clone is fetched as git fetches it.
    let clones = invocation.last().each_name().any(|name| name == "clone");
    let named = invocation.operands.iter().filter(|_| !clones);
    let mut named = named.filter(|word| about_repository || word.text.contains("//"));
    if repositories.any(|word| is_other_host(word.text)) || named.any(|word| is_other_host(word.text)) {
        out.add(Effects::SENDS_DATA);
    }
}

/// Whether the text names a host, and none of the usual ones: an address, a login, or three parts with a dot in the first.
fn is_other_host(text: &str) -> bool {
    let (address, place) = text.split_once("//").map_or((false, text), |(_, place)| (true, place));
    let login = place.split_once('@').filter(|(name, _)| !name.contains('/'));
    let place = login.map_or(place, |(_, place)| place);
    let host = place.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase();
    let parts = host.contains('.') && !host.starts_with('.') && place.matches('/').count() > 1;
    let usual = |known: &str| host == known || host.strip_suffix(known).is_some_and(|it| it.ends_with('.'));
    (address || login.is_some() || parts) && !usual("github.com") && !usual("gitlab.com")
}

/// Whether `env` or `ENV` stands in the filter other than as a field (`.env`) or part of a word.
fn reads_environment(filter: &str) -> bool {
    let word = |character: char| character.is_alphanumeric() || character == '_';
    let mut before = ' ';
    for part in filter.split_inclusive(|character| !word(character)) {
        let name = part.trim_end_matches(|character| !word(character));
        if name.eq_ignore_ascii_case("env") && before != '.' {
            return true;
        }
        before = part.chars().last().unwrap_or(' ');
    }
    false
}

/// What follows `--` goes to `git clone`.
pub(super) fn clone<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const RUN: &[&str] = &["-u", "-c", "--upload-pack", "--config", "--template", "--upl", "--con", "--tem"];
    let to_git = invocation.words.iter().skip_while(|word| word.known() != Some("--"));
    if to_git.clone().any(|word| RUN.iter().any(|name| word.text.starts_with(name)) || word.may_dash) {
        out.add(Effects::EXECUTES);
    }
    for word in invocation.operands.iter().take(1).filter(|word| word.text.contains("://")) {
        out.fetches(*word);
    }
}

pub(super) fn browse<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    // A page of the repository is shown to the user; nothing but its address goes anywhere.
    if !invocation.has(&["n", "--no-browser"]) {
        out.add(Effects::NETWORK_READ);
    }
}

/// A call of the service's API: the method says whether it asks, and fields without a method mean POST.
pub(super) fn api<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.help {
        return;
    }
    let endpoint = invocation.operands.first().copied();
    if let Some(address) = endpoint.filter(|endpoint| endpoint.text.contains("://")) {
        out.fetches(address);
    }
    // Variables of a project are where its credentials are kept.
    let variables = |text: &str| text.split(['/', '?']).any(|part| part == "variables");
    if invocation.program == "glab" && endpoint.and_then(|it| it.known()).is_some_and(variables) {
        out.add(Effects::SECRETS);
    }
    // The credential for that host goes along.
    let elsewhere = |host: Argument<'_>| !matches!(host.known(), Some("github.com" | "gitlab.com"));
    if invocation.value(&["--hostname"]).is_some_and(elsewhere) {
        out.add(Effects::SENDS_DATA);
    }
    attached_files(invocation, out);
    for header in invocation.options.iter().filter(|seen| seen.name == "H" || seen.name == "--header") {
        let plain = header.value.is_some_and(|value| !value.prefix().to_ascii_lowercase().contains("method"));
        if !plain {
            let value = header.value.unwrap_or_else(|| Argument::literal("", Span::default()));
            out.doubt(Why::UnknownOption, value.text, value.span);
        }
    }
    let carries = invocation.has(&["f", "F", "--field", "--raw-field", "--input", "--form"]);
    let method = invocation.value(&["X", "--method"]);
    let is_graphql = endpoint
        .is_some_and(|endpoint| endpoint.known().is_some_and(|name| name.trim_matches('/') == "graphql"));
    if is_graphql && !invocation.has(&["--input"]) {
        return graphql(invocation, out);
    }
    match method {
        None if carries => changes(out),
        None => {}
        Some(method) => match method.known() {
            Some(name) if name.eq_ignore_ascii_case("GET") || name.eq_ignore_ascii_case("HEAD") => {
                if invocation.has(&["--input"]) {
                    changes(out);
                }
            }
            Some(_) => changes(out),
            None => out.doubt(Why::UnclearCommand, method.text, method.span),
        },
    }
}

fn changes(out: &mut Outcome<'_>) {
    out.effects = out.effects.without(Effects::NETWORK_READ).and(Effects::NETWORK_WRITE);
}

/// `-F name=@file` sends the file.
fn attached_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for field in invocation
        .options
        .iter()
        .filter(|seen| seen.name == "F" || seen.name == "--field" || seen.name == "--form")
    {
        let Some(value) = field.value else { continue };
        let Some(at) = value.prefix().find('=') else {
            if !value.literal {
                out.add(Effects::SENDS_DATA);
            }
            continue;
        };
        let content = value.after(at + 1);
        if content.text.starts_with('@') {
            out.add(Effects::SENDS_DATA);
            out.reads(content.after(1));
        } else if !content.literal && content.prefix().is_empty() {
            // Its first character decides whether it is a text or the name of a file.
            out.add(Effects::SENDS_DATA);
        }
    }
}

/// Without an operation's name the service runs the only operation of the document, so its first word decides.
fn graphql<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let fields =
        invocation.options.iter().filter(|seen| matches!(seen.name, "f" | "F" | "--field" | "--raw-field"));
    let (mut query, mut named) = (None, false);
    for value in fields.filter_map(|seen| seen.value) {
        match value.prefix().split_once('=') {
            Some(("query", text)) if query.is_none() => query = Some((text, value)),
            Some(("query" | "operationName", _)) | None => named = true,
            Some(_) => {}
        }
    }
    let Some((text, value)) = query else {
        let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
        return out.doubt(Why::UnclearCode, "graphql", span);
    };
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .unwrap_or_default();
    let has =
        |word: &str| text.split(|character: char| !character.is_alphanumeric()).any(|part| part == word);
    let asks = first.starts_with('{') || (first.starts_with("query") && !first.starts_with("query_"));
    if first.starts_with("mutation") {
        changes(out);
    } else if !asks || named || has("mutation") || has("subscription") {
        out.doubt(Why::UnclearCode, value.text, value.span);
    }
}

/// An alias that begins with `!` is a line for a shell.
pub(super) fn shell_alias(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if invocation.operands.iter().any(|word| word.prefix().starts_with('!')) {
        out.executes();
    }
}

/// Settings whose value is a program that later commands start.
pub(super) fn program_setting(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let setting = invocation.operands.first().and_then(Argument::known);
    if matches!(setting, None | Some("editor" | "pager" | "browser")) {
        out.executes();
    }
}

/// A variable that is shown by its name may hold a credential.
pub(super) fn variable_shown<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let got = invocation.words.iter().any(|word| word.known() == Some("get"));
    if got && invocation.operands.iter().any(|word| is_telling(word.known())) {
        out.add(Effects::SECRETS);
    }
}

/// Some settings are credentials.
pub(super) fn token_setting<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let plain = |name: &str| !["token", "secret", "password"].iter().any(|word| name.contains(word));
    if !invocation.operands.iter().all(|key| key.known().is_some_and(plain)) {
        out.add(Effects::SECRETS);
    }
}
