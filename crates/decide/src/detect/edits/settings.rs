//! Settings that an edit weakens: a key and its value, read alike in JSON, YAML, TOML, HCL, configuration and code, of
//! which the name says that it protects or opens.

use super::change::{Change, holds, lists};
use crate::detect::{Detector, Finding, detectors};

/// A key, the key it lies below, and one of its values; all in small letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub(super) parent: String,
    pub(super) key: String,
    pub(super) value: String,
}

/// The keys of a text with their values, as far as its signs show them; lists give one pair for each item.
pub(super) fn pairs(text: &str) -> Vec<Pair> {
    let mut reader = Reader::default();
    let letters: Vec<char> = text.chars().collect();
    for (at, it) in letters.iter().copied().enumerate() {
        let next = letters.get(at + 1).copied().unwrap_or('\n');
        let last = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or('\n');
        reader.take(it, last, next);
    }
    reader.take('\n', ' ', '\n');
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Pair>,
    parent: String,
    key: String,
    word: String,
    /// The value that was read before.
    last: String,
    quote: Option<char>,
    lists: usize,
}

impl Reader {
    fn take(&mut self, it: char, last: char, next: char) {
        if let Some(open) = self.quote {
            // A quote that its line does not close is none.
            if it == open || it == '\n' {
                self.quote = None;
            }
            if it != open {
                self.word.push(it);
            }
            return;
        }
        let compares = next == '=' || matches!(last, '=' | '!' | '<' | '>');
        let ends_key = next.is_whitespace() || "\"'[{!`".contains(next) || matches!(last, '"' | '\'');
        match it {
            '"' | '\'' | '`' => self.quote = Some(it),
            '=' if !compares => self.name(),
            ':' if ends_key && last != ':' => self.name(),
            // `${HOME}`
            '{' if last == '$' => self.word.push(it),
            '}' if self.word.contains("${") => self.word.push(it),
            '\n' | ',' | ';' | '{' | '}' | '[' | ']' | '(' | ')' => self.end(it),
            _ => self.word.push(it),
        }
    }

    /// What was read is the name of what follows.
    fn name(&mut self) {
        // `name := "x"`
        let word = self.word.trim().trim_end_matches([':', ' ']).trim_start_matches("- ");
        // `env['NAME'] = 0`
        let word = if word.is_empty() { self.last.as_str() } else { word };
        if let Some(name) = word.rsplit([' ', '.']).find(|part| !part.is_empty()) {
            self.key = name.trim_start_matches(['$', ':']).to_owned();
        }
        self.word.clear();
    }

    /// What was read is a value.
    fn end(&mut self, sign: char) {
        let word = std::mem::take(&mut self.word);
        let word = word.trim().trim_start_matches('>').trim();
        let item = word.strip_prefix("- ");
        let mut value = item.unwrap_or(word).trim();
        // `&name true`, `!!bool true`
        if value.starts_with('&') || value.starts_with("!!") {
            value = value.split_once(' ').map_or("", |(_, value)| value);
        }
        let value = value.to_owned();
        if sign == '[' {
            self.lists += 1;
        } else if sign == ']' {
            self.lists = self.lists.saturating_sub(1);
        }
        if value.is_empty() {
            let opens = sign == '{' || (sign == '\n' && self.lists == 0);
            if opens && !self.key.is_empty() {
                self.parent.clone_from(&self.key);
            }
            return;
        }
        self.last.clone_from(&value);
        if self.key.is_empty() && item.is_none() && self.lists == 0 {
            // `bind 127.0.0.1`
            if let Some((name, rest)) = value.split_once([' ', '\t']) {
                let (key, value) = (name.to_owned(), rest.trim().to_owned());
                self.found.push(Pair { parent: self.parent.clone(), key, value });
            }
            return;
        }
        let key = if self.key.is_empty() { self.parent.clone() } else { self.key.clone() };
        self.found.push(Pair { parent: self.parent.clone(), key, value });
        if item.is_none() && self.lists == 0 {
            self.key.clear();
        }
    }
}

const OFF: &str = "false off no 0 !1 disabled disable none";
const ON: &str = "true on yes 1 !0 enabled *";

