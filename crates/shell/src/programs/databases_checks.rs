//! What the tables of database clients cannot say: what their statements and commands do.

use super::invocation::{Invocation, Outcome};
use super::remote::carries_nothing;
use super::sql::{self, Kind};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::Why;

pub(super) const DESTROYS: Effects = Effects::NETWORK_WRITE.and(Effects::DELETES);

pub(super) const CHANGES: Effects = Effects::NETWORK_WRITE;

/// Text that the client or the server runs as SQL.
fn runs_sql<'a>(text: &'a str, argument: Argument<'a>, changes: Effects, out: &mut Outcome<'a>) {
    let query = sql::read(text);
    match query.kind {
        Kind::Reads => {}
        Kind::Changes => out.add(changes),
        Kind::Destroys => out.add(changes.and(Effects::DELETES)),
        Kind::Unclear => out.doubt(Why::UnclearCode, text, argument.span),
    }
    if query.secret {
        out.add(Effects::SECRETS);
    }
}

/// A script known only at run time.
fn runs_unknown<'a>(argument: Argument<'a>, out: &mut Outcome<'a>) {
    out.executes();
    out.doubt(Why::UnclearCode, argument.text, argument.span);
}

fn given<'a>(invocation: &Invocation<'_, 'a>, names: &[&str]) -> Vec<Argument<'a>> {
    invocation
        .options
        .iter()
        .filter(|seen| names.contains(&seen.name))
        .filter_map(|seen| seen.value)
        .collect()
}

/// Commands of psql that only show something, or change how it is shown.
fn psql_shows(command: &str) -> bool {
    const PLAIN: &[&str] = &[
        "l", "z", "conninfo", "sf", "sv", "h", "help", "x", "timing", "pset", "a", "t", "H", "q", "lo_list",
        "dconfig",
    ];
    let (name, rest) = command.split_once([' ', '\t']).unwrap_or((command, ""));
    let bare = name.trim_end_matches(['+', 'S', 'x']);
    let describes =
        bare.starts_with('d') && bare.len() <= 4 && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
    (describes || PLAIN.contains(&bare) || PLAIN.contains(&name)) && !rest.contains(['\\', '`', '|'])
}

/// The statements that a client is fed, where they stand in the line; as if they stood among its words, so that what they
/// name is its doing.
fn fed<'a>(invocation: &Invocation<'_, 'a>, out: &Outcome<'a>) -> Option<Argument<'a>> {
    let text = out.input.or(out.piped).filter(|text| text.literal)?;
    let span = invocation.words.first().map_or(text.span, |word| word.span);
    Some(Argument { span, ..text })
}

/// What a client is fed, line by line: `command` says of a line that is no statement what it does.
fn runs_input<'a>(
    input: Argument<'a>,
    command: impl Fn(&str) -> Option<bool>,
    out: &mut Outcome<'a>,
) -> Option<Argument<'a>> {
    let mut statements = String::new();
    for line in input.text.lines() {
        match command(line.trim()) {
            Some(true) => {}
            Some(false) => out.executes(),
            None => {
                statements.push_str(line);
                statements.push('\n');
            }
        }
    }
    let text = out.arena.alloc_str(statements.trim());
    (!text.is_empty()).then(|| Argument::literal(text, input.span))
}

/// A line for psql that is more than a statement: a command can also stand behind one.
fn psql_line(line: &str) -> Option<bool> {
    let command = line.strip_prefix('\\');
    (command.is_some() || line.contains(['\\', '`'])).then(|| command.is_some_and(psql_shows))
}

/// The same for mysql, whose commands are words.
fn mysql_line(line: &str) -> Option<bool> {
    const COMMANDS: &[&str] = &[
        "system",
        "source",
        "tee",
        "notee",
        "pager",
        "nopager",
        "edit",
        "delimiter",
        "connect",
        "status",
        "prompt",
        "print",
        "ego",
        "go",
        "charset",
        "resetconnection",
        "query_attributes",
        "use",
    ];
    let first = line.split([' ', '\t', ';']).next().unwrap_or_default().to_ascii_lowercase();
    (line.contains('\\') || COMMANDS.contains(&first.as_str())).then_some(false)
}

/// The same for the shell of `SQLite`: what begins with a dot.
fn dotted_line(line: &str) -> Option<bool> {
    let command = line.strip_prefix('.')?;
    Some(dot_command(command) == Effects::READS)
}

