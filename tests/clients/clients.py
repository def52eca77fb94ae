"""The clients: what to install, how to tell them about a hook, how to start them without a person, and what their tools
are called. Nothing here knows what a hook answers."""

import json
import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
QUIET = {"TERM": "dumb", "NO_COLOR": "1", "CI": "1"}


class Client:
    """One client of one version. `asking` is the event that can refuse a call, `noting` are others worth recording."""

    name = package = program = ""
    # The mode in which it does everything that its hook allows, and asks where it is told to.
    asking_mode = "open"
    asking, noting = "PreToolUse", ("PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart", "SubagentStop")
    # What the clients call their tools; a name that starts with ~ is a pattern for what the client offers.
    note_tool = "~write_note"

    def __init__(self, version):
        self.version = version

    @property
    def id(self):
        return f"{self.name}-{self.version}"

    def settings(self, world, url, command, seconds):
        """Writes the settings: the model at `url`, and `command` as the hook, or none."""
        raise NotImplementedError

    def start(self, world, url, mode):
        """The command line and the environment."""
        raise NotImplementedError

    def shell(self, command):
        raise NotImplementedError

    def write(self, path, text):
        raise NotImplementedError

    def note(self, path, text):
        return self.note_tool, {"path": str(path), "text": text}

    def delegate(self, prompt):
        raise NotImplementedError

    def patience(self):
        """Calls that wait for a sub-agent, where the client does not."""
        return []

    def bring(self, world, folder):
        """Puts into a fresh home what the client would fetch there; `folder` is where it is installed."""

    def keep(self, world, folder):
        """Keeps what it fetched for the next home."""

    def grouped(self, command, timeout):
        """Hooks in the form that most clients share."""
        if command is None:
            return {}
        hook = {"type": "command", "command": command, "timeout": timeout}
        asked = {self.asking: [{"matcher": ".*", "hooks": [hook]}]}
        return {**asked, **{event: [{"hooks": [hook]}] for event in self.noting}}


def mcp_server():
    return {"command": sys.executable, "args": [str(HERE / "mcp_server.py")]}


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    elif source.exists():
        shutil.copy(source, target)


class ClaudeCode(Client):
    name, package, program = "claude-code", "@anthropic-ai/claude-code", "claude"
    noting = Client.noting + ("PostToolUseFailure", "PermissionRequest", "PermissionDenied")
    asking_mode = "asking"
    modes = {"open": "bypassPermissions", "closed": "dontAsk", "installed": "bypassPermissions", "auto": "auto",
             "asking": "default"}

    def settings(self, world, url, command, seconds):
        put(world.home / ".claude" / "settings.json", {"hooks": self.grouped(command, seconds)})
        put(world.root / "mcp.json", {"mcpServers": {"notes": mcp_server()}})

    def start(self, world, url, mode):
        quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER",
                 "DISABLE_ERROR_REPORTING", "IS_SANDBOX")
        # Tools that are only found by searching would need a call of their own first.
        env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "dummy", "ENABLE_TOOL_SEARCH": "false", **{name: "1" for name in quiet}}
        return ["-p", "go", "--permission-mode", self.modes[mode], "--mcp-config", str(world.root / "mcp.json"),
                "--strict-mcp-config", "--output-format", "json"], env

    def shell(self, command):
        return "Bash", {"command": command, "description": "a step of the test"}

    def write(self, path, text):
        return "Write", {"file_path": str(path), "content": text}

    def delegate(self, prompt):
        return "~^(Agent|Task)$", {"description": "a part", "prompt": prompt, "subagent_type": "general-purpose"}


class Codex(Client):
    name, package, program = "codex", "@openai/codex", "codex"
    noting = Client.noting + ("PermissionRequest",)

    def settings(self, world, url, command, seconds):
        if command is not None:
            put(world.home / ".codex" / "hooks.json", {"hooks": self.grouped(command, seconds)})
        server = mcp_server()
        put(world.home / ".codex" / "config.toml", f"""
model = "scripted"
model_provider = "loop"
check_for_update_on_startup = false
[model_providers.loop]
name = "loop"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOP_KEY"
supports_websockets = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[mcp_servers.notes]
command = {json.dumps(server["command"])}
args = {json.dumps(server["args"])}
""")

    def start(self, world, url, mode):
        args = ["exec", "--skip-git-repo-check", "--json", "-s", "workspace-write"]
        # As installed, trust has to be there already.
        if mode != "installed":
            args.append("--dangerously-bypass-hook-trust")
        return args + ["go"], {"CODEX_HOME": str(world.home / ".codex"), "LOOP_KEY": "dummy"}

    def shell(self, command):
        return "exec_command", {"cmd": command}

    def write(self, path, text):
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {str(path).rpartition('/proj/')[2]}\n{lines}*** End Patch\n"
        return "exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}EOF\n"}

    def delegate(self, prompt):
        return "~spawn_agent", {"message": prompt}

    def patience(self):
        return [self.shell("sleep 4")]


