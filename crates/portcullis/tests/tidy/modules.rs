//! Which modules of a crate name which, and what its root gives to other crates.
//!
//! A module depends on another one if its code outside tests has a `use` or a path that leads there. A name that
//! another module only re-exports leads to where it is defined. `scripts/measures` counts in the same way.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, file_modules, words};
use super::tree::SOURCES;

/// What makes the next word the name of an item.
const ITEMS: &[&str] =
    &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules", "mut"];

/// How many re-exports are followed.
const MOST_STEPS: usize = 8;

/// The path of a module below the crate's root.
type Path = Vec<&'static str>;

/// Which modules of a folder need which others.
type Needs = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// A name that a module brings in.
struct Import {
    path: Path,
    name: &'static str,
    public: bool,
}

struct Module {
    source: &'static Source,
    imports: Vec<Import>,
    items: BTreeSet<&'static str>,
}

/// A crate with its modules.
pub(crate) struct Crate {
    modules: BTreeMap<Path, Module>,
}

impl Crate {
    /// The crate in this folder of `crates/`.
    pub(crate) fn read(name: &str) -> Crate {
        let mut modules = BTreeMap::new();
        let folder = format!("crates/{name}/src");
        let root = ["lib.rs", "main.rs"].iter().find_map(|file| source(&format!("{folder}/{file}")));
        add(root.expect("a crate has a root"), &folder, Vec::new(), &mut modules);
        Crate { modules }
    }

    /// Groups of modules that need each other, with the folder below `src` that they are in.
    pub(crate) fn cycles(&self) -> Vec<(String, BTreeSet<&'static str>)> {
        let mut folders: BTreeMap<Path, Needs> = BTreeMap::new();
        for (from, to) in self.edges() {
            let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
                let folder = from.get(..shared).unwrap_or_default().to_vec();
                folders.entry(folder).or_default().entry(one).or_default().insert(other);
            }
        }
        let mut found = Vec::new();
        for (folder, needs) in &folders {
            let mut grouped = BTreeSet::new();
            for module in needs.keys() {
                let group: BTreeSet<&str> = reached(needs, module)
                    .into_iter()
                    .filter(|other| reached(needs, other).contains(module))
                    .collect();
                if !group.is_empty() && grouped.insert(group.clone()) {
                    found.push((folder.join("/"), group));
                }
            }
        }
        found
    }

    /// The names that the crate's root gives to other crates; a public module counts as one.
    pub(crate) fn exported(&self) -> BTreeSet<&'static str> {
        let Some(root) = self.modules.get(&Vec::new()) else { return BTreeSet::new() };
        let declared = root.source.code.lines().filter_map(|line| line.strip_prefix("pub "));
        let declared = declared.filter(|line| !line.starts_with("use ")).filter_map(|line| {
            line.split([' ', '(', '<', ':', ';', '{'])
                .find(|word| !["const", "async"].contains(word))
                .and_then(|keyword| {
                    let rest = line.split_once(keyword)?.1;
                    rest.split(|char: char| !char.is_alphanumeric() && char != '_')
                        .find(|word| !word.is_empty())
                })
        });
        root.imports.iter().filter(|import| import.public).map(|import| import.name).chain(declared).collect()
    }

    /// Each module with one that it depends on.
    fn edges(&self) -> BTreeSet<(Path, Path)> {
        let mut found = BTreeSet::new();
        for (at, module) in &self.modules {
            let imported = module.imports.iter().filter(|import| {
                // Re-exporting what is below is no use of it.
                !(import.public && self.resolve(at, &import.path, 0).is_some_and(|to| to.starts_with(at)))
            });
            let imported = imported.map(|import| import.path.clone());
            for path in imported.chain(paths(&module.source.code)) {
                if let Some(to) = self.resolve(at, &path, 0)
                    && to != *at
                {
                    found.insert((at.clone(), to));
                }
            }
        }
        found
    }

    /// The module that a path leads to; nothing if it leads out of the crate.
    fn resolve(&self, from: &[&'static str], path: &[&'static str], steps: usize) -> Option<Path> {
        let mut at = from.to_vec();
        let mut rest = path;
        match rest.first()? {
            &"crate" => at.clear(),
            &("self" | "super") => {}
            child if self.modules.contains_key(&below(&at, child)) => {}
            _ => return None,
        }
        while let Some((first @ ("crate" | "self" | "super"), after)) =
            rest.split_first().map(|(one, all)| (*one, all))
        {
            if first == "super" {
                at.pop();
            }
            rest = after;
        }
        while let Some((child, after)) = rest.split_first()
            && self.modules.contains_key(&below(&at, child))
        {
            at.push(child);
            rest = after;
        }
        let defined =
            |name: &&str| *name == "*" || self.modules.get(&at).is_some_and(|it| it.items.contains(name));
        if rest.first().is_none_or(defined) || steps == MOST_STEPS {
            return Some(at);
        }
        Some(self.through(&at, rest, steps + 1).unwrap_or(at))
    }

    /// The module that a name comes from which is not defined here.
    fn through(&self, at: &[&'static str], rest: &[&'static str], steps: usize) -> Option<Path> {
        let imports = &self.modules.get(at)?.imports;
        let (name, after) = rest.split_first()?;
        if let Some(import) = imports.iter().find(|import| import.name == *name) {
            let path: Path = import.path.iter().chain(after).copied().collect();
            return self.resolve(at, &path, steps);
        }
        imports.iter().filter(|import| import.name == "*").find_map(|import| {
            let to = self.resolve(at, &import.path, steps)?;
            let code = &self.modules.get(&to)?.source.code;
            let path: Path = ["self"].into_iter().chain(rest.iter().copied()).collect();
            words(code).iter().any(|(_, word)| word == name).then(|| self.resolve(&to, &path, steps))?
        })
    }
}

