import Geometry
import Input
import Testing
import Time

@testable import Controls

@Suite("Gestures on the video turned off, replaced, locked") @MainActor struct VideoGestureChoiceTests {
    private let hand = VideoHand()

    /// Does every one of them that a stack has no part in, and tells what came of it.
    private func all() -> [VideoGesture: [String]] {
        var results: [VideoGesture: [String]] = [:]
        func play(_ gesture: VideoGesture, _ act: () -> Void) {
            hand.modifiers = []
            act()
            hand.wait(2000)
            results[gesture] = hand.took()
        }
        play(.click) { hand.click(500) }
        play(.doubleClick) { hand.doubleClick(500) }
        play(.doubleClickLeft) { hand.doubleClick(100) }
        play(.doubleClickRight) { hand.doubleClick(900) }
        play(.brightnessDrag) { drag(300) }
        play(.volumeDrag) { drag(700) }
        play(.dismissDrag) {
            hand.gestures.canDismiss = { true }
            hand.press(500, 100)
            hand.move(500, 200)
            hand.release(500, 200)
            hand.gestures.canDismiss = nil
        }
        play(.longPress) {
            hand.press(500)
            hand.wait(700)
            hand.release(500)
        }
        play(.wheel) { hand.scroll(0, 1) }
        play(.horizontalWheel) { hand.scroll(-1, 0) }
        play(.pinch) {
            hand.press(400, pointer: 1)
            hand.press(600, pointer: 2)
            hand.release(600, pointer: 2)
            hand.release(400, pointer: 1)
        }
        return results
    }

    private func drag(_ x: Double) {
        hand.press(x, 400)
        hand.move(x, 300)
        hand.release(x, 300)
    }

    private nonisolated static let own: [VideoGesture] = VideoGesture.allCases.filter {
        $0 != .popDrag && $0 != .trailingDrag
    }

    @Test("Each of these can be turned off on its own, by the set of disabled gestures", arguments: own)
    func disabled(gesture: VideoGesture) {
        let before = all()
        #expect(before.values.allSatisfy { !$0.isEmpty })
        hand.gestures.disabled = [gesture]
        for (other, result) in all() {
            switch (gesture, other) {
            case (.doubleClickLeft, gesture), (.doubleClickRight, gesture): #expect(result == ["double click"])
            case (.doubleClick, gesture): #expect(result == ["click", "click"])
            case (_, gesture): #expect(!result.contains { before[gesture]!.contains($0) })
            default: #expect(result == before[other])
            }
        }
        hand.gestures.disabled = []
        #expect(all() == before)
    }

    @Test("Each can be replaced on its own: a shouldTrigger that says no makes it nothing else", arguments: own)
    func vetoed(gesture: VideoGesture) {
        let before = all()
        hand.asked = []
        hand.vetoes = [gesture]
        for (other, result) in all() {
            #expect(result == (other == gesture ? [] : before[other]))
        }
        #expect(hand.asked.count == Self.own.count, "each is asked about once")
        #expect(Set(hand.asked.map { String($0.prefix { $0 != " " }) }) == Set(Self.own.map(\.rawValue)))
    }

    @Test("A lock shuts all of this off until it is unlocked")
    func locked() {
        hand.gestures.isLocked = true
        hand.asked = []
        for (gesture, result) in all() {
            // Two fingers that are no pinch are a click of the first.
            let clicks: [VideoGesture: Int] = [
                .pinch: 1, .click: 1, .doubleClick: 2, .doubleClickLeft: 2, .doubleClickRight: 2,
            ]
            #expect(result == Array(repeating: "locked click", count: clicks[gesture] ?? 0), "\(gesture)")
        }
        #expect(hand.asked.isEmpty)
        #expect(VideoGesture.allCases.allSatisfy { !hand.gestures.allows($0, at: .zero) })
        hand.gestures.isLocked = false
        #expect(VideoGesture.allCases.allSatisfy { hand.gestures.allows($0, at: .zero) })
        #expect(hand.works())
    }

