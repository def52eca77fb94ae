//! Files that hold credentials, by their usual names.
//!
//! Knows names only; it never looks at a file.

/// Whole file names, compared without regard to case.
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".vault-token",
    ".dockercfg",
    ".s3cfg",
    ".boto",
    ".authinfo",
    ".authinfo.gpg",
    ".envrc",
    "shadow",
    "gshadow",
    "sudoers",
    "master.passwd",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "credentials.db",
    "access_tokens.db",
    "application_default_credentials.json",
    "accesstokens.json",
    "azureprofile.json",
    "msal_token_cache.json",
    "service-account.json",
    "serviceaccount.json",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.toml",
    "secrets.env",
    "secret.key",
    "token.json",
    "tokens.json",
    "hosts.yml",
    "kubeconfig",
    "terraform.tfstate",
    "terraform.tfvars",
    ".terraformrc",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "identity",
    "login.keychain",
    "login.keychain-db",
    "wallet.dat",
    "logins.json",
    "key4.db",
    "key3.db",
    "login data",
    "admin.conf",
    "oauth_creds.json",
    ".credentials.json",
    "rclone.conf",
    "ngrok.yml",
    "gradle.properties",
    "sitemanager.xml",
    "keys.txt",
    "cookies.sqlite",
    "auth.json",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".node_repl_history",
    "fish_history",
    "sam",
    "system.hive",
];

/// Endings of file names.
const ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".asc.key",
    ".gpg.key",
    ".mobileprovision",
    ".ovpn",
];

/// Directories whose content is secret.
const FOLDERS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".oci",
    "gcloud",
    "keychains",
    "keyrings",
    ".keychain",
    "glab-cli",
    ".vault",
    ".1password",
    "1password",
    "doctl",
];

/// Files in those directories that are not.
const PLAIN: &[&str] = &["known_hosts"];

/// Whether `path` is the usual place of a credential. With `exact` false, `*`, `?` and `[…]` in the
/// path are wildcards, and a path that could match counts.
pub(crate) fn is_secret_path(path: &str, exact: bool) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split('/').rev();
    let name = parts.next().unwrap_or_default();
    let in_folder = parts
        .clone()
        .any(|part| FOLDERS.iter().any(|folder| if exact { *folder == part } else { reaches(part, folder) }));
    let mounted = lower.starts_with("/run/secrets/") || lower.starts_with("/var/run/secrets/");
    let process = lower.starts_with("/proc/") && (lower.ends_with("/environ") || lower.ends_with("/mem"));
    if in_folder && !PLAIN.contains(&name) {
        return true;
    }
    process || mounted || is_secret_name(name, exact) || (FOLDERS.contains(&name) && name.starts_with('.'))
}

fn is_secret_name(name: &str, exact: bool) -> bool {
    if name.is_empty() {
        return false;
    }
    let env_file = name == ".env" || name.starts_with(".env.") || (!exact && name.starts_with(".env"));
    let named = name.strip_prefix("credentials").is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let ending = ENDINGS.iter().any(|end| name.ends_with(end)) && !name.ends_with(".pub.pem");
    let wild = !exact && name.starts_with(".e") && could_be(name, ".env", false);
    env_file
        || named
        || ending
        || wild
        || NAMES.iter().any(|known| if exact { *known == name } else { reaches(name, known) })
}

/// A pattern reaches a secret name when it names part of it; a bare `*` or `*.ending` does not count as naming.
fn reaches(pattern: &str, name: &str) -> bool {
    let named = pattern.bytes().filter(|byte| !matches!(byte, b'*' | b'?' | b'[' | b']')).count();
    named >= 2 && !pattern.starts_with("*.") && could_be(pattern, name, false)
}

fn could_be(pattern: &str, name: &str, exact: bool) -> bool {
    if exact { pattern == name } else { wild_match(pattern.as_bytes(), name.as_bytes()) }
}

/// `*` any text, `?` and a bracket one character; linear apart from one restart position.
fn wild_match(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    let mut restart: Option<(usize, usize)> = None;
    while position < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                restart = Some((at + 1, position));
                at += 1;
            }
            Some(b'[') => {
                let close = pattern.iter().skip(at).position(|byte| *byte == b']').unwrap_or(0);
                at += close + 1;
                position += 1;
            }
            Some(byte) if *byte == b'?' || text.get(position) == Some(byte) => {
                at += 1;
                position += 1;
            }
            Some(_) | None => {
                let Some((after, from)) = restart else { return false };
                restart = Some((after, from + 1));
                at = after;
                position = from + 1;
            }
        }
    }
    pattern.iter().skip(at).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_known_by_their_place() {
        for path in [
            "~/.ssh/id_rsa",
            "/home/dev/.aws/credentials",
            ".env",
            "app/.env.production",
            "/etc/shadow",
            "~/.netrc",
            "server.key",
            "~/.config/gcloud/x.json",
            "/proc/1/environ",
            "~/.ssh/config",
            "~/.SSH/ID_RSA",
        ] {
            assert!(is_secret_path(path, true), "{path}");
        }
        for path in
            ["src/environment.rs", ".environment", "~/.ssh/known_hosts", "Cargo.toml", "docs/keys.md", "-"]
        {
            assert!(!is_secret_path(path, true), "{path}");
        }
    }

    #[test]
    fn a_pattern_that_names_part_of_a_secret_reaches_it() {
        for path in ["~/.ssh/*", "~/.s*h/id_rsa", "*/.env", ".en?", ".env?", "~/.ssh/id_*", ".netr*"] {
            assert!(is_secret_path(path, false), "{path}");
        }
        for path in ["*", "src/*.rs", "*.json", "*/Cargo.toml"] {
            assert!(!is_secret_path(path, false), "{path}");
        }
    }
}
