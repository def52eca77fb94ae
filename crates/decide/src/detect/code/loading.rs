//! What inline code loads or calls to reach other machines, run programs or take things away, known by the names that each
//! language has for it.

use super::framework_shells::is_statement;
use super::loading_names::{NODE, OF_NODE, OF_PYTHON, PARTS, PYTHON, WORDS};

/// Whether code that the program is given does more than work on what the project has.
pub(in crate::detect) fn reaches_out(program: &str, code: &str) -> bool {
    // In the line itself the quotes may be escaped.
    let mut lower = code.to_lowercase().replace("\\\"", "\"").replace(['\t', '`'], " ");
    while lower.contains(" (") {
        lower = lower.replace(" (", "(");
    }
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    if lower.split(['"', '\'']).any(is_statement) {
        return true;
    }
    match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
        "python" => {
            says(OF_PYTHON) || takes_of_system(&lower) || PYTHON.iter().any(|module| loads(&lower, module))
        }
        "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => {
            says(OF_NODE)
                || code.replace(" (", "(").contains("Function(")
                || NODE.iter().any(|module| loads(&lower, module))
        }
        "ruby" | "perl" | "lua" | "rscript" | "Rscript" | "julia" | "elixir" | "mix" | "php" => {
            let pipes = lower.contains("open") && says(&["\"|", "'|", "|\"", "|'", "|-", "-|"]);
            pipes || says(PARTS) || WORDS.iter().any(|word| says_word(&lower, word))
        }
        _ => false,
    }
}

/// `from os import path, remove as r`, `from urllib import parse, request`
fn takes_of_system(text: &str) -> bool {
    const TAKEN: &[&str] = words!(
        "system popen remove unlink rename replace rmdir removedirs kill move chmod chown symlink link truncate environ request *"
    );
    let lists = ["from os import", "from shutil import", "from urllib import"]
        .iter()
        .flat_map(|start| text.split(start).skip(1));
    lists.into_iter().any(|rest| {
        let list = rest.split([';', '\n', '"', '\'']).next().unwrap_or_default();
        list.split([',', '(', ')', ' '])
            .any(|name| TAKEN.contains(&name) || name.starts_with("exec") || name.starts_with("spawn"))
    })
}

/// The language that a program or a framework is written in.
pub(super) fn language_of(program: &str) -> &str {
    match program.rsplit('/').next().unwrap_or_default() {
        "rails" | "hanami" => "ruby",
        "django-admin" | "flask" | "manage.py" => "python",
        "artisan" | "wp" => "php",
        other => other,
    }
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// What precedes and follows each place where the name is a word of its own.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text.get(..at)?;
        let after = text.get(at + name.len()..)?;
        let apart = !before.ends_with(|it| is_part(it) || it == '.') && !after.starts_with(is_part);
        apart.then_some((before, after))
    })
}

/// Whether code loads the module, and does more than to ask for its version.
fn loads(text: &str, module: &str) -> bool {
    const LOADS: &[&str] = phrases!("import |from |require(|import(|import|from");
    let version = text.contains(&format!("{module}.__version__")) && places(text, module).count() == 2;
    !version
        && places(text, module).any(|(before, after)| {
            let quoted = before.trim_end_matches("node:").trim_end_matches("npm:");
            let opens = quoted.trim_end_matches(['"', '\'']);
            let statement = opens.rsplit([';', '\n', '"', '\'']).next().unwrap_or_default().trim_start();
            let named = opens.len() < quoted.len() && after.starts_with(['"', '\'', '/']);
            let python = statement.starts_with("import ") || statement == "from ";
            (named && LOADS.iter().any(|word| opens.trim_end().ends_with(word.trim_end())))
                || (python && opens.len() == quoted.len())
        })
}

/// Whether a scripting language gets the word as a command, a function, or the name of one.
fn says_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + word.len()..).unwrap_or_default();
        let owned =
            ["kernel.", "process.", "object.", " -m", " -r"].iter().any(|owner| before.ends_with(owner));
        let apart = !before.ends_with(|it| is_part(it) || matches!(it, '.' | '$' | '@' | '-'));
        // R has `system.file`, Elixir `System.version`; `/exec/` is looked for.
        let dotted = word == "system" && after.starts_with('.');
        let other = dotted || after.starts_with(is_part) || after.trim_start().starts_with(['=', '?']);
        (apart || owned) && !other && !(before.ends_with('/') && after.starts_with('/'))
    })
}
