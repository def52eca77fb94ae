//! Checks of people, messages and machines that an edit puts something weaker in the place of: a comparison that becomes
//! a constant, a token that is only read, a handler that anybody may call, a password that always fits.
//!
//! Both texts are compared as wholes, so a check that moves, is renamed or is put behind a helper is still there.

use std::collections::HashSet;

use super::hardcoded_auth::opens_for_one;
use crate::detect::{Detector, Finding, detectors};

/// What checks: calls, marks of handlers, and answers that refuse. Small letters, as code spells them.
const CHECKS: &[&str] = &[
    // Two texts that must be the same, without telling how much of them is.
    "compare_digest(",
    "constant_time_compare(",
    "constanttimecompare(",
    "timingsafeequal(",
    "hmac.equal(",
    "hash_equals(",
    "fixedtimeequals(",
    "secure_compare(",
    "verify_slice(",
    "digest.isequal(",
    "safe_str_cmp(",
    ".ct_eq(",
    // Passwords.
    "check_password",
    "checkpassword",
    "password_verify(",
    "bcrypt.compare",
    "checkpw(",
    "comparehashandpassword",
    "verify_password",
    "verifypassword",
    "encoder.matches(",
    // Tokens and messages.
    "jwt.verify(",
    "jwtverify(",
    "jwt.parse",
    "jwt.decode(",
    "verifyidtoken",
    "verify_id_token",
    "verify_oauth2_token",
    "constructevent",
    "construct_event",
    "requestvalidator",
    // Who may call.
    "depends(get_current",
    "depends(current",
    "depends(require",
    "depends(auth",
    "depends(verify",
    "depends(check",
    "depends(oauth",
    "depends(get_user",
    "depends(admin",
    "depends(get_api_key",
    "depends(api_key",
    "= security(",
    ": currentuser",
    "user_passes_test",
    "member_required",
    "superuser_required",
    "@secured",
    "rolesallowed",
    "requirelogin",
    "requireuser",
    "requirerole",
    "require_role",
    "ensureloggedin",
    "ensure_logged_in",
    "getserversession(",
    "await auth()",
    "is_staff",
    "isstaff",
    "is_superuser",
    "admin?",
    "has_perm",
    "hasperm",
    "hasauthority(",
    "can_edit",
    "canedit",
    "->can(",
    "gate::",
    // Requests of other pages, and too many of them.
    "csurf(",
    "antiforgery",
    "protect_from_forgery",
    "ratelimit(",
    "rate_limit(",
    "slowdown(",
    "origin: '",
    "origin: \"",
    "origin: [",
    // Answers that refuse.
    "status(401",
    "status(403",
    "sendstatus(401",
    "sendstatus(403",
    "return 401",
    "return 403",
    "status_code=401",
    "status_code=403",
    "http_401",
    "http_403",
    "exception(401",
    "exception(403",
    "statusunauthorized",
    "statusforbidden",
    ":unauthorized",
    ":forbidden",
    "permissiondenied",
    "accessdenied",
    "notauthorized",
];

/// Stems of names of helpers that a check may have gone into.
const HELPERS: &[&str] = &[
    "verif", "valid", "ensure", "require", "authoriz", "authoris", "authent", "check", "guard", "protect",
    "enforce",
];

/// Words of a clause that stops what may not go on, for reasons of people's rights or money.
const STOPS: &[&str] = &[
    "limit",
    "exceed",
    "forbid",
    "denied",
    "unauthor",
    "insufficient",
    "balance",
    "quota",
    "expired",
    "revoked",
    "locked",
    "blocked",
    "banned",
    "suspended",
    "owner",
    "tenant",
    "notallowed",
    "not_allowed",
    "untrusted",
];

/// The finding where a check is gone, always says yes, or lets one more in.
pub(super) fn gained(old: &str, new: &str, path: &str) -> Option<Finding> {
    let (before, after) = (live(old), live(new));
    let detector = if opens_for_one(&before, &after) {
        &detectors::HARDCODED_LOGIN
    } else if is_lost(&before, &after) {
        &detectors::AUTH_CHECK_REMOVED
    } else if is_constant(&before, &after, path) {
        &detectors::AUTH_CHECK_ALWAYS_PASSES
    } else if let Some(detector) = weakness_gained(&before, &after) {
        detector
    } else if binds_wider(&before, &after) {
        &detectors::LISTENS_ON_ALL_INTERFACES
    } else if stop_lost(&before, &after) {
        &detectors::GUARD_CLAUSE_REMOVED
    } else {
        return None;
    };
    Some(Finding::by(detector))
}

