//! Flat tables: what of a machine a confined command sees, and which names in a project make something run later.

/// Folders of the system that every envelope can read.
pub(crate) const SYSTEM: &[&str] =
    &["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "opt", "nix", "gnu", "snap"];

/// Parts of `/var`, `/run` and `/sys` that programs need and that hold no sockets.
pub(crate) const SYSTEM_PARTS: &[&str] = &[
    "/var/lib/dpkg",
    "/var/lib/rpm",
    "/var/lib/pacman",
    "/var/lib/alternatives",
    "/var/lib/ghc",
    "/var/lib/gems",
    "/var/cache/fontconfig",
    "/run/current-system",
    "/run/opengl-driver",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Files and folders of the system that hold secrets, should this be root or the machine be set up badly.
pub(crate) const SYSTEM_SECRETS: &[&str] = &[
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/letsencrypt",
    "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/krb5.keytab",
    "/etc/kubernetes",
    "/etc/rancher",
    "/etc/docker",
    "/etc/portcullis",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_dsa_key",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
];

/// Parts of `/proc` that are the machine's and not the session's.
pub(crate) const PROC_READ_ONLY: &[&str] =
    &["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"];

/// What of the home folder is visible: tool chains, caches and settings without secrets. All else is not there.
pub(crate) const HOME_VISIBLE: &[&str] = &[
    ".asdf",
    ".bun",
    ".bundle",
    ".cabal",
    ".cache/Cypress",
    ".cache/bazel",
    ".cache/ccache",
    ".cache/electron",
    ".cache/go-build",
    ".cache/huggingface/hub",
    ".cache/ms-playwright",
    ".cache/node-gyp",
    ".cache/pip",
    ".cache/pnpm",
    ".cache/pre-commit",
    ".cache/pypoetry",
    ".cache/sccache",
    ".cache/uv",
    ".cache/yarn",
    ".cargo",
    ".config/git",
    ".deno",
    ".dotnet",
    ".editorconfig",
    ".elan",
    ".fnm",
    ".gem",
    ".ghcup",
    ".gitconfig",
    ".gitignore",
    ".gitignore_global",
    ".gradle",
    ".jenv",
    ".juliaup",
    ".local/bin",
    ".local/lib",
    ".local/share/cargo",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/pypoetry",
    ".local/share/rustup",
    ".local/share/uv",
    ".local/share/virtualenvs",
    ".local/state/fnm_multishells",
    ".m2",
    ".mix",
    ".n",
    ".nix-profile",
    ".nodenv",
    ".npm",
    ".npm-global",
    ".nvm",
    ".opam",
    ".phpenv",
    ".pub-cache",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rvm",
    ".sdkman",
    ".stack",
    ".swiftpm",
    ".volta",
    "go",
    "miniconda3",
    "anaconda3",
    "miniforge3",
];

/// What of the visible parts holds credentials.
pub(crate) const HOME_SECRETS: &[&str] = &[
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".bundle/config",
    ".cabal/config",
    ".config/git/credentials",
    ".gem/credentials",
    ".gradle/gradle.properties",
    ".gradle/init.d",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".pub-cache/credentials.json",
    ".stack/config.yaml",
    ".local/share/uv/credentials",
    ".cache/huggingface/token",
];

/// Credentials anywhere in the home folder, for envelopes that see more of it.
pub(crate) const CREDENTIALS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/op",
    ".config/rclone",
    ".config/sops",
    ".local/share/keyrings",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".vault-token",
    ".terraform.d/credentials.tfrc.json",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
];

/// Settings of agents in the home folder that start the hook.
pub(crate) const AGENT_SETTINGS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".copilot/config.json",
    ".cursor/hooks.json",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".config/goose/config.yaml",
];

/// A program whose cache may be written: the program, other programs that use it, and its folders in the home folder.
/// Nothing in these folders is on a path or read when a shell starts.
pub(crate) const CACHES: &[(&[&str], &[&str])] = &[
    (&["cargo", "rustc", "cross"], &[".cargo/registry", ".cargo/git"]),
    (&["npm", "npx", "node"], &[".npm/_cacache"]),
    (&["pnpm", "pnpx"], &[".local/share/pnpm/store", ".cache/pnpm"]),
    (&["yarn"], &[".cache/yarn"]),
    (&["bun", "bunx"], &[".bun/install/cache"]),
    (&["pip", "pip3", "python", "python3"], &[".cache/pip"]),
    (&["uv", "uvx"], &[".cache/uv"]),
    (&["poetry"], &[".cache/pypoetry"]),
    (&["go", "gofmt"], &["go/pkg/mod", ".cache/go-build"]),
    (&["gradle", "gradlew"], &[".gradle/caches"]),
    (&["mvn", "mvnw"], &[".m2/repository"]),
    (&["dotnet"], &[".nuget/packages"]),
    (&["ccache"], &[".cache/ccache"]),
    (&["sccache"], &[".cache/sccache"]),
];

