#!/usr/bin/env python3
"""Runs real clients against a scripted model and a hook, and looks at what became of the marker file.

    scripts/clients                          every row of every pinned client; writes tests/clients/results/*.jsonl
    scripts/clients --client codex --row deny
    scripts/clients --record                 makes each client use many tools; writes tests/clients/inputs/*.jsonl
    scripts/clients --gate target/debug/portcullis    also the rows with the gate itself
    scripts/clients --gate PROGRAM --short   the rows that matter most, in a few minutes; writes nothing
    scripts/clients --gate PROGRAM --same-policy      one policy and 60 calls through every client
    scripts/clients --table                  only writes docs/evidence/compatibility.md from the results

Clients are installed from npm into $PORTCULLIS_CLIENTS, or portcullis-clients in the user's cache. They run with an empty
environment, a home of their own and dummy keys; the model listens on loopback. Exit code: 0 as expected (also when no
client can be had, which is said loudly), 1 something was not, 2 it did not work.
"""

import argparse
import concurrent.futures
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

import npm
import same_policy
import table
from clients import PINNED, ROOT
from model import SUBTASK, Model
from recording import recording_script
from rows import (AUTO_CLIENTS, AUTO_ROWS, EXCEPTIONS, GATE_ROWS, NOT_OFFERED, NOT_RUN, POLICIES, RAN, REQUIRED,
                  REWRITTEN, ROWS, SHORT, UNASKED, UNHEARD)

HERE = pathlib.Path(__file__).resolve().parent
# A hook that hangs is waited for this long; then the client has to decide without it.
HOOK_SECONDS = 20
SHORT_HOOK_SECONDS = 3
# No row takes longer, on a machine that does other things too. Gemini waits for ever for an answer to an ask.
ROW_SECONDS = 90
RECORDING_SECONDS = 600


