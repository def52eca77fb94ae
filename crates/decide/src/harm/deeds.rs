//! What the words of inline code mean: a word for a deed counts where it stands for itself, and not where the letters
//! around it, the language or the place in a text show that it is something else.

use portcullis_shell::Command;

use super::signs::ACTS;

/// The languages in which some signs mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// Backticks are only text.
    Python,
    /// Backticks are texts with gaps.
    JavaScript,
    /// Everything may mean everything.
    Other,
}

impl Language {
    /// The language of the program that the command runs. Where the shell fills something in, a backtick may be the
    /// shell's own, whoever reads the rest.
    pub(super) fn of(command: &Command) -> Language {
        let program = command.program.as_deref().unwrap_or_default();
        if command.arguments.iter().any(|word| !word.literal) {
            return Language::Other;
        }
        match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
            "python" => Language::Python,
            "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => Language::JavaScript,
            _ => Language::Other,
        }
    }

    /// The same for code that comes in: in a document whose mark is not quoted the shell fills in, too.
    pub(super) fn of_input(command: &Command, line: &str) -> Language {
        let mut marks = line.split("<<").skip(1).map(|mark| mark.trim_start_matches(['-', '~', ' ']));
        let quoted = marks.all(|mark| mark.starts_with(['\'', '"', '\\']));
        if quoted { Language::of(command) } else { Language::Other }
    }
}

/// What the code, in small letters, does that is more than reading, counting and printing.
pub(super) fn told(lower: &str, language: Language) -> Option<&'static str> {
    let text = without_file_names(lower);
    let means = |word: &str| means(&text, word, language);
    let counts = |(what, words): &&(&'static str, &[&str])| {
        words.iter().any(|word| means(word))
            && !(*what == "decodes" && only_shows(&text, language))
            && !(*what == "copies trees" && only_lists(&text))
    };
    ACTS.iter().find(counts).map(|(what, _)| *what)
}

/// Calls whose first text is the name of a file that is opened or read.
const OPENS: &[&str] =
    &["open(", "readfilesync(", "readfile(", "read_csv(", "read_json(", "path(", "file.read("];

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn is_name(character: char) -> bool {
    is_part(character) || matches!(character, '.' | '/' | '-')
}

/// The text without the names of files that it opens: what they are called is nothing that it does.
fn without_file_names(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, after)) = rest.find('(').and_then(|at| rest.split_at_checked(at + 1)) {
        let opens = OPENS.iter().filter_map(|word| head.strip_suffix(word));
        let apart = opens.into_iter().any(|before| !before.ends_with(is_part));
        found.push_str(head);
        rest = after;
        // In the line itself the quotes may be escaped.
        let inner = after.trim_start_matches('\\').strip_prefix(['"', '\'']);
        if let Some(inner) = inner.filter(|_| apart) {
            let behind = inner.trim_start_matches(is_name);
            if behind.starts_with(['"', '\'', '\\']) {
                found.push('"');
                rest = behind;
            }
        }
    }
    found.push_str(rest);
    found
}

/// Whether the text says the word, and means it.
fn means(text: &str, word: &str, language: Language) -> bool {
    let by_name = || !NAMESPACES.iter().any(|all| text.contains(all));
    match (word, language) {
        ("`", Language::Python) => false,
        ("%x" | "qx" | "system \"" | "system '" | "exec \"" | "exec '", language)
            if language != Language::Other =>
        {
            false
        }
        ("`", Language::JavaScript) => TAGS.iter().any(|tag| ends_a_word(text, tag)),
        _ => text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + word.len()..).unwrap_or_default();
            stands(before, word, after)
                && (language == Language::Other || !is_only_named(before, word, after))
                && !(language == Language::Python && is_only_imported(before, word, after) && by_name())
                && !(word == "exec(" && language == Language::JavaScript && is_expression(before))
                && !(language != Language::Other && is_of_collection(before, word))
        }),
    }
}

/// What runs the text in backticks behind it.
const TAGS: &[&str] =
    &["$`", "sh`", "bash`", "exec`", "execa`", "shell`", "spawn`", "run`", "cmd`", "command`"];

/// Whether the word stands in the text and is no end of a longer one.
fn ends_a_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text.get(..at).unwrap_or_default().ends_with(is_part))
}

