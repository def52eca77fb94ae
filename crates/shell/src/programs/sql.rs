//! Whether SQL text only reads. Knows no dialect: where dialects differ about what the text means,
//! the answer is that it is unclear.

mod hidden;

/// What the statements of a text do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Reads,
    Changes,
    /// Drops, truncates or deletes.
    Destroys,
    Unclear,
}

/// What was found in a text.
pub(super) struct Query<'a> {
    pub(super) kind: Kind,
    /// Its string literals; some databases take them for files.
    pub(super) strings: Vec<&'a str>,
    /// Tables are named that hold password hashes.
    pub(super) secret: bool,
    /// Nothing but what is known to have no effect of its own is called.
    pub(super) plain: bool,
    /// A statement brings code into a database that is a file: an extension, or a folder of statements.
    pub(super) loads: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    Mark(u8),
}

/// Tables and columns that hold password hashes, or secrets in clear.
const HASHES: &str = "pg_shadow pg_authid rolpassword authentication_string password_hash sql_logins syslogins \
    encrypted_password decrypted_secret decrypted_secrets pg_user_mapping pg_user_mappings \
    user_mapping_options";

/// Tables through which any file can be read, under whatever quotes.
const FILE_TABLES: &[&str] = &["fsdir", "zipfile"];
/// Functions that take the name of a file.
const FILE_FUNCTIONS: &str = "READ_CSV READ_CSV_AUTO READ_JSON READ_JSON_AUTO READ_NDJSON READ_PARQUET PARQUET_SCAN \
    PARQUET_SCHEMA PARQUET_METADATA";

/// Whether the names of files are single strings, not put together from parts.
fn names_files_plainly(tokens: &[Token<'_>]) -> bool {
    let joined = tokens.windows(2).any(|pair| pair == [Token::Mark(b'\''), Token::Mark(b'\'')]);
    !joined
        && tokens.windows(4).all(|four| match four {
            [Token::Word(word), Token::Mark(b'('), name, after] if is(word, FILE_FUNCTIONS) => {
                *name == Token::Mark(b'\'') && matches!(after, Token::Mark(b',' | b')'))
            }
            _ => true,
        })
}

/// Whether every SQL statement in `text` only reads, calls only known functions, and names neither tables of password
/// hashes nor files with credentials.
#[must_use]
pub fn only_looks(text: &str) -> bool {
    let query = read_each(text).0;
    query.kind == Kind::Reads
        && !query.secret
        && !hidden::is_asked_for(text)
        && !query.strings.iter().any(|name| crate::secrets::is_secret_path(name, true))
}

/// Reads `text`.
pub(super) fn read(text: &str) -> Query<'_> {
    let (mut query, several) = read_each(text);
    // Several statements in one argument are more than a look; nobody needs them proven.
    if several && query.kind == Kind::Reads {
        query.kind = Kind::Unclear;
    }
    query
}

