"""The passes, measured in sequence: in each, the players take turns, round by round."""

from dataclasses import dataclass, field

from . import figures
from .players import Asked

NAMES = {
    "untimed": "every frame shown, as fast as possible",
    "play": "the whole film in 1280x720: CPU time, memory, pace",
    "full": "1920x1080, at rest",
    "drag": "1920x1080, while the page is dragged (Glissade only)",
    "start": "from before the start to the first frame",
    "seek": "from a key to the frame 5 s further",
    "size": "cost over the window's size",
    "clips": "the other films",
}
WINDOW, FULL = (1280, 720), (1920, 1080)
SIZES = [(640, 360), (960, 540), (1600, 900)]
# Seconds of film, if not all of it is played.
SHORT, SHORTER, DRAG = 5, 4, 6
# Players differ in the last frames of a film, and a cut may lack some: this many do not count.
LAST_FRAMES = 5
SEEK_BOUND = 8
# The estimated speed of an untimed run, in frames per second.
LIKELY_FPS = 150
OVERHEAD_SECONDS = 1


def seeks(clip):
    """The number of 5 s seeks that fit: one may end at the keyframe beyond, and each follows a second of playback."""
    return max(1, min(3, (clip.seconds - 1) // 8))


@dataclass
class Pass:
    """A pass: its request, and its values: {figure: {player: [value of each round…]}}.

    - limit: Seconds of the film that are played, cut from it beforehand; None: all of it.
    """

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
        """The players that take part."""
        if self.name == "drag":
            return [player for player in players if player.name == "glissade"]
        return players + [decoder] if self.mode == "untimed" else players

    def seconds(self, players, decoder):
        """The estimated duration."""
        each = {"start": 1, "seek": 0.5 + 1.2 * seeks(self.clip), "drag": DRAG + 4}.get(
            self.name, self.limit or self.clip.seconds
        )
        if self.mode == "untimed":
            each = self.clip.frames * (self.clip.size[0] * self.clip.size[1] / (1920 * 1080)) / LIKELY_FPS
        able = [
            player
            for player in self.players(players, decoder)
            if player.command(Asked(self.clip, "", self.size, self.mode))
        ]
        return self.rounds * len(able) * (each + OVERHEAD_SECONDS) * (2 if self.name == "seek" else 1)

    def result(self):
        return {
            "name": self.name,
            "what": NAMES[self.name],
            "clip": self.clip.name,
            "window": f"{self.size[0]}x{self.size[1]}",
            "mode": self.mode,
            "film_seconds": self.limit or self.clip.seconds,
            "figures": {
                figure: {player: figures.summary(values) for player, values in by_player.items()}
                for figure, by_player in self.values.items()
            },
            "interval_histograms_1ms": {player: figures.added(all_of) for player, all_of in self.histograms.items()},
            "notes": self.notes,
        }


def planned(options):
    """All passes in order."""
    main, rounds = options.clips[0], options.rounds
    few = max(1, (rounds * 2 + 4) // 5)
    plan = [
        Pass("start", main, WINDOW, rounds),
        Pass("play", main, WINDOW, rounds),
        Pass("untimed", main, WINDOW, rounds, "untimed"),
        Pass("full", main, FULL, rounds, limit=SHORT),
        Pass("drag", main, FULL, rounds),
        Pass("seek", main, WINDOW, rounds),
    ]
    plan += [Pass("size", main, size, max(1, few // 2), limit=SHORTER) for size in SIZES]
    for clip in options.clips[1:]:
        plan.append(Pass("clips", clip, WINDOW, few, limit=SHORT))
        plan.append(Pass("clips", clip, WINDOW, max(1, few // 2), "untimed"))
    return [one for one in plan if one.name in options.only]
