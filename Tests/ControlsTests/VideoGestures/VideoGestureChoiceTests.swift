import GlissadeGeometry
import GlissadeInput
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Video gestures: disabled, replaced and locked") @MainActor struct VideoGestureChoiceTests {
    private let harness = VideoGestureHarness()

    /// Does every one of them that a stack has no part in, and tells what came of it.
    private func all() -> [VideoGesture: [String]] {
        var results: [VideoGesture: [String]] = [:]
        func play(_ gesture: VideoGesture, _ act: () -> Void) {
            harness.modifiers = []
            act()
            harness.wait(2000)
            results[gesture] = harness.took()
        }
        play(.click) { harness.click(500) }
        play(.doubleClick) { harness.doubleClick(500) }
        play(.doubleClickLeft) { harness.doubleClick(100) }
        play(.doubleClickRight) { harness.doubleClick(900) }
        play(.brightnessDrag) { drag(300) }
        play(.volumeDrag) { drag(700) }
        play(.dismissDrag) {
            harness.gestures.canDismiss = { true }
            harness.press(500, 100)
            harness.move(500, 200)
            harness.release(500, 200)
            harness.gestures.canDismiss = nil
        }
        play(.longPress) {
            harness.press(500)
            harness.wait(700)
            harness.release(500)
        }
        play(.wheel) { harness.scroll(0, 1) }
        play(.horizontalWheel) { harness.scroll(-1, 0) }
        play(.pinch) {
            harness.press(400, pointer: 1)
            harness.press(600, pointer: 2)
            harness.release(600, pointer: 2)
            harness.release(400, pointer: 1)
        }
        return results
    }

    private func drag(_ x: Double) {
        harness.press(x, 400)
        harness.move(x, 300)
        harness.release(x, 300)
    }

    private nonisolated static let own: [VideoGesture] = VideoGesture.allCases.filter {
        $0 != .popDrag && $0 != .trailingDrag
    }

    @Test("Each gesture can be disabled on its own", arguments: own)
    func disabled(gesture: VideoGesture) {
        let before = all()
        #expect(before.values.allSatisfy { !$0.isEmpty })
        harness.gestures.disabled = [gesture]
        for (other, result) in all() {
            switch (gesture, other) {
            case (.doubleClickLeft, gesture), (.doubleClickRight, gesture): #expect(result == ["double click"])
            case (.doubleClick, gesture): #expect(result == ["click", "click"])
            case (_, gesture): #expect(!result.contains { before[gesture]!.contains($0) })
            default: #expect(result == before[other])
            }
        }
        harness.gestures.disabled = []
        #expect(all() == before)
    }

    @Test("Each gesture can be refused on its own by shouldTrigger, and becomes no other gesture", arguments: own)
    func vetoed(gesture: VideoGesture) {
        let before = all()
        harness.asked = []
        harness.vetoes = [gesture]
        for (other, result) in all() {
            #expect(result == (other == gesture ? [] : before[other]))
        }
        #expect(harness.asked.count == Self.own.count, "each is asked about once")
        #expect(Set(harness.asked.map { String($0.prefix { $0 != " " }) }) == Set(Self.own.map(\.rawValue)))
    }

    @Test("A lock disables all gestures until it is unlocked")
    func locked() {
        harness.gestures.isLocked = true
        harness.asked = []
        for (gesture, result) in all() {
            // Two fingers that are no pinch are a click of the first.
            let clicks: [VideoGesture: Int] = [
                .pinch: 1, .click: 1, .doubleClick: 2, .doubleClickLeft: 2, .doubleClickRight: 2,
            ]
            #expect(result == Array(repeating: "locked click", count: clicks[gesture] ?? 0), "\(gesture)")
        }
        #expect(harness.asked.isEmpty)
        #expect(VideoGesture.allCases.allSatisfy { !harness.gestures.allows($0, at: .zero) })
        harness.gestures.isLocked = false
        #expect(VideoGesture.allCases.allSatisfy { harness.gestures.allows($0, at: .zero) })
        #expect(harness.works())
    }

    @Test("A click on a locked video only reports the lock, at once, and scrolls are swallowed")
    func lockedClick() {
        harness.gestures.disabled = [.click]
        harness.gestures.isLocked = true
        harness.click(500)
        #expect(harness.took() == ["locked click"])
        #expect(harness.scroll(0, 1) && harness.scroll(1, 0, after: 200))
        #expect(harness.took().isEmpty)
    }

    @Test("Locking cancels the active gesture and a click that is still waiting")
    func lockedInTheMiddle() {
        harness.press(800, 300)
        harness.move(800, 252)
        harness.gestures.isLocked = true
        harness.move(800, 100)
        harness.release(800, 100)
        #expect(harness.took() == ["volume began", "volume 0.1", "volume cancelled"])
        harness.gestures.isLocked = false
        harness.click(500)
        harness.wait(50)
        harness.gestures.isLocked = true
        harness.wait(1000)
        #expect(harness.took().isEmpty)
        harness.gestures.isLocked = false
        #expect(harness.works())
    }

    @Test("Disabling an active gesture cancels it and no other")
    func turnedOff() {
        harness.press(800, 300)
        harness.move(800, 292)
        harness.gestures.disabled = [.brightnessDrag, .longPress, .pinch, .wheel]
        #expect(harness.took() == ["volume began"])
        harness.gestures.disabled = [.volumeDrag]
        #expect(harness.took() == ["volume cancelled"])
        harness.release(800, 292)
        harness.gestures.disabled = []
        #expect(harness.works())
    }

    @Test("Callbacks may lock the gestures or change the video")
    func changedFromWithin() {
        harness.gestures.onDoubleClick = { _, _ in harness.gestures.isLocked = true }
        harness.doubleClick(500)
        harness.wait(500)
        #expect(harness.took().isEmpty)
        harness.gestures.isLocked = false
        harness.gestures.onDoubleClick = nil
        harness.gestures.shouldTrigger = { _, _ in
            harness.gestures.cancel()
            return true
        }
        let results = all()
        #expect(results[.click] == ["click"])
        #expect(results[.volumeDrag] == [] && results[.longPress] == [] && results[.pinch] == [])
        harness.gestures.shouldTrigger = nil
        #expect(harness.works())
    }

    @Test("The gestures report whether any of them is active")
    func isActive() {
        #expect(!harness.gestures.isActive)
        harness.press(800, 300)
        #expect(!harness.gestures.isActive)
        harness.move(800, 200)
        #expect(harness.gestures.isActive)
        harness.release(800, 200)
        #expect(!harness.gestures.isActive)
        harness.scroll(-1, 0)
        #expect(harness.gestures.isActive)
        harness.wait(400)
        #expect(!harness.gestures.isActive)
        harness.press(500)
        harness.wait(500)
        #expect(harness.gestures.isActive)
        harness.release(500)
        #expect(!harness.gestures.isActive)
    }

    @Test("Gesture names in the settings are unique, in lower case with hyphens")
    func names() {
        #expect(Set(VideoGesture.allCases.map(\.rawValue)).count == 13)
        for gesture in VideoGesture.allCases {
            #expect(gesture.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
            #expect(VideoGesture(rawValue: gesture.rawValue) == gesture)
        }
    }

    // MARK: - Bad input

    @Test(
        "An empty or invalid frame has no halves and quarters, and other gestures still work",
        arguments: [
            Rect(x: 0, y: 0, width: 0, height: 0), Rect(x: 0, y: 0, width: 1000, height: 0),
            Rect(x: 0, y: 0, width: -5, height: -5), Rect(x: .nan, y: .nan, width: .nan, height: .nan),
        ])
    func noFrame(frame: Rect) {
        harness.gestures.frame = frame
        let results = all()
        #expect(results[.volumeDrag] == [] && results[.brightnessDrag] == [])
        #expect(results[.doubleClickLeft] == ["double click"] && results[.doubleClick] == ["double click"])
        #expect(results[.click] == ["click"] && results[.wheel] == ["volume by 1.0"])
    }

    @Test("An invalid drag span changes no level", arguments: [0, -1, Double.nan])
    func noSpan(span: Double) {
        harness.gestures.dragSpan = span
        #expect(all()[.volumeDrag] == ["volume began", "volume ended"])
    }

    @Test("Non-finite positions and presses of other buttons are ignored")
    func nonsense() {
        harness.send(.pressed, .nan, .nan, button: .primary)
        harness.send(.released, .nan, .nan, button: .primary)
        for button in [PointerEvent.Button.secondary, .middle, .other(7)] {
            harness.send(.pressed, 800, 300, button: button)
            harness.move(800, 100)
            harness.wait(700)
            harness.send(.released, 800, 100, button: button)
        }
        harness.wait(700)
        #expect(harness.took().isEmpty)
        harness.press(800, 300)
        harness.send(.moved, .nan, 100)
        harness.send(.moved, .infinity, 1e300)
        harness.release(800, 300)
        harness.wait(700)
        #expect(harness.took() == ["click"])
        #expect(harness.works())
    }

    @Test("Under any sequence of input each gesture that begins also ends, and the next one works")
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
            harness.wait(random(60))
            harness.gestures.canDismiss = { random(2) == 0 }
            harness.modifiers = random(4) == 0 ? .shift : []
            switch random(24) {
            case 0, 1: harness.scroll(Double(random(9)) - 4, Double(random(9)) - 4, after: 0)
            case 2: harness.wait(600)
            case 3: harness.gestures.disabled = [VideoGesture.allCases[random(13)]]
            case 4: harness.gestures.isLocked.toggle()
            case 5: harness.vetoes = [VideoGesture.allCases[random(13)]]
            case 6: harness.escape()
            default:
                harness.send(
                    phases[random(6)], Double(random(1000)), Double(random(500)), button: buttons[random(4)],
                    pointer: random(3))
            }
            count(harness.took())
        }
        harness.arbiter.cancelAll(now: harness.now)
        harness.gestures.isLocked = false
        harness.gestures.disabled = []
        harness.gestures.canDismiss = nil
        harness.vetoes = []
        harness.wait(1000)
        count(harness.took())
        #expect(open.values.allSatisfy { $0 == 0 })
        #expect(harness.works())
    }
}
