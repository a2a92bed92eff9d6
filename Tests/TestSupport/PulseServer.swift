import Glibc
import Host
import Motion

/// A PulseAudio daemon of the test's own: one null sink named "test", one socket, no part of the user's desktop.
///
/// Shared by any threads, though a test calls `stop` and `restart` from one. Ends its daemon in `deinit`.
public final class PulseServer: @unchecked Sendable {
    // @unchecked: `pid` is only changed by the test that owns the server.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let folder: String
    private let rewinds: Bool
    private var pid: pid_t = 0

    /// The address, for clients.
    public var address: String { "unix:\(folder)/native" }

    /// Starts a daemon whose sink runs at `rate`, and returns when it listens.
    ///
    /// - Parameter rewinds: whether the sink takes back what it has mixed but not played when something changes, as sound
    ///   cards do. A null sink's monitor has let up to a block of that out already, and then doubles or loses as much:
    ///   where every sample counts, it must not.
    public init(rate: Int = 48_000, channels: Int = 2, rewinds: Bool = true) throws {
        self.rewinds = rewinds
        var template = Array("/tmp/glissade-pulse-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: error \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try restart(rate: rate, channels: channels)
    }

    deinit {
        stop()
        Self.run("/bin/rm", ["-rf", folder])
    }

    /// Starts the daemon again, after `stop`, at the same address.
    public func restart(rate: Int = 48_000, channels: Int = 2) throws {
        precondition(pid == 0, "the sound server still runs")
        unlink("\(folder)/native")
        let arguments = [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
            "--log-target=file:\(folder)/log", "-L",
            "module-null-sink sink_name=test format=float32le rate=\(rate) channels=\(channels) norewinds=\(rewinds ? 0 : 1)",
            "-L", "module-native-protocol-unix socket=\(folder)/native auth-anonymous=1",
        ]
        let environment = [
            "PATH=/usr/bin:/bin", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "PULSE_RUNTIME_PATH=\(folder)",
            "PULSE_STATE_PATH=\(folder)", "DBUS_SESSION_BUS_ADDRESS=disabled:",
        ]
        guard let child = Self.spawn("/usr/bin/pulseaudio", arguments, environment) else {
            throw Failure(description: "pulseaudio is not installed (Scripts/test installs it)")
        }
        pid = child
        let deadline = HostTime.now() + .seconds(10)
        while !Self.listens("\(folder)/native") {
            guard HostTime.now() < deadline, waitpid(child, nil, WNOHANG) == 0 else {
                throw Failure(description: "pulseaudio does not start; see \(folder)/log")
            }
            // The folder changes when the socket appears; polling it by the clock would be a sleep.
            Self.awaitChange(in: folder)
        }
    }

    /// Kills the daemon, as a crash would, and returns when it is gone.
    public func stop() {
        guard pid != 0 else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        pid = 0
    }

    /// Halts the daemon without ending it, or lets it go on.
    public func setFrozen(_ frozen: Bool) { kill(pid, frozen ? SIGSTOP : SIGCONT) }

    /// Takes the device away from all streams, as for another seat's turn, or gives it back. - Returns: whether it could.
    public func setSuspended(_ suspended: Bool) -> Bool {
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
