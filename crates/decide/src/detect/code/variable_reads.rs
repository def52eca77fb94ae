//! Variables of the environment that hold no secret, and random values that are nobody's yet.

/// Variables, in small letters, that say how things are set up.
const PLAIN: &[&str] = &[
    "home",
    "path",
    "debug",
    "user",
    "lang",
    "shell",
    "pwd",
    "term",
    "tz",
    "ci",
    "env",
    "port",
    "host",
    "hostname",
    "editor",
    "display",
    "tmpdir",
    "node_env",
    "rails_env",
    "flask_env",
    "flask_app",
    "flask_debug",
    "log_level",
    "rust_log",
    "pythonpath",
    "virtual_env",
    "conda_prefix",
    "java_home",
    "gopath",
    "django_settings_module",
    "cuda_visible_devices",
    "omp_num_threads",
];

/// Parts of names of variables that hold secrets.
const SECRET: &[&str] =
    &["secret", "token", "key", "pass", "pwd", "cred", "auth", "cookie", "private", "dsn", "url", "session"];

/// How a variable is read or set by its name.
const CALLS: &[&str] = &["os.environ.get(", "os.environ.setdefault(", "os.environ[", "os.getenv("];

/// What makes a value that nobody knows yet, or compares two.
const FRESH: &[&str] = &[
    "secrets.token_hex",
    "secrets.token_urlsafe",
    "secrets.token_bytes",
    "secrets.randbelow",
    "secrets.choice",
    "secrets.compare_digest",
];

/// The text, in small letters, without what only looks like a secret of the surroundings.
pub(super) fn without(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find("os.").and_then(|at| rest.split_at_checked(at)) {
        found.push_str(before);
        let call = CALLS.iter().find(|call| from.starts_with(**call)).copied().unwrap_or("os.");
        let after = from.get(call.len()..).unwrap_or_default();
        if let Some(left) = plain(call, after).filter(|_| call != "os.") {
            found.push('_');
            rest = left;
        } else {
            found.push_str(call);
            rest = after;
        }
    }
    found.push_str(rest);
    without_fresh(&found)
}

/// The text without calls that make a fresh value. Only the module of the language does: `secrets` of somebody else's
/// package holds what it likes.
fn without_fresh(text: &str) -> String {
    let theirs = text.lines().flat_map(|line| line.split(';')).any(|statement| {
        let loads = statement.contains("import") && statement.contains("secrets");
        loads && (statement.contains("from ") || statement.contains(" as "))
    });
    if theirs {
        return text.to_owned();
    }
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find("secrets.").and_then(|at| rest.split_at_checked(at)) {
        found.push_str(before);
        let apart = !before.ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '.'));
        let call =
            FRESH.iter().find_map(|fresh| from.strip_prefix(fresh).filter(|after| after.starts_with('(')));
        if let Some(after) = call.filter(|_| apart) {
            found.push_str("random");
            rest = after;
        } else {
            found.push_str("secrets.");
            rest = from.get("secrets.".len()..).unwrap_or_default();
        }
    }
    found.push_str(rest);
    found
}

/// What follows the name of a variable that holds no secret.
fn plain<'t>(call: &str, after: &'t str) -> Option<&'t str> {
    let inner = after.trim_start_matches('\\').strip_prefix(['"', '\''])?;
    let behind = inner.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
    let name = inner.strip_suffix(behind)?;
    let behind = behind.trim_start_matches('\\').strip_prefix(['"', '\''])?;
    let value = behind.trim_start_matches([']', ' ']);
    let set = call.contains("setdefault")
        || (call.ends_with('[') && value.starts_with('=') && !value.starts_with("=="));
    let harmless = PLAIN.contains(&name) || ["lc_", "xdg_"].iter().any(|start| name.starts_with(start));
    let open = !SECRET.iter().any(|part| name.contains(part));
    (harmless || (set && open)).then_some(behind)
}

/// Names of the environment, with how one variable of it is asked for.
const ENVIRONMENTS: &[&str] =
    &["process.env", "Bun.env", "meta.env", "$_ENV", "$_SERVER", "%ENV", "$ENV", "ENV"];

/// Parts of names of variables that are secret, as a whole name and not as a word in a sentence.
const KEPT: &[&str] = &[
    "token",
    "secret",
    "key",
    "passw",
    "credential",
    "auth",
    "database_url",
    "db_url",
    "redis_url",
    "mongo",
    "dsn",
    "cookie",
    "private",
];

/// Whether code takes up the variables of its surroundings: all of them, or one that is secret by its name. Where a value
/// goes from there is not known; to set one, or to ask whether it is set, takes nothing up.
pub(in crate::detect) fn takes_environment(code: &str) -> bool {
    let code = &code.replace("\\\"", "\"").replace("?.", ".").replace(" .", ".").replace("/**/", "");
    let places = ENVIRONMENTS.iter().flat_map(|name| {
        code.match_indices(name).map(move |(at, _)| {
            (*name, code.get(..at).unwrap_or_default(), code.get(at + name.len()..).unwrap_or_default())
        })
    });
    places.into_iter().any(|(name, before, after)| is_taken(name, before, after)) || hidden(code)
}

