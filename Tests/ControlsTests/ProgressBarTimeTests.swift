import Controls
import Gestures
import Testing
import Time

@Suite("The progress bar's value in time") @MainActor struct ProgressBarTimeTests {
    private let bench = BarBench()
    private var bar: ProgressBar { bench.bar }

    @Test("SetValue is there at once")
    func atOnce() {
        bar.setValue(0.25, now: bench.now)
        #expect(bar.shownValue == 0.25 && bar.value == 0.25)
        #expect(bench.played.frame.size.width == 250)
        #expect(!bar.isAnimating)
    }

    @Test("SetValue with a duration moves there linearly over that time, and its completion is called once, with true")
    func linear() {
        bar.setValue(0.2, now: bench.now)
        bench.run(to: 0.6, seconds: 4)
        #expect(bar.value == 0.6 && bar.shownValue == 0.2)
        for step in 1...39 {
            bench.frame(after: 100)
            #expect(abs(bar.shownValue - (0.2 + 0.01 * Double(step))) < 1e-12)
            #expect(bench.ends.isEmpty)
        }
        bench.frame(after: 100)
        #expect(bar.shownValue == 0.6 && bench.ends == [true])
        bench.frame(after: 1000)
        #expect(bench.ends == [true])
    }

    @Test("Driven by a report each 0.25 s, it moves smoothly at the display's rate between two")
    func reports() {
        let speed = 0.04
        bar.setValue(0, now: bench.now)
        var places: [Double] = []
        for report in 1...8 {
            bench.run(to: Double(report) * 0.25 * speed, seconds: 0.25)
            for _ in 1...15 {
                bench.frame(after: 250.0 / 15)
                places.append(bar.shownValue)
            }
        }
        for (a, b) in zip(places, places.dropFirst()) { #expect(abs(b - a - speed / 60) < 1e-8) }
    }

    @Test("A report that comes early or late continues from where the bar is seen, without a jump")
    func unevenReports() {
        bench.run(to: 0.5, seconds: 1)
        bench.frame(after: 700)
        #expect(bar.shownValue == 0.35)
        bench.run(to: 0.6, seconds: 1)
        #expect(bar.shownValue == 0.35)
        bench.frame(after: 1500)
        #expect(bar.shownValue == 0.6)
        bench.run(to: 0.8, seconds: 1)
        #expect(bar.shownValue == 0.6)
    }

    @Test("Pause stops it where it is seen, not at the end of the running animation")
    func pause() {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 3000)
        let seen = (bar.shownValue, bench.played.frame)
        bar.pauseAnimation(now: bench.now)
        for _ in 1...20 {
            bench.frame(after: 500)
            #expect(bar.shownValue == seen.0 && bench.played.frame == seen.1)
        }
        #expect(seen.0 == 0.3 && bench.ends.isEmpty)
    }

    @Test("A pause that comes while a frame is on its way to the screen stops it where that frame shows it")
    func pauseBehindTheFrame() {
        bench.run(to: 1, seconds: 10)
        bar.advance(to: bench.now + .milliseconds(3016))
        let seen = bar.shownValue
        bar.pauseAnimation(now: bench.now + .milliseconds(3005))
        #expect(bar.shownValue == seen)
        bar.advance(to: bench.now + .milliseconds(3033))
        #expect(bar.shownValue == seen)
        bar.resumeAnimation(now: bench.now + .milliseconds(5000))
        #expect(bar.shownValue == seen)
    }

