import unittest

from syncing import flashes
from syncing.clips import FLASH_FRAMES, NUMBERS, RATE
from syncing.flashes import Row
from syncing.matching import Event, match
from syncing.scenarios import place_events
from syncing.ticks import Tick

FRAME = 1_000_000_000 // RATE
SECOND = 1_000_000_000


def rows(first, last, begin, is_due=True):
    """Frames of one stretch, each shown in its time."""
    shown = [(begin + (frame - first) * FRAME, frame) for frame in range(first, last)]
    return [Row(time, time if is_due or frame > first else None, frame) for time, frame in shown]


def tick(time, number, length=0.02):
    return Tick(time, length, 0, number)


class FlashesTests(unittest.TestCase):
    def test_flashes_are_numbered_by_their_frames(self):
        found = flashes.find(rows(0, 20 * RATE, 5 * SECOND))
        self.assertEqual([flash.number for flash in found], [number % NUMBERS for number in range(40)])
        self.assertEqual([flash.times for flash in found[:2]], [[5 * SECOND], [5 * SECOND + FLASH_FRAMES * FRAME]])

    def test_a_dropped_flash_is_dated_by_its_neighbours(self):
        shown = [row for row in rows(0, 60, 0) if row.frame != FLASH_FRAMES]
        flash = flashes.find(shown)[1]
        self.assertTrue(flash.was_dropped)
        self.assertAlmostEqual(flash.times[0], FLASH_FRAMES * FRAME, delta=10)

    def test_a_flash_dropped_about_a_pause_is_dated_by_either_neighbour(self):
        shown = rows(0, FLASH_FRAMES, 0) + rows(FLASH_FRAMES + 1, 60, 5 * SECOND)
        flash = flashes.find(shown, pauses=[(FLASH_FRAMES * FRAME, 5 * SECOND)])[1]
        self.assertTrue(flash.was_dropped)
        self.assertAlmostEqual(flash.times[0], FLASH_FRAMES * FRAME, delta=100)
        self.assertAlmostEqual(flash.times[1], 5 * SECOND - FRAME, delta=100)

    def test_what_a_seek_shows_at_once_counts_when_it_moves_on(self):
        shown = rows(0, 60, SECOND, is_due=False)
        shown[0].visible -= SECOND // 2
        self.assertAlmostEqual(flashes.find(shown)[0].times[0], SECOND, delta=10)

    def test_a_flash_that_is_paused_counts_when_it_comes_and_when_it_moves_on(self):
        shown = rows(0, FLASH_FRAMES + 1, 0) + rows(FLASH_FRAMES + 1, 60, 5 * SECOND)
        came, moved = flashes.find(shown, pauses=[(SECOND, 5 * SECOND)])[1].times
        self.assertAlmostEqual(came, FLASH_FRAMES * FRAME, delta=10)
        self.assertAlmostEqual(moved, 5 * SECOND - FRAME, delta=10)

    def test_files_go_on_counting(self):
        found = flashes.find(rows(0, 60, 0) + rows(0, 60, SECOND), frames_a_file=60)
        self.assertEqual([flash.number for flash in found], [0, 1, 2, 3])

    def test_rounds_count_from_the_start(self):
        found = flashes.find(rows(0, 120, 0), frames_a_round=60)
        self.assertEqual([flash.number for flash in found], [0, 1, 0, 1])


class MatchingTests(unittest.TestCase):
    def setUp(self):
        self.flashes = flashes.find(rows(0, 120, 0))

    def ticks(self, late):
        return [tick(flash.times[0] + late, flash.number) for flash in self.flashes]

    def test_a_tick_is_compared_with_its_own_flash_and_not_with_the_nearest(self):
        result = match(self.flashes, self.ticks(300_000_000))
        self.assertEqual([round(offset) for offset in result.offsets], [300] * 4)
        self.assertEqual(round(result.worst), 300)

    def test_a_lost_and_a_doubled_tick_show(self):
        heard = self.ticks(0)
        lost = heard.pop(1)
        heard.append(tick(heard[0].time + 100_000_000, heard[0].number))
        result = match(self.flashes, heard)
        self.assertEqual([flash.number for flash in result.flashes], [lost.number])
        self.assertEqual(len(result.ticks), 1)
        self.assertEqual(len(result.pairs), 3)

    def test_a_seek_cuts_off_what_is_around_it_only(self):
        shown = rows(0, 62, 0) + rows(600, 660, 2 * SECOND, is_due=False)
        seek = Event("seek", SECOND + FRAME)
        place_events([seek], shown)
        found = flashes.find(shown)
        # The flash just before the seek has none, nor has the last one.
        heard = [tick(flash.times[0], flash.number) for flash in found if flash.second not in (1, 10.5)]
        result = match(found, heard, [seek])
        self.assertEqual([flash.second for flash, _ in result.cut], [1])
        self.assertEqual([flash.second for flash in result.flashes], [10.5])

    def test_a_tick_without_a_pitch_has_no_flash(self):
        result = match(self.flashes, self.ticks(0) + [tick(100_000_000, None)])
        self.assertEqual(len(result.ticks), 1)


if __name__ == "__main__":
    unittest.main()
