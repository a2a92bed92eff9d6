public import GlissadeTime

/// A clock that is moved by hand, since the library is told the time.
public struct Clock {
    public private(set) var now = HostTime(nanoseconds: 0)

    public init() {}

    /// Moves on by one frame at 60 Hz.
    public mutating func tick() { now = now + .nanoseconds(16_666_667) }
}
