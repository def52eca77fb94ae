"""What the model asks for when hook inputs are recorded: many shapes of shell lines, every file tool that the client has,
an MCP tool and a sub-agent. Everything is harmless where it runs: a folder that goes away."""

from model import SUBTASK

SHELL = [
    "true", "pwd", "ls", "ls -la", "cat notes.md", "head -n 1 notes.md | wc -l", "echo hello > out.txt",
    "echo more >> out.txt", "printf '%s\\n' a b c | sort -r", "mkdir -p deep/er && touch deep/er/file",
    "cp notes.md copy.md", "mv copy.md moved.md", "rm moved.md", "rm -rf deep", "ln -s notes.md link.md",
    "find . -name '*.md'", "find . -type f -exec echo {} \\;", "grep -rn two .", "sed -n 2p notes.md",
    "sed -i s/two/2/ notes.md", "awk '{print $1}' notes.md", "test -f notes.md && echo yes || echo no",
    "for f in *.md; do echo \"$f\"; done", "while read -r line; do echo \"> $line\"; done < notes.md",
    "if [ -d src ]; then ls src; else echo none; fi", "x=1; y=$((x + 2)); echo $y", "echo \"$(date +%Y) and `id -u`\"",
    "cat <<'EOF' > here.txt\nline one\n$not expanded\nEOF", "cat <<EOF\n$HOME\nEOF", "diff notes.md here.txt",
    "cd /tmp && pwd", "(cd / && ls | head -3)", "sleep 0.1 &", "wait", "env | sort | head -3", "FOO=bar printenv FOO",
    "timeout 5 true", "nice -n 5 true", "xargs echo < notes.md", "bash -c 'echo inner'", "sh -c \"echo 'two levels'\"",
    "python3 -c 'print(1 + 1)'", "node -e 'console.log(1)'", "git init -q .", "git status --short", "git add -A",
    "git -c user.name=t -c user.email=t@example.com commit -qm first", "git log --oneline | head -1",
    "git diff HEAD~1 2>/dev/null; true", "git config --get core.editor || true", "tar -cf all.tar notes.md",
    "tar -tf all.tar", "chmod +x here.txt", "stat -c %a here.txt", "du -sh .", "df -h . | tail -1", "ps | head -2",
    "which sh", "type cd", "export A=1; echo $A", "alias ll='ls -l'", "f() { echo in $1; }; f it", "set -e; false; true",
    "exit 3", "no-such-program --help", "echo 'quote \" inside'", "echo \"umlauts äöü and 字\"", "echo a\\ b", "echo $'tab\\there'",
    "# only a comment", "echo one; echo two\necho three", "ls missing-file", "tee out2.txt < notes.md", "true && false || true",
    "[[ a == a ]] && echo same", "echo {1..3}", "echo *.md", "cat notes.md 2>&1 | tee log.txt > /dev/null",
    "curl -sS --max-time 1 http://127.0.0.1:9/ || true", "npm --version", "seq 3 | paste -sd+ -", "basename /a/b/c.txt",
    "wc -c < notes.md", "touch 'name with spaces.txt'", "rm -- 'name with spaces.txt'", "echo secret | base64", "uname -s",
]


def recording_script(client, world):
    files = FILES[client.name](world.work)
    delegate = client.delegate(f"{SUBTASK}: do your part")
    inside = [client.shell("echo from inside"), client.shell("ls"), *files[:2]]
    script = [client.shell(command) for command in SHELL] + files
    return script + [client.note(world.work / "note.txt", "a note"), delegate], inside


def claude_code(work):
    at = lambda name: str(work / name)
    return [
        ("Read", {"file_path": at("notes.md")}), ("Write", {"file_path": at("new.txt"), "content": "one\ntwo\n"}),
        ("Read", {"file_path": at("new.txt"), "offset": 1, "limit": 1}),
        ("Edit", {"file_path": at("new.txt"), "old_string": "one", "new_string": "1", "replace_all": False}),
        ("Edit", {"file_path": at("new.txt"), "old_string": "two", "new_string": "2", "replace_all": True}),
        ("Glob", {"pattern": "**/*.md"}), ("Grep", {"pattern": "one", "path": str(work), "output_mode": "content"}),
        ("Grep", {"pattern": "two", "glob": "*.md", "-i": True}), ("WebFetch", {"url": "http://127.0.0.1:9/x", "prompt": "what"}),
        ("WebSearch", {"query": "nothing"}), ("TodoWrite", {"todos": [{"content": "a", "status": "pending", "activeForm": "a"}]}),
        ("Write", {"file_path": at("book.ipynb"), "content": '{"cells":[{"cell_type":"code","id":"a","source":"1","metadata":{},"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}'}),
        ("Read", {"file_path": at("book.ipynb")}),
        ("NotebookEdit", {"notebook_path": at("book.ipynb"), "cell_id": "a", "new_source": "2"}),
        ("Bash", {"command": "sleep 1", "run_in_background": True, "description": "in the background"}),
        ("Bash", {"command": "true", "timeout": 5000}), ("Bash", {"command": "true", "dangerouslyDisableSandbox": True}),
        ("ToolSearch", {"query": "select:WebSearch", "max_results": 1}), ("TaskCreate", {"subject": "s", "description": "d"}),
        ("TaskList", {}), ("CronCreate", {"cron": "0 0 1 1 *", "prompt": "p"}), ("Skill", {"skill": "none"}),
        ("Write", {"file_path": "/tmp/portcullis-outside-of-the-project.txt", "content": "x"}),
        ("EnterPlanMode", {}),
    ]


