//! Whether a command talks to this machine alone.
//!
//! Only the words that say where it goes count, and all of them must: a header, a user name or a file may be
//! called `localhost` as well.

use portcullis_shell::{Argument, Command, Effects};

use crate::web;

/// Programs whose every operand is an address.
const EACH: &[&str] =
    &["curl", "wget", "wget2", "httpstat", "lynx", "w3m", "aria2c", "axel", "websocat", "wscat"];
/// Programs whose first operand is the address; what follows it is said to that side.
const FIRST: &[&str] = &["http", "https", "xh", "xhs", "nc", "netcat", "ncat", "telnet", "grpcurl"];

/// Those of them that take `:8000/path` for an address of this machine.
pub(super) const BY_PORT: &[&str] = &["http", "https", "xh", "xhs"];

/// Options that send a request elsewhere, whatever its address says. A beginning of a name is as good as the
/// whole.
const LEADING_AWAY: &[&str] = words!(
    "--abstract-unix-socket --all-proxy --base --config --connect-to --dns-servers --doh-url --execute \
     --http-proxy --https-proxy --input-file --ipfs-gateway --listen --preproxy --proxy --proxy1.0 \
     --resolve --socks4 --socks4a --socks5 --socks5-hostname --unix-socket --url --use-proxy"
);

/// Options that name the other side.
const HOSTS: &[&str] = words!(
    "-h --host --hostname --server --address --endpoint --endpoint-url --bootstrap-server --broker-list"
);

/// What the words from `from` on name as another side to talk to: addresses, and where options lead.
pub(crate) fn further_addresses(command: &Command, from: usize) -> Vec<String> {
    let program = command.program.as_deref().unwrap_or_default();
    let operands = command.operands.iter().filter(|at| **at >= from);
    let operands = operands
        .filter_map(|at| command.arguments.get(*at))
        .filter(|word| EACH.contains(&program) || (!FIRST.contains(&program) && is_elsewhere(word, true)));
    operands.map(|word| word.text.clone()).chain(values(command, program, from)).collect()
}

/// Programs whose host option says who may come: where it is not this machine alone, everybody may.
const SERVERS: &[&str] =
    &["uvicorn", "gunicorn", "hypercorn", "flask", "celery", "streamlit", "fastapi", "jupyter", "rails"];

/// Programs that go through the ports of their targets; whether that is this machine is known from their effects.
const SCANNERS: &[&str] = &["nmap", "zenmap", "rustscan", "zmap"];

/// Whether all that the command talks to is this machine.
pub(crate) fn stays_home(command: &Command) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let operands: Vec<&Argument> =
        command.operands.iter().filter_map(|at| command.arguments.get(*at)).collect();
    if program == "openssl" {
        return asks_certificate(command);
    }
    if EACH.contains(&program) {
        let named = values(command, program, 0).collect::<Vec<_>>();
        let here = operands.iter().all(|word| is_home(word)) && named.iter().all(|value| leads_home(value));
        return here && !(operands.is_empty() && named.is_empty());
    }
    // Who listens serves whoever comes.
    let listens = |word: &Argument| {
        let short = word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('l');
        short || word.text == "--listen"
    };
    let waits = matches!(program, "nc" | "netcat" | "ncat") && command.arguments.iter().any(listens);
    if waits || SERVERS.contains(&program) || SCANNERS.contains(&program) {
        return false;
    }
    if FIRST.contains(&program) {
        let is_method = |word: &&&Argument| word.text.bytes().all(|byte| byte.is_ascii_uppercase());
        let mut addresses = operands.iter().skip_while(is_method);
        let short = |word: &Argument| BY_PORT.contains(&program) && word.literal && names_port(&word.text);
        return addresses.next().is_some_and(|word| is_home(word) || short(word))
            && values(command, program, 0).all(|value| leads_home(&value));
    }
    let hosts = host_options(command);
    let elsewhere = |word: &Argument| is_elsewhere(word, hosts.is_empty());
    let named = hosts.iter().all(|host| web::is_loopback(host));
    let addressed = !hosts.is_empty() || operands.iter().any(|word| is_home(word));
    named && addressed && !operands.iter().any(|word| elsewhere(word))
}

/// Whether the word names this machine: what is only known at run time may follow where the host has ended.
fn is_home(word: &Argument) -> bool {
    if !word.choices.is_empty() && !word.several {
        return word.choices.iter().all(|text| web::is_loopback(text));
    }
    let bare = word.text.split_once("://").map_or(word.text.as_str(), |(_, rest)| rest);
    let ended = || bare.split_once('/').is_some_and(|(host, _)| !host.contains('*'));
    (word.literal || (!word.several && ended())) && web::is_loopback(&word.text)
}

