import Glibc
import Host
import Motion

/// An X server of the test's own, by Xvfb: one screen that nobody else draws on. Ends it in `deinit`.
///
/// For one thread.
public final class XServer {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let folder: String
    private let pid: pid_t
    /// Like `:1`, for DISPLAY.
    public let name: String

    /// Starts the server, and returns when it listens.
    public init(width: Int = 640, height: Int = 360) throws {
        var template = Array("/tmp/glissade-x-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: error \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The shell gives way to the server, which writes its number once it listens.
        let options = "-displayfd 3 -screen 0 \(width)x\(height)x24 -nolisten tcp -noreset"
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

    deinit {
        kill(pid, SIGTERM)
        waitpid(pid, nil, 0)
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
