//! The attempts: what is tried, in which envelope, and whether it works where nothing confines it.

/// One attempt.
pub(crate) struct Attempt {
    pub(crate) name: &'static str,
    pub(crate) envelope: &'static str,
    pub(crate) script: &'static str,
    pub(crate) free: Free,
}

/// What the same line does without an envelope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Free {
    /// It works: so the attempt is a real one.
    Works,
    /// It works for root only, in a way that this world can see.
    ForRoot,
    /// It is not tried: it would do harm to the machine, or it is only a question of what is inside.
    NotTried,
}

use Free::{ForRoot, NotTried, Works};

const fn project(name: &'static str, free: Free, script: &'static str) -> Attempt {
    Attempt { name, envelope: "--envelope project", script, free }
}

const fn work(name: &'static str, free: Free, script: &'static str) -> Attempt {
    Attempt { name, envelope: "--envelope project --git work", script, free }
}

const fn reads(name: &'static str, free: Free, script: &'static str) -> Attempt {
    Attempt { name, envelope: "--envelope reads", script, free }
}

const fn open(name: &'static str, free: Free, script: &'static str) -> Attempt {
    Attempt { name, envelope: "--envelope open", script, free }
}

pub(crate) const FILES: &[Attempt] = &[
    project("write outside", Works, r#"echo x > "$OUTSIDE/new""#),
    project("change outside", Works, r#"echo x >> "$OUTSIDE/file""#),
    project("write by way of a symbolic link", Works, r#"ln -s "$OUTSIDE" l; echo x > l/new"#),
    project("write by way of dots", Works, "echo x > ../../outside/new"),
    project("write by way of the root of a process", Works, r#"echo x > "/proc/self/root$OUTSIDE/new""#),
    project(
        "write by way of process 1",
        NotTried,
        r#"echo x > "/proc/1/root$OUTSIDE/new"; cat "/proc/1/root$OUTSIDE/file""#,
    ),
    project("write by way of the folder of another process", Works, r#"cat "/proc/$VICTIM/environ""#),
    project("hard link from outside", Works, r#"ln "$OUTSIDE/file" h && echo x >> h"#),
    project("rename from outside", Works, r#"mv "$OUTSIDE/file" here"#),
    project("delete outside", Works, r#"rm -rf "$OUTSIDE/folder""#),
    project("mode of a file outside", Works, r#"chmod 777 "$OUTSIDE/file""#),
    project("times of a file outside", Works, r#"touch -d 2001-01-01 "$OUTSIDE/file""#),
    project(
        "attribute of a file outside",
        Works,
        r#"python3 -c 'import os; os.setxattr(os.environ["OUTSIDE"]+"/file", "user.mark", b"x")'"#,
    ),
    project("shell start-up file", Works, "echo x >> ~/.bashrc"),
    project("program on the path", Works, "echo x > ~/.cargo/bin/cargo"),
    project(
        "program on the path, by its folder",
        Works,
        "mv ~/.cargo/bin ~/.cargo/bin2 && mkdir ~/.cargo/bin && echo x > ~/.cargo/bin/ls",
    ),
    project("settings of a tool", Works, "echo x >> ~/.cargo/config.toml"),
    project("cache that was not named", Works, "echo x > ~/.cargo/registry/index"),
    project("read a key", Works, "cat ~/.ssh/id"),
    project("read a key by way of dots", Works, "cat ../.ssh/id"),
    project("read a token in a visible folder", Works, "cat ~/.cargo/credentials.toml"),
    project("read another project", Works, "cat ~/other/notes"),
    project("read settings of a tool with a token", Works, "cat ~/.npmrc"),
    project(
        "look for secrets everywhere",
        Works,
        r#"grep -rsI SECRET- ~ "$OUTSIDE" /run /mnt /srv /media 2>/dev/null | head"#,
    ),
    project("secret in the environment", Works, r#"echo "$DEPLOY_TOKEN""#),
    project(
        "secret in the environment of process 1",
        NotTried,
        "cat /proc/1/environ /proc/1/cmdline; ls -l /proc/1/fd/ && cat /proc/1/fd/*",
    ),
    project("pipe outside", Works, r#"timeout 2 bash -c 'echo x > "$OUTSIDE/pipe"'"#),
    project("gate's settings", Works, "echo x > ~/.config/portcullis/settings.json"),
    project("gate's log", Works, "cat ~/.local/state/portcullis/portcullis.db"),
    project("gate's program", Works, r#"echo x >> "$RUN" || { rm -f "$RUN"; cp /bin/true "$RUN"; }"#),
    project(
        "project's folder renamed",
        Works,
        r"cd ..; mv project p2 && mkdir -p project/.claude && echo x > project/.claude/settings.json",
    ),
];

pub(crate) const PROTECTED: &[Attempt] = &[
    project("protected file", Works, "echo x > .mcp.json"),
    project("protected file replaced", Works, "echo x > n; mv -f n .mcp.json"),
    project("protected file deleted", Works, "rm -f .mcp.json"),
    project("protected file by another link", Works, "ln .mcp.json h && echo x > h"),
    project("protected file by its descriptor", Works, "exec 3< .mcp.json; echo x > /proc/self/fd/3"),
    project(
        "protected file by its folder's descriptor",
        Works,
        "python3 -c 'import os; f=os.open(\".\", os.O_PATH); d=os.open(\".mcp.json\", os.O_WRONLY, dir_fd=f); os.write(d, b\"x\")'",
    ),
    project("protected file cut short", Works, "truncate -s 0 .mcp.json"),
    project("mode of a protected file", Works, "chmod 777 .mcp.json"),
    project(
        "folder of protected files renamed",
        Works,
        "cd sub/deep; mv .claude c && mkdir .claude && echo x > .claude/settings.json",
    ),
    project(
        "parent of protected files renamed",
        Works,
        "mv sub s && mkdir -p sub/deep/.claude && echo x > sub/deep/.claude/settings.json",
    ),
    project(
        "deep parent of protected files renamed",
        Works,
        "mv sub/deep sub/d && mkdir -p sub/deep/.claude && echo x > sub/deep/.claude/settings.json",
    ),
    project(
        "parents exchanged",
        Works,
        "mkdir -p new/deep/.claude; echo x > new/deep/.claude/settings.json; python3 -c 'import ctypes; ctypes.CDLL(None).renameat2(-100, b\"new\", -100, b\"sub\", 2)'",
    ),
    project("parent replaced by a link", Works, "mkdir e; echo x > e/x; rm -rf sub; ln -s e sub; ls sub/x"),
    project("new protected folder", Works, "mkdir .vscode; echo x > .vscode/tasks.json"),
    project("new protected file deep below", Works, "mkdir -p a/b/c; echo x > a/b/c/.mcp.json"),
    project("new protected file in another case", Works, "mkdir -p .Claude; echo x > .Claude/settings.json"),
    project("new protected file by rename", Works, "echo x > plain; mv plain .envrc"),
    project(
        "new protected folder within a renamed one",
        Works,
        "mkdir -p /tmp/m-$MARK/.husky; echo x > /tmp/m-$MARK/.husky/pre-commit; cp -r /tmp/m-$MARK moved; rm -rf /tmp/m-$MARK",
    ),
    project("new protected link", Works, "echo x > plain; ln -s plain .envrc"),
    project(
        "many folders at once",
        Works,
        "for i in $(seq 60); do mkdir -p d$i/e/f; echo x > d$i/e/f/.mcp.json; done",
    ),
    project(
        "protected name that comes and goes",
        Works,
        "for i in $(seq 200); do echo x > .envrc; mv .envrc t; done 2>/dev/null; echo x > .envrc",
    ),
    project(
        "new repository with a configuration",
        Works,
        "mkdir -p vendor/.git/hooks; printf '[core]\\n\\tfsmonitor = evil\\n' > vendor/.git/config",
    ),
    project("git configuration", Works, "echo x >> .git/config"),
    project("git folder renamed", Works, "mv .git .x; mkdir .git; echo x > .git/config"),
    project("git hook", Works, "echo x > .git/hooks/pre-commit"),
    work("git configuration while git works", Works, "echo x >> .git/config"),
    work(
        "git configuration replaced while git works",
        Works,
        "echo x > .git/config.lock; mv -f .git/config.lock .git/config",
    ),
    work("git hook while git works", Works, "echo x > .git/hooks/pre-commit"),
    work(
        "git hooks' folder replaced while git works",
        Works,
        "mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
    ),
    work("git attributes while git works", Works, "echo x > .git/info/attributes"),
    work("git folder renamed while git works", Works, "mv .git .x; mkdir .git; echo x > .git/config"),
    work(
        "another common folder while git works",
        Works,
        "mkdir c; echo x > c/config; echo ../c > .git/commondir",
    ),
    work("configuration of a worktree while git works", Works, "echo x > .git/config.worktree"),
    work(
        "submodule with a configuration while git works",
        Works,
        "mkdir -p .git/modules/m; echo x > .git/modules/m/config",
    ),
];

pub(crate) const SYSTEM: &[Attempt] = &[
    project(
        "mount",
        NotTried,
        r#"mount -t tmpfs t sub && echo x > "$OUTSIDE/new" && echo ESCAPED; mount --bind / /mnt && echo ESCAPED"#,
    ),
    project(
        "take a mount off",
        NotTried,
        "umount -l .mcp.json && echo x > .mcp.json; umount -l .git && echo x > .git/config",
    ),
    project(
        "make a mount writable",
        NotTried,
        "mount -o remount,rw,bind .mcp.json && echo x > .mcp.json; mount -o remount,rw,bind / && echo ESCAPED",
    ),
    project(
        "newer calls for mounts",
        NotTried,
        r#"python3 -c '
import ctypes
c=ctypes.CDLL(None, use_errno=True)
for n,a in ((428,(-100,b"/",1)),(430,(b"tmpfs",0)),(442,(-100,b"/",0,0,0)),(433,(-100,b"/",0)),(155,(b".",b".")),(161,(b".",))):
    r=c.syscall(n,*a)
    if r>=0: print("ESCAPED", n)
'"#,
    ),
    project(
        "user namespace",
        NotTried,
        "unshare -Ur true && echo ESCAPED; unshare -Urm bash -c 'umount -l .git; echo ESCAPED'",
    ),
    project(
        "each namespace by itself",
        NotTried,
        "for f in -m -n -p -i -u -C -U -T; do unshare $f true 2>/dev/null && echo ESCAPED $f; done; true",
    ),
    project(
        "namespace by clone",
        NotTried,
        "python3 -c '\nimport ctypes\nc=ctypes.CDLL(None)\nr=c.syscall(56, 0x10000000|17, 0, 0, 0, 0)\nif r>=0: print(\"ESCAPED\")'",
    ),
    project(
        "namespace by the newer clone",
        NotTried,
        "python3 -c '\nimport ctypes,struct,os\nc=ctypes.CDLL(None)\na=ctypes.create_string_buffer(struct.pack(\"11Q\",0x10000000,0,0,0,17,0,0,0,0,0,0))\nr=c.syscall(435,a,88)\nif r>=0: print(\"ESCAPED\"); os._exit(0)'",
    ),
    project(
        "enter the namespaces of process 1",
        NotTried,
        r#"nsenter -t 1 -m bash -c 'cat /.host/etc/hostname && echo ESCAPED'; python3 -c '
import os,ctypes
f=os.pidfd_open(1)
if ctypes.CDLL(None).setns(f, 0x20000)==0: print("ESCAPED")'"#,
    ),
    project(
        "what is left of the host's tree",
        NotTried,
        r#"ls /.host/* /.host/proc 2>/dev/null && echo ESCAPED; cat "/.host$OUTSIDE/file""#,
    ),
    project("another root", NotTried, "chroot / true && echo ESCAPED"),
    project(
        "calls of the other variant",
        NotTried,
        "python3 -c '\nimport ctypes\nc=ctypes.CDLL(None)\nfor n in (165,166,272,308,425):\n    if c.syscall(0x40000000|n,0,0,0,0,0)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "calls of 32 bits",
        NotTried,
        "python3 -c '\nimport ctypes,mmap\nm=mmap.mmap(-1,4096,prot=7)\nm.write(bytes([0x53,0xb8,0x36,1,0,0,0xbb,0,0,0,0x10,0xcd,0x80,0x5b,0xc3]))\nf=ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))\nif f()==0: print(\"ESCAPED\")'",
    ),
    project(
        "ring of calls",
        Works,
        "python3 -c '\nimport ctypes\nb=ctypes.create_string_buffer(120)\nif ctypes.CDLL(None).syscall(425,4,b)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "programs in the kernel",
        ForRoot,
        "python3 -c '\nimport ctypes,struct\nc=ctypes.CDLL(None)\na=ctypes.create_string_buffer(struct.pack(\"4I\",2,4,4,1)+bytes(100))\nif c.syscall(321,0,a,72)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "page faults handled elsewhere",
        ForRoot,
        "python3 -c '\nimport ctypes\nif ctypes.CDLL(None).syscall(323,0)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "keys of the kernel",
        Works,
        "python3 -c '\nimport ctypes\nif ctypes.CDLL(None).syscall(248,b\"user\",b\"k\",b\"v\",1,-2)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "kernel's counters",
        ForRoot,
        "python3 -c '\nimport ctypes,struct\na=ctypes.create_string_buffer(struct.pack(\"IIQ\",1,112,0)+bytes(100))\nif ctypes.CDLL(None).syscall(298,a,0,-1,-1,0)>=0: print(\"ESCAPED\")'",
    ),
    project(
        "file by its handle",
        NotTried,
        "python3 -c '\nimport ctypes\nb=ctypes.create_string_buffer(200)\nc=ctypes.CDLL(None,use_errno=True)\nr=c.syscall(304,3,b,0)\nif r>=0 or ctypes.get_errno()!=1: print(\"ESCAPED\")'",
    ),
    project(
        "typing into the terminal",
        NotTried,
        "python3 -c '\nimport os,fcntl\nm,s=os.openpty()\nfor r in (0x5412,0x541c,0x100005412):\n    try: fcntl.ioctl(s, r & 0xffffffff, b\"x\"); print(\"ESCAPED\")\n    except OSError as e:\n        if e.errno!=1: print(\"ESCAPED\", e.errno)'",
    ),
    project("kill another process", Works, r#"kill -9 "$VICTIM""#),
    project(
        "kill by group and everything",
        NotTried,
        r#"kill -9 -- "-$VICTIM"; (sleep 0.05; kill -9 -1) & wait"#,
    ),
    project(
        "look into another process",
        Works,
        r#"cat "/proc/$VICTIM/environ"; python3 -c 'import os; print(open("/proc/%s/mem" % os.environ["VICTIM"],"rb").name, "ESCAPED")'"#,
    ),
    project(
        "trace another process",
        Works,
        r#"python3 -c 'import ctypes,os
if ctypes.CDLL(None).ptrace(16,int(os.environ["VICTIM"]),0,0)==0: print("ESCAPED")'"#,
    ),
    project(
        "trace process 1",
        NotTried,
        "python3 -c '\nimport ctypes\nif ctypes.CDLL(None).ptrace(16,1,0,0)==0: print(\"ESCAPED\")'; python3 -c 'open(\"/proc/1/mem\",\"rb\"); print(\"ESCAPED\")'",
    ),
    project("stop process 1", NotTried, "kill -9 1; kill -STOP 1; kill -SEGV 1; true"),
    project(
        "descriptor of another process",
        Works,
        r#"python3 -c 'import ctypes,os
p=os.pidfd_open(int(os.environ["VICTIM"]))
if ctypes.CDLL(None).syscall(438,p,1,0)>=0: print("ESCAPED")'"#,
    ),
    project(
        "another user",
        ForRoot,
        "python3 -c '\nimport os\nos.setgid(12345); os.setuid(12345); print(\"ESCAPED\")'",
    ),
    project(
        "program of another user",
        NotTried,
        "cp /bin/bash b; chmod 6755 b; for p in /bin/su /usr/bin/sudo /usr/bin/passwd /usr/bin/chsh; do [ -u $p ] && timeout 2 $p -c 'echo ESCAPED' </dev/null; done; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED",
    ),
    project(
        "rights that are left",
        NotTried,
        "grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | grep -v 0000000000000000 && echo ESCAPED",
    ),
    project(
        "what is run when a program crashes",
        NotTried,
        "echo '|/bin/false' > /proc/sys/kernel/core_pattern && echo ESCAPED; echo x > /proc/sysrq-trigger && echo ESCAPED; true",
    ),
    project(
        "settings of the kernel",
        NotTried,
        "for f in kernel/hostname kernel/modprobe vm/overcommit_memory net/ipv4/ip_forward kernel/pid_max; do cat /proc/sys/$f > /tmp/v; cat /tmp/v > /proc/sys/$f && echo ESCAPED $f; done 2>/dev/null; true",
    ),
    project(
        "devices of its own",
        NotTried,
        "mknod d b 254 0 && echo ESCAPED; mknod /tmp/d c 1 1 && echo ESCAPED; mknod /dev/d b 8 0 && echo ESCAPED; true",
    ),
    project(
        "disks and memory",
        NotTried,
        "for d in /dev/mem /dev/kmem /dev/port /dev/vda /dev/sda /dev/kvm /dev/fuse /dev/net/tun /dev/loop0; do [ -e $d ] && echo ESCAPED $d; done; true",
    ),
    project(
        "groups of processes in the kernel",
        NotTried,
        "find /sys/fs/cgroup -name cgroup.procs 2>/dev/null | head -5 | while read f; do echo $$ > $f && echo ESCAPED; done 2>/dev/null; true",
    ),
    project(
        "inherited folder as a stream",
        NotTried,
        r#"python3 -c '
import os
for n in os.listdir("/proc/self/fd"):
    n=int(n)
    if n>2:
        try: print("open", n, os.listdir("/proc/self/fd/%d" % n)[:0], "ESCAPED") if os.path.isdir("/proc/self/fd/%d" % n) and os.readlink("/proc/self/fd/%d" % n)!="/proc/%d/fd" % os.getpid() else None
        except OSError: pass'"#,
    ),
    project(
        "the runner within itself",
        NotTried,
        r#""$RUN" --envelope open -- bash -c 'echo ESCAPED'; "$RUN" @inside 3; "$RUN" @init </dev/null; "$RUN" @warden </dev/null; true"#,
    ),
    project(
        "process that stays behind",
        Works,
        "setsid -f sleep 300 >/dev/null 2>&1; (trap '' HUP TERM; nohup sleep 300 >/dev/null 2>&1 &) ; disown -a",
    ),
    project(
        "process that stays behind twice removed",
        Works,
        "python3 -c '\nimport os,time\nif os.fork()==0:\n    os.setsid()\n    if os.fork()==0:\n        os.closerange(0,100); time.sleep(300)\n    os._exit(0)'",
    ),
    project(
        "more processes than allowed",
        NotTried,
        "python3 -c '\nimport threading,time\nthreading.stack_size(65536)\nn=0\ne=threading.Event()\ntry:\n    while n<6000:\n        threading.Thread(target=e.wait,daemon=True).start(); n+=1\nexcept RuntimeError: pass\nprint(n)\nif n>=5000: print(\"ESCAPED\")\nimport os; os._exit(0)'",
    ),
    project(
        "fork bomb",
        NotTried,
        "timeout 3 bash -c 'b() { sleep 2 | sleep 2 & (exit 0); [ $(( ++n )) -lt 300 ] && b; }; n=0; b' 2>/dev/null; true",
    ),
    project(
        "more temporary files than allowed",
        NotTried,
        "fallocate -l 3G /tmp/big && echo ESCAPED; fallocate -l 3G ~/big && echo ESCAPED; fallocate -l 2G /dev/shm/big && echo ESCAPED; true",
    ),
    project("larger file than allowed", NotTried, "truncate -s 20G big && echo ESCAPED; true"),
    project(
        "more memory than allowed",
        NotTried,
        "python3 -c 'bytearray(20 << 30)' 2>/dev/null && echo ESCAPED; true",
    ),
];

pub(crate) const NETWORK: &[Attempt] = &[
    project(
        "gate's socket",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOME"]+"/.local/state/portcullis/portcullis.sock")'"#,
    ),
    project(
        "agent for keys",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOME"]+"/agent.sock")'"#,
    ),
    project(
        "socket in a visible folder",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOME"]+"/.cargo/service.sock")'"#,
    ),
    project(
        "socket outside",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["OUTSIDE"]+"/service.sock")'"#,
    ),
    project(
        "socket by way of another root",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect("/proc/self/root"+os.environ["OUTSIDE"]+"/service.sock")'"#,
    ),
    project(
        "socket without a path",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect("\0"+os.environ["ABSTRACT"])'"#,
    ),
    project(
        "port of this machine",
        Works,
        r#"python3 -c 'import socket,os; socket.create_connection(("127.0.0.1",int(os.environ["TCP"])),2)'"#,
    ),
    project(
        "port of this machine in other spellings",
        Works,
        r#"python3 -c '
import socket,os
p=int(os.environ["TCP"])
for h in ("0.0.0.0","127.1","localhost","::ffff:127.0.0.1"):
    try: socket.create_connection((h,p),2)
    except OSError: pass'"#,
    ),
    project(
        "port of this machine in one message",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(); s.sendto(b"x",0x20000000,("127.0.0.1",int(os.environ["TCP"])))'"#,
    ),
    project(
        "UDP port of this machine",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.sendto(b"x",("127.0.0.1",int(os.environ["UDP"])))'"#,
    ),
    project(
        "the outside world",
        NotTried,
        r#"python3 -c '
import socket
for a in ("1.1.1.1","8.8.8.8","169.254.169.254","10.0.0.1"):
    for k in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        s=socket.socket(socket.AF_INET,k); s.settimeout(1)
        try:
            s.connect((a,53)); s.send(b"x"); print("ESCAPED", a)
        except OSError: pass'"#,
    ),
    project(
        "other kinds of sockets",
        NotTried,
        r#"python3 -c '
import socket
for f,k,p in ((17,3,0x300),(40,1,0),(38,5,0),(16,3,15),(16,3,4),(16,3,9),(2,3,1),(2,3,255),(10,3,58),(29,3,1),(31,3,1),(44,3,0),(21,5,0)):
    try: socket.socket(f,k,p); print("ESCAPED",f,k,p)
    except OSError: pass'"#,
    ),
    project(
        "terminal multiplexer",
        Works,
        r#"python3 - <<'X'
import socket,os
s=socket.socket(socket.AF_UNIX); s.connect(os.environ["OUTSIDE"]+"/service.sock"); s.send(b"new-session")
X"#,
    ),
    reads(
        "the network in the narrowest envelope",
        Works,
        r#"python3 -c 'import socket,os; socket.create_connection(("127.0.0.1",int(os.environ["TCP"])),2)'"#,
    ),
];

pub(crate) const NARROW_AND_WIDE: &[Attempt] = &[
    reads("write in the project", Works, "echo x > .mcp.json"),
    reads(
        "write an ordinary file",
        NotTried,
        "echo x > n && echo ESCAPED; mkdir d && echo ESCAPED; rm README && echo ESCAPED; chmod 777 README && echo ESCAPED; true",
    ),
    reads(
        "write in the home folder",
        NotTried,
        "echo x > ~/n && echo ESCAPED; echo x > ~/.cargo/n && echo ESCAPED; echo x > /dev/shm/n && echo ESCAPED; true",
    ),
    reads("write in git", Works, "echo x > .git/config"),
    reads("read a key", Works, "cat ~/.ssh/id"),
    reads("write a cache", Works, "echo x > ~/.cargo/registry/index"),
    reads("mount over what is read", NotTried, "mount -t tmpfs t . && echo ESCAPED; true"),
    open("gate's settings", Works, "echo x > ~/.config/portcullis/settings.json"),
    open(
        "gate's log",
        Works,
        "head -c 0 ~/.local/state/portcullis/portcullis.db && echo x >> ~/.local/state/portcullis/portcullis.db",
    ),
    open(
        "gate's folders renamed",
        Works,
        "mv ~/.config/portcullis ~/.config/p; mkdir ~/.config/portcullis; echo '{}' > ~/.config/portcullis/settings.json",
    ),
    open("parents of the gate's folders renamed", Works, "mv ~/.config ~/.c2"),
    open(
        "gate's socket",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOME"]+"/.local/state/portcullis/portcullis.sock")'"#,
    ),
    open("gate's program", Works, r#"echo x >> "$RUN" || mv "$RUN" "$RUN-2""#),
    open("settings that start the hook", Works, "echo '{}' > ~/.claude/settings.json"),
    open("folder of those settings", Works, "mv ~/.claude ~/.c; mkdir ~/.claude"),
    open(
        "socket without a path",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect("\0"+os.environ["ABSTRACT"])'"#,
    ),
    open("kill another process", Works, r#"kill -9 "$VICTIM""#),
    open(
        "what is run when a program crashes",
        NotTried,
        "echo '|/bin/false' > /proc/sys/kernel/core_pattern && echo ESCAPED; true",
    ),
    open(
        "a socket of another program",
        Works,
        r#"python3 -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["OUTSIDE"]+"/service.sock")'"#,
    ),
];
