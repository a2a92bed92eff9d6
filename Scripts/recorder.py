"""Records what the sound server's sink plays, and when each sample is heard: libpulse by ctypes.

A sample's time does not come from the block in which it arrived, but from a line fitted to all reports of the recording's
position: a sink plays samples at a constant rate. libpulse's own latency (also `pa_simple_get_latency`) is smoothed over seconds
and never negative, although a monitor receives samples before they are played: after the sink's buffer has changed, it is wrong
by hundreds of milliseconds.

The error, by `Scripts/measure-sync --check-recorder` on a busy machine, 40 ticks per run:
- PulseAudio, with fragments of 5 ms, or of any length if the sink does not rewind: -0.02 to +0.05 ms. In the 5 ms after a
  stream has joined or left the sink, or was flushed, the monitor misses what is heard: a tick that starts there appears up
  to 5 ms late. Without fragments (0) such a sink has blocks of 40 to 60 ms, part of which the server withholds from its
  monitor without reporting it: 14.6 ms late, and a tick may be lost.
- PipeWire: +4 to +5.4 ms, a block of its graph, by which the monitor lags behind what pipewire-pulse reports to a player.
  Without fragments the block is 21 ms, and the error 17 to 39 ms.
"""

import array
import bisect
import ctypes
import sys
import threading
import time

from services import SAMPLE_RATE, SINK

FRAGMENT = 240  # frames per block requested from the server: 5 ms
UNHURRIED = 4800  # frames: 100 ms
ASKED_EVERY = 0.05  # seconds
NANOSECONDS = 1_000_000_000
NONE = 2**32 - 1
SETTLED = 20_000  # µs left in the sink's buffer
IDLE = 150_000  # µs: longer than the buffer of any playing stream
AROUND = 20  # reports


class Spec(ctypes.Structure):
    _fields_ = [("format", ctypes.c_int), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8)]


class Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("maxlength", "tlength", "prebuf", "minreq", "fragsize")]


class TimeValue(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("microseconds", ctypes.c_long)]


class TimingInfo(ctypes.Structure):
    """`pa_timing_info` of `pulse/def.h`."""

    _fields_ = [
        ("timestamp", TimeValue), ("synchronized", ctypes.c_int), ("sink", ctypes.c_uint64),
        ("source", ctypes.c_uint64), ("transport", ctypes.c_uint64), ("playing", ctypes.c_int),
        ("write_corrupt", ctypes.c_int), ("write_index", ctypes.c_int64), ("read_corrupt", ctypes.c_int),
        ("read_index", ctypes.c_int64),
    ]  # fmt: skip


SUCCESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
READY, FAILED = {"context": 4, "stream": 2}, {"context": (5, 6), "stream": (3, 4)}
RECORD_ADJUSTING_LATENCY, NO_AUTOSPAWN = 0x2000, 1


def library():
    """Loads libpulse and declares the functions used here."""
    pulse = ctypes.CDLL("libpulse.so.0")
    pointer, text, number, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t
    for name, result, *arguments in [
        ("mainloop_new", pointer), ("mainloop_free", None, pointer), ("mainloop_get_api", pointer, pointer),
        ("mainloop_prepare", number, pointer, number), ("mainloop_poll", number, pointer),
        ("mainloop_dispatch", number, pointer),
        ("context_new", pointer, pointer, text), ("context_connect", number, pointer, text, number, pointer),
        ("context_get_state", number, pointer), ("context_disconnect", None, pointer), ("context_unref", None, pointer),
        ("stream_new", pointer, pointer, text, pointer, pointer),
        ("stream_connect_record", number, pointer, text, pointer, number), ("stream_get_state", number, pointer),
        ("stream_readable_size", size, pointer), ("stream_peek", number, pointer, pointer, pointer),
        ("stream_drop", number, pointer), ("stream_disconnect", number, pointer), ("stream_unref", None, pointer),
        ("stream_update_timing_info", pointer, pointer, SUCCESS, pointer),
        ("stream_get_timing_info", ctypes.POINTER(TimingInfo), pointer), ("operation_unref", None, pointer),
    ]:  # fmt: skip
        function = getattr(pulse, "pa_" + name)
        function.restype, function.argtypes = result, arguments
    return pulse