/// The lines that do something, in small letters.
pub(super) fn live(text: &str) -> String {
    const SIGNS: &[&str] =
        &["//", "#", "--", "/*", "*", "<!--", "import ", "from ", "use ", "using ", "require ", "package "];
    let attribute = |line: &str| line.starts_with("#[");
    let counts = |line: &&str| {
        let line = line.trim_start();
        attribute(line) || !SIGNS.iter().any(|sign| line.starts_with(sign))
    };
    text.lines().filter(counts).map(without_remark).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// The line without what it only says at its end.
fn without_remark(line: &str) -> &str {
    let end = [" # ", " // ", " -- "].iter().filter_map(|sign| line.find(sign)).min();
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}

/// Whether whole functions are gone with all that was in them.
pub(super) fn is_moved_away(old: &str, new: &str) -> bool {
    const KEYS: &[&str] = &["def ", "function ", "func ", "fn ", "class "];
    let names = |text: &str| -> Vec<String> {
        let rest = KEYS.iter().flat_map(|key| text.split(key).skip(1));
        let name = rest.map(|rest| rest.split(|it: char| !(it.is_alphanumeric() || it == '_')).next());
        name.flatten().filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let known = names(old);
    !known.is_empty() && names(new).is_empty() && !known.iter().any(|name| new.contains(name.as_str()))
}

fn count(words: &[&str], text: &str) -> usize {
    words.iter().map(|word| text.matches(word).count()).sum()
}

/// How many helpers are called whose names say that they check.
fn helpers(text: &str) -> usize {
    let calls = text.match_indices('(').filter_map(|(at, _)| text.get(..at));
    let named = calls.filter_map(|head| head.rsplit(|it: char| !(it.is_alphanumeric() || it == '_')).next());
    named
        .filter(|name| *name != "require" && !name.contains("unverif"))
        .filter(|name| HELPERS.iter().any(|stem| name.contains(stem)))
        .count()
}

fn is_lost(old: &str, new: &str) -> bool {
    !old.trim().is_empty()
        && count(CHECKS, old) > count(CHECKS, new)
        && helpers(new) <= helpers(old)
        && !is_moved_away(old, new)
}

/// Ways to always answer yes, without blanks.
const YES: &[&str] = &[
    "returntrue",
    "=true",
    "iftrue",
    "if(true",
    "->true",
    "=>true",
    "{true}",
    "if1:",
    "ornot false",
    "||true",
];

/// Whether a text about rights gains an answer that is always yes.
fn is_constant(old: &str, new: &str, path: &str) -> bool {
    const RIGHTS: &[&str] = &[
        "can_", "can?", "allowed", "permit", "policy", "policies", "authoriz", "authoris", "guard", "access",
        "admin", "owner", "destroy?", "update?", "verif", "trusted",
    ];
    let lower = path.to_ascii_lowercase();
    let about = |text: &str| RIGHTS.iter().any(|word| text.contains(word));
    let dense = |text: &str| -> String { text.split([' ', '\t']).collect() };
    let yes =
        |text: &str| count(YES, &dense(text)) + text.lines().filter(|line| line.trim() == "true").count();
    // What was asked before must be asked no longer: a setting that is on is no answer.
    let asked = |text: &str| count(&["return ", "?", "==", "=>", "->", "if "], text);
    let filled = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    let rights = lower.contains("polic") || lower.contains("guard") || lower.contains("permission");
    !old.trim().is_empty()
        && (rights || about(old))
        && asked(old) > 0
        && yes(new) > yes(old)
        && filled(new) <= filled(old)
}

/// Every weak line holds one of these words: most texts hold none, and are looked through only once.
const WEAK: &[&str] = &[
    "unverified",
    "policy(",
    "autoaddpolicy",
    "known_hosts",
    "skipjwt",
    "trustmanager",
    "trustall",
    "hostnameverifier",
    "csrf",
    "withoutmiddleware",
    "anonymous]",
    "antiforgerytoken",
    "sslsession",
    "checkservertrusted",
    "jwt.decode(",
    "skip_before_action",
    "protect_from_forgery",
    "-src",
    "origin",
    "protocol",
    "minversion",
    "min_version",
    "minimum",
    "min_tls",
    "mintls",
];

/// The detector of the first new line that checks less than it could; both texts in small letters.
fn weakness_gained(before: &str, after: &str) -> Option<&'static Detector> {
    let speaks = WEAK.iter().any(|word| after.contains(word));
    let mut added = after.lines().filter(|line| speaks && !before.contains(line.trim()));
    added.find_map(weakness)
}

/// Names that check less than they could by being there.
static WEAK_NAMES: &[(&str, &Detector)] = &[
    ("parseunverified", &detectors::SIGNATURE_CHECK_OFF),
    ("get_unverified_claims", &detectors::SIGNATURE_CHECK_OFF),
    ("autoaddpolicy", &detectors::TLS_VERIFICATION_OFF),
    ("warningpolicy(", &detectors::TLS_VERIFICATION_OFF),
    ("known_hosts=none", &detectors::TLS_VERIFICATION_OFF),
    ("skipjwtsignature", &detectors::SIGNATURE_CHECK_OFF),
    ("nooptrustmanager", &detectors::TLS_VERIFICATION_OFF),
    ("insecuretrustmanager", &detectors::TLS_VERIFICATION_OFF),
    ("trustallstrategy", &detectors::TLS_VERIFICATION_OFF),
    ("noophostnameverifier", &detectors::TLS_VERIFICATION_OFF),
    ("csrf_exempt", &detectors::CSRF_PROTECTION_OFF),
    ("withoutmiddleware(", &detectors::AUTHENTICATION_OFF),
    ("[allowanonymous]", &detectors::AUTHENTICATION_OFF),
    ("[ignoreantiforgerytoken", &detectors::CSRF_PROTECTION_OFF),
];

/// A word that checks less than it could where one of the others is in the same line.
static WEAK_PAIRS: &[(&str, &[&str], &Detector)] = &[
    ("hostnameverifier", &["-> true", "->true", "return true"], &detectors::TLS_VERIFICATION_OFF),
    ("sslsession", &["return true"], &detectors::TLS_VERIFICATION_OFF),
    ("checkservertrusted(", &["{}", "{ }"], &detectors::TLS_VERIFICATION_OFF),
    ("csrf", &[".disable(", "::disable", "{ disable", "{disable"], &detectors::CSRF_PROTECTION_OFF),
    (
        "jwt.decode(",
        &["nil, false", "verify=false", "complete=false, key=none"],
        &detectors::SIGNATURE_CHECK_OFF,
    ),
    (
        "skip_before_action",
        &["verif", "auth", "require", "login", "admin", "ensure", "check"],
        &detectors::AUTHENTICATION_OFF,
    ),
    (
        "protect_from_forgery",
        &["if: -> { false", "unless: -> { true", "if: false"],
        &detectors::CSRF_PROTECTION_OFF,
    ),
    ("-src", &["'unsafe-eval'", "default-src *", "script-src *"], &detectors::UNSAFE_CSP),
    ("cors(", &["origin: true", "origin:true"], &detectors::CORS_ANY_ORIGIN),
];

/// The detector of what a line in small letters does not check.
fn weakness(line: &str) -> Option<&'static Detector> {
    let has_any = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let named = WEAK_NAMES.iter().find(|(name, _)| line.contains(name)).map(|(_, detector)| *detector);
    let paired = || WEAK_PAIRS.iter().find(|(first, others, _)| line.contains(first) && has_any(others));
    if let Some(detector) = named.or_else(|| paired().map(|(.., detector)| *detector)) {
        return Some(detector);
    }
    if line.contains("script-src") && line.contains("'unsafe-inline'") && !line.contains("nonce") {
        return Some(&detectors::UNSAFE_CSP);
    }
    if line.contains("origin") && has_any(&["\"*\"", "'*'"]) && line.contains("allow") {
        return Some(&detectors::CORS_ANY_ORIGIN);
    }
    is_old_protocol(line).then_some(&detectors::OLD_TLS_VERSION)
}

