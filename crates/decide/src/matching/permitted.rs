//! Whether a file may be read or edited without asking: by where it lies, by a rule, or by the mode.

use std::borrow::Cow;

use super::anchors::anchor_of;
use crate::context::Context;
use crate::glob::Match;
use crate::mode::Mode;
use crate::path::is_doubtful;
use crate::protected;
use crate::rules::{List, Rule, Specifier, Target, anything_in};
use crate::view::trusted::{self, is_inside};
use crate::view::{Access, PathUse};

/// The allow rule that means the path: as it is named, and where it leads.
pub(crate) fn path_rule<'c>(path: &PathUse, context: &'c Context) -> Option<&'c Rule> {
    if is_doubtful(&path.named, context.platform) || trusted::climbs_through_link(path, context) {
        return None;
    }
    let fact = if path.literal { Some(context.facts.path(&path.path)?) } else { None };
    if path.access != Access::Read && fact.as_ref().is_some_and(|fact| fact.shared) {
        // The same file has another name, which the rule may not mean.
        return None;
    }
    let resolved = fact.map_or_else(|| path.path.clone(), |fact| fact.resolved);
    if !path.literal && !path.glob {
        // What is not known may lead out of every folder that a rule names.
        return None;
    }
    let rule_for = |name: &str| {
        let writing = path.access != Access::Read;
        // A pattern is only allowed with the folder that it stays in.
        let looked_up = if path.literal { Cow::Borrowed(name) } else { Cow::Owned(anything_in(name)) };
        context.rules.paths(List::Allow, writing, &looked_up).find(|rule| {
            let Specifier::Path(pattern) = &rule.specifier else { return false };
            let (literal, glob, deep) = (path.literal, path.glob, path.deep);
            let target = Target { path: name, literal, glob, deep, fold_case: false };
            pattern.allows(target, &anchor_of(rule, pattern.anchor, context)) == Match::Yes
        })
    };
    let named = rule_for(&path.path)?;
    if resolved == path.path { Some(named) } else { rule_for(&resolved).map(|_| named) }
}

/// Whether the file may be edited without asking: by a rule, or because the mode accepts edits.
pub(crate) fn edit_permitted(path: &PathUse, context: &Context) -> bool {
    let mode = context.effective_mode() == Mode::AcceptEdits && is_acceptable_edit(path, context);
    let whole = || {
        let mut rules = ["Edit", "Write"].into_iter().flat_map(|tool| context.rules.whole(List::Allow, tool));
        rules.next().is_some() && is_inside(path, context)
    };
    mode || path_rule(path, context).is_some() || whole()
}

/// Whether acceptEdits mode takes the edit: a file of the project that nothing runs by itself.
pub(crate) fn is_acceptable_edit(path: &PathUse, context: &Context) -> bool {
    let fact = if path.literal { context.facts.path(&path.path) } else { None };
    let shared = fact.as_ref().is_some_and(|fact| fact.shared);
    let spellings = [Some(path.path.as_str()), fact.as_ref().map(|fact| fact.resolved.as_str())];
    let mut spellings = spellings.into_iter().flatten();
    let is_root = context.roots.iter().any(|root| context.absolute(root, "/") == path.path);
    is_inside(path, context)
        && !is_root
        && !shared
        && spellings
            .all(|name| protected::place(name, path.literal).is_none() && !protected::runs_elsewhere(name))
}

/// Whether the path may be read: it lies inside, or a rule allows reading it.
pub(crate) fn may_read(path: &PathUse, context: &Context) -> bool {
    is_inside(path, context) || path_rule(path, context).is_some()
}
