"""Matches ticks to flashes."""

from dataclasses import dataclass, field

from .clips import PERIOD

# The largest distance between a tick and its flash, in ms.
FURTHEST = 1500


@dataclass
class Event:
    """An action on the player, and the time span in which it may cut off ticks and flashes."""

    name: str
    time: int
    begin: int | None = None
    end: int | None = None

    def cuts(self, time):
        return self.begin is not None and self.begin <= time <= self.end


@dataclass
class Result:
    pairs: list = field(default_factory=list)  # (flash, tick), as shown
    flashes: list = field(default_factory=list)  # without a tick
    ticks: list = field(default_factory=list)  # without a flash
    cut: list = field(default_factory=list)  # (flash or tick, event): cut off by it

    @property
    def offsets(self):
        return [flash.offset(tick) for flash, tick in self.pairs]

    @property
    def worst(self):
        return max(self.offsets, key=abs, default=None)


def match(flashes, ticks, events=()):
    """Matches each flash with the nearest tick of its number; each tick is used once."""
    candidates = sorted(
        (abs(flash.offset(tick)), shown, heard)
        for shown, flash in enumerate(flashes)
        for heard, tick in enumerate(ticks)
        if tick.number == flash.number and abs(flash.offset(tick)) < FURTHEST
    )
    ticks_of, taken = {}, set()
    for _, shown, heard in candidates:
        if shown not in ticks_of and heard not in taken:
            ticks_of[shown] = heard
            taken.add(heard)
    result = Result()
    for shown, flash in enumerate(flashes):
        if shown in ticks_of:
            result.pairs.append((flash, ticks[ticks_of[shown]]))
        elif event := next((event for event in events if event.cuts(flash.times[0])), None):
            result.cut.append((flash, event))
        else:
            result.flashes.append(flash)
    for heard, tick in enumerate(ticks):
        if heard in taken:
            continue
        if event := next((event for event in events if event.cuts(tick.time)), None):
            result.cut.append((tick, event))
        else:
            result.ticks.append(tick)
    return result
