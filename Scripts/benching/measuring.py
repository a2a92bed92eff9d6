"""Measures a pass: runs of players, and their evaluation."""

import json
import time

from . import figures, marks
from .passes import DRAG, LAST_FRAMES, SEEK_BOUND, seeks
from .players import Asked

# The renderer in Glissade's report for a film presented without OpenGL.
SHARED_MEMORY = "X11 shared memory"


class Measurement:
    """Runs the passes. A pass keeps its measurements, however the run ends."""

    def __init__(self, stage, options, keyboard, hand):
        self.stage, self.options, self.keyboard, self.hand = stage, options, keyboard, hand
        self.renderer = None
        self.report = stage.place / "report.json"

    def asked(self, one, **more):
        return Asked(
            one.clip,
            self.stage.clip(self.options.paths[one.clip.name], one.limit),
            one.size,
            **{
                "mode": one.mode,
                "threads": self.options.threads,
                "sound": self.options.sound,
                "report": self.report,
                **more,
            },
        )

    def turn(self, one, player):
        """Runs one player once."""
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
            one.add(
                player.name,
                fps=fps,
                cpu_ms_per_frame=1000 * play.cpu / one.clip.frames,
                untimed_memory_mib=play.rss_mib,
            )
            return
        seconds = one.limit or one.clip.seconds
        if play.wall > 2 * seconds + 2:
            one.note(player.name, f"took {play.wall:.0f} s for {seconds:g} s of film")
        self.count(one, player, play, int(seconds * one.clip.rate) - LAST_FRAMES)
        one.add(
            player.name,
            cpu_s=play.cpu,
            cpu_per_second=play.cpu / seconds,
            wall_s=play.wall,
            server_cpu_s=play.server_cpu,
            memory_mib=play.rss_mib,
            others_share=play.others,
            late_looks=play.late_looks,
        )
        if player.name == "glissade":
            self.own_costs(one, player)

    def count(self, one, player, play, due):
        """Frames and intervals, as seen by the witness."""
        shown = figures.frames_shown([(at, n) for at, n in play.changes if n is None or n < due], due)
        self.pace(one, player, shown)

    def pace(self, one, player, shown):
        gaps = figures.intervals(shown["times"])
        one.histograms.setdefault(player.name, []).append(figures.histogram(gaps))
        told = figures.pace(gaps, 1000 / one.clip.rate)
        one.add(
            player.name,
            seen=shown["seen"],
            seen_share=shown["share"],
            backwards=shown["backwards"],
            freezes=told.pop("freezes"),
            **{f"interval_{name}_ms": value for name, value in told.items()},
        )
        if not shown["seen"]:
            one.note(player.name, "the witness could read no frame")

    def own_costs(self, one, player):
        """From Glissade's own report; values that it lacks are not measured."""
        try:
            report = json.loads(self.report.read_text())
        except (OSError, ValueError):
            return one.note(player.name, "no report")
        # A film alone is presented without OpenGL: only reports of runs with a drag name what draws everything else.
        if not self.renderer or report.get("renderer") != SHARED_MEMORY:
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
                # Play for a second first.
                before = wait_for(seen, is_running, lambda frame, at: frame >= begun + rate)
                if before is None:
                    return
                pressed = self.keyboard.press(key)

                def is_further(frame, at):
                    """Whether it is two seconds from the position without the key."""
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
        """Like the swing of Scripts/measure-drag; only frames between press and release count."""
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
    """The first frame for which `is_it` holds, as (time_ns, frame); None if there is none in time."""
    deadline = time.monotonic() + SEEK_BOUND
    while is_running() and time.monotonic() < deadline:
        for at, frame in seen():
            if frame is not None and is_it(frame, at):
                return at, frame
        time.sleep(0.01)
    return None
