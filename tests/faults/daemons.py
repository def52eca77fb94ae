"""A daemon that is missing, hung, odd, stopped or left alone by its clients."""

import json
import signal
import socket
import threading
import time

from room import DENY, PATIENCE, Room, Tally, judge, whole, works

# The longest silence that a hook bears, and some time for a busy machine.
SILENCE = 5 + 10


class Fake:
    """Takes connections in the place of the daemon and answers as it likes."""

    def __init__(self, room, behave):
        room.state.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = room.state / "portcullis.sock"
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(8)
        self.path, self.behave = path, behave
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.one, args=(connection,), daemon=True).start()

    def one(self, connection):
        try:
            self.behave(connection)
        except OSError:
            pass

    def end(self):
        self.listener.close()
        self.path.unlink(missing_ok=True)


def fakes():
    """How a daemon can be wrong."""
    ok = b"HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n"
    yes = json.dumps({"stdout": '{"told":"allow"}', "stderr": "", "code": 0}).encode()

    def says(*parts, end=True):
        def behave(connection):
            connection.recv(1 << 20)
            for part in parts:
                connection.sendall(part)
            if end:
                connection.close()
            else:
                time.sleep(PATIENCE)
        return behave

    def endless(connection):
        connection.recv(1 << 20)
        connection.sendall(ok)
        while True:
            connection.sendall(bytes(1 << 16))

    return {
        "says nothing": says(end=False),
        "hangs up": says(),
        "half a head": says(b"HTTP/1.0 200 OK\r\ncontent-"),
        "half an answer": says(ok + yes[: len(yes) // 2]),
        "half an answer, then silence": says(ok + yes[: len(yes) // 2], end=False),
        "nothing in it": says(ok),
        "only signs of life": says(ok + b"\n\n\n"),
        "garbage": says(bytes(range(256)) * 64),
        "another form": says(ok + b'{"decision":"allow"}'),
        "code out of range": says(ok + yes.replace(b'"code": 0', b'"code": 256')),
        "two answers": says(ok + yes + yes),
        "a long answer cut": says(b"HTTP/1.0 200 OK\r\ncontent-length: 9999\r\n\r\n" + yes),
        "another version": says(b'HTTP/1.0 409 Conflict\r\n\r\n{"error":"the running daemon is version 9"}'),
        "an error": says(b"HTTP/1.0 500 Internal Server Error\r\n\r\n"),
        "a redirect": says(b"HTTP/1.0 302 Found\r\nlocation: /yes\r\n\r\n" + yes),
        "endless": endless,
    }


def odd(program):
    """Hooks before daemons that are not what they should be."""
    tally, room = Tally("odd daemons"), Room(program)
    room.hook()
    for name, behave in fakes().items():
        fake = Fake(room, behave)
        call, answer = room.hook()
        tally.count("daemons")
        good = answer and answer.code == DENY and answer.told == "deny" and answer.seconds < SILENCE
        tally.expect(good, f"a daemon that is `{name}`: {answer}")
        fake.end()
        works(tally, room)
    # The file of a socket that nobody listens at any more.
    path = room.state / "portcullis.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen()
    works(tally, room)
    tally.count("daemons")
    path.unlink(missing_ok=True)
    (room.state / "portcullis.sock").write_text("no socket")
    works(tally, room)
    tally.count("daemons")
    whole(tally, room)
    room.remove()
    return tally


def hung(program):
    """The daemon is stopped by a signal, and goes on later."""
    tally, room = Tally("hung daemon"), Room(program)
    serving = room.serve()
    works(tally, room)
    serving.send_signal(signal.SIGSTOP)
    running = [room.start(room.call()) for _ in range(4)]
    answers = [(process.call, Room.end(process)) for process in running]
    for call, answer in answers:
        tally.count("answers")
        good = answer and answer.code == DENY and answer.told == "deny" and answer.seconds < SILENCE
        tally.expect(good, f"a hung daemon: {answer}")
    serving.send_signal(signal.SIGCONT)
    works(tally, room)
    whole(tally, room)
    stop(tally, serving)
    room.remove()
    return tally


def stop(tally, serving):
    serving.terminate()
    try:
        serving.wait(timeout=20)
    except Exception:
        tally.wrong("the daemon does not stop")
        serving.kill()
        serving.wait()
    serving.stdout.close()


def ask(room, method, path, body=None, timeout=PATIENCE):
    """One request to the daemon: status and JSON."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    connection.connect(str(room.state / "portcullis.sock"))
    text = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.0\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n"
    connection.sendall(head.encode() + text)
    answer = b""
    while part := connection.recv(1 << 16):
        answer += part
    connection.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(rest or b"null")


def waiting(room):
    return ask(room, "GET", "/v1/approvals")[1]["waiting"]


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def left(program):
    """Clients go away in the middle of a wait: at once, later, and by the API."""
    tally, room = Tally("clients that go away"), Room(program)
    serving = room.serve()
    waiting(room)
    moments = [0, 0.05, 0.2, 0.5, 1.2, 2.5]
    for moment in moments:
        process = room.start(room.call("git push", ask="wait"))
        shown = until(lambda: waiting(room)) if moment else True
        tally.expect(shown, "a call that has to be asked about is not shown")
        time.sleep(moment)
        process.kill()
        Room.end(process)
        tally.count("clients")
        tally.expect(until(lambda: not waiting(room)), f"after {moment} s a request waits for a client that is gone")
    def written():
        return [json.loads(body)["kind"] for _, _, body in room.records().values()]

    # Nobody waits for these records: they come when they come.
    until(lambda: written().count("abandoned") >= len(moments) - 1)
    kinds = written()
    tally.count("records `abandoned`", kinds.count("abandoned"))
    # Where the client went at once, it may not have come to asking.
    tally.expect(len(moments) - 1 <= kinds.count("abandoned") <= len(moments), f"not every one was written down: {kinds}")
    works(tally, room)
    whole(tally, room)
    stop(tally, serving)
    room.remove()
    return tally


def stopped(program):
    """The daemon is told to end while requests wait, and an approver looks on."""
    tally = Tally("stopping with requests waiting")
    for how in (signal.SIGTERM, signal.SIGINT, None):
        room = Room(program)
        serving = room.serve()
        waiting(room)
        running = [room.start(room.call("git push", ask="wait", session=f"s{number}")) for number in range(4)]
        tally.expect(until(lambda: len(waiting(room)) == 4), "not every request waits")
        version = ask(room, "GET", "/v1/approvals")[1]["version"]
        looking = threading.Thread(target=lambda: quietly(room, f"/v1/approvals?since={version}&wait=60"), daemon=True)
        looking.start()
        time.sleep(0.2)
        began = time.monotonic()
        if how is None:
            # Only a person may stop it by a request; this script is none.
            tally.expect(ask(room, "POST", "/v1/stop")[0] == 403, "anybody may stop the daemon")
            serving.send_signal(signal.SIGTERM)
        else:
            serving.send_signal(how)
        for process in running:
            answer = Room.end(process)
            tally.count("denies")
            good = answer and answer.code == DENY and answer.told == "deny"
            tally.expect(good, f"told by a daemon that stops: {answer}")
        stop_within(tally, serving, began)
        works(tally, room)
        whole(tally, room)
        room.remove()
    return tally


def stop_within(tally, serving, began):
    try:
        serving.wait(timeout=30)
    except Exception:
        tally.wrong("the daemon does not stop while an approver looks on")
        serving.kill()
        serving.wait()
    took = time.monotonic() - began
    tally.expect(took < 15, f"stopping took {took:.1f} s")
    serving.stdout.close()


def quietly(room, path):
    try:
        ask(room, "GET", path)
    except (OSError, ValueError, IndexError):
        pass


def several(program, times):
    """Daemons that are started at once: one serves."""
    tally, room = Tally("daemons started at once"), Room(program)
    for _ in range(times):
        started = []
        threads = [threading.Thread(target=lambda: started.append(room.serve())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        serving = [process for process in started if "listening" in process.first]
        tally.count("starts", len(started))
        tally.expect(len(serving) == 1, f"{len(serving)} daemons serve: {[process.first for process in started]}")
        works(tally, room)
        for process in started:
            if process in serving:
                stop(tally, process)
            else:
                tally.expect(process.wait(timeout=PATIENCE) != 0, "a daemon that does not serve ends with 0")
                process.stdout.close()
    whole(tally, room)
    room.remove()
    return tally


def idle(program):
    """A daemon that nobody asks ends, leaves no socket, and the next call works."""
    tally, room = Tally("idle daemon"), Room(program)
    serving = room.serve("--idle", "1")
    works(tally, room)
    try:
        code = serving.wait(timeout=PATIENCE)
        tally.expect(code == 0, f"ended with {code}")
    except Exception:
        tally.wrong("does not end")
        serving.kill()
    tally.expect(not (room.state / "portcullis.sock").exists(), "left its socket")
    works(tally, room)
    tally.count("ends")
    serving.stdout.close()
    room.remove()
    return tally
