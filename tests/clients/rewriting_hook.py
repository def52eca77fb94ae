#!/usr/bin/env python3
"""A hook of the user, for the gate: makes a command leave another marker."""

import json
import sys

call = json.load(sys.stdin)["tool_input"]
other = {**call, "command": call["command"].replace("marker", "rewritten")}
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": other}}))
