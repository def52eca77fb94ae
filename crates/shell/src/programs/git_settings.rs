//! Which git settings can make git run a program.

/// What a setting can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    /// Changes how something looks, or nothing that runs.
    Harmless,
    /// Names a program that git runs, or where git finds more settings.
    Runs,
    Unknown,
}

/// Sections of which every key is harmless.
const SECTIONS: &[&str] =
    &["color.", "advice.", "column.", "status.", "grep.", "blame.", "i18n.", "versionsort."];

/// Keys that are harmless whatever their value is.
const KEYS: &[&str] = &[
    "core.quotepath",
    "core.abbrev",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.longpaths",
    "core.commentchar",
    "core.preloadindex",
    "core.untrackedcache",
    "core.whitespace",
    "core.fscache",
    "core.checkstat",
    "core.trustctime",
    "core.compression",
    "core.bigfilethreshold",
    "core.logallrefupdates",
    "core.commitgraph",
    "core.multipackindex",
    "core.warnambiguousrefs",
    "log.decorate",
    "log.date",
    "log.abbrevcommit",
    "log.follow",
    "log.mailmap",
    "log.showroot",
    "log.diffmerges",
    "log.graphcolors",
    "diff.renames",
    "diff.renamelimit",
    "diff.algorithm",
    "diff.context",
    "diff.interhunkcontext",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.srcprefix",
    "diff.dstprefix",
    "diff.colormoved",
    "diff.colormovedws",
    "diff.indentheuristic",
    "diff.wserrorhighlight",
    "diff.ignoresubmodules",
    "diff.suppressblankempty",
    "diff.statgraphwidth",
    "diff.statnamewidth",
    "diff.relative",
    "diff.wordregex",
    "diff.dirstat",
    "user.name",
    "user.email",
    "user.useconfigonly",
    "author.name",
    "author.email",
    "committer.name",
    "committer.email",
    "init.defaultbranch",
    "commit.verbose",
    "commit.cleanup",
    "commit.status",
    "merge.ff",
    "merge.conflictstyle",
    "merge.renames",
    "merge.renamelimit",
    "merge.stat",
    "merge.log",
    "merge.verbosity",
    "merge.directoryrenames",
    "pull.rebase",
    "pull.ff",
    "rebase.autostash",
    "rebase.autosquash",
    "rebase.updaterefs",
    "rebase.stat",
    "rebase.missingcommitscheck",
    "push.default",
    "push.autosetupremote",
    "push.followtags",
    "fetch.prune",
    "fetch.prunetags",
    "fetch.parallel",
    "fetch.writecommitgraph",
    "gc.auto",
    "gc.autodetach",
    "gc.autopacklimit",
    "maintenance.auto",
    "protocol.version",
    "http.version",
    "http.postbuffer",
    "http.lowspeedlimit",
    "http.lowspeedtime",
    "http.maxrequests",
    "transfer.fsckobjects",
    "fetch.fsckobjects",
    "receive.fsckobjects",
    "index.threads",
    "index.version",
    "pack.threads",
    "pack.windowmemory",
    "tag.sort",
    "branch.sort",
    "branch.autosetupmerge",
    "branch.autosetuprebase",
    "format.pretty",
    "rerere.enabled",
    "rerere.autoupdate",
    "checkout.defaultremote",
    "checkout.guess",
    "stash.showpatch",
    "stash.showstat",
    "stash.showincludeuntracked",
    "feature.manyfiles",
    "apply.whitespace",
    "am.threeway",
    "submodule.fetchjobs",
    "http.followredirects",
    "clone.defaultremotename",
];

