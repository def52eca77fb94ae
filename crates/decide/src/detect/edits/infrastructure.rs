//! Edits of files that describe machines, clusters, clouds and databases: rights for everybody, a container that gets the
//! machine below it, protections against deletion that are gone.

use super::settings_text::{live, values};
use super::{always, database_rights};
use crate::detect::{Detector, Finding, detectors};

/// What a key gets that opens something up, where the name of the file ends like this; all in small letters.
struct Opening {
    detector: &'static Detector,
    keys: &'static [&'static str],
    values: &'static [&'static str],
}

const DESCRIBING: &[&str] = &["tf", "hcl", "json", "yaml", "yml", "tfvars", "bicep"];

const CONFIGURED: &[&str] = &["conf", "cnf", "ini", "sshd_config"];

static OPENINGS: &[Opening] = &[
    Opening {
        detector: &detectors::PRIVILEGED_CONTAINER,
        keys: &["hostnetwork", "hostpid", "hostipc"],
        values: &["true", "yes", "on"],
    },
    Opening {
        detector: &detectors::PRIVILEGED_CONTAINER,
        keys: &["network_mode", "pid", "ipc", "userns_mode"],
        values: &["host"],
    },
    Opening {
        detector: &detectors::PRIVILEGED_CONTAINER,
        keys: &["add", "cap_add"],
        values: &["all", "net_admin", "sys_admin", "sys_ptrace", "sys_module", "sys_rawio", "bpf"],
    },
    Opening {
        detector: &detectors::PRIVILEGED_CONTAINER,
        keys: &["type", "security_opt"],
        values: &["unconfined", "seccomp:unconfined", "apparmor:unconfined", "label:disable"],
    },
    Opening {
        detector: &detectors::IAM_BROAD_RIGHTS,
        keys: &["verbs", "action", "actions"],
        values: &["*", "*:*", "iam:*"],
    },
    Opening {
        detector: &detectors::IAM_PUBLIC_PRINCIPAL,
        keys: &["principal", "principals", "identifiers", "aws"],
        values: &["*", "aws:*", "aws\": \"*"],
    },
    Opening {
        detector: &detectors::IAM_PUBLIC_PRINCIPAL,
        keys: &["name", "member", "members"],
        values: &["system:unauthenticated", "system:anonymous", "allusers", "allauthenticatedusers"],
    },
    Opening {
        detector: &detectors::IAM_BROAD_RIGHTS,
        keys: &["role", "roles", "role_definition_name"],
        values: &["roles/owner", "roles/editor", "owner", "contributor", "user access administrator"],
    },
    Opening {
        detector: &detectors::PUBLIC_STORAGE,
        keys: &["acl", "predefined_acl", "accesscontrol", "container_access_type"],
        values: &[
            "public-read",
            "public-read-write",
            "authenticated-read",
            "publicread",
            "publicreadwrite",
            "blob",
            "container",
        ],
    },
    Opening {
        detector: &detectors::OPEN_TO_INTERNET,
        keys: &[
            "cidr_blocks",
            "ipv6_cidr_blocks",
            "cidr_ipv4",
            "cidr_ipv6",
            "source_ranges",
            "source_address_prefix",
            "cidr",
            "cidripv6",
        ],
        values: &["::/0", "0.0.0.0/1", "128.0.0.0/1", "*", "internet", "any"],
    },
    Opening {
        detector: &detectors::PUBLIC_ENDPOINT,
        keys: &[
            "allow_blob_public_access",
            "allow_nested_items_to_be_public",
            "public_network_access_enabled",
            "endpoint_public_access",
        ],
        values: &["true"],
    },
    Opening {
        detector: &detectors::DELETION_PROTECTION_OFF,
        keys: &["prevent_destroy", "disable_api_termination"],
        values: &["false"],
    },
    Opening {
        detector: &detectors::DELETION_PROTECTION_OFF,
        keys: &["backup_retention_period", "backupretentionperiod", "backup_retention_days"],
        values: &["0"],
    },
];

