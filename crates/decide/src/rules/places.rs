//! Rules for paths, found by what they spell out: thousands cost no more than those that could match.
//!
//! Everything here may find too much, never too little; the pattern itself has the last word. Keys are in
//! lower case, so that they serve file systems with and without case.

use std::collections::{BTreeMap, HashMap};

use super::Rule;
use super::paths::{Anchor, PathPattern, could_be};
use crate::glob::is_wild;
use crate::path::folded;

/// The rules for paths of one list. Positions in the list of all rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// By a name that every path they mean has in it.
    by_name: HashMap<String, Vec<usize>>,
    /// Those without such a name.
    wild: Vec<usize>,
    groups: Vec<Group>,
    /// All of them, in the order they were given.
    all: Vec<usize>,
}

/// Rules that start from the same place.
#[derive(Clone, Debug)]
struct Group {
    anchor: Anchor,
    base: Option<String>,
    /// One of them: it says where all of them start.
    first: usize,
    /// Meant where they say, by the names before the first wildcard.
    fixed: BTreeMap<String, Vec<usize>>,
    /// Meant at any depth, by their first name; the empty text holds those that do not spell it out.
    floating: BTreeMap<String, Vec<usize>>,
    all: Vec<usize>,
}

/// The texts that begin with `start`.
fn beginning<'g>(
    map: &'g BTreeMap<String, Vec<usize>>,
    start: &'g str,
) -> impl Iterator<Item = (&'g String, &'g Vec<usize>)> {
    map.range::<str, _>((std::ops::Bound::Included(start), std::ops::Bound::Unbounded))
        .take_while(move |(text, _)| text.starts_with(start))
}

impl Places {
    pub(super) fn add(&mut self, position: usize, rule: &Rule, pattern: &PathPattern) {
        self.all.push(position);
        match pattern.needed_name() {
            Some(name) => self.by_name.entry(name).or_default().push(position),
            None => self.wild.push(position),
        }
        let base = rule.origin.base.as_deref().filter(|_| pattern.anchor == Anchor::Base);
        let same = |group: &Group| group.anchor == pattern.anchor && group.base.as_deref() == base;
        let at = self.groups.iter().position(same).unwrap_or(self.groups.len());
        if at == self.groups.len() {
            self.groups.push(Group {
                anchor: pattern.anchor,
                base: base.map(str::to_owned),
                first: position,
                fixed: BTreeMap::new(),
                floating: BTreeMap::new(),
                all: Vec::new(),
            });
        }
        if let Some(group) = self.groups.get_mut(at) {
            group.add(position, pattern);
        }
    }

    pub(super) const fn all(&self) -> &Vec<usize> {
        &self.all
    }

    /// Those that could mean a path that is spelled out.
    pub(super) fn named(&self, path: &str) -> Vec<usize> {
        let mut found = self.wild.clone();
        if !self.by_name.is_empty() {
            let lower = path.to_lowercase();
            for name in lower.split('/').filter(|name| !name.is_empty()) {
                found.extend(self.by_name.get(name).into_iter().flatten());
            }
        }
        found
    }

    /// Those that could mean one of the files that the shell finds for `path`, in the order they were given.
    /// `anchors` says where the rule at a position may start from.
    pub(super) fn like<'c, A, I>(&self, path: &str, anchors: A) -> Vec<usize>
    where
        A: Fn(usize, Anchor) -> I,
        I: Iterator<Item = std::borrow::Cow<'c, str>>,
    {
        let path = folded(path);
        self.search(anchors, |group, anchor, found| group.like(&path, anchor, found))
    }

    /// Those that name a place below a folder, in the order they were given.
    pub(super) fn below<'c, A, I>(&self, folder: &str, anchors: A) -> Vec<usize>
    where
        A: Fn(usize, Anchor) -> I,
        I: Iterator<Item = std::borrow::Cow<'c, str>>,
    {
        let folder = folded(folder);
        self.search(anchors, |group, anchor, found| group.below(folder.trim_end_matches('/'), anchor, found))
    }