/// Keys that are harmless with one of these values.
const VALUES: &[(&str, &[&str])] = &[
    ("core.pager", &["cat", "less", "", "less -R", "less -FRX", "less -F", "more"]),
    ("core.fsmonitor", &["false", "0", "no", "off", ""]),
    ("core.hookspath", &["/dev/null", ""]),
    ("core.editor", &["true", ":", "cat", "/bin/true", "/usr/bin/true", "false"]),
    ("sequence.editor", &["true", ":", "cat", "/bin/true", "/usr/bin/true", "false"]),
    ("core.askpass", &["", "true", "false", "/bin/true", "echo"]),
    ("core.attributesfile", &["/dev/null"]),
    ("core.excludesfile", &["/dev/null"]),
    ("credential.helper", &[""]),
    ("credential.interactive", &["false", "never", "0"]),
    ("log.showsignature", &["false", "0", "no", "off"]),
    ("commit.gpgsign", &["false", "0", "no", "off"]),
    ("tag.gpgsign", &["false", "0", "no", "off"]),
    ("tag.forcesignannotated", &["false", "0", "no", "off"]),
    ("push.gpgsign", &["false", "0", "no", "off"]),
    ("submodule.recurse", &["false", "0", "no", "off"]),
    ("interactive.difffilter", &["", "cat"]),
    ("help.format", &["man", "info"]),
];

/// Sections, and keys, that name programs or lead to further settings.
const RUN: &[&str] = &[
    "alias.",
    "include.",
    "includeif.",
    "filter.",
    "credential.",
    "difftool.",
    "mergetool.",
    "browser.",
    "man.",
    "gpg.",
    "pager.",
    "sendemail.",
    "uploadpack.",
    "protocol.",
    "instaweb.",
    "guitool.",
    "tar.",
    "hook.",
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.hookspath",
    "core.askpass",
    "core.gitproxy",
    "core.alternaterefscommand",
    "sequence.editor",
    "diff.external",
    "diff.tool",
    "merge.tool",
    "diff.guitool",
    "merge.guitool",
    "web.browser",
    "help.browser",
    "help.format",
    "interactive.difffilter",
    "init.templatedir",
    "core.attributesfile",
    "core.worktree",
    "ssh.variant",
    "man.viewer",
];

/// Last parts of keys that name a program, whatever stands between section and name.
const ENDINGS: &[&str] = &[
    ".textconv",
    ".command",
    ".cmd",
    ".driver",
    ".uploadpack",
    ".receivepack",
    ".vcs",
    ".program",
    ".clean",
    ".smudge",
    ".process",
    ".update",
    ".helper",
    ".path",
    ".external",
    ".pager",
    ".editor",
];

/// What giving `key` this value does; a value only known at run time is `None`.
pub(super) fn judge(key: &str, value: Option<&str>) -> Setting {
    let key = key.to_ascii_lowercase();
    let allowed = VALUES.iter().find(|(name, _)| *name == key);
    if allowed.is_some_and(|(_, values)| value.is_some_and(|value| values.contains(&value))) {
        return Setting::Harmless;
    }
    let plain_pager = value.is_some_and(|value| matches!(value, "false" | "true" | "cat" | "less" | ""));
    if key.starts_with("pager.") && plain_pager {
        return Setting::Harmless;
    }
    if KEYS.contains(&key.as_str()) || SECTIONS.iter().any(|section| key.starts_with(section)) {
        return Setting::Harmless;
    }
    let runs =
        RUN.iter().any(|start| if start.ends_with('.') { key.starts_with(start) } else { key == *start });
    if runs || ENDINGS.iter().any(|end| key.ends_with(end)) { Setting::Runs } else { Setting::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_name_programs_are_not_harmless() {
        for (key, value) in [
            ("core.pager", "evil"),
            ("CORE.sshCommand", "x"),
            ("alias.st", "!x"),
            ("diff.foo.textconv", "x"),
            ("core.fsmonitor", "true"),
            ("filter.lfs.clean", "x"),
            ("protocol.ext.allow", "always"),
            ("merge.ours.driver", "true"),
            ("include.path", "/tmp/x"),
            ("pager.log", "evil"),
            ("gpg.program", "x"),
            ("help.format", "web"),
        ] {
            assert_eq!(judge(key, Some(value)), Setting::Runs, "{key}");
        }
        for (key, value) in [
            ("core.pager", "cat"),
            ("color.ui", "never"),
            ("core.fsmonitor", "false"),
            ("pager.log", "false"),
        ] {
            assert_eq!(judge(key, Some(value)), Setting::Harmless, "{key}");
            assert_ne!(judge("core.pager", None), Setting::Harmless);
        }
        assert_eq!(judge("safe.directory", Some("*")), Setting::Unknown);
    }
}
