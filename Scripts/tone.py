"""Records the tone of a coded film from the sound server's sink, and finds interruptions.

Python's standard library only.
"""

import array
import cmath
import sys

from services import SAMPLE_RATE, SINK, die, wait_until

# The tone of every coded film.
TONE = 440
# 22 periods of the tone: without interruption, every block has the same phase.
BLOCK = SAMPLE_RATE // 20


def record(services, environment):
    """Starts to record the sink's output."""
    path = services.place / "sound.raw"
    with open(path, "wb") as sound:
        ear = services.start(
            ["parec", "--raw", "--format=s16le", f"--rate={SAMPLE_RATE}", "--channels=1", "--latency-msec=20",
             f"--device={SINK}.monitor"], env=environment, stdout=sound)  # fmt: skip
    wait_until(lambda: path.stat().st_size, "the recorder")
    return ear, path


def listen(path):
    """Analyzes the recorded tone: the longest silence, the largest shift between adjacent blocks, and the shift between
    the first and the last, in ms. A shift by whole periods shows up as silence, or in `weakest`: the level of the
    weakest block as a fraction of the usual one."""
    samples = array.array("h", path.read_bytes()[: path.stat().st_size // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    waves = [cmath.exp(-2j * cmath.pi * TONE * index / SAMPLE_RATE) for index in range(BLOCK)]
    tones = [
        sum(wave * sample for wave, sample in zip(waves, samples[begin : begin + BLOCK])) * 2 / BLOCK
        for begin in range(0, len(samples) - BLOCK + 1, BLOCK)
    ]
    # The recording starts and ends at arbitrary points.
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
