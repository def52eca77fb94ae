//! What the tables of the transfer programs cannot say: what is sent, where to, and where answers go.

use super::address;
use super::archives_checks::writes_unless_dash;
use super::invocation::{Invocation, Outcome};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) const SENDS: Effects = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);

/// Methods that by their definition change nothing on the server.
fn is_safe_method(method: &str) -> bool {
    ["GET", "HEAD", "OPTIONS", "TRACE"].iter().any(|safe| safe.eq_ignore_ascii_case(method))
}

fn method<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    if !value.known().is_some_and(is_safe_method) {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// Text that is sent: known text carries nothing of this machine, a file named with `@` or text
/// known only at run time does.
fn sent<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    let file = value.prefix().strip_prefix('@').filter(|name| !name.is_empty());
    if file.is_some() {
        out.reads(value.after(1));
    }
    if file.is_some() || value.known().is_none() {
        out.add(Effects::SENDS_DATA);
    }
}

fn header<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    sent(value, out);
    let name = value.prefix().split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
    if name.contains("method") {
        out.add(Effects::NETWORK_WRITE);
    }
}

/// `name@file` and `@file` are files, unless a `=` stands first.
fn encoded<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    let name_end = value.text.find(['=', '@']);
    match name_end.filter(|at| value.text.as_bytes().get(*at) == Some(&b'@')) {
        Some(at) => {
            out.reads(value.after(at + 1));
            out.add(Effects::SENDS_DATA);
        }
        None if value.known().is_none() => out.add(Effects::SENDS_DATA),
        None => {}
    }
}

fn cookie<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    match value.known() {
        Some(text) if text.is_empty() || text.contains('=') => {}
        Some(_) | None => {
            out.reads(value);
            out.add(Effects::SENDS_DATA);
        }
    }
}

/// FTP commands that only look.
fn quote<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    const LOOKING: &[&str] = &[
        "CDUP", "CWD", "FEAT", "HELP", "LIST", "MDTM", "MLSD", "MLST", "MODE", "NLST", "NOOP", "OPTS",
        "PASV", "PWD", "SIZE", "STAT", "SYST", "TYPE",
    ];
    let command = value.known().unwrap_or_default().trim_start_matches(['*', '-', '+']);
    let verb = command.split(' ').next().unwrap_or_default().to_ascii_uppercase();
    if !LOOKING.contains(&verb.as_str()) || command.contains(['\r', '\n']) {
        out.add(Effects::NETWORK_WRITE);
    }
}

fn write_out<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    match value.known() {
        Some(format) if format.starts_with('@') => {
            out.reads(value.after(1));
            out.doubt(Why::UnclearCode, format, value.span);
        }
        Some(format) if format.contains("%output{") => out.add(Effects::WRITES),
        Some(_) => {}
        None => out.doubt(Why::UnclearCode, value.text, value.span),
    }
}

/// Options whose value stays on this machine.
const LOCAL: &[&str] = &[
    "m",
    "o",
    "D",
    "c",
    "w",
    "T",
    "t",
    "P",
    "O",
    "Q",
    "a",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--output",
    "--output-dir",
    "--limit-rate",
    "--max-redirs",
    "--max-filesize",
    "--cacert",
    "--capath",
    "--dump-header",
    "--cookie-jar",
    "--write-out",
    "--stderr",
    "--trace",
    "--trace-ascii",
    "--parallel-max",
    "--timeout",
    "--tries",
    "--directory-prefix",
    "--output-document",
    "--wait",
    "--quota",
    "--output-file",
    "--append-output",
    "--read-timeout",
    "--dns-timeout",
    "--max-redirect",
];

/// Options of curl with a file to write, `-` being standard output.
const CURL_OUTPUTS: &[&str] =
    &["o", "D", "c", "--output", "--dump-header", "--cookie-jar", "--stderr", "--trace", "--trace-ascii"];

