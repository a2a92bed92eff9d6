import Foundation
import Glibc
import GlissadeTestSupport
import GlissadeTime
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

    /// Stops the main thread until `look` has seen `count` frames in a row, however slowly they come, and returns their numbers.
    ///
    /// A thread that is stopped while it draws holds the lock that the film's thread needs, and no frame comes: where none does
    /// for two seconds, the thread goes on and is stopped again.
    static func frames(of program: Program, atLeast count: Int, _ look: () throws -> Int?) throws -> [Int] {
        for _ in 1...12 {
            var frames: [Int] = []
            try during(program) {
                var changed = HostTime.now()
                _ = try firstValue(within: .seconds(60), every: .milliseconds(5)) {
                    let now = HostTime.now()
                    if let frame = try look(), frame != frames.last {
                        frames.append(frame)
                        changed = now
                    }
                    return frames.count >= count || now > changed + .seconds(2) ? true : nil
                }
            }
            if frames.count >= count { return frames }
        }
        throw Program.Failure(description: "no \(count) frames come while the main thread is stopped")
    }
}

extension PageHarness {
    /// Stops the main thread, and expects frames of the film on the page, whose edge is at `left`, in order.
    func expectFilmGoesOn(where left: Int) throws {
        let frames = try MainThreadStop.frames(of: glissade, atLeast: 20) {
            WitnessTool.changes(of: witness).last { $0.left == left && Int($0.frame) != nil }.flatMap { Int($0.frame) }
        }
        #expect(frames == frames.sorted())
    }
}
