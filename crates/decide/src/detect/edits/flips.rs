//! Checks that an edit switches off, in whatever language: a setting with a protective name gets a weak value, a
//! check is gone, or a question about rights is always answered with yes.

use crate::detect::{Detector, Finding, detectors};

/// Parts of names that protect when they are on.
static PROTECTIVE: &[(&str, &Detector)] = &[
    // The more telling names come first: `verify_signature`, `rejectUnauthorized`.
    ("signature", &detectors::SIGNATURE_CHECK_OFF),
    ("csrf", &detectors::CSRF_PROTECTION_OFF),
    ("unauthorized", &detectors::TLS_VERIFICATION_OFF),
    ("authent", &detectors::AUTHENTICATION_OFF),
    ("authoriz", &detectors::AUTHENTICATION_OFF),
    ("require_auth", &detectors::AUTHENTICATION_OFF),
    ("auth_required", &detectors::AUTHENTICATION_OFF),
    ("authenabled", &detectors::AUTHENTICATION_OFF),
    ("mfa", &detectors::AUTHENTICATION_OFF),
    ("verify", &detectors::TLS_VERIFICATION_OFF),
    ("tls", &detectors::TLS_VERIFICATION_OFF),
    ("ssl", &detectors::TLS_VERIFICATION_OFF),
    ("cert", &detectors::TLS_VERIFICATION_OFF),
    ("hostname", &detectors::TLS_VERIFICATION_OFF),
    ("hostkey", &detectors::TLS_VERIFICATION_OFF),
    ("protection", &detectors::SECURITY_SETTING_OFF),
    ("encrypt", &detectors::SECURITY_SETTING_OFF),
    ("firewall", &detectors::SECURITY_SETTING_OFF),
    ("sandbox", &detectors::SECURITY_SETTING_OFF),
    ("audit", &detectors::LOGGING_OFF),
    ("ratelimit", &detectors::SECURITY_SETTING_OFF),
    ("rate_limit", &detectors::SECURITY_SETTING_OFF),
    ("contentsecuritypolicy", &detectors::SECURITY_SETTING_OFF),
    ("httponly", &detectors::SECURITY_SETTING_OFF),
    ("integrity", &detectors::INTEGRITY_CHECK_OFF),
    ("readonlyroot", &detectors::PRIVILEGED_CONTAINER),
    ("protected_mode", &detectors::SECURITY_SETTING_OFF),
    ("logging", &detectors::LOGGING_OFF),
    ("secure", &detectors::SECURITY_SETTING_OFF),
    ("versioning", &detectors::SECURITY_SETTING_OFF),
    ("block_public", &detectors::SECURITY_SETTING_OFF),
    ("https_only", &detectors::TLS_VERIFICATION_OFF),
    ("hsts", &detectors::TLS_VERIFICATION_OFF),
    ("auth_basic", &detectors::AUTHENTICATION_OFF),
    ("nonroot", &detectors::PRIVILEGED_CONTAINER),
];

/// Parts of names that weaken when they are on.
static WEAKENING: &[(&str, &Detector)] = &[
    ("insecure", &detectors::TLS_VERIFICATION_OFF),
    ("skipverif", &detectors::TLS_VERIFICATION_OFF),
    ("skip_verif", &detectors::TLS_VERIFICATION_OFF),
    ("trustall", &detectors::TLS_VERIFICATION_OFF),
    ("trust_all", &detectors::TLS_VERIFICATION_OFF),
    ("acceptinvalid", &detectors::TLS_VERIFICATION_OFF),
    ("accept_invalid", &detectors::TLS_VERIFICATION_OFF),
    ("anonymous", &detectors::AUTHENTICATION_OFF),
    ("allowall", &detectors::AUTHENTICATION_OFF),
    ("allow_all", &detectors::AUTHENTICATION_OFF),
    ("publiclyaccessible", &detectors::PUBLIC_ENDPOINT),
    ("publicly_accessible", &detectors::PUBLIC_ENDPOINT),
    ("privileged", &detectors::PRIVILEGED_CONTAINER),
    ("disablesecurity", &detectors::SECURITY_SETTING_OFF),
    ("force_destroy", &detectors::DELETION_PROTECTION_OFF),
    ("skip_final_snapshot", &detectors::DELETION_PROTECTION_OFF),
    ("automerge", &detectors::AUTOMERGE),
];

