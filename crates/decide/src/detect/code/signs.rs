//! Words that together are a sign of harm, in any language; and words for actions in inline code. All in lower case.

use crate::detect::{Detector, detectors};

/// Where the words of a sign must occur together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// In one line.
    Line,
    /// Anywhere in the text.
    Text,
}

/// Of each group one word; all in lower case.
pub(super) struct Pattern {
    pub(super) detector: &'static Detector,
    pub(super) scope: Scope,
    pub(super) groups: &'static [&'static [&'static str]],
}

const CONNECTS: &[&str] = phrases!(
    "socket(|socket.socket|net.dial|tcpsocket|fsockopen|net.socket|net.connect(|tcpclient|/dev/tcp/|\
     /dev/udp/|/inet/tcp/|io::socket|socket.tcp|tcpstream::connect|system.net.sockets|use socket|\
     createconnection(|zsh/net/tcp|ztcp |openssl s_client|websocketapp|net.tcp|socket.connect|pfsockopen|\
     stream_socket_client|socat |syscall.connect"
);
const SHELLS: &[&str] = phrases!(
    "/bin/sh|/bin/bash|/bin/zsh|bash -i|sh -i|\"sh\"|'sh'|\"bash\"|'bash'|cmd.exe|powershell|shell=true|\
     /bin/ash|/bin/dash|exec:sh|exec:'|pty.spawn|$shell|\"cmd\"|'cmd'"
);
const SPAWNS: &[&str] = phrases!(
    "subprocess|dup2(|pty.spawn|exec.command|popen(|proc_open|child_process|processbuilder|process.start|\
     .exec(|os.execute|execl|exec(|command::new|open3|system(|spawn(|0<&|>&3|<&3|exec:|invoke-expression|\
     iex|io.popen|exec |.start()|0>&1|dup(|process("
);
pub(in crate::detect) const REQUEST: &[&str] = words!(
    "$_get r.body( request.body .body() $_post $_request $_cookie $_server req.query req.body req.params \
     request.args request.form request.params request.getparameter request.values params[ r.formvalue( \
     r.url.query request.query ctx.query request.get( php://input"
);
pub(in crate::detect) const RUNS_TEXT: &[&str] = phrases!(
    "eval(|system(|shell_exec(|passthru(|popen(|proc_open(|execsync(|spawnsync(|spawn(|subprocess.|\
     os.system(|child_process|getruntime().exec|exec.command(|exec($_|exec(request|exec(req|exec(r.|\
     assert($_|create_function(|new function(|vm.runin"
);
pub(super) const DECODES: &[&str] = &[
    "b64decode",
    "base64 -d",
    "base64 --decode",
    "base64 -di",
    "base64_decode(",
    "atob(",
    "frombase64string",
    "gzinflate(",
    "str_rot13(",
    "fromhex(",
    "unhexlify(",
    "xxd -r",
    "marshal.loads",
    "zlib.decompress",
    "openssl enc",
    "buffer.from(",
    "rev |",
    "decode('base64')",
    "pack(\"h*\"",
    "base64.decode",
];
const RUNS_DECODED: &[&str] = &[
    "exec(",
    "eval(",
    "| sh",
    "| bash",
    "|sh",
    "|bash",
    "iex",
    "system(",
    "function(",
    "compile(",
    "| python",
    "|python",
    "eval $",
    "eval \"$",
    "| perl",
    "| node",
    "__import__",
    "os.popen",
];
const SENDS: &[&str] = phrases!(
    "requests.post|requests.put|requests.request|session.post|httpx.post|axios.post|axios(|fetch(|\
     http.post|urlopen(|http.client|xmlhttprequest|sendbeacon|curl |wget --post|net/http|restclient.post|\
     faraday.post|reqwest::|invoke-webrequest|invoke-restmethod|.sendall(|sendmail|smtplib|nc |webhook|\
     ftplib|paramiko|https.request|http.request|got.post|new image(|requests.get(f|requests.get(\"http|\
     net::http|file_get_contents('http|scp "
);
const SECRET_NAMES: &[&str] = &[
    "secrets.",
    "secrets)",
    "tojson(secrets",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "secret_key",
    "private_key",
    "auth_token",
    "_token",
    "token}",
    "token)",
    "password",
    "passwd",
    "credential",
    "os.environ",
    "process.env)",
    "process.env,",
    "env |",
    "printenv",
    "id_rsa",
    "id_ed25519",
    ".aws/",
    ".ssh/",
    ".netrc",
    ".env\"",
    ".env'",
    "keychain",
    "deploy_key",
    "_secret",
    "secret)",
    "session_cookie",
    "$env:",
    "${{ secrets",
    "jwt_secret",
    "getenv(",
    "cookie",
    "authorization",
];
/// Where secrets of the surroundings come from.
const SECRET_SOURCES: &[&str] = phrases!(
    "process.env|os.environ|getenv(|env::var|env[|${{ secrets|$env:|secrets.|\"$|cat .env|cat ~/|$("
);
/// Stores of many secrets at once.
const BULK: &[&str] = &[
    "dict(os.environ",
    "os.environ)",
    "os.environ.copy",
    "process.env)",
    "process.env,",
    "process.env }",
    "env |",
    "$(env)",
    "printenv",
    "id_rsa",
    "id_ed25519",
    ".aws/credentials",
    ".ssh/",
    ".netrc",
    "tojson(secrets",
    "/etc/passwd",
    "/etc/shadow",
    "keychain",
    "env.to_h",
    "getenv()",
    "cat .env",
];
const SHOWS: &[&str] = &[
    "print(",
    "console.log(",
    "console.info(",
    "console.error(",
    "console.debug(",
    "logger.",
    "log.info",
    "log.debug",
    "log.warn",
    "log.error",
    "logging.",
    "println!",
    "eprintln!",
    "dbg!",
    "fmt.print",
    "log.print",
    "echo ",
    "puts ",
    "printf ",
    "write-host",
    "system.out.print",
    "error_log(",
    "var_dump(",
    "print_r(",
    "cat ",
    "| rev",
    "| base64",
    "run: env",
    "run: printenv",
    "| xxd",
    "tracing::",
];

macro_rules! patterns {
    ($($detector:path, $scope:ident [$($group:expr),*];)*) => {
        &[$(Pattern { detector: &$detector, scope: Scope::$scope, groups: &[$($group),*] }),*]
    };
}

pub(super) static PATTERNS: &[Pattern] = patterns! {
    detectors::REVERSE_SHELL, Text [CONNECTS, SPAWNS, SHELLS];
    detectors::REVERSE_SHELL, Line [&["/dev/tcp/", "nc -e", "ncat -e", "nc -c", "socat tcp", "sh -i >&", "bash -i >&", "mkfifo /tmp", "nc -lvp", "reverse_tcp", "reverse shell", "bind shell"]];
    detectors::REVERSE_SHELL, Line [&["nc ", "ncat ", "netcat ", "socat "], &[" -e ", " -c ", "--exec", "--sh-exec", "exec:"], SHELLS];
    detectors::SECRET_IN_IMAGE, Line [&["copy ", "add "], &[".npmrc", ".env ", ".env\"", " id_", ".netrc", ".aws", ".ssh"]];
    detectors::SECRET_IN_IMAGE, Line [&["env ", "arg "], &["_token=$", "_key=$", "password=$", "secret=$", "_token=\"$"]];
    detectors::EXECUTES_REQUEST_INPUT, Line [REQUEST, RUNS_TEXT];
    detectors::GIT_LIBRARY_RESET, Line [&["import git", "from git import", "dulwich", "rugged", "isomorphic-git"], &["working_tree=true", "'hard'", "\"hard\"", ":hard", "force:true", "force: true", "force=true"]];
    detectors::RUNS_DOWNLOAD, Line [&["curl ", "wget ", "fetch http", "fetch -", "invoke-webrequest", "iwr ", "downloadstring", "urlopen(", "requests.get(", "urllib.request", "http.get("], &["| sh", "| bash", "|sh", "|bash", "| sudo", "| python \n", "| python3 \n", "| python - ", "| python3 - ", "| node \n", "| node - ", "iex", "exec(", "eval(", "bash -c \"$(", "sh -c \"$(", "| zsh", "bash <(", "sh <(", "source <(", ". <("]];
    detectors::RUNS_ENCODED_CODE, Line [DECODES, RUNS_DECODED];
    detectors::PRINTS_SECRET, Line [SECRET_SOURCES, SECRET_NAMES, SHOWS];
    detectors::PRINTS_ENVIRONMENT, Line [&["run: env", "run: printenv", "- env |", "env | sort", "env | base64", "print(os.environ)", "print(dict(os.environ", "console.log(process.env)", "puts env.to_h", "env | curl"]];
    detectors::WRITES_SECRET, Line [&["ghp_", "github_pat_", "akia", "sk_live_", "xoxb-", "-----begin rsa private", "-----begin openssh private", "-----begin private", "glpat-", "sk-ant-"]];
    detectors::ALL_CI_SECRETS, Line [&["tojson(secrets", "toJson(secrets"]];
    detectors::SENDS_SECRET_STORE, Line [BULK, SENDS];
    detectors::SENDS_ENV_SECRET, Line [&["process.env", "os.environ", "getenv(", "env::var", "$env:"], SENDS, &["http://", "https://"]];
    detectors::SENDS_COMMAND_OUTPUT, Line [&["| curl", "|curl", "--data-binary @-", "-d @-", "-t - http", "| nc ", "|nc "]];
    detectors::INSTALLS_AUTOSTART, Line [&["crontab", "/etc/cron", "launchagents", "launchdaemons", "systemctl enable", ".bashrc", ".zshrc", ".profile", "rc.local", "systemd/user", "authorized_keys", "update-rc.d", "schtasks /create", "ld.so.preload"], &[">>", "> ", "write(", "append", "tee ", "enable", "install", "'a'", "\"a\"", "'w'", "\"w\"", "| crontab", "echo ", "cp ", "copy", "/create", "open("]];
    detectors::DISABLES_TLS_CHECKS, Line [&["node_tls_reject_unauthorized=0", "git_ssl_no_verify", "pythonhttpsverify=0", "stricthostkeychecking no", "stricthostkeychecking=no", "--insecure", "--no-check-certificate", "permitrootlogin yes", "permitemptypasswords yes", "http.sslverify false", "strict-ssl false", "ssl_verifypeer, false", "_create_unverified_context", "verify=false"]];
    detectors::OPENS_ACCESS_TO_ALL, Line [&["cors_allow_all_origins = true", "cors_origin_allow_all = true", "allow_origins=[\"*\"]", "allow_origins=['*']", "access-control-allow-origin: *", "access-control-allow-origin', '*'", "access-control-allow-origin\", \"*\"", "origin: '*'", "origin: \"*\"", "allowanyorigin", "csrf_exempt", "csrf: false", "csrf = false", "permitall()", "@permitall", "allowanonymous", "auth: false", "authentication: none", "auth_required = false", "require_auth: false", "alg: 'none'", "algorithms: ['none']", "algorithms=[\"none\"]", "algorithms=['none']", "\"alg\": \"none\"", "algorithm: 'none'", "skip_auth", "disable_auth", "auth_disabled", "public-read-write", "ignoreexpiration: true", "verify_signature\": false", "verify_exp\": false", "samesite: 'none'", "0.0.0.0/0"]];
    detectors::DISABLES_HARDENING, Line [&["setenforce 0", "selinux=disabled", "ufw disable", "iptables -f", "auditctl -e 0", "disablerealtimemonitoring", "spctl --master-disable", "csrutil disable", "x-frame-options: allowall", "contentsecuritypolicy: false", "helmet({ contentsecuritypolicy: false", "seccomp=unconfined", "--privileged", "privileged: true", "apparmor=unconfined", "allowprivilegeescalation: true", "hostpid: true", "hostnetwork: true", "runasuser: 0", "no-sandbox", "rate_limit = none", "ratelimit: false", "debug = true  # prod", "gitleaks:allow", "skip_scan", "autoescape=false"]];
    detectors::GRANTS_BROAD_RIGHTS, Line [&["chmod 777", "chmod -r 777", "chmod(0o777", "chmod(0777", "nopasswd: all", "nopasswd:all", "administratoraccess", "\"action\": \"*\"", "cluster-admin", "roles/owner", "grant all privileges", "permissions: write-all", "x-debug-user", "role: 'admin' }; return"]];
    detectors::SKIPS_CHECKS_IN_TEXT, Line [&["--no-verify", "[skip ci]", "[ci skip]", "if: false", "|| true # ci", "allow_failure: true", "husky=0", "bypass_pull_request", "required_approving_review_count: 0", "enforce_admins: false", "required_status_checks: null", "--admin"]];
    detectors::ERASES_TRACES, Line [&["histfile=/dev/null", "unset histfile", "history -c", "histsize=0", "/var/log/wtmp", "utmpdump", "auditd stop", "journalctl --vacuum", "stop-logging", "delete-trail", "wevtutil cl", "clear-eventlog", "logging.disable("]];
    detectors::OTHER_PACKAGE_SOURCE, Line [&["--index-url", "--extra-index-url", "index-url =", "extra-index-url", "--registry", "--trusted-host", "insteadof", "find-links", "replace-with", "goproxy=", "gonosumdb", "gonosumcheck", "gopath=direct", "--allow-untrusted", "gpgcheck=0", "[trusted=yes]", "mirrorlist"]];
    detectors::WIPES_EVERYTHING, Line [&["rm -rf / ", "rm -rf /'", "rm -rf /\"", "rm -rf /;", "rm -rf /*", "rm -rf ~/*", "rm -rf ~ ", "rm -rf $home ", "rm -rf \"$home\"", "rmtree('/", "rmtree(\"/", "rmtree(os.path.expanduser", "rmtree(path.home", "rmsync('/", "rmsync(\"/", "rmsync(os.homedir", "mkfs.", "dd if=/dev/zero of=/dev", "format c:", "del /s /q", "remove-item -recurse -force c:", ":(){ :|:& };:", "shred -"]];
    detectors::ENCRYPTS_FILES, Text [&["os.walk(", "rglob(", "glob(", "readdir", "find.find("], &["fernet(", ".encrypt(", "aes.new(", "createcipher"]];
    detectors::GATE_SOCKET, Text [&["portcullis.sock"], &["af_unix", "unixsocket", "unix-socket", "unixstream", "unix-connect", "unix-client", "nc -u", "ncat -u", "net.connect", "createconnection", "net.dial", "socketpath", "/v1/approvals"]];
    detectors::GATE_COMMAND_IN_TEXT, Line [&["portcullis allow ", "portcullis approve", "portcullis pause", "portcullis trust ", "portcullis grants --revoke", "portcullis serve --stop", "portcullis log prune"]];
    detectors::DISABLES_AGENT_PERMISSIONS, Line [&["bypasspermissions", "dangerously-skip-permissions", "--yolo", "defaultmode\": \"bypass", "disableallhooks", "--dangerously-bypass", "approval_policy = \"never\"", "sandbox_mode = \"danger", "approval-mode yolo"]];
};

/// Words for actions that are more than reading, counting and printing.
pub(super) const ACTS: &[(&str, &[&str])] = &[
    (
        "deletes",
        phrases!(
            "os.remove|os.unlink|unlink(|unlinksync|rmtree|rmdir|rmsync|rm_rf|rm -r|file.delete|fs.rm(|\
             remove_dir|truncate(|.delete(|deletefile|remove(|rm(|rm_r|unlink|truncate|destroy|remove_tree|\
             removeitem|removeall|remove_dir|send2trash|delete from|drop table|drop database|o_trunc|\
             deletetable|deleteitem|del(|fs.rm|(\"del\")|('del')|from \"del\"|from 'del'|import remove|\
             {rm:|{ rm:|, rm:|{rm as|{ rm as"
        ),
    ),
    (
        "ends processes",
        &["os.kill", "process.kill", ".kill(", ".terminate(", "killpg", "pkill", "killall", "psutil"],
    ),
    (
        "connects",
        phrases!(
            "socket|requests.|urllib|http.client|httpx|aiohttp|fetch(|axios|net/http|smtplib|ftplib|\
             paramiko|telnetlib|https.|http.get|http.request|tcpsocket|fsockopen|net::http|net.connect|\
             stream_context|http.post|httr|.post(|.put(|websocket|open-uri|dns.|httpserver|serve_forever|\
             -run -e httpd|listen(|curl"
        ),
    ),
    (
        "runs programs",
        phrases!(
            "os.system|os.popen|subprocess|child_process|popen|exec(|eval(|spawn|pty|os.exec|system(|`|\
             shell_exec|passthru|ctypes|__import__|compile(|getattr(os|importlib|bun.$|$`|execsync|vm.|\
             runpy|fork|require('fs')[|require(\"fs\")[|'+'|\"+\"|.constructor|import sh|shelljs|rimraf|\
             source(| load(|%x|qx|instance_eval|const_get|send(|refund|charge|transfer|global.|unpack|\
             eval |create_superuser|boto3|@aws-sdk|stripe|marshal|pickle.load|builtins|globalthis|execa|\
             'zx'|\"zx\"|node:vm|import system|import exec|import kill|require('vm')|require(\"vm\")|\
             system \"|system '|exec \"|exec '"
        ),
    ),
    (
        "installs packages",
        &["install.packages", "pkg.add", "install_github", "biocmanager::install", "mix.install"],
    ),
    (
        "changes a repository",
        phrases!(
            "push(force|force=true)|force: true)|force:true)|reset('--hard|reset(\"--hard|reset(:hard|\
             reset_hard|.git.push(|.git.clean(|.git.reset(|remote().push(|.origin.push("
        ),
    ),
    (
        "takes tables away",
        phrases!(
            "drop_all(|drop_tables(|drop_table(|droptable(|droptableifexists(|dropschema(|dropdatabase(|\
             dropalltables(|dropallschemas(|drop_database(|drop_collection(|dropcollection(|sync({force|\
             sync({ force|->delete|->drop|->purge|s.drop()|sequelize.drop(|connection.dropdatabase"
        ),
    ),
    (
        "acts through a service",
        phrases!(
            "ccxt|binance.client|import binance|alpaca|ib_insync|coinbase|create_market_|create_limit_|\
             create_order(|createorder(|order_market_|submit_order(|ngrok.forward|ngrok.connect|\
             localtunnel(|aws::|aws-sdk|google::cloud|azure::|terminate_instances|.clear!|deliver_now|\
             deliver_later|sidekiq::queue|sidekiq::retryset|rails.cache.clear|droplet_kit|fog::compute"
        ),
    ),
    ("changes rights", &["os.chmod", "os.chown", "chmodsync", "setuid", "chmod("]),
    (
        "reads the environment",
        words!(
            "os.environ) os.environ.items dict(os.environ json.stringify(process.env dotenv_values( \
             printenv process.env)"
        ),
    ),
    (
        "renames or links",
        phrases!(
            "os.rename|import rename|os.replace|shutil.move|os.symlink|os.link|renamesync|symlinksync|\
             .rename("
        ),
    ),
    ("decodes", &["b64decode", "base64", "fromhex", "unhexlify", "codecs.decode", "atob("]),
    ("uses the machine's name service or accounts", &["pwd.getpw", "getpass", "keyring", "crypt.", "winreg"]),
    ("copies trees", &["copytree", "make_archive", "zipfile.zipfile(", "tarfile.open("]),
];

/// Words that open a file for writing.
pub(in crate::detect) const WRITES: &[&str] = phrases!(
    "'w'|\"w\"|'a'|\"a\"|'wb'|\"wb\"|'ab'|'r+'|\"r+\"|'w+'|write_text|write_bytes|writefile|appendfile|\
     .write(|file_put_contents|createwritestream|mkdir|makedirs|shutil.copy|bun.write|file.write|> "
);
