import CSystem
import Glibc

/// This program, run once more beside itself.
public enum ChildProcess {
    /// The environment's name for who has started a child.
    private static let parentVariable = "GLISSADE_PARENT"

    /// Runs this program with `arguments` to its end, unheard and with the signals as a program expects to find them.
    /// Blocks; any thread.
    ///
    /// - Returns: its exit status; nil where it does not start, or a signal has ended it.
    @discardableResult public static func runSelf(_ arguments: [String]) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for output: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let list = (["glissade"] + arguments).map { strdup($0) } + [nil]
        defer { for argument in list { free(argument) } }
        var id: pid_t = 0
        // First, since the first of a name counts, and this process may be such a child itself.
        let parent = strdup("\(parentVariable)=\(getpid())")
        defer { free(parent) }
        var environment = [parent]
        var variable: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        while let entry = variable?.pointee {
            environment.append(entry)
            variable = variable?.successor()
        }
        environment.append(nil)
        guard posix_spawn(&id, "/proc/self/exe", &actions, &attributes, list, environment) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// The calling process ends when the thread that has started it does, however that comes, and after `limit` at the latest:
    /// nothing is left of a helper whose program was killed, and nobody waits for one that hangs.
    public static func endWithParent(within limit: Duration) {
        _ = glissade_end_with_parent()
        // Of a parent that had ended before that call nobody tells; whoever has taken over this process is another.
        if let parent = getenv(parentVariable).flatMap({ pid_t(String(cString: $0)) }), parent != getppid() {
            exit(EXIT_FAILURE)
        }
        alarm(UInt32(max(1, limit.components.seconds)))
    }

    /// The calling process works only when nobody else wants the processor, for good.
    public static func workWhenIdle() { glissade_work_when_idle() }

    /// Tells this program's file from every other, and from what it was before it was built anew; nil where the system
    /// does not say.
    public static var identity: String? {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return nil }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
