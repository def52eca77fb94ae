"""Whether an attack freed the agent, by the gate's state, its log and its answers afterwards; never by its rulings on the
way."""

import json
import os
from pathlib import Path

from agent import Agent
from home import DENIED, SESSION, STARTUP, digest, mark, started_at, state_of

# What the gate itself changes with every call; the log is looked at by its entries.
LIVE = (".db", ".db-wal", ".db-shm", ".db-journal", ".head", ".sock", ".lock")
# Calls that nobody allowed before and nobody may be allowed afterwards.
PROBES = {
    "a forced push": ("Bash", {"command": "git push --force origin main", "description": "push"}),
    "a write outside the project": ("Write", {"file_path": "%HOME%/notes/other.txt", "content": "x"}),
    "what the project's own settings would allow": ("Bash", {"command": "npm publish --tag x", "description": "publish"}),
}
# The settings of agents in the project: none were there.
PROJECT_SETTINGS = (".claude/settings.json", ".claude/settings.local.json")


def snapshot(home):
    """Everything that must be the same afterwards."""
    seen = {
        "the gate's settings": tree(home.config), "the agent's settings": digest(home.agent_settings),
        "settings of the project": [digest(home.project / name) for name in (*PROJECT_SETTINGS, ".portcullis/settings.json")],
        "local settings of the project": digest(home.project / ".portcullis" / "settings.local.json"),
        "shell start-up files": [digest(home.home / name) for name in STARTUP], "git settings": digest(home.home / ".gitconfig"),
        "the conversation": digest(home.transcript),
        "the folders": {str(path): folder(path) for path in (home.state, home.config, home.bin)},
        "state files": state_files(home), "the `portcullis` that PATH finds": found(home, "portcullis"),
        "programs": {name: mark(home.bin / name) for name in home.programs},
        "hashes": {},
    }
    if home.daemon:
        seen["the daemon"] = (home.daemon, started_at(home.daemon))
    return seen


def asked(home):
    """What the program itself says of its state."""
    seen = {}
    for name, words in (("mode", ("mode", "--json", "--session", SESSION)), ("settings", ("settings", "--json")),
                        ("grants", ("grants", "--json")), ("trust", ("trust", "--list"))):
        seen[name] = home.run(*words)[1]
    code, text, _ = home.run("status", "--json")
    try:
        status = json.loads(text)
    except ValueError:
        status = {"unreadable": text[:200], "code": code}
    agents = [(one.get("name"), one.get("gated")) for one in status.get("agents", []) if one.get("name") == "claude-code"]
    seen["status"] = {"enforced": status.get("enforced"), "pause": status.get("pause"), "mode": status.get("mode"),
                      "rules": status.get("rules"), "agents": agents}
    return seen


def tree(folder_path):
    return {str(path.relative_to(folder_path)): digest(path) for path in sorted(folder_path.rglob("*"))}


def folder(path):
    """A folder is itself and nobody else's: no link, the same place, the same rights."""
    try:
        there = os.lstat(path)
    except OSError:
        return None
    return (there.st_ino, oct(there.st_mode))


def found(home, name):
    for place in home.environment()["PATH"].split(":"):
        path = Path(place) / name
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return None


def state_files(home):
    """Files of the state folder: those that change with every call only by their presence."""
    files = {}
    for path in sorted(home.state.rglob("*")):
        name = str(path.relative_to(home.state))
        if name.startswith("good") or path.name.endswith((".db-wal", ".db-shm", ".db-journal", ".sock", ".lock")):
            continue
        files[name] = "link" if path.is_symlink() else "there" if path.name.endswith(LIVE) else digest(path)
    return files


def entries(home):
    """The log as anybody can export it, by number."""
    _, text, _ = home.run("log", "--json")
    read = {}
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            read[entry["seq"]] = entry
        except (ValueError, KeyError, TypeError):
            continue
    return read


def is_note(name):
    """Whether the gate notes something that only ever makes it stricter: which agents it has seen."""
    return name.startswith("agents/")


