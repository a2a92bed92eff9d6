import GlissadeAnimation
import Testing
import GlissadeTime

@Suite("Settling time of a spring") struct SettlingTests {
    private func seconds(_ spring: Spring, within tolerance: Double, distance: Double, velocity: Double = 0) -> Double {
        spring.settlingTime(within: tolerance, distance: distance, velocity: velocity)?.inSeconds ?? .infinity
    }

    /// The last of 4000 instants up to `end` at which the motion is further than 0.5 from its end.
    private func lastOutside(_ spring: Spring, from: Double, velocity: Double, until end: Double) -> Double {
        var last = 0.0
        for step in 0...4000 {
            let time = end * Double(step) / 4000
            if abs(spring.value(at: time, from: from, to: 0, velocity: velocity)) > 0.5 { last = time }
        }
        return last
    }

    @Test(
        "After the settling time the spring stays within the tolerance, and not much earlier",
        arguments: [0.05, 0.3, 0.9, 0.999_99, 1, 1.000_01, 1.1, 2, 30])
    func bound(ratio: Double) {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        for (from, velocity) in [
            (1000.0, 0.0), (1000, 5000), (-1000, 5000), (1000, -90_000), (0, 300), (0.4, -900), (0.6, 0), (-0.5, -30),
        ] {
            let time = seconds(spring, within: 0.5, distance: from, velocity: velocity)
            let last = lastOutside(spring, from: from, velocity: velocity, until: max(time, 0.1) * 2)
            #expect(last <= time + 1e-8)
            // The envelope passes over the swings, what a throw across the target saves, and a short way out.
            if abs(from) > 1, from * velocity >= 0 {
                #expect(last >= time * 0.5, "from \(from), \(velocity)/s: \(last)")
            }
        }
    }

    @Test("The settling time is exact for a spring that neither oscillates nor overshoots", arguments: [1, 1.2, 5])
    func exact(ratio: Double) {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        for velocity in [0.0, 4000, -1000] {
            let time = seconds(spring, within: 0.5, distance: 1000, velocity: velocity)
            #expect(abs(spring.value(at: time, from: 1000, to: 0, velocity: velocity) - 0.5) < 1e-5)
        }
    }

    @Test(
        "A larger distance, a higher velocity or a smaller tolerance makes the settling time longer",
        arguments: [0.1, 0.7, 1, 3])
    func monotone(ratio: Double) {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        func expectGrowing(_ times: [Double], location: SourceLocation = #_sourceLocation) {
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, sourceLocation: location)
            #expect(times[times.count - 1] > times[0], sourceLocation: location)
        }
        expectGrowing((0...200).map { seconds(spring, within: 0.5, distance: Double($0) / 10) })
        expectGrowing((0...200).map { seconds(spring, within: 0.5, distance: 0, velocity: Double($0)) })
        expectGrowing((0...40).map { seconds(spring, within: 8 / Double(1 << $0), distance: 7, velocity: 3) })
    }

    @Test("A tolerance of zero or less is replaced by a billionth of the distance", arguments: [0, -1, Double.nan])
    func noTolerance(tolerance: Double) {
        let spring = Spring(response: 0.3)
        let time = seconds(spring, within: tolerance, distance: 9)
        #expect(time == seconds(spring, within: 9e-9, distance: 9))
        #expect(time > 1 && time < 2)
    }
}
