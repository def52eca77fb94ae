//! Command names as rable sees them. Its text-only nodes (arithmetic, `${x:-…}` operands) are not re-read:
//! it would be our own guess, not its opinion.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "its tree is pinned; only nodes with commands below them matter"
)]

use rable::{Node, NodeKind};

use super::literal;

/// The trees of a line.
pub(crate) fn parse(line: &str) -> Option<Vec<Node>> {
    rable::parse(line, false).ok()
}

pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    let nodes = parse(line)?;
    let mut found = Vec::new();
    let mut waiting: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = waiting.pop() {
        if let NodeKind::Command { words, .. } = &node.kind
            && let Some(NodeKind::Word { value, .. }) = words.first().map(|word| &word.kind)
        {
            found.extend(literal(value));
        }
        waiting.extend(children(&node.kind));
    }
    Some(found)
}

/// The nodes right below one; those of arithmetic hold no commands of their own.
fn children(kind: &NodeKind) -> Vec<&Node> {
    match kind {
        NodeKind::Word { parts, .. } | NodeKind::Array { elements: parts } => parts.iter().collect(),
        NodeKind::Command { assignments, words, redirects } => {
            assignments.iter().chain(words).chain(redirects).collect()
        }
        NodeKind::Pipeline { commands, .. } => commands.iter().collect(),
        NodeKind::List { items } => items.iter().map(|item| &item.command).collect(),
        NodeKind::If { condition, then_body, else_body, redirects } => {
            [&**condition, &**then_body].into_iter().chain(else_body.as_deref()).chain(redirects).collect()
        }
        NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
            [&**condition, &**body].into_iter().chain(redirects).collect()
        }
        NodeKind::For { words, body, redirects, .. } | NodeKind::Select { words, body, redirects, .. } => {
            words.iter().flatten().chain([&**body]).chain(redirects).collect()
        }
        NodeKind::ForArith { body, redirects, .. }
        | NodeKind::Subshell { body, redirects }
        | NodeKind::BraceGroup { body, redirects }
        | NodeKind::ConditionalExpr { body, redirects } => [&**body].into_iter().chain(redirects).collect(),
        NodeKind::Case { word, patterns, redirects } => {
            let arms = patterns.iter().flat_map(|arm| arm.patterns.iter().chain(&arm.body));
            [&**word].into_iter().chain(arms).chain(redirects).collect()
        }
        NodeKind::Function { body: inner, .. }
        | NodeKind::Coproc { command: inner, .. }
        | NodeKind::Redirect { target: inner, .. }
        | NodeKind::CommandSubstitution { command: inner, .. }
        | NodeKind::ProcessSubstitution { command: inner, .. }
        | NodeKind::UnaryTest { operand: inner, .. }
        | NodeKind::CondNot { operand: inner }
        | NodeKind::CondParen { inner }
        | NodeKind::Negation { pipeline: inner }
        | NodeKind::Time { pipeline: inner, .. } => vec![inner],
        NodeKind::BinaryTest { left, right, .. }
        | NodeKind::CondAnd { left, right }
        | NodeKind::CondOr { left, right } => {
            vec![left, right]
        }
        _ => Vec::new(),
    }
}
