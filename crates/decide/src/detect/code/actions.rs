//! What the words of inline code mean: a word for an action counts where it is a word of its own, and not where the letters
//! around it, the language or the place in a text show that it is something else.

use portcullis_shell::Command;

use super::signs::{
    ACTS, ARCHIVE_CHANGES, INDIRECT, MODULES, NAMESPACES, REACHING, RUNNERS, SHOWING, THINGS,
};

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

/// What the code, in small letters, does that is more than reading, counting and printing.
pub(super) fn found(lower: &str, language: Language) -> Option<&'static str> {
    let text = without_file_names(lower);
    // A text in backticks is a text like any other to what takes it.
    let quoted = (language == Language::JavaScript && text.contains('`')).then(|| text.replace('`', "\""));
    let means = |word: &str| {
        means(&text, word, language)
            || (word != "`" && quoted.as_ref().is_some_and(|quoted| means(quoted, word, language)))
    };
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
    let by_name = || {
        !NAMESPACES.iter().chain(RUNNERS).any(|all| text.contains(all))
            && (!REACHING.contains(&word) || text.contains(&format!("{word}.__version__")))
    };
    match (word, language) {
        ("`", Language::Python) => false,
        ("%x" | "qx" | "system \"" | "system '" | "exec \"" | "exec '", language)
            if language != Language::Other =>
        {
            false
        }
        ("`", Language::JavaScript) => !has_plain_templates(text),
        // Hundreds of words are looked for, and most texts hold none: the quick look first.
        _ if !text.contains(word) => false,
        _ => text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + word.len()..).unwrap_or_default();
            stands(before, word, after)
                && (language == Language::Other || !is_only_named(text, (before, word, after)))
                && !(language == Language::Python && is_only_imported(before, word, after) && by_name())
                && !(word == "exec(" && language == Language::JavaScript && is_expression(text, before))
                && !is_of_collection(text, before, word, language)
        }),
    }
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
        // What these compile is a pattern or a model.
        "compile(" => {
            let of =
                ["re.", "regex.", "model.", "torch."].iter().filter_map(|name| before.strip_suffix(name));
            !before.ends_with(is_part)
                && !of.into_iter().any(|head| !head.ends_with(|it| is_part(it) || it == '.'))
        }
        "import sh" => !after.starts_with(is_part) || after.starts_with("ell"),
        "fs.rm" => !after.starts_with(is_part),
        "import system" | "import remove" | "import rename" | "import kill" => !after.starts_with(is_part),
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

/// Whether the word is part of a text in quotes that is only one name, and is where a text is only looked for,
/// compared or shown.
fn is_only_named(text: &str, (before, word, after): (&str, &str, &str)) -> bool {
    /// Ways to make a call of a name.
    const CALLS: &[&str] =
        &["getattr", "methodcaller", "](", "] (", "binding(", "require", "import(", "reflect"];
    let head = before.trim_end_matches(is_name);
    let tail = after.trim_start_matches(is_name);
    let opens = head.strip_suffix(['"', '\'']).map(|head| head.trim_end_matches('\\').trim_end());
    let closes = tail.trim_start_matches('\\').strip_prefix(['"', '\'']);
    let (Some(opens), Some(closes)) = (opens, closes) else { return false };
    let called = closes.trim_start().trim_start_matches([']', ')']).trim_start().starts_with('(');
    let shown = ["print(", "console.log("]
        .iter()
        .filter_map(|call| opens.strip_suffix(call))
        .any(|head| !head.ends_with(|it| is_part(it) || it == '.'));
    let compared = [
        "==",
        "!=",
        ".count(",
        ".startswith(",
        ".endswith(",
        ".includes(",
        ".replace(",
        "re.findall(",
        "re.search(",
    ]
    .iter()
    .any(|by| opens.ends_with(by))
        || ["in ", "not in "].iter().any(|by| closes.trim_start().starts_with(by));
    let asked = ["[", ".get("].iter().filter_map(|by| opens.strip_suffix(by)).any(|of| {
        let target = of.trim_end_matches(is_name);
        // What is kept under a name of its own may be called by it.
        let kept = target.trim_end().ends_with('=') && !target.trim_end().ends_with("==");
        let name = of.strip_prefix(target).unwrap_or_default();
        let theirs = name.is_empty() || name.contains('.') || text.contains(&format!("import {name}"));
        !theirs && !kept
    });
    THINGS.contains(&word)
        && !called
        && (shown || compared || asked)
        && !CALLS.iter().chain(NAMESPACES).any(|call| text.contains(call))
}

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

