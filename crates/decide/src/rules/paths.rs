//! Rules for paths (SPEC R6): gitignore style, from one of four starting points.

use super::names::{Token, braces, literal, matches_name, tokens};
use crate::glob::{self, Match, Sign, is_wild};
use crate::path::{fold, folded};

/// The directory that a path pattern is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// `//p`: the root of the file system.
    Root,
    /// `~/p`: the home directory.
    Home,
    /// `/p`: the folder of the settings that contain the rule.
    Base,
    /// `p` or `./p`: the working directory.
    Here,
}

/// Stands for any name in a folder: no pattern spells it out.
const ANY_NAME: &str = "\u{1}";

/// A path pattern in the style of gitignore.
#[derive(Clone, Debug)]
pub struct PathPattern {
    /// The directory it is relative to.
    pub anchor: Anchor,
    segments: Vec<Segment>,
    /// Holds at any depth below the anchor: it is a single name, or begins with `**`.
    floating: bool,
    /// `src/**`: one folder and all it holds.
    one_folder: bool,
    /// The names before the first wildcard, with `/` between them.
    start: String,
}

#[derive(Clone, Debug)]
enum Segment {
    /// `**`: any number of folders.
    Deep,
    /// One name, with `*` and `?` inside it.
    Name(Vec<Token>),
    /// One name that can be read in several ways: as it is written, or with its braces and sets.
    OneOf(Vec<Vec<Token>>),
}

/// A path that a rule is compared with.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the path")]
pub(crate) struct Target<'a> {
    /// Absolute. `*` stands for what is not known, unless it is literal.
    pub(crate) path: &'a str,
    pub(crate) literal: bool,
    /// The unknown parts are names of existing files: no separator, no `..`.
    pub(crate) glob: bool,
    /// It lies at any depth below the folder before its last name, and may begin with a dot.
    pub(crate) deep: bool,
    pub(crate) fold_case: bool,
}

impl PathPattern {
    /// Reads a pattern. One that guards is read in every way that it can be meant.
    pub(super) fn parse(text: &str, guards: bool) -> Result<PathPattern, String> {
        if text.starts_with('!') {
            return Err("a leading `!` is not understood; write the rule for what is meant".to_owned());
        }
        let (anchor, rest) = match text {
            _ if text.starts_with("//") => (Anchor::Root, text.trim_start_matches('/')),
            _ if text == "~" || text.starts_with("~/") => (Anchor::Home, text.trim_start_matches(['~', '/'])),
            _ if text.starts_with('/') => (Anchor::Base, text.trim_start_matches('/')),
            _ => (Anchor::Here, text.trim_start_matches("./")),
        };
        if rest.split('/').any(|part| part == "..") {
            return Err("`..` in a pattern is not understood; start from `~/` or `//` instead".to_owned());
        }
        let names: Vec<&str> = rest.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let segments: Vec<Segment> = names.iter().map(|name| segment(name, guards)).collect();
        // As in gitignore, a name without a slash is meant at any depth; `./name` is not.
        let bare = anchor == Anchor::Here && names.len() == 1 && !text.starts_with("./");
        let floating = bare && !matches!(segments.as_slice(), [Segment::Deep]);
        let one_folder = anchor == Anchor::Here
            && !text.starts_with("./")
            && matches!(segments.as_slice(), [Segment::Name(_), Segment::Deep]);
        let known = segments.iter().map_while(|segment| match segment {
            Segment::Deep | Segment::OneOf(_) => None,
            Segment::Name(tokens) => literal(tokens),
        });
        let start = known.collect::<Vec<_>>().join("/");
        Ok(PathPattern { anchor, segments, floating, one_folder, start })
    }

    /// A name that every path it matches must have in it, in lower case.
    pub(crate) fn needed_name(&self) -> Option<String> {
        let names = self.segments.iter().filter_map(|segment| match segment {
            Segment::Deep | Segment::OneOf(_) => None,
            Segment::Name(tokens) => literal(tokens),
        });
        names.max_by_key(String::len).map(|name| name.to_lowercase())
    }

    /// Whether an allow rule with this pattern means the path: `src/**` is the folder at the anchor alone.
    pub(crate) fn allows(&self, target: Target<'_>, anchor: &str) -> Match {
        if !target.literal && !self.is_plausible(target, anchor, self.floating) {
            return Match::No;
        }
        compare(&self.segments, target, anchor, self.floating)
    }

