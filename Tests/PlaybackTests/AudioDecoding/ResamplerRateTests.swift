import GlissadeAudio
import GlissadeCFFmpeg
import Foundation
import GlissadeMedia
import Testing

@testable import GlissadePlayback

/// Audio whose rate is changed by a factor near 1, to keep it with a film that a display leads.
@Suite("Resampling that follows a display")
struct ResamplerRateTests {
    private static let rate = 48_000

    /// A second of a tone in frames of 1024 samples, through a resampler whose factor is asked for before each.
    private func play(seconds: Int, tone: Double, factor: (Int) -> Double) throws -> (samples: [Float], last: Double) {
        let frame = try #require(av_frame_alloc())
        defer {
            var frame: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&frame)
        }
        frame.pointee.nb_samples = 1024
        frame.pointee.sample_rate = CInt(Self.rate)
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        av_channel_layout_default(&frame.pointee.ch_layout, 1)
        try #require(av_frame_get_buffer(frame, 0) >= 0)
        var resampler = Resampler()
        var samples: [Float] = []
        var end = 0.0
        var expected: Int64?
        for number in 0..<(seconds * Self.rate / 1024) {
            frame.pointee.data.0?.withMemoryRebound(to: Float.self, capacity: 1024) { data in
                for index in 0..<1024 {
                    data[index] = Float(sin(2 * .pi * tone * Double(number * 1024 + index) / Double(Self.rate)))
                }
            }
            resampler.rateFactor = factor(number)
            let time = Int64(number) * 1024 * 1_000_000_000 / Int64(Self.rate)
            resampler.convert(
                frame, time: time, speed: 1, to: .standard,
                report: { Issue.record("\($0)") }
            ) { chunk in
                // Each chunk begins where the one before ended.
                if let expected { #expect(abs(chunk.time - expected) <= 1000) }
                // Both channels are the same.
                samples += stride(from: 0, to: chunk.samples.count, by: 2).map { chunk.samples[$0] }
                let length = Double(chunk.samples.count / 2) / Double(Self.rate) * chunk.speed
                expected = chunk.time + Int64(length * 1e9)
                end = Double(chunk.time) / 1e9 + length
            }
        }
        return (samples, end)
    }

    @Test(
        "At a factor, as much less audio comes out, and its times still are those of what went in",
        arguments: [0.995, 0.999, 1.001, 1.005])
    func length(factor: Double) throws {
        let seconds = 10
        let (samples, last) = try play(seconds: seconds, tone: 440) { _ in factor }
        let input = Double(seconds * Self.rate / 1024 * 1024)
        #expect(abs(Double(samples.count) - input / factor) < 64)
        #expect(abs(last - input / Double(Self.rate)) < 0.002)
    }

    @Test("The pitch changes by the factor and no more, and nothing clicks when the factor changes")
    func pitch() throws {
        let (samples, _) = try play(seconds: 10, tone: 440) { $0 < 200 ? 1.001 : 0.999 }
        // A tone of 440 Hz changes by 0.0576 of its amplitude from one sample to the next at most.
        let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
        let amplitude = try #require(samples.max())
        #expect(amplitude > 0.4)
        #expect(try #require(steps.dropFirst(64).max()) < 0.0585 * amplitude)
        func crossings(_ part: ArraySlice<Float>) -> Int {
            zip(part, part.dropFirst()).reduce(0) { $0 + ($1.0 < 0 && $1.1 >= 0 ? 1 : 0) }
        }
        #expect(abs(crossings(samples[4_000..<148_000]) - Int(440 * 1.001 * 3)) <= 1)
        #expect(abs(crossings(samples[280_000..<424_000]) - Int(440 * 0.999 * 3)) <= 1)
    }
}