/// Names that weaken by being there at all.
static ALWAYS_WEAK: &[(&str, &Detector)] = &[
    ("insecureignorehostkey", &detectors::TLS_VERIFICATION_OFF),
    ("_create_unverified_context", &detectors::TLS_VERIFICATION_OFF),
    ("allowanyorigin", &detectors::CORS_ANY_ORIGIN),
    ("trustallcerts", &detectors::TLS_VERIFICATION_OFF),
    ("permitall()", &detectors::AUTHENTICATION_OFF),
    ("csrf_exempt", &detectors::CSRF_PROTECTION_OFF),
    ("insecureskipverify: true", &detectors::TLS_VERIFICATION_OFF),
    ("danger_accept_invalid", &detectors::TLS_VERIFICATION_OFF),
    ("cert_none", &detectors::TLS_VERIFICATION_OFF),
    ("verify_none", &detectors::TLS_VERIFICATION_OFF),
    ("noopverifier", &detectors::TLS_VERIFICATION_OFF),
    ("disablehostnameverif", &detectors::TLS_VERIFICATION_OFF),
    ("allowallhostnameverifier", &detectors::TLS_VERIFICATION_OFF),
    ("validationcallback", &detectors::TLS_VERIFICATION_OFF),
    ("cb(null, true)", &detectors::CORS_ANY_ORIGIN),
    ("insecure_channel", &detectors::TLS_VERIFICATION_OFF),
    ("nsallowsarbitraryloads", &detectors::TLS_VERIFICATION_OFF),
    ("pull_request_target", &detectors::PULL_REQUEST_TARGET),
    ("sendbeacon(", &detectors::SEND_BEACON),
    ("nullhostnameverifier", &detectors::TLS_VERIFICATION_OFF),
    ("servercertificatevalidationcallback", &detectors::TLS_VERIFICATION_OFF),
    ("cors_allow_all_origins = true", &detectors::CORS_ANY_ORIGIN),
    ("allowed_hosts = [\"*\"]", &detectors::ANY_HOST_HEADER),
    ("allowed_hosts = ['*']", &detectors::ANY_HOST_HEADER),
    ("actions_allow_unsecure_commands", &detectors::UNSECURE_WORKFLOW_COMMANDS),
    ("allow-origin', req.headers.origin", &detectors::CORS_ANY_ORIGIN),
    ("allow-origin\", req.headers.origin", &detectors::CORS_ANY_ORIGIN),
];

/// Weak values, as they are written after the name.
const OFF: &[&str] = &[
    "false",
    "off",
    "no",
    "0",
    "!1",
    "\"0\"",
    "'0'",
    "disabled",
    "\"none\"",
    "'none'",
    "\"off\"",
    "'off'",
    "\"false\"",
    "'false'",
];
const ON: &[&str] = &["true", "on", "yes", "1", "!0", "enabled", "\"*\"", "'*'"];

/// The settings that `new` weakens and `old` did not.
pub(super) fn weakened(old: &str, new: &str) -> Option<Finding> {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let known: Vec<String> = weak_lines(&old).map(|(line, _)| line).collect();
    let (line, detector) = weak_lines(&new).find(|(line, _)| !known.contains(line))?;
    let shown: String = line.chars().take(60).collect();
    let mut finding = Finding::by(detector);
    finding.what = format!("{} (`{shown}`)", finding.what);
    Some(finding)
}

fn weak_lines(text: &str) -> impl Iterator<Item = (String, &'static Detector)> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        let remark = ["//", "#", "*", "<!--", "--"].iter().any(|sign| line.starts_with(sign));
        let detector = if remark { None } else { weakness(line) };
        detector.map(|detector| (line.to_owned(), detector))
    })
}

/// The detector of the protection that a line in lower case gives up.
fn weakness(line: &str) -> Option<&'static Detector> {
    if let Some((_, detector)) = ALWAYS_WEAK.iter().find(|(name, _)| line.contains(name)) {
        return Some(detector);
    }
    // `protected-mode no`: a setting without a sign in between.
    let mut words = line.trim_end_matches(';').split_whitespace();
    if let (Some(name), Some(value), None) = (words.next(), words.next(), words.next()) {
        let name = name.replace('-', "_");
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let off = matches!(value, "no" | "off" | "false" | "0" | "none")
            && plain
            && PROTECTIVE.iter().any(|(part, _)| name.contains(part));
        if off {
            return Some(&detectors::SECURITY_SETTING_OFF);
        }
    }
    let mut rest = line;
    while let Some(at) = rest.find(['=', ':']) {
        let (left, right) = rest.split_at_checked(at)?;
        let value = right.trim_start_matches(['=', ':', '>', ' ', '\t']);
        let name: String = left
            .trim_end_matches([' ', '\'', '"', '`', ')', ']'])
            .rsplit(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))
            .next()
            .unwrap_or_default()
            .replace('-', "_");
        let starts = |words: &[&str]| {
            words.iter().any(|word| {
                value.strip_prefix(word).is_some_and(|after| {
                    !after.starts_with(|next: char| next.is_alphanumeric() || next == '_' || next == '.')
                })
            })
        };
        let named = |table: &[(&str, &'static Detector)]| {
            table.iter().find(|(part, _)| name.contains(part)).map(|(_, detector)| *detector)
        };
        // What is compared is not set, and a check that is not disabled is on.
        let compared = right.starts_with("==") || left.ends_with(['!', '<', '>', '=']);
        let negated = ["disable", "skip", "ignore", "no_", "without", "insecure"]
            .iter()
            .any(|word| name.contains(word));
        let off = if starts(OFF) && !negated && !compared { named(PROTECTIVE) } else { None };
        let on = if starts(ON) && !compared { named(WEAKENING) } else { None };
        if let Some(detector) = off.or(on) {
            return Some(detector);
        }
        rest = right.get(1..).unwrap_or_default();
    }
    None
}

