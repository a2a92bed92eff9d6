import Foundation
import GlissadeMedia
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadePlayback

/// A tone through files whose timestamps jitter, drift, stand still or are missing.
@Suite("Audio whose timestamps are wrong") struct UnbrokenAudioTests {
    /// A tone of 500 Hz that lasts `seconds`.
    private static func tone(_ seconds: Double, rate: Int = 48_000) -> [String] {
        ["-f", "lavfi", "-i", "sine=500:r=\(rate):d=\(seconds)"]
    }

    /// The same tone with a click every quarter of a second, which makes encoders change their block size.
    private static func transients(_ seconds: Double, rate: Int) -> [String] {
        let click = "if(lt(mod(t\\,0.25)\\,0.0014)\\,0.6*exp(-mod(t\\,0.25)*4000)*cos(t*90000)\\,0)"
        let source = "aevalsrc=0.2*sin(1000*PI*t)+\(click):s=\(rate):d=\(seconds)"
        return ["-f", "lavfi", "-i", source]
    }

    /// A file of `codec` whose timestamps are `times`, in the syntax of FFmpeg's filter `setts`, with `MS` for a
    /// millisecond.
    private static func file(
        _ name: String, codec: String = "aac", times: String, seconds: Double = 4
    ) throws -> String {
        // WMA needs what only its own container keeps.
        let ending = codec == "wmav2" ? "asf" : "nut"
        let source = try Clips.file("tone-\(seconds).\(codec).\(ending)", ffmpeg: tone(seconds) + ["-c:a", codec])
        let ticks = name.hasSuffix(".ts") ? "90" : name.hasSuffix(".mp4") ? "48" : "1"
        let times = times.replacingOccurrences(of: "MS", with: ticks)
        return try Clips.file(name, ffmpeg: ["-i", source, "-c", "copy", "-bsf:a", "setts=ts=\(times)"])
    }

    /// Expects one unbroken tone of about `seconds`.
    private func expectTone(
        _ heard: HeardAudio, seconds: Double = 4, slack: Double = 0.05, jump: Double = 0.25,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(heard.problems.isEmpty, sourceLocation: sourceLocation)
        #expect(abs(heard.seconds - seconds) < slack, sourceLocation: sourceLocation)
        #expect(heard.longestSilence < 0.002, sourceLocation: sourceLocation)
        #expect(heard.largestPhaseJump(at: 500) < jump, sourceLocation: sourceLocation)
    }

    @Test(
        "Vorbis plays without a break where its blocks change size, at every rate and in every container",
        arguments: [8000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000].map { ($0, "ogg") }
            + [(44_100, "mka"), (48_000, "webm")])
    func vorbis(rate: Int, container: String) throws {
        let path = try Clips.file(
            "transients-\(rate).\(container)",
            ffmpeg: Self.transients(2, rate: rate) + ["-ac", "2", "-c:a", "libvorbis", "-q:a", "4"])
        expectTone(try HeardAudio(path), seconds: 2)
    }

    @Test(
        "Times that jitter by up to 90 ms do not break the audio", arguments: [20, 90],
        [("mka", "aac"), ("flv", "aac"), ("mp4", "aac"), ("ts", "aac"), ("asf", "wmav2")])
    func jitter(milliseconds: Int, kind: (container: String, codec: String)) throws {
        let late = "PTS+\(milliseconds)*MS*lt(mod(N\\,20)\\,10)"
        let path = try Self.file("jitter-\(milliseconds).\(kind.container)", codec: kind.codec, times: late)
        expectTone(try HeardAudio(path), slack: 0.12)
    }

    @Test("Times that a browser rounds to its timer do not break the audio", arguments: [10, 33])
    func browser(milliseconds: Int) throws {
        let rounded = "floor(PTS/MS/\(milliseconds))*\(milliseconds)*MS"
        expectTone(try HeardAudio(try Self.file("rounded-\(milliseconds).mp4", times: rounded)))
        expectTone(try HeardAudio(try Self.file("rounded-\(milliseconds).webm", codec: "libopus", times: rounded)))
    }

    @Test("Times that are all 0 count as none", arguments: ["mka", "flv"])
    func zero(container: String) throws {
        expectTone(try HeardAudio(try Self.file("zero.\(container)", times: "0")))
    }

    @Test(
        "A clock that is 0.1 % off is followed without a break, and the audio ends with it", arguments: [0.999, 1.001])
    func drift(factor: Double) throws {
        let path = try Self.file("drift-\(factor).mka", times: "PTS*\(factor)", seconds: 40)
        let heard = try HeardAudio(path)
        expectTone(heard, seconds: 40 * factor, slack: 0.03)
    }

    @Test("A gap of 80 ms is closed by playing more slowly for a while, not by silence")
    func shortGap() throws {
        let path = try Self.file("gap-80.mka", times: "PTS+80*MS*gte(N\\,50)", seconds: 40)
        expectTone(try HeardAudio(path), seconds: 40.08, slack: 0.03)
    }

