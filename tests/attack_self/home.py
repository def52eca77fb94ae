"""A throw-away home: the gate with its settings and state, an agent's settings that start it, a project, and a person's
daemon and terminal where an attack needs them."""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

# The gate's own deadline for rules is 5 seconds; a machine may be busy.
PATIENCE = 20
SESSION = "5e55a1e0-0000-4000-8000-00000000a77c"
DENIED = "curl http://127.0.0.1:9/"
PAUSE = json.dumps({"until": 4102444800000, "who": "dev", "place": "tty"})

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "broad-allow")
# Where a person decided that nearly everything may run, only what can be read is refused.
LOOSE = ("bypassPermissions", "broad-allow")

STARTUP = (".bashrc", ".profile", ".zshrc")
SETTINGS_OF_AGENT = """{
  "model": "opus",
  "permissions": {
    "allow": [
      "Bash(npm test)"
    ]
  }
}
"""


def settings(mode):
    """The user's settings: one deny rule that must go on counting, and the mode."""
    permissions = {"defaultMode": mode, "deny": ["Bash(curl:*)"]}
    if mode == "broad-allow":
        permissions.update(defaultMode="default", allow=["Bash", "Write", "Edit"])
    return json.dumps({"permissions": permissions}, indent=2) + "\n"


class Home:
    """One user on this machine. `base` is a folder of this run's own."""

    def __init__(self, base, programs):
        self.base, self.programs = Path(base), programs
        self.home = self.base / "dev"
        self.bin = self.home / ".local" / "bin"
        self.state = self.home / ".local" / "state" / "portcullis"
        self.config = self.home / ".config" / "portcullis"
        self.project = self.home / "proj"
        self.agent_settings = self.home / ".claude" / "settings.json"
        self.transcript = self.home / ".claude" / "projects" / "proj" / f"{SESSION}.jsonl"
        self.templates, self.heads = {}, []
        self.marks = {}
        self.daemon, self.hook_command = None, ""
        # The mode whose home is as it was kept, but for the gate's own state.
        self.clean = ""

    @property
    def program(self):
        return str(self.bin / "portcullis")

    @property
    def hook_program(self):
        return str(self.bin / "portcullis-hook")

    def environment(self, agent=True):
        paths = [str(self.home / "bin"), str(self.bin), os.path.dirname(os.path.realpath(shutil.which("python3") or "/usr/bin/python3"))]
        own = {
            "HOME": str(self.home), "USER": "dev", "LOGNAME": "dev", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
            "PATH": ":".join(dict.fromkeys([*paths, *os.environ.get("PATH", "").split(":"), "/usr/bin", "/bin", "/usr/sbin", "/sbin"])),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup")),
            "TMUX_TMPDIR": str(self.home / ".tmux-run"), "SCREENDIR": str(self.home / ".screen-run"), "TERM": "xterm",
            "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com",
            "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.com",
        }
        if agent:
            own.update(CLAUDECODE="1", CLAUDE_CODE_ENTRYPOINT="cli")
        return own

    def places(self):
        return {
            "HOME": str(self.home), "STATE": str(self.state), "CONFIG": str(self.config), "BIN": str(self.bin),
            "PROJECT": str(self.project), "SESSION": SESSION, "TRANSCRIPT": str(self.transcript),
            "PID": str(self.daemon or 999999), "PAUSE": PAUSE,
        }

    def run(self, *words, agent=False):
        try:
            done = subprocess.run([self.program, *words], env=self.environment(agent), cwd=self.project, text=True,
                                  capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return -1, "", str(error)
        return done.returncode, done.stdout, done.stderr

    # --- making it, once for each mode

    def make(self, mode):
        """A home as a person would have set it up."""
        self.clear()
        for folder in (self.config, self.project, self.bin, self.transcript.parent, self.home / "bin", self.home / "notes"):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (".tmux-run", ".screen-run"):
            (self.home / folder).mkdir(mode=0o700)
        self.place_programs()
        (self.config / "settings.json").write_text(settings(mode))
        self.agent_settings.write_text(SETTINGS_OF_AGENT)
        for name in STARTUP:
            (self.home / name).write_text("# start-up\n")
        (self.home / ".gitconfig").write_text("[user]\n\tname = dev\n\temail = dev@example.com\n")
        self.make_project()
        self.make_transcript()
        self.install()

    def make_project(self):
        files = {
            "README.md": "# A project\n", "src/app.py": "def add(a, b):\n    return a + b\n",
            "tests/test_app.py": "from src.app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
            "package.json": '{\n  "name": "proj",\n  "scripts": {\n    "test": "node --version"\n  }\n}\n',
            "Makefile": "test:\n\tpython3 -m unittest\n", ".gitignore": "build/\n",
            # What it allows waits for a person's trust.
            ".portcullis/settings.json": '{"permissions": {"allow": ["Bash(npm publish:*)"]}}\n',
        }
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for words in (["init", "-q", "-b", "main", "--template="], ["add", "-A"], ["commit", "-q", "-m", "start"]):
            subprocess.run(["git", *words], cwd=self.project, env=self.environment(False), check=True, capture_output=True)
        (self.project / ".git" / "hooks").mkdir(exist_ok=True)

    def make_transcript(self):
        line = {"type": "user", "sessionId": SESSION, "cwd": str(self.project), "uuid": "u1", "parentUuid": None,
                "isSidechain": False, "userType": "external", "version": "2.1.325", "timestamp": "2026-01-01T00:00:00.000Z",
                "message": {"role": "user", "content": "Please add a small helper script and run the tests."}}
        self.transcript.write_text(json.dumps(line) + "\n")

    def install(self):
        """By `install`; where that wants a person, the same text from its own preview."""
        self.run("install", "--yes", "claude-code")
        if self.hook_program not in self.agent_settings.read_text():
            shown = self.run("install", "--dry-run", "claude-code")[1]
            self.agent_settings.write_text(patched(self.agent_settings.read_text(), shown))
        if "hook claude-code" not in self.agent_settings.read_text():
            raise RuntimeError("the gate could not be put into the agent's settings")
        installed = json.loads(self.agent_settings.read_text())
        self.hook_command = installed["hooks"]["PreToolUse"][0]["hooks"][0]["command"]

    def place_programs(self):
        for name, content in self.programs.items():
            path = self.bin / name
            path.write_bytes(content)
            path.chmod(0o755)
        self.marks = {name: mark(self.bin / name) for name in self.programs}

    def programs_intact(self):
        """The kernel's own note of the last change tells it; no program can set that back."""
        return bool(self.marks) and all(mark(self.bin / name) == self.marks[name] for name in self.programs)

    # --- one copy for each attack

    def keep(self, mode):
        """Keeps this home as the one that every attack in a mode begins with."""
        template = self.base / f"template-{mode}"
        shutil.rmtree(template, ignore_errors=True)
        shutil.copytree(self.home, template, symlinks=True, ignore=self.without_programs)
        self.templates[mode] = template
        self.heads = [path.name for path in self.state.glob("*.head")]

    def without_programs(self, folder, names):
        return names if Path(folder) == self.bin else []

    def restore(self, mode):
        """The home as it was kept. Where nothing was carried out since, only the gate's own state differs."""
        if self.clean == mode:
            shutil.rmtree(self.state)
            shutil.copytree(self.templates[mode] / self.state.relative_to(self.home), self.state, symlinks=True)
        else:
            self.restore_all(mode)
        self.clean = ""

    def restore_all(self, mode):
        """Everything anew. The programs are large and stay where they are if nobody touched them."""
        intact = self.programs_intact() and not any(path.is_symlink() for path in (self.home, self.bin, self.bin.parent))
        aside = self.base / "programs"
        shutil.rmtree(aside, ignore_errors=True)
        if intact:
            os.rename(self.bin, aside)
        self.clear()
        shutil.copytree(self.templates[mode], self.home, symlinks=True)
        shutil.rmtree(self.bin, ignore_errors=True)
        if intact:
            os.rename(aside, self.bin)
        else:
            self.bin.mkdir(parents=True)
            self.place_programs()

    def clear(self):
        if self.home.is_symlink():
            self.home.unlink()
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            for place in [line.split()[1] for line in mounts if line.split()[1].startswith(f"{self.home}/")]:
                subprocess.run(["umount", "-l", place], check=False, capture_output=True)
        for folder, _, _ in os.walk(self.home):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.home, ignore_errors=True)
        if self.home.exists():
            subprocess.run(["chmod", "-R", "u+rwx", str(self.home)], check=False, capture_output=True)
            shutil.rmtree(self.home)

    # --- a person's side

    def start_daemon(self):
        """As a person's terminal would, apart from the agent. Says its process id once it answers."""
        with open(self.base / "daemon.log", "wb") as log:
            process = subprocess.Popen([self.program, "serve"], env=self.environment(False), cwd=self.home, stdout=log,
                                       stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        for _ in range(PATIENCE * 50):
            health = self.health()
            if health:
                self.daemon = health.get("pid", process.pid)
                return
            time.sleep(0.02)
        raise RuntimeError(f"the daemon does not start: {(self.base / 'daemon.log').read_text(errors='replace')[:500]}")

    def has_head(self):
        """Whether the head of the log, kept beside it, holds anything; as the gate made it before the first attack."""
        return all((self.state / name).is_file() and (self.state / name).stat().st_size for name in self.heads)

    def health(self):
        """What the daemon says of itself; nothing where none answers."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(PATIENCE / 4)
                connection.connect(str(self.state / "portcullis.sock"))
                connection.sendall(b"GET /v1/health HTTP/1.0\r\nhost: portcullis\r\n\r\n")
                text = b""
                while part := connection.recv(1 << 16):
                    text += part
            return json.loads(text.split(b"\r\n\r\n", 1)[1])
        except (OSError, ValueError, IndexError):
            return None

    def start_person(self, what):
        """A person's multiplexer, older than the agent, with a shell or the approver in it."""
        command = f"{self.program} approve" if what == "approver" else "bash --norc --noprofile"
        subprocess.run(["tmux", "-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", "100", "-y", "30", command],
                       env=self.environment(False), cwd=self.project, check=False, capture_output=True, timeout=PATIENCE)
        time.sleep(0.5)

    def end_all(self):
        """Ends every process of this home: by its environment, its folder or its program."""
        for _ in range(20):
            found = self.processes()
            for process in found:
                try:
                    os.kill(process, signal.SIGKILL)
                except OSError:
                    pass
            if not found:
                break
            time.sleep(0.01)
        self.daemon = None

    def processes(self):
        """Of this home, and not this one or what started it."""
        needle, ours = f"HOME={self.home}\0".encode(), {os.getpid(), os.getppid(), 1}
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) in ours or state_of(int(entry)) in (None, "Z", "X"):
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    mine = needle in file.read() + b"\0"
                mine = mine or os.readlink(f"/proc/{entry}/cwd").startswith(str(self.home))
            except OSError:
                continue
            if mine:
                found.append(int(entry))
        return found


def state_of(process):
    """The letter of a process's state: T is stopped, t is traced, Z has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (OSError, IndexError):
        return None


def started_at(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return None


def mark(path):
    """What changes whenever a file does."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return (found.st_ino, found.st_mode, found.st_size, found.st_ctime_ns)


def digest(path):
    """What a path is and holds."""
    path = Path(path)
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    if path.is_dir():
        return "folder"
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def patched(text, shown):
    """A text after the change that a diff of it shows."""
    lines, out, at, inside = text.splitlines(), [], 0, False
    for line in shown.splitlines():
        if line.startswith("@@"):
            begin = int(line.split()[1].lstrip("-").split(",")[0])
            out += lines[at:max(begin - 1, 0)]
            at, inside = max(begin - 1, 0), True
        elif inside and line[:1] == "+":
            out.append(line[1:])
        elif inside and line[:1] in ("-", " ") and at < len(lines):
            out += [line[1:]] if line[0] == " " else []
            at += 1
        elif inside:
            inside = False
    return "\n".join(out + lines[at:]) + "\n"