    /// Whether a deny or ask rule means the path: `src/**` is such a folder at any depth.
    pub(crate) fn guards(&self, target: Target<'_>, anchor: &str) -> Match {
        if !target.literal && !target.glob {
            // Any part of it may be `..`: only where it is spelled out can more be said.
            let spelled = !target.path.contains(is_wild);
            let hit = spelled
                && matches_path(
                    &self.segments,
                    target.path,
                    anchor,
                    self.is_at_any_depth(),
                    target.fold_case,
                );
            return if hit { Match::Yes } else { Match::Unclear };
        }
        let floating = self.is_at_any_depth();
        if !target.literal && !target.deep && !self.is_plausible(target, anchor, floating) {
            return Match::No;
        }
        let found = compare(&self.segments, target, anchor, floating);
        // Whoever takes the folder as a whole takes what `folder/**` means; `**` alone means the anchor.
        let is_name = |segment: &Segment| matches!(segment, Segment::Name(_) | Segment::OneOf(_));
        let names = self.segments.iter().rposition(is_name).map_or(0, |at| at + 1);
        match self.segments.split_at_checked(names) {
            Some((folder, [_, ..])) if found != Match::Yes => {
                found.max(compare(folder, target, anchor, floating))
            }
            Some(_) | None => found,
        }
    }

    /// Whether it means all that lies below its anchor: `**`, `*`, `**/*`.
    pub(crate) fn names_everything(&self) -> bool {
        self.segments.iter().all(|segment| match segment {
            Segment::Deep => true,
            Segment::Name(tokens) => tokens.iter().all(|token| *token == Token::Many),
            Segment::OneOf(_) => false,
        })
    }

    /// Whether a deny or ask rule means it at any depth below the anchor.
    pub(super) const fn is_at_any_depth(&self) -> bool {
        self.floating || self.one_folder
    }

    /// The names before the first wildcard, with `/` between them.
    pub(crate) fn start(&self) -> &str {
        &self.start
    }

    /// Whether the pattern names a place below the folder, which may have wildcards, that a search of it would see.
    pub(crate) fn lies_below(&self, folder: &str, anchor: &str, fold_case: bool) -> bool {
        if self.names_everything() {
            return crate::path::is_within(folder, anchor) || crate::path::is_within(anchor, folder);
        }
        // Meant at any depth, so it is no place of its own. `src/**` is also the folder at the anchor.
        if self.floating || matches!(self.segments.first(), Some(Segment::Deep)) {
            return false;
        }
        let names = |path: &str| -> Vec<String> {
            let plain = path.split('/').filter(|name| !name.is_empty());
            plain.map(|name| if fold_case { folded(name) } else { name.to_owned() }).collect()
        };
        let (folder, anchor) = (names(folder), names(anchor));
        if !folder.iter().zip(&anchor).all(|(part, name)| could_be(part, name)) {
            return false;
        }
        match folder.get(anchor.len()..).filter(|inner| !inner.is_empty()) {
            Some(inner) => leads_below(&self.segments, inner, fold_case),
            None => {
                !matches!(self.segments.first(), Some(Segment::Name(tokens)) if literal(tokens).is_none())
            }
        }
    }

    /// A quick look, so that many rules cost little: whether the known parts leave room for a match.
    fn is_plausible(&self, target: Target<'_>, anchor: &str, floating: bool) -> bool {
        if target.fold_case {
            let target = Target { path: &folded(target.path), ..target };
            return leaves_room(&folded(&self.start), target, &folded(anchor), floating);
        }
        leaves_room(&self.start, target, anchor, floating)
    }
}

/// Whether the names, which may have wildcards, can be those of a folder above what the segments mean.
fn leads_below(segments: &[Segment], names: &[String], fold_case: bool) -> bool {
    let mut reached: Vec<bool> = segments.iter().enumerate().map(|(at, _)| at == 0).collect();
    for name in names {
        let mut next = vec![false; segments.len()];
        for (at, segment) in segments.iter().enumerate() {
            if reached.get(at) != Some(&true) {
                continue;
            }
            match segment {
                Segment::Deep => {
                    set(&mut next, at);
                    // It stands for no folder as well.
                    set(&mut reached, at + 1);
                }
                Segment::Name(tokens) if !could_name(tokens, name, fold_case) => {}
                Segment::Name(_) | Segment::OneOf(_) => set(&mut next, at + 1),
            }
        }
        reached = next;
    }
    reached.into_iter().any(|here| here)
}

fn set(reached: &mut [bool], at: usize) {
    if let Some(slot) = reached.get_mut(at) {
        *slot = true;
    }
}

