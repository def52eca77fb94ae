//! Tools that steer a browser: what only looks at the page that is open, and pages of this machine.

use serde_json::Value;

use super::secret_tools;
use crate::call::{Tool, ToolCall};
use crate::detect::routine::tasks;
use crate::{protected, web};

/// What only looks at a page, or moves between those that are open, in the words after the browser's own name.
const LOOKS: &[&str] = phrases!(
    "console messages|list console messages|get console message|network requests|list network requests|\
     wait for|resize|resize page|tabs|tab list|list pages|select page|close|close page|navigate back|\
     navigate forward|hover|snapshot|take snapshot|take screenshot|screenshot"
);

/// What opens a page.
const OPENS: &[&str] = &["navigate", "navigate page", "new page", "goto", "open page", "tab new"];

/// What types into a page.
const TYPES: &[&str] = &["type", "fill", "fill form", "press key"];

/// The action of a tool of a browser; nothing for other tools.
fn action(name: &str) -> Option<String> {
    const BROWSERS: &[&str] =
        &["browser", "playwright", "puppeteer", "chrome", "devtools", "chromium", "firefox"];
    let is_browser = |word: &String| BROWSERS.contains(&word.as_str());
    let own = tasks::words(name.rsplit("__").next().unwrap_or(name));
    let of_browser = tasks::words(name).iter().any(is_browser);
    let action: Vec<String> = own.into_iter().skip_while(is_browser).collect();
    of_browser.then(|| action.join(" "))
}

/// Whether the call only looks at what a browser shows, or opens a page of this machine.
pub(super) fn stays_here(name: &str, call: &ToolCall) -> bool {
    let Some(action) = action(name) else { return false };
    if !has_known_fields(&call.input) || (action == "tabs" && !moves_between(call)) {
        return false;
    }
    let mut given = Vec::new();
    crate::detect::tools::texts(&call.input, &mut given);
    let mut addresses = given.iter().copied().filter(|text| is_address(text)).peekable();
    let opens = OPENS.contains(&action.as_str());
    let any = addresses.peek().is_some();
    // What is in a field for addresses is one, with or without a scheme.
    let named = ["url", "uri", "href"].iter().filter_map(|field| call.input.get(field));
    let near = addresses.all(is_near) && named.into_iter().all(|value| value.as_str().is_some_and(is_near));
    let again =
        action == "navigate page" && !any && matches!(call.text("type"), Some("reload" | "back" | "forward"));
    (LOOKS.contains(&action.as_str()) && near && !names_file(&given) && writes_picture(call))
        || ((opens && any || again) && near)
}

/// Whether a tool that by its name looks at a page is given something else besides.
pub(super) fn strays(name: &str, call: &ToolCall) -> bool {
    action(name).is_some_and(|action| LOOKS.contains(&action.as_str())) && !stays_here(name, call)
}

/// Whether every field is one of those that say what to look at: a field for code is run in the page.
fn has_known_fields(input: &Value) -> bool {
    const FIELDS: &[&str] = words!(
        "action all background bringtofront depth element filename filepath format fullpage height href \
         ignorecache includepreservedmessages includepreservedrequests includestatic index level msgid \
         name onlyerrors pageid pageidx pagesize path quality raw ref reqid resourcetypes selector target \
         text textgone time timeout type types uid uri url verbose waituntil width"
    );
    let known = |name: &str| {
        let plain: String = name.chars().filter(|it| it.is_alphanumeric()).collect();
        FIELDS.contains(&plain.to_ascii_lowercase().as_str())
    };
    match input {
        Value::Object(fields) => fields.iter().all(|(name, value)| known(name) && !value.is_object()),
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
    }
}

/// Whether the call lists the open pages, or goes from one to another.
fn moves_between(call: &ToolCall) -> bool {
    call.input.get("action").is_none()
        || matches!(call.text("action"), Some("list" | "select" | "close" | "new"))
}

