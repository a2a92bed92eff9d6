"""Key input through the X server's XTEST extension by ctypes."""

import ctypes
import ctypes.util
import time

from .failure import Failure


class Keyboard:
    """A keyboard, for one thread. There is no window manager to assign the keyboard focus: keys go to the window under
    the pointer, unless a window takes the focus itself."""

    POINTER_ROOT = 1

    def __init__(self, display):
        def library(name):
            try:
                return ctypes.CDLL(ctypes.util.find_library(name) or f"lib{name}.so.6")
            except OSError as problem:
                raise Failure(f"lib{name} is missing (Scripts/packages test installs it)") from problem

        self.x11, self.xtst = library("X11"), library("Xtst")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
        self.x11.XFlush.argtypes = [ctypes.c_void_p]
        self.x11.XStringToKeysym.restype = ctypes.c_ulong
        self.x11.XStringToKeysym.argtypes = [ctypes.c_char_p]
        self.x11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        self.x11.XKeysymToKeycode.restype = ctypes.c_ubyte
        self.xtst.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self.xtst.XTestFakeMotionEvent.argtypes = [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_ulong,
        ]
        self.x11.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        self.display = self.x11.XOpenDisplay(display.encode())
        if not self.display:
            raise Failure(f"no X server at {display}")

    def point(self, x, y):
        self.xtst.XTestFakeMotionEvent(self.display, -1, x, y, 0)
        self.x11.XFlush(self.display)

    def let_go(self):
        """Resets the focus: if the focused window is gone, no window would get keys."""
        self.x11.XSetInputFocus(self.display, self.POINTER_ROOT, self.POINTER_ROOT, 0)
        self.x11.XFlush(self.display)

    def press(self, chord):
        """Presses keys.

        - chord: X keysyms, the last one with the others held: `Shift_L+Up`.
        - Returns: The time, in ns of the monotonic clock.
        """
        codes = [
            self.x11.XKeysymToKeycode(self.display, self.x11.XStringToKeysym(name.encode()))
            for name in chord.split("+")
        ]
        now = time.monotonic_ns()
        for code in codes:
            self.xtst.XTestFakeKeyEvent(self.display, code, 1, 0)
        for code in reversed(codes):
            self.xtst.XTestFakeKeyEvent(self.display, code, 0, 0)
        self.x11.XFlush(self.display)
        return now
