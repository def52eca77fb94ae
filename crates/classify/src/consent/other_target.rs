//! Whether a sentence speaks of another place than the command goes to (SPEC C17): another machine, another namespace,
//! another region. A command that does not tell where it goes may go anywhere.

use portcullis_shell::Command;

use super::target::{is_filler, phrase};
use super::words::names;

/// Places that every such command is in, and places that are graver than any other.
const IDLE: &[&str] = &[
    "cluster",
    "namespace",
    "context",
    "kubernetes",
    "k8s",
    "cloud",
    "aws",
    "azure",
    "registry",
    "npm",
    "pypi",
    "crates.io",
    "github",
    "gitlab",
    "repo",
    "repository",
    "project",
    "production",
    "prod",
];

/// Words before a place that is where one is.
const OWN: &[&str] = &["this", "my", "localhost", "here"];

/// Whether something is to be done in a place that the command does not name.
pub(super) fn is_elsewhere(said: &str, command: &Command) -> bool {
    let line = words_of(command);
    let own = |word: &&str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        is_filler(word) || IDLE.contains(word) || names(&line, word) || names(&line, one)
    };
    [" on ", " at ", " in ", " inside ", " over "].iter().any(|before| {
        let places = said.match_indices(before).filter_map(|(at, _)| said.get(at + before.len()..));
        places.map(phrase).any(|place| {
            let here = place.first().is_some_and(|word| OWN.contains(word));
            !here && !place.iter().all(own)
        })
    })
}

/// Whether a namespace or a context is named that does not stand in the command, or a region, an account or an index of
/// packages.
pub(super) fn is_other_scope(said: &str, command: &Command) -> bool {
    let line = words_of(command);
    let words: Vec<&str> = said
        .split_whitespace()
        .map(|word| word.trim_matches(|it: char| "\"'`,;:.!?()".contains(it)))
        .filter(|word| !word.is_empty())
        .collect();
    let numbered = |word: &&str| is_region(word) || is_account(word);
    let cluster = matches!(command.program.as_deref(), Some("kubectl" | "oc" | "helm"));
    let mut scopes = words.windows(2).filter_map(|pair| {
        let [kind, name] = pair else { return None };
        matches!(*kind, "namespace" | "context").then_some(*name)
    });
    let named = |name: &str| name.contains(|it: char| it.is_alphanumeric()) && !is_filler(name);
    words.iter().filter(|word| numbered(word)).any(|word| !line.contains(word))
        || is_other_index(&words, &line)
        || (cluster && scopes.any(|name| named(name) && !FOLLOWING.contains(&name) && !names(&line, name)))
}

/// Where packages go that are not for everybody, or only tried.
const INDEXES: &[&str] = &["testpypi", "verdaccio", "artifactory", "nexus"];

/// The same in people's words: "our internal registry".
const CLOSED: &[&str] = &["internal", "private", "local", "own", "company", "test"];
const HOLDS: &[&str] = &["registry", "index", "feed", "mirror"];

/// Programs that bring packages to an index.
const PUBLISHES: &[&str] = &[
    "twine", "npm", "yarn", "pnpm", "bun", "cargo", "uv", "poetry", "hatch", "flit", "pdm", "gem", "mvn",
    "gradle", "dotnet", "python", "python3",
];

/// Whether packages are to go to an index of their own. A line with an address says itself where they go.
fn is_other_index(words: &[&str], line: &str) -> bool {
    let publishes = line.split(' ').next().is_some_and(|program| PUBLISHES.contains(&program));
    let known = |word: &&&str| {
        word.contains("test.pypi") || word.split(['.', '/']).any(|part| INDEXES.contains(&part))
    };
    let closed = |pair: &[&str]| matches!(pair, [of, it] if CLOSED.contains(of) && HOLDS.contains(it));
    let said = words.iter().filter(known).any(|word| !line.contains(word));
    publishes
        && !line.contains("://")
        && (said || (words.windows(2).any(closed) && !HOLDS.iter().any(|it| names(line, it))))
}

/// Words that may follow "namespace" and name none.
const FOLLOWING: &[&str] =
    &["and", "with", "called", "named", "then", "from", "in", "of", "using", "via", "to"];

/// `eu-west-1`
fn is_region(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let letters = |part: &&&str| part.bytes().all(|it| it.is_ascii_lowercase());
    match parts.as_slice() {
        [place, middle @ .., number] => {
            place.len() == 2
                && !middle.is_empty()
                && parts.iter().take(parts.len() - 1).filter(letters).count() == parts.len() - 1
                && number.len() == 1
                && number.bytes().all(|it| it.is_ascii_digit())
        }
        _ => false,
    }
}

/// The number of an account: `123456789012`.
pub(super) fn is_account(word: &str) -> bool {
    word.len() == 12 && word.bytes().all(|it| it.is_ascii_digit())
}

/// The program and its words, apart: `--resource-group` says "resource" and "group".
fn words_of(command: &Command) -> String {
    let mut line = command.program.as_deref().unwrap_or_default().to_lowercase();
    for word in &command.arguments {
        let text = word.text.to_lowercase();
        line.push(' ');
        line.push_str(&text);
        line.push(' ');
        line.push_str(&text.replace(['/', ':', '=', '-', '_', '@'], " "));
    }
    line
}
