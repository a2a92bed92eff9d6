import Time

/// The format of audio samples: interleaved 32-bit floats, with a sample rate and a number of channels.
///
/// A *frame* is one sample of every channel. Channels are in WAVE-EX order (front left, front right, front center, low
/// frequency, back left, back right, side left, side right), which is also FFmpeg's native order.
public struct AudioFormat: Hashable, Sendable {
    /// The sample rate: frames per second.
    public let sampleRate: Int
    /// Samples per frame: 1, 2, 6 or 8. Only for these counts do FFmpeg's default layout and PulseAudio's WAVE-EX map
    /// name the same speakers. (For four, one says "back center" and the other "low frequency".)
    public let channelCount: Int

    /// - Precondition: Both are positive.
    public init(sampleRate: Int, channelCount: Int) {
        precondition(sampleRate > 0 && channelCount > 0, "invalid audio format: \(sampleRate) Hz, \(channelCount)")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The default format while no device is known: 48 kHz stereo.
    public static let standard = AudioFormat(sampleRate: 48_000, channelCount: 2)

    /// The format for a sink: the sink's own rate, so that audio is not resampled twice, and the largest supported
    /// number of channels that the sink has.
    init(sinkRate: Int, sinkChannels: Int) {
        let channels = [8, 6, 2].first { $0 <= sinkChannels } ?? 1
        // The values come from another process; the limits are what sound servers offer.
        self.init(sampleRate: min(max(sinkRate, 8000), 384_000), channelCount: channels)
    }

    var bytesPerFrame: Int { channelCount * MemoryLayout<Float>.size }

    /// The number of frames nearest to `duration`; negative for negative durations.
    func frames(in duration: Duration) -> Int {
        Int(clamping: (duration.inSeconds * Double(sampleRate)).rounded())
    }

    /// The duration of `frames`.
    func duration(ofFrames frames: Double) -> Duration {
        .nanoseconds(Int64(clampingNanoseconds: frames / Double(sampleRate)))
    }
}
