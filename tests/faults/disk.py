"""A disk that fails: single system calls, no space, no access, a locked or damaged database."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from room import DENY, Room, Tally, judge, whole, works

# What touches the disk, and two ways in which it can fail.
CALLS = ["openat", "write", "pwrite64", "pread64", "fsync", "fdatasync", "ftruncate", "rename"]
ERRORS = ["EIO", "ENOSPC"]
STRACE = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null"]


def injected(program, most):
    """The N-th system call of each kind fails, for a new log and for one that is there."""
    tally = Tally("failing system calls")
    if shutil.which("strace") is None:
        tally.count("skipped: strace is not installed")
        return tally
    for call in CALLS:
        for error in ERRORS:
            room = Room(program)
            for number in range(1, most + 1):
                for fresh in (True, False):
                    if fresh:
                        shutil.rmtree(room.state, ignore_errors=True)
                    one_failure(tally, room, f"{call}:error={error}:when={number}", call)
                    tally.count("faults")
            room.remove()
    return tally


def one_failure(tally, room, fault, name):
    call, answer = room.hook(before=[*STRACE, "-e", f"trace={name}", "-e", f"inject={fault}"])
    if answer and answer.code == 127 and "shared librar" in answer.err:
        # The system could not load the program: nothing of it ran.
        tally.count("never started")
    else:
        before = len(tally.wrongs)
        judge(tally, room, call, answer)
        tally.expect(len(tally.wrongs) == before, f"... with {fault}")
        if answer and name not in ("write", "openat"):
            tally.expect(answer.json is not None, f"no answer in the form of the host with {fault}: {answer}")
    before = len(tally.wrongs)
    works(tally, room)
    whole(tally, room)
    tally.expect(len(tally.wrongs) == before, f"... after {fault}")


def injected_daemon(program, most):
    """The same under the daemon, in each of its threads."""
    tally = Tally("failing system calls of the daemon")
    if shutil.which("strace") is None:
        tally.count("skipped: strace is not installed")
        return tally
    # Not `write`: the daemon wakes its own threads with it, which no kernel refuses.
    for call in ["openat", "pwrite64", "pread64", "fsync", "ftruncate"]:
        room = Room(program)
        for number in range(1, most + 1):
            fault = f"{call}:error={random.choice(ERRORS)}:when={number}"
            before = len(tally.wrongs)
            serving = room.serve(before=[*STRACE, "-e", f"trace={call}", "-e", f"inject={fault}"])
            tally.count("faults")
            if "listening" not in serving.first:
                tally.count("never started")
            answers = [room.hook(room.call(session=f"s{session}")) for session in range(3)]
            records = room.records()
            for asked, answer in answers:
                judge(tally, room, asked, answer, records)
            end(serving, room)
            works(tally, room)
            whole(tally, room)
            tally.expect(len(tally.wrongs) == before, f"... with {fault}")
        room.remove()
    started = tally.counts["faults"] - tally.counts.get("never started", 0)
    tally.expect(started > 0, "the daemon never started")
    return tally


def end(serving, room):
    """Stops the daemon and the strace above it, which does not pass signals on."""
    os.killpg(serving.pid, signal.SIGTERM)
    socket = room.state / "portcullis.sock"
    for _ in range(400):
        if serving.poll() is not None and not socket.exists():
            break
        time.sleep(0.05)
    try:
        os.killpg(serving.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    serving.wait()
    serving.stdout.close()


def durable_first(program):
    """The yes is printed after the disk said that the record is on it."""
    tally, room = Tally("order of record and answer"), Room(program)
    if shutil.which("strace") is None:
        tally.count("skipped: strace is not installed")
        return tally
    room.hook()
    trace = room.folder / "trace"
    room.hook(before=["strace", "-f", "-y", "-o", str(trace), "-e", "trace=write,pwrite64,fdatasync,fsync"])
    lines = trace.read_text().splitlines()
    at = [number for number, line in enumerate(lines) if "write(1<" in line]
    synced = [number for number, line in enumerate(lines) if "sync(" in line and ".db-wal" in line and "= 0" in line]
    written = [number for number, line in enumerate(lines) if "pwrite64(" in line and ".db-wal" in line]
    tally.count("records seen", len(written) > 0)
    good = at and synced and written and written[-1] < synced[-1] < at[0]
    tally.expect(good, "the answer was printed before the record was on the disk:\n" + "\n".join(lines))
    room.remove()
    return tally


def full(program):
    """No space, then none at all, then space again; and a file system that cannot be written."""
    tally = Tally("full and read-only disk")
    if os.getuid() != 0 or shutil.which("unshare") is None:
        tally.count("skipped: a small disk needs root and unshare")
        return tally
    # The mounts are seen by this child only, and go away with it.
    words = ["unshare", "-m", sys.executable, __file__, program]
    done = subprocess.run(words, text=True, capture_output=True)
    for line in done.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "count":
            number, _, what = rest.partition(" ")
            tally.count(what, int(number))
        else:
            tally.wrong(rest)
    tally.expect(done.returncode == 0, f"the check broke off: {done.stderr[-500:]}")
    return tally


def full_inside(program):
    """The part that runs with mounts of its own."""
    tally, room = Tally("inside"), Room(program)
    room.state.mkdir(parents=True, mode=0o700)
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k,mode=700", "tmpfs", str(room.state)]
    subprocess.run(mount, check=True)
    refused = 0
    for _ in range(400):
        call, answer = room.hook()
        judge(tally, room, call, answer)
        refused += bool(answer and answer.code == DENY)
        if refused >= 10:
            break
    tally.expect(refused >= 10, "the disk did not fill up")
    filler = room.state / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    for _ in range(5):
        call, answer = room.hook()
        judge(tally, room, call, answer)
        tally.expect(answer and answer.code == DENY, f"no space, and yet: {answer}")
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", str(room.state)], check=True)
    works(tally, room)
    whole(tally, room)
    subprocess.run(["mount", "-o", "remount,ro", str(room.state)], check=True)
    for _ in range(3):
        call, answer = room.hook()
        tally.count("answers")
        tally.expect(answer and answer.code == DENY and answer.told == "deny", f"nothing can be written, and yet: {answer}")
    subprocess.run(["mount", "-o", "remount,rw", str(room.state)], check=True)
    works(tally, room)
    whole(tally, room)
    for what, number in tally.counts.items():
        print("count", number, what)
    subprocess.run(["umount", str(room.state)], check=True)
    room.remove()


def locked(program):
    """Another program holds the database."""
    tally, room = Tally("locked database"), Room(program)
    room.hook()
    for how in ("IMMEDIATE", "EXCLUSIVE"):
        holder = sqlite3.connect(room.state / "portcullis.db", isolation_level=None)
        holder.execute(f"BEGIN {how}")
        call, answer = room.hook()
        judge(tally, room, call, answer, records={})
        tally.expect(answer and answer.code == DENY and answer.json, f"locked, and yet: {answer}")
        holder.execute("ROLLBACK")
        holder.close()
        works(tally, room)
    whole(tally, room)
    room.remove()
    return tally


def damaged(program, times):
    """Random bytes and cut files. Old entries may be hurt without notice until somebody verifies; new ones count."""
    tally = Tally("damaged files")
    for number in range(times):
        room = Room(program)
        for _ in range(3):
            room.hook()
        name = random.choice(["portcullis.db", "portcullis.db", "portcullis.db-wal", "portcullis.db-shm", "audit.head"])
        what = hurt(room.state / name)
        tally.count(f"{name.removeprefix('portcullis.')} hurt")
        call, answer = room.hook()
        try:
            records = room.records()
        except sqlite3.Error:
            records = {}
        judge(tally, room, call, answer, records)
        if answer and answer.code == DENY:
            tally.expect(answer.json is not None, f"a deny that is none after {what} of {name}: {answer}")
        code, said = room.run("log", "verify")
        tally.expect("panicked" not in said, f"`log verify` panics after {what} of {name}: {said}")
        if code == 0:
            tally.count("still whole")
        else:
            tally.count("named by verify")
            tally.expect(said.strip(), "verify fails without a word")
        move_aside(room)
        works(tally, room)
        whole(tally, room)
        room.remove()
    return tally


def hurt(path):
    """Damages a file as a bad disk or a careless hand would."""
    how = random.choice(["bytes", "cut", "empty", "zeros"])
    size = path.stat().st_size if path.exists() else 0
    with open(path, "r+b" if path.exists() else "wb") as file:
        if how == "bytes":
            file.seek(random.randrange(max(size, 1)))
            file.write(random.randbytes(random.choice([1, 64, 4096])))
        elif how == "cut":
            file.truncate(random.randrange(max(size, 1)))
        elif how == "empty":
            file.truncate(0)
        else:
            file.write(bytes(min(size, 4096)))
    return how


def move_aside(room):
    """What the messages tell people to do."""
    aside = room.folder / f"aside-{time.monotonic_ns()}"
    aside.mkdir()
    for name in ("portcullis.db", "portcullis.db-wal", "portcullis.db-shm", "audit.head"):
        if (room.state / name).exists():
            (room.state / name).rename(aside / name)


def odd_places(program):
    """Missing, odd and unreadable folders and files."""
    tally = Tally("odd places")

    def case(name, prepare, told, repair=None):
        room = Room(program)
        room.hook()
        environment = room.environment
        prepare(room, environment)
        call = room.call()
        _, answer = room.hook(call, environment=environment)
        tally.count("places")
        if answer is None or answer.told not in told or "panicked" in answer.err or answer.json is None:
            tally.wrong(f"{name}: {answer}")
        if answer and answer.allows and environment.get("HOME"):
            judge(Tally(""), room, call, answer)
        if repair:
            repair(room)
            works(tally, room)
            whole(tally, room)
        room.remove()

    def replace(room, name, how):
        path = room.state / name
        path.unlink(missing_ok=True)
        how(path)

    case("audit.head missing", lambda room, _: (room.state / "audit.head").unlink(), ["deny"], move_aside)
    case("audit.head garbage", lambda room, _: (room.state / "audit.head").write_text("no\n"), ["deny"], move_aside)
    case("audit.head ahead", lambda room, _: (room.state / "audit.head").write_text(f"{99:020} {'a' * 64}\n"), ["deny"], move_aside)
    case("database gone", lambda room, _: [path.unlink() for path in room.state.glob("portcullis.db*")], ["deny"], move_aside)
    case("database a folder", lambda room, _: replace(room, "portcullis.db", lambda path: path.mkdir()), ["deny"])
    case("database a link", lambda room, _: replace(room, "portcullis.db", lambda path: path.symlink_to("/etc/passwd")), ["deny"])
    case("database a pipe", lambda room, _: replace(room, "portcullis.db", lambda path: os.mkfifo(path, 0o600)), ["deny"])
    case("head a pipe", lambda room, _: replace(room, "audit.head", lambda path: os.mkfifo(path, 0o600)), ["deny"])
    case("head a link", lambda room, _: replace(room, "audit.head", lambda path: path.symlink_to("/dev/null")), ["deny"])
    case("state missing", lambda room, _: shutil.rmtree(room.state), ["allow"], lambda room: None)
    case("state a file", lambda room, _: (shutil.rmtree(room.state), room.state.write_text("")), ["deny"])
    case("state open to all", lambda room, _: room.state.chmod(0o777), ["deny"], lambda room: room.state.chmod(0o700))
    case("settings a folder", lambda room, _: broken_settings(room, lambda path: path.mkdir()), ["deny", "ask", "allow"])
    case("settings cut", lambda room, _: broken_settings(room, lambda path: path.write_text('{"permissions":{"al')), ["deny", "ask", "allow"])
    case("settings a pipe", lambda room, _: broken_settings(room, lambda path: os.mkfifo(path)), ["deny", "ask", "allow"])
    case("settings a loop", lambda room, _: broken_settings(room, lambda path: path.symlink_to(path)), ["deny", "ask", "allow"])
    for kept in ("HOME", "SHELL", "PATH"):
        case(f"no {kept}", lambda _, environment, kept=kept: environment.pop(kept), ["allow"])
    return tally


def broken_settings(room, how):
    path = room.config / "settings.json"
    path.unlink()
    how(path)


def broken_deny(program):
    """A settings file that breaks takes no deny rule with it."""
    tally = Tally("broken settings")
    room = Room(program)
    forbidden = "curl https://example.org"
    for how in (lambda path: path.write_text("{"), lambda path: path.mkdir(), lambda path: path.write_bytes(b"\xff\xfe")):
        room.settings({"permissions": {"allow": ["Bash"], "deny": ["Bash(curl:*)"]}})
        _, answer = room.hook(room.call(forbidden))
        tally.expect(answer and answer.told == "deny", f"a deny rule does not count: {answer}")
        broken_settings(room, how)
        _, answer = room.hook(room.call(forbidden))
        tally.count("broken files")
        tally.expect(answer and not answer.allows and answer.json, f"a broken file lost its deny rule: {answer}")
        path = room.config / "settings.json"
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    room.remove()
    return tally


if __name__ == "__main__":
    full_inside(sys.argv[1])