class World:
    """A throw-away home and project."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.home, self.work, self.seen = self.root / "home", self.root / "proj", self.root / "seen"
        # Codex makes no helpers in a home below the folder for temporary files, and its sandbox fails without them where an
        # older bubblewrap is installed. So that folder is another one.
        self.temporary = self.root / "tmp"
        for folder in (self.home, self.work, self.seen, self.temporary):
            folder.mkdir()
        (self.work / "notes.md").write_text("one\ntwo\nthree\n")
        (self.work / ".git" / "hooks").mkdir(parents=True)

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


def run_client(client, program, world, model, mode, seconds, path=None):
    """Runs to the end, or until nothing more is to be expected. Gives what it printed."""
    args, env = client.start(world, model.url, mode)
    env = {"PATH": path or os.environ["PATH"], "HOME": str(world.home), "TMPDIR": str(world.temporary), "TERM": "dumb",
           "NO_COLOR": "1", "CI": "1", **env}
    folder = program.parents[2]
    client.bring(world, folder)
    # A file, not a pipe: what a client leaves behind could hold a pipe open for ever.
    with open(world.root / "output", "w+") as output:
        child = subprocess.Popen([str(program), *args], cwd=world.work, env=env, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            child.wait(seconds)
            client.keep(world, folder)
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


def put_in(client, gate, world):
    """Has a copy of the gate installed; gives the copy. Its folder has a name that has to be quoted."""
    program = world.root / "it's a bin" / "portcullis"
    program.parent.mkdir()
    shutil.copy(gate, program)
    small = pathlib.Path(gate).with_name("portcullis-hook")
    if small.exists():
        shutil.copy(small, program.parent)
    env = {"PATH": os.environ["PATH"], "HOME": str(world.home)}
    subprocess.run([str(program), "install", client.name, "--yes"], cwd=world.work, env=env, check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    return program


def install(client, gate, behaviour, world):
    """What `portcullis install` leaves, with a program in the gate's place that does as it is told: proves that the
    client really starts what was written into its settings."""
    program = put_in(client, gate, world)
    for name in ("portcullis", "portcullis-hook"):
        hook = program.with_name(name)
        if not hook.exists():
            continue
        hook.unlink()
        if behaviour == "removed":
            continue
        hook.write_text(f"#!/bin/sh\nexec {hook_command(client, behaviour, world)}\n")
        hook.chmod(0o644 if behaviour == "not-executable" else 0o755)


@contextlib.contextmanager
def lost_daemon(client, gate, row, world):
    """The gate as it is installed, with a daemon that was stopped or killed once it served."""
    program = put_in(client, gate, world)
    gate_command(client, gate, row, world)
    env = {"PATH": os.environ["PATH"], "HOME": str(world.home)}
    daemon = subprocess.Popen([str(program), "serve"], cwd=world.work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        socket = world.home / ".local" / "state" / "portcullis" / "portcullis.sock"
        until = time.monotonic() + HOOK_SECONDS
        while not socket.exists() and time.monotonic() < until:
            time.sleep(0.05)
        if not socket.exists():
            raise RuntimeError("the daemon does not serve")
        os.kill(daemon.pid, signal.SIGSTOP if row.name.endswith("stopped") else signal.SIGKILL)
        yield
    finally:
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.wait()


def calls_for(client, kind, world):
    """The script of the main conversation and that of a sub-agent."""
    marker = world.work / "marker.txt"
    touch = client.shell("touch marker.txt")
    sets = client.shell("export PROBE=1; probe() { :; }; echo set")
    looks = client.shell("if [ -z \"$PROBE\" ] && ! type probe >/dev/null 2>&1; then touch marker.txt; fi")
    return {
        "shell": ([touch], []), "memory": ([sets, looks], []), "python": ([client.shell("python3 -c \"open('marker.txt', 'w')\"")], []), "write": ([client.write(marker, "written\n")], []),
        "note": ([client.note(marker, "written")], []),
        "protected": ([client.write(protected(world), "written\n")], []),
        "delegate": ([client.delegate(f"{SUBTASK}: do your part"), *client.patience()], [touch]),
    }[kind]


def protected(world):
    """A file that clients look after by themselves, which must not make them overhear an ask."""
    return world.work / ".git" / "hooks" / "pre-commit"


def outcome(world, model):
    if (world.work / "marker.txt").exists() or protected(world).exists():
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
        around = contextlib.nullcontext()
        if row.mode == "installed":
            client.settings(world, model.url, None, seconds)
            if row.behaviour == "gate":
                around = lost_daemon(client, gate, row, world)
            else:
                install(client, gate, row.behaviour, world)
        elif row.behaviour == "gate":
            client.settings(world, model.url, gate_command(client, gate, row, world), seconds)
        else:
            client.settings(world, model.url, hook_command(client, row.behaviour, world), seconds)
        started = time.monotonic()
        try:
            with around:
                output = run_client(client, program, world, model, row.mode, ROW_SECONDS)
        finally:
            model.close()
        asked = sum(message.get("hook_event_name") == client.asking for message in world.inputs())
        if row.behaviour == "gate":
            asked = recorded_calls(gate, world)
        more = {"classifier_calls": model.classified} if row.mode == "auto" else {}
        if row.name in UNHEARD:
            more["results"] = model.results
        return {
            "client": client.name, "version": client.version, "row": row.name, "got": outcome(world, model),
            "hook_calls": asked, "seconds": round(time.monotonic() - started, 1), **more,
        }, world.hide(output), sorted(model.offered)


def expected(client, row):
    return EXCEPTIONS.get((client.name, row)) or REQUIRED.get(row) or table.documented().get(client.id, {}).get(row)


def run_rows(client, program, options):
    records, wrong = [], 0
    rows = ROWS + GATE_ROWS + (AUTO_ROWS if client.id in AUTO_CLIENTS else [])
    wanted = options.row or (SHORT if options.short else [row.name for row in rows])
    for row in rows:
        if row.name not in wanted:
            continue
        if (row.mode == "installed" or row.behaviour == "gate") and not options.gate:
            print(f"SKIPPED: {client.id}: {row.name}: needs --gate PROGRAM", flush=True)
            continue
        record, output, offered = run_row(client, program, row, options.gate)
        record["expected"] = expected(client, row.name)
        # What the gate stands on must hold because the hook was asked, not by some other mishap.
        asked = (record["hook_calls"] > 0 or row.name not in REQUIRED or (client.name, row.name) in UNASKED
                 or row.name in UNHEARD and record["results"] > 0)
        ok = record["expected"] in (None, record["got"]) and asked
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


def through_policy(client, program, options):
    """One policy and 60 calls in one run of the client. Gives what was wrong."""
    with tempfile.TemporaryDirectory(prefix="clients-") as root:
        world = World(root)
        trial = same_policy.Trial(client, world, options.gate)
        model = same_policy.Teller(trial)
        command = shlex.join([str(pathlib.Path(options.gate).resolve()), "hook", client.name])
        client.settings(world, model.url, command, HOOK_SECONDS)
        started = time.monotonic()
        try:
            output = run_client(client, program, world, model, client.asking_mode, RECORDING_SECONDS, trial.path)
        finally:
            model.close()
        cells, wrong = trial.cells(), trial.wrong()
        made = sum(cell["told"] is not None for cell in cells)
        print(f"{'BAD ' if wrong else 'ok  '} {client.id:22} one policy: {made} of {len(cells)} calls made, "
              f"{len(wrong)} wrong  {time.monotonic() - started:.1f} s", flush=True)
        if wrong or options.verbose:
            say("\n".join(wrong) + "\n" + world.hide(output)[-3000:])
        same_policy.save(client, cells)
        return wrong


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--client", action="append", default=[], metavar="NAME[-VERSION]")
    parser.add_argument("--row", action="append", default=[], metavar="NAME")
    parser.add_argument("--gate", metavar="PROGRAM", help="the portcullis that is to be proven")
    parser.add_argument("--short", action="store_true", help="only the rows that matter most; writes no results")
    parser.add_argument("--jobs", type=int, help="how many clients at once; 1, with --short one more than processors")
    parser.add_argument("--same-policy", action="store_true", help="one policy and 60 calls instead of rows")
    parser.add_argument("--record", action="store_true", help="record hook inputs instead of running rows")
    parser.add_argument("--table", action="store_true", help="only write docs/evidence/compatibility.md")
    parser.add_argument("--verbose", action="store_true", help="show what each client printed")
    options = parser.parse_args()
    if (options.short or options.same_policy) and not options.gate:
        parser.error("--short and --same-policy need --gate PROGRAM")
    return options


def one_client(client, options, folder):
    """Does what was asked for with one client; gives how many things were not as expected."""
    program = npm.installed(client, folder)
    if options.record:
        record(client, program)
        return 0
    if options.same_policy:
        return len(through_policy(client, program, options))
    records, wrong = run_rows(client, program, options)
    if not options.short:
        save_rows(client, records)
    return wrong


def chosen(options):
    return [client for client in PINNED if not options.client or {client.name, client.id} & set(options.client)]


def missing_from(clients, folder):
    """The clients that cannot be had, and why. One that is not there yet is asked for, before all are waited for."""
    absent = [client for client in clients if not npm.is_installed(client, folder)]
    if not absent:
        return {}
    try:
        npm.reach(absent[0])
    except npm.Unavailable as error:
        return {client.id: str(error) for client in absent}
    return {}


def run_all(clients, options, folder, lost):
    """Runs the clients, several at once where that was asked for. Gives how many things were wrong."""
    # They wait more than they work.
    jobs = options.jobs or (1 + (os.cpu_count() or 1) if options.short else 1)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # The slowest are the last in the list.
        order = reversed(clients) if jobs > 1 else clients
        running = {pool.submit(one_client, client, options, folder): client for client in order}
        for done in concurrent.futures.as_completed(running):
            try:
                wrong += done.result()
            except npm.Unavailable as error:
                lost[running[done].id] = str(error)
    return wrong


def main():
    options = arguments()
    if options.table:
        table.write()
        return 0
    folder, clients = npm.cache(), chosen(options)
    folder.mkdir(parents=True, exist_ok=True)
    lost = missing_from(clients, folder)
    clients = [client for client in clients if client.id not in lost]
    wrong = run_all(clients, options, folder, lost)
    if lost:
        why = next(iter(lost.values()))
        print(f"SKIPPED: NOT PROVEN that the gate holds on {', '.join(sorted(lost))}: not to be had from npm here ({why})",
              flush=True)
    if not (options.record or options.short or options.same_policy) and len(lost) < len(chosen(options)):
        table.write()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
