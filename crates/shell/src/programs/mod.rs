//! What programs do with their arguments: one table per family, found by the program's name.
//!
//! The tables are constants; nothing is built or parsed when the program starts.

pub(crate) mod acting;
pub(crate) mod address;
mod index;
pub(crate) mod invocation;
pub(crate) mod nature;
pub(crate) mod option_words;
mod outcome;
pub(crate) mod table;

mod agents;
mod analysis;
mod analysis_checks;
mod ansible;
mod archives;
mod archives_checks;
mod awk;
mod awk_tokens;
mod aws;
mod aws_operations;
mod azure;
mod azure_checks;
mod azure_words;
mod builds;
mod builds_checks;
mod cloud;
mod cloud_checks;
mod compilers;
mod containers;
mod containers_checks;
mod coreutils;
mod coreutils_checks;
mod cross;
mod databases;
mod databases_checks;
mod destinations;
mod disks;
mod find;
mod find_checks;
mod find_words;
mod fzf;
mod gcloud;
mod gcloud_checks;
mod git;
mod git_changes;
mod git_channels;
mod git_checks;
mod git_config;
mod git_options;
mod git_reads;
mod git_remotes;
mod git_settings;
mod github;
mod github_checks;
mod golang;
mod homebrew;
mod hosting;
mod infrastructure;
mod interfaces;
mod interfaces_checks;
mod keys;
mod keys_checks;
mod kubernetes;
mod kubernetes_checks;
mod languages;
mod languages_checks;
mod layers;
mod linters;
mod local;
mod macos;
mod macos_checks;
mod media;
mod miller;
mod network;
mod network_checks;
mod node;
mod node_checks;
mod node_tools;
mod objects;
mod packages;
mod parallel;
mod patches;
mod platforms;
mod platforms_checks;
mod python;
mod remote;
mod rust;
mod search;
mod secret_stores;
mod sed;
mod servers;
mod services;
mod shapes;
pub(crate) mod sql;
mod structured;
mod system;
mod system_checks;
mod terminals;
mod text;
mod text_checks;
mod version_control;
mod watchers;
mod wrappers;

use table::Spec;

/// Every family.
const FAMILIES: &[&[Spec]] = &[
    agents::TABLE,
    analysis::CODE,
    analysis::DATA,
    analysis::DEVICES,
    analysis::RUNNERS,
    ansible::TABLE,
    archives::TABLE,
    awk::TABLE,
    aws::TABLE,
    azure::TABLE,
    builds::TABLE,
    cloud::TABLE,
    compilers::TABLE,
    containers::TABLE,
    coreutils::TABLE,
    databases::TABLE,
    disks::TABLE,
    find::TABLE,
    gcloud::TABLE,
    git::TABLE,
    github::TABLE,
    golang::TABLE,
    homebrew::TABLE,
    hosting::TABLE,
    infrastructure::TABLE,
    interfaces::TABLE,
    keys::TABLE,
    kubernetes::TABLE,
    languages::TABLE,
    linters::TABLE,
    macos::TABLE,
    media::TABLE,
    network::TABLE,
    node::TABLE,
    node_tools::TABLE,
    packages::TABLE,
    patches::TABLE,
    platforms::TABLE,
    python::TABLE,
    remote::TABLE,
    rust::TABLE,
    search::TABLE,
    secret_stores::TABLE,
    sed::TABLE,
    servers::TABLE,
    services::TABLE,
    structured::TABLE,
    system::TABLE,
    terminals::TABLE,
    text::TABLE,
    version_control::TABLE,
    watchers::TABLE,
    wrappers::TABLE,
];

/// Every name with its table, sorted when the program is compiled.
static INDEX: [(&str, &Spec); COUNT] = index::sorted();

const COUNT: usize = index::count(FAMILIES);

/// The table of the program called `name`.
pub(crate) fn find(name: &str) -> Option<&'static Spec> {
    listed(name).or_else(|| cross::base(name).and_then(listed))
}

fn listed(name: &str) -> Option<&'static Spec> {
    let at = INDEX.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    INDEX.get(at).map(|(_, spec)| *spec)
}

/// Whether the program does what files of the folder it stands in say.
pub(crate) fn obeys_its_folder(program: &str) -> bool {
    program == "git" || obeyed_files(program) != ["."]
}

