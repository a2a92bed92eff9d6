"""One run of one player: started, observed from outside by the witness, reaped, with the kernel's accounting."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

from services import Services, apart

from . import marks, noise
from .failure import Failure

# The limit for starting and for ending, in seconds.
TIMEOUT = 30


class Play:
    """The result of a run. Times in ns of the monotonic clock; figures that were not measured are None."""

    def __init__(self, started):
        self.started, self.ended = started, None
        self.wall = self.cpu = self.rss_mib = self.server_cpu = self.others = self.status = None
        self.is_hung = False
        self.changes, self.late_looks = [], None
        self.words = ""

    @property
    def is_whole(self):
        return self.status == 0 and not self.is_hung

    @property
    def first_frame(self):
        return next((at for at, frame in self.changes if frame is not None), None)


class Children(Services):
    """Starts processes in a session of their own: only this process receives Ctrl-C, and then ends the others in order.
    Xlib would end this process if the X server exited first."""

    def __enter__(self):
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
        return super().__enter__()

    def start(self, command, **options):
        return super().start(command, start_new_session=True, **options)


class Stage:
    """The environment of runs: an X server, optionally a sound server, and a home for each player."""

    def __init__(self, services, options, listener):
        self.services, self.options, self.listener = services, options, listener
        self.place = services.place
        self.place.chmod(0o755)  # for the player that runs as another user
        self.environment = services.environment(DISPLAY=services.x_server())
        self.server = services.processes[-1]
        self.sound = None
        self.clips = self.place / "clips"
        self.clips.mkdir()
        self.witness = options.witness
        if options.sound:
            address = services.sound_server()
            if not address:
                raise Failure("--sound needs pulseaudio (Scripts/packages test installs it)")
            self.environment["PULSE_SERVER"] = address
            (self.sound,) = services.sound

    def clip(self, path, seconds=None):
        """Returns the file that all players can read, or a cut with its first seconds, not re-encoded."""
        copy = self.clips / (f"{path.stem}-{seconds:g}s{path.suffix}" if seconds else path.name)
        if not copy.exists():
            if seconds:
                cut = [
                    "ffmpeg",
                    "-nostdin",
                    "-loglevel",
                    "error",
                    "-y",
                    "-i",
                    path,
                    "-t",
                    str(seconds),
                    "-c",
                    "copy",
                    copy,
                ]
                done = subprocess.run(cut, capture_output=True, text=True, errors="replace")
                if done.returncode:
                    raise Failure(f"ffmpeg could not cut {path.name}: {done.stderr[-200:]}")
            else:
                shutil.copyfile(path, copy)
            copy.chmod(0o644)
        return copy

    def home(self, player):
        """- Returns: Environment and options of the player's process."""
        home = self.place / player.name
        (home / "shaders").mkdir(parents=True, exist_ok=True)
        environment = dict(
            self.environment,
            HOME=str(home),
            XDG_RUNTIME_DIR=str(home),
            MESA_SHADER_CACHE_DIR=str(home / "shaders"),
            **apart(home),
        )
        home.chmod(0o700)
        if not player.user:
            return {"env": environment}
        for folder in (home, home / "shaders"):
            os.chown(folder, player.user.pw_uid, player.user.pw_gid)
        return {"env": environment, "user": player.user.pw_uid, "group": player.user.pw_gid, "extra_groups": []}

    def watch(self, size, columns):
        """Starts the witness and waits until it is ready. - Returns: Its process, its lines and its summary."""
        lines, summary = self.place / "watch.csv", self.place / "watch.json"
        summary.unlink(missing_ok=True)
        with open(lines, "w") as told:
            process = self.services.start(
                [
                    self.witness,
                    "watch",
                    "--region",
                    f"picture=0,0,{size[0]},{size[1]}",
                    "--columns",
                    columns,
                    "--first",
                    "--summary",
                    summary,
                ],
                env=self.environment,
                stdout=told,
            )
        deadline = time.monotonic() + TIMEOUT
        while not lines.stat().st_size:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failure("the witness does not start: " + self.services.words(self.witness)[-300:])
            time.sleep(0.01)
        return process, lines, summary

    def play(self, player, asked, during=None, columns=marks.COLUMNS_AT_REST, is_watched=True):
        """Runs a player.

        - during: Called with the run, a function that reads what was seen so far and one that tells whether it still
          runs; the player is ended when it returns. Otherwise it plays to the end.
        - Returns: The run; None if the player does not support the settings.
        """
        command = player.command(asked)
        if command is None:
            return None
        watch = self.watch(asked.size, columns) if is_watched else None
        return self.run(player, command, asked.clip.seconds * 8 + TIMEOUT, during, watch)

    def run(self, player, command, bound, during=None, watch=None):
        """Runs any command of a player; see `play`. - bound: The limit in seconds after which it counts as hung."""
        witness, lines, summary = watch or (None, None, None)
        home = self.home(player)
        busy, own = self.listener.now(), time.process_time()
        server, sound = noise.process_seconds(self.server.pid), self.sound_seconds()
        play = Play(time.monotonic_ns())
        process = self.services.start(command, **home)
        try:
            if during:
                during(play, lambda: read(lines), lambda: is_running(process))
                # Popen's poll would reap it and lose its accounting.
                os.kill(process.pid, signal.SIGTERM)
            self.reap(play, process, 10 if during else bound)
        finally:
            # Reaped or not: leave nothing behind if an exception is raised.
            if process.returncode is None:
                process.kill()
                process.wait()
            self.services.processes.remove(process)
            if witness:
                self.services.end(witness)
                self.services.processes.remove(witness)
        play.words = self.services.words(command[0])[-300:]
        play.server_cpu = noise.process_seconds(self.server.pid) - server
        own = time.process_time() - own + (play.cpu or 0) + play.server_cpu + self.sound_seconds() - sound
        if witness:
            play.changes = read(lines)
            account = json.loads(summary.read_text()) if summary.exists() else {}
            play.late_looks = account.get("drawings", 0) - account.get("looks", 0)
            own += account.get("cpuSeconds", 0)
        play.others = self.listener.play(self.listener.now() - busy, own, (time.monotonic_ns() - play.started) / 1e9)
        return play

    def sound_seconds(self):
        return noise.process_seconds(self.sound.pid) if self.sound else 0

    @staticmethod
    def reap(play, process, bound):
        """Waits for it to exit, and kills it after `bound`."""

        def hang(*_):
            play.is_hung = True
            os.kill(process.pid, signal.SIGKILL)

        before = signal.signal(signal.SIGALRM, hang)
        signal.setitimer(signal.ITIMER_REAL, bound)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        play.ended = time.monotonic_ns()
        process.returncode = play.status = os.waitstatus_to_exitcode(status)
        play.wall = (play.ended - play.started) / 1e9
        play.cpu = usage.ru_utime + usage.ru_stime
        play.rss_mib = usage.ru_maxrss / 1024  # Linux reports KiB


def is_running(process):
    """Whether it runs, without reaping it."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def read(path):
    """The witness's lines as (time_ns, frame); the frame is None if black or unreadable. Ignores an incomplete last
    line."""
    text = path.read_text() if path.exists() else ""
    rows = [line.split(",") for line in text[: text.rfind("\n") + 1].splitlines()[1:]]
    return [(int(row[0]), int(row[2]) if row[2].isdigit() else None) for row in rows if len(row) == 6]