/// Whether a name of a rule and a name with wildcards could be the same.
fn could_name(tokens: &[Token], name: &str, fold_case: bool) -> bool {
    let wanted: Vec<Sign> = tokens
        .iter()
        .map(|token| match token {
            Token::Char(it) if fold_case => Sign::Char(fold(*it)),
            Token::Char(it) => Sign::Char(*it),
            Token::One | Token::Many | Token::Set(..) => Sign::Any,
        })
        .collect();
    let name: Vec<Sign> =
        name.chars().map(|it| if is_wild(it) { Sign::Any } else { Sign::Char(it) }).collect();
    glob::matches(&wanted, &name) != Match::No
}

/// Whether what is known of the path, and the names that the pattern starts with, could belong together.
fn leaves_room(start: &str, target: Target<'_>, anchor: &str, floating: bool) -> bool {
    let known = target.path.split(is_wild).next().unwrap_or_default();
    let anchor = anchor.trim_end_matches('/');
    if anchor.len() >= known.len() {
        return anchor.starts_with(known);
    }
    let Some(rest) = known.strip_prefix(anchor).filter(|rest| rest.starts_with('/')) else { return false };
    // A share of another machine begins with two separators.
    let rest = rest.trim_start_matches('/');
    if !floating {
        return rest.starts_with(start) || start.starts_with(rest);
    }
    // A single name: one of the path's names, or one that a name with a wildcard can stand for.
    let name = start.split('/').next().unwrap_or_default();
    name.is_empty() || !target.glob || target.path.split('/').any(|part| could_be(part, name))
}

fn compare(segments: &[Segment], target: Target<'_>, anchor: &str, floating: bool) -> Match {
    if target.literal {
        return Match::from_known(matches_path(segments, target.path, anchor, floating, target.fold_case));
    }
    // What lies in a folder that matches, matches; only an unknown `..` could lead out of it.
    if matches_path(segments, &anything_in(target.path), anchor, floating, target.fold_case) {
        return if target.glob { Match::Yes } else { Match::Unclear };
    }
    if could_match(segments, target, anchor, floating) { Match::Unclear } else { Match::No }
}

/// Any file in the folder that is known of a path with wildcards.
pub(crate) fn anything_in(path: &str) -> String {
    let known = path.split(is_wild).next().unwrap_or_default();
    let folder = known.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{ANY_NAME}")
}

fn matches_path(segments: &[Segment], path: &str, anchor: &str, floating: bool, fold_case: bool) -> bool {
    let Some(rest) = below(path, anchor, fold_case) else { return false };
    let names: Vec<&str> = rest.split('/').filter(|name| !name.is_empty()).collect();
    let starts = if floating { names.len() } else { 0 };
    (0..=starts).any(|start| matches_names(segments, names.get(start..).unwrap_or_default(), fold_case))
}

/// Generous: every wildcard may cross folders.
fn could_match(segments: &[Segment], target: Target<'_>, anchor: &str, floating: bool) -> bool {
    if target.glob && !target.deep && is_hidden_name(segments) && hides_no_dot(target.path) {
        // The shell's `*` does not stand for a leading dot.
        return false;
    }
    // A pattern of file names stays in its folder; `**` may not.
    if target.glob && !target.deep && !target.path.contains("**") {
        return could_match_names(segments, target, anchor, floating);
    }
    let mut pattern: Vec<Sign> = anchor.trim_end_matches('/').chars().map(Sign::Char).collect();
    if floating {
        pattern.extend([Sign::Char('/'), Sign::Any]);
    }
    for segment in segments {
        pattern.push(Sign::Char('/'));
        match segment {
            Segment::Deep | Segment::OneOf(_) => pattern.push(Sign::Any),
            Segment::Name(tokens) => pattern.extend(tokens.iter().map(|token| match token {
                Token::Char(character) => Sign::Char(*character),
                Token::One | Token::Many | Token::Set(..) => Sign::Any,
            })),
        }
    }
    let fold = |sign: Sign| match sign {
        Sign::Char(character) if target.fold_case => Sign::Char(fold(character)),
        sign @ (Sign::Char(_) | Sign::Gap | Sign::Any) => sign,
    };
    let pattern: Vec<Sign> = pattern.into_iter().map(fold).collect();
    let path: Vec<Sign> = path_signs(target).into_iter().map(fold).collect();
    let mut inside = pattern.clone();
    inside.extend([Sign::Char('/'), Sign::Any]);
    glob::matches(&pattern, &path) != Match::No
        || (!(target.deep && is_file_name(segments)) && glob::matches(&inside, &path) != Match::No)
}

