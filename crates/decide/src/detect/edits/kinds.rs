//! What kind of file an edit changes, by its name: a manifest, a test, prose, instructions of agents.

/// Files that say which packages a project uses.
pub(super) fn is_manifest(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    is_requirements(path)
        || matches!(
            name,
            "cargo.toml"
                | "podfile"
                | "pubspec.yaml"
                | "environment.yml"
                | "conanfile.txt"
                | "build.zig.zon"
                | "package.swift"
        )
}

/// Files that tell pip what to fetch, and from where: every address in them is a source.
pub(super) fn is_requirements(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let list = ["txt", "in", "pip"].contains(&name.rsplit('.').next().unwrap_or_default());
    let folder = folder.rsplit('/').next().unwrap_or_default();
    name.starts_with("requirements")
        || (list
            && (["require", "constraint"].iter().any(|word| name.contains(word)) || folder == "requirements"))
}

/// Files that say who must look at a change.
pub(super) fn is_review_file(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    matches!(name, "codeowners" | "owners" | ".mergify.yml" | "mergify.yml" | "branch-protection.yml")
}

/// Files that only tests read: what they hold is meant to be bad at times.
pub(super) fn is_test_file(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "e2e",
        "fixtures",
        "testdata",
        "samples",
        "mocks",
        "__mocks__",
        "cypress",
    ];
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let folder = lower.split('/').any(|part| FOLDERS.contains(&part));
    let marked = [".test.", ".spec.", "_test.", "test_"].iter().any(|mark| name.contains(mark));
    folder || marked
}

/// Whether the file holds tests, by its name in languages that name classes: `AuthTest.java`.
pub(super) fn names_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let marked = ["Test.", "Tests.", "Spec.", "_spec.", "IT."].iter().any(|mark| name.contains(mark));
    marked || is_test_file(path)
}

/// Data that nothing runs.
pub(super) fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let folder = lower
        .split('/')
        .any(|part| matches!(part, "fixtures" | "testdata" | "samples" | "mocks" | "snapshots"));
    let ending = lower.rsplit('.').next().unwrap_or_default();
    folder
        && matches!(
            ending,
            "txt" | "json" | "yaml" | "yml" | "xml" | "csv" | "md" | "html" | "log" | "pem" | "toml"
        )
}

/// What the text says to people, not to machines.
pub(super) fn is_prose(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let obeyed = is_manifest(path) || matches!(name, "cmakelists.txt" | "meson_options.txt");
    !obeyed && ["md", "rst", "adoc", "txt", "tex"].contains(&name.rsplit('.').next().unwrap_or_default())
}

/// Files that agents read before they work: what is in them is done.
pub(super) fn is_instruction(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "/.cursor/rules/",
        "/.windsurf/rules/",
        "/.clinerules/",
        "/.roo/rules",
        "/.kiro/steering/",
        "/.junie/",
        "/.github/instructions/",
        "/.github/agents/",
        "/.github/prompts/",
        "/.amazonq/rules/",
    ];
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    matches!(
        name,
        "claude.md"
            | "claude.local.md"
            | "agents.md"
            | "agents.override.md"
            | "gemini.md"
            | "qwen.md"
            | "copilot-instructions.md"
            | ".cursorrules"
            | ".windsurfrules"
            | ".clinerules"
            | ".goosehints"
            | ".roorules"
            | ".aiderrules"
            | ".continuerules"
            | ".augment-guidelines"
            | "crush.md"
            | "warp.md"
    ) || name.ends_with(".instructions.md")
        || name.rsplit('.').next() == Some("mdc")
        || FOLDERS.iter().any(|folder| lower.contains(folder))
}
