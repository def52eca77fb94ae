//! What inline code loads or calls to reach other machines, run programs or take things away, known by the names that each
//! language has for it. That something is only loaded, or asked for its version, is no action.

use super::framework_shells;
use super::loading_names::{NODE, OF_NODE, OF_PYTHON, OF_SYSTEM, PARTS, PYTHON, WORDS};

/// Whether code that the program is given does more than work on what the project has.
pub(in crate::detect) fn reaches_out(program: &str, code: &str) -> bool {
    // In the line itself the quotes may be escaped.
    let mut lower = code.to_lowercase().replace("\\\"", "\"").replace('\t', " ");
    while lower.contains(" (") {
        lower = lower.replace(" (", "(");
    }
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
        "python" => {
            says(OF_PYTHON)
                || calls(&lower, "exec(")
                || calls(&lower, "eval(")
                || hands_on(&lower, "exec")
                || hands_on(&lower, "eval")
                || takes_of_system(&lower)
                || imports_request(&lower)
                || takes_data_away(&lower)
                || PYTHON.iter().any(|module| uses_module(&lower, module))
        }
        "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => {
            let lower = lower.replace('`', "\"");
            says(OF_NODE)
                || makes_function(code)
                || names_fetch(&lower)
                || NODE.iter().any(|module| requires(&lower, module))
        }
        "ruby" | "perl" | "lua" | "rscript" | "Rscript" | "julia" | "elixir" | "mix" => {
            says(PARTS) || pipes(&lower) || WORDS.iter().any(|word| says_word(&lower, word))
        }
        "php" => {
            let includes = says(&["include", "require"]) && says(&["php://"]);
            says(PARTS)
                || includes
                || calls_variable(&lower)
                || WORDS.iter().any(|word| says_word(&lower, word))
        }
        _ => false,
    }
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

/// A statement in quotes that takes tables or rows away, or changes who may do what.
fn takes_data_away(text: &str) -> bool {
    text.split(['"', '\'']).any(|part| {
        let first = part.split_whitespace().next().unwrap_or_default();
        let away = matches!(first, "drop" | "truncate" | "delete" | "alter" | "grant" | "revoke");
        away && framework_shells::is_statement(part)
    })
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

/// `exec(…)`, and not `self.exec(…)`
fn calls(text: &str, call: &str) -> bool {
    let before = text.match_indices(call).filter_map(|(at, _)| text.get(..at));
    before.into_iter().any(|before| !before.ends_with(|it| is_part(it) || it == '.'))
}

/// The statement that goes on behind `before`, up to there.
fn statement(before: &str) -> &str {
    before.rsplit([';', '\n', '"', '\'', ':']).next().unwrap_or_default().trim_start()
}

/// What is left of a statement.
fn rest_of(after: &str) -> &str {
    after.split([';', '\n', '"', '\'']).next().unwrap_or_default()
}

/// The names that `from x import a, b as c` gives to what it takes.
fn taken(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter_map(|part| part.trim_matches(['(', ')', ' ', '\\']).rsplit(' ').next())
}

/// Whether the name occurs anywhere but where it is imported.
fn is_used(text: &str, name: &str) -> bool {
    let elsewhere = |(before, _): (&str, &str)| !statement(before).starts_with("from ");
    name == "*" || (!name.is_empty() && places(text, name).any(elsewhere))
}

/// `list(map(eval, texts))`: what runs a text, under another name.
fn hands_on(text: &str, runner: &str) -> bool {
    places(text, runner).any(|(before, after)| {
        !before.ends_with(['"', '\'']) && after.trim_start_matches(' ').starts_with([';', ',', ')', '\n'])
    })
}

/// Whether Python code loads the module and uses it for more than its version.
fn uses_module(text: &str, module: &str) -> bool {
    let mut imported = false;
    let mut used = false;
    for (before, after) in places(text, module) {
        let start = statement(before);
        if start == "from " {
            let list = rest_of(after).split_once("import").map_or("", |(_, list)| list);
            if taken(list).any(|name| is_used(text, name)) {
                return true;
            }
        } else if start.starts_with("import ") {
            let own = rest_of(after).split(',').next().unwrap_or_default();
            imported = true;
            used |= own.contains(" as ");
        } else if !before.ends_with(['"', '\'', '/', '-']) {
            let part = after.trim_start().strip_prefix('.').is_some_and(|part| !part.starts_with("__"));
            let shown = before.ends_with("print(");
            let handed = after.starts_with([',', ']', ')']) && !shown;
            used |= part || handed || before.trim_end().ends_with('=');
        }
    }
    imported && used
}

/// `from os import path, remove as r`
fn takes_of_system(text: &str) -> bool {
    ["os", "shutil"].iter().any(|module| {
        let mut loads = places(text, module).filter(|(before, _)| statement(before) == "from ");
        loads.any(|(_, after)| {
            let list = rest_of(after).split_once("import").map_or("", |(_, list)| list);
            let first = |part: &str| {
                let name = part.trim_matches(['(', ')', ' ']).split(' ').next().unwrap_or_default();
                let starts = ["exec", "spawn", "posix_spawn"].iter().any(|start| name.starts_with(start));
                starts || OF_SYSTEM.contains(&name)
            };
            list.split(',').any(first)
        })
    })
}

/// `from urllib import parse, request`
fn imports_request(text: &str) -> bool {
    let mut loads = places(text, "urllib").filter(|(before, _)| statement(before) == "from ");
    loads.any(|(_, after)| rest_of(after).contains("request"))
}

/// Whether JavaScript loads the module and goes on with it.
fn requires(text: &str, module: &str) -> bool {
    text.match_indices(module).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + module.len()..).unwrap_or_default();
        let before = ["node:", "npm:"].iter().find_map(|kind| before.strip_suffix(kind)).unwrap_or(before);
        let scoped = module.starts_with('@') && after.starts_with('/');
        let closes = after.split_once(['"', '\'']).filter(|(name, _)| name.is_empty() || scoped);
        let Some((_, behind)) = closes else { return false };
        let opens = before.strip_suffix(['"', '\'']).map(str::trim_end).unwrap_or_default();
        let loads = ["require(", "import(", "import", "from"].iter().any(|word| opens.ends_with(word));
        let behind = behind.trim_start_matches([')', ' ', ';']);
        let told = [".status_codes", ".methods"].iter().any(|part| behind.starts_with(part));
        loads && !told && !behind.is_empty() && !behind.starts_with(['"', '\''])
    })
}