fn source(name: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.name == name)
}

fn add(source_file: &'static Source, folder: &str, at: Path, modules: &mut BTreeMap<Path, Module>) {
    for child in file_modules(&source_file.code) {
        let files = [format!("{folder}/{child}.rs"), format!("{folder}/{child}/mod.rs")];
        if let Some(file) = files.iter().find_map(|file| source(file)) {
            add(file, &format!("{folder}/{child}"), below(&at, child), modules);
        }
    }
    let words = words(&source_file.code);
    let items = words.windows(2).filter_map(|pair| match pair {
        [(_, keyword), (_, name)] if ITEMS.contains(keyword) => Some(*name),
        _ => None,
    });
    let module = Module { source: source_file, imports: imports(&source_file.code), items: items.collect() };
    modules.insert(at, module);
}

fn below(module: &[&'static str], child: &'static str) -> Path {
    module.iter().copied().chain([child]).collect()
}

/// Every `use` with its place: where it begins, and its tree.
fn uses(code: &'static str) -> Vec<(usize, &'static str)> {
    let found = words(code).into_iter().filter(|(_, word)| *word == "use");
    let found = found.filter_map(|(at, _)| Some((at, code.get(at + 4..)?.split_once(';')?.0)));
    found.collect()
}

fn imports(code: &'static str) -> Vec<Import> {
    let mut found = Vec::new();
    for (at, tree) in uses(code) {
        let before = code.get(..at).unwrap_or_default().lines().next_back().unwrap_or_default();
        let public = before.trim_start().starts_with("pub");
        leaves(tree, &[], &mut |path, name| found.push(Import { path, name, public }));
    }
    found
}

/// Every path of the tree of a `use`, with the name that it gets.
fn leaves(tree: &'static str, prefix: &[&'static str], found: &mut impl FnMut(Path, &'static str)) {
    let parts = |path: &'static str| path.split("::").map(str::trim).filter(|part| !part.is_empty());
    if let Some((path, inner)) = tree.split_once('{') {
        let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
        let prefix: Path = prefix.iter().copied().chain(parts(path)).collect();
        let (mut depth, mut start) = (0_usize, 0);
        for (at, char) in inner.char_indices().chain([(inner.len(), ',')]) {
            match char {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    let part = inner.get(start..at).unwrap_or_default();
                    if !part.trim().is_empty() {
                        leaves(part, &prefix, found);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim())));
    let mut path: Path = prefix.iter().copied().chain(parts(path)).collect();
    path.pop_if(|last| *last == "self");
    if let Some(last) = path.last().copied() {
        found(path, name.unwrap_or(last));
    }
}

/// Every path in the code outside of `use`.
fn paths(code: &'static str) -> Vec<Path> {
    let mut used = uses(code).into_iter().map(|(at, tree)| at..at + 4 + tree.len()).peekable();
    let mut found = Vec::new();
    let mut path: Path = Vec::new();
    let mut end = 0;
    for (at, word) in words(code) {
        while used.next_if(|range| range.end < at).is_some() {}
        let between = code.get(end..at).unwrap_or_default();
        if between == "::" && !path.is_empty() {
            path.push(word);
        } else {
            found.push(std::mem::take(&mut path));
            let skipped =
                used.peek().is_some_and(|range| range.contains(&at)) || between.ends_with([':', '$']);
            // A path that follows `>::` or `$crate` has lost its beginning; `name: path` has not.
            if !skipped || (between.ends_with(": ") && !between.ends_with("::")) {
                path.push(word);
            }
        }
        end = at + word.len();
    }
    found.push(path);
    found.retain(|path| path.len() > 1);
    found
}

fn reached(needs: &Needs, from: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = needs.get(from).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(needs.get(next).into_iter().flatten());
        }
    }
    found
}
