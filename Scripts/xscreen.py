"""Reads the pixels of an X server's screen through libX11 by ctypes."""

import ctypes
import ctypes.util
import struct
import time
import zlib

from services import die


class Image(ctypes.Structure):
    """The first members of Xlib's XImage."""

    _fields_ = [
        ("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
        ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
        ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int),
        ("bytes_per_line", ctypes.c_int), ("bits_per_pixel", ctypes.c_int)]  # fmt: skip


def write_png(path, width, height, pixels):
    """Writes a PNG file.

    - pixels: Rows of blue, green, red, and an ignored fourth byte.
    """
    rgb = bytearray(width * height * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
    rows = b"".join(b"\0" + rgb[row * width * 3 : (row + 1) * width * 3] for row in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class Screen:
    """A screen, for one thread. Each read costs a round trip to the server."""

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
        self.size = (x11.XDisplayWidth(self.display, 0), x11.XDisplayHeight(self.display, 0))
        self.centre = (self.size[0] // 2, self.size[1] // 2)

    def row(self, x, y, width):
        """The pixels of part of a row, as (red, green, blue), each 0 to 255; None if the server returns none."""
        all_planes = ctypes.c_ulong(-1).value
        image = self.x11.XGetImage(self.display, self.root, x, y, width, 1, all_planes, self.Z_PIXMAP)
        if not image:
            return None
        pixels = [self.x11.XGetPixel(image, place, 0) for place in range(width)]
        self.x11.XDestroyImage(image)
        return [(pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255) for pixel in pixels]

    def picture(self):
        """The whole screen, for `write_png`; None if the server returns none, or its pixels are not four bytes with
        blue first."""
        all_planes = ctypes.c_ulong(-1).value
        image = self.x11.XGetImage(self.display, self.root, 0, 0, *self.size, all_planes, self.Z_PIXMAP)
        if not image:
            return None
        face = Image.from_address(image)
        is_known = face.bits_per_pixel == 32 and face.byte_order == 0 and face.bytes_per_line == self.size[0] * 4
        pixels = ctypes.string_at(face.data, face.bytes_per_line * face.height) if is_known else None
        self.x11.XDestroyImage(image)
        return pixels

    def is_white(self):
        """Whether the center is white."""
        pixels = self.row(*self.centre, 1)
        return bool(pixels) and all(part >= 235 for part in pixels[0])

    def wait(self, white, bound):
        """Polls every half millisecond until the screen is as wanted. - Returns: The time; None if `bound` has passed.
        """
        deadline = time.monotonic() + bound
        while (now := time.monotonic()) < deadline:
            if self.is_white() == white:
                return now
            time.sleep(0.0005)
        return None
