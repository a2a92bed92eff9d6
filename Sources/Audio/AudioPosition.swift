public import GlissadeTime

/// The audio heard at one instant: its media time and speed.
public struct AudioPosition: Hashable, Sendable {
    /// The media time of the sample being heard.
    public let mediaTime: MediaTime
    /// The output's current generation. After a splice, this is the new generation, even while samples of the old one
    /// are still heard.
    public let generation: Int
    /// The speed of the sample being heard, in media seconds per second.
    public let speed: Double
    /// Whether the sound server's timing determines the position. If false, the monotonic clock determines it: silence
    /// is playing, or the server has not yet reported when its audio is heard.
    public let isServerLed: Bool

    public init(mediaTime: MediaTime, generation: Int, speed: Double = 1, isServerLed: Bool) {
        self.mediaTime = mediaTime
        self.generation = generation
        self.speed = speed
        self.isServerLed = isServerLed
    }
}

/// When audio is first heard after a start or resume, and the media time and speed of that audio.
public struct AudioOnset: Hashable, Sendable {
    /// The time at which the first sample is heard, which may have passed already.
    public let host: HostTime
    /// The media time of the first sample.
    public let mediaTime: MediaTime
    /// The speed of the first sample, in media seconds per second.
    public let speed: Double
    /// The output's current generation.
    public let generation: Int
}

/// The result of `AudioOutput.write`.
public enum AudioWriteResult: Hashable, Sendable {
    /// All samples were consumed. They were queued, or were trimmed because they precede the start position or overlap
    /// earlier samples.
    case accepted
    /// The output has a new format, and the remaining samples were not accepted. Convert them to `AudioOutput.format`
    /// and write them again.
    case formatChanged
    /// The samples' generation is no longer current. The remaining samples were dropped.
    case flushed
    /// The output has been stopped. The remaining samples were dropped.
    case stopped
}

/// A change in the connection to the sound server, for the log and for messages to the user.
public enum AudioEvent: Hashable, Sendable {
    /// A server has accepted a stream in this format. Reported after every connection, and after each change of the
    /// sink's format.
    case connected(AudioFormat)
    /// The server cannot be reached, or refuses the connection. Silence plays until a connection succeeds. Failed
    /// retries are not reported.
    case unavailable(reason: String)
    /// An established connection was lost. Silence plays until there is a new one. Failed retries are not reported.
    case lost(reason: String)
}
