//! Where a path leads: by links, by `..` behind a link, and by names that every system of a kind has for one
//! place.

use super::path_use::{Access, PathUse};
use crate::context::Context;
use crate::path::forms;

/// Where `..` makes a path lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// To where its text says.
    AsWritten,
    /// Elsewhere: a link stands before the `..`.
    To(String),
    /// That cannot be told.
    Unknown,
}

/// Where the `..` in a path make it lead.
pub(crate) fn way(path: &PathUse, context: &Context) -> Way {
    let mut found = Way::AsWritten;
    for climb in &path.through {
        if !path.literal && climb.place.contains(['*', '?', '[']) {
            return Way::Unknown;
        }
        let Some(fact) = context.facts.path(&climb.place) else { return Way::Unknown };
        if fact.resolved == climb.place {
            continue;
        }
        let beyond = climb.rest.trim_start_matches("../");
        if beyond.split('/').any(|part| part == "..") && beyond != ".." {
            // Another name stands before another `..`, and may be a link as well.
            return Way::Unknown;
        }
        let to = Way::To(context.absolute(&climb.rest, &fact.resolved));
        if found != Way::AsWritten && found != to {
            return Way::Unknown;
        }
        found = to;
    }
    found
}

/// The names of a path, and whether it may have others.
pub(crate) struct Names {
    pub(crate) all: Vec<String>,
    pub(crate) open: bool,
}

/// Every name that the path is known by: as it is spelled, where its links lead, and where `..` behind a link
/// does.
pub(crate) fn names(path: &PathUse, context: &Context) -> Names {
    let mut names = Names { all: vec![path.path.clone()], open: false };
    if path.literal {
        match context.facts.path(&path.path) {
            Some(fact) => names.add(fact.resolved),
            None => names.open = true,
        }
    } else if path.glob {
        let folder = folder_of(&path.path);
        let rest = path.path.get(folder.trim_end_matches('/').len()..).unwrap_or_default();
        match context.facts.path(folder) {
            Some(fact) => names.add(format!("{}{rest}", fact.resolved.trim_end_matches('/'))),
            None => names.open = true,
        }
    }
    match way(path, context) {
        Way::AsWritten => {}
        Way::To(place) => {
            names.add(place);
            // Whether that is a link again was not asked.
            names.open = true;
        }
        Way::Unknown => names.open = true,
    }
    path.also.iter().for_each(|name| names.add(name.clone()));
    let root = context.as_absolute(context.root());
    for name in names.all.clone() {
        if let Some(short) = without_private(&name) {
            names.add(short.to_owned());
        }
        // Some file systems take composed and decomposed letters for one.
        for form in forms(&name, &root) {
            names.add(form);
        }
    }
    names
}

impl Names {
    fn add(&mut self, name: String) {
        if !self.all.contains(&name) {
            self.all.push(name);
        }
    }
}

/// The folder that is known of a path with wildcards.
pub(crate) fn folder_of(path: &str) -> &str {
    let known = path.split(['*', '?', '[']).next().unwrap_or_default();
    known.rsplit_once('/').map_or("/", |(folder, _)| if folder.is_empty() { "/" } else { folder })
}

/// On a Mac `/etc`, `/tmp` and `/var` are links into `/private`: rules and checks name the short one.
pub(crate) fn without_private(path: &str) -> Option<&str> {
    let short = path.strip_prefix("/private").filter(|rest| rest.starts_with('/'))?;
    ["/etc", "/tmp", "/var"].iter().any(|folder| crate::path::is_within(short, folder)).then_some(short)
}

/// Whether the path is changed and where it leads cannot be told.
pub(crate) fn is_changed_in_the_dark(path: &PathUse, context: &Context) -> bool {
    path.access != Access::Read && (path.literal || path.glob) && way(path, context) == Way::Unknown
}
