//! Import cycles that are known. The list only shrinks.

use std::collections::BTreeSet;

use super::modules::Crate;
use super::tree::SOURCES;

/// Modules of a folder that need each other, directly or through others beside them.
const KNOWN: &[(&str, &str)] = &[
    ("decide/src/detect", "code commands edits files provenance remote routine scripts tools"),
    ("decide/src/detect/routine", "fresh places"),
];

/// Modules that are in a cycle and not listed, and listed ones that are in none.
pub(crate) fn changes() -> Vec<String> {
    let mut found = Vec::new();
    let mut known: BTreeSet<String> = KNOWN
        .iter()
        .flat_map(|(folder, modules)| {
            modules.split_whitespace().map(move |module| format!("{folder}/{module}"))
        })
        .collect();
    for name in crates() {
        for (folder, group) in Crate::read(name).cycles() {
            let folder = format!("{name}/src/{folder}");
            let folder = folder.trim_end_matches('/');
            let group: Vec<&str> = group.into_iter().collect();
            let new = group.iter().filter(|module| !known.remove(&format!("{folder}/{module}")));
            found.extend(new.map(|module| {
                format!(
                    "crates/{folder}/{module}: new in an import cycle of {}; move what they share into a module that \
                     needs none of them (`scripts/measures --details` shows all cycles)",
                    group.join(", ")
                )
            }));
        }
    }
    found.extend(known.iter().map(|module| {
        format!("crates/{module}: in no import cycle any more; take it off the list in {}", file!())
    }));
    found
}

/// The crates that have modules.
fn crates() -> BTreeSet<&'static str> {
    SOURCES.iter().filter_map(|source| source.name.split('/').nth(1)).collect()
}
