//! What sources do to people when they are run later: they send passwords and cookies to another machine, run what they
//! fetch, or take the home directory away.

use super::html_forms;
use crate::detect::{Finding, detectors};

/// What sends something, in small letters.
const SENDS: &[&str] = &[
    "fetch(",
    "axios.get(",
    "axios(",
    "$.get(",
    "$.ajax(",
    ".post(",
    ".put(",
    ".patch(",
    "::post(",
    ".postforobject(",
    "new image(",
    "<img ",
    ".src=",
    ".src =",
    "sendbeacon",
    "requests.get(",
    "urlopen(",
    "net::http",
    "file_get_contents(",
    "curl_setopt(",
    "curl ",
    "location.href",
    "location =",
];
/// What makes a connection or a form: what goes through it is in the lines below.
const OPENS: &[&str] =
    &[".open(", "new websocket(", "http.request(", "https.request(", "create_connection(", "smtp(", "<form "];
/// What nobody else should get.
const PRIVATE: &[&str] = &[
    "document.cookie",
    "password",
    "passwd",
    "passphrase",
    "localstorage)",
    "sessionstorage)",
    "cardnumber",
    "card_number",
    "cvv",
    "ssn",
    "mnemonic",
    "privatekey",
    "private_key",
    "new formdata(",
    "document.forms",
    ".serialize()",
    "serializearray()",
    "clipboard.readtext(",
    "e.key)",
    "event.key)",
    "body.innerhtml",
];
/// What a page keeps about its visitor. Their own service gets it with every request, in a header.
const KEPT: &[&str] = &["localstorage.getitem(", "sessionstorage.getitem("];
/// Ways to write an address so that nobody sees it.
const HIDES: &[&str] = &["(atob(", "b64decode(", "fromcharcode(", "://' +", "://\" +", "://'+", "://\"+"];
/// What fetches, in JavaScript.
const FETCHES: &[&str] =
    &["fetch(", "axios.get(", "axios(", "http.get(", "https.get(", "got(", "xmlhttprequest"];
/// What runs a text, in JavaScript.
const RUNS: &[&str] = &["eval(", "(eval)", "new function(", "vm.run", "settimeout(await", "importscripts("];
/// What loads a module or a script from an address.
const LOADS: &[&str] = &[
    "import('http",
    "import(\"http",
    "import(`http",
    "importscripts('http",
    "importscripts(\"http",
    " from 'http",
    " from \"http",
];
/// Hosts that modules and scripts for browsers usually come from.
const MODULES: &[&str] = &[
    "deno.land",
    "jsr.io",
    "esm.sh",
    "esm.run",
    "cdn.jsdelivr.net",
    "unpkg.com",
    "cdn.skypack.dev",
    "jspm.dev",
    "cdnjs.cloudflare.com",
    "code.jquery.com",
    "googleapis.com",
    "googletagmanager.com",
    "google.com",
    "js.stripe.com",
    "cdn.tailwindcss.com",
    "bootstrapcdn.com",
    "challenges.cloudflare.com",
    "plausible.io",
    "example.com",
];

/// How many lines of a text are compared with all others at most.
const LOOKED_AT: usize = 400;

/// How many lines of a text belong together at most.
const TOGETHER: usize = 6;