/// Stems of words that ask who somebody is and what they may do.
const GUARDS: &[&str] = &[
    "require_role",
    "require_admin",
    "requireadmin",
    "check_password",
    "role(",
    "auth",
    "guard",
    "permission",
    "login",
    "csrf",
    "signature",
    "forbidden",
    "unauthorized",
    "abort(40",
    "acl",
    "is_admin",
    "isadmin",
    "has_perm",
    "hasperm",
    "has_role",
    "hasrole",
    "verify",
    "password_hash",
    "bcrypt",
];

/// Words in which a stem means something else: `author`, `oracle`.
const NO_GUARDS: &[(&str, &[&str])] = &[("author", &["authoris", "authoriz"]), ("acle", &[])];

/// How often a text in lower case speaks of a check of rights.
fn guards(text: &str) -> usize {
    let count = |word: &str| text.matches(word).count();
    let all: usize = GUARDS.iter().map(|word| count(word)).sum();
    let none =
        NO_GUARDS.iter().map(|(word, but)| count(word) - but.iter().map(|word| count(word)).sum::<usize>());
    all - none.sum::<usize>()
}

/// Whether a check of rights is gone from the lines that count, or always answers yes.
pub(super) fn guard_lost(old: &str, new: &str) -> Option<Finding> {
    let live = |text: &str| -> String {
        let counts = |line: &&str| {
            let line = line.trim_start();
            ![
                "//",
                "#",
                "--",
                "/*",
                "*",
                "<!--",
                "import ",
                "from ",
                "use ",
                "require ",
                "require(",
                "require_once",
                "require_relative",
                "const {",
                "package ",
                "console.",
            ]
            .iter()
            .any(|sign| line.starts_with(sign))
        };
        text.lines().filter(counts).collect::<Vec<_>>().join("\n").to_lowercase()
    };
    guard_gone(&live(old), &live(new))
}

/// The same for any text in lower case.
pub(super) fn guard_gone(old: &str, new: &str) -> Option<Finding> {
    if guards(old) == 0 {
        return None;
    }
    let yes = |text: &str| {
        [
            "return true",
            "=> true",
            "return nil",
            "-> true",
            " or true",
            "|| true",
            " or code ==",
            "|| code ==",
            " or password ==",
            "|| password ==",
            "return next()",
        ]
        .iter()
        .map(|word| text.matches(word).count())
        .sum::<usize>()
    };
    if yes(new) > yes(old) {
        Some(Finding::by(&detectors::AUTH_CHECK_ALWAYS_PASSES))
    } else {
        (guards(new) < guards(old)).then(|| Finding::by(&detectors::AUTH_CHECK_REMOVED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn a_weak_value_is_seen_in_any_language() {
        for line in [
            "aiohttp.TCPConnector(ssl=False)",
            "'verify' => false,",
            "rejectUnauthorized:!1",
            "deletion_protection = false",
            "allow_anonymous: true",
            "HostKeyCallback: ssh.InsecureIgnoreHostKey(),",
            "ssl_verify: no",
        ] {
            assert!(weakened("", line).is_some(), "{line}");
        }
        for line in [
            "verify(token)",
            "ssl: true",
            "// verify: false",
            "certificate = load()",
            "let author = none;",
            "x = 0",
            "bool disableVerify = false;",
            "if (ssl === false) {",
            "ssl = None",
        ] {
            assert!(weakened("", line).is_none(), "{line}");
        }
        assert!(weakened("a\nverify: false", "b\nverify: false").is_none());
    }

    /// [P5]
    #[test]
    fn a_guard_that_goes_is_missed_and_one_that_is_renamed_is_not() {
        assert!(guard_lost("@UseGuards(AuthGuard)\nget() {}", "get() {}").is_some());
        assert!(guard_lost("isAdmin = (u) => u.role === 'admin'", "isAdmin = (u) => true").is_some());
        assert!(guard_lost("authorise(user)", "authorize(user)").is_none());
        assert!(guard_lost("import auth\nx()", "x()").is_none());
        assert!(guard_lost("let a = 1", "let a = 2").is_none());
    }
}
