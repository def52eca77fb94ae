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
    "pg::",
    "mysqldb",
    "mysqli",
    "pdo(",
    "pg_connect",
    "dbi->",
    "cx_oracle",
    "oracledb",
    "require('mysql')",
    "require(\"mysql\")",
    "knex",
    "prisma",
    "motor",
    "neo4j",
    "elasticsearch",
];

/// Calls that connect, and take the name of the other machine first.
const CONNECTS: &[&str] = &[
    "connect(",
    "redis(",
    "mongoclient(",
    "createclient(",
    "createpool(",
    "createconnection(",
    "cluster(",
    "elasticsearch(",
    "mysqli(",
    "mysqli_connect(",
    "connection.new(",
    "redis.new(",
    "ioredis\"))(",
    "ioredis'))(",
];

/// What the other machine is called by, in calls and in texts that say where to connect.
const KEYS: &[&str] = &["host", "hostaddr", "pghost", "pghostaddr", "pgservice", "server", "service", "dsn"];

/// Beginnings of addresses of databases.
const SCHEMES: &[&str] =
    &["postgres", "mysql", "redis", "mongodb", "mssql", "amqp", "clickhouse", "cockroach", "bolt", "neo4j"];

/// Whether code, in small letters, connects to a database that is not on this machine.
pub(super) fn connects(text: &str) -> bool {
    // JavaScript may write any text in backticks.
    let text = &text.replace('`', "\"");
    CLIENTS.iter().any(|client| text.contains(client))
        && (has_address(text) || KEYS.iter().any(|key| has_host(text, key)) || begins_with_host(text))
}

/// `MySQLdb.connect('db.example.com', …)`, `MongoClient(['db1', 'db2'])`
fn begins_with_host(text: &str) -> bool {
    let given = CONNECTS.iter().flat_map(|call| text.split(call).skip(1));
    given.into_iter().any(|given| {
        // `new Redis(6379, 'cache')`
        let given =
            given.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, ',' | ' ' | '[' | '\\'));
        let Some(inside) = given.strip_prefix(['"', '\'']) else { return false };
        let end = inside.find(['"', '\'', '\\']).unwrap_or(inside.len());
        let value = inside.get(..end).unwrap_or_default();
        // A text with names and values is looked at by its names; a path is a file or a socket.
        let host = value.rsplit('@').next().unwrap_or_default();
        let other = value.is_empty() || value.contains(['=', ' ']) || host.starts_with(['/', '.', ':']);
        let file = [".db", ".sqlite", ".sqlite3", ".duckdb"].iter().any(|end| value.ends_with(end));
        let local = file && text.contains("sqlite");
        !other && !local && !value.contains("://") && !crate::web::is_loopback(host)
    })
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
fn has_host(text: &str, key: &str) -> bool {
    text.match_indices(key).any(|(at, word)| {
        let apart =
            !text.get(..at).unwrap_or_default().ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let after = text.get(at + word.len()..).unwrap_or_default();
        let after = after.trim_start_matches(['"', '\'', '\\', ']']).trim_start();
        let Some(value) = after.strip_prefix("=>").or_else(|| after.strip_prefix(['=', ':'])) else {
            return false;
        };
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
            "mysqldb.connect('db.example.com', 'u')",
            "pymongo.mongoclient(['db1', 'db2'])",
            "require('ioredis'); new redis(6379, 'cache.internal')",
            "redis.strictredis('cache')",
            "os.environ['pghost']='db'; psycopg2.connect('')",
            "psycopg2.connect('service=prod')",
            "mysql2::client.new(:host => 'db')",
        ] {
            assert!(connects(code), "{code}");
        }
        for code in [
            "psycopg2.connect('postgresql://u:p@localhost/app')",
            "psycopg2.connect(host='127.0.0.1')",
            "psycopg2.connect('dbname=x')",
            "create_engine('sqlite:///a.db')",
            "redis.redis()",
            "redis.redis('localhost')",
            "redis.redis(6379)",
            "psycopg2.connect('')",
            "psycopg2.connect('dbname=x user=y')",
            "import redis, sqlite3; sqlite3.connect('a.db')",
            "sqlalchemy; x.connect('./a.db')",
            "pymysql; x.connect('u@localhost')",
            "connect('db.example.com')",
            "f(host='db.example.com')",
        ] {
            assert!(!connects(code), "{code}");
        }
    }
}
