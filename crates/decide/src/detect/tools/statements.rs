//! Statements that tools are given for a database, by what is known to look and not by what is known to change: a
//! language has more ways to change something than a list can hold.

use serde_json::Value;

use super::documents::{self, CHANGING, is_plain_data, is_plain_pipeline, says_word};
use crate::call::ToolCall;
use crate::detect::routine::tasks;

/// Languages in which databases are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Sql,
    /// Documents and pipelines in JSON.
    Mongo,
    /// One that is not read here.
    Other,
    /// The name does not tell which.
    Any,
}

/// What can be said of the statements in a call.
#[derive(PartialEq, Eq)]
pub(super) enum Asked {
    /// The tool is not one of a database.
    Nothing,
    /// It is, and no statement is given.
    NoStatement,
    /// All statements only look.
    Looks,
    /// One is not known to look only: this.
    Unknown(String),
}

/// Words of names that speak of a database, and of its language.
const DATABASES: &[(&str, Language)] = &[
    ("sql", Language::Sql),
    ("postgres", Language::Sql),
    ("postgresql", Language::Sql),
    ("pg", Language::Sql),
    ("mysql", Language::Sql),
    ("sqlite", Language::Sql),
    ("mssql", Language::Sql),
    ("mariadb", Language::Sql),
    ("clickhouse", Language::Sql),
    ("bigquery", Language::Sql),
    ("snowflake", Language::Sql),
    ("redshift", Language::Sql),
    ("athena", Language::Sql),
    ("trino", Language::Sql),
    ("databricks", Language::Sql),
    ("cockroachdb", Language::Sql),
    ("duckdb", Language::Sql),
    ("motherduck", Language::Sql),
    ("oracle", Language::Sql),
    ("supabase", Language::Sql),
    ("neon", Language::Sql),
    ("planetscale", Language::Sql),
    ("turso", Language::Sql),
    ("cassandra", Language::Any),
    ("dynamodb", Language::Any),
    ("neo4j", Language::Other),
    ("cypher", Language::Other),
    ("memgraph", Language::Other),
    ("mongo", Language::Mongo),
    ("mongodb", Language::Mongo),
    ("redis", Language::Other),
    ("valkey", Language::Other),
    ("db", Language::Any),
    ("database", Language::Any),
];

/// Parts of the names of fields that hold a statement, whatever tool they are given to.
const SURE_FIELDS: &[(&str, Language)] =
    &[("sql", Language::Sql), ("cypher", Language::Other), ("statement", Language::Any)];

/// Fields of a tool of a database that hold data, names or words for people.
const DATA_FIELDS: &[&str] = words!(
    "filter params parameters values projection sort description title reason purpose name summary \
     explanation key pattern path"
);

/// Fields that name an action by one word.
const ACTION_FIELDS: &[&str] = &["operation", "op", "action", "method"];

/// The first words of actions that only look.
const LOOKING: &[&str] = words!(
    "find aggregate count distinct get list read select query search describe show explain scan exists \
     stats estimated"
);

/// What the statements that the tool is given do, as far as it can be known.
pub(super) fn asked(name: &str, call: &ToolCall) -> Asked {
    let own = tasks::words(name.rsplit("__").next().unwrap_or(name));
    if own.iter().any(|word| matches!(word.as_str(), "docs" | "documentation")) {
        return Asked::Nothing;
    }
    let Some(language) = language(name, call) else { return of_stranger(&own, call) };
    let mut found = Asked::NoStatement;
    for (field, value) in call.input.as_object().into_iter().flatten() {
        // `"update": {"$set": …}`
        if tasks::words(field).first().is_some_and(|word| CHANGING.contains(&word.as_str())) {
            return Asked::Unknown(field.clone());
        }
        match in_field(&field.to_ascii_lowercase(), value, language) {
            Asked::Nothing | Asked::NoStatement => {}
            Asked::Looks => found = Asked::Looks,
            Asked::Unknown(text) => return Asked::Unknown(text),
        }
    }
    found
}

/// What a tool that is only called a query is given: words for people, unless they begin as a statement does that changes.
fn of_stranger(own: &[String], call: &ToolCall) -> Asked {
    const BEGINS: &[&str] = words!(
        "unload reindex vacuum backup restore purge copy export merge create replace call detach attach \
         cluster refresh reassign flushall flushdb del unlink load set foreach"
    );
    let fields = ["query", "q", "text", "queries"];
    let texts = fields.iter().filter_map(|field| call.text(field)).flat_map(|text| text.split(';'));
    let mut begins = texts.filter(|part| {
        let part = part.trim_start_matches(['(', ' ', '\n']);
        let first = part.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        BEGINS.contains(&first.as_str()) || asks_more(&first, part) || is_cypher(part)
    });
    let found = begins.next().filter(|_| hands_on(own)).map(shown);
    found.map_or(Asked::Nothing, Asked::Unknown)
}

/// Whether a text begins as a query does, is no sentence, and is not known to look only.
fn asks_more(first: &str, text: &str) -> bool {
    let called = text.contains('(');
    let query = match first {
        "select" => called || text.contains('*') || says_word(text, "into") || says_word(text, "from"),
        "with" | "explain" | "return" | "values" => called,
        "table" => text.split_whitespace().count() == 2,
        "pragma" => text.contains('='),
        "lock" => says_word(text, "table"),
        "config" => says_word(text, "set"),
        "comment" => says_word(text, "is"),
        first => called && first.starts_with("db."),
    };
    query && !portcullis_shell::sql_only_looks(text)
}