/// `:8000/path`, `:/path`: what else follows the port would make a user's name of it.
pub(super) fn names_port(text: &str) -> bool {
    let after = text.strip_prefix(':').map(|rest| rest.trim_start_matches(|it: char| it.is_ascii_digit()));
    after.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a value such as `localhost:80:127.0.0.1` names nothing but this machine.
fn leads_home(value: &str) -> bool {
    // What is only known at run time may make a user's name of what comes before it.
    if value.contains('*') {
        return false;
    }
    if value.contains("://") {
        return web::is_loopback(value);
    }
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    web::is_loopback(value) && value.split([':', ',']).all(|part| number(part) || web::is_loopback(part))
}

/// The values of options that lead away; one whose value is not seen leads somewhere.
fn values(command: &Command, program: &str, from: usize) -> impl Iterator<Item = String> {
    // Letters of options with a value: what follows them is no option.
    let (away, valued) = match program {
        "curl" => ("xK", "ACDEFHPQTUXYbcdemortuwyz"),
        "wget" | "wget2" => ("eiB", "ADIOPQRTUXalnotw"),
        "nc" | "netcat" | "ncat" => ("x", "GILMOPTVWXcegimopqsw"),
        // It talks to whom it connects to, or serves whoever comes.
        "wscat" => ("cl", "HPopswx"),
        _ => ("", ""),
    };
    command.arguments.iter().enumerate().filter_map(move |(index, word)| {
        let next = || command.arguments.get(index + 1).map(|next| next.text.clone()).unwrap_or_default();
        if index < from || command.operands.contains(&index) {
            return None;
        }
        if word.text.starts_with("--") {
            let (name, value) = match word.text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.text.as_str(), None),
            };
            let leads = name.len() > 3 && LEADING_AWAY.iter().any(|known| known.starts_with(name));
            return leads.then(|| value.unwrap_or_else(next));
        }
        let letters = word.text.strip_prefix('-')?;
        let at = letters.find(|letter| away.contains(letter) || valued.contains(letter))?;
        let rest = letters.get(at..).unwrap_or_default();
        let value = rest.get(1..).filter(|value| !value.is_empty()).map(str::to_owned);
        rest.starts_with(|first| away.contains(first)).then(|| value.unwrap_or_else(next))
    })
}

/// What the options for the other side name.
fn host_options(command: &Command) -> Vec<String> {
    let words = command.arguments.iter().enumerate().filter(|(index, _)| !command.operands.contains(index));
    let values = words.filter_map(|(index, word)| {
        if let Some((name, value)) = word.text.split_once('=') {
            return HOSTS.contains(&name).then(|| value.to_owned());
        }
        if HOSTS.contains(&word.text.as_str()) {
            return command.arguments.get(index + 1).map(|next| next.text.clone());
        }
        // `-h127.0.0.1`
        let glued = word.text.strip_prefix("-h").filter(|rest| !rest.is_empty());
        glued.map(str::to_owned)
    });
    values.collect()
}

/// Whether an operand may name another machine. Next to an option that names the host, only a whole address
/// does.
fn is_elsewhere(word: &Argument, by_operand: bool) -> bool {
    let text = word.text.as_str();
    if web::is_loopback(text) && word.literal {
        return false;
    }
    if text.contains("://") || text.contains("host=") {
        return true;
    }
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let last = host.rsplit('.').next().unwrap_or_default();
    let dotted =
        host.contains('.') && last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let remote = text.contains('@') || text.split_once(':').is_some_and(|(host, _)| !host.contains('/'));
    by_operand && (!word.literal || text.contains(char::is_whitespace) || dotted || remote)
}
/// `openssl s_client -connect localhost:8443 </dev/null`: nothing is said to a server of this machine.
fn asks_certificate(command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let named: Vec<&str> = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(name, _)| matches!(**name, "-connect" | "-host" | "-proxy" | "-unix"))
        .map(|(_, value)| *value)
        .collect();
    words.first() == Some(&"s_client")
        && command.arguments.iter().all(|word| word.literal)
        && !words
            .iter()
            .any(|word| matches!(*word, "-proxy" | "-unix" | "-key" | "-cert" | "-sess_in" | "-psk"))
        && !named.is_empty()
        && named.iter().all(|host| web::is_loopback(host))
}

/// `cat < /dev/null > /dev/tcp/127.0.0.1/6379`: the shell connects, and to this machine alone.
pub(crate) fn connects_home(command: &Command, line: &str) -> bool {
    let text = command.span.of(line);
    let home = |rest: &str| {
        let mut parts = rest.split(|it: char| !(it.is_ascii_alphanumeric() || "./".contains(it)));
        let (host, port) = parts.next().unwrap_or_default().split_once('/').unwrap_or_default();
        let number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        matches!(host, "127.0.0.1" | "localhost") && number
    };
    let network = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
    let mut places = text.split("/dev/tcp/").skip(1).peekable();
    !command.own.meets(network)
        && matches!(command.program.as_deref(), Some("cat" | "echo" | "printf" | ":" | "true" | "exec"))
        && places.peek().is_some()
        && places.all(home)
        && !text.contains("/dev/udp/")
        && !text.contains(['$', '`'])
}
