//! Tools of other programs that show what is secret: by the server's name, by their own, and by what they are asked for.

use serde_json::Value;

use super::statements;
use crate::detect::routine::tasks;

/// Words of names and kinds of things that are secret.
const SECRETS: &[&str] = words!(
    "secret secrets credential credentials cred creds dsn dotenv mnemonic token tokens password passwords \
     passphrase passkey passkeys key keys apikey apikeys login logins cookie cookies env envs vars \
     variables keyvault keychain kubeconfig otp totp"
);

/// Parts of names of servers that keep secrets and little else.
const KEEPERS: &[&str] = words!(
    "1password onepassword bitwarden vaultwarden lastpass dashlane keepass vault keychain keyring doppler \
     infisical secretsmanager secret-manager secrets-manager"
);

/// Servers that keep secrets, by a word of their name: `pass`, but not `compass`.
const KEEPER_WORDS: &[&str] =
    words!("pass gopass sops keeper akeyless conjur chamber passbolt nordpass protonpass enpass");

/// Whether the tool can show what is secret.
pub(super) fn shows(name: &str, own: &[String], input: &Value, given: &[&str]) -> bool {
    is_keeper(name) || names_secrets(name, own, input) || asks_for_secrets(input) || asks_cluster(name, given)
}

/// Whether the server keeps secrets; a vault of Obsidian holds notes.
fn is_keeper(name: &str) -> bool {
    let server = name.rsplit_once("__").map_or("", |(server, _)| server).to_lowercase().replace('_', "-");
    let named = KEEPERS.iter().any(|keeper| server.contains(keeper)) && !server.contains("obsidian");
    let mut words = server.split('-').filter(|word| !word.is_empty());
    // The program of 1Password.
    named || words.any(|word| KEEPER_WORDS.contains(&word)) || server == "mcp--op"
}

/// Whether the tool's own name speaks of secrets.
fn names_secrets(name: &str, own: &[String], input: &Value) -> bool {
    let says = |known: &str| own.iter().any(|word| word == known);
    let of_server = |known: &[&str]| tasks::words(name).iter().any(|word| known.contains(&word.as_str()));
    // Keys of a keyboard, and of a store in which every value has one.
    let plain = says("press") || statements::has_keys(name);
    let secret = own
        .iter()
        .any(|word| SECRETS.contains(&word.as_str()) && !(plain && matches!(word.as_str(), "key" | "keys")));
    let connection = says("connection") && (says("string") || says("strings") || says("uri") || says("url"));
    let phrase = says("phrase") && (says("seed") || says("recovery") || says("backup"));
    let variable = says("variable") && (says("environment") || says("ci"));
    let parameter = (says("parameter") || says("parameters"))
        && of_server(&["aws", "ssm"])
        && input.get("with_decryption") != Some(&Value::Bool(false));
    // What is made is kept there as it is, with its passwords.
    let state = says("state") && of_server(&["terraform", "tofu", "pulumi"]);
    secret || connection || phrase || variable || parameter || state
}

/// Whether a field, however deep, asks for a thing of a secret kind, or for what is kept encrypted.
fn asks_for_secrets(value: &Value) -> bool {
    const KINDS: &[&str] = &["kind", "kinds", "type", "types", "resource", "resources", "object", "objects"];
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => is_secret_address(text),
        Value::Array(items) => items.iter().any(asks_for_secrets),
        Value::Object(fields) => fields.iter().any(|(name, inner)| {
            let lower = name.to_lowercase();
            let kind = KINDS.iter().any(|kind| lower.ends_with(kind)) && is_secret_kind(inner);
            kind || (lower.contains("decrypt") && *inner != Value::Bool(false)) || asks_for_secrets(inner)
        }),
    }
}

fn is_secret_kind(value: &Value) -> bool {
    match value {
        Value::String(kind) => {
            let whole = kind.to_lowercase();
            SECRETS.contains(&whole.as_str())
                || tasks::words(kind).iter().any(|word| SECRETS.contains(&word.as_str()))
        }
        Value::Array(kinds) => kinds.iter().any(is_secret_kind),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

/// Whether a text is the path of secrets in an interface: `/api/v1/secrets`.
pub(super) fn is_secret_address(text: &str) -> bool {
    let mut parts = text.split(['/', '?']).filter(|part| !part.is_empty() && *part != ".");
    parts.next().is_some_and(|first| matches!(first, "api" | "apis" | "v1" | "v2"))
        && parts.any(|part| matches!(part, "secret" | "secrets"))
}

/// Whether a cluster is asked for its secrets in any word.
fn asks_cluster(name: &str, given: &[&str]) -> bool {
    let cluster = tasks::words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "k8s" | "kubernetes" | "kubectl" | "openshift"));
    let mut words = given.iter().flat_map(|text| text.split(|it: char| !it.is_alphanumeric()));
    cluster && words.any(|word| word.eq_ignore_ascii_case("secret") || word.eq_ignore_ascii_case("secrets"))
}
