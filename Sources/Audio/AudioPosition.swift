public import Time

/// What is heard at one instant.
public struct AudioPosition: Hashable, Sendable {
    /// The media time of the sample that leaves the loudspeaker.
    public let mediaTime: MediaTime
    /// The current generation, or after a splice that of what follows on the sample.
    public let generation: Int
    /// Media seconds a second of that sample.
    public let speed: Double
    /// Whether the sound server's own timing led to this; if not, it is silence paced by the monotonic clock.
    public let isServerLed: Bool

    public init(mediaTime: MediaTime, generation: Int, speed: Double = 1, isServerLed: Bool) {
        self.mediaTime = mediaTime
        self.generation = generation
        self.speed = speed
        self.isServerLed = isServerLed
    }
}

/// When sound that was started, or goes on after a pause, begins to be heard, and with what.
public struct AudioOnset: Hashable, Sendable {
    /// Later than now where it has yet to begin.
    public let host: HostTime
    /// The media time of the first sample.
    public let mediaTime: MediaTime
    /// Media seconds a second of it.
    public let speed: Double
    public let generation: Int
}

/// How `AudioOutput.write` ended.
public enum AudioWriteResult: Hashable, Sendable {
    /// All samples are queued (or were trimmed, being before the start or heard already).
    case accepted
    /// Nothing was taken: the device wants another format now. Ask for it, convert, write again.
    case formatChanged
    /// These samples, or what was left of them, belong to a generation that has been flushed: dropped.
    case flushed
    /// The output has been stopped; nothing is taken any more.
    case stopped
}

/// What befalls the sound server, for the log and for whoever wants to show it.
public enum AudioEvent: Hashable, Sendable {
    /// Sound is played by the server. Comes again after each `lost`.
    case connected(AudioFormat)
    /// There is no server, or it refuses; silence is played until there is. Comes once, not for each retry.
    case unavailable(reason: String)
    /// The server went in the midst of it; silence goes on from there.
    case lost(reason: String)
}