/// Whether the letters around a sign leave it what it is.
fn stands(before: &str, word: &str, after: &str) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
    // `requests.__version__`
    if after.trim_start_matches('.').starts_with("__version__") {
        return false;
    }
    match word {
        "pty" | "qx" => !before.ends_with(is_part) && !after.starts_with(is_part),
        "rm(" | "del(" | "source(" | "vm." | "dns." | "crypt." | "system \"" | "system '" | "exec \""
        | "exec '" => !before.ends_with(is_part),
        // What a method compiles is a pattern or a model.
        "compile(" => !before.ends_with(is_part) && !before.ends_with('.'),
        "import sh" | "import system" | "import remove" | "import rename" | "import kill" => {
            !after.starts_with(is_part)
        }
        "eval(" => !(before.ends_with("literal_") || (before.ends_with('.') && after.starts_with(')'))),
        "unpack" => !before.ends_with("struct."),
        "importlib" => {
            !(starts(&[".metadata", ".resources", ".util.find_spec"])
                || (before.ends_with("from ") && starts(&[" import metadata", " import resources"])))
        }
        "urllib" => !(starts(&[".parse"]) || (before.ends_with("from ") && starts(&[" import parse"]))),
        "http.client" => !starts(&[".responses"]),
        _ => true,
    }
}

/// Words that also are names of things.
const THINGS: &[&str] =
    &["charge", "refund", "transfer", "fork", "spawn", "curl", "socket", "stripe", "websocket"];

/// Whether the word is part of a text in quotes that is only one name: a key, a file, something that is looked for.
fn is_only_named(before: &str, word: &str, after: &str) -> bool {
    let head = before.trim_end_matches(is_name);
    let tail = after.trim_start_matches(is_name);
    let opens = head.strip_suffix(['"', '\'']).map(|head| head.trim_end_matches('\\'));
    let closes = tail.trim_start_matches('\\').strip_prefix(['"', '\'']);
    let (Some(opens), Some(closes)) = (opens, closes) else { return false };
    let loaded = ["require(", "import(", "import_(", "from ", "import ", "getattr(", ", "]
        .iter()
        .any(|by| opens.ends_with(by));
    let called = closes.trim_start().trim_start_matches([']', ')']).starts_with('(');
    THINGS.contains(&word) && !loaded && !called
}

/// Ways to reach what is loaded without its name.
const NAMESPACES: &[&str] =
    &["globals", "locals(", "vars(", "modules", "__dict__", "inspect.", "dir()", "gc.", "frame", "__main__"];

/// Modules that do nothing by being loaded.
const MODULES: &[&str] = &[
    "socket",
    "subprocess",
    "importlib",
    "ctypes",
    "base64",
    "boto3",
    "pty",
    "smtplib",
    "ftplib",
    "httpx",
    "aiohttp",
    "psutil",
    "getpass",
    "urllib",
    "http.client",
    "marshal",
    "stripe",
    "telnetlib",
    "paramiko",
    "runpy",
    "keyring",
    "websocket",
];

/// Whether a statement only loads the module by its own name: whatever uses it says the name again.
fn is_only_imported(before: &str, word: &str, after: &str) -> bool {
    let ends = [';', '\n', '"', '\''];
    let start = before.rsplit(ends).next().unwrap_or_default().trim_start();
    let rest = after.split(ends).next().unwrap_or_default();
    let listed = rest.is_empty() || rest.starts_with([',', ' ', '\\']) || rest.trim_end() == ".util";
    MODULES.contains(&word)
        && start.starts_with("import ")
        && start.ends_with(' ')
        && listed
        && ![start, rest].iter().any(|part| part.contains(" as "))
}

/// `/a/.exec(…)`, or a name that stands for a regular expression.
fn is_expression(before: &str) -> bool {
    let Some(head) = before.strip_suffix('.') else { return false };
    let name = head.rsplit(|it: char| !is_part(it)).next().unwrap_or_default();
    let flags = name.bytes().all(|byte| b"dgimsuvy".contains(&byte));
    let literal = flags && head.strip_suffix(name).is_some_and(|head| head.ends_with('/'));
    let assigned = [" = /", "=/", " = new regexp(", "=new regexp("]
        .iter()
        .any(|value| !name.is_empty() && ends_a_word(head, &format!("{name}{value}")));
    literal || assigned
}

