//! The expression inside `[[ ]]`.

use bumpalo::collections::Vec as ArenaVec;

use super::cursor::{Parse, Parser};
use super::tree::{Node, Term, Test, Word};
use super::word::Place;

/// Operators that look at one file or string.
const UNARY: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-t", "-u", "-w", "-x", "-G",
    "-L", "-N", "-O", "-S", "-z", "-n", "-o", "-v", "-R",
];

/// Operators whose operands are arithmetic.
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// The other operators between two operands.
const BINARY: &[&str] = &["==", "=", "!=", "=~", "-nt", "-ot", "-ef", "<", ">"];

impl<'a> Parser<'a> {
    pub(super) fn test(&mut self, start: usize) -> Parse<Node<'a>> {
        self.only_bash("`[[`", 2);
        let outer = std::mem::replace(&mut self.in_test, true);
        let mut terms = ArenaVec::new_in(self.arena);
        let result = self.test_or(&mut terms).and_then(|()| self.test_close());
        self.in_test = outer;
        result?;
        let span = self.span(start, self.position);
        Ok(Node::Test(self.arena.alloc(Test { terms: terms.into_bump_slice(), span })))
    }

    fn test_close(&mut self) -> Parse<()> {
        self.skip_blanks();
        if self.eat_word("]]") { Ok(()) } else { self.syntax("`]]` is missing") }
    }

    fn test_or(&mut self, terms: &mut ArenaVec<'a, Term<'a>>) -> Parse<()> {
        loop {
            self.test_term(terms)?;
            // The operator stands on the operand's line.
            self.skip_blanks();
            if !(self.eat("&&") || self.eat("||")) {
                return Ok(());
            }
        }
    }

    fn test_term(&mut self, terms: &mut ArenaVec<'a, Term<'a>>) -> Parse<()> {
        self.skip_lines()?;
        while self.eat_word("!") {
            self.skip_lines()?;
        }
        if self.peek() == Some(b'(') {
            self.advance(1);
            self.deeper(|parser| parser.test_or(terms))?;
            self.skip_blanks();
            return if self.eat(")") { Ok(()) } else { self.syntax("`)` is missing in `[[`") };
        }
        let operator = self.next_plain();
        if UNARY.contains(&operator) {
            self.advance(operator.len());
            self.skip_blanks();
            let word = self.test_word(Place::Argument)?;
            terms.push(if matches!(operator, "-v" | "-R") { Term::Variable(word) } else { Term::Word(word) });
            return Ok(());
        }
        let left = self.test_word(Place::Argument)?;
        self.test_comparison(left, terms)
    }

    fn test_comparison(&mut self, left: Word<'a>, terms: &mut ArenaVec<'a, Term<'a>>) -> Parse<()> {
        self.skip_blanks();
        let angle = matches!(self.peek(), Some(b'<' | b'>'));
        let operator = if angle { self.slice(self.position, self.position + 1) } else { self.next_plain() };
        let numeric = NUMERIC.contains(&operator);
        if !numeric && !BINARY.contains(&operator) {
            terms.push(Term::Word(left));
            return Ok(());
        }
        self.advance(operator.len());
        self.skip_blanks();
        let right = self.test_word(match operator {
            "=~" => Place::Regex,
            "==" | "=" | "!=" => Place::Pattern,
            _ => Place::Argument,
        })?;
        let wrap: fn(Word<'a>) -> Term<'a> = if numeric { Term::Number } else { Term::Word };
        terms.extend([wrap(left), wrap(right)]);
        Ok(())
    }

    /// An operand. A number or `{name}` that touches `<` or `>` is none: bash takes it for a redirect's.
    fn test_word(&mut self, place: Place) -> Parse<Word<'a>> {
        if self.next_plain() == "]]" || self.peek() == Some(b'#') || self.descriptor().is_some() {
            return self.syntax("an operand is missing in `[[`");
        }
        let word = self.word_in(place)?;
        if word.parts.is_empty() { self.syntax("an operand is missing in `[[`") } else { Ok(word) }
    }
}
