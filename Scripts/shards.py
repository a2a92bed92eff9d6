#!/usr/bin/env python3
"""Runs the tests in shards, several at once. Called by Scripts/testing.

    shards.py count BUNDLE [ARGUMENTS]                how many shards there are
    shards.py run BUNDLE PLACE JOBS [ARGUMENTS]       runs them

The tests are one program, BUNDLE. It is run once for each shard: some suites of a test target, or all that are pure, which run
in parallel. As the shards are made from the list of all tests, each test belongs to exactly one. JOBS workers take shards until
none is left; a worker N has the services in PLACE/N (see Scripts/testing).

ARGUMENTS are those of `swift test`; --filter and --skip choose among the tests.

Prints what each shard wrote when it ends, then each shard's closing line, what failed, and at last one line in the form of
Swift Testing's, with the sums. The exit status is 0 if all tests have run and passed: a shard that crashed, was killed, took
too long or ran other tests than its own has failed.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time

# Test targets, and suites as TARGET.SUITE, that need no services and no real time, and share nothing: they are one shard, in
# which tests run in parallel.
PURE = {
    "AnimationTests", "AudioTests.HostileTimesTests", "ControlsTests", "DanmakuFilesTests", "DanmakuTests", "GeometryTests",
    "GesturesTests", "LayersTests", "MutatorsTests", "NavigationTests", "PictureTests", "PlaybackTests.HostileTimesTests",
    "PresentationTests.CadenceLawTests", "StructureTests", "TextTests", "TimeTests",
}
# The targets that take longest are begun first, in this order.
FIRST = ["EndToEndTests", "AudioTests", "MediaTests", "PlaybackTests", "AppTests", "WindowingTests"]
# How many tests a shard has at least, if its target has so many. The whole program's take longer.
LEAST = {"EndToEndTests": 4}
LEAST_OTHERS = 24
# How long a shard may take, in seconds: many times what the slowest takes. A test that hangs is named, and fails.
LIMIT = 1200
# How many lines about a shard's failures are repeated at the end.
REPEATED = 40


def target(test):
    return re.split(r"[./]", test)[0]


def suite(test):
    """The suite of a test, by its identifier: TARGET.SUITE/…/FUNCTION(). The whole program's are one level deeper."""
    suites = test.split("(")[0].split("/")[:-1]
    return "/".join(suites[:2 if target(test) == "EndToEndTests" else 1]) or target(test)


def divide(tests):
    """The suites of each shard, by the shard's name."""
    counts = {}
    for test in tests:
        counts[suite(test)] = counts.get(suite(test), 0) + 1
    found, numbers, last = {}, {}, {}
    for name, count in sorted(counts.items()):
        of = target(name)
        if of in PURE or name in PURE:
            found.setdefault("pure", []).append(name)
            continue
        # Goes on with the target's last shard, if that is small.
        shard, size = last.get(of, ("", None))
        if size is None or size >= LEAST.get(of, LEAST_OTHERS):
            numbers[of] = numbers.get(of, 0) + 1
            shard, size = f"{of} {numbers[of]}", 0
        found.setdefault(shard, []).append(name)
        last[of] = (shard, size + count)
    return found


def pattern(suites, all_suites):
    """The pattern of the identifiers of the tests of `suites`. Short, as each test's is compared with it."""
    words = []
    for of in sorted(set(map(target, suites))):
        own = [each for each in suites if target(each) == of]
        if len(own) == sum(target(each) == of for each in all_suites):
            words.append(f"{of}[./]")
        else:
            rest = "|".join(each.removeprefix(of + ".") for each in own)
            words.append(rf"{of}\.(?:{rest})/")
    return f"^(?:{'|'.join(words)})"


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

    def command(self, bundle, own, parallel):
        """The command of a shard, whose tests have a pattern."""
        # The program compares with identifiers that end with the place in the source: /FILE:LINE:COLUMN.
        if self.filters:
            # The shard's part first: most identifiers are rejected by their first characters.
            own = f"^(?={own[1:]})(?=.*(?:{'|'.join(self.filters)}).*/)"
        words = [bundle, "--testing-library", "swift-testing", "--filter", own]
        for each in self.skips:
            words += ["--skip", f"^.*(?:{each}).*/"]
        return words + ([] if parallel or self.parallel else ["--no-parallel"]) + self.others


