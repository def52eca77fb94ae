//! Rights that statements of SQL and rules of stores give: to everybody, for everything, or beyond what rules of rows say.

use crate::detect::{Detector, detectors};

/// The detector of what a text in small letters gives away that it should not.
pub(super) fn given(text: &str) -> Option<&'static Detector> {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let text =
        parts.fold(first, |plain, part| plain + " " + part.split_once("*/").map_or("", |(_, rest)| rest));
    let replaced = text.contains("create policy");
    text.split(';').find_map(|statement| {
        // What is run as a text says the same.
        let plain = statement.replace(['\'', '"', '`'], " ");
        let words: Vec<&str> = plain.split_whitespace().collect();
        of_statement(&words, statement, replaced)
    })
}

fn of_statement(words: &[&str], statement: &str, policies_replaced: bool) -> Option<&'static Detector> {
    let follows = |wanted: &[&str]| words.windows(wanted.len()).any(|part| part == wanted);
    let has = |word: &str| words.contains(&word);
    let joined = words.concat();
    let role = ["role", "user"].iter().any(|kind| follows(&["create", kind]) || follows(&["alter", kind]));
    let powers = ["superuser", "createrole", "bypassrls", "replication"].iter().any(|power| has(power));
    if grants_widely(words) || (role && powers) {
        return Some(&detectors::SQL_BROAD_GRANT);
    }
    if role && (has("password") || follows(&["identified", "by"])) && statement.contains('\'') {
        return Some(&detectors::HARDCODED_PASSWORD);
    }
    let policy = follows(&["create", "policy"]) || follows(&["alter", "policy"]);
    let open = policy
        && (asks_nothing(statement, "using") || asks_nothing(statement, "with check"))
        && !follows(&["for", "select"])
        && !joined.contains("toservice_role");
    if open
        || (follows(&["drop", "policy"]) && !policies_replaced)
        || joined.contains("rowlevelsecurity") && has("disable")
    {
        return Some(&detectors::ROW_LEVEL_SECURITY_OFF);
    }
    if joined.contains("noforcerowlevelsecurity") {
        return Some(&detectors::ROW_LEVEL_SECURITY_OFF);
    }
    if follows(&["security", "definer"]) && !joined.contains("setsearch_path") {
        return Some(&detectors::SQL_SECURITY_DEFINER);
    }
    (words.first() == Some(&"copy") && has("program")).then_some(&detectors::SQL_COPY_PROGRAM)
}

/// Whether a condition does not ask who comes, in any of its alternatives.
fn asks_nothing(statement: &str, word: &str) -> bool {
    const WHO: &str =
        "auth current_ session_user user role tenant owner uid jwt org team member claims admin";
    statement.split_once(word).is_some_and(|(_, condition)| {
        let never = ["false", "null", "(0)", "1 = 2", "1 <> 1", "not true"];
        let denies = |part: &str| part.contains('!') || part.replace("not true", "").contains("not ");
        let known = |part: &str| WHO.split_ascii_whitespace().chain(never).any(|word| part.contains(word));
        let known = |part: &str| known(part) && !denies(part);
        condition.split(" or ").any(|part| !known(part))
    })
}

/// `grant … to public`, for more than looking; `grant … on *.*`; roles that may do everything; rights to hand on.
fn grants_widely(words: &[&str]) -> bool {
    const LOOKS: &str = "select usage execute connect temporary references";
    const MIGHTY: &str =
        "admin superuser rds_superuser cloudsqlsuperuser db_owner sysadmin dba root postgres";
    let Some(at) = words.iter().position(|word| *word == "grant") else { return false };
    let words = words.get(at + 1..).unwrap_or_default();
    let Some(to) = words.iter().rposition(|word| *word == "to") else { return false };
    let (what, whom) = words.split_at_checked(to).unwrap_or_default();
    let named = |words: &[&str], list: &str| {
        let mut names = words.iter().flat_map(|word| word.split(','));
        names.any(|name| list.split_whitespace().any(|known| known == name))
    };
    let on = what.iter().position(|word| *word == "on");
    let Some(on) = on else {
        return named(what, MIGHTY) || what.first().is_some_and(|role| role.starts_with("pg_"));
    };
    // The columns that a right is for are in brackets.
    let rights = what.get(..on).unwrap_or_default().join(" ");
    let mut rights =
        rights.split('(').filter_map(|part| part.split(')').next_back()).flat_map(|part| part.split(','));
    let looks = rights
        .all(|right| right.trim().is_empty() || LOOKS.split_whitespace().any(|known| known == right.trim()));
    let everything = what.get(on + 1).is_some_and(|object| *object == "*.*");
    (!looks && (named(whom, "anon public % @") || everything))
        || whom.windows(3).any(|part| matches!(part, ["with", "grant" | "admin", "option"]))
}

/// How many rules of a store, in small letters, let everybody write: `allow write: if true;`, `".write": true`.
pub(super) fn open_rules(text: &str) -> usize {
    let dense: String = text.split_whitespace().collect();
    // A function of the file may ask.
    let open = |condition: &str| {
        let asks = |part: &str| {
            let called = part.ends_with(')') && part.contains('(') && dense.contains("request.auth");
            part.contains("auth")
                || part.contains("resource")
                || part.contains("data.")
                || (part.contains("false") && !part.contains('!'))
                || (called && !part.contains("true"))
        };
        condition.split("||").any(|part| !asks(part))
    };
    let allowed = dense.split("allow").skip(1).filter_map(|rest| {
        let statement = rest.split([';', '}']).next()?;
        let (methods, condition) = statement.split_once(':').unwrap_or((statement, "iftrue"));
        let writes = ["write", "create", "update", "delete"].iter().any(|it| methods.contains(it));
        (writes && methods.len() < 30).then_some(condition)
    });
    let keyed = dense.split("\".write\":").skip(1).filter_map(|rest| rest.split([',', '}']).next());
    allowed.chain(keyed).filter(|condition| open(condition)).count()
}
