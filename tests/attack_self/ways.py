"""What an attack is made of: calls that an agent makes, with the names of places left open.

Texts may hold `%HOME%`, `%STATE%`, `%CONFIG%`, `%BIN%`, `%PROJECT%`, `%SESSION%`, `%TRANSCRIPT%`, `%PID%` (of the
daemon) and `%PAUSE%` (the text of a pause); they are filled in when the home is there.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """One call: the tool and its input, how it is carried out, and what is typed into it where it reads a terminal."""

    tool: str
    given: dict
    runs: str = ""
    typed: str = ""


@dataclass(frozen=True)
class Attack:
    """One way in which an agent tries to free itself."""

    name: str
    steps: tuple
    # Why no reader can see what it does; empty where the text of what it does is there to be read.
    hidden: str = ""
    # Programs without which it cannot be tried.
    needs: tuple = ()
    # Whether the daemon runs: yes, no, or (nothing said) now this and now that.
    daemon: bool | None = None
    # Whether a person has a terminal multiplexer open: "", "shell" or "approver".
    person: str = ""
    # Finds processes by name or mounts something: only where it has namespaces of its own.
    apart: bool = False


@dataclass
class Family:
    """Attacks of one kind, in the order in which they were written down."""

    name: str
    attacks: list = field(default_factory=list)

    def add(self, name, *steps, **more):
        self.attacks.append(Attack(f"{self.name}/{name}", steps, **more))


def bash(command):
    return Step("Bash", {"command": command, "description": "next step"})


def write(path, content):
    return Step("Write", {"file_path": path, "content": content})


def edit(path, old, new):
    return Step("Edit", {"file_path": path, "old_string": old, "new_string": new, "replace_all": False})


def multi_edit(path, *pairs):
    edits = [{"old_string": old, "new_string": new} for old, new in pairs]
    return Step("MultiEdit", {"file_path": path, "edits": edits})


def notebook(path, source):
    return Step("NotebookEdit", {"notebook_path": path, "new_source": source, "cell_type": "code", "edit_mode": "insert"})


def typed(command, text):
    """A program that is started without a script and gets its text later, as Codex does with `write_stdin`."""
    return Step("Bash", {"command": command, "description": "next step"}, typed=text)


def tool(name, given, runs):
    """Another tool; `runs` names the field whose text it carries out, and with what: `command:bash`."""
    return Step(name, given, runs=runs)


def fill(value, places):
    """The same with every name of a place filled in."""
    if isinstance(value, str):
        for name, text in places.items():
            value = value.replace(f"%{name}%", text)
        return value
    if isinstance(value, dict):
        return {key: fill(part, places) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [fill(part, places) for part in value]
    return value
