"""The frame's number as bands in a strip of the video, which `witness watch` reads in any column of the strip.

It is the code of Tests/ScreenProbe/Codes/FrameCode.swift, implemented a second time because here FFmpeg overlays it on the video,
while `witness film` creates a video of nothing else.
"""

BANDS = 24
LIMIT = 1 << 16
WHITE, BLACK = 235, 16
# A fraction of the video's width, at its left: wide enough that blur from codec and scaler does not reach its middle.
STRIP = 0.08
# The columns that the witness reads while the video is at rest: the strip's middle, then beside it.
COLUMNS_AT_REST = "4%,3%,5%"


def check(number):
    """CRC-4 of the number's 16 bits (x⁴ + x + 1, all bits set initially)."""
    rest = 0b1111
    for place in range(15, -1, -1):
        bit = (number >> place & 1) ^ rest >> 3
        rest = (rest << 1 ^ bit * 0b0011) & 0b1111
    return rest


def bands(number):
    """The bands from top to bottom; true is white."""
    if not 0 <= number < LIMIT:
        raise ValueError(f"a frame's number has 16 bits, not {number}")
    bits = number << 4 | check(number)
    return [True, False] + [bits >> place & 1 == 1 for place in range(19, -1, -1)] + [False, True]


def strip(frames):
    """Frames one pixel wide with a row for each band: raw gray, for FFmpeg to enlarge."""
    return b"".join(bytes(WHITE if band else BLACK for band in bands(number)) for number in range(frames))


def columns_in_motion(step=0.06):
    """Columns for a video that is dragged to the right: the strip covers one of them at any position."""
    count = int((1 - STRIP / 2) / step)
    return ",".join(f"{100 * (STRIP / 2 + step * index):g}%" for index in range(count + 1))