class Recording:
    """The 16-bit samples of one connection, and the server's reports of when they are heard."""

    def __init__(self):
        self.samples = array.array("h")
        # (nanoseconds of the monotonic clock, the sample heard then, the sink's buffer in µs).
        self.reports = []

    def settle(self):
        """Called when recording has ended: fits the line to the reports, over one second to each side.

        Uses their lower quartile: a server that reports what it has sent may be a block late, but is never early. If
        the sink has taken a long silence and must rewind some of it, nothing is recorded until it continues; its
        reports in between are true of no sample.
        """
        reports = [report for report in self.reports if report[2] < IDLE] or self.reports
        self.hosts = [host for host, _, _ in reports]
        # When the first sample was heard, according to each report.
        origins = [host - sample * NANOSECONDS // SAMPLE_RATE for host, sample, _ in reports]
        around = [sorted(origins[max(0, place - AROUND) : place + AROUND + 1]) for place in range(len(origins))]
        self.origins = [nearby[len(nearby) // 4] for nearby in around]

    def origin(self, host):
        """When the first sample was heard, according to the server's reports around that time."""
        return self.origins[min(bisect.bisect_left(self.hosts, host), len(self.origins) - 1)]

    @property
    def slipped(self):
        """The audio that the sink skipped during the recording, in ms: a busy machine wakes it too late."""
        return (max(self.origins) - min(self.origins)) / 1e6

    def time(self, sample):
        """When the sample at that index was heard, in nanoseconds."""
        after = round(sample * NANOSECONDS / SAMPLE_RATE)
        return self.origin(self.origins[0] + after) + after

    def place(self, time):
        """The index of the sample that was heard at that time, in nanoseconds."""
        return round((time - self.origin(time)) * SAMPLE_RATE / NANOSECONDS)


class Recorder(threading.Thread):
    """Records the sink's monitor in mono; starts again if the server disappears and comes back.

    - fragment: Frames per block requested from the server, which makes its sink's buffer as short; 0 leaves its length
      to the program that plays.
    """

    def __init__(self, server, fragment=FRAGMENT):
        super().__init__(daemon=True)
        self.pulse, self.server, self.fragment = library(), server.encode(), fragment
        self.recordings, self.recording, self.stopped = [], None, False
        self.on_timing = SUCCESS(self.take_timing)

    @property
    def is_recording(self):
        return bool(self.recording and self.recording.reports)

    @property
    def is_settled(self):
        """Whether the sink's buffer is as short as requested."""
        return self.is_recording and self.recording.samples and self.recording.reports[-1][2] < SETTLED

    def run(self):
        while not self.stopped:
            self.record()
            if not self.stopped:
                time.sleep(0.1)

    def record(self):
        """Records over one connection, until it is lost or recording ends."""
        pulse = self.pulse
        loop = pulse.pa_mainloop_new()
        context = pulse.pa_context_new(pulse.pa_mainloop_get_api(loop), b"recorder")
        self.stream, self.recording = None, Recording()
        pulse.pa_context_connect(context, self.server, NO_AUTOSPAWN, None)
        asked = 0
        while not self.stopped:
            if pulse.pa_mainloop_prepare(loop, 20_000) < 0 or pulse.pa_mainloop_poll(loop) < 0:
                break
            pulse.pa_mainloop_dispatch(loop)
            state = pulse.pa_context_get_state(context)
            if state in FAILED["context"]:
                break
            if state != READY["context"]:
                continue
            self.stream = self.stream or self.open(context)
            state = pulse.pa_stream_get_state(self.stream)
            if state in FAILED["stream"]:
                break
            if state != READY["stream"]:
                continue
            self.read()
            if time.monotonic() > asked + ASKED_EVERY:
                asked = time.monotonic()
                pulse.pa_operation_unref(pulse.pa_stream_update_timing_info(self.stream, self.on_timing, None))
        if self.recording.samples and self.recording.reports:
            self.recording.settle()
            self.recordings.append(self.recording)
        if self.stream:
            pulse.pa_stream_disconnect(self.stream)
            pulse.pa_stream_unref(self.stream)
        pulse.pa_context_disconnect(context)
        pulse.pa_context_unref(context)
        pulse.pa_mainloop_free(loop)

    def open(self, context):
        spec = Spec(3 if sys.byteorder == "little" else 4, SAMPLE_RATE, 1)  # PA_SAMPLE_S16LE or BE
        stream = self.pulse.pa_stream_new(context, b"monitor", ctypes.byref(spec), None)
        attributes = Attributes(NONE, NONE, NONE, NONE, (self.fragment or UNHURRIED) * 2)
        self.pulse.pa_stream_connect_record(
            stream, SINK.encode() + b".monitor", ctypes.byref(attributes), RECORD_ADJUSTING_LATENCY if self.fragment else 0)
        return stream

    def read(self):
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        samples = self.recording.samples
        while self.pulse.pa_stream_readable_size(self.stream) not in (0, ctypes.c_size_t(-1).value):
            if self.pulse.pa_stream_peek(self.stream, ctypes.byref(data), ctypes.byref(size)) < 0 or not size.value:
                break
            # A gap has no data.
            samples.frombytes(ctypes.string_at(data.value, size.value) if data.value else bytes(size.value))
            self.pulse.pa_stream_drop(self.stream)

    def take_timing(self, stream, succeeded, _):
        info = self.pulse.pa_stream_get_timing_info(stream)
        if not succeeded or not info:
            return
        info = info.contents
        dated = info.timestamp.seconds * NANOSECONDS + info.timestamp.microseconds * 1000
        host = time.monotonic_ns() - (time.time_ns() - dated)
        # The position that the server has recorded plus what is in transit; the monitor also receives what is in the
        # sink's buffer.
        heard = info.write_index // 2 + (info.source - info.sink) * SAMPLE_RATE // 1_000_000
        self.recording.reports.append((host, heard, info.sink))
