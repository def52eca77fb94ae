#!/usr/bin/env python3
"""Stands in for the gate: keeps the input that the client sent, then answers or fails as it is told.

    stand_in.py CLIENT BEHAVIOUR FOLDER

The failures are the point: what a client does with a hook that crashes, hangs or prints nonsense cannot be asked of a
gate that does none of that.
"""

import json
import os
import pathlib
import signal
import sys
import time

ASKING = ("PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before")
REASON = "refused by the test"


def claude_form(decision, extra=None):
    said = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": REASON}
    return {"hookSpecificOutput": {**said, **(extra or {})}}


def answers(client, call_input):
    """What the client calls deny, allow, ask and a rewritten input."""
    other = rewritten(call_input)
    stop = {"continue": False, "stopReason": REASON}
    if client == "gemini":
        return {
            "deny": {"decision": "deny", "reason": REASON}, "allow": {"decision": "allow"},
            "deny-stop": {"decision": "deny", "reason": REASON, **stop}, "ask": {"decision": "ask", "reason": REASON},
            "rewrite": {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": other}},
        }
    if client == "opencode":
        return {
            "deny": {"decision": "deny", "reason": REASON}, "allow": {"decision": "allow"},
            "deny-stop": {"decision": "deny", "reason": REASON},
            "ask": {"decision": "ask", "reason": REASON}, "rewrite": {"decision": "allow", "updated_input": other},
        }
    return {
        "deny": claude_form("deny"), "allow": claude_form("allow"), "ask": claude_form("ask"),
        "rewrite": claude_form("allow", {"updatedInput": other}),
        # To Codex these fields are a mistake of the hook, after which it runs the call; the gate does not say them there.
        "deny-stop": {"decision": "block", "reason": REASON, **claude_form("deny"), **({} if client == "codex" else stop)},
    }


def rewritten(value):
    """The same input, leaving another marker."""
    if isinstance(value, dict):
        return {key: rewritten(item) for key, item in value.items()}
    return value.replace("marker", "rewritten") if isinstance(value, str) else value


def main():
    client, behaviour, folder = sys.argv[1:]
    raw = sys.stdin.buffer.read()
    (pathlib.Path(folder) / f"{time.time_ns()}-{os.getpid()}.json").write_bytes(raw)
    message = json.loads(raw)
    event = message.get("hook_event_name") or ("preToolUse" if "toolName" in message else "")
    if event not in ASKING:
        return 0
    if behaviour == "crash":
        return 1
    if behaviour == "exit-2":
        print(REASON, file=sys.stderr)
        return 2
    if behaviour == "timeout":
        time.sleep(60)
    if behaviour == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if behaviour == "deny-inside":
        # The sub-agent may start; what it is told to do leaves a marker.
        behaviour = "deny" if b"marker" in raw else "allow"
    if behaviour == "garbage":
        print("this is { no JSON")
    elif behaviour != "silent":
        print(json.dumps(answers(client, message.get("tool_input", message.get("toolArgs")))[behaviour]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
