"""Hooks of the user that misbehave, through the real program. Nothing of them may stay, and none of them allows."""

import os
from pathlib import Path

from room import ALLOW, ASK, DENY, Room, Tally, whole, works

MARK = "PORTCULLIS_FAULTS_MARK"

# What a hook does; each has a limit of one second.
HOOKS = {
    "hangs": "sleep 600",
    "hangs and ignores signals": "trap '' TERM INT HUP; while :; do sleep 1; done",
    "forks and ends": "sleep 600 & exit 0",
    "forks, says yes and ends": "sleep 600 & echo '{\"permissionDecision\":\"allow\"'; exit 0",
    "leaves its group": "setsid sleep 600 & sleep 600",
    "floods": "yes",
    "floods errors": "yes >&2",
    "floods without lines": "cat /dev/zero",
    "dies by a signal": "kill -9 $$",
    "dies by a segmentation fault": "kill -SEGV $$",
    "ends with 1": "exit 1",
    "ends with 2": "echo no >&2; exit 2",
    "ends with 255": "exit 255",
    "is not there": "/nowhere/at/all",
    "says garbage": "printf '\\377\\376{'",
    "says text": "echo all fine, go on",
    "says half": "printf '{\"hookSpecificOutput\":{\"permissionDecision\":\"al'",
    "says an unknown word": "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"yes\"}}'",
    "says it twice": "echo '{\"permissionDecision\":\"allow\",\"permissionDecision\":\"allow\"}'",
    "closes its outputs and hangs": "exec >&- 2>&-; sleep 600",
}

# A hook that ends well and says nothing has nothing against the call; the rules decide.
SILENT = ["forks and ends"]


def misbehaving(program):
    tally, room = Tally("hooks that misbehave"), Room(program)
    for event in ("PreToolUse", "PermissionRequest"):
        command = "make all" if event == "PreToolUse" else "git push"
        for name, script in HOOKS.items():
            # The mark shows in the process table whose child a process is.
            hook = {"type": "command", "command": f"export {MARK}={room.folder.name}; {script}", "timeout": 1}
            room.settings({"permissions": {"allow": ["Bash(make:*)"]}, "hooks": {event: [{"matcher": "*", "hooks": [hook]}]}})
            _, answer = room.hook(room.call(command, ask="host"))
            tally.count("hooks")
            good = answer and answer.json and answer.seconds < 20
            if name in SILENT:
                good = good and answer.code == (ALLOW if event == "PreToolUse" else ASK)
            else:
                good = good and not answer.allows and (event != "PreToolUse" or answer.code == DENY)
            tally.expect(good and "panicked" not in answer.err, f"{event} that {name}: {answer}")
            stay = left_over(room.folder.name)
            # Whoever leaves the group on purpose is out of reach for every program without rights of its own.
            if stay and name != "leaves its group":
                tally.wrong(f"{event} that {name} leaves {stay}")
            for process in stay:
                os.kill(process, 9)
    room.settings({"permissions": {"allow": ["Bash(make:*)"]}})
    works(tally, room)
    whole(tally, room)
    room.remove()
    return tally


def left_over(mark):
    """Processes that carry the mark."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
    return found
