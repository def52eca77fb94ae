"""Carries out attacks one after the other, each in a fresh copy of the home, and says what came of them.

It is started in namespaces of its own where the kernel has them: then it is the first process there, what an attack leaves
behind falls to it as it falls to init elsewhere, and an attack that names processes by name finds none but its own.
"""

import fcntl
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import attacks
from agent import Agent
from home import PATIENCE, Home
from judge import Judge, asked, entries, probe, state_files

SIOCSIFFLAGS = 0x8914
# For all steps of one attack.
LIMIT = 120
# For a question that waits for a person.
ATTENDED = 4
# Folders that are there and empty nearly everywhere, for a home that is not below a temporary folder.
PLACES = ("/srv", "/mnt", "/media")


def serve(program, alone, unguarded):
    """Reads jobs from standard input, a line each, and answers with a line each."""
    programs = {name: Path(program).with_name(name).read_bytes() for name in ("portcullis", "portcullis-hook")}
    base, ours = place(alone)
    home, modes = Home(base, programs), {}
    try:
        for line in sys.stdin:
            job = json.loads(line)
            if job["mode"] not in modes:
                modes[job["mode"]] = Mode(home, job["mode"])
            done = attempt(home, modes[job["mode"]], attacks.by_name()[job["attack"]], job["daemon"], unguarded)
            print(json.dumps({**job, **done}), flush=True)
    finally:
        home.end_all()
        if ours:
            shutil.rmtree(base, ignore_errors=True)


def place(alone):
    """A folder for the home, and whether it is to be removed afterwards."""
    if alone:
        loopback()
        for mount in PLACES:
            if os.path.isdir(mount) and not os.listdir(mount) and mounted(mount) and mounted("/tmp"):
                return mount, False
    return tempfile.mkdtemp(prefix="portcullis-attack-", dir="/var/tmp"), True


def loopback():
    """Brings up the loopback of a network of its own."""
    up_and_running = struct.pack("16sH14x", b"lo", 0x1 | 0x40)
    with socket.socket() as any_socket:
        try:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, up_and_running)
        except OSError:
            pass


def mounted(folder):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", folder], capture_output=True, check=False)
    return done.returncode == 0


class Mode:
    """What is ordinary in a mode: the answers, the state and the log before any attack."""

    def __init__(self, home, name):
        self.name = name
        home.make(name)
        in_child(lambda _: ordinary_work(home, "5e55a1e0-0000-4000-8000-000000000001"))
        home.keep(name)
        home.restore(name)
        self.asked, self.log = asked(home), entries(home)
        self.probes = in_child(lambda say: say(probe(Agent(home))))[0][0]
        home.start_daemon()
        in_child(lambda _: ordinary_work(home, "5e55a1e0-0000-4000-8000-000000000002"))
        self.quiet = set(state_files(home))
        home.end_all()
        reap()


def ordinary_work(home, session):
    """A few calls as every session makes them: allowed, asked about, denied, and finished."""
    agent = Agent(home, session)
    for tool, given in (("Bash", {"command": "git status", "description": "look"}),
                        ("Write", {"file_path": str(home.project / "src" / "new.py"), "content": "x = 1\n"}),
                        ("Bash", {"command": "git push --force origin main", "description": "push"}),
                        ("Bash", {"command": "curl http://127.0.0.1:9/", "description": "fetch"})):
        agent.ask(tool, given)
        agent.hook(agent.event("PostToolUse", tool, given, tool_response={"stdout": "", "stderr": ""}))


def attempt(home, mode, attack, daemon, unguarded):
    """One attack: the steps by an agent of their own process, then the judgement by another."""
    began = time.monotonic()
    home.restore(mode.name)
    try:
        if daemon:
            home.start_daemon()
        if attack.person:
            home.start_person(attack.person)
        # The approver starts the daemon where none runs.
        if attack.person == "approver" and not home.daemon:
            home.daemon = (home.health() or {}).get("pid")
        judge = Judge(home, mode.quiet, mode.probes, bool(attack.person == "approver"))
        steps, ended = in_child(lambda say: [say(step) for step in taken(home, attack, unguarded)])
        if ended and len(steps) < len(attack.steps):
            steps.append({"id": "", "tool": "", "input": {}, "told": "allow", "why": f"the agent itself was ended: {ended}"})
        found, judged = in_child(lambda say: say(judge.verdict(steps, unguarded, mode.asked, mode.log, len(steps))))
        changes = found[0] if found else [f"the judge did not come to an end: {judged}"]
        if not (changes or unguarded or attack.person or any(step["told"] == "allow" for step in steps)):
            home.clean = mode.name
        return {"steps": steps, "changes": changes, "seconds": round(time.monotonic() - began, 2)}
    finally:
        home.end_all()
        reap()


def taken(home, attack, unguarded):
    agent = Agent(home)
    agent.patience = patience(attack)
    for step in attack.steps:
        yield agent.take(step, unguarded)


def patience(attack):
    """Where a person could be asked, a question waits for nine minutes; nobody answers it here."""
    return ATTENDED if attack.person == "approver" else PATIENCE


def in_child(work):
    """Does something in a process of its own; what it says comes back even if it is killed on the way."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reader)
            work(lambda value: os.write(writer, json.dumps(value).encode() + b"\n"))
            code = 0
        except BaseException as error:  # noqa: BLE001: it is said, and the process ends here in any case
            print(f"attack-self: {error!r}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    os.close(writer)
    text, until = b"", time.monotonic() + LIMIT
    while select.select([reader], [], [], max(0, until - time.monotonic()))[0]:
        part = os.read(reader, 1 << 16)
        if not part:
            break
        text += part
    else:
        os.kill(child, 9)
    os.close(reader)
    try:
        ended = os.waitpid(child, 0)[1]
    except ChildProcessError:
        ended = -1
    return [json.loads(line) for line in text.splitlines() if line.endswith((b"}", b"]"))], ended


def reap():
    """Takes note of ended processes that fell to this one."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