/// `const f = fetch; f(x)`, `await fetch (x)`
fn names_fetch(text: &str) -> bool {
    places(text, "fetch").any(|(before, after)| {
        let quoted = before.ends_with(['"', '\'', '/', '-']);
        // A word among others is one of a sentence.
        let sentence = before.ends_with(' ') && !before.trim_end().ends_with(['=', ',', '(', ':']);
        let named = !sentence && after.trim_start().starts_with([';', ',', ')', ']', '}', '"']);
        !quoted && (named || after.starts_with('('))
    })
}

/// `Function("…")()`: code out of a text. In small letters it is a word of the language.
fn makes_function(code: &str) -> bool {
    code.match_indices("Function").any(|(at, word)| {
        let apart = !code.get(..at).unwrap_or_default().ends_with(is_part);
        apart && code.get(at + word.len()..).unwrap_or_default().trim_start().starts_with('(')
    })
}

/// Whether a scripting language gets the word as a command, a function, or the name of one.
fn says_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + word.len()..).unwrap_or_default();
        // `Kernel.system`, and `-MLWP::Simple`
        let owned =
            ["kernel.", "process.", "object.", " -m", " -r"].iter().any(|owner| before.ends_with(owner));
        let apart = !before.ends_with(|it| is_part(it) || matches!(it, '.' | '$' | '@' | '-'));
        let other = after.starts_with(is_part) || after.trim_start().starts_with(['=', '?']);
        // R has `system.file`, Elixir `System.version`.
        let dotted = word == "system" && after.starts_with('.');
        // `/exec/` is looked for.
        let sought = before.ends_with('/') && after.starts_with('/');
        (apart || owned) && !other && !dotted && !sought
    })
}

/// `open F, "ls|"`: a name with a stroke at its end is a command.
fn pipes(text: &str) -> bool {
    let marks = ["\"|", "'|", "|\"", "|'", "|-"];
    places(text, "open").next().is_some() && marks.iter().any(|mark| text.contains(mark))
}

/// `$f("ls")`: a text says which function is called.
fn calls_variable(text: &str) -> bool {
    text.split('$').skip(1).any(|rest| rest.trim_start_matches(is_part).starts_with('('))
}
