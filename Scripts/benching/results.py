"""The machine, and results.json."""

import datetime
import json
import os
import platform
import re
from pathlib import Path

from .failure import Failure

VERSION = 1
FILES = ("results.json", "table.md", "intervals.svg", "cpu.svg", "size.svg")


def machine(renderer):
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return {
        "processor": found[1] if found else None,
        "cpus": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "gl_renderer": renderer,
    }


def document(passes, noise, options, players, decoder, renderer, is_interrupted=False):
    """The content of results.json; figures that were not measured are null."""
    why = noise["why"]
    return {
        "version": VERSION,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(renderer),
        "players": {
            player.name: {"title": player.title, "version": player.version()} for player in [*players, decoder]
        },
        "left_out": options.left_out,
        "options": {
            "rounds": options.rounds,
            "quick": options.quick,
            "only": options.only,
            "sound": options.sound,
            "threads": options.threads or "auto",
            "clips": [clip.name for clip in options.clips],
        },
        "comparison": {
            "is_valid": why is None,
            "why": why,
            "is_forced": bool(options.force and why),
            "is_interrupted": is_interrupted,
            "noise": noise,
        },
        "passes": [one.result() for one in passes if one.values or one.notes],
    }


def prepare(folder):
    """Creates it, and checks that it is writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".bench-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise Failure(f"cannot write to {folder}: {problem.strerror}", 1) from problem


def write(folder, files):
    """Writes files by name; removes those of an earlier run that are not among them."""
    try:
        for name in FILES:
            if name in files:
                (folder / name).write_text(files[name])
            else:
                (folder / name).unlink(missing_ok=True)
    except OSError as problem:
        raise Failure(f"cannot write to {folder}: {problem.strerror}", 1) from problem


def as_json(value):
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