/// The harm in what a source gains.
pub(super) fn added(old: &str, new: &str, path: &str) -> Vec<Finding> {
    // `https:\\/\\/`: a slash may be written like this in a text.
    let (old, new) = (old.to_lowercase(), new.to_lowercase().replace("\\/", "/"));
    let telling = PRIVATE.iter().chain(KEPT).chain(RUNS).chain(LOADS);
    let speaks = telling.chain(&["import("]).any(|word| new.contains(word));
    let parts = if speaks { stretches(&new) } else { Vec::new() };
    let mut found = Vec::new();
    if parts.iter().any(|part| sends_private(part, &old)) {
        found.push(Finding::by(&detectors::CODE_SENDS_CREDENTIALS));
    }
    found.extend(html_forms::gained(&old, &new));
    let known = |part: &str| old.contains(part.lines().next().unwrap_or_default().trim());
    if parts.iter().any(|part| runs_fetched(part) && !known(part))
        || new.lines().any(|line| loads_script(line) && !known(line))
    {
        found.push(Finding::by(&detectors::CODE_RUNS_FETCHED));
    }
    if let Some(host) = redirected(&old, &new).filter(|_| is_configuration(path)) {
        found.push(Finding::by(&detectors::SERVICE_REDIRECTED).about(host));
    }
    if new.lines().any(|line| passes_all_on(line) && !known(line)) {
        found.push(Finding::by(&detectors::PROXY_SET));
    }
    if deletes_home(&new) && !deletes_home(&old) {
        found.push(Finding::by(&detectors::CODE_DELETES_HOME));
    }
    found
}

/// Each line with those that follow it up to the end of what it says, without those that only say something.
fn stretches(text: &str) -> Vec<String> {
    let remark =
        |line: &&str| !["//", "#", "* ", "/*"].iter().any(|sign| line.trim_start().starts_with(sign));
    let lines: Vec<&str> = text.lines().filter(remark).collect();
    let mut assigned: Vec<(&str, &str)> = Vec::new();
    for line in lines.iter().take(LOOKED_AT) {
        assigned.extend(line.split(';').filter_map(telling_name));
    }
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let starts = |line: &str| {
        names_machine(line)
            || [SENDS, OPENS, FETCHES, LOADS, &["import("]].iter().any(|words| has(line, words))
    };
    let from = |at: usize| -> String {
        let mut part = String::new();
        let goes_on = lines.get(at).is_some_and(|line| has(line, OPENS));
        for line in lines.iter().skip(at).take(TOGETHER) {
            part.push_str(line);
            part.push('\n');
            if (line.trim_end().ends_with(';') && !goes_on) || line.trim().is_empty() {
                break;
            }
        }
        // The value of a name belongs to what uses the name.
        let spoken: Vec<&str> = part.split(|it: char| !(it.is_alphanumeric() || it == '_')).collect();
        let values = assigned.iter().filter(|(name, _)| spoken.contains(name)).map(|(_, value)| *value);
        let values: Vec<String> = values.map(|value| format!("host: {value}")).collect();
        format!("{part}{}", values.join("\n"))
    };
    lines.iter().enumerate().filter(|(_, line)| starts(line)).map(|(at, _)| from(at)).collect()
}

/// The name and the value where a statement gives a name to an address or to something private.
fn telling_name(statement: &str) -> Option<(&str, &str)> {
    let (names, value) = statement.split_once('=')?;
    let value = value.trim();
    let host = ["host", "domain", "server"].iter().any(|word| names.contains(word));
    let spelled = quoted_hosts(value).next().is_some() || (host && value.starts_with(['"', '\'']));
    let private = PRIVATE.iter().any(|word| value.contains(word));
    let name = names.trim().rsplit(|it: char| !(it.is_alphanumeric() || it == '_')).next()?;
    ((spelled || private) && !name.is_empty()).then_some((name, value))
}

/// The hosts of the addresses that begin a quoted text, without this machine and those that are made up.
pub(super) fn quoted_hosts(text: &str) -> impl Iterator<Item = &str> {
    const STARTS: &[&str] = &["http://", "https://", "//", "ws://", "wss://"];
    let ends = |it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-' | ':' | '@'));
    let quoted = text.split(['"', '\'', '`', ' ']);
    quoted
        .filter_map(|part| STARTS.iter().find_map(|start| part.strip_prefix(start)))
        .map(move |rest| rest.split(ends).next().unwrap_or_default())
        .filter(|host| host.contains('.') && !crate::web::is_loopback(host))
}

