import GlissadeAudio
import GlissadeCFFmpeg
import Foundation
import Testing

@testable import GlissadePlayback

/// How much converted sound there is at a time.
@Suite("Resampling in slices") struct ResamplerSliceTests {
    private struct Converted {
        var chunks = 0
        var largest = 0
        var samples: [Float] = []
    }

    /// Converts frames of a tone of 100 Hz, `length` samples long each.
    private func convert(
        rate: Int, format: AVSampleFormat, channels: Int32, frames: Int, length: Int, speed: Double = 1
    ) throws -> Converted {
        var resampler = Resampler()
        var result = Converted()
        func take(_ chunk: Resampler.Chunk) {
            result.chunks += 1
            result.largest = max(result.largest, chunk.samples.count / 2)
            result.samples += stride(from: 0, to: chunk.samples.count, by: 2).map { chunk.samples[$0] }
        }
        for number in 0..<frames {
            var owned = av_frame_alloc()
            defer { av_frame_free(&owned) }
            let frame = try #require(owned)
            frame.pointee.format = format.rawValue
            frame.pointee.sample_rate = CInt(rate)
            frame.pointee.nb_samples = CInt(length)
            av_channel_layout_default(&frame.pointee.ch_layout, channels)
            try #require(av_frame_get_buffer(frame, 0) >= 0)
            let isPlanar = av_sample_fmt_is_planar(format) != 0
            for plane in 0..<(isPlanar ? Int(channels) : 1) {
                let step = isPlanar ? 1 : Int(channels)
                let data = try #require(frame.pointee.extended_data[plane])
                data.withMemoryRebound(to: Float.self, capacity: length * step) { samples in
                    for index in 0..<length * step {
                        let time = Double(number * length + index / step) / Double(rate)
                        samples[index] = Float(sin(2 * Double.pi * 100 * time))
                    }
                }
            }
            resampler.convert(
                frame, time: Int64(number * length) * 1_000_000_000 / Int64(rate), speed: speed, to: .standard,
                report: { Issue.record("\($0)") }, deliver: take)
        }
        resampler.drain(deliver: take)
        return result
    }

    @Test(
        "An audio frame of any length comes out complete, in slices of limited size",
        arguments: [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP], [1, 2, 6])
    func whole(format: AVSampleFormat, channels: Int32) throws {
        let result = try convert(rate: 1000, format: format, channels: channels, frames: 1, length: 4000)
        #expect(abs(result.samples.count - 48 * 4000) <= 48 * 4)
        #expect(result.largest <= 1 << 15 && result.chunks > 10)
        // Where two pieces meet, the tone goes on: between two samples it changes by its steepest rise at most.
        let middle = Array(result.samples.dropFirst(10_000).dropLast(10_000))
        let loudest = try #require(middle.max())
        let steepest = Float(2 * Double.pi * 100 / 48_000) * loudest * 1.5
        #expect(loudest > 0.4)
        #expect(middle.indices.dropFirst().allSatisfy { abs(middle[$0] - middle[$0 - 1]) < steepest })
    }

    @Test("Audio frames of the usual length come out in one slice each")
    func usual() throws {
        let result = try convert(rate: 48_000, format: AV_SAMPLE_FMT_FLTP, channels: 2, frames: 20, length: 1024)
        #expect(result.chunks == 20 && result.largest == 1024 && result.samples.count == 20 * 1024)
    }

    @Test("The slices are limited in size at another speed, too")
    func speed() throws {
        let result = try convert(
            rate: 8000, format: AV_SAMPLE_FMT_FLT, channels: 1, frames: 1, length: 32_000, speed: 0.25)
        let seconds = Double(result.samples.count) / 48_000
        #expect(abs(seconds - 16) < 0.2)
        #expect(result.largest <= 1 << 18)
    }
}