/// How the text goes on behind a bracket's end, where `inside` starts behind its beginning. Brackets in quotes are not kept
/// apart: then there is no end.
fn behind_bracket(inside: &str) -> Option<&str> {
    let mut depth = 1_usize;
    let mut quotes = 0_usize;
    for (at, character) in inside.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '"' | '\'' | '`' => quotes += 1,
            _ => {}
        }
        if depth == 0 {
            return inside.get(at + 1..).filter(|_| quotes.is_multiple_of(2));
        }
    }
    None
}

/// Whether a statement ends here.
fn ends_statement(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    rest.is_empty() || rest.starts_with([';', '\n'])
}

/// Whether the name is set, every value that it is set to fits, and nothing else may give it another one.
fn is_always(text: &str, name: &str, fits: impl Fn(&str) -> bool) -> bool {
    const BINDERS: &[&str] = &["as", "import", ",", "for", "def", "global", "nonlocal", "*"];
    const CHANGED: &[&str] = &["import *", "def ", "lambda", "function", "proto", "with(", "with ("];
    if name.is_empty() || CHANGED.iter().any(|word| text.contains(word)) {
        return false;
    }
    let mut set = false;
    for (at, _) in text.match_indices(name) {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        if before.ends_with(|it| is_part(it) || it == '.') || after.starts_with(is_part) {
            continue;
        }
        let rest = after.trim_start_matches(' ');
        if let Some(value) = rest.strip_prefix('=').filter(|value| !value.starts_with('=')) {
            if !fits(value.trim_start_matches(' ')) {
                return false;
            }
            set = true;
        }
        let used = rest.is_empty() || rest.starts_with(['.', ')', '[', ';', '\n', '=']);
        // `(l) = x`, `(l) => x`, `catch(l) {`, `method(l) {`
        let behind = rest.strip_prefix(')').map(str::trim_start).unwrap_or_default();
        // `l.exec = x`, `l["exec"] = x`
        let part = rest.strip_prefix('.').map(|part| part.trim_start_matches(is_part).trim_start());
        let gets = |behind: &str| behind.starts_with('=') && !behind.starts_with("==");
        let given = gets(behind)
            || behind.starts_with('{')
            || part.is_some_and(gets)
            || ["[\"", "['", "[`"].iter().any(|key| rest.starts_with(key));
        let before = before.trim_end();
        if !used || given || BINDERS.iter().any(|binder| before.ends_with(binder)) {
            return false;
        }
    }
    set
}

/// `/a/.exec(…)`, or a name that holds a regular expression.
fn is_expression(text: &str, before: &str) -> bool {
    let Some(head) = before.strip_suffix('.') else { return false };
    let name = head.rsplit(|it: char| !is_part(it)).next().unwrap_or_default();
    let is_flag = |it: char| "dgimsuvy".contains(it);
    let line = head.trim_end_matches(is_flag).rsplit('\n').next().unwrap_or_default();
    // What precedes the first of the two strokes shows that it is none that divides.
    let literal =
        line.strip_suffix('/').and_then(|body| body.rsplit_once('/')).is_some_and(|(opens, body)| {
            let opens = opens.trim_end();
            !body.is_empty()
                && (opens.is_empty() || opens.ends_with(['(', '=', ',', ';', ':', '!', '&', '|', '?']))
        });
    let assigned = is_always(text, name, |value| {
        let made = value.strip_prefix("new regexp(").and_then(behind_bracket);
        let written = value.strip_prefix('/').and_then(|body| body.split_once('/'));
        let written = written.filter(|(body, _)| !body.is_empty() && !body.ends_with('\\'));
        made.or(written.map(|(_, rest)| rest.trim_start_matches(is_flag))).is_some_and(ends_statement)
    });
    literal || assigned
}

