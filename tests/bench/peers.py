"""Other permission gates: where they are installed from, how each is asked as the hook of Claude Code, and what it said.

They come from package registries into a folder outside the repository and run with a home and projects of their own, in the
configuration that they have right after they were installed. Nothing of them is kept here.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Long enough for a busy machine; a hook that takes longer has failed.
PATIENCE = 60
# Compilers and the many rows wait for whatever else the machine does.
NICE = ["nice", "-n", "10"]
# The verdicts. Silence of a hook leaves the call to the client, whose own answer is then to ask.
ALLOW, ASK, DENY, SILENT, FAILED = "allow", "ask", "deny", "silent", "failed"


class Unavailable(Exception):
    """This peer cannot be had here."""


def run(words, **more):
    done = subprocess.run([*NICE, *map(str, words)], text=True, capture_output=True, stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        tail = (done.stdout + done.stderr).strip().splitlines()[-3:]
        raise Unavailable(f"`{' '.join(map(str, words))}` ended with {done.returncode}: {' / '.join(tail)}")
    return done.stdout


class World:
    """One user for one program: a home, and projects in it where the cases say they are. `/home/dev` of the cases lies in it."""

    def __init__(self, folder, path=()):
        self.folder = Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.home = self.folder / "home" / "dev"
        self.home.mkdir(parents=True)
        self.path = [str(part) for part in path]

    @property
    def environment(self):
        return {"HOME": str(self.home), "PATH": os.pathsep.join([*self.path, os.environ.get("PATH", "/usr/bin:/bin")]),
                "SHELL": "/bin/bash", "LANG": "C.UTF-8", "USER": "dev"}

    def place(self, text):
        return text.replace("/home/dev", str(self.home))

    def project(self, cwd=None):
        """The folder of a case, which is an empty repository; written by hand, for git may not be installed."""
        folder = Path(self.place(cwd or "/home/dev/proj"))
        git = folder / ".git"
        if not git.exists():
            for name in ("objects", "refs/heads"):
                (git / name).mkdir(parents=True)
            (git / "HEAD").write_text("ref: refs/heads/main\n")
            (git / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        return folder

    def event(self, row, number=0):
        """What Claude Code hands to a hook before a call."""
        transcript = self.folder / "talk.jsonl"
        user = row.get("user", "Please continue.")
        transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": user}}) + "\n")
        return json.dumps({
            "session_id": f"session-{number}-{row['id']}", "transcript_path": str(transcript), "cwd": str(self.project(row.get("cwd"))),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": row["tool"],
            "tool_use_id": f"toolu_{number}", "tool_input": {"command": self.place(row["input"]["command"])},
        })


def verdict(code, out):
    """What Claude Code makes of a hook's answer."""
    try:
        said = json.loads(out) if out.strip() else {}
        told = said.get("hookSpecificOutput", {}).get("permissionDecision") or {"approve": ALLOW, "block": DENY}.get(said.get("decision"))
    except (ValueError, AttributeError):
        told = None
    if told in (ALLOW, ASK, DENY):
        return told
    return {0: SILENT, 2: DENY}.get(code, FAILED)