    @Test("Resume continues from there without a jump, however long the pause")
    func resume() {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 3000)
        bar.pauseAnimation(now: bench.now)
        bench.frame(after: 3_600_000)
        bar.resumeAnimation(now: bench.now)
        #expect(bar.shownValue == 0.3)
        bench.frame(after: 1000)
        #expect(bar.shownValue == 0.4)
        bench.frame(after: 6000)
        #expect(bar.shownValue == 1 && bench.ends == [true])
    }

    @Test("Repeated pauses are exact to the bit")
    func repeatedPauses() {
        let other = BarBench()
        bench.run(to: 0.9, seconds: 7)
        other.run(to: 0.9, seconds: 7)
        for step in 1...1000 {
            bench.frame(after: 3.7)
            other.frame(after: 3.7)
            bar.pauseAnimation(now: bench.now)
            let seen = bar.shownValue
            bar.pauseAnimation(now: bench.now)
            bench.frame(after: Double(step) * 1.3)
            #expect(bar.shownValue == seen)
            bar.resumeAnimation(now: bench.now)
            bar.resumeAnimation(now: bench.now)
            #expect(bar.shownValue == seen && other.bar.shownValue == seen)
        }
    }

    @Test("What is begun during a pause waits, and starts with the resume; what is set is there at once")
    func setDuringPause() {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 2000)
        bar.pauseAnimation(now: bench.now)
        bar.setValue(0.5, now: bench.now)
        #expect(bar.shownValue == 0.5 && bench.ends == [false])
        bench.run(to: 0.6, seconds: 1)
        bench.frame(after: 5000)
        #expect(bar.shownValue == 0.5 && bar.isPaused)
        bar.resumeAnimation(now: bench.now)
        bench.frame(after: 500)
        #expect(abs(bar.shownValue - 0.55) < 1e-12 && !bar.isPaused)
    }

    @Test("RemoveAnimation jumps to the end of what ran, and tells its completion false, once")
    func remove() {
        bench.run(to: 0.8, seconds: 10)
        bench.frame(after: 1000)
        bar.removeAnimation(now: bench.now)
        #expect(bar.shownValue == 0.8 && bench.ends == [false])
        bar.removeAnimation(now: bench.now)
        bench.frame(after: 20_000)
        #expect(bench.ends == [false])
    }

    @Test("A replaced animation calls its completion once, with finished == false")
    func replaced() {
        bench.run(to: 0.8, seconds: 10)
        bench.run(to: 0.9, seconds: 10)
        #expect(bench.ends == [false])
        bar.setValue(0.1, now: bench.now)
        #expect(bench.ends == [false, false])
        bench.frame(after: 20_000)
        #expect(bench.ends == [false, false])
    }

    @Test("Reset is at 0 with nothing pending, and not paused")
    func reset() {
        bench.run(to: 0.8, seconds: 10)
        bench.frame(after: 5000)
        bar.pauseAnimation(now: bench.now)
        bar.reset(now: bench.now)
        #expect(bar.shownValue == 0 && bar.value == 0 && bench.ends == [false] && !bar.isPaused)
        bench.frame()
        bench.frame(after: 20_000)
        #expect(bar.shownValue == 0 && bench.ends == [false])
        #expect(!bar.isAnimating && bar.nextWake == nil)
    }

    @Test("A seek that removes the animation and sets the value leaves nothing to run on")
    func seek() {
        bench.run(to: 0.3, seconds: 0.25)
        bench.frame(after: 100)
        bar.removeAnimation(now: bench.now)
        bar.setValue(0.9, now: bench.now)
        #expect(bar.shownValue == 0.9)
        bench.frame(after: 1000)
        #expect(bar.shownValue == 0.9)
    }

    @Test("A completion may begin the next movement, or reset the bar")
    func reentrant() {
        bar.setValue(0.5, duration: .seconds(1), now: bench.now) { [bench] _ in bench.run(to: 1, seconds: 1) }
        bench.frame(after: 1000)
        #expect(bar.shownValue == 0.5 && bench.ends.isEmpty)
        bench.frame(after: 500)
        #expect(bar.shownValue == 0.75)
        bar.setValue(1, duration: .seconds(1), now: bench.now) { [bench] _ in bench.bar.reset(now: bench.now) }
        bar.removeAnimation(now: bench.now)
        #expect(bar.shownValue == 0)
    }

    @Test(
        "Beyond the ends it is at the nearest one", arguments: [(-0.5, 0.0), (1.5, 1), (.infinity, 1), (-.infinity, 0)])
    func beyond(value: Double, end: Double) {
        bar.setValue(0.5, now: bench.now)
        bar.setValue(value, now: bench.now)
        #expect(bar.shownValue == end)
        bar.setValue(0.5, now: bench.now)
        bench.run(to: value, seconds: 1)
        bench.frame(after: 1000)
        #expect(bar.shownValue == end && bench.ends == [true])
    }

    @Test("What is no number is not taken: what runs continues, and its own completion is told false")
    func notANumber() {
        bench.run(to: 0.5, seconds: 1)
        bench.frame(after: 500)
        bar.setValue(.nan, now: bench.now)
        #expect(bench.ends.isEmpty)
        bench.run(to: .nan, seconds: 1)
        #expect(bench.ends == [false])
        bench.frame(after: 500)
        #expect(bar.shownValue == 0.5 && bench.ends == [false, true])
    }

    @Test("A duration that is none is at the end at once; one without an end just continues", arguments: [0.0, -1])
    func durations(seconds: Double) {
        bench.run(to: 0.4, seconds: seconds)
        #expect(bar.shownValue == 0.4)
        bench.frame()
        #expect(bar.shownValue == 0.4 && bench.ends == [true])
        bar.setValue(1, duration: .seconds(Int64.max), now: bench.now)
        bench.frame(after: 1000)
        #expect(bar.shownValue >= 0.4 && bar.shownValue < 0.4001)
        bar.pauseAnimation(now: bench.now)
        bar.resumeAnimation(now: bench.now)
        _ = bar.nextWake
    }

    @Test("A time before the last one moves nothing back")
    func backwards() {
        bench.run(to: 1, seconds: 10)
        bench.frame(after: 5000)
        bar.advance(to: HostTime(nanoseconds: 0))
        #expect(bar.shownValue == 0.5)
    }
}
