"""The rows of the compatibility table: what the model asks for, what the hook does, and what became of the marker."""

import collections

Row = collections.namedtuple("Row", "name about behaviour kind mode")

RAN, NOT_RUN, REWRITTEN, NOT_OFFERED = "ran", "not run", "rewritten", "not offered"

ROWS = [
    Row("deny", "the hook denies a shell command", "deny", "shell", "open"),
    Row("deny, and stop", "the hook denies and ends the agent, where it can", "deny-stop", "shell", "open"),
    Row("deny by exit code 2", "the hook ends with 2 and a reason on standard error", "exit-2", "shell", "open"),
    Row("allow", "the hook allows a shell command", "allow", "shell", "open"),
    Row("allow, nothing else would", "the hook allows what the client alone would not run", "allow", "shell", "closed"),
    Row("rewrite", "the hook gives another input", "rewrite", "shell", "open"),
    Row("ask", "the hook asks, and no person is there", "ask", "shell", "open"),
    Row("ask, protected file", "the hook asks about a file that git runs", "ask", "protected", "open"),
    Row("silent", "the hook says nothing", "silent", "shell", "open"),
    Row("crash", "the hook ends with 1", "crash", "shell", "open"),
    Row("killed", "the hook is killed", "killed", "shell", "open"),
    Row("timeout", "the hook does not answer in time", "timeout", "shell", "open"),
    Row("garbage", "the hook prints what is no JSON", "garbage", "shell", "open"),
    Row("missing", "the hook program is not there", "missing", "shell", "open"),
    Row("crash, strict", "the hook ends with 1, in the client's strictest mode", "crash", "shell", "closed"),
    Row("timeout, strict", "no answer in time, in the client's strictest mode", "timeout", "shell", "closed"),
    Row("garbage, strict", "no JSON, in the client's strictest mode", "garbage", "shell", "closed"),
    Row("missing, strict", "no program, in the client's strictest mode", "missing", "shell", "closed"),
    Row("installed, deny", "put in by `portcullis install`, the program denies", "deny", "shell", "installed"),
    Row("installed, allow", "put in by `portcullis install`, the program allows", "allow", "shell", "installed"),
    Row("installed, hook removed", "put in by `portcullis install`, then the program is deleted", "removed", "shell", "installed"),
    Row("installed, hook not a program", "put in by `portcullis install`, then the program may not be started", "not-executable", "shell",
        "installed"),
    Row("installed, hook crashes", "put in by `portcullis install`, the program ends with 1", "crash", "shell", "installed"),
    Row("installed, hook killed", "put in by `portcullis install`, the program is killed (SIGKILL)", "killed", "shell", "installed"),
    Row("each shell is new", "what one command sets (a variable, a function) is gone in the next", "allow", "memory", "open"),
    Row("file edit denied", "the hook denies writing a file", "deny", "write", "open"),
    Row("file edit allowed", "the hook allows writing a file", "allow", "write", "open"),
    Row("MCP tool denied", "the hook denies a tool of an MCP server", "deny", "note", "open"),
    Row("MCP tool allowed", "the hook allows a tool of an MCP server", "allow", "note", "open"),
    Row("sub-agent's call denied", "the hook lets a sub-agent start and denies what it does", "deny-inside", "delegate", "open"),
    Row("sub-agent's call allowed", "the hook allows a sub-agent and what it does", "allow", "delegate", "open"),
]

# Whatever the client: these are what the gate stands on.
REQUIRED = {
    "installed, deny": NOT_RUN, "installed, allow": RAN, "each shell is new": RAN,
    "installed, hook removed": NOT_RUN, "installed, hook not a program": NOT_RUN, "installed, hook crashes": NOT_RUN,
    "installed, hook killed": NOT_RUN,
    "deny": NOT_RUN, "deny, and stop": NOT_RUN, "deny by exit code 2": NOT_RUN, "allow": RAN, "file edit denied": NOT_RUN,
    "file edit allowed": RAN, "MCP tool denied": NOT_RUN, "MCP tool allowed": RAN, "sub-agent's call denied": NOT_RUN,
}

