public import Time

/// A display's report about a window: that it has refreshed, or what happened to a frame. A value; any thread.
///
/// Source: the complete events of the X Present extension.
public struct DisplayReport: Hashable, Sendable {
    /// What has happened.
    public enum Event: Hashable, Sendable {
        /// A refresh that was requested.
        case refreshed
        /// The oldest frame not yet reported is on screen.
        case presented
        /// The oldest frame not yet reported was replaced by a newer one before it was visible.
        case skipped
    }

    /// What has happened.
    public var event: Event
    /// When it happened (`ust`).
    public var time: HostTime
    /// The number of the refresh (`msc`); nil if the display is virtual, with made-up refreshes.
    public var refreshCount: Int64?
    /// When the frame was sent; nil if that is unknown or there is none.
    public var sentTime: HostTime?

    public init(_ event: Event, at time: HostTime, refreshCount: Int64?, sentTime: HostTime? = nil) {
        self.event = event
        self.time = time
        self.refreshCount = refreshCount
        self.sentTime = sentTime
    }

    /// The refresh, for a `DisplayClock`; nil if the report does not tell about the display's refreshes.
    var refresh: DisplayClock.Refresh? {
        guard event != .skipped else { return nil }
        return refreshCount.map { DisplayClock.Refresh(count: $0, time: time) }
    }
}
