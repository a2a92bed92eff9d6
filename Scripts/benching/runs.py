"""A whole run: from the options to the files."""

import subprocess
import sys
import time

from . import clips, graphs, measuring, noise, passes, peers, plays, results, scenarios, tables
from .failure import Failure
from .keys import Keyboard

# Seconds of listening before anything is measured, and between runs.
FIRST_RESTS, FIRST_REST, REST = 12, 0.2, 0.25
TOO_BUSY = 3


class Terminal:
    """A status line."""

    def __init__(self):
        self.is_terminal = sys.stderr.isatty()

    def tell(self, words):
        print(
            f"\r\033[K{words}" if self.is_terminal else words,
            end="" if self.is_terminal else "\n",
            file=sys.stderr,
            flush=True,
        )

    def clear(self):
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def hand_on(stage):
    """Returns a function of (size, seconds) that drags the page to and fro and returns its start and end."""

    def swing(size, seconds):
        width, height = size
        x, y = width * 0.05, height * 0.5
        near, far = x + width * 0.1, x + width * 0.8
        steps = [
            f"move:{x + 160:g},{y - 90:g}",
            f"glide:{x:g},{y:g},0.4",
            "press",
            f"glide:{near:g},{y:g},0.3",
            f"swing:{near:g},{far:g},{seconds}",
            f"glide:{x:g},{y:g},0.3",
            "wait:0.3",
            "release",
        ]
        done = subprocess.run(
            [stage.witness, "drive", *steps],
            env=stage.environment,
            capture_output=True,
            text=True,
            timeout=seconds * 3 + 30,
        )
        times = {line.split(",", 1)[1]: int(line.split(",", 1)[0]) for line in done.stdout.splitlines() if "," in line}
        if done.returncode or "press" not in times or "release" not in times:
            raise Failure("witness drive failed: " + done.stderr[-200:])
        return times["press"], times["release"]

    return swing


def is_quiet(listener, options):
    """Measures other load before the run. - Returns: Whether to continue."""
    for _ in range(FIRST_RESTS):
        listener.rest(FIRST_REST)
    why = listener.judged()["why"]
    if why and options.force:
        print(f"bench: {why}; continuing because of --force", file=sys.stderr)
    return options.force or not why


def until_stopped(what):
    """Runs it. - Returns: The failure that ended it early, Ctrl-C included; None if there was none."""
    try:
        what()
    except KeyboardInterrupt:
        return Failure("interrupted")
    except Failure as failure:
        return failure
    return None


def warm_up(measurement, plan, players):
    """Warms the caches of graphics drivers and the kernel. Only the name of the renderer is kept."""
    listener, first = measurement.stage.listener, plan[0]
    heard = len(listener.plays)
    once = passes.Pass("play", first.clip, first.size, 1, limit=1)
    for player in players:
        measurement.stage.play(player, measurement.asked(once, mode="play"))
        if player.name == "glissade":
            measurement.own_costs(once, player)
            if any(one.name == "drag" for one in plan):
                measurement.drag(passes.Pass("drag", first.clip, passes.FULL, 1), player)
    # A run that does not count.
    del listener.plays[heard:]


def measure(plan, measurement, players, decoder, terminal):
    for one in plan:
        for number in range(one.rounds):
            for player in one.players(players, decoder):
                terminal.tell(
                    f"{one.name} {one.clip.name} {one.size[0]}x{one.size[1]}"
                    f"{' untimed' if one.mode == 'untimed' else ''}: round {number + 1} of {one.rounds}, {player.name}"
                )
                measurement.stage.listener.rest(REST)
                measurement.turn(one, player)
    terminal.clear()


def expected_minutes(plan, players, decoder):
    return sum(one.seconds(players, decoder) for one in plan) / 60


def prepare_clips(options, wanted):
    for clip in wanted:
        options.paths[clip.name] = clips.made(clip, options.clips_folder)


def compare(options):
    """- Returns: The exit status."""
    players, decoder = peers.gathered(options)
    for line in options.left_out:
        print(f"bench: left out: {line}", file=sys.stderr)
    plan = passes.planned(options)
    if not plan:
        raise Failure("nothing to measure: with one clip there are no others", 2)
    if not any(one.players(players, None) for one in plan):
        raise Failure("nothing to measure: drag is for glissade alone", 2)
    prepare_clips(options, dict.fromkeys(one.clip for one in plan))
    terminal, listener = Terminal(), noise.Listener()
    with plays.Children() as services:
        stage = plays.Stage(services, options, listener)
        keyboard = Keyboard(stage.environment["DISPLAY"])
        # Beside the strip, and in every window: keys go to what is beneath the pointer.
        keyboard.point(320, 180)
        measurement = measuring.Measurement(stage, options, keyboard, hand_on(stage))
        minutes = expected_minutes(plan, players, decoder)

        def all_of_it():
            if not is_quiet(listener, options):
                return
            announce(minutes)
            warm_up(measurement, plan, players)
            measure(plan, measurement, players, decoder, terminal)

        trouble = until_stopped(all_of_it)
        terminal.clear()
    told = results.document(
        plan, listener.judged(), options, players, decoder, measurement.renderer, trouble is not None
    )
    return finish(told, options, tables.table(told), graphs.all_of, trouble)


def announce(minutes):
    now = time.strftime("%H:%M")
    print(f"About {max(1, round(minutes))} min, from {now} on; leave the machine alone", file=sys.stderr)


def finish(told, options, table, draw, trouble):
    """Writes what there is. - Returns: the exit status."""
    files = {"results.json": results.as_json(told), "table.md": table}
    why = told["comparison"]["why"]
    if not why or options.force:
        files |= draw(told)
    results.write(options.out, files)
    if trouble:
        raise Failure(f"{trouble}; what was measured until then is in {options.out}")
    if why and not options.force:
        raise Failure(f"{why} (every value is in {options.out}/results.json; --force compares all the same)", TOO_BUSY)
    print(table)
    print(f"In {options.out}: {', '.join(files)}")
    return 0


def scenario_run(options):
    """- Returns: The exit status."""
    options.players, options.threads = ["glissade"], None
    peers.gathered(options)
    clip = options.clips[0]
    prepare_clips(options, [clip])
    terminal, listener = Terminal(), noise.Listener()
    reports = {}
    with plays.Children() as services:
        stage = plays.Stage(services, options, listener)

        def all_of_it():
            if is_quiet(listener, options):
                announce(options.rounds * len(options.scenario_list) * (clip.seconds + 3) / 60)
                scenarios.measure(stage, options, clip, terminal.tell, reports)

        trouble = until_stopped(all_of_it)
        terminal.clear()
    judged = listener.judged()
    renderer = next((report.get("renderer") for of in reports.values() for report in of), None)
    machine = results.machine(renderer)
    summed = {scenario: scenarios.summed_up(of) for scenario, of in reports.items()}
    told = {
        "version": results.VERSION,
        "machine": machine,
        "clip": clip.name,
        "comparison": {"why": judged["why"], "noise": judged},
        "scenarios": summed,
    }
    table = scenarios.table(summed, judged, options.rounds, machine, bool(options.force))
    return finish(told, options, table, lambda _: {}, trouble)


def run(options):
    """- Returns: The exit status."""
    results.prepare(options.out)
    if options.peers:
        peers.install()
    peers.check_tools(options)
    return scenario_run(options) if options.scenarios else compare(options)
