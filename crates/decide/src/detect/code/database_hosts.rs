//! Databases on other machines that code connects to.

/// Clients, in small letters.
const CLIENTS: &[&str] = words!(
    "psycopg asyncpg pymysql mysql.connector mysql2 pymongo mongoose mongodb redis sqlalchemy create_engine require('pg') \
     require(\"pg\") 'pg' \"pg\" clickhouse cassandra pyodbc pymssql sequel.connect pg.connect pg:: mysqldb mysqli pdo( pg_connect \
     dbi-> cx_oracle oracledb require('mysql') require(\"mysql\") knex prisma motor neo4j elasticsearch"
);

/// Ways to say which machine is meant.
const SAYS_WHERE: &[&str] = words!(
    "host server service dsn :// connect( redis( redis\"))( client( createpool( createclient( cluster( mysqli("
);

/// What is on this machine: a name of it, a file, or nothing at all.
const HERE: &[&str] = words!("localhost 127.0.0.1 ::1 sqlite :memory: redis() redis(6379) connect('')");

/// Whether code, in small letters, connects to a database that is not known to be on this machine.
pub(super) fn connects(text: &str) -> bool {
    let text = &text.replace('`', "\"");
    let says = |list: &[&str]| list.iter().any(|word| text.contains(word));
    let names_machine = || text.split("://").skip(1).any(|rest| !crate::web::is_loopback(rest));
    let only_name = text.contains("dbname=") && !text.contains("host") && !text.contains("service");
    let told = text.contains("pghost") || text.contains("pgservice");
    says(CLIENTS) && told
        || says(CLIENTS)
            && says(SAYS_WHERE)
            && !only_name
            && (!says(HERE) || (text.contains("://") && names_machine() && !text.contains("sqlite")))
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
            "new (require('pg').client)({host: 'db.example.com'})",
            "mysqldb.connect('db.example.com', 'u')",
            "pymongo.mongoclient(['db1', 'db2'])",
            "psycopg2.connect('service=prod')",
        ] {
            assert!(connects(code), "{code}");
        }
        for code in [
            "psycopg2.connect('postgresql://u:p@localhost/app')",
            "psycopg2.connect(host='127.0.0.1')",
            "psycopg2.connect('dbname=x')",
            "create_engine('sqlite:///a.db')",
            "redis.redis()",
            "psycopg2.connect('')",
            "f(host='db.example.com')",
        ] {
            assert!(!connects(code), "{code}");
        }
    }
}
