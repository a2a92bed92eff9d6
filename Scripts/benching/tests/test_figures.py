import unittest

from benching import figures


class FiguresTests(unittest.TestCase):
    def test_a_summary_is_median_and_spread_of_what_was_measured(self):
        found = figures.summary([3, None, 1, float("nan"), 2])
        self.assertEqual((found["median"], found["min"], found["max"], found["count"]), (2, 1, 3, 3))

    def test_nothing_measured_is_none_and_never_zero(self):
        for nothing in ([], [None], [float("inf")]):
            self.assertIsNone(figures.summary(nothing))
        self.assertIsNone(figures.percentile([], 0.5))
        self.assertEqual(set(figures.pace([], 16).values()), {None})

    def test_zero_measured_is_zero(self):
        self.assertEqual(figures.summary([0, 0])["median"], 0)

    def test_percentiles_are_the_witness_s(self):
        values = list(range(100, 0, -1))
        self.assertEqual(
            [figures.percentile(values, share) for share in (0, 0.5, 0.95, 0.99, 1)], [1, 51, 96, 100, 100]
        )

    def test_intervals_are_in_milliseconds(self):
        self.assertEqual(figures.intervals([0, 16_000_000, 50_000_000]), [16, 34])
        self.assertEqual(figures.intervals([7]), [])

    def test_a_freeze_is_longer_than_three_frames_and_than_50_ms(self):
        self.assertEqual(figures.pace([16, 49, 51, 200], 1000 / 60)["freezes"], 2)
        self.assertEqual(figures.pace([41, 84, 124, 126], 1000 / 24)["freezes"], 1)

    def test_a_histogram_keeps_what_is_beyond_its_end(self):
        counts = figures.histogram([0, 0.9, 1, 16.6, 99.9, 100, 27_000])
        self.assertEqual((counts[0], counts[1], counts[16], counts[99], counts[100]), (2, 1, 1, 1, 2))
        self.assertEqual(sum(counts), 7)

    def test_histograms_are_added_bar_by_bar(self):
        self.assertEqual(figures.added([[1, 2], [], [3, 4]]), [4, 6])
        self.assertIsNone(figures.added([]))

    def test_each_frame_counts_once_however_often_it_is_seen(self):
        shown = figures.frames_shown([(1, None), (2, 0), (3, None), (4, 0), (5, 2), (6, 1), (7, 2)], 4)
        self.assertEqual((shown["seen"], shown["backwards"], shown["share"]), (3, 1, 0.75))
        self.assertEqual(shown["times"], [2, 5, 6, 7])

    def test_of_no_frames_due_there_is_no_share(self):
        self.assertIsNone(figures.frames_shown([], 0)["share"])
        self.assertEqual(figures.frames_shown([], 10)["share"], 0)
