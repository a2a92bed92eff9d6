"""Counts the heap allocations of a program's threads, for the measuring scripts."""

import struct
import subprocess
from pathlib import Path

from services import ROOT, die, need

# The main thread, and the thread that shows the film while the main thread is busy.
DRAWING = {"glissade", "film"}


class Allocations:
    """The counts of one program, which must be started with `environment`."""

    def __init__(self, path):
        need("cc")
        self.path = Path(path)
        self.path.write_bytes(bytes(4096))
        library = self.path.with_suffix(".so")
        source = ROOT / "Tests/CountingAllocations/counting.c"
        if subprocess.run(["cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-o", library, source]).returncode:
            die(f"{source} does not compile")
        self.environment = {"LD_PRELOAD": str(library), "GLISSADE_ALLOCATIONS": str(self.path)}

    def by_drawing(self, process):
        """Returns the number of allocations so far by the threads that draw."""
        total = 0
        for thread, _, count in struct.iter_unpack("<IIQ", self.path.read_bytes()):
            try:
                name = Path(f"/proc/{process.pid}/task/{thread}/comm").read_text().strip()
            except OSError:
                continue
            if name in DRAWING:
                total += count
        return total
