//! The list of all detectors, one file for each group of ids.
//!
//! To add one: an entry in the file of its group, with examples of both sides; a test runs them. What the entry
//! cannot say by itself is found by the code beside it, which names the entry.

use std::sync::LazyLock;

use crate::detector::{Category, Certainty, Detector};

/// Declares detectors with their documentation, and the list of them.
macro_rules! detectors {
    ($($(#[doc = $doc:literal])+ $name:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        $(
            $(#[doc = $doc])+
            pub(in crate::detect) static $name: $crate::detector::Detector =
                $crate::detector::Detector { doc: concat!($($doc, "\n"),+), $($field: $value),* };
        )*

        /// All of this group, in the order of the page.
        pub(super) static LIST: &[&$crate::detector::Detector] = &[$(&$name),*];
    };
}

mod agents;
mod ci;
mod code;
mod downloads;
mod exfiltration;
mod files;
mod git;
mod infra;
mod network;
mod packages;
mod secrets;
mod services;
mod system;

pub(in crate::detect) use agents::*;
pub(in crate::detect) use ci::*;
pub(in crate::detect) use code::*;
pub(in crate::detect) use downloads::*;
pub(in crate::detect) use exfiltration::*;
pub(in crate::detect) use files::*;
pub(in crate::detect) use git::*;
pub(in crate::detect) use infra::*;
pub(in crate::detect) use network::*;
pub(in crate::detect) use packages::*;
pub(in crate::detect) use secrets::*;
pub(in crate::detect) use services::*;
pub(in crate::detect) use system::*;

/// Every group, in the order of the documentation.
static GROUPS: &[&[&Detector]] = &[
    git::LIST,
    packages::LIST,
    secrets::LIST,
    exfiltration::LIST,
    network::LIST,
    infra::LIST,
    services::LIST,
    files::LIST,
    system::LIST,
    code::LIST,
    ci::LIST,
    downloads::LIST,
    agents::LIST,
];

/// All detectors, group by group.
pub fn detectors() -> impl Iterator<Item = &'static Detector> {
    GROUPS.iter().flat_map(|group| group.iter().copied())
}

/// What stands for a detector that this version does not know: a kind of harm, as an older version wrote it down.
pub(crate) fn of_category(category: Category) -> Option<&'static Detector> {
    static ALL: LazyLock<Vec<Detector>> = LazyLock::new(|| {
        let named = |category: &Category| Detector {
            id: category.id(),
            category: *category,
            severity: category.severity(),
            certainty: Certainty::Certain,
            message: "",
            doc: "",
            hits: &[],
            passes: &[],
        };
        Category::ALL.iter().map(named).collect()
    });
    ALL.iter().find(|it| it.category == category)
}

/// The detector with this id.
#[must_use]
pub fn detector(id: &str) -> Option<&'static Detector> {
    detectors().find(|detector| detector.id == id)
}

#[cfg(test)]
mod tests;
