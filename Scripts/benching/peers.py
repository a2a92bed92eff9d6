"""Which of the players are there, and how those that are not are installed."""

import os
import shutil
import subprocess
import sys

from services import ROOT

from .failure import Failure
from .players import PACKAGES, PLAYERS, DecodeOnly, Glissade


def install():
    """The peers, and what this measures with."""
    if not shutil.which("apt-get"):
        raise Failure("--peers installs with apt-get, and there is none")
    if subprocess.run([ROOT / "Scripts/packages", "test"]).returncode:
        raise Failure("what measuring needs could not be installed")
    known = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *PACKAGES],
        capture_output=True,
        text=True,
    ).stdout
    missing = [name for name in PACKAGES if f"{name} installed" not in known.splitlines()]
    if not missing:
        return
    print("Installing " + " ".join(missing), file=sys.stderr)
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    command = command if os.geteuid() == 0 else ["sudo", *command]
    done = subprocess.run(
        command, env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"), capture_output=True, text=True
    )
    if done.returncode:
        raise Failure(
            f"{' '.join(missing)} could not be installed: "
            + (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        )


def gathered(options):
    """The players that are there, in their order; `options.left_out` says of the others why not."""
    found = []
    for name in PLAYERS:
        if name not in options.players:
            continue
        player = PLAYERS[name](options.glissade if name == Glissade.name else None)
        if player.name == "glissade" and options.threads:
            options.left_out.append("Glissade: the threads of its decoder cannot be told")
        elif player.is_there():
            found.append(player)
        elif player.name == "glissade":
            raise Failure(f"no binary at {options.glissade}: Scripts/build-release makes it")
        else:
            options.left_out.append(f"{player.title}: not installed (--peers installs it)")
    if not found:
        raise Failure("none of the players is there: " + "; ".join(options.left_out))
    return found, DecodeOnly()


def check_tools(options):
    """What cannot be done without."""
    for tool, why in (("ffmpeg", "the films are made with it"), ("Xvfb", "there is no display to play on without it")):
        if not shutil.which(tool):
            raise Failure(f"{tool} is missing: {why} (Scripts/bench --peers installs it)")
    if not os.access(options.witness, os.X_OK):
        raise Failure(f"no witness at {options.witness}: swift build -c release --product witness makes it")
