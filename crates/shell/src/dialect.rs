//! The shells whose language is read.

/// The shell that would run the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Dialect {
    /// GNU bash.
    #[default]
    Bash,
    /// A POSIX shell (dash, busybox, bash as `sh`): what only some of them understand is Unclear.
    Sh,
    /// zsh, read as bash; what zsh gives another meaning is Unclear.
    Zsh,
    /// PowerShell: a short list of cmdlets is proven to read, the rest is named or Unclear.
    PowerShell,
}

/// What a shell understands.
pub(crate) enum Language {
    Known(Dialect),
    /// A language of its own.
    Other,
}

/// Whether the program is a shell.
pub(crate) fn is_shell(name: &str) -> bool {
    language(name).is_some()
}

/// The language of a shell, by the name of its program.
pub(crate) fn language(name: &str) -> Option<Language> {
    match name {
        "bash" | "rbash" => Some(Language::Known(Dialect::Bash)),
        "sh" | "dash" | "ash" | "ksh" | "mksh" | "oksh" | "yash" | "posh" => {
            Some(Language::Known(Dialect::Sh))
        }
        "zsh" => Some(Language::Known(Dialect::Zsh)),
        "fish" | "csh" | "tcsh" | "xonsh" | "nu" | "elvish" | "rc" => Some(Language::Other),
        _ => None,
    }
}
