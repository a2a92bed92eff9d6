"""The players, each with the same settings: window, film, audio, threads, and no hardware decoding.

A command is a list of words; None if the player does not support it.
"""

import math
import os
import pwd
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Asked:
    """The settings of one run. `mode` is `play`, or `untimed`: each frame shown, as fast as possible.

    - threads: Of the decoder; None: the player's default.
    """

    clip: object
    path: Path
    size: tuple
    mode: str = "play"
    threads: int = None
    sound: bool = False
    fast_seek: bool = True
    report: Path = None


def first_line(command):
    try:
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (answer.stdout or answer.stderr).strip().splitlines()
    return lines[0].partition(" Copyright")[0].strip() if lines else None


class Player:
    name = title = program = ""
    # Keys that seek 5 s forward: to a keyframe, and exactly.
    seek, exact_seek = "Right", None
    # The user that it runs as; None: the current one.
    user = None

    def __init__(self, program=None):
        self.program = program or self.program

    def is_there(self):
        return shutil.which(str(self.program)) is not None

    def version(self):
        return first_line([self.program, "--version"])

    def command(self, asked):
        raise NotImplementedError


class Glissade(Player):
    name, title = "glissade", "Glissade"
    exact_seek = "Shift_L+Up"

    def command(self, asked):
        if asked.mode == "untimed":
            words = ["bench", "--scenario", "throughput"]
        else:
            words = ["play", "--no-controls", "--no-history", "--no-config", "--position", "0,0", "--exit-at-end"]
        words += ["--size", f"{asked.size[0]}x{asked.size[1]}", "--audio", "pulse" if asked.sound else "none"]
        words += ["--report", asked.report] if asked.report else []
        return [self.program, *words, asked.path]


class Mpv(Player):
    name, title, program = "mpv", "mpv gpu (GLES)", "mpv"
    output = ["--vo=gpu", "--gpu-context=x11egl", "--opengl-es=yes"]
    unpaced = ["--opengl-swapinterval=0"]
    exact_seek = "Shift_L+Up"

    def command(self, asked):
        words = [
            "--no-config",
            *self.output,
            "--hwdec=no",
            "--osc=no",
            "--osd-level=0",
            "--osd-bar=no",
            "--really-quiet",
            "--no-border",
            "--cursor-autohide=no",
            "--resume-playback=no",
            "--sub-auto=no",
            "--audio-file-auto=no",
            f"--geometry={asked.size[0]}x{asked.size[1]}+0+0",
        ]
        if asked.mode == "untimed":
            words += ["--untimed", "--framedrop=no", *self.unpaced]
        words += [f"--vd-lavc-threads={asked.threads}"] if asked.threads else []
        words += ["--ao=pulse"] if asked.sound else ["--no-audio"]
        return [self.program, *words, asked.path]


class MpvX11(Mpv):
    name, title = "mpv-x11", "mpv x11"
    output, unpaced = ["--vo=x11"], []


class Ffplay(Player):
    """It cannot play faster than its clock, nor seek exactly."""

    name, title, program = "ffplay", "ffplay", "ffplay"

    def version(self):
        return first_line([self.program, "-version"])

    def command(self, asked):
        if asked.mode == "untimed":
            return None
        words = ["-loglevel", "error", "-nostats", "-autoexit", "-noborder", "-left", 0, "-top", 0, "-seek_interval", 5]
        words += ["-x", asked.size[0], "-y", asked.size[1]]
        words += ["-threads", asked.threads] if asked.threads else []
        words += [] if asked.sound else ["-an"]
        return [self.program, *words, asked.path]


class Vlc(Player):
    """It refuses to run as root, and then runs as nobody. Its window's size is set by a zoom in thousandths, rounded
    up: there is no other way without its interface."""

    name, title, program = "vlc", "VLC", "vlc"
    seek = exact_seek = "Alt_L+Right"

    def __init__(self, program=None):
        super().__init__(program)
        try:
            self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        except KeyError:
            self.user = None

    def is_there(self):
        return super().is_there() and (os.geteuid() != 0 or self.user is not None)

    def version(self):
        # Even this fails as root.
        path = shutil.which(self.program)
        said = (
            subprocess.run(
                [path, "--version"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=20,
                **({"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}),
            ).stdout
            if path
            else ""
        )
        found = re.search(r"^VLC (?:media player|version) \S+", said, re.M)
        return found[0] if found else None

    def command(self, asked):
        if asked.mode == "untimed":
            return None
        zoom = math.ceil(1000 * asked.size[0] / asked.clip.size[0]) / 1000
        words = [
            "--intf=dummy",
            "--quiet",
            "--play-and-exit",
            "--no-osd",
            "--no-video-title-show",
            "--no-video-deco",
            "--no-spu",
            "--no-snapshot-preview",
            "--no-media-library",
            "--avcodec-hw=none",
            "--video-x=0",
            "--video-y=0",
            "--no-disable-screensaver",
            f"--zoom={zoom:g}",
            "--short-jump-size=5",
        ]
        words += [f"--avcodec-threads={asked.threads}"] if asked.threads else []
        words += ["--input-fast-seek"] if asked.fast_seek else []
        words += ["--aout=pulse"] if asked.sound else ["--no-audio"]
        return [self.program, *words, asked.path]


class DecodeOnly(Player):
    """The upper limit of any player: FFmpeg decodes, and shows nothing."""

    name, title, program = "decode", "decoding alone", "ffmpeg"

    def version(self):
        return first_line([self.program, "-version"])

    def command(self, asked):
        if asked.mode != "untimed":
            return None
        words = ["-nostdin", "-loglevel", "error"] + (["-threads", asked.threads] if asked.threads else [])
        return [self.program, *words, "-i", asked.path, "-map", "0:v:0", "-f", "null", "-"]


# In the order of turns.
PLAYERS = {player.name: player for player in (Glissade, Mpv, MpvX11, Ffplay, Vlc)}
# The Debian packages that they need.
PACKAGES = ["mpv", "ffmpeg", "vlc-bin", "vlc-plugin-base", "vlc-plugin-video-output"]
