import unittest
from pathlib import Path

from benching import clips, passes, players
from benching.failure import Failure
from benching.players import Asked

PATH = Path("/films/film.mp4")


def words(player, **more):
    command = player.command(Asked(clips.MAIN, PATH, (1280, 720), **more))
    return None if command is None else " ".join(map(str, command))


class PlayersTests(unittest.TestCase):
    everybody = [player() for name, player in players.PLAYERS.items() if name != "glissade"] + [
        players.Glissade("glissade")
    ]

    def test_all_play_the_same_file_in_the_same_window(self):
        for player in self.everybody:
            said = words(player)
            self.assertTrue(said.endswith(str(PATH)), said)
            self.assertTrue("1280" in said or "--zoom=0.667" in said, said)

    def test_none_decodes_by_hardware(self):
        self.assertIn("--hwdec=no", words(players.Mpv()))
        self.assertIn("--hwdec=no", words(players.MpvX11()))
        self.assertIn("--avcodec-hw=none", words(players.Vlc()))

    def test_all_are_silent_unless_asked(self):
        for player, option in [
            ("mpv", "--no-audio"),
            ("ffplay", "-an"),
            ("vlc", "--no-audio"),
            ("glissade", "--audio none"),
        ]:
            player = players.PLAYERS[player]("x")
            self.assertIn(option, words(player))
            self.assertNotIn(option, words(player, sound=True))

    def test_who_cannot_play_untimed_has_no_command_for_it(self):
        able = {player.name for player in self.everybody if words(player, mode="untimed")}
        self.assertEqual(able, {"glissade", "mpv", "mpv-x11"})

    def test_decoding_alone_is_only_untimed(self):
        self.assertIsNone(words(players.DecodeOnly()))
        self.assertIn("-f null -", words(players.DecodeOnly(), mode="untimed"))

    def test_threads_are_told_to_all_that_can_be(self):
        for player in (*self.everybody, players.DecodeOnly()):
            if player.name == "glissade":
                continue
            said = words(player, threads=3, mode="untimed" if player.name == "decode" else "play")
            self.assertRegex(said, r"threads[= ]3\b")


class ClipsTests(unittest.TestCase):
    def test_there_is_one_of_each_shape_codec_and_depth(self):
        self.assertEqual(len(clips.ALL), 4 * 4 * 2)
        self.assertEqual(clips.chosen("all"), list(clips.ALL.values()))

    def test_the_main_one_is_20_s_of_1080p60(self):
        self.assertEqual((clips.MAIN.name, clips.MAIN.frames), ("1080p60-h264-8", 1200))

    def test_the_default_ones_have_each_codec_shape_and_depth(self):
        chosen = (clips.MAIN, *clips.OTHERS)
        for attribute, all_of in (("shape", clips.SHAPES), ("codec", clips.CODECS), ("depth", clips.DEPTHS)):
            self.assertEqual({getattr(clip, attribute) for clip in chosen}, set(all_of))

    def test_a_clip_of_no_such_name_is_refused(self):
        for name in ("", "x", "1080p60-h264", "1080p60-h264-8,", "1080p60-h264-12"):
            with self.assertRaises(Failure) as caught:
                clips.chosen(name)
            self.assertEqual(caught.exception.status, 2)

    def test_a_clip_named_twice_is_one(self):
        self.assertEqual(clips.chosen("720p25-vp9-8,720p25-vp9-8"), [clips.ALL["720p25-vp9-8"]])

    def test_ffmpeg_is_told_codec_depth_and_length(self):
        for clip in clips.ALL.values():
            said = " ".join(clips.command(clip, "in", "out"))
            self.assertIn(f"-frames:v {clip.frames} ", said)
            self.assertIn(clips.ENCODERS[clip.codec][0], said)
            self.assertEqual("yuv420p10le[out]" in said, clip.depth == 10)


class PassesTests(unittest.TestCase):
    def test_a_seek_of_5_s_has_room_in_the_film(self):
        for clip in clips.ALL.values():
            # 5 s and a keyframe distance, after a second of play, and a second to be seen.
            self.assertLessEqual(passes.seeks(clip) * (1 + 5 + clips.KEYFRAME_SECONDS) + 1, clip.seconds)

    def test_only_glissade_s_page_is_dragged(self):
        everybody = [player("x") for player in players.PLAYERS.values()]
        one = passes.Pass("drag", clips.MAIN, passes.FULL, 5)
        self.assertEqual([player.name for player in one.players(everybody, players.DecodeOnly())], ["glissade"])

    def test_a_hand_is_for_glissade_alone(self):
        one = passes.Pass("drag", clips.MAIN, passes.FULL, 5)
        self.assertEqual(one.players([players.Mpv()], None), [])
        self.assertEqual([player.name for player in one.players([players.Glissade(), players.Mpv()], None)], ["glissade"])

    def test_the_limit_is_shown_beside_what_is_untimed(self):
        one = passes.Pass("untimed", clips.MAIN, passes.WINDOW, 5, "untimed")
        self.assertEqual(one.players([], players.DecodeOnly())[-1].name, "decode")
