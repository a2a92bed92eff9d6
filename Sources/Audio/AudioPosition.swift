public import Motion

/// What is heard.
public struct AudioPosition: Hashable, Sendable {
    public var mediaTime: MediaTime
    public var generation: Int
    /// Whether a server plays it; otherwise it is silence that the monotonic clock paces.
    public var isServerLed: Bool
}
