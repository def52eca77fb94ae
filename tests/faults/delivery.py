"""What the agent was told and what the log says of it: stopped daemons, signals, limits, lost heads, pipes, idle connections."""

import json
import os
import signal
import socket
import subprocess
import time

from daemons import SILENCE, stop, until
from room import DENY, PATIENCE, Room, Tally, judge, whole, works

LIMITED = ["bash", "-c", 'ulimit -f "$0" && exec "$@"']


def bodies(room):
    return {seq: json.loads(body) for seq, (_, _, body) in room.records().items()}


def abandoned(program, rounds):
    """The daemon is stopped under hooks and goes on: what it then decides was given to nobody, and the log says so."""
    tally, room = Tally("answers that were not delivered"), Room(program)
    serving = room.serve()
    works(tally, room)
    for _ in range(rounds):
        serving.send_signal(signal.SIGSTOP)
        running = [room.start(room.call()) for _ in range(4)]
        calls = {process.call["id"]: Room.end(process) for process in running}
        for answer in calls.values():
            tally.count("answers")
            tally.expect(answer and answer.code == DENY and answer.seconds < SILENCE, f"a stopped daemon: {answer}")
        serving.send_signal(signal.SIGCONT)

        def told():
            entries = bodies(room)
            lost = {body["about"] for body in entries.values() if body["kind"] == "abandoned"}
            yes = {seq for seq, body in entries.items() if body["kind"] == "call" and body["call_id"] in calls
                   and body["answered"] == "allow"}
            denies = [body for body in entries.values() if body["kind"] == "hook-deny" and body["call_id"] in calls]
            return yes, yes - lost, len(denies)

        tally.expect(until(lambda: told()[2] == len(calls)), f"denies of hooks are not in the log: {told()}")
        tally.expect(until(lambda: not told()[1]), f"allows that nobody was given stand as given: {told()}")
        tally.count("abandoned", len(told()[0]))
        tally.count("denies of hooks", told()[2])
        works(tally, room)
    whole(tally, room)
    stop(tally, serving)
    room.remove()
    return tally


def limited(program):
    """Files may not grow any more: an error like any other, not the end of the hook."""
    tally = Tally("limits of file sizes")
    for size in (0, 1, 8, 64, 256, 1024):
        for fresh in (True, False):
            room = Room(program)
            if not fresh:
                works(tally, room)
            call, answer = room.hook(before=[*LIMITED, str(size)])
            judge(tally, room, call, answer)
            tally.expect(answer and answer.code >= 0, f"ended by a signal with {size} blocks: {answer}")
            tally.count("limits")
            if not fresh:
                works(tally, room)
                whole(tally, room)
            room.remove()
    return tally


def caught(process):
    """Whether a process handles signals itself."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            masks = [line.split()[1] for line in status if line.startswith("SigCgt")]
    except OSError:
        return False
    return bool(masks) and int(masks[0], 16) >> 24 & 1 == 1


def signals(program):
    """Hooks that are told to end while they wait for their call."""
    tally, room = Tally("signals to hooks"), Room(program)
    works(tally, room)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGXCPU):
        process = subprocess.Popen([program, "hook", "generic"], env=room.environment, cwd=room.project,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        tally.expect(until(lambda: caught(process)), "no handler was set")
        process.send_signal(number)
        try:
            code = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
            process.kill()
        tally.count("signals")
        tally.expect(code == DENY, f"{number!r}: {code}")
        process.communicate()
    works(tally, room)
    denies = [body for body in bodies(room).values() if body["kind"] == "hook-deny"]
    tally.expect(len(denies) == tally.counts["signals"], f"{len(denies)} of them are in the log")
    whole(tally, room)
    room.remove()
    return tally


def headless(program):
    """The head beside the log is emptied or gone."""
    tally = Tally("lost heads")
    for change in (lambda head: head.write_text(""), lambda head: head.unlink()):
        room = Room(program)
        works(tally, room)
        change(room.state / "audit.head")
        code, said = room.run("log", "verify")
        tally.expect(code == 1 and "audit.head" in said, f"`log verify` says {code}: {said}")
        _, said = room.run("status")
        tally.expect("not whole" in said, f"`status` does not show it: {said}")
        _, answer = room.hook()
        tally.expect(answer and answer.code == DENY, f"a call is not denied: {answer}")
        tally.count("heads")
        room.remove()
    return tally


def pipes(program):
    """What is no file stands in the place of the conversation."""
    tally, room = Tally("conversations that are no files"), Room(program, {"permissions": {"defaultMode": "auto"}})
    os.mkfifo(room.folder / "pipe")
    serving = room.serve()
    for path in (room.folder / "pipe", "/dev/zero", "/dev/tty", room.folder):
        for _ in range(4):
            call = {"session_id": "s", "transcript_path": str(path), "cwd": str(room.project), "tool_name": "Bash",
                    "hook_event_name": "PreToolUse", "tool_input": {"command": "npm publish"}, "tool_use_id": "t"}
            began = time.monotonic()
            done = subprocess.run([program, "hook", "claude-code"], env=room.environment, cwd=room.project,
                                  input=json.dumps(call).encode(), capture_output=True, timeout=PATIENCE)
            tally.count("calls")
            tally.expect(time.monotonic() - began < 5, f"{path} holds the daemon up")
            tally.expect(b'"allow"' not in done.stdout, f"{path}: {done.stdout}")
    whole(tally, room)
    stop(tally, serving)
    room.remove()
    return tally


def silent(program):
    """Connections that say nothing delay no hook and deny none."""
    tally, room = Tally("silent connections"), Room(program)
    serving = room.serve()
    works(tally, room)
    idle = []
    for count in (100, 1000):
        for _ in range(count):
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(PATIENCE)
            connection.connect(str(room.state / "portcullis.sock"))
            idle.append(connection)
        _, answer = room.hook()
        tally.count("connections", count)
        good = answer and answer.told == "allow" and answer.seconds < 2
        tally.expect(good, f"with {len(idle)} silent connections: {answer}")
    for connection in idle:
        connection.close()
    works(tally, room)
    stop(tally, serving)
    room.remove()
    return tally