/// `curl -T a file:///b` writes the file `/b`.
fn uploads_to_file<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["T", "--upload-file"]) {
        return;
    }
    let urls = invocation.options.iter().filter(|seen| seen.name == "--url").filter_map(|seen| seen.value);
    for address in invocation.operands.iter().copied().chain(urls) {
        let start = address.text.get(..5).unwrap_or_default();
        if !start.eq_ignore_ascii_case("file:") {
            continue;
        }
        let rest = address.text.get(5..).unwrap_or_default();
        let path = match rest.strip_prefix("//") {
            Some(rest) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest),
            None => rest,
        };
        out.writes(Argument { text: out.arena.alloc_str(path), ..address });
    }
}

/// Whether curl could take the address for a list of them. The one of this machine in six numbers is none.
fn may_be_several(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let ends = |after: &&str| after.is_empty() || after.starts_with([':', '/', '?', '#']);
    let rest = rest.strip_prefix("[::1]").filter(ends).unwrap_or(rest);
    [scheme, rest].iter().any(|part| part.contains(['{', '}', '[', ']']))
}

pub(super) fn curl<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    writes_unless_dash(invocation, CURL_OUTPUTS, out);
    uploads_to_file(invocation, out);
    // After `--next` options start afresh, so a `-G` there says nothing about the data before it.
    let get = invocation.has(&["G", "--get"]) && !invocation.has(&[":", "--next"]);
    for seen in &invocation.options {
        let Some(value) = seen.value else { continue };
        let body = seen.name == "d" || seen.name.starts_with("--data");
        if body && !get {
            out.add(SENDS);
        }
        match seen.name {
            "X" | "--request" => method(value, out),
            "--data-urlencode" | "--url-query" => encoded(value, out),
            "--data-raw" if value.literal => {}
            "H" | "--header" | "--proxy-header" => header(value, out),
            "b" | "--cookie" => cookie(value, out),
            "Q" | "--quote" => quote(value, out),
            "w" | "--write-out" => write_out(value, out),
            "--resolve" | "--connect-to" | "--dns-servers" => redirected(value, out),
            _ if body => sent(value, out),
            name if !LOCAL.contains(&name) && !value.literal && !value.numeric => {
                out.add(Effects::SENDS_DATA);
            }
            _ => {}
        }
    }
    // Behind it stands another request, to whomever.
    if invocation.has(&[":", "--next"]) {
        out.add(Effects::NETWORK_WRITE);
    }
    let urls = || invocation.operands.iter().copied().chain(invocation.value(&["--url"]));
    // Without a scheme curl guesses one from the name (`ldap.…`, `dict.…`): not a plain fetch.
    if urls().any(|url| url.known().is_some_and(|text| !text.contains("://"))) {
        out.add(Effects::NETWORK_WRITE);
    }
    if !invocation.has(&["g", "--globoff"]) && !out.help {
        for url in urls() {
            if may_be_several(url.text) {
                out.doubt(Why::UnknownOperand, url.text, url.span);
            }
        }
    }
}

/// What a client for transfers is told to do stands in a text: whatever is not known to fetch may put or delete.
pub(super) fn transfers<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["c", "e", "f", "--rcfile"]) {
        out.add(SENDS);
    }
}

pub(super) fn wget<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let spider = invocation.has(&["--spider"]);
    let mut saved = !spider;
    for seen in &invocation.options {
        let Some(value) = seen.value else { continue };
        match seen.name {
            "O" | "--output-document" => {
                saved = false;
                if value.known() != Some("-") {
                    out.writes(value);
                }
            }
            "--method" => method(value, out),
            "--header" | "--warc-header" => header(value, out),
            "n" if value
                .known()
                .is_some_and(|letters| letters.bytes().all(|letter| b"vcdHp".contains(&letter))) => {}
            "n" => out.doubt(Why::UnknownOption, value.text, value.span),
            name if !LOCAL.contains(&name) && !value.literal && !value.numeric => {
                out.add(Effects::SENDS_DATA);
            }
            _ => {}
        }
    }
    if saved {
        out.add(Effects::WRITES);
    }
}

