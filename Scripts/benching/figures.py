"""Statistics of what was measured: pure, and of nothing where nothing was measured."""

import math
import statistics

# The histogram's bins, in ms; the last one holds all that is longer.
BIN_MS, BIN_COUNT = 1, 101


def percentile(values, share):
    """The value at that share of the sorted ones, as the witness counts it; None of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def summary(values):
    """Median and spread of those that were measured; None where none was."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known:
        return None
    return {
        "median": statistics.median(known),
        "min": min(known),
        "max": max(known),
        "count": len(known),
        "values": list(values),
    }


def intervals(times_ns):
    """From each to the next, in ms."""
    return [(after - before) / 1e6 for before, after in zip(times_ns, times_ns[1:])]


def pace(values_ms, frame_ms):
    """What intervals say of a play; all None where there are none.

    A freeze is a picture that stands for longer than three frames of the film, and than 50 ms: quick
    frames that stand for three of them are not seen as one.
    """
    if not values_ms:
        return dict.fromkeys(("p50", "p95", "p99", "max", "freezes"))
    limit = max(3 * frame_ms, 50)
    return {
        "p50": percentile(values_ms, 0.5),
        "p95": percentile(values_ms, 0.95),
        "p99": percentile(values_ms, 0.99),
        "max": max(values_ms),
        "freezes": sum(value > limit for value in values_ms),
    }


def histogram(values_ms):
    """Counts by `BIN_MS`, each from its number's multiple on."""
    counts = [0] * BIN_COUNT
    for value in values_ms:
        counts[min(BIN_COUNT - 1, max(0, int(value / BIN_MS)))] += 1
    return counts


def added(histograms):
    """One of all of them; None of nothing."""
    histograms = [counts for counts in histograms if counts]
    return [sum(counts) for counts in zip(*histograms)] if histograms else None


def frames_shown(changes, length):
    """What came on show, from the witness's lines as (time_ns, frame or None).

    - length: the film's frames: what was not shown before the first and after the last that were counts as missed, too.
    - Returns: frames seen (different ones), backward steps, and when each came on show, in order.
    """
    seen, times, backwards, last = set(), [], 0, None
    for time_ns, frame in changes:
        if frame is None or frame == last:
            continue
        backwards += last is not None and frame < last
        seen.add(frame)
        times.append(time_ns)
        last = frame
    return {
        "seen": len(seen),
        "due": length,
        "share": min(1.0, len(seen) / length) if length else None,
        "backwards": backwards,
        "times": times,
    }
