import Animation
import Geometry
import Gestures
import Layers
import Testing
import Time

@testable import Controls

@Suite("How the progress bar looks") @MainActor struct ProgressBarLookTests {
    private let harness = ProgressBarHarness()
    private var bar: ProgressBar { harness.bar }

    private func frames(of parts: [Layer]) -> [Rect] { parts.map(\.frame) }

    // MARK: - Rest, hover, focus, drag, disabled

    @Test("At rest the bar is thin and has no thumb; under the pointer, in the user or with the keyboard it grows both")
    func growing() {
        func isGrown() -> Bool {
            harness.frame(after: 500)
            let (bar, thumb) = (harness.track.frame.size.height, harness.thumb.frame.size)
            #expect((bar == 4 && thumb == .zero) || (bar == 6 && thumb == Size(width: 14, height: 14)))
            return bar == 6
        }
        #expect(!isGrown())
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        #expect(isGrown())
        bar.hover(nil, now: harness.now)
        #expect(!isGrown())
        bar.setFocused(true, now: harness.now)
        #expect(isGrown())
        bar.setFocused(false, now: harness.now)
        #expect(!isGrown())
        harness.window.press(500)
        #expect(isGrown())
        harness.window.release()
        #expect(!isGrown())
    }

    @Test("Growing is eased in time, and turns back where it is seen")
    func eased() {
        bar.style.grownDotHeight = 100
        harness.frame()
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        harness.frame(after: 60)
        let fraction = TimingCurve.easeOut.value(at: 0.5)
        #expect(harness.thumb.frame.size.height == (100 * fraction).rounded())
        bar.hover(nil, now: harness.now)
        harness.frame(after: 0)
        #expect(harness.thumb.frame.size.height == (100 * fraction).rounded())
        harness.frame(after: 120)
        #expect(harness.thumb.frame.size == .zero)
    }

    @Test("The thumb may show at rest, smaller")
    func thumbAtRest() {
        bar.style.showsThumbAtRest = true
        bar.setValue(0.5, now: harness.now)
        #expect(harness.thumb.frame == Rect(x: 494, y: -4, width: 12, height: 12))
        #expect(harness.thumb.cornerRadius == 6)
    }

    @Test("The thumb may be an image")
    func thumbImage() {
        bar.style.thumbImage = ImageID(rawValue: 7)
        bar.style.showsThumbAtRest = true
        harness.frame()
        #expect(harness.thumb.content == .image(ImageID(rawValue: 7)))
        bar.style.thumbImage = nil
        #expect(harness.thumb.content == .color(.white))
    }

    @Test("With the keyboard on it there is an outline about the thumb, and else not")
    func outline() {
        bar.setValue(0.5, now: harness.now)
        bar.setFocused(true, now: harness.now)
        harness.frame(after: 500)
        #expect(harness.outline.frame == Rect(x: 490, y: -8, width: 20, height: 20))
        #expect(harness.outline.content == .color(bar.style.outlineColor))
        bar.setFocused(false, now: harness.now)
        #expect(harness.outline.frame.size == .zero)
    }

    @Test("Disabled it is dimmer, and neither grown nor outlined, whatever was over it")
    func disabled() {
        bar.setFocused(true, now: harness.now)
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        harness.frame(after: 500)
        bar.isEnabled = false
        harness.frame(after: 500)
        #expect(harness.opacity == 0.4 && harness.track.frame.size.height == 4)
        #expect(harness.thumb.frame.size == .zero && harness.outline.frame.size == .zero)
        bar.isEnabled = true
        harness.frame(after: 500)
        #expect(harness.opacity == 1 && harness.outline.frame.size != .zero)
    }

