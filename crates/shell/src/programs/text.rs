//! Programs that show or rework text: pagers, filters, comparers.

use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("diff", Effects::READS)
        .style(Style::Gnu)
        .options("-abBcdeEilnNpqrstTuvwy -CUFLWIxS= --brief --color=? --unified=? --exclude-from=read --to-file=read --from-file=read")
        .operands(Operands::Read)
        .examples(&[("diff -u a b", "reads"), ("diff --output=x a b", "reads unknown")]),
];
