//! What a name says about the value that is given to it: `DB_PASSWORD`, `apiKey`, `X-Auth-Token`.

/// How much a name says about its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    /// A password or a secret: any value is one.
    Strong,
    /// A token or a key: values that look like one.
    Medium,
    /// Only the word `key` and the like: values that cannot be anything else.
    Weak,
    /// A header with a scheme before the secret.
    Authorization,
    /// A header that is secret to its end.
    Cookie,
}

/// A name's weight, and what its value is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    pub(super) weight: Weight,
    pub(super) kind: &'static str,
}

/// Names are looked at from their end, so much of them.
const LONGEST: usize = 64;

/// Last words that make a name speak of something about the secret, not of the secret.
const ABOUT: &[&str] = &[
    "file",
    "files",
    "path",
    "dir",
    "directory",
    "folder",
    "url",
    "uri",
    "endpoint",
    "name",
    "names",
    "id",
    "ids",
    "length",
    "len",
    "min",
    "max",
    "count",
    "ttl",
    "expiry",
    "expires",
    "expiration",
    "expired",
    "policy",
    "type",
    "types",
    "field",
    "fields",
    "label",
    "prompt",
    "hint",
    "error",
    "errors",
    "reset",
    "regex",
    "pattern",
    "ref",
    "refs",
    "arn",
    "env",
    "var",
    "stdin",
    "version",
    "size",
    "limit",
    "limits",
    "store",
    "manager",
    "provider",
    "class",
    "service",
    "server",
    "generator",
    "validator",
    "strength",
    "form",
    "input",
    "page",
    "view",
    "test",
    "tests",
    "required",
    "enabled",
    "disabled",
    "rotation",
    "scanning",
    "scanner",
    "location",
    "host",
    "port",
    "usage",
    "budget",
    "index",
    "position",
    "kind",
    "format",
    "algorithm",
    "alg",
    "encoding",
    "issuer",
    "audience",
    "scope",
    "scopes",
    "status",
    "changed",
    "age",
    "attempts",
    "mode",
    "only",
    "check",
    "helper",
    "command",
    "cmd",
    "js",
    "ts",
    "py",
    "go",
    "rs",
    "md",
    "json",
    "yaml",
    "yml",
    "toml",
    "txt",
    "rb",
    "java",
    "html",
    "css",
    "sh",
    "method",
    "option",
    "options",
    "header",
    "prefix",
    "suffix",
    "engine",
    "driver",
    "resolver",
    "parser",
];

/// Words that may follow the one that a name is about.
const FURTHER: &[&str] = &[
    "key",
    "value",
    "string",
    "base",
    "text",
    "token",
    "data",
    "plain",
    "plaintext",
    "raw",
    "old",
    "new",
    "current",
    "prod",
    "production",
    "staging",
    "dev",
    "live",
    "main",
    "primary",
    "secondary",
    "confirm",
    "confirmation",
    "repeat",
    "again",
    "hash",
    "digest",
    "admin",
    "root",
    "user",
    "db",
    "1",
    "2",
    "3",
    "v1",
    "v2",
    "base64",
    "hex",
    "enc",
    "encrypted",
];

/// What stands before `key` where the key is a secret.
const KEY_OF: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "signing",
    "service",
    "account",
    "master",
    "app",
    "application",
    "client",
    "shared",
    "storage",
    "session",
    "deploy",
    "admin",
    "root",
    "license",
    "subscription",
    "hmac",
    "cipher",
    "crypto",
    "webhook",
    "functions",
    "function",
    "host",
    "write",
    "ingest",
    "instrumentation",
    "decryption",
    "management",
    "integration",
    "openai",
    "anthropic",
    "server",
    "aes",
    "jwt",
];

/// Names written as one word.
const COMPACT: &[&str] = &[
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "accountkey",
    "authkey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "sharedaccesskey",
    "clientkey",
    "sessionkey",
    "licensekey",
    "storagekey",
];

/// What a name says; nothing if its value is no secret.
pub(super) fn meaning(name: &[u8]) -> Option<Meaning> {
    let name = name.get(name.len().saturating_sub(LONGEST)..).unwrap_or_default();
    let words = words(name);
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    let last = *words.last()?;
    let before = words.len().checked_sub(2).and_then(|place| words.get(place)).copied().unwrap_or_default();
    let found = |weight, kind| Some(Meaning { weight, kind });
    if last == "authorization" {
        return found(Weight::Authorization, "authorization");
    }
    if last == "cookie" || last == "cookies" && words.len() == 1 {
        return found(Weight::Cookie, "cookie");
    }
    // What proves a role to Vault is called an id.
    if last == "id" && before == "secret" {
        return found(Weight::Medium, "secret");
    }
    // `--no-password`, and the shell's own working directory.
    if words.first() == Some(&"no") || ABOUT.contains(&last) || matches!(name, b"PWD" | b"OLDPWD") {
        return None;
    }
    // What a name is about stands last in it; only words that add nothing may follow.
    let of = |is: fn(&str) -> bool| is(last) || FURTHER.contains(&last) && words.iter().any(|word| is(word));
    if of(is_password) || last == "pw" {
        return found(Weight::Strong, "password");
    }
    if of(|word| word.ends_with("secret")) || matches!(last, "secrets" | "psk") {
        return found(Weight::Strong, "secret");
    }
    if last.ends_with("token") || words.contains(&"token") && matches!(last, "value" | "secret") {
        return found(Weight::Medium, "token");
    }
    if matches!(
        last,
        "bearer" | "jwt" | "otp" | "sessionid" | "sessid" | "credential" | "credentials" | "auth"
    ) {
        return found(Weight::Medium, "token");
    }
    let compact = COMPACT.iter().any(|known| last.ends_with(known));
    if compact || last == "key" && KEY_OF.contains(&before) || last == "base64" && before == "key" {
        return found(Weight::Medium, "key");
    }
    if matches!(last, "sig" | "signature" | "key" | "sid" | "sess" | "session") && before != "public" {
        return found(Weight::Weak, "key");
    }
    None
}

