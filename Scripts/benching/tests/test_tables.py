import json
import unittest

from benching import results as written
from benching import tables
from benching.tests.samples import pass_result, results


class TablesTests(unittest.TestCase):
    def test_what_was_not_measured_is_a_dash(self):
        self.assertEqual(tables.cell(None, "{:.1f}"), "–")

    def test_one_value_has_no_spread(self):
        self.assertEqual(tables.cell({"median": 0.5, "min": 0.5, "max": 0.5, "count": 1}, "{:.1f}", 100), "50.0")

    def test_several_have_least_and_most(self):
        self.assertEqual(tables.cell({"median": 2, "min": 1, "max": 3, "count": 5}, "{:.0f}"), "2 (1–3)")

    def test_a_grid_is_markdown_and_its_bars_are_below_one_another(self):
        lines = tables.grid(["", "b"], [["x|y", "1"], ["z", "22222"]]).splitlines()
        self.assertEqual(len({len(line) for line in lines}), 1)
        self.assertIn("x\\|y", lines[2])
        self.assertTrue(lines[1].endswith(":|"))

    def test_a_player_that_cannot_do_it_has_a_dash_in_the_row(self):
        text = tables.table(
            results(
                [
                    pass_result(
                        "untimed", "untimed", values={"fps": {"glissade": [100, 110, 120], "ffplay": [None, None]}}
                    )
                ]
            )
        )
        row = next(line for line in text.splitlines() if line.startswith("| frames/s"))
        self.assertEqual([part.strip() for part in row.split("|")[2:-1]], ["110 (100–120)", "–"])

    def test_what_was_left_out_and_noted_is_said(self):
        text = tables.table(results([pass_result(values={"cpu_s": {"glissade": [1]}}, notes=["ffplay: hung"])]))
        self.assertIn("Left out: VLC: not installed.", text)
        self.assertIn("ffplay: hung", text)

    def test_a_refused_comparison_has_no_figures(self):
        one = pass_result(values={"cpu_s": {"glissade": [1]}})
        text = tables.table(results([one], why="the machine was too busy to compare: x"))
        self.assertIn("The machine was too busy to compare: x.", text)
        self.assertNotIn("processor time", text)

    def test_a_forced_one_is_marked(self):
        one = pass_result(values={"cpu_s": {"glissade": [1]}})
        text = tables.table(results([one], why="the machine was too busy to compare: x", is_forced=True))
        self.assertIn("**Not to be quoted:**", text)
        self.assertIn("processor time", text)

    def test_a_run_that_did_not_end_says_so(self):
        self.assertIn("did not come to its end", tables.table(results(is_interrupted=True)))

    def test_json_says_null_where_nothing_was_measured(self):
        one = pass_result("untimed", values={"fps": {"ffplay": [None, None]}})
        self.assertIsNone(json.loads(written.as_json(results([one])))["passes"][0]["figures"]["fps"]["ffplay"])
