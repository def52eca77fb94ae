//! Paths as text: made absolute and normalised.
//!
//! Nothing is looked up here; where a link leads is one of the [`facts`](crate::facts).

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// The platform whose rules for paths apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Platform {
    /// Paths with `/`.
    #[default]
    Unix,
    /// Paths with `\` and `/`, drive letters, no case, and several spellings of one name.
    Windows,
}

/// `path` made absolute against `cwd`, without `.`, `..` and double separators. `~` is `home`. `..` at the root stays
/// at the root.
#[must_use]
pub fn absolute(path: &str, cwd: &str, home: &str, platform: Platform) -> String {
    let (path, cwd, home) = match platform {
        Platform::Unix => (Cow::Borrowed(path), Cow::Borrowed(cwd), Cow::Borrowed(home)),
        Platform::Windows => (forward(path).into(), forward(cwd).into(), forward(home).into()),
    };
    let (start, rest): (&str, &str) = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => (&home, rest),
        _ if path.starts_with('/') => ("", &path),
        _ => (&cwd, &path),
    };
    let mut whole = String::with_capacity(start.len() + rest.len() + 1);
    // A share of another machine keeps its second separator: it is no path of this one.
    let first = if start.is_empty() { rest } else { start };
    let share = platform == Platform::Windows && first.starts_with("//");
    let root = if share { "/" } else { "" };
    whole.push_str(root);
    for part in start.split('/').chain(rest.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                let end = whole.rfind('/').unwrap_or_default();
                whole.truncate(end.max(root.len()));
            }
            part => {
                whole.push('/');
                whole.push_str(part);
            }
        }
    }
    if whole.len() == root.len() {
        whole.push('/');
    }
    whole
}

/// A Windows path with `/`, its drive as the first folder, names without trailing dots and blanks.
fn forward(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = match path.as_bytes() {
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => format!("/{}", path.replacen(':', "", 1)),
        _ => path,
    };
    let trimmed = path.split('/').enumerate().map(|(at, part)| match part {
        "." | ".." => part,
        _ => without_stream(part, at == 0).trim_end_matches(['.', ' ']),
    });
    trimmed.collect::<Vec<_>>().join("/").to_ascii_lowercase()
}

/// The name without the stream that it names: `a.txt:x` and `a.txt::$DATA` are in `a.txt`.
fn without_stream(name: &str, first: bool) -> &str {
    /// What PowerShell names like drives, and is no file.
    const DRIVES: &[&str] = &["env", "function", "alias", "variable", "hklm", "hkcu", "cert", "wsman"];
    match name.split_once(':') {
        Some((file, _))
            if first && (file.len() < 2 || DRIVES.contains(&file.to_ascii_lowercase().as_str())) =>
        {
            name
        }
        Some((file, _)) => file,
        None => name,
    }
}

/// Whether `path` is `folder` or lies in it. Both absolute.
#[must_use]
pub fn is_within(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether the spelling hides which file is meant: an encoded dot or separator, a short name of Windows,
/// a control character.
#[must_use]
pub(crate) fn is_doubtful(path: &str, platform: Platform) -> bool {
    let lower = path.to_ascii_lowercase();
    let encoded = ["%2e", "%2f", "%5c", "%00"].iter().any(|code| lower.contains(code));
    let short = platform == Platform::Windows && has_short_name(&lower);
    encoded
        || short
        || path.chars().any(|character| character.is_control() || portcullis_shell::hides_text(character))
}

/// A letter as file systems without case take it.
pub(crate) fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    // By the capital, which several small letters may share. What has more than one sign stays.
    let mut capital = letter.to_uppercase();
    let (Some(only), None) = (capital.next(), capital.next()) else { return letter };
    let mut small = only.to_lowercase();
    let (Some(only), None) = (small.next(), small.next()) else { return letter };
    only
}

/// Text with its letters taken so.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(fold).collect() }
}

/// The path with its letters composed and decomposed, `é` as one sign and as two: some file systems take them for one.
/// `root` also keeps its own form, since rules start from it.
pub(crate) fn forms(path: &str, root: &str) -> Vec<String> {
    if path.is_ascii() {
        return Vec::new();
    }
    let both = |text: &str| {
        let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text).into_owned();
        [composed, DecomposingNormalizerBorrowed::new_nfd().normalize(text).into_owned()]
    };
    // Without case, `ſ` is an `s` and the sign for kelvin a `k`.
    let plain = |letter: char| if fold(letter).is_ascii() { fold(letter) } else { letter };
    let mut all = Vec::from(both(path));
    all.push(path.chars().map(|letter| if letter.is_ascii() { letter } else { plain(letter) }).collect());
    if let Some(rest) = path.strip_prefix(root).filter(|_| is_within(path, root)) {
        all.extend(both(rest).map(|rest| format!("{root}{rest}")));
    }
    all
}

/// `GIT~1` is another name of some longer one.
fn has_short_name(path: &str) -> bool {
    let mut after = path.split('~').skip(1);
    after.any(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(path: &str) -> String {
        absolute(path, "/home/dev/proj", "/home/dev", Platform::Unix)
    }

    #[test]
    fn one_file_has_one_spelling() {
        assert_eq!(unix("src/../a//b/./c"), "/home/dev/proj/a/b/c");
        assert_eq!(unix("~/x"), "/home/dev/x");
        assert_eq!(unix("~"), "/home/dev");
        assert_eq!(unix("/../../etc"), "/etc");
        assert_eq!(unix("../other"), "/home/dev/other");
        assert_eq!(unix("."), "/home/dev/proj");
    }

    #[test]
    fn windows_paths_lose_their_other_spellings() {
        let windows = |path: &str| absolute(path, "C:\\proj", "C:\\Users\\dev", Platform::Windows);
        assert_eq!(windows(".git.\\hooks"), "/c/proj/.git/hooks");
        assert_eq!(windows("C:\\Proj\\.GIT"), "/c/proj/.git");
        assert_eq!(windows("a.txt:x"), "/c/proj/a.txt");
        assert_eq!(windows("C:\\proj\\.env::$DATA"), "/c/proj/.env");
        assert_eq!(windows("locked:$I30:$INDEX_ALLOCATION\\x"), "/c/proj/locked/x");
        assert_eq!(windows("\\\\192.0.2.10\\share\\x"), "//192.0.2.10/share/x");
    }

    #[test]
    fn a_sibling_is_not_within() {
        assert!(is_within("/a/b", "/a/b"));
        assert!(is_within("/a/b/c", "/a/b/"));
        assert!(is_within("/a", "/"));
        assert!(!is_within("/a/bc", "/a/b"));
    }
}