/// Words of which a text gets more, without blanks, where the name of the file ends like this.
static GAINS: &[(&[&str], &Detector, &[&str])] = &[
    (&["sql"], &detectors::ROW_LEVEL_SECURITY_OFF, &["disablerowlevelsecurity", "noforcerowlevelsecurity"]),
    (CONFIGURED, &detectors::PASSWORD_LOGIN, &["passwordauthenticationyes", "allalltrust", "/0trust"]),
    (
        CONFIGURED,
        &detectors::LISTENS_ON_ALL_INTERFACES,
        &["bind0.0.0.0", "bind-address=0.0.0.0", "listen_addresses='*'"],
    ),
    (
        DESCRIBING,
        &detectors::IAM_BROAD_RIGHTS,
        &["/iamfullaccess", "/poweruseraccess", "roles/iam.serviceaccounttokencreator"],
    ),
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
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let ending = name.rsplit('.').next().unwrap_or_default();
    let describes = DESCRIBING.contains(&ending);
    let database = ending == "sql" || path.to_lowercase().contains("migrat");
    if !describes && !database && !CONFIGURED.contains(&ending) && !["sql", "rules"].contains(&ending) {
        return None;
    }
    let (before, after) = (live(old), live(new));
    let (was, is) = (squeezed(&before), squeezed(&after));
    let more = |word: &str| is.matches(word).count() > was.matches(word).count();
    let fewer = |word: &str| is.matches(word).count() < was.matches(word).count();
    let gain =
        GAINS.iter().find(|(files, _, words)| files.contains(&ending) && words.iter().any(|word| more(word)));
    if let Some((_, detector, _)) = gain {
        return Some(Finding::by(detector));
    }
    let open = |text: &str| {
        let text = database_rights::without_remarks(text);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if ending == "rules" { always::open_rules(&text) } else { always::open_keys(&text) }
    };
    if open(&after) > open(&before) {
        return Some(Finding::by(&detectors::STORE_RULES_OPEN));
    }
    if LOST.iter().any(|word| fewer(word)) {
        return Some(Finding::by(&detectors::DELETION_PROTECTION_OFF));
    }
    if database {
        let given = database_rights::given(new).filter(|_| database_rights::given(old).is_none());
        // What a migration says about roles may be what the user asked for: their word clears it.
        return given.map(|detector| Finding::by(detector).soft());
    }
    let opening = OPENINGS.iter().find(|opening| describes && opening.is_more(&before, &after));
    if let Some(opening) = opening {
        return Some(Finding::by(opening.detector));
    }
    if mounts_machine(&after) && !mounts_machine(&before) {
        return Some(Finding::by(&detectors::CONTAINER_HOST_MOUNT));
    }
    let known = given_folders(&before);
    if given_folders(&after).iter().any(|folder| !known.contains(folder)) {
        return Some(Finding::by(&detectors::CONTAINER_SYSTEM_FOLDER));
    }
    if let Some(place) = other_image(&before, &after) {
        return Some(Finding::by(&detectors::OTHER_OWNER).about(place));
    }
    name.contains("compose").then(|| of_composition(&before, &after)).flatten()
}

impl Opening {
    /// Whether the second text gives such a value to more of the keys than the first.
    fn is_more(&self, before: &str, after: &str) -> bool {
        let count = |text: &str| {
            let given = self.keys.iter().flat_map(|key| values(text, key));
            given.filter(|value| self.values.contains(&value.strip_prefix("cap_").unwrap_or(value))).count()
        };
        count(after) > count(before)
    }
}

/// The text without the blanks that only lay it out.
fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

/// A module or an image that is taken from somebody else than before: `source = "github.com/…"`, `image: evil/postgres`.
fn other_image(before: &str, after: &str) -> Option<String> {
    let taken = |text: &str| {
        let all = ["image", "source"].iter().flat_map(|key| values(text, key));
        all.filter(|place| !place.starts_with('.')).collect::<Vec<_>>()
    };
    let known = taken(before);
    let image = taken(after).into_iter().find(|image| {
        let (owner, name) = owner_and_name(image);
        let same = |known: &&String| owner_and_name(known).1 == name;
        known.iter().find(same).is_some_and(|known| owner_and_name(known).0 != owner)
    });
    let known = values(before, "source");
    let away = |source: &String| {
        source.contains("://") || source.starts_with("github.com/") || source.starts_with("git@")
    };
    let source =
        || values(after, "source").into_iter().find(|source| away(source) && !known.contains(source));
    image.or_else(source)
}

/// Who an image is by, and its name without a version.
pub(super) fn owner_and_name(image: &str) -> (&str, &str) {
    let (owner, name) = image.rsplit_once('/').unwrap_or(("", image));
    (owner, name.split([':', '@']).next().unwrap_or_default())
}

