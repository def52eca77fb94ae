//! Addresses that do something when they are merely fetched: hosts that are there to catch what they are sent, hooks that
//! start something, and deeds that a key in the address vouches for.

/// Hosts that keep or pass on whatever reaches them.
const CATCHERS: &[&str] = &[
    "webhook.site",
    "requestbin.com",
    "requestbin.net",
    "requestcatcher.com",
    "pipedream.net",
    "hookbin.com",
    "beeceptor.com",
    "postb.in",
    "ptsv3.com",
    "interact.sh",
    "oast.fun",
    "oast.me",
    "oast.site",
    "oastify.com",
    "burpcollaborator.net",
    "canarytokens.com",
    "dnslog.cn",
    "hooks.slack.com",
    "webhook.office.com",
    "api.telegram.org",
    "maker.ifttt.com",
    "hooks.zapier.com",
    "ntfy.sh",
];

/// Hosts that lead to a machine of whoever asked for a name: it may be one's own.
const TUNNELS: &[&str] =
    &["ngrok.io", "ngrok.app", "ngrok-free.app", "trycloudflare.com", "serveo.net", "loca.lt"];

/// Parts of a path behind which the name of something stands that starts when it is asked for.
const HOOKS: &[&str] = &[
    "/api/webhooks/",
    "/deploy_hooks/",
    "/build_hooks/",
    "/deploy/srv-",
    "/integrations/deploy/",
    "/hooks/catch/",
    "/generic-webhook-trigger/",
];

/// Words of a path that name a deed.
const DEEDS: &[&str] = &[
    "deploy",
    "redeploy",
    "hook",
    "webhook",
    "trigger",
    "build",
    "buildwithparameters",
    "shutdown",
    "restart",
    "unsubscribe",
    "delete",
    "approve",
    "revoke",
    "sendmessage",
];

/// Names in a query that vouch for a deed.
const VOUCHES: &[&str] = &["token", "key", "api_key", "apikey", "secret", "confirm"];

fn is_at(host: &str, known: &[&str]) -> bool {
    let below = |known: &&str| {
        host.strip_suffix(*known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    known.iter().any(below)
}

/// The host of an address, and what follows it, in small letters.
fn parts(url: &str) -> (String, String) {
    let lower = url.to_ascii_lowercase();
    let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().trim_end_matches('.');
    (host.to_owned(), after.to_owned())
}

/// Whether the host is there to catch what it is sent.
#[must_use]
pub fn catches(url: &str) -> bool {
    let (host, _) = parts(url);
    is_at(&host, CATCHERS) || is_at(&host, TUNNELS)
}

/// Whether something happens when the address is only fetched.
#[must_use]
pub fn acts(url: &str) -> bool {
    let (host, after) = parts(url);
    let (path, query) = after.split_once('?').unwrap_or((&after, ""));
    let started = |hook: &&str| path.split_once(*hook).is_some_and(|(_, name)| !name.is_empty());
    // A file is only called by the folder it lies in.
    let file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let names_deed = !file && path.split('/').any(|part| DEEDS.contains(&part));
    let vouched = query.split('&').any(|pair| VOUCHES.contains(&pair.split('=').next().unwrap_or_default()));
    is_at(&host, CATCHERS)
        || (is_at(&host, TUNNELS) && !query.is_empty())
        || HOOKS.iter().any(started)
        || (names_deed && vouched)
}