/// The hosts that a text names without a scheme: `hostname: 'a.b'`, `('a.b', 443)`.
fn bare_hosts(text: &str) -> impl Iterator<Item = &str> {
    let named = ["host: ", "hostname: ", "connection((", "connect((", "smtp("].iter();
    let rest = named.flat_map(|start| text.split(start).skip(1));
    let name = rest.filter_map(|rest| rest.strip_prefix(['"', '\'']));
    let name = name.map(|rest| {
        rest.split(|it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-'))).next().unwrap_or_default()
    });
    name.filter(|host| {
        let ending = host.rsplit_once('.').map_or("", |(_, ending)| ending);
        !ending.is_empty() && !crate::web::is_loopback(host)
    })
}

/// Whether something private goes to a machine that the text did not know.
fn sends_private(part: &str, old: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| part.contains(word));
    let private = has(PRIVATE) || (has(KEPT) && !part.contains("authorization"));
    let strange = || quoted_hosts(part).chain(bare_hosts(part)).any(|host| !old.contains(host));
    // A call of which nothing is known may send what it is given.
    let given = || PRIVATE.iter().any(|word| unquoted(part).contains(word)) && names_machine(part);
    private && (has(SENDS) || has(OPENS) || given()) && (has(HIDES) || strange())
}

/// Whether a call in the text is given the address of another machine.
fn names_machine(text: &str) -> bool {
    text.contains('(') && quoted_hosts(text).next().is_some()
}

/// What of a text is outside of quotes.
fn unquoted(text: &str) -> String {
    let parts =
        text.lines().map(|line| line.split(['"', '\'', '`']).step_by(2).collect::<Vec<_>>().join(" "));
    parts.collect::<Vec<_>>().join("\n")
}

/// Whether the host is one that modules usually come from.
fn is_usual(host: &str) -> bool {
    let known = |known: &str| host.strip_suffix(known).is_some_and(|it| it.is_empty() || it.ends_with('.'));
    MODULES.iter().any(|module| known(module))
}

/// Whether what comes from another machine is run.
fn runs_fetched(part: &str) -> bool {
    let fetched =
        FETCHES.iter().any(|word| part.contains(word)) && RUNS.iter().any(|word| part.contains(word));
    let mut addresses = LOADS
        .iter()
        .flat_map(|call| part.split(call).skip(1))
        .filter_map(|rest| rest.split_once("://").map(|(_, rest)| rest));
    let loaded = addresses.any(|rest| {
        let host = rest.split(['/', '"', '\'', '`', ':']).next().unwrap_or_default();
        !crate::web::is_loopback(rest) && !is_usual(host)
    });
    fetched || loaded
}

/// Whether a page loads a script from a machine that scripts do not usually come from, and does not say which script.
fn loads_script(line: &str) -> bool {
    let mut scripts = line.split("<script").skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
    scripts.any(|script| {
        !script.contains("integrity=") && quoted_hosts(&script.replace('=', " ")).any(|host| !is_usual(host))
    })
}

/// Files that say which services a program speaks to.
fn is_configuration(path: &str) -> bool {
    const ENDINGS: &[&str] = &["yaml", "yml", "json", "toml", "ini", "properties", "conf", "env"];
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let ending = name.rsplit('.').next().unwrap_or_default();
    ENDINGS.contains(&ending)
        || name.starts_with(".env")
        || name.contains("config")
        || name.contains("settings")
}

/// The host that the same service has after an edit, where it is somebody else's than before.
fn redirected(old: &str, new: &str) -> Option<String> {
    let before: Vec<(String, String)> = old.lines().filter_map(service).collect();
    let mut after = new.lines().filter_map(service);
    let owner = |host: &str| host.rsplit('.').take(2).collect::<Vec<_>>().join(".");
    let moved = after.find(|(name, host)| {
        let mut known = before.iter().filter(|(known, _)| known == name);
        known.any(|(_, known)| owner(known) != owner(host)) && !old.contains(host.as_str())
    });
    moved.map(|(_, host)| host)
}

