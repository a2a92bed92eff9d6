"""The number of a frame as bands in a strip of its picture, which `witness watch` reads in any column of the strip.

It is the code of Tests/ScreenProbe/Codes/FrameCode.swift, written a second time because FFmpeg lays it over a picture
here, where `witness film` makes a picture of nothing else.
"""

BANDS = 24
LIMIT = 1 << 16
WHITE, BLACK = 235, 16
# Of the picture's width, at its left: wide enough that what codec and scaler blur into it leaves its middle alone.
STRIP = 0.08
# Where the witness reads while the picture lies still: the strip's middle, then beside it.
COLUMNS_AT_REST = "4%,3%,5%"


def check(number):
    """CRC-4 of the number's 16 bits (x⁴ + x + 1, begun with ones)."""
    rest = 0b1111
    for place in range(15, -1, -1):
        bit = (number >> place & 1) ^ rest >> 3
        rest = (rest << 1 ^ bit * 0b0011) & 0b1111
    return rest


def bands(number):
    """Top to bottom; true is white."""
    if not 0 <= number < LIMIT:
        raise ValueError(f"a frame's number has 16 bits, not {number}")
    bits = number << 4 | check(number)
    return [True, False] + [bits >> place & 1 == 1 for place in range(19, -1, -1)] + [False, True]


def strip(frames):
    """So many frames, each one pixel wide and a row for each band: raw grey, for FFmpeg to enlarge."""
    return b"".join(bytes(WHITE if band else BLACK for band in bands(number)) for number in range(frames))


def columns_in_motion(step=0.06):
    """Columns for a picture that is drawn to the right: the strip covers one of them wherever it is."""
    count = int((1 - STRIP / 2) / step)
    return ",".join(f"{100 * (STRIP / 2 + step * index):g}%" for index in range(count + 1))
