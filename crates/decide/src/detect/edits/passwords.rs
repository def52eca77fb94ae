//! Passwords, keys and tokens that a line spells out, in code or in settings.

use super::change::{holds, lists};
use super::settings::pairs;

/// Parts of names of what opens something, without what joins their words.
const NAMES: &str = "password passwd passphrase secret apikey apitoken accesskey accesstoken authtoken authkey bearertoken \
    privatekey signingkey encryptionkey servicetoken refreshtoken bottoken webhooktoken licensekey masterkey";

/// Words beside such a name that make it one of something else.
const OTHERS: &str = "field label placeholder input regex pattern hash path url name id error message header file type hint rule \
    test mock fake sample example ref";

const PLACEHOLDERS: &str = "example changeme your xxx test dummy placeholder password secret todo";

/// Whether a line gives a password or key that is spelled out to a name for one.
pub(super) fn holds_password(line: &str, path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    if holds(&file, "example sample template") {
        return false;
    }
    let settings = holds(&file, ".yml .yaml .properties .ini .conf .cfg .env .sh .xml dockerfile");
    // `<token>…</token>`, `setToken("…")`, `env.KEY || "…"`, `setdefault("KEY", "…")`, `ENV KEY …`
    let plain = line.replace("</", "\n").replace(['>', '('], " = ").replace("||", "=");
    let plain = plain.replace("\", \"", "\" = \"").replace("', '", "' = '").replacen("ENV ", "", 1);
    // `token: string = "…"`
    let typed =
        line.split_once('=').and_then(|(left, value)| Some(format!("{} = {value}", left.split_once(':')?.0)));
    let all = pairs(line).into_iter().chain(pairs(&plain)).chain(pairs(&typed.unwrap_or_default()));
    let given = all.into_iter().any(|it| {
        let value = it.value.trim_start_matches(['b', 'f', 'r']).trim_matches(['"', '\'']);
        let value = if settings { value.split(' ').next().unwrap_or_default() } else { value };
        let quoted = ["\"", "'", "`"].iter().any(|quote| line.contains(&format!("{quote}{value}{quote}")));
        (settings || quoted) && is_secret(&it.key, value)
    });
    // `Authorization: Bearer …`
    let sent = ["Bearer ", "Basic ", "Token "].iter().flat_map(|kind| line.split(kind).skip(1));
    let sent = sent.filter_map(|rest| rest.split(['"', '\'', ' ', '`']).next());
    let given = given || (line.to_lowercase().contains("authorization") && sent.into_iter().any(is_key));
    given || opens_database(line)
}

/// Whether a name is one for a secret, and its value could be one.
fn is_secret(name: &str, value: &str) -> bool {
    let words = crate::detect::routine::tasks::words(&name.replace('-', "_"));
    if words.iter().any(|word| lists(OTHERS, word)) {
        return false;
    }
    let squeezed = name.to_lowercase().replace(['-', '_'], "");
    // A token may also be a part of a text, and only what nobody could say by heart is a key.
    (holds(&squeezed, NAMES) && (is_password(value) || is_key(value)))
        || (squeezed.ends_with("token") && is_key(value))
}

fn is_mixed(value: &str) -> bool {
    value.bytes().any(|it| it.is_ascii_uppercase()) && value.bytes().any(|it| it.is_ascii_lowercase())
}

/// Whether a text is a password or key and no name, address or placeholder.
fn is_password(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|it| it.is_ascii_digit())
        && value.bytes().any(|it| it.is_ascii_alphabetic())
        && !value.contains([' ', '/', '$', '{', '<', '(', '.', ':', '%'])
        && (is_mixed(value) || !value.contains(['-', '_']))
        && !holds(&value.to_lowercase(), PLACEHOLDERS)
}

/// Whether a text is as long and as mixed as only a key is.
fn is_key(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let hexadecimal = value.len() >= 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain = value.chars().all(|it| it.is_ascii_alphanumeric() || "/+=_.-".contains(it));
    value.len() >= 16
        && plain
        && ((is_mixed(value) && digits >= 2) || hexadecimal)
        && !holds(&value.to_lowercase(), PLACEHOLDERS)
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
