//! What code gains that does harm to people when it is run: it runs what somebody sends, hands passwords to another
//! machine, runs what it fetches, writes secrets into a log, lets one fixed password in.
//!
//! What belongs together is what is near: a sink, and the words of its source within a few lines.

use super::change::{Change, holds, live};
use super::passwords;
use crate::detect::{Detector, Finding, detectors};

/// How many lines before and behind a line belong to it.
const NEAR: usize = 8;

/// What somebody sends, and marks of a handler that gets it.
const SENT: &str = "req.query req.body req.params req.json( req.text( req.url req.nexturl req.param( .query. ctx.request. \
    request.query request.body request.json request.text( request.args request.form request.values request.data \
    request.get_data request.params request.getparameter request.get[ request.post[ searchparams get_argument( \
    get_body_argument( c.query( c.param( c.postform( c.bodyparser( ctx.query queryparameters[ call.receive $request-> $_get \
    $_post $_request $_cookie php://input r.url.query r.formvalue( r.postformvalue( r.body r.header.get( params[ conn.params \
    event.body event['body'] event[\"body\"] rfile.read @app.get( @app.post( @app.put( @app.route( @router. @bp.route( \
    @blueprint.route( @api.route( .get('/ .get(\"/ .post('/ .post(\"/ .put('/ .all('/ .on('message' .on(\"message\" .on('data' \
    .on(\"data\" .onmessage mapget(\" mappost(\" createserver( deno.serve( bun.serve( @requestparam @requestbody @pathvariable \
    @query( @body( .recv( .receive( socket_read( stream_socket on_message( websocket gen_tcp mqtt requests.get( urlopen( httpx.get( axios.get( .readline() readstring( #[get( #[post( axum conn,%{ query< query(q) socket fsockopen io.on(' wss.on(";

/// Calls that run a text; with a dot before them only those of a known module.
const RUNS: &str = "exec( execsync( eval( system( popen( getoutput( getstatusoutput( shell_exec( passthru( proc_open( \
    create_subprocess_shell( instance_eval( qx( %x( %x{ newfunction( `#{ echo`$ check_output( create_function( vm.runin shell=true \
    shell:true pickle.load marshal.load unserialize( dill.load yaml.load(";
const STARTS: &str = "subprocess. spawn( spawnsync( execfile( exec.command( exec.commandcontext( processbuilder( command::new( \
    deno.command( process.start( process( system.cmd( execa( bun.spawn( await$`";
const SHELLS: &str = "\"sh\" 'sh' \"bash\" 'bash' /bin/sh /bin/bash \"zsh\" 'zsh' cmd.exe \"cmd\" powershell shell=true shell:true";
const RUNNERS: &str = "os. cp. child_process. childprocess. child_process'). child_process\"). subprocess. commands. asyncio. \
    getruntime(). io. kernel. open3. pty. shell. rt. runtime.";
/// Calls that make a text harmless.
const QUOTES: &str = "shlex.quote( shlex.split( escapeshellarg( shellescape shell-quote safe_load safeloader";

/// What sends something, what it should not send, and ways to hide where to.
const SENDS: &str = "fetch( axios $.get( $.ajax( .post( .put( .patch( ::post( .get( postforobject( newimage( <img .src= \
    sendbeacon urlopen( net::http file_get_contents( curl_setopt( curl location.href location= .open( websocket( \
    http.request( https.request( create_connection( smtp( <form .request( send(";
const PRIVATE: &str = "document.cookie +pw) :pw} :pw, password passwd passphrase localstorage sessionstorage cardnumber card_number cvv ssn \
    mnemonic privatekey private_key formdata( document.forms .serialize() serializearray() clipboard.readtext( e.key) \
    event.key) body.innerhtml process.env) os.environ) process.env,";
const HIDES: &str = "(atob( b64decode( fromcharcode( ://'+ ://\"+";

/// Hosts that modules and scripts for browsers usually come from.
const MODULES: &str = "deno.land jsr.io esm.sh esm.run cdn.jsdelivr.net unpkg.com cdn.skypack.dev jspm.dev cdnjs.cloudflare.com \
    code.jquery.com googleapis.com googletagmanager.com google.com js.stripe.com cdn.tailwindcss.com bootstrapcdn.com \
    challenges.cloudflare.com plausible.io example.com";