/// What the statements of `text` do, and whether there are several besides those that choose a database.
fn read_each(text: &str) -> (Query<'_>, bool) {
    let mut query =
        Query { kind: Kind::Reads, strings: Vec::new(), secret: false, plain: true, loads: false };
    let Some(tokens) = tokens(text, &mut query.strings) else {
        query.kind = Kind::Unclear;
        query.plain = false;
        return (query, false);
    };
    let lower = text.to_ascii_lowercase();
    let reaches = FILE_TABLES.iter().any(|name| lower.contains(name)) || !names_files_plainly(&tokens);
    query.secret = tokens
        .iter()
        .any(|token| matches!(token, Token::Word(word) | Token::Quoted(word) if is(word, HASHES)));
    let mut any = false;
    for statement in
        tokens.split(|token| *token == Token::Mark(b';')).filter(|statement| !statement.is_empty())
    {
        any = true;
        let asks = matches!(statement.first(), Some(Token::Word(word)) if is(word, "PRAGMA"));
        let calls = (asks || calls_only_known(statement)) && !reaches;
        query.plain &= calls;
        query.loads |=
            matches!(statement.first(), Some(Token::Word(word)) if is(word, "INSTALL LOAD FORCE IMPORT"));
        let kind = classify(statement);
        query.kind = query.kind.max(if kind == Kind::Reads && !calls { Kind::Unclear } else { kind });
    }
    let chooses =
        |statement: &[Token<'_>]| matches!(statement.first(), Some(Token::Word(word)) if is(word, "USE"));
    let statements = tokens.split(|token| *token == Token::Mark(b';'));
    let several = statements.filter(|statement| !statement.is_empty() && !chooses(statement)).count() > 1;
    if !any {
        query.kind = Kind::Unclear;
    }
    (query, several)
}

/// The tokens, or nothing where dialects disagree about where strings or comments end.
fn tokens<'a>(text: &'a str, strings: &mut Vec<&'a str>) -> Option<Vec<Token<'a>>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let next = bytes.get(at + 1).copied();
        match (byte, next) {
            (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => at += 1,
            (byte, _) if byte.is_ascii_control() => return None,
            (b'-', Some(b'-')) => {
                // For MySQL `--x` is no comment.
                bytes
                    .get(at + 2)
                    .filter(|after| **after != b' ' && **after != b'\n')
                    .map_or(Some(()), |_| None)?;
                at += text.get(at..)?.find('\n').unwrap_or(text.len() - at);
            }
            (b'/', Some(b'*')) => {
                let body = text.get(at + 2..)?;
                let end = body.find("*/")?;
                // `/*!` is run by MySQL, and only some databases nest comments.
                let comment = body.get(..end)?;
                if comment.starts_with('!') || comment.starts_with("M!") || comment.contains("/*") {
                    return None;
                }
                at += end + 4;
            }
            (b'\'' | b'"' | b'`', _) => {
                let length = quoted(bytes.get(at..)?)?;
                let inside = text.get(at + 1..at + length - 1)?;
                if byte != b'`' {
                    strings.push(inside);
                }
                found.push(if byte == b'\'' { Token::Mark(b'\'') } else { Token::Quoted(inside) });
                at += length;
            }
            (b'[', _) => {
                let body = text.get(at + 1..)?;
                let inside = body.get(..body.find(']')?)?;
                if inside.contains(['\'', '"', '`', ';', '-', '/', '[']) {
                    return None;
                }
                found.push(Token::Mark(b'['));
                at += 1;
            }
            (b'$', Some(digit)) if digit.is_ascii_digit() => at += 1,
            (b'\\' | b'#' | b'$' | 0, _) => return None,
            (byte, _) if is_word(byte) => {
                let rest = bytes.get(at..)?;
                let length = rest.iter().position(|other| !is_word(*other)).unwrap_or(rest.len());
                found.push(Token::Word(text.get(at..at + length)?));
                at += length;
            }
            (byte, _) => {
                found.push(Token::Mark(byte));
                at += 1;
            }
        }
    }
    Some(found)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'@' || !byte.is_ascii()
}

/// The length of the quoted text at the beginning, quotes included. A doubled quote is a quote; a
/// backslash means different things in different databases.
fn quoted(bytes: &[u8]) -> Option<usize> {
    let (mark, _) = bytes.split_first()?;
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => return None,
            byte if byte == mark && bytes.get(at + 1) == Some(mark) => at += 2,
            byte if byte == mark => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn is(word: &str, names: &str) -> bool {
    names.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(word))
}

