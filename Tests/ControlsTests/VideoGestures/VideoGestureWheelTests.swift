import Input
import Testing
import Time

@testable import Controls

@Suite("The wheel over the video") @MainActor struct VideoGestureWheelTests {
    private let harness = VideoGestureHarness()

    @Test("Wheel: volume, by each notch, upwards louder; asked once a turn")
    func volume() {
        #expect(harness.scroll(0, 1))
        harness.scroll(0, 1)
        harness.scroll(0, -0.5)
        #expect(harness.took() == ["volume by 1.0", "volume by 1.0", "volume by -0.5"])
        #expect(harness.asked == ["wheel 600,100"])
        harness.scroll(0, 1, after: 100)
        #expect(harness.asked.count == 2)
    }

    @Test("Horizontal wheel: seek, from where playing is, by 1/200 of the file a notch; to the right is on")
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
        "Slower for short files: 1/200 of the length a notch, from 0.5 s to 10 s; 5 s where no length is known",
        arguments: [
            (10.0, 0.5), (100, 0.5), (200, 1), (1000, 5), (2000, 10), (36000, 10), (0, 5), (-5, 5), (nil, 5),
        ])
    func secondsPerNotch(duration: Double?, seconds: Double) {
        #expect(WheelSeek.secondsPerNotch(duration: duration.map { .seconds($0) }) == seconds)
    }

    @Test("Clamped at the ends; turned back there, it goes back at once")
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

    @Test("Where no length is known there is no end but the beginning")
    func endless() {
        harness.duration = nil
        harness.scroll(-3, 0)
        harness.scroll(100, 0)
        #expect(harness.took() == ["seek from 100.0", "seek to 115.0", "seek to 0.0"])
    }

    @Test("With Shift a wheel that turns up and down seeks, upwards on")
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

    @Test("With Shift a sideways scroll seeks, and each of its notches counts once")
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

    @Test("Which one a scroll becomes is decided once, when its direction is known; what came before counts")
    func decidedOnce() {
        harness.scroll(0.05, 0.02)
        harness.scroll(0, 0.1)
        #expect(harness.took().isEmpty)
        harness.scroll(0, 0.3)
        harness.scroll(3, 0)
        harness.scroll(3, 1)
        #expect(harness.took() == ["volume by 0.42", "volume by 1.0"])
    }

    @Test("With Control, Alt or Command the wheel is for others")
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

    @Test("Where there is nothing to seek in, a scroll is nothing")
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

    @Test("How far a notch goes can be replaced; nonsense goes nowhere")
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

    @Test("Turned off, locked, or with another film, a seek ends where it is")
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

    @Test("Endless, absurd and meaningless turns do no harm")
    func hostile() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(!harness.gestures.receive(ScrollEvent(deltaX: value, deltaY: 1, position: .zero, time: harness.now)))
            #expect(!harness.gestures.receive(ScrollEvent(deltaX: 1, deltaY: value, position: .zero, time: harness.now)))
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