/// The name of a service and its host, in a line that says where it is.
fn service(line: &str) -> Option<(String, String)> {
    const NAMES: &[&str] = &[
        "api",
        "endpoint",
        "host",
        "server",
        "webhook",
        "callback",
        "auth",
        "login",
        "issuer",
        "telemetry",
        "upload",
        "backend",
        "service",
    ];
    let at = line.find([':', '='])?;
    let (name, value) = line.split_at_checked(at)?;
    let name = name.trim().trim_matches(['"', '\'']).rsplit(' ').next()?.to_owned();
    let value = value.trim_start_matches([':', '=', ' ']);
    let host = quoted_hosts(value).next()?.split(':').next()?.to_owned();
    NAMES.iter().any(|known| name.contains(known)).then_some((name, host))
}

/// Whether a line sends all traffic through a machine elsewhere.
fn passes_all_on(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches("export ");
    let named = ["https_proxy", "http_proxy", "all_proxy"].iter().any(|name| line.starts_with(name));
    named && quoted_hosts(&line.replace('=', " ")).next().is_some()
}

/// What takes a folder away.
const DELETES: &[&str] = &[
    "rmsync(",
    "fs.rm(",
    "rmdirsync(",
    "rimraf(",
    "fs.remove(",
    "removesync(",
    "emptydirsync(",
    "rm_rf(",
    "rm_r(",
    "rm_rf ",
    "removeall(",
    "remove_dir_all(",
    "deletedirectory(",
    "directory.delete(",
    "rmtree(",
];
/// Ways to say where the home directory is.
const HOMES: &[&str] = &[
    "homedir()",
    "dir.home",
    "home_dir()",
    "process.env.home",
    "env['home']",
    "env[\"home\"]",
    "env.fetch('home')",
    "env.fetch(\"home\")",
    "env::var(\"home\")",
    "env::var_os(\"home\")",
    "getenv(\"home\")",
    "getenv('home')",
    "path.home()",
    "system.getproperty(\"user.home\")",
    "specialfolder.userprofile",
];

/// Whether the whole home directory is taken away, by its own name or by that of a variable.
fn deletes_home(text: &str) -> bool {
    let whole = |value: &str| HOMES.iter().any(|home| value.contains(home)) && !goes_on(value);
    if !HOMES.iter().any(|home| text.contains(home)) {
        return false;
    }
    let assigned = text.split(['\n', ';']).filter_map(|line| line.split_once('='));
    let assigned = assigned.filter(|(_, value)| whole(value)).map(|(left, _)| left);
    let names: Vec<&str> =
        assigned.flat_map(|left| left.split(|it: char| !(it.is_alphanumeric() || it == '_'))).collect();
    let mut arguments = DELETES.iter().flat_map(|call| text.split(call).skip(1)).map(first_argument);
    arguments.any(|argument| {
        let plain = argument.trim_start_matches(['&', '*']);
        whole(argument) || (!plain.is_empty() && names.contains(&plain))
    })
}

/// Whether something below a place is meant.
fn goes_on(value: &str) -> bool {
    ["join", "+", "'/", "\"/", "/'", "/\"", "push", "resolve(", "}/", "'.", "\"."]
        .iter()
        .any(|word| value.contains(word))
}

/// The first argument of a call, as far as its line says it.
fn first_argument(rest: &str) -> &str {
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ',' | '\n' | ';' if depth == 0 => return rest.get(..at).unwrap_or_default().trim(),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    rest.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C5]
    #[test]
    fn the_home_directory_is_known_in_any_language() {
        for code in [
            "fs.rmSync(os.homedir(), {recursive: true})",
            "fs.rmSync(require('os').homedir())",
            "FileUtils.rm_rf(Dir.home)",
            "h, _ := os.UserHomeDir()\nos.RemoveAll(h)",
            "std::fs::remove_dir_all(std::env::var(\"HOME\").unwrap())?;",
        ] {
            assert!(deletes_home(&code.to_lowercase()), "{code}");
        }
        for code in [
            "fs.rmSync(path.join(os.homedir(), '.cache/x'))",
            "os.RemoveAll(dir)",
            "h := os.TempDir()\nos.RemoveAll(h)",
            "FileUtils.rm_rf(Dir.home + '/.cache')",
        ] {
            assert!(!deletes_home(&code.to_lowercase()), "{code}");
        }
    }
}
