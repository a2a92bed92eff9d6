import unittest
from xml.etree import ElementTree

from benching import charts, figures, graphs
from benching.tests.samples import pass_result, results

SVG = "{http://www.w3.org/2000/svg}"


def play(window="1280x720", name="play", players=("glissade", "ffplay")):
    return pass_result(
        name,
        window=window,
        values={
            "cpu_s": {player: [8, 9, 10] for player in players},
            "server_cpu_s": {player: [1] for player in players},
            "cpu_per_second": {player: [0.4] for player in players},
            "interval_p99_ms": {player: [20] for player in players},
            "interval_max_ms": {player: [30] for player in players},
            "own_draw_ms": {"glissade": [1.5]},
        },
        histograms={player: figures.histogram([16.7] * 99 + [120]) for player in players},
    )


class ChartsTests(unittest.TestCase):
    def test_steps_are_round_and_reach_the_most(self):
        for most in (0.003, 0.4, 1, 7, 9.99, 23, 100, 271, 26371):
            ticks = charts.steps(most)
            self.assertEqual(ticks[0], 0)
            self.assertGreaterEqual(ticks[-1], most * 0.99)
            self.assertLess(ticks[-1], most * 2)
            self.assertTrue(3 <= len(ticks) <= 8, f"{most}: {ticks}")

    def test_steps_of_nothing(self):
        self.assertEqual(charts.steps(0), [0, 1])

    def test_all_are_whole_svg_on_a_white_panel_with_a_title(self):
        drawn = graphs.all_of(results([play(), play("640x360", "size")]))
        self.assertEqual(set(drawn), {"intervals.svg", "cpu.svg", "size.svg"})
        for name, text in drawn.items():
            root = ElementTree.fromstring(text)
            self.assertEqual(root[0].get("fill"), "#FFFFFF", name)
            words = [part.text for part in root.iter(SVG + "text")]
            self.assertIn("Glissade", " ".join(words), name)
            self.assertIn("A <fast> & wide one", " ".join(words), name)

    def test_nothing_lies_outside_of_its_picture(self):
        for name, text in graphs.all_of(results([play(), play("640x360", "size"), play("1920x1080", "full")])).items():
            root = ElementTree.fromstring(text)
            width, height = float(root.get("width")), float(root.get("height"))
            for part in root.iter():
                for key, most in (
                    ("x", width),
                    ("y", height),
                    ("x1", width),
                    ("x2", width),
                    ("y1", height),
                    ("y2", height),
                ):
                    if part.get(key):
                        self.assertTrue(0 <= float(part.get(key)) <= most, f"{name}: {ElementTree.tostring(part)}")

    def test_of_nothing_there_is_no_chart(self):
        self.assertEqual(graphs.all_of(results()), {})
        empty = pass_result(values={"cpu_s": {"ffplay": [None]}}, histograms={"ffplay": None})
        self.assertEqual(graphs.all_of(results([empty])), {})

    def test_one_size_is_no_line(self):
        self.assertNotIn("size.svg", graphs.all_of(results([play()])))

    def test_a_chart_of_a_busy_machine_says_so(self):
        busy = results([play()], why="the machine was too busy to compare: x", is_forced=True)
        for text in graphs.all_of(busy).values():
            self.assertIn("NOT TO BE QUOTED", text)

    def test_the_film_s_rate_is_in_its_name(self):
        self.assertEqual(
            [graphs.frame_rate(name) for name in ("1080p60-h264-8", "2160p30-av1-10", "720p25-vp9-8")], [60, 30, 25]
        )