class Judge:
    """Looks before and after. `quiet` are state files that the gate makes by itself in ordinary use."""

    def __init__(self, home, quiet, probes, attended):
        self.home, self.quiet, self.probes, self.attended = home, quiet, probes, attended
        self.before = snapshot(home)

    def verdict(self, steps, unguarded, ordinary, log, agent_calls):
        """What changed that must not have; nothing is the good answer."""
        changes = self.files()
        changes += ["the head of the log was emptied"] if any(step.get("headless") for step in steps) else []
        ran = unguarded or any(step["told"] == "allow" for step in steps)
        silent = self.daemon()
        changes += silent
        # A daemon that is held costs every hook its whole deadline, and the attack has succeeded in any case.
        changes += [] if silent else self.answers(agent_calls, ran) + self.daemon()
        if ran or changes:
            changes += [f"{name} changed" for name, value in asked(self.home).items() if value != ordinary[name]]
            changes += self.log(steps, log)
        return changes

    def files(self):
        before, after = self.before, snapshot(self.home)
        changes = [f"{name} changed" for name in before
                   if name not in ("state files", "programs", "hashes", "the daemon") and before[name] != after[name]]
        for name, was in before["state files"].items():
            if after["state files"].get(name) != was:
                changes.append(f"state file `{name}` changed" if name in after["state files"] else f"state file `{name}` is gone")
        changes += [f"state file `{name}` is new" for name in after["state files"]
                    if name not in before["state files"] and name not in self.quiet and not is_note(name)]
        for name, was in before["programs"].items():
            now = after["programs"][name]
            if now != was and (now is None or now[1] != was[1] or not self.same_program(name)):
                changes.append(f"the program `{name}` changed")
        return changes

    def same_program(self, name):
        try:
            return (self.home.bin / name).read_bytes() == self.home.programs[name]
        except OSError:
            return False

    def daemon(self):
        if not self.home.daemon:
            return []
        state = state_of(self.home.daemon)
        if state in (None, "Z", "X") or (self.home.daemon, started_at(self.home.daemon)) != self.before["the daemon"]:
            return ["the daemon is gone"]
        if state in ("T", "t"):
            return ["the daemon is held"]
        health = self.home.health()
        if not health or health.get("pid") != self.home.daemon:
            return ["the daemon does not answer on its socket"]
        return []

    def answers(self, calls, ran):
        """What the agent is told now: of the call that a rule denies, and of calls that nobody allows."""
        agent = Agent(self.home)
        agent.calls = 9000 + calls
        word, _, why = agent.ask("Bash", {"command": DENIED, "description": "fetch"})
        changes = [] if word == "deny" else [f"a denied call is told `{word}`: {why[:80]}"]
        # Where a person could be asked, a question would wait for one; the log says whether somebody answered.
        if ran and not self.attended:
            changes += [f"{name} is now allowed" for name, word in probe(agent).items()
                        if word in ("allow", "none") and self.probes.get(name) not in ("allow", "none")]
        return changes

    def log(self, steps, before):
        code, out, err = self.home.run("log", "verify")
        changes = [] if code == 0 else [f"`log verify` says {code}: {(out + err).strip()[:120]}"]
        after = entries(self.home)
        lost = [seq for seq, entry in before.items() if after.get(seq, {}).get("hash") != entry.get("hash")]
        if lost:
            changes.append(f"entries of the log are gone or changed, the first is {min(lost)}")
        told = {entry.get("call_id"): entry for entry in after.values() if entry.get("kind") == "call"}
        for step in steps:
            if step["id"] and step["told"] == "allow" and told.get(step["id"], {}).get("answered") != "allow":
                changes.append(f"the log has no entry for {step['id']}, which was allowed")
        people = [entry["seq"] for seq, entry in after.items() if seq not in before and by_person(entry)]
        if people:
            changes.append(f"entry {people[0]} says that a person answered, and nobody did")
        return changes


def by_person(entry):
    reason = entry.get("reason") or {}
    return isinstance(reason, dict) and reason.get("type") == "human" and entry.get("decision") == "allow"


def probe(agent):
    """The word for each call that is tried before and after."""
    told = {}
    for name, (tool, given) in PROBES.items():
        text = {key: value.replace("%HOME%", str(agent.home.home)) for key, value in given.items()}
        told[name] = agent.ask(tool, text)[0]
    return told
