//! The environment of a hook: names known to be harmless, and those that the hook's own settings name (SPEC H4).

use std::ffi::OsString;
use std::path::Path;

/// Variables that every hook gets.
const HARMLESS: &[&str] =
    &["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TERM", "TMPDIR", "CLAUDE_PROJECT_DIR"];

/// Beginnings of names that every hook gets.
const HARMLESS_GROUPS: &[&str] = &["LC_", "XDG_", "PORTCULLIS_"];

/// Words in a name that speak of a secret.
const SECRET: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASS", "PWD", "CREDENTIAL", "AUTH", "COOKIE", "PRIVATE", "SIGN", "DSN"];

/// What of `all` a hook gets that names `wanted`.
pub(crate) fn cleaned(
    all: impl Iterator<Item = (OsString, OsString)>,
    wanted: &[String],
) -> Vec<(OsString, OsString)> {
    let kept = all.filter(|(name, _)| {
        name.to_str().is_some_and(|name| is_harmless(name) || wanted.iter().any(|it| it == name))
    });
    kept.map(|(name, value)| if name == "PATH" { (name, absolute_only(&value)) } else { (name, value) })
        .collect()
}

fn is_harmless(name: &str) -> bool {
    let grouped = HARMLESS_GROUPS.iter().any(|group| name.starts_with(group));
    HARMLESS.contains(&name) || (grouped && !SECRET.iter().any(|word| name.to_uppercase().contains(word)))
}

/// A search path without the folders that depend on where the hook runs: a project must not bring its programs.
fn absolute_only(path: &OsString) -> OsString {
    let kept = std::env::split_paths(path).filter(|folder| Path::new(folder).is_absolute());
    std::env::join_paths(kept).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[(&str, &str)], wanted: &[&str]) -> Vec<(String, String)> {
        let all = all.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        let text = |text: OsString| text.into_string().unwrap();
        cleaned(all, &wanted).into_iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    /// [H4]
    #[test]
    fn only_harmless_and_named_variables_pass() {
        let all = [
            ("HOME", "/home/dev"),
            ("LC_ALL", "C"),
            ("XDG_STATE_HOME", "/s"),
            ("XDG_SESSION_TOKEN", "x"),
            ("PORTCULLIS_AUTO_MODE_MODEL", "m"),
            ("PORTCULLIS_API_KEY", "k"),
            ("OPENAI_API_KEY", "k"),
            ("AWS_SECRET_ACCESS_KEY", "k"),
            ("LD_PRELOAD", "/x.so"),
            ("BASH_ENV", "x"),
            ("GITHUB_TOKEN", "t"),
        ];
        let kept: Vec<String> = names(&all, &["GITHUB_TOKEN"]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(kept, ["HOME", "LC_ALL", "XDG_STATE_HOME", "PORTCULLIS_AUTO_MODE_MODEL", "GITHUB_TOKEN"]);
    }

    /// [H4] [R11]
    #[test]
    fn a_project_brings_no_programs_into_the_search_path() {
        let kept = names(&[("PATH", "/usr/bin::.:node_modules/.bin:/bin:")], &[]);
        assert_eq!(kept, [("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    }
}
