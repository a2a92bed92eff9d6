"""The flashes in the player's frame log: when each was shown, and its number."""

from dataclasses import dataclass

from .clips import FLASH_FRAMES, NUMBERS, PERIOD, RATE

# A larger gap is a jump, not dropped frames.
JUMP = 12


@dataclass
class Row:
    visible: int  # when its swap returned, in nanoseconds of the monotonic clock
    due: int | None  # None for the first frame after a seek, which is shown as soon as it is ready
    frame: int


@dataclass
class Flash:
    # When it was shown. Several times if the frame stood; playback continued at the last of them.
    times: list
    number: int
    second: float  # of media
    was_dropped: bool = False  # then the time is interpolated
    late: float = 0.0  # how much later than due it was shown, in ms

    def offset(self, tick):
        """How much later than the flash the tick was heard, in ms."""
        return min(((heard - shown) / 1e6 for heard in tick.times for shown in self.times), key=abs)


def read(path):
    with open(path) as log:
        next(log)
        fields = [line.strip().split(",") for line in log]
    return [Row(int(visible), int(due) if due else None, round(int(pts) / 1e9 * RATE)) for visible, due, pts in fields]


def stretches(rows):
    """Splits the rows at jumps: a seek, the end of a round or a file."""
    found = []
    for row in rows:
        last = found[-1][-1] if found else None
        if last is None or row.due is None or not last.frame < row.frame <= last.frame + JUMP:
            found.append([])
        found[-1].append(row)
    return found


def find(rows, frames_a_file=None, frames_a_round=None, pauses=()):
    """Returns all flashes, in the order shown.

    - frames_a_file: The number of frames of each file if there are several; a jump back starts the next one.
    - frames_a_round: The number of frames of a looped file; the log continues to count.
    - pauses: The start and end of each pause, in nanoseconds.
    """
    found, passed, last = [], 0, None
    for stretch in stretches(rows):
        if frames_a_file and last is not None and stretch[0].frame < last:
            passed += frames_a_file
        last = stretch[-1].frame
        for place, row in enumerate(stretch):
            before = stretch[place - 1] if place else None
            after = stretch[place + 1] if place + 1 < len(stretch) else None
            counted = row.frame % frames_a_round if frames_a_round else row.frame + passed
            number = counted // FLASH_FRAMES % NUMBERS
            second = row.frame / RATE
            if row.frame % FLASH_FRAMES == 0:
                halted = after and is_halted(row, after, pauses)
                late = (row.visible - row.due) / 1e6 if row.due is not None else 0.0
                found.append(Flash(times(row, after, pace(stretch, place), halted), number, second, late=late))
            elif before and row.frame // FLASH_FRAMES > before.frame // FLASH_FRAMES:
                flash = row.frame // FLASH_FRAMES * FLASH_FRAMES
                dates = dropped(flash, before, row, is_halted(before, row, pauses) and pace(stretch, place))
                found.append(Flash(dates, number, flash / RATE, was_dropped=True))
    return found


def is_halted(before, after, pauses):
    return any(before.visible < end and begin < after.visible for begin, end in pauses)


def dropped(flash, before, after, pace):
    """When a dropped frame would have been shown, interpolated between its neighbors; across a pause, extrapolated from
    each of them at the pace of the frames that follow."""
    if pace:
        return [before.visible + int((flash - before.frame) * pace), after.visible - int((after.frame - flash) * pace)]
    gap = (after.visible - before.visible) / (after.frame - before.frame)
    return [after.visible - int((after.frame - flash) * gap)]


def pace(stretch, place):
    """The duration of a frame there in nanoseconds: the median of the frames that follow."""
    steps = sorted(
        (after.visible - before.visible) / (after.frame - before.frame)
        for before, after in zip(stretch[place + 1 :], stretch[place + 2 : place + 14])
    )
    return steps[len(steps) // 2] if steps else 1e9 / RATE


def times(row, after, pace, halted):
    """A frame shown by a seek stands until audio is ready: its time is when playback continues. If a pause halted a
    frame, its tick may have been heard before, or may come after the pause."""
    moves = after.visible - int((after.frame - row.frame) * pace) if after else row.visible
    if row.due is None:
        return [moves]
    return [row.visible, moves] if halted else [row.visible]