    @Test("At rest, in progress and dragged it has the colours of that; a pause is at rest")
    func colors() throws {
        let (rest, moving, held) = (Color.black, Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 0, blue: 1))
        bar.style = ProgressBar.Style(
            rest: .init(accent: rest), inProgress: .init(accent: moving), dragged: .init(accent: held))
        func shows(_ color: Color) -> Bool { harness.played.content.color == color }
        #expect(shows(rest))
        harness.run(to: 0.5, seconds: 1)
        #expect(shows(moving))
        // Between a report's end and the next one nothing flickers.
        harness.frame(after: 1100)
        #expect(shows(moving))
        bar.pauseAnimation(now: harness.now)
        #expect(shows(rest))
        bar.resumeAnimation(now: harness.now)
        #expect(shows(moving))
        harness.window.press(500)
        #expect(shows(held))
        harness.window.release()
        #expect(shows(rest))
        harness.run(to: 0.5, seconds: 1)
        bar.setValue(0.5, now: harness.now)
        #expect(shows(rest))
    }

    @Test("Rest, in progress, hovered, focused, dragged and disabled are six different pictures")
    func allDifferent() {
        var style = ProgressBar.Style()
        style.inProgress.played = Color(red: 1, green: 1, blue: 0)
        style.dragged.played = Color(red: 1, green: 0, blue: 1)
        bar.style = style
        bar.setValue(0.5, now: harness.now)
        var pictures: [[DisplayList.Item]] = []
        func take() {
            harness.frame(after: 500)
            pictures.append(harness.drawn)
        }
        take()
        bar.setValue(0.5, duration: .seconds(1), now: harness.now)
        take()
        bar.removeAnimation(now: harness.now)
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        take()
        harness.window.press(600)
        take()
        harness.window.release()
        bar.hover(nil, now: harness.now)
        bar.setFocused(true, now: harness.now)
        take()
        bar.isEnabled = false
        take()
        for (index, picture) in pictures.enumerated() {
            #expect(!pictures[..<index].contains(picture))
        }
    }

    // MARK: - Sizes

    @Test("Bar height, dot height and corner radius can be set; the radius is half of the height at most")
    func sizes() {
        bar.style.barHeight = 10
        bar.style.grownBarHeight = 12
        bar.style.dotHeight = 20
        bar.style.grownDotHeight = 20
        bar.style.showsThumbAtRest = true
        bar.style.cornerRadius = 100
        bar.setValue(1, now: harness.now)
        #expect(bar.layer.frame == Rect(x: 100, y: 245, width: 1000, height: 10))
        #expect(harness.track.cornerRadius == 5 && harness.played.cornerRadius == 5)
        #expect(harness.thumb.frame == Rect(x: 990, y: -5, width: 20, height: 20))
        bar.setValue(0.004, now: harness.now)
        #expect(harness.played.frame.size.width == 4 && harness.played.cornerRadius == 2)
    }

    @Test("The bar lies in the middle of its place, as wide as that, wherever that is")
    func layout() {
        bar.layout(Rect(x: 10, y: 20, width: 400, height: 40))
        #expect(bar.layer.frame == Rect(x: 10, y: 38, width: 400, height: 4))
        bar.setValue(0.5, now: harness.now)
        #expect(harness.played.frame.size.width == 200)
        bar.layout(Rect(x: 10, y: 20, width: 600, height: 40))
        #expect(harness.played.frame.size.width == 300)
        #expect(bar.layer.frame.size.width == 600)
    }

    @Test("The thumb keeps its size to the pixel wherever it is", arguments: [1.0, 1.25, 1.5, 2])
    func steadyThumb(scale: Double) {
        let harness = ProgressBarHarness(scale: scale)
        harness.bar.style.showsThumbAtRest = true
        var sizes: Set<Int> = []
        for step in 0...997 {
            harness.bar.setValue(Double(step) / 997, now: harness.now)
            guard case .box(let box)? = harness.drawn.last else { continue }
            sizes.formUnion([box.destination.width, box.destination.height])
        }
        #expect(sizes == [Int((12 * scale).rounded())])
    }

    // MARK: - Buffered ranges and marks

    @Test("Buffered ranges are shown where they are, above the track and beneath what is played")
    func buffered() {
        bar.buffered = [0.5...0.75, 0.1...0.2]
        #expect(
            frames(of: harness.bufferedParts) == [
                Rect(x: 100, y: 0, width: 100, height: 4), Rect(x: 500, y: 0, width: 250, height: 4),
            ])
        bar.buffered = [0...1]
        #expect(frames(of: harness.bufferedParts) == [Rect(x: 0, y: 0, width: 1000, height: 4)])
        bar.buffered = []
        #expect(harness.bufferedParts.isEmpty)
    }

    @Test("Ranges that overlap, touch, turn up in any order or lie beyond the ends are one, and in their place")
    func merging() {
        #expect([0.5...0.6, 0.1...0.3, 0.2...0.4, 0.4...0.45].mergedFractions() == [0.1...0.45, 0.5...0.6])
        #expect([-3.0...0.25, 0.9...7].mergedFractions() == [0...0.25, 0.9...1])
        #expect([-(.infinity)...Double.infinity].mergedFractions() == [0...1])
        #expect([-2.0...(-1), 1...3, 0.5...0.5, 5...9].mergedFractions() == [])
        #expect([0.2...0.8, 0.3...0.4, 0.5...0.6].mergedFractions() == [0.2...0.8])
    }

    @Test("Marks are where chapters begin: in the order of their places, each once, none at the ends")
    func marks() {
        bar.marks = [0.75, 0.25, 0, 1, 0.25, -4, 9, .nan, .infinity]
        #expect(
            frames(of: harness.markParts) == [
                Rect(x: 249, y: 0, width: 2, height: 4), Rect(x: 749, y: 0, width: 2, height: 4),
            ])
        bar.marks = [0.5]
        #expect(frames(of: harness.markParts).map(\.minX) == [499])
    }

    @Test("They grow with the bar")
    func growingParts() {
        bar.buffered = [0...0.5]
        bar.marks = [0.25]
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        harness.frame(after: 500)
        #expect(harness.bufferedParts[0].frame == Rect(x: 0, y: -1, width: 500, height: 6))
        #expect(harness.markParts[0].frame == Rect(x: 249, y: -1, width: 2, height: 6))
    }

    @Test(
        "A hundred thousand ranges and marks make a few hundred layers at most, in any width",
        arguments: [10, 1000, 9e4])
    func many(width: Double) {
        bar.layout(Rect(x: 0, y: 0, width: width, height: 20))
        bar.buffered = (0..<100_000).map { (Double($0) + 0.25) / 100_000...(Double($0) + 0.5) / 100_000 }
        bar.marks = (0..<100_000).map { Double($0) / 100_000 }
        #expect(harness.bufferedParts.count <= 257 && harness.markParts.count <= 257)
        bar.buffered = (0..<100).map { (Double($0) + 0.25) / 100...(Double($0) + 0.5) / 100 }
        #expect(harness.bufferedParts.count == (width == 10 ? 10 : 100) || width == 10)
    }

    // MARK: - Bad input

    @Test(
        "Sizes, places and scales that are no numbers, or absurd, do not trap",
        arguments: [Double.nan, .infinity, -.infinity, 0, -1, 1e300, .leastNonzeroMagnitude])
    func nonsense(value: Double) {
        var style = ProgressBar.Style()
        style.barHeight = value
        style.grownBarHeight = value
        style.dotHeight = value
        style.grownDotHeight = value
        style.cornerRadius = value
        style.markWidth = value
        style.outlineWidth = value
        style.disabledOpacity = value
        style.showsThumbAtRest = true
        bar.style = style
        bar.hitMargin = value
        bar.layout(Rect(x: value, y: value, width: value, height: value), scale: value)
        bar.buffered = [0.1...0.2]
        bar.marks = [0.5]
        bar.setFocused(true, now: harness.now)
        bar.hover(Point(x: value, y: value), now: harness.now)
        harness.run(to: 1, seconds: 1)
        for _ in 0..<5 { harness.frame(after: 50) }
        harness.window.click(500)
        bar.isEnabled = false
        harness.frame()
        _ = bar.nextWake
        #expect(bar.layer.frame.size.width.isFinite && harness.drawn.count < 20)
    }

    @Test("A bar of no width is at its beginning, and takes a press as that")
    func noWidth() {
        bar.layout(Rect(x: 500, y: 240, width: 0, height: 20))
        bar.setValue(0.5, now: harness.now)
        harness.run(to: 1, seconds: 100)
        #expect(harness.played.frame.size.width == 0 && !bar.isAnimating)
        harness.frame(after: 10)
        #expect(bar.nextWake == harness.now + .milliseconds(99_990))
        harness.window.click(505)
        #expect(harness.took() == ["began 0", "ended 0"])
    }
}
