#!/usr/bin/env python3
"""Runs real clients against a scripted model and a hook, and looks at what became of the marker file.

    scripts/clients                          every row of every pinned client; writes tests/clients/results/*.jsonl
    scripts/clients --client codex --row deny
    scripts/clients --record                 makes each client use many tools; writes tests/clients/inputs/*.jsonl
    scripts/clients --gate target/debug/portcullis    also the rows about what `portcullis install` writes
    scripts/clients --table                  only writes docs/compatibility.md from the results

Clients are installed from npm into $PORTCULLIS_CLIENTS, or a folder that goes away. They run with an empty
environment, a home of their own and dummy keys; the model listens on loopback. Exit code: 0 as expected (also when no
client can be had, which is said loudly), 1 something was not, 2 it did not work.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import table
from clients import PINNED, ROOT
from model import SUBTASK, Model
from recording import recording_script
from rows import (AUTO_CLIENTS, AUTO_ROWS, EXCEPTIONS, GATE_ROWS, NOT_OFFERED, NOT_RUN, POLICIES, RAN, REQUIRED,
                  REWRITTEN, ROWS)

HERE = pathlib.Path(__file__).resolve().parent
# A hook that hangs is waited for this long; then the client has to decide without it.
HOOK_SECONDS = 20
SHORT_HOOK_SECONDS = 3
# No row takes longer, on a machine that does other things too. Gemini waits for ever for an answer to an ask.
ROW_SECONDS = 90
RECORDING_SECONDS = 600


class Unavailable(Exception):
    """A client cannot be had here, which says nothing about the gate."""


class World:
    """A throw-away home and project."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.home, self.work, self.seen = self.root / "home", self.root / "proj", self.root / "seen"
        for folder in (self.home, self.work, self.seen):
            folder.mkdir()
        (self.work / "notes.md").write_text("one\ntwo\nthree\n")

    def inputs(self):
        """What the hook was given, in order, without paths of this machine."""
        texts = [path.read_text() for path in sorted(self.seen.iterdir())]
        return [json.loads(self.hide(text)) for text in texts]

    def hide(self, text):
        places = ((self.work, "/home/dev/proj"), (self.home, "/home/dev"), (self.root, "/home/dev/x"),
                  (ROOT, "/home/dev/portcullis"), (sys.executable, "/usr/bin/python3"))
        for folder, name in places:
            # Some clients spell a folder as one word, for names of their own files.
            for before, after in ((str(folder), name), (dashed(folder), dashed(name))):
                text = text.replace(before, after)
        return text


def dashed(path):
    return re.sub(r"[^A-Za-z0-9]", "-", str(path))


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(client, cache):
    """The client's program; installs it where it is missing."""
    folder = cache / client.id
    program = folder / "node_modules" / ".bin" / client.program
    if not program.exists():
        say(f"installing {client.package}@{client.version}")
        done = subprocess.run(
            ["npm", "install", "--prefix", str(folder), f"{client.package}@{client.version}", "--no-audit", "--no-fund"],
            capture_output=True, text=True, timeout=900)
        if done.returncode or not program.exists():
            raise Unavailable((done.stderr or done.stdout)[-300:])
    return program


