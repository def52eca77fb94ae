//! Variables of the environment that code takes up: all of them, or one that is secret by its name.

/// Variables, in small letters, that say how things are set up.
const PLAIN: &[&str] = words!(
    "home path debug user lang shell pwd term tz ci env port host hostname editor display tmpdir node_env rails_env flask_env \
     flask_app flask_debug log_level rust_log pythonpath virtual_env conda_prefix java_home gopath django_settings_module \
     cuda_visible_devices omp_num_threads"
);

/// Parts of names of variables that hold secrets.
const SECRET: &[&str] =
    words!("secret token key passw pwd cred auth cookie private dsn database_url db_url redis_url mongo");

/// How the environment is asked, in small letters.
const ENVIRONMENTS: &[&str] = phrases!(
    "process.env|bun.env|import.meta.env|$_env|$_server|%env|$env|env[|env.|(env)|p env|puts env|environ|getenv|sys.getenv|\
     system.get_env|system.fetch_env|= process|=process|process[|require(\"process\")|require('process')"
);

/// The text, in small letters, without variables that hold no secret: `os.environ['home']`.
pub(super) fn without(text: &str) -> String {
    const CALLS: &[&str] = words!("os.environ.get( os.environ.setdefault( os.environ[ os.getenv(");
    let mut found = text.to_owned();
    for call in CALLS {
        for name in PLAIN {
            for quote in ['"', '\''] {
                found = found.replace(&format!("{call}{quote}{name}{quote}"), "_");
            }
        }
    }
    found
}

/// Whether code takes up the variables of its surroundings. Where a value goes from there is not known; to set one, or to
/// ask for one that says how things are set up, takes nothing up.
pub(in crate::detect) fn takes_environment(code: &str) -> bool {
    let text = code.to_lowercase().replace("\\\"", "\"").replace("?.", ".").replace(" .", ".");
    let text = without(&text);
    let word = |it: char| it.is_alphanumeric() || it == '_';
    ENVIRONMENTS.iter().any(|environment| {
        text.match_indices(environment).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + environment.len()..).unwrap_or_default();
            let begins = environment.starts_with(word) && before.ends_with(|it: char| word(it) || it == '.');
            let goes_on = environment.ends_with(word) && after.starts_with(word);
            let dotted = environment.starts_with("environ") || environment.starts_with("getenv");
            if (begins && !dotted) || goes_on {
                return false;
            }
            let rest = after.trim_start_matches(".get").trim_start_matches(".fetch");
            let rest = rest.trim_start_matches(['.', '[', '(', '{', '"', '\'', ' ']);
            let name: String = rest.chars().take_while(|it| word(*it)).collect();
            let behind = rest
                .get(name.len()..)
                .unwrap_or_default()
                .trim_start_matches(['"', '\'', ']', ')', '}', ' ']);
            let set = behind.starts_with('=') && !behind.starts_with("==");
            let asked = ["key?", "has_key", "include?", "member?", "delete", "store", "setdefault", "update"];
            let computed = after.strip_prefix('[').is_some_and(|key| !key.starts_with(['"', '\'']));
            let asks = environment.ends_with(['.', '[']) || after.starts_with(['.', '[', '(', '{']);
            let whole = computed
                || name == "env"
                || !asks
                || name.is_empty()
                || rest.len() == after.len()
                || ["items", "values", "copy", "to_h", "inspect"].contains(&name.as_str());
            !set && !asked.iter().any(|call| rest.starts_with(call))
                && (whole || SECRET.iter().any(|part| name.contains(part)))
        })
    })
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
            ("print(os.environ)", "print(os.environ)"),
        ] {
            assert_eq!(without(text), expected, "{text}");
        }
        assert!(takes_environment("console.log(process.env)"));
        assert!(takes_environment("print(os.environ['GITHUB_TOKEN'])"));
        assert!(!takes_environment("console.log(process.env.NODE_ENV)"));
    }
}
