//! What a line of `az` does, by the verb among its words.
//!
//! Commands take no operands but for a few; a surplus word makes `az` refuse the line. So whatever verb
//! stands among the words before the first option tells what is done, and one that changes wins.

use super::azure_words::{CHANGING, CHANGING_STARTS, FLAGS, NOUNS, READING, READING_STARTS, VALUED};
use super::invocation::{Invocation, Outcome};
use super::layers;
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) fn azure<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = invocation.words;
    let path = layers::path(words, VALUED, FLAGS);
    let parts = path.words.as_slice();
    if layers::asks_help(words)
        || matches!(parts, ["version" | "find" | "help", ..] | ["bicep", "version"])
        || (parts.is_empty() && layers::has(words, "--version"))
    {
        out.add(Effects::READS);
        return;
    }
    let Some((at, verb)) = verb_of(parts) else {
        let effects = single(parts, words);
        out.add(effects);
        if effects.contains(Effects::UNKNOWN) {
            let span = path.unclear.or(words.first().copied()).map(|word| word.span).unwrap_or_default();
            out.doubt(Why::UnknownCommand, format!("az {}", parts.join(" ")), span);
        }
        return;
    };
    let groups = parts.get(..at).unwrap_or_default();
    let effects = if is_reading(verb) && !groups.is_empty() {
        reading(groups, verb)
    } else {
        changing(groups, verb, words)
    };
    out.add(effects);
    if effects.is_harmless() {
        options(words, out);
    }
    for word in words {
        // Any value that begins with @ is replaced by the content of that file.
        let file = if word.text.starts_with('@') { Some(1) } else { word.text.find("=@").map(|at| at + 2) };
        if let Some(at) = file {
            out.reads(word.after(at));
            out.add(Effects::SENDS_DATA);
        }
    }
}

/// Options that make a reading command do more: write a file, start a browser, show secrets, or send the token
/// of the user to another host.
fn options(words: &[Argument<'_>], out: &mut Outcome<'_>) {
    let elsewhere = [
        "--endpoint",
        "--blob-endpoint",
        "--queue-endpoint",
        "--table-endpoint",
        "--file-endpoint",
        "--service-endpoint",
    ];
    if elsewhere.iter().any(|option| layers::gives(words, option)) {
        out.add(Effects::SENDS_DATA);
    }
    // A name that becomes part of the host's name, or the whole address.
    let own =
        [".azure.net/", ".azure.com/", ".windows.net/", ".azurecr.io/", ".azconfig.io/", ".microsoft.com/"];
    for option in ["--vault-name", "--hsm-name", "--account-name", "--id", "--name", "-n"] {
        let Some(value) = layers::value(words, option).filter(|value| value.literal) else { continue };
        let host = value.text.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
        let foreign = match host {
            Some(host) => {
                !own.iter().any(|end| format!("{host}/").ends_with(end)) || host.contains(['@', '#', '?'])
            }
            None => option.ends_with("-name") && value.text.contains(['/', '#', '?', '@', ':', '\\']),
        };
        if foreign {
            out.add(Effects::SENDS_DATA);
        }
    }
    for word in words {
        let name = layers::name_of(word.prefix());
        let files = name.ends_with("-file") || (name.len() > 5 && "--result-file".starts_with(name));
        if files || matches!(name, "--open" | "--web" | "--open-browser" | "--destination") {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
        let shows = layers::starts(name, &["--show-s", "--show-v", "--include-s", "--with-s", "--resolve-k"]);
        if shows && !layers::starts(name, &["--show-st", "--include-st", "--include-su"]) {
            out.add(Effects::SECRETS);
        }
    }
}

fn is_reading(word: &str) -> bool {
    READING.contains(&word) || layers::starts(word, READING_STARTS)
}

fn is_changing(word: &str) -> bool {
    CHANGING.contains(&word) || layers::starts(word, CHANGING_STARTS)
}

/// The verb and where it stands: the first that changes something if there is one, else the last that reads.
fn verb_of<'a>(parts: &[&'a str]) -> Option<(usize, &'a str)> {
    let is_verb = |word: &str| is_reading(word) || is_changing(word);
    let is_group = |at: usize, word: &str| {
        let rest = parts.get(at + 1..).unwrap_or_default();
        // A registry's `build` and `run` take a directory, which may have any name.
        NOUNS.contains(&word) && parts.first() != Some(&"acr") && rest.iter().any(|later| is_verb(later))
    };
    let verbs =
        || parts.iter().copied().enumerate().filter(|(at, word)| is_verb(word) && !is_group(*at, word));
    let tags =
        || parts.iter().copied().enumerate().next_back().filter(|(at, word)| *at > 0 && *word == "tag");
    verbs().find(|(_, word)| is_changing(word)).or_else(tags).or_else(|| verbs().next_back())
}

