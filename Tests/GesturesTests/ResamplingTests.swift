import GlissadeGeometry
import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadeGestures

@Suite("Positions at the time of a frame") struct ResamplingTests {
    private static func time(_ ms: Double) -> HostTime { HostTime(nanoseconds: Int64((ms * 1e6).rounded())) }

    /// The largest deviation from constant steps, in points, of positions taken at 60 Hz from a pointer that moves
    /// 0.84 points per millisecond.
    ///
    /// - Parameters:
    ///   - interval: The time between reports, in ms.
    ///   - readBefore: How long before it is composed a frame's events were read, in ms; the argument is its number.
    private static func unevenness(interval: Double, readBefore: (Int) -> Double = { _ in 0 }) -> Double {
        var resampler = PointerResampler()
        var sampleTime = FrameSampleTime()
        var positions: [Double] = []
        var report = 0
        for frame in 0..<200 {
            let composed = Double(frame) * 1000 / 60 + 100
            let read = composed - readBefore(frame)
            while Double(report) * interval <= read {
                let at = Double(report) * interval
                resampler.add(Point(x: at * 0.84, y: 0), at: time(at))
                report += 1
            }
            let sample = sampleTime.next(visibleAt: time(composed + 8), eventsReadAt: time(read))
            if let (point, _) = resampler.position(at: sample), frame >= 100 { positions.append(point.x) }
        }
        let steps = zip(positions.dropFirst(), positions).map { $0 - $1 }
        return steps.map { abs($0 - 0.84 * 1000 / 60) }.max() ?? .infinity
    }

    private static let rates = [59.0, 62.5, 90, 125, 133, 250, 500, 1000, 8000]

    @Test("A pointer at constant speed moves in equal steps, whatever its report rate is", arguments: rates)
    func even(rate: Double) {
        #expect(Self.unevenness(interval: 1000 / rate) < 0.01)
    }

    @Test("So it does if events are read 3 ms before a frame is composed", arguments: rates)
    func readEarlier(rate: Double) {
        #expect(Self.unevenness(interval: 1000 / rate, readBefore: { _ in 3 }) < 0.01)
    }

    @Test(
        "If events are read up to 3 ms earlier from frame to frame, steps vary by a small part of that",
        arguments: rates)
    func readUnevenly(rate: Double) {
        // Without resampling, they vary by up to 2.5 points more than the distance between two reports.
        #expect(Self.unevenness(interval: 1000 / rate, readBefore: { Double($0 * 7 % 4) }) < 1.4)
    }

    @Test("The position lags by half a report interval")
    func lag() throws {
        for (interval, lag) in [(1.0, 0.5), (8, 4), (16, 8)] {
            var resampler = PointerResampler()
            for report in 0...20 {
                resampler.add(
                    Point(x: Double(report) * interval, y: 0), at: Self.time(Double(report) * interval))
            }
            let (point, isFinal) = try #require(resampler.position(at: Self.time(20 * interval)))
            #expect(abs(point.x - (20 * interval - lag)) < 0.001)
            #expect(!isFinal)
        }
    }

    @Test("A single motion after a pause is shown at once")
    func jump() throws {
        var resampler = PointerResampler()
        resampler.add(.zero, at: Self.time(0))
        resampler.add(Point(x: 7, y: 3), at: Self.time(50))
        for time in [50, 50.1, 60.0] {
            let (point, isFinal) = try #require(resampler.position(at: Self.time(time)))
            #expect(point == Point(x: 7, y: 3))
            #expect(isFinal)
        }
        // Also for a frame that was composed for a time before the motion.
        #expect(resampler.position(at: Self.time(45))?.point == Point(x: 7, y: 3))
    }

    @Test("A pointer that stops goes on for less than one interval, and returns to its last position by two")
    func stop() throws {
        var resampler = PointerResampler()
        for report in 0...10 { resampler.add(Point(x: Double(report) * 8, y: 0), at: Self.time(Double(report) * 8)) }
        for (ms, x) in [(84.0, 80.0), (88, 84), (90, 86), (92, 84), (96, 80), (200, 80)] {
            let (point, isFinal) = try #require(resampler.position(at: Self.time(ms)))
            #expect(abs(point.x - x) < 0.001)
            #expect(isFinal == (ms >= 96))
        }
    }

    @Test(
        "Positions never lie beyond the last reports by more than twice the distance between the farthest of them")
    func bounded() throws {
        var generator = SeededGenerator(seed: 22)
        var resampler = PointerResampler()
        var reports: [(x: Double, ms: Double)] = [(0, 0)]
        resampler.add(.zero, at: Self.time(0))
        for _ in 0..<20_000 {
            let last = reports[reports.count - 1]
            // Often two reports almost at once, after a pause.
            let gap =
                Bool.random(using: &generator)
                ? Double.random(in: 0...0.1, using: &generator) : .random(in: 0...30, using: &generator)
            reports.append((last.x + .random(in: -20...20, using: &generator), last.ms + gap))
            let newest = reports[reports.count - 1]
            resampler.add(Point(x: newest.x, y: 0), at: Self.time(newest.ms))
            let at = newest.ms + Double.random(in: -10...40, using: &generator)
            let x = try #require(resampler.position(at: Self.time(at))).point.x
            let recent = reports.suffix(40).filter { newest.ms - $0.ms <= 60 }.map(\.x)
            let (least, most) = (recent.min() ?? newest.x, recent.max() ?? newest.x)
            let beyond = (most - least) * 2
            #expect(x >= least - beyond && x <= most + beyond)
        }
    }

