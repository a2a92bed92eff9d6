import GlissadeControls
import GlissadeGestures
import Testing
import GlissadeTime

@Suite("Progress bar animation") @MainActor struct ProgressBarTimeTests {
    private let harness = ProgressBarHarness()
    private var bar: ProgressBar { harness.bar }

    @Test("Setting the value takes effect at once")
    func atOnce() {
        bar.setValue(0.25, now: harness.now)
        #expect(bar.shownValue == 0.25 && bar.value == 0.25)
        #expect(harness.played.frame.size.width == 250)
        #expect(!bar.isAnimating)
    }

    @Test("Setting the value with a duration animates linearly and calls the completion once, as finished")
    func linear() {
        bar.setValue(0.2, now: harness.now)
        harness.run(to: 0.6, seconds: 4)
        #expect(bar.value == 0.6 && bar.shownValue == 0.2)
        for step in 1...39 {
            harness.frame(after: 100)
            #expect(abs(bar.shownValue - (0.2 + 0.01 * Double(step))) < 1e-12)
            #expect(harness.ends.isEmpty)
        }
        harness.frame(after: 100)
        #expect(bar.shownValue == 0.6 && harness.ends == [true])
        harness.frame(after: 1000)
        #expect(harness.ends == [true])
    }

    @Test("With a position report each 0.25 s the bar moves smoothly at the display's rate")
    func reports() {
        let speed = 0.04
        bar.setValue(0, now: harness.now)
        var places: [Double] = []
        for report in 1...8 {
            harness.run(to: Double(report) * 0.25 * speed, seconds: 0.25)
            for _ in 1...15 {
                harness.frame(after: 250.0 / 15)
                places.append(bar.shownValue)
            }
        }
        for (a, b) in zip(places, places.dropFirst()) { #expect(abs(b - a - speed / 60) < 1e-8) }
    }

    @Test("An early or late report continues from the current position without a jump")
    func unevenReports() {
        harness.run(to: 0.5, seconds: 1)
        harness.frame(after: 700)
        #expect(bar.shownValue == 0.35)
        harness.run(to: 0.6, seconds: 1)
        #expect(bar.shownValue == 0.35)
        harness.frame(after: 1500)
        #expect(bar.shownValue == 0.6)
        harness.run(to: 0.8, seconds: 1)
        #expect(bar.shownValue == 0.6)
    }

    @Test("Pausing stops the bar where it is drawn, not at the end of its animation")
    func pause() {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 3000)
        let seen = (bar.shownValue, harness.played.frame)
        bar.pauseAnimation(now: harness.now)
        for _ in 1...20 {
            harness.frame(after: 500)
            #expect(bar.shownValue == seen.0 && harness.played.frame == seen.1)
        }
        #expect(seen.0 == 0.3 && harness.ends.isEmpty)
    }

    @Test("Pausing while a frame is on its way to the screen stops the bar as in that frame")
    func pauseBehindTheFrame() {
        harness.run(to: 1, seconds: 10)
        bar.advance(to: harness.now + .milliseconds(3016))
        let seen = bar.shownValue
        bar.pauseAnimation(now: harness.now + .milliseconds(3005))
        #expect(bar.shownValue == seen)
        bar.advance(to: harness.now + .milliseconds(3033))
        #expect(bar.shownValue == seen)
        bar.resumeAnimation(now: harness.now + .milliseconds(5000))
        #expect(bar.shownValue == seen)
    }

