import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeGestures

@Suite("Velocity tracker") struct VelocityTests {
    @Test("A steadily moving pointer has its speed")
    func even() {
        var tracker = VelocityTracker()
        for step in 0...20 {
            tracker.add(
                Point(x: Double(step) * 5, y: Double(step) * -2),
                at: HostTime(nanoseconds: Int64(step) * 10_000_000))
        }
        let velocity = tracker.velocity()
        #expect(abs(velocity.x - 500) < 1e-9 && abs(velocity.y + 200) < 1e-9)
    }

    private func time(_ ms: Double) -> HostTime { HostTime(nanoseconds: Int64(ms * 1e6)) }

    @Test("Only the last 100 ms count towards the velocity")
    func window() {
        var tracker = VelocityTracker()
        tracker.add(.zero, at: time(0))
        tracker.add(Point(x: 5000, y: 0), at: time(50))
        tracker.add(Point(x: 5000, y: 0), at: time(60))
        tracker.add(Point(x: 5010, y: 0), at: time(155))
        #expect(abs(tracker.velocity().x - 10 / 0.095) < 1e-9)
        #expect(tracker.velocity(at: time(159)).x > 0)
        #expect(tracker.velocity(at: time(160)) == .zero)
    }

    @Test("A pointer reported 8000 times a second has the same velocity over the whole window")
    func dense() {
        var tracker = VelocityTracker()
        // Twice as fast in the last 50 ms: a window cut short would say 1000.
        for step in 0...8000 {
            let ms = Double(step) / 8
            tracker.add(Point(x: ms <= 950 ? ms / 2 : 475 + (ms - 950), y: 0), at: time(ms))
        }
        #expect(abs(tracker.velocity().x - 750) < 25)
    }

    @Test("Samples at one instant give no absurd velocity, and without samples there is none")
    func simultaneous() {
        var tracker = VelocityTracker()
        #expect(tracker.velocity() == .zero)
        tracker.add(.zero, at: time(5))
        #expect(tracker.velocity() == .zero)
        tracker.add(Point(x: 8, y: 0), at: time(5))
        #expect(abs(tracker.velocity().x - 1000) < 1e-9)
        tracker.add(Point(x: .nan, y: 0), at: time(6))
        tracker.add(Point(x: 8, y: 0), at: time(-100))
        #expect(abs(tracker.velocity().x - 1000) < 1e-9)
        tracker.reset()
        #expect(tracker.velocity() == .zero)
    }
}
