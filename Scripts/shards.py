#!/usr/bin/env python3
"""Runs the tests in shards, several at once. Called by Scripts/testing.

    shards.py count BUNDLE [ARGUMENTS]                how many shards there are
    shards.py run BUNDLE PLACE JOBS [ARGUMENTS]       runs them

The tests are one program, BUNDLE. It is run once for each shard. A shard is a test target, or a suite of a target that takes
long, or all tests that are pure, which run in parallel. As the shards are made from the list of all tests, each test belongs to
exactly one. JOBS workers take shards until none is left; a worker N has the services in PLACE/N (see Scripts/testing).

ARGUMENTS are those of `swift test`; --filter and --skip choose among the tests.

Prints what each shard wrote when it ends, then each shard's closing line, and at last one in the form of Swift Testing's,
with the sums. The exit status is 0 if all tests have run and passed.
"""

import os
import re
import subprocess
import sys
import threading
import time

# Need no services and no real time, and share nothing: they are one shard, in which tests run in parallel.
PURE = {
    "AnimationTests", "ControlsTests", "DanmakuFilesTests", "DanmakuTests", "GeometryTests", "GesturesTests", "LayersTests",
    "MutatorsTests", "NavigationTests", "PictureTests", "StructureTests", "TextTests", "TimeTests",
}
# Their suites are shards of their own, as they take longest; they are begun first, in this order.
SPLIT = ["EndToEndTests", "PlaybackTests", "AppTests", "WindowingTests", "AudioTests"]


def shard(test):
    """The name of the shard of a test, by its identifier: TARGET.SUITE/…/FUNCTION()."""
    target = re.split(r"[./]", test)[0]
    if target in PURE:
        return "pure"
    if target not in SPLIT:
        return target
    suites = test.split("(")[0].split("/")[:-1]
    return "/".join(suites[:2 if target == "EndToEndTests" else 1]) or target


def pattern(name):
    """The pattern of the identifiers of a shard's tests."""
    if name == "pure":
        return rf"^({'|'.join(sorted(PURE))})[./]"
    return f"^{re.escape(name)}[./]"


class Arguments:
    def __init__(self, words):
        self.filters, self.skips, self.others, self.parallel = [], [], [], False
        words = list(words)
        while words:
            word, equals, value = words.pop(0).partition("=")
            if word in ("--filter", "--skip"):
                value = value if equals else words.pop(0)
                (self.filters if word == "--filter" else self.skips).append(value)
            elif word == "--parallel":
                self.parallel = True
            else:
                self.others.append(word + equals + value)

    def choose(self, test):
        return (not self.filters or any(re.search(each, test) for each in self.filters)) and not any(
            re.search(each, test) for each in self.skips)

    def command(self, bundle, name):
        """The command of a shard."""
        own = pattern(name)
        if self.filters:
            # Anchored, and the shard's part first: most identifiers are rejected by their first characters.
            own = f"^(?={own[1:]})(?=.*({'|'.join(self.filters)}).*/)"
        words = [bundle, "--testing-library", "swift-testing", "--filter", own]
        for each in self.skips:
            words += ["--skip", each]
        return words + ([] if name == "pure" or self.parallel else ["--no-parallel"]) + self.others


def shards(bundle, arguments):
    """The tests of each shard, in the order in which shards are begun."""
    listed = subprocess.run(
        [bundle, "--testing-library", "swift-testing", "--list-tests"], check=True, stdout=subprocess.PIPE, text=True)
    found = {}
    for test in filter(None, listed.stdout.splitlines()):
        if arguments.choose(test):
            found.setdefault(shard(test), []).append(test)

    def order(item):
        name, tests = item
        target = name.split(".")[0]
        place = SPLIT.index(target) if target in SPLIT else len(SPLIT)
        return (place, -len(tests))
    return dict(sorted(found.items(), key=order))


