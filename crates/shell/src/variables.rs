//! Which variables can change what programs do.

/// Variables that change nothing but how output looks or how much there is of it.
const HARMLESS: &[&str] = &[
    "NODE_ENV",
    "LANG",
    "LANGUAGE",
    "TZ",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "CI",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "COLUMNS",
    "LINES",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "GH_PROMPT_DISABLED",
    "GH_NO_UPDATE_NOTIFIER",
    "HOMEBREW_NO_AUTO_UPDATE",
    "NPM_CONFIG_LOGLEVEL",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "DEBIAN_FRONTEND",
    "TF_IN_AUTOMATION",
    "DO_NOT_TRACK",
    "NEXT_TELEMETRY_DISABLED",
    "CARGO_TERM_COLOR",
    "CARGO_TERM_QUIET",
    "VERBOSE",
    "GREP_COLOR",
    "GREP_COLORS",
    "LS_COLORS",
];

/// Variables that name a program, harmless with one of these values.
const PROGRAM_VALUED: &[&str] = &[
    "PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "AWS_PAGER",
    "GH_PAGER",
    "SYSTEMD_PAGER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "EDITOR",
    "GIT_EDITOR",
    "VISUAL",
];
const PLAIN_PROGRAMS: &[&str] = &["", "cat", "true", ":"];

/// Variables that the shell or many programs obey, and that may be exported already: setting one, even
/// without `export`, can change what later commands do.
const SENSITIVE: &[&str] = &[
    "PATH",
    "IFS",
    "ENV",
    "HOME",
    "SHELL",
    "CDPATH",
    "GLOBIGNORE",
    "FIGNORE",
    "PROMPT_COMMAND",
    "TMPDIR",
    "PWD",
    "OLDPWD",
    "MAIL",
    "MAILCHECK",
    "HISTFILE",
    "HISTCONTROL",
    "PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "MAKEFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "TAPE",
    "TAR_OPTIONS",
    "GZIP",
    "XZ_OPT",
    "ZIPOPT",
    "UNZIP",
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "MORE",
    "MANOPT",
    "POSIXLY_CORRECT",
    "RIPGREP_CONFIG_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "FPATH",
    "ZDOTDIR",
    "READNULLCMD",
    "NULLCMD",
    "TIMEFMT",
    "REPORTTIME",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "ftp_proxy",
    "no_proxy",
    "fpath",
    "path",
    "module_path",
    "functions",
    "commands",
    "aliases",
    "galiases",
    "saliases",
    "builtins",
    "nameddirs",
    "options",
    "modules",
    "hashdirs",
    "cdpath",
    "SHELLOPTS",
    "EXECIGNORE",
    "INPUTRC",
    "TERMINFO",
    "TERMCAP",
    "OPTIND",
];

/// Beginnings and endings of such names.
const SENSITIVE_STARTS: &[&str] = &[
    "LD_",
    "DYLD_",
    "BASH",
    "GIT_",
    "PYTHON",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "JAVA_",
    "_JAVA",
    "JDK_",
    "MAVEN_",
    "GRADLE_",
    "CARGO_",
    "RUST",
    "GO",
    "NPM_",
    "npm_",
    "YARN_",
    "BUN_",
    "DENO_",
    "PIP_",
    "UV_",
    "SSH_",
    "RSYNC_",
    "DOCKER_",
    "KUBE",
    "HELM_",
    "AWS_",
    "AZURE_",
    "GOOGLE_",
    "CLOUDSDK_",
    "TF_",
    "PG",
    "MYSQL_",
    "CURL_",
    "WGET",
    "GCONV_",
    "FZF_",
    "BAT_",
    "JQ_",
    "PS",
    "HISTTIMEFORMAT",
    "XDG_",
    "MALLOC_",
    "GLIBC_",
    "QT_",
    "GTK_",
    "LUA_",
    "PHP",
    "CLASSPATH",
    "SUDO_",
    "GREP_OPTIONS",
    "ANSIBLE_",
    "PORTCULLIS",
    "CLAUDE",
];
const SENSITIVE_ENDS: &[&str] = &[
    "_PATH",
    "_HOME",
    "_CONFIG",
    "_CONFIG_FILE",
    "_CONFIG_DIR",
    "_OPTIONS",
    "_OPTS",
    "_FLAGS",
    "_COMMAND",
    "_CMD",
    "_PAGER",
    "_EDITOR",
    "_PROXY",
    "_proxy",
    "_PRELOAD",
    "_SHELL",
    "_RC",
    "_INIT",
    "_HOOK",
    "_HOST",
    "_ASKPASS",
    "_PROGRAM",
    "_BROWSER",
    "_WRAPPER",
    "_LAUNCHER",
];