/// Whether what is written, if anything, is a picture or a record beside the work, and nothing that others go by.
fn writes_picture(call: &ToolCall) -> bool {
    const ENDINGS: &[&str] = &["png", "jpg", "jpeg", "webp", "gif", "pdf", "txt", "log"];
    let fields = ["filename", "fileName", "file_name", "filePath", "file_path", "filepath", "path"];
    fields.iter().filter_map(|field| call.input.get(field)).all(|value| {
        value.as_str().is_some_and(|file| {
            let lower = file.to_ascii_lowercase();
            let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
            ENDINGS.contains(&ending)
                && protected::place(file, true).is_none()
                && !portcullis_shell::is_secret_path(file, true)
        })
    })
}

/// Whether a text is an address of any kind: `javascript:` runs what follows it.
fn is_address(text: &str) -> bool {
    let lower = text.trim().to_ascii_lowercase();
    ["http:", "https:", "file:", "javascript:", "data:", "chrome:", "view-source:", "blob:", "about:", "ftp:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        || lower.contains("://")
}

/// Whether the address is a plain one of this very machine, and not of the secrets of what is reached through it.
fn is_near(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let path = lower.splitn(4, '/').nth(3).unwrap_or_default();
    matches!(web::host(address), web::Host::Private(_))
        && web::is_loopback(&lower)
        && !secret_tools::is_secret_address(path)
        && !is_keepers_port(&lower)
        && is_plain_page(path)
}

/// Whether the port usually belongs to what keeps secrets, runs what it is sent or controls a cluster: Docker, etcd,
/// Nomad, Kubernetes, Vault, Consul, databases, notebooks, and the debuggers of Node.js and Chrome.
fn is_keepers_port(address: &str) -> bool {
    const PORTS: &[&str] = words!(
        "22 25 631 2375 2376 2379 3306 4040 4646 5432 5672 5984 6379 6443 8200 8500 8888 9200 9222 9229 \
         10250 10255 11211 15672 16443 27017"
    );
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let port = authority.rsplit_once(':').map_or("", |(_, port)| port).trim_start_matches('0');
    PORTS.contains(&port)
}

/// Whether the path is spelled as it is, names no file of secrets, and does not speak of taking something away.
fn is_plain_page(path: &str) -> bool {
    const TAKES: &[&str] =
        words!("delete remove destroy drop purge wipe erase truncate reset shutdown uninstall revoke");
    /// Pages that show the inside of a service, or run what they are sent.
    const TELLS: &[&str] = words!(
        "env environ heapdump configprops phpinfo phpinfo.php server-status pprof vars _profiler \
         properties console h2-console secrets credentials tokens api-keys keys namespaces _catalog \
         _search _all_dbs"
    );
    let page = path.split(['?', '#']).next().unwrap_or_default();
    let secret = page.split('/').any(|part| !part.is_empty() && portcullis_shell::is_secret_path(part, true));
    // What begins with a dot is not for visitors; `@fs` reaches every file of the machine.
    let hidden = page.split('/').any(|part| {
        (part.starts_with('.') && !matches!(part, "." | ".well-known")) || part.starts_with("@fs")
    });
    let telling = page.split('/').any(|part| TELLS.contains(&part))
        || (page.split('/').any(|part| part == "actuator")
            && !page.ends_with("/health")
            && !page.ends_with("/info"));
    let takes = path.split(|it: char| !it.is_alphanumeric()).any(|word| TAKES.contains(&word));
    !page.contains(['%', '\\']) && !secret && !hidden && !telling && !takes
}

/// Whether a file elsewhere is named, to which a picture or a list would be written.
fn names_file(given: &[&str]) -> bool {
    given.iter().any(|text| text.starts_with(['/', '~']) || text.contains(".."))
}

/// Whether the call types text into a web page, which passes it to whoever runs the page.
#[must_use]
pub fn types_into_page(call: &ToolCall) -> bool {
    matches!(&call.tool, Tool::Mcp(name) if action(name).is_some_and(|action| TYPES.contains(&action.as_str())))
}
