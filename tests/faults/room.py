"""A room of its own for each check: home, settings, state and project, the program in it, and what its log says.

The log is read here without the program, so that a mistake of the program in reading cannot hide one in writing.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

# Longer than every deadline of the program itself, and long enough for a busy machine.
PATIENCE = 60
# More of the same says nothing new.
SHOWN = 20
ALLOW, DENY, ASK = 0, 2, 3


class Tally:
    """What a check did, and what was wrong."""

    def __init__(self, name):
        self.name, self.counts, self.wrongs, self.began = name, {}, [], time.monotonic()

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def wrong(self, text):
        self.wrongs.append(text)
        if len(self.wrongs) > SHOWN:
            return
        print(f"  WRONG {self.name}: {text}", flush=True)

    def expect(self, holds, text):
        if not holds:
            self.wrong(text)

    def show(self):
        counts = ", ".join(f"{number} {what}" for what, number in self.counts.items())
        seconds = time.monotonic() - self.began
        print(f"{self.name}: {counts or 'nothing'}, {len(self.wrongs)} wrong ({seconds:.0f} s)", flush=True)


class Answer:
    """What a process said before it ended."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds
        try:
            self.json = json.loads(out)
        except ValueError:
            self.json = None

    @property
    def told(self):
        return self.json.get("told") if isinstance(self.json, dict) else None

    @property
    def allows(self):
        """Whether anybody could take it for a yes."""
        return self.code == ALLOW or self.told == "allow"

    def __str__(self):
        return f"code {self.code}, {self.seconds:.1f} s, {self.out.strip()[:300]!r}, {self.err.strip()[:300]!r}"


class Room:
    """One user with a project."""

    def __init__(self, program, settings=None, base=None):
        self.program = str(program)
        self.folder = Path(tempfile.mkdtemp(prefix="portcullis-faults-", dir=base))
        self.state = self.folder / "state" / "portcullis"
        self.config = self.folder / "config" / "portcullis"
        self.project = self.folder / "proj"
        for folder in (self.config, self.project / ".git", self.folder / "home"):
            folder.mkdir(parents=True)
        self.settings(settings or {"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(curl:*)"]}})
        self.calls = 0

    def settings(self, value):
        (self.config / "settings.json").write_text(json.dumps(value))

    @property
    def environment(self):
        return {
            "HOME": str(self.folder / "home"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "SHELL": "/bin/bash",
        }

    def call(self, command=None, session="s", **more):
        """A call of the plain form with a name of its own."""
        self.calls += 1
        name = f"c{self.calls}"
        command = command or f"make target-{name}"
        call = {"tool": "Bash", "input": {"command": command}, "cwd": str(self.project), "session": session}
        return {**call, "id": name, **more}

    def start(self, call, before=(), environment=None):
        """Starts a hook and hands it the call."""
        process = subprocess.Popen(
            [*before, self.program, "hook", "generic"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment if environment is None else environment, cwd=self.project,
        )
        process.began, process.call = time.monotonic(), call
        try:
            process.stdin.write(json.dumps(call).encode())
            process.stdin.close()
        except OSError:
            pass
        process.stdin = None
        return process

    @staticmethod
    def end(process):
        """Waits for a hook; nothing where it does not come to an end."""
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        seconds = time.monotonic() - process.began
        return Answer(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), seconds)

    def hook(self, call=None, before=(), environment=None):
        process = self.start(call or self.call(), before, environment)
        return process.call, self.end(process)

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, cwd=self.project, text=True,
                              capture_output=True, timeout=PATIENCE)
        return done.returncode, done.stdout + done.stderr

    def serve(self, *words, before=()):
        """Starts the daemon and waits until it listens."""
        process = subprocess.Popen([*before, self.program, "serve", *words], env=self.environment, cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        process.first = process.stdout.readline().decode(errors="replace")
        return process

    def records(self):
        """Every entry that is on the disk, by number; without the program."""
        database = self.state / "portcullis.db"
        if not database.exists() or database.stat().st_size == 0:
            return {}
        connection = sqlite3.connect(database, timeout=PATIENCE)
        try:
            rows = connection.execute("SELECT seq, prev, hash, body FROM entry ORDER BY seq").fetchall()
        finally:
            connection.close()
        return {seq: (prev, digest, body) for seq, prev, digest, body in rows}

    def broken_link(self):
        """The number of the first entry that does not follow the one before it."""
        last, expected = "0" * 64, 1
        for seq, (prev, digest, body) in self.records().items():
            text = f"{last}\n{seq}\n{body}".encode()
            if seq != expected or prev != last or hashlib.sha256(text).hexdigest() != digest:
                return seq
            last, expected = digest, seq + 1
        return None

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def judge(tally, room, call, answer, records=None, killed=False):
    """What holds for every answer, whatever happened: no allow without its record, no deny that is not one."""
    if answer is None:
        return tally.wrong(f"no answer in {PATIENCE} s for {call['id']}")
    tally.count("answers")
    if "panicked" in answer.err:
        tally.wrong(f"a panic: {answer}")
    if answer.allows:
        tally.count("allows")
        records = room.records() if records is None else records
        seq = answer.json.get("seq") if isinstance(answer.json, dict) else None
        found = records.get(seq)
        body = json.loads(found[2]) if found else {}
        if body.get("call_id") != call["id"] or body.get("answered") != "allow" or body.get("input") != call["input"]:
            tally.wrong(f"an allow without its record: {answer}")
    elif answer.code == DENY:
        tally.count("denies")
    elif answer.code != ASK and not (killed and answer.code < 0):
        tally.wrong(f"neither a yes nor a no: {answer}")


def whole(tally, room):
    """The chain holds, and the program says so too."""
    broken = room.broken_link()
    if broken is not None:
        tally.wrong(f"entry {broken} does not follow")
    code, said = room.run("log", "verify")
    if code != 0:
        tally.wrong(f"`log verify` says {code}: {said.strip()[:300]}")


def works(tally, room):
    """The next call is answered properly: allowed by its rule."""
    call, answer = room.hook()
    if answer is None or answer.told != "allow":
        tally.wrong(f"the next call does not work: {answer}")
    else:
        judge(Tally(""), room, call, answer)
