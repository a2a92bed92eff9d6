import GlissadeTime

/// The format of audio samples: interleaved 32-bit floats, with a sample rate and a number of channels.
///
/// A *frame* is one sample of every channel. Channels are in WAVE-EX order (front left, front right, front center, low
/// frequency, back left, back right, side left, side right), which is also FFmpeg's native order.
public struct AudioFormat: Hashable, Sendable {
    /// The sample rate in hertz, which is also the number of frames per second.
    public let sampleRate: Int
    /// The number of channels, which is also the number of samples per frame.
    ///
    /// A format made for a sink (PulseAudio's name for an output device) has 1, 2, 6 or 8 channels. Only for these
    /// counts do FFmpeg's default layout and PulseAudio's WAVE-EX map assign the channels to the same speakers.
    public let channelCount: Int

    /// Creates a format from a sample rate and a number of channels.
    ///
    /// - Precondition: Both arguments are positive.
    public init(sampleRate: Int, channelCount: Int) {
        precondition(sampleRate > 0 && channelCount > 0, "invalid audio format: \(sampleRate) Hz, \(channelCount)")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The format assumed until a sink is known: 48 kHz stereo.
    public static let standard = AudioFormat(sampleRate: 48_000, channelCount: 2)

    /// Creates the format of the samples to send to a sink.
    ///
    /// The sample rate is the sink's, clamped to 8…384 kHz. The number of channels is the largest of 8, 6, 2 and 1 that
    /// does not exceed the sink's.
    init(sinkRate: Int, sinkChannels: Int) {
        let channels = [8, 6, 2].first { $0 <= sinkChannels } ?? 1
        // `sinkRate` comes from another process. The limits cover all rates that sound servers offer.
        self.init(sampleRate: min(max(sinkRate, 8000), 384_000), channelCount: channels)
    }

    var bytesPerFrame: Int { channelCount * MemoryLayout<Float>.size }

    /// The number of frames that last `duration`, rounded to the nearest integer; negative for a negative duration.
    func frames(in duration: Duration) -> Int {
        Int(clamping: (duration.inSeconds * Double(sampleRate)).rounded())
    }

    /// The duration of `frames` frames. The number of frames may be fractional or negative.
    func duration(ofFrames frames: Double) -> Duration {
        .nanoseconds(Int64(clampingNanoseconds: frames / Double(sampleRate)))
    }
}
