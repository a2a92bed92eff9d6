package import Glibc
import GlissadePlatform
import GlissadeTime

/// An X server of the test's own, by Xvfb: one screen that nobody else draws on. Ends it in `deinit`.
///
/// For one thread.
package final class XServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let folder: String
    /// Its process.
    package let pid: pid_t
    private var hasEnded = false
    /// Like `:1`, for DISPLAY.
    package let name: String

    /// Starts the server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - depth: of its screen, in bits.
    ///   - options: more of Xvfb's, as on a command line.
    package init(width: Int = 640, height: Int = 360, depth: Int = 24, options more: String = "-nolisten tcp") throws {
        var template = Array("/tmp/glissade-x-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: error \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The shell gives way to the server, which writes its number once it listens.
        let options = "-displayfd 3 -screen 0 \(width)x\(height)x\(depth) -noreset \(more)"
        let command = "cd \(folder) && exec Xvfb \(options) 3>number >log 2>&1"
        guard let child = SoundServer.spawn("/bin/sh", ["sh", "-c", command], ["PATH=/usr/bin:/bin"]) else {
            throw Failure(description: "no shell")
        }
        pid = child
        let deadline = HostTime.now() + .seconds(20)
        var number = ""
        while !number.hasSuffix("\n") {
            guard HostTime.now() < deadline, waitpid(child, nil, WNOHANG) == 0 else {
                throw Failure(description: "Xvfb does not start (Scripts/test installs it); see \(folder)/log")
            }
            SoundServer.awaitChange(in: folder)
            number = Self.read("\(folder)/number")
        }
        name = ":" + number.dropLast()
    }

    /// Ends it as nobody expects it, and returns when it has.
    package func kill() { end(SIGKILL) }

    /// From now on it has no more addresses than that, in bytes. Whether it was so done.
    package func limitAddresses(to count: Int) -> Bool {
        SoundServer.run("/usr/bin/prlimit", ["--pid", "\(pid)", "--as=\(count):unlimited"]) == 0
    }

    private func end(_ signal: Int32) {
        guard !hasEnded else { return }
        hasEnded = true
        Glibc.kill(pid, signal)
        waitpid(pid, nil, 0)
    }

    deinit {
        end(SIGTERM)
        SoundServer.run("/bin/rm", ["-rf", folder])
    }

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
