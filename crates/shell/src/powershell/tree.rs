//! Small questions about the syntax tree: children, texts, how deep it goes.

use tree_sitter::{Node, Parser, Tree};

use crate::span::Span;

/// Deepest nesting of brackets that is read.
const DEEPEST: usize = 100;

/// Nodes that nest in the line itself, not only in the grammar.
const BRACKETS: &[&str] = &[
    "parenthesized_expression",
    "sub_expression",
    "array_expression",
    "script_block_expression",
    "hash_literal_expression",
    "statement_block",
    "switch_body",
    "argument_list",
    "element_access",
    "type_literal",
    "function_statement",
];

/// The tree of `text`, or nothing when the grammar cannot be loaded.
pub(super) fn parse(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_pwsh::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
}

/// The children of `node`, in the order of the line.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The only named child, if there is exactly one.
pub(super) fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut named = node.named_children(&mut cursor);
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

/// The first child of this kind.
pub(super) fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| child.kind() == kind)
}

/// Looks through nodes that only wrap one other. Bounded: wrappers do not nest in each other.
pub(super) fn unwrap(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while matches!(
        inner.kind(),
        "unary_expression" | "string_literal" | "argument_expression" | "integer_literal"
    ) {
        match only_child(inner) {
            Some(child) if children(inner).len() == 1 => inner = child,
            Some(_) | None => break,
        }
    }
    inner
}

/// Where `node` stands.
pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Whether brackets nest deeper than the limit; walks without recursion.
pub(super) fn is_too_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut open = 0_usize;
    loop {
        let nests = |node: Node<'_>| usize::from(BRACKETS.contains(&node.kind()));
        open += nests(cursor.node());
        if open > DEEPEST {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            open = open.saturating_sub(nests(cursor.node()));
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}