/// Whether setting the variable for one command changes nothing that matters.
pub(crate) fn is_harmless(name: &str, value: Option<&str>) -> bool {
    let program =
        PROGRAM_VALUED.contains(&name) && value.is_some_and(|value| PLAIN_PROGRAMS.contains(&value));
    program || HARMLESS.contains(&name) || name.starts_with("LC_")
}

/// Programs that obey no variables but those of the C library and the locale.
const UNMOVED: &[&str] = &[
    "ls", "cat", "echo", "printf", "head", "tail", "wc", "pwd", "true", "false", "test", "[", "basename",
    "dirname", "stat", "sleep", "cut", "tr", "uniq", "seq", "readlink", "realpath", "cmp", "nl", "tac",
    "rev", "paste", "join", "comm", "fold", "expand",
];

/// Whether setting the variable for this program can change what it does.
pub(crate) fn matters(name: &str, value: Option<&str>, program: Option<&str>) -> bool {
    let unmoved = program.is_some_and(|program| UNMOVED.contains(&program)) && !is_sensitive(name);
    let one_read = name == "IFS" && program == Some("read");
    !unmoved && !one_read && !is_harmless(name, value)
}

/// Whether a plain assignment, not exported by the line, can matter to later commands.
pub(crate) fn is_sensitive(name: &str) -> bool {
    SENSITIVE.contains(&name)
        || SENSITIVE_STARTS.iter().any(|start| name.starts_with(start))
        || SENSITIVE_ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether the name says that the value is a credential.
pub(crate) fn is_telling(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let parts = [
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "API_KEY",
        "APIKEY",
        "ACCESS_KEY",
        "PRIVATE_KEY",
        "CREDENTIAL",
    ];
    parts.iter().any(|part| upper.contains(part))
}

/// Variables that are integers from the start; the second half in zsh only.
const INTEGERS: &[&str] = &[
    "RANDOM",
    "SRANDOM",
    "HISTCMD",
    "OPTIND",
    "SECONDS",
    "LINENO",
    "BASHPID",
    "LINES",
    "COLUMNS",
    "HISTSIZE",
    "SAVEHIST",
    "SHLVL",
    "UID",
    "EUID",
    "GID",
    "EGID",
    "KEYTIMEOUT",
    "LISTMAX",
    "MAILCHECK",
    "FUNCNEST",
];

/// Whether the variable is an integer from the start: assigning to it is arithmetic.
pub(crate) fn is_integer(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// Whether the shell runs the variable's value as commands.
pub(crate) fn is_code(name: &str) -> bool {
    matches!(name, "PROMPT_COMMAND" | "PS0" | "PS1" | "PS2" | "PS3" | "PS4" | "BASH_ENV" | "ENV")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_variables_are_few_and_known() {
        assert!(is_harmless("NODE_ENV", Some("test")));
        assert!(is_harmless("LC_ALL", Some("C")));
        assert!(is_harmless("GIT_PAGER", Some("cat")));
        assert!(!is_harmless("GIT_PAGER", Some("sh -c id")));
        assert!(!is_harmless("GIT_PAGER", None));
        assert!(!is_harmless("LD_PRELOAD", Some("x")));
        assert!(!is_harmless("FOO", Some("1")));
    }

    #[test]
    fn what_programs_obey_is_sensitive() {
        for name in
            ["PATH", "LD_PRELOAD", "GIT_SSH_COMMAND", "PS4", "BASH_ENV", "MY_TOOL_CONFIG", "https_proxy"]
        {
            assert!(is_sensitive(name), "{name}");
        }
        for name in ["x", "file", "owner_repo", "ROOT", "COUNT"] {
            assert!(!is_sensitive(name), "{name}");
        }
    }
}
