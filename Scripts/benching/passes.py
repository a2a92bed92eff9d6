"""What is measured, one pass after the other: in each the players take turns, round by round."""

import json
import time
from dataclasses import dataclass, field

from . import clips, figures, marks
from .players import Asked

NAMES = {
    "untimed": "every frame shown, as fast as it goes", "play": "the whole film in 1280x720: processor time, memory, pace",
    "full": "1920x1080, at rest", "drag": "1920x1080, while a hand swings the page (Glissade only)",
    "start": "from before the start to the first frame", "seek": "from a key to the picture 5 s further",
    "size": "cost over the window's size", "clips": "the other films",
}  # fmt: skip
WINDOW, FULL = (1280, 720), (1920, 1080)
SIZES = [(640, 360), (960, 540), (1600, 900)]
# Seconds of film, where not all of it is played.
SHORT, SHORTER, DRAG = 6, 5, 6
# What players do at the end of a limited play differs by so many frames: they do not count.
LAST_FRAMES = 3
SEEK_BOUND = 8
# Of a play that is not at its own pace, for the estimate: frames a second.
LIKELY_FPS = 90
OVERHEAD_SECONDS = 1.6


def seeks(clip):
    """How many of 5 s there is room for: one may come out at the keyframe beyond, and a second is played before each."""
    return max(1, min(3, (clip.seconds - 1) // 8))


@dataclass
class Pass:
    """One of them: what is asked, and what came of it: {figure: {player: [value of each round…]}}."""

    name: str
    clip: object
    size: tuple
    rounds: int
    mode: str = "play"
    limit: float = None
    values: dict = field(default_factory=dict)
    histograms: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    def add(self, player, **values):
        for figure, value in values.items():
            self.values.setdefault(figure, {}).setdefault(player, []).append(value)

    def note(self, player, words):
        if (line := f"{player}: {words}") not in self.notes:
            self.notes.append(line)

    def players(self, players, decoder):
        """Those of them that it is for."""
        if self.name == "drag":
            return [player for player in players if player.name == "glissade"]
        return players + [decoder] if self.mode == "untimed" else players

    def seconds(self, players, decoder):
        """What it will likely take."""
        each = {"start": 1, "seek": 1 + 1.5 * seeks(self.clip), "drag": DRAG + 4}.get(self.name, self.limit or self.clip.seconds)
        if self.mode == "untimed":
            each = self.clip.frames * (self.clip.size[0] * self.clip.size[1] / (1920 * 1080)) / LIKELY_FPS
        able = [
            player for player in self.players(players, decoder)
            if player.command(Asked(self.clip, "", self.size, self.mode))]  # fmt: skip
        return self.rounds * len(able) * (each + OVERHEAD_SECONDS) * (2 if self.name == "seek" else 1)

    def result(self):
        return {
            "name": self.name, "what": NAMES[self.name], "clip": self.clip.name, "window": f"{self.size[0]}x{self.size[1]}",
            "mode": self.mode, "film_seconds": self.limit or self.clip.seconds,
            "figures": {
                figure: {player: figures.summary(values) for player, values in by_player.items()}
                for figure, by_player in self.values.items()},
            "interval_histograms_1ms": {player: figures.added(all_of) for player, all_of in self.histograms.items()},
            "notes": self.notes}  # fmt: skip


def planned(options):
    """All passes, in the order in which they are run."""
    main, rounds = options.clips[0], options.rounds
    few = max(1, (rounds * 2 + 4) // 5)
    plan = [
        Pass("start", main, WINDOW, rounds), Pass("play", main, WINDOW, rounds),
        Pass("untimed", main, WINDOW, rounds, "untimed"), Pass("full", main, FULL, rounds, limit=SHORT),
        Pass("drag", main, FULL, rounds), Pass("seek", main, WINDOW, rounds)]  # fmt: skip
    plan += [Pass("size", main, size, max(1, few // 2), limit=SHORTER) for size in SIZES]
    for clip in options.clips[1:]:
        plan.append(Pass("clips", clip, WINDOW, few, limit=SHORT))
        plan.append(Pass("clips", clip, WINDOW, few, "untimed"))
    return [one for one in plan if one.name in options.only]


class Measurement:
    """Runs the passes on a stage. What a pass has measured stays in it, whatever ends the run."""

    def __init__(self, stage, options, keyboard, hand):
        self.stage, self.options, self.keyboard, self.hand = stage, options, keyboard, hand
        self.renderer = None
        self.report = stage.place / "report.json"

    def asked(self, one, **more):
        return Asked(
            one.clip, self.stage.clip(self.options.paths[one.clip.name]), one.size, **{
                "mode": one.mode, "limit": one.limit, "threads": self.options.threads, "sound": self.options.sound,
                "report": self.report, **more})  # fmt: skip

    def turn(self, one, player):
        """One play of the pass."""
        self.report.unlink(missing_ok=True)
        self.keyboard.let_go()
        {"start": self.start, "seek": self.seek, "drag": self.drag}.get(one.name, self.whole)(one, player)

    def failed(self, one, player, play):
        if play.is_whole:
            return False
        why = "did not end in time" if play.is_hung else f"ended with status {play.status}"
        one.note(player.name, why + (": " + " ".join(play.words.split())[-160:] if play.words.strip() else ""))
        return True

    def whole(self, one, player):
        is_untimed = one.mode == "untimed"
        play = self.stage.play(player, self.asked(one), is_watched=not is_untimed)
        if play is None:
            return one.add(player.name, fps=None)
        if self.failed(one, player, play):
            return
        if is_untimed:
            fps = one.clip.frames / play.wall
            one.add(player.name, fps=fps, cpu_ms_per_frame=1000 * play.cpu / one.clip.frames, untimed_memory_mib=play.rss_mib)
            return
        seconds = one.limit or one.clip.seconds
        if play.wall > 2 * seconds + 2:
            one.note(player.name, f"took {play.wall:.0f} s for {seconds:g} s of film")
        self.count(one, player, play, int(seconds * one.clip.rate) - LAST_FRAMES)
        one.add(
            player.name, cpu_s=play.cpu, cpu_per_second=play.cpu / seconds, wall_s=play.wall, server_cpu_s=play.server_cpu,
            memory_mib=play.rss_mib, others_share=play.others, late_looks=play.late_looks)  # fmt: skip
        if player.name == "glissade":
            self.own_costs(one, player)

    def count(self, one, player, play, due):
        """Frames and intervals, from what the witness saw."""
        shown = figures.frames_shown([(at, n) for at, n in play.changes if n is None or n < due], due)
        self.pace(one, player, shown)

    def pace(self, one, player, shown):
        gaps = figures.intervals(shown["times"])
        one.histograms.setdefault(player.name, []).append(figures.histogram(gaps))
        told = figures.pace(gaps, 1000 / one.clip.rate)
        one.add(
            player.name, seen=shown["seen"], seen_share=shown["share"], backwards=shown["backwards"],
            freezes=told.pop("freezes"), **{f"interval_{name}_ms": value for name, value in told.items()})  # fmt: skip
        if not shown["seen"]:
            one.note(player.name, "the witness could read no frame")

    def own_costs(self, one, player):
        """From Glissade's own report; what is not in it is not measured."""
        try:
            report = json.loads(self.report.read_text())
        except (OSError, ValueError):
            return one.note(player.name, "no report")
        self.renderer = report.get("renderer") or self.renderer
        for part, times in (report.get("cost_ms") or {}).items():
            one.add(player.name, **{f"own_{part}_ms": (times or {}).get("p50")})

    def start(self, one, player):
        def until_seen(play, seen, is_running):
            deadline = time.monotonic() + 20
            while is_running() and time.monotonic() < deadline:
                if any(frame is not None for _, frame in seen()):
                    return
                time.sleep(0.005)

        play = self.stage.play(player, self.asked(one), until_seen)
        first = play.first_frame
        one.add(player.name, start_ms=None if first is None else (first - play.started) / 1e6)
        if first is None:
            one.note(player.name, "showed no frame within 20 s")

    def seek(self, one, player):
        self.seek_by(one, player, player.seek, "seek_ms", fast=True)
        if player.exact_seek:
            self.seek_by(one, player, player.exact_seek, "seek_exact_ms", fast=False)
        else:
            one.add(player.name, seek_exact_ms=None)

    def seek_by(self, one, player, key, figure, fast):
        took = []

        def keys(play, seen, is_running):
            rate, begun = one.clip.rate, 0
            for _ in range(seeks(one.clip)):
                # A second of play first.
                before = wait_for(seen, is_running, lambda frame, at: frame >= begun + rate)
                if before is None:
                    return
                pressed = self.keyboard.press(key)

                def is_further(frame, at):
                    """Two seconds from where it would be had nobody pressed anything."""
                    return at > pressed and frame > before[1] + (2 + (at - pressed) / 1e9) * rate

                after = wait_for(seen, is_running, is_further)
                took.append(None if after is None else (after[0] - pressed) / 1e6)
                if after is None:
                    return
                begun = after[1]

        self.stage.play(player, self.asked(one, fast_seek=fast), keys)
        if not took or None in took:
            one.note(player.name, f"no picture 5 s further within {SEEK_BOUND} s of {key}")
        for value in took or [None]:
            one.add(player.name, **{figure: value})

    def drag(self, one, player):
        """As Scripts/measure-drag's swing; only what is seen from the press to the release counts."""
        span = {}

        def swing(play, seen, is_running):
            if wait_for(seen, is_running, lambda frame, at: frame >= one.clip.rate) is None:
                return
            span["from"], span["to"] = self.hand(one.size, DRAG)

        play = self.stage.play(player, self.asked(one), swing, columns=marks.columns_in_motion())
        if "to" not in span:
            return one.note(player.name, "did not play")
        changes = [(at, frame) for at, frame in play.changes if span["from"] <= at <= span["to"]]
        numbers = [frame for _, frame in changes if frame is not None]
        due = max(numbers) - min(numbers) + 1 if numbers else 0
        self.pace(one, player, figures.frames_shown(changes, due))
        one.add(player.name, late_looks=play.late_looks)


def wait_for(seen, is_running, is_it):
    """The first sighting for which `is_it` holds, as (time_ns, frame); None where none comes in time."""
    deadline = time.monotonic() + SEEK_BOUND
    while is_running() and time.monotonic() < deadline:
        for at, frame in seen():
            if frame is not None and is_it(frame, at):
                return at, frame
        time.sleep(0.01)
    return None
