"""Shared by the measuring scripts: a private X server, sound server and processes, ended by process id.

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
# The limit for one wait for another process, in seconds.
BOUND = 30
# The format and the name of the sound server's null sink.
SAMPLE_RATE, SINK = 48000, "glissade"
NULL_SINK = f"sink_name={SINK} rate={SAMPLE_RATE} channels=2"
# The programs required by each kind of sound server.
SOUND_SERVERS = {
    "pulse": ["pulseaudio"], "pipewire": ["pipewire", "wireplumber", "pipewire-pulse", "dbus-daemon", "pactl"]}


def die(message):
    sys.exit(f"Scripts/{Path(sys.argv[0]).name}: {message}")


def wait_until(question, what, bound=BOUND):
    deadline = time.monotonic() + bound
    while not (answer := question()):
        if time.monotonic() > deadline:
            die(f"waited {bound} s for {what} without success")
        time.sleep(0.02)
    return answer


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            die(f"{tool} is missing (Scripts/packages test installs it)")


def need_binary(path, maker):
    if not os.access(path, os.X_OK):
        die(f"no binary at {path}: run {maker}")


def cpu_seconds(process):
    """The CPU time that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def apart(place):
    """Returns variables that give a program a history, settings and a cache of its own in `place`, so that nothing
    resumes. The graphics driver's cache is not there: see `Services.environment`."""
    return {f"XDG_{name}_HOME": str(Path(place) / name.lower()) for name in ("STATE", "CONFIG", "CACHE")}


class Services:
    """All processes started here. Ends them by process id when the `with` block is left, and when SIGTERM ends the
    script."""

    def __init__(self):
        self.processes = []
        self.place = Path(tempfile.mkdtemp(prefix=f"glissade-{Path(sys.argv[0]).name}."))
        # The sound server's processes.
        self.sound = []

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.end(process)
        shutil.rmtree(self.place, ignore_errors=True)

    def start(self, command, **options):
        """Starts a process. Its output goes to a log (see `words`), unless `options` say otherwise."""
        with open(self.place / (Path(command[0]).name + ".log"), "ab") as log:
            options = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, **options}
            process = subprocess.Popen([str(word) for word in command], **options)
        self.processes.append(process)
        return process

    def end(self, process):
        """Ends a process. - Returns: its status."""
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
        """The environment for the program under measurement: this script's servers, and nothing of the caller's.

        Everything started with it shares the graphics driver's shader cache.
        """
        shaders = str(self.place / "shaders")
        environment = dict(
            os.environ, LIBGL_ALWAYS_SOFTWARE="1", MESA_SHADER_CACHE_DIR=shaders, **apart(self.place), **more)
        for name in ("WAYLAND_DISPLAY", "PULSE_SERVER", "DBUS_SESSION_BUS_ADDRESS"):
            if name not in more:
                environment.pop(name, None)
        return environment

    def x_server(self):
        """Starts an X server. - Returns: its name, for DISPLAY."""
        read, write = os.pipe()
        screen = ["Xvfb", "-displayfd", write, "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-noreset"]
        self.start(screen, pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        return ":" + number if number else die("Xvfb did not start: " + self.words("Xvfb"))

    def window_manager(self, environment):
        """Starts openbox with default settings. - Returns: its process."""
        manager = self.start(["openbox", "--sm-disable"], env=environment)

        def is_there():
            if manager.poll() is not None:
                die("openbox did not start: " + self.words("openbox"))
            answer = subprocess.run(
                ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment, capture_output=True, text=True)
            return "window id" in answer.stdout

        wait_until(is_there, "the window manager")
        return manager

    def sound_server(self, kind="pulse", rewinds=True):
        """Starts a sound server.

        - kind: "pulse" is PulseAudio; "pipewire" is PipeWire with its own WirePlumber and PulseAudio server.
        - rewinds: Whether PulseAudio's sink takes back what it has mixed but not played when a stream joins, leaves or
          is flushed, as sound cards do; the monitor misses the replacement.
        - Returns: The address of a server whose only device is a null sink; None if its programs are missing.
        """
        if not all(map(shutil.which, SOUND_SERVERS[kind])):
            return None
        home = self.place / "home"
        home.mkdir(mode=0o700, exist_ok=True)
        return self.pipewire(home) if kind == "pipewire" else self.pulseaudio(home, rewinds)

    def end_sound_server(self):
        """Kills the server, as a crash would."""
        for process in self.sound:
            process.kill()
            process.wait()

    def pulseaudio(self, home, rewinds):
        socket = self.place / "pulse"
        # A killed server leaves its socket behind.
        socket.unlink(missing_ok=True)
        server = self.start(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--high-priority=no",
             "--realtime=no", "--log-target=stderr",
             f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1",
             f"--load=module-null-sink {NULL_SINK} norewinds={0 if rewinds else 1}"],
            env=dict(os.environ, HOME=str(home), XDG_RUNTIME_DIR=str(home), PULSE_RUNTIME_PATH=str(home)),
        )  # fmt: skip
        self.sound = [server]
        self.wait_for_sound(server, socket.exists)
        return f"unix:{socket}"

    def pipewire(self, home):
        """Starts PipeWire with a private bus, on which WirePlumber looks for other services; no other program knows its
        address."""
        bus, socket = self.place / "bus", home / "pulse" / "native"
        for left in (bus, socket, home / "pipewire-0"):
            left.unlink(missing_ok=True)
        environment = dict(
            os.environ, **apart(home), HOME=str(home), XDG_RUNTIME_DIR=str(home), PIPEWIRE_RUNTIME_DIR=str(home),
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={bus}", PULSE_SERVER=f"unix:{socket}")
        environment.pop("DISPLAY", None)
        self.sound = []
        for command, is_there in [
            (["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={bus}"], bus.exists),
            (["pipewire"], (home / "pipewire-0").exists),
            (["wireplumber"], lambda: True),
            (["pipewire-pulse"], socket.exists),
        ]:
            process = self.start(command, env=environment)
            self.sound.append(process)
            self.wait_for_sound(process, is_there)

        def control(*words):
            return subprocess.run(["pactl", *words], env=environment, capture_output=True, text=True, timeout=BOUND)

        wait_until(lambda: control("info").returncode == 0, "pipewire-pulse")
        made = control("load-module", "module-null-sink", *NULL_SINK.split())
        if made.returncode:
            die(f"no null sink: {made.stderr.strip()}")
        # WirePlumber registers the sink a moment after it is created.
        wait_until(lambda: control("set-default-sink", SINK).returncode == 0, "the null sink")
        wait_until(lambda: control("get-default-sink").stdout.strip() == SINK, "the null sink as the default one")
        return f"unix:{socket}"

    def wait_for_sound(self, process, is_there):
        name = Path(process.args[0]).name

        def answer():
            if process.poll() is not None:
                die(f"{name} did not start: " + self.words(name))
            return is_there()

        wait_until(answer, name)


def clips_folder():
    """The folder in which films are kept between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "glissade" / "clips"


def coded_film(witness, clips, size, rate, seconds, margins=(0, 0), marked=False):
    """Returns a film whose frames carry their number, created if missing, with a keyframe every 120 frames.

    - margins: Black above and below the code, in the film's pixels.
    - marked: Whether the code can be found wherever the video is (`witness follow`).
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
