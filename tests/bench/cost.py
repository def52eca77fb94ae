"""What a short program costs: processor time, time on the clock and page faults, of programs that take turns.

Programs take turns so that a busy moment does not hit only one of them. Processor time is that of the process and of the
children it waited for, as the kernel counts it; what a daemon did for it is added by `Way.beside`.
"""

import os
import statistics
import subprocess
import time
from pathlib import Path


def nothing(folder):
    """A Rust program that does nothing."""
    source = Path(folder) / "nothing.rs"
    source.write_text("fn main() {}\n")
    subprocess.run(["rustc", "-O", "-o", Path(folder) / "nothing", source], check=True)
    return str(Path(folder) / "nothing")


class Way:
    """One program that is measured. `handed` gives the text for its standard input, `right` says whether its answer is one."""

    def __init__(self, name, words, environment, folder, handed=None, right=lambda text: True, codes=(0,), beside=None):
        self.name, self.words, self.environment, self.folder = name, [str(word) for word in words], environment, Path(folder)
        self.handed, self.right, self.codes, self.beside = handed, right, codes, beside
        self.began = 0.0
        self.forget()

    def forget(self):
        """Begins anew, after a first run that filled caches."""
        self.wall, self.cpu, self.faults = [], [], []
        self.began = processor_time(self.beside) if self.beside else 0.0

    def run(self):
        given, out = self.folder / "given", self.folder / "out"
        given.write_text(self.handed() if self.handed else "")
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, str(given), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(out), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        began = time.perf_counter()
        process = os.posix_spawn(self.words[0], self.words, self.environment, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        self.wall.append(time.perf_counter() - began)
        self.cpu.append(used.ru_utime + used.ru_stime)
        self.faults.append(used.ru_minflt)
        if os.waitstatus_to_exitcode(status) not in self.codes or not self.right(out.read_text()):
            raise SystemExit(f"{self.name} ended with {status} and said {out.read_text()[:500]!r}")

    def share_of_daemon(self):
        """Seconds that the daemon beside it took for one run."""
        return (processor_time(self.beside) - self.began) / len(self.cpu) if self.beside else 0.0


def processor_time(process):
    """Seconds that all threads of a process ran, to the nanosecond; the usual counters go by hundredths of a second."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def take_turns(ways, runs):
    """Runs each once to fill caches, then all in turn."""
    for way in ways:
        way.run()
        way.forget()
    for _ in range(runs):
        for way in ways:
            way.run()


HEADINGS = ("cpu ms", "wall ms", "faults", "cpu/nothing", "cpu/bash", "wall/nothing", "wall/bash")


def rows(ways):
    """Name and figures of each way; the first two ways are what the others are compared with: nothing, and bash."""
    first, second = ((statistics.median(way.cpu), statistics.median(way.wall)) for way in ways[:2])
    found = []
    for way in ways:
        cpu, wall, faults = (statistics.median(seen) for seen in (way.cpu, way.wall, way.faults))
        for name, seconds in [(f"{way.name}, its own part", cpu)] * bool(way.beside) + [(way.name, cpu + way.share_of_daemon())]:
            ratios = seconds / first[0], seconds / second[0], wall / first[1], wall / second[1]
            found.append((name, (seconds * 1e3, wall * 1e3, faults, *ratios)))
    return found


def show(ways):
    print(f"{'':42}" + "".join(f"{heading:>14}" for heading in HEADINGS))
    for name, figures in rows(ways):
        print(f"{name:42}" + "".join(f"{figure:14.{0 if heading == 'faults' else 2}f}"
                                     for heading, figure in zip(HEADINGS, figures)))