pub(super) fn psql<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    if let Some(file) = invocation.value(&["o", "--output"]) {
        if file.prefix().starts_with('|') { out.executes() } else { out.writes(file) }
    }
    let commands = given(invocation, &["c", "--command"]);
    for argument in &commands {
        match argument.known().map(str::trim_start) {
            Some(text) => match text.strip_prefix('\\') {
                Some(command) if psql_shows(command.trim_end()) => {}
                Some(_) => out.executes(),
                None => runs_sql(text, *argument, CHANGES, out),
            },
            None => runs_unknown(*argument, out),
        }
    }
    if commands.is_empty() && !invocation.has(&["l", "--list", "f", "--file"]) && !out.help {
        match fed(invocation, out) {
            Some(input) => {
                if let Some(text) = runs_input(input, psql_line, out) {
                    runs_sql(text.text, text, CHANGES, out);
                }
            }
            None => out.executes(),
        }
    }
}

pub(super) fn mysql<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    let commands = given(invocation, &["e", "--execute"]);
    for argument in &commands {
        match argument.known() {
            Some(text) => {
                let text = text.trim_end();
                runs_sql(text.strip_suffix("\\G").unwrap_or(text), *argument, CHANGES, out);
            }
            None => runs_unknown(*argument, out),
        }
    }
    if commands.is_empty() && !out.help {
        match fed(invocation, out) {
            Some(input) => {
                if let Some(text) = runs_input(input, mysql_line, out) {
                    runs_sql(text.text, text, CHANGES, out);
                }
            }
            None => out.executes(),
        }
    }
}

/// A command of the `SQLite` shell, without its dot.
fn dot_command(command: &str) -> Effects {
    const SHOWS: &str = "bail binary changes databases dbconfig dbinfo dump echo eqp exit explain fullschema header headers \
        help indexes indices limit lint maxrows mode nullvalue print quit schema separator sha3sum \
        show stats tables timeout timer version vfsinfo vfslist vfsname width columns rows highlight tab sch \
        ind head";
    const WRITES: &str = "output once excel backup save clone import log trace open";
    let (name, rest) = command.split_once([' ', '\t', '\n']).unwrap_or((command, ""));
    // Another database takes the place of what is there; every beginning of the name will do.
    if name.len() > 3 && "restore".starts_with(name) {
        return Effects::WRITES.and(Effects::UNKNOWN);
    }
    if rest.contains('\n') {
        return Effects::UNKNOWN;
    }
    // An argument can name a database that is made on the way.
    if name == "recover" {
        return if rest.trim().is_empty() { Effects::READS } else { Effects::READS.and(Effects::WRITES) };
    }
    if SHOWS.split_ascii_whitespace().any(|known| known == name) {
        Effects::READS
    } else if WRITES.split_ascii_whitespace().any(|known| known == name) && !rest.contains('|') {
        Effects::WRITES
    } else {
        Effects::EXECUTES
    }
}

/// The files that a command of the `SQLite` shell names: those that it takes something from may be changed as well.
fn dot_files<'a>(command: &'a str, span: Span, out: &mut Outcome<'a>) {
    let (name, rest) = command.split_once([' ', '\t']).unwrap_or((command, ""));
    let rest = rest.trim();
    if matches!(name, "import" | "restore" | "open") {
        let words =
            rest.split(['"', '\'', ' ', '\t']).filter(|word| !word.is_empty() && !word.starts_with('-'));
        return words.for_each(|word| out.reads(Argument::literal(word, span)));
    }
    let quote = rest.chars().next_back().filter(|last| matches!(last, '"' | '\''));
    let last = match quote {
        Some(quote) => rest.strip_suffix(quote).and_then(|inside| inside.rsplit(quote).next()),
        None => rest.split_ascii_whitespace().next_back(),
    };
    if let Some(file) = last.filter(|file| !matches!(*file, "" | "stdout" | "stderr" | "off" | "on")) {
        out.writes(Argument::literal(file, span));
    }
}

/// `ATTACH 'file' AS x`, `VACUUM INTO 'file'`: a further database of which all that follows may speak.
fn further_files<'a>(text: &str, strings: &[&'a str], argument: Argument<'a>, out: &mut Outcome<'a>) {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("attach") && !lower.contains("vacuum") {
        return;
    }
    // Put together from parts, or another kind of database behind words of its own.
    if lower.contains("||") || (lower.contains("attach") && lower.contains("type")) {
        out.doubt(Why::UnclearCode, text, argument.span);
    }
    for string in strings {
        let file = string.strip_prefix("file:").unwrap_or(string).split('?').next().unwrap_or_default();
        let file = Argument::literal(file, argument.span);
        if lower.contains("vacuum") { out.writes(file) } else { out.reads(file) }
    }
}

