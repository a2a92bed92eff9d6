import Time

/// What the samples are: interleaved 32-bit floats, so many a second, so many beside each other.
///
/// A *frame* is one sample of every channel. The channels stand in WAVE-EX order (front left, front right, front centre,
/// low frequency, back left, back right, side left, side right), which is FFmpeg's native order too.
public struct AudioFormat: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame: 1, 2, 6 or 8. For these counts alone FFmpeg's default layout and PulseAudio's WAVE-EX map name
    /// the same loudspeakers (at four, one says "back centre" and the other "low frequency").
    public let channelCount: Int

    /// - Precondition: both are positive.
    public init(sampleRate: Int, channelCount: Int) {
        precondition(sampleRate > 0 && channelCount > 0, "a format of no samples: \(sampleRate) Hz, \(channelCount)")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// What is asked for while no device has a wish of its own: 48 kHz, stereo.
    public static let standard = AudioFormat(sampleRate: 48_000, channelCount: 2)

    /// The format to feed a sink of this shape: its own rate, so that nobody resamples twice, and the most channels that
    /// both it and `channelCount`'s rule allow.
    init(sinkRate: Int, sinkChannels: Int) {
        let channels = [8, 6, 2].first { $0 <= sinkChannels } ?? 1
        // What another process says of itself; these are what sound servers offer.
        self.init(sampleRate: min(max(sinkRate, 8000), 384_000), channelCount: channels)
    }

    var bytesPerFrame: Int { channelCount * MemoryLayout<Float>.size }

    /// The whole frames nearest to `duration`; negative durations give negative counts.
    func frames(in duration: Duration) -> Int {
        Int(clamping: (duration.inSeconds * Double(sampleRate)).rounded())
    }

    /// The time `frames` take to sound.
    func duration(ofFrames frames: Double) -> Duration {
        .nanoseconds(Int64(clampingNanoseconds: frames / Double(sampleRate)))
    }
}
