"""Turns the measured rows into docs/evidence/compatibility.md."""

import json
import pathlib

from clients import PINNED, ROOT
from rows import AUTO_ROWS, GATE_ROWS, NOT_OFFERED, RAN, ROWS, UNHEARD

HERE = pathlib.Path(__file__).resolve().parent

HEAD = """# Compatibility

Made by `scripts/clients` from `tests/clients/results`; do not edit. Each cell is one run of the real client, headless,
against a scripted model on loopback: the model asks for one call that would leave a marker file, the hook does what the
row says, and the cell says what became of the marker. **Bold**: the call ran although no hook allowed it.

"Strict" is the client's strictest mode without a person (`dontAsk` in Claude Code, the default mode elsewhere), in which
only what the hook grants shall run. "not offered": in that mode the client does not give the model the tool at all.

"""

GATE_HEAD = """
## The gate itself

The hook is `portcullis hook AGENT`, under a policy in a home of its own.
"""

AUTO_HEAD = """
## Clients that judge by themselves

The client runs in its own automatic mode, and the model answers its classifier that nothing is to be blocked. The hook
decides first, and for every call: a deny holds although the classifier would allow.
"""


def documented():
    """What was measured once and holds until a new version is pinned."""
    return json.loads((HERE / "expected.json").read_text())


def measured():
    found = {}
    for client in PINNED:
        path = HERE / "results" / f"{client.id}.jsonl"
        if path.exists():
            found[client.id] = {one["row"]: one for one in map(json.loads, path.read_text().splitlines())}
    return found


def cell(record, row):
    if record is None:
        return "not tried"
    allowed = row.behaviour == "allow" or row.behaviour == "gate" and "allow" in row.name
    fails_open = record["got"] == RAN and not allowed
    text = f"**{record['got']}**" if fails_open else record["got"]
    unheard = row.behaviour == "missing" or row.name in UNHEARD
    unasked = record["hook_calls"] == 0 and not unheard and record["got"] != NOT_OFFERED
    return f"{text} (hook not called)" if unasked else text


def section(head, rows, columns, found):
    if not any(row.name in found[client.id] for client in columns for row in rows):
        return []
    lines = [head, "| the hook | " + " | ".join(f"{c.name} {c.version}" for c in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for row in rows:
        cells = [cell(found[client.id].get(row.name), row) for client in columns]
        lines.append(f"| {row.name}: {row.about} | " + " | ".join(cells) + " |")
    return lines


def write():
    found = measured()
    columns = [client for client in PINNED if client.id in found]
    lines = section(HEAD, ROWS, columns, found)
    lines += section(GATE_HEAD, GATE_ROWS, columns, found)
    lines += section(AUTO_HEAD, AUTO_ROWS, [c for c in columns if AUTO_ROWS[0].name in found[c.id]], found)
    lines.append("\nCursor and Goose are not proven here: neither has a package that a test could install.")
    (ROOT / "docs" / "evidence" / "compatibility.md").write_text("\n".join(lines).replace("\n\n\n", "\n\n") + "\n")