const DESTROYING: &str = "DELETE DROP TRUNCATE";
const CHANGING: &str = "ALTER ANALYZE ATTACH BACKUP BEGIN BULK CALL CHECKPOINT CLUSTER COMMENT COMMIT COPY CREATE DBCC DENY \
    DETACH DISABLE DO ENABLE EXEC EXECUTE EXPORT FLUSH GO GRANT HANDLER IMPORT INSERT INSTALL INTO KILL \
    LISTEN LOAD LOCK MERGE NOTIFY OPTIMIZE PREPARE PURGE RECONFIGURE REFRESH REINDEX RENAME REPAIR RESET \
    RESTORE REVOKE ROLLBACK SAVEPOINT SHUTDOWN UPDATE UPSERT VACUUM WAITFOR REASSIGN UNINSTALL";
/// Words that change something wherever they stand; the others above are common names of columns.
const CHANGING_INSIDE: &str = "ALTER ATTACH BACKUP BULK CALL CREATE DBCC DENY DUMPFILE EXEC EXECUTE GO GRANT INSERT INSTALL INTO \
    KILL MERGE OUTFILE RECONFIGURE RESTORE REVOKE SHUTDOWN UPDATE UPDATETEXT UPSERT VACUUM WAITFOR \
    WRITETEXT";

