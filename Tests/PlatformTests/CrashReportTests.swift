import Foundation
import Glibc
import Testing

@testable import GlissadePlatform

/// What a program leaves that crashes: a helper is made to, in every way.
@Suite("Crash reports") struct CrashReportTests {
    /// How a run of the helper ended, and the reports that it has left.
    private struct Run {
        var reason: Process.TerminationReason
        var status: Int32
        var reports: [BytePath] = []

        /// - Parameter folder: where its reports go. The runtime's own, which a developer may have turned on, is off.
        init(_ kind: String, in folder: String) throws {
            let process = Process()
            // Beside the tests' own program.
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appendingPathComponent("crasher")
            process.arguments = [folder, kind]
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            (reason, status) = (process.terminationReason, process.terminationStatus)
            reports = CrashReports.takeNew(in: BytePath(folder))
        }
    }

    private static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = NSTemporaryDirectory() + "/glissade-crash-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    private static func text(_ path: BytePath) throws -> String {
        String(decoding: try #require(AtomicFile.read(path, atMost: 1 << 20)), as: UTF8.self)
    }

    /// The names of the functions in a backtrace, as a symbolizer finds them by the report's addresses.
    private static func functions(_ report: String) throws -> String {
        var names = ""
        for line in report.split(separator: "\n") where line.hasPrefix("  #") {
            guard let plus = line.lastIndex(of: "+"), let space = line[..<plus].lastIndex(of: " ") else { continue }
            let file = line[line.index(after: space)..<plus]
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["addr2line", "-fe", String(file), String(line[line.index(after: plus)...])]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            names += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
        }
        return names
    }

    /// How the helper crashes, the signals that may end it, and the function that its backtrace begins with.
    static let crashes: [(kind: String, signals: [Int32], function: String)] = [
        ("trap", [SIGILL, SIGTRAP], "trap"), ("memory", [SIGSEGV], "read"), ("stack", [SIGSEGV], "overflow"),
        ("abort", [SIGABRT], "crash"),
    ]

    @Test(
        "A crash in any thread ends the program by its signal and leaves a report naming the function",
        arguments: crashes)
    func crash(kind: String, signals: [Int32], function: String) throws {
        try Self.withFolder { folder in
            let run = try Run(kind, in: folder + "/state/crashes")
            #expect(run.reason == .uncaughtSignal && signals.contains(run.status))
            #expect(run.reports.count == 1)
            let report = try Self.text(try #require(run.reports.first))
            #expect(report.hasPrefix("Crasher 1.0 crashed: SIG"), "\(report)")
            #expect(report.contains("\nthread: unlucky, "), "\(report)")
            let names = try Self.functions(report)
            #expect(names.contains("Crasher") && names.contains(function), "\(report)\n\(names)")
        }
    }

    /// What follows a heading, as far as its lines are indented.
    private static func section(_ heading: String, of report: String) -> [Substring] {
        let lines = report.split(separator: "\n").drop { $0 != heading }
        return Array(lines.dropFirst().prefix { $0.hasPrefix("  ") })
    }

    @Test(
        "If the stack cannot be unwound the report has the raw stack addresses and the modules' build IDs",
        arguments: ["jump", "return"])
    func wild(kind: String) throws {
        try Self.withFolder { folder in
            let run = try Run(kind, in: folder)
            #expect(run.reason == .uncaughtSignal && run.status == SIGSEGV)
            let report = try Self.text(try #require(run.reports.first))
            #expect(report.contains("\n  #0 "), "\(report)")
            let modules = Self.section("modules:", of: report)
            #expect(modules.contains { $0.contains("/crasher, build ID ") }, "\(report)")
            if kind == "jump" {
                #expect(report.contains("\n  #0 0x4141414141\n"), "\(report)")
                let stack = Self.section("code addresses on the stack:", of: report)
                #expect(stack.contains { $0.contains("/crasher+0x") }, "\(report)")
            }
        }
    }

    @Test("A signal that already has a handler is left to it")
    func handled() throws {
        try Self.withFolder { folder in
            let run = try Run("handled", in: folder)
            #expect(run.reason == .exit && run.status == 7)
            #expect(run.reports.isEmpty)
        }
    }

    @Test("Crash reports and their new folders are readable by the user only")
    func privacy() throws {
        try Self.withFolder { folder in
            let run = try Run("abort", in: folder + "/state/crashes")
            var status = stat()
            let report = try #require(run.reports.first)
            #expect(report.withCString { lstat($0, &status) } == 0)
            #expect(status.st_mode == S_IFREG | 0o600)
            for part in ["/state/crashes", "/state"] {
                #expect(lstat(folder + part, &status) == 0)
                #expect(status.st_mode == S_IFDIR | 0o700)
            }
        }
    }

    @Test("A report is announced once, and the latest ten are kept")
    func kept() throws {
        try Self.withFolder { folder in
            #expect(mkdir(folder, 0o700) == 0)
            for number in 10..<24 {
                _ = FileManager.default.createFile(atPath: "\(folder)/20260101-0000\(number)-1.new", contents: Data())
            }
            _ = FileManager.default.createFile(atPath: folder + "/notes", contents: Data())
            CrashReports.removeOldest(in: BytePath(folder))
            let first = CrashReports.takeNew(in: BytePath(folder))
            #expect(first.map(\.displayName) == (14..<24).map { "20260101-0000\($0)-1.txt" })
            #expect(CrashReports.takeNew(in: BytePath(folder)).isEmpty)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.count == 11)
        }
    }
}
