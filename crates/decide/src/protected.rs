//! Places that make something else happen when they are written (SPEC S1), and project files that make
//! later commands run something (P5).
//!
//! Names are compared without regard to case: on some file systems `.GIT` is `.git`.

use std::sync::LazyLock;

/// Why a place is protected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Portcullis' own settings, state and log.
    Own,
    /// Settings and instructions of agents.
    AgentSettings,
    /// Shell start-up files and what else runs by itself.
    StartUp,
    /// Keys and credentials.
    Credentials,
    /// The repository's inside, and git's configuration.
    Git,
    /// The inside of a repository of Mercurial or Jujutsu.
    Repository,
    /// Configuration of package managers and build tools.
    Packages,
    /// Editors that run tasks of a project.
    Editor,
}

impl Place {
    /// What a write there would be.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Place::Own => "belongs to Portcullis itself",
            Place::AgentSettings => "holds an agent's settings or instructions",
            Place::StartUp => "is run by itself later",
            Place::Credentials => "holds keys or credentials",
            Place::Git => "belongs to git and can make it run programs",
            Place::Repository => "belongs to the repository and can make its tool run programs",
            Place::Packages => "configures what a package manager or build tool runs",
            Place::Editor => "can make an editor run programs",
        }
    }

    /// Whether the classifier may clear a write there.
    pub(crate) const fn classifier_approvable(self) -> bool {
        match self {
            Place::Git | Place::Repository | Place::Packages | Place::Editor => true,
            Place::Own | Place::AgentSettings | Place::StartUp | Place::Credentials => false,
        }
    }
}

/// Folders, wherever they lie.
const FOLDERS: &[(&str, Place)] = &[
    (".portcullis", Place::Own),
    (".agents", Place::AgentSettings),
    (".aider", Place::AgentSettings),
    (".amazonq", Place::AgentSettings),
    (".amp", Place::AgentSettings),
    (".augment", Place::AgentSettings),
    (".claude", Place::AgentSettings),
    (".clinerules", Place::AgentSettings),
    (".codeium", Place::AgentSettings),
    (".codex", Place::AgentSettings),
    (".continue", Place::AgentSettings),
    (".copilot", Place::AgentSettings),
    (".cursor", Place::AgentSettings),
    (".factory", Place::AgentSettings),
    (".gemini", Place::AgentSettings),
    (".goose", Place::AgentSettings),
    (".junie", Place::AgentSettings),
    (".kilocode", Place::AgentSettings),
    (".kiro", Place::AgentSettings),
    (".opencode", Place::AgentSettings),
    (".qwen", Place::AgentSettings),
    (".roo", Place::AgentSettings),
    (".trae", Place::AgentSettings),
    (".windsurf", Place::AgentSettings),
    (".nah", Place::AgentSettings),
    (".dippy", Place::AgentSettings),
    (".git", Place::Git),
    (".hg", Place::Repository),
    (".jj", Place::Repository),
    (".husky", Place::Git),
    (".vscode", Place::Editor),
    (".vscode-server", Place::Editor),
    (".idea", Place::Editor),
    (".fleet", Place::Editor),
    (".zed", Place::Editor),
    (".devcontainer", Place::Editor),
    (".cargo", Place::Packages),
    (".yarn", Place::Packages),
    (".mvn", Place::Packages),
    (".ssh", Place::Credentials),
    (".gnupg", Place::Credentials),
    (".aws", Place::Credentials),
    (".azure", Place::Credentials),
    (".kube", Place::Credentials),
    (".password-store", Place::Credentials),
    ("launchagents", Place::StartUp),
    ("launchdaemons", Place::StartUp),
    ("startupitems", Place::StartUp),
];

