//! Repository rules as tests: the reader looks at nothing but its text, and no file grows without a decision.
#![expect(clippy::disallowed_methods, reason = "the test looks at the sources")]
#![expect(clippy::unwrap_used, reason = "sources that cannot be read must stop the run")]

use std::path::{Path, PathBuf};

/// What would let the reader look at files, the environment, the clock, the network, or start something.
const BANNED: &[&str] =
    &["std::fs", "std::env", "std::process", "std::time", "std::io", "TcpStream", "UdpSocket", "std::thread"];

/// Files may have this many lines of code: neither blank, nor comment, nor test.
const MOST_LINES: usize = 400;

/// Flat tables, which may be longer because they hold no code.
const TABLES: &[&str] = &[
    "decide/src/harm/code/signs.rs",
    "shell/src/programs/builds.rs",
    "shell/src/programs/cloud.rs",
    "shell/src/programs/containers.rs",
    "shell/src/programs/coreutils.rs",
    "shell/src/programs/git_changes.rs",
    "shell/src/programs/git_reads.rs",
    "shell/src/programs/interfaces.rs",
    "shell/src/programs/kubernetes.rs",
    "shell/src/programs/languages.rs",
    "shell/src/programs/macos.rs",
    "shell/src/programs/platforms.rs",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_reader_looks_at_nothing_but_its_text() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 50, "the sources are where they are expected");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = before_tests(&text);
        for banned in BANNED {
            assert!(!code.contains(banned), "{} uses {banned}", file.display());
        }
    }
}

fn before_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
}

fn begins_function(line: &str) -> bool {
    let line = line.strip_prefix("pub").unwrap_or(line);
    let line = line.strip_prefix("(super)").or_else(|| line.strip_prefix("(crate)")).unwrap_or(line).trim();
    line.strip_prefix("const ").unwrap_or(line).starts_with("fn ")
}

#[test]
fn only_flat_tables_are_long() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    let mut tables = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = before_tests(&text).lines().map(str::trim);
        let code: Vec<&str> = code.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
        let name = file.strip_prefix(&crates).unwrap().to_string_lossy().replace('\\', "/");
        if TABLES.contains(&name.as_str()) {
            tables += 1;
            assert!(
                !code.iter().any(|line| begins_function(line)),
                "{name} is a table: its functions belong in a file of their own"
            );
            assert!(code.len() > MOST_LINES, "{name} is short enough not to be listed");
        } else {
            assert!(code.len() <= MOST_LINES, "{name} has {} lines of code", code.len());
        }
    }
    assert_eq!(tables, TABLES.len(), "a table that is listed is not there");
}
