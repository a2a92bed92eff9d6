"""What the sound server's sink plays, and when each sample of it was to be heard: libpulse-simple by ctypes."""

import array
import ctypes
import sys
import threading
import time

from services import SAMPLE_RATE, SINK

BLOCK = 240  # frames a read: 5 ms


class Spec(ctypes.Structure):
    _fields_ = [("format", ctypes.c_int), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8)]


class Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("maxlength", "tlength", "prebuf", "minreq", "fragsize")]


class Recorder(threading.Thread):
    """Records the sink's monitor, one channel; begins again where the server goes away and comes back.

    - heard: called on the recorder's thread with each block of `BLOCK` samples (16 bits), and when its first one left the
      sink, in nanoseconds of the monotonic clock.
    """

    def __init__(self, server, heard):
        super().__init__(daemon=True)
        self.pulse = ctypes.CDLL("libpulse-simple.so.0")
        self.pulse.pa_simple_new.restype = ctypes.c_void_p
        self.pulse.pa_simple_get_latency.restype = ctypes.c_uint64
        self.server, self.heard, self.stopped = server, heard, False

    def open(self):
        error = ctypes.c_int()
        spec = Spec(3 if sys.byteorder == "little" else 4, SAMPLE_RATE, 1)  # PA_SAMPLE_S16LE or BE
        attributes = Attributes(2**32 - 1, 2**32 - 1, 2**32 - 1, 2**32 - 1, BLOCK * 2)
        stream = self.pulse.pa_simple_new(
            self.server.encode(), b"recorder", 2, SINK.encode() + b".monitor", b"monitor", ctypes.byref(spec), None,
            ctypes.byref(attributes), ctypes.byref(error))  # fmt: skip
        return ctypes.c_void_p(stream) if stream else None

    def run(self):
        block = array.array("h", bytes(BLOCK * 2))
        address = (ctypes.c_char * (BLOCK * 2)).from_buffer(block)
        while not self.stopped:
            stream = self.open()
            if stream is None:
                time.sleep(0.1)
                continue
            error = ctypes.c_int()
            while not self.stopped:
                if self.pulse.pa_simple_read(stream, address, ctypes.c_size_t(BLOCK * 2), ctypes.byref(error)) < 0:
                    break
                now = time.monotonic_ns()
                latency = self.pulse.pa_simple_get_latency(stream, ctypes.byref(error)) * 1000
                # The block's last sample left the sink `latency` ago.
                self.heard(block, now - latency - (BLOCK - 1) * 1_000_000_000 // SAMPLE_RATE)
            self.pulse.pa_simple_free(stream)