class Gemini(Client):
    name, package, program = "gemini", "@google/gemini-cli", "gemini"
    asking, noting = "BeforeTool", ("AfterTool", "BeforeAgent", "SessionStart")
    folder, kind, more = ".gemini", "gemini-api-key", {}
    modes = {"open": "yolo", "closed": "default", "installed": "yolo"}

    def settings(self, world, url, command, seconds):
        put(world.home / self.folder / "settings.json", {
            "security": {"auth": {"selectedType": self.kind}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False}, "hooksConfig": {"enabled": True},
            "mcpServers": {"notes": {**mcp_server(), "trust": True}},
            "hooks": self.grouped(command, seconds * 1000), **self.more,
        })

    def start(self, world, url, mode):
        env = {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_TELEMETRY_ENABLED": "false",
               "GEMINI_CLI_NO_RELAUNCH": "true"}
        return ["-m", "gemini-2.5-flash", "--approval-mode", self.modes[mode], "--output-format", "stream-json",
                "-p", "go"], env

    def shell(self, command):
        return "run_shell_command", {"command": command, "description": "a step of the test"}

    def write(self, path, text):
        return "write_file", {"file_path": str(path), "content": text}

    def delegate(self, prompt):
        return "~^(generalist|invoke_agent|generalist_agent)$", {"request": prompt, "agent_name": "generalist", "prompt": prompt}


class Qwen(Gemini):
    name, package, program = "qwen", "@qwen-code/qwen-code", "qwen"
    asking, noting = Client.asking, Client.noting + ("PostToolUseFailure",)
    folder, kind = ".qwen", "openai"
    # Tools that are only found by searching would need a call of their own first.
    more = {"tools": {"toolSearch": {"enabled": False}}}

    def start(self, world, url, mode):
        env = {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "scripted"}
        return ["--approval-mode", self.modes[mode], "--output-format", "stream-json", "-p", "go"], env

    def shell(self, command):
        return "run_shell_command", {"command": command, "description": "a step of the test", "is_background": False}

    def delegate(self, prompt):
        return "~^(agent|task)$", {"description": "a part", "prompt": prompt, "subagent_type": "general-purpose"}


class Copilot(Client):
    name, package, program = "copilot", "@github/copilot", "copilot"
    noting = ("PostToolUse", "UserPromptSubmit", "SessionStart")

    def settings(self, world, url, command, seconds):
        entry = [{"type": "command", "bash": command, "timeoutSec": seconds}]
        hooks = {event: entry for event in (self.asking, *self.noting)}
        if command is not None:
            put(world.home / ".copilot" / "hooks" / "gate.json", {"version": 1, "hooks": hooks})
        server = {"notes": {"type": "local", "tools": ["*"], **mcp_server()}}
        put(world.home / ".copilot" / "mcp-config.json", {"mcpServers": server})

    def start(self, world, url, mode):
        env = {"COPILOT_HOME": str(world.home / ".copilot"), "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false",
               "COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": "dummy", "COPILOT_MODEL": "scripted"}
        return ["-p", "go"] + ([] if mode == "closed" else ["--allow-all-tools"]), env

    def shell(self, command):
        return "bash", {"command": command, "description": "a step of the test"}

    def write(self, path, text):
        return "create", {"path": str(path), "file_text": text}

    def delegate(self, prompt):
        return "task", {"description": "a part", "prompt": prompt, "agent_type": "general-purpose", "name": "part", "mode": "sync"}


class OpenCode(Client):
    name, package, program = "opencode", "opencode-ai", "opencode"
    asking = "tool.execute.before"

    def settings(self, world, url, command, seconds):
        if command is not None:
            self.plugin(world, command, seconds)
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "loop", "models": {"scripted": {"name": "scripted"}},
                    "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"}}
        server = mcp_server()
        put(world.work / "opencode.json", {
            "model": "loop/scripted", "provider": {"loop": provider}, "share": "disabled", "autoupdate": False,
            # Nobody is there to be asked about a folder outside of the project.
            "permission": {"external_directory": "allow", "doom_loop": "allow"},
            "mcp": {"notes": {"type": "local", "command": [server["command"], *server["args"]], "enabled": True}},
        })

    def plugin(self, world, command, seconds):
        plugin = (ROOT / "crates/portcullis/src/commands/install/agents/opencode_plugin.js").read_text()
        # The plugin starts a program, not a shell line.
        starter = world.root / "starter"
        put(starter, f"#!/bin/sh\nexec {command}\n")
        starter.chmod(0o755)
        program = str(starter) if " " in command else command
        plugin = plugin.replace("@PROGRAM@", program)
        plugin = re.sub(r"SECONDS_FOR_A_CALL = \d+", f"SECONDS_FOR_A_CALL = {seconds}", plugin)
        put(world.home / ".config" / "opencode" / "plugin" / "portcullis.js", plugin)

    # It installs the kit for plugins into each new home, which takes as long as everything else.
    kit = ("node_modules", "package.json", "package-lock.json")

    def bring(self, world, folder):
        for name in self.kit:
            copy(folder / "kit" / name, world.home / ".config" / "opencode" / name)

    def keep(self, world, folder):
        there = world.home / ".config" / "opencode"
        # npm writes this list last.
        if (folder / "kit").exists() or not (there / "node_modules" / ".package-lock.json").exists():
            return
        whole = folder / f"kit-{os.getpid()}"
        for name in self.kit:
            copy(there / name, whole / name)
        whole.rename(folder / "kit")

    def start(self, world, url, mode):
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        return ["run", "--format", "json", "go"], {f"OPENCODE_DISABLE_{name}": "1" for name in off}

    def shell(self, command):
        return "bash", {"command": command, "description": "a step of the test"}

    def write(self, path, text):
        return "write", {"filePath": str(path), "content": text}

    def delegate(self, prompt):
        return "task", {"description": "a part", "prompt": prompt, "subagent_type": "general"}


# Pinned: what was measured holds for these.
PINNED = [
    ClaudeCode("2.1.327"), ClaudeCode("2.1.197"), Codex("0.169.0"), Gemini("0.61.0"), Qwen("0.24.4"),
    Copilot("1.0.102"), OpenCode("1.18.33"),
]
