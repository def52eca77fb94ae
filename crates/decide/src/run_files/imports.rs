//! The project files that a script calls, imports or includes, as far as its text names them.

use crate::context::Context;

/// Endings of files whose text is run.
const RUN: &[&str] = &[
    "sh", "bash", "zsh", "py", "js", "mjs", "cjs", "ts", "mts", "cts", "rb", "pl", "pm", "php", "lua", "mk",
    "gradle", "kts", "rake", "just", "awk",
];

/// What a module may be called on the disk, by the language of the file that loads it.
const MODULES: &[(&[&str], &[&str])] = &[
    (&["py"], &[".py", "/__init__.py"]),
    (
        &["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx"],
        &["", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"],
    ),
    (&["rb", "rake"], &["", ".rb"]),
    (&["lua"], &[".lua"]),
    (&["pl", "pm"], &["", ".pm", ".pl"]),
    (&["php"], &["", ".php"]),
];

/// The files that the text at `path` may run, absolute: which of them exist is not known here.
pub(super) fn of(path: &str, text: &str, cwd: &str, context: &Context) -> Vec<String> {
    let folder =
        path.rsplit_once('/').map_or("/", |(folder, _)| if folder.is_empty() { "/" } else { folder });
    let mut found: Vec<String> = Vec::new();
    let mut add = |name: &str, from: &str| {
        let file = context.absolute(name, from);
        if file != path && context.is_trusted(&file) && !found.contains(&file) {
            found.push(file);
        }
    };
    for name in named(text) {
        add(name, folder);
        add(name, cwd);
    }
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    // A script without an ending may be of any language; Python's way to load modules is the only one without quotes.
    let endings = MODULES.iter().filter(|(languages, _)| languages.contains(&ending));
    for (languages, endings) in endings {
        let python = languages.contains(&"py");
        let names: Vec<String> = if python { python_modules(text) } else { quoted_modules(text) };
        for name in &names {
            for form in *endings {
                let file = format!("{name}{form}");
                add(&file, folder);
                if python {
                    add(&file, context.root());
                    add(&format!("src/{file}"), context.root());
                }
            }
        }
    }
    found
}

/// Words and texts that are called like files which are run.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let part = |it: char| it.is_alphanumeric() || "/._-".contains(it);
    text.split(move |it| !part(it)).filter(|word| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
        word.len() < 200 && (ending.is_some_and(|ending| RUN.contains(&ending)) || is_program(word))
    })
}

/// `./tool`: a file that is run by its path.
fn is_program(word: &str) -> bool {
    word.strip_prefix("./").is_some_and(|rest| rest.starts_with(char::is_alphanumeric) && !rest.contains('.'))
}

/// `import a.b, c`, `from .a import b`: the files that these may be, without their endings.
fn python_modules(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().flat_map(|line| line.split(';')) {
        let line = line.trim_start();
        if let Some(list) = line.strip_prefix("import ") {
            let names = list.split(',').filter_map(|part| part.split_whitespace().next());
            found.extend(names.map(|name| name.replace('.', "/")));
        } else if let Some((module, names)) =
            line.strip_prefix("from ").and_then(|it| it.split_once(" import "))
        {
            let module = module.trim();
            let dots = module.len() - module.trim_start_matches('.').len();
            let up = "../".repeat(dots.saturating_sub(1));
            let base = format!("{up}{}", module.trim_start_matches('.').replace('.', "/"));
            let names = names.split([',', '(', ')']).filter_map(|part| part.split_whitespace().next());
            let below = names.filter(|name| *name != "*").map(|name| {
                if base.is_empty() || base.ends_with('/') {
                    format!("{base}{name}")
                } else {
                    format!("{base}/{name}")
                }
            });
            found.extend(below);
            found.push(base);
        }
    }
    found.retain(|name| !name.is_empty() && !name.ends_with('/'));
    found
}

/// `require('./a')`, `import './a'`, `require_relative 'a'`: short texts in quotes behind a word that loads.
fn quoted_modules(text: &str) -> Vec<String> {
    const LOADS: &[&str] = &["require", "import", "from", "load", "include", "do", "use", "dofile"];
    let mut found = Vec::new();
    for quote in ['"', '\'', '`'] {
        let mut parts = text.split(quote);
        let mut before = parts.next().unwrap_or_default();
        for part in parts {
            let head = before.trim_end_matches([' ', '(']);
            let loads = LOADS.iter().any(|word| head.ends_with(word))
                || head.ends_with("_relative")
                || head.ends_with("_once");
            if loads && part.len() < 200 && !part.contains(['\n', ':']) && !part.is_empty() {
                found.push(part.to_owned());
            }
            before = part;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P0]
    #[test]
    fn what_a_script_names_is_found_in_each_language() {
        let context = Context::new("/p", "/home/dev");
        for (path, text, wanted) in [
            (
                "/p/a.py",
                "import b.c as d, e\nfrom .f import g",
                vec!["/p/b/c.py", "/p/e.py", "/p/f.py", "/p/f/g.py"],
            ),
            ("/p/a.py", "import subprocess; subprocess.run(['bash', 'x/y.sh'])", vec!["/p/x/y.sh"]),
            (
                "/p/s/a.js",
                "const x = require('../lib/b'); import './c.mjs'",
                vec!["/p/lib/b.js", "/p/s/c.mjs"],
            ),
            ("/p/a.rb", "require_relative 'b'", vec!["/p/b.rb"]),
            ("/p/a.sh", "source lib/common.sh\n./tool --fast", vec!["/p/lib/common.sh", "/p/tool"]),
            ("/p/a.php", "<?php include_once 'b.php';", vec!["/p/b.php"]),
        ] {
            let found = of(path, text, "/p", &context);
            for file in wanted {
                assert!(found.iter().any(|it| it == file), "{file} in {found:?}");
            }
        }
        assert_eq!(of("/p/a.py", "print('e.g. this')", "/p", &context), Vec::<String>::new());
    }
}
