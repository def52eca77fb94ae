//! Who reads a file that is run: a shell, the program of another language, or nobody that is known.

use super::interpreters::is_language;
use super::notebooks;
use crate::view::Reader;

/// Who reads the file, by its name or its first line; nothing where it is no script.
pub(crate) fn reader(path: &str, text: &str) -> Option<Reader> {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    if NAMES.contains(&name.as_str()) {
        return Some(Reader::Language);
    }
    if notebooks::is_notebook(path) {
        return Some(Reader::Notebook);
    }
    if is_shell_script(path, text) {
        return Some(Reader::Shell);
    }
    let first = text.lines().next().filter(|first| first.starts_with("#!")).unwrap_or_default();
    let told = first.rsplit(['/', ' ']).next().is_some_and(is_language);
    let named = name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    (told || named).then_some(Reader::Language)
}

/// Endings of files with code that starts programs by calls, whatever the language.
const ENDINGS: &[&str] = &[
    "py", "js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx", "rb", "rake", "gemspec", "php", "pl", "pm",
    "lua", "go", "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm", "java", "kt", "kts", "swift", "ex", "exs",
    "erl", "jl", "r", "rs", "cs", "fsx", "scala", "sc", "sbt", "zig", "gradle", "groovy", "nim", "nims",
    "nimble", "cr", "dart", "hs", "ml", "clj", "tcl", "cmake", "d", "v",
];

/// Names of such files that say nothing by an ending.
const NAMES: &[&str] = &[
    "rakefile",
    "gemfile",
    "vagrantfile",
    "podfile",
    "fastfile",
    "capfile",
    "guardfile",
    "thorfile",
    "jenkinsfile",
    "sconstruct",
    "wscript",
    "snakefile",
    "cmakelists.txt",
];

/// Whether the file is for a shell, by its name or its first line.
fn is_shell_script(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let told = first.starts_with("#!");
    matches!(name.rsplit('.').next(), Some("sh" | "bash" | "zsh" | "ksh"))
        || (told && first.split(['/', ' ']).any(|part| matches!(part.trim_end(), "sh" | "bash" | "zsh" | "dash" | "ksh")))
        // A file that says nothing about itself is run by the shell that starts it.
        || (!told && !name.contains('.'))
}