pub(super) fn httpie<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    // What stands on standard input becomes the body, whatever the method.
    if !invocation.has(&["I", "--ignore-stdin"]) {
        out.add(Effects::SENDS_DATA);
    }
    for name in ["a", "--auth", "--bearer"] {
        if let Some(value) = invocation.value(&[name]) {
            sent(value, out);
        }
    }
    let mut operands = invocation.operands.iter().copied().peekable();
    let names_method = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if let Some(first) = operands.next_if(|word| word.known().is_some_and(names_method)) {
        method(first, out);
    }
    if let Some(url) = operands.next() {
        out.fetches(url);
    }
    for item in operands {
        let text = item.known().unwrap_or_default();
        let split = text.find([':', '=', '@']).and_then(|at| text.get(at..)).unwrap_or_default();
        let query = split.starts_with("==") && !split.starts_with("==@");
        let head = split.starts_with(':') && !split.starts_with(":=") && !split.starts_with(":@");
        if head {
            header(item, out);
        } else if !query {
            out.add(SENDS);
        }
    }
}

pub(super) fn text_browser<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["dump", "source", "listonly", "head", "mime_header"]) && !out.help {
        out.executes();
    }
}

pub(super) fn websocket<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let runs = |word: &Argument<'_>| ["exec:", "sh-c:", "cmd:"].iter().any(|start| word.text.contains(start));
    if invocation.operands.iter().any(runs) {
        out.executes();
    }
}

/// Addresses that a request is sent to instead: only public ones are as good as the one in the URL.
fn redirected<'a>(value: Argument<'a>, out: &mut Outcome<'a>) {
    let public = |text: &str| address::place(text) == address::Place::Public;
    let name = |part: &str| !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit());
    let literal = value.known().unwrap_or_default();
    if literal.is_empty()
        || !literal
            .split([':', ','])
            .filter(|part| name(part))
            .all(|part| public(part.trim_start_matches(['+', '-'])))
    {
        out.add(Effects::NETWORK_WRITE);
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::span::Span;

    /// What a line does whose `*` is only known at run time.
    fn effects(line: &str) -> Effects {
        let arena = Bump::new();
        let mut words = line.split(' ');
        let program = words.next().unwrap_or_default();
        let arguments: Vec<Argument<'_>> = words
            .map(|word| match word.find('*') {
                Some(at) => Argument {
                    text: arena.alloc_str(word),
                    may_dash: at == 0,
                    ..Argument::unknown(Span::default())
                },
                None => Argument::literal(arena.alloc_str(word), Span::default()),
            })
            .collect();
        let mut outcome = Outcome::new(&arena);
        let spec = super::super::find(program).expect("the program has a table");
        Invocation::examine(program, spec, arena.alloc_slice_fill_iter(arguments), &mut outcome);
        outcome.effects
    }

    #[test]
    fn what_is_only_known_at_run_time_is_not_harmless_where_it_leaves_the_machine() {
        for line in [
            "curl https://example.com/*",
            "curl -H A:* https://example.com",
            "curl -A x* https://example.com",
            "curl -X * https://example.com",
            "curl -d a=* -G https://example.com",
            "curl -w x* https://example.com",
            "curl --ciphers x* https://example.com",
            "wget -qO- --header=a:* https://example.com",
            "http -I example.com a==*",
            "dig x*.example.com",
            "host *",
            "ping x*.example.com",
            "nc -z x*.example.com 80",
            "whois x*",
            "openssl s_client -connect x*:443",
            "openssl s_client -connect example.com:443 -servername x*",
            "redis-cli GET a*",
            "psql -c *",
            "psql -h x* -c SHOW",
            "mysql -e *",
            "sqlite3 a.db x*",
            "sqlcmd query *",
            "getent hosts x*",
            "tmux ls -F *",
            "tmux display-message -p x*",
            "ip addr *",
            "ip *",
            "ifconfig *",
            "ifconfig eth0 *",
            "kill -0 *",
            "sysctl a*",
            "ps a*",
            "networksetup *",
            "scutil --get *",
            "defaults *",
            "rclone lsf r:x*",
            "launchctl *",
            "diskutil *",
            "systemctl *",
            "plutil -convert json -o *",
            "nvram a*",
            "dscl . *",
        ] {
            assert!(!effects(line).is_harmless(), "{line}: {}", effects(line));
        }
        for line in [
            "ip addr show x*",
            "systemctl status x*",
            "tmux capture-pane -p -t x*",
            "ps -p x*",
            "journalctl -u x*",
        ] {
            assert!(effects(line).is_harmless(), "{line}: {}", effects(line));
        }
    }
}
