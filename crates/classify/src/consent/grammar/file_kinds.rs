//! Nouns for kinds of files, and the names under which projects keep them: who rules out changing "the lockfile" means
//! `package-lock.json`.

use super::text::find_any;

/// Nouns in seven languages, and parts of paths; `*` stands for the rest of a name.
const KINDS: &[(&[&str], &[&str])] = &[
    (
        &["test", "tests", "testes", "测试文件", "テストコード"],
        &[
            "test",
            "tests",
            "__tests__",
            "spec",
            "test_*",
            "*_test.go",
            "*_test.py",
            "*.test.ts",
            "*.test.js",
            "*.test.tsx",
            "*.spec.ts",
            "*.spec.js",
        ],
    ),
    (
        &["migration", "migrations", "migrationen", "migraciones", "migrações"],
        &["migrations", "migration", "migrate"],
    ),
    (
        &["lockfile", "lockfiles", "lock file", "lock-datei", "lockdatei"],
        &[
            "package-lock.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "cargo.lock",
            "poetry.lock",
            "uv.lock",
            "gemfile.lock",
            "composer.lock",
            "go.sum",
        ],
    ),
    (
        &[
            "ci config",
            "ci configuration",
            "ci setup",
            "ci pipeline",
            "ci files",
            "workflow files",
            "ci-konfiguration",
            "ci workflows",
        ],
        &[
            ".github",
            ".gitlab-ci.yml",
            ".circleci",
            "workflows",
            "jenkinsfile",
            "azure-pipelines.yml",
            ".travis.yml",
        ],
    ),
    (
        &["docs", "documentation", "dokumentation", "documentación", "documentação"],
        &["docs", "doc", "readme.md"],
    ),
];

/// The names of the kinds of files that a clause speaks of.
pub(in super::super) fn kept_places(words: &str) -> Vec<String> {
    let named = KINDS.iter().filter(|(nouns, _)| find_any(words, nouns).is_some());
    named.flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned())).collect()
}