/// Folders by several names in a row.
const DEEP_FOLDERS: &[(&str, Place)] = &[
    ("config/portcullis", Place::Own),
    (".config/portcullis", Place::Own),
    ("state/portcullis", Place::Own),
    ("share/portcullis", Place::Own),
    ("etc/portcullis", Place::Own),
    (".config/git", Place::Git),
    (".config/hg", Place::Repository),
    (".config/jj", Place::Repository),
    (".config/claude", Place::AgentSettings),
    (".config/opencode", Place::AgentSettings),
    (".config/goose", Place::AgentSettings),
    (".config/amp", Place::AgentSettings),
    (".config/crush", Place::AgentSettings),
    (".config/github-copilot", Place::AgentSettings),
    (".config/dippy", Place::AgentSettings),
    (".config/nah", Place::AgentSettings),
    (".config/gcloud", Place::Credentials),
    (".config/gh", Place::Credentials),
    (".config/fish", Place::StartUp),
    (".config/autostart", Place::StartUp),
    (".config/systemd", Place::StartUp),
    (".config/environment.d", Place::StartUp),
    (".local/bin", Place::StartUp),
    ("bin/activate", Place::Packages),
    ("node_modules/.bin", Place::Packages),
    ("etc/profile.d", Place::StartUp),
    ("etc/cron.d", Place::StartUp),
    ("etc/cron.daily", Place::StartUp),
    ("etc/cron.hourly", Place::StartUp),
    ("etc/systemd", Place::StartUp),
    ("etc/init.d", Place::StartUp),
    ("etc/sudoers.d", Place::StartUp),
    ("etc/pam.d", Place::StartUp),
    ("etc/apt", Place::Packages),
    ("spool/cron", Place::StartUp),
    (".config/pip", Place::Packages),
    (".config/pnpm", Place::Packages),
    (".gradle/init.d", Place::Packages),
];

/// Files, wherever they lie.
const FILES: &[(&str, Place)] = &[
    ("portcullis.sock", Place::Own),
    ("portcullis.db", Place::Own),
    (".gitconfig", Place::Git),
    (".hgrc", Place::Repository),
    (".jjconfig.toml", Place::Repository),
    (".gitmodules", Place::Git),
    (".pre-commit-config.yaml", Place::Git),
    ("lefthook.yml", Place::Git),
    ("lefthook.yaml", Place::Git),
    (".lefthook.yml", Place::Git),
    (".lefthook.yaml", Place::Git),
    (".bashrc", Place::StartUp),
    (".bash_profile", Place::StartUp),
    (".bash_login", Place::StartUp),
    (".bash_aliases", Place::StartUp),
    (".bash_logout", Place::StartUp),
    (".zshrc", Place::StartUp),
    (".zprofile", Place::StartUp),
    (".zshenv", Place::StartUp),
    (".zlogin", Place::StartUp),
    (".zlogout", Place::StartUp),
    (".profile", Place::StartUp),
    (".kshrc", Place::StartUp),
    (".cshrc", Place::StartUp),
    (".tcshrc", Place::StartUp),
    (".login", Place::StartUp),
    (".inputrc", Place::StartUp),
    (".xinitrc", Place::StartUp),
    (".xprofile", Place::StartUp),
    (".xsessionrc", Place::StartUp),
    (".pam_environment", Place::StartUp),
    (".envrc", Place::StartUp),
    (".vimrc", Place::StartUp),
    (".tmux.conf", Place::StartUp),
    (".screenrc", Place::StartUp),
    ("crontab", Place::StartUp),
    ("sudoers", Place::StartUp),
    ("authorized_keys", Place::Credentials),
    ("known_hosts", Place::Credentials),
    (".netrc", Place::Credentials),
    (".pgpass", Place::Credentials),
    (".git-credentials", Place::Credentials),
    (".npmrc", Place::Packages),
    (".yarnrc", Place::Packages),
    (".yarnrc.yml", Place::Packages),
    (".pnp.cjs", Place::Packages),
    (".pnp.loader.mjs", Place::Packages),
    (".pnpmfile.cjs", Place::Packages),
    (".pnpmfile.mjs", Place::Packages),
    ("bunfig.toml", Place::Packages),
    (".bunfig.toml", Place::Packages),
    (".bazelrc", Place::Packages),
    (".bazelversion", Place::Packages),
    (".bazeliskrc", Place::Packages),
    (".condarc", Place::Packages),
    (".gemrc", Place::Packages),
    (".pypirc", Place::Credentials),
    ("pip.conf", Place::Packages),
    (".pydistutils.cfg", Place::Packages),
    ("gradle-wrapper.properties", Place::Packages),
    ("maven-wrapper.properties", Place::Packages),
    (".ripgreprc", Place::Packages),
    (".devcontainer.json", Place::Editor),
    ("pyrightconfig.json", Place::Editor),
    (".mcp.json", Place::AgentSettings),
    (".claude.json", Place::AgentSettings),
    ("opencode.json", Place::AgentSettings),
    ("opencode.jsonc", Place::AgentSettings),
    (".aider.conf.yml", Place::AgentSettings),
    (".goosehints", Place::AgentSettings),
    ("managed-settings.json", Place::AgentSettings),
];

