//! Groups, subshells, conditionals, loops, `case`, functions and co-processes.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser, Until, is_meta, name_length};
use super::simple::Before;
use super::tree::{Case, For, Function, If, Node, Part, Script, Word};
use crate::dialect::Dialect;
use crate::unclear::Why;

impl<'a> Parser<'a> {
    /// `( … )`, or `(( … ))` where the parentheses close together.
    pub(super) fn parenthesised(&mut self) -> Parse<Node<'a>> {
        if self.at(1) == Some(b'(') {
            let start = self.position;
            if let Some(close) = self.double_close(start + 1)? {
                self.position = start + 2;
                let expression = self.arithmetic_until(close)?;
                self.position = close + 2;
                self.only_bash("`((…))`", close + 2 - start);
                return Ok(Node::Arithmetic(self.arena.alloc(expression)));
            }
            if self.dialect == Dialect::Zsh {
                self.note(Why::Dialect, "`((` that is not arithmetic", start);
            }
        }
        self.advance(1);
        let script = self.body(Until::Parenthesis)?;
        self.advance(1);
        Ok(Node::Subshell(self.arena.alloc(script)))
    }

    pub(super) fn group(&mut self) -> Parse<Node<'a>> {
        let script = self.body(Until::Brace)?;
        self.advance(1);
        if self.dialect == Dialect::Zsh {
            self.skip_blanks();
            if self.next_plain() == "always" {
                return self.stop(Why::Dialect, "`always`");
            }
        }
        Ok(Node::Group(self.arena.alloc(script)))
    }

    pub(super) fn if_command(&mut self) -> Parse<Node<'a>> {
        let mut branches = ArenaVec::new_in(self.arena);
        let mut otherwise = None;
        loop {
            let condition = self.body(Until::Words(&["then"]))?;
            self.expect_word("then")?;
            let body = self.body(Until::Words(&["elif", "else", "fi"]))?;
            branches.push((condition, body));
            if self.eat_word("elif") {
                continue;
            }
            if self.eat_word("else") {
                otherwise = Some(self.body(Until::Words(&["fi"]))?);
            }
            self.expect_word("fi")?;
            return Ok(Node::If(self.arena.alloc(If { branches: branches.into_bump_slice(), otherwise })));
        }
    }

    pub(super) fn while_command(&mut self) -> Parse<Node<'a>> {
        let condition = self.body(Until::Words(&["do"]))?;
        let body = self.do_group()?;
        Ok(Node::While(self.arena.alloc(condition), self.arena.alloc(body)))
    }

    fn do_group(&mut self) -> Parse<Script<'a>> {
        self.expect_word("do")?;
        let body = self.body(Until::Words(&["done"]))?;
        self.expect_word("done")?;
        Ok(body)
    }

    /// The body of a `for`: `do … done`, or the undocumented `{ … }`.
    fn for_body(&mut self) -> Parse<Script<'a>> {
        self.skip_lines()?;
        if self.eat_word("{") {
            let body = self.body(Until::Brace)?;
            self.advance(1);
            return Ok(body);
        }
        self.do_group()
    }

    pub(super) fn for_command(&mut self) -> Parse<Node<'a>> {
        self.skip_blanks();
        if self.rest().starts_with("((") {
            return self.counting_loop();
        }
        self.named_loop(false)
    }

    pub(super) fn select_command(&mut self) -> Parse<Node<'a>> {
        self.skip_blanks();
        self.named_loop(true)
    }

    fn counting_loop(&mut self) -> Parse<Node<'a>> {
        let start = self.position;
        let Some(close) = self.double_close(start + 1)? else { return self.syntax("`for ((` is not closed") };
        self.position = start + 2;
        let text = self.slice(start, close);
        if text.contains(['\'', '"', '\\']) {
            return self.stop(Why::NotModelled, "quotes in `for ((`");
        }
        let expression = self.arithmetic_until(close)?;
        let literal =
            |part: &Part<'a>| if let Part::Literal(text) = part { text.matches(';').count() } else { 0 };
        if expression.parts.iter().map(literal).sum::<usize>() != 2 {
            return self.syntax("`for ((` needs three expressions");
        }
        // Bash looks past some expansions when it splits the three, and into others.
        if text.matches(';').count() != 2 {
            return self.stop(Why::NotModelled, "a `;` inside an expansion in `for ((`");
        }
        self.position = close + 2;
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.advance(1);
        }
        let body = self.for_body()?;
        Ok(Node::Count(self.arena.alloc(expression), self.arena.alloc(body)))
    }

    fn named_loop(&mut self, asks: bool) -> Parse<Node<'a>> {
        let name = self.next_plain();
        if name.is_empty() || name_length(name) != name.len() {
            return self.syntax("a loop needs a variable name");
        }
        self.advance(name.len());
        self.skip_lines()?;
        let words = if self.eat_word("in") {
            let words = self.words()?;
            self.list_terminator()?;
            Some(words)
        } else {
            if self.peek() == Some(b';') {
                self.advance(1);
            }
            None
        };
        let body = self.for_body()?;
        Ok(Node::For(self.arena.alloc(For { name, words, body, asks })))
    }

    /// `;` or a newline.
    fn list_terminator(&mut self) -> Parse<()> {
        self.skip_to_token();
        match self.peek() {
            Some(b';') if self.at(1) != Some(b';') => {
                self.advance(1);
                Ok(())
            }
            Some(b'\n') => Ok(()),
            _ => self.syntax("`;` or a new line is missing"),
        }
    }

    /// Words up to the end of the list.
    fn words(&mut self) -> Parse<&'a [Word<'a>]> {
        let mut words = ArenaVec::new_in(self.arena);
        loop {
            self.skip_to_token();
            match self.peek() {
                Some(b'<' | b'>') if self.at(1) == Some(b'(') => words.push(self.word()?),
                Some(byte) if !is_meta(byte) => words.push(self.word()?),
                _ => return Ok(words.into_bump_slice()),
            }
        }
    }

    pub(super) fn case_command(&mut self) -> Parse<Node<'a>> {
        self.skip_blanks();
        if self.peek().is_none_or(is_meta) {
            return self.syntax("`case` needs a word");
        }
        let subject = self.word()?;
        self.expect_word("in")?;
        let mut arms = ArenaVec::new_in(self.arena);
        loop {
            self.skip_lines()?;
            if self.eat_word("esac") {
                return Ok(Node::Case(self.arena.alloc(Case { subject, arms: arms.into_bump_slice() })));
            }
            let patterns = self.case_patterns()?;
            let body = self.script(Until::CaseArm)?;
            arms.push((patterns, body));
            if !(self.eat(";;&") || self.eat(";;") || self.eat(";&")) {
                self.expect_word("esac")?;
                return Ok(Node::Case(self.arena.alloc(Case { subject, arms: arms.into_bump_slice() })));
            }
        }
    }

    fn case_patterns(&mut self) -> Parse<&'a [Word<'a>]> {
        if self.peek() == Some(b'(') {
            self.advance(1);
        }
        let mut patterns = ArenaVec::new_in(self.arena);
        loop {
            self.skip_blanks();
            if self.peek().is_none_or(is_meta) {
                return self.syntax("a pattern is missing in `case`");
            }
            patterns.push(self.word()?);
            self.skip_blanks();
            match self.peek() {
                Some(b'|') => self.advance(1),
                Some(b')') => {
                    self.advance(1);
                    return Ok(patterns.into_bump_slice());
                }
                _ => return self.syntax("`)` is missing after a pattern"),
            }
        }
    }

    /// `function name [()] body`.
    pub(super) fn function_keyword(&mut self) -> Parse<Node<'a>> {
        self.only_bash("`function`", 8);
        self.skip_blanks();
        let name = self.next_plain();
        if name.is_empty() || !is_function_name(name) {
            return self.syntax("`function` needs a plain name");
        }
        self.advance(name.len());
        self.skip_blanks();
        if self.peek() == Some(b'(') {
            self.empty_parentheses()?;
        }
        self.function_body(name)
    }

    /// The rest of `name () body`, from the parenthesis on.
    pub(super) fn function_rest(&mut self, name: &'a str) -> Parse<Node<'a>> {
        if !is_function_name(name) || name.is_empty() {
            return self.syntax("this cannot be the name of a function");
        }
        self.empty_parentheses()?;
        self.function_body(name)
    }

    fn empty_parentheses(&mut self) -> Parse<()> {
        self.advance(1);
        self.skip_blanks();
        if self.peek() != Some(b')') {
            return self.syntax("unexpected `(`");
        }
        self.advance(1);
        Ok(())
    }

    fn function_body(&mut self, name: &'a str) -> Parse<Node<'a>> {
        self.skip_lines()?;
        if matches!(self.next_plain(), "coproc" | "function") {
            return self.syntax("a function needs a compound command as its body");
        }
        let Some(body) = self.compound()? else {
            return self.syntax("a function needs a compound command as its body");
        };
        let body = self.function_redirects(body)?;
        Ok(Node::Function(self.arena.alloc(Function { name, body })))
    }

    fn function_redirects(&mut self, body: Node<'a>) -> Parse<Node<'a>> {
        let mut redirects = ArenaVec::new_in(self.arena);
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        let redirects = redirects.into_bump_slice();
        Ok(if redirects.is_empty() { body } else { Node::Redirected(self.arena.alloc(body), redirects) })
    }

    /// `coproc [NAME] command`.
    pub(super) fn coprocess(&mut self) -> Parse<Node<'a>> {
        self.only_bash("`coproc`", 6);
        self.skip_blanks();
        let name = self.next_plain();
        if matches!(name, "coproc" | "function") {
            return self.syntax("`coproc` needs a command");
        }
        let after = self.position + name.len();
        if !name.is_empty() && name_length(name) == name.len() {
            // A name counts only where a compound command follows it.
            let saved = self.position;
            self.position = after;
            self.skip_blanks();
            if let Some(body) = self.compound()? {
                self.note(Why::NotModelled, "a named co-process sets variables", saved);
                return Ok(Node::Coprocess(self.arena.alloc(body)));
            }
            self.position = saved;
        }
        let body = match self.compound()? {
            Some(node) => self.with_redirects(node)?,
            None => self.simple_after(Before::Coprocess)?,
        };
        Ok(Node::Coprocess(self.arena.alloc(body)))
    }
}

fn is_function_name(name: &str) -> bool {
    !name.bytes().any(|byte| {
        matches!(byte, b'$' | b'`' | b'\'' | b'"' | b'\\' | b'=' | b'*' | b'?' | b'[' | b'{' | b'}')
    })
}