/// The harm that an edit adds to code.
pub(super) fn added(change: &Change) -> Vec<Finding> {
    let mut found = Vec::new();
    let lines: Vec<&str> = change.after.lines().collect();
    let near = |at: usize| {
        let from = at.saturating_sub(NEAR);
        dense(&lines.iter().skip(from).take(at + NEAR - from).copied().collect::<Vec<_>>().join("\n"))
    };
    let new = lines.iter().enumerate().filter(|(_, line)| change.added.iter().any(|it| it == line.trim()));
    for (at, line) in new {
        found.extend(in_line(line, &near(at), change));
    }
    if runs_input(&change.new) && !runs_input(&change.old) {
        found.push(&detectors::RUNS_REMOTE_INPUT);
    }
    if change.new_lines().any(|line| passwords::holds_password(line, &change.path)) {
        found.push(&detectors::HARDCODED_PASSWORD);
    }
    let moved = redirected(change).map(|host| Finding::by(&detectors::SERVICE_REDIRECTED).about(host));
    found.sort_unstable_by_key(|detector| detector.id);
    found.dedup_by_key(|detector| detector.id);
    found.into_iter().map(Finding::by).chain(moved).collect()
}

/// What a line that is new does, given the lines around it without blanks.
fn in_line(line: &str, around: &str, change: &Change) -> Vec<&'static Detector> {
    const RUNS_TEXT: &str = "eval( (eval) newfunction( vm.run settimeout(await importscripts(";
    const FETCHES: &str = "fetch( axios http.get( https.get( got( xmlhttprequest";
    const LOADS: &str = "import('http import(\"http import(`http importscripts( from'http from\"http <script";
    const TARGETS: &str =
        ".action= [\"action\"]= ['action']= setattribute(\"action\", setattribute('action', formaction=";
    const UNSEEN: &str = "display:none display:\"none display:'none display=\"none display='none hidden width=\"0\" \
        width='0' width=0 width=\"1\" opacity:0 -9999px";
    let plain = dense(line);
    let strange = |text: &str| hosts(text).any(|host| !change.before.contains(host));
    let private = holds(&plain, PRIVATE) && !line.contains("authorization");
    let hands_over = line.contains('(') && strange(&plain);
    let sends = hands_over || (holds(around, SENDS) && (strange(around) || holds(around, HIDES)));
    let script = tags(&plain, "<script");
    let loads =
        holds(&plain, LOADS) && !plain.contains("integrity=") && hosts(&script).any(|host| !is_module(host));
    // `<form action=…>` is for everybody to see, and `formaction` is an attribute of its own.
    let form = dense(&line.replace("<form ", ""));
    let frame = if line.contains("<iframe") { tags(&plain, "<iframe") } else { around.to_owned() };
    let exported = plain.trim_start_matches("export");
    let proxied = ["https_proxy", "http_proxy", "all_proxy"].iter().any(|name| exported.starts_with(name));
    let found: [(&'static Detector, bool); 7] = [
        (&detectors::CODE_SENDS_CREDENTIALS, private && sends),
        (&detectors::CODE_RUNS_FETCHED, loads || (holds(&plain, RUNS_TEXT) && holds(around, FETCHES))),
        (&detectors::FORM_REDIRECTED, holds(&form, TARGETS) && strange(&form)),
        (&detectors::HIDDEN_FRAME, line.contains("iframe") && strange(&frame) && holds(&frame, UNSEEN)),
        (&detectors::PROXY_SET, proxied && hosts(&plain).next().is_some()),
        (&detectors::CODE_DELETES_HOME, deletes_home(line, around)),
        (&detectors::SECRET_LOGGED, logs_secret(line, around)),
    ];
    let login = lets_one_in(line, around).then_some(&detectors::HARDCODED_LOGIN);
    found.into_iter().filter(|(_, is)| *is).map(|(detector, _)| detector).chain(login).collect()
}

/// The text without blanks; a slash may be written as `\/`.
fn dense(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace() || *it == '\n').collect::<String>().replace("\\/", "/")
}

