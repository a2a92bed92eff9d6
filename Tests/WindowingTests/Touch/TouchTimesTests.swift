import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeGestures
@testable import GlissadeWindowing

/// When a finger's events happened: from the server's bytes to the velocity at the release.
@Suite("Times of touches") struct TouchTimesTests {
    /// How far a finger moves in each report, in pixels, and how long that takes, in milliseconds.
    private static let (step, interval) = (4.0, 8)
    private static let count = 30

    /// Moves a finger at a constant velocity, and lifts it.
    ///
    /// - Parameter received: when the report with this number is read, in milliseconds of the host; reports that are read at
    ///   the same time are read together.
    /// - Returns: the events' phases and times, and the velocity at the release, in pixels a second.
    private func glide(received: (Int) -> Double) -> (times: [HostTime], velocity: Double) {
        var (records, tracker, fingers) = (TouchRecords(), VelocityTracker(), FingerTracker())
        var times: [HostTime] = []
        var velocity = 0.0
        func deliver() {
            for record in records.records {
                let time = records.hostTime(of: record)
                guard case .touch(let touch) = record.event else { continue }
                fingers.handle(touch, isCancelled: false) { change in
                    times.append(time)
                    if change.phase == .released { velocity = tracker.velocity(at: time).x }
                    tracker.add(change.position, at: time)
                }
            }
            records.records.removeAll()
        }
        for number in 0..<Self.count {
            let bytes = XInputEventTests.touch(
                type: number == 0 ? 18 : number == Self.count - 1 ? 20 : 19, x: Double(number) * Self.step,
                time: UInt32(7000 + number * Self.interval))
            bytes.withUnsafeBytes { records.record($0, received: host(received(number))) }
            if number + 1 == Self.count || received(number + 1) != received(number) { deliver() }
        }
        return (times, velocity)
    }

    private func host(_ milliseconds: Double) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
    }

    @Test("A finger's events that are read late, in one batch, have the velocity of those that are read one by one")
    func batch() {
        let happened = { (number: Int) in Double(number * Self.interval) }
        let prompt = glide { happened($0) + 0.2 }
        let expected = Self.step / Double(Self.interval) * 1000
        #expect(abs(prompt.velocity - expected) < 5)
        // The last seven reports are read 40 ms after the last of them.
        let late = glide { $0 < Self.count - 7 ? happened($0) + 0.2 : happened(Self.count - 1) + 40 }
        #expect(abs(late.velocity - prompt.velocity) < 10)
        for (number, (time, other)) in zip(prompt.times, late.times).enumerated() {
            #expect(abs((time - other).inMilliseconds) < 1, "\(number)")
        }
    }

    @Test("A finger's events never go back in time, and are never later than their reading")
    func ordered() {
        // Read in batches of one to seven.
        let received = { (number: Int) in Double((number / 7 * 7 + 6) * Self.interval) + Double(number / 7 % 3) }
        let times = glide(received: received).times
        #expect(times.count == Self.count)
        for (time, next) in zip(times, times.dropFirst()) { #expect(time <= next) }
        for (number, time) in times.enumerated() { #expect(time <= host(received(number))) }
    }
}