/// `l = [1]; l.remove(1)`: something leaves a list, a set or a queue of the code itself.
fn is_of_collection(text: &str, before: &str, word: &str, language: Language) -> bool {
    let (head, values): (_, &[&str]) = match word {
        ".put(" => (Some(before), &["queue.queue("]),
        "remove(" => (before.strip_suffix('.'), &["[", "{", "set(", "list("]),
        _ => return false,
    };
    let Some(head) = head else { return false };
    let name = head.rsplit(|it: char| !is_part(it)).next().unwrap_or_default();
    let whole = head.strip_suffix(name).is_some_and(|head| !head.ends_with('.'));
    let fits = |value: &str| {
        let mut made = values.iter().filter_map(|start| value.strip_prefix(start));
        made.any(|inside| behind_bracket(inside).is_some_and(ends_statement))
    };
    language == Language::Python && whole && is_always(text, name, fits)
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

/// Whether what a call is given only names a file to read: one text, and no way to open it but for reading.
fn only_reads(given: &str) -> bool {
    let given = given.trim_start_matches('\\');
    let Some(inside) = given.strip_prefix(['"', '\'']) else { return given.starts_with(')') };
    let Some((_, rest)) = inside.split_once(['"', '\'']) else { return false };
    rest.starts_with(')') || rest.strip_prefix(',').is_some_and(is_reading)
}

/// `'r')`, `'rb')`, `'r:gz')`
fn is_reading(mode: &str) -> bool {
    let mode = mode.trim_start_matches([' ', '\\']).strip_prefix(['"', '\'']);
    let mode = mode.and_then(|mode| mode.split_once(['"', '\'']));
    mode.is_some_and(|(mode, rest)| mode.starts_with('r') && !mode.contains('+') && rest.starts_with(')'))
}

/// Whether what is decoded can only be shown: every call is known, and no name, file or code is made of it.
fn only_shows(text: &str, language: Language) -> bool {
    let brings = match language {
        Language::Python => " as ",
        Language::JavaScript => "import",
        Language::Other => return false,
    };
    let shows = |(at, _): (usize, &str)| {
        let head = text.get(..at).unwrap_or_default().trim_end();
        let name = head.rsplit(|it: char| !is_part(it)).next().unwrap_or_default();
        let of = head.strip_suffix(name).unwrap_or_default();
        let given = text.get(at + 1..).unwrap_or_default();
        match name {
            "" => !of.ends_with([')', ']', '}', '"', '\'', '`']),
            "open" => only_reads(given),
            "load" | "loads" | "parse" => of.ends_with("json."),
            name => SHOWING.contains(&name),
        }
    };
    // Another name for one of them would hide what is called.
    let renamed = |name: &&str| {
        text.match_indices(*name).any(|(at, _)| {
            let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
            let apart = !text.get(..at).unwrap_or_default().ends_with(is_part);
            apart && (after.starts_with('}') || (after.starts_with('=') && !after.starts_with("==")))
        })
    };
    let known =
        |from: &str| ["base64 ", "binascii ", "hashlib ", "json "].iter().any(|name| from.starts_with(name));
    !text.contains(brings)
        && text.split("from ").skip(1).all(known)
        && !INDIRECT.iter().any(|word| text.contains(word))
        && text.match_indices('(').all(shows)
        && text.split("open").skip(1).all(|after| after.starts_with('('))
        && !SHOWING.iter().any(renamed)
}

/// Whether archives are only looked into.
fn only_lists(text: &str) -> bool {
    let opened = |call: &str| {
        text.split(call).skip(1).all(|given| {
            let rest = behind_bracket(given).unwrap_or_default();
            let inside = given.strip_suffix(rest).unwrap_or_default();
            let alone = !rest.is_empty() && !inside.contains([',', '*']);
            alone || inside.split_once(',').is_some_and(|(_, mode)| is_reading(mode))
        })
    };
    !ARCHIVE_CHANGES.iter().any(|word| text.contains(word))
        && ["zipfile.zipfile(", "tarfile.open("].iter().all(|call| opened(call))
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
            "tarfile.open('a.tgz', 'r:gz').getnames()",
        ] {
            assert_eq!(found(code, Language::Python), None, "{code}");
        }
        for code in [
            "compile(x, '', 'exec')",
            "pty.spawn('x')",
            "rm('src')",
            "eval(x)",
            "obj.eval('x')",
            "l.remove('a')",
            "l = [1]; l = os; l.remove('a')",
            "l = [os][0]; l.remove('a')",
            "l = ['];', os][1]; l.remove('a')",
            "l = [1]; l, a = os, 1; l.remove('a')",
            "tarfile.open('a', 'w|')",
            "zipfile.zipfile('a', chr(119))",
            "pay.call('refund')",
            "shutil.copyfile(b64decode(x), 'a')",
            "open('.e' + b64decode(x)).read()",
            "code.compile('x')",
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
        for code in [
            "await $`ls`",
            "s`ls`",
            "s `ls`",
            "f()`ls`",
            "a[0]`ls`",
            "s<string>`ls`",
            "'`'; s`ls`; '`'",
            "/[`]/; s`ls`; /[`]/",
            "`${s`ls`}`",
            "require(`child_${'process'}`)",
            "`a",
            "c.exec('a')",
            "1/s.exec('a')",
            "let c = /a/ && d; c.exec('a')",
        ] {
            assert!(found(code, Language::JavaScript).is_some(), "{code}");
        }
        assert!(found("puts `ls`", Language::Other).is_some());
    }
}
