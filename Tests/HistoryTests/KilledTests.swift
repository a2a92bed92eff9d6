import Foundation
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeHistory

/// A program of its own that records, and is ended in every way.
@Suite("History after kill -9", .serialized) struct KilledTests {
    /// What a child has said, line by line, until it ends; the test reads as it comes.
    private final class Writer {
        let process = Process()
        private let output = Pipe()
        private var rest = ""
        private(set) var lines: [String] = []

        init(_ arguments: [String]) throws {
            // Beside the tests' own program.
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appendingPathComponent("history-writer")
            process.arguments = arguments
            process.standardOutput = output
            try process.run()
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }

        /// Reads what has come, waiting for some; false at the end.
        func read() -> Bool {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return false }
            var parts = (rest + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
            rest = parts.removeLast()
            lines += parts
            return true
        }
    }

    @Test("After a kill at any moment the history is intact and within one second of the position")
    func killed() throws {
        for round in 0..<6 {
            let scene = try Scene()
            let writer = try Writer([scene.file.displayPath])
            let count = 3 + round * 2
            while writer.lines.count < count, writer.read() {}
            // The moment is the point, not what is waited for: anywhere between two records.
            usleep(UInt32.random(in: 0...100_000))
            kill(writer.process.processIdentifier, SIGKILL)
            while writer.read() {}
            let told = try #require(writer.lines.last.flatMap(Int.init))
            #expect(try integrity(scene.file) == "ok")
            let database = try HistoryDatabase(scene.file)
            let newest = try database.recent(100).map(\.position).max()
            database.close()
            // The first may have been told, and not yet written.
            if told - 100 >= 10 || newest != nil {
                let position = try #require(newest)
                #expect(position >= .zero + .milliseconds((told - 10) * 100))
                #expect(position <= .zero + .milliseconds(told * 100))
            }
            #expect(scene.names.filter { $0.contains("damaged") }.isEmpty)
        }
    }

    @Test("On a full disk an error is reported once, and what was written before is intact")
    func full() throws {
        let scene = try Scene()
        try scene.fill(5)
        for limit in [0, 4096, 20_000, 40_000, 100_000] {
            let writer = try Writer([scene.file.displayPath, "--count", "300", "--size-limit", "\(limit)"])
            while writer.read() {}
            writer.process.waitUntilExit()
            #expect(writer.process.terminationReason == .exit && writer.process.terminationStatus == 0)
            #expect(writer.lines.last == "closed")
            let troubles = writer.lines.filter { $0.hasPrefix("trouble") }
            #expect(limit >= 40_000 ? troubles.count <= 1 : troubles.count == 1, "\(limit): \(troubles)")
            #expect(!troubles.contains { $0.contains("damaged") }, "\(troubles)")
            #expect(try integrity(scene.file) == "ok")
            let database = try HistoryDatabase(scene.file)
            for number in 0..<5 { #expect(try database.entry(at: film("\(number)").location) != nil) }
            database.close()
        }
    }

    @Test("A folder or file without write permission is reported once, and the program continues")
    func readOnly() throws {
        for isFolder in [true, false] {
            let scene = try Scene()
            try scene.fill(5)
            let before = try scene.bytes()
            // Whoever else asks may look, and no more.
            let folders = [scene.path, scene.path + "/state", scene.path + "/state/glissade"]
            for folder in folders { chmod(folder, 0o755) }
            chmod(scene.file.displayPath, isFolder ? 0o666 : 0o444)
            if !isFolder { chmod(folders[2], 0o777) }
            if geteuid() != 0 { chmod(folders[2], isFolder ? 0o555 : 0o755) }
            defer { chmod(folders[2], 0o755) }
            let writer = try Writer([scene.file.displayPath, "--count", "20", "--nobody"])
            while writer.read() {}
            writer.process.waitUntilExit()
            #expect(writer.process.terminationStatus == 0)
            #expect(writer.lines.last == "closed")
            #expect(writer.lines.filter { $0.hasPrefix("trouble") }.count == 1, "\(writer.lines)")
            #expect(!writer.lines.contains { $0.contains("damaged") })
            #expect(try scene.bytes() == before)
        }
    }
}
