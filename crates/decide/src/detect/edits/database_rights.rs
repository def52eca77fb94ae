//! Rights that a statement of SQL in a file gives: to everybody, for everything, or beyond what rules of rows say.

use super::always;
use crate::detect::{Detector, detectors};

/// The detector of what a text gives away that it should not.
pub(super) fn given(text: &str) -> Option<&'static Detector> {
    let plain: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let plain = without_remarks(&plain.join("\n").to_lowercase());
    let replaced = plain.contains("create policy");
    plain.split(';').find_map(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        // What is run as a text says the same.
        let inner = statement.replace(['\'', '"'], " ");
        let inner: Vec<&str> = inner.split_whitespace().collect();
        of_statement(&words, replaced).or_else(|| {
            let wide = grants_widely(&inner) || inner.concat().contains("disablerowlevelsecurity");
            wide.then_some(&detectors::SQL_BROAD_GRANT)
        })
    })
}

pub(super) fn without_remarks(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + " " + part.split_once("*/").map_or("", |(_, rest)| rest))
}

fn of_statement(words: &[&str], policies_replaced: bool) -> Option<&'static Detector> {
    const POWERS: &[&str] = &["superuser", "createrole", "bypassrls", "replication"];
    let follows = |wanted: &[&str]| words.windows(wanted.len()).any(|part| part == wanted);
    let has = |word: &str| words.contains(&word);
    let squeezed: String = words.concat();
    let changes_role =
        ["role", "user"].iter().any(|kind| follows(&["create", kind]) || follows(&["alter", kind]));
    if grants_widely(words) || (changes_role && POWERS.iter().any(|power| has(power))) {
        return Some(&detectors::SQL_BROAD_GRANT);
    }
    if changes_role && ["password'", "identifiedby'"].iter().any(|secret| squeezed.contains(secret)) {
        return Some(&detectors::HARDCODED_PASSWORD);
    }
    let policy = follows(&["create", "policy"]) || follows(&["alter", "policy"]);
    let statement = words.join(" ");
    let asks_nothing = |word| always::conditions(&statement, word).into_iter().any(always::holds);
    let open = policy
        && (asks_nothing("using") || asks_nothing("with check"))
        && !follows(&["for", "select"])
        && !squeezed.contains("toservice_role");
    if open || (follows(&["drop", "policy"]) && !policies_replaced) {
        return Some(&detectors::ROW_LEVEL_SECURITY_OFF);
    }
    if follows(&["security", "definer"]) && !squeezed.contains("setsearch_path") {
        return Some(&detectors::SQL_SECURITY_DEFINER);
    }
    let program = squeezed.starts_with("copy") && has("program");
    program.then_some(&detectors::SQL_COPY_PROGRAM)
}

/// `grant … to anon`, for more than looking; `grant … on *.*`; roles that may do everything; rights that can be handed on.
fn grants_widely(words: &[&str]) -> bool {
    const EVERYBODY: &[&str] = &["anon", "public", "'%'", "''@'%'"];
    const LOOKS: &[&str] = &["select", "usage", "execute", "connect", "temporary", "references"];
    const MIGHTY: &[&str] = &[
        "admin",
        "superuser",
        "rds_superuser",
        "cloudsqlsuperuser",
        "db_owner",
        "sysadmin",
        "dba",
        "root",
        "postgres",
    ];
    let Some(at) = words.iter().position(|word| *word == "grant") else { return false };
    let statement = words.get(at + 1..).unwrap_or_default().join(" ");
    let Some((what, whom)) = statement.rsplit_once(" to ") else { return false };
    let (rights, on) = what.split_once(" on ").unwrap_or((what, ""));
    let rights = without_columns(rights);
    let named = |list: &str, known: &[&str]| {
        let names = list.split(" with ").next().unwrap_or_default().split(',');
        names
            .map(|name| name.trim().trim_start_matches("group ").trim_matches(['"', '`', '[', ']']))
            .any(|name| known.contains(&name))
    };
    let looks = rights.split(',').all(|right| LOOKS.contains(&right.trim()));
    if on.is_empty() {
        return named(&rights, MIGHTY) || rights.starts_with("pg_");
    }
    let all = !looks && (named(whom, EVERYBODY) || on == "*.*");
    all || whom.contains(" with grant option") || whom.contains(" with admin option")
}

/// Rights without the columns that they are for: `select (id, name)`.
fn without_columns(rights: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for character in rights.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain
}