fn file_sql<'a>(argument: Argument<'a>, protected: bool, duck: bool, out: &mut Outcome<'a>) {
    let Some(text) = argument.known() else { return runs_unknown(argument, out) };
    if let Some(command) = text.trim_start().strip_prefix('.') {
        let command = command.trim_end();
        let does = dot_command(command);
        if does.meets(Effects::WRITES) && !does.meets(Effects::READS) {
            dot_files(command, argument.span, out);
        }
        return out.add(does);
    }
    let query = sql::read(text);
    if query.kind != Kind::Unclear
        && protected
        && query.plain
        && !text.to_ascii_lowercase().contains("vacuum")
    {
        return;
    }
    runs_sql(text, argument, Effects::WRITES, out);
    further_files(text, &query.strings, argument, out);
    if query.loads {
        out.executes();
    }
    for string in query.strings.iter().filter(|string| duck && string.contains(['/', '.'])) {
        // DuckDB takes a string in the place of a table for a file, or for an address.
        if string.contains("://") {
            out.doubt(Why::UnclearCode, *string, argument.span);
        } else if string.contains(['*', '?', '[']) {
            out.reads(Argument { text: string, ..Argument::unknown(argument.span) });
        } else {
            out.reads(Argument::literal(string, argument.span));
        }
    }
}

pub(super) fn file_database<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let duck = invocation.program == "duckdb";
    let protected = invocation.has(&["readonly"]) && !duck;
    let first = given(invocation, &["cmd"]);
    if !first.is_empty() {
        // These run before `-help` is looked at.
        out.help = false;
    }
    let mut operands: Vec<Argument<'a>> = invocation.operands.to_vec();
    for _ in given(invocation, &["lookaside", "pagecache"]) {
        if let Some(at) = operands.iter().position(|operand| operand.literal && operand.numeric) {
            operands.remove(at);
        }
    }
    let given_sql = given(invocation, &["c", "s"]);
    let (database, statements) =
        operands.split_first().map_or((None, [].as_slice()), |(first, rest)| (Some(*first), rest));
    if let Some(database) = database.filter(|database| database.text != ":memory:") {
        out.reads(database);
        if !protected && !out.help {
            out.add(Effects::CREATES_MISSING);
        }
    }
    for argument in first.iter().chain(&given_sql).chain(statements) {
        file_sql(*argument, protected, duck, out);
    }
    let nothing = statements.is_empty() && given_sql.is_empty() && !invocation.has(&["f"]);
    match fed(invocation, out).filter(|_| nothing && !out.help) {
        Some(input) => {
            if let Some(text) = runs_input(input, dotted_line, out) {
                file_sql(text, protected, duck, out);
            }
        }
        None if nothing && !out.help => out.executes(),
        None => {}
    }
}

fn sqlcmd_text<'a>(argument: Argument<'a>, out: &mut Outcome<'a>) {
    match argument.known() {
        Some(text) if text.lines().any(|line| line.trim_start().starts_with([':', '!'])) => {
            out.doubt(Why::UnclearCode, text, argument.span);
        }
        Some(text) => runs_sql(text, argument, CHANGES, out),
        None => runs_unknown(argument, out),
    }
}

pub(super) fn sqlcmd_query<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut texts = given(invocation, &["q", "t", "--query", "--text"]);
    texts.extend(invocation.operands.iter().copied());
    for argument in &texts {
        sqlcmd_text(*argument, out);
    }
    if texts.is_empty() && !out.help {
        out.executes();
    }
}

/// The old form without sub-commands.
pub(super) fn sqlcmd<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    if invocation.chain.len() > 1 {
        return;
    }
    if invocation.has(&["h"]) && invocation.words.len() == 1 {
        out.help = true;
        out.effects = Effects::READS;
        return;
    }
    let texts = given(invocation, &["Q", "q", "--query"]);
    for argument in &texts {
        sqlcmd_text(*argument, out);
    }
    let files = invocation.has(&["i", "--input-file", "L"]);
    if (texts.is_empty() && !files && !out.help) || !invocation.operands.is_empty() || invocation.has(&["q"])
    {
        out.executes();
    }
}

