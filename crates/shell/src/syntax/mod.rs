//! Turns the text of a command line into a syntax tree, by recursive descent.
//!
//! Never expands, evaluates or looks anything up. What the shell would reject is refused; what the
//! grammar allows but this reader does not follow is noted as Unclear. Depth and work are bounded.

mod arithmetic;
mod compound;
mod cursor;
mod dollar;
mod heredoc;
mod list;
mod redirect;
mod simple;
mod test;
pub(crate) mod tree;
mod word;

use bumpalo::Bump;

pub(crate) use cursor::{Base, Budget, MAX_DEPTH};
use cursor::{Parser, Until};
use tree::{Item, Script, Stop};

use crate::dialect::Dialect;
use crate::unclear::Unclear;

/// A parsed text. After an error the items before it are kept: the shell runs line by line, so they
/// may well run before it finds the error.
pub(crate) struct Parsed<'a> {
    pub(crate) script: Script<'a>,
    pub(crate) error: Option<Stop>,
    pub(crate) notes: Vec<Unclear>,
}

/// Parses `text`. Spans are given in the outer line by `base`; `budget` is shared with whoever calls.
pub(crate) fn parse<'a>(
    arena: &'a Bump,
    text: &'a str,
    dialect: Dialect,
    base: Base,
    budget: &mut Budget,
) -> Parsed<'a> {
    let mut parser = Parser::new(arena, text, dialect, base, *budget);
    let mut items: bumpalo::collections::Vec<'a, Item<'a>> = bumpalo::collections::Vec::new_in(arena);
    let result = parser.script_items(&mut items, Until::End).and_then(|()| parser.finish_documents());
    let error = result.err();
    *budget = parser.budget;
    Parsed { script: Script { items: items.into_bump_slice() }, error, notes: parser.notes }
}
