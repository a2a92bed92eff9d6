import GlissadeCSystem
import Glibc

/// Runs this program again as a child process.
package enum ChildProcess {
    /// The environment variable that holds the parent's process ID.
    private static let parentVariable = "GLISSADE_PARENT"

    /// Runs this program with `arguments` as a child process and waits until it exits. Discards the child's output, and
    /// resets the child's signals to their default actions. Blocks; any thread.
    ///
    /// - Returns: The child's exit status; nil if the child could not be started or was ended by a signal.
    @discardableResult package static func runSelf(_ arguments: [String]) -> Int32? {
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
        // This must be the first entry: this process may itself be a child that has inherited the variable, and the
        // first entry with a given name counts.
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

    /// Makes the kernel end the calling process when the thread that started the process ends, or when `limit` has
    /// passed. `limit` is rounded down to whole seconds, but is at least one second.
    package static func endWithParent(within limit: Duration) {
        _ = glissade_end_with_parent()
        // If the parent ended before that call, the kernel sends no signal. But the process then has a new parent.
        if let parent = getenv(parentVariable).flatMap({ pid_t(String(cString: $0)) }), parent != getppid() {
            exit(EXIT_FAILURE)
        }
        alarm(UInt32(max(1, limit.components.seconds)))
    }

    /// Lowers the priority of the calling thread, and of the threads that it starts later, so that they run only while
    /// the CPU would otherwise be idle.
    package static func workWhenIdle() { glissade_work_when_idle() }

    /// A string that identifies this build of the program by the size and date of its executable file. Nil if these
    /// cannot be read.
    package static var identity: String? {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return nil }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
