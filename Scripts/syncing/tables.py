"""The results as text."""

from .ticks import Tick

# A later frame is reported, in ms.
LATE = 20
COLUMNS = [
    ("scenario", "scenario"), ("server", "server"), ("events", "events"), ("pairs", "pairs"),
    ("of dropped frames", "frames_dropped"), ("cut", "cut"), ("flashes alone", "flashes_unmatched"),
    ("ticks alone", "ticks_unmatched"), ("sink slipped ms", "sink_slipped_ms"), ("median ms", "median_ms"), ("worst ms", "worst_ms"), ("", "failures"),
]  # fmt: skip


def lateness(flash):
    """Describes a late frame, which is itself out of sync."""
    return f" (frame {flash.late:.0f} ms late)" if flash.late > LATE else ""


def describe(name, result, events):
    """Lists tick minus flash in the order shown, with the events between them."""
    marks = [(flash.times[0], f"{flash.offset(tick):.1f}{lateness(flash)}") for flash, tick in result.pairs]
    marks += [(flash.times[0], f"(flash of {flash.second:g} s without a tick)") for flash in result.flashes]
    marks += [(tick.time, f"(tick {tick.number} of {tick.length * 1000:.0f} ms without a flash)") for tick in result.ticks]
    marks += [
        (what.time, f"(tick cut to {what.length * 1000:.0f} ms)") if isinstance(what, Tick) else (what.times[0], "(flash cut)")
        for what, _ in result.cut
    ]
    marks += [(event.time, f"[{event.name}]") for event in events]
    return f"{name}: tick minus flash, ms: " + " ".join(text for _, text in sorted(marks))


def summary(results):
    def cell(value):
        if isinstance(value, list):
            return "; ".join(value) or "ok"
        return "–" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)

    table = [[title for title, _ in COLUMNS]] + [[cell(result[key]) for _, key in COLUMNS] for result in results]
    widths = [max(map(len, column)) for column in zip(*table)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in table)
