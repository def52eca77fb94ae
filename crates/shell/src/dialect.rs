//! The shells whose language is read.

/// Which shell would run the line.
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
