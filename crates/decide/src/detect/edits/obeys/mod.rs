//! Code that does what somebody elsewhere sends: a handler of a web service that hands its input to a shell, a program
//! that reads its orders from a socket. Names that get what is sent are followed through the text.

mod words;

use crate::detect::{Finding, detectors};
use words::{
    CONNECTIONS, FETCHES, GIVEN, KEYWORDS, MARKED, MARKS, QUOTES, READS, RUNNERS, RUNS, SENT, SHELLS, STARTS,
};

/// How far behind its name a call is read at most.
const FAR: usize = 240;

/// The finding where an edit adds code that does what somebody sends.
pub(super) fn gained(old: &str, new: &str, path: &str) -> Option<Finding> {
    if !is_obedient(new, path) || is_obedient(old, path) {
        return None;
    }
    Some(Finding::by(&detectors::RUNS_REMOTE_INPUT))
}

/// Whether code runs what it is sent from elsewhere.
pub(in crate::detect) fn is_obedient(text: &str, path: &str) -> bool {
    let text = text.to_lowercase();
    let run = run_texts(&text, path);
    let terminal = hands_out_terminal(&text);
    if run.is_empty() {
        return terminal;
    }
    let connected = CONNECTIONS.iter().any(|word| text.contains(word));
    let names = names_of_sent(&text, connected);
    let sent = |part: &str| {
        is_sent(part, connected)
            || words(part).any(|word| names.iter().any(|name| name == word))
            || (part.contains("$_") && connected)
    };
    terminal || run.iter().any(|part| sent(part) && !QUOTES.iter().any(|quote| part.contains(quote)))
}

fn is_sent(part: &str, connected: bool) -> bool {
    SENT.iter().chain(FETCHES).any(|word| part.contains(word))
        || (connected && READS.iter().any(|word| part.contains(word)))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_')).filter(|word| !word.is_empty())
}

/// The texts that the code gives to calls that run them.
fn run_texts<'t>(text: &'t str, path: &str) -> Vec<&'t str> {
    let behind = |at: usize| text.get(at..).map(|rest| cut(rest, FAR));
    let mut found: Vec<&str> = Vec::new();
    for name in RUNS {
        for (at, _) in text.match_indices(name) {
            let before = text.get(..at).unwrap_or_default();
            let own = !before.ends_with("->")
                && !before.ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '$'));
            let known = RUNNERS.iter().any(|runner| before.ends_with(runner));
            let made = *name != "function(" || before.ends_with("new ");
            if (own || known) && made {
                found.extend(behind(at + name.len()).map(call));
            }
        }
    }
    for name in STARTS {
        let starts = text.match_indices(name).filter_map(|(at, _)| behind(at + name.len()));
        // What a chain of calls gives to the program is behind the first bracket.
        let whole = starts.map(|rest| rest.split([';', '\n']).next().unwrap_or_default());
        found.extend(whole.filter(|part| SHELLS.iter().any(|shell| part.contains(shell))));
    }
    if text.contains("$`") && ["bun", "zx", "execa"].iter().any(|word| text.contains(word)) {
        found.extend(text.split("$`").skip(1).filter_map(|rest| rest.split('`').next()));
    }
    let ending = path.rsplit('.').next().unwrap_or_default();
    if matches!(ending, "rb" | "rake" | "ru" | "php" | "pl" | "pm" | "cgi") {
        found.extend(text.split('`').skip(1).step_by(2));
    }
    found
}

