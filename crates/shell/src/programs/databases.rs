//! Database clients and their tools.

use super::databases_checks as check;
use super::databases_checks::{CHANGES, DESTROYS};
use super::remote::carries_nothing;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const ASKS: Effects = Effects::NETWORK_READ;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("psql pgcli", ASKS)
        .style(Style::Gnu)
        .options(
            "-abeEnqsSAHtxz01XlwW -V!help -cd= -f=read!executes -v= -L=write -o= -FPRThpU= --command= \
                --dbname= \
             --file=read!executes --list --set= --variable= --version!help --no-psqlrc --single-transaction \
             --help=?!help \
             --echo-all --echo-errors --echo-queries --echo-hidden --log-file=write --no-readline --output= \
             --quiet \
             --single-step --single-line --no-align --csv --field-separator= --html --pset= \
             --record-separator= \
             --tuples-only --table-attr= --expanded --field-separator-zero --record-separator-zero --host= \
             --port= \
             --username= --no-password --password",
        )
        .operands(Operands::Text)
        .check(check::psql)
        .examples(&[
            ("psql -c 'SELECT * FROM users'", "network-read"),
            ("psql -h localhost -At -c '\\d+ users'", "network-read"),
            ("psql -l", "network-read"),
            ("psql -c 'DROP TABLE users'", "network-read network-write deletes"),
            ("psql -c 'INSERT INTO t VALUES (1)'", "network-read network-write"),
            ("psql -c '\\! ls'", "network-read executes"),
            ("psql -c '\\d \\! ls'", "network-read executes"),
            ("psql -c '\\copy t to x'", "network-read executes"),
            ("psql -c 'SELECT f()'", "network-read unknown"),
            ("psql -c 'SELECT 1' -o x", "network-read writes"),
            ("psql -c 'SELECT 1' -o '|sh'", "network-read executes"),
            ("psql -f x.sql", "network-read reads executes"),
            ("psql mydb", "network-read executes"),
            ("psql -c 'SELECT * FROM pg_shadow'", "network-read secrets"),
        ]),
    Spec::new("mysql mariadb", ASKS)
        .options(
            "-ABCEHNXbfinqrstvVcw -?I!help -e= -p=? -hPuDS= --help!help --execute= --host= --user= --port= \
                --socket= --database= --password=? \
             --batch --html --xml --table --vertical --silent --verbose --raw --skip-column-names \
             --column-names \
             --no-auto-rehash --skip-auto-rehash --compress --force --quick --unbuffered --wait --protocol= \
             --ssl \
             --skip-ssl --ssl-mode= --ssl-ca=read --ssl-cert=read --ssl-key=read!secrets \
             --default-character-set= \
             --connect-timeout= --login-path= --no-defaults --safe-updates --i-am-a-dummy --comments \
             --skip-comments \
             --skip-pager --column-type-info --show-warnings --auto-vertical-output --line-numbers \
             --skip-line-numbers --binary-as-hex --max-allowed-packet= --get-server-public-key \
             --defaults-file=read!executes --defaults-extra-file=read!executes --defaults-group-suffix= \
             --tee=write --pager=?!executes --init-command=exec --plugin-dir=!executes \
             --default-auth=!executes \
             --local-infile=?!sends-data",
        )
        .operands(Operands::Text)
        .check(check::mysql)
        .examples(&[
            ("mysql -u root -psecret -e 'SHOW TABLES' db", "network-read"),
            ("mysql -e 'SELECT * FROM t\\G'", "network-read"),
            ("mysql -e 'DELETE FROM t'", "network-read network-write deletes"),
            ("mysql -e 'system ls'", "network-read unknown"),
            ("mysql db", "network-read executes"),
            ("mysql --tee=x -e 'SELECT 1'", "network-read writes"),
            ("mysql --init-command=x -e 'SELECT 1'", "network-read executes"),
        ]),
    Spec::new("sqlite3 sqlite", Effects::READS)
        .style(Style::SingleDash)
        .options(
            "-ascii -bail -batch -box -column -csv -echo -header -noheader -html -json -line -list -markdown \
                -quote \
             -readonly -safe -stats -table -tabs -nofollow -memtrace -deserialize -interactive!executes -cmd= \
             -init=read!executes -lookaside= -pagecache= -maxsize= -mmap= -newline= -nonce= -nullvalue= \
             -separator= -vfs= \
             -escape= -A!writes -append!writes -zip -utf8 -no-utf8 -unsafe-testing!unknown -help!help \
             -version!help",
        )
        .operands(Operands::Text)
        .check(check::file_database)
        .examples(&[
            ("sqlite3 my.db 'SELECT * FROM users'", "reads creates-missing"),
            ("sqlite3 -header -csv my.db .schema", "reads creates-missing"),
            ("sqlite3 my.db '.tables' 'PRAGMA table_info(a)'", "reads creates-missing"),
            ("sqlite3 -lookaside 100 50 my.db 'SELECT 1'", "reads creates-missing"),
            ("sqlite3 my.db 'DELETE FROM users'", "reads writes deletes creates-missing"),
            ("sqlite3 -readonly my.db 'DROP TABLE users'", "reads"),
            ("sqlite3 -readonly my.db 'SELECT writefile(1, 2)'", "reads unknown"),
            ("sqlite3 my.db .recover", "reads creates-missing"),
            ("sqlite3 my.db '.recover -recovery-db x.db'", "reads writes creates-missing"),
            ("sqlite3 my.db \"SELECT data FROM fsdir WHERE path='/root/.ssh/id_rsa'\"", "reads unknown creates-missing"),
            ("sqlite3 -readonly my.db 'SELECT data FROM \"fsdir\"'", "reads unknown"),
            ("sqlite3 my.db '.shell ls'", "reads executes creates-missing"),
            ("sqlite3 my.db '.output x'", "reads writes creates-missing"),
            ("sqlite3 my.db '.archive -x'", "reads executes creates-missing"),
            ("sqlite3 my.db \"ATTACH 'b.db' AS b\"", "reads writes creates-missing"),
            ("sqlite3 my.db \"ATTACH 'b' || '.db' AS b\"", "reads writes unknown creates-missing"),
            ("sqlite3 -cmd '.shell ls' my.db .tables -help", "reads executes creates-missing"),
            ("sqlite3 my.db", "reads executes creates-missing"),
            ("sqlite3 -init x my.db 'SELECT 1'", "reads executes creates-missing"),
        ]),
    Spec::new("duckdb", Effects::READS)
        .style(Style::SingleDash)
        .options(
            "-ascii -bail -batch -box -column -csv -echo -header -noheader -html -json -jsonlines -line \
                -list -markdown \
             -latex -trash -quote -readonly -safe -stats -table -tabs -no-stdin -interactive!executes -cmd= \
             -c= -s= -f=read!executes \
             -init=read!executes -newline= -nullvalue= -separator= -unsigned!executes -unredacted!secrets \
             -ui!system \
             -storage-version= -no-init -help!help -version!help",
        )
        .operands(Operands::Text)
        .check(check::file_database)
        .examples(&[
            ("duckdb my.db 'SELECT * FROM users'", "reads creates-missing"),
            ("duckdb -c \"SELECT * FROM read_csv('a.csv')\"", "reads"),
            ("duckdb -c \"SELECT * FROM '~/.aws/credentials'\"", "reads secrets"),
            ("duckdb -c \"SELECT * FROM '~/.aws/cred*'\"", "reads secrets"),
            ("duckdb -c \"SELECT * FROM read_csv('/etc/sha'||'dow')\"", "reads unknown"),
            ("duckdb -c \"SELECT * FROM 'https://example.com/a.csv'\"", "reads unknown"),
            ("duckdb my.db 'COPY users TO x'", "reads writes creates-missing"),
            ("duckdb -c 'INSTALL httpfs'", "reads writes executes"),
            ("duckdb -c \"ATTACH 'dbname=x' AS x (TYPE postgres)\"", "reads writes unknown"),
            ("duckdb -c 'SELECT 1; LOAD shellfs'", "reads writes executes"),
            ("duckdb", "reads executes"),
            ("duckdb -f x.sql", "reads executes"),
        ]),
    Spec::new("sqlcmd", ASKS)
        .options(
            "-EGNCWIXkrbeuxpR1A -h= -SUdHtwascyYDPKVvmlf= -Qq= -i=read!executes -o=write -z=!permissions \
                -Z=!permissions -L \
             --help!help --version!help --query= --text= --server= --database-name= \
             --input-file=read!executes --output-file=write \
             --user-name= --use-trusted-connection --trust-server-certificate --authentication-method=",
        )
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("query", ASKS).options("-qt= --query= --text= --database=").operands(Operands::Text).check(check::sqlcmd_query),
            Spec::new("config", Effects::READS).verbs(&[
                Spec::new("view get-contexts get-endpoints get-users", Effects::READS).options("--detailed --name= --raw!secrets").operands(Operands::Text),
                Spec::new("connection-strings cs", Effects::SECRETS).operands(Operands::Text),
                Spec::new("add-context add-endpoint add-user delete-context delete-endpoint delete-user use-context", Effects::WRITES)
                    .options("--*")
                    .operands(Operands::Text),
            ]),
            Spec::new("create install start stop delete uninstall open", Effects::SYSTEM).options("--*").operands(Operands::Text),
            Spec::new("help completion", Effects::READS).operands(Operands::Text),
        ])
        .check(check::sqlcmd)
        .examples(&[
            ("sqlcmd -S srv -Q 'SELECT 1'", "network-read"),
            ("sqlcmd query 'SELECT 1'", "network-read"),
            ("sqlcmd query --query 'DROP TABLE t'", "network-read network-write deletes"),
            ("sqlcmd config view", "reads"),
            ("sqlcmd config view --raw", "reads secrets"),
            ("sqlcmd create mssql --accept-eula", "system"),
            ("sqlcmd -h", "reads"),
            ("sqlcmd -i x.sql", "network-read reads executes"),
            ("sqlcmd -Q ':!! dir'", "network-read unknown"),
            ("sqlcmd", "network-read executes"),
        ]),
    Spec::new("redis-cli valkey-cli keydb-cli iredis", ASKS)
        .style(Style::Stops)
        .options(
            "-c23 -e -hpsanurDdit= -x!sends-data -X=!sends-data --user= --pass= --askpass --no-auth-warning \
                --raw --no-raw --csv --json \
             --quoted-json --show-pushes= --tls --sni= --cacert=read --cert=read --key=read!secrets \
             --insecure --stat \
             --latency --latency-history --latency-dist --scan --pattern= --count= --bigkeys --memkeys \
             --hotkeys \
             --quoted-pattern= --intrinsic-latency= --verbose --eval=read!executes \
             --pipe!network-write!sends-data \
             --pipe-timeout= --rdb=write --functions-rdb=write --cluster=!network-write \
             --lru-test=!network-write \
             --replica --slave --memkeys-samples= --ldb!executes --help!help --version!help",
        )
        .operands(Operands::Text)
        .check(check::redis)
        .examples(&[
            ("redis-cli -h example.com GET key", "network-read"),
            ("redis-cli info memory", "network-read"),
            ("redis-cli --scan --pattern 'a*'", "network-read"),
            ("redis-cli CONFIG GET maxmemory", "network-read"),
            ("redis-cli CONFIG GET '*'", "network-read secrets"),
            ("redis-cli FLUSHALL", "network-read network-write deletes"),
            ("redis-cli SET a b", "network-read network-write"),
            ("redis-cli --rdb x", "network-read writes"),
            ("redis-cli", "network-read executes"),
        ]),
    Spec::new("mongosh mongo cqlsh usql clickhouse-client clickhouse clickhouse-local influx snowsql trino \
        presto beeline hive spark-sql isql osql tsql sqlplus mycli litecli mssql-cli cypher-shell \
        arangosh couchbase-cli cbq immuclient questdb surreal", ASKS.and(Effects::EXECUTES))
        .options("-uphdefqn= --quiet --eval= --host= --port= --username= --password= --query= --file= --norc \
            --json= --database=")
        .operands(Operands::Text)
        .examples(&[
            ("mongosh --eval 'db.dropDatabase()'", "network-read executes"),
            ("clickhouse-client --query 'SELECT 1'", "network-read executes"),
        ]),
    Spec::new("pg_dump pg_dumpall", ASKS)
        .style(Style::Gnu)
        .options(
            "-abBcCOsxvwWgr -V!help -f=write -FjZeEnNStTdhpUl= --file=write --format= --jobs= --verbose \
                --compress= --lock-wait-timeout= \
             --no-sync --data-only --blobs --no-blobs --large-objects --no-large-objects --clean --create \
             --extension= \
             --encoding= --schema= --exclude-schema= --no-owner --schema-only --superuser= --table= \
             --exclude-table= \
             --no-privileges --no-acl --binary-upgrade --column-inserts --attribute-inserts \
             --disable-dollar-quoting \
             --disable-triggers --enable-row-security --exclude-table-data= --extra-float-digits= --if-exists \
             --include-foreign-data= --inserts --load-via-partition-root --no-comments --no-publications \
             --no-security-labels --no-subscriptions --no-table-access-method --no-tablespaces \
             --no-toast-compression --no-unlogged-table-data --on-conflict-do-nothing --quote-all-identifiers \
             --rows-per-insert= --section= --serializable-deferrable --snapshot= --strict-names \
             --use-set-session-authorization --dbname= --host= --port= --username= --no-password --password \
             --role= \
             --globals-only --roles-only --tablespaces-only --database= --exclude-database= \
             --no-role-passwords \
             --restrict-key= --filter=read --help!help --version!help",
        )
        .operands(Operands::Text)
        .check(check::whole_dump)
        .examples(&[
            ("pg_dump -s mydb", "network-read"),
            ("pg_dump -f x mydb", "network-read writes"),
            ("pg_dumpall", "network-read secrets"),
        ]),
    Spec::new("mysqldump mariadb-dump", ASKS)
        .options(
            "-adnqtABvCE -p=? -huPSw= -r=write -T=write --no-data --no-create-info --no-create-db \
                --single-transaction --quick --all-databases --databases \
             --routines --triggers --events --host= --user= --port= --password=? --where= --ignore-table= \
             --skip-lock-tables \
             --compact --add-drop-table --skip-add-drop-table --hex-blob --result-file=write --tab=write \
             --set-gtid-purged= --column-statistics= --no-tablespaces --skip-comments --extended-insert \
             --skip-extended-insert \
             --complete-insert --xml --flush-logs!network-write --delete-master-logs!network-write \
             --defaults-file=read!executes",
        )
        .operands(Operands::Text)
        .check(carries_nothing)
        .examples(&[("mysqldump -u root --no-data db", "network-read"), ("mysqldump -r x db", "network-read writes")]),
    Spec::new("pg_isready", ASKS)
        .options("-q -dhptU= --dbname= --host= --port= --timeout= --username= --quiet")
        .check(carries_nothing)
        .examples(&[("pg_isready -h localhost", "network-read"), ("pg_isready --foo", "network-read unknown")]),
    Spec::new("dropdb dropuser", DESTROYS)
        .options("-efiwW -hpUI= --if-exists --force --echo --interactive --host= --port= --username= \
            --no-password --password --maintenance-db=")
        .operands(Operands::Text)
        .examples(&[("dropdb --if-exists a", "network-write deletes")]),
    Spec::new("createdb createuser vacuumdb reindexdb clusterdb pg_restore pg_basebackup pgbench \
        pg_recvlogical pg_receivewal pg_rewind pg_checksums pg_resetwal mysqlimport mongorestore \
        mongoimport influxd mysql_upgrade mysqlcheck mariadb-check", CHANGES)
        .options("-eacCOswWvdjtnFfhpUEDTloP= --host= --port= --username= --dbname= --clean --create --if-exists \
            --no-owner --no-privileges --no-acl --jobs= --verbose --encoding= --owner= --template= --list")
        .operands(Operands::Text)
        .examples(&[("createdb a", "network-write"), ("pg_restore --clean -d a dump", "network-write")]),
    Spec::new("mongodump mongoexport", ASKS)
        .options(
            "-v -dchupqf= -o=write --db= --collection= --host= --port= --uri= --username= --password= \
                --out=write \
             --archive=?!writes --gzip --query= --queryFile=read --fields= --type= --limit= --sort= --pretty \
             --quiet \
             --authenticationDatabase= --ssl --tls --config=read!executes",
        )
        .check(check::writes_by_default)
        .examples(&[
            ("mongodump --db a", "network-read writes"),
            ("mongoexport -d a -c b", "network-read"),
            ("mongoexport -d a -c b -o x", "network-read writes"),
        ]),
    Spec::new("pg_config pg_controldata", Effects::READS)
        .options("-D= --version --bindir --libdir --includedir --includedir-server --pkglibdir --sharedir \
            --sysconfdir --configure --pgxs --cflags --libs")
        .operands(Operands::Read)
        .examples(&[("pg_config --bindir", "reads"), ("pg_config --foo", "reads unknown")]),
    Spec::new("mysqladmin mariadb-admin", CHANGES)
        .options("-fsivE -p=? -huPS= --host= --user= --port= --password=? --socket= --silent --wait=?")
        .check(carries_nothing)
        .verbs(&[
            Spec::new("ping status version processlist extended-status variables", ASKS),
            Spec::new("create password flush-hosts flush-logs flush-privileges flush-status flush-tables reload \
                refresh start-slave stop-slave debug", CHANGES)
                .operands(Operands::Text),
            Spec::new("drop", DESTROYS).operands(Operands::Text),
            Spec::new("kill shutdown", CHANGES.and(Effects::KILLS)).operands(Operands::Text),
        ])
        .examples(&[
            ("mysqladmin -u root status", "network-read"),
            ("mysqladmin drop db", "network-write deletes"),
            ("mysqladmin ping drop db", "network-read unknown"),
            ("mysqladmin shutdown", "network-write kills"),
        ]),
    Spec::new("pg_ctl", Effects::SYSTEM)
        .options("-sWw -Dlotmpc= --pgdata= --log= --mode= --options= --wait --no-wait --timeout= --silent")
        .operands(Operands::Text)
        .verbs(&[Spec::new("status", Effects::READS).options("-D= --pgdata=")])
        .examples(&[("pg_ctl status -D d", "reads"), ("pg_ctl -D d stop", "system")]),
    Spec::new("pg_ctlcluster mysqld mariadbd mongod redis-server valkey-server postgres mysqld_safe memcached \
        pg_createcluster pg_dropcluster initdb mysql_install_db mysql_secure_installation \
        redis-sentinel clickhouse-server", Effects::SYSTEM)
        .style(Style::Raw)
        .examples(&[("initdb -D d", "system"), ("redis-server status", "system")]),
    Spec::new("pg_lsclusters", Effects::READS).options("-hj").examples(&[("pg_lsclusters", "reads"), ("pg_lsclusters -x", "reads unknown")]),
    Spec::new("rabbitmqctl rabbitmqadmin rabbitmq-diagnostics", CHANGES)
        .options("-qs -npfuHPV= --node= --formatter= --vhost= --quiet --silent")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("status list_* cluster_status ping check_* environment report version help list show", ASKS)
                .options("-q")
                .operands(Operands::Text),
            Spec::new("eval exec", Effects::EXECUTES).operands(Operands::Text),
            Spec::new("delete_* purge_queue delete purge", DESTROYS).operands(Operands::Text),
        ])
        .examples(&[
            ("rabbitmqctl list_queues name messages", "network-read"),
            ("rabbitmqctl delete_queue q", "network-write deletes"),
            ("rabbitmqctl eval x.", "executes"),
            ("rabbitmqctl add_user a b", "network-write"),
        ]),
    Spec::new("kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs \
        kafka-configs.sh kafka-acls kafka-acls.sh", ASKS)
        .options(
            "--bootstrap-server= --zookeeper= --list --describe --topic= --group= --all-groups --all-topics \
                --members --offsets \
             --state --verbose --entity-type= --entity-name= --exclude-internal --under-replicated-partitions \
             --create!network-write --alter!network-write --delete!network-write!deletes --partitions= \
             --replication-factor= --config= --add-config=!network-write --delete-config=!network-write \
             --reset-offsets!network-write --execute!network-write --to-earliest --to-latest \
             --add!network-write \
             --remove!network-write --delete-offsets!network-write --command-config=read!executes \
             --if-exists --if-not-exists",
        )
        .examples(&[
            ("kafka-topics --bootstrap-server a:9092 --list", "network-read"),
            ("kafka-topics --delete --topic t", "network-read network-write deletes"),
        ]),
    Spec::new("kafka-console-producer kafka-console-producer.sh kafka-console-consumer \
        kafka-console-consumer.sh kcat kafkacat kafka-server-start kafka-server-stop zkCli.sh nats \
        mosquitto_pub", Effects::NETWORK_WRITE.and(Effects::SENDS_DATA))
        .options("-bthpmCPLGeqoc= --bootstrap-server= --topic= --from-beginning --max-messages= --group=")
        .operands(Operands::Text)
        .examples(&[("kcat -b a -t t -P", "network-write sends-data")]),
    Spec::new("mosquitto_sub", ASKS)
        .options("-vd -hptuPqCWi= --pw= --username=")
        .examples(&[("mosquitto_sub -h a -t t", "network-read"), ("mosquitto_sub --foo", "network-read unknown")]),
];
