//! Git, and the programs that come with it.

use super::git_changes::{self, FILTER_REPO, GIT_LFS};
use super::git_checks as check;
use super::git_reads;
use super::shapes::joined;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

/// The sub-commands of both files in one table.
const VERBS: [Spec; git_reads::VERBS.len() + git_changes::VERBS.len()] =
    joined(git_reads::VERBS, git_changes::VERBS);

pub(super) const TABLE: &[Spec] = &[
    Spec::new("git", Effects::READS)
        .options_end_at_verb()
        .options(
            "-pP -vh!help -C=dir -c= --no-pager --paginate --git-dir=dir --work-tree=read --namespace= --bare \
             --config-env=!unknown --exec-path=?exec --html-path!help --man-path!help --info-path!help \
             --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs \
             --noglob-pathspecs --icase-pathspecs --list-cmds=? --attr-source= --super-prefix=?",
        )
        .verbs(&VERBS)
        .check(check::globals)
        .examples(&[
            ("git", "reads"),
            ("git --version", "reads"),
            ("git -C /x --no-pager -c color.ui=never -c core.pager=cat log -1", "reads"),
            ("git -c core.pager=evil log", "reads executes"),
            ("git -c core.sshCommand=evil ls-remote origin", "network-read executes"),
            ("git -c core.pager=evil log --help", "executes"),
            ("git -c alias.x=!evil x", "executes reads unknown"),
            ("git -c unheard.of=1 log", "reads unknown"),
            ("git --config-env=core.pager=X log", "reads unknown"),
            ("git --exec-path=/tmp/evil log", "reads executes"),
            ("git --exec-path", "reads"),
            ("git -C a -C b log", "reads unknown"),
            ("git -C a log -C -M", "reads"),
            ("git nonsense", "reads unknown"),
            ("git -- reset --hard", "reads unknown"),
            ("git reset --hard --help", "repository discards"),
        ]),
    GIT_LFS,
    FILTER_REPO,
    Spec::new("gitk tig lazygit gitui", Effects::EXECUTES.and(Effects::REPOSITORY))
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("tig", "executes repository")]),
    Spec::new("scalar", Effects::READS)
        .verbs(&[
            Spec::new("list version", Effects::READS).options("-v --build-options --verbose"),
            Spec::new("clone", Effects::NETWORK_READ.and(Effects::REPOSITORY).and(Effects::WRITES))
                .style(Style::Raw)
                .operands(Operands::Text),
            Spec::new("register unregister reconfigure run diagnose", Effects::SYSTEM.and(Effects::WRITES))
                .style(Style::Raw)
                .operands(Operands::Text),
            Spec::new("delete", Effects::DELETES).style(Style::Raw).operands(Operands::Text),
        ])
        .examples(&[("scalar list", "reads"), ("scalar delete x", "deletes")]),
];
