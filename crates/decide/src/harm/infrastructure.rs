//! Edits of files that describe machines, clusters, clouds and databases: rights for everybody, a container that gets the
//! machine below it, protections against deletion that are gone.

use super::{Category, Finding};

/// A word that a text gains, where the name of the file ends like this; all in small letters and without blanks.
struct Gain {
    category: Category,
    files: &'static [&'static str],
    words: &'static [&'static str],
    what: &'static str,
}

const CLOUD: &[&str] = &["tf", "hcl", "json", "yaml", "yml", "tfvars", "bicep"];
const CLUSTER: &[&str] = &["yaml", "yml", "json", "tf"];
const DATABASE: &[&str] = &["sql"];

const GAINS: &[Gain] = &[
    Gain {
        category: Category::DisableSecurity,
        files: CLUSTER,
        words: &[
            "sys_admin",
            "sys_module",
            "seccomp:unconfined",
            "apparmor:unconfined",
            "cap_add:[all]",
            "cap_add:-all",
        ],
        what: "it gives a container rights over the machine it runs on",
    },
    Gain {
        category: Category::CredentialLeak,
        files: CLUSTER,
        words: &["-~/.ssh:", "-\"~/.ssh:", "-'~/.ssh:", "-${home}/.ssh:", "-$home/.ssh:"],
        what: "it gives a container the keys of a person",
    },
    Gain {
        category: Category::ExposeService,
        files: CLOUD,
        words: &[
            "acl=\"public-read\"",
            "acl=\"public-read-write\"",
            "accesscontrol:publicread",
            "acl:public-read",
        ],
        what: "it lets everybody read a store",
    },
    Gain {
        category: Category::GrantPermissions,
        files: CLOUD,
        words: &[
            "actions=[\"*\"]",
            "action=\"*\"",
            "action=[\"*\"]",
            "\"action\":\"*\"",
            "\"action\":[\"*\"]",
            "action:'*'",
            "action:\"*\"",
            "action:['*']",
            "identifiers=[\"*\"]",
            "principal=\"*\"",
            "\"principal\":\"*\"",
            "\"principal\":{\"aws\":\"*\"}",
            "principal:'*'",
            "principal:\"*\"",
            "verbs:[\"*\"]",
            "verbs:['*']",
            "verbs:-\"*\"",
            "verbs:-'*'",
        ],
        what: "it gives rights to everybody or for everything",
    },
    Gain {
        category: Category::CloudStorageDelete,
        files: &["tf", "hcl", "json", "yaml", "yml", "tfvars"],
        words: &[
            "prevent_destroy=false",
            "backup_retention_period=0",
            "backupretentionperiod:0",
            "backup_retention_days=0",
            "disable_api_termination=false",
        ],
        what: "it takes a protection against deletion away",
    },
    Gain {
        category: Category::DisableSecurity,
        files: DATABASE,
        words: &["disablerowlevelsecurity", "noforcerowlevelsecurity"],
        what: "it lets everybody see every row",
    },
    Gain {
        category: Category::DisableSecurity,
        files: &["rules"],
        words: &["allowread,write;", "allowwrite;", "allowread,write:iftrue"],
        what: "it lets everybody write",
    },
];

/// Protections that a text loses.
const LOST: &[&str] = &[
    "prevent_destroy=true",
    "deletion_protection=true",
    "deletionprotection:true",
    "termination_protection=true",
    "disable_api_termination=true",
    "enablerowlevelsecurity",
];