fn is_taken(environment: &str, before: &str, after: &str) -> bool {
    /// What Ruby's `ENV` is asked without its values.
    const ASKS: &[&str] = &["key", "has_key", "include", "member", "delete", "store", "update"];
    let word = |it: char| it.is_alphanumeric() || it == '_';
    if before.ends_with(word) || after.starts_with(word) {
        return false;
    }
    let part = after.trim_start_matches(['.', '[', '{', '"', '\'']);
    let fetched = part.strip_prefix("fetch(").or_else(|| part.strip_prefix("fetch "));
    let part = fetched.unwrap_or(part).trim_start_matches(['"', '\'']);
    let name: String = part.chars().take_while(|it| word(*it)).collect();
    let computed = after.strip_prefix('[').is_some_and(|key| !key.starts_with(['"', '\'']));
    let method = environment == "ENV" && after.starts_with('.') && fetched.is_none();
    let behind = part.get(name.len()..).unwrap_or_default();
    let behind = behind.trim_start_matches(['"', '\'', ']', '}', ' ']);
    let set = behind.starts_with('=') && !behind.starts_with("==");
    let head = before.trim_end();
    let denied = head.strip_suffix('!').is_some_and(|head| !head.ends_with(word));
    let asks = denied || ["unless", "if", "if (", "if("].iter().any(|test| head.ends_with(test));
    let tested = asks || (behind.starts_with('?') && !behind.starts_with("??"));
    if set || tested {
        return false;
    }
    if method {
        return !ASKS.contains(&name.as_str());
    }
    let lower = name.to_lowercase();
    let whole = part.len() == after.len() || name.is_empty() || computed;
    whole || KEPT.iter().any(|sign| lower.contains(sign))
}

/// Whether code reads the environment under another name than its usual one, so that what is read does not show.
fn hidden(code: &str) -> bool {
    const RENAMES: &[&str] = &[
        "process[",
        "=process;",
        "= process;",
        "=process,",
        "= process,",
        "} = process",
        "}=process",
        "require(\"process\")",
        "require('process')",
        "from \"process\"",
        "from 'process'",
        "node:process",
        "Sys.getenv(",
        "System.get_env",
        "System.fetch_env",
        "\"_ENV\"",
        "'_ENV'",
    ];
    RENAMES.iter().any(|name| code.contains(name)) || reads_aside(&without(&code.to_lowercase()))
}

/// Python's `environ` or `getenv`, taken out of `os` or out of another name for it.
fn reads_aside(text: &str) -> bool {
    let word = |it: char| it.is_alphanumeric() || it == '_';
    ["environ", "environb", "getenv"].iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + name.len()..).unwrap_or_default();
            let usual = before.ends_with("os.") && !before.trim_end_matches("os.").ends_with(word);
            let apart = !before.ends_with(word) && !after.starts_with(word);
            let statement = before.rsplit([';', '\n', '"', '\'']).next().unwrap_or_default();
            let renamed = after.trim_start().starts_with("as ");
            let loaded = statement.trim_start().starts_with("from ") && !renamed;
            let asked = after.strip_prefix(".get").unwrap_or(after);
            let asked = asked.strip_prefix(['(', '[']).and_then(|name| plain("", name));
            apart && (!usual || leaves_by_exit(text)) && !loaded && asked.is_none() && !is_set(after)
        })
    })
}

/// Whether what is read leaves in another way than by being printed.
fn leaves_by_exit(text: &str) -> bool {
    ["sys.exit(", "stdout.write(", "stderr.write(", "raise ", "die(", "exit(", "io.write(", "error("]
        .iter()
        .any(|way| text.contains(way))
}

/// `['x'] = 'y'`, `.setdefault(`
fn is_set(after: &str) -> bool {
    let value = after.split_once(']').map_or("", |(_, value)| value.trim_start());
    let assigned = after.starts_with('[') && value.starts_with('=') && !value.starts_with("==");
    assigned || [".setdefault(", ".update(", ".pop("].iter().any(|call| after.starts_with(call))
}

/// Whether code, in small letters, goes on from the home directory that a variable names: it is more than shown.
pub(super) fn goes_home(text: &str) -> bool {
    const HOME: &[&str] = &[
        "environ['home'",
        "environ[\"home\"",
        "environ.get('home'",
        "environ.get(\"home\"",
        "getenv('home'",
    ];
    const USES: &[&str] =
        &["open(", "path", "listdir", "glob", "walk", "scandir", "chdir", "read", "write", "+", "/"];
    HOME.iter().any(|word| text.contains(word)) && USES.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S4]
    #[test]
    fn what_is_no_secret_is_left_out() {
        for (text, expected) in [
            ("print(os.environ.get('home'))", "print(_))"),
            ("os.environ['django_settings_module']='x'; print(1)", "_]='x'; print(1)"),
            ("print(os.environ['github_token'])", "print(os.environ['github_token'])"),
            ("os.environ['x_token'] = 'a'", "os.environ['x_token'] = 'a'"),
            ("print(os.environ['my_var'])", "print(os.environ['my_var'])"),
            ("print(os.environ)", "print(os.environ)"),
            ("secrets.token_hex(3)", "random(3)"),
            ("app_secrets.token_hex(3)", "app_secrets.token_hex(3)"),
            ("app.secrets.token_hex(3)", "app.secrets.token_hex(3)"),
            ("secrets.token_hex_key", "secrets.token_hex_key"),
            (
                "from app import secrets; secrets.token_hex(3)",
                "from app import secrets; secrets.token_hex(3)",
            ),
        ] {
            assert_eq!(without(text), expected, "{text}");
        }
    }
}
