//! Tools that steer a browser: what only looks at the page that is open, and pages of this machine.

use super::{keepers, tasks};
use crate::call::{Tool, ToolCall};
use crate::web;

/// What only looks at a page, or moves between those that are open, in the words after the browser's own name.
const LOOKS: &[&str] = &[
    "console messages",
    "list console messages",
    "get console message",
    "network requests",
    "list network requests",
    "wait for",
    "resize",
    "resize page",
    "tabs",
    "tab list",
    "list pages",
    "select page",
    "close",
    "close page",
    "navigate back",
    "navigate forward",
    "hover",
    "snapshot",
    "take snapshot",
    "take screenshot",
    "screenshot",
];

/// What opens a page.
const OPENS: &[&str] = &["navigate", "navigate page", "new page", "goto", "open page", "tab new"];

/// What types into a page.
const TYPES: &[&str] = &["type", "fill", "fill form", "press key"];

/// The deed of a tool of a browser; nothing for other tools.
fn deed(name: &str) -> Option<String> {
    const BROWSERS: &[&str] =
        &["browser", "playwright", "puppeteer", "chrome", "devtools", "chromium", "firefox"];
    let is_browser = |word: &String| BROWSERS.contains(&word.as_str());
    let own = tasks::words(name.rsplit("__").next().unwrap_or(name));
    let of_browser = tasks::words(name).iter().any(is_browser);
    let deed: Vec<String> = own.into_iter().skip_while(is_browser).collect();
    of_browser.then(|| deed.join(" "))
}

/// Whether the call only looks at what a browser shows, or opens a page of this machine.
pub(super) fn stays_here(name: &str, call: &ToolCall) -> bool {
    let Some(deed) = deed(name) else { return false };
    let mut told = Vec::new();
    super::tools::texts(&call.input, &mut told);
    let mut addresses = told.iter().copied().filter(|text| is_address(text)).peekable();
    let opens = OPENS.contains(&deed.as_str());
    let any = addresses.peek().is_some();
    // What stands in a field for addresses is one, with or without a scheme.
    let named = ["url", "uri", "href"].iter().filter_map(|field| call.input.get(field));
    let near = addresses.all(is_near) && named.into_iter().all(|value| value.as_str().is_some_and(is_near));
    let again =
        deed == "navigate page" && !any && matches!(call.text("type"), Some("reload" | "back" | "forward"));
    (LOOKS.contains(&deed.as_str()) && near && !names_file(&told)) || ((opens && any || again) && near)
}

/// Whether a text is an address of any kind: `javascript:` runs what stands behind it.
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
        && !keepers::is_secret_address(path)
}

/// Whether a file elsewhere is named, to which a picture or a list would be written.
fn names_file(told: &[&str]) -> bool {
    told.iter().any(|text| text.starts_with(['/', '~']) || text.contains(".."))
}

/// Whether the call types something into the page that a browser shows: what is typed stays with whoever made the page.
#[must_use]
pub fn types_into_page(call: &ToolCall) -> bool {
    matches!(&call.tool, Tool::Mcp(name) if deed(name).is_some_and(|deed| TYPES.contains(&deed.as_str())))
}
