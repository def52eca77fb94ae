//! Templates: shell text with marks that stand for what is planted.
//!
//! | mark | stands for |
//! | --- | --- |
//! | `@P` | the planted command, on one line or in braces |
//! | `@L` | the planted command with the `;` or new line that ends it |
//! | `@S` | the planted command as a program with arguments (through a shell if it is more than that) |
//! | `@X` | a substitution that runs the planted command and gives nothing |
//! | `@A` | a quoted text that runs the planted command when arithmetic evaluates it |
//! | `@N` | a quoted text that runs the planted command when it is taken for a variable's name |
//! | `@M` | the marker file |
//! | `@H` | a command that only reads |
//! | `@V` | a variable or function name, the same throughout one template |
//! | `@<` … `@>` | the text between, quoted as one word |
//! | `@[` … `@]` | the text between, escaped for backticks |
//! | `@@` | `@` |

use super::dice::Dice;
use super::words;

/// Commands that only read and succeed.
const HARMLESS: &[&str] = &[
    "true",
    ":",
    "echo hi",
    "pwd",
    "echo 'a b' c",
    "test -f f.txt",
    "[ 1 = 1 ]",
    "type ls",
    "printf '%s\\n' x",
    "ls",
    "cat f.txt",
    "ls -la .",
    "wc -l f.txt",
    "grep x f.txt",
    "head -n 1 f.txt",
    "git --version",
    "grep -n x f.txt | head -1",
    "ls -1 | wc -l",
];

const NAMES: &[&str] = &["x", "v", "foo", "name_1", "F", "_a"];

/// Ways to substitute the output of the planted command.
const SUBSTITUTIONS: &[&str] = &[
    "$(@L)",
    "$(@P)",
    "`@[@P@]`",
    "\"$(@P)\"",
    "\"`@[@P@]`\"",
    "$( ( @L ) )",
    "$(\n@L)",
    "$(:; @L)",
    "$({ @L })",
    "$(@P | cat)",
    "$(@H >/dev/null; @L)",
    "$(# a ) comment\n@L)",
    "$(case a in a) @L ;; esac)",
    "$(case a in (a) @L esac)",
    "$(cat <<A\n)$(@L)\nA\n)",
    "`@[echo \\`true\\`; @P@]`",
    "`@[echo $(@P)@]`",
    "`@[echo `@[@P@]`@]`",
    "$(echo \"$(@P)\")",
    "\"$(echo \"$(@P)\")\"",
    "${@V-$(@P)}",
    "\"${@V-`@[@P@]`}\"",
    "$(\\\n@P)",
    "$(if :; then @L fi)",
];

/// A shell command that makes the marker, as it is being wrapped.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    pub(crate) text: String,
    /// One program with its arguments, nothing only a shell could read.
    pub(crate) plain: bool,
}

impl Planted {
    /// For templates in which nothing is planted.
    pub(crate) fn nothing() -> Planted {
        Planted { text: String::new(), plain: false }
    }

    /// For a place where one line ends with more text behind it.
    fn inline(&self) -> String {
        if self.ends_open() { format!("{{ {}\n}}", self.text) } else { self.text.clone() }
    }

    fn listed(&self, dice: &mut Dice) -> String {
        if self.ends_open() {
            format!("{}\n", self.text)
        } else {
            format!("{}{}", self.text, dice.pick(&[";", "\n", " ; ", ";\n"]))
        }
    }

    fn as_program(&self, dice: &mut Dice) -> String {
        if self.plain {
            return self.text.clone();
        }
        let shell = dice.pick(&["sh -c ", "bash -c ", "bash -ec ", "/bin/bash -c "]);
        format!("{shell}{}", words::quote(&self.text, dice))
    }

    /// Whether text on the same line could not follow.
    fn ends_open(&self) -> bool {
        self.text.contains(['\n', '#']) || self.text.ends_with(['&', ';', '\\'])
    }
}

/// What the marks of one template stand for.
pub(crate) struct Filling<'a> {
    planted: &'a Planted,
    marker: &'a str,
    name: &'static str,
    dice: &'a mut Dice,
}

/// The template with its marks filled.
pub(crate) fn fill(template: &str, planted: &Planted, marker: &str, dice: &mut Dice) -> String {
    let name = dice.pick(NAMES);
    Filling { planted, marker, name, dice }.text(&mut template.chars(), None)
}

impl Filling<'_> {
    fn text(&mut self, rest: &mut std::str::Chars<'_>, closer: Option<char>) -> String {
        let mut filled = String::new();
        while let Some(character) = rest.next() {
            if character != '@' {
                filled.push(character);
                continue;
            }
            match rest.next() {
                Some(mark) if Some(mark) == closer => return filled,
                Some('<') => {
                    let inside = self.text(rest, Some('>'));
                    filled.push_str(&words::quote(&inside, self.dice));
                }
                Some('[') => {
                    let inside = self.text(rest, Some(']'));
                    filled.push_str(&words::escape_for_backticks(&inside));
                }
                Some(mark) => filled.push_str(&self.mark(mark)),
                None => filled.push('@'),
            }
        }
        filled
    }

    fn mark(&mut self, mark: char) -> String {
        match mark {
            'P' => self.planted.inline(),
            'L' => self.planted.listed(self.dice),
            'S' => self.planted.as_program(self.dice),
            'M' => self.marker.to_owned(),
            'H' => self.dice.pick(HARMLESS).to_owned(),
            'V' => self.name.to_owned(),
            'X' => {
                let form = self.dice.pick(SUBSTITUTIONS);
                self.text(&mut form.chars(), None)
            }
            'A' => {
                let form =
                    self.dice.pick(&["a[$(@L)]", "a[`@[@P@]`]", "a[$(@P)0]", "1+a[$(@P)]", "b=a[$(@P)]"]);
                let value = self.text(&mut form.chars(), None);
                words::quote(&value, self.dice)
            }
            'N' => {
                let form = self.dice.pick(&["a[$(@L)]", "a[`@[@P@]`]", "a[$(@P)0]"]);
                let value = self.text(&mut form.chars(), None);
                words::quote(&value, self.dice)
            }
            '@' => String::from("@"),
            other => format!("@{other}"),
        }
    }
}
