//! Functions that run the words they are given: `run() { "$@" 2>&1 | tail -5; }; run cargo test`.
//!
//! What such a function runs stands where it is called.

use super::Walker;
use crate::argument::Argument;
use crate::programs::invocation::{Outcome, Run};
use crate::syntax::tree::{Function, Link, Node, Operation, Part, Quoting, Script, Simple, Word};
use crate::unclear::Why;

/// Commands that change what a function was given, or run what is not seen.
const CHANGES: &[&str] = &["set", "shift", "eval", "source", ".", "getopts"];

impl<'a> Walker<'a> {
    /// Notes a function that runs what it is given, and how many words it puts aside before.
    pub(super) fn note_forwarding(&mut self, function: &Function<'a>) {
        if let Some(aside) = forwards(&function.body) {
            self.forwarding.push((function.name, aside));
        }
    }

    /// Whether the command is what the function around it was given, which is looked at where it is called.
    pub(super) fn is_forwarded(&self, simple: &Simple<'a>) -> bool {
        let around = self.inside.last();
        runs_given(simple) && around.is_some_and(|name| self.forwarding.iter().any(|(it, _)| it == name))
    }

    /// Runs what a function of this name is given.
    pub(super) fn forward(&self, name: &str, words: &'a [Argument<'a>], out: &mut Outcome<'a>) {
        for (_, aside) in self.forwarding.iter().filter(|(known, _)| *known == name) {
            let (before, given) = words.split_at(words.len().min(*aside));
            if let Some(several) = before.iter().find(|word| word.many) {
                out.doubt(Why::UnclearCommand, several.text, several.span);
            }
            if !given.is_empty() {
                out.runs.push(Run::Words(given));
            }
        }
    }
}

/// `"$@"` alone.
fn runs_given(simple: &Simple<'_>) -> bool {
    let given = |word: &Word<'_>| match word.parts {
        [Part::Parameter(parameter, Quoting::Double)] => {
            parameter.name == "@"
                && parameter.subscript.is_none()
                && !parameter.indirect
                && matches!(parameter.operation, Operation::Value)
        }
        _ => false,
    };
    simple.assignments.is_empty() && matches!(simple.words, [word] if given(word))
}

/// How many words a function puts aside before it runs the others; nothing where it does not, or that cannot be told.
fn forwards(body: &Node<'_>) -> Option<usize> {
    let Node::Group(script) = body else { return None };
    let mut aside = 0;
    let mut seen = false;
    for item in script.items {
        if let Node::Simple(simple) = item.node
            && simple.words.first().and_then(Word::plain) == Some("shift")
        {
            let plain = item.link == Link::Next && !item.background && simple.redirects.is_empty();
            if seen || !plain || simple.words.len() != 1 {
                return None;
            }
            aside += 1;
            continue;
        }
        seen |= looks(&item.node)?;
    }
    seen.then_some(aside)
}

/// Whether something in it runs what the function was given; nothing where it may change what that is.
fn looks(node: &Node<'_>) -> Option<bool> {
    let any = |scripts: &[&Script<'_>]| {
        let items = scripts.iter().flat_map(|script| script.items);
        items.map(|item| looks(&item.node)).try_fold(false, |seen, found| Some(seen | found?))
    };
    match node {
        Node::Simple(simple) => {
            let name = simple.words.first().and_then(Word::plain).unwrap_or_default();
            (!CHANGES.contains(&name)).then(|| runs_given(simple))
        }
        Node::Pipeline(nodes) => nodes.iter().map(looks).try_fold(false, |seen, found| Some(seen | found?)),
        Node::Subshell(script) | Node::Group(script) => any(&[script]),
        Node::If(command) => {
            let conditions = command.branches.iter().flat_map(|(condition, body)| [condition, body]);
            any(&conditions.chain(command.otherwise.as_ref()).collect::<Vec<_>>())
        }
        Node::While(condition, body) => any(&[condition, body]),
        Node::For(command) => any(&[&command.body]),
        Node::Count(_, body) => any(&[body]),
        Node::Case(command) => any(&command.arms.iter().map(|(_, body)| body).collect::<Vec<_>>()),
        Node::Arithmetic(_) | Node::Test(_) => Some(false),
        Node::Not(node) | Node::Redirected(node, _) => looks(node),
        Node::Function(_) | Node::Coprocess(_) => None,
    }
}
