//! `apply_patch`: the edit command of agents, with the patch as its only word or as the text it is fed.

use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::patch::{PatchChange, patched_files};
use crate::span::Span;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[Spec::new("apply_patch applypatch", Effects::NONE)
    .style(Style::Raw)
    .operands(Operands::Text)
    .check(check)
    .examples(&[
        ("apply_patch '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'", "writes"),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch\nEOF", "writes"),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF", "deletes"),
        (
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\nEOF",
            "writes deletes",
        ),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Frob File: a\n*** End Patch\nEOF", "unknown"),
        ("apply_patch <<EOF\n*** Begin Patch\n*** Add File: $x\n+x\n*** End Patch\nEOF", "unknown"),
        ("apply_patch < a.patch", "reads unknown"),
        ("apply_patch", "unknown"),
        ("apply_patch --frob", "unknown"),
    ])];

fn check<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let text = match invocation.words {
        [] => out.input,
        [text] => Some(*text),
        _ => None,
    };
    let Some((files, span)) = text.and_then(|text| Some((patched_files(text.known()?)?, text.span))) else {
        return out.doubt(Why::NotModelled, "a patch that cannot be read", Span::default());
    };
    for file in &files {
        let path = |path: &str| Argument::literal(out.arena.alloc_str(path), span);
        let old = path(&file.path);
        let moved = file.moved.as_deref().map(path);
        if file.change == PatchChange::Delete || moved.is_some() {
            out.deletes(old);
        }
        if file.change != PatchChange::Delete {
            out.writes(moved.unwrap_or(old));
        }
    }
    out.patched = files;
}
