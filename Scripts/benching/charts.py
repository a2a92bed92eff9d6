"""SVG charts of results.json, hand-written, on a white panel, so that they are readable on a dark page."""

from xml.sax.saxutils import escape

# Distinguishable for color-blind readers (Okabe and Ito).
COLOURS = {
    "glissade": "#0072B2",
    "mpv": "#D55E00",
    "mpv-x11": "#E69F00",
    "ffplay": "#009E73",
    "vlc": "#CC79A7",
    "decode": "#7F7F7F",
}
DASHES = {"mpv-x11": "6 3", "ffplay": "2 3", "vlc": "8 3 2 3", "decode": "1 3"}
INK, FAINT, GRID = "#222222", "#666666", "#DDDDDD"


class Drawing:
    """An SVG under construction, in pixels."""

    def __init__(self, width, height, title, subtitle):
        self.width, self.height = width, height
        self.parts = []
        self.text(24, 32, title, size=17, weight="bold")
        self.text(24, 53, subtitle, colour=FAINT)

    def add(self, name, words=None, **attributes):
        pairs = " ".join(
            f'{key.replace("_", "-")}="{escape(str(value), {chr(34): "&quot;"})}"' for key, value in attributes.items()
        )
        self.parts.append(f"<{name} {pairs}/>" if words is None else f"<{name} {pairs}>{escape(words)}</{name}>")

    def text(self, x, y, words, size=12, colour=INK, anchor="start", weight="normal", turn=None):
        more = {"transform": f"rotate({turn} {x:g} {y:g})"} if turn else {}
        self.add(
            "text",
            words,
            x=f"{x:g}",
            y=f"{y:g}",
            font_size=size,
            fill=colour,
            text_anchor=anchor,
            font_weight=weight,
            **more,
        )

    def line(self, x1, y1, x2, y2, colour=GRID, width=1, **more):
        self.add(
            "line",
            x1=f"{x1:.1f}",
            y1=f"{y1:.1f}",
            x2=f"{x2:.1f}",
            y2=f"{y2:.1f}",
            stroke=colour,
            stroke_width=width,
            **more,
        )

    def rectangle(self, x, y, width, height, colour):
        self.add(
            "rect",
            x=f"{x:.1f}",
            y=f"{y:.1f}",
            width=f"{max(0, width):.1f}",
            height=f"{max(0, height):.1f}",
            fill=colour,
        )

    def finished(self):
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="Inter, DejaVu Sans, sans-serif">'
        )
        panel = f'<rect width="{self.width}" height="{self.height}" rx="8" fill="#FFFFFF"/>'
        return "\n".join([head, panel, *self.parts, "</svg>"]) + "\n"


def steps(most, count=5):
    """Returns about `count` round numbers from 0 to `most` or a little more."""
    if most <= 0:
        return [0, 1]
    rough = most / count
    unit = 1.0
    while unit > rough:
        unit /= 10
    while unit * 10 <= rough:
        unit *= 10
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
    last = 1
    while last * step < most * 0.999:
        last += 1
    return [round(index * step, 10) for index in range(last + 1)]


def vertical_axis(drawing, left, right, top, bottom, ticks, name):
    """Draws a vertical axis. - Returns: A function from a value to its position."""

    def place(value):
        return bottom - (bottom - top) * min(1, value / ticks[-1])

    for tick in ticks:
        drawing.line(left, place(tick), right, place(tick))
        drawing.text(left - 8, place(tick) + 4, f"{tick:g}", colour=FAINT, anchor="end")
    drawing.text(left - 46, (top + bottom) / 2, name, colour=FAINT, anchor="middle", turn=-90)
    return place


def legend(drawing, x, y, names, titles):
    for name in names:
        drawing.line(x, y - 4, x + 26, y - 4, COLOURS.get(name, INK), 3, **dash(name))
        drawing.text(x + 32, y, titles[name])
        x += 48 + 7.2 * len(titles[name])


def dash(name):
    return {"stroke_dasharray": DASHES[name]} if name in DASHES else {}


def subtitle(results, more):
    mark = "NOT TO BE QUOTED: the machine was busy. " if results["comparison"]["why"] else ""
    return f"{mark}{more}; {results['machine']['processor'] or 'unknown processor'}, {results['machine']['cpus']} CPUs"


def titles_of(results):
    return {name: player["title"] for name, player in results["players"].items()}


def passes_of(results, name, mode="play"):
    return [one for one in results["passes"] if one["name"] == name and one["mode"] == mode]
