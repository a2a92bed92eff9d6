"""The scenarios: actions on the player while it is measured, by keys that the X server sends like a keyboard."""

import itertools
import time

from .clips import FLASH_FRAMES, PERIOD, RATE, make_clip, trimmed
from .matching import Event

# The time before the first key and after the last one, in seconds.
CALM = 2.5
# Audio and video may end and start this much around the time at which both are cut, in ns.
MARGIN = 50_000_000
# The time until audio must be back after the server: the player retries once a second.
RETURN = 3.0


class Scenario:
    """One run of the player.

    - clips: The files, created in a folder.
    - act: The actions; the player is ended afterwards if it has not exited.
    """

    options = ()
    frames_a_file = frames_a_round = None
    joined = 0.0
    ends_itself = False
    # Seconds of the clip: flashes without a tick, and ticks without a flash.
    silent = unseen = (0.0, 0.0)

    def __init__(self, options):
        self.seconds = options.seconds
        self.kill_server_at = options.kill_server_at

    def act(self, stage):
        """- Returns: the events."""
        time.sleep(CALM)
        return []


class Play(Scenario):
    """From the first frame to the last; without a server for 3 s at `--kill-server-at`."""

    ends_itself = True
    options = ("--exit-at-end",)

    def clips(self, folder):
        return [make_clip(folder / "play.mkv", self.seconds)]

    def act(self, stage):
        if self.kill_server_at is None:
            return []
        time.sleep(self.kill_server_at)
        event = Event("server killed", time.monotonic_ns())
        stage.services.end_sound_server()
        time.sleep(3)
        stage.start_sound_server()
        event.begin, event.end = event.time - MARGIN, time.monotonic_ns() + int(RETURN * 1e9)
        return [event]


class Seeks(Scenario):
    """Ten seeks, exact ones and ones to keyframes."""

    KEYS = ["Right", "Shift_L+Right", "Shift_L+Left", "Left", "Shift_L+Up", "Right", "Shift_L+Down", "Shift_L+Right", "Home", "Right"]

    def clips(self, folder):
        return [make_clip(folder / "seeks.mkv", 60)]

    def act(self, stage):
        time.sleep(CALM)
        events = []
        for count, key in enumerate(self.KEYS):
            events.append(Event(key, stage.press(key)))
            # The next key comes at another position between two ticks.
            time.sleep(CALM + count * 0.137 % PERIOD)
        return events


class Tracks(Scenario):
    """Five changes of the audio track."""

    def clips(self, folder):
        return [make_clip(folder / "tracks.mkv", 40, tracks=2)]

    def act(self, stage):
        time.sleep(CALM)
        events = []
        for count in range(5):
            events.append(Event("#", stage.press("Shift_L+numbersign")))
            time.sleep(CALM + count * 0.137)
        return events


class Files(Scenario):
    """Five files of 4 s in a row."""

    COUNT, SECONDS = 5, 4
    frames_a_file = SECONDS * RATE
    ends_itself = True
    options = ("--exit-at-end",)

    def clips(self, folder):
        ticks = self.frames_a_file // FLASH_FRAMES
        return [make_clip(folder / f"file-{file}.mkv", self.SECONDS, file * ticks) for file in range(self.COUNT)]

    def act(self, stage):
        return []


class Pauses(Scenario):
    """Ten pauses, from a tenth of a second to three seconds."""

    LENGTHS = [0.5, 0.1, 1, 0.2, 3, 0.35, 1.5, 0.15, 2, 0.7]

    def clips(self, folder):
        return [make_clip(folder / "pauses.mkv", 60)]

    def act(self, stage):
        time.sleep(CALM)
        events = []
        for count, length in enumerate(self.LENGTHS):
            event = Event(f"pause {length:g} s", stage.press("space"))
            time.sleep(length)
            event.begin, event.end = event.time - MARGIN, stage.press("space")
            events.append(event)
            time.sleep(2 + count * 0.137 % PERIOD)
        return events


class Speed(Scenario):
    """Ten changes of speed, between half and double."""

    KEYS = [
        ("bracketright", "1.1"), ("bracketright", "1.21"), ("BackSpace", "1"), ("bracketleft", "0.91"), ("bracketleft", "0.83"),
        ("BackSpace", "1"), ("Shift_L+braceright", "2"), ("BackSpace", "1"), ("Shift_L+braceleft", "0.5"), ("BackSpace", "1")]  # fmt: skip
    joined = 0.1

    def clips(self, folder):
        return [make_clip(folder / "speed.mkv", 60)]

    def act(self, stage):
        time.sleep(CALM)
        events = []
        for count, (key, speed) in enumerate(self.KEYS):
            events.append(Event(f"speed {speed}", stage.press(key)))
            time.sleep(CALM + count * 0.137 % PERIOD)
        return events


class Loop(Scenario):
    """A clip of 4 s, looped for six rounds."""

    SECONDS, ROUNDS = 4, 6
    frames_a_round = SECONDS * RATE
    options = ("--loop",)

    def clips(self, folder):
        return [make_clip(folder / "loop.mkv", self.SECONDS)]

    def act(self, stage):
        time.sleep(self.SECONDS * self.ROUNDS)
        return []


class LateSound(Play):
    """The audio starts 3 s after the video."""

    silent = (0.0, 3.0)

    def clips(self, folder):
        return [trimmed(make_clip(folder / "whole.mkv", 8), folder / "late-sound.mkv", "a", "start=3")]


class LatePicture(Play):
    """The video starts 3 s after the audio."""

    unseen = (0.0, 3.0)

    def clips(self, folder):
        return [trimmed(make_clip(folder / "whole.mkv", 8), folder / "late-picture.mkv", "v", "start=3")]


class ShortSound(Play):
    """The audio ends after 4 s of 8."""

    silent = (4.0, 8.0)

    def clips(self, folder):
        return [trimmed(make_clip(folder / "whole.mkv", 8), folder / "short-sound.mkv", "a", "end=4")]


SCENARIOS = {
    kind.__name__.lower(): kind
    for kind in (Play, Seeks, Tracks, Files, Pauses, Speed, Loop, LateSound, LatePicture, ShortSound)
}


def pauses(events):
    """The start and end of each pause."""
    return [(event.begin, event.end) for event in events if event.name.startswith("pause")]


def place_events(events, rows):
    """Sets from the frame log until when an event cuts off ticks and flashes."""
    for event in events:
        if event.end is not None and event.name.startswith("pause"):
            event.end = next((row.visible for row in rows if row.visible > event.end), event.end) + MARGIN
        if event.end is not None:
            continue
        # A seek shows a frame as soon as it is ready; audio starts when that frame moves on.
        for row, after in itertools.pairwise(rows):
            if event.time < row.visible < event.time + 2_000_000_000 and row.due is None:
                event.begin, event.end = event.time - MARGIN, after.visible + MARGIN
                break
