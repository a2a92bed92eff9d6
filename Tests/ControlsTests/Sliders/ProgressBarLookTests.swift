import GlissadeAnimation
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Progress bar appearance") @MainActor struct ProgressBarLookTests {
    private let harness = ProgressBarHarness()
    private var bar: ProgressBar { harness.bar }

    private func frames(of parts: [Layer]) -> [Rect] { parts.map(\.frame) }

    // MARK: - Rest, hover, focus, drag, disabled

    @Test("At rest the bar is thin without a thumb, and it grows with a thumb when hovered, dragged or focused")
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

    @Test("Growing is eased and turns back from the current size")
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

    @Test("The thumb can be shown smaller at rest")
    func thumbAtRest() {
        bar.style.showsThumbAtRest = true
        bar.setValue(0.5, now: harness.now)
        #expect(harness.thumb.frame == Rect(x: 494, y: -4, width: 12, height: 12))
        #expect(harness.thumb.cornerRadius == 6)
    }

    @Test("The thumb can be an image")
    func thumbImage() {
        bar.style.thumbImage = ImageID(rawValue: 7)
        bar.style.showsThumbAtRest = true
        harness.frame()
        #expect(harness.thumb.content == .image(ImageID(rawValue: 7)))
        bar.style.thumbImage = nil
        #expect(harness.thumb.content == .color(.white))
    }

    @Test("Only a focused bar has an outline around its thumb")
    func outline() {
        bar.setValue(0.5, now: harness.now)
        bar.setFocused(true, now: harness.now)
        harness.frame(after: 500)
        #expect(harness.outline.frame == Rect(x: 490, y: -8, width: 20, height: 20))
        #expect(harness.outline.content == .color(bar.style.outlineColor))
        bar.setFocused(false, now: harness.now)
        #expect(harness.outline.frame.size == .zero)
    }

    @Test("A disabled bar is dimmed, and neither grown nor outlined")
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

    @Test("The bar has different colors at rest, in progress and dragged, and a pause counts as at rest")
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

    @Test("Resting, playing, hovered, focused, dragged and disabled bars look different")
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

    @Test("Bar height, thumb diameter and corner radius can be set, and the radius is at most half the height")
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

    @Test("The bar is centered in its frame and as wide as the frame")
    func layout() {
        bar.layout(Rect(x: 10, y: 20, width: 400, height: 40))
        #expect(bar.layer.frame == Rect(x: 10, y: 38, width: 400, height: 4))
        bar.setValue(0.5, now: harness.now)
        #expect(harness.played.frame.size.width == 200)
        bar.layout(Rect(x: 10, y: 20, width: 600, height: 40))
        #expect(harness.played.frame.size.width == 300)
        #expect(bar.layer.frame.size.width == 600)
    }

    @Test("The thumb has the same size in pixels at every position", arguments: [1.0, 1.25, 1.5, 2])
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

    @Test("Buffered ranges are drawn above the track and beneath the played part")
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

    @Test("Overlapping, adjacent, unordered and out-of-range buffered ranges are merged and clamped")
    func merging() {
        #expect([0.5...0.6, 0.1...0.3, 0.2...0.4, 0.4...0.45].mergedFractions() == [0.1...0.45, 0.5...0.6])
        #expect([-3.0...0.25, 0.9...7].mergedFractions() == [0...0.25, 0.9...1])
        #expect([-(.infinity)...Double.infinity].mergedFractions() == [0...1])
        #expect([-2.0...(-1), 1...3, 0.5...0.5, 5...9].mergedFractions() == [])
        #expect([0.2...0.8, 0.3...0.4, 0.5...0.6].mergedFractions() == [0.2...0.8])
    }

    @Test("Chapter marks are shown in order, once each, and not at the ends")
    func marks() {
        bar.marks = [0.75, 0.25, 0, 1, 0.25, -4, 9, .nan, .infinity]
        #expect(
            frames(of: harness.markParts) == [
                Rect(x: 249, y: 0, width: 2, height: 4), Rect(x: 749, y: 0, width: 2, height: 4),
            ])
        bar.marks = [0.5]
        #expect(frames(of: harness.markParts).map(\.minX) == [499])
    }

    @Test("Chapter marks grow with the bar")
    func growingParts() {
        bar.buffered = [0...0.5]
        bar.marks = [0.25]
        bar.hover(Point(x: 500, y: 250), now: harness.now)
        harness.frame(after: 500)
        #expect(harness.bufferedParts[0].frame == Rect(x: 0, y: -1, width: 500, height: 6))
        #expect(harness.markParts[0].frame == Rect(x: 249, y: -1, width: 2, height: 6))
    }

    @Test(
        "A hundred thousand ranges and marks make a few hundred layers at most, at any width",
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
        "Non-finite and absurd sizes, positions and scales do not trap",
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

    @Test("A bar of zero width stays at its beginning, also when pressed")
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
