//! The syntax tree of a command line: what the shell's grammar says, before anything is expanded.
//!
//! Everything lives in one arena, so building a tree is cheap and dropping it cannot recurse.

use std::cell::Cell;

use crate::span::Span;
use crate::unclear::Why;

/// A list of commands: a whole line, or the inside of a group, a substitution, a loop body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script<'a> {
    pub(crate) items: &'a [Item<'a>],
}

/// One pipeline of a list and how it hangs on the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) link: Link,
    pub(crate) node: Node<'a>,
    /// Followed by `&`.
    pub(crate) background: bool,
}

/// How a pipeline depends on the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    /// Begins a list, or follows `;`, `&` or a newline.
    Next,
    And,
    Or,
}

/// A command of any form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'a> {
    Simple(&'a Simple<'a>),
    /// Two or more commands, each reading what the one before writes.
    Pipeline(&'a [Node<'a>]),
    Subshell(&'a Script<'a>),
    Group(&'a Script<'a>),
    If(&'a If<'a>),
    /// `while` and `until`.
    While(&'a Script<'a>, &'a Script<'a>),
    /// `for` and `select`.
    For(&'a For<'a>),
    /// `for ((…; …; …))`.
    Count(&'a Arithmetic<'a>, &'a Script<'a>),
    Case(&'a Case<'a>),
    Arithmetic(&'a Arithmetic<'a>),
    Test(&'a Test<'a>),
    Function(&'a Function<'a>),
    Coprocess(&'a Node<'a>),
    /// `! …`: it succeeds where the command fails.
    Not(&'a Node<'a>),
    /// A compound command with redirects.
    Redirected(&'a Node<'a>, &'a [Redirect<'a>]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Simple<'a> {
    pub(crate) assignments: &'a [Assignment<'a>],
    pub(crate) words: &'a [Word<'a>],
    pub(crate) redirects: &'a [Redirect<'a>],
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct If<'a> {
    /// Each condition with what runs when it holds.
    pub(crate) branches: &'a [(Script<'a>, Script<'a>)],
    pub(crate) otherwise: Option<Script<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct For<'a> {
    pub(crate) name: &'a str,
    /// The words after `in`; without `in`, the positional parameters.
    pub(crate) words: Option<&'a [Word<'a>]>,
    pub(crate) body: Script<'a>,
    /// `select`, which reads the variable from standard input.
    pub(crate) asks: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) subject: Word<'a>,
    pub(crate) arms: &'a [(&'a [Word<'a>], Script<'a>)],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) body: Node<'a>,
}

/// The expression inside `[[ ]]`, flattened: its logic does not matter to what it can run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test<'a> {
    pub(crate) terms: &'a [Term<'a>],
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Term<'a> {
    /// A word on its own, or a string comparison side.
    Word(Word<'a>),
    /// An operand that bash evaluates as arithmetic (`-eq` and its kin).
    Number(Word<'a>),
    /// An operand that bash evaluates as a variable name (`-v`, `-R`).
    Variable(Word<'a>),
}

/// `name=value` before a command or alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment<'a> {
    pub(crate) name: &'a str,
    /// `name[subscript]=`.
    pub(crate) subscript: Option<Word<'a>>,
    /// `+=`.
    pub(crate) append: bool,
    pub(crate) value: Assigned<'a>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Assigned<'a> {
    Word(Word<'a>),
    Array(&'a [Word<'a>]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Redirect<'a> {
    pub(crate) kind: RedirectKind<'a>,
    /// The file descriptor in front, where one is given.
    pub(crate) descriptor: Option<Descriptor<'a>>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Descriptor<'a> {
    Number(&'a str),
    /// `{name}>file`: the shell picks one and stores it in the variable.
    Variable(&'a str),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum RedirectKind<'a> {
    Read(Word<'a>),
    /// `>`, `>>`, `>|`, `&>`, `&>>`.
    Write(Word<'a>),
    /// `<>`.
    ReadWrite(Word<'a>),
    /// `>&word` and `<&word`: a descriptor, `-`, or (output only) a file.
    Duplicate {
        word: Word<'a>,
        output: bool,
    },
    HereString(Word<'a>),
    HereDocument(&'a HereDocument<'a>),
}

/// A here-document; its body comes after the line that starts it, and is filled in then.
#[derive(Debug)]
pub(crate) struct HereDocument<'a> {
    pub(crate) delimiter: &'a str,
    /// The delimiter was quoted: the body is not expanded.
    pub(crate) quoted: bool,
    /// `<<-`: leading tabs are removed.
    pub(crate) strip_tabs: bool,
    pub(crate) body: Cell<Word<'a>>,
}

/// A word as it is written: a sequence of parts that the shell joins after expansion.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word<'a> {
    pub(crate) parts: &'a [Part<'a>],
    pub(crate) span: Span,
}

impl<'a> Word<'a> {
    /// The text, where the word is one unquoted literal.
    pub(crate) fn plain(&self) -> Option<&'a str> {
        match self.parts {
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }
}

/// Whether an expansion stands inside double quotes: unquoted results are split and globbed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quoting {
    Bare,
    Double,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    /// Unquoted text without special meaning.
    Literal(&'a str),
    /// Text that was quoted or escaped.
    Quoted(&'a str),
    /// `$x`, `${x…}`.
    Parameter(&'a Parameter<'a>, Quoting),
    /// `$(…)`, backticks, `${ …; }`.
    Command(&'a Script<'a>, Quoting, Span),
    /// `$((…))`, `$[…]`.
    Arithmetic(&'a Arithmetic<'a>, Quoting),
    /// `<(…)`, `>(…)`.
    Process(&'a Script<'a>),
    /// `*`, `?`, `[`, or an extended pattern.
    Glob(&'a str),
    /// `{`, `,` or `}` where a brace expansion could be.
    Brace(&'a str),
    /// `~` or `~name` where it is expanded.
    Tilde(&'a str),
    /// `(…)` in `declare name=(…)`.
    Array(&'a [Word<'a>]),
    /// The key of an array element, which is arithmetic unless the array is associative.
    Subscript(&'a Arithmetic<'a>),
    /// Something whose value or effect is not known; the reason is already noted.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter<'a> {
    pub(crate) name: &'a str,
    pub(crate) subscript: Option<Word<'a>>,
    /// `${!x…}`: the value names another variable.
    pub(crate) indirect: bool,
    pub(crate) operation: Operation<'a>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation<'a> {
    /// `$x`, `${x}`.
    Value,
    /// `${#x}`.
    Length,
    /// `${!x*}`, `${!x[@]}`: names or keys.
    Names,
    /// `${x:-w}`, `${x:+w}`, `${x:?w}`.
    Alternative(Word<'a>),
    /// `${x:=w}`.
    Assign(Word<'a>),
    /// `${x#w}`, `${x##w}`.
    RemovePrefix(Word<'a>),
    /// `${x%w}`, `${x%%w}`.
    RemoveSuffix(Word<'a>),
    /// `${x/p/w}`, `${x^w}`, `${x,,w}`.
    Change(Word<'a>),
    /// `${x:1:2}`: both numbers are arithmetic.
    Substring(&'a Arithmetic<'a>),
    /// `${x@P}` expands the value like a prompt, which runs substitutions in it.
    Transform(&'a str),
}

/// An arithmetic expression: its text with the expansions that stand in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic<'a> {
    pub(crate) parts: &'a [Part<'a>],
    pub(crate) span: Span,
}

/// Where and why reading stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) why: Why,
    pub(crate) detail: &'static str,
    pub(crate) span: Span,
}
