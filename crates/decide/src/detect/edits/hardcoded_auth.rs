//! One fixed text that always gets in: a password, a person or a header that code compares what it is given with.

/// Names of what only the right person knows.
const KNOWN_TO_ONE: &[&str] = &[
    "pw",
    "pwd",
    "pass",
    "passwd",
    "password",
    "passphrase",
    "secret",
    "otp",
    "pin",
    "api_key",
    "apikey",
    "auth_token",
    "access_token",
];
/// Those of them that machines make.
const MADE_BY_MACHINES: &[&str] = &["secret", "api_key", "apikey", "auth_token", "access_token"];
/// Names of who somebody is.
const WHO: &[&str] = &["email", "username", "user_name", "userid", "user_id", "login", "name"];

/// Whether a line gains a fixed text that lets somebody in.
pub(super) fn opens_for_one(old: &str, new: &str) -> bool {
    const SIGNS_IN: &[&str] = &["login", "auth", "admin", "session", "check", "valid", "verify", "user"];
    const ANSWERS: &[&str] = &["return", "true", "next(", "admin", "||", " or "];
    let signs_in = |text: &str| SIGNS_IN.iter().any(|word| text.contains(word));
    let either = |line: &str| line.contains("||") || line.contains(" or ");
    let added = new.lines().filter(|line| !old.contains(line.trim()));
    let mut fixed =
        added.flat_map(|line| compared(line).into_iter().map(move |(name, text)| (line, name, text)));
    fixed.any(|(line, name, text)| {
        let last = name.rsplit(['.', '>', ':', '$', '@']).next().unwrap_or_default();
        let plain = text.chars().all(|it| it.is_alphanumeric() || "-_.@!+=/".contains(it));
        let long = text.len() >= 4 && plain;
        let header = is_header(&name) && ANSWERS.iter().any(|word| line.contains(word));
        // `token == 'if'` is what a parser asks.
        let token = last == "token" && text.len() >= 5 && signs_in(new) && new.contains("return");
        // What is only compared with a key may be a test of the key itself.
        let opens = either(line) || new.contains("return") || !MADE_BY_MACHINES.contains(&last);
        (KNOWN_TO_ONE.contains(&last) && long && opens)
            || (token && long && new.contains("admin"))
            || (WHO.contains(&last) && long && either(line) && signs_in(&line.replace(&name, "")))
            || header
    })
}

/// Whether an expression reads a header of a request that people make up.
fn is_header(name: &str) -> bool {
    const USUAL: &[&str] = &["x-requested-with", "x-forwarded", "x-http-method", "x-b3", "content", "accept"];
    name.contains("header") && name.contains("x-") && !USUAL.iter().any(|usual| name.contains(usual))
}

/// What a line compares with a fixed text, and the text.
fn compared(line: &str) -> Vec<(String, String)> {
    let name = |text: &str| -> String {
        let text = text.trim_end_matches(['=', ' ']);
        let from = text.rfind([' ', '(', '!', '&', '|', '{']).filter(|_| !text.ends_with([')', ']']));
        let from = from.map_or(0, |at| at + 1);
        text.get(from..).unwrap_or_default().to_owned()
    };
    let quoted = |text: &str| -> Option<String> {
        let text = text.trim_start_matches(['=', ' ']);
        let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"' | '`'))?;
        text.get(1..)?.split(quote).next().map(str::to_owned)
    };
    let mut found = Vec::new();
    for (at, sign) in
        line.match_indices("==").chain(line.match_indices(".equals(")).chain(line.match_indices(" eq "))
    {
        let (before, after) =
            (line.get(..at).unwrap_or_default(), line.get(at + sign.len()..).unwrap_or_default());
        if before.ends_with(['=', '!']) {
            continue;
        }
        if let Some(text) = quoted(after) {
            found.push((name(before), text));
        } else if let Some(inner) = before.trim_end().strip_suffix(['"', '\'']) {
            let text = inner.rsplit(['"', '\'']).next().unwrap_or_default();
            let other = after.trim_start_matches(['=', ' ']);
            let other = other.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.'))).next();
            found.push((other.unwrap_or_default().to_owned(), text.to_owned()));
        }
    }
    found
}
