import Foundation
import Glibc
import Testing

/// glibc's, which Swift's importer does not show without _GNU_SOURCE.
@_silgen_name("tgkill") private func send(_ process: pid_t, _ thread: pid_t, _ signal: CInt) -> CInt

extension EndToEnd {
    /// What is left of a crash, and what the next start says of it.
    @Suite("Crashes") struct CrashTests {
        private static let quiet = ["--offscreen", "--audio", "none"]

        /// The thread of a process that has a name.
        private static func thread(_ name: String, of process: pid_t) -> pid_t? {
            let tasks = "/proc/\(process)/task"
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            let found = threads.first { thread in
                (try? String(contentsOfFile: "\(tasks)/\(thread)/comm", encoding: .utf8)) == name + "\n"
            }
            return found.flatMap { pid_t($0) }
        }

        private static func reports(in state: String) throws -> [String] {
            let folder = state + "/glissade/crashes"
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
        }

        @Test(
            "A crash in any thread leaves a report with a backtrace, and the next start says so once",
            arguments: zip(["glissade", "demuxer", "video decoder"], [SIGABRT, SIGILL, SIGSEGV]))
        func crash(name: String, signal: CInt) throws {
            let clip = try Clip.long.get()
            let file = URL(fileURLWithPath: clip).lastPathComponent
            try TemporaryFolder.with { state in
                let environment: [String: String?] = ["XDG_STATE_HOME": state, "SWIFT_BACKTRACE": "enable=no"]
                let shot = state + "/s.png"
                let options = Self.quiet + ["--no-history", "--screenshot", "0=\(shot)"]
                try Glissade.run(options + [clip], environment: environment) { glissade in
                    try Program.untilTrue("the screenshot") { access(shot, F_OK) == 0 }
                    let thread = try #require(Self.thread(name, of: glissade.id))
                    #expect(send(glissade.id, thread, signal) == 0)
                    try glissade.expect(.killed(signal: signal))
                    #expect(glissade.errors == "")
                }
                let path = try #require(try Self.reports(in: state).first)
                let report = try String(contentsOfFile: path, encoding: .utf8)
                #expect(report.hasPrefix("Glissade "), "\(report)")
                #expect(report.contains("\nthread: \(name), "), "\(report)")
                // The file that it was reading, and nothing of what it is connected with.
                #expect(report.contains("/\(file)\n") && !report.contains("socket"), "\(report)")
                let frames = report.split(separator: "\n").filter { $0.hasPrefix("  #") }
                #expect(frames.count >= 3 && frames.contains { $0.contains("/glissade+0x") }, "\(report)")

                // Whoever asks for figures is not who is to be told.
                let binary = try #require(Glissade.path)
                for arguments in [["info", clip], ["bench"] + Self.quiet + ["--duration", "0.1", clip]] {
                    try Program.run([binary] + arguments, environment: environment) { glissade in
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                }
                for isTold in [true, false] {
                    let arguments = Self.quiet + ["--no-history", "--duration", "0.1", clip]
                    try Glissade.run(arguments, environment: environment) { glissade in
                        try glissade.expect(.exited(0))
                        let told = try #require(try Self.reports(in: state).first)
                        let words = "glissade: crashed the last time it ran; a report is in \(told)\n"
                        #expect(glissade.errors == (isTold ? words : ""))
                    }
                }
            }
        }

        @Test("The functions in a report's backtrace can be found by their addresses")
        func symbols() throws {
            let clip = try Clip.long.get()
            try TemporaryFolder.with { state in
                let environment: [String: String?] = ["XDG_STATE_HOME": state, "SWIFT_BACKTRACE": "enable=no"]
                let options = Self.quiet + ["--no-history", "--paused"]
                try Glissade.run(options + [clip], environment: environment) { glissade in
                    let thread = try Program.until("the decoder") { Self.thread("video decoder", of: glissade.id) }
                    #expect(send(glissade.id, thread, SIGSEGV) == 0)
                    try glissade.expect(.killed(signal: SIGSEGV))
                }
                let path = try #require(try Self.reports(in: state).first)
                let report = try String(contentsOfFile: path, encoding: .utf8)
                let places = report.split(separator: "\n").filter { $0.hasPrefix("  #") && $0.contains("/glissade+0x") }
                    .compactMap { $0.split(separator: "+").last.map(String.init) }
                let binary = try #require(Glissade.path)
                let names = try places.map { try Program.tool("addr2line", "-f", "-e", binary, $0) }.joined()
                #expect(names.contains("Playback") && names.contains("Thread"), "\(report)\n\(names)")
            }
        }

        @Test("If no thread can be created, a one-line message says so")
        func threads() throws {
            let clip = try Clip.short.get()
            let binary = try #require(Glissade.path)
            // glibc gives each thread a stack of this size: in KiB, and more than there are addresses for.
            let shell = ["sh", "-c", "ulimit -s 100000000000 && exec \"$@\"", "sh", binary]
            try Program.run(shell + Self.quiet + ["--exit-at-end", clip]) { glissade in
                try glissade.expect(.exited(1))
                let lines = glissade.errors.split(separator: "\n")
                let words = "\(clip): cannot start another thread: resource temporarily unavailable"
                #expect(lines.contains("glissade: \(words)"), "\(glissade.errors)")
                #expect(lines.allSatisfy { $0.hasPrefix("glissade: ") }, "\(glissade.errors)")
            }
        }

        @Test("A closed standard output ends the program quietly")
        func brokenPipe() throws {
            let clip = try Clip.short.get()
            let binary = try #require(Glissade.path)
            let start = """
                import os, signal, sys
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                reader, writer = os.pipe()
                os.close(reader)
                os.dup2(writer, 1)
                os.execv(sys.argv[1], sys.argv[1:])
                """
            try Program.run(["python3", "-c", start, binary, "info", clip]) { glissade in
                try glissade.expect(.killed(signal: SIGPIPE))
                #expect(glissade.errors == "")
            }
        }
    }
}
