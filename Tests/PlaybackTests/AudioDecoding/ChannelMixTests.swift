import GlissadeAudio
import GlissadeCFFmpeg
import Testing

@testable import GlissadePlayback

/// How loud each loudspeaker is.
@Suite("Channel mixing") struct ChannelMixTests {
    /// The output for constant input channels of `levels`.
    private func mixed(_ levels: [Float], to channels: Int, _ format: AVSampleFormat = AV_SAMPLE_FMT_FLT) throws
        -> [Float]
    {
        var resampler = Resampler()
        var owned = av_frame_alloc()
        defer { av_frame_free(&owned) }
        let frame = try #require(owned)
        (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.nb_samples) = (format.rawValue, 48000, 480)
        av_channel_layout_default(&frame.pointee.ch_layout, CInt(levels.count))
        try #require(av_frame_get_buffer(frame, 0) >= 0)
        let data = try #require(frame.pointee.extended_data[0])
        for index in 0..<480 * levels.count {
            let level = levels[index % levels.count]
            if format == AV_SAMPLE_FMT_S16 {
                UnsafeMutableRawPointer(data).storeBytes(
                    of: Int16(level * 32768), toByteOffset: index * 2, as: Int16.self)
            } else {
                UnsafeMutableRawPointer(data).storeBytes(of: level, toByteOffset: index * 4, as: Float.self)
            }
        }
        var output: [Float] = []
        resampler.convert(
            frame, time: 0, speed: 1, to: AudioFormat(sampleRate: 48000, channelCount: channels),
            report: { Issue.record("\($0)") }, deliver: { output += $0.samples })
        return Array(output.dropFirst(100 * channels).prefix(channels))
    }

    private func isNear(_ a: [Float], _ b: [Float]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 0.0005 }
    }

    @Test("Each of two loudspeakers gets a single channel as it is", arguments: [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S16])
    func mono(format: AVSampleFormat) throws {
        #expect(isNear(try mixed([0.5], to: 2, format), [0.5, 0.5]))
        #expect(isNear(try mixed([0.5], to: 1, format), [0.5]))
    }

    @Test("Two channels keep their samples, and one loudspeaker gets their mean")
    func stereo() throws {
        #expect(isNear(try mixed([0.5, -0.25], to: 2), [0.5, -0.25]))
        #expect(isNear(try mixed([0.5, 0.25], to: 1), [0.375]))
    }

    @Test("Speech is as loud in one, two and six channels, for one loudspeaker and for two", arguments: [1, 2])
    func speech(channels: Int) throws {
        // In six, it is in the center; a station that mixes these to two gives each 0.71 of it.
        let half = Float(0.5).squareRoot()
        let expected = [Float](repeating: 0.4 * half, count: channels)
        #expect(isNear(try mixed([0, 0, 0.4, 0, 0, 0], to: channels), expected))
        #expect(isNear(try mixed([0.4 * half, 0.4 * half], to: channels), expected))
        #expect(isNear(try mixed([0.4 * half], to: channels), expected))
    }

    @Test("A single channel is the center of six, and six stay six")
    func surround() throws {
        #expect(isNear(try mixed([0.5], to: 6), [0, 0, 0.5, 0, 0, 0]))
        let levels: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        #expect(isNear(try mixed(levels, to: 6), levels))
    }
}