/// Commands that are a single word, or whose last word is no verb of ours.
fn single(parts: &[&str], words: &[Argument<'_>]) -> Effects {
    match parts {
        ["rest"] => request(words),
        ["feedback" | "survey", ..] => Effects::NETWORK_WRITE,
        ["interactive" | "self-test" | "next", ..] => Effects::EXECUTES,
        _ => Effects::UNKNOWN,
    }
}

/// What a reading verb of these groups shows.
fn reading(groups: &[&str], verb: &str) -> Effects {
    let first = groups.first().copied().unwrap_or_default();
    let has = |names: &[&str]| groups.iter().any(|word| names.contains(word));
    if verb == "get-credentials" || verb.contains("kubeconfig") {
        return Effects::WRITES.and(Effects::SECRETS);
    }
    let database = ["sql", "mysql", "postgres", "mariadb"].contains(&first);
    let telling = [
        "key",
        "credential",
        "secret",
        "token",
        "password",
        "publishing",
        "connection-string",
        "callback",
        "-sas",
        "boot-log-uris",
    ];
    let verb_tells =
        telling.iter().any(|part| verb.contains(part)) && !matches!(verb, "list-key-types" | "list-deleted");
    let group_tells = has(&[
        "keys",
        "admin-key",
        "query-key",
        "access-key",
        "access-keys",
        "connection-string",
        "secrets",
        "vpn-client",
        "shared-key",
        "appsettings",
        "test-endpoint",
    ]) || (has(&["credential", "credentials"]) && first != "ad")
        || (has(&["secret"]) && (first != "keyvault" || verb == "show"))
        || (has(&["storage-account"]) && ["webapp", "functionapp"].contains(&first))
        || (has(&["key"]) && ["signalr", "webpubsub", "appservice"].contains(&first))
        || (first == "iot"
            && has(&["policy", "device-identity", "module-identity", "enrollment", "enrollment-group"]));
    let harmless_string = database && verb == "show-connection-string";
    if (verb_tells && !harmless_string) || group_tells {
        return Effects::NETWORK_READ.and(Effects::SECRETS);
    }
    let active = matches!(
        (first, verb),
        ("acr", "check-health")
            | ("aks", "check-acr" | "check-network")
            | ("storage", "get")
            | ("servicebus", "peek")
    );
    let exports = verb == "export" && !["group", "deployment", "ts", "stack"].contains(&first);
    if active || exports {
        return Effects::NETWORK_WRITE;
    }
    if ["validate", "what-if", "diff"].contains(&verb) {
        return Effects::NETWORK_READ.and(Effects::SENDS_DATA);
    }
    Effects::NETWORK_READ
}

/// What any other verb does.
fn changing(groups: &[&str], verb: &str, words: &[Argument<'_>]) -> Effects {
    let first = groups.first().copied().unwrap_or(verb);
    let lists = words.iter().any(|word| matches!(word.known(), Some("--list" | "-l" | "--list-defaults")));
    match (first, verb) {
        ("devops" | "configure", "configure") if lists && words.len() <= 3 => Effects::READS,
        ("bicep", "install" | "upgrade") | ("upgrade", "upgrade") | ("extension", "add" | "update") => {
            Effects::INSTALLS_NAMED
        }
        ("devops" | "configure", "configure")
        | ("bicep" | "extension" | "config" | "cloud", _)
        | (_, "login" | "logout")
        | ("account", "set" | "clear") => Effects::WRITES,
        (_, "generate-sas") => Effects::SECRETS,
        ("keyvault", "download" | "backup") => Effects::WRITES.and(Effects::SECRETS),
        (_, "download" | "download-batch") => Effects::NETWORK_READ.and(Effects::WRITES),
        ("role", _) | (_, "set-policy" | "set-permission") => {
            Effects::NETWORK_WRITE.and(Effects::PERMISSIONS)
        }
        (_, "upload" | "upload-batch") | ("acr", "build") => Effects::NETWORK_WRITE.and(Effects::SENDS_DATA),
        (_, "invoke" | "exec" | "ssh" | "run" | "tunnel") => Effects::NETWORK_WRITE.and(Effects::EXECUTES),
        (_, "wait") => Effects::NETWORK_READ.and(Effects::UNKNOWN),
        (_, _) => Effects::NETWORK_WRITE,
    }
}

/// `az rest` reads only with nothing but an address of the service itself.
fn request(words: &[Argument<'_>]) -> Effects {
    let known = [
        "--method",
        "-m",
        "--url",
        "-u",
        "--uri",
        "--query",
        "--output",
        "-o",
        "--only-show-errors",
        "--verbose",
        "--debug",
        "--url-parameters",
        "--uri-parameters",
    ];
    let plain = words.iter().skip(1).all(|word| {
        word.literal && (!word.text.starts_with('-') || known.contains(&layers::name_of(word.text)))
    });
    let reads = ["--method", "-m"]
        .iter()
        .filter_map(|name| layers::value(words, name))
        .all(|method| method.text.eq_ignore_ascii_case("get"));
    let address = ["--url", "-u", "--uri"]
        .iter()
        .find_map(|name| layers::value(words, name))
        .map_or("", |url| url.text);
    let own =
        layers::starts(address, &["https://management.azure.com/", "https://graph.microsoft.com/", "/"]);
    let lower = address.to_ascii_lowercase();
    if !plain || !reads || !own || words.iter().any(|word| word.text.starts_with('@')) {
        return Effects::NETWORK_WRITE;
    }
    let secret = ["secret", "key", "credential", "token"].iter().any(|part| lower.contains(part));
    if secret { Effects::NETWORK_READ.and(Effects::SECRETS) } else { Effects::NETWORK_READ }
}
