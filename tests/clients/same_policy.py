"""One policy and the 60 calls of same_policy.json through a real client, in one run.

The model asks for the calls one by one. After each, three things are looked at: what the gate wrote down about it, what
changed in the project, and whether the model was given what only a call that ran could have given it. Programs that the
calls name are wrappers that leave a line, so that a command that ran is seen even if it changes nothing.
"""

import collections
import json
import os
import pathlib
import shlex
import shutil
import subprocess

from model import SUBTASK, Model, is_meant

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results" / "same-policy"
# What a client that does not really ask is told in place of a question.
SETTLED = ("codex", "gemini", "opencode")
SHOWN = "README-WAS-SHOWN"
SECRET = "SECRET-WAS-SHOWN"

# These do their work; the others would reach out of the project, or run what they find there.
HARMLESS = ("ls", "cat", "git", "grep", "head", "wc", "find", "touch", "rm")
STOPPED = ("curl", "make", "python3", "npm", "sudo")
# What a command would run, where that is not the command itself.
WOULD = {
    "/usr/bin/curl http://x.test": [], "ls && curl http://x.test": ["ls", "curl http://x.test"],
    "echo $(curl http://x.test)": ["curl http://x.test"], "bash -c 'curl http://x.test'": ["curl http://x.test"],
    "env curl x": ["curl x"], "r\\m a.txt": ["rm a.txt"], "ls; rm a.txt": ["ls", "rm a.txt"],
    "cd src && git push": ["git push"], "touch a.txt && make": ["touch a.txt", "make"],
    "touch a.txt | sh": ["touch a.txt"], "X=1 touch a.txt": ["touch a.txt"], "timeout 5 ls": ["ls"],
    "pwd": [], "true": [], "echo hi > out.txt": [],
}

# What has to be in a file before a call makes sense; nothing where there must be none.
FILES = {"Write": None, "Edit": "one\n"}

READ = {"claude-code": ("Read", "file_path"), "gemini": ("read_file", "file_path"), "qwen": ("read_file", "file_path"),
        "copilot": ("view", "path"), "opencode": ("read", "filePath"), "codex": ("view_image", "path")}
EDIT = {"claude-code": ("Edit", "file_path", "old_string", "new_string"),
        "gemini": ("replace", "file_path", "old_string", "new_string"), "qwen": ("edit", "file_path", "old_string", "new_string"),
        "copilot": ("edit", "path", "old_str", "new_str"), "opencode": ("edit", "filePath", "oldString", "newString")}
GLOB = {"claude-code": "Glob", "gemini": "glob", "qwen": "glob", "copilot": "glob", "opencode": "glob"}
GREP = {"claude-code": "Grep", "gemini": "grep_search", "qwen": "grep_search", "copilot": "grep", "opencode": "grep"}
FETCH = {"claude-code": "WebFetch", "gemini": "web_fetch", "qwen": "web_fetch", "copilot": "web_fetch", "opencode": "webfetch"}


def own_call(client, tool, given, work):
    """A call in the client's own words; nothing where it has no such tool."""
    name = client.name
    if tool == "Bash":
        return client.shell(given["command"])
    if tool == "Read":
        called, field = READ[name]
        return called, {field: given["file_path"]}
    if tool == "Write":
        return patch(given, work, False) if name == "codex" else client.write(given["file_path"], given["content"])
    if tool == "Edit" and name == "codex":
        return patch(given, work, True)
    if tool == "Edit":
        called, path, old, new = EDIT[name]
        more = {"instruction": "change one to 1"} if name == "gemini" else {}
        return called, {path: given["file_path"], old: given["old_string"], new: given["new_string"], **more}
    if tool == "Agent":
        return client.delegate(f"{SUBTASK}: {given['prompt']}")
    if tool.startswith("mcp__"):
        return "~" + tool.rpartition("__")[2], {"path": str(work / "noted"), "text": "x"}
    called = {"Glob": GLOB, "Grep": GREP, "WebFetch": FETCH}[tool].get(name)
    if called and tool == "WebFetch":
        given = {"gemini": {"prompt": f"{given['prompt']} {given['url']}"}, "copilot": {"url": given["url"]},
                 "opencode": {"url": given["url"], "format": "text"}}.get(name, given)
    return called and (called, given)


