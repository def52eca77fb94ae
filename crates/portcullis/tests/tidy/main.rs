//! Rules of the repository as tests: sizes, what crates export, import cycles, links, ids and words.
//!
//! Each failure says where, what, and what to do about it. Lists and numbers of what is not yet as it should be only
//! ever shrink. Rules about the shell crate alone are in its own tests.
#![expect(clippy::unwrap_used, reason = "a repository that cannot be read must stop the run")]
#![expect(clippy::expect_used, reason = "a repository that cannot be read must stop the run")]

mod cycles;
mod markdown;
mod modules;
mod paths;
mod source;
mod tree;
mod words;

use std::collections::BTreeSet;
use std::path::{Component, Path};

use modules::Crate;
use source::Function;
use tree::{FILES, SOURCES, TextFile, exists, pages, shipped};

/// Files may have this many lines of code: neither blank, nor comment, nor test.
const MOST_LINES: usize = 400;

/// Functions may have this many lines of code between their braces, as clippy counts them.
const MOST_FUNCTION_LINES: usize = 60;

/// How many names a crate may export; a public module counts as one. Lower the number with every name that goes; the
/// goal is 25 each.
const MOST_EXPORTED: &[(&str, usize)] = &[("decide", 27), ("gate", 26)];

/// Flat tables, which may be longer because they hold no code.
const TABLES: &[&str] = &[
    "crates/shell/src/programs/builds.rs",
    "crates/shell/src/programs/cloud.rs",
    "crates/shell/src/programs/containers.rs",
    "crates/shell/src/programs/coreutils.rs",
    "crates/shell/src/programs/git_changes.rs",
    "crates/shell/src/programs/git_reads.rs",
    "crates/shell/src/programs/interfaces.rs",
    "crates/shell/src/programs/kubernetes.rs",
    "crates/shell/src/programs/languages.rs",
    "crates/shell/src/programs/macos.rs",
    "crates/shell/src/programs/platforms.rs",
];

/// Fails with everything that was found.
fn nothing(found: &[String]) {
    assert!(found.is_empty(), "{} found:\n{}\n", found.len(), found.join("\n"));
}

#[test]
fn only_flat_tables_are_long() {
    let mut found = Vec::new();
    for source in shipped() {
        let (name, lines) = (&source.name, source.lines_of_code());
        if TABLES.contains(&name.as_str()) {
            found.extend(source.functions().map(|it| {
                format!("{name}:{}: a table holds `fn {}`; move it into a file of its own", it.line, it.name)
            }));
            if lines <= MOST_LINES {
                found.push(format!("{name}:1: a table of {lines} lines; take it off the list `TABLES`"));
            }
        } else if lines > MOST_LINES {
            found.push(format!("{name}:1: {lines} lines of code; split the file, {MOST_LINES} is the limit"));
        }
    }
    let gone = TABLES.iter().filter(|table| !exists(table));
    found.extend(gone.map(|table| format!("{table}: is not there; take it off the list `TABLES`")));
    nothing(&found);
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    for source in shipped() {
        let long = source.functions().filter(|it| it.length > MOST_FUNCTION_LINES);
        found.extend(long.map(|Function { name, line, length }| {
            format!(
                "{}:{line}: `{name}` has {length} lines; split it, {MOST_FUNCTION_LINES} is the limit",
                source.name
            )
        }));
    }
    nothing(&found);
}

#[test]
fn crates_do_not_export_more_names() {
    let mut found = Vec::new();
    for (name, most) in MOST_EXPORTED {
        let exported = Crate::read(name).exported();
        assert!(exported.len() > 10, "the root of `{name}` is read: {exported:?}");
        if exported.len() > *most {
            let shown: Vec<&str> = exported.iter().copied().collect();
            found.push(format!(
                "crates/{name}/src/lib.rs:1: exports {} names instead of at most {most}; do without one, or put it \
                 behind a type that is exported: {}",
                exported.len(),
                shown.join(", ")
            ));
        }
    }
    nothing(&found);
}

#[test]
fn import_cycles_only_go() {
    nothing(&cycles::changes());
}

#[test]
fn every_page_of_the_documentation_is_linked() {
    let mut linked = BTreeSet::new();
    for page in pages() {
        let links = markdown::links(&page.text).into_iter().map(|(_, to)| target(page, &to).0);
        linked.extend(links.filter(|to| *to != page.name));
    }
    let orphans = pages().filter(|page| page.is_in(&["spec", "docs"]) && !page.is_in(&["docs/decisions"]));
    let orphans = orphans.filter(|page| !linked.contains(&page.name));
    let found = orphans.map(|page| {
        let list = if page.is_in(&["spec"]) { "spec/README.md" } else { "docs/README.md" };
        format!("{}:1: no page links here; add it to {list}, or delete it", page.name)
    });
    nothing(&found.collect::<Vec<_>>());
}

