"""An X server's screen as somebody before it sees it: pixels, read through libX11 by ctypes."""

import ctypes
import ctypes.util
import time

from services import die


class Screen:
    """For one thread; a picture costs one round trip to the server."""

    Z_PIXMAP = 2

    def __init__(self, display):
        self.x11 = x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        pointer = ctypes.c_void_p
        x11.XOpenDisplay.restype = pointer
        x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
        x11.XDefaultRootWindow.restype = ctypes.c_ulong
        x11.XDefaultRootWindow.argtypes = [pointer]
        x11.XDisplayWidth.argtypes = x11.XDisplayHeight.argtypes = [pointer, ctypes.c_int]
        x11.XGetImage.restype = pointer
        x11.XGetImage.argtypes = [
            pointer, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_ulong,
            ctypes.c_int]  # fmt: skip
        x11.XGetPixel.restype = ctypes.c_ulong
        x11.XGetPixel.argtypes = [pointer, ctypes.c_int, ctypes.c_int]
        x11.XDestroyImage.argtypes = [pointer]
        self.display = x11.XOpenDisplay(display.encode())
        if not self.display:
            die(f"no X server at {display}")
        self.root = x11.XDefaultRootWindow(self.display)
        self.centre = (x11.XDisplayWidth(self.display, 0) // 2, x11.XDisplayHeight(self.display, 0) // 2)

    def row(self, x, y, width):
        """The pixels of a part of a row, as (red, green, blue), each of 255; None where the server gives none."""
        all_planes = ctypes.c_ulong(-1).value
        image = self.x11.XGetImage(self.display, self.root, x, y, width, 1, all_planes, self.Z_PIXMAP)
        if not image:
            return None
        pixels = [self.x11.XGetPixel(image, place, 0) for place in range(width)]
        self.x11.XDestroyImage(image)
        return [(pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255) for pixel in pixels]

    def is_white(self):
        """Whether the middle is."""
        pixels = self.row(*self.centre, 1)
        return bool(pixels) and all(part >= 235 for part in pixels[0])

    def wait(self, white, bound):
        """Polls every half millisecond; the time at which the screen was as wanted, or None."""
        deadline = time.monotonic() + bound
        while (now := time.monotonic()) < deadline:
            if self.is_white() == white:
                return now
            time.sleep(0.0005)
        return None