/// Services of containers that other machines reach, and folders of the machine that containers get.
fn of_composition(before: &str, after: &str) -> Option<Finding> {
    let open = open_ports(before);
    if open_ports(after).iter().any(|port| !open.contains(port) && is_opened(port, before)) {
        return Some(Finding::by(&detectors::LISTENS_ON_ALL_INTERFACES));
    }
    let trusts = |text: &str| squeezed(text).matches("host_auth_method:trust").count();
    (trusts(after) > trusts(before) && !before.trim().is_empty())
        .then(|| Finding::by(&detectors::DATABASE_TRUST_AUTH))
}

/// The ports that are published to all machines, as they are written: `5432:5432`.
fn open_ports(text: &str) -> Vec<String> {
    let near = |port: &String| ["127.", "localhost:", "::1]:"].iter().any(|here| port.starts_with(here));
    let mut ports = values(text, "ports");
    // A part of a list may come without its name.
    let items = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let items = items.map(|item| item.trim_matches(['"', '\'']).to_owned());
    ports.extend(
        items.filter(|item| item.contains(':') && item.bytes().all(|it| b"0123456789.:".contains(&it))),
    );
    // The long form names its parts one by one.
    if !text.contains("host_ip: 127.") && !text.contains("host_ip: \"127.") {
        ports.extend(values(text, "published"));
    }
    let open = ports.into_iter().filter(|port| !near(port));
    open.map(|port| port.trim_start_matches("0.0.0.0:").to_owned()).collect()
}

/// Whether the port is usually one of a service that controls machines or keeps their secrets, or was only for this machine
/// before. Databases of a project that is worked on are published everywhere.
fn is_opened(port: &str, before: &str) -> bool {
    const CONTROL_PORTS: &[&str] = &["2375", "2376", "2379", "8200", "8500"];
    let inner = port.rsplit(':').next().unwrap_or_default();
    let inner = inner.split(['/', '-']).next().unwrap_or_default();
    let here = ["127.0.0.1:", "localhost:"].iter().any(|here| before.contains(&format!("{here}{port}")));
    CONTROL_PORTS.contains(&inner) || here
}

/// Folders of the machine or of a person that a container gets.
fn given_folders(text: &str) -> Vec<String> {
    let mounts = ["volumes", "devices"].iter().flat_map(|key| values(text, key));
    let sources = mounts.filter_map(|mount| {
        let end = mount.find(":/").or_else(|| mount.rfind(':'))?;
        mount.get(..end).map(str::to_owned)
    });
    sources.chain(values(text, "source")).filter(|source| is_machine(source)).collect()
}

/// Whether the path holds the whole machine, its settings, its containers, or what is a person's.
fn is_machine(path: &str) -> bool {
    const PLACES: &[&str] = &[
        "",
        "/etc",
        "/root",
        "/home",
        "/var/run/docker.sock",
        "/var/lib/kubelet",
        "/var/lib/docker",
        "/var/run",
        "/run",
        "/proc",
        "/sys",
        "/dev",
        "/boot",
        "~",
        "$home",
        "${home}",
    ];
    const BELOW: &[&str] = &[
        "/dev/sd",
        "/dev/nvme",
        "/dev/mem",
        "/dev/kmem",
        "/root/",
        "/etc/ssh",
        "/etc/sudoers",
        "/etc/kubernetes",
    ];
    let plain = path.trim_end_matches('/');
    let whole = !path.is_empty() && PLACES.contains(&plain);
    let person = plain.strip_prefix("/home/").is_some_and(|name| !name.contains('/'));
    let inside = plain.strip_prefix("${home}").or_else(|| plain.strip_prefix("$home")).unwrap_or(plain);
    let secret = ["ssh", "aws", "kube", "gnupg", "docker", "azure", "config/gcloud", "netrc"]
        .iter()
        .any(|name| inside.contains(&format!("/.{name}")));
    let socket = plain.rsplit('.').next() == Some("sock")
        && ["docker", "containerd", "crio", "podman"].iter().any(|it| plain.contains(it));
    whole || person || secret || socket || BELOW.iter().any(|start| plain.starts_with(start))
}

/// `hostPath:` with a `path:` that a container should not get.
fn mounts_machine(text: &str) -> bool {
    text.split("hostpath").skip(1).any(|rest| {
        let near = rest.lines().take(4).collect::<Vec<_>>().join("\n");
        values(&near, "path").iter().any(|path| is_machine(path))
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