#[test]
fn links_lead_somewhere() {
    let mut found = Vec::new();
    for page in pages() {
        for (line, to) in markdown::links(&page.text) {
            if to.contains("://") || to.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target(page, &to);
            let known = FILES.iter().find(|it| it.name == file);
            if !exists(&file) {
                found.push(format!(
                    "{}:{line}: link to `{to}`, which is not there; name the right page",
                    page.name
                ));
            } else if let (Some(anchor), Some(known)) = (anchor, known) {
                let anchors = markdown::anchors(&known.text);
                if known.is("md") && !anchors.contains(&anchor) {
                    found.push(format!(
                        "{}:{line}: link to `{to}`, but {file} has no such heading; it has: {}",
                        page.name,
                        anchors.join(", ")
                    ));
                }
            }
        }
    }
    nothing(&found);
}

/// The file that a link of a page leads to, by its path from the root, and the heading there.
fn target(page: &TextFile, link: &str) -> (String, Option<String>) {
    let (file, anchor) =
        link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor.to_owned())));
    if file.is_empty() {
        return (page.name.clone(), anchor);
    }
    let mut parts: Vec<&str> = page.name.split('/').collect();
    parts.pop();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(name) => parts.extend(name.to_str()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    (parts.join("/"), anchor)
}

#[test]
fn ids_of_the_contract_have_an_entry() {
    let contract = FILES.iter().find(|file| file.name == "spec/contract.md").expect("the contract is a page");
    let entries: BTreeSet<&str> = contract
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("**")?.split_once("**"))
        .map(|(id, _)| id)
        .collect();
    assert!(entries.len() > 50, "the entries are read: {entries:?}");
    let mut found = Vec::new();
    for file in FILES
        .iter()
        .filter(|file| file.is_in(&["spec", "docs", "crates"]) && (file.is("rs") || file.is("md")))
    {
        for (number, line) in (1..).zip(file.text.lines()) {
            let unknown = ids(line).into_iter().filter(|id| !entries.contains(id));
            found.extend(unknown.map(|id| {
                format!(
                    "{}:{number}: `{id}` has no entry; add it to spec/contract.md, or name the right one",
                    file.name
                )
            }));
        }
    }
    nothing(&found);
}

/// The ids that a line names: `[F7]`, `[R4, R5]`, `SPEC F7`.
fn ids(line: &str) -> Vec<&str> {
    let is_id = |word: &&str| {
        let mut chars = word.chars();
        chars.next().is_some_and(|first| first.is_ascii_uppercase())
            && chars.next().is_some_and(|digit| digit.is_ascii_digit())
            && chars.all(|char| char.is_ascii_digit() || matches!(char, 'a'..='d'))
    };
    let brackets = line.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
    let brackets = brackets.filter(|inside| inside.split(", ").all(|word| is_id(&word)));
    let named = line.split("SPEC ").skip(1).filter_map(|rest| rest.split([')', '.', ';', ':']).next());
    brackets.chain(named).flat_map(|inside| inside.split(", ")).filter(is_id).collect()
}

#[test]
fn detectors_that_are_named_exist() {
    let known: BTreeSet<&str> = portcullis_decide::detect::detectors().map(|detector| detector.id).collect();
    let groups: BTreeSet<&str> =
        known.iter().filter_map(|id| id.split_once('/')).map(|(group, _)| group).collect();
    let is_id = |word: &str| {
        word.split_once('/').is_some_and(|(group, name)| {
            groups.contains(group)
                && !name.is_empty()
                && name.chars().all(|char| char.is_ascii_lowercase() || char == '-')
        })
    };
    let mut found = Vec::new();
    for page in pages() {
        let headings = page.is_in(&["spec/detectors", "tests/regressions"]);
        let root = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].contains(&page.name.as_str());
        if !headings && !root && !page.is_in(&["spec", "docs"]) {
            continue;
        }
        let mut named = markdown::code_spans(&page.text);
        for (number, line) in (1..).zip(page.text.lines()) {
            named.extend(line.split('"').skip(1).step_by(2).map(|key| (number, key)));
            named.extend(line.strip_prefix("## ").filter(|_| headings).map(|heading| (number, heading)));
        }
        named.retain(|(_, word)| is_id(word) && !known.contains(word));
        found.extend(named.into_iter().map(|(line, id)| {
            format!("{}:{line}: there is no detector `{id}`; `portcullis detectors` lists them", page.name)
        }));
    }
    nothing(&found);
}

#[test]
fn test_lines_name_their_reason() {
    let mut found = Vec::new();
    for page in pages().filter(|page| page.is_in(&["spec", "tests/regressions"])) {
        let lines =
            markdown::case_lines(&page.text).filter(|(_, line)| line.split_whitespace().nth(1) == Some("-"));
        found.extend(lines.map(|(line, _)| {
            format!(
                "{}:{line}: no reason; write the word that `portcullis test {}` shows",
                page.name, page.name
            )
        }));
    }
    nothing(&found);
}

#[test]
fn comments_and_messages_use_the_words_of_the_glossary() {
    nothing(&words::found(&SOURCES, pages()));
}

#[test]
fn paths_that_are_named_exist() {
    nothing(&paths::missing());
}

#[test]
fn nothing_names_the_place_where_it_was_written() {
    nothing(&paths::of_workplaces());
}
