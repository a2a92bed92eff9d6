"""The tone of a coded film as the sound server's sink plays it: recorded, and where it was interrupted.

Python's standard library only.
"""

import array
import cmath
import sys

from services import SAMPLE_RATE, SINK, die, wait_until

# What every coded film sounds like.
TONE = 440
# 22 periods of the tone: a tone without a break has the same phase in each block.
BLOCK = SAMPLE_RATE // 20


def record(services, environment):
    """Starts to record what the sink plays, sample by sample."""
    path = services.place / "sound.raw"
    with open(path, "wb") as sound:
        ear = services.start(
            ["parec", "--raw", "--format=s16le", f"--rate={SAMPLE_RATE}", "--channels=1", "--latency-msec=20",
             f"--device={SINK}.monitor"], env=environment, stdout=sound)  # fmt: skip
    wait_until(lambda: path.stat().st_size, "the recorder")
    return ear, path


def listen(path):
    """How the tone was heard: in ms, the longest silence, the largest shift from one block to the next, and that from
    the first to the last. A shift by whole periods of the tone shows as silence, or in `weakest`: the share of the usual
    level that the block with the least tone in it has.
    """
    samples = array.array("h", path.read_bytes()[: path.stat().st_size // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    waves = [cmath.exp(-2j * cmath.pi * TONE * index / SAMPLE_RATE) for index in range(BLOCK)]
    tones = [
        sum(wave * sample for wave, sample in zip(waves, samples[begin : begin + BLOCK])) * 2 / BLOCK
        for begin in range(0, len(samples) - BLOCK + 1, BLOCK)
    ]
    # The recording begins, and is ended, anywhere.
    tones = tones[2:-2]
    level = sorted(map(abs, tones))[len(tones) // 2]
    if level < 100:
        die("no tone was heard")
    quiet = longest = 0
    for sample in samples[2 * BLOCK : -2 * BLOCK]:
        quiet = quiet + 1 if abs(sample) < level / 20 else 0
        longest = max(longest, quiet)

    def shift(before, after):
        return abs(cmath.phase(after / before)) / (2 * cmath.pi * TONE) * 1000 if before and after else None

    steps = [shift(before, after) for before, after in zip(tones, tones[1:])]
    return {
        "seconds": len(tones) * BLOCK / SAMPLE_RATE, "silence_ms": longest * 1000 / SAMPLE_RATE,
        "largest_step_ms": max((step for step in steps if step is not None), default=None),
        "first_to_last_ms": shift(tones[0], tones[-1]), "weakest": min(map(abs, tones)) / level,
    }  # fmt: skip