class Peer:
    """A gate that is asked by starting it. `words` is the hook's command line once `install` went well."""

    name, version, source, decides = "", "", "", True

    def __init__(self, folder):
        self.folder, self.words, self.world = Path(folder) / self.name.replace(" ", "-"), [], None

    def install(self):
        raise NotImplementedError

    def enter(self, path=()):
        self.world = World(self.folder / "world", path)

    def handed(self, row, number):
        return self.world.event(row, number)

    def ask(self, row, number=0):
        """One cold start, as the client would do it."""
        event = self.handed(row, number)
        try:
            done = subprocess.run([*NICE, *self.words], input=event, text=True, capture_output=True, timeout=PATIENCE,
                                  env=self.world.environment, cwd=self.world.project(row.get("cwd")))
        except subprocess.TimeoutExpired:
            return FAILED
        return verdict(done.returncode, done.stdout)

    def ask_all(self, rows, progress):
        """Every row; a peer with a faster way to the same answers says so."""
        for number, row in enumerate(rows):
            progress(number)
            yield self.ask(row, number)

    def server(self, words, rows, progress):
        """Rows through one process that answers a line with a line: a list of exit code and text."""
        process = subprocess.Popen([*NICE, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=self.world.environment, cwd=self.world.project())
        try:
            for number, row in enumerate(rows):
                progress(number)
                process.stdin.write(self.handed(row, number) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
                if not answer:
                    raise Unavailable(f"its process ended at {row['id']}")
                yield verdict(*json.loads(answer))
        finally:
            process.stdin.close()
            process.wait()


# Every row is a fork of a process that has loaded the hook and judged nothing yet, so that nothing is left of the row before.
FORKS = """
import importlib, io, json, os, sys
for name in sys.argv[1].split(","):
    importlib.import_module(name)
entry = getattr(importlib.import_module(sys.argv[2]), "main")
words = sys.argv[3:]
for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        os.close(reading)
        os.chdir(json.loads(line)["cwd"])
        sys.argv, sys.stdin, sys.stdout = words, io.TextIOWrapper(io.BytesIO(line.encode())), os.fdopen(1, "w")
        code = 1
        try:
            code = entry() or 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            pass
        sys.stdout.flush()
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as said:
        text = said.read()
    _, status = os.waitpid(child, 0)
    print(json.dumps([os.waitstatus_to_exitcode(status), text]), flush=True)
"""


class Nah(Peer):
    name, version, source = "nah", "0.11.0", "PyPI"

    def install(self):
        program = self.folder / "venv" / "bin" / "nah"
        if not program.exists():
            run([sys.executable, "-m", "venv", self.folder / "venv"])
            run([self.folder / "venv" / "bin" / "pip", "install", "--quiet", f"nah=={self.version}"])
        self.enter([program.parent])
        run([program, "install", "claude"], env=self.world.environment, cwd=self.world.project())
        self.words = [str(program), "_claude-hook"]

    def ask_all(self, rows, progress):
        modules = "nah.cli,nah.claude_hooks,nah.hook,nah.bash"
        python = self.folder / "venv" / "bin" / "python"
        return self.server([python, "-c", FORKS, modules, "nah.cli", *self.words], rows, progress)


class Cargo(Peer):
    """A program that is compiled from crates.io."""

    crate, program, arguments, source = "", "", (), "crates.io"

    def install(self):
        program = self.folder / "bin" / self.program
        if not program.exists():
            print(f"compiling {self.crate} {self.version}, which takes minutes", file=sys.stderr, flush=True)
            environment = {**os.environ, "CARGO_TARGET_DIR": str(self.folder / "target")}
            run(["cargo", "install", self.crate, "--version", self.version, "--locked", "--root", self.folder], env=environment)
            shutil.rmtree(self.folder / "target", ignore_errors=True)
        self.enter([program.parent])
        self.words = [str(program), *self.arguments]
        self.set_up(program)

    def set_up(self, program):
        """What its own installation does for Claude Code."""


class SafeChains(Cargo):
    name = crate = program = "safe-chains"
    version = "0.241.2"

    def set_up(self, program):
        (self.world.home / ".claude").mkdir()
        run([program, "--setup"], env=self.world.environment, cwd=self.world.project())


class Rippy(Cargo):
    name, crate, program, version, arguments = "rippy", "rippy-cli", "rippy", "0.2.6", ("--mode", "claude")


class Npm(Peer):
    """A program from the npm registry."""

    package, source = "", "npm"

    def fetch(self):
        if not (self.folder / "node_modules" / self.package).exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            run(["npm", "install", "--no-audit", "--no-fund", "--prefix", self.folder, f"{self.package}@{self.version}"])
        self.enter()
        return self.folder / "node_modules" / self.package


# Its published interface for programs; whether it says the same as the hook is tried on a sample.
SAFETY_NET = """
const { checkCommand } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  let kind = "failed";
  try { kind = checkCommand({ command: event.tool_input.command, cwd: event.cwd }).kind; } catch {}
  console.log(JSON.stringify([{ allow: 0, deny: 2, failed: 1 }[kind], ""]));
}
"""


class SafetyNet(Npm):
    name = package = "cc-safety-net"
    version = "2.4.5"

    def install(self):
        program = self.fetch() / "dist" / "bin" / "cc-safety-net.js"
        # Without `npx`, which is what its plugin would start it with and which takes longer.
        self.words = [shutil.which("node"), str(program), "hook", "--coding-cli"]

    def ask_all(self, rows, progress):
        api = self.folder / "node_modules" / self.package / "dist" / "api.js"
        return self.server(["node", "--input-type=module", "-e", SAFETY_NET, api], rows, progress)


class Codex(Npm):
    """Only its time: `execpolicy check` has no rules of its own and takes words, not a line of shell."""

    name, package, version, decides = "codex execpolicy", "@openai/codex", "0.166.0", False

    def install(self):
        vendor = self.fetch().parent
        found = sorted(vendor.glob("codex-*/vendor/*/bin/codex"))
        if not found:
            raise Unavailable("the package holds no program for this machine")
        rules = self.folder / "git.rules"
        rules.write_text('prefix_rule(pattern = ["git", "status"], decision = "allow")\n')
        # The program itself, not the script that looks for it.
        self.words = [str(found[0]), "execpolicy", "check", "--rules", str(rules), "git", "status"]

    def handed(self, row, number):
        return ""


class Dippy(Peer):
    """On no registry: it is installed with Homebrew or from its repository. The name on PyPI is another program's."""

    name, source = "Dippy", "a checkout"
    checkout = None

    def install(self):
        if not self.checkout:
            raise Unavailable("it is on no package registry (`dippy` on PyPI is something else); name a checkout with --dippy FOLDER")
        program = Path(self.checkout) / "bin" / "dippy-hook"
        if not program.exists():
            raise Unavailable(f"there is no {program}")
        self.enter()
        self.words = [sys.executable, str(program), "--claude"]


ALL = [Nah, SafeChains, SafetyNet, Rippy, Dippy, Codex]
