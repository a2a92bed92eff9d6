import unittest

from benching import noise

STAT = "cpu  100 20 30 4000 50 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n"


class NoiseTests(unittest.TestCase):
    def test_waiting_is_not_busy_and_stolen_time_is(self):
        self.assertAlmostEqual(noise.busy(STAT) * noise.TICKS, 100 + 20 + 30 + 6 + 7 + 8)

    def test_an_old_kernel_has_fewer_fields(self):
        self.assertAlmostEqual(noise.busy("cpu 10 0 5 100\n") * noise.TICKS, 15)

    def test_others_are_what_is_not_ours_of_the_whole_machine(self):
        self.assertAlmostEqual(noise.others_share(3, 2, 10, 2), 0.05)
        self.assertEqual(noise.others_share(2, 3, 10, 2), 0)
        self.assertEqual(noise.others_share(100, 0, 10, 2), 1)
        self.assertEqual(noise.others_share(1, 0, 0, 2), 0)

    def test_a_spread_needs_three(self):
        self.assertIsNone(noise.spread([1, 2]))
        self.assertAlmostEqual(noise.spread([1.0, 1.0, 1.1]), 0.1)
        self.assertEqual(noise.spread([1.0] * 9), 0)

    def test_a_single_interruption_among_many_is_no_spread(self):
        self.assertEqual(noise.spread([1.0] * 30 + [5.0]), 0)

    def test_a_quiet_machine_is_compared_on(self):
        found = noise.judge([0.01, 0.02], [0.05], [0.1, 0.101, 0.102])
        self.assertIsNone(found["why"])
        self.assertAlmostEqual(found["others_idle"]["mean"], 0.015)

    def test_a_busy_machine_is_not_and_why_is_said(self):
        for idle, plays, spins, words in [
            ([0.11], [0], [1, 1, 1], "11.0% of it at rest"),
            ([0], [0.5], [1, 1, 1], "50.0% of it during the plays"),
            ([0], [0], [1, 1, 1.2], "varied by 20.0%"),
        ]:
            why = noise.judge(idle, plays, spins)["why"]
            self.assertTrue(why.startswith("the machine was too busy to compare: "), why)
            self.assertIn(words, why)

    def test_bursts_count_however_rare(self):
        self.assertIn("20.0% of it at rest", noise.judge([0, 0, 0, 0, 1], [], [])["why"])

    def test_at_the_limit_it_is_compared(self):
        self.assertIsNone(
            noise.judge([noise.LIMIT_OTHERS], [noise.LIMIT_OTHERS], [1, 1, 1 + noise.LIMIT_SPREAD - 1e-9])["why"]
        )

    def test_nothing_heard_is_no_reason(self):
        self.assertIsNone(noise.judge([], [], [])["why"])

    def test_a_process_that_is_not_there_takes_nothing(self):
        self.assertEqual(noise.process_seconds(2**22 + 1), 0)
