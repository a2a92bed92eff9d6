"""The three charts. Each is None if none of its values was measured."""

from . import charts
from .charts import COLOURS, FAINT, GRID, INK, Drawing

WIDTH, LEFT, RIGHT = 860, 84, 836
# Fraction of the frames: a player that shows fewer does less work, and its point is hollow.
ENOUGH_SEEN = 0.95


def intervals(results):
    """A histogram of frame intervals of the whole film for each player, one below the other."""
    one = next(iter(charts.passes_of(results, "play") + charts.passes_of(results, "full")), None)
    if not one:
        return None
    rows = [(name, counts) for name, counts in one["interval_histograms_1ms"].items() if counts and sum(counts)]
    if not rows:
        return None
    titles, each = charts.titles_of(results), 116
    last = 66  # ms: four frames; longer ones are in the last bar
    drawing = Drawing(
        WIDTH,
        84 + each * len(rows) + 34,
        "How long frames stood",
        charts.subtitle(results, f"{one['clip']} in {one['window']}, share of intervals, bars of 1 ms"),
    )

    def place(ms):
        return LEFT + (RIGHT - LEFT) * ms / (last + 1)

    rate_ms = 1000 / frame_rate(one["clip"])
    for index, (name, counts) in enumerate(rows):
        top, bottom = 102 + each * index, 102 + each * index + each - 46
        total = sum(counts)
        shares = [count / total for count in counts[:last]] + [sum(counts[last:]) / total]
        ticks = charts.steps(100 * max(shares), 2)
        height = charts.vertical_axis(drawing, LEFT, RIGHT, top, bottom, ticks, "%")
        drawing.line(place(rate_ms), top, place(rate_ms), bottom, INK, 1, stroke_dasharray="4 3")
        for bar, share in enumerate(shares):
            if share:
                # Rare intervals matter: every bar is high enough to be visible.
                y = min(height(100 * share), bottom - 1.5)
                drawing.rectangle(place(bar) + 0.5, y, place(1) - LEFT - 1, bottom - y, COLOURS.get(name, INK))
        drawing.line(LEFT, bottom, RIGHT, bottom, FAINT)
        figure = one["figures"].get("interval_p99_ms", {}).get(name)
        longest = one["figures"].get("interval_max_ms", {}).get(name)
        words = titles[name] + (
            f": p99 {figure['median']:.1f} ms, longest {longest['max']:.0f} ms" if figure and longest else ""
        )
        drawing.text(LEFT, top - 9, words, weight="bold")
    bottom = 102 + each * len(rows) - 46
    for ms in range(0, last, 10):
        drawing.text(place(ms), bottom + 18, str(ms), colour=FAINT, anchor="middle")
    drawing.text(place(last + 0.5), bottom + 18, f"≥ {last}", colour=FAINT, anchor="middle")
    drawing.text(
        (LEFT + RIGHT) / 2,
        bottom + 40,
        f"ms from one frame to the next (dashed: {rate_ms:.1f}, the film's)",
        colour=FAINT,
        anchor="middle",
    )
    return drawing.finished()


def cpu(results):
    """A bar for each player: the median, with a line from minimum to maximum."""
    one = next((one for one in charts.passes_of(results, "play") if one["figures"].get("cpu_s")), None)
    if not one:
        return None
    titles = charts.titles_of(results)
    rows = [
        (name, summary, one["figures"].get("server_cpu_s", {}).get(name))
        for name, summary in one["figures"]["cpu_s"].items()
        if summary
    ]
    if not rows:
        return None
    left, each, top = 150, 46, 84
    drawing = Drawing(
        WIDTH,
        top + each * len(rows) + 62,
        f"Processor time of {one['film_seconds']:g} s of film",
        charts.subtitle(results, f"{one['clip']} in {one['window']}"),
    )
    most = max(summary["max"] + (server["median"] if server else 0) for _, summary, server in rows)
    ticks = charts.steps(most)
    bottom = top + each * len(rows)

    def place(value):
        return left + (RIGHT - left - 40) * value / ticks[-1]

    for tick in ticks:
        drawing.line(place(tick), top, place(tick), bottom)
        drawing.text(place(tick), bottom + 18, f"{tick:g}", colour=FAINT, anchor="middle")
    for index, (name, summary, server) in enumerate(rows):
        y = top + each * index + 9
        end = summary["median"]
        drawing.rectangle(left, y, place(end) - left, 26, COLOURS.get(name, INK))
        if server:
            end += server["median"]
            drawing.rectangle(place(summary["median"]), y, place(end) - place(summary["median"]), 26, "#BBBBBB")
        drawing.line(place(summary["min"]), y + 13, place(summary["max"]), y + 13, INK, 2)
        for edge in (summary["min"], summary["max"]):
            drawing.line(place(edge), y + 8, place(edge), y + 18, INK, 2)
        drawing.text(left - 10, y + 18, titles[name], anchor="end")
        drawing.text(place(max(end, summary["max"])) + 8, y + 18, f"{summary['median']:.1f} s", weight="bold")
    drawing.line(left, top, left, bottom, FAINT)
    drawing.text(
        (left + RIGHT - 40) / 2,
        bottom + 42,
        "processor seconds, user + system; line: least to most of all rounds; grey: the X server's meanwhile",
        colour=FAINT,
        anchor="middle",
    )
    return drawing.finished()


