"""Stops one thread of a program for a while, as a slow piece of its own code would."""

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path

SEIZE, INTERRUPT, CONTINUE, DETACH = 0x4206, 0x4207, 7, 17
WALL = 0x40000000
# poll, ppoll, clock_nanosleep, select, pselect6, by the kernel's numbers on x86-64.
WAITS = {"7", "271", "230", "23", "270"}
POLLS = {"7", "271"}

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(request, thread):
    if libc.ptrace(request, thread, None, None) == -1:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x} of {thread}: {os.strerror(ctypes.get_errno())}")


def waits(call, descriptors):
    """Whether a thread waits, by its line in `/proc`: in a poll for at least so many descriptors, or in another such call."""
    number, *arguments = call.split()
    return number in WAITS and (number not in POLLS or int(arguments[1], 16) >= descriptors)


def stall(pid, seconds, meanwhile=None, timeout=5, descriptors=1):
    """Stops the main thread of `pid` for so long, or while `meanwhile` runs, when it waits for something, not as it draws.

    - Parameter descriptors: how many it waits for at least. Who draws waits for the X server's answers alone.
    - Returns: whether it was stopped.
    """
    call = Path(f"/proc/{pid}/task/{pid}/syscall")
    deadline = time.monotonic() + timeout
    ptrace(SEIZE, pid)
    try:
        while time.monotonic() < deadline:
            # Stopped first, then looked at: it would go on in between.
            ptrace(INTERRUPT, pid)
            os.waitpid(pid, WALL)
            if waits(call.read_text(), descriptors):
                meanwhile() if meanwhile else time.sleep(seconds)
                return True
            ptrace(CONTINUE, pid)
            time.sleep(0.003)
        return False
    finally:
        try:
            ptrace(DETACH, pid)
        except OSError:
            ptrace(INTERRUPT, pid)
            os.waitpid(pid, WALL)
            ptrace(DETACH, pid)


class Stalls:
    """Stops the main thread of `pid` for `seconds` every `interval` seconds, until `end`."""

    def __init__(self, pid, seconds, interval=3):
        self.pid, self.seconds, self.interval = pid, seconds, interval
        self.count = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.over.wait(self.interval):
            self.count += stall(self.pid, self.seconds)

    def end(self):
        self.over.set()
        self.thread.join()
        return self.count


def main():
    """Stops the main thread of the process that the first argument names until this program is ended."""
    # The loop waits for the X server and for other threads.
    if not stall(int(sys.argv[1]), 0, lambda: (print("stopped", flush=True), signal.pause()), timeout=50, descriptors=2):
        sys.exit("the thread never waited")


if __name__ == "__main__":
    main()