    @Test("Locked, a click only tells that it was, at once, also where clicks are turned off; scrolls go nowhere else")
    func lockedClick() {
        hand.gestures.disabled = [.click]
        hand.gestures.isLocked = true
        hand.click(500)
        #expect(hand.took() == ["locked click"])
        #expect(hand.scroll(0, 1) && hand.scroll(1, 0, after: 200))
        #expect(hand.took().isEmpty)
    }

    @Test("What is under way when it is locked is over, and a click that still waited is none")
    func lockedInTheMiddle() {
        hand.press(800, 300)
        hand.move(800, 252)
        hand.gestures.isLocked = true
        hand.move(800, 100)
        hand.release(800, 100)
        #expect(hand.took() == ["volume began", "volume 0.1", "volume cancelled"])
        hand.gestures.isLocked = false
        hand.click(500)
        hand.wait(50)
        hand.gestures.isLocked = true
        hand.wait(1000)
        #expect(hand.took().isEmpty)
        hand.gestures.isLocked = false
        #expect(hand.works())
    }

    @Test("A gesture that is turned off while it is on is cancelled, and no other")
    func turnedOff() {
        hand.press(800, 300)
        hand.move(800, 292)
        hand.gestures.disabled = [.brightnessDrag, .longPress, .pinch, .wheel]
        #expect(hand.took() == ["volume began"])
        hand.gestures.disabled = [.volumeDrag]
        #expect(hand.took() == ["volume cancelled"])
        hand.release(800, 292)
        hand.gestures.disabled = []
        #expect(hand.works())
    }

    @Test("What a callback does meanwhile, a lock or another film, does no harm")
    func changedFromWithin() {
        hand.gestures.onDoubleClick = { _, _ in hand.gestures.isLocked = true }
        hand.doubleClick(500)
        hand.wait(500)
        #expect(hand.took().isEmpty)
        hand.gestures.isLocked = false
        hand.gestures.onDoubleClick = nil
        hand.gestures.shouldTrigger = { _, _ in
            hand.gestures.cancel()
            return true
        }
        let results = all()
        #expect(results[.click] == ["click"])
        #expect(results[.volumeDrag] == [] && results[.longPress] == [] && results[.pinch] == [])
        hand.gestures.shouldTrigger = nil
        #expect(hand.works())
    }

    @Test("It tells whether anything is under way")
    func isActive() {
        #expect(!hand.gestures.isActive)
        hand.press(800, 300)
        #expect(!hand.gestures.isActive)
        hand.move(800, 200)
        #expect(hand.gestures.isActive)
        hand.release(800, 200)
        #expect(!hand.gestures.isActive)
        hand.scroll(-1, 0)
        #expect(hand.gestures.isActive)
        hand.wait(400)
        #expect(!hand.gestures.isActive)
        hand.press(500)
        hand.wait(500)
        #expect(hand.gestures.isActive)
        hand.release(500)
        #expect(!hand.gestures.isActive)
    }

    @Test("The names that settings use are lower case, with hyphens, and each its own")
    func names() {
        #expect(Set(VideoGesture.allCases.map(\.rawValue)).count == 13)
        for gesture in VideoGesture.allCases {
            #expect(gesture.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
            #expect(VideoGesture(rawValue: gesture.rawValue) == gesture)
        }
    }

    // MARK: - Bad input

    @Test(
        "A frame without a size, or that is none, has no halves and quarters; the rest works",
        arguments: [
            Rect(x: 0, y: 0, width: 0, height: 0), Rect(x: 0, y: 0, width: 1000, height: 0),
            Rect(x: 0, y: 0, width: -5, height: -5), Rect(x: .nan, y: .nan, width: .nan, height: .nan),
        ])
    func noFrame(frame: Rect) {
        hand.gestures.frame = frame
        let results = all()
        #expect(results[.volumeDrag] == [] && results[.brightnessDrag] == [])
        #expect(results[.doubleClickLeft] == ["double click"] && results[.doubleClick] == ["double click"])
        #expect(results[.click] == ["click"] && results[.wheel] == ["volume by 1.0"])
    }