def size(results):
    """CPU time per second of all players by the window's pixels; below it Glissade's own cost of a frame."""
    passes = sorted(
        (
            one
            for name in ("play", "full", "size")
            for one in charts.passes_of(results, name)
            if one["figures"].get("cpu_per_second")
        ),
        key=pixels,
    )
    if len({one["window"] for one in passes}) < 2:
        return None
    titles = charts.titles_of(results)
    names = [name for name in titles if any(one["figures"]["cpu_per_second"].get(name) for one in passes)]
    drawing = Drawing(WIDTH, 640, "Cost over the window's size", charts.subtitle(results, passes[0]["clip"]))
    charts.legend(drawing, LEFT, 82, names, titles)
    lines = {name: points(passes, "cpu_per_second", name) for name in names}
    hollow = {
        (name, count) for name in names for count, share in points(passes, "seen_share", name) if share < ENOUGH_SEEN
    }
    panel(drawing, passes, lines, 100, 340, "processor s a second", hollow=hollow)
    own = sorted({figure for one in passes for figure in one["figures"] if figure.startswith("own_")})
    costs = {figure: points(passes, figure, "glissade") for figure in own}
    costs = {figure[4:-3]: line for figure, line in costs.items() if line}
    drawing.text(
        (LEFT + RIGHT) / 2,
        376,
        f"hollow: less than {ENOUGH_SEEN:.0%} of the frames were seen, and those that are dropped cost less",
        colour=FAINT,
        anchor="middle",
    )
    drawing.text(LEFT, 408, "Glissade's own report: median cost of a frame by stage", weight="bold")
    if costs:
        panel(drawing, passes, costs, 420, 580, "ms", labelled=True)
    else:
        drawing.text(LEFT, 440, "not measured", colour=FAINT)
    drawing.text((LEFT + RIGHT) / 2, 626, "window, by its pixels", colour=FAINT, anchor="middle")
    return drawing.finished()


def pixels(one):
    width, height = map(int, one["window"].split("x"))
    return width * height


def points(passes, figure, name):
    return [(pixels(one), summary["median"]) for one in passes if (summary := one["figures"].get(figure, {}).get(name))]


def panel(drawing, passes, lines, top, bottom, unit, labelled=False, hollow=()):
    """Lines over the passes' pixels, labelled at their ends or in the colors of the players."""
    most = max(pixels(one) for one in passes)
    right = RIGHT - (90 if labelled else 20)
    ticks = charts.steps(max((value for line in lines.values() for _, value in line), default=0), 4)
    height = charts.vertical_axis(drawing, LEFT, right, top, bottom, ticks, unit)

    def place(count):
        return LEFT + (right - LEFT) * count / most

    for one in passes:
        x = place(pixels(one))
        drawing.line(x, top, x, bottom, GRID, 1, stroke_dasharray="2 3")
        drawing.text(x, bottom + 17, one["window"].replace("x", "×"), colour=FAINT, anchor="middle", size=11)
    drawing.line(LEFT, bottom, right, bottom, FAINT)
    taken = []
    for (name, line), colour in zip(lines.items(), list(COLOURS.values()) * 3):
        colour = colour if labelled else COLOURS.get(name, INK)
        path = " ".join(f"{place(x):.1f},{height(y):.1f}" for x, y in line)
        drawing.add(
            "polyline",
            points=path,
            fill="none",
            stroke=colour,
            stroke_width=2.5,
            **({} if labelled else charts.dash(name)),
        )
        for x, y in line:
            drawing.add(
                "circle",
                cx=f"{place(x):.1f}",
                cy=f"{height(y):.1f}",
                r=3.5,
                fill="#FFFFFF" if (name, x) in hollow else colour,
                stroke=colour,
                stroke_width=2,
            )
        if labelled and line:
            y = height(line[-1][1])
            while any(abs(y - other) < 13 for other in taken):
                y -= 3
            taken.append(y)
            drawing.text(place(line[-1][0]) + 9, y + 4, f"{name} {line[-1][1]:.2f}", colour=colour)


def frame_rate(clip):
    """The frame rate of a clip by its name."""
    return int(clip.split("-")[0].split("p")[1])


def all_of(results):
    """{file: text} of the charts that have values."""
    drawn = {"intervals.svg": intervals(results), "cpu.svg": cpu(results), "size.svg": size(results)}
    return {name: text for name, text in drawn.items() if text}
