public import Time

/// What is heard at one instant.
public struct AudioPosition: Hashable, Sendable {
    /// The media time of the sample being heard.
    public let mediaTime: MediaTime
    /// The current generation, or after a splice that of the samples that follow.
    public let generation: Int
    /// The speed of that sample, in media seconds per second.
    public let speed: Double
    /// Whether this comes from the sound server's timing; if not, it is silence paced by the monotonic clock.
    public let isServerLed: Bool

    public init(mediaTime: MediaTime, generation: Int, speed: Double = 1, isServerLed: Bool) {
        self.mediaTime = mediaTime
        self.generation = generation
        self.speed = speed
        self.isServerLed = isServerLed
    }
}

/// When audio that was started or resumed begins to be heard, and at which media time.
public struct AudioOnset: Hashable, Sendable {
    /// In the future if it has not begun.
    public let host: HostTime
    /// The media time of the first sample.
    public let mediaTime: MediaTime
    /// Its speed, in media seconds per second.
    public let speed: Double
    /// The generation of the samples that begin to be heard.
    public let generation: Int
}

/// The result of `AudioOutput.write`.
public enum AudioWriteResult: Hashable, Sendable {
    /// All samples are queued, or trimmed because they precede the start or were heard already.
    case accepted
    /// Nothing was accepted: the device has a new format. Read it, convert, and write again.
    case formatChanged
    /// The remaining samples belong to a flushed generation and were dropped.
    case flushed
    /// The output has been stopped.
    case stopped
}

/// What happens to the connection to the sound server, for the log and for messages.
public enum AudioEvent: Hashable, Sendable {
    /// The server plays audio. Reported again after each `lost`.
    case connected(AudioFormat)
    /// There is no server, or it refuses; silence is played until there is. Reported once, not for each retry.
    case unavailable(reason: String)
    /// The connection was lost during playback; silence continues from there.
    case lost(reason: String)
}
