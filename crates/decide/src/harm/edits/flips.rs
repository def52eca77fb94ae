//! Checks that an edit switches off, in whatever language: a setting with a protective name gets a weak value, a
//! check is gone, or a question about rights is always answered with yes.

use crate::harm::{Category, Finding};

/// Parts of names that protect when they are on.
const PROTECTIVE: &[(&str, Category)] = &[
    ("verify", Category::WeakenTlsAuth),
    ("unauthorized", Category::WeakenTlsAuth),
    ("tls", Category::WeakenTlsAuth),
    ("ssl", Category::WeakenTlsAuth),
    ("cert", Category::WeakenTlsAuth),
    ("hostname", Category::WeakenTlsAuth),
    ("hostkey", Category::WeakenTlsAuth),
    ("authent", Category::WeakenTlsAuth),
    ("authoriz", Category::WeakenTlsAuth),
    ("require_auth", Category::WeakenTlsAuth),
    ("auth_required", Category::WeakenTlsAuth),
    ("authenabled", Category::WeakenTlsAuth),
    ("csrf", Category::WeakenTlsAuth),
    ("signature", Category::WeakenTlsAuth),
    ("mfa", Category::WeakenTlsAuth),
    ("protection", Category::DisableSecurity),
    ("encrypt", Category::DisableSecurity),
    ("firewall", Category::DisableSecurity),
    ("sandbox", Category::DisableSecurity),
    ("audit", Category::DisableSecurity),
    ("ratelimit", Category::DisableSecurity),
    ("rate_limit", Category::DisableSecurity),
    ("contentsecuritypolicy", Category::DisableSecurity),
    ("httponly", Category::DisableSecurity),
    ("integrity", Category::SupplyChain),
    ("readonlyroot", Category::DisableSecurity),
    ("protected_mode", Category::DisableSecurity),
    ("logging", Category::DisableSecurity),
    ("secure", Category::DisableSecurity),
    ("versioning", Category::DisableSecurity),
    ("block_public", Category::DisableSecurity),
    ("https_only", Category::WeakenTlsAuth),
    ("hsts", Category::WeakenTlsAuth),
    ("auth_basic", Category::WeakenTlsAuth),
    ("nonroot", Category::DisableSecurity),
];

/// Parts of names that weaken when they are on.
const WEAKENING: &[(&str, Category)] = &[
    ("insecure", Category::WeakenTlsAuth),
    ("skipverif", Category::WeakenTlsAuth),
    ("skip_verif", Category::WeakenTlsAuth),
    ("trustall", Category::WeakenTlsAuth),
    ("trust_all", Category::WeakenTlsAuth),
    ("acceptinvalid", Category::WeakenTlsAuth),
    ("accept_invalid", Category::WeakenTlsAuth),
    ("anonymous", Category::WeakenTlsAuth),
    ("allowall", Category::WeakenTlsAuth),
    ("allow_all", Category::WeakenTlsAuth),
    ("publiclyaccessible", Category::ExposeService),
    ("publicly_accessible", Category::ExposeService),
    ("privileged", Category::DisableSecurity),
    ("disablesecurity", Category::DisableSecurity),
    ("force_destroy", Category::CloudStorageDelete),
    ("skip_final_snapshot", Category::CloudStorageDelete),
    ("automerge", Category::BypassReview),
];

/// Names that weaken by being there at all.
const ALWAYS_WEAK: &[&str] = &[
    "insecureignorehostkey",
    "_create_unverified_context",
    "allowanyorigin",
    "trustallcerts",
    "permitall()",
    "csrf_exempt",
    "insecureskipverify: true",
    "danger_accept_invalid",
    "cert_none",
    "verify_none",
    "noopverifier",
    "disablehostnameverif",
    "allowallhostnameverifier",
    "validationcallback",
    "cb(null, true)",
    "insecure_channel",
    "nsallowsarbitraryloads",
    "pull_request_target",
    "sendbeacon(",
    "nullhostnameverifier",
    "servercertificatevalidationcallback",
    "cors_allow_all_origins = true",
    "allowed_hosts = [\"*\"]",
    "allowed_hosts = ['*']",
    "actions_allow_unsecure_commands",
    "allow-origin', req.headers.origin",
    "allow-origin\", req.headers.origin",
];

/// Weak values, as they stand after the name.
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
    let (line, category) = weak_lines(&new).find(|(line, _)| !known.contains(line))?;
    let shown: String = line.chars().take(60).collect();
    Some(Finding::new(category, format!("it weakens a protection (`{shown}`)")).soft().doubtful())
}

fn weak_lines(text: &str) -> impl Iterator<Item = (String, Category)> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        let remark = ["//", "#", "*", "<!--", "--"].iter().any(|sign| line.starts_with(sign));
        let category = if remark { None } else { weakness(line) };
        category.map(|category| (line.to_owned(), category))
    })
}

/// The protection that a line in lower case gives up.
fn weakness(line: &str) -> Option<Category> {
    if ALWAYS_WEAK.iter().any(|name| line.contains(name)) {
        return Some(Category::WeakenTlsAuth);
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
            return Some(Category::DisableSecurity);
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
        let named = |table: &[(&str, Category)]| {
            table.iter().find(|(part, _)| name.contains(part)).map(|(_, category)| *category)
        };
        // What is compared is not set, and a check that is not disabled is on.
        let compared = right.starts_with("==") || left.ends_with(['!', '<', '>', '=']);
        let negated = ["disable", "skip", "ignore", "no_", "without", "insecure"]
            .iter()
            .any(|word| name.contains(word));
        let off = if starts(OFF) && !negated && !compared { named(PROTECTIVE) } else { None };
        let on = if starts(ON) && !compared { named(WEAKENING) } else { None };
        if let Some(category) = off.or(on) {
            return Some(category);
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
    let what = if yes(new) > yes(old) {
        "a check of rights always says yes"
    } else if guards(new) < guards(old) {
        "a check of rights is gone"
    } else {
        return None;
    };
    Some(Finding::new(Category::WeakenTlsAuth, what).doubtful())
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
