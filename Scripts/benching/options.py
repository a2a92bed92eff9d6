"""The command line."""

import argparse
import os
from pathlib import Path

from services import ROOT, clips_folder

from . import clips, passes, players, scenarios
from .failure import Failure


class Parser(argparse.ArgumentParser):
    """Reports errors in one line."""

    def error(self, message):
        raise Failure(message, 2)


def some_of(what, known):
    def parse(text):
        names = list(dict.fromkeys(text.split(",")))
        if unknown := [name for name in names if name not in known]:
            raise Failure(f"unknown {what}: '{unknown[0]}' (there is {', '.join(known)})", 2)
        return names

    return parse


def positive(what, most=1000):
    def parse(text):
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
            raise Failure(f"{what} is 1 to {most}, not '{text}'", 2)
        return int(text)

    return parse


def parser(description, epilog):
    parse = Parser(
        prog="Scripts/bench",
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parse.add_argument
    add("--peers", action="store_true", help="first install missing players and tools, with apt-get")
    add("--quick", action="store_true", help="one clip, two rounds; no sizes")
    add(
        "--players",
        type=some_of("player", players.PLAYERS),
        default=list(players.PLAYERS),
        metavar="LIST",
        help="some of: " + ",".join(players.PLAYERS),
    )
    add("--only", type=some_of("figure", passes.NAMES), metavar="LIST", help="some of: " + ",".join(passes.NAMES))
    add(
        "--rounds",
        type=positive("--rounds"),
        metavar="N",
        help="runs of each player; fewer for other films and sizes (5)",
    )
    add(
        "--clips",
        type=clips.chosen,
        metavar="LIST",
        help="such as 1080p60-h264-8,2160p30-av1-10; all figures are measured with the first one; or: all",
    )
    add(
        "--threads",
        type=positive("--threads", 64),
        metavar="N",
        help="threads of each player's decoder; excludes Glissade, which has no such option (each player's default)",
    )
    add("--sound", action="store_true", help="with audio, into the null sink of a private sound server")
    add("--force", action="store_true", help="compare even if the machine was too busy; the output says so")
    add("--scenarios", action="store_true", help="Glissade's own scenarios instead: the cost of each stage of a frame")
    add(
        "--scenario-list",
        type=some_of("scenario", scenarios.NAMES),
        default=scenarios.NAMES,
        metavar="LIST",
        help="with --scenarios, some of: " + ",".join(scenarios.NAMES),
    )
    add(
        "--out",
        type=Path,
        default=Path("benchmark-results"),
        metavar="DIR",
        help="where the output goes (benchmark-results)",
    )
    add(
        "--clips-folder",
        type=Path,
        default=clips_folder(),
        metavar="DIR",
        help=f"where films are kept ({clips_folder()})",
    )
    add(
        "--glissade",
        default=os.environ.get("GLISSADE_BINARY", str(ROOT / ".build/release/glissade")),
        metavar="FILE",
        help="the binary",
    )
    add("--witness", default=str(ROOT / ".build/release/witness"), metavar="FILE", help="the witness")
    return parse


def read(arguments, description, epilog):
    options = parser(description, epilog).parse_args(arguments)
    options.rounds = options.rounds or (2 if options.quick else 5)
    if options.clips is None:
        options.clips = [clips.MAIN] if options.quick else [clips.MAIN, *clips.OTHERS]
    if options.quick:
        options.clips = options.clips[:1]
    if options.only is None:
        options.only = [name for name in passes.NAMES if not (options.quick and name in ("size", "clips"))]
    options.left_out, options.paths = [], {}
    return options