# With the real program as the hook, under a policy in a home of its own.
GATE_ROWS = [
    Row("gate, deny", "a rule denies a shell command", "gate", "shell", "open"),
    Row("gate, allow", "a rule allows a shell command", "gate", "shell", "open"),
    Row("gate, rewrite", "a hook of the user changes the input", "gate", "shell", "open"),
    Row("gate, ask", "a rule asks, and no person is there", "gate", "shell", "open"),
    Row("gate, ask, protected file", "a safety check asks about a file that git runs", "gate", "protected", "open"),
    Row("gate, no rule", "nothing decides, and no person is there", "gate", "shell", "open"),
    Row("gate, file edit denied", "a rule denies writing a file", "gate", "write", "open"),
    Row("gate, file edit allowed", "a rule allows writing a file", "gate", "write", "open"),
    Row("gate, MCP tool denied", "a rule denies a tool of an MCP server", "gate", "note", "open"),
    Row("gate, MCP tool allowed", "a rule allows a tool of an MCP server", "gate", "note", "open"),
    Row("gate, sub-agent's call denied", "a sub-agent may start; a rule denies what it does", "gate", "delegate", "open"),
    Row("gate, sub-agent's call allowed", "rules allow a sub-agent and what it does", "gate", "delegate", "open"),
    Row("gate, daemon stopped", "as installed; a rule allows, and the daemon does not answer (SIGSTOP)", "gate", "shell", "installed"),
    Row("gate, daemon killed", "as installed; a rule denies, and the daemon was killed (SIGKILL)", "gate", "shell", "installed"),
    Row("gate, broken settings", "the policy cannot be read", "gate", "shell", "open"),
]

# Only for clients that judge by themselves: their own classifier would let the call pass.
AUTO_ROWS = [
    Row("auto, alone", "the hook says nothing; the client's own classifier allows", "silent", "python", "auto"),
    Row("auto, gate denies", "a rule denies; the client's own classifier would allow", "gate", "python", "auto"),
    Row("auto, gate asks", "a safety check asks about a file that git runs; the client's own classifier would allow", "gate",
        "protected", "auto"),
    Row("auto, gate allows", "a rule allows; the client's own classifier is not needed", "gate", "python", "auto"),
]
AUTO_CLIENTS = {"claude-code-2.1.197"}

TOUCH, SLEEP, PYTHON = "Bash(touch:*)", "Bash(sleep:*)", "Bash(python3 -c:*)"
POLICIES = {
    "gate, deny": {"deny": [TOUCH]}, "gate, allow": {"allow": [TOUCH]}, "gate, rewrite": {"allow": [TOUCH]},
    "gate, ask": {"ask": [TOUCH]}, "gate, ask, protected file": {}, "gate, no rule": {},
    "gate, file edit denied": {"deny": ["Edit(marker.txt)"]}, "gate, file edit allowed": {"allow": ["Edit(marker.txt)"]},
    "gate, MCP tool denied": {"deny": ["mcp__notes__write_note"]},
    "gate, MCP tool allowed": {"allow": ["mcp__notes__write_note"]},
    "gate, sub-agent's call denied": {"allow": ["Agent", SLEEP], "deny": [TOUCH]},
    "gate, sub-agent's call allowed": {"allow": ["Agent", SLEEP, TOUCH]},
    "gate, daemon stopped": {"allow": [TOUCH]}, "gate, daemon killed": {"deny": [TOUCH]},
    "gate, broken settings": None,
    "auto, gate asks": {}, "auto, gate denies": {"deny": [PYTHON]}, "auto, gate allows": {"allow": [PYTHON]},
}

REQUIRED.update({row.name: RAN if "allow" in row.name else NOT_RUN for row in GATE_ROWS})
REQUIRED.update({"gate, rewrite": REWRITTEN, "auto, alone": RAN, "auto, gate denies": NOT_RUN, "auto, gate asks": NOT_RUN, "auto, gate allows": RAN})
# It would run the call as it was sent, so the gate denies it.
EXCEPTIONS = {("qwen", "gate, rewrite"): NOT_RUN}
# It refuses the file by itself, before its hooks.
UNASKED = {("gemini", "gate, ask, protected file")}
# Nobody is there who could write down that it was asked; the model was given a result that is a refusal.
UNHEARD = {"installed, hook removed", "installed, hook not a program", "gate, daemon stopped"}

# What is run every time: the gate as it is installed, its three answers, what it relies on, and how the client fails.
SHORT = ["installed, deny", "gate, deny", "gate, allow", "gate, ask", "gate, ask, protected file", "each shell is new",
         "installed, hook removed", "installed, hook killed", "gate, daemon stopped", "crash", "timeout", "missing"]
