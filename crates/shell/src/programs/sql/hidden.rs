//! What a statement may not be asked for by who only looks: secrets in tables and settings, and files in place of tables.

use super::{FILE_FUNCTIONS, Token, is, tokens};

/// Columns and tables that hold secrets by their names.
const SECRETS: &str = "secret secrets client_secret api_key api_keys apikey apikeys token tokens access_token access_tokens \
    refresh_token refresh_tokens password passwords passwd private_key private_keys credential credentials \
    service_role_key jwt_secret one_time_tokens mfa_factors signing_key signing_keys";
/// Schemas that hold little else.
const SCHEMAS: &str = "vault auth mysql pgsodium supabase_vault";
/// Behind these words stands a table.
const BEFORE_TABLES: &str = "FROM JOIN TABLE DESCRIBE DESC SUMMARIZE";
/// What `SHOW` tells of the make-up of a database.
const SHOWN: &str = "TABLES DATABASES SCHEMAS COLUMNS FIELDS INDEX INDEXES KEYS TABLE STATUS WARNINGS ERRORS ENGINES ENGINE \
    COLLATION CHARACTER CHARSET TRIGGERS EVENTS PROCEDURE FUNCTION FUNCTIONS VIEWS PLUGINS CATALOGS PARTITIONS OPEN \
    COUNT STATS VARIABLES PROCESSLIST SERVER_VERSION SEARCH_PATH TIMEZONE TIME MAX_CONNECTIONS STATEMENT_TIMEOUT \
    WORK_MEM SHARED_BUFFERS TRANSACTION TRANSACTION_ISOLATION WAL_LEVEL DATA_DIRECTORY CLIENT_ENCODING \
    SERVER_ENCODING PORT ZONES RANGES JOBS QUERIES CONSTRAINTS SEQUENCES TYPES";
const SHOWN_AS_MADE: &str = "TABLE VIEW DATABASE SCHEMA PROCEDURE FUNCTION TRIGGER EVENT INDEX";

/// Whether the text asks for secrets by a name that tells it, or for a file. What cannot be read asks for them.
pub(super) fn is_asked_for(text: &str) -> bool {
    let mut strings = Vec::new();
    let Some(tokens) = tokens(text, &mut strings) else { return true };
    let named = |token: &Token<'_>, names: &str| matches!(token, Token::Word(word) | Token::Quoted(word) if is(word, names));
    let schema = tokens.windows(2).any(|pair| match pair {
        [schema, Token::Mark(b'.')] => named(schema, SCHEMAS),
        [Token::Word(word), schema] if is(word, "USE") => named(schema, SCHEMAS),
        _ => false,
    });
    // `app.jwt`: settings of the database's own have no dot in their names.
    let settings = tokens.iter().any(|token| named(token, "CURRENT_SETTING"))
        && (strings.iter().any(|name| name.contains('.')) || !asks_settings_plainly(&tokens));
    schema
        || settings
        || tokens
            .iter()
            .any(|token| named(token, SECRETS) || named(token, FILE_FUNCTIONS) || ends_as_secret(token))
        || names_file(&tokens, &strings)
        || tokens.split(|token| *token == Token::Mark(b';')).any(shows_other)
}

/// Whether a name ends as those of secrets do: `user_tokens`, `hashed_password`; but not `max_tokens`, which are counted.
fn ends_as_secret(token: &Token<'_>) -> bool {
    const ENDS: &str =
        "secret secrets token tokens password passwords passwd credential credentials apikey apikeys";
    const COUNTED: &str = "max min total input output prompt completion used num cached count";
    let (Token::Word(name) | Token::Quoted(name)) = token else { return false };
    let Some((before, last)) = name.rsplit_once('_') else { return false };
    let counted = before.rsplit('_').next().is_some_and(|word| is(word, COUNTED));
    let lower = name.to_ascii_lowercase();
    let hashed = lower.contains("password")
        && ["digest", "hash", "salt"].iter().any(|end| last.eq_ignore_ascii_case(end));
    let key = ["api_key", "private_key", "secret_key", "access_key"].iter().any(|end| lower.ends_with(end));
    (is(last, ENDS) && !counted) || hashed || key
}

/// Whether the settings that are asked for are spelled out.
fn asks_settings_plainly(tokens: &[Token<'_>]) -> bool {
    tokens.windows(4).all(|four| match four {
        [Token::Word(word), Token::Mark(b'('), name, after] if is(word, "CURRENT_SETTING") => {
            *name == Token::Mark(b'\'') && matches!(after, Token::Mark(b',' | b')'))
        }
        _ => true,
    })
}

/// Whether a string stands where a table does, or a quoted name is one of a file.
fn names_file(tokens: &[Token<'_>], strings: &[&str]) -> bool {
    let table = |word: &str| is(word, BEFORE_TABLES);
    let behind =
        tokens.windows(2).any(|pair| matches!(pair, [Token::Word(word), Token::Mark(b'\'')] if table(word)));
    let quoted = tokens
        .iter()
        .any(|token| matches!(token, Token::Quoted(name) if name.contains('/') || is_file(name)));
    // `FROM a, 'b.csv'`
    let listed = tokens.windows(2).any(|pair| pair == [Token::Mark(b','), Token::Mark(b'\'')])
        && strings.iter().any(|name| is_file(name));
    behind || quoted || listed
}

/// Whether a name has an ending that files with data have.
fn is_file(name: &str) -> bool {
    const ENDINGS: &str = "csv tsv json jsonl ndjson parquet txt xlsx db sqlite duckdb gz arrow";
    name.rsplit_once('.').is_some_and(|(_, ending)| is(ending, ENDINGS))
}

/// Whether the statement shows anything but the make-up of a database: users, grants, secrets, settings of its own.
fn shows_other(statement: &[Token<'_>]) -> bool {
    let mut words = statement.iter().map_while(|token| match token {
        Token::Word(word) => Some(*word),
        Token::Quoted(_) | Token::Mark(_) => None,
    });
    if !words.next().is_some_and(|first| is(first, "SHOW")) {
        return false;
    }
    let mut words = words.skip_while(|word| is(word, "FULL EXTENDED GLOBAL SESSION TERSE"));
    match words.next() {
        Some(made) if is(made, "CREATE") => !words.next().is_some_and(|kind| is(kind, SHOWN_AS_MADE)),
        Some(shown) => !is(shown, SHOWN) || statement.get(2) == Some(&Token::Mark(b'.')),
        None => true,
    }
}
