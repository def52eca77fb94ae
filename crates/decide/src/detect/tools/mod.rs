//! Tools that speak to agents, people and other programs: what their names and inputs say.

pub(super) mod browsers;
mod documents;
mod secret_tools;
mod statements;
mod tool_words;

use serde_json::Value;

use crate::call::ToolCall;
use crate::detect::{Detector, Finding, code, detectors, remote::addresses, routine::tasks};
use crate::encoding::encode;
use statements::Asked;
use tool_words::Action;

/// Fields whose text is run.
const RUN_FIELDS: &[&str] =
    &["command", "commands", "cmd", "cmdline", "argv", "shell", "script", "exec", "execute"];

/// The words of a tool's own name.
fn words(name: &str) -> Vec<String> {
    tasks::words(name.rsplit("__").next().unwrap_or(name))
}

/// Every text in the input, at any depth.
pub(super) fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                found.push(name);
                texts(field, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text in small letters, with one blank between its words and without remarks.
fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(' ');
        // What a remark for one program hides, another one runs: `/*!50000 DROP */`.
        rest =
            if after.starts_with('!') { after } else { after.split_once("*/").map_or("", |(_, rest)| rest) };
    }
    plain.push_str(rest);
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a tool of another program is not one that only looks.
pub(super) fn unusual(name: &str, call: &ToolCall) -> Option<String> {
    let words = words(name);
    let runs = RUN_FIELDS.iter().any(|field| call.input.get(field).is_some());
    if !runs && (browsers::stays_here(name, call) || tool_words::keeps_thought(&words)) {
        return None;
    }
    let mut given = Vec::new();
    texts(&call.input, &mut given);
    if let Some(word) = acting(&given) {
        return Some(format!("`{name}` is told to change something (`{word}`)"));
    }
    let statements = statements::asked(name, call);
    if let Asked::Unknown(text) = &statements {
        return Some(format!("`{name}` is told something that is not known to look only (`{text}`)"));
    }
    if runs {
        return Some(format!("`{name}` is given something to run"));
    }
    if browsers::strays(name, call) {
        return Some(format!("what `{name}` is told besides is not known to look only"));
    }
    if let Some(field) = further_action(&call.input) {
        return Some(format!("`{name}` is told to do more than look (`{field}`)"));
    }
    let option = |word: &str| word.strip_prefix("--").is_some_and(tool_words::does_more);
    if let Some(word) = given.iter().flat_map(|text| text.split_whitespace()).find(|word| option(word)) {
        return Some(format!("`{name}` is told to do more than look (`{word}`)"));
    }
    if given.iter().flat_map(|text| text.split_whitespace()).any(|word| word.starts_with("--output")) {
        return Some(format!("`{name}` is told to write a file"));
    }
    reaches(name, call, &words, &given).or_else(|| {
        let hands_on = statements::hands_on(&words);
        if statements == Asked::Looks && hands_on {
            return None;
        }
        if statements == Asked::NoStatement && hands_on && words.iter().any(|word| word != "read") {
            return Some(format!("what `{name}` is to run does not show"));
        }
        // Several parts of the name may say which server it is.
        let server = tasks::words(name.rsplit_once("__").map_or("", |(server, _)| server));
        match tool_words::action(&words, &server) {
            Action::Acts(word) => Some(format!("`{name}` can change something elsewhere (`{word}`)")),
            Action::Looks => None,
            Action::Unknown => Some(format!("what `{name}` does is not known")),
        }
    })
}

/// A field that makes a tool do something besides looking: `purge: true`, `operation: "remove"`.
fn further_action(input: &Value) -> Option<&str> {
    const TELLS: &[&str] = &["action", "operation", "op", "verb", "mode", "then"];
    let Value::Object(fields) = input else { return None };
    let found = fields.iter().find(|(name, value)| {
        let unset = matches!(value, Value::Null | Value::Bool(false)) || value.as_str() == Some("");
        let verb = value.as_str().filter(|_| TELLS.contains(&name.to_ascii_lowercase().as_str()));
        let acts = verb.is_some_and(|verb| tasks::words(verb).iter().any(|word| tool_words::acts(word)));
        acts || (!unset && tool_words::does_more(name))
            || sends_on(name, value)
            || names_destination(name, value)
            || further_action(value).is_some()
    });
    found.map(|(name, _)| name.as_str())
}