/// The path with its wildcards; what a search finds may lie in any folder below.
fn path_signs(target: Target<'_>) -> Vec<Sign> {
    let sign = |it: char| if is_wild(it) { Sign::Any } else { Sign::Char(it) };
    let mut path: Vec<Sign> = target.path.chars().map(sign).collect();
    if let Some(at) = path.iter().rposition(|sign| *sign == Sign::Char('/')).filter(|_| target.deep) {
        path.insert(at, Sign::Any);
    }
    path
}

/// Whether the last name of a rule is that of a file, by its ending: a search finds nothing below it.
fn is_file_name(segments: &[Segment]) -> bool {
    let Some(Segment::Name(tokens)) = segments.last() else { return false };
    let inner = tokens.iter().skip(1).any(|token| *token == Token::Char('.'));
    inner || literal(tokens).as_deref() == Some(".env")
}

/// Name by name: whether the rule could mean one of the files that a pattern of names stands for, or a folder
/// that holds them.
fn could_match_names(segments: &[Segment], target: Target<'_>, anchor: &str, floating: bool) -> bool {
    let parts = |path: &'_ str| -> Vec<String> {
        let plain = path.split('/').filter(|part| !part.is_empty());
        plain.map(|part| if target.fold_case { folded(part) } else { part.to_owned() }).collect()
    };
    let (path, anchor) = (parts(target.path), parts(anchor));
    let signs = |part: &str| -> Vec<Sign> {
        part.chars().map(|it| if is_wild(it) { Sign::Any } else { Sign::Char(it) }).collect()
    };
    let literal = |part: &str| -> Vec<Sign> { part.chars().map(Sign::Char).collect() };
    let anchored = path.len() >= anchor.len()
        && anchor
            .iter()
            .zip(&path)
            .all(|(wanted, part)| glob::matches(&literal(wanted), &signs(part)) != Match::No);
    if !anchored {
        return false;
    }
    let rest: Vec<&String> = path.iter().skip(anchor.len()).collect();
    // At which parts of the path the rule can have arrived.
    let mut reached: Vec<bool> = (0..=rest.len()).map(|at| at == 0 || floating).collect();
    for segment in segments {
        let mut next = vec![false; rest.len() + 1];
        match segment {
            Segment::Deep => {
                let mut open = false;
                for (now, next) in reached.iter().zip(&mut next) {
                    open |= *now;
                    *next = open;
                }
            }
            Segment::OneOf(_) => {
                for (now, next) in reached.iter().zip(next.iter_mut().skip(1)) {
                    *next = *now;
                }
            }
            Segment::Name(tokens) => {
                for ((now, part), next) in reached.iter().zip(&rest).zip(next.iter_mut().skip(1)) {
                    *next = *now && could_name(tokens, part, target.fold_case);
                }
            }
        }
        reached = next;
    }
    reached.into_iter().any(|here| here)
}

fn is_hidden_name(segments: &[Segment]) -> bool {
    match segments.last() {
        Some(Segment::Name(tokens)) => tokens.first() == Some(&Token::Char('.')),
        Some(Segment::Deep | Segment::OneOf(_)) | None => false,
    }
}

/// Whether a name of a path, which may have wildcards, could be `name`, by its beginning and end.
pub(super) fn could_be(part: &str, name: &str) -> bool {
    let Some(first) = part.find(is_wild) else { return part == name };
    let after =
        part.rfind(|character: char| is_wild(character) || character == ']').map_or(part.len(), |at| at + 1);
    let (start, end) = (part.get(..first).unwrap_or_default(), part.get(after..).unwrap_or_default());
    name.starts_with(start) && name.ends_with(end)
}

/// Whether the last name of the path begins with a wildcard and nothing in it is a dot file.
fn hides_no_dot(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with('*')) && !path.contains("/.")
}

/// What of `path` lies below `anchor`.
fn below<'p>(path: &'p str, anchor: &str, fold_case: bool) -> Option<&'p str> {
    let anchor = anchor.trim_end_matches('/');
    let start = path.get(..anchor.len())?;
    let same = if fold_case { start.eq_ignore_ascii_case(anchor) } else { start == anchor };
    let rest = path.get(anchor.len()..).filter(|_| same)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