    @Test("Resuming continues without a jump, however long the pause")
    func resume() {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 3000)
        bar.pauseAnimation(now: harness.now)
        harness.frame(after: 3_600_000)
        bar.resumeAnimation(now: harness.now)
        #expect(bar.shownValue == 0.3)
        harness.frame(after: 1000)
        #expect(bar.shownValue == 0.4)
        harness.frame(after: 6000)
        #expect(bar.shownValue == 1 && harness.ends == [true])
    }

    @Test("Repeated pauses are exact to the last bit")
    func repeatedPauses() {
        let other = ProgressBarHarness()
        harness.run(to: 0.9, seconds: 7)
        other.run(to: 0.9, seconds: 7)
        for step in 1...1000 {
            harness.frame(after: 3.7)
            other.frame(after: 3.7)
            bar.pauseAnimation(now: harness.now)
            let seen = bar.shownValue
            bar.pauseAnimation(now: harness.now)
            harness.frame(after: Double(step) * 1.3)
            #expect(bar.shownValue == seen)
            bar.resumeAnimation(now: harness.now)
            bar.resumeAnimation(now: harness.now)
            #expect(bar.shownValue == seen && other.bar.shownValue == seen)
        }
    }

    @Test("An animation added during a pause starts on resuming, while a value set directly shows at once")
    func setDuringPause() {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 2000)
        bar.pauseAnimation(now: harness.now)
        bar.setValue(0.5, now: harness.now)
        #expect(bar.shownValue == 0.5 && harness.ends == [false])
        harness.run(to: 0.6, seconds: 1)
        harness.frame(after: 5000)
        #expect(bar.shownValue == 0.5 && bar.isPaused)
        bar.resumeAnimation(now: harness.now)
        harness.frame(after: 500)
        #expect(abs(bar.shownValue - 0.55) < 1e-12 && !bar.isPaused)
    }

    @Test("Removing the animation jumps to its end and calls its completion once, as unfinished")
    func remove() {
        harness.run(to: 0.8, seconds: 10)
        harness.frame(after: 1000)
        bar.removeAnimation(now: harness.now)
        #expect(bar.shownValue == 0.8 && harness.ends == [false])
        bar.removeAnimation(now: harness.now)
        harness.frame(after: 20_000)
        #expect(harness.ends == [false])
    }

    @Test("A replaced animation calls its completion once, as unfinished")
    func replaced() {
        harness.run(to: 0.8, seconds: 10)
        harness.run(to: 0.9, seconds: 10)
        #expect(harness.ends == [false])
        bar.setValue(0.1, now: harness.now)
        #expect(harness.ends == [false, false])
        harness.frame(after: 20_000)
        #expect(harness.ends == [false, false])
    }

    @Test("A reset bar is at 0, not paused and without animation")
    func reset() {
        harness.run(to: 0.8, seconds: 10)
        harness.frame(after: 5000)
        bar.pauseAnimation(now: harness.now)
        bar.reset(now: harness.now)
        #expect(bar.shownValue == 0 && bar.value == 0 && harness.ends == [false] && !bar.isPaused)
        harness.frame()
        harness.frame(after: 20_000)
        #expect(bar.shownValue == 0 && harness.ends == [false])
        #expect(!bar.isAnimating && bar.nextWake == nil)
    }

    @Test("A seek that removes the animation and sets the value leaves nothing animating")
    func seek() {
        harness.run(to: 0.3, seconds: 0.25)
        harness.frame(after: 100)
        bar.removeAnimation(now: harness.now)
        bar.setValue(0.9, now: harness.now)
        #expect(bar.shownValue == 0.9)
        harness.frame(after: 1000)
        #expect(bar.shownValue == 0.9)
    }

    @Test("A completion may start the next animation or reset the bar")
    func reentrant() {
        bar.setValue(0.5, duration: .seconds(1), now: harness.now) { [harness] _ in harness.run(to: 1, seconds: 1) }
        harness.frame(after: 1000)
        #expect(bar.shownValue == 0.5 && harness.ends.isEmpty)
        harness.frame(after: 500)
        #expect(bar.shownValue == 0.75)
        bar.setValue(1, duration: .seconds(1), now: harness.now) { [harness] _ in harness.bar.reset(now: harness.now) }
        bar.removeAnimation(now: harness.now)
        #expect(bar.shownValue == 0)
    }

    @Test(
        "Values beyond the ends are clamped", arguments: [(-0.5, 0.0), (1.5, 1), (.infinity, 1), (-.infinity, 0)])
    func beyond(value: Double, end: Double) {
        bar.setValue(0.5, now: harness.now)
        bar.setValue(value, now: harness.now)
        #expect(bar.shownValue == end)
        bar.setValue(0.5, now: harness.now)
        harness.run(to: value, seconds: 1)
        harness.frame(after: 1000)
        #expect(bar.shownValue == end && harness.ends == [true])
    }

    @Test("A value that is not finite is ignored: the running animation continues and the new completion is unfinished")
    func notANumber() {
        harness.run(to: 0.5, seconds: 1)
        harness.frame(after: 500)
        bar.setValue(.nan, now: harness.now)
        #expect(harness.ends.isEmpty)
        harness.run(to: .nan, seconds: 1)
        #expect(harness.ends == [false])
        harness.frame(after: 500)
        #expect(bar.shownValue == 0.5 && harness.ends == [false, true])
    }

    @Test("A zero duration ends at once, and an endless one just keeps going", arguments: [0.0, -1])
    func durations(seconds: Double) {
        harness.run(to: 0.4, seconds: seconds)
        #expect(bar.shownValue == 0.4)
        harness.frame()
        #expect(bar.shownValue == 0.4 && harness.ends == [true])
        bar.setValue(1, duration: .seconds(Int64.max), now: harness.now)
        harness.frame(after: 1000)
        #expect(bar.shownValue >= 0.4 && bar.shownValue < 0.4001)
        bar.pauseAnimation(now: harness.now)
        bar.resumeAnimation(now: harness.now)
        _ = bar.nextWake
    }

    @Test("A time before the last one moves nothing back")
    func backwards() {
        harness.run(to: 1, seconds: 10)
        harness.frame(after: 5000)
        bar.advance(to: HostTime(nanoseconds: 0))
        #expect(bar.shownValue == 0.5)
    }
}
