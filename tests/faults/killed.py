"""Processes that are killed at random moments: hooks that judge themselves, and the daemon."""

import random
import signal
import threading
import time

from room import Room, Tally, judge, whole, works

CLIENTS = 4


def hooks(program, kills):
    """Four hooks at once; some of them are killed."""
    tally, room = Tally("kill -9, hooks"), Room(program)
    _, first = room.hook()
    _, usual = room.hook()
    longest = max(first.seconds, usual.seconds) * 2
    rounds = 0
    while tally.counts.get("kills", 0) < kills:
        rounds += 1
        running = [room.start(room.call(session=f"s{client}")) for client in range(CLIENTS)]
        victims = random.sample(running, random.randint(1, CLIENTS))
        moments = sorted(random.uniform(0, longest) for _ in victims)
        began = time.monotonic()
        for moment, victim in zip(moments, victims):
            time.sleep(max(0, began + moment - time.monotonic()))
            if victim.poll() is None:
                victim.send_signal(signal.SIGKILL)
                tally.count("kills")
        answers = [(process.call, Room.end(process)) for process in running]
        records = room.records()
        for call, answer in answers:
            judge(tally, room, call, answer, records, killed=True)
        works(tally, room)
        if rounds % 10 == 0:
            whole(tally, room)
    whole(tally, room)
    tally.count("records", len(room.records()))
    room.remove()
    return tally


def daemon(program, kills):
    """Four clients that ask again and again, while the daemon is killed under them."""
    tally, room = Tally("kill -9, daemon"), Room(program)
    lock = threading.Lock()
    for kill in range(kills):
        serving = room.serve()
        tally.expect("listening" in serving.first, f"the daemon does not start: {serving.first}")
        over, answers = threading.Event(), []

        def client(number):
            while not over.is_set():
                with lock:
                    call = room.call(session=f"s{number}")
                answers.append(room.hook(call))

        clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
        for one in clients:
            one.start()
        time.sleep(random.uniform(0, 0.5))
        serving.kill()
        serving.wait()
        serving.stdout.close()
        tally.count("kills")
        time.sleep(random.uniform(0, 0.1))
        over.set()
        for one in clients:
            one.join()
        records = room.records()
        for call, answer in answers:
            judge(tally, room, call, answer, records)
        works(tally, room)
        if kill % 10 == 9:
            whole(tally, room)
    whole(tally, room)
    tally.count("records", len(room.records()))
    room.remove()
    return tally