/// Whether a line lets connections be made in a way that is broken.
fn is_old_protocol(line: &str) -> bool {
    const OLD: &[&str] = &[
        "sslv2",
        "sslv3",
        "tlsv1;",
        "tlsv1 ",
        "tlsv1'",
        "tlsv1\"",
        "tlsv1.0",
        "tlsv1.1",
        "tlsv1_1",
        "tlsv1_0",
        "versiontls10",
        "versiontls11",
        "versionssl30",
        "tls10",
        "tls11",
        "tls_1_0",
        "tls_1_1",
    ];
    const SETS: &[&str] = &["protocol", "minversion", "min_version", "minimum", "min_tls", "mintls"];
    // `-SSLv3` and `!SSLv3` leave it out.
    let left_out = line.contains("-sslv") || line.contains("!sslv") || line.contains("op_no");
    !left_out && SETS.iter().any(|word| line.contains(word)) && OLD.iter().any(|word| line.contains(word))
}

/// `bind: 127.0.0.1` that becomes `bind: 0.0.0.0`. A `host` is often that of a container, and no service of its own.
fn binds_wider(old: &str, new: &str) -> bool {
    let binds = |text: &str, places: &[&str]| {
        text.lines().any(|line| {
            let set = ["bind", "listen"].iter().any(|word| line.contains(word));
            set && places.iter().any(|place| line.contains(place))
        })
    };
    let everybody = &["0.0.0.0", "[::]", "'*'", "\"*\"", "= *", ": *"];
    binds(old, &["127.0.0.1", "localhost", "[::1]"]) && binds(new, everybody) && !binds(old, everybody)
}

/// Whether all that an edit does is to take away a clause that stops what may not go on.
fn stop_lost(old: &str, new: &str) -> bool {
    const ENDS: &[&str] =
        &["raise ", "throw ", "abort(", "return err", "return false", "panic(", "return res."];
    let kept: HashSet<&str> = new.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let known: Vec<&str> = old.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let gone: Vec<&str> = known.iter().copied().filter(|line| !kept.contains(line)).collect();
    let known: HashSet<&str> = known.into_iter().collect();
    let only_less = kept.iter().all(|line| known.contains(line));
    let clause = gone.first().is_some_and(|line| line.starts_with("if") || line.starts_with("unless"))
        || gone.iter().any(|line| line.contains(" unless ") || line.contains(" if "));
    let whole = gone.join(" ");
    only_less
        && clause
        && gone.len() <= 4
        && ENDS.iter().any(|word| whole.contains(word))
        && STOPS.iter().any(|word| whole.contains(word))
}
