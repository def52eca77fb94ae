//! Passwords, keys and tokens that a line spells out, in code or in settings.

/// Names of what opens something, without what joins their words.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "apitoken",
    "accesskey",
    "accesstoken",
    "authtoken",
    "authkey",
    "bearertoken",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "servicetoken",
    "refreshtoken",
    "bottoken",
    "webhooktoken",
    "licensekey",
    "masterkey",
];

/// Words beside such a name that make it one of something else.
const OTHERS: &[&str] = &[
    "field",
    "label",
    "placeholder",
    "input",
    "regex",
    "pattern",
    "hash",
    "path",
    "url",
    "name",
    "id",
    "error",
    "message",
    "header",
    "file",
    "type",
    "hint",
    "rule",
    "test",
    "mock",
    "fake",
    "sample",
    "example",
    "ref",
];

/// How many places of a line may give a value to a name.
const LOOKED_AT: usize = 60;

/// Whether a line gives a password or key that is spelled out to a name for one.
pub(super) fn holds_password(line: &str, path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    if ["example", "sample", "template"].iter().any(|word| file.contains(word)) {
        return false;
    }
    let settings = ["yml", "yaml", "properties", "ini", "conf", "cfg", "env", "sh", "xml"]
        .iter()
        .any(|end| file.ends_with(end))
        || file.contains("dockerfile");
    let mut places = line.match_indices([':', '=', ',', '|', ' ', '>', '(']).take(LOOKED_AT);
    let given = places.any(|(at, sign)| {
        let (left, right) = line.split_at_checked(at).unwrap_or_default();
        gives(left, right, sign, settings)
    });
    given || opens_database(line)
}

/// Whether what is left of a sign is the name of a secret, and right of it one that is spelled out.
fn gives(left: &str, right: &str, sign: &str, settings: bool) -> bool {
    // `token: string = "…"`
    let untyped = left.rsplit_once(':').map_or("", |(before, _)| before);
    let names = [left, untyped].map(last_name);
    // `setdefault("API_KEY", "…")`, `env.API_KEY || "…"`, `ENV API_KEY …`, `<token>…</token>`, `setToken("…")`.
    let joined = match sign {
        "," => left.ends_with(['"', '\'']),
        "|" => right.starts_with("||"),
        " " => left.starts_with("ENV "),
        ">" => left.starts_with('<') && right.contains("</"),
        "(" => last_name(left).starts_with("set"),
        _ => !right.starts_with("==") && !left.ends_with(['=', '!', '<', '>']),
    };
    let value = right.trim_start_matches(['=', ':', ',', '|', ' ', '?', '>', '(']);
    let marked = value.strip_prefix(['b', 'f', 'r']).filter(|rest| rest.starts_with(['"', '\'']));
    let value = marked.unwrap_or(value);
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'));
    let quoted = quote.and_then(|quote| value.split(quote).nth(1));
    let bare = value.split(|it: char| it.is_whitespace() || it == '<').next().filter(|_| settings);
    let sent = value.split(['"', '\'']).find(|part| !part.is_empty()).unwrap_or_default();
    let value = quoted.or(bare).unwrap_or_default();
    joined && names.iter().any(|name| is_secret(name, value) || is_sent_secret(name, sent))
}

/// The name at the end of a text.
fn last_name(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'', ' ', ':', ']']);
    text.rsplit(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-')).next().unwrap_or_default()
}

/// Whether a header hands over a secret: `Authorization: Bearer …`.
fn is_sent_secret(name: &str, value: &str) -> bool {
    let kinds = ["Bearer ", "Basic ", "Token "];
    name.eq_ignore_ascii_case("authorization")
        && kinds.iter().find_map(|kind| value.strip_prefix(kind)).is_some_and(is_key)
}

/// Whether a name is one for a secret, and its value could be one.
fn is_secret(name: &str, value: &str) -> bool {
    let words = crate::detect::routine::tasks::words(&name.replace('-', "_"));
    let squeezed = name.to_lowercase().replace(['-', '_'], "");
    if words.iter().any(|word| OTHERS.contains(&word.to_lowercase().as_str())) {
        return false;
    }
    if NAMES.iter().any(|known| squeezed.contains(known)) {
        return is_password(value) || is_key(value);
    }
    // A token may also be a part of a text, and only what nobody could say by heart is a key.
    squeezed.ends_with("token") && is_key(value)
}

/// Texts that are placeholders for a secret.
const PLACEHOLDERS: &[&str] =
    &["example", "changeme", "your", "xxx", "test", "dummy", "placeholder", "password", "secret", "todo"];

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Whether a text is a password or key and no name, address or placeholder.
fn is_password(value: &str) -> bool {
    let has = |wanted: fn(char) -> bool| value.chars().any(wanted);
    let mixed = has(|it| it.is_ascii_uppercase()) && has(|it| it.is_ascii_lowercase());
    value.len() >= 8
        && has(|it| it.is_ascii_digit())
        && has(|it| it.is_ascii_alphabetic())
        && !value.contains([' ', '/', '$', '{', '<', '(', '.', ':', '%'])
        && (mixed || !value.contains(['-', '_']))
        && !is_placeholder(value)
}

/// Whether a text is as long and as mixed as only a key is.
fn is_key(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let has = |wanted: fn(char) -> bool| value.chars().any(wanted);
    let mixed = has(|it| it.is_ascii_uppercase()) && has(|it| it.is_ascii_lowercase()) && digits >= 2;
    let hexadecimal = value.len() >= 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain =
        value.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '/' | '+' | '=' | '_' | '.' | '-'));
    value.len() >= 16 && plain && (mixed || hexadecimal) && !is_placeholder(value)
}

/// Whether a line names a database elsewhere together with its password: `postgres://app:…@db.internal/app`.
fn opens_database(line: &str) -> bool {
    line.split("://").skip(1).any(|rest| {
        let whole = rest.split(['/', '"', '\'', ' ', '`', '?']).next().unwrap_or_default();
        let Some((owner, host)) = whole.rsplit_once('@') else { return false };
        let password = owner.split_once(':').map_or("", |(_, password)| password);
        is_password(password) && host.contains('.') && !crate::web::is_loopback(host)
    })
}
