//! What the words of inline code mean: a word for an action counts wherever it is said, but in the names of a few
//! calls that do nothing, and a backtick only where the language runs what is in it.

use portcullis_shell::Command;

use super::signs::ACTS;

/// The languages in which some signs mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::detect) enum Language {
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
    pub(in crate::detect) fn of(command: &Command) -> Language {
        let program = command.program.as_deref().unwrap_or_default();
        if command.arguments.iter().any(|word| !word.literal) {
            return Language::Other;
        }
        Language::of_program(program)
    }

    /// The language of an interpreter.
    pub(in crate::detect) fn of_program(program: &str) -> Language {
        match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
            "python" => Language::Python,
            "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => Language::JavaScript,
            _ => Language::Other,
        }
    }

    /// The same for code that comes in: in a document whose mark is not quoted the shell fills in, too.
    pub(in crate::detect) fn of_input(command: &Command, line: &str) -> Language {
        let mut marks = line.split("<<").skip(1).map(|mark| mark.trim_start_matches(['-', '~', ' ']));
        let quoted = marks.all(|mark| mark.starts_with(['\'', '"', '\\']));
        if quoted { Language::of(command) } else { Language::Other }
    }
}

/// Names in which the words for actions mean something else.
const HARMLESS: &[&str] = phrases!(
    "re.compile(|regex.compile(|model.compile(|torch.compile(|literal_eval(|.eval()|urllib.parse|from urllib import parse|\
     importlib.metadata|importlib.resources|from importlib import metadata|struct.unpack|http.client.responses|.empty|\
     transform(|norm(|getpass.getuser|inspect.getsource"
);

/// What the code, in small letters, does that is more than reading, counting and printing.
pub(super) fn found(lower: &str, language: Language) -> Option<&'static str> {
    let text = HARMLESS.iter().fold(lower.to_owned(), |text, name| text.replace(name, ""));
    // A text in backticks is a text like any other to what takes it.
    let quoted = (language == Language::JavaScript && text.contains('`')).then(|| text.replace('`', "\""));
    let means = |word: &str| {
        means(&text, word, language)
            || (word != "`" && quoted.as_ref().is_some_and(|quoted| means(quoted, word, language)))
    };
    ACTS.iter().find(|(_, words)| words.iter().any(|word| means(word))).map(|(what, _)| *what)
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether the text says the word, and means it.
fn means(text: &str, word: &str, language: Language) -> bool {
    match (word, language) {
        ("`", Language::Python) => false,
        (
            "%x" | "qx" | "system \"" | "system '" | "exec \"" | "exec '",
            Language::Python | Language::JavaScript,
        ) => false,
        ("`", Language::JavaScript) => !has_plain_templates(text),
        // `/a/.exec(x)` looks for something.
        ("exec(", Language::JavaScript) => text.replace("/.exec(", "").contains(word),
        // Short words are parts of others: `empty`, `norm(`.
        ("pty" | "qx" | "rm(" | "del(" | "source(" | "vm." | "dns." | "compile(" | "eval(", _) => {
            let mut places = text.match_indices(word).filter_map(|(at, _)| text.get(..at));
            places.any(|before| !before.ends_with(is_part))
        }
        ("import sh" | "fs.rm" | "import system" | "import remove" | "import rename" | "import kill", _) => {
            let mut places = text.match_indices(word).filter_map(|(at, _)| text.get(at + word.len()..));
            places.any(|after| !after.starts_with(is_part) || after.starts_with("ell"))
        }
        // These also are names of things: `sync-fork.yml`, `logs/requests.json`.
        (
            "fork" | "charge" | "refund" | "transfer" | "spawn" | "stripe" | "curl" | "requests.",
            Language::Python | Language::JavaScript,
        ) => {
            let mut places = text.match_indices(word).filter_map(|(at, _)| text.get(..at));
            places.any(|before| !before.ends_with(['-', '/']))
        }
        _ => text.contains(word),
    }
}

