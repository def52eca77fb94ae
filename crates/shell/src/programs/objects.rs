//! Files that lie in stores and at hosts of code, and that hold credentials by their names.

use crate::argument::Argument;
use crate::secrets;

/// How addresses of stores begin.
const STORES: &[&str] = &[
    "gs", "s3", "s3a", "s3n", "az", "azure", "abfs", "abfss", "wasb", "wasbs", "b2", "r2", "oss", "cos",
    "obs", "hdfs",
];

/// What stands before the path of a file at a host of code.
const HOSTED: &[&str] = &["/contents/", "/repository/files/", "raw.githubusercontent.com/"];

/// Programs whose operands are files of a store without an address: `rclone cat backup:prod/.env`.
const CLIENTS: &[&str] = &["rclone", "mc", "mcli"];

/// Whether the word names such a file.
pub(super) fn holds_secret(program: &str, word: &Argument<'_>) -> bool {
    let exact = word.literal || !word.choices.is_empty();
    let text = word.text;
    // Most words name nothing that lies elsewhere.
    let elsewhere =
        CLIENTS.contains(&program) || text.contains("://") || HOSTED.iter().any(|mark| text.contains(mark));
    elsewhere
        && word.possible().any(|text| {
            let path = path_of(program, text).map(decoded);
            path.is_some_and(|path| secrets::is_secret_path(&path, exact) && !secrets::is_sample(&path))
        })
}

/// The part of the word that is the path of the file.
fn path_of<'t>(program: &str, text: &'t str) -> Option<&'t str> {
    let text = text.split('?').next().unwrap_or(text);
    let stored = text
        .split_once("://")
        .filter(|(scheme, _)| STORES.contains(&scheme.rsplit('=').next().unwrap_or(scheme)));
    if let Some((_, object)) = stored {
        return object.split_once('/').map(|(_, path)| path);
    }
    let hosted =
        HOSTED.iter().find_map(|mark| text.split_once(mark)).map(|(_, path)| path.trim_end_matches("/raw"));
    let named = || CLIENTS.contains(&program).then(|| text.rsplit(':').next().unwrap_or(text));
    hosted.or_else(named)
}

/// Dots and slashes may be written as numbers.
fn decoded(path: &str) -> String {
    let lower = path.to_ascii_lowercase();
    lower.replace("%2e", ".").replace("%2f", "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn a_file_elsewhere_is_known_by_its_name() {
        let holds =
            |program: &str, text: &str| holds_secret(program, &Argument::literal(text, Span::default()));
        for (program, text) in [
            ("gsutil", "gs://x/prod/.env"),
            ("aws", "s3://x/keys/id_rsa"),
            ("gh", "repos/x/y/contents/.env.production?ref=main"),
            ("glab", "projects/1/repository/files/%2Eenv/raw?ref=main"),
            ("curl", "https://raw.githubusercontent.com/x/y/main/.env"),
            ("rclone", "backup:prod/.env"),
        ] {
            assert!(holds(program, text), "{text}");
        }
        for (program, text) in [
            ("gsutil", "gs://x/prod/app.js"),
            ("gh", "repos/x/y/contents/.env.example"),
            ("gh", "repos/x/y/contents/package.json"),
            ("curl", "https://example.com/.env"),
            ("aws", ".env"),
            ("rclone", "backup:src/main.rs"),
        ] {
            assert!(!holds(program, text), "{text}");
        }
    }
}
