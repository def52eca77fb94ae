//! Command names as tree-sitter-bash sees them; a tree with an error in it gives none.

use tree_sitter::{Node, Parser, Tree};

use super::literal;

/// The tree of a line.
pub(crate) fn parse(line: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    parser.parse(line, None)
}

pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    let tree = parse(line)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Vec::new();
    let mut waiting = vec![tree.root_node()];
    while let Some(node) = waiting.pop() {
        found.extend(name_of(node, line));
        waiting.extend(node.children(&mut node.walk()));
    }
    Some(found)
}

fn name_of(node: Node<'_>, line: &str) -> Option<String> {
    let text = |node: Node<'_>| line.get(node.byte_range()).unwrap_or_default();
    match node.kind() {
        "command" => literal(text(node.child_by_field_name("name")?)),
        "declaration_command" | "unset_command" => literal(text(node.child(0)?)),
        "test_command" if text(node.child(0)?) == "[" => Some("[".to_owned()),
        _ => None,
    }
}
