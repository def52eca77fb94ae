//! Addresses that do something when they are merely fetched: hosts that are there to catch what they are sent, hooks that
//! start something, and actions: those that a key in the address vouches for, and those that an interface is asked to do.

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

/// Words of a path that name an action.
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

/// Names in a query that vouch for an action.
const VOUCHES: &[&str] = &["token", "key", "api_key", "apikey", "secret", "confirm"];

/// Words that are an action where an interface is asked for them, as the last part of a path or as an action.
const ORDERS: &[&str] = &[
    "delete",
    "destroy",
    "remove",
    "purge",
    "wipe",
    "truncate",
    "drop",
    "erase",
    "clear",
    "flush",
    "reset",
    "shutdown",
    "reboot",
    "restart",
    "stop",
    "kill",
    "terminate",
    "cancel",
    "disable",
    "deactivate",
    "suspend",
    "ban",
    "revoke",
    "approve",
    "reject",
    "merge",
    "deploy",
    "redeploy",
    "rollback",
    "promote",
    "publish",
    "unpublish",
    "trigger",
    "build",
    "buildwithparameters",
    "dobuild",
    "rebuild",
    "send",
    "sendmessage",
    "pay",
    "refund",
    "charge",
    "transfer",
    "withdraw",
    "unsubscribe",
    "impersonate",
    "execute",
    "poweroff",
    "uninstall",
    "toggle",
    "quietdown",
    "safeexit",
    "saferestart",
    "mute",
    "unmute",
    "lock",
    "unlock",
    "archive",
    "deleteall",
    "delete_all",
    "delete-all",
    "removeall",
    "dodelete",
];

/// Beginnings of the last word of a method that is called by its name: `chat.postMessage`.
const CALLS: &[&str] = &[
    "post",
    "delete",
    "update",
    "create",
    "send",
    "set",
    "invite",
    "kick",
    "archive",
    "upload",
    "add",
    "remove",
    "revoke",
    "rename",
    "open",
    "schedule",
    "share",
    "join",
    "leave",
    "uninstall",
];

/// Names of hosts, parts of paths and names in a query that belong to an interface which is told what to do.
const INTERFACES: &[&str] = &[
    "api",
    "admin",
    "internal",
    "manage",
    "management",
    "console",
    "backend",
    "ops",
    "ci",
    "jenkins",
    "control",
];
const ROUTES: &[&str] = &[
    "api",
    "admin",
    "rest",
    "rpc",
    "job",
    "manage",
    "management",
    "actuator",
    "internal",
    "wp-admin",
    "cgi-bin",
    "_admin",
    "control",
    "users",
    "accounts",
    "orders",
];
const ACTIONS: &[&str] = &["action", "cmd", "command", "op", "operation", "do", "act", "method", "task"];

/// Hosts and parts of paths where actions are only described.
const PAGES: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "developer",
    "developers",
    "wiki",
    "help",
    "learn",
    "support",
    "blog",
    "reference",
    "references",
    "guide",
    "guides",
    "manual",
    "tutorial",
    "tutorials",
    "javadoc",
    "apidocs",
    "api-docs",
    "api-reference",
    "questions",
    "blob",
];
/// Hosts that are called like an interface and describe one, or at which only other methods act.
const DESCRIBING: &[&str] = &[
    "api.jquery.com",
    "api.jqueryui.com",
    "api.rubyonrails.org",
    "api.flutter.dev",
    "api.dart.dev",
    "api.drupal.org",
    "api.emberjs.com",
    "api.qt.io",
    "api.kde.org",
    "github.com",
    "githubusercontent.com",
    "gitlab.com",
    "npmjs.org",
    "crates.io",
    "pypi.org",
    "wikipedia.org",
];

/// Endings of a path behind which a server runs something, and not a page.
const RUN: &[&str] = &[".json", ".xml", ".php", ".do", ".action", ".cgi", ".asp", ".aspx", ".jsp"];

/// Whether an interface is told to do something: by the last part of the path, by an action, or by a method's name.
fn orders(host: &str, path: &str, query: &str) -> bool {
    let parts = || path.split('/').filter(|part| !part.is_empty());
    if is_at(host, DESCRIBING) || host.split('.').chain(parts()).any(|part| PAGES.contains(&part)) {
        return false;
    }
    let order = |word: &str| ORDERS.contains(&word);
    let acted = query.split('&').filter_map(|pair| pair.split_once('='));
    if acted.into_iter().any(|(name, value)| ACTIONS.contains(&name) && order(value)) {
        return true;
    }
    // `/users/delete/3`
    let number = |part: &&str| {
        part.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-')
            && part.contains(|it: char| it.is_ascii_digit())
    };
    let Some(last) = parts().rev().find(|part| !number(part)) else { return false };
    let plain = RUN.iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
    let version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit()))
    };
    let route = || parts().any(|part| ROUTES.contains(&part) || version(part)) && parts().count() > 1;
    let interface = || host.split(['.', '-']).any(|label| INTERFACES.contains(&label)) || route();
    // `/v1/images:delete`
    let verb = plain.rsplit(':').next().unwrap_or(plain);
    let method = plain.rsplit_once('.').is_some_and(|(space, call)| {
        !space.is_empty()
            && CALLS.iter().any(|start| call.starts_with(start))
            && parts().any(|part| part == "api")
    });
    method || ((order(plain) || order(verb)) && interface())
}

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

/// Whether the host of an address exists to collect what is sent to it, as request bins do.
#[must_use]
pub fn catches(url: &str) -> bool {
    let (host, _) = parts(url);
    is_at(&host, CATCHERS) || is_at(&host, TUNNELS)
}

/// The text with letters in the place of the numbers that stand for them.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let letter = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match letter.filter(u8::is_ascii_alphanumeric) {
            Some(letter) => {
                plain
                    + &char::from(letter.to_ascii_lowercase()).to_string()
                    + part.get(2..).unwrap_or_default()
            }
            None => plain + "%" + part,
        }
    })
}

/// Whether fetching the address already has an effect there, as with a webhook.
#[must_use]
pub fn acts(url: &str) -> bool {
    let (host, after) = parts(url);
    let after = decoded(after.split('#').next().unwrap_or_default());
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
        || orders(&host, path, query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_that_is_told_to_act_is_no_mere_read() {
        for url in [
            "https://admin.acme.example/users/3/delete",
            "https://api.acme.example/users/delete?id=3",
            "https://api.acme.example/admin/purge",
            "https://ci.acme.example/job/deploy/build?delay=0",
            "https://home.acme.example/api/shutdown",
            "https://api.acme.example/v1/orders/3?action=cancel",
            "https://slack.com/api/chat.postMessage?channel=C",
            "https://acme.example/admin/delete.php?id=3",
            "https://api.acme.example/v1/images:delete",
            "https://admin.acme.example/users/delete/3",
            "https://admin.acme.example/users/3/%64elete#x",
        ] {
            assert!(acts(url), "{url}");
        }
        for url in [
            "https://docs.acme.example/api/users/delete",
            "https://developer.mozilla.org/en-US/docs/Web/API/Cache/delete",
            "https://api.jquery.com/remove/",
            "https://github.com/acme/api/blob/main/delete",
            "https://registry.npmjs.org/delete",
            "https://api.acme.example/v1/builds",
            "https://api.acme.example/v1/orders?status=cancel",
            "https://en.wikipedia.org/w/index.php?action=raw",
            "https://redis.io/commands/flushall",
            "https://acme.example/blog/delete",
            "https://api.acme.example/v1/deleted",
            "https://api.github.com/repos/acme/deploy",
        ] {
            assert!(!acts(url), "{url}");
        }
    }
}
