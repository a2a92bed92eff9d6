"""The Markdown table of results.json."""

NONE = "–"
# For each pass: figure, label, format, factor.
FIGURES = {
    "untimed": [("fps", "frames/s", "{:.0f}", 1)],
    "play": [
        ("cpu_s", "processor time, s", "{:.2f}", 1),
        ("server_cpu_s", "X server's meanwhile, s", "{:.2f}", 1),
        ("memory_mib", "peak memory, MiB", "{:.0f}", 1),
        ("seen_share", "frames seen, %", "{:.1f}", 100),
        ("interval_p50_ms", "interval p50, ms", "{:.1f}", 1),
        ("interval_p95_ms", "p95, ms", "{:.1f}", 1),
        ("interval_p99_ms", "p99, ms", "{:.1f}", 1),
        ("interval_max_ms", "longest, ms", "{:.1f}", 1),
        ("freezes", "freezes", "{:.0f}", 1),
    ],
    "start": [("start_ms", "start to first frame, ms", "{:.0f}", 1)],
    "seek": [("seek_ms", "to a keyframe, ms", "{:.0f}", 1), ("seek_exact_ms", "to the very frame, ms", "{:.0f}", 1)],
    "size": [
        ("cpu_per_second", "processor time a second, s", "{:.3f}", 1),
        ("seen_share", "frames seen, %", "{:.1f}", 100),
    ],
    "clips": [
        ("cpu_per_second", "processor time a second, s", "{:.3f}", 1),
        ("seen_share", "frames seen, %", "{:.1f}", 100),
        ("fps", "frames/s, untimed", "{:.0f}", 1),
    ],
}
FIGURES["full"] = FIGURES["drag"] = [
    row for row in FIGURES["play"] if row[0].startswith(("seen", "interval", "freezes"))
]


def cell(summary, form, factor=1):
    """The median and, for several values, the spread."""
    if not summary:
        return NONE
    middle = form.format(summary["median"] * factor)
    if summary["count"] < 2:
        return middle
    return f"{middle} ({form.format(summary['min'] * factor)}–{form.format(summary['max'] * factor)})"


def grid(header, rows):
    """A Markdown table that is readable as plain text, too; the first column is text."""
    rows = [[str(part).replace("|", "\\|") for part in row] for row in [header, *rows]]
    widths = [max(3, *(len(row[index]) for row in rows)) for index in range(len(header))]

    def line(row):
        return (
            "| "
            + " | ".join([row[0].ljust(widths[0])] + [part.rjust(w) for part, w in zip(row[1:], widths[1:])])
            + " |"
        )

    rule = "|" + "|".join(["-" * (widths[0] + 2)] + ["-" * (width + 1) + ":" for width in widths[1:]]) + "|"
    return "\n".join([line(rows[0]), rule, *map(line, rows[1:])])


def section(one, titles):
    """The table of one pass; empty if nothing was measured."""
    figures = one["figures"]
    names = [name for name in titles if any(name in by_player for by_player in figures.values())]
    rows = [
        [title, *(cell(figures[name].get(player), form, factor) for player in names)]
        for name, title, form, factor in FIGURES[one["name"]]
        if name in figures
    ]
    if not rows:
        return ""
    # The others end when they have their result.
    length = f", {one['film_seconds']:g} s" if one["name"] not in ("start", "seek", "drag") else ""
    length += ", untimed" if one["mode"] == "untimed" else ""
    heading = f"### {one['what'][0].upper()}{one['what'][1:]}\n\n{one['clip']}{length}, window {one['window']}\n\n"
    notes = "".join(f"\n{note}" for note in one["notes"])
    return heading + grid(["", *(titles[name] for name in names)], rows) + "\n" + (notes + "\n" if notes else "")


def noise_lines(noise):
    def share(summary):
        return f"{summary['mean']:.1%} (at most {summary['max']:.1%})" if summary else NONE

    spread = noise["spin_spread"]
    return (
        f"Others took {share(noise['others_idle'])} of the machine between plays, "
        f"{share(noise['others_in_plays'])} during them; "
        f"the same work varied by {NONE if spread is None else format(spread, '.1%')} in time."
    )


def rounds(count):
    return f"{count} round" + ("s" if count > 1 else "")


def table(results):
    """All of it."""
    machine, comparison, options = results["machine"], results["comparison"], results["options"]
    titles = {name: player["title"] for name, player in results["players"].items()}
    lines = ["# Players compared", ""]
    if comparison["why"]:
        mark = "**Not to be quoted:** " if comparison["is_forced"] else ""
        lines += [mark + comparison["why"][0].upper() + comparison["why"][1:] + ".", ""]
    if comparison["is_interrupted"]:
        lines += ["The run did not come to its end: what is missing was not measured.", ""]
    lines += [
        f"{results['date']}; {machine['processor'] or 'unknown processor'}, {machine['cpus']} CPUs, Linux "
        f"{machine['kernel']}, {machine['gl_renderer'] or 'unknown renderer'}.",
        "; ".join(
            f"{player['title']}: {player['version'] or 'unknown version'}" for player in results["players"].values()
        )
        + ".",
        *(f"Left out: {line}." for line in results["left_out"]),
        f"Medians of {rounds(options['rounds'])} (least–most), the players taking turns; "
        f"decoder threads: {options['threads']}; "
        f"{'with sound' if options['sound'] else 'without sound'}; no hardware decoding.",
        noise_lines(comparison["noise"]),
    ]
    if comparison["why"] and not comparison["is_forced"]:
        return "\n".join(lines) + "\n"
    sections = [section(one, titles) for one in results["passes"]]
    return "\n".join(lines) + "\n\n" + "\n".join(text for text in sections if text)
