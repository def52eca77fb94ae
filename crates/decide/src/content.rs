//! Signs of harm in the text of an edit (SPEC P5): such an edit is looked at, not waved through.
//!
//! Generous on purpose: a sign only means that somebody looks.

use serde_json::Value;

use crate::call::ToolCall;

/// Words that switch a check off.
const SWITCHED_OFF: &[&str] = &[
    "verify=false",
    "verify = false",
    "rejectunauthorized: false",
    "rejectunauthorized:false",
    "insecureskipverify: true",
    "insecureskipverify:true",
    "node_tls_reject_unauthorized",
    "ssl._create_unverified_context",
    "check_hostname = false",
    "cert_none",
    "danger_accept_invalid_certs",
    "curlopt_ssl_verifypeer, false",
    "--no-verify",
    "--insecure",
    "permitrootlogin yes",
    "strictHostKeyChecking no",
    "disable_auth",
    "auth_disabled",
    "skip_auth",
    "csrf_exempt",
    "allow_any_origin",
    "allow_all_origins = true",
    "access-control-allow-origin: *",
    "role: 'admin'",
    "role: \"admin\"",
    "chmod 777",
    "0o777",
    "algorithms=[\"none\"]",
    "alg\": \"none\"",
];

/// Words that run or fetch something when the file is used.
const RUNS: &[&str] = &[
    "| sh",
    "| bash",
    "|sh",
    "|bash",
    "base64 -d",
    "b64decode",
    "os.system(",
    "child_process",
    "eval(atob",
    "exec(base64",
    "/dev/tcp/",
    "nc -e",
    "reverse shell",
    "eval(",
    "shell_exec(",
    "passthru(",
    "system($_",
    "exec($_",
    "pickle.loads(",
    "authorized_keys",
    "crontab",
    "id_rsa",
    "id_ed25519",
    ".aws/credentials",
    "169.254.169.254",
];

/// Words for secrets, and words for showing or sending them.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "token",
    "private_key",
    "credential",
    "os.environ",
    "process.env",
];
const SHOWN: &[&str] = &[
    "print(",
    "console.log(",
    "logger.",
    "log.",
    "logging.",
    "println!",
    "eprintln!",
    "fmt.print",
    "echo ",
    "puts ",
];
const SENT: &[&str] = &[
    "requests.post",
    "fetch(",
    "axios.",
    "http.post",
    "urlopen",
    "curl ",
    "webhook",
    "sendbeacon",
    "reqwest",
];

/// Words that are part of a check; an edit that takes them away is looked at.
const CHECKS: &[&str] = &[
    "verify",
    "authoriz",
    "authoris",
    "authentic",
    "permission",
    "is_admin",
    "isadmin",
    "require_",
    "validate",
    "sanitiz",
    "sanitis",
    "escape(",
    "csrf",
    "check_password",
    "signature",
    "rate_limit",
    "ratelimit",
    "assert",
];

/// What about the edit should be seen, if anything.
pub(crate) fn shows_harm(call: &ToolCall) -> Option<&'static str> {
    let (old, new) = texts(call);
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let adds = |words: &[&str]| {
        words.iter().any(|word| new.contains(&word.to_lowercase()) && !old.contains(&word.to_lowercase()))
    };
    if adds(SWITCHED_OFF) {
        return Some("it switches a protection off");
    }
    if adds(RUNS) {
        return Some("it adds code that runs or fetches something");
    }
    let removed = CHECKS.iter().any(|word| old.matches(word).count() > new.matches(word).count());
    if removed {
        return Some("it removes a check");
    }
    let leaks = new.lines().any(|line| {
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        has(SECRETS) && (has(SHOWN) || has(SENT)) && !old.contains(line.trim())
    });
    leaks.then_some("it shows or sends a secret")
}

fn texts(call: &ToolCall) -> (String, String) {
    let mut old = String::new();
    let mut new = String::new();
    let mut take = |value: &Value| {
        let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        old.push_str(text("old_string"));
        old.push('\n');
        for field in ["new_string", "content", "new_source"] {
            new.push_str(text(field));
            new.push('\n');
        }
    };
    take(&call.input);
    if let Some(edits) = call.input.get("edits").and_then(Value::as_array) {
        edits.iter().for_each(take);
    }
    (old, new)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edit(old: &str, new: &str) -> Option<&'static str> {
        shows_harm(&ToolCall::new(
            "Edit",
            json!({"file_path": "a", "old_string": old, "new_string": new}),
            "/p",
        ))
    }

    /// [P5]
    #[test]
    fn edits_that_take_protection_away_are_seen() {
        assert!(edit("if not verify(token): raise Denied", "pass").is_some());
        assert!(edit("requests.get(url)", "requests.get(url, verify=False)").is_some());
        assert!(edit("", "print(os.environ['API_KEY'])").is_some());
        assert!(edit("", "requests.post(url, data=password)").is_some());
        assert!(edit("x = 1", "import os; os.system('id')").is_some());
        assert_eq!(edit("let a = 1;", "let a = 2;"), None);
        assert_eq!(edit("verify(x)", "verify(x, y)"), None);
    }
}