/// The files with which a project can make a reading command of this program run other code, or write. `FILE:WORD` is
/// a file that contains the word.
#[must_use]
pub fn obeyed_files(program: &str) -> &'static [&'static str] {
    match program {
        "yarn" | "yarnpkg" => &[".yarnrc", ".yarnrc.yml", ".yarn"],
        "pnpm" => &[".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"],
        "terraform" | "tofu" => &[".terraform"],
        "uv" => &[".venv", "uv.toml", ".python-version"],
        "cargo" => &[".cargo", "rust-toolchain", "rust-toolchain.toml"],
        "ansible" | "ansible-doc" | "ansible-config" | "ansible-inventory" => {
            &["ansible.cfg", "inventory", "hosts"]
        }
        "brew" => &["Brewfile", ".Brewfile"],
        "cdk" => &["cdk.json"],
        "hg" => &[".hg/hgrc", ".hg/hgrc-not-shared", ".hg/sharedpath"],
        "valgrind" => &[".valgrindrc"],
        "exiftool" => &[".ExifTool_config"],
        "ctags" | "exuberant-ctags" | "universal-ctags" => &[".ctags.d", "ctags.d", ".ctags"],
        "ruff" => &[
            "ruff.toml:fix",
            ".ruff.toml:fix",
            "pyproject.toml:fix",
            "ruff.toml:extend =",
            ".ruff.toml:extend =",
            "pyproject.toml:extend =",
        ],
        "codespell" => {
            &[".codespellrc:write-changes", "setup.cfg:write-changes", "pyproject.toml:write-changes"]
        }
        "autoflake" => &[
            "setup.cfg:in-place",
            "setup.cfg:in_place",
            "pyproject.toml:in-place",
            "pyproject.toml:in_place",
        ],
        "lychee" => &["lychee.toml:output", "lychee.toml:cache"],
        "jj" => &[".jj/repo/config.toml", ".jj/workspace-config.toml"],
        // Whoever marks a command must name its files here; until then no directory is free of them.
        _ => &["."],
    }
}

/// The names of all programs with a table, sorted.
#[must_use]
pub fn known_programs() -> Vec<&'static str> {
    INDEX.iter().map(|(name, _)| *name).collect()
}

/// The options in a program's table, and in those of the sub-commands that `verbs` name, as the tables spell them.
#[must_use]
pub fn option_words(program: &str, verbs: &[&str]) -> Vec<&'static str> {
    let mut spec = find(program);
    let mut found: Vec<&'static str> = spec.iter().map(|spec| spec.options).collect();
    for verb in verbs {
        spec = spec.and_then(|spec| spec.verb(verb));
        found.extend(spec.iter().map(|spec| spec.options));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::option_words::{Kind, entries};
    use super::table::Spec;
    use super::*;
    use crate::effects::Effects;

    fn every_spec(specs: &'static [Spec], visit: &mut dyn FnMut(&'static Spec)) {
        for spec in specs {
            visit(spec);
            every_spec(spec.verbs, visit);
        }
    }

    fn all(visit: &mut dyn FnMut(&'static Spec)) {
        for family in FAMILIES {
            every_spec(family, visit);
        }
    }

    /// Examples go through the front door: parsed, walked and looked up like any line.
    #[test]
    fn every_example_has_the_effects_it_claims() {
        let mut wrong = Vec::new();
        all(&mut |spec| {
            for (line, expected) in spec.examples {
                let reading = crate::read(line, crate::Dialect::Bash);
                let found = reading.commands.first().map(|command| command.effects).unwrap_or_default();
                let wanted = expected.split_whitespace().fold(Effects::NONE, |set, name| {
                    set.and(
                        Effects::named(name).unwrap_or_else(|| panic!("no effect called {name} in {line}")),
                    )
                });
                if found != wanted {
                    wrong.push(format!("{line}: expected `{wanted}`, found `{found}` {:?}", reading.unclear));
                }
            }
        });
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[test]
    fn every_program_has_a_harmless_example_or_one_that_is_not() {
        for family in FAMILIES {
            for spec in *family {
                assert!(!spec.examples.is_empty(), "{} has no example", spec.names);
            }
        }
    }

    #[test]
    fn no_program_is_described_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let names = FAMILIES.iter().flat_map(|family| family.iter()).flat_map(Spec::each_name);
        let twice: Vec<_> = names.filter(|name| !seen.insert(*name)).collect();
        assert!(twice.is_empty(), "described twice: {twice:?}");
    }

    #[test]
    fn option_strings_are_well_formed() {
        all(&mut |spec| {
            let mut longs = false;
            for word in spec.options.split(' ').filter(|word| !spec.options.is_empty() || !word.is_empty()) {
                assert!(
                    word.starts_with('-') && word.len() > 1,
                    "`{word}` of {} is not an option",
                    spec.names
                );
                longs |= word.starts_with("--");
                let single_dash = spec.style == table::Style::SingleDash;
                assert!(
                    single_dash || !longs || word.starts_with("--"),
                    "{}: `{word}` stands after a long option",
                    spec.names
                );
            }
            for entry in entries(spec.options) {
                assert!(
                    entry.kind() != Kind::Unknown,
                    "{}: `{}` has an unknown kind of value",
                    spec.names,
                    entry.name
                );
                for mark in entry.marks() {
                    let known = matches!(mark, "help" | "dry" | "real" | "steers")
                        || mark.starts_with("mode:")
                        || Effects::named(mark).is_some();
                    assert!(known, "{}: `{}` has an unknown mark `{mark}`", spec.names, entry.name);
                }
            }
        });
    }
}