    @Test("A gap of half a second is silence, and an overlap of half a second is trimmed")
    func realJump() throws {
        let gap = try HeardAudio(try Self.file("gap-500.mka", times: "PTS+500*MS*gte(N\\,50)"))
        #expect(abs(gap.longestSilence - 0.5) < 0.01 && abs(gap.seconds - 4.5) < 0.05)
        let overlap = try HeardAudio(
            try Self.file("overlap-500.mka", times: "PTS-500*MS*gte(N\\,100)"))
        #expect(overlap.longestSilence < 0.001 && abs(overlap.seconds - 3.5) < 0.05)
    }

    @Test(
        "A rate that changes in the middle of an ADTS stream breaks nothing",
        arguments: [(44_100, 48_000), (48_000, 32_000)])
    func changingRate(first: Int, second: Int) throws {
        let path = try Clips.file("rates-\(first)-\(second).aac") { path in
            var bytes: [UInt8] = []
            for rate in [first, second] {
                bytes += try FFmpeg.bytes(Self.tone(2, rate: rate) + ["-c:a", "aac"], ending: "aac")
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        let heard = try HeardAudio(path)
        #expect(heard.problems.isEmpty)
        // Each half begins and ends with the encoder's own fade.
        #expect(heard.longestSilence < 0.03)
        #expect(abs(heard.seconds - 4) < 0.1)
        for (start, end) in [(0.1, 1.9), (2.2, 3.9)] {
            #expect(heard.part(from: start, to: end).largestPhaseJump(at: 500) < 0.1)
        }
    }

    @Test("At double speed, times that jitter do not break the audio either")
    func fast() throws {
        let path = try Self.file("jitter-20.mka", times: "PTS+20*MS*lt(mod(N\\,20)\\,10)")
        let heard = try HeardAudio(path, speed: 2)
        #expect(abs(heard.seconds - 2) < 0.05 && heard.longestSilence < 0.001)
    }
}

/// The law by which timestamps correct the count of samples.
@Suite("Media time counted in samples") struct SampleTimelineTests {
    /// Places frames of `length` seconds, and returns the counted time's largest distance from a perfect clock, and the
    /// smallest and largest factor, from the second `settled` on.
    private func run(
        seconds: Double, settled: Double = 0, length: Double = 0.02, time: (Int) -> Int64?
    ) -> (distance: Double, factors: ClosedRange<Double>, jumps: Int) {
        var timeline = SampleTimeline()
        var (distance, low, high, jumps) = (0.0, 1.0, 1.0, 0)
        for number in 0..<Int(seconds / length) {
            let begin = timeline.end
            switch timeline.place(time(number), length: length) {
            case .jumps: jumps += 1
            case .follows(let factor):
                guard Double(number) * length >= settled else { continue }
                (low, high) = (min(low, factor), max(high, factor))
                distance = max(distance, abs(Double(begin ?? 0) / 1e9 - Double(number) * length))
            }
        }
        return (distance, low...high, jumps)
    }

    private func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

    @Test("Exact timestamps, and those rounded to milliseconds, change nothing")
    func exact() {
        for step in [1.0, 1_000_000.0] {
            let result = run(seconds: 60) { Int64((Double($0) * 0.02e9 / step).rounded() * step) }
            #expect(result.factors == 1...1 && result.jumps == 1 && result.distance < 1e-6)
        }
    }

    @Test(
        "The first frame's lateness is corrected within 30 s, at no more than half a percent",
        arguments: [-0.09, -0.02, 0.03, 0.09])
    func lateStart(error: Double) {
        let time = { (number: Int) in self.nanoseconds(Double(number) * 0.02 + (number == 0 ? error : 0)) }
        #expect(run(seconds: 60, settled: 30, time: time).distance < 0.006)
        let all = run(seconds: 60, time: time)
        #expect(all.factors.lowerBound >= 0.995 && all.factors.upperBound <= 1.005 && all.jumps == 1)
    }

    @Test("A frame without a time, and a time that repeats, follow the frame before")
    func missing() {
        for time in [nil, 0 as Int64?] {
            let result = run(seconds: 10) { _ in time }
            #expect(result.jumps == 1 && result.factors == 1...1 && result.distance < 1e-6)
        }
    }

    @Test("Only a deviation of more than 100 ms is a jump; where the media starts over, 10 ms are one")
    func jumps() {
        for (distance, isSeam, isJump) in [
            (0.099, false, false), (0.101, false, true), (0.011, true, true), (0.009, true, false),
        ] {
            for sign in [-1.0, 1] {
                var timeline = SampleTimeline()
                _ = timeline.place(0, length: 1)
                if isSeam { timeline.noteSeam() }
                let time = nanoseconds(1 + sign * distance)
                let step = timeline.place(time, length: 1)
                #expect((step == .jumps(to: time)) == isJump)
                // The seam is over.
                let next = nanoseconds(2 + sign * distance + sign * 0.05)
                #expect(timeline.place(next, length: 1) != .jumps(to: next) || !isSeam && !isJump)
            }
        }
    }

    @Test("Hostile times and lengths never trap")
    func hostile() {
        for seed in 0..<2000 {
            var hostile = HostileNumbers(seed: UInt64(seed))
            var timeline = SampleTimeline()
            for _ in 0..<8 {
                if hostile.next() % 3 == 0 { timeline.noteSeam() }
                _ = timeline.place(hostile.next(), length: Double(hostile.next().magnitude % 100_000) / 8000)
                #expect(timeline.end != nil)
            }
        }
    }
}
