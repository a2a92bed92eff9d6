import Testing
import GlissadeTime

@testable import GlissadeApp

/// When the renderer's resources are prepared.
@MainActor @Suite("Preparation of the renderer") struct PreparationTests {
    /// Runs rounds of steps that take 5 ms each, one round a frame, and returns the times at which steps began.
    private func steps(timeLeft: Duration?, frames: Int = 60, count: Int = 10) -> [[Duration]] {
        var preparation = Preparation(stepCount: count)
        let start = HostTime(nanoseconds: 1_000_000_000)
        return (0..<frames).map { frame in
            var now = start + .nanoseconds(16_666_667) * frame
            var begun: [Duration] = []
            preparation.prewarm(nextFrameDue: timeLeft.map { now + $0 }, clock: { now }) { _ in
                begun.append(now - start)
                now = now + .milliseconds(5)
            }
            return begun
        }
    }

    @Test("With enough time before the next frame, one step runs in each frame")
    func roomy() {
        #expect(steps(timeLeft: .milliseconds(10)).prefix(11).map(\.count) == Array(repeating: 1, count: 10) + [0])
    }

    @Test("Without a film, steps run one after another, each time for 3 ms")
    func still() { #expect(steps(timeLeft: nil).prefix(10).allSatisfy { $0.count == 1 }) }

    @Test("If there is never enough time, steps run nevertheless, and no two frames in a row are delayed")
    func starved() {
        let counts = steps(timeLeft: .milliseconds(2)).map(\.count)
        #expect(counts.reduce(0, +) == 10)
        #expect(counts[0] == 0)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 + $1 <= 1 })
        #expect(counts.lastIndex(of: 1) ?? .max < 36)
    }
}
