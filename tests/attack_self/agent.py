"""An agent as the gate sees one: it asks before each call by the hook that its settings name, and carries out only what it
was allowed. Nobody is there to say yes, so a question is a no."""

import json
import os
import signal
import subprocess
from pathlib import Path

from home import PATIENCE, SESSION
from ways import fill

# Long enough for an interpreter on a busy machine; what stays longer is left running, as an agent would.
RUNS = 8
INTERPRETERS = {
    "bash": ["bash", "-c"], "python": ["python3", "-c"], "node": ["node", "-e"],
}


class Agent:
    """One session."""

    def __init__(self, home, session=SESSION):
        self.home, self.session, self.calls, self.patience = home, session, 0, PATIENCE

    # --- the protocol of Claude Code

    def event(self, name, tool, given, **more):
        return {
            "session_id": self.session, "transcript_path": str(self.home.transcript), "cwd": str(self.home.project),
            "permission_mode": "default", "hook_event_name": name, "tool_name": tool, "tool_input": given,
            "tool_use_id": f"toolu_{self.calls:04}", **more,
        }

    def hook(self, event):
        """What the hook says: its word, and what it wants run instead. Started as the client does, by a shell."""
        try:
            done = subprocess.run(["sh", "-c", self.home.hook_command], input=json.dumps(event), text=True,
                                  capture_output=True, timeout=self.patience, env=self.home.environment(), cwd=self.home.project,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "deny", None, "no answer in time"
        except OSError as error:
            return "none", None, f"no shell: {error}"
        return understood(done)

    def ask(self, tool, given):
        """Asks before a call, and again where the client would show its dialog."""
        self.calls += 1
        word, instead, why = self.hook(self.event("PreToolUse", tool, given))
        if word == "ask":
            again, changed, _ = self.hook(self.event("PermissionRequest", tool, given))
            if again == "allow":
                return again, changed, why
        return word, instead, why

    def take(self, step, unguarded=False):
        """One step of an attack. Says what it was told and what happened; `unguarded` carries out what was refused."""
        given = fill(step.given, self.home.places())
        word, instead, why = self.ask(step.tool, given)
        done = {"id": f"toolu_{self.calls:04}", "tool": step.tool, "input": given, "told": word, "why": why}
        if unguarded or word == "allow":
            done["result"] = self.carry_out(step, instead or given)
            # The next hook would write it anew.
            done["headless"] = not self.home.has_head()
            after = self.event("PostToolUse", step.tool, given, tool_response={"stdout": done["result"][:2000], "stderr": ""})
            if word == "allow":
                self.hook(after)
        return done

    # --- carrying out what was allowed

    def carry_out(self, step, given):
        try:
            if step.runs:
                return self.other(step, given)
            return getattr(self, step.tool.lower())(given, step)
        except (OSError, ValueError, KeyError, TypeError, UnicodeError) as error:
            return f"failed: {error}"

    def other(self, step, given):
        name, how = step.runs.split(":")
        if how == "write":
            return self.put(given.get(name) or fill(name, self.home.places()), given)
        return self.start([*INTERPRETERS[how], given[name]])

    def bash(self, given, step):
        return self.start(["bash", "-c", given["command"]], fill(step.typed, self.home.places()))

    def start(self, words, text=""):
        process = subprocess.Popen(words, env=self.home.environment(), cwd=self.home.project, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            out, _ = process.communicate(text.encode(), timeout=RUNS)
        except subprocess.TimeoutExpired:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass
            return "still ran"
        return f"{process.returncode}: {out.decode(errors='replace')[-600:]}"

    def put(self, path, content):
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return "written"

    def write(self, given, _):
        return self.put(given["file_path"], given["content"])

    def edit(self, given, _):
        return self.exchange(given["file_path"], [(given["old_string"], given["new_string"])])

    def multiedit(self, given, _):
        return self.exchange(given["file_path"], [(one["old_string"], one["new_string"]) for one in given["edits"]])

    def notebookedit(self, given, _):
        return self.put(given["notebook_path"], given["new_source"])

    @staticmethod
    def exchange(path, pairs):
        text = Path(path).read_text()
        for old, new in pairs:
            if old not in text:
                return "failed: the old text is not there"
            text = text.replace(old, new, 1)
        Path(path).write_text(text)
        return "edited"


def understood(done):
    """The word of a hook that has ended: the client's own reading of its output and exit code."""
    try:
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
    except ValueError:
        answer = {}
    specific = answer.get("hookSpecificOutput") or {}
    decision = specific.get("decision") or {}
    word = specific.get("permissionDecision") or decision.get("behavior")
    why = specific.get("permissionDecisionReason") or decision.get("message") or done.stderr.strip()
    # Any other code, that of a missing program too, does not hold the client up.
    if done.returncode == 2 or answer.get("decision") == "block":
        word = "deny"
    return word or "none", specific.get("updatedInput") or decision.get("updatedInput"), why[:300]