fn segment(name: &str, guards: bool) -> Segment {
    if name == "**" {
        return Segment::Deep;
    }
    let plain = tokens(name, false);
    if !guards || !name.contains(['[', '{']) {
        return Segment::Name(plain);
    }
    let mut readings: Vec<Vec<Token>> = vec![plain];
    for spelled in braces(name) {
        let reading = tokens(&spelled, true);
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    match readings.as_slice() {
        [one] => Segment::Name(one.clone()),
        _ => Segment::OneOf(readings),
    }
}

/// Whether the pattern matches these names, or a folder above them. The work is at most the product of the
/// lengths, however many `**` there are.
fn matches_names(pattern: &[Segment], names: &[&str], fold_case: bool) -> bool {
    let end = pattern.len();
    // reach[p]: the first p segments stand for the names so far.
    let mut reach = vec![false; end + 1];
    let skip_deep = |reach: &mut Vec<bool>| {
        for (p, segment) in pattern.iter().enumerate() {
            // `**` may stand for no folder, but `src/**` is not `src` itself.
            if matches!(segment, Segment::Deep) && p + 1 < end && reach.get(p) == Some(&true) {
                reach_to(reach, p + 1);
            }
        }
    };
    reach_to(&mut reach, 0);
    skip_deep(&mut reach);
    for name in names {
        // A folder that matches covers what it holds.
        if reach.last() == Some(&true) {
            return true;
        }
        let mut next = vec![false; end + 1];
        for (p, segment) in pattern.iter().enumerate().filter(|(p, _)| reach.get(*p) == Some(&true)) {
            match segment {
                Segment::Deep => {
                    reach_to(&mut next, p);
                    reach_to(&mut next, p + 1);
                }
                Segment::Name(tokens) if matches_name(tokens, name, fold_case) => reach_to(&mut next, p + 1),
                Segment::OneOf(readings)
                    if readings.iter().any(|tokens| matches_name(tokens, name, fold_case)) =>
                {
                    reach_to(&mut next, p + 1);
                }
                Segment::Name(_) | Segment::OneOf(_) => {}
            }
        }
        skip_deep(&mut next);
        reach = next;
    }
    reach.last() == Some(&true)
}

fn reach_to(reach: &mut [bool], at: usize) {
    if let Some(slot) = reach.get_mut(at) {
        *slot = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(pattern: &str, path: &str) -> bool {
        let target = Target { path, literal: true, glob: false, deep: false, fold_case: false };
        PathPattern::parse(pattern, false).expect("a pattern").allows(target, "/p") == Match::Yes
    }

    fn guards(pattern: &str, path: &str) -> bool {
        let target = Target { path, literal: true, glob: false, deep: false, fold_case: false };
        PathPattern::parse(pattern, true).expect("a pattern").guards(target, "/p") == Match::Yes
    }

    /// [R6]
    #[test]
    fn patterns_are_read_as_in_gitignore() {
        assert!(allows("src/**", "/p/src/a/b"));
        assert!(!allows("src/**", "/p/nested/src/a"));
        assert!(guards("src/**", "/p/nested/src/a"));
        assert!(guards(".env", "/p/a/.env"));
        assert!(!guards("./.env", "/p/a/.env"));
        assert!(!guards(".env", "/p/src/environment.rs"));
        assert!(guards("secrets/", "/p/secrets"));
        assert!(guards("secrets/", "/p/secrets/a"));
        assert!(guards("**/*.pem", "/p/a/b/x.pem"));
        assert!(guards("**/*.pem", "/p/x.pem"));
        assert!(guards("src/**", "/p/src"));
        assert!(!allows("src/**", "/p/src"));
        assert!(!guards("*.pem", "/q/x.pem"));
        assert!(allows("**", "/p/x"));
        assert!(!allows("**", "/q/x"));
        assert!(!allows("**", "/p"));
        assert!(allows("a/*.rs", "/p/a/b.rs"));
        assert!(!allows("a/*.rs", "/p/a/c/b.rs"));
        assert!(allows("a?c", "/p/abc"));
    }

    #[test]
    fn an_unknown_part_is_unclear_where_it_could_match() {
        let check = |pattern: &str, path: &str, glob: bool| {
            let target = Target { path, literal: false, glob, deep: false, fold_case: false };
            PathPattern::parse(pattern, true).expect("a pattern").guards(target, "/p")
        };
        assert_eq!(check("secrets/**", "/p/secrets/*", true), Match::Yes);
        assert_eq!(check("secrets/**", "/p/secrets/*", false), Match::Unclear);
        assert_eq!(check("secrets/**", "/p/*", false), Match::Unclear);
        assert_eq!(check("./secrets/**", "/p/src/*", true), Match::No);
        assert_eq!(check(".env", "/p/*", true), Match::No);
        assert_eq!(check("*.pem", "/p/*", true), Match::Unclear);
    }
}