def run_client(client, program, world, model, mode, seconds):
    """Runs to the end, or until nothing more is to be expected. Gives what it printed."""
    args, env = client.start(world, model.url, mode)
    env = {"PATH": os.environ["PATH"], "HOME": str(world.home), "TERM": "dumb", "NO_COLOR": "1", "CI": "1", **env}
    # A file, not a pipe: what a client leaves behind could hold a pipe open for ever.
    with open(world.root / "output", "w+") as output:
        child = subprocess.Popen([str(program), *args], cwd=world.work, env=env, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            output.write("\nthe client did not come to an end\n")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        output.flush()
        return (world.root / "output").read_text(errors="replace")


def hook_command(client, behaviour, world):
    if behaviour == "missing":
        return str(world.root / "no-such-program")
    words = (sys.executable, str(HERE / "stand_in.py"), client.name, behaviour, str(world.seen))
    return " ".join(shlex.quote(word) for word in words)


def gate_command(client, gate, row, world):
    """The real program as the hook, under the row's policy."""
    policy = POLICIES[row.name]
    settings = {"permissions": policy}
    if row.name == "gate, rewrite":
        hook = {"type": "command", "command": shlex.join([sys.executable, str(HERE / "rewriting_hook.py")])}
        settings["hooks"] = {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}
    path = world.home / ".config" / "portcullis" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text("{ this is no JSON" if policy is None else json.dumps(settings))
    return shlex.join([str(pathlib.Path(gate).resolve()), "hook", client.name])


def recorded_calls(gate, world):
    """How many calls the gate wrote down."""
    env = {"PATH": os.environ["PATH"], "HOME": str(world.home)}
    done = subprocess.run([gate, "log", "--json"], env=env, cwd=world.work, capture_output=True, text=True, timeout=60)
    return len(done.stdout.splitlines())


def install(client, gate, behaviour, world):
    """What `portcullis install` leaves, with a program in the gate's place that does as it is told: proves that the
    client really starts what was written into its settings."""
    program = world.root / "bin" / "portcullis"
    program.parent.mkdir()
    shutil.copy(gate, program)
    env = {"PATH": os.environ["PATH"], "HOME": str(world.home)}
    subprocess.run([str(program), "install", client.name, "--yes"], cwd=world.work, env=env, check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    program.unlink()
    program.write_text(f"#!/bin/sh\nexec {hook_command(client, behaviour, world)}\n")
    program.chmod(0o755)


def calls_for(client, kind, world):
    """The script of the main conversation and that of a sub-agent."""
    marker = world.work / "marker.txt"
    touch = client.shell("touch marker.txt")
    return {
        "shell": ([touch], []), "python": ([client.shell("python3 -c \"open('marker.txt', 'w')\"")], []), "write": ([client.write(marker, "written\n")], []),
        "note": ([client.note(marker, "written")], []),
        "delegate": ([client.delegate(f"{SUBTASK}: do your part"), *client.patience()], [touch]),
    }[kind]


def outcome(world, model):
    if (world.work / "marker.txt").exists():
        return RAN
    if (world.work / "rewritten.txt").exists():
        return REWRITTEN
    return NOT_OFFERED if model.not_offered else NOT_RUN


def run_row(client, program, row, gate=None):
    with tempfile.TemporaryDirectory(prefix="clients-") as root:
        world = World(root)
        script, subscript = calls_for(client, row.kind, world)
        model = Model(script, subscript)
        seconds = SHORT_HOOK_SECONDS if row.behaviour == "timeout" else HOOK_SECONDS
        if row.mode == "installed":
            client.settings(world, model.url, None, seconds)
            install(client, gate, row.behaviour, world)
        elif row.behaviour == "gate":
            client.settings(world, model.url, gate_command(client, gate, row, world), seconds)
        else:
            client.settings(world, model.url, hook_command(client, row.behaviour, world), seconds)
        started = time.monotonic()
        try:
            output = run_client(client, program, world, model, row.mode, ROW_SECONDS)
        finally:
            model.close()
        asked = sum(message.get("hook_event_name") == client.asking for message in world.inputs())
        if row.behaviour == "gate":
            asked = recorded_calls(gate, world)
        more = {"classifier_calls": model.classified} if row.mode == "auto" else {}
        return {
            "client": client.name, "version": client.version, "row": row.name, "got": outcome(world, model),
            "hook_calls": asked, "seconds": round(time.monotonic() - started, 1), **more,
        }, world.hide(output), sorted(model.offered)


def expected(client, row):
    return EXCEPTIONS.get((client.name, row)) or REQUIRED.get(row) or table.documented().get(client.id, {}).get(row)


def run_rows(client, program, options):
    records, wrong = [], 0
    rows = ROWS + GATE_ROWS + (AUTO_ROWS if client.id in AUTO_CLIENTS else [])
    for row in rows:
        if options.row and row.name not in options.row:
            continue
        if (row.mode == "installed" or row.behaviour == "gate") and not options.gate:
            print(f"SKIPPED: {client.id}: {row.name}: needs --gate PROGRAM", flush=True)
            continue
        record, output, offered = run_row(client, program, row, options.gate)
        record["expected"] = expected(client, row.name)
        # What the gate stands on must hold because the hook was asked, not by some other mishap.
        ok = record["expected"] in (None, record["got"]) and (row.name not in REQUIRED or record["hook_calls"] > 0)
        wrong += not ok
        records.append(record)
        print(f"{'ok  ' if ok else 'BAD '} {client.id:22} {row.name:28} {record['got']:12} "
              f"hook {record['hook_calls']}  {record['seconds']} s", flush=True)
        if options.verbose or not ok:
            say(f"  expected {record['expected']}; tools: {', '.join(offered)}\n{output[-3000:]}")
    return records, wrong


def save_rows(client, records):
    """Rows that were not run this time stay as they were measured."""
    path = HERE / "results" / f"{client.id}.jsonl"
    path.parent.mkdir(exist_ok=True)
    known = {}
    if path.exists():
        known = {one["row"]: one for one in map(json.loads, path.read_text().splitlines())}
    known.update({record["row"]: record for record in records})
    order = {row.name: number for number, row in enumerate(ROWS + GATE_ROWS + AUTO_ROWS)}
    lines = [json.dumps(known[name]) for name in sorted(known, key=lambda name: order.get(name, 99))]
    path.write_text("\n".join(lines) + "\n")


def record(client, program):
    """One long session in which the client uses its tools, with a hook that says nothing and keeps what it is given."""
    with tempfile.TemporaryDirectory(prefix="clients-") as root:
        world = World(root)
        script, subscript = recording_script(client, world)
        model = Model(script, subscript)
        client.settings(world, model.url, hook_command(client, "allow", world), HOOK_SECONDS)
        try:
            output = run_client(client, program, world, model, "open", RECORDING_SECONDS)
        finally:
            model.close()
        inputs = world.inputs()
        path = HERE / "inputs" / f"{client.id}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(one, ensure_ascii=True) + "\n" for one in inputs))
        tools = sorted({str(one.get("tool_name")) for one in inputs if one.get("tool_name")})
        print(f"{client.id}: {len(inputs)} inputs of {len(script) + len(subscript)} calls; tools: {', '.join(tools)}")
        if model.not_offered:
            print(f"  not offered: {sorted(model.not_offered)}; there are: {', '.join(sorted(model.offered))}")
        if len(inputs) < 20:
            say(world.hide(output)[-3000:])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--client", action="append", default=[], metavar="NAME[-VERSION]")
    parser.add_argument("--row", action="append", default=[], metavar="NAME")
    parser.add_argument("--gate", metavar="PROGRAM", help="the portcullis whose `install` is to be proven")
    parser.add_argument("--record", action="store_true", help="record hook inputs instead of running rows")
    parser.add_argument("--table", action="store_true", help="only write docs/compatibility.md")
    parser.add_argument("--verbose", action="store_true", help="show what each client printed")
    return parser.parse_args()


def each_client(options):
    cache = os.environ.get("PORTCULLIS_CLIENTS")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(cache or stack.enter_context(tempfile.TemporaryDirectory(prefix="clients-npm-")))
        for client in PINNED:
            if options.client and not {client.name, client.id} & set(options.client):
                continue
            try:
                yield client, installed(client, folder)
            except (Unavailable, FileNotFoundError, subprocess.TimeoutExpired) as error:
                print(f"SKIPPED: {client.id} cannot be installed here: {error}", flush=True)


def main():
    options = arguments()
    if options.table:
        table.write()
        return 0
    wrong = ran = 0
    for client, program in each_client(options):
        ran += 1
        if options.record:
            record(client, program)
            continue
        records, bad = run_rows(client, program, options)
        wrong += bad
        save_rows(client, records)
    if not ran:
        print("SKIPPED: no client could be had; nothing was proven")
    elif not options.record:
        table.write()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