fn cut(text: &str, far: usize) -> &str {
    let end = (far..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// What is between the brackets of a call; they open right before the text.
fn call(rest: &str) -> &str {
    let mut depth = 1_i32;
    let end = rest.find(|it: char| {
        depth += i32::from("([{".contains(it)) - i32::from(")]}".contains(it));
        depth == 0
    });
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// The names that get what somebody sends: parameters of handlers, and what is made of it.
fn names_of_sent(text: &str, connected: bool) -> Vec<String> {
    let mut names = handler_names(text);
    if connected {
        let heard =
            [".on('", ".on(\""].iter().flat_map(|start| text.split(start).skip(1)).filter_map(callback);
        let listening = text.split("def on_message(").skip(1).map(call);
        names.extend(heard.chain(listening).flat_map(words).map(str::to_owned));
    }
    // Twice: a name may get what another name got.
    for _ in 0..2 {
        names.sort_unstable();
        names.dedup();
        let known = |word: &str| names.binary_search_by(|name| name.as_str().cmp(word)).is_ok();
        let given = text.split([';', '\n', '{']).filter_map(assigned);
        let given = given.filter(|(_, right)| {
            is_sent(right, connected) || words(right).any(known) || (connected && is_connection(right))
        });
        let fresh = given.flat_map(|(left, _)| words(left)).filter(|word| !KEYWORDS.contains(word));
        let fresh: Vec<String> = fresh.chain(taken_apart(text, connected)).map(str::to_owned).collect();
        names.extend(fresh);
    }
    names.retain(|name| {
        !matches!(name.as_str(), "res" | "response" | "w" | "next" | "str" | "self" | "conn" | "ctx")
    });
    names
}

/// Whether a loop goes over what comes through a connection: `async for msg in ws:`.
fn is_connection(right: &str) -> bool {
    matches!(
        right.trim().trim_end_matches(':'),
        "ws" | "websocket" | "socket" | "sock" | "conn" | "client" | "reader" | "connection"
    )
}

/// `const { cmd } = await req.json()`
fn taken_apart(text: &str, connected: bool) -> impl Iterator<Item = &str> {
    let parts = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let sent = parts.filter(move |(inner, after)| {
        let right = after.trim_start().strip_prefix('=').filter(|right| !right.starts_with(['=', '>']));
        let right = right.map(|right| right.split([';', '\n']).next().unwrap_or_default());
        inner.len() < FAR && right.is_some_and(|right| is_sent(right, connected))
    });
    sent.flat_map(|(inner, _)| words(inner))
}

/// The two sides of a statement that gives a name to something: `c := x`, `for l in x`.
fn assigned(statement: &str) -> Option<(&str, &str)> {
    let loops = statement.trim_start().strip_prefix("async ").unwrap_or(statement.trim_start());
    if let Some((left, right)) = loops.strip_prefix("for ").and_then(|rest| rest.split_once(" in ")) {
        return Some((left, right));
    }
    let at = statement.find('=')?;
    let (left, right) = statement.split_at_checked(at)?;
    let compares = right.starts_with("==") || right.starts_with("=>") || left.ends_with(['!', '<', '>']);
    let left = left.trim_end_matches(':').split([':', '(']).next_back().filter(|_| !compares)?;
    (left.len() < 80).then_some((left, right.get(1..)?))
}

/// The parameters of handlers.
fn handler_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for mark in MARKS {
        let below = text.split(mark).skip(1).filter_map(|rest| cut(rest, FAR).split_once("def "));
        let listed = below.filter_map(|(_, rest)| rest.split_once('(')).map(|(_, rest)| call(rest));
        // What is not of the request is made by a dependency.
        let own = listed.flat_map(|list| list.split(',')).filter(|parameter| !parameter.contains("depends("));
        names.extend(own.filter_map(|parameter| words(parameter).next()).map(str::to_owned));
    }
    let given = GIVEN.iter().flat_map(|start| text.split(start).skip(1)).filter_map(callback);
    names.extend(given.flat_map(words).map(str::to_owned));
    for mark in MARKED {
        let parameters = text.split(mark).skip(1).map(|rest| {
            let rest = rest
                .strip_prefix('(')
                .map_or(rest, |rest| rest.split_once(')').map_or(rest, |(_, rest)| rest));
            rest.split([',', ')', '{']).next().unwrap_or_default()
        });
        names.extend(parameters.filter_map(|parameter| words(parameter).last()).map(str::to_owned));
    }
    names.extend(typed_parameters(text));
    names
}

/// The parameters of the function that a call is given, right behind the name of the call.
fn callback(rest: &str) -> Option<&str> {
    let near = cut(rest, FAR);
    let arrow = near.find("=>").unwrap_or(near.len());
    if let Some(at) = near.find("function").filter(|at| *at < arrow) {
        let (_, list) = near.get(at..)?.split_once('(')?;
        return Some(call(list));
    }
    let before = near.get(..arrow).filter(|_| arrow < near.len())?.trim_end();
    match before.strip_suffix(')') {
        Some(inner) => inner.rsplit('(').next(),
        None => before.rsplit([',', ' ', '(']).find(|word| !word.is_empty()),
    }
}

/// `Query(q): Query<Q>`, `body: String` of a handler that is routed, `%{"cmd" => cmd}` of a controller.
fn typed_parameters(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    if ["router::new", "axum", "actix", "rocket", "#[get(", "#[post("].iter().any(|word| text.contains(word))
        || text.contains(": query<")
    {
        let lists =
            text.split("fn ").skip(1).filter_map(|rest| rest.split_once('(')).map(|(_, rest)| call(rest));
        let own = lists.flat_map(|list| list.split(','));
        let own = own.filter(|it| {
            [": query<", ": json<", ": path<", ": form<", ": string", ": bytes", ": web::"]
                .iter()
                .any(|kind| it.contains(kind))
        });
        let before = own.filter_map(|parameter| parameter.split(':').next());
        names.extend(before.flat_map(words).map(str::to_owned));
    }
    let controllers = text.split("(conn, %{").skip(1).filter_map(|rest| rest.split('}').next());
    names.extend(
        controllers
            .flat_map(|inner| inner.split(','))
            .filter_map(|pair| words(pair).last())
            .map(str::to_owned),
    );
    let minimal = ["mapget(\"", "mappost(\""].iter().flat_map(|start| text.split(start).skip(1));
    let lists = minimal.filter_map(|rest| rest.split_once('(')).map(|(_, rest)| call(rest));
    names.extend(lists.flat_map(|list| list.split(',')).filter_map(|it| words(it).last()).map(str::to_owned));
    names
}

/// Whether a terminal is handed to whoever connects.
fn hands_out_terminal(text: &str) -> bool {
    let terminal = ["pty.spawn(", "node-pty", "pty.start(", "ptyprocess", "portable_pty"]
        .iter()
        .any(|word| text.contains(word));
    let writes = [".write(", "io.copy(", ".send("].iter().any(|word| text.contains(word));
    let reached = ["'ws'", "\"ws\"", "websocket", "createserver(", "net.listen", "socket.io"]
        .iter()
        .any(|word| text.contains(word));
    terminal && writes && reached
}
