import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Progress bar wake-ups") @MainActor struct ProgressBarWakeTests {
    private let harness = ProgressBarHarness()
    private var bar: ProgressBar { harness.bar }

    @Test("At rest the bar neither animates nor asks for frames")
    func rest() {
        #expect(!bar.isAnimating && bar.nextWake == nil)
        #expect(!harness.frame(after: 1000))
    }

    @Test("A change asks for one frame at once, and only if it is visible")
    func change() {
        bar.setValue(0.5, now: harness.now)
        #expect(!bar.isAnimating && bar.nextWake == harness.now)
        #expect(harness.frame())
        #expect(bar.nextWake == nil && !harness.frame())
        bar.setValue(0.5001, now: harness.now)
        bar.buffered = [0...0.0001]
        #expect(bar.nextWake == nil && !harness.frame())
    }

    @Test("The bar animates only if its edge moves a device pixel per frame, else it gives its next wake-up")
    func rate() throws {
        // 1000 px in 16 s are 62.5 a second.
        harness.run(to: 1, seconds: 16)
        harness.frame()
        #expect(bar.isAnimating && bar.nextWake == nil)
        bar.reset(now: harness.now)
        harness.run(to: 1, seconds: 17)
        harness.frame()
        #expect(!bar.isAnimating)
        #expect(try #require(bar.nextWake) > harness.now)
        bar.tick = .milliseconds(20)
        #expect(bar.isAnimating)
    }

    @Test("Twice the pixel density gives twice the steps")
    func scale() {
        let harness = ProgressBarHarness(scale: 2)
        harness.run(to: 1, seconds: 30)
        harness.frame()
        #expect(harness.bar.isAnimating)
        harness.bar.layout(Rect(x: 100, y: 240, width: 1000, height: 20), scale: 1)
        #expect(!harness.bar.isAnimating)
    }

    @Test(
        "At each wake-up the bar has moved by one device pixel, and nothing is drawn in between",
        arguments: [1000.0, 300, 3600, 86400, 1e6], [1.0, 1.25, 2])
    func wakes(seconds: Double, scale: Double) throws {
        let harness = ProgressBarHarness(scale: scale)
        let bar = harness.bar
        for direction in [1.0, 0] {
            harness.run(to: direction, seconds: seconds)
            harness.frame(after: 0)
            for _ in 0..<200 {
                #expect(!bar.isAnimating)
                let before = harness.thumbX
                let wake = try #require(bar.nextWake)
                #expect(wake > harness.now)
                #expect(!bar.advance(to: wake - .microseconds(2)))
                #expect(bar.nextWake == wake)
                harness.window.now = wake
                #expect(bar.advance(to: wake))
                #expect(abs(abs(harness.thumbX - before) * scale - 1) < 1e-6)
            }
        }
    }

    @Test("A two-hour video costs one draw every seven seconds, with a report each 0.25 s")
    func film() {
        var draws = 0
        for report in 1...400 {
            bar.setValue(Double(report) * 0.25 / 7200, duration: .milliseconds(250), now: harness.now)
            let next = harness.now + .milliseconds(250)
            #expect(!bar.isAnimating)
            while let wake = bar.nextWake, wake < next {
                harness.window.now = max(wake, harness.now)
                if bar.advance(to: harness.now) { draws += 1 }
            }
            harness.window.now = next
            if bar.advance(to: next) { draws += 1 }
        }
        // 100 s are 13.9 px.
        #expect(draws == 14)
    }

    @Test("A paused bar asks for nothing")
    func paused() {
        for seconds in [1.0, 1000] {
            harness.run(to: 1, seconds: seconds)
            harness.frame(after: 100)
            bar.pauseAnimation(now: harness.now)
            harness.frame()
            #expect(!bar.isAnimating && bar.nextWake == nil && !harness.frame(after: 10_000))
            bar.reset(now: harness.now)
        }
    }

    @Test("An animation with a completion wakes at its end, even if nothing visible changes")
    func end() {
        bar.setValue(0.5, now: harness.now)
        harness.frame()
        harness.run(to: 0.5, seconds: 3)
        #expect(!bar.isAnimating && bar.nextWake == harness.now + .seconds(3))
        #expect(!harness.frame(after: 3000))
        #expect(harness.ends == [true] && bar.nextWake == nil)
        bar.setValue(0.5002, duration: .seconds(3), now: harness.now)
        #expect(bar.nextWake == nil)
    }

    @Test("A step that came due during an unrelated update is not lost")
    func lastStep() {
        bar.setValue(0.5, now: harness.now)
        harness.frame()
        bar.setValue(0.501, duration: .seconds(1), now: harness.now)
        harness.window.wait(2000)
        bar.setValue(.nan, now: harness.now)
        #expect(bar.nextWake == harness.now && harness.frame(after: 0) && harness.thumbX == 501)
        #expect(bar.nextWake == nil)
    }

    @Test("After a pause the animation's end is later by its length")
    func endAfterPause() {
        bar.setValue(0.5, now: harness.now)
        harness.frame()
        harness.run(to: 0.5, seconds: 3)
        harness.frame(after: 1000)
        bar.pauseAnimation(now: harness.now)
        harness.frame(after: 5000)
        bar.resumeAnimation(now: harness.now)
        #expect(bar.nextWake == harness.now + .seconds(2))
    }

    @Test("Growing and shrinking when hovered animates, and then ends")
    func growing() {
        for isOver in [true, false] {
            bar.hover(isOver ? Point(x: 500, y: 250) : nil, now: harness.now)
            #expect(bar.isAnimating && bar.nextWake == nil)
            #expect(harness.frame(after: 60))
            #expect(bar.isAnimating)
            #expect(harness.frame(after: 60))
            #expect(!bar.isAnimating && bar.nextWake == nil && !harness.frame())
        }
    }

    @Test("A bar held still by a drag asks for nothing, whatever is reported")
    func held() {
        harness.window.press(500)
        harness.frame(after: 200)
        #expect(!bar.isAnimating && bar.nextWake == nil)
        bar.setValue(1, duration: .seconds(1), now: harness.now)
        #expect(!bar.isAnimating && bar.nextWake == nil && !harness.frame(after: 500))
        harness.window.release()
    }
}
