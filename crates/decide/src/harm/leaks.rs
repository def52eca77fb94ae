//! What sources do to people when they are run later: they send passwords and cookies to another machine, run what they
//! fetch, or take the home directory away.

use super::{Category, Finding};

/// What sends something, in small letters.
const SENDS: &[&str] = &[
    "fetch(",
    "axios.post(",
    "axios.get(",
    "axios(",
    "$.post(",
    "$.get(",
    "$.ajax(",
    "new image(",
    ".src=",
    ".src =",
    "sendbeacon(",
    "xmlhttprequest",
    "requests.post(",
    "requests.get(",
    "httpx.post(",
    "http.post(",
    "got.post(",
    "urlopen(",
    "net::http",
    "file_get_contents(",
    "curl_setopt(",
    "location.href",
    "new websocket(",
];
/// What nobody else should get.
const PRIVATE: &[&str] = &["document.cookie", "password", "passwd", "localstorage)", "sessionstorage)"];
/// What fetches, in JavaScript.
const FETCHES: &[&str] =
    &["fetch(", "axios.get(", "axios(", "http.get(", "https.get(", "got(", "xmlhttprequest"];
/// What runs a text, in JavaScript.
const RUNS: &[&str] = &["eval(", "(eval)", "new function(", "vm.run", "settimeout(await", "importscripts("];
/// Hosts that modules for browsers usually come from.
const MODULES: &[&str] = &[
    "deno.land",
    "jsr.io",
    "esm.sh",
    "esm.run",
    "cdn.jsdelivr.net",
    "unpkg.com",
    "cdn.skypack.dev",
    "jspm.dev",
];

/// How many lines of a text are compared with all others at most.
const LOOKED_AT: usize = 400;

/// How many lines of a text belong together at most.
const TOGETHER: usize = 6;

/// The harm in what a source gains.
pub(super) fn added(old: &str, new: &str) -> Vec<Finding> {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let speaks = PRIVATE.iter().chain(RUNS).chain(&["import("]).any(|word| new.contains(word));
    let parts = if speaks { stretches(&new) } else { Vec::new() };
    let mut found = Vec::new();
    if parts.iter().any(|part| sends_private(part, &old)) {
        let what = "it sends passwords or cookies to another machine";
        found.push(Finding::new(Category::Exfiltration, what).doubtful());
    }
    if parts
        .iter()
        .any(|part| runs_fetched(part) && !old.contains(part.lines().next().unwrap_or_default().trim()))
    {
        found.push(Finding::new(Category::RunDownloadedCode, "it runs what it fetches").doubtful());
    }
    if deletes_home(&new) && !deletes_home(&old) {
        found.push(
            Finding::new(Category::LocalDestruction, "it deletes the home directory").hard().doubtful(),
        );
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
        assigned.extend(line.split(';').filter_map(address_of));
    }
    let starts = |line: &str| SENDS.iter().chain(FETCHES).chain(&["import("]).any(|word| line.contains(word));
    let from = |at: usize| -> String {
        let mut part = String::new();
        for line in lines.iter().skip(at).take(TOGETHER) {
            part.push_str(line);
            part.push('\n');
            if line.trim_end().ends_with(';') || line.trim().is_empty() {
                break;
            }
        }
        // What a name stands for belongs to the call that it is given to.
        let calls = SENDS.iter().chain(FETCHES).filter(|call| call.ends_with('('));
        let given: Vec<&str> = calls.flat_map(|call| part.split(call).skip(1)).map(first_argument).collect();
        let values = assigned.iter().filter(|(name, _)| given.contains(name)).map(|(_, value)| *value);
        let values: Vec<&str> = values.collect();
        format!("{part}{}", values.join("\n"))
    };
    lines.iter().enumerate().filter(|(_, line)| starts(line)).map(|(at, _)| from(at)).collect()
}

/// The name and the value where a statement gives a name to an address.
fn address_of(statement: &str) -> Option<(&str, &str)> {
    let (names, value) = statement.split_once('=')?;
    let value = value.trim();
    let spelled = value.trim_start_matches(['"', '\'', '`']).starts_with("http");
    let name = names.trim().rsplit(|it: char| !(it.is_alphanumeric() || it == '_')).next()?;
    (spelled && !name.is_empty()).then_some((name, value))
}

/// The hosts of the addresses that a text spells out, without this machine and those that are made up.
fn hosts(text: &str) -> impl Iterator<Item = &str> {
    let addresses = text
        .split("http")
        .skip(1)
        .filter_map(|rest| rest.strip_prefix("://").or_else(|| rest.strip_prefix("s://")));
    let ends = |it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-' | ':' | '@'));
    addresses
        .map(move |rest| rest.split(ends).next().unwrap_or_default())
        .filter(|host| host.contains('.') && !crate::web::is_loopback(host))
}

/// Whether something private goes to a machine that the text did not know.
fn sends_private(part: &str, old: &str) -> bool {
    SENDS.iter().any(|word| part.contains(word))
        && PRIVATE.iter().any(|word| part.contains(word))
        && hosts(part).any(|host| !old.contains(host))
}

/// Whether what comes from another machine is run.
fn runs_fetched(part: &str) -> bool {
    let fetched =
        FETCHES.iter().any(|word| part.contains(word)) && RUNS.iter().any(|word| part.contains(word));
    let loaded =
        ["import('http", "import(\"http", "import(`http", "importscripts('http", "importscripts(\"http"]
            .iter()
            .flat_map(|call| part.split(call).skip(1))
            .filter_map(|rest| rest.split_once("://").map(|(_, rest)| rest))
            .any(|rest| {
                let host = rest.split(['/', '"', '\'', '`', ':']).next().unwrap_or_default();
                let known = |known: &str| {
                    host.strip_suffix(known).is_some_and(|it| it.is_empty() || it.ends_with('.'))
                };
                !crate::web::is_loopback(rest) && !MODULES.iter().any(|module| known(module))
            });
    fetched || loaded
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