def environment(place):
    """The variables for a worker, whose services are in `place`."""
    variables = dict(os.environ, HOME=f"{place}/home", XDG_RUNTIME_DIR=f"{place}/runtime", TMPDIR=f"{place}/tmp")
    with open(f"{place}/display") as file:
        variables["DISPLAY"] = ":" + file.read().strip()
    variables["PULSE_SERVER"] = f"unix:{place}/pulse"
    variables["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={place}/bus"
    variables["NO_COLOR"] = "1"
    preload = variables.pop("GLISSADE_TEST_PRELOAD", "")
    if preload:
        variables["LD_PRELOAD"] = preload
    return variables


def plural(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


class Run:
    def __init__(self, bundle, place, jobs, arguments):
        self.bundle, self.place, self.jobs, self.arguments = bundle, place, jobs, arguments
        self.shards = shards(bundle, arguments)
        self.left = list(self.shards)
        self.lock = threading.Lock()
        self.tests = self.issues = 0
        self.failed = False
        self.lines = []

    def work(self, number):
        variables = environment(f"{self.place}/{number}")
        while True:
            with self.lock:
                if not self.left:
                    return
                name = self.left.pop(0)
            began = time.monotonic()
            ended = subprocess.run(
                self.arguments.command(self.bundle, name), env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
            with self.lock:
                self.report(name, ended.returncode, ended.stdout.decode(errors="replace"), time.monotonic() - began)

    def report(self, name, status, output, seconds):
        """Prints what a shard wrote, and adds to the sums."""
        print(f"\n-- {name}\n{output.rstrip()}")
        closings = re.findall(r"^.*Test run with (\d+) tests? in \d+ suites? .*$", output, re.MULTILINE)
        lines = [line for line in output.splitlines() if re.search(r"Test run with \d+ tests?", line)]
        closing = lines[-1] if lines else f"✘ ended with status {status} before its tests did"
        ran = int(closings[-1]) if closings else 0
        issues = re.search(r"with (\d+) issue", closing)
        issues = int(issues[1]) if issues else 0
        expected = len(self.shards[name])
        if lines and ran != expected:
            closing += f" ✘ These are not its {plural(expected, 'test')}."
        if status != 0 or not lines or ran != expected:
            self.failed = True
            issues = max(issues, 1)
        self.tests += ran
        self.issues += issues
        line = f"{seconds:7.1f} s  {name}  {closing}"
        self.lines.append((seconds, line))
        print(line, flush=True)

    def run(self):
        began = time.monotonic()
        count = sum(map(len, self.shards.values()))
        print(f"{plural(count, 'test')} in {plural(len(self.shards), 'shard')}, {self.jobs} at once", flush=True)
        workers = [threading.Thread(target=self.work, args=(number + 1,)) for number in range(self.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print("\n== Shards")
        for _, line in sorted(self.lines, reverse=True):
            print(line)
        # A suite can contain suites.
        suites = set()
        for test in (test for tests in self.shards.values() for test in tests):
            names = test.split("(")[0].split("/")[:-1]
            suites |= {"/".join(names[:length]) for length in range(1, len(names) + 1)}
        if self.tests != count or len(self.lines) != len(self.shards):
            print(f"✘ {plural(self.tests, 'test')} ran of {count}.")
            self.failed = True
        seconds = time.monotonic() - began
        what = f"Test run with {plural(self.tests, 'test')} in {plural(len(suites), 'suite')}"
        if self.failed:
            print(f"✘ {what} failed after {seconds:.3f} seconds with {plural(max(self.issues, 1), 'issue')}.")
            return 1
        print(f"✔ {what} passed after {seconds:.3f} seconds.")
        return 0


def main():
    verb, bundle = sys.argv[1:3]
    if verb == "count":
        count = len(shards(bundle, Arguments(sys.argv[3:])))
        print(count)
        return 0 if count else 1
    place, jobs = sys.argv[3:5]
    return Run(bundle, place, int(jobs), Arguments(sys.argv[5:])).run()


if __name__ == "__main__":
    sys.exit(main())
