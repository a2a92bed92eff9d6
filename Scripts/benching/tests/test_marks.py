import unittest

from benching import marks


class MarksTests(unittest.TestCase):
    def test_a_number_is_framed_by_white_and_black(self):
        for number in (0, 1, 1199, 0xFFFF):
            bands = marks.bands(number)
            self.assertEqual(len(bands), marks.BANDS)
            self.assertEqual((bands[:2], bands[-2:]), ([True, False], [False, True]))

    def test_the_number_stands_highest_bit_first(self):
        self.assertEqual(marks.bands(0x8001)[2:18], [True] + [False] * 14 + [True])

    def test_the_check_is_a_crc_of_four_bits(self):
        def remainder(bits):
            """Of the polynomial's long division, as it is done on paper; begun with ones over the first four."""
            bits = [bit ^ (place < 4) for place, bit in enumerate(bits + [0] * 4)]
            for place in range(len(bits) - 4):
                if bits[place]:
                    for offset in (0, 3, 4):
                        bits[place + offset] ^= 1
            return int("".join(map(str, bits[-4:])), 2)

        for number in (0, 1, 2, 255, 0x5555, 0xAAAA, 0xFFFF):
            self.assertEqual(marks.check(number), remainder([number >> place & 1 for place in range(15, -1, -1)]))

    def test_no_two_numbers_look_alike(self):
        self.assertEqual(len({tuple(marks.bands(number)) for number in range(2000)}), 2000)

    def test_what_has_no_16_bits_is_refused(self):
        for number in (-1, marks.LIMIT):
            with self.assertRaises(ValueError):
                marks.bands(number)

    def test_a_strip_has_a_byte_for_each_band_of_each_frame(self):
        strip = marks.strip(3)
        self.assertEqual(len(strip), 3 * marks.BANDS)
        self.assertEqual(set(strip), {marks.WHITE, marks.BLACK})

    def test_wherever_the_picture_is_drawn_to_a_column_lies_in_the_strip(self):
        columns = [float(part.rstrip("%")) / 100 for part in marks.columns_in_motion().split(",")]
        for shift in range(0, 86):
            left = shift / 100
            inside = [column for column in columns if left + 0.005 < column < left + marks.STRIP - 0.005]
            self.assertTrue(inside, f"moved by {shift} %")
