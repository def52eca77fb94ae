//! What an interpreter is given to run: a script by its path, code as a word, or what it reads.

use portcullis_shell::{Command, Effects};

use crate::view::{Access, View};

/// What is run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// The file of this name.
    Script(String),
    /// Code among the words, as far as it can be separated.
    Code(String),
    /// What comes in, or a name that is no path.
    Input,
    /// Something that is only known at run time.
    Unknown,
}

/// What the command gives its interpreter.
pub(crate) fn given(command: &Command) -> Given {
    let program = command.program.as_deref().unwrap_or_default();
    let brings = |at: usize| {
        command.arguments.get(at).is_some_and(|word| {
            let attached = word.text.split_once('=').filter(|(name, _)| name.starts_with("--"));
            brings_code(program, attached.map_or(word.text.as_str(), |(name, _)| name))
        })
    };
    // `-p -e code`: the last of them brings it.
    let inline = (0..command.arguments.len()).find(|at| brings(*at) && !brings(*at + 1));
    let script = command.operands.first().copied();
    let script = script.or_else(|| command.arguments.iter().position(|word| !word.text.starts_with('-')));
    // What follows the code are only words for it.
    let named = script.filter(|at| inline.is_none_or(|inline| *at < inline));
    let named = named.and_then(|at| command.arguments.get(at)).filter(|word| word.text.contains(['.', '/']));
    if let Some(word) = named {
        return Given::Script(word.text.clone());
    }
    let Some(inline) = inline else {
        let feeds = match program {
            "go" | "jq" => false,
            // `-` is a script that comes in; by itself deno is a console.
            "mix" | "swift" | "deno" => {
                let mut words = command.arguments.iter().map(|word| word.text.as_str());
                let console = |word: &str| word.starts_with('-') || word == "repl";
                words.clone().any(|word| word == "-") || (program == "deno" && words.all(console))
            }
            _ => true,
        };
        return if feeds { Given::Input } else { Given::Code(String::new()) };
    };
    let attached = command.arguments.get(inline).and_then(|word| word.text.split_once('='));
    if let Some((_, code)) = attached {
        return Given::Code(code.to_owned());
    }
    match command.arguments.get(inline + 1) {
        Some(word) if !word.literal && word.text.starts_with('*') => Given::Unknown,
        word => Given::Code(word.map_or_else(String::new, |word| word.text.clone())),
    }
}

/// Whether the words of a command hold code that it runs.
pub(crate) fn is_inline_code(command: &Command) -> bool {
    matches!(given(command), Given::Code(_))
}

/// Whether the command names no program to run, or goes on reading one: it waits for code.
pub(crate) fn waits_for_code(command: &Command) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let program = command.program.as_deref().unwrap_or_default();
    // To others `-i` and `-a` say how files are edited.
    let edits = matches!(program, "perl" | "ruby" | "sed");
    let console = |word: &str| match word {
        "-" | "repl" | "--interactive" => true,
        "-i" => !edits,
        "-a" => program == "php",
        _ => false,
    };
    // `-e'puts 1'`: the code is attached to its option.
    let glued = |word: &str| word.len() > 2 && ["-c", "-e", "-E", "-r"].iter().any(|it| word.starts_with(it));
    let bare = words().all(|word| (word.starts_with('-') && !glued(word)) || word == "repl");
    let module = words().any(|word| word == "-m" || word == "--test" || word.starts_with("--run"));
    (bare && !module && given(command) == Given::Input) || words().any(console)
}

/// Whether the command runs what comes in. Of programs that are no language it is only known that they run something.
pub(crate) fn runs_input(command: &Command) -> bool {
    runs_fed(command, command.own)
}

/// The same, where something else than the reading of the whole line says what the command does.
pub(crate) fn runs_fed(command: &Command, own: Effects) -> bool {
    let named = |script: &str| script != "-" && !script.starts_with("/dev/");
    if !is_language(command.program.as_deref().unwrap_or_default()) {
        return own.meets(Effects::EXECUTES);
    }
    match given(command) {
        Given::Script(script) => !named(&script),
        Given::Code(_) => false,
        Given::Input | Given::Unknown => true,
    }
}