/// What the tags of this name say; the whole text where there is none.
fn tags(text: &str, name: &str) -> String {
    if !text.contains(name) {
        return text.to_owned();
    }
    text.split(name)
        .skip(1)
        .map(|rest| rest.split('>').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The hosts of the addresses in a text, without this machine and those of no service.
fn hosts(text: &str) -> impl Iterator<Item = &str> {
    let ends = |it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-' | ':' | '@' | '_'));
    let rest = text.match_indices("//").filter_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        text.get(at + 2..).filter(|_| matches!(before, Some(':' | '"' | '\'' | '`' | '=')))
    });
    let bare = [
        "host:'",
        "name:'",
        "host:\"",
        "name:\"",
        "smtp('",
        "smtp(\"",
        "connect(('",
        "connection(('",
        "host='",
        "host=\"",
        "domain='",
        "domain=\"",
        "server='",
        "server=\"",
    ];
    let named = bare.into_iter().flat_map(|start| text.split(start).skip(1));
    let hosts = rest.chain(named).map(move |rest| rest.split(ends).next().unwrap_or_default());
    hosts.filter(|host| host.contains('.') && !crate::web::is_loopback(host))
}

fn is_module(host: &str) -> bool {
    MODULES
        .split_whitespace()
        .any(|known| host.strip_suffix(known).is_some_and(|it| it.is_empty() || it.ends_with('.')))
}

/// Whether code runs what it is sent from elsewhere.
pub(in crate::detect) fn runs_input(text: &str) -> bool {
    let text = live(text);
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        if holds(line, QUOTES) || !runs_text(line) {
            return false;
        }
        let from = at.saturating_sub(3 * NEAR);
        let around =
            dense(&lines.iter().skip(from).take(at + NEAR - from).copied().collect::<Vec<_>>().join("\n"));
        holds(&around, SENT)
    })
}

/// Whether a line runs a text that is not spelled out.
fn runs_text(line: &str) -> bool {
    let line = dense(line);
    let starts = holds(&line, STARTS) && (holds(&line, SHELLS) || line.contains("await$`"));
    let called = RUNS.split_ascii_whitespace().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            let before = line.get(..at).unwrap_or_default();
            let part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '$' | '>');
            let own = !before.ends_with(part)
                || ["await", "return", "new", "=>"].iter().any(|word| before.ends_with(word))
                || RUNNERS.split_whitespace().any(|runner| before.ends_with(runner))
                || !word.ends_with('(')
                || word.contains('.');
            let rest = line.get(at + word.len()..).unwrap_or_default();
            own && !is_spelled_out(rest)
        })
    });
    starts || called
}

/// Whether the first argument is one fixed text.
fn is_spelled_out(rest: &str) -> bool {
    if let Some((inner, _)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inner.split(',').all(|part| part.starts_with(['"', '\'']));
    }
    let Some(quote) = rest.chars().next().filter(|it| matches!(it, '"' | '\'' | '`')) else { return false };
    let mut parts = rest.split(quote).skip(1);
    let text = parts.next().unwrap_or_default();
    let behind = parts.next().unwrap_or_default();
    !text.contains("${")
        && !text.contains("#{")
        && !behind.starts_with(['+', '.', '%'])
        && matches!(behind.chars().next(), Some(')' | ','))
}

/// Whether the whole home directory is taken away.
fn deletes_home(line: &str, around: &str) -> bool {
    const DELETES: &str = "rmsync( fs.rm( rmdirsync( rimraf( fs.remove( removesync( emptydirsync( rm_rf( rm_r( rm_rf removeall( \
        remove_dir_all( deletedirectory( directory.delete( rmtree(";
    const HOMES: &str = "homedir() dir.home home_dir() process.env.home env['home'] env[\"home\"] env.fetch('home') \
        env.fetch(\"home\") env::var(\"home\") env::var_os(\"home\") getenv(\"home\") getenv('home') path.home() \
        getproperty(\"user.home\") specialfolder.userprofile";
    let line = dense(line);
    let goes_on = holds(&line, "join + '/ \"/ /' /\" push resolve( }/ '. \".");
    let named = || {
        let argument =
            DELETES.split_whitespace().find_map(|call| line.split_once(call)).map(|(_, rest)| rest);
        let name = argument.and_then(|rest| rest.trim_start_matches('&').split([')', ',']).next());
        name.is_some_and(|name| {
            let gives = |it: &str| {
                it.split_once('=').is_some_and(|(left, value)| {
                    left.split(|it: char| !it.is_alphanumeric() && it != '_').any(|part| part.ends_with(name))
                        && holds(value, HOMES)
                })
            };
            !name.is_empty() && around.lines().any(|it| gives(it) && !holds(it, "join + '/ \"/"))
        })
    };
    holds(&line, DELETES) && !goes_on && (holds(&line, HOMES) || named())
}

