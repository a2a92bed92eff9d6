package import Foundation
import Glibc
import GlissadePlatform
import GlissadeTime

/// An RTMP server that sends one film in real time to the first client, and then ends: `ffmpeg`. Also ends in `deinit`.
package final class RTMPServer {
    package struct Failure: Error { let reason: String }

    package let port: Int
    private var process = Process()

    package var address: String { "rtmp://127.0.0.1:\(port)/live/film" }

    /// Starts the server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - film: of H.264 and AAC.
    ///   - port: where it listens; nil for any.
    package init(_ film: String, port: Int? = nil) throws {
        let port = try port ?? Self.freePort()
        self.port = port
        // A socket of the server before, or somebody else's, may have the port for a moment: `ffmpeg` then ends.
        let started = eventually(within: .seconds(60)) {
            guard let process = Self.start(film, port: port) else { return false }
            self.process = process
            return eventually(within: .seconds(30)) { !process.isRunning || Self.isListening(port) }
                && process.isRunning
        }
        guard started else { throw Failure(reason: "ffmpeg does not listen") }
    }

    private static func start(_ film: String, port: Int) -> Process? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-v", "error", "-nostdin", "-re", "-i", film, "-c", "copy", "-f", "flv"]
            + ["-listen", "1", "rtmp://127.0.0.1:\(port)/live/film"]
        // It complains of clients that go before the film's end.
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) == nil ? nil : process
    }

    deinit { kill() }

    /// Ends it as a crash does, and returns when it has ended.
    package func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Halts it with its connection open, or lets it go on.
    package func setFrozen(_ isFrozen: Bool) { Glibc.kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(reason: "no socket") }
        defer { close(descriptor) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(reason: "no free port") }
        return Int(UInt16(bigEndian: place.sin_port))
    }

    /// Whether somebody listens at a port. To connect would take the only client's place.
    private static func isListening(_ port: Int) -> Bool {
        let number = String(port, radix: 16, uppercase: true)
        let wanted = ":" + String(repeating: "0", count: 4 - number.count) + number
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[1].hasSuffix(wanted) && words[3] == "0A"
        }
    }
}

/// An RTSP server that misbehaves as its addresses say: `Scripts/rtsp-server`, which tells how. Ends in `deinit`.
package final class RTSPServer {
    package struct Failure: Error { let reason: String }

    package let port: Int
    private let process = Process()
    private let input = Pipe()

    /// - Parameters:
    ///   - folder: what it serves.
    package init(_ folder: URL) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", Repository.path("Scripts/rtsp-server"), folder.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        guard let line = output.fileHandleForReading.firstLine() else {
            throw Failure(reason: "the server has not started")
        }
        guard let port = Int(line) else {
            throw Failure(reason: "the server has not told its port")
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The address of a path, which begins with `/`.
    package func address(_ path: String) -> String { "rtsp://127.0.0.1:\(port)\(path)" }
}
