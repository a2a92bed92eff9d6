import array
import math
import unittest

from recorder import Recording
from services import SAMPLE_RATE
from syncing import ticks
from syncing.clips import NUMBERS, TICK, TRACKS, pitch


def recorded(*sounds, origin=0):
    """- sounds: (second, track, number, from, to) of each piece of a tick, the last two in seconds of the tick."""
    recording = Recording()
    end = max(second for second, *_ in sounds) + 1
    recording.samples = array.array("h", bytes(2 * int(end * SAMPLE_RATE)))
    for second, track, number, begin, stop in sounds:
        first = int(second * SAMPLE_RATE)
        for place in range(int(begin * SAMPLE_RATE), int(stop * SAMPLE_RATE)):
            wave = math.sin(2 * math.pi * pitch(track, number) * place / SAMPLE_RATE)
            recording.samples[first + place - int(begin * SAMPLE_RATE)] = int(26000 * wave)
    # Reports of a server that is a block late now and then.
    for count in range(int(end * 20)):
        sample = count * SAMPLE_RATE // 20
        late = 5_000_000 if count % 3 == 0 else 0
        recording.reports.append((origin + sample * 1_000_000_000 // SAMPLE_RATE + late, sample, 5000))
    recording.settle()
    return recording


class TicksTests(unittest.TestCase):
    def test_each_tick_is_told_by_its_pitch(self):
        sounds = [
            (1 + (NUMBERS * track + number) / 4, track, number, 0, TICK) for track in range(TRACKS) for number in range(NUMBERS)]
        found = ticks.find([recorded(*sounds, origin=7_000_000_000)])
        self.assertEqual([(tick.track, tick.number) for tick in found], [sound[1:3] for sound in sounds])
        for tick, (second, *_) in zip(found, sounds):
            self.assertAlmostEqual(tick.time / 1e6, 7000 + second * 1000, delta=0.5)
            self.assertFalse(tick.is_cut)

    def test_what_a_pause_halves_is_one_tick(self):
        (tick,) = ticks.find([recorded((1, 0, 3, 0, 0.012), (3, 0, 3, 0.012, TICK))])
        self.assertAlmostEqual(tick.times[0] / 1e6, 1000, delta=0.5)
        self.assertAlmostEqual(tick.times[1] / 1e6, 2988, delta=1)

    def test_what_a_change_of_track_halves_is_one_tick(self):
        (tick,) = ticks.find([recorded((1, 0, 3, 0, 0.012), (1.0125, 1, 3, 0.0125, TICK))], joined=0.1)
        self.assertEqual(tick.number, 3)

    def test_a_tick_heard_twice_is_two(self):
        self.assertEqual(len(ticks.find([recorded((1, 0, 3, 0, TICK), (1.05, 0, 3, 0, TICK))])), 2)

    def test_stretched_sound_is_one_tick(self):
        self.assertEqual(len(ticks.find([recorded((1, 0, 3, 0, 0.002), (1.03, 0, 3, 0, TICK))], joined=0.1)), 1)


if __name__ == "__main__":
    unittest.main()
