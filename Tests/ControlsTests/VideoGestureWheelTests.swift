import Input
import Testing
import Time

@testable import Controls

@Suite("The wheel over the video") @MainActor struct VideoGestureWheelTests {
    private let hand = VideoHand()

    @Test("Wheel: volume, by each notch, upwards louder; asked once a turn")
    func volume() {
        #expect(hand.scroll(0, 1))
        hand.scroll(0, 1)
        hand.scroll(0, -0.5)
        #expect(hand.took() == ["volume by 1.0", "volume by 1.0", "volume by -0.5"])
        #expect(hand.asked == ["wheel 600,100"])
        hand.scroll(0, 1, after: 100)
        #expect(hand.asked.count == 2)
    }

    @Test("Horizontal wheel: seek, from where playing is, by 1/200 of the file a notch; to the right is on")
    func seek() {
        #expect(hand.scroll(-1, 0))
        hand.position = .seconds(7)
        hand.scroll(-1, 0)
        hand.scroll(0.5, 0, after: 150)
        #expect(hand.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0", "seek to 103.0"])
        #expect(hand.gestures.nextWake == hand.now + WheelSeek.pause)
        hand.wait(399)
        #expect(hand.took().isEmpty)
        hand.wait(1)
        #expect(hand.took() == ["sought 103.0"])
        #expect(hand.gestures.nextWake == nil)
        hand.scroll(1, 0)
        #expect(hand.took() == ["seek from 7.0", "seek to 5.0"])
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
        hand.position = .seconds(397)
        for step in [-1.0, -1, -1, 1] { hand.scroll(step, 0) }
        #expect(hand.took() == ["seek from 397.0", "seek to 399.0", "seek to 400.0", "seek to 398.0"])
        hand.wait(1000)
        _ = hand.took()
        hand.position = .seconds(1)
        for step in [1.0, 1, -1] { hand.scroll(step, 0) }
        #expect(hand.took() == ["seek from 1.0", "seek to 0.0", "seek to 2.0"])
    }

    @Test("Where no length is known there is no end but the beginning")
    func endless() {
        hand.duration = nil
        hand.scroll(-3, 0)
        hand.scroll(100, 0)
        #expect(hand.took() == ["seek from 100.0", "seek to 115.0", "seek to 0.0"])
    }

    @Test("With Shift a wheel that turns up and down seeks, upwards on")
    func shift() {
        hand.modifiers = .shift
        hand.scroll(0, 1)
        hand.modifiers = []
        hand.scroll(0, 1)
        #expect(hand.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0"], "decided once")
        #expect(hand.asked == ["horizontal-wheel 600,100"])
        hand.scroll(0, -1, after: 100)
        #expect(hand.took() == ["volume by -1.0"])
    }

    @Test("With Shift a sideways scroll seeks, and each of its notches counts once")
    func shiftSideways() {
        hand.modifiers = .shift
        hand.scroll(-1, 0)
        hand.scroll(-1, 0.1)
        hand.wait(150)
        hand.scroll(-1, 0)
        #expect(hand.took() == ["seek from 100.0", "seek to 102.0", "seek to 104.0", "seek to 106.0"])
        hand.wait(500)
        #expect(hand.took() == ["sought 106.0"])
        #expect(hand.asked == ["horizontal-wheel 600,100", "horizontal-wheel 600,100"])
    }

    @Test("Which one a scroll becomes is decided once, when its direction is known; what came before counts")
    func decidedOnce() {
        hand.scroll(0.05, 0.02)
        hand.scroll(0, 0.1)
        #expect(hand.took().isEmpty)
        hand.scroll(0, 0.3)
        hand.scroll(3, 0)
        hand.scroll(3, 1)
        #expect(hand.took() == ["volume by 0.42", "volume by 1.0"])
    }

    @Test("With Control, Alt or Command the wheel is for others")
    func otherModifiers() {
        for other in [Modifiers.control, .alt, .command, [.shift, .control]] {
            hand.modifiers = other
            #expect(
                !hand.gestures.receive(
                    ScrollEvent(
                        deltaX: 0, deltaY: 1, position: .zero, modifiers: other, time: hand.now)))
        }
        #expect(hand.took().isEmpty)
    }

    @Test("Where there is nothing to seek in, a scroll is nothing")
    func nothingToSeekIn() {
        hand.gestures.timeline = { nil }
        #expect(!hand.scroll(-1, 0))
        hand.modifiers = .shift
        #expect(!hand.scroll(-1, 0, after: 200))
        #expect(!hand.scroll(0, -1, after: 200))
        hand.gestures.timeline = nil
        #expect(!hand.scroll(0, -1, after: 200))
        #expect(hand.took().isEmpty)
    }

    @Test("How far a notch goes can be replaced; nonsense goes nowhere")
    func replacedStep() {
        hand.gestures.secondsPerNotch = { _ in -30 }
        hand.scroll(1, 0)
        #expect(hand.took() == ["seek from 100.0", "seek to 130.0"])
        hand.wait(500)
        _ = hand.took()
        hand.gestures.secondsPerNotch = { _ in .nan }
        hand.scroll(1, 0)
        hand.wait(500)
        #expect(hand.took() == ["seek from 100.0", "sought 100.0"])
    }

    @Test("Turned off, locked, or with another film, a seek ends where it is")
    func endedEarly() {
        for end in [
            { hand.gestures.disabled = [.horizontalWheel] }, { hand.gestures.isLocked = true },
            { hand.gestures.cancel() },
        ] {
            hand.scroll(-1, 0)
            end()
            #expect(hand.took() == ["seek from 100.0", "seek to 102.0", "sought 102.0"])
            hand.scroll(-1, 0)
            hand.gestures.disabled = []
            hand.gestures.isLocked = false
            hand.wait(1000)
            _ = hand.took()
        }
        #expect(hand.works())
    }

    @Test("Endless, absurd and meaningless turns do no harm")
    func hostile() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(!hand.gestures.receive(ScrollEvent(deltaX: value, deltaY: 1, position: .zero, time: hand.now)))
            #expect(!hand.gestures.receive(ScrollEvent(deltaX: 1, deltaY: value, position: .zero, time: hand.now)))
        }
        hand.duration = nil
        hand.position = .seconds(Int64.max / 2)
        for value in [1e300, -1e300, 1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            _ = hand.gestures.receive(ScrollEvent(deltaX: value, deltaY: 0, position: .zero, time: hand.now))
        }
        for _ in 0..<10_000 { hand.scroll(0.01, 0, after: 0) }
        hand.wait(1000)
        hand.position = .seconds(-5)
        hand.duration = .seconds(3)
        _ = hand.took()
        hand.scroll(-1, 0)
        #expect(hand.took() == ["seek from 0.0", "seek to 0.5"])
        #expect(hand.works())
    }
}