fn is_password(word: &str) -> bool {
    let last = ["password", "passwd", "passphrase", "passcode", "pwd", "passwort", "pass"];
    let others =
        ["bypass", "compass", "encompass", "surpass", "trespass", "overpass", "underpass", "renderpass"];
    last.iter().any(|known| word.ends_with(known)) && word != "oldpwd" && !others.contains(&word)
}

/// The words of a name in small letters, with blanks between them: `dbPassword` and `DB_PASSWORD` are the same.
fn words(name: &[u8]) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut small = false;
    for byte in name {
        if !byte.is_ascii_alphanumeric() {
            words.push(' ');
        } else if byte.is_ascii_uppercase() && small {
            words.push(' ');
            words.push(char::from(byte.to_ascii_lowercase()));
        } else {
            words.push(char::from(byte.to_ascii_lowercase()));
        }
        small = byte.is_ascii_lowercase() || byte.is_ascii_digit();
    }
    words
}

/// Whether four bytes in small letters, read as one number, can be in a name with a meaning. Everything that
/// [`meaning`] knows has such a window; a test holds this to the lists.
pub(super) const fn hints(window: u32) -> bool {
    let three = window & 0x00ff_ffff;
    matches!(three, PWD | KEY | SIG | JWT | OTP | PSK | SID | SES | PW_ | _PW)
        || matches!(window, PASS | SECR | TOKE | AUTH | COOK | BEAR | CRED)
}

const fn window(text: [u8; 4]) -> u32 {
    u32::from_be_bytes(text)
}

const PASS: u32 = window(*b"pass");
const SECR: u32 = window(*b"secr");
const TOKE: u32 = window(*b"toke");
const AUTH: u32 = window(*b"auth");
const COOK: u32 = window(*b"cook");
const BEAR: u32 = window(*b"bear");
const CRED: u32 = window(*b"cred");
const PWD: u32 = window(*b"\0pwd");
const KEY: u32 = window(*b"\0key");
const SIG: u32 = window(*b"\0sig");
const JWT: u32 = window(*b"\0jwt");
const OTP: u32 = window(*b"\0otp");
const PSK: u32 = window(*b"\0psk");
const SID: u32 = window(*b"\0sid");
const SES: u32 = window(*b"\0ses");
const PW_: u32 = window(*b"\0pw=");
const _PW: u32 = window(*b"\0_pw");

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(name: &str) -> Option<Weight> {
        meaning(name.as_bytes()).map(|meaning| meaning.weight)
    }

    /// [C18]
    #[test]
    fn names_are_read_by_their_words() {
        for name in
            ["password", "DB_PASSWORD", "dbPassword", "PGPASSWORD", "MYSQL_PWD", "client-secret", "db_pass"]
        {
            assert_eq!(weight(name), Some(Weight::Strong), "{name}");
        }
        for name in
            ["apiKey", "X-Api-Key", "aws_secret_access_key", "GITHUB_TOKEN", "AccountKey", "_authToken"]
        {
            assert!(matches!(weight(name), Some(Weight::Medium | Weight::Strong)), "{name}");
        }
        for name in
            ["PWD", "passwordFile", "max_tokens", "secretName", "tokenizer", "monkey", "password_reset"]
        {
            assert_eq!(weight(name), None, "{name}");
        }
        assert_eq!(weight("public_key"), None);
        assert_eq!(weight("Authorization"), Some(Weight::Authorization));
    }

    #[test]
    fn every_name_with_a_meaning_has_a_hint() {
        let lone = [
            "authorization",
            "cookie",
            "pass",
            "db_pw",
            "secrets",
            "psk",
            "bearer",
            "jwt",
            "otp",
            "credential",
        ];
        let known = COMPACT.iter().chain(&lone).copied().chain(KEY_OF.iter().map(|_| "x_key"));
        for name in known {
            assert!(meaning(name.as_bytes()).is_some(), "{name}");
            let mut seen = 0;
            let hinted = name.bytes().any(|byte| {
                seen = seen << 8 | u32::from(byte);
                hints(seen)
            });
            assert!(hinted, "{name}");
        }
    }
}