/// What writes a line of a log or to the terminal.
const LOGS: &[&str] = &[
    "print(",
    "println(",
    "printf(",
    "console.",
    "logger.",
    "log.",
    "logging.",
    "slog.",
    "println!(",
    "dbg!(",
    "info!(",
    "debug!(",
    "warn!(",
    "error!(",
    "trace!(",
    "puts ",
    "pp ",
    "error_log(",
    "var_dump(",
    "print_r(",
    "dd(",
    "nslog(",
    "timber.",
    "zap.",
    "logrus.",
    "p env",
    "writeline(",
];

/// Whether a line logs the value of something secret: the words of a message do not count, what is put into it does.
fn logs_secret(line: &str, around: &str) -> bool {
    const SECRETS: &str = "pw pwd passwd password passphrase api_key apikey access_token accesstoken refresh_token refreshtoken \
        auth_token authtoken private_key privatekey client_secret clientsecret secret_key secretkey card_number cardnumber cvv \
        ssn mnemonic secret authorization credential credentials";
    const ENVIRONMENTS: &str = "process.env os.environ env.to_h env.inspect env.to_a system.getenv() env::vars() $_env bun.env \
        import.meta.env deno.env.toobject() getenv()";
    let begins = |(at, _): &(usize, &str)| {
        let before = line.get(..*at).and_then(|head| head.chars().next_back());
        before.is_none_or(|before| !(before.is_alphanumeric() || before == '_'))
    };
    let Some(at) =
        LOGS.iter().flat_map(|word| line.match_indices(word)).filter(begins).map(|(at, _)| at).min()
    else {
        return false;
    };
    let values = shown_values(line.get(at..).unwrap_or_default());
    let asks = holds(&values, "len( bool( !! typeof isnone .length isnil is_none redact mask scrub");
    let whole = ENVIRONMENTS.split_whitespace().any(|word| {
        values.match_indices(word).any(|(at, word)| {
            let rest = values.get(at + word.len()..).unwrap_or_default();
            !rest.starts_with(|it: char| it.is_alphanumeric() || ".[?_".contains(it))
        })
    });
    let part = |it: char| it.is_alphanumeric() || it == '_';
    let (mut rest, mut secret) = (values.as_str(), false);
    while let Some(from) = rest.find(part).and_then(|start| rest.get(start..)) {
        let end = from.find(|it: char| !part(it)).unwrap_or(from.len());
        let (word, after) = from.split_at_checked(end).unwrap_or_default();
        // `password(` and `password=` are names of something else; `pw.id` is a part of it.
        let other =
            after.starts_with(['(', '.', '?']) || (after.starts_with('=') && !after.starts_with("=="));
        secret |= !other && (super::change::lists(SECRETS, word) || holds_secret(word, around));
        rest = after;
    }
    (whole || secret) && !asks
}

/// Whether a name gets a secret of the environment: `const key = process.env.API_KEY`.
fn holds_secret(name: &str, around: &str) -> bool {
    around.lines().filter_map(|line| line.split_once('=')).any(|(left, value)| {
        let kinds = "key token secret passw credential dsn";
        left.trim_end_matches(':').ends_with(name) && value.contains("env") && holds(value, kinds)
    })
}

