"""What the measuring scripts share: an X server, a sound server and processes of their own, ended by process id.

Python's standard library only.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Of one wait for another process, in seconds.
BOUND = 30
# What the sound server's null sink takes, and is called.
SAMPLE_RATE, SINK = 48000, "glissade"


def die(message):
    sys.exit(f"Scripts/{Path(sys.argv[0]).name}: {message}")


def wait_until(question, what, bound=BOUND):
    deadline = time.monotonic() + bound
    while not (answer := question()):
        if time.monotonic() > deadline:
            die(f"waited {bound} s in vain for {what}")
        time.sleep(0.02)
    return answer


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            die(f"{tool} is missing (Scripts/packages test installs it)")


def need_binary(path, maker):
    if not os.access(path, os.X_OK):
        die(f"no binary at {path}: {maker} makes it")


def apart(place):
    """Variables by which a program has a past, settings and a cache of its own, in `place`: nothing that was played
    before goes on where it was left. The graphics driver's cache is not in it: see `Services.environment`."""
    return {f"XDG_{name}_HOME": str(Path(place) / name.lower()) for name in ("STATE", "CONFIG", "CACHE")}


class Services:
    """All that is started, ended by process id when the `with` block is left; also where SIGTERM ends the script."""

    def __init__(self):
        self.processes = []
        self.place = Path(tempfile.mkdtemp(prefix=f"glissade-{Path(sys.argv[0]).name}."))
        self.sound = None

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.end(process)
        shutil.rmtree(self.place, ignore_errors=True)

    def start(self, command, **options):
        """What it says goes to a log, see `words`, where `options` do not say otherwise."""
        with open(self.place / (Path(command[0]).name + ".log"), "ab") as log:
            options = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, **options}
            process = subprocess.Popen([str(word) for word in command], **options)
        self.processes.append(process)
        return process

    def end(self, process):
        """- Returns: its status."""
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(BOUND)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        return process.returncode

    def words(self, command):
        return (self.place / (Path(command).name + ".log")).read_text(errors="replace").strip()

    def environment(self, **more):
        """For the program under measurement: this script's servers, and nothing of whoever calls it.

        All that is started with it shares what the graphics driver has made of the program's shaders.
        """
        shaders = str(self.place / "shaders")
        environment = dict(
            os.environ, LIBGL_ALWAYS_SOFTWARE="1", MESA_SHADER_CACHE_DIR=shaders, **apart(self.place), **more)
        for name in ("WAYLAND_DISPLAY", "PULSE_SERVER", "DBUS_SESSION_BUS_ADDRESS"):
            if name not in more:
                environment.pop(name, None)
        return environment

    def x_server(self):
        """- Returns: its name, for DISPLAY."""
        read, write = os.pipe()
        screen = ["Xvfb", "-displayfd", write, "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-noreset"]
        self.start(screen, pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        return ":" + number if number else die("Xvfb did not start: " + self.words("Xvfb"))

    def window_manager(self, environment):
        """openbox, as it is without settings of a person's own. - Returns: its process."""
        manager = self.start(["openbox", "--sm-disable"], env=environment)

        def is_there():
            if manager.poll() is not None:
                die("openbox did not start: " + self.words("openbox"))
            answer = subprocess.run(
                ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment, capture_output=True, text=True)
            return "window id" in answer.stdout

        wait_until(is_there, "the window manager")
        return manager

    def sound_server(self):
        """- Returns: the address of a server whose only device is a null sink; None where there is no `pulseaudio`."""
        if not shutil.which("pulseaudio"):
            return None
        socket, home = self.place / "pulse", self.place / "home"
        home.mkdir(mode=0o700, exist_ok=True)
        # One that was killed leaves its socket behind.
        socket.unlink(missing_ok=True)
        self.sound = self.start(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--high-priority=no",
             "--realtime=no", "--log-target=stderr",
             f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1",
             f"--load=module-null-sink sink_name={SINK} rate={SAMPLE_RATE} channels=2"],
            env=dict(os.environ, HOME=str(home), XDG_RUNTIME_DIR=str(home), PULSE_RUNTIME_PATH=str(home)),
        )  # fmt: skip

        def is_there():
            if self.sound.poll() is not None:
                die("the sound server did not start: " + self.words("pulseaudio"))
            return socket.exists()

        wait_until(is_there, "the sound server")
        return f"unix:{socket}"


def clips_folder():
    """Where films are kept from one run to the next."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "glissade" / "clips"


def coded_film(witness, clips, size, rate, seconds, margins=(0, 0), marked=False):
    """A film whose frames carry their number, made where it is not there yet; a keyframe each 120 frames.

    - margins: black above and below the code, in the film's pixels.
    - marked: whether the code is found wherever the picture lies (`witness follow`).
    """
    edges = f"-{margins[0]}+{margins[1]}" if any(margins) else ""
    path = clips / f"{'marks' if marked else 'coded'}-{size[0]}x{size[1]}{edges}-{rate}fps-{seconds}s.mp4"
    if path.exists():
        return path
    print(f"Making {path}", file=sys.stderr)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}.mp4")
    what = ["--size", f"{size[0]}x{size[1]}", "--rate", rate, "--seconds", seconds]
    if any(margins):
        what += ["--margins", f"{margins[0]},{margins[1]}"]
    if marked:
        what.append("--marked")
    if subprocess.run([str(word) for word in [witness, "film", *what, unfinished]]).returncode:
        die(f"could not make {path}")
    unfinished.rename(path)
    return path
