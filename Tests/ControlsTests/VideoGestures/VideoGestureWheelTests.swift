import GlissadeInput
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Video gestures: wheel") @MainActor struct VideoGestureWheelTests {
    private let harness = VideoGestureHarness()

    @Test("Each notch of the wheel changes the volume, upwards for louder, and each turn asks for permission once")
    func volume() {
        #expect(harness.scroll(0, 1))
        harness.scroll(0, 1)
        harness.scroll(0, -0.5)
        #expect(harness.took() == ["volume by 1.0", "volume by 1.0", "volume by -0.5"])
        #expect(harness.asked == ["wheel 600,100"])
        harness.scroll(0, 1, after: 100)
        #expect(harness.asked.count == 2)
    }

    @Test(
        "A notch of a horizontal wheel seeks by 1/200 of the length from the current position, to the right for forward"
    )
    func seek() {
        #expect(harness.scroll(-1, 0))
        harness.position = .seconds(7)
        harness.scroll(-1, 0)
        harness.scroll(0.5, 0, after: 150)
        #expect(harness.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0", "seek to 103.0"])
        #expect(harness.gestures.nextWake == harness.now + WheelSeek.pause)
        harness.wait(399)
        #expect(harness.took().isEmpty)
        harness.wait(1)
        #expect(harness.took() == ["sought 103.0"])
        #expect(harness.gestures.nextWake == nil)
        harness.scroll(1, 0)
        #expect(harness.took() == ["seek from 7.0", "seek to 5.0"])
    }

    @Test(
        "A notch seeks between 0.5 s and 10 s, and 5 s if the length is unknown",
        arguments: [
            (10.0, 0.5), (100, 0.5), (200, 1), (1000, 5), (2000, 10), (36000, 10), (0, 5), (-5, 5), (nil, 5),
        ])
    func secondsPerNotch(duration: Double?, seconds: Double) {
        #expect(WheelSeek.secondsPerNotch(duration: duration.map { .seconds($0) }) == seconds)
    }

    @Test("Wheel seeks are clamped at the ends, and turning back there takes effect at once")
    func clamped() {
        harness.position = .seconds(397)
        for step in [-1.0, -1, -1, 1] { harness.scroll(step, 0) }
        #expect(harness.took() == ["seek from 397.0", "seek to 399.0", "seek to 400.0", "seek to 398.0"])
        harness.wait(1000)
        _ = harness.took()
        harness.position = .seconds(1)
        for step in [1.0, 1, -1] { harness.scroll(step, 0) }
        #expect(harness.took() == ["seek from 1.0", "seek to 0.0", "seek to 2.0"])
    }

    @Test("Without a known length only the beginning limits wheel seeks")
    func endless() {
        harness.duration = nil
        harness.scroll(-3, 0)
        harness.scroll(100, 0)
        #expect(harness.took() == ["seek from 100.0", "seek to 115.0", "seek to 0.0"])
    }

    @Test("With Shift a vertical wheel seeks, upwards for forward")
    func shift() {
        harness.modifiers = .shift
        harness.scroll(0, 1)
        harness.modifiers = []
        harness.scroll(0, 1)
        #expect(harness.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0"], "decided once")
        #expect(harness.asked == ["horizontal-wheel 600,100"])
        harness.scroll(0, -1, after: 100)
        #expect(harness.took() == ["volume by -1.0"])
    }

    @Test("With Shift a sideways scroll seeks, and each notch counts once")
    func shiftSideways() {
        harness.modifiers = .shift
        harness.scroll(-1, 0)
        harness.scroll(-1, 0.1)
        harness.wait(150)
        harness.scroll(-1, 0)
        #expect(harness.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0", "seek to 106.0"])
        harness.wait(500)
        #expect(harness.took() == ["sought 106.0"])
        #expect(harness.asked == ["horizontal-wheel 600,100", "horizontal-wheel 600,100"])
    }

    @Test("What a scroll does is decided once, when its direction is known, and earlier events count")
    func decidedOnce() {
        harness.scroll(0.05, 0.02)
        harness.scroll(0, 0.1)
        #expect(harness.took().isEmpty)
        harness.scroll(0, 0.3)
        harness.scroll(3, 0)
        harness.scroll(3, 1)
        #expect(harness.took() == ["volume by 0.42", "volume by 1.0"])
    }

    @Test("With Control, Alt or Command the wheel is not handled")
    func otherModifiers() {
        for other in [Modifiers.control, .alt, .command, [.shift, .control]] {
            harness.modifiers = other
            #expect(
                !harness.gestures.receive(
                    ScrollEvent(
                        deltaX: 0, deltaY: 1, position: .zero, modifiers: other, time: harness.now)))
        }
        #expect(harness.took().isEmpty)
    }

    @Test("Where seeking is impossible a horizontal scroll does nothing")
    func nothingToSeekIn() {
        harness.gestures.timeline = { nil }
        #expect(!harness.scroll(-1, 0))
        harness.modifiers = .shift
        #expect(!harness.scroll(-1, 0, after: 200))
        #expect(!harness.scroll(0, -1, after: 200))
        harness.gestures.timeline = nil
        #expect(!harness.scroll(0, -1, after: 200))
        #expect(harness.took().isEmpty)
    }

    @Test("The seek distance of a notch can be replaced, and invalid distances do not seek")
    func replacedStep() {
        harness.gestures.secondsPerNotch = { _ in -30 }
        harness.scroll(1, 0)
        #expect(harness.took() == ["seek from 100.0", "seek to 130.0"])
        harness.wait(500)
        _ = harness.took()
        harness.gestures.secondsPerNotch = { _ in .nan }
        harness.scroll(1, 0)
        harness.wait(500)
        #expect(harness.took() == ["seek from 100.0", "sought 100.0"])
    }

    @Test("A wheel seek ends where it is when it is disabled, locked or the video changes")
    func endedEarly() {
        for end in [
            { harness.gestures.disabled = [.horizontalWheel] }, { harness.gestures.isLocked = true },
            { harness.gestures.cancel() },
        ] {
            harness.scroll(-1, 0)
            end()
            #expect(harness.took() == ["seek from 100.0", "seek to 102.0", "sought 102.0"])
            harness.scroll(-1, 0)
            harness.gestures.disabled = []
            harness.gestures.isLocked = false
            harness.wait(1000)
            _ = harness.took()
        }
        #expect(harness.works())
    }

    @Test("Endless, absurd and non-finite scrolls do no harm")
    func hostile() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(
                !harness.gestures.receive(ScrollEvent(deltaX: value, deltaY: 1, position: .zero, time: harness.now)))
            #expect(
                !harness.gestures.receive(ScrollEvent(deltaX: 1, deltaY: value, position: .zero, time: harness.now)))
        }
        harness.duration = nil
        harness.position = .seconds(Int64.max / 2)
        for value in [1e300, -1e300, 1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            _ = harness.gestures.receive(ScrollEvent(deltaX: value, deltaY: 0, position: .zero, time: harness.now))
        }
        for _ in 0..<10_000 { harness.scroll(0.01, 0, after: 0) }
        harness.wait(1000)
        harness.position = .seconds(-5)
        harness.duration = .seconds(3)
        _ = harness.took()
        harness.scroll(-1, 0)
        #expect(harness.took() == ["seek from 0.0", "seek to 0.5"])
        #expect(harness.works())
    }
}