/// `dest: "https://…"`: what is read goes there.
fn names_destination(field: &str, value: &Value) -> bool {
    const PLACES: &[&str] = words!(
        "dest destination target sink upload export output deliver delivery recipient recipients post push \
         bucket to"
    );
    let mut given = Vec::new();
    texts(value, &mut given);
    let elsewhere = |text: &&str| {
        let text = text.trim();
        let address =
            ["http://", "https://", "ftp://", "sftp://", "s3://", "gs://", "ssh://", "mailto:", "webdav"]
                .iter()
                .any(|scheme| text.to_ascii_lowercase().starts_with(scheme));
        // `Bob <bob@example.com>, ann@example.com`
        let mut words = text.split([' ', ',', ';', '<', '>', '\t', '\n']);
        let mail = words.any(|word| {
            word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        });
        address || mail
    };
    let named = tasks::words(field);
    // `to` and `target` of a range or a page are no addresses.
    named.iter().any(|word| PLACES.contains(&word.as_str())) && given.iter().any(elsewhere)
}

/// `forward: "bob@example.com"`: without an address it is a way to go through pages.
fn sends_on(field: &str, value: &Value) -> bool {
    let mut given = Vec::new();
    texts(value, &mut given);
    let forwards = tasks::words(field).first().is_some_and(|word| word == "forward");
    forwards && (value.is_object() || given.iter().any(|text| text.contains('@')))
}

/// What the tool reaches that is not for everybody to see: other machines, credentials, places that are not public.
fn reaches(name: &str, call: &ToolCall, words: &[String], given: &[&str]) -> Option<String> {
    if call.input.get("url").is_some()
        && let Some(sends) = addresses::sends_with(call)
    {
        return Some(format!("`{name}` is told to reach another machine, and {sends}"));
    }
    let file =
        |text: &&str| !text.contains(char::is_whitespace) && portcullis_shell::is_secret_path(text, true);
    if secret_tools::shows(name, words, &call.input, given)
        || given.iter().any(|text| text.contains(['/', '\\']) && file(text))
    {
        return Some(format!("`{name}` can show credentials"));
    }
    let near = |url: &str| !url.is_empty() && !crate::web::host(url).is_public();
    let addresses = ["url", "uri", "endpoint", "href"].iter().filter_map(|field| call.text(field));
    let spelled = given.iter().copied().filter(|text| {
        let lower = text.trim_start().to_ascii_lowercase();
        lower.starts_with("http:") || lower.starts_with("https:")
    });
    addresses
        .chain(spelled)
        .any(near)
        .then(|| format!("`{name}` is told to reach a place that is not public"))
}

/// A word in what the tool is given that changes something: what a query says counts more than that it is called one.
fn acting(given: &[&str]) -> Option<String> {
    const PHRASES: &[&str] =
        phrases!("delete from|drop |truncate |insert into|update |alter |mutation|grant |exec |xp_cmdshell");
    const METHODS: &[&str] = &["delete", "post", "put", "patch"];
    given.iter().find_map(|text| {
        let text = folded(text);
        let phrase =
            PHRASES.iter().find(|phrase| text.contains(**phrase)).map(|phrase| phrase.trim().to_owned());
        let method = METHODS.iter().find(|method| text == **method).map(|method| (*method).to_owned());
        phrase.or(method)
    })
}

/// Words in the name of a tool, whether another word must say that it acts, and what it does then.
type Named = (&'static [&'static str], bool, &'static Detector);

/// What tools do by their names; the first entry counts.
static NAMED: &[Named] = &[
    (
        &["book", "buy", "pay", "order", "purchase", "transfer", "charge", "refund"],
        false,
        &detectors::PAYMENT_TOOL,
    ),
    (&["deploy", "deployment", "rollback", "promote", "release"], true, &detectors::DEPLOY_TOOL),
    (
        &["permission", "permissions", "share", "grant", "role", "invite", "member"],
        true,
        &detectors::GRANT_ACCESS_TOOL,
    ),
    (&["delete", "remove", "drop", "purge"], false, &detectors::DELETE_TOOL),
    (&["send", "post", "comment", "reply", "publish", "tweet", "email"], false, &detectors::MESSAGE_TOOL),
];

/// The harm that an MCP tool's name shows.
pub(super) fn of_name(name: &str, call: &ToolCall) -> Vec<Finding> {
    let words = words(name);
    let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let acts = words.iter().any(|word| tool_words::acts(word));
    let named = NAMED.iter().find(|(known, must_act, _)| says(known) && (acts || !must_act));
    let mut found: Vec<Finding> =
        named.map(|(_, _, detector)| Finding::by(detector).about(name)).into_iter().collect();
    let text = encode(call).unwrap_or_default();
    found.extend(code::signs(&text, "").into_iter().map(code::Sign::finding).map(Finding::doubtful));
    found
}
