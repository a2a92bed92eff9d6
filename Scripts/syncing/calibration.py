"""The recorder's own error: plays ticks in a stream whose position is queried, and records them.

The server reports the time of a tick in two independent ways: through the playing stream, as the position handed to the sink
less the sink's latency, and through the monitor that the recorder reads. They share only the sink.
"""

import ctypes
import math
import sys
import threading
import time

from recorder import FAILED, NANOSECONDS, NO_AUTOSPAWN, NONE, READY, SUCCESS, Attributes, Spec, library
from services import SAMPLE_RATE, wait_until

from . import ticks
from .clips import NUMBERS, PERIOD, TICK, pitch

ADJUST_LATENCY = 0x2000
# In frames: the server's buffer, the prebuffer, and the minimum request. The same as the player's.
LATENCY, PREBUFFER, REQUEST = (SAMPLE_RATE * milliseconds // 1000 for milliseconds in (120, 40, 25))
FREE = ctypes.c_size_t(-1).value


class Ticking(threading.Thread):
    """Plays ticks, and records the stream's reported positions."""

    def __init__(self, server, seconds):
        super().__init__(daemon=True)
        self.pulse, self.server, self.seconds = library(), server.encode(), seconds
        for name, *arguments in [
            ("stream_connect_playback", *[ctypes.c_void_p] * 3, ctypes.c_int, *[ctypes.c_void_p] * 2),
            ("stream_write", ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int),
        ]:
            getattr(self.pulse, "pa_" + name).argtypes = arguments
        self.pulse.pa_stream_writable_size.restype = ctypes.c_size_t
        self.pulse.pa_stream_writable_size.argtypes = [ctypes.c_void_p]
        self.on_timing = SUCCESS(self.take_timing)
        # (time, time at which the first sample was heard), for each report.
        self.origins = []

    def samples(self, first, count):
        """- Returns: 16-bit samples from the sample `first` on."""
        found = bytearray()
        period, length = int(PERIOD * SAMPLE_RATE), int(TICK * SAMPLE_RATE)
        for sample in range(first, first + count):
            number, place = divmod(sample, period)
            wave = math.sin(2 * math.pi * pitch(0, number % NUMBERS) * place / SAMPLE_RATE) if place < length else 0
            found += int(26000 * wave).to_bytes(2, sys.byteorder, signed=True)
        return bytes(found)

    def run(self):
        pulse = self.pulse
        sound = self.samples(0, int(self.seconds * SAMPLE_RATE))
        loop = pulse.pa_mainloop_new()
        context = pulse.pa_context_new(pulse.pa_mainloop_get_api(loop), b"ticking")
        pulse.pa_context_connect(context, self.server, NO_AUTOSPAWN, None)
        stream, written, asked, end = None, 0, 0, time.monotonic() + self.seconds + 5
        while time.monotonic() < end and pulse.pa_mainloop_prepare(loop, 5000) >= 0 and pulse.pa_mainloop_poll(loop) >= 0:
            pulse.pa_mainloop_dispatch(loop)
            if pulse.pa_context_get_state(context) in FAILED["context"]:
                break
            if pulse.pa_context_get_state(context) != READY["context"]:
                continue
            if stream is None:
                spec = Spec(3 if sys.byteorder == "little" else 4, SAMPLE_RATE, 1)
                stream = pulse.pa_stream_new(context, b"ticks", ctypes.byref(spec), None)
                attributes = Attributes(NONE, LATENCY * 2, PREBUFFER * 2, REQUEST * 2, NONE)
                pulse.pa_stream_connect_playback(stream, None, ctypes.byref(attributes), ADJUST_LATENCY, None, None)
            if pulse.pa_stream_get_state(stream) != READY["stream"]:
                continue
            room = pulse.pa_stream_writable_size(stream)
            if room not in (0, FREE) and written < len(sound):
                part = sound[written : written + room]
                pulse.pa_stream_write(stream, part, len(part), None, 0, 0)
                written += len(part)
                end = time.monotonic() + (3 if written < len(sound) else 0.5)
            if written < len(sound) and time.monotonic() > asked + 0.02:
                asked = time.monotonic()
                pulse.pa_operation_unref(pulse.pa_stream_update_timing_info(stream, self.on_timing, None))
        if stream:
            pulse.pa_stream_disconnect(stream)
            pulse.pa_stream_unref(stream)
        pulse.pa_context_disconnect(context)
        pulse.pa_context_unref(context)
        pulse.pa_mainloop_free(loop)

    def take_timing(self, stream, succeeded, _):
        info = self.pulse.pa_stream_get_timing_info(stream)
        if not succeeded or not info or not info.contents.playing:
            return
        info = info.contents
        age = time.time_ns() - info.timestamp.seconds * NANOSECONDS - info.timestamp.microseconds * 1000
        heard = info.read_index // 2 * NANOSECONDS // SAMPLE_RATE - info.sink * 1000
        host = time.monotonic_ns() - age
        self.origins.append((host, host - heard))


def check(server, recorder, seconds=20):
    """- Returns: For each tick played, the time recorded less the time heard, in ms; None if it was not recorded."""
    wait_until(lambda: recorder.is_recording, "the recorder")
    player = Ticking(server, seconds)
    player.start()
    player.join()
    recorder.stopped = True
    recorder.join()
    found, errors = ticks.find(recorder.recordings), []
    for count in range(int(seconds / PERIOD)):
        # By the reports of the half second around it.
        played = [origin + int(count * PERIOD * NANOSECONDS) for _, origin in player.origins]
        near = sorted(time for (host, _), time in zip(player.origins, played) if abs(host - time) < PERIOD / 2 * NANOSECONDS)
        time = near[len(near) // 2] if near else None
        recorded = [tick.time for tick in found if tick.number == count % NUMBERS]
        apart = min((tick - time for tick in recorded), key=abs, default=None) if near else None
        errors.append(apart / 1e6 if apart is not None and abs(apart) < NANOSECONDS else None)
    return errors
