import GlissadeAnimation
import GlissadeGeometry
import Testing
import GlissadeTime

@Suite("Springs") struct SpringTests {
    /// Fourth-order Runge-Kutta on m·x″ + c·x′ + k·x = 0, in steps so small that its error is below 1e-9.
    private func integrated(
        mass: Double, stiffness: Double, damping: Double, x: Double, v: Double, seconds: Double
    ) -> (x: Double, v: Double) {
        var (x, v) = (x, v)
        let steps = 20_000
        let h = seconds / Double(steps)
        func force(_ x: Double, _ v: Double) -> Double { -(stiffness * x + damping * v) / mass }
        for _ in 0..<steps {
            let (x1, v1) = (v, force(x, v))
            let (x2, v2) = (v + h / 2 * v1, force(x + h / 2 * x1, v + h / 2 * v1))
            let (x3, v3) = (v + h / 2 * v2, force(x + h / 2 * x2, v + h / 2 * v2))
            let (x4, v4) = (v + h * v3, force(x + h * x3, v + h * v3))
            x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
            v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        }
        return (x, v)
    }

    @Test(
        "Underdamped, critically damped and overdamped springs follow the exact solution",
        arguments: [0, 0.1, 0.5, 0.999_999_9, 1, 1.000_000_1, 1.5, 4])
    func exact(ratio: Double) {
        let (mass, stiffness) = (2.0, 200.0)
        let damping = ratio * 2 * (stiffness * mass).squareRoot()
        let spring = Spring(mass: mass, stiffness: stiffness, damping: damping)
        for velocity in [0.0, 300, -3000] {
            for seconds in [0.02, 0.3, 1.1] {
                let truth = integrated(
                    mass: mass, stiffness: stiffness, damping: damping, x: -100, v: velocity, seconds: seconds)
                let value = spring.value(at: seconds, from: 50, to: 150, velocity: velocity)
                #expect(abs(value - 150 - truth.x) < 1e-6)
                let speed = spring.velocity(at: seconds, from: 50, to: 150, velocity: velocity)
                #expect(abs(speed - truth.v) < 1e-5)
            }
        }
    }

    @Test("(response, dampingRatio) is the period of the undamped spring and its damping")
    func response() {
        let spring = Spring(response: 0.35)
        #expect(abs(spring.angularFrequency - 2 * .pi / 0.35) < 1e-12)
        #expect(spring.dampingRatio == 1)
        let undamped = Spring(response: 0.5, dampingRatio: 0)
        #expect(abs(undamped.value(at: 0.5, from: 10.0, to: 0) - 10) < 1e-9)
        #expect(abs(undamped.value(at: 0.25, from: 10.0, to: 0) + 10) < 1e-9)
        let same = Spring(mass: 1, stiffness: spring.angularFrequency * spring.angularFrequency, damping: 0)
        #expect(abs(same.response - 0.35) < 1e-12)
    }

    @Test("A spring starts with the given value and velocity", arguments: [0, 0.4, 1, 3])
    func handOver(ratio: Double) {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        #expect(spring.value(at: 0, from: 3.0, to: 9, velocity: 700) == 3)
        #expect(spring.velocity(at: 0, from: 3.0, to: 9, velocity: 700) == 700)
        #expect(abs(spring.value(at: 1e-6, from: 3.0, to: 9, velocity: 700) - 3.0007) < 1e-6)
    }

    @Test("A point moves along each axis as a single number would")
    func vectors() {
        let spring = Spring(response: 0.4, dampingRatio: 0.6)
        let point = spring.value(
            at: 0.1, from: Point(x: 1, y: -4), to: Point(x: 8, y: 0), velocity: Point(x: 30, y: -7))
        #expect(point.x == spring.value(at: 0.1, from: 1, to: 8, velocity: 30))
        #expect(point.y == spring.value(at: 0.1, from: -4, to: 0, velocity: -7))
    }

    @Test(
        "After its settling time a spring stays within the tolerance, and not much earlier",
        arguments: [0.05, 0.3, 0.9, 1, 1.0001, 2, 30])
    func settling(ratio: Double) throws {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        for (distance, velocity) in [(1000.0, 0.0), (1000, 5000), (-1000, 5000), (0, 300), (0.4, -900)] {
            let time = try #require(spring.settlingTime(within: 0.5, distance: distance, velocity: velocity)).inSeconds
            var lastOutside = 0.0
            for step in 0...4000 {
                let seconds = time * 2 * Double(step) / 4000
                if abs(spring.value(at: seconds, from: distance, to: 0, velocity: velocity)) > 0.5 {
                    lastOutside = seconds
                }
            }
            #expect(lastOutside <= time + 1e-9)
            // The bound ignores the swings, and what they and a velocity towards the end save.
            if velocity == 0 { #expect(lastOutside >= time * 0.6) }
        }
    }

    @Test("A spring at rest has settled, and one without damping never settles")
    func settlingEdges() {
        #expect(Spring(response: 0.3).settlingTime(within: 0.5, distance: 0) == .zero)
        #expect(Spring(response: 0.3).settlingTime(within: 0.5, distance: 0.4) == .zero)
        #expect(Spring(response: 0.3, dampingRatio: 0).settlingTime(within: 0.5, distance: 9) == nil)
        #expect(Spring(response: 0.3).settlingTime(within: 0, distance: 9) != nil)
        #expect(Spring(response: 0.3).settlingTime(within: .nan, distance: .nan) == .zero)
        #expect(Spring(response: 0.3).settlingTime(within: 1, distance: 1, velocity: .infinity) == .zero)
    }

    @Test("A stiffened spring settles within its limit, and one that is fast enough is left as it is")
    func stiffened() throws {
        let spring = Spring(response: 0.35)
        let limit = Duration.milliseconds(350)
        let stiff = spring.stiffened(toSettleWithin: limit, tolerance: 0.0005, distance: 0.3, velocity: 4)
        let time = try #require(stiff.settlingTime(within: 0.0005, distance: 0.3, velocity: 4))
        #expect(time <= limit)
        #expect(time > .milliseconds(300))
        #expect(spring.stiffened(toSettleWithin: limit, tolerance: 0.5, distance: 0.6) == spring)
        #expect(spring.stiffened(toSettleWithin: .zero, tolerance: 0.0005, distance: 0.3) == spring)
    }

    @Test("Springs with absurd parameters still move, and settle or report that they do not")
    func hostile() {
        let numbers = [0, -1, 1e-300, 1e300, .nan, .infinity, -.infinity, 1]
        for a in numbers {
            for b in numbers {
                let springs =
                    [Spring(response: a, dampingRatio: b)] + numbers.map { Spring(mass: a, stiffness: b, damping: $0) }
                for spring in springs {
                    for seconds in numbers + [0.001, 0.1, 1e6] {
                        let value = spring.value(at: seconds, from: 0.0, to: 100, velocity: 10)
                        let velocity = spring.velocity(at: seconds, from: 0.0, to: 100, velocity: 10)
                        if !value.isFinite || !velocity.isFinite { Issue.record("\(spring) at \(seconds)") }
                    }
                    _ = spring.settlingTime(within: a, distance: b, velocity: a)
                    _ = spring.stiffened(toSettleWithin: .seconds(1), tolerance: a, distance: b)
                }
            }
        }
        #expect(Spring(response: 0).value(at: 0.1, from: 0.0, to: 100) == 100)
    }
}