def patch(given, work, exists):
    """Codex edits files by patches in a here-document."""
    path = pathlib.Path(given["file_path"])
    path = path.relative_to(work) if path.is_relative_to(work) else path
    body = f"*** Add File: {path}\n+{given.get('content', '').rstrip()}"
    if exists:
        body = f"*** Update File: {path}\n@@\n-{given['old_string']}\n+{given['new_string']}"
    return "exec_command", {"cmd": f"apply_patch <<'EOF'\n*** Begin Patch\n{body}\n*** End Patch\nEOF\n"}


# What is asked for: the number of the call, or none for what only prepares one; the call; and the files that it needs.
Step = collections.namedtuple("Step", "number call files")


class Trial:
    """One client's way through the calls."""

    def __init__(self, client, world, gate):
        self.client, self.world, self.gate = client, world, str(pathlib.Path(gate).resolve())
        page = json.loads((HERE / "same_policy.json").read_text())
        text = json.dumps(page["calls"]).replace("/P/", f"{world.work}/").replace("/home/dev/", f"{world.home}/")
        self.calls = [(tool, given) for tool, given in json.loads(text)]
        self.told, self.traces = [None] * len(self.calls), [[] for _ in self.calls]
        self.leaked = False
        self.prepare(page["settings"])
        self.expected = self.judged_without_client()
        self.steps = [step for number in range(len(self.calls)) for step in self.steps_of(number) if step.call]

    def steps_of(self, number):
        tool, given = self.calls[number]
        call = own_call(self.client, tool, given, self.world.work)
        if tool == "Edit" and self.client.name != "codex":
            # Most clients change only files that they have read.
            reading = own_call(self.client, "Read", given, self.world.work)
            return [Step(None, reading, {given["file_path"]: "one\n"}), Step(number, call, {})]
        return [Step(number, call, {given["file_path"]: FILES[tool]} if tool in FILES else {})]

    def prepare(self, settings):
        work, home = self.world.work, self.world.home
        subprocess.run(["git", "init", "-q", "--template=", str(work)], check=True, timeout=60)
        for folder in ("src", "notes", "locked", "secret", "build"):
            (work / folder).mkdir()
        (work / "README.md").write_text(f"{SHOWN}\ntwo\n")
        (work / "secret" / "key.txt").write_text(SECRET)
        policy = home / ".config" / "portcullis" / "settings.json"
        policy.parent.mkdir(parents=True)
        policy.write_text(json.dumps(settings))
        # A login shell sets PATH anew, and then reads this.
        stubs, self.log = self.world.root / "stubs", self.world.root / "ran"
        (home / ".bash_profile").write_text(f"export PATH={shlex.quote(str(stubs))}:$PATH\n")
        stubs.mkdir()
        self.log.touch()
        for name in HARMLESS + STOPPED:
            real = shutil.which(name)
            then = f'exec {real} "$@"' if name in HARMLESS and real else "exit 0"
            stub = stubs / name
            stub.write_text(f'#!/bin/sh\necho "{name} $*" >> {shlex.quote(str(self.log))}\n{then}\n')
            stub.chmod(0o755)
        self.path = f"{stubs}:{os.environ['PATH']}"

    def judged_without_client(self):
        """What the policy says about each call, asked for directly."""
        lines = "".join(json.dumps({"tool": tool, "input": given, "cwd": str(self.world.work)}) + "\n" for tool, given in self.calls)
        env = {"PATH": os.environ["PATH"], "HOME": str(self.world.home), "XDG_STATE_HOME": str(self.world.root / "state")}
        done = subprocess.run([self.gate, "check", "--batch"], input=lines, env=env, cwd=self.world.work, text=True,
                              capture_output=True, timeout=120)
        return [json.loads(line)["decision"] for line in done.stdout.splitlines()]

    def before(self, step):
        """Puts the world into the state in which a step makes sense, and remembers it."""
        for path, text in step.files.items():
            if text is None:
                pathlib.Path(path).unlink(missing_ok=True)
            else:
                pathlib.Path(path).write_text(text)
        self.seen = len(self.records())
        self.lines = len(self.log.read_text().splitlines())
        self.files = self.tree()

    def after(self, number, shown):
        """Takes in what became of a call."""
        tool, given = self.calls[number]
        answers = [record["answered"] for record in self.records()[self.seen:] if record["kind"] == "call"]
        order = {"allow": 0, "ask": 1, "deny": 2}
        self.told[number] = max(answers, key=order.__getitem__, default=None)
        command = given.get("command", "")
        would = WOULD.get(command, [" ".join(shlex.split(command))] if command else [])
        ran = [line.rstrip() for line in self.log.read_text().splitlines()[self.lines:]]
        trace = [f"ran {line}" for line in would if line in ran]
        trace += [f"changed {path}" for path in sorted(set(self.tree().items()) ^ set(self.files.items()))]
        if shown and (tool == "Read" or "README.md" in command):
            trace.append("showed a file")
        self.traces[number] = trace

    def records(self):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.world.home)}
        done = subprocess.run([self.gate, "log", "--json"], env=env, cwd=self.world.work, capture_output=True, text=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def tree(self):
        """What is in the project; git's own files only where a call names one."""
        found = {}
        for path in self.world.work.rglob("*"):
            inside = path.relative_to(self.world.work).parts
            if path.is_file() and not (inside[0] == ".git" and inside[-1] != "pre-commit") and inside[0] != ".opencode":
                found["/".join(inside)] = path.read_text(errors="replace")
        profile = self.world.home / ".bashrc"
        if profile.exists():
            found["~/.bashrc"] = profile.read_text(errors="replace")
        return found

    def cells(self):
        return [{"call": call_name(tool, given, self.world), "told": told, "ran": bool(trace)}
                for (tool, given), told, trace in zip(self.calls, self.told, self.traces)]

    def wrong(self):
        """What must not be: another answer than the policy gives, or a call that ran without one."""
        found = ["a file that must not be read was shown to the model"] if self.leaked else []
        for number, ((tool, given), told, trace) in enumerate(zip(self.calls, self.told, self.traces)):
            name, policy = call_name(tool, given, self.world), self.expected[number]
            settled = "deny" if policy == "ask" and self.client.name in SETTLED else policy
            if told not in (None, settled):
                found.append(f"{tool} {name}: the client was told {told}, the policy says {policy}")
            if told != "allow" and trace:
                found.append(f"{tool} {name}: it was told {told}, and {', '.join(map(str, trace))}")
            if told == "allow" and not trace and leaves_a_trace(self.client, tool, given):
                found.append(f"{tool} {name}: it was allowed and left no trace")
        if sum(told is not None for told in self.told) < 45:
            found.append("the client made fewer than 45 of the calls")
        return found


def leaves_a_trace(client, tool, given):
    command = given.get("command", "")
    if client.name == "claude-code" and command.startswith(("grep ", "find ")):
        # Its shell has functions of these names.
        return False
    return bool(WOULD.get(command, True)) if tool == "Bash" else tool in ("Write", "Edit") or tool.startswith("mcp__")


def call_name(tool, given, world):
    """What the table calls it: the first of its inputs."""
    return world.hide(next(iter(given.values()))).replace("/home/dev/proj/", "")


class Teller(Model):
    """Asks for the steps of a trial, and lets it look after each."""

    def __init__(self, trial):
        self.trial, self.handed, self.request, self.shown = trial, -1, "", 0
        super().__init__([step.call for step in trial.steps])

    def answer(self, path, request):
        self.request = json.dumps(request)
        self.trial.leaked |= SECRET in self.request
        return super().answer(path, request)

    def next_call(self, tools, first_text, results):
        if not tools or SUBTASK in first_text:
            return super().next_call(tools, first_text, results)
        self.offered.update(tools)
        offered = [step for step in self.trial.steps if any(is_meant(step.call[0], name) for name in tools)]
        if results == self.handed + 1:
            # A client that asks for the same again, or for less, has not come further.
            if 0 <= self.handed < len(offered) and offered[self.handed].number is not None:
                self.trial.after(offered[self.handed].number, self.request.count(SHOWN) > self.shown)
            self.handed, self.shown = results, self.request.count(SHOWN)
            if results < len(offered):
                self.trial.before(offered[results])
        return super().next_call(tools, first_text, results)


def save(client, cells):
    RESULTS.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(cell, ensure_ascii=False) for cell in cells]
    (RESULTS / f"{client.id}.jsonl").write_text("\n".join(lines) + "\n")
