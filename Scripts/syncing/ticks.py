"""The ticks in what was recorded: when each was heard, and which one it is."""

import cmath
from dataclasses import dataclass

from services import SAMPLE_RATE

from .clips import NUMBERS, TICK, TRACKS, pitch

# Above it is a tick, of 32767: a tick's sine comes there within a third of a millisecond.
LOUD = 3000
# Less quiet than this belongs to a tick.
QUIET = SAMPLE_RATE // 200
# A shorter piece has no pitch to tell.
SHORTEST = 0.003


@dataclass
class Tick:
    time: int  # when it was first heard, in nanoseconds of the monotonic clock
    length: float  # seconds
    track: int | None
    number: int | None

    @property
    def end(self):
        return self.time + int(self.length * 1e9)

    @property
    def is_cut(self):
        return self.length < TICK - 0.0025


def pieces(samples):
    """(first, after the last) of each stretch that is loud, by the sample."""
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
    """- Returns: the track and the number that the pitch tells; None twice where there is too little of it."""
    if len(samples) < SHORTEST * SAMPLE_RATE:
        return None, None

    def level(track, number):
        turn = -2j * cmath.pi * pitch(track, number) / SAMPLE_RATE
        return abs(sum(sample * cmath.exp(turn * place) for place, sample in enumerate(samples)))

    return max(((track, number) for track in range(TRACKS) for number in range(NUMBERS)), key=lambda which: level(*which))


def find(recordings, joined=0.0):
    """All ticks, in the order heard. What was cut in two, by a pause or at a change of track, is one tick.

    - joined: seconds between two pieces of one pitch that are one tick however long they are: sound that is stretched
      or squeezed to another speed is made of pieces which overlap.
    """
    ticks = []
    for recording in recordings:
        for first, end in pieces(recording.samples):
            time = recording.time(first)
            tick = Tick(time, (end - first) / SAMPLE_RATE, *identify(recording.samples[first:end]))
            last = ticks[-1] if ticks else None
            if last and last.number == tick.number is not None:
                whole = last.length + tick.length
                if last.is_cut and tick.is_cut and whole < TICK + 0.0025 and tick.time - last.end < 10_000_000_000:
                    last.length = whole
                    continue
                if joined and tick.time - last.end < joined * 1e9:
                    last.length = (tick.end - last.time) / 1e9
                    continue
            ticks.append(tick)
    return ticks
