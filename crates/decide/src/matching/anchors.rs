//! Where the patterns of rules for paths start from.

use std::borrow::Cow;

use crate::call::ToolCall;
use crate::context::Context;
use crate::rules::{Anchor, Rule};

/// Where a guarding rule may start from: relative ones from the root and from the working directory.
pub(crate) fn anchors<'c>(
    rule: &'c Rule,
    anchor: Anchor,
    call: &'c ToolCall,
    context: &'c Context,
) -> impl Iterator<Item = Cow<'c, str>> {
    let first = anchor_of(rule, anchor, context);
    let elsewhere = anchor == Anchor::Here && call.cwd != first;
    let second = elsewhere.then(|| context.as_absolute(&call.cwd));
    std::iter::once(first).chain(second)
}

/// What the rule's pattern starts from.
pub(crate) fn anchor_of<'c>(rule: &'c Rule, anchor: Anchor, context: &'c Context) -> Cow<'c, str> {
    context.as_absolute(match anchor {
        Anchor::Root => "/",
        Anchor::Home => &context.home,
        Anchor::Base => rule.origin.base.as_deref().unwrap_or_else(|| context.root()),
        Anchor::Here => context.root(),
    })
}