/// Why the absolute path is protected, if it is. With `literal` false, `*` in it stands for the unknown.
pub(crate) fn place(path: &str, literal: bool) -> Option<Place> {
    let lower = path.to_lowercase();
    let parts: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
    let (name, folders) = parts.split_last()?;
    // Copies that agents work in are ordinary files.
    let worktree = parts.windows(2).any(|pair| pair == [".claude", "worktrees"]);
    let same = |part: &str, known: &str| part == known || (!literal && could_be(part, known));
    let named = !literal || parts.iter().any(|part| part.starts_with('.') || is_undotted(part));
    let known = |table: &'static [(&'static str, Place)]| if named { table.iter() } else { [].iter() };
    let in_folder = known(FOLDERS).find(|(known, _)| {
        let hit = folders.iter().any(|part| same(part, known)) || same(name, known);
        hit && !(worktree && *known == ".claude")
    });
    let deep = known(DEEP_FOLDERS).find(|(known, _)| {
        let (first, rest) = known.split_once('/').unwrap_or((known, ""));
        let mut starts = parts.iter().enumerate().filter(|(_, part)| **part == first);
        starts.any(|(index, _)| {
            let mut after = parts.iter().skip(index + 1);
            rest.split('/').all(|wanted| after.next().is_some_and(|part| *part == wanted))
        })
    });
    let file = known(FILES).find(|(known, _)| same(name, known));
    let credential =
        (is_credential(&lower, literal) && !name.starts_with(".env")).then_some(Place::Credentials);
    // Python runs what such a file says with every start.
    let started = name.rsplit('.').next() == Some("pth")
        && folders.iter().any(|part| matches!(*part, "site-packages" | "dist-packages" | ".venv" | "venv"));
    let by_name = in_folder.or(deep).or(file).map(|(_, place)| *place);
    by_name.or(credential).or(started.then_some(Place::Packages))
}

/// Protected names that do not begin with a dot, in order. Every stretch of a long text is looked up in them.
static UNDOTTED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let tables = FOLDERS.iter().chain(DEEP_FOLDERS).chain(FILES);
    let mut names: Vec<&str> = tables.flat_map(|(name, _)| name.split('/')).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort_unstable();
    names.dedup();
    names
});

fn is_undotted(part: &str) -> bool {
    let lower = || part.bytes().map(|byte| byte.to_ascii_lowercase());
    UNDOTTED.binary_search_by(|known| known.bytes().cmp(lower())).is_ok()
}

/// A quick look at a word: whether it can name a protected place at all. Nearly all of them begin with a dot; the
/// others have a part of a known name in them.
pub(crate) fn is_plausible(word: &str) -> bool {
    let dotted = word.len() > 1 && (word.starts_with('.') || word.contains("/."));
    dotted || word.starts_with(['~', '/']) || word.split('/').any(is_undotted)
}

fn is_credential(path: &str, literal: bool) -> bool {
    portcullis_shell::is_secret_path(path, literal)
}

/// Whether a name with wildcards could stand for a known one: it spells out enough of it to mean it.
fn could_be(part: &str, known: &str) -> bool {
    if !part.contains(['*', '?', '[']) {
        return false;
    }
    let spelled = part.chars().filter(|character| !matches!(character, '*' | '?' | '[' | ']')).count();
    let pattern: Vec<crate::glob::Sign> = part
        .chars()
        .map(|character| match character {
            '*' | '?' | '[' | ']' => crate::glob::Sign::Any,
            character => crate::glob::Sign::Char(character),
        })
        .collect();
    let name: Vec<crate::glob::Sign> = crate::glob::signs(known, false).collect();
    spelled >= 2 && crate::glob::matches(&pattern, &name) == crate::glob::Match::Yes
}