/// Folders of a project that make something run or obey later, wherever they lie.
const PROTECTED_FOLDERS: &[&str] = &[
    ".portcullis",
    ".agents",
    ".aider",
    ".amazonq",
    ".amp",
    ".augment",
    ".claude",
    ".clinerules",
    ".codeium",
    ".codex",
    ".continue",
    ".copilot",
    ".cursor",
    ".factory",
    ".gemini",
    ".goose",
    ".junie",
    ".kilocode",
    ".kiro",
    ".opencode",
    ".qwen",
    ".roo",
    ".trae",
    ".windsurf",
    ".git",
    ".hg",
    ".jj",
    ".husky",
    ".vscode",
    ".idea",
    ".fleet",
    ".zed",
    ".devcontainer",
    ".cargo",
    ".yarn",
    ".mvn",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
];

/// Files of a project of that kind.
const PROTECTED_FILES: &[&str] = &[
    ".gitconfig",
    ".gitmodules",
    ".hgrc",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".bash_logout",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".profile",
    ".kshrc",
    ".cshrc",
    ".inputrc",
    ".pam_environment",
    ".envrc",
    ".vimrc",
    ".nvimrc",
    ".exrc",
    ".tmux.conf",
    ".screenrc",
    ".gdbinit",
    ".lldbinit",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
    "bunfig.toml",
    ".bunfig.toml",
    ".bazelrc",
    ".bazeliskrc",
    ".bazelversion",
    ".condarc",
    ".gemrc",
    ".pypirc",
    "pip.conf",
    ".pydistutils.cfg",
    "gradle-wrapper.properties",
    "maven-wrapper.properties",
    ".ripgreprc",
    ".devcontainer.json",
    ".mcp.json",
    ".claude.json",
    "opencode.json",
    "opencode.jsonc",
    ".aider.conf.yml",
    ".goosehints",
    "authorized_keys",
    ".netrc",
    ".pgpass",
    ".git-credentials",
];

/// Folders that hold what was installed or built; nothing looks there for settings of the project.
const DEPENDENCIES: &[&str] =
    &["node_modules", "target", ".venv", "venv", "site-packages", "__pycache__", ".tox", ".nox"];

/// Whether a name in a project is protected, in any case.
pub(crate) fn is_protected(name: &str) -> bool {
    let known = |table: &[&str]| table.iter().any(|known| known.eq_ignore_ascii_case(name));
    known(PROTECTED_FOLDERS) || known(PROTECTED_FILES)
}

/// Whether a folder holds what was installed or built, so that nothing below it is looked at.
pub(crate) fn is_dependencies(name: &str) -> bool {
    DEPENDENCIES.contains(&name)
}

/// What inside a repository's own folder makes git run or obey something.
pub(crate) fn is_protected_in_git(name: &str) -> bool {
    name.starts_with("config")
        || matches!(name, "hooks" | "info" | "commondir" | "gitdir" | "modules" | "worktrees")
}

/// Whether a variable's name looks like that of a secret, or leads to a socket outside.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "SSH_AUTH_SOCK",
        "SSH_AGENT_PID",
        "GPG_AGENT_INFO",
        "DBUS_SESSION_BUS_ADDRESS",
        "DBUS_SYSTEM_BUS_ADDRESS",
        "XDG_RUNTIME_DIR",
        "TMUX",
        "TMUX_PANE",
        "STY",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "DOCKER_HOST",
        "KUBECONFIG",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "PGPASSFILE",
        "NETRC",
    ];
    const ENDS: &[&str] = &[
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "PASSPHRASE",
        "API_KEY",
        "APIKEY",
        "ACCESS_KEY",
        "PRIVATE_KEY",
        "SECRET_KEY",
        "ACCESS_KEY_ID",
        "CREDENTIALS",
        "_PAT",
        "_DSN",
        "_AUTH",
        "SESSION_KEY",
    ];
    let upper = name.to_ascii_uppercase();
    let listed = NAMES.contains(&upper.as_str()) || ENDS.iter().any(|end| upper.ends_with(end));
    listed || matches!(upper.as_str(), "DATABASE_URL" | "REDIS_URL" | "MONGODB_URI" | "AMQP_URL")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [K2]
    #[test]
    fn nothing_that_is_writable_runs_later() {
        for (_, folders) in CACHES {
            for folder in *folders {
                let last = folder.rsplit('/').next().unwrap_or_default();
                assert!(!matches!(last, "bin" | "shims" | ".cargo" | ".npm" | "config"), "{folder}");
                assert!(
                    !CREDENTIALS.iter().chain(HOME_SECRETS).any(|secret| secret.starts_with(folder)),
                    "{folder}"
                );
            }
        }
    }

    /// [K2]
    #[test]
    fn names_are_protected_in_any_case() {
        for name in [".git", ".GIT", ".Claude", ".mcp.json", ".envrc", ".vscode", "lefthook.yml"] {
            assert!(is_protected(name), "{name}");
        }
        for name in ["src", "Makefile", ".github", ".gitignore", ".env", "package.json", ".gitattributes"] {
            assert!(!is_protected(name), "{name}");
        }
    }

    /// [K2]
    #[test]
    fn secrets_and_sockets_leave_the_environment() {
        for name in ["GITHUB_TOKEN", "aws_secret_access_key", "OPENAI_API_KEY", "SSH_AUTH_SOCK", "TMUX"] {
            assert!(is_secret_variable(name), "{name}");
        }
        for name in ["PATH", "HOME", "LANG", "CARGO_HOME", "SSL_CERT_FILE", "NODE_ENV", "TERM"] {
            assert!(!is_secret_variable(name), "{name}");
        }
    }
}
