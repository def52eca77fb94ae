//! find and fd: walks over directories, whose expressions can delete, write and run things.

use super::find_checks::{check, check_fd};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("find gfind", Effects::READS).style(Style::Raw).operands(Operands::None).check(check).examples(
        &[
            ("find . -maxdepth 2 -type f -name '*.rs' -not -path './.git/*' -print", "reads"),
            ("find", "reads"),
            ("find -L src lib -newermt 2024-01-01 -size +1M -printf '%p\\n'", "reads"),
            ("find -E . -regex '.*' -depth 1", "reads"),
            ("find . '(' -name a -o -name b ')' , -prune", "reads"),
            ("find . -type f -exec grep -l x {} ';'", "reads"),
            ("find . -name x -delete", "reads deletes"),
            ("find . -fprint out", "reads writes"),
            ("find . -fprintf out %p", "reads writes"),
            ("find . -fls out", "reads writes"),
            ("find / -name id_rsa", "reads secrets"),
            ("find ~/.ssh", "reads secrets"),
            ("find . -path '*/.ssh/*'", "reads secrets"),
            ("find ~ -path '*ssh*' -type f", "reads secrets"),
            ("find / -regex '.*/id_rs.'", "reads secrets"),
            ("find . -regex '.*\\.rs'", "reads"),
            ("find . -iregex '.*/\\.env.*'", "reads secrets"),
            ("find . -name '.*'", "reads"),
            ("find ~ -type f -exec cat {} +", "reads secrets"),
            ("find ~ -type f -exec stat {} +", "reads"),
            ("find /etc -name '*.conf' -exec cat {} +", "reads"),
            ("find . -path '*/cmd/*' -name '*.go'", "reads"),
            ("find . -not -name .env", "reads"),
            ("find . -ok ls ';'", "reads executes"),
            ("find . -exec {} ';'", "reads executes"),
            ("find . -exec ls", "reads unknown"),
            ("find . -frobnicate", "reads unknown"),
            ("find . -name x y", "reads unknown"),
            ("find --version", "reads"),
        ],
    ),
    Spec::new("fd fdfind", Effects::READS)
        .style(Style::Raw)
        .operands(Operands::None)
        .check(check_fd)
        .examples(&[
            ("fd -e rs main src", "reads"),
            ("fd -H --type f --changed-within 1week pattern", "reads"),
            ("fd pattern -x cat", "reads"),
            ("fd -x {} ", "reads executes"),
            ("fd -Hx rm", "reads executes"),
            ("fd . ~/.ssh", "reads secrets"),
            ("fd --frobnicate", "reads unknown"),
            ("fd -h", "reads"),
        ]),
];