/// What of a line are values: what is outside of quotes, and what is put into texts: `${x}`, `#{x}`, `{x}`, `\(x)`.
fn shown_values(line: &str) -> String {
    let mut values = String::new();
    let (mut quote, mut depth, mut before) = (None, 0_usize, ' ');
    for it in line.chars() {
        match quote {
            Some(_) if it == '{' || (it == '(' && before == '\\') => depth += 1,
            Some(_) if depth > 0 && matches!(it, '}' | ')') => {
                depth -= 1;
                values.push(' ');
            }
            Some(_) if depth > 0 => values.push(it),
            Some(open) if it == open => quote = None,
            Some(_) => {}
            None if matches!(it, '"' | '\'' | '`') => {
                quote = Some(it);
                values.push(' ');
            }
            None => values.push(it),
        }
        before = it;
    }
    values
}

/// Whether a line compares what somebody says of themselves with one fixed text, and lets them in.
fn lets_one_in(line: &str, around: &str) -> bool {
    const KNOWN: &str = "pw pwd pass passwd password passphrase secret otp pin api_key apikey auth_token access_token token \
        email username user_name userid user_id login";
    let line = line.replace(" =", "=").replace("= ", "=").replace(" eq ", "==");
    let yoda = line.split_once("\".equals(").map(|(text, name)| {
        let text = text.rsplit('"').next().unwrap_or_default();
        format!("{}==\"{text}\"", name.split(')').next().unwrap_or_default())
    });
    let compared = yoda.as_deref().unwrap_or(&line);
    let fixed = ["=='", "==\"", ".equals(\""].iter().any(|sign| {
        compared.split_once(sign).is_some_and(|(before, after)| {
            let name =
                before.trim_end_matches('=').rsplit(|it: char| !(it.is_alphanumeric() || it == '_')).next();
            let text = after.split(['"', '\'']).next().unwrap_or_default();
            let plain = text.chars().all(|it| it.is_alphanumeric() || "-_.@!+=/".contains(it));
            let header =
                before.contains("header") && before.contains("x-") && !before.contains("x-requested-with");
            let known = name.is_some_and(|name| super::change::lists(KNOWN, name));
            let token = name != Some("token") || around.contains("admin");
            (header || (known && token && text.len() >= 4 && plain)) && !before.ends_with('!')
        })
    });
    fixed
        && (line.contains(" or ")
            || holds(&line, "|| return true next(")
            || holds(around, "return true admin login auth"))
}

/// The host that the same service has after an edit, where it is somebody else's than before.
fn redirected(change: &Change) -> Option<String> {
    const NAMES: &str =
        "api endpoint host server webhook callback auth login issuer telemetry upload backend service";
    let settings = holds(&change.ending, "yaml yml json toml ini properties conf env")
        || holds(&change.name, ".env config settings");
    let services = |text: &str| -> Vec<(String, String)> {
        let pairs = super::settings::pairs(text).into_iter().filter(|it| holds(&it.key, NAMES));
        let own = pairs.filter_map(|it| {
            let host = it.value.split_once("//")?.1.split(['/', ':', '"']).next()?.to_owned();
            (host.contains('.') && !crate::web::is_loopback(&host)).then_some((it.key, host))
        });
        own.collect()
    };
    let owner = |host: &str| host.rsplit('.').take(2).collect::<Vec<_>>().join(".");
    let before = services(&change.before);
    let moved = services(&change.after).into_iter().find(|(name, host)| {
        let mut known = before.iter().filter(|(known, _)| known == name);
        known.any(|(_, known)| owner(known) != owner(host)) && !change.before.contains(host.as_str())
    });
    moved.filter(|_| settings).map(|(_, host)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C5]
    #[test]
    fn the_home_directory_is_known_in_any_language() {
        let deletes = |code: &str| !added(&Change::new("/p/a.x", "", code)).is_empty();
        for code in [
            "fs.rmSync(os.homedir(), {recursive: true})",
            "fs.rmSync(require('os').homedir())",
            "FileUtils.rm_rf(Dir.home)",
            "h, _ := os.UserHomeDir()\nos.RemoveAll(h)",
        ] {
            assert!(deletes(code), "{code}");
        }
        for code in [
            "fs.rmSync(path.join(os.homedir(), '.cache/x'))",
            "os.RemoveAll(dir)",
            "h := os.TempDir()\nos.RemoveAll(h)",
            "FileUtils.rm_rf(Dir.home + '/.cache')",
        ] {
            assert!(!deletes(code), "{code}");
        }
    }
}
