import Testing
import GlissadeTime

@testable import GlissadePresentation

/// The pacer where no display tells of its refreshes, over ten seconds of a film.
@Suite("Playback paced by a timer")
struct TimerPlaybackTests {
    /// What was seen when.
    struct Seen {
        /// When each draw was on screen.
        var presents: [HostTime] = []
        /// Which frame of the film each of them showed.
        var frames: [Int] = []
    }

    static let origin = HostTime(nanoseconds: 5_000_000_000)

    /// Plays a film of `rate` frames a second, whose first frame is due at `phase` of a period.
    private func play(
        rate: Double, phase: Double, isAnimating: Bool = false, cost: Duration = .milliseconds(3),
        jitter: (Int) -> Duration = { _ in .zero }, seconds: Double = 10
    ) -> Seen {
        var pacer = FramePacer(refreshRate: 60)
        let first = Self.origin + .seconds(1) + pacer.period * phase
        func due(_ frame: Int) -> HostTime { first + .seconds(Double(frame) / rate) }
        var seen = Seen()
        // The picture before the first frame, as a page without its film or the frame of a pause.
        pacer.didSwap(began: Self.origin - cost, swapCalled: Self.origin, returned: Self.origin, visibleAt: Self.origin)
        var now = Self.origin
        var next = 0
        while due(next) < first + .seconds(seconds) {
            let plan = pacer.plan(
                now: now, frameDue: due(next), isAnimating: isAnimating, needsRedraw: false, wake: nil)
            switch plan {
            case .sleep(let until):
                guard let until, until > now else {
                    Issue.record("it would not wake, or spins")
                    return seen
                }
                now = until
            case .draw(let visible, let frames):
                let began = now
                let swapTime = pacer.swapTime(frameDue: due(next), framesBy: frames, visibleAt: visible, now: now)
                // As the player gives them out: the newest that is due, older ones dropped.
                while due(next) <= frames { next += 1 }
                now = now + cost + jitter(next)
                let drawn = now
                now = max(now, swapTime ?? now)
                let called = now
                pacer.didSwap(began: began, held: called - drawn, swapCalled: called, returned: now, visibleAt: visible)
                seen.presents.append(now)
                seen.frames.append(next - 1)
            }
        }
        return seen
    }

    private func isEachOnce(_ frames: [Int]) -> Bool { frames == Array(0..<frames.count) }

    @Test(
        "Without a display clock frames are shown when due, however long each takes to draw",
        arguments: [24.0, 60])
    func held(rate: Double) {
        // 3 ms, and every ninth frame 7.
        let seen = play(rate: rate, phase: 0.3, jitter: { $0 % 9 == 0 ? .milliseconds(4) : .zero })
        #expect(isEachOnce(seen.frames))
        let intervals = zip(seen.presents, seen.presents.dropFirst()).dropFirst(20).map { ($1 - $0).inMilliseconds }
        #expect(intervals.allSatisfy { abs($0 - 1000 / rate) < 0.25 })
    }

    @Test(
        "Each frame is drawn once and shown when it is due",
        arguments: [24, 25, 60, 60 / 1.001])
    func unblocked(rate: Double) {
        let seen = play(rate: rate, phase: 0.3)
        #expect(isEachOnce(seen.frames))
        let first = Self.origin + .seconds(1) + FramePacer(refreshRate: 60).period * 0.3
        for (frame, present) in zip(seen.frames, seen.presents) {
            let late = present - (first + .seconds(Double(frame) / rate))
            #expect(abs(late.inMilliseconds) <= 1.001, "frame \(frame)")
        }
    }

    @Test(
        "During an animation draws come at the display's rate and each frame when it is due",
        arguments: [24, 25, 30, 50, 60 / 1.001, 60])
    func animating(rate: Double) {
        let seen = play(rate: rate, phase: 0.3, isAnimating: true)
        let shown = Set(seen.frames.filter { $0 >= 0 })
        #expect(shown == Set(0..<shown.count), "none skipped")
        #expect(seen.frames == seen.frames.sorted())
        let period = FramePacer(refreshRate: 60).period
        for (a, b) in zip(seen.presents, seen.presents.dropFirst()) {
            #expect(b - a >= period * 0.54, "two draws crowd each other")
            #expect(b - a <= period * 1.12, "a gap in the motion")
        }
        let first = Self.origin + .seconds(1) + period * 0.3
        for (index, frame) in seen.frames.enumerated()
        where frame >= 0 && (index == 0 || seen.frames[index - 1] != frame) {
            let late = seen.presents[index] - (first + .seconds(Double(frame) / rate))
            #expect(abs(late.inMilliseconds) <= 1.001, "frame \(frame)")
        }
    }
}
