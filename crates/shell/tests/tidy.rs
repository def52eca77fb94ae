//! A rule of this crate as a test: the reader looks at nothing but its text. Rules of the whole repository are in
//! `crates/portcullis/tests/tidy`.
#![expect(clippy::disallowed_methods, reason = "the test looks at the sources")]
#![expect(clippy::unwrap_used, reason = "sources that cannot be read must stop the run")]

use std::path::{Path, PathBuf};

/// What would let the reader look at files, the environment, the clock, the network, or start something.
const BANNED: &[&str] =
    &["std::fs", "std::env", "std::process", "std::time", "std::io", "TcpStream", "UdpSocket", "std::thread"];

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
