//! The names themselves.

/// Whole file names, compared without regard to case.
pub(super) const NAMES: &[&str] = &[
    ".env",
    ".dev.vars",
    ".flaskenv",
    ".databrickscfg",
    "kaggle.json",
    "k3s.yaml",
    "wp-config.php",
    "pip.conf",
    "chap-secrets",
    "pap-secrets",
    "shadow-",
    "gshadow-",
    "terraform.tfstate.backup",
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
    ".vault_pass",
    ".vault-pass",
    ".vault_password",
    ".vault-password",
    "vault-token",
    "local.settings.json",
    "token.txt",
    "tokens.txt",
    "password.txt",
    "passwords.txt",
    "passwords.csv",
    "secrets.txt",
    "secret.json",
    "secret.yml",
    "secret.yaml",
    "secret.toml",
    ".secret",
    ".secrets.toml",
    ".token",
    ".password",
    ".passwd",
    ".apikey",
    ".api_key",
    ".sentryclirc",
    ".clasprc.json",
    ".mylogin.cnf",
    ".dockerconfigjson",
    ".netrc.gpg",
    "pgpass.conf",
    "usersecrets.json",
    "appsettings.secrets.json",
    "keystore.properties",
    "key.properties",
    "keypair.json",
    "mnemonic.txt",
    ".mnemonic",
    "recovery-codes.txt",
    "aws_credentials",
    "gcp_credentials",
];

/// Endings of file names.
pub(super) const ENDINGS: &[&str] = &[
    ".env",
    ".tfvars",
    ".tfstate",
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
    ".tfvars.json",
    ".kdb",
    ".jceks",
    ".bcfks",
    ".p8",
    ".pkcs12",
    ".pvk",
    ".kubeconfig",
    "_rsa",
    "_ed25519",
];

/// How the names of keys begin.
const KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// What the names of files with data say that hold credentials, without the signs between the words.
const WORDS: &[&str] = &[
    "credentials",
    "clientsecret",
    "accesskeys",
    "rootkey",
    "privatekey",
    "apikey",
    "vaultpass",
    "kubeconfig",
    "adminsdk",
];

/// Endings of files with data.
const DATA: &[&str] = &["json", "yml", "yaml", "csv", "txt", "toml", "ini", "conf", "properties", "xml"];

/// What the names of files say that show how such data is written, or that are there for everybody.
const SHOWN: &[&str] = &["example", "sample", "template", "schema", "public"];

/// Stages whose variables a file without a dot before its name may hold: `env.production`.
const STAGES: &[&str] = &[
    "prod",
    "production",
    "live",
    "stage",
    "staging",
    "local",
    "dev",
    "development",
    "secret",
    "secrets",
    "private",
];

/// Endings and names of files that are no credentials wherever they lie: code, pages, and what describes others.
const OTHERWISE: &[&str] = &[
    "rs",
    "py",
    "pyi",
    "ts",
    "tsx",
    "mts",
    "cts",
    "js",
    "jsx",
    "mjs",
    "cjs",
    "go",
    "java",
    "kt",
    "kts",
    "rb",
    "php",
    "c",
    "h",
    "cc",
    "cpp",
    "hpp",
    "cs",
    "fs",
    "swift",
    "scala",
    "ex",
    "exs",
    "erl",
    "hs",
    "ml",
    "clj",
    "lua",
    "dart",
    "vue",
    "svelte",
    "md",
    "mdx",
    "rst",
    "adoc",
    "html",
    "css",
    "scss",
    "svg",
    "png",
    "tf",
    "hcl",
    "proto",
    "graphql",
    "sql",
    "sh",
    "bash",
    "zsh",
    "ps1",
    "nix",
    "bazel",
    "snap",
    "gitkeep",
    "keep",
    "gitignore",
    "pub",
    "crt",
];
const DESCRIBES: &[&str] = &[
    "readme",
    "license",
    "makefile",
    "dockerfile",
    "kustomization.yaml",
    "kustomization.yml",
    "package.json",
    "tests",
];

/// Whether it is a key under a name of its own: `id_rsa.bak`, `id_ed25519_work`, `.secrets`.
pub(super) fn is_key(name: &str) -> bool {
    let rest = KEYS.iter().find_map(|key| name.strip_prefix(key)).unwrap_or_default();
    // Too many patterns find the last name to have it among the others.
    (rest.starts_with(['.', '_', '-']) && rest.strip_suffix(".pub").is_none()) || name == ".secrets"
}

/// Whether it is a file with data whose name says that it holds credentials: `gcp-service-account.json`.
pub(super) fn is_data(name: &str) -> bool {
    let Some((stem, kind)) = name.rsplit_once('.').filter(|(_, kind)| DATA.contains(kind)) else {
        return false;
    };
    let words = stem.replace(['-', '_'], "");
    // An account of a cluster is described in other forms, and those hold nothing.
    let account = kind == "json" && words.contains("serviceaccount");
    let key = kind == "json" && [".key", "-key", "_key"].iter().any(|end| stem.ends_with(end));
    let told =
        account || key || words.starts_with("secrets.") || WORDS.iter().any(|word| words.contains(word));
    told && !SHOWN.iter().any(|shown| words.contains(shown))
}

/// Whether it holds the variables of a stage: `env.production`.
pub(super) fn is_stage(name: &str) -> bool {
    let stage = ["env.", "env-", "env_"].iter().find_map(|start| name.strip_prefix(start));
    stage.is_some_and(|stage| STAGES.contains(&stage))
}

/// Whether a file in a folder for secrets is one, by its name: code and pages about them lie in such folders, too.
pub(super) fn is_kept(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let shown = SHOWN.iter().any(|shown| name.contains(shown));
    !shown && !OTHERWISE.contains(&ending) && !DESCRIBES.contains(&name)
}
