"""The ticks in a recording: when each was heard, and its number."""

import cmath
from dataclasses import dataclass

from services import SAMPLE_RATE

from .clips import NUMBERS, TICK, TRACKS, pitch

# The level above which there is a tick, of 32767: its sine gets there within a third of a millisecond.
LOUD = 3000
# The level that still belongs to a tick.
QUIET = SAMPLE_RATE // 200
# A shorter piece has no recognizable pitch.
SHORTEST = 0.003
# Seconds: the ends of a tick are below `LOUD`.
UNSHARP = 0.0025
LONGEST_PAUSE = 10_000_000_000


@dataclass
class Tick:
    time: int  # when it was first heard, in nanoseconds of the monotonic clock
    length: float  # seconds
    track: int | None
    number: int | None
    # The start computed from the part heard after a pause.
    resumed: int | None = None

    @property
    def times(self):
        return [self.time] if self.resumed is None else [self.time, self.resumed]

    @property
    def end(self):
        return self.time + int(self.length * 1e9)

    @property
    def is_cut(self):
        return self.length < TICK - UNSHARP


def pieces(samples):
    """Returns (first, after the last) of each loud stretch, in samples."""
    block, found = SAMPLE_RATE // 1000, []
    for begin in range(0, len(samples), block):
        part = samples[begin : begin + block]
        if max(part) <= LOUD and min(part) >= -LOUD:
            continue
        loud = [begin + place for place, sample in enumerate(part) if abs(sample) > LOUD]
        if found and loud[0] - found[-1][1] < QUIET:
            found[-1][1] = loud[-1] + 1
        else:
            found.append([loud[0], loud[-1] + 1])
    return found


def identify(samples):
    """- Returns: The track and the number by the pitch; None twice if the piece is too short."""
    if len(samples) < SHORTEST * SAMPLE_RATE:
        return None, None

    def level(track, number):
        turn = -2j * cmath.pi * pitch(track, number) / SAMPLE_RATE
        return abs(sum(sample * cmath.exp(turn * place) for place, sample in enumerate(samples)))

    return max(((track, number) for track in range(TRACKS) for number in range(NUMBERS)), key=lambda which: level(*which))


def is_halved(last, tick):
    """Whether they are the parts before and after a pause or a change of track."""
    return (
        (None in (last.number, tick.number) or last.number == tick.number)
        and last.is_cut
        and tick.is_cut
        and TICK - 2 * UNSHARP < last.length + tick.length < TICK + UNSHARP
        and tick.time - last.end < LONGEST_PAUSE
    )


def find(recordings, joined=0.0):
    """Returns all ticks in the order heard. A tick cut in two, by a pause or a change of track, counts as one.

    - joined: Pieces of one pitch this close, in seconds, are one tick of any length: time-stretched audio consists of
      overlapping pieces.
    """

    def joins(last, tick):
        return tick.time - last.end < joined * 1e9 and (None in (last.number, tick.number) or last.number == tick.number)

    ticks = []
    for recording in recordings:
        for first, end in pieces(recording.samples):
            time = recording.time(first)
            tick = Tick(time, (end - first) / SAMPLE_RATE, *identify(recording.samples[first:end]))
            if not (ticks and (joins(ticks[-1], tick) or is_halved(ticks[-1], tick))):
                ticks.append(tick)
                continue
            last = ticks[-1]
            if joins(last, tick):
                last.length = (tick.end - last.time) / 1e9
            else:
                last.resumed = tick.time - int(last.length * 1e9)
                last.length += tick.length
            if last.number is None:
                last.track, last.number = tick.track, tick.number
    return ticks