/// `l = [1]; l.remove(1)`: something leaves a list, a set or a queue of the code itself.
fn is_of_collection(before: &str, word: &str) -> bool {
    const VALUES: &[&str] = &["[", "{", "new set(", "new map(", "set(", "list(", "dict(", "queue.queue("];
    let head = match word {
        ".delete(" | ".put(" => Some(before),
        "remove(" => before.strip_suffix('.'),
        _ => None,
    };
    let Some(head) = head else { return false };
    let name = head.rsplit(|it: char| !is_part(it)).next().unwrap_or_default();
    let whole = head.strip_suffix(name).is_some_and(|head| !head.ends_with('.'));
    let assigned = |value: &str| {
        let spellings = [format!("{name}={value}"), format!("{name} = {value}")];
        spellings.iter().any(|text| ends_a_word(head, text))
    };
    !name.is_empty() && whole && VALUES.iter().any(|value| assigned(value))
}

/// Ways to reach something by a name that is made at run time, and to keep or load what was decoded.
const INDIRECT: &[&str] = &[
    "getattr",
    "globals",
    "locals(",
    "vars(",
    "builtins",
    "](",
    "] (",
    "new function",
    "import(",
    "pickle",
    "marshal",
    "constructor",
    "reflect.",
    "sys.modules",
    "write",
    "'w",
    "\"w",
    "'a'",
    "\"a\"",
    "function(",
    "zlib",
    "chdir",
    "process.",
    "import_module",
];

/// Whether what is decoded can only be shown: no name, no file and no code is made of it.
fn only_shows(text: &str, language: Language) -> bool {
    let literal = |call: &str| {
        let mut calls = text.split(call).skip(1);
        calls.all(|after| after.trim_start_matches('\\').starts_with(['"', '\'', ')']))
    };
    language != Language::Other
        && !INDIRECT.iter().any(|word| text.contains(word))
        && ["open(", "require(", "readfilesync(", "readfile(", "path("].iter().all(|call| literal(call))
}

/// Whether archives are only looked into.
fn only_lists(text: &str) -> bool {
    const CHANGES: &[&str] = &[
        "extract",
        "write",
        "'w'",
        "\"w\"",
        "'w:",
        "\"w:",
        "'a'",
        "\"a\"",
        "'a:",
        "\"a:",
        "'x'",
        "\"x\"",
        "'x:",
        "\"x:",
        "mode",
        ".add",
        "unpack",
        "copytree",
        "make_archive",
    ];
    !CHANGES.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C7]
    #[test]
    fn a_sign_inside_another_word_says_nothing() {
        for code in [
            "re.compile(r'x')",
            "print(df.empty)",
            "model(1); norm(v); transform(x)",
            "ast.literal_eval(x); m.eval()",
            "inspect.getsource(f)",
            "import shutil",
            "importlib.metadata.version('x')",
            "open('docs/fork.md')",
            "d['charge']",
            "print(base64.b64decode('eA=='))",
            "from urllib.parse import quote",
            "zipfile.zipfile('a.zip').namelist()",
            "l = [1]; l.remove(1)",
        ] {
            assert_eq!(told(code, Language::Python), None, "{code}");
        }
        for code in [
            "compile(x, '', 'exec')",
            "pty.spawn('x')",
            "rm('src')",
            "eval(x)",
            "obj.eval('x')",
            "l.remove('a')",
            "import sh; sh.ls()",
            "importlib.import_module('x')",
            "os.fork()",
            "exec(base64.b64decode(x))",
            "getattr(x, b64decode(y))()",
            "open(b64decode(y))",
            "import subprocess as s",
            "import subprocess; list(globals().values())[-1].run(x)",
            "from os import remove as r; r('a')",
            "zipfile.zipfile('a.zip').extractall()",
        ] {
            assert!(told(code, Language::Python).is_some(), "{code}");
        }
    }

    /// [C7]
    #[test]
    fn a_backtick_is_a_command_only_in_some_languages() {
        assert_eq!(told("console.log(`a ${c}`)", Language::JavaScript), None);
        assert_eq!(told("/a/.exec('a')", Language::JavaScript), None);
        assert!(told("await $`ls`", Language::JavaScript).is_some());
        assert!(told("c.exec('a')", Language::JavaScript).is_some());
        assert!(told("puts `ls`", Language::Other).is_some());
    }
}
