"""The flashes in the player's frame log: when each came on show, and which one it is."""

from dataclasses import dataclass

from .clips import FLASH_FRAMES, NUMBERS, PERIOD, RATE

# More frames than this are no gap of frames dropped, but a jump.
JUMP = 12


@dataclass
class Row:
    visible: int  # when its swap had returned, in nanoseconds of the monotonic clock
    due: int | None  # None for the first frame after a seek, which is shown as soon as it is there
    frame: int


@dataclass
class Flash:
    # When it came on show: more than one time where the frame stood, and moved on at the last of them.
    times: list
    number: int
    second: float  # of media
    was_dropped: bool = False  # then the time is that between its neighbours
    late: float = 0.0  # how much later it came on show than it was due, in ms

    def offset(self, tick):
        """How much later than the flash the tick was heard, in ms."""
        return min(((heard - shown) / 1e6 for heard in tick.times for shown in self.times), key=abs)


def read(path):
    with open(path) as log:
        next(log)
        fields = [line.strip().split(",") for line in log]
    return [Row(int(visible), int(due) if due else None, round(int(pts) / 1e9 * RATE)) for visible, due, pts in fields]


def stretches(rows):
    """The rows between two jumps: of a seek, of the end of a round or a file."""
    found = []
    for row in rows:
        last = found[-1][-1] if found else None
        if last is None or row.due is None or not last.frame < row.frame <= last.frame + JUMP:
            found.append([])
        found[-1].append(row)
    return found


def find(rows, frames_a_file=None, frames_a_round=None, pauses=()):
    """All flashes, in the order shown.

    - frames_a_file: where several files are played, how many frames each has; what follows a jump back is the next one.
    - frames_a_round: where one is played in rounds, how many frames it has; the log goes on counting.
    - pauses: from when to when each was, in nanoseconds.
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
    """When a frame that was dropped would have come on show, by its neighbours; with a pause between these, by either of
    them, each at the pace of the frames that follow."""
    if pace:
        return [before.visible + int((flash - before.frame) * pace), after.visible - int((after.frame - flash) * pace)]
    gap = (after.visible - before.visible) / (after.frame - before.frame)
    return [after.visible - int((after.frame - flash) * gap)]


def pace(stretch, place):
    """Nanoseconds that a frame takes there: the median of the frames that follow."""
    steps = sorted(
        (after.visible - before.visible) / (after.frame - before.frame)
        for before, after in zip(stretch[place + 1 :], stretch[place + 2 : place + 14])
    )
    return steps[len(steps) // 2] if steps else 1e9 / RATE


def times(row, after, pace, halted):
    """What a seek shows at once stands until sound is there: its time is when it moves on. Where a pause halted a frame,
    the tick may have been heard before, or may come when all goes on."""
    moves = after.visible - int((after.frame - row.frame) * pace) if after else row.visible
    if row.due is None:
        return [moves]
    return [row.visible, moves] if halted else [row.visible]
