import Glibc
import GlissadePlatform
import GlissadeTime

/// A session bus of the test's own: one `dbus-daemon` that starts no services. Ends it in `deinit`.
///
/// Shared by any threads, though a test calls `stop` from one.
package final class BusServer: @unchecked Sendable {
    // @unchecked: `pid` is only changed by the test that owns the server.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let folder: String
    private var pid: pid_t = 0

    /// The address, for clients.
    package var address: String { "unix:path=\(folder)/bus" }

    /// Starts the daemon, and returns when it listens.
    package init() throws {
        var template = Array("/tmp/glissade-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: error \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <listen>unix:path=\(folder)/bus</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """
        guard let file = fopen("\(folder)/bus.conf", "w") else { throw Failure(description: "cannot write \(folder)") }
        fputs(configuration, file)
        fclose(file)
        // The shell gives way to the daemon, whose words go to a file.
        let command = "exec dbus-daemon --nofork --nopidfile --nosyslog --config-file=bus.conf 2>log"
        guard
            let child = SoundServer.spawn(
                "/bin/sh", ["sh", "-c", "cd \(folder) && \(command)"], ["PATH=/usr/bin:/bin"])
        else {
            throw Failure(description: "no shell")
        }
        pid = child
        let deadline = HostTime.now() + .seconds(10)
        while !SoundServer.listens("\(folder)/bus") {
            guard HostTime.now() < deadline, waitpid(child, nil, WNOHANG) == 0 else {
                throw Failure(description: "dbus-daemon does not start (Scripts/test installs it); see \(folder)/log")
            }
            SoundServer.awaitChange(in: folder)
        }
    }

    deinit {
        stop()
        SoundServer.run("/bin/rm", ["-rf", folder])
    }

    /// Kills the daemon, as the end of a session would, and returns when it is gone.
    package func stop() {
        guard pid != 0 else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        pid = 0
    }

    /// Halts the daemon without ending it, or lets it go on.
    package func setFrozen(_ frozen: Bool) { kill(pid, frozen ? SIGSTOP : SIGCONT) }
}
