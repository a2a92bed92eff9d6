"""How much of the machine other processes take, and how evenly it runs.

Two figures: the fraction of all CPU time that went to processes not started here (and to other virtual machines: "steal"), while
nothing of ours ran and during the runs; and the variation in time of a fixed piece of work, done between the runs.
"""

import os
import time
from pathlib import Path

from . import figures

LIMIT_OTHERS, LIMIT_SPREAD = 0.10, 0.15
TICKS = os.sysconf("SC_CLK_TCK")
SPIN_STEPS, SPIN_TIMES = 400_000, 3


def busy(stat):
    """CPU seconds used by any process, from the text of /proc/stat."""
    fields = [int(field) for field in stat.splitlines()[0].split()[1:]]
    user, nice, system, _, _, irq, softirq, steal = (fields + [0] * 8)[:8]
    return (user + nice + system + irq + softirq + steal) / TICKS


def process_seconds(pid):
    """CPU time of a process and its ended children so far; 0 if it does not exist."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) / TICKS


def others_share(busy_seconds, own_seconds, wall_seconds, processors):
    """The fraction of the whole machine taken by others, 0…1."""
    if wall_seconds <= 0 or processors < 1:
        return 0.0
    return min(1.0, max(0.0, busy_seconds - own_seconds) / (wall_seconds * processors))


def spin():
    """Seconds for a fixed piece of work: the median of three, so that a single interruption does not count."""
    took = []
    for _ in range(SPIN_TIMES):
        began = time.perf_counter()
        value = 1
        for _ in range(SPIN_STEPS):
            value = value * 1103515245 + 12345 & 0x7FFFFFFF
        took.append(time.perf_counter() - began)
    return sorted(took)[SPIN_TIMES // 2]


def spread(values):
    """The range from the 10th to the 90th percentile, relative to the median; None for fewer than three."""
    if len(values) < 3:
        return None
    low, middle, high = (figures.percentile(values, share) for share in (0.1, 0.5, 0.9))
    return (high - low) / middle if middle else None


def shares(values):
    """The mean, since short bursts of others count as well; None if there are none."""
    summary = figures.summary(values)
    return summary and {"mean": sum(values) / len(values), **summary}


def judge(idle, plays, spins):
    """Decides whether figures may be compared.

    - idle, plays: Fractions taken by others.
    - Returns: The entry for the results; "why" is None if the machine was quiet enough.
    """
    found = {
        "others_idle": shares(idle),
        "others_in_plays": shares(plays),
        "spin_ms": figures.summary([value * 1000 for value in spins]),
        "spin_spread": spread(spins),
        "limits": {"others": LIMIT_OTHERS, "spin_spread": LIMIT_SPREAD},
    }
    reasons = []
    for key, when in (("others_idle", "at rest"), ("others_in_plays", "during the plays")):
        share = found[key] and found[key]["mean"]
        if share is not None and share > LIMIT_OTHERS:
            reasons.append(f"others took {share:.1%} of it {when}, more than {LIMIT_OTHERS:.0%}")
    if found["spin_spread"] is not None and found["spin_spread"] > LIMIT_SPREAD:
        reasons.append(f"the same work varied by {found['spin_spread']:.1%} in time, more than {LIMIT_SPREAD:.0%}")
    found["why"] = "the machine was too busy to compare: " + "; ".join(reasons) if reasons else None
    return found


class Listener:
    """Takes samples between the runs; for one thread."""

    def __init__(self):
        self.idle, self.plays, self.spins = [], [], []
        self.processors = os.cpu_count() or 1

    def rest(self, seconds):
        """Sleeps and measures what others take meanwhile; then spins."""
        began, before = time.monotonic(), self.now()
        time.sleep(seconds)
        self.idle.append(others_share(self.now() - before, 0, time.monotonic() - began, self.processors))
        self.spins.append(spin())

    def play(self, busy_seconds, own_seconds, wall_seconds):
        """Records one run. - Returns: The fraction taken by others."""
        share = others_share(busy_seconds, own_seconds, wall_seconds, self.processors)
        self.plays.append(share)
        return share

    @staticmethod
    def now():
        return busy(Path("/proc/stat").read_text())

    def judged(self):
        return judge(self.idle, self.plays, self.spins)