/// Parts of names that protect where they are on; the more telling ones come first.
static PROTECTS: &[(&str, &Detector)] = &[
    ("signature", &detectors::SIGNATURE_CHECK_OFF),
    ("csrf", &detectors::CSRF_PROTECTION_OFF),
    ("integrity", &detectors::INTEGRITY_CHECK_OFF),
    ("readonlyroot nonroot", &detectors::PRIVILEGED_CONTAINER),
    ("preventdestroy deletionprotection terminationprotection", &detectors::DELETION_PROTECTION_OFF),
    ("audit logging", &detectors::LOGGING_OFF),
    ("unauthorized verif tls ssl cert hostname hostkey httpsonly hsts", &detectors::TLS_VERIFICATION_OFF),
    ("auth mfa", &detectors::AUTHENTICATION_OFF),
    (
        "protect encrypt firewall sandbox ratelimit contentsecuritypolicy httponly secure versioning blockpublic",
        &detectors::SECURITY_SETTING_OFF,
    ),
];

/// Parts of names that open something where they are on.
static OPENS: &[(&str, &Detector)] = &[
    ("insecure skipverif trustall acceptinvalid", &detectors::TLS_VERIFICATION_OFF),
    ("anonymous allowall", &detectors::AUTHENTICATION_OFF),
    ("publiclyaccessible", &detectors::PUBLIC_ENDPOINT),
    ("privileged", &detectors::PRIVILEGED_CONTAINER),
    ("disablesecurity", &detectors::SECURITY_SETTING_OFF),
    ("forcedestroy skipfinalsnapshot", &detectors::DELETION_PROTECTION_OFF),
    ("automerge", &detectors::AUTOMERGE),
];

/// What opens something by being there, in code or settings, without blanks.
static WEAK: &[(&str, &Detector)] = &[
    (
        "insecureignorehostkey _create_unverified_context trustallcerts danger_accept_invalid cert_none verify_none \
         noopverifier disablehostnameverif allowallhostnameverifier validationcallback insecure_channel \
         nsallowsarbitraryloads nullhostnameverifier autoaddpolicy warningpolicy( known_hosts=none nooptrustmanager \
         insecuretrustmanager trustallstrategy noophostnameverifier",
        &detectors::TLS_VERIFICATION_OFF,
    ),
    (
        "allowanyorigin cb(null,true) cors_allow_all_origins=true cors({origin:true allow-origin',req.headers.origin \
         allow-origin\",req.headers.origin",
        &detectors::CORS_ANY_ORIGIN,
    ),
    (
        "permitall() [allowanonymous] withoutmiddleware( skip_before_action:auth skip_before_action:require \
      skip_before_action:verify_user skip_before_action:login skip_before_action:check skip_before_action:ensure",
        &detectors::AUTHENTICATION_OFF,
    ),
    (
        "csrf_exempt [ignoreantiforgerytoken csrf().disable csrf::disable c->c.disable() csrf.disable \
         csrf(csrf->csrf.disable csrf{disable skip_before_action:verify_authenticity protect_from_forgeryif:false \
         abstracthttpconfigurer::disable",
        &detectors::CSRF_PROTECTION_OFF,
    ),
    (
        "parseunverified get_unverified_claims skipjwtsignature nil,false) verify=false,algorithms",
        &detectors::SIGNATURE_CHECK_OFF,
    ),
    ("'unsafe-eval' script-src'self''unsafe-inline' default-src* script-src*", &detectors::UNSAFE_CSP),
    ("allowed_hosts=[\"*\"] allowed_hosts=['*']", &detectors::ANY_HOST_HEADER),
    ("pull_request_target", &detectors::PULL_REQUEST_TARGET),
    ("actions_allow_unsecure_commands", &detectors::UNSECURE_WORKFLOW_COMMANDS),
    ("sendbeacon", &detectors::SEND_BEACON),
];

/// Names of what says which protocols may be used, and those that are broken.
const PROTOCOLS: &str = "protocol minversion min_version minimum min_tls mintls";
const BROKEN: &str = "sslv2 sslv3 tlsv1; tlsv1' tlsv1\" tlsv1.0 tlsv1.1 tlsv1_1 tlsv1_0 versiontls10 versiontls11 versionssl30 \
    tls10 tls11 tls_1_0 tls_1_1";