/// What an edit opens up or leaves without protection.
pub(super) fn opened(old: &str, new: &str, path: &str) -> Option<Finding> {
    let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let described = CLOUD.contains(&ending.as_str()) || ["sql", "rules"].contains(&ending.as_str());
    if !described {
        return None;
    }
    let (was, is) = (squeezed(old), squeezed(new));
    let more = |word: &str| is.matches(word).count() > was.matches(word).count();
    let fewer = |word: &str| is.matches(word).count() < was.matches(word).count();
    let about = |category, what| Some(Finding::new(category, what).soft().doubtful());
    let gain = GAINS
        .iter()
        .find(|gain| gain.files.contains(&ending.as_str()) && gain.words.iter().any(|word| more(word)));
    if let Some(gain) = gain {
        return about(gain.category, gain.what);
    }
    if LOST.iter().any(|word| fewer(word)) {
        return about(Category::CloudStorageDelete, "it takes a protection away");
    }
    if ending != "sql" && mounts_machine(new) && !mounts_machine(old) {
        return about(Category::DisableSecurity, "it gives a container the machine it runs on");
    }
    if ending == "sql" && grants_all(new) && !grants_all(old) {
        return about(Category::GrantPermissions, "it gives everybody all rights");
    }
    let composed = path.rsplit('/').next().is_some_and(|name| name.to_ascii_lowercase().contains("compose"));
    if composed && fewer("127.0.0.1:") && more("0.0.0.0:") {
        return about(Category::ExposeService, "it lets other machines reach a service");
    }
    if composed && more("host_auth_method:trust") && !old.trim().is_empty() {
        return about(Category::WeakenTlsAuth, "it lets everybody into a database");
    }
    None
}

/// The text in small letters, without remarks and without the blanks that only lay it out.
fn squeezed(text: &str) -> String {
    let live =
        text.lines().filter(|line| !["#", "//", "--"].iter().any(|sign| line.trim_start().starts_with(sign)));
    let lower = live.collect::<Vec<_>>().join(" ").to_lowercase();
    lower.chars().filter(|it| !it.is_whitespace()).collect()
}

/// `hostPath:` with a `path:` that holds the whole machine, its settings or its containers.
fn mounts_machine(text: &str) -> bool {
    const PLACES: &[&str] =
        &["/", "/etc", "/root", "/home", "/var/run/docker.sock", "/var/lib/kubelet", "/var/run", "/run"];
    let lower = text.to_lowercase();
    lower.split("hostpath").skip(1).any(|rest| {
        let near: Vec<&str> = rest.lines().take(4).collect();
        near.iter().any(|line| {
            let value =
                line.rsplit_once("path:").or_else(|| line.rsplit_once("path\":")).map(|(_, value)| value);
            value.is_some_and(|value| {
                let value = value.trim().trim_matches(['"', '\'', '}', ',', ' ']);
                PLACES.contains(&value) || (value.len() > 1 && PLACES.contains(&value.trim_end_matches('/')))
            })
        })
    })
}

/// `grant all … to anon`, and a policy for more than reading that asks nothing.
fn grants_all(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(';').any(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        let follows = |wanted: &[&str]| words.windows(wanted.len()).any(|part| part == wanted);
        let all = follows(&["grant", "all"]) && (follows(&["to", "anon"]) || follows(&["to", "public"]));
        let squeezed: String = words.concat();
        let asks_nothing = squeezed.contains("using(true)") || squeezed.contains("withcheck(true)");
        let policy = follows(&["create", "policy"]) || follows(&["alter", "policy"]);
        all || (policy
            && asks_nothing
            && !follows(&["for", "select"])
            && !squeezed.contains("toservice_role"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn what_is_opened_is_seen() {
        for (path, old, new) in [
            ("a.yaml", "", "hostPath:\n  path: /\n"),
            ("a.tf", "acl = \"private\"", "acl = \"public-read\""),
            ("a.tf", "prevent_destroy = true", "prevent_destroy = false"),
            ("a.tf", "name = 1\ndeletion_protection = true", "name = 1"),
            ("a.sql", "", "ALTER TABLE users DISABLE ROW LEVEL SECURITY;"),
            ("a.sql", "", "grant all on users to anon;"),
        ] {
            assert!(opened(old, new, path).is_some(), "{new}");
        }
        for (path, old, new) in [
            ("a.yaml", "", "hostPath:\n  path: /var/log/app\n"),
            ("a.tf", "acl = \"public-read\"", "acl = \"private\""),
            ("a.tf", "", "actions = [\"s3:GetObject\"]"),
            ("a.sql", "", "create policy a on t for select using (true);"),
            ("a.js", "", "ACL: 'public-read'"),
        ] {
            assert!(opened(old, new, path).is_none(), "{new}");
        }
    }
}
