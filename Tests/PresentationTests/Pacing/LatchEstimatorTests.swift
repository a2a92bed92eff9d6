import Testing

@testable import GlissadePresentation

@Suite("Latch estimator")
struct LatchEstimatorTests {
    /// Observes frames of a display that takes them `latch` periods before a refresh, and sent at the margin.
    private func observe(_ latch: Double, frames: Int = 100, _ estimator: inout LatchEstimator) {
        for _ in 0..<frames {
            estimator.observe(
                missed: Int64(max(0, (latch - 0.25 - estimator.advance).rounded(.up))), early: estimator.advance)
        }
    }

    @Test("Frames that reach their refresh are not sent earlier")
    func reached() {
        var estimator = LatchEstimator()
        observe(0.1, &estimator)
        #expect(estimator.advance == 0 && estimator.delay == 0)
    }

    @Test(
        "Frames are sent earlier until they reach their refresh, and then some",
        arguments: [(0.3, 0.325), (0.45, 0.45), (0.55, 0.5), (0.7, 0.5)])
    func grows(latch: Double, advance: Double) {
        var estimator = LatchEstimator()
        observe(latch, &estimator)
        #expect(abs(estimator.advance - advance) < 1e-9 && estimator.delay == 0)
    }

    @Test("If a frame that was sent earlier reached its refresh, two that did not are enough")
    func known() {
        var estimator = LatchEstimator()
        estimator.observe(missed: 0, early: 0.4)
        estimator.observe(missed: 0, early: 0.2)
        estimator.observe(missed: 1, early: 0.1)
        #expect(estimator.advance == 0)
        estimator.observe(missed: 1, early: 0.1)
        #expect(estimator.advance == 0.4 && estimator.enough == 0.2)
    }

    @Test("If nothing helps, frames are sent late and planned for the refresh that shows them")
    func givesUp() {
        var estimator = LatchEstimator()
        observe(1, frames: 20, &estimator)
        #expect(estimator.advance == 0 && estimator.delay == 1)
        observe(1.2, &estimator)
        #expect(estimator.advance == 0 && estimator.delay == 1)
        observe(0, frames: 4, &estimator)
        #expect(estimator.delay == 0 && estimator.advance == 0)
    }

    @Test("Single late frames, and reports that cannot be true, change nothing")
    func outliers() {
        var estimator = LatchEstimator()
        for _ in 0..<50 {
            estimator.observe(missed: 1, early: 0)
            for missed in [-3, 1000, Int64.max, .min] { estimator.observe(missed: missed, early: 0) }
            for _ in 0..<100 { estimator.observe(missed: 0, early: 0) }
        }
        #expect(estimator.advance == 0 && estimator.delay == 0)
    }

    @Test("If many frames miss their refresh, though not all, they are sent earlier")
    func mixed() {
        var estimator = LatchEstimator()
        for frame in 0..<1000 as Range<Int64> { estimator.observe(missed: frame % 2, early: estimator.advance) }
        #expect(estimator.advance == 0.5 && estimator.delay == 0)
    }

    /// An estimator that sends all frames half a period earlier, after every second one was late for a while.
    private func afterBusySpell() -> LatchEstimator {
        var estimator = LatchEstimator()
        for frame in 0..<1000 as Range<Int64> { estimator.observe(missed: frame % 2, early: estimator.advance) }
        return estimator
    }

    @Test("After a busy spell, frames are sent later again, a step at a time")
    func shrinks() {
        var estimator = afterBusySpell()
        observe(0.1, frames: LatchEstimator.trialInterval - 1, &estimator)
        #expect(estimator.advance == 0.5)
        observe(0.1, frames: 1, &estimator)
        #expect(estimator.advance == 0.375)
        observe(0.1, frames: LatchEstimator.trialInterval * 3, &estimator)
        #expect(estimator.advance == 0 && estimator.delay == 0)
    }

    @Test("If a frame is late on trial, frames are sent earlier again at once, and the next trial comes later")
    func failedTrial() {
        var estimator = afterBusySpell()
        // The display takes frames 0.7 periods before a refresh, so 0.375 + 0.25 is too late.
        for factor in [1, 2, 4] {
            observe(0.7, frames: LatchEstimator.trialInterval * factor - 1, &estimator)
            #expect(estimator.advance == 0.5)
            observe(0.7, frames: 1, &estimator)
            #expect(estimator.advance == 0.375)
            observe(0.7, frames: 1, &estimator)
            #expect(estimator.advance == 0.5)
        }
    }

    @Test("If all frames were late before they were sent earlier, there is no trial", arguments: [0.3, 0.45, 0.7])
    func needed(latch: Double) {
        var estimator = LatchEstimator()
        observe(latch, &estimator)
        let advance = estimator.advance
        observe(latch, frames: LatchEstimator.trialInterval * 5, &estimator)
        #expect(advance > 0 && estimator.advance == advance)
    }
}
