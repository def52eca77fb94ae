//! Why a public parser may find a name that the reader does not, and where bash rejects what its own
//! grammar allows: the known classes. Whatever fits none of them fails the test.

/// What the reader and someone else do not agree on.
pub(crate) struct Difference<'a> {
    pub(crate) line: &'a str,
    /// Who else.
    pub(crate) parser: &'a str,
    /// The names that the reader lacks; none where bash rejects the line.
    pub(crate) missing: Vec<String>,
}

impl Difference<'_> {
    fn by(&self, parser: &str) -> bool {
        self.parser == parser
    }

    fn only(&self, names: &[&str]) -> bool {
        self.missing.iter().all(|name| names.contains(&name.as_str()))
    }

    fn has(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.line.contains(text))
    }

    /// Whether a name and a bracket stand together, as in `a[`.
    fn subscript(&self) -> bool {
        let before = self.line.match_indices('[').filter_map(|(at, _)| self.line.get(..at));
        before.filter_map(|text| text.chars().last()).any(|last| last.is_ascii_alphanumeric() || last == '_')
    }
}

/// A class of differences, and how to tell that one belongs to it.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) holds: fn(&Difference<'_>) -> bool,
}

/// Where the other parser is wrong. The first that holds counts.
pub(crate) const CLASSES: &[Class] = &[
    Class {
        name: "takes a reserved word, or an option of `time`, for a program",
        holds: |it| !it.by(BASH) && it.only(RESERVED),
    },
    Class {
        name: "reads what follows `!`, `time` or `coproc` as one plain command",
        holds: |it| it.by(TREE) && it.has(&["!", "time", "coproc"]),
    },
    Class { name: "takes `coproc x=` for a name", holds: |it| it.by(RABLE) && it.has(&["coproc"]) },
    Class {
        name: "ends a here-document at a line that a backslash joins to the one before",
        holds: |it| !it.by(BASH) && it.has(&["<<"]) && it.has(&["\\\n"]),
    },
    Class {
        name: "loses its place in a here-document with backslashes",
        holds: |it| it.by(TREE) && it.has(&["<<"]) && it.has(&["\\"]),
    },
    Class {
        name: "looks for a here-document only behind the whole list",
        holds: |it| it.by(TREE) && it.has(&["<<"]) && it.has(&["|", "&"]),
    },
    Class {
        name: "loses its place in an expansion behind a here-document mark",
        holds: |it| it.by(BRUSH) && it.has(&["<<"]) && it.has(&["$"]),
    },
    Class { name: "splits a word at a backslash", holds: |it| it.by(TREE) && it.has(&["\\"]) },
    Class { name: "splits a word at a backtick", holds: |it| it.by(TREE) && it.has(&["`"]) },
    Class {
        name: "leaves the backslashes in backticks",
        holds: |it| !it.by(BASH) && it.has(&["`"]) && it.has(&["\\"]),
    },
    Class {
        name: "splits a word at a process substitution",
        holds: |it| !it.by(BASH) && it.has(&["<(", ">("]),
    },
    Class {
        name: "takes parentheses in a subscript for a subshell",
        holds: |it| it.by(TREE) && it.has(&["[(", "[ ("]),
    },
    Class {
        name: "takes `((` inside something else for subshells",
        holds: |it| it.by(TREE) && it.has(&["(("]),
    },
    Class {
        name: "takes arithmetic with a `;` or a brace in it for subshells",
        holds: |it| it.by(BRUSH) && it.has(&["(("]),
    },
    Class {
        name: "reads `case` in the operand of an expansion",
        holds: |it| it.by(TREE) && it.has(&["${"]) && it.has(&["case"]),
    },
    Class {
        name: "takes `x=` for an assignment where `x` is no name",
        holds: |it| it.by(TREE) && it.line.split_whitespace().any(no_assignment),
    },
    Class {
        name: "takes a descriptor for a program",
        holds: |it| {
            it.by(TREE) && it.missing.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        },
    },
    Class {
        name: "takes a bracket at the front of a word for `[`",
        holds: |it| it.by(TREE) && it.only(&["["]) && it.has(&["["]),
    },
    Class {
        name: "reads a quote glued to a reserved word as a word of its own",
        holds: |it| it.by(TREE) && it.has(&["then\"", "then'", "do\"", "do'", "else\"", "else'"]),
    },
    Class {
        name: "joins `]` with what follows",
        holds: |it| it.by(TREE) && it.missing.iter().all(|name| name.contains(']')),
    },
    Class {
        name: "ends the name of a declaring builtin at a quote",
        holds: |it| it.by(TREE) && it.only(&["unset", "export", "declare", "typeset", "local", "readonly"]),
    },
    Class { name: "ends a subscript too early", holds: |it| it.by(BRUSH) && it.subscript() },
    Class { name: "takes `{name}&>` for a redirect", holds: |it| it.by(RABLE) && it.has(&["}&>"]) },
    Class {
        name: "rejects `$( time (…) )` and `$( time { …; } )`",
        holds: |it| it.by(BASH) && it.has(&["$( time (", "$(time (", "$( time {", "$(time {"]),
    },
];

const TREE: &str = "tree-sitter-bash";
const BRUSH: &str = "brush-parser";
const RABLE: &str = "rable";
const BASH: &str = "bash";

const RESERVED: &[&str] = &[
    "time", "coproc", "!", "{", "}", "-p", "--", "[[", "if", "then", "else", "elif", "fi", "for", "while",
    "until", "select", "do", "done", "case", "esac", "in",
];

/// A word with `=` in it whose front is no name.
fn no_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let first = name.trim_end_matches('+').chars().next();
    !first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
}