    @Test("Reports at one time, in the past, or without a finite position are harmless")
    func hostile() throws {
        var resampler = PointerResampler()
        #expect(resampler.position(at: Self.time(0)) == nil)
        resampler.add(Point(x: .nan, y: 0), at: Self.time(0))
        #expect(resampler.position(at: Self.time(0)) == nil)
        for _ in 0..<40 { resampler.add(Point(x: 5, y: 5), at: Self.time(10)) }
        resampler.add(Point(x: 6, y: 5), at: Self.time(3))
        #expect(resampler.position(at: Self.time(10))?.point == Point(x: 6, y: 5))
        resampler.add(Point(x: 9, y: 5), at: HostTime(nanoseconds: .max))
        #expect(resampler.position(at: HostTime(nanoseconds: .max))?.point == Point(x: 9, y: 5))
        #expect(resampler.position(at: HostTime(nanoseconds: .min))?.point.x.isFinite == true)
    }

    @Test("Frame times that vary while composing give evenly spaced sample times")
    func sampleTimes() {
        var sampleTime = FrameSampleTime()
        var times: [HostTime] = []
        for frame in 0..<100 {
            let visible = Self.time(Double(frame) * 16)
            let jitter = Double(frame * 7 % 5) * 0.25
            times.append(sampleTime.next(visibleAt: visible, eventsReadAt: visible - .milliseconds(6 + jitter)))
        }
        for (next, last) in zip(times.dropFirst(20), times.dropFirst(19)) {
            #expect(abs((next - last).inMilliseconds - 16) < 0.1)
        }
        #expect(abs((Self.time(99 * 16) - times[99]).inMilliseconds - 6.5) < 0.3)
    }

    @Test("A frame planned for the past or far ahead does not shift sample times by more than its share")
    func implausibleFrame() {
        var sampleTime = FrameSampleTime()
        let start = Self.time(1000)
        #expect(sampleTime.next(visibleAt: start, eventsReadAt: start - .milliseconds(8)) == start - .milliseconds(8))
        let late = sampleTime.next(visibleAt: start, eventsReadAt: start + .seconds(5))
        #expect((start - late).inMilliseconds == 7.5)
        let early = sampleTime.next(visibleAt: start, eventsReadAt: start - .seconds(5))
        #expect((start - early).inMilliseconds < 11)
    }
}

@Suite("Pans that follow the time of a frame") struct PanResamplingTests {
    private let harness = GestureHarness()
    private let pan = PanRecognizer(axes: .horizontal, name: "pan")

    /// A drag to the right at 1 point per millisecond, reported every 8 ms, until `ms`.
    private func drag(until ms: Double) {
        _ = harness.element("page", [pan])
        harness.press(100, 100)
        for step in stride(from: 8.0, through: ms, by: 8) { harness.move(100 + step, 100, at: step) }
    }

    @Test("The translation is that of the frame's time, and the velocity that of the pointer")
    func resampled() {
        pan.isResampled = true
        drag(until: 200)
        #expect(pan.translation.x == 200)
        var changes = 0
        pan.onChange = { _ in changes += 1 }
        #expect(harness.arbiter.resample(at: harness.time(199)))
        #expect(abs(pan.translation.x - 195) < 0.01 && changes == 1)
        #expect(abs(pan.velocity.x - 1000) < 0.01 && pan.location.x == 300)
        #expect(harness.arbiter.resample(at: harness.time(199)) && changes == 1, "no change, no report")
        #expect(!harness.arbiter.resample(at: harness.time(260)))
        #expect(pan.translation.x == 200)
    }

    @Test("The release counts with its own position")
    func release() {
        pan.isResampled = true
        drag(until: 200)
        _ = harness.arbiter.resample(at: harness.time(196))
        harness.release(303, 100, at: 203)
        #expect(pan.translation.x == 203 && pan.state == .possible)
        #expect(!harness.arbiter.resample(at: harness.time(220)))
        #expect(pan.translation.x == 203)
    }

    @Test("Other pans keep the position of the last event")
    func unaffected() {
        drag(until: 200)
        #expect(!harness.arbiter.resample(at: harness.time(196)))
        #expect(pan.translation.x == 200)
    }

    @Test("A pan that a scroll drives is not resampled")
    func scroll() {
        pan.isResampled = true
        _ = harness.element("page", [pan])
        for step in 1...4 { harness.scroll(1, 0, at: Double(step) * 8) }
        let translation = pan.translation
        #expect(pan.isActive)
        #expect(!harness.arbiter.resample(at: harness.time(30)))
        #expect(pan.translation == translation)
    }

    @Test("A callback may end the gesture while it is resampled")
    func cancelled() {
        pan.isResampled = true
        drag(until: 200)
        pan.onChange = { [pan] in if $0.state == .changed { pan.cancel() } }
        _ = harness.arbiter.resample(at: harness.time(196))
        #expect(pan.state == .cancelled)
    }
}