/// Whether every text in backticks is only a text: nothing takes it as a tag does (``$`ls` ``), and no gap hides a part of
/// a name. What is not surely so is not.
fn has_plain_templates(text: &str) -> bool {
    // What is open, from the outside in: a text, or a gap or block with code in it.
    let mut open: Vec<char> = Vec::new();
    let mut glued = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + character.len_utf8()..).unwrap_or_default();
        match (open.last(), character) {
            (Some('`'), '\\') => {
                characters.next();
            }
            (Some('`'), '`') => {
                if !may_follow_template(after) {
                    return false;
                }
                open.pop();
            }
            (Some('`'), '$') if after.starts_with('{') => {
                if glued && after.trim_start_matches(['{', ' ']).starts_with(['"', '\'', '`']) {
                    return false;
                }
                characters.next();
                open.push('{');
            }
            (Some('`'), _) => {}
            (_, '`') => {
                if !may_precede_template(before) {
                    return false;
                }
                glued = is_glued(before);
                open.push('`');
            }
            (Some(_), '{') => open.push('{'),
            (Some(_), '}') => {
                open.pop();
            }
            (_, _) => {}
        }
    }
    open.is_empty()
}

/// Whether a text in backticks is no tag's here.
fn may_precede_template(before: &str) -> bool {
    const WORDS: &[&str] = &["return", "case", "typeof", "of", "in", "yield", "default", "else"];
    let head = before.trim_end();
    let word = head.rsplit(|it: char| !(is_part(it) || matches!(it, '.' | '$'))).next().unwrap_or_default();
    head.is_empty()
        || head.ends_with("=>")
        || head.ends_with(['(', ',', '=', '+', ':', '?', '[', '{', '&', '|', ';', '!'])
        || (head.len() < before.len() && WORDS.contains(&word))
}

/// Whether code goes on like this behind a text in backticks.
fn may_follow_template(after: &str) -> bool {
    let rest = after.trim_start_matches(' ');
    let asked = rest.strip_prefix('.').is_some_and(|part| part.starts_with(char::is_alphabetic));
    asked
        || rest.is_empty()
        || rest.starts_with([')', ',', ';', '+', ']', '}', ':', '?', '\n', '&', '|', '='])
}

/// Whether a text is a key, or given to something that does more than show it.
fn is_glued(before: &str) -> bool {
    const SHOW: &[&str] = &["log(", "error(", "info(", "warn(", "debug(", "push(", "write("];
    before.ends_with('[') || (before.ends_with('(') && !SHOW.iter().any(|call| before.ends_with(call)))
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
            "import shutil",
            "importlib.metadata.version('x')",
            "from urllib.parse import quote",
        ] {
            assert_eq!(found(code, Language::Python), None, "{code}");
        }
        for code in [
            "compile(x, '', 'exec')",
            "pty.spawn('x')",
            "rm('src')",
            "eval(x)",
            "l.remove('a')",
            "pay.call('refund')",
            "exec(base64.b64decode(x))",
            "import subprocess as s",
            "from os import remove as r; r('a')",
        ] {
            assert!(found(code, Language::Python).is_some(), "{code}");
        }
    }

    /// [C7]
    #[test]
    fn a_backtick_is_a_command_only_in_some_languages() {
        assert_eq!(found("console.log(`a ${c}`)", Language::JavaScript), None);
        assert_eq!(found("/a/.exec('a')", Language::JavaScript), None);
        for code in ["`a ${`b ${c}`} d`", "return `a`", "x => `<${x}>`", "console.log(`${'='.repeat(9)}`)"] {
            assert_eq!(found(code, Language::JavaScript), None, "{code}");
        }
        for code in ["await $`ls`", "s`ls`", "f()`ls`", "a[0]`ls`", "`${s`ls`}`", "`a", "c.exec('a')"] {
            assert!(found(code, Language::JavaScript).is_some(), "{code}");
        }
        assert!(found("puts `ls`", Language::Other).is_some());
    }
}
