"""Statistics of measurements. Pure functions; without values they return none."""

import math
import statistics

# The width of the histogram's bins in ms; the last one holds everything longer.
BIN_MS, BIN_COUNT = 1, 101


def percentile(values, share):
    """The value at that fraction of the sorted ones, as the witness computes it; None if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def summary(values):
    """Median and spread of the values that were measured; None if there are none."""
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
    """The intervals between times, in ms."""
    return [(after - before) / 1e6 for before, after in zip(times_ns, times_ns[1:])]


def pace(values_ms, frame_ms):
    """Summarizes the intervals of a run; all None if there are none.

    A freeze is a frame that stands for longer than three frames of the film and longer than 50 ms: at high frame rates,
    three frames are not visible as one.
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
    """Counts per bin of `BIN_MS`; a bin starts at that multiple of its index."""
    counts = [0] * BIN_COUNT
    for value in values_ms:
        counts[min(BIN_COUNT - 1, max(0, int(value / BIN_MS)))] += 1
    return counts


def added(histograms):
    """The sum of histograms; None if there are none."""
    histograms = [counts for counts in histograms if counts]
    return [sum(counts) for counts in zip(*histograms)] if histograms else None


def frames_shown(changes, length):
    """Evaluates the witness's lines, (time_ns, frame or None).

    - length: The number of frames of the film: those not shown before the first and after the last count as missed,
      too.
    - Returns: The number of distinct frames seen, backward steps, and the time of each frame, in order.
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
