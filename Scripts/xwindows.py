"""Queries windows from an X server and its window manager by xprop and xdotool.

Python's standard library only.
"""

import re
import subprocess
import time


class Windows:
    """The visible windows of a program, by number."""

    def __init__(self, environment, name):
        self.environment, self.name = environment, name

    def ask(self, *command):
        """Runs a command. - Returns: Its output; empty if it fails, for instance because the window is gone."""
        answer = subprocess.run(
            [str(word) for word in command], env=self.environment, capture_output=True, text=True, timeout=30)
        return answer.stdout if answer.returncode == 0 else ""

    def shown(self):
        """The windows of the class, in any order."""
        return {int(number) for number in self.ask("xdotool", "search", "--onlyvisible", "--class", self.name).split()}

    def wait_for_another(self, than, bound=5):
        """Waits for a new window. - Returns: The window; None if there is none in time."""
        deadline = time.monotonic() + bound
        while not (new := self.shown() - than):
            if time.monotonic() > deadline:
                return None
            time.sleep(0.05)
        return min(new)

    def properties(self, window):
        """The window's properties by name; a newline joins values of several lines."""
        found, name = {}, None
        for line in self.ask("xprop", "-id", window).splitlines():
            head = re.match(r"(\w+)(?:\([\w/]+\))?(?: =|:)(.*)", line)
            if head and not line.startswith(("\t", " ")):
                name = head[1]
                found[name] = head[2].strip()
            elif name:
                found[name] += "\n" + line.strip()
        return found

    def area(self, window):
        """(x, y, width, height) of its content; None if it is gone."""
        text = self.ask("xdotool", "getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in text.split() if "=" in line)
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")) if "HEIGHT" in values else None

    def move(self, window, x, y):
        self.ask("xdotool", "windowmove", window, x, y)

    def resize(self, window, width, height):
        self.ask("xdotool", "windowsize", window, width, height)