def failures(output):
    """What a shard's output says of failures: each issue with the lines that explain it, and the tests that did not end."""
    found, running, goes_on = [], {}, False
    for line in output.splitlines():
        # The lines that explain an issue begin with an arrow, or are indented.
        goes_on = "recorded an issue" in line or goes_on and re.match(r"\s*↳|\s+\S", line) is not None
        if goes_on:
            found.append(line)
        change = re.match(r"\S+ Test (?!case|run)(.*?)(?: with \d+ test cases?)? (started\.|passed after|failed after)", line)
        if change and change[2] == "started.":
            running[change[1]] = running.get(change[1], 0) + 1
        elif change:
            running[change[1]] = running.get(change[1], 0) - 1
    if len(found) > REPEATED:
        found[REPEATED:] = [f"… and {len(found) - REPEATED} lines more, above"]
    return found + [f"✘ Test {name} did not end." for name, count in running.items() if count > 0]


class Shard:
    def __init__(self, name, tests, pattern):
        self.name, self.tests, self.pattern = name, tests, pattern


def shards(bundle, arguments):
    """The shards, in the order in which they are begun."""
    listed = subprocess.run(
        [bundle, "--testing-library", "swift-testing", "--list-tests"], check=True, stdout=subprocess.PIPE, text=True)
    tests = listed.stdout.split("\n")
    tests = [test for test in tests if test]
    chosen = list(filter(arguments.choose, tests))
    all_suites = set(map(suite, tests))
    by_suite = {}
    for test in chosen:
        by_suite.setdefault(suite(test), []).append(test)
    found = [
        Shard(name, [test for each in suites for test in by_suite[each]], pattern(suites, all_suites))
        for name, suites in divide(chosen).items()]

    def order(shard):
        of = target(shard.tests[0])
        # The pure ones last, as they alone keep all processors busy.
        return (shard.name == "pure", FIRST.index(of) if of in FIRST else len(FIRST), -len(shard.tests))
    return sorted(found, key=order)


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
        self.failures = []

    def work(self, number):
        variables = environment(f"{self.place}/{number}")
        # Media files that several shards need are made once.
        variables["GLISSADE_TEST_CLIPS"] = f"{self.place}/clips"
        while True:
            with self.lock:
                if not self.left:
                    return
                shard = self.left.pop(0)
            began = time.monotonic()
            # Into a file: a pipe is read until all have closed it, and a program that a killed shard leaves would not.
            path = f"{self.place}/{number}/output"
            with open(path, "wb") as output:
                program = subprocess.Popen(
                    self.arguments.command(self.bundle, shard.pattern, shard.name == "pure"), env=variables,
                    stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            limit = threading.Timer(LIMIT, os.kill, (program.pid, signal.SIGKILL))
            limit.daemon = True
            limit.start()
            _, status, usage = os.wait4(program.pid, 0)
            limit.cancel()
            program.returncode = os.waitstatus_to_exitcode(status)
            with open(path, errors="replace") as file:
                output = file.read()
            times = (time.monotonic() - began, usage.ru_utime + usage.ru_stime)
            with self.lock:
                self.report(shard, program.returncode, output, *times)

    def report(self, shard, status, output, seconds, busy):
        """Prints what a shard wrote, how long it took and how much of that it and its programs worked; adds to the sums."""
        names = sorted(set(map(suite, shard.tests)))
        print(f"\n-- {shard.name}: {' '.join(names) if len(names) < 40 else plural(len(names), 'suite')}\n{output.rstrip()}")
        closings = re.findall(r"^.*Test run with (\d+) tests? in \d+ suites? .*$", output, re.MULTILINE)
        lines = [line for line in output.splitlines() if re.search(r"Test run with \d+ tests?", line)]
        closing = lines[-1] if lines else f"✘ ended with status {status} before its tests did"
        ran = int(closings[-1]) if closings else 0
        issues = re.search(r"with (\d+) issue", closing)
        issues = int(issues[1]) if issues else 0
        expected = len(shard.tests)
        if lines and ran != expected:
            closing += f" ✘ These are not its {plural(expected, 'test')}."
        if status != 0 or not lines or ran != expected:
            self.failed = True
            issues = max(issues, 1)
            self.failures += [f"\n-- {shard.name}, status {status}: {closing}"] + failures(output)
        self.tests += ran
        self.issues += issues
        line = f"{seconds:7.1f} s, {busy:6.1f} s of a processor  {shard.name}  {closing}"
        self.lines.append((seconds, line))
        print(line, flush=True)

    def run(self):
        began = time.monotonic()
        count = sum(len(shard.tests) for shard in self.shards)
        print(f"{plural(count, 'test')} in {plural(len(self.shards), 'shard')}, {self.jobs} at once", flush=True)
        os.makedirs(f"{self.place}/clips")
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
        for test in (test for shard in self.shards for test in shard.tests):
            names = test.split("(")[0].split("/")[:-1]
            suites |= {"/".join(names[:length]) for length in range(1, len(names) + 1)}
        if self.failures:
            print("\n== Failures")
            print(*self.failures, sep="\n")
            print()
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