fn classify(statement: &[Token<'_>]) -> Kind {
    let opening = statement.iter().position(|token| *token != Token::Mark(b'(')).unwrap_or(0);
    let Some((Token::Word(first), rest)) = statement.get(opening..).and_then(<[Token<'_>]>::split_first)
    else {
        return Kind::Unclear;
    };
    if is(first, DESTROYING) {
        return Kind::Destroys;
    }
    if is(first, CHANGING) || is(first, "REPLACE SET") {
        return Kind::Changes;
    }
    if is(first, "SHOW") {
        return if rest.iter().any(|token| matches!(token, Token::Word(word) if is(word, "INTO"))) {
            Kind::Unclear
        } else {
            Kind::Reads
        };
    }
    if is(first, "PRAGMA") {
        return pragma(rest);
    }
    if is(first, "USE") {
        return if matches!(rest, [Token::Word(_) | Token::Quoted(_)]) { Kind::Reads } else { Kind::Unclear };
    }
    if !is(first, "SELECT WITH VALUES TABLE EXPLAIN DESCRIBE DESC SUMMARIZE FROM") {
        return Kind::Unclear;
    }
    // A writing word anywhere counts: in a common table expression, or a second statement where no
    // semicolon is needed.
    let mut kind = Kind::Reads;
    for token in rest {
        let Token::Word(word) = token else { continue };
        if is(word, DESTROYING) {
            kind = kind.max(Kind::Destroys);
        } else if is(word, CHANGING_INSIDE) {
            kind = kind.max(Kind::Changes);
        }
    }
    kind
}

/// Settings of `SQLite` and `DuckDB` that are only shown when nothing is assigned.
fn pragma(rest: &[Token<'_>]) -> Kind {
    const ASKED_WITH_ARGUMENT: &str = "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list \
        foreign_key_check integrity_check quick_check storage_info show";
    const ASKED: &str = "database_list collation_list function_list module_list pragma_list compile_options user_version \
        schema_version application_id page_count page_size max_page_count freelist_count encoding \
        journal_mode foreign_keys cache_size auto_vacuum synchronous data_version busy_timeout locking_mode \
        mmap_size temp_store secure_delete wal_autocheckpoint recursive_triggers stats show_tables \
        show_tables_expanded database_size version platform functions collations";
    let name = match rest {
        [Token::Word(_) | Token::Quoted(_), Token::Mark(b'.'), tail @ ..] => tail,
        plain => plain,
    };
    let known = |word: &str| is(word, ASKED) || is(word, ASKED_WITH_ARGUMENT);
    match name {
        [Token::Word(word)] if known(word) => Kind::Reads,
        [Token::Word(word), Token::Mark(b'('), inside @ .., Token::Mark(b')')]
            if is(word, ASKED_WITH_ARGUMENT)
                && inside.iter().all(|token| !matches!(token, Token::Mark(b'(' | b'='))) =>
        {
            Kind::Reads
        }
        _ => Kind::Changes,
    }
}

/// Whether every word before a parenthesis is part of SQL or a function without effects.
fn calls_only_known(statement: &[Token<'_>]) -> bool {
    let mut before: [Option<Token<'_>>; 2] = [None, None];
    for token in statement {
        if *token == Token::Mark(b'(') {
            let qualified = before.first().copied().flatten() == Some(Token::Mark(b'.'));
            match before.last().copied().flatten() {
                Some(Token::Word(word)) if qualified || !(is(word, SYNTAX) || is(word, FUNCTIONS)) => {
                    return false;
                }
                // `[name](…)` calls what the brackets name.
                Some(Token::Quoted(_) | Token::Mark(b']')) => return false,
                Some(Token::Word(_) | Token::Mark(_)) | None => {}
            }
        }
        before = [before.last().copied().flatten(), Some(*token)];
    }
    true
}

const SYNTAX: &str = "ALL AND ANY ARRAY AS BETWEEN BY CASE CROSS CUBE DISTINCT ELSE END EXCEPT EXCLUDE EXISTS EXPLAIN \
    FILTER FROM FULL GROUPING HAVING ILIKE IN INNER INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT \
    MATERIALIZED NOT OFFSET ON OR ORDER OUTER OVER PIVOT RIGHT ROLLUP ROW SELECT SETS SOME THEN TOP \
    UNION USING VALUES WHEN WHERE WINDOW WITHIN GROUP REPLACE UNNEST BINARY BIT CHAR CHARACTER DECIMAL \
    FLOAT INT NCHAR NUMERIC NVARCHAR TIME TIMESTAMP VARBINARY VARCHAR VARYING STRUCT INTO TABLE KEY \
    UNIQUE CHECK REFERENCES";

const FUNCTIONS: &str = "ABS ACOS AGE ANY_VALUE APPROX_COUNT_DISTINCT ARG_MAX ARG_MIN ARRAY_AGG ARRAY_LENGTH ARRAY_TO_STRING \
    ASCII ASIN ATAN ATAN2 AVG BIT_AND BIT_LENGTH BIT_OR BOOL_AND BOOL_OR BTRIM CARDINALITY CAST CEIL \
    CEILING CHARINDEX CHAR_LENGTH CHARACTER_LENGTH CHR COALESCE COL_DESCRIPTION CONCAT CONCAT_WS CONVERT \
    CORR COS COUNT COUNTIF COUNT_BIG CUME_DIST CURDATE CURRENT_DATABASE CURRENT_DATE CURRENT_SCHEMA \
    CURRENT_SCHEMAS CURRENT_SETTING CURRENT_TIMESTAMP CURRENT_USER CURTIME DATABASE DATALENGTH DATE \
    DATEADD DATEDIFF DATEFROMPARTS DATENAME DATEPART DATETIME DATE_ADD DATE_DIFF DATE_FORMAT DATE_PART \
    DATE_SUB DATE_TRUNC DAY DAYNAME DAYOFMONTH DAYOFWEEK DAYOFYEAR DB_NAME DEGREES DENSE_RANK EXP \
    EXTRACT FIELD FIND_IN_SET FIRST FIRST_VALUE FLOOR FORMAT FORMAT_TYPE FOUND_ROWS FROM_UNIXTIME \
    GENERATE_SERIES GETDATE GETUTCDATE GLOB GREATEST GROUP_CONCAT HAS_SCHEMA_PRIVILEGE \
    HAS_TABLE_PRIVILEGE HEX HOUR IF IFNULL IIF INET_ATON INET_NTOA INITCAP INSTR ISNULL JSON JSONB \
    JSONB_AGG JSONB_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS_TEXT JSONB_ARRAY_LENGTH JSONB_BUILD_OBJECT \
    JSONB_EACH JSONB_EACH_TEXT JSONB_EXTRACT_PATH_TEXT JSONB_OBJECT_KEYS JSONB_PRETTY JSONB_TYPEOF \
    JSON_AGG JSON_ARRAY JSON_ARRAYAGG JSON_ARRAY_ELEMENTS JSON_ARRAY_LENGTH JSON_BUILD_OBJECT \
    JSON_CONTAINS JSON_EACH JSON_EXTRACT JSON_EXTRACT_STRING JSON_GROUP_ARRAY JSON_GROUP_OBJECT \
    JSON_KEYS JSON_LENGTH JSON_OBJECT JSON_OBJECTAGG JSON_QUERY JSON_TREE JSON_TYPE JSON_UNQUOTE \
    JSON_VALID JSON_VALUE JULIANDAY LAG LAST LAST_DAY LAST_VALUE LCASE LEAD LEAST LEFT LEN LENGTH LIST \
    LN LOCATE LOG LOG10 LOG2 LOWER LPAD LTRIM MAX MD5 MEDIAN MID MIN MINUTE MOD MODE MONTH MONTHNAME \
    NEWID NOW NTH_VALUE NTILE NULLIF NVL OBJECT_ID OBJECT_NAME OBJ_DESCRIPTION OCTET_LENGTH \
    PERCENTILE_CONT PERCENTILE_DISC PERCENT_RANK PG_COLUMN_SIZE PG_DATABASE_SIZE PG_GET_CONSTRAINTDEF \
    PG_GET_EXPR PG_GET_FUNCTIONDEF PG_GET_INDEXDEF PG_GET_TRIGGERDEF PG_GET_USERBYID PG_GET_VIEWDEF \
    PG_INDEXES_SIZE PG_IS_IN_RECOVERY PG_POSTMASTER_START_TIME PG_RELATION_SIZE PG_SIZE_PRETTY \
    PG_TABLE_SIZE PG_TOTAL_RELATION_SIZE PI POSITION POW POWER PRINTF QUANTILE QUANTILE_CONT QUARTER \
    QUOTE QUOTE_IDENT RADIANS RAND RANDOM RANGE RANK READ_CSV READ_CSV_AUTO READ_JSON READ_JSON_AUTO \
    READ_NDJSON READ_PARQUET PARQUET_SCAN PARQUET_SCHEMA PARQUET_METADATA REGEXP_EXTRACT REGEXP_LIKE \
    REGEXP_MATCH REGEXP_MATCHES REGEXP_REPLACE REGEXP_SPLIT_TO_TABLE REGEXP_SUBSTR REPEAT REPLACE \
    REPLICATE REVERSE RIGHT ROUND ROW_NUMBER ROW_TO_JSON RPAD RTRIM SCHEMA SCHEMA_NAME SECOND \
    SERVERPROPERTY SHA1 SHA2 SHA256 SIGN SIN SPACE SPLIT_PART SQLITE_VERSION SQRT STDDEV STDDEV_POP \
    STDDEV_SAMP STRFTIME STRING_AGG STRING_SPLIT STRING_TO_ARRAY STRPOS STRPTIME STR_TO_DATE SUBSTR \
    SUBSTRING SUBSTRING_INDEX SUM SYSDATE SYSDATETIME TAN TIMEDIFF TIMESTAMPDIFF TO_CHAR TO_DATE TO_JSON \
    TO_JSONB TO_NUMBER TO_REGCLASS TO_TIMESTAMP TOTAL TRANSLATE TRIM TRUNC TRY_CAST TYPEOF UCASE \
    UNIXEPOCH UNIX_TIMESTAMP UPPER USER UTC_TIMESTAMP UUID VARIANCE VAR_POP VAR_SAMP VERSION WEEK \
    WEEKDAY YEAR YEARWEEK ZEROBLOB UNISTR OBJECT_KEYS GEN_RANDOM_UUID PRAGMA_TABLE_INFO \
    PRAGMA_INDEX_LIST PRAGMA_INDEX_INFO PRAGMA_FOREIGN_KEY_LIST PRAGMA_TABLE_LIST DUCKDB_TABLES \
    DUCKDB_COLUMNS DUCKDB_FUNCTIONS DUCKDB_SETTINGS DUCKDB_VIEWS";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_statements_are_known() {
        for text in [
            "SELECT 1",
            "select * from users;",
            "SELECT count(*), max(id) FROM t WHERE a IN (1, 2) -- done",
            "SHOW CREATE TABLE x",
            "EXPLAIN ANALYZE SELECT 1",
            "WITH a AS (SELECT 1) SELECT * FROM a",
            "PRAGMA table_info(users)",
            "PRAGMA user_version;",
            "/* why */ DESCRIBE users",
            "SELECT 'it''s; DROP TABLE x'",
            "USE db; SHOW TABLES",
            "(SELECT 1) UNION (SELECT 2)",
            "SELECT a::text FROM \"Order\" WHERE b = $1",
            "SELECT arr[1] FROM t",
            "VALUES (1, 2)",
            "SELECT id, comment FROM posts",
        ] {
            assert_eq!(read(text).kind, Kind::Reads, "{text}");
        }
    }

    #[test]
    fn changes_are_named_even_when_hidden_in_a_read() {
        for text in [
            "INSERT INTO t VALUES (1)",
            "SELECT 1; UPDATE t SET a = 1",
            "WITH a AS (UPDATE t SET b = 1 RETURNING *) SELECT * FROM a",
            "SELECT * INTO OUTFILE '/tmp/x' FROM t",
            "PRAGMA foreign_keys = ON",
            "PRAGMA journal_mode(wal)",
            "COPY t TO '/tmp/x'",
            "SELECT 1 EXEC xp_cmdshell 'x'",
            "EXPLAIN ANALYZE UPDATE t SET a = 1",
            "VACUUM INTO 'x'",
        ] {
            assert_eq!(read(text).kind, Kind::Changes, "{text}");
        }
        for text in ["DROP TABLE t", "DELETE FROM t", "SELECT 1; TRUNCATE t", "SELECT 1 DROP TABLE t"] {
            assert_eq!(read(text).kind, Kind::Destroys, "{text}");
        }
    }

    #[test]
    fn what_dialects_disagree_about_is_unclear() {
        for text in [
            "",
            ";",
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT load_extension('x')",
            "SELECT data FROM fsdir WHERE path = '/etc/passwd'",
            "SELECT data FROM `fsdir`",
            "SELECT * FROM read_csv('/etc/sha' || 'dow')",
            "SELECT * FROM read_csv(chr(47))",
            "SELECT * FROM '/etc/sha'\n'dow'",
            "SELECT my_function()",
            "SELECT 1 /*! INTO x */",
            "SELECT '\\'; DROP TABLE t; -- '",
            "SELECT 1 --x",
            "SELECT 1 # x",
            "SELECT $$;$$",
            "SELECT 1 \\g |sh",
            "SELECT a.b()",
            "SELECT \"f\"()",
            "SELECT [a'] ; DROP TABLE x --'",
            "SELECT [writefile]('x', 1)",
            "SELECT [writefile]\u{c}('x', 1)",
            "SELECT writefile\u{c}('x', 1)",
            "SELECT writefile\u{b}('x', 1)",
            "SELECT writefile /* a */ ('x', 1)",
            "SELECT `writefile`('x', 1)",
            "SELECT 1\u{1}",
            "/* /* */ DROP TABLE t; */ SELECT 1",
            "frobnicate",
            "SELECT 'open",
        ] {
            assert_eq!(read(text).kind, Kind::Unclear, "{text}");
        }
        assert!(read("SELECT * FROM pg_shadow").secret);
        assert_eq!(read("SELECT * FROM 'a.csv'").strings, ["a.csv"]);
    }
}
