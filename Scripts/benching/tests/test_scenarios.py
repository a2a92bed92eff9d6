import unittest

from benching import noise, scenarios

MACHINE = {"processor": "P", "cpus": 2, "kernel": "6", "gl_renderer": None}


def report(draw=1.0, **more):
    times = {"p50": draw, "p95": 2, "p99": 3, "max": 4}
    return {
        "cost_ms": {"draw": times, "swap": None, **more},
        "video": {"due": 10, "shown": 9, "dropped": 1},
        "present": {"interval_ms": None},
        "cpu_seconds": 1.0,
        "wall_seconds": 4.0,
    }


class ScenariosTests(unittest.TestCase):
    def table(self, reports, why=None, forced=False):
        judged = noise.judge([], [], []) | {"why": why}
        return scenarios.table({"rest": scenarios.summed_up(reports)}, judged, len(reports), MACHINE, forced)

    def test_a_stage_that_the_report_does_not_know_is_no_column(self):
        text = self.table([report()])
        self.assertIn("draw, ms", text)
        self.assertNotIn("decode, ms", text)
        self.assertNotIn("swap, ms", text)

    def test_one_that_it_knows_is(self):
        times = {"p50": 0.25, "p95": 1, "p99": 1.5, "max": 2}
        text = self.table([report(decode=times, novelty=times)])
        self.assertIn("0.25 / 1.50", text)
        self.assertIn("novelty, ms", text)
        header = next(line for line in text.splitlines() if "draw, ms" in line)
        self.assertLess(header.index("decode"), header.index("draw"))

    def test_medians_are_of_the_rounds(self):
        self.assertIn("2.00 / 3.00", self.table([report(1), report(2), report(9)]))

    def test_an_empty_report_is_dashes(self):
        self.assertIn("– of –", self.table([{}]))

    def test_a_busy_machine_is_not_compared_unless_forced(self):
        self.assertNotIn("draw", self.table([report()], "the machine was too busy to compare: x"))
        self.assertIn("Not to be quoted", self.table([report()], "the machine was too busy to compare: x", True))
