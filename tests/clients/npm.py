"""Gets the pinned clients from npm into a folder outside of the repository."""

import os
import pathlib
import subprocess
import sys

# A client is installed in a minute; a registry that does not answer is given up sooner than npm would by itself.
INSTALL_SECONDS = 600
REACH_SECONDS = 40


class Unavailable(Exception):
    """A client cannot be had here, which says nothing about the gate."""


def cache():
    """Where the clients lie: about 2 GB, kept for the next time."""
    own = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "portcullis-clients"
    return pathlib.Path(os.environ.get("PORTCULLIS_CLIENTS") or own)


def program_of(client, folder):
    return folder / client.id / "node_modules" / ".bin" / client.program


def is_installed(client, folder):
    # npm writes this list last: without it, an installation broke off.
    return program_of(client, folder).exists() and (folder / client.id / "node_modules" / ".package-lock.json").exists()


def installed(client, folder):
    """The client's program; installs it where it is missing."""
    if not is_installed(client, folder):
        print(f"installing {client.package}@{client.version}", file=sys.stderr, flush=True)
        npm("install", "--prefix", str(folder / client.id), f"{client.package}@{client.version}", "--no-audit",
            "--no-fund", seconds=INSTALL_SECONDS)
        if not is_installed(client, folder):
            raise Unavailable("npm ended well, and the program is not there")
    return program_of(client, folder)


def reach(client):
    """Fails where npm is missing or its registry does not answer, without waiting for long."""
    npm("view", f"{client.package}@{client.version}", "version", "--fetch-retries=1", "--fetch-timeout=15000",
        seconds=REACH_SECONDS)


def npm(*words, seconds):
    try:
        done = subprocess.run(["npm", *words], capture_output=True, text=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(str(error)) from error
    if done.returncode:
        raise Unavailable(" ".join((done.stderr or done.stdout).split())[:160])
