import Motion
import Testing

@testable import Gestures

@Suite("The hand's velocity") struct VelocityTests {
    @Test("A hand that moves evenly has its speed")
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
}