def codex(work):
    patch = "*** Begin Patch\n*** Update File: notes.md\n@@\n-one\n+1\n*** End Patch\n"
    added = "*** Begin Patch\n*** Add File: added.txt\n+text\n*** End Patch\n"
    return [
        ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{added}EOF\n"}), ("exec_command", {"cmd": "cat added.txt", "workdir": str(work)}),
        ("exec_command", {"cmd": f"apply_patch <<'PATCH'\n{patch}PATCH\n"}), ("apply_patch", {"input": added.replace("added", "other")}),
        ("exec_command", {"cmd": "cat", "tty": True, "yield_time_ms": 200}), ("write_stdin", {"session_id": 1, "chars": "x\n"}),
        ("update_plan", {"plan": [{"step": "a", "status": "pending"}]}), ("view_image", {"path": str(work / "none.png")}),
        ("exec_command", {"cmd": "touch /tmp/portcullis-outside.txt", "sandbox_permissions": "require_escalated", "justification": "test"}),
        ("exec_command", {"cmd": "echo login", "login": True}), ("exec_command", {"cmd": "echo sh", "shell": "/bin/sh"}),
    ]


def gemini(work):
    at = lambda name: str(work / name)
    return [
        ("read_file", {"file_path": at("notes.md")}), ("write_file", {"file_path": at("new.txt"), "content": "one\ntwo\n"}),
        ("replace", {"file_path": at("new.txt"), "old_string": "one", "new_string": "1", "instruction": "change one to 1"}),
        ("list_directory", {"dir_path": str(work)}), ("glob", {"pattern": "**/*.md"}),
        ("grep_search", {"pattern": "two"}), ("search_file_content", {"pattern": "two"}), ("read_many_files", {"include": ["*.md"]}),
        ("web_fetch", {"prompt": "fetch http://127.0.0.1:9/x"}), ("google_web_search", {"query": "nothing"}),
        ("save_memory", {"fact": "a fact"}), ("write_todos", {"todos": [{"description": "a", "status": "pending"}]}),
        ("run_shell_command", {"command": "pwd", "dir_path": str(work)}),
        ("run_shell_command", {"command": "sleep 1", "is_background": True}),
        ("activate_skill", {"name": "none"}), ("get_internal_docs", {}),
    ]


def qwen(work):
    at = lambda name: str(work / name)
    return [
        ("read_file", {"file_path": at("notes.md")}), ("write_file", {"file_path": at("new.txt"), "content": "one\ntwo\n"}),
        ("edit", {"file_path": at("new.txt"), "old_string": "one", "new_string": "1"}),
        ("list_directory", {"path": str(work)}), ("glob", {"pattern": "**/*.md"}), ("grep_search", {"pattern": "two"}),
        ("web_fetch", {"url": "http://127.0.0.1:9/x", "prompt": "what"}), ("todo_write", {"todos": [{"id": "1", "content": "a", "status": "pending"}]}),
        ("save_memory", {"fact": "a fact"}), ("skill", {"skill": "none"}), ("exit_plan_mode", {"plan": "p"}),
        ("run_shell_command", {"command": "sleep 1", "is_background": True}),
        ("run_shell_command", {"command": "pwd", "is_background": False, "directory": str(work)}),
    ]


def copilot(work):
    at = lambda name: str(work / name)
    return [
        ("view", {"path": at("notes.md")}), ("create", {"path": at("new.txt"), "file_text": "one\ntwo\n"}),
        ("view", {"path": str(work)}), ("view", {"path": at("notes.md"), "view_range": [1, 2]}),
        ("edit", {"path": at("new.txt"), "old_str": "one", "new_str": "1"}), ("grep", {"pattern": "two"}), ("glob", {"pattern": "*.md"}),
        ("bash", {"command": "sleep 1", "description": "in the background", "mode": "async"}), ("list_bash", {}),
        ("web_fetch", {"url": "http://127.0.0.1:9/x"}), ("report_intent", {"intent": "Testing"}), ("update_todo", {"todos": "- [ ] a"}),
        ("sql", {"description": "look", "query": "select 1"}), ("fetch_copilot_cli_documentation", {}), ("skill", {"skill": "none"}),
    ]


def opencode(work):
    at = lambda name: str(work / name)
    return [
        ("read", {"filePath": at("notes.md")}), ("write", {"filePath": at("new.txt"), "content": "one\ntwo\n"}),
        ("edit", {"filePath": at("new.txt"), "oldString": "one", "newString": "1"}), ("list", {"path": str(work)}),
        ("glob", {"pattern": "**/*.md"}), ("grep", {"pattern": "two"}), ("webfetch", {"url": "http://127.0.0.1:9/x", "format": "text"}),
        ("todowrite", {"todos": [{"id": "1", "content": "a", "status": "pending", "priority": "low"}]}), ("todoread", {}),
        ("bash", {"command": "pwd", "workdir": str(work), "description": "elsewhere"}), ("skill", {"name": "none"}),
        ("apply_patch", {"patchText": "*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch"}),
    ]


FILES = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "qwen": qwen, "copilot": copilot, "opencode": opencode}