/// Commands of Redis that change nothing.
const REDIS_READS: &str = "BITCOUNT BITPOS DBSIZE DUMP ECHO EXISTS EXPIRETIME GEODIST GEOHASH GEOPOS GEOSEARCH GET GETBIT \
    GETRANGE HEXISTS HGET HGETALL HKEYS HLEN HMGET HRANDFIELD HSCAN HSTRLEN HVALS INFO KEYS LASTSAVE \
    LINDEX LLEN LPOS LRANGE MGET PEXPIRETIME PFCOUNT PING PSUBSCRIBE PTTL RANDOMKEY ROLE SCAN \
    SCARD SDIFF SINTER SISMEMBER SMEMBERS SMISMEMBER SRANDMEMBER SSCAN STRLEN SUBSCRIBE SUBSTR SUNION \
    TIME TTL TYPE XINFO XLEN XPENDING XRANGE XREAD XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZLEXCOUNT ZMSCORE \
    ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE \
    ZUNION COMMAND HELP LOLWUT OBJECT PUBSUB JSON.GET FT.INFO FT.SEARCH FT._LIST TS.GET TS.RANGE TS.INFO";

/// The same for commands with a sub-command.
const REDIS_READ_PAIRS: &str = "CONFIG:GET CLIENT:LIST CLIENT:INFO CLIENT:GETNAME CLIENT:ID CLUSTER:INFO CLUSTER:NODES CLUSTER:SLOTS \
    CLUSTER:SHARDS CLUSTER:MYID CLUSTER:KEYSLOT CLUSTER:COUNTKEYSINSLOT MEMORY:USAGE MEMORY:STATS \
    MEMORY:DOCTOR SLOWLOG:GET SLOWLOG:LEN LATENCY:LATEST LATENCY:HISTORY LATENCY:DOCTOR ACL:WHOAMI \
    ACL:CAT ACL:USERS SCRIPT:EXISTS FUNCTION:LIST FUNCTION:STATS MODULE:LIST";

/// Options that do something without any command.
const REDIS_MODES: &[&str] = &[
    "--scan",
    "--stat",
    "--latency",
    "--latency-history",
    "--latency-dist",
    "--bigkeys",
    "--memkeys",
    "--hotkeys",
    "--eval",
    "--pipe",
    "--rdb",
    "--functions-rdb",
    "--cluster",
    "--lru-test",
    "--replica",
    "--slave",
    "--intrinsic-latency",
];

pub(super) fn redis<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    let upper =
        |index: usize| invocation.operands.get(index).and_then(Argument::known).map(str::to_ascii_uppercase);
    let Some(command) = invocation.operands.first() else {
        if !invocation.has(REDIS_MODES) && !out.help {
            out.executes();
        }
        return;
    };
    let name = upper(0).unwrap_or_default();
    let pair = format!("{name}:{}", upper(1).unwrap_or_default());
    if REDIS_READ_PAIRS.split_ascii_whitespace().any(|known| known == pair) {
        let harmless = invocation
            .operands
            .get(2)
            .and_then(Argument::known)
            .is_some_and(|what| !what.contains('*') && !what.contains("pass") && !what.contains("auth"));
        if pair == "CONFIG:GET" && !harmless {
            out.add(Effects::SECRETS);
        }
    } else if command.known().is_none() {
        runs_unknown(*command, out);
    } else if name.starts_with("EVAL")
        || name.starts_with("FCALL")
        || matches!(name.as_str(), "SCRIPT" | "FUNCTION" | "MODULE")
    {
        out.add(CHANGES.and(Effects::EXECUTES));
    } else if name.starts_with("FLUSH") || name.ends_with("DEL") || name == "UNLINK" {
        out.add(DESTROYS);
    } else if name == "MONITOR" {
        // Whatever anybody asks of it, credentials included.
        out.add(Effects::SECRETS);
    } else if !REDIS_READS.split_ascii_whitespace().any(|known| known == name) {
        out.add(CHANGES);
    }
}

/// Dumping all databases includes the password hashes of the users.
pub(super) fn whole_dump<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    if invocation.program == "pg_dumpall" && !out.help {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn writes_by_default<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    if invocation.program == "mongodump" && !out.help {
        out.add(Effects::WRITES);
    }
}
