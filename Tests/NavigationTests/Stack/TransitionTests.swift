import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Page transition geometry") @MainActor struct CompositionTests {
    @Test(
        "At progress p the current page is at p·W and the previous one at -parallax·(1-p)·W, dimmed by dim·(1-p)",
        arguments: [0, 0.1, 0.4, 0.8, 1])
    func system(p: Double) {
        let c = TransitionComposition(style: .system, progress: p, width: 1280)
        #expect(c.upperX == p * 1280)
        #expect(abs(c.beneathX - -0.3 * (1 - p) * 1280) < 1e-9)
        #expect(abs(c.dim - 0.10 * (1 - p)) < 1e-12)
        #expect(abs(c.shadowAlpha - 0.25 * (1 - p)) < 1e-12)
    }

    @Test(
        "The system style has parallax 0.3, dim 0.10 and a shadow; shift 0.382 and a shadow; maskedShift 0.382 and dim 0.8"
    )
    func styles() {
        #expect(TransitionStyle.system == TransitionStyle(parallax: 0.3, dim: 0.10, hasShadow: true))
        #expect(TransitionStyle.shift == TransitionStyle(parallax: 0.382, dim: 0, hasShadow: true))
        #expect(TransitionStyle.maskedShift == TransitionStyle(parallax: 0.382, dim: 0.8, hasShadow: false))
        #expect(TransitionStyle.shadowWidth == 21)
    }

    @Test("At p = 0.4 a pop draws the previous page, the shadow and the current page, and nothing that is covered")
    func displayList() throws {
        let harness = NavigationHarness()
        harness.root.layer.content = .color(Color(red: 0.5, green: 0.5, blue: 0.5))
        _ = try harness.pushed()
        harness.drag(to: 400)
        var list = DisplayList(viewport: PixelSize(width: 1000, height: 500))
        harness.stack.layer.flatten(scale: 1, into: &list)
        let grey = 0.5 * (1 - 0.10 * 0.6)
        guard case .fill(let beneath, let color) = list.items[0] else { return #expect(Bool(false)) }
        // At -0.3 · 0.6 · 1000 = -180, of which what the upper page leaves free is seen.
        #expect(beneath == PixelRect(minX: 0, minY: 0, maxX: 400, maxY: 500))
        #expect(abs(color.red - grey) < 1e-12)
        guard case .box(let shadow) = list.items[1] else { return #expect(Bool(false)) }
        #expect(shadow.destination == PixelRect(minX: 379, minY: 0, maxX: 400, maxY: 500))
        #expect(shadow.gradient.start.alpha == 0)
        #expect(abs(shadow.gradient.end.alpha - 0.15) < 1e-12)
        #expect(shadow.gradient.axis == .horizontal)
        #expect(list.items[2] == .fill(PixelRect(minX: 400, minY: 0, maxX: 1000, maxY: 500), .white))
        #expect(list.items.count == 3)
    }

    @Test("A push has the geometry of a pop run backwards")
    func push() throws {
        let harness = NavigationHarness()
        let page = RecordingPage("player")
        try harness.stack.push(page, now: harness.now)
        _ = harness.stack.advance(to: harness.now)
        #expect(page.container.translation.x == 1000)
        #expect(harness.root.container.translation.x == 0)
        harness.wait(100)
        _ = harness.stack.advance(to: harness.now)
        let p = try #require(harness.stack.progress)
        #expect(p > 0 && p < 1)
        #expect(page.container.translation.x == p * 1000)
        #expect(abs(harness.root.container.translation.x - -300 * (1 - p)) < 1e-9)
        #expect(abs(harness.root.container.shade - 0.1 * (1 - p)) < 1e-12)
    }
}

@Suite("Releasing a page") @MainActor struct SettleTests {
    @Test(
        "A released page pops if it would coast beyond 0.35 of the width within 0.25 s",
        arguments: [
            (349.0, 0.0, false), (350, 0, true), (100, 1000, true), (100, 990, false), (800, -1801, false),
            (800, -1799, true), (10, 5000, true),
        ])
    func coasting(x: Double, velocity: Double, pops: Bool) throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: x)
        harness.stack.release(velocity: velocity, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === (pops ? harness.root : page))
    }

    @Test("The threshold can be set per stack")
    func threshold() throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.stack.commitThreshold = 0.6
        harness.drag(to: 590)
        harness.stack.release(velocity: 0, now: harness.now)
        harness.settle()
        #expect(harness.stack.top === page)
    }

    @Test("A programmatic push or pop takes 0.35 s with ease-out")
    func program() throws {
        let harness = NavigationHarness()
        let page = RecordingPage("player")
        try harness.stack.push(page, now: harness.now)
        let start = harness.now
        for fraction in [0.25, 0.5, 0.75] {
            harness.now = start + .seconds(0.35 * fraction)
            _ = harness.stack.advance(to: harness.now)
            #expect(abs(harness.stack.progress! - (1 - TimingCurve.easeOut.value(at: fraction))) < 1e-6)
        }
        harness.now = start + .milliseconds(349)
        _ = harness.stack.advance(to: harness.now)
        #expect(harness.stack.isTransitioning)
        harness.now = start + .milliseconds(350)
        _ = harness.stack.advance(to: harness.now)
        #expect(!harness.stack.isTransitioning)
    }

    @Test("Settling takes over the pointer's velocity, and is continuous in position and velocity")
    func velocity() throws {
        let harness = NavigationHarness()
        _ = try harness.pushed()
        harness.drag(to: 300)
        harness.stack.release(velocity: 1200, now: harness.now)
        let step = 0.0001
        harness.now = harness.now + .seconds(step)
        _ = harness.stack.advance(to: harness.now)
        let speed = (harness.stack.progress! * 1000 - 300) / step
        #expect(abs(speed - 1200) < 30)
    }

    @Test("A cancelled pop takes at most 0.35 s, and less from a small offset", arguments: [20.0, 100, 300, 349])
    func cancel(x: Double) throws {
        let harness = NavigationHarness()
        _ = try harness.pushed()
        harness.drag(to: x)
        harness.stack.release(velocity: 0, now: harness.now)
        let time = harness.settle()
        #expect(time <= 0.36)
        if x == 20 { #expect(time < 0.33) }
    }

    @Test("A page flung towards its end arrives without overshooting", arguments: [900.0, 3000, 20000])
    func noOvershoot(velocity: Double) throws {
        let harness = NavigationHarness()
        let page = try harness.pushed()
        harness.drag(to: 500)
        harness.stack.release(velocity: velocity, now: harness.now)
        harness.settle()
        let fractions = page.log.compactMap { $0.hasPrefix("drag ") ? Double($0.dropFirst(5)) : nil }
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        #expect(harness.stack.top === harness.root)
    }
}
