"""What an X server and its window manager say of windows: asked by xprop and xdotool.

Python's standard library only.
"""

import re
import subprocess
import time


class Windows:
    """The windows that a person may see, each by its number."""

    def __init__(self, environment, name):
        self.environment, self.name = environment, name

    def ask(self, *command):
        """- Returns: what it says; empty where it fails, say because the window has just gone."""
        answer = subprocess.run(
            [str(word) for word in command], env=self.environment, capture_output=True, text=True, timeout=30)
        return answer.stdout if answer.returncode == 0 else ""

    def shown(self):
        """Those of the class, in any order."""
        return {int(number) for number in self.ask("xdotool", "search", "--onlyvisible", "--class", self.name).split()}

    def wait_for_another(self, than, bound=5):
        """- Returns: a window that was not there, once it is; None where none comes."""
        deadline = time.monotonic() + bound
        while not (new := self.shown() - than):
            if time.monotonic() > deadline:
                return None
            time.sleep(0.05)
        return min(new)

    def properties(self, window):
        """What xprop says, by name; values that go on over several lines are joined by newlines."""
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
        """(x, y, width, height) of its content; None where it has gone."""
        text = self.ask("xdotool", "getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in text.split() if "=" in line)
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")) if "HEIGHT" in values else None

    def move(self, window, x, y):
        self.ask("xdotool", "windowmove", window, x, y)

    def resize(self, window, width, height):
        self.ask("xdotool", "windowsize", window, width, height)
