public import Time

/// The audio heard at one instant.
public struct AudioPosition: Hashable, Sendable {
    /// The media time of the sample being heard.
    public let mediaTime: MediaTime
    /// The output's current generation. After a splice, this is the new one, even while older samples are still
    /// heard.
    public let generation: Int
    /// The speed of the sample being heard, in media seconds per second.
    public let speed: Double
    /// Whether the position comes from the sound server's timing; otherwise it is silence paced by the monotonic
    /// clock.
    public let isServerLed: Bool

    public init(mediaTime: MediaTime, generation: Int, speed: Double = 1, isServerLed: Bool) {
        self.mediaTime = mediaTime
        self.generation = generation
        self.speed = speed
        self.isServerLed = isServerLed
    }
}

/// When audio that was started or resumed is first heard, and its media time.
public struct AudioOnset: Hashable, Sendable {
    /// When the first sample is heard; in the future until then.
    public let host: HostTime
    /// The media time of the first sample.
    public let mediaTime: MediaTime
    /// The speed of the first sample, in media seconds per second.
    public let speed: Double
    /// The generation of the audio.
    public let generation: Int
}

/// The result of `AudioOutput.write`.
public enum AudioWriteResult: Hashable, Sendable {
    /// All samples are queued, or were trimmed because they precede the start or were already heard.
    case accepted
    /// The device has a new format, and the remaining samples were not accepted. Convert them to `AudioOutput.format`
    /// and write them again.
    case formatChanged
    /// The remaining samples belong to a flushed generation and were dropped.
    case flushed
    /// The output has been stopped.
    case stopped
}

/// A change of the connection to the sound server, for the log and for messages.
public enum AudioEvent: Hashable, Sendable {
    /// A server is connected and plays audio. Reported again after each `lost`.
    case connected(AudioFormat)
    /// There is no server, or it refuses; silence plays until there is one. Reported once, not for each retry.
    case unavailable(reason: String)
    /// The connection was lost during playback; silence continues from there.
    case lost(reason: String)
}
