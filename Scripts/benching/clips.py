"""The films: their names, and the FFmpeg commands that create them.

They show a fractal under a slow pan, with another one that turns and drifts in front of it, a field of growing cells, and
noise in every frame: detail and motion that cost a decoder as much as a real film, without repetition. A strip at the left
carries the frame's number (`marks`). 10-bit films are made from 8 bits: they cost a decoder as much as others,
and their shades are not judged here.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from . import marks
from .failure import Failure

SHAPES = {
    "1080p60": (1920, 1080, 60),
    "2160p30": (3840, 2160, 30),
    "1080p24": (1920, 1080, 24),
    "720p25": (1280, 720, 25),
}
CODECS = ("h264", "hevc", "vp9", "av1")
DEPTHS = (8, 10)
KEYFRAME_SECONDS = 2
# Seconds of the main film, and of the others.
MAIN_SECONDS, OTHER_SECONDS = 20, 10
# Bit/s per pixel and frame: 8 Mbit/s for 1080p60.
BITS_PER_PIXEL = 0.064

ENCODERS = {
    "h264": ["libx264", "-preset", "veryfast"],
    "hevc": ["libx265", "-preset", "superfast", "-x265-params", "log-level=error", "-tag:v", "hvc1"],
    "vp9": ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1", "-tile-columns", "2"],
    "av1": ["libsvtav1", "-preset", "12"],
}


@dataclass(frozen=True)
class Clip:
    shape: str
    codec: str
    depth: int

    @property
    def name(self):
        return f"{self.shape}-{self.codec}-{self.depth}"

    @property
    def size(self):
        return SHAPES[self.shape][:2]

    @property
    def rate(self):
        return SHAPES[self.shape][2]

    @property
    def seconds(self):
        return MAIN_SECONDS if self == MAIN else OTHER_SECONDS

    @property
    def frames(self):
        return self.rate * self.seconds

    @property
    def file(self):
        # Increase the number when the content changes: an existing file is not created again.
        return f"bench-2-{self.name}-{self.seconds}s.{'webm' if self.codec == 'vp9' else 'mp4'}"


MAIN = Clip("1080p60", "h264", 8)
# One of each codec, shape and bit depth, and demanding ones.
OTHERS = (Clip("1080p60", "hevc", 10), Clip("1080p24", "vp9", 8), Clip("720p25", "av1", 10), Clip("2160p30", "h264", 8))
ALL = {clip.name: clip for clip in (Clip(*of) for of in ((s, c, d) for s in SHAPES for c in CODECS for d in DEPTHS))}


def chosen(text):
    """Returns the clips for a list of names; `all` means every clip."""
    if text == "all":
        return list(ALL.values())
    names = text.split(",")
    if unknown := [name for name in names if name not in ALL]:
        raise Failure(
            f"unknown clip: '{unknown[0]}' (SHAPE-CODEC-DEPTH of "
            f"{', '.join(SHAPES)}; {', '.join(CODECS)}; 8, 10; or all)",
            2,
        )
    return [ALL[name] for name in dict.fromkeys(names)]


def filters(clip):
    """The filter graph that combines the strip (input 0), the two fractals (1, 2) and the cells (3)."""
    width, height = clip.size
    small, strip = height // 2 // 2 * 2, int(width * marks.STRIP) // 2 * 2
    return ";".join(
        [
            f"[1]loop=-1:1,fps={clip.rate},setpts=N/{clip.rate}/TB,crop={width}:{height}"
            ":'(iw-ow)/2*(1+sin(t*0.9))':'(ih-oh)/2*(1+cos(t*0.7))'[far]",
            f"[2]loop=-1:1,fps={clip.rate},setpts=N/{clip.rate}/TB,scale={small}:{small},format=yuva420p,"
            "rotate=t*0.6:c=none[turning]",
            f"[3]scale={small}:{small // 2 // 2 * 2}:flags=bicubic,format=yuv420p[cells]",
            "[far][turning]overlay=x='(W-w)/2*(1+sin(t*1.1))':y='(H-h)/2*(1+cos(t*1.3))':shortest=1[two]",
            "[two][cells]overlay=x='(W-w)/2*(1+cos(t*0.8))':y='(H-h)/2*(1-sin(t*0.5))':shortest=1[three]",
            # By frame number: with differently rounded times, one frame in a hundred would get its neighbor's number.
            f"[three]format=yuv420p,noise=c0s=9:c0f=t:c1s=4:c1f=t:c2s=4:c2f=t,settb=1/{clip.rate},setpts=N[noisy]",
            f"[0]scale={strip}:{height}:flags=neighbor:out_range=tv,format=yuv420p,settb=1/{clip.rate},setpts=N[strip]",
            f"[noisy][strip]overlay=0:0:shortest=1,format={'yuv420p10le' if clip.depth == 10 else 'yuv420p'}[out]",
        ]
    )


def command(clip, strip, target):
    """The FFmpeg command that creates it."""
    width, height = clip.size
    bits = int(width * height * clip.rate * BITS_PER_PIXEL)
    profile = {"h264": ["-profile:v", "high10" if clip.depth == 10 else "high"]}.get(clip.codec, [])
    fractal = "mandelbrot=rate=1:maxiter=400:size={}x{}:start_x={}:start_y={}:start_scale={}"
    rates = ["-b:v", bits] + ([] if clip.codec == "av1" else ["-maxrate", bits * 3 // 2, "-bufsize", bits * 2])
    return [
        str(word)
        for word in [
            "ffmpeg",
            "-nostdin",
            "-loglevel",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pixel_format",
            "gray",
            "-video_size",
            f"1x{marks.BANDS}",
            "-framerate",
            clip.rate,
            "-i",
            strip,
            "-f",
            "lavfi",
            "-i",
            fractal.format(width * 3 // 2, height * 3 // 2, -0.743643887, -0.131825904, 0.004),
            "-f",
            "lavfi",
            "-i",
            fractal.format(height // 2, height // 2, -0.1, 0.8383, 0.02),
            "-f",
            "lavfi",
            "-i",
            f"life=size=160x80:rate={clip.rate}:mold=10:ratio=0.3:seed=7:life_color=#E0D060"
            ":death_color=#803020:mold_color=#203050",
            "-f",
            "lavfi",
            "-i",
            "sine=frequency=440:sample_rate=48000,volume=0.1",
            "-filter_complex",
            filters(clip),
            "-map",
            "[out]",
            "-map",
            "4:a",
            "-frames:v",
            clip.frames,
            "-t",
            clip.seconds,
            "-r",
            clip.rate,
            "-c:v",
            *ENCODERS[clip.codec],
            *profile,
            *rates,
            "-g",
            KEYFRAME_SECONDS * clip.rate,
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-color_range",
            "tv",
            "-c:a",
            "libopus" if clip.codec == "vp9" else "aac",
            "-b:a",
            "128k",
            "-ac",
            2,
            *([] if clip.codec == "vp9" else ["-movflags", "+faststart"]),
            target,
        ]
    ]


def made(clip, folder, run=subprocess.run):
    """Creates it if it is missing. - Returns: Its path."""
    path = folder / clip.file
    if path.exists() and path.stat().st_size:
        return path
    if not shutil.which("ffmpeg"):
        raise Failure("ffmpeg is missing, and no clip can be made without it (Scripts/bench --peers installs it)")
    print(f"Making {path}", file=sys.stderr)
    strip, unfinished = (path.with_suffix(f".{os.getpid()}{end}") for end in (".raw", path.suffix))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        strip.write_bytes(marks.strip(clip.frames))
        result = run(command(clip, strip, unfinished), capture_output=True, text=True, errors="replace")
        if result.returncode:
            words = re.sub(r"\s+", " ", result.stderr or "").strip()
            raise Failure(f"ffmpeg could not make {clip.name}: {words[-300:] or f'status {result.returncode}'}")
        unfinished.rename(path)
    except OSError as problem:
        raise Failure(f"cannot write clips to {folder}: {problem.strerror}") from problem
    finally:
        strip.unlink(missing_ok=True)
        unfinished.unlink(missing_ok=True)
    return path
