"""Finds the installed players, and installs the missing ones."""

import os
import shutil
import subprocess
import sys

from services import ROOT

from .failure import Failure
from .players import PACKAGES, PLAYERS, DecodeOnly, Glissade


def install():
    """Installs the other players and the tools for measuring."""
    if not shutil.which("apt-get"):
        raise Failure("--peers installs with apt-get, and there is none")
    if subprocess.run([ROOT / "Scripts/packages", "test"]).returncode:
        raise Failure("the tools for measuring could not be installed")
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
    """Returns the available players in order; adds the reasons for the others to `options.left_out`."""
    found = []
    for name in PLAYERS:
        if name not in options.players:
            continue
        player = PLAYERS[name](options.glissade if name == Glissade.name else None)
        if player.name == "glissade" and options.threads:
            options.left_out.append("Glissade: the number of decoder threads cannot be set")
        elif player.is_there():
            found.append(player)
        elif player.name == "glissade":
            raise Failure(f"no binary at {options.glissade}: run Scripts/build-release")
        else:
            options.left_out.append(f"{player.title}: not installed (--peers installs it)")
    if not found:
        raise Failure("no player is available: " + "; ".join(options.left_out))
    return found, DecodeOnly()


def check_tools(options):
    """Checks for required tools."""
    for tool, why in (("ffmpeg", "it creates the films"), ("Xvfb", "it is the display for the players")):
        if not shutil.which(tool):
            raise Failure(f"{tool} is missing: {why} (Scripts/bench --peers installs it)")
    if not os.access(options.witness, os.X_OK):
        raise Failure(f"no witness at {options.witness}: run swift build -c release --product witness")
