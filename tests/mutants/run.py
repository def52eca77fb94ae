"""Tries every mutant of cargo-mutants' list in one build: `scripts/mutants`."""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import values
import weave

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "mutants"
TREE = FOLDER / "tree"
NOTICED = FOLDER / "noticed.json"


def listed(words):
    """The mutants of cargo-mutants and those of our own, numbered from 1, each with a name that outlives changes elsewhere."""
    found = subprocess.run(["cargo", "mutants", "--list", "--json", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                           check=True)
    known = json.loads(found.stdout)
    mutants = dict(enumerate([*known, *values.more(known)], 1))
    taken = collections.Counter()
    for mutant in mutants.values():
        line = (ROOT / mutant["file"]).read_text().split("\n")[mutant["span"]["start"]["line"] - 1].strip()
        name = f"{mutant['file']}: {mutant['name'].split(': ', 1)[1]} | {line}"
        taken[name] += 1
        mutant["key"] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return mutants


def put(path, text):
    """Writes only what is new, so that cargo compiles only what is new."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def names():
    """The files of the project."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    return [name for name in listed if name and (ROOT / name).is_file()]


def write_tree(mutants, left_out):
    """A copy of the project with the mutants in it; the numbers of those that are."""
    by_file = collections.defaultdict(list)
    for number, mutant in mutants.items():
        if number not in left_out:
            by_file[mutant["file"]].append((number, mutant))
    switches = {"/".join(name.split("/")[:2]) + "/src/woven.rs" for name in by_file}
    woven, there = set(), switches | set(names())
    for name in there - switches:
        text = (ROOT / name).read_bytes()
        if name in by_file:
            weaver = weave.Weaver(text.decode(), by_file[name])
            text = weaver.text().encode()
            woven |= weaver.woven
        if name.replace("lib.rs", "woven.rs") in switches:
            text += b"\nmod woven;\n"
        put(TREE / name, text)
        shutil.copymode(ROOT / name, TREE / name)
    for name in switches:
        put(TREE / name, weave.SWITCH.encode())
    for path in [path for path in TREE.rglob("*") if path.is_file() and str(path.relative_to(TREE)) not in there]:
        path.unlink()
    return woven


def cargo(*words):
    """Runs cargo on the woven tree; its messages."""
    wrapper = FOLDER / "without-lints"
    wrapper.write_text(f"#!{sys.executable}\nimport os, sys\nos.execvp(sys.argv[1], [*sys.argv[1:], '--cap-lints', 'allow'])\n")
    wrapper.chmod(0o755)
    # What was compiled in parts before is not linked well where thousands of switches come and go.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(FOLDER / "target"), "RUSTC_WORKSPACE_WRAPPER": str(wrapper), "CARGO_INCREMENTAL": "0"}
    ran = subprocess.run(["cargo", *words, "--message-format=json"], cwd=TREE, env=environment, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    messages = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    return ran, messages


def faults(messages):
    """The mutants that the compiler does not take, and its errors elsewhere."""
    guilty, others = set(), []
    for message in messages:
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        found = []
        spans = message["message"]["spans"]
        for span in sorted(spans, key=lambda span: not span["is_primary"]):
            path = TREE / span["file_name"]
            found = weave.at_fault(path.read_bytes(), span["byte_start"]) if path.exists() else []
            if not found and (message["message"].get("code") or {}).get("code") == "E0004":
                found = weave.arms_after(path.read_bytes(), span["byte_start"])
            if found:
                break
        if found:
            guilty.update(found)
        elif spans:
            others.append(message["message"]["rendered"])
    return guilty, others


def weave_all(mutants):
    """Leaves out mutants until the tree compiles; those that are in it and those that do not compile."""
    unviable = set()
    for crate in dict.fromkeys(["portcullis-decide", "portcullis-classify", *(mutant["package"] for mutant in mutants.values())]):
        while True:
            woven = write_tree(mutants, unviable)
            ran, messages = cargo("check", "-p", crate, "--lib")
            if ran.returncode == 0:
                break
            guilty, others = faults(messages)
            say(f"{crate}: {len(guilty)} mutants do not compile")
            if not guilty:
                raise SystemExit("\n".join(others) or ran.stderr)
            unviable |= guilty
    return woven, unviable


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


class Test:
    """A test program, how long it takes and which mutants it comes past."""

    def __init__(self, words, package, name):
        self.words, self.package, self.name = words, package, name
        self.seconds, self.seen = 0.0, set()

    @classmethod
    def of(cls, message):
        package = Path(message["manifest_path"]).parent
        return cls([message["executable"]], package, f"{package.name}/{message['target']['name']}")

    def place(self):
        """Pieces of pages come first, those that come past the fewest mutants before others; then the tests, the quickest first."""
        return (1, len(self.seen)) if self.name.endswith(".md") else (2, self.seconds)

    def run(self, seconds, **variables):
        """How it ended: "passed", "failed" or "hung"."""
        environment = {**os.environ, "CARGO_MANIFEST_DIR": str(self.package), **variables}
        environment.pop("PORTCULLIS_CORPUS", None)
        process = subprocess.Popen(self.words, cwd=self.package, env=environment, start_new_session=True, text=True, errors="replace",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        hung = threading.Event()
        timer = threading.Timer(seconds, lambda: (hung.set(), kill(process)))
        timer.start()
        said = ""
        try:
            for line in process.stdout:
                said += line
                # One failure is enough.
                if "WOVEN_MUTANT" in variables and line.startswith("test ") and line.rstrip().endswith("FAILED"):
                    kill(process)
                    return "failed", line
            code = process.wait()
        finally:
            timer.cancel()
            kill(process)
            process.wait()
        return ("hung" if hung.is_set() else "passed" if code == 0 else "failed"), said


    def without_mutant(self):
        """How long it takes and what it comes past."""
        seen = FOLDER / "seen"
        seen.unlink(missing_ok=True)
        ended, said = self.run(600, WOVEN_SEEN=str(seen))
        if ended != "passed":
            raise SystemExit(f"{self.name} {ended} without any mutant:\n{said}")
        numbers = {int(line) for line in seen.read_text().split()} if seen.exists() else set()
        # Writing down what it comes past takes longer than the tests themselves.
        started = time.monotonic()
        self.run(600)
        return time.monotonic() - started, sorted(numbers)


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def tests():
    """The pieces of pages and the test programs, with what each comes past without any mutant."""
    ran, messages = cargo("test", "--workspace", "--no-run")
    if ran.returncode:
        raise SystemExit(ran.stderr + "".join(m["message"]["rendered"] for m in messages if m.get("reason") == "compiler-message"))
    programs = [message for message in messages if message.get("executable") and message.get("profile", {}).get("test")]
    # The reader of command lines is below everything that is changed. The rules about sources are not for woven ones.
    programs = [message for message in programs if message["target"]["name"] != "tidy"]
    found = [Test.of(message) for message in programs if "crates/shell" not in message["manifest_path"]]
    known_file = FOLDER / "known.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else {}
    found = [*pieces(), *found]
    for test in found:
        built = " ".join(f"{word} {os.stat(word).st_mtime_ns}" for word in test.words if os.path.exists(word))
        if built not in known:
            known[built] = test.without_mutant()
            known_file.write_text(json.dumps(known))
            if not test.name.endswith(".md"):
                say(f"{test.name}: {known[built][0]:.1f} s, {len(known[built][1])} mutants")
        test.seconds, test.seen = known[built][0], set(known[built][1])
    return sorted(found, key=Test.place)


def pieces():
    """The specification and the regressions in pieces: most mutants are noticed by few lines, and few lines reach a mutant."""
    program = str(FOLDER / "target" / "debug" / "portcullis")
    folder = FOLDER / "pieces"
    made = []
    for page in sorted([*(ROOT / "spec").rglob("*.md"), *(ROOT / "tests" / "regressions").rglob("*.md")]):
        blocks = re.findall(r"^```portcullis\n.*?^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        lines = 0
        gathered = []
        for block in [*blocks, None]:
            if gathered and (block is None or lines > 60):
                path = folder / f"{page.stem}-{len(made)}.md"
                put(path, ("# A piece\n\n" + "\n\n".join(gathered) + "\n").encode())
                made.append(Test([program, "test", str(path)], ROOT, str(page.relative_to(ROOT))))
                gathered, lines = [], 0
            if block is not None:
                gathered.append(block)
                lines += block.count("\n")
    return made


def tried(number, found):
    for test in found:
        if number in test.seen:
            ended, _ = test.run(20 + 10 * test.seconds, WOVEN_MUTANT=str(number))
            if ended != "passed":
                return f"{test.name} {ended}"
    return None


def try_all(chosen, found, jobs, results):
    """Tries the mutants and writes down what noticed each, by its name; what was found is kept if this is broken off."""
    noticed = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(tried, number, found): mutant for number, mutant in chosen.items()}
        for done in concurrent.futures.as_completed(running):
            name = running[done]["key"]
            results[name] = noticed[name] = done.result()
            if len(noticed) % 25 == 0 or len(noticed) == len(chosen):
                NOTICED.write_text(json.dumps(results, indent=1))
                say(f"{len(noticed)} of {len(chosen)}, {sum(not by for by in noticed.values())} not noticed")


def argued():
    """Mutants that may go unnoticed, and why: lines under a heading that says it."""
    lines = [line for line in (HERE / "unnoticed.md").read_text().splitlines() if line.startswith("- `")]
    return {line.removeprefix("- `").removesuffix("`") for line in lines}


def main():
    words = argparse.ArgumentParser(description="tries every mutant in one build")
    words.add_argument("--shard", default="0/1", help="only one part of them, such as 0/4")
    words.add_argument("--again", action="store_true", help="only those that nothing noticed the last time")
    words.add_argument("--longest", type=float, default=600, help="only tests that take no more than so many seconds")
    words.add_argument("--jobs", type=int, default=os.cpu_count())
    told, more = words.parse_known_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    mutants = listed(more)
    woven, unviable = weave_all(mutants)
    say(f"{len(mutants)} mutants: {len(woven)} to try, {len(unviable)} do not compile, {len(mutants) - len(woven) - len(unviable)} left out")
    found = [test for test in tests() if test.seconds <= told.longest]
    part, parts = map(int, told.shard.split("/"))
    results = json.loads(NOTICED.read_text()) if NOTICED.exists() else {}
    chosen = {number: mutants[number] for number in sorted(woven) if number % parts == part}
    if told.again:
        chosen = {number: mutant for number, mutant in chosen.items() if not results.get(mutant["key"])}
    numbers = {mutants[number]["key"]: number for number in woven}
    results = {name: by for name, by in results.items() if name in numbers}
    try_all(chosen, found, told.jobs, results)
    report(results, numbers)


def report(results, numbers):
    may = argued()
    survived = [name for name, by in results.items() if not by]
    left = sorted((name for name in survived if name not in may), key=numbers.get)
    for name in left:
        print(f"{numbers[name]:5}  {name}")
    needless = [name for name in may if results.get(name)]
    for name in sorted(needless):
        print(f"noticed after all, by {results[name]}: {name}")
    print(f"{len(results)} mutants tried, {len(results) - len(survived)} noticed, {len(survived) - len(left)} argued, {len(left)} survived")
    if left:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
