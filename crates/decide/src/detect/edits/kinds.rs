//! What kind of file an edit changes, by its name: a manifest, a test, prose, instructions of agents.

use super::change::lists;

fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
}

fn ending(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// Files that say which packages a project uses.
pub(super) fn is_manifest(path: &str) -> bool {
    const NAMES: &str =
        "cargo.toml podfile pubspec.yaml environment.yml conanfile.txt build.zig.zon package.swift";
    is_requirements(path) || lists(NAMES, &name(path))
}

/// Files that tell pip what to fetch, and from where: every address in them is a source.
pub(super) fn is_requirements(path: &str) -> bool {
    let (lower, name) = (path.to_ascii_lowercase(), name(path));
    let list = lists("txt in pip", ending(&name));
    name.starts_with("requirements")
        || (list
            && (name.contains("require") || name.contains("constraint") || lower.contains("/requirements/")))
}

/// Files that say who must look at a change.
pub(super) fn is_review_file(path: &str) -> bool {
    lists("codeowners owners .mergify.yml mergify.yml branch-protection.yml", &name(path))
}

/// Files that only tests read: what they hold is meant to be bad at times.
pub(super) fn is_test_file(path: &str) -> bool {
    const FOLDERS: &str =
        "test tests __tests__ spec specs e2e fixtures testdata samples mocks __mocks__ cypress";
    let plain = path.rsplit('/').next().unwrap_or_default();
    let marked =
        [".test.", ".spec.", "_test.", "test_"].iter().any(|mark| plain.to_ascii_lowercase().contains(mark))
            || ["Test.", "Tests.", "Spec.", "_spec.", "IT."].iter().any(|mark| plain.contains(mark));
    marked || path.to_ascii_lowercase().split('/').any(|part| lists(FOLDERS, part))
}

/// Data that nothing runs.
pub(super) fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.split('/').any(|part| lists("fixtures testdata samples mocks snapshots", part))
        && lists("txt json yaml yml xml csv md html log pem toml", ending(&lower))
}

/// What the text says to people, not to machines.
pub(super) fn is_prose(path: &str) -> bool {
    let name = name(path);
    let obeyed = is_manifest(path) || lists("cmakelists.txt meson_options.txt", &name);
    !obeyed && lists("md rst adoc txt tex", ending(&name))
}

/// Files that agents read before they work: what is in them is done.
pub(super) fn is_instruction(path: &str) -> bool {
    const NAMES: &str = "claude.md claude.local.md agents.md agents.override.md gemini.md qwen.md copilot-instructions.md \
        .cursorrules .windsurfrules .clinerules .goosehints .roorules .aiderrules .continuerules .augment-guidelines crush.md \
        warp.md";
    const FOLDERS: &str = "/.cursor/rules/ /.windsurf/rules/ /.clinerules/ /.roo/rules /.kiro/steering/ /.junie/ \
        /.github/instructions/ /.github/agents/ /.github/prompts/ /.amazonq/rules/";
    let (lower, name) = (path.to_ascii_lowercase(), name(path));
    lists(NAMES, &name)
        || name.ends_with(".instructions.md")
        || ending(&name) == "mdc"
        || FOLDERS.split_whitespace().any(|folder| lower.contains(folder))
}
