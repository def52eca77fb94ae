//! Databases on other machines that code connects to.

/// Clients, in small letters.
const CLIENTS: &[&str] = &[
    "psycopg",
    "asyncpg",
    "pymysql",
    "mysql.connector",
    "mysql2",
    "pymongo",
    "mongoose",
    "mongodb",
    "redis",
    "sqlalchemy",
    "create_engine",
    "require('pg')",
    "require(\"pg\")",
    "from 'pg'",
    "from \"pg\"",
    "clickhouse",
    "cassandra",
    "pyodbc",
    "pymssql",
    "sequel.connect",
    "pg.connect",
];

/// Beginnings of addresses of databases.
const SCHEMES: &[&str] =
    &["postgres", "mysql", "redis", "mongodb", "mssql", "amqp", "clickhouse", "cockroach"];

/// Whether code, in small letters, connects to a database that is not on this machine.
pub(super) fn connects(text: &str) -> bool {
    // JavaScript may write any text in backticks.
    let text = &text.replace('`', "\"");
    CLIENTS.iter().any(|client| text.contains(client)) && (has_address(text) || has_host(text))
}

/// `postgresql+psycopg2://user@db.example.com/app`
fn has_address(text: &str) -> bool {
    text.match_indices("://").any(|(at, _)| {
        let scheme = text.get(..at).unwrap_or_default();
        let scheme =
            scheme.rsplit(|it: char| !(it.is_alphanumeric() || it == '+')).next().unwrap_or_default();
        let rest = text.get(at + 3..).unwrap_or_default();
        let end = rest.find(['"', '\'', '`', ' ', '\n', ')']).unwrap_or(rest.len());
        let address = rest.get(..end).unwrap_or(rest);
        let host = address.split('/').next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        SCHEMES.iter().any(|start| scheme.starts_with(start))
            && !host.is_empty()
            && !crate::web::is_loopback(address)
    })
}

/// `host='db.example.com'`, `host: "10.0.0.5"`, `"host=prod dbname=x"`
fn has_host(text: &str) -> bool {
    text.match_indices("host").any(|(at, word)| {
        let apart =
            !text.get(..at).unwrap_or_default().ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let after = text.get(at + word.len()..).unwrap_or_default();
        let after = after.trim_start_matches(['"', '\'', '\\']).trim_start();
        let Some(value) = after.strip_prefix(['=', ':']) else { return false };
        let value = value.trim_start_matches([' ', '\\', '"', '\'']);
        let end =
            value.find(|it: char| !(it.is_alphanumeric() || ".-:[]".contains(it))).unwrap_or(value.len());
        let host = value.get(..end).unwrap_or_default();
        apart && !host.is_empty() && !crate::web::is_loopback(host)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C5]
    #[test]
    fn hosts_of_databases_are_seen() {
        for code in [
            "psycopg2.connect('postgresql://u:p@db.example.com/app')",
            "psycopg2.connect(host='db.example.com')",
            "psycopg2.connect(\"host=10.0.0.5 dbname=x\")",
            "redis.redis(host='cache.internal')",
            "new (require('pg').client)({host: 'db.example.com'})",
            "new (require(`pg`).client)({host: `db.example.com`})",
        ] {
            assert!(connects(code), "{code}");
        }
        for code in [
            "psycopg2.connect('postgresql://u:p@localhost/app')",
            "psycopg2.connect(host='127.0.0.1')",
            "psycopg2.connect('dbname=x')",
            "create_engine('sqlite:///a.db')",
            "redis.redis()",
            "f(host='db.example.com')",
        ] {
            assert!(!connects(code), "{code}");
        }
    }
}