/// Files that make a later command of the project run something (P5).
const RUN_LATER: &[&str] = &[
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lockb",
    "bun.lock",
    "deno.json",
    "deno.jsonc",
    "turbo.json",
    "nx.json",
    "lerna.json",
    "makefile",
    "gnumakefile",
    "justfile",
    ".justfile",
    "taskfile.yml",
    "taskfile.yaml",
    "rakefile",
    "gemfile",
    "gemfile.lock",
    "build.rs",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "gradle.properties",
    "gradlew",
    "mvnw",
    "pom.xml",
    "build.xml",
    "build.sbt",
    "cmakelists.txt",
    "configure.ac",
    "meson.build",
    "sconstruct",
    "workspace",
    "build.bazel",
    "module.bazel",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "pipfile",
    "pipfile.lock",
    "tox.ini",
    "noxfile.py",
    "conftest.py",
    "pytest.ini",
    "sitecustomize.py",
    "usercustomize.py",
    "manage.py",
    "cargo.lock",
    "go.sum",
    "go.mod",
    "composer.json",
    "nuget.config",
    "composer.lock",
    "mix.exs",
    "dockerfile",
    "containerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yml",
    "compose.yaml",
    "vagrantfile",
    "procfile",
    "flake.nix",
    "default.nix",
    "shell.nix",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".tool-versions",
    ".mise.toml",
    "mise.toml",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".prettierrc.js",
    "babel.config.js",
];

/// Beginnings of such names: configuration that is code.
const RUN_LATER_STARTS: &[&str] = &[
    "webpack.config.",
    "vite.config.",
    "vitest.config.",
    "jest.config.",
    "rollup.config.",
    "eslint.config.",
    "prettier.config.",
    "postcss.config.",
    "tailwind.config.",
    "next.config.",
    "nuxt.config.",
    "playwright.config.",
    "cypress.config.",
    "metro.config.",
    "karma.conf.",
    "gulpfile.",
    "gruntfile.",
    "dockerfile.",
    "docker-compose.",
    "makefile.",
];

/// Whether a later command of the project runs what the file says.
pub(crate) fn runs_later(path: &str) -> bool {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    RUN_LATER.contains(&name)
        || RUN_LATER_STARTS.iter().any(|start| name.starts_with(start))
        || matches!(name.rsplit('.').next(), Some("mk" | "dockerfile"))
        || runs_elsewhere(path)
}

/// Whether the file is run where no gate stands: by a CI service, a container host, another machine.
pub(crate) fn runs_elsewhere(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "/.github/workflows/",
        "/.github/actions/",
        "/.gitlab/",
        "/.circleci/",
        "/.buildkite/",
        "/.teamcity/",
        "/.woodpecker/",
        "/.forgejo/workflows/",
        "/.gitea/workflows/",
        "/.semaphore/",
    ];
    const FILES: &[&str] = &[
        ".gitlab-ci.yml",
        ".travis.yml",
        "jenkinsfile",
        "azure-pipelines.yml",
        "bitbucket-pipelines.yml",
        "appveyor.yml",
        ".drone.yml",
        "cloudbuild.yaml",
        "buildspec.yml",
        ".woodpecker.yml",
    ];
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    FOLDERS.iter().any(|folder| lower.contains(folder)) || FILES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [S1]
    #[test]
    fn protected_places_are_known_in_any_case() {
        for (path, expected) in [
            ("/p/.git/hooks/pre-commit", Place::Git),
            ("/p/sub/.git", Place::Git),
            ("/p/.Claude/Settings.JSON", Place::AgentSettings),
            ("/home/dev/.zshenv", Place::StartUp),
            ("/home/dev/.ssh/authorized_keys", Place::Credentials),
            ("/p/.npmrc", Place::Packages),
            ("/home/dev/.config/portcullis/settings.json", Place::Own),
            ("/p/.vscode/tasks.json", Place::Editor),
        ] {
            assert_eq!(place(path, true), Some(expected), "{path}");
        }
        for path in [
            "/p/.gitignore",
            "/p/docs/.gitkeep",
            "/p/tests/fixtures/settings.json",
            "/p/.claude/worktrees/a/x",
            "/p/.env",
        ] {
            assert_eq!(place(path, true), None, "{path}");
        }
    }

    /// [S1]
    #[test]
    fn a_pattern_that_spells_enough_of_a_protected_name_means_it() {
        assert_eq!(place("/p/.gi*/hooks", false), Some(Place::Git));
        assert_eq!(place("/home/dev/.bash*", false), Some(Place::StartUp));
        assert_eq!(place("/p/*", false), None);
        assert_eq!(place("/p/src/*.rs", false), None);
    }
}
