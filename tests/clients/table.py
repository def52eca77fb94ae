"""Turns the measured rows into docs/compatibility.md."""

import json
import pathlib

from clients import PINNED, ROOT
from rows import NOT_OFFERED, RAN, ROWS

HERE = pathlib.Path(__file__).resolve().parent

HEAD = """# Compatibility

Made by `scripts/clients` from `tests/clients/results`; do not edit. Each cell is one run of the real client, headless,
against a scripted model on loopback: the model asks for one call that would leave a marker file, the hook does what the
row says, and the cell says what became of the marker. **Bold**: the call ran although no hook allowed it.

"Strict" is the client's strictest mode without a person (`dontAsk` in Claude Code, the default mode elsewhere), in which
only what the hook grants shall run. "not offered": in that mode the client does not give the model the tool at all.

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
    fails_open = record["got"] == RAN and row.behaviour not in ("allow",)
    text = f"**{record['got']}**" if fails_open else record["got"]
    unasked = record["hook_calls"] == 0 and row.behaviour != "missing" and record["got"] != NOT_OFFERED
    return f"{text} (hook not called)" if unasked else text


def write():
    found = measured()
    columns = [client for client in PINNED if client.id in found]
    lines = [HEAD, "| the hook | " + " | ".join(f"{c.name} {c.version}" for c in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for row in ROWS:
        cells = [cell(found[client.id].get(row.name), row) for client in columns]
        lines.append(f"| {row.name}: {row.about} | " + " | ".join(cells) + " |")
    lines.append("\nCursor and Goose are not proven here: neither has a package that a test could install.")
    (ROOT / "docs" / "compatibility.md").write_text("\n".join(lines).replace("\n\n\n", "\n\n") + "\n")