    fn search<'c, A, I>(&self, anchors: A, look: impl Fn(&Group, &str, &mut Vec<usize>)) -> Vec<usize>
    where
        A: Fn(usize, Anchor) -> I,
        I: Iterator<Item = std::borrow::Cow<'c, str>>,
    {
        let mut found = Vec::new();
        for group in &self.groups {
            for anchor in anchors(group.first, group.anchor) {
                look(group, folded(&anchor).trim_end_matches('/'), &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Group {
    fn add(&mut self, position: usize, pattern: &PathPattern) {
        self.all.push(position);
        let start = folded(pattern.start());
        if pattern.is_at_any_depth() {
            let name = start.split('/').next().unwrap_or_default().to_owned();
            self.floating.entry(name).or_default().push(position);
        } else {
            self.fixed.entry(start).or_default().push(position);
        }
    }

    fn like(&self, path: &str, anchor: &str, found: &mut Vec<usize>) {
        let known = path.split(is_wild).next().unwrap_or_default();
        if anchor.len() >= known.len() {
            if anchor.starts_with(known) {
                found.extend(&self.all);
            }
            return;
        }
        let Some(rest) = known.strip_prefix(anchor).filter(|rest| rest.starts_with('/')) else { return };
        // A share of another machine begins with two separators.
        let rest = rest.trim_start_matches('/');
        // The wildcard comes first: it may stand for what the rule spells out beyond.
        found.extend(beginning(&self.fixed, rest).flat_map(|(_, positions)| positions));
        // The rule's wildcard comes first: its names are those of a folder above.
        let above = rest.match_indices('/').filter_map(|(at, _)| rest.get(..at));
        let above = above.chain((!rest.is_empty()).then_some(""));
        found.extend(above.filter_map(|folder| self.fixed.get(folder)).flatten());
        found.extend(self.floating.get("").into_iter().flatten());
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let start = part.split(is_wild).next().unwrap_or_default();
            if start.len() == part.len() {
                found.extend(self.floating.get(part).into_iter().flatten());
            } else {
                let names = beginning(&self.floating, start).filter(|(name, _)| could_be(part, name));
                found.extend(names.flat_map(|(_, positions)| positions));
            }
        }
    }

    fn below(&self, folder: &str, anchor: &str, found: &mut Vec<usize>) {
        // What begins with a wildcard may mean everything.
        found.extend([&self.fixed, &self.floating].into_iter().filter_map(|map| map.get("")).flatten());
        let known = folder.split(is_wild).next().unwrap_or_default();
        if anchor.len() >= known.len() {
            if anchor.starts_with(known) {
                found.extend(self.fixed.values().chain(self.floating.values()).flatten());
            }
            return;
        }
        let Some(rest) = known.strip_prefix(anchor).and_then(|rest| rest.strip_prefix('/')) else { return };
        // Behind the names that it spells out the rule has a wildcard.
        let above = || rest.match_indices('/').filter_map(|(at, _)| rest.get(..at));
        for map in [&self.fixed, &self.floating] {
            found.extend(beginning(map, rest).flat_map(|(_, positions)| positions));
            found.extend(above().filter_map(|folder| map.get(folder)).flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::glob::Match;
    use crate::rules::{List, Origin, Rules, Source, Specifier, Target, anything_in};

    const STARTS: &[&str] = &["", "./", "/", "//", "~/", "//p/", "//p/q/"];
    const SEGMENTS: &[&str] = &["src", "s", "SRC", "q", ".env", "env", "*.rs", "a*", "e?v", "**", "*", "a[b"];
    const FOLDERS: &[&str] = &["/", "/p/", "/p/q/", "/P/", "/h/", "//host/"];
    const NAMES: &[&str] =
        &["src", "Src", "s*", "*", "*.rs", ".e*", "e?v", "[ab]*", "env", "q", ".env", "a[b"];

    fn joined(starts: &'static [&str], names: &'static [&str], most: usize) -> impl Strategy<Value = String> {
        (select(starts), proptest::collection::vec(select(names), 1..=most))
            .prop_map(|(start, names)| format!("{start}{}", names.join("/")))
    }

    /// Where rules start from in these tests: relative ones from two places, as in a call from a sub-folder.
    fn anchors(_: &Rule, anchor: Anchor) -> std::vec::IntoIter<Cow<'_, str>> {
        let all: &[&str] = match anchor {
            Anchor::Root => &["/"],
            Anchor::Home => &["/h"],
            Anchor::Base => &["/p/q"],
            Anchor::Here => &["/p", "/p/src"],
        };
        all.iter().map(|anchor| Cow::Borrowed(*anchor)).collect::<Vec<_>>().into_iter()
    }

    fn rules(texts: &[String]) -> Rules {
        let parse =
            |text: &String| Rule::parse(&format!("Read({text})"), List::Deny, Origin::of(Source::User)).0;
        Rules::new(texts.iter().map(parse).collect())
    }

    /// The rules of all for which `holds` with one of their anchors; each must be among those `found`.
    fn none_is_missed<'r>(
        rules: &'r Rules,
        found: impl Iterator<Item = &'r Rule>,
        holds: impl Fn(&PathPattern, &str) -> bool,
    ) -> Result<(), TestCaseError> {
        let found: Vec<&Rule> = found.collect();
        for rule in rules.all() {
            let Specifier::Path(pattern) = &rule.specifier else { continue };
            if anchors(rule, pattern.anchor).any(|anchor| holds(pattern, &anchor)) {
                prop_assert!(found.iter().any(|other| std::ptr::eq(*other, rule)), "{rule} is missed");
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        /// [R6] No rule is passed over that could mean a file out of a pattern.
        #[test]
        fn every_rule_that_could_mean_a_pattern_is_found(
            texts in proptest::collection::vec(joined(STARTS, SEGMENTS, 3), 1..40),
            path in joined(FOLDERS, NAMES, 4).prop_filter("has a wildcard", |path| path.contains(is_wild)),
            fold_case in any::<bool>(),
        ) {
            let rules = rules(&texts);
            let target = Target { path: &path, literal: false, glob: true, deep: false, fold_case };
            none_is_missed(&rules, rules.paths_like(List::Deny, false, &path, anchors), |pattern, anchor| {
                pattern.guards(target, anchor) != Match::No
            })?;
            none_is_missed(&rules, rules.paths(List::Deny, false, &anything_in(&path)), |pattern, anchor| {
                pattern.allows(target, anchor) == Match::Yes
            })?;
        }

        /// [R6] No rule is passed over that names a place in a folder that is searched.
        #[test]
        fn every_rule_for_a_place_below_a_folder_is_found(
            texts in proptest::collection::vec(joined(STARTS, SEGMENTS, 3), 1..40),
            folder in prop_oneof![Just("/".to_owned()), joined(FOLDERS, SEGMENTS, 3)],
            fold_case in any::<bool>(),
        ) {
            let rules = rules(&texts);
            none_is_missed(&rules, rules.paths_below(List::Deny, false, &folder, anchors), |pattern, anchor| {
                pattern.lies_below(&folder, anchor, fold_case)
            })?;
        }
    }

    /// Where a rule of a settings file starts from.
    fn own_base(rule: &Rule, _: Anchor) -> std::iter::Once<Cow<'static, str>> {
        std::iter::once(Cow::Owned(rule.origin.base.clone().unwrap_or_default()))
    }

    /// [R6] Rules of two files start from two places, and neither hides the other.
    #[test]
    fn rules_of_several_files_start_from_their_own_places() {
        let rule = |base: &str| {
            let origin = Origin { base: Some(base.to_owned()), ..Origin::of(Source::Project) };
            Rule::parse("Read(/secret/**)", List::Deny, origin).0
        };
        let rules = Rules::new(vec![rule("/p"), rule("/q")]);
        for base in ["/p", "/q"] {
            let path = format!("{base}/secret/k*");
            let like: Vec<&Rule> = rules.paths_like(List::Deny, false, &path, own_base).collect();
            assert!(like.iter().any(|rule| rule.origin.base.as_deref() == Some(base)), "{path}");
            let below: Vec<&Rule> = rules.paths_below(List::Deny, false, base, own_base).collect();
            assert!(below.iter().any(|rule| rule.origin.base.as_deref() == Some(base)), "{base}");
        }
    }

    #[test]
    fn rules_for_other_places_are_not_tried() {
        let rules = rules(
            &["//data/a/**", "//p/src/**", "./docs/x", "secret.txt", "*.pem", "main.rs"].map(str::to_owned),
        );
        let found = rules.paths_like(List::Deny, false, "/p/src/m*.rs", anchors);
        let found: Vec<String> = found.map(|rule| rule.text.clone()).collect();
        assert_eq!(found, ["Read(//p/src/**)", "Read(*.pem)", "Read(main.rs)"]);
    }
}