/// The code with the words around it, but for the files that it is given: what those are called is nothing that it does.
pub(crate) fn told_with(command: &Command, code: &str, line: &str) -> String {
    // What the code loads by a name that it is given.
    const LOADS: &[&str] = &["require", "import", "load", "eval", "exec", "do ", "source", "include", "open"];
    let takes = ["argv", "ARGV", "shift", "$1", "@_", "args"].iter().any(|word| code.contains(word));
    let loads = takes && LOADS.iter().any(|word| code.contains(word));
    let file = |at: usize, text: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
        let local = !text.starts_with(['/', '-', '.']) && !text.contains("..");
        text.contains(['/', '.']) && local && text.bytes().all(plain) && command.operands.contains(&at)
    };
    let named = command.arguments.iter().enumerate().any(|(at, word)| file(at, &word.text));
    if loads || !named || command.arguments.iter().any(|word| !word.literal) {
        return format!("{}\n{code}", command.span.of(line));
    }
    // As it is in the line: what is more than a word is quoted there.
    let spelled = |text: &str| {
        let word = text.chars().all(|it| it.is_alphanumeric() || "-_.:/".contains(it));
        if word { text.to_owned() } else { format!("'{text}'") }
    };
    let set = command.assignments.iter().map(|(name, value)| format!("{name}={}", value.text));
    let words = command.arguments.iter().enumerate().filter(|(at, word)| !file(*at, &word.text));
    let words: Vec<String> = set.chain(words.map(|(_, word)| spelled(&word.text))).collect();
    format!("{} {}\n{code}", command.word, words.join(" "))
}

/// Whether code is in one word with the option that brings it: `-e'puts 1'`.
pub(crate) fn has_glued_code(command: &Command) -> bool {
    let glued = |word: &str| {
        let short = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        short.is_some_and(|text| text.contains(['c', 'e', 'E', 'r']) && text.contains([' ', '(', ';', '`']))
    };
    command.arguments.iter().any(|word| glued(&word.text))
}

/// Whether the option brings code to this program: `-E` and `-x` mean something else to python and go.
fn brings_code(program: &str, word: &str) -> bool {
    let language = program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    match language {
        // Letters can be joined: `-Bc`.
        "python" => {
            let letters = word.strip_prefix('-').and_then(|letters| letters.strip_suffix('c'));
            letters.is_some_and(|letters| letters.bytes().all(|letter| letter.is_ascii_alphabetic()))
        }
        "node" | "nodejs" | "bun" | "tsx" | "ts-node" => {
            matches!(word, "-e" | "-p" | "-pe" | "--eval" | "--print")
        }
        "go" => false,
        // Letters can be joined: `-ne`, `-0777pe`.
        "ruby" | "perl" => {
            word.starts_with('-')
                && !word.starts_with("--")
                && word.ends_with(['e', 'E'])
                && (language == "perl" || word != "-E")
        }
        "php" => matches!(word, "-r" | "-B" | "-R" | "-E"),
        "lua" | "Rscript" | "julia" | "elixir" | "mix" => matches!(word, "-e" | "-E" | "--eval"),
        _ => is_inline_option(word),
    }
}

/// Whether an interpreter may run the file by another name than its own: as a module, as the folder that it lies in,
/// from code, or as what it reads.
pub(crate) fn speaks_of(command: &Command, file: &str, view: &View, place: impl Fn(&str) -> String) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let stem = name.split('.').next().unwrap_or_default();
    let fed = given(command) == Given::Input
        && view.paths.iter().any(|path| path.access == Access::Read && path.path == file);
    let spoken = command.arguments.iter().any(|word| {
        let as_folder = word.text.starts_with('.') && place(&word.text) == folder;
        let parts = || word.text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'));
        as_folder || (!stem.is_empty() && parts().any(|part| part == stem))
    });
    fed || spoken
}

/// Programs that run code in their language.
pub(crate) fn is_language(program: &str) -> bool {
    const NAMES: &[&str] = &[
        "python", "python2", "python3", "node", "nodejs", "bun", "deno", "ruby", "perl", "php", "tsx",
        "ts-node", "lua", "Rscript", "julia", "go", "swift", "jq", "elixir", "mix",
    ];
    let plain = program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    NAMES.contains(&program) || NAMES.contains(&plain)
}

/// Options that bring code as a word.
fn is_inline_option(word: &str) -> bool {
    matches!(
        word,
        "-c" | "-e"
            | "-p"
            | "-E"
            | "-r"
            | "-pe"
            | "-ne"
            | "-0pe"
            | "-0pi"
            | "-pi"
            | "--eval"
            | "--print"
            | "-x"
            | "-ryaml"
            | "-rjson"
    )
}

/// The usual ending of files in the language of an interpreter.
pub(crate) fn ending_of(program: &str) -> &'static str {
    match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
        "node" | "nodejs" | "bun" => "js",
        "deno" | "tsx" | "ts-node" => "ts",
        "ruby" => "rb",
        "perl" => "pl",
        "php" => "php",
        "lua" => "lua",
        _ => "py",
    }
}