/// Whether a text has a pattern of Cypher.
fn is_cypher(text: &str) -> bool {
    let lower = text.trim_start().to_ascii_lowercase();
    let first = lower.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
    let begins = matches!(first, "match" | "optional" | "unwind") && lower.contains(['(', '[']);
    let dense: String = lower.split_whitespace().collect();
    begins || (dense.contains("match(") && says_word(&lower, "match"))
}

/// Whether the tool itself does no more than hand on a statement: `execute_sql`, `run_query`.
pub(super) fn hands_on(words: &[String]) -> bool {
    const PLAIN: &[&str] =
        &["execute", "exec", "run", "query", "read", "only", "readonly", "select", "statement", "cypher"];
    words
        .iter()
        .all(|word| PLAIN.contains(&word.as_str()) || DATABASES.iter().any(|(database, _)| database == word))
}

/// Whether the name speaks of a database of this kind, in which every value has a key.
pub(super) fn has_keys(name: &str) -> bool {
    tasks::words(name).iter().any(|word| matches!(word.as_str(), "redis" | "valkey"))
}

fn language(name: &str, call: &ToolCall) -> Option<Language> {
    let fields = || call.input.as_object().into_iter().flatten().map(|(name, _)| name.to_ascii_lowercase());
    let sure = SURE_FIELDS.iter().find(|(part, _)| fields().any(|field| field.contains(part)));
    let words = tasks::words(name);
    let known = |word: &String| DATABASES.iter().find(|(database, _)| database == word);
    let named: Vec<Language> = words.iter().filter_map(known).map(|(_, language)| *language).collect();
    let exact = named.iter().find(|language| **language != Language::Any).or(named.first()).copied();
    match (exact, sure) {
        (Some(Language::Any) | None, Some((_, language))) => Some(*language),
        (exact, _) => exact,
    }
}

fn in_field(field: &str, value: &Value, language: Language) -> Asked {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Asked::Nothing,
        Value::String(text) if ACTION_FIELDS.contains(&field) => of_action(text),
        // Users and their keys.
        Value::String(text) if language == Language::Mongo && text.starts_with("system.") => {
            Asked::Unknown(text.clone())
        }
        Value::String(text) if DATA_FIELDS.contains(&field) => of_data(value, text),
        Value::String(text) => of_text(field, text, language),
        Value::Array(items) if field == "pipeline" && !is_plain_pipeline(items) => {
            Asked::Unknown(field.to_owned())
        }
        Value::Array(items) => {
            items.iter().map(|item| in_field(field, item, language)).fold(Asked::Nothing, graver)
        }
        Value::Object(fields) if DATA_FIELDS.contains(&field) || language == Language::Mongo => {
            let text = value.to_string();
            // A document is what a collection is asked with.
            let asks = language == Language::Mongo && !fields.is_empty();
            graver(of_data(value, &text), if asks { Asked::Looks } else { Asked::Nothing })
        }
        Value::Object(fields) => {
            let each =
                fields.iter().map(|(name, inner)| in_field(&name.to_ascii_lowercase(), inner, language));
            each.fold(Asked::Nothing, graver)
        }
    }
}

fn graver(first: Asked, second: Asked) -> Asked {
    match (first, second) {
        (Asked::Unknown(text), _) | (_, Asked::Unknown(text)) => Asked::Unknown(text),
        (Asked::Looks, _) | (_, Asked::Looks) => Asked::Looks,
        (Asked::NoStatement, _) | (_, Asked::NoStatement) => Asked::NoStatement,
        (Asked::Nothing, Asked::Nothing) => Asked::Nothing,
    }
}

/// A text in a field that may hold a statement: a bare name in another field than those for statements is none.
fn of_text(field: &str, text: &str, language: Language) -> Asked {
    const FIELDS: &[&str] =
        words!("sql statement statements query queries q cypher args pipeline text script");
    let bare =
        text.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '/' | ':' | '*' | '@'));
    if bare && !FIELDS.contains(&field) { Asked::Nothing } else { of_statement(text, language) }
}

fn of_statement(text: &str, language: Language) -> Asked {
    let looks = match language {
        Language::Sql => portcullis_shell::sql_only_looks(text) && !shows_setup(text),
        Language::Mongo => documents::reads_only(text),
        Language::Other => false,
        Language::Any => {
            let sql = portcullis_shell::sql_only_looks(text) && !shows_setup(text);
            sql && !says_word(text, "load")
        }
    };
    if looks { Asked::Looks } else { Asked::Unknown(shown(text)) }
}

/// Whether a query asks how the server is set up, or what it does by itself: passwords may be there in clear.
fn shows_setup(text: &str) -> bool {
    const TABLES: &[&str] = &["pg_settings", "pg_file_settings", "pg_hba_file_rules", "pg_config"];
    let jobs = says_word(text, "cron") && (says_word(text, "job") || says_word(text, "job_run_details"));
    jobs || TABLES.iter().any(|table| says_word(text, table))
}

/// The beginning of a text, for people.
fn shown(text: &str) -> String {
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ").chars().take(40).collect()
}

fn of_action(text: &str) -> Asked {
    let words = tasks::words(text);
    let looks = words.first().is_some_and(|first| LOOKING.contains(&first.as_str()))
        && !words.iter().any(|word| CHANGING.contains(&word.as_str()));
    if looks { Asked::Looks } else { Asked::Unknown(shown(text)) }
}

/// Data: its names say nothing that changes, and none of its texts is put into a statement that does.
fn of_data(value: &Value, text: &str) -> Asked {
    let lower = text.to_lowercase();
    let acts = CHANGING.iter().any(|word| says_word(&lower, word) && lower.contains([';', '(']));
    if acts || !is_plain_data(value) { Asked::Unknown(shown(text)) } else { Asked::Nothing }
}
