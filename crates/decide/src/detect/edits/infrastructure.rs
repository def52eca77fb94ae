//! Edits of files that describe machines, clusters, clouds and databases: rights for everybody, a container that gets the
//! machine below it, protections against deletion that are gone.

use super::change::{Change, holds, lists};
use super::rights;
use super::settings::{Pair, pairs};
use crate::detect::{Detector, Finding, detectors};

const DESCRIBING: &str = "tf hcl json yaml yml tfvars bicep";
const CONFIGURED: &str = "conf cnf ini sshd_config";

/// A key and a value that together open something up.
static OPENINGS: &[(&Detector, &str, &str)] = &[
    (&detectors::PRIVILEGED_CONTAINER, "hostnetwork hostpid hostipc", "true yes on"),
    (&detectors::PRIVILEGED_CONTAINER, "network_mode pid ipc userns_mode", "host"),
    (
        &detectors::PRIVILEGED_CONTAINER,
        "add cap_add",
        "all net_admin sys_admin sys_ptrace sys_module sys_rawio bpf",
    ),
    (
        &detectors::PRIVILEGED_CONTAINER,
        "type security_opt",
        "unconfined seccomp:unconfined apparmor:unconfined label:disable",
    ),
    (&detectors::IAM_BROAD_RIGHTS, "verbs action actions", "* *:* iam:*"),
    (&detectors::IAM_PUBLIC_PRINCIPAL, "principal principals identifiers aws", "* aws:*"),
    (
        &detectors::IAM_PUBLIC_PRINCIPAL,
        "name member members",
        "system:unauthenticated system:anonymous allusers allauthenticatedusers",
    ),
    (
        &detectors::IAM_BROAD_RIGHTS,
        "role roles role_definition_name",
        "roles/owner roles/editor owner contributor user_access_administrator roles/iam.serviceaccounttokencreator",
    ),
    (
        &detectors::PUBLIC_STORAGE,
        "acl predefined_acl accesscontrol container_access_type",
        "public-read public-read-write authenticated-read publicread publicreadwrite blob container",
    ),
    (
        &detectors::OPEN_TO_INTERNET,
        "cidr_blocks ipv6_cidr_blocks cidr_ipv4 cidr_ipv6 source_ranges source_address_prefix cidr cidrip cidripv6",
        "::/0 0.0.0.0/0 0.0.0.0/1 128.0.0.0/1 * internet any",
    ),
    (
        &detectors::PUBLIC_ENDPOINT,
        "allow_blob_public_access allow_nested_items_to_be_public public_network_access_enabled endpoint_public_access",
        "true",
    ),
    (&detectors::DELETION_PROTECTION_OFF, "prevent_destroy disable_api_termination", "false"),
    (
        &detectors::DELETION_PROTECTION_OFF,
        "backup_retention_period backupretentionperiod backup_retention_days",
        "0",
    ),
    (&detectors::PASSWORD_LOGIN, "passwordauthentication", "yes"),
    (&detectors::LISTENS_ON_ALL_INTERFACES, "bind bind-address listen_addresses", "0.0.0.0 *"),
    (&detectors::DATABASE_TRUST_AUTH, "postgres_host_auth_method", "trust"),
];

/// What an edit opens up or leaves without protection.
pub(super) fn opened(change: &Change) -> Option<Finding> {
    let ending = change.ending.as_str();
    let describes = lists(DESCRIBING, ending);
    let database = ending == "sql" || change.path.to_lowercase().contains("migrat");
    if !describes && !database && !lists(CONFIGURED, ending) && ending != "rules" {
        return None;
    }
    if database {
        // What a migration says about roles may be what the user asked for: their word clears it.
        let given = rights::given(&change.after).filter(|_| rights::given(&change.before).is_none());
        return given.map(|detector| Finding::by(detector).soft());
    }
    if rights::open_rules(&change.after) > rights::open_rules(&change.before) {
        return Some(Finding::by(&detectors::STORE_RULES_OPEN));
    }
    let (before, after) = (pairs(&change.before), pairs(&change.after));
    let more = |fits: &dyn Fn(&Pair) -> bool| {
        after.iter().filter(|it| fits(it)).count() > before.iter().filter(|it| fits(it)).count()
    };
    let open = OPENINGS.iter().find(|(detector, keys, values)| {
        // Containers of a project on this machine trust each other from the start.
        let trusts = *detector != &detectors::DATABASE_TRUST_AUTH || change.replaces();
        let gives = |value: &str| {
            let plain = value.replace(' ', "_");
            lists(values, plain.strip_prefix("cap_").unwrap_or(&plain)) || is_alias(value, ending)
        };
        trusts && more(&|it| lists(keys, &it.key) && gives(&it.value))
    });
    let protects = |it: &Pair| {
        holds(&it.key.replace('_', ""), "preventdestroy deletionprotection terminationprotection")
            && it.value == "true"
    };
    let powerful = more(&|it| holds(&it.value, "/iamfullaccess /poweruseraccess"));
    let detector = if powerful {
        &detectors::IAM_BROAD_RIGHTS
    } else if let Some((detector, ..)) = open {
        *detector
    } else if before.iter().filter(|it| protects(it)).count() > after.iter().filter(|it| protects(it)).count()
    {
        &detectors::DELETION_PROTECTION_OFF
    } else if more(&|it| {
        let host = it.parent == "hostpath" && it.key == "path" && is_machine(&it.value);
        host || (is_mount(it) && (holds(&it.value, SOCKETS) || it.value.starts_with("/:")))
    }) {
        &detectors::CONTAINER_HOST_MOUNT
    } else if more(&|it| is_mount(it) && (is_machine(source(&it.value)) || is_alias(&it.value, ending))) {
        &detectors::CONTAINER_SYSTEM_FOLDER
    } else if more(&|it| it.value.ends_with(" trust") || (it.key == "host" && it.value == "trust")) {
        &detectors::PASSWORD_LOGIN
    } else if publishes(change, &before, &after) {
        &detectors::LISTENS_ON_ALL_INTERFACES
    } else {
        return None;
    };
    Some(Finding::by(detector))
}

