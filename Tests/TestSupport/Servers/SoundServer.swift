import Glibc
import GlissadePlatform
import GlissadeTime

/// A sound server of the test's own: one null sink named "test", one socket, no part of the user's desktop.
///
/// Shared by any threads, though a test calls `stop` and `restart` from one. Ends its processes in `deinit`.
package final class SoundServer: @unchecked Sendable {
    // @unchecked: `processes` and `bus` are only changed by the test that owns the server.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whose server it is; both speak PulseAudio's protocol.
    package enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
        case pulseAudio = "PulseAudio"
        /// PipeWire with WirePlumber and `pipewire-pulse`.
        case pipeWire = "PipeWire"

        package var description: String { rawValue }

        var programs: [String] {
            switch self {
            case .pulseAudio: ["pulseaudio"]
            case .pipeWire: ["pipewire", "wireplumber", "pipewire-pulse"]
            }
        }

        /// Whether its programs are installed.
        package var isInstalled: Bool {
            (programs + ["pactl"]).allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
        }

        /// Whether a sink can be taken away from the streams that play on it, and given back. PipeWire 0.3.65 goes on
        /// with a sink that is told to suspend while it runs, and plays nothing but silence on it from then on.
        package var canSuspend: Bool { self == .pulseAudio }

        /// Those that are installed.
        package static var available: [Kind] { allCases.filter(\.isInstalled) }
    }

    package let kind: Kind
    package let folder: String
    private let rewinds: Bool
    private var processes: [pid_t] = []
    /// WirePlumber looks for devices that others hold on a session bus.
    private var bus: BusServer?

    /// The address, for clients.
    package var address: String { "unix:\(socket)" }

    private var socket: String {
        switch kind {
        case .pulseAudio: "\(folder)/native"
        case .pipeWire: "\(folder)/pulse/native"
        }
    }

    /// Starts a server whose sink runs at `rate`, and returns when it listens.
    ///
    /// - Parameter rewinds: whether PulseAudio's sink takes back what it has mixed but not played when something changes,
    ///   as sound cards do. A null sink's monitor has let up to a block of that out already, and then doubles or loses as
    ///   much: where every sample counts, it must not. PipeWire never does.
    package init(_ kind: Kind = .pulseAudio, rate: Int = 48_000, channels: Int = 2, rewinds: Bool = true) throws {
        self.kind = kind
        self.rewinds = rewinds
        var template = Array("/tmp/glissade-sound-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: error \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try restart(rate: rate, channels: channels)
    }

    deinit {
        stop()
        Self.run("/bin/rm", ["-rf", folder])
    }

    /// Starts the server again, after `stop`, at the same address.
    package func restart(rate: Int = 48_000, channels: Int = 2) throws {
        precondition(processes.isEmpty, "the sound server still runs")
        unlink(socket)
        switch kind {
        case .pulseAudio: try startPulseAudio(rate: rate, channels: channels)
        case .pipeWire: try startPipeWire(rate: rate, channels: channels)
        }
    }

    private func startPulseAudio(rate: Int, channels: Int) throws {
        let arguments = [
            "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=file:\(folder)/log", "-L",
            "module-null-sink sink_name=test format=float32le rate=\(rate) channels=\(channels) norewinds=\(rewinds ? 0 : 1)",
            "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
        ]
        try start(
            "pulseaudio", arguments,
            ["PULSE_RUNTIME_PATH=\(folder)", "PULSE_STATE_PATH=\(folder)", "DBUS_SESSION_BUS_ADDRESS=disabled:"])
        try waitForListener(at: socket)
    }

    private func startPipeWire(rate: Int, channels: Int) throws {
        let bus = try BusServer()
        self.bus = bus
        let variables = ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "XDG_CONFIG_HOME=\(folder)"]
        try configure(rate: rate)
        unlink("\(folder)/pipewire-0")
        try start("pipewire", [], variables)
        try waitForListener(at: "\(folder)/pipewire-0")
        try start("wireplumber", [], variables)
        try start("pipewire-pulse", [], variables)
        try waitForListener(at: socket)
        try control(
            "load-module", "module-null-sink", "sink_name=test", "format=float32le", "rate=\(rate)",
            "channels=\(channels)")
        // WirePlumber takes the sink up a moment after it is there.
        try waitUntil("has its null sink as the default one") {
            Self.run("/usr/bin/pactl", ["-s", address, "set-default-sink", "test"]) == 0
                && Self.run("/bin/sh", ["-c", "test $(pactl -s \(address) get-default-sink) = test"]) == 0
        }
    }

    /// The graph runs at the sink's rate: nothing is resampled. Its blocks are as long as PipeWire has them in virtual
    /// machines: of shorter ones, a busy machine without real-time priority loses some.
    private func configure(rate: Int) throws {
        let place = "\(folder)/pipewire/pipewire.conf.d"
        guard Self.run("/bin/mkdir", ["-p", place]) == 0, let file = fopen("\(place)/test.conf", "w") else {
            throw Failure(description: "cannot write \(place)")
        }
        fputs(
            "context.properties = { default.clock.rate = \(rate) default.clock.allowed-rates = [ \(rate) ] "
                + "default.clock.min-quantum = 1024 }\n", file)
        fclose(file)
    }

    private func start(_ program: String, _ arguments: [String], _ variables: [String]) throws {
        let environment = ["PATH=/usr/bin:/bin", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)"] + variables
        // The shell gives way to the program, whose words go to a file.
        let command = ["sh", "-c", "exec \"$0\" \"$@\" 2>>\(folder)/\(program).log", program] + arguments
        guard let child = Self.spawn("/bin/sh", command, environment) else { throw Failure(description: "no shell") }
        processes.append(child)
    }

    private func waitForListener(at socket: String) throws {
        try waitUntil("listens at \(socket)") { Self.listens(socket) }
    }

    private func waitUntil(_ what: String, _ question: () -> Bool) throws {
        let deadline = HostTime.now() + .seconds(10)
        while !question() {
            guard HostTime.now() < deadline, processes.allSatisfy({ waitpid($0, nil, WNOHANG) == 0 }) else {
                throw Failure(description: "\(kind) never \(what); its logs are in \(folder)")
            }
            // The folder changes when the socket appears; polling it by the clock would be a sleep.
            Self.awaitChange(in: folder)
        }
    }

    /// Adds a null sink beside "test".
    package func addSink(_ name: String, channels: Int) throws {
        try control(
            "load-module", "module-null-sink", "sink_name=\(name)", "format=float32le", "rate=48000",
            "channels=\(channels)")
    }

    /// Takes all null sinks away, as headphones that are pulled out.
    package func removeSinks() throws { try control("unload-module", "module-null-sink") }

    /// Moves what plays to another sink, as a user does in a mixer.
    package func moveStreams(to sink: String) throws {
        let ask = "pactl -s \(address)"
        // WirePlumber forgets a move to a sink that it has not taken up yet.
        let command = """
            sink=$(\(ask) list short sinks | awk '$2 == "\(sink)" { print $1 }')
            streams=$(\(ask) list short sink-inputs | cut -f 1)
            for stream in $streams; do \(ask) move-sink-input $stream \(sink) || exit 1; done
            \(ask) list short sink-inputs | awk -v sink="$sink" '$2 != sink { exit 1 }'
            """
        try waitUntil("moves a stream") { Self.run("/bin/sh", ["-c", command]) == 0 }
    }

    private func control(_ words: String...) throws {
        let command = words.joined(separator: " ")
        guard Self.run("/bin/sh", ["-c", "pactl -s \(address) \(command) >/dev/null"]) == 0 else {
            throw Failure(description: "pactl \(command) fails at \(kind)")
        }
    }

    /// Kills the server, as a crash would, and returns when it is gone.
    package func stop() {
        for pid in processes.reversed() { kill(pid, SIGKILL) }
        for pid in processes { waitpid(pid, nil, 0) }
        processes = []
        bus = nil
    }

    /// Halts the server without ending it, or lets it go on.
    package func setFrozen(_ frozen: Bool) {
        for pid in processes { kill(pid, frozen ? SIGSTOP : SIGCONT) }
    }

    /// Takes the device away from all streams, as for another user's session, or gives it back. - Returns: whether it could.
    package func setSuspended(_ suspended: Bool) -> Bool {
        Self.run("/usr/bin/pactl", ["-s", address, "suspend-sink", "test", suspended ? "1" : "0"]) == 0
    }

    /// Whether somebody listens at a socket.
    static func listens(_ path: String) -> Bool {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            } == 0
        }
    }

    /// Waits until something happens in the folder, at most a twentieth of a second: the socket is there a moment before
    /// it is listened to, and of that no event tells.
    static func awaitChange(in folder: String) {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(watch) }
        inotify_add_watch(watch, folder, UInt32(IN_CREATE | IN_ATTRIB))
        var poll = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&poll, 1, 50)
    }

    /// Runs a program to its end. - Returns: its exit status, or nil if it did not run.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) -> Int32? {
        guard let pid = spawn(path, [path] + arguments, ["PATH=/usr/bin:/bin"]) else { return nil }
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status >> 8
    }

    static func spawn(_ path: String, _ arguments: [String], _ environment: [String]) -> pid_t? {
        var pid: pid_t = 0
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        // The tests' runner blocks signals in its threads; a server is to end by one.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return posix_spawn(&pid, path, nil, &attributes, &argv, &envp) == 0 ? pid : nil
    }
}
