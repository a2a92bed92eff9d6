import Foundation
import Glibc
import Testing

/// Stops the main thread of a program, and nothing else of it, as a debugger does.
enum MainThreadStop {
    /// Whether this machine lets one process trace another.
    static let isAllowed: Bool = {
        guard Python.path != nil else { return false }
        let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        return geteuid() == 0 || scope?.hasPrefix("0") ?? true
    }()

    /// Runs `body` while the main thread of `program` stands still.
    static func during(_ program: Program, _ body: () throws -> Void) throws {
        let arguments = [try #require(Python.path), Python.scripts + "/stalling.py", "\(program.id)"]
        try Program.run(arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"]) { tracer in
            try Program.untilTrue("the main thread to stand still") {
                if tracer.hasEnded { throw Program.Failure(description: tracer.errors) }
                return tracer.output.hasPrefix("stopped")
            }
            try body()
            // The thread goes on when its tracer ends.
            kill(tracer.id, SIGTERM)
            try tracer.expect(.killed(signal: SIGTERM))
        }
    }
}

extension PageHarness {
    /// Stops the main thread, and expects frames of the film on the page, whose edge is at `left`, in order and without gaps.
    func expectFilmGoesOn(where left: Int) throws {
        var frames: [Int] = []
        try MainThreadStop.during(glissade) {
            let begun = WitnessTool.changes(of: witness).count
            try Program.untilTrue("20 frames of the film") {
                frames = WitnessTool.changes(of: witness).dropFirst(begun).filter { $0.left == left }
                    .compactMap { Int($0.frame) }
                return Set(frames).count >= 20
            }
        }
        #expect(frames == frames.sorted())
    }
}