const SOCKETS: &str = "docker.sock containerd.sock crio.sock podman.sock";

/// A value of YAML that is written elsewhere in the file: it may be anything.
fn is_alias(value: &str, ending: &str) -> bool {
    value.len() > 1 && value.starts_with('*') && !value.contains(':') && matches!(ending, "yml" | "yaml")
}

fn is_mount(pair: &Pair) -> bool {
    lists("volumes devices source", &pair.key)
}

/// What of the machine a container gets: `~/.ssh:/root/.ssh`.
fn source(mount: &str) -> &str {
    let end = mount.find(":/").or_else(|| mount.rfind(':')).unwrap_or(mount.len());
    mount.get(..end).unwrap_or_default()
}

/// Whether a port of a service that controls machines or keeps their secrets, or one that was only for this machine, is
/// published to others. Databases of a project that is worked on are published everywhere.
fn publishes(change: &Change, before: &[Pair], after: &[Pair]) -> bool {
    const CONTROL: &str = "2375 2376 2379 8200 8500";
    if !change.name.contains("compose") {
        return false;
    }
    let numbers = |it: &Pair| it.key.is_empty() && it.value.bytes().all(|it| b"0123456789.:".contains(&it));
    let port = |it: &Pair| {
        (lists("ports published", &it.key) || numbers(it)) && !holds(&it.value, "127. localhost: ::1]:")
    };
    let mut open = after.iter().filter(|it| port(it) && !before.contains(it));
    open.any(|it| {
        let inner = it.value.rsplit(':').next().unwrap_or_default();
        let plain = it.value.trim_start_matches("0.0.0.0:");
        let here =
            ["127.0.0.1:", "localhost:"].iter().any(|near| change.before.contains(&format!("{near}{plain}")));
        lists(CONTROL, inner.split(['/', '-']).next().unwrap_or_default()) || here
    })
}

/// Whether the path holds the whole machine, its settings, its containers, or what is a person's.
fn is_machine(path: &str) -> bool {
    const PLACES: &str = "/etc /root /home /var/run/docker.sock /var/lib/kubelet /var/lib/docker /var/run /run /proc /sys \
        /dev /boot ~ $home ${home}";
    const BELOW: &str = "/dev/sd /dev/nvme /dev/mem /dev/kmem /root/ /etc/ssh /etc/sudoers /etc/kubernetes";
    const PRIVATE: &str = "/.ssh /.aws /.kube /.gnupg /.docker /.azure /.config/gcloud /.netrc";
    let plain = path.trim_end_matches('/');
    let person = plain.strip_prefix("/home/").is_some_and(|name| !name.contains('/'));
    path == "/"
        || person
        || lists(PLACES, plain)
        || holds(plain, PRIVATE)
        || holds(plain, SOCKETS)
        || BELOW.split_whitespace().any(|start| plain.starts_with(start))
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
            assert!(opened(&Change::new(path, old, new)).is_some(), "{new}");
        }
        for (path, old, new) in [
            ("a.yaml", "", "hostPath:\n  path: /var/log/app\n"),
            ("a.tf", "acl = \"public-read\"", "acl = \"private\""),
            ("a.tf", "", "actions = [\"s3:GetObject\"]"),
            ("a.sql", "", "create policy a on t for select using (true);"),
            ("a.js", "", "ACL: 'public-read'"),
        ] {
            assert!(opened(&Change::new(path, old, new)).is_none(), "{new}");
        }
    }
}
