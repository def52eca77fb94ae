//! Lists, and-or chains, pipelines, and which kind of command comes next.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser, Until};
use super::tree::{Item, Link, Node, Script};
use crate::dialect::Dialect;
use crate::unclear::Why;

/// Words that the grammar knows where a command begins.
pub(super) const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "function", "select", "time", "{", "}", "!", "[[", "]]", "coproc",
];

/// Words that end something and can begin no command.
const CLOSERS: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}", "in", "]]"];

impl<'a> Parser<'a> {
    /// A nested list, one level deeper.
    pub(super) fn script(&mut self, until: Until) -> Parse<Script<'a>> {
        self.deeper(|parser| {
            let mut items = ArenaVec::new_in(parser.arena);
            parser.script_items(&mut items, until)?;
            Ok(Script { items: items.into_bump_slice() })
        })
    }

    /// A nested list that may not be empty.
    pub(super) fn body(&mut self, until: Until) -> Parse<Script<'a>> {
        let script = self.script(until)?;
        if script.items.is_empty() { self.syntax("a command is missing") } else { Ok(script) }
    }

    /// Reads commands up to what ends the list, and leaves the end itself unread.
    pub(super) fn script_items(&mut self, items: &mut ArenaVec<'a, Item<'a>>, until: Until) -> Parse<()> {
        let mut link = Link::Next;
        loop {
            self.skip_lines()?;
            if self.at_end(until)? {
                return if link == Link::Next { Ok(()) } else { self.syntax("a command is missing") };
            }
            self.spend(1)?;
            let node = self.pipeline()?;
            items.push(Item { link, node, background: false });
            self.skip_to_token();
            link = match self.peek() {
                None | Some(b'\n' | b')') => Link::Next,
                Some(b'&') if self.eat("&&") => Link::And,
                Some(b'|') if self.eat("||") => Link::Or,
                Some(b';') if !matches!(self.at(1), Some(b';' | b'&')) => {
                    self.advance(1);
                    self.no_operator()?;
                    Link::Next
                }
                Some(b';') => Link::Next,
                Some(b'&') => {
                    self.advance(1);
                    if let Some(last) = items.last_mut() {
                        last.background = true;
                    }
                    self.no_operator()?;
                    Link::Next
                }
                Some(_)
                    if self.closes(until) && items.last().is_some_and(|item| ends_compound(&item.node)) =>
                {
                    Link::Next
                }
                Some(_) => return self.syntax("unexpected text after a command"),
            };
        }
    }

    /// After `;` or `&` no second operator may follow on the line.
    fn no_operator(&mut self) -> Parse<()> {
        self.skip_blanks();
        match self.peek() {
            Some(b'&' | b'|') => self.syntax("an operator without a command"),
            Some(b';') if self.at(1) != Some(b';') => self.syntax("an operator without a command"),
            _ => Ok(()),
        }
    }

    /// A closing word right after a compound command (`fi fi`, `} }`) needs no separator.
    fn closes(&self, until: Until) -> bool {
        match until {
            Until::Words(words) => words.contains(&self.next_plain()),
            Until::Brace => self.next_plain() == "}",
            Until::CaseArm => self.next_plain() == "esac",
            Until::End | Until::Parenthesis => false,
        }
    }

    fn at_end(&mut self, until: Until) -> Parse<bool> {
        let word = self.next_plain();
        let ended = match until {
            Until::End => self.peek().is_none(),
            Until::Parenthesis => self.peek() == Some(b')'),
            Until::Brace => word == "}",
            Until::Words(words) => words.contains(&word),
            Until::CaseArm => {
                word == "esac" || self.rest().starts_with(";;") || self.rest().starts_with(";&")
            }
        };
        match self.peek() {
            _ if ended => Ok(true),
            None => self.syntax("the line ends too early"),
            Some(b')') => self.syntax("`)` without `(`"),
            Some(b';' | b'&' | b'|') => self.syntax("an operator without a command"),
            Some(_) => Ok(false),
        }
    }

    /// `[!] [time] command [| command]…`.
    fn pipeline(&mut self) -> Parse<Node<'a>> {
        let first = self.prefixed()?;
        self.skip_blanks();
        if self.peek() != Some(b'|') || self.at(1) == Some(b'|') {
            return Ok(first);
        }
        let mut nodes = ArenaVec::new_in(self.arena);
        nodes.push(first);
        while self.peek() == Some(b'|') && self.at(1) != Some(b'|') {
            self.advance(1);
            if self.peek() == Some(b'&') {
                self.advance(1);
                self.only_bash("`|&`", 2);
            }
            self.skip_lines()?;
            nodes.push(self.prefixed_later()?);
            self.skip_blanks();
        }
        Ok(Node::Pipeline(nodes.into_bump_slice()))
    }

    /// `!` and `time` only change the status and what is printed.
    fn prefixed(&mut self) -> Parse<Node<'a>> {
        let mut negated = false;
        loop {
            if self.eat_word("!") {
                negated = true;
                self.skip_blanks();
            } else if self.eat_word("time") {
                self.skip_blanks();
                if self.eat_word("-p") {
                    self.skip_blanks();
                }
                if self.eat_word("--") {
                    self.skip_blanks();
                }
                if matches!(self.peek(), None | Some(b'\n' | b';')) {
                    return Ok(Node::Group(self.arena.alloc(Script { items: &[] })));
                }
            } else {
                let node = self.command()?;
                return Ok(if negated { Node::Not(self.arena.alloc(node)) } else { node });
            }
        }
    }

    /// After `|` a command must follow, without `!` or `time`.
    fn prefixed_later(&mut self) -> Parse<Node<'a>> {
        match self.peek() {
            None | Some(b';' | b'&' | b'|' | b')') => self.syntax("a command is missing after `|`"),
            Some(_) if self.next_plain() == "!" => self.syntax("`!` after `|`"),
            // Here `time` is the program of that name, not the reserved word.
            Some(_) if self.next_plain() == "time" => self.simple(),
            Some(_) => self.command(),
        }
    }

    /// One command with its redirects.
    pub(super) fn command(&mut self) -> Parse<Node<'a>> {
        match self.compound()? {
            Some(node) => self.with_redirects(node),
            None => self.simple(),
        }
    }

    /// A compound command, if one comes next.
    pub(super) fn compound(&mut self) -> Parse<Option<Node<'a>>> {
        if self.peek() == Some(b'(') {
            return self.parenthesised().map(Some);
        }
        let word = self.next_plain();
        if !RESERVED.contains(&word) {
            return Ok(None);
        }
        if CLOSERS.contains(&word) {
            return self.syntax("a word that ends something stands where a command begins");
        }
        let start = self.position;
        self.advance(word.len());
        // Their bodies are lists, and a list is a level of its own.
        let node = match word {
            "if" => self.if_command(),
            "while" | "until" => self.while_command(),
            "for" => self.for_command(),
            "select" => self.select_command(),
            "case" => self.case_command(),
            "function" => self.function_keyword(),
            "{" => self.group(),
            "[[" => self.deeper(|parser| parser.test(start)),
            "coproc" => self.deeper(Self::coprocess),
            _ => self.syntax("a reserved word in the wrong place"),
        };
        node.map(Some)
    }

    pub(super) fn with_redirects(&mut self, node: Node<'a>) -> Parse<Node<'a>> {
        let mut redirects = ArenaVec::new_in(self.arena);
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None if redirects.is_empty() => return Ok(node),
                None => return Ok(Node::Redirected(self.arena.alloc(node), redirects.into_bump_slice())),
            }
        }
    }

    /// Notes a form that POSIX shells take for something else.
    pub(super) fn only_bash(&mut self, what: &'static str, length: usize) {
        if self.dialect == Dialect::Sh {
            let start = self.position.saturating_sub(length);
            self.note(Why::Dialect, what, start);
        }
    }
}

/// Whether the last thing read was the closing word of a compound command.
fn ends_compound(node: &Node<'_>) -> bool {
    match node {
        Node::Simple(_) | Node::Redirected(..) => false,
        Node::Pipeline(nodes) => nodes.last().is_some_and(ends_compound),
        Node::Coprocess(node) | Node::Not(node) => ends_compound(node),
        Node::Function(function) => ends_compound(&function.body),
        Node::Subshell(_)
        | Node::Group(_)
        | Node::If(_)
        | Node::While(..)
        | Node::For(_)
        | Node::Count(..)
        | Node::Case(_)
        | Node::Arithmetic(_)
        | Node::Test(_) => true,
    }
}
