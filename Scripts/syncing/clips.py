"""The clips: twice a second, a frame flashes and the audio ticks; a tick's pitch identifies it."""

import subprocess

from services import SAMPLE_RATE

RATE = 60  # frames/s
PERIOD = 0.5  # seconds between flashes
FLASH_FRAMES = int(RATE * PERIOD)
TICK = 0.02  # length of a tick in seconds
# The number of different pitches: one repeats after 8 s.
NUMBERS = 16
TRACKS = 2
LOWEST, STEP = 600, 150  # Hz; a tick of 20 ms distinguishes pitches 50 Hz apart.


def pitch(track, number):
    return LOWEST + STEP * (NUMBERS * track + number)


def make_clip(path, seconds, first=0, tracks=1):
    """Creates a clip: white for one frame and a tick every half second; 1280x720 at 60 frames per second.

    Keyframes, at which inexact seeks land, are at 0, 1.7, 3.7, 5.7… s: only the first has a flash.

    - first: The number of the first tick.
    - tracks: The number of audio tracks, which tick at the same times, each in its own pitches.
    """
    command = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-f", "lavfi", "-i",
               f"color=black:s=1280x720:r={RATE}:d={seconds},drawbox=t=fill:c=white:enable='eq(mod(n,{FLASH_FRAMES}),0)'"]  # fmt: skip
    for track in range(tracks):
        frequency = f"({pitch(track, 0)}+{STEP}*mod({first}+floor(t/{PERIOD}),{NUMBERS}))"
        wave = f"0.8*sin(2*PI*{frequency}*mod(t,{PERIOD}))"
        command += ["-f", "lavfi", "-i", f"aevalsrc='if(lt(mod(t,{PERIOD}),{TICK}),{wave},0)':s={SAMPLE_RATE}:d={seconds}"]
    command += ["-map", "0:v"] + [word for track in range(tracks) for word in ("-map", f"{track + 1}:a")]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "600", "-sc_threshold", "0",
                "-force_key_frames", "expr:gte(t,n_forced*2-0.3)", "-c:a", "pcm_s16le", str(path)]  # fmt: skip
    subprocess.run(command, check=True)
    return path


def trimmed(clip, path, stream, part):
    """Copies `clip` with only a part of its audio ("a") or video ("v"): `start=3` or `end=3`, in seconds."""
    command = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-i", str(clip), f"-filter:{stream}", f"{stream if stream == 'a' else ''}trim={part}"]
    command += ["-c:a", "pcm_s16le", "-c:v"] + (["copy"] if stream == "a" else ["libx264", "-preset", "veryfast", "-g", "60"])
    subprocess.run([*command, str(path)], check=True)
    return path