/// The setting that an edit weakens.
pub(super) fn weakened(change: &Change) -> Option<Finding> {
    let known: Vec<Pair> = pairs(&change.before);
    let mut new = pairs(&change.after).into_iter().filter(|pair| !known.contains(pair));
    let pair = new.find_map(|pair| weakness(&pair, change).map(|detector| (pair, detector)));
    if let Some((pair, detector)) = pair {
        let mut finding = Finding::by(detector);
        let shown: String = format!("{} = {}", pair.key, pair.value).chars().take(60).collect();
        finding.what = format!("{} (`{shown}`)", finding.what);
        return Some(finding);
    }
    let dense = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
    let (before, after) = (dense(&change.before), dense(&change.after));
    let more = |word: &str| after.matches(word).count() > before.matches(word).count();
    let weak = WEAK.iter().find(|(words, _)| words.split_whitespace().any(more));
    let old = || {
        change.added.iter().any(|line| {
            holds(line, PROTOCOLS) && holds(&format!("{line};"), BROKEN) && !holds(line, "-sslv !sslv op_no")
        })
    };
    let line = || change.added.iter().find_map(|line| weak_line(&dense(line)));
    weak.map(|(_, detector)| *detector)
        .or_else(line)
        .or_else(|| old().then_some(&detectors::OLD_TLS_VERSION))
        .or_else(|| binds_wider(change).then_some(&detectors::LISTENS_ON_ALL_INTERFACES))
        .map(Finding::by)
}

/// The detector of the protection that a pair gives up.
fn weakness(pair: &Pair, change: &Change) -> Option<&'static Detector> {
    let name = pair.key.replace(['_', '-'], "");
    let named = |table: &[(&str, &'static Detector)]| {
        table.iter().find(|(parts, _)| holds(&name, parts)).map(|(_, detector)| *detector)
    };
    // A check that is not disabled is on; an author is no authority.
    let negated = holds(&name, "disable skip ignore without insecure");
    let other = name.contains("author") && !holds(&name, "authori");
    let value = pair.value.split([' ', ')']).next().unwrap_or_default();
    let shows = name.ends_with("debug") || name.ends_with("considerallrequestslocal");
    let place: Vec<&str> =
        change.path.rsplit('/').take(2).flat_map(|part| part.split(['.', '_', '-'])).collect();
    if shows && lists(ON, value) && place.iter().any(|part| matches!(*part, "prod" | "production")) {
        return Some(&detectors::DEBUG_IN_PRODUCTION);
    }
    // A value that is kept elsewhere in the file may be anything.
    let alias = pair.value.starts_with('*')
        && pair.value.len() > 1
        && matches!(change.ending.as_str(), "yml" | "yaml");
    let off = lists(OFF, value) && !negated && !other;
    // In code, `None` is no value.
    let none =
        value == "none" && !holds(&change.new, "none\" none'") && !lists("conf cnf ini", &change.ending);
    let off = if off && !none { named(PROTECTS) } else { None };
    off.or_else(|| if lists(ON, value) || alias { named(OPENS) } else { None })
}

/// Words that open something together, in a line without blanks.
fn weak_line(line: &str) -> Option<&'static Detector> {
    const TRUSTS: &str = "hostnameverifier sslsession trustmanager checkservertrusted";
    if holds(line, TRUSTS) && holds(line, "->true returntrue {} {true") {
        return Some(&detectors::TLS_VERIFICATION_OFF);
    }
    if line.contains("origin") && holds(line, "\"*\" '*'") {
        return Some(&detectors::CORS_ANY_ORIGIN);
    }
    (line.contains("protect_from_forgery") && line.contains("false"))
        .then_some(&detectors::CSRF_PROTECTION_OFF)
}

/// `bind: 127.0.0.1` that becomes `bind: 0.0.0.0`. A `host` is often that of a container, and no service of its own.
fn binds_wider(change: &Change) -> bool {
    let binds = |lines: &[String], places: &str| {
        lines.iter().any(|line| holds(line, "bind listen") && holds(line, places))
    };
    binds(&change.gone, "127.0.0.1 localhost [::1]") && binds(&change.added, "0.0.0.0 [::] '*' \"*\" =*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_weak(old: &str, new: &str) -> bool {
        weakened(&Change::new("/p/a.x", old, new)).is_some()
    }

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
            assert!(is_weak("", line), "{line}");
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
            assert!(!is_weak("", line), "{line}");
        }
        assert!(!is_weak("a\nverify: false", "b\nverify: false"));
    }

    /// [P5]
    #[test]
    fn pairs_are_read_in_any_form() {
        let shown = |text: &str| {
            pairs(text).into_iter().map(|it| format!("{}={}", it.key, it.value)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("a: 1\nb:\n  - x:y\n  - z"), "a=1 b=x:y b=z");
        assert_eq!(shown("{\"a\": {\"b\": [\"c\", \"d\"]}}"), "b=c b=d");
        assert_eq!(shown("bind 127.0.0.1\nx = \"y z\""), "bind=127.0.0.1 x=y z");
    }
}
