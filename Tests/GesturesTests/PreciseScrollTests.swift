import GlissadeGeometry
import Testing

@testable import GlissadeGestures
@testable import GlissadeInput

@Suite("Panning with two fingers on a touchpad") struct PreciseScrollTests {
    private let harness = GestureHarness()
    private let pan = PanRecognizer(axes: .horizontal)
    private let row: Element

    init() {
        row = harness.element("row")
        _ = harness.element("page", [pan])
    }

    private func scroll(_ deltaX: Double, _ deltaY: Double = 0, at ms: Double) {
        harness.scroll(deltaX, deltaY, at: ms, isPrecise: true)
    }

    private func end(at ms: Double) { harness.scroll(0, 0, at: ms, isPrecise: true, isEnd: true) }

    @Test("A pan follows the exact distance, also while it is a fraction of a point")
    func exact() {
        scroll(0.25, at: 0)
        for step in 1...7 { scroll(0.01, at: Double(step)) }
        #expect(abs(pan.translation.x - 12.8) < 1e-9)
    }

    @Test("A pan stays while the fingers rest, for up to 0.4 s, and ends at once when they are lifted")
    func ends() {
        scroll(1, at: 0)
        #expect(harness.arbiter.nextDeadline == harness.time(400))
        harness.wait(until: 399)
        #expect(pan.isActive)
        harness.wait(until: 400)
        #expect(harness.took() == ["pan began", "pan ended"])
        scroll(1, at: 1000)
        end(at: 1010)
        #expect(harness.took() == ["pan began", "pan ended"] && harness.arbiter.nextDeadline == nil)
        end(at: 1020)
        #expect(harness.took().isEmpty)
    }

    @Test("A pan ends if a finger moves the mouse, or if the wheel is turned")
    func otherInput() {
        scroll(1, at: 0)
        harness.move(305, 100, at: 10)
        #expect(harness.took() == ["pan began", "pan ended"])
        scroll(1, at: 20)
        harness.scroll(1, 0, at: 30)
        #expect(harness.took() == ["pan began", "pan ended", "pan began"])
        #expect(harness.arbiter.nextDeadline == harness.time(130), "the wheel keeps its own pause")
        // The mouse may move while its wheel turns.
        harness.move(310, 100, at: 40)
        #expect(pan.isActive)
    }

    @Test("The velocity at the end is that of the last 60 ms, and zero after a rest")
    func velocity() {
        var velocities: [Double] = []
        pan.onChange = { [pan] in if $0.state == .ended { velocities.append(pan.velocity.x) } }
        // Slow at first, then 5000 points per second.
        for step in 0..<20 { scroll(step < 10 ? 0.025 : 1, at: Double(step) * 8) }
        end(at: 153)
        #expect(abs((velocities.last ?? 0) - 5000) < 1e-6)
        for step in 0..<20 { scroll(1, at: 1000 + Double(step) * 8) }
        end(at: 1000 + 152 + 61)
        #expect(velocities.last == 0)
        for step in 0..<20 { scroll(1, at: 2000 + Double(step) * 8) }
        harness.wait(until: 4000)
        #expect(velocities.count == 3 && velocities.last == 0)
    }

    @Test("A vertical scroll goes to pans first, and to elements if no pan takes it")
    func vertical() {
        row.takesScroll = true
        let list = PanRecognizer(axes: .vertical, name: "list")
        row.add(list)
        scroll(0, 0.5, at: 0)
        #expect(harness.took() == ["pan failed", "list began"] && list.translation.y == 20 && row.scrolls.isEmpty)
        end(at: 10)
        _ = harness.took()
        row.recognizers = []
        scroll(0, 0.5, at: 20)
        #expect(harness.took() == ["pan failed", "row scroll"])
    }
}