    @Test("A span that is none changes no level", arguments: [0, -1, Double.nan])
    func noSpan(span: Double) {
        hand.gestures.dragSpan = span
        #expect(all()[.volumeDrag] == ["volume began", "volume ended"])
    }

    @Test("Positions that are no numbers and presses with other buttons are nothing")
    func nonsense() {
        hand.send(.pressed, .nan, .nan, button: .primary)
        hand.send(.released, .nan, .nan, button: .primary)
        for button in [PointerEvent.Button.secondary, .middle, .other(7)] {
            hand.send(.pressed, 800, 300, button: button)
            hand.move(800, 100)
            hand.wait(700)
            hand.send(.released, 800, 100, button: button)
        }
        hand.wait(700)
        #expect(hand.took().isEmpty)
        hand.press(800, 300)
        hand.send(.moved, .nan, 100)
        hand.send(.moved, .infinity, 1e300)
        hand.release(800, 300)
        hand.wait(700)
        #expect(hand.took() == ["click"])
        #expect(hand.works())
    }

    @Test("Whatever comes, in whatever order: what begins ends, and the next gesture works")
    func noise() {
        var state: UInt64 = 11
        func random(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let phases: [PointerEvent.Phase] = [.pressed, .moved, .released, .entered, .left, .cancelled]
        let buttons: [PointerEvent.Button?] = [.primary, .primary, .secondary, nil]
        var open: [String: Int] = [:]
        func count(_ lines: [String]) {
            for line in lines {
                let (key, change): (String, Int) =
                    switch line {
                    case "fast": ("press", 1)
                    case "normal": ("press", -1)
                    case "pinch": ("pinch", 1)
                    case _ where line.hasPrefix("pinched"): ("pinch", -1)
                    case _ where line.hasPrefix("dismiss began"): ("dismiss", 1)
                    case _ where line.hasPrefix("dismiss ended") || line == "dismiss cancelled": ("dismiss", -1)
                    case _ where line.hasSuffix(" began"): ("level", 1)
                    case _ where line.hasSuffix(" ended") || line.hasSuffix(" cancelled"): ("level", -1)
                    case _ where line.hasPrefix("seek from"): ("seek", 1)
                    case _ where line.hasPrefix("sought"): ("seek", -1)
                    default: ("other", 0)
                    }
                open[key, default: 0] += change
                #expect((0...1).contains(open[key]!), "\(line)")
            }
        }
        for _ in 0..<20_000 {
            hand.wait(random(60))
            hand.gestures.canDismiss = { random(2) == 0 }
            hand.modifiers = random(4) == 0 ? .shift : []
            switch random(24) {
            case 0, 1: hand.scroll(Double(random(9)) - 4, Double(random(9)) - 4, after: 0)
            case 2: hand.wait(600)
            case 3: hand.gestures.disabled = [VideoGesture.allCases[random(13)]]
            case 4: hand.gestures.isLocked.toggle()
            case 5: hand.vetoes = [VideoGesture.allCases[random(13)]]
            case 6: hand.escape()
            default:
                hand.send(
                    phases[random(6)], Double(random(1000)), Double(random(500)), button: buttons[random(4)],
                    pointer: random(3))
            }
            count(hand.took())
        }
        hand.arbiter.cancelAll(now: hand.now)
        hand.gestures.isLocked = false
        hand.gestures.disabled = []
        hand.gestures.canDismiss = nil
        hand.vetoes = []
        hand.wait(1000)
        count(hand.took())
        #expect(open.values.allSatisfy { $0 == 0 })
        #expect(hand.works())
    }
}
